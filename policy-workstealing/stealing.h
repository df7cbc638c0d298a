/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * stealing.h - the private structs of the policy work-stealing
 *
 * workstealing.c places jobs and picks them; idle.c looks for them elsewhere,
 * sleeps and wakes. Where a READY job can be:
 *
 *	next    one job, the last that the running job made READY: deque.h
 *	deque   others that it and those before it made READY; the owner takes
 *	        the newest, thieves the oldest
 *	queue   jobs from outside, and jobs put back: first in, first out; the
 *	        far end of the deque, so to say, where thieves take too
 *	bound   jobs for this worker only; never stolen
 *
 * Legend: I set at init · W the owner worker only · A atomic, any thread · L
 * under the lock named beside it.
 */
#ifndef STEALING_H
#define STEALING_H

#include "deque.h"
#include "troupe_workstealing.h"

#include <stdatomic.h>

#define STEALING_NAME "work-stealing"

/* A thief takes half of its victim's jobs, at most so many: what it walks along
 * under the victim's lock, it must bring into its own cache anyway. */
#define STEALING_LOOT 32

struct stealing_options {
	uint32_t aggressive_attempts, aggressive_interval;
	uint32_t moderate_attempts, moderate_interval;
	uint32_t relaxed_interval;
	uint64_t moderate_sleep, relaxed_sleep, watch_sleep; /* ns */
	uint64_t rest_sleep;				     /* ns */
	bool poll;					     /* idle = poll */
};

struct stealing_worker {
	/* Written by the owner for each job. */
	_Alignas(64) _Atomic uint32_t turn; /* A: dequeues so far; W writes */
	uint32_t handoffs;		    /* W: taken from next in a row */
	uint32_t passed;		    /* W: dequeues since the oldest job
					 * was preferred */
	uint32_t handoff_limit;		    /* I: run-next-limit */
	uint32_t oldest_interval;	    /* I */
	bool run_next;			    /* I: next is used */
	bool alone;			    /* I: the only worker */
	struct stealing *stealing;	    /* I */

	struct troupe__deque deque;

	/* Written by anyone who enqueues from outside. */
	_Alignas(64) struct troupe_spinlock list_lock;
	uint32_t sequence;	      /* L list_lock */
	struct troupe_job_list queue; /* L list_lock */
	struct troupe_job_list bound; /* L list_lock */
	_Atomic uint32_t queued;      /* A: jobs in queue; L writes */
	_Atomic uint32_t bounds;      /* A: jobs in bound; L writes */
	_Atomic uint32_t later_turn;  /* A: turn when a job was last put
					 * back; L, W writes */

	/* Of the last steal: see rest.c. */
	uint64_t stole_at; /* W: ns */
	uint64_t rest;	   /* W: ns, after steals that were not worth it */
	uint64_t gain;	   /* W: ns, of steals that were */
	uint32_t loot;	   /* W: jobs; 0: none since the last rest */
	uint32_t runs;	   /* W: since then */
	uint32_t foreign;  /* W: of those, that had to do with other workers */
	uint64_t talk;	   /* W: messages that they handled and sent */

	/* Written when this worker sleeps, or is slept for. */
	_Alignas(64) struct troupe_event event;
	_Atomic uint32_t seen_turn;	       /* A: see idle_stuck() */
	_Atomic bool asleep;		       /* A: L sleep_lock writes */
	bool watching;			       /* L sleep_lock */
	struct stealing_worker *sleeper_next;  /* L sleep_lock */
	struct stealing_worker **sleeper_link; /* L sleep_lock */
};

/* One for each system. */
struct stealing {
	struct stealing_options options; /* I */
	uint32_t workers;		 /* I */
	_Atomic bool stopping;		 /* A */

	_Alignas(64) _Atomic uint64_t state; /* A: see idle.c */
	struct troupe_spinlock sleep_lock;
	struct stealing_worker *parked;	 /* L sleep_lock: the last one
						 * first */
	struct stealing_worker *watcher; /* L sleep_lock: or NULL */

	_Alignas(64) _Atomic uint32_t round; /* A: of central jobs */
};

/* ---- options.c --------------------------------------------------------- */

extern const struct troupe_option troupe__stealing_options[];
int troupe__stealing_init(struct troupe_coordinator *self);
int troupe__stealing_worker_init(struct troupe_worker *self);

/* ---- workstealing.c ---------------------------------------------------- */

/** The next of @worker's own jobs; NULL if there is none. Context: its thread. */
struct troupe_job *troupe__stealing_own(struct stealing_worker *worker);

/** True if a thief might get something from @victim now. Any thread. */
bool troupe__stealing_stealable(struct stealing_worker *victim);

/** Takes half of the jobs that @victim has, but not from next, and puts all but
 * one into @thief's; thief->loot says how many. Returns: that one; NULL if
 * there is none to be had now.
 * Context: the thread of @thief, which has no jobs of its own. */
struct troupe_job *troupe__stealing_rob(struct stealing_worker *thief,
					struct stealing_worker *victim);

/* ---- rest.c ------------------------------------------------------------ */

/** @thief has just stolen what thief->loot says. */
void troupe__stealing_stole(struct stealing_worker *thief);

/** The policy's slot. */
void troupe__stealing_after_resume(struct troupe_worker *self,
				   struct troupe_job *job);

/** @worker has run out of jobs: sleeps for a while if its last steal did not
 * pay. Context: its thread. */
void troupe__stealing_rest(struct stealing_worker *worker);

/* ---- idle.c ------------------------------------------------------------ */

/** Looks for a job everywhere, and sleeps, until there is one. Returns: NULL
 * if the system stops. */
struct troupe_job *troupe__stealing_idle(struct troupe_worker *self);

/** A job that thieves may take was just published; @first is to be woken
 * before others, or NULL. */
void troupe__stealing_wake(struct stealing *stealing,
			   struct stealing_worker *first);

/** The same, by a running worker, without the fence: should a worker be falling
 * asleep just now, the watcher will see the job. */
void troupe__stealing_wake_if_asleep(struct stealing *stealing);

/** A job was just put in a running worker's next. */
void troupe__stealing_watch(struct stealing *stealing);

/** A job for @worker alone was just published. */
void troupe__stealing_wake_bound(struct stealing_worker *worker);

void troupe__stealing_wake_all(struct stealing *stealing);

#endif
