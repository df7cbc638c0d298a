/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * error.h - how the library fills in a struct troupe_error
 */
#ifndef ERROR_H
#define ERROR_H

#include "troupe.h"

/**
 * Fills in @error (may be NULL) with @code and one line, cut if too long.
 * Returns: @code, so that `return troupe__error(...)` reads well.
 */
__attribute__((format(printf, 3, 4))) int
troupe__error(struct troupe_error *error, int code, const char *format, ...);

/** The name among @names (NULL ends them) most like @name; NULL if none is
 * close enough to be meant. */
const char *troupe__nearest(const char *name, const char *const *names);

#endif
