/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holding back where it ends: the receiver ends, the system stops, the sender
 * has quit, or is none that can be held.
 */
#include "boxes.h"

TestSuite(hold_end, .timeout = 100);

/* ---- ends and stops ---------------------------------------------------- */

Test(hold_end, when_the_receiver_ends_its_senders_go_on)
{
	enum {
		COUNT = 10
	};
	struct puppet puppets[COUNT] = {0};
	struct burst bursts[COUNT], after[COUNT];
	struct troupe_system *system = unit_start(NULL, 2);
	struct box box;

	box_spawn(&box, system, box_one());
	box_close(&box);
	cr_expect_eq(box_note(&box, 99), 0);
	for (int i = 0; i < COUNT; i++) {
		bursts[i] = after[i] = (struct burst){.box = &box, .count = 1};
		puppet_spawn(system, &puppets[i]);
		puppet_send(&puppets[i], do_burst, &bursts[i]);
		puppet_send(&puppets[i], do_burst, &after[i]);
	}
	box_await_held(system, COUNT);
	cr_expect_eq(troupe_send_exit(box.actor, TROUPE_EXIT_KILL), 0);
	box_open(&box);
	for (int i = 0; i < COUNT; i++) {
		unit_await(&puppets[i].calls, 2);
		cr_expect_eq(bursts[i].result, 0);
		cr_expect_eq(after[i].result, -ESRCH);
	}
	troupe_strong_release(&box.actor);
	puppet_stop(system, puppets, COUNT);
	cr_expect_eq(box.record.noted, 0);
}

Test(hold_end, a_system_stops_whatever_is_held)
{
	enum {
		COUNT = 10
	};
	struct puppet puppets[COUNT] = {0};
	struct burst bursts[COUNT];
	struct troupe_system *system = unit_start(NULL, 2);
	struct box box;

	box_spawn(&box, system, box_one());
	box_close(&box);
	cr_expect_eq(box_note(&box, 99), 0);
	for (int i = 0; i < COUNT; i++) {
		bursts[i] = (struct burst){.box = &box, .count = 1};
		puppet_spawn(system, &puppets[i]);
		puppet_send(&puppets[i], do_burst, &bursts[i]);
	}
	box_await_held(system, COUNT);
	cr_expect_eq(troupe_system_stop(system, 1000000, 0, NULL, NULL),
		     -ETIMEDOUT);
	box_open(&box);
	cr_expect_eq(troupe_system_stop(system, UNIT_PATIENCE, 0, NULL, NULL),
		     0);
	for (int i = 0; i < COUNT; i++)
		cr_expect_eq(puppets[i].reason, TROUPE_EXIT_SHUTDOWN);
	troupe_strong_release(&box.actor);
	puppet_stop(system, puppets, COUNT);
}

Test(hold_end, a_held_sender_that_nobody_has_still_ends)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 2};

	box_spawn(&box, system, box_one());
	puppet_spawn(system, &puppet);
	box_close(&box);
	puppet_send(&puppet, do_burst, &burst);
	troupe_strong_release(&puppet.actor);
	box_await_held(system, 1);
	troupe_strong_release(&box.actor);
	box_open(&box);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 2);
}

Test(hold_end, one_that_has_quit_is_held_before_it_ends)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 20, .quit = true};

	box_spawn(&box, system, box_ten());
	puppet_spawn(system, &puppets[0]);
	puppet_spawn_trapping(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	box_close(&box);
	puppet_send(&puppets[1], do_burst, &burst);
	puppet_send(&puppets[1], do_nothing, NULL);
	box_await_held(system, 1);
	puppet_settle(&puppets[0]);
	cr_expect_eq(puppets[1].exits, 0);
	cr_expect_eq(puppets[0].events, 0);
	/* It is told nothing any more. */
	cr_expect_eq(troupe_system_stop(system, 1000000, 0, NULL, NULL),
		     -ETIMEDOUT);
	box_open(&box);
	cr_expect_eq(troupe_system_stop(system, UNIT_PATIENCE, 0, NULL, NULL),
		     0);
	cr_expect_eq(puppets[1].calls, 1);
	cr_expect_eq(puppets[1].events, 0);
	cr_expect_eq(puppets[1].reason, 6);
	troupe_strong_release(&box.actor);
	puppet_stop(system, puppets, 2);
}

/* ---- who cannot be held ------------------------------------------------ */

Test(hold_end, outside_code_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box;

	box_spawn(&box, system, box_ten());
	box_close(&box);
	for (uint64_t i = 0; i < 10; i++)
		cr_expect_eq(box_note(&box, i), 0);
	cr_expect_eq(box_note(&box, 10), -EAGAIN);
	cr_expect_eq(box_load(&box), 10);
	box_open(&box);
	box_await(&box, 11);
	cr_expect_eq(box_note(&box, 10), 0);
	troupe_strong_release(&box.actor);
	unit_stop(system);
	box_expect_notes(&box, 0, 11);
}

Test(hold_end, an_actor_of_another_system_is_refused)
{
	struct troupe_system *systems[2] = {unit_start(NULL, 1),
					    unit_start(NULL, 1)};
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 20};

	box_spawn(&box, systems[0], box_ten());
	box_close(&box);
	puppet_spawn(systems[1], &puppet);
	puppet_call(&puppet, do_burst, &burst);
	cr_expect_eq(burst.result, -EAGAIN);
	puppet_settle(&puppet);
	box_open(&box);
	troupe_strong_release(&box.actor);
	cr_assert_eq(troupe_system_destroy(systems[0]), 0);
	puppet_stop(systems[1], &puppet, 1);
	box_expect_notes(&box, 0, 10);
}

/* Its worker must not keep a handle, or hold the next job in its place. */
Test(hold_end, an_actor_in_on_exit_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 20};

	box_spawn(&box, system, box_ten());
	box_close(&box);
	puppets[0].on_exit = do_burst;
	puppets[0].argument = &burst;
	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	/* By itself, so that it does not quit. */
	troupe_strong_release(&puppets[0].actor);
	unit_await(&puppets[0].exits, 1);
	cr_expect_eq(burst.result, -EAGAIN);
	for (int i = 0; i < 10; i++)
		puppet_settle(&puppets[1]);
	cr_expect_eq(held_count(system), 0);
	box_open(&box);
	troupe_strong_release(&box.actor);
	puppet_stop(system, puppets, 2);
	box_expect_notes(&box, 0, 10);
}

static int job_burst(void *data)
{
	do_burst(NULL, NULL, data);
	return TROUPE_JOB_DONE;
}

Test(hold_end, a_bare_job_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct box box;
	struct burst burst = {.box = &box, .count = 20};

	box_spawn(&box, system, box_ten());
	box_close(&box);
	cr_assert_eq(troupe_schedule(system, job_burst, &burst), 0);
	while (unit_stats(system).completed < 1)
		troupe_sleep(50000);
	cr_expect_eq(burst.result, -EAGAIN);
	box_open(&box);
	troupe_strong_release(&box.actor);
	unit_stop(system);
	box_expect_notes(&box, 0, 10);
}

static void do_block_and_burst(struct troupe_actor *self, struct puppet *puppet,
			       void *argument)
{
	cr_assert_eq(troupe_blocking_begin(), 0);
	do_burst(self, puppet, argument);
	troupe_blocking_end();
}

Test(hold_end, in_a_blocking_section_an_actor_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 20};

	box_spawn(&box, system, box_ten());
	box_close(&box);
	puppet_spawn(system, &puppet);
	puppet_call(&puppet, do_block_and_burst, &burst);
	cr_expect_eq(burst.result, -EAGAIN);
	puppet_settle(&puppet);
	box_open(&box);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 10);
}

static const struct troupe_actor_class puppet_detached_class = {
	.name = "detached puppet",
	.state_size = sizeof(struct puppet_state),
	.flags = TROUPE_CLASS_DETACHED,
	.init = puppet_init,
	.receive = puppet_receive,
	.on_exit = puppet_exit,
	.destroy = puppet_destroy,
};

Test(hold_end, a_detached_actor_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 20};

	box_spawn(&box, system, box_ten());
	box_close(&box);
	puppet_spawn_class(system, &puppet_detached_class, &puppet);
	puppet_call(&puppet, do_burst, &burst);
	cr_expect_eq(burst.result, -EAGAIN);
	box_open(&box);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 10);
}

/* But it may hold others. */
Test(hold_end, a_detached_actor_holds)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppet = {0};
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct box box = {0};
	struct burst burst = {.box = &box, .count = 20};

	options.limits = box_ten();
	options.flags = TROUPE_SPAWN_DETACHED;
	cr_assert_eq(troupe_spawn_with(system, &unit_recorder_class,
				       &box.record, &options, &box.actor),
		     0);
	box_hold(system, &puppet, &burst);
	box_let_go(system, &puppet, &burst);
}

/* ---- a receiver that waits for a held sender --------------------------- */

enum {
	PICKY_PLAIN = 1,
	PICKY_KEY
};
static _Atomic uint64_t picky_handled;

static int picky_open(struct troupe_actor *self, void *state,
		      const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	atomic_fetch_add(&picky_handled, 1);
	return 0;
}

static int picky_closed(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	if (message->tag != PICKY_KEY)
		return TROUPE_SKIP;
	troupe_become(self, picky_open);
	return 0;
}

static const struct troupe_limits picky_limits = {
	.messages = 10,
	.overflow = TROUPE_OVERFLOW_HOLD,
};

static const struct troupe_actor_class picky_class = {
	.name = "picky",
	.receive = picky_closed,
	.limits = &picky_limits,
};

static void do_send_plain(struct troupe_actor *self, struct puppet *puppet,
			  void *argument)
{
	(void)self;
	for (int i = 0; i < 15; i++)
		puppet->result = troupe_send(*(struct troupe_strong *)argument,
					     PICKY_PLAIN, NULL, 0);
}

static void do_send_key(struct troupe_actor *self, struct puppet *puppet,
			void *argument)
{
	(void)self;
	puppet->result = troupe_send(*(struct troupe_strong *)argument,
				     PICKY_KEY, NULL, 0);
}

Test(hold_end, a_receiver_may_skip_until_a_held_sender_sends)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_strong picky;
	struct puppet puppet = {0};

	cr_assert_eq(troupe_spawn(system, &picky_class, NULL, &picky), 0);
	puppet_spawn(system, &puppet);
	puppet_send(&puppet, do_send_plain, &picky);
	puppet_send(&puppet, do_send_plain, &picky);
	puppet_send(&puppet, do_send_key, &picky);
	unit_await(&picky_handled, 30);
	cr_expect_eq(puppet.result, 0);
	troupe_strong_release(&picky);
	puppet_stop(system, &puppet, 1);
}
