/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holding senders back: who waits for which full mailbox, and going on. See
 * limit.h.
 */
#include "limit.h"

#include "block.h"

bool troupe__hold_allowed(const struct troupe_actor *actor)
{
	const struct job *here = troupe__here.job;

	/* Detached actors, and blocking sections, have no worker. */
	return troupe__here.worker != NULL && here != NULL &&
	       here != &actor->job && here->system == actor->job.system &&
	       (here->flags & (JOB_BARE | ACTOR_ENDS)) == 0;
}

/* How often its limits hold a load, in sixteenths. */
static uint64_t hold_pressure(const struct limits *limits, uint64_t load)
{
	uint64_t messages = limits_messages(load) * 16 / limits->set.messages;
	uint64_t bytes = limits_bytes(load) * 16 / limits->set.bytes;

	return messages > bytes ? messages : bytes;
}

void troupe__hold_remember(struct troupe_actor *actor, uint64_t load)
{
	struct troupe_strong before = troupe__here.full;

	if (before.block == actor_block(actor))
		return;
	if (before.block != NULL) {
		const struct limits *other =
			actor_limits(block_actor(before.block));
		/* relaxed: a number. */
		uint64_t others = atomic_load_explicit(&other->load,
						       memory_order_relaxed);

		if (hold_pressure(other, others) >=
		    hold_pressure(actor_limits(actor), load))
			return;
	}
	troupe__here.full = troupe__actor_self(actor);
	troupe__strong_release(&before);
}

/* Is @job, or who it waits for in the end, waiting for @sender? Under the
 * hold lock. */
static bool hold_waits_for(const struct job *job, const struct job *sender)
{
	/* relaxed: written under this lock. */
	while (job != sender &&
	       atomic_load_explicit(&job->state, memory_order_relaxed) ==
		       JOB_HELD)
		job = (const struct job *)job->link.prev;
	return job == sender;
}

bool troupe__hold_job(struct job *job)
{
	struct troupe_strong full = troupe__here.full;
	struct troupe_actor *actor = block_actor(full.block);
	struct limits *limits = actor_limits(actor);
	struct troupe_system *system = job->system;
	bool hold;

	troupe__here.full.block = NULL;
	troupe_spinlock_lock(&system->hold_lock);
	/* seq_cst, both: steps (1) and (2) of limit.h. */
	atomic_store(&limits->held, true);
	hold = !limits->closed && !limits->abandoned &&
	       limits_full(limits, atomic_load(&limits->load)) &&
	       !hold_waits_for(&actor->job, job);
	if (hold) {
		troupe__job_state(job, JOB_HELD);
		job->link.next = NULL;
		job->link.prev = &actor->job.link;
		if (limits->held_first == NULL)
			limits->held_first = job;
		else
			limits->held_last->link.next = &job->link;
		limits->held_last = job;
	}
	troupe_spinlock_unlock(&system->hold_lock);
	troupe__strong_release(&full);
	return hold;
}

void troupe__hold_release(struct troupe_actor *actor)
{
	struct troupe_system *system = actor->job.system;
	struct limits *limits = actor_limits(actor);
	struct job *job;

	troupe_spinlock_lock(&system->hold_lock);
	/* Filled again meanwhile, by who is held for that: what fills it will
	 * be handled, and brings us here again. */
	if (!limits->closed && !limits->abandoned &&
	    limits_full(limits, atomic_load(&limits->load))) {
		troupe_spinlock_unlock(&system->hold_lock);
		return;
	}
	job = limits->held_first;
	limits->held_first = NULL;
	atomic_store(&limits->held, false);
	/* Under the lock: who walks a chain of held jobs must not follow link
	 * words that belong to the policy again. */
	for (struct job *at = job; at != NULL; at = (struct job *)at->link.next)
		troupe__job_state(at, JOB_RUNNING);
	troupe_spinlock_unlock(&system->hold_lock);
	while (job != NULL) {
		struct job *next = (struct job *)job->link.next;

		troupe__job_enqueue(job);
		job = next;
	}
}

void troupe__hold_abandon(struct troupe_actor *actor)
{
	struct troupe_system *system = actor->job.system;

	troupe_spinlock_lock(&system->hold_lock);
	actor_limits(actor)->abandoned = true;
	troupe_spinlock_unlock(&system->hold_lock);
	troupe__hold_release(actor);
}
