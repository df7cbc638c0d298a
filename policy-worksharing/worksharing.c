/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work-sharing: one queue for all workers under one mutex. troupe_worksharing.h
 * says what a user sees of it. Everything here is held by that mutex; nothing
 * is atomic.
 *
 * Why no wake-up is lost. The sleeper, in one hold of the mutex: (1) finds no
 * job, (2) goes on the list of sleepers, (3) waits. The waker, in one hold: (a)
 * puts the job in a list, (b) takes a sleeper off the list; then it signals.
 * If (a) comes before (1), the sleeper finds the job. If it comes after (3),
 * (b) finds the sleeper, and the signal reaches it: nobody else waits on that
 * condition variable, and the sleeper looks again whatever woke it.
 *
 * A woken worker is off the list, so the next job wakes another one. It may
 * find that its job was taken by a worker that was awake; that is no loss.
 * It cannot be that it takes a bound job instead of the shared one it was
 * woken for and leaves that lying while another sleeps: it takes the lower
 * number, and a bound job with a lower number would have woken it before.
 */
#include "troupe_worksharing.h"

/* Legend: L under the mutex. */
struct worksharing_coordinator {
	struct troupe_mutex mutex;
	struct troupe_job_list shared;	     /* L: for any worker */
	uint64_t order;			     /* L: the next job's number */
	struct worksharing_worker *sleepers; /* L: the last one first */
	bool stopping;			     /* L: wake_all() was called */
};

struct worksharing_worker {
	_Alignas(64) struct troupe_cond cond;
	struct troupe_job_list pinned;	  /* L: for this worker only */
	struct worksharing_worker *next;  /* L: sleeper */
	struct worksharing_worker **link; /* L: what points here, or NULL
						 * if it is not on the list */
};

/* ---- start and stop ---------------------------------------------------- */

static int worksharing_init(struct troupe_coordinator *self)
{
	struct worksharing_coordinator *sharing = self->data;

	return troupe_mutex_init(&sharing->mutex);
}

static void worksharing_fini(struct troupe_coordinator *self)
{
	struct worksharing_coordinator *sharing = self->data;

	troupe_mutex_fini(&sharing->mutex);
}

static int worksharing_worker_init(struct troupe_worker *self)
{
	struct worksharing_worker *worker = self->data;

	return troupe_cond_init(&worker->cond);
}

static void worksharing_worker_fini(struct troupe_worker *self)
{
	struct worksharing_worker *worker = self->data;

	troupe_cond_fini(&worker->cond);
}

/* ---- sleepers ---------------------------------------------------------- */

/* L. Accepts NULL and a worker that is not on the list, returns it only if it
 * was: the caller signals what it gets, after the mutex. */
static struct worksharing_worker *
worksharing_unlist(struct worksharing_worker *worker)
{
	if (worker == NULL || worker->link == NULL)
		return NULL;
	*worker->link = worker->next;
	if (worker->next != NULL)
		worker->next->link = worker->link;
	worker->link = NULL;
	return worker;
}

/* L. Returns when there may be a job. */
static void worksharing_park(struct troupe_worker *self,
			     struct worksharing_coordinator *sharing,
			     struct worksharing_worker *worker)
{
	worker->next = sharing->sleepers;
	worker->link = &sharing->sleepers;
	if (worker->next != NULL)
		worker->next->link = &worker->next;
	sharing->sleepers = worker;
	troupe_count(self, TROUPE_COUNT_PARKS, 1);
	troupe_cond_wait(&worker->cond, &sharing->mutex);
	troupe_count(self, TROUPE_COUNT_WAKES, 1);
	/* Still listed if it woke for no reason. */
	(void)worksharing_unlist(worker);
}

/* Signals after the mutex was given back, so that the woken one finds it
 * free. The worker outlives the call: it is freed after all have joined. */
static void worksharing_wake(struct worksharing_worker *worker)
{
	if (worker != NULL)
		troupe_cond_signal(&worker->cond);
}

/* ---- enqueue ----------------------------------------------------------- */

static void worksharing_central_enqueue(struct troupe_coordinator *self,
					struct troupe_job *job)
{
	struct worksharing_coordinator *sharing = self->data;
	struct worksharing_worker *sleeper;

	troupe_mutex_lock(&sharing->mutex);
	job->order = sharing->order++;
	troupe_job_list_put(&sharing->shared, job);
	sleeper = worksharing_unlist(sharing->sleepers);
	troupe_mutex_unlock(&sharing->mutex);
	worksharing_wake(sleeper);
}

static void worksharing_external_enqueue(struct troupe_worker *self,
					 struct troupe_job *job)
{
	struct worksharing_coordinator *sharing = self->coordinator->data;
	struct worksharing_worker *worker = self->data;
	struct worksharing_worker *sleeper;

	troupe_mutex_lock(&sharing->mutex);
	job->order = sharing->order++;
	troupe_job_list_put(&worker->pinned, job);
	sleeper = worksharing_unlist(worker);
	troupe_mutex_unlock(&sharing->mutex);
	worksharing_wake(sleeper);
}

static void worksharing_internal_enqueue(struct troupe_worker *self,
					 struct troupe_job *job)
{
	worksharing_central_enqueue(self->coordinator, job);
}

/* This worker is about to dequeue, so it wakes somebody only if it leaves
 * another job behind: one actor alone that always has more to do must not
 * wake the others over and over. */
static void worksharing_resume_job_later(struct troupe_worker *self,
					 struct troupe_job *job)
{
	struct worksharing_coordinator *sharing = self->coordinator->data;
	struct worksharing_worker *worker = self->data;
	struct worksharing_worker *sleeper = NULL;

	troupe_mutex_lock(&sharing->mutex);
	job->order = sharing->order++;
	if (sharing->shared.first != NULL || worker->pinned.first != NULL)
		sleeper = worksharing_unlist(sharing->sleepers);
	troupe_job_list_put(&sharing->shared, job);
	troupe_mutex_unlock(&sharing->mutex);
	worksharing_wake(sleeper);
}

/* ---- dequeue ----------------------------------------------------------- */

/* L. The lower number out of the two lists; NULL if both are empty. */
static struct troupe_job *worksharing_take(struct troupe_job_list *shared,
					   struct troupe_job_list *pinned)
{
	if (pinned->first != NULL &&
	    (shared->first == NULL ||
	     pinned->first->order < shared->first->order))
		return troupe_job_list_take(pinned);
	return troupe_job_list_take(shared);
}

static struct troupe_job *worksharing_dequeue(struct troupe_worker *self)
{
	struct worksharing_coordinator *sharing = self->coordinator->data;
	struct worksharing_worker *worker = self->data;
	struct troupe_job *job = NULL;

	troupe_mutex_lock(&sharing->mutex);
	while (!sharing->stopping) {
		job = worksharing_take(&sharing->shared, &worker->pinned);
		if (job != NULL)
			break;
		worksharing_park(self, sharing, worker);
	}
	troupe_mutex_unlock(&sharing->mutex);
	return job;
}

/* ---- stop -------------------------------------------------------------- */

static void worksharing_wake_all(struct troupe_coordinator *self)
{
	struct worksharing_coordinator *sharing = self->data;

	troupe_mutex_lock(&sharing->mutex);
	sharing->stopping = true;
	while (sharing->sleepers != NULL)
		troupe_cond_signal(
			&worksharing_unlist(sharing->sleepers)->cond);
	troupe_mutex_unlock(&sharing->mutex);
}

static struct troupe_job *worksharing_drain(struct troupe_coordinator *self)
{
	struct worksharing_coordinator *sharing = self->data;
	struct troupe_job *job = troupe_job_list_take(&sharing->shared);

	for (uint32_t i = 0; job == NULL && i < self->worker_count; i++) {
		struct worksharing_worker *worker = self->workers[i]->data;

		job = troupe_job_list_take(&worker->pinned);
	}
	return job;
}

const struct troupe_policy_ops troupe_worksharing = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 1,
	.name = "work-sharing",
	.summary = "one queue for all workers; wakes one worker a job",
	.coordinator_data_size = sizeof(struct worksharing_coordinator),
	.worker_data_size = sizeof(struct worksharing_worker),
	.init = worksharing_init,
	.fini = worksharing_fini,
	.worker_init = worksharing_worker_init,
	.worker_fini = worksharing_worker_fini,
	.central_enqueue = worksharing_central_enqueue,
	.external_enqueue = worksharing_external_enqueue,
	.internal_enqueue = worksharing_internal_enqueue,
	.resume_job_later = worksharing_resume_job_later,
	.dequeue = worksharing_dequeue,
	.wake_all = worksharing_wake_all,
	.drain = worksharing_drain,
};
