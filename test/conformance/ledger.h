/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * ledger.h - a policy table that keeps book over the policy below it
 *
 * Overview. The core runs the ledger's table; each of its slots writes down
 * what happens, calls the same slot of the policy under test, and checks what
 * comes back. At the first broken rule the process ends with the reason.
 *
 * Typical use, in a check:
 *	ledger_prepare(&ledger, run, LEDGER_NUDGE);
 *	system = ledger_start(&ledger);
 *	... schedule and spawn ...
 *	ledger_finish(&ledger, system);
 *
 * What it always checks: a job that dequeue returns was queued with this
 * system and nobody has it; a pinned one went to its worker; NULL comes only
 * at the end; drain returns what is queued and leaves nothing; data is zeroed
 * and aligned, and nothing is written behind it.
 *
 * How it hides. Its own data lies behind the policy's, so every data pointer
 * is the policy's own; coordinator->policy points to the policy's table, as
 * it would without the ledger.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "board.h"
#include "order.h"
#include "suite.h"
#include "troupe.h"

enum ledger_watch {
	LEDGER_NUDGE = 1u << 0,	       /* small delays around every slot */
	LEDGER_LINKS = 1u << 1,	       /* the links after a hand-out */
	LEDGER_ALLOCATIONS = 1u << 2,  /* allocations inside enqueue slots */
	LEDGER_ORDER = 1u << 3,	       /* contract 4, see order.h */
	LEDGER_FROM_OUTSIDE = 1u << 4, /* with it: enqueued while others run */
};

struct ledger_count {
	_Atomic uint32_t init, fini, worker_init, worker_fini;
	_Atomic uint32_t wake_all, drained;
	_Atomic uint64_t queued, dequeued, before_resume, after_resume;
	_Atomic uint64_t after_completion;
};

/* Legend: I set by ledger_prepare() or at init; A atomic; O see order.h. */
struct ledger {
	struct troupe_policy_ops table;		/* I: what the core runs */
	struct troupe_policy_ops slots;		/* I: the policy's, completed */
	const struct suite_run *run;		/* I */
	struct board *board;			/* I */
	uint32_t watch;				/* I: enum ledger_watch */
	uint32_t number;			/* I: of this system, from 1 */
	uint32_t fail_worker_init;		/* I: NOBODY, or which fails */
	uint64_t fail_allocation;		/* I: 0, or which one of init */
	uint64_t allocations;			/* I: of init so far */
	bool allocation_failed;			/* I: and init has seen it */
	struct troupe_coordinator *coordinator; /* I: at init */
	struct ledger_count count;		/* A */
	struct order order;			/* O */
};

/** Fills in @ledger for the policy of @run. */
void ledger_prepare(struct ledger *ledger, const struct suite_run *run,
		    uint32_t watch);

/** Starts a system with run->workers workers; a failure is the check's. */
struct troupe_system *ledger_start(struct ledger *ledger);
/** The same with an expected result. Returns: NULL if it was not 0. */
struct troupe_system *ledger_try(struct ledger *ledger, int expected);
/** The same; it may fail if an allocation did. Returns: NULL if so. */
struct troupe_system *ledger_try_memory(struct ledger *ledger);

/** Waits for all jobs and ends the system, and looks at the counts. */
void ledger_finish(struct ledger *ledger, struct troupe_system *system);

/** The ledger that watches @coordinator. */
struct ledger *ledger_of(const struct troupe_coordinator *coordinator);

/** A job that dequeue returned goes back to the core without a run. */
void ledger_put_back(struct ledger *ledger, const struct troupe_job *job);

#endif
