/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole system at random: actors spawn, send, request, promise, skip,
 * monitor, kill and quit, jobs run, some of both are pinned, and threads from
 * outside do their part. Each has some fuel, so it all comes to an end; or the
 * system is told to stop half way.
 *
 * What must hold: every message is handled once or released once, every
 * request and every monitor is answered once or its owner has ended, and each
 * actor that began ended, with each of its callbacks run once.
 */
#include "stress.h"

#include <errno.h>

#define OUTSIDERS 2
#define CHILDREN  3
#define PEERS	  4
#define FUEL	  40
#define CROWD	  500 /* messages under way, at which outsiders wait */

enum {
	TOKEN = 1, /* struct token, moved */
	ASK,	   /* a request; its payload: the fuel */
	RELAX,	   /* no more skipping */
	KEEP,	   /* keep the promise */
};

struct token {
	uint32_t fuel;
	_Atomic uint32_t handled;
	struct troupe_weak stranger; /* somebody for the receiver to know */
};

/* An actor holds its children, and knows its peers: so there is no circle. */
struct node {
	struct troupe_strong children[CHILDREN];
	struct troupe_weak peers[PEERS];
	struct troupe_promise promise;
	uint64_t asked, watched; /* not answered yet */
	uint32_t depth;
	bool picky;
};

/* Of one turn. What begins is counted before what ends. */
static struct {
	_Atomic uint64_t tokens, released, handled;
	_Atomic uint64_t requests, answers, asked_in_vain;
	_Atomic uint64_t monitors, downs, watched_in_vain;
	_Atomic uint64_t nodes, exits, destroys;
	_Atomic uint64_t jobs, runs;
	_Atomic bool over;
} sum;

static struct troupe_system *the_system;
static uint64_t all_messages, all_nodes;

static void count(_Atomic uint64_t *what)
{
	/* relaxed: all threads are waited for before it is read. */
	atomic_fetch_add_explicit(what, 1, memory_order_relaxed);
}

/* ---- tokens and other things to send ----------------------------------- */

static void token_release(void *data, size_t size)
{
	struct token *token = data;

	stress_check(size == sizeof(*token), "a moved size changed");
	stress_check(atomic_load(&token->handled) < 2, "handled twice");
	if (atomic_load(&token->handled) != 0)
		count(&sum.handled);
	count(&sum.released);
	troupe_weak_release(&token->stranger);
	free(token);
}

static void token_send(struct troupe_strong to, uint32_t fuel,
		       struct troupe_weak stranger)
{
	struct token *token = malloc(sizeof(*token));
	int result;

	*token = (struct token){
		.fuel = fuel,
		.stranger = troupe_weak_clone(stranger),
	};
	count(&sum.tokens);
	result = troupe_send_moved(to, TOKEN, token, sizeof(*token),
				   token_release);
	stress_check(result == 0 || result == -ESRCH, "send: %d", result);
	if (result != 0)
		token_release(token, sizeof(*token));
}

static int job_again(void *data)
{
	(void)data;
	return stress_once_in(3) ? TROUPE_JOB_DONE : TROUPE_JOB_AGAIN;
}

static int job_send(void *data)
{
	struct troupe_strong *to = data;

	token_send(*to, 1, (struct troupe_weak){NULL});
	troupe_strong_release(to);
	free(to);
	count(&sum.runs);
	return TROUPE_JOB_DONE;
}

static void job_start(struct troupe_strong to)
{
	struct troupe_strong *data = malloc(sizeof(*data));
	uint32_t worker =
		(uint32_t)stress_below(troupe_system_worker_count(the_system));
	int result;

	*data = troupe_strong_clone(to);
	if (stress_once_in(2))
		result = troupe_schedule(the_system, job_send, data);
	else
		result = troupe_schedule_on(the_system, worker, job_send, data);
	stress_check(result == 0 || result == -ESHUTDOWN, "schedule: %d",
		     result);
	if (result != 0) {
		troupe_strong_release(data);
		free(data);
		return;
	}
	count(&sum.jobs);
}

/* ---- actors ------------------------------------------------------------ */

static const struct troupe_actor_class node_class;
static struct troupe_actor_class keeper_class;

/* Null if the system stops. */
static struct troupe_strong node_spawn(uint32_t depth)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_strong actor = {NULL};
	int result;

	if (stress_once_in(4))
		options.worker = (uint32_t)stress_below(
			troupe_system_worker_count(the_system));
	result = troupe_spawn_with(
		the_system, stress_once_in(2) ? &node_class : &keeper_class,
		&depth, &options, &actor);
	stress_check(result == 0 || result == -ESHUTDOWN || result == -EDOM,
		     "spawn: %d", result);
	return actor;
}

static int node_answer(struct troupe_actor *self, void *state,
		       const struct troupe_message *message, void *context)
{
	struct node *node = state;

	(void)self;
	stress_check(context == node, "a wrong context");
	stress_check(message->tag == ASK || message->tag == TROUPE_TAG_ERROR,
		     "a wrong answer: %u", message->tag);
	stress_check(node->asked-- > 0, "answered twice");
	count(&sum.answers);
	return 0;
}

static void node_ask(struct troupe_actor *self, struct node *node,
		     struct troupe_strong to, uint32_t fuel)
{
	int result = troupe_request(self, to, ASK, &fuel, sizeof(fuel),
				    node_answer, node);

	stress_check(result == 0, "request: %d", result);
	node->asked++;
	count(&sum.requests);
}

static void node_watch(struct troupe_actor *self, struct node *node,
		       struct troupe_strong to)
{
	uint64_t monitor;
	int result = troupe_monitor(self, to, &monitor);

	if (result == -EINVAL)
		return; /* itself */
	stress_check(result == 0, "monitor: %d", result);
	node->watched++;
	count(&sum.monitors);
}

/* Somebody that @node knows; the caller releases it. */
static struct troupe_strong node_someone(struct troupe_actor *self,
					 struct node *node)
{
	struct troupe_strong found = {NULL};

	if (stress_once_in(8))
		return troupe_self(self);
	if (stress_once_in(2))
		found = troupe_weak_lock(node->peers[stress_below(PEERS)]);
	if (troupe_strong_is_null(found))
		found = troupe_strong_clone(
			node->children[stress_below(CHILDREN)]);
	return found;
}

static void node_act(struct troupe_actor *self, struct node *node,
		     uint32_t fuel)
{
	struct troupe_strong *child = &node->children[stress_below(CHILDREN)];
	struct troupe_strong to;

	if (troupe_strong_is_null(*child) && node->depth < 8)
		*child = node_spawn(node->depth + 1);
	else if (stress_once_in(8))
		troupe_strong_release(child);
	to = node_someone(self, node);
	if (troupe_strong_is_null(to))
		return;
	switch (stress_below(16)) {
	case 0:
		job_start(to);
		break;
	case 1:
		(void)troupe_schedule(the_system, job_again, NULL);
		break;
	case 2:
		node_watch(self, node, to);
		break;
	case 3:
		if (stress_once_in(4))
			troupe_send_exit(to, (int)stress_below(3));
		break;
	case 4:
	case 5:
	case 6:
	case 7:
		node_ask(self, node, to, fuel);
		break;
	default:
		token_send(to, fuel, node->peers[stress_below(PEERS)]);
		break;
	}
	troupe_strong_release(&to);
}

static void node_meet(struct node *node, struct troupe_weak stranger)
{
	struct troupe_weak *peer = &node->peers[stress_below(PEERS)];

	if (troupe_weak_is_null(stranger))
		return;
	troupe_weak_release(peer);
	*peer = troupe_weak_clone(stranger);
}

static void node_burn(struct troupe_actor *self, struct node *node,
		      uint32_t fuel)
{
	while (fuel > 1) {
		uint32_t part = 1 + (uint32_t)stress_below(fuel - 1);

		node_act(self, node, part - 1);
		fuel -= part;
	}
}

static void node_send_self(struct troupe_actor *self, uint32_t tag)
{
	struct troupe_strong me = troupe_self(self);

	stress_check(troupe_send_urgent(me, tag, NULL, 0) == 0, "to itself");
	troupe_strong_release(&me);
}

/* Replies now, or later, or not at all. */
static void node_reply(struct troupe_actor *self, struct node *node,
		       const struct troupe_message *message)
{
	if (stress_once_in(2)) {
		int result = troupe_reply(self, message, ASK, NULL, 0);

		stress_check(result == 0 || result == -ESRCH, "reply: %d",
			     result);
	} else if (stress_once_in(2) && node->promise.prepared == NULL) {
		stress_check(troupe_promise(self, message, &node->promise) == 0,
			     "promise");
		node_send_self(self, KEEP);
	}
}

static int node_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message);

/* Skips what others want, until it hears from itself. */
static int node_skip(struct troupe_actor *self, void *state,
		     const struct troupe_message *message)
{
	if (message->tag == TOKEN || message->tag == ASK)
		return TROUPE_SKIP;
	return node_receive(self, state, message);
}

static int node_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct token *token =
		(struct token *)(uintptr_t)troupe_payload(message);
	struct node *node = state;
	uint32_t fuel = 0;

	switch (message->tag) {
	case TOKEN:
		atomic_fetch_add(&token->handled, 1);
		fuel = token->fuel;
		node_meet(node, token->stranger);
		break;
	case ASK:
		fuel = *(const uint32_t *)troupe_payload(message);
		node_reply(self, node, message);
		break;
	case RELAX:
		node->picky = false;
		troupe_become(self, node_receive);
		return 0;
	case KEEP:
		if (stress_once_in(2))
			troupe_promise_reply(&node->promise, ASK, NULL, 0);
		troupe_promise_release(&node->promise);
		return 0;
	case TROUPE_TAG_DOWN:
		stress_check(node->watched-- > 0, "down twice");
		count(&sum.downs);
		return 0;
	default:
		stress_fail("a message nobody sent: %u", message->tag);
	}
	if (!troupe_strong_is_null(message->sender) && stress_once_in(2)) {
		struct troupe_weak sender = troupe_weak_from(message->sender);

		node_meet(node, sender);
		troupe_weak_release(&sender);
	}
	node_burn(self, node, fuel);
	if (!node->picky && stress_once_in(16)) {
		node->picky = true;
		troupe_become(self, node_skip);
		node_send_self(self, RELAX);
	}
	if (stress_once_in(64))
		troupe_quit(self, 5);
	return stress_once_in(128) ? -EIO : 0;
}

static void node_destroy(void *state)
{
	struct node *node = state;

	for (int i = 0; i < CHILDREN; i++)
		troupe_strong_release(&node->children[i]);
	for (int i = 0; i < PEERS; i++)
		troupe_weak_release(&node->peers[i]);
	count(&sum.destroys);
	stress_progress();
}

static int node_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct node *node = state;

	node->depth = *(const uint32_t *)argument;
	if (stress_once_in(4)) {
		struct troupe_strong me = troupe_self(self);

		token_send(me, 2, (struct troupe_weak){NULL});
		troupe_strong_release(&me);
	}
	if (stress_once_in(32))
		return -EDOM;
	count(&sum.nodes);
	return 0;
}

static void node_exit(struct troupe_actor *self, void *state, int reason)
{
	struct node *node = state;

	(void)self;
	(void)reason;
	/* In a kept state it would keep who asked, who may keep this one. */
	troupe_promise_release(&node->promise);
	/* relaxed, both: as in count(). */
	atomic_fetch_add_explicit(&sum.asked_in_vain, node->asked,
				  memory_order_relaxed);
	atomic_fetch_add_explicit(&sum.watched_in_vain, node->watched,
				  memory_order_relaxed);
	count(&sum.exits);
}

static const struct troupe_actor_class node_class = {
	.name = "node",
	.state_size = sizeof(struct node),
	.init = node_init,
	.receive = node_receive,
	.on_exit = node_exit,
	.destroy = node_destroy,
};

/* ---- outside ----------------------------------------------------------- */

static void *outsider_main(void *data)
{
	struct troupe_strong roots[4] = {{NULL}};
	struct troupe_weak known = {NULL};

	(void)data;
	while (!atomic_load(&sum.over)) {
		struct troupe_strong *root = &roots[stress_below(4)];

		if (atomic_load(&sum.tokens) - atomic_load(&sum.released) >
		    CROWD)
			usleep(200);
		if (troupe_strong_is_null(*root)) {
			*root = node_spawn(0);
			continue;
		}
		token_send(*root, FUEL, known);
		if (stress_once_in(4))
			job_start(*root);
		troupe_weak_release(&known);
		known = troupe_weak_from(*root);
		if (stress_once_in(4))
			troupe_strong_release(root);
		stress_pause(100);
	}
	for (int i = 0; i < 4; i++)
		troupe_strong_release(&roots[i]);
	troupe_weak_release(&known);
	return NULL;
}

#define EXPECT(a, b)                                                    \
	stress_check((a) == (b), #a " is %" PRIu64 ", " #b " %" PRIu64, \
		     (uint64_t)(a), (uint64_t)(b))

static void turn(struct troupe_system *system)
{
	pthread_t threads[OUTSIDERS];

	memset(&sum, 0, sizeof(sum));
	the_system = system;
	for (int i = 0; i < OUTSIDERS; i++)
		stress_check(pthread_create(&threads[i], NULL, outsider_main,
					    NULL) == 0,
			     "no thread");
	while (stress_goes_on() || atomic_load(&sum.handled) == 0)
		usleep(1000);
	if (stress_once_in(3))
		stress_check(troupe_system_stop(system, UINT64_MAX, 0, NULL,
						NULL) == 0,
			     "stop");
	atomic_store(&sum.over, true);
	for (int i = 0; i < OUTSIDERS; i++)
		pthread_join(threads[i], NULL);
	troupe_system_await(system);
	EXPECT(sum.tokens, sum.released);
	EXPECT(sum.requests, sum.answers + sum.asked_in_vain);
	EXPECT(sum.monitors, sum.downs + sum.watched_in_vain);
	EXPECT(sum.jobs, sum.runs);
	EXPECT(sum.nodes, sum.exits);
	EXPECT(sum.nodes, sum.destroys);
	stress_check(sum.handled <= sum.tokens, "more handled than sent");
	stress_check(sum.nodes > 0 && sum.handled > 0, "nothing was done");
	all_messages += sum.handled;
	all_nodes += sum.nodes;
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {1, 2, 4, 8, 0};

	keeper_class = node_class;
	keeper_class.flags = TROUPE_CLASS_KEEP_STATE;
	stress_start("system", 3, argc, argv);
	stress_turns(turn, workers);
	printf("stress_system: %" PRIu64 " actors, %" PRIu64 " messages\n",
	       all_nodes, all_messages);
	return 0;
}
