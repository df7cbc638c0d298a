/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A correct fifo in pieces, from which the faulty policies are made.
 */
#include "faulty.h"

struct faulty_coordinator *faulty_of(const struct troupe_worker *self)
{
	return self->coordinator->data;
}

void faulty_lock(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	troupe_mutex_lock(&faulty->mutex);
}

void faulty_unlock(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	troupe_mutex_unlock(&faulty->mutex);
}

void faulty_put(struct faulty_coordinator *faulty, struct troupe_job *job)
{
	job->order = faulty->order++;
	faulty->length++;
	troupe_job_list_put(&faulty->shared, job);
}

void faulty_put_front(struct faulty_coordinator *faulty, struct troupe_job *job)
{
	/* As old as can be, so that no pinned job goes first either. */
	job->order = 0;
	faulty->length++;
	job->next = faulty->shared.first;
	if (faulty->shared.first == NULL)
		faulty->shared.last = job;
	faulty->shared.first = job;
}

void faulty_put_pinned(struct troupe_worker *self, struct troupe_job *job)
{
	struct faulty_worker *worker = self->data;

	job->order = faulty_of(self)->order++;
	troupe_job_list_put(&worker->pinned, job);
}

struct troupe_job *faulty_take_shared(struct faulty_coordinator *faulty)
{
	struct troupe_job *job = troupe_job_list_take(&faulty->shared);

	if (job != NULL) {
		faulty->length--;
		faulty->taken++;
	}
	return job;
}

struct troupe_job *faulty_take_pinned(struct troupe_worker *self)
{
	struct faulty_worker *worker = self->data;

	return troupe_job_list_take(&worker->pinned);
}

struct troupe_job *faulty_take(struct troupe_worker *self)
{
	struct faulty_coordinator *faulty = faulty_of(self);
	struct faulty_worker *worker = self->data;

	if (worker->pinned.first != NULL &&
	    (faulty->shared.first == NULL ||
	     worker->pinned.first->order < faulty->shared.first->order))
		return faulty_take_pinned(self);
	return faulty_take_shared(faulty);
}

void faulty_wait(struct troupe_worker *self)
{
	struct faulty_coordinator *faulty = faulty_of(self);

	troupe_cond_wait(&faulty->cond, &faulty->mutex);
}

/* ---- the slots --------------------------------------------------------- */

int faulty_init(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;
	int result = troupe_mutex_init(&faulty->mutex);

	if (result != 0)
		return result;
	result = troupe_cond_init(&faulty->cond);
	if (result != 0) {
		troupe_mutex_fini(&faulty->mutex);
		return result;
	}
	result = troupe_cond_init(&faulty->room);
	if (result != 0) {
		troupe_cond_fini(&faulty->cond);
		troupe_mutex_fini(&faulty->mutex);
	}
	return result;
}

void faulty_fini(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	troupe_cond_fini(&faulty->room);
	troupe_cond_fini(&faulty->cond);
	troupe_mutex_fini(&faulty->mutex);
}

void faulty_central_enqueue(struct troupe_coordinator *self,
			    struct troupe_job *job)
{
	struct faulty_coordinator *faulty = self->data;

	faulty_lock(self);
	faulty_put(faulty, job);
	troupe_cond_signal(&faulty->cond);
	faulty_unlock(self);
}

void faulty_external_enqueue(struct troupe_worker *self, struct troupe_job *job)
{
	faulty_lock(self->coordinator);
	faulty_put_pinned(self, job);
	troupe_cond_broadcast(&faulty_of(self)->cond);
	faulty_unlock(self->coordinator);
}

void faulty_internal_enqueue(struct troupe_worker *self, struct troupe_job *job)
{
	faulty_central_enqueue(self->coordinator, job);
}

struct troupe_job *faulty_dequeue(struct troupe_worker *self)
{
	struct troupe_job *job = NULL;

	faulty_lock(self->coordinator);
	while (!troupe_stopping(self->coordinator)) {
		job = faulty_take(self);
		if (job != NULL)
			break;
		faulty_wait(self);
	}
	faulty_unlock(self->coordinator);
	return job;
}

void faulty_wake_all(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	faulty_lock(self);
	troupe_cond_broadcast(&faulty->cond);
	troupe_cond_broadcast(&faulty->room);
	faulty_unlock(self);
}

struct troupe_job *faulty_drain(struct troupe_coordinator *self)
{
	struct troupe_job *job = faulty_take_shared(self->data);

	for (uint32_t i = 0; job == NULL && i < self->worker_count; i++)
		job = faulty_take_pinned(self->workers[i]);
	return job;
}

/* ---- the table --------------------------------------------------------- */

static const struct troupe_policy_ops faulty_base = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 1,
	.name = "faulty",
	.summary = "a fifo with a fault",
	.coordinator_data_size = sizeof(struct faulty_coordinator),
	.worker_data_size = sizeof(struct faulty_worker),
	.init = faulty_init,
	.fini = faulty_fini,
	.central_enqueue = faulty_central_enqueue,
	.external_enqueue = faulty_external_enqueue,
	.internal_enqueue = faulty_internal_enqueue,
	.resume_job_later = faulty_internal_enqueue,
	.dequeue = faulty_dequeue,
	.wake_all = faulty_wake_all,
	.drain = faulty_drain,
};

#define FAULTY_SLOT(slot) \
	ret_ops->slot =   \
		fault->ops.slot != NULL ? fault->ops.slot : faulty_base.slot

void faulty_table(const struct faulty *fault, struct troupe_policy_ops *ret_ops)
{
	*ret_ops = faulty_base;
	if (fault == NULL)
		return;
	FAULTY_SLOT(init);
	FAULTY_SLOT(fini);
	FAULTY_SLOT(worker_init);
	FAULTY_SLOT(central_enqueue);
	FAULTY_SLOT(external_enqueue);
	FAULTY_SLOT(internal_enqueue);
	FAULTY_SLOT(resume_job_later);
	FAULTY_SLOT(dequeue);
	FAULTY_SLOT(wake_all);
	FAULTY_SLOT(drain);
	FAULTY_SLOT(after_resume);
}
