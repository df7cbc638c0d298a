/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry under load: many entries, names that come and go, the running
 * count and its waiters, threads and systems that come and go, and every
 * allocation failing in turn.
 */
#include "registry_things.h"

#include "reader.h"
#include "table.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define MILLISECOND UINT64_C(1000000)

TestSuite(registry_limits, .init = setup, .fini = teardown);

/* ---- many ---------------------------------------------------------------- */

static void number_name(char *name, int number)
{
	snprintf(name, 32, "number-%d", number);
}

Test(registry_limits, grows_and_shrinks)
{
	enum {
		MANY = 20000
	};
	static struct troupe_strong handles[MANY];
	char name[32];

	for (int i = 0; i < MANY; i++) {
		handles[i] = thing();
		number_name(name, i);
		cr_assert_eq(troupe_registry_put(registry, name, handles[i]),
			     0);
		cr_assert_eq(troupe_registry_put_id(registry, handles[i]), 0);
	}
	for (int i = 0; i < MANY; i++) {
		number_name(name, i);
		expect_name(name, handles[i]);
		expect_id(troupe_strong_id(handles[i]), handles[i]);
	}
	for (int i = 0; i < MANY; i += 2)
		thing_end(handles[i]);
	for (int i = 0; i < MANY; i++) {
		number_name(name, i);
		expect_name(name, i % 2 == 0 ? none : handles[i]);
	}
	for (int i = 0; i < MANY; i++)
		troupe_strong_release(&handles[i]);
}

/* Names that come and go leave marks in the hash set, and entries that wait to
 * be freed; the memory for them must not grow. */
Test(registry_limits, names_that_come_and_go_leave_nothing_behind)
{
	struct troupe_strong a = thing();
	struct troupe_strong stays = thing();
	char name[32];
	long most = 0;

	cr_assert_eq(troupe_registry_put(registry, "stays", stays), 0);
	for (int i = 0; i < 50000; i++) {
		number_name(name, i);
		cr_assert_eq(troupe_registry_put(registry, name, a), 0);
		expect_name(name, a);
		cr_assert_eq(troupe_registry_erase(registry, name), 0);
		expect_name(name, none);
		if (atomic_load(&live) > most)
			most = atomic_load(&live);
	}
	expect_name("stays", stays);
	cr_expect_lt(most, TROUPE__REGISTRY_BATCH + 16);
	troupe_strong_release(&a);
	troupe_strong_release(&stays);
}

/* ---- how many run -------------------------------------------------------- */

Test(registry_limits, running_counts_and_waits)
{
	cr_expect_eq(troupe_registry_running(registry), 0);
	cr_expect_eq(troupe_registry_await_running(registry, 0, 0), 0);
	cr_expect_eq(troupe_registry_await_running(registry, 1, 0), -ETIMEDOUT);
	troupe__running_inc(troupe__registry_running(registry),
			    TROUPE__RUNNING_ACTOR);
	troupe__running_inc(troupe__registry_running(registry),
			    TROUPE__RUNNING_ACTOR);
	cr_expect_eq(troupe_registry_running(registry), 2);
	cr_expect_eq(troupe_registry_await_running(registry, 2,
						   TROUPE_REGISTRY_FOREVER),
		     0);
	cr_expect_eq(
		troupe_registry_await_running(registry, 0, 5 * MILLISECOND),
		-ETIMEDOUT);
	troupe__running_dec(troupe__registry_running(registry),
			    TROUPE__RUNNING_ACTOR);
	troupe__running_dec(troupe__registry_running(registry),
			    TROUPE__RUNNING_ACTOR);
	cr_expect_eq(troupe_registry_running(registry), 0);
}

static void *await_thread(void *data)
{
	const uint64_t *count = data;

	return (void *)(intptr_t)troupe_registry_await_running(
		registry, *count, TROUPE_REGISTRY_FOREVER);
}

/* Three wait for two counts while the count goes up and down; each gets its
 * own. The test's time limit is what fails when a wake-up is lost. */
Test(registry_limits, waiters_are_woken_at_their_count)
{
	for (int round = 0; round < 200; round++) {
		uint64_t counts[3] = {5, 0, 5};
		pthread_t threads[3];
		void *result;

		troupe__running_inc(troupe__registry_running(registry),
				    TROUPE__RUNNING_ACTOR);
		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, await_thread,
				       &counts[i]);
		if (round % 4 == 0)
			usleep(1000);
		for (int i = 0; i < 4; i++)
			troupe__running_inc(troupe__registry_running(registry),
					    TROUPE__RUNNING_ACTOR);
		for (int i = 0; i < 3; i += 2) {
			pthread_join(threads[i], &result);
			cr_assert_null(result);
		}
		for (int i = 0; i < 5; i++)
			troupe__running_dec(troupe__registry_running(registry),
					    TROUPE__RUNNING_ACTOR);
		pthread_join(threads[1], &result);
		cr_assert_null(result);
	}
}

/* ---- threads and systems come and go ------------------------------------- */

static void *reading_thread(void *data)
{
	const struct troupe_strong *handle = data;

	for (int i = 0; i < 10; i++)
		expect_name("name", *handle);
	return NULL;
}

Test(registry_limits, ended_threads_leave_their_records_to_others)
{
	struct troupe_strong a = thing();
	size_t before;

	cr_assert_eq(troupe_registry_put(registry, "name", a), 0);
	expect_name("name", a);
	before = troupe__reader_count();
	for (int i = 0; i < 200; i++) {
		pthread_t threads[2];

		for (int j = 0; j < 2; j++)
			pthread_create(&threads[j], NULL, reading_thread, &a);
		for (int j = 0; j < 2; j++)
			pthread_join(threads[j], NULL);
	}
	cr_expect_leq(troupe__reader_count(), before + 2);
	troupe_strong_release(&a);
}

Test(registry_limits, ten_thousand_registries_leave_nothing_behind)
{
	struct troupe_registry *own = registry;
	long before = atomic_load(&live);
	size_t records = 0;

	for (int i = 0; i < 10000; i++) {
		struct troupe_strong a = thing();

		cr_assert_eq(registry_make(), 0);
		cr_assert_eq(troupe_registry_put(registry, "a", a), 0);
		expect_name("a", a);
		if (i % 2 == 0)
			thing_end(a);
		troupe__registry_destroy(registry);
		troupe_strong_release(&a);
		cr_assert_eq(atomic_load(&live), before);
		if (i == 0)
			records = troupe__reader_count();
	}
	cr_expect_eq(troupe__reader_count(), records);
	registry = own;
	troupe__registry_destroy(NULL);
}

/* ---- no memory ----------------------------------------------------------- */

Test(registry_memory, create_fails_whole)
{
	int failures = 0;

	for (long n = 0;; n++) {
		int result;

		atomic_store(&fail_at, n);
		result = registry_make();
		atomic_store(&fail_at, -1);
		if (result == 0)
			break;
		failures++;
		cr_assert_eq(result, -ENOMEM);
		cr_assert_eq(atomic_load(&live), 0);
	}
	cr_expect_geq(failures, 2);
	troupe__registry_destroy(registry);
	cr_expect_eq(atomic_load(&live), 0);
}

/* Each allocation of a registry's life fails once: the call says so, or did
 * not need it, and everything found before is found after. */
Test(registry_limits, put_and_snapshot_fail_whole)
{
	static struct troupe_strong handles[300];
	struct troupe_registry_names *names;
	int failures = 0;
	char name[32];

	for (int i = 0; i < 300; i++) {
		handles[i] = thing();
		number_name(name, i);
		for (long n = 0;; n++) {
			int result;

			atomic_store(&fail_at, n);
			result =
				troupe_registry_put(registry, name, handles[i]);
			atomic_store(&fail_at, -1);
			if (result == 0)
				break;
			cr_assert_eq(result, -ENOMEM);
			cr_assert_eq(troupe_block_counts(handles[i].block).weak,
				     1);
			expect_name(name, none);
			failures++;
		}
		expect_name(name, handles[i]);
	}
	cr_expect_geq(failures, 300);
	atomic_store(&fail_at, 0);
	cr_expect_eq(troupe_registry_names(registry, &names), -ENOMEM);
	atomic_store(&fail_at, -1);
	for (int i = 0; i < 300; i++) {
		number_name(name, i);
		expect_name(name, handles[i]);
		/* Taking out needs no memory. */
		atomic_store(&fail_at, 0);
		if (i % 2 == 0)
			cr_assert_eq(troupe_registry_erase(registry, name), 0);
		else
			thing_end(handles[i]);
		atomic_store(&fail_at, -1);
		expect_name(name, none);
		troupe_strong_release(&handles[i]);
	}
}
