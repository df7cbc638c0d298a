/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe.h - actors on few threads, under a scheduling policy of your choice
 *
 * Overview. A *system* owns worker threads and a policy that orders them. An
 * *actor* is a class (callbacks) plus private state; it handles one message
 * at a time, on one worker at a time, so its callbacks need no locks. A *job*
 * is a bare function on the same workers.
 *
 * Typical use.
 *	1. troupe_system_create() with a struct troupe_config (see
 *	   troupe_config.h), or NULL for the defaults;
 *	2. troupe_spawn() the first actors, troupe_send() them messages;
 *	3. actors spawn, send, reply, and end with troupe_quit(), or when
 *	   nobody holds a handle to them and they have nothing to do;
 *	4. troupe_strong_release() the handles you hold;
 *	5. troupe_system_destroy() waits for the last actor, then ends.
 *
 * Ownership. A strong handle (troupe_refcount.h) keeps an actor reachable. A
 * payload is copied unless it is sent with troupe_send_moved(). A message
 * belongs to the core: it and its payload are valid until receive returns.
 *
 * Threads. Functions without a @self may be called from any thread, also from
 * inside actors, and know by themselves where they are. Functions with @self
 * may be called only from inside a callback of that actor.
 *
 * Errors. int results are 0 or a negative errno; errno itself is never set.
 * The library never prints, exits or aborts.
 */
#ifndef TROUPE_H
#define TROUPE_H

#include "troupe_refcount.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_actor;
struct troupe_config;
struct troupe_job;

/* ---- errors ------------------------------------------------------------ */

/** Filled in by calls that can fail for many reasons. One line, no newline. */
struct troupe_error {
	int code;		/* negative errno, as the call returned it */
	char text[500];		/* what, where, what was expected */
};

/* ---- messages ---------------------------------------------------------- */

/** Tags from here on are the library's own; yours are below. */
#define TROUPE_TAG_RESERVED 0xff000000u
/** The answer to a request that failed. Payload: an int, negative errno. */
#define TROUPE_TAG_ERROR 0xff000001u

/**
 * A message as its receiver sees it. Read tag, size and sender; the payload
 * is at troupe_payload(). @sender is null when it was sent from outside any
 * actor; it is the message's own: clone it to keep it.
 */
struct troupe_message {
	struct troupe_message *next;	/* core's */
	struct troupe_strong sender;
	uint64_t bits;			/* core's: request id and flags */
	uint32_t tag;
	uint32_t size;			/* of the payload, bytes */
};

/**
 * troupe_payload - the bytes of a message, aligned for any type
 *
 * Returns: message->size bytes; for a message sent with troupe_send_moved()
 *          the pointer that was moved.
 */
const void *troupe_payload(const struct troupe_message *message);

/** Gives back a moved payload. Called once, on any thread. */
typedef void (*troupe_release_fn)(void *data, size_t size);

/**
 * troupe_send - send a copy of @size bytes at @data
 *
 * Messages from one sender to one receiver arrive in the order sent. Inside
 * an actor the message carries that actor as its sender.
 *
 * Context: any thread; does not block.
 * Returns: 0; -ESRCH if the receiver has ended; -ENOMEM; -EINVAL for a null
 *          handle, a reserved tag, or @size over 4 GiB - 1.
 */
int troupe_send(struct troupe_strong to, uint32_t tag, const void *data,
		size_t size);

/** troupe_send_urgent - as troupe_send(), but handled before normal ones. */
int troupe_send_urgent(struct troupe_strong to, uint32_t tag,
		       const void *data, size_t size);

/**
 * troupe_send_moved - send @data itself, without a copy
 *
 * Owns:    on success the message owns @data and calls @release(data, size)
 *          when it is done, delivered or not; on an error it is still yours.
 * Returns: as troupe_send().
 */
int troupe_send_moved(struct troupe_strong to, uint32_t tag, void *data,
		      size_t size, troupe_release_fn release);

/* ---- actors ------------------------------------------------------------ */

/** What a receive function may return beside 0 and a negative errno. */
enum troupe_receive_result {
	TROUPE_SKIP = 1,	/* keep it for the next behaviour */
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

/** How an actor ended: 0, a negative errno, or a positive number of yours. */
enum troupe_exit_reason {
	TROUPE_EXIT_NORMAL = 0,
};

enum troupe_class_flags {
	/** The state stays until the last strong handle goes. */
	TROUPE_CLASS_KEEP_STATE = 1u << 0,
};

/** A kind of actor. Static; must outlive its actors. */
struct troupe_actor_class {
	const char *name;	/* shown in traces and errors */
	size_t state_size;	/* bytes, zeroed before init; may be 0 */
	uint32_t flags;		/* enum troupe_class_flags */

	/**
	 * Fills in the state. Runs inside troupe_spawn(), on its thread, so
	 * @argument need not outlive the call.
	 * Returns: 0, or a negative errno that troupe_spawn() hands on.
	 * If NULL: the state stays zeroed.
	 */
	int (*init)(struct troupe_actor *self, void *state,
		    const void *argument);

	/** The first behaviour. Not allowed to be NULL. */
	troupe_receive_fn receive;

	/**
	 * The actor ends; it can still send, and handle nothing any more.
	 * Called once if init succeeded. May be NULL.
	 */
	void (*on_exit)(struct troupe_actor *self, void *state, int reason);

	/** Releases what the state holds. After on_exit. May be NULL. */
	void (*destroy)(void *state);

	const void *reserved[4];
};

#define TROUPE_ANY_WORKER UINT32_MAX

/** Start with TROUPE_SPAWN_OPTIONS_INIT. */
struct troupe_spawn_options {
	uint32_t size;		/* of this struct */
	uint32_t worker;	/* run on this worker only */
};

#define TROUPE_SPAWN_OPTIONS_INIT                                          \
	{                                                                  \
		sizeof(struct troupe_spawn_options), TROUPE_ANY_WORKER     \
	}

/**
 * troupe_spawn - make an actor
 *
 * Context: any thread, also inside actors.
 * Owns:    *@ret_actor is a strong handle for the caller to release. With a
 *          NULL @ret_actor the actor lives while messages or others keep it.
 * Returns: 0; -EINVAL for a class without name or receive, or an unknown
 *          worker; -ENOMEM; what init returned.
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

/** The handle of the running actor. Owns: a new handle, the caller's. */
struct troupe_strong troupe_self(struct troupe_actor *self);

/** The system that @self lives in. */
struct troupe_system *troupe_self_system(struct troupe_actor *self);

/** The number of the worker that runs @self now; TROUPE_ANY_WORKER in init. */
uint32_t troupe_self_worker(struct troupe_actor *self);

/** End after this callback. The first call's @reason stays. */
void troupe_quit(struct troupe_actor *self, int reason);

/** Handle the next messages with @receive; skipped ones come first. */
void troupe_become(struct troupe_actor *self, troupe_receive_fn receive);

/**
 * troupe_reply - answer @message's sender
 *
 * To a request this is its response, and only the first reply counts; to a
 * plain message it is a plain message.
 *
 * Returns: 0; -ENOENT if it has no sender; -EALREADY if the request was
 *          answered; else as troupe_send().
 */
int troupe_reply(struct troupe_actor *self,
		 const struct troupe_message *message, uint32_t tag,
		 const void *data, size_t size);

/**
 * The right to answer a request later. Keep it in the state; answer with
 * troupe_promise_reply(), or give it back with troupe_promise_release().
 */
struct troupe_promise {
	struct troupe_message *prepared;	/* core's; NULL: none */
};

/**
 * troupe_promise - keep @message's right to an answer for later
 *
 * Returns: 0; -ENOENT if it is not a request; -EALREADY if it was answered;
 *          -ENOMEM.
 */
int troupe_promise(struct troupe_actor *self,
		   const struct troupe_message *message,
		   struct troupe_promise *ret_promise);

/**
 * Answers and releases; any thread.
 * Returns: 0; -ENOENT for an empty promise; else as troupe_send(). After
 *          -ENOMEM and -EINVAL the promise is still to be kept.
 */
int troupe_promise_reply(struct troupe_promise *promise, uint32_t tag,
			 const void *data, size_t size);

/** Gives up: the requester gets TROUPE_TAG_ERROR with -ECANCELED. Cannot
 * fail; accepts an empty promise. */
void troupe_promise_release(struct troupe_promise *promise);

/**
 * Handles the response to one request. message->tag is TROUPE_TAG_ERROR if
 * it failed. Returns as a behaviour, but TROUPE_SKIP is not allowed.
 */
typedef int (*troupe_response_fn)(struct troupe_actor *self, void *state,
				  const struct troupe_message *message,
				  void *context);

/**
 * troupe_request - send, and handle the one response with @on_response
 *
 * Exactly one response arrives while @self lives: the reply, or
 * TROUPE_TAG_ERROR with -ESRCH when the receiver is gone, or with -ENODATA
 * when it handled the request and did not reply. It may reply later, from
 * another callback, if it keeps the request with troupe_promise().
 *
 * Returns: 0; -ENOMEM; -EINVAL as troupe_send().
 */
int troupe_request(struct troupe_actor *self, struct troupe_strong to,
		   uint32_t tag, const void *data, size_t size,
		   troupe_response_fn on_response, void *context);

/* ---- jobs -------------------------------------------------------------- */

enum troupe_job_result {
	TROUPE_JOB_DONE = 0,	/* over; the job is freed */
	TROUPE_JOB_AGAIN = 1,	/* run me again, after the others */
};

/** Returns one of enum troupe_job_result. */
typedef int (*troupe_job_fn)(void *data);

/**
 * troupe_schedule - run a bare function on a worker
 *
 * Context: any thread, also inside actors and jobs.
 * Owns:    @data stays the caller's.
 * Returns: 0; -ENOMEM; -EINVAL for a NULL @run or an unknown @worker.
 */
int troupe_schedule(struct troupe_system *system, troupe_job_fn run,
		    void *data);
int troupe_schedule_on(struct troupe_system *system, uint32_t worker,
		       troupe_job_fn run, void *data);

/** The worker that this thread is, of any system; or TROUPE_ANY_WORKER. */
uint32_t troupe_current_worker(void);

/* ---- systems ----------------------------------------------------------- */

/**
 * troupe_system_create - start a system: read config, load the policy, run
 *
 * @config: NULL for the defaults. It may be freed after the call.
 * @error:  may be NULL; else filled in on failure.
 * Returns: 0; -EINVAL bad config or policy; -ENOENT no such file or policy;
 *          -ENOMEM; -EAGAIN no more threads. On failure nothing runs and
 *          nothing is left behind.
 */
int troupe_system_create(const struct troupe_config *config,
			 struct troupe_error *error,
			 struct troupe_system **ret_system);

/**
 * troupe_system_await - wait until no actor and no job is left
 *
 * Returns: 0; -EDEADLK on a worker of this system.
 */
int troupe_system_await(struct troupe_system *system);

/**
 * troupe_system_destroy - wait as troupe_system_await(), then end
 *
 * Handles may be held longer and released later. Accepts NULL.
 * Returns: 0; -EDEADLK on a worker of this system, and nothing has changed.
 */
int troupe_system_destroy(struct troupe_system *system);

uint32_t troupe_system_worker_count(const struct troupe_system *system);
const char *troupe_system_policy(const struct troupe_system *system);

/** Sums over all workers, not a snapshot. Times do not appear here. */
struct troupe_stats {
	uint32_t size;		/* set by the caller: sizeof(*stats) */
	uint32_t workers;
	uint64_t spawned;	/* actors and bare jobs */
	uint64_t completed;	/* of those, ended */
	uint64_t messages;	/* handled */
	uint64_t dead_letters;	/* released unhandled, or refused to a worker */
	uint64_t resumes;
	uint64_t enqueued_central;
	uint64_t enqueued_external;
	uint64_t enqueued_internal;
	uint64_t enqueued_later;
	uint64_t steals;	/* jobs taken from another worker */
	uint64_t parks;		/* times a worker went to sleep */
	uint64_t wakes;		/* times one was woken */
	uint64_t faults;	/* times the policy broke its contract */
};

/** Context: any thread. Writes at most stats->size bytes. */
void troupe_system_stats(const struct troupe_system *system,
			 struct troupe_stats *stats);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
