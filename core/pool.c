/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pool of threads beside the workers. One mutex guards it; a thread that
 * is handed out sleeps on a condition variable of its own.
 */
#include "pool.h"

#include "process.h"

#include <errno.h>
#include <string.h>

int troupe__pool_create(struct troupe_system *system)
{
	struct pool *pool = troupe__alloc(sizeof(*pool));

	if (pool == NULL)
		return -ENOMEM;
	memset(pool, 0, sizeof(*pool));
	pool->system = system;
	pool->max_threads = system->settings->detached_max_threads;
	pool->keep_alive = system->settings->detached_keep_alive;
	pool->stack_size = system->settings->detached_stack_size;
	pool->wait = system->settings->detached_wait;
	troupe_mutex_init(&pool->mutex);
	troupe_cond_init(&pool->released);
	system->pool = pool;
	return 0;
}

/* ---- the thread's side ------------------------------------------------- */

/* Takes @thread out of the idle list. Under the mutex. */
static void pool_unlist(struct pool *pool, struct pool_thread *thread)
{
	struct pool_thread **at = &pool->idle;

	while (*at != thread)
		at = &(*at)->next;
	*at = thread->next;
}

/* Waits idle until there is something to run. Under the mutex.
 * Returns: false if the thread is to end. */
static bool pool_wait(struct pool *pool, struct pool_thread *thread)
{
	uint64_t since = troupe_now();

	while (thread->run == NULL) {
		uint64_t idle = troupe_now() - since;

		/* Stopping, or cold; a thread that was handed out, but does
		 * not know yet what for, is not in the list. */
		if (thread->idle &&
		    (pool->stopping || idle >= pool->keep_alive)) {
			pool_unlist(pool, thread);
			return false;
		}
		if (thread->idle)
			(void)troupe_cond_wait_for(&thread->cond, &pool->mutex,
						   pool->keep_alive - idle);
		else
			troupe_cond_wait(&thread->cond, &pool->mutex);
	}
	return true;
}

static void pool_make_idle(struct pool *pool, struct pool_thread *thread)
{
	thread->idle = true;
	thread->next = pool->idle;
	pool->idle = thread;
	troupe_cond_signal(&pool->released);
}

/* After its last run. Under the mutex, which it gives back. */
static void pool_end(struct pool *pool, struct pool_thread *thread)
{
	struct troupe_system *system = pool->system;
	bool abandoned = thread->abandoned;

	thread->idle = false;
	if (!thread->adopted && !abandoned) {
		/* Without the lock, and before it can be waited for. */
		troupe_mutex_unlock(&pool->mutex);
		troupe__process_thread_stop(system, TROUPE_THREAD_POOL,
					    thread->index);
		troupe_mutex_lock(&pool->mutex);
	}
	pool->count--;
	if (!abandoned) {
		thread->next = pool->ended;
		pool->ended = thread;
	}
	troupe_cond_signal(&pool->released);
	troupe_mutex_unlock(&pool->mutex);
	troupe__here.thread = NULL;
	if (abandoned)
		troupe__system_put(system);
}

bool troupe__pool_serve(struct pool_thread *thread)
{
	struct pool *pool = thread->pool;
	bool abandoned;

	troupe__here.thread = thread;
	troupe_mutex_lock(&pool->mutex);
	/* A new one was started for somebody. An adopted one is free, and is
	 * counted already: as who took its worker. */
	if (thread->adopted && !thread->abandoned)
		pool_make_idle(pool, thread);
	/* One that was abandoned as it got its job has to run that. */
	while ((!thread->abandoned || thread->job != NULL) &&
	       pool_wait(pool, thread)) {
		pool_run_fn run = thread->run;
		void *data = thread->data;

		thread->run = NULL;
		troupe_mutex_unlock(&pool->mutex);
		run(data);
		troupe_mutex_lock(&pool->mutex);
		if (!thread->abandoned)
			pool_make_idle(pool, thread);
	}
	abandoned = thread->abandoned;
	pool_end(pool, thread);
	return !abandoned;
}

static void pool_main(void *data)
{
	struct pool_thread *thread = data;

	/* A worker may have started it. */
	troupe__affinity_restore(&thread->pool->processors);
	troupe__process_thread_start(thread->pool->system, TROUPE_THREAD_POOL,
				     thread->index);
	(void)troupe__pool_serve(thread);
}

/* ---- handing out ------------------------------------------------------- */

/* A struct to start a thread with: of one that has ended, or new. Under the
 * mutex. The ended thread gives the mutex back as its last act. */
static struct pool_thread *pool_struct(struct pool *pool)
{
	struct pool_thread *thread = pool->ended;

	if (thread != NULL) {
		pool->ended = thread->next;
		if (thread->joinable)
			troupe__thread_join(&thread->thread);
		thread->joinable = false;
		thread->adopted = false;
		thread->first_of = NULL;
		return thread;
	}
	thread = troupe__alloc_lines((sizeof(*thread) + 63) & ~(size_t)63);
	if (thread == NULL)
		return NULL;
	memset(thread, 0, sizeof(*thread));
	thread->pool = pool;
	thread->index = pool->structs++;
	troupe_cond_init(&thread->cond);
	thread->all_next = pool->all;
	pool->all = thread;
	return thread;
}

/* Starts a thread more. Under the mutex. */
static int pool_grow(struct pool *pool, struct pool_thread **ret_thread)
{
	struct pool_thread *thread = pool_struct(pool);
	int result;

	if (thread == NULL)
		return -ENOMEM;
	thread->idle = false;
	result = troupe__thread_create(&thread->thread, "troupe-pool",
				       pool->stack_size, pool_main, thread);
	if (result != 0) {
		thread->next = pool->ended;
		pool->ended = thread;
		return result == -ENOMEM ? -ENOMEM : -EAGAIN;
	}
	thread->joinable = true;
	pool->count++;
	*ret_thread = thread;
	return 0;
}

int troupe__pool_acquire(struct pool *pool, bool wait,
			 struct pool_thread **ret_thread)
{
	int result = 0;

	troupe_mutex_lock(&pool->mutex);
	while (wait && pool->wait && pool->idle == NULL &&
	       pool->max_threads != 0 && pool->count >= pool->max_threads &&
	       !pool->stopping && !pool->abandons)
		troupe_cond_wait(&pool->released, &pool->mutex);
	if (pool->stopping) {
		result = -EAGAIN;
	} else if (pool->idle != NULL) {
		*ret_thread = pool->idle;
		pool->idle = (*ret_thread)->next;
		(*ret_thread)->idle = false;
	} else if (pool->count >= pool->max_threads) {
		result = -EAGAIN;
	} else {
		result = pool_grow(pool, ret_thread);
	}
	troupe_mutex_unlock(&pool->mutex);
	return result;
}

/* Nobody waits for @thread and its job any more. Under the mutex. Returns: what
 * to take out of the count of what is alive. */
static uint64_t pool_give_up(struct pool_thread *thread)
{
	struct job *job = thread->job;

	thread->abandoned = true;
	if (thread->first_of != NULL)
		thread->first_of->abandoned = true;
	/* relaxed: the owner's count stays until what is alive has been
	 * counted out, which comes later. */
	atomic_fetch_add_explicit(&thread->pool->system->refs, 1,
				  memory_order_relaxed);
	/* Who is held back by it is not given up with it. Under the mutex it
	 * cannot end. */
	if ((job->traits & TRAIT_LIMITED) != 0)
		troupe__hold_abandon((struct troupe_actor *)job);
	return thread->counted;
}

/* Under the mutex. Returns: as above; 0 if it is to be waited for. */
static uint64_t pool_set_job(struct pool_thread *thread, struct job *job)
{
	thread->job = job;
	thread->counted = (job->flags & JOB_BARE) != 0 ? TROUPE__RUNNING_JOB
						       : TROUPE__RUNNING_ACTOR;
	/* Whatever was seen of it was another job. */
	thread->since = 0;
	thread->watched = 0;
	return thread->pool->abandons ? pool_give_up(thread) : 0;
}

void troupe__pool_start(struct pool_thread *thread, pool_run_fn run, void *data,
			struct job *job)
{
	struct troupe_system *system = thread->pool->system;
	uint64_t counted = 0;

	troupe_mutex_lock(&thread->pool->mutex);
	if (job != NULL)
		counted = pool_set_job(thread, job);
	thread->run = run;
	thread->data = data;
	troupe_cond_signal(&thread->cond);
	troupe_mutex_unlock(&thread->pool->mutex);
	if (counted != 0)
		troupe__running_dec(system->alive, counted);
}

static void pool_nothing(void *data)
{
	(void)data;
}

void troupe__pool_release(struct pool_thread *thread)
{
	troupe__pool_start(thread, pool_nothing, NULL, NULL);
}

struct pool_thread *troupe__pool_adopt(struct pool *pool,
				       struct worker *first_of)
{
	struct pool_thread *thread;

	troupe_mutex_lock(&pool->mutex);
	thread = pool_struct(pool);
	if (thread != NULL) {
		thread->adopted = true;
		thread->first_of = first_of;
	}
	troupe_mutex_unlock(&pool->mutex);
	return thread;
}

bool troupe__pool_disown(struct pool_thread *thread)
{
	struct pool *pool = thread->pool;
	bool abandoned;

	troupe_mutex_lock(&pool->mutex);
	abandoned = thread->abandoned;
	if (!abandoned) {
		thread->next = pool->ended;
		pool->ended = thread;
	}
	troupe_mutex_unlock(&pool->mutex);
	return !abandoned;
}

uint32_t troupe__pool_count(struct pool *pool)
{
	uint32_t count;

	troupe_mutex_lock(&pool->mutex);
	count = pool->count;
	troupe_mutex_unlock(&pool->mutex);
	return count;
}

/* ---- what may block for ever ------------------------------------------- */

void troupe__pool_away(struct pool_thread *thread, struct job *job)
{
	uint64_t counted;

	troupe_mutex_lock(&thread->pool->mutex);
	counted = pool_set_job(thread, job);
	troupe_mutex_unlock(&thread->pool->mutex);
	/* If so, the system stays all the same: the thread has its count. */
	if (counted != 0)
		troupe__running_dec(job->system->alive, counted);
}

bool troupe__pool_back(struct pool_thread *thread)
{
	bool abandoned;

	troupe_mutex_lock(&thread->pool->mutex);
	abandoned = thread->abandoned;
	/* If so, troupe__pool_uncount() takes it. */
	if (!abandoned)
		thread->job = NULL;
	troupe_mutex_unlock(&thread->pool->mutex);
	return !abandoned;
}

void troupe__pool_uncount(struct job *job, uint64_t what)
{
	struct troupe_system *system = job->system;
	struct pool_thread *thread = troupe__here.thread;
	bool abandoned = false;

	/* Its first member. */
	if ((job->traits & TRAIT_DETACHED) != 0)
		thread = (struct pool_thread *)*actor_detached(
			(struct troupe_actor *)job);
	if (thread != NULL && thread->pool == system->pool) {
		troupe_mutex_lock(&thread->pool->mutex);
		if (thread->job == job) {
			thread->job = NULL;
			abandoned = thread->abandoned;
		}
		troupe_mutex_unlock(&thread->pool->mutex);
	}
	if (!abandoned)
		troupe__running_dec(system->alive, what);
}

uint64_t troupe__pool_abandon(struct pool *pool)
{
	uint64_t counted = 0;

	troupe_mutex_lock(&pool->mutex);
	pool->abandons = true;
	for (struct pool_thread *thread = pool->all; thread != NULL;
	     thread = thread->all_next)
		if (thread->job != NULL && !thread->abandoned)
			counted += pool_give_up(thread);
	troupe_cond_broadcast(&pool->released);
	troupe_mutex_unlock(&pool->mutex);
	return counted;
}

/* ---- how long ---------------------------------------------------------- */

void troupe__pool_watch(struct pool *pool, bool anew)
{
	uint64_t now = troupe_now();

	troupe_mutex_lock(&pool->mutex);
	for (struct pool_thread *thread = pool->all; thread != NULL;
	     thread = thread->all_next) {
		/* relaxed: a number for a report. */
		uint32_t turns = atomic_load_explicit(&thread->detached.turns,
						      memory_order_relaxed);

		if (anew || thread->since == 0 || turns != thread->seen)
			thread->since = now;
		thread->seen = turns;
		thread->watched = now - thread->since;
	}
	troupe_mutex_unlock(&pool->mutex);
}

uint64_t troupe__pool_watched(struct pool *pool, const struct job *job)
{
	uint64_t watched = 0;

	troupe_mutex_lock(&pool->mutex);
	for (const struct pool_thread *thread = pool->all; thread != NULL;
	     thread = thread->all_next)
		if (thread->job == job)
			watched = thread->watched;
	troupe_mutex_unlock(&pool->mutex);
	return watched;
}

/* ---- the end ----------------------------------------------------------- */

void troupe__pool_stop(struct pool *pool)
{
	troupe_mutex_lock(&pool->mutex);
	pool->stopping = true;
	for (struct pool_thread *thread = pool->all; thread != NULL;
	     thread = thread->all_next)
		troupe_cond_signal(&thread->cond);
	troupe_cond_broadcast(&pool->released);
	troupe_mutex_unlock(&pool->mutex);
}

void troupe__pool_join(struct pool *pool)
{
	/* No lock: nobody starts a thread any more. */
	for (struct pool_thread *thread = pool->all; thread != NULL;
	     thread = thread->all_next) {
		if (thread->joinable && thread->abandoned)
			troupe__thread_detach(&thread->thread);
		else if (thread->joinable)
			troupe__thread_join(&thread->thread);
		thread->joinable = false;
	}
}

void troupe__pool_destroy(struct pool *pool)
{
	if (pool == NULL)
		return;
	while (pool->all != NULL) {
		struct pool_thread *thread = pool->all;

		pool->all = thread->all_next;
		troupe_cond_fini(&thread->cond);
		troupe__free(thread);
	}
	troupe_cond_fini(&pool->released);
	troupe_mutex_fini(&pool->mutex);
	troupe__free(pool);
}
