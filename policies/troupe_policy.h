/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_policy.h - write a scheduling policy
 *
 * Overview. The core runs the workers' loop; a policy only *places* jobs that
 * became READY and *picks* the next one:
 *
 *	while ((job = ops->dequeue(worker)) != NULL) {
 *		ops->before_resume(worker, job);
 *		... run at most max-throughput messages ...
 *		ops->after_resume(worker, job);
 *		... still READY?  ops->resume_job_later(worker, job)
 *		... over?         ops->after_completion(worker, job)
 *	}
 *
 * Typical use.
 *	1. copy policies/fifo.c and rename it;
 *	2. fill in struct troupe_policy_ops;
 *	3. choose it: config.policy = &my_ops, or build a plug-in that exports
 *	   `const struct troupe_policy_ops troupe_policy` and set
 *	   scheduler.policy = ./my_policy.so;
 *	4. run test/policy_conformance over it.
 *
 * Ownership. From an enqueue slot until dequeue (or drain) returns it, the
 * policy owns the job and may use its two link words; at no other time may it
 * touch them. A policy has no file-scope state: the core allocates, zeroes,
 * aligns (64) and frees the data whose sizes the table states.
 *
 * Contracts (checked by test/policy_conformance.c).
 *	1. It loses no job, hands out none twice, gives none to two workers.
 *	2. Enqueueing allocates nothing that can fail.
 *	3. No lost wake-up: a job enqueued while every worker sleeps is
 *	   dequeued without a further event, within @wake_latency; so is one
 *	   enqueued by a worker that stays busy in its current job.
 *	4. Fairness: a job given to resume_job_later() does not run again
 *	   before every job that was READY then on that worker had its turn;
 *	   and no READY job waits for ever (@wait_bound).
 *	5. wake_all() brings every worker out of dequeue() in bounded time;
 *	   then drain() returns each remaining job exactly once.
 *	6. Waiting, locking, time and chance go through the helpers below; a
 *	   dequeue() that has no job waits, sleeps or relaxes by one of them:
 *	   there the core gives back what the worker counts on credit, and
 *	   without that the system would not end.
 *
 * Threads. Each slot says on which thread it runs. `worker` slots of one
 * worker are never run by two threads at once.
 *
 * Errors. init slots return 0 or a negative errno; path slots cannot fail.
 */
#ifndef TROUPE_POLICY_H
#define TROUPE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "troupe_assert.h"
#include "troupe_locks.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_policy_ops;
struct troupe_error;
struct troupe_system;

/* ======================================================================== */
/* What a policy sees of the core                                           */
/* ======================================================================== */

/** A job: two words that belong to the policy while the job is READY. */
struct troupe_job {
	struct troupe_job *next;
	union {
		struct troupe_job *prev;
		uint64_t order; /* in lists that are linked one way */
	};
};

/** One for each system. Read only. */
struct troupe_coordinator {
	void *data;				/* coordinator_data_size */
	const struct troupe_policy_ops *policy; /* as it was given */
	struct troupe_worker **workers;
	uint32_t worker_count; /* at least 1 */
};

/* The index of no worker. */
#define TROUPE_NO_WORKER UINT32_MAX

/** One for each worker thread. Read only. */
struct troupe_worker {
	void *data; /* worker_data_size */
	struct troupe_coordinator *coordinator;
	uint32_t index; /* 0 .. worker_count - 1 */
};

/* ======================================================================== */
/* What you fill in                                                         */
/* ======================================================================== */

#define TROUPE_POLICY_VERSION 1

enum troupe_policy_flags {
	/** The core stamps every job that becomes READY: a clock read each.
	 * See troupe_job_ready_since(). */
	TROUPE_POLICY_STAMP_READY = 1u << 0,
};

enum troupe_option_type {
	TROUPE_OPTION_UINT,	/* a whole number */
	TROUPE_OPTION_DURATION, /* "50us", "10ms"; read in nanoseconds */
	TROUPE_OPTION_BOOL,	/* true, false; read as 1 or 0 */
	TROUPE_OPTION_CHOICE,	/* one of @choices; read as its position */
	TROUPE_OPTION_STRING,
};

/** A key of the policy's config section, [NAME]. */
struct troupe_option {
	const char *name; /* NULL ends the array */
	enum troupe_option_type type;
	const char *initial;	   /* default, as text; not NULL */
	uint64_t minimum, maximum; /* of UINT and DURATION (ns) */
	const char *choices;	   /* "poll|park", for CHOICE */
	const char *unit;	   /* "attempts"; NULL: none */
	const char *help;	   /* half a line */
};

/** The table. New slots are only ever added at the end. */
struct troupe_policy_ops {
	uint32_t size;	  /* sizeof(struct troupe_policy_ops) */
	uint32_t version; /* TROUPE_POLICY_VERSION */
	uint32_t flags;	  /* enum troupe_policy_flags */
	/** No READY job sees more than @wait_bound * (jobs READY at that
	 * moment, itself included) other jobs of its worker go first. */
	uint32_t wait_bound;
	/** How long, ns, a job may lie in the queue while a worker sleeps,
	 * with the default options. 0: a sleeper is woken at once. */
	uint64_t wake_latency;
	const char *name;		     /* "work-stealing": a-z, 0-9, - */
	const char *summary;		     /* one line */
	const struct troupe_option *options; /* NULL: none */
	size_t coordinator_data_size;
	size_t worker_data_size;
	size_t job_data_size; /* see troupe_job_data() */

	/**
	 * init - prepare coordinator->data (zeroed)
	 *
	 * Called:  once, before any other slot. The workers' data exists and
	 *          is zeroed; no worker thread runs yet.
	 * Returns: 0 or a negative errno, which ends troupe_system_create();
	 *          fini() is then not called.
	 * If NULL: nothing to prepare.
	 */
	int (*init)(struct troupe_coordinator *self);

	/** fini - undo init. Called once, after drain(). May be NULL. */
	void (*fini)(struct troupe_coordinator *self);

	/**
	 * worker_init - prepare worker->data (zeroed)
	 *
	 * Called:  once a worker, after init(), before any thread runs, on
	 *          the thread that creates the system.
	 * Returns: 0 or a negative errno; worker_fini() is then not called
	 *          for this worker, but is for those before it.
	 * If NULL: nothing to prepare.
	 */
	int (*worker_init)(struct troupe_worker *self);

	/** worker_fini - undo worker_init. After drain(). May be NULL. */
	void (*worker_fini)(struct troupe_worker *self);

	/**
	 * central_enqueue - take a job that code outside the workers made READY
	 *
	 * Called:  for a spawn or send from main, an I/O loop, a detached
	 *          actor, another system's worker.
	 * Context: any thread, many at once. Must not block for long nor call
	 *          back into the core.
	 * Owns:    the policy owns @job until dequeue() or drain() returns it.
	 * If NULL: not allowed.
	 */
	void (*central_enqueue)(struct troupe_coordinator *self,
				struct troupe_job *job);

	/**
	 * external_enqueue - take a job for *this* worker and no other
	 *
	 * Called:  by the core for a job pinned to @self, also when such a job
	 *          has used up its quota; by other slots of the policy, as
	 *          they see fit.
	 * Context: any thread, many at once. Must not block for long.
	 * Owns:    as central_enqueue(). A job for which troupe_job_pinned()
	 *          is true must be dequeued by @self.
	 * If NULL: not allowed.
	 */
	void (*external_enqueue)(struct troupe_worker *self,
				 struct troupe_job *job);

	/**
	 * internal_enqueue - take a job that the running job made READY
	 *
	 * Called:  once each time, while @self runs a job, which may stay busy
	 *          for long: others must be able to get at @job.
	 * Context: the thread of @self. Must not block for long.
	 * Owns:    as central_enqueue().
	 * If NULL: not allowed.
	 */
	void (*internal_enqueue)(struct troupe_worker *self,
				 struct troupe_job *job);

	/**
	 * resume_job_later - take back a job that has more to do
	 *
	 * Called:  after after_resume(), when @job used up its quota.
	 * Context: the thread of @self. Must not block for long.
	 * Owns:    as central_enqueue(). Contract 4 binds here.
	 * If NULL: not allowed.
	 */
	void (*resume_job_later)(struct troupe_worker *self,
				 struct troupe_job *job);

	/**
	 * dequeue - the worker wants its next job
	 *
	 * Context: the thread of @self. May sleep as it sees fit, by the
	 *          helpers below.
	 * Owns:    the core owns the returned job.
	 * Returns: a job; NULL only if troupe_stopping(), and then even when
	 *          jobs are left (drain() hands them back).
	 * If NULL: not allowed.
	 */
	struct troupe_job *(*dequeue)(struct troupe_worker *self);

	/**
	 * wake_all - bring every worker out of dequeue()
	 *
	 * Called:  once, after troupe_stopping() became true.
	 * Context: the thread that ends the system.
	 * If NULL: not allowed.
	 */
	void (*wake_all)(struct troupe_coordinator *self);

	/**
	 * drain - hand back one job that is still queued
	 *
	 * Called:  until it returns NULL, after all workers have joined.
	 * Context: the thread that ends the system; alone.
	 * Owns:    the core owns the returned job.
	 * Returns: each remaining job exactly once, then NULL.
	 * If NULL: not allowed.
	 */
	struct troupe_job *(*drain)(struct troupe_coordinator *self);

	/**
	 * before_resume, after_resume - around each run of a job
	 *
	 * Context: the thread of @self, which owns @job. troupe_job_messages()
	 *          grows between the two by what this run handled.
	 * If NULL: nothing is called.
	 */
	void (*before_resume)(struct troupe_worker *self,
			      struct troupe_job *job);
	void (*after_resume)(struct troupe_worker *self,
			     struct troupe_job *job);

	/**
	 * after_completion - the job has ended for good
	 *
	 * Called:  once a job, after its last after_resume(). A job that ends
	 *          while the system stops may not see it.
	 * Context: the thread of @self. @job is valid until it returns.
	 * If NULL: nothing is called.
	 */
	void (*after_completion)(struct troupe_worker *self,
				 struct troupe_job *job);
};

/* ======================================================================== */
/* What you may call                                                        */
/* ======================================================================== */

/** What the policy of @system sees of it, for a policy with functions of its
 * own that programs call. Any thread. */
const struct troupe_coordinator *
troupe_system_coordinator(const struct troupe_system *system);
/** True once the system is ending. Any thread. */
bool troupe_stopping(const struct troupe_coordinator *coordinator);

/** Never reused; 0 is no job. */
uint64_t troupe_job_id(const struct troupe_job *job);
/** The actor class's name, or "job". */
const char *troupe_job_name(const struct troupe_job *job);
/** True if the core has bound the job to one worker. */
bool troupe_job_pinned(const struct troupe_job *job);
/** Messages the job's current or last run handled (a bare job: 1 a run). */
uint32_t troupe_job_messages(const struct troupe_job *job);
/** The worker that ran the job last, or runs it now, or made it;
 * TROUPE_NO_WORKER: none of them. Any thread; a hint if the job is not the
 * caller's. */
uint32_t troupe_job_worker(const struct troupe_job *job);
/** job_data_size zeroed bytes, the policy's for the life of the job. */
void *troupe_job_data(struct troupe_job *job);
/** When the job last became READY, as troupe_now(). Needs the flag. */
uint64_t troupe_job_ready_since(const struct troupe_job *job);

/** What a run had to do with jobs of other workers, beside the messages that it
 * handled: troupe_job_messages(). Work that was short, for its messages, and had
 * much to do with another worker, had better be done there: each message costs
 * more between two workers than at one. */
struct troupe_run {
	uint32_t sent;	 /* messages */
	uint32_t abroad; /* of those, to jobs that other workers ran last */
	/** The worker that ran the sender of the first message handled, if that
	 * is another one; TROUPE_NO_WORKER: this one, or there is none. */
	uint32_t peer;
};
/** The last run of @self. Context: the thread of @self, from after_resume()
 * until dequeue() returns. */
struct troupe_run troupe_last_run(const struct troupe_worker *self);

/**
 * Options as the config set them, read in init() and worker_init(). @policy is
 * the section, which is the table's own name. Unknown names are a bug of the
 * policy: asserted, and 0 or "" in release builds.
 */
uint64_t troupe_option_uint(const struct troupe_coordinator *coordinator,
			    const char *policy, const char *option);
const char *troupe_option_string(const struct troupe_coordinator *coordinator,
				 const char *policy, const char *option);

/** What a policy may count for troupe_system_stats(). */
enum troupe_counter {
	TROUPE_COUNT_STEALS, /* jobs taken from another worker */
	TROUPE_COUNT_PARKS,  /* this worker goes to sleep */
	TROUPE_COUNT_WAKES,  /* this worker woke up to work */
	TROUPE_COUNTERS,
};
/** Context: the thread of @self. */
void troupe_count(struct troupe_worker *self, enum troupe_counter counter,
		  uint64_t amount);

/** Nanoseconds on a clock that never goes back. About 30 ns. */
uint64_t troupe_now(void);
/** CPU time of this thread, nanoseconds. A system call. */
uint64_t troupe_cpu_time(void);
/** Sleeps for @nanoseconds, or somewhat longer. */
void troupe_sleep(uint64_t nanoseconds);
/** A hint to the processor inside a loop that waits. */
void troupe_relax(void);
/** 64 random bits from the worker's own generator. The thread of @self. */
uint64_t troupe_random(struct troupe_worker *self);

/* ---- lists ------------------------------------------------------------- */

/** A first-in-first-out list by way of job->next; job->order stays free.
 * Zeroed: empty. Callers exclude each other. */
struct troupe_job_list {
	struct troupe_job *first;
	struct troupe_job *last; /* valid if first is not NULL */
};

static inline void troupe_job_list_put(struct troupe_job_list *list,
				       struct troupe_job *job)
{
	job->next = NULL;
	if (list->first == NULL)
		list->first = job;
	else
		list->last->next = job;
	list->last = job;
}

/** Returns: the first job, no longer in the list; NULL if it is empty. */
static inline struct troupe_job *
troupe_job_list_take(struct troupe_job_list *list)
{
	struct troupe_job *job = list->first;

	if (job != NULL)
		list->first = job->next;
	return job;
}

/* ---- choosing ---------------------------------------------------------- */

/**
 * troupe_policy_check - is this table complete and sound?
 *
 * Returns: 0; -EINVAL or -ENOTSUP (made for a newer core) with @error (may be
 *          NULL) naming the policy and the slot.
 */
int troupe_policy_check(const struct troupe_policy_ops *ops,
			struct troupe_error *error);

/** The built-in policies by number; NULL after the last. */
const struct troupe_policy_ops *troupe_policy_builtin(size_t index);

/** The smallest of them, and the one to copy: policies/fifo.c. */
extern const struct troupe_policy_ops troupe_fifo;

/** What a plug-in defines. The library itself does not. */
extern const struct troupe_policy_ops troupe_policy;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
