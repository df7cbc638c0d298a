/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bare jobs: how one is made and comes to a worker. Its way from there is
 * job.c's.
 */
#include "credit.h"

#include <errno.h>
#include <string.h>

#include "process.h"

static int schedule_bare(struct troupe_system *system, uint16_t pin,
			 troupe_job_fn run, void *data)
{
	struct bare_job *bare;

	if (system == NULL || run == NULL)
		return -EINVAL;
	if (process_lost(system))
		return -EOWNERDEAD;
	/* relaxed: one that slips through is run once. */
	if (atomic_load_explicit(&system->ending, memory_order_relaxed) !=
	    SYSTEM_GOES_ON)
		return -ESHUTDOWN;
	bare = troupe__alloc(system->bare_size);
	if (bare == NULL)
		return -ENOMEM;
	memset(bare, 0, system->bare_size);
	bare->job.system = system;
	bare->job.pin = pin;
	job_made(&bare->job, system);
	bare->job.flags = JOB_BARE;
	bare->id = troupe__system_id(system);
	bare->run = run;
	bare->data = data;
	credit_job_begins(system);
	/* Then this is no worker of @system, and the count has no credit. */
	if (system_closed(system)) {
		troupe__running_dec(system->alive, TROUPE__RUNNING_JOB);
		troupe__free(bare);
		return -ESHUTDOWN;
	}
	troupe__system_count(system, WORKER_SPAWNED, 1);
	troupe__job_enqueue(&bare->job);
	return 0;
}

int troupe_schedule(struct troupe_system *system, troupe_job_fn run, void *data)
{
	return schedule_bare(system, JOB_ANYWHERE, run, data);
}

int troupe_schedule_on(struct troupe_system *system, uint32_t worker,
		       troupe_job_fn run, void *data)
{
	if (system == NULL || worker >= system->head.worker_count)
		return -EINVAL;
	return schedule_bare(system, (uint16_t)worker, run, data);
}
