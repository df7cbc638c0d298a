/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processor each worker is bound to: on machines that hwloc makes up,
 * and on this one.
 */
#include "affinity.h"
#include "platform.h"
#include "troupe.h"
#include "troupe_config.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two sockets of two cores of two hardware threads: 0-1, 2-3 and so on share
 * a core. */
#define MACHINE "pack:2 core:2 pu:2"

static struct troupe_error error;
static int cpus[12];

TestSuite(affinity, .timeout = 20);

static int plan(const char *mask, const char *affinity, uint32_t count)
{
	memset(&error, 0, sizeof(error));
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		cpus[i] = -2;
	return troupe__affinity_plan_at(MACHINE, mask, affinity, count, &error,
					cpus);
}

static void expect_plan(const char *mask, const char *affinity, uint32_t count,
			const int *expected)
{
	cr_expect_eq(plan(mask, affinity, count), 0, "%s: %s", affinity,
		     error.text);
	for (uint32_t i = 0; i < count; i++)
		cr_expect_eq(cpus[i], expected[i],
			     "%s: worker %u on %d, not %d", affinity, i,
			     cpus[i], expected[i]);
	cr_expect_eq(cpus[count], -2, "one too many was written");
}

Test(affinity, none_binds_nobody)
{
	expect_plan("0-7", "none", 3, (const int[]){-1, -1, -1});
}

Test(affinity, cores_come_before_their_second_threads)
{
	expect_plan("0-7", "cores", 10,
		    (const int[]){0, 2, 4, 6, 1, 3, 5, 7, 0, 2});
}

Test(affinity, cores_keep_to_the_mask)
{
	expect_plan("1-2,5", "cores", 4, (const int[]){1, 2, 5, 1});
	expect_plan("2-3", "cores", 3, (const int[]){2, 3, 2});
	expect_plan("0,1,6", "cores", 4, (const int[]){0, 6, 1, 0});
}

Test(affinity, cores_of_a_machine_that_does_not_tell_them)
{
	cr_assert_eq(troupe__affinity_plan_at("pu:4", "0-3", "cores", 5, &error,
					      cpus),
		     0, "%s", error.text);
	for (int i = 0; i < 5; i++)
		cr_expect_eq(cpus[i], i % 4);
}

Test(affinity, list_is_taken_in_its_order)
{
	expect_plan("0-7", "0", 3, (const int[]){0, 0, 0});
	expect_plan("0-7", "0,3,2,1", 4, (const int[]){0, 3, 2, 1});
	expect_plan("0-7", "6-7,0,2-3", 6, (const int[]){6, 7, 0, 2, 3, 6});
	expect_plan("0-7", "4-4", 1, (const int[]){4});
}

Test(affinity, impossible_processor_is_named)
{
	cr_expect_eq(plan("0-1,4-5", "0,2", 2), -EINVAL);
	cr_expect_eq(error.code, -EINVAL);
	cr_expect_not_null(strstr(error.text, "processor 2"), "%s", error.text);
	cr_expect_not_null(strstr(error.text, "0-1,4-5"), "%s", error.text);
	cr_expect_eq(cpus[0], -2, "nothing is written on failure");
	cr_expect_eq(plan("0-7", "8", 1), -EINVAL);
	cr_expect_eq(plan("0-7", "0-1000000", 1), -EINVAL);
}

Test(affinity, processor_named_twice_is_an_error)
{
	cr_expect_eq(plan("0-7", "0-3,2", 2), -EINVAL);
	cr_expect_not_null(strstr(error.text, "processor 2 is named twice"),
			   "%s", error.text);
}

Test(affinity, text_that_is_no_list_is_an_error)
{
	static const char *const texts[] = {
		"",
		",",
		"0,",
		",0",
		"0,,1",
		"3-1",
		"-1",
		"1-",
		"a",
		"0 1",
		"0, 1",
		"+1",
		"0x1",
		"None",
		"core",
		"cores,0",
		"none,0",
		"1-2-3",
		"1.5",
		"0;1",
		"99999999999999999999",
		"0-99999999999999999999",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_expect_eq(plan("0-7", texts[i], 1), -EINVAL, "\"%s\"",
			     texts[i]);
		cr_expect_not_null(strstr(error.text, "0,2-3"), "\"%s\": %s",
				   texts[i], error.text);
	}
}

Test(affinity, error_may_be_null)
{
	cr_expect_eq(
		troupe__affinity_plan_at(MACHINE, "0-7", "8", 1, NULL, cpus),
		-EINVAL);
}

Test(affinity, machine_that_cannot_be_read_is_an_error)
{
	cr_expect_eq(troupe__affinity_plan_at("nonsense", "0", "cores", 1,
					      &error, cpus),
		     -EINVAL);
	cr_expect_not_null(strstr(error.text, "cannot be read"));
	cr_expect_eq(plan("8-9", "cores", 1), -EINVAL);
	cr_expect_not_null(strstr(error.text, "no processor"));
}

static int allocations_left;

static bool fail_allocation(enum troupe__point point)
{
	return point != TROUPE__POINT_ALLOC || allocations_left-- > 0;
}

/* Fails the n-th allocation for each n. */
static void each_allocation_fails(const char *affinity)
{
	uint64_t before = troupe__live_allocations();
	int many[40];
	int result = -ENOMEM;

	for (int n = 0; result == -ENOMEM; n++) {
		cr_assert_lt(n, 100);
		allocations_left = n;
		troupe__set_hook(fail_allocation);
		result = troupe__affinity_plan_at("core:40 pu:1", "0-39",
						  affinity, 40, &error, many);
		troupe__set_hook(NULL);
		cr_expect_eq(troupe__live_allocations(), before);
	}
	cr_assert_eq(result, 0);
	for (int i = 0; i < 40; i++)
		cr_expect_eq(many[i], i);
}

Test(affinity, out_of_memory_is_an_error_code)
{
	each_allocation_fails("cores");
	each_allocation_fails("0-39");
}

/* ---- this machine ------------------------------------------------------ */

Test(affinity, cores_of_this_machine_are_usable_and_distinct)
{
	cpu_set_t mask, seen;
	uint32_t count;
	int *plan_here;

	cr_assert_eq(sched_getaffinity(0, sizeof(mask), &mask), 0);
	count = (uint32_t)CPU_COUNT(&mask);
	plan_here = calloc(count, sizeof(*plan_here));
	cr_assert_eq(troupe__affinity_plan("cores", count, &error, plan_here),
		     0, "%s", error.text);
	CPU_ZERO(&seen);
	for (uint32_t i = 0; i < count; i++) {
		cr_expect(CPU_ISSET((size_t)plan_here[i], &mask));
		cr_expect_not(CPU_ISSET((size_t)plan_here[i], &seen),
			      "processor %d given out twice", plan_here[i]);
		CPU_SET((size_t)plan_here[i], &seen);
	}
	free(plan_here);
}

Test(affinity, mask_of_this_process_is_kept)
{
	cpu_set_t mask, one;
	char forbidden[16];
	int first = -1, second = -1;

	cr_assert_eq(sched_getaffinity(0, sizeof(mask), &mask), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE && second < 0; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &mask))
			continue;
		second = first >= 0 ? cpu : -1;
		first = first >= 0 ? first : cpu;
	}
	if (second < 0)
		cr_skip_test("needs two processors");
	CPU_ZERO(&one);
	CPU_SET((size_t)first, &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	cr_expect_eq(troupe__affinity_plan("cores", 2, &error, cpus), 0);
	cr_expect(cpus[0] == first && cpus[1] == first);
	snprintf(forbidden, sizeof(forbidden), "%d", second);
	cr_expect_eq(troupe__affinity_plan(forbidden, 1, &error, cpus),
		     -EINVAL);
}

Test(affinity, bind_moves_this_thread)
{
	cpu_set_t mask;

	cr_assert_eq(sched_getaffinity(0, sizeof(mask), &mask), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &mask))
			continue;
		cr_expect_eq(troupe__affinity_bind(cpu), 0);
		cr_expect_eq(sched_getcpu(), cpu);
	}
	cr_expect_eq(troupe__affinity_bind(-1), 0);
	cr_expect_eq(troupe__affinity_bind(8191), -EINVAL);
	cr_expect_eq(troupe__affinity_bind(8192), -EINVAL);
}

static _Atomic int seen_on[2];

static int see(void *data)
{
	*(_Atomic int *)data = sched_getcpu();
	return TROUPE_JOB_DONE;
}

Test(affinity, each_worker_is_where_the_list_says)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	char list[40];
	int usable[2];

	if (troupe__affinity_plan("cores", 2, NULL, usable) != 0 ||
	    usable[0] == usable[1])
		cr_skip_test("needs two processors");
	snprintf(list, sizeof(list), "%d,%d", usable[1], usable[0]);
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy_name = "fifo";
	config.affinity = list;
	config.max_threads = 2;
	for (int round = 0; round < 50; round++) {
		cr_assert_eq(troupe_system_create(&config, &error, &system), 0,
			     "%s", error.text);
		for (uint32_t i = 0; i < 2; i++) {
			seen_on[i] = -1;
			cr_assert_eq(troupe_schedule_on(system, i, see,
							(void *)&seen_on[i]),
				     0);
		}
		cr_assert_eq(troupe_system_destroy(system), 0);
		cr_assert_eq(seen_on[0], usable[1]);
		cr_assert_eq(seen_on[1], usable[0]);
	}
}

/* ---- roles --------------------------------------------------------------- */

/* How many processors a thread may use, in each of its roles. */
static struct {
	struct troupe_system *system;
	_Atomic int before, inside, stand_in, detached, after;
	_Atomic bool go_on;
} roles;

static int roles_usable(void)
{
	cpu_set_t mask;

	if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
		return -1;
	return CPU_COUNT(&mask);
}

static int roles_look(void *data)
{
	*(_Atomic int *)data = roles_usable();
	return TROUPE_JOB_DONE;
}

static int roles_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(void)state;
	roles.detached = roles_usable();
	return 0;
}

static const struct troupe_actor_class roles_class = {
	.name = "detached",
	.run = roles_run,
};

static int roles_job(void *data)
{
	(void)data;
	roles.before = roles_usable();
	/* Its thread is started by a worker that is bound. */
	cr_expect_eq(troupe_spawn(roles.system, &roles_class, NULL, NULL), 0);
	cr_expect_eq(troupe_blocking_begin(), 0);
	roles.inside = roles_usable();
	cr_expect_eq(troupe_schedule(roles.system, roles_look,
				     (void *)&roles.stand_in),
		     0);
	while (!roles.go_on)
		troupe_sleep(100000);
	return TROUPE_JOB_DONE;
}

static void roles_await(const _Atomic int *seen)
{
	while (*seen == 0)
		troupe_sleep(100000);
}

Test(affinity, goes_with_the_role_of_a_thread)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	int all = roles_usable();

	if (all < 2)
		cr_skip_test("needs two processors");
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.affinity = "cores";
	config.max_threads = 1;
	memset(&roles, 0, sizeof(roles));
	cr_assert_eq(troupe_system_create(&config, &error, &roles.system), 0);
	cr_assert_eq(troupe_schedule(roles.system, roles_job, NULL), 0);
	roles_await(&roles.stand_in);
	roles_await(&roles.detached);
	roles.go_on = true;
	cr_assert_eq(troupe_system_await(roles.system), 0);
	/* The first worker's thread is of the pool now: it may stand in. */
	roles.go_on = false;
	roles.stand_in = 0;
	roles.detached = 0;
	cr_assert_eq(troupe_schedule(roles.system, roles_job, NULL), 0);
	roles_await(&roles.stand_in);
	roles.go_on = true;
	cr_assert_eq(
		troupe_schedule(roles.system, roles_look, (void *)&roles.after),
		0);
	cr_assert_eq(troupe_system_destroy(roles.system), 0);
	cr_expect_eq(roles.before, 1);
	cr_expect_eq(roles.inside, all, "%d", roles.inside);
	cr_expect_eq(roles.stand_in, 1, "%d", roles.stand_in);
	cr_expect_eq(roles.detached, all, "%d", roles.detached);
	cr_expect_eq(roles.after, 1, "%d", roles.after);
	cr_expect_eq(roles_usable(), all);
}
