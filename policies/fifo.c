/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fifo: first come, first served. The smallest valid policy, and the file to
 * copy when you write your own: policies/README.md goes with you step by
 * step. It is complete and fair, and not fast: everything is under one mutex.
 *
 * How it works. There is a list of jobs that any worker may run, and for each
 * worker a list of those that only it may run. Each job gets a number when it
 * comes in. A worker takes the job with the lower number out of the two lists
 * that concern it, or sleeps until there is one.
 *
 * Why each contract of troupe_policy.h holds.
 *	1. A job is in one list from enqueue to dequeue, and lists change under
 *	   the mutex only: none is lost or given out twice.
 *	2. The lists are linked through the jobs: nothing is allocated.
 *	3. A worker looks into the lists and falls asleep under the same hold
 *	   of the mutex (that is what a condition variable is for), so a job
 *	   comes either before it looks or when it sleeps, and then wakes it.
 *	4. Numbers only grow, so a job that is put back stands behind all that
 *	   are there: wait_bound is 1.
 *	5. wake_all() takes the mutex, so it too comes before a worker looks
 *	   or when it sleeps.
 *	6. Only helpers of troupe_policy.h are used.
 */
#include "troupe_policy.h"

/* One for each system. All of it is under the mutex. */
struct fifo_coordinator {
	struct troupe_mutex mutex;
	struct troupe_cond cond;       /* a job came, or the system stops */
	struct troupe_job_list shared; /* for any worker */
	uint64_t order;		       /* the next job's number */
};

/* One for each worker. Under the same mutex. */
struct fifo_worker {
	struct troupe_job_list pinned; /* for this worker only */
};

/* ---- start and stop ---------------------------------------------------- */

/* The core has zeroed the data, and an empty list is a zeroed one, so only
 * the mutex and the condition variable need a start. */
static int fifo_init(struct troupe_coordinator *self)
{
	struct fifo_coordinator *fifo = self->data;
	int result = troupe_mutex_init(&fifo->mutex);

	if (result != 0)
		return result;
	result = troupe_cond_init(&fifo->cond);
	if (result != 0)
		troupe_mutex_fini(&fifo->mutex);
	return result;
}

static void fifo_fini(struct troupe_coordinator *self)
{
	struct fifo_coordinator *fifo = self->data;

	troupe_cond_fini(&fifo->cond);
	troupe_mutex_fini(&fifo->mutex);
}

/* ---- enqueue ----------------------------------------------------------- */

/* Code outside the workers made @job READY. Whichever worker sleeps may have
 * it, so waking one is enough. */
static void fifo_central_enqueue(struct troupe_coordinator *self,
				 struct troupe_job *job)
{
	struct fifo_coordinator *fifo = self->data;

	troupe_mutex_lock(&fifo->mutex);
	job->order = fifo->order++;
	troupe_job_list_put(&fifo->shared, job);
	troupe_mutex_unlock(&fifo->mutex);
	/* From here on the job may have run and be gone: do not touch it. */
	troupe_cond_signal(&fifo->cond);
}

/* @job is for @self only. All workers wait on the same condition variable, so
 * all are woken; those that it does not concern sleep again. */
static void fifo_external_enqueue(struct troupe_worker *self,
				  struct troupe_job *job)
{
	struct fifo_coordinator *fifo = self->coordinator->data;
	struct fifo_worker *worker = self->data;

	troupe_mutex_lock(&fifo->mutex);
	job->order = fifo->order++;
	troupe_job_list_put(&worker->pinned, job);
	troupe_mutex_unlock(&fifo->mutex);
	troupe_cond_broadcast(&fifo->cond);
}

/* The job that @self runs made @job READY, or (resume_job_later) has more to
 * do itself. Here that makes no difference: the back of the queue. */
static void fifo_enqueue(struct troupe_worker *self, struct troupe_job *job)
{
	fifo_central_enqueue(self->coordinator, job);
}

/* ---- dequeue ----------------------------------------------------------- */

/* The job with the lower number out of two lists; NULL if both are empty. */
static struct troupe_job *fifo_take(struct troupe_job_list *shared,
				    struct troupe_job_list *pinned)
{
	if (pinned->first != NULL &&
	    (shared->first == NULL ||
	     pinned->first->order < shared->first->order))
		return troupe_job_list_take(pinned);
	return troupe_job_list_take(shared);
}

static struct troupe_job *fifo_dequeue(struct troupe_worker *self)
{
	struct fifo_coordinator *fifo = self->coordinator->data;
	struct fifo_worker *worker = self->data;
	struct troupe_job *job = NULL;

	troupe_mutex_lock(&fifo->mutex);
	while (!troupe_stopping(self->coordinator)) {
		job = fifo_take(&fifo->shared, &worker->pinned);
		if (job != NULL)
			break;
		troupe_count(self, TROUPE_COUNT_PARKS, 1);
		troupe_cond_wait(&fifo->cond, &fifo->mutex);
		troupe_count(self, TROUPE_COUNT_WAKES, 1);
	}
	troupe_mutex_unlock(&fifo->mutex);
	return job;
}

/* ---- stop -------------------------------------------------------------- */

/* troupe_stopping() is true by now. The mutex is taken because a worker may be
 * between its look at troupe_stopping() and its sleep. */
static void fifo_wake_all(struct troupe_coordinator *self)
{
	struct fifo_coordinator *fifo = self->data;

	troupe_mutex_lock(&fifo->mutex);
	troupe_cond_broadcast(&fifo->cond);
	troupe_mutex_unlock(&fifo->mutex);
}

/* The workers are gone and we are alone: no need for the mutex. */
static struct troupe_job *fifo_drain(struct troupe_coordinator *self)
{
	struct fifo_coordinator *fifo = self->data;
	struct troupe_job *job = troupe_job_list_take(&fifo->shared);

	for (uint32_t i = 0; job == NULL && i < self->worker_count; i++) {
		struct fifo_worker *worker = self->workers[i]->data;

		job = troupe_job_list_take(&worker->pinned);
	}
	return job;
}

/* ---- the table --------------------------------------------------------- */

/* In a plug-in this object is called troupe_policy. */
const struct troupe_policy_ops troupe_fifo = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 1,
	.name = "fifo",
	.summary = "one queue, first come, first served",
	.coordinator_data_size = sizeof(struct fifo_coordinator),
	.worker_data_size = sizeof(struct fifo_worker),
	.init = fifo_init,
	.fini = fifo_fini,
	.central_enqueue = fifo_central_enqueue,
	.external_enqueue = fifo_external_enqueue,
	.internal_enqueue = fifo_enqueue,
	.resume_job_later = fifo_enqueue,
	.dequeue = fifo_dequeue,
	.wake_all = fifo_wake_all,
	.drain = fifo_drain,
};
