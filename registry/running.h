/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * running.h - what runs in a system: two counts that can be waited for
 *
 * Actors, and other jobs, in one word: changing it costs one atomic operation
 * and one load while nobody waits for the value it gets. Waiters wait for a
 * number of actors, or until nothing runs at all.
 */
#ifndef RUNNING_H
#define RUNNING_H

#include <stdatomic.h>
#include <stdint.h>
#include <uv.h>

/* Legend: A atomic from any thread, L under the lock. */
struct troupe__running {
	_Atomic uint64_t count;	  /* A: jobs << 32 | actors */
	_Atomic uint64_t watched; /* A: actors; set under the lock */
	uint64_t waiters;	  /* L */
	uv_mutex_t lock;
	uv_cond_t changed;
};

/** Returns: 0; a negative errno. */
int troupe__running_init(struct troupe__running *running);
void troupe__running_fini(struct troupe__running *running);

/** One actor, and one job, in the count. */
#define TROUPE__RUNNING_ACTOR UINT64_C(1)
#define TROUPE__RUNNING_JOB   (UINT64_C(1) << 32)

/** The actors. */
uint64_t troupe__running_get(const struct troupe__running *running);
/** @what: TROUPE__RUNNING_ACTOR or _JOB. */
void troupe__running_inc(struct troupe__running *running, uint64_t what);
/** The last touch of @running, if nothing runs any more, is the waking. */
void troupe__running_dec(struct troupe__running *running, uint64_t what);

/** Orders the caller among those who count: what they did before they counted,
 * if they came before, is seen by the caller; else what it did before is seen by
 * them afterwards. */
void troupe__running_order(struct troupe__running *running);

/** Waits until nothing runs. @timeout: as below. Returns: 0; -ETIMEDOUT. */
int troupe__running_await_idle(struct troupe__running *running,
			       uint64_t timeout);

/** Waits for a number of actors. @timeout: ns, UINT64_MAX: no limit. Returns: 0; -ETIMEDOUT. */
int troupe__running_await(struct troupe__running *running, uint64_t count,
			  uint64_t timeout);

#endif
