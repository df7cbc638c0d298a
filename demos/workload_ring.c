/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring of 503 actors that pass one token on. Only one of them ever has
 * something to do: what is measured is the way from one actor to the next.
 *
 * Every actor of a ring is reached by its neighbour's handle, so it has to be
 * told when to end. The last message goes round once more, adds up what each
 * has seen, and each quits behind it.
 */
#include "workloads.h"

#include <errno.h>

#define RING_ACTORS 503

enum {
	RING_CLOSE = 1, /* struct troupe_strong: your neighbour */
	RING_TOKEN,	/* uint64_t: hops to go */
	RING_END,	/* struct ring_end */
};

struct ring_end {
	uint64_t left; /* actors that have not seen it yet */
	uint64_t hops; /* sum of those that have */
};

/* Written by the last actor when RING_END has been everywhere. */
struct ring_result {
	uint64_t hops;
	uint64_t ended;
};

struct ring_node {
	struct ring_result *result;
	struct troupe_strong next;
	uint64_t hops;
};

struct ring_argument {
	struct ring_result *result;
	struct troupe_strong next; /* null: comes with RING_CLOSE */
};

static int ring_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	const struct ring_argument *given = argument;
	struct ring_node *node = state;

	(void)self;
	node->result = given->result;
	node->next = troupe_strong_clone(given->next);
	return 0;
}

static int ring_end(struct troupe_actor *self, struct ring_node *node,
		    struct ring_end end)
{
	end.left--;
	end.hops += node->hops;
	troupe_quit(self, TROUPE_EXIT_NORMAL);
	if (end.left > 0)
		return troupe_send(node->next, RING_END, &end, sizeof(end));
	node->result->hops = end.hops;
	node->result->ended = RING_ACTORS;
	return 0;
}

static int ring_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	const void *payload = troupe_payload(message);
	struct ring_node *node = state;
	uint64_t left;

	switch (message->tag) {
	case RING_TOKEN:
		node->hops++;
		left = *(const uint64_t *)payload - 1;
		if (left > 0)
			return troupe_send(node->next, RING_TOKEN, &left,
					   sizeof(left));
		return ring_end(self, node,
				(struct ring_end){.left = RING_ACTORS});
	case RING_END:
		return ring_end(self, node, *(const struct ring_end *)payload);
	case RING_CLOSE:
		node->next = *(const struct troupe_strong *)payload;
		return 0;
	default:
		return -EINVAL;
	}
}

static void ring_destroy(void *state)
{
	struct ring_node *node = state;

	troupe_strong_release(&node->next);
}

static const struct troupe_actor_class ring_class = {
	.name = "ring",
	.state_size = sizeof(struct ring_node),
	.init = ring_init,
	.receive = ring_receive,
	.destroy = ring_destroy,
};

/* Spawns a chain whose last actor waits for RING_CLOSE. A chain that breaks
 * off ends by itself, when its first handle goes. */
static int ring_spawn(struct troupe_system *system, struct ring_result *result,
		      struct troupe_strong *ret_first,
		      struct troupe_strong *ret_last)
{
	struct ring_argument argument = {.result = result};
	struct troupe_strong actor;
	int code;

	for (uint32_t i = 0; i < RING_ACTORS; i++) {
		code = troupe_spawn(system, &ring_class, &argument, &actor);
		if (code != 0) {
			troupe_strong_release(&argument.next);
			return code;
		}
		if (i == 0)
			*ret_last = troupe_strong_clone(actor);
		troupe_strong_release(&argument.next);
		argument.next = actor;
	}
	*ret_first = argument.next;
	return 0;
}

static int ring_start(struct troupe_strong first, struct troupe_strong last,
		      uint64_t hops)
{
	/* The handle travels inside the message: once it has been sent, it
	 * is the receiver's. */
	struct troupe_strong gift = troupe_strong_clone(first);
	int code = troupe_send(last, RING_CLOSE, &gift, sizeof(gift));

	if (code != 0) {
		troupe_strong_release(&gift);
		return code;
	}
	code = troupe_send(first, RING_TOKEN, &hops, sizeof(hops));
	if (code != 0) {
		/* Without a token the ring would wait for ever. */
		struct ring_end end = {.left = RING_ACTORS};

		troupe_send(first, RING_END, &end, sizeof(end));
	}
	return code;
}

static int ring_run(struct workload_trial *trial)
{
	uint64_t hops = workload_size(trial, 1000000, RING_ACTORS);
	struct troupe_strong first = {NULL}, last = {NULL};
	struct ring_result result = {0, 0};
	int code;

	code = ring_spawn(trial->system, &result, &first, &last);
	if (code == 0)
		code = ring_start(first, last, hops);
	troupe_strong_release(&first);
	troupe_strong_release(&last);
	troupe_system_await(trial->system);

	if (code != 0)
		return workload_failed(trial, "make the ring", code);
	trial->operations = hops;
	code = workload_verify(trial, "hops", result.hops, hops);
	if (code == 0)
		code = workload_verify(trial, "actors ended", result.ended,
				       RING_ACTORS);
	return code;
}

const struct workload workload_ring = {
	.name = "ring",
	.unit = "hop",
	.flags = WORKLOAD_USUAL,
	.summary = "a token goes round 503 actors, 1M hops",
	.run = ring_run,
};
