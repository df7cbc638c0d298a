/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detached actors behave as all others, on threads of their own.
 */
#include "threads.h"

#include "troupe_monitor.h"

TestSuite(detached, .timeout = 60);

/* ---- the same class, either way ---------------------------------------- */

static void say_and_quit(const struct troupe_spawn_options *options)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn_with(system, &unit_recorder_class, &record,
				       options, &actor),
		     0);
	for (uint64_t i = 0; i < UNIT_NOTES; i++)
		unit_send_note(actor, i);
	unit_send_quit(actor, 17);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(troupe_send(actor, UNIT_NOTE, NULL, 0), -ESRCH);
	troupe_strong_release(&actor);
	unit_stop(system);
	for (uint64_t i = 0; i < UNIT_NOTES; i++)
		cr_assert_eq(record.notes[i], i, "in order");
	cr_expect_eq(record.reason, 17);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
}

Test(detached, a_class_runs_on_workers_or_detached)
{
	say_and_quit(NULL);
	say_and_quit(&threads_detached);
}

Test(detached, it_ends_when_nobody_can_reach_it)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor;

	cr_assert_eq(threads_recorder(system, &record, &actor), 0);
	unit_send_note(actor, 1);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.noted, 1);
	cr_expect_eq(record.destroys, 1);
}

static int where_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)state;
	cr_expect_eq(troupe_self_worker(self), TROUPE_ANY_WORKER);
	cr_expect_eq(troupe_system_destroy(troupe_self_system(self)), -EDEADLK);
	cr_expect_eq(troupe_system_await(troupe_self_system(self)), -EDEADLK);
	unit_gate_pass(*(struct unit_gate *const *)troupe_payload(message));
	return 0;
}

static const struct troupe_actor_class where_class = {
	.name = "where",
	.flags = TROUPE_CLASS_DETACHED,
	.receive = where_receive,
};

Test(detached, each_has_its_own_thread_and_workers_stay_free)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_gate gates[8] = {0};
	struct unit_record record = {0};
	struct troupe_strong actors[8], worker_actor;

	/* All are inside at once, with one worker. */
	for (int i = 0; i < 8; i++) {
		struct unit_gate *gate = &gates[i];

		cr_assert_eq(
			troupe_spawn(system, &where_class, NULL, &actors[i]),
			0);
		cr_assert_eq(troupe_send(actors[i], 1, &gate, sizeof(gate)), 0);
	}
	for (int i = 0; i < 8; i++)
		unit_await(&gates[i].entered, 1);
	cr_expect_eq(unit_stats(system).pool_threads, 8);
	worker_actor = unit_recorder(system, &record);
	unit_send_note(worker_actor, 5);
	unit_await(&record.handled, 1);
	for (int i = 0; i < 8; i++) {
		unit_gate_open(&gates[i]);
		troupe_strong_release(&actors[i]);
	}
	troupe_strong_release(&worker_actor);
	unit_stop(system);
}

Test(detached, pinned_and_detached_is_a_contradiction)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_spawn_options options = threads_detached;
	struct unit_record record = {0};
	struct troupe_strong actor = {NULL};

	options.worker = 0;
	cr_expect_eq(troupe_spawn_with(system, &unit_recorder_class, &record,
				       &options, &actor),
		     -EINVAL);
	cr_expect(troupe_strong_is_null(actor));
	cr_expect_eq(unit_stats(system).pool_threads, 0);
	unit_stop(system);
}

/* ---- init, failures, ends ---------------------------------------------- */

static const char *const cap_of_2[] = {"detached.max-threads=2", NULL};

static int refuse_init(struct troupe_actor *self, void *state,
		       const void *argument)
{
	const struct troupe_message *message;

	(void)state;
	(void)argument;
	/* Here it is a guest on a foreign thread. */
	cr_expect_eq(troupe_receive(self, 0, &message), -EDEADLK);
	return -ENOTTY;
}

Test(detached, an_init_that_fails_gives_the_thread_back)
{
	static const struct troupe_actor_class refuse_class = {
		.name = "refuse",
		.flags = TROUPE_CLASS_DETACHED,
		.init = refuse_init,
		.receive = threads_echo,
	};
	struct troupe_system *system = threads_start(1, cap_of_2);

	for (int i = 0; i < 10; i++) {
		int result;

		while ((result = troupe_spawn(system, &refuse_class, NULL,
					      NULL)) == -EAGAIN)
			troupe_sleep(100000);
		cr_expect_eq(result, -ENOTTY);
	}
	unit_stop(system);
}

static int leave_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	(void)state;
	(void)argument;
	troupe_quit(self, 3);
	return 0;
}

static int leave_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(void)state;
	cr_expect(false, "it has quit in init");
	return 0;
}

Test(detached, who_quits_in_init_does_not_run)
{
	static const struct troupe_actor_class leave_class = {
		.name = "leave",
		.init = leave_init,
		.run = leave_run,
	};
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor *self = threads_scope(system);
	struct troupe_strong actor;
	int reason = 0;

	cr_assert_eq(troupe_spawn(system, &leave_class, NULL, &actor), 0);
	cr_assert_eq(troupe_await_end(self, actor, TROUPE_FOREVER, &reason), 0);
	cr_expect(reason == 3 || reason == -ESRCH);
	troupe_strong_release(&actor);
	troupe_scoped_destroy(self);
	unit_stop(system);
}

Test(detached, exit_signals_and_links_end_it)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record records[2] = {0};
	struct troupe_strong actors[2];

	for (int i = 0; i < 2; i++)
		cr_assert_eq(threads_recorder(system, &records[i], &actors[i]),
			     0);
	cr_assert_eq(troupe_send_exit(actors[0], 21), 0);
	cr_assert_eq(troupe_send_exit(actors[1], TROUPE_EXIT_KILL), 0);
	for (int i = 0; i < 2; i++)
		unit_await(&records[i].destroys, 1);
	cr_expect_eq(records[0].reason, 21);
	cr_expect_eq(records[1].reason, TROUPE_EXIT_KILL);
	for (int i = 0; i < 2; i++)
		troupe_strong_release(&actors[i]);
	unit_stop(system);
}

/* ---- a blocking actor's failures --------------------------------------- */

static _Atomic uint64_t runs;

static int fail_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(void)state;
	return atomic_fetch_add(&runs, 1) < 3 ? -EIO : 9;
}

Test(detached, a_loop_that_fails_is_restarted_if_its_class_says_so)
{
	static const struct troupe_actor_class fail_class = {
		.name = "fail",
		.flags = TROUPE_CLASS_FAIL_RESTART,
		.run = fail_run,
	};
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor *self = threads_scope(system);
	struct troupe_strong actor;
	int reason = 0;

	runs = 0;
	cr_assert_eq(troupe_spawn(system, &fail_class, NULL, &actor), 0);
	cr_assert_eq(troupe_await_end(self, actor, TROUPE_FOREVER, &reason), 0);
	cr_expect(reason == 9 || reason == -ESRCH);
	troupe_strong_release(&actor);
	troupe_scoped_destroy(self);
	unit_stop(system);
	cr_expect_eq(runs, 4);
}

Test(detached, a_class_needs_one_of_receive_and_run)
{
	static const struct troupe_actor_class both = {
		.name = "both", .receive = threads_echo, .run = fail_run};
	static const struct troupe_actor_class neither = {.name = "neither"};
	struct troupe_system *system = unit_start(NULL, 1);

	cr_expect_eq(troupe_spawn(system, &both, NULL, NULL), -EINVAL);
	cr_expect_eq(troupe_spawn(system, &neither, NULL, NULL), -EINVAL);
	unit_stop(system);
}
