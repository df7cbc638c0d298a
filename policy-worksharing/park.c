/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mutex of the shared queue, and what is decided when it is given back: who
 * is woken. Here workers without a job wait.
 *
 * Why no shared job lies while somebody sleeps. A worker sleeps only if it found
 * no shared job under the mutex. Whoever puts one, or leaves one, gives the
 * mutex back by troupe__sharing_unlock(), after which this holds:
 *
 *	if there are shared jobs and sleepers, somebody is *coming*.
 *
 * Coming are: who was chosen and signalled here, who looks around a last time
 * before it sleeps, who is about to dequeue after resume_job_later(). Each of
 * them takes the mutex again and looks for jobs, whatever else happens; from
 * then on it is not coming any more, and leaves by troupe__sharing_unlock() itself. So
 * one wake-up is under way at a time, and who arrives wakes the next if there
 * is more. A bound job wakes its own worker in any case. No signal is lost:
 * who is chosen is taken off the list under the mutex, and a worker waits, on a
 * condition variable of its own, as long as it is on it.
 *
 * Fresh jobs and batches are different: they are in the hands of a worker that
 * runs, which gives them back as soon as it dequeues or makes another job READY
 * and sees in call that somebody is idle. But it may be busy for long in the
 * job that it runs. So while anyone runs and anyone sleeps, one of the sleepers
 * is the *watcher*: it sleeps with a time limit, 50 us at first, then twice as
 * long each time, up to watch-sleep, and looks. If a worker that has jobs in
 * its hands does not end it while the watcher looks on for some microseconds,
 * it is stuck in its run, and the watcher gives its jobs back for it. One that
 * rests (rest.c) counts as running in all of this: that ends by itself.
 *
 * Why that holds. (i) Who goes to sleep becomes the watcher if there is none and
 * not all sleep. (ii) The watcher that stops sleeping for a job hands on to
 * another sleeper. (iii) It stops watching only if all sleep, and then nobody
 * has jobs in its hands. (iv) If one is woken after that, troupe__sharing_unlock() says
 * in call that nobody watches; a worker that has made a job READY reads it and
 * makes a sleeper the watcher. It cannot read a call from before it ran itself:
 * its own way out of here wrote, or saw, a later one. Nor does a worker take
 * a batch while anyone sleeps.
 */
#include "sharing.h"

#include <errno.h>

/* How long a run must not end to be stuck: looks, of 40 ns or so. */
#define PARK_PATIENCE 100

/* ---- the mutex --------------------------------------------------------- */

/* L. */
static void park_publish(struct sharing *sharing)
{
	uint32_t call = 0;

	if (sharing->length > 0)
		call |= SHARING_QUEUED;
	if (sharing->sleepers != NULL || sharing->looking)
		call |= SHARING_IDLE;
	if (sharing->sleepers != NULL && sharing->watcher == NULL)
		call |= SHARING_UNWATCHED;
	/* relaxed, both: the mutex orders writers. To readers it is advice,
	 * which the watcher makes up for; rule (iv) needs no more than a call
	 * not older than the reader's own last one. */
	if (call != atomic_load_explicit(&sharing->call, memory_order_relaxed))
		atomic_store_explicit(&sharing->call, call,
				      memory_order_relaxed);
}

/* L. Takes @worker off the list of sleepers. */
static void park_unlist(struct sharing *sharing, struct sharing_worker *worker)
{
	*worker->sleeper_link = worker->sleeper_next;
	if (worker->sleeper_next != NULL)
		worker->sleeper_next->sleeper_link = worker->sleeper_link;
	worker->sleeper_link = NULL;
	sharing->sleeping--;
}

/* L. The sleeper to wake: the one that fell asleep last, whose cache is
 * warmest, and the watcher only if there is no other; or NULL. */
static struct sharing_worker *park_choose(struct sharing *sharing)
{
	struct sharing_worker *worker = sharing->sleepers;

	if (worker != NULL && worker == sharing->watcher &&
	    worker->sleeper_next != NULL)
		worker = worker->sleeper_next;
	return worker;
}

/* L. @chosen, or NULL, is to be woken. Returns: who must be signalled; or
 * NULL. */
static struct sharing_worker *park_call(struct sharing *sharing,
					struct sharing_worker *chosen)
{
	if (chosen == NULL && sharing->length > 0 && sharing->coming == 0)
		chosen = park_choose(sharing);
	if (chosen != NULL) {
		park_unlist(sharing, chosen);
		sharing->coming++;
	}
	park_publish(sharing);
	return chosen;
}

/* L: gives it back. Signals after the mutex was given back, so that the woken
 * one finds it free; it outlives the call, as it is freed after all have
 * joined. */
static void park_leave(struct sharing *sharing, struct sharing_worker *chosen)
{
	chosen = park_call(sharing, chosen);
	troupe_mutex_unlock(&sharing->mutex);
	if (chosen != NULL)
		troupe_cond_signal(&chosen->cond);
}

void troupe__sharing_pass_on(struct sharing *sharing)
{
	struct sharing_worker *chosen = park_call(sharing, NULL);

	if (chosen != NULL)
		troupe_cond_signal(&chosen->cond);
}

void troupe__sharing_unlock(struct sharing *sharing)
{
	park_leave(sharing, NULL);
}

void troupe__sharing_unlock_for(struct sharing *sharing,
				struct sharing_worker *worker)
{
	bool resting = worker->resting;

	park_leave(sharing, worker->sleeper_link != NULL ? worker : NULL);
	if (resting)
		troupe_cond_signal(&worker->cond);
}

void troupe__sharing_wake_all(struct troupe_coordinator *self)
{
	struct sharing *sharing = self->data;

	troupe_mutex_lock(&sharing->mutex);
	/* relaxed: who waits reads it under the mutex; to others it is enough
	 * to see it before long. */
	atomic_store_explicit(&sharing->stopping, true, memory_order_relaxed);
	for (uint32_t i = 0; i < self->worker_count; i++) {
		struct sharing_worker *worker = self->workers[i]->data;

		if (worker->sleeper_link != NULL) {
			park_unlist(sharing, worker);
			sharing->coming++;
		}
		/* It may rest. */
		troupe_cond_signal(&worker->cond);
	}
	troupe__sharing_unlock(sharing);
}

/* ---- watch ------------------------------------------------------------- */

/* L. Another sleeper is the watcher; it must learn that it now has a limit. */
static void park_hand_on(struct sharing *sharing)
{
	sharing->watcher = sharing->sleepers;
	if (sharing->watcher != NULL)
		troupe_cond_signal(&sharing->watcher->cond);
}

void troupe__sharing_watch(struct sharing *sharing)
{
	troupe_mutex_lock(&sharing->mutex);
	if (sharing->watcher == NULL)
		park_hand_on(sharing);
	troupe__sharing_unlock(sharing);
}

static bool park_has_jobs(const struct sharing_worker *worker)
{
	/* relaxed, all: hints; the jobs are taken under the lock. */
	return atomic_load_explicit(&worker->fresh, memory_order_relaxed) !=
		       NULL ||
	       atomic_load_explicit(&worker->batch, memory_order_relaxed) !=
		       NULL;
}

/* True if @worker has ended no run for some microseconds. Two actors that play
 * ping-pong let it do so within fractions of one. */
static bool park_stuck(const struct sharing_worker *worker)
{
	/* relaxed, all: a number that is compared with itself. */
	uint32_t turn =
		atomic_load_explicit(&worker->turn, memory_order_relaxed);

	for (int i = 0; i < PARK_PATIENCE; i++) {
		troupe_relax();
		if (atomic_load_explicit(&worker->turn, memory_order_relaxed) !=
		    turn)
			return false;
	}
	return true;
}

struct sharing_worker *troupe__sharing_look(const struct troupe_worker *self)
{
	const struct troupe_coordinator *coordinator = self->coordinator;

	for (uint32_t i = 1; i < coordinator->worker_count; i++) {
		uint32_t which = (self->index + i) % coordinator->worker_count;
		struct sharing_worker *other =
			coordinator->workers[which]->data;

		if (park_has_jobs(other) && park_stuck(other))
			return other;
	}
	return NULL;
}

/* ---- park -------------------------------------------------------------- */

/* L, given back meanwhile. A last look around; a wake-up that would come in the
 * next microseconds need not be one. */
static void park_spin(struct sharing *sharing, struct sharing_worker *worker)
{
	sharing->coming++;
	sharing->looking = true;
	troupe__sharing_unlock(sharing);
	for (uint32_t i = 0; i < sharing->spins; i++) {
		/* relaxed, all: hints; the truth is looked for under the
		 * mutex. */
		if ((atomic_load_explicit(&sharing->call,
					  memory_order_relaxed) &
		     SHARING_QUEUED) != 0 ||
		    atomic_load_explicit(&worker->bound,
					 memory_order_relaxed) ||
		    atomic_load_explicit(&sharing->stopping,
					 memory_order_relaxed))
			break;
		troupe_relax();
	}
	troupe_mutex_lock(&sharing->mutex);
	sharing->looking = false;
	sharing->coming--;
}

/* L, given back meanwhile. One sleep, of @limit ns if it is the watcher's.
 * Returns: true if that time was slept to its end. */
static bool park_sleep(struct sharing *sharing, struct sharing_worker *worker,
		       uint64_t limit)
{
	int result = 0;

	worker->sleeper_next = sharing->sleepers;
	worker->sleeper_link = &sharing->sleepers;
	if (worker->sleeper_next != NULL)
		worker->sleeper_next->sleeper_link = &worker->sleeper_next;
	sharing->sleepers = worker;
	sharing->sleeping++;
	do {
		/* Rules (i) and (iii). */
		if (sharing->sleeping == sharing->workers)
			sharing->watcher = NULL;
		else if (sharing->watcher == NULL)
			sharing->watcher = worker;
		park_publish(sharing);
		if (sharing->watcher == worker)
			result = troupe_cond_wait_for(&worker->cond,
						      &sharing->mutex, limit);
		else
			troupe_cond_wait(&worker->cond, &sharing->mutex);
	} while (worker->sleeper_link != NULL && result != -ETIMEDOUT);
	if (worker->sleeper_link == NULL) {
		/* Whoever woke it has counted it. */
		sharing->coming--;
		return false;
	}
	park_unlist(sharing, worker);
	return true;
}

/* L, given back meanwhile. The watcher, when its time is up. Returns: true if
 * it has made jobs shared. */
static bool park_relieve(struct troupe_worker *self, struct sharing *sharing)
{
	struct sharing_worker *stuck;

	sharing->coming++;
	troupe__sharing_unlock(sharing);
	stuck = troupe__sharing_look(self);
	if (stuck != NULL)
		troupe__sharing_relieve(sharing, stuck);
	else
		troupe_mutex_lock(&sharing->mutex);
	sharing->coming--;
	return stuck != NULL;
}

struct troupe_job *troupe__sharing_await(struct troupe_worker *self)
{
	struct sharing *sharing = self->coordinator->data;
	struct sharing_worker *worker = self->data;
	uint64_t limit = sharing->watch_first;
	bool slept = false, spun = false;
	struct troupe_job *job = NULL;

	/* relaxed: written under the mutex, which we have. */
	while (!atomic_load_explicit(&sharing->stopping,
				     memory_order_relaxed)) {
		job = troupe__sharing_take(sharing, worker);
		if (job != NULL)
			break;
		if (!spun && sharing->coming == 0 && sharing->spins > 0) {
			spun = true;
			park_spin(sharing, worker);
			continue;
		}
		if (!slept)
			troupe_count(self, TROUPE_COUNT_PARKS, 1);
		slept = true;
		if (!park_sleep(sharing, worker, limit) ||
		    park_relieve(self, sharing)) {
			limit = sharing->watch_first;
			spun = false;
			continue;
		}
		limit *= 2;
		if (limit > sharing->watch_sleep)
			limit = sharing->watch_sleep;
	}
	if (slept || spun)
		worker->trial.took = troupe_now();
	if (slept)
		troupe_count(self, TROUPE_COUNT_WAKES, 1);
	/* Rule (ii). */
	if (sharing->watcher == worker)
		park_hand_on(sharing);
	return job;
}
