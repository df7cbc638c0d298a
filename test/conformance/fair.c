/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 4: fairness. order.c checks every dequeue; the checks here make
 * the situations in which policies are known to starve somebody: yielders,
 * two actors that wake each other without end, and jobs of both sides of a
 * worker, free and pinned. The hogs go on until every victim has run, so a
 * job that waits for ever breaks its bound and nothing hangs.
 *
 * With one worker the order is exact: a job at a gate holds the worker while
 * the others are enqueued, and from then on everything happens on it.
 */
#include "chance.h"
#include "ledger.h"

#define FAIR_WINDOW 20 /* rounds in which victims come, one after another */

struct fair_check {
	const struct suite_run *run;
	struct board *board;
	struct troupe_system *system;
	struct suite_flag at_gate;
	struct suite_flag open;
	struct suite_flag victims; /* that have run */
	struct suite_flag over;	   /* hogs may end */
	uint64_t awaited;	   /* victims that end it */
	uint32_t inside;	   /* victims that the gate job makes */
};

static void fair_schedule(struct fair_check *check, uint32_t worker,
			  troupe_job_fn run, void *data)
{
	int result =
		worker == TROUPE_ANY_WORKER
			? troupe_schedule(check->system, run, data)
			: troupe_schedule_on(check->system, worker, run, data);

	if (result != 0)
		board_fail(check->board, "core: scheduling returned %d",
			   result);
}

/* ---- who takes part ---------------------------------------------------- */

static int fair_victim(void *data)
{
	struct fair_check *check = data;

	if (suite_raise(&check->victims) + 1 == check->awaited)
		suite_raise(&check->over);
	return TROUPE_JOB_DONE;
}

/* Yields as long as there are victims. */
static int fair_yielder(void *data)
{
	struct fair_check *check = data;

	return suite_value(&check->over) > 0 ? TROUPE_JOB_DONE
					     : TROUPE_JOB_AGAIN;
}

/* Makes its successor READY and ends, as long as there are victims. */
static int fair_chain(void *data)
{
	struct fair_check *check = data;

	if (suite_value(&check->over) == 0)
		fair_schedule(check, TROUPE_ANY_WORKER, fair_chain, check);
	return TROUPE_JOB_DONE;
}

/* Holds its worker until the gate opens; then makes some victims itself. */
static int fair_gate(void *data)
{
	struct fair_check *check = data;

	suite_raise(&check->at_gate);
	suite_await(&check->open, 1);
	for (uint32_t i = 0; i < check->inside; i++)
		fair_schedule(check, TROUPE_ANY_WORKER, fair_victim, check);
	return TROUPE_JOB_DONE;
}

/* One of two actors that send to each other, as long as there are victims. */
struct fair_player {
	struct fair_check *check;
	struct troupe_strong peer; /* the first to serve; or null */
};

static int fair_player_init(struct troupe_actor *self, void *state,
			    const void *argument)
{
	(void)self;
	*(struct fair_player *)state = *(const struct fair_player *)argument;
	return 0;
}

static int fair_player_receive(struct troupe_actor *self, void *state,
			       const struct troupe_message *message)
{
	struct fair_player *player = state;
	struct troupe_strong to = troupe_strong_is_null(message->sender)
					  ? player->peer
					  : message->sender;

	if (suite_value(&player->check->over) > 0 ||
	    troupe_send(to, 1, NULL, 0) != 0)
		troupe_quit(self, 0);
	return 0;
}

static void fair_player_destroy(void *state)
{
	struct fair_player *player = state;

	troupe_strong_release(&player->peer);
}

static const struct troupe_actor_class fair_player_class = {
	.name = "player",
	.state_size = sizeof(struct fair_player),
	.init = fair_player_init,
	.receive = fair_player_receive,
	.destroy = fair_player_destroy,
};

static void fair_ping_pong(struct fair_check *check, uint32_t worker)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct fair_player player = {check, {NULL}};
	struct troupe_strong first;

	options.worker = worker;
	/* The second belongs to the first, which gives it back at its end. */
	if (troupe_spawn_with(check->system, &fair_player_class, &player,
			      &options, &player.peer) != 0 ||
	    troupe_spawn_with(check->system, &fair_player_class, &player,
			      &options, &first) != 0 ||
	    troupe_send(first, 1, NULL, 0) != 0)
		board_fail(check->board, "core: two actors do not start");
	troupe_strong_release(&first);
}

/* ---- one worker, held at a gate ---------------------------------------- */

static void fair_start(struct fair_check *check, struct ledger *ledger,
		       const struct suite_run *run, uint32_t watch)
{
	*check = (struct fair_check){.run = run, .board = run->board};
	ledger_prepare(ledger, run, LEDGER_ORDER | watch);
	check->system = ledger_start(ledger);
}

static void fair_hold(struct fair_check *check, uint32_t inside)
{
	board_step(check->board, "a job holds the worker");
	check->inside = inside;
	fair_schedule(check, TROUPE_ANY_WORKER, fair_gate, check);
	suite_await(&check->at_gate, 1);
}

static void fair_open(struct fair_check *check, struct ledger *ledger)
{
	board_step(check->board, "the worker runs until every victim has run");
	suite_raise(&check->open);
	ledger_finish(ledger, check->system);
}

/* @free and @pinned: victims by central_enqueue and external_enqueue. */
static void fair_add_victims(struct fair_check *check, uint32_t free,
			     uint32_t pinned)
{
	for (uint32_t i = 0; i < free || i < pinned; i++) {
		if (i < free)
			fair_schedule(check, TROUPE_ANY_WORKER, fair_victim,
				      check);
		if (i < pinned)
			fair_schedule(check, 0, fair_victim, check);
	}
}

static void fair_yielders_behind(const struct suite_run *run)
{
	struct fair_check check;
	struct ledger ledger;

	fair_start(&check, &ledger, run, 0);
	check.awaited = 12;
	fair_hold(&check, 4);
	fair_schedule(&check, TROUPE_ANY_WORKER, fair_yielder, &check);
	fair_add_victims(&check, 4, 2);
	fair_schedule(&check, TROUPE_ANY_WORKER, fair_yielder, &check);
	fair_add_victims(&check, 2, 0);
	fair_schedule(&check, TROUPE_ANY_WORKER, fair_chain, &check);
	fair_open(&check, &ledger);
}

static void fair_endless_ping_pong(const struct suite_run *run)
{
	struct fair_check check;
	struct ledger ledger;

	fair_start(&check, &ledger, run, 0);
	check.awaited = 9;
	fair_hold(&check, 3);
	fair_add_victims(&check, 2, 1);
	fair_ping_pong(&check, TROUPE_ANY_WORKER);
	fair_schedule(&check, TROUPE_ANY_WORKER, fair_chain, &check);
	fair_add_victims(&check, 2, 1);
	fair_open(&check, &ledger);
}

static void fair_pinned_hogs(const struct suite_run *run)
{
	struct fair_check check;
	struct ledger ledger;

	fair_start(&check, &ledger, run, 0);
	check.awaited = 7;
	fair_hold(&check, 3);
	fair_ping_pong(&check, 0);
	fair_schedule(&check, 0, fair_yielder, &check);
	fair_add_victims(&check, 4, 0);
	fair_open(&check, &ledger);
}

static void fair_free_hogs(const struct suite_run *run)
{
	struct fair_check check;
	struct ledger ledger;

	fair_start(&check, &ledger, run, 0);
	check.awaited = 5;
	fair_hold(&check, 0);
	fair_ping_pong(&check, TROUPE_ANY_WORKER);
	fair_schedule(&check, TROUPE_ANY_WORKER, fair_yielder, &check);
	fair_schedule(&check, TROUPE_ANY_WORKER, fair_chain, &check);
	fair_add_victims(&check, 0, 5);
	fair_open(&check, &ledger);
}

/* ---- victims that come while the workers run --------------------------- */

static void fair_busy_workers(const struct suite_run *run)
{
	struct fair_check check;
	struct ledger ledger;

	fair_start(&check, &ledger, run, LEDGER_FROM_OUTSIDE);
	check.awaited = FAIR_WINDOW * 2 * run->workers;
	for (uint32_t i = 0; i < run->workers; i++) {
		fair_schedule(&check, TROUPE_ANY_WORKER, fair_yielder, &check);
		fair_schedule(&check, i, fair_yielder, &check);
		fair_ping_pong(&check, TROUPE_ANY_WORKER);
	}
	for (uint32_t i = 0; i < FAIR_WINDOW; i++) {
		for (uint32_t j = 0; j < run->workers; j++) {
			board_step(run->board,
				   "one central_enqueue while every worker is "
				   "kept busy");
			fair_schedule(&check, TROUPE_ANY_WORKER, fair_victim,
				      &check);
			board_step(run->board,
				   "one external_enqueue while every worker "
				   "is kept busy");
			fair_schedule(&check, j, fair_victim, &check);
		}
		suite_await(&check.victims,
			    (uint64_t)(i + 1) * 2 * run->workers);
	}
	ledger_finish(&ledger, check.system);
}

const struct suite_check suite_fair[] = {
	{"contract 4: a yielder goes behind the others",
	 {1},
	 false,
	 fair_yielders_behind},
	{"contract 4: endless ping-pong starves nobody",
	 {1},
	 false,
	 fair_endless_ping_pong},
	{"contract 4: pinned jobs do not starve free ones",
	 {1},
	 false,
	 fair_pinned_hogs},
	{"contract 4: free jobs do not starve pinned ones",
	 {1},
	 false,
	 fair_free_hogs},
	{"contract 4: jobs that come from outside have their turn",
	 {1, 2, 4},
	 false,
	 fair_busy_workers},
	{NULL, {0}, false, NULL},
};
