/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * directory.h - where all living actors of a system can be found
 *
 * Overview. A table of pointers to control blocks, in pages that never move.
 * An actor takes a slot when it is spawned and keeps its number in the block's
 * spare word. Workers keep some free slots for themselves, so that spawning
 * and ending share no cache line. A reader locks one entry for the moment that
 * it takes a weak handle.
 *
 * An entry is the address of a block (bit 0: locked by a reader), or the
 * number of the next free slot (bit 1 set).
 *
 * Threads. Any, except fini.
 */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <stdatomic.h>
#include <stdint.h>

#include "troupe_policy.h"
#include "troupe_refcount.h"

#define DIRECTORY_PAGE	  512u /* entries of a page, and pages of a shelf */
#define DIRECTORY_SHELVES 256u

/* Legend: A atomic, L under the lock. */
struct directory {
	_Atomic(void *) shelves[DIRECTORY_SHELVES]; /* A: made under L */
	struct troupe_spinlock lock;
	uint32_t used;	      /* L: slots below were given out */
	uint32_t free_list;   /* L: 0 is none; slot 0 is not used */
	uint32_t made;	      /* L: pages that exist */
	_Atomic uint32_t end; /* A: as used, for readers */
};

/* Free slots of one worker: a list through the entries. */
struct directory_cache {
	uint32_t first; /* 0: none */
	uint32_t count;
};

struct troupe_system;

/** Returns: 0; -ENOMEM. */
int troupe__directory_add(struct troupe_system *system,
			  struct troupe_control_block *block);
/** Before the actor's own weak count goes. */
void troupe__directory_remove(struct troupe_system *system,
			      struct troupe_control_block *block);
void troupe__directory_fini(struct directory *directory);

/**
 * Calls @each for every actor that lives during the whole call, and for some
 * of those that do not. @each may keep nothing; it returns false to stop.
 */
void troupe__directory_each(struct directory *directory,
			    bool (*each)(struct troupe_control_block *block,
					 void *context),
			    void *context);

#endif
