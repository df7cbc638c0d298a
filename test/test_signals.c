/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that stop a system, and those that a profiler sends.
 */
#include "threads.h"

#include "troupe_process.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

TestSuite(signals, .timeout = 60);

struct stopped {
	_Atomic uint64_t calls, survivors;
	_Atomic int signal, result;
};

static void stopped_signal(int number, int result, void *context)
{
	struct stopped *stopped = context;

	atomic_store(&stopped->signal, number);
	atomic_store(&stopped->result, result);
	atomic_fetch_add(&stopped->calls, 1);
}

static bool stopped_survivor(const struct troupe_actor_info *info,
			     void *context)
{
	struct stopped *stopped = context;

	cr_expect_str_eq(info->name, "recorder");
	atomic_fetch_add(&stopped->survivors, 1);
	return true;
}

static void signal_once(int number)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct stopped stopped = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct sigaction before, after;

	sigaction(number, NULL, &before);
	cr_assert_eq(troupe_signal_stop(system, UINT64_MAX, stopped_survivor,
					stopped_signal, &stopped),
		     0);
	raise(number);
	unit_await(&stopped.calls, 1);
	cr_expect_eq(stopped.signal, number);
	cr_expect_eq(stopped.result, 0);
	cr_expect_eq(record.reason, TROUPE_EXIT_SHUTDOWN);
	troupe_strong_release(&actor);
	unit_stop(system);
	sigaction(number, NULL, &after);
	cr_expect_eq(before.sa_handler, after.sa_handler, "given back");
	cr_expect_eq(stopped.survivors, 0);
}

Test(signals, a_signal_stops_the_system)
{
	signal_once(SIGINT);
	signal_once(SIGTERM);
	signal_once(SIGINT);
}

Test(signals, a_signal_tells_who_is_left)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct stopped stopped = {0};
	struct unit_gate gate = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	unit_hold(actor, &gate);
	cr_assert_eq(troupe_signal_stop(system, 5000000, stopped_survivor,
					stopped_signal, &stopped),
		     0);
	kill(getpid(), SIGTERM);
	unit_await(&stopped.calls, 1);
	cr_expect_eq(stopped.result, -ETIMEDOUT);
	cr_expect_eq(stopped.survivors, 1);
	unit_gate_open(&gate);
	troupe_strong_release(&actor);
	unit_stop(system);
}

Test(signals, one_system_has_the_signals)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_system *other = unit_start(NULL, 1);
	struct troupe_actor *self;

	cr_expect_eq(troupe_signal_stop(NULL, 0, NULL, NULL, NULL), -EINVAL);
	self = threads_scope(system);
	cr_expect_eq(troupe_signal_stop(system, 0, NULL, NULL, NULL), -EDEADLK);
	troupe_scoped_destroy(self);
	cr_assert_eq(troupe_signal_stop(system, 0, NULL, NULL, NULL), 0);
	cr_expect_eq(troupe_signal_stop(system, 0, NULL, NULL, NULL), -EBUSY);
	cr_expect_eq(troupe_signal_stop(other, 0, NULL, NULL, NULL), -EBUSY);
	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_expect_eq(troupe_signal_stop(other, 0, NULL, NULL, NULL), 0);
	unit_stop(other);
}

/* ---- profilers --------------------------------------------------------- */

static atomic_uint_fast64_t profiled, profiled_here;
static _Thread_local bool profile_mine;

static void profile_handler(int number)
{
	(void)number;
	atomic_fetch_add(profile_mine ? &profiled_here : &profiled, 1);
}

static int profile_section(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	int result = troupe_blocking_begin();

	(void)state;
	troupe_blocking_end();
	return result != 0 ? result : troupe_reply(self, message, 1, NULL, 0);
}

/* They interrupt what runs, as a profiler's timer does, and what waits: every
 * thread of the library has the signal open, main has not. */
static void profile_policy(const char *policy)
{
	static const struct troupe_actor_class section_class = {
		.name = "section",
		.receive = profile_section,
	};
	struct troupe_system *system = unit_start(policy, 2);
	const struct troupe_message *message;
	struct troupe_strong actors[3];
	struct troupe_actor *self;
	uint64_t before = atomic_load(&profiled);
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	cr_assert_eq(
		troupe_spawn(system, &threads_echo_class, NULL, &actors[0]), 0);
	cr_assert_eq(troupe_spawn_with(system, &threads_echo_class, NULL,
				       &threads_detached, &actors[1]),
		     0);
	cr_assert_eq(troupe_spawn(system, &section_class, NULL, &actors[2]), 0);
	self = threads_scope(system);
	for (uint64_t i = 0; i < 300 || atomic_load(&profiled) < before + 50;
	     i++) {
		cr_assert_lt(troupe_now(), end, "the signal does not come");
		kill(getpid(), SIGPROF);
		cr_assert_eq(troupe_ask(self, actors[i % 3], 1, NULL, 0,
					UNIT_PATIENCE, &message),
			     0);
		cr_assert_eq(message->tag, 1);
		kill(getpid(), SIGPROF);
	}
	troupe_scoped_destroy(self);
	for (int i = 0; i < 3; i++)
		troupe_strong_release(&actors[i]);
	unit_stop(system);
}

Test(signals, a_profilers_interrupt_workers_and_do_no_harm)
{
	struct sigaction action = {.sa_handler = profile_handler};
	const struct itimerval every = {{0, 1000}, {0, 1000}};
	const struct itimerval never = {{0, 0}, {0, 0}};
	sigset_t own, before;

	profile_mine = true;
	sigemptyset(&action.sa_mask);
	cr_assert_eq(sigaction(SIGPROF, &action, NULL), 0);
	sigemptyset(&own);
	sigaddset(&own, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &own, &before);
	cr_assert_eq(setitimer(ITIMER_PROF, &every, NULL), 0);
	for (size_t i = 0; troupe_policy_builtin(i) != NULL; i++)
		profile_policy(troupe_policy_builtin(i)->name);
	cr_assert_eq(setitimer(ITIMER_PROF, &never, NULL), 0);
	cr_expect_eq(profiled_here, 0);
}
