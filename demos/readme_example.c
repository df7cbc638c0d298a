/* SPDX-License-Identifier: BSD-3-Clause */
/* The example of README.md, which check_readme.sh compares with this file. */
#include <stdio.h>
#include <troupe.h>

static int counter_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	(void)self;
	*(int *)state += *(const int *)troupe_payload(message);
	return 0;
}

static void counter_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	printf("the sum is %d, reason %d\n", *(int *)state, reason);
}

static const struct troupe_actor_class counter_class = {
	.name = "counter",
	.state_size = sizeof(int),
	.receive = counter_receive,
	.on_exit = counter_exit,
};

int main(void)
{
	struct troupe_error error;
	struct troupe_system *system;
	struct troupe_strong counter;

	if (troupe_system_create(NULL, &error, &system) < 0) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	if (troupe_spawn(system, &counter_class, NULL, &counter) == 0) {
		for (int i = 1; i <= 100; i++)
			troupe_send(counter, 0, &i, sizeof(i));
		troupe_strong_release(&counter); /* nobody can send: it ends */
	}
	return troupe_system_destroy(system) < 0;
}
