/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Systems come and go: with defaults, several at once, ten thousand in a row,
 * with a policy of one's own, and not at all when its start fails half way.
 * What their workers do is test_worker.c's.
 */
#include "tasks.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>

TestSuite(system, .timeout = 100);

static int thread_count(void)
{
	int count = tasks_each(NULL, NULL);

	cr_assert_gt(count, 0);
	return count;
}

static void await_threads(int count)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	while (thread_count() != count) {
		cr_assert(troupe_now() < end, "%d threads where %d should be",
			  thread_count(), count);
		troupe_sleep(100000);
	}
}

/* Sends a note to a new actor and waits for it. */
static void use(struct troupe_system *system)
{
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	unit_send_note(actor, 1);
	troupe_strong_release(&actor);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(record.noted, 1);
	cr_expect_eq(record.destroys, 1);
}

Test(system, has_defaults)
{
	struct troupe_system *system = NULL;

	unsetenv("TROUPE_SCHEDULER_POLICY");
	unsetenv("TROUPE_SCHEDULER_MAX_THREADS");
	cr_assert_eq(troupe_system_create(NULL, NULL, &system), 0);
	cr_expect_eq(troupe_system_worker_count(system), troupe__usable_cpus());
	cr_expect_str_eq(troupe_system_policy(system), "work-stealing");
	cr_expect_eq(troupe_current_worker(), TROUPE_ANY_WORKER);
	use(system);
	use(system);
	unit_stop(system);
	cr_expect_eq(troupe_system_destroy(NULL), 0);
}

Test(system, has_the_threads_that_it_is_told_and_no_others)
{
	int before = thread_count();

	for (uint32_t workers = 1; workers <= 16; workers *= 4) {
		struct troupe_system *system = unit_start(NULL, workers);

		cr_expect_eq(troupe_system_worker_count(system), workers);
		cr_expect_eq(thread_count(), before + (int)workers);
		use(system);
		unit_stop(system);
		await_threads(before);
	}
}

/* ---- several ----------------------------------------------------------- */

Test(system, two_under_different_policies_talk_to_each_other)
{
	struct troupe_system *first = unit_start("fifo", 2);
	struct troupe_system *second = unit_start("work-sharing", 1);
	struct unit_record records[2] = {0};
	struct troupe_strong actors[2] = {
		unit_recorder(first, &records[0]),
		unit_recorder(second, &records[1]),
	};

	cr_expect_str_eq(troupe_system_policy(first), "fifo");
	cr_expect_str_eq(troupe_system_policy(second), "work-sharing");
	unit_send_note(actors[0], 1);
	unit_send_note(actors[1], 2);
	troupe_strong_release(&actors[1]);
	cr_assert_eq(troupe_system_destroy(second), 0);
	cr_expect_eq(records[1].notes[0], 2);
	unit_send_note(actors[0], 3);
	troupe_strong_release(&actors[0]);
	unit_stop(first);
	cr_expect_eq(records[0].notes[1], 3);
}

/* Passes a number to the next, less one, until it is 1. */
struct across {
	struct troupe_strong next;
	_Atomic uint64_t *ended;
};

static int across_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct across *across = state;
	uint64_t left;

	if (message->tag == 1) {
		*across = *(const struct across *)troupe_payload(message);
		return 0;
	}
	left = *(const uint64_t *)troupe_payload(message);
	if (left > 1) {
		uint64_t next = left - 1;

		cr_assert_eq(troupe_send(across->next, 2, &next, sizeof(next)),
			     0);
	}
	if (left <= 2) {
		troupe_strong_release(&across->next);
		troupe_quit(self, 0);
		atomic_fetch_add(across->ended, 1);
	}
	return 0;
}

Test(system, messages_cross_between_two)
{
	static const struct troupe_actor_class across_class = {
		.name = "across",
		.state_size = sizeof(struct across),
		.receive = across_receive,
	};
	struct troupe_system *systems[2] = {
		unit_start("work-stealing", 2),
		unit_start("work-sharing", 2),
	};
	struct troupe_strong actors[2];
	_Atomic uint64_t ended = 0;
	uint64_t left = 2000;

	for (int i = 0; i < 2; i++)
		cr_assert_eq(troupe_spawn(systems[i], &across_class, NULL,
					  &actors[i]),
			     0);
	for (int i = 0; i < 2; i++) {
		struct across across = {
			.next = troupe_strong_clone(actors[1 - i]),
			.ended = &ended,
		};

		cr_assert_eq(troupe_send(actors[i], 1, &across, sizeof(across)),
			     0);
	}
	cr_assert_eq(troupe_send(actors[0], 2, &left, sizeof(left)), 0);
	unit_await(&ended, 2);
	for (int i = 0; i < 2; i++)
		troupe_strong_release(&actors[i]);
	cr_assert_eq(troupe_system_destroy(systems[0]), 0);
	unit_stop(systems[1]);
}

static int nested_job(void *data)
{
	struct troupe_system *inner = unit_start("fifo", 1);

	use(inner);
	cr_expect_eq(troupe_system_destroy(inner), 0);
	cr_expect_neq(troupe_current_worker(), TROUPE_ANY_WORKER);
	atomic_fetch_add((_Atomic uint64_t *)data, 1);
	return TROUPE_JOB_DONE;
}

Test(system, a_worker_may_make_and_end_another)
{
	struct troupe_system *system = unit_start(NULL, 2);
	_Atomic uint64_t count = 0;

	cr_assert_eq(troupe_schedule(system, nested_job, &count), 0);
	unit_stop(system);
	cr_expect_eq(count, 1);
}

/* ---- ten thousand ------------------------------------------------------ */

#ifdef __SANITIZE_ADDRESS__
#define MANY_SYSTEMS 2000u
#else
#define MANY_SYSTEMS 10000u
#endif

Test(system, ten_thousand_leave_nothing_behind)
{
	int before = thread_count();

	for (uint32_t i = 0; i < MANY_SYSTEMS; i++) {
		size_t policies = 0;

		while (troupe_policy_builtin(policies) != NULL)
			policies++;
		unit_stop(unit_start(troupe_policy_builtin(i % policies)->name,
				     1 + i % 2));
	}
	await_threads(before);
}

/* ---- waiting where one must not ---------------------------------------- */

static int deadlock_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	struct troupe_system *system = troupe_self_system(self);

	(void)state;
	cr_expect_eq(troupe_system_await(system), -EDEADLK);
	cr_expect_eq(troupe_system_destroy(system), -EDEADLK);
	atomic_fetch_add((_Atomic uint64_t *)(uintptr_t)argument, 1);
	return 0;
}

static int deadlock_job(void *data)
{
	struct troupe_system *system = data;

	cr_expect_eq(troupe_system_await(system), -EDEADLK);
	cr_expect_eq(troupe_system_destroy(system), -EDEADLK);
	return TROUPE_JOB_DONE;
}

Test(system, waiting_for_itself_is_refused_and_changes_nothing)
{
	struct troupe_actor_class deadlock_class = unit_recorder_class;
	struct troupe_system *system = unit_start(NULL, 1);
	_Atomic uint64_t count = 0;

	deadlock_class.init = deadlock_init;
	deadlock_class.on_exit = NULL;
	deadlock_class.destroy = NULL;
	cr_assert_eq(troupe_spawn(system, &deadlock_class, &count, NULL), 0);
	cr_expect_eq(count, 1);
	cr_assert_eq(troupe_schedule(system, deadlock_job, system), 0);
	cr_assert_eq(troupe_system_await(system), 0);
	use(system);
	unit_stop(system);
}

/* ---- a policy by pointer ----------------------------------------------- */

static const struct troupe_policy_ops *fifo(void)
{
	for (size_t i = 0; troupe_policy_builtin(i) != NULL; i++)
		if (strcmp(troupe_policy_builtin(i)->name, "fifo") == 0)
			return troupe_policy_builtin(i);
	cr_assert_fail("there is no fifo");
	return NULL;
}

static struct {
	uint64_t inits, finis, worker_inits, worker_finis;
	int fail_init;
	uint64_t fail_worker; /* its number, from 1 */
	_Atomic uint64_t completions;
} mine;

static int mine_init(struct troupe_coordinator *self)
{
	int result = fifo()->init(self);

	mine.inits++;
	if (result == 0 && mine.fail_init != 0) {
		fifo()->fini(self);
		result = mine.fail_init;
	}
	return result;
}

static void mine_fini(struct troupe_coordinator *self)
{
	cr_expect_eq(mine.worker_finis, mine.worker_inits);
	mine.finis++;
	fifo()->fini(self);
}

static int mine_worker_init(struct troupe_worker *self)
{
	cr_expect_eq(self->index, mine.worker_inits);
	if (self->index + 1 == mine.fail_worker)
		return -ENOSPC;
	mine.worker_inits++;
	return 0;
}

static void mine_worker_fini(struct troupe_worker *self)
{
	mine.worker_finis++;
	cr_expect_eq(self->index, mine.worker_inits - mine.worker_finis);
}

static void mine_after_completion(struct troupe_worker *self,
				  struct troupe_job *job)
{
	(void)self;
	cr_expect_str_eq(troupe_job_name(job), "recorder");
	atomic_fetch_add(&mine.completions, 1);
}

static int mine_create(struct troupe_error *error,
		       struct troupe_system **ret_system)
{
	static struct troupe_policy_ops ops;
	struct troupe_config config = TROUPE_CONFIG_INIT;

	ops = *fifo();
	ops.name = "mine";
	ops.init = mine_init;
	ops.fini = mine_fini;
	ops.worker_init = mine_worker_init;
	ops.worker_fini = mine_worker_fini;
	ops.after_completion = mine_after_completion;
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy = &ops;
	config.max_threads = 4;
	return troupe_system_create(&config, error, ret_system);
}

Test(system, takes_a_policy_by_pointer)
{
	struct troupe_system *system;
	struct troupe_error error;

	cr_assert_eq(mine_create(&error, &system), 0, "%s", error.text);
	cr_expect_str_eq(troupe_system_policy(system), "mine");
	use(system);
	unit_stop(system);
	cr_expect_eq(mine.completions, 1);
	cr_expect_eq(mine.inits, 1);
	cr_expect_eq(mine.worker_inits, 4);
	cr_expect_eq(mine.worker_finis, 4);
	cr_expect_eq(mine.finis, 1);
}

static void expect_no_start(int result, uint64_t worker_inits, uint64_t finis,
			    const char *slot)
{
	struct troupe_system *system = NULL;
	struct troupe_error error = {0};
	int before = thread_count();

	cr_expect_eq(mine_create(&error, &system), result);
	cr_expect_null(system);
	cr_expect_eq(error.code, result);
	cr_expect_not_null(strstr(error.text, "mine"), "%s", error.text);
	cr_expect_not_null(strstr(error.text, slot), "%s", error.text);
	cr_expect_eq(mine.inits, 1);
	cr_expect_eq(mine.worker_inits, worker_inits);
	cr_expect_eq(mine.worker_finis, worker_inits);
	cr_expect_eq(mine.finis, finis);
	cr_expect_eq(thread_count(), before);
	cr_expect_eq(troupe__live_allocations(), 0);
}

Test(system, whose_policy_fails_to_init_does_not_start)
{
	mine.fail_init = -EBUSY;
	expect_no_start(-EBUSY, 0, 0, "init");
}

Test(system, whose_policy_answers_nonsense_does_not_start)
{
	mine.fail_init = 7;
	expect_no_start(-EPROTO, 0, 0, "init");
}

Test(system, whose_policy_fails_at_a_worker_undoes_the_others)
{
	mine.fail_worker = 3;
	expect_no_start(-ENOSPC, 2, 1, "worker_init");
}

Test(system, whose_policy_fails_at_the_first_worker_undoes_init)
{
	mine.fail_worker = 1;
	expect_no_start(-ENOSPC, 0, 1, "worker_init");
}
