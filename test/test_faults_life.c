/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Out of memory around the life of an actor: links are undone all or none, to
 * be observed and to hear of an end needs nothing, limits and stops say so.
 */
#include "faults.h"
#include "puppet.h"

TestSuite(faults_life, .timeout = 100, .init = faults_start);

/* ---- undoing links ----------------------------------------------------- */

struct unlinking {
	struct puppet *other;
	uint32_t left; /* allocations that succeed */
};

static void do_unlink_faulty(struct troupe_actor *self, struct puppet *puppet,
			     void *argument)
{
	struct unlinking *unlinking = argument;

	faults = (struct faults){.armed = true,
				 .point = TROUPE__POINT_ALLOC,
				 .left = unlinking->left};
	puppet->result = troupe_unlink(self, unlinking->other->actor);
	faults = (struct faults){0};
}

static void unlink_with(uint32_t left, bool fails)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	struct unlinking unlinking = {&puppets[1], left};

	puppet_spawn_trapping(system, &puppets[0]);
	puppet_spawn_trapping(system, &puppets[1]);
	puppet_call(&puppets[0], do_link, &puppets[1]);
	for (int i = 0; i < 3; i++)
		puppet_call(&puppets[1], do_link, &puppets[0]);
	puppet_settle(&puppets[0]);
	puppet_call(&puppets[0], do_unlink_faulty, &unlinking);
	cr_expect_eq(puppets[0].result, fails ? -ENOMEM : 0);
	puppet_settle(&puppets[1]);
	puppet_end(system, &puppets[1], 3);
	puppet_settle(&puppets[0]);
	cr_expect_eq(puppets[0].events, fails ? 4 : 0);
	puppet_stop(system, puppets, 2);
}

Test(faults_life, unlink_undoes_all_or_none)
{
	for (uint32_t left = 0; left < 3; left++)
		unlink_with(left, true);
	unlink_with(3, false);
}

/* ---- ends -------------------------------------------------------------- */

static void do_quit_faulty(struct troupe_actor *self, struct puppet *puppet,
			   void *argument)
{
	faults = (struct faults){.armed = true, .point = TROUPE__POINT_ALLOC};
	do_quit_text(self, puppet, argument);
	faults = (struct faults){0};
}

Test(faults_life, a_reason_without_memory_has_no_text)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_send(&puppets[1], do_quit_faulty, (void *)(uintptr_t) "text");
	puppet_await_running(system, 1);
	puppet_settle(&puppets[0]);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[1], 77);
	cr_expect_str_eq(puppets[0].event[0].ended.text, "");
	puppet_stop(system, puppets, 2);
}

static void do_hold(struct troupe_actor *self, struct puppet *puppet,
		    void *argument)
{
	(void)self;
	(void)puppet;
	unit_gate_pass(argument);
}

/* It takes note of its observers, and ends, without an allocation. */
Test(faults_life, to_be_observed_needs_no_memory)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[3] = {0};
	struct unit_gate gate = {0};
	int reason = 4;

	for (int i = 0; i < 3; i++)
		puppet_spawn_trapping(system, &puppets[i]);
	puppet_send(&puppets[2], do_hold, &gate);
	unit_await(&gate.entered, 1);
	puppet_call(&puppets[0], do_monitor, &puppets[2]);
	puppet_call(&puppets[0], do_monitor, &puppets[2]);
	puppet_call(&puppets[0], do_demonitor, &puppets[0].number);
	puppet_call(&puppets[1], do_link, &puppets[2]);
	puppet_send(&puppets[2], do_quit, &reason);
	atomic_store(&faults_everywhere, true);
	unit_gate_open(&gate);
	unit_await(&puppets[0].events, 1);
	unit_await(&puppets[1].events, 1);
	atomic_store(&faults_everywhere, false);
	puppet_expect(&puppets[0], 0, TROUPE_TAG_DOWN, &puppets[2], reason);
	puppet_expect(&puppets[1], 0, TROUPE_TAG_EXIT, &puppets[2], reason);
	puppet_stop(system, puppets, 3);
	cr_expect_eq(puppets[0].events, 1);
}

/* ---- spawning with limits, stopping ------------------------------------ */

static int attempt_spawn_limited(struct faults_scene *scene)
{
	static const struct troupe_limits limits = {
		.messages = 3, .overflow = TROUPE_OVERFLOW_HOLD};
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_strong actor = {NULL};
	int result;

	options.limits = &limits;
	result = troupe_spawn_with(scene->system, &faults_class, NULL, &options,
				   &actor);
	cr_expect_eq(troupe_strong_is_null(actor), result != 0);
	troupe_strong_release(&actor);
	return result;
}

Test(faults_life, spawning_with_limits)
{
	faults_each(attempt_spawn_limited, false, NULL);
	faults_each(attempt_spawn_limited, true, NULL);
}

Test(faults_life, a_stop_needs_no_memory)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[3] = {0};

	for (int i = 0; i < 3; i++)
		puppet_spawn(system, &puppets[i]);
	faults = (struct faults){.armed = true, .point = TROUPE__POINT_ALLOC};
	cr_expect_eq(troupe_system_stop(system, UNIT_PATIENCE, 0, NULL, NULL),
		     0);
	cr_expect_eq(faults.hit, 0);
	faults = (struct faults){0};
	cr_expect_eq(troupe_system_await(system), 0);
	puppet_stop(system, puppets, 3);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(puppets[i].reason, TROUPE_EXIT_SHUTDOWN);
}
