/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors are made: from main and from actors, with what init may do, with
 * what is not allowed. How they end is test_actor_end.c's, what they are sent
 * test_send.c's.
 */
#include "unit.h"

#include <errno.h>

TestSuite(actor, .timeout = 60);

Test(actor, spawned_from_main_handles_and_ends)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong actor = unit_recorder(system, &record);

	unit_send_note(actor, 7);
	unit_send_quit(actor, 3);
	unit_await(&record.exits, 1);
	cr_expect_eq(record.noted, 1);
	cr_expect_eq(record.notes[0], 7);
	cr_expect_eq(record.reason, 3);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
}

Test(actor, ids_differ_and_are_not_null)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record records[8] = {0};
	struct troupe_strong actors[8];

	for (int i = 0; i < 8; i++)
		actors[i] = unit_recorder(system, &records[i]);
	for (int i = 0; i < 8; i++) {
		cr_expect_neq(troupe_strong_id(actors[i]), 0);
		cr_expect_eq(troupe_strong_node(actors[i]), 0);
		for (int j = 0; j < i; j++)
			cr_expect_neq(troupe_strong_id(actors[i]),
				      troupe_strong_id(actors[j]));
	}
	for (int i = 0; i < 8; i++)
		troupe_strong_release(&actors[i]);
	unit_stop(system);
}

/* ---- spawning from actors ---------------------------------------------- */

#define TREE_DEPTH 10

struct tree_node {
	_Atomic uint64_t *ended;
	uint32_t depth;
};

static const struct troupe_actor_class tree_class;

static void tree_grow(struct troupe_system *system, _Atomic uint64_t *ended,
		      uint32_t depth)
{
	struct tree_node node = {ended, depth};

	cr_assert_eq(troupe_spawn(system, &tree_class, &node, NULL), 0);
}

/* Nobody holds a handle: the message to itself keeps it until it has grown. */
static int tree_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct troupe_strong me = troupe_self(self);

	*(struct tree_node *)state = *(const struct tree_node *)argument;
	cr_assert_eq(troupe_send(me, 1, NULL, 0), 0);
	troupe_strong_release(&me);
	return 0;
}

static int tree_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	const struct tree_node *node = state;

	cr_expect_eq(message->tag, 1);
	cr_expect_eq(message->sender.block, troupe_object_block(self));
	for (int i = 0; node->depth < TREE_DEPTH && i < 2; i++)
		tree_grow(troupe_self_system(self), node->ended,
			  node->depth + 1);
	return 0;
}

static void tree_exit(struct troupe_actor *self, void *state, int reason)
{
	const struct tree_node *node = state;

	(void)self;
	cr_expect_eq(reason, TROUPE_EXIT_NORMAL);
	atomic_fetch_add(node->ended, 1);
}

static const struct troupe_actor_class tree_class = {
	.name = "tree",
	.state_size = sizeof(struct tree_node),
	.init = tree_init,
	.receive = tree_receive,
	.on_exit = tree_exit,
};

Test(actor, spawned_from_actors_a_whole_tree_ends)
{
	struct troupe_system *system = unit_start(NULL, 2);
	_Atomic uint64_t ended = 0;

	tree_grow(system, &ended, 0);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(ended, (2u << TREE_DEPTH) - 1);
	unit_stop(system);
}

/* ---- what init may do -------------------------------------------------- */

struct wish {
	struct unit_record *record;
	struct unit_record *inner; /* spawn another recorder in init */
	struct troupe_strong *ret_self;
	uint32_t worker; /* what troupe_self_worker() said */
	int quit;
	int result;
	bool same_system;
};

static int wish_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct wish *wish = (struct wish *)(uintptr_t)argument;
	struct unit_recorder *recorder = state;
	struct troupe_strong me = troupe_self(self);

	recorder->record = wish->record;
	wish->worker = troupe_self_worker(self);
	if (wish->inner != NULL) {
		struct troupe_strong inner =
			unit_recorder(troupe_self_system(self), wish->inner);

		/* The inner init is over: this actor is itself again. */
		unit_send_note(inner, 1);
		troupe_strong_release(&inner);
		wish->worker = troupe_self_worker(self);
	}
	if (wish->ret_self != NULL)
		*wish->ret_self = troupe_strong_clone(me);
	unit_send_note(me, 1);
	unit_send_note(me, 2);
	if (wish->quit != 0) {
		troupe_quit(self, wish->quit);
		troupe_quit(self, wish->quit + 1);
	}
	troupe_strong_release(&me);
	return wish->result;
}

static const struct troupe_actor_class wish_class = {
	.name = "wish",
	.state_size = sizeof(struct unit_recorder),
	.init = wish_init,
	.receive = unit_recorder_receive,
	.on_exit = unit_recorder_exit,
	.destroy = unit_recorder_destroy,
};

Test(actor, sends_to_itself_in_init_come_first)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong me = {NULL}, actor = {NULL};
	struct wish wish = {.record = &record, .ret_self = &me};

	cr_assert_eq(troupe_spawn(system, &wish_class, &wish, &actor), 0);
	cr_expect(troupe_strong_equal(me, actor));
	cr_expect_eq(wish.worker, TROUPE_ANY_WORKER);
	unit_send_note(me, 3);
	troupe_strong_release(&actor);
	troupe_strong_release(&me);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_assert_eq(record.noted, 3);
	for (uint64_t i = 0; i < 3; i++)
		cr_expect_eq(record.notes[i], i + 1);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
	unit_stop(system);
}

Test(actor, a_handle_that_only_init_made_keeps_it)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong me = {NULL};
	struct wish wish = {.record = &record, .ret_self = &me};

	cr_assert_eq(troupe_spawn(system, &wish_class, &wish, NULL), 0);
	unit_await(&record.handled, 2);
	unit_send_note(me, 3);
	unit_await(&record.handled, 3);
	cr_expect_eq(record.exits, 0);
	troupe_strong_release(&me);
	unit_stop(system);
	cr_expect_eq(record.exits, 1);
}

Test(actor, quits_in_init_with_the_first_reason)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct wish wish = {.record = &record, .quit = 5};
	struct troupe_strong actor = {NULL};

	cr_assert_eq(troupe_spawn(system, &wish_class, &wish, &actor), 0);
	unit_await(&record.destroys, 1);
	cr_expect_eq(record.reason, 5);
	cr_expect_eq(record.noted, 0, "it has quit before");
	cr_expect_eq(troupe_send(actor, 1, NULL, 0), -ESRCH);
	troupe_strong_release(&actor);
	unit_stop(system);
}

Test(actor, an_init_inside_an_init_is_two_actors)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0}, inner = {0};
	struct wish wish = {.record = &record, .inner = &inner};

	cr_assert_eq(troupe_spawn(system, &wish_class, &wish, NULL), 0);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(wish.worker, TROUPE_ANY_WORKER);
	cr_expect_eq(record.noted, 2);
	cr_expect_eq(inner.noted, 1);
	cr_expect_eq(record.destroys, 1);
	cr_expect_eq(inner.destroys, 1);
	unit_stop(system);
}

/* ---- init that fails --------------------------------------------------- */

Test(actor, a_failing_init_is_handed_on_and_undone)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0}, inner = {0};
	struct troupe_strong me = {NULL}, actor = {NULL};
	struct wish wish = {
		.record = &record,
		.inner = &inner,
		.ret_self = &me,
		.result = -EBUSY,
	};

	cr_expect_eq(troupe_spawn(system, &wish_class, &wish, &actor), -EBUSY);
	cr_expect(troupe_strong_is_null(actor), "untouched on failure");
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(record.exits, 0);
	cr_expect_eq(record.destroys, 0);
	cr_expect_eq(inner.destroys, 1);
	/* What init gave away is a handle to an actor that has ended. */
	cr_expect_eq(troupe_send(me, 1, NULL, 0), -ESRCH);
	troupe_strong_release(&me);
	unit_stop(system);
}

Test(actor, a_failing_init_may_have_quit_before)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct wish wish = {.record = &record, .quit = 1, .result = -EIO};

	cr_expect_eq(troupe_spawn(system, &wish_class, &wish, NULL), -EIO);
	unit_stop(system);
	cr_expect_eq(record.exits, 0);
}

Test(actor, a_positive_result_of_init_is_an_error_too)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct wish wish = {.record = &record, .result = 1};

	cr_expect_eq(troupe_spawn(system, &wish_class, &wish, NULL), -EINVAL);
	unit_stop(system);
	cr_expect_eq(record.exits, 0);
}

/* ---- what is not allowed ----------------------------------------------- */

Test(actor, invalid_arguments_are_refused)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_actor_class broken = unit_recorder_class;
	struct unit_record record = {0};
	struct troupe_strong actor = {NULL};

	cr_expect_eq(troupe_spawn(NULL, &unit_recorder_class, &record, &actor),
		     -EINVAL);
	cr_expect_eq(troupe_spawn(system, NULL, &record, &actor), -EINVAL);
	broken.name = NULL;
	cr_expect_eq(troupe_spawn(system, &broken, &record, &actor), -EINVAL);
	broken = unit_recorder_class;
	broken.receive = NULL;
	cr_expect_eq(troupe_spawn(system, &broken, &record, &actor), -EINVAL);
	options.worker = 2;
	cr_expect_eq(troupe_spawn_with(system, &unit_recorder_class, &record,
				       &options, &actor),
		     -EINVAL);
	options.worker = UINT16_MAX;
	cr_expect_eq(troupe_spawn_with(system, &unit_recorder_class, &record,
				       &options, &actor),
		     -EINVAL);
	options.worker = 0;
	options.size = 0;
	cr_expect_eq(troupe_spawn_with(system, &unit_recorder_class, &record,
				       &options, &actor),
		     -EINVAL);
	cr_expect(troupe_strong_is_null(actor));
	unit_stop(system);
}

Test(actor, a_state_that_no_memory_can_hold_is_refused)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor_class huge = unit_recorder_class;
	struct unit_record record = {0};

	huge.state_size = SIZE_MAX;
	cr_expect_eq(troupe_spawn(system, &huge, &record, NULL), -ENOMEM);
	huge.state_size = SIZE_MAX - 128;
	cr_expect_eq(troupe_spawn(system, &huge, &record, NULL), -ENOMEM);
	unit_stop(system);
}

/* ---- the state --------------------------------------------------------- */

static int zero_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct unit_record *record =
		*(struct unit_record *const *)troupe_payload(message);
	uint64_t *words = state;
	uint64_t sum = (uintptr_t)state % 16;

	for (size_t i = 0; i < 100; i++)
		sum += words[i];
	unit_note(record, sum);
	memset(state, 0xff, 800);
	troupe_quit(self, 0);
	return 0;
}

Test(actor, the_state_is_zeroed_and_aligned_without_init)
{
	static const struct troupe_actor_class zero_class = {
		.name = "zero",
		.state_size = 800,
		.receive = zero_receive,
	};
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0}, *at = &record;

	/* The second one is likely to get the memory of the first. */
	for (int i = 0; i < 2; i++) {
		struct troupe_strong actor;

		cr_assert_eq(troupe_spawn(system, &zero_class, NULL, &actor),
			     0);
		cr_assert_eq(troupe_send(actor, 1, &at, sizeof(at)), 0);
		troupe_strong_release(&actor);
		cr_assert_eq(troupe_system_await(system), 0);
	}
	unit_stop(system);
	cr_expect_eq(record.noted, 2);
	cr_expect_eq(record.notes[0], 0);
	cr_expect_eq(record.notes[1], 0);
}
