/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking at the living actors of a system from outside, through its
 * directory. Everything seen is a moment's view.
 */
#include "pool.h"
#include "process.h"

#include <errno.h>
#include <inttypes.h>

struct inspect {
	struct troupe_system *system;
	troupe_actor_fn each;
	void *context;
};

/* The worker that runs @job, or TROUPE_ANY_WORKER. */
static uint32_t inspect_worker(const struct troupe_system *system,
			       const struct job *job)
{
	for (uint32_t i = 0; i < system->head.worker_count; i++) {
		const struct worker *worker =
			(const struct worker *)system->head.workers[i];

		/* relaxed: an address, for a moment's view. */
		if (atomic_load_explicit(&worker->running,
					 memory_order_relaxed) == job)
			return i;
	}
	return TROUPE_ANY_WORKER;
}

static bool inspect_actor(struct troupe_control_block *block, void *context)
{
	static const enum troupe_actor_state states[] = {
		[JOB_NEW] = TROUPE_ACTOR_NEW,
		[JOB_WAITING] = TROUPE_ACTOR_WAITING,
		[JOB_READY] = TROUPE_ACTOR_READY,
		[JOB_RUNNING] = TROUPE_ACTOR_RUNNING,
		[JOB_HELD] = TROUPE_ACTOR_HELD,
		[JOB_DONE] = TROUPE_ACTOR_ENDED,
	};
	struct inspect *inspect = context;
	const struct troupe_actor *actor = block_actor(block);
	struct troupe_actor_info info = {
		.id = block->id,
		.name = actor->actor_class->name,
		/* relaxed, all: a moment's view. */
		.state = states[atomic_load_explicit(&actor->job.state,
						     memory_order_relaxed)],
		.messages = atomic_load_explicit(&actor->job.depth,
						 memory_order_relaxed),
		.strong = atomic_load_explicit(&block->strong,
					       memory_order_relaxed),
		.worker = inspect_worker(inspect->system, &actor->job),
	};
	struct troupe_message *word = atomic_load_explicit(
		&actor->mailbox.inbox, memory_order_relaxed);
	/* This view's; that of the actor's life; that of all strong ones. */
	uint64_t own = 2 + (info.strong != 0);

	info.weak = atomic_load_explicit(&block->weak, memory_order_relaxed);
	info.weak -= info.weak < own ? info.weak : own;

	/* At least one is new; whose turn it is alone may count them. */
	if (mailbox_has_new(&actor->mailbox, word))
		info.messages++;
	if ((actor->job.traits & TRAIT_LIMITED) != 0) {
		const struct limits *limits =
			actor_limits((struct troupe_actor *)actor);

		info.messages = limits_waiting(limits);
		info.refused = atomic_load_explicit(&limits->refused,
						    memory_order_relaxed);
		info.dropped = atomic_load_explicit(&limits->dropped,
						    memory_order_relaxed);
	}
	if (info.worker != TROUPE_ANY_WORKER) {
		const struct worker *worker =
			(const struct worker *)
				inspect->system->head.workers[info.worker];

		info.running = atomic_load_explicit(&worker->watched,
						    memory_order_relaxed);
	} else if (info.state == TROUPE_ACTOR_RUNNING) {
		info.running = troupe__pool_watched(inspect->system->pool,
						    &actor->job);
	}
	return inspect->each(&info, inspect->context);
}

void troupe_system_actors(struct troupe_system *system, troupe_actor_fn each,
			  void *context)
{
	struct inspect inspect = {system, each, context};

	if (process_lost(system))
		return;
	troupe__directory_each(&system->directory, inspect_actor, &inspect);
}

const char *troupe_actor_state_name(enum troupe_actor_state state)
{
	static const char *const names[] = {
		[TROUPE_ACTOR_NEW] = "NEW",
		[TROUPE_ACTOR_WAITING] = "WAITING",
		[TROUPE_ACTOR_READY] = "READY",
		[TROUPE_ACTOR_RUNNING] = "RUNNING",
		[TROUPE_ACTOR_HELD] = "HELD",
		[TROUPE_ACTOR_ENDED] = "ENDED",
	};

	return (size_t)state < sizeof(names) / sizeof(names[0]) ? names[state]
								: "?";
}

static bool inspect_print(const struct troupe_actor_info *info, void *context)
{
	FILE *out = context;
	char where[48] = "";

	if (info->worker != TROUPE_ANY_WORKER)
		snprintf(where, sizeof(where), " on worker %" PRIu32,
			 info->worker);
	fprintf(out,
		"actor %" PRIu64 " %s: %s%s, %" PRIu64 " messages, %" PRIu64
		" strong and %" PRIu64 " weak handles\n",
		info->id, info->name, troupe_actor_state_name(info->state),
		where, info->messages, info->strong, info->weak);
	return true;
}

int troupe_system_print(struct troupe_system *system, FILE *out)
{
	if (process_lost(system))
		return -EOWNERDEAD;
	troupe_system_actors(system, inspect_print, out);
	return ferror(out) != 0 ? -EIO : 0;
}
