/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * beside_blocked - how fast small actors are while detached ones block
 *
 *	beside_blocked [--policy NAME] [--rounds N] [--millis N]
 *		       [--blocked N] [--troupe.SECTION.KEY=VALUE]
 *
 * 1,000 actors send messages to each other, at random, without end. In turn,
 * 50 detached actors (--blocked) block in a sleep, or there are none. What the
 * small ones handle in --millis is compared, round by round, and the medians
 * are shown. Both phases of a round are neighbours in time, so that a machine
 * that is slower for a while is so for both.
 */
#include "quantile.h"
#include "troupe.h"
#include "troupe_config.h"
#include "troupe_policy.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACTORS	    1000u
#define TOKENS	    250u /* messages under way */
#define BLOCKED_MAX 200u
#define ROUNDS_MAX  99u
#define SETTLE_NS   50000000u

enum {
	TOKEN = 1
};

static struct troupe_strong actors[ACTORS];
static _Atomic bool over;    /* the small actors stop sending */
static _Atomic bool unblock; /* the detached ones end */
static _Atomic uint32_t asleep;

static void beside_check(int result, const char *what)
{
	if (result == 0)
		return;
	fprintf(stderr, "beside_blocked: %s: %s\n", what, strerror(-result));
	exit(1);
}

/* ---- actors ------------------------------------------------------------ */

static int small_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	(void)self;
	*(uint32_t *)state = *(const uint32_t *)argument + 1;
	return 0;
}

/* The token goes on, to anyone. */
static int small_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	uint32_t *random = state;

	(void)self;
	(void)message;
	/* relaxed: seen soon, and nothing hangs on it. */
	if (atomic_load_explicit(&over, memory_order_relaxed))
		return 0;
	*random = *random * 1664525u + 1013904223u;
	return troupe_send(actors[(*random >> 8) % ACTORS], TOKEN, NULL, 0);
}

static const struct troupe_actor_class small_class = {
	.name = "small",
	.state_size = sizeof(uint32_t),
	.init = small_init,
	.receive = small_receive,
};

static int blocked_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(void)state;
	atomic_fetch_add(&asleep, 1);
	while (!atomic_load(&unblock))
		troupe_sleep(100000000);
	atomic_fetch_sub(&asleep, 1);
	return 0;
}

static const struct troupe_actor_class blocked_class = {
	.name = "blocked",
	.run = blocked_run,
};

/* ---- phases ------------------------------------------------------------ */

static uint64_t beside_messages(struct troupe_system *system)
{
	struct troupe_stats stats = {.size = sizeof(stats)};

	troupe_system_stats(system, &stats);
	return stats.messages;
}

/* Returns: ns a message, over @window ns. */
static double beside_measure(struct troupe_system *system, uint64_t window)
{
	uint64_t start, messages;

	troupe_sleep(SETTLE_NS);
	messages = beside_messages(system);
	start = troupe_now();
	troupe_sleep(window);
	messages = beside_messages(system) - messages;
	return (double)(troupe_now() - start) /
	       (double)(messages == 0 ? 1 : messages);
}

static double beside_measure_blocked(struct troupe_system *system,
				     uint64_t window, uint32_t blocked)
{
	double result;

	atomic_store(&unblock, false);
	for (uint32_t i = 0; i < blocked; i++)
		beside_check(troupe_spawn(system, &blocked_class, NULL, NULL),
			     "cannot spawn a detached actor");
	while (atomic_load(&asleep) != blocked)
		troupe_sleep(1000000);
	result = beside_measure(system, window);
	atomic_store(&unblock, true);
	while (atomic_load(&asleep) != 0)
		troupe_sleep(1000000);
	return result;
}

static void beside_rounds(struct troupe_system *system, uint32_t rounds,
			  uint64_t window, uint32_t blocked)
{
	double without[ROUNDS_MAX], with[ROUNDS_MAX], ratio[ROUNDS_MAX];
	double middle;

	for (uint32_t i = 0; i < rounds; i++) {
		/* Which goes first changes, too. */
		if (i % 2 == 0)
			without[i] = beside_measure(system, window);
		with[i] = beside_measure_blocked(system, window, blocked);
		if (i % 2 != 0)
			without[i] = beside_measure(system, window);
		ratio[i] = with[i] / without[i];
	}
	middle = bench_quantile(ratio, rounds, 0.5);
	printf("%s, %" PRIu32 " workers: %.1f ns a message alone, %.1f beside "
	       "%" PRIu32 " blocked; of a round %.3f times (%.3f to %.3f)\n",
	       troupe_system_policy(system), troupe_system_worker_count(system),
	       bench_quantile(without, rounds, 0.5),
	       bench_quantile(with, rounds, 0.5), blocked, middle, ratio[0],
	       ratio[rounds - 1]);
}

/* ---- main -------------------------------------------------------------- */

static uint32_t beside_number(const char *text, uint32_t most)
{
	char *end = NULL;
	unsigned long number = text == NULL ? 0 : strtoul(text, &end, 10);

	if (text == NULL || *end != '\0' || number == 0 || number > most) {
		fprintf(stderr,
			"beside_blocked: a number from 1 to %u is "
			"needed, not \"%s\"\n",
			most, text == NULL ? "" : text);
		exit(2);
	}
	return (uint32_t)number;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	struct troupe_error error;
	uint32_t rounds = 15, millis = 300, blocked = 50;

	if (troupe_config_arguments(&config, &argc, argv, &error) != 0) {
		fprintf(stderr, "beside_blocked: %s\n", error.text);
		return 2;
	}
	for (int i = 1; i < argc; i += 2) {
		if (strcmp(argv[i], "--rounds") == 0) {
			rounds = beside_number(argv[i + 1], ROUNDS_MAX);
		} else if (strcmp(argv[i], "--millis") == 0) {
			millis = beside_number(argv[i + 1], 60000);
		} else if (strcmp(argv[i], "--blocked") == 0) {
			blocked = beside_number(argv[i + 1], BLOCKED_MAX);
		} else if (strcmp(argv[i], "--policy") == 0) {
			config.policy_name = argv[i + 1];
		} else {
			fprintf(stderr, "beside_blocked: unknown \"%s\"\n",
				argv[i]);
			return 2;
		}
	}
	if (troupe_system_create(&config, &error, &system) != 0) {
		fprintf(stderr, "beside_blocked: %s\n", error.text);
		return 1;
	}
	for (uint32_t i = 0; i < ACTORS; i++)
		beside_check(troupe_spawn(system, &small_class, &i, &actors[i]),
			     "cannot spawn an actor");
	for (uint32_t i = 0; i < TOKENS; i++)
		beside_check(troupe_send(actors[i % ACTORS], TOKEN, NULL, 0),
			     "cannot send");
	beside_rounds(system, rounds, (uint64_t)millis * 1000000u, blocked);
	atomic_store(&over, true);
	for (uint32_t i = 0; i < ACTORS; i++)
		troupe_strong_release(&actors[i]);
	return troupe_system_destroy(system) == 0 ? 0 : 1;
}
