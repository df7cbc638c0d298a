/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * message.h - what the bits of a message mean
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdint.h>

#include "troupe.h"

/** May a program send that? */
static inline bool message_sendable(uint32_t tag, const void *data, size_t size)
{
	return tag < TROUPE_TAG_RESERVED && size <= UINT32_MAX &&
	       (data != NULL || size == 0);
}

/* troupe_message.bits: flags above, the request's number below. */
#define MESSAGE_URGENT	 (UINT64_C(1) << 63) /* before normal ones */
#define MESSAGE_MOVED	 (UINT64_C(1) << 62) /* payload: struct moved */
#define MESSAGE_REQUEST	 (UINT64_C(1) << 61) /* wants one response */
#define MESSAGE_RESPONSE (UINT64_C(1) << 60) /* is one */
#define MESSAGE_ANSWERED (UINT64_C(1) << 59) /* response sent, or promised */
#define MESSAGE_SYSTEM	 (UINT64_C(1) << 58) /* for the core: watch.h */
#define MESSAGE_COUNTED	 (UINT64_C(1) << 57) /* against a limit: limit.h */
/* It holds one strong count of its receiver: a reply gives back the one that
 * came as the sender of what it answers. The receiver may use it to be the
 * sender of its next message, so that two who talk to each other count
 * nothing. */
#define MESSAGE_CARRIES (UINT64_C(1) << 56)
#define MESSAGE_NUMBER	((UINT64_C(1) << 56) - 1)

/* None of these: releasing it is releasing its sender and its memory. */
#define MESSAGE_PLAIN_MASK \
	(MESSAGE_MOVED | MESSAGE_REQUEST | MESSAGE_SYSTEM | MESSAGE_CARRIES)

_Static_assert(sizeof(struct troupe_message) == 32,
	       "a message header is half a line, its payload 16-aligned");

/* The inline payload of a message that carries somebody's memory. */
struct moved {
	void *data;
	troupe_release_fn release;
};

static inline void *message_inline(struct troupe_message *message)
{
	return message + 1;
}

#endif
