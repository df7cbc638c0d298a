/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of workloads, and what they have in common: sizes, verdicts and a
 * count that is shared by all workers.
 */
#include "workloads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TALLY_LINE 64

/* One worker's share, on a cache line of its own. Legend: A atomic. */
struct workload_share {
	_Alignas(TALLY_LINE) _Atomic uint64_t count; /* A: its worker adds */
};

struct workload_tally {
	uint32_t worker_count;
	struct workload_share *shares;
};

static const struct workload *const workload_table[] = {
	&workload_ping_pong,	&workload_ring,
	&workload_fan_in,	&workload_spawn,
	&workload_tree,		&workload_uneven,
	&workload_wordfreq,	&workload_ping_pong_32,
	&workload_request,	&workload_counting,
	&workload_fan_in_held,	&workload_big,
	&workload_chameneos,	&workload_fib,
	&workload_nqueens,	&workload_jobs_inside,
	&workload_jobs_outside, &workload_fan_in_unbounded,
};

const struct workload *workload_at(size_t index)
{
	if (index >= sizeof(workload_table) / sizeof(workload_table[0]))
		return NULL;
	return workload_table[index];
}

const struct workload *workload_find(const char *name)
{
	const struct workload *workload;

	for (size_t i = 0; (workload = workload_at(i)) != NULL; i++)
		if (strcmp(workload->name, name) == 0)
			return workload;
	return NULL;
}

uint64_t workload_size(const struct workload_trial *trial, uint64_t base,
		       uint64_t minimum)
{
	double size = (double)base * trial->scale;

	return size > (double)minimum ? (uint64_t)size : minimum;
}

int workload_failed(struct workload_trial *trial, const char *step, int code)
{
	snprintf(trial->problem, sizeof(trial->problem), "%s: %s", step,
		 strerror(-code));
	return code;
}

int workload_verify(struct workload_trial *trial, const char *what,
		    uint64_t got, uint64_t expected)
{
	if (got == expected)
		return 0;
	snprintf(trial->problem, sizeof(trial->problem),
		 "wrong result: %" PRIu64 " %s, not %" PRIu64, got, what,
		 expected);
	return -EBADMSG;
}

struct workload_tally *workload_tally_create(struct troupe_system *system)
{
	uint32_t count = troupe_system_worker_count(system);
	struct workload_tally *tally = malloc(sizeof(*tally));

	if (tally == NULL)
		return NULL;
	tally->worker_count = count;
	tally->shares = aligned_alloc(TALLY_LINE,
				      count * sizeof(struct workload_share));
	if (tally->shares == NULL) {
		free(tally);
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++)
		atomic_init(&tally->shares[i].count, 0);
	return tally;
}

void workload_tally_add(struct workload_tally *tally)
{
	_Atomic uint64_t *count = &tally->shares[troupe_current_worker()].count;

	/* relaxed: only this worker writes, and readers want the number
	 * alone. Nothing else is published by it. */
	atomic_store_explicit(
		count, atomic_load_explicit(count, memory_order_relaxed) + 1,
		memory_order_relaxed);
}

uint64_t workload_tally_sum(const struct workload_tally *tally)
{
	uint64_t sum = 0;

	/* relaxed: see workload_tally_add(). */
	for (uint32_t i = 0; i < tally->worker_count; i++)
		sum += atomic_load_explicit(&tally->shares[i].count,
					    memory_order_relaxed);
	return sum;
}

void workload_tally_destroy(struct workload_tally *tally)
{
	if (tally == NULL)
		return;
	free(tally->shares);
	free(tally);
}
