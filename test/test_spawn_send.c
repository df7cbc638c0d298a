/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To spawn and send at once, and to keep a message's sender without a clone.
 */
#include "unit.h"

#include <errno.h>

TestSuite(spawn_send, .timeout = 60);

/* ---- spawn_send -------------------------------------------------------- */

static int send_note(struct troupe_system *system,
		     const struct troupe_actor_class *actor_class,
		     struct unit_record *record, uint64_t value)
{
	return troupe_spawn_send(system, actor_class, record, UNIT_NOTE, &value,
				 sizeof(value));
}

static void expect_one_note(const struct unit_record *record, uint64_t value)
{
	cr_expect_eq(record->noted, 1);
	cr_expect_eq(record->notes[0], value);
	cr_expect_eq(record->exits, 1);
	cr_expect_eq(record->destroys, 1);
}

Test(spawn_send, the_actor_handles_it_and_ends)
{
	static struct unit_record records[100];
	struct troupe_system *system = unit_start(NULL, 2);

	for (uint64_t i = 0; i < 100; i++)
		cr_assert_eq(
			send_note(system, &unit_recorder_class, &records[i], i),
			0);
	unit_stop(system);
	for (uint64_t i = 0; i < 100; i++)
		expect_one_note(&records[i], i);
}

/* Others than the plain ones take the longer way. */
Test(spawn_send, a_detached_and_a_limited_actor_get_it_too)
{
	static const struct troupe_limits limits = {.messages = 2};
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class detached = unit_recorder_class;
	struct troupe_actor_class limited = unit_recorder_class;
	struct unit_record records[2] = {0};

	detached.flags = TROUPE_CLASS_DETACHED;
	limited.limits = &limits;
	cr_assert_eq(send_note(system, &detached, &records[0], 1), 0);
	cr_assert_eq(send_note(system, &limited, &records[1], 2), 0);
	unit_stop(system);
	expect_one_note(&records[0], 1);
	expect_one_note(&records[1], 2);
}

Test(spawn_send, an_actor_that_cannot_hold_it_ends)
{
	static const struct troupe_limits limits = {.bytes = 4};
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class limited = unit_recorder_class;
	struct unit_record record = {0};

	limited.limits = &limits;
	cr_expect_eq(send_note(system, &limited, &record, 1), -EAGAIN);
	unit_stop(system);
	cr_expect_eq(record.noted, 0);
	cr_expect_eq(record.destroys, 1);
}

Test(spawn_send, nothing_is_made_of_what_is_invalid)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class nameless = unit_recorder_class;
	struct unit_record record = {0};

	nameless.name = NULL;
	cr_expect_eq(send_note(NULL, &unit_recorder_class, &record, 1),
		     -EINVAL);
	cr_expect_eq(send_note(system, NULL, &record, 1), -EINVAL);
	cr_expect_eq(send_note(system, &nameless, &record, 1), -EINVAL);
	cr_expect_eq(troupe_spawn_send(system, &unit_recorder_class, &record,
				       TROUPE_TAG_DOWN, NULL, 0),
		     -EINVAL);
	cr_expect_eq(troupe_spawn_send(system, &unit_recorder_class, &record,
				       UNIT_NOTE, NULL, 8),
		     -EINVAL);
	cr_expect_eq(unit_stats(system).spawned, 0);
	cr_assert_eq(troupe_system_stop(system, 0, 0, NULL, NULL), 0);
	cr_expect_eq(send_note(system, &unit_recorder_class, &record, 1),
		     -ESHUTDOWN);
	unit_stop(system);
	cr_expect_eq(record.exits, 0);
}

static int failing_init(struct troupe_actor *self, void *state,
			const void *argument)
{
	(void)self;
	(void)state;
	(void)argument;
	return -EPERM;
}

Test(spawn_send, the_error_of_init_is_handed_on)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class failing = unit_recorder_class;
	struct unit_record record = {0};

	failing.init = failing_init;
	cr_expect_eq(send_note(system, &failing, &record, 1), -EPERM);
	unit_stop(system);
	cr_expect_eq(record.handled, 0);
	cr_expect_eq(record.exits, 0);
}

/* What init sends to itself comes first; one that quits there handles nothing.
 */
static int eager_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	struct troupe_strong me = troupe_self(self);

	unit_recorder_init(self, state, argument);
	unit_send_note(me, 1);
	troupe_strong_release(&me);
	return 0;
}

static int quitting_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	unit_recorder_init(self, state, argument);
	troupe_quit(self, 7);
	return 0;
}

Test(spawn_send, comes_after_what_init_does)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class eager = unit_recorder_class;
	struct troupe_actor_class quitting = unit_recorder_class;
	struct unit_record records[2] = {0};

	eager.init = eager_init;
	quitting.init = quitting_init;
	cr_assert_eq(send_note(system, &eager, &records[0], 2), 0);
	cr_assert_eq(send_note(system, &quitting, &records[1], 2), 0);
	unit_stop(system);
	cr_expect_eq(records[0].noted, 2);
	cr_expect_eq(records[0].notes[0], 1);
	cr_expect_eq(records[0].notes[1], 2);
	cr_expect_eq(records[1].noted, 0);
	cr_expect_eq(records[1].reason, 7);
}

/* One that nobody can reach does not wait for what it has skipped itself. */
static int skipping_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return TROUPE_SKIP;
}

Test(spawn_send, an_actor_that_skips_it_ends)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class skipping = unit_recorder_class;
	struct unit_record record = {0};

	skipping.receive = skipping_receive;
	cr_assert_eq(send_note(system, &skipping, &record, 1), 0);
	unit_stop(system);
	cr_expect_eq(record.exits, 1);
}

/* ---- gone before it comes ---------------------------------------------- */

static struct unit_record gone;
static _Thread_local bool waits_for_gone;

/* Init has quit; the worker ends the actor before the message is made. */
static int gone_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	waits_for_gone = true;
	return quitting_init(self, state, argument);
}

static bool gone_hook(enum troupe__point point)
{
	if (point == TROUPE__POINT_ALLOC && waits_for_gone) {
		waits_for_gone = false;
		unit_await(&gone.exits, 1);
	}
	return true;
}

Test(spawn_send, is_no_error_if_the_actor_was_faster)
{
	static const struct troupe_limits limits = {.messages = 2};
	struct troupe_actor_class limited = unit_recorder_class;
	struct troupe_system *system;

	if (!TROUPE_HOOKS)
		cr_skip_test("this build has no hooks");
	limited.limits = &limits;
	limited.init = gone_init;
	troupe__set_hook(gone_hook);
	system = unit_start(NULL, 1);
	cr_expect_eq(send_note(system, &limited, &gone, 1), 0);
	cr_expect_not(waits_for_gone);
	unit_stop(system);
	troupe__set_hook(NULL);
	cr_expect_eq(gone.reason, 7);
}

/* ---- take_sender ------------------------------------------------------- */

enum {
	TAG_START = 1,
	TAG_HELLO,
	TAG_LATER,
	TAG_ANSWER,
};

static struct {
	_Atomic uint64_t answers;
	int reply;
	int request;
	bool had_sender;
} seen;

struct keeper {
	struct troupe_strong sender;
};

static int keeper_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct keeper *keeper = state;

	keeper->sender = troupe_take_sender(message);
	seen.had_sender = !troupe_strong_is_null(keeper->sender);
	seen.reply = troupe_reply(self, message, TAG_ANSWER, NULL, 0);
	if (!seen.had_sender)
		return 0;
	return troupe_send(keeper->sender, TAG_LATER, NULL, 0);
}

static void keeper_destroy(void *state)
{
	struct keeper *keeper = state;

	troupe_strong_release(&keeper->sender);
}

static const struct troupe_actor_class keeper_class = {
	.name = "keeper",
	.state_size = sizeof(struct keeper),
	.receive = keeper_receive,
	.destroy = keeper_destroy,
};

static int asker_answered(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)context;
	seen.request = message->tag == TAG_ANSWER ? 1 : -1;
	return 0;
}

static int asker_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	const bool *asks = troupe_payload(message);
	struct troupe_strong keeper;
	int result = 0;

	(void)state;
	if (message->tag != TAG_START) {
		cr_expect_eq(message->tag, TAG_LATER);
		atomic_fetch_add(&seen.answers, 1);
		return 0;
	}
	cr_assert_eq(troupe_spawn(troupe_self_system(self), &keeper_class, NULL,
				  &keeper),
		     0);
	if (*asks)
		result = troupe_request(self, keeper, TAG_HELLO, NULL, 0,
					asker_answered, NULL);
	else
		result = troupe_send(keeper, TAG_HELLO, NULL, 0);
	troupe_strong_release(&keeper);
	return result;
}

static const struct troupe_actor_class asker_class = {
	.name = "asker",
	.receive = asker_receive,
};

static void ask(bool asks)
{
	struct troupe_system *system = unit_start(NULL, 2);

	cr_assert_eq(troupe_spawn_send(system, &asker_class, NULL, TAG_START,
				       &asks, sizeof(asks)),
		     0);
	unit_stop(system);
	cr_expect(seen.had_sender);
	cr_expect_eq(seen.answers, 1);
}

Test(spawn_send, a_sender_that_was_taken_is_the_takers)
{
	ask(false);
	cr_expect_eq(seen.reply, -ENOENT);
}

Test(spawn_send, a_request_keeps_its_sender)
{
	ask(true);
	cr_expect_eq(seen.reply, 0);
	cr_expect_eq(seen.request, 1);
}

static int replier_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	(void)state;
	return troupe_reply(self, message, TAG_ANSWER, NULL, 0);
}

static const struct troupe_actor_class replier_class = {
	.name = "replier",
	.receive = replier_receive,
};

/* Nor for the answer to what it said, if it has skipped that. */
static struct unit_record skipper;

static int skipper_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	struct troupe_strong keeper;
	int result;

	(void)state;
	if (message->tag != TAG_START)
		return TROUPE_SKIP;
	cr_assert_eq(troupe_spawn(troupe_self_system(self), &replier_class,
				  NULL, &keeper),
		     0);
	result = troupe_send(keeper, TAG_HELLO, NULL, 0);
	troupe_strong_release(&keeper);
	return result;
}

Test(spawn_send, an_actor_that_skips_an_answer_ends)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class skipping = unit_recorder_class;

	skipping.receive = skipper_receive;
	cr_assert_eq(troupe_spawn_send(system, &skipping, &skipper, TAG_START,
				       NULL, 0),
		     0);
	unit_stop(system);
	cr_expect_eq(skipper.exits, 1);
}

Test(spawn_send, what_main_sends_has_no_sender_to_take)
{
	struct troupe_system *system = unit_start(NULL, 1);

	seen.had_sender = true;
	cr_assert_eq(troupe_spawn_send(system, &keeper_class, NULL, TAG_HELLO,
				       NULL, 0),
		     0);
	unit_stop(system);
	cr_expect_not(seen.had_sender);
	cr_expect_eq(seen.reply, -ENOENT);
}
