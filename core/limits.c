/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limited mailboxes: counting what waits, and what happens beyond the limit.
 * See limit.h. Actors without limits never come here.
 */
#include "limit.h"

#include <errno.h>

#include "letter.h"

/* Half of what the counter could hold: HOLD may go beyond a limit. */
#define LIMITS_ROOM(max) ((max) / 2)

/* What one message adds to the load. */
static uint64_t limits_weight(const struct troupe_message *message)
{
	return UINT64_C(1) << LIMITS_BYTE_BITS | message->size;
}

/* News of ends have lost their bits when the behaviour has skipped them. */
static bool limits_apply(const struct troupe_message *message)
{
	return (message->bits &
		(MESSAGE_URGENT | MESSAGE_RESPONSE | MESSAGE_SYSTEM)) == 0 &&
	       message->tag < TROUPE_TAG_RESERVED;
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
	limits->batch = limits->set.messages / 16;
	if (limits->batch > LIMITS_BATCH)
		limits->batch = LIMITS_BATCH;
	if ((actor->job.traits & TRAIT_DETACHED) != 0)
		limits->batch = 0;
	/* relaxed: nobody else knows the actor yet. */
	atomic_store_explicit(&limits->alert, 1, memory_order_relaxed);
	return 0;
}

/* ---- counting ---------------------------------------------------------- */

/* Tells when @load reaches a mark; @full: no more fit, however many that is. */
static void limits_alert(struct troupe_actor *actor, uint64_t load, bool full)
{
	struct limits *limits = actor_limits(actor);
	/* relaxed: a number of its own. */
	uint64_t alert =
		atomic_load_explicit(&limits->alert, memory_order_relaxed);

	if (limits->set.overloaded == NULL ||
	    (limits_messages(load) < limits->set.messages * alert &&
	     limits_bytes(load) < limits->set.bytes * alert &&
	     !(full && alert == 1)))
		return;
	/* relaxed: only one of those that pass the mark shall tell. */
	if (atomic_compare_exchange_strong_explicit(
		    &limits->alert, &alert, alert * 2, memory_order_relaxed,
		    memory_order_relaxed))
		limits->set.overloaded(actor_block(actor)->id,
				       limits_messages(load),
				       limits->set.context);
}

/* Counts one of @weight, if it fits or has to. Returns: if it is counted;
 * *@ret_load is the load with it. */
static bool limits_add(struct limits *limits, uint64_t weight, bool always,
		       uint64_t *ret_load)
{
	/* relaxed, both: the number alone decides; the message is handed over
	 * by the mailbox. Not added first and looked at then: others would be
	 * refused, or held, for what is taken back. */
	uint64_t load =
		atomic_load_explicit(&limits->load, memory_order_relaxed);

	do {
		*ret_load = load + weight;
		if (!always && limits_exceeded(limits, *ret_load))
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&limits->load, &load, *ret_load, memory_order_relaxed,
		memory_order_relaxed));
	return true;
}

/* @message is not to be counted any more. Returns: what it weighs. */
static uint64_t limits_unmark(struct troupe_message *message)
{
	message->bits &= ~MESSAGE_COUNTED;
	return limits_weight(message);
}

/* @message does not wait any more. Returns: the load without it. */
static uint64_t limits_uncount(struct limits *limits,
			       struct troupe_message *message)
{
	uint64_t weight = limits_unmark(message);

	/* seq_cst: step (a) of limit.h. */
	return atomic_fetch_sub(&limits->load, weight) - weight;
}

/* What is due when the load falls below the low mark. */
static void limits_lowered(struct troupe_actor *actor, uint64_t load)
{
	struct limits *limits = actor_limits(actor);

	if (limits_full(limits, load))
		return;
	/* relaxed: a number of its own. */
	if (limits->set.overloaded != NULL)
		atomic_store_explicit(&limits->alert, 1, memory_order_relaxed);
	/* seq_cst: step (b) of limit.h. */
	if (atomic_load(&limits->held))
		troupe__hold_release(actor);
}

static uint64_t limits_done(const struct limits *limits)
{
	/* relaxed: the owner writes it. */
	return atomic_load_explicit(&limits->done, memory_order_relaxed);
}

static void limits_set_done(struct limits *limits, uint64_t done)
{
	/* relaxed: others want a number. */
	atomic_store_explicit(&limits->done, done, memory_order_relaxed);
}

void troupe__limits_settle(struct troupe_actor *actor)
{
	struct limits *limits = actor_limits(actor);
	uint64_t done = limits_done(limits);

	if (done == 0)
		return;
	limits_set_done(limits, 0);
	/* seq_cst: step (a) of limit.h. */
	limits_lowered(actor, atomic_fetch_sub(&limits->load, done) - done);
}

void troupe__limits_handled(struct troupe_actor *actor,
			    struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	uint64_t done;

	if ((message->bits & MESSAGE_COUNTED) == 0)
		return;
	done = limits_done(limits) + limits_unmark(message);
	limits_set_done(limits, done);
	if (limits_messages(done) >= limits->batch ||
	    limits_bytes(done) >= limits->set.bytes / 16)
		troupe__limits_settle(actor);
}

void troupe__limits_skipped(struct troupe_actor *actor,
			    struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	uint64_t load;

	/* HOLD: the receiver may be waiting for what a held sender would send
	 * or reply next. */
	if (limits->set.overflow == TROUPE_OVERFLOW_HOLD ||
	    !limits_apply(message))
		return;
	message->bits |= MESSAGE_COUNTED;
	(void)limits_add(limits, limits_weight(message), true, &load);
}

/* ---- delivering -------------------------------------------------------- */

/* relaxed: numbers for whoever looks. */
static void limits_drop(struct troupe_actor *actor,
			struct troupe_message *message)
{
	atomic_fetch_add_explicit(&actor_limits(actor)->dropped, 1,
				  memory_order_relaxed);
	troupe__letter_refused(actor, message, -EAGAIN);
	troupe__message_release(message, -EAGAIN);
}

static int limits_refuse(struct troupe_actor *actor,
			 struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);

	if (limits->set.overflow == TROUPE_OVERFLOW_DROP_NEWEST) {
		limits_drop(actor, message);
		return 0;
	}
	/* relaxed: as above. */
	atomic_fetch_add_explicit(&limits->refused, 1, memory_order_relaxed);
	return -EAGAIN;
}

/* Is it @actor itself, or its init or that of one it spawns, that sends? */
static bool limits_is_self(const struct troupe_actor *actor)
{
	return troupe__here.actor == actor || troupe__here.job == &actor->job;
}

static int limits_deliver_counted(struct troupe_actor *actor,
				  struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	uint64_t weight = limits_weight(message);
	uint64_t load;
	int result;

	if (!limits_add(limits, weight, false, &load)) {
		bool hold = limits->set.overflow == TROUPE_OVERFLOW_HOLD;
		bool waits = hold && troupe__hold_allowed(actor);

		if (!waits && !(hold && limits_is_self(actor))) {
			limits_alert(actor, load - weight, true);
			return limits_refuse(actor, message);
		}
		(void)limits_add(limits, weight, true, &load);
		if (waits && limits_exceeded(limits, load))
			troupe__hold_remember(actor, load);
	}
	message->bits |= MESSAGE_COUNTED;
	limits_alert(actor, load, false);
	result = troupe__message_push(actor, message);
	if (result != 0)
		/* relaxed: a number; it is not in the mailbox. */
		atomic_fetch_sub_explicit(&limits->load, weight,
					  memory_order_relaxed);
	return result;
}

/* Makes room in a DROP_OLDEST list for @load, which it lowers. Under its lock.
 * Returns: what was taken out, linked by next. */
static struct troupe_message *limits_make_room(struct limits *limits,
					       uint64_t *load)
{
	struct troupe_message *taken = NULL;
	struct troupe_message **last = &taken;

	while (limits->head != NULL && limits_exceeded(limits, *load)) {
		struct troupe_message *oldest = limits->head;
		uint64_t weight = limits_weight(oldest);

		limits->head = oldest->next;
		/* relaxed: a number; the lock orders the list. */
		*load = atomic_fetch_sub_explicit(&limits->load, weight,
						  memory_order_relaxed) -
			weight;
		oldest->next = NULL;
		*last = oldest;
		last = &oldest->next;
	}
	return taken;
}

static void limits_append(struct limits *limits, struct troupe_message *message)
{
	message->next = NULL;
	if (limits->head == NULL)
		limits->head = message;
	else
		limits->tail->next = message;
	limits->tail = message;
}

static int limits_deliver_listed(struct troupe_actor *actor,
				 struct troupe_message *message)
{
	struct limits *limits = actor_limits(actor);
	struct troupe_message *dropped;
	uint64_t load;

	/* One that never fits makes no room for itself. */
	if (limits_exceeded(limits, limits_weight(message))) {
		limits_drop(actor, message);
		return 0;
	}
	troupe_spinlock_lock(&limits->lock);
	if (limits->closed) {
		troupe_spinlock_unlock(&limits->lock);
		troupe__letter_refused(actor, message, -ESRCH);
		return -ESRCH;
	}
	message->bits |= MESSAGE_COUNTED;
	(void)limits_add(limits, limits_weight(message), true, &load);
	dropped = limits_make_room(limits, &load);
	limits_append(limits, message);
	troupe_spinlock_unlock(&limits->lock);
	limits_alert(actor, load, dropped != NULL);
	while (dropped != NULL) {
		struct troupe_message *next = dropped->next;

		limits_drop(actor, dropped);
		dropped = next;
	}
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
	uint64_t load = 0;

	if (limits->set.overflow != TROUPE_OVERFLOW_DROP_OLDEST)
		return NULL;
	troupe_spinlock_lock(&limits->lock);
	message = limits->head;
	if (message != NULL) {
		limits->head = message->next;
		/* Under the lock: else a sender drops one for room that there
		 * is already. */
		load = limits_uncount(limits, message);
	}
	troupe_spinlock_unlock(&limits->lock);
	if (message != NULL)
		limits_lowered(actor, load);
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
	troupe__hold_release(actor);
	return left;
}
