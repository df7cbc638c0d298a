/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_assert.h - assertions of the library's and the policies' invariants
 *
 * On in debug and test builds, gone in release builds. Input errors are
 * return codes and never come through here.
 */
#ifndef TROUPE_ASSERT_H
#define TROUPE_ASSERT_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#ifndef TROUPE_CHECKS
#define TROUPE_CHECKS 0
#endif

/** Prints where and what, and aborts. */
void troupe__assert_failed(const char *file, int line, const char *what)
	__attribute__((noreturn));

#if TROUPE_CHECKS
#define troupe_assert(what) \
	((what) ? (void)0 : troupe__assert_failed(__FILE__, __LINE__, #what))
#else
#define troupe_assert(what) ((void)(0 && (what)))
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
