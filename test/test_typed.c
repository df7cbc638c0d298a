/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Typed handles: what is sent arrives as what it was, and nothing else passes
 * for it. What must not compile: check_typed.sh. Conversions: test_casts.c.
 */
#include "unit.h"

#include "troupe_typed.h"

#include <errno.h>

struct point {
	int32_t x, y;
};

struct text {
	char letters[12];
};

TROUPE_TYPED(sink, (number, uint64_t), (point, struct point),
	     (pointer, const char *), (text, struct text), (ping))
TROUPE_TYPED_AT(extra, 100, (only, uint8_t))
/* The longest list. */
TROUPE_TYPED(longest, (m1), (m2), (m3), (m4), (m5), (m6), (m7), (m8), (m9),
	     (m10), (m11), (m12), (m13), (m14), (m15), (m16, uint64_t))

Test(typed, tags_are_distinct_and_in_order)
{
	cr_expect_eq(sink_tag_number, 1);
	cr_expect_eq(sink_tag_point, 2);
	cr_expect_eq(sink_tag_pointer, 3);
	cr_expect_eq(sink_tag_text, 4);
	cr_expect_eq(sink_tag_ping, 5);
	cr_expect_eq(extra_tag_only, 101);
	cr_expect_eq(longest_tag_m1, 1);
	cr_expect_eq(longest_tag_m16, 16);
}

Test(typed, handle_is_one_pointer)
{
	struct sink_ref ref = {0};
	struct sink_weak weak = {0};

	cr_expect_eq(sizeof(ref), sizeof(void *));
	cr_expect_eq(sizeof(weak), sizeof(void *));
	cr_expect(sink_is_null(ref));
	cr_expect(sink_weak_is_null(weak));
}

/* ---- what arrives -------------------------------------------------------- */

static struct {
	uint64_t number;
	struct point point;
	const char *pointer;
	struct text text;
	uint8_t only;
	uint64_t pings;
	uint64_t unknown;
} got;
static _Atomic uint64_t handled;

static int sink_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	int is = 0;

	(void)state;
	is += sink_is_number(message, &got.number);
	is += sink_is_point(message, &got.point);
	is += sink_is_pointer(message, &got.pointer);
	is += sink_is_text(message, &got.text);
	is += extra_is_only(message, &got.only);
	if (sink_is_ping(message)) {
		is++;
		got.pings++;
		troupe_reply(self, message, sink_tag_number, &got.number,
			     sizeof(got.number));
	}
	got.unknown += is == 0;
	cr_assert_leq(is, 1);
	atomic_fetch_add(&handled, 1);
	return 0;
}

static const struct troupe_actor_class sink_class = {
	.name = "sink",
	.receive = sink_receive,
};

static struct sink_ref sink_start(struct troupe_system *system)
{
	struct sink_ref sink;

	cr_assert_eq(troupe_spawn(system, &sink_class, NULL, &sink.strong), 0);
	return sink;
}

Test(typed, what_is_sent_arrives, .timeout = 60)
{
	static const char here[] = "here";
	struct troupe_system *system = unit_start(NULL, 1);
	struct sink_ref sink = sink_start(system);
	struct extra_ref extra = extra_from_strong(sink.strong);
	uint64_t exact = 6;

	cr_expect_eq(sink_send_number(sink, 5), 0);
	cr_expect_eq(TROUPE_SEND_EXACT(sink, number, sink, exact), 0);
	cr_expect_eq(sink_send_point(sink, (struct point){1, -2}), 0);
	cr_expect_eq(sink_send_pointer(sink, here), 0);
	cr_expect_eq(sink_send_text(sink, (struct text){"eleven char"}), 0);
	cr_expect_eq(sink_send_ping(sink), 0);
	cr_expect_eq(extra_send_only(extra, 255), 0);
	unit_await(&handled, 7);
	cr_expect_eq(got.number, 6);
	cr_expect_eq(got.point.x, 1);
	cr_expect_eq(got.point.y, -2);
	cr_expect_eq(got.pointer, here);
	cr_expect_str_eq(got.text.letters, "eleven char");
	cr_expect_eq(got.pings, 1);
	cr_expect_eq(got.only, 255);
	cr_expect_eq(got.unknown, 0);
	extra_release(&extra);
	sink_release(&sink);
	unit_stop(system);
}

/* A tag of the list with a payload of another size comes from an untyped send
 * and is not taken for the message. */
Test(typed, payload_of_another_size_is_not_taken, .timeout = 60)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct sink_ref sink = sink_start(system);
	uint32_t half = 1;

	cr_assert_eq(
		troupe_send(sink.strong, sink_tag_number, &half, sizeof(half)),
		0);
	cr_assert_eq(
		troupe_send(sink.strong, sink_tag_ping, &half, sizeof(half)),
		0);
	cr_assert_eq(troupe_send(sink.strong, sink_tag_number, NULL, 0), 0);
	unit_await(&handled, 3);
	cr_expect_eq(got.unknown, 3);
	cr_expect_eq(got.number, 0);
	sink_release(&sink);
	unit_stop(system);
}

Test(typed, null_handles_are_refused)
{
	struct sink_ref null = {0};

	cr_expect_eq(sink_send_ping(null), -EINVAL);
	cr_expect_eq(sink_send_number(null, 1), -EINVAL);
}

/* ---- requests ------------------------------------------------------------ */

static _Atomic uint64_t responses;
static uint64_t response;

static int asker_response(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)context;
	cr_assert(sink_is_number(message, &response));
	atomic_fetch_add(&responses, 1);
	return 0;
}

static int asker_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	const struct sink_ref *sink = argument;

	(void)state;
	return sink_request_ping(self, *sink, asker_response, NULL);
}

static int asker_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return 0;
}

static const struct troupe_actor_class asker_class = {
	.name = "asker",
	.init = asker_init,
	.receive = asker_receive,
};

Test(typed, request_is_answered, .timeout = 60)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct sink_ref sink = sink_start(system);
	struct troupe_strong asker;

	cr_assert_eq(sink_send_number(sink, 42), 0);
	cr_assert_eq(troupe_spawn(system, &asker_class, &sink, &asker), 0);
	unit_await(&responses, 1);
	cr_expect_eq(response, 42);
	troupe_strong_release(&asker);
	sink_release(&sink);
	unit_stop(system);
}
