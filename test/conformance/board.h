/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * board.h - what a check in its own process and its watchdog both see
 *
 * Overview. Each check runs in a child process. The board is shared memory:
 * the child writes what it is doing, where every job is and, at the first
 * broken rule, the reason; the parent sees from it whether the child still
 * makes progress, and what the state was when it does not.
 *
 * Threads. All functions from any thread of the child; the parent reads. The
 * marks use relaxed order on purpose: an ordered ledger would order what a
 * policy forgets to order, and hide that from ThreadSanitizer.
 */
#ifndef BOARD_H
#define BOARD_H

#include "troupe_policy.h"

#include <stdatomic.h>

#define BOARD_WORKERS 64
#define BOARD_MARKS   (1u << 15)
#define BOARD_NOBODY  UINT32_MAX

/** Where a job is, as the policy's caller knows it. */
enum board_place {
	BOARD_FREE,   /* the core's, not READY */
	BOARD_QUEUED, /* the policy's */
	BOARD_HELD,   /* a worker's */
};

/** By which slot it came to the policy. */
enum board_path {
	BOARD_CENTRAL,
	BOARD_EXTERNAL,
	BOARD_INTERNAL,
	BOARD_LATER,
};

/** One job, or rather one address: a later job may have the same. */
struct board_mark {
	_Atomic uintptr_t job;	/* 0: unused */
	_Atomic uint64_t id;	/* troupe_job_id() */
	_Atomic uint64_t where; /* board_where(), packed */
};

/** board_mark.where, unpacked. */
struct board_where {
	enum board_place place;
	enum board_path path;
	uint32_t worker; /* who holds it, or whose queue; or NOBODY */
	uint32_t system; /* number of the ledger, from 1 */
};

enum board_verdict {
	BOARD_RUNNING,
	BOARD_PASSED,
	BOARD_FAILED,
};

/* Legend: A atomic, any thread; V written by the one thread that takes the
 * verdict, read by the parent when the child has ended. */
struct board {
	_Atomic uint64_t progress;		    /* A: grows or it hangs */
	_Atomic(const char *) step;		    /* A: what the check does */
	_Atomic(const char *) doing[BOARD_WORKERS]; /* A: each worker */
	_Atomic uint32_t systems;		    /* A: ledgers so far */
	_Atomic uint32_t accused;		    /* A: a reason is written */
	_Atomic uint32_t verdict;		    /* A: enum board_verdict */
	char reason[500];			    /* V */
	struct board_mark marks[BOARD_MARKS];	    /* A */
};

/** Returns: shared, zeroed memory; NULL when there is none. */
struct board *board_create(void);
void board_destroy(struct board *board);

/** The check enters its next step; @what must be a literal. */
void board_step(struct board *board, const char *what);
/** What worker @worker does now; @what must be a literal. */
void board_doing(struct board *board, uint32_t worker, const char *what);

/** Ends the process: the check failed. The first reason stays. */
__attribute__((format(printf, 2, 3), noreturn)) void
board_fail(struct board *board, const char *format, ...);

/** The mark of @job, made if there is none. */
struct board_mark *board_mark(struct board *board,
			      const struct troupe_job *job);

/** Moves @mark. Returns: where it was. */
struct board_where board_move(struct board *board, struct board_mark *mark,
			      struct board_where where);
struct board_where board_look(const struct board_mark *mark);

/** "central_enqueue", ... */
const char *board_path_name(enum board_path path);

/** A mark of @system (0: any) that is QUEUED; NULL if there is none. */
const struct board_mark *board_queued(const struct board *board,
				      uint32_t system);

/** Writes the state as lines of text, at most @size bytes. */
void board_describe(const struct board *board, char *text, size_t size);

#endif
