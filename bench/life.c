/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a system costs that does little: to create, while it is idle, for each
 * actor that waits, and for a name that is looked up.
 */
#include "bench.h"
#include "troupe_registry.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* How many messages have been handled, by all. */
typedef _Atomic uint64_t quiet_count;

static int quiet_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	(void)self;
	*(quiet_count **)state = (quiet_count *)argument;
	return 0;
}

static int quiet_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)message;
	/* relaxed: only the number counts. */
	atomic_fetch_add_explicit(*(quiet_count **)state, 1,
				  memory_order_relaxed);
	return 0;
}

/* One word of state, as the smallest useful actor has. */
static const struct troupe_actor_class quiet_class = {
	.name = "quiet",
	.state_size = sizeof(quiet_count *),
	.init = quiet_init,
	.receive = quiet_receive,
};

/* Each has handled a message and waits for the next. */
static void quiet_await(quiet_count *handled, uint64_t count)
{
	/* relaxed: only the number counts. */
	while (atomic_load_explicit(handled, memory_order_relaxed) < count)
		sched_yield();
}

/* @actors: NULL handles at first. Returns: 0 or a negative errno. */
static int quiet_spawn(struct troupe_system *system, quiet_count *handled,
		       struct troupe_strong *actors, uint64_t count)
{
	int code = 0;

	for (uint64_t i = 0; code == 0 && i < count; i++) {
		code = troupe_spawn(system, &quiet_class, handled, &actors[i]);
		if (code == 0)
			code = troupe_send(actors[i], 1, NULL, 0);
		/* Messages are not what is measured: few at a time. */
		if (code == 0 && (i + 1) % 100 == 0)
			quiet_await(handled, i + 1);
	}
	if (code == 0)
		quiet_await(handled, count);
	return code;
}

/* ---- create ------------------------------------------------------------ */

int bench_create(const struct bench_item *item, struct bench_trial *trial)
{
	uint64_t count = bench_size(trial, 200, 3);
	struct troupe_system *system;
	double start = 0;

	(void)item;
	/* The first is not counted: it finds all memory cold. */
	for (uint64_t i = 0; i <= count; i++) {
		int code;

		if (i == 1)
			start = bench_now();
		code = bench_system(trial, &system);
		if (code != 0)
			return code;
		troupe_system_destroy(system);
	}
	trial->results[0] = (bench_now() - start) / (double)count;
	return 0;
}

/* ---- memory ------------------------------------------------------------ */

/* Returns: bytes; 0 if the kernel does not say. */
static double memory_resident(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	long pages = 0;

	if (file == NULL)
		return 0;
	if (fscanf(file, "%*s %ld", &pages) != 1)
		pages = 0;
	fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

int bench_memory(const struct bench_item *item, struct bench_trial *trial)
{
	uint64_t count = bench_size(trial, 1000000, 1000);
	struct troupe_strong *actors = malloc(count * sizeof(*actors));
	struct troupe_system *system;
	quiet_count handled = 0;
	double before;
	int code;

	(void)item;
	if (actors == NULL)
		return bench_failed(trial, "allocate", -ENOMEM);
	/* Touched before the first look: the handles are not the actors'. */
	for (uint64_t i = 0; i < count; i++)
		actors[i].block = NULL;
	code = bench_system(trial, &system);
	if (code != 0) {
		free(actors);
		return code;
	}
	before = memory_resident();
	code = quiet_spawn(system, &handled, actors, count);
	trial->results[0] = (memory_resident() - before) / (double)count;
	for (uint64_t i = 0; i < count; i++)
		troupe_strong_release(&actors[i]);
	troupe_system_destroy(system);
	free(actors);
	return code == 0 ? 0 : bench_failed(trial, "spawn", code);
}

/* ---- idle -------------------------------------------------------------- */

#define IDLE_SETTLE 0.3e9
#define IDLE_TIME   5e9

/* Returns: nanoseconds of processor time of this process. */
static double idle_spent(void)
{
	struct timespec spent;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	return (double)spent.tv_sec * 1e9 + (double)spent.tv_nsec;
}

int bench_idle(const struct bench_item *item, struct bench_trial *trial)
{
	double time = IDLE_TIME * (trial->scale < 1 ? trial->scale : 1);
	struct troupe_strong actors[100] = {{NULL}};
	struct troupe_system *system;
	quiet_count handled = 0;
	double before;
	int code = bench_system(trial, &system);

	(void)item;
	if (code != 0)
		return code;
	code = quiet_spawn(system, &handled, actors, 100);
	bench_sleep(IDLE_SETTLE);
	before = idle_spent();
	bench_sleep(time);
	trial->results[0] = (idle_spent() - before) / 1e6 * (IDLE_TIME / time);
	for (int i = 0; i < 100; i++)
		troupe_strong_release(&actors[i]);
	troupe_system_destroy(system);
	return code == 0 ? 0 : bench_failed(trial, "spawn", code);
}

/* ---- registry ---------------------------------------------------------- */

#define REGISTRY_NAMES 1024

static char registry_names[REGISTRY_NAMES][16];

static int registry_fill(struct troupe_registry *registry,
			 const struct troupe_strong *actors)
{
	int code = 0;

	for (int i = 0; code == 0 && i < REGISTRY_NAMES; i++) {
		snprintf(registry_names[i], sizeof(registry_names[i]),
			 "service-%d", i);
		code = troupe_registry_put(registry, registry_names[i],
					   actors[i]);
	}
	return code;
}

static int registry_read(struct troupe_registry *registry, uint64_t count)
{
	uint32_t random = 1;

	for (uint64_t i = 0; i < count; i++) {
		struct troupe_strong actor;

		random = random * 1664525u + 1013904223u;
		actor = troupe_registry_get(
			registry,
			registry_names[(random >> 8) % REGISTRY_NAMES]);
		if (troupe_strong_is_null(actor))
			return -ENOENT;
		troupe_strong_release(&actor);
	}
	return 0;
}

int bench_registry(const struct bench_item *item, struct bench_trial *trial)
{
	struct troupe_strong actors[REGISTRY_NAMES] = {{NULL}};
	uint64_t count = bench_size(trial, 2000000, 1000);
	struct troupe_registry *registry;
	struct troupe_system *system;
	quiet_count handled = 0;
	double start;
	int code = bench_system(trial, &system);

	(void)item;
	if (code != 0)
		return code;
	registry = troupe_system_registry(system);
	code = quiet_spawn(system, &handled, actors, REGISTRY_NAMES);
	if (code == 0)
		code = registry_fill(registry, actors);
	if (code == 0 && trial->warm)
		code = registry_read(registry, count / 20);
	start = bench_now();
	if (code == 0)
		code = registry_read(registry, count);
	trial->results[0] = (bench_now() - start) / (double)count;
	for (int i = 0; i < REGISTRY_NAMES; i++)
		troupe_strong_release(&actors[i]);
	troupe_system_destroy(system);
	return code == 0 ? 0 : bench_failed(trial, "look up", code);
}
