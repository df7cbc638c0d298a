/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * platform.h - the one place that allocates, sleeps, locks, reads clocks,
 * starts threads and asks the machine
 *
 * Overview. Everything the library wants from libuv, mimalloc, Concurrency
 * Kit and the kernel comes through here and through the helpers of
 * troupe_policy.h, which platform.c implements too. Tests put hooks in front:
 * to fail the n-th allocation or thread, to count waits, to add delays.
 *
 * Threads. Any, unless said.
 */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "troupe_policy.h"

/* ---- memory ------------------------------------------------------------ */

/** @size bytes, not zeroed; NULL when out of memory. */
void *troupe__alloc(size_t size);
/** As above, aligned to 64. @size must be a multiple of 64. */
void *troupe__alloc_lines(size_t size);
/** Accepts NULL. Any thread, not only the one that allocated. */
void troupe__free(void *memory);

/* ---- threads ----------------------------------------------------------- */

struct troupe__thread {
	uint64_t opaque[2];
};

/**
 * Starts @run(@data) on a new thread called @name (cut to 15 bytes).
 * @stack_size: bytes, 0 for the default.
 * Returns: 0; -EAGAIN, -ENOMEM.
 */
int troupe__thread_create(struct troupe__thread *thread, const char *name,
			  size_t stack_size, void (*run)(void *data),
			  void *data);
void troupe__thread_join(struct troupe__thread *thread);
/** Instead of joining it: it ends when it likes. */
void troupe__thread_detach(struct troupe__thread *thread);
/** Gives the processor away for a moment. */
void troupe__thread_yield(void);

/** What this thread does before it waits in a helper of troupe_policy.h, or
 * relaxes; NULL: nothing. Set and called on the thread itself. */
extern _Thread_local void (*troupe__before_wait)(void);

/* ---- shared libraries -------------------------------------------------- */

struct troupe__library {
	uint64_t opaque[2];
};

/**
 * Opens the file @path.
 * Returns: 0; -ENOENT or -EINVAL with the loader's own words in @error, which
 *          may be NULL and holds @error_size bytes.
 */
int troupe__library_open(struct troupe__library *library, const char *path,
			 char *error, size_t error_size);
/** Returns: the symbol's address, or NULL. */
void *troupe__library_symbol(struct troupe__library *library, const char *name);
void troupe__library_close(struct troupe__library *library);

/* ---- the machine ------------------------------------------------------- */

/**
 * How many threads of this process can run at once: processors of the
 * affinity mask, cut by the CPU quota (cgroup v1 or v2, rounded up) of this
 * process's groups and of all above. At least 1.
 */
uint32_t troupe__usable_cpus(void);
/** The same, reading below @root ("/" in life): for tests. */
uint32_t troupe__usable_cpus_at(const char *root, uint32_t mask_count);

/** An environment variable; NULL if unset or in a process with raised
 * privileges. */
const char *troupe__environment(const char *name);
/** All of the environment, as environ; NULL with raised privileges. */
char *const *troupe__environment_all(void);

/* ---- hooks for tests --------------------------------------------------- */

enum troupe__point {
	TROUPE__POINT_ALLOC,  /* may fail: return false */
	TROUPE__POINT_THREAD, /* may fail: return false */
	TROUPE__POINT_LOCK,   /* before a mutex or spinlock is taken */
	TROUPE__POINT_UNLOCK, /* before it is given back */
	TROUPE__POINT_WAIT,   /* before a cond or event wait */
	TROUPE__POINT_WAKE,   /* before a signal or event wake */
	TROUPE__POINT_SLEEP,  /* before troupe_sleep */
	TROUPE__POINT_STATE,  /* before a job changes state */
	TROUPE__POINT_HANDLE, /* the last one went, and nothing yet came of it */
	TROUPE__POINTS,
};

/** Returns false to make the operation fail, where it can. */
typedef bool (*troupe__hook_fn)(enum troupe__point point);

/** Context: no system may be running. NULL takes the hook away. Does nothing
 * in a build without hooks (the plain release one). */
void troupe__set_hook(troupe__hook_fn hook);

/** Allocations that were not freed yet; 0 in a build without hooks. */
uint64_t troupe__live_allocations(void);

#ifndef TROUPE_HOOKS
#define TROUPE_HOOKS 0
#endif

#if TROUPE_HOOKS
/** Returns: false if the operation should fail. */
bool troupe__point(enum troupe__point point);
#else
static inline bool troupe__point(enum troupe__point point)
{
	(void)point;
	return true;
}
#endif

#endif
