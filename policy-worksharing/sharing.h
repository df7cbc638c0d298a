/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * sharing.h - the private structs of the policy work-sharing
 *
 * worksharing.c places jobs and picks them; park.c holds the mutex, sleeps and
 * wakes; rest.c looks whether it pays that a worker runs. Where a READY job can
 * be:
 *
 *	outer   shared: jobs from outside the workers, and jobs put back
 *	inner   shared: what workers have given back, see below
 *	pinned  jobs for one worker only
 *	batch   some of the oldest shared jobs, which one worker took at once
 *	fresh   what the running job and those before it made READY, the newest
 *	        first, like a stack
 *
 * The first three are under the mutex. The last two are in a worker's hands for
 * a short time: it gives them back to inner when somebody else has nothing to
 * do, and somebody who sleeps takes them from a worker that is stuck in its run
 * (park.c).
 *
 * Each job has a number, its age, in job->order. Outer and pinned jobs count it
 * up; a fresh job has the number that the next of those will get.
 *
 * Legend: I set at init · W the owner worker only · L under the mutex · A
 * atomic, any thread.
 */
#ifndef SHARING_H
#define SHARING_H

#include "troupe_worksharing.h"

#include <stdatomic.h>

#define SHARING_NAME "work-sharing"

/* More than so many fresh jobs and they go to the batch. */
#define SHARING_FRESH 64

/* So far into the shared queue a place is looked for. */
#define SHARING_MERGE 64

/* What a worker that runs jobs should know of the others. */
enum sharing_call {
	SHARING_QUEUED = 1u << 0,    /* there are shared jobs */
	SHARING_IDLE = 1u << 1,	     /* a worker has nothing to do */
	SHARING_UNWATCHED = 1u << 2, /* there are sleepers, but no watcher */
};

struct sharing_jobs {
	struct troupe_job_list list;
	uint32_t count;
};

struct sharing_rate {
	uint64_t messages;
	uint64_t time; /* ns */
};

/* What it brings that a worker runs: see rest.c. */
struct sharing_trial {
	uint64_t start; /* ns: when this one began */
	uint64_t took;	/* ns: when the worker last got a job from the queue */
	uint64_t busy;	/* ns: between that and when it came back, in all */
	uint32_t own;	/* its turn at the start */
	uint32_t all;	/* the turns of all, added up, then */
	uint32_t rests; /* how many had begun or ended then */

	struct sharing_rate with;    /* of all, in the last trials */
	struct sharing_rate without; /* of the others, in its last rests */
	uint64_t known;		     /* ns: the last of them was over; or 0 */
	uint64_t doubt;		     /* ns: so long after that, no rest */
};

struct sharing_worker {
	/* Written by the owner for each job. The two lists are filled by the
	 * owner alone, and emptied by anyone, always as a whole, under the lock:
	 * see hands.h. */
	_Alignas(64) struct troupe_biased lock;
	_Atomic(struct troupe_job *) fresh; /* A: lock writes */
	_Atomic(struct troupe_job *) batch; /* A: lock writes */
	_Atomic uint32_t turn;		    /* A: see sharing_after_resume(); W
					     * writes */
	uint32_t held;			    /* W: jobs in fresh, or more */
	uint32_t batched;		    /* W: jobs in batch, if not empty */
	uint32_t passed; /* W: fresh ones since an older one ran */
	struct troupe_job *batch_last; /* W: its last, if not empty */
	bool coming; /* W: resume_job_later() has counted it */
	bool single; /* W: takes no batch this time */
	bool alone;  /* I: the only worker */

	struct sharing *sharing; /* I */
	uint32_t newest_limit;	 /* I */
	uint32_t batch_limit;	 /* I */

	/* Under the mutex. */
	_Alignas(64) struct troupe_job_list pinned; /* L */
	_Atomic bool bound; /* A: pinned is not empty; L writes */
	struct sharing_worker *sleeper_next;  /* L */
	struct sharing_worker **sleeper_link; /* L: what points here, or
						 * NULL if it does not sleep */
	struct troupe_cond cond;
	bool resting; /* L */

	/* Written by the owner when it comes to the queue. */
	_Alignas(64) struct sharing_trial trial; /* W */
};

/* One for each system. */
struct sharing {
	/* Read for each job; written seldom. */
	_Atomic uint32_t call;	/* A: enum sharing_call; L writes */
	_Atomic bool stopping;	/* A: wake_all() was called; L writes */
	_Atomic uint64_t order; /* A: the next number; L writes */
	uint32_t workers;	/* I */
	uint32_t spins;		/* I */
	uint64_t watch_first;	/* I: ns */
	uint64_t watch_sleep;	/* I: ns */
	uint64_t rest_first;	/* I: ns */
	uint64_t rest_sleep;	/* I: ns */

	_Alignas(64) struct troupe_mutex mutex;
	struct troupe_job_list outer;	 /* L */
	struct troupe_job_list inner;	 /* L */
	uint32_t length;		 /* L: jobs in both */
	uint32_t coming;		 /* L: workers about to look */
	bool looking;			 /* L: one does, and is idle */
	uint32_t sleeping;		 /* L: workers in the list */
	uint32_t resting;		 /* L: workers */
	uint32_t rests;			 /* L: so many have begun or ended */
	uint64_t rest;			 /* L: ns, the last one; 0: it pays */
	struct sharing_worker *sleepers; /* L: the last one first */
	struct sharing_worker *watcher;	 /* L: or NULL */
};

/* ---- options.c --------------------------------------------------------- */

extern const struct troupe_option troupe__sharing_options[];
int troupe__sharing_init(struct troupe_coordinator *self);
void troupe__sharing_fini(struct troupe_coordinator *self);
int troupe__sharing_worker_init(struct troupe_worker *self);
void troupe__sharing_worker_fini(struct troupe_worker *self);

/* ---- worksharing.c ----------------------------------------------------- */

/** Gives back for @stuck what it has in its hands. Context: any thread; takes
 * the mutex, and keeps it. */
void troupe__sharing_relieve(struct sharing *sharing,
			     struct sharing_worker *stuck);

/** Under the mutex: the oldest job that @worker may run; NULL if there is none.
 * Context: its thread, which has nothing in its hands. */
struct troupe_job *troupe__sharing_take(struct sharing *sharing,
					struct sharing_worker *worker);

/* ---- park.c ------------------------------------------------------------ */

/** Gives the mutex back and, if that is called for, wakes a sleeper. */
void troupe__sharing_unlock(struct sharing *sharing);

/** Under the mutex, a job for @worker alone was put: gives the mutex back and
 * wakes it, if it sleeps. */
void troupe__sharing_unlock_for(struct sharing *sharing,
				struct sharing_worker *worker);

/** As troupe__sharing_unlock(), but keeps the mutex. */
void troupe__sharing_pass_on(struct sharing *sharing);

/** Returns: a worker that is stuck in a long run with jobs in its hands; or
 * NULL. Context: the thread of @self, without the mutex. */
struct sharing_worker *troupe__sharing_look(const struct troupe_worker *self);

/** Makes one of the sleepers the watcher, if there is none. */
void troupe__sharing_watch(struct sharing *sharing);

/** Under the mutex; waits until there is a job for @self. Returns: it; NULL if
 * the system stops. */
struct troupe_job *troupe__sharing_await(struct troupe_worker *self);

void troupe__sharing_wake_all(struct troupe_coordinator *self);

/* ---- rest.c ------------------------------------------------------------ */

/** Under the mutex, given back meanwhile; the worker comes to the queue, at
 * @now, and has nothing in its hands. If it has not paid that it runs, it
 * rests. */
void troupe__sharing_rest(struct troupe_worker *self, uint64_t now);

#endif
