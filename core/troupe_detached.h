/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_detached.h - actors that may block, and code that is no actor
 *
 * Overview. A worker that blocks holds up the actors behind it. Four ways out:
 *
 *	detached actor	 has a thread of its own, from a pool; the class is as
 *			 any other, and may be spawned either way
 *	blocking actor	 is detached, and one function with its own loop, which
 *			 receives when it likes
 *	scoped actor	 main, or a library's thread, for a while: it sends,
 *			 asks and receives as a blocking actor does
 *	blocking section around a call inside an ordinary actor: another thread
 *			 works for its worker meanwhile
 *
 * Typical use.
 *	troupe_scoped_create(system, &self);
 *	troupe_ask(self, to, GET, NULL, 0, deadline, &message);
 *	troupe_scoped_destroy(self);
 *
 * Threads. Pool threads are reused, newest first; idle ones end after
 * detached.keep-alive; there are never more than detached.max-threads. Beyond
 * that a spawn says -EAGAIN, or waits with detached.overflow = wait.
 *
 * Deadlines are nanoseconds from the call on; TROUPE_FOREVER: none.
 *
 * Included by troupe.h.
 */
#ifndef TROUPE_DETACHED_H
#define TROUPE_DETACHED_H

#include "troupe_actor.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TROUPE_FOREVER UINT64_MAX

/* ---- receiving where one may block ------------------------------------- */

/**
 * troupe_receive - wait for the next message
 *
 * Exit signals and responses to troupe_request() are handled on the way.
 *
 * Context: a blocking or scoped actor, or a detached one in its callback.
 * Owns:    *@ret_message is valid until the next receive, and the end.
 * Returns: 0; -ETIMEDOUT; -ESHUTDOWN when the system stops, or -ECANCELED when
 *          @self was told to end or nobody can reach it any more: then it
 *          should return; -EDEADLK for an actor on a worker.
 */
int troupe_receive(struct troupe_actor *self, uint64_t deadline,
		   const struct troupe_message **ret_message);

/** True for a message that is wanted. */
typedef bool (*troupe_match_fn)(const struct troupe_message *message,
				void *context);

/** troupe_receive_match - the next that @match wants; the others stay, in
 * their order, for later calls. Returns: as troupe_receive(). */
int troupe_receive_match(struct troupe_actor *self, troupe_match_fn match,
			 void *context, uint64_t deadline,
			 const struct troupe_message **ret_message);

/** troupe_receive_until - as troupe_receive(), until @time of troupe_now(). */
int troupe_receive_until(struct troupe_actor *self, uint64_t time,
			 const struct troupe_message **ret_message);

/**
 * troupe_ask - send a request and wait for its response
 *
 * The response is as for troupe_request(): TROUPE_TAG_ERROR is one.
 *
 * Returns: as troupe_receive(); -ENOMEM; -EINVAL as troupe_send().
 */
int troupe_ask(struct troupe_actor *self, struct troupe_strong to, uint32_t tag,
	       const void *data, size_t size, uint64_t deadline,
	       const struct troupe_message **ret_message);

/**
 * troupe_await_end - wait until @other has ended
 *
 * Returns: as troupe_receive(), and *@ret_reason (may be NULL) is its reason,
 *          -ESRCH if it had ended before; -ENOMEM.
 */
int troupe_await_end(struct troupe_actor *self, struct troupe_strong other,
		     uint64_t deadline, int *ret_reason);

/* ---- scoped actors ----------------------------------------------------- */

/**
 * troupe_scoped_create - the calling thread is an actor from now on
 *
 * The system waits for it as for any actor.
 *
 * Returns: 0; -EDEADLK inside an actor or on a worker; -ENOMEM; -ESHUTDOWN.
 */
int troupe_scoped_create(struct troupe_system *system,
			 struct troupe_actor **ret_self);

/** Ends it, with TROUPE_EXIT_NORMAL. The thread that made it. */
void troupe_scoped_destroy(struct troupe_actor *self);

/* ---- blocking sections ------------------------------------------------- */

/**
 * troupe_blocking_begin - the calling actor or job is about to block
 *
 * Another thread works for this one's worker from now on. When the callback
 * has returned, its actor goes on where there is room. Off the workers it does
 * nothing.
 *
 * Context: inside a callback of an actor, or a bare job; sends and spawns go
 *          on as from outside.
 * Returns: 0; -EAGAIN, -ENOMEM: no thread to spare, and the worker will be
 *          blocked with it.
 */
int troupe_blocking_begin(void);

/** The call is over. What follows in the callback may block too. */
void troupe_blocking_end(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
