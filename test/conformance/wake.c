/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 3: no lost wake-up. Each check makes one job READY and nothing
 * else happens until it has run: a policy that forgets to wake a sleeper
 * hangs, and the watchdog says so. Naps of random length in between catch
 * workers on their way to sleep as well as fast asleep.
 */
#include "chance.h"
#include "ledger.h"

#include <stdlib.h>

#define WAKE_ROUNDS 40

struct wake_check {
	const struct suite_run *run;
	struct board *board;
	struct troupe_system *system;
	bool pinned;
	struct suite_flag woken;    /* jobs that have run */
	struct suite_flag together; /* of WAKE_BURST: who is there */
	struct suite_flag over;	    /* senders that have ended */
	struct suite_flag waves;    /* of tiny jobs */
	struct suite_flag round;
	struct suite_flag sent;	   /* when it was enqueued, ns */
	struct suite_flag latency; /* of the last woken job, ns */
};

static void wake_schedule(const struct wake_check *check, uint32_t worker,
			  troupe_job_fn run)
{
	void *data = (void *)(uintptr_t)check;
	int result =
		worker == TROUPE_ANY_WORKER
			? troupe_schedule(check->system, run, data)
			: troupe_schedule_on(check->system, worker, run, data);

	if (result != 0)
		board_fail(check->board, "core: scheduling returned %d",
			   result);
}

static int wake_receiver(void *data)
{
	struct wake_check *check = data;

	suite_set(&check->latency, troupe_now() - suite_value(&check->sent));
	suite_raise(&check->woken);
	return TROUPE_JOB_DONE;
}

static void wake_start(struct wake_check *check, struct ledger *ledger,
		       const struct suite_run *run)
{
	*check = (struct wake_check){.run = run, .board = run->board};
	ledger_prepare(ledger, run, LEDGER_NUDGE);
	check->system = ledger_start(ledger);
}

/* ---- all asleep -------------------------------------------------------- */

static void wake_asleep(const struct suite_run *run)
{
	struct wake_check check;
	struct ledger ledger;

	wake_start(&check, &ledger, run);
	for (uint32_t i = 0; i < WAKE_ROUNDS; i++) {
		chance_nap();
		board_step(run->board,
			   "one central_enqueue while every worker is idle");
		wake_schedule(&check, TROUPE_ANY_WORKER, wake_receiver);
		suite_await(&check.woken, i + 1);
	}
	ledger_finish(&ledger, check.system);
}

static void wake_asleep_pinned(const struct suite_run *run)
{
	struct wake_check check;
	struct ledger ledger;

	wake_start(&check, &ledger, run);
	for (uint32_t i = 0; i < WAKE_ROUNDS; i++) {
		chance_nap();
		board_step(run->board,
			   "one external_enqueue while every worker is idle");
		wake_schedule(&check, chance_below(run->workers),
			      wake_receiver);
		suite_await(&check.woken, i + 1);
	}
	ledger_finish(&ledger, check.system);
}

/* ---- the sender stays busy --------------------------------------------- */

static int wake_sender(void *data)
{
	struct wake_check *check = data;
	uint32_t self = troupe_current_worker();
	uint32_t other = TROUPE_ANY_WORKER;

	if (check->pinned)
		other = (self + 1 + chance_below(check->run->workers - 1)) %
			check->run->workers;
	chance_nap();
	suite_set(&check->sent, troupe_now());
	wake_schedule(check, other, wake_receiver);
	/* Busy until the other has run. */
	suite_await(&check->woken, suite_value(&check->round) + 1);
	suite_raise(&check->over);
	return TROUPE_JOB_DONE;
}

static void wake_by_busy(const struct suite_run *run, bool pinned)
{
	struct wake_check check;
	struct ledger ledger;

	wake_start(&check, &ledger, run);
	check.pinned = pinned;
	for (uint32_t i = 0; i < WAKE_ROUNDS; i++) {
		suite_set(&check.round, i);
		chance_nap();
		board_step(run->board,
			   pinned ? "one external_enqueue by a job that stays "
				    "busy, the others are idle"
				  : "one internal_enqueue by a job that stays "
				    "busy, the others are idle");
		wake_schedule(&check, chance_below(run->workers), wake_sender);
		suite_await(&check.over, i + 1);
	}
	ledger_finish(&ledger, check.system);
}

static void wake_busy(const struct suite_run *run)
{
	wake_by_busy(run, false);
}

static void wake_busy_pinned(const struct suite_run *run)
{
	wake_by_busy(run, true);
}

/* ---- after tiny jobs --------------------------------------------------- */

/* So many tiny jobs at once, and so often, before one that is not. A policy may
 * find out by then that they are better off on one worker. */
#define WAKE_TINY	 100
#define WAKE_TINY_WAVES	 50
#define WAKE_TINY_ROUNDS 4

static int wake_tiny(void *data)
{
	(void)data;
	return TROUPE_JOB_DONE;
}

/* Waves of tiny jobs, and behind the last one the sender. */
static int wake_tiny_waves(void *data)
{
	struct wake_check *check = data;

	if (suite_raise(&check->waves) % WAKE_TINY_WAVES ==
	    WAKE_TINY_WAVES - 1) {
		wake_schedule(check, TROUPE_ANY_WORKER, wake_sender);
		return TROUPE_JOB_DONE;
	}
	for (uint32_t i = 0; i < WAKE_TINY; i++)
		wake_schedule(check, TROUPE_ANY_WORKER, wake_tiny);
	return TROUPE_JOB_AGAIN;
}

static void wake_after_tiny(const struct suite_run *run, bool pinned)
{
	struct wake_check check;
	struct ledger ledger;

	check = (struct wake_check){.run = run, .board = run->board};
	/* No nudges: they would make the jobs anything but tiny. */
	ledger_prepare(&ledger, run, 0);
	check.system = ledger_start(&ledger);
	check.pinned = pinned;
	for (uint32_t i = 0; i < WAKE_TINY_ROUNDS; i++) {
		suite_set(&check.round, i);
		board_step(run->board,
			   pinned ? "one external_enqueue by a job that stays "
				    "busy, after many tiny ones"
				  : "one internal_enqueue by a job that stays "
				    "busy, after many tiny ones");
		wake_schedule(&check, TROUPE_ANY_WORKER, wake_tiny_waves);
		suite_await(&check.over, i + 1);
	}
	ledger_finish(&ledger, check.system);
}

static void wake_tiny_busy(const struct suite_run *run)
{
	wake_after_tiny(run, false);
}

static void wake_tiny_busy_pinned(const struct suite_run *run)
{
	wake_after_tiny(run, true);
}

/* ---- put back behind another ------------------------------------------- */

/* Keeps its worker until the job that was put back behind it has run. */
static int wake_keeper(void *data)
{
	struct wake_check *check = data;

	suite_await(&check->woken, suite_value(&check->round) + 1);
	suite_raise(&check->over);
	return TROUPE_JOB_DONE;
}

/* Its first run leaves a keeper for its own worker; its second, by another
 * worker, ends the round. */
static int wake_yielder(void *data)
{
	struct wake_check *check = data;

	if (suite_raise(&check->together) % 2 == 1) {
		suite_raise(&check->woken);
		return TROUPE_JOB_DONE;
	}
	wake_schedule(check, troupe_current_worker(), wake_keeper);
	chance_nap();
	return TROUPE_JOB_AGAIN;
}

static void wake_put_back(const struct suite_run *run)
{
	struct wake_check check;
	struct ledger ledger;

	wake_start(&check, &ledger, run);
	for (uint32_t i = 0; i < WAKE_ROUNDS; i++) {
		suite_set(&check.round, i);
		chance_nap();
		board_step(run->board,
			   "one resume_job_later behind a job that stays "
			   "busy, the others are idle");
		wake_schedule(&check, TROUPE_ANY_WORKER, wake_yielder);
		suite_await(&check.over, i + 1);
	}
	ledger_finish(&ledger, check.system);
}

/* ---- work for all ------------------------------------------------------ */

/* None ends before all have met. */
static int wake_meet(void *data)
{
	struct wake_check *check = data;

	suite_raise(&check->together);
	suite_await(&check->together,
		    (suite_value(&check->round) + 1) * check->run->workers);
	suite_raise(&check->over);
	return TROUPE_JOB_DONE;
}

/* As above, and calls the others first. */
static int wake_meet_caller(void *data)
{
	struct wake_check *check = data;

	chance_nap();
	for (uint32_t i = 1; i < check->run->workers; i++)
		wake_schedule(check, TROUPE_ANY_WORKER, wake_meet);
	return wake_meet(data);
}

static void wake_burst(const struct suite_run *run)
{
	struct wake_check check;
	struct ledger ledger;

	wake_start(&check, &ledger, run);
	for (uint32_t i = 0; i < WAKE_ROUNDS; i++) {
		suite_set(&check.round, i);
		chance_nap();
		if (i % 2 == 0) {
			board_step(run->board,
				   "as many central_enqueue as idle workers; "
				   "each job waits for the others");
			for (uint32_t j = 0; j < run->workers; j++)
				wake_schedule(&check, TROUPE_ANY_WORKER,
					      wake_meet);
		} else {
			board_step(run->board,
				   "as many internal_enqueue as idle workers, "
				   "by one job; each waits for the others");
			wake_schedule(&check, TROUPE_ANY_WORKER,
				      wake_meet_caller);
		}
		suite_await(&check.over, (i + 1) * run->workers);
	}
	ledger_finish(&ledger, check.system);
}

/* ---- how long it takes ------------------------------------------------- */

#define WAKE_SAMPLES	 7
#define WAKE_BATCHES	 3
#define WAKE_SLACK_NS	 100000000u /* what a loaded machine may add */
#define WAKE_NAP_NS	 3000000u
#define WAKE_DEEP_NAP_NS 40000000u

static int wake_compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* One job by central_enqueue, or by internal_enqueue of a busy worker. */
static uint64_t wake_sample(struct wake_check *check, bool by_busy)
{
	uint64_t over = suite_value(&check->over);

	if (by_busy) {
		wake_schedule(check, TROUPE_ANY_WORKER, wake_sender);
		suite_await(&check->over, over + 1);
	} else {
		suite_set(&check->sent, troupe_now());
		wake_schedule(check, TROUPE_ANY_WORKER, wake_receiver);
		suite_await(&check->woken, suite_value(&check->round) + 1);
	}
	suite_raise(&check->round);
	return suite_value(&check->latency);
}

/* The median of a batch must do; a machine that is busy gets more batches. */
static void wake_measure(struct wake_check *check, bool by_busy,
			 uint64_t allowed)
{
	uint64_t samples[WAKE_SAMPLES];

	for (uint32_t batch = 0; batch < WAKE_BATCHES; batch++) {
		for (uint32_t i = 0; i < WAKE_SAMPLES; i++) {
			chance_sleep(i % 3 == 0 ? WAKE_DEEP_NAP_NS
						: chance_below(WAKE_NAP_NS));
			samples[i] = wake_sample(check, by_busy);
		}
		qsort(samples, WAKE_SAMPLES, sizeof(samples[0]), wake_compare);
		if (samples[WAKE_SAMPLES / 2] <= allowed)
			return;
	}
	board_fail(check->board,
		   "a job by %s waits %llu us for an idle worker; wake_latency "
		   "is %llu us, and a busy machine may add %u us",
		   by_busy ? "internal_enqueue" : "central_enqueue",
		   (unsigned long long)samples[WAKE_SAMPLES / 2] / 1000,
		   (unsigned long long)(allowed - WAKE_SLACK_NS) / 1000,
		   WAKE_SLACK_NS / 1000);
}

static void wake_in_time(const struct suite_run *run)
{
	struct wake_check check;
	struct ledger ledger;
	uint64_t allowed;

	wake_start(&check, &ledger, run);
	allowed = ledger.slots.wake_latency + WAKE_SLACK_NS;
	board_step(run->board, "measures central_enqueue to an idle worker");
	wake_measure(&check, false, allowed);
	board_step(run->board, "measures internal_enqueue to an idle worker");
	if (run->workers > 1)
		wake_measure(&check, true, allowed);
	ledger_finish(&ledger, check.system);
}

const struct suite_check suite_wake[] = {
	{"contract 3: no lost wake-up (all asleep)",
	 {1, 2, 4},
	 false,
	 wake_asleep},
	{"contract 3: no lost wake-up (pinned, all asleep)",
	 {1, 2, 4},
	 false,
	 wake_asleep_pinned},
	{"contract 3: no lost wake-up (sender stays busy)",
	 {2, 4},
	 false,
	 wake_busy},
	{"contract 3: no lost wake-up (pinned, sender stays busy)",
	 {2, 4},
	 false,
	 wake_busy_pinned},
	{"contract 3: no lost wake-up (after tiny jobs)",
	 {2, 4},
	 false,
	 wake_tiny_busy},
	{"contract 3: no lost wake-up (pinned, after tiny jobs)",
	 {2, 4},
	 false,
	 wake_tiny_busy_pinned},
	{"contract 3: no lost wake-up (put back behind a busy job)",
	 {2, 4},
	 false,
	 wake_put_back},
	{"contract 3: there is work for every sleeper",
	 {2, 4},
	 false,
	 wake_burst},
	{"contract 3: a sleeper wakes within wake_latency",
	 {2},
	 false,
	 wake_in_time},
	{NULL, {0}, false, NULL},
};
