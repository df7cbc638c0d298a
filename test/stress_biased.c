/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stress_biased [--seconds N] [--seed S] - one owner and two others at a biased
 * lock.
 *
 * What it guards is plain data, of which a second one inside, or one that does
 * not see what the last one did, makes nonsense; ThreadSanitizer looks, too. The
 * owner works in bursts, some long enough for the lock to be biased again, and
 * now and then stays inside for long.
 */
#include "stress.h"
#include "troupe_policy.h"

#define OTHERS 2

static struct troupe_biased lock;
/* Guarded: always the same number. */
static uint64_t first, second;
static _Atomic bool stopped;
static _Atomic uint64_t taken;
/* Of the owner's sections: those that were biased. */
static uint64_t biased;

static void biased_use(void)
{
	uint64_t before = first;

	stress_check(second == before, "two were inside");
	first = before + 1;
	if (stress_once_in(1000))
		stress_pause(20);
	stress_check(first == before + 1, "two were inside");
	second = before + 1;
}

static void *other_main(void *data)
{
	uint64_t count = 0;

	(void)data;
	while (!atomic_load(&stopped)) {
		if (troupe_biased_try_lock(&lock)) {
			biased_use();
			troupe_biased_unlock(&lock);
			count++;
		}
		if (stress_once_in(4))
			stress_pause(200);
		if (stress_once_in(50))
			usleep((useconds_t)stress_below(20000));
	}
	atomic_fetch_add(&taken, count);
	return NULL;
}

static uint64_t owner_burst(void)
{
	uint64_t count = 1 + stress_below(3 * TROUPE_BIASED_CALM);

	for (uint64_t i = 0; i < count; i++) {
		troupe_biased_enter(&lock);
		biased += lock.inside == 1;
		biased_use();
		troupe_biased_leave(&lock);
	}
	return count;
}

int main(int argc, char **argv)
{
	pthread_t threads[OTHERS];
	uint64_t end, count = 0;

	stress_start("biased", 1, argc, argv);
	troupe_biased_init(&lock);
	for (int i = 0; i < OTHERS; i++)
		pthread_create(&threads[i], NULL, other_main, NULL);
	end = troupe_now() + stress.nanoseconds;
	while (troupe_now() < end) {
		count += owner_burst();
		stress_progress();
		if (stress_once_in(4))
			usleep(100);
	}
	atomic_store(&stopped, true);
	for (int i = 0; i < OTHERS; i++)
		pthread_join(threads[i], NULL);
	stress_check(first == second && first == count + taken,
		     "some section is lost");
	stress_check(lock.shared == 2 || (biased > 0 && biased < count),
		     "it was always, or never, biased");
	printf("stress_biased: %" PRIu64 " by the owner, %" PRIu64
	       " of them biased, %" PRIu64 " by others\n",
	       count, biased, taken);
	return 0;
}
