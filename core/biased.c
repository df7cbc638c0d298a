/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The biased lock of troupe_locks.h.
 *
 * The owner says that it is inside and then looks whether the lock is biased;
 * who takes the bias away says so and then looks whether the owner is inside:
 *
 *	owner:  (1) inside = 1        other, holding the spinlock:
 *	        (2) reads shared      (a) shared = 1
 *	                              (b) a barrier in all threads
 *	                              (c) reads inside
 *
 * One of them must see the other. (1) and (2) are plain, and a processor may do
 * (2) first. But (b) is a full fence between two instructions of the owner. If
 * that is before (2), then (2) reads 1, by (a). If it is after (2), it is after
 * (1), and (c) sees the owner inside.
 *
 * An owner that reads 1 takes the spinlock, like everybody else. Who gives up
 * because the owner stays inside gives the bias back while it holds the
 * spinlock; the next one starts with (a) again. When the owner makes the lock
 * biased again it holds the spinlock, too, and there is nobody to race with.
 *
 * Where there is no such barrier the lock is never biased.
 */
#include "platform.h"

#include "barrier.h"
#include "troupe_policy.h"

/* shared */
#define BIASED_SHARED 1u
#define BIASED_NEVER  2u /* biased */

/* Looks at an owner that is inside: its sections are short, so one that stays
 * was preempted. */
#define BIASED_LOOKS 200

/* Should the system refuse a barrier that it once granted: what a processor has
 * in its store buffer is in memory long before that, ns. */
#define BIASED_DRAINED 1000000

void troupe_biased_init(struct troupe_biased *lock)
{
	*lock = (struct troupe_biased){
		.shared = troupe__barrier_init() ? 0 : BIASED_NEVER,
	};
}

/* Holding the spinlock. */
static bool biased_revoke(struct troupe_biased *lock)
{
	/* relaxed: (a), ordered by the barrier. */
	__atomic_store_n(&lock->shared, BIASED_SHARED, __ATOMIC_RELAXED);
	if (!troupe__barrier())
		troupe_sleep(BIASED_DRAINED);
	(void)troupe__point(TROUPE__POINT_LOCK);
	for (int i = 0; i < BIASED_LOOKS; i++) {
		/* acquire: (c); what the owner did inside. Pairs with:
		 * biased_leave(), biased_enter_shared(). */
		if (__atomic_load_n(&lock->inside, __ATOMIC_ACQUIRE) == 0)
			return true;
		troupe_relax();
	}
	/* relaxed: an owner that does not see it yet takes the spinlock. */
	__atomic_store_n(&lock->shared, 0, __ATOMIC_RELAXED);
	return false;
}

bool troupe_biased_try_lock(struct troupe_biased *lock)
{
	if (!troupe_spinlock_try_lock(&lock->lock))
		return false;
	/* relaxed: written under the spinlock. */
	if (__atomic_load_n(&lock->shared, __ATOMIC_RELAXED) == 0 &&
	    !biased_revoke(lock)) {
		troupe_spinlock_unlock(&lock->lock);
		return false;
	}
	lock->calm = 0;
	return true;
}

void troupe_biased_unlock(struct troupe_biased *lock)
{
	troupe_spinlock_unlock(&lock->lock);
}

void troupe__biased_enter_shared(struct troupe_biased *lock)
{
	/* release: of the section before, whose own 0 may not have been seen.
	 * Pairs with: biased_revoke(). */
	__atomic_store_n(&lock->inside, 0, __ATOMIC_RELEASE);
	troupe_spinlock_lock(&lock->lock);
	/* relaxed: only who holds the spinlock looks at it. */
	__atomic_store_n(&lock->inside, 2, __ATOMIC_RELAXED);
}

void troupe__biased_leave_shared(struct troupe_biased *lock)
{
	/* relaxed, all: under the spinlock. */
	__atomic_store_n(&lock->inside, 0, __ATOMIC_RELAXED);
	if (++lock->calm >= TROUPE_BIASED_CALM &&
	    __atomic_load_n(&lock->shared, __ATOMIC_RELAXED) != BIASED_NEVER)
		__atomic_store_n(&lock->shared, 0, __ATOMIC_RELAXED);
	troupe_spinlock_unlock(&lock->lock);
}
