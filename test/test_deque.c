/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deque, by one thread that plays owner and thief in turn: which end gives
 * which job, the last job, places, and numbers that wrap around. Two threads
 * at once are stress_deque.c's.
 */
#include "deque.h"

#include <criterion/criterion.h>

#define JOBS 10

TestSuite(deque, .timeout = 20);

static struct troupe__deque deque;
static struct troupe_job jobs[JOBS];

/* One job, as a thief gets it that wants one. */
static struct troupe_job *deque_steal(void)
{
	struct troupe_job *job;

	return troupe__deque_try_steal(&deque, 1, &job) == 1 ? job : NULL;
}

/* What the owner gets. */
static struct troupe_job *deque_take(void)
{
	bool next;

	return troupe__deque_take(&deque, &next);
}

static void deque_fill(int count)
{
	troupe__deque_init(&deque, false);
	for (int i = 0; i < count; i++)
		troupe__deque_put(&deque, &jobs[i]);
	cr_assert_eq(troupe__deque_size(&deque), (uint32_t)count);
}

static void deque_expect_empty(void)
{
	cr_expect_eq(troupe__deque_size(&deque), 0);
	cr_expect_not(troupe__deque_has_next(&deque));
	cr_expect_null(deque_take());
	cr_expect_null(deque_steal());
	cr_expect_null(troupe__deque_try_steal_next(&deque));
	cr_expect_null(troupe__deque_take_oldest_before(
		&deque, atomic_load(&deque.top) + 1));
	cr_expect_eq(atomic_load(&deque.top), atomic_load(&deque.bottom));
	cr_expect_eq(deque.lock.inside, 0);
	cr_expect_eq(deque.lock.lock.value, 0);
}

Test(deque, gives_the_owner_the_newest)
{
	deque_fill(JOBS);
	for (int i = JOBS - 1; i >= 0; i--)
		cr_expect_eq(deque_take(), &jobs[i]);
	deque_expect_empty();
}

Test(deque, gives_a_thief_the_oldest)
{
	deque_fill(JOBS);
	for (int i = 0; i < JOBS; i++)
		cr_expect_eq(deque_steal(), &jobs[i]);
	deque_expect_empty();
}

Test(deque, gives_the_owner_both_ends)
{
	deque_fill(4);
	cr_expect_eq(deque_take(), &jobs[3]);
	cr_expect_eq(troupe__deque_take_oldest_before(&deque, 3), &jobs[0]);
	cr_expect_eq(troupe__deque_take_oldest_before(&deque, 3), &jobs[1]);
	cr_expect_eq(deque_take(), &jobs[2]);
	deque_expect_empty();
}

/* next goes first, and is nobody else's until it is put or asked for. */
Test(deque, keeps_the_next_apart)
{
	bool next = false;

	deque_fill(0);
	cr_expect_not(troupe__deque_put_next(&deque, &jobs[0]));
	cr_expect(troupe__deque_has_next(&deque));
	cr_expect_eq(troupe__deque_size(&deque), 0);
	cr_expect_null(deque_steal());
	cr_expect(troupe__deque_put_next(&deque, &jobs[1]));
	cr_expect_eq(troupe__deque_size(&deque), 1);
	cr_expect_eq(troupe__deque_take(&deque, &next), &jobs[1]);
	cr_expect(next);
	cr_expect_eq(troupe__deque_take(&deque, &next), &jobs[0]);
	cr_expect_not(next);
	deque_expect_empty();
}

Test(deque, puts_the_next_as_the_newest)
{
	deque_fill(2);
	cr_expect_not(troupe__deque_put_next(&deque, &jobs[2]));
	troupe__deque_unshift_next(&deque);
	troupe__deque_unshift_next(&deque);
	cr_expect_eq(troupe__deque_size(&deque), 3);
	cr_expect_eq(deque_take(), &jobs[2]);
	cr_expect_eq(deque_take(), &jobs[1]);
	cr_expect_eq(deque_take(), &jobs[0]);
	deque_expect_empty();
}

Test(deque, gives_the_next_to_a_thief_that_asks_for_it)
{
	deque_fill(1);
	cr_expect_null(troupe__deque_try_steal_next(&deque));
	cr_expect_not(troupe__deque_put_next(&deque, &jobs[1]));
	cr_expect_eq(troupe__deque_try_steal_next(&deque), &jobs[1]);
	cr_expect_null(troupe__deque_try_steal_next(&deque));
	cr_expect_eq(deque_take(), &jobs[0]);
	deque_expect_empty();
}

/* Every way to empty it, one job after the other, from either end. */
Test(deque, gives_each_job_once_whoever_takes)
{
	for (unsigned choice = 0; choice < 1u << 5; choice++) {
		int oldest = 0, newest = 4;

		deque_fill(5);
		for (int i = 0; i < 5; i++) {
			if ((choice & 1u << i) != 0)
				cr_expect_eq(deque_take(), &jobs[newest--]);
			else
				cr_expect_eq(deque_steal(), &jobs[oldest++]);
			cr_expect_eq(troupe__deque_size(&deque),
				     (uint32_t)(4 - i));
		}
		deque_expect_empty();
	}
}

/* From every length, whatever the most is; half is rounded up. */
Test(deque, gives_a_thief_half_of_the_jobs)
{
	for (int length = 1; length <= JOBS; length++) {
		for (uint32_t most = 1; most <= JOBS; most++) {
			uint32_t half = ((uint32_t)length + 1) / 2, count;
			struct troupe_job *job = NULL;

			deque_fill(length);
			count = troupe__deque_try_steal(&deque, most, &job);
			cr_expect_eq(count, half < most ? half : most);
			for (uint32_t i = 0; i < count; i++) {
				cr_expect_eq(job, &jobs[i]);
				job = job->next;
			}
			for (uint32_t i = (uint32_t)length; i > count; i--)
				cr_expect_eq(deque_take(), &jobs[i - 1]);
			deque_expect_empty();
		}
	}
}

Test(deque, takes_many_at_once)
{
	struct troupe_job *job = NULL;

	deque_fill(6);
	cr_expect_eq(troupe__deque_try_steal(&deque, JOBS, &job), 3);
	troupe__deque_put_all(&deque, job, 3);
	cr_expect_eq(troupe__deque_size(&deque), 6);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(deque_steal(), &jobs[3 + i]);
	for (int i = 2; i >= 0; i--)
		cr_expect_eq(deque_take(), &jobs[i]);
	deque_expect_empty();
}

Test(deque, can_be_filled_again)
{
	deque_fill(2);
	cr_expect_eq(deque_steal(), &jobs[0]);
	troupe__deque_put(&deque, &jobs[0]);
	cr_expect_eq(deque_steal(), &jobs[1]);
	cr_expect_eq(deque_take(), &jobs[0]);
	troupe__deque_put(&deque, &jobs[1]);
	cr_expect_eq(deque_steal(), &jobs[1]);
	deque_expect_empty();
}

Test(deque, gives_the_oldest_only_below_a_place)
{
	deque_fill(3);
	cr_expect_null(troupe__deque_take_oldest_before(&deque, 0));
	cr_expect_eq(troupe__deque_take_oldest_before(&deque, 2), &jobs[0]);
	cr_expect_eq(troupe__deque_take_oldest_before(&deque, 2), &jobs[1]);
	cr_expect_null(troupe__deque_take_oldest_before(&deque, 2));
	cr_expect_eq(troupe__deque_take_oldest_before(&deque, 3), &jobs[2]);
	deque_expect_empty();
}

Test(deque, goes_on_when_its_numbers_wrap_around)
{
	atomic_store(&deque.top, UINT32_MAX - 1);
	atomic_store(&deque.bottom, UINT32_MAX - 1);
	deque_fill(6);
	cr_expect_eq(atomic_load(&deque.top), 4);
	cr_expect_eq(deque_steal(), &jobs[0]);
	cr_expect_eq(deque_take(), &jobs[5]);
	cr_expect_null(troupe__deque_take_oldest_before(&deque, UINT32_MAX));
	cr_expect_eq(troupe__deque_take_oldest_before(&deque, 0), &jobs[1]);
	cr_expect_null(troupe__deque_take_oldest_before(&deque, 0));
	cr_expect_eq(deque_steal(), &jobs[2]);
	cr_expect_eq(deque_take(), &jobs[4]);
	cr_expect_eq(deque_steal(), &jobs[3]);
	deque_expect_empty();
}

/* A thief gives way to whoever is there, and does not wait. */
Test(deque, lets_a_thief_go_away_when_another_is_there)
{
	deque_fill(2);
	cr_assert(troupe_biased_try_lock(&deque.lock));
	cr_expect_null(deque_steal());
	cr_expect_null(troupe__deque_try_steal_next(&deque));
	troupe_biased_unlock(&deque.lock);
	cr_expect_eq(deque_steal(), &jobs[0]);
	troupe_biased_enter(&deque.lock);
	cr_expect_null(deque_steal());
	troupe_biased_leave(&deque.lock);
	cr_expect_eq(deque_steal(), &jobs[1]);
	deque_expect_empty();
}
