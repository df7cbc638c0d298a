/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * running.h - a count that can be waited for
 *
 * Changing it costs one atomic operation and one load while nobody waits for
 * the value it gets.
 */
#ifndef RUNNING_H
#define RUNNING_H

#include <stdatomic.h>
#include <stdint.h>
#include <uv.h>

/* Legend: A atomic from any thread, L under the lock. */
struct troupe__running {
	_Atomic uint64_t count;	  /* A */
	_Atomic uint64_t watched; /* A; set under the lock */
	uint64_t waiters;	  /* L */
	uv_mutex_t lock;
	uv_cond_t changed;
};

/** Returns: 0; a negative errno. */
int troupe__running_init(struct troupe__running *running);
void troupe__running_fini(struct troupe__running *running);

uint64_t troupe__running_get(const struct troupe__running *running);
void troupe__running_inc(struct troupe__running *running);
void troupe__running_dec(struct troupe__running *running);

/** @timeout: ns, UINT64_MAX: no limit. Returns: 0; -ETIMEDOUT. */
int troupe__running_await(struct troupe__running *running, uint64_t count,
			  uint64_t timeout);

#endif
