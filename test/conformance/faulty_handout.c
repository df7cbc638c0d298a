/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults in contracts 1 and 2: whose job it is, and what enqueueing may do.
 */
#include "faulty.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- contract 1 -------------------------------------------------------- */

static struct troupe_job *losing_dequeue(struct troupe_worker *self)
{
	struct troupe_job *job = NULL;

	faulty_lock(self->coordinator);
	while (!troupe_stopping(self->coordinator)) {
		job = faulty_take(self);
		/* Every 50th falls on the floor. */
		if (job != NULL && faulty_of(self)->taken % 50 != 49)
			break;
		if (job == NULL)
			faulty_wait(self);
	}
	faulty_unlock(self->coordinator);
	return job;
}

static struct troupe_job *repeating_dequeue(struct troupe_worker *self)
{
	struct faulty_coordinator *faulty = faulty_of(self);
	struct troupe_job *job;

	faulty_lock(self->coordinator);
	job = faulty->again;
	faulty->again = NULL;
	faulty_unlock(self->coordinator);
	if (job != NULL)
		return job;
	job = faulty_dequeue(self);
	faulty_lock(self->coordinator);
	if (faulty->taken % 50 == 49)
		faulty->again = job;
	faulty_unlock(self->coordinator);
	return job;
}

/* A job that has more to do is queued again: to return it would be right. */
static void repeating_resume_job_later(struct troupe_worker *self,
				       struct troupe_job *job)
{
	struct faulty_coordinator *faulty = faulty_of(self);

	faulty_lock(self->coordinator);
	if (faulty->again == job)
		faulty->again = NULL;
	faulty_unlock(self->coordinator);
	faulty_internal_enqueue(self, job);
}

/* Hands out the first job and leaves it there until it has run. */
static struct troupe_job *leaving_dequeue(struct troupe_worker *self)
{
	struct faulty_coordinator *faulty = faulty_of(self);
	struct troupe_job *job = NULL;

	faulty_lock(self->coordinator);
	while (!troupe_stopping(self->coordinator)) {
		job = faulty->shared.first;
		if (job != NULL)
			break;
		faulty_wait(self);
	}
	faulty_unlock(self->coordinator);
	return job;
}

static void leaving_after_resume(struct troupe_worker *self,
				 struct troupe_job *job)
{
	struct faulty_coordinator *faulty = faulty_of(self);

	faulty_lock(self->coordinator);
	if (faulty->shared.first == job)
		faulty_take_shared(faulty);
	faulty_unlock(self->coordinator);
}

static void unbound_external_enqueue(struct troupe_worker *self,
				     struct troupe_job *job)
{
	faulty_central_enqueue(self->coordinator, job);
}

static void touching_after_resume(struct troupe_worker *self,
				  struct troupe_job *job)
{
	(void)self;
	job->next = NULL;
}

/* One word for all systems: a job of one comes to the other. */
static _Atomic(struct troupe_job *) mixing_spare;

static void mixing_central_enqueue(struct troupe_coordinator *self,
				   struct troupe_job *job)
{
	struct troupe_job *other = atomic_exchange(&mixing_spare, job);

	if (other != NULL)
		faulty_central_enqueue(self, other);
}

static bool after_a_while(struct troupe_worker *self)
{
	bool after;

	faulty_lock(self->coordinator);
	after = faulty_of(self)->taken > 50;
	faulty_unlock(self->coordinator);
	return after;
}

static struct troupe_job *crashing_dequeue(struct troupe_worker *self)
{
	if (after_a_while(self))
		abort();
	return faulty_dequeue(self);
}

static struct troupe_job *leaving_early_dequeue(struct troupe_worker *self)
{
	if (after_a_while(self))
		_exit(0);
	return faulty_dequeue(self);
}

/* ---- contract 2 -------------------------------------------------------- */

#define BLOCKING_ROOM 500

static void blocking_central_enqueue(struct troupe_coordinator *self,
				     struct troupe_job *job)
{
	struct faulty_coordinator *faulty = self->data;

	faulty_lock(self);
	while (faulty->length >= BLOCKING_ROOM && !troupe_stopping(self))
		troupe_cond_wait(&faulty->room, &faulty->mutex);
	faulty_put(faulty, job);
	troupe_cond_signal(&faulty->cond);
	faulty_unlock(self);
}

static struct troupe_job *blocking_dequeue(struct troupe_worker *self)
{
	struct troupe_job *job = faulty_dequeue(self);

	troupe_cond_signal(&faulty_of(self)->room);
	return job;
}

static void allocating_internal_enqueue(struct troupe_worker *self,
					struct troupe_job *job)
{
	/* volatile: or the compiler drops both. */
	void *volatile node = malloc(sizeof(void *));

	free(node);
	faulty_internal_enqueue(self, job);
}

/* ---- the faults -------------------------------------------------------- */

#define HANDED_OUT_ONCE "contract 1: each job is handed out once"
#define LINK_WORDS	"contract 1: link words are left alone after the hand-out"
#define STAY_PINNED	"contract 1: pinned jobs stay on their worker"
#define TWO_SYSTEMS	"contract 1: two systems share nothing"
#define RETURNS		"contract 2: enqueue returns while every worker is busy"
#define ALLOCATES	"contract 2: enqueue allocates nothing"
#define ALL_ASLEEP	"contract 3: no lost wake-up (all asleep)"

/* Who sees first that a job was handed out twice: the ledger when the job
 * leaves the policy or comes back to it; the job itself, if the worker was
 * interrupted in between; nobody, if the job had been freed by then and its
 * memory is another job, whose place in the queue is now lost. */
#define SEEN_TWICE                                                     \
	"handed out twice", "two workers", "after its end", "crashed", \
		"is not dequeued"

const struct faulty faulty_handout[] = {
	{
		.what = "loses a job",
		.breaks = HANDED_OUT_ONCE,
		.says = {"is not dequeued"},
		.workers = 2,
		.ops = {.dequeue = losing_dequeue},
	},
	{
		.what = "hands a job out twice",
		.breaks = HANDED_OUT_ONCE,
		.says = {SEEN_TWICE},
		.keeps = ALL_ASLEEP,
		.workers = 1,
		.ops = {.resume_job_later = repeating_resume_job_later,
			.dequeue = repeating_dequeue},
	},
	{
		.what = "runs a job on two workers",
		.breaks = HANDED_OUT_ONCE,
		.says = {SEEN_TWICE},
		.races = true,
		.workers = 2,
		.ops = {.dequeue = leaving_dequeue,
			.after_resume = leaving_after_resume},
	},
	{
		.what = "ignores pinning",
		.breaks = STAY_PINNED,
		.says = {"pinned to worker"},
		.keeps = HANDED_OUT_ONCE,
		.workers = 2,
		.ops = {.external_enqueue = unbound_external_enqueue},
	},
	{
		.what = "touches link words after the hand-out",
		.breaks = LINK_WORDS,
		.says = {"link words"},
		.keeps = HANDED_OUT_ONCE,
		.workers = 2,
		.ops = {.after_resume = touching_after_resume},
	},
	{
		.what = "has file-scope state",
		.breaks = TWO_SYSTEMS,
		.says = {"another system"},
		.workers = 2,
		.ops = {.central_enqueue = mixing_central_enqueue},
	},
	{
		.what = "crashes",
		.breaks = HANDED_OUT_ONCE,
		.says = {"crashed"},
		.workers = 2,
		.ops = {.dequeue = crashing_dequeue},
	},
	{
		.what = "ends the process",
		.breaks = HANDED_OUT_ONCE,
		.says = {"has ended the process"},
		.workers = 2,
		.ops = {.dequeue = leaving_early_dequeue},
	},
	{
		.what = "waits for room in enqueue",
		.breaks = RETURNS,
		.says = {"hangs at: central_enqueue while every worker is "
			 "busy"},
		.keeps = HANDED_OUT_ONCE,
		.workers = 2,
		.ops = {.central_enqueue = blocking_central_enqueue,
			.dequeue = blocking_dequeue},
	},
	{
		.what = "allocates in enqueue",
		.breaks = ALLOCATES,
		.says = {"internal_enqueue allocates memory"},
		.keeps = RETURNS,
		.workers = 2,
		.ops = {.internal_enqueue = allocating_internal_enqueue},
	},
	{.what = NULL},
};
