/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks, counted, so that a child knows the systems that are not its own; and
 * the hooks for threads. Signals are signals.c's.
 */
#include "process.h"

#include <pthread.h>
#include <string.h>

_Atomic uint32_t troupe__process_generation;

/* In the child, on its only thread, which is nobody's worker any more. */
static void process_forked(void)
{
	/* relaxed: there is no other thread. */
	atomic_fetch_add_explicit(&troupe__process_generation, 1,
				  memory_order_relaxed);
	memset(&troupe__here, 0, sizeof(troupe__here));
}

static void process_register(void)
{
	/* If it fails, for want of memory, forks go unnoticed. */
	(void)pthread_atfork(NULL, NULL, process_forked);
}

void troupe__process_watch(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, process_register);
}

void troupe__process_thread_start(const struct troupe_system *system,
				  enum troupe_thread_kind kind, uint32_t index)
{
	const struct troupe__settings *settings = system->settings;

	if (settings->on_thread_start != NULL)
		settings->on_thread_start(kind, index,
					  settings->thread_context);
}

void troupe__process_thread_stop(const struct troupe_system *system,
				 enum troupe_thread_kind kind, uint32_t index)
{
	const struct troupe__settings *settings = system->settings;

	if (settings->on_thread_stop != NULL)
		settings->on_thread_stop(kind, index, settings->thread_context);
}
