/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shutdown - a stop with a deadline, and an account of who did not obey
 *
 *	shutdown [--config FILE] [--troupe.SECTION.KEY=VALUE]...
 *
 * Four kinds of actors when the system stops: one that waits, one with work
 * left that its class wants done, one that tidies up first, and one that hears
 * of it and goes on. The last is in the report, until it is told more firmly.
 */
#include "demo.h"

#define MILLISECOND UINT64_C(1000000)
#define WORK	    1

/* ---- actors ------------------------------------------------------------ */

static int plain_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)message;
	demo_sleep_millis(1);
	++*(int *)state;
	return 0;
}

static void plain_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	if (*(int *)state > 0 && reason == TROUPE_EXIT_SHUTDOWN)
		printf("the drainer has done %d of 10\n", *(int *)state);
}

static const struct troupe_actor_class waiter = {
	.name = "waiter",
	.state_size = sizeof(int),
	.receive = plain_receive,
};

static const struct troupe_actor_class drainer = {
	.name = "drainer",
	.state_size = sizeof(int),
	.flags = TROUPE_CLASS_DRAIN,
	.receive = plain_receive,
	.on_exit = plain_exit,
};

static int tidy_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	if (message->tag == TROUPE_TAG_EXIT)
		troupe_quit(self, TROUPE_EXIT_NORMAL);
	return 0;
}

static const struct troupe_actor_class tidy = {
	.name = "tidy",
	.flags = TROUPE_CLASS_TRAP_EXIT,
	.receive = tidy_receive,
};

static const struct troupe_actor_class stubborn = {
	.name = "stubborn",
	.state_size = sizeof(int),
	.flags = TROUPE_CLASS_TRAP_EXIT,
	.receive = plain_receive,
};

/* ---- the stop ---------------------------------------------------------- */

static bool survivor(const struct troupe_actor_info *info, void *context)
{
	++*(int *)context;
	printf("  still there: actor %lu, %s, %s\n", (unsigned long)info->id,
	       info->name, troupe_actor_state_name(info->state));
	return true;
}

static void stop(struct troupe_system *system, uint32_t flags)
{
	int left = 0;
	int result = troupe_system_stop(system, 200 * MILLISECOND, flags,
					survivor, &left);

	printf("stop: %s, %d left\n", result == 0 ? "all ended" : "timed out",
	       left);
}

int main(int argc, char **argv)
{
	const struct troupe_actor_class *const classes[] = {&waiter, &drainer,
							    &tidy, &stubborn};
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_strong actors[4];
	struct troupe_system *system;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	for (int i = 0; i < 4; i++)
		demo_check(troupe_spawn(system, classes[i], NULL, &actors[i]),
			   "troupe_spawn");
	for (int i = 0; i < 10; i++)
		demo_check(troupe_send(actors[1], WORK, NULL, 0),
			   "troupe_send");
	stop(system, 0);
	printf("a spawn says: %s\n",
	       strerror(-troupe_spawn(system, &waiter, NULL, NULL)));
	stop(system, TROUPE_STOP_KILL);
	for (int i = 0; i < 4; i++)
		troupe_strong_release(&actors[i]);
	troupe_system_destroy(system);
	puts("everything is released");
	return 0;
}
