/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests and their responses: the table of handlers that an actor waits to
 * run, replies, and promises to reply later. A request that is released
 * without an answer is answered in message.c.
 */
#include "message.h"

#include <errno.h>
#include <string.h>

#include "block.h"
#include "core.h"

#define REQUEST_NONE UINT32_MAX

/* A slot of the table; its place and age make the request's number. */
struct request_slot {
	troupe_response_fn on_response; /* NULL: the slot is free */
	void *context;
	uint32_t age; /* of use; see request_number() */
	uint32_t next_free;
};

/* What only some actors need. */
struct actor_extra {
	struct request_slot *slots;
	uint32_t slot_count;
	uint32_t first_free;
};

static uint64_t request_number(uint32_t place, uint32_t age)
{
	return ((uint64_t)age << 32 | place) & MESSAGE_NUMBER;
}

/* Makes room for more requests: twice as many slots as before. */
static int request_grow(struct actor_extra *extra)
{
	uint32_t old = extra->slot_count;
	uint32_t count = old == 0 ? 4 : old * 2;
	struct request_slot *slots;

	slots = troupe__alloc(count * sizeof(*slots));
	if (slots == NULL)
		return -ENOMEM;
	if (old != 0)
		memcpy(slots, extra->slots, old * sizeof(*slots));
	for (uint32_t i = old; i < count; i++) {
		slots[i] = (struct request_slot){
			.next_free = i + 1 < count ? i + 1 : REQUEST_NONE,
		};
	}
	troupe__free(extra->slots);
	extra->slots = slots;
	extra->slot_count = count;
	extra->first_free = old;
	return 0;
}

static int request_reserve(struct troupe_actor *actor, uint32_t *ret_place)
{
	struct actor_extra *extra = actor->extra;

	if (extra == NULL) {
		extra = troupe__alloc(sizeof(*extra));
		if (extra == NULL)
			return -ENOMEM;
		*extra = (struct actor_extra){.first_free = REQUEST_NONE};
		actor->extra = extra;
	}
	if (extra->first_free == REQUEST_NONE) {
		int result = request_grow(extra);

		if (result != 0)
			return result;
	}
	*ret_place = extra->first_free;
	extra->first_free = extra->slots[*ret_place].next_free;
	return 0;
}

static void request_free(struct actor_extra *extra, uint32_t place)
{
	struct request_slot *slot = &extra->slots[place];

	slot->on_response = NULL;
	slot->age++;
	slot->next_free = extra->first_free;
	extra->first_free = place;
}

void troupe__extra_free(struct actor_extra *extra)
{
	if (extra == NULL)
		return;
	troupe__free(extra->slots);
	troupe__free(extra);
}

int troupe_request(struct troupe_actor *self, struct troupe_strong to,
		   uint32_t tag, const void *data, size_t size,
		   troupe_response_fn on_response, void *context)
{
	struct troupe_message *message;
	struct request_slot *slot;
	uint32_t place;
	int result;

	troupe_assert(self == troupe__here.actor);
	if (to.block == NULL || tag >= TROUPE_TAG_RESERVED ||
	    size > UINT32_MAX || (data == NULL && size != 0) ||
	    on_response == NULL)
		return -EINVAL;
	result = request_reserve(self, &place);
	if (result != 0)
		return result;
	message = troupe__message_create(tag, data, size);
	if (message == NULL) {
		request_free(self->extra, place);
		return -ENOMEM;
	}
	slot = &self->extra->slots[place];
	slot->on_response = on_response;
	slot->context = context;
	message->bits = MESSAGE_REQUEST | request_number(place, slot->age);
	message->sender = troupe__actor_self(self);
	if (troupe__message_deliver(to, message) != 0)
		troupe__message_release(message, -ESRCH);
	return 0;
}

int troupe__request_response(struct troupe_actor *actor,
			     const struct troupe_message *message)
{
	uint64_t number = message->bits & MESSAGE_NUMBER;
	uint32_t place = (uint32_t)number;
	struct actor_extra *extra = actor->extra;
	struct request_slot slot;

	troupe_assert(extra != NULL && place < extra->slot_count);
	slot = extra->slots[place];
	troupe_assert(slot.on_response != NULL &&
		      request_number(place, slot.age) == number);
	request_free(extra, place);
	return slot.on_response(actor, actor_state(actor), message,
				slot.context);
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
