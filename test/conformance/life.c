/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table itself, and the start and the end of a system: data, init that
 * fails half way, hooks in pairs.
 */
#include "chance.h"
#include "ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void life_table(const struct suite_run *run)
{
	struct troupe_error error = {0, ""};
	int result = troupe_policy_check(run->ops, &error);

	if (result != 0)
		board_fail(run->board, "troupe_policy_check: %d, %s", result,
			   error.text);
}

/* The ledger looks for zeros at the start and behind the data at the end. */
static void life_data(const struct suite_run *run)
{
	struct troupe_system *system;
	struct ledger ledger;

	for (uint32_t i = 0; i < 3; i++) {
		ledger_prepare(&ledger, run, 0);
		system = ledger_start(&ledger);
		ledger_finish(&ledger, system);
	}
}

/* ---- init fails half way ----------------------------------------------- */

static void life_check_undone(const struct ledger *ledger, uint32_t worker_init)
{
	const struct ledger_count *count = &ledger->count;

	if (count->init != count->fini || count->worker_init != worker_init ||
	    count->worker_fini != worker_init)
		board_fail(ledger->board,
			   "core: init %u times and fini %u times, worker_init "
			   "%u times and worker_fini %u times, when worker %u "
			   "of %u failed",
			   count->init, count->fini, count->worker_init,
			   count->worker_fini, worker_init,
			   ledger->run->workers);
}

static void life_undo(const struct suite_run *run)
{
	struct troupe_system *system;
	struct ledger ledger;

	for (uint32_t i = 0; i < run->workers; i++) {
		ledger_prepare(&ledger, run, 0);
		ledger.fail_worker_init = i;
		ledger_try(&ledger, -ENOMEM);
		life_check_undone(&ledger, i);
	}
	ledger_prepare(&ledger, run, 0);
	system = ledger_start(&ledger);
	ledger_finish(&ledger, system);
}

/* ---- hooks ------------------------------------------------------------- */

#define LIFE_JOBS 60

struct life_job {
	uint32_t again;
};

static int life_run(void *data)
{
	struct life_job *job = data;

	return job->again-- > 0 ? TROUPE_JOB_AGAIN : TROUPE_JOB_DONE;
}

static void life_hooks(const struct suite_run *run)
{
	struct life_job jobs[LIFE_JOBS];
	struct troupe_system *system;
	struct ledger ledger;
	uint64_t runs = 0;

	ledger_prepare(&ledger, run, LEDGER_NUDGE);
	system = ledger_start(&ledger);
	for (uint32_t i = 0; i < LIFE_JOBS; i++) {
		jobs[i].again = chance_below(5);
		runs += jobs[i].again + 1;
		if (troupe_schedule(system, life_run, &jobs[i]) != 0)
			board_fail(run->board, "core: out of memory");
	}
	ledger_finish(&ledger, system);
	if (ledger.count.before_resume != runs ||
	    ledger.count.after_resume != runs ||
	    ledger.count.after_completion != LIFE_JOBS)
		board_fail(run->board,
			   "core: %llu runs of %u jobs: before_resume %llu "
			   "times, after_resume %llu, after_completion %llu",
			   (unsigned long long)runs, LIFE_JOBS,
			   (unsigned long long)ledger.count.before_resume,
			   (unsigned long long)ledger.count.after_resume,
			   (unsigned long long)ledger.count.after_completion);
}

/* ---- out of memory in init --------------------------------------------- */

static void life_memory(const struct suite_run *run)
{
	uint64_t nth = 0;
	bool failed;

	do {
		struct troupe_system *system;
		struct ledger ledger;

		ledger_prepare(&ledger, run, 0);
		ledger.fail_allocation = ++nth;
		system = ledger_try_memory(&ledger);
		failed = ledger.allocation_failed;
		if (system != NULL)
			ledger_finish(&ledger, system);
	} while (failed);
}

const struct suite_check suite_life[] = {
	{"table: complete and sound", {1}, false, life_table},
	{"data: nothing is written behind it", {1, 4}, false, life_data},
	{"start: worker_init fails and all is undone", {4}, false, life_undo},
	{"start: an allocation fails in init", {2}, false, life_memory},
	{"hooks: in pairs around each run", {2}, false, life_hooks},
	{NULL, {0}, false, NULL},
};
