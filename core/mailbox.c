/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the mailbox that are not on the shortest path: sorting several
 * messages, skipping, closing. See mailbox.h.
 */
#include "mailbox.h"

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

uint32_t troupe__mailbox_sort(struct mailbox *mailbox,
			      struct troupe_message *chain)
{
	struct troupe_message *oldest = NULL;
	uint32_t count = 0;

	while (!mailbox_is_mark(chain)) {
		struct troupe_message *next = chain->next;

		chain->next = oldest;
		oldest = chain;
		chain = next;
		count++;
	}
	while (oldest != NULL) {
		struct troupe_message *message = oldest;

		oldest = message->next;
		if ((message->bits & MESSAGE_URGENT) != 0) {
			mailbox_append(&mailbox->urgent, message);
			continue;
		}
		message->next = NULL;
		if (mailbox->head == NULL)
			mailbox->head = message;
		else
			mailbox->tail->next = message;
		mailbox->tail = message;
	}
	return count;
}

void troupe__mailbox_skip(struct mailbox *mailbox,
			  struct troupe_message *message)
{
	mailbox_append(&mailbox->stash, message);
}

void troupe__mailbox_unskip(struct mailbox *mailbox)
{
	struct troupe_message *last = mailbox->stash;
	struct troupe_message *first = mailbox_open(&mailbox->stash);

	if (first == NULL)
		return;
	last->next = mailbox->head;
	if (mailbox->head == NULL)
		mailbox->tail = last;
	mailbox->head = first;
}

struct troupe_message *troupe__mailbox_close(struct mailbox *mailbox)
{
	struct troupe_message *all, *urgent, *last;
	/* acquire: the messages' fields; pairs with mailbox_push_mpsc().
	 * release: nothing is published by it. seq_cst for mailbox_nudge(). */
	struct troupe_message *chain =
		atomic_exchange(&mailbox->inbox, MAILBOX_CLOSED);

	troupe__mailbox_sort(mailbox, chain);
	troupe__mailbox_unskip(mailbox);
	all = mailbox->head;
	mailbox->head = NULL;
	last = mailbox->urgent;
	urgent = mailbox_open(&mailbox->urgent);
	if (urgent != NULL) {
		last->next = all;
		all = urgent;
	}
	return all;
}
