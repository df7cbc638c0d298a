/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links: both sides hear of the other's end, whoever made the link; who traps
 * gets a message, who does not ends too; and either side can undo it.
 */
#include "puppet.h"

TestSuite(link, .timeout = 100);

/* Two puppets, of which the first has linked itself to the second. */
struct pair {
	struct troupe_system *system;
	struct puppet puppets[2];
};

static void pair_start(struct pair *pair, bool first_traps, bool second_traps)
{
	*pair = (struct pair){.system = unit_start(NULL, 2)};
	puppet_spawn_class(pair->system,
			   first_traps ? &puppet_trapping_class : &puppet_class,
			   &pair->puppets[0]);
	puppet_spawn_class(pair->system,
			   second_traps ? &puppet_trapping_class
					: &puppet_class,
			   &pair->puppets[1]);
	puppet_call(&pair->puppets[0], do_link, &pair->puppets[1]);
	cr_expect_eq(pair->puppets[0].result, 0);
	puppet_settle(&pair->puppets[1]);
}

static void pair_stop(struct pair *pair)
{
	puppet_stop(pair->system, pair->puppets, 2);
}

/* ---- ends spread ------------------------------------------------------- */

static void ends_with(int ender, int reason)
{
	struct pair pair;

	pair_start(&pair, false, false);
	puppet_send(&pair.puppets[ender], do_quit, &reason);
	puppet_await_running(pair.system, 0);
	cr_expect_eq(pair.puppets[0].reason, reason);
	cr_expect_eq(pair.puppets[1].reason, reason);
	pair_stop(&pair);
	cr_expect_eq(pair.puppets[0].events, 0);
	cr_expect_eq(pair.puppets[1].events, 0);
}

Test(link, the_other_ends_too_whoever_made_it)
{
	for (int ender = 0; ender < 2; ender++) {
		ends_with(ender, -EIO);
		ends_with(ender, 12);
		ends_with(ender, TROUPE_EXIT_SHUTDOWN);
		ends_with(ender, TROUPE_EXIT_KILL);
	}
}

static void traps(int ender, int reason)
{
	struct pair pair;

	pair_start(&pair, true, true);
	puppet_end(pair.system, &pair.puppets[ender], reason);
	puppet_settle(&pair.puppets[1 - ender]);
	puppet_expect(&pair.puppets[1 - ender], 0, TROUPE_TAG_EXIT,
		      &pair.puppets[ender], reason);
	cr_expect_not(puppet_ended(&pair.puppets[1 - ender]));
	pair_stop(&pair);
	cr_expect_eq(pair.puppets[1 - ender].events, 1);
}

Test(link, who_traps_gets_a_message)
{
	for (int ender = 0; ender < 2; ender++) {
		traps(ender, TROUPE_EXIT_NORMAL);
		traps(ender, -EIO);
		traps(ender, TROUPE_EXIT_SHUTDOWN);
		traps(ender, TROUPE_EXIT_KILL);
	}
}

Test(link, a_normal_end_leaves_the_other_alone)
{
	for (int ender = 0; ender < 2; ender++) {
		struct pair pair;

		pair_start(&pair, false, false);
		puppet_end(pair.system, &pair.puppets[ender],
			   TROUPE_EXIT_NORMAL);
		puppet_settle(&pair.puppets[1 - ender]);
		cr_expect_not(puppet_ended(&pair.puppets[1 - ender]));
		/* And the link is gone. */
		puppet_call(&pair.puppets[1 - ender], do_unlink,
			    &pair.puppets[ender]);
		cr_expect_eq(pair.puppets[1 - ender].result, -ENOENT);
		cr_expect_null(actor_observers(
			block_actor(pair.puppets[1 - ender].actor.block)));
		pair_stop(&pair);
	}
}

Test(link, the_text_goes_along)
{
	for (int ender = 0; ender < 2; ender++) {
		struct pair pair;

		pair_start(&pair, true, true);
		puppet_send(&pair.puppets[ender], do_quit_text,
			    (void *)(uintptr_t) "no more paper");
		puppet_await_running(pair.system, 1);
		puppet_settle(&pair.puppets[1 - ender]);
		puppet_expect(&pair.puppets[1 - ender], 0, TROUPE_TAG_EXIT,
			      &pair.puppets[ender], 77);
		cr_expect_str_eq(pair.puppets[1 - ender].event[0].ended.text,
				 "no more paper");
		pair_stop(&pair);
	}
}

/* A chain of 200: the end of the middle one reaches both ends, text and all,
 * and the one who watches there. */
Test(link, ends_spread_along_a_chain)
{
	enum {
		COUNT = 200
	};
	static struct puppet puppets[COUNT];
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet watcher = {0};

	puppet_spawn(system, &watcher);
	for (int i = 0; i < COUNT; i++) {
		puppet_spawn(system, &puppets[i]);
		if (i > 0)
			puppet_call(&puppets[i], do_link, &puppets[i - 1]);
	}
	puppet_call(&watcher, do_monitor, &puppets[0]);
	puppet_call(&watcher, do_monitor, &puppets[COUNT - 1]);
	puppet_send(&puppets[COUNT / 2], do_quit_text,
		    (void *)(uintptr_t) "domino");
	puppet_await_running(system, 1);
	puppet_settle(&watcher);
	cr_expect_eq(watcher.events, 2);
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(watcher.event[i].ended.reason, 77);
		cr_expect_str_eq(watcher.event[i].ended.text, "domino");
	}
	for (int i = 0; i < COUNT; i++) {
		cr_expect_eq(puppets[i].reason, 77);
		troupe_strong_release(&puppets[i].actor);
	}
	puppet_stop(system, &watcher, 1);
}

Test(link, a_circle_ends_once_each)
{
	enum {
		COUNT = 50
	};
	static struct puppet puppets[COUNT];
	struct troupe_system *system = unit_start(NULL, 2);
	int reason = -EPIPE;

	for (int i = 0; i < COUNT; i++)
		puppet_spawn(system, &puppets[i]);
	for (int i = 0; i < COUNT; i++)
		puppet_call(&puppets[i], do_link, &puppets[(i + 1) % COUNT]);
	puppet_send(&puppets[7], do_quit, &reason);
	puppet_await_running(system, 0);
	puppet_stop(system, puppets, COUNT);
	for (int i = 0; i < COUNT; i++)
		cr_expect_eq(puppets[i].reason, reason);
}

/* ---- of special ones --------------------------------------------------- */

Test(link, to_a_dead_one_is_a_signal)
{
	for (int trapping = 0; trapping < 2; trapping++) {
		struct troupe_system *system = unit_start(NULL, 2);
		struct puppet puppets[2] = {0};

		puppet_spawn_class(system,
				   trapping != 0 ? &puppet_trapping_class
						 : &puppet_class,
				   &puppets[0]);
		puppet_spawn(system, &puppets[1]);
		puppet_end(system, &puppets[1], 3);
		puppet_call(&puppets[0], do_link, &puppets[1]);
		cr_expect_eq(puppets[0].result, 0);
		if (trapping != 0) {
			puppet_settle(&puppets[0]);
			puppet_expect(&puppets[0], 0, TROUPE_TAG_EXIT,
				      &puppets[1], -ESRCH);
		} else {
			puppet_await_running(system, 0);
			cr_expect_eq(puppets[0].reason, -ESRCH);
		}
		puppet_stop(system, puppets, 2);
	}
}

Test(link, each_call_makes_one)
{
	struct pair pair;

	pair_start(&pair, true, true);
	puppet_call(&pair.puppets[0], do_link, &pair.puppets[1]);
	puppet_call(&pair.puppets[1], do_link, &pair.puppets[0]);
	puppet_settle(&pair.puppets[0]);
	puppet_settle(&pair.puppets[1]);
	puppet_end(pair.system, &pair.puppets[1], 2);
	puppet_settle(&pair.puppets[0]);
	cr_expect_eq(pair.puppets[0].events, 3);
	for (uint64_t i = 0; i < 3; i++)
		puppet_expect(&pair.puppets[0], i, TROUPE_TAG_EXIT,
			      &pair.puppets[1], 2);
	pair_stop(&pair);
}

Test(link, refuses_nobody_and_oneself)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_call(&puppets[0], do_link, &puppets[1]);
	cr_expect_eq(puppets[0].result, -EINVAL);
	puppet_call(&puppets[0], do_link, &puppets[0]);
	cr_expect_eq(puppets[0].result, -EINVAL);
	puppet_call(&puppets[0], do_unlink, &puppets[1]);
	cr_expect_eq(puppets[0].result, -ENOENT);
	puppet_call(&puppets[0], do_unlink, &puppets[0]);
	cr_expect_eq(puppets[0].result, -ENOENT);
	puppet_stop(system, puppets, 1);
}

Test(link, works_in_init_and_in_on_exit)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn_trapping(system, &puppets[1]);
	puppets[0].on_init = do_link;
	puppets[0].on_exit = do_link;
	puppets[0].argument = &puppets[1];
	puppet_spawn(system, &puppets[0]);
	puppet_end(system, &puppets[0], 5);
	cr_expect_eq(puppets[0].result, 0);
	puppet_settle(&puppets[1]);
	/* That of init, and the last one. */
	cr_expect_eq(puppets[1].events, 2);
	puppet_expect(&puppets[1], 0, TROUPE_TAG_EXIT, &puppets[0], 5);
	puppet_expect(&puppets[1], 1, TROUPE_TAG_EXIT, &puppets[0], 5);
	puppet_stop(system, puppets, 2);
}

Test(link, keeps_nobody)
{
	struct pair pair;

	pair_start(&pair, false, false);
	troupe_strong_release(&pair.puppets[0].actor);
	puppet_await_running(pair.system, 1);
	puppet_settle(&pair.puppets[1]);
	cr_expect_not(puppet_ended(&pair.puppets[1]));
	pair_stop(&pair);
}

/* ---- unlink ------------------------------------------------------------ */

static void unlinks(int who, int ender, int links)
{
	struct pair pair;

	pair_start(&pair, false, true);
	for (int i = 1; i < links; i++)
		puppet_call(&pair.puppets[i % 2], do_link,
			    &pair.puppets[1 - i % 2]);
	puppet_settle(&pair.puppets[0]);
	puppet_settle(&pair.puppets[1]);
	puppet_call(&pair.puppets[who], do_unlink, &pair.puppets[1 - who]);
	cr_expect_eq(pair.puppets[who].result, 0);
	puppet_call(&pair.puppets[who], do_unlink, &pair.puppets[1 - who]);
	cr_expect_eq(pair.puppets[who].result, -ENOENT);
	puppet_end(pair.system, &pair.puppets[ender], -EIO);
	puppet_settle(&pair.puppets[1 - ender]);
	cr_expect_not(puppet_ended(&pair.puppets[1 - ender]));
	cr_expect_eq(pair.puppets[1 - ender].events, 0);
	pair_stop(&pair);
}

Test(link, either_side_undoes_all_of_them)
{
	for (int who = 0; who < 2; who++)
		for (int ender = 0; ender < 2; ender++)
			for (int links = 1; links < 5; links++)
				unlinks(who, ender, links);
}

Test(link, unlinked_on_both_sides_leaves_nothing)
{
	struct pair pair;

	pair_start(&pair, true, true);
	puppet_call(&pair.puppets[1], do_link, &pair.puppets[0]);
	puppet_send(&pair.puppets[0], do_unlink, &pair.puppets[1]);
	puppet_send(&pair.puppets[1], do_unlink, &pair.puppets[0]);
	for (int i = 0; i < 2; i++) {
		puppet_settle(&pair.puppets[0]);
		puppet_settle(&pair.puppets[1]);
	}
	for (int i = 0; i < 2; i++)
		cr_expect_null(actor_observers(
			block_actor(pair.puppets[i].actor.block)));
	puppet_end(pair.system, &pair.puppets[0], 3);
	puppet_settle(&pair.puppets[1]);
	cr_expect_eq(pair.puppets[1].events, 0);
	pair_stop(&pair);
}

/* The other ends while this callback runs: its signal is on its way. */
static void do_unlink_late(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	struct puppet *other = argument;

	cr_assert_eq(troupe_send_exit(other->actor, -EIO), 0);
	puppet_await_running(troupe_self_system(self), 1);
	puppet->result = troupe_unlink(self, other->actor);
}

Test(link, unlink_also_takes_a_signal_that_is_on_its_way)
{
	for (int who = 0; who < 2; who++) {
		struct pair pair;

		pair_start(&pair, false, false);
		puppet_call(&pair.puppets[who], do_unlink_late,
			    &pair.puppets[1 - who]);
		cr_expect_eq(pair.puppets[who].result, 0);
		puppet_settle(&pair.puppets[who]);
		cr_expect_not(puppet_ended(&pair.puppets[who]));
		pair_stop(&pair);
	}
}

/* Asked to undo a link, the other ends before it hears of that. */
static void do_unlink_and_end(struct troupe_actor *self, struct puppet *puppet,
			      void *argument)
{
	struct puppet *other = argument;

	puppet->result = troupe_unlink(self, other->actor);
	troupe_quit(self, -EPIPE);
}

Test(link, unlink_and_end_leaves_the_other_alone)
{
	for (int who = 0; who < 2; who++) {
		struct pair pair;

		pair_start(&pair, false, false);
		puppet_send(&pair.puppets[who], do_unlink_and_end,
			    &pair.puppets[1 - who]);
		puppet_await_running(pair.system, 1);
		puppet_settle(&pair.puppets[1 - who]);
		cr_expect_not(puppet_ended(&pair.puppets[1 - who]));
		pair_stop(&pair);
	}
}

Test(link, works_between_two_systems)
{
	for (int ender = 0; ender < 2; ender++) {
		struct troupe_system *systems[2];
		struct puppet puppets[2] = {0};

		for (int i = 0; i < 2; i++) {
			systems[i] = unit_start(NULL, 2);
			puppet_spawn(systems[i], &puppets[i]);
		}
		puppet_call(&puppets[0], do_link, &puppets[1]);
		puppet_settle(&puppets[1]);
		puppet_send(&puppets[ender], do_quit, &(int){6});
		puppet_await_running(systems[0], 0);
		puppet_await_running(systems[1], 0);
		cr_expect_eq(puppets[1 - ender].reason, 6);
		cr_assert_eq(troupe_system_destroy(systems[1]), 0);
		puppet_stop(systems[0], puppets, 2);
	}
}
