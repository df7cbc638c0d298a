/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * deque.h - a double-ended queue of jobs with a spinlock for each end
 *
 * Overview. One worker, the owner, puts and takes at the end of the newest
 * jobs; all others, the thieves, take at the end of the oldest. Each end has
 * its spinlock on its own cache line, so that owner and thieves meet only when
 * one job is left. The jobs are linked by their own two words: next leads to
 * the newer neighbour, prev to the older one. Nothing is allocated.
 *
 *	bottom                            top
 *	  │ oldest ── next ──► ... newest  │
 *	  ▼        ◄── prev ──             ▼
 *	thieves                          owner
 *
 * Each job has a *place*: the value of top when it was put. Places from bottom
 * to top - 1 are in use. top goes down when the owner takes, so a place can be
 * used again; bottom only goes up.
 *
 * Two jobs that must not be mixed up: the last one, which both ends may want,
 * and the one before it, whose links both ends touch. deque.c argues it.
 *
 * Synchronisation table. X: callers must keep these two apart. The owner is
 * one thread, so 1 to 3 exclude each other by themselves.
 *
 *	                      1  2  3  4  5
 *	1 put                 X  X  X  -  -
 *	2 take_newest         X  X  X  -  -
 *	3 take_oldest_before  X  X  X  -  -
 *	4 try_steal           -  -  -  -  -
 *	5 size                -  -  -  -  -
 *
 * A zeroed deque is empty, for one thread alone; troupe__deque_init() says
 * whether there are thieves.
 */
#ifndef DEQUE_H
#define DEQUE_H

#include "troupe_policy.h"

#include <stdatomic.h>

/* Legend: I set at init, T under thief_lock, O under owner_lock, A atomic. */
struct troupe__deque {
	_Alignas(64) struct troupe_spinlock owner_lock;
	bool shared;		   /* I: there are thieves */
	_Atomic uint32_t top;	   /* A: written by the owner */
	struct troupe_job *newest; /* O: NULL if and only if empty */

	_Alignas(64) struct troupe_spinlock thief_lock;
	_Atomic uint32_t claim;	   /* A: T writes: a thief wants to have
					 * the places below it */
	_Atomic uint32_t bottom;   /* A: T writes */
	struct troupe_job *oldest; /* T, but see deque.c; valid if not
					 * empty */
};

void troupe__deque_init(struct troupe__deque *deque, bool shared);

/** Context: the owner. */
void troupe__deque_put(struct troupe__deque *deque, struct troupe_job *job);

/** Puts @count jobs, at least one, the oldest first, as they follow @first by
 * next. Context: the owner. */
void troupe__deque_put_all(struct troupe__deque *deque,
			   struct troupe_job *first, uint32_t count);

/** Context: the owner. Returns: the newest job; NULL if it is empty. */
struct troupe_job *troupe__deque_take_newest(struct troupe__deque *deque);

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
 * Context: any thread. Does not wait for a lock.
 * Returns: how many; 0 if it is empty or somebody else is at it.
 */
uint32_t troupe__deque_try_steal(struct troupe__deque *deque, uint32_t most,
				 struct troupe_job **ret_first);

/** How many jobs there are; by the time the caller knows, there may be fewer,
 * or if it is not the owner, more. Never 0 if one was put before and none
 * taken since. */
static inline uint32_t troupe__deque_size(const struct troupe__deque *deque)
{
	uint32_t top = atomic_load(&deque->top);
	int32_t size = (int32_t)(top - atomic_load(&deque->bottom));

	return size > 0 ? (uint32_t)size : 0;
}

#endif
