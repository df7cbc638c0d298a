/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * detached.h - how a thread waits for the one actor that it runs
 *
 * An actor with TRAIT_DETACHED is never given to the policy: making it READY
 * sets a flag and wakes its thread. The pointer to its struct detached lies
 * in front of its state, and of its limits if it has some.
 */
#ifndef DETACHED_H
#define DETACHED_H

#include "limit.h"

/* Legend: A atomic, O the thread that runs the actor. */
struct detached {
	_Atomic bool ready;		/* A: the actor was made READY */
	struct troupe_event event;	/* A */
	_Atomic uint32_t turns;		/* O, A read: times user code began */
	struct troupe_message *current; /* O: as troupe_receive() gave it */
	bool told_waits;		/* O: no receive has wanted it yet */
	struct troupe_message told;	/* O: that the system stops */
	struct troupe_ended ended;	/* O: its payload */
};

/** So many bytes, a multiple of JOB_ALIGN, hold the pointer. */
#define DETACHED_SIZE JOB_ALIGN

static inline struct detached **actor_detached(struct troupe_actor *actor)
{
	size_t offset = actor->state_offset - DETACHED_SIZE;

	if ((actor->job.traits & TRAIT_LIMITED) != 0)
		offset -= LIMITS_SIZE;
	return (struct detached **)((unsigned char *)actor + offset);
}

/** User code begins to run: so the watch of a stop knows. Its thread. */
static inline void detached_turn(struct detached *detached)
{
	/* relaxed, both: one writer, and a number for a report. */
	atomic_store_explicit(
		&detached->turns,
		atomic_load_explicit(&detached->turns, memory_order_relaxed) +
			1,
		memory_order_relaxed);
}

/** For the next actor. Its thread. */
void troupe__detached_reset(struct detached *detached);

/** Makes the actor's thread run it. Any thread; owns nothing. */
void troupe__detached_wake(struct detached *detached);

/** Waits for that. Returns: false if @deadline, as troupe_now(), came first. */
bool troupe__detached_wait(struct detached *detached, uint64_t deadline);

/** Runs @actor to its end, on the calling thread. */
void troupe__detached_run(struct troupe_actor *actor);

#endif
