/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Workers fall asleep while somebody makes a job READY: no wake-up is lost.
 *
 * Two games by turns. In the first all workers have nothing to do and the main
 * thread sends, schedules or spawns one thing after a random short gap, which
 * meets workers at every step of falling asleep. In the second an actor makes
 * another READY and then stays busy in its callback until that one has run:
 * somebody else must wake for it. Nothing else happens that could help; what
 * stays undone for long fails.
 */
#include "stress.h"

#define ACTORS 4
/* So long may one thing take, in ns, with sanitizers on a busy machine. */
#define LIMIT UINT64_C(60000000000)

static struct troupe_strong actors[ACTORS]; /* the first is not pinned */
static struct troupe_system *park_system;
static _Atomic uint64_t handled;
static uint64_t games;

enum {
	PARK_COUNT = 1,
	PARK_BUSY,
};

static void park_await(uint64_t value, const char *what)
{
	uint64_t end = 0;

	for (uint64_t looks = 1; atomic_load(&handled) < value; looks++) {
		if (looks % 64 != 0)
			continue;
		if (end == 0)
			end = troupe_now() + LIMIT;
		stress_check(troupe_now() < end, "%s is not done", what);
		/* On a machine with too few processors, make room. */
		usleep(20);
	}
	stress_progress();
}

/* ---- what is made READY ------------------------------------------------ */

static int park_job(void *data)
{
	(void)data;
	atomic_fetch_add(&handled, 1);
	return TROUPE_JOB_DONE;
}

static int park_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	uint64_t before = atomic_load(&handled);

	(void)state;
	if (message->tag == PARK_BUSY) {
		uint32_t last = troupe_system_worker_count(park_system) - 1;
		/* The second actor is no use if its worker is this one. */
		uint64_t which =
			stress_below(troupe_self_worker(self) == last ? 2 : 3);
		int result = 0;

		if (which == 0)
			result = troupe_schedule(park_system, park_job, NULL);
		else if (which == 1)
			result = troupe_send(actors[0], PARK_COUNT, NULL, 0);
		else
			result = troupe_send(actors[1], PARK_COUNT, NULL, 0);
		stress_check(result == 0, "busy: %d", result);
		park_await(before + 1, "what a busy worker made READY");
	}
	atomic_fetch_add(&handled, 1);
	return 0;
}

static void park_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)state;
	(void)reason;
	atomic_fetch_add(&handled, 1);
}

static const struct troupe_actor_class park_class = {
	.name = "park",
	.receive = park_receive,
};

/* Ends as soon as it is there. */
static const struct troupe_actor_class mayfly_class = {
	.name = "mayfly",
	.receive = park_receive,
	.on_exit = park_exit,
};

/* ---- games ------------------------------------------------------------- */

static void park_gap(void)
{
	uint64_t kind = stress_below(8);

	if (kind < 4)
		for (volatile uint64_t i = stress_below(5000); i > 0; i--)
			;
	else if (kind < 7)
		usleep((useconds_t)stress_below(100));
	else if (stress_once_in(16))
		usleep((useconds_t)stress_below(2000));
}

static void park_outside(struct troupe_system *system)
{
	uint64_t before = atomic_load(&handled);
	struct troupe_strong *actor = &actors[stress_below(ACTORS)];
	int result;

	switch (stress_below(4)) {
	case 0:
		result = troupe_schedule(system, park_job, NULL);
		break;
	case 1:
		result = troupe_schedule_on(
			system,
			(uint32_t)stress_below(
				troupe_system_worker_count(system)),
			park_job, NULL);
		break;
	case 2:
		result = troupe_spawn(system, &mayfly_class, NULL, NULL);
		break;
	default:
		result = troupe_send(*actor, PARK_COUNT, NULL, 0);
		break;
	}
	stress_check(result == 0, "from outside: %d", result);
	park_await(before + 1, "what came from outside");
}

static void park_busy(void)
{
	uint64_t before = atomic_load(&handled);

	stress_check(troupe_send(actors[2 + stress_below(ACTORS - 2)],
				 PARK_BUSY, NULL, 0) == 0,
		     "to the busy one");
	park_await(before + 2, "the busy one");
}

static void turn(struct troupe_system *system)
{
	uint32_t workers = troupe_system_worker_count(system);

	park_system = system;
	for (uint32_t i = 0; i < ACTORS; i++) {
		struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;

		/* The second on the last worker, the busy ones anywhere. */
		if (i == 1)
			options.worker = workers - 1;
		else if (i > 1 && stress_once_in(2))
			options.worker = (uint32_t)stress_below(workers);
		stress_check(troupe_spawn_with(system, &park_class, NULL,
					       &options, &actors[i]) == 0,
			     "spawn");
	}
	do {
		park_gap();
		if (workers > 1 && stress_once_in(2))
			park_busy();
		else
			park_outside(system);
		games++;
	} while (stress_goes_on());
	for (uint32_t i = 0; i < ACTORS; i++)
		troupe_strong_release(&actors[i]);
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {1, 2, 4, 0};

	stress_start("park", 3, argc, argv);
	stress_turns(turn, workers);
	printf("stress_park: %" PRIu64 " games\n", games);
	return 0;
}
