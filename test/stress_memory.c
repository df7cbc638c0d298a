/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory: actors that are spawned, monitored and die, again and again, leave
 * resident memory as it is after the first tenth of the rounds, and bring one
 * message each; and an idle actor with 16 bytes of state costs at most 320
 * bytes, all included.
 *
 *	stress_memory [--rounds N] [--actors N]
 *
 * Sanitizers keep freed memory and surround each piece: with them only the
 * library's own count of pieces is looked at.
 */
#include "platform.h"
#include "troupe.h"
#include "troupe_config.h"

#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OBSERVERS  4
#define IDLE_BYTES 320
/* What may come and go beside: of the allocator, and of other threads. */
#define SLACK_BYTES (UINT64_C(2) << 20)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_SANITIZED true
#endif
#endif
#ifndef MEMORY_SANITIZED
#define MEMORY_SANITIZED false
#endif

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "stress_memory: %s\n", what);
	abort();
}

/* Bytes of resident memory. */
static uint64_t resident(void)
{
	unsigned long size = 0, pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	check(file != NULL && fscanf(file, "%lu %lu", &size, &pages) == 2,
	      "no /proc/self/statm");
	fclose(file);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static struct troupe_system *system_start(void)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system = NULL;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.max_threads = 2;
	check(troupe_system_create(&config, NULL, &system) == 0, "no system");
	return system;
}

static void system_end(struct troupe_system *system)
{
	struct troupe_stats stats = {.size = sizeof(stats)};

	troupe_system_await(system);
	troupe_system_stats(system, &stats);
	check(stats.spawned == stats.completed, "an actor did not end");
	check(troupe_system_destroy(system) == 0, "destroy");
	check(troupe__live_allocations() == 0, "something is left");
}

/* ---- spawn, monitor, die ----------------------------------------------- */

enum {
	GO = 1,
	DIE
};

struct observer {
	struct troupe_strong self; /* it stays until it has done its rounds */
	uint64_t left;
	uint64_t monitor;
};

static _Atomic uint64_t rounds_done, downs;
static uint64_t rounds_each;

static int child_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)state;
	check(message->tag == DIE, "a child got another message");
	troupe_quit(self, 5);
	return 0;
}

static const struct troupe_actor_class child_class = {
	.name = "child",
	.state_size = 16,
	.receive = child_receive,
};

static int observer_next(struct troupe_actor *self, struct observer *observer)
{
	struct troupe_strong child;
	int result;

	if (observer->left-- == 0) {
		troupe_quit(self, 0);
		return 0;
	}
	result = troupe_spawn(troupe_self_system(self), &child_class, NULL,
			      &child);
	if (result != 0)
		return result;
	result = troupe_monitor(self, child, &observer->monitor);
	if (result == 0)
		result = troupe_send(child, DIE, NULL, 0);
	troupe_strong_release(&child);
	return result;
}

static int observer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	struct observer *observer = state;

	if (message->tag == TROUPE_TAG_DOWN) {
		const struct troupe_ended *ended = troupe_payload(message);

		check(ended->monitor == observer->monitor && ended->reason == 5,
		      "not the message that was due");
		atomic_fetch_add(&downs, 1);
		atomic_fetch_add(&rounds_done, 1);
	}
	return observer_next(self, observer);
}

static int observer_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	struct observer *observer = state;

	(void)argument;
	observer->self = troupe_self(self);
	observer->left = rounds_each;
	return troupe_send(observer->self, GO, NULL, 0);
}

static void observer_destroy(void *state)
{
	troupe_strong_release(&((struct observer *)state)->self);
}

static const struct troupe_actor_class observer_class = {
	.name = "observer",
	.state_size = sizeof(struct observer),
	.init = observer_init,
	.receive = observer_receive,
	.destroy = observer_destroy,
};

static void rounds_run(uint64_t rounds)
{
	struct troupe_system *system = system_start();
	uint64_t warm, most;

	rounds_each = rounds / OBSERVERS;
	rounds = rounds_each * OBSERVERS;
	for (int i = 0; i < OBSERVERS; i++)
		check(troupe_spawn(system, &observer_class, NULL, NULL) == 0,
		      "spawn");
	while (atomic_load(&rounds_done) < rounds / 10)
		sched_yield();
	warm = most = resident();
	while (atomic_load(&rounds_done) < rounds) {
		uint64_t now = resident();

		most = now > most ? now : most;
		usleep(1000);
	}
	system_end(system);
	printf("%" PRIu64 " rounds: resident %" PRIu64
	       " KiB after a tenth, at most %" PRIu64 " KiB later\n",
	       rounds, warm / 1024, most / 1024);
	check(atomic_load(&downs) == rounds, "not one message each");
	check(MEMORY_SANITIZED || most <= warm + SLACK_BYTES,
	      "resident memory grows");
}

/* ---- idle actors ------------------------------------------------------- */

static _Atomic uint64_t idle_handled;

static int idle_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)self;
	(void)message;
	memset(state, 1, 16);
	atomic_fetch_add(&idle_handled, 1);
	return 0;
}

static const struct troupe_actor_class idle_class = {
	.name = "idle",
	.state_size = 16,
	.receive = idle_receive,
};

static void idle_run(uint64_t count)
{
	struct troupe_system *system = system_start();
	struct troupe_strong *actors = malloc(count * sizeof(*actors));
	uint64_t before, spawned, used;

	check(actors != NULL, "out of memory");
	memset(actors, 1, count * sizeof(*actors));
	before = resident();
	for (uint64_t i = 0; i < count; i++)
		check(troupe_spawn(system, &idle_class, NULL, &actors[i]) == 0,
		      "spawn");
	spawned = (resident() - before) / count;
	for (uint64_t i = 0; i < count; i++) {
		check(troupe_send(actors[i], GO, NULL, 0) == 0, "send");
		while (i > atomic_load(&idle_handled) + 1000)
			sched_yield();
	}
	while (atomic_load(&idle_handled) < count)
		sched_yield();
	used = (resident() - before) / count;
	for (uint64_t i = 0; i < count; i++)
		troupe_strong_release(&actors[i]);
	system_end(system);
	free(actors);
	printf("%" PRIu64 " idle actors: %" PRIu64 " bytes each, %" PRIu64
	       " after a message to each\n",
	       count, spawned, used);
	check(MEMORY_SANITIZED || (spawned <= IDLE_BYTES && used <= IDLE_BYTES),
	      "an idle actor costs too much");
}

/* In a process of its own: memory that one frees must not serve the other. */
static bool apart(void (*run)(uint64_t count), uint64_t count)
{
	int status = -1;
	pid_t child = fork();

	check(child >= 0, "no process");
	if (child == 0) {
		run(count);
		exit(0);
	}
	check(waitpid(child, &status, 0) == child, "no child");
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
	uint64_t rounds = 40000, actors = 40000;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--rounds") == 0)
			rounds = strtoull(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--actors") == 0)
			actors = strtoull(argv[i + 1], NULL, 10);
	}
	return apart(rounds_run, rounds) && apart(idle_run, actors) ? 0 : 1;
}
