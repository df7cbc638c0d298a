/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only file of the core that includes Concurrency Kit: its spinlock and
 * its event count (ck_ec) over the futex system call. Built without
 * sanitizers; platform.c tells them what is handed over.
 */
#include "platform_ck.h"

#include <ck_ec.h>
#include <ck_pr.h>
#include <ck_spinlock.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(ck_spinlock_fas_t) == sizeof(uint32_t),
	       "struct troupe_spinlock holds CK's lock");
_Static_assert(sizeof(ck_ec32_t) == sizeof(uint32_t),
	       "struct troupe_event holds CK's event count");

static int event_gettime(const struct ck_ec_ops *ops, struct timespec *out)
{
	(void)ops;
	return clock_gettime(CLOCK_MONOTONIC, out);
}

/* May return early for any reason: ck_ec looks again. */
static void event_wait32(const struct ck_ec_wait_state *state,
			 const uint32_t *address, uint32_t expected,
			 const struct timespec *deadline)
{
	(void)state;
	syscall(SYS_futex, address, FUTEX_WAIT_BITSET_PRIVATE, expected,
		deadline, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void event_wake32(const struct ck_ec_ops *ops, const uint32_t *address)
{
	(void)ops;
	syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* The policies decide how long to look for work before they wait, so CK's own
 * loop in front of the first sleep is as short as it can be. */
static const struct ck_ec_ops event_ops = {
	.gettime = event_gettime,
	.wait32 = event_wait32,
	.wake32 = event_wake32,
	.busy_loop_iter = 1,
};

static const struct ck_ec_mode event_mode = {
	.ops = &event_ops,
	.single_producer = false,
};

bool troupe__ck_spinlock_try_lock(uint32_t *lock)
{
	return ck_spinlock_fas_trylock((ck_spinlock_fas_t *)lock);
}

void troupe__ck_spinlock_unlock(uint32_t *lock)
{
	ck_spinlock_fas_unlock((ck_spinlock_fas_t *)lock);
}

bool troupe__ck_spinlock_held(uint32_t *lock)
{
	return ck_spinlock_fas_locked((ck_spinlock_fas_t *)lock);
}

uint32_t troupe__ck_event_value(const uint32_t *counter)
{
	return ck_ec32_value((const ck_ec32_t *)counter);
}

/*
 * CK sleeps in steps, 2 ms first and then longer, whatever the deadline, for
 * the sake of counters with a single writer, whose atomicity is not perfect.
 * Ours are atomic: each sleep may last to the end. Returns 0: go on.
 */
static int event_sleep_whole(const struct ck_ec_wait_state *state,
			     struct timespec *ret_until)
{
	*ret_until = *(const struct timespec *)state->data;
	return 0;
}

bool troupe__ck_event_wait(uint32_t *counter, uint32_t value, uint64_t deadline)
{
	/* No deadline is one in 292 years or more. */
	uint64_t end = deadline > INT64_MAX ? INT64_MAX : deadline;
	struct timespec until = {
		.tv_sec = (time_t)(end / 1000000000u),
		.tv_nsec = (long)(end % 1000000000u),
	};

	return ck_ec32_wait_pred((ck_ec32_t *)counter, &event_mode, value,
				 event_sleep_whole, &until, &until) == 0;
}

void troupe__ck_event_increment(uint32_t *counter)
{
	ck_ec32_inc((ck_ec32_t *)counter, &event_mode);
}

void troupe__ck_stall(void)
{
	ck_pr_stall();
}
