/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * core.h - the private structs of the core and what its files call
 *
 * The way of a job, and the function of each step:
 *
 *	spawn     spawn.c   troupe_spawn(), schedule.c troupe_schedule()
 *	enqueue   job.c     job_enqueue()   -> ops->*_enqueue
 *	dequeue   worker.c  worker_main()   <- ops->dequeue
 *	resume    job.c     job_resume()
 *	complete  job.c     job_complete()  -> WAITING | READY | DONE
 *
 * Job states, who owns the job in each, and the edges:
 *
 *	          settle                enqueue
 *	   NEW ───────────► WAITING ──────────────► READY ◄──────┐
 *	 spawner            nobody: whoever         the policy   │ more to do
 *	    │               takes the mailbox         │ dequeue  │
 *	    └─────────────► word from IDLE            ▼          │
 *	       enqueue          ▲                  RUNNING ──────┘
 *	                        └───────────────── the worker ───► DONE
 *	                           mailbox empty              the last reference
 *
 * Legend of the fields: I set at init · W the owner worker only · A atomic,
 * any thread · P the policy's own · O whoever owns the job now.
 */
#ifndef CORE_H
#define CORE_H

#include <stdatomic.h>

#include "config.h"
#include "directory.h"
#include "mailbox.h"
#include "platform.h"
#include "registry.h"
#include "troupe.h"
#include "troupe_policy.h"

enum job_state {
	JOB_NEW,
	JOB_WAITING,
	JOB_READY,
	JOB_RUNNING,
	JOB_HELD, /* by a full mailbox: limit.h */
	JOB_DONE,
};

enum job_flags {
	JOB_BARE = 1u << 0,	/* struct bare_job; else struct troupe_actor */
	ACTOR_QUIT = 1u << 1,	/* troupe_quit() was called */
	ACTOR_TRAPS = 1u << 2,	/* exit signals are messages */
	ACTOR_TOLD = 1u << 3,	/* that the system stops, if it traps */
	ACTOR_BECAME = 1u << 4, /* a new behaviour, in this callback */
	ACTOR_ENDS = 1u << 5,	/* it is in on_exit, or beyond */
	ACTOR_LOST = 1u << 6,	/* its state, when a restart failed */
	JOB_OVER = 1u << 7,	/* a bare one: not to be run again */
};

enum job_traits {
	TRAIT_LIMITED = 1u << 0,  /* its mailbox has limits */
	TRAIT_DETACHED = 1u << 1, /* has a thread of its own; no policy */
};

#define JOB_ANYWHERE UINT16_MAX

struct job {
	struct troupe_job link;	      /* P while READY */
	struct troupe_system *system; /* I */
	uint32_t messages;	      /* O: handled in the last run */
	_Atomic uint32_t depth;	      /* A: in lanes, stash; set by owner */
	uint16_t pin;		      /* I: worker index or JOB_ANYWHERE */
	_Atomic uint8_t state;	      /* A: enum job_state; set by the owner */
	uint8_t flags;		      /* O: enum job_flags */
	uint8_t traits;		      /* I: enum job_traits */
	_Atomic uint8_t kept;	      /* A: ended, its state waits */
	_Atomic uint16_t home;	      /* A: the worker that ran it last, plus
					 1; set by the owner */
};

struct bare_job {
	struct job job;
	uint64_t id;	   /* I */
	troupe_job_fn run; /* I */
	void *data;	   /* I */
};

/* Behind its control block; its policy data and then its state follow. */
struct troupe_actor {
	struct job job;
	struct mailbox mailbox;
	const struct troupe_actor_class *actor_class; /* I */
	troupe_receive_fn receive;		      /* O */
	uintptr_t extra;       /* O: extra.h; made when needed */
	int32_t reason;	       /* O: given to troupe_quit() */
	uint32_t state_offset; /* I: of the state, from here */
};

_Static_assert(sizeof(struct job) == 40, "a job is 40 bytes");
_Static_assert(sizeof(struct bare_job) == 64, "a bare job is one line");
_Static_assert(sizeof(struct troupe_actor) == 112,
	       "block, actor and 16 bytes of state are three lines");

/* Where policy data and state begin, from the job on. */
#define JOB_ALIGN 16u

/* What each worker counts. Written by its worker, read by anyone. */
enum worker_counter {
	WORKER_SPAWNED,
	WORKER_COMPLETED,
	WORKER_MESSAGES,
	WORKER_DEAD_LETTERS,
	WORKER_RESUMES,
	WORKER_INTERNAL,
	WORKER_LATER,
	WORKER_FAULTS,
	WORKER_HELD,
	WORKER_BLOCKING,
	WORKER_POLICY, /* + enum troupe_counter */
	WORKER_COUNTERS = WORKER_POLICY + TROUPE_COUNTERS,
};

/* Whether the actors of a system must go. */
enum system_ending {
	SYSTEM_GOES_ON,
	SYSTEM_ENDS,
	SYSTEM_KILLS, /* those that trap, too */
};

struct worker {
	struct troupe_worker head;    /* I: what the policy sees */
	struct troupe_system *system; /* I */
	int cpu;		      /* I: to bind to, or -1 */
	struct troupe__thread thread; /* I */
	uint64_t random;	      /* W */
	uint32_t credit;	      /* W: jobs counted in advance: credit.h */
	uint64_t next_id, last_id;    /* W: ids taken but not used */
	struct directory_cache slots; /* W: of the directory */
	_Atomic(struct job *) running; /* W, A read: an address, no more */
	/* A: a count of runs, since when it is that, and ns; stop.c */
	_Atomic uint64_t watch_runs, watch_since, watched;
	bool abandoned; /* its first thread is not to be joined: pool.h */
	_Alignas(64) _Atomic uint64_t counters[WORKER_COUNTERS]; /* W, A read */
};

struct troupe_system {
	struct troupe_coordinator head;	   /* I: what the policy sees */
	struct troupe_policy_ops ops;	   /* I: complete; no slot is NULL */
	struct troupe__settings *settings; /* I */
	uint32_t max_throughput;	   /* I */
	uint32_t job_stamp_size;    /* I: bytes before the policy's data */
	uint32_t state_offset;	    /* I: of an actor's state, from it */
	uint32_t bare_size;	    /* I: of a bare job with its data */
	uint32_t running;	    /* I: worker threads started */
	uint32_t generation;	    /* I: of the process that made it */
	_Atomic bool stopping;	    /* A: the workers must go */
	_Atomic uint8_t ending;	    /* A: enum system_ending */
	_Atomic bool closed;	    /* A: in destroy; see coordinator.c */
	_Atomic uint32_t refs;	    /* A: owner, abandoned threads */
	struct directory directory; /* of all living actors */
	struct troupe_registry *registry; /* I */
	struct pool *pool;		  /* I: threads beside the workers */
	troupe_dead_letter_fn on_dead_letter; /* I: may be NULL */
	void *dead_letter_context;	      /* I */

	struct troupe__running *alive;		   /* I: actors and bare jobs */
	_Alignas(64) _Atomic uint64_t next_id;	   /* A */
	_Alignas(64) _Atomic uint64_t visitors;	   /* A: see coordinator.c */
	_Atomic uint64_t outside[WORKER_COUNTERS]; /* A: not by workers */
	_Atomic uint64_t central, external;	   /* A */

	_Alignas(64) struct troupe_spinlock hold_lock; /* of held jobs */
};

struct detached;
struct pool;
struct pool_thread;

/* What this thread is doing. */
struct here {
	struct worker *worker;	    /* NULL outside the workers */
	struct troupe_actor *actor; /* whose callback runs; or NULL */
	/* Of an actor that the running one filled: limit.h. */
	struct troupe_strong full;
	struct job *job;	    /* the running job, actor or not */
	struct pool_thread *thread; /* if it is one of a pool: pool.h */
	/* The message being handled, if it carries a count of its actor. */
	struct troupe_message *carrier;
	/* Counts of handles, within a run: purse.h. */
	struct troupe_actor *runs;
	struct troupe_control_block *due;
	uint32_t due_count, purse, purse_next;
	/* Of the running job, or the last one; what troupe_run has of it. */
	uint64_t sent; /* and, from bit 32 on, of those abroad */
	uint64_t peer;
	uint16_t home;		 /* of a job that runs here: its worker + 1 */
	struct troupe_job *kept; /* ended actors whose states are due */
	bool destroying;	 /* one of them, now */
	bool showing;		 /* a dead letter: letter.h */
};
extern _Thread_local struct here troupe__here;

static inline struct troupe_control_block *
actor_block(struct troupe_actor *actor)
{
	return troupe_object_block(actor);
}

static inline struct troupe_actor *block_actor(struct troupe_control_block *b)
{
	return troupe_block_object(b);
}

static inline void *actor_state(struct troupe_actor *actor)
{
	return (unsigned char *)actor + actor->state_offset;
}

/** Adds to a counter of which the calling worker is the only writer. */
static inline void worker_count(struct worker *worker,
				enum worker_counter counter, uint64_t amount)
{
	_Atomic uint64_t *at = &worker->counters[counter];

	/* relaxed: a single writer, and readers want no order, only a number */
	atomic_store_explicit(
		at, atomic_load_explicit(at, memory_order_relaxed) + amount,
		memory_order_relaxed);
}

static inline uint16_t job_home(const struct job *job)
{
	/* relaxed: a hint. */
	return atomic_load_explicit(&job->home, memory_order_relaxed);
}

static inline void job_set_home(struct job *job, uint16_t home)
{
	/* relaxed: as above. Mostly it is, and reading costs less. */
	if (job_home(job) != home)
		atomic_store_explicit(&job->home, home, memory_order_relaxed);
}

/** What troupe_job_worker() says for @home. */
static inline uint32_t home_worker(uint16_t home)
{
	/* 0 - 1 is TROUPE_NO_WORKER. */
	return (uint32_t)home - 1;
}

/** Nothing was sent yet, in this run or as this worker. */
static inline void here_begin_run(void)
{
	troupe__here.sent = 0;
	troupe__here.peer = 0;
}

/** @job of @system was just made: by one of its workers, if this is one. */
static inline void job_made(struct job *job, const struct troupe_system *system)
{
	const struct worker *worker = troupe__here.worker;

	if (worker != NULL && worker->system == system)
		job_set_home(job, troupe__here.home);
}

/* coordinator.c */
uint64_t troupe__system_id(struct troupe_system *system);
/** Would a wait for the system's end wait for this thread itself? */
bool troupe__system_is_here(const struct troupe_system *system);
/** Waits until nothing is alive, at most @nanoseconds. Returns: 0;
 * -ETIMEDOUT. */
int troupe__system_await_for(struct troupe_system *system,
			     uint64_t nanoseconds);
/** Counts on the worker, if this is one of @system, else for the outside. */
void troupe__system_count(struct troupe_system *system,
			  enum worker_counter counter, uint64_t amount);
/** True if nothing may begin any more. After counting it in. */
static inline bool system_closed(const struct troupe_system *system)
{
	/* seq_cst: see coordinator.c. */
	return atomic_load(&system->closed);
}
/** Gives up one of refs; the last one frees the system. */
void troupe__system_put(struct troupe_system *system);
/** Brackets what an outside thread does to a system that may end. */
void troupe__system_enter(struct troupe_system *system);
void troupe__system_leave(struct troupe_system *system);

/* job.c */
#if TROUPE_CHECKS
void troupe__job_check_edge(enum job_state from, enum job_state to);
#else
static inline void troupe__job_check_edge(enum job_state from,
					  enum job_state to)
{
	(void)from;
	(void)to;
}
#endif

/** The one place that changes a job's state. The owner. */
static inline void troupe__job_state(struct job *job, enum job_state state)
{
	(void)troupe__point(TROUPE__POINT_STATE);
	/* relaxed, both: the job's owner is the only writer, and ownership
	 * itself is handed over by the mailbox word and by the policy. */
	troupe__job_check_edge(
		atomic_load_explicit(&job->state, memory_order_relaxed), state);
	atomic_store_explicit(&job->state, state, memory_order_relaxed);
}

void troupe__job_enqueue(struct job *job);
enum job_state troupe__job_resume(struct job *job);
/** Completes a job whose thread has lost its worker. */
void troupe__job_complete_outside(struct job *job, enum job_state state);
void troupe__job_complete(struct worker *worker, struct job *job,
			  enum job_state state);
/** Ends a job that a stopped policy hands back. */
void troupe__job_discard(struct job *job);

/* run.c */
/** Lets the actor handle messages, at most max-throughput. */
enum job_state troupe__actor_run(struct troupe_actor *actor);
/** The next message of the actor that the caller runs; NULL: none now. */
struct troupe_message *troupe__actor_next_message(struct troupe_actor *actor);
/** Keeps @message, which that gave, for the next behaviour. */
void troupe__actor_skip(struct troupe_actor *actor,
			struct troupe_message *message);
/** @message was taken out from among the skipped ones. */
void troupe__actor_unskipped(struct troupe_actor *actor,
			     struct troupe_message *message);

/* stop.c */
/** Tells all actors to go; does not wait. */
void troupe__stop_begin(struct troupe_system *system, enum system_ending how);

/* worker.c */
void troupe__worker_main(void *data);
/** Works as @worker until the system stops, or a blocking section gives the
 * worker to another thread. Returns: false in that case. */
bool troupe__worker_serve(struct worker *worker);

/* actor.c */
extern const struct troupe_block_ops troupe__actor_block_ops;
/** Closes the mailbox. Returns: all that was in it. */
struct troupe_message *troupe__actor_close(struct troupe_actor *actor);
/** Ends the actor: closes its mailbox, runs on_exit and destroy. @worker is
 * NULL outside the workers. */
void troupe__actor_end(struct troupe_actor *actor, struct worker *worker,
		       int reason);
/** Nothing to handle: make it WAITING. Returns: WAITING and it is no longer
 * ours, READY if there is more to do, DONE if nobody can reach it. */
enum job_state troupe__actor_settle(struct troupe_actor *actor);
/** The same for one that nobody can reach, but that waits for the clock. */
enum job_state troupe__actor_settle_alone(struct troupe_actor *actor);
/** Makes an actor without options and init, which the caller runs. */
int troupe__actor_make(struct troupe_system *system,
		       const struct troupe_actor_class *actor_class,
		       struct detached *detached,
		       struct troupe_actor **ret_actor);
/** A new strong handle for an actor that the caller runs. */
struct troupe_strong troupe__actor_self(struct troupe_actor *actor);

/* message.c */
/** NULL @data leaves the payload as it is. */
struct troupe_message *troupe__message_create(uint32_t tag, const void *data,
					      size_t size);
/** Gives the count back that a message to @actor may carry. */
void troupe__message_uncarry(struct troupe_actor *actor,
			     struct troupe_message *message);
/** Frees it, with what it holds; an unanswered request is answered with
 * TROUPE_TAG_ERROR and @error. */
void troupe__message_release(struct troupe_message *message, int error);
/** Puts the message into the mailbox of @to and wakes the actor if need be.
 * Owns: the message, if it returns 0; -ESRCH leaves it to the caller. */
int troupe__message_deliver(struct troupe_strong to,
			    struct troupe_message *message);
/** The same, whatever limits the mailbox has. */
int troupe__message_push(struct troupe_actor *actor,
			 struct troupe_message *message);

/* request.c */
/** Runs the handler of the request that @message answers. */
int troupe__request_response(struct troupe_actor *actor,
			     const struct troupe_message *message);

/* receive.c */
/** Releases the message that a receive gave last. */
void troupe__receive_done(struct troupe_actor *actor);

/* watch.c */
/** Handles a MESSAGE_SYSTEM message. Returns: true if the behaviour is to see
 * it, as a plain message now; false: released. */
bool troupe__signal_handle(struct troupe_actor *actor,
			   struct troupe_message *message);
/** Releases one that was not handled. */
void troupe__signal_release(struct troupe_message *message);
/** Tells all who monitor @actor or are linked to it. */
void troupe__signal_end(struct troupe_actor *actor, int reason);

#endif
