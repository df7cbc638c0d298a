/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holding back: a sender waits for the mailbox that it filled, nothing is lost
 * and no order changes; circles, ends and stops let everybody go.
 */
#include "boxes.h"

TestSuite(hold, .timeout = 100);

/* ---- held, and let go -------------------------------------------------- */

Test(hold, the_sender_waits_until_the_low_mark)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 13};

	box_spawn(&box, system, box_ten());
	puppet_spawn(system, &puppet);
	box_close(&box);
	puppet_send(&puppet, do_burst, &burst);
	puppet_send(&puppet, do_nothing, NULL);
	box_await_held(system, 1);
	cr_expect_eq(box_load(&box), 13);
	cr_expect_eq(puppet.calls, 1);
	cr_expect_eq(state_of(system, puppet.id), TROUPE_ACTOR_HELD);
	cr_expect_eq(burst.result, 0);
	box_open(&box);
	unit_await(&puppet.calls, 2);
	box_await(&box, 14);
	cr_expect_eq(box_load(&box), 0);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 13);
}

Test(hold, the_message_that_reaches_the_limit_holds_nobody)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 10};

	box_spawn(&box, system, box_ten());
	puppet_spawn(system, &puppet);
	box_close(&box);
	puppet_call(&puppet, do_burst, &burst);
	puppet_settle(&puppet);
	cr_expect_eq(held_count(system), 0);
	box_open(&box);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 10);
}

/* A callback for each message: held after each that is too many. */
Test(hold, loses_nothing_and_keeps_the_order)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct burst bursts[100];
	struct box box;

	box_spawn(&box, system, box_one());
	puppet_spawn(system, &puppet);
	box_close(&box);
	for (uint64_t i = 0; i < 100; i++) {
		bursts[i] = (struct burst){.box = &box, .first = i, .count = 1};
		puppet_send(&puppet, do_burst, &bursts[i]);
	}
	box_await_held(system, 1);
	cr_expect_eq(box_load(&box), 2);
	cr_expect_eq(puppet.calls, 2);
	box_open(&box);
	box_await(&box, 101);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 100);
}

Test(hold, many_senders_wait_and_all_go_on)
{
	enum {
		COUNT = 40
	};
	static struct puppet puppets[COUNT];
	static struct burst bursts[COUNT];
	struct troupe_system *system = unit_start(NULL, 2);
	bool came[COUNT * 3] = {0};
	struct box box;

	box_spawn(&box, system, box_ten());
	box_close(&box);
	for (uint64_t i = 0; i < COUNT; i++) {
		bursts[i] =
			(struct burst){.box = &box, .first = i * 3, .count = 3};
		puppet_spawn(system, &puppets[i]);
		puppet_send(&puppets[i], do_burst, &bursts[i]);
		puppet_send(&puppets[i], do_nothing, NULL);
	}
	/* The first three fit, the fourth is one too many. */
	box_await_held(system, COUNT - 3);
	cr_expect_eq(box_load(&box), COUNT * 3);
	box_open(&box);
	for (int i = 0; i < COUNT; i++)
		unit_await(&puppets[i].calls, 2);
	box_await(&box, COUNT * 3 + 1);
	troupe_strong_release(&box.actor);
	puppet_stop(system, puppets, COUNT);
	cr_assert_eq(box.record.noted, COUNT * 3);
	for (uint64_t i = 0; i < COUNT * 3; i++) {
		uint64_t note = box.record.notes[i];

		cr_expect_not(came[note]);
		came[note] = true;
		/* Three of one sender, in order. */
		if (note % 3 != 0)
			cr_expect(came[note - 1]);
	}
}

Test(hold, by_bytes)
{
	const struct troupe_limits bytes = {.bytes = 100,
					    .overflow = TROUPE_OVERFLOW_HOLD};
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;
	struct burst burst = {.box = &box, .count = 20};

	box_spawn(&box, system, &bytes);
	box_hold(system, &puppet, &burst);
	cr_expect_eq(box_bytes(&box), 160);
	box_let_go(system, &puppet, &burst);
}

static void do_burst_urgent(struct troupe_actor *self, struct puppet *puppet,
			    void *argument)
{
	struct box *box = argument;

	(void)self;
	(void)puppet;
	for (uint64_t i = 0; i < 50; i++)
		cr_assert_eq(troupe_send_urgent(box->actor, UNIT_NOTE, &i,
						sizeof(i)),
			     0);
}

Test(hold, urgent_messages_hold_nobody)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct box box;

	box_spawn(&box, system, box_one());
	puppet_spawn(system, &puppet);
	box_close(&box);
	cr_expect_eq(box_note(&box, 50), 0);
	puppet_call(&puppet, do_burst_urgent, &box);
	puppet_settle(&puppet);
	cr_expect_eq(held_count(system), 0);
	box_open(&box);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	box_expect_notes(&box, 0, 51);
}

/* ---- several receivers ------------------------------------------------- */

struct two_bursts {
	struct burst bursts[2];
};

static void do_two_bursts(struct troupe_actor *self, struct puppet *puppet,
			  void *argument)
{
	struct two_bursts *two = argument;

	do_burst(self, puppet, &two->bursts[0]);
	do_burst(self, puppet, &two->bursts[1]);
}

Test(hold, who_filled_several_waits_for_the_fullest)
{
	for (int fullest = 0; fullest < 2; fullest++) {
		struct troupe_system *system = unit_start(NULL, 3);
		struct puppet puppet = {0};
		struct box boxes[2];
		struct two_bursts two = {0};

		for (int i = 0; i < 2; i++) {
			box_spawn(&boxes[i], system, box_ten());
			box_close(&boxes[i]);
			two.bursts[i] =
				(struct burst){.box = &boxes[i],
					       .count = i == fullest ? 40 : 11};
		}
		puppet_spawn(system, &puppet);
		puppet_send(&puppet, do_two_bursts, &two);
		puppet_send(&puppet, do_nothing, NULL);
		box_await_held(system, 1);
		box_open(&boxes[1 - fullest]);
		box_await(&boxes[1 - fullest], 12);
		cr_expect_eq(state_of(system, puppet.id), TROUPE_ACTOR_HELD);
		cr_expect_eq(puppet.calls, 1);
		box_open(&boxes[fullest]);
		unit_await(&puppet.calls, 2);
		for (int i = 0; i < 2; i++)
			troupe_strong_release(&boxes[i].actor);
		puppet_stop(system, &puppet, 1);
		box_expect_notes(&boxes[fullest], 0, 40);
		box_expect_notes(&boxes[1 - fullest], 0, 11);
	}
}

/* ---- circles ----------------------------------------------------------- */

/* Each of a circle sends so much to the next in each turn, itself a turn. */
enum {
	CIRCLE_TURN = 1,
	CIRCLE_FILL
};
#define CIRCLE_MAX   8
#define CIRCLE_TURNS 50
#define CIRCLE_BURST 7

static struct circle {
	struct troupe_strong members[CIRCLE_MAX];
	int count;
	_Atomic uint64_t filled;
} circle;

struct circle_member {
	int number;
	int turns;
};

static int circle_init(struct troupe_actor *self, void *state,
		       const void *argument)
{
	(void)self;
	((struct circle_member *)state)->number = *(const int *)argument;
	return 0;
}

static int circle_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct circle_member *member = state;
	struct troupe_strong next =
		circle.members[(member->number + 1) % circle.count];
	struct troupe_strong me;

	if (message->tag == CIRCLE_FILL) {
		atomic_fetch_add(&circle.filled, 1);
		return 0;
	}
	for (int i = 0; i < CIRCLE_BURST; i++)
		cr_assert_eq(troupe_send(next, CIRCLE_FILL, NULL, 0), 0);
	if (++member->turns == CIRCLE_TURNS)
		return 0;
	me = troupe_self(self);
	cr_assert_eq(troupe_send(me, CIRCLE_TURN, NULL, 0), 0);
	troupe_strong_release(&me);
	return 0;
}

static const struct troupe_actor_class circle_class = {
	.name = "circle",
	.state_size = sizeof(struct circle_member),
	.init = circle_init,
	.receive = circle_receive,
};

static void circle_of(int count, uint32_t workers, uint64_t limit)
{
	const struct troupe_limits limits = {.messages = limit,
					     .overflow = TROUPE_OVERFLOW_HOLD};
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_system *system = unit_start(NULL, workers);

	circle.count = count;
	circle.filled = 0;
	options.limits = &limits;
	for (int i = 0; i < count; i++)
		cr_assert_eq(troupe_spawn_with(system, &circle_class, &i,
					       &options, &circle.members[i]),
			     0);
	for (int i = 0; i < count; i++)
		cr_assert_eq(troupe_send_urgent(circle.members[i], CIRCLE_TURN,
						NULL, 0),
			     0);
	unit_await(&circle.filled,
		   (uint64_t)count * CIRCLE_TURNS * CIRCLE_BURST);
	for (int i = 0; i < count; i++)
		troupe_strong_release(&circle.members[i]);
	unit_stop(system);
	cr_expect_eq(circle.filled,
		     (uint64_t)count * CIRCLE_TURNS * CIRCLE_BURST);
}

Test(hold, circles_do_not_wait_for_themselves)
{
	for (int count = 1; count <= CIRCLE_MAX; count++)
		for (uint32_t workers = 1; workers <= 2; workers++) {
			circle_of(count, workers, 1);
			circle_of(count, workers, 5);
			circle_of(count, workers, 20);
		}
}
