/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The directory of living actors: slots in pages, free slots in lists. See
 * directory.h.
 */
#include "core.h"

#include <errno.h>
#include <string.h>

#include "block.h"

#define DIRECTORY_LOCKED 1u
#define DIRECTORY_FREE	 2u

/* So many slots move between a worker and the shared list at once; a worker
 * with twice as many gives some back. */
#define DIRECTORY_BATCH 64u

struct directory_page {
	_Atomic uintptr_t entries[DIRECTORY_PAGE];
};

struct directory_shelf {
	_Atomic(struct directory_page *) pages[DIRECTORY_PAGE];
};

static uint32_t directory_shelf_of(uint32_t slot)
{
	return slot / (DIRECTORY_PAGE * DIRECTORY_PAGE);
}

/* The page must exist. */
static _Atomic uintptr_t *directory_entry(struct directory *directory,
					  uint32_t slot)
{
	/* acquire, both: the page's zeros; pairs with directory_grow(). */
	struct directory_shelf *shelf = atomic_load_explicit(
		&directory->shelves[directory_shelf_of(slot)],
		memory_order_acquire);
	struct directory_page *page = atomic_load_explicit(
		&shelf->pages[slot / DIRECTORY_PAGE % DIRECTORY_PAGE],
		memory_order_acquire);

	return &page->entries[slot % DIRECTORY_PAGE];
}

static void *directory_zeroed(size_t size)
{
	void *memory = troupe__alloc_lines(size);

	if (memory != NULL)
		memset(memory, 0, size);
	return memory;
}

/* One page more. Under the lock. */
static int directory_grow(struct directory *directory)
{
	uint32_t slot = directory->made * DIRECTORY_PAGE;
	uint32_t at = directory_shelf_of(slot);
	struct directory_shelf *shelf;
	struct directory_page *page;

	if (at >= DIRECTORY_SHELVES)
		return -ENOMEM;
	/* relaxed: written under this lock only. */
	shelf = atomic_load_explicit(&directory->shelves[at],
				     memory_order_relaxed);
	if (shelf == NULL) {
		shelf = directory_zeroed(sizeof(*shelf));
		if (shelf == NULL)
			return -ENOMEM;
		/* release: the zeros; pairs with directory_entry(). */
		atomic_store_explicit(&directory->shelves[at], shelf,
				      memory_order_release);
	}
	page = directory_zeroed(sizeof(*page));
	if (page == NULL)
		return -ENOMEM;
	/* release: the zeros; pairs with directory_entry(). */
	atomic_store_explicit(
		&shelf->pages[slot / DIRECTORY_PAGE % DIRECTORY_PAGE], page,
		memory_order_release);
	directory->made++;
	return 0;
}

/* Puts @slot on a list. Its owner, or under the lock. */
static void directory_put(struct directory *directory, uint32_t *list,
			  uint32_t slot)
{
	/* relaxed: readers only want to know that no block is there. */
	atomic_store_explicit(directory_entry(directory, slot),
			      (uintptr_t)*list << 2 | DIRECTORY_FREE,
			      memory_order_relaxed);
	*list = slot;
}

static uint32_t directory_get(struct directory *directory, uint32_t *list)
{
	uint32_t slot = *list;

	/* relaxed: as above. */
	*list = (uint32_t)(atomic_load_explicit(
				   directory_entry(directory, slot),
				   memory_order_relaxed) >>
			   2);
	return slot;
}

/* A free slot from the shared list, or one never used. Under the lock.
 * Returns: 0 if there is no memory. */
static uint32_t directory_take(struct directory *directory)
{
	if (directory->free_list != 0)
		return directory_get(directory, &directory->free_list);
	if (directory->used == 0)
		directory->used = 1;
	if (directory->used >= directory->made * DIRECTORY_PAGE &&
	    directory_grow(directory) != 0)
		return 0;
	/* release: whoever reads up to here finds the page; pairs with
	 * troupe__directory_each(). */
	atomic_store_explicit(&directory->end, directory->used + 1,
			      memory_order_release);
	return directory->used++;
}

static struct directory_cache *directory_cache(struct troupe_system *system)
{
	struct worker *worker = troupe__here.worker;

	return worker != NULL && worker->system == system ? &worker->slots
							  : NULL;
}

/* Fills an empty cache. */
static void directory_refill(struct directory *directory,
			     struct directory_cache *cache)
{
	troupe_spinlock_lock(&directory->lock);
	while (cache->count < DIRECTORY_BATCH) {
		uint32_t slot = directory_take(directory);

		if (slot == 0)
			break;
		directory_put(directory, &cache->first, slot);
		cache->count++;
	}
	troupe_spinlock_unlock(&directory->lock);
}

int troupe__directory_add(struct troupe_system *system,
			  struct troupe_control_block *block)
{
	struct directory *directory = &system->directory;
	struct directory_cache *cache = directory_cache(system);
	uint32_t slot = 0;

	if (cache != NULL) {
		if (cache->count == 0)
			directory_refill(directory, cache);
		if (cache->count != 0) {
			slot = directory_get(directory, &cache->first);
			cache->count--;
		}
	} else {
		troupe_spinlock_lock(&directory->lock);
		slot = directory_take(directory);
		troupe_spinlock_unlock(&directory->lock);
	}
	if (slot == 0)
		return -ENOMEM;
	block->spare = slot | (uint64_t)system->generation << 32;
	/* release: the block's fields, else a reader counts up garbage; pairs
	 * with directory_lock(). That the actor is seen here, or sees itself
	 * that the system ends, is troupe__stop_begin()'s business. */
	atomic_store_explicit(directory_entry(directory, slot),
			      (uintptr_t)block, memory_order_release);
	return 0;
}

void troupe__directory_remove(struct troupe_system *system,
			      struct troupe_control_block *block)
{
	struct directory *directory = &system->directory;
	struct directory_cache *cache = directory_cache(system);
	uint32_t slot = (uint32_t)block->spare;
	_Atomic uintptr_t *entry = directory_entry(directory, slot);
	uintptr_t expected = (uintptr_t)block;

	/* acquire: a reader's counting comes before the block is freed; pairs
	 * with troupe__directory_each(). relaxed on failure: a reader has it
	 * for some instructions; look again. */
	while (!atomic_compare_exchange_weak_explicit(
		entry, &expected, DIRECTORY_FREE, memory_order_acquire,
		memory_order_relaxed)) {
		expected = (uintptr_t)block;
		troupe_relax();
	}
	if (cache != NULL) {
		directory_put(directory, &cache->first, slot);
		cache->count++;
		if (cache->count < 2 * DIRECTORY_BATCH)
			return;
	}
	troupe_spinlock_lock(&directory->lock);
	if (cache == NULL)
		directory_put(directory, &directory->free_list, slot);
	while (cache != NULL && cache->count > DIRECTORY_BATCH) {
		slot = directory_get(directory, &cache->first);
		directory_put(directory, &directory->free_list, slot);
		cache->count--;
	}
	troupe_spinlock_unlock(&directory->lock);
}

/* Locks an entry. Returns: its block, or NULL and it is not locked. */
static struct troupe_control_block *directory_lock(_Atomic uintptr_t *entry)
{
	for (;;) {
		/* relaxed: the exchange below orders what was put there. */
		uintptr_t value =
			atomic_load_explicit(entry, memory_order_relaxed);

		if (value == 0 || (value & DIRECTORY_FREE) != 0)
			return NULL;
		/* acquire: the block's fields; pairs with
		 * troupe__directory_add(). relaxed on failure: look again. */
		if ((value & DIRECTORY_LOCKED) == 0 &&
		    atomic_compare_exchange_weak_explicit(
			    entry, &value, value | DIRECTORY_LOCKED,
			    memory_order_acquire, memory_order_relaxed))
			return (struct troupe_control_block *)value;
		troupe_relax();
	}
}

void troupe__directory_each(struct directory *directory,
			    bool (*each)(struct troupe_control_block *block,
					 void *context),
			    void *context)
{
	/* acquire: the pages; pairs with directory_take(). */
	uint32_t end =
		atomic_load_explicit(&directory->end, memory_order_acquire);
	bool more = true;

	for (uint32_t slot = 1; more && slot < end; slot++) {
		_Atomic uintptr_t *entry = directory_entry(directory, slot);
		struct troupe_control_block *block = directory_lock(entry);

		if (block == NULL)
			continue;
		troupe__weak_add(block);
		/* release: the count is up; pairs with
		 * troupe__directory_remove(). */
		atomic_store_explicit(entry, (uintptr_t)block,
				      memory_order_release);
		more = each(block, context);
		troupe__weak_drop(block);
	}
}

void troupe__directory_fini(struct directory *directory)
{
	for (uint32_t i = 0; i < DIRECTORY_SHELVES; i++) {
		struct directory_shelf *shelf = directory->shelves[i];

		for (uint32_t j = 0; shelf != NULL && j < DIRECTORY_PAGE; j++)
			troupe__free(shelf->pages[j]);
		troupe__free(shelf);
	}
}
