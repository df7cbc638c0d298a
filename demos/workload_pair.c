/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two actors that talk to each other: ping-pong with plain messages, one pair
 * or 32 side by side, and request with a response handler for each answer.
 *
 * Nobody tells pong to end. When ping has had its last answer it quits, its
 * handle to pong goes, and an actor that no handle reaches ends by itself.
 */
#include "workloads.h"

#include <errno.h>
#include <stdlib.h>

enum {
	PAIR_START = 1,
	PAIR_PING,
	PAIR_PONG,
};

/* What one pair was told and what came of it. Each of the two actors writes
 * a field of its own, when it ends. */
struct pair {
	uint64_t rounds;
	uint64_t pings; /* written by pong */
	uint64_t pongs; /* written by ping */
};

struct ping {
	struct pair *pair;
	struct troupe_strong pong;
	uint64_t round; /* of the last ping sent */
	uint64_t pongs;
};

struct pong {
	struct pair *pair;
	uint64_t pings;
};

struct ping_argument {
	struct pair *pair;
	struct troupe_strong pong;
};

static uint64_t pair_round(const struct troupe_message *message)
{
	return *(const uint64_t *)troupe_payload(message);
}

static int pong_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct pong *pong = state;

	(void)self;
	pong->pair = (struct pair *)argument;
	return 0;
}

static int pong_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct pong *pong = state;
	uint64_t round = pair_round(message);

	if (round != pong->pings + 1)
		return -EBADMSG;
	pong->pings = round;
	return troupe_reply(self, message, PAIR_PONG, &round, sizeof(round));
}

static void pong_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct pong *pong = state;

	(void)self;
	(void)reason;
	pong->pair->pings = pong->pings;
}

static const struct troupe_actor_class pong_class = {
	.name = "pong",
	.state_size = sizeof(struct pong),
	.init = pong_init,
	.receive = pong_receive,
	.on_exit = pong_on_exit,
};

static int ping_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	const struct ping_argument *given = argument;
	struct ping *ping = state;

	(void)self;
	ping->pair = given->pair;
	ping->pong = troupe_strong_clone(given->pong);
	return 0;
}

/* The next round, or the end of the game. */
static int ping_next(struct troupe_actor *self, struct ping *ping)
{
	if (ping->round == ping->pair->rounds) {
		troupe_quit(self, TROUPE_EXIT_NORMAL);
		return 0;
	}
	ping->round++;
	return troupe_send(ping->pong, PAIR_PING, &ping->round,
			   sizeof(ping->round));
}

static int ping_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct ping *ping = state;

	if (message->tag == PAIR_PONG) {
		if (pair_round(message) != ping->round)
			return -EBADMSG;
		ping->pongs++;
	}
	return ping_next(self, ping);
}

static void ping_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct ping *ping = state;

	(void)self;
	(void)reason;
	ping->pair->pongs = ping->pongs;
}

static void ping_destroy(void *state)
{
	struct ping *ping = state;

	troupe_strong_release(&ping->pong);
}

static const struct troupe_actor_class ping_class = {
	.name = "ping",
	.state_size = sizeof(struct ping),
	.init = ping_init,
	.receive = ping_receive,
	.on_exit = ping_on_exit,
	.destroy = ping_destroy,
};

static int requester_receive(struct troupe_actor *self, void *state,
			     const struct troupe_message *message);

static const struct troupe_actor_class requester_class = {
	.name = "requester",
	.state_size = sizeof(struct ping),
	.init = ping_init,
	.receive = requester_receive,
	.on_exit = ping_on_exit,
	.destroy = ping_destroy,
};

static int requester_on_response(struct troupe_actor *self, void *state,
				 const struct troupe_message *message,
				 void *context)
{
	struct ping *ping = state;

	(void)context;
	if (message->tag == TROUPE_TAG_ERROR)
		return *(const int *)troupe_payload(message);
	if (pair_round(message) != ping->round)
		return -EBADMSG;
	ping->pongs++;
	return requester_receive(self, state, message);
}

static int requester_receive(struct troupe_actor *self, void *state,
			     const struct troupe_message *message)
{
	struct ping *ping = state;

	(void)message;
	if (ping->round == ping->pair->rounds) {
		troupe_quit(self, TROUPE_EXIT_NORMAL);
		return 0;
	}
	ping->round++;
	return troupe_request(self, ping->pong, PAIR_PING, &ping->round,
			      sizeof(ping->round), requester_on_response, NULL);
}

static int pair_start(struct troupe_system *system,
		      const struct troupe_actor_class *ping_like,
		      struct pair *pair)
{
	struct ping_argument argument = {.pair = pair};
	struct troupe_strong ping = {NULL};
	int code;

	code = troupe_spawn(system, &pong_class, pair, &argument.pong);
	if (code == 0)
		code = troupe_spawn(system, ping_like, &argument, &ping);
	if (code == 0)
		code = troupe_send(ping, PAIR_START, NULL, 0);
	troupe_strong_release(&ping);
	troupe_strong_release(&argument.pong);
	return code;
}

static int pair_run(struct workload_trial *trial, uint32_t count,
		    const struct troupe_actor_class *ping_like, uint64_t rounds,
		    uint64_t operations_a_round)
{
	struct pair *pairs = calloc(count, sizeof(*pairs));
	int code = 0;

	if (pairs == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	for (uint32_t i = 0; code == 0 && i < count; i++) {
		pairs[i].rounds = rounds;
		code = pair_start(trial->system, ping_like, &pairs[i]);
	}
	troupe_system_await(trial->system);

	if (code != 0)
		code = workload_failed(trial, "start a pair", code);
	for (uint32_t i = 0; code == 0 && i < count; i++) {
		code = workload_verify(trial, "pings", pairs[i].pings, rounds);
		if (code == 0)
			code = workload_verify(trial, "pongs", pairs[i].pongs,
					       rounds);
	}
	trial->operations = count * rounds * operations_a_round;
	free(pairs);
	return code;
}

static int ping_pong_run(struct workload_trial *trial)
{
	return pair_run(trial, 1, &ping_class, workload_size(trial, 500000, 1),
			2);
}

static int ping_pong_32_run(struct workload_trial *trial)
{
	return pair_run(trial, 32, &ping_class, workload_size(trial, 16000, 1),
			2);
}

static int request_run(struct workload_trial *trial)
{
	return pair_run(trial, 1, &requester_class,
			workload_size(trial, 500000, 1), 1);
}

const struct workload workload_ping_pong = {
	.name = "ping-pong",
	.unit = "message",
	.flags = WORKLOAD_USUAL,
	.summary = "two actors send one message back and forth, 1M times",
	.run = ping_pong_run,
};

const struct workload workload_ping_pong_32 = {
	.name = "ping-pong-32",
	.unit = "message",
	.summary = "32 pairs play ping-pong at once, 32k messages each",
	.run = ping_pong_32_run,
};

const struct workload workload_request = {
	.name = "request",
	.unit = "request",
	.summary =
		"one actor asks another and waits for the answer, 500k times",
	.run = request_run,
};
