/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What passes a limited mailbox, what becomes of requests that do not, and of
 * messages that wait twice because they were skipped.
 */
#include "boxes.h"

TestSuite(limits_pass, .timeout = 100);

static const enum troupe_overflow overflows[] = {
	TROUPE_OVERFLOW_FAIL,
	TROUPE_OVERFLOW_DROP_NEWEST,
	TROUPE_OVERFLOW_DROP_OLDEST,
	TROUPE_OVERFLOW_HOLD,
};

/* ---- what always passes ------------------------------------------------ */

static _Atomic uint64_t answers;
static int answer_error;

static int note_answer(struct troupe_actor *self, void *state,
		       const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)context;
	if (message->tag == TROUPE_TAG_ERROR)
		answer_error = *(const int *)troupe_payload(message);
	atomic_fetch_add(&answers, 1);
	return 0;
}

static void do_request(struct troupe_actor *self, struct puppet *puppet,
		       void *argument)
{
	uint64_t value = 5;

	(void)puppet;
	cr_assert_eq(troupe_request(self, *(struct troupe_strong *)argument,
				    UNIT_NOTE, &value, sizeof(value),
				    note_answer, NULL),
		     0);
}

Test(limits_pass, urgent_messages_and_signals_pass_and_do_not_count)
{
	for (int i = 0; i < 4; i++) {
		const struct troupe_limits limits = {.messages = 2,
						     .overflow = overflows[i]};
		struct troupe_system *system = unit_start(NULL, 2);
		struct box box;
		uint64_t value;

		box_spawn(&box, system, &limits);
		box_close(&box);
		cr_expect_eq(box_note(&box, 20), 0);
		cr_expect_eq(box_note(&box, 21), 0);
		for (value = 0; value < 20; value++)
			cr_expect_eq(troupe_send_urgent(box.actor, UNIT_NOTE,
							&value, sizeof(value)),
				     0);
		cr_expect_eq(box_load(&box), 2);
		box_open(&box);
		box_await(&box, 23);
		/* A killing signal, through a full mailbox. */
		box_close(&box);
		cr_expect_eq(box_note(&box, 22), 0);
		cr_expect_eq(box_note(&box, 23), 0);
		cr_expect_eq(troupe_send_exit(box.actor, TROUPE_EXIT_KILL), 0);
		box_open(&box);
		unit_await(&box.record.destroys, 1);
		cr_expect_eq(box.record.reason, TROUPE_EXIT_KILL);
		box_expect_notes(&box, 0, 22);
		troupe_strong_release(&box.actor);
		unit_stop(system);
	}
}

/* A puppet with a limit, which fills itself in the callback that asks. */
static void do_fill_and_request(struct troupe_actor *self,
				struct puppet *puppet, void *argument)
{
	struct troupe_strong me = troupe_self(self);

	for (int i = 0; i < 3; i++)
		puppet->result = troupe_send(me, 1, NULL, 0);
	do_request(self, puppet, argument);
	troupe_strong_release(&me);
}

Test(limits_pass, responses_pass)
{
	for (int i = 0; i < 4; i++) {
		const struct troupe_limits limits = {.messages = 3,
						     .overflow = overflows[i]};
		struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
		struct troupe_system *system = unit_start(NULL, 2);
		struct puppet puppet = {0};
		struct box box;

		answers = 0;
		box_spawn(&box, system, NULL);
		options.limits = &limits;
		cr_assert_eq(troupe_spawn_with(system, &puppet_class, &puppet,
					       &options, &puppet.actor),
			     0);
		puppet_call(&puppet, do_fill_and_request, &box.actor);
		cr_expect_eq(puppet.result, 0);
		unit_await(&answers, 1);
		cr_expect_eq(answer_error, -ENODATA);
		troupe_strong_release(&box.actor);
		puppet_stop(system, &puppet, 1);
	}
}

Test(limits_pass, requests_that_find_no_room_are_answered)
{
	for (int i = 0; i < 3; i++) {
		const struct troupe_limits limits = {.messages = 1,
						     .overflow = overflows[i]};
		struct troupe_system *system = unit_start(NULL, 2);
		struct puppet puppet = {0};
		struct box box;

		answers = 0;
		answer_error = 0;
		box_spawn(&box, system, &limits);
		puppet_spawn(system, &puppet);
		box_close(&box);
		for (int j = 0; j < 10; j++)
			puppet_call(&puppet, do_request, &box.actor);
		unit_await(&answers, 9);
		cr_expect_eq(answer_error, -EAGAIN);
		box_open(&box);
		unit_await(&answers, 10);
		cr_expect_eq(answer_error, -ENODATA);
		troupe_strong_release(&box.actor);
		puppet_stop(system, &puppet, 1);
		cr_expect_eq(answers, 10);
	}
}

/* ---- skipped messages -------------------------------------------------- */

enum {
	SKIPPER_SKIP = 10,
	SKIPPER_BECOME,
	SKIPPER_NOTE
};

static _Atomic uint64_t skipper_calls, skipper_handled;

static int skipper_second(struct troupe_actor *self, void *state,
			  const struct troupe_message *message);

static int skipper_first(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)state;
	atomic_fetch_add(&skipper_calls, 1);
	if (message->tag == SKIPPER_BECOME)
		troupe_become(self, skipper_second);
	return message->tag == SKIPPER_SKIP ? TROUPE_SKIP : 0;
}

static int skipper_second(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	(void)state;
	if (message->tag == SKIPPER_BECOME)
		troupe_become(self, skipper_first);
	atomic_fetch_add(&skipper_handled, 1);
	return 0;
}

static const struct troupe_actor_class skipper_class = {
	.name = "skipper",
	.receive = skipper_first,
};

Test(limits_pass, skipped_messages_wait_and_count)
{
	for (int i = 0; i < 4; i++) {
		const bool hold = overflows[i] == TROUPE_OVERFLOW_HOLD;
		const struct troupe_limits limits = {.messages = 3,
						     .overflow = overflows[i]};
		struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
		struct troupe_system *system = unit_start(NULL, 1);
		struct box box = {0};

		options.limits = &limits;
		skipper_calls = 0;
		cr_assert_eq(troupe_spawn_with(system, &skipper_class, NULL,
					       &options, &box.actor),
			     0);
		for (uint64_t turn = 1; turn < 20; turn++) {
			skipper_handled = 0;
			skipper_calls = 0;
			for (uint64_t j = 1; j <= 3; j++) {
				cr_expect_eq(troupe_send(box.actor,
							 SKIPPER_SKIP, NULL, 0),
					     0);
				unit_await(&skipper_calls, j);
			}
			/* It counts right after the callback. */
			while (box_load(&box) != (hold ? 0 : 3))
				troupe_sleep(10000);
			if (i == 0)
				cr_expect_eq(troupe_send(box.actor,
							 SKIPPER_NOTE, NULL, 0),
					     -EAGAIN);
			cr_expect_eq(troupe_send_urgent(box.actor,
							SKIPPER_BECOME, NULL,
							0),
				     0);
			unit_await(&skipper_handled, 3);
			while (box_load(&box) != 0)
				troupe_sleep(10000);
			cr_expect_eq(box_bytes(&box), 0);
			cr_expect_eq(
				troupe_send(box.actor, SKIPPER_BECOME, NULL, 0),
				0);
			unit_await(&skipper_handled, 4);
		}
		troupe_strong_release(&box.actor);
		unit_stop(system);
	}
}
