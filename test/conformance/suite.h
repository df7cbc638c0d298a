/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * suite.h - the checks of the policy conformance suite
 *
 * Overview. A check is a function that drives one policy in a process of its
 * own. It returns if the policy holds the contract, and ends the process
 * through board_fail() if not; whatever hangs or crashes was broken by the
 * policy too, and its watchdog (runner.h) says so.
 *
 * The name of a check is stable: it begins with the contract of
 * troupe_policy.h that it is about.
 */
#ifndef SUITE_H
#define SUITE_H

#include "board.h"
#include "troupe_policy.h"

/** One check of one policy with one number of workers. */
struct suite_run {
	const struct troupe_policy_ops *ops; /* the policy under test */
	/* whose options are settings: of a wrapper what it wraps */
	const struct troupe_policy_ops *section;
	const char *const *settings; /* section.key=value, or NULL */
	uint32_t workers;
	uint64_t seed;
	struct board *board;
};

struct suite_check {
	const char *name;    /* "contract 3: ..."; NULL ends an array */
	uint32_t workers[3]; /* numbers of workers to check; 0: no more */
	bool plugin_only;    /* looks at the policy's file */
	void (*check)(const struct suite_run *run);
};

extern const struct suite_check suite_handout[]; /* contract 1 */
extern const struct suite_check suite_enqueue[]; /* contract 2 */
extern const struct suite_check suite_wake[];	 /* contract 3 */
extern const struct suite_check suite_fair[];	 /* contract 4 */
extern const struct suite_check suite_stop[];	 /* contract 5 */
extern const struct suite_check suite_helpers[]; /* contract 6 */
extern const struct suite_check suite_life[];	 /* the table, start, end */

/** The arrays above; NULL ends them. */
extern const struct suite_check *const suite_all[];

/* ---- what checks share ------------------------------------------------- */

/** A number between threads that orders nothing else; see board.h. */
struct suite_flag {
	_Atomic uint64_t value;
};
/** Adds 1. Returns: what it was. */
uint64_t suite_raise(struct suite_flag *flag);
void suite_set(struct suite_flag *flag, uint64_t value);
uint64_t suite_value(const struct suite_flag *flag);
/** Sleeps, in short steps, until it is at least @value. */
void suite_await(const struct suite_flag *flag, uint64_t value);

#endif
