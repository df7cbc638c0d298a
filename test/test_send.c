/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is sent arrives, in order, once; payloads are copied or moved; urgent
 * ones go first; behaviours are replaced and messages skipped for them.
 */
#include "unit.h"

#include <errno.h>

TestSuite(send, .timeout = 60);

Test(send, keeps_the_order_of_one_sender)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	for (uint64_t i = 0; i < UNIT_NOTES; i++)
		unit_send_note(actor, i);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_assert_eq(record.noted, UNIT_NOTES);
	for (uint64_t i = 0; i < UNIT_NOTES; i++)
		cr_expect_eq(record.notes[i], i);
}

Test(send, copies_the_payload)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct unit_gate gate = {0};
	uint64_t value = 41;

	unit_hold(actor, &gate);
	cr_assert_eq(troupe_send(actor, UNIT_NOTE, &value, sizeof(value)), 0);
	value = 0;
	unit_gate_open(&gate);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.notes[0], 41);
}

/* ---- payloads of all sizes --------------------------------------------- */

static int size_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	const unsigned char *bytes = troupe_payload(message);
	_Atomic uint64_t **sum = state;

	(void)self;
	if (message->tag == UNIT_NOTE) {
		*sum = *(_Atomic uint64_t *const *)troupe_payload(message);
		return 0;
	}
	cr_expect_eq((uintptr_t)bytes % 16, 0);
	for (uint32_t i = 0; i < message->size; i++)
		cr_assert_eq(bytes[i], (unsigned char)(i + message->size));
	atomic_fetch_add(*sum, message->size);
	return 0;
}

Test(send, carries_payloads_of_any_size_aligned)
{
	static const struct troupe_actor_class size_class = {
		.name = "size",
		.state_size = sizeof(void *),
		.receive = size_receive,
	};
	static unsigned char bytes[1 << 20];
	struct troupe_system *system = unit_start(NULL, 2);
	_Atomic uint64_t sum = 0, *at = &sum;
	struct troupe_strong actor;
	uint64_t expected = 0;

	cr_assert_eq(troupe_spawn(system, &size_class, NULL, &actor), 0);
	cr_assert_eq(troupe_send(actor, 1, &at, sizeof(at)), 0);
	for (size_t size = 0; size <= sizeof(bytes);
	     size = size < 40 ? size + 1 : size * 2 + 1) {
		for (size_t i = 0; i < size; i++)
			bytes[i] = (unsigned char)(i + size);
		cr_assert_eq(troupe_send(actor, 2, bytes, size), 0);
		expected += size;
	}
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(sum, expected);
}

Test(send, invalid_arguments_are_refused)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct troupe_strong null = {NULL};

	cr_expect_eq(troupe_send(null, 1, NULL, 0), -EINVAL);
	cr_expect_eq(troupe_send_urgent(null, 1, NULL, 0), -EINVAL);
	cr_expect_eq(troupe_send(actor, TROUPE_TAG_RESERVED, NULL, 0), -EINVAL);
	cr_expect_eq(troupe_send(actor, TROUPE_TAG_ERROR, NULL, 0), -EINVAL);
	cr_expect_eq(troupe_send(actor, UINT32_MAX, NULL, 0), -EINVAL);
	cr_expect_eq(troupe_send(actor, 1, NULL, 1), -EINVAL);
	cr_expect_eq(troupe_send(actor, 1, &record, UINT64_C(1) << 32),
		     -EINVAL);
	cr_expect_eq(troupe_send_moved(actor, 1, &record, 1, NULL), -EINVAL);
	cr_expect_eq(troupe_send(actor, TROUPE_TAG_RESERVED - 1, NULL, 0), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.handled, 1);
}

Test(send, to_an_ended_actor_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	uint64_t alive;

	unit_send_quit(actor, 0);
	cr_assert_eq(troupe_system_await(system), 0);
	alive = troupe__live_allocations();
	cr_expect_eq(troupe_send(actor, 1, "text", 5), -ESRCH);
	cr_expect_eq(troupe_send_urgent(actor, 1, NULL, 0), -ESRCH);
	cr_expect_eq(troupe__live_allocations(), alive);
	/* Also when its system has gone. */
	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_expect_eq(troupe_send(actor, 1, "text", 5), -ESRCH);
	cr_expect_neq(troupe_strong_id(actor), 0);
	troupe_strong_release(&actor);
	cr_expect_eq(troupe__live_allocations(), 0);
}

/* ---- moved payloads ---------------------------------------------------- */

static _Atomic uint64_t moved_released;
static uint64_t moved_data[4] = {17};

static void moved_release(void *data, size_t size)
{
	cr_assert_eq(data, moved_data);
	cr_assert_eq(size, sizeof(moved_data));
	atomic_fetch_add(&moved_released, 1);
}

static int moved_send(struct troupe_strong to)
{
	return troupe_send_moved(to, UNIT_NOTE, moved_data, sizeof(moved_data),
				 moved_release);
}

Test(send, a_moved_payload_is_released_once_when_handled)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	cr_assert_eq(moved_send(actor), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.notes[0], 17);
	cr_expect_eq(moved_released, 1);
}

Test(send, a_moved_payload_is_released_once_when_its_receiver_ends)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct unit_gate gate = {0};

	unit_hold(actor, &gate);
	unit_send_quit(actor, 0);
	cr_assert_eq(moved_send(actor), 0);
	cr_assert_eq(moved_send(actor), 0);
	unit_gate_open(&gate);
	unit_await(&moved_released, 2);
	/* Refused: it stays the sender's. */
	cr_expect_eq(moved_send(actor), -ESRCH);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(moved_released, 2);
	cr_expect_eq(record.noted, 0);
}

static void moved_release_nothing(void *data, size_t size)
{
	cr_assert_null(data);
	cr_assert_eq(size, 0);
	atomic_fetch_add(&moved_released, 1);
}

Test(send, no_data_can_be_moved_as_well)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	cr_assert_eq(
		troupe_send_moved(actor, 99, NULL, 0, moved_release_nothing),
		0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.handled, 1);
	cr_expect_eq(moved_released, 1);
}

/* ---- urgent ------------------------------------------------------------ */

Test(send, urgent_goes_before_normal_and_keeps_its_order)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct unit_gate gate = {0};

	unit_hold(actor, &gate);
	for (uint64_t i = 1; i <= 3; i++)
		unit_send_note(actor, i);
	for (uint64_t i = 101; i <= 103; i++)
		cr_assert_eq(
			troupe_send_urgent(actor, UNIT_NOTE, &i, sizeof(i)), 0);
	unit_send_note(actor, 4);
	unit_gate_open(&gate);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_assert_eq(record.noted, 7);
	for (uint64_t i = 0; i < 3; i++)
		cr_expect_eq(record.notes[i], 101 + i);
	for (uint64_t i = 0; i < 4; i++)
		cr_expect_eq(record.notes[3 + i], 1 + i);
}

/* ---- become and skip --------------------------------------------------- */

/* Door: closed, it takes only OPEN and skips notes; open, it notes. */
enum {
	DOOR_OPEN = 50,
	DOOR_CLOSE,
};

static int door_opened(struct troupe_actor *self, void *state,
		       const struct troupe_message *message);

static int door_closed(struct troupe_actor *self, void *state,
		       const struct troupe_message *message)
{
	if (message->tag != DOOR_OPEN)
		return TROUPE_SKIP;
	(void)state;
	troupe_become(self, door_opened);
	return 0;
}

static int door_opened(struct troupe_actor *self, void *state,
		       const struct troupe_message *message)
{
	if (message->tag == DOOR_CLOSE) {
		troupe_become(self, door_closed);
		return 0;
	}
	return unit_recorder_receive(self, state, message);
}

static const struct troupe_actor_class door_class = {
	.name = "door",
	.state_size = sizeof(struct unit_recorder),
	.init = unit_recorder_init,
	.receive = door_closed,
	.on_exit = unit_recorder_exit,
	.destroy = unit_recorder_destroy,
};

static struct troupe_strong door(struct troupe_system *system,
				 struct unit_record *record)
{
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, &door_class, record, &actor), 0);
	return actor;
}

Test(send, skipped_messages_come_first_after_become)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = door(system, &record);

	unit_send_note(actor, 1);
	unit_send_note(actor, 2);
	troupe_send(actor, DOOR_OPEN, NULL, 0);
	unit_send_note(actor, 3);
	troupe_send(actor, DOOR_CLOSE, NULL, 0);
	unit_send_note(actor, 4);
	unit_await(&record.handled, 3);
	troupe_send(actor, DOOR_OPEN, NULL, 0);
	unit_send_note(actor, 5);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_assert_eq(record.noted, 5);
	for (uint64_t i = 0; i < 5; i++)
		cr_expect_eq(record.notes[i], i + 1);
}

Test(send, skipped_messages_can_be_skipped_again)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = door(system, &record);

	/* CLOSE is skipped too, and closes the door as soon as it is open. */
	troupe_send(actor, DOOR_CLOSE, NULL, 0);
	unit_send_note(actor, 1);
	unit_send_note(actor, 2);
	troupe_send(actor, DOOR_OPEN, NULL, 0);
	unit_send_note(actor, 3);
	troupe_send(actor, DOOR_OPEN, NULL, 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_assert_eq(record.noted, 3);
	for (uint64_t i = 0; i < 3; i++)
		cr_expect_eq(record.notes[i], i + 1);
}

Test(send, skipped_messages_are_released_when_it_ends)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = door(system, &record);

	for (int i = 0; i < 5; i++)
		cr_assert_eq(moved_send(actor), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(moved_released, 5);
	cr_expect_eq(record.destroys, 1);
}

static int taker_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)state;
	if (message->tag == UNIT_NOTE) {
		cr_expect_eq(troupe_take(message), moved_data);
		cr_expect_eq(message->size, 0);
	}
	cr_expect_null(troupe_take(message));
	return 0;
}

Test(send, a_payload_that_was_taken_is_not_released)
{
	static const struct troupe_actor_class taker_class = {
		.name = "taker",
		.receive = taker_receive,
	};
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong taker;

	moved_released = 0;
	cr_assert_eq(troupe_spawn(system, &taker_class, NULL, &taker), 0);
	cr_assert_eq(moved_send(taker), 0);
	cr_assert_eq(troupe_send(taker, 2, moved_data, 8), 0);
	troupe_strong_release(&taker);
	unit_stop(system);
	cr_expect_eq(moved_released, 0);
}

/* ---- the sender -------------------------------------------------------- */

static int echo_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	if (message->sender.block == NULL) {
		cr_expect_eq(troupe_reply(self, message, 1, NULL, 0), -ENOENT);
		return 0;
	}
	return troupe_reply(self, message, UNIT_NOTE, troupe_payload(message),
			    message->size);
}

static int caller_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	if (message->sender.block == NULL) {
		const struct troupe_strong *echo = troupe_payload(message);
		uint64_t value = 9;

		return troupe_send(*echo, 1, &value, sizeof(value));
	}
	return unit_recorder_receive(self, state, message);
}

Test(send, carries_the_sending_actor_and_none_from_outside)
{
	static const struct troupe_actor_class echo_class = {
		.name = "echo",
		.receive = echo_receive,
	};
	struct troupe_actor_class caller_class = unit_recorder_class;
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong echo, caller;

	caller_class.receive = caller_receive;
	cr_assert_eq(troupe_spawn(system, &echo_class, NULL, &echo), 0);
	cr_assert_eq(troupe_spawn(system, &caller_class, &record, &caller), 0);
	cr_assert_eq(troupe_send(echo, 1, NULL, 0), 0);
	cr_assert_eq(troupe_send(caller, 1, &echo, sizeof(echo)), 0);
	/* The messages keep the caller until the answer is there. */
	troupe_strong_release(&caller);
	unit_await(&record.exits, 1);
	cr_expect_eq(record.noted, 1);
	cr_expect_eq(record.notes[0], 9);
	troupe_strong_release(&echo);
	unit_stop(system);
}

/* ---- become and skip in one callback ----------------------------------- */

static int turnstile(struct troupe_actor *self, void *state,
		     const struct troupe_message *message)
{
	(void)state;
	(void)message;
	troupe_become(self, unit_recorder_receive);
	return TROUPE_SKIP;
}

Test(send, a_message_can_be_left_to_the_behaviour_that_comes)
{
	struct troupe_actor_class turnstile_class = unit_recorder_class;
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor;

	turnstile_class.receive = turnstile;
	cr_assert_eq(troupe_spawn(system, &turnstile_class, &record, &actor),
		     0);
	for (uint64_t i = 1; i <= 3; i++)
		unit_send_note(actor, i);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_assert_eq(record.noted, 3);
	for (uint64_t i = 0; i < 3; i++)
		cr_expect_eq(record.notes[i], i + 1);
}
