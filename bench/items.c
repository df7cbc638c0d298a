/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of items, and what their measurements have in common.
 */
#include "bench.h"
#include "workloads.h"

#include <string.h>

/* A workload whose one result has the item's name.
 * NOLINTBEGIN(bugprone-macro-parentheses): this is an initialiser */
#define ITEM(item_name, operation, factor, text)                       \
	{                                                              \
		.name = item_name, .per = operation, .summary = text,  \
		.results = {{item_name, "ns"}}, .workload = item_name, \
		.size = factor, .measure = bench_workload              \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct bench_item items[] = {
	ITEM("ping-pong", "message", 1, "one pair, 1M messages"),
	ITEM("ping-pong-32", "message", 1, "32 pairs, 32k messages each"),
	ITEM("request", "request", 1, "500k, with a handler for the answer"),
	ITEM("ring", "hop", 1, "a token round 503 actors, 1M hops"),
	ITEM("counting", "message", 1, "one to one, 2M, with credits"),
	ITEM("fan-in", "message", 1, "16 to one, 100k each, with credits"),
	ITEM("fan-in-held", "message", 1, "the same, a mailbox of 8192"),
	ITEM("fan-in-unbounded", "message", 1, "the same, without a bound"),
	ITEM("spawn", "actor", 1, "300k actors: one message, and end"),
	ITEM("tree", "actor", 1, "a million leaves, ten children each"),
	ITEM("big", "ping", 1, "128 actors ping random others, 5000 each"),
	ITEM("chameneos", "meeting", 1, "100 creatures, 300k meetings"),
	/* fib(30) makes 2692537 calls, fib(25), its scale of 1, 242785. */
	ITEM("fib", "call", 11.1, "fib(30), a job for each call"),
	ITEM("nqueens", "call", 1, "11 queens, a job for each placement"),
	ITEM("jobs-inside", "job", 5, "10M empty jobs, scheduled by a job"),
	ITEM("jobs-outside", "job", 20, "10M empty jobs, by main"),
	{
		.name = "registry",
		.per = "read",
		.summary = "2M gets of 1024 names, by main",
		.results = {{"registry", "ns"}},
		.measure = bench_registry,
	},
	{
		.name = "create",
		.per = "system",
		.summary = "create and destroy, 200 times",
		.results = {{"create", "ns"}},
		.measure = bench_create,
	},
	{
		.name = "memory",
		.per = "actor",
		.summary = "resident, of a million idle actors",
		.results = {{"memory", "bytes"}},
		.measure = bench_memory,
	},
	{
		.name = "idle",
		.per = "5 s",
		.summary = "processor time of an idle system",
		.results = {{"idle", "ms"}},
		.measure = bench_idle,
	},
	{
		.name = "wake",
		.per = "message",
		.summary = "until an idle system handles it; and a bare futex",
		.results = {{"wake-p50", "ns"},
			    {"wake-p99", "ns"},
			    {"futex-p50", "ns"},
			    {"futex-p99", "ns"}},
		.measure = bench_wake,
	},
};

const struct bench_item *bench_item_at(size_t index)
{
	return index < sizeof(items) / sizeof(items[0]) ? &items[index] : NULL;
}

const struct bench_item *bench_item_find(const char *name)
{
	const struct bench_item *item;

	for (size_t i = 0; (item = bench_item_at(i)) != NULL; i++)
		if (strcmp(item->name, name) == 0)
			return item;
	return NULL;
}

int bench_failed(struct bench_trial *trial, const char *step, int code)
{
	snprintf(trial->problem, sizeof(trial->problem), "%s: %s", step,
		 strerror(-code));
	return code;
}

int bench_system(struct bench_trial *trial, struct troupe_system **ret_system)
{
	struct troupe_error error;
	int code = troupe_system_create(&trial->config, &error, ret_system);

	if (code != 0)
		snprintf(trial->problem, sizeof(trial->problem), "%.230s",
			 error.text);
	return code;
}

uint64_t bench_size(const struct bench_trial *trial, uint64_t base,
		    uint64_t minimum)
{
	double size = (double)base * trial->scale;

	return size > (double)minimum ? (uint64_t)size : minimum;
}

/* ---- the programs of demos --------------------------------------------- */

/* Memory and caches are warmed by this share of a run. */
#define WORKLOAD_WARM_UP 0.05

int bench_workload(const struct bench_item *item, struct bench_trial *trial)
{
	const struct workload *workload = workload_find(item->workload);
	struct workload_trial run = {.scale = trial->scale * item->size};
	double start;
	int code = bench_system(trial, &run.system);

	if (code != 0)
		return code;
	if (trial->warm) {
		run.scale *= WORKLOAD_WARM_UP;
		code = workload->run(&run);
		run.scale = trial->scale * item->size;
	}
	if (code == 0) {
		start = bench_now();
		code = workload->run(&run);
		trial->results[0] =
			(bench_now() - start) / (double)run.operations;
	}
	if (code != 0)
		snprintf(trial->problem, sizeof(trial->problem), "%s",
			 run.problem);
	troupe_system_destroy(run.system);
	return code;
}
