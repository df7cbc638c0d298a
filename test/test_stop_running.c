/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An actor that is in its callback when the system is told to stop ends too,
 * though nobody tells it a second time: on a worker, troupe_system_stop() does
 * not wait and look again.
 */
#include "unit.h"

#include <errno.h>

TestSuite(stop_running, .timeout = 60);

static int stop_job(void *data)
{
	cr_expect_eq(troupe_system_stop(data, UINT64_MAX, 0, NULL, NULL), 0);
	return TROUPE_JOB_DONE;
}

static void stop_while_held(const struct troupe_actor_class *actor_class,
			    int note)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct unit_gate gate = {0};
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, actor_class, &record, &actor), 0);
	unit_hold(actor, &gate);
	if (note != 0)
		unit_send_note(actor, (uint64_t)note);
	cr_assert_eq(troupe_schedule(system, stop_job, system), 0);
	/* The job is over when it has told everyone. */
	while (unit_stats(system).completed == 0)
		troupe_sleep(100000);
	unit_gate_open(&gate);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(record.reason, TROUPE_EXIT_SHUTDOWN);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.destroys, 1);
	cr_expect_eq(troupe_spawn(system, actor_class, &record, NULL),
		     -ESHUTDOWN);
	cr_expect_eq(troupe_schedule(system, stop_job, system), -ESHUTDOWN);
	troupe_strong_release(&actor);
	unit_stop(system);
}

Test(stop_running, it_ends_after_its_callback)
{
	stop_while_held(&unit_recorder_class, 0);
}

Test(stop_running, it_ends_with_new_messages_in_its_mailbox)
{
	stop_while_held(&unit_recorder_class, 1);
}

Test(stop_running, it_ends_after_its_messages_if_it_drains)
{
	struct troupe_actor_class drain_class = unit_recorder_class;

	drain_class.flags = TROUPE_CLASS_DRAIN;
	stop_while_held(&drain_class, 2);
}

/* ---- one that traps exits ---------------------------------------------- */

static int trap_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	if (message->tag == TROUPE_TAG_EXIT) {
		const struct troupe_ended *ended = troupe_payload(message);

		troupe_quit(self, ended->reason);
		return 0;
	}
	return unit_recorder_receive(self, state, message);
}

Test(stop_running, it_is_told_once_if_it_traps)
{
	struct troupe_actor_class trap_class = unit_recorder_class;

	trap_class.flags = TROUPE_CLASS_TRAP_EXIT;
	trap_class.receive = trap_receive;
	stop_while_held(&trap_class, 0);
}
