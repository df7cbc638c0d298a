/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_monitor.h - to be told of an actor's end, and to end together
 *
 * Overview. A *monitor* is one-way: its owner gets one message when the other
 * actor ends. A *link* is two-way: each gets an exit signal when the other
 * ends. An *exit signal* ends its receiver with the same reason, unless it
 * traps them, when it is a message; a link's signal with the reason
 * TROUPE_EXIT_NORMAL does nothing to who does not trap.
 *
 * Ownership. Neither keeps the other actor, nor its owner, alive: an actor
 * that only waits for a TROUPE_TAG_DOWN, and to which nobody holds a handle,
 * ends as every unreachable one does. One that must stay keeps a
 * troupe_self() in its state.
 *
 * Threads. Functions with @self: only in that actor's callbacks. The messages
 * are urgent and come in the order sent, for each pair of actors.
 *
 * Included by troupe.h.
 */
#ifndef TROUPE_MONITOR_H
#define TROUPE_MONITOR_H

#include "troupe_actor.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** The payload of TROUPE_TAG_DOWN and TROUPE_TAG_EXIT. */
struct troupe_ended {
	uint64_t monitor; /* as troupe_monitor() gave it; 0: an exit */
	uint64_t actor;	  /* who ended, or sent; 0: outside code */
	int32_t reason;	  /* -ESRCH: it had ended before */
	char text[TROUPE_REASON_TEXT];
};

/**
 * troupe_monitor - be told once when @other ends
 *
 * One TROUPE_TAG_DOWN arrives for each call, also if @other has ended already
 * (reason -ESRCH). *@ret_monitor is never 0.
 *
 * Returns: 0; -ENOMEM; -EINVAL for a null handle or @self itself.
 */
int troupe_monitor(struct troupe_actor *self, struct troupe_strong other,
		   uint64_t *ret_monitor);

/**
 * troupe_demonitor - no longer
 *
 * After it returns no TROUPE_TAG_DOWN of this monitor is handled any more,
 * also if one is on its way.
 *
 * Returns: 0; -ENOENT if there is no such monitor, or its message came.
 */
int troupe_demonitor(struct troupe_actor *self, uint64_t monitor);

/**
 * troupe_link - end together
 *
 * Each call makes a link of its own. If @other has ended already, @self gets
 * the signal with -ESRCH.
 *
 * Returns: 0; -ENOMEM; -EINVAL for a null handle or @self itself.
 */
int troupe_link(struct troupe_actor *self, struct troupe_strong other);

/**
 * troupe_unlink - undo all links with @other, whoever made them
 *
 * Returns: 0; -ENOENT if there is none; -ENOMEM.
 */
int troupe_unlink(struct troupe_actor *self, struct troupe_strong other);

/** Whether exit signals are messages for @self. TROUPE_EXIT_KILL never is. */
void troupe_trap_exit(struct troupe_actor *self, bool trap);

/**
 * troupe_send_exit - send an exit signal
 *
 * TROUPE_EXIT_NORMAL ends the receiver too, if it does not trap.
 *
 * Context: any thread.
 * Returns: 0; -ESRCH if it has ended; -ENOMEM; -EINVAL for a null handle.
 */
int troupe_send_exit(struct troupe_strong to, int reason);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
