/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * policy.h - finding a policy by name, and preparing its table for the core
 */
#ifndef POLICY_H
#define POLICY_H

#include "platform.h"
#include "troupe_policy.h"

/** A policy that was found. */
struct troupe__policy {
	const struct troupe_policy_ops *ops;
	const char *title; /* the name, of a wrapper with the inner one's */
	const struct troupe_policy_ops *inner; /* what a wrapper wraps, or
						 * NULL: its options are
						 * settings too */
	struct troupe_policy_ops *owned;       /* a wrapper's table, or NULL */
	struct troupe__library library;	       /* of a plug-in */
	bool loaded;			       /* library is open */
};

/**
 * troupe__policy_open - a policy by name
 *
 * @name: "work-stealing"; "profiled:work-stealing" wraps; a path with a slash
 *        is a plug-in and is never searched for, "profiled:./p.so" wraps it.
 * Returns: 0; -ENOENT for an unknown name (@error lists the known ones and the
 *          nearest) or a missing file; -EINVAL, -ENOTSUP for a table that
 *          fails troupe_policy_check(); -ENOMEM.
 */
int troupe__policy_open(const char *name, struct troupe__policy *ret_policy,
			struct troupe_error *error);
/** The same for a table given by pointer. */
int troupe__policy_use(const struct troupe_policy_ops *ops,
		       struct troupe__policy *ret_policy,
		       struct troupe_error *error);
/** Accepts a zeroed struct. */
void troupe__policy_close(struct troupe__policy *policy);

/** The tables whose options can be set whatever policy is chosen, by number:
 * those of the built-in policies and of the wrapper, which may not be complete.
 * NULL after the last. */
const struct troupe_policy_ops *troupe__policy_section(size_t index);

/** Copies @ops (of any size) into a full-size table, no-ops in the optional
 * slots that are NULL or missing. */
void troupe__policy_complete(const struct troupe_policy_ops *ops,
			     struct troupe_policy_ops *ret_table);

#endif
