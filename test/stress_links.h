/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * stress_links.h - a node: an actor that monitors and links as it is told, and
 * keeps account of what it hears
 *
 * Nodes lie in one array. Its owner, in its callbacks, alone writes what is
 * not atomic; others read it when a counter says that it is over.
 */
#ifndef STRESS_LINKS_H
#define STRESS_LINKS_H

#include "stress.h"

#include <errno.h>

/* What a node is told to do with another; an order. */
enum {
	NODE_MONITOR = 1,
	NODE_DEMONITOR, /* the latest of the other that is left */
	NODE_LINK,
	NODE_UNLINK,
	NODE_EXIT,
	NODE_PING, /* nothing */
};

struct order {
	uint32_t other;
	int32_t reason; /* of NODE_EXIT */
};

/* One monitor. */
struct watch {
	uint64_t number;
	uint32_t other;
	bool undone; /* by troupe_demonitor() */
	bool down;   /* TROUPE_TAG_DOWN came */
};

struct node {
	struct troupe_strong actor;
	uint64_t id;
	bool traps;
	struct watch *watches;
	uint32_t *heard; /* whose TROUPE_TAG_EXIT came */
	uint32_t watch_count, heard_count;
	uint32_t watch_room, heard_room;
	uint64_t told; /* orders; main's */
	_Atomic uint64_t handled;
	_Atomic uint32_t exits;
	int reason; /* set before exits */
};

static struct node *nodes;
static uint32_t node_count;
static _Atomic uint64_t downs_heard, exits_heard;

/* Makes room for one more of @size. */
static inline void *node_room(void *list, uint32_t count, uint32_t *room,
			      size_t size)
{
	if (count < *room)
		return list;
	*room = *room == 0 ? 8 : *room * 2;
	list = realloc(list, *room * size);
	stress_check(list != NULL, "out of memory");
	return list;
}

static inline uint32_t node_index(uint64_t id)
{
	uint64_t index = id - nodes[0].id;

	stress_check(index < node_count && nodes[index].id == id,
		     "news of an unknown actor");
	return (uint32_t)index;
}

/* ---- what it hears ----------------------------------------------------- */

static inline void node_down(struct node *node,
			     const struct troupe_ended *ended)
{
	uint32_t other = node_index(ended->actor);

	for (uint32_t i = 0; i < node->watch_count; i++) {
		struct watch *watch = &node->watches[i];

		if (watch->number != ended->monitor)
			continue;
		stress_check(watch->other == other, "down of another actor");
		stress_check(!watch->undone, "down after demonitor");
		stress_check(!watch->down, "down twice");
		/* -ESRCH: it was closed when the monitor came to it, and its
		 * on_exit may not be over yet. */
		if (ended->reason != -ESRCH) {
			stress_check(nodes[other].exits == 1,
				     "down of a living one");
			stress_check(ended->reason == nodes[other].reason,
				     "down with the reason %d, it was %d",
				     ended->reason, nodes[other].reason);
		}
		watch->down = true;
		atomic_fetch_add(&downs_heard, 1);
		return;
	}
	stress_fail("down of an unknown monitor");
}

static inline void node_exited(struct node *node,
			       const struct troupe_ended *ended)
{
	stress_check(node->traps, "a message for one that does not trap");
	stress_check(ended->monitor == 0, "an exit with a monitor");
	atomic_fetch_add(&exits_heard, 1);
	if (ended->actor == 0)
		return;
	node->heard = node_room(node->heard, node->heard_count,
				&node->heard_room, sizeof(*node->heard));
	node->heard[node->heard_count++] = node_index(ended->actor);
}

/* ---- what it does ------------------------------------------------------ */

static inline void node_monitor(struct troupe_actor *self, struct node *node,
				uint32_t other)
{
	struct watch watch = {.other = other};

	node->watches = node_room(node->watches, node->watch_count,
				  &node->watch_room, sizeof(*node->watches));
	stress_check(troupe_monitor(self, nodes[other].actor, &watch.number) ==
			     0,
		     "monitor");
	node->watches[node->watch_count++] = watch;
}

static inline void node_demonitor(struct troupe_actor *self, struct node *node,
				  uint32_t other)
{
	for (uint32_t i = node->watch_count; i-- > 0;) {
		struct watch *watch = &node->watches[i];
		int result;

		if (watch->other != other || watch->undone)
			continue;
		result = troupe_demonitor(self, watch->number);
		stress_check(result == (watch->down ? -ENOENT : 0),
			     "demonitor: %d", result);
		watch->undone = result == 0;
		return;
	}
}

static inline int node_receive(struct troupe_actor *self, void *state,
			       const struct troupe_message *message)
{
	struct node *node = *(struct node **)state;
	const void *payload = troupe_payload(message);
	const struct order *order = payload;
	int result = 0;

	switch (message->tag) {
	case TROUPE_TAG_DOWN:
		node_down(node, payload);
		return 0;
	case TROUPE_TAG_EXIT:
		node_exited(node, payload);
		return 0;
	case NODE_MONITOR:
		node_monitor(self, node, order->other);
		break;
	case NODE_DEMONITOR:
		node_demonitor(self, node, order->other);
		break;
	case NODE_LINK:
		result = troupe_link(self, nodes[order->other].actor);
		break;
	case NODE_UNLINK:
		result = troupe_unlink(self, nodes[order->other].actor);
		break;
	case NODE_EXIT:
		result = troupe_send_exit(nodes[order->other].actor,
					  order->reason);
		break;
	}
	stress_check(result == 0 || result == -ENOENT || result == -ESRCH,
		     "an order failed: %d", result);
	atomic_fetch_add(&node->handled, 1);
	return 0;
}

static inline int node_init(struct troupe_actor *self, void *state,
			    const void *argument)
{
	struct node *node = (struct node *)(uintptr_t)argument;

	*(struct node **)state = node;
	troupe_trap_exit(self, node->traps);
	return 0;
}

static inline void node_exit(struct troupe_actor *self, void *state, int reason)
{
	struct node *node = *(struct node **)state;

	(void)self;
	node->reason = reason;
	stress_check(atomic_fetch_add(&node->exits, 1) == 0, "two ends");
	stress_progress();
}

static const struct troupe_actor_class node_class = {
	.name = "node",
	.state_size = sizeof(struct node *),
	.init = node_init,
	.receive = node_receive,
	.on_exit = node_exit,
};

/* ---- from outside ------------------------------------------------------ */

/** Tells @of; it may have ended. */
static inline void node_tell(uint32_t of, uint32_t what, uint32_t other,
			     int reason)
{
	const struct order order = {other, reason};
	int result = troupe_send(nodes[of].actor, what, &order, sizeof(order));

	stress_check(result == 0 || result == -ESRCH, "send: %d", result);
	nodes[of].told++;
}

static inline bool node_ended(uint32_t index)
{
	return atomic_load(&nodes[index].exits) != 0;
}

/** Waits until each node has handled all that it was told, or ended. */
static inline void nodes_settle(void)
{
	for (uint32_t i = 0; i < node_count; i++)
		while (!node_ended(i) &&
		       atomic_load(&nodes[i].handled) < nodes[i].told)
			sched_yield();
	stress_progress();
}

/* A few have a thread of their own, as long as there are some. */
static inline void node_spawn(struct troupe_system *system, struct node *node)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	int result = -EAGAIN;

	options.flags = TROUPE_SPAWN_DETACHED;
	if (stress_once_in(30))
		result = troupe_spawn_with(system, &node_class, node, &options,
					   &node->actor);
	if (result == -EAGAIN)
		result = troupe_spawn(system, &node_class, node, &node->actor);
	stress_check(result == 0, "spawn: %d", result);
}

static inline void nodes_spawn(struct troupe_system *system, uint32_t count)
{
	node_count = count;
	nodes = calloc(count, sizeof(*nodes));
	stress_check(nodes != NULL, "out of memory");
	for (uint32_t i = 0; i < count; i++) {
		nodes[i].traps = stress_once_in(2);
		node_spawn(system, &nodes[i]);
		nodes[i].id = troupe_strong_id(nodes[i].actor);
	}
}

static inline void nodes_free(void)
{
	for (uint32_t i = 0; i < node_count; i++) {
		free(nodes[i].watches);
		free(nodes[i].heard);
	}
	free(nodes);
	nodes = NULL;
}

#endif
