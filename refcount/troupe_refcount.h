/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_refcount.h - control blocks and the handles that keep them
 *
 * Overview. Every shared object has a *control block* of exactly 64 bytes,
 * and the object follows it at +64, so that one pointer finds both:
 * object = block + 64, block = object - 64. A handle is that one pointer in a
 * struct of its own, so the compiler tells a strong handle from a weak one.
 *
 *	strong handle  keeps the object
 *	weak handle    keeps the block: id and node stay readable when the
 *	               object is gone, and troupe_weak_lock() asks for it back
 *
 * Typical use.
 *	1. make an object with its block: troupe_spawn() does it for actors,
 *	   troupe_object.h for plain ones;
 *	2. give out handles with troupe_strong_clone();
 *	3. store troupe_weak_from() where a cycle could arise;
 *	4. release each handle once: release functions take a pointer to the
 *	   handle and leave the null handle behind.
 *
 * Ownership. All strong handles together own one weak count. strong -> 0
 * gives up the object (block->ops->unreferenced), weak -> 0 frees the block
 * (block->ops->free).
 *
 * Threads. Any; one handle variable must not be written by two at once.
 * Nothing here blocks, allocates or fails. Debug builds catch underflow,
 * saturation and use after release by troupe_assert.
 */
#ifndef TROUPE_REFCOUNT_H
#define TROUPE_REFCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define TROUPE_ATOMIC(type) type
#else
#define TROUPE_ATOMIC(type) _Atomic(type)
#endif
#pragma GCC visibility push(default)

struct troupe_system;
struct troupe_control_block;

/** What a block does when its counts run out. One static table a kind. */
struct troupe_block_ops {
	const char *name;

	/**
	 * unreferenced - the last strong handle is gone: give up the object
	 *
	 * Called:  once each time that strong falls to 0.
	 * Context: the thread that released the handle. The caller still
	 *          holds a weak count, so @block stays valid during the call.
	 * If NULL: nothing happens.
	 */
	void (*unreferenced)(struct troupe_control_block *block);

	/**
	 * free - the last weak count is gone: give back the memory
	 *
	 * Called:  once, from the thread that dropped the last count.
	 * If NULL: nothing happens (the memory is somebody else's).
	 */
	void (*free)(struct troupe_control_block *block);
};

/* Legend: I set at init, A atomic from any thread. */
struct troupe_control_block {
	TROUPE_ATOMIC(uint64_t) strong;	    /* A */
	TROUPE_ATOMIC(uint64_t) weak;	    /* A: + 1 while strong > 0 */
	uint64_t id;			    /* I: never reused; 0 is none */
	uint64_t node;			    /* I: 0 is this process */
	struct troupe_system *system;	    /* I: NULL for plain objects */
	const struct troupe_block_ops *ops; /* I */
	TROUPE_ATOMIC(uint64_t) registry;   /* A: see registry/registry.h */
	uint64_t spare;			    /* I: of the kind of object */
} __attribute__((aligned(64)));

#define TROUPE_CONTROL_BLOCK_SIZE 64

/** Keeps the object. The zeroed struct is the null handle. */
struct troupe_strong {
	struct troupe_control_block *block;
};

/** Keeps the block only. The zeroed struct is the null handle. */
struct troupe_weak {
	struct troupe_control_block *block;
};

/**
 * troupe_block_init - start a block with one strong handle
 *
 * Owns:    the caller gets the first strong count; see troupe_strong_adopt().
 */
void troupe_block_init(struct troupe_control_block *block,
		       const struct troupe_block_ops *ops, uint64_t id,
		       struct troupe_system *system);

/** The object that follows its block. */
static inline void *troupe_block_object(struct troupe_control_block *block)
{
	return (unsigned char *)block + TROUPE_CONTROL_BLOCK_SIZE;
}

/** The block in front of an object made together with it. */
static inline struct troupe_control_block *troupe_object_block(void *object)
{
	return (struct troupe_control_block *)((unsigned char *)object -
					       TROUPE_CONTROL_BLOCK_SIZE);
}

/** True if @handle refers to nothing. */
static inline bool troupe_strong_is_null(struct troupe_strong handle)
{
	return handle.block == NULL;
}

static inline bool troupe_weak_is_null(struct troupe_weak handle)
{
	return handle.block == NULL;
}

/* ---- making and giving back -------------------------------------------- */

/** One more handle to the same object; null stays null. */
struct troupe_strong troupe_strong_clone(struct troupe_strong handle);
struct troupe_weak troupe_weak_clone(struct troupe_weak handle);

/** Gives the handle back and leaves null. Accepts null. */
void troupe_strong_release(struct troupe_strong *handle);
void troupe_weak_release(struct troupe_weak *handle);

/** Hands the handle on without counting: *@handle becomes null. */
static inline struct troupe_strong
troupe_strong_move(struct troupe_strong *handle)
{
	struct troupe_strong moved = *handle;

	handle->block = NULL;
	return moved;
}

static inline struct troupe_weak troupe_weak_move(struct troupe_weak *handle)
{
	struct troupe_weak moved = *handle;

	handle->block = NULL;
	return moved;
}

/** strong -> weak. Always works. Returns: a new weak handle. */
struct troupe_weak troupe_weak_from(struct troupe_strong handle);

/**
 * troupe_weak_lock - weak -> strong, while the object still exists
 *
 * Returns: a new strong handle, or the null handle when the object is gone:
 *          callers must look.
 */
struct troupe_strong troupe_weak_lock(struct troupe_weak handle);

/* ---- looking, also when the object is gone ------------------------------ */

/**
 * troupe_block_compare - an order of blocks: by node, by id, by address
 *
 * Null comes first. The order of two blocks stays the same as long as both
 * exist, so handles can be kept sorted.
 *
 * Returns: negative, 0 (the same object) or positive, as strcmp().
 */
int troupe_block_compare(const struct troupe_control_block *a,
			 const struct troupe_control_block *b);

/** A hash that agrees with the order above, well mixed in all bits. */
uint64_t troupe_block_hash(const struct troupe_control_block *block);

/** The counts at one moment, which may have passed: to print, not to act on. */
struct troupe_counts {
	uint64_t strong;
	uint64_t weak; /* with the one of all strong handles together */
};
struct troupe_counts
troupe_block_counts(const struct troupe_control_block *block);

static inline int troupe_strong_compare(struct troupe_strong a,
					struct troupe_strong b)
{
	return troupe_block_compare(a.block, b.block);
}

static inline int troupe_weak_compare(struct troupe_weak a,
				      struct troupe_weak b)
{
	return troupe_block_compare(a.block, b.block);
}
/** True if both refer to the same object, or both to none. */
static inline bool troupe_strong_equal(struct troupe_strong a,
				       struct troupe_strong b)
{
	return a.block == b.block;
}

static inline bool troupe_weak_equal(struct troupe_weak a, struct troupe_weak b)
{
	return a.block == b.block;
}

static inline uint64_t troupe_strong_hash(struct troupe_strong handle)
{
	return troupe_block_hash(handle.block);
}

static inline uint64_t troupe_weak_hash(struct troupe_weak handle)
{
	return troupe_block_hash(handle.block);
}

/** The object's id; 0 for the null handle and for plain objects. */
static inline uint64_t troupe_strong_id(struct troupe_strong handle)
{
	return handle.block != NULL ? handle.block->id : 0;
}

static inline uint64_t troupe_weak_id(struct troupe_weak handle)
{
	return handle.block != NULL ? handle.block->id : 0;
}

/** The process the object lives in; 0 is this one. */
static inline uint64_t troupe_strong_node(struct troupe_strong handle)
{
	return handle.block != NULL ? handle.block->node : 0;
}

static inline uint64_t troupe_weak_node(struct troupe_weak handle)
{
	return handle.block != NULL ? handle.block->node : 0;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
