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
 *	1. make an object with its block (troupe_spawn() does it for actors);
 *	2. give out handles with troupe_strong_clone();
 *	3. store troupe_weak_from() where a cycle could arise;
 *	4. release each handle once: release functions take a pointer to the
 *	   handle and leave the null handle behind.
 *
 * Ownership. All strong handles together own one weak count. strong -> 0
 * gives up the object (block->ops->unreferenced), weak -> 0 frees the block
 * (block->ops->free).
 *
 * Threads. Every function may be called from any thread; one handle variable
 * must not be written by two threads at once. Nothing here blocks or
 * allocates.
 *
 * Errors. Counting cannot fail. Debug builds catch underflow, saturation and
 * use after release by troupe_assert.
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

/* ---- strong handles ---------------------------------------------------- */

/** One more strong handle to the same object; null stays null. */
struct troupe_strong troupe_strong_clone(struct troupe_strong handle);

/** Gives the handle back and leaves null. Accepts null. */
void troupe_strong_release(struct troupe_strong *handle);

/** One more weak handle to the same block; null stays null. */
struct troupe_weak troupe_weak_clone(struct troupe_weak handle);

/** Gives the handle back and leaves null. Accepts null. */
void troupe_weak_release(struct troupe_weak *handle);

/** strong -> weak. Always works. Returns: a new weak handle. */
struct troupe_weak troupe_weak_from(struct troupe_strong handle);

/**
 * troupe_weak_lock - weak -> strong, while the object still exists
 *
 * Returns: a new strong handle, or the null handle when the object is gone:
 *          callers must look.
 */
struct troupe_strong troupe_weak_lock(struct troupe_weak handle);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
