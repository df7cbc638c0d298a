/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots for what an actor expects. A table that doubles; free slots in a list.
 */
#include "extra.h"

#include <errno.h>
#include <string.h>

#include "troupe_assert.h"

int troupe__extra_make(struct troupe_actor *actor)
{
	struct actor_extra *extra;

	if (actor_extra(actor) != NULL)
		return 0;
	extra = troupe__alloc(sizeof(*extra));
	if (extra == NULL)
		return -ENOMEM;
	memset(extra, 0, sizeof(*extra));
	extra->first_free = SLOT_NONE;
	extra->observers = actor_observers(actor);
	actor->extra = (uintptr_t)extra;
	return 0;
}

void troupe__extra_free(struct troupe_actor *actor)
{
	struct actor_extra *extra = actor_extra(actor);

	troupe_assert(actor_observers(actor) == NULL);
	actor->extra = 0;
	if (extra == NULL)
		return;
	troupe__free(extra->slots);
	troupe__free(extra);
}

static int slot_grow(struct actor_extra *extra)
{
	uint32_t old = extra->slot_count;
	uint32_t count = old == 0 ? 4 : old * 2;
	struct actor_slot *slots = troupe__alloc(count * sizeof(*slots));

	if (slots == NULL)
		return -ENOMEM;
	if (old != 0)
		memcpy(slots, extra->slots, old * sizeof(*slots));
	for (uint32_t i = old; i < count; i++) {
		slots[i] = (struct actor_slot){
			.age = 1,
			.next_free = i + 1 < count ? i + 1 : SLOT_NONE,
		};
	}
	troupe__free(extra->slots);
	extra->slots = slots;
	extra->slot_count = count;
	extra->first_free = old;
	return 0;
}

int troupe__slot_take(struct troupe_actor *actor, enum slot_kind kind,
		      uint64_t *ret_number)
{
	struct actor_extra *extra;
	struct actor_slot *slot;
	uint32_t place;
	int result = troupe__extra_make(actor);

	extra = actor_extra(actor);
	if (result == 0 && extra->first_free == SLOT_NONE)
		result = slot_grow(extra);
	if (result != 0)
		return result;
	place = extra->first_free;
	slot = &extra->slots[place];
	extra->first_free = slot->next_free;
	slot->kind = kind;
	*ret_number = slot_number(place, slot->age);
	return 0;
}

struct actor_slot *troupe__slot_find(struct troupe_actor *actor,
				     uint64_t number)
{
	struct actor_extra *extra = actor_extra(actor);
	uint32_t place = (uint32_t)number;
	struct actor_slot *slot;

	if (extra == NULL || place >= extra->slot_count)
		return NULL;
	slot = &extra->slots[place];
	if (slot->kind == SLOT_FREE || slot_number(place, slot->age) != number)
		return NULL;
	return slot;
}

void troupe__slot_free(struct troupe_actor *actor, uint64_t number)
{
	struct actor_extra *extra = actor_extra(actor);
	struct actor_slot *slot = &extra->slots[(uint32_t)number];

	slot->kind = SLOT_FREE;
	slot->age = slot->age < SLOT_AGE_MAX ? slot->age + 1 : 1;
	slot->next_free = extra->first_free;
	extra->first_free = (uint32_t)number;
}

void troupe__slot_forget_requests(struct troupe_actor *actor)
{
	struct actor_extra *extra = actor_extra(actor);

	for (uint32_t place = 0; extra != NULL && place < extra->slot_count;
	     place++)
		if (extra->slots[place].kind == SLOT_REQUEST)
			troupe__slot_free(
				actor,
				slot_number(place, extra->slots[place].age));
}
