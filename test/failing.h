/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * failing.h - an actor that fails as it is told, in classes of each kind
 *
 * There is memory in its state for as long as there is a state.
 */
#ifndef FAILING_H
#define FAILING_H

#include "puppet.h"

enum {
	FAILING_NOTE = 1, /* adds its payload, an uint64_t, to the sum */
	FAILING_FAIL,	  /* returns its payload, an int */
	FAILING_SKIP,	  /* skipped by the first behaviour */
	FAILING_BECOME,
	FAILING_REQUEST, /* asks itself: FAILING_LATE */
	FAILING_LATE,
	FAILING_ANSWER, /* what is kept */
	FAILING_QUIT,	/* quits with 5 and returns -EIO */
};

/* What becomes of the actors of a test, over all their lives. */
static struct failing {
	_Atomic uint64_t inits, exits, destroys, handled, responses, skipped;
	_Atomic uint64_t sum; /* of the state that is there */
	_Atomic int reason, init_result, response_result;
	_Atomic bool argument; /* init was given one */
	struct troupe_promise promise;
} failing;

struct failing_state {
	uint64_t sum;
	void *memory; /* there is some while there is a state */
};

static inline int failing_init(struct troupe_actor *self, void *state,
			       const void *argument)
{
	struct failing_state *failing_state = state;
	struct troupe_strong me = troupe_self(self);

	atomic_fetch_add(&failing.inits, 1);
	atomic_store(&failing.argument, argument != NULL);
	cr_expect_eq(failing_state->sum, 0);
	cr_expect_null(failing_state->memory);
	troupe_strong_release(&me);
	if (failing.init_result != 0)
		return failing.init_result;
	failing_state->memory = troupe__alloc(10);
	return 0;
}

static inline int failing_response(struct troupe_actor *self, void *state,
				   const struct troupe_message *message,
				   void *context)
{
	(void)self;
	(void)state;
	(void)message;
	(void)context;
	atomic_fetch_add(&failing.responses, 1);
	return failing.response_result;
}

static inline int failing_receive(struct troupe_actor *self, void *state,
				  const struct troupe_message *message);

/* The second behaviour: it knows what the first one skips. */
static inline int failing_second(struct troupe_actor *self, void *state,
				 const struct troupe_message *message)
{
	if (message->tag != FAILING_SKIP)
		return failing_receive(self, state, message);
	atomic_fetch_add(&failing.skipped, 1);
	return 0;
}

static inline int failing_request(struct troupe_actor *self)
{
	struct troupe_strong me = troupe_self(self);
	int result = troupe_request(self, me, FAILING_LATE, NULL, 0,
				    failing_response, NULL);

	troupe_strong_release(&me);
	return result;
}

static inline int failing_receive(struct troupe_actor *self, void *state,
				  const struct troupe_message *message)
{
	struct failing_state *failing_state = state;
	const void *payload = troupe_payload(message);

	cr_assert_not_null(failing_state->memory);
	switch (message->tag) {
	case FAILING_NOTE:
		failing_state->sum += *(const uint64_t *)payload;
		atomic_store(&failing.sum, failing_state->sum);
		break;
	case FAILING_FAIL:
		atomic_fetch_add(&failing.handled, 1);
		return *(const int *)payload;
	case FAILING_SKIP:
		return TROUPE_SKIP;
	case FAILING_BECOME:
		troupe_become(self, failing_second);
		break;
	case FAILING_REQUEST:
		cr_expect_eq(failing_request(self), 0);
		break;
	case FAILING_LATE:
		cr_expect_eq(troupe_promise(self, message, &failing.promise),
			     0);
		break;
	case FAILING_ANSWER:
		cr_expect_eq(troupe_promise_reply(&failing.promise, 1, NULL, 0),
			     0);
		break;
	case FAILING_QUIT:
		troupe_quit(self, 5);
		return -EIO;
	case TROUPE_TAG_DOWN:
	case TROUPE_TAG_EXIT:
		return -EBADMSG;
	}
	atomic_fetch_add(&failing.handled, 1);
	return 0;
}

static inline void failing_exit(struct troupe_actor *self, void *state,
				int reason)
{
	(void)self;
	cr_expect_not_null(((struct failing_state *)state)->memory);
	atomic_store(&failing.reason, reason);
	atomic_fetch_add(&failing.exits, 1);
}

static inline void failing_destroy(void *state)
{
	struct failing_state *failing_state = state;

	cr_expect_not_null(failing_state->memory);
	troupe__free(failing_state->memory);
	atomic_fetch_add(&failing.destroys, 1);
}

#define FAILING_CLASS(of, with)                             \
	static const struct troupe_actor_class of = {       \
		.name = #of,                                \
		.state_size = sizeof(struct failing_state), \
		.flags = with,                              \
		.init = failing_init,                       \
		.receive = failing_receive,                 \
		.on_exit = failing_exit,                    \
		.destroy = failing_destroy,                 \
	}

FAILING_CLASS(default_class, 0);
FAILING_CLASS(ignore_class, TROUPE_CLASS_FAIL_IGNORE);
FAILING_CLASS(restart_class, TROUPE_CLASS_FAIL_RESTART);
FAILING_CLASS(restart_kept_class,
	      TROUPE_CLASS_FAIL_RESTART | TROUPE_CLASS_KEEP_STATE);
FAILING_CLASS(stop_class, TROUPE_CLASS_FAIL_STOP);
FAILING_CLASS(ignore_trapping_class,
	      TROUPE_CLASS_FAIL_IGNORE | TROUPE_CLASS_TRAP_EXIT);
FAILING_CLASS(restart_trapping_class,
	      TROUPE_CLASS_FAIL_RESTART | TROUPE_CLASS_TRAP_EXIT);

static inline struct troupe_strong
failing_spawn(struct troupe_system *system, const struct troupe_actor_class *of)
{
	struct troupe_strong actor = {NULL};

	cr_assert_eq(troupe_spawn(system, of, "argument", &actor), 0);
	cr_expect(failing.argument);
	return actor;
}

static inline void failing_note(struct troupe_strong to, uint64_t value)
{
	cr_assert_eq(troupe_send(to, FAILING_NOTE, &value, sizeof(value)), 0);
}

static inline void failing_fail(struct troupe_strong to, int error)
{
	cr_assert_eq(troupe_send(to, FAILING_FAIL, &error, sizeof(error)), 0);
}

static inline void failing_tell(struct troupe_strong to, uint32_t tag)
{
	cr_assert_eq(troupe_send(to, tag, NULL, 0), 0);
}

#endif
