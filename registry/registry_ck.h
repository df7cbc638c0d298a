/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * registry_ck.h - Concurrency Kit's hash set and epochs, as functions
 *
 * registry_ck.c is built without sanitizers, because ThreadSanitizer cannot
 * see into CK's inline assembly. The callers announce each hand-over, by
 * announce.h. Functions given to CK as callbacks that read what others wrote
 * are in registry.c, where they are instrumented.
 *
 * Epochs. A reader is inside a section while it looks at entries. What was
 * taken out of the set is handed to troupe__ck_set_defer() and comes back,
 * through the reclaim function, when every section that may still see it is
 * over. There is one epoch for all registries of the process, so that a
 * thread needs one record, whatever comes and goes.
 *
 * Synchronisation:	get	put	remove	defer	poll
 *	get		-	-	-	-	-
 *	all others	-	X	X	X	X
 * X: the caller excludes. A get must be inside a section, or exclude X too.
 */
#ifndef REGISTRY_CK_H
#define REGISTRY_CK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A thread's part in the epochs. Never freed, but used again. */
struct troupe__ck_record;

/** Returns: a record for one thread at a time; NULL when out of memory. */
struct troupe__ck_record *troupe__ck_record_get(void);
/** Context: outside any section. */
void troupe__ck_record_put(struct troupe__ck_record *record);
/** How many records were ever made: for tests. */
size_t troupe__ck_record_count(void);

void troupe__ck_section_begin(struct troupe__ck_record *record);
void troupe__ck_section_end(struct troupe__ck_record *record);

/** What CK knows of an entry: the first member of the caller's struct. */
struct troupe__ck_entry {
	uint64_t hash;	      /* I */
	uint64_t deferral[2]; /* CK's, once it was taken out */
};

struct troupe__ck_set;

struct troupe__ck_set_options {
	void *(*alloc)(size_t size);
	void (*free)(void *memory);
	/** True if the two have the same key. @key may be no real entry. */
	bool (*equal)(const void *entry, const void *key);
	/** Takes back a deferred entry. Runs inside poll and destroy. */
	void (*reclaim)(struct troupe__ck_entry *entry, void *context);
	void *context;
};

/** Returns: NULL when out of memory. */
struct troupe__ck_set *
troupe__ck_set_create(const struct troupe__ck_set_options *options);
/** Reclaims all that was deferred; entries still in the set are forgotten. */
void troupe__ck_set_destroy(struct troupe__ck_set *set);

void *troupe__ck_set_get(struct troupe__ck_set *set,
			 const struct troupe__ck_entry *key);
/** @entry's key must not be in the set. Returns: false: out of memory. */
bool troupe__ck_set_put(struct troupe__ck_set *set,
			struct troupe__ck_entry *entry);
void troupe__ck_set_remove(struct troupe__ck_set *set,
			   const struct troupe__ck_entry *entry);
void troupe__ck_set_defer(struct troupe__ck_set *set,
			  struct troupe__ck_entry *entry);
/** Reclaims what it can; does not wait. */
void troupe__ck_set_poll(struct troupe__ck_set *set);

#endif
