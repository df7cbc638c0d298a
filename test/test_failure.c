/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A behaviour returns an error: what happens then is its class's choice.
 */
#include "failing.h"

TestSuite(failure, .timeout = 100);

/* ---- the default, and to ignore it ------------------------------------- */

Test(failure, ends_the_actor_by_default)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = failing_spawn(system, &default_class);

	failing_note(actor, 3);
	failing_fail(actor, -EIO);
	unit_await(&failing.destroys, 1);
	cr_expect_eq(failing.reason, -EIO);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(failing.inits, 1);
	cr_expect_eq(failing.exits, 1);
}

Test(failure, may_be_ignored)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = failing_spawn(system, &ignore_class);

	failing_note(actor, 3);
	failing_fail(actor, -EIO);
	failing_note(actor, 4);
	unit_await(&failing.handled, 3);
	cr_expect_eq(failing.sum, 7);
	failing.response_result = -EIO;
	failing_tell(actor, FAILING_REQUEST);
	unit_await(&failing.handled, 5);
	failing_tell(actor, FAILING_ANSWER);
	unit_await(&failing.responses, 1);
	failing_note(actor, 5);
	unit_await(&failing.handled, 7);
	cr_expect_eq(failing.sum, 12);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(failing.reason, TROUPE_EXIT_NORMAL);
	cr_expect_eq(failing.inits, 1);
}

static struct failing_late {
	_Atomic uint64_t count;
	_Atomic int error;
} late;

static int late_response(struct troupe_actor *self, void *state,
			 const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)context;
	cr_expect_eq(message->tag, TROUPE_TAG_ERROR);
	late.error = *(const int *)troupe_payload(message);
	atomic_fetch_add(&late.count, 1);
	return 0;
}

static void do_ask_to_fail(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	int error = -EXDEV;

	(void)puppet;
	cr_assert_eq(troupe_request(self, *(struct troupe_strong *)argument,
				    FAILING_FAIL, &error, sizeof(error),
				    late_response, NULL),
		     0);
}

Test(failure, answers_the_request_with_the_error)
{
	const struct troupe_actor_class *classes[] = {
		&default_class, &ignore_class, &restart_class};
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};

	puppet_spawn(system, &puppet);
	for (uint64_t i = 0; i < 3; i++) {
		struct troupe_strong actor = failing_spawn(system, classes[i]);

		late.error = 0;
		puppet_call(&puppet, do_ask_to_fail, &actor);
		unit_await(&late.count, i + 1);
		cr_expect_eq(late.error, -EXDEV);
		troupe_strong_release(&actor);
	}
	puppet_stop(system, &puppet, 1);
}

/* ---- restart ----------------------------------------------------------- */

Test(failure, may_restart_with_a_fresh_state)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = failing_spawn(system, &restart_class);
	uint64_t id = troupe_strong_id(actor);

	failing_note(actor, 3);
	failing_fail(actor, -EIO);
	failing_note(actor, 4);
	unit_await(&failing.handled, 3);
	cr_expect_eq(failing.sum, 4);
	cr_expect_eq(failing.inits, 2);
	cr_expect_not(failing.argument);
	cr_expect_eq(failing.destroys, 1);
	cr_expect_eq(failing.exits, 0);
	cr_expect_eq(troupe_strong_id(actor), id);
	for (int i = 0; i < 1000; i++)
		failing_fail(actor, -EIO);
	failing_note(actor, 5);
	unit_await(&failing.handled, 1004);
	cr_expect_eq(failing.sum, 5);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(failing.inits, 1002);
	cr_expect_eq(failing.destroys, 1002);
	cr_expect_eq(failing.exits, 1);
}

Test(failure, a_restart_keeps_the_mailbox_and_starts_with_the_first_behaviour)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = failing_spawn(system, &restart_class);

	failing_tell(actor, FAILING_SKIP);
	failing_tell(actor, FAILING_SKIP);
	failing_fail(actor, -EIO);
	failing_note(actor, 1);
	unit_await(&failing.handled, 2);
	cr_expect_eq(failing.skipped, 0);
	/* The first behaviour, again, has skipped them again. */
	failing_tell(actor, FAILING_BECOME);
	unit_await(&failing.skipped, 2);
	failing_fail(actor, -EIO);
	failing_tell(actor, FAILING_SKIP);
	failing_note(actor, 1);
	unit_await(&failing.handled, 5);
	cr_expect_eq(failing.skipped, 2);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(failing.skipped, 2);
}

Test(failure, a_restart_keeps_monitors_and_links)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	struct puppet target = {0};

	puppet_spawn_trapping(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	target.actor = failing_spawn(system, &restart_class);
	target.id = troupe_strong_id(target.actor);
	puppet_call(&puppets[0], do_link, &target);
	puppet_call(&puppets[1], do_monitor, &target);
	failing_fail(target.actor, -EIO);
	failing_note(target.actor, 1);
	unit_await(&failing.handled, 2);
	puppet_settle(&puppets[0]);
	puppet_settle(&puppets[1]);
	cr_expect_eq(puppets[0].events + puppets[1].events, 0);
	cr_assert_eq(troupe_send_exit(target.actor, 9), 0);
	puppet_await_running(system, 2);
	puppet_settle(&puppets[0]);
	puppet_settle(&puppets[1]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_EXIT, &target, 9);
	puppet_expect(&puppets[1], 0, TROUPE_TAG_DOWN, &target, 9);
	troupe_strong_release(&target.actor);
	puppet_stop(system, puppets, 2);
}

Test(failure, responses_to_the_old_state_do_not_reach_the_new_one)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = failing_spawn(system, &restart_class);

	failing_tell(actor, FAILING_REQUEST);
	unit_await(&failing.handled, 2);
	failing_fail(actor, -EIO);
	failing_tell(actor, FAILING_ANSWER);
	failing_note(actor, 1);
	unit_await(&failing.handled, 5);
	cr_expect_eq(failing.responses, 0);
	/* The new one's own do. */
	failing_tell(actor, FAILING_REQUEST);
	unit_await(&failing.handled, 7);
	failing_tell(actor, FAILING_ANSWER);
	unit_await(&failing.responses, 1);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(failing.responses, 1);
}

static void restart_fails(const struct troupe_actor_class *of, int result,
			  int reason)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};
	struct puppet target = {0};

	failing = (struct failing){0};
	puppet_spawn(system, &puppet);
	target.actor = failing_spawn(system, of);
	target.id = troupe_strong_id(target.actor);
	puppet_call(&puppet, do_monitor, &target);
	failing_note(target.actor, 1);
	unit_await(&failing.handled, 1);
	failing.init_result = result;
	failing_fail(target.actor, -EIO);
	puppet_await_running(system, 1);
	puppet_settle(&puppet);
	puppet_expect(&puppet, 0, TROUPE_TAG_DOWN, &target, reason);
	troupe_strong_release(&target.actor);
	puppet_stop(system, &puppet, 1);
	cr_expect_eq(failing.inits, 2);
	cr_expect_eq(failing.destroys, 1);
	cr_expect_eq(failing.exits, 0);
}

Test(failure, an_actor_ends_whose_restart_fails)
{
	restart_fails(&restart_class, -EPIPE, -EPIPE);
	restart_fails(&restart_kept_class, -EPIPE, -EPIPE);
	restart_fails(&restart_class, 3, -EINVAL);
}

Test(failure, one_that_has_quit_is_not_restarted)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = failing_spawn(system, &restart_class);

	failing_tell(actor, FAILING_QUIT);
	unit_await(&failing.destroys, 1);
	cr_expect_eq(failing.reason, 5);
	cr_expect_eq(failing.inits, 1);
	troupe_strong_release(&actor);
	unit_stop(system);
}

Test(failure, in_a_response_and_in_news_of_an_end_is_the_same)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor =
		failing_spawn(system, &restart_trapping_class);

	failing.response_result = -EIO;
	failing_tell(actor, FAILING_REQUEST);
	unit_await(&failing.handled, 2);
	failing_tell(actor, FAILING_ANSWER);
	unit_await(&failing.inits, 2);
	cr_expect_eq(failing.responses, 1);
	cr_assert_eq(troupe_send_exit(actor, 1), 0);
	unit_await(&failing.inits, 3);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(failing.reason, TROUPE_EXIT_NORMAL);
	cr_expect_eq(failing.destroys, 3);
}

/* ---- stop -------------------------------------------------------------- */

Test(failure, may_stop_the_system)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_strong actor = failing_spawn(system, &stop_class);
	struct puppet puppets[3] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_spawn_trapping(system, &puppets[2]);
	puppet_call(&puppets[2], do_nothing, NULL);
	failing_fail(actor, -EIO);
	/* The one that traps hears of it, and may take its time. */
	puppet_await_running(system, 1);
	unit_await(&puppets[2].events, 1);
	puppet_expect(&puppets[2], 0, TROUPE_TAG_EXIT, NULL,
		      TROUPE_EXIT_SHUTDOWN);
	cr_expect_eq(failing.reason, -EIO);
	cr_expect_eq(puppets[0].reason, TROUPE_EXIT_SHUTDOWN);
	cr_expect_eq(puppets[1].reason, TROUPE_EXIT_SHUTDOWN);
	cr_expect_eq(troupe_spawn(system, &puppet_class, &puppets[0], NULL),
		     -ESHUTDOWN);
	puppet_end(system, &puppets[2], 4);
	troupe_strong_release(&actor);
	puppet_stop(system, puppets, 3);
}

/* ---- while the system stops -------------------------------------------- */

Test(failure, while_it_is_told_to_end_is_its_end)
{
	const struct troupe_actor_class *classes[] = {&restart_trapping_class,
						      &ignore_trapping_class};

	for (int i = 0; i < 2; i++) {
		struct troupe_system *system = unit_start(NULL, 1);
		struct troupe_strong actor;

		failing = (struct failing){0};
		actor = failing_spawn(system, classes[i]);
		/* Both return an error to it. */
		if (i == 0) {
			cr_expect_eq(troupe_system_stop(system, UNIT_PATIENCE,
							0, NULL, NULL),
				     0);
			cr_expect_eq(failing.reason, -EBADMSG);
		} else {
			cr_expect_eq(troupe_system_stop(system, 1000000, 0,
							NULL, NULL),
				     -ETIMEDOUT);
			cr_expect_eq(failing.exits, 0);
			cr_expect_eq(troupe_system_stop(system, UNIT_PATIENCE,
							TROUPE_STOP_KILL, NULL,
							NULL),
				     0);
			cr_expect_eq(failing.reason, TROUPE_EXIT_SHUTDOWN);
		}
		cr_expect_eq(failing.inits, 1);
		troupe_strong_release(&actor);
		unit_stop(system);
	}
}
