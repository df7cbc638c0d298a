/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A policy that loses a job makes its system wait for ever, and policies
 * under development do. A thread of its own watches each run: when one takes
 * too long it says which, gives out what has been measured so far, and ends
 * the program. Ctrl-C does the same between two runs; a second one at once.
 */
#include "compare.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Legend: L under the mutex. One for the program. */
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	const struct compare *compare;
	char what[200];		  /* L: empty when nothing is watched */
	struct timespec deadline; /* L */
} watch = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static volatile sig_atomic_t watch_interrupted;

static void watch_on_signal(int number)
{
	(void)number;
	watch_interrupted = 1;
}

static bool watch_is_late(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return watch.what[0] != '\0' &&
	       (now.tv_sec > watch.deadline.tv_sec ||
		(now.tv_sec == watch.deadline.tv_sec &&
		 now.tv_nsec >= watch.deadline.tv_nsec));
}

/* The main thread is inside the run that hangs, or waits for the mutex behind
 * it: nothing else touches what is reported. */
static void watch_give_up(void)
{
	compare_error(COMPARE_FAILED,
		      "%s did not end within %u s: it hangs (or needs a longer "
		      "--timeout)",
		      watch.what, watch.compare->timeout);
	compare_report(watch.compare);
	_exit(COMPARE_FAILED);
}

static void *watch_run(void *unused)
{
	pthread_mutex_lock(&watch.mutex);
	for (;;) {
		if (watch_is_late())
			watch_give_up();
		if (watch.what[0] == '\0')
			pthread_cond_wait(&watch.changed, &watch.mutex);
		else
			pthread_cond_timedwait(&watch.changed, &watch.mutex,
					       &watch.deadline);
	}
	return unused;
}

void compare_watch_start(const struct compare *compare)
{
	struct sigaction action = {
		.sa_handler = watch_on_signal,
		.sa_flags = (int)(SA_RESETHAND | SA_RESTART),
	};
	pthread_condattr_t attributes;
	pthread_t thread;
	int code;

	watch.compare = compare;
	sigaction(SIGINT, &action, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watch.changed, &attributes);
	pthread_condattr_destroy(&attributes);
	code = pthread_create(&thread, NULL, watch_run, NULL);
	if (code == 0)
		pthread_detach(thread);
	else
		compare_error(COMPARE_OK, "a run that hangs is not noticed: %s",
			      strerror(code));
}

void compare_watch_begin(const char *what)
{
	pthread_mutex_lock(&watch.mutex);
	snprintf(watch.what, sizeof(watch.what), "%s", what);
	clock_gettime(CLOCK_MONOTONIC, &watch.deadline);
	watch.deadline.tv_sec += watch.compare->timeout;
	pthread_cond_signal(&watch.changed);
	pthread_mutex_unlock(&watch.mutex);
}

void compare_watch_end(void)
{
	pthread_mutex_lock(&watch.mutex);
	watch.what[0] = '\0';
	pthread_mutex_unlock(&watch.mutex);
}

bool compare_watch_interrupted(void)
{
	return watch_interrupted != 0;
}
