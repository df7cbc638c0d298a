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
 *	NUDGE    as EMPTY, but the last strong handle has gone: look at that
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
#define MAILBOX_IDLE   ((struct troupe_message *)1)
#define MAILBOX_CLOSED ((struct troupe_message *)2)
#define MAILBOX_NUDGE  ((struct troupe_message *)3)

enum mailbox_pushed {
	MAILBOX_QUEUED,	 /* the owner will see it */
	MAILBOX_WOKEN,	 /* it was IDLE: the caller owns the job now */
	MAILBOX_REFUSED, /* it is CLOSED: the message is the caller's */
};

/* Legend: A atomic, O the owner only. urgent and stash are circular: they
 * point to their last message, whose next is the first. */
struct mailbox {
	_Atomic(struct troupe_message *) inbox; /* A */
	struct troupe_message *head, *tail;	/* O: the normal lane */
	struct troupe_message *urgent;		/* O */
	struct troupe_message *stash;		/* O: skipped messages */
};

/** True for the four words that are not messages. */
static inline bool mailbox_is_mark(const struct troupe_message *word)
{
	return (uintptr_t)word <= 3;
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
		message->next = top == MAILBOX_IDLE ? MAILBOX_EMPTY : top;
		/* acq_rel. release: who takes the stack must see the message's
		 * fields, else it handles garbage; pairs with mailbox_fetch()
		 * and troupe__mailbox_close(). acquire: who takes IDLE away
		 * owns the job and must see what its last owner wrote to it;
		 * pairs with mailbox_try_idle(). relaxed on failure: a new
		 * guess. */
	} while (!atomic_compare_exchange_weak_explicit(
		&mailbox->inbox, &top, message, memory_order_acq_rel,
		memory_order_relaxed));
	return top == MAILBOX_IDLE ? MAILBOX_WOKEN : MAILBOX_QUEUED;
}

/** Sorts @chain, newest first, into the lanes. Returns: how many. */
uint32_t troupe__mailbox_sort(struct mailbox *mailbox,
			      struct troupe_message *chain);

/** Takes all that is new into the lanes. Owner. Returns: how many. */
static inline uint32_t mailbox_fetch(struct mailbox *mailbox)
{
	struct troupe_message *chain;

	/* relaxed: to see nothing new is always right, it may come later */
	chain = atomic_load_explicit(&mailbox->inbox, memory_order_relaxed);
	if (mailbox_is_mark(chain))
		return 0;
	/* acquire: the messages' fields; pairs with mailbox_push_mpsc(). The
	 * whole is seq_cst because it takes a NUDGE away: who nudges must
	 * have let its handle go before; pairs with mailbox_nudge(). */
	chain = atomic_exchange(&mailbox->inbox, MAILBOX_EMPTY);
	if (chain->next == MAILBOX_EMPTY && mailbox->head == NULL &&
	    (chain->bits & MESSAGE_URGENT) == 0) {
		/* One message, as in most runs. */
		mailbox->head = mailbox->tail = chain;
		return 1;
	}
	return troupe__mailbox_sort(mailbox, chain);
}

/** The next message, urgent ones first; NULL if there is none. Owner. */
static inline struct troupe_message *mailbox_pop(struct mailbox *mailbox)
{
	struct troupe_message *message = mailbox->urgent;

	if (message != NULL) {
		struct troupe_message *last = message;

		message = last->next;
		if (message == last)
			mailbox->urgent = NULL;
		else
			last->next = message->next;
		return message;
	}
	message = mailbox->head;
	if (message != NULL)
		mailbox->head = message->next;
	return message;
}

/** True if no message waits in the lanes. Owner. */
static inline bool mailbox_lanes_empty(const struct mailbox *mailbox)
{
	return mailbox->head == NULL && mailbox->urgent == NULL;
}

/**
 * EMPTY -> IDLE, if nothing new came. The lanes must be empty. Owner.
 * Returns: true: the caller no longer owns the job and must not touch it.
 */
static inline bool mailbox_try_idle(struct mailbox *mailbox)
{
	struct troupe_message *empty = MAILBOX_EMPTY;

	/* release: the next owner must see all that this one did; pairs with
	 * mailbox_push_mpsc(), mailbox_claim() and mailbox_nudge(). seq_cst on
	 * both outcomes, for the last. */
	return atomic_compare_exchange_strong(&mailbox->inbox, &empty,
					      MAILBOX_IDLE);
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

/** NUDGE -> EMPTY; other words stay. Owner. */
static inline void mailbox_take_nudge(struct mailbox *mailbox)
{
	struct troupe_message *nudge = MAILBOX_NUDGE;

	/* seq_cst: as the exchange in mailbox_fetch(). */
	atomic_compare_exchange_strong(&mailbox->inbox, &nudge, MAILBOX_EMPTY);
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
 *	owner:    (a) reads strong            (b) EMPTY -> IDLE
 *
 * If (b) comes first, (2) finds IDLE and claims the job. Else (2) makes the
 * word NUDGE, or finds a message or NUDGE in it: then (b) fails, the owner
 * takes the word by a read-modify-write that comes after (2), and its next
 * (a) comes after (1). All are seq_cst so that this is one order. Pairs with
 * mailbox_fetch() and mailbox_try_idle().
 */
static inline enum mailbox_nudged mailbox_nudge(struct mailbox *mailbox)
{
	struct troupe_message *word = atomic_load(&mailbox->inbox);

	for (;;) {
		if (word == MAILBOX_CLOSED)
			return MAILBOX_WAS_CLOSED;
		if (word == MAILBOX_IDLE) {
			if (atomic_compare_exchange_weak(&mailbox->inbox, &word,
							 MAILBOX_EMPTY))
				return MAILBOX_CLAIMED;
		} else if (word == MAILBOX_EMPTY) {
			if (atomic_compare_exchange_weak(&mailbox->inbox, &word,
							 MAILBOX_NUDGE))
				return MAILBOX_NUDGED;
		} else {
			return MAILBOX_NUDGED;
		}
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
