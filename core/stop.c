/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stopping a system in time: every actor is told, by a flag that it sees when
 * it runs next and by making it run. An actor that is spawned meanwhile may be
 * missed once, so the directory is walked again until all have ended.
 */
#include "process.h"

#include <errno.h>

#include "block.h"
#include "pool.h"

/* Between two walks through the directory: from, and up to. */
#define STOP_FIRST_WAIT	  UINT64_C(1000000)
#define STOP_LONGEST_WAIT UINT64_C(100000000)

static bool stop_actor(struct troupe_control_block *block, void *context)
{
	struct troupe_actor *actor = block_actor(block);

	(void)context;
	/* One that is in init may miss it; the next walk finds it. */
	if (mailbox_nudge(&actor->mailbox) == MAILBOX_CLAIMED)
		troupe__job_enqueue(&actor->job);
	return true;
}

void troupe__stop_begin(struct troupe_system *system, enum system_ending how)
{
	uint8_t before = atomic_load(&system->ending);

	while (before < how && !atomic_compare_exchange_weak(
				       &system->ending, &before, (uint8_t)how))
		;
	/* An actor that is just being made is put in the directory, and counted
	 * after that. If it was counted before this, it is found; else it sees
	 * in troupe__actor_settle() that the system ends. */
	troupe__running_order(system->alive);
	troupe__directory_each(&system->directory, stop_actor, NULL);
}

/* Notes for each worker how long it has been in its run, by its count of runs:
 * the workers themselves read no clock. @anew: from now on only. */
static void stop_watch(struct troupe_system *system, bool anew)
{
	uint64_t now = troupe_now();

	for (uint32_t i = 0; i < system->head.worker_count; i++) {
		struct worker *worker =
			(struct worker *)system->head.workers[i];
		/* relaxed, all: numbers for a report. */
		uint64_t runs =
			atomic_load_explicit(&worker->counters[WORKER_RESUMES],
					     memory_order_relaxed);
		uint64_t since = atomic_load_explicit(&worker->watch_since,
						      memory_order_relaxed);

		if (anew ||
		    atomic_load_explicit(&worker->running,
					 memory_order_relaxed) == NULL ||
		    atomic_load_explicit(&worker->watch_runs,
					 memory_order_relaxed) != runs)
			since = now;
		atomic_store_explicit(&worker->watch_runs, runs,
				      memory_order_relaxed);
		atomic_store_explicit(&worker->watch_since, since,
				      memory_order_relaxed);
		atomic_store_explicit(&worker->watched, now - since,
				      memory_order_relaxed);
	}
	troupe__pool_watch(system->pool, anew);
}

static int stop_wait(struct troupe_system *system, uint64_t deadline,
		     enum system_ending how)
{
	uint64_t start = troupe_now();
	uint64_t wait = STOP_FIRST_WAIT;

	stop_watch(system, true);
	troupe__stop_begin(system, how);
	for (;;) {
		uint64_t passed = troupe_now() - start;
		uint64_t left = passed < deadline ? deadline - passed : 0;

		if (deadline == UINT64_MAX)
			left = UINT64_MAX;
		if (troupe__system_await_for(system,
					     left < wait ? left : wait) == 0)
			return 0;
		stop_watch(system, false);
		/* That was the rest. No last walk: they would all be READY. */
		if (left <= wait)
			return -ETIMEDOUT;
		troupe__stop_begin(system, how);
		wait = wait < STOP_LONGEST_WAIT / 2 ? wait * 2
						    : STOP_LONGEST_WAIT;
	}
}

/* Gives up all that are not on workers. They may be about to wait for
 * something, and are told first and last not to. */
static void stop_abandon(struct troupe_system *system)
{
	uint64_t counted;

	troupe__stop_begin(system, SYSTEM_KILLS);
	counted = troupe__pool_abandon(system->pool);
	troupe__stop_begin(system, SYSTEM_KILLS);
	if (counted != 0)
		troupe__running_dec(system->alive, counted);
}

int troupe_system_stop(struct troupe_system *system, uint64_t deadline,
		       uint32_t flags, troupe_actor_fn survivor, void *context)
{
	enum system_ending how =
		(flags & TROUPE_STOP_KILL) != 0 ? SYSTEM_KILLS : SYSTEM_ENDS;
	int result;

	if (system == NULL)
		return -EINVAL;
	if (process_lost(system))
		return -EOWNERDEAD;
	/* The thread of the signals may wait: no actor waits for it. */
	if (troupe__system_is_here(system) &&
	    !troupe__signals_is_here(system)) {
		troupe__stop_begin(system, how);
		return 0;
	}
	/* Somebody may wait in destroy for what ends here. */
	troupe__system_enter(system);
	result = stop_wait(system, deadline, how);
	if (result == -ETIMEDOUT && survivor != NULL)
		troupe_system_actors(system, survivor, context);
	if (result == -ETIMEDOUT && (flags & TROUPE_STOP_ABANDON) != 0)
		stop_abandon(system);
	troupe__system_leave(system);
	return result;
}
