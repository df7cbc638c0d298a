/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * watch.h - what actors tell each other about their ends, and how
 *
 * Monitors, links and exit signals. No list here is shared: an actor's
 * observers are its own list, changed by messages to it.
 *
 * Each monitor or link is two messages, allocated when it is made, so that
 * nothing can fail when an actor ends:
 *
 *	the watch	goes to the watched actor, rests in its list, and
 *			comes back as TROUPE_TAG_DOWN or as an exit signal
 *	the end		rests in a slot of the observer, and goes to the
 *			watched actor to take the watch out of the list,
 *			when the observer changes its mind or ends
 *
 * Both are urgent, so the end never overtakes its watch. A watch that comes
 * back late finds its slot free or reused, and is dropped.
 */
#ifndef WATCH_H
#define WATCH_H

#include "extra.h"

/* Tags of MESSAGE_SYSTEM messages, beside TROUPE_TAG_DOWN and _EXIT. An end
 * goes as UNWATCH when its observer changed its mind or had a monitor only,
 * as LINK_END when the observer of a link has ended. UNLINK asks the observer
 * of a link for its end; EXIT is troupe_send_exit()'s. */
#define SIGNAL_WATCH	(TROUPE_TAG_RESERVED + 16)
#define SIGNAL_UNWATCH	(TROUPE_TAG_RESERVED + 17)
#define SIGNAL_LINK_END (TROUPE_TAG_RESERVED + 18)
#define SIGNAL_UNLINK	(TROUPE_TAG_RESERVED + 19)
#define SIGNAL_EXIT	(TROUPE_TAG_RESERVED + 20)

enum watch_flags {
	WATCH_LINK = 1u << 0,
	WATCH_UNLINKED = 1u << 1, /* SIGNAL_UNLINK is on its way */
};

/* While it rests; when it comes back it is a struct troupe_ended. */
struct signal_watch {
	struct troupe_message *prev; /* next is the message's own */
	struct troupe_weak observer;
	uint64_t watched; /* id */
	uint32_t flags;
};

struct signal_end {
	struct troupe_weak watched;
	struct troupe_message *watch; /* valid where the watch rests */
	struct troupe_ended ended;    /* of a link's observer */
};

_Static_assert(sizeof(struct troupe_ended) == 64, "part of the interface");
_Static_assert(sizeof(struct signal_watch) <= sizeof(struct troupe_ended),
	       "a watch becomes a message about an end");

static inline struct signal_watch *
signal_watch_of(struct troupe_message *message)
{
	return message_inline(message);
}

static inline struct signal_end *signal_end_of(struct troupe_message *message)
{
	return message_inline(message);
}

/** A zeroed MESSAGE_SYSTEM message; NULL when out of memory. */
struct troupe_message *troupe__signal_create(uint32_t tag, size_t size);

/** @extra gives the text; may be NULL. */
void troupe__signal_fill(struct troupe_ended *ended, uint64_t actor, int reason,
			 const struct actor_extra *extra);

/** Delivers to who is behind @to, if anyone still is; releases the handle and
 * owns the message. */
void troupe__signal_send(struct troupe_weak *to,
			 struct troupe_message *message);

/** Frees the slot with @number, if it is of that kind still. Returns: its
 * end, which is the caller's; or NULL. */
struct troupe_message *troupe__signal_take_end(struct troupe_actor *actor,
					       uint64_t number,
					       enum slot_kind kind);

/** Undoes the link in the slot @number, if it is there still. */
void troupe__signal_unlink(struct troupe_actor *actor, uint64_t number);

#endif
