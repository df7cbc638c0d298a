/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts and handles: what block.h does inline, as functions, and the two
 * ends, where a count runs out. Nothing here knows what an object is: that is
 * in the block's ops.
 */
#include "troupe_refcount.h"

#include "block.h"

#include <assert.h>

static_assert(sizeof(struct troupe_control_block) == TROUPE_CONTROL_BLOCK_SIZE,
	      "an object follows its block at +64");
static_assert(_Alignof(struct troupe_control_block) == 64,
	      "a block fills one cache line");
static_assert(sizeof(struct troupe_strong) == sizeof(void *) &&
		      sizeof(struct troupe_weak) == sizeof(void *),
	      "a handle is one pointer");

void troupe_block_init(struct troupe_control_block *block,
		       const struct troupe_block_ops *ops, uint64_t id,
		       struct troupe_system *system)
{
	troupe_assert((uintptr_t)block % TROUPE_CONTROL_BLOCK_SIZE == 0);
	atomic_init(&block->strong, 1);
	atomic_init(&block->weak, 1);
	block->id = id;
	block->node = 0;
	block->system = system;
	block->ops = ops;
	atomic_init(&block->registry, 0);
	block->spare = 0;
}

void troupe__block_unreferenced(struct troupe_control_block *block)
{
	if (block->ops->unreferenced != NULL)
		block->ops->unreferenced(block);
	troupe__weak_drop(block);
}

#if TROUPE_CHECKS
static void block_poison(struct troupe_control_block *block)
{
	/* relaxed: the block is this thread's alone; only a handle that was
	 * released too often can still see it. */
	atomic_store_explicit(&block->strong, TROUPE__COUNT_POISON,
			      memory_order_relaxed);
	atomic_store_explicit(&block->weak, TROUPE__COUNT_POISON,
			      memory_order_relaxed);
}
#else
static inline void block_poison(struct troupe_control_block *block)
{
	(void)block;
}
#endif

void troupe__block_free(struct troupe_control_block *block)
{
	void (*block_free)(struct troupe_control_block *) = block->ops->free;

	block_poison(block);
	if (block_free != NULL)
		block_free(block);
}

struct troupe_strong troupe_strong_clone(struct troupe_strong handle)
{
	return troupe__strong_clone(handle);
}

void troupe_strong_release(struct troupe_strong *handle)
{
	troupe__strong_release(handle);
}

struct troupe_weak troupe_weak_clone(struct troupe_weak handle)
{
	return troupe__weak_clone(handle);
}

void troupe_weak_release(struct troupe_weak *handle)
{
	troupe__weak_release(handle);
}

struct troupe_weak troupe_weak_from(struct troupe_strong handle)
{
	return troupe__weak_from(handle);
}

struct troupe_strong troupe_weak_lock(struct troupe_weak handle)
{
	return troupe__weak_lock(handle);
}

/* Total, so that unrelated blocks compare as well. */
static int block_order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int troupe_block_compare(const struct troupe_control_block *a,
			 const struct troupe_control_block *b)
{
	int order;

	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	order = block_order(a->node, b->node);
	if (order == 0)
		order = block_order(a->id, b->id);
	if (order == 0)
		order = block_order((uintptr_t)a, (uintptr_t)b);
	return order;
}

/* Ids where there are some, so that a hash means the same in each run. */
uint64_t troupe_block_hash(const struct troupe_control_block *block)
{
	uint64_t hash;

	if (block == NULL)
		return 0;
	hash = block->id != 0 ? block->id : (uintptr_t)block;
	hash ^= block->node * UINT64_C(0x9e3779b97f4a7c15);
	/* The finisher of MurmurHash3. */
	hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
	hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return hash ^ hash >> 33;
}

struct troupe_counts
troupe_block_counts(const struct troupe_control_block *block)
{
	/* relaxed: each count is true of some moment; the caller is promised
	 * no more. */
	return (struct troupe_counts){
		.strong = atomic_load_explicit(&block->strong,
					       memory_order_relaxed),
		.weak = atomic_load_explicit(&block->weak,
					     memory_order_relaxed),
	};
}
