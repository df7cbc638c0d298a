/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 1: it loses no job, hands out none twice, gives none to two
 * workers. The checks only make many jobs come and go by every path; the
 * ledger sees what is wrong.
 */
#include "chance.h"
#include "ledger.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- jobs that make more jobs ------------------------------------------ */

#define HANDOUT_THREADS 3
#define HANDOUT_ROOTS	150 /* of each thread */
#define HANDOUT_JOBS	2500

struct handout_job {
	struct handout *all;
	uint32_t runs_left;
	uint32_t children;
	bool pinned;
	uint32_t worker;	  /* if pinned */
	_Atomic uint32_t running; /* by how many workers */
};

struct handout {
	struct board *board;
	struct troupe_system *system;
	bool pin; /* some of the jobs */
	_Atomic uint32_t made;
	_Atomic uint32_t ended;
	struct handout_job jobs[HANDOUT_JOBS];
};

static int handout_run(void *data);

/* Returns: false if there are enough jobs. */
static bool handout_schedule(struct handout *all)
{
	uint32_t workers = troupe_system_worker_count(all->system);
	/* relaxed: a number for each job, no more. */
	uint32_t number =
		atomic_fetch_add_explicit(&all->made, 1, memory_order_relaxed);
	struct handout_job *job;
	int result;

	if (number >= HANDOUT_JOBS)
		return false;
	job = &all->jobs[number];
	job->all = all;
	job->runs_left = 1 + chance_below(3);
	job->children = chance_below(6);
	job->pinned = all->pin && chance_below(2) == 0;
	job->worker = chance_below(workers);
	if (job->pinned)
		result = troupe_schedule_on(all->system, job->worker,
					    handout_run, job);
	else
		result = troupe_schedule(all->system, handout_run, job);
	if (result != 0)
		board_fail(all->board, "core: troupe_schedule returned %d",
			   result);
	return true;
}

static int handout_run(void *data)
{
	struct handout_job *job = data;
	struct handout *all = job->all;

	/* relaxed, here and below: see suite_raise(). */
	if (atomic_fetch_add_explicit(&job->running, 1, memory_order_relaxed) !=
	    0)
		board_fail(all->board, "a job runs on two workers");
	if (job->runs_left == 0)
		board_fail(all->board, "a job runs after its end");
	if (job->pinned && troupe_current_worker() != job->worker)
		board_fail(all->board, "a job pinned to worker %u runs on %u",
			   job->worker, troupe_current_worker());
	if (chance_below(16) == 0)
		chance_sleep(chance_below(300000));
	while (job->children > 0 && chance_below(2) == 0 &&
	       handout_schedule(all))
		job->children--;
	job->runs_left--;
	atomic_fetch_sub_explicit(&job->running, 1, memory_order_relaxed);
	if (job->runs_left > 0)
		return TROUPE_JOB_AGAIN;
	atomic_fetch_add_explicit(&all->ended, 1, memory_order_relaxed);
	return TROUPE_JOB_DONE;
}

static void *handout_produce(void *data)
{
	for (uint32_t i = 0; i < HANDOUT_ROOTS; i++) {
		handout_schedule(data);
		chance_nudge();
	}
	return NULL;
}

static void handout_many(const struct suite_run *run, uint32_t watch, bool pin)
{
	struct handout *all = calloc(1, sizeof(*all));
	pthread_t threads[HANDOUT_THREADS];
	struct ledger ledger;
	uint32_t made;

	if (all == NULL)
		board_fail(run->board, "the suite is out of memory");
	ledger_prepare(&ledger, run, watch);
	all->board = run->board;
	all->pin = pin;
	all->system = ledger_start(&ledger);
	board_step(run->board, "three threads enqueue");
	for (uint32_t i = 0; i < HANDOUT_THREADS; i++)
		pthread_create(&threads[i], NULL, handout_produce, all);
	for (uint32_t i = 0; i < HANDOUT_THREADS; i++)
		pthread_join(threads[i], NULL);
	ledger_finish(&ledger, all->system);
	made = all->made < HANDOUT_JOBS ? all->made : HANDOUT_JOBS;
	if (all->ended != made)
		board_fail(run->board, "%u jobs were made and %u ended", made,
			   all->ended);
	free(all);
}

static void handout_once(const struct suite_run *run)
{
	handout_many(run, LEDGER_NUDGE, false);
}

static void handout_pinned(const struct suite_run *run)
{
	handout_many(run, LEDGER_NUDGE, true);
}

static void handout_links(const struct suite_run *run)
{
	handout_many(run, LEDGER_NUDGE | LEDGER_LINKS, true);
}

/* ---- the same few jobs again and again --------------------------------- */

#define HANDOUT_ACTORS	 6
#define HANDOUT_MESSAGES 250 /* of each thread to each actor */

struct handout_actors {
	struct board *board;
	struct troupe_strong actors[HANDOUT_ACTORS];
	_Atomic uint64_t handled;
};

static int handout_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	struct handout_actors *all = *(struct handout_actors **)state;

	(void)self;
	(void)message;
	/* relaxed: see suite_raise(). */
	atomic_fetch_add_explicit(&all->handled, 1, memory_order_relaxed);
	chance_nudge();
	return 0;
}

static int handout_actor_init(struct troupe_actor *self, void *state,
			      const void *argument)
{
	(void)self;
	*(const void **)state = argument;
	return 0;
}

static const struct troupe_actor_class handout_class = {
	.name = "handout",
	.state_size = sizeof(void *),
	.init = handout_actor_init,
	.receive = handout_receive,
};

static void *handout_send(void *data)
{
	struct handout_actors *all = data;

	for (uint32_t i = 0; i < HANDOUT_MESSAGES; i++) {
		for (uint32_t j = 0; j < HANDOUT_ACTORS; j++)
			if (troupe_send(all->actors[j], 1, NULL, 0) != 0)
				board_fail(all->board,
					   "core: troupe_send failed");
		chance_nudge();
	}
	return NULL;
}

static void handout_again(const struct suite_run *run)
{
	struct handout_actors all = {.board = run->board};
	pthread_t threads[HANDOUT_THREADS];
	struct troupe_system *system;
	struct ledger ledger;
	uint64_t sent =
		(uint64_t)HANDOUT_THREADS * HANDOUT_ACTORS * HANDOUT_MESSAGES;

	ledger_prepare(&ledger, run, LEDGER_NUDGE);
	system = ledger_start(&ledger);
	for (uint32_t i = 0; i < HANDOUT_ACTORS; i++)
		if (troupe_spawn(system, &handout_class, &all,
				 &all.actors[i]) != 0)
			board_fail(run->board, "core: troupe_spawn failed");
	board_step(run->board, "three threads send to six actors");
	for (uint32_t i = 0; i < HANDOUT_THREADS; i++)
		pthread_create(&threads[i], NULL, handout_send, &all);
	for (uint32_t i = 0; i < HANDOUT_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < HANDOUT_ACTORS; i++)
		troupe_strong_release(&all.actors[i]);
	ledger_finish(&ledger, system);
	if (all.handled != sent)
		board_fail(run->board, "%llu messages sent, %llu handled",
			   (unsigned long long)sent,
			   (unsigned long long)all.handled);
}

/* ---- two systems ------------------------------------------------------- */

/* One table, two systems at once: file-scope state would mix them up. */
static void handout_two(const struct suite_run *run)
{
	struct handout *first = calloc(1, sizeof(*first));
	struct handout *second = calloc(1, sizeof(*second));
	struct ledger ledgers[2];

	if (first == NULL || second == NULL)
		board_fail(run->board, "the suite is out of memory");
	ledger_prepare(&ledgers[0], run, 0);
	ledger_prepare(&ledgers[1], run, 0);
	first->board = second->board = run->board;
	first->system = ledger_start(&ledgers[0]);
	second->system = ledger_start(&ledgers[1]);
	board_step(run->board, "two systems get jobs in turn");
	for (uint32_t i = 0; i < HANDOUT_ROOTS; i++) {
		handout_schedule(first);
		handout_schedule(second);
	}
	ledger_finish(&ledgers[0], first->system);
	board_step(run->board, "one system has ended, one goes on");
	for (uint32_t i = 0; i < HANDOUT_ROOTS; i++)
		handout_schedule(second);
	ledger_finish(&ledgers[1], second->system);
	free(first);
	free(second);
}

const struct suite_check suite_handout[] = {
	{"contract 1: each job is handed out once",
	 {1, 2, 4},
	 false,
	 handout_once},
	{"contract 1: actors that wake again and again",
	 {1, 2, 4},
	 false,
	 handout_again},
	{"contract 1: pinned jobs stay on their worker",
	 {2, 4},
	 false,
	 handout_pinned},
	{"contract 1: link words are left alone after the hand-out",
	 {2},
	 false,
	 handout_links},
	{"contract 1: two systems share nothing", {2}, false, handout_two},
	{NULL, {0}, false, NULL},
};
