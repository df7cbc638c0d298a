/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * process.h - what a system has to do with its process
 */
#ifndef PROCESS_H
#define PROCESS_H

#include "core.h"
#include "troupe_process.h"

/** How often this process, or an ancestor that had systems, forked. */
extern _Atomic uint32_t troupe__process_generation;

/** Sees to it that forks are counted. Before a system is made. */
void troupe__process_watch(void);

/** True in a child of the process that made @system. */
static inline bool process_lost(const struct troupe_system *system)
{
	/* relaxed: written in a child, when it has one thread. */
	return atomic_load_explicit(&troupe__process_generation,
				    memory_order_relaxed) != system->generation;
}

/** The same for an actor, whose system may be gone: directory.c has put the
 * generation into its block. */
static inline bool process_lost_actor(struct troupe_strong actor)
{
	/* relaxed: as above. */
	return atomic_load_explicit(&troupe__process_generation,
				    memory_order_relaxed) !=
	       actor.block->spare >> 32;
}

/** Calls config's hooks. */
void troupe__process_thread_start(const struct troupe_system *system,
				  enum troupe_thread_kind kind, uint32_t index);
void troupe__process_thread_stop(const struct troupe_system *system,
				 enum troupe_thread_kind kind, uint32_t index);

/** signals.c: gives the signals back, if @system has them; then no call of
 * its thread is under way. */
void troupe__signals_fini(struct troupe_system *system);
/** Is this the thread of @system's signals? */
bool troupe__signals_is_here(const struct troupe_system *system);

#endif
