/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the mailbox that are not on the shortest path: sorting several
 * messages, skipping, closing. See mailbox.h.
 */
#include "mailbox.h"

#include "platform.h"

/* Adds at the end of a circular list; *@list is its last message. */
static void mailbox_append(struct troupe_message **list,
			   struct troupe_message *message)
{
	if (*list == NULL) {
		message->next = message;
	} else {
		message->next = (*list)->next;
		(*list)->next = message;
	}
	*list = message;
}

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

/* Sorts @chain, newest first, down to @end, into the lanes. Returns: how many.
 */
static uint32_t mailbox_sort(struct mailbox *mailbox,
			     struct troupe_message *chain,
			     const struct troupe_message *end)
{
	struct troupe_message *oldest = NULL;
	uint32_t count = 0;

	while (!mailbox_is_mark(chain) && chain != end) {
		struct troupe_message *next = chain->next;

		chain->next = oldest;
		oldest = chain;
		chain = next;
		count++;
	}
	while (oldest != NULL) {
		struct troupe_message *message = oldest;

		oldest = message->next;
		mailbox_append((message->bits & MESSAGE_URGENT) != 0
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
	mailbox_append(&mailbox->stash, message);
}

/* Puts the circular list @first in front of @list. */
static void mailbox_prepend(struct troupe_message **list,
			    struct troupe_message *first)
{
	struct troupe_message *head;

	if (first == NULL)
		return;
	if (*list == NULL) {
		*list = first;
		return;
	}
	head = first->next;
	first->next = (*list)->next;
	(*list)->next = head;
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
