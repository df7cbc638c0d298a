/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts that can be waited for. Waiters say which number of actors they wait
 * for, so that a million changes on the way to it wake nobody; those who wait
 * until nothing runs are woken whenever that is so.
 *
 * No wake-up is lost:
 *	waiter	1. takes the lock and sets watched
 *		2. reads count; if it is not the value, sleeps, which gives
 *		   the lock back
 *	changer	3. changes count
 *		4. reads watched; if it is the new value, takes the lock and
 *		   wakes all
 * All four are seq_cst. Either 4 sees 1, and then the changer gets the lock
 * only when the waiter sleeps, and wakes it; or 4 comes before 1, hence 3
 * before 2, and the waiter sees the new value.
 */
#include "running.h"

#include "troupe_assert.h"

#include <errno.h>

/* watched is one value, or one of these: counts are never that high. */
#define RUNNING_NOBODY UINT64_MAX
#define RUNNING_ANY    (UINT64_MAX - 1)

/* One sleep; far from where libuv's sum with the clock would overflow. */
#define RUNNING_SLEEP_MAX (UINT64_C(3600) * 1000000000)

int troupe__running_init(struct troupe__running *running)
{
	int result = uv_mutex_init(&running->lock);

	if (result != 0)
		return result;
	result = uv_cond_init(&running->changed);
	if (result != 0) {
		uv_mutex_destroy(&running->lock);
		return result;
	}
	atomic_init(&running->count, 0);
	atomic_init(&running->watched, RUNNING_NOBODY);
	running->waiters = 0;
	return 0;
}

void troupe__running_fini(struct troupe__running *running)
{
	uv_cond_destroy(&running->changed);
	uv_mutex_destroy(&running->lock);
}

static uint64_t running_actors(uint64_t count)
{
	return (uint32_t)count;
}

uint64_t troupe__running_get(const struct troupe__running *running)
{
	return running_actors(atomic_load(&running->count));
}

static void running_changed(struct troupe__running *running, uint64_t count)
{
	uint64_t watched = atomic_load(&running->watched);

	if (count != 0 && watched != running_actors(count) &&
	    watched != RUNNING_ANY)
		return;
	uv_mutex_lock(&running->lock);
	uv_cond_broadcast(&running->changed);
	uv_mutex_unlock(&running->lock);
}

/* Both changes are acq_rel, too. Pairs with: running_order(). */
void troupe__running_inc(struct troupe__running *running, uint64_t what)
{
	running_changed(running,
			atomic_fetch_add(&running->count, what) + what);
}

/* Pairs with: running_order(). */
void troupe__running_dec(struct troupe__running *running, uint64_t what)
{
	uint64_t before = atomic_fetch_sub(&running->count, what);

	troupe_assert(before >= what);
	running_changed(running, before - what);
}

void troupe__running_order(struct troupe__running *running)
{
	/* acq_rel, of all who change the count: each sees what the one before
	 * did. Pairs with: itself, running_inc(), running_dec(). */
	atomic_fetch_add_explicit(&running->count, 0, memory_order_acq_rel);
}

static void running_watch(struct troupe__running *running, uint64_t count)
{
	uint64_t watched = atomic_load(&running->watched);

	running->waiters++;
	if (watched == RUNNING_NOBODY)
		atomic_store(&running->watched, count);
	else if (watched != count)
		atomic_store(&running->watched, RUNNING_ANY);
}

static void running_unwatch(struct troupe__running *running)
{
	if (--running->waiters == 0)
		atomic_store(&running->watched, RUNNING_NOBODY);
}

/* One sleep. Under the lock. Returns: 0; -ETIMEDOUT without one, if it is
 * @timeout since @start. */
static int running_sleep(struct troupe__running *running, uint64_t start,
			 uint64_t timeout)
{
	uint64_t passed = uv_hrtime() - start;
	uint64_t sleep = RUNNING_SLEEP_MAX;

	if (passed >= timeout)
		return -ETIMEDOUT;
	if (timeout - passed < sleep)
		sleep = timeout - passed;
	uv_cond_timedwait(&running->changed, &running->lock, sleep);
	return 0;
}

int troupe__running_await_idle(struct troupe__running *running,
			       uint64_t timeout)
{
	uint64_t start = uv_hrtime();
	int result = 0;

	/* The lock, also if nothing runs: who made it so is done with us. */
	uv_mutex_lock(&running->lock);
	while (result == 0 && atomic_load(&running->count) != 0)
		result = running_sleep(running, start, timeout);
	uv_mutex_unlock(&running->lock);
	return result;
}

int troupe__running_await(struct troupe__running *running, uint64_t count,
			  uint64_t timeout)
{
	uint64_t start = uv_hrtime();
	int result = 0;

	if (troupe__running_get(running) == count)
		return 0;
	uv_mutex_lock(&running->lock);
	running_watch(running, count);
	while (result == 0 && troupe__running_get(running) != count)
		result = running_sleep(running, start, timeout);
	running_unwatch(running);
	uv_mutex_unlock(&running->lock);
	return result;
}
