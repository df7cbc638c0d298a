/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Detached actors: run by a thread of their own, with the same functions as on
 * a worker, but for the policy's slots. And blocking sections, in which a
 * worker's role goes to another thread.
 */
#include "detached.h"

#include <errno.h>

#include "affinity.h"
#include "block.h"
#include "failure.h"
#include "limit.h"
#include "pool.h"

void troupe__detached_reset(struct detached *detached)
{
	detached->current = NULL;
	detached->told_waits = false;
}

void troupe__detached_wake(struct detached *detached)
{
	/* release: all that made the actor READY; pairs with
	 * troupe__detached_wait(). */
	atomic_store_explicit(&detached->ready, true, memory_order_release);
	troupe_event_wake(&detached->event);
}

bool troupe__detached_wait(struct detached *detached, uint64_t deadline)
{
	for (;;) {
		uint32_t key = troupe_event_prepare(&detached->event);

		/* acquire: pairs with troupe__detached_wake(). */
		if (atomic_exchange_explicit(&detached->ready, false,
					     memory_order_acquire)) {
			troupe_event_cancel(&detached->event, key);
			return true;
		}
		/* relaxed: if it is true, the exchange above is next. */
		if (troupe_event_wait(&detached->event, key, deadline) ==
			    -ETIMEDOUT &&
		    !atomic_load_explicit(&detached->ready,
					  memory_order_relaxed))
			return false;
	}
}

/* Once through the class's own loop. Unless it is to go on after a failure, it
 * has quit then. */
static void detached_run_once(struct troupe_actor *actor)
{
	int reason = actor->actor_class->run(actor, actor_state(actor));

	troupe__receive_done(actor);
	/* What the receive functions said is no failure. */
	if (reason == -ESHUTDOWN) {
		reason = TROUPE_EXIT_SHUTDOWN;
	} else if (reason == -ECANCELED) {
		reason = TROUPE_EXIT_NORMAL;
	} else if (reason < 0 && (actor->job.flags & ACTOR_QUIT) == 0) {
		reason = troupe__failure_handle(actor, reason);
		if (reason == 0)
			return;
	}
	troupe_quit(actor, reason);
}

static void detached_run_blocking(struct troupe_actor *actor)
{
	troupe__here.actor = actor;
	troupe__here.job = &actor->job;
	troupe__job_state(&actor->job, JOB_RUNNING);
	/* One that has quit in init has nothing to run. */
	while ((actor->job.flags & ACTOR_QUIT) == 0)
		detached_run_once(actor);
	troupe__here.actor = NULL;
	troupe__here.job = NULL;
	troupe__actor_end(actor, NULL, actor->reason);
}

void troupe__detached_run(struct troupe_actor *actor)
{
	struct detached *detached = *actor_detached(actor);

	troupe__detached_reset(detached);
	(void)troupe__detached_wait(detached, TROUPE_NO_DEADLINE);
	if (actor->actor_class->run != NULL) {
		detached_run_blocking(actor);
		return;
	}
	for (;;) {
		enum job_state state;

		detached_turn(detached);
		state = troupe__job_resume(&actor->job);
		troupe__receive_done(actor);
		if (detached->told_waits) {
			/* No receive in the callback has wanted it: the
			 * behaviour gets it. */
			detached->told_waits = false;
			actor->job.flags &= (uint8_t)~ACTOR_TOLD;
		}
		if (state == JOB_WAITING)
			state = troupe__actor_settle(actor);
		if (state == JOB_DONE)
			break;
		if (state == JOB_WAITING)
			(void)troupe__detached_wait(detached,
						    TROUPE_NO_DEADLINE);
		else
			troupe__job_state(&actor->job, JOB_READY);
	}
	troupe__actor_end(actor, NULL, actor->reason);
}

/* ---- blocking sections ------------------------------------------------- */

static void blocking_stand_in(void *data)
{
	(void)troupe__worker_serve(data);
}

int troupe_blocking_begin(void)
{
	struct worker *worker = troupe__here.worker;
	struct job *job = troupe__here.job;
	struct pool_thread *spare;
	struct pool *pool;
	int result;

	/* Who ends has its worker for that. */
	if (worker == NULL || job == NULL || (job->flags & ACTOR_ENDS) != 0)
		return 0;
	/* Others may wait for room, and what blocks here for them. */
	if ((job->flags & JOB_BARE) == 0 && (job->traits & TRAIT_LIMITED) != 0)
		troupe__limits_settle((struct troupe_actor *)job);
	pool = worker->system->pool;
	if (troupe__here.thread == NULL) {
		troupe__here.thread = troupe__pool_adopt(pool, worker);
		if (troupe__here.thread == NULL)
			return -ENOMEM;
	}
	result = troupe__pool_acquire(pool, false, &spare);
	if (result != 0)
		return result;
	/* As if it had filled a mailbox: its run ends with this callback, and
	 * it goes on with a worker. */
	if ((job->flags & JOB_BARE) == 0 && troupe__here.full.block == NULL)
		troupe__here.full =
			troupe__actor_self((struct troupe_actor *)job);
	worker_count(worker, WORKER_BLOCKING, 1);
	/* relaxed: an address for statistics. */
	atomic_store_explicit(&worker->running, NULL, memory_order_relaxed);
	/* To the policy this run is over; what it handled is not known yet. */
	job->messages = 0;
	worker->system->ops.after_resume(&worker->head, &job->link);
	troupe__here.worker = NULL;
	troupe__affinity_restore(&pool->processors);
	/* From here on it may be abandoned; not what serves for it. */
	troupe__pool_away(troupe__here.thread, job);
	troupe__pool_start(spare, blocking_stand_in, worker, NULL);
	return 0;
}

void troupe_blocking_end(void)
{
}
