/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exit signals: who ends, who gets a message; and what an actor may do while
 * it ends.
 */
#include "puppet.h"

TestSuite(exit_signal, .timeout = 100);

/* ---- sent -------------------------------------------------------------- */

static void do_send_exit(struct troupe_actor *self, struct puppet *puppet,
			 void *argument)
{
	struct puppet *other = argument;

	(void)self;
	puppet->result = troupe_send_exit(other->actor, (int)other->number);
}

static void ends_by(int reason)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	cr_expect_eq(troupe_send_exit(puppets[0].actor, reason), 0);
	puppet_await_running(system, 1);
	cr_expect_eq(puppets[0].reason, reason);
	puppet_stop(system, puppets, 2);
}

Test(exit_signal, ends_one_that_does_not_trap)
{
	ends_by(TROUPE_EXIT_NORMAL);
	ends_by(TROUPE_EXIT_SHUTDOWN);
	ends_by(TROUPE_EXIT_KILL);
	ends_by(-EIO);
	ends_by(31);
}

static void trapped(int reason, bool from_actor)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn_trapping(system, &puppets[1]);
	puppets[1].number = (uint64_t)(int64_t)reason;
	if (from_actor)
		puppet_call(&puppets[0], do_send_exit, &puppets[1]);
	else
		puppets[0].result = troupe_send_exit(puppets[1].actor, reason);
	cr_expect_eq(puppets[0].result, 0);
	puppet_settle(&puppets[1]);
	puppet_expect(&puppets[1], 0, TROUPE_TAG_EXIT,
		      from_actor ? &puppets[0] : NULL, reason);
	cr_expect_str_eq(puppets[1].event[0].ended.text, "");
	puppet_stop(system, puppets, 2);
	cr_expect_eq(puppets[1].events, 1);
}

Test(exit_signal, is_a_message_for_one_that_traps)
{
	for (int from_actor = 0; from_actor < 2; from_actor++) {
		trapped(TROUPE_EXIT_NORMAL, from_actor != 0);
		trapped(TROUPE_EXIT_SHUTDOWN, from_actor != 0);
		trapped(-EIO, from_actor != 0);
		trapped(31, from_actor != 0);
	}
}

Test(exit_signal, kill_is_not_trapped)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppet = {0};

	puppet_spawn_trapping(system, &puppet);
	cr_expect_eq(troupe_send_exit(puppet.actor, TROUPE_EXIT_KILL), 0);
	puppet_await_running(system, 0);
	cr_expect_eq(puppet.reason, TROUPE_EXIT_KILL);
	puppet_stop(system, &puppet, 1);
	cr_expect_eq(puppet.events, 0);
}

Test(exit_signal, to_nobody_and_to_the_dead_is_an_error)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppet = {0};

	cr_expect_eq(troupe_send_exit(puppet.actor, 1), -EINVAL);
	puppet_spawn(system, &puppet);
	puppet_end(system, &puppet, 1);
	cr_expect_eq(troupe_send_exit(puppet.actor, 1), -ESRCH);
	cr_expect_eq(troupe_send_exit(puppet.actor, TROUPE_EXIT_KILL), -ESRCH);
	puppet_stop(system, &puppet, 1);
}

Test(exit_signal, to_oneself_works)
{
	for (int trapping = 0; trapping < 2; trapping++) {
		struct troupe_system *system = unit_start(NULL, 1);
		struct puppet puppet = {0};

		puppet_spawn_class(system,
				   trapping != 0 ? &puppet_trapping_class
						 : &puppet_class,
				   &puppet);
		puppet.number = 14;
		puppet_call(&puppet, do_send_exit, &puppet);
		cr_expect_eq(puppet.result, 0);
		if (trapping != 0) {
			puppet_settle(&puppet);
			puppet_expect(&puppet, 0, TROUPE_TAG_EXIT, &puppet, 14);
		} else {
			puppet_await_running(system, 0);
			cr_expect_eq(puppet.reason, 14);
		}
		puppet_stop(system, &puppet, 1);
	}
}

static void do_trap(struct troupe_actor *self, struct puppet *puppet,
		    void *argument)
{
	(void)puppet;
	troupe_trap_exit(self, *(bool *)argument);
}

Test(exit_signal, trapping_goes_on_and_off)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_call(&puppets[0], do_trap, &(bool){true});
	cr_expect_eq(troupe_send_exit(puppets[0].actor, 2), 0);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_EXIT, NULL, 2);
	puppet_call(&puppets[0], do_trap, &(bool){false});
	cr_expect_eq(troupe_send_exit(puppets[0].actor, 3), 0);
	puppet_await_running(system, 0);
	cr_expect_eq(puppets[0].reason, 3);
	/* And off for one that is of a trapping class. */
	puppets[1].on_init = do_trap;
	puppets[1].argument = &(bool){false};
	puppet_spawn_trapping(system, &puppets[1]);
	cr_expect_eq(troupe_send_exit(puppets[1].actor, 4), 0);
	puppet_await_running(system, 0);
	cr_expect_eq(puppets[1].reason, 4);
	puppet_stop(system, puppets, 2);
}

static void do_hold(struct troupe_actor *self, struct puppet *puppet,
		    void *argument)
{
	(void)self;
	(void)puppet;
	unit_gate_pass(argument);
}

Test(exit_signal, goes_before_what_waits)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_gate gate = {0};
	struct puppet puppet = {0};

	puppet_spawn(system, &puppet);
	puppet_send(&puppet, do_hold, &gate);
	unit_await(&gate.entered, 1);
	/* In the same run, as far as it has looked: not before those. */
	for (int i = 0; i < 100; i++)
		puppet_send(&puppet, do_nothing, NULL);
	cr_expect_eq(troupe_send_exit(puppet.actor, 5), 0);
	unit_gate_open(&gate);
	puppet_await_running(system, 0);
	cr_expect_eq(puppet.reason, 5);
	cr_expect_eq(puppet.calls, 1);
	puppet_stop(system, &puppet, 1);
}

static void do_quit_twice(struct troupe_actor *self, struct puppet *puppet,
			  void *argument)
{
	(void)puppet;
	(void)argument;
	troupe_quit_text(self, 1, "first");
	troupe_quit_text(self, 2, "second");
	troupe_quit(self, 3);
	cr_assert_eq(troupe_send_exit(((struct puppet *)argument)->actor, 4),
		     0);
}

Test(exit_signal, the_first_reason_stays)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_send(&puppets[1], do_quit_twice, &puppets[1]);
	puppet_await_running(system, 1);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], 1);
	cr_expect_str_eq(puppets[0].event[0].ended.text, "first");
	puppet_stop(system, puppets, 2);
}

/* ---- while it ends ----------------------------------------------------- */

static int no_response(struct troupe_actor *self, void *state,
		       const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)message;
	atomic_fetch_add((_Atomic uint64_t *)context, 1);
	return 0;
}

static _Atomic uint64_t responses;

/* All that a callback may do; most has no effect on one that ends. */
static void do_much(struct troupe_actor *self, struct puppet *puppet,
		    void *argument)
{
	struct puppet *others = argument;
	struct troupe_strong me = troupe_self(self);
	uint64_t number;

	cr_expect_eq(troupe_send(others[0].actor, 1, NULL, 0), 0);
	cr_expect_eq(troupe_send(me, 1, NULL, 0), -ESRCH);
	cr_expect_eq(troupe_send_exit(me, 1), -ESRCH);
	cr_expect_eq(troupe_request(self, others[0].actor, 1, NULL, 0,
				    no_response, &responses),
		     0);
	cr_expect_eq(
		troupe_request(self, me, 1, NULL, 0, no_response, &responses),
		0);
	cr_expect_eq(troupe_monitor(self, others[0].actor, &number), 0);
	cr_expect_eq(troupe_demonitor(self, number), 0);
	cr_expect_eq(troupe_monitor(self, others[0].actor, &number), 0);
	cr_expect_eq(troupe_link(self, others[0].actor), 0);
	cr_expect_eq(troupe_unlink(self, others[0].actor), 0);
	cr_expect_eq(troupe_blocking_begin(), 0);
	troupe_blocking_end();
	troupe_quit_text(self, 99, "too late");
	troupe_become(self, puppet_receive);
	troupe_trap_exit(self, true);
	puppet->number = troupe_self_worker(self);
	puppet_spawn(troupe_self_system(self), &others[1]);
	troupe_strong_release(&me);
}

Test(exit_signal, on_exit_may_do_much)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[4] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[3]);
	puppets[2].on_exit = do_much;
	puppets[2].argument = &puppets[0];
	puppet_spawn(system, &puppets[2]);
	puppet_call(&puppets[3], do_monitor, &puppets[2]);
	puppet_send(&puppets[2], do_quit_text, (void *)(uintptr_t) "in time");
	unit_await(&puppets[2].destroys, 1);
	puppet_await_running(system, 3);
	/* The worker is the one that it was, and there is only one of it. */
	cr_expect_lt(puppets[2].number, 2);
	puppet_settle(&puppets[0]);
	cr_expect_not(puppet_ended(&puppets[0]));
	cr_expect_null(actor_observers(block_actor(puppets[0].actor.block)));
	puppet_settle(&puppets[1]);
	puppet_settle(&puppets[3]);
	cr_expect_eq(puppets[3].events, 1);
	puppet_expect(&puppets[3], 0, TROUPE_TAG_DOWN, &puppets[2], 77);
	cr_expect_str_eq(puppets[3].event[0].ended.text, "in time");
	puppet_stop(system, puppets, 4);
	cr_expect_eq(responses, 0);
}

/* ---- requests to those that end ---------------------------------------- */

static _Atomic int request_error;

static int note_error(struct troupe_actor *self, void *state,
		      const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	cr_assert_eq(message->tag, TROUPE_TAG_ERROR);
	atomic_store(&request_error, *(const int *)troupe_payload(message));
	atomic_fetch_add((_Atomic uint64_t *)context, 1);
	return 0;
}

static void do_request(struct troupe_actor *self, struct puppet *puppet,
		       void *argument)
{
	struct puppet *other = argument;

	(void)puppet;
	cr_assert_eq(troupe_request(self, other->actor, 1, NULL, 0, note_error,
				    &responses),
		     0);
}

Test(exit_signal, requests_to_the_dead_and_the_dying_are_answered)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	struct unit_gate gate = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_send(&puppets[1], do_hold, &gate);
	unit_await(&gate.entered, 1);
	for (int i = 0; i < 100; i++)
		puppet_call(&puppets[0], do_request, &puppets[1]);
	cr_expect_eq(troupe_send_exit(puppets[1].actor, TROUPE_EXIT_KILL), 0);
	unit_gate_open(&gate);
	unit_await(&responses, 100);
	cr_expect_eq(request_error, -ESRCH);
	puppet_await_running(system, 1);
	for (int i = 0; i < 100; i++)
		puppet_call(&puppets[0], do_request, &puppets[1]);
	unit_await(&responses, 200);
	cr_expect_eq(request_error, -ESRCH);
	puppet_stop(system, puppets, 2);
	cr_expect_eq(responses, 200);
}

Test(exit_signal, requests_to_the_dead_leave_nothing)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	uint64_t before;

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_end(system, &puppets[1], 0);
	puppet_call(&puppets[0], do_request, &puppets[1]);
	unit_await(&responses, 1);
	puppet_settle(&puppets[0]);
	before = troupe__live_allocations();
	for (uint64_t i = 2; i < 1000; i++) {
		puppet_call(&puppets[0], do_request, &puppets[1]);
		unit_await(&responses, i);
	}
	puppet_settle(&puppets[0]);
	cr_expect_leq(troupe__live_allocations(), before + 1);
	puppet_stop(system, puppets, 2);
}
