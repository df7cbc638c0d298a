/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gets by name and id race with deaths and new puts.
 *
 * Owners each have some names. They put an object under a name, let it die in
 * one of several ways, and put the next one. Readers get by name and by id all
 * the time: what they get must be whole and belong to the name. In the end
 * every object was destroyed and freed once.
 *
 *	stress_registry [--seconds N] [--seed S] [--readers N] [--owners N]
 *		[--fenced 0|1]	fences in sections, as where there is no
 *				membarrier(): of odd seeds
 */
#include "registry.h"
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAMES_EACH  4
#define OWNERS_MAX  16
#define READERS_MAX 64
#define THING_ALIVE UINT64_C(0x616c697665616c69)
#define THING_GONE  UINT64_C(0x676f6e65676f6e65)

struct thing {
	struct troupe_control_block block;
	_Atomic uint64_t magic;
	uint32_t name;
};

struct owner {
	pthread_t thread;
	uint32_t number;
	uint64_t random;
	uint64_t deaths;
};

struct reader {
	pthread_t thread;
	uint64_t random;
	uint64_t gets;
	uint64_t hits;
};

static struct troupe_registry *registry;
static _Atomic bool stop;
static _Atomic uint64_t next_id = 1;
static _Atomic uint64_t destroyed;
static _Atomic uint64_t freed;
static uint32_t name_count;
/* The newest id of each name: readers guess ids around it. */
static _Atomic uint64_t newest[OWNERS_MAX * NAMES_EACH];

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "stress_registry: %s\n", what);
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
	struct thing *thing = (struct thing *)block;

	troupe__registry_ended(registry, block);
	check(atomic_exchange(&thing->magic, THING_GONE) == THING_ALIVE,
	      "an object was destroyed twice");
	atomic_fetch_add(&destroyed, 1);
	troupe__running_dec(troupe__registry_running(registry),
			    TROUPE__RUNNING_ACTOR);
}

static void thing_free(struct troupe_control_block *block)
{
	struct thing *thing = (struct thing *)block;

	check(atomic_exchange(&thing->magic, 0) == THING_GONE,
	      "an object was freed before it was destroyed");
	atomic_fetch_add(&freed, 1);
	free(thing);
}

static const struct troupe_block_ops thing_ops = {
	.name = "thing",
	.unreferenced = thing_unreferenced,
	.free = thing_free,
};

static struct troupe_strong thing_create(uint32_t name)
{
	struct thing *thing = aligned_alloc(64, 128);

	check(thing != NULL, "out of memory");
	troupe_block_init(&thing->block, &thing_ops,
			  atomic_fetch_add(&next_id, 1), NULL);
	atomic_init(&thing->magic, THING_ALIVE);
	thing->name = name;
	troupe__running_inc(troupe__registry_running(registry),
			    TROUPE__RUNNING_ACTOR);
	return (struct troupe_strong){&thing->block};
}

static void name_text(uint32_t name, char text[32])
{
	snprintf(text, 32, "name-%" PRIu32, name);
}

static void thing_check(struct troupe_strong handle, uint32_t name)
{
	const struct thing *thing = (const struct thing *)handle.block;

	check(atomic_load(&thing->magic) == THING_ALIVE, "a stale handle");
	check(thing->name == name, "a handle of another name");
}

#if TROUPE_HOOKS
/* Readers that found an entry wait a while now and then: long enough for its
 * actor to end, and for its memory to go if nothing keeps it. */
static void reader_pause(void)
{
	static _Thread_local uint64_t random;

	if (random == 0)
		random = (uint64_t)(uintptr_t)&random | 1;
	if ((random_next(&random) & 15) == 0)
		sched_yield();
}

static void set_pause(void (*pause)(void))
{
	troupe__reader_set_hook(pause);
}
#else
static void set_pause(void (*pause)(void))
{
	(void)pause;
}
#define reader_pause NULL
#endif

static void *reader_run(void *data)
{
	struct reader *self = data;

	while (!atomic_load(&stop)) {
		uint64_t random = random_next(&self->random);
		uint32_t name = (uint32_t)((random >> 8) % name_count);
		struct troupe_strong handle;
		char text[32];

		name_text(name, text);
		if ((random & 0xf00000) == 0)
			check(troupe_registry_id(registry, text) <
				      atomic_load(&next_id),
			      "an id that never was");
		if ((random & 3) != 0)
			handle = troupe_registry_get(registry, text);
		else
			handle = troupe_registry_get_id(
				registry, atomic_load(&newest[name]));
		self->gets++;
		if (troupe_strong_is_null(handle))
			continue;
		self->hits++;
		thing_check(handle, name);
		/* Holding it over a wait makes this one the last holder now
		 * and then. */
		if ((random & 0x70) == 0)
			sched_yield();
		thing_check(handle, name);
		troupe_strong_release(&handle);
	}
	return NULL;
}

static void owner_put(struct owner *self, struct troupe_strong *slot,
		      uint32_t name)
{
	struct troupe_strong got;
	char text[32];

	name_text(name, text);
	*slot = thing_create(name);
	check(troupe_registry_put(registry, text, *slot) == 0, "put failed");
	check(troupe_registry_put(registry, text, *slot) == -EEXIST,
	      "a second put was not refused");
	if ((random_next(&self->random) & 1) != 0)
		check(troupe_registry_put_id(registry, *slot) == 0,
		      "put by id failed");
	atomic_store(&newest[name], troupe_strong_id(*slot));
	got = troupe_registry_get(registry, text);
	check(troupe_strong_equal(got, *slot), "get after put failed");
	troupe_strong_release(&got);
}

/* Ends what is in the slot; afterwards its name must be free. */
static void owner_end(struct owner *self, struct troupe_strong *slot,
		      uint32_t name)
{
	struct troupe_strong got;
	char text[32];

	name_text(name, text);
	switch (random_next(&self->random) % 4) {
	case 0:
		/* It ends while it is still held. */
		troupe__registry_ended(registry, slot->block);
		check(troupe_registry_put(registry, text, *slot) == -ESRCH,
		      "an ended one could be put");
		break;
	case 1:
		check(troupe_registry_erase(registry, text) == 0,
		      "erase failed");
		check(troupe_registry_erase(registry, text) == -ENOENT,
		      "a second erase was not refused");
		break;
	default:
		/* The last handle goes, here or in a reader: until then the
		 * name stays taken. */
		troupe_strong_release(slot);
		do {
			got = troupe_registry_get(registry, text);
		} while (!troupe_strong_is_null(got) &&
			 (troupe_strong_release(&got), sched_yield(), true));
		break;
	}
	got = troupe_registry_get(registry, text);
	check(troupe_strong_is_null(got), "a get after the end");
	troupe_strong_release(slot);
	self->deaths++;
}

static void *owner_run(void *data)
{
	struct owner *self = data;
	struct troupe_strong slots[NAMES_EACH] = {{NULL}};

	while (!atomic_load(&stop)) {
		uint32_t i = (uint32_t)(random_next(&self->random) >> 8) %
			     NAMES_EACH;
		uint32_t name = self->number * NAMES_EACH + i;

		if (troupe_strong_is_null(slots[i]))
			owner_put(self, &slots[i], name);
		else
			owner_end(self, &slots[i], name);
	}
	for (uint32_t i = 0; i < NAMES_EACH; i++)
		troupe_strong_release(&slots[i]);
	return NULL;
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
	uint32_t readers =
		(uint32_t)argument(argc, argv, "--readers", 8) % READERS_MAX;
	uint32_t owners =
		(uint32_t)argument(argc, argv, "--owners", 2) % OWNERS_MAX;
	static struct owner owner[OWNERS_MAX];
	static struct reader reader[READERS_MAX];
	struct troupe__registry_options options = {0};
	struct timespec duration = {.tv_sec = (time_t)seconds};
	uint64_t gets = 0;
	uint64_t hits = 0;
	uint64_t deaths = 0;

	check(troupe__registry_create(&options, &registry) == 0, "create");
	if (argument(argc, argv, "--fenced", seed & 1) != 0)
		troupe__reader_fenced = true;
	printf("stress_registry: seed %" PRIu64 ", %s\n", seed,
	       troupe__reader_fenced ? "fences" : "membarrier");
	name_count = owners * NAMES_EACH;
	set_pause(reader_pause);
	for (uint32_t i = 0; i < owners; i++) {
		owner[i].number = i;
		owner[i].random = (seed + i + 1) * 0x9e3779b97f4a7c15;
		check(pthread_create(&owner[i].thread, NULL, owner_run,
				     &owner[i]) == 0,
		      "thread");
	}
	for (uint32_t i = 0; i < readers; i++) {
		reader[i].random = (seed + i + 101) * 0x9e3779b97f4a7c15;
		check(pthread_create(&reader[i].thread, NULL, reader_run,
				     &reader[i]) == 0,
		      "thread");
	}
	nanosleep(&duration, NULL);
	atomic_store(&stop, true);
	for (uint32_t i = 0; i < owners; i++) {
		pthread_join(owner[i].thread, NULL);
		deaths += owner[i].deaths;
	}
	for (uint32_t i = 0; i < readers; i++) {
		pthread_join(reader[i].thread, NULL);
		gets += reader[i].gets;
		hits += reader[i].hits;
	}
	check(troupe_registry_running(registry) == 0, "some still run");
	check(atomic_load(&destroyed) == atomic_load(&next_id) - 1,
	      "not all were destroyed");
	troupe__registry_destroy(registry);
	check(atomic_load(&freed) == atomic_load(&next_id) - 1,
	      "not all were freed");
	/* One a thread, and the registry's own. */
	check(troupe__reader_count() <= readers + owners + 2, "records leaked");
	printf("stress_registry: %" PRIu64 " gets, %" PRIu64 " found, %" PRIu64
	       " deaths\n",
	       gets, hits, deaths);
	return 0;
}
