/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that are abandoned while they may be coming back: each round makes a
 * system with detached, blocking and scoped actors, blocking sections and
 * jobs, many of which get stuck in their callbacks until a gate opens. The
 * system is stopped with TROUPE_STOP_ABANDON and destroyed, at times by
 * another thread than the stop's; the gate opens before, during or after that.
 * Who comes back calls what there is to call. Destroy must not wait for the
 * gate; every init has one on_exit and one destroy, and in the end nothing is
 * left, the system neither.
 */
#include "stress.h"

#include "troupe_limits.h"
#include "troupe_monitor.h"
#include "troupe_registry.h"

#include <errno.h>

/* Far more than it takes, with sanitizers on a busy machine. */
#define ABANDON_PATIENCE UINT64_C(10000000000)
#define ACTORS		 12
#define SCOPES		 2

enum {
	WORK = 1,
	STICK, /* until the gate opens */
	SECTION,
};

static struct {
	_Atomic uint64_t inits, exits, destroys;
	_Atomic bool open;
	struct troupe_weak peers[ACTORS];
	_Atomic bool loaded;
	struct troupe_system *system;
} scene;

static void gate_pass(void)
{
	while (!atomic_load(&scene.open))
		usleep(50);
}

static struct troupe_strong any_peer(void)
{
	if (!atomic_load(&scene.loaded))
		return (struct troupe_strong){NULL};
	return troupe_weak_lock(scene.peers[stress_below(ACTORS)]);
}

static int answer(struct troupe_actor *self, void *state,
		  const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)message;
	(void)context;
	return 0;
}

static void node_spawn(struct troupe_system *system);

static int job_run(void *data)
{
	(void)data;
	if (stress_once_in(2) && troupe_blocking_begin() == 0)
		gate_pass();
	return stress_once_in(2) ? TROUPE_JOB_DONE : TROUPE_JOB_AGAIN;
}

/* Calls of all kinds, which may find the system gone but for its shell. */
static void node_call(struct troupe_actor *self)
{
	struct troupe_system *system = troupe_self_system(self);
	struct troupe_stats stats = {.size = sizeof(stats)};
	struct troupe_strong to = any_peer();
	struct troupe_strong me;
	uint64_t number;

	switch (stress_below(9)) {
	case 0:
		node_spawn(system);
		break;
	case 1:
		(void)troupe_schedule(system, job_run, NULL);
		break;
	case 2:
		troupe_system_stats(system, &stats);
		break;
	case 3:
		me = troupe_self(self);
		(void)troupe_registry_put(troupe_system_registry(system), "me",
					  me);
		troupe_strong_release(&me);
		break;
	case 4:
		stress_check(troupe_system_stop(system, 0, TROUPE_STOP_ABANDON,
						NULL, NULL) == 0,
			     "stop inside");
		break;
	case 5:
		if (to.block != NULL)
			(void)troupe_request(self, to, WORK, NULL, 0, answer,
					     NULL);
		break;
	case 6:
		if (to.block != NULL)
			(void)troupe_monitor(self, to, &number);
		break;
	default:
		if (to.block != NULL)
			(void)troupe_send(to, WORK + (uint32_t)stress_below(3),
					  NULL, 0);
		break;
	}
	troupe_strong_release(&to);
}

static int node_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	(void)self;
	(void)state;
	(void)argument;
	atomic_fetch_add(&scene.inits, 1);
	return 0;
}

static void node_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)state;
	(void)reason;
	if (stress_once_in(2))
		node_call(self);
	atomic_fetch_add(&scene.exits, 1);
}

static void node_destroy(void *state)
{
	(void)state;
	atomic_fetch_add(&scene.destroys, 1);
}

static int node_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	/* Off the workers only: what blocks one of these is waited for. */
	if (message->tag == SECTION && troupe_blocking_begin() == 0 &&
	    troupe_self_worker(self) == TROUPE_ANY_WORKER)
		gate_pass();
	if (message->tag == STICK &&
	    troupe_self_worker(self) == TROUPE_ANY_WORKER)
		gate_pass();
	node_call(self);
	return 0;
}

static int loop_run(struct troupe_actor *self, void *state)
{
	int result = 0;

	(void)state;
	while (result == 0 || result == -ETIMEDOUT) {
		const struct troupe_message *message;

		result = troupe_receive(self, stress_below(500000), &message);
		if (result == 0 && message->tag == STICK)
			gate_pass();
		if (result == 0)
			node_call(self);
	}
	/* It does not do as it is told. */
	if (stress_once_in(2))
		gate_pass();
	node_call(self);
	return result;
}

static const struct troupe_limits held = {
	.messages = 3,
	.overflow = TROUPE_OVERFLOW_HOLD,
};

#define NODE(flags_, limits_)                                         \
	{                                                             \
		.name = "node", .flags = (flags_), .init = node_init, \
		.receive = node_receive, .on_exit = node_exit,        \
		.destroy = node_destroy, .limits = (limits_),         \
	}
#define LOOP(flags_)                                                  \
	{                                                             \
		.name = "loop", .flags = (flags_), .init = node_init, \
		.run = loop_run, .on_exit = node_exit,                \
		.destroy = node_destroy,                              \
	}

static const struct troupe_actor_class classes[] = {
	NODE(0, NULL),
	NODE(0, &held),
	NODE(TROUPE_CLASS_KEEP_STATE, NULL),
	NODE(TROUPE_CLASS_DETACHED, NULL),
	NODE(TROUPE_CLASS_DETACHED, &held),
	NODE(TROUPE_CLASS_DETACHED | TROUPE_CLASS_TRAP_EXIT, NULL),
	LOOP(0),
	LOOP(TROUPE_CLASS_TRAP_EXIT),
};

static int node_make(struct troupe_system *system,
		     struct troupe_strong *ret_actor)
{
	const size_t count = sizeof(classes) / sizeof(classes[0]);
	int result = troupe_spawn(system, &classes[stress_below(count)], NULL,
				  ret_actor);

	stress_check(result == 0 || result == -EAGAIN || result == -ESHUTDOWN,
		     "spawn: %d", result);
	return result;
}

static void node_spawn(struct troupe_system *system)
{
	struct troupe_strong actor = {NULL};

	if (node_make(system, &actor) == 0)
		(void)troupe_send(actor, WORK + (uint32_t)stress_below(3), NULL,
				  0);
	troupe_strong_release(&actor);
}

/* ---- outside ----------------------------------------------------------- */

static void *scope_main(void *data)
{
	struct troupe_actor *self = NULL;
	_Atomic uint64_t *ready = data;
	int result = troupe_scoped_create(scene.system, &self);

	atomic_fetch_add(ready, 1);
	if (result != 0)
		return NULL;
	atomic_fetch_add(&scene.inits, 1);
	if (stress_once_in(2))
		gate_pass();
	(void)loop_run(self, NULL);
	troupe_scoped_destroy(self);
	atomic_fetch_add(&scene.exits, 1);
	atomic_fetch_add(&scene.destroys, 1);
	return NULL;
}

static void *opener_main(void *data)
{
	(void)data;
	usleep((useconds_t)stress_below(3000));
	atomic_store(&scene.open, true);
	return NULL;
}

static bool stop_begun(const struct troupe_actor_info *info, void *context)
{
	(void)info;
	if (context != NULL)
		atomic_store((_Atomic bool *)context, true);
	return stress_once_in(2);
}

static int scene_stop(_Atomic bool *begun)
{
	uint32_t flags = TROUPE_STOP_ABANDON |
			 (stress_once_in(2) ? TROUPE_STOP_KILL : 0);

	return troupe_system_stop(scene.system, stress_below(2000000), flags,
				  stop_begun, (void *)begun);
}

static void *stopper_main(void *data)
{
	_Atomic bool *begun = data;

	(void)scene_stop(begun);
	/* All ended in time: nobody was left to tell of. */
	atomic_store(begun, true);
	return NULL;
}

/* ---- a system's life --------------------------------------------------- */

static void scene_load(struct troupe_strong *actors)
{
	for (int i = 0; i < ACTORS; i++)
		if (node_make(scene.system, &actors[i]) == 0)
			scene.peers[i] = troupe_weak_from(actors[i]);
	atomic_store(&scene.loaded, true);
	for (int i = 0; i < ACTORS; i++)
		if (actors[i].block != NULL)
			(void)troupe_send(actors[i],
					  WORK + (uint32_t)stress_below(3),
					  NULL, 0);
	(void)troupe_schedule(scene.system, job_run, NULL);
}

/* Until destroy has returned; it may not wait for the gate. */
static void scene_end(bool stopped)
{
	uint64_t start = troupe_now();

	if (!stress_once_in(3))
		usleep((useconds_t)stress_below(1500));
	if (!stopped)
		(void)scene_stop(NULL);
	if (!stopped && stress_once_in(4))
		(void)scene_stop(NULL);
	stress_check(troupe_system_destroy(scene.system) == 0, "destroy");
	stress_check(troupe_now() - start < ABANDON_PATIENCE,
		     "it took %" PRIu64 " ms",
		     (troupe_now() - start) / 1000000);
}

static void scene_check(uint64_t alive)
{
	uint64_t end = troupe_now() + ABANDON_PATIENCE;
	uint64_t inits;

	while (troupe__live_allocations() != alive) {
		stress_check(troupe_now() < end,
			     "%" PRIu64 " allocations are left",
			     troupe__live_allocations() - alive);
		usleep(100);
	}
	inits = atomic_load(&scene.inits);
	stress_check(atomic_load(&scene.exits) == inits,
		     "%" PRIu64 " inits, %" PRIu64 " exits", inits,
		     atomic_load(&scene.exits));
	stress_check(atomic_load(&scene.destroys) == inits,
		     "%" PRIu64 " inits, %" PRIu64 " destroys", inits,
		     atomic_load(&scene.destroys));
}

/* Until no callback looks at the peers any more. */
static void scene_await_ends(void)
{
	uint64_t end = troupe_now() + ABANDON_PATIENCE;

	while (atomic_load(&scene.destroys) != atomic_load(&scene.inits)) {
		stress_check(troupe_now() < end,
			     "%" PRIu64 " inits, %" PRIu64 " destroys",
			     atomic_load(&scene.inits),
			     atomic_load(&scene.destroys));
		usleep(100);
	}
}

/* Returns: true if destroy was over before the gate opened. */
static bool scene_round(void)
{
	struct troupe_strong actors[ACTORS] = {{NULL}};
	uint64_t alive = troupe__live_allocations();
	_Atomic uint64_t ready = 0;
	_Atomic bool begun = false;
	pthread_t threads[SCOPES + 2];
	uint64_t count = 0, scopes = 0;
	bool stopped = false, first;

	memset(&scene, 0, sizeof(scene));
	scene.system = stress_create_detached("detached.max-threads=8", 10);
	scene_load(actors);
	while (scopes < SCOPES && stress_once_in(2) &&
	       pthread_create(&threads[count], NULL, scope_main,
			      (void *)&ready) == 0) {
		count++;
		scopes++;
	}
	while (atomic_load(&ready) < scopes)
		sched_yield();
	if (stress_once_in(2) &&
	    pthread_create(&threads[count], NULL, opener_main, NULL) == 0)
		count++;
	if (stress_once_in(3) &&
	    pthread_create(&threads[count], NULL, stopper_main,
			   (void *)&begun) == 0) {
		count++;
		stopped = true;
		/* It has to begin before the destroy. */
		while (!atomic_load(&begun))
			sched_yield();
	}
	scene_end(stopped);
	first = !atomic_load(&scene.open);
	/* Some handles outlive it all. */
	for (int i = 0; i < ACTORS; i++) {
		if (actors[i].block != NULL && stress_once_in(4))
			(void)troupe_send(actors[i], WORK, NULL, 0);
		if (stress_once_in(2))
			troupe_strong_release(&actors[i]);
	}
	atomic_store(&scene.open, true);
	for (int i = 0; i < ACTORS; i++)
		troupe_strong_release(&actors[i]);
	while (count > 0)
		pthread_join(threads[--count], NULL);
	scene_await_ends();
	for (int i = 0; i < ACTORS; i++)
		troupe_weak_release(&scene.peers[i]);
	scene_check(alive);
	return first;
}

int main(int argc, char **argv)
{
	uint64_t policies, turn_time, rounds = 0, abandoned = 0, end;

	stress_start("abandon", 3, argc, argv);
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
			abandoned += scene_round();
			stress_progress();
			rounds++;
		} while (troupe_now() < end);
	}
	printf("%" PRIu64 " systems, %" PRIu64
	       " destroyed before their threads came back\n",
	       rounds, abandoned);
	return 0;
}
