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
	uint32_t age; /* grows with each use */
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
	struct troupe_message *observers; /* monitor.c's */
	char text[TROUPE_REASON_TEXT];	  /* given with the reason */
};

#define SLOT_NONE UINT32_MAX

/** Makes actor->extra. Returns: 0; -ENOMEM. */
int troupe__extra_make(struct troupe_actor *actor);
/** Accepts NULL. The slots must be free of ends. */
void troupe__extra_free(struct actor_extra *extra);

/** Takes a free slot. Returns: 0; -ENOMEM. */
int troupe__slot_take(struct troupe_actor *actor, enum slot_kind kind,
		      uint64_t *ret_number);
/** The slot with that number; NULL if it is too late. */
struct actor_slot *troupe__slot_find(struct troupe_actor *actor,
				     uint64_t number);
void troupe__slot_free(struct troupe_actor *actor, uint64_t number);

/** Sends a request from @actor, which runs; request.c. */
int troupe__request_send(struct troupe_actor *actor, struct troupe_strong to,
			 uint32_t tag, const void *data, size_t size,
			 enum slot_kind kind, uint64_t *ret_number);

/** The number of the slot at @place. */
static inline uint64_t slot_number(uint32_t place, uint32_t age)
{
	return ((uint64_t)age << 32 | place) & MESSAGE_NUMBER;
}

#endif
