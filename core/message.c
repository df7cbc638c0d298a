/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages: made, sent, delivered and released. A message is one allocation,
 * header and payload. What its receiver does with it is actor.c's.
 */
#include "message.h"

#include <errno.h>
#include <string.h>

#include "block.h"
#include "letter.h"
#include "limit.h"
#include "process.h"

/* At least so much room for the payload: an error code, or struct moved, fits
 * into any message, so a request can become its own error response. */
#define MESSAGE_ROOM 16u

_Static_assert(sizeof(struct moved) <= MESSAGE_ROOM, "see above");

const void *troupe_payload(const struct troupe_message *message)
{
	if ((message->bits & MESSAGE_MOVED) != 0)
		return ((const struct moved *)(message + 1))->data;
	return message + 1;
}

void *troupe_take(const struct troupe_message *message)
{
	/* The bits are the core's own, though the receiver's view is const. */
	struct troupe_message *taken = (struct troupe_message *)message;

	if ((taken->bits & MESSAGE_MOVED) == 0)
		return NULL;
	taken->bits &= ~MESSAGE_MOVED;
	taken->size = 0;
	return ((struct moved *)message_inline(taken))->data;
}

struct troupe_strong troupe_take_sender(const struct troupe_message *message)
{
	struct troupe_message *taken = (struct troupe_message *)message;
	struct troupe_strong sender = taken->sender;

	if ((taken->bits & (MESSAGE_REQUEST | MESSAGE_ANSWERED)) ==
	    MESSAGE_REQUEST)
		return troupe__strong_clone(sender);
	taken->sender.block = NULL;
	return sender;
}

struct troupe_message *troupe__message_create(uint32_t tag, const void *data,
					      size_t size)
{
	struct troupe_message *message = troupe__alloc(
		sizeof(*message) + (size < MESSAGE_ROOM ? MESSAGE_ROOM : size));

	if (message == NULL)
		return NULL;
	message->sender.block = NULL;
	message->bits = 0;
	message->tag = tag;
	message->size = (uint32_t)size;
	if (data != NULL)
		memcpy(message_inline(message), data, size);
	return message;
}

/* Makes a request its own error response. Nothing here can fail. */
static void message_bounce(struct troupe_message *message, int error)
{
	struct troupe_strong to = message->sender;

	message->sender.block = NULL;
	message->bits = MESSAGE_RESPONSE | (message->bits & MESSAGE_NUMBER);
	message->tag = TROUPE_TAG_ERROR;
	message->size = sizeof(error);
	memcpy(message_inline(message), &error, sizeof(error));
	if (troupe__message_deliver(to, message) != 0)
		troupe__free(message);
	troupe_strong_release(&to);
}

void troupe__message_uncarry(struct troupe_actor *actor,
			     struct troupe_message *message)
{
	struct troupe_strong carried = {actor_block(actor)};

	if ((message->bits & MESSAGE_CARRIES) == 0)
		return;
	message->bits &= ~MESSAGE_CARRIES;
	troupe__strong_release(&carried);
}

void troupe__message_release(struct troupe_message *message, int error)
{
	troupe_assert((message->bits & MESSAGE_CARRIES) == 0);
	if ((message->bits & MESSAGE_SYSTEM) != 0) {
		troupe__signal_release(message);
		return;
	}
	if ((message->bits & MESSAGE_MOVED) != 0) {
		struct moved *moved = message_inline(message);

		moved->release(moved->data, message->size);
	}
	if ((message->bits & (MESSAGE_REQUEST | MESSAGE_ANSWERED)) ==
	    MESSAGE_REQUEST) {
		message_bounce(message, error);
		return;
	}
	troupe__strong_release(&message->sender);
	troupe__free(message);
}

int troupe__message_push(struct troupe_actor *actor,
			 struct troupe_message *message)
{
	uint64_t abroad = job_home(&actor->job) != troupe__here.home;
	enum mailbox_pushed pushed =
		mailbox_push_mpsc(&actor->mailbox, message);

	troupe__here.sent += abroad << 32 | 1;
	if (pushed == MAILBOX_QUEUED)
		return 0;
	if (pushed == MAILBOX_WOKEN) {
		troupe__job_enqueue(&actor->job);
		return 0;
	}
	troupe__letter_refused(actor, message, -ESRCH);
	return -ESRCH;
}

int troupe__message_deliver(struct troupe_strong to,
			    struct troupe_message *message)
{
	struct troupe_actor *actor = block_actor(to.block);

	if ((actor->job.traits & TRAIT_LIMITED) != 0)
		return troupe__limits_deliver(actor, message);
	return troupe__message_push(actor, message);
}

/* Fills in the sender and delivers; on failure the message is freed. */
static int message_send(struct troupe_strong to, struct troupe_message *message,
			uint64_t bits)
{
	int result;

	message->bits = bits;
	if (troupe__here.actor != NULL)
		message->sender = troupe__actor_self(troupe__here.actor);
	result = troupe__message_deliver(to, message);
	if (result != 0) {
		troupe__strong_release(&message->sender);
		troupe__free(message);
	}
	return result;
}

static int message_send_copy(struct troupe_strong to, uint32_t tag,
			     const void *data, size_t size, uint64_t bits)
{
	struct troupe_message *message;

	if (to.block == NULL || !message_sendable(tag, data, size))
		return -EINVAL;
	if (process_lost_actor(to))
		return -EOWNERDEAD;
	message = troupe__message_create(tag, data, size);
	if (message == NULL)
		return -ENOMEM;
	return message_send(to, message, bits);
}

int troupe_send(struct troupe_strong to, uint32_t tag, const void *data,
		size_t size)
{
	return message_send_copy(to, tag, data, size, 0);
}

int troupe_send_urgent(struct troupe_strong to, uint32_t tag, const void *data,
		       size_t size)
{
	return message_send_copy(to, tag, data, size, MESSAGE_URGENT);
}

int troupe_send_moved(struct troupe_strong to, uint32_t tag, void *data,
		      size_t size, troupe_release_fn release)
{
	struct moved moved = {.data = data, .release = release};
	struct troupe_message *message;

	if (to.block == NULL || !message_sendable(tag, &moved, size) ||
	    release == NULL)
		return -EINVAL;
	if (process_lost_actor(to))
		return -EOWNERDEAD;
	message = troupe__message_create(tag, &moved, sizeof(moved));
	if (message == NULL)
		return -ENOMEM;
	message->size = (uint32_t)size;
	return message_send(to, message, MESSAGE_MOVED);
}
