/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a stop, an exit signal and a lonely end do to a wait; and waiting for
 * another's end.
 */
#include "scene.h"

TestSuite(receive_end, .timeout = 60);

/* ---- ends of a wait ---------------------------------------------------- */

struct waiting {
	struct unit_record record;
	_Atomic uint64_t told, ready;
	_Atomic int result;
	uint64_t got;
	bool again; /* receive once more after that */
};

static int waiting_init(struct troupe_actor *self, void *state,
			const void *argument)
{
	(void)self;
	memcpy(state, argument, sizeof(void *));
	return 0;
}

static int waiting_run(struct troupe_actor *self, void *state)
{
	struct waiting *waiting = *(struct waiting **)state;
	const struct troupe_message *message;
	int result;

	atomic_store(&waiting->ready, 1);
	while ((result = troupe_receive(self, TROUPE_FOREVER, &message)) == 0) {
		if (message->tag == TROUPE_TAG_EXIT) {
			if (atomic_fetch_add(&waiting->told, 1) == 0 &&
			    waiting->again)
				continue;
			return 33;
		}
		waiting->got++;
		if (message->tag == UNIT_HOLD)
			unit_gate_pass(*(struct unit_gate *const *)
					       troupe_payload(message));
	}
	atomic_store(&waiting->result, result);
	/* It stays so. */
	cr_expect_eq(troupe_receive(self, TROUPE_FOREVER, &message), result);
	return result;
}

static void waiting_exit(struct troupe_actor *self, void *state, int reason)
{
	struct waiting *waiting = *(struct waiting **)state;

	(void)self;
	atomic_store(&waiting->record.reason, reason);
	atomic_fetch_add(&waiting->record.exits, 1);
}

static struct troupe_actor_class waiting_class_of(uint32_t flags)
{
	return (struct troupe_actor_class){
		.name = "waiting",
		.flags = flags,
		.state_size = sizeof(struct waiting *),
		.init = waiting_init,
		.run = waiting_run,
		.on_exit = waiting_exit,
	};
}

static struct troupe_strong
waiting_spawn(struct troupe_system *system,
	      const struct troupe_actor_class *actor_class,
	      struct waiting *waiting)
{
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, actor_class, &waiting, &actor), 0);
	unit_await(&waiting->ready, 1);
	troupe_sleep(MILLISECOND);
	return actor;
}

Test(receive_end, a_lonely_wait_ends)
{
	struct troupe_actor_class actor_class = waiting_class_of(0);
	struct troupe_system *system = unit_start(NULL, 1);
	struct waiting waiting = {0};
	struct troupe_strong actor =
		waiting_spawn(system, &actor_class, &waiting);

	cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(waiting.got, 1);
	cr_expect_eq(waiting.result, -ECANCELED);
	cr_expect_eq(waiting.record.reason, TROUPE_EXIT_NORMAL);
}

Test(receive_end, an_exit_signal_ends_a_wait)
{
	struct troupe_actor_class actor_class = waiting_class_of(0);
	struct troupe_system *system = unit_start(NULL, 1);
	struct waiting waiting = {0};
	struct troupe_strong actor =
		waiting_spawn(system, &actor_class, &waiting);

	cr_assert_eq(troupe_send_exit(actor, 12), 0);
	unit_await(&waiting.record.exits, 1);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(waiting.result, -ECANCELED);
	cr_expect_eq(waiting.record.reason, 12);
}

Test(receive_end, a_stop_ends_a_wait)
{
	struct troupe_actor_class actor_class = waiting_class_of(0);
	struct troupe_system *system = unit_start(NULL, 1);
	struct waiting waiting = {0};
	struct troupe_strong actor =
		waiting_spawn(system, &actor_class, &waiting);

	cr_expect_eq(troupe_system_stop(system, UINT64_MAX, 0, NULL, NULL), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(waiting.result, -ESHUTDOWN);
	cr_expect_eq(waiting.record.reason, TROUPE_EXIT_SHUTDOWN);
}

/* With 5 messages in its mailbox. Returns: how many it handled. */
static uint64_t stop_while_full(uint32_t class_flags, uint32_t stop_flags)
{
	struct troupe_actor_class actor_class = waiting_class_of(class_flags);
	struct troupe_system *system = unit_start(NULL, 1);
	struct waiting waiting = {0};
	struct unit_gate gate = {0};
	struct troupe_strong actor =
		waiting_spawn(system, &actor_class, &waiting);

	unit_hold(actor, &gate);
	for (int i = 0; i < 5; i++)
		cr_assert_eq(troupe_send(actor, 7, NULL, 0), 0);
	cr_expect_eq(
		troupe_system_stop(system, MILLISECOND, stop_flags, NULL, NULL),
		-ETIMEDOUT);
	unit_gate_open(&gate);
	cr_expect_eq(
		troupe_system_stop(system, UINT64_MAX, stop_flags, NULL, NULL),
		0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(waiting.record.exits, 1);
	return waiting.got - 1;
}

Test(receive_end, a_stop_drops_or_drains_what_waits)
{
	cr_expect_eq(stop_while_full(0, 0), 0);
	cr_expect_eq(stop_while_full(TROUPE_CLASS_DRAIN, 0), 5);
	cr_expect_eq(stop_while_full(TROUPE_CLASS_DRAIN, TROUPE_STOP_KILL), 0);
}

Test(receive_end, one_that_traps_is_told_once_and_goes_on)
{
	struct troupe_actor_class actor_class =
		waiting_class_of(TROUPE_CLASS_TRAP_EXIT);
	struct troupe_system *system = unit_start(NULL, 1);
	struct waiting waiting = {.again = true};
	struct troupe_strong actor =
		waiting_spawn(system, &actor_class, &waiting);

	cr_expect_eq(
		troupe_system_stop(system, 30 * MILLISECOND, 0, NULL, NULL),
		-ETIMEDOUT);
	cr_expect_eq(waiting.told, 1);
	cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
	cr_expect_eq(troupe_system_stop(system, UINT64_MAX, TROUPE_STOP_KILL,
					NULL, NULL),
		     0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(waiting.result, -ESHUTDOWN);
	cr_expect_eq(waiting.told, 1);
}

/* The news waits for a receive that wants it. */
Test(receive_end, who_asks_while_it_is_told_gets_both)
{
	struct scene scene = scene_start();
	struct unit_record record = {0};
	struct unit_gate gate = {0};
	struct troupe_strong echo = unit_recorder(scene.system, &record);

	troupe_trap_exit(scene.self, true);
	unit_hold(echo, &gate);
	cr_expect_eq(troupe_system_stop(scene.system, 0, 0, NULL, NULL), 0,
		     "inside an actor it does not wait");
	/* It is told to end, and releases the request: an error response. */
	unit_gate_open(&gate);
	cr_assert_eq(troupe_ask(scene.self, echo, 1, NULL, 0, TROUPE_FOREVER,
				&scene.message),
		     0);
	cr_expect_eq(scene.message->tag, TROUPE_TAG_ERROR);
	cr_expect_eq(receive_tag(&scene, 4, 0), -ETIMEDOUT);
	cr_assert_eq(troupe_receive(scene.self, 0, &scene.message), 0);
	cr_expect_eq(scene.message->tag, TROUPE_TAG_EXIT);
	cr_expect_eq(troupe_receive(scene.self, 0, &scene.message), -ETIMEDOUT);
	troupe_strong_release(&echo);
	scene_stop(&scene);
}

/* ---- another's end ----------------------------------------------------- */

struct lonely {
	struct troupe_strong other;
	_Atomic uint64_t done;
	int result, reason;
};

static int lonely_run(struct troupe_actor *self, void *state)
{
	struct lonely *lonely = *(struct lonely **)state;

	lonely->result = troupe_await_end(self, lonely->other, TROUPE_FOREVER,
					  &lonely->reason);
	atomic_store(&lonely->done, 1);
	return 0;
}

/* Nobody has a handle to the one that waits: the news reaches it. */
Test(receive_end, await_end_without_anybody_who_knows_the_waiter)
{
	static const struct troupe_actor_class lonely_class = {
		.name = "lonely",
		.state_size = sizeof(struct lonely *),
		.init = waiting_init,
		.run = lonely_run,
	};
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct lonely lonely = {.other = unit_recorder(system, &record)};
	struct lonely *at = &lonely;

	cr_assert_eq(troupe_spawn(system, &lonely_class, &at, NULL), 0);
	troupe_sleep(5 * MILLISECOND);
	cr_expect_eq(lonely.done, 0);
	unit_send_quit(lonely.other, 5);
	unit_await(&lonely.done, 1);
	cr_expect_eq(lonely.result, 0);
	cr_expect(lonely.reason == 5 || lonely.reason == -ESRCH);
	troupe_strong_release(&lonely.other);
	unit_stop(system);
}

Test(receive_end, await_end_in_time_or_not)
{
	struct scene scene = scene_start();
	struct unit_record record = {0};
	struct troupe_strong other = unit_recorder(scene.system, &record);
	int reason = 0;

	cr_expect_eq(troupe_await_end(scene.self, other, MILLISECOND, &reason),
		     -ETIMEDOUT);
	unit_send_quit(other, 44);
	cr_expect_eq(
		troupe_await_end(scene.self, other, TROUPE_FOREVER, &reason),
		0);
	cr_expect(reason == 44 || reason == -ESRCH);
	cr_expect_eq(
		troupe_await_end(scene.self, other, TROUPE_FOREVER, &reason),
		0);
	cr_expect_eq(reason, -ESRCH);
	cr_expect_eq(troupe_await_end(scene.self, scene.me, 0, NULL), -EINVAL);
	troupe_strong_release(&other);
	scene_stop(&scene);
}
