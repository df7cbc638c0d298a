/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocking - 50 actors sleep while 1000 others go on
 *
 *	blocking [--config FILE] [--troupe.SECTION.KEY=VALUE]...
 *
 * Pairs of small actors pass messages to and fro, on the workers. After some
 * time 50 actors begin to sleep, each on a thread of its own because it is
 * detached. The pace of the small ones, and the longest time that one of their
 * messages was under way, are compared with and without them.
 */
#include "demo.h"

#include <stdatomic.h>

#define ACTORS	 1000
#define SLEEPERS 50
#define SLEEP	 600 /* milliseconds */

enum {
	SMALL_PARTNER, /* struct troupe_strong, the receiver's to release */
	SMALL_PASS,    /* double: when it was sent */
};

static atomic_uint_fast64_t passed;
static _Atomic double longest; /* seconds, in this phase */
static atomic_bool over;

static int small_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	const void *payload = troupe_payload(message);
	double now = demo_seconds();
	struct troupe_strong partner;

	(void)state;
	if (message->tag == SMALL_PARTNER) {
		memcpy(&partner, payload, sizeof(partner));
		troupe_send(partner, SMALL_PASS, &now, sizeof(now));
		troupe_strong_release(&partner);
		return 0;
	}
	if (now - *(const double *)payload > atomic_load(&longest))
		atomic_store(&longest, now - *(const double *)payload);
	atomic_fetch_add(&passed, 1);
	if (atomic_load(&over))
		return 0;
	return troupe_reply(self, message, SMALL_PASS, &now, sizeof(now));
}

static const struct troupe_actor_class small_class = {
	.name = "small",
	.receive = small_receive,
};

static void pair_start(struct troupe_system *system)
{
	struct troupe_strong pair[2];

	for (int i = 0; i < 2; i++)
		demo_check(troupe_spawn(system, &small_class, NULL, &pair[i]),
			   "troupe_spawn");
	/* The second's handle goes with the message. */
	demo_check(
		troupe_send(pair[0], SMALL_PARTNER, &pair[1], sizeof(pair[1])),
		"troupe_send");
	troupe_strong_release(&pair[0]);
}

static int sleeper_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(void)state;
	demo_sleep_millis(SLEEP);
	return 0;
}

static const struct troupe_actor_class sleeper_class = {
	.name = "sleeper",
	.run = sleeper_run,
};

/* Returns: messages a second; the longest delay is set. */
static double measure(double *ret_longest)
{
	uint64_t before = atomic_load(&passed);
	double start = demo_seconds();

	atomic_store(&longest, 0);
	demo_sleep_millis(SLEEP - SLEEP / 10);
	*ret_longest = atomic_load(&longest) * 1e3;
	return (double)(atomic_load(&passed) - before) /
	       (demo_seconds() - start);
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	double alone, beside, delay;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	for (int i = 0; i < ACTORS; i += 2)
		pair_start(system);
	alone = measure(&delay);
	printf("alone: %.0f messages a second\n", alone);
	for (int i = 0; i < SLEEPERS; i++)
		demo_check(troupe_spawn(system, &sleeper_class, NULL, NULL),
			   "troupe_spawn");
	beside = measure(&delay);
	printf("beside %d sleepers: %.0f %% of that\n", SLEEPERS,
	       100 * beside / alone);
	atomic_store(&over, true);
	troupe_system_destroy(system);
	printf("%d actors went on, the longest delay was %.1f ms\n", ACTORS,
	       delay);
	return 0;
}
