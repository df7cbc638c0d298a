/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts what one thread allocates from a sanitizer's allocator. It cannot be
 * made to fail.
 */
#include "allocations.h"

#include "platform.h"

/* Declared here, because some compilers come without the header. */
int __sanitizer_install_malloc_and_free_hooks(
	void (*on_malloc)(const volatile void *memory, size_t size),
	void (*on_free)(const volatile void *memory));

static _Thread_local bool allocations_watched;
static _Thread_local uint64_t allocations_count;

static void allocations_on_malloc(const volatile void *memory, size_t size)
{
	(void)memory;
	(void)size;
	if (allocations_watched)
		allocations_count++;
}

static void allocations_on_free(const volatile void *memory)
{
	(void)memory;
}

void allocations_start(void)
{
	__sanitizer_install_malloc_and_free_hooks(allocations_on_malloc,
						  allocations_on_free);
}

void allocations_watch(void)
{
	allocations_count = 0;
	allocations_watched = true;
}

uint64_t allocations_seen(void)
{
	allocations_watched = false;
	return allocations_count;
}

bool allocations_fail(uint64_t nth)
{
	(void)nth;
	return false;
}

bool allocations_failed(void)
{
	return false;
}
