/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers (splitmix64) and delays of the conformance suite. File-scope
 * state: there is one check in a process.
 */
#include "chance.h"

#include "platform.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

static uint64_t chance_start;
static _Atomic uint64_t chance_threads;
static _Thread_local uint64_t chance_state;
static _Thread_local uint64_t chance_spent; /* ns, in nudges */

void chance_seed(uint64_t seed)
{
	chance_start = seed;
	chance_state = 0;
	atomic_store(&chance_threads, 0);
}

uint64_t chance_bits(void)
{
	uint64_t bits;

	/* relaxed: only a number that no other thread gets. */
	if (chance_state == 0)
		chance_state = (chance_start + 1) * 0xd1342543de82ef95u +
			       (atomic_fetch_add_explicit(&chance_threads, 1,
							  memory_order_relaxed)
				<< 32);
	chance_state += 0x9e3779b97f4a7c15u;
	bits = chance_state;
	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
	return bits ^ bits >> 31;
}

uint32_t chance_below(uint32_t limit)
{
	return (uint32_t)((chance_bits() >> 32) * limit >> 32);
}

void chance_sleep(uint64_t nanoseconds)
{
	struct timespec time = {
		.tv_sec = (time_t)(nanoseconds / 1000000000u),
		.tv_nsec = (long)(nanoseconds % 1000000000u),
	};

	nanosleep(&time, NULL);
}

/* On a busy machine a yield takes milliseconds, and thousands of them make
 * nothing more interesting: a thread gives up so much time, and no more. */
#define CHANCE_NUDGE_NS 100000000u

static void chance_switch(uint32_t die)
{
	uint64_t start;

	if (chance_spent > CHANCE_NUDGE_NS)
		return;
	start = troupe_now();
	if (die == 0)
		chance_sleep(chance_below(50000));
	else
		sched_yield();
	chance_spent += troupe_now() - start;
}

void chance_nudge(void)
{
	uint32_t die = chance_below(128);

	if (die < 6) {
		chance_switch(die);
	} else if (die < 20) {
		for (uint32_t i = chance_below(200); i > 0; i--)
			troupe_relax();
	}
}

static bool chance_hook(enum troupe__point point)
{
	if (point != TROUPE__POINT_ALLOC && point != TROUPE__POINT_THREAD)
		chance_nudge();
	return true;
}

void chance_nudge_library(void)
{
	troupe__set_hook(chance_hook);
}

void chance_nap(void)
{
	uint32_t die = chance_below(16);

	if (die < 6)
		return;
	if (die < 10)
		chance_sleep(chance_below(200000));
	else if (die < 15)
		chance_sleep(1000000 + chance_below(2000000));
	else
		chance_sleep(30000000 + chance_below(40000000));
}
