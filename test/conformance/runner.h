/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * runner.h - runs checks, each in a process of its own, under a watchdog
 *
 * Overview. A case is one check of one policy with one number of workers. Its
 * process is killed when its board shows no progress for the patience, which
 * is counted in looks of the watchdog, not by the clock: on a machine that is
 * busy both become slower together. What happened is then in the result.
 *
 * Threads. One; it forks, so the caller must not have started threads.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "suite.h"

struct runner_options {
	uint64_t seed;
	uint32_t patience_ms; /* without progress, then it hangs */
	uint32_t at_once;     /* processes at the same time */
	bool quiet;	      /* what the processes print is dropped */
};

struct runner_result {
	bool passed;
	char reason[600]; /* one line */
	char state[2000]; /* lines, if it hung or crashed; else empty */
};

struct runner_case {
	const char *label; /* the policy, as the user called it */
	const struct troupe_policy_ops *ops;
	const struct troupe_policy_ops *section; /* see struct suite_run */
	const struct suite_check *check;
	uint32_t workers;
	const char *const *settings;
	struct runner_result result;
};

/** Called for each case, in their order, as soon as it and those before have
 * ended. */
typedef void (*runner_report_fn)(const struct runner_case *it, void *context);

/** Returns: 0; -ENOMEM, -EAGAIN if processes cannot be made. */
int runner_run(struct runner_case *cases, size_t count,
	       const struct runner_options *options, runner_report_fn report,
	       void *context);

#endif
