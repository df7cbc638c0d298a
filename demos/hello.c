/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hello - one actor, one message, and where the settings came from
 *
 *	hello [--verbose] [--policy NAME]
 *	      [--config FILE] [--troupe.SECTION.KEY=VALUE]...
 *
 * A policy can be chosen in four ways, and a later one wins: in FILE, by
 * TROUPE_SCHEDULER_POLICY, by --troupe.scheduler.policy=NAME, and in code,
 * which --policy does here. --verbose says which one it was.
 */
#include "demo.h"

enum hello_tag {
	HELLO_NAME, /* text with its NUL */
};

static int greeter_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	(void)self;
	(void)state;
	printf("hello, %s\n", (const char *)troupe_payload(message));
	return 0;
}

static const struct troupe_actor_class greeter = {
	.name = "greeter",
	.receive = greeter_receive,
};

static void hello_report(const struct troupe_system *system)
{
	printf("policy %s\n", troupe_system_policy(system));
	printf("workers %u\n", troupe_system_worker_count(system));
	demo_check(troupe_config_print(system, stdout), "troupe_config_print");
}

/* Returns: whether to be verbose. */
static bool hello_arguments(struct troupe_config *config, int argc, char **argv)
{
	bool verbose = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--verbose") == 0)
			verbose = true;
		else if (strcmp(argv[i], "--policy") != 0)
			demo_unexpected(argv[i]);
		else if (++i < argc)
			config->policy_name = argv[i];
		else
			demo_fail("--policy needs a NAME");
	}
	return verbose;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	struct troupe_strong actor;
	bool verbose;

	demo_settings(&config, &argc, argv);
	verbose = hello_arguments(&config, argc, argv);
	system = demo_start(&config);
	if (verbose)
		hello_report(system);
	demo_check(troupe_spawn(system, &greeter, NULL, &actor),
		   "troupe_spawn");
	demo_check(troupe_send(actor, HELLO_NAME, "world", sizeof("world")),
		   "troupe_send");
	/* Without a handle the actor ends once it has nothing to do ... */
	troupe_strong_release(&actor);
	/* ... and for that this waits. */
	troupe_system_destroy(system);
	return 0;
}
