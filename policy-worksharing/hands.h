/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * hands.h - the jobs that one worker has in its hands: fresh and batch
 *
 * Both are lists by way of job->next whose first job is in an atomic word. Only
 * the owner fills a list, and only when it is empty; who takes from it takes all
 * of it, by an exchange. So nobody follows the link of a job that somebody else
 * could take, and run, and free. The owner puts back what it does not want.
 *
 * Context, where it is not said: the thread of the worker that owns them.
 */
#ifndef HANDS_H
#define HANDS_H

#include "sharing.h"

/* What the owner sees empty stays empty, and needs no exchange. Returns: the
 * whole list, which is the caller's now. */
static inline struct troupe_job *
troupe__hands_grab(const struct sharing_worker *worker,
		   _Atomic(struct troupe_job *) *list)
{
	/* relaxed, all: a job there was put there by this thread. */
	struct troupe_job *first =
		atomic_load_explicit(list, memory_order_relaxed);

	if (first == NULL)
		return NULL;
	if (!worker->alone)
		return atomic_exchange_explicit(list, NULL,
						memory_order_relaxed);
	atomic_store_explicit(list, NULL, memory_order_relaxed);
	return first;
}

/* Into a list that is empty. */
static inline void troupe__hands_fill(_Atomic(struct troupe_job *) *list,
				      struct troupe_job *first)
{
	/* release: the watcher that takes the jobs must see all that made them
	 * READY, and their links. Pairs with: troupe__hands_empty(). */
	if (first != NULL)
		atomic_store_explicit(list, first, memory_order_release);
}

/* The first job, or NULL. */
static inline struct troupe_job *
troupe__hands_pop(const struct sharing_worker *worker,
		  _Atomic(struct troupe_job *) *list)
{
	struct troupe_job *job = troupe__hands_grab(worker, list);

	if (job != NULL)
		troupe__hands_fill(list, job->next);
	return job;
}

/* Returns: true if @job is not the only one in fresh. */
static inline bool troupe__hands_push(struct sharing_worker *worker,
				      struct troupe_job *job)
{
	/* relaxed: as in troupe__hands_grab(). */
	struct troupe_job *before =
		atomic_load_explicit(&worker->fresh, memory_order_relaxed);

	job->next = before;
	if (before == NULL || worker->alone) {
		troupe__hands_fill(&worker->fresh, job);
		return before != NULL;
	}
	/* release: as in troupe__hands_fill(). Pairs with:
	 * troupe__hands_empty(). relaxed, if it fails: that one has emptied the
	 * list, and wrote nothing that we read. */
	if (atomic_compare_exchange_strong_explicit(&worker->fresh, &before,
						    job, memory_order_release,
						    memory_order_relaxed))
		return true;
	job->next = NULL;
	troupe__hands_fill(&worker->fresh, job);
	return false;
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

/* All that @worker has. Context: any thread. */
void troupe__hands_empty(struct sharing_worker *worker,
			 struct sharing_jobs *ret_old,
			 struct sharing_jobs *ret_young);

#endif
