/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dead letters: config's hook sees each message that will not be handled, once
 * and whole, and no other.
 */
#include "boxes.h"

TestSuite(dead_letter, .timeout = 100);

#define LETTERS 256

static struct letters {
	_Atomic uint64_t count;
	struct {
		uint32_t tag;
		uint64_t receiver, sender, value;
		int reason;
	} letter[LETTERS];
	struct troupe_strong logger; /* to be told, if any */
	struct troupe_strong dead;   /* to be written to, if any */
	bool inside;		     /* in the hook */
} letters;

static void note_letter(const struct troupe_message *message, uint64_t receiver,
			int reason, void *context)
{
	struct letters *to = context;
	uint64_t at = atomic_load(&to->count);

	cr_assert_lt(at, LETTERS);
	to->letter[at].tag = message->tag;
	to->letter[at].receiver = receiver;
	to->letter[at].sender = troupe_strong_id(message->sender);
	to->letter[at].reason = reason;
	if (message->size == sizeof(uint64_t))
		to->letter[at].value =
			*(const uint64_t *)troupe_payload(message);
	if (to->logger.block != NULL)
		unit_send_note(to->logger, receiver);
	if (to->dead.block != NULL)
		cr_expect_eq(troupe_send(to->dead, 3, NULL, 0), -ESRCH);
	atomic_store(&to->count, at + 1);
}

static struct troupe_system *letters_start(uint32_t workers)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system = NULL;

	letters = (struct letters){0};
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.max_threads = workers;
	config.on_dead_letter = note_letter;
	config.dead_letter_context = &letters;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	return system;
}

static void expect_letter(uint64_t at, uint32_t tag, uint64_t receiver,
			  uint64_t sender, int reason)
{
	cr_assert_lt(at, letters.count);
	cr_expect_eq(letters.letter[at].tag, tag);
	cr_expect_eq(letters.letter[at].receiver, receiver);
	cr_expect_eq(letters.letter[at].sender, sender);
	cr_expect_eq(letters.letter[at].reason, reason);
}

/* ---- left in a mailbox ------------------------------------------------- */

Test(dead_letter, what_an_ended_actor_left_is_shown)
{
	struct troupe_system *system = letters_start(1);
	struct box box;
	uint64_t id;

	box_spawn(&box, system, NULL);
	id = troupe_strong_id(box.actor);
	box_close(&box);
	unit_send_quit(box.actor, 3);
	for (uint64_t i = 0; i < 10; i++)
		cr_expect_eq(box_note(&box, i), 0);
	/* Not shown: a signal of the core's. */
	cr_expect_eq(troupe_send_exit(box.actor, 4), 0);
	troupe_strong_release(&box.actor);
	box_open(&box);
	cr_assert_eq(troupe_system_await(system), 0);
	/* The signal was urgent, and came first. */
	cr_expect_eq(box.record.reason, 4);
	cr_assert_eq(letters.count, 11);
	expect_letter(0, UNIT_QUIT, id, 0, -ESRCH);
	for (uint64_t i = 0; i < 10; i++) {
		expect_letter(i + 1, UNIT_NOTE, id, 0, -ESRCH);
		cr_expect_eq(letters.letter[i + 1].value, i);
	}
	cr_expect_eq(unit_stats(system).dead_letters, 11);
	unit_stop(system);
}

static int skip_all(struct troupe_actor *self, void *state,
		    const struct troupe_message *message)
{
	(void)state;
	if (message->tag == 2)
		troupe_quit(self, 0);
	return message->tag == 1 ? TROUPE_SKIP : 0;
}

static const struct troupe_actor_class skip_class = {
	.name = "skip",
	.receive = skip_all,
};

Test(dead_letter, skipped_messages_are_too)
{
	struct troupe_system *system = letters_start(1);
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, &skip_class, NULL, &actor), 0);
	for (int i = 0; i < 5; i++)
		cr_expect_eq(troupe_send(actor, 1, NULL, 0), 0);
	cr_expect_eq(troupe_send(actor, 2, NULL, 0), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(letters.count, 5);
}

Test(dead_letter, those_of_a_limited_mailbox_are_too)
{
	for (int i = 0; i < 4; i++) {
		const struct troupe_limits limits = {
			.messages = 100, .overflow = (enum troupe_overflow)i};
		struct troupe_system *system = letters_start(1);
		struct box box;

		box_spawn(&box, system, &limits);
		box_close(&box);
		for (uint64_t j = 0; j < 10; j++)
			cr_expect_eq(box_note(&box, j), 0);
		cr_expect_eq(troupe_send_exit(box.actor, 4), 0);
		troupe_strong_release(&box.actor);
		box_open(&box);
		unit_stop(system);
		cr_assert_eq(letters.count, 10);
		for (uint64_t j = 0; j < 10; j++)
			cr_expect_eq(letters.letter[j].value, j);
	}
}

static _Atomic uint64_t releases;

static void count_release(void *data, size_t size)
{
	cr_expect_eq(*(uint64_t *)data, 55);
	cr_expect_eq(size, sizeof(uint64_t));
	troupe__free(data);
	atomic_fetch_add(&releases, 1);
}

Test(dead_letter, a_moved_payload_can_be_read)
{
	struct troupe_system *system = letters_start(1);
	struct box box;
	uint64_t *data = troupe__alloc(sizeof(*data));

	*data = 55;
	box_spawn(&box, system, NULL);
	box_close(&box);
	unit_send_quit(box.actor, 3);
	cr_expect_eq(troupe_send_moved(box.actor, 9, data, sizeof(*data),
				       count_release),
		     0);
	box_open(&box);
	unit_await(&letters.count, 1);
	cr_expect_eq(letters.letter[0].value, 55);
	troupe_strong_release(&box.actor);
	unit_stop(system);
	cr_expect_eq(releases, 1);
}

static int failing_init(struct troupe_actor *self, void *state,
			const void *argument)
{
	struct troupe_strong me = troupe_self(self);

	(void)state;
	(void)argument;
	cr_expect_eq(troupe_send(me, 7, NULL, 0), 0);
	letters.letter[LETTERS - 1].receiver = troupe_strong_id(me);
	troupe_strong_release(&me);
	return -EIO;
}

static const struct troupe_actor_class failing_class = {
	.name = "failing",
	.init = failing_init,
	.receive = skip_all,
};

Test(dead_letter, those_to_one_whose_init_fails_are_too)
{
	struct troupe_system *system = letters_start(1);

	cr_expect_eq(troupe_spawn(system, &failing_class, NULL, NULL), -EIO);
	cr_assert_eq(letters.count, 1);
	expect_letter(0, 7, letters.letter[LETTERS - 1].receiver,
		      letters.letter[LETTERS - 1].receiver, -ESRCH);
	unit_stop(system);
}

/* ---- refused ----------------------------------------------------------- */

static int ignore_response(struct troupe_actor *self, void *state,
			   const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	cr_expect_eq(message->tag, TROUPE_TAG_ERROR);
	atomic_fetch_add((_Atomic uint64_t *)context, 1);
	return 0;
}

static _Atomic uint64_t responses;

static void do_write(struct troupe_actor *self, struct puppet *puppet,
		     void *argument)
{
	struct troupe_strong to = *(struct troupe_strong *)argument;
	uint64_t value = 12;

	(void)puppet;
	cr_expect_eq(troupe_send(to, 1, &value, sizeof(value)), -ESRCH);
	cr_expect_eq(troupe_send_urgent(to, 2, NULL, 0), -ESRCH);
	cr_expect_eq(troupe_request(self, to, 3, NULL, 0, ignore_response,
				    &responses),
		     0);
	cr_expect_eq(troupe_send_exit(to, 1), -ESRCH);
	cr_expect_eq(troupe_monitor(self, to, &value), 0);
}

Test(dead_letter, what_an_actor_sends_to_the_dead_is_shown)
{
	struct troupe_system *system = letters_start(2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_end(system, &puppets[1], 0);
	/* Not from outside: the system may be gone then. */
	cr_expect_eq(troupe_send(puppets[1].actor, 1, NULL, 0), -ESRCH);
	cr_expect_eq(letters.count, 0);
	puppet_call(&puppets[0], do_write, &puppets[1].actor);
	unit_await(&responses, 1);
	cr_expect_eq(letters.count, 3);
	for (uint32_t i = 0; i < 3; i++)
		expect_letter(i, i + 1, puppets[1].id, puppets[0].id, -ESRCH);
	cr_expect_eq(letters.letter[0].value, 12);
	cr_expect_eq(unit_stats(system).dead_letters, 3);
	puppet_stop(system, puppets, 2);
}

Test(dead_letter, of_another_system_is_not_shown)
{
	struct troupe_system *here = unit_start(NULL, 1);
	struct troupe_system *there = letters_start(1);
	struct puppet puppets[2] = {0};

	puppet_spawn(here, &puppets[0]);
	puppet_spawn(there, &puppets[1]);
	puppet_end(there, &puppets[1], 0);
	puppet_call(&puppets[0], do_write, &puppets[1].actor);
	cr_assert_eq(troupe_system_destroy(there), 0);
	puppet_call(&puppets[0], do_write, &puppets[1].actor);
	unit_await(&responses, 2);
	puppet_stop(here, puppets, 2);
	cr_expect_eq(letters.count, 0);
}

/* A request whose asker has ended: the response is for nobody. */
static void do_ask_and_quit(struct troupe_actor *self, struct puppet *puppet,
			    void *argument)
{
	(void)puppet;
	cr_expect_eq(troupe_request(self, *(struct troupe_strong *)argument, 3,
				    NULL, 0, ignore_response, &responses),
		     0);
	troupe_quit(self, 0);
}

Test(dead_letter, a_response_to_the_dead_is_shown)
{
	struct troupe_system *system = letters_start(2);
	struct puppet puppet = {0};
	struct box box;

	box_spawn(&box, system, NULL);
	box_close(&box);
	puppet_spawn(system, &puppet);
	puppet_send(&puppet, do_ask_and_quit, &box.actor);
	puppet_await_running(system, 1);
	box_open(&box);
	unit_await(&letters.count, 1);
	/* It became its own error response, which nobody sends. */
	expect_letter(0, TROUPE_TAG_ERROR, puppet.id, 0, -ESRCH);
	troupe_strong_release(&box.actor);
	puppet_stop(system, &puppet, 1);
	cr_expect_eq(responses, 0);
}

/* ---- dropped ----------------------------------------------------------- */

static void do_fill(struct troupe_actor *self, struct puppet *puppet,
		    void *argument)
{
	(void)self;
	for (uint64_t i = 0; i < 5; i++)
		puppet->result = box_note(argument, i);
}

Test(dead_letter, what_a_limited_mailbox_drops_is_shown)
{
	for (int i = 0; i < 3; i++) {
		const struct troupe_limits limits = {
			.messages = 2, .overflow = (enum troupe_overflow)i};
		struct troupe_system *system = letters_start(2);
		struct puppet puppet = {0};
		struct box box;
		uint64_t id;

		box_spawn(&box, system, &limits);
		id = troupe_strong_id(box.actor);
		box_close(&box);
		puppet_spawn(system, &puppet);
		puppet_call(&puppet, do_fill, &box);
		/* Refused is not dead: the sender knows. */
		cr_expect_eq(puppet.result, i == 0 ? -EAGAIN : 0);
		cr_expect_eq(letters.count, i == 0 ? 0 : 3);
		for (uint64_t j = 0; j < letters.count; j++) {
			expect_letter(j, UNIT_NOTE, id, puppet.id, -EAGAIN);
			cr_expect_eq(letters.letter[j].value,
				     i == 1 ? j + 2 : j);
		}
		box_open(&box);
		troupe_strong_release(&box.actor);
		puppet_stop(system, &puppet, 1);
	}
}

/* ---- the hook sends ---------------------------------------------------- */

Test(dead_letter, the_hook_may_send_and_is_not_called_for_that)
{
	struct troupe_system *system = letters_start(2);
	struct unit_record record = {0};
	struct puppet puppets[2] = {0};

	letters.logger = unit_recorder(system, &record);
	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_end(system, &puppets[1], 0);
	letters.dead = puppets[1].actor;
	puppet_call(&puppets[0], do_write, &puppets[1].actor);
	unit_await(&record.handled, 3);
	cr_expect_eq(letters.count, 3);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(record.notes[i], puppets[1].id);
	/* Three, and one more by the hook for each. */
	cr_expect_eq(unit_stats(system).dead_letters, 6);
	troupe_strong_release(&letters.logger);
	puppet_stop(system, puppets, 2);
}

/* ---- a blocking actor -------------------------------------------------- */

static _Atomic uint64_t entered;

static int blocking_run(struct troupe_actor *self, void *state)
{
	const struct troupe_message *message;
	int result;

	(void)state;
	atomic_store(&entered, 1);
	while (!troupe_stopping(
		       troupe_system_coordinator(troupe_self_system(self))) &&
	       atomic_load(&entered) != 2)
		troupe_sleep(100000);
	do
		result = troupe_receive(self, TROUPE_FOREVER, &message);
	while (result == 0);
	return 0;
}

static const struct troupe_actor_class blocking_class = {
	.name = "blocking",
	.run = blocking_run,
};

Test(dead_letter, what_a_stopped_receive_drops_is_shown)
{
	struct troupe_system *system = letters_start(1);
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, &blocking_class, NULL, &actor), 0);
	unit_await(&entered, 1);
	for (int i = 0; i < 10; i++)
		cr_expect_eq(troupe_send(actor, 1, NULL, 0), 0);
	cr_expect_eq(troupe_system_stop(system, 1000000, 0, NULL, NULL),
		     -ETIMEDOUT);
	atomic_store(&entered, 2);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(letters.count, 10);
}

/* ---- a program of before ----------------------------------------------- */

Test(dead_letter, an_older_config_has_no_hook)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system = NULL;
	struct puppet puppet = {0};

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.size = offsetof(struct troupe_config, on_dead_letter);
	config.on_dead_letter = note_letter;
	config.dead_letter_context = &letters;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	puppet_spawn(system, &puppet);
	puppet_send(&puppet, do_quit, &(int){1});
	(void)troupe_send(puppet.actor, 1, NULL, 0);
	puppet_stop(system, &puppet, 1);
	cr_expect_eq(letters.count, 0);
}
