/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the mailbox that are not on the shortest path: sorting several
 * messages, skipping, closing. See mailbox.h.
 */
#include "mailbox.h"

#include "platform.h"

/* Opens a circular list. Returns its first message; its last has next NULL. */
static struct troupe_message *mailbox_open(struct troupe_message **list)
{
	struct troupe_message *last = *list;
	struct troupe_message *first;

	if (last == NULL)
		return NULL;
	first = last->next;
	last->next = NULL;
	*list = NULL;
	return first;
}

/* Puts the circular list @more behind @list. */
static void mailbox_join(struct troupe_message **list,
			 struct troupe_message *more)
{
	struct troupe_message *first;

	if (*list != NULL) {
		first = (*list)->next;
		(*list)->next = more->next;
		more->next = first;
	}
	*list = more;
}

/* Sorts @chain, newest first, down to @end, into the lanes. Returns: how many.
 */
static uint32_t mailbox_sort(struct mailbox *mailbox,
			     struct troupe_message *chain,
			     const struct troupe_message *end)
{
	struct troupe_message *newest = chain;
	struct troupe_message *oldest = NULL;
	uint64_t bits = 0;
	uint32_t count = 0;

	while (!mailbox_is_mark(chain) && chain != end) {
		struct troupe_message *next = chain->next;

		bits |= chain->bits;
		chain->next = oldest;
		oldest = chain;
		chain = next;
		count++;
	}
	if (count != 0 && (bits & MESSAGE_URGENT) == 0) {
		newest->next = oldest;
		mailbox_join(&mailbox->normal, newest);
		return count;
	}
	while (oldest != NULL) {
		struct troupe_message *message = oldest;

		oldest = message->next;
		message->next = message;
		mailbox_join((message->bits & MESSAGE_URGENT) != 0
				     ? &mailbox->urgent
				     : &mailbox->normal,
			     message);
	}
	return count;
}

void troupe__mailbox_spent(struct troupe_message *base)
{
	troupe__free(base);
}

uint32_t troupe__mailbox_detach(struct mailbox *mailbox)
{
	struct troupe_message *base = mailbox_base(mailbox);

	mailbox_set_base(mailbox, NULL);
	/* acquire: the messages' fields; pairs with mailbox_push_mpsc(). The
	 * whole is seq_cst because it may take a nudge away: who nudges must
	 * have let its handle go before; pairs with mailbox_nudge(). */
	return mailbox_sort(mailbox,
			    mailbox_unnudged(atomic_exchange(&mailbox->inbox,
							     MAILBOX_EMPTY)),
			    base);
}

uint32_t troupe__mailbox_empty(struct mailbox *mailbox)
{
	struct troupe_message *spent = mailbox_base(mailbox);
	uint32_t count = troupe__mailbox_detach(mailbox);

	troupe__mailbox_spent(spent);
	return count;
}

void troupe__mailbox_skip(struct mailbox *mailbox,
			  struct troupe_message *message)
{
	message->next = message;
	mailbox_join(&mailbox->stash, message);
}

/* Puts the circular list @before in front of @list. */
static void mailbox_prepend(struct troupe_message **list,
			    struct troupe_message *before)
{
	struct troupe_message *last = *list;

	if (before == NULL)
		return;
	*list = before;
	if (last != NULL)
		mailbox_join(list, last);
}

void troupe__mailbox_unskip(struct mailbox *mailbox)
{
	mailbox_prepend(&mailbox->normal, mailbox->stash);
	mailbox->stash = NULL;
}

struct troupe_message *troupe__mailbox_close(struct mailbox *mailbox)
{
	struct troupe_message *base = mailbox_base(mailbox);
	/* acquire: the messages' fields; pairs with mailbox_push_mpsc().
	 * seq_cst for mailbox_nudge(). */
	struct troupe_message *chain =
		atomic_exchange(&mailbox->inbox, MAILBOX_CLOSED);

	mailbox_set_base(mailbox, NULL);
	mailbox_sort(mailbox, mailbox_unnudged(chain), base);
	troupe__mailbox_spent(base);
	troupe__mailbox_unskip(mailbox);
	mailbox_prepend(&mailbox->normal, mailbox->urgent);
	mailbox->urgent = NULL;
	return mailbox_open(&mailbox->normal);
}
