/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * boxes.h - recorders with limited mailboxes, for the tests of limits
 *
 * A box is stopped in a callback, so that what is sent to it waits, until it
 * is let go.
 */
#ifndef BOXES_H
#define BOXES_H

#include "limit.h"
#include "puppet.h"

struct box {
	struct troupe_system *system;
	struct troupe_strong actor;
	struct unit_record record;
	struct unit_gate gate;
};

static inline void box_spawn(struct box *box, struct troupe_system *system,
			     const struct troupe_limits *limits)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;

	memset(box, 0, sizeof(*box));
	box->system = system;
	options.limits = limits;
	cr_assert_eq(troupe_spawn_with(system, &unit_recorder_class,
				       &box->record, &options, &box->actor),
		     0);
}

/** It handles nothing more until box_open(). */
static inline void box_close(struct box *box)
{
	uint64_t entered = atomic_load(&box->gate.entered);
	struct unit_gate *gate = &box->gate;

	atomic_store(&box->gate.opened, 0);
	cr_assert_eq(troupe_send(box->actor, UNIT_HOLD, &gate, sizeof(gate)),
		     0);
	unit_await(&box->gate.entered, entered + 1);
}

static inline void box_open(struct box *box)
{
	unit_gate_open(&box->gate);
}

/** Returns: what the send did. */
static inline int box_note(struct box *box, uint64_t value)
{
	return troupe_send(box->actor, UNIT_NOTE, &value, sizeof(value));
}

/** So many have been handled, those that closed it included. */
static inline void box_await(struct box *box, uint64_t handled)
{
	unit_await(&box->record.handled, handled);
}

static inline void box_expect_notes(const struct box *box, uint64_t first,
				    uint64_t count)
{
	cr_assert_eq(box->record.noted, count, "%lu notes, not %lu",
		     (unsigned long)box->record.noted, (unsigned long)count);
	for (uint64_t i = 0; i < count; i++)
		cr_expect_eq(box->record.notes[i], first + i);
}

static inline struct limits *box_limits(const struct box *box)
{
	return actor_limits(block_actor(box->actor.block));
}

static inline uint64_t box_load(const struct box *box)
{
	return limits_messages(atomic_load(&box_limits(box)->load));
}

static inline uint64_t box_bytes(const struct box *box)
{
	return limits_bytes(atomic_load(&box_limits(box)->load));
}

/* ---- holding back ------------------------------------------------------ */

static inline const struct troupe_limits *box_ten(void)
{
	static const struct troupe_limits ten = {
		.messages = 10,
		.low = 5,
		.overflow = TROUPE_OVERFLOW_HOLD,
	};

	return &ten;
}

static inline const struct troupe_limits *box_one(void)
{
	static const struct troupe_limits one = {
		.messages = 1,
		.overflow = TROUPE_OVERFLOW_HOLD,
	};

	return &one;
}

static inline uint64_t held_count(const struct troupe_system *system)
{
	return unit_stats(system).held;
}

static inline void box_await_held(const struct troupe_system *system,
				  uint64_t count)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	while (held_count(system) < count) {
		cr_assert(troupe_now() < end);
		troupe_sleep(50000);
	}
}

struct state_of {
	uint64_t id;
	enum troupe_actor_state state;
};

static inline bool find_state(const struct troupe_actor_info *info,
			      void *context)
{
	struct state_of *state_of = context;

	if (info->id == state_of->id)
		state_of->state = info->state;
	return true;
}

static inline enum troupe_actor_state state_of(struct troupe_system *system,
					       uint64_t id)
{
	struct state_of state_of = {id, TROUPE_ACTOR_ENDED};

	troupe_system_actors(system, find_state, &state_of);
	return state_of.state;
}

/* What a puppet sends in one callback. */
struct burst {
	struct box *box;
	uint64_t first, count;
	int result; /* of the first that failed */
	bool quit;  /* afterwards */
};

static inline void do_burst(struct troupe_actor *self, struct puppet *puppet,
			    void *argument)
{
	struct burst *burst = argument;

	(void)puppet;
	for (uint64_t i = 0; burst->result == 0 && i < burst->count; i++)
		burst->result = box_note(burst->box, burst->first + i);
	if (burst->quit)
		troupe_quit(self, 6);
}

/* ---- a scene ------------------------------------------------------------ */

/* A puppet's burst is too much for the closed box, which is spawned: it is held
 * until box_let_go(). */
static inline void box_hold(struct troupe_system *system, struct puppet *puppet,
			    struct burst *burst)
{
	puppet_spawn(system, puppet);
	box_close(burst->box);
	puppet_send(puppet, do_burst, burst);
	puppet_send(puppet, do_nothing, NULL);
	box_await_held(system, 1);
	cr_expect_eq(puppet->calls, 1);
}

/* All of the burst comes; ends the system. */
static inline void box_let_go(struct troupe_system *system,
			      struct puppet *puppet, struct burst *burst)
{
	struct box *box = burst->box;

	box_open(box);
	unit_await(&puppet->calls, 2);
	troupe_strong_release(&box->actor);
	puppet_stop(system, puppet, 1);
	box_expect_notes(box, 0, burst->count);
}

#endif
