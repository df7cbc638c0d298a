/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * threads.h - what the tests of detached actors and blocking sections share
 */
#ifndef THREADS_H
#define THREADS_H

#include "unit.h"

#include <errno.h>
#include <unistd.h>

#define THREADS_SECOND UINT64_C(1000000000)

/** @settings: "section.key=value" strings, NULL ends them. */
static inline struct troupe_system *threads_start(uint32_t workers,
						  const char *const *settings)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system = NULL;
	struct troupe_error error;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.max_threads = workers;
	config.settings = settings;
	cr_assert_eq(troupe_system_create(&config, &error, &system), 0, "%s",
		     error.text);
	return system;
}

static const struct troupe_spawn_options threads_detached = {
	.size = sizeof(struct troupe_spawn_options),
	.worker = TROUPE_ANY_WORKER,
	.flags = TROUPE_SPAWN_DETACHED,
};

/** A detached recorder; result as of troupe_spawn_with(). */
static inline int threads_recorder(struct troupe_system *system,
				   struct unit_record *record,
				   struct troupe_strong *ret_actor)
{
	return troupe_spawn_with(system, &unit_recorder_class, record,
				 &threads_detached, ret_actor);
}

/** Waits until there are @count threads beside the workers. */
static inline void threads_await(struct troupe_system *system, uint64_t count)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	while (unit_stats(system).pool_threads != count) {
		cr_assert_lt(troupe_now(), end, "%lu threads",
			     (unsigned long)unit_stats(system).pool_threads);
		troupe_sleep(100000);
	}
}

/** Its state is the value that each request is answered with, and grows. */
static inline int threads_echo(struct troupe_actor *self, void *state,
			       const struct troupe_message *message)
{
	uint64_t *count = state;

	++*count;
	return troupe_reply(self, message, message->tag, count, sizeof(*count));
}

static const struct troupe_actor_class threads_echo_class = {
	.name = "echo",
	.state_size = sizeof(uint64_t),
	.receive = threads_echo,
};

static inline struct troupe_actor *threads_scope(struct troupe_system *system)
{
	struct troupe_actor *self = NULL;

	cr_assert_eq(troupe_scoped_create(system, &self), 0);
	return self;
}

#endif
