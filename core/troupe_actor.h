/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_actor.h - actors: what they are, and what they may ask
 * of themselves. Included by troupe.h.
 */
#ifndef TROUPE_ACTOR_H
#define TROUPE_ACTOR_H

#include "troupe_limits.h"
#include "troupe_message.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_actor;

/** What a receive function may return beside 0 and a negative errno. */
enum troupe_receive_result {
	TROUPE_SKIP = 1, /* keep it for the next behaviour */
};

/**
 * A behaviour: handles one message.
 *
 * Context: a worker's thread; never two at once for one actor. It should not
 *          block: other actors wait behind it.
 * Returns: 0 handled; TROUPE_SKIP to see this message again, before all that
 *          came later, after the next troupe_become(); a negative errno ends
 *          the actor with that reason.
 */
typedef int (*troupe_receive_fn)(struct troupe_actor *self, void *state,
				 const struct troupe_message *message);

/** How an actor ended: one of these, a negative errno, or a positive number
 * of yours. */
enum troupe_exit_reason {
	TROUPE_EXIT_NORMAL = 0,	      /* also: nobody could reach it */
	TROUPE_EXIT_SHUTDOWN = -4001, /* asked to end, as the system does */
	TROUPE_EXIT_KILL = -4002,     /* told to, and not asked */
};

/** Bytes of text that may go with a reason, with the final 0. */
#define TROUPE_REASON_TEXT 44

enum troupe_class_flags {
	/** The state stays until the last strong handle goes. */
	TROUPE_CLASS_KEEP_STATE = 1u << 0,
	/** Exit signals arrive as messages: see troupe_trap_exit(). */
	TROUPE_CLASS_TRAP_EXIT = 1u << 1,
	/** A behaviour's error is dropped, and the actor goes on. */
	TROUPE_CLASS_FAIL_IGNORE = 1u << 2,
	/** After an error the state is destroyed, zeroed and made again by
	 * init with a NULL argument; mailbox, monitors and links stay. The
	 * responses to its requests are dropped. If init fails, the actor ends
	 * with what it returned, without on_exit and destroy. */
	TROUPE_CLASS_FAIL_RESTART = 1u << 3,
	/** An error ends the actor and all others: troupe_system_stop(). */
	TROUPE_CLASS_FAIL_STOP = 1u << 4,
	/** When the system stops it handles what is in its mailbox first. */
	TROUPE_CLASS_DRAIN = 1u << 5,
	/** Always on a thread of its own: see troupe_detached.h. */
	TROUPE_CLASS_DETACHED = 1u << 6,
};

/** A kind of actor. Static; must outlive its actors. */
struct troupe_actor_class {
	const char *name;  /* shown in traces and errors */
	size_t state_size; /* bytes, zeroed before init; may be 0 */
	uint32_t flags;	   /* enum troupe_class_flags */

	/**
	 * Fills in the state. Runs inside troupe_spawn(), on its thread, so
	 * @argument need not outlive the call.
	 * Returns: 0, or a negative errno that troupe_spawn() hands on.
	 * If NULL: the state stays zeroed.
	 */
	int (*init)(struct troupe_actor *self, void *state,
		    const void *argument);

	/** The first behaviour. Must be NULL with run, and only then. */
	troupe_receive_fn receive;

	/**
	 * The actor ends; it can still send, and handle nothing any more.
	 * Called once if the last init succeeded. May be NULL.
	 */
	void (*on_exit)(struct troupe_actor *self, void *state, int reason);

	/** Releases what the state holds. After on_exit. May be NULL. */
	void (*destroy)(void *state);

	/** Of the mailbox; NULL: none. */
	const struct troupe_limits *limits;

	/**
	 * A blocking actor's own loop, on a thread of its own: it receives by
	 * troupe_receive(). See troupe_detached.h.
	 * Returns: the reason it ends with.
	 */
	int (*run)(struct troupe_actor *self, void *state);

	const void *reserved[4];
};

#define TROUPE_ANY_WORKER UINT32_MAX

/** Start with TROUPE_SPAWN_OPTIONS_INIT. */
struct troupe_spawn_options {
	uint32_t size;			    /* of this struct */
	uint32_t worker;		    /* run on this worker only */
	const struct troupe_limits *limits; /* NULL: as the class says */
	uint32_t flags;			    /* enum troupe_spawn_flags */
};

enum troupe_spawn_flags {
	TROUPE_SPAWN_DETACHED = 1u << 0, /* as TROUPE_CLASS_DETACHED */
};

#define TROUPE_SPAWN_OPTIONS_INIT                                             \
	{                                                                     \
		sizeof(struct troupe_spawn_options), TROUPE_ANY_WORKER, NULL, \
			0                                                     \
	}

/**
 * troupe_spawn - make an actor
 *
 * Context: any thread, also inside actors.
 * Owns:    *@ret_actor is a strong handle for the caller to release. With a
 *          NULL @ret_actor the actor lives while messages or others keep it.
 * Returns: 0; -EINVAL for a class without name, or without one of receive and
 *          run, an unknown worker, a worker for a detached actor, or limits
 *          that make no sense; -EAGAIN, no thread for a detached one;
 *          -ENOMEM; -ESHUTDOWN after troupe_system_stop(); what init
 *          returned.
 */
int troupe_spawn(struct troupe_system *system,
		 const struct troupe_actor_class *actor_class,
		 const void *argument, struct troupe_strong *ret_actor);

/** troupe_spawn_with - as troupe_spawn(), with options (NULL: defaults). */
int troupe_spawn_with(struct troupe_system *system,
		      const struct troupe_actor_class *actor_class,
		      const void *argument,
		      const struct troupe_spawn_options *options,
		      struct troupe_strong *ret_actor);

/**
 * troupe_spawn_send - make an actor and send it its first message
 *
 * For an actor that nobody needs a handle to: it lives while messages or others
 * keep it. Less work than to spawn, send and release.
 *
 * @tag, @data, @size: as for troupe_send().
 * Context: as troupe_spawn().
 * Returns: as troupe_spawn(), and for a bad message -EINVAL: nothing is made then.
 *          -EAGAIN also if @size is more than the mailbox may hold: init has
 *          run, and the actor ends. So may it, if the actor is detached or
 *          limited, with -ENOMEM.
 */
int troupe_spawn_send(struct troupe_system *system,
		      const struct troupe_actor_class *actor_class,
		      const void *argument, uint32_t tag, const void *data,
		      size_t size);

/** The handle of the running actor. Owns: a new handle, the caller's. */
struct troupe_strong troupe_self(struct troupe_actor *self);

/** The system that @self lives in. */
struct troupe_system *troupe_self_system(struct troupe_actor *self);

/** The number of the worker that runs @self now; TROUPE_ANY_WORKER in init. */
uint32_t troupe_self_worker(struct troupe_actor *self);

/** End after this callback. The first call's @reason stays. */
void troupe_quit(struct troupe_actor *self, int reason);

/** troupe_quit_text - the same, with a line for those who monitor. It is cut
 * at TROUPE_REASON_TEXT, and left out when out of memory. */
void troupe_quit_text(struct troupe_actor *self, int reason, const char *text);

/** Handle the next messages with @receive; skipped ones come first. */
void troupe_become(struct troupe_actor *self, troupe_receive_fn receive);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
