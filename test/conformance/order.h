/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * order.h - contract 4: in which order a policy hands out what is READY
 *
 * Overview. The order keeps a list of the jobs that are READY. When a job is
 * dequeued it checks, for those that still wait:
 *	- a job that came by resume_job_later() is not before one that was
 *	  READY when it came (with one worker);
 *	- none has seen more jobs go first than the policy's wait_bound allows.
 *
 * With several workers nobody outside the policy knows on which worker a job
 * waits, so the bound is broken only when every worker has taken too many.
 *
 * Threads. Any; a mutex of its own.
 */
#ifndef ORDER_H
#define ORDER_H

#include "board.h"

#include <pthread.h>

#define ORDER_WAITING 256

struct order_job {
	const struct troupe_job *job;
	enum board_path path;
	uint32_t ready; /* jobs READY then, itself included */
	uint64_t id;
	uint64_t came;		       /* the moment, as a number */
	uint64_t placed;	       /* when the enqueue slot returned; 0:
					 * not yet */
	uint64_t taken[BOARD_WORKERS]; /* by each worker before it came */
};

/* Legend: I set by order_init(); L under lock. */
struct order {
	struct board *board; /* I */
	uint32_t workers;    /* I */
	uint32_t wait_bound; /* I */
	bool from_outside;   /* I: see order_init() */
	pthread_mutex_t lock;
	uint64_t moment;		      /* L: the latest */
	uint64_t taken[BOARD_WORKERS];	      /* L */
	uint32_t waiting;		      /* L */
	struct order_job jobs[ORDER_WAITING]; /* L */
};

/**
 * @from_outside: jobs are enqueued by other threads while workers run, so
 *                that what was READY at that moment is known only roughly.
 */
void order_init(struct order *order, struct board *board, uint32_t workers,
		uint32_t wait_bound, bool from_outside);

/** @job goes to the policy. Returns: a moment for order_placed(). */
uint64_t order_comes(struct order *order, const struct troupe_job *job,
		     uint64_t id, enum board_path path);
/** The enqueue slot has returned; the job may be gone already. */
void order_placed(struct order *order, uint64_t came);
/** @worker dequeued @job. */
void order_taken(struct order *order, const struct troupe_job *job,
		 uint32_t worker);

#endif
