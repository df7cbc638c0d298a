/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * pool.h - the threads of a system beside its workers
 *
 * Overview. They run detached actors, and stand in for workers that block.
 * Idle ones are used again, the newest first, so that few are warm; one that
 * was idle for the keep-alive time ends. The structs stay until the system
 * goes: whoever made an actor READY may still be waking its thread when the
 * actor has ended.
 *
 * Threads. Any, unless said.
 *
 * Abandoned threads. What a thread runs that may block for ever, a detached or
 * scoped actor, or what is in a blocking section, is its `job`. While it has
 * one, troupe__pool_abandon() may give the thread up. All is decided under the
 * mutex:
 *
 *	the stop	marks the thread, counts it into system->refs, and then
 *			takes its job out of the count of what is alive; a
 *			thread that gets a job after that does so itself
 *	the thread	takes its job back when that has ended, and looks at
 *			the mark: unmarked, it takes it out of that count
 *			itself; marked, it has been done
 *
 * So each job is counted out once, whoever comes first, and the thread knows
 * whether it is waited for. Marked, it never serves again: it ends its job,
 * without the policy, and gives up its count of the system, as its last touch.
 * Until then it may use all of the system but the policy: coordinator.c says
 * why it never comes to call that. Destroy detaches it instead of joining it.
 */
#ifndef POOL_H
#define POOL_H

#include "affinity.h"
#include "detached.h"

/* What a pool thread does next. */
typedef void (*pool_run_fn)(void *data);

/* Legend: I set at init, L under the pool's mutex, T the thread itself. */
struct pool_thread {
	struct detached detached;
	struct pool *pool;	      /* I */
	uint32_t index;		      /* I: in the order of making */
	struct troupe__thread thread; /* L */
	struct troupe_cond cond;      /* I: run was set, or stopping */
	struct pool_thread *all_next; /* L */
	struct pool_thread *next;     /* L: idle, or ended */
	pool_run_fn run;	      /* L */
	void *data;		      /* L */
	bool adopted;		      /* L: was a worker's; free at once */
	bool joinable;		      /* L */
	bool idle;		      /* L: in the idle list */
	struct job *job;	      /* L: as said above; or NULL */
	uint64_t counted;	      /* L: as what, TROUPE__RUNNING_ */
	bool abandoned;		      /* L: nobody waits for it */
	struct worker *first_of;      /* L: adopted, and was started as that */
	uint32_t seen;		      /* L: turns, at the last look of a stop */
	uint64_t since, watched;      /* L: the first look at that; ns then */
};

struct pool {
	struct troupe_system *system;	 /* I */
	uint32_t max_threads;		 /* I */
	uint64_t keep_alive;		 /* I: ns */
	size_t stack_size;		 /* I: bytes; 0: the default */
	bool wait;			 /* I: beyond the cap */
	struct affinity_mask processors; /* I: of all of its threads */
	struct troupe_mutex mutex;
	struct troupe_cond released; /* a thread became free */
	struct pool_thread *all;     /* L */
	struct pool_thread *idle;    /* L: newest first */
	struct pool_thread *ended;   /* L: to be joined and reused */
	uint32_t structs;	     /* L: in all */
	uint32_t count;		     /* L: threads beyond one per worker */
	bool stopping;		     /* L */
	bool abandons;		     /* L: nobody waits for a job any more */
};

/** Makes system->pool. Returns: 0; -ENOMEM. */
int troupe__pool_create(struct troupe_system *system);

/**
 * Takes an idle thread, or starts one.
 * @wait: beyond the cap, wait for one if the pool is set to.
 * Returns: 0; -EAGAIN, -ENOMEM.
 */
int troupe__pool_acquire(struct pool *pool, bool wait,
			 struct pool_thread **ret_thread);
/** Lets it do @run(@data), then become idle. @job: what that is, if it may be
 * abandoned; or NULL. */
void troupe__pool_start(struct pool_thread *thread, pool_run_fn run, void *data,
			struct job *job);
/** Gives it back unused. */
void troupe__pool_release(struct pool_thread *thread);

/** The struct for a thread that is not ours, or NULL. @first_of: the worker
 * that it was started as, or NULL. */
struct pool_thread *troupe__pool_adopt(struct pool *pool,
				       struct worker *first_of);
/** Gives one back that never served. Returns: false if it was abandoned: the
 * caller has a count of the system to give up. */
bool troupe__pool_disown(struct pool_thread *thread);
/** The calling thread, which was a worker and has given that to another, is a
 * pool thread from now on; returns when it may end. Returns: false if it was
 * abandoned, and the system may be gone. */
bool troupe__pool_serve(struct pool_thread *thread);

/** The calling thread runs @job off the workers from now on. The job may be
 * abandoned at once. */
void troupe__pool_away(struct pool_thread *thread, struct job *job);
/** It is to go on as others do. Returns: false if the thread was abandoned
 * meanwhile: then its job ends here. */
bool troupe__pool_back(struct pool_thread *thread);
/** @job has ended, off the workers: takes it out of the count of what is
 * alive, if that was not done. @what: TROUPE__RUNNING_. The system may be gone
 * afterwards, unless the caller knows better. */
void troupe__pool_uncount(struct job *job, uint64_t what);
/** Abandons all that have a job, and all that get one from now on. The caller
 * is a visitor of the system.
 * Returns: what to take out of the count of what is alive. */
uint64_t troupe__pool_abandon(struct pool *pool);

/** Notes for each thread how long its user code has been running. @anew: from
 * now on only. */
void troupe__pool_watch(struct pool *pool, bool anew);
/** What was noted for the thread that runs @job; 0 if there is none. */
uint64_t troupe__pool_watched(struct pool *pool, const struct job *job);

/** How many threads there are beyond one per worker. */
uint32_t troupe__pool_count(struct pool *pool);

/** Tells all idle threads to end; none starts any more. */
void troupe__pool_stop(struct pool *pool);
/** Joins all. After the workers' threads have been joined. */
void troupe__pool_join(struct pool *pool);
/** Frees all. Accepts NULL. */
void troupe__pool_destroy(struct pool *pool);

#endif
