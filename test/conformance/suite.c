/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the checks share: the list of them, and flags between threads.
 */
#include "suite.h"

#include "chance.h"

const struct suite_check *const suite_all[] = {
	suite_handout, suite_enqueue, suite_wake, suite_fair,
	suite_stop,    suite_helpers, suite_life, NULL,
};

/* ---- flags ------------------------------------------------------------- */

/* relaxed, all three: the suite must not order what the policy should order;
 * nothing but the number is read on the other side. */
uint64_t suite_raise(struct suite_flag *flag)
{
	return atomic_fetch_add_explicit(&flag->value, 1, memory_order_relaxed);
}

void suite_set(struct suite_flag *flag, uint64_t value)
{
	atomic_store_explicit(&flag->value, value, memory_order_relaxed);
}

uint64_t suite_value(const struct suite_flag *flag)
{
	return atomic_load_explicit(&flag->value, memory_order_relaxed);
}

void suite_await(const struct suite_flag *flag, uint64_t value)
{
	while (suite_value(flag) < value)
		chance_sleep(20000);
}
