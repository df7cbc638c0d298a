/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults in contracts 3 and 4: who is woken, and whose turn it is.
 */
#include "faulty.h"

/* ---- contract 3 -------------------------------------------------------- */

static void silent_central_enqueue(struct troupe_coordinator *self,
				   struct troupe_job *job)
{
	faulty_lock(self);
	faulty_put(self->data, job);
	faulty_unlock(self);
}

/* The sender will take it itself, thinks this one. */
static void silent_internal_enqueue(struct troupe_worker *self,
				    struct troupe_job *job)
{
	silent_central_enqueue(self->coordinator, job);
}

/* One signal may reach a worker that the job does not concern. */
static void wrong_external_enqueue(struct troupe_worker *self,
				   struct troupe_job *job)
{
	faulty_lock(self->coordinator);
	faulty_put_pinned(self, job);
	troupe_cond_signal(&faulty_of(self)->cond);
	faulty_unlock(self->coordinator);
}

/* If there is a job already, somebody must be awake, thinks this one. */
static void first_central_enqueue(struct troupe_coordinator *self,
				  struct troupe_job *job)
{
	struct faulty_coordinator *faulty = self->data;

	faulty_lock(self);
	if (faulty->shared.first == NULL)
		troupe_cond_signal(&faulty->cond);
	faulty_put(faulty, job);
	faulty_unlock(self);
}

static void first_internal_enqueue(struct troupe_worker *self,
				   struct troupe_job *job)
{
	first_central_enqueue(self->coordinator, job);
}

#define RESTING_TAKEN 3000

/* It did not help that the others ran, thinks this one, so they are to rest: and
 * nothing ends that but a job of their own. */
static struct troupe_job *resting_dequeue(struct troupe_worker *self)
{
	struct troupe_job *job = NULL;

	faulty_lock(self->coordinator);
	while (!troupe_stopping(self->coordinator)) {
		job = self->index == 0 || faulty_of(self)->taken < RESTING_TAKEN
			      ? faulty_take(self)
			      : faulty_take_pinned(self);
		if (job != NULL)
			break;
		faulty_wait(self);
	}
	faulty_unlock(self->coordinator);
	return job;
}

#define SLOW_SLEEP_NS 400000000u

/* Looks now and then, and claims to be woken at once. */
static struct troupe_job *slow_dequeue(struct troupe_worker *self)
{
	for (;;) {
		struct troupe_job *job;

		faulty_lock(self->coordinator);
		job = faulty_take(self);
		faulty_unlock(self->coordinator);
		if (job != NULL || troupe_stopping(self->coordinator))
			return job;
		troupe_sleep(SLOW_SLEEP_NS);
	}
}

/* ---- contract 4 -------------------------------------------------------- */

static void eager_resume_job_later(struct troupe_worker *self,
				   struct troupe_job *job)
{
	faulty_lock(self->coordinator);
	faulty_put_front(faulty_of(self), job);
	troupe_cond_signal(&faulty_of(self)->cond);
	faulty_unlock(self->coordinator);
}

static void newest_central_enqueue(struct troupe_coordinator *self,
				   struct troupe_job *job)
{
	struct faulty_coordinator *faulty = self->data;

	faulty_lock(self);
	faulty_put_front(faulty, job);
	troupe_cond_signal(&faulty->cond);
	faulty_unlock(self);
}

static void newest_internal_enqueue(struct troupe_worker *self,
				    struct troupe_job *job)
{
	newest_central_enqueue(self->coordinator, job);
}

static struct troupe_job *either_dequeue(struct troupe_worker *self,
					 bool pinned_first)
{
	struct troupe_job *job = NULL;

	faulty_lock(self->coordinator);
	while (!troupe_stopping(self->coordinator)) {
		job = pinned_first ? faulty_take_pinned(self)
				   : faulty_take_shared(faulty_of(self));
		if (job == NULL)
			job = faulty_take(self);
		if (job != NULL)
			break;
		faulty_wait(self);
	}
	faulty_unlock(self->coordinator);
	return job;
}

static struct troupe_job *pinned_first_dequeue(struct troupe_worker *self)
{
	return either_dequeue(self, true);
}

static struct troupe_job *pinned_last_dequeue(struct troupe_worker *self)
{
	return either_dequeue(self, false);
}

/* A queue of its own for what a worker makes READY, and that one first. */
static void local_enqueue(struct troupe_worker *self, struct troupe_job *job)
{
	faulty_lock(self->coordinator);
	faulty_put_pinned(self, job);
	faulty_unlock(self->coordinator);
}

/* ---- the faults -------------------------------------------------------- */

#define ALL_ASLEEP    "contract 3: no lost wake-up (all asleep)"
#define STAYS_BUSY    "contract 3: no lost wake-up (sender stays busy)"
#define AFTER_TINY    "contract 3: no lost wake-up (after tiny jobs)"
#define PINNED_ASLEEP "contract 3: no lost wake-up (pinned, all asleep)"
#define PUT_BACK      "contract 3: no lost wake-up (put back behind a busy job)"
#define EVERY_SLEEPER "contract 3: there is work for every sleeper"
#define IN_TIME	      "contract 3: a sleeper wakes within wake_latency"
#define YIELDER	      "contract 4: a yielder goes behind the others"
#define PING_PONG     "contract 4: endless ping-pong starves nobody"
#define FREE_STARVE   "contract 4: pinned jobs do not starve free ones"
#define PINNED_STARVE "contract 4: free jobs do not starve pinned ones"
#define FROM_OUTSIDE  "contract 4: jobs that come from outside have their turn"

const struct faulty faulty_order[] = {
	{
		.what = "forgets to wake a sleeper",
		.breaks = ALL_ASLEEP,
		.says = {"is not dequeued"},
		.keeps = PINNED_ASLEEP,
		.workers = 1,
		.ops = {.central_enqueue = silent_central_enqueue},
	},
	{
		.what = "forgets to wake a sleeper when the sender stays busy",
		.breaks = STAYS_BUSY,
		.says = {"hangs at: one internal_enqueue by a job that stays"},
		.keeps = ALL_ASLEEP,
		.workers = 2,
		.ops = {.internal_enqueue = silent_internal_enqueue},
	},
	{
		.what = "rests for ever after tiny jobs",
		.breaks = AFTER_TINY,
		.says = {"is not dequeued"},
		.keeps = STAYS_BUSY,
		.workers = 2,
		.ops = {.dequeue = resting_dequeue},
	},
	{
		.what = "forgets to wake a sleeper for a job that is put back",
		.breaks = PUT_BACK,
		.says = {"queued by resume_job_later, is not dequeued"},
		.keeps = STAYS_BUSY,
		.workers = 2,
		.ops = {.resume_job_later = silent_internal_enqueue},
	},
	{
		.what = "wakes the wrong worker",
		.breaks = PINNED_ASLEEP,
		.says = {"queued by external_enqueue, is not dequeued"},
		.keeps = ALL_ASLEEP,
		.workers = 4,
		.ops = {.external_enqueue = wrong_external_enqueue},
	},
	{
		.what = "wakes for the first job only",
		.breaks = EVERY_SLEEPER,
		.says = {"is not dequeued"},
		.keeps = ALL_ASLEEP,
		.workers = 4,
		.ops = {.central_enqueue = first_central_enqueue,
			.internal_enqueue = first_internal_enqueue},
	},
	{
		.what = "sleeps on when a job comes",
		.breaks = IN_TIME,
		.says = {"a job by central_enqueue waits"},
		.workers = 1,
		.ops = {.dequeue = slow_dequeue},
	},
	{
		.what = "lets a yielder run again at once",
		.breaks = YIELDER,
		.says = {"runs again before"},
		.keeps = PING_PONG,
		.workers = 1,
		.ops = {.resume_job_later = eager_resume_job_later},
	},
	{
		.what = "takes the newest first and starves the oldest",
		.breaks = PING_PONG,
		.says = {"others go first"},
		.keeps = ALL_ASLEEP,
		.workers = 1,
		.ops = {.central_enqueue = newest_central_enqueue,
			.internal_enqueue = newest_internal_enqueue,
			.resume_job_later = faulty_internal_enqueue},
	},
	{
		.what = "takes pinned jobs first",
		.breaks = FREE_STARVE,
		.says = {"others go first"},
		.keeps = ALL_ASLEEP,
		.workers = 1,
		.ops = {.dequeue = pinned_first_dequeue},
	},
	{
		.what = "takes pinned jobs last",
		.breaks = PINNED_STARVE,
		.says = {"by external_enqueue"},
		.keeps = ALL_ASLEEP,
		.workers = 1,
		.ops = {.dequeue = pinned_last_dequeue},
	},
	{
		.what = "takes its own jobs first",
		.breaks = FROM_OUTSIDE,
		.says = {"by central_enqueue"},
		.keeps = ALL_ASLEEP,
		.workers = 1,
		.ops = {.internal_enqueue = local_enqueue,
			.resume_job_later = local_enqueue,
			.dequeue = pinned_first_dequeue},
	},
	{.what = NULL},
};
