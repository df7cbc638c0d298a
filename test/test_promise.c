/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Promises: requests that are answered later, out of order, from elsewhere, or
 * never.
 */
#include "talk.h"

TestSuite(promise, .timeout = 60);

Test(promise, many_are_kept_out_of_order)
{
	struct troupe_system *system = talk_start(SERVE_PROMISE, TALK_MAX);

	talk_ask(system);
	unit_await(&talk.served, TALK_MAX);
	cr_expect_eq(talk.responses, 0);
	cr_expect_eq(talk.ended, 0, "what waits for a promise lives");
	cr_assert_eq(troupe_send(talk.server, SERVE_ANSWER, NULL, 0), 0);
	unit_await(&talk.responses, TALK_MAX);
	for (uint64_t i = 0; i < TALK_MAX; i++) {
		cr_expect_eq(talk.got[i].tag, SERVE_PROMISE);
		cr_expect_eq(talk.got[i].value, i);
	}
	talk_stop(system);
}

Test(promise, may_be_given_up)
{
	struct troupe_system *system = talk_start(SERVE_PROMISE, 2);

	talk_ask(system);
	unit_await(&talk.served, 2);
	cr_assert_eq(troupe_send(talk.server, SERVE_GIVE_UP, NULL, 0), 0);
	unit_await(&talk.responses, 2);
	cr_expect_eq(talk.got[0].error, -ECANCELED);
	cr_expect_eq(talk.got[1].error, -ECANCELED);
	talk_stop(system);
}

Test(promise, may_be_kept_by_any_thread)
{
	struct troupe_system *system = talk_start(SERVE_PROMISE, 2);

	talk_ask(system);
	unit_await(&talk.served, 2);
	serve_promises(true);
	unit_await(&talk.responses, 2);
	cr_expect_eq(talk.got[1].value, 1);
	cr_expect_eq(talk.got[1].sender, 0, "from no actor");
	talk_stop(system);
}

Test(promise, outlives_who_gave_it)
{
	struct troupe_system *system = talk_start(SERVE_PROMISE, 1);

	talk_ask(system);
	unit_await(&talk.served, 1);
	troupe_strong_release(&talk.server);
	unit_await(&talk.ended, 1);
	serve_promises(true);
	unit_await(&talk.responses, 1);
	cr_expect_eq(talk.got[0].tag, SERVE_PROMISE);
	talk_stop(system);
}

Test(promise, what_may_not_be_replied_is_refused)
{
	struct troupe_system *system = talk_start(SERVE_WRONG, 1);

	cr_assert_eq(troupe_send(talk.server, SERVE_WRONG, NULL, 0), 0);
	talk_ask(system);
	unit_await(&talk.responses, 1);
	cr_expect_eq(talk.got[0].tag, SERVE_WRONG);
	talk_stop(system);
}

Test(promise, to_one_that_has_ended_is_useless)
{
	struct troupe_system *system = talk_start(SERVE_PROMISE, 1);

	talk.leave = true;
	talk_ask(system);
	unit_await(&talk.served, 1);
	unit_await(&talk.ended, 1);
	cr_assert_eq(troupe_send(talk.server, SERVE_ANSWER, NULL, 0), 0);
	unit_await(&talk.served, 2);
	cr_expect_eq(talk.reply_result, -ESRCH);
	talk_stop(system);
}

Test(promise, may_outlive_the_system)
{
	struct troupe_system *system = talk_start(SERVE_PROMISE, 2);

	talk.leave = true;
	talk_ask(system);
	unit_await(&talk.served, 2);
	troupe_strong_release(&talk.server);
	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_assert_eq(talk.promised, 2);
	cr_expect_eq(troupe_promise_reply(&talk.promises[0], 1, NULL, 0),
		     -ESRCH);
	troupe_promise_release(&talk.promises[1]);
	cr_expect_eq(troupe__live_allocations(), 0);
}
