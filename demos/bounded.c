/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bounded - a mailbox with room for four, and a producer that sends ten
 *
 * Once for each choice of what happens to a message too many. There is one
 * worker, so the consumer runs when the producer has done its ten: the same
 * numbers each time.
 */
#include "demo.h"

#define NUMBERS 10

static int dropped, refused;

static void overloaded(uint64_t actor, uint64_t messages, void *context)
{
	(void)actor;
	printf("  %s: %lu wait\n", (const char *)context,
	       (unsigned long)messages);
}

static void count_dropped(const struct troupe_message *message,
			  uint64_t receiver, int reason, void *context)
{
	(void)message;
	(void)receiver;
	(void)context;
	dropped += reason == -EAGAIN;
}

static int consumer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	(void)self;
	(void)state;
	printf(" %d", *(const int *)troupe_payload(message));
	return 0;
}

/* Prints what it gets as the end of a line. */
static const struct troupe_actor_class consumer_class = {
	.name = "consumer",
	.receive = consumer_receive,
};

/* The payload is a handle to the consumer, which goes with it. */
static int producer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	struct troupe_strong consumer =
		*(const struct troupe_strong *)troupe_payload(message);

	(void)self;
	(void)state;
	for (int i = 1; i <= NUMBERS; i++)
		refused += troupe_send(consumer, 0, &i, sizeof(i)) == -EAGAIN;
	troupe_strong_release(&consumer);
	return 0;
}

static const struct troupe_actor_class producer_class = {
	.name = "producer",
	.receive = producer_receive,
};

static void produce(struct troupe_config *config, const char *name,
		    enum troupe_overflow overflow)
{
	const struct troupe_limits limits = {
		.messages = 4,
		.overflow = overflow,
		.overloaded = overloaded,
		.context = (void *)(uintptr_t)name,
	};
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_stats stats = {.size = sizeof(stats)};
	struct troupe_system *system = demo_start(config);
	struct troupe_strong consumer, producer;

	options.limits = &limits;
	dropped = refused = 0;
	demo_check(troupe_spawn_with(system, &consumer_class, NULL, &options,
				     &consumer),
		   "troupe_spawn_with");
	demo_check(troupe_spawn(system, &producer_class, NULL, &producer),
		   "troupe_spawn");
	demo_check(troupe_send(producer, 0, &consumer, sizeof(consumer)),
		   "troupe_send");
	troupe_strong_release(&producer);
	troupe_system_await(system);
	troupe_system_stats(system, &stats);
	printf("; %d refused, %d dropped, held %lu times: %s\n", refused,
	       dropped, (unsigned long)stats.held, name);
	troupe_system_destroy(system);
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	config.max_threads = 1;
	config.on_dead_letter = count_dropped;
	produce(&config, "fail", TROUPE_OVERFLOW_FAIL);
	produce(&config, "drop newest", TROUPE_OVERFLOW_DROP_NEWEST);
	produce(&config, "drop oldest", TROUPE_OVERFLOW_DROP_OLDEST);
	produce(&config, "hold", TROUPE_OVERFLOW_HOLD);
	return 0;
}
