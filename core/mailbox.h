/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * mailbox.h - many senders, one receiver, and a word that says who runs it
 *
 * Overview. Senders push onto a stack (the *inbox*) with one atomic
 * operation; the receiver takes the whole stack with one exchange, turns it
 * round and sorts it into two lanes, urgent before normal. A stack costs its
 * senders one shared cache line, the inbox; a linked queue would also write
 * to the message of the sender before.
 *
 * The inbox word is the stack's top or one of these:
 *
 *	EMPTY    nothing new; the actor is READY or RUNNING and will look again
 *	IDLE     nothing new; the actor is WAITING and owned by nobody
 *	CLOSED   the actor has ended
 *
 *	         push, claim                    fetch
 *	  IDLE ──────────────► message chain ──────────► EMPTY
 *	    ▲                                              │
 *	    └──────────────────── try_idle ◄───────────────┘
 *
 * Exactly one thread takes the word away from IDLE: it owns the job from then
 * on and must enqueue it.
 *
 * The base. A single new message, as in most runs, is not taken out of the
 * word: the owner notes it as the *base*, handles it, and then brings the word
 * from the base to IDLE, which saves an exchange. What stands above the base is
 * new, the base itself no longer; it is where a chain ends. Its memory must not
 * be used again while it is in the word, else a sender could push the same
 * address and the owner would not see that the word has changed: who takes the
 * base out of the word frees it, by troupe__mailbox_spent(). A message that is
 * to go elsewhere, into the stash or back to its sender, is detached first.
 *
 * The nudge, the word's lowest bit, beside EMPTY or a message: the last strong
 * handle has gone, look at that. A push drops it, see mailbox_nudge().
 *
 * Synchronisation (X: the callers must exclude each other, -: need not):
 *
 *	               push  fetch  pop  idle  close
 *	push            -     -     -    -     -
 *	fetch                 X     X    X     X
 *	pop                         X    X     X
 *	try_idle                         X     X
 *	close                                  X
 *
 * All but push are the owner's. Order: FIFO for each sender and lane.
 */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "message.h"

#define MAILBOX_EMPTY  ((struct troupe_message *)0)
#define MAILBOX_IDLE   ((struct troupe_message *)2)
#define MAILBOX_CLOSED ((struct troupe_message *)4)
#define MAILBOX_MARKS  7u /* no message has an address below */

/* The bit beside EMPTY or a message. */
#define MAILBOX_NUDGE_BIT ((uintptr_t)1)

enum mailbox_pushed {
	MAILBOX_QUEUED,	 /* the owner will see it */
	MAILBOX_WOKEN,	 /* it was IDLE: the caller owns the job now */
	MAILBOX_REFUSED, /* it is CLOSED: the message is the caller's */
};

/* Legend: A atomic, O the owner only. The lanes and the stash are circular:
 * they point to their last message, whose next is the first. */
struct mailbox {
	_Atomic(struct troupe_message *) inbox; /* A */
	_Atomic(struct troupe_message *) base;	/* A: in inbox, not new; the
						 * owner writes */
	struct troupe_message *normal, *urgent; /* O: the lanes */
	struct troupe_message *stash;		/* O: skipped messages */
};

/** True for words that are not messages. */
static inline bool mailbox_is_mark(const struct troupe_message *word)
{
	return (uintptr_t)word <= MAILBOX_MARKS;
}

static inline bool mailbox_is_nudged(const struct troupe_message *word)
{
	return ((uintptr_t)word & MAILBOX_NUDGE_BIT) != 0;
}

/** The word without its nudge. */
static inline struct troupe_message *
mailbox_unnudged(struct troupe_message *word)
{
	return (struct troupe_message *)((uintptr_t)word & ~MAILBOX_NUDGE_BIT);
}

static inline struct troupe_message *mailbox_base(const struct mailbox *mailbox)
{
	/* relaxed: written by the owner only; others compare the address. */
	return atomic_load_explicit(&mailbox->base, memory_order_relaxed);
}

static inline void mailbox_set_base(struct mailbox *mailbox,
				    struct troupe_message *base)
{
	/* relaxed: as above. */
	atomic_store_explicit(&mailbox->base, base, memory_order_relaxed);
}

/** Adds @message. Any thread. */
static inline enum mailbox_pushed
mailbox_push_mpsc(struct mailbox *mailbox, struct troupe_message *message)
{
	/* relaxed: only a guess for the exchange below */
	struct troupe_message *top =
		atomic_load_explicit(&mailbox->inbox, memory_order_relaxed);

	do {
		if (top == MAILBOX_CLOSED)
			return MAILBOX_REFUSED;
		message->next = top == MAILBOX_IDLE ? MAILBOX_EMPTY
						    : mailbox_unnudged(top);
		/* acq_rel. release: who takes the message must see its fields,
		 * else it handles garbage; pairs with mailbox_take_base(),
		 * troupe__mailbox_detach() and troupe__mailbox_close(). acquire: who
		 * takes IDLE away owns the job and must see what its last
		 * owner wrote to it, pairs with mailbox_try_idle(); and who
		 * drops a nudge passes on what came before it, pairs with
		 * mailbox_nudge(). relaxed on failure: a new guess. */
	} while (!atomic_compare_exchange_weak_explicit(
		&mailbox->inbox, &top, message, memory_order_acq_rel,
		memory_order_relaxed));
	return top == MAILBOX_IDLE ? MAILBOX_WOKEN : MAILBOX_QUEUED;
}

/** Frees what was the base, and is in the word no longer. Accepts NULL. */
void troupe__mailbox_spent(struct troupe_message *base);

/** True if @word, read from the inbox, shows something new. The owner; to
 * others it is a guess. */
static inline bool mailbox_has_new(const struct mailbox *mailbox,
				   struct troupe_message *word)
{
	return !mailbox_is_mark(word) &&
	       mailbox_unnudged(word) != mailbox_base(mailbox);
}

/** Takes all out of the word, and what is new into the lanes; the base must
 * have been handled. Owner. Returns: how many those are. */
uint32_t troupe__mailbox_empty(struct mailbox *mailbox);

/**
 * mailbox_take_base - the one new message, without taking it out of the word
 *
 * Owner, with empty lanes. It is the base from now on, and the one before is
 * freed.
 *
 * @refuse: bits of messages that are not to become the base.
 * @ret_fetched: how many new ones came into the lanes instead, because there
 *          are several, or one with any of these bits.
 * Returns: the message; NULL if there is none, or for those.
 */
static inline struct troupe_message *mailbox_take_base(struct mailbox *mailbox,
						       uint64_t refuse,
						       uint32_t *ret_fetched)
{
	struct troupe_message *spent = mailbox_base(mailbox);
	/* acquire: the message's fields, and the handle that has gone if the
	 * push dropped a nudge; pairs with mailbox_push_mpsc() and
	 * mailbox_nudge(). */
	struct troupe_message *word =
		atomic_load_explicit(&mailbox->inbox, memory_order_acquire);

	*ret_fetched = 0;
	/* The first is the usual case of the second. */
	if (word == spent || !mailbox_has_new(mailbox, word))
		return NULL;
	word = mailbox_unnudged(word);
	if (word->next != spent || (word->bits & refuse) != 0) {
		*ret_fetched = troupe__mailbox_empty(mailbox);
		return NULL;
	}
	mailbox_set_base(mailbox, word);
	if (spent != NULL)
		troupe__mailbox_spent(spent);
	return word;
}

/** Takes all that is new into the lanes; the base must have been handled.
 * Owner. Returns: how many. */
static inline uint32_t mailbox_fetch(struct mailbox *mailbox)
{
	/* relaxed: to see nothing new is always right, it may come later */
	struct troupe_message *word =
		atomic_load_explicit(&mailbox->inbox, memory_order_relaxed);

	if (!mailbox_has_new(mailbox, word))
		return 0;
	return troupe__mailbox_empty(mailbox);
}

/** Takes the base out of the word, for a message that lives on. What is above
 * it comes into the lanes. Owner. Returns: how many those are. */
uint32_t troupe__mailbox_detach(struct mailbox *mailbox);

/** Takes the first of a circular list. Returns: NULL if it is empty. */
static inline struct troupe_message *
mailbox_list_take(struct troupe_message **list)
{
	struct troupe_message *last = *list;
	struct troupe_message *first;

	if (last == NULL)
		return NULL;
	first = last->next;
	if (first == last)
		*list = NULL;
	else
		last->next = first->next;
	return first;
}

/** The next message, urgent ones first; NULL if there is none. Owner. */
static inline struct troupe_message *mailbox_pop(struct mailbox *mailbox)
{
	struct troupe_message *message = mailbox_list_take(&mailbox->urgent);

	if (message == NULL)
		message = mailbox_list_take(&mailbox->normal);
	return message;
}

/** True if no message waits in the lanes. Owner. */
static inline bool mailbox_lanes_empty(const struct mailbox *mailbox)
{
	return mailbox->normal == NULL && mailbox->urgent == NULL;
}

/**
 * EMPTY or base -> IDLE, if nothing new came. The lanes must be empty. Owner.
 * Returns: true: the caller no longer owns the job and must not touch it.
 */
static inline bool mailbox_try_idle(struct mailbox *mailbox)
{
	struct troupe_message *base = mailbox_base(mailbox);
	struct troupe_message *word = base;

	/* While it is still ours. */
	mailbox_set_base(mailbox, NULL);
	/* release: the next owner must see all that this one did; pairs with
	 * mailbox_push_mpsc(), mailbox_claim() and mailbox_nudge(). seq_cst on
	 * both outcomes, for the last. */
	if (atomic_compare_exchange_strong(&mailbox->inbox, &word,
					   MAILBOX_IDLE)) {
		if (base != NULL)
			troupe__mailbox_spent(base);
		return true;
	}
	mailbox_set_base(mailbox, base);
	return false;
}

/** IDLE -> EMPTY: the caller owns the job from then on. Any thread.
 * Returns: false if it was not IDLE. */
static inline bool mailbox_claim(struct mailbox *mailbox)
{
	struct troupe_message *idle = MAILBOX_IDLE;

	/* acquire: what the last owner did; pairs with mailbox_try_idle(). */
	return atomic_compare_exchange_strong(&mailbox->inbox, &idle,
					      MAILBOX_EMPTY);
}

/** Takes the nudge away from @word, unless that has changed. Owner. */
static inline void mailbox_take_nudge(struct mailbox *mailbox,
				      struct troupe_message *word)
{
	/* seq_cst: the next look at the handles comes after the one that has
	 * gone; pairs with mailbox_nudge(). */
	atomic_compare_exchange_strong(&mailbox->inbox, &word,
				       mailbox_unnudged(word));
}

enum mailbox_nudged {
	MAILBOX_NUDGED,	 /* the owner will look at the handles */
	MAILBOX_CLAIMED, /* it was IDLE: the caller owns the job now */
	MAILBOX_WAS_CLOSED,
};

/**
 * mailbox_nudge - make somebody look whether the actor can still be reached
 *
 * Called after the last strong handle has gone. The owner looks at the
 * handles before it tries to be IDLE:
 *
 *	releaser: (1) strong -= 1, gives 0    (2) reads and changes the word
 *	owner:    (a) reads strong            (b) EMPTY or base -> IDLE
 *
 * If (b) comes first, (2) finds IDLE and claims the job. Else the word has the
 * nudge by (2), or had it already, and (b) fails, or the word was changed by a
 * push. The owner then takes the nudge away by a read-modify-write that comes
 * after (2), and its next (a) comes after (1). All are seq_cst so that this is
 * one order. Should a push drop the nudge, it has seen (2), by its acquire, and
 * the owner sees the push before it looks again; so the next (a) comes after
 * (1) as well. Pairs with: mailbox_take_nudge(), mailbox_try_idle(),
 * mailbox_push_mpsc(), mailbox_take_base(), troupe__mailbox_detach().
 *
 * It is not enough to find a message there, new as it may be: the owner could
 * be about to make it the base and go IDLE over it.
 */
static inline enum mailbox_nudged mailbox_nudge(struct mailbox *mailbox)
{
	struct troupe_message *word = atomic_load(&mailbox->inbox);

	for (;;) {
		struct troupe_message *to = MAILBOX_EMPTY;

		if (word == MAILBOX_CLOSED)
			return MAILBOX_WAS_CLOSED;
		if (mailbox_is_nudged(word))
			return MAILBOX_NUDGED;
		if (word != MAILBOX_IDLE)
			to = (struct troupe_message *)((uintptr_t)word |
						       MAILBOX_NUDGE_BIT);
		if (!atomic_compare_exchange_weak(&mailbox->inbox, &word, to))
			continue;
		return to == MAILBOX_EMPTY ? MAILBOX_CLAIMED : MAILBOX_NUDGED;
	}
}

/** Keeps a message for the next behaviour. Owner. */
void troupe__mailbox_skip(struct mailbox *mailbox,
			  struct troupe_message *message);

/** Puts the skipped messages in front of the normal lane. Owner. */
void troupe__mailbox_unskip(struct mailbox *mailbox);

/**
 * Closes the mailbox. Owner.
 * Returns: all messages that were in it, linked by next; NULL: none.
 */
struct troupe_message *troupe__mailbox_close(struct mailbox *mailbox);

#endif
