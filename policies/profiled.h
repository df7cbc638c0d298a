/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * profiled.h - how policy.c makes a "profiled:NAME" policy
 */
#ifndef PROFILED_H
#define PROFILED_H

#include "troupe_policy.h"

/** A table for each wrapped policy; coordinator->policy points to @ops. */
struct troupe__profiled {
	struct troupe_policy_ops ops;	/* the wrapper's */
	struct troupe_policy_ops inner; /* complete: no slot is NULL */
	char title[80];			/* "profiled:NAME" */
};

/** The name and the options of the wrapper, which has no slots without a
 * policy inside. */
extern const struct troupe_policy_ops troupe__profiled_section;

/** Fills in @profiled to wrap @profiled->inner. */
void troupe__profiled_wrap(struct troupe__profiled *profiled);

#endif
