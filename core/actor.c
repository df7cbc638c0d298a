/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Actors: how they come to rest, and how they end, and what a behaviour may ask of its own
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
#include "letter.h"
#include "limit.h"
#include "pool.h"
#include "process.h"
#include "purse.h"

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

/*
 * Destroys a state that was kept for the handles, if all have gone and the
 * actor has ended. Both come here: (1) the actor sets the mark, after on_exit,
 * and then reads strong; (2) the last release brings strong to 0 and then takes
 * the mark. All is seq_cst, so whoever is later sees the other, and only one
 * takes the mark. strong does not rise again: the mailbox is closed, on_exit is
 * over, and weak handles cannot be locked.
 */
static void actor_destroy_kept(struct troupe_actor *actor)
{
	if ((actor->actor_class->flags & TROUPE_CLASS_KEEP_STATE) == 0 ||
	    atomic_load(&actor_block(actor)->strong) != 0)
		return;
	(void)troupe__point(TROUPE__POINT_HANDLE);
	if (atomic_exchange(&actor->job.kept, 0) == 0)
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

	(void)troupe__point(TROUPE__POINT_HANDLE);
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

const struct troupe_block_ops troupe__actor_block_ops = {
	.name = "actor",
	.unreferenced = actor_unreferenced,
	.free = actor_free,
};

struct troupe_strong troupe__actor_self(struct troupe_actor *actor)
{
	struct troupe_message *carrier = troupe__here.carrier;

	if (carrier != NULL && troupe__here.job == &actor->job) {
		/* The count that the message brought is as good. */
		carrier->bits &= ~MESSAGE_CARRIES;
		troupe__here.carrier = NULL;
		return (struct troupe_strong){actor_block(actor)};
	}
	if (troupe__here.runs == actor)
		return purse_take(actor);
	return troupe__strong_revive(actor_block(actor), 1);
}

/* Closes the mailbox. Returns: all that was in it. */
struct troupe_message *troupe__actor_close(struct troupe_actor *actor)
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

static enum job_state actor_settle(struct troupe_actor *actor, bool alone)
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
		/* Mostly not, and then there is nothing new, nor a nudge. */
		bool changed = word != mailbox_base(mailbox);

		if ((changed && mailbox_has_new(mailbox, word)) ||
		    !mailbox_lanes_empty(mailbox))
			return JOB_READY;
		if ((actor->job.traits & TRAIT_LIMITED) != 0 &&
		    troupe__limits_pending(actor))
			return JOB_READY;
		if (changed && mailbox_is_nudged(word)) {
			mailbox_take_nudge(mailbox, word);
			continue;
		}
		if (!reachable && !alone)
			return JOB_DONE;
		if (actor_must_end(actor))
			return JOB_READY;
		troupe__job_state(&actor->job, JOB_WAITING);
		if (mailbox_try_idle(mailbox))
			return JOB_WAITING;
		troupe__job_state(&actor->job, state);
	}
}

enum job_state troupe__actor_settle(struct troupe_actor *actor)
{
	return actor_settle(actor, false);
}

enum job_state troupe__actor_settle_alone(struct troupe_actor *actor)
{
	return actor_settle(actor, true);
}

void troupe__actor_end(struct troupe_actor *actor, struct worker *worker,
		       int reason)
{
	const struct troupe_actor_class *actor_class = actor->actor_class;
	struct troupe_system *system = actor->job.system;
	struct troupe_control_block *block = actor_block(actor);
	struct troupe_actor *before = troupe__here.actor;
	struct troupe_message *message;
	bool made = (actor->job.flags & ACTOR_LOST) == 0;

	/* First of all: who gets a name now gets it from a living actor. */
	troupe__registry_ended(system->registry, block);
	message = troupe__actor_close(actor);
	actor->job.flags |= ACTOR_ENDS;
	troupe__here.actor = actor;
	troupe__here.job = &actor->job;
	if (made && actor_class->on_exit != NULL)
		actor_class->on_exit(actor, actor_state(actor), reason);
	troupe__here.job = NULL;
	troupe__here.actor = before;
	if (made && (actor_class->flags & TROUPE_CLASS_KEEP_STATE) == 0 &&
	    actor_class->destroy != NULL)
		actor_class->destroy(actor_state(actor));
	troupe__letter_release(actor, message);
	troupe__signal_end(actor, reason);
	troupe__extra_free(actor);
	troupe__job_state(&actor->job, JOB_DONE);
	if (worker != NULL)
		system->ops.after_completion(&worker->head, &actor->job.link);
	troupe__directory_remove(system, block);
	troupe__system_count(system, WORKER_COMPLETED, 1);
	if (made && (actor_class->flags & TROUPE_CLASS_KEEP_STATE) != 0) {
		/* seq_cst: see actor_destroy_kept(). */
		atomic_store(&actor->job.kept, 1);
		actor_destroy_kept(actor);
	}
	if (worker != NULL)
		troupe__running_dec(system->alive, TROUPE__RUNNING_ACTOR);
	else
		troupe__pool_uncount(&actor->job, TROUPE__RUNNING_ACTOR);
	troupe__weak_drop(block);
}

/* ---- what a behaviour asks --------------------------------------------- */

struct troupe_strong troupe_self(struct troupe_actor *self)
{
	troupe_assert(self == troupe__here.actor ||
		      process_lost(self->job.system));
	return troupe__actor_self(self);
}

struct troupe_system *troupe_self_system(struct troupe_actor *self)
{
	return self->job.system;
}

uint32_t troupe_self_worker(struct troupe_actor *self)
{
	troupe_assert(self == troupe__here.actor ||
		      process_lost(self->job.system));
	if (troupe__here.job != &self->job)
		return TROUPE_ANY_WORKER;
	return troupe_current_worker();
}

void troupe_quit(struct troupe_actor *self, int reason)
{
	if (process_lost(self->job.system))
		return;
	troupe_assert(self == troupe__here.actor);
	if ((self->job.flags & ACTOR_QUIT) != 0)
		return;
	self->job.flags |= ACTOR_QUIT;
	self->reason = reason;
}

void troupe_quit_text(struct troupe_actor *self, int reason, const char *text)
{
	if (process_lost(self->job.system))
		return;
	if ((self->job.flags & ACTOR_QUIT) == 0 && text != NULL &&
	    text[0] != '\0' && troupe__extra_make(self) == 0)
		snprintf(actor_extra(self)->text, TROUPE_REASON_TEXT, "%s",
			 text);
	troupe_quit(self, reason);
}

void troupe_become(struct troupe_actor *self, troupe_receive_fn receive)
{
	if (process_lost(self->job.system))
		return;
	troupe_assert(self == troupe__here.actor);
	troupe_assert(receive != NULL);
	self->receive = receive;
	self->job.flags |= ACTOR_BECAME;
	troupe__mailbox_unskip(&self->mailbox);
}
