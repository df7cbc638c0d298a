/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_workstealing.h - the policy "work-stealing": each worker its own jobs
 *
 * Overview. A job that becomes READY goes to the worker where that happened,
 * and runs there, newest first, while its data is warm. Workers with nothing
 * to do steal from another one, the oldest jobs, half of what it has. Jobs from
 * outside go round robin.
 *
 * Order. The job that was made READY last runs next (run-next), which makes a
 * request and its answer a hand-over on one core; then the newest of the
 * others; then, first in, first out, jobs from outside and jobs that have used
 * up their quota. So that nobody waits for ever, at least every 64th dequeue
 * (oldest-interval) takes the job that has waited longest, and so does the one
 * after 16 hand-overs in a row (run-next-limit). A job put back stays behind
 * all that were READY then. wait_bound is oldest-interval, by default 64.
 *
 * Idling. A worker without jobs looks around for some microseconds, then
 * sleeps, without end, until an enqueue wakes it; an enqueue wakes one sleeper,
 * and only if no other worker is looking around already. While some work and
 * others sleep, one of these is the watcher: it wakes up now and then, at most
 * every watch-sleep (2 ms), to rescue a job whose worker is stuck in a long
 * run. Hence wake_latency: a job from outside, or a second one that a running
 * job made READY, wakes a sleeper at once; one that is to run next waits for
 * the end of the run, or for the watcher. idle = poll sleeps for fixed times
 * instead, in three stages, as other schedulers do, for comparison.
 *
 * Typical use. It is the default. In a file:
 *
 *	[scheduler]
 *	policy = work-stealing
 *	[work-stealing]
 *	run-next = false
 *
 * policy-workstealing/README.md has a table of all options.
 *
 * When to choose it. Nearly always; above all for small jobs, many workers and
 * actors that talk to each other. See troupe_worksharing.h for the other case.
 *
 * Threads, errors. As troupe_policy.h says.
 */
#ifndef TROUPE_WORKSTEALING_H
#define TROUPE_WORKSTEALING_H

#include "troupe_policy.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

extern const struct troupe_policy_ops troupe_workstealing;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
