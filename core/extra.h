/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * extra.h - what only some actors need: expectations, observers, a reason
 *
 * An actor that waits for a response, or for news of another actor, keeps a
 * *slot* for it. A slot's place and age make a number that travels with the
 * message; when something with that number comes back and the slot's age is
 * still the same, it is expected, else it is too late and dropped. So a reply
 * and a demonitor that cross on the way do no harm.
 *
 * Threads. The actor's owner only.
 */
#ifndef EXTRA_H
#define EXTRA_H

#include <stdbool.h>

#include "core.h"

enum slot_kind {
	SLOT_FREE,
	SLOT_REQUEST,
	SLOT_ASK, /* a request, by troupe_ask() */
	SLOT_MONITOR,
	SLOT_LINK,
};

struct actor_slot {
	enum slot_kind kind;
	uint32_t age; /* grows with each use; never 0, so no number is 0 */
	union {
		struct {
			troupe_response_fn on_response;
			void *context;
		} request;
		struct troupe_message *end; /* of a monitor or link */
		uint32_t next_free;
	};
};

struct actor_extra {
	struct actor_slot *slots;
	uint32_t slot_count;
	uint32_t first_free;		  /* SLOT_NONE: none */
	struct troupe_message *observers; /* watch.c's */
	char text[TROUPE_REASON_TEXT];	  /* given with the reason */
};

#define SLOT_NONE    UINT32_MAX
#define SLOT_AGE_MAX ((uint32_t)(MESSAGE_NUMBER >> 32)) /* then from 1 on */

/* An actor that is observed, and needs no more, has the first observer in the
 * place of its extra, with this bit: to be observed needs no memory. */
#define EXTRA_OBSERVER ((uintptr_t)1)

/** NULL if there is none. */
static inline struct actor_extra *actor_extra(const struct troupe_actor *actor)
{
	if ((actor->extra & EXTRA_OBSERVER) != 0)
		return NULL;
	return (struct actor_extra *)actor->extra;
}

static inline struct troupe_message *
actor_observers(const struct troupe_actor *actor)
{
	const struct actor_extra *extra = actor_extra(actor);

	if (extra != NULL)
		return extra->observers;
	return (struct troupe_message *)(actor->extra & ~EXTRA_OBSERVER);
}

static inline void actor_set_observers(struct troupe_actor *actor,
				       struct troupe_message *first)
{
	struct actor_extra *extra = actor_extra(actor);

	if (extra != NULL)
		extra->observers = first;
	else if (first != NULL)
		actor->extra = (uintptr_t)first | EXTRA_OBSERVER;
	else
		actor->extra = 0;
}

/** Makes the actor's extra. Returns: 0; -ENOMEM. */
int troupe__extra_make(struct troupe_actor *actor);
/** It must be free of ends and observers. */
void troupe__extra_free(struct troupe_actor *actor);

/** Takes a free slot. Returns: 0; -ENOMEM. */
int troupe__slot_take(struct troupe_actor *actor, enum slot_kind kind,
		      uint64_t *ret_number);
/** The slot with that number; NULL if it is too late. */
struct actor_slot *troupe__slot_find(struct troupe_actor *actor,
				     uint64_t number);
void troupe__slot_free(struct troupe_actor *actor, uint64_t number);
/** Frees all slots of requests: nobody is there to handle the responses. */
void troupe__slot_forget_requests(struct troupe_actor *actor);

/** Sends a request from @actor, which runs; request.c. */
int troupe__request_send(struct troupe_actor *actor, struct troupe_strong to,
			 uint32_t tag, const void *data, size_t size,
			 enum slot_kind kind, uint64_t *ret_number);

/** The number of the slot at @place. */
static inline uint64_t slot_number(uint32_t place, uint32_t age)
{
	return (uint64_t)age << 32 | place;
}

#endif
