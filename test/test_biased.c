/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The biased lock, by one thread that plays the owner and the others in turn.
 * Several at once are stress_biased.c's, all orders of steps the model's.
 */
#include "troupe_policy.h"

#include <criterion/criterion.h>

TestSuite(biased, .timeout = 20);

static struct troupe_biased lock;

/* One that is biased, where there is a barrier for all threads. */
static void biased_start(void)
{
	troupe_biased_init(&lock);
	if (lock.shared != 0)
		cr_skip_test("no membarrier() here");
}

static void biased_section(void)
{
	troupe_biased_enter(&lock);
	troupe_biased_leave(&lock);
}

Test(biased, is_the_owners_without_the_spinlock)
{
	biased_start();
	troupe_biased_enter(&lock);
	cr_expect_eq(lock.inside, 1);
	cr_expect_eq(lock.lock.value, 0);
	troupe_biased_leave(&lock);
	cr_expect_eq(lock.inside, 0);
	cr_expect_eq(lock.shared, 0);
}

Test(biased, is_refused_to_others_while_the_owner_is_inside)
{
	biased_start();
	troupe_biased_enter(&lock);
	cr_expect_not(troupe_biased_try_lock(&lock));
	cr_expect_eq(lock.shared, 0, "the bias is given back");
	cr_expect_eq(lock.lock.value, 0);
	troupe_biased_leave(&lock);
	cr_expect_eq(lock.inside, 0);
	cr_expect(troupe_biased_try_lock(&lock));
	troupe_biased_unlock(&lock);
}

Test(biased, is_a_spinlock_for_all_once_others_came)
{
	biased_start();
	cr_expect(troupe_biased_try_lock(&lock));
	cr_expect_not(troupe_biased_try_lock(&lock));
	troupe_biased_unlock(&lock);
	troupe_biased_enter(&lock);
	cr_expect_neq(lock.lock.value, 0);
	cr_expect_not(troupe_biased_try_lock(&lock));
	troupe_biased_leave(&lock);
	cr_expect_eq(lock.lock.value, 0);
}

Test(biased, is_biased_again_when_others_stay_away)
{
	biased_start();
	cr_expect(troupe_biased_try_lock(&lock));
	troupe_biased_unlock(&lock);
	for (int i = 0; i < TROUPE_BIASED_CALM - 1; i++)
		biased_section();
	cr_expect_neq(lock.shared, 0);
	/* That was not calm enough: they start again. */
	cr_expect(troupe_biased_try_lock(&lock));
	troupe_biased_unlock(&lock);
	for (int i = 0; i < TROUPE_BIASED_CALM - 1; i++)
		biased_section();
	cr_expect_neq(lock.shared, 0);
	biased_section();
	cr_expect_eq(lock.shared, 0);
	troupe_biased_enter(&lock);
	cr_expect_eq(lock.inside, 1);
	troupe_biased_leave(&lock);
}

/* As where there is no barrier for all threads. */
Test(biased, is_never_biased_without_a_barrier)
{
	lock = (struct troupe_biased){.shared = 2};
	for (int i = 0; i < 2 * TROUPE_BIASED_CALM; i++)
		biased_section();
	cr_expect_eq(lock.shared, 2);
	troupe_biased_enter(&lock);
	cr_expect_not(troupe_biased_try_lock(&lock));
	troupe_biased_leave(&lock);
	cr_expect(troupe_biased_try_lock(&lock));
	troupe_biased_unlock(&lock);
}
