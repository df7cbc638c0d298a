/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * reader.h - sections in which a thread may look at entries without a lock
 *
 * Overview. A reader says by a mark of its own that it is in a section. What a
 * writer takes out is retired, with the time, and is collected, to be freed,
 * when every section that may still see it is over. Time is a count of what
 * was retired, one for the process, so that a thread needs one record whatever
 * systems come and go.
 *
 * The protocol, in the order in which each does it.
 *	reader	R1 now = time	R2 mark = now	R3 barrier	R4 search
 *	writer	W1 unlink	W2 stamp = time++	W3 barrier
 *		W4 look at all marks	W5 free what is older than all of them
 *
 * Why it is right. If R2 comes before the reader's part of W3, then W4 sees
 * the mark. If it is then greater than the stamp, R1 read what W2 wrote or
 * later, so R4 sees W1; otherwise nothing is freed. If R2 comes after W3, so
 * does R4, which then sees W1. test/model/registry.pml goes through all orders.
 *
 * The barrier. R3 keeps R4 from running ahead of R2 while the mark is still in
 * the processor's store buffer. A full fence in each section would do, and
 * cost a sixth of a get. Where the kernel has membarrier() only the compiler is
 * held back at R3, and W3 makes all running threads of the process execute a
 * fence instead. That takes tens of microseconds, so writers retire a number
 * of things before they collect. Elsewhere R2 is an exchange, and R4 and W1 are
 * seq_cst.
 *
 * Records. A thread gets its record at its first section, and gives it back
 * for another thread when it ends. Records are as many as there were threads
 * at one time, and never freed.
 */
#ifndef READER_H
#define READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Legend: I set at init, A atomic from any thread. */
struct troupe__reader {
	_Atomic uint64_t mark;	     /* A: 0 outside, else when it began */
	_Atomic bool taken;	     /* A: by a thread */
	struct troupe__reader *next; /* I: of all */
	char line_end[128 - 24];     /* some processors fetch lines in pairs */
};

/* All three are reader.c's; here for what is inline. */
extern _Thread_local struct troupe__reader *troupe__reader_self;
extern _Atomic uint64_t troupe__reader_time; /* A: from 1 */
extern bool troupe__reader_fenced;	     /* I: no membarrier() here */

/** Once before anything else; does nothing when called again. */
void troupe__reader_init(void);

/** Gives this thread a record. Returns: NULL when out of memory. */
struct troupe__reader *troupe__reader_create(void);

/** How many records were ever made: for tests. */
size_t troupe__reader_count(void);

/**
 * troupe__reader_begin - begin a section; they do not nest
 *
 * Returns: false if there is no memory for this thread's record: the caller
 *          must take the lock instead, and not call troupe__reader_end().
 */
static inline bool troupe__reader_begin(void)
{
	struct troupe__reader *self = troupe__reader_self;
	uint64_t now;

	if (self == NULL)
		self = troupe__reader_create();
	if (self == NULL)
		return false;
	/* acquire: who is as late as this sees what was unlinked before, else a
	 * writer would free it under us. Pairs with: troupe__retire(). */
	now = atomic_load_explicit(&troupe__reader_time, memory_order_acquire);
	if (troupe__reader_fenced) {
		atomic_exchange(&self->mark, now);
		return true;
	}
	/* release: whoever sees this mark sees that the sections before it are
	 * over, as with the mark that ends one. Pairs with: reader_oldest().
	 * The barrier before it orders this before the searches that follow;
	 * the compiler must leave it there. */
	atomic_store_explicit(&self->mark, now, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

static inline void troupe__reader_end(void)
{
	/* release: our reads come before the freeing. Pairs with:
	 * reader_oldest(). */
	atomic_store_explicit(&troupe__reader_self->mark, 0,
			      memory_order_release);
}

/* ---- for writers -------------------------------------------------------- */

/** Part of what can be retired. */
struct troupe__retired {
	struct troupe__retired *next;
	uint64_t time;
	/** Called by the one who collected it. */
	void (*free)(struct troupe__retired *retired, void *context);
};

/** In order of time; all under the owner's lock. */
struct troupe__retired_list {
	struct troupe__retired *first, *last;
	size_t count;
};

/** Nobody who begins a section from now on may find @retired. */
void troupe__retire(struct troupe__retired_list *list,
		    struct troupe__retired *retired);

/** Returns: those that no section can see any more, linked by next; NULL too
 * when the system refuses a barrier, which may work another time. */
struct troupe__retired *
troupe__retired_collect(struct troupe__retired_list *list);

#ifndef TROUPE_HOOKS
#define TROUPE_HOOKS 0
#endif

#if TROUPE_HOOKS
/** For tests: @hook is called inside each section, when the reader has found
 * an entry and not yet looked at it. NULL takes it away. */
void troupe__reader_set_hook(void (*hook)(void));
void troupe__reader_point(void);
#else
static inline void troupe__reader_point(void)
{
}
#endif

#endif
