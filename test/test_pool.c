/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pool of threads for detached actors: its cap, what is beyond it, reuse
 * and keep-alive.
 */
#include "threads.h"

TestSuite(pool, .timeout = 60);

/* ---- the cap ----------------------------------------------------------- */

static const char *const cap_of_2[] = {"detached.max-threads=2", NULL};

Test(pool, beyond_the_cap_a_spawn_fails)
{
	struct troupe_system *system = threads_start(1, cap_of_2);
	struct unit_record records[4] = {0};
	struct troupe_strong actors[4] = {{NULL}, {NULL}, {NULL}, {NULL}};

	cr_assert_eq(threads_recorder(system, &records[0], &actors[0]), 0);
	cr_assert_eq(threads_recorder(system, &records[1], &actors[1]), 0);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(threads_recorder(system, &records[2], &actors[2]),
			     -EAGAIN);
	cr_expect(troupe_strong_is_null(actors[2]));
	/* When one goes there is room again. */
	troupe_strong_release(&actors[0]);
	unit_await(&records[0].destroys, 1);
	while (threads_recorder(system, &records[3], &actors[3]) == -EAGAIN)
		troupe_sleep(100000);
	for (int i = 0; i < 4; i++)
		troupe_strong_release(&actors[i]);
	unit_stop(system);
	cr_expect_eq(records[2].exits, 0);
	cr_expect_eq(records[3].destroys, 1);
}

struct cap_late {
	struct troupe_system *system;
	struct unit_record record;
	_Atomic uint64_t started, spawned;
	int result;
};

static void *cap_spawn_late(void *data)
{
	struct cap_late *late = data;

	atomic_store(&late->started, 1);
	late->result = threads_recorder(late->system, &late->record, NULL);
	atomic_store(&late->spawned, 1);
	return NULL;
}

/* @stop: the system stops while the spawn waits. */
static void cap_wait(bool stop)
{
	static const char *const settings[] = {"detached.max-threads=1",
					       "detached.overflow=wait", NULL};
	struct cap_late late = {.system = threads_start(1, settings)};
	struct unit_record record = {0};
	struct troupe_strong actor;
	pthread_t thread;

	cr_assert_eq(threads_recorder(late.system, &record, &actor), 0);
	cr_assert_eq(pthread_create(&thread, NULL, cap_spawn_late, &late), 0);
	unit_await(&late.started, 1);
	troupe_sleep(5000000);
	cr_expect_eq(late.spawned, 0, "it waits");
	if (stop)
		cr_expect_eq(troupe_system_stop(late.system, UINT64_MAX, 0,
						NULL, NULL),
			     0);
	troupe_strong_release(&actor);
	pthread_join(thread, NULL);
	unit_stop(late.system);
	cr_expect_eq(late.result, stop ? -ESHUTDOWN : 0);
	cr_expect_eq(late.record.destroys, stop ? 0 : 1);
}

Test(pool, beyond_the_cap_a_spawn_waits_if_so_set)
{
	cap_wait(false);
}

Test(pool, a_spawn_that_waits_hears_of_the_stop)
{
	cap_wait(true);
}

static int cap_receive(struct troupe_actor *self, void *state,
		       const struct troupe_message *message)
{
	struct unit_record *record =
		*(struct unit_record *const *)troupe_payload(message);

	(void)state;
	atomic_store(&record->reason,
		     threads_recorder(troupe_self_system(self), record, NULL));
	atomic_fetch_add(&record->handled, 1);
	return 0;
}

/* It would wait for itself, or for those behind it. */
Test(pool, an_actor_never_waits_for_a_thread)
{
	static const char *const settings[] = {"detached.max-threads=1",
					       "detached.overflow=wait", NULL};
	static const struct troupe_actor_class spawner_class = {
		.name = "spawner",
		.receive = cap_receive,
	};
	struct troupe_system *system = threads_start(1, settings);
	struct unit_record records[2] = {0};
	struct troupe_strong actors[2];

	cr_assert_eq(troupe_spawn_with(system, &spawner_class, NULL,
				       &threads_detached, &actors[0]),
		     0);
	cr_assert_eq(troupe_spawn(system, &spawner_class, NULL, &actors[1]), 0);
	for (int i = 0; i < 2; i++) {
		struct unit_record *record = &records[i];

		cr_assert_eq(troupe_send(actors[i], 1, &record, sizeof(record)),
			     0);
		unit_await(&record->handled, 1);
		cr_expect_eq(record->reason, -EAGAIN);
	}
	for (int i = 0; i < 2; i++)
		troupe_strong_release(&actors[i]);
	unit_stop(system);
}

Test(pool, without_threads_there_are_none)
{
	static const char *const settings[] = {"detached.max-threads=0",
					       "detached.overflow=wait", NULL};
	struct troupe_system *system = threads_start(1, settings);
	struct unit_record record = {0};

	cr_expect_eq(threads_recorder(system, &record, NULL), -EAGAIN);
	unit_stop(system);
}

/* ---- reuse ------------------------------------------------------------- */

struct reuse {
	_Atomic uint64_t done;
	pid_t thread;
};

static int reuse_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(*(struct reuse **)state)->thread = gettid();
	return 0;
}

static int reuse_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	(void)self;
	memcpy(state, argument, sizeof(void *));
	return 0;
}

static void reuse_destroy(void *state)
{
	atomic_store(&(*(struct reuse **)state)->done, 1);
}

static const struct troupe_actor_class reuse_class = {
	.name = "reuse",
	.state_size = sizeof(struct reuse *),
	.init = reuse_init,
	.run = reuse_run,
	.destroy = reuse_destroy,
};

static pid_t reuse_once(struct troupe_system *system)
{
	struct reuse reuse = {0};
	struct reuse *at = &reuse;

	cr_assert_eq(troupe_spawn(system, &reuse_class, &at, NULL), 0);
	unit_await(&reuse.done, 1);
	/* So long that it is back in the pool. */
	troupe_sleep(5000000);
	return reuse.thread;
}

Test(pool, threads_are_used_again)
{
	static const char *const settings[] = {"detached.max-threads=1", NULL};
	struct troupe_system *system = threads_start(1, settings);
	pid_t first = reuse_once(system);

	for (int i = 0; i < 5; i++) {
		struct reuse reuse = {0};
		struct reuse *at = &reuse;

		while (troupe_spawn(system, &reuse_class, &at, NULL) != 0)
			troupe_sleep(100000);
		unit_await(&reuse.done, 1);
		cr_expect_eq(reuse.thread, first);
	}
	cr_expect_eq(unit_stats(system).pool_threads, 1);
	unit_stop(system);
}

Test(pool, the_newest_idle_thread_first)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record records[2] = {0};
	struct troupe_strong actors[2];
	pid_t last, next;

	for (int i = 0; i < 2; i++)
		cr_assert_eq(threads_recorder(system, &records[i], &actors[i]),
			     0);
	last = reuse_once(system);
	for (int i = 0; i < 2; i++)
		troupe_strong_release(&actors[i]);
	cr_assert_eq(troupe_system_await(system), 0);
	troupe_sleep(5000000);
	cr_expect_eq(unit_stats(system).pool_threads, 3);
	/* Two came back after it; then whoever runs stays the newest. */
	next = reuse_once(system);
	cr_expect_neq(next, last);
	cr_expect_eq(reuse_once(system), next);
	unit_stop(system);
}

Test(pool, idle_threads_end_in_time)
{
	static const char *const settings[] = {"detached.keep-alive=1ms", NULL};
	struct troupe_system *system = threads_start(1, settings);

	for (int i = 0; i < 3; i++) {
		(void)reuse_once(system);
		threads_await(system, 0);
	}
	unit_stop(system);
}

Test(pool, no_keep_alive_at_all)
{
	static const char *const settings[] = {"detached.keep-alive=0s", NULL};
	struct troupe_system *system = threads_start(1, settings);

	(void)reuse_once(system);
	threads_await(system, 0);
	(void)reuse_once(system);
	unit_stop(system);
}

/* A deep stack is used. */
static int deep_run(struct troupe_actor *self, void *state)
{
	volatile char deep[1 << 20];

	(void)self;
	(void)state;
	for (size_t i = 0; i < sizeof(deep); i += 4096)
		deep[i] = 1;
	return 0;
}

Test(pool, stacks_are_as_large_as_set)
{
	static const char *const settings[] = {"detached.stack-size=16777216",
					       "scheduler.stack-size=262144",
					       NULL};
	static const struct troupe_actor_class deep_class = {
		.name = "deep",
		.run = deep_run,
	};
	struct troupe_system *system = threads_start(1, settings);

	cr_assert_eq(troupe_spawn(system, &deep_class, NULL, NULL), 0);
	unit_stop(system);
}
