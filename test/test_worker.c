/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers: what is pinned runs only there, bare jobs run as often as they
 * want, threads have names and leave the program its signals, and the
 * statistics add up; each under every policy that is built in.
 */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

TestSuite(worker, .timeout = 60);

#define WORKERS 3

static void each_policy(void (*test)(const char *policy))
{
	for (size_t i = 0; troupe_policy_builtin(i) != NULL; i++)
		test(troupe_policy_builtin(i)->name);
}

/* ---- pinned ------------------------------------------------------------ */

struct pinned {
	uint32_t worker;
	_Atomic uint64_t runs;
	struct pinned *other; /* whose actor is sent something */
	struct troupe_strong actor;
};

static int pinned_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct pinned *pinned =
		*(struct pinned *const *)troupe_payload(message);

	(void)state;
	cr_expect_eq(troupe_self_worker(self), pinned->worker);
	cr_expect_eq(troupe_current_worker(), pinned->worker);
	atomic_fetch_add(&pinned->runs, 1);
	if (message->tag == 2)
		cr_assert_eq(troupe_send(pinned->other->actor, 1,
					 &pinned->other, sizeof(pinned->other)),
			     0);
	return 0;
}

static void pinned_test(const char *policy)
{
	static const struct troupe_actor_class pinned_class = {
		.name = "pinned",
		.receive = pinned_receive,
	};
	struct troupe_system *system = unit_start(policy, WORKERS);
	struct pinned pinned[WORKERS] = {0};

	for (uint32_t i = 0; i < WORKERS; i++) {
		struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;

		pinned[i].worker = options.worker = i;
		pinned[i].other = &pinned[(i + 1) % WORKERS];
		cr_assert_eq(troupe_spawn_with(system, &pinned_class, NULL,
					       &options, &pinned[i].actor),
			     0);
	}
	/* More than one quota for each, from outside and from each other. */
	for (int round = 0; round < 300; round++) {
		for (uint32_t i = 0; i < WORKERS; i++) {
			struct pinned *at = &pinned[i];

			cr_assert_eq(troupe_send(at->actor, 2, &at, sizeof(at)),
				     0);
		}
	}
	for (uint32_t i = 0; i < WORKERS; i++)
		unit_await(&pinned[i].runs, 600);
	for (uint32_t i = 0; i < WORKERS; i++)
		troupe_strong_release(&pinned[i].actor);
	unit_stop(system);
}

Test(worker, pinned_actors_run_only_there)
{
	each_policy(pinned_test);
}

static int pinned_job(void *data)
{
	struct pinned *pinned = data;

	cr_expect_eq(troupe_current_worker(), pinned->worker);
	return atomic_fetch_add(&pinned->runs, 1) % 10 == 9 ? TROUPE_JOB_DONE
							    : TROUPE_JOB_AGAIN;
}

static void pinned_job_test(const char *policy)
{
	struct troupe_system *system = unit_start(policy, WORKERS);
	struct pinned pinned[WORKERS] = {0};

	for (uint32_t i = 0; i < WORKERS; i++) {
		pinned[i].worker = i;
		cr_assert_eq(
			troupe_schedule_on(system, i, pinned_job, &pinned[i]),
			0);
	}
	cr_assert_eq(troupe_system_await(system), 0);
	for (uint32_t i = 0; i < WORKERS; i++)
		cr_expect_eq(pinned[i].runs, 10);
	unit_stop(system);
}

Test(worker, pinned_jobs_run_only_there)
{
	each_policy(pinned_job_test);
}

/* ---- bare jobs --------------------------------------------------------- */

struct jobs {
	struct troupe_system *system;
	_Atomic uint64_t runs, inside;
	uint64_t left; /* runs, of one job */
	int last;      /* what its last run returns */
};

static int again_job(void *data)
{
	struct jobs *jobs = data;

	cr_expect_eq(atomic_fetch_add(&jobs->inside, 1), 0, "on two workers");
	jobs->left--;
	atomic_fetch_sub(&jobs->inside, 1);
	atomic_fetch_add(&jobs->runs, 1);
	return jobs->left > 0 ? TROUPE_JOB_AGAIN : jobs->last;
}

static void again_test(const char *policy)
{
	struct jobs jobs[3] = {
		{.left = 1, .last = TROUPE_JOB_DONE},
		{.left = 100, .last = TROUPE_JOB_DONE},
		{.left = 50, .last = -1}, /* no other value is a run more */
	};
	struct troupe_system *system = unit_start(policy, WORKERS);

	for (int i = 0; i < 3; i++)
		cr_assert_eq(troupe_schedule(system, again_job, &jobs[i]), 0);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(jobs[0].runs, 1);
	cr_expect_eq(jobs[1].runs, 100);
	cr_expect_eq(jobs[2].runs, 50);
	unit_stop(system);
}

Test(worker, jobs_run_until_they_are_done)
{
	each_policy(again_test);
}

static int spread_job(void *data)
{
	struct jobs *jobs = data;
	uint64_t before = atomic_fetch_add(&jobs->runs, 1);

	/* Each makes two more, up to a hundred. */
	for (int i = 0; i < 2 && before < 50; i++)
		cr_assert_eq(troupe_schedule(jobs->system, spread_job, jobs),
			     0);
	return TROUPE_JOB_DONE;
}

Test(worker, jobs_make_jobs)
{
	struct jobs jobs = {.system = unit_start(NULL, WORKERS)};

	cr_assert_eq(troupe_schedule(jobs.system, spread_job, &jobs), 0);
	cr_assert_eq(troupe_system_await(jobs.system), 0);
	cr_expect_eq(jobs.runs, 101);
	unit_stop(jobs.system);
}

Test(worker, invalid_jobs_are_refused)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct jobs jobs = {.left = 1};

	cr_expect_eq(troupe_schedule(NULL, again_job, &jobs), -EINVAL);
	cr_expect_eq(troupe_schedule(system, NULL, &jobs), -EINVAL);
	cr_expect_eq(troupe_schedule_on(NULL, 0, again_job, &jobs), -EINVAL);
	cr_expect_eq(troupe_schedule_on(system, 2, again_job, &jobs), -EINVAL);
	cr_expect_eq(
		troupe_schedule_on(system, TROUPE_ANY_WORKER, again_job, &jobs),
		-EINVAL);
	unit_stop(system);
	cr_expect_eq(jobs.runs, 0);
}

/* ---- threads ----------------------------------------------------------- */

struct thread {
	char name[16];
	sigset_t blocked;
};

static int thread_job(void *data)
{
	struct thread *thread = data;

	pthread_getname_np(pthread_self(), thread->name, sizeof(thread->name));
	pthread_sigmask(SIG_BLOCK, NULL, &thread->blocked);
	return TROUPE_JOB_DONE;
}

static struct thread thread_look(const char *name, uint32_t worker)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct thread thread = {0};
	struct troupe_system *system;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.thread_name = name;
	config.max_threads = 2;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	cr_assert_eq(troupe_schedule_on(system, worker, thread_job, &thread),
		     0);
	unit_stop(system);
	return thread;
}

Test(worker, threads_have_names)
{
	cr_expect_str_eq(thread_look(NULL, 0).name, "troupe-0");
	cr_expect_str_eq(thread_look("mill", 1).name, "mill-1");
	/* Cut to what the system can keep. */
	cr_expect_str_eq(thread_look("a-long-name-for-a-thread", 1).name,
			 "a-long-name-for");
}

Test(worker, the_programs_signals_are_not_theirs)
{
	static const int taken[] = {SIGHUP,  SIGINT,  SIGTERM, SIGQUIT,
				    SIGUSR1, SIGUSR2, SIGCHLD, SIGALRM,
				    SIGPIPE, SIGIO,   SIGWINCH};
	/* And what profilers send to whoever uses the processor. */
	static const int open[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,
				   SIGTRAP, SIGSYS, SIGABRT, SIGPROF};
	sigset_t before, after;
	struct thread thread;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	thread = thread_look(NULL, 0);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		cr_expect(sigismember(&thread.blocked, taken[i]), "%s",
			  strsignal(taken[i]));
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		cr_expect(!sigismember(&thread.blocked, open[i]), "%s",
			  strsignal(open[i]));
	for (int i = 1; i < SIGRTMIN; i++)
		cr_expect_eq(sigismember(&before, i), sigismember(&after, i),
			     "the mask of the creating thread stays");
}

/* ---- statistics -------------------------------------------------------- */

static void stats_test(const char *policy)
{
	struct troupe_system *system = unit_start(policy, WORKERS);
	struct unit_record records[10] = {0};
	struct jobs jobs = {.left = 5};
	struct troupe_stats stats;

	for (int i = 0; i < 10; i++) {
		struct troupe_strong actor = unit_recorder(system, &records[i]);

		for (uint64_t j = 0; j < 20; j++)
			unit_send_note(actor, j);
		if (i % 2 != 0)
			unit_send_quit(actor, 0);
		troupe_strong_release(&actor);
	}
	cr_assert_eq(troupe_schedule(system, again_job, &jobs), 0);
	cr_assert_eq(troupe_system_await(system), 0);
	stats = unit_stats(system);
	cr_expect_eq(stats.size, sizeof(stats));
	cr_expect_eq(stats.workers, WORKERS);
	cr_expect_eq(stats.spawned, 11);
	cr_expect_eq(stats.completed, 11);
	/* Five quits; each run of a bare job counts one. */
	cr_expect_eq(stats.messages, 10 * 20 + 5 + 5);
	cr_expect_eq(stats.dead_letters, 0);
	/* Whatever was made READY ran once for it. */
	cr_expect_eq(stats.resumes,
		     stats.enqueued_central + stats.enqueued_external +
			     stats.enqueued_internal + stats.enqueued_later,
		     "%s", policy);
	cr_expect_geq(stats.enqueued_central, 11);
	cr_expect_geq(stats.enqueued_later, 4);
	cr_expect_eq(stats.faults, 0);
	unit_stop(system);
}

Test(worker, statistics_add_up)
{
	each_policy(stats_test);
}

Test(worker, statistics_fill_what_the_caller_has)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_stats stats;

	memset(&stats, 0x5a, sizeof(stats));
	stats.size = offsetof(struct troupe_stats, spawned);
	troupe_system_stats(system, &stats);
	cr_expect_eq(stats.size, offsetof(struct troupe_stats, spawned));
	cr_expect_eq(stats.workers, 2);
	cr_expect_eq(stats.spawned, UINT64_C(0x5a5a5a5a5a5a5a5a));
	unit_stop(system);
}
