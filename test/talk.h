/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * talk.h - one who asks and one who is asked, for the tests of requests
 *
 * The server does with a request what its tag says. The asker makes its
 * requests in init and writes down what it is answered.
 */
#ifndef TALK_H
#define TALK_H

#include "unit.h"

#include <errno.h>

#define TALK_MAX 1000

/* What the server is asked to do. */
enum {
	SERVE_REPLY = 1, /* with twice the value, and once more */
	SERVE_NOTHING,
	SERVE_FAIL, /* return -EIO */
	SERVE_QUIT, /* and not reply */
	SERVE_SKIP,
	SERVE_PROMISE, /* keep it */
	SERVE_ANSWER,  /* all promises, the newest first */
	SERVE_GIVE_UP, /* all promises */
	SERVE_WRONG,   /* what may not be done */
	SERVE_HOLD,    /* until the gate opens */
};

/* Shared by the test, the server and the asker. */
struct talk {
	struct troupe_strong server;
	uint32_t tag;
	uint32_t count;			/* of requests that the asker makes */
	int result;			/* of the handlers */
	bool leave;			/* the asker quits at once */
	_Atomic uint64_t served, asked; /* messages at each */
	_Atomic uint64_t responses;
	_Atomic uint64_t ended; /* asker and server */
	_Atomic int reply_result;
	struct troupe_promise promises[TALK_MAX];
	uint32_t promised;
	struct {
		uint32_t tag;
		uint64_t value; /* of the reply */
		int error;	/* of TROUPE_TAG_ERROR */
		uint64_t sender;
	} got[TALK_MAX];
};

static struct talk talk;

/* ---- the server -------------------------------------------------------- */

static inline void serve_reply(struct troupe_actor *self,
			       const struct troupe_message *message)
{
	uint64_t value = 2 * *(const uint64_t *)troupe_payload(message);
	struct troupe_promise promise;

	atomic_store(&talk.reply_result,
		     troupe_reply(self, message, SERVE_REPLY, &value,
				  sizeof(value)));
	cr_expect_eq(troupe_reply(self, message, SERVE_REPLY, NULL, 0),
		     -EALREADY);
	cr_expect_eq(troupe_promise(self, message, &promise), -EALREADY);
}

static inline void serve_wrong(struct troupe_actor *self,
			       const struct troupe_message *message)
{
	struct troupe_promise promise = {NULL};

	cr_expect_eq(troupe_promise_reply(&promise, 1, NULL, 0), -ENOENT);
	troupe_promise_release(&promise);
	if (message->sender.block == NULL) {
		cr_expect_eq(troupe_reply(self, message, 1, NULL, 0), -ENOENT);
		cr_expect_eq(troupe_promise(self, message, &promise), -ENOENT);
		return;
	}
	cr_expect_eq(troupe_reply(self, message, TROUPE_TAG_RESERVED, NULL, 0),
		     -EINVAL);
	cr_expect_eq(troupe_reply(self, message, 1, NULL, 5), -EINVAL);
	cr_assert_eq(troupe_promise(self, message, &promise), 0);
	cr_expect_eq(troupe_promise_reply(&promise, TROUPE_TAG_ERROR, NULL, 0),
		     -EINVAL);
	cr_expect_eq(troupe_reply(self, message, 1, NULL, 0), -EALREADY);
	cr_expect_eq(troupe_promise_reply(&promise, SERVE_WRONG, NULL, 0), 0);
	cr_expect_eq(troupe_promise_reply(&promise, SERVE_WRONG, NULL, 0),
		     -ENOENT);
}

static inline void serve_promises(bool answer)
{
	while (talk.promised > 0) {
		struct troupe_promise *promise =
			&talk.promises[--talk.promised];
		uint64_t value = talk.promised;

		if (answer)
			talk.reply_result = troupe_promise_reply(
				promise, SERVE_PROMISE, &value, sizeof(value));
		else
			troupe_promise_release(promise);
		cr_expect_null(promise->prepared);
	}
}

static inline int serve(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	int result = 0;

	(void)state;
	switch (message->tag) {
	case SERVE_REPLY:
		serve_reply(self, message);
		break;
	case SERVE_FAIL:
		result = -EIO;
		break;
	case SERVE_QUIT:
		troupe_quit(self, 0);
		break;
	case SERVE_SKIP:
		result = TROUPE_SKIP;
		break;
	case SERVE_PROMISE:
		cr_assert_eq(troupe_promise(self, message,
					    &talk.promises[talk.promised++]),
			     0);
		break;
	case SERVE_ANSWER:
	case SERVE_GIVE_UP:
		serve_promises(message->tag == SERVE_ANSWER);
		break;
	case SERVE_WRONG:
		serve_wrong(self, message);
		break;
	case SERVE_HOLD:
		unit_gate_pass(
			*(struct unit_gate *const *)troupe_payload(message));
		break;
	}
	atomic_fetch_add(&talk.served, 1);
	return result;
}

static inline void talk_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)state;
	(void)reason;
	atomic_fetch_add(&talk.ended, 1);
}

static const struct troupe_actor_class server_class = {
	.name = "server",
	.receive = serve,
	.on_exit = talk_exit,
};

/* ---- the asker --------------------------------------------------------- */

static inline int ask_response(struct troupe_actor *self, void *state,
			       const struct troupe_message *message,
			       void *context)
{
	size_t i = (size_t)(uintptr_t)context;

	(void)self;
	(void)state;
	cr_assert_eq(talk.got[i].tag, 0, "a second response");
	talk.got[i].tag = message->tag;
	talk.got[i].sender = troupe_strong_id(message->sender);
	if (message->tag == TROUPE_TAG_ERROR)
		talk.got[i].error = *(const int *)troupe_payload(message);
	else if (message->size == sizeof(uint64_t))
		talk.got[i].value = *(const uint64_t *)troupe_payload(message);
	atomic_fetch_add(&talk.responses, 1);
	return talk.result;
}

static inline int ask_init(struct troupe_actor *self, void *state,
			   const void *argument)
{
	struct troupe_strong me = troupe_self(self);

	(void)state;
	(void)argument;
	for (uint64_t i = 0; i < talk.count; i++)
		cr_assert_eq(troupe_request(self,
					    talk.server.block != NULL
						    ? talk.server
						    : me,
					    talk.tag, &i, sizeof(i),
					    ask_response, (void *)i),
			     0);
	troupe_strong_release(&me);
	if (talk.leave)
		troupe_quit(self, 0);
	return 0;
}

/* Only what is no response comes here. */
static inline int ask_receive(struct troupe_actor *self, void *state,
			      const struct troupe_message *message)
{
	atomic_fetch_add(&talk.asked, 1);
	return serve(self, state, message);
}

static const struct troupe_actor_class asker_class = {
	.name = "asker",
	.init = ask_init,
	.receive = ask_receive,
	.on_exit = talk_exit,
};

/* ---- one way of being answered ----------------------------------------- */

static inline struct troupe_system *talk_start(uint32_t tag, uint32_t count)
{
	struct troupe_system *system = unit_start(NULL, 2);

	talk.tag = tag;
	talk.count = count;
	cr_assert_eq(troupe_spawn(system, &server_class, NULL, &talk.server),
		     0);
	return system;
}

/* The requests keep the asker until all are answered, and no longer. */
static inline void talk_ask(struct troupe_system *system)
{
	cr_assert_eq(troupe_spawn(system, &asker_class, NULL, NULL), 0);
}

static inline void talk_stop(struct troupe_system *system)
{
	troupe_strong_release(&talk.server);
	unit_stop(system);
	cr_expect_eq(talk.ended, 2);
}

#endif
