/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Systems that are stopped at random moments: each is made, loaded with actors
 * in all kinds of states (busy, waiting, asking, spawning, detached, blocking,
 * in sections, trapping, draining, scoped), told to stop some moment later by
 * one or several, and destroyed. It must come down within its deadline, with
 * every init answered by one on_exit and one destroy, and nothing left.
 */
#include "stress.h"

#include "troupe_monitor.h"

#include <errno.h>

/* So long may a system take to come down, from the stop to the end of destroy:
 * a hundred times what it takes with sanitizers. */
#define STOP_DEADLINE UINT64_C(10000000000)
#define ACTORS	      16
#define OUTSIDERS     2

enum {
	WORK = 1, /* and hand it on */
	ASK,	  /* a request */
	SECTION,  /* a blocking section */
	SPAWN,
	STOP, /* the system, from inside */
};

struct peers {
	struct troupe_weak actors[ACTORS];
};

static struct {
	_Atomic uint64_t inits, exits, destroys;
	_Atomic bool over;
	_Atomic bool loaded; /* the peers are known */
	struct peers peers;
	struct troupe_system *system;
} scene;

/* ---- actors ------------------------------------------------------------ */

static int node_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	(void)self;
	(void)state;
	(void)argument;
	if (stress_once_in(16))
		return -ECANCELED;
	atomic_fetch_add(&scene.inits, 1);
	return 0;
}

static void node_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)state;
	(void)reason;
	stress_pause(20);
	atomic_fetch_add(&scene.exits, 1);
}

static void node_destroy(void *state)
{
	(void)state;
	atomic_fetch_add(&scene.destroys, 1);
}

static struct troupe_strong node_peer(void)
{
	if (!atomic_load(&scene.loaded))
		return (struct troupe_strong){NULL};
	return troupe_weak_lock(scene.peers.actors[stress_below(ACTORS)]);
}

static void node_send(uint32_t tag)
{
	struct troupe_strong to = node_peer();

	if (to.block != NULL)
		(void)troupe_send(to, tag, NULL, 0);
	troupe_strong_release(&to);
}

static int node_response(struct troupe_actor *self, void *state,
			 const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)message;
	(void)context;
	return 0;
}

static void node_spawn(struct troupe_system *system);

/* What any actor does with a message, or without. */
static void node_act(struct troupe_actor *self, uint32_t tag)
{
	struct troupe_strong to;
	uint64_t monitor;

	switch (tag) {
	case WORK:
		node_send(1 + (uint32_t)stress_below(SPAWN));
		break;
	case ASK:
		to = node_peer();
		if (to.block != NULL) {
			(void)troupe_request(self, to, WORK, NULL, 0,
					     node_response, NULL);
			if (stress_once_in(4))
				(void)troupe_monitor(self, to, &monitor);
		}
		troupe_strong_release(&to);
		break;
	case SECTION:
		(void)troupe_blocking_begin();
		stress_pause(300);
		troupe_blocking_end();
		node_send(WORK);
		break;
	case SPAWN:
		node_spawn(troupe_self_system(self));
		break;
	case STOP:
		stress_check(troupe_system_stop(troupe_self_system(self), 0, 0,
						NULL, NULL) == 0,
			     "stop inside");
		break;
	default:
		break;
	}
}

static int node_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	if (message->tag == TROUPE_TAG_EXIT || stress_once_in(200)) {
		troupe_quit(self, 1);
		return 0;
	}
	node_act(self, message->tag);
	return stress_once_in(8) ? TROUPE_SKIP : 0;
}

static bool node_wants(const struct troupe_message *message, void *context)
{
	(void)context;
	return message->tag != WORK;
}

static int node_run(struct troupe_actor *self, void *state)
{
	int result = 0;

	(void)state;
	while (result == 0 || result == -ETIMEDOUT) {
		const struct troupe_message *message = NULL;
		uint64_t deadline = stress_once_in(3) ? TROUPE_FOREVER
						      : stress_below(1000000);
		struct troupe_strong to = {NULL};

		switch (stress_below(4)) {
		case 0:
			result = troupe_receive_match(self, node_wants, NULL,
						      deadline, &message);
			break;
		case 1:
			to = node_peer();
			if (to.block == NULL)
				continue;
			result = troupe_ask(self, to, ASK, NULL, 0,
					    stress_below(1000000), &message);
			break;
		case 2:
			to = node_peer();
			if (to.block == NULL ||
			    troupe_await_end(self, to, stress_below(1000000),
					     NULL) == 0)
				break;
			/* fall through */
		default:
			result = troupe_receive(self, deadline, &message);
			break;
		}
		troupe_strong_release(&to);
		if (result == 0 && message != NULL) {
			if (message->tag == TROUPE_TAG_EXIT)
				return 2;
			node_act(self, message->tag);
		}
	}
	return result;
}

#define NODE(flags_)                                                  \
	{                                                             \
		.name = "node", .flags = (flags_), .init = node_init, \
		.receive = node_receive, .on_exit = node_exit,        \
		.destroy = node_destroy,                              \
	}
#define LOOP(flags_)                                                  \
	{                                                             \
		.name = "loop", .flags = (flags_), .init = node_init, \
		.run = node_run, .on_exit = node_exit,                \
		.destroy = node_destroy,                              \
	}

static const struct troupe_actor_class classes[] = {
	NODE(0),
	NODE(TROUPE_CLASS_DRAIN),
	NODE(TROUPE_CLASS_TRAP_EXIT),
	NODE(TROUPE_CLASS_KEEP_STATE),
	NODE(TROUPE_CLASS_DETACHED),
	NODE(TROUPE_CLASS_DETACHED | TROUPE_CLASS_TRAP_EXIT),
	LOOP(0),
	LOOP(TROUPE_CLASS_TRAP_EXIT),
	LOOP(TROUPE_CLASS_DRAIN),
};

#define CLASSES (sizeof(classes) / sizeof(classes[0]))

static int node_make(struct troupe_system *system,
		     struct troupe_strong *ret_actor)
{
	int result = troupe_spawn(system, &classes[stress_below(CLASSES)], NULL,
				  ret_actor);

	stress_check(result == 0 || result == -EAGAIN || result == -ESHUTDOWN ||
			     result == -ECANCELED,
		     "spawn: %d", result);
	return result;
}

static void node_spawn(struct troupe_system *system)
{
	struct troupe_strong actor = {NULL};

	if (node_make(system, &actor) == 0)
		(void)troupe_send(actor, WORK, NULL, 0);
	troupe_strong_release(&actor);
}

static int job_run(void *data)
{
	(void)data;
	if (stress_once_in(4))
		(void)troupe_blocking_begin();
	stress_pause(100);
	node_send(WORK);
	return stress_once_in(3) ? TROUPE_JOB_DONE : TROUPE_JOB_AGAIN;
}

/* ---- outside ----------------------------------------------------------- */

/* Sends, and is an actor for a while; until the system stops. */
static void *outsider_main(void *data)
{
	(void)data;
	while (!atomic_load(&scene.over)) {
		const struct troupe_message *message;
		struct troupe_actor *self;
		struct troupe_strong to = node_peer();

		if (to.block != NULL)
			(void)troupe_send(to, WORK, NULL, 0);
		if (troupe_scoped_create(scene.system, &self) == 0) {
			if (to.block != NULL && stress_once_in(2))
				(void)troupe_ask(self, to, ASK, NULL, 0,
						 stress_below(500000),
						 &message);
			else
				(void)troupe_receive(self, stress_below(500000),
						     &message);
			troupe_scoped_destroy(self);
		}
		troupe_strong_release(&to);
		stress_pause(100);
	}
	return NULL;
}

static void *stopper_main(void *data)
{
	(void)data;
	if (stress_once_in(2))
		usleep((useconds_t)stress_below(2000));
	(void)troupe_system_stop(scene.system, stress_below(1000000), 0, NULL,
				 NULL);
	return NULL;
}

static bool print_survivor(const struct troupe_actor_info *info, void *context)
{
	(void)context;
	fprintf(stderr, "actor %" PRIu64 " %s: %s, %" PRIu64 " messages\n",
		info->id, info->name, troupe_actor_state_name(info->state),
		info->messages);
	return true;
}

/* ---- a system's life --------------------------------------------------- */

static uint64_t longest; /* that one took to come down, ns */

static void scene_load(struct troupe_strong *actors)
{
	uint64_t count = stress_below(ACTORS + 1);

	for (uint64_t i = 0; i < count; i++) {
		if (node_make(scene.system, &actors[i]) != 0)
			continue;
		scene.peers.actors[i] = troupe_weak_from(actors[i]);
	}
	atomic_store(&scene.loaded, true);
	for (uint64_t i = 0; i < count; i++)
		if (actors[i].block != NULL && !stress_once_in(4))
			(void)troupe_send(actors[i],
					  1 + (uint32_t)stress_below(SPAWN),
					  NULL, 0);
	for (uint64_t i = stress_below(4); i > 0; i--)
		(void)troupe_schedule(scene.system, job_run, NULL);
}

static void scene_stop(struct troupe_strong *actors)
{
	uint32_t flags = stress_once_in(3) ? TROUPE_STOP_KILL : 0;
	uint64_t from = stress_below(8);
	int result;

	if (!stress_once_in(4))
		usleep((useconds_t)stress_below(2000));
	if (from < 2)
		(void)troupe_system_stop(scene.system, 0, 0, NULL, NULL);
	else if (from == 2 && actors[0].block != NULL)
		(void)troupe_send(actors[0], STOP, NULL, 0);
	result = troupe_system_stop(scene.system, STOP_DEADLINE, flags,
				    print_survivor, NULL);
	stress_check(result == 0, "stop: %d", result);
	stress_check(troupe_spawn(scene.system, &classes[0], NULL, NULL) ==
			     -ESHUTDOWN,
		     "a spawn after the stop");
}

static void scene_check(uint64_t alive)
{
	uint64_t inits = atomic_load(&scene.inits);

	stress_check(atomic_load(&scene.exits) == inits,
		     "%" PRIu64 " inits, %" PRIu64 " exits", inits,
		     atomic_load(&scene.exits));
	stress_check(atomic_load(&scene.destroys) == inits,
		     "%" PRIu64 " inits, %" PRIu64 " destroys", inits,
		     atomic_load(&scene.destroys));
	stress_check(troupe__live_allocations() == alive,
		     "%" PRIu64 " allocations are left",
		     troupe__live_allocations() - alive);
}

static void scene_round(void)
{
	struct troupe_strong actors[ACTORS] = {{NULL}};
	struct troupe_stats stats = {.size = sizeof(stats)};
	uint64_t alive = troupe__live_allocations();
	pthread_t threads[OUTSIDERS + 1];
	uint64_t count = 0, start, took;

	memset(&scene, 0, sizeof(scene));
	scene.system = stress_create_detached("detached.max-threads=6", 20);
	scene_load(actors);
	while (count < OUTSIDERS && stress_once_in(2))
		if (pthread_create(&threads[count], NULL, outsider_main,
				   NULL) == 0)
			count++;
	if (stress_once_in(3) &&
	    pthread_create(&threads[count], NULL, stopper_main, NULL) == 0)
		count++;
	start = troupe_now();
	scene_stop(actors);
	atomic_store(&scene.over, true);
	while (count > 0)
		pthread_join(threads[--count], NULL);
	troupe_system_stats(scene.system, &stats);
	stress_check(stats.spawned == stats.completed && stats.faults == 0,
		     "%" PRIu64 " began, %" PRIu64 " ended, %" PRIu64 " faults",
		     stats.spawned, stats.completed, stats.faults);
	for (int i = 0; i < ACTORS; i++)
		troupe_strong_release(&actors[i]);
	stress_check(troupe_system_destroy(scene.system) == 0, "destroy");
	took = troupe_now() - start;
	stress_check(took < STOP_DEADLINE, "it took %" PRIu64 " ms to end",
		     took / 1000000);
	if (took > longest)
		longest = took;
	for (int i = 0; i < ACTORS; i++)
		troupe_weak_release(&scene.peers.actors[i]);
	scene_check(alive);
}

int main(int argc, char **argv)
{
	uint64_t policies, turn_time, rounds = 0, end;

	stress_start("stop", 3, argc, argv);
	policies = stress_policy_count();
	turn_time = stress.nanoseconds / policies;
	for (uint64_t i = 0; i < policies; i++) {
		stress.now_policy = stress.policy;
		if (stress.policy == NULL)
			stress.now_policy = troupe_policy_builtin(i)->name;
		end = troupe_now() + turn_time;
		do {
			stress.now_workers =
				stress.workers != 0
					? stress.workers
					: 1 + (uint32_t)stress_below(3);
			scene_round();
			stress_progress();
			rounds++;
		} while (troupe_now() < end);
	}
	printf("%" PRIu64 " systems came down, each in %" PRIu64
	       " ms or less\n",
	       rounds, longest / 1000000);
	return 0;
}
