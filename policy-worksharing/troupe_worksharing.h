/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_worksharing.h - the policy "work-sharing": all workers, one queue
 *
 * Overview. Jobs from outside the workers and jobs put back go to the back of
 * one queue, and the workers take from its front, under one mutex. Jobs bound to
 * a worker wait in a list of that worker, but take their turn among the others:
 * each job has a number. What a running job makes READY stays with its worker,
 * newest first, for at most 31 jobs in a row; when another worker has nothing to
 * do, it gets part of it at once.
 *
 * A worker that finds nothing waits on a condition variable of its own; an
 * enqueue wakes one worker, the right one for a bound job and else the one that
 * fell asleep last, whose cache is warmest, and nobody if one is on its way
 * already. While some workers run and others sleep, one of the sleepers wakes
 * now and then to look after jobs that wait behind a long run. When all are idle,
 * they use no processor time. A worker that brings nothing, because jobs are
 * tiny and work for each other, rests for some milliseconds at a time.
 *
 * Typical use. config.policy_name = "work-sharing", scheduler.policy =
 * work-sharing in a file, or config.policy = &troupe_worksharing. Its options
 * are in its README.
 *
 * When to choose it. An order that is close to first come, first served over all
 * workers, jobs that come from outside, few workers. With many workers they meet
 * at the mutex: see troupe_workstealing.h.
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
