/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * purse.h - counting the senders of many messages at once
 *
 * Overview. A message holds a count of its sender: one atomic operation when
 * it is sent, one when it is released. An actor that sends or handles many in
 * one run needs fewer:
 *
 * The *purse* holds counts of the running actor itself. The first message of a
 * run takes one count, the next two, then four, and so on, and what is in the
 * purse is used first. What is left at the end of the run is given back.
 *
 * Counts that are *due* are those of the sender of the message before. If the
 * next message is of the same sender, it is one more; if not, they are given
 * back before the next callback. So no actor is kept alive by a count that is
 * due while a callback runs that has nothing to do with it.
 *
 * Neither outlives the run: a policy that waits in dequeue knows nothing of
 * actors, and giving the last count back may enqueue one.
 *
 * A detached actor has none: it may wait within its run, for as long as anybody
 * can reach it.
 *
 * Threads. What the running thread does (troupe__here).
 */
#ifndef PURSE_H
#define PURSE_H

#include "block.h"
#include "core.h"

#define PURSE_MOST 32u

/** The run of @actor begins. */
static inline void purse_open(struct troupe_actor *actor)
{
	if ((actor->job.traits & TRAIT_DETACHED) != 0)
		return;
	troupe__here.runs = actor;
	troupe__here.purse_next = 1;
}

/** A strong handle to @actor, which runs. */
static inline struct troupe_strong purse_take(struct troupe_actor *actor)
{
	struct here *here = &troupe__here;

	if (here->purse == 0) {
		here->purse = here->purse_next;
		if (here->purse_next < PURSE_MOST)
			here->purse_next *= 2;
		(void)troupe__strong_revive(actor_block(actor), here->purse);
	}
	here->purse--;
	return (struct troupe_strong){actor_block(actor)};
}

/** Gives back what is due. */
static inline void purse_settle(void)
{
	struct troupe_control_block *due = troupe__here.due;

	if (due == NULL)
		return;
	troupe__here.due = NULL;
	troupe__strong_drop(due, troupe__here.due_count);
}

/** @message is next; what is due to others than its sender is settled. */
static inline void purse_settle_for(const struct troupe_message *message)
{
	if (troupe__here.due != message->sender.block)
		purse_settle();
}

/** The count that @message holds of its sender becomes due, if there are
 * @more messages to come. */
static inline void purse_owe(struct troupe_message *message, bool more)
{
	struct here *here = &troupe__here;

	if ((!more && here->due == NULL) || here->runs == NULL) {
		troupe__strong_release(&message->sender);
		return;
	}
	if (message->sender.block == NULL)
		return;
	if (here->due == message->sender.block) {
		here->due_count++;
	} else {
		purse_settle();
		here->due = message->sender.block;
		here->due_count = 1;
	}
	message->sender.block = NULL;
}

/** The run of @actor ends. */
static inline void purse_close(struct troupe_actor *actor)
{
	uint32_t left = troupe__here.purse;

	purse_settle();
	troupe__here.runs = NULL;
	if (left == 0)
		return;
	troupe__here.purse = 0;
	troupe__strong_drop(actor_block(actor), left);
}

#endif
