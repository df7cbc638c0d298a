/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_process.h - signals, fork, and threads of the library
 *
 * Signals. All threads of a system block the signals that are the program's: all
 * but those that a thread raises by its own fault (SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGTRAP, SIGSYS, SIGABRT), whose handlers run on the thread that
 * erred, and SIGPROF, so that profilers see the workers. A handler of these must
 * not call the library. troupe_signal_stop() makes SIGINT and SIGTERM stop a system in time.
 *
 * Fork. In the child of a process with a system that system has no threads.
 * Each call on it says -EOWNERDEAD, or does nothing if it cannot say so;
 * nothing of it is freed. The child may exit, or make systems of its own. Who
 * forks in an actor must exec or _exit in the child.
 *
 * Threads. troupe_config's on_thread_start and on_thread_stop see each thread
 * of the library come and go. Unloading the library is safe when all systems
 * have been destroyed.
 *
 * Included by troupe.h.
 */
#ifndef TROUPE_PROCESS_H
#define TROUPE_PROCESS_H

#include "troupe_system.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum troupe_thread_kind {
	TROUPE_THREAD_WORKER, /* index: the worker's */
	TROUPE_THREAD_POOL,   /* index: of the pool's threads; reused */
	TROUPE_THREAD_SIGNAL, /* of troupe_signal_stop(); index 0 */
};

/**
 * Context: on that thread, before and after all else that it does. It must
 *          not call functions on the system.
 */
typedef void (*troupe_thread_fn)(enum troupe_thread_kind kind, uint32_t index,
				 void *context);

/**
 * What the signal did: @signal came, and @result is troupe_system_stop()'s.
 *
 * Context: a thread of the library; it may exit the process.
 */
typedef void (*troupe_signal_fn)(int signal, int result, void *context);

/**
 * troupe_signal_stop - SIGINT and SIGTERM stop @system
 *
 * The first of each calls troupe_system_stop(); the second ends the process,
 * as it does by default. troupe_system_destroy() gives the signals back.
 *
 * @deadline: of the stop, in nanoseconds.
 * @survivor: sees who is left then. May be NULL.
 * @stopped:  called when the stop is over. May be NULL.
 * Context:   any thread, not inside an actor.
 * Returns:   0; -EBUSY, another system has them; -EDEADLK; -EAGAIN, -ENOMEM,
 *            -EMFILE, no thread, memory or file descriptor.
 */
int troupe_signal_stop(struct troupe_system *system, uint64_t deadline,
		       troupe_actor_fn survivor, troupe_signal_fn stopped,
		       void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
