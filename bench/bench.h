/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * bench.h - what bench measures, and how its parts meet
 *
 * An *item* is one thing to measure. Each run of an item is a process of its
 * own, so that no run finds memory that another has warmed. Within it, what
 * has to be warm is run once at a small size before the clock starts.
 *
 * Numbers are the median of all runs with the smallest and the largest. Their
 * unit is nanoseconds for one operation, unless the item says another.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "quantile.h"
#include "troupe.h"
#include "troupe_config.h"

#define BENCH_RESULTS 4

/** Exit status. */
enum bench_status {
	BENCH_OK = 0,
	BENCH_FAILED = 1,
	BENCH_USAGE = 2,
};

/** One run of one item. */
struct bench_trial {
	struct troupe_config config; /* of the systems that it creates */
	double scale;		     /* 1: as large as the summary says */
	bool warm;		     /* run it small first */

	/* Filled in by measure(). */
	double results[BENCH_RESULTS];
	char problem[240]; /* one line, when measure() fails */
};

struct bench_result {
	const char *name;
	const char *unit; /* "ns", "bytes", "ms": less is better */
};

struct bench_item {
	const char *name;
	const char *per; /* one operation: "message" */
	const char *summary;
	struct bench_result results[BENCH_RESULTS]; /* up to a NULL name */
	const char *workload; /* of workloads.h; or NULL */
	double size;	      /* of the workload: its scale at our 1 */

	/**
	 * Returns: 0; non-zero with trial->problem filled in.
	 */
	int (*measure)(const struct bench_item *item,
		       struct bench_trial *trial);
};

/** What the command line asks for. */
struct bench_options {
	struct troupe_config config;
	const struct bench_item **items; /* NULL-terminated */
	uint32_t runs;
	uint32_t timeout; /* seconds, of one run */
	double scale;
	bool here;  /* in this process, without warming up */
	bool lines; /* "NAME NUMBER", for programs */
	const char *json;
};

/** The items by number; NULL after the last. */
const struct bench_item *bench_item_at(size_t index);
/** NULL if there is none of that name. */
const struct bench_item *bench_item_find(const char *name);

/** Returns: 0; -1 when --help or --list has been answered; BENCH_USAGE. */
int bench_options_read(struct bench_options *options, int argc, char **argv);

/** All runs of all items, with a line for each result. Returns: a status. */
int bench_run(const struct bench_options *options);

/** Prints "bench: ..." in one line. Returns: @status. */
__attribute__((format(printf, 2, 3))) int bench_error(int status,
						      const char *format, ...);

/* ---- for items --------------------------------------------------------- */

/** Fills in the problem. Returns: @code, negative. */
int bench_failed(struct bench_trial *trial, const char *step, int code);
/** A system as the trial says. Returns: 0, or non-zero with the problem. */
int bench_system(struct bench_trial *trial, struct troupe_system **ret_system);
/** @base times the scale, but at least @minimum. */
uint64_t bench_size(const struct bench_trial *trial, uint64_t base,
		    uint64_t minimum);

/** Nanoseconds, monotonic. */
static inline double bench_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/** Sleeps so many nanoseconds in the kernel. */
static inline void bench_sleep(double nanoseconds)
{
	struct timespec time = {
		.tv_sec = (time_t)(nanoseconds / 1e9),
	};

	time.tv_nsec = (long)(nanoseconds - (double)time.tv_sec * 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &time) != 0)
		;
}

int bench_workload(const struct bench_item *item, struct bench_trial *trial);
int bench_memory(const struct bench_item *item, struct bench_trial *trial);
int bench_idle(const struct bench_item *item, struct bench_trial *trial);
int bench_wake(const struct bench_item *item, struct bench_trial *trial);
int bench_create(const struct bench_item *item, struct bench_trial *trial);
int bench_registry(const struct bench_item *item, struct bench_trial *trial);

#endif
