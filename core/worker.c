/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker: one thread, one loop. The policy says what runs next; nothing
 * else is decided here.
 */
#include "core.h"

#include "affinity.h"
#include "credit.h"
#include "pool.h"
#include "process.h"

/* The heart of the program. Returns: false if the worker is another's now. */
static bool worker_loop(struct worker *worker)
{
	struct troupe_system *system = worker->system;
	const struct troupe_policy_ops *ops = &system->ops;

	for (;;) {
		struct troupe_job *link = ops->dequeue(&worker->head);
		struct job *job = (struct job *)link;
		enum job_state state;

		if (link == NULL) {
			if (troupe_stopping(&system->head))
				return true;
			worker_count(worker, WORKER_FAULTS, 1);
			credit_return(worker);
			troupe__thread_yield();
			continue;
		}
		ops->before_resume(&worker->head, link);
		state = troupe__job_resume(job);
		if (troupe__here.worker != worker) {
			/* A blocking section has given the worker away. */
			troupe__job_complete_outside(job, state);
			return false;
		}
		ops->after_resume(&worker->head, link);
		troupe__job_complete(worker, job, state);
	}
}

/* Before the policy waits; or a job, which may have lost its worker. */
static void worker_before_wait(void)
{
	if (troupe__here.worker != NULL)
		credit_return(troupe__here.worker);
}

bool troupe__worker_serve(struct worker *worker)
{
	bool kept;

	/* The plan was checked when the system was made; a processor that has
	 * gone since only costs the binding. */
	(void)troupe__affinity_bind(worker->cpu);
	troupe__here.worker = worker;
	troupe__here.home = (uint16_t)(worker->head.index + 1);
	/* What this thread sent before was not as this worker. */
	here_begin_run();
	troupe__before_wait = worker_before_wait;
	kept = worker_loop(worker);
	troupe__before_wait = NULL;
	if (kept)
		credit_return(worker);
	troupe__here.worker = NULL;
	troupe__here.home = 0;
	return kept;
}

void troupe__worker_main(void *data)
{
	struct worker *worker = data;
	uint32_t index = worker->head.index;
	struct troupe_system *system = worker->system;

	troupe__process_thread_start(system, TROUPE_THREAD_WORKER, index);
	/* Or another thread is the worker now, and this one may help out; but
	 * in a child, where all is over. */
	if (!troupe__worker_serve(worker) && troupe__here.thread != NULL &&
	    !troupe__pool_serve(troupe__here.thread))
		return;
	troupe__process_thread_stop(system, TROUPE_THREAD_WORKER, index);
}

uint32_t troupe_current_worker(void)
{
	struct worker *worker = troupe__here.worker;

	return worker == NULL ? TROUPE_ANY_WORKER : worker->head.index;
}

/* ---- what policies ask of a worker ------------------------------------- */

uint64_t troupe_random(struct troupe_worker *self)
{
	struct worker *worker = (struct worker *)self;
	uint64_t x = worker->random;

	/* xorshift64*: short, and good enough to pick a victim. */
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	worker->random = x;
	return x * UINT64_C(0x2545f4914f6cdd1d);
}

struct troupe_run troupe_last_run(const struct troupe_worker *self)
{
	(void)self;
	return (struct troupe_run){
		.sent = (uint32_t)troupe__here.sent,
		.abroad = (uint32_t)(troupe__here.sent >> 32),
		.peer = home_worker((uint16_t)troupe__here.peer),
	};
}

void troupe_count(struct troupe_worker *self, enum troupe_counter counter,
		  uint64_t amount)
{
	worker_count((struct worker *)self,
		     (enum worker_counter)(WORKER_POLICY + (int)counter),
		     amount);
}
