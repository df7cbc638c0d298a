/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens when an assertion fails: one line, then abort. The only place
 * of the library that prints or ends the process.
 */
#include "troupe_assert.h"

#include <stdio.h>
#include <stdlib.h>

void troupe__assert_failed(const char *file, int line, const char *what)
{
	fprintf(stderr, "troupe: %s:%d: assertion failed: %s\n", file, line,
		what);
	abort();
}
