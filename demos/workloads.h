/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * workloads.h - actor programs to measure a scheduler with
 *
 * Overview. A *workload* is a small program with a known right answer: it
 * spawns its actors or jobs in a system, waits until the last has ended,
 * verifies the result and says how many operations that was. The clock is the
 * caller's. Each shows one way of using the library, too.
 *
 * Typical use.
 *	struct workload_trial trial = {.system = system, .scale = 1};
 *	start = now;
 *	if (workload_find("ring")->run(&trial) != 0)
 *		... trial.problem says what was wrong ...
 *	... (now - start) / trial.operations ...
 *
 * Memory. A sender that outruns its receiver would fill the memory. Each
 * workload but fan-in-unbounded bounds what is in flight: with credits (fan-in, counting, spawn),
 * with the limit of a mailbox (fan-in-held), with a reply for each message
 * (ping-pong, request, big, chameneos, ring) or by waiting (jobs-outside,
 * jobs-inside). tree, fib and nqueens are as large as their breadth: that a
 * policy which runs them breadth first needs more memory is what they show.
 *
 * Threads. run() waits as troupe_system_await() does, from outside of the
 * system. One run at a time in one system.
 */
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

#include "troupe.h"

/** The text that wordfreq counts. See workload_text_open(). */
struct workload_text {
	const char *const *paths;
	size_t path_count;
	uint64_t bytes; /* of one pass over all of it */
	uint64_t words;
};

/** One run. */
struct workload_trial {
	struct troupe_system *system;
	double scale;			  /* 1: as large as the summary says */
	const struct workload_text *text; /* NULL: none */

	/* Filled in by run(). */
	uint64_t operations;
	char problem[200]; /* one line, when run() fails */
};

enum workload_flags {
	/** One of those that compare runs when none is named. */
	WORKLOAD_USUAL = 1u << 0,
	/** The time of the whole run counts, not that of one operation. */
	WORKLOAD_WHOLE = 1u << 1,
	/** Needs trial->text. */
	WORKLOAD_TEXT = 1u << 2,
};

struct workload {
	const char *name;
	const char *unit;    /* one operation: "message" */
	uint32_t flags;	     /* enum workload_flags */
	const char *summary; /* one line */

	/**
	 * Returns: 0; -EBADMSG for a wrong result, or the negative errno of
	 *          what failed, with trial->problem filled in.
	 */
	int (*run)(struct workload_trial *trial);
};

/** The workloads by number; NULL after the last. */
const struct workload *workload_at(size_t index);

/** NULL if there is none of that name. */
const struct workload *workload_find(const char *name);

/**
 * workload_text_open - look at the text once, without the library
 *
 * Reads every file, so that problems show now and the right answer is known.
 *
 * Owns:    @ret_text points to @paths, which must live as long.
 * Returns: 0; a negative errno with its path in @ret_path: one of @paths or a
 *          file below it, the caller's to free(); -ENODATA without a word in
 *          all the text.
 */
int workload_text_open(const char *const *paths, size_t count,
		       struct workload_text *ret_text, char **ret_path);

/* ---- for those who write workloads ------------------------------------- */

/** @base operations at scale 1, but at least @minimum. */
uint64_t workload_size(const struct workload_trial *trial, uint64_t base,
		       uint64_t minimum);

/** Fills in the problem. Returns: @code, negative. */
int workload_failed(struct workload_trial *trial, const char *step, int code);

/** Returns: 0 if @got is @expected, else -EBADMSG with the problem. */
int workload_verify(struct workload_trial *trial, const char *what,
		    uint64_t got, uint64_t expected);

/** A count that every worker adds to without disturbing the others. */
struct workload_tally;
/** Returns: NULL when out of memory. */
struct workload_tally *workload_tally_create(struct troupe_system *system);
/** Context: a worker of the system. */
void workload_tally_add(struct workload_tally *tally);
/** Exact once the system is idle, else a little behind. Any thread. */
uint64_t workload_tally_sum(const struct workload_tally *tally);
/** Accepts NULL. */
void workload_tally_destroy(struct workload_tally *tally);

extern const struct workload workload_ping_pong;
extern const struct workload workload_ping_pong_32;
extern const struct workload workload_request;
extern const struct workload workload_ring;
extern const struct workload workload_counting;
extern const struct workload workload_fan_in;
extern const struct workload workload_fan_in_held;
extern const struct workload workload_fan_in_unbounded;
extern const struct workload workload_spawn;
extern const struct workload workload_tree;
extern const struct workload workload_uneven;
extern const struct workload workload_big;
extern const struct workload workload_chameneos;
extern const struct workload workload_fib;
extern const struct workload workload_nqueens;
extern const struct workload workload_jobs_inside;
extern const struct workload workload_jobs_outside;
extern const struct workload workload_wordfreq;

#endif
