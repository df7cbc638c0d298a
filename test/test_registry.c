/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry: what names and ids find, who keeps whom, and snapshots. Many
 * entries, threads and failing memory: test_registry_limits.c. Readers racing
 * with deaths: stress_registry.c.
 */
#include "registry_things.h"

#include "reader.h"
#include "table.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

TestSuite(registry, .init = setup, .fini = teardown);

Test(registry, put_get_erase_by_name)
{
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();

	expect_name("a", none);
	cr_expect_eq(troupe_registry_put(registry, "a", a), 0);
	cr_expect_eq(troupe_registry_put(registry, "b", b), 0);
	expect_name("a", a);
	expect_name("b", b);
	expect_name("c", none);
	expect_name("", none);
	cr_expect_eq(troupe_registry_erase(registry, "a"), 0);
	expect_name("a", none);
	expect_name("b", b);
	cr_expect_eq(troupe_registry_erase(registry, "a"), -ENOENT);
	cr_expect_eq(troupe_registry_erase(registry, "b"), 0);
	troupe_strong_release(&a);
	troupe_strong_release(&b);
}

Test(registry, put_get_erase_by_id)
{
	struct troupe_strong a = thing();
	uint64_t id = troupe_strong_id(a);

	expect_id(id, none);
	cr_expect_eq(troupe_registry_put_id(registry, a), 0);
	cr_expect_eq(troupe_registry_put_id(registry, a), -EEXIST);
	expect_id(id, a);
	expect_id(id + 1, none);
	expect_id(0, none);
	cr_expect_eq(troupe_registry_erase_id(registry, id), 0);
	cr_expect_eq(troupe_registry_erase_id(registry, id), -ENOENT);
	expect_id(id, none);
	troupe_strong_release(&a);
}

Test(registry, taken_name_is_refused_and_stays)
{
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();

	cr_expect_eq(troupe_registry_put(registry, "name", a), 0);
	cr_expect_eq(troupe_registry_put(registry, "name", b), -EEXIST);
	cr_expect_eq(troupe_registry_put(registry, "name", a), -EEXIST);
	expect_name("name", a);
	/* What was refused holds nothing. */
	cr_expect_eq(troupe_block_counts(b.block).weak, 1);
	cr_expect_eq(troupe_block_counts(a.block).weak, 2);
	troupe_strong_release(&a);
	troupe_strong_release(&b);
}

Test(registry, dead_actor_is_refused)
{
	struct troupe_strong a = thing();

	cr_expect_not(troupe__registry_has_ended(a.block));
	thing_end(a);
	cr_expect(troupe__registry_has_ended(a.block));
	cr_expect_eq(troupe_registry_put(registry, "a", a), -ESRCH);
	cr_expect_eq(troupe_registry_put_id(registry, a), -ESRCH);
	expect_name("a", none);
	expect_id(troupe_strong_id(a), none);
	cr_expect_eq(troupe_block_counts(a.block).weak, 1);
	troupe_strong_release(&a);
}

Test(registry, bad_arguments_are_refused)
{
	struct troupe_strong a = thing();
	struct troupe_strong foreign = thing_of(other_system);

	cr_expect_eq(troupe_registry_put(registry, "a", none), -EINVAL);
	cr_expect_eq(troupe_registry_put(registry, NULL, a), -EINVAL);
	cr_expect_eq(troupe_registry_put(registry, "", a), -EINVAL);
	cr_expect_eq(troupe_registry_put(registry, "f", foreign), -EINVAL);
	cr_expect_eq(troupe_registry_put_id(registry, none), -EINVAL);
	cr_expect_eq(troupe_registry_put_id(registry, foreign), -EINVAL);
	expect_name(NULL, none);
	cr_expect_eq(troupe_registry_erase(registry, NULL), -ENOENT);
	cr_expect_eq(troupe_registry_erase(registry, ""), -ENOENT);
	troupe_strong_release(&a);
	troupe_strong_release(&foreign);
}

Test(registry, names_are_strings_of_any_length)
{
	/* 65,535 and more is where a 16 bit length would break. */
	static const size_t lengths[] = {
		1, 2, 7, 8, 9, 15, 16, 17, 63, 65534, 65535, 65536, 1000000};
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t length = lengths[i];
		char *name = malloc(length + 1);

		memset(name, 'x', length);
		name[length] = '\0';
		cr_expect_eq(troupe_registry_put(registry, name, a), 0);
		name[length - 1] = '\xff';
		expect_name(name, none);
		cr_expect_eq(troupe_registry_put(registry, name, b), 0);
		expect_name(name, b);
		name[length - 1] = 'x';
		expect_name(name, a);
		free(name);
	}
	troupe_strong_release(&a);
	troupe_strong_release(&b);
}

Test(registry, name_is_copied)
{
	struct troupe_strong a = thing();
	char name[] = "name";

	cr_expect_eq(troupe_registry_put(registry, name, a), 0);
	name[0] = 'g';
	expect_name("name", a);
	expect_name("game", none);
	troupe_strong_release(&a);
}

/* ---- who keeps whom, and for how long ------------------------------------ */

/* A batch of others makes the registry free what nobody sees. */
static void collect_retired(void)
{
	struct troupe_strong other = thing();

	for (int i = 0; i < TROUPE__REGISTRY_BATCH; i++) {
		cr_assert_eq(troupe_registry_put_id(registry, other), 0);
		cr_assert_eq(troupe_registry_erase_id(registry,
						      troupe_strong_id(other)),
			     0);
	}
	troupe_strong_release(&other);
}

Test(registry, keeps_no_actor_alive)
{
	struct troupe_strong a = thing();
	struct troupe_weak weak = troupe_weak_from(a);

	cr_expect_eq(troupe_registry_put(registry, "a", a), 0);
	cr_expect_eq(troupe_block_counts(a.block).strong, 1);
	cr_expect_eq(troupe_block_counts(a.block).weak, 3);
	troupe_strong_release(&a);
	/* Nobody holds it, though nobody said yet that it has ended. */
	expect_name("a", none);
	cr_expect(troupe_strong_is_null(troupe_weak_lock(weak)));
	troupe__registry_ended(registry, weak.block);
	collect_retired();
	cr_expect_eq(troupe_block_counts(weak.block).weak, 1);
	troupe_weak_release(&weak);
}

Test(registry, erase_gives_its_count_back_with_its_batch)
{
	struct troupe_strong a = thing();

	cr_expect_eq(troupe_registry_put(registry, "a", a), 0);
	cr_expect_eq(troupe_registry_put_id(registry, a), 0);
	cr_expect_eq(troupe_block_counts(a.block).weak, 3);
	cr_expect_eq(troupe_registry_erase(registry, "a"), 0);
	collect_retired();
	cr_expect_eq(troupe_block_counts(a.block).weak, 2);
	cr_expect_eq(troupe_registry_erase_id(registry, troupe_strong_id(a)),
		     0);
	collect_retired();
	cr_expect_eq(troupe_block_counts(a.block).weak, 1);
	troupe_strong_release(&a);
}

Test(registry, all_entries_vanish_when_the_actor_ends)
{
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();

	cr_expect_eq(troupe_registry_put(registry, "one", a), 0);
	cr_expect_eq(troupe_registry_put(registry, "other", b), 0);
	cr_expect_eq(troupe_registry_put(registry, "two", a), 0);
	cr_expect_eq(troupe_registry_put_id(registry, a), 0);
	cr_expect_eq(troupe_registry_put(registry, "three", a), 0);
	/* From the middle, the end and the beginning of its list. */
	cr_expect_eq(troupe_registry_erase(registry, "two"), 0);
	cr_expect_eq(troupe_registry_put(registry, "two", a), 0);
	thing_end(a);
	expect_name("one", none);
	expect_name("two", none);
	expect_name("three", none);
	expect_id(troupe_strong_id(a), none);
	expect_name("other", b);
	collect_retired();
	cr_expect_eq(troupe_block_counts(a.block).weak, 1);
	cr_expect_eq(troupe_registry_put(registry, "one", b), 0);
	expect_name("one", b);
	troupe_strong_release(&a);
	troupe_strong_release(&b);
}

Test(registry, name_of_an_unreferenced_actor_is_free)
{
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();
	struct troupe_weak dying = troupe_weak_from(a);

	cr_expect_eq(troupe_registry_put(registry, "name", a), 0);
	troupe_strong_release(&a);
	cr_expect_eq(troupe_registry_put(registry, "name", b), 0);
	expect_name("name", b);
	/* Its end, which comes later, must not take away b's entry. */
	troupe__registry_ended(registry, dying.block);
	expect_name("name", b);
	troupe_weak_release(&dying);
	troupe_strong_release(&b);
}

Test(registry, end_of_the_registry_leaves_blocks_whole)
{
	struct troupe_strong a = thing();

	cr_expect_eq(troupe_registry_put(registry, "a", a), 0);
	cr_expect_eq(troupe_registry_put_id(registry, a), 0);
	troupe__registry_destroy(registry);
	registry = NULL;
	cr_expect_eq(troupe_block_counts(a.block).weak, 1);
	cr_expect_eq(atomic_load(&a.block->registry), 0);
	troupe_strong_release(&a);
}

/* Between the mark and the removal of its entries an actor has ended. */
Test(registry, name_of_an_actor_that_is_just_ending_is_free)
{
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();

	cr_expect_eq(troupe_registry_put(registry, "name", a), 0);
	cr_expect_eq(troupe_registry_put_id(registry, a), 0);
	cr_expect(troupe__registry_mark_ended(a.block));
	expect_name("name", none);
	expect_id(troupe_strong_id(a), none);
	cr_expect_eq(troupe_registry_erase_id(registry, troupe_strong_id(a)),
		     -ENOENT);
	cr_expect_eq(troupe_registry_put(registry, "name", b), 0);
	expect_name("name", b);
	thing_end(a);
	expect_name("name", b);
	troupe_strong_release(&a);
	troupe_strong_release(&b);
}

#if TROUPE_HOOKS
/* ---- what happens while a reader is at it ------------------------------- */

static struct troupe_strong hooked;

static void erase_in_section(void)
{
	troupe__reader_set_hook(NULL);
	cr_expect_eq(troupe_registry_erase(registry, "name"), 0);
	/* More writes, which free what no reader can see. */
	collect_retired();
}

/* The entry and its block must last: the address sanitizer sees if not. */
Test(registry, entry_lasts_as_long_as_a_reader_looks_at_it)
{
	struct troupe_strong a = thing();
	struct troupe_strong found;

	hooked = a;
	cr_expect_eq(troupe_registry_put(registry, "name", a), 0);
	troupe__reader_set_hook(erase_in_section);
	found = troupe_registry_get(registry, "name");
	/* It had the name when the get began. */
	cr_expect(troupe_strong_equal(found, a));
	cr_expect_geq(troupe_block_counts(a.block).weak, 2);
	troupe_strong_release(&found);
	expect_name("name", none);
	troupe_strong_release(&a);
}

static void end_in_section(void)
{
	troupe__reader_set_hook(NULL);
	thing_end(hooked);
}

Test(registry, get_gives_no_actor_that_ends_meanwhile)
{
	hooked = thing();
	cr_expect_eq(troupe_registry_put(registry, "name", hooked), 0);
	troupe__reader_set_hook(end_in_section);
	expect_name("name", none);
	troupe_strong_release(&hooked);
}

static void release_in_section(void)
{
	struct troupe_control_block *block = hooked.block;

	troupe__reader_set_hook(NULL);
	/* The last strong handle, then the end: only the entry that the
	 * reader found keeps the block now. */
	troupe_strong_release(&hooked);
	troupe__registry_ended(registry, block);
	collect_retired();
}

Test(registry, get_of_a_freed_actor_gives_null)
{
	hooked = thing();
	cr_expect_eq(troupe_registry_put(registry, "name", hooked), 0);
	troupe__reader_set_hook(release_in_section);
	expect_name("name", none);
}
#endif

/* ---- snapshots ----------------------------------------------------------- */

Test(registry, snapshot_has_all_names_in_put_order)
{
	struct troupe_registry_names *names;
	struct troupe_strong a = thing();
	struct troupe_strong b = thing();
	struct troupe_strong ended = thing();

	cr_assert_eq(troupe_registry_names(registry, &names), 0);
	cr_expect_eq(names->count, 0);
	troupe_registry_names_free(names);

	cr_expect_eq(troupe_registry_put(registry, "zebra", a), 0);
	cr_expect_eq(troupe_registry_put(registry, "gone", b), 0);
	cr_expect_eq(troupe_registry_put_id(registry, a), 0);
	cr_expect_eq(troupe_registry_put(registry, "ended", ended), 0);
	cr_expect_eq(troupe_registry_put(registry, "ant", b), 0);
	cr_expect_eq(troupe_registry_erase(registry, "gone"), 0);
	thing_end(ended);
	cr_assert_eq(troupe_registry_names(registry, &names), 0);
	/* It is a copy: what comes later does not change it. */
	cr_expect_eq(troupe_registry_erase(registry, "zebra"), 0);
	cr_assert_eq(names->count, 2);
	cr_expect_str_eq(names->list[0].name, "zebra");
	cr_expect_eq(names->list[0].id, troupe_strong_id(a));
	cr_expect_str_eq(names->list[1].name, "ant");
	cr_expect_eq(names->list[1].id, troupe_strong_id(b));
	troupe_registry_names_free(names);
	troupe_registry_names_free(NULL);
	troupe_strong_release(&a);
	troupe_strong_release(&b);
	troupe_strong_release(&ended);
}
