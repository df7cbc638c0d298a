/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does stealing pay?
 *
 * It costs: thief and victim wait for each other's cache lines, up to a
 * microsecond a job, and again for each message between what was stolen and
 * what was not. If what was stolen is over sooner than that, both would be better
 * off had the victim run it. Such a thief rests before it searches again, each
 * time for longer.
 */
#include "stealing.h"

/* A steal pays if it keeps the thief busy for longer than the first, and the
 * second for each job; and, if most runs had to do with other workers, for
 * longer than the third for each message. */
#define REST_STEAL_NS 2000u
#define REST_JOB_NS   1500u
#define REST_TALK_NS  500u

/* Long and short work may come in turns. What a steal that paid has brought, if it
 * was not talk, makes up for some that did not. */
#define REST_GAIN_NS 400000u /* at most */
#define REST_LOSS_NS 40000u  /* for each of them */

void troupe__stealing_stole(struct stealing_worker *thief)
{
	const struct stealing_options *options = &thief->stealing->options;

	if (options->poll || options->rest_sleep == 0) {
		/* Nobody will ask whether it paid. */
		thief->loot = 0;
		return;
	}
	thief->stole_at = troupe_now();
	thief->runs = 0;
	thief->foreign = 0;
	thief->talk = 0;
}

void troupe__stealing_after_resume(struct troupe_worker *self,
				   struct troupe_job *job)
{
	struct stealing_worker *worker = self->data;
	struct troupe_run run;

	/* Nothing to judge. */
	if (worker->loot == 0)
		return;
	run = troupe_last_run(self);
	worker->runs++;
	worker->talk += troupe_job_messages(job) + run.sent;
	if (run.peer != TROUPE_NO_WORKER || run.abroad * 2 > run.sent)
		worker->foreign++;
}

/* What was stolen, and all that came of it, is over after @busy ns. */
static bool rest_paid(const struct stealing_worker *worker, uint64_t busy)
{
	if (busy < REST_STEAL_NS + (uint64_t)worker->loot * REST_JOB_NS)
		return false;
	return worker->foreign * 2 <= worker->runs ||
	       busy >= worker->talk * REST_TALK_NS;
}

void troupe__stealing_rest(struct stealing_worker *worker)
{
	const struct stealing_options *options = &worker->stealing->options;
	uint64_t busy;
	bool paid;

	if (worker->loot == 0)
		return;
	busy = troupe_now() - worker->stole_at;
	paid = rest_paid(worker, busy);
	worker->loot = 0;
	if (paid) {
		worker->rest = 0;
		if (busy >= worker->talk * REST_TALK_NS)
			worker->gain += busy;
		if (worker->gain > REST_GAIN_NS)
			worker->gain = REST_GAIN_NS;
		return;
	}
	if (worker->gain >= REST_LOSS_NS) {
		worker->gain -= REST_LOSS_NS;
		return;
	}
	worker->rest =
		worker->rest == 0 ? options->moderate_sleep : worker->rest * 2;
	if (worker->rest > options->rest_sleep)
		worker->rest = options->rest_sleep;
	troupe_sleep(worker->rest);
}
