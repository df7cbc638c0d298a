/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * set.h - the hash set of entries that readers search
 *
 * An array of slots, searched from the slot that the hash names to the first
 * that was never used. A slot is used once: its entry, when taken out, leaves a
 * mark. When half the slots are used, the set moves to a fresh array, and the
 * old one is retired; entries stay where they are.
 *
 * Synchronisation:	get	put	remove
 *	get		-	-	-
 *	put, remove	-	X	X
 * X: the caller excludes. A get must be inside a section (reader.h), or
 * exclude X too.
 */
#ifndef SET_H
#define SET_H

#include "entry.h"

struct troupe__set_array;

/* Legend: I set at init, A atomic from any thread, L under the lock. */
struct troupe__set {
	_Atomic(struct troupe__set_array *) array; /* A: written under L */
	void *(*alloc)(size_t size);		   /* I */
	struct troupe__retired_list *retired;	   /* L: the owner's */
	void (*free)(struct troupe__retired *retired, void *context); /* I */
};

/** @set: all but array is set. Returns: false: out of memory. */
bool troupe__set_init(struct troupe__set *set);

/** Returns: the array, which nobody reads any more, for the caller to free. */
struct troupe__retired *troupe__set_fini(struct troupe__set *set);

struct troupe__registry_entry *
troupe__set_get(struct troupe__set *set,
		const struct troupe__registry_key *key);

/** @entry's key must not be in the set. Returns: false: out of memory. */
bool troupe__set_put(struct troupe__set *set,
		     struct troupe__registry_entry *entry);

/** @entry must be in the set. The caller retires it. */
void troupe__set_remove(struct troupe__set *set,
			const struct troupe__registry_entry *entry);

#endif
