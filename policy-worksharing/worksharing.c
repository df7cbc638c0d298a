/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work-sharing: where a READY job is put, and which one is picked. How workers
 * sleep and wake is in park.c; what can be set, in options.c.
 *
 * The shared jobs are in two lists only so that they need not be sorted: in each
 * of them, and in a worker's pinned, the numbers go up, and the lowest of the
 * first ones is the oldest. A worker runs at most newest-limit - 1 fresh jobs
 * before an older one; if it has no batch, it gives its fresh jobs back before
 * it takes shared ones, with the numbers they had. So a job that comes when R
 * are READY sees at most newest-limit * R others go first: those that are
 * older, and the fresh ones that go with each of them. A job put back by
 * resume_job_later() has a number above all that are READY, and there are no
 * fresh ones left then.
 */
#include "hands.h"

/* ---- the shared queue -------------------------------------------------- */

/* L. relaxed: the mutex orders writers, and readers take what they get. */
static uint64_t sharing_number(struct sharing *sharing)
{
	uint64_t order =
		atomic_load_explicit(&sharing->order, memory_order_relaxed);

	atomic_store_explicit(&sharing->order, order + 1, memory_order_relaxed);
	return order;
}

/* L. */
static void sharing_put(struct sharing *sharing, struct troupe_job *job)
{
	job->order = sharing_number(sharing);
	troupe_job_list_put(&sharing->outer, job);
	sharing->length++;
}

/* L. A batch is older than most that is shared, but another worker may have
 * given an older one back: by number then, as far as that is soon found. */
static void sharing_merge(struct troupe_job_list *inner,
			  const struct sharing_jobs *old)
{
	struct troupe_job **link = &inner->first;
	struct troupe_job *job = old->list.first;
	struct troupe_job *last = old->list.last;

	for (uint32_t i = 0; i < SHARING_MERGE && job != NULL &&
			     *link != NULL && (*link)->order < last->order;
	     i++) {
		if (job->order < (*link)->order) {
			struct troupe_job *next = job->next;

			job->next = *link;
			*link = job;
			job = next;
		}
		link = &(*link)->next;
	}
	if (job == NULL)
		return;
	last->next = *link;
	if (*link == NULL)
		inner->last = last;
	*link = job;
}

/* L. */
static void sharing_give_back(struct sharing *sharing, struct sharing_jobs old,
			      struct sharing_jobs young)
{
	if (old.count > 0)
		sharing_merge(&sharing->inner, &old);
	if (young.count > 0)
		troupe__hands_append(&sharing->inner, &young);
	sharing->length += old.count + young.count;
}

void troupe__sharing_relieve(struct sharing *sharing,
			     struct sharing_worker *stuck)
{
	struct sharing_jobs old, young;

	troupe__hands_empty(stuck, &old, &young);
	troupe_mutex_lock(&sharing->mutex);
	sharing_give_back(sharing, old, young);
}

/* Either may be NULL. If they have the same number, @left came first. */
static inline struct troupe_job *sharing_older(struct troupe_job *left,
					       struct troupe_job *right)
{
	if (left == NULL)
		return right;
	return right == NULL || left->order <= right->order ? left : right;
}

/* L. The oldest shared job, unless a pinned one is older; or NULL. */
static struct troupe_job *
sharing_take_shared(struct sharing *sharing,
		    const struct sharing_worker *worker)
{
	struct troupe_job *inner = sharing->inner.first;
	struct troupe_job *job = sharing_older(inner, sharing->outer.first);

	if (job == NULL || sharing_older(job, worker->pinned.first) != job)
		return NULL;
	sharing->length--;
	if (job == inner)
		return troupe_job_list_take(&sharing->inner);
	return troupe_job_list_take(&sharing->outer);
}

static struct troupe_job *sharing_take_pinned(struct sharing_worker *worker)
{
	struct troupe_job *job = troupe_job_list_take(&worker->pinned);

	/* relaxed: a hint to the owner, who takes the mutex then. */
	if (job != NULL && worker->pinned.first == NULL)
		atomic_store_explicit(&worker->bound, false,
				      memory_order_relaxed);
	return job;
}

struct troupe_job *troupe__sharing_take(struct sharing *sharing,
					struct sharing_worker *worker)
{
	struct sharing_jobs batch = {.count = 0};
	uint32_t count = sharing->length;
	struct troupe_job *first = sharing_take_shared(sharing, worker);
	struct troupe_job *job;

	if (first == NULL)
		return sharing_take_pinned(worker);
	/* What is left is for those who sleep. And who has just put a job back
	 * would have to give a batch back with the next one: jobs would go from
	 * hand to hand without being run. */
	if (sharing->sleepers != NULL || worker->single)
		return first;
	/* Who gave something to an idle worker has kept its part. */
	if (sharing->outer.first != NULL)
		count = (count + sharing->workers - 1) / sharing->workers;
	if (count > worker->batch_limit)
		count = worker->batch_limit;
	while (--count > 0 &&
	       (job = sharing_take_shared(sharing, worker)) != NULL) {
		troupe_job_list_put(&batch.list, job);
		batch.count++;
	}
	troupe__hands_fill_batch(worker, &batch);
	return first;
}

/* Somebody else is to have part of what the worker has in its hands: of the
 * batch; if there is none, the fresh jobs, but the newest if @keep. */
static void sharing_share(struct sharing_worker *worker, bool keep)
{
	struct sharing *sharing = worker->sharing;
	struct sharing_jobs old = troupe__hands_halve(worker);
	struct sharing_jobs young = {.count = 0};

	if (old.count == 0)
		young = troupe__hands_fresh(worker, keep);
	troupe_mutex_lock(&sharing->mutex);
	sharing_give_back(sharing, old, young);
	troupe__sharing_unlock(sharing);
}

/* True if somebody is idle and there is nothing for it. */
static inline bool sharing_wanted(uint32_t call)
{
	return (call & (SHARING_IDLE | SHARING_QUEUED)) == SHARING_IDLE;
}

/* relaxed, both: advice, see park_publish(). */
static inline uint32_t sharing_call(const struct sharing *sharing)
{
	return atomic_load_explicit(&sharing->call, memory_order_relaxed);
}

/* relaxed, here and below: what is put there, this thread has put there. */
static inline bool sharing_has_batch(const struct sharing_worker *worker)
{
	return atomic_load_explicit(&worker->batch, memory_order_relaxed) !=
	       NULL;
}

/* True if there are jobs that are not in the worker's hands. relaxed, all:
 * hints; what just comes is seen the next time. */
static inline bool sharing_others(const struct sharing_worker *worker)
{
	return (sharing_call(worker->sharing) & SHARING_QUEUED) != 0 ||
	       atomic_load_explicit(&worker->bound, memory_order_relaxed);
}

/* ---- enqueue ----------------------------------------------------------- */

static void sharing_central_enqueue(struct troupe_coordinator *self,
				    struct troupe_job *job)
{
	struct sharing *sharing = self->data;

	troupe_mutex_lock(&sharing->mutex);
	sharing_put(sharing, job);
	troupe__sharing_unlock(sharing);
}

static void sharing_external_enqueue(struct troupe_worker *self,
				     struct troupe_job *job)
{
	struct sharing *sharing = self->coordinator->data;
	struct sharing_worker *worker = self->data;

	troupe_mutex_lock(&sharing->mutex);
	job->order = sharing_number(sharing);
	troupe_job_list_put(&worker->pinned, job);
	/* relaxed: a hint; before it sleeps, the worker looks. */
	atomic_store_explicit(&worker->bound, true, memory_order_relaxed);
	troupe__sharing_unlock_for(sharing, worker);
}

/* There are many fresh jobs. They may go behind the batch only if nothing that
 * is shared is older. */
static void sharing_spill(struct sharing_worker *worker)
{
	struct sharing_jobs none = {.count = 0}, young;

	if (!sharing_others(worker)) {
		troupe__hands_settle(worker);
		return;
	}
	young = troupe__hands_fresh(worker, true);
	troupe_mutex_lock(&worker->sharing->mutex);
	sharing_give_back(worker->sharing, none, young);
	troupe__sharing_unlock(worker->sharing);
}

static void sharing_internal_enqueue(struct troupe_worker *self,
				     struct troupe_job *job)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	uint32_t call;
	bool more;

	/* relaxed: whatever comes after it has a number at least as high, and
	 * what came before it, as far as this thread knows, a lower one. */
	job->order =
		atomic_load_explicit(&sharing->order, memory_order_relaxed);
	more = troupe__hands_push(worker, job);
	/* From here on the job may have run and be gone: do not touch it. */
	worker->held = more ? worker->held + 1 : 1;
	call = sharing_call(sharing);
	if ((call & SHARING_UNWATCHED) != 0)
		troupe__sharing_watch(sharing);
	if (sharing_wanted(call) && (more || sharing_has_batch(worker)))
		sharing_share(worker, true);
	else if (worker->held > SHARING_FRESH)
		sharing_spill(worker);
}

/* The worker counts as coming, as it is about to dequeue, and there wakes
 * others only if it leaves a job behind: one actor alone that always has more
 * to do wakes nobody. */
static void sharing_resume_job_later(struct troupe_worker *self,
				     struct troupe_job *job)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	struct sharing_jobs old = troupe__hands_grab_batch(worker);
	struct sharing_jobs young = troupe__hands_fresh(worker, false);

	troupe_mutex_lock(&sharing->mutex);
	sharing_give_back(sharing, old, young);
	sharing_put(sharing, job);
	if (!worker->coming) {
		worker->coming = true;
		sharing->coming++;
	}
	troupe__sharing_unlock(sharing);
}

/* ---- dequeue ----------------------------------------------------------- */

/* From what is in the worker's hands; NULL if it is time for other jobs. */
static struct troupe_job *sharing_own(struct sharing_worker *worker)
{
	struct troupe_job *job;

	if (worker->coming)
		return NULL;
	if (worker->passed + 1 < worker->newest_limit) {
		job = troupe__hands_pop(worker, &worker->fresh);
		if (job != NULL) {
			worker->held--;
			worker->passed++;
			return job;
		}
	}
	worker->passed = 0;
	if (!sharing_others(worker))
		troupe__hands_settle(worker);
	job = troupe__hands_pop(worker, &worker->batch);
	if (job != NULL)
		worker->batched--;
	return job;
}

static struct troupe_job *sharing_shared(struct troupe_worker *self)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	struct sharing_jobs none = {.count = 0};
	struct sharing_jobs young = troupe__hands_fresh(worker, false);
	uint64_t now = worker->alone ? 0 : troupe_now();
	struct troupe_job *job;

	troupe_mutex_lock(&sharing->mutex);
	worker->single = worker->coming;
	if (worker->coming) {
		worker->coming = false;
		sharing->coming--;
	}
	sharing_give_back(sharing, none, young);
	if (!worker->alone)
		troupe__sharing_rest(self, now);
	job = troupe__sharing_await(self);
	troupe__sharing_unlock(sharing);
	return job;
}

/* The last run is over: turn counts the messages that were handled and sent. */
static void sharing_after_resume(struct troupe_worker *self,
				 struct troupe_job *job)
{
	struct sharing_worker *worker = self->data;

	if (worker->alone)
		return;
	/* relaxed, both: a number that others compare with itself; this thread
	 * alone writes it. */
	atomic_store_explicit(
		&worker->turn,
		atomic_load_explicit(&worker->turn, memory_order_relaxed) +
			troupe_job_messages(job) + troupe_last_run(self).sent,
		memory_order_relaxed);
}

static struct troupe_job *sharing_dequeue(struct troupe_worker *self)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	struct troupe_job *job;

	/* relaxed: wake_all() is followed by a join, so being one job late does
	 * no harm. */
	if (atomic_load_explicit(&sharing->stopping, memory_order_relaxed))
		return NULL;
	job = sharing_own(worker);
	if (job == NULL)
		job = sharing_shared(self);
	else if (sharing_wanted(sharing_call(sharing)) &&
		 (sharing_has_batch(worker) ||
		  /* relaxed: this thread alone fills it. */
		  atomic_load_explicit(&worker->fresh, memory_order_relaxed) !=
			  NULL))
		sharing_share(worker, false);
	return job;
}

/* ---- stop -------------------------------------------------------------- */

static void sharing_wake_all(struct troupe_coordinator *self)
{
	troupe__sharing_wake_all(self);
}

static struct troupe_job *sharing_drain(struct troupe_coordinator *self)
{
	struct sharing *sharing = self->data;
	struct troupe_job *job = troupe_job_list_take(&sharing->inner);

	if (job == NULL)
		job = troupe_job_list_take(&sharing->outer);
	for (uint32_t i = 0; job == NULL && i < self->worker_count; i++) {
		struct sharing_worker *worker = self->workers[i]->data;

		job = troupe__hands_pop(worker, &worker->batch);
		if (job == NULL)
			job = troupe__hands_pop(worker, &worker->fresh);
		if (job == NULL)
			job = troupe_job_list_take(&worker->pinned);
	}
	return job;
}

/* ---- the table --------------------------------------------------------- */

const struct troupe_policy_ops troupe_worksharing = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 32,	 /* newest-limit */
	.wake_latency = 3000000, /* a look of the watcher, and some */
	.name = SHARING_NAME,
	.summary = "one queue for all workers; wakes one worker at a time",
	.options = troupe__sharing_options,
	.coordinator_data_size = sizeof(struct sharing),
	.worker_data_size = sizeof(struct sharing_worker),
	.init = troupe__sharing_init,
	.fini = troupe__sharing_fini,
	.worker_init = troupe__sharing_worker_init,
	.worker_fini = troupe__sharing_worker_fini,
	.central_enqueue = sharing_central_enqueue,
	.external_enqueue = sharing_external_enqueue,
	.internal_enqueue = sharing_internal_enqueue,
	.resume_job_later = sharing_resume_job_later,
	.dequeue = sharing_dequeue,
	.after_resume = sharing_after_resume,
	.wake_all = sharing_wake_all,
	.drain = sharing_drain,
};
