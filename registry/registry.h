/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * registry.h - what the core tells the registry
 *
 * Overview. The core makes one registry a system, counts each actor in and
 * out, and says when an actor has ended.
 *
 * The block's word. block->registry is the head of the list of the block's
 * entries, and in its lowest bit the mark that the actor has ended. An actor
 * that was never put pays one atomic operation for this at its end.
 *
 * Below the core. The registry allocates by functions it is given, and locks
 * and waits by libuv, in registry.c and running.c.
 */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "running.h"
#include "troupe_registry.h"

/** How to make a registry. Zeroed: malloc() and free(), no system. */
struct troupe__registry_options {
	struct troupe_system *system; /* whose actors may be put */
	void *(*alloc)(size_t size);  /* both or none */
	void (*free)(void *memory);
	/** Changes in the child of a process that forks. NULL: not noticed. */
	const _Atomic uint32_t *forks;
};

/** Returns: 0; -ENOMEM. */
int troupe__registry_create(const struct troupe__registry_options *options,
			    struct troupe_registry **ret_registry);

/**
 * troupe__registry_destroy - drop all entries, free the registry
 *
 * Context: nobody uses or will use it. Accepts NULL.
 */
void troupe__registry_destroy(struct troupe_registry *registry);

/**
 * troupe__registry_ended - the actor of @block has ended
 *
 * Its entries vanish, and a put of it says -ESRCH from now on.
 *
 * Context: any thread, once a block; the caller holds a count of @block.
 */
void troupe__registry_ended(struct troupe_registry *registry,
			    struct troupe_control_block *block);

/** True once troupe__registry_ended() was called for @block. */
bool troupe__registry_has_ended(const struct troupe_control_block *block);

/** What runs in the system: running.h. */
struct troupe__running *
troupe__registry_running(struct troupe_registry *registry);

#endif
