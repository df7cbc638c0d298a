/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests: each is answered once, whatever becomes of those concerned, by a
 * reply or by an error that says why there is none. Later answers are
 * test_promise.c's.
 */
#include "talk.h"

TestSuite(request, .timeout = 60);

static void talk_expect_error(uint32_t tag, int error)
{
	struct troupe_system *system = talk_start(tag, 1);

	talk_ask(system);
	unit_await(&talk.responses, 1);
	cr_expect_eq(talk.got[0].tag, TROUPE_TAG_ERROR);
	cr_expect_eq(talk.got[0].error, error, "%d", talk.got[0].error);
	cr_expect_eq(talk.asked, 0, "a response is not the behaviour's");
	talk_stop(system);
	cr_expect_eq(talk.responses, 1);
}

Test(request, is_answered_by_a_reply)
{
	struct troupe_system *system = talk_start(SERVE_REPLY, 3);
	uint64_t server = troupe_strong_id(talk.server);

	talk_ask(system);
	unit_await(&talk.responses, 3);
	for (uint64_t i = 0; i < 3; i++) {
		cr_expect_eq(talk.got[i].tag, SERVE_REPLY);
		cr_expect_eq(talk.got[i].value, 2 * i);
		cr_expect_eq(talk.got[i].sender, server);
	}
	cr_expect_eq(talk.asked, 0);
	talk_stop(system);
}

Test(request, not_replied_to_is_no_data)
{
	talk_expect_error(SERVE_NOTHING, -ENODATA);
}

Test(request, to_one_that_quits_instead_is_no_data)
{
	talk_expect_error(SERVE_QUIT, -ENODATA);
}

Test(request, whose_handler_fails_gets_that_error_and_the_server_ends)
{
	struct troupe_strong server;
	struct troupe_system *system = talk_start(SERVE_FAIL, 1);

	server = troupe_strong_clone(talk.server);
	talk_ask(system);
	unit_await(&talk.ended, 2);
	cr_expect_eq(talk.got[0].error, -EIO);
	cr_expect_eq(troupe_send(server, 1, NULL, 0), -ESRCH);
	troupe_strong_release(&server);
	talk_stop(system);
}

Test(request, to_an_ended_actor_is_answered_at_once)
{
	struct troupe_system *system = talk_start(SERVE_REPLY, 2);

	cr_assert_eq(troupe_send(talk.server, SERVE_QUIT, NULL, 0), 0);
	unit_await(&talk.ended, 1);
	cr_assert_eq(troupe_system_await(system), 0);
	talk_ask(system);
	unit_await(&talk.responses, 2);
	cr_expect_eq(talk.got[0].error, -ESRCH);
	cr_expect_eq(talk.got[1].error, -ESRCH);
	talk_stop(system);
}

Test(request, in_the_mailbox_of_one_that_ends_is_answered)
{
	struct troupe_system *system = talk_start(SERVE_REPLY, 2);
	struct unit_gate gate = {0}, *at = &gate;

	cr_assert_eq(troupe_send(talk.server, SERVE_HOLD, &at, sizeof(at)), 0);
	unit_await(&gate.entered, 1);
	cr_assert_eq(troupe_send_urgent(talk.server, SERVE_QUIT, NULL, 0), 0);
	talk_ask(system);
	unit_gate_open(&gate);
	unit_await(&talk.responses, 2);
	cr_expect_eq(talk.got[0].error, -ESRCH);
	cr_expect_eq(talk.got[1].error, -ESRCH);
	talk_stop(system);
}

Test(request, that_is_skipped_is_answered_when_its_holder_ends)
{
	struct troupe_system *system = talk_start(SERVE_SKIP, 2);

	talk_ask(system);
	unit_await(&talk.served, 2);
	cr_expect_eq(talk.responses, 0);
	cr_assert_eq(troupe_send(talk.server, SERVE_QUIT, NULL, 0), 0);
	unit_await(&talk.responses, 2);
	cr_expect_eq(talk.got[0].error, -ESRCH);
	talk_stop(system);
}

Test(request, to_oneself_is_answered)
{
	struct troupe_system *system = unit_start(NULL, 2);

	talk.tag = SERVE_REPLY;
	talk.count = 2;
	talk_ask(system);
	unit_await(&talk.ended, 1);
	cr_expect_eq(talk.responses, 2);
	cr_expect_eq(talk.asked, 2);
	cr_expect_eq(talk.got[1].value, 2);
	unit_stop(system);
}

/* ---- the asker's side -------------------------------------------------- */

Test(request, of_one_that_has_ended_is_dropped)
{
	struct troupe_system *system = talk_start(SERVE_REPLY, 1);
	struct unit_gate gate = {0}, *at = &gate;

	talk.leave = true;
	cr_assert_eq(troupe_send(talk.server, SERVE_HOLD, &at, sizeof(at)), 0);
	talk_ask(system);
	unit_await(&talk.ended, 1);
	unit_gate_open(&gate);
	unit_await(&talk.served, 2);
	cr_expect_eq(talk.reply_result, -ESRCH);
	talk_stop(system);
	cr_expect_eq(talk.responses, 0);
}

Test(request, a_handler_that_fails_ends_its_actor)
{
	struct troupe_system *system = talk_start(SERVE_REPLY, 5);

	talk.result = -EBADMSG;
	talk_ask(system);
	unit_await(&talk.ended, 1);
	talk_stop(system);
	cr_expect_eq(talk.responses, 1, "no other response after that");
}

Test(request, a_handler_cannot_skip)
{
	struct troupe_system *system = talk_start(SERVE_REPLY, 3);

	talk.result = TROUPE_SKIP;
	talk_ask(system);
	unit_await(&talk.responses, 3);
	talk_stop(system);
}

static int wrong_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	struct troupe_strong null = {NULL};

	(void)state;
	(void)argument;
	cr_expect_eq(troupe_request(self, null, 1, NULL, 0, ask_response, NULL),
		     -EINVAL);
	cr_expect_eq(troupe_request(self, talk.server, TROUPE_TAG_ERROR, NULL,
				    0, ask_response, NULL),
		     -EINVAL);
	cr_expect_eq(troupe_request(self, talk.server, 1, NULL, 1, ask_response,
				    NULL),
		     -EINVAL);
	cr_expect_eq(troupe_request(self, talk.server, 1, NULL, 0, NULL, NULL),
		     -EINVAL);
	/* One that is good, by an actor that does not come to be. */
	cr_expect_eq(troupe_request(self, talk.server, SERVE_NOTHING, NULL, 0,
				    ask_response, NULL),
		     0);
	return -EBUSY;
}

Test(request, arguments_are_checked_and_a_failed_init_forgets_its_own)
{
	struct troupe_actor_class wrong_class = asker_class;
	struct troupe_system *system = talk_start(SERVE_REPLY, 0);

	wrong_class.init = wrong_init;
	cr_expect_eq(troupe_spawn(system, &wrong_class, NULL, NULL), -EBUSY);
	troupe_strong_release(&talk.server);
	unit_stop(system);
	cr_expect_eq(talk.served, 1);
	cr_expect_eq(talk.responses, 0);
}
