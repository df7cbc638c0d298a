/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt - a busy program that Ctrl-C ends in time
 *
 *	interrupt [--wait] [--stuck] [--config FILE]
 *		  [--troupe.SECTION.KEY=VALUE]...
 *
 * Actors that never run out of work, until SIGINT or SIGTERM: with --wait
 * yours, else one that the program sends to itself. The signal stops the
 * system, with a deadline. All have ended by then, and main goes on; but with
 * --stuck, where one is in a callback that does not return. Then the account
 * of who is left is printed, and the program ends all the same, with the
 * status that a shell gives to a signal.
 */
#include "demo.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define BUSY   8

enum {
	BUSY_AGAIN,
	BUSY_STICK,
};

static _Atomic bool is_stuck; /* it is in its callback */

static int busy_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct troupe_strong me;
	int result;

	(void)state;
	while (message->tag == BUSY_STICK) {
		atomic_store(&is_stuck, true);
		demo_sleep_millis(10);
	}
	me = troupe_self(self);
	result = troupe_send(me, BUSY_AGAIN, NULL, 0);
	troupe_strong_release(&me);
	return result;
}

static const struct troupe_actor_class busy_class = {
	.name = "busy",
	.receive = busy_receive,
};

static const struct troupe_actor_class stuck_class = {
	.name = "stuck",
	.receive = busy_receive,
};

/* ---- the stop ---------------------------------------------------------- */

static bool survivor(const struct troupe_actor_info *info, void *context)
{
	++*(int *)context;
	printf("  still there: actor %lu, %s, %s for %.1f s\n",
	       (unsigned long)info->id, info->name,
	       troupe_actor_state_name(info->state),
	       (double)info->running / 1e9);
	return true;
}

static void stopped(int number, int result, void *context)
{
	printf("signal %d: %s, %d left\n", number,
	       result == 0 ? "all ended" : strerror(-result), *(int *)context);
	if (result == 0)
		return; /* main goes on */
	fflush(stdout);
	/* Nothing that others may still use is taken down. */
	_exit(128 + number);
}

static void start(struct troupe_system *system,
		  const struct troupe_actor_class *actor_class, uint32_t tag)
{
	struct troupe_strong actor;

	demo_check(troupe_spawn(system, actor_class, NULL, &actor),
		   "troupe_spawn");
	demo_check(troupe_send(actor, tag, NULL, 0), "troupe_send");
	troupe_strong_release(&actor);
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	bool wait = false, stuck = false;
	int left = 0;

	demo_settings(&config, &argc, argv);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--wait") == 0)
			wait = true;
		else if (strcmp(argv[i], "--stuck") == 0)
			stuck = true;
		else
			demo_unexpected(argv[i]);
	}
	system = demo_start(&config);
	demo_check(troupe_signal_stop(system, stuck ? SECOND : 60 * SECOND,
				      survivor, stopped, &left),
		   "troupe_signal_stop");
	for (int i = 0; i < BUSY; i++)
		start(system, &busy_class, BUSY_AGAIN);
	if (stuck)
		start(system, &stuck_class, BUSY_STICK);
	while (stuck && !atomic_load(&is_stuck))
		demo_sleep_millis(1);
	puts("busy");
	fflush(stdout);
	demo_sleep_millis(100);
	if (!wait)
		kill(getpid(), SIGINT);
	troupe_system_destroy(system);
	puts("everything is released");
	return 0;
}
