/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry_reads - how reads of a quiet registry scale with threads
 *
 *	registry_reads [--millis N] [--rounds N] [--names N]
 *
 * Threads look up names as fast as they can, in four patterns. Each thread is
 * bound to a processor of its own. One thread is measured on each of them, as
 * some may be slower than others, then all together, in turn; the median is
 * shown. On a machine that is busy with other things the factors say nothing.
 *
 * Threads that get all names meet at the counts of the actors. The more names,
 * the less often, but the more come from slow memory: see --names 100000.
 */
#include "platform.h"
#include "quantile.h"
#include "registry.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES	    1024 /* if nothing else is said */
#define THREADS_MAX 64
#define ROUNDS_MAX  99

enum pattern {
	OWN_NAMES, /* no two threads get the same actor */
	ALL_NAMES, /* all get any */
	ONE_NAME,
	ONE_ID, /* one name, without a handle */
	PATTERNS,
};

static const char *const pattern_names[PATTERNS] = {
	"get, own names", "get, all names", "get, one name", "id of one name"};

struct reader {
	pthread_t thread;
	uint32_t number;
	uint64_t reads;
	char line_end[64];
};

static struct troupe_registry *registry;
static struct troupe_control_block *blocks; /* every other one is used */
static char (*names)[32];
static uint32_t name_count;
static int cpus[THREADS_MAX];
static enum pattern pattern;
static uint32_t threads;
static _Atomic uint32_t ready;
static _Atomic bool stop;

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "registry_reads: %s\n", what);
	exit(1);
}

static void prepare(void)
{
	static const struct troupe_block_ops ops = {.name = "bench"};
	static const struct troupe__registry_options options;

	check(troupe__registry_create(&options, &registry) == 0, "no memory");
	/* Two lines each: some processors fetch lines in pairs. */
	blocks = aligned_alloc(128, (size_t)name_count * 128);
	names = malloc(name_count * sizeof(*names));
	check(blocks != NULL && names != NULL, "no memory");
	for (uint32_t i = 0; i < name_count; i++) {
		struct troupe_strong handle = {&blocks[2 * i]};

		troupe_block_init(handle.block, &ops, i + 1, NULL);
		snprintf(names[i], sizeof(names[i]), "service-%" PRIu32, i);
		check(troupe_registry_put(registry, names[i], handle) == 0,
		      "put failed");
	}
}

static uint32_t choose(const struct reader *self, uint32_t random)
{
	uint32_t each = name_count / threads;

	switch (pattern) {
	case OWN_NAMES:
		return self->number * each + random % each;
	case ALL_NAMES:
		return random % name_count;
	default:
		return 0;
	}
}

static void read_once(const char *name)
{
	struct troupe_strong handle;

	if (pattern == ONE_ID) {
		check(troupe_registry_id(registry, name) != 0, "not found");
		return;
	}
	handle = troupe_registry_get(registry, name);
	check(!troupe_strong_is_null(handle), "not found");
	troupe_strong_release(&handle);
}

static void *reader_run(void *data)
{
	struct reader *self = data;
	uint32_t random = self->number + 1;
	uint64_t reads = 0;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) <= threads)
		sched_yield();
	while (!atomic_load(&stop)) {
		random = random * 1664525u + 1013904223u;
		read_once(names[choose(self, random >> 8)]);
		reads++;
	}
	self->reads = reads;
	return NULL;
}

static void bind_thread(pthread_t thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	check(pthread_setaffinity_np(thread, sizeof(set), &set) == 0,
	      "cannot bind");
}

static uint32_t find_cpus(uint32_t most)
{
	uint32_t count = 0;
	cpu_set_t set;

	check(sched_getaffinity(0, sizeof(set), &set) == 0, "no processors");
	for (int cpu = 0; cpu < CPU_SETSIZE && count < most; cpu++) {
		if (CPU_ISSET(cpu, &set))
			cpus[count++] = cpu;
	}
	return count;
}

/* On the processors from the one with number @first on. Returns: reads a
 * second, of all threads together. */
static double measure(uint32_t first, uint32_t count, uint64_t nanoseconds)
{
	static struct reader readers[THREADS_MAX];
	uint64_t reads = 0;
	uint64_t start;

	threads = count;
	atomic_store(&ready, 0);
	atomic_store(&stop, false);
	for (uint32_t i = 0; i < count; i++) {
		readers[i].number = i;
		check(pthread_create(&readers[i].thread, NULL, reader_run,
				     &readers[i]) == 0,
		      "no more threads");
		bind_thread(readers[i].thread, cpus[first + i]);
	}
	while (atomic_load(&ready) < count)
		sched_yield();
	start = troupe_now();
	atomic_fetch_add(&ready, 1);
	troupe_sleep(nanoseconds);
	atomic_store(&stop, true);
	nanoseconds = troupe_now() - start;
	for (uint32_t i = 0; i < count; i++) {
		pthread_join(readers[i].thread, NULL);
		reads += readers[i].reads;
	}
	return (double)reads * 1e9 / (double)nanoseconds;
}

static void compare(uint32_t count, uint32_t rounds, uint64_t nanoseconds)
{
	double one[ROUNDS_MAX], many[ROUNDS_MAX];
	double of_one, of_many;

	for (uint32_t i = 0; i < rounds; i++) {
		one[i] = 0;
		for (uint32_t cpu = 0; cpu < count; cpu++)
			one[i] += measure(cpu, 1, nanoseconds) / count;
		many[i] = measure(0, count, nanoseconds);
	}
	of_one = bench_quantile(one, rounds, 0.5);
	of_many = bench_quantile(many, rounds, 0.5);
	printf("%-15s %7.1f ns a read with 1 thread; %2" PRIu32
	       " threads: %.2f times as many\n",
	       pattern_names[pattern], 1e9 / of_one, count, of_many / of_one);
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
	uint64_t millis = argument(argc, argv, "--millis", 200);
	uint64_t rounds = argument(argc, argv, "--rounds", 5);
	uint32_t most;

	name_count = (uint32_t)argument(argc, argv, "--names", NAMES);
	check(name_count >= THREADS_MAX, "--names: 64 or more");
	check(rounds >= 1 && rounds <= ROUNDS_MAX, "--rounds: 1 to 99");
	most = troupe__usable_cpus();
	most = find_cpus(most < THREADS_MAX ? most : THREADS_MAX);
	prepare();
	for (pattern = 0; pattern < PATTERNS; pattern++) {
		for (uint32_t count = 2; count <= most; count *= 2)
			compare(count, (uint32_t)rounds, millis * 1000000);
	}
	troupe__registry_destroy(registry);
	free(names);
	free(blocks);
	return 0;
}
