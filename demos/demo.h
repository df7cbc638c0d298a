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

/** For demos without arguments of their own. */
static inline void demo_no_arguments(int argc, char **argv)
{
	if (argc == 1)
		return;
	fprintf(stderr,
		"%s: '%s': there are no arguments but --config FILE and "
		"--troupe.SECTION.KEY=VALUE\n",
		argv[0], argv[1]);
	exit(DEMO_STATUS);
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

#endif
