/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every conversion between the four kinds of handles, and every move, for an
 * actor that is alive, one that has terminated but is still referenced, and
 * one that is freed but for its block: whether it gives a handle, and what it
 * does to the counts. One table.
 */
#include "unit.h"

#include "troupe_typed.h"

#include <errno.h>

TROUPE_TYPED(counter, (add, uint64_t), (stop))

enum state {
	ALIVE,
	TERMINATED, /* and referenced */
	FREED,	    /* nobody has a strong handle; the sources are null */
	STATES,
};

static const char *const state_names[STATES] = {"alive", "terminated", "freed"};

/* One handle of each kind to the same actor. */
struct handles {
	struct troupe_strong strong;
	struct troupe_weak weak;
	struct counter_ref ref;
	struct counter_weak typed_weak;
};

/* Each converts from one handle of @from, and gives the result as untyped. */
enum result_kind {
	STRONG,
	WEAK,
};

struct result {
	enum result_kind kind;
	struct troupe_strong strong;
	struct troupe_weak weak;
};

static struct result result_strong(struct troupe_strong strong)
{
	return (struct result){.kind = STRONG, .strong = strong};
}

static struct result result_weak(struct troupe_weak weak)
{
	return (struct result){.kind = WEAK, .weak = weak};
}

#define CONVERSION(name, kind, expression)                        \
	static struct result convert_##name(struct handles *from) \
	{                                                         \
		return result_##kind(expression);                 \
	}

CONVERSION(strong_clone, strong, troupe_strong_clone(from->strong))
CONVERSION(weak_from, weak, troupe_weak_from(from->strong))
CONVERSION(from_strong, strong, counter_from_strong(from->strong).strong)
CONVERSION(weak_from_strong, weak, counter_weak_from_strong(from->strong).weak)

CONVERSION(weak_lock, strong, troupe_weak_lock(from->weak))
CONVERSION(weak_clone, weak, troupe_weak_clone(from->weak))
CONVERSION(from_weak, strong, counter_from_weak(from->weak).strong)
CONVERSION(weak_from_weak, weak, counter_weak_from_weak(from->weak).weak)

CONVERSION(to_strong, strong, counter_to_strong(from->ref))
CONVERSION(to_weak, weak, counter_to_weak(from->ref))
CONVERSION(clone, strong, counter_clone(from->ref).strong)
CONVERSION(typed_weak_from, weak, counter_weak_from(from->ref).weak)

CONVERSION(weak_to_strong, strong, counter_weak_to_strong(from->typed_weak))
CONVERSION(weak_to_weak, weak, counter_weak_to_weak(from->typed_weak))
CONVERSION(typed_weak_lock, strong, counter_weak_lock(from->typed_weak).strong)
CONVERSION(typed_weak_clone, weak, counter_weak_clone(from->typed_weak).weak)

CONVERSION(strong_move, strong, troupe_strong_move(&from->strong))
CONVERSION(weak_move, weak, troupe_weak_move(&from->weak))
CONVERSION(move, strong, counter_move(&from->ref).strong)
CONVERSION(typed_weak_move, weak, counter_weak_move(&from->typed_weak).weak)

/* What is expected in one state: no handle, a counted one, or the same one. */
enum expected {
	NOTHING,
	COUNTED,
	MOVED,
};

static const struct row {
	const char *name;
	struct result (*convert)(struct handles *from);
	enum expected expected[STATES];
} rows[] = {
	/* clang-format off */
	/* name				   alive    terminated freed */
	{"troupe_strong_clone", convert_strong_clone, {COUNTED, COUNTED, NOTHING}},
	{"troupe_weak_from", convert_weak_from, {COUNTED, COUNTED, NOTHING}},
	{"counter_from_strong", convert_from_strong, {COUNTED, COUNTED, NOTHING}},
	{"counter_weak_from_strong", convert_weak_from_strong, {COUNTED, COUNTED, NOTHING}},
	{"troupe_weak_lock", convert_weak_lock, {COUNTED, COUNTED, NOTHING}},
	{"troupe_weak_clone", convert_weak_clone, {COUNTED, COUNTED, COUNTED}},
	{"counter_from_weak", convert_from_weak, {COUNTED, COUNTED, NOTHING}},
	{"counter_weak_from_weak", convert_weak_from_weak, {COUNTED, COUNTED, COUNTED}},
	{"counter_to_strong", convert_to_strong, {COUNTED, COUNTED, NOTHING}},
	{"counter_to_weak", convert_to_weak, {COUNTED, COUNTED, NOTHING}},
	{"counter_clone", convert_clone, {COUNTED, COUNTED, NOTHING}},
	{"counter_weak_from", convert_typed_weak_from, {COUNTED, COUNTED, NOTHING}},
	{"counter_weak_to_strong", convert_weak_to_strong, {COUNTED, COUNTED, NOTHING}},
	{"counter_weak_to_weak", convert_weak_to_weak, {COUNTED, COUNTED, COUNTED}},
	{"counter_weak_lock", convert_typed_weak_lock, {COUNTED, COUNTED, NOTHING}},
	{"counter_weak_clone", convert_typed_weak_clone, {COUNTED, COUNTED, COUNTED}},
	{"troupe_strong_move", convert_strong_move, {MOVED, MOVED, NOTHING}},
	{"troupe_weak_move", convert_weak_move, {MOVED, MOVED, MOVED}},
	{"counter_move", convert_move, {MOVED, MOVED, NOTHING}},
	{"counter_weak_move", convert_typed_weak_move, {MOVED, MOVED, MOVED}},
	/* clang-format on */
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* ---- the actor ----------------------------------------------------------- */

static _Atomic uint64_t exits;
static _Atomic uint64_t destroys;

static int counter_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	(void)state;
	if (counter_is_stop(message))
		troupe_quit(self, 0);
	return 0;
}

static void counter_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)state;
	(void)reason;
	atomic_fetch_add(&exits, 1);
}

static void counter_destroy(void *state)
{
	(void)state;
	atomic_fetch_add(&destroys, 1);
}

static const struct troupe_actor_class counter_class = {
	.name = "counter",
	.state_size = 8,
	.receive = counter_receive,
	.on_exit = counter_exit,
	.destroy = counter_destroy,
};

static void release_all(struct handles *handles)
{
	troupe_strong_release(&handles->strong);
	troupe_weak_release(&handles->weak);
	counter_release(&handles->ref);
	counter_weak_release(&handles->typed_weak);
}

/* Until the worker has let go of the block, whose last words come after
 * on_exit. */
static void await_counts(const struct troupe_control_block *block,
			 uint64_t strong, uint64_t weak)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	for (;;) {
		struct troupe_counts counts = troupe_block_counts(block);

		if (counts.strong == strong && counts.weak == weak)
			return;
		cr_assert(troupe_now() < end, "strong is %lu, weak is %lu",
			  (unsigned long)counts.strong,
			  (unsigned long)counts.weak);
		troupe_sleep(50000);
	}
}

static struct handles handles_in(struct troupe_system *system, enum state state)
{
	struct handles handles = {0};

	cr_assert_eq(
		troupe_spawn(system, &counter_class, NULL, &handles.ref.strong),
		0);
	handles.strong = counter_to_strong(handles.ref);
	handles.weak = troupe_weak_from(handles.strong);
	handles.typed_weak = counter_weak_from(handles.ref);
	/* Weak: our two, the strong ones' one, and the actor's life. */
	if (state == ALIVE) {
		await_counts(handles.weak.block, 2, 4);
		return handles;
	}
	if (state == TERMINATED)
		cr_assert_eq(counter_send_stop(handles.ref), 0);
	if (state == FREED) {
		troupe_strong_release(&handles.strong);
		counter_release(&handles.ref);
	}
	cr_assert_eq(troupe_system_await(system), 0);
	if (state == TERMINATED)
		await_counts(handles.weak.block, 2, 3);
	else
		await_counts(handles.weak.block, 0, 2);
	return handles;
}

static void check_result(const struct row *row, enum state state,
			 const struct result *result,
			 struct troupe_control_block *block,
			 struct troupe_counts before)
{
	const char *in = state_names[state];
	enum expected expected = row->expected[state];
	struct troupe_counts after = troupe_block_counts(block);
	struct troupe_control_block *got = result->kind == STRONG
						   ? result->strong.block
						   : result->weak.block;
	uint64_t counted = expected == COUNTED;

	cr_expect_eq(got, expected == NOTHING ? NULL : block, "%s, %s: handle",
		     row->name, in);
	cr_expect_eq(after.strong,
		     before.strong + (result->kind == STRONG ? counted : 0),
		     "%s, %s: strong", row->name, in);
	cr_expect_eq(after.weak,
		     before.weak + (result->kind == WEAK ? counted : 0),
		     "%s, %s: weak", row->name, in);
}

static void check_row(struct troupe_system *system, const struct row *row,
		      enum state state)
{
	struct handles handles = handles_in(system, state);
	struct troupe_control_block *block = handles.weak.block;
	struct troupe_weak own = troupe_weak_from(handles.strong);
	struct troupe_counts before = troupe_block_counts(block);
	uint64_t id = block->id;
	struct result result = row->convert(&handles);

	check_result(row, state, &result, block, before);
	/* Whatever became of the object, its identity stays readable. */
	cr_expect_eq(id, troupe_strong_is_null(result.strong)
				 ? id
				 : troupe_strong_id(result.strong));
	cr_expect_eq(id, troupe_weak_is_null(result.weak)
				 ? id
				 : troupe_weak_id(result.weak));
	troupe_strong_release(&result.strong);
	troupe_weak_release(&result.weak);
	troupe_weak_release(&own);
	release_all(&handles);
}

Test(casts, every_conversion_in_every_state, .timeout = 60)
{
	struct troupe_system *system = unit_start(NULL, 2);

	for (enum state state = 0; state < STATES; state++) {
		for (size_t i = 0; i < ROWS; i++)
			check_row(system, &rows[i], state);
	}
	unit_stop(system);
	cr_expect_eq(exits, STATES * ROWS);
	cr_expect_eq(destroys, STATES * ROWS);
}

/* A terminated actor can be locked, but no message reaches it. */
Test(casts, a_handle_to_a_terminated_actor_sends_nothing, .timeout = 60)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct handles handles = handles_in(system, TERMINATED);
	struct counter_ref locked = counter_weak_lock(handles.typed_weak);

	cr_expect_not(counter_is_null(locked));
	cr_expect_eq(counter_send_add(locked, 1), -ESRCH);
	counter_release(&locked);
	release_all(&handles);
	unit_stop(system);
}
