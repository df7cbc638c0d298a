/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ping_pong - two actors that answer each other
 *
 * Ping serves a ball with a number on it, pong adds one and sends it back, and
 * so on for 50,000 rounds. Neither ever has two messages to handle, so this
 * measures the way of one message through the policy.
 */
#include "demo.h"

#define ROUNDS 50000u

enum ping_pong_tag {
	PING_PONG_SERVE, /* empty */
	PING_PONG_BALL,	 /* uint32_t: times it was hit */
};

struct ping {
	struct troupe_strong pong;
	uint32_t hits;
	double start;
};

static int ping_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct ping *ping = state;

	(void)self;
	ping->pong =
		troupe_strong_clone(*(const struct troupe_strong *)argument);
	return 0;
}

static int ping_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct ping *ping = state;

	if (message->tag == PING_PONG_BALL)
		ping->hits = *(const uint32_t *)troupe_payload(message);
	else
		ping->start = demo_seconds();
	if (ping->hits == 2 * ROUNDS) {
		troupe_quit(self, TROUPE_EXIT_NORMAL);
		return 0;
	}
	ping->hits++;
	return troupe_send(ping->pong, PING_PONG_BALL, &ping->hits,
			   sizeof(ping->hits));
}

static void ping_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct ping *ping = state;

	demo_speed(troupe_self_system(self), ping->hits, "message",
		   ping->start);
	printf("%u hits, reason %d\n", ping->hits, reason);
}

static void ping_destroy(void *state)
{
	struct ping *ping = state;

	/* Nobody else holds pong: it ends with this. */
	troupe_strong_release(&ping->pong);
}

static int pong_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	uint32_t hits = *(const uint32_t *)troupe_payload(message) + 1;

	(void)state;
	return troupe_reply(self, message, PING_PONG_BALL, &hits, sizeof(hits));
}

static const struct troupe_actor_class ping_class = {
	.name = "ping",
	.state_size = sizeof(struct ping),
	.init = ping_init,
	.receive = ping_receive,
	.on_exit = ping_on_exit,
	.destroy = ping_destroy,
};

static const struct troupe_actor_class pong_class = {
	.name = "pong",
	.receive = pong_receive,
};

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_strong ping, pong;
	struct troupe_system *system;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	demo_check(troupe_spawn(system, &pong_class, NULL, &pong),
		   "troupe_spawn");
	demo_check(troupe_spawn(system, &ping_class, &pong, &ping),
		   "troupe_spawn");
	demo_check(troupe_send(ping, PING_PONG_SERVE, NULL, 0), "troupe_send");
	troupe_strong_release(&ping);
	troupe_strong_release(&pong);
	troupe_system_destroy(system);
	return 0;
}
