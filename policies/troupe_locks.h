/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_locks.h - how a policy excludes and waits
 *
 * Overview. A part of troupe_policy.h, which includes it. A policy locks and
 * waits by these and nothing else, so that tests can count and delay it, and so
 * that the core knows when a worker waits.
 *
 *	mutex, cond	for sections in which a thread may be put to sleep
 *	spinlock	for sections of a few instructions
 *	biased lock	the same, if one thread takes it far more often than all
 *			others
 *	event		to sleep until there is work, without any lock
 *
 * Ownership. All live in the policy's own data; fini only where there is one.
 * Errors. init may say -ENOMEM or -EAGAIN; nothing else here fails.
 */
#ifndef TROUPE_LOCKS_H
#define TROUPE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A mutex. Holders may be put to sleep by the kernel; keep sections short. */
struct troupe_mutex {
	uint64_t opaque[8];
};
int troupe_mutex_init(struct troupe_mutex *mutex);
void troupe_mutex_fini(struct troupe_mutex *mutex);
void troupe_mutex_lock(struct troupe_mutex *mutex);
void troupe_mutex_unlock(struct troupe_mutex *mutex);

/** A condition variable; waits may end without a signal. */
struct troupe_cond {
	uint64_t opaque[8];
};
int troupe_cond_init(struct troupe_cond *cond);
void troupe_cond_fini(struct troupe_cond *cond);
void troupe_cond_wait(struct troupe_cond *cond, struct troupe_mutex *mutex);
/** Returns: 0, or -ETIMEDOUT after @nanoseconds. */
int troupe_cond_wait_for(struct troupe_cond *cond, struct troupe_mutex *mutex,
			 uint64_t nanoseconds);
void troupe_cond_signal(struct troupe_cond *cond);
void troupe_cond_broadcast(struct troupe_cond *cond);

/** A spinlock for sections of a few instructions. Zeroed: unlocked. */
struct troupe_spinlock {
	uint32_t value;
};
void troupe_spinlock_lock(struct troupe_spinlock *lock);
bool troupe_spinlock_try_lock(struct troupe_spinlock *lock);
void troupe_spinlock_unlock(struct troupe_spinlock *lock);

/* ---- the biased lock --------------------------------------------------- */

/**
 * A biased lock: a spinlock that one thread, the *owner*, takes again and again,
 * and others seldom.
 *
 * While it is biased the owner takes it by plain stores, without an atomic
 * operation. The first of the others takes the bias away, by a system call that
 * interrupts the owner (some microseconds for both); from then on all take the
 * spinlock in it, until the owner has taken it TROUPE_BIASED_CALM times with no
 * one else in between, and it is biased again.
 *
 * Owner:  enter, leave.  Others: try_lock, unlock. A worker's data has an owner:
 * its worker, that is, whichever thread that is; one thread is done with it
 * before the next one begins.
 */
struct troupe_biased {
	uint32_t inside; /* 1: the owner, biased; 2: the owner, by lock */
	uint32_t shared; /* 0: biased; else all take lock */
	uint32_t calm;	 /* L lock: sections of the owner in a row */
	struct troupe_spinlock lock;
};
#define TROUPE_BIASED_CALM 1024
void troupe_biased_init(struct troupe_biased *lock);
/** Others. Returns: false if somebody has it, the owner or not. */
bool troupe_biased_try_lock(struct troupe_biased *lock);
void troupe_biased_unlock(struct troupe_biased *lock);

/* The owner's ways when it is not biased. */
void troupe__biased_enter_shared(struct troupe_biased *lock);
void troupe__biased_leave_shared(struct troupe_biased *lock);

/** The owner. Waits for others. */
static inline void troupe_biased_enter(struct troupe_biased *lock)
{
	/* relaxed, both: their order is made by the barrier of who takes the
	 * bias away, see core/biased.c. The fence is for the compiler. */
	__atomic_store_n(&lock->inside, 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&lock->shared, __ATOMIC_RELAXED) != 0)
		troupe__biased_enter_shared(lock);
}

/** The owner. */
static inline void troupe_biased_leave(struct troupe_biased *lock)
{
	/* relaxed: the owner's own word. */
	if (__atomic_load_n(&lock->inside, __ATOMIC_RELAXED) == 1)
		/* release: who takes the bias away must see what was done
		 * inside. Pairs with: biased_revoke(). */
		__atomic_store_n(&lock->inside, 0, __ATOMIC_RELEASE);
	else
		troupe__biased_leave_shared(lock);
}

/* ---- event counts ------------------------------------------------------ */

/**
 * An event count: sleep without a lock and without missing a wake-up.
 *
 *	sleeper:  key = troupe_event_prepare(e);
 *	          if (there is work) troupe_event_cancel(e, key);
 *	          else troupe_event_wait(e, key, deadline);
 *	waker:    publish the work; troupe_event_wake(e);
 *
 * A wake-up after prepare ends the wait that uses its key. A wake without a
 * sleeper costs one atomic operation. Zeroed: no sleeper.
 */
struct troupe_event {
	uint32_t counter;
};
#define TROUPE_NO_DEADLINE UINT64_MAX
/** Announces a sleeper. Everything read afterwards is newer than the key. */
uint32_t troupe_event_prepare(struct troupe_event *event);
/** Takes the announcement back. */
void troupe_event_cancel(struct troupe_event *event, uint32_t key);
/** Returns: 0 woken (or early, for no reason); -ETIMEDOUT at @deadline, as
 * troupe_now(). */
int troupe_event_wait(struct troupe_event *event, uint32_t key,
		      uint64_t deadline);
/** Wakes every sleeper of this event. Give each worker an event of its own
 * to wake one worker. */
void troupe_event_wake(struct troupe_event *event);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
