/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keys, their hashes, and the making of entries.
 */
#include "entry.h"

#include "block.h"

#include <string.h>

/* Mixes every bit of @word into every bit of the result. */
static uint64_t registry_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t registry_eight(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return word;
}

/* The last 1 to 8 bytes of a text that is no longer. */
static uint64_t registry_few(const char *text, size_t length)
{
	uint32_t first, last;

	if (length < sizeof(first))
		return (uint64_t)(unsigned char)text[0] << 16 |
		       (uint64_t)(unsigned char)text[length / 2] << 8 |
		       (unsigned char)text[length - 1];
	memcpy(&first, text, sizeof(first));
	memcpy(&last, text + length - sizeof(last), sizeof(last));
	return (uint64_t)first << 32 | last;
}

/* Eight bytes at a time, the last eight once more than needed: no byte is
 * copied one by one. The seed differs from registry to registry, so that
 * nobody outside can choose names that fall together. */
static uint64_t registry_hash(const char *name, size_t length, uint64_t seed)
{
	uint64_t hash = seed ^ length;
	size_t i = 0;

	if (length == 0)
		return hash;
	for (; i + 8 < length; i += 8)
		hash = registry_mix(hash, registry_eight(name + i));
	if (length >= 8)
		hash = registry_mix(hash, registry_eight(name + length - 8));
	else
		hash = registry_mix(hash, registry_few(name, length));
	return registry_mix(hash, seed);
}

void troupe__registry_key_name(struct troupe__registry_key *ret_key,
			       const char *name, uint64_t seed)
{
	size_t length = strlen(name);

	ret_key->hash = registry_hash(name, length, seed);
	ret_key->name = name;
	ret_key->length = length;
	ret_key->id = 0;
}

void troupe__registry_key_id(struct troupe__registry_key *ret_key, uint64_t id,
			     uint64_t seed)
{
	ret_key->hash = registry_mix(registry_mix(seed, id), seed);
	ret_key->name = NULL;
	ret_key->length = 0;
	ret_key->id = id;
}

struct troupe__registry_entry *
troupe__registry_entry_create(const struct troupe__registry_key *key,
			      struct troupe_strong actor,
			      void *(*alloc)(size_t size))
{
	size_t length = key->name != NULL ? key->length + 1 : 0;
	struct troupe__registry_entry *entry;

	if (length > SIZE_MAX / 2)
		return NULL;
	entry = alloc(sizeof(*entry) + length);
	if (entry == NULL)
		return NULL;
	*entry = (struct troupe__registry_entry){
		.key = *key,
		.weak = troupe__weak_from(actor),
	};
	entry->key.id = actor.block->id;
	if (key->name != NULL) {
		memcpy(entry->text, key->name, length);
		entry->key.name = entry->text;
	}
	return entry;
}
