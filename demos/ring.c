/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring - a token goes round 100 actors, 1,000 times
 *
 * Each actor holds a handle of the next one: a circle of references, which
 * would keep all of them for ever. The last message breaks it.
 */
#include "demo.h"

#define RING_SIZE   100u
#define RING_ROUNDS 1000u

enum ring_tag {
	RING_LINK,  /* struct troupe_strong: the next; the receiver's now */
	RING_TOKEN, /* struct token */
	RING_END,   /* empty: pass it on, then quit */
};

struct token {
	uint32_t hops_left;
	double start;
};

struct node {
	struct troupe_strong next;
	uint32_t tokens; /* seen */
};

static int node_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	const void *payload = troupe_payload(message);
	struct node *node = state;
	struct token token;

	switch (message->tag) {
	case RING_LINK:
		node->next = *(const struct troupe_strong *)payload;
		return 0;
	case RING_TOKEN:
		node->tokens++;
		token = *(const struct token *)payload;
		if (--token.hops_left > 0)
			return troupe_send(node->next, RING_TOKEN, &token,
					   sizeof(token));
		demo_speed(troupe_self_system(self), RING_SIZE * RING_ROUNDS,
			   "hop", token.start);
		printf("the token came home after %u rounds\n", node->tokens);
		break;
	default:
		break;
	}
	/* The end comes to the last node when the first has ended: -ESRCH. */
	(void)troupe_send(node->next, RING_END, NULL, 0);
	troupe_quit(self, TROUPE_EXIT_NORMAL);
	return 0;
}

static void node_destroy(void *state)
{
	struct node *node = state;

	troupe_strong_release(&node->next);
}

static const struct troupe_actor_class node_class = {
	.name = "node",
	.state_size = sizeof(struct node),
	.receive = node_receive,
	.destroy = node_destroy,
};

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_strong nodes[RING_SIZE];
	struct token token = {.hops_left = RING_SIZE * RING_ROUNDS};
	struct troupe_system *system;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	for (uint32_t i = 0; i < RING_SIZE; i++)
		demo_check(troupe_spawn(system, &node_class, NULL, &nodes[i]),
			   "troupe_spawn");
	for (uint32_t i = 0; i < RING_SIZE; i++) {
		struct troupe_strong next =
			troupe_strong_clone(nodes[(i + 1) % RING_SIZE]);

		demo_check(
			troupe_send(nodes[i], RING_LINK, &next, sizeof(next)),
			"troupe_send");
	}
	token.start = demo_seconds();
	demo_check(troupe_send(nodes[1], RING_TOKEN, &token, sizeof(token)),
		   "troupe_send");
	for (uint32_t i = 0; i < RING_SIZE; i++)
		troupe_strong_release(&nodes[i]);
	troupe_system_destroy(system);
	return 0;
}
