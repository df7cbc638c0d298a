/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stress_deque [--seconds N] [--seed S] - one owner, three thieves, few jobs.
 *
 * Each job must come out of the deque once for each time that it was put in,
 * and a thief must see ever newer jobs. Jobs that came out are scribbled over
 * and go round again, so that a link followed too late shows. The deque is
 * kept short most of the time: one and two jobs are the hard cases. Bursts of
 * the owner alone let the lock be biased again.
 */
#include "deque.h"
#include "stress.h"

#define THIEVES 3
#define JOBS	64

struct item {
	struct troupe_job job;
	_Atomic bool inside;
	_Atomic uint32_t number;      /* of the put: ever larger */
	_Atomic(struct item *) spare; /* next in the box of spares */
};

static struct troupe__deque deque;
static struct item items[JOBS];
static struct troupe_spinlock box_lock;
static struct item *box;
static _Atomic bool stopped;
static _Atomic uint64_t stolen;

static void box_put(struct item *item)
{
	troupe_spinlock_lock(&box_lock);
	atomic_store(&item->spare, box);
	box = item;
	troupe_spinlock_unlock(&box_lock);
}

static struct item *box_take(void)
{
	struct item *item;

	troupe_spinlock_lock(&box_lock);
	item = box;
	if (item != NULL)
		box = atomic_load(&item->spare);
	troupe_spinlock_unlock(&box_lock);
	return item;
}

/* A job came out: once, or it is an error. Returns: its number. */
static uint32_t stress_out(struct troupe_job *job)
{
	struct item *item = (struct item *)job;
	uint32_t number = atomic_load(&item->number);

	if (item < items || item >= items + JOBS)
		stress_fail("something came out that never was a job");
	if (!atomic_exchange(&item->inside, false))
		stress_fail("a job came out twice");
	memset(job, 0x5a, sizeof(*job));
	box_put(item);
	return number;
}

static void *thief_main(void *data)
{
	uint64_t count = 0;
	uint32_t last = 0;
	bool any = false;

	(void)data;
	while (!atomic_load(&stopped)) {
		uint32_t most = 1 + (uint32_t)(stress_random() >> 62);
		struct troupe_job *job = NULL, *next;
		uint32_t loot = troupe__deque_try_steal(&deque, most, &job);

		if (loot == 0 && stress_once_in(4)) {
			job = troupe__deque_try_steal_next(&deque);
			if (job != NULL) {
				stress_out(job);
				count++;
				job = NULL;
			}
		}
		for (; loot > 0; loot--, job = next) {
			uint32_t number;

			next = job->next;
			number = stress_out(job);
			if ((int32_t)(number - last) <= 0 && any)
				stress_fail("a thief got an older job than "
					    "before");
			last = number;
			any = true;
			count++;
		}
		for (uint64_t i = stress_random() % 32; i > 0; i--)
			troupe_relax();
	}
	atomic_fetch_add(&stolen, count);
	return NULL;
}

/* The owner: up to @length jobs inside. Returns: how many it took itself. */
static uint64_t owner_burst(uint32_t *number, uint32_t length)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		uint64_t dice = stress_random() >> 32;
		struct troupe_job *job = NULL;
		bool next;

		if (dice % 2 == 0 && troupe__deque_size(&deque) < length) {
			struct item *item = box_take();

			if (item == NULL)
				continue;
			atomic_store(&item->number, ++*number);
			if (atomic_exchange(&item->inside, true))
				stress_fail("a job was inside already");
			/* Else the order is not that of the numbers. */
			if (dice % 8 == 0 || troupe__deque_has_next(&deque))
				troupe__deque_put_next(&deque, &item->job);
			else
				troupe__deque_put(&deque, &item->job);
		} else if (dice % 32 == 3) {
			troupe__deque_unshift_next(&deque);
		} else if (dice % 16 == 1) {
			job = troupe__deque_take_oldest_before(
				&deque, atomic_load(&deque.top));
		} else {
			job = troupe__deque_take(&deque, &next);
		}
		if (job != NULL) {
			stress_out(job);
			count++;
		}
	}
	return count;
}

/* Seldom: locks are most of what happens here. */
static bool deque_hook(enum troupe__point point)
{
	(void)point;
	if (stress_once_in(500))
		stress_pause(10);
	return true;
}

int main(int argc, char **argv)
{
	pthread_t threads[THIEVES];
	struct troupe_job *job;
	uint64_t end, taken = 0;
	uint32_t number = 0, spares = 0;
	bool next;

	stress_start("deque", 1, argc, argv);
	troupe__set_hook(deque_hook);
	troupe__deque_init(&deque, false);
	for (int i = 0; i < JOBS; i++)
		box_put(&items[i]);
	for (int i = 0; i < THIEVES; i++)
		pthread_create(&threads[i], NULL, thief_main, NULL);
	end = troupe_now() + stress.nanoseconds;
	while (troupe_now() < end) {
		static const uint32_t lengths[] = {1, 2, 3, 4, JOBS};

		taken += owner_burst(&number, lengths[stress_below(5)]);
		stress_progress();
	}
	atomic_store(&stopped, true);
	for (int i = 0; i < THIEVES; i++)
		pthread_join(threads[i], NULL);
	while ((job = troupe__deque_take(&deque, &next)) != NULL) {
		stress_out(job);
		taken++;
	}
	while (box_take() != NULL)
		spares++;
	stress_check(spares == JOBS, "a job is lost");
	stress_check(taken + stolen == number, "puts and takes differ");
	printf("stress_deque: %u puts, %" PRIu64 " stolen\n", number, stolen);
	return 0;
}
