/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * entry.h - what the registry keeps for one name or id
 *
 * An entry is on three lists: the set that readers search, its block's list,
 * by which it vanishes when the actor ends, and the registry's list of all
 * entries, in the order of their puts. An entry that was taken out waits for
 * the last reader on none of them.
 */
#ifndef ENTRY_H
#define ENTRY_H

#include "reader.h"
#include "troupe_refcount.h"

/** A name, or an id if @name is NULL. */
struct troupe__registry_key {
	uint64_t hash;
	const char *name;
	size_t length; /* of @name */
	uint64_t id;
};

/* Legend: I set before it is put, L under the registry's lock. What readers
 * look at is together, and next to the name. */
struct troupe__registry_entry {
	struct troupe__retired retired;			/* L; first */
	struct troupe__registry_entry *next, *previous; /* L: of the block */
	struct troupe__registry_entry *all_next, *all_previous; /* L */
	struct troupe__registry_key key; /* I; id of both */
	struct troupe_weak weak;	 /* I */
	char text[];			 /* I: the name */
};

/* Into the caller's memory: a struct returned by value is written in pieces and
 * read back in larger ones, which stalls. */
void troupe__registry_key_name(struct troupe__registry_key *ret_key,
			       const char *name, uint64_t seed);
void troupe__registry_key_id(struct troupe__registry_key *ret_key, uint64_t id,
			     uint64_t seed);

/**
 * An entry with @key for @actor: a copy of the name, a weak handle.
 * Returns: NULL when out of memory.
 */
struct troupe__registry_entry *
troupe__registry_entry_create(const struct troupe__registry_key *key,
			      struct troupe_strong actor,
			      void *(*alloc)(size_t size));

#endif
