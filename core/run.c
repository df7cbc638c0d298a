/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run of an actor: its next messages, each given to its behaviour, until
 * there are none, or it has had its share, or it ends.
 */
#include "detached.h"
#include "failure.h"
#include "purse.h"

#include <errno.h>

#include "block.h"

/* Which messages stay in the inbox while they are handled: mailbox.h. Not those
 * that go before others, or whose release is more than a sender's. */
#define RUN_NO_BASE (MESSAGE_URGENT | MESSAGE_MOVED | MESSAGE_SYSTEM)

/* @message lives on: it must not be the base. */
static inline void run_detach(struct troupe_actor *actor,
			      const struct troupe_message *message,
			      uint32_t *depth)
{
	if (message == mailbox_base(&actor->mailbox))
		*depth += troupe__mailbox_detach(&actor->mailbox);
}

/* To the stash. There it must not be what keeps its own actor reachable: one
 * that nobody else can reach would wait for ever. */
static void run_stash(struct troupe_actor *actor,
		      struct troupe_message *message)
{
	troupe__message_uncarry(actor, message);
	troupe__mailbox_skip(&actor->mailbox, message);
	if ((actor->job.traits & TRAIT_LIMITED) != 0)
		troupe__limits_skipped(actor, message);
}

/* Keeps @message for the next behaviour, or for that which has just come. */
static void run_skip(struct troupe_actor *actor, struct troupe_message *message,
		     uint32_t *depth)
{
	run_detach(actor, message, depth);
	run_stash(actor, message);
	++*depth;
	if ((actor->job.flags & ACTOR_BECAME) != 0)
		troupe__mailbox_unskip(&actor->mailbox);
}

/* @message was handled, with @result. */
static inline void run_release(struct troupe_actor *actor,
			       struct troupe_message *message, int result,
			       uint32_t *depth)
{
	if ((message->bits & MESSAGE_CARRIES) != 0)
		troupe__message_uncarry(actor, message);
	if ((message->bits & MESSAGE_PLAIN_MASK) == 0 ||
	    (message->bits & (MESSAGE_PLAIN_MASK | MESSAGE_ANSWERED)) ==
		    (MESSAGE_REQUEST | MESSAGE_ANSWERED)) {
		/* Nothing but a sender to release, as for most. */
		purse_owe(message, !mailbox_lanes_empty(&actor->mailbox));
		if (message != mailbox_base(&actor->mailbox))
			troupe__free(message);
		return;
	}
	/* A request may become its own answer. */
	run_detach(actor, message, depth);
	troupe__message_release(message, result < 0 ? result : -ENODATA);
}

/* One message; *@depth grows if it is skipped. Returns: 0, or the reason to
 * end the actor with. */
static inline int run_message(struct troupe_actor *actor,
			      struct troupe_message *message, uint32_t *depth)
{
	int result;

	purse_settle_for(message);
	if ((message->bits & MESSAGE_SYSTEM) != 0 &&
	    !troupe__signal_handle(actor, message))
		return 0;
	actor->job.flags &= (uint8_t)~ACTOR_BECAME;
	troupe__here.carrier =
		(message->bits & MESSAGE_CARRIES) != 0 ? message : NULL;
	if ((message->bits & MESSAGE_RESPONSE) != 0)
		result = troupe__request_response(actor, message);
	else
		result = actor->receive(actor, actor_state(actor), message);
	troupe__here.carrier = NULL;
	if (result == TROUPE_SKIP) {
		if ((message->bits & (MESSAGE_RESPONSE | MESSAGE_ANSWERED)) ==
		    0) {
			run_skip(actor, message, depth);
			return 0;
		}
		result = 0;
	}
	run_release(actor, message, result, depth);
	return result < 0 ? troupe__failure_handle(actor, result) : 0;
}

/* ---- the next message -------------------------------------------------- */

/* Messages that the owner knows of; others may read it. */
static inline uint32_t run_depth(const struct job *job)
{
	/* relaxed: written by the owner only, read as a number. */
	return atomic_load_explicit(&job->depth, memory_order_relaxed);
}

static inline void run_set_depth(struct job *job, uint32_t depth)
{
	/* relaxed: as above. */
	atomic_store_explicit(&job->depth, depth, memory_order_relaxed);
}

/* From the lanes, which are filled when empty; *@depth is kept up to date. */
static inline struct troupe_message *run_next(struct troupe_actor *actor,
					      uint32_t *depth)
{
	struct troupe_message *message = NULL;

	if (mailbox_lanes_empty(&actor->mailbox)) {
		uint32_t fetched;

		/* The base is not counted. */
		if (actor->job.traits != 0)
			fetched = mailbox_fetch(&actor->mailbox);
		else if ((message = mailbox_take_base(&actor->mailbox,
						      RUN_NO_BASE, &fetched)))
			return message;

		/* Not all: what was skipped waits too. */
		*depth += fetched;
		if (fetched != 0)
			message = mailbox_pop(&actor->mailbox);
	} else {
		message = mailbox_pop(&actor->mailbox);
	}
	if (message != NULL)
		--*depth;
	if ((actor->job.traits & TRAIT_LIMITED) == 0)
		return message;
	if (message == NULL)
		message = troupe__limits_pop(actor);
	if (message != NULL)
		troupe__limits_handled(actor, message);
	return message;
}

struct troupe_message *troupe__actor_next_message(struct troupe_actor *actor)
{
	uint32_t depth = run_depth(&actor->job);
	struct troupe_message *message = run_next(actor, &depth);

	run_set_depth(&actor->job, depth);
	return message;
}

void troupe__actor_skip(struct troupe_actor *actor,
			struct troupe_message *message)
{
	run_stash(actor, message);
	run_set_depth(&actor->job, run_depth(&actor->job) + 1);
}

void troupe__actor_unskipped(struct troupe_actor *actor,
			     struct troupe_message *message)
{
	run_set_depth(&actor->job, run_depth(&actor->job) - 1);
	if ((actor->job.traits & TRAIT_LIMITED) != 0)
		troupe__limits_handled(actor, message);
}

/* Where the first message of a run came from: see struct troupe_run. */
static inline void run_note_peer(const struct troupe_actor *actor,
				 const struct troupe_message *message)
{
	const struct job *sender;

	/* The message's count keeps the sender's memory. */
	if (message->sender.block == NULL ||
	    (message->bits & MESSAGE_SYSTEM) != 0)
		return;
	sender = &block_actor(message->sender.block)->job;
	if (job_home(sender) != troupe__here.home &&
	    sender->system == actor->job.system)
		troupe__here.peer = job_home(sender);
}

/* The system stops: an actor that traps hears of it once, as a message; the
 * others end, now or when they have handled what they have. */
static void run_told_to_end(struct troupe_actor *actor, uint8_t how)
{
	struct {
		struct troupe_message message;
		struct troupe_ended ended;
	} told = {
		.message = {.tag = TROUPE_TAG_EXIT,
			    .size = sizeof(struct troupe_ended)},
		.ended = {.reason = TROUPE_EXIT_SHUTDOWN},
	};
	int result;

	if ((actor->job.flags & ACTOR_TRAPS) == 0 || how == SYSTEM_KILLS) {
		if ((actor->actor_class->flags & TROUPE_CLASS_DRAIN) == 0 ||
		    how == SYSTEM_KILLS)
			troupe_quit(actor, TROUPE_EXIT_SHUTDOWN);
		return;
	}
	if ((actor->job.flags & ACTOR_TOLD) != 0)
		return;
	actor->job.flags |= ACTOR_TOLD;
	result = actor->receive(actor, actor_state(actor), &told.message);
	/* No restart: nobody would tell the new one. */
	if (result < 0 &&
	    (actor->actor_class->flags & TROUPE_CLASS_FAIL_IGNORE) == 0)
		troupe_quit(actor, result);
}

/* The same for a detached actor, whose behaviour may receive more. */
static int run_message_detached(struct troupe_actor *actor,
				struct troupe_message *message, uint32_t *depth)
{
	uint32_t before = *depth;
	int result;

	run_set_depth(&actor->job, before);
	result = run_message(actor, message, depth);
	*depth += run_depth(&actor->job) - before;
	return result;
}

/* The end of the system came while a callback took very long. */
static bool run_was_late(const struct troupe_system *system, uint8_t ending)
{
	/* relaxed: if it comes later still, settle() sees it. */
	return atomic_load_explicit(&system->ending, memory_order_relaxed) !=
	       ending;
}

enum job_state troupe__actor_run(struct troupe_actor *actor)
{
	const struct troupe_system *system = actor->job.system;
	/* relaxed: if it is set meanwhile, settle() sees it and we run again. */
	uint8_t ending =
		atomic_load_explicit(&system->ending, memory_order_relaxed);
	uint32_t handled = 0;
	enum job_state state = JOB_READY;
	uint32_t depth;

	troupe__here.actor = actor;
	purse_open(actor);
	/* One that has quit may have been held back since. */
	if (ending != SYSTEM_GOES_ON && (actor->job.flags & ACTOR_QUIT) == 0)
		run_told_to_end(actor, ending);
	/* Urgent messages may have come while others wait in the lanes. */
	depth = run_depth(&actor->job);
	if (depth != 0)
		depth += mailbox_fetch(&actor->mailbox);
	while ((actor->job.flags & ACTOR_QUIT) == 0) {
		struct troupe_message *message = run_next(actor, &depth);
		int result;

		if (message == NULL) {
			state = JOB_WAITING;
			break;
		}
		if (handled == 0)
			run_note_peer(actor, message);
		handled++;
		if ((actor->job.traits & TRAIT_DETACHED) == 0)
			result = run_message(actor, message, &depth);
		else
			result = run_message_detached(actor, message, &depth);
		if (result < 0)
			troupe_quit(actor, result);
		if (handled >= system->max_throughput ||
		    troupe__here.full.block != NULL ||
		    ((actor->job.traits & TRAIT_DETACHED) != 0 &&
		     run_was_late(system, ending)))
			break;
	}
	if (state == JOB_WAITING && ending != SYSTEM_GOES_ON &&
	    (actor->job.flags & ACTOR_TRAPS) == 0)
		troupe_quit(actor, TROUPE_EXIT_SHUTDOWN);
	if ((actor->job.flags & ACTOR_QUIT) != 0)
		state = JOB_DONE;
	if ((actor->job.traits & TRAIT_LIMITED) != 0)
		troupe__limits_settle(actor);
	purse_close(actor);
	troupe__here.actor = NULL;
	run_set_depth(&actor->job, depth);
	actor->job.messages = handled;
	return state;
}
