/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles race with the last release.
 *
 * In each round every thread has a weak handle, and some a strong one, to one
 * object. They clone, lock and release; then all strong handles go, in no
 * order, while others still lock. The object must be whole for everyone who
 * has it, be destroyed once and its block be freed once. In every other round
 * one thread plays a running actor: it revives the object after its last
 * release, and the block must last as long as this thread's weak count.
 *
 *	stress_refcount [--seconds N] [--seed S] [--threads N]
 */
#include "block.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS_MAX 32

struct thing {
	struct troupe_control_block block;
	uint64_t written; /* plain: the counts order it */
	_Atomic uint64_t unreferenced;
	_Atomic uint64_t revived;
};

/* A padding thread that plays the actor sets this; 0: nobody does. */
static _Atomic bool acted;
static _Atomic uint64_t freed;
static _Atomic uint64_t locked;
static struct thing *thing;
static pthread_barrier_t barrier;
static bool stop; /* written before a barrier, read after it */
static bool with_actor;
static uint32_t threads;

struct stresser {
	pthread_t thread;
	uint32_t number;
	uint64_t random;
	struct troupe_strong strong;
	struct troupe_weak weak;
};

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "stress_refcount: %s\n", what);
	abort();
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void thing_unreferenced(struct troupe_control_block *block)
{
	struct thing *self = (struct thing *)block;

	atomic_fetch_add(&self->unreferenced, 1);
	/* The last release happens after all that others did: TSan sees a
	 * release that is not ordered. */
	if (!with_actor)
		self->written = 0;
}

static void thing_free(struct troupe_control_block *block)
{
	struct thing *self = (struct thing *)block;

	check(atomic_load(&self->unreferenced) ==
		      1 + atomic_load(&self->revived),
	      "not given up once each time it was unreferenced");
	check(!with_actor || atomic_load(&acted), "freed below the actor");
	atomic_fetch_add(&freed, 1);
	free(self);
}

static const struct troupe_block_ops thing_ops = {
	.name = "thing",
	.unreferenced = thing_unreferenced,
	.free = thing_free,
};

static void thing_create(void)
{
	thing = aligned_alloc(64, 128);
	check(thing != NULL, "out of memory");
	troupe_block_init(&thing->block, &thing_ops, 1, NULL);
	thing->written = 1;
	atomic_init(&thing->unreferenced, 0);
	atomic_init(&thing->revived, 0);
	atomic_store(&acted, false);
}

/* Locks until the object is gone, a while at most. */
static void stress_lock(struct stresser *self)
{
	for (int i = 0; i < 200; i++) {
		struct troupe_strong strong = troupe_weak_lock(self->weak);

		if (troupe_strong_is_null(strong)) {
			check(troupe_weak_id(self->weak) == 1,
			      "the id is gone");
			if (!with_actor)
				return;
			continue;
		}
		check(with_actor || thing->written == 1, "locked a dead one");
		check(atomic_load(&thing->unreferenced) <=
			      atomic_load(&thing->revived) + with_actor,
		      "locked one that was given up");
		atomic_fetch_add(&locked, 1);
		if ((random_next(&self->random) & 3) == 0) {
			struct troupe_strong other =
				troupe_strong_clone(strong);

			troupe_strong_release(&strong);
			strong = troupe_strong_move(&other);
		}
		troupe_strong_release(&strong);
	}
}

/* A running actor makes handles to itself, whoever else still has any. */
static void stress_act(struct stresser *self)
{
	for (int i = 0; i < 100; i++) {
		struct troupe_strong strong;

		/* Whether this one starts from 0 is counted by trying: only
		 * this thread can make it more than 0 again. */
		strong = troupe_weak_lock(self->weak);
		if (troupe_strong_is_null(strong)) {
			atomic_fetch_add(&thing->revived, 1);
			strong = troupe__strong_revive(&thing->block, 1);
		}
		if ((random_next(&self->random) & 7) == 0)
			sched_yield();
		troupe_strong_release(&strong);
	}
	atomic_store(&acted, true);
}

static void stress_round(struct stresser *self)
{
	bool actor = with_actor && self->number == 0;

	if (actor) {
		troupe_strong_release(&self->strong);
		stress_act(self);
	} else if ((self->number & 1) == 0) {
		/* Let the lockers get going first, now and then. */
		if ((random_next(&self->random) & 1) != 0)
			sched_yield();
		troupe_strong_release(&self->strong);
		stress_lock(self);
	} else {
		stress_lock(self);
		troupe_strong_release(&self->strong);
	}
	troupe_weak_release(&self->weak);
}

static void *stress_run(void *data)
{
	struct stresser *self = data;

	for (;;) {
		pthread_barrier_wait(&barrier);
		if (stop)
			return NULL;
		stress_round(self);
		pthread_barrier_wait(&barrier);
	}
}

static void stress_prepare(struct stresser *stresser, uint64_t *random)
{
	struct troupe_strong first;

	with_actor = (random_next(random) & 1) != 0;
	thing_create();
	first.block = &thing->block;
	for (uint32_t i = 0; i < threads; i++) {
		stresser[i].weak = troupe_weak_from(first);
		if (i < 2 || (random_next(random) & 3) == 0)
			stresser[i].strong = troupe_strong_clone(first);
	}
	troupe_strong_release(&first);
}

static uint64_t argument(int argc, char **argv, const char *name,
			 uint64_t initial)
{
	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], name) == 0)
			return strtoull(argv[i + 1], NULL, 0);
	}
	return initial;
}

int main(int argc, char **argv)
{
	uint64_t seconds = argument(argc, argv, "--seconds", 1);
	uint64_t seed = argument(argc, argv, "--seed", (uint64_t)time(NULL));
	uint64_t random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	static struct stresser stresser[THREADS_MAX];
	uint64_t rounds = 0;
	time_t end;

	threads = (uint32_t)argument(argc, argv, "--threads", 4);
	check(threads >= 2 && threads <= THREADS_MAX, "--threads: 2 to 32");
	printf("stress_refcount: seed %" PRIu64 "\n", seed);
	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (uint32_t i = 0; i < threads; i++) {
		stresser[i].number = i;
		stresser[i].random = random + i * 2 + 1;
		check(pthread_create(&stresser[i].thread, NULL, stress_run,
				     &stresser[i]) == 0,
		      "thread");
	}
	end = time(NULL) + (time_t)seconds;
	do {
		stress_prepare(stresser, &random);
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		rounds++;
		check(atomic_load(&freed) == rounds, "not freed once");
	} while (time(NULL) <= end);
	stop = true;
	pthread_barrier_wait(&barrier);
	for (uint32_t i = 0; i < threads; i++)
		pthread_join(stresser[i].thread, NULL);
	pthread_barrier_destroy(&barrier);
	printf("stress_refcount: %" PRIu64 " rounds, %" PRIu64 " locks\n",
	       rounds, atomic_load(&locked));
	return 0;
}
