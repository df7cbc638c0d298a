/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain objects behind control blocks, in the three layouts.
 */
#include "troupe_object.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>

struct point {
	struct troupe_object_link link;
	int x;
};

static int points_destroyed;
static int last_x;
static struct troupe_strong self_in_destroy;

static void point_destroy(void *object)
{
	struct point *point = object;

	points_destroyed++;
	last_x = point->x;
	self_in_destroy = troupe_object_self(&point->link);
}

static void point_destroy_and_free(void *object)
{
	point_destroy(object);
	free(object);
}

static const struct troupe_object_class together_class = {
	.name = "point",
	.destroy = point_destroy,
};

static const struct troupe_object_class apart_class = {
	.name = "point apart",
	.destroy = point_destroy_and_free,
};

Test(object, together_is_one_allocation_zeroed_and_aligned)
{
	struct troupe_strong handle;
	struct point *point;

	cr_assert_eq(
		troupe_object_create(&together_class, sizeof(*point), &handle),
		0);
	point = troupe_object(handle);
	cr_expect_eq(point, troupe_block_object(handle.block));
	cr_expect_eq(troupe_object_block(point), handle.block);
	cr_expect_eq((uintptr_t)point % 64, 0);
	cr_expect_eq(point->x, 0);
	point->x = 11;
	troupe_strong_release(&handle);
	cr_expect_eq(points_destroyed, 1);
	cr_expect_eq(last_x, 11);
}

Test(object, together_keeps_its_memory_for_weak_handles)
{
	struct troupe_strong handle;
	struct troupe_weak weak;

	cr_assert_eq(troupe_object_create(&together_class, 4096, &handle), 0);
	weak = troupe_weak_from(handle);
	troupe_strong_release(&handle);
	cr_expect_eq(points_destroyed, 1);
	cr_expect(troupe_strong_is_null(troupe_weak_lock(weak)));
	/* The leak checker sees the block go. */
	troupe_weak_release(&weak);
}

Test(object, apart_finds_its_object_and_gives_it_back_at_once)
{
	struct point *point = calloc(1, sizeof(*point));
	struct troupe_strong handle;
	struct troupe_weak weak;

	point->x = 12;
	cr_assert_eq(troupe_object_wrap(&apart_class, point, &handle), 0);
	cr_expect_eq(troupe_object(handle), point);
	cr_expect_neq(troupe_block_object(handle.block), point);
	weak = troupe_weak_from(handle);
	troupe_strong_release(&handle);
	cr_expect_eq(points_destroyed, 1);
	cr_expect_eq(last_x, 12);
	troupe_weak_release(&weak);
}

Test(object, linked_makes_handles_to_itself_until_it_is_destroyed)
{
	struct point *point = calloc(1, sizeof(*point));
	struct troupe_strong handle;
	struct troupe_strong self = troupe_object_self(&point->link);

	cr_expect(troupe_strong_is_null(self));
	cr_assert_eq(troupe_object_wrap_linked(&apart_class, point,
					       &point->link, &handle),
		     0);
	self = troupe_object_self(&point->link);
	cr_expect(troupe_strong_equal(self, handle));
	cr_expect_eq(troupe_block_counts(handle.block).strong, 2);
	cr_expect_eq(troupe_block_counts(handle.block).weak, 1);
	troupe_strong_release(&handle);
	cr_expect_eq(points_destroyed, 0);
	troupe_strong_release(&self);
	cr_expect_eq(points_destroyed, 1);
	cr_expect(troupe_strong_is_null(self_in_destroy));
}

static size_t allocations;
static bool allocation_fails;

static void *counted_alloc(size_t size)
{
	if (allocation_fails)
		return NULL;
	allocations++;
	return aligned_alloc(64, size);
}

static void counted_free(void *memory)
{
	allocations--;
	free(memory);
}

static const struct troupe_object_class counted_class = {
	.name = "counted",
	.alloc = counted_alloc,
	.free = counted_free,
};

Test(object, memory_comes_from_the_class)
{
	struct troupe_strong handle = {NULL};
	int object;

	cr_assert_eq(troupe_object_create(&counted_class, 1, &handle), 0);
	cr_expect_eq(allocations, 1);
	troupe_strong_release(&handle);
	cr_expect_eq(allocations, 0);
	cr_assert_eq(troupe_object_wrap(&counted_class, &object, &handle), 0);
	cr_expect_eq(allocations, 1);
	troupe_strong_release(&handle);
	cr_expect_eq(allocations, 0);
}

Test(object, no_memory_is_a_result_and_changes_nothing)
{
	struct troupe_object_link link = {NULL};
	struct troupe_strong handle = {NULL};
	int object;

	allocation_fails = true;
	cr_expect_eq(troupe_object_create(&counted_class, 1, &handle), -ENOMEM);
	cr_expect_eq(troupe_object_wrap(&counted_class, &object, &handle),
		     -ENOMEM);
	cr_expect_eq(troupe_object_wrap_linked(&counted_class, &object, &link,
					       &handle),
		     -ENOMEM);
	cr_expect_eq(
		troupe_object_create(&together_class, SIZE_MAX - 70, &handle),
		-ENOMEM);
	cr_expect(troupe_strong_is_null(handle));
	cr_expect_null(link.block);
	cr_expect_null(troupe_object(handle));
}
