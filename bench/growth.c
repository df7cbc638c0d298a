/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * growth - what an operation costs among a thousand actors, and among a million
 *
 *	growth [--policy NAME] [--workers N] [--only NAME] [--actors N]
 *	       [--operations N] [--runs N] [--troupe.SECTION.KEY=VALUE]
 *
 *	ring	a token goes round all actors, in the order of their spawning
 *	random	256 tokens, each of which goes on to any actor
 *	peers	each actor pings a random one and, when that answers, another
 *	spawn	256 chains of actors that spawn the next and end; all the others
 *		wait
 *	lines	no actors: one thread changes five cache lines in one of as many
 *		places, at random: those of an actor, its last message and a handle
 *
 * Each number of actors (--actors, else 1,000 to 1,000,000) is measured in a
 * process of its own, after twice as many operations, and the median of
 * --runs is shown. Instructions for an operation should not depend on the
 * number of actors; what does is whether the caches hold them, and lines shows
 * what that alone costs. By callgrind: the difference between two --operations.
 */
#include "quantile.h"
#include "troupe.h"
#include "troupe_config.h"
#include "troupe_policy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOKENS	 256u
#define RUNS_MAX 99u
/* Of an actor of 16 bytes of state; its last message; a handle to it. */
#define LINE	    64u
#define ACTOR_LINES 3u

enum {
	TOKEN = 1,
	PONG,
};

enum growth_way {
	GROWTH_RING,
	GROWTH_RANDOM,
	GROWTH_PEERS,
	GROWTH_SPAWN,
	GROWTH_LINES,
	GROWTH_WAYS,
};

static const char *const growth_names[GROWTH_WAYS] = {
	"ring", "random", "peers", "spawn", "lines",
};

static struct troupe_strong *actors;
static uint32_t actor_count;
static _Atomic bool over; /* nobody sends any more */

static void growth_check(int result, const char *what)
{
	if (result == 0)
		return;
	fprintf(stderr, "growth: %s: %s\n", what, strerror(-result));
	exit(1);
}

/* ---- actors ------------------------------------------------------------ */

struct node {
	uint32_t index;
	uint32_t random;
};

static bool node_over(void)
{
	/* relaxed: seen soon, and nothing hangs on it. */
	return atomic_load_explicit(&over, memory_order_relaxed);
}

/* Below @actor_count. */
static uint32_t node_random(uint32_t *random)
{
	*random = *random * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)*random * actor_count >> 32);
}

static int node_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct node *node = state;

	(void)self;
	node->index = *(const uint32_t *)argument;
	node->random = node->index * 2654435761u;
	return 0;
}

#define NODE_CLASS(title, behaviour)                                \
	{                                                           \
		.name = (title), .state_size = sizeof(struct node), \
		.init = node_init, .receive = (behaviour),          \
	}

static int ring_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	const struct node *node = state;
	uint32_t next = node->index + 1;

	(void)self;
	(void)message;
	if (node_over())
		return 0;
	return troupe_send(actors[next == actor_count ? 0 : next], TOKEN, NULL,
			   0);
}

static int random_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct node *node = state;

	(void)self;
	(void)message;
	if (node_over())
		return 0;
	return troupe_send(actors[node_random(&node->random)], TOKEN, NULL, 0);
}

static int peers_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct node *node = state;

	if (node_over())
		return 0;
	/* Main's, which starts it, is an answer too. */
	if (message->tag == TOKEN)
		return troupe_reply(self, message, PONG, NULL, 0);
	return troupe_send(actors[node_random(&node->random)], TOKEN, NULL, 0);
}

static int chain_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message);

static const struct troupe_actor_class chain_class =
	NODE_CLASS("chain", chain_receive);

static int chain_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct troupe_strong next;
	int result;

	troupe_quit(self, TROUPE_EXIT_NORMAL);
	if (node_over())
		return 0;
	result = troupe_spawn(troupe_self_system(self), &chain_class, state,
			      &next);
	if (result != 0)
		return result;
	result = troupe_send(next, message->tag, NULL, 0);
	troupe_strong_release(&next);
	return result;
}

static const struct troupe_actor_class classes[] = {
	[GROWTH_RING] = NODE_CLASS("ring", ring_receive),
	[GROWTH_RANDOM] = NODE_CLASS("random", random_receive),
	[GROWTH_PEERS] = NODE_CLASS("peer", peers_receive),
	/* They wait. */
	[GROWTH_SPAWN] = NODE_CLASS("ring", ring_receive),
};

/* ---- a run ------------------------------------------------------------- */

static void growth_start(struct troupe_system *system, enum growth_way way)
{
	uint32_t tokens = actor_count < TOKENS ? actor_count : TOKENS;

	actors = calloc(actor_count, sizeof(*actors));
	growth_check(actors == NULL ? -ENOMEM : 0, "cannot allocate");
	for (uint32_t i = 0; i < actor_count; i++)
		growth_check(
			troupe_spawn(system, &classes[way], &i, &actors[i]),
			"cannot spawn an actor");
	if (way == GROWTH_RING)
		tokens = 1;
	else if (way == GROWTH_PEERS)
		tokens = actor_count;
	for (uint32_t i = 0; i < tokens; i++) {
		struct troupe_strong first = actors[i];

		if (way == GROWTH_SPAWN)
			growth_check(
				troupe_spawn(system, &chain_class, &i, &first),
				"cannot spawn an actor");
		growth_check(troupe_send(first,
					 way == GROWTH_PEERS ? PONG : TOKEN,
					 NULL, 0),
			     "cannot send");
		if (way == GROWTH_SPAWN)
			troupe_strong_release(&first);
	}
}

/* Messages, of which each operation is one. */
static uint64_t growth_done(struct troupe_system *system)
{
	struct troupe_stats stats = {.size = sizeof(stats)};

	troupe_system_stats(system, &stats);
	return stats.messages;
}

static uint64_t growth_await(struct troupe_system *system, uint64_t count)
{
	uint64_t done;

	while ((done = growth_done(system)) < count)
		troupe_sleep(1000000);
	return done;
}

static double growth_actors(const struct troupe_config *config,
			    enum growth_way way, uint64_t operations)
{
	struct troupe_system *system;
	struct troupe_error error;
	uint64_t before, start, end;

	if (troupe_system_create(config, &error, &system) != 0) {
		fprintf(stderr, "growth: %s\n", error.text);
		exit(1);
	}
	growth_start(system, way);
	before = growth_await(system, 2 * (uint64_t)actor_count);
	start = troupe_now();
	operations = growth_await(system, before + operations) - before;
	end = troupe_now();
	atomic_store(&over, true);
	for (uint32_t i = 0; i < actor_count; i++)
		troupe_strong_release(&actors[i]);
	growth_check(troupe_system_destroy(system), "cannot destroy");
	free(actors);
	return (double)(end - start) / (double)operations;
}

/* ---- lines ------------------------------------------------------------- */

/* Each line is found by what the one before holds, as a message is found by
 * its mailbox: they come from memory one after the other. */
static uint64_t lines_change(_Atomic uint64_t *place, uint64_t hang)
{
	/* relaxed: there is one thread. */
	return atomic_fetch_add_explicit(place + (hang & 1), 1,
					 memory_order_relaxed) >>
	       63;
}

static uint32_t lines_pass(unsigned char *blocks, unsigned char *messages,
			   unsigned char *handles, uint64_t operations,
			   uint32_t random)
{
	uint64_t hang = 0;

	for (uint64_t i = 0; i < operations; i++) {
		size_t at = node_random(&random) + hang;
		unsigned char *block = blocks + at * ACTOR_LINES * LINE;

		hang = handles[at * sizeof(void *)];
		for (unsigned k = 0; k < ACTOR_LINES; k++)
			hang += lines_change((void *)(block + k * LINE), hang);
		hang += lines_change((void *)(messages + at * LINE), hang);
	}
	return random;
}

static double growth_lines(uint64_t operations)
{
	size_t count = actor_count;
	unsigned char *blocks = aligned_alloc(LINE, count * ACTOR_LINES * LINE);
	unsigned char *messages = aligned_alloc(LINE, count * LINE);
	unsigned char *handles = calloc(count, sizeof(void *));
	uint64_t start, end;
	uint32_t random;

	if (blocks == NULL || messages == NULL || handles == NULL)
		growth_check(-ENOMEM, "cannot allocate");
	memset(blocks, 0, count * ACTOR_LINES * LINE);
	memset(messages, 0, count * LINE);
	random = lines_pass(blocks, messages, handles, 2 * count, 1);
	start = troupe_now();
	(void)lines_pass(blocks, messages, handles, operations, random);
	end = troupe_now();
	free(blocks);
	free(messages);
	free(handles);
	return (double)(end - start) / (double)operations;
}

/* ---- measuring --------------------------------------------------------- */

/* In a process of its own. Returns: ns. */
static double growth_measure(const struct troupe_config *config,
			     enum growth_way way, uint64_t operations)
{
	double result = 0;
	int ends[2];
	pid_t pid;

	growth_check(pipe(ends) == 0 ? 0 : -errno, "pipe");
	fflush(NULL);
	pid = fork();
	growth_check(pid >= 0 ? 0 : -errno, "fork");
	if (pid == 0) {
		result = way == GROWTH_LINES
				 ? growth_lines(operations)
				 : growth_actors(config, way, operations);
		exit(write(ends[1], &result, sizeof(result)) != sizeof(result));
	}
	close(ends[1]);
	/* If it failed, it has said why. */
	if (read(ends[0], &result, sizeof(result)) != sizeof(result) ||
	    waitpid(pid, NULL, 0) != pid)
		exit(1);
	close(ends[0]);
	return result;
}

static void growth_show(const struct troupe_config *config, enum growth_way way,
			uint64_t operations, uint32_t runs)
{
	double results[RUNS_MAX];

	for (uint32_t i = 0; i < runs; i++)
		results[i] = growth_measure(config, way, operations);
	printf("%-8s %8" PRIu32 " actors %8.1f ns\n", growth_names[way],
	       actor_count, bench_quantile(results, runs, 0.5));
	fflush(stdout);
}

/* ---- main -------------------------------------------------------------- */

struct growth {
	struct troupe_config config;
	const char *only; /* or NULL */
	uint32_t actors;  /* or 0 */
	uint32_t runs;
	uint64_t operations;
};

__attribute__((noreturn)) static void growth_usage(const char *option)
{
	fprintf(stderr,
		"growth: %s?\n"
		"usage: growth [--policy NAME] [--workers N] [--only NAME]\n"
		"\t[--actors N] [--operations N] [--runs N]\n",
		option);
	exit(2);
}

static uint32_t growth_number(const char *option, const char *text,
			      uint32_t most)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (*end != '\0' || number == 0 || number > most)
		growth_usage(option);
	return (uint32_t)number;
}

static void growth_option(struct growth *growth, const char *option,
			  const char *value)
{
	if (value == NULL)
		growth_usage(option);
	if (strcmp(option, "--policy") == 0)
		growth->config.policy_name = value;
	else if (strcmp(option, "--workers") == 0)
		growth->config.max_threads =
			growth_number(option, value, UINT16_MAX);
	else if (strcmp(option, "--only") == 0)
		growth->only = value;
	else if (strcmp(option, "--actors") == 0)
		growth->actors = growth_number(option, value, 100000000);
	else if (strcmp(option, "--operations") == 0)
		growth->operations = growth_number(option, value, UINT32_MAX);
	else if (strcmp(option, "--runs") == 0)
		growth->runs = growth_number(option, value, RUNS_MAX);
	else
		growth_usage(option);
}

static void growth_each_size(const struct growth *growth, enum growth_way way)
{
	for (actor_count = 1000; actor_count <= 1000000; actor_count *= 10) {
		if (growth->actors != 0)
			actor_count = growth->actors;
		growth_show(&growth->config, way, growth->operations,
			    growth->runs);
		if (growth->actors != 0)
			break;
	}
}

int main(int argc, char **argv)
{
	struct growth growth = {
		.config = TROUPE_CONFIG_INIT,
		.runs = 3,
		.operations = 2000000,
	};
	struct troupe_error error;
	bool known = false;

	growth.config.max_threads = 1;
	if (troupe_config_arguments(&growth.config, &argc, argv, &error) != 0) {
		fprintf(stderr, "growth: %s\n", error.text);
		return 2;
	}
	for (int i = 1; i < argc; i += 2)
		growth_option(&growth, argv[i], argv[i + 1]);
	for (int way = 0; way < GROWTH_WAYS; way++) {
		if (growth.only != NULL &&
		    strcmp(growth.only, growth_names[way]) != 0)
			continue;
		known = true;
		growth_each_size(&growth, (enum growth_way)way);
	}
	if (!known)
		growth_usage(growth.only);
	return 0;
}
