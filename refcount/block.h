/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * block.h - counting, inline, for the library's own paths
 *
 * The public functions of troupe_refcount.h call these. The core calls them
 * where a function call would show: cloning and releasing handles as messages
 * pass.
 *
 * The counts. All strong handles together own one weak count. Each 0 -> 1 of
 * strong takes it, each 1 -> 0 gives it back after ops->unreferenced(). A
 * plain object sees one of each; a running actor may see more, by
 * troupe__strong_revive().
 *
 * The orders.
 *	increments	relaxed: who counts up already has a handle, and got
 *			it by something that orders it after the object's
 *			construction; nothing is published by counting.
 *	strong down	seq_cst: see troupe__strong_drop().
 *	weak down	acq_rel: see troupe__weak_release().
 *	lock		relaxed: see troupe__weak_lock().
 */
#ifndef BLOCK_H
#define BLOCK_H

#include <stdatomic.h>

#include "troupe_assert.h"
#include "troupe_refcount.h"

/* Far above what memory can hold handles for, far below a wrap. A count that
 * went below 0 is above it too, as is TROUPE__COUNT_POISON. */
#define TROUPE__COUNT_LIMIT (UINT64_C(1) << 48)
/* Written over both counts when a block is freed, in debug builds. */
#define TROUPE__COUNT_POISON UINT64_C(0xdeadc0dedeadc0de)

/** The last strong count went: gives up the object and the weak count. */
void troupe__block_unreferenced(struct troupe_control_block *block);
/** The last weak count went: poisons and frees the block. */
void troupe__block_free(struct troupe_control_block *block);

/* A count that a living block may have while the caller holds one of it:
 * neither 0 or negative (one release too many), nor poison (use after the
 * last release), nor saturated. */
static inline bool troupe__count_sound(uint64_t count)
{
	return count > 0 && count < TROUPE__COUNT_LIMIT;
}

static inline struct troupe_strong
troupe__strong_clone(struct troupe_strong handle)
{
	uint64_t before;

	if (handle.block == NULL)
		return handle;
	/* relaxed: counting up publishes nothing (the orders, above). */
	before = atomic_fetch_add_explicit(&handle.block->strong, 1,
					   memory_order_relaxed);
	troupe_assert(troupe__count_sound(before));
	(void)before;
	return handle;
}

/*
 * seq_cst, for two reasons. As release + acquire: what other holders did to
 * the object happens before the last one gives it up. Pairs with: itself,
 * registry_mark_ended(). As
 * seq_cst: after the last release, actor_unreferenced() reads and changes the
 * mailbox word, while the actor's owner, in troupe__actor_settle(), reads
 * strong before it sets that word to idle; one order of all four is what lets
 * at least one of the two see the other. The argument is at mailbox_nudge().
 */
static inline void troupe__strong_drop(struct troupe_control_block *block,
				       uint64_t count)
{
	uint64_t before = atomic_fetch_sub_explicit(&block->strong, count,
						    memory_order_seq_cst);

	troupe_assert(troupe__count_sound(before) && before >= count);
	if (before == count)
		troupe__block_unreferenced(block);
}

static inline void troupe__strong_release(struct troupe_strong *handle)
{
	struct troupe_control_block *block = handle->block;

	if (block == NULL)
		return;
	handle->block = NULL;
	troupe__strong_drop(block, 1);
}

static inline void troupe__weak_add(struct troupe_control_block *block)
{
	/* relaxed: counting up publishes nothing (the orders, above). */
	uint64_t before = atomic_fetch_add_explicit(&block->weak, 1,
						    memory_order_relaxed);

	troupe_assert(troupe__count_sound(before));
	(void)before;
}

static inline void troupe__weak_drop(struct troupe_control_block *block)
{
	/* release: our last reads of the block come before its freeing by
	 * another thread, else that thread frees what we still read. acquire:
	 * the one that frees sees that all others are done. Pairs with:
	 * itself. */
	uint64_t before = atomic_fetch_sub_explicit(&block->weak, 1,
						    memory_order_acq_rel);

	troupe_assert(troupe__count_sound(before));
	if (before == 1)
		troupe__block_free(block);
}

static inline struct troupe_weak troupe__weak_clone(struct troupe_weak handle)
{
	if (handle.block != NULL)
		troupe__weak_add(handle.block);
	return handle;
}

static inline void troupe__weak_release(struct troupe_weak *handle)
{
	struct troupe_control_block *block = handle->block;

	if (block == NULL)
		return;
	handle->block = NULL;
	troupe__weak_drop(block);
}

static inline struct troupe_weak troupe__weak_from(struct troupe_strong handle)
{
	return troupe__weak_clone((struct troupe_weak){handle.block});
}

/* Counts up unless 0: a strong count that fell to 0 belongs to the one who
 * gives the object up. */
static inline struct troupe_strong troupe__weak_lock(struct troupe_weak handle)
{
	struct troupe_control_block *block = handle.block;
	uint64_t strong;

	if (block == NULL)
		return (struct troupe_strong){NULL};
	/* relaxed: only a first guess for the exchange below. */
	strong = atomic_load_explicit(&block->strong, memory_order_relaxed);
	while (strong != 0) {
		troupe_assert(troupe__count_sound(strong));
		/* relaxed: the exchange reads the newest count, so nobody can
		 * have given the object up before it; and the weak handle came
		 * here by something that orders it after the construction. */
		if (atomic_compare_exchange_weak_explicit(
			    &block->strong, &strong, strong + 1,
			    memory_order_relaxed, memory_order_relaxed))
			return (struct troupe_strong){block};
	}
	return (struct troupe_strong){NULL};
}

/**
 * troupe__strong_revive - strong handles where there may be none
 *
 * For a running actor that makes handles to itself after everybody else
 * released theirs.
 *
 * Context: the caller otherwise guarantees a weak count until the handles are
 *          made, and that the object has not been given up.
 * Owns:    the caller gets @count handles, of which one is returned.
 */
static inline struct troupe_strong
troupe__strong_revive(struct troupe_control_block *block, uint64_t count)
{
	/* relaxed: as a clone. Should the last release race with this, its
	 * unreferenced() finds the actor running and leaves it alone; its weak
	 * count and the one taken here are two different ones. */
	uint64_t before = atomic_fetch_add_explicit(&block->strong, count,
						    memory_order_relaxed);

	troupe_assert(before < TROUPE__COUNT_LIMIT);
	if (before == 0)
		troupe__weak_add(block);
	return (struct troupe_strong){block};
}

#endif
