/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cycles - two actors that hold each other, three times
 *
 * Both are told to end. A state that dies with its actor lets go of the other:
 * nothing is left. A kept state waits for the last handle to its actor, which
 * the other's kept state has: they wait for each other for ever, unless each
 * lets go in on_exit.
 */
#include "demo.h"

#include "troupe_registry.h"

/* What a state points to: in main's memory, only so that main can tidy up. */
struct friend
{
	struct troupe_strong other;
	bool destroyed;
};

static int friend_init(struct troupe_actor *self, void *state,
		       const void *argument)
{
	(void)self;
	*(struct friend **)state = (struct friend *)(uintptr_t)argument;
	return 0;
}

static int friend_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return 0;
}

static void friend_let_go(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)reason;
	troupe_strong_release(&(*(struct friend **)state)->other);
}

static void friend_destroy(void *state)
{
	(*(struct friend **)state)->destroyed = true;
	troupe_strong_release(&(*(struct friend **)state)->other);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): these are initialisers */
#define FRIEND_CLASS(title, with, exit)                                        \
	{                                                                      \
		.name = title, .state_size = sizeof(struct friend *),          \
		.flags = with, .init = friend_init, .receive = friend_receive, \
		.on_exit = exit, .destroy = friend_destroy,                    \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct troupe_actor_class classes[] = {
	FRIEND_CLASS("a state that dies with its actor", 0, NULL),
	FRIEND_CLASS("a kept state", TROUPE_CLASS_KEEP_STATE, NULL),
	FRIEND_CLASS("a kept state, let go in on_exit", TROUPE_CLASS_KEEP_STATE,
		     friend_let_go),
};

/* Returns: how many of the two states were destroyed. */
static int meet(struct troupe_system *system,
		const struct troupe_actor_class *friend_class)
{
	struct friend friends[2] = {0};
	struct troupe_strong actors[2];
	struct troupe_weak weak[2];
	int destroyed;

	for (int i = 0; i < 2; i++)
		demo_check(troupe_spawn(system, friend_class, &friends[i],
					&actors[i]),
			   "troupe_spawn");
	for (int i = 0; i < 2; i++)
		friends[i].other = troupe_strong_clone(actors[1 - i]);
	for (int i = 0; i < 2; i++) {
		demo_check(troupe_send_exit(actors[i], TROUPE_EXIT_SHUTDOWN),
			   "troupe_send_exit");
		weak[i] = troupe_weak_from(actors[i]);
	}
	for (int i = 0; i < 2; i++)
		troupe_strong_release(&actors[i]);
	demo_check(troupe_registry_await_running(troupe_system_registry(system),
						 0, TROUPE_REGISTRY_FOREVER),
		   "troupe_registry_await_running");
	destroyed = friends[0].destroyed + friends[1].destroyed;
	printf("%s: both have ended, %d of 2 states destroyed, "
	       "%lu and %lu handles left\n",
	       friend_class->name, destroyed,
	       (unsigned long)troupe_block_counts(weak[0].block).strong,
	       (unsigned long)troupe_block_counts(weak[1].block).strong);
	/* Does nothing where nothing is left. */
	troupe_strong_release(&friends[0].other);
	for (int i = 0; i < 2; i++)
		troupe_weak_release(&weak[i]);
	return destroyed;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	int destroyed[3];

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	for (int i = 0; i < 3; i++)
		destroyed[i] = meet(system, &classes[i]);
	troupe_system_destroy(system);
	printf("destroyed: %d, %d, %d\n", destroyed[0], destroyed[1],
	       destroyed[2]);
	return 0;
}
