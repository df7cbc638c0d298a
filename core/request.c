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

int troupe__request_send(struct troupe_actor *actor, struct troupe_strong to,
			 uint32_t tag, const void *data, size_t size,
			 enum slot_kind kind, uint64_t *ret_number)
{
	struct troupe_message *message;
	int result;

	troupe_assert(actor == troupe__here.actor);
	if (to.block == NULL || tag >= TROUPE_TAG_RESERVED ||
	    size > UINT32_MAX || (data == NULL && size != 0))
		return -EINVAL;
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

/* Sends the response with @number to @to. */
static int request_respond(struct troupe_strong to, uint64_t number,
			   uint32_t tag, const void *data, size_t size)
{
	struct troupe_message *response;
	int result;

	if (tag >= TROUPE_TAG_RESERVED || size > UINT32_MAX ||
	    (data == NULL && size != 0))
		return -EINVAL;
	response = troupe__message_create(tag, data, size);
	if (response == NULL)
		return -ENOMEM;
	response->bits = MESSAGE_RESPONSE | number;
	if (troupe__here.actor != NULL)
		response->sender = troupe__actor_self(troupe__here.actor);
	result = troupe__message_deliver(to, response);
	if (result != 0)
		troupe__message_release(response, 0);
	return result;
}

int troupe_reply(struct troupe_actor *self,
		 const struct troupe_message *message, uint32_t tag,
		 const void *data, size_t size)
{
	int result;

	(void)self;
	troupe_assert(self == troupe__here.actor);
	if (message->sender.block == NULL)
		return -ENOENT;
	if ((message->bits & MESSAGE_REQUEST) == 0)
		return troupe_send(message->sender, tag, data, size);
	if ((message->bits & MESSAGE_ANSWERED) != 0)
		return -EALREADY;
	result =
		request_respond(message->sender, message->bits & MESSAGE_NUMBER,
				tag, data, size);
	/* The bits are the core's own, though the receiver's view is const. */
	if (result == 0 || result == -ESRCH)
		((struct troupe_message *)message)->bits |= MESSAGE_ANSWERED;
	return result;
}

int troupe_promise(struct troupe_actor *self,
		   const struct troupe_message *message,
		   struct troupe_promise *ret_promise)
{
	struct troupe_message *prepared;
	int error = -ECANCELED;

	(void)self;
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
	int result;

	if (prepared == NULL)
		return -ENOENT;
	result = request_respond(prepared->sender,
				 prepared->bits & MESSAGE_NUMBER, tag, data,
				 size);
	if (result == 0 || result == -ESRCH) {
		prepared->bits |= MESSAGE_ANSWERED;
		troupe_promise_release(promise);
	}
	return result;
}

void troupe_promise_release(struct troupe_promise *promise)
{
	struct troupe_message *prepared = promise->prepared;

	if (prepared == NULL)
		return;
	promise->prepared = NULL;
	troupe__message_release(prepared, -ECANCELED);
}
