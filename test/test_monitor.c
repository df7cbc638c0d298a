/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Monitors: one message each, exactly once, whenever the other ends; none
 * after troupe_demonitor(); and nothing stays behind with a long-lived actor.
 */
#include "puppet.h"

TestSuite(monitor, .timeout = 100);

/* ---- down -------------------------------------------------------------- */

static void down_with(int reason)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	cr_expect_eq(puppets[0].result, 0);
	puppet_settle(&puppets[1]);
	puppet_settle(&puppets[0]);
	cr_expect_eq(puppets[0].events, 0);
	puppet_end(system, &puppets[1], reason);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], reason);
	cr_expect_eq(puppets[0].event[0].ended.monitor, puppets[0].number);
	cr_expect_str_eq(puppets[0].event[0].ended.text, "");
	puppet_stop(system, puppets, 2);
	cr_expect_eq(puppets[0].events, 1);
}

Test(monitor, down_comes_once_with_the_reason)
{
	down_with(TROUPE_EXIT_NORMAL);
	down_with(TROUPE_EXIT_SHUTDOWN);
	down_with(TROUPE_EXIT_KILL);
	down_with(-EIO);
	down_with(4711);
}

static void down_text(const char *text, const char *expected)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_send(&puppets[1], do_quit_text, (void *)(uintptr_t)text);
	puppet_await_running(system, 1);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], 77);
	cr_expect_str_eq(puppets[0].event[0].ended.text, expected);
	puppet_stop(system, puppets, 2);
}

Test(monitor, down_carries_the_text)
{
	down_text("the disk is full", "the disk is full");
	down_text("", "");
	down_text(NULL, "");
	down_text("0123456789012345678901234567890123456789012345",
		  "0123456789012345678901234567890123456789012");
}

Test(monitor, of_one_that_nobody_can_reach_is_a_normal_end)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	troupe_strong_release(&puppets[1].actor);
	puppet_await_running(system, 1);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1],
		      TROUPE_EXIT_NORMAL);
	puppet_stop(system, puppets, 2);
}

Test(monitor, of_a_dead_one_says_so_once)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_end(system, &puppets[1], 5);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	cr_expect_eq(puppets[0].result, 0);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], -ESRCH);
	cr_expect_eq(puppets[0].event[0].ended.monitor, puppets[0].number);
	puppet_stop(system, puppets, 2);
	cr_expect_eq(puppets[0].events, 1);
}

Test(monitor, each_call_is_one_of_its_own)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	uint64_t numbers[100];
	bool came[100] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	for (int i = 0; i < 100; i++) {
		puppet_call(&puppets[0], do_monitor, &puppets[1]);
		numbers[i] = puppets[0].number;
		cr_expect_neq(numbers[i], 0);
	}
	puppet_end(system, &puppets[1], 5);
	puppet_settle(&puppets[0]);
	cr_assert_eq(puppets[0].events, 100);
	for (int i = 0; i < 100; i++)
		for (int j = 0; j < 100; j++)
			if (puppets[0].event[i].ended.monitor == numbers[j]) {
				cr_expect_not(came[j]);
				came[j] = true;
			}
	for (int i = 0; i < 100; i++)
		cr_expect(came[i]);
	puppet_stop(system, puppets, 2);
}

Test(monitor, all_observers_hear_of_it)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet target = {0};
	static struct puppet observers[100];

	puppet_spawn(system, &target);
	for (int i = 0; i < 100; i++) {
		puppet_spawn(system, &observers[i]);
		puppet_call(&observers[i], do_monitor, &target);
	}
	puppet_end(system, &target, 6);
	for (int i = 0; i < 100; i++) {
		puppet_settle(&observers[i]);
		cr_expect_eq(observers[i].events, 1);
		puppet_expect(&observers[i], 0, TROUPE_TAG_DOWN, &target, 6);
		troupe_strong_release(&observers[i].actor);
	}
	puppet_stop(system, &target, 1);
}

Test(monitor, refuses_nobody_and_oneself)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	cr_expect_eq(puppets[0].result, -EINVAL);
	puppet_call(&puppets[0], do_monitor, &puppets[0]);
	cr_expect_eq(puppets[0].result, -EINVAL);
	puppet_call(&puppets[0], do_demonitor, &(uint64_t){0});
	cr_expect_eq(puppets[0].result, -ENOENT);
	puppet_stop(system, puppets, 1);
}

static int fail_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct puppet *observer = (struct puppet *)(uintptr_t)argument;
	struct puppet target = {.actor = troupe_self(self)};

	(void)state;
	target.id = troupe_strong_id(target.actor);
	observer->number = target.id;
	puppet_call(observer, do_monitor, &target);
	observer->id = target.id;
	troupe_strong_release(&target.actor);
	return -EPIPE;
}

static const struct troupe_actor_class fail_class = {
	.name = "failing",
	.init = fail_init,
	.receive = puppet_receive,
};

Test(monitor, of_one_whose_init_fails_says_so)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet observer = {0};
	struct puppet target = {0};

	puppet_spawn(system, &observer);
	cr_expect_eq(troupe_spawn(system, &fail_class, &observer, NULL),
		     -EPIPE);
	target.id = observer.id;
	puppet_settle(&observer);
	puppet_expect(&observer, 0, TROUPE_TAG_DOWN, &target, -ESRCH);
	puppet_stop(system, &observer, 1);
}

/* ---- demonitor --------------------------------------------------------- */

Test(monitor, after_demonitor_nothing_comes)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	uint64_t number;

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	number = puppets[0].number;
	puppet_call(&puppets[0], do_demonitor, &number);
	cr_expect_eq(puppets[0].result, 0);
	puppet_call(&puppets[0], do_demonitor, &number);
	cr_expect_eq(puppets[0].result, -ENOENT);
	puppet_settle(&puppets[1]);
	cr_expect_null(actor_observers(block_actor(puppets[1].actor.block)));
	puppet_end(system, &puppets[1], 5);
	puppet_settle(&puppets[0]);
	puppet_stop(system, puppets, 2);
	cr_expect_eq(puppets[0].events, 0);
}

/* The other ends while this callback runs: its message is on its way. */
static void do_demonitor_late(struct troupe_actor *self, struct puppet *puppet,
			      void *argument)
{
	struct puppet *other = argument;
	uint64_t number;

	cr_assert_eq(troupe_monitor(self, other->actor, &number), 0);
	cr_assert_eq(troupe_send_exit(other->actor, TROUPE_EXIT_KILL), 0);
	puppet_await_running(troupe_self_system(self), 1);
	puppet->result = troupe_demonitor(self, number);
	cr_expect_eq(troupe_demonitor(self, number), -ENOENT);
}

Test(monitor, demonitor_also_takes_one_that_is_on_its_way)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_demonitor_late, &puppets[1]);
	cr_expect_eq(puppets[0].result, 0);
	puppet_settle(&puppets[0]);
	puppet_stop(system, puppets, 2);
	cr_expect_eq(puppets[0].events, 0);
}

/* The slot of the first is used by the second, whose end has not come. */
static void do_monitor_again(struct troupe_actor *self, struct puppet *puppet,
			     void *argument)
{
	struct puppet *others = argument;
	uint64_t first, second;

	cr_assert_eq(troupe_monitor(self, others[0].actor, &first), 0);
	cr_assert_eq(troupe_send_exit(others[0].actor, TROUPE_EXIT_KILL), 0);
	puppet_await_running(troupe_self_system(self), 2);
	cr_expect_eq(troupe_demonitor(self, first), 0);
	cr_assert_eq(troupe_monitor(self, others[1].actor, &second), 0);
	cr_expect_neq(first, second);
	puppet->number = second;
}

Test(monitor, a_late_message_does_not_count_for_a_new_one)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[3] = {0};

	for (int i = 0; i < 3; i++)
		puppet_spawn(system, &puppets[i]);
	puppet_call(&puppets[0], do_monitor_again, &puppets[1]);
	puppet_settle(&puppets[0]);
	cr_expect_eq(puppets[0].events, 0);
	puppet_end(system, &puppets[2], 9);
	puppet_settle(&puppets[0]);
	cr_expect_eq(puppets[0].events, 1);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[2], 9);
	cr_expect_eq(puppets[0].event[0].ended.monitor, puppets[0].number);
	puppet_call(&puppets[0], do_demonitor, &puppets[0].number);
	cr_expect_eq(puppets[0].result, -ENOENT);
	puppet_stop(system, puppets, 3);
}

/* ---- in other callbacks, other systems --------------------------------- */

Test(monitor, works_in_init_and_ends_with_on_exit)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[1]);
	puppets[0].on_init = do_monitor;
	puppets[0].on_exit = do_monitor;
	puppets[0].argument = &puppets[1];
	puppet_spawn(system, &puppets[0]);
	puppet_end(system, &puppets[0], 1);
	cr_expect_eq(puppets[0].result, 0);
	puppet_settle(&puppets[1]);
	cr_expect_null(actor_observers(block_actor(puppets[1].actor.block)));
	puppet_stop(system, puppets, 2);
}

Test(monitor, in_init_of_a_dead_one_says_so)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[1]);
	puppet_end(system, &puppets[1], 1);
	puppets[0].on_init = do_monitor;
	puppets[0].argument = &puppets[1];
	puppet_spawn(system, &puppets[0]);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], -ESRCH);
	puppets[0].on_exit = do_monitor;
	puppet_end(system, &puppets[0], 1);
	cr_expect_eq(puppets[0].result, 0);
	puppet_stop(system, puppets, 2);
}

Test(monitor, works_between_two_systems)
{
	struct troupe_system *systems[2];
	struct puppet puppets[2] = {0};

	for (int i = 0; i < 2; i++) {
		systems[i] = unit_start(NULL, 2);
		puppet_spawn(systems[i], &puppets[i]);
	}
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_end(systems[1], &puppets[1], 4);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], 4);
	/* Of a system that is gone. */
	cr_assert_eq(troupe_system_destroy(systems[1]), 0);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 1, TROUPE_TAG_DOWN, &puppets[1], -ESRCH);
	puppet_stop(systems[0], puppets, 2);
}

static void do_monitor_many(struct troupe_actor *self, struct puppet *puppet,
			    void *argument)
{
	struct puppet *other = argument;

	for (int i = 0; i < 100; i++)
		cr_assert_eq(
			troupe_monitor(self, other->actor, &puppet->number), 0);
}

Test(monitor, an_observer_of_another_system_may_go_first)
{
	struct troupe_system *systems[2];
	struct puppet puppets[2] = {0};

	for (int i = 0; i < 2; i++) {
		systems[i] = unit_start(NULL, 2);
		puppet_spawn(systems[i], &puppets[i]);
	}
	puppet_call(&puppets[0], do_monitor_many, &puppets[1]);
	troupe_strong_release(&puppets[0].actor);
	cr_assert_eq(troupe_system_destroy(systems[0]), 0);
	puppet_settle(&puppets[1]);
	cr_expect_null(actor_observers(block_actor(puppets[1].actor.block)));
	puppet_stop(systems[1], puppets, 2);
}

Test(monitor, keeps_nobody)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	/* The observer only waits for the message, and nobody has it. */
	troupe_strong_release(&puppets[0].actor);
	puppet_await_running(system, 1);
	cr_expect_eq(puppets[0].reason, TROUPE_EXIT_NORMAL);
	cr_expect_eq(puppets[0].events, 0);
	puppet_stop(system, puppets, 2);
}

static void do_become(struct troupe_actor *self, struct puppet *puppet,
		      void *argument)
{
	(void)argument;
	puppet->skips = false;
	troupe_become(self, puppet_receive);
}

Test(monitor, a_skipped_down_comes_again)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppets[0].skips = true;
	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_end(system, &puppets[1], 8);
	puppet_settle(&puppets[0]);
	cr_expect_eq(puppets[0].events, 0);
	puppet_call(&puppets[0], do_become, NULL);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], 8);
	puppet_stop(system, puppets, 2);
	cr_expect_eq(puppets[0].events, 1);
}

/* ---- long-lived actors ------------------------------------------------- */

static void do_change_mind(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	struct puppet *other = argument;

	for (int i = 0; i < 1000; i++) {
		cr_assert_eq(
			troupe_monitor(self, other->actor, &puppet->number), 0);
		cr_assert_eq(troupe_demonitor(self, puppet->number), 0);
	}
}

Test(monitor, nothing_stays_with_a_long_lived_actor)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet target = {0};
	struct puppet changing = {0};
	uint64_t before;

	puppet_spawn(system, &target);
	puppet_spawn(system, &changing);
	puppet_call(&changing, do_monitor, &target);
	puppet_call(&changing, do_demonitor, &changing.number);
	puppet_settle(&target);
	before = troupe__live_allocations();
	for (int i = 0; i < 1000; i++) {
		struct puppet observer = {0};

		observer.on_init = do_monitor;
		observer.argument = &target;
		puppet_spawn(system, &observer);
		troupe_strong_release(&observer.actor);
		unit_await(&observer.destroys, 1);
	}
	puppet_call(&changing, do_change_mind, &target);
	puppet_await_running(system, 2);
	puppet_settle(&target);
	cr_expect_null(actor_observers(block_actor(target.actor.block)));
	/* A thread may not have freed its last message yet. */
	for (int i = 0; troupe__live_allocations() > before && i < 1000; i++)
		troupe_sleep(1000000);
	cr_expect_leq(troupe__live_allocations(), before);
	troupe_strong_release(&changing.actor);
	puppet_stop(system, &target, 1);
}
