/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ledger: a table that forwards each slot to the policy under test and
 * keeps book. It decides nothing about order and takes no lock of its own
 * (order.c does, when contract 4 is checked). The slots of start and end are
 * in ledger_life.c.
 */
#include "ledger_slots.h"

#include "allocations.h"
#include "chance.h"

/* What stands in the links of a job that the policy has handed out. */
static struct troupe_job ledger_poison[2];

static void ledger_count(_Atomic uint64_t *counter)
{
	/* relaxed: a statistic, read after the workers have joined. */
	atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static void ledger_nudge(const struct ledger *ledger)
{
	if (ledger->watch & LEDGER_NUDGE)
		chance_nudge();
}

/* ---- the path ---------------------------------------------------------- */

static uint64_t ledger_queue(struct ledger *ledger, struct troupe_job *job,
			     enum board_path path, uint32_t worker)
{
	struct board_mark *mark = board_mark(ledger->board, job);
	struct board_where to = {BOARD_QUEUED, path, worker, ledger->number};
	struct board_where from;
	uint64_t id = troupe_job_id(job);
	uint64_t came = 0;

	/* relaxed: see board.h. */
	atomic_store_explicit(&mark->id, id, memory_order_relaxed);
	from = board_move(ledger->board, mark, to);
	if (from.place != BOARD_FREE)
		board_fail(ledger->board,
			   "job %llu is enqueued while it is %s: it was handed "
			   "out twice, or the core is wrong",
			   (unsigned long long)id,
			   from.place == BOARD_QUEUED ? "queued" : "running");
	ledger_count(&ledger->count.queued);
	if (ledger->watch & LEDGER_ORDER)
		came = order_comes(&ledger->order, job, id, path);
	ledger_nudge(ledger);
	if (ledger->watch & LEDGER_ALLOCATIONS)
		allocations_watch();
	return came;
}

/* The slot has returned: @job may be anywhere by now. */
static void ledger_queued(struct ledger *ledger, uint64_t came,
			  enum board_path path)
{
	if ((ledger->watch & LEDGER_ALLOCATIONS) && allocations_seen() > 0)
		board_fail(ledger->board, "%s allocates memory",
			   board_path_name(path));
	if (ledger->watch & LEDGER_ORDER)
		order_placed(&ledger->order, came);
	ledger_nudge(ledger);
}

static void ledger_central_enqueue(struct troupe_coordinator *self,
				   struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self);
	uint64_t came = ledger_queue(ledger, job, BOARD_CENTRAL, BOARD_NOBODY);

	ledger->slots.central_enqueue(self, job);
	ledger_queued(ledger, came, BOARD_CENTRAL);
}

static void ledger_external_enqueue(struct troupe_worker *self,
				    struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self->coordinator);
	uint64_t came = ledger_queue(ledger, job, BOARD_EXTERNAL, self->index);

	ledger->slots.external_enqueue(self, job);
	ledger_queued(ledger, came, BOARD_EXTERNAL);
}

static void ledger_internal_enqueue(struct troupe_worker *self,
				    struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self->coordinator);
	uint64_t came = ledger_queue(ledger, job, BOARD_INTERNAL, self->index);

	board_doing(ledger->board, self->index, "in internal_enqueue");
	ledger->slots.internal_enqueue(self, job);
	board_doing(ledger->board, self->index, "runs a job");
	ledger_queued(ledger, came, BOARD_INTERNAL);
}

static void ledger_check_links(const struct ledger *ledger,
			       const struct troupe_job *job)
{
	if ((ledger->watch & LEDGER_LINKS) &&
	    (job->next != &ledger_poison[0] || job->prev != &ledger_poison[1]))
		board_fail(ledger->board,
			   "the policy wrote to the link words of job %llu "
			   "after dequeue had returned it",
			   (unsigned long long)troupe_job_id(job));
}

static void ledger_resume_job_later(struct troupe_worker *self,
				    struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self->coordinator);
	uint64_t came = ledger_queue(ledger, job, BOARD_LATER, self->index);

	board_doing(ledger->board, self->index, "in resume_job_later");
	ledger->slots.resume_job_later(self, job);
	board_doing(ledger->board, self->index, "between jobs");
	ledger_queued(ledger, came, BOARD_LATER);
}

/* @job was handed out to @worker, or by drain to NOBODY. */
static void ledger_take(struct ledger *ledger, struct troupe_job *job,
			uint32_t worker)
{
	const char *slot = worker == BOARD_NOBODY ? "drain" : "dequeue";
	struct board_mark *mark = board_mark(ledger->board, job);
	struct board_where to = {BOARD_HELD, BOARD_CENTRAL, worker,
				 ledger->number};
	struct board_where from = board_look(mark);
	/* relaxed: see board.h. */
	unsigned long long id = (unsigned long long)atomic_load_explicit(
		&mark->id, memory_order_relaxed);

	to.path = from.path;
	from = board_move(ledger->board, mark, to);
	if (id == 0)
		board_fail(ledger->board,
			   "%s returned %p, which was never "
			   "enqueued",
			   slot, (void *)job);
	if (from.system != ledger->number)
		board_fail(ledger->board,
			   "%s returned job %llu, which was "
			   "enqueued with another system",
			   slot, id);
	if (from.place == BOARD_HELD)
		board_fail(ledger->board,
			   "job %llu is handed out twice: %s "
			   "returned it while worker %u has it",
			   id, slot, from.worker);
	if (from.place == BOARD_FREE)
		board_fail(ledger->board,
			   "job %llu is handed out twice: %s "
			   "returned it again after it was done with",
			   id, slot);
	if (from.path == BOARD_EXTERNAL && worker != BOARD_NOBODY &&
	    from.worker != worker)
		board_fail(ledger->board,
			   "worker %u got job %llu, which is "
			   "pinned to worker %u",
			   worker, id, from.worker);
	ledger_count(&ledger->count.dequeued);
	if (ledger->watch & LEDGER_ORDER)
		order_taken(&ledger->order, job, worker);
}

static struct troupe_job *ledger_dequeue(struct troupe_worker *self)
{
	struct ledger *ledger = ledger_of(self->coordinator);
	struct troupe_job *job;

	board_doing(ledger->board, self->index, "in dequeue");
	job = ledger->slots.dequeue(self);
	if (job == NULL) {
		if (!troupe_stopping(self->coordinator))
			board_fail(ledger->board,
				   "dequeue returned NULL on worker %u, and "
				   "the system is not stopping",
				   self->index);
		board_doing(ledger->board, self->index, "has left dequeue");
		return NULL;
	}
	ledger_take(ledger, job, self->index);
	board_doing(ledger->board, self->index, "runs a job");
	ledger_nudge(ledger);
	if (ledger->watch & LEDGER_LINKS) {
		job->next = &ledger_poison[0];
		job->prev = &ledger_poison[1];
	}
	return job;
}

void ledger_put_back(struct ledger *ledger, const struct troupe_job *job)
{
	struct board_mark *mark = board_mark(ledger->board, job);
	struct board_where where = board_look(mark);

	where.place = BOARD_FREE;
	board_move(ledger->board, mark, where);
}

static void ledger_wake_all(struct troupe_coordinator *self)
{
	struct ledger *ledger = ledger_of(self);

	if (!troupe_stopping(self))
		board_fail(ledger->board, "core: wake_all before the system "
					  "is stopping");
	atomic_fetch_add(&ledger->count.wake_all, 1);
	board_step(ledger->board, "in wake_all");
	ledger->slots.wake_all(self);
	board_step(ledger->board, "wake_all is over, workers must leave");
}

static struct troupe_job *ledger_drain(struct troupe_coordinator *self)
{
	struct ledger *ledger = ledger_of(self);
	struct troupe_job *job;

	board_step(ledger->board, "in drain");
	job = ledger->slots.drain(self);
	if (job == NULL)
		return NULL;
	ledger_take(ledger, job, BOARD_NOBODY);
	ledger_put_back(ledger, job);
	atomic_fetch_add(&ledger->count.drained, 1);
	return job;
}

static void ledger_before_resume(struct troupe_worker *self,
				 struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self->coordinator);

	ledger_count(&ledger->count.before_resume);
	ledger->slots.before_resume(self, job);
}

/* From here on the core may hand the job to anybody. */
static void ledger_after_resume(struct troupe_worker *self,
				struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self->coordinator);

	ledger_count(&ledger->count.after_resume);
	ledger->slots.after_resume(self, job);
	ledger_check_links(ledger, job);
	board_doing(ledger->board, self->index, "between jobs");
	ledger_put_back(ledger, job);
}

static void ledger_after_completion(struct troupe_worker *self,
				    struct troupe_job *job)
{
	struct ledger *ledger = ledger_of(self->coordinator);

	ledger_count(&ledger->count.after_completion);
	ledger->slots.after_completion(self, job);
}

/* ---- the table --------------------------------------------------------- */

const struct troupe_policy_ops ledger_table = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.init = ledger_init,
	.fini = ledger_fini,
	.worker_init = ledger_worker_init,
	.worker_fini = ledger_worker_fini,
	.central_enqueue = ledger_central_enqueue,
	.external_enqueue = ledger_external_enqueue,
	.internal_enqueue = ledger_internal_enqueue,
	.resume_job_later = ledger_resume_job_later,
	.dequeue = ledger_dequeue,
	.wake_all = ledger_wake_all,
	.drain = ledger_drain,
	.before_resume = ledger_before_resume,
	.after_resume = ledger_after_resume,
	.after_completion = ledger_after_completion,
};
