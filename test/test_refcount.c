/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts, handles and what can be read through them. Plain objects:
 * test_object.c. Conversions between all kinds of handles: test_casts.c.
 */
#include "troupe_refcount.h"

#include "block.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

/* ---- a block that counts what happens to it ------------------------------ */

struct watched {
	struct troupe_control_block block;
	int unreferenced;
	int freed;
	uint64_t weak_at_end; /* as unreferenced() saw it */
};

static void watched_unreferenced(struct troupe_control_block *block)
{
	struct watched *watched = (struct watched *)block;

	watched->unreferenced++;
	watched->weak_at_end = troupe_block_counts(block).weak;
}

static void watched_free(struct troupe_control_block *block)
{
	((struct watched *)block)->freed++;
}

static const struct troupe_block_ops watched_ops = {
	.name = "watched",
	.unreferenced = watched_unreferenced,
	.free = watched_free,
};

static struct troupe_strong watched_init(struct watched *watched, uint64_t id)
{
	memset(watched, 0, sizeof(*watched));
	troupe_block_init(&watched->block, &watched_ops, id, NULL);
	return (struct troupe_strong){&watched->block};
}

static void expect_counts(const struct watched *watched, uint64_t strong,
			  uint64_t weak)
{
	struct troupe_counts counts = troupe_block_counts(&watched->block);

	cr_expect_eq(counts.strong, strong, "strong is %zu, not %zu",
		     (size_t)counts.strong, (size_t)strong);
	cr_expect_eq(counts.weak, weak, "weak is %zu, not %zu",
		     (size_t)counts.weak, (size_t)weak);
}

/* ---- layout ---------------------------------------------------------------- */

Test(refcount, block_is_one_cache_line_and_object_follows)
{
	struct watched watched;
	struct troupe_control_block *block = &watched.block;

	cr_assert_eq(sizeof(*block), 64);
	cr_assert_eq(_Alignof(struct troupe_control_block), 64);
	cr_assert_eq((char *)troupe_block_object(block) - (char *)block, 64);
	cr_assert_eq(troupe_object_block(troupe_block_object(block)), block);
	cr_assert_eq(sizeof(struct troupe_strong), sizeof(void *));
	cr_assert_eq(sizeof(struct troupe_weak), sizeof(void *));
}

/* ---- counting ------------------------------------------------------------ */

Test(refcount, strong_handles_share_one_weak_count)
{
	struct watched watched;
	struct troupe_strong first = watched_init(&watched, 1);
	struct troupe_strong second;

	expect_counts(&watched, 1, 1);
	second = troupe_strong_clone(first);
	expect_counts(&watched, 2, 1);
	troupe_strong_release(&first);
	expect_counts(&watched, 1, 1);
	cr_expect_eq(watched.unreferenced, 0);
	troupe_strong_release(&second);
	cr_expect_eq(watched.unreferenced, 1);
	cr_expect_eq(watched.weak_at_end, 1);
	cr_expect_eq(watched.freed, 1);
}

Test(refcount, weak_handle_keeps_the_block_only)
{
	struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 7);
	struct troupe_weak weak = troupe_weak_from(strong);

	watched.block.node = 9;
	expect_counts(&watched, 1, 2);
	troupe_strong_release(&strong);
	cr_expect_eq(watched.unreferenced, 1);
	cr_expect_eq(watched.freed, 0);
	expect_counts(&watched, 0, 1);
	cr_expect_eq(troupe_weak_id(weak), 7);
	cr_expect_eq(troupe_weak_node(weak), 9);
	cr_expect(troupe_strong_is_null(troupe_weak_lock(weak)));
	expect_counts(&watched, 0, 1);
	troupe_weak_release(&weak);
	cr_expect_eq(watched.freed, 1);
}

Test(refcount, release_leaves_null_and_accepts_it)
{
	struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_weak weak = troupe_weak_from(strong);

	troupe_strong_release(&strong);
	troupe_weak_release(&weak);
	cr_expect(troupe_strong_is_null(strong));
	cr_expect(troupe_weak_is_null(weak));
	troupe_strong_release(&strong);
	troupe_weak_release(&weak);
	cr_expect_eq(watched.unreferenced, 1);
	cr_expect_eq(watched.freed, 1);
}

Test(refcount, null_gives_null)
{
	struct troupe_strong strong = {NULL};
	struct troupe_weak weak = {NULL};

	cr_expect(troupe_strong_is_null(troupe_strong_clone(strong)));
	cr_expect(troupe_strong_is_null(troupe_strong_move(&strong)));
	cr_expect(troupe_strong_is_null(troupe_weak_lock(weak)));
	cr_expect(troupe_weak_is_null(troupe_weak_clone(weak)));
	cr_expect(troupe_weak_is_null(troupe_weak_move(&weak)));
	cr_expect(troupe_weak_is_null(troupe_weak_from(strong)));
	cr_expect_eq(troupe_strong_id(strong), 0);
	cr_expect_eq(troupe_strong_node(strong), 0);
	cr_expect_eq(troupe_weak_id(weak), 0);
	cr_expect_eq(troupe_weak_node(weak), 0);
}

Test(refcount, move_does_not_count)
{
	struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_strong moved = troupe_strong_move(&strong);
	struct troupe_weak weak = troupe_weak_from(moved);
	struct troupe_weak moved_weak = troupe_weak_move(&weak);

	cr_expect(troupe_strong_is_null(strong));
	cr_expect(troupe_weak_is_null(weak));
	cr_expect_eq(moved.block, &watched.block);
	cr_expect_eq(moved_weak.block, &watched.block);
	expect_counts(&watched, 1, 2);
	troupe_weak_release(&moved_weak);
	troupe_strong_release(&moved);
	cr_expect_eq(watched.freed, 1);
}

Test(refcount, lock_gives_a_handle_of_its_own)
{
	struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_weak weak = troupe_weak_from(strong);
	struct troupe_strong locked = troupe_weak_lock(weak);

	expect_counts(&watched, 2, 2);
	troupe_strong_release(&strong);
	cr_expect_eq(watched.unreferenced, 0);
	troupe_strong_release(&locked);
	cr_expect_eq(watched.unreferenced, 1);
	troupe_weak_release(&weak);
}

Test(refcount, ops_may_be_left_out)
{
	static const struct troupe_block_ops nothing = {.name = "nothing"};
	struct watched watched;
	struct troupe_strong strong = {&watched.block};

	troupe_block_init(&watched.block, &nothing, 1, NULL);
	troupe_strong_release(&strong);
	cr_expect(troupe_strong_is_null(strong));
}

Test(refcount, revived_handle_takes_a_weak_count_of_its_own)
{
	struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	/* The actor's own life. */
	struct troupe_weak life = troupe_weak_from(strong);

	troupe_strong_release(&strong);
	expect_counts(&watched, 0, 1);
	strong = troupe__strong_revive(&watched.block, 1);
	expect_counts(&watched, 1, 2);
	cr_expect_eq(watched.unreferenced, 1);
	troupe_strong_release(&strong);
	cr_expect_eq(watched.unreferenced, 2);
	expect_counts(&watched, 0, 1);
	cr_expect_eq(watched.freed, 0);
	troupe_weak_release(&life);
	cr_expect_eq(watched.freed, 1);
}

Test(refcount, revive_of_a_held_one_is_a_clone)
{
	struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_strong other = troupe__strong_revive(&watched.block, 1);

	expect_counts(&watched, 2, 1);
	troupe_strong_release(&other);
	troupe_strong_release(&strong);
	cr_expect_eq(watched.unreferenced, 1);
	cr_expect_eq(watched.freed, 1);
}

/* ---- order and hash ------------------------------------------------------ */

Test(refcount, order_is_by_node_then_id_then_address)
{
	static struct watched watched[4];
	struct troupe_strong handle[4];

	for (int i = 0; i < 4; i++)
		handle[i] = watched_init(&watched[i], (uint64_t)(9 - i));
	watched[0].block.node = 1;
	/* 0 has the higher node; 3 < 2 < 1 by id. */
	cr_expect_gt(troupe_strong_compare(handle[0], handle[1]), 0);
	cr_expect_lt(troupe_strong_compare(handle[3], handle[2]), 0);
	cr_expect_gt(troupe_strong_compare(handle[1], handle[2]), 0);
	watched[2].block.id = watched[3].block.id;
	cr_expect_lt(troupe_strong_compare(handle[2], handle[3]), 0);
	cr_expect_gt(troupe_strong_compare(handle[3], handle[2]), 0);
	for (int i = 0; i < 4; i++) {
		struct troupe_strong null = {NULL};

		cr_expect_eq(troupe_strong_compare(handle[i], handle[i]), 0);
		cr_expect_gt(troupe_strong_compare(handle[i], null), 0);
		cr_expect_lt(troupe_strong_compare(null, handle[i]), 0);
		cr_expect_eq(troupe_strong_compare(null, null), 0);
		cr_expect(troupe_strong_equal(handle[i], handle[i]));
		cr_expect_not(troupe_strong_equal(handle[i], null));
		cr_expect_not(
			troupe_strong_equal(handle[i], handle[(i + 1) % 4]));
	}
}

Test(refcount, order_and_hash_outlast_the_object)
{
	static struct watched watched[2];
	struct troupe_weak weak[2];
	uint64_t hash[2];
	int order;

	for (int i = 0; i < 2; i++) {
		struct troupe_strong strong =
			watched_init(&watched[i], (uint64_t)i + 1);

		weak[i] = troupe_weak_from(strong);
		hash[i] = troupe_strong_hash(strong);
		cr_expect_eq(hash[i], troupe_weak_hash(weak[i]));
		troupe_strong_release(&strong);
	}
	order = troupe_weak_compare(weak[0], weak[1]);
	cr_expect_lt(order, 0);
	for (int i = 0; i < 2; i++) {
		struct troupe_weak other = troupe_weak_clone(weak[i]);

		cr_expect_eq(watched[i].unreferenced, 1);
		cr_expect_eq(troupe_weak_hash(weak[i]), hash[i]);
		cr_expect(troupe_weak_equal(weak[i], other));
		cr_expect_eq(troupe_weak_compare(weak[i], other), 0);
		troupe_weak_release(&other);
	}
	cr_expect_not(troupe_weak_equal(weak[0], weak[1]));
	troupe_weak_release(&weak[0]);
	troupe_weak_release(&weak[1]);
}

Test(refcount, hash_spreads_neighbouring_ids)
{
	static struct watched watched;
	unsigned int low[256] = {0};
	unsigned int high[256] = {0};

	for (uint64_t id = 1; id <= 256 * 16; id++) {
		struct troupe_strong strong = watched_init(&watched, id);
		uint64_t hash = troupe_strong_hash(strong);

		low[hash & 255]++;
		high[hash >> 56]++;
		troupe_strong_release(&strong);
	}
	for (int i = 0; i < 256; i++) {
		cr_expect(low[i] > 0 && low[i] < 48);
		cr_expect(high[i] > 0 && high[i] < 48);
	}
}

/* ---- what debug builds catch --------------------------------------------- */

#if TROUPE_CHECKS
/* The line that says so goes to stderr. */
Test(refcount_checks, one_release_too_many_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_strong copy = strong;
	struct troupe_weak weak = troupe_weak_from(strong);

	troupe_strong_release(&strong);
	troupe_strong_release(&copy);
	troupe_weak_release(&weak);
}

Test(refcount_checks, one_weak_release_too_many_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_weak weak = troupe_weak_from(watched_init(&watched, 1));
	struct troupe_weak copies[2] = {weak, weak};

	troupe_weak_release(&weak);
	troupe_weak_release(&copies[0]);
	troupe_weak_release(&copies[1]);
}

Test(refcount_checks, clone_of_a_released_handle_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_strong copy = strong;
	struct troupe_weak weak = troupe_weak_from(strong);

	troupe_strong_release(&strong);
	/* The block is still there: the count itself is caught. */
	cr_assert_eq(troupe_weak_id(weak), 1);
	troupe_strong_clone(copy);
}

Test(refcount_checks, use_of_a_freed_block_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_strong copy = strong;

	troupe_strong_release(&strong);
	cr_assert_eq(watched.freed, 1);
	troupe_strong_clone(copy);
}

Test(refcount_checks, lock_of_a_freed_block_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);
	struct troupe_weak copy = {strong.block};

	troupe_strong_release(&strong);
	troupe_weak_lock(copy);
}

Test(refcount_checks, saturation_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);

	atomic_store(&watched.block.strong, TROUPE__COUNT_LIMIT);
	troupe_strong_clone(strong);
}

Test(refcount_checks, weak_saturation_is_caught, .signal = SIGABRT)
{
	static struct watched watched;
	struct troupe_strong strong = watched_init(&watched, 1);

	atomic_store(&watched.block.weak, TROUPE__COUNT_LIMIT);
	troupe_weak_from(strong);
}
#endif
