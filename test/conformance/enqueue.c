/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 2: enqueueing allocates nothing, and no enqueue slot waits for a
 * worker. Every worker is stuck in a job while thousands of jobs are enqueued
 * by each path; nobody could make room, so a slot that waits never returns.
 */
#include "ledger.h"

#define ENQUEUE_JOBS   2000
#define ENQUEUE_PINNED 300 /* for each worker */
#define ENQUEUE_YIELDS 500

struct enqueue_check {
	struct board *board;
	struct troupe_system *system;
	struct suite_flag stuck; /* workers in enqueue_stick() */
	struct suite_flag begin; /* the first may enqueue */
	struct suite_flag done;	 /* it has */
	struct suite_flag gate;	 /* all may leave */
	struct suite_flag yields;
	struct suite_flag runs;
};

static int enqueue_nothing(void *data)
{
	struct enqueue_check *check = data;

	if (suite_raise(&check->yields) < ENQUEUE_YIELDS)
		return TROUPE_JOB_AGAIN;
	suite_raise(&check->runs);
	return TROUPE_JOB_DONE;
}

static void enqueue_some(struct enqueue_check *check)
{
	for (uint32_t i = 0; i < ENQUEUE_JOBS; i++)
		if (troupe_schedule(check->system, enqueue_nothing, check) != 0)
			board_fail(check->board, "core: out of memory");
}

static void enqueue_some_pinned(struct enqueue_check *check)
{
	uint32_t workers = troupe_system_worker_count(check->system);

	for (uint32_t i = 0; i < ENQUEUE_PINNED * workers; i++)
		if (troupe_schedule_on(check->system, i % workers,
				       enqueue_nothing, check) != 0)
			board_fail(check->board, "core: out of memory");
}

static int enqueue_stick(void *data)
{
	struct enqueue_check *check = data;

	suite_raise(&check->stuck);
	suite_await(&check->gate, 1);
	return TROUPE_JOB_DONE;
}

/* As above, and makes jobs READY while it keeps its worker. */
static int enqueue_stick_first(void *data)
{
	struct enqueue_check *check = data;

	suite_raise(&check->stuck);
	suite_await(&check->begin, 1);
	enqueue_some(check);
	enqueue_some_pinned(check);
	suite_raise(&check->done);
	suite_await(&check->gate, 1);
	return TROUPE_JOB_DONE;
}

static void enqueue_stuck(const struct suite_run *run, uint32_t watch)
{
	struct enqueue_check check = {.board = run->board};
	struct ledger ledger;
	uint32_t expected =
		2 * ENQUEUE_JOBS + 2 * ENQUEUE_PINNED * run->workers;

	ledger_prepare(&ledger, run, watch);
	check.system = ledger_start(&ledger);
	board_step(run->board, "each worker gets a job that sticks to it");
	for (uint32_t i = 0; i < run->workers; i++)
		if (troupe_schedule_on(check.system, i,
				       i == 0 ? enqueue_stick_first
					      : enqueue_stick,
				       &check) != 0)
			board_fail(run->board, "core: out of memory");
	suite_await(&check.stuck, run->workers);
	board_step(run->board, "central_enqueue while every worker is busy");
	enqueue_some(&check);
	board_step(run->board, "external_enqueue while every worker is busy");
	enqueue_some_pinned(&check);
	board_step(run->board, "internal_enqueue while every worker is busy");
	suite_raise(&check.begin);
	suite_await(&check.done, 1);
	suite_raise(&check.gate);
	ledger_finish(&ledger, check.system);
	if (suite_value(&check.runs) != expected)
		board_fail(run->board, "%llu jobs ran, not %u",
			   (unsigned long long)suite_value(&check.runs),
			   expected);
}

static void enqueue_returns(const struct suite_run *run)
{
	enqueue_stuck(run, 0);
}

static void enqueue_allocates(const struct suite_run *run)
{
	enqueue_stuck(run, LEDGER_ALLOCATIONS);
}

const struct suite_check suite_enqueue[] = {
	{"contract 2: enqueue returns while every worker is busy",
	 {1, 2, 4},
	 false,
	 enqueue_returns},
	{"contract 2: enqueue allocates nothing",
	 {2},
	 false,
	 enqueue_allocates},
	{NULL, {0}, false, NULL},
};
