/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * hands.h - the jobs that one worker has in its hands: fresh and batch
 *
 * Both are lists by way of job->next, the first of whose jobs is in an atomic
 * word: it is written under the biased lock of the worker, and read by others as
 * a hint. Only the owner fills a list. What others take they take as a whole, and
 * that is seldom (park.c), so that the lock costs the owner next to nothing. With
 * one worker there are no others, and no lock.
 *
 * Context, where it is not said: the thread of the worker that owns them.
 */
#ifndef HANDS_H
#define HANDS_H

#include "sharing.h"

static inline void troupe__hands_enter(struct sharing_worker *worker)
{
	if (!worker->alone)
		troupe_biased_enter(&worker->lock);
}

static inline void troupe__hands_leave(struct sharing_worker *worker)
{
	if (!worker->alone)
		troupe_biased_leave(&worker->lock);
}

/* relaxed: the lock orders it; outside of that a hint, but what the owner sees
 * empty stays empty. */
static inline struct troupe_job *
troupe__hands_first(_Atomic(struct troupe_job *) *list)
{
	return atomic_load_explicit(list, memory_order_relaxed);
}

static inline void troupe__hands_set(_Atomic(struct troupe_job *) *list,
				     struct troupe_job *first)
{
	/* relaxed: under the lock; others, without it, only want a hint. */
	atomic_store_explicit(list, first, memory_order_relaxed);
}

/* Returns: the whole list, which is the caller's now. */
static inline struct troupe_job *
troupe__hands_grab(struct sharing_worker *worker,
		   _Atomic(struct troupe_job *) *list)
{
	struct troupe_job *first;

	if (troupe__hands_first(list) == NULL)
		return NULL;
	troupe__hands_enter(worker);
	first = troupe__hands_first(list);
	troupe__hands_set(list, NULL);
	troupe__hands_leave(worker);
	return first;
}

/* Into a list that is empty. */
static inline void troupe__hands_fill(struct sharing_worker *worker,
				      _Atomic(struct troupe_job *) *list,
				      struct troupe_job *first)
{
	if (first == NULL)
		return;
	troupe__hands_enter(worker);
	troupe__hands_set(list, first);
	troupe__hands_leave(worker);
}

/* The first job, or NULL. */
static inline struct troupe_job *
troupe__hands_pop(struct sharing_worker *worker,
		  _Atomic(struct troupe_job *) *list)
{
	struct troupe_job *job;

	if (troupe__hands_first(list) == NULL)
		return NULL;
	troupe__hands_enter(worker);
	job = troupe__hands_first(list);
	if (job != NULL)
		troupe__hands_set(list, job->next);
	troupe__hands_leave(worker);
	return job;
}

/* Returns: true if @job is not the only one in fresh. */
static inline bool troupe__hands_push(struct sharing_worker *worker,
				      struct troupe_job *job)
{
	struct troupe_job *before;

	troupe__hands_enter(worker);
	before = troupe__hands_first(&worker->fresh);
	job->next = before;
	troupe__hands_set(&worker->fresh, job);
	troupe__hands_leave(worker);
	return before != NULL;
}

/* @jobs, of whom there is one at least, behind those of @list. */
static inline void troupe__hands_append(struct troupe_job_list *list,
					const struct sharing_jobs *jobs)
{
	if (list->first == NULL)
		list->first = jobs->list.first;
	else
		list->last->next = jobs->list.first;
	list->last = jobs->list.last;
}

/* The batch, which is the caller's now. */
struct sharing_jobs troupe__hands_grab_batch(struct sharing_worker *worker);

/* The batch must be empty. */
void troupe__hands_fill_batch(struct sharing_worker *worker,
			      const struct sharing_jobs *jobs);

/* The fresh jobs, the oldest first; but not the newest if @keep. */
struct sharing_jobs troupe__hands_fresh(struct sharing_worker *worker,
					bool keep);

/* Fresh jobs go behind the batch: they are not fresh any more. */
void troupe__hands_settle(struct sharing_worker *worker);

/* Half of the batch, the older one, but not too much at once. */
struct sharing_jobs troupe__hands_halve(struct sharing_worker *worker);

/* All that @worker has; nothing if it is at it. Context: any other thread. */
void troupe__hands_empty(struct sharing_worker *worker,
			 struct sharing_jobs *ret_old,
			 struct sharing_jobs *ret_young);

#endif
