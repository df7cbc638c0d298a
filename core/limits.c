/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limited mailboxes: counting what waits, and what happens beyond the limit.
 * See limit.h. Actors without limits never come here.
 */
#include "limit.h"

#include <errno.h>
#include <string.h>

#include "block.h"

#define LIMITS_BYTE_BITS    40
#define LIMITS_MAX_BYTES    ((UINT64_C(1) << LIMITS_BYTE_BITS) - 1)
#define LIMITS_MAX_MESSAGES ((UINT64_C(1) << (64 - LIMITS_BYTE_BITS)) - 1)

/* Half of what the counter could hold: senders count before they look. */
#define LIMITS_ROOM(max) ((max) / 2)

static uint64_t limits_messages(uint64_t load)
{
	return load >> LIMITS_BYTE_BITS;
}

static uint64_t limits_bytes(uint64_t load)
{
	return load & LIMITS_MAX_BYTES;
}

/* What one message adds to the load. */
static uint64_t limits_weight(const struct troupe_message *message)
{
	return UINT64_C(1) << LIMITS_BYTE_BITS | message->size;
}

static bool limits_apply(const struct troupe_message *message)
{
	return (message->bits &
		(MESSAGE_URGENT | MESSAGE_RESPONSE | MESSAGE_SYSTEM)) == 0;
}

static bool limits_exceeded(const struct limits *limits, uint64_t load)
{
	return limits_messages(load) > limits->set.messages ||
	       limits_bytes(load) > limits->set.bytes;
}

/* Above the low mark: of messages as set, of bytes as much in proportion. */
static bool limits_full(const struct limits *limits, uint64_t load)
{
	return limits_messages(load) > limits->set.low ||
	       limits_bytes(load) > limits->set.bytes / 2;
}

int troupe__limits_init(struct troupe_actor *actor,
			const struct troupe_limits *set)
{
	struct limits *limits = actor_limits(actor);

	if (set->messages > LIMITS_ROOM(LIMITS_MAX_MESSAGES) ||
	    set->bytes > LIMITS_ROOM(LIMITS_MAX_BYTES) ||
	    (unsigned)set->overflow > TROUPE_OVERFLOW_HOLD ||
	    (set->messages != 0 && set->low > set->messages))
		return -EINVAL;
	limits->set = *set;
	if (set->messages == 0)
		limits->set.messages = LIMITS_ROOM(LIMITS_MAX_MESSAGES);
	if (set->bytes == 0)
		limits->set.bytes = LIMITS_ROOM(LIMITS_MAX_BYTES);
	if (set->low == 0)
		limits->set.low = limits->set.messages / 2;
	/* relaxed: nobody else knows the actor yet. */
	atomic_store_explicit(&limits->alert, limits->set.messages,
			      memory_order_relaxed);
	return 0;
}

/* ---- counting ---------------------------------------------------------- */

static void limits_alert(struct troupe_actor *actor, uint64_t messages)
{
	struct limits *limits = actor_limits(actor);
	/* relaxed: a number of its own. */
	uint64_t alert =
		atomic_load_explicit(&limits->alert, memory_order_relaxed);

	if (messages < alert || limits->set.overloaded == NULL)
		return;
	/* relaxed: only one of those that pass the mark shall tell. */
	if (atomic_compare_exchange_strong_explicit(
		    &limits->alert, &alert, alert * 2, memory_order_relaxed,
		    memory_order_relaxed))
		limits->set.overloaded(actor_block(actor)->id, messages,
				       limits->set.context);
}

/* Lets all held senders go. */
static void limits_unhold(struct troupe_actor *actor)
{
	struct troupe_system *system = actor->job.system;
	struct limits *limits = actor_limits(actor);
	struct job *job;

	troupe_spinlock_lock(&system->hold_lock);
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

void troupe__limits_handled(struct troupe_actor *actor,
			    const struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	uint64_t load;

	if (!limits_apply(message))
		return;
	/* seq_cst: step (a) of limit.h. */
	load = atomic_fetch_sub(&limits->load, limits_weight(message)) -
	       limits_weight(message);
	if (limits_full(limits, load))
		return;
	/* relaxed: a number of its own. */
	if (limits->set.overloaded != NULL)
		atomic_store_explicit(&limits->alert, limits->set.messages,
				      memory_order_relaxed);
	if (atomic_load(&limits->held))
		limits_unhold(actor);
}

/* ---- delivering -------------------------------------------------------- */

static int limits_refuse(struct limits *limits, struct troupe_message *message)
{
	/* relaxed, both: numbers. */
	if (limits->set.overflow == TROUPE_OVERFLOW_DROP_NEWEST) {
		atomic_fetch_add_explicit(&limits->dropped, 1,
					  memory_order_relaxed);
		troupe__message_release(message, -EAGAIN);
		return 0;
	}
	atomic_fetch_add_explicit(&limits->refused, 1, memory_order_relaxed);
	return -EAGAIN;
}

/* May the running actor be made to wait for @actor? */
static bool limits_may_hold(const struct troupe_actor *actor)
{
	const struct job *here = troupe__here.job;

	return here != NULL && here != &actor->job &&
	       (here->flags & ACTOR_QUIT) == 0 &&
	       here->system == actor->job.system &&
	       (here->flags & JOB_BARE) == 0 &&
	       (here->traits & TRAIT_DETACHED) == 0;
}

static int limits_deliver_counted(struct troupe_actor *actor,
				  struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	uint64_t weight = limits_weight(message);
	/* relaxed: the number alone decides; the message is handed over by
	 * the mailbox. */
	uint64_t load = atomic_fetch_add_explicit(&limits->load, weight,
						  memory_order_relaxed) +
			weight;
	bool exceeded = limits_exceeded(limits, load);
	bool hold = limits->set.overflow == TROUPE_OVERFLOW_HOLD;
	int result;

	if (exceeded && (!hold || (!limits_may_hold(actor) &&
				   troupe__here.job != &actor->job))) {
		/* relaxed: a number; what was counted is not in the box. */
		atomic_fetch_sub_explicit(&limits->load, weight,
					  memory_order_relaxed);
		limits_alert(actor, limits_messages(load) - 1);
		return limits_refuse(limits, message);
	}
	limits_alert(actor, limits_messages(load));
	/* The handle that the message is sent by keeps the actor so far; it
	 * is held until troupe__limits_hold(). */
	if (exceeded && limits_may_hold(actor) &&
	    troupe__here.full.block == NULL)
		troupe__here.full = troupe__actor_self(actor);
	result = troupe__message_push(actor, message);
	if (result != 0)
		atomic_fetch_sub_explicit(&limits->load, weight,
					  memory_order_relaxed);
	return result;
}

/* Makes room in a DROP_OLDEST list for @load. Under its lock.
 * Returns: what was taken out, linked by next. */
static struct troupe_message *limits_make_room(struct limits *limits,
					       uint64_t load)
{
	struct troupe_message *taken = NULL;

	while (limits->head != NULL && limits_exceeded(limits, load)) {
		struct troupe_message *oldest = limits->head;
		uint64_t weight = limits_weight(oldest);

		limits->head = oldest->next;
		/* relaxed: a number; the lock orders the list. */
		load = atomic_fetch_sub_explicit(&limits->load, weight,
						 memory_order_relaxed) -
		       weight;
		oldest->next = taken;
		taken = oldest;
	}
	return taken;
}

static void limits_release_dropped(struct limits *limits,
				   struct troupe_message *message)
{
	while (message != NULL) {
		struct troupe_message *next = message->next;

		/* relaxed: a number for whoever looks. */
		atomic_fetch_add_explicit(&limits->dropped, 1,
					  memory_order_relaxed);
		troupe__message_release(message, -EAGAIN);
		message = next;
	}
}

static int limits_deliver_listed(struct troupe_actor *actor,
				 struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	struct troupe_message *dropped;
	uint64_t load;

	troupe_spinlock_lock(&limits->lock);
	if (limits->closed) {
		troupe_spinlock_unlock(&limits->lock);
		return -ESRCH;
	}
	/* relaxed: as in limits_make_room(). */
	load = atomic_fetch_add_explicit(&limits->load, limits_weight(message),
					 memory_order_relaxed) +
	       limits_weight(message);
	dropped = limits_make_room(limits, load);
	message->next = NULL;
	if (limits->head == NULL)
		limits->head = message;
	else
		limits->tail->next = message;
	limits->tail = message;
	troupe_spinlock_unlock(&limits->lock);
	if (dropped != NULL)
		limits_alert(actor, limits_messages(load));
	limits_release_dropped(limits, dropped);
	if (mailbox_nudge(&actor->mailbox) == MAILBOX_CLAIMED)
		troupe__job_enqueue(&actor->job);
	return 0;
}

int troupe__limits_deliver(struct troupe_actor *actor,
			   struct troupe_message *message)
{
	/* The system may be gone if the actor has ended; its word says so. */
	if (atomic_load(&actor->mailbox.inbox) == MAILBOX_CLOSED)
		return troupe__message_push(actor, message);
	if (!limits_apply(message))
		return troupe__message_push(actor, message);
	if (actor_limits(actor)->set.overflow == TROUPE_OVERFLOW_DROP_OLDEST)
		return limits_deliver_listed(actor, message);
	return limits_deliver_counted(actor, message);
}

/* ---- the owner's side of the list -------------------------------------- */

struct troupe_message *troupe__limits_pop(struct troupe_actor *actor)
{
	struct limits *limits = actor_limits(actor);
	struct troupe_message *message;

	if (limits->set.overflow != TROUPE_OVERFLOW_DROP_OLDEST)
		return NULL;
	troupe_spinlock_lock(&limits->lock);
	message = limits->head;
	if (message != NULL)
		limits->head = message->next;
	troupe_spinlock_unlock(&limits->lock);
	return message;
}

bool troupe__limits_pending(struct troupe_actor *actor)
{
	struct limits *limits = actor_limits(actor);
	bool pending;

	if (limits->set.overflow != TROUPE_OVERFLOW_DROP_OLDEST)
		return false;
	troupe_spinlock_lock(&limits->lock);
	pending = limits->head != NULL;
	troupe_spinlock_unlock(&limits->lock);
	return pending;
}

struct troupe_message *troupe__limits_close(struct troupe_actor *actor)
{
	struct limits *limits = actor_limits(actor);
	struct troupe_message *left;

	troupe_spinlock_lock(&limits->lock);
	troupe_spinlock_lock(&actor->job.system->hold_lock);
	limits->closed = true;
	troupe_spinlock_unlock(&actor->job.system->hold_lock);
	left = limits->head;
	limits->head = NULL;
	troupe_spinlock_unlock(&limits->lock);
	limits_unhold(actor);
	return left;
}

/* ---- holding back ------------------------------------------------------ */

/* Is @job, or who it waits for in the end, waiting for @sender? Under the
 * hold lock. */
static bool limits_waits_for(const struct job *job, const struct job *sender)
{
	/* relaxed: written under this lock. */
	while (job != sender &&
	       atomic_load_explicit(&job->state, memory_order_relaxed) ==
		       JOB_HELD)
		job = (const struct job *)job->link.prev;
	return job == sender;
}

bool troupe__limits_hold(struct job *job)
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
	hold = !limits->closed &&
	       limits_full(limits, atomic_load(&limits->load)) &&
	       !limits_waits_for(&actor->job, job);
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
