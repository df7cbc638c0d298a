/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * reader.h - sections in which a thread may look at entries without a lock
 *
 * A thread gets its record at its first section, and gives it back for
 * another thread when it ends. Records are as many as there were threads at
 * one time, however many systems or threads come and go.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>

/**
 * Returns: false if there is no memory for this thread's record: the caller
 *          must take the lock instead, and not call troupe__reader_end().
 */
bool troupe__reader_begin(void);
void troupe__reader_end(void);

#ifndef TROUPE_HOOKS
#define TROUPE_HOOKS 0
#endif

#if TROUPE_HOOKS
/** For tests: @hook is called inside each section, when the reader has found
 * an entry and not yet looked at it. NULL takes it away. */
void troupe__reader_set_hook(void (*hook)(void));
void troupe__reader_point(void);
#else
static inline void troupe__reader_point(void)
{
}
#endif

#endif
