/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * deque.h - a worker's own jobs: the next one, and a double-ended queue
 *
 * Overview. One worker, the owner, puts and takes at the end of the newest
 * jobs; all others, the thieves, take at the end of the oldest. *next* is a
 * place before the newest, for the job that is to run first, which thieves get
 * only by asking for it. The jobs are linked by their own two words: next
 * leads to the newer neighbour, prev to the older one. Nothing is allocated.
 *
 *	bottom                            top
 *	  │ oldest ── next ──► ... newest  │  next
 *	  ▼        ◄── prev ──             ▼
 *	thieves                          owner
 *
 * Each job has a *place*: the value of top when it was put. Places from bottom
 * to top - 1 are in use. top goes down when the owner takes, so a place can be
 * used again; bottom only goes up.
 *
 * One lock guards both ends, and it is biased: the owner takes it for each job,
 * thieves seldom, and then half of the jobs.
 *
 * Synchronisation table. X: callers must keep these two apart. The owner is
 * one thread, so 1 to 3 exclude each other by themselves.
 *
 *	                                       1  2  3  4  5
 *	1 put, put_all, put_next               X  X  X  -  -
 *	2 take, unshift_next                   X  X  X  -  -
 *	3 take_oldest_before                   X  X  X  -  -
 *	4 try_steal, try_steal_next            -  -  -  -  -
 *	5 size, has_next                       -  -  -  -  -
 *
 * A zeroed deque is empty; init says whether there are thieves.
 */
#ifndef DEQUE_H
#define DEQUE_H

#include "troupe_policy.h"

#include <stdatomic.h>

/* Legend: I set at init · L under lock · A atomic: L writes, others have a hint. */
struct troupe__deque {
	_Alignas(64) struct troupe_biased lock;
	bool alone;			       /* I: there are no thieves */
	_Atomic uint32_t top, bottom;	       /* A */
	_Atomic(struct troupe_job *) next_job; /* A */
	struct troupe_job *newest, *oldest;    /* L: valid if not empty */
};

/** @alone: there are no thieves, and no lock is needed. */
void troupe__deque_init(struct troupe__deque *deque, bool alone);

/** Context: the owner. */
void troupe__deque_put(struct troupe__deque *deque, struct troupe_job *job);

/** Puts @count jobs, at least one, the oldest first, as they follow @first by
 * next. Context: the owner. */
void troupe__deque_put_all(struct troupe__deque *deque,
			   struct troupe_job *first, uint32_t count);

/** Makes @job next; the one before is put. Context: the owner. Returns: true
 * if there was one. */
bool troupe__deque_put_next(struct troupe__deque *deque,
			    struct troupe_job *job);

/** Context: the owner. Returns: next, else the newest job; NULL if there is
 * none. *@ret_next tells which. */
struct troupe_job *troupe__deque_take(struct troupe__deque *deque,
				      bool *ret_next);

/** Puts next, if there is one, as the newest. Context: the owner. */
void troupe__deque_unshift_next(struct troupe__deque *deque);

/**
 * The oldest job, if its place is below @place.
 *
 * Context: the owner.
 * Returns: the job; NULL if it is empty or the oldest is at or above @place.
 */
struct troupe_job *troupe__deque_take_oldest_before(struct troupe__deque *deque,
						    uint32_t place);

/**
 * The oldest jobs, for a thief: half of them, at most @most, at least one.
 *
 * @ret_first: the oldest; by next it leads to the others, in their order.
 * Context: any thread but the owner. Waits for nobody.
 * Returns: how many; 0 if it is empty or somebody else is at it.
 */
uint32_t troupe__deque_try_steal(struct troupe__deque *deque, uint32_t most,
				 struct troupe_job **ret_first);

/** Context: as above. Returns: next; NULL if there is none, or somebody else is
 * at it. */
struct troupe_job *troupe__deque_try_steal_next(struct troupe__deque *deque);

/** How many jobs there are beside next. The owner knows how many it has left,
 * at most; for others it is a hint. */
static inline uint32_t troupe__deque_size(const struct troupe__deque *deque)
{
	/* relaxed, both: a hint; jobs are handed over by the lock. */
	uint32_t top = atomic_load_explicit(&deque->top, memory_order_relaxed);
	int32_t size =
		(int32_t)(top - atomic_load_explicit(&deque->bottom,
						     memory_order_relaxed));

	return size > 0 ? (uint32_t)size : 0;
}

static inline bool troupe__deque_has_next(const struct troupe__deque *deque)
{
	/* relaxed: as above. */
	return atomic_load_explicit(&deque->next_job, memory_order_relaxed) !=
	       NULL;
}

#endif
