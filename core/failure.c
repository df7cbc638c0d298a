/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A behaviour has returned an error: what its class wants to happen then.
 */
#include "failure.h"

#include <errno.h>
#include <string.h>

#include "extra.h"

/* A new state in place of the old one. What was skipped comes again; responses
 * to the old one's requests do not. Returns: 0, or the reason to end with. */
static int failure_restart(struct troupe_actor *actor)
{
	const struct troupe_actor_class *actor_class = actor->actor_class;
	void *state = actor_state(actor);
	int result;

	if (actor_class->destroy != NULL)
		actor_class->destroy(state);
	memset(state, 0, actor_class->state_size);
	actor->receive = actor_class->receive;
	troupe__slot_forget_requests(actor);
	troupe__mailbox_unskip(&actor->mailbox);
	if (actor_class->init == NULL)
		return 0;
	result = actor_class->init(actor, state, NULL);
	if (result == 0)
		return 0;
	/* There is no state now: neither on_exit nor destroy may see it. */
	actor->job.flags |= ACTOR_LOST;
	return result < 0 ? result : -EINVAL;
}

int troupe__failure_handle(struct troupe_actor *actor, int error)
{
	uint32_t flags = actor->actor_class->flags;

	if ((flags & TROUPE_CLASS_FAIL_IGNORE) != 0)
		return 0;
	if ((flags & TROUPE_CLASS_FAIL_STOP) != 0)
		troupe__stop_begin(actor->job.system, SYSTEM_ENDS);
	/* One that has called troupe_quit() ends with what it has. */
	else if ((flags & TROUPE_CLASS_FAIL_RESTART) != 0 &&
		 (actor->job.flags & ACTOR_QUIT) == 0)
		return failure_restart(actor);
	return error;
}
