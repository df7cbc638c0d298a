/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_request.h - replies, requests and promises.
 * Included by troupe.h.
 */
#ifndef TROUPE_REQUEST_H
#define TROUPE_REQUEST_H

#include "troupe_actor.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * troupe_reply - answer @message's sender
 *
 * To a request this is its response, to a plain message a plain message; only
 * the first reply counts. It gives the sender's handle back: message->sender
 * is null afterwards, so clone it before, to send more.
 *
 * Returns: 0; -ENOENT if it has no sender; -EALREADY if it was answered; else
 *          as troupe_send().
 */
int troupe_reply(struct troupe_actor *self,
		 const struct troupe_message *message, uint32_t tag,
		 const void *data, size_t size);

/**
 * The right to answer a request later. Keep it in the state; answer with
 * troupe_promise_reply(), or give it back with troupe_promise_release().
 */
struct troupe_promise {
	struct troupe_message *prepared; /* core's; NULL: none */
};

/**
 * troupe_promise - keep @message's right to an answer for later
 *
 * Returns: 0; -ENOENT if it is not a request; -EALREADY if it was answered;
 *          -ENOMEM.
 */
int troupe_promise(struct troupe_actor *self,
		   const struct troupe_message *message,
		   struct troupe_promise *ret_promise);

/**
 * Answers and releases; any thread.
 * Returns: 0; -ENOENT for an empty promise; else as troupe_send(). After
 *          -ENOMEM and -EINVAL the promise is still to be kept.
 */
int troupe_promise_reply(struct troupe_promise *promise, uint32_t tag,
			 const void *data, size_t size);

/** Gives up: the requester gets TROUPE_TAG_ERROR with -ECANCELED. Cannot
 * fail; accepts an empty promise. */
void troupe_promise_release(struct troupe_promise *promise);

/**
 * Handles the response to one request. message->tag is TROUPE_TAG_ERROR if
 * it failed. Returns as a behaviour, but TROUPE_SKIP is not allowed.
 */
typedef int (*troupe_response_fn)(struct troupe_actor *self, void *state,
				  const struct troupe_message *message,
				  void *context);

/**
 * troupe_request - send, and handle the one response with @on_response
 *
 * Exactly one response arrives while @self lives and is not restarted: the
 * reply, or TROUPE_TAG_ERROR with -ESRCH when the receiver is gone, with
 * -EAGAIN when its mailbox is full or dropped the request, or with -ENODATA
 * when it handled the request and did not reply. It may reply later, from
 * another callback, if it keeps the request with troupe_promise().
 *
 * Returns: 0; -ENOMEM; -EINVAL as troupe_send().
 */
int troupe_request(struct troupe_actor *self, struct troupe_strong to,
		   uint32_t tag, const void *data, size_t size,
		   troupe_response_fn on_response, void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
