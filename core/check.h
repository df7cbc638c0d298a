/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * check.h - assertions of the library's own invariants
 *
 * On in debug and test builds, gone in release builds. Input errors are
 * return codes and never come through here.
 */
#ifndef CHECK_H
#define CHECK_H

#ifndef TROUPE_CHECKS
#define TROUPE_CHECKS 0
#endif

/** Prints where and what, and aborts. */
_Noreturn void troupe__assert_failed(const char *file, int line,
				     const char *what);

#if TROUPE_CHECKS
#define troupe_assert(what)                                                \
	((what) ? (void)0 : troupe__assert_failed(__FILE__, __LINE__, #what))
#else
#define troupe_assert(what) ((void)sizeof(!(what)))
#endif

#endif
