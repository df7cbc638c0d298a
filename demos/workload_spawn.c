/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors that live for one message: a storm of them from one parent, and a
 * tree in which each parent adds up the replies of its ten children.
 *
 * The parent of the storm would fill the memory if its children did not keep
 * up, so it spawns in waves: the last child of a wave lets it spawn another.
 * No more than WAVES * WAVE children wait at any time, but for those that a
 * policy leaves behind while it runs the last of their wave.
 */
#include "workloads.h"

#include <errno.h>

#define WAVE	   256
#define WAVES	   4

#define TREE_WIDTH 10

enum {
	SPAWN_START = 1,
	SPAWN_ONLY, /* the one message of a child */
	SPAWN_LAST, /* the same, of the last child of a wave */
	SPAWN_WAVE, /* that child's answer */
	TREE_START, /* struct tree_part */
	TREE_SUM,   /* struct tree_sum */
};

/* ---- spawn ------------------------------------------------------------- */

struct spawn_storm {
	uint64_t children;
	struct workload_tally *ended;
};

struct spawn_parent {
	struct spawn_storm *storm;
	uint64_t spawned;
};

static int spawn_child_init(struct troupe_actor *self, void *state,
			    const void *argument)
{
	(void)self;
	*(struct workload_tally **)state = (struct workload_tally *)argument;
	return 0;
}

static int spawn_child_receive(struct troupe_actor *self, void *state,
			       const struct troupe_message *message)
{
	workload_tally_add(*(struct workload_tally **)state);
	troupe_quit(self, TROUPE_EXIT_NORMAL);
	if (message->tag == SPAWN_LAST)
		return troupe_reply(self, message, SPAWN_WAVE, NULL, 0);
	return 0;
}

static const struct troupe_actor_class spawn_child_class = {
	.name = "child",
	.state_size = sizeof(struct workload_tally *),
	.init = spawn_child_init,
	.receive = spawn_child_receive,
};

static int spawn_parent_init(struct troupe_actor *self, void *state,
			     const void *argument)
{
	struct spawn_parent *parent = state;

	(void)self;
	parent->storm = (struct spawn_storm *)argument;
	return 0;
}

static int spawn_parent_wave(struct troupe_actor *self,
			     struct spawn_parent *parent)
{
	struct spawn_storm *storm = parent->storm;
	struct troupe_strong child;
	int code = 0;

	for (uint32_t i = 1; code == 0 && i <= WAVE; i++) {
		if (parent->spawned == storm->children)
			return 0;
		code = troupe_spawn(troupe_self_system(self),
				    &spawn_child_class, storm->ended, &child);
		if (code != 0)
			return code;
		parent->spawned++;
		code = troupe_send(child, i < WAVE ? SPAWN_ONLY : SPAWN_LAST,
				   NULL, 0);
		troupe_strong_release(&child);
	}
	return code;
}

/* Nobody needs to tell the parent to end: it does, when the last message of
 * the last child that could answer is gone. */
static int spawn_parent_receive(struct troupe_actor *self, void *state,
				const struct troupe_message *message)
{
	uint32_t waves = message->tag == SPAWN_START ? WAVES : 1;
	int code = 0;

	for (uint32_t i = 0; code == 0 && i < waves; i++)
		code = spawn_parent_wave(self, state);
	return code;
}

static const struct troupe_actor_class spawn_parent_class = {
	.name = "parent",
	.state_size = sizeof(struct spawn_parent),
	.init = spawn_parent_init,
	.receive = spawn_parent_receive,
};

static int spawn_start(struct troupe_system *system,
		       const struct troupe_actor_class *actor_class,
		       const void *argument, uint32_t tag, const void *data,
		       size_t size)
{
	struct troupe_strong actor;
	int code = troupe_spawn(system, actor_class, argument, &actor);

	if (code != 0)
		return code;
	code = troupe_send(actor, tag, data, size);
	troupe_strong_release(&actor);
	return code;
}

static int spawn_run(struct workload_trial *trial)
{
	struct spawn_storm storm = {
		.children = workload_size(trial, 300000, 1),
		.ended = workload_tally_create(trial->system),
	};
	int code;

	if (storm.ended == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	code = spawn_start(trial->system, &spawn_parent_class, &storm,
			   SPAWN_START, NULL, 0);
	troupe_system_await(trial->system);

	trial->operations = storm.children;
	if (code != 0)
		code = workload_failed(trial, "start the parent", code);
	else
		code = workload_verify(trial, "actors ended",
				       workload_tally_sum(storm.ended),
				       storm.children);
	workload_tally_destroy(storm.ended);
	return code;
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

		code = spawn_start(troupe_self_system(self), &tree_class, NULL,
				   TREE_START, &child, sizeof(child));
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
		node->parent = troupe_strong_clone(message->sender);
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
	code = spawn_start(trial->system, &tree_class, &sum, TREE_START, &all,
			   sizeof(all));
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
