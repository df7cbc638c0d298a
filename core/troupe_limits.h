/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_limits.h - mailboxes with limits
 *
 * Overview. A class, or a spawn, may limit the messages that wait in an
 * actor's mailbox, by number and by bytes of payload. What happens to a
 * message beyond the limit is a choice of the receiver. Urgent messages,
 * responses, and news of other actors' ends always pass and do not count.
 * A message that a behaviour skips waits, and counts, again, but with HOLD:
 * there the receiver may wait for what a held sender would do next. While the
 * receiver runs, up to a sixteenth of the limits, and 32 messages, may still count
 * that it has handled in this run.
 *
 * Holding back. With TROUPE_OVERFLOW_HOLD the message that reaches the limit
 * still arrives, and its sender is not run again, after the message that it
 * is handling, until the receiver is below its low mark; if it has quit, it
 * ends only then. Nothing is lost and no order changes. A sender that fills
 * several waits for the fullest. An actor is never held back by itself, nor
 * where a circle of actors would wait for each other. Who cannot be held back
 * gets -EAGAIN: code outside the workers, bare jobs, detached actors, an actor
 * after troupe_blocking_begin(), or in on_exit.
 *
 * Included by troupe.h.
 */
#ifndef TROUPE_LIMITS_H
#define TROUPE_LIMITS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum troupe_overflow {
	TROUPE_OVERFLOW_FAIL,	     /* the send says -EAGAIN */
	TROUPE_OVERFLOW_DROP_NEWEST, /* the message is released */
	/* Those that wait longest are released. Only what is sent under this
	 * limit is in one line: responses overtake it. */
	TROUPE_OVERFLOW_DROP_OLDEST,
	TROUPE_OVERFLOW_HOLD, /* the sender waits */
};

/** Where a mailbox with limits is asked to stay. Copied when it is used. */
struct troupe_limits {
	uint64_t messages; /* 0, and at most: 8388607 */
	uint64_t bytes;	   /* 0, and at most: 2^39 - 1 */
	uint64_t low;	   /* HOLD: senders go on at so many; 0: half */
	enum troupe_overflow overflow;

	/**
	 * Called when as much waits as the limits allow, or a message finds no
	 * room, and again each time that the number or the bytes have doubled;
	 * anew when it was below the low mark.
	 * Context: the sender's thread; it must not block, nor send to @actor.
	 * If NULL: nothing is called.
	 */
	void (*overloaded)(uint64_t actor, uint64_t messages, void *context);
	void *context;
};

#ifdef __cplusplus
}
#endif
#endif
