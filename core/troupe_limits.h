/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_limits.h - mailboxes with limits
 *
 * Overview. A class, or a spawn, may limit the messages that wait in an
 * actor's mailbox, by number and by bytes of payload. What happens to a
 * message beyond the limit is a choice of the receiver. Urgent messages,
 * responses, and news of other actors' ends always pass and do not count.
 *
 * Holding back. With TROUPE_OVERFLOW_HOLD the message that reaches the limit
 * still arrives, and its sender is not run again, after the message that it
 * is handling, until the receiver is below its low mark. Nothing is lost and
 * no order changes. An actor is never held back by itself, nor where a circle
 * of actors would wait for each other. Code outside the workers gets -EAGAIN
 * instead.
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
	TROUPE_OVERFLOW_DROP_OLDEST, /* the one that waits longest is */
	TROUPE_OVERFLOW_HOLD,	     /* the sender waits */
};

/** Where a mailbox with limits is asked to stay. Copied when it is used. */
struct troupe_limits {
	uint64_t messages; /* 0: as many as fit in 24 bits */
	uint64_t bytes;	   /* 0: as many as fit in 40 bits */
	uint64_t low;	   /* HOLD: senders go on at so many; 0: half */
	enum troupe_overflow overflow;

	/**
	 * Called when so many messages wait as the limit allows, and again
	 * each time their number has doubled, until it was below the low mark.
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
