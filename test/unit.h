/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * unit.h - what the unit tests of the core share
 *
 * Systems that must leave nothing behind, waiting without a fixed time, a
 * gate that holds an actor inside its callback, and the recorder: an actor
 * that writes down what happens to it.
 */
#ifndef UNIT_H
#define UNIT_H

#include "core.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

/* ---- waiting ----------------------------------------------------------- */

/* Far longer than anything here takes: only a hang gets there. */
#define UNIT_PATIENCE UINT64_C(40000000000)

/** Waits until *@count is at least @value. */
static inline void unit_await(_Atomic uint64_t *count, uint64_t value)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	while (atomic_load(count) < value) {
		cr_assert(troupe_now() < end, "waited for %lu, is %lu",
			  (unsigned long)value,
			  (unsigned long)atomic_load(count));
		troupe_sleep(50000);
	}
}

/** Holds who comes through until it is opened. */
struct unit_gate {
	_Atomic uint64_t entered;
	_Atomic uint64_t opened;
};

static inline void unit_gate_pass(struct unit_gate *gate)
{
	atomic_fetch_add(&gate->entered, 1);
	unit_await(&gate->opened, 1);
}

static inline void unit_gate_open(struct unit_gate *gate)
{
	atomic_store(&gate->opened, 1);
}

/* ---- systems ----------------------------------------------------------- */

/** @policy: NULL for the default. */
static inline struct troupe_system *unit_start(const char *policy,
					       uint32_t workers)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system = NULL;
	struct troupe_error error;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy_name = policy;
	config.max_threads = workers;
	cr_assert_eq(troupe_system_create(&config, &error, &system), 0, "%s",
		     error.text);
	return system;
}

/** Ends the system; no handle and no message may be left then. */
static inline void unit_stop(struct troupe_system *system)
{
	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_assert_eq(troupe__live_allocations(), 0, "%lu pieces are left",
		     (unsigned long)troupe__live_allocations());
}

static inline struct troupe_stats unit_stats(const struct troupe_system *system)
{
	struct troupe_stats stats = {.size = sizeof(stats)};

	troupe_system_stats(system, &stats);
	return stats;
}

/* ---- the recorder ------------------------------------------------------ */

enum unit_tag {
	UNIT_NOTE = 1, /* write the payload, an uint64_t, down */
	UNIT_HOLD,     /* stay inside until the gate, a pointer, opens */
	UNIT_QUIT,     /* end with the reason, an int */
	UNIT_FAIL,     /* return the int */
};

#define UNIT_NOTES 128

struct unit_record {
	_Atomic uint64_t handled, exits, destroys;
	_Atomic int reason;
	uint64_t notes[UNIT_NOTES]; /* of UNIT_NOTE, in order */
	uint64_t noted;
};

struct unit_recorder {
	struct unit_record *record;
};

static inline int unit_recorder_init(struct troupe_actor *self, void *state,
				     const void *argument)
{
	struct unit_recorder *recorder = state;

	(void)self;
	recorder->record = (struct unit_record *)(uintptr_t)argument;
	return 0;
}

static inline void unit_note(struct unit_record *record, uint64_t value)
{
	cr_assert_lt(record->noted, UNIT_NOTES);
	record->notes[record->noted++] = value;
}

static inline int unit_recorder_receive(struct troupe_actor *self, void *state,
					const struct troupe_message *message)
{
	struct unit_recorder *recorder = state;
	struct unit_record *record = recorder->record;
	const void *payload = troupe_payload(message);
	int result = 0;

	switch (message->tag) {
	case UNIT_NOTE:
		unit_note(record, *(const uint64_t *)payload);
		break;
	case UNIT_HOLD:
		unit_gate_pass(*(struct unit_gate *const *)payload);
		break;
	case UNIT_QUIT:
		troupe_quit(self, *(const int *)payload);
		break;
	case UNIT_FAIL:
		result = *(const int *)payload;
		break;
	}
	atomic_fetch_add(&record->handled, 1);
	return result;
}

static inline void unit_recorder_exit(struct troupe_actor *self, void *state,
				      int reason)
{
	struct unit_recorder *recorder = state;

	(void)self;
	cr_assert_eq(atomic_load(&recorder->record->destroys), 0);
	atomic_store(&recorder->record->reason, reason);
	atomic_fetch_add(&recorder->record->exits, 1);
}

static inline void unit_recorder_destroy(void *state)
{
	struct unit_recorder *recorder = state;

	cr_assert_eq(atomic_load(&recorder->record->exits), 1);
	atomic_fetch_add(&recorder->record->destroys, 1);
}

/** Its argument is a struct unit_record *. */
static const struct troupe_actor_class unit_recorder_class = {
	.name = "recorder",
	.state_size = sizeof(struct unit_recorder),
	.init = unit_recorder_init,
	.receive = unit_recorder_receive,
	.on_exit = unit_recorder_exit,
	.destroy = unit_recorder_destroy,
};

static inline struct troupe_strong unit_recorder(struct troupe_system *system,
						 struct unit_record *record)
{
	struct troupe_strong actor = {NULL};

	cr_assert_eq(troupe_spawn(system, &unit_recorder_class, record, &actor),
		     0);
	cr_assert(!troupe_strong_is_null(actor));
	return actor;
}

static inline void unit_send_note(struct troupe_strong to, uint64_t value)
{
	cr_assert_eq(troupe_send(to, UNIT_NOTE, &value, sizeof(value)), 0);
}

/** Returns when the actor is inside its callback, and stays there. */
static inline void unit_hold(struct troupe_strong to, struct unit_gate *gate)
{
	cr_assert_eq(troupe_send(to, UNIT_HOLD, &gate, sizeof(gate)), 0);
	unit_await(&gate->entered, 1);
}

static inline void unit_send_quit(struct troupe_strong to, int reason)
{
	cr_assert_eq(troupe_send(to, UNIT_QUIT, &reason, sizeof(reason)), 0);
}

#endif
