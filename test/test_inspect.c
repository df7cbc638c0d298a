/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking at the living actors: each once, with what can be seen of it, while
 * others come and go.
 */
#include "boxes.h"

#include <stdio.h>

TestSuite(inspect, .timeout = 100);

#define SEEN_MAX 64

struct seen {
	uint64_t count;
	uint64_t stop_at; /* 0: never */
	struct troupe_actor_info info[SEEN_MAX];
};

static bool note_actor(const struct troupe_actor_info *info, void *context)
{
	struct seen *seen = context;

	if (seen->count < SEEN_MAX)
		seen->info[seen->count] = *info;
	seen->count++;
	return seen->count != seen->stop_at;
}

/* What is seen of the actor @id; it must be seen once. */
static struct troupe_actor_info look_at(struct troupe_system *system,
					uint64_t id)
{
	struct troupe_actor_info info = {0};
	struct seen seen = {0};
	int found = 0;

	troupe_system_actors(system, note_actor, &seen);
	cr_assert_leq(seen.count, SEEN_MAX);
	for (uint64_t i = 0; i < seen.count; i++)
		if (seen.info[i].id == id) {
			info = seen.info[i];
			found++;
		}
	cr_assert_eq(found, 1);
	return info;
}

/* Skips all with the tag 1. */
static int skip_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	if (message->tag == 2)
		troupe_become(self, skip_receive);
	return message->tag == 1 ? TROUPE_SKIP : 0;
}

static const struct troupe_actor_class skip_class = {
	.name = "skip",
	.receive = skip_receive,
};

/* ---- who is there ------------------------------------------------------ */

Test(inspect, shows_each_living_actor_once)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[10] = {0};
	struct seen seen = {0};

	troupe_system_actors(system, note_actor, &seen);
	cr_expect_eq(seen.count, 0);
	for (int i = 0; i < 10; i++)
		puppet_spawn(system, &puppets[i]);
	for (int i = 0; i < 10; i++) {
		struct troupe_actor_info info = look_at(system, puppets[i].id);

		cr_expect_str_eq(info.name, "puppet");
	}
	for (int i = 0; i < 10; i += 2)
		puppet_end(system, &puppets[i], 0);
	troupe_system_actors(system, note_actor, &seen);
	cr_expect_eq(seen.count, 5);
	for (int i = 1; i < 10; i += 2)
		(void)look_at(system, puppets[i].id);
	puppet_stop(system, puppets, 10);
}

Test(inspect, stops_when_told)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[10] = {0};
	struct seen seen = {.stop_at = 3};

	for (int i = 0; i < 10; i++)
		puppet_spawn(system, &puppets[i]);
	troupe_system_actors(system, note_actor, &seen);
	cr_expect_eq(seen.count, 3);
	puppet_stop(system, puppets, 10);
}

Test(inspect, finds_a_hundred_thousand)
{
	enum {
		COUNT = 100000
	};
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_strong *actors = troupe__alloc(COUNT * sizeof(*actors));
	struct seen seen = {0};

	for (int i = 0; i < COUNT; i++)
		cr_assert_eq(
			troupe_spawn(system, &skip_class, NULL, &actors[i]), 0);
	troupe_system_actors(system, note_actor, &seen);
	cr_expect_eq(seen.count, COUNT);
	cr_expect_eq(troupe_system_stop(system, UNIT_PATIENCE, 0, NULL, NULL),
		     0);
	for (int i = 0; i < COUNT; i++)
		troupe_strong_release(&actors[i]);
	troupe__free(actors);
	cr_assert_eq(troupe_system_destroy(system), 0);
}

/* ---- states ------------------------------------------------------------ */

static void do_look_at_itself(struct troupe_actor *self, struct puppet *puppet,
			      void *argument)
{
	struct troupe_strong me = troupe_self(self);

	*(struct troupe_actor_info *)argument =
		look_at(troupe_self_system(self), troupe_strong_id(me));
	puppet->number = troupe_self_worker(self);
	troupe_strong_release(&me);
}

Test(inspect, shows_states_and_workers)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_actor_info info;
	struct puppet puppet = {0};
	struct box boxes[2];
	struct puppet behind = {0};

	puppet.on_init = do_look_at_itself;
	puppet.argument = &info;
	puppet_spawn(system, &puppet);
	cr_expect_eq(info.state, TROUPE_ACTOR_NEW);
	cr_expect_eq(info.worker, TROUPE_ANY_WORKER);
	puppet_settle(&puppet);
	for (int i = 0;
	     look_at(system, puppet.id).state != TROUPE_ACTOR_WAITING &&
	     i < 1000;
	     i++)
		troupe_sleep(1000000);
	info = look_at(system, puppet.id);
	cr_expect_eq(info.state, TROUPE_ACTOR_WAITING);
	cr_expect_eq(info.worker, TROUPE_ANY_WORKER);
	cr_expect_eq(info.messages, 0);
	puppet_call(&puppet, do_look_at_itself, &info);
	cr_expect_eq(info.state, TROUPE_ACTOR_RUNNING);
	cr_expect_eq(info.worker, puppet.number);
	/* Both workers are taken: it has to wait for one. */
	for (int i = 0; i < 2; i++) {
		box_spawn(&boxes[i], system, NULL);
		box_close(&boxes[i]);
	}
	puppet_spawn(system, &behind);
	puppet_send(&behind, do_nothing, NULL);
	info = look_at(system, behind.id);
	cr_expect_eq(info.state, TROUPE_ACTOR_READY);
	cr_expect_eq(info.worker, TROUPE_ANY_WORKER);
	cr_expect_eq(info.messages, 1);
	for (int i = 0; i < 2; i++) {
		box_open(&boxes[i]);
		troupe_strong_release(&boxes[i].actor);
	}
	troupe_strong_release(&behind.actor);
	puppet_stop(system, &puppet, 1);
}

Test(inspect, names_the_states)
{
	cr_expect_str_eq(troupe_actor_state_name(TROUPE_ACTOR_NEW), "NEW");
	cr_expect_str_eq(troupe_actor_state_name(TROUPE_ACTOR_WAITING),
			 "WAITING");
	cr_expect_str_eq(troupe_actor_state_name(TROUPE_ACTOR_READY), "READY");
	cr_expect_str_eq(troupe_actor_state_name(TROUPE_ACTOR_RUNNING),
			 "RUNNING");
	cr_expect_str_eq(troupe_actor_state_name(TROUPE_ACTOR_HELD), "HELD");
	cr_expect_str_eq(troupe_actor_state_name(TROUPE_ACTOR_ENDED), "ENDED");
	cr_expect_str_eq(troupe_actor_state_name((enum troupe_actor_state)99),
			 "?");
}

/* ---- numbers ----------------------------------------------------------- */

Test(inspect, counts_handles)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	struct troupe_strong strong[3];
	struct troupe_weak weak[4];
	struct troupe_actor_info info;

	puppet_spawn(system, &puppets[0]);
	puppet_spawn(system, &puppets[1]);
	info = look_at(system, puppets[0].id);
	cr_expect_eq(info.strong, 1);
	cr_expect_eq(info.weak, 0);
	for (int i = 0; i < 3; i++)
		strong[i] = troupe_strong_clone(puppets[0].actor);
	for (int i = 0; i < 4; i++)
		weak[i] = troupe_weak_from(puppets[0].actor);
	info = look_at(system, puppets[0].id);
	cr_expect_eq(info.strong, 4);
	cr_expect_eq(info.weak, 4);
	/* Who monitors has one, and who is monitored has one of it. */
	puppet_call(&puppets[0], do_monitor, &puppets[1]);
	puppet_settle(&puppets[1]);
	cr_expect_eq(look_at(system, puppets[0].id).weak, 5);
	cr_expect_eq(look_at(system, puppets[1].id).weak, 1);
	for (int i = 0; i < 3; i++)
		troupe_strong_release(&strong[i]);
	for (int i = 0; i < 4; i++)
		troupe_weak_release(&weak[i]);
	puppet_stop(system, puppets, 2);
}

static void do_look_alone(struct troupe_actor *self, struct puppet *puppet,
			  void *argument)
{
	unit_gate_pass(argument);
	troupe_system_actors(troupe_self_system(self), note_actor,
			     puppet->argument);
}

Test(inspect, counts_the_handles_of_one_that_nobody_has)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_gate gate = {0};
	struct puppet puppet = {0};
	struct seen seen = {0};
	struct troupe_weak weak;

	puppet.argument = &seen;
	puppet_spawn(system, &puppet);
	weak = troupe_weak_from(puppet.actor);
	puppet_send(&puppet, do_look_alone, &gate);
	unit_await(&gate.entered, 1);
	troupe_strong_release(&puppet.actor);
	unit_gate_open(&gate);
	unit_await(&puppet.destroys, 1);
	cr_expect_eq(seen.count, 1);
	cr_expect_eq(seen.info[0].strong, 0);
	cr_expect_eq(seen.info[0].weak, 1);
	troupe_weak_release(&weak);
	unit_stop(system);
}

Test(inspect, counts_what_waits)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct box box;
	uint64_t id;

	box_spawn(&box, system, NULL);
	id = troupe_strong_id(box.actor);
	box_close(&box);
	cr_expect_eq(look_at(system, id).messages, 0);
	for (uint64_t i = 0; i < 100; i++)
		cr_expect_eq(box_note(&box, i), 0);
	/* Until it looks, all that is known is that there is something. */
	cr_expect_geq(look_at(system, id).messages, 1);
	cr_expect_leq(look_at(system, id).messages, 100);
	box_open(&box);
	box_await(&box, 101);
	cr_expect_eq(look_at(system, id).messages, 0);
	troupe_strong_release(&box.actor);
	unit_stop(system);
}

Test(inspect, counts_what_a_limited_mailbox_did)
{
	for (int i = 0; i < 3; i++) {
		const struct troupe_limits limits = {
			.messages = 5, .overflow = (enum troupe_overflow)i};
		struct troupe_system *system = unit_start(NULL, 1);
		struct troupe_actor_info info;
		struct box box;

		box_spawn(&box, system, &limits);
		box_close(&box);
		for (uint64_t j = 0; j < 12; j++)
			(void)box_note(&box, j);
		info = look_at(system, troupe_strong_id(box.actor));
		cr_expect_eq(info.messages, 5);
		cr_expect_eq(info.refused, i == 0 ? 7 : 0);
		cr_expect_eq(info.dropped, i == 0 ? 0 : 7);
		box_open(&box);
		troupe_strong_release(&box.actor);
		unit_stop(system);
	}
}

static void await_messages(struct troupe_system *system, uint64_t id,
			   uint64_t count)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	while (look_at(system, id).messages != count) {
		cr_assert(troupe_now() < end);
		troupe_sleep(50000);
	}
}

/* They wait, and are not counted below zero. */
Test(inspect, counts_skipped_messages)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, &skip_class, NULL, &actor), 0);
	for (uint64_t i = 1; i <= 5; i++) {
		cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
		await_messages(system, troupe_strong_id(actor), i);
		cr_assert_eq(troupe_send(actor, 2, NULL, 0), 0);
		await_messages(system, troupe_strong_id(actor), i);
	}
	troupe_strong_release(&actor);
	unit_stop(system);
}

/* ---- printed ----------------------------------------------------------- */

Test(inspect, prints_a_line_for_each)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct puppet puppets[2] = {0};
	char text[1000] = "";
	char expected[1000];
	FILE *out = fmemopen(text, sizeof(text), "w");

	puppet_spawn(system, &puppets[0]);
	puppet_spawn_trapping(system, &puppets[1]);
	for (int i = 0; i < 2; i++)
		puppet_settle(&puppets[i]);
	await_messages(system, puppets[0].id, 0);
	for (int i = 0; i < 2; i++)
		while (look_at(system, puppets[i].id).state !=
		       TROUPE_ACTOR_WAITING)
			troupe_sleep(100000);
	cr_expect_eq(troupe_system_print(system, out), 0);
	cr_assert_eq(fclose(out), 0);
	snprintf(expected, sizeof(expected),
		 "actor %lu puppet: WAITING, 0 messages, 1 strong and 0 weak "
		 "handles\n"
		 "actor %lu trapping puppet: WAITING, 0 messages, 1 strong and "
		 "0 weak handles\n",
		 (unsigned long)puppets[0].id, (unsigned long)puppets[1].id);
	cr_expect_str_eq(text, expected);
	out = fopen("/dev/full", "w");
	if (out != NULL) {
		setvbuf(out, NULL, _IONBF, 0);
		cr_expect_eq(troupe_system_print(system, out), -EIO);
		fclose(out);
	}
	puppet_stop(system, puppets, 2);
}

/* ---- while others come and go ------------------------------------------ */

static _Atomic bool churning;

static int churn_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct troupe_strong me = troupe_self(self);
	struct troupe_strong child;

	(void)state;
	if (message->tag == 1 && atomic_load(&churning)) {
		for (int i = 0; i < 10; i++) {
			cr_assert_eq(troupe_spawn(troupe_self_system(self),
						  &skip_class, NULL, &child),
				     0);
			cr_assert_eq(troupe_send(child, 3, NULL, 0), 0);
			troupe_strong_release(&child);
		}
		cr_assert_eq(troupe_send(me, 1, NULL, 0), 0);
	}
	troupe_strong_release(&me);
	return 0;
}

static const struct troupe_actor_class churn_class = {
	.name = "churn",
	.receive = churn_receive,
};

static bool count_puppets(const struct troupe_actor_info *info, void *context)
{
	if (strcmp(info->name, "puppet") == 0)
		++*(uint64_t *)context;
	return true;
}

Test(inspect, misses_nobody_who_stays)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_strong churns[4];
	struct puppet puppets[10] = {0};

	atomic_store(&churning, true);
	for (int i = 0; i < 4; i++) {
		cr_assert_eq(
			troupe_spawn(system, &churn_class, NULL, &churns[i]),
			0);
		cr_assert_eq(troupe_send(churns[i], 1, NULL, 0), 0);
	}
	for (int i = 0; i < 10; i++)
		puppet_spawn(system, &puppets[i]);
	for (int i = 0; i < 300; i++) {
		uint64_t count = 0;

		troupe_system_actors(system, count_puppets, &count);
		cr_expect_eq(count, 10);
	}
	atomic_store(&churning, false);
	for (int i = 0; i < 4; i++)
		troupe_strong_release(&churns[i]);
	puppet_stop(system, puppets, 10);
}
