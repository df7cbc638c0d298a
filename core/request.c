/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests and their responses: the table of handlers that an actor waits to
 * run, replies, and promises to reply later. A request that is released
 * without an answer is answered in message.c.
 */
#include "message.h"

#include <errno.h>

#include "block.h"
#include "extra.h"
#include "process.h"

int troupe__request_send(struct troupe_actor *actor, struct troupe_strong to,
			 uint32_t tag, const void *data, size_t size,
			 enum slot_kind kind, uint64_t *ret_number)
{
	struct troupe_message *message;
	int result;

	if (process_lost(actor->job.system))
		return -EOWNERDEAD;
	troupe_assert(actor == troupe__here.actor);
	if (to.block == NULL || !message_sendable(tag, data, size))
		return -EINVAL;
	if (process_lost_actor(to))
		return -EOWNERDEAD;
	result = troupe__slot_take(actor, kind, ret_number);
	if (result != 0)
		return result;
	message = troupe__message_create(tag, data, size);
	if (message == NULL) {
		troupe__slot_free(actor, *ret_number);
		return -ENOMEM;
	}
	message->bits = MESSAGE_REQUEST | *ret_number;
	message->sender = troupe__actor_self(actor);
	result = troupe__message_deliver(to, message);
	if (result != 0)
		troupe__message_release(message, result);
	return 0;
}

int troupe_request(struct troupe_actor *self, struct troupe_strong to,
		   uint32_t tag, const void *data, size_t size,
		   troupe_response_fn on_response, void *context)
{
	struct actor_slot *slot;
	uint64_t number;
	int result;

	if (on_response == NULL)
		return -EINVAL;
	result = troupe__request_send(self, to, tag, data, size, SLOT_REQUEST,
				      &number);
	if (result != 0)
		return result;
	/* The response, if it is here already, waits for this callback. */
	slot = troupe__slot_find(self, number);
	slot->request.on_response = on_response;
	slot->request.context = context;
	return 0;
}

int troupe__request_response(struct troupe_actor *actor,
			     const struct troupe_message *message)
{
	uint64_t number = message->bits & MESSAGE_NUMBER;
	struct actor_slot *slot = troupe__slot_find(actor, number);
	troupe_response_fn on_response;
	void *context;

	/* Too late for a troupe_ask(). */
	if (slot == NULL || slot->kind != SLOT_REQUEST)
		return 0;
	on_response = slot->request.on_response;
	context = slot->request.context;
	troupe__slot_free(actor, number);
	return on_response(actor, actor_state(actor), message, context);
}

/*
 * Sends @answer to the sender of @question, with the count that the question
 * holds of it, and marks the question as answered. The count is given to the
 * answer before that is visible, and taken back if it is refused.
 */
static int request_answer(struct troupe_message *question,
			  struct troupe_message *answer)
{
	struct troupe_strong to = question->sender;
	struct troupe_actor *actor = block_actor(to.block);
	int result;

	if (troupe__here.actor != NULL)
		answer->sender = troupe__actor_self(troupe__here.actor);
	question->bits |= MESSAGE_ANSWERED;
	if ((actor->job.traits & TRAIT_LIMITED) != 0) {
		result = troupe__message_deliver(to, answer);
	} else {
		answer->bits |= MESSAGE_CARRIES;
		question->sender.block = NULL;
		result = troupe__message_push(actor, answer);
		if (result != 0) {
			answer->bits &= ~MESSAGE_CARRIES;
			question->sender = to;
		}
	}
	if (result != 0) {
		troupe__strong_release(&answer->sender);
		troupe__free(answer);
	}
	/* A full mailbox: it may be tried again. */
	if (result == -EAGAIN)
		question->bits &= ~MESSAGE_ANSWERED;
	return result;
}

int troupe_reply(struct troupe_actor *self,
		 const struct troupe_message *message, uint32_t tag,
		 const void *data, size_t size)
{
	/* The bits are the core's own, though the receiver's view is const. */
	struct troupe_message *question = (struct troupe_message *)message;
	struct troupe_message *answer;

	if (process_lost(self->job.system))
		return -EOWNERDEAD;
	troupe_assert(self == troupe__here.actor);
	if ((question->bits & MESSAGE_ANSWERED) != 0)
		return -EALREADY;
	if (question->sender.block == NULL)
		return -ENOENT;
	if (!message_sendable(tag, data, size))
		return -EINVAL;
	answer = troupe__message_create(tag, data, size);
	if (answer == NULL)
		return -ENOMEM;
	if ((question->bits & MESSAGE_REQUEST) != 0)
		answer->bits =
			MESSAGE_RESPONSE | (question->bits & MESSAGE_NUMBER);
	return request_answer(question, answer);
}

int troupe_promise(struct troupe_actor *self,
		   const struct troupe_message *message,
		   struct troupe_promise *ret_promise)
{
	struct troupe_message *prepared;
	int error = -ECANCELED;

	if (process_lost(self->job.system))
		return -EOWNERDEAD;
	troupe_assert(self == troupe__here.actor);
	if ((message->bits & MESSAGE_REQUEST) == 0)
		return -ENOENT;
	if ((message->bits & MESSAGE_ANSWERED) != 0)
		return -EALREADY;
	prepared =
		troupe__message_create(TROUPE_TAG_ERROR, &error, sizeof(error));
	if (prepared == NULL)
		return -ENOMEM;
	/* A request of its own: released, it answers with -ECANCELED. */
	prepared->bits = message->bits & (MESSAGE_REQUEST | MESSAGE_NUMBER);
	prepared->sender = troupe_strong_clone(message->sender);
	((struct troupe_message *)message)->bits |= MESSAGE_ANSWERED;
	ret_promise->prepared = prepared;
	return 0;
}

int troupe_promise_reply(struct troupe_promise *promise, uint32_t tag,
			 const void *data, size_t size)
{
	struct troupe_message *prepared = promise->prepared;
	struct troupe_message *answer;
	int result;

	if (prepared == NULL)
		return -ENOENT;
	if (process_lost_actor(prepared->sender))
		return -EOWNERDEAD;
	if (!message_sendable(tag, data, size))
		return -EINVAL;
	answer = troupe__message_create(tag, data, size);
	if (answer == NULL)
		return -ENOMEM;
	answer->bits = MESSAGE_RESPONSE | (prepared->bits & MESSAGE_NUMBER);
	result = request_answer(prepared, answer);
	troupe_promise_release(promise);
	return result;
}

void troupe_promise_release(struct troupe_promise *promise)
{
	struct troupe_message *prepared = promise->prepared;

	if (prepared == NULL)
		return;
	/* If it was answered, the answer took the handle. */
	if (prepared->sender.block != NULL &&
	    process_lost_actor(prepared->sender))
		return;
	promise->prepared = NULL;
	troupe__message_release(prepared, -ECANCELED);
}
