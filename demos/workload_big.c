/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 128 actors of which each pings random others and waits for the answer.
 *
 * The handles are in one array that main fills before the first message and
 * releases after the last actor: no actor needs a handle of its own, but all
 * have to be told when to end. The last to have all its answers does that.
 */
#include "workloads.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#define BIG_ACTORS 128

enum {
	BIG_START = 1,
	BIG_PING,
	BIG_PONG,
	BIG_END,
};

struct big {
	uint64_t pings;	       /* of each actor */
	_Atomic uint32_t busy; /* actors that want more pongs */
	struct troupe_strong actors[BIG_ACTORS];
	/* Each actor writes its own, when it ends. */
	uint64_t answered[BIG_ACTORS];
};

struct big_argument {
	struct big *big;
	uint32_t index;
};

struct big_actor {
	struct big *big;
	uint32_t index;
	uint64_t seed;
	uint64_t pongs; /* received */
	uint64_t answered;
};

static int big_init(struct troupe_actor *self, void *state,
		    const void *argument)
{
	const struct big_argument *given = argument;
	struct big_actor *actor = state;

	(void)self;
	actor->big = given->big;
	actor->index = given->index;
	actor->seed = given->index * UINT64_C(2654435761) + 1;
	return 0;
}

static int big_ping(struct big_actor *actor)
{
	actor->seed = actor->seed * UINT64_C(6364136223846793005) +
		      UINT64_C(1442695040888963407);
	return troupe_send(actor->big->actors[(actor->seed >> 33) % BIG_ACTORS],
			   BIG_PING, NULL, 0);
}

/* All that could have been sent has been answered, or somebody failed. Those
 * that have ended do not mind. */
static void big_end(struct big *big)
{
	for (uint32_t i = 0; i < BIG_ACTORS; i++)
		troupe_send(big->actors[i], BIG_END, NULL, 0);
}

static int big_pong(struct big_actor *actor)
{
	struct big *big = actor->big;

	if (++actor->pongs < big->pings)
		return big_ping(actor);
	/* relaxed: only the number counts; messages carry the rest. */
	if (atomic_fetch_sub_explicit(&big->busy, 1, memory_order_relaxed) == 1)
		big_end(big);
	return 0;
}

static int big_receive(struct troupe_actor *self, void *state,
		       const struct troupe_message *message)
{
	struct big_actor *actor = state;

	switch (message->tag) {
	case BIG_START:
		return big_ping(actor);
	case BIG_PING:
		actor->answered++;
		return troupe_reply(self, message, BIG_PONG, NULL, 0);
	case BIG_PONG:
		return big_pong(actor);
	default:
		troupe_quit(self, TROUPE_EXIT_NORMAL);
		return 0;
	}
}

static void big_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct big_actor *actor = state;

	(void)self;
	actor->big->answered[actor->index] = actor->answered;
	if (reason != TROUPE_EXIT_NORMAL)
		big_end(actor->big);
}

static const struct troupe_actor_class big_class = {
	.name = "big",
	.state_size = sizeof(struct big_actor),
	.init = big_init,
	.receive = big_receive,
	.on_exit = big_on_exit,
};

static int big_start(struct troupe_system *system, struct big *big)
{
	struct big_argument argument = {.big = big};
	int code = 0;

	for (; code == 0 && argument.index < BIG_ACTORS; argument.index++)
		code = troupe_spawn(system, &big_class, &argument,
				    &big->actors[argument.index]);
	for (uint32_t i = 0; code == 0 && i < BIG_ACTORS; i++)
		code = troupe_send(big->actors[i], BIG_START, NULL, 0);
	if (code != 0)
		big_end(big);
	return code;
}

static int big_run(struct workload_trial *trial)
{
	struct big *big = calloc(1, sizeof(*big));
	uint64_t answered = 0;
	int code;

	if (big == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	big->pings = workload_size(trial, 5000, 1);
	atomic_init(&big->busy, BIG_ACTORS);
	code = big_start(trial->system, big);
	troupe_system_await(trial->system);
	for (uint32_t i = 0; i < BIG_ACTORS; i++) {
		troupe_strong_release(&big->actors[i]);
		answered += big->answered[i];
	}

	trial->operations = BIG_ACTORS * big->pings;
	if (code != 0)
		code = workload_failed(trial, "start the actors", code);
	else
		code = workload_verify(trial, "pings answered", answered,
				       trial->operations);
	free(big);
	return code;
}

const struct workload workload_big = {
	.name = "big",
	.unit = "ping",
	.summary = "128 actors ping random others, 5000 times each",
	.run = big_run,
};
