/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors that live for one message: a storm of them from one parent, and a
 * tree in which each parent adds up the replies of its ten children.
 *
 * The parent of the storm would fill the memory if its children did not keep
 * up, so it spawns in waves: the child that ends last of its wave lets the
 * parent spawn another. No more than WAVES * WAVE children exist at any time,
 * in whatever order a policy runs them.
 */
#include "workloads.h"

#include <stdatomic.h>

#define WAVE	   256
#define WAVES	   4

#define TREE_WIDTH 10

enum {
	SPAWN_START = 1,
	SPAWN_ONLY, /* the one message of a child */
	SPAWN_WAVE, /* its answer, from the last of a wave: uint32_t, which */
	TREE_START, /* struct tree_part */
	TREE_SUM,   /* struct tree_sum */
};

/* ---- spawn ------------------------------------------------------------- */

/* Legend: A atomic, P the parent's. */
struct spawn_wave {
	_Atomic uint32_t left; /* A: children that have not ended */
	uint32_t size;	       /* P: children in all */
	uint32_t index;	       /* P: of this wave */
};

struct spawn_storm {
	uint64_t children; /* to spawn */
	uint64_t spawned;  /* P */
	uint64_t ended;	   /* P */
	struct spawn_wave waves[WAVES];
};

static int spawn_child_init(struct troupe_actor *self, void *state,
			    const void *argument)
{
	(void)self;
	*(struct spawn_wave **)state = (struct spawn_wave *)argument;
	return 0;
}

static int spawn_child_receive(struct troupe_actor *self, void *state,
			       const struct troupe_message *message)
{
	struct spawn_wave *wave = *(struct spawn_wave **)state;

	troupe_quit(self, TROUPE_EXIT_NORMAL);
	/* relaxed: only the number counts; the message carries the rest. */
	if (atomic_fetch_sub_explicit(&wave->left, 1, memory_order_relaxed) !=
	    1)
		return 0;
	return troupe_reply(self, message, SPAWN_WAVE, &wave->index,
			    sizeof(wave->index));
}

static const struct troupe_actor_class spawn_child_class = {
	.name = "child",
	.state_size = sizeof(struct spawn_wave *),
	.init = spawn_child_init,
	.receive = spawn_child_receive,
};

static int spawn_parent_init(struct troupe_actor *self, void *state,
			     const void *argument)
{
	(void)self;
	*(struct spawn_storm **)state = (struct spawn_storm *)argument;
	return 0;
}

static int spawn_parent_wave(struct troupe_actor *self,
			     struct spawn_storm *storm, uint32_t index)
{
	uint64_t more = storm->children - storm->spawned;
	struct spawn_wave *wave = &storm->waves[index];
	int code = 0;

	wave->index = index;
	wave->size = more < WAVE ? (uint32_t)more : WAVE;
	/* relaxed: the children see it by way of their messages. */
	atomic_store_explicit(&wave->left, wave->size, memory_order_relaxed);
	for (uint32_t i = 0; code == 0 && i < wave->size; i++) {
		code = troupe_spawn_send(troupe_self_system(self),
					 &spawn_child_class, wave, SPAWN_ONLY,
					 NULL, 0);
		storm->spawned++;
	}
	return code;
}

/* Nobody needs to tell the parent to end: it does, when the message of the
 * last child is gone, which held the last handle to it. */
static int spawn_parent_receive(struct troupe_actor *self, void *state,
				const struct troupe_message *message)
{
	struct spawn_storm *storm = *(struct spawn_storm **)state;
	int code = 0;

	if (message->tag == SPAWN_WAVE) {
		uint32_t index = *(const uint32_t *)troupe_payload(message);

		storm->ended += storm->waves[index].size;
		return spawn_parent_wave(self, storm, index);
	}
	for (uint32_t i = 0; code == 0 && i < WAVES; i++)
		code = spawn_parent_wave(self, storm, i);
	return code;
}

static const struct troupe_actor_class spawn_parent_class = {
	.name = "parent",
	.state_size = sizeof(struct spawn_storm *),
	.init = spawn_parent_init,
	.receive = spawn_parent_receive,
};

static int spawn_run(struct workload_trial *trial)
{
	struct spawn_storm storm = {
		.children = workload_size(trial, 300000, 1),
	};
	int code;

	code = troupe_spawn_send(trial->system, &spawn_parent_class, &storm,
				 SPAWN_START, NULL, 0);
	troupe_system_await(trial->system);

	if (code != 0)
		return workload_failed(trial, "start the parent", code);
	trial->operations = storm.children;
	return workload_verify(trial, "actors ended", storm.ended,
			       storm.children);
}

/* ---- tree -------------------------------------------------------------- */

/* The leaves first, first + 1 ... first + count - 1. */
struct tree_part {
	uint64_t first;
	uint64_t count;
};

struct tree_sum {
	uint64_t leaves; /* the sum of their numbers */
	uint64_t actors;
};

struct tree_node {
	struct tree_sum *result; /* of the root, else NULL */
	struct troupe_strong parent;
	struct tree_sum sum;
	uint32_t waiting; /* for so many children */
};

static int tree_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct tree_node *node = state;

	(void)self;
	node->result = (struct tree_sum *)argument;
	return 0;
}

static int tree_finish(struct troupe_actor *self, struct tree_node *node)
{
	troupe_quit(self, TROUPE_EXIT_NORMAL);
	if (node->result == NULL)
		return troupe_send(node->parent, TREE_SUM, &node->sum,
				   sizeof(node->sum));
	*node->result = node->sum;
	return 0;
}

static int tree_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message);

static void tree_destroy(void *state)
{
	struct tree_node *node = state;

	troupe_strong_release(&node->parent);
}

static const struct troupe_actor_class tree_class = {
	.name = "tree",
	.state_size = sizeof(struct tree_node),
	.init = tree_init,
	.receive = tree_receive,
	.destroy = tree_destroy,
};

/* A part of one leaf is that leaf; any other is cut into up to ten. */
static int tree_split(struct troupe_actor *self, struct tree_node *node,
		      const struct tree_part *part)
{
	uint64_t width = part->count < TREE_WIDTH ? part->count : TREE_WIDTH;
	int code = 0;

	node->sum.actors = 1;
	if (part->count == 1) {
		node->sum.leaves = part->first;
		return tree_finish(self, node);
	}
	for (uint64_t i = 0; code == 0 && i < width; i++) {
		uint64_t begin = part->count * i / width;
		uint64_t end = part->count * (i + 1) / width;
		struct tree_part child = {part->first + begin, end - begin};

		code = troupe_spawn_send(troupe_self_system(self), &tree_class,
					 NULL, TREE_START, &child,
					 sizeof(child));
		node->waiting++;
	}
	return code;
}

static int tree_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct tree_node *node = state;
	const struct tree_sum *sum;

	if (message->tag == TREE_START) {
		node->parent = troupe_take_sender(message);
		return tree_split(self, node, troupe_payload(message));
	}
	sum = troupe_payload(message);
	node->sum.leaves += sum->leaves;
	node->sum.actors += sum->actors;
	return --node->waiting > 0 ? 0 : tree_finish(self, node);
}

/* The number of actors, counted as tree_split() cuts. */
static uint64_t tree_actors(uint64_t count)
{
	uint64_t width = count < TREE_WIDTH ? count : TREE_WIDTH;
	uint64_t actors = 1;
	uint64_t longer;

	if (count <= 1)
		return 1;
	longer = count % width;
	actors += (width - longer) * tree_actors(count / width);
	if (longer > 0)
		actors += longer * tree_actors(count / width + 1);
	return actors;
}

static int tree_run(struct workload_trial *trial)
{
	struct tree_part all = {0, workload_size(trial, 1000000, 2)};
	struct tree_sum sum = {0, 0};
	int code;

	trial->operations = tree_actors(all.count);
	code = troupe_spawn_send(trial->system, &tree_class, &sum, TREE_START,
				 &all, sizeof(all));
	troupe_system_await(trial->system);

	if (code != 0)
		return workload_failed(trial, "plant the tree", code);
	code = workload_verify(trial, "actors", sum.actors, trial->operations);
	if (code == 0)
		code = workload_verify(trial, "as the sum of the leaves",
				       sum.leaves,
				       all.count * (all.count - 1) / 2);
	return code;
}

const struct workload workload_spawn = {
	.name = "spawn",
	.unit = "actor",
	.flags = WORKLOAD_USUAL,
	.summary = "one actor spawns 300k others: one message each, and end",
	.run = spawn_run,
};

const struct workload workload_tree = {
	.name = "tree",
	.unit = "actor",
	.flags = WORKLOAD_USUAL | WORKLOAD_WHOLE,
	.summary = "ten children each down to 1M leaves, parents sum replies",
	.run = tree_run,
};
