/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many producers, one consumer, and its special case of one producer.
 *
 * A mailbox has no limit unless it is given one: producers that just send
 * fill the memory when the consumer falls behind. Here are that, and both
 * ways out:
 *
 *	credits  a producer sends what the consumer has given it credit for:
 *		 WINDOW messages at the start, BATCH more for each BATCH
 *		 handled. No more than producers * WINDOW exist at any time.
 *	held     the consumer's mailbox has a limit, and who reaches it is not
 *		 run until there is room. A producer stops after each BATCH by
 *		 sending itself a message: that is where it can be held.
 *	unbounded  neither: a producer sends all it has, at once.
 */
#include "workloads.h"

#include <errno.h>
#include <stdlib.h>

#define PRODUCERS 16
#define WINDOW	  512
#define BATCH	  256

enum {
	FAN_IN_START = 1,
	FAN_IN_ITEM, /* struct fan_in_item */
	FAN_IN_CREDIT,
};

enum fan_in_bound {
	FAN_IN_CREDITS,
	FAN_IN_HELD,
	FAN_IN_UNBOUNDED,
};

struct fan_in_item {
	uint32_t producer;
	uint32_t number; /* 0, 1, 2 ... of this producer */
};

struct fan_in {
	uint32_t producers;
	uint32_t items; /* of each producer */
	enum fan_in_bound bound;
	/* Written by the consumer when it ends. */
	uint64_t received;
	uint64_t misplaced; /* not the next one of its producer */
	/* The consumer's: the next number of each producer. */
	uint32_t *next;
};

struct consumer {
	struct fan_in *fan_in;
	uint64_t received;
	uint64_t misplaced;
};

struct producer {
	struct troupe_strong consumer;
	uint32_t items; /* to send in all */
	uint32_t credit;
	enum fan_in_bound bound;
	struct fan_in_item item; /* the next one */
};

struct producer_argument {
	struct fan_in *fan_in;
	struct troupe_strong consumer;
	uint32_t index;
};

static int consumer_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	struct consumer *consumer = state;

	(void)self;
	consumer->fan_in = (struct fan_in *)argument;
	return 0;
}

static int consumer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	const struct fan_in_item *item = troupe_payload(message);
	struct consumer *consumer = state;
	int code;

	consumer->received++;
	if (consumer->fan_in->next[item->producer]++ != item->number)
		consumer->misplaced++;
	if (consumer->fan_in->bound != FAN_IN_CREDITS ||
	    (item->number + 1) % BATCH != 0)
		return 0;
	code = troupe_reply(self, message, FAN_IN_CREDIT, NULL, 0);
	return code == -ESRCH ? 0 : code;
}

static void consumer_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct consumer *consumer = state;

	(void)self;
	(void)reason;
	consumer->fan_in->received = consumer->received;
	consumer->fan_in->misplaced = consumer->misplaced;
}

static const struct troupe_actor_class consumer_class = {
	.name = "consumer",
	.state_size = sizeof(struct consumer),
	.init = consumer_init,
	.receive = consumer_receive,
	.on_exit = consumer_on_exit,
};

static int producer_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	const struct producer_argument *given = argument;
	struct producer *producer = state;

	(void)self;
	producer->consumer = troupe_strong_clone(given->consumer);
	producer->items = given->fan_in->items;
	producer->bound = given->fan_in->bound;
	producer->item.producer = given->index;
	return 0;
}

/* Held back, if at all, before this message is handled. */
static int producer_go_on_later(struct troupe_actor *self)
{
	struct troupe_strong me = troupe_self(self);
	int code = troupe_send(me, FAN_IN_CREDIT, NULL, 0);

	troupe_strong_release(&me);
	return code;
}

static uint32_t producer_credit(const struct producer *producer, uint32_t tag)
{
	if (producer->bound == FAN_IN_UNBOUNDED)
		return UINT32_MAX;
	return tag == FAN_IN_START ? WINDOW : BATCH;
}

static int producer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	struct producer *producer = state;
	int code;

	producer->credit += producer_credit(producer, message->tag);
	for (; producer->credit > 0; producer->credit--) {
		if (producer->item.number == producer->items) {
			troupe_quit(self, TROUPE_EXIT_NORMAL);
			return 0;
		}
		code = troupe_send(producer->consumer, FAN_IN_ITEM,
				   &producer->item, sizeof(producer->item));
		if (code != 0)
			return code;
		producer->item.number++;
	}
	return producer->bound == FAN_IN_HELD ? producer_go_on_later(self) : 0;
}

static void producer_destroy(void *state)
{
	struct producer *producer = state;

	/* The last producer's handle was the last to the consumer, which
	 * ends when its mailbox is empty. */
	troupe_strong_release(&producer->consumer);
}

static const struct troupe_actor_class producer_class = {
	.name = "producer",
	.state_size = sizeof(struct producer),
	.init = producer_init,
	.receive = producer_receive,
	.destroy = producer_destroy,
};

static const struct troupe_limits fan_in_limits = {
	.messages = PRODUCERS * WINDOW,
	.overflow = TROUPE_OVERFLOW_HOLD,
};

static int fan_in_start(struct troupe_system *system, struct fan_in *fan_in)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct producer_argument argument = {.fan_in = fan_in};
	struct troupe_strong producer;
	int code;

	if (fan_in->bound == FAN_IN_HELD)
		options.limits = &fan_in_limits;
	code = troupe_spawn_with(system, &consumer_class, fan_in, &options,
				 &argument.consumer);
	for (; code == 0 && argument.index < fan_in->producers;
	     argument.index++) {
		code = troupe_spawn(system, &producer_class, &argument,
				    &producer);
		if (code != 0)
			break;
		code = troupe_send(producer, FAN_IN_START, NULL, 0);
		troupe_strong_release(&producer);
	}
	troupe_strong_release(&argument.consumer);
	return code;
}

static int fan_in_measure(struct workload_trial *trial, uint32_t producers,
			  uint64_t items, enum fan_in_bound bound)
{
	struct fan_in fan_in = {
		.producers = producers,
		.items = items < UINT32_MAX ? (uint32_t)items : UINT32_MAX,
		.bound = bound,
	};
	int code;

	fan_in.next = calloc(producers, sizeof(*fan_in.next));
	if (fan_in.next == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	code = fan_in_start(trial->system, &fan_in);
	troupe_system_await(trial->system);
	free(fan_in.next);

	if (code != 0)
		return workload_failed(trial, "start a producer", code);
	trial->operations = (uint64_t)producers * fan_in.items;
	code = workload_verify(trial, "messages", fan_in.received,
			       trial->operations);
	if (code == 0)
		code = workload_verify(trial, "messages out of order",
				       fan_in.misplaced, 0);
	return code;
}

static int fan_in_run(struct workload_trial *trial)
{
	return fan_in_measure(trial, PRODUCERS, workload_size(trial, 100000, 1),
			      FAN_IN_CREDITS);
}

static int fan_in_held_run(struct workload_trial *trial)
{
	return fan_in_measure(trial, PRODUCERS, workload_size(trial, 100000, 1),
			      FAN_IN_HELD);
}

static int fan_in_unbounded_run(struct workload_trial *trial)
{
	return fan_in_measure(trial, PRODUCERS, workload_size(trial, 100000, 1),
			      FAN_IN_UNBOUNDED);
}

static int counting_run(struct workload_trial *trial)
{
	return fan_in_measure(trial, 1, workload_size(trial, 2000000, 1),
			      FAN_IN_CREDITS);
}

const struct workload workload_fan_in = {
	.name = "fan-in",
	.unit = "message",
	.flags = WORKLOAD_USUAL,
	.summary = "16 actors send to one, 100k messages each, with credits",
	.run = fan_in_run,
};

const struct workload workload_fan_in_held = {
	.name = "fan-in-held",
	.unit = "message",
	.summary = "the same; a mailbox limit holds back, not credits",
	.run = fan_in_held_run,
};

const struct workload workload_fan_in_unbounded = {
	.name = "fan-in-unbounded",
	.unit = "message",
	.summary = "the same; nothing holds back: it takes memory",
	.run = fan_in_unbounded_run,
};

const struct workload workload_counting = {
	.name = "counting",
	.unit = "message",
	.summary = "one actor sends 2M messages to one that counts them",
	.run = counting_run,
};
