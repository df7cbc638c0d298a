/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * allocations.h - see, and fail, what one thread allocates
 *
 * Two implementations: allocations.c stands in front of the C library's
 * allocator; allocations_sanitized.c asks the sanitizer's, and cannot fail
 * any. What the library allocates through troupe__alloc() is seen where the
 * build has hooks.
 *
 * Context: every function concerns the calling thread only.
 */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/** From now on, count. */
void allocations_watch(void);
/** Stop. Returns: how many there were since allocations_watch(). */
uint64_t allocations_seen(void);

/** From now on the @nth allocation (from 1) of this thread returns NULL.
 * Returns: false if this build cannot do that. */
bool allocations_fail(uint64_t nth);
/** Stop. Returns: true if it has failed one. */
bool allocations_failed(void);

/** Once, before there are threads and hooks of the check's own. */
void allocations_start(void);

#endif
