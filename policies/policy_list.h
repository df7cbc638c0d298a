/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * policy_list.h - the policies that are built in
 *
 * A built-in policy is one line here and its file in a meson.build. X is given
 * the name of its table.
 */
#ifndef POLICY_LIST_H
#define POLICY_LIST_H

#include "troupe_policy.h"
#include "troupe_worksharing.h"
#include "troupe_workstealing.h"

#define POLICY_LIST(X)         \
	X(troupe_worksharing)  \
	X(troupe_workstealing) \
	X(troupe_fifo)

#endif
