/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * table.h - the registry's entries, and who may change them
 *
 * The struct is registry.c's and table.c's. Writers exclude each other by
 * the lock; readers take none (reader.h).
 *
 * An entry that was taken out is freed when no reader can see it any more, a
 * batch at a time (reader.h says why). A batch is collected under the lock and
 * freed after it, because freeing may drop the last count of an actor's block,
 * which is the core's to free.
 */
#ifndef TABLE_H
#define TABLE_H

#include "entry.h"
#include "registry.h"
#include "running.h"
#include "set.h"

#include <stdatomic.h>
#include <uv.h>

/** So many are retired before it is looked which of them can be freed. */
#define TROUPE__REGISTRY_BATCH 64

/* Legend: I set at init, L under the lock, A atomic from any thread. */
struct troupe_registry {
	/* All that readers need. */
	struct troupe__set set;			 /* A */
	uint64_t seed;				 /* I */
	uint32_t born;				 /* I: options.forks then */
	struct troupe__registry_options options; /* I */
	char readers_end[64];
	struct troupe__running running; /* A */
	char running_end[64];
	uv_mutex_t lock;
	struct troupe__registry_entry *entries;	     /* L: in put order */
	struct troupe__registry_entry *entries_last; /* L */
	size_t names_count;			     /* L */
	size_t names_bytes;			     /* L: with the final 0s */
	struct troupe__retired_list retired;	     /* L: not yet freed */
};

/** True in a child of the process that made the registry @of: locks may be held
 * for ever, and entries half linked. Any thread. */
static inline bool troupe__registry_lost(const struct troupe_registry *of)
{
	/* relaxed: written in a child, when it has one thread. */
	return of->options.forks != NULL &&
	       atomic_load_explicit(of->options.forks, memory_order_relaxed) !=
		       of->born;
}

/* Context: under the lock, if nothing else is said. */

/**
 * troupe__registry_mark_ended - mark @block's actor as ended
 *
 * Context: any, without the lock.
 * Returns: true if the block has entries, or may have had until now: take the
 *          lock and call troupe__registry_remove_all().
 */
bool troupe__registry_mark_ended(struct troupe_control_block *block);

/**
 * troupe__registry_insert - publish @entry
 *
 * Returns: 0; -EEXIST, -ESRCH, -ENOMEM, and then @entry is on no list.
 */
int troupe__registry_insert(struct troupe_registry *registry,
			    struct troupe__registry_entry *entry);

/** Takes @entry out and retires it. */
void troupe__registry_remove(struct troupe_registry *registry,
			     struct troupe__registry_entry *entry);
void troupe__registry_remove_all(struct troupe_registry *registry,
				 struct troupe_control_block *block);

/** True if a reader would get a handle from @entry. Context: also inside a
 * section. */
bool troupe__registry_entry_live(const struct troupe__registry_entry *entry);

/** Gives the lock back, then frees what no reader sees any more, if that is
 * worth its cost. */
void troupe__registry_unlock(struct troupe_registry *registry);

/** Frees an entry that nobody sees. Context: any, without the lock. */
void troupe__registry_entry_free(struct troupe_registry *registry,
				 struct troupe__registry_entry *entry);

/** The same for a list of what was retired, linked by next. */
void troupe__registry_free_retired(struct troupe_registry *registry,
				   struct troupe__retired *retired);

/** For retired arrays of the set. */
void troupe__registry_array_free(struct troupe__retired *retired,
				 void *context);

#endif
