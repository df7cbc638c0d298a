/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * platform_ck.h - Concurrency Kit's spinlock and event count, as functions
 *
 * platform_ck.c is built without sanitizers, because ThreadSanitizer cannot
 * see into CK's inline assembly. The callers in platform.c announce each
 * hand-over with the macros below; they are nothing in other builds.
 */
#ifndef PLATFORM_CK_H
#define PLATFORM_CK_H

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

#if defined(__SANITIZE_THREAD__)
#define TROUPE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TROUPE_TSAN 1
#endif
#endif

#ifdef TROUPE_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define troupe__announce_acquire(address) __tsan_acquire(address)
#define troupe__announce_release(address) __tsan_release(address)
#else
#define troupe__announce_acquire(address) ((void)(address))
#define troupe__announce_release(address) ((void)(address))
#endif

#endif
