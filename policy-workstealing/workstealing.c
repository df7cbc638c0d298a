/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work-stealing: where a READY job is put, and which one is picked. How idle
 * workers find and wake each other is in idle.c, and the deque in deque.c.
 *
 * Which job is older? Those in the deque have a place (deque.h); those in queue
 * and bound keep in job->order where the deque's top was when they came, and a
 * number, which orders them among themselves:
 *
 *	order = sequence << 32 | place
 *
 * If bottom has reached that place, all that were in the deque then have had
 * their turn, for the places below are gone for good. Until then the oldest in
 * the deque goes first. It may be one that came later and took over a place;
 * but there are no more such than there were jobs in the deque, so a job never
 * sees more of them go first than were READY when it came.
 *
 * A job in next counts as put at top: it goes into the deque before the oldest
 * is picked. So a job that is put back notes top + 1 if there is one in next.
 */
#include "stealing.h"

/* ---- queue and bound --------------------------------------------------- */

static void stealing_list_put(struct stealing_worker *worker,
			      struct troupe_job_list *list,
			      _Atomic uint32_t *count, struct troupe_job *job)
{
	/* relaxed, both: the owner wrote it if it is the caller, who alone
	 * needs the exact place; and the count is under list_lock. */
	uint32_t place =
		atomic_load_explicit(&worker->deque.top, memory_order_relaxed);

	if (troupe__deque_has_next(&worker->deque))
		place++;
	job->order = (uint64_t)worker->sequence++ << 32 | place;
	troupe_job_list_put(list, job);
	/* seq_cst: step (a) of idle.c. */
	atomic_store(count,
		     atomic_load_explicit(count, memory_order_relaxed) + 1);
}

/* Under list_lock. relaxed, both: to others the count is a hint, except in
 * step (3) of idle.c, and there a job that is gone does no harm. */
static struct troupe_job *stealing_list_take(struct troupe_job_list *list,
					     _Atomic uint32_t *count)
{
	struct troupe_job *job = troupe_job_list_take(list);

	if (job != NULL)
		atomic_store_explicit(
			count,
			atomic_load_explicit(count, memory_order_relaxed) - 1,
			memory_order_relaxed);
	return job;
}

/* True if there is a job in queue or bound. relaxed: a job that is just coming
 * is found the next time; before it sleeps, a worker looks again. */
static inline bool stealing_listed(const struct stealing_worker *worker)
{
	return (atomic_load_explicit(&worker->queued, memory_order_relaxed) |
		atomic_load_explicit(&worker->bounds, memory_order_relaxed)) !=
	       0;
}

/* ---- enqueue ----------------------------------------------------------- */

static void stealing_central_enqueue(struct troupe_coordinator *self,
				     struct troupe_job *job)
{
	struct stealing *stealing = self->data;
	/* relaxed: any worker will do. */
	uint32_t round =
		stealing->workers == 1
			? 0
			: atomic_fetch_add_explicit(&stealing->round, 1,
						    memory_order_relaxed) %
				  stealing->workers;
	struct stealing_worker *worker = self->workers[round]->data;

	troupe_spinlock_lock(&worker->list_lock);
	stealing_list_put(worker, &worker->queue, &worker->queued, job);
	troupe_spinlock_unlock(&worker->list_lock);
	troupe__stealing_wake(stealing, worker);
}

static void stealing_external_enqueue(struct troupe_worker *self,
				      struct troupe_job *job)
{
	struct stealing_worker *worker = self->data;

	troupe_spinlock_lock(&worker->list_lock);
	stealing_list_put(worker, &worker->bound, &worker->bounds, job);
	troupe_spinlock_unlock(&worker->list_lock);
	troupe__stealing_wake_bound(worker);
}

static void stealing_internal_enqueue(struct troupe_worker *self,
				      struct troupe_job *job)
{
	struct stealing_worker *worker = self->data;
	bool more = true;

	if (worker->run_next)
		more = troupe__deque_put_next(&worker->deque, job);
	else
		troupe__deque_put(&worker->deque, job);
	if (worker->alone)
		return;
	if (more)
		troupe__stealing_wake_if_asleep(worker->stealing);
	else
		troupe__stealing_watch(worker->stealing);
}

/* The worker is about to dequeue, so others are woken only if it leaves a job
 * behind: one that runs alone and always has more to do wakes nobody. */
static void stealing_resume_job_later(struct troupe_worker *self,
				      struct troupe_job *job)
{
	struct stealing_worker *worker = self->data;
	bool others = stealing_listed(worker) ||
		      troupe__deque_size(&worker->deque) > 0 ||
		      troupe__deque_has_next(&worker->deque);

	troupe_spinlock_lock(&worker->list_lock);
	atomic_store_explicit(
		&worker->later_turn,
		/* relaxed, both: written by this thread alone. */
		atomic_load_explicit(&worker->turn, memory_order_relaxed),
		memory_order_relaxed);
	stealing_list_put(worker, &worker->queue, &worker->queued, job);
	troupe_spinlock_unlock(&worker->list_lock);
	if (others && !worker->alone)
		troupe__stealing_wake(worker->stealing, NULL);
}

/* ---- dequeue ----------------------------------------------------------- */

/* The one that has waited longest, of those in deque, queue and bound. */
static struct troupe_job *stealing_oldest(struct stealing_worker *worker)
{
	struct troupe_job_list *list = &worker->queue;
	_Atomic uint32_t *count = &worker->queued;
	struct troupe_job *job;

	if (!stealing_listed(worker)) {
		/* relaxed: this thread alone writes top. All are below it. */
		uint32_t top = atomic_load_explicit(&worker->deque.top,
						    memory_order_relaxed);

		return troupe__deque_take_oldest_before(&worker->deque, top);
	}
	troupe_spinlock_lock(&worker->list_lock);
	if (worker->bound.first != NULL &&
	    (list->first == NULL ||
	     (int64_t)(worker->bound.first->order - list->first->order) < 0)) {
		list = &worker->bound;
		count = &worker->bounds;
	}
	/* NULL if a thief took it just now. */
	job = list->first == NULL
		      ? NULL
		      : troupe__deque_take_oldest_before(
				&worker->deque, (uint32_t)list->first->order);
	if (job == NULL)
		job = stealing_list_take(list, count);
	troupe_spinlock_unlock(&worker->list_lock);
	return job;
}

/* Now and then, the oldest first, that of next being the youngest. */
static struct troupe_job *stealing_own_oldest(struct stealing_worker *worker)
{
	bool next;

	worker->handoffs = 0;
	worker->passed = 0;
	if (!stealing_listed(worker) && troupe__deque_size(&worker->deque) == 0)
		return troupe__deque_take(&worker->deque, &next);
	if (troupe__deque_has_next(&worker->deque)) {
		troupe__deque_unshift_next(&worker->deque);
		if (!worker->alone)
			troupe__stealing_wake_if_asleep(worker->stealing);
	}
	return stealing_oldest(worker);
}

struct troupe_job *troupe__stealing_own(struct stealing_worker *worker)
{
	struct troupe_job *job;
	bool next;

	if (worker->passed + 1 >= worker->oldest_interval ||
	    worker->handoffs >= worker->handoff_limit)
		return stealing_own_oldest(worker);
	job = troupe__deque_take(&worker->deque, &next);
	if (job == NULL)
		return stealing_own_oldest(worker);
	worker->handoffs = next ? worker->handoffs + 1 : 0;
	worker->passed++;
	return job;
}

static struct troupe_job *stealing_dequeue(struct troupe_worker *self)
{
	struct stealing_worker *worker = self->data;
	struct troupe_job *job;

	/* relaxed: wake_all() is followed by a join, so being one job late does
	 * no harm. */
	if (atomic_load_explicit(&worker->stealing->stopping,
				 memory_order_relaxed))
		return NULL;
	job = troupe__stealing_own(worker);
	if (job == NULL)
		job = troupe__stealing_idle(self);
	/* release: a thief that reads this turn must see that what was in next
	 * before is taken. Pairs with: stealing_settled(). relaxed, the load:
	 * this thread alone writes it. */
	atomic_store_explicit(
		&worker->turn,
		atomic_load_explicit(&worker->turn, memory_order_relaxed) + 1,
		memory_order_release);
	return job;
}

/* ---- steal ------------------------------------------------------------- */

/*
 * True if jobs put back may go: not so between resume_job_later() and the next
 * dequeue, while next, which was READY before, has not had its turn.
 */
static bool stealing_settled(struct stealing_worker *victim)
{
	/* acquire: a later turn shows that next was taken since. Pairs with:
	 * stealing_dequeue(). relaxed: later_turn is under the lock where it
	 * matters, and next may only have been emptied. */
	return atomic_load_explicit(&victim->turn, memory_order_acquire) !=
		       atomic_load_explicit(&victim->later_turn,
					    memory_order_relaxed) ||
	       !troupe__deque_has_next(&victim->deque);
}

bool troupe__stealing_stealable(struct stealing_worker *victim)
{
	return troupe__deque_size(&victim->deque) > 0 ||
	       (atomic_load(&victim->queued) > 0 && stealing_settled(victim));
}

/* Half of the jobs in queue; the first for the thief to run, and the others
 * behind those in its own. */
static struct troupe_job *stealing_rob_queue(struct stealing_worker *thief,
					     struct stealing_worker *victim)
{
	struct troupe_job_list loot = {.first = NULL};
	struct troupe_job *job;
	uint32_t count;

	/* relaxed, here and below: a hint. */
	if (atomic_load_explicit(&victim->queued, memory_order_relaxed) == 0 ||
	    !troupe_spinlock_try_lock(&victim->list_lock))
		return NULL;
	count = (atomic_load_explicit(&victim->queued, memory_order_relaxed) +
		 1) /
		2;
	if (count > STEALING_LOOT)
		count = STEALING_LOOT;
	/* Whoever was READY before the first in queue was put there shows in
	 * the deque by now. */
	if (troupe__deque_size(&victim->deque) != 0 ||
	    !stealing_settled(victim))
		count = 0;
	for (uint32_t i = 0; i < count; i++)
		troupe_job_list_put(&loot, stealing_list_take(&victim->queue,
							      &victim->queued));
	troupe_spinlock_unlock(&victim->list_lock);
	thief->loot = count;
	job = troupe_job_list_take(&loot);
	if (loot.first == NULL || job == NULL)
		return job;
	troupe_spinlock_lock(&thief->list_lock);
	for (struct troupe_job *rest; (rest = troupe_job_list_take(&loot));)
		stealing_list_put(thief, &thief->queue, &thief->queued, rest);
	troupe_spinlock_unlock(&thief->list_lock);
	return job;
}

struct troupe_job *troupe__stealing_rob(struct stealing_worker *thief,
					struct stealing_worker *victim)
{
	struct troupe_job *job;
	uint32_t count =
		troupe__deque_try_steal(&victim->deque, STEALING_LOOT, &job);

	if (count == 0)
		return stealing_rob_queue(thief, victim);
	thief->loot = count;
	if (count > 1)
		troupe__deque_put_all(&thief->deque, job->next, count - 1);
	return job;
}

/* ---- stop -------------------------------------------------------------- */

static void stealing_wake_all(struct troupe_coordinator *self)
{
	troupe__stealing_wake_all(self->data);
}

static struct troupe_job *stealing_drain(struct troupe_coordinator *self)
{
	struct troupe_job *job = NULL;
	bool next;

	for (uint32_t i = 0; job == NULL && i < self->worker_count; i++) {
		struct stealing_worker *worker = self->workers[i]->data;

		job = troupe__deque_take(&worker->deque, &next);
		if (job == NULL)
			job = troupe_job_list_take(&worker->queue);
		if (job == NULL)
			job = troupe_job_list_take(&worker->bound);
	}
	return job;
}

/* ---- the table --------------------------------------------------------- */

const struct troupe_policy_ops troupe_workstealing = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 64,	 /* oldest-interval */
	.wake_latency = 3000000, /* a look of the watcher, and some */
	.name = STEALING_NAME,
	.summary = "a deque for each worker; idle ones steal",
	.options = troupe__stealing_options,
	.coordinator_data_size = sizeof(struct stealing),
	.worker_data_size = sizeof(struct stealing_worker),
	.init = troupe__stealing_init,
	.worker_init = troupe__stealing_worker_init,
	.central_enqueue = stealing_central_enqueue,
	.external_enqueue = stealing_external_enqueue,
	.internal_enqueue = stealing_internal_enqueue,
	.resume_job_later = stealing_resume_job_later,
	.dequeue = stealing_dequeue,
	.after_resume = troupe__stealing_after_resume,
	.wake_all = stealing_wake_all,
	.drain = stealing_drain,
};
