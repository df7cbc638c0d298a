/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is done with many of the jobs in a worker's hands at once; with one, see
 * hands.h.
 */
#include "hands.h"

/* Fresh jobs from the oldest to the newest. */
static struct sharing_jobs hands_reverse(struct troupe_job *newest)
{
	struct sharing_jobs jobs = {.list.last = newest};

	while (newest != NULL) {
		struct troupe_job *older = newest->next;

		newest->next = jobs.list.first;
		jobs.list.first = newest;
		newest = older;
		jobs.count++;
	}
	return jobs;
}

struct sharing_jobs troupe__hands_grab_batch(struct sharing_worker *worker)
{
	struct sharing_jobs jobs = {
		.list.first = troupe__hands_grab(worker, &worker->batch),
		.list.last = worker->batch_last,
		.count = worker->batched,
	};

	/* If it is not empty, it is what this thread has put there. */
	if (jobs.list.first == NULL)
		jobs.count = 0;
	worker->batched = 0;
	return jobs;
}

void troupe__hands_fill_batch(struct sharing_worker *worker,
			      const struct sharing_jobs *jobs)
{
	worker->batched = jobs->count;
	worker->batch_last = jobs->list.last;
	troupe__hands_fill(worker, &worker->batch, jobs->list.first);
}

struct sharing_jobs troupe__hands_fresh(struct sharing_worker *worker,
					bool keep)
{
	struct troupe_job *fresh = troupe__hands_grab(worker, &worker->fresh);

	worker->held = 0;
	if (keep && fresh != NULL) {
		struct troupe_job *rest = fresh->next;

		fresh->next = NULL;
		troupe__hands_fill(worker, &worker->fresh, fresh);
		worker->held = 1;
		fresh = rest;
	}
	return hands_reverse(fresh);
}

void troupe__hands_settle(struct sharing_worker *worker)
{
	struct sharing_jobs old, young = troupe__hands_fresh(worker, false);

	if (young.count == 0)
		return;
	old = troupe__hands_grab_batch(worker);
	troupe__hands_append(&old.list, &young);
	old.count += young.count;
	troupe__hands_fill_batch(worker, &old);
}

struct sharing_jobs troupe__hands_halve(struct sharing_worker *worker)
{
	struct sharing_jobs rest = troupe__hands_grab_batch(worker);
	struct sharing_jobs half = {.list = rest.list};

	if (rest.count == 0)
		return rest;
	while (half.count < (rest.count + 1) / 2 &&
	       half.count < worker->batch_limit) {
		half.list.last = rest.list.first;
		rest.list.first = rest.list.first->next;
		half.count++;
	}
	rest.count -= half.count;
	half.list.last->next = NULL;
	troupe__hands_fill_batch(worker, &rest);
	return half;
}

void troupe__hands_empty(struct sharing_worker *worker,
			 struct sharing_jobs *ret_old,
			 struct sharing_jobs *ret_young)
{
	struct sharing_jobs old = {.count = 0}, none = {.count = 0};
	struct troupe_job *newest;

	*ret_old = none;
	*ret_young = none;
	if (!troupe_biased_try_lock(&worker->lock))
		return;
	old.list.first = troupe__hands_first(&worker->batch);
	newest = troupe__hands_first(&worker->fresh);
	troupe__hands_set(&worker->batch, NULL);
	troupe__hands_set(&worker->fresh, NULL);
	troupe_biased_unlock(&worker->lock);
	for (struct troupe_job *job = old.list.first; job != NULL;
	     job = job->next) {
		old.list.last = job;
		old.count++;
	}
	*ret_old = old;
	*ret_young = hands_reverse(newest);
}
