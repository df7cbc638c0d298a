/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * faulty.h - policies that each break one contract, to test the suite with
 *
 * Overview. The base is a correct fifo. Each fault replaces one or two of its
 * slots by wrong ones. It says which check must find it, what
 * that check must say, and which one, close to it, must still pass.
 */
#ifndef FAULTY_H
#define FAULTY_H

#include "troupe_policy.h"

/* One for each system; all under the mutex. */
struct faulty_coordinator {
	struct troupe_mutex mutex;
	struct troupe_cond cond;
	struct troupe_cond room;       /* of a fault that waits for room */
	struct troupe_job_list shared; /* for any worker */
	uint64_t order;		       /* the next job's number */
	uint64_t length;	       /* of shared */
	uint64_t taken;		       /* from shared so far */
	struct troupe_job *again;      /* of a fault that returns it again */
	void *memory;		       /* of a fault that allocates in init */
};

struct faulty_worker {
	struct troupe_job_list pinned; /* for this worker only */
};

#define FAULTY_SAYS 5

struct faulty {
	const char *what;	       /* the fault, in words */
	const char *breaks;	       /* the check that must fail */
	const char *says[FAULTY_SAYS]; /* parts of its reason: one must be
					  there */
	const char *keeps;	       /* a check that must pass, or NULL */
	uint32_t workers;
	bool fails_allocations; /* only where the suite can make them fail */
	bool races; /* two threads touch a job: ThreadSanitizer may report it
		       before the check does */
	struct troupe_policy_ops ops; /* only the wrong slots are set */
};

/** Arrays of faults by what they break; a NULL @what ends each. */
extern const struct faulty faulty_handout[]; /* contracts 1 and 2 */
extern const struct faulty faulty_order[];   /* contracts 3 and 4 */
extern const struct faulty faulty_end[];     /* contract 5, start, data */

/** The correct table with the slots of @fault (NULL: none) in it. */
void faulty_table(const struct faulty *fault,
		  struct troupe_policy_ops *ret_ops);

/* faulty_base.c: the slots of the correct fifo. */
int faulty_init(struct troupe_coordinator *self);
void faulty_fini(struct troupe_coordinator *self);
void faulty_central_enqueue(struct troupe_coordinator *self,
			    struct troupe_job *job);
void faulty_external_enqueue(struct troupe_worker *self,
			     struct troupe_job *job);
void faulty_internal_enqueue(struct troupe_worker *self,
			     struct troupe_job *job);
struct troupe_job *faulty_dequeue(struct troupe_worker *self);
void faulty_wake_all(struct troupe_coordinator *self);
struct troupe_job *faulty_drain(struct troupe_coordinator *self);

/* faulty_base.c: pieces, all under the mutex. */
void faulty_lock(struct troupe_coordinator *self);
void faulty_unlock(struct troupe_coordinator *self);
struct faulty_coordinator *faulty_of(const struct troupe_worker *self);
void faulty_put(struct faulty_coordinator *faulty, struct troupe_job *job);
void faulty_put_front(struct faulty_coordinator *faulty,
		      struct troupe_job *job);
void faulty_put_pinned(struct troupe_worker *self, struct troupe_job *job);
struct troupe_job *faulty_take_shared(struct faulty_coordinator *faulty);
struct troupe_job *faulty_take_pinned(struct troupe_worker *self);
/** Whichever came first. */
struct troupe_job *faulty_take(struct troupe_worker *self);
void faulty_wait(struct troupe_worker *self);

#endif
