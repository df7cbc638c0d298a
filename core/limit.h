/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * limit.h - what an actor with a limited mailbox has in front of its state
 *
 * Three of the four choices on overflow count what waits in the usual mailbox.
 * DROP_OLDEST has a list of its own, under a lock, because there a sender
 * takes messages out; senders then nudge the mailbox word.
 *
 * What the receiver handles is taken off the count in batches within a run, of a
 * sixteenth of the limits, and of LIMITS_BATCH messages, at most: so much less may
 * fit meanwhile. A detached actor, whose run may wait, has none, and a blocking
 * section begins by taking off what there is.
 *
 * Holding back. A held sender is JOB_HELD: it belongs to the receiver, in a
 * list through its link words. Each has one receiver that it waits for, the
 * fullest of those that it filled, so circles are found by walking that chain,
 * under the system's hold lock. One that has quit is held before it ends.
 *
 *	sender:   (1) held = true    (2) reads load, still above the low mark
 *	receiver: (a) load goes down (b) reads held
 *
 * All seq_cst: (2) sees the new load and the sender goes on, or (b) sees the
 * held sender and takes the lock to let it go. test/model/hold.pml goes through
 * all orders.
 */
#ifndef LIMIT_H
#define LIMIT_H

#include "core.h"

/* Legend: I set at spawn, O the owner's, A atomic, L under lock, H under the
 * hold lock. */
struct limits {
	struct troupe_limits set; /* I: no field is 0 any more */
	_Atomic uint64_t load;	  /* A: messages << 40 | bytes */
	_Atomic uint64_t done;	  /* A: of it, handled in this run; O writes */
	uint64_t batch;		  /* I: of messages, to take off at once */
	_Atomic uint64_t alert;	  /* A: call overloaded at so many limits */
	_Atomic uint64_t refused, dropped;  /* A */
	struct job *held_first, *held_last; /* H */
	_Atomic bool held;		    /* A: set under H */
	bool closed;			    /* L, H */
	bool abandoned;			    /* H: holds nobody any more */
	struct troupe_spinlock lock;
	struct troupe_message *head, *tail; /* L: DROP_OLDEST */
};

#define LIMITS_BATCH	    32
#define LIMITS_BYTE_BITS    40
#define LIMITS_MAX_BYTES    ((UINT64_C(1) << LIMITS_BYTE_BITS) - 1)
#define LIMITS_MAX_MESSAGES ((UINT64_C(1) << (64 - LIMITS_BYTE_BITS)) - 1)

static inline uint64_t limits_messages(uint64_t load)
{
	return load >> LIMITS_BYTE_BITS;
}

static inline uint64_t limits_bytes(uint64_t load)
{
	return load & LIMITS_MAX_BYTES;
}

/** Beyond what is set. */
static inline bool limits_exceeded(const struct limits *limits, uint64_t load)
{
	return limits_messages(load) > limits->set.messages ||
	       limits_bytes(load) > limits->set.bytes;
}

/** Above the low mark: of messages as set, of bytes half. */
static inline bool limits_full(const struct limits *limits, uint64_t load)
{
	return limits_messages(load) > limits->set.low ||
	       limits_bytes(load) > limits->set.bytes / 2;
}

/** The messages that wait; others may see what is not so any more. */
static inline uint64_t limits_waiting(const struct limits *limits)
{
	/* relaxed, both: a number for whoever looks. */
	uint64_t done = limits_messages(
		atomic_load_explicit(&limits->done, memory_order_relaxed));
	uint64_t load = limits_messages(
		atomic_load_explicit(&limits->load, memory_order_relaxed));

	return load > done ? load - done : 0;
}

/** So many bytes, a multiple of JOB_ALIGN, are theirs. */
#define LIMITS_SIZE ((sizeof(struct limits) + JOB_ALIGN - 1) & ~(JOB_ALIGN - 1))

static inline struct limits *actor_limits(struct troupe_actor *actor)
{
	return (struct limits *)((unsigned char *)actor + actor->state_offset -
				 LIMITS_SIZE);
}

/** Returns: 0; -EINVAL. */
int troupe__limits_init(struct troupe_actor *actor,
			const struct troupe_limits *limits);

/** As troupe__message_deliver(); also -EAGAIN, and the message is the
 * caller's. */
int troupe__limits_deliver(struct troupe_actor *actor,
			   struct troupe_message *message);

/** The next message of a DROP_OLDEST list, or NULL. Owner. */
struct troupe_message *troupe__limits_pop(struct troupe_actor *actor);

/** True if that list is not empty. Owner. */
bool troupe__limits_pending(struct troupe_actor *actor);

/** @message left the mailbox. Owner. */
void troupe__limits_handled(struct troupe_actor *actor,
			    struct troupe_message *message);

/** Takes off the count what is handled but still counted. Owner, at the end of a
 * run, or where it may wait within it. */
void troupe__limits_settle(struct troupe_actor *actor);

/** @message is back in the mailbox, for a later behaviour. Owner. */
void troupe__limits_skipped(struct troupe_actor *actor,
			    struct troupe_message *message);

/** Closes it. Owner. Returns: what was in the list, linked by next. */
struct troupe_message *troupe__limits_close(struct troupe_actor *actor);

/* hold.c */

/** May whoever runs here be made to wait for @actor? */
bool troupe__hold_allowed(const struct troupe_actor *actor);

/** Who runs here has made the load of @actor @load: it will wait for @actor,
 * unless it has filled another one more. */
void troupe__hold_remember(struct troupe_actor *actor, uint64_t load);

/** Holds @job, which its worker has run and does not touch again, if the
 * receiver in troupe__here.full still is full; the handle there goes.
 * Returns: true if it is held. */
bool troupe__hold_job(struct job *job);

/** @actor holds nobody from now on. Any thread; the actor must stay. */
void troupe__hold_abandon(struct troupe_actor *actor);
/** Lets all go that @actor holds back, if it is not full or closed. Owner. */
void troupe__hold_release(struct troupe_actor *actor);

#endif
