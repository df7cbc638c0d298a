/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries on their three lists, all under the lock: the set, the block's list
 * and the list of names. The one thing here that is not under the lock is the
 * mark that an actor has ended, which shares a word with its block's list.
 */
#include "table.h"

#include "block.h"

#include <errno.h>

/* The mark in block->registry, below the pointer to the first entry. */
#define REGISTRY_ENDED UINT64_C(1)

/* ---- the block's word --------------------------------------------------- */

bool troupe__registry_has_ended(const struct troupe_control_block *block)
{
	/* relaxed: the mark is never taken back and publishes nothing. */
	return (atomic_load_explicit(&block->registry, memory_order_relaxed) &
		REGISTRY_ENDED) != 0;
}

static struct troupe__registry_entry *registry_first(uint64_t word)
{
	return (struct troupe__registry_entry *)(uintptr_t)(word &
							    ~REGISTRY_ENDED);
}

/* Context: under the lock. */
static struct troupe__registry_entry *
registry_block_first(const struct troupe_control_block *block)
{
	/* relaxed: only the mark can change, and it is not looked at. */
	return registry_first(
		atomic_load_explicit(&block->registry, memory_order_relaxed));
}

/*
 * Makes @first the head of the block's list, under the lock. Only the mark can
 * change at the same time.
 *
 * relaxed: entries are read and written under the lock only, which orders
 * them; the mark and the head are one word. Pairs with:
 * troupe__registry_mark_ended(), which sees this head or was first.
 *
 * Returns: false if @only_alive and the actor has ended: nothing has changed.
 */
static bool registry_set_first(struct troupe_control_block *block,
			       struct troupe__registry_entry *first,
			       bool only_alive)
{
	uint64_t word =
		atomic_load_explicit(&block->registry, memory_order_relaxed);

	do {
		if (only_alive && (word & REGISTRY_ENDED) != 0)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&block->registry, &word,
		(uint64_t)(uintptr_t)first | (word & REGISTRY_ENDED),
		memory_order_relaxed, memory_order_relaxed));
	return true;
}

bool troupe__registry_mark_ended(struct troupe_control_block *block)
{
	/* acquire: without a handle nobody can be putting it, and all who did
	 * have let theirs go. Pairs with: strong_drop(). */
	bool alone =
		atomic_load_explicit(&block->strong, memory_order_acquire) == 0;
	/* relaxed, both: then a word without entries is nobody else's. */
	uint64_t word =
		atomic_load_explicit(&block->registry, memory_order_relaxed);

	if (alone && registry_first(word) == NULL)
		atomic_store_explicit(&block->registry, word | REGISTRY_ENDED,
				      memory_order_relaxed);
	else
		/* relaxed: either this sees the head that a put has set, and
		 * waits for that put by the lock, or the put sees the mark.
		 * Pairs with: registry_set_first(). */
		word = atomic_fetch_or_explicit(
			&block->registry, REGISTRY_ENDED, memory_order_relaxed);
	return registry_first(word) != NULL;
}

/* ---- entries, under the lock -------------------------------------------- */

void troupe__registry_entry_free(struct troupe_registry *registry,
				 struct troupe__registry_entry *entry)
{
	troupe__weak_release(&entry->weak);
	registry->options.free(entry);
}

static void registry_entry_free(struct troupe__retired *retired, void *context)
{
	troupe__registry_entry_free(context,
				    (struct troupe__registry_entry *)retired);
}

void troupe__registry_array_free(struct troupe__retired *retired, void *context)
{
	const struct troupe_registry *registry = context;

	registry->options.free(retired);
}

void troupe__registry_free_retired(struct troupe_registry *registry,
				   struct troupe__retired *retired)
{
	while (retired != NULL) {
		struct troupe__retired *next = retired->next;

		retired->free(retired, registry);
		retired = next;
	}
}

/* Without membarrier() it costs writers nothing to look each time. */
static bool registry_should_collect(const struct troupe_registry *registry)
{
	size_t batch = troupe__reader_fenced ? 1 : TROUPE__REGISTRY_BATCH;

	return registry->retired.count >= batch;
}

void troupe__registry_unlock(struct troupe_registry *registry)
{
	struct troupe__retired *collected = NULL;

	if (registry_should_collect(registry))
		collected = troupe__retired_collect(&registry->retired);
	uv_mutex_unlock(&registry->lock);
	troupe__registry_free_retired(registry, collected);
}

static void registry_all_add(struct troupe_registry *registry,
			     struct troupe__registry_entry *entry)
{
	entry->all_previous = registry->entries_last;
	if (registry->entries_last != NULL)
		registry->entries_last->all_next = entry;
	else
		registry->entries = entry;
	registry->entries_last = entry;
	if (entry->key.name != NULL) {
		registry->names_count++;
		registry->names_bytes += entry->key.length + 1;
	}
}

static void registry_all_drop(struct troupe_registry *registry,
			      struct troupe__registry_entry *entry)
{
	if (entry->all_previous != NULL)
		entry->all_previous->all_next = entry->all_next;
	else
		registry->entries = entry->all_next;
	if (entry->all_next != NULL)
		entry->all_next->all_previous = entry->all_previous;
	else
		registry->entries_last = entry->all_previous;
	if (entry->key.name != NULL) {
		registry->names_count--;
		registry->names_bytes -= entry->key.length + 1;
	}
}

static void registry_block_drop(struct troupe__registry_entry *entry)
{
	if (entry->next != NULL)
		entry->next->previous = entry->previous;
	if (entry->previous != NULL)
		entry->previous->next = entry->next;
	else
		registry_set_first(entry->weak.block, entry->next, false);
}

void troupe__registry_remove(struct troupe_registry *registry,
			     struct troupe__registry_entry *entry)
{
	troupe__set_remove(&registry->set, entry);
	registry_block_drop(entry);
	registry_all_drop(registry, entry);
	entry->retired.free = registry_entry_free;
	troupe__retire(&registry->retired, &entry->retired);
}

void troupe__registry_remove_all(struct troupe_registry *registry,
				 struct troupe_control_block *block)
{
	struct troupe__registry_entry *entry;

	while ((entry = registry_block_first(block)) != NULL)
		troupe__registry_remove(registry, entry);
}

bool troupe__registry_entry_live(const struct troupe__registry_entry *entry)
{
	return !troupe__registry_has_ended(entry->weak.block) &&
	       troupe_block_counts(entry->weak.block).strong > 0;
}

int troupe__registry_insert(struct troupe_registry *registry,
			    struct troupe__registry_entry *entry)
{
	struct troupe_control_block *block = entry->weak.block;
	struct troupe__registry_entry *taken;

	taken = troupe__set_get(&registry->set, &entry->key);
	if (taken != NULL && troupe__registry_entry_live(taken))
		return -EEXIST;
	entry->next = registry_block_first(block);
	if (!registry_set_first(block, entry, true))
		return -ESRCH;
	if (entry->next != NULL)
		entry->next->previous = entry;
	/* An entry of a dying actor that has not vanished yet. */
	if (taken != NULL)
		troupe__registry_remove(registry, taken);
	if (!troupe__set_put(&registry->set, entry)) {
		registry_block_drop(entry);
		return -ENOMEM;
	}
	registry_all_add(registry, entry);
	return 0;
}
