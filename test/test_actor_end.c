/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors end: by themselves, by an error, because nobody can reach them; each
 * destructor runs once, on a worker or with the last handle; and long chains
 * of them do not fill the stack.
 */
#include "unit.h"

#include <errno.h>

TestSuite(actor_end, .timeout = 100);

/* ---- reasons ----------------------------------------------------------- */

static int end_reason(uint32_t tag, int value)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	cr_assert_eq(troupe_send(actor, tag, &value, sizeof(value)), 0);
	unit_await(&record.destroys, 1);
	cr_expect_eq(troupe_send(actor, UNIT_NOTE, NULL, 0), -ESRCH);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
	return record.reason;
}

Test(actor_end, quit_gives_the_reason)
{
	cr_expect_eq(end_reason(UNIT_QUIT, 0), TROUPE_EXIT_NORMAL);
	cr_expect_eq(end_reason(UNIT_QUIT, 42), 42);
	cr_expect_eq(end_reason(UNIT_QUIT, -EPIPE), -EPIPE);
}

Test(actor_end, an_error_from_receive_is_the_reason)
{
	cr_expect_eq(end_reason(UNIT_FAIL, -EIO), -EIO);
}

Test(actor_end, quit_lets_nothing_more_be_handled)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct unit_gate gate = {0};
	struct troupe_stats stats;

	unit_hold(actor, &gate);
	unit_send_note(actor, 1);
	unit_send_quit(actor, 1);
	unit_send_note(actor, 2);
	unit_send_quit(actor, 2);
	unit_gate_open(&gate);
	troupe_strong_release(&actor);
	cr_assert_eq(troupe_system_await(system), 0);
	stats = unit_stats(system);
	unit_stop(system);
	cr_expect_eq(record.noted, 1);
	cr_expect_eq(record.reason, 1);
	cr_expect_eq(stats.messages, 3);
	cr_expect_eq(stats.dead_letters, 2);
}

/* ---- unreachable ------------------------------------------------------- */

Test(actor_end, one_without_handles_ends_on_a_worker)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct troupe_weak weak = troupe_weak_from(actor);
	struct troupe_strong locked;

	unit_send_note(actor, 1);
	unit_await(&record.handled, 1);
	locked = troupe_weak_lock(weak);
	troupe_strong_release(&actor);
	cr_expect(!troupe_strong_is_null(locked));
	unit_send_note(locked, 2);
	troupe_strong_release(&locked);
	unit_await(&record.exits, 1);
	cr_expect_eq(record.noted, 2);
	cr_expect_eq(record.reason, TROUPE_EXIT_NORMAL);
	locked = troupe_weak_lock(weak);
	cr_expect(troupe_strong_is_null(locked));
	cr_expect_neq(troupe_weak_id(weak), 0);
	troupe_weak_release(&weak);
	unit_stop(system);
	cr_expect_eq(record.destroys, 1);
}

Test(actor_end, one_without_handles_handles_all_it_was_sent)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct unit_gate gate = {0};

	unit_hold(actor, &gate);
	for (uint64_t i = 0; i < 100; i++)
		unit_send_note(actor, i);
	troupe_strong_release(&actor);
	unit_gate_open(&gate);
	unit_stop(system);
	cr_expect_eq(record.noted, 100);
	cr_expect_eq(record.exits, 1);
}

Test(actor_end, spawned_without_a_handle_it_ends_at_once)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};

	cr_assert_eq(troupe_spawn(system, &unit_recorder_class, &record, NULL),
		     0);
	unit_stop(system);
	cr_expect_eq(record.handled, 0);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
}

/* ---- a state that is kept ---------------------------------------------- */

static const struct troupe_actor_class keeper_class = {
	.name = "keeper",
	.state_size = sizeof(struct unit_recorder),
	.flags = TROUPE_CLASS_KEEP_STATE,
	.init = unit_recorder_init,
	.receive = unit_recorder_receive,
	.on_exit = unit_recorder_exit,
	.destroy = unit_recorder_destroy,
};

static struct troupe_strong keeper(struct troupe_system *system,
				   struct unit_record *record)
{
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, &keeper_class, record, &actor), 0);
	return actor;
}

Test(actor_end, a_kept_state_goes_with_the_last_handle)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = keeper(system, &record);
	struct troupe_strong other = troupe_strong_clone(actor);
	struct troupe_weak weak = troupe_weak_from(actor);

	unit_send_quit(actor, 4);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 0);
	troupe_strong_release(&actor);
	cr_expect_eq(record.destroys, 0);
	/* Handles may be released when the system has gone. */
	cr_assert_eq(troupe_system_destroy(system), 0);
	actor = troupe_weak_lock(weak);
	cr_expect(!troupe_strong_is_null(actor));
	troupe_strong_release(&other);
	cr_expect_eq(record.destroys, 0);
	troupe_strong_release(&actor);
	cr_expect_eq(record.destroys, 1);
	actor = troupe_weak_lock(weak);
	cr_expect(troupe_strong_is_null(actor));
	troupe_weak_release(&weak);
	cr_expect_eq(troupe__live_allocations(), 0);
}

Test(actor_end, a_kept_state_goes_when_nobody_can_reach_it)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = keeper(system, &record);

	unit_send_note(actor, 1);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.noted, 1);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
}

static int keeper_init_fails(struct troupe_actor *self, void *state,
			     const void *argument)
{
	struct troupe_strong *ret_self =
		(struct troupe_strong *)(uintptr_t)argument;

	(void)state;
	*ret_self = troupe_self(self);
	return -EIO;
}

Test(actor_end, a_kept_state_of_a_failed_init_is_not_destroyed)
{
	struct troupe_actor_class failing = keeper_class;
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong me = {NULL};

	/* destroy would crash on the zeroed state. */
	failing.init = keeper_init_fails;
	cr_assert_eq(troupe_spawn(system, &failing, &me, NULL), -EIO);
	troupe_strong_release(&me);
	unit_stop(system);
}

/* ---- what on_exit may do ----------------------------------------------- */

struct leave {
	struct troupe_strong heir; /* gets a last note */
	struct unit_record *record;
	_Atomic uint64_t worker;
	struct troupe_strong me;
};

static int leave_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	(void)self;
	*(struct leave **)state = (struct leave *)(uintptr_t)argument;
	return 0;
}

static int leave_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)state;
	(void)message;
	troupe_quit(self, 1);
	return 0;
}

static void leave_exit(struct troupe_actor *self, void *state, int reason)
{
	struct leave *leave = *(struct leave **)state;

	cr_expect_eq(reason, 1);
	leave->me = troupe_self(self);
	cr_expect_eq(troupe_send(leave->me, 1, NULL, 0), -ESRCH);
	unit_send_note(leave->heir, 5);
	troupe_quit(self, 2);
	atomic_store(&leave->worker, troupe_self_worker(self) + 1);
}

static void leave_test(uint32_t flags)
{
	struct troupe_actor_class leave_class = {
		.name = "leave",
		.state_size = sizeof(struct leave *),
		.flags = flags,
		.init = leave_init,
		.receive = leave_receive,
		.on_exit = leave_exit,
	};
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct leave leave = {.heir = unit_recorder(system, &record)};
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_strong actor;

	options.worker = 1;
	cr_assert_eq(troupe_spawn_with(system, &leave_class, &leave, &options,
				       &actor),
		     0);
	cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
	unit_await(&record.handled, 1);
	cr_expect_eq(record.notes[0], 5);
	cr_expect_eq(leave.worker, 2, "on_exit runs on its worker and says so");
	troupe_strong_release(&actor);
	troupe_strong_release(&leave.heir);
	cr_assert_eq(troupe_system_destroy(system), 0);
	troupe_strong_release(&leave.me);
	cr_expect_eq(troupe__live_allocations(), 0);
}

Test(actor_end, on_exit_sends_and_is_not_woken_again)
{
	leave_test(0);
}

Test(actor_end, on_exit_may_give_a_kept_state_away)
{
	leave_test(TROUPE_CLASS_KEEP_STATE);
}

/* ---- long chains ------------------------------------------------------- */

/* Far more than fit onto a stack, if each took but a frame. */
#ifdef __SANITIZE_ADDRESS__
#define CHAIN_LENGTH 200000
#else
#define CHAIN_LENGTH 1000000
#endif

static _Atomic uint64_t chain_ended;

struct chain_link {
	struct troupe_strong next;
};

static int chain_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	struct chain_link *link = state;

	(void)self;
	link->next =
		troupe_strong_clone(*(const struct troupe_strong *)argument);
	return 0;
}

static int chain_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)state;
	(void)message;
	troupe_quit(self, 0);
	return 0;
}

static void chain_destroy(void *state)
{
	struct chain_link *link = state;

	troupe_strong_release(&link->next);
	atomic_fetch_add(&chain_ended, 1);
}

/* Returns the first of a chain; sends each a message if @quit. */
static struct troupe_strong chain_make(struct troupe_system *system,
				       const struct troupe_actor_class *links,
				       bool quit)
{
	struct troupe_strong first = {NULL};

	for (uint64_t i = 0; i < CHAIN_LENGTH; i++) {
		struct troupe_strong next = first;

		cr_assert_eq(troupe_spawn(system, links, &next, &first), 0);
		if (quit)
			cr_assert_eq(troupe_send(first, 1, NULL, 0), 0);
		troupe_strong_release(&next);
	}
	return first;
}

Test(actor_end, a_long_chain_ends_from_its_first)
{
	static const struct troupe_actor_class chain_class = {
		.name = "chain",
		.state_size = sizeof(struct chain_link),
		.init = chain_init,
		.receive = chain_receive,
		.destroy = chain_destroy,
	};
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_strong first = chain_make(system, &chain_class, false);

	cr_expect_eq(chain_ended, 0);
	troupe_strong_release(&first);
	unit_stop(system);
	cr_expect_eq(chain_ended, CHAIN_LENGTH);
}

Test(actor_end, a_long_chain_of_kept_states_goes_from_its_first)
{
	static const struct troupe_actor_class kept_class = {
		.name = "kept",
		.state_size = sizeof(struct chain_link),
		.flags = TROUPE_CLASS_KEEP_STATE,
		.init = chain_init,
		.receive = chain_receive,
		.destroy = chain_destroy,
	};
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_strong first = chain_make(system, &kept_class, true);

	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_expect_eq(chain_ended, 0);
	troupe_strong_release(&first);
	cr_expect_eq(chain_ended, CHAIN_LENGTH);
	cr_expect_eq(troupe__live_allocations(), 0);
}
