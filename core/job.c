/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path of a job, in its order: enqueue, resume, complete. Statistics and
 * state changes hang here and nowhere else. Policies are called through
 * system->ops, in which no slot is NULL.
 */
#include "core.h"

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
static bool job_edge_exists(enum job_state from, enum job_state to)
{
	static const uint8_t edges[] = {
		[JOB_NEW] = 1u << JOB_WAITING | 1u << JOB_READY,
		/* Back to NEW or RUNNING: a message came before IDLE. */
		[JOB_WAITING] =
			1u << JOB_READY | 1u << JOB_NEW | 1u << JOB_RUNNING,
		[JOB_READY] = 1u << JOB_RUNNING | 1u << JOB_DONE,
		[JOB_RUNNING] =
			1u << JOB_WAITING | 1u << JOB_READY | 1u << JOB_DONE,
		[JOB_DONE] = 0,
	};

	return (edges[from] & 1u << to) != 0;
}
#else
static inline bool job_edge_exists(enum job_state from, enum job_state to)
{
	(void)from;
	(void)to;
	return true;
}
#endif

void troupe__job_state(struct job *job, enum job_state state)
{
	(void)troupe__point(TROUPE__POINT_STATE);
	/* relaxed, both: the job's owner is the only writer, and ownership
	 * itself is handed over by the mailbox word and by the policy. */
	troupe_assert(job_edge_exists(
		atomic_load_explicit(&job->state, memory_order_relaxed),
		state));
	atomic_store_explicit(&job->state, state, memory_order_relaxed);
}

/* READY, and since when, if the policy wants to know. */
static void job_make_ready(struct troupe_system *system, struct job *job)
{
	troupe__job_state(job, JOB_READY);
	if (system->job_stamp_size != 0)
		*(uint64_t *)((unsigned char *)job + job_own_size(job)) =
			troupe_now();
}

/* ---- enqueue ----------------------------------------------------------- */

void troupe__job_enqueue(struct job *job)
{
	struct worker *worker = troupe__here.worker;
	struct troupe_system *system = job->system;
	uint16_t pin = job->pin;

	job_make_ready(system, job);
	if (worker != NULL && worker->system == system) {
		if (pin == JOB_ANYWHERE) {
			worker_count(worker, WORKER_INTERNAL, 1);
			system->ops.internal_enqueue(&worker->head, &job->link);
		} else {
			/* relaxed: a number for the statistics. */
			atomic_fetch_add_explicit(&system->external, 1,
						  memory_order_relaxed);
			system->ops.external_enqueue(system->head.workers[pin],
						     &job->link);
		}
		return;
	}
	troupe__system_enter(system);
	/* relaxed, both: as above. */
	if (pin == JOB_ANYWHERE) {
		atomic_fetch_add_explicit(&system->central, 1,
					  memory_order_relaxed);
		system->ops.central_enqueue(&system->head, &job->link);
	} else {
		atomic_fetch_add_explicit(&system->external, 1,
					  memory_order_relaxed);
		system->ops.external_enqueue(system->head.workers[pin],
					     &job->link);
	}
	troupe__system_leave(system);
}

/* ---- resume ------------------------------------------------------------ */

/* One message. Returns: 0, or the reason to end the actor with. */
static int job_handle(struct troupe_actor *actor,
		      struct troupe_message *message)
{
	int result;

	if ((message->bits & MESSAGE_RESPONSE) != 0)
		result = troupe__request_response(actor, message);
	else
		result = actor->receive(actor, actor_state(actor), message);
	if (result == TROUPE_SKIP) {
		if ((message->bits & (MESSAGE_RESPONSE | MESSAGE_ANSWERED)) ==
		    0) {
			troupe__mailbox_skip(&actor->mailbox, message);
			return 0;
		}
		result = 0;
	}
	troupe__message_release(message, result < 0 ? result : -ENODATA);
	return result < 0 ? result : 0;
}

/* Messages that the owner knows of; others may read it. */
static void job_depth(struct job *job, uint32_t change)
{
	/* relaxed, both: written by the owner only, read as a number. */
	atomic_store_explicit(
		&job->depth,
		atomic_load_explicit(&job->depth, memory_order_relaxed) +
			change,
		memory_order_relaxed);
}

/* The next message, new ones included; NULL if there is none. */
static struct troupe_message *job_next_message(struct troupe_actor *actor)
{
	struct troupe_message *message = mailbox_pop(&actor->mailbox);

	if (message == NULL) {
		job_depth(&actor->job, mailbox_fetch(&actor->mailbox));
		message = mailbox_pop(&actor->mailbox);
	}
	if (message != NULL)
		job_depth(&actor->job, UINT32_MAX);
	return message;
}

static enum job_state job_resume_actor(struct troupe_actor *actor,
				       uint32_t quota)
{
	uint32_t handled = 0;
	enum job_state state = JOB_READY;

	troupe__here.actor = actor;
	/* Urgent messages may have come while others wait in the lanes. */
	if (!mailbox_lanes_empty(&actor->mailbox))
		job_depth(&actor->job, mailbox_fetch(&actor->mailbox));
	while ((actor->job.flags & ACTOR_QUIT) == 0 && handled < quota) {
		struct troupe_message *message = job_next_message(actor);
		int result;

		if (message == NULL) {
			state = JOB_WAITING;
			break;
		}
		handled++;
		result = job_handle(actor, message);
		if (result < 0)
			troupe_quit(actor, result);
	}
	if ((actor->job.flags & ACTOR_QUIT) != 0)
		state = JOB_DONE;
	troupe__here.actor = NULL;
	actor->job.messages = handled;
	return state;
}

enum job_state troupe__job_resume(struct worker *worker, struct job *job)
{
	enum job_state state;

	troupe__job_state(job, JOB_RUNNING);
	troupe__here.job = job;
	if ((job->flags & JOB_BARE) != 0) {
		struct bare_job *bare = (struct bare_job *)job;

		job->messages = 1;
		state = bare->run(bare->data) == TROUPE_JOB_AGAIN ? JOB_READY
								  : JOB_DONE;
	} else {
		state = job_resume_actor(job_actor(job),
					 worker->system->max_throughput);
	}
	troupe__here.job = NULL;
	worker_count(worker, WORKER_RESUMES, 1);
	worker_count(worker, WORKER_MESSAGES, job->messages);
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
	if (worker != NULL)
		system->ops.after_completion(&worker->head, &job->link);
	troupe__free(job);
	troupe__system_count(system, WORKER_COMPLETED, 1);
	troupe__system_ended(system);
}

void troupe__job_complete(struct worker *worker, struct job *job,
			  enum job_state state)
{
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
