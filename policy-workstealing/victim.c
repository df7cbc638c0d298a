/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choosing victims: at random, without a table. What is stolen, and when, is
 * not decided here.
 */
#include "victim.h"

struct troupe__victims troupe__victims_begin(struct troupe_worker *thief)
{
	uint32_t count = thief->coordinator->worker_count;

	/* A number below count, without a division: the upper half of a random
	 * number is a fraction of 2^32. */
	return (struct troupe__victims){
		.thief = thief,
		.next = count == 1 ? 0
				   : (uint32_t)((troupe_random(thief) >> 32) *
							count >>
						32),
		.left = count - 1,
	};
}

struct troupe_worker *troupe__victims_next(struct troupe__victims *round)
{
	const struct troupe_coordinator *coordinator =
		round->thief->coordinator;

	if (round->left == 0)
		return NULL;
	round->left--;
	if (round->next == round->thief->index)
		round->next++;
	if (round->next >= coordinator->worker_count) {
		round->next = 0;
		if (round->thief->index == 0)
			round->next = 1;
	}
	return coordinator->workers[round->next++];
}
