/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Systems are destroyed as early as they may be: while those who let the last
 * actor go, or sent it its last message, have not come back from doing so.
 *
 * In each round threads from outside have the last handles to a few actors of
 * a system. They send a last message or only let go, while the main thread is
 * already in troupe_system_destroy(). Some keep a handle, or a weak one, until
 * the system has gone.
 */
#include "stress.h"

#define OUTSIDERS 3
#define ACTORS	  2

struct outsider {
	pthread_t thread;
	struct troupe_strong actors[ACTORS];
};

static struct outsider outsiders[OUTSIDERS];
static _Atomic uint64_t begun, ended, handled;
static _Atomic uint32_t waiting; /* for each other, at the start */
static uint64_t rounds;

static int last_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)state;
	atomic_fetch_add(&handled, 1);
	if (message->tag == 2)
		troupe_quit(self, 0);
	return 0;
}

static void last_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)state;
	(void)reason;
	atomic_fetch_add(&ended, 1);
}

static const struct troupe_actor_class last_class = {
	.name = "last",
	.receive = last_receive,
	.on_exit = last_exit,
};

static void *outsider_main(void *data)
{
	struct outsider *outsider = data;
	struct troupe_weak weak = {NULL};
	struct troupe_strong kept = {NULL};

	atomic_fetch_sub(&waiting, 1);
	while (atomic_load(&waiting) > 0)
		sched_yield();
	for (int i = 0; i < ACTORS; i++) {
		struct troupe_strong *actor = &outsider->actors[i];

		stress_pause(50);
		troupe_weak_release(&weak);
		weak = troupe_weak_from(*actor);
		switch (stress_below(4)) {
		case 0:
			troupe_send(*actor, 1, NULL, 0);
			break;
		case 1:
			/* Who keeps a handle must end the actor. */
			troupe_send(*actor, 2, NULL, 0);
			troupe_strong_release(&kept);
			kept = troupe_strong_clone(*actor);
			break;
		default:
			break;
		}
		troupe_strong_release(actor);
	}
	usleep((useconds_t)stress_below(300));
	troupe_send(kept, 1, NULL, 0);
	troupe_strong_release(&kept);
	kept = troupe_weak_lock(weak);
	troupe_strong_release(&kept);
	troupe_weak_release(&weak);
	return NULL;
}

static void round_begin(struct troupe_system *system)
{
	struct troupe_strong actors[ACTORS];

	for (int i = 0; i < ACTORS; i++) {
		stress_check(troupe_spawn(system, &last_class, NULL,
					  &actors[i]) == 0,
			     "spawn");
		atomic_fetch_add(&begun, 1);
	}
	atomic_store(&waiting, OUTSIDERS);
	for (int i = 0; i < OUTSIDERS; i++) {
		for (int j = 0; j < ACTORS; j++)
			outsiders[i].actors[j] = troupe_strong_clone(actors[j]);
		stress_check(pthread_create(&outsiders[i].thread, NULL,
					    outsider_main, &outsiders[i]) == 0,
			     "no thread");
	}
	for (int i = 0; i < ACTORS; i++)
		troupe_strong_release(&actors[i]);
}

static void round_play(void)
{
	struct troupe_system *system = stress_create();

	round_begin(system);
	stress_pause(100);
	stress_check(troupe_system_destroy(system) == 0, "destroy");
	stress_check(begun == ended, "destroyed while actors live");
	for (int i = 0; i < OUTSIDERS; i++)
		pthread_join(outsiders[i].thread, NULL);
	rounds++;
	stress_progress();
}

/* The turn's own system has nothing to do. */
static void turn(struct troupe_system *system)
{
	(void)system;
	do {
		round_play();
	} while (stress_goes_on());
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {1, 3, 0};

	stress_start("destroy", 2, argc, argv);
	stress_turns(turn, workers);
	printf("stress_destroy: %" PRIu64 " rounds, %" PRIu64 " messages\n",
	       rounds, handled);
	return 0;
}
