/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fork and join with bare jobs: fib and nqueens, one job for each call.
 *
 * A job cannot wait for its children. It leaves a node behind that counts
 * them, and the child that finishes last carries the sum on to the node's own
 * parent. So no worker ever blocks, and the last of all finds the root.
 */
#include "workloads.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

struct join_run {
	struct troupe_system *system;
	troupe_job_fn job;
	uint64_t result;  /* written by the last job */
	_Atomic int code; /* A: of any job that could not fork */
};

/* One call. Legend: I set at init, A atomic. */
struct join_node {
	struct join_run *run;	   /* I */
	struct join_node *parent;  /* I: NULL for the root */
	uint64_t call[2];	   /* I: the call's own arguments */
	_Atomic uint64_t sum;	   /* A: of the children so far */
	_Atomic uint32_t children; /* A: that have not finished */
};

static struct join_node *join_node_create(struct join_run *run,
					  struct join_node *parent,
					  uint64_t first, uint64_t second)
{
	struct join_node *node = malloc(sizeof(*node));

	if (node == NULL)
		return NULL;
	node->run = run;
	node->parent = parent;
	node->call[0] = first;
	node->call[1] = second;
	atomic_init(&node->sum, 0);
	atomic_init(&node->children, 0);
	return node;
}

/* One child of @node has come to @value. */
static void join_finish_child(struct join_node *node, uint64_t value)
{
	struct join_run *run;

	for (;;) {
		/* relaxed: the count below publishes it. */
		atomic_fetch_add_explicit(&node->sum, value,
					  memory_order_relaxed);
		/* release: whoever finishes last must see the sum above.
		 * acquire: the last one reads the sums of all the others.
		 * Pairs with: itself, in the other children. */
		if (atomic_fetch_sub_explicit(&node->children, 1,
					      memory_order_acq_rel) != 1)
			return;
		/* relaxed: ordered by the count above. */
		value = atomic_load_explicit(&node->sum, memory_order_relaxed);

		struct join_node *parent = node->parent;

		run = node->run;
		free(node);
		if (parent == NULL) {
			run->result = value;
			return;
		}
		node = parent;
	}
}

/* @node is a leaf: it has come to @value without children. */
static void join_finish(struct join_node *node, uint64_t value)
{
	struct join_run *run = node->run;
	struct join_node *parent = node->parent;

	free(node);
	if (parent == NULL)
		run->result = value;
	else
		join_finish_child(parent, value);
}

/* Before the first fork: so many children will be forked. */
static void join_expect(struct join_node *node, uint32_t children)
{
	/* relaxed: the children see it by way of the scheduler. */
	atomic_store_explicit(&node->children, children, memory_order_relaxed);
}

/* A child that cannot be forked counts as finished, so that all is freed. */
static void join_fork(struct join_node *node, uint64_t first, uint64_t second)
{
	struct join_run *run = node->run;
	struct join_node *child = join_node_create(run, node, first, second);
	int code = -ENOMEM;

	if (child != NULL) {
		code = troupe_schedule(run->system, run->job, child);
		if (code == 0)
			return;
		free(child);
	}
	/* relaxed: read when the system is idle. */
	atomic_store_explicit(&run->code, code, memory_order_relaxed);
	join_finish_child(node, 0);
}

static int join_measure(struct workload_trial *trial, troupe_job_fn job,
			uint64_t first, uint64_t second, uint64_t expected)
{
	struct join_run run = {.system = trial->system, .job = job};
	struct join_node *root = join_node_create(&run, NULL, first, second);
	int code;

	if (root == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	code = troupe_schedule(trial->system, job, root);
	if (code != 0)
		free(root);
	troupe_system_await(trial->system);

	/* relaxed: every job has ended, as troupe_system_await() says. */
	if (code == 0)
		code = atomic_load_explicit(&run.code, memory_order_relaxed);
	if (code != 0)
		return workload_failed(trial, "fork", code);
	return workload_verify(trial, "as the result", run.result, expected);
}

/* ---- fib --------------------------------------------------------------- */

static int fib_job(void *data)
{
	struct join_node *node = data;
	uint64_t n = node->call[0];

	if (n < 2) {
		join_finish(node, n);
		return TROUPE_JOB_DONE;
	}
	join_expect(node, 2);
	join_fork(node, n - 1, 0);
	join_fork(node, n - 2, 0);
	return TROUPE_JOB_DONE;
}

/* The largest n whose calls do not exceed the scaled ones of fib(25). */
static int fib_run(struct workload_trial *trial)
{
	uint64_t limit = workload_size(trial, 242785, 1);
	uint64_t fib = 0, next = 1, n = 0;

	/* fib(n) makes 2 * fib(n + 1) - 1 calls. */
	while (2 * (fib + next) - 1 <= limit) {
		next += fib;
		fib = next - fib;
		n++;
	}
	trial->operations = 2 * next - 1;
	return join_measure(trial, fib_job, n, 0, fib);
}

/* ---- nqueens ----------------------------------------------------------- */

/* Solutions of each board, and jobs: placements that attack nobody. */
static const struct {
	uint64_t solutions;
	uint64_t jobs;
} nqueens_boards[] = {
	{1, 1},	      {1, 2},	      {0, 3},	       {0, 6},	   {2, 17},
	{10, 54},     {4, 153},	      {40, 552},       {92, 2057}, {352, 8394},
	{724, 35539}, {2680, 166926}, {14200, 856189},
};

#define NQUEENS_BOARDS (sizeof(nqueens_boards) / sizeof(nqueens_boards[0]))

/* call[0]: columns taken, and the board's size above; call[1]: the two
 * diagonals. One bit a column in each. */
static int nqueens_job(void *data)
{
	struct join_node *node = data;
	uint32_t size = (uint32_t)(node->call[0] >> 32);
	uint32_t columns = (uint32_t)node->call[0];
	uint32_t left = (uint32_t)(node->call[1] >> 32);
	uint32_t right = (uint32_t)node->call[1];
	uint32_t all = (1u << size) - 1;
	uint32_t free_columns = all & ~(columns | left | right);

	if (columns == all || free_columns == 0) {
		join_finish(node, columns == all ? 1 : 0);
		return TROUPE_JOB_DONE;
	}
	join_expect(node, (uint32_t)__builtin_popcount(free_columns));
	while (free_columns != 0) {
		uint32_t column = free_columns & -free_columns;
		uint32_t next_left = ((left | column) << 1) & all;

		free_columns ^= column;
		/* join_expect() counted all of them: @node is still there.
		 * NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
		join_fork(node, (uint64_t)size << 32 | columns | column,
			  (uint64_t)next_left << 32 | (right | column) >> 1);
	}
	return TROUPE_JOB_DONE;
}

/* The largest board whose jobs do not exceed the scaled ones of 11 queens. */
static int nqueens_run(struct workload_trial *trial)
{
	uint64_t limit = workload_size(trial, nqueens_boards[11].jobs, 1);
	uint64_t size = NQUEENS_BOARDS - 1;

	while (size > 1 && nqueens_boards[size].jobs > limit)
		size--;
	trial->operations = nqueens_boards[size].jobs;
	return join_measure(trial, nqueens_job, size << 32, 0,
			    nqueens_boards[size].solutions);
}

const struct workload workload_fib = {
	.name = "fib",
	.unit = "job",
	.summary = "fib(25) by fork and join, one job for each of 243k calls",
	.run = fib_run,
};

const struct workload workload_nqueens = {
	.name = "nqueens",
	.unit = "job",
	.summary =
		"11 queens by fork and join, one job for each of 167k boards",
	.run = nqueens_run,
};
