/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receiving where a thread may wait: blocking and scoped actors, and detached
 * ones in a callback. They take messages from the same mailbox as everybody,
 * one by one, and leave in the stash what a match does not want.
 */
#include "detached.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "block.h"
#include "extra.h"
#include "failure.h"
#include "letter.h"
#include "limit.h"
#include "pool.h"
#include "process.h"

/* What one call waits for. */
struct receive {
	troupe_match_fn match; /* NULL: any */
	void *context;
	uint64_t response; /* the response to troupe_ask(), its bits; or 0 */
	uint64_t until;	   /* as troupe_now() */
};

static uint64_t receive_until(uint64_t deadline)
{
	uint64_t now;

	if (deadline == TROUPE_FOREVER)
		return TROUPE_NO_DEADLINE;
	now = troupe_now();
	return deadline < TROUPE_NO_DEADLINE - now ? now + deadline
						   : TROUPE_NO_DEADLINE;
}

void troupe__receive_done(struct troupe_actor *actor)
{
	struct detached *detached = *actor_detached(actor);
	struct troupe_message *message = detached->current;

	detached->current = NULL;
	if (message != NULL && message != &detached->told) {
		troupe__message_uncarry(actor, message);
		troupe__message_release(message, -ENODATA);
	}
}

static bool receive_wanted(const struct receive *receive,
			   const struct troupe_message *message)
{
	uint64_t bits = message->bits & (MESSAGE_RESPONSE | MESSAGE_NUMBER);

	/* A response in the stash is one that a troupe_ask() waits for: this
	 * one, or one in whose course a handler receives. */
	if ((bits & MESSAGE_RESPONSE) != 0 || receive->response != 0)
		return bits == receive->response;
	return receive->match == NULL ||
	       receive->match(message, receive->context);
}

/* The first message in the stash that is wanted, taken out; or NULL. */
static struct troupe_message *receive_stashed(struct troupe_actor *actor,
					      const struct receive *receive)
{
	struct mailbox *mailbox = &actor->mailbox;
	struct troupe_message *last = mailbox->stash;
	struct troupe_message *before = last;

	if (last == NULL)
		return NULL;
	do {
		struct troupe_message *at = before->next;

		if (receive_wanted(receive, at)) {
			before->next = at->next;
			if (at == last)
				mailbox->stash = at == before ? NULL : before;
			troupe__actor_unskipped(actor, at);
			return at;
		}
		before = at;
	} while (before != last);
	return NULL;
}

/* A response's handler has failed, inside a callback or run: there cannot be a
 * restart. */
static void receive_failed(struct troupe_actor *actor, int error)
{
	if ((actor->actor_class->flags & TROUPE_CLASS_FAIL_RESTART) == 0)
		error = troupe__failure_handle(actor, error);
	if (error < 0)
		troupe_quit(actor, error);
}

/* True if a troupe_ask() waits for the response with that number. */
static bool receive_is_asked(struct troupe_actor *actor, uint64_t number)
{
	struct actor_slot *slot = troupe__slot_find(actor, number);

	return slot != NULL && slot->kind == SLOT_ASK;
}

/* Runs the handler of a response on the way. */
static void receive_response(struct troupe_actor *actor,
			     struct troupe_message *message)
{
	int result = troupe__request_response(actor, message);

	troupe__message_uncarry(actor, message);
	troupe__message_release(message, -ENODATA);
	if (result < 0)
		receive_failed(actor, result);
}

/* What to do with a message that came. Returns: what is wanted, or NULL. */
static struct troupe_message *receive_take(struct troupe_actor *actor,
					   const struct receive *receive,
					   struct troupe_message *message)
{
	if ((message->bits & MESSAGE_SYSTEM) != 0 &&
	    !troupe__signal_handle(actor, message))
		return NULL;
	if ((message->bits & MESSAGE_RESPONSE) != 0 &&
	    !receive_is_asked(actor, message->bits & MESSAGE_NUMBER)) {
		receive_response(actor, message);
		/* The handler may have received, and left what we want. */
		return receive_stashed(actor, receive);
	}
	if (receive_wanted(receive, message))
		return message;
	troupe__actor_skip(actor, message);
	return NULL;
}

/* A message of the core's own for a trapping actor: the system stops. */
static void receive_make_told(struct troupe_actor *actor)
{
	struct detached *detached = *actor_detached(actor);

	actor->job.flags |= ACTOR_TOLD;
	detached->told_waits = true;
	memset(&detached->told, 0, sizeof(detached->told));
	memset(&detached->ended, 0, sizeof(detached->ended));
	detached->told.tag = TROUPE_TAG_EXIT;
	detached->told.size = sizeof(detached->ended);
	detached->ended.reason = TROUPE_EXIT_SHUTDOWN;
}

/* Looks whether @actor must end. *@ret_drains: what it has comes first.
 * Returns: 0 to go on; -ESHUTDOWN; -ECANCELED. */
static int receive_ending(struct troupe_actor *actor, bool *ret_drains)
{
	/* relaxed: who sets it makes this actor run afterwards. */
	uint8_t ending = atomic_load_explicit(&actor->job.system->ending,
					      memory_order_relaxed);

	*ret_drains = false;
	if ((actor->job.flags & ACTOR_QUIT) != 0)
		return -ECANCELED;
	if (ending == SYSTEM_GOES_ON)
		return 0;
	*ret_drains = ending != SYSTEM_KILLS &&
		      (actor->actor_class->flags & TROUPE_CLASS_DRAIN) != 0;
	if ((actor->job.flags & ACTOR_TRAPS) == 0 || ending == SYSTEM_KILLS)
		return -ESHUTDOWN;
	if ((actor->job.flags & ACTOR_TOLD) == 0)
		receive_make_told(actor);
	return 0;
}

/* Waits for the mailbox. Returns: 0 there is something to look at;
 * -ETIMEDOUT; -ECANCELED if nobody can ever send. */
static int receive_wait(struct troupe_actor *actor, uint64_t until)
{
	struct detached *detached = *actor_detached(actor);

	switch (troupe__actor_settle(actor)) {
	case JOB_WAITING:
		break;
	case JOB_DONE:
		if (until == TROUPE_NO_DEADLINE)
			return -ECANCELED;
		/* Out of reach, but for the clock and the system's end. */
		if (troupe__actor_settle_alone(actor) != JOB_WAITING)
			return 0;
		break;
	default:
		return 0;
	}
	if (!troupe__detached_wait(detached, until)) {
		/* Take the mailbox back, unless a sender was faster: then it
		 * is about to set ready. */
		if (mailbox_claim(&actor->mailbox)) {
			troupe__job_state(&actor->job, JOB_READY);
			troupe__job_state(&actor->job, JOB_RUNNING);
			return -ETIMEDOUT;
		}
		(void)troupe__detached_wait(detached, TROUPE_NO_DEADLINE);
	}
	troupe__job_state(&actor->job, JOB_RUNNING);
	return 0;
}

/* The next message that is here already. Returns: 0, and NULL if there is none
 * that is wanted; a reason to return without. */
static int receive_look(struct troupe_actor *actor,
			const struct receive *receive,
			struct troupe_message **ret_message)
{
	struct detached *detached = *actor_detached(actor);
	bool late = false;

	for (;;) {
		bool drains;
		int result = receive_ending(actor, &drains);
		struct troupe_message *message;

		if (result != 0 && !drains)
			return result;
		if (detached->told_waits &&
		    receive_wanted(receive, &detached->told)) {
			detached->told_waits = false;
			*ret_message = &detached->told;
			return 0;
		}
		/* Who is sent without end what is not wanted, times out too:
		 * after a look at all that had come. */
		if (mailbox_lanes_empty(&actor->mailbox)) {
			if (late)
				return -ETIMEDOUT;
			late = receive->until != TROUPE_NO_DEADLINE &&
			       troupe_now() >= receive->until;
		}
		message = troupe__actor_next_message(actor);
		if (message == NULL)
			return result;
		*ret_message = receive_take(actor, receive, message);
		if (*ret_message != NULL)
			return 0;
	}
}

static int receive_next(struct troupe_actor *actor,
			const struct receive *receive,
			const struct troupe_message **ret_message)
{
	struct detached *detached = *actor_detached(actor);
	struct troupe_message *message = NULL;
	bool drains;

	troupe__receive_done(actor);
	if (receive_ending(actor, &drains) == 0 || drains)
		message = receive_stashed(actor, receive);
	while (message == NULL) {
		int result = receive_look(actor, receive, &message);

		if (result == 0 && message == NULL)
			result = receive_wait(actor, receive->until);
		if (result != 0)
			return result;
	}
	/* A handler on the way may have received, too. */
	troupe__receive_done(actor);
	detached->current = message;
	detached_turn(detached);
	if (message != &detached->told)
		troupe__system_count(actor->job.system, WORKER_MESSAGES, 1);
	*ret_message = message;
	return 0;
}

/* Returns: 0 if @self may wait here; -EDEADLK. */
static int receive_allowed(const struct troupe_actor *self)
{
	if (process_lost(self->job.system))
		return -EOWNERDEAD;
	troupe_assert(self == troupe__here.actor);
	/* relaxed: the owner's. In init it is on a foreign thread. */
	if ((self->job.traits & TRAIT_DETACHED) == 0 ||
	    atomic_load_explicit(&self->job.state, memory_order_relaxed) !=
		    JOB_RUNNING)
		return -EDEADLK;
	return (self->job.flags & ACTOR_ENDS) != 0 ? -ECANCELED : 0;
}

int troupe_receive_match(struct troupe_actor *self, troupe_match_fn match,
			 void *context, uint64_t deadline,
			 const struct troupe_message **ret_message)
{
	struct receive receive = {.match = match, .context = context};

	int result = receive_allowed(self);

	if (result != 0)
		return result;
	receive.until = receive_until(deadline);
	return receive_next(self, &receive, ret_message);
}

int troupe_receive(struct troupe_actor *self, uint64_t deadline,
		   const struct troupe_message **ret_message)
{
	return troupe_receive_match(self, NULL, NULL, deadline, ret_message);
}

int troupe_receive_until(struct troupe_actor *self, uint64_t time,
			 const struct troupe_message **ret_message)
{
	struct receive receive = {.until = time};
	int result = receive_allowed(self);

	if (result != 0)
		return result;
	return receive_next(self, &receive, ret_message);
}

int troupe_ask(struct troupe_actor *self, struct troupe_strong to, uint32_t tag,
	       const void *data, size_t size, uint64_t deadline,
	       const struct troupe_message **ret_message)
{
	struct receive receive = {0};
	uint64_t number;
	int result = receive_allowed(self);

	if (result != 0)
		return result;
	receive.until = receive_until(deadline);
	result = troupe__request_send(self, to, tag, data, size, SLOT_ASK,
				      &number);
	if (result != 0)
		return result;
	receive.response = number | MESSAGE_RESPONSE;
	result = receive_next(self, &receive, ret_message);
	/* Not to be expected any more: what comes late is dropped. */
	troupe__slot_free(self, number);
	if (result != 0) {
		struct troupe_message *late = receive_stashed(self, &receive);

		if (late != NULL) {
			troupe__message_uncarry(self, late);
			troupe__message_release(late, -ENODATA);
		}
	}
	return result;
}

static bool receive_is_down(const struct troupe_message *message, void *context)
{
	const struct troupe_ended *ended = troupe_payload(message);

	return message->tag == TROUPE_TAG_DOWN &&
	       ended->monitor == *(uint64_t *)context;
}

int troupe_await_end(struct troupe_actor *self, struct troupe_strong other,
		     uint64_t deadline, int *ret_reason)
{
	const struct troupe_message *message;
	struct troupe_strong me;
	uint64_t monitor;
	int result = receive_allowed(self);

	if (result != 0)
		return result;
	/* The news comes to who can be reached, and may come at once. */
	me = troupe__actor_self(self);
	result = troupe_monitor(self, other, &monitor);
	if (result != 0) {
		troupe__strong_release(&me);
		return result;
	}
	result = troupe_receive_match(self, receive_is_down, &monitor, deadline,
				      &message);
	troupe__strong_release(&me);
	if (result != 0) {
		(void)troupe_demonitor(self, monitor);
		return result;
	}
	if (ret_reason != NULL)
		*ret_reason =
			((const struct troupe_ended *)troupe_payload(message))
				->reason;
	return 0;
}

/* ---- scoped actors ----------------------------------------------------- */

/* Never run by the library: its thread calls what it likes. */
static int scoped_run(struct troupe_actor *self, void *state)
{
	(void)self;
	(void)state;
	return 0;
}

static const struct troupe_actor_class scoped_class = {
	.name = "scoped",
	.run = scoped_run,
};

int troupe_scoped_create(struct troupe_system *system,
			 struct troupe_actor **ret_self)
{
	struct pool_thread *thread;
	struct troupe_actor *actor;
	int result;

	if (system == NULL)
		return -EINVAL;
	if (process_lost(system))
		return -EOWNERDEAD;
	if (troupe__here.worker != NULL || troupe__here.actor != NULL ||
	    troupe__here.thread != NULL)
		return -EDEADLK;
	/* What it waits with outlives it, as for a thread of the pool: who
	 * woke it last may still be at that. */
	thread = troupe__pool_adopt(system->pool, NULL);
	if (thread == NULL)
		return -ENOMEM;
	troupe__detached_reset(&thread->detached);
	result = troupe__actor_make(system, &scoped_class, &thread->detached,
				    &actor);
	if (result != 0) {
		(void)troupe__pool_disown(thread);
		return result;
	}
	troupe__job_state(&actor->job, JOB_READY);
	troupe__job_state(&actor->job, JOB_RUNNING);
	troupe__here.actor = actor;
	troupe__pool_away(thread, &actor->job);
	*ret_self = actor;
	return 0;
}

void troupe_scoped_destroy(struct troupe_actor *self)
{
	struct troupe_system *system;
	struct troupe_strong handle;
	struct detached *detached;
	bool kept;

	if (self == NULL || process_lost(self->job.system))
		return;
	troupe_assert(self == troupe__here.actor);
	system = self->job.system;
	detached = *actor_detached(self);
	handle.block = actor_block(self);
	troupe__receive_done(self);
	troupe__here.actor = NULL;
	/* The system may be waiting for this one only. */
	troupe__system_enter(system);
	troupe__actor_end(self, NULL,
			  (self->job.flags & ACTOR_QUIT) != 0
				  ? self->reason
				  : TROUPE_EXIT_NORMAL);
	/* Its first member. */
	kept = troupe__pool_disown((struct pool_thread *)detached);
	troupe__system_leave(system);
	troupe_strong_release(&handle);
	if (!kept)
		troupe__system_put(system);
}
