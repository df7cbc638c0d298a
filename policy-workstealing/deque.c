/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deque of deque.h: the usual case of each end under its own lock, and
 * both locks, owner's first, when few jobs are left.
 *
 * Why the two ends never take the same job, nor touch the same link.
 *
 * Each end, before it takes by its own lock alone, first says what it wants
 * and then looks at what the other end wants, both seq_cst: the owner lowers
 * top to t, then reads claim; the thief raises claim to c, which is bottom and
 * as many as it wants, then reads top. So of two that want jobs side by side,
 * the later one sees the earlier one.
 *
 *	owner: goes on if t - claim >= 1: the place below t, at least, stays.
 *	thief: goes on if top - c >= 1: the place c, at least, stays.
 *
 * Suppose the thief wants the places below c and the owner one below c or c
 * itself. If the owner speaks first, the thief reads top <= c and gives way. If
 * the thief speaks first, the owner reads claim = c >= t and gives way. Both
 * may. Who gives way takes its word back and tries again with both locks.
 *
 * It follows that the last job is only ever taken with both locks. Therefore:
 *   - newest is NULL if and only if the deque is empty (owner's lock): put may
 *     link newest->next, because no thief can take newest meanwhile;
 *   - put into an empty deque may set oldest with the owner's lock alone: a
 *     thief does not read oldest before it has seen two jobs, and who
 *     emptied the deque had both locks;
 *   - newest->prev is followed only if a job is left there; the prev of the
 *     oldest job points to one long gone, and is never followed;
 *   - the next of each job below c was stored by the put of the very job that
 *     is at the following place now, and not of one that was there before: had
 *     the owner taken one from there after our claim, it would have seen the
 *     claim and given way; before it, we see in top what it did since.
 */
#include "deque.h"

/* ---- leaves ------------------------------------------------------------ */

/* With one worker there are no thieves, and no locks. */
static inline void deque_lock(struct troupe__deque *deque,
			      struct troupe_spinlock *lock)
{
	if (deque->shared)
		troupe_spinlock_lock(lock);
}

static inline void deque_unlock(struct troupe__deque *deque,
				struct troupe_spinlock *lock)
{
	if (deque->shared)
		troupe_spinlock_unlock(lock);
}

/* relaxed: the caller is the owner, who alone writes it, or holds both locks,
 * which order it. */
static inline uint32_t deque_top(const struct troupe__deque *deque)
{
	return atomic_load_explicit(&deque->top, memory_order_relaxed);
}

/* relaxed: the caller holds thief_lock, under which it is written. */
static inline uint32_t deque_bottom(const struct troupe__deque *deque)
{
	return atomic_load_explicit(&deque->bottom, memory_order_relaxed);
}

/* Both locks. relaxed: the locks order all that is read and written here. */
static struct troupe_job *deque_locked_newest(struct troupe__deque *deque)
{
	uint32_t top = deque_top(deque);
	struct troupe_job *job = deque->newest;

	if (job == NULL)
		return NULL;
	deque->newest = top - deque_bottom(deque) > 1 ? job->prev : NULL;
	atomic_store_explicit(&deque->top, top - 1, memory_order_relaxed);
	return job;
}

/* Both locks. relaxed: as above. */
static struct troupe_job *deque_locked_oldest(struct troupe__deque *deque)
{
	uint32_t bottom = deque_bottom(deque);
	struct troupe_job *job = deque->oldest;

	if (deque->newest == NULL)
		return NULL;
	if (deque_top(deque) - bottom > 1)
		deque->oldest = job->next;
	else
		deque->newest = NULL;
	atomic_store_explicit(&deque->claim, bottom + 1, memory_order_relaxed);
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
	return job;
}

void troupe__deque_init(struct troupe__deque *deque, bool shared)
{
	deque->shared = shared;
}

/* ---- the owner's end --------------------------------------------------- */

/* Under owner_lock. */
static inline void deque_link(struct troupe__deque *deque,
			      struct troupe_job *job)
{
	job->prev = deque->newest;
	if (deque->newest != NULL)
		deque->newest->next = job;
	else
		deque->oldest = job;
	deque->newest = job;
}

/*
 * seq_cst, because the caller then looks for sleepers, and a sleeper that was
 * not there yet must see these jobs: see idle.c. relaxed if there is one
 * worker: it neither sleeps nor is robbed while it is here.
 */
static inline void deque_publish(struct troupe__deque *deque, uint32_t top)
{
	if (deque->shared)
		atomic_store(&deque->top, top);
	else
		atomic_store_explicit(&deque->top, top, memory_order_relaxed);
}

void troupe__deque_put(struct troupe__deque *deque, struct troupe_job *job)
{
	deque_lock(deque, &deque->owner_lock);
	deque_link(deque, job);
	deque_publish(deque, deque_top(deque) + 1);
	deque_unlock(deque, &deque->owner_lock);
}

void troupe__deque_put_all(struct troupe__deque *deque,
			   struct troupe_job *first, uint32_t count)
{
	deque_lock(deque, &deque->owner_lock);
	for (uint32_t i = 0; i < count; i++) {
		struct troupe_job *next = first->next;

		deque_link(deque, first);
		first = next;
	}
	deque_publish(deque, deque_top(deque) + count);
	deque_unlock(deque, &deque->owner_lock);
}

/* Under owner_lock. Returns: true if the newest job is the owner's to unlink,
 * and top is lowered already. */
static bool deque_owner_claims(struct troupe__deque *deque)
{
	uint32_t top = deque_top(deque);

	/* relaxed: only a guess that saves the claim; if bottom is higher by
	 * now, claim will tell. */
	if (top - atomic_load_explicit(&deque->bottom, memory_order_relaxed) <
	    2)
		return false;
	if (!deque->shared) {
		/* relaxed: there is no other thread. */
		atomic_store_explicit(&deque->top, top - 1,
				      memory_order_relaxed);
		return true;
	}
	atomic_store(&deque->top, top - 1);
	if ((int32_t)(top - 1 - atomic_load(&deque->claim)) >= 1)
		return true;
	atomic_store(&deque->top, top);
	return false;
}

struct troupe_job *troupe__deque_take_newest(struct troupe__deque *deque)
{
	struct troupe_job *job;

	if (troupe__deque_size(deque) == 0)
		return NULL;
	deque_lock(deque, &deque->owner_lock);
	if (deque_owner_claims(deque)) {
		job = deque->newest;
		deque->newest = job->prev;
	} else {
		deque_lock(deque, &deque->thief_lock);
		job = deque_locked_newest(deque);
		deque_unlock(deque, &deque->thief_lock);
	}
	deque_unlock(deque, &deque->owner_lock);
	return job;
}

struct troupe_job *troupe__deque_take_oldest_before(struct troupe__deque *deque,
						    uint32_t place)
{
	struct troupe_job *job = NULL;

	if (troupe__deque_size(deque) == 0)
		return NULL;
	deque_lock(deque, &deque->owner_lock);
	deque_lock(deque, &deque->thief_lock);
	if ((int32_t)(place - deque_bottom(deque)) > 0)
		job = deque_locked_oldest(deque);
	deque_unlock(deque, &deque->thief_lock);
	deque_unlock(deque, &deque->owner_lock);
	return job;
}

/* ---- the thieves' end -------------------------------------------------- */

/* Under thief_lock. Returns: true if the @count oldest jobs are the thief's to
 * unlink, and claim is raised already. */
static bool deque_thief_claims(struct troupe__deque *deque, uint32_t count)
{
	uint32_t claim = deque_bottom(deque) + count;

	atomic_store(&deque->claim, claim);
	if ((int32_t)(atomic_load(&deque->top) - claim) >= 1)
		return true;
	/* relaxed: an owner that still sees the claim takes both locks, and
	 * finds the truth under them. */
	atomic_store_explicit(&deque->claim, claim - count,
			      memory_order_relaxed);
	return false;
}

uint32_t troupe__deque_try_steal(struct troupe__deque *deque, uint32_t most,
				 struct troupe_job **ret_first)
{
	uint32_t count = (troupe__deque_size(deque) + 1) / 2;
	struct troupe_job *job;

	if (count == 0 || !deque->shared ||
	    !troupe_spinlock_try_lock(&deque->thief_lock))
		return 0;
	if (count > most)
		count = most;
	if (deque_thief_claims(deque, count)) {
		*ret_first = deque->oldest;
		for (uint32_t i = 0; i < count; i++)
			deque->oldest = deque->oldest->next;
		/* relaxed: thief_lock orders it among thieves, and the owner
		 * decides by claim; to all others it is a hint. */
		atomic_store_explicit(&deque->bottom,
				      deque_bottom(deque) + count,
				      memory_order_relaxed);
		troupe_spinlock_unlock(&deque->thief_lock);
		return count;
	}
	/* Both locks, in their order. */
	troupe_spinlock_unlock(&deque->thief_lock);
	if (!troupe_spinlock_try_lock(&deque->owner_lock))
		return 0;
	troupe_spinlock_lock(&deque->thief_lock);
	job = deque_locked_oldest(deque);
	troupe_spinlock_unlock(&deque->thief_lock);
	troupe_spinlock_unlock(&deque->owner_lock);
	if (job == NULL)
		return 0;
	*ret_first = job;
	return 1;
}
