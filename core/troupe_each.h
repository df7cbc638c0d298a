/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_each.h - what troupe_typed.h needs to walk along a list of messages
 *
 * Nothing here is for users; it is a public header because troupe_typed.h is.
 */
#ifndef TROUPE_EACH_H
#define TROUPE_EACH_H

#include <stddef.h> /* NULL, in what the macros make */

/* The first, the third, all of a list; each: what(name, message) ... */
#define TROUPE__1(...)		TROUPE__1_(__VA_ARGS__, )
#define TROUPE__1_(a, ...)	a
#define TROUPE__3(a, b, c, ...) c
#define TROUPE__UNWRAP(...)	__VA_ARGS__
#define TROUPE__JOIN(a, b)	TROUPE__JOIN_(a, b)
#define TROUPE__JOIN_(a, b)	a##b

#define TROUPE__EACH(what, name, ...)                           \
	TROUPE__JOIN(TROUPE__EACH_, TROUPE__COUNT(__VA_ARGS__)) \
	(what, name, __VA_ARGS__)
#define TROUPE__COUNT(...)                                                    \
	TROUPE__17(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, \
		   3, 2, 1, 0)
#define TROUPE__17(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q
#define TROUPE__EACH_1(what, name, a)					   what(name, a)
#define TROUPE__EACH_2(what, name, a, ...) \
	what(name, a) TROUPE__EACH_1(what, name, __VA_ARGS__)
#define TROUPE__EACH_3(what, name, a, ...) \
	what(name, a) TROUPE__EACH_2(what, name, __VA_ARGS__)
#define TROUPE__EACH_4(what, name, a, ...) \
	what(name, a) TROUPE__EACH_3(what, name, __VA_ARGS__)
#define TROUPE__EACH_5(what, name, a, ...) \
	what(name, a) TROUPE__EACH_4(what, name, __VA_ARGS__)
#define TROUPE__EACH_6(what, name, a, ...) \
	what(name, a) TROUPE__EACH_5(what, name, __VA_ARGS__)
#define TROUPE__EACH_7(what, name, a, ...) \
	what(name, a) TROUPE__EACH_6(what, name, __VA_ARGS__)
#define TROUPE__EACH_8(what, name, a, ...) \
	what(name, a) TROUPE__EACH_7(what, name, __VA_ARGS__)
#define TROUPE__EACH_9(what, name, a, ...) \
	what(name, a) TROUPE__EACH_8(what, name, __VA_ARGS__)
#define TROUPE__EACH_10(what, name, a, ...) \
	what(name, a) TROUPE__EACH_9(what, name, __VA_ARGS__)
#define TROUPE__EACH_11(what, name, a, ...) \
	what(name, a) TROUPE__EACH_10(what, name, __VA_ARGS__)
#define TROUPE__EACH_12(what, name, a, ...) \
	what(name, a) TROUPE__EACH_11(what, name, __VA_ARGS__)
#define TROUPE__EACH_13(what, name, a, ...) \
	what(name, a) TROUPE__EACH_12(what, name, __VA_ARGS__)
#define TROUPE__EACH_14(what, name, a, ...) \
	what(name, a) TROUPE__EACH_13(what, name, __VA_ARGS__)
#define TROUPE__EACH_15(what, name, a, ...) \
	what(name, a) TROUPE__EACH_14(what, name, __VA_ARGS__)
#define TROUPE__EACH_16(what, name, a, ...) \
	what(name, a) TROUPE__EACH_15(what, name, __VA_ARGS__)

#endif
