/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_object.h - strong and weak handles to plain objects
 *
 * Overview. What troupe_refcount.h does for actors, for any memory of yours,
 * without a system, in the three layouts that shared pointers come in:
 *
 *	together   [block|object]          one allocation; the fast one
 *	apart      [block|.]--->[object]   an object that exists already
 *	linked     [block|.]<-->[object]   as apart, and the object can make
 *	                                   handles to itself
 *
 * A handle is one pointer to the block in all of them, and all functions of
 * troupe_refcount.h work on it. Objects of the first layout find their own
 * block by arithmetic, troupe_object_block(), and pay nothing for it.
 *
 * Typical use.
 *	1. fill in a static struct troupe_object_class;
 *	2. make the object by one of the three functions below;
 *	3. reach it by troupe_object();
 *	4. clone, release, lock as with any handle.
 *
 * Ownership. When the last strong handle goes, destroy() is called. The memory
 * of an object together with its block stays until the last weak handle goes
 * too; that of an apart or linked object is destroy()'s to give back, at once.
 *
 * Threads. Any. The last release destroys the object on its thread; what
 * others did to the object before their release happens before that.
 */
#ifndef TROUPE_OBJECT_H
#define TROUPE_OBJECT_H

#include "troupe_refcount.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** A kind of plain object. Static; must outlive its objects. */
struct troupe_object_class {
	const char *name;

	/**
	 * destroy - end @object; free its memory if it was apart or linked
	 *
	 * Called:  once, when the last strong handle goes. Weak handles
	 *          cannot be locked any more.
	 * If NULL: nothing happens.
	 */
	void (*destroy)(void *object);

	/** Memory for the block, and for the object if together: @size bytes,
	 * aligned to 64; NULL when out of memory. Both or none. If NULL:
	 * aligned_alloc() and free(). */
	void *(*alloc)(size_t size);
	void (*free)(void *memory);
};

/**
 * troupe_object_create - an object of @size zeroed bytes with its block
 *
 * The object is aligned to 64. Its handle is the only one, so fill the object
 * in before you give out more.
 *
 * Owns:    *@ret_object is the caller's strong handle.
 * Returns: 0; -ENOMEM.
 */
int troupe_object_create(const struct troupe_object_class *object_class,
			 size_t size, struct troupe_strong *ret_object);

/**
 * troupe_object_wrap - a block apart, for an @object that exists
 *
 * Wrap each object only once: a second block would destroy it again.
 *
 * Owns:    the handles own @object on success; on an error it is still yours.
 * Returns: 0; -ENOMEM.
 */
int troupe_object_wrap(const struct troupe_object_class *object_class,
		       void *object, struct troupe_strong *ret_object);

/** A member of an object that finds its own block. Zero it at first. It needs
 * no release: it holds no count. */
struct troupe_object_link {
	struct troupe_control_block *block;
};

/**
 * troupe_object_wrap_linked - as troupe_object_wrap(), and fills in @link
 *
 * @link:   a member of @object.
 */
int troupe_object_wrap_linked(const struct troupe_object_class *object_class,
			      void *object, struct troupe_object_link *link,
			      struct troupe_strong *ret_object);

/**
 * troupe_object_self - a new strong handle, from inside a linked object
 *
 * Context: while the object exists: its own functions, destroy() too.
 * Returns: a new strong handle; null before the object was wrapped, and once
 *          destroy() runs.
 */
struct troupe_strong troupe_object_self(const struct troupe_object_link *link);

/** The object, in whichever layout; NULL for the null handle. */
void *troupe_object(struct troupe_strong handle);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
