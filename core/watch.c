/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches, ends and exit signals on their way: sent, handled, released, and
 * what happens to them when an actor ends. See watch.h.
 */
#include "watch.h"

#include <errno.h>
#include <string.h>

#include "block.h"

struct troupe_message *troupe__signal_create(uint32_t tag, size_t size)
{
	struct troupe_message *message =
		troupe__message_create(tag, NULL, size);

	if (message == NULL)
		return NULL;
	memset(message_inline(message), 0, size);
	message->bits = MESSAGE_SYSTEM | MESSAGE_URGENT;
	return message;
}

void troupe__signal_fill(struct troupe_ended *ended, uint64_t actor, int reason,
			 const struct actor_extra *extra)
{
	memset(ended, 0, sizeof(*ended));
	ended->actor = actor;
	ended->reason = reason;
	if (extra != NULL)
		memcpy(ended->text, extra->text, sizeof(ended->text));
}

/* ---- sending ----------------------------------------------------------- */

/* Delivers to who is behind @to, if anyone still is; releases the handle. */
void troupe__signal_send(struct troupe_weak *to, struct troupe_message *message)
{
	struct troupe_strong strong = troupe__weak_lock(*to);

	troupe__weak_release(to);
	if (strong.block == NULL ||
	    troupe__message_deliver(strong, message) != 0)
		troupe__signal_release(message);
	troupe__strong_release(&strong);
}

/* Sends a watch back to its observer. */
static void signal_return(struct troupe_message *message, int reason,
			  const struct actor_extra *extra)
{
	struct signal_watch watch = *signal_watch_of(message);
	struct troupe_ended *ended = message_inline(message);

	troupe__signal_fill(ended, watch.watched, reason, extra);
	message->size = sizeof(*ended);
	if ((watch.flags & WATCH_LINK) != 0) {
		message->tag = TROUPE_TAG_EXIT;
	} else {
		message->tag = TROUPE_TAG_DOWN;
		ended->monitor = message->bits & MESSAGE_NUMBER;
	}
	troupe__signal_send(&watch.observer, message);
}

void troupe__signal_release(struct troupe_message *message)
{
	/* A watch whose actor had ended when it came; all others hold nothing
	 * while they are on their way. */
	if (message->tag == SIGNAL_WATCH)
		signal_return(message, -ESRCH, NULL);
	else
		troupe__free(message);
}

/* ---- the list of the watched actor ------------------------------------- */

static void watch_insert(struct troupe_actor *actor,
			 struct troupe_message *message)
{
	signal_watch_of(message)->prev = NULL;
	message->next = actor_observers(actor);
	if (message->next != NULL)
		signal_watch_of(message->next)->prev = message;
	actor_set_observers(actor, message);
}

static void watch_remove(struct troupe_actor *actor,
			 struct troupe_message *message)
{
	struct troupe_message *prev = signal_watch_of(message)->prev;

	if (prev != NULL)
		prev->next = message->next;
	else
		actor_set_observers(actor, message->next);
	if (message->next != NULL)
		signal_watch_of(message->next)->prev = prev;
}

static void watch_free(struct troupe_message *message)
{
	troupe__weak_release(&signal_watch_of(message)->observer);
	troupe__free(message);
}

/* ---- handling ---------------------------------------------------------- */

/* Frees the slot with @message's number, if it is of that kind still.
 * Returns: its end, or NULL. */
struct troupe_message *troupe__signal_take_end(struct troupe_actor *actor,
					       uint64_t number,
					       enum slot_kind kind)
{
	struct actor_slot *slot = troupe__slot_find(actor, number);
	struct troupe_message *end;

	if (slot == NULL || slot->kind != kind)
		return NULL;
	end = slot->end;
	troupe__slot_free(actor, number);
	return end;
}

/* Frees the slot that waited for @message, which came. */
static bool slot_expected(struct troupe_actor *actor,
			  const struct troupe_message *message,
			  enum slot_kind kind)
{
	struct troupe_message *end = troupe__signal_take_end(
		actor, message->bits & MESSAGE_NUMBER, kind);

	if (end == NULL)
		return false;
	troupe__weak_release(&signal_end_of(end)->watched);
	troupe__free(end);
	return true;
}

/* For the behaviour to see, as a message like any other. */
static bool signal_show(struct troupe_message *message, uint32_t tag)
{
	message->tag = tag;
	message->bits = 0;
	return true;
}

static bool signal_drop(struct troupe_message *message)
{
	troupe__free(message);
	return false;
}

static bool signal_exit(struct troupe_actor *actor,
			struct troupe_message *message, bool link)
{
	const struct troupe_ended *ended = message_inline(message);
	bool kill = !link && ended->reason == TROUPE_EXIT_KILL;

	if ((actor->job.flags & ACTOR_TRAPS) != 0 && !kill)
		return signal_show(message, TROUPE_TAG_EXIT);
	if (!link || ended->reason != TROUPE_EXIT_NORMAL)
		troupe_quit_text(actor, ended->reason, ended->text);
	return signal_drop(message);
}

static bool signal_link_end(struct troupe_actor *actor,
			    struct troupe_message *message)
{
	struct signal_end end = *signal_end_of(message);
	bool unlinked =
		(signal_watch_of(end.watch)->flags & WATCH_UNLINKED) != 0;

	watch_remove(actor, end.watch);
	watch_free(end.watch);
	if (unlinked)
		return signal_drop(message);
	memcpy(message_inline(message), &end.ended, sizeof(end.ended));
	message->size = sizeof(end.ended);
	return signal_exit(actor, message, true);
}

/* The other side of a link undoes it: it gets the end that rests here. */
void troupe__signal_unlink(struct troupe_actor *actor, uint64_t number)
{
	struct troupe_message *end =
		troupe__signal_take_end(actor, number, SLOT_LINK);

	if (end != NULL)
		troupe__signal_send(&signal_end_of(end)->watched, end);
}

bool troupe__signal_handle(struct troupe_actor *actor,
			   struct troupe_message *message)
{
	switch (message->tag) {
	case SIGNAL_WATCH:
		watch_insert(actor, message);
		return false;
	case SIGNAL_UNWATCH:
		watch_remove(actor, signal_end_of(message)->watch);
		watch_free(signal_end_of(message)->watch);
		return signal_drop(message);
	case SIGNAL_LINK_END:
		return signal_link_end(actor, message);
	case SIGNAL_UNLINK:
		troupe__signal_unlink(actor, message->bits & MESSAGE_NUMBER);
		return signal_drop(message);
	case SIGNAL_EXIT:
		return signal_exit(actor, message, false);
	case TROUPE_TAG_EXIT:
		if (!slot_expected(actor, message, SLOT_LINK))
			return signal_drop(message);
		return signal_exit(actor, message, true);
	default:
		troupe_assert(message->tag == TROUPE_TAG_DOWN);
		if (!slot_expected(actor, message, SLOT_MONITOR))
			return signal_drop(message);
		return signal_show(message, TROUPE_TAG_DOWN);
	}
}

void troupe__signal_end(struct troupe_actor *actor, int reason)
{
	struct actor_extra *extra = actor_extra(actor);
	uint64_t id = actor_block(actor)->id;

	while (actor_observers(actor) != NULL) {
		struct troupe_message *watch = actor_observers(actor);

		watch_remove(actor, watch);
		if ((signal_watch_of(watch)->flags & WATCH_UNLINKED) != 0)
			watch_free(watch);
		else
			signal_return(watch, reason, extra);
	}
	for (uint32_t place = 0; extra != NULL && place < extra->slot_count;
	     place++) {
		struct actor_slot *slot = &extra->slots[place];
		struct troupe_message *end = slot->end;
		bool link = slot->kind == SLOT_LINK;

		if (slot->kind != SLOT_MONITOR && !link)
			continue;
		slot->kind = SLOT_FREE;
		if (link) {
			end->tag = SIGNAL_LINK_END;
			troupe__signal_fill(&signal_end_of(end)->ended, id,
					    reason, extra);
		}
		troupe__signal_send(&signal_end_of(end)->watched, end);
	}
}
