/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * stress.h - what the stress programs of the core share
 *
 *	stress_NAME [--seconds N] [--seed S] [--policy P] [--workers W]
 *		[--size N]
 *
 * What --size is, each program says. Without --policy all that are built in,
 * without --workers several numbers of them, have their turn. Threads are
 * delayed at random where they lock, wait, wake and change a job's state, so
 * that rare orders of events become common. A watchdog ends what hangs. The
 * seed decides what each thread does, if not when.
 */
#ifndef STRESS_H
#define STRESS_H

#include "platform.h"
#include "troupe.h"
#include "troupe_config.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So long may nothing happen, with sanitizers on a busy machine. */
#define STRESS_PATIENCE 90

static struct {
	const char *name;
	uint64_t nanoseconds;
	uint64_t seed;
	const char *policy;	/* NULL: all */
	uint32_t workers;	/* 0: several */
	uint32_t size;		/* 0: as the program likes */
	const char *now_policy; /* of the present turn */
	uint32_t now_workers;
	uint64_t turn_end;
	_Atomic uint64_t progress;
	_Atomic uint64_t threads; /* that took random numbers */
} stress;

/* ---- failing ----------------------------------------------------------- */

static inline void stress_fail(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

static inline void stress_fail(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "stress_%s: ", stress.name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr,
		"\nagain: stress_%s --seed %" PRIu64
		" --policy %s --workers %u --size %u\n",
		stress.name, stress.seed, stress.now_policy, stress.now_workers,
		stress.size);
	abort();
}

#define stress_check(holds, ...) ((holds) ? (void)0 : stress_fail(__VA_ARGS__))

/** Something happened: the watchdog begins anew. */
static inline void stress_progress(void)
{
	/* relaxed: a number that moves. */
	atomic_fetch_add_explicit(&stress.progress, 1, memory_order_relaxed);
}

static inline void *stress_watchdog(void *data)
{
	uint64_t seen = 0;
	unsigned still = 0;

	(void)data;
	for (;;) {
		/* relaxed: as above. */
		uint64_t now = atomic_load_explicit(&stress.progress,
						    memory_order_relaxed);

		sleep(1);
		still = now == seen ? still + 1 : 0;
		seen = now;
		if (still > STRESS_PATIENCE)
			stress_fail("nothing happens any more");
	}
	return NULL;
}

/* ---- chance ------------------------------------------------------------ */

/** 64 random bits, of this thread's own. */
static inline uint64_t stress_random(void)
{
	static _Thread_local uint64_t state;
	uint64_t x = state;

	while (x == 0)
		x = (stress.seed + atomic_fetch_add(&stress.threads, 1)) *
		    UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	state = x;
	return x * UINT64_C(0x2545f4914f6cdd1d);
}

/** 0 to @end - 1. */
static inline uint64_t stress_below(uint64_t end)
{
	return (stress_random() >> 16) % end;
}

/** True once in @times. */
static inline bool stress_once_in(uint64_t times)
{
	return stress_below(times) == 0;
}

/** Nothing, mostly; or a moment, up to @longest microseconds. */
static inline void stress_pause(uint32_t longest)
{
	uint64_t chance = stress_below(64);

	if (chance < 4)
		sched_yield();
	else if (chance < 8)
		for (volatile uint64_t i = stress_below(2000); i > 0; i--)
			;
	else if (chance == 8)
		usleep((useconds_t)stress_below(longest + 1));
}

static inline bool stress_hook(enum troupe__point point)
{
	switch (point) {
	case TROUPE__POINT_LOCK:
	case TROUPE__POINT_UNLOCK:
	case TROUPE__POINT_WAIT:
	case TROUPE__POINT_WAKE:
	case TROUPE__POINT_STATE:
	case TROUPE__POINT_HANDLE:
		stress_pause(50);
		break;
	default:
		break;
	}
	return true;
}

/* ---- turns ------------------------------------------------------------- */

static inline void stress_usage(void)
{
	fprintf(stderr,
		"usage: stress_%s [--seconds N] [--seed S] [--policy P] "
		"[--workers W] [--size N]\n",
		stress.name);
	exit(2);
}

/** Reads the arguments, and prints the seed. */
static inline void stress_start(const char *name, double seconds, int argc,
				char **argv)
{
	pthread_t watchdog;

	stress.name = name;
	stress.now_policy = "none";
	stress.seed = troupe_now() % 1000000;
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			stress_usage();
		if (strcmp(argv[i], "--seconds") == 0)
			seconds = strtod(argv[i + 1], NULL);
		else if (strcmp(argv[i], "--seed") == 0)
			stress.seed = strtoull(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--policy") == 0)
			stress.policy = argv[i + 1];
		else if (strcmp(argv[i], "--workers") == 0)
			stress.workers =
				(uint32_t)strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--size") == 0)
			stress.size = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else
			stress_usage();
	}
	stress.nanoseconds = (uint64_t)(seconds * 1e9);
	printf("stress_%s --seed %" PRIu64 "\n", name, stress.seed);
	fflush(stdout);
	if (pthread_create(&watchdog, NULL, stress_watchdog, NULL) == 0)
		pthread_detach(watchdog);
	troupe__set_hook(stress_hook);
}

/** In a turn: is there time for another round? */
static inline bool stress_goes_on(void)
{
	return troupe_now() < stress.turn_end;
}

/** A system as the turn wants it, with more @settings (NULL: none); an actor
 * handles at most @quota messages in a run. */
static inline struct troupe_system *
stress_create_with(const char *const *settings, uint32_t quota)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	struct troupe_error error;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy_name = stress.now_policy;
	config.max_threads = stress.now_workers;
	config.max_throughput = quota;
	config.settings = settings;
	if (troupe_system_create(&config, &error, &system) != 0)
		stress_fail("%s", error.text);
	return system;
}

/* Few, so that quotas end often. */
static inline struct troupe_system *stress_create(void)
{
	return stress_create_with(NULL, 1 + (uint32_t)stress_below(20));
}

/** One whose spare threads go soon, or not; @max_threads is that setting. */
static inline struct troupe_system *
stress_create_detached(const char *max_threads, uint32_t most)
{
	const char *const settings[] = {
		max_threads,
		stress_once_in(2) ? "detached.keep-alive=1ms"
				  : "detached.keep-alive=5s",
		NULL,
	};

	return stress_create_with(settings, 1 + (uint32_t)stress_below(most));
}

static inline void stress_turn(void (*turn)(struct troupe_system *system))
{
	struct troupe_stats stats = {.size = sizeof(stats)};
	uint64_t alive = troupe__live_allocations();
	struct troupe_system *system = stress_create();

	turn(system);
	troupe_system_await(system);
	troupe_system_stats(system, &stats);
	stress_check(stats.spawned == stats.completed,
		     "%" PRIu64 " began, %" PRIu64 " ended", stats.spawned,
		     stats.completed);
	stress_check(stats.faults == 0, "%" PRIu64 " faults of the policy",
		     stats.faults);
	stress_check(troupe_system_destroy(system) == 0, "destroy");
	stress_check(troupe__live_allocations() == alive,
		     "%" PRIu64 " allocations are left",
		     troupe__live_allocations() - alive);
	stress_progress();
}

static inline uint64_t stress_policy_count(void)
{
	uint64_t count = 0;

	while (troupe_policy_builtin(count) != NULL)
		count++;
	return stress.policy != NULL ? 1 : count;
}

/** Runs @turn under each policy with each of @workers (0 ends it), in equal
 * parts of the time. @turn runs its rounds while stress_goes_on(). */
static inline void stress_turns(void (*turn)(struct troupe_system *system),
				const uint32_t *workers)
{
	const uint32_t one[] = {stress.workers, 0};
	uint64_t end = troupe_now() + stress.nanoseconds;
	uint64_t policies = stress_policy_count();
	uint64_t counts = 0;

	if (stress.workers != 0)
		workers = one;
	while (workers[counts] != 0)
		counts++;
	for (uint64_t i = 0; i < policies * counts; i++) {
		uint64_t now = troupe_now();
		uint64_t left = now < end ? end - now : 0;

		stress.now_policy = stress.policy;
		if (stress.policy == NULL)
			stress.now_policy =
				troupe_policy_builtin(i / counts)->name;
		stress.now_workers = workers[i % counts];
		stress.turn_end = now + left / (policies * counts - i);
		stress_turn(turn);
	}
}

#endif
