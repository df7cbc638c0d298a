/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dead letters: counted on the worker, and given to config's on_dead_letter,
 * which may send. What it causes itself is only counted, or it could go on for
 * ever.
 */
#include "letter.h"

#include <errno.h>

/* Calls the hook as if from outside any actor. */
static void letter_show(struct troupe_system *system, uint64_t receiver,
			const struct troupe_message *message, int reason)
{
	struct troupe_actor *actor = troupe__here.actor;
	struct job *job = troupe__here.job;

	troupe__here.showing = true;
	troupe__here.actor = NULL;
	troupe__here.job = NULL;
	system->on_dead_letter(message, receiver, reason,
			       system->dead_letter_context);
	troupe__here.job = job;
	troupe__here.actor = actor;
	troupe__here.showing = false;
}

void troupe__letter_dead(struct troupe_system *system, uint64_t receiver,
			 const struct troupe_message *message, int reason)
{
	if ((message->bits & MESSAGE_SYSTEM) != 0)
		return;
	troupe__system_count(system, WORKER_DEAD_LETTERS, 1);
	/* relaxed: what an abandoned thread finds after the system's end is not
	 * shown, and one that it shows now was found before. */
	if (system->on_dead_letter != NULL && !troupe__here.showing &&
	    !atomic_load_explicit(&system->closed, memory_order_relaxed))
		letter_show(system, receiver, message, reason);
}

void troupe__letter_refused(struct troupe_actor *actor,
			    const struct troupe_message *message, int reason)
{
	struct troupe_system *system = actor->job.system;

	if (troupe__system_is_here(system))
		troupe__letter_dead(system, actor_block(actor)->id, message,
				    reason);
}

void troupe__letter_release(struct troupe_actor *actor,
			    struct troupe_message *messages)
{
	while (messages != NULL) {
		struct troupe_message *next = messages->next;

		troupe__letter_dead(actor->job.system, actor_block(actor)->id,
				    messages, -ESRCH);
		troupe__message_uncarry(actor, messages);
		troupe__message_release(messages, -ESRCH);
		messages = next;
	}
}
