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
 */
#ifndef POOL_H
#define POOL_H

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
};

struct pool {
	struct troupe_system *system; /* I */
	uint32_t max_threads;	      /* I */
	uint64_t keep_alive;	      /* I: ns */
	size_t stack_size;	      /* I: bytes; 0: the default */
	bool wait;		      /* I: beyond the cap */
	struct troupe_mutex mutex;
	struct troupe_cond released; /* a thread became free */
	struct pool_thread *all;     /* L */
	struct pool_thread *idle;    /* L: newest first */
	struct pool_thread *ended;   /* L: to be joined and reused */
	uint32_t structs;	     /* L: in all */
	uint32_t count;		     /* L: threads beyond one per worker */
	bool stopping;		     /* L */
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
/** Lets it do @run(@data), then become idle. */
void troupe__pool_start(struct pool_thread *thread, pool_run_fn run,
			void *data);
/** Gives it back unused. */
void troupe__pool_release(struct pool_thread *thread);

/** The struct for a thread that is not ours, or NULL. */
struct pool_thread *troupe__pool_adopt(struct pool *pool);
/** Gives one back that never served. */
void troupe__pool_disown(struct pool_thread *thread);
/** The calling thread, which was a worker and has given that to another, is a
 * pool thread from now on; returns when it may end. */
void troupe__pool_serve(struct pool_thread *thread);

/** How many threads there are beyond one per worker. */
uint32_t troupe__pool_count(struct pool *pool);

/** Tells all idle threads to end; none starts any more. */
void troupe__pool_stop(struct pool *pool);
/** Joins all. After the workers' threads have been joined. */
void troupe__pool_join(struct pool *pool);
/** Frees all. Accepts NULL. */
void troupe__pool_destroy(struct pool *pool);

#endif
