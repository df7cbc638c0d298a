/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SIGINT and SIGTERM stop a system. A handler only writes the signal's number
 * to a pipe; a thread reads it and does the rest. Signals are the process's,
 * so one system at a time can have them.
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static const int signals_all[] = {SIGINT, SIGTERM};

#define SIGNALS (sizeof(signals_all) / sizeof(signals_all[0]))

/* Legend: L under the lock, I set before the thread starts, H also read by the
 * handler: set before it is installed, and closed after it is gone. */
static struct {
	pthread_mutex_t lock;
	struct troupe_system *system;	  /* L: who has them; NULL: nobody */
	int pipe[2];			  /* I, H */
	uint64_t deadline;		  /* I */
	troupe_actor_fn survivor;	  /* I */
	troupe_signal_fn stopped;	  /* I */
	void *context;			  /* I */
	struct troupe__thread thread;	  /* L */
	struct sigaction before[SIGNALS]; /* L */
} signals = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool signals_here;

/* Writing to a pipe is allowed in a handler. */
static void signals_handler(int number)
{
	unsigned char byte = (unsigned char)number;
	int before = errno;

	/* A full pipe holds signals enough. */
	if (write(signals.pipe[1], &byte, 1) < 0)
		errno = before;
	errno = before;
}

static void signals_main(void *data)
{
	struct troupe_system *system = data;
	unsigned char number;

	signals_here = true;
	troupe__process_thread_start(system, TROUPE_THREAD_SIGNAL, 0);
	for (;;) {
		ssize_t got = read(signals.pipe[0], &number, 1);
		int result;

		if (got < 0 && errno == EINTR)
			continue;
		if (got != 1 || number == 0)
			break;
		result = troupe_system_stop(system, signals.deadline, 0,
					    signals.survivor, signals.context);
		if (signals.stopped != NULL)
			signals.stopped(number, result, signals.context);
	}
	troupe__process_thread_stop(system, TROUPE_THREAD_SIGNAL, 0);
}

static void signals_install(void)
{
	struct sigaction action = {
		.sa_handler = signals_handler,
		/* The second one ends the process. */
		.sa_flags = (int)(SA_RESETHAND | SA_RESTART),
	};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals_all[i], &action, &signals.before[i]);
}

static void signals_restore(void)
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals_all[i], &signals.before[i], NULL);
}

int troupe_signal_stop(struct troupe_system *system, uint64_t deadline,
		       troupe_actor_fn survivor, troupe_signal_fn stopped,
		       void *context)
{
	int result = 0;

	if (system == NULL)
		return -EINVAL;
	if (process_lost(system))
		return -EOWNERDEAD;
	if (troupe__system_is_here(system))
		return -EDEADLK;
	pthread_mutex_lock(&signals.lock);
	if (signals.system != NULL && !process_lost(signals.system))
		result = -EBUSY;
	else if (pipe2(signals.pipe, O_CLOEXEC) != 0)
		result = -errno;
	if (result == 0) {
		signals.deadline = deadline;
		signals.survivor = survivor;
		signals.stopped = stopped;
		signals.context = context;
		result = troupe__thread_create(&signals.thread, "troupe-signal",
					       0, signals_main, system);
		if (result != 0) {
			close(signals.pipe[0]);
			close(signals.pipe[1]);
		}
	}
	if (result == 0) {
		signals.system = system;
		signals_install();
	}
	pthread_mutex_unlock(&signals.lock);
	return result;
}

void troupe__signals_fini(struct troupe_system *system)
{
	unsigned char end = 0;

	pthread_mutex_lock(&signals.lock);
	if (signals.system == system) {
		signals_restore();
		while (write(signals.pipe[1], &end, 1) < 0 && errno == EINTR)
			;
		troupe__thread_join(&signals.thread);
		close(signals.pipe[0]);
		close(signals.pipe[1]);
		signals.system = NULL;
	}
	pthread_mutex_unlock(&signals.lock);
}

bool troupe__signals_is_here(const struct troupe_system *system)
{
	(void)system;
	return signals_here;
}
