/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * affinity.h - which processor each worker is bound to
 *
 * scheduler.affinity = none | cores | a list such as 0,2-3. "cores" gives one
 * worker to each core first and hardware threads of the same core last.
 */
#ifndef AFFINITY_H
#define AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "troupe.h"

/**
 * troupe__affinity_plan - choose a processor for each of @count workers
 *
 * @ret_cpus: @count entries, filled in on success: the operating system's
 *            processor number, or -1 for no binding. With more workers than
 *            processors it starts again from the first.
 * Returns: 0; -EINVAL for a text that cannot be read or names a processor
 *          this process may not use, with @error (may be NULL); -ENOMEM.
 */
int troupe__affinity_plan(const char *affinity, uint32_t count,
			  struct troupe_error *error, int *ret_cpus);

/**
 * The same on a machine that does not exist: for tests.
 *
 * @machine: hwloc's synthetic description, "pack:2 core:4 pu:2".
 * @mask: the processors this process may use, as a list: "0-3,6".
 */
int troupe__affinity_plan_at(const char *machine, const char *mask,
			     const char *affinity, uint32_t count,
			     struct troupe_error *error, int *ret_cpus);

/** Binds the calling thread; -1 does nothing. Returns: 0; -EINVAL. */
int troupe__affinity_bind(int cpu);

/** As many as Linux can be built for. */
#define AFFINITY_CPUS  8192
#define AFFINITY_WORDS (AFFINITY_CPUS / (8 * sizeof(unsigned long)))

/** The processors of a thread that is no worker. Zeroed: not known, and then
 * nobody is bound either. */
struct affinity_mask {
	bool known;
	unsigned long words[AFFINITY_WORDS];
};

/** Takes them from the calling thread. */
void troupe__affinity_note(struct affinity_mask *ret_mask);
/** Gives them to the calling thread, which may have been a worker, or have
 * been started by one. Does nothing if they are not known. */
void troupe__affinity_restore(const struct affinity_mask *mask);

#endif
