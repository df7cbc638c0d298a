/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spawning: an actor's memory, its init, and its first way to a worker or to
 * a thread of its own.
 */
#include "core.h"

#include <errno.h>
#include <string.h>

#include "block.h"
#include "extra.h"
#include "letter.h"
#include "pool.h"
#include "process.h"

/* More than any memory, and no sum with it wraps. */
#define ACTOR_STATE_MAX (SIZE_MAX / 2)

/* How one is to be made. Passed by pointer: to copy what was just written field
 * by field makes the processor wait. */
struct spawn {
	const struct troupe_actor_class *actor_class;
	const struct troupe_limits *limits;
	uint16_t pin;
	bool detached;
	struct detached *thread; /* then: what runs it */
};

/* The first message of an actor. */
struct spawn_letter {
	uint32_t tag;
	const void *data;
	size_t size;
};

static struct troupe_actor *spawn_create(struct troupe_system *system,
					 const struct spawn *spawn)
{
	const struct troupe_actor_class *actor_class = spawn->actor_class;
	size_t offset = system->state_offset;
	struct troupe_control_block *block;
	struct troupe_actor *actor;
	size_t size;

	if (spawn->detached)
		offset += DETACHED_SIZE;
	if (spawn->limits != NULL)
		offset += LIMITS_SIZE;
	if (actor_class->state_size > ACTOR_STATE_MAX)
		return NULL;
	size = sizeof(*block) + offset + actor_class->state_size;
	size = (size + 63) & ~(size_t)63;
	block = troupe__alloc_lines(size);
	if (block == NULL)
		return NULL;
	memset(block, 0, size);
	troupe_block_init(block, &troupe__actor_block_ops,
			  troupe__system_id(system), system);
	/* relaxed: nobody else has seen the block. 2: the handles', and the
	 * actor's own life. */
	atomic_store_explicit(&block->weak, 2, memory_order_relaxed);
	actor = block_actor(block);
	actor->job.system = system;
	actor->job.pin = spawn->pin;
	job_made(&actor->job, system);
	actor->actor_class = actor_class;
	actor->receive = actor_class->receive;
	actor->state_offset = (uint32_t)offset;
	if ((actor_class->flags & TROUPE_CLASS_TRAP_EXIT) != 0)
		actor->job.flags = ACTOR_TRAPS;
	if (spawn->limits != NULL)
		actor->job.traits |= TRAIT_LIMITED;
	if (spawn->detached) {
		actor->job.traits |= TRAIT_DETACHED;
		*actor_detached(actor) = spawn->thread;
	}
	if (troupe__directory_add(system, block) != 0) {
		troupe__free(block);
		return NULL;
	}
	/* After it is in the directory: see troupe__stop_begin(). */
	troupe__running_inc(system->alive, TROUPE__RUNNING_ACTOR);
	return actor;
}

/* Runs init as the new actor. */
static int spawn_init(struct troupe_actor *actor, const void *argument)
{
	struct troupe_actor *before = troupe__here.actor;

	if (actor->actor_class->init != NULL) {
		int result;

		troupe__here.actor = actor;
		result = actor->actor_class->init(actor, actor_state(actor),
						  argument);
		troupe__here.actor = before;
		if (result != 0)
			return result < 0 ? result : -EINVAL;
	}
	return 0;
}

/* Nothing of it ever ran but init: gives everything back. */
static void spawn_undo(struct troupe_actor *actor)
{
	struct troupe_system *system = actor->job.system;
	struct troupe_control_block *block = actor_block(actor);
	struct troupe_strong handle = {block};

	troupe__registry_ended(system->registry, block);
	troupe__letter_release(actor, troupe__actor_close(actor));
	troupe__signal_end(actor, -ESRCH);
	troupe__extra_free(actor);
	troupe__directory_remove(system, block);
	troupe__system_enter(system);
	troupe__running_dec(system->alive, TROUPE__RUNNING_ACTOR);
	troupe__system_leave(system);
	troupe__weak_drop(block);
	troupe_strong_release(&handle);
}

/* relaxed: an actor that is made meanwhile is told when it is found in the
 * directory. */
static bool spawn_too_late(const struct troupe_system *system)
{
	return atomic_load_explicit(&system->ending, memory_order_relaxed) !=
	       SYSTEM_GOES_ON;
}

int troupe__actor_make(struct troupe_system *system,
		       const struct troupe_actor_class *actor_class,
		       struct detached *detached,
		       struct troupe_actor **ret_actor)
{
	const struct spawn spawn = {
		.actor_class = actor_class,
		.pin = JOB_ANYWHERE,
		.detached = true,
		.thread = detached,
	};

	if (process_lost(system))
		return -EOWNERDEAD;
	if (spawn_too_late(system))
		return -ESHUTDOWN;
	*ret_actor = spawn_create(system, &spawn);
	if (*ret_actor == NULL)
		return -ENOMEM;
	troupe__system_count(system, WORKER_SPAWNED, 1);
	return 0;
}

/* Fills in @spawn from class and options. Returns: 0; -EINVAL. */
static int spawn_plan(const struct troupe_system *system,
		      const struct troupe_actor_class *actor_class,
		      const struct troupe_spawn_options *options,
		      struct spawn *spawn)
{
	bool pinned;

	if (system == NULL || actor_class == NULL ||
	    actor_class->name == NULL ||
	    (actor_class->receive == NULL) == (actor_class->run == NULL))
		return -EINVAL;
	if (options != NULL && options->size < sizeof(*options))
		return -EINVAL;
	spawn->actor_class = actor_class;
	spawn->thread = NULL;
	spawn->limits = actor_class->limits;
	spawn->detached = actor_class->run != NULL ||
			  (actor_class->flags & TROUPE_CLASS_DETACHED) != 0;
	if (options != NULL && options->limits != NULL)
		spawn->limits = options->limits;
	if (options != NULL && (options->flags & TROUPE_SPAWN_DETACHED) != 0)
		spawn->detached = true;
	pinned = options != NULL && options->worker != TROUPE_ANY_WORKER;
	if (pinned &&
	    (options->worker >= system->head.worker_count || spawn->detached))
		return -EINVAL;
	spawn->pin = pinned ? (uint16_t)options->worker : JOB_ANYWHERE;
	return 0;
}

static void spawn_run_detached(void *data)
{
	troupe__detached_run(data);
}

/* Puts @first in the mailbox of @actor, which the caller runs; it carries the
 * caller's handle. */
static void spawn_first(struct troupe_actor *actor,
			struct troupe_message *first)
{
	first->bits = MESSAGE_CARRIES;
	if (troupe__here.actor != NULL)
		first->sender = troupe__actor_self(troupe__here.actor);
	(void)troupe__message_push(actor, first);
}

/* From init to the first run. The actor is the caller's until then; @runs: it
 * has something to do. */
static void spawn_start(struct troupe_actor *actor, struct pool_thread *thread,
			bool runs)
{
	runs = runs || actor->actor_class->run != NULL ||
	       (actor->job.flags & ACTOR_QUIT) != 0;

	if (thread != NULL)
		troupe__pool_start(thread, spawn_run_detached, actor,
				   &actor->job);
	if (runs || troupe__actor_settle(actor) != JOB_WAITING)
		troupe__job_enqueue(&actor->job);
}

static int spawn_thread(struct troupe_system *system, const struct spawn *spawn,
			struct pool_thread **ret_thread)
{
	int result;

	*ret_thread = NULL;
	if (!spawn->detached)
		return 0;
	/* A worker, or an actor with a thread, that waited for a thread could
	 * wait for itself. */
	result = troupe__pool_acquire(
		system->pool, !troupe__system_is_here(system), ret_thread);
	/* It may have waited for long. */
	if (!spawn_too_late(system))
		return result;
	if (result == 0)
		troupe__pool_release(*ret_thread);
	return -ESHUTDOWN;
}

/* With @letter, which must be NULL for limited and detached ones, there is no
 * handle for the caller. */
static int spawn_actor(struct troupe_system *system, struct spawn *spawn,
		       const void *argument, const struct spawn_letter *letter,
		       struct troupe_strong *ret_actor)
{
	struct pool_thread *thread;
	struct troupe_actor *actor;
	struct troupe_message *first = NULL;
	struct troupe_strong handle;
	int result;

	if (process_lost(system))
		return -EOWNERDEAD;
	if (spawn_too_late(system))
		return -ESHUTDOWN;
	result = spawn_thread(system, spawn, &thread);
	if (result != 0)
		return result;
	if (thread != NULL)
		spawn->thread = &thread->detached;
	actor = spawn_create(system, spawn);
	if (actor == NULL) {
		if (thread != NULL)
			troupe__pool_release(thread);
		return -ENOMEM;
	}
	handle.block = actor_block(actor);
	result = system_closed(system) ? -ESHUTDOWN : 0;
	if (result == 0 && spawn->limits != NULL)
		result = troupe__limits_init(actor, spawn->limits);
	if (result == 0 && letter != NULL) {
		first = troupe__message_create(letter->tag, letter->data,
					       letter->size);
		result = first == NULL ? -ENOMEM : 0;
	}
	if (result == 0)
		result = spawn_init(actor, argument);
	if (result != 0) {
		/* A handle that init gave away must not bring it back. */
		spawn_undo(actor);
		troupe__free(first);
		if (thread != NULL)
			troupe__pool_release(thread);
		return result;
	}
	troupe__system_count(system, WORKER_SPAWNED, 1);
	if (first != NULL)
		spawn_first(actor, first);
	else if (ret_actor != NULL)
		*ret_actor = handle;
	else
		troupe_strong_release(&handle);
	spawn_start(actor, thread, first != NULL);
	return 0;
}

int troupe_spawn_with(struct troupe_system *system,
		      const struct troupe_actor_class *actor_class,
		      const void *argument,
		      const struct troupe_spawn_options *options,
		      struct troupe_strong *ret_actor)
{
	struct spawn spawn;
	int result = spawn_plan(system, actor_class, options, &spawn);

	if (result != 0)
		return result;
	return spawn_actor(system, &spawn, argument, NULL, ret_actor);
}

int troupe_spawn(struct troupe_system *system,
		 const struct troupe_actor_class *actor_class,
		 const void *argument, struct troupe_strong *ret_actor)
{
	return troupe_spawn_with(system, actor_class, argument, NULL,
				 ret_actor);
}

int troupe_spawn_send(struct troupe_system *system,
		      const struct troupe_actor_class *actor_class,
		      const void *argument, uint32_t tag, const void *data,
		      size_t size)
{
	struct spawn_letter letter = {.tag = tag, .data = data, .size = size};
	struct troupe_strong actor;
	struct spawn spawn;
	int result = spawn_plan(system, actor_class, NULL, &spawn);

	if (result == 0 && !message_sendable(tag, data, size))
		result = -EINVAL;
	if (result != 0)
		return result;
	if (spawn.limits == NULL && !spawn.detached)
		return spawn_actor(system, &spawn, argument, &letter, NULL);
	result = spawn_actor(system, &spawn, argument, NULL, &actor);
	if (result != 0)
		return result;
	result = troupe_send(actor, tag, data, size);
	troupe_strong_release(&actor);
	/* It has ended already, by init or run: as if the message had been
	 * there first. */
	return result == -ESRCH ? 0 : result;
}
