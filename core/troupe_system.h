/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_system.h - systems, and bare jobs on their workers.
 * Included by troupe.h.
 */
#ifndef TROUPE_SYSTEM_H
#define TROUPE_SYSTEM_H

#include <stdio.h>

#include "troupe_message.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_config;
struct troupe_registry;

/* ---- systems ----------------------------------------------------------- */

/**
 * troupe_system_create - start a system: read config, load the policy, run
 *
 * @config: NULL for the defaults. It may be freed after the call.
 * @error:  may be NULL; else filled in on failure.
 * Returns: 0; -EINVAL bad config or policy; -ENOENT no such file or policy;
 *          -ENOTSUP config or policy made for a newer library; -ENOMEM;
 *          -EAGAIN no more threads; what the policy's init returned. On
 *          failure nothing runs and nothing is left behind.
 */
int troupe_system_create(const struct troupe_config *config,
			 struct troupe_error *error,
			 struct troupe_system **ret_system);

/**
 * troupe_system_await - wait until no actor and no job is left
 *
 * Returns: 0; -EDEADLK on a worker of this system, or in an actor's init.
 */
int troupe_system_await(struct troupe_system *system);

/**
 * troupe_system_destroy - wait as troupe_system_await(), then end
 *
 * Handles may be held longer and released later. Accepts NULL.
 * Returns: 0; -EDEADLK on a worker of this system or in an init, and nothing has
 *          changed.
 */
int troupe_system_destroy(struct troupe_system *system);

enum troupe_stop_flags {
	/** Also end actors that trap exit signals, as soon as they run. */
	TROUPE_STOP_KILL = 1u << 0,
	/** Give up what has a thread of its own and is left at the deadline:
	 * see below. */
	TROUPE_STOP_ABANDON = 1u << 1,
};

enum troupe_actor_state {
	TROUPE_ACTOR_NEW,     /* in init */
	TROUPE_ACTOR_WAITING, /* for a message */
	TROUPE_ACTOR_READY,   /* in the policy's hands */
	TROUPE_ACTOR_RUNNING,
	TROUPE_ACTOR_HELD, /* back, by a full mailbox it sent to */
	TROUPE_ACTOR_ENDED,
};

/** What can be seen of an actor from outside: a moment's view. */
struct troupe_actor_info {
	uint64_t id;
	const char *name; /* its class's */
	enum troupe_actor_state state;
	uint32_t worker;	   /* that runs it; or TROUPE_ANY_WORKER */
	uint64_t messages;	   /* waiting, as far as it has looked */
	uint64_t strong, weak;	   /* handles */
	uint64_t refused, dropped; /* by a mailbox with limits */
	uint64_t running;	   /* ns in the same run, or with a thread of
					   its own since the last receive, as
					   far as troupe_system_stop() has
					   watched */
};

/** Returns false to stop. It must not block: the actor stays while it runs. */
typedef bool (*troupe_actor_fn)(const struct troupe_actor_info *info,
				void *context);

/**
 * troupe_system_actors - look at every living actor
 *
 * Context: any thread; takes no lock that actors wait for, but for those that
 *          come to or leave threads of their own, for a moment.
 */
void troupe_system_actors(struct troupe_system *system, troupe_actor_fn each,
			  void *context);

/** troupe_system_print - a line for each living actor: who keeps it going.
 * Returns: 0; -EIO. */
int troupe_system_print(struct troupe_system *system, FILE *out);

/** The name of a state, "WAITING". */
const char *troupe_actor_state_name(enum troupe_actor_state state);

/**
 * troupe_system_stop - ask every actor to end, and wait for that
 *
 * Each actor ends with TROUPE_EXIT_SHUTDOWN before its next message; on a worker
 * when its run is over, after at most max-throughput; one of a class with
 * TROUPE_CLASS_DRAIN after its last one; one that traps exit signals
 * gets TROUPE_TAG_EXIT and ends when it likes. What is left in mailboxes is
 * released, requests are answered with an error. A bare job is not run again.
 * From now on troupe_spawn() and troupe_schedule() say -ESHUTDOWN.
 *
 * Abandoned, with TROUPE_STOP_ABANDON, is what is left at the deadline and has
 * a thread that is not a worker's: a detached or scoped actor, an actor or job
 * in a blocking section. A callback on a worker that does not return is not,
 * and is still waited for; unless it begins a blocking section afterwards:
 * then it is abandoned too. After the report, nobody waits for an abandoned
 * thread any more: troupe_system_destroy() returns without it, the memory that
 * it may still touch stays (its actor and what that has, the system's struct,
 * registry, directory and settings; not the policy), and:
 *
 *	- should its call come back, receives, asks, spawns and
 *	  troupe_schedule() say -ESHUTDOWN, sends to what has ended -ESRCH;
 *	- when its callback has returned, its actor ends as any: on_exit and
 *	  destroy run, once, on that thread, which then ends; config's hooks are
 *	  not called, but one that runs when the system is destroyed;
 *	- the last of these threads frees what was left of the system.
 *
 * So class, on_exit and destroy must be usable as long as the threads are, and
 * the library may not be unloaded. Those that never come back keep a thread
 * each and that memory, some 20 KiB a system, until the process ends. Nothing
 * tells when they are back, but their own on_exit and destroy.
 *
 * @deadline: nanoseconds to wait; UINT64_MAX: until all have ended.
 * @flags:    enum troupe_stop_flags.
 * @survivor: called for each actor that is left at the deadline. May be NULL.
 * Context:   any thread. On a worker of this system, it does not wait: the
 *            system ends when the callback has returned.
 *            With another one, or a destroy, at the same time, if it began
 *            before the destroy.
 * Returns:   0 all have ended, or on a worker; -ETIMEDOUT some have not: call
 *            again, or troupe_system_destroy(), which waits for those that
 *            were not abandoned.
 */
int troupe_system_stop(struct troupe_system *system, uint64_t deadline,
		       uint32_t flags, troupe_actor_fn survivor, void *context);

/** The names of the system's actors, and their number: troupe_registry.h. */
struct troupe_registry *troupe_system_registry(struct troupe_system *system);

uint32_t troupe_system_worker_count(const struct troupe_system *system);
const char *troupe_system_policy(const struct troupe_system *system);

/** Sums over all workers, not a snapshot. Times do not appear here. */
struct troupe_stats {
	uint32_t size; /* set by the caller: sizeof(*stats) */
	uint32_t workers;
	uint64_t spawned;      /* actors and bare jobs */
	uint64_t completed;    /* of those, ended */
	uint64_t messages;     /* handled */
	uint64_t dead_letters; /* as troupe_config.on_dead_letter would see */
	uint64_t resumes;
	uint64_t enqueued_central;
	uint64_t enqueued_external;
	uint64_t enqueued_internal;
	uint64_t enqueued_later;
	uint64_t steals;       /* jobs taken from another worker */
	uint64_t parks;	       /* times a worker went to sleep */
	uint64_t wakes;	       /* times one was woken */
	uint64_t faults;       /* times the policy broke its contract */
	uint64_t held;	       /* times a full mailbox held a sender back */
	uint64_t blocking;     /* sections that gave their worker away */
	uint64_t pool_threads; /* now, beside one for each worker */
};

/** Context: any thread. Writes at most stats->size bytes. */
void troupe_system_stats(const struct troupe_system *system,
			 struct troupe_stats *stats);

/* ---- jobs -------------------------------------------------------------- */

enum troupe_job_result {
	TROUPE_JOB_DONE = 0,  /* over; the job is freed */
	TROUPE_JOB_AGAIN = 1, /* run me again, after the others */
};

/** Returns one of enum troupe_job_result. */
typedef int (*troupe_job_fn)(void *data);

/**
 * troupe_schedule - run a bare function on a worker
 *
 * Context: any thread, also inside actors and jobs.
 * Owns:    @data stays the caller's.
 * Returns: 0; -ENOMEM; -EINVAL for a NULL @run or an unknown @worker;
 *          -ESHUTDOWN after troupe_system_stop().
 */
int troupe_schedule(struct troupe_system *system, troupe_job_fn run,
		    void *data);
int troupe_schedule_on(struct troupe_system *system, uint32_t worker,
		       troupe_job_fn run, void *data);

/** The worker that this thread is, of any system; or TROUPE_ANY_WORKER. */
uint32_t troupe_current_worker(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
