/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receiving where one may wait: any message, one that matches, until a time;
 * and asking.
 */
#include "scene.h"

TestSuite(receive, .timeout = 60);

static void expect_tag(struct scene *scene, uint32_t tag)
{
	cr_assert_eq(troupe_receive(scene->self, 0, &scene->message), 0);
	cr_assert_eq(scene->message->tag, tag);
	cr_assert_eq(*(const uint32_t *)troupe_payload(scene->message), tag);
}

Test(receive, in_order_and_nothing_twice)
{
	struct scene scene = scene_start();

	for (uint32_t i = 1; i <= 100; i++)
		scene_send(&scene, i);
	for (uint32_t i = 1; i <= 100; i++)
		expect_tag(&scene, i);
	cr_expect_eq(troupe_receive(scene.self, 0, &scene.message), -ETIMEDOUT);
	scene_stop(&scene);
}

Test(receive, urgent_ones_first)
{
	struct scene scene = scene_start();
	uint32_t tag = 9;

	scene_send(&scene, 1);
	cr_assert_eq(troupe_send_urgent(scene.me, tag, &tag, sizeof(tag)), 0);
	expect_tag(&scene, 9);
	expect_tag(&scene, 1);
	scene_stop(&scene);
}

Test(receive, a_match_leaves_the_others_in_order)
{
	struct scene scene = scene_start();

	for (uint32_t i = 1; i <= 6; i++)
		scene_send(&scene, i);
	cr_assert_eq(receive_tag(&scene, 4, 0), 0);
	cr_assert_eq(receive_tag(&scene, 2, 0), 0);
	cr_assert_eq(receive_tag(&scene, 6, 0), 0);
	cr_expect_eq(receive_tag(&scene, 77, 0), -ETIMEDOUT);
	scene_send(&scene, 7);
	expect_tag(&scene, 1);
	expect_tag(&scene, 3);
	/* The last of the stash by match, the first remains. */
	scene_send(&scene, 8);
	expect_tag(&scene, 5);
	cr_assert_eq(receive_tag(&scene, 8, 0), 0);
	expect_tag(&scene, 7);
	cr_expect_eq(troupe_receive(scene.self, 0, &scene.message), -ETIMEDOUT);
	scene_stop(&scene);
}

Test(receive, what_is_left_is_released)
{
	struct scene scene = scene_start();

	for (uint32_t i = 1; i <= 5; i++)
		scene_send(&scene, i);
	cr_assert_eq(receive_tag(&scene, 3, 0), 0);
	/* One is current, two are in the stash, two in the lanes. */
	scene_stop(&scene);
}

Test(receive, time_outs)
{
	struct scene scene = scene_start();
	uint64_t start = troupe_now();

	cr_expect_eq(
		troupe_receive(scene.self, 5 * MILLISECOND, &scene.message),
		-ETIMEDOUT);
	cr_expect_geq(troupe_now() - start, 5 * MILLISECOND);
	start = troupe_now();
	cr_expect_eq(troupe_receive_until(scene.self, start + 5 * MILLISECOND,
					  &scene.message),
		     -ETIMEDOUT);
	cr_expect_geq(troupe_now() - start, 5 * MILLISECOND);
	/* A time that has passed: a look, no more. */
	cr_expect_eq(troupe_receive_until(scene.self, 1, &scene.message),
		     -ETIMEDOUT);
	scene_send(&scene, 3);
	cr_expect_eq(troupe_receive_until(scene.self, 1, &scene.message), 0);
	/* After a time-out a message wakes as before. */
	cr_expect_eq(troupe_receive(scene.self, 1, &scene.message), -ETIMEDOUT);
	scene_send(&scene, 4);
	expect_tag(&scene, 4);
	scene_stop(&scene);
}

struct flood {
	struct troupe_strong to;
	_Atomic bool over;
};

static void *flood_main(void *data)
{
	struct flood *flood = data;

	while (!atomic_load(&flood->over)) {
		(void)troupe_send(flood->to, 1, NULL, 0);
		troupe_sleep(1000);
	}
	return NULL;
}

Test(receive, unwanted_messages_do_not_put_off_the_time_out)
{
	struct scene scene = scene_start();
	struct flood flood = {.to = scene.me};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		cr_assert_eq(
			pthread_create(&threads[i], NULL, flood_main, &flood),
			0);
	cr_expect_eq(receive_tag(&scene, 2, 20 * MILLISECOND), -ETIMEDOUT);
	atomic_store(&flood.over, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	scene_stop(&scene);
}

/* ---- asking ------------------------------------------------------------ */

Test(receive, ask_gets_the_response_and_nothing_else)
{
	struct scene scene = scene_start();
	struct troupe_strong echo;

	cr_assert_eq(
		troupe_spawn(scene.system, &threads_echo_class, NULL, &echo),
		0);
	scene_send(&scene, 5);
	for (uint64_t i = 1; i <= 50; i++) {
		cr_assert_eq(troupe_ask(scene.self, echo, 8, NULL, 0,
					TROUPE_FOREVER, &scene.message),
			     0);
		cr_assert_eq(scene.message->tag, 8);
		cr_assert_eq(*(const uint64_t *)troupe_payload(scene.message),
			     i);
	}
	expect_tag(&scene, 5);
	cr_expect_eq(troupe_ask(scene.self, (struct troupe_strong){NULL}, 1,
				NULL, 0, 0, &scene.message),
		     -EINVAL);
	troupe_strong_release(&echo);
	scene_stop(&scene);
}

Test(receive, who_has_ended_answers_with_an_error)
{
	struct scene scene = scene_start();
	struct unit_record record = {0};
	struct troupe_strong gone = unit_recorder(scene.system, &record);

	unit_send_quit(gone, 0);
	unit_await(&record.destroys, 1);
	cr_assert_eq(troupe_ask(scene.self, gone, 1, NULL, 0, TROUPE_FOREVER,
				&scene.message),
		     0);
	cr_expect_eq(scene.message->tag, TROUPE_TAG_ERROR);
	cr_expect_eq(*(const int *)troupe_payload(scene.message), -ESRCH);
	troupe_strong_release(&gone);
	scene_stop(&scene);
}

Test(receive, a_late_response_is_dropped)
{
	struct scene scene = scene_start();
	struct unit_record record = {0};
	struct unit_gate gate = {0};
	struct unit_gate *at = &gate;
	struct troupe_strong slow = unit_recorder(scene.system, &record);

	/* It answers, with an error, after it has been let through. */
	cr_expect_eq(troupe_ask(scene.self, slow, UNIT_HOLD, &at, sizeof(at),
				MILLISECOND, &scene.message),
		     -ETIMEDOUT);
	unit_gate_open(&gate);
	unit_await(&record.handled, 1);
	cr_expect_eq(
		troupe_receive(scene.self, 20 * MILLISECOND, &scene.message),
		-ETIMEDOUT);
	/* And not taken for the next one's. */
	cr_expect_eq(troupe_ask(scene.self, slow, UNIT_NOTE, &(uint64_t){7}, 8,
				TROUPE_FOREVER, &scene.message),
		     0);
	cr_expect_eq(scene.message->tag, TROUPE_TAG_ERROR);
	cr_expect_eq(record.notes[0], 7);
	troupe_strong_release(&slow);
	scene_stop(&scene);
}

/* ---- handlers on the way ----------------------------------------------- */

struct nested {
	struct troupe_strong echo;
	_Atomic uint64_t handled;
};

static int nested_handler(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	struct nested *nested = context;
	const struct troupe_message *inner;

	(void)state;
	cr_expect_eq(message->tag, 1);
	/* The response to the outer ask comes meanwhile. */
	cr_expect_eq(troupe_ask(self, nested->echo, 3, NULL, 0, TROUPE_FOREVER,
				&inner),
		     0);
	cr_expect_eq(inner->tag, 3);
	cr_expect_eq(troupe_receive(self, 10 * MILLISECOND, &inner),
		     -ETIMEDOUT);
	atomic_fetch_add(&nested->handled, 1);
	return 0;
}

Test(receive, a_handler_that_asks_does_not_eat_the_outer_response)
{
	struct scene scene = scene_start();
	struct nested nested = {0};

	cr_assert_eq(troupe_spawn(scene.system, &threads_echo_class, NULL,
				  &nested.echo),
		     0);
	for (uint64_t i = 1; i <= 10; i++) {
		cr_assert_eq(troupe_request(scene.self, nested.echo, 1, NULL, 0,
					    nested_handler, &nested),
			     0);
		cr_assert_eq(troupe_ask(scene.self, nested.echo, 2, NULL, 0,
					TROUPE_FOREVER, &scene.message),
			     0);
		cr_expect_eq(scene.message->tag, 2);
		cr_expect_eq(nested.handled, i);
	}
	troupe_strong_release(&nested.echo);
	scene_stop(&scene);
}

/* ---- where one may not wait -------------------------------------------- */

static int worker_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	const struct troupe_message *other;
	struct troupe_actor *scoped;
	struct troupe_strong me = troupe_self(self);

	(void)state;
	cr_expect_eq(troupe_receive(self, 0, &other), -EDEADLK);
	cr_expect_eq(troupe_receive_match(self, NULL, NULL, 0, &other),
		     -EDEADLK);
	cr_expect_eq(troupe_receive_until(self, 0, &other), -EDEADLK);
	cr_expect_eq(troupe_ask(self, me, 1, NULL, 0, 0, &other), -EDEADLK);
	cr_expect_eq(troupe_await_end(self, me, 0, NULL), -EDEADLK);
	cr_expect_eq(troupe_scoped_create(troupe_self_system(self), &scoped),
		     -EDEADLK);
	troupe_strong_release(&me);
	return troupe_reply(self, message, 1, NULL, 0);
}

Test(receive, never_on_a_worker)
{
	static const struct troupe_actor_class worker_class = {
		.name = "worker",
		.receive = worker_receive,
	};
	struct scene scene = scene_start();
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(scene.system, &worker_class, NULL, &actor),
		     0);
	cr_expect_eq(troupe_ask(scene.self, actor, 1, NULL, 0, TROUPE_FOREVER,
				&scene.message),
		     0);
	troupe_strong_release(&actor);
	scene_stop(&scene);
}

/* A detached actor in its callback may: and what it got is released. */
static int inside_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	const struct troupe_message *other;

	(void)state;
	if (message->tag != 1)
		return 0;
	cr_expect_eq(troupe_receive(self, TROUPE_FOREVER, &other), 0);
	cr_expect_eq(other->tag, 2);
	return troupe_reply(self, message, 3, troupe_payload(other),
			    other->size);
}

static void inside_exit(struct troupe_actor *self, void *state, int reason)
{
	const struct troupe_message *other;

	(void)state;
	(void)reason;
	cr_expect_eq(troupe_receive(self, TROUPE_FOREVER, &other), -ECANCELED);
}

Test(receive, in_the_callback_of_a_detached_actor)
{
	static const struct troupe_actor_class inside_class = {
		.name = "inside",
		.flags = TROUPE_CLASS_DETACHED,
		.receive = inside_receive,
		.on_exit = inside_exit,
	};
	struct scene scene = scene_start();
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(scene.system, &inside_class, NULL, &actor),
		     0);
	cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
	for (uint64_t i = 0; i < 3; i++)
		cr_assert_eq(troupe_send(actor, 2, &i, sizeof(i)), 0);
	cr_assert_eq(troupe_receive(scene.self, TROUPE_FOREVER, &scene.message),
		     0);
	cr_expect_eq(scene.message->tag, 3);
	cr_expect_eq(*(const uint64_t *)troupe_payload(scene.message), 0);
	troupe_strong_release(&actor);
	scene_stop(&scene);
}
