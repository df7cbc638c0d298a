/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plug-in without slots, for test_policy.c: nobody may call what is not
 * there.
 */
#include "troupe_policy.h"

const struct troupe_policy_ops troupe_policy = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 1,
	.name = "incomplete",
	.summary = "has no slots",
};
