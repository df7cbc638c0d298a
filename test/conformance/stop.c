/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 5: wake_all brings every worker out of dequeue, and drain hands
 * back what is left.
 *
 * A system ends when no job is alive, so nothing is left then. To have
 * something left, the check keeps ghosts: jobs of actors that have ended, but
 * to which it holds handles, so that their memory is valid. When the core
 * calls wake_all, the ghosts are enqueued behind its back, by every path; the
 * core never sees one again, only the policy's own book must balance.
 */
#include "chance.h"
#include "core.h"
#include "ledger.h"

#include <stdlib.h>

/* ---- every worker leaves ----------------------------------------------- */

#define STOP_SYSTEMS 25

static int stop_nothing(void *data)
{
	(void)data;
	return TROUPE_JOB_DONE;
}

static void stop_leave(const struct suite_run *run)
{
	struct troupe_system *system;
	struct ledger ledger;

	for (uint32_t i = 0; i < STOP_SYSTEMS; i++) {
		ledger_prepare(&ledger, run, LEDGER_NUDGE);
		system = ledger_start(&ledger);
		for (uint32_t jobs = chance_below(4); jobs > 0; jobs--)
			if (troupe_schedule(system, stop_nothing, NULL) != 0)
				board_fail(run->board, "core: out of memory");
		chance_nap();
		ledger_finish(&ledger, system);
	}
}

/* ---- jobs that are left ------------------------------------------------ */

/* For each worker: pinned ones, and free ones for its internal_enqueue and
 * resume_job_later; and as many free ones for central_enqueue. */
#define STOP_PINNED   2
#define STOP_INTERNAL 3
#define STOP_LATER    3
#define STOP_CENTRAL  3
#define STOP_FREE     (STOP_INTERNAL + STOP_LATER + STOP_CENTRAL)

struct stop_worker {
	struct troupe_strong actors[STOP_PINNED + STOP_FREE];
	bool enqueued; /* W: its internal and later ones */
};

struct stop_check {
	struct ledger ledger;		/* first: see stop_of() */
	struct troupe_policy_ops below; /* the ledger's table */
	struct suite_flag enqueued;	/* ghosts */
	struct suite_flag returned;	/* ghosts */
	struct stop_worker workers[BOARD_WORKERS];
};

static struct stop_check *stop_of(const struct troupe_coordinator *coordinator)
{
	return (struct stop_check *)ledger_of(coordinator);
}

static int stop_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	(void)message;
	troupe_quit(self, 0);
	return 0;
}

static const struct troupe_actor_class stop_class = {
	.name = "ghost",
	.receive = stop_receive,
};

/* Actors that have each run once and ended. */
static void stop_make_ghosts(struct stop_check *check,
			     struct troupe_system *system)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;

	board_step(check->ledger.board, "actors run and end");
	for (uint32_t i = 0; i < check->ledger.run->workers; i++) {
		for (uint32_t j = 0; j < STOP_PINNED + STOP_FREE; j++) {
			struct troupe_strong *actor =
				&check->workers[i].actors[j];

			options.worker =
				j < STOP_PINNED ? i : TROUPE_ANY_WORKER;
			if (troupe_spawn_with(system, &stop_class, NULL,
					      &options, actor) != 0 ||
			    troupe_send(*actor, 1, NULL, 0) != 0)
				board_fail(check->ledger.board,
					   "core: an actor does not start");
		}
	}
	troupe_system_await(system);
}

/* Ghost @which of worker @worker, about to be enqueued. */
static struct troupe_job *stop_ghost(struct stop_check *check, uint32_t worker,
				     uint32_t which)
{
	struct troupe_strong actor = check->workers[worker].actors[which];

	suite_raise(&check->enqueued);
	return &block_actor(actor.block)->job.link;
}

/* From outside the workers; @half 0 or 1, before and after wake_all. */
static void stop_enqueue_outside(struct stop_check *check,
				 struct troupe_coordinator *self, uint32_t half)
{
	for (uint32_t i = 0; i < self->worker_count; i++) {
		for (uint32_t j = half; j < STOP_PINNED; j += 2)
			check->below.external_enqueue(self->workers[i],
						      stop_ghost(check, i, j));
		for (uint32_t j = half; j < STOP_CENTRAL; j += 2)
			check->below.central_enqueue(
				self, stop_ghost(check, i, STOP_PINNED + j));
	}
}

static void stop_wake_all(struct troupe_coordinator *self)
{
	struct stop_check *check = stop_of(self);

	stop_enqueue_outside(check, self, 0);
	check->below.wake_all(self);
	stop_enqueue_outside(check, self, 1);
}

/* What the last job of a worker would do. */
static void stop_enqueue_inside(struct stop_check *check,
				struct troupe_worker *self)
{
	uint32_t first = STOP_PINNED + STOP_CENTRAL;

	for (uint32_t i = 0; i < STOP_INTERNAL; i++)
		check->below.internal_enqueue(
			self, stop_ghost(check, self->index, first + i));
	first += STOP_INTERNAL;
	for (uint32_t i = 0; i < STOP_LATER; i++)
		check->below.resume_job_later(
			self, stop_ghost(check, self->index, first + i));
}

static void stop_take(struct stop_check *check, const struct troupe_job *job)
{
	ledger_put_back(&check->ledger, job);
	suite_raise(&check->returned);
}

static struct troupe_job *stop_dequeue(struct troupe_worker *self)
{
	struct stop_check *check = stop_of(self->coordinator);
	struct stop_worker *worker = &check->workers[self->index];

	for (;;) {
		struct troupe_job *job = check->below.dequeue(self);

		if (!troupe_stopping(self->coordinator))
			return job;
		if (job != NULL) {
			stop_take(check, job);
		} else if (!worker->enqueued) {
			worker->enqueued = true;
			stop_enqueue_inside(check, self);
		} else {
			return NULL;
		}
	}
}

/* drain is called until it returns NULL; the core gets only the NULL. */
static struct troupe_job *stop_drain(struct troupe_coordinator *self)
{
	struct stop_check *check = stop_of(self);

	while (check->below.drain(self) != NULL)
		suite_raise(&check->returned);
	return check->below.drain(self);
}

static void stop_drain_left(const struct suite_run *run)
{
	struct stop_check *check = calloc(1, sizeof(*check));
	struct troupe_system *system;

	if (check == NULL)
		board_fail(run->board, "the suite is out of memory");
	ledger_prepare(&check->ledger, run, 0);
	check->below = check->ledger.table;
	check->ledger.table.dequeue = stop_dequeue;
	check->ledger.table.wake_all = stop_wake_all;
	check->ledger.table.drain = stop_drain;
	system = ledger_start(&check->ledger);
	stop_make_ghosts(check, system);
	ledger_finish(&check->ledger, system);
	if (suite_value(&check->enqueued) != suite_value(&check->returned))
		board_fail(run->board, "%llu jobs were left, %llu came back",
			   (unsigned long long)suite_value(&check->enqueued),
			   (unsigned long long)suite_value(&check->returned));
	for (uint32_t i = 0; i < run->workers; i++)
		for (uint32_t j = 0; j < STOP_PINNED + STOP_FREE; j++)
			troupe_strong_release(&check->workers[i].actors[j]);
	free(check);
}

/* ---- NULL comes only at the end ---------------------------------------- */

#define STOP_IDLE_NS 120000000u

/* The ledger looks at what dequeue returns; here it has the time to. */
static void stop_idle(const struct suite_run *run)
{
	struct troupe_system *system;
	struct ledger ledger;

	ledger_prepare(&ledger, run, 0);
	system = ledger_start(&ledger);
	for (uint32_t i = 0; i < 2; i++) {
		board_step(run->board, "idle for a while");
		chance_sleep(STOP_IDLE_NS);
		if (troupe_schedule(system, stop_nothing, NULL) != 0)
			board_fail(run->board, "core: out of memory");
	}
	ledger_finish(&ledger, system);
}

const struct suite_check suite_stop[] = {
	{"contract 5: wake_all brings every worker out of dequeue",
	 {1, 2, 4},
	 false,
	 stop_leave},
	{"contract 5: drain returns each job that is left once",
	 {1, 2, 4},
	 false,
	 stop_drain_left},
	{"contract 5: dequeue returns NULL only at the end",
	 {2},
	 false,
	 stop_idle},
	{NULL, {0}, false, NULL},
};
