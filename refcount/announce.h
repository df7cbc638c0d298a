/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * announce.h - tell ThreadSanitizer of hand-overs that it cannot see
 *
 * Concurrency Kit orders memory by inline assembly, in files that are built
 * without sanitizers. Who publishes something through it announces a release
 * of an address first; who got it announces an acquire of the same address
 * next. Both are nothing in other builds.
 */
#ifndef ANNOUNCE_H
#define ANNOUNCE_H

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
#define troupe__announce_acquire(address) __tsan_acquire((void *)(address))
#define troupe__announce_release(address) __tsan_release((void *)(address))
#else
#define troupe__announce_acquire(address) ((void)(address))
#define troupe__announce_release(address) ((void)(address))
#endif

#endif
