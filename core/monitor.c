/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a behaviour asks about other actors' ends: monitors, links, exit
 * signals. How they travel is watch.c's.
 */
#include "troupe_monitor.h"

#include <errno.h>

#include "block.h"
#include "process.h"
#include "watch.h"

static int signal_watch(struct troupe_actor *self, struct troupe_strong other,
			enum slot_kind kind, uint64_t *ret_number)
{
	struct troupe_message *watch, *end;
	struct troupe_strong me;
	uint64_t number;
	int result;

	if (process_lost(self->job.system))
		return -EOWNERDEAD;
	troupe_assert(self == troupe__here.actor);
	if (other.block == NULL || other.block == actor_block(self))
		return -EINVAL;
	if (process_lost_actor(other))
		return -EOWNERDEAD;
	result = troupe__slot_take(self, kind, &number);
	if (result != 0)
		return result;
	watch = troupe__signal_create(SIGNAL_WATCH,
				      sizeof(struct troupe_ended));
	end = troupe__signal_create(SIGNAL_UNWATCH, sizeof(struct signal_end));
	if (watch == NULL || end == NULL) {
		troupe__free(watch);
		troupe__free(end);
		troupe__slot_free(self, number);
		return -ENOMEM;
	}
	me = troupe__actor_self(self);
	watch->bits |= number;
	*signal_watch_of(watch) = (struct signal_watch){
		.observer = troupe__weak_from(me),
		.watched = other.block->id,
		.flags = kind == SLOT_LINK ? WATCH_LINK : 0,
	};
	troupe__strong_release(&me);
	*signal_end_of(end) = (struct signal_end){
		.watched = troupe__weak_from(other),
		.watch = watch,
	};
	troupe__slot_find(self, number)->end = end;
	if (troupe__message_deliver(other, watch) != 0)
		troupe__signal_release(watch);
	*ret_number = number;
	return 0;
}

int troupe_monitor(struct troupe_actor *self, struct troupe_strong other,
		   uint64_t *ret_monitor)
{
	return signal_watch(self, other, SLOT_MONITOR, ret_monitor);
}

int troupe_demonitor(struct troupe_actor *self, uint64_t monitor)
{
	struct troupe_message *end;

	if (process_lost(self->job.system))
		return -EOWNERDEAD;
	troupe_assert(self == troupe__here.actor);
	end = troupe__signal_take_end(self, monitor, SLOT_MONITOR);
	if (end == NULL)
		return -ENOENT;
	troupe__signal_send(&signal_end_of(end)->watched, end);
	return 0;
}

int troupe_link(struct troupe_actor *self, struct troupe_strong other)
{
	uint64_t number;

	return signal_watch(self, other, SLOT_LINK, &number);
}

/* Undoes the links to @other that @self made. Returns: if there was one. */
static bool link_undo_own(struct troupe_actor *self, struct troupe_strong other)
{
	struct actor_extra *extra = actor_extra(self);
	bool undone = false;

	for (uint32_t place = 0; extra != NULL && place < extra->slot_count;
	     place++) {
		struct actor_slot *slot = &extra->slots[place];

		if (slot->kind != SLOT_LINK ||
		    signal_end_of(slot->end)->watched.block != other.block)
			continue;
		troupe__signal_unlink(self, slot_number(place, slot->age));
		undone = true;
	}
	return undone;
}

/* A link that @other made, and that nobody undoes yet. */
static bool link_is_others(struct troupe_message *message,
			   struct troupe_strong other)
{
	const struct signal_watch *watch = signal_watch_of(message);

	return watch->flags == WATCH_LINK &&
	       watch->observer.block == other.block;
}

/* As many requests to undo a link as @other made, linked by next.
 * Returns: 0; -ENOMEM. */
static int link_make_asks(struct troupe_actor *self, struct troupe_strong other,
			  struct troupe_message **ret_asks)
{
	struct troupe_message *asks = NULL;

	for (struct troupe_message *at = actor_observers(self); at != NULL;
	     at = at->next) {
		struct troupe_message *ask;

		if (!link_is_others(at, other))
			continue;
		ask = troupe__signal_create(SIGNAL_UNLINK, 0);
		if (ask == NULL) {
			while ((ask = asks) != NULL) {
				asks = ask->next;
				troupe__free(ask);
			}
			return -ENOMEM;
		}
		ask->next = asks;
		asks = ask;
	}
	*ret_asks = asks;
	return 0;
}

/* Asks @other to undo those that it made. */
static void link_undo_other(struct troupe_actor *self,
			    struct troupe_strong other,
			    struct troupe_message *asks)
{
	for (struct troupe_message *at = actor_observers(self); asks != NULL;
	     at = at->next) {
		struct troupe_message *ask = asks;
		struct troupe_weak observer;

		if (!link_is_others(at, other))
			continue;
		asks = ask->next;
		ask->bits |= at->bits & MESSAGE_NUMBER;
		signal_watch_of(at)->flags |= WATCH_UNLINKED;
		observer = troupe__weak_from(other);
		troupe__signal_send(&observer, ask);
	}
}

int troupe_unlink(struct troupe_actor *self, struct troupe_strong other)
{
	struct troupe_message *asks;
	bool own;

	if (process_lost(self->job.system))
		return -EOWNERDEAD;
	troupe_assert(self == troupe__here.actor);
	if (other.block == NULL)
		return -ENOENT;
	if (link_make_asks(self, other, &asks) != 0)
		return -ENOMEM;
	own = link_undo_own(self, other);
	if (asks == NULL && !own)
		return -ENOENT;
	link_undo_other(self, other, asks);
	return 0;
}

void troupe_trap_exit(struct troupe_actor *self, bool trap)
{
	if (process_lost(self->job.system))
		return;
	troupe_assert(self == troupe__here.actor);
	if (trap)
		self->job.flags |= ACTOR_TRAPS;
	else
		self->job.flags &= (uint8_t)~ACTOR_TRAPS;
}

int troupe_send_exit(struct troupe_strong to, int reason)
{
	struct troupe_message *message;
	struct troupe_actor *here = troupe__here.actor;
	int result;

	if (to.block == NULL)
		return -EINVAL;
	if (process_lost_actor(to))
		return -EOWNERDEAD;
	message =
		troupe__signal_create(SIGNAL_EXIT, sizeof(struct troupe_ended));
	if (message == NULL)
		return -ENOMEM;
	troupe__signal_fill(message_inline(message),
			    here != NULL ? actor_block(here)->id : 0, reason,
			    NULL);
	result = troupe__message_deliver(to, message);
	if (result != 0)
		troupe__free(message);
	return result;
}
