/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_profiled.h - what jobs cost: the policy "profiled:NAME"
 *
 * Overview. scheduler.policy = profiled:work-stealing (or another policy, or a
 * plug-in, as in profiled:./my_policy.so) schedules as that policy does and
 * records what its jobs do: how often they run, how many messages they handle,
 * the processor time, the time by the wall clock, and the time that they wait
 * READY. It needs nothing of the wrapped policy and nothing of the core but
 * the hooks before_resume, after_resume and after_completion.
 *
 * Typical use.
 *	1. run the program with TROUPE_SCHEDULER_POLICY=profiled:work-stealing;
 *	2. before troupe_system_destroy(), after troupe_system_await() if all
 *	   is to be in it: troupe_profiled_print(system, stderr).
 *
 * Two views. By name: one record for each actor class ("job" for bare jobs),
 * living and ended ones together. By job: one record for each living one. A
 * job is known from its first run on.
 *
 * Cost. Two or three clock reads a run, and with cpu-time = true (the default)
 * two system calls. Set [profiled] cpu-time = false where runs are short.
 * Each worker keeps 128 names; what comes after is summed up as "(others)".
 *
 * Threads. Reading: any thread, while the system works; workers do not wait
 * for a reader. Numbers of one record may be one run apart from each other.
 * troupe_system_destroy() must not have been called.
 */
#ifndef TROUPE_PROFILED_H
#define TROUPE_PROFILED_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_system;

/** Times are nanoseconds, summed over the runs. */
struct troupe_profiled_record {
	char name[48];	/* of the actor class, cut if longer */
	uint64_t id;	/* of the job; 0 in a record by name */
	uint64_t jobs;	/* how many it sums up */
	uint64_t ended; /* of those, ended */
	uint64_t runs;
	uint64_t messages;
	uint64_t cpu_time; /* 0 with cpu-time = false */
	uint64_t wall_time;
	uint64_t waiting_time; /* from READY to the run */
	uint64_t life_time;    /* of those that ended, from the first READY;
				 * of a living job, so far */
};

enum troupe_profiled_view {
	TROUPE_PROFILED_NAMES,
	TROUPE_PROFILED_JOBS,
};

/** Sees one record, which is valid during the call. May call anything. */
typedef void (*troupe_profiled_fn)(const struct troupe_profiled_record *record,
				   void *context);

/**
 * troupe_profiled_read - hand each record to @each
 *
 * Context: any thread; allocates nothing.
 * Returns: how many there were; -ENOENT if the policy is not profiled;
 *          -EINVAL for an unknown @view.
 */
int troupe_profiled_read(const struct troupe_system *system,
			 enum troupe_profiled_view view,
			 troupe_profiled_fn each, void *context);

/**
 * troupe_profiled_print - write the view by name as a table
 *
 * The most expensive name first.
 *
 * Returns: 0; -ENOENT if the policy is not profiled; -EIO if @out cannot be
 *          written.
 */
int troupe_profiled_print(const struct troupe_system *system, FILE *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
