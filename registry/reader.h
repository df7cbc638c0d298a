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

#endif
