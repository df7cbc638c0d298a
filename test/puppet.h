/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * puppet.h - an actor that does what the test tells it, step by step
 *
 * puppet_call() runs a function as the puppet, in a callback of it, and comes
 * back when the callback has. What the puppet hears of other actors' ends it
 * writes down.
 */
#ifndef PUPPET_H
#define PUPPET_H

#include "extra.h"
#include "troupe_registry.h"
#include "unit.h"

#include <errno.h>

#define PUPPET_EVENTS 256

enum {
	PUPPET_CALL = 100,
	PUPPET_FAIL, /* returns its payload, an int */
};

struct puppet;

/** Runs as @puppet. */
typedef void (*puppet_fn)(struct troupe_actor *self, struct puppet *puppet,
			  void *argument);

struct puppet {
	struct troupe_strong actor;
	uint64_t id;
	int result;	 /* of the last call, where it has one */
	uint64_t number; /* likewise */
	puppet_fn on_init, on_exit;
	void *argument; /* of those two */
	bool skips;	/* what it hears of ends, until it is called again */
	_Atomic uint64_t calls, inits, exits, destroys;
	_Atomic uint64_t events;
	_Atomic int reason;
	struct {
		uint32_t tag;
		uint64_t sender; /* id */
		struct troupe_ended ended;
	} event[PUPPET_EVENTS];
};

struct puppet_call {
	puppet_fn run;
	void *argument;
};

struct puppet_state {
	struct puppet *puppet;
};

static inline int puppet_init(struct troupe_actor *self, void *state,
			      const void *argument)
{
	struct puppet *puppet = (struct puppet *)(uintptr_t)argument;

	((struct puppet_state *)state)->puppet = puppet;
	if (puppet->on_init != NULL)
		puppet->on_init(self, puppet, puppet->argument);
	atomic_fetch_add(&puppet->inits, 1);
	return 0;
}

static inline void puppet_hears(struct puppet *puppet,
				const struct troupe_message *message)
{
	uint64_t at = atomic_load(&puppet->events);

	cr_assert_lt(at, PUPPET_EVENTS);
	cr_assert_eq(message->size, sizeof(struct troupe_ended));
	puppet->event[at].tag = message->tag;
	puppet->event[at].sender = troupe_strong_id(message->sender);
	memcpy(&puppet->event[at].ended, troupe_payload(message),
	       sizeof(struct troupe_ended));
	atomic_store(&puppet->events, at + 1);
}

static inline int puppet_receive(struct troupe_actor *self, void *state,
				 const struct troupe_message *message)
{
	struct puppet *puppet = ((struct puppet_state *)state)->puppet;
	struct puppet_call call;

	switch (message->tag) {
	case PUPPET_CALL:
		memcpy(&call, troupe_payload(message), sizeof(call));
		call.run(self, puppet, call.argument);
		atomic_fetch_add(&puppet->calls, 1);
		return 0;
	case TROUPE_TAG_DOWN:
	case TROUPE_TAG_EXIT:
		if (puppet->skips)
			return TROUPE_SKIP;
		puppet_hears(puppet, message);
		return 0;
	case PUPPET_FAIL:
		return *(const int *)troupe_payload(message);
	default:
		return 0;
	}
}

static inline void puppet_exit(struct troupe_actor *self, void *state,
			       int reason)
{
	struct puppet *puppet = ((struct puppet_state *)state)->puppet;

	atomic_store(&puppet->reason, reason);
	if (puppet->on_exit != NULL)
		puppet->on_exit(self, puppet, puppet->argument);
	atomic_fetch_add(&puppet->exits, 1);
}

static inline void puppet_destroy(void *state)
{
	atomic_fetch_add(&((struct puppet_state *)state)->puppet->destroys, 1);
}

static const struct troupe_actor_class puppet_class = {
	.name = "puppet",
	.state_size = sizeof(struct puppet_state),
	.init = puppet_init,
	.receive = puppet_receive,
	.on_exit = puppet_exit,
	.destroy = puppet_destroy,
};

static const struct troupe_actor_class puppet_trapping_class = {
	.name = "trapping puppet",
	.state_size = sizeof(struct puppet_state),
	.flags = TROUPE_CLASS_TRAP_EXIT,
	.init = puppet_init,
	.receive = puppet_receive,
	.on_exit = puppet_exit,
	.destroy = puppet_destroy,
};

static inline void puppet_spawn_class(struct troupe_system *system,
				      const struct troupe_actor_class *of,
				      struct puppet *puppet)
{
	cr_assert_eq(troupe_spawn(system, of, puppet, &puppet->actor), 0);
	puppet->id = troupe_strong_id(puppet->actor);
}

static inline void puppet_spawn(struct troupe_system *system,
				struct puppet *puppet)
{
	puppet_spawn_class(system, &puppet_class, puppet);
}

static inline void puppet_spawn_trapping(struct troupe_system *system,
					 struct puppet *puppet)
{
	puppet_spawn_class(system, &puppet_trapping_class, puppet);
}

/** Does not wait for it. */
static inline void puppet_send(struct puppet *puppet, puppet_fn run,
			       void *argument)
{
	struct puppet_call call = {run, argument};

	cr_assert_eq(
		troupe_send(puppet->actor, PUPPET_CALL, &call, sizeof(call)),
		0);
}

static inline void puppet_call(struct puppet *puppet, puppet_fn run,
			       void *argument)
{
	uint64_t before = atomic_load(&puppet->calls);

	puppet_send(puppet, run, argument);
	unit_await(&puppet->calls, before + 1);
}

/** Waits until nothing is left of all actors but @count: who monitored one of
 * the others has its message by then. */
static inline void puppet_await_running(struct troupe_system *system,
					uint64_t count)
{
	cr_assert_eq(
		troupe_registry_await_running(troupe_system_registry(system),
					      count, UNIT_PATIENCE),
		0);
}

/* ---- what puppets do --------------------------------------------------- */

static inline void do_nothing(struct troupe_actor *self, struct puppet *puppet,
			      void *argument)
{
	(void)self;
	(void)puppet;
	(void)argument;
}

/** @argument: a puppet. */
static inline void do_monitor(struct troupe_actor *self, struct puppet *puppet,
			      void *argument)
{
	struct puppet *other = argument;

	puppet->result = troupe_monitor(self, other->actor, &puppet->number);
}

/** @argument: an uint64_t. */
static inline void do_demonitor(struct troupe_actor *self,
				struct puppet *puppet, void *argument)
{
	puppet->result = troupe_demonitor(self, *(uint64_t *)argument);
}

static inline void do_link(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	struct puppet *other = argument;

	puppet->result = troupe_link(self, other->actor);
}

static inline void do_unlink(struct troupe_actor *self, struct puppet *puppet,
			     void *argument)
{
	struct puppet *other = argument;

	puppet->result = troupe_unlink(self, other->actor);
}

/** @argument: an int. */
static inline void do_quit(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	(void)puppet;
	troupe_quit(self, *(int *)argument);
}

/** @argument: text; the reason is 77. */
static inline void do_quit_text(struct troupe_actor *self,
				struct puppet *puppet, void *argument)
{
	(void)puppet;
	troupe_quit_text(self, 77, argument);
}

/* ---- seen from outside ------------------------------------------------- */

/** Lets it end with @reason and waits for that; the handle stays. */
static inline void puppet_end(struct troupe_system *system,
			      struct puppet *puppet, int reason)
{
	uint64_t running =
		troupe_registry_running(troupe_system_registry(system));

	puppet_send(puppet, do_quit, &reason);
	puppet_await_running(system, running - 1);
	cr_expect_eq(puppet->reason, reason);
}

/** All that was sent to it before has been handled. */
static inline void puppet_settle(struct puppet *puppet)
{
	puppet_call(puppet, do_nothing, NULL);
}

static inline bool puppet_ended(const struct puppet *puppet)
{
	return atomic_load(&puppet->exits) != 0;
}

/** The only @at-th event is the end of @other. */
static inline void puppet_expect(const struct puppet *puppet, uint64_t at,
				 uint32_t tag, const struct puppet *other,
				 int reason)
{
	cr_assert_gt(atomic_load(&puppet->events), at);
	cr_expect_eq(puppet->event[at].tag, tag);
	cr_expect_eq(puppet->event[at].sender, 0);
	cr_expect_eq(puppet->event[at].ended.actor,
		     other != NULL ? other->id : 0);
	cr_expect_eq(puppet->event[at].ended.reason, reason, "%d, not %d",
		     puppet->event[at].ended.reason, reason);
	if (tag == TROUPE_TAG_EXIT)
		cr_expect_eq(puppet->event[at].ended.monitor, 0);
	else
		cr_expect_neq(puppet->event[at].ended.monitor, 0);
}

/** Frees the handles and the system. */
static inline void puppet_stop(struct troupe_system *system,
			       struct puppet *puppets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		troupe_strong_release(&puppets[i].actor);
	unit_stop(system);
	for (size_t i = 0; i < count; i++) {
		cr_expect_eq(puppets[i].exits, 1);
		cr_expect_eq(puppets[i].destroys, 1);
	}
}

#endif
