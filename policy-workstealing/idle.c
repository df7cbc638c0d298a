/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an idle worker does: it searches, then sleeps; and who wakes it.
 *
 * A worker is running (a job, or looking at its own jobs), searching, or
 * sleeping. One word, state, counts the searching, the sleeping, and of those
 * the watching ones, of whom there is one at most; the rest are running. With
 * idle = park:
 *
 *	            own jobs are out             found nothing
 *	  running ───────────────────► searching ──────────────► sleeping
 *	     ▲                             │  ▲                      │
 *	     └─────────────────────────────┘  └──────────────────────┘
 *	                found a job               woken, or time is up
 *
 * Why no job that thieves may take lies while somebody sleeps. The waker: (a)
 * publishes the job, in queue or bound, (b) reads state; if there are sleepers
 * and nobody searches, it wakes one. The sleeper: (1) prepares its event, (2)
 * goes on the list and, in state, from searching to sleeping, (3) looks at the
 * jobs of all workers, and searches again if there is one, (4) waits. (a), (b),
 * (2) and the loads of (3) are seq_cst, so they have one order. If (a) comes
 * before (3), the sleeper sees the job. Else (2) comes before (b), and the
 * waker sees the sleeper; the event is prepared before (2), so the wake ends
 * the wait.
 *   If in (b) somebody searches, nobody is woken. The searcher ends its search
 * either by (2), and then (3) follows; or it finds a job and runs. Then it
 * leaves the searching in state, and if it was the last one it looks at the
 * jobs of all, as in (3), and if there is one wakes a sleeper.
 *   A woken worker counts as searching from the moment it is chosen, so a
 * second waker chooses nobody while it is on its way.
 *
 * A running worker that puts a job in its deque does (b) too, but without a
 * fence between (a) and (b): it may miss a sleeper that is doing (2) and (3) just
 * then, and that sleeper may miss the job. For jobs in next nobody is woken at
 * all, because two actors that play ping-pong through next would pay for it with
 * every message. What must not happen is that a job lies there while its owner is
 * busy with another one and somebody sleeps. So both are *watched*:
 *
 *	While anyone runs and anyone sleeps, somebody searches or one of the
 *	sleepers is the watcher: it sleeps for 50 us, then for longer, up to
 *	watch-sleep, and looks. It steals from a deque, as any searcher. If an
 *	owner with a job in next does not dequeue while the watcher looks on for
 *	some microseconds, and neither while it sleeps for another 50 us, it is
 *	stuck in its run, and the watcher takes the job.
 *
 * Why that holds, by the order of changes to state alone. (i) A worker that
 * goes to sleep becomes the watcher if there is none and anybody runs; (2)
 * decides it in one atomic step. (ii) A searcher that runs, having been the
 * last, wakes another one if nobody watches, and others than itself run. (iii)
 * An owner that puts a job in next reads state, and wakes a sleeper if nobody
 * searches or watches: then all were idle when they fell asleep. It cannot read
 * a state from before it ran itself, since that was its own change of state.
 *   When all are idle, the watcher sees it the next time it wakes, and from
 * then on nobody sleeps with a time limit: an idle system does nothing.
 *
 * A worker that rests, see rest.c, is to all the others one that runs a job.
 *
 * With idle = poll no worker ever counts as sleeping, and nobody is woken.
 *
 * test/model/stealing.pml goes through all orders of these steps.
 */
#include "stealing.h"
#include "victim.h"

/* How long an owner must not dequeue to be stuck: looks, of 40 ns or so. */
#define IDLE_PATIENCE 100

/* state: three counters of 16 bits. */
#define IDLE_SEARCHING ((uint64_t)1)
#define IDLE_SLEEPING  ((uint64_t)1 << 16)
#define IDLE_WATCHING  ((uint64_t)1 << 32)

static inline uint32_t idle_searching(uint64_t state)
{
	return (uint16_t)state;
}

static inline uint32_t idle_sleeping(uint64_t state)
{
	return (uint16_t)(state >> 16);
}

static inline bool idle_watched(uint64_t state)
{
	return (state >> 32) != 0;
}

static inline uint32_t idle_running(const struct stealing *stealing,
				    uint64_t state)
{
	return stealing->workers - idle_searching(state) - idle_sleeping(state);
}

/* ---- looking ----------------------------------------------------------- */

/* One round over the others. */
static struct troupe_job *idle_steal(struct troupe_worker *self)
{
	struct troupe__victims round = troupe__victims_begin(self);
	struct stealing_worker *thief = self->data;
	struct troupe_worker *victim;

	while ((victim = troupe__victims_next(&round)) != NULL) {
		struct troupe_job *job =
			troupe__stealing_rob(thief, victim->data);

		if (job != NULL) {
			troupe_count(self, TROUPE_COUNT_STEALS, 1);
			troupe__stealing_stole(thief);
			return job;
		}
	}
	return NULL;
}

/*
 * How the watcher finds that @owner is stuck in a long run: it does not dequeue
 * between two looks with a sleep between them. Two actors that play ping-pong
 * let it do so within fractions of a microsecond, and for them one look is
 * enough. *@again: the next look may find it stuck.
 */
static bool idle_stuck(struct stealing_worker *owner, bool *again)
{
	/* relaxed, here and below: a number that is compared with itself, and
	 * of which the watcher alone, at most, keeps a copy. */
	uint32_t turn =
		atomic_load_explicit(&owner->turn, memory_order_relaxed);

	if (atomic_load_explicit(&owner->seen_turn, memory_order_relaxed) ==
	    turn)
		return true;
	for (int i = 0; i < IDLE_PATIENCE; i++) {
		troupe_relax();
		if (atomic_load_explicit(&owner->turn, memory_order_relaxed) !=
		    turn)
			return false;
	}
	atomic_store_explicit(&owner->seen_turn, turn, memory_order_relaxed);
	*again = true;
	return false;
}

/* The watcher's look: from an owner that is stuck, the job in next. */
static struct troupe_job *idle_steal_next(struct troupe_worker *self,
					  bool *again)
{
	struct troupe__victims round = troupe__victims_begin(self);
	struct troupe_worker *victim;

	while ((victim = troupe__victims_next(&round)) != NULL) {
		struct stealing_worker *owner = victim->data;
		struct troupe_job *job;

		if (!troupe__deque_has_next(&owner->deque) ||
		    !idle_stuck(owner, again))
			continue;
		job = troupe__deque_try_steal_next(&owner->deque);
		if (job != NULL) {
			troupe_count(self, TROUPE_COUNT_STEALS, 1);
			return job;
		}
	}
	return NULL;
}

/* @attempts looks at our own jobs, every @interval-th time at the others'. */
static struct troupe_job *idle_search(struct troupe_worker *self,
				      uint32_t attempts, uint32_t interval)
{
	struct stealing_worker *worker = self->data;
	struct troupe_job *job = NULL;

	for (uint32_t i = 0; job == NULL && i < attempts; i++) {
		if (i > 0)
			troupe_relax();
		job = troupe__stealing_own(worker);
		if (job == NULL && i % interval == 0)
			job = idle_steal(self);
	}
	return job;
}

/* Step (3): is there a job that @self could run? */
static bool idle_any(const struct troupe_worker *self)
{
	const struct troupe_coordinator *coordinator = self->coordinator;
	struct stealing_worker *worker = self->data;

	if (atomic_load(&worker->bounds) != 0 ||
	    atomic_load(&worker->stealing->stopping))
		return true;
	for (uint32_t i = 0; i < coordinator->worker_count; i++)
		if (troupe__stealing_stealable(coordinator->workers[i]->data))
			return true;
	return false;
}

/* ---- wake -------------------------------------------------------------- */

/* Under sleep_lock: from sleeping to searching, in the name of @worker. */
static void idle_unlist(struct stealing *stealing,
			struct stealing_worker *worker)
{
	uint64_t change = IDLE_SLEEPING - IDLE_SEARCHING;

	if (worker->watching) {
		worker->watching = false;
		stealing->watcher = NULL;
		change += IDLE_WATCHING;
	} else {
		*worker->sleeper_link = worker->sleeper_next;
		if (worker->sleeper_next != NULL)
			worker->sleeper_next->sleeper_link =
				worker->sleeper_link;
	}
	atomic_fetch_sub(&stealing->state, change);
	/* Last: the worker may have woken for another reason, and goes on when
	 * it sees this. */
	atomic_store(&worker->asleep, false);
}

/* Wakes one, unless somebody searches by now: @first if it sleeps, then the
 * one that has slept shortest, and the watcher last. */
static void idle_wake_one(struct stealing *stealing,
			  struct stealing_worker *first)
{
	struct stealing_worker *worker = NULL;

	troupe_spinlock_lock(&stealing->sleep_lock);
	if (idle_searching(atomic_load(&stealing->state)) == 0) {
		if (first != NULL && atomic_load(&first->asleep))
			worker = first;
		else if (stealing->parked != NULL)
			worker = stealing->parked;
		else
			worker = stealing->watcher;
		if (worker != NULL)
			idle_unlist(stealing, worker);
	}
	troupe_spinlock_unlock(&stealing->sleep_lock);
	if (worker != NULL)
		troupe_event_wake(&worker->event);
}

void troupe__stealing_wake(struct stealing *stealing,
			   struct stealing_worker *first)
{
	/* Step (b). */
	uint64_t state = atomic_load(&stealing->state);

	if (idle_sleeping(state) > 0 && idle_searching(state) == 0)
		idle_wake_one(stealing, first);
}

void troupe__stealing_wake_if_asleep(struct stealing *stealing)
{
	/* relaxed: as in troupe__stealing_watch(). */
	uint64_t state =
		atomic_load_explicit(&stealing->state, memory_order_relaxed);

	if (idle_sleeping(state) > 0 && idle_searching(state) == 0)
		idle_wake_one(stealing, NULL);
}

void troupe__stealing_watch(struct stealing *stealing)
{
	/* relaxed: rule (iii) needs no more than a state not older than our own
	 * last change to it. */
	uint64_t state =
		atomic_load_explicit(&stealing->state, memory_order_relaxed);

	if (idle_sleeping(state) > 0 && idle_searching(state) == 0 &&
	    !idle_watched(state))
		idle_wake_one(stealing, NULL);
}

void troupe__stealing_wake_bound(struct stealing_worker *worker)
{
	struct stealing *stealing = worker->stealing;
	bool listed;

	/* As step (b): asleep is stored in step (2), bounds read in (3). */
	if (!atomic_load(&worker->asleep))
		return;
	troupe_spinlock_lock(&stealing->sleep_lock);
	listed = atomic_load(&worker->asleep);
	if (listed)
		idle_unlist(stealing, worker);
	troupe_spinlock_unlock(&stealing->sleep_lock);
	if (listed)
		troupe_event_wake(&worker->event);
}

void troupe__stealing_wake_all(struct stealing *stealing)
{
	struct stealing_worker *worker;

	atomic_store(&stealing->stopping, true);
	do {
		troupe_spinlock_lock(&stealing->sleep_lock);
		worker = stealing->parked != NULL ? stealing->parked
						  : stealing->watcher;
		if (worker != NULL)
			idle_unlist(stealing, worker);
		troupe_spinlock_unlock(&stealing->sleep_lock);
		if (worker != NULL)
			troupe_event_wake(&worker->event);
	} while (worker != NULL);
}

/* ---- park -------------------------------------------------------------- */

/* Step (2). Returns: true if @worker is to be the watcher. */
static bool idle_list(struct stealing *stealing, struct stealing_worker *worker)
{
	uint64_t state, change;
	bool watch;

	troupe_spinlock_lock(&stealing->sleep_lock);
	atomic_store(&worker->asleep, true);
	state = atomic_load(&stealing->state);
	do {
		change = IDLE_SLEEPING - IDLE_SEARCHING;
		/* Rule (i). */
		watch = !idle_watched(state) &&
			idle_running(stealing, state + change) > 0;
		if (watch)
			change += IDLE_WATCHING;
	} while (!atomic_compare_exchange_weak(&stealing->state, &state,
					       state + change));
	worker->watching = watch;
	if (watch) {
		stealing->watcher = worker;
	} else {
		worker->sleeper_next = stealing->parked;
		worker->sleeper_link = &stealing->parked;
		if (worker->sleeper_next != NULL)
			worker->sleeper_next->sleeper_link =
				&worker->sleeper_next;
		stealing->parked = worker;
	}
	troupe_spinlock_unlock(&stealing->sleep_lock);
	return watch;
}

/* One sleep, of @limit ns if it is the watcher's. Returns: true if that time
 * was slept to its end. */
static bool idle_sleep(struct troupe_worker *self, uint64_t limit)
{
	struct stealing_worker *worker = self->data;
	struct stealing *stealing = worker->stealing;
	uint32_t key = troupe_event_prepare(&worker->event);
	bool watch = idle_list(stealing, worker);
	int result = 0;

	if (idle_any(self)) {
		troupe_event_cancel(&worker->event, key);
	} else if (watch) {
		result = troupe_event_wait(&worker->event, key,
					   troupe_now() + limit);
	} else {
		(void)troupe_event_wait(&worker->event, key,
					TROUPE_NO_DEADLINE);
	}
	if (atomic_load(&worker->asleep)) {
		troupe_spinlock_lock(&stealing->sleep_lock);
		if (atomic_load(&worker->asleep))
			idle_unlist(stealing, worker);
		else
			result = 0;
		troupe_spinlock_unlock(&stealing->sleep_lock);
	}
	return result != 0;
}

/* From searching to running. */
static void idle_leave(struct troupe_worker *self)
{
	struct stealing_worker *worker = self->data;
	struct stealing *stealing = worker->stealing;
	uint64_t state = atomic_fetch_sub(&stealing->state, IDLE_SEARCHING) -
			 IDLE_SEARCHING;

	if (idle_searching(state) > 0 || idle_sleeping(state) == 0)
		return;
	/* Rule (ii); and whatever others left to the last searcher. */
	if ((!idle_watched(state) && idle_running(stealing, state) > 1) ||
	    idle_any(self))
		idle_wake_one(stealing, NULL);
}

static struct troupe_job *idle_park(struct troupe_worker *self)
{
	struct stealing_worker *worker = self->data;
	struct stealing *stealing = worker->stealing;
	const struct stealing_options *options = &stealing->options;
	uint64_t limit = options->moderate_sleep;
	bool looked = false, slept = false;
	struct troupe_job *job = NULL;
	bool again;

	troupe__stealing_rest(worker);
	atomic_fetch_add(&stealing->state, IDLE_SEARCHING);
	while (!atomic_load(&stealing->stopping)) {
		job = idle_search(self,
				  looked ? 1 : options->aggressive_attempts,
				  options->aggressive_interval);
		again = false;
		if (job == NULL && looked)
			job = idle_steal_next(self, &again);
		if (job != NULL)
			break;
		if (!slept)
			troupe_count(self, TROUPE_COUNT_PARKS, 1);
		slept = true;
		looked = idle_sleep(self,
				    again ? options->moderate_sleep : limit);
		if (!looked)
			limit = options->moderate_sleep;
		else if (!again)
			limit *= 2;
		if (limit > options->watch_sleep)
			limit = options->watch_sleep;
	}
	if (slept)
		troupe_count(self, TROUPE_COUNT_WAKES, 1);
	idle_leave(self);
	return job;
}

/* ---- poll -------------------------------------------------------------- */

/* One stage: up to @attempts looks, UINT32_MAX for no end. */
static struct troupe_job *idle_stage(struct troupe_worker *self,
				     uint32_t attempts, uint32_t interval,
				     uint64_t sleep)
{
	struct stealing_worker *worker = self->data;
	struct troupe_job *job = NULL;
	bool again = false;

	for (uint32_t i = 0;
	     job == NULL && (i < attempts || attempts == UINT32_MAX); i++) {
		if (atomic_load(&worker->stealing->stopping))
			return NULL;
		troupe_sleep(sleep);
		job = troupe__stealing_own(worker);
		if (job == NULL && i % interval == 0)
			job = idle_steal(self);
		if (job == NULL && i % interval == 0)
			job = idle_steal_next(self, &again);
	}
	return job;
}

static struct troupe_job *idle_poll(struct troupe_worker *self)
{
	struct stealing_worker *worker = self->data;
	const struct stealing_options *options = &worker->stealing->options;
	struct troupe_job *job = idle_search(self, options->aggressive_attempts,
					     options->aggressive_interval);

	if (job != NULL)
		return job;
	troupe_count(self, TROUPE_COUNT_PARKS, 1);
	job = idle_stage(self, options->moderate_attempts,
			 options->moderate_interval, options->moderate_sleep);
	if (job == NULL)
		job = idle_stage(self, UINT32_MAX, options->relaxed_interval,
				 options->relaxed_sleep);
	if (job != NULL)
		troupe_count(self, TROUPE_COUNT_WAKES, 1);
	return job;
}

struct troupe_job *troupe__stealing_idle(struct troupe_worker *self)
{
	struct stealing_worker *worker = self->data;

	return worker->stealing->options.poll ? idle_poll(self)
					      : idle_park(self);
}
