/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does it pay that a worker runs? If not, it rests.
 *
 * Jobs that work for each other on two cores make the cache lines of actors and
 * messages go from one to the other: up to a microsecond for what takes 50 ns
 * on one core. What kind of jobs there are, nobody can see from outside; so it is
 * tried. A worker that comes to the queue looks, every 100 us or so, how many
 * messages all workers have handled and sent since: a *trial*. It compares that
 * with what the others did while it rested, which it does for 200 us now and
 * then to know it. If they do hardly less without it, it rests again, for twice
 * as long each time, up to 16 times rest-sleep; whoever rests next goes on from
 * there. The trials become longer with the rests: what 100 us show of workloads
 * that have phases, first to send much and then to handle it, is often wrong.
 * One in which less than half is done is over at once.
 *
 * Only if jobs are tiny: if those that it had took longer than what it may cost
 * to bring them from the other core, it goes on, and so it does if all together
 * handle few messages, because of long runs or because there is little to do.
 * Messages are counted, not jobs: a run of a hundred messages is tiny jobs.
 *
 * To the others, one that rests is one that runs a job: nothing is given to it,
 * it may not be chosen to be woken, and what must hold of those that sleep
 * (park.c) does not depend on it, as a rest ends by itself, and then the worker
 * looks for jobs. Before it rests it has given back all that was in its hands,
 * and wakes another one if that is called for. It rests only if somebody else
 * runs. A job bound to it, and the end of the system, end the rest. If it is a
 * long one, the worker looks, every rest-sleep, whether the others are still at
 * tiny jobs and none of them is stuck in a run, with jobs in its hands; if not,
 * it has no rest any more.
 */
#include "sharing.h"

/* So long is looked on before anything is decided, ns; after a long rest, this
 * part of that. */
#define REST_TRIAL	100000
#define REST_TRIAL_PART 16

/* A rest is at most so many times rest-sleep. */
#define REST_LONGEST 16

/* More than so much time a message, ns, and jobs are not tiny. */
#define REST_TINY 1500

/* How the others do alone is known for so many times as long as they were
 * looked at. */
#define REST_KNOWN 32

/* No rest for so many times the first one, if a rest was a mistake. */
#define REST_DOUBT 4

/* What was before so much time, ns, is forgotten by and by. */
#define REST_MEMORY 2000000

/* ---- counting ---------------------------------------------------------- */

/* The turns of all workers. A difference of two is what they have done; it wraps
 * like each of them. */
static uint32_t rest_turns(const struct troupe_coordinator *coordinator)
{
	uint32_t turns = 0;

	for (uint32_t i = 0; i < coordinator->worker_count; i++) {
		const struct sharing_worker *worker =
			coordinator->workers[i]->data;

		/* relaxed: a number. */
		turns += atomic_load_explicit(&worker->turn,
					      memory_order_relaxed);
	}
	return turns;
}

static void rest_add(struct sharing_rate *rate, uint32_t messages,
		     uint64_t time)
{
	rate->messages += messages;
	rate->time += time;
	while (rate->time > REST_MEMORY) {
		rate->messages /= 2;
		rate->time /= 2;
	}
}

/* Messages a ms. */
static uint64_t rest_rate(const struct sharing_rate *rate)
{
	return rate->time == 0 ? 0 : rate->messages * 1000000 / rate->time;
}

static bool rest_tiny(uint32_t messages, uint64_t time)
{
	return (uint64_t)messages * REST_TINY > time;
}

/* ---- trial ------------------------------------------------------------- */

static void rest_begin_trial(struct troupe_worker *self, uint64_t now)
{
	struct sharing_worker *worker = self->data;
	struct sharing_trial *trial = &worker->trial;

	trial->start = now;
	trial->took = now;
	trial->busy = 0;
	/* relaxed: this thread alone writes it. */
	trial->own = atomic_load_explicit(&worker->turn, memory_order_relaxed);
	trial->all = rest_turns(self->coordinator);
	trial->rests = worker->sharing->rests;
}

/* L. Other workers that run jobs. */
static uint32_t rest_others(const struct sharing *sharing)
{
	return sharing->workers - 1 - sharing->sleeping - sharing->resting -
	       (sharing->looking ? 1 : 0);
}

/* A trial that shows less than half of what the others do alone is over at
 * once. */
static bool rest_hopeless(const struct troupe_worker *self, uint64_t now)
{
	const struct sharing_worker *worker = self->data;
	const struct sharing_trial *trial = &worker->trial;
	struct sharing_rate with = {
		.messages = rest_turns(self->coordinator) - trial->all,
		.time = now - trial->start,
	};

	return rest_rate(&with) < rest_rate(&trial->without) / 2;
}

/* L. The trial is over, at @now, and @others run. Returns: how long to rest, ns;
 * or 0. */
static uint64_t rest_decide(const struct troupe_worker *self, uint64_t now,
			    uint32_t others)
{
	struct sharing_worker *worker = self->data;
	struct sharing_trial *trial = &worker->trial;
	struct sharing *sharing = worker->sharing;
	uint64_t time = now - trial->start;
	uint32_t all = rest_turns(self->coordinator) - trial->all;
	/* relaxed: this thread alone writes it. */
	uint32_t own =
		atomic_load_explicit(&worker->turn, memory_order_relaxed) -
		trial->own;
	uint64_t without;

	if (now - trial->known < trial->doubt)
		return 0;
	if (!rest_tiny(own, trial->busy) || !rest_tiny(all, time)) {
		sharing->rest /= 2;
		return 0;
	}
	rest_add(&trial->with, all, time);
	if (now - trial->known > trial->without.time * REST_KNOWN)
		return sharing->rest_first;
	/* A worker of N should bring a good part of the Nth part. */
	without = rest_rate(&trial->without);
	if (rest_rate(&trial->with) >
	    without + without / (4 * (uint64_t)others)) {
		sharing->rest = 0;
		return 0;
	}
	sharing->rest *= 2;
	if (sharing->rest < sharing->rest_first)
		sharing->rest = sharing->rest_first;
	if (sharing->rest > sharing->rest_sleep * REST_LONGEST)
		sharing->rest = sharing->rest_sleep * REST_LONGEST;
	return sharing->rest;
}

/* ---- rest -------------------------------------------------------------- */

/* L, given back meanwhile. Sleeps for at most @time ns. Returns: true if that
 * was slept to its end. */
static bool rest_sleep(struct sharing *sharing, struct sharing_worker *worker,
		       uint64_t time)
{
	uint64_t now = troupe_now();
	uint64_t end = now + time;

	/* relaxed: written under the mutex, which we have. */
	while (now < end && worker->pinned.first == NULL &&
	       !atomic_load_explicit(&sharing->stopping,
				     memory_order_relaxed)) {
		(void)troupe_cond_wait_for(&worker->cond, &sharing->mutex,
					   end - now);
		now = troupe_now();
	}
	return now >= end;
}

/* L, given back meanwhile. Returns: true if one of the others was stuck in a
 * long run; what it had in its hands is shared then. */
static bool rest_relieve(struct troupe_worker *self)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	struct sharing_worker *stuck;
	uint32_t turn;

	troupe_mutex_unlock(&sharing->mutex);
	stuck = troupe__sharing_look(self);
	troupe_mutex_lock(&sharing->mutex);
	if (stuck == NULL)
		return false;
	/* Not only for the few microseconds of a look? relaxed, both: a number
	 * that is compared with itself. */
	turn = atomic_load_explicit(&stuck->turn, memory_order_relaxed);
	(void)rest_sleep(sharing, worker, sharing->rest_first);
	if (atomic_load_explicit(&stuck->turn, memory_order_relaxed) != turn)
		return false;
	troupe_mutex_unlock(&sharing->mutex);
	troupe__sharing_relieve(sharing, stuck);
	return true;
}

/* From @now to @end, or to the next look, ns. */
static uint64_t rest_slice(const struct sharing *sharing, uint64_t now,
			   uint64_t end)
{
	uint64_t left = now < end ? end - now : 1;

	return left < sharing->rest_sleep ? left : sharing->rest_sleep;
}

/* L. The others are not at tiny jobs now, whatever was before, or there are jobs
 * for this worker alone: it does not rest for a while, longer each time. */
static void rest_regret(struct sharing *sharing, struct sharing_trial *trial)
{
	uint64_t longest = sharing->rest_sleep * REST_LONGEST;

	trial->doubt = trial->doubt == 0 ? sharing->rest_first * REST_DOUBT
					 : trial->doubt * 2;
	if (trial->doubt > longest)
		trial->doubt = longest;
	sharing->rest /= 2;
}

/* L, given back meanwhile: until @end. */
static void rest_take(struct troupe_worker *self, uint64_t end)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	struct sharing_trial *trial = &worker->trial;
	bool more, right;

	sharing->resting++;
	sharing->rests++;
	worker->resting = true;
	troupe__sharing_pass_on(sharing);
	/* The others' caches must be warm before they are looked at. */
	right = rest_sleep(sharing, worker, sharing->rest_first / 2);
	more = right;
	while (more) {
		uint32_t turns = rest_turns(self->coordinator);
		uint64_t then = troupe_now();
		uint64_t now;

		right = rest_sleep(sharing, worker,
				   rest_slice(sharing, then, end));
		now = troupe_now();
		turns = rest_turns(self->coordinator) - turns;
		right = right && rest_tiny(turns, now - then);
		if (right) {
			trial->doubt = 0;
			rest_add(&trial->without, turns, now - then);
		}
		more = right && now < end && !rest_relieve(self);
	}
	if (!right)
		rest_regret(sharing, trial);
	worker->resting = false;
	sharing->resting--;
	sharing->rests++;
	trial->known = troupe_now();
}

void troupe__sharing_rest(struct troupe_worker *self, uint64_t now)
{
	struct sharing_worker *worker = self->data;
	struct sharing *sharing = worker->sharing;
	struct sharing_trial *trial = &worker->trial;
	uint32_t others = rest_others(sharing);
	uint64_t rest;

	trial->busy += now - trial->took;
	trial->took = now;
	if (now - trial->start < REST_TRIAL ||
	    (now - trial->start < sharing->rest / REST_TRIAL_PART &&
	     !rest_hopeless(self, now)))
		return;
	if (others > 0 && trial->rests == sharing->rests &&
	    sharing->rest_sleep > 0) {
		rest = rest_decide(self, now, others);
		if (rest > 0) {
			rest_take(self, now + rest);
			now = trial->known;
		}
	}
	rest_begin_trial(self, now);
}
