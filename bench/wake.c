/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long an idle system takes to begin with a message from outside, beside
 * what the kernel needs to wake a thread that waits on a futex. The two take
 * turns, so that a machine which gets slower for a while does so for both.
 */
#include "bench.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Between two wake-ups, so that who waits is asleep; and some more, at random,
 * so that no timer of anybody keeps in step. */
#define WAKE_PAUSE 1.5e6
#define WAKE_MORE  1e6

/* Legend: M main's, A atomic. */
struct wake {
	double sent;		  /* M: before the wake-up */
	double *ours, *futex;	  /* nanoseconds, one for each */
	_Atomic uint64_t handled; /* A: ours, so far */
	_Atomic uint64_t woken;	  /* A: of the futex, so far */
	_Atomic uint32_t word;	  /* A: the futex: how often it was woken */
	uint64_t count;
};

static int wake_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	(void)self;
	*(struct wake **)state = (struct wake *)argument;
	return 0;
}

static int wake_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	double now = bench_now();
	struct wake *wake = *(struct wake **)state;
	/* relaxed: only this actor writes it. */
	uint64_t index =
		atomic_load_explicit(&wake->handled, memory_order_relaxed);

	(void)self;
	wake->ours[index] = now - *(const double *)troupe_payload(message);
	/* release: main reads the time above, and then sends the next.
	 * Pairs with: wake_await(). */
	atomic_store_explicit(&wake->handled, index + 1, memory_order_release);
	return 0;
}

static const struct troupe_actor_class wake_class = {
	.name = "sleeper",
	.state_size = sizeof(struct wake *),
	.init = wake_init,
	.receive = wake_receive,
};

static void *wake_sleeper(void *data)
{
	struct wake *wake = data;
	double now;

	for (uint64_t i = 0; i < wake->count; i++) {
		/* acquire: the time at which main woke us. Pairs with:
		 * wake_futex(). */
		while (atomic_load_explicit(&wake->word,
					    memory_order_acquire) == i)
			syscall(SYS_futex, &wake->word, FUTEX_WAIT_PRIVATE,
				(uint32_t)i, NULL, NULL, 0);
		now = bench_now();
		wake->futex[i] = now - wake->sent;
		/* release: main reads the time above. Pairs with:
		 * wake_await(). */
		atomic_store_explicit(&wake->woken, i + 1,
				      memory_order_release);
	}
	return NULL;
}

/* Sleeps, as a thread that spins would disturb what is measured. */
static void wake_await(_Atomic uint64_t *done, uint64_t count)
{
	/* acquire: what was measured. Pairs with: wake_receive() and
	 * wake_sleeper(). */
	while (atomic_load_explicit(done, memory_order_acquire) < count)
		bench_sleep(2e5);
}

static void wake_futex(struct wake *wake, uint64_t index)
{
	wake->sent = bench_now();
	/* release: the time above. Pairs with: wake_sleeper(). */
	atomic_store_explicit(&wake->word, (uint32_t)index + 1,
			      memory_order_release);
	syscall(SYS_futex, &wake->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	wake_await(&wake->woken, index + 1);
}

static int wake_ours(struct wake *wake, struct troupe_strong actor,
		     uint64_t index)
{
	double now = bench_now();
	int code = troupe_send(actor, 1, &now, sizeof(now));

	if (code == 0)
		wake_await(&wake->handled, index + 1);
	return code;
}

static int wake_all(struct wake *wake, struct troupe_strong actor)
{
	uint32_t random = 1;
	int code = 0;

	for (uint64_t i = 0; i < wake->count; i++) {
		random = random * 1664525u + 1013904223u;
		bench_sleep(WAKE_PAUSE + WAKE_MORE * (random >> 16) / 65536);
		/* After an error, too: the sleeper counts to the end. */
		wake_futex(wake, i);
		bench_sleep(WAKE_PAUSE + WAKE_MORE * (random >> 16) / 65536);
		if (code == 0)
			code = wake_ours(wake, actor, i);
	}
	return code;
}

static int wake_measure(struct wake *wake, struct troupe_system *system)
{
	struct troupe_strong actor;
	pthread_t sleeper;
	int code = troupe_spawn(system, &wake_class, wake, &actor);

	if (code != 0)
		return code;
	code = -pthread_create(&sleeper, NULL, wake_sleeper, wake);
	if (code == 0) {
		code = wake_all(wake, actor);
		pthread_join(sleeper, NULL);
	}
	troupe_strong_release(&actor);
	return code;
}

int bench_wake(const struct bench_item *item, struct bench_trial *trial)
{
	struct wake wake = {.count = bench_size(trial, 500, 20)};
	struct troupe_system *system;
	int code = bench_system(trial, &system);

	(void)item;
	if (code != 0)
		return code;
	wake.ours = calloc(wake.count, sizeof(*wake.ours));
	wake.futex = calloc(wake.count, sizeof(*wake.futex));
	code = -ENOMEM;
	if (wake.ours != NULL && wake.futex != NULL)
		code = wake_measure(&wake, system);
	if (code == 0) {
		trial->results[0] = bench_quantile(wake.ours, wake.count, 0.5);
		trial->results[1] = bench_quantile(wake.ours, wake.count, 0.99);
		trial->results[2] = bench_quantile(wake.futex, wake.count, 0.5);
		trial->results[3] =
			bench_quantile(wake.futex, wake.count, 0.99);
	}
	troupe_system_destroy(system);
	free(wake.ours);
	free(wake.futex);
	return code == 0 ? 0 : bench_failed(trial, "wake", code);
}
