/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limited mailboxes: what waits is counted, and a message too many is refused,
 * dropped, or makes room, as the receiver chose. Holding back: test_hold.c.
 */
#include "boxes.h"

TestSuite(limits, .timeout = 100);

static const enum troupe_overflow overflows[] = {
	TROUPE_OVERFLOW_FAIL,
	TROUPE_OVERFLOW_DROP_NEWEST,
	TROUPE_OVERFLOW_DROP_OLDEST,
	TROUPE_OVERFLOW_HOLD,
};

static uint64_t counter_of(_Atomic uint64_t *counter)
{
	return atomic_load(counter);
}

/* ---- by number --------------------------------------------------------- */

Test(limits, fail_refuses_one_too_many)
{
	const struct troupe_limits limits = {.messages = 3};
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box;

	box_spawn(&box, system, &limits);
	box_close(&box);
	for (uint64_t i = 0; i < 3; i++)
		cr_expect_eq(box_note(&box, i), 0);
	for (int i = 0; i < 5; i++)
		cr_expect_eq(box_note(&box, 77), -EAGAIN);
	cr_expect_eq(box_load(&box), 3);
	cr_expect_eq(counter_of(&box_limits(&box)->refused), 5);
	cr_expect_eq(counter_of(&box_limits(&box)->dropped), 0);
	box_open(&box);
	box_await(&box, 4);
	cr_expect_eq(box_load(&box), 0);
	cr_expect_eq(box_note(&box, 3), 0);
	box_await(&box, 5);
	troupe_strong_release(&box.actor);
	unit_stop(system);
	box_expect_notes(&box, 0, 4);
}

Test(limits, drop_newest_keeps_the_first)
{
	const struct troupe_limits limits = {
		.messages = 3, .overflow = TROUPE_OVERFLOW_DROP_NEWEST};
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box;

	box_spawn(&box, system, &limits);
	box_close(&box);
	for (uint64_t i = 0; i < 10; i++)
		cr_expect_eq(box_note(&box, i), 0);
	cr_expect_eq(box_load(&box), 3);
	cr_expect_eq(counter_of(&box_limits(&box)->dropped), 7);
	cr_expect_eq(counter_of(&box_limits(&box)->refused), 0);
	box_open(&box);
	box_await(&box, 4);
	cr_expect_eq(box_note(&box, 3), 0);
	troupe_strong_release(&box.actor);
	unit_stop(system);
	box_expect_notes(&box, 0, 4);
}

Test(limits, drop_oldest_keeps_the_last)
{
	const struct troupe_limits limits = {
		.messages = 3, .overflow = TROUPE_OVERFLOW_DROP_OLDEST};
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box;

	box_spawn(&box, system, &limits);
	box_close(&box);
	for (uint64_t i = 0; i < 10; i++)
		cr_expect_eq(box_note(&box, i), 0);
	cr_expect_eq(box_load(&box), 3);
	cr_expect_eq(counter_of(&box_limits(&box)->dropped), 7);
	box_open(&box);
	box_await(&box, 4);
	cr_expect_eq(box_load(&box), 0);
	cr_expect_eq(box_note(&box, 10), 0);
	troupe_strong_release(&box.actor);
	unit_stop(system);
	box_expect_notes(&box, 7, 4);
}

/* ---- by bytes ---------------------------------------------------------- */

static int box_bytes_of(struct box *box, size_t size)
{
	static const char zeros[1000];

	return troupe_send(box->actor, 1000, zeros, size);
}

Test(limits, fail_and_drop_newest_count_bytes)
{
	for (int drop = 0; drop < 2; drop++) {
		const struct troupe_limits limits = {
			.bytes = 100, .overflow = overflows[drop]};
		const int full = drop != 0 ? 0 : -EAGAIN;
		struct troupe_system *system = unit_start(NULL, 1);
		struct box box;

		box_spawn(&box, system, &limits);
		box_close(&box);
		cr_expect_eq(box_bytes_of(&box, 60), 0);
		cr_expect_eq(box_bytes_of(&box, 41), full);
		cr_expect_eq(box_bytes(&box), 60);
		cr_expect_eq(box_bytes_of(&box, 40), 0);
		cr_expect_eq(box_bytes_of(&box, 1), full);
		cr_expect_eq(box_bytes_of(&box, 0), 0);
		cr_expect_eq(box_load(&box), 3);
		cr_expect_eq(box_bytes(&box), 100);
		box_open(&box);
		box_await(&box, 4);
		/* One that never fits. */
		cr_expect_eq(box_bytes_of(&box, 101), full);
		cr_expect_eq(box_bytes_of(&box, 100), 0);
		troupe_strong_release(&box.actor);
		unit_stop(system);
		cr_expect_eq(box.record.handled, 5);
	}
}

Test(limits, drop_oldest_makes_room_by_bytes)
{
	const struct troupe_limits limits = {
		.bytes = 100, .overflow = TROUPE_OVERFLOW_DROP_OLDEST};
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box;

	box_spawn(&box, system, &limits);
	box_close(&box);
	for (int i = 0; i < 10; i++)
		cr_expect_eq(box_bytes_of(&box, 10), 0);
	cr_expect_eq(box_bytes_of(&box, 25), 0);
	cr_expect_eq(box_load(&box), 8);
	cr_expect_eq(box_bytes(&box), 95);
	cr_expect_eq(counter_of(&box_limits(&box)->dropped), 3);
	/* One that never fits goes itself. */
	cr_expect_eq(box_bytes_of(&box, 101), 0);
	cr_expect_eq(box_load(&box), 8);
	cr_expect_eq(box_bytes_of(&box, 100), 0);
	cr_expect_eq(box_load(&box), 1);
	cr_expect_eq(counter_of(&box_limits(&box)->dropped), 12);
	box_open(&box);
	box_await(&box, 2);
	troupe_strong_release(&box.actor);
	unit_stop(system);
}

/* ---- moved payloads ---------------------------------------------------- */

static _Atomic uint64_t releases;

static void release_moved(void *data, size_t size)
{
	cr_expect_eq(size, 5);
	troupe__free(data);
	atomic_fetch_add(&releases, 1);
}

Test(limits, moved_payloads_are_released_once_or_stay)
{
	for (int i = 0; i < 3; i++) {
		const struct troupe_limits limits = {.messages = 2,
						     .overflow = overflows[i]};
		struct troupe_system *system = unit_start(NULL, 1);
		struct box box;

		releases = 0;
		box_spawn(&box, system, &limits);
		box_close(&box);
		for (int j = 0; j < 5; j++) {
			void *data = troupe__alloc(5);
			int result = troupe_send_moved(box.actor, 9, data, 5,
						       release_moved);

			if (i == 0 && j >= 2) {
				cr_expect_eq(result, -EAGAIN);
				troupe__free(data);
			} else {
				cr_expect_eq(result, 0);
			}
		}
		cr_expect_eq(releases, i == 0 ? 0 : 3);
		box_open(&box);
		box_await(&box, 3);
		troupe_strong_release(&box.actor);
		unit_stop(system);
		cr_expect_eq(releases, i == 0 ? 2 : 5);
	}
}

/* ---- being told -------------------------------------------------------- */

struct alerts {
	_Atomic uint64_t count;
	uint64_t actor;
	uint64_t messages[32];
};

static void note_alert(uint64_t actor, uint64_t messages, void *context)
{
	struct alerts *alerts = context;
	uint64_t at = atomic_load(&alerts->count);

	cr_assert_lt(at, 32);
	alerts->actor = actor;
	alerts->messages[at] = messages;
	atomic_store(&alerts->count, at + 1);
}

Test(limits, overload_is_told_once_and_anew_below_the_low_mark)
{
	for (int i = 0; i < 3; i++) {
		struct alerts alerts = {0};
		const struct troupe_limits limits = {
			.messages = 4,
			.overflow = overflows[i],
			.overloaded = note_alert,
			.context = &alerts,
		};
		struct troupe_system *system = unit_start(NULL, 1);
		struct box box;

		box_spawn(&box, system, &limits);
		for (uint64_t turn = 1; turn <= 3; turn++) {
			box_close(&box);
			for (int j = 0; j < 3; j++)
				(void)box_note(&box, 1);
			cr_expect_eq(alerts.count, turn - 1);
			for (int j = 0; j < 20; j++)
				(void)box_note(&box, 1);
			cr_expect_eq(alerts.count, turn);
			cr_expect_eq(alerts.messages[turn - 1], 4);
			cr_expect_eq(alerts.actor, troupe_strong_id(box.actor));
			box_open(&box);
			box_await(&box, turn * 5);
		}
		troupe_strong_release(&box.actor);
		unit_stop(system);
		cr_expect_eq(alerts.count, 3);
	}
}

Test(limits, overload_by_bytes_is_told_too)
{
	for (int i = 0; i < 3; i++) {
		struct alerts alerts = {0};
		const struct troupe_limits limits = {
			.bytes = 100,
			.overflow = overflows[i],
			.overloaded = note_alert,
			.context = &alerts,
		};
		struct troupe_system *system = unit_start(NULL, 1);
		struct box box;

		box_spawn(&box, system, &limits);
		box_close(&box);
		for (int j = 0; j < 3; j++)
			(void)box_bytes_of(&box, 30);
		cr_expect_eq(alerts.count, 0);
		for (int j = 0; j < 3; j++)
			(void)box_bytes_of(&box, 30);
		cr_expect_eq(alerts.count, 1);
		cr_expect_eq(alerts.messages[0], 3);
		box_open(&box);
		troupe_strong_release(&box.actor);
		unit_stop(system);
		cr_expect_eq(alerts.count, 1);
	}
}

static void do_fill_itself(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	struct troupe_strong me = troupe_self(self);

	puppet->result = 0;
	for (int i = 0; puppet->result == 0 && i < *(int *)argument; i++)
		puppet->result = troupe_send(me, 1, NULL, 0);
	troupe_strong_release(&me);
}

Test(limits, overload_is_told_at_each_doubling)
{
	struct alerts alerts = {0};
	const struct troupe_limits limits = {
		.messages = 10,
		.overflow = TROUPE_OVERFLOW_HOLD,
		.overloaded = note_alert,
		.context = &alerts,
	};
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppet = {0};

	options.limits = &limits;
	cr_assert_eq(troupe_spawn_with(system, &puppet_class, &puppet, &options,
				       &puppet.actor),
		     0);
	puppet_call(&puppet, do_fill_itself, &(int){1000});
	cr_expect_eq(puppet.result, 0);
	cr_expect_eq(alerts.count, 7);
	for (uint64_t i = 0; i < 7; i++)
		cr_expect_eq(alerts.messages[i], UINT64_C(10) << i);
	puppet_stop(system, &puppet, 1);
}

/* ---- by itself --------------------------------------------------------- */

Test(limits, an_actor_that_sends_to_itself_is_refused_or_passes)
{
	for (int i = 0; i < 4; i++) {
		const struct troupe_limits limits = {.messages = 5,
						     .overflow = overflows[i]};
		struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
		struct troupe_system *system = unit_start(NULL, 1);
		struct puppet puppet = {0};

		options.limits = &limits;
		/* In init, and in a callback. */
		puppet.on_init = do_fill_itself;
		puppet.argument = &(int){100};
		cr_assert_eq(troupe_spawn_with(system, &puppet_class, &puppet,
					       &options, &puppet.actor),
			     0);
		cr_expect_eq(puppet.result, i == 0 ? -EAGAIN : 0);
		while (limits_messages(atomic_load(
			       &actor_limits(block_actor(puppet.actor.block))
					->load)) > 0)
			troupe_sleep(10000);
		puppet_call(&puppet, do_fill_itself, &(int){100});
		cr_expect_eq(puppet.result, i == 0 ? -EAGAIN : 0);
		puppet_stop(system, &puppet, 1);
	}
}

/* ---- the edges --------------------------------------------------------- */

Test(limits, to_an_ended_actor_is_refused)
{
	for (int i = 0; i < 4; i++) {
		const struct troupe_limits limits = {.messages = 1,
						     .overflow = overflows[i]};
		struct troupe_system *system = unit_start(NULL, 2);
		struct box box;

		box_spawn(&box, system, &limits);
		box_close(&box);
		cr_expect_eq(box_note(&box, 1), 0);
		cr_expect_eq(troupe_send_exit(box.actor, TROUPE_EXIT_KILL), 0);
		box_open(&box);
		puppet_await_running(system, 0);
		cr_expect_eq(box_note(&box, 1), -ESRCH);
		cr_expect_eq(box_note(&box, 1), -ESRCH);
		cr_assert_eq(troupe_system_destroy(system), 0);
		cr_expect_eq(box_note(&box, 1), -ESRCH);
		troupe_strong_release(&box.actor);
		cr_expect_eq(troupe__live_allocations(), 0);
	}
}

static const struct troupe_limits two = {.messages = 2};
static const struct troupe_limits four = {.messages = 4};

static const struct troupe_actor_class limited_class = {
	.name = "limited",
	.state_size = sizeof(struct unit_recorder),
	.init = unit_recorder_init,
	.receive = unit_recorder_receive,
	.limits = &two,
};

Test(limits, are_the_classs_or_of_the_spawn)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box = {0};

	for (int i = 0; i < 2; i++) {
		box = (struct box){0};
		cr_assert_eq(troupe_spawn_with(system, &limited_class,
					       &box.record, &options,
					       &box.actor),
			     0);
		box_close(&box);
		for (int j = 0; j < (i == 0 ? 2 : 4); j++)
			cr_expect_eq(box_note(&box, 1), 0);
		cr_expect_eq(box_note(&box, 1), -EAGAIN);
		box_open(&box);
		box_await(&box, i == 0 ? 3 : 5);
		troupe_strong_release(&box.actor);
		options.limits = &four;
	}
	unit_stop(system);
}

Test(limits, without_a_number_has_room_for_millions)
{
	for (int i = 0; i < 4; i++) {
		const struct troupe_limits limits = {.overflow = overflows[i]};
		struct troupe_system *system = unit_start(NULL, 1);
		struct box box;

		box_spawn(&box, system, &limits);
		cr_expect_eq(box_limits(&box)->set.messages, 8388607);
		cr_expect_eq(box_limits(&box)->set.bytes,
			     (UINT64_C(1) << 39) - 1);
		cr_expect_eq(box_limits(&box)->set.low, 8388607 / 2);
		troupe_strong_release(&box.actor);
		unit_stop(system);
	}
}

Test(limits, that_make_no_sense_are_refused)
{
	const struct troupe_limits wrong[] = {
		{.messages = 8388608},
		{.bytes = UINT64_C(1) << 39},
		{.messages = UINT64_MAX},
		{.bytes = UINT64_MAX},
		{.messages = 10, .low = 11},
		{.overflow = (enum troupe_overflow)4},
		{.overflow = (enum troupe_overflow) - 1},
	};
	struct troupe_system *system = unit_start(NULL, 1);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
		struct unit_record record = {0};
		struct troupe_strong actor = {NULL};

		options.limits = &wrong[i];
		cr_expect_eq(troupe_spawn_with(system, &unit_recorder_class,
					       &record, &options, &actor),
			     -EINVAL);
		cr_expect(troupe_strong_is_null(actor));
	}
	unit_stop(system);
}
