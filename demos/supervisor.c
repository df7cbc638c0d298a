/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * supervisor - an actor that replaces those of its children that fail
 *
 * Each child takes five steps; the second one fails on the way, twice. The
 * supervisor monitors them: at an end with an error it spawns the child again,
 * until each has come through.
 */
#include "demo.h"

#define CHILDREN 3

struct child {
	int fails, step; /* so many times yet */
};

static int child_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	struct troupe_strong me = troupe_self(self);

	*(struct child *)state = *(const struct child *)argument;
	demo_check(troupe_send(me, 0, NULL, 0), "troupe_send");
	troupe_strong_release(&me);
	return 0;
}

/* Each step is a message to itself, and the answer to that the next. */
static int child_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct child *child = state;

	child->step++;
	if (child->fails > 0 && child->step == 3)
		return -EIO;
	return child->step < 5 ? troupe_reply(self, message, 0, NULL, 0) : 0;
}

static const struct troupe_actor_class child_class = {
	.name = "child",
	.state_size = sizeof(struct child),
	.init = child_init,
	.receive = child_receive,
};

struct supervisor {
	struct troupe_strong self; /* it stays while it has children */
	struct child children[CHILDREN];
	uint64_t monitors[CHILDREN];
	int finished;
};

static void supervisor_spawn(struct troupe_actor *self,
			     struct supervisor *supervisor, int number)
{
	struct troupe_strong child;

	demo_check(troupe_spawn(troupe_self_system(self), &child_class,
				&supervisor->children[number], &child),
		   "troupe_spawn");
	demo_check(troupe_monitor(self, child, &supervisor->monitors[number]),
		   "troupe_monitor");
	troupe_strong_release(&child);
}

static int supervisor_init(struct troupe_actor *self, void *state,
			   const void *argument)
{
	struct supervisor *supervisor = state;

	(void)argument;
	supervisor->self = troupe_self(self);
	supervisor->children[1].fails = 2;
	for (int i = 0; i < CHILDREN; i++)
		supervisor_spawn(self, supervisor, i);
	return 0;
}

static int supervisor_receive(struct troupe_actor *self, void *state,
			      const struct troupe_message *message)
{
	const struct troupe_ended *ended = troupe_payload(message);
	struct supervisor *supervisor = state;
	int i = 0;

	while (supervisor->monitors[i] != ended->monitor)
		i++;
	if (ended->reason != TROUPE_EXIT_NORMAL) {
		printf("child %d: %s; again\n", i, strerror(-ended->reason));
		supervisor->children[i].fails--;
		supervisor_spawn(self, supervisor, i);
	} else if (++supervisor->finished == CHILDREN) {
		printf("all %d came through\n", CHILDREN);
		troupe_strong_release(&supervisor->self);
	}
	return 0;
}

static const struct troupe_actor_class supervisor_class = {
	.name = "supervisor",
	.state_size = sizeof(struct supervisor),
	.init = supervisor_init,
	.receive = supervisor_receive,
};

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	demo_check(troupe_spawn(system, &supervisor_class, NULL, NULL),
		   "troupe_spawn");
	troupe_system_destroy(system);
	return 0;
}
