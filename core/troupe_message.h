/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_message.h - messages, and sending them. Included by troupe.h.
 */
#ifndef TROUPE_MESSAGE_H
#define TROUPE_MESSAGE_H

#include "troupe_refcount.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Filled in by calls that can fail for many reasons. One line, no newline. */
struct troupe_error {
	int code;	/* negative errno, as the call returned it */
	char text[500]; /* what, where, what was expected */
};

/** Tags from here on are the library's own; yours are below. */
#define TROUPE_TAG_RESERVED 0xff000000u
/** The answer to a request that failed. Payload: an int, negative errno. */
#define TROUPE_TAG_ERROR 0xff000001u
/** A monitored actor has ended. Payload: struct troupe_ended. */
#define TROUPE_TAG_DOWN 0xff000002u
/** An exit signal, to an actor that traps them. Payload: struct troupe_ended. */
#define TROUPE_TAG_EXIT 0xff000003u

/**
 * A message as its receiver sees it. Read tag, size and sender; the payload
 * is at troupe_payload(). @sender is null when it was sent from outside any
 * actor; it is the message's own: clone it to keep it, or take it.
 */
struct troupe_message {
	struct troupe_message *next; /* core's */
	struct troupe_strong sender;
	uint64_t bits; /* core's: request id and flags */
	uint32_t tag;
	uint32_t size; /* of the payload, bytes */
};

/**
 * troupe_payload - the bytes of a message, aligned for any type
 *
 * Returns: message->size bytes; for a message sent with troupe_send_moved()
 *          the pointer that was moved.
 */
const void *troupe_payload(const struct troupe_message *message);

/**
 * troupe_take - keep a payload that was sent with troupe_send_moved()
 *
 * Context: in the behaviour that handles @message.
 * Owns:    the caller gets the memory and releases it as its sender meant to;
 *          the message has no payload any more.
 * Returns: the pointer that was moved; NULL if the payload was copied.
 */
void *troupe_take(const struct troupe_message *message);

/**
 * troupe_take_sender - keep the sender's handle
 *
 * Less work than a clone. The message has no sender any more, so it cannot be
 * replied to; but a request that waits for its answer keeps it, and the handle
 * is a clone.
 *
 * Context: in the behaviour that handles @message.
 * Owns:    the caller gets the handle.
 * Returns: the handle; the null handle if there is no sender.
 */
struct troupe_strong troupe_take_sender(const struct troupe_message *message);

/** Gives back a moved payload. Called once, on any thread. */
typedef void (*troupe_release_fn)(void *data, size_t size);

/**
 * troupe_send - send a copy of @size bytes at @data
 *
 * Messages from one sender to one receiver arrive in the order sent. Inside
 * an actor the message carries that actor as its sender.
 *
 * Context: any thread; does not block.
 * Returns: 0; -ESRCH if the receiver has ended; -EAGAIN if its mailbox is full
 *          (troupe_limits.h); -ENOMEM; -EINVAL for a null handle, a reserved tag, or @size over 4 GiB - 1.
 */
int troupe_send(struct troupe_strong to, uint32_t tag, const void *data,
		size_t size);

/** troupe_send_urgent - as troupe_send(), but handled before the normal ones
 * that its receiver has not begun a run with. */
int troupe_send_urgent(struct troupe_strong to, uint32_t tag, const void *data,
		       size_t size);

/**
 * troupe_send_moved - send @data itself, without a copy
 *
 * Owns:    on success the message owns @data and calls @release(data, size)
 *          when it is done, delivered or not; on an error it is still yours.
 * Returns: as troupe_send().
 */
int troupe_send_moved(struct troupe_strong to, uint32_t tag, void *data,
		      size_t size, troupe_release_fn release);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
