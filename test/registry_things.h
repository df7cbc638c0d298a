/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of the registry share: memory that is counted and can fail,
 * blocks that stand for actors, and one registry for them. Each test program
 * includes this once.
 */
#ifndef REGISTRY_THINGS_H
#define REGISTRY_THINGS_H

#include "registry.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- memory that is counted and can fail ---------------------------------- */

static _Atomic long live;
static _Atomic long fail_at = -1; /* allocations until one fails */

static void *counted_alloc(size_t size)
{
	void *memory;

	if (atomic_load(&fail_at) >= 0 && atomic_fetch_sub(&fail_at, 1) == 0)
		return NULL;
	memory = malloc(size);
	if (memory != NULL)
		atomic_fetch_add(&live, 1);
	return memory;
}

static void counted_free(void *memory)
{
	if (memory != NULL)
		atomic_fetch_sub(&live, 1);
	free(memory);
}

/* ---- what stands for an actor --------------------------------------------- */

static struct troupe_registry *registry;
static _Atomic long things;
static _Atomic uint64_t next_id;

static void thing_free(struct troupe_control_block *block)
{
	atomic_fetch_sub(&things, 1);
	free(block);
}

static const struct troupe_block_ops thing_ops = {
	.name = "thing",
	.free = thing_free,
};

static struct troupe_system *const own_system = (void *)64;
static struct troupe_system *const other_system = (void *)128;

static struct troupe_strong thing_of(struct troupe_system *system)
{
	struct troupe_control_block *block = aligned_alloc(64, 64);

	troupe_block_init(block, &thing_ops, atomic_fetch_add(&next_id, 1) + 1,
			  system);
	atomic_fetch_add(&things, 1);
	return (struct troupe_strong){block};
}

static inline struct troupe_strong thing(void)
{
	return thing_of(own_system);
}

static inline void thing_end(struct troupe_strong handle)
{
	troupe__registry_ended(registry, handle.block);
}

static inline int registry_make(void)
{
	struct troupe__registry_options options = {
		.system = own_system,
		.alloc = counted_alloc,
		.free = counted_free,
	};

	return troupe__registry_create(&options, &registry);
}

static inline void setup(void)
{
	cr_assert_eq(registry_make(), 0);
}

static inline void teardown(void)
{
	troupe__registry_destroy(registry);
	cr_assert_eq(atomic_load(&live), 0, "%ld allocations left",
		     atomic_load(&live));
	cr_assert_eq(atomic_load(&things), 0, "%ld things left",
		     atomic_load(&things));
}

/* ---- what names and ids find ---------------------------------------------- */

static inline void expect_name(const char *name, struct troupe_strong expected)
{
	struct troupe_strong found = troupe_registry_get(registry, name);
	uint64_t id = troupe_registry_id(registry, name);

	cr_expect_eq(id, troupe_strong_id(expected), "%zu", (size_t)id);
	cr_expect(troupe_strong_equal(found, expected), "%.40s",
		  name != NULL ? name : "NULL");
	troupe_strong_release(&found);
}

static inline void expect_id(uint64_t id, struct troupe_strong expected)
{
	struct troupe_strong found = troupe_registry_get_id(registry, id);

	cr_expect(troupe_strong_equal(found, expected), "%zu", (size_t)id);
	troupe_strong_release(&found);
}

static const struct troupe_strong none = {NULL};

#endif
