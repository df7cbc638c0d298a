/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults in contract 5, and at the start of a system.
 */
#include "faulty.h"

#include <errno.h>
#include <stdlib.h>

/* ---- contract 5 -------------------------------------------------------- */

static struct troupe_job *staying_dequeue(struct troupe_worker *self)
{
	struct troupe_job *job;

	faulty_lock(self->coordinator);
	while ((job = faulty_take(self)) == NULL)
		faulty_wait(self);
	faulty_unlock(self->coordinator);
	return job;
}

static void wake_one(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	faulty_lock(self);
	troupe_cond_signal(&faulty->cond);
	faulty_unlock(self);
}

static struct troupe_job *twice_drain(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;
	struct troupe_job *job = faulty->again;

	faulty->again = NULL;
	if (job != NULL)
		return job;
	job = faulty_drain(self);
	if (faulty->shared.first == NULL)
		faulty->again = job;
	return job;
}

static struct troupe_job *forgetting_drain(struct troupe_coordinator *self)
{
	return faulty_take_shared(self->data);
}

#define EARLY_WAIT_NS 2000000u

static struct troupe_job *early_dequeue(struct troupe_worker *self)
{
	struct faulty_coordinator *faulty = faulty_of(self);
	struct troupe_job *job;

	faulty_lock(self->coordinator);
	job = faulty_take(self);
	if (job == NULL && !troupe_stopping(self->coordinator)) {
		troupe_cond_wait_for(&faulty->cond, &faulty->mutex,
				     EARLY_WAIT_NS);
		job = faulty_take(self);
	}
	faulty_unlock(self->coordinator);
	return job;
}

/* ---- the start --------------------------------------------------------- */

static int overrunning_worker_init(struct troupe_worker *self)
{
	((unsigned char *)self->data)[sizeof(struct faulty_worker)] = 1;
	return 0;
}

static int positive_worker_init(struct troupe_worker *self)
{
	(void)self;
	return EINVAL;
}

static int trusting_init(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	faulty->memory = malloc(sizeof(uint64_t));
	if (faulty->memory == NULL)
		abort();
	return faulty_init(self);
}

static void trusting_fini(struct troupe_coordinator *self)
{
	struct faulty_coordinator *faulty = self->data;

	free(faulty->memory);
	faulty_fini(self);
}

/* ---- the faults -------------------------------------------------------- */

#define LEAVES	  "contract 5: wake_all brings every worker out of dequeue"
#define DRAINS	  "contract 5: drain returns each job that is left once"
#define NULL_LAST "contract 5: dequeue returns NULL only at the end"
#define DATA	  "data: nothing is written behind it"
#define UNDONE	  "start: worker_init fails and all is undone"
#define MEMORY	  "start: an allocation fails in init"

const struct faulty faulty_end[] = {
	{
		.what = "never leaves dequeue at the end",
		.breaks = LEAVES,
		.says = {"hangs at: wake_all is over, workers must leave"},
		.workers = 1,
		.ops = {.dequeue = staying_dequeue},
	},
	{
		.what = "wakes one worker of all at the end",
		.breaks = LEAVES,
		.says = {"hangs at: wake_all is over, workers must leave"},
		.workers = 4,
		.ops = {.wake_all = wake_one},
	},
	{
		.what = "drains a job twice",
		.breaks = DRAINS,
		.says = {"handed out twice: drain"},
		.keeps = LEAVES,
		.workers = 2,
		.ops = {.drain = twice_drain},
	},
	{
		.what = "forgets jobs in drain",
		.breaks = DRAINS,
		.says = {"drain has ended, but job"},
		.keeps = LEAVES,
		.workers = 2,
		.ops = {.drain = forgetting_drain},
	},
	{
		.what = "returns NULL from dequeue early",
		.breaks = NULL_LAST,
		.says = {"dequeue returned NULL"},
		.workers = 2,
		.ops = {.dequeue = early_dequeue},
	},
	{
		.what = "writes behind its data",
		.breaks = DATA,
		.says = {"wrote behind its worker data"},
		.workers = 1,
		.ops = {.worker_init = overrunning_worker_init},
	},
	{
		.what = "returns a positive error",
		.breaks = UNDONE,
		.says = {"neither 0 nor a negative errno"},
		.workers = 4,
		.ops = {.worker_init = positive_worker_init},
	},
	{
		.what = "trusts that memory is there",
		.breaks = MEMORY,
		.says = {"crashed"},
		.keeps = LEAVES,
		.workers = 2,
		.fails_allocations = true,
		.ops = {.init = trusting_init, .fini = trusting_fini},
	},
	{.what = NULL},
};
