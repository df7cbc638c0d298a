/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * demo.h - how every demo starts: settings from its arguments, or one line
 *
 * Typical use.
 *	struct troupe_config config = TROUPE_CONFIG_INIT;
 *	demo_settings(&config, &argc, argv);
 *	demo_no_arguments(argc, argv);
 *	struct troupe_system *system = demo_start(&config);
 *
 * Errors. One line on standard error, and the program ends with status 2.
 */
#ifndef DEMO_H
#define DEMO_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "troupe.h"
#include "troupe_config.h"

#define DEMO_STATUS 2

static inline _Noreturn void demo_fail(const char *text)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
	exit(DEMO_STATUS);
}

/** Ends the program if @result is an error of @call. */
static inline void demo_check(int result, const char *call)
{
	if (result >= 0)
		return;
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, call,
		strerror(-result));
	exit(DEMO_STATUS);
}

/**
 * Takes --config FILE and every --troupe.SECTION.KEY=VALUE out of argv, and
 * stops looking at "--".
 */
static inline void demo_settings(struct troupe_config *config, int *argc,
				 char **argv)
{
	struct troupe_error error;
	int kept = 1;

	if (troupe_config_arguments(config, argc, argv, &error) < 0)
		demo_fail(error.text);
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			while (i < *argc)
				argv[kept++] = argv[i++];
		} else if (strncmp(argv[i], "--config=", 9) == 0) {
			config->file = argv[i] + 9;
		} else if (strcmp(argv[i], "--config") != 0) {
			argv[kept++] = argv[i];
		} else if (++i < *argc) {
			config->file = argv[i];
		} else {
			demo_fail("--config needs a FILE");
		}
	}
	argv[kept] = NULL;
	*argc = kept;
}

static inline _Noreturn void demo_unexpected(const char *argument)
{
	fprintf(stderr,
		"%s: unexpected argument '%s'; settings are --config FILE and "
		"--troupe.SECTION.KEY=VALUE\n",
		program_invocation_short_name, argument);
	exit(DEMO_STATUS);
}

/** For demos without arguments of their own. */
static inline void demo_no_arguments(int argc, char **argv)
{
	if (argc > 1)
		demo_unexpected(argv[1]);
}

/**
 * A setting that the demo would like, unless a file, the environment or the
 * command line says something else. @variable: as TROUPE_SCHEDULER_POLICY.
 */
static inline void demo_prefer(const struct troupe_config *config,
			       const char *variable, const char *value)
{
	if (config->file == NULL)
		setenv(variable, value, 0);
}

static inline struct troupe_system *demo_start(struct troupe_config *config)
{
	struct troupe_system *system;
	struct troupe_error error;

	if (troupe_system_create(config, &error, &system) < 0)
		demo_fail(error.text);
	return system;
}

/** Seconds on a clock that never goes back. */
static inline double demo_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/** Stands for work that takes so long. */
static inline void demo_sleep_millis(long millis)
{
	const struct timespec pause = {.tv_nsec = millis * 1000000};

	nanosleep(&pause, NULL);
}

/** Says how long one of @count things took since @start. */
static inline void demo_speed(const struct troupe_system *system,
			      uint64_t count, const char *thing, double start)
{
	printf("%s, %u workers: %.0f ns a %s\n", troupe_system_policy(system),
	       troupe_system_worker_count(system),
	       (demo_seconds() - start) * 1e9 / (double)count, thing);
}

#endif
