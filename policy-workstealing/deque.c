/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deque of deque.h. All that is read and written here is under its lock, so
 * the orders are relaxed.
 */
#include "deque.h"

/* ---- the owner's lock -------------------------------------------------- */

static inline void deque_enter(struct troupe__deque *deque)
{
	if (!deque->alone)
		troupe_biased_enter(&deque->lock);
}

static inline void deque_leave(struct troupe__deque *deque)
{
	if (!deque->alone)
		troupe_biased_leave(&deque->lock);
}

/* ---- leaves, under the lock -------------------------------------------- */

static inline uint32_t deque_top(const struct troupe__deque *deque)
{
	/* relaxed: the lock. */
	return atomic_load_explicit(&deque->top, memory_order_relaxed);
}

static inline uint32_t deque_bottom(const struct troupe__deque *deque)
{
	/* relaxed: the lock. */
	return atomic_load_explicit(&deque->bottom, memory_order_relaxed);
}

static inline void deque_set_top(struct troupe__deque *deque, uint32_t top)
{
	/* relaxed: the lock. */
	atomic_store_explicit(&deque->top, top, memory_order_relaxed);
}

static inline void deque_set_bottom(struct troupe__deque *deque,
				    uint32_t bottom)
{
	/* relaxed: the lock. */
	atomic_store_explicit(&deque->bottom, bottom, memory_order_relaxed);
}

static inline struct troupe_job *deque_next(const struct troupe__deque *deque)
{
	/* relaxed: the lock. */
	return atomic_load_explicit(&deque->next_job, memory_order_relaxed);
}

static inline void deque_set_next(struct troupe__deque *deque,
				  struct troupe_job *job)
{
	/* relaxed: the lock. */
	atomic_store_explicit(&deque->next_job, job, memory_order_relaxed);
}

static inline void deque_link(struct troupe__deque *deque,
			      struct troupe_job *job)
{
	uint32_t top = deque_top(deque);

	if (top == deque_bottom(deque)) {
		deque->oldest = job;
	} else {
		job->prev = deque->newest;
		deque->newest->next = job;
	}
	deque->newest = job;
	deque_set_top(deque, top + 1);
}

static inline struct troupe_job *deque_take_newest(struct troupe__deque *deque)
{
	uint32_t top = deque_top(deque);
	struct troupe_job *job;

	if (top == deque_bottom(deque))
		return NULL;
	job = deque->newest;
	/* Of the oldest job it leads nowhere, and is not followed. */
	deque->newest = job->prev;
	deque_set_top(deque, top - 1);
	return job;
}

/* There are at least so many. */
static inline struct troupe_job *deque_take_oldest(struct troupe__deque *deque,
						   uint32_t count)
{
	struct troupe_job *first = deque->oldest;
	struct troupe_job *job = first;
	uint32_t bottom = deque_bottom(deque) + count;

	/* The last one's next leads nowhere if it was the newest. */
	for (uint32_t i = 1; i < count; i++)
		job = job->next;
	if (bottom != deque_top(deque))
		deque->oldest = job->next;
	deque_set_bottom(deque, bottom);
	return first;
}

void troupe__deque_init(struct troupe__deque *deque, bool alone)
{
	deque->alone = alone;
	troupe_biased_init(&deque->lock);
}

/* ---- the owner's end --------------------------------------------------- */

void troupe__deque_put(struct troupe__deque *deque, struct troupe_job *job)
{
	deque_enter(deque);
	deque_link(deque, job);
	deque_leave(deque);
}

void troupe__deque_put_all(struct troupe__deque *deque,
			   struct troupe_job *first, uint32_t count)
{
	deque_enter(deque);
	for (uint32_t i = 0; i < count; i++) {
		struct troupe_job *next = first->next;

		deque_link(deque, first);
		first = next;
	}
	deque_leave(deque);
}

bool troupe__deque_put_next(struct troupe__deque *deque, struct troupe_job *job)
{
	struct troupe_job *before;

	deque_enter(deque);
	before = deque_next(deque);
	deque_set_next(deque, job);
	if (before != NULL)
		deque_link(deque, before);
	deque_leave(deque);
	return before != NULL;
}

struct troupe_job *troupe__deque_take(struct troupe__deque *deque,
				      bool *ret_next)
{
	struct troupe_job *job;

	deque_enter(deque);
	job = deque_next(deque);
	*ret_next = job != NULL;
	if (job != NULL)
		deque_set_next(deque, NULL);
	else
		job = deque_take_newest(deque);
	deque_leave(deque);
	return job;
}

void troupe__deque_unshift_next(struct troupe__deque *deque)
{
	struct troupe_job *job;

	deque_enter(deque);
	job = deque_next(deque);
	if (job != NULL) {
		deque_set_next(deque, NULL);
		deque_link(deque, job);
	}
	deque_leave(deque);
}

struct troupe_job *troupe__deque_take_oldest_before(struct troupe__deque *deque,
						    uint32_t place)
{
	struct troupe_job *job = NULL;

	deque_enter(deque);
	if (deque_top(deque) != deque_bottom(deque) &&
	    (int32_t)(place - deque_bottom(deque)) > 0)
		job = deque_take_oldest(deque, 1);
	deque_leave(deque);
	return job;
}

/* ---- the thieves' end -------------------------------------------------- */

uint32_t troupe__deque_try_steal(struct troupe__deque *deque, uint32_t most,
				 struct troupe_job **ret_first)
{
	uint32_t count;

	/* Looking costs less than asking for the lock. */
	if (troupe__deque_size(deque) == 0 ||
	    !troupe_biased_try_lock(&deque->lock))
		return 0;
	count = (deque_top(deque) - deque_bottom(deque) + 1) / 2;
	if (count > most)
		count = most;
	if (count > 0)
		*ret_first = deque_take_oldest(deque, count);
	troupe_biased_unlock(&deque->lock);
	return count;
}

struct troupe_job *troupe__deque_try_steal_next(struct troupe__deque *deque)
{
	struct troupe_job *job;

	if (!troupe__deque_has_next(deque) ||
	    !troupe_biased_try_lock(&deque->lock))
		return NULL;
	job = deque_next(deque);
	deque_set_next(deque, NULL);
	troupe_biased_unlock(&deque->lock);
	return job;
}
