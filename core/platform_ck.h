/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * platform_ck.h - Concurrency Kit's spinlock and event count, as functions
 *
 * platform_ck.c is built without sanitizers, because ThreadSanitizer cannot
 * see into CK's inline assembly. The callers in platform.c announce each
 * hand-over by announce.h.
 */
#ifndef PLATFORM_CK_H
#define PLATFORM_CK_H

#include "announce.h"

#include <stdbool.h>
#include <stdint.h>

bool troupe__ck_spinlock_try_lock(uint32_t *lock);
void troupe__ck_spinlock_unlock(uint32_t *lock);
bool troupe__ck_spinlock_held(uint32_t *lock);

uint32_t troupe__ck_event_value(const uint32_t *counter);
/** Returns: false if @deadline (monotonic ns, UINT64_MAX: none) has passed. */
bool troupe__ck_event_wait(uint32_t *counter, uint32_t value,
			   uint64_t deadline);
void troupe__ck_event_increment(uint32_t *counter);

void troupe__ck_stall(void);

#endif
