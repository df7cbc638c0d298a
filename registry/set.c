/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash set: see set.h. Slots and the array are seq_cst where readers meet
 * writers: the argument at the top of reader.h needs that for its fences, and
 * it is what publishes entries. On x86 such a load is a plain one.
 */
#include "set.h"

#include <string.h>

#define SET_SLOTS_MIN 64

/* relaxed for the hash: it is written once, before the entry is published, and
 * says nothing while there is no entry. */
struct set_slot {
	_Atomic uint64_t hash;
	_Atomic(struct troupe__registry_entry *) entry;
};

/* Legend: I set at init, A atomic from any thread, L under the lock. */
struct troupe__set_array {
	struct troupe__retired retired; /* L; first */
	size_t mask;			/* I: slots - 1 */
	size_t used;			/* L: slots */
	size_t count;			/* L: entries */
	struct set_slot slots[];	/* A */
};

/* What an entry leaves behind in its slot. */
static struct troupe__registry_entry set_gone;

static struct troupe__set_array *set_array_create(const struct troupe__set *set,
						  size_t slots)
{
	struct troupe__set_array *array;
	size_t size = sizeof(*array) + slots * sizeof(array->slots[0]);

	array = set->alloc(size);
	if (array == NULL)
		return NULL;
	memset(array, 0, size);
	array->retired.free = set->free;
	array->mask = slots - 1;
	return array;
}

/* The first slot from the one of @hash on that holds @entry. */
static struct set_slot *set_find(struct troupe__set_array *array, uint64_t hash,
				 const struct troupe__registry_entry *entry)
{
	size_t i = hash & array->mask;

	while (atomic_load(&array->slots[i].entry) != entry)
		i = (i + 1) & array->mask;
	return &array->slots[i];
}

static void set_array_put(struct troupe__set_array *array,
			  struct troupe__registry_entry *entry)
{
	struct set_slot *slot = set_find(array, entry->key.hash, NULL);

	/* relaxed: see struct set_slot. */
	atomic_store_explicit(&slot->hash, entry->key.hash,
			      memory_order_relaxed);
	atomic_store(&slot->entry, entry);
	array->used++;
	array->count++;
}

/* A fresh array with room for as many entries again as there are. */
static bool set_move(struct troupe__set *set, struct troupe__set_array *old)
{
	struct troupe__set_array *array;
	size_t slots = SET_SLOTS_MIN;

	while (slots / 4 < old->count + 1)
		slots *= 2;
	array = set_array_create(set, slots);
	if (array == NULL)
		return false;
	for (size_t i = 0; i <= old->mask; i++) {
		struct troupe__registry_entry *entry =
			atomic_load(&old->slots[i].entry);

		if (entry != NULL && entry != &set_gone)
			set_array_put(array, entry);
	}
	atomic_store(&set->array, array);
	troupe__retire(set->retired, &old->retired);
	return true;
}

bool troupe__set_init(struct troupe__set *set)
{
	struct troupe__set_array *array = set_array_create(set, SET_SLOTS_MIN);

	atomic_init(&set->array, array);
	return array != NULL;
}

struct troupe__retired *troupe__set_fini(struct troupe__set *set)
{
	return &atomic_load(&set->array)->retired;
}

static bool set_equal(const struct troupe__registry_key *a,
		      const struct troupe__registry_key *b)
{
	if ((a->name == NULL) != (b->name == NULL))
		return false;
	if (a->name == NULL)
		return a->id == b->id;
	return a->length == b->length &&
	       memcmp(a->name, b->name, a->length) == 0;
}

struct troupe__registry_entry *
troupe__set_get(struct troupe__set *set, const struct troupe__registry_key *key)
{
	struct troupe__set_array *array = atomic_load(&set->array);
	size_t i = key->hash & array->mask;
	struct troupe__registry_entry *entry;

	while ((entry = atomic_load(&array->slots[i].entry)) != NULL) {
		/* relaxed: see struct set_slot. */
		if (atomic_load_explicit(&array->slots[i].hash,
					 memory_order_relaxed) == key->hash &&
		    entry != &set_gone && set_equal(&entry->key, key))
			return entry;
		i = (i + 1) & array->mask;
	}
	return NULL;
}

bool troupe__set_put(struct troupe__set *set,
		     struct troupe__registry_entry *entry)
{
	struct troupe__set_array *array = atomic_load(&set->array);

	if (array->used > array->mask / 2) {
		if (!set_move(set, array))
			return false;
		array = atomic_load(&set->array);
	}
	set_array_put(array, entry);
	return true;
}

void troupe__set_remove(struct troupe__set *set,
			const struct troupe__registry_entry *entry)
{
	struct troupe__set_array *array = atomic_load(&set->array);

	atomic_store(&set_find(array, entry->key.hash, entry)->entry,
		     &set_gone);
	array->count--;
}
