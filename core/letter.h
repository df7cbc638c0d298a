/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * letter.h - messages that nobody handles are counted, and shown to the
 * program's hook
 *
 * The core's own signals are none: they have ways of their own (watch.h).
 */
#ifndef LETTER_H
#define LETTER_H

#include "core.h"

/** @message to the actor @receiver of @system will not be handled. Its system
 * must not end meanwhile. The message stays the caller's. */
void troupe__letter_dead(struct troupe_system *system, uint64_t receiver,
			 const struct troupe_message *message, int reason);

/** The same for a caller that may be outside of @actor's system, which may be
 * gone then: nothing happens. */
void troupe__letter_refused(struct troupe_actor *actor,
			    const struct troupe_message *message, int reason);

/** Releases all of @messages, linked by next, as dead. */
void troupe__letter_release(struct troupe_actor *actor,
			    struct troupe_message *messages);

#endif
