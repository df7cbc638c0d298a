/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * credit.h - how workers count bare jobs without an atomic operation each
 *
 * Overview. The system ends when its count of jobs (system->alive) is 0. That
 * count is one word for all workers, and a job may be as short as changing it
 * twice. So a worker draws a *credit*: it adds CREDIT_BATCH to the count at
 * once. A job that it makes takes one from the credit, a job that it ends
 * gives one to it, and only a credit that is empty or has grown touches the
 * count.
 *
 *	count = jobs + credits of all workers
 *
 * always, so the count is never too low and the system never ends early. It
 * does not end late either: a worker gives its credit back before it waits,
 * in whichever helper of troupe_policy.h the policy waits by (contract 6), and
 * when it stops.
 *
 * Threads. Each worker its own; a worker that a blocking section hands on
 * takes its credit along.
 */
#ifndef CREDIT_H
#define CREDIT_H

#include "core.h"
#include "running.h"

#define CREDIT_BATCH 64u

/** A job of @system begins to be. Any thread. */
static inline void credit_job_begins(struct troupe_system *system)
{
	struct worker *worker = troupe__here.worker;

	if (worker == NULL || worker->system != system) {
		troupe__running_inc(system->alive, TROUPE__RUNNING_JOB);
		return;
	}
	if (worker->credit == 0) {
		troupe__running_inc(system->alive,
				    CREDIT_BATCH * TROUPE__RUNNING_JOB);
		worker->credit = CREDIT_BATCH;
	}
	worker->credit--;
}

/** A job of @worker's system is no more. The worker. */
static inline void credit_job_ends(struct worker *worker)
{
	worker->credit++;
	if (worker->credit == 2 * CREDIT_BATCH) {
		worker->credit = CREDIT_BATCH;
		troupe__running_dec(worker->system->alive,
				    CREDIT_BATCH * TROUPE__RUNNING_JOB);
	}
}

/** Gives back what @worker has. The worker. */
static inline void credit_return(struct worker *worker)
{
	uint64_t credit = worker->credit;

	if (credit == 0)
		return;
	worker->credit = 0;
	troupe__running_dec(worker->system->alive,
			    credit * TROUPE__RUNNING_JOB);
}

#endif
