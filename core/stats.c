/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statistics: each worker counts for itself, everybody else on the system;
 * a reader adds them up.
 */
#include "pool.h"
#include "process.h"

#include <string.h>

void troupe__system_count(struct troupe_system *system,
			  enum worker_counter counter, uint64_t amount)
{
	struct worker *worker = troupe__here.worker;

	if (worker != NULL && worker->system == system)
		worker_count(worker, counter, amount);
	else
		/* relaxed: readers want a number, no order. */
		atomic_fetch_add_explicit(&system->outside[counter], amount,
					  memory_order_relaxed);
}

static uint64_t stats_sum(const struct troupe_system *system, int counter)
{
	/* relaxed, both: as above. */
	uint64_t sum = atomic_load_explicit(&system->outside[counter],
					    memory_order_relaxed);

	for (uint32_t i = 0; i < system->head.worker_count; i++) {
		const struct worker *worker =
			(const struct worker *)system->head.workers[i];

		sum += atomic_load_explicit(&worker->counters[counter],
					    memory_order_relaxed);
	}
	return sum;
}

void troupe_system_stats(const struct troupe_system *system,
			 struct troupe_stats *stats)
{
	struct troupe_stats all = {
		.workers = system->head.worker_count,
		.spawned = stats_sum(system, WORKER_SPAWNED),
		.completed = stats_sum(system, WORKER_COMPLETED),
		.messages = stats_sum(system, WORKER_MESSAGES),
		.dead_letters = stats_sum(system, WORKER_DEAD_LETTERS),
		.resumes = stats_sum(system, WORKER_RESUMES),
		/* relaxed, both: numbers, no order. */
		.enqueued_central = atomic_load_explicit(&system->central,
							 memory_order_relaxed),
		.enqueued_external = atomic_load_explicit(&system->external,
							  memory_order_relaxed),
		.enqueued_internal = stats_sum(system, WORKER_INTERNAL),
		.enqueued_later = stats_sum(system, WORKER_LATER),
		.steals =
			stats_sum(system, WORKER_POLICY + TROUPE_COUNT_STEALS),
		.parks = stats_sum(system, WORKER_POLICY + TROUPE_COUNT_PARKS),
		.wakes = stats_sum(system, WORKER_POLICY + TROUPE_COUNT_WAKES),
		.faults = stats_sum(system, WORKER_FAULTS),
		.held = stats_sum(system, WORKER_HELD),
		.blocking = stats_sum(system, WORKER_BLOCKING),
		/* Its lock may be held for ever in a child. */
		.pool_threads = process_lost(system)
					? 0
					: troupe__pool_count(system->pool),
	};

	all.size = stats->size;
	memcpy(stats, &all,
	       stats->size < sizeof(all) ? stats->size : sizeof(all));
}
