/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in front of glibc's allocator: a program's own malloc is used by all
 * its libraries and plug-ins. For builds without address or thread sanitizer,
 * which have an allocator of their own.
 */
#include "allocations.h"

#include "platform.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* glibc's own, under the names that it keeps for this purpose. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local bool allocations_watched;
static _Thread_local uint64_t allocations_count;
static _Thread_local uint64_t allocations_left;
static _Thread_local bool allocations_hit;

/* Returns: false if this one is to fail. */
static bool allocations_admit(void)
{
	if (allocations_watched)
		allocations_count++;
	if (allocations_left == 0 || --allocations_left > 0)
		return true;
	allocations_hit = true;
	errno = ENOMEM;
	return false;
}

void *malloc(size_t size)
{
	return allocations_admit() ? __libc_malloc(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
	return allocations_admit() ? __libc_calloc(count, size) : NULL;
}

void *realloc(void *memory, size_t size)
{
	return allocations_admit() ? __libc_realloc(memory, size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return allocations_admit() ? __libc_memalign(alignment, size) : NULL;
}

void *memalign(size_t alignment, size_t size)
{
	return allocations_admit() ? __libc_memalign(alignment, size) : NULL;
}

int posix_memalign(void **ret_memory, size_t alignment, size_t size)
{
	void *memory;

	if (!allocations_admit())
		return ENOMEM;
	memory = __libc_memalign(alignment, size);
	if (memory == NULL)
		return ENOMEM;
	*ret_memory = memory;
	return 0;
}

static bool allocations_hook(enum troupe__point point)
{
	return point != TROUPE__POINT_ALLOC || allocations_admit();
}

void allocations_start(void)
{
	troupe__set_hook(allocations_hook);
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
	allocations_hit = false;
	allocations_left = nth;
	return true;
}

bool allocations_failed(void)
{
	allocations_left = 0;
	return allocations_hit;
}
