/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mailbox alone: what its word says after each operation, the order of
 * the lanes, and that no message is lost on any way out. Many threads at it:
 * stress_mailbox.c; all orders of events: model/mailbox.pml.
 */
#include "mailbox.h"

#include "core.h"

#include <criterion/criterion.h>

TestSuite(mailbox, .timeout = 60);

static struct troupe_message *make(uint32_t tag, uint64_t bits)
{
	struct troupe_message *message = troupe__message_create(tag, NULL, 0);

	cr_assert_not_null(message);
	message->bits = bits;
	return message;
}

static enum mailbox_pushed put(struct mailbox *mailbox, uint32_t tag)
{
	return mailbox_push_mpsc(mailbox, make(tag, 0));
}

static enum mailbox_pushed put_urgent(struct mailbox *mailbox, uint32_t tag)
{
	return mailbox_push_mpsc(mailbox, make(tag, MESSAGE_URGENT));
}

/* The next message's tag, 0 if there is none; the message is freed. */
static uint32_t take(struct mailbox *mailbox)
{
	struct troupe_message *message = mailbox_pop(mailbox);
	uint32_t tag;

	if (message == NULL)
		return 0;
	tag = message->tag;
	troupe__message_release(message, 0);
	return tag;
}

/* Closes, and checks the tags of what was left; they end with 0. */
static void close_expecting(struct mailbox *mailbox, const uint32_t *tags)
{
	struct troupe_message *message = troupe__mailbox_close(mailbox);

	while (message != NULL) {
		struct troupe_message *next = message->next;

		cr_assert_eq(message->tag, *tags, "%u where %u should be",
			     message->tag, *tags);
		tags++;
		troupe__message_release(message, 0);
		message = next;
	}
	cr_assert_eq(*tags, 0, "%u is lost", *tags);
	cr_assert_eq(troupe__live_allocations(), 0);
}

/* So many messages are not freed yet, where they are counted. */
static void expect_live(uint64_t count)
{
	if (TROUPE_HOOKS)
		cr_expect_eq(troupe__live_allocations(), count);
}

static const uint32_t nothing[] = {0};

#define NUDGED ((struct troupe_message *)MAILBOX_NUDGE_BIT)

static struct troupe_message *word(struct mailbox *mailbox)
{
	return atomic_load(&mailbox->inbox);
}

Test(mailbox, a_zeroed_one_is_empty_and_owned)
{
	struct mailbox mailbox = {.normal = NULL};

	mailbox_fetch(&mailbox);
	cr_expect_null(mailbox_pop(&mailbox));
	cr_expect(mailbox_lanes_empty(&mailbox));
	cr_expect_eq(put(&mailbox, 1), MAILBOX_QUEUED);
	close_expecting(&mailbox, (uint32_t[]){1, 0});
}

Test(mailbox, keeps_the_order_over_several_fetches)
{
	struct mailbox mailbox = {.normal = NULL};

	for (uint32_t i = 1; i <= 3; i++)
		put(&mailbox, i);
	mailbox_fetch(&mailbox);
	for (uint32_t i = 4; i <= 7; i++)
		put(&mailbox, i);
	cr_expect_eq(take(&mailbox), 1);
	mailbox_fetch(&mailbox);
	put(&mailbox, 8);
	mailbox_fetch(&mailbox);
	for (uint32_t i = 2; i <= 8; i++)
		cr_expect_eq(take(&mailbox), i);
	cr_expect_eq(take(&mailbox), 0);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, urgent_ones_go_first_and_keep_their_own_order)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	put_urgent(&mailbox, 101);
	put(&mailbox, 2);
	put_urgent(&mailbox, 102);
	mailbox_fetch(&mailbox);
	cr_expect_eq(take(&mailbox), 101);
	put_urgent(&mailbox, 103);
	mailbox_fetch(&mailbox);
	cr_expect_eq(take(&mailbox), 102);
	cr_expect_eq(take(&mailbox), 103);
	cr_expect_eq(take(&mailbox), 1);
	cr_expect_eq(take(&mailbox), 2);
	cr_expect_eq(take(&mailbox), 0);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, one_urgent_message_alone_is_found)
{
	struct mailbox mailbox = {.normal = NULL};

	put_urgent(&mailbox, 101);
	mailbox_fetch(&mailbox);
	cr_expect(!mailbox_lanes_empty(&mailbox));
	cr_expect_eq(take(&mailbox), 101);
	cr_expect(mailbox_lanes_empty(&mailbox));
	close_expecting(&mailbox, nothing);
}

Test(mailbox, only_the_first_push_takes_idle_away)
{
	struct mailbox mailbox = {.normal = NULL};

	cr_assert(mailbox_try_idle(&mailbox));
	cr_assert_eq(word(&mailbox), MAILBOX_IDLE);
	cr_expect_eq(put(&mailbox, 1), MAILBOX_WOKEN);
	cr_expect_eq(put(&mailbox, 2), MAILBOX_QUEUED);
	mailbox_fetch(&mailbox);
	cr_expect_eq(take(&mailbox), 1);
	cr_expect_eq(take(&mailbox), 2);
	cr_expect_eq(take(&mailbox), 0);
	cr_expect(mailbox_try_idle(&mailbox));
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_CLAIMED);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, does_not_become_idle_over_a_new_message)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	cr_expect(!mailbox_try_idle(&mailbox));
	cr_expect(!mailbox_is_mark(word(&mailbox)));
	close_expecting(&mailbox, (uint32_t[]){1, 0});
}

Test(mailbox, a_nudge_claims_an_idle_one_once)
{
	struct mailbox mailbox = {.normal = NULL};

	cr_assert(mailbox_try_idle(&mailbox));
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_CLAIMED);
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_NUDGED);
	cr_expect_eq(word(&mailbox), NUDGED);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, a_nudge_keeps_it_from_idle_until_it_is_taken)
{
	struct mailbox mailbox = {.normal = NULL};

	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_NUDGED);
	cr_expect(!mailbox_try_idle(&mailbox));
	mailbox_fetch(&mailbox);
	cr_expect_eq(word(&mailbox), NUDGED);
	mailbox_take_nudge(&mailbox, word(&mailbox));
	cr_expect(mailbox_try_idle(&mailbox));
	cr_assert_eq(mailbox_nudge(&mailbox), MAILBOX_CLAIMED);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, a_nudge_below_messages_or_above_them_harms_none)
{
	struct mailbox mailbox = {.normal = NULL};

	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_NUDGED);
	cr_expect_eq(put(&mailbox, 1), MAILBOX_QUEUED);
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_NUDGED);
	cr_expect_eq(put(&mailbox, 2), MAILBOX_QUEUED);
	mailbox_take_nudge(&mailbox, word(&mailbox));
	mailbox_fetch(&mailbox);
	cr_expect_eq(take(&mailbox), 1);
	cr_expect_eq(take(&mailbox), 2);
	cr_expect_eq(take(&mailbox), 0);
	cr_expect_eq(word(&mailbox), MAILBOX_EMPTY);

	/* The same when it is closed instead. */
	mailbox_nudge(&mailbox);
	put(&mailbox, 3);
	close_expecting(&mailbox, (uint32_t[]){3, 0});
}

Test(mailbox, a_closed_one_refuses_and_stays_closed)
{
	struct mailbox mailbox = {.normal = NULL};
	struct troupe_message *message = make(1, 0);

	cr_expect_null(troupe__mailbox_close(&mailbox));
	cr_expect_eq(mailbox_push_mpsc(&mailbox, message), MAILBOX_REFUSED);
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_WAS_CLOSED);
	mailbox_take_nudge(&mailbox, word(&mailbox));
	mailbox_fetch(&mailbox);
	cr_expect(!mailbox_try_idle(&mailbox));
	cr_expect_eq(word(&mailbox), MAILBOX_CLOSED);
	troupe__message_release(message, 0);
	cr_expect_eq(troupe__live_allocations(), 0);
}

Test(mailbox, skipped_ones_come_back_in_front_in_their_order)
{
	struct mailbox mailbox = {.normal = NULL};

	for (uint32_t i = 1; i <= 4; i++)
		put(&mailbox, i);
	mailbox_fetch(&mailbox);
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	cr_expect_eq(take(&mailbox), 2);
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	troupe__mailbox_unskip(&mailbox);
	put(&mailbox, 5);
	mailbox_fetch(&mailbox);
	cr_expect_eq(take(&mailbox), 1);
	cr_expect_eq(take(&mailbox), 3);
	cr_expect_eq(take(&mailbox), 4);
	cr_expect_eq(take(&mailbox), 5);
	cr_expect_eq(take(&mailbox), 0);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, unskipping_into_empty_lanes_leaves_a_sound_end)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	put(&mailbox, 2);
	mailbox_fetch(&mailbox);
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	cr_expect(mailbox_lanes_empty(&mailbox));
	troupe__mailbox_unskip(&mailbox);
	troupe__mailbox_unskip(&mailbox);
	/* Several, so that they are sorted behind the last one. */
	put(&mailbox, 3);
	put(&mailbox, 4);
	mailbox_fetch(&mailbox);
	for (uint32_t i = 1; i <= 4; i++)
		cr_expect_eq(take(&mailbox), i);
	cr_expect_eq(take(&mailbox), 0);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, a_skipped_urgent_one_comes_back_before_the_normal_ones)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	put_urgent(&mailbox, 101);
	mailbox_fetch(&mailbox);
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	troupe__mailbox_unskip(&mailbox);
	cr_expect_eq(take(&mailbox), 101);
	cr_expect_eq(take(&mailbox), 1);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, closing_hands_back_what_is_anywhere_in_it)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	put(&mailbox, 2);
	put_urgent(&mailbox, 101);
	mailbox_fetch(&mailbox);
	cr_expect_eq(take(&mailbox), 101);
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	put_urgent(&mailbox, 102);
	put(&mailbox, 3);
	mailbox_fetch(&mailbox);
	put(&mailbox, 4);
	put_urgent(&mailbox, 103);
	close_expecting(&mailbox, (uint32_t[]){102, 103, 1, 2, 3, 4, 0});
}

Test(mailbox, closing_hands_back_skipped_ones_alone)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	mailbox_fetch(&mailbox);
	troupe__mailbox_skip(&mailbox, mailbox_pop(&mailbox));
	close_expecting(&mailbox, (uint32_t[]){1, 0});
}

/* ---- the base ---------------------------------------------------------- */

/* The tag of the one new message, which is the base from then on; or 0. */
static uint32_t take_base(struct mailbox *mailbox)
{
	uint32_t fetched;
	struct troupe_message *message =
		mailbox_take_base(mailbox, MESSAGE_URGENT, &fetched);

	cr_expect_eq(fetched, 0);
	return message == NULL ? 0 : message->tag;
}

Test(mailbox, a_single_message_stays_in_the_word_until_it_is_idle)
{
	struct mailbox mailbox = {.normal = NULL};

	cr_expect_eq(take_base(&mailbox), 0);
	put(&mailbox, 1);
	cr_expect_eq(take_base(&mailbox), 1);
	cr_expect_eq(word(&mailbox), mailbox_base(&mailbox));
	cr_expect(!mailbox_has_new(&mailbox, word(&mailbox)));
	cr_expect_eq(take_base(&mailbox), 0, "it is not new");
	cr_expect_eq(mailbox_fetch(&mailbox), 0);
	expect_live(1);
	cr_expect(mailbox_try_idle(&mailbox));
	cr_expect_null(mailbox_base(&mailbox));
	cr_expect_eq(troupe__live_allocations(), 0);
	cr_expect_eq(put(&mailbox, 2), MAILBOX_WOKEN);
	close_expecting(&mailbox, (uint32_t[]){2, 0});
}

Test(mailbox, a_message_above_the_base_is_the_next_one)
{
	struct mailbox mailbox = {.normal = NULL};

	for (uint32_t i = 1; i <= 4; i++) {
		cr_expect_eq(put(&mailbox, i), MAILBOX_QUEUED);
		cr_expect(!mailbox_try_idle(&mailbox));
		cr_expect_eq(take_base(&mailbox), i);
		expect_live(1);
	}
	close_expecting(&mailbox, nothing);
}

Test(mailbox, several_above_the_base_are_fetched_without_it)
{
	struct mailbox mailbox = {.normal = NULL};
	uint32_t fetched;

	put(&mailbox, 1);
	cr_expect_eq(take_base(&mailbox), 1);
	put(&mailbox, 2);
	put(&mailbox, 3);
	cr_expect_null(mailbox_take_base(&mailbox, 0, &fetched));
	cr_expect_eq(fetched, 2);
	cr_expect_null(mailbox_base(&mailbox));
	cr_expect_eq(word(&mailbox), MAILBOX_EMPTY);
	cr_expect_eq(take(&mailbox), 2);
	cr_expect_eq(take(&mailbox), 3);
	cr_expect_eq(take(&mailbox), 0);
	cr_expect(mailbox_try_idle(&mailbox));
	close_expecting(&mailbox, nothing);
}

Test(mailbox, some_messages_are_no_base)
{
	struct mailbox mailbox = {.normal = NULL};
	uint32_t fetched;

	put_urgent(&mailbox, 101);
	cr_expect_null(mailbox_take_base(&mailbox, MESSAGE_URGENT, &fetched));
	cr_expect_eq(fetched, 1);
	cr_expect_eq(take(&mailbox), 101);
	close_expecting(&mailbox, nothing);
}

Test(mailbox, a_detached_message_is_the_callers)
{
	struct mailbox mailbox = {.normal = NULL};
	uint32_t fetched;
	struct troupe_message *message;

	put(&mailbox, 1);
	message = mailbox_take_base(&mailbox, 0, &fetched);
	put(&mailbox, 2);
	put_urgent(&mailbox, 101);
	cr_expect_eq(troupe__mailbox_detach(&mailbox), 2);
	cr_expect_null(mailbox_base(&mailbox));
	troupe__mailbox_skip(&mailbox, message);
	cr_expect_eq(take(&mailbox), 101);
	cr_expect_eq(take(&mailbox), 2);
	close_expecting(&mailbox, (uint32_t[]){1, 0});
}

Test(mailbox, closing_hands_back_what_is_above_the_base)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	cr_expect_eq(take_base(&mailbox), 1);
	put(&mailbox, 2);
	close_expecting(&mailbox, (uint32_t[]){2, 0});
}

Test(mailbox, a_nudge_beside_the_base_keeps_it_from_idle)
{
	struct mailbox mailbox = {.normal = NULL};

	put(&mailbox, 1);
	/* Before it is the base, too: the owner may not look at the word
	 * again between the two. */
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_NUDGED);
	cr_expect_eq(take_base(&mailbox), 1);
	cr_expect(!mailbox_try_idle(&mailbox));
	cr_expect(mailbox_is_nudged(word(&mailbox)));
	mailbox_take_nudge(&mailbox, word(&mailbox));
	cr_expect_eq(mailbox_nudge(&mailbox), MAILBOX_NUDGED);
	cr_expect(!mailbox_try_idle(&mailbox));
	mailbox_take_nudge(&mailbox, word(&mailbox));
	cr_expect(mailbox_try_idle(&mailbox));
	close_expecting(&mailbox, nothing);
}
