/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path of a job, in its order: enqueue, resume, complete. Statistics and
 * state changes hang here and nowhere else. Policies are called through
 * system->ops, in which no slot is NULL.
 */
#include "credit.h"
#include "pool.h"
#include "process.h"

#include <errno.h>

/* What a policy's own bytes lie behind. */
static size_t job_own_size(const struct job *job)
{
	return (job->flags & JOB_BARE) != 0 ? sizeof(struct bare_job)
					    : sizeof(struct troupe_actor);
}

static struct troupe_actor *job_actor(struct job *job)
{
	return (struct troupe_actor *)job;
}

/* ---- states ------------------------------------------------------------ */

#if TROUPE_CHECKS
void troupe__job_check_edge(enum job_state from, enum job_state to)
{
	static const uint8_t edges[] = {
		[JOB_NEW] = 1u << JOB_WAITING | 1u << JOB_READY,
		/* Back to NEW or RUNNING: a message came before IDLE. */
		[JOB_WAITING] =
			1u << JOB_READY | 1u << JOB_NEW | 1u << JOB_RUNNING,
		[JOB_READY] = 1u << JOB_RUNNING | 1u << JOB_DONE,
		[JOB_RUNNING] = 1u << JOB_WAITING | 1u << JOB_READY |
				1u << JOB_HELD | 1u << JOB_DONE,
		/* Let go: READY again by way of the core. */
		[JOB_HELD] = 1u << JOB_RUNNING,
		[JOB_DONE] = 0,
	};

	troupe_assert((edges[from] & 1u << to) != 0);
}
#endif

/* READY, and since when, if the policy wants to know. */
static void job_make_ready(struct troupe_system *system, struct job *job)
{
	troupe__job_state(job, JOB_READY);
	if (system->job_stamp_size != 0)
		*(uint64_t *)((unsigned char *)job + job_own_size(job)) =
			troupe_now();
}

static void job_enqueue_pinned(struct troupe_system *system, struct job *job,
			       uint16_t pin)
{
	/* relaxed: a number for the statistics. */
	atomic_fetch_add_explicit(&system->external, 1, memory_order_relaxed);
	system->ops.external_enqueue(system->head.workers[pin], &job->link);
}

/* ---- enqueue ----------------------------------------------------------- */

void troupe__job_enqueue(struct job *job)
{
	struct worker *worker = troupe__here.worker;
	struct troupe_system *system = job->system;
	uint16_t pin = job->pin;

	/* In a child nobody would run it, and locks may be held for ever. */
	if (process_lost(system))
		return;
	if ((job->traits & TRAIT_DETACHED) != 0) {
		struct detached *detached = *actor_detached(job_actor(job));

		troupe__job_state(job, JOB_READY);
		/* As below: its thread may end the system. */
		troupe__system_enter(system);
		troupe__detached_wake(detached);
		troupe__system_leave(system);
		return;
	}
	job_make_ready(system, job);
	if (worker != NULL && worker->system == system) {
		if (pin == JOB_ANYWHERE) {
			worker_count(worker, WORKER_INTERNAL, 1);
			system->ops.internal_enqueue(&worker->head, &job->link);
		} else {
			job_enqueue_pinned(system, job, pin);
		}
		return;
	}
	troupe__system_enter(system);
	if (pin == JOB_ANYWHERE) {
		/* relaxed: a number for the statistics. */
		atomic_fetch_add_explicit(&system->central, 1,
					  memory_order_relaxed);
		system->ops.central_enqueue(&system->head, &job->link);
	} else {
		job_enqueue_pinned(system, job, pin);
	}
	troupe__system_leave(system);
}

/* ---- resume ------------------------------------------------------------ */

/* Runs a bare job once. One that stops wanting more when the system ends. */
static enum job_state job_resume_bare(struct bare_job *bare)
{
	int result;

	bare->job.messages = 0;
	if ((bare->job.flags & JOB_OVER) != 0)
		return JOB_DONE;
	result = bare->run(bare->data);
	bare->job.messages = 1;
	/* relaxed: a later run sees it, if not this one. */
	if (result != TROUPE_JOB_AGAIN ||
	    atomic_load_explicit(&bare->job.system->ending,
				 memory_order_relaxed) != SYSTEM_GOES_ON)
		return JOB_DONE;
	return JOB_READY;
}

/* Counts a run where it ended, which may be off the workers by now. */
static void job_count(const struct job *job)
{
	struct worker *worker = troupe__here.worker;

	if (worker != NULL) {
		worker_count(worker, WORKER_RESUMES, 1);
		worker_count(worker, WORKER_MESSAGES, job->messages);
		/* relaxed: an address for statistics. */
		atomic_store_explicit(&worker->running, NULL,
				      memory_order_relaxed);
		return;
	}
	troupe__system_count(job->system, WORKER_RESUMES, 1);
	troupe__system_count(job->system, WORKER_MESSAGES, job->messages);
}

enum job_state troupe__job_resume(struct job *job)
{
	struct worker *worker = troupe__here.worker;
	enum job_state state;

	troupe__job_state(job, JOB_RUNNING);
	troupe__here.job = job;
	here_begin_run();
	if (worker != NULL) {
		/* relaxed: an address for statistics. */
		atomic_store_explicit(&worker->running, job,
				      memory_order_relaxed);
		job_set_home(job, troupe__here.home);
	}
	if ((job->flags & JOB_BARE) != 0)
		state = job_resume_bare((struct bare_job *)job);
	else
		state = troupe__actor_run(job_actor(job));
	troupe__here.job = NULL;
	job_count(job);
	return state;
}

/* ---- complete ---------------------------------------------------------- */

static void job_end(struct worker *worker, struct job *job, int reason)
{
	struct troupe_system *system = job->system;

	if ((job->flags & JOB_BARE) == 0) {
		troupe__actor_end(job_actor(job), worker, reason);
		return;
	}
	troupe__job_state(job, JOB_DONE);
	troupe__system_count(system, WORKER_COMPLETED, 1);
	if (worker == NULL) {
		/* It may be the last of the system. */
		troupe__pool_uncount(job, TROUPE__RUNNING_JOB);
		troupe__free(job);
		return;
	}
	system->ops.after_completion(&worker->head, &job->link);
	troupe__free(job);
	credit_job_ends(worker);
}

void troupe__job_complete(struct worker *worker, struct job *job,
			  enum job_state state)
{
	/* Also one that has quit: it ends when it goes on. */
	if (troupe__here.full.block != NULL && troupe__hold_job(job)) {
		worker_count(worker, WORKER_HELD, 1);
		return;
	}
	if (state == JOB_WAITING)
		state = troupe__actor_settle(job_actor(job));
	switch (state) {
	case JOB_WAITING:
		break; /* not ours any more */
	case JOB_DONE:
		job_end(worker, job,
			(job->flags & JOB_BARE) != 0 ? 0
						     : job_actor(job)->reason);
		break;
	default:
		job_make_ready(worker->system, job);
		worker_count(worker, WORKER_LATER, 1);
		if (job->pin == JOB_ANYWHERE)
			worker->system->ops.resume_job_later(&worker->head,
							     &job->link);
		else
			worker->system->ops.external_enqueue(&worker->head,
							     &job->link);
		break;
	}
}

/* Its thread was abandoned while it was in a blocking section: it ends here and
 * now, as the policy may be no more. */
static void job_end_abandoned(struct job *job)
{
	int reason = TROUPE_EXIT_SHUTDOWN;

	if ((job->flags & (JOB_BARE | ACTOR_QUIT)) == ACTOR_QUIT)
		reason = job_actor(job)->reason;
	job_end(NULL, job, reason);
}

void troupe__job_complete_outside(struct job *job, enum job_state state)
{
	troupe_strong_release(&troupe__here.full);
	/* A child has no threads. */
	if (troupe__here.thread != NULL &&
	    !troupe__pool_back(troupe__here.thread)) {
		job_end_abandoned(job);
		return;
	}
	if (state == JOB_WAITING)
		state = troupe__actor_settle(job_actor(job));
	if (state == JOB_WAITING)
		return;
	/* One that is done ends on a worker, as the policy expects. */
	if (state == JOB_DONE && (job->flags & JOB_BARE) != 0)
		job->flags |= JOB_OVER;
	troupe__job_enqueue(job);
}

void troupe__job_discard(struct job *job)
{
	job_end(NULL, job, -ECANCELED);
}

/* ---- what policies ask of a job ---------------------------------------- */

static const struct job *job_of(const struct troupe_job *link)
{
	return (const struct job *)link;
}

uint64_t troupe_job_id(const struct troupe_job *link)
{
	const struct job *job = job_of(link);

	if ((job->flags & JOB_BARE) != 0)
		return ((const struct bare_job *)job)->id;
	return actor_block(job_actor((struct job *)job))->id;
}

const char *troupe_job_name(const struct troupe_job *link)
{
	const struct job *job = job_of(link);

	if ((job->flags & JOB_BARE) != 0)
		return "job";
	return ((const struct troupe_actor *)job)->actor_class->name;
}

bool troupe_job_pinned(const struct troupe_job *link)
{
	return job_of(link)->pin != JOB_ANYWHERE;
}

uint32_t troupe_job_worker(const struct troupe_job *link)
{
	return home_worker(job_home(job_of(link)));
}

uint32_t troupe_job_messages(const struct troupe_job *link)
{
	return job_of(link)->messages;
}

void *troupe_job_data(struct troupe_job *link)
{
	struct job *job = (struct job *)link;

	return (unsigned char *)job + job_own_size(job) +
	       job->system->job_stamp_size;
}

uint64_t troupe_job_ready_since(const struct troupe_job *link)
{
	const struct job *job = job_of(link);

	troupe_assert(job->system->job_stamp_size != 0);
	return *(const uint64_t *)((const unsigned char *)job +
				   job_own_size(job));
}
