/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors: spawned here, ended here, and what a behaviour may ask of its own
 * actor. How one is run is job.c's.
 *
 * Who keeps the memory. Strong handles keep an actor reachable; together they
 * hold one weak count, and the actor's own life holds another until it has
 * ended. A READY or RUNNING actor therefore needs no count for being so: it
 * cannot end but by its own run, and a WAITING one is not touched by anyone
 * without a handle. That saves two atomic operations for each run.
 */
#include "core.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "block.h"
#include "extra.h"
#include "limit.h"

/* More than any memory, and no sum with it wraps. */
#define ACTOR_STATE_MAX (SIZE_MAX / 2)

_Thread_local struct here troupe__here;

/* Destroys the kept state of @actor and those that become due by it: each may
 * release the last handle to the next, and so on along a chain of any length,
 * which must not fill the stack. A job that is over has its link free. */
static void actor_destroy_states(struct troupe_actor *actor)
{
	struct here *here = &troupe__here;

	troupe__weak_add(actor_block(actor));
	actor->job.link.next = here->kept;
	here->kept = &actor->job.link;
	if (here->destroying)
		return;
	here->destroying = true;
	while (here->kept != NULL) {
		actor = (struct troupe_actor *)here->kept;
		here->kept = actor->job.link.next;
		actor->actor_class->destroy(actor_state(actor));
		troupe__weak_drop(actor_block(actor));
	}
	here->destroying = false;
}

/* Destroys a state that was kept for the handles, if this is the last release.
 * A releaser may come late, when the actor holds itself to run on_exit, or
 * has been here already: so it looks at strong, which stays 0 once it is 0 and
 * the mailbox closed, and one takes the mark. */
static void actor_destroy_kept(struct troupe_actor *actor)
{
	if ((actor->actor_class->flags & TROUPE_CLASS_KEEP_STATE) == 0 ||
	    atomic_load(&actor_block(actor)->strong) != 0 ||
	    atomic_exchange(&actor->job.kept, 0) == 0)
		return;
	if (actor->actor_class->destroy != NULL)
		actor_destroy_states(actor);
}

/* The last strong handle has gone: the actor, if it has nothing to do, can
 * never have again. It ends on a worker, so that releasing a handle does not
 * run foreign callbacks, nor recurse along a chain of actors. */
static void actor_unreferenced(struct troupe_control_block *block)
{
	struct troupe_actor *actor = block_actor(block);

	switch (mailbox_nudge(&actor->mailbox)) {
	case MAILBOX_NUDGED:
		break;
	case MAILBOX_CLAIMED:
		troupe__job_enqueue(&actor->job);
		break;
	case MAILBOX_WAS_CLOSED:
		actor_destroy_kept(actor);
		break;
	}
}

static void actor_free(struct troupe_control_block *block)
{
	troupe__free(block);
}

static const struct troupe_block_ops actor_block_ops = {
	.name = "actor",
	.unreferenced = actor_unreferenced,
	.free = actor_free,
};

struct troupe_strong troupe__actor_self(struct troupe_actor *actor)
{
	return troupe__strong_revive(actor_block(actor));
}

static struct troupe_actor *
actor_create(struct troupe_system *system,
	     const struct troupe_actor_class *actor_class, uint32_t pin,
	     const struct troupe_limits *limits)
{
	size_t offset =
		system->state_offset + (limits != NULL ? LIMITS_SIZE : 0);
	size_t size = sizeof(struct troupe_control_block) + offset +
		      actor_class->state_size;
	struct troupe_control_block *block;
	struct troupe_actor *actor;

	if (actor_class->state_size > ACTOR_STATE_MAX)
		return NULL;
	size = (size + 63) & ~(size_t)63;
	block = troupe__alloc_lines(size);
	if (block == NULL)
		return NULL;
	memset(block, 0, size);
	troupe_block_init(block, &actor_block_ops, troupe__system_id(system),
			  system);
	/* relaxed: nobody else has seen the block. 2: the handles', and the
	 * actor's own life. */
	atomic_store_explicit(&block->weak, 2, memory_order_relaxed);
	actor = block_actor(block);
	actor->job.system = system;
	actor->job.pin = (uint16_t)pin;
	actor->actor_class = actor_class;
	actor->receive = actor_class->receive;
	if ((actor_class->flags & TROUPE_CLASS_TRAP_EXIT) != 0)
		actor->job.flags = ACTOR_TRAPS;
	actor->state_offset = (uint32_t)offset;
	if (limits != NULL)
		actor->job.traits = TRAIT_LIMITED;
	if (troupe__directory_add(system, block) != 0) {
		troupe__free(block);
		return NULL;
	}
	return actor;
}

/* Runs init as the new actor. */
static int actor_init(struct troupe_actor *actor, const void *argument)
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
	/* relaxed: ordered before all others by the handle's release. */
	atomic_store_explicit(&actor->job.kept, 1, memory_order_relaxed);
	return 0;
}

/* Closes the mailbox. Returns: all that was in it. */
static struct troupe_message *actor_close(struct troupe_actor *actor)
{
	struct troupe_message *left = troupe__mailbox_close(&actor->mailbox);
	struct troupe_message *listed, *last;

	if ((actor->job.traits & TRAIT_LIMITED) == 0)
		return left;
	listed = troupe__limits_close(actor);
	if (left == NULL)
		return listed;
	for (last = left; last->next != NULL; last = last->next)
		;
	last->next = listed;
	return left;
}

static void actor_release(struct troupe_system *system,
			  struct troupe_message *message)
{
	while (message != NULL) {
		struct troupe_message *next = message->next;

		troupe__message_release(message, -ESRCH);
		troupe__system_count(system, WORKER_DEAD_LETTERS, 1);
		message = next;
	}
}

/* Nothing of it ever ran but init: gives everything back. */
static void actor_undo(struct troupe_actor *actor)
{
	struct troupe_system *system = actor->job.system;
	struct troupe_control_block *block = actor_block(actor);
	struct troupe_strong handle = {block};

	troupe__registry_ended(system->registry, block);
	actor_release(system, actor_close(actor));
	troupe__signal_end(actor, -ESRCH);
	troupe__extra_free(actor->extra);
	troupe__directory_remove(system, block);
	troupe__system_enter(system);
	troupe__system_ended(system);
	troupe__system_leave(system);
	troupe__weak_drop(block);
	troupe_strong_release(&handle);
}

int troupe_spawn_with(struct troupe_system *system,
		      const struct troupe_actor_class *actor_class,
		      const void *argument,
		      const struct troupe_spawn_options *options,
		      struct troupe_strong *ret_actor)
{
	const struct troupe_limits *limits;
	uint32_t pin = JOB_ANYWHERE;
	struct troupe_actor *actor;
	struct troupe_strong handle;
	int result;

	if (system == NULL || actor_class == NULL ||
	    actor_class->name == NULL || actor_class->receive == NULL)
		return -EINVAL;
	limits = actor_class->limits;
	if (options != NULL && options->size < sizeof(*options))
		return -EINVAL;
	if (options != NULL && options->worker != TROUPE_ANY_WORKER) {
		if (options->worker >= system->head.worker_count)
			return -EINVAL;
		pin = options->worker;
	}
	/* relaxed: an actor that is made meanwhile is told when it is found
	 * in the directory. */
	if (atomic_load_explicit(&system->ending, memory_order_relaxed) !=
	    SYSTEM_GOES_ON)
		return -ESHUTDOWN;
	if (options != NULL && options->limits != NULL)
		limits = options->limits;
	actor = actor_create(system, actor_class, pin, limits);
	if (actor == NULL)
		return -ENOMEM;
	handle.block = actor_block(actor);
	troupe__system_born(system);
	result = limits != NULL ? troupe__limits_init(actor, limits) : 0;
	if (result == 0)
		result = actor_init(actor, argument);
	if (result != 0) {
		/* A handle that init gave away must not bring it back. */
		actor_undo(actor);
		return result;
	}
	troupe__system_count(system, WORKER_SPAWNED, 1);
	troupe__registry_running_inc(system->registry);
	if (ret_actor != NULL)
		*ret_actor = handle;
	else
		troupe_strong_release(&handle);
	if ((actor->job.flags & ACTOR_QUIT) != 0 ||
	    troupe__actor_settle(actor) != JOB_WAITING)
		troupe__job_enqueue(&actor->job);
	return 0;
}

int troupe_spawn(struct troupe_system *system,
		 const struct troupe_actor_class *actor_class,
		 const void *argument, struct troupe_strong *ret_actor)
{
	return troupe_spawn_with(system, actor_class, argument, NULL,
				 ret_actor);
}

/* True if the system ends and @actor has still to do something about it. */
static bool actor_must_end(const struct troupe_actor *actor)
{
	/* seq_cst: stop_begin() writes it and then looks at the word, we have
	 * taken from the word and then look at it: one of us sees the other,
	 * and this actor does not fall asleep in a system that ends. */
	uint8_t ending = atomic_load(&actor->job.system->ending);

	if (ending == SYSTEM_GOES_ON)
		return false;
	return (actor->job.flags & ACTOR_TRAPS) == 0 ||
	       (actor->job.flags & ACTOR_TOLD) == 0 || ending == SYSTEM_KILLS;
}

enum job_state troupe__actor_settle(struct troupe_actor *actor)
{
	struct mailbox *mailbox = &actor->mailbox;
	/* relaxed: the caller owns the job and its state. */
	enum job_state state =
		atomic_load_explicit(&actor->job.state, memory_order_relaxed);

	for (;;) {
		/* seq_cst: step (a) of mailbox_nudge(). It comes before the
		 * look at the word: once strong is 0 nobody can send, so a
		 * word that is EMPTY afterwards stays so. The other way round,
		 * a last sender could slip in between. */
		bool reachable = atomic_load(&actor_block(actor)->strong) != 0;
		struct troupe_message *word = atomic_load(&mailbox->inbox);

		if (!mailbox_is_mark(word) || !mailbox_lanes_empty(mailbox))
			return JOB_READY;
		if ((actor->job.traits & TRAIT_LIMITED) != 0 &&
		    troupe__limits_pending(actor))
			return JOB_READY;
		if (word == MAILBOX_NUDGE) {
			mailbox_take_nudge(mailbox);
			continue;
		}
		if (!reachable)
			return JOB_DONE;
		if (actor_must_end(actor))
			return JOB_READY;
		troupe__job_state(&actor->job, JOB_WAITING);
		if (mailbox_try_idle(mailbox))
			return JOB_WAITING;
		troupe__job_state(&actor->job, state);
	}
}

void troupe__actor_end(struct troupe_actor *actor, struct worker *worker,
		       int reason)
{
	const struct troupe_actor_class *actor_class = actor->actor_class;
	struct troupe_system *system = actor->job.system;
	struct troupe_control_block *block = actor_block(actor);
	struct troupe_actor *before = troupe__here.actor;
	struct troupe_strong keep = {NULL};
	struct troupe_message *message;

	/* Its state must outlast on_exit, whoever lets go meanwhile. */
	if ((actor_class->flags & TROUPE_CLASS_KEEP_STATE) != 0)
		keep = troupe__actor_self(actor);
	/* First of all: who gets a name now gets it from a living actor. */
	troupe__registry_ended(system->registry, block);
	message = actor_close(actor);
	troupe__here.actor = actor;
	troupe__here.job = &actor->job;
	if (actor_class->on_exit != NULL)
		actor_class->on_exit(actor, actor_state(actor), reason);
	troupe__here.job = NULL;
	troupe__here.actor = before;
	if ((actor_class->flags & TROUPE_CLASS_KEEP_STATE) == 0 &&
	    actor_class->destroy != NULL)
		actor_class->destroy(actor_state(actor));
	actor_release(system, message);
	troupe__signal_end(actor, reason);
	troupe__extra_free(actor->extra);
	actor->extra = NULL;
	troupe__job_state(&actor->job, JOB_DONE);
	if (worker != NULL)
		system->ops.after_completion(&worker->head, &actor->job.link);
	troupe__directory_remove(system, block);
	troupe__registry_running_dec(system->registry);
	troupe__system_count(system, WORKER_COMPLETED, 1);
	troupe_strong_release(&keep);
	troupe__system_ended(system);
	troupe__weak_drop(block);
}

/* ---- what a behaviour asks --------------------------------------------- */

struct troupe_strong troupe_self(struct troupe_actor *self)
{
	troupe_assert(self == troupe__here.actor);
	return troupe__actor_self(self);
}

struct troupe_system *troupe_self_system(struct troupe_actor *self)
{
	return self->job.system;
}

uint32_t troupe_self_worker(struct troupe_actor *self)
{
	troupe_assert(self == troupe__here.actor);
	if (troupe__here.job != &self->job)
		return TROUPE_ANY_WORKER;
	return troupe_current_worker();
}

void troupe_quit(struct troupe_actor *self, int reason)
{
	troupe_assert(self == troupe__here.actor);
	if ((self->job.flags & ACTOR_QUIT) != 0)
		return;
	self->job.flags |= ACTOR_QUIT;
	self->reason = reason;
}

void troupe_quit_text(struct troupe_actor *self, int reason, const char *text)
{
	if ((self->job.flags & ACTOR_QUIT) == 0 && text != NULL &&
	    text[0] != '\0' && troupe__extra_make(self) == 0)
		snprintf(self->extra->text, sizeof(self->extra->text), "%s",
			 text);
	troupe_quit(self, reason);
}

void troupe_become(struct troupe_actor *self, troupe_receive_fn receive)
{
	troupe_assert(self == troupe__here.actor);
	troupe_assert(receive != NULL);
	self->receive = receive;
	self->job.flags |= ACTOR_BECAME;
	troupe__mailbox_unskip(&self->mailbox);
}
