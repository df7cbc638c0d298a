/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * victim.h - in which order a thief looks at the other workers
 *
 * Each round visits every other worker once, and starts at one chosen at
 * random, so that two thieves seldom meet and nobody is passed over.
 *
 * Typical use.
 *	struct troupe__victims round = troupe__victims_begin(self);
 *	while ((victim = troupe__victims_next(&round)) != NULL)
 *		...
 */
#ifndef VICTIM_H
#define VICTIM_H

#include "troupe_policy.h"

struct troupe__victims {
	const struct troupe_worker *thief;
	uint32_t next; /* index of the next victim */
	uint32_t left; /* victims not yet visited */
};

/** Context: the thread of @thief. */
struct troupe__victims troupe__victims_begin(struct troupe_worker *thief);
/** Returns: NULL at the end of the round. */
struct troupe_worker *troupe__victims_next(struct troupe__victims *round);

#endif
