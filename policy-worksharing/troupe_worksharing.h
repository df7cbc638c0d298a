/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_worksharing.h - the policy "work-sharing": all workers, one queue
 *
 * Overview. Every READY job goes to the back of one queue and the workers take
 * from its front, under one mutex. Jobs bound to a worker wait in a list of
 * that worker, but take their turn among the others: each job has a number.
 *
 * A worker that finds nothing puts itself on a list of sleepers and waits on a
 * condition variable of its own; so an enqueue wakes exactly one worker, the
 * right one for a bound job and else the one that fell asleep last, whose
 * cache is warmest. When nobody sleeps, an enqueue signals nobody. Idle workers
 * use no processor time at all.
 *
 * Typical use. config.policy_name = "work-sharing", scheduler.policy =
 * work-sharing in a file, or config.policy = &troupe_worksharing. It has no
 * options.
 *
 * When to choose it. A strict order (first come, first served over all
 * workers), jobs of a few microseconds or more, few workers. With many workers
 * and tiny jobs they meet at the mutex: see troupe_workstealing.h.
 *
 * Threads, errors. As troupe_policy.h says.
 */
#ifndef TROUPE_WORKSHARING_H
#define TROUPE_WORKSHARING_H

#include "troupe_policy.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

extern const struct troupe_policy_ops troupe_worksharing;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
