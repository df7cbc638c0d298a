/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * config_samples.h - for the tests of config: files, and a policy that has an
 * option of each type
 */
#ifndef CONFIG_SAMPLES_H
#define CONFIG_SAMPLES_H

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config_parts.h"

extern char **environ;

/* ---- a policy ---------------------------------------------------------- */

static const struct troupe_option sample_options[] = {
	{
		.name = "count",
		.type = TROUPE_OPTION_UINT,
		.initial = "5",
		.minimum = 2,
		.maximum = 99,
		.unit = "attempts",
		.help = "how often",
	},
	{
		.name = "any",
		.type = TROUPE_OPTION_UINT,
		.initial = "0",
		.maximum = UINT64_MAX,
	},
	{
		.name = "pause",
		.type = TROUPE_OPTION_DURATION,
		.initial = "50us",
		.minimum = 1000,
		.maximum = UINT64_C(10000000000),
		.help = "how long",
	},
	{
		.name = "delay",
		.type = TROUPE_OPTION_DURATION,
		.initial = "0ns",
		.maximum = 1000000,
		.help = "before that",
	},
	{
		.name = "eager",
		.type = TROUPE_OPTION_BOOL,
		.initial = "false",
	},
	{
		.name = "idle",
		.type = TROUPE_OPTION_CHOICE,
		.initial = "park",
		.choices = "poll|park|mixed",
	},
	{
		.name = "label",
		.type = TROUPE_OPTION_STRING,
		.initial = "",
		.help = "a name\nof your own",
	},
	{
		.name = "path",
		.type = TROUPE_OPTION_STRING,
		.initial = "/tmp",
	},
	{.name = NULL},
};

static int (*sample_init)(struct troupe_coordinator *self);

/* Refuses, so that no system comes to life, after a look at the options. */
static int sample_refuse(struct troupe_coordinator *self)
{
	if (sample_init != NULL)
		return sample_init(self);
	return -ECANCELED;
}

static void sample_central(struct troupe_coordinator *self,
			   struct troupe_job *job)
{
	(void)self;
	(void)job;
}

static void sample_worker(struct troupe_worker *self, struct troupe_job *job)
{
	(void)self;
	(void)job;
}

static struct troupe_job *sample_dequeue(struct troupe_worker *self)
{
	(void)self;
	return NULL;
}

static void sample_wake_all(struct troupe_coordinator *self)
{
	(void)self;
}

static struct troupe_job *sample_drain(struct troupe_coordinator *self)
{
	(void)self;
	return NULL;
}

/* A sound table whose jobs would go nowhere. */
#define SAMPLE_POLICY(the_name, the_options)                                  \
	{                                                                     \
		.size = sizeof(struct troupe_policy_ops),                     \
		.version = TROUPE_POLICY_VERSION, .wait_bound = 1,            \
		.name = (the_name), .summary = "for tests",                   \
		.options = (the_options), .init = sample_refuse,              \
		.central_enqueue = sample_central,                            \
		.external_enqueue = sample_worker,                            \
		.internal_enqueue = sample_worker,                            \
		.resume_job_later = sample_worker, .dequeue = sample_dequeue, \
		.wake_all = sample_wake_all, .drain = sample_drain,           \
	}

static const struct troupe_policy_ops sample =
	SAMPLE_POLICY("sample-one", sample_options);

/* ---- a config ---------------------------------------------------------- */

static struct troupe_config config;
static struct troupe_error error;
static struct troupe__settings *settings;
static char file_name[200];

/* Each test is a process: the environment is its own. */
static void config_start(void)
{
	static const struct troupe_config initial = TROUPE_CONFIG_INIT;

	for (char **at = environ; *at != NULL;) {
		char name[200];

		if (strncmp(*at, "TROUPE_", 7) != 0) {
			at++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*at, "="),
			 *at);
		unsetenv(name);
		at = environ;
	}
	config = initial;
	config.policy = &sample;
}

static void config_stop(void)
{
	troupe__settings_free(settings);
	settings = NULL;
	if (file_name[0] != '\0')
		unlink(file_name);
}

/* The config's file holds @size bytes at @text from now on. */
static void config_write_bytes(const char *text, size_t size)
{
	const char *folder = getenv("TMPDIR");
	FILE *stream;

	if (file_name[0] == '\0') {
		snprintf(file_name, sizeof(file_name), "%s/troupe-XXXXXX",
			 folder != NULL ? folder : "/tmp");
		close(mkstemp(file_name));
	}
	stream = fopen(file_name, "we");
	cr_assert_not_null(stream, "%s", file_name);
	fwrite(text, 1, size, stream);
	fclose(stream);
	config.file = file_name;
}

static inline void config_write(const char *text)
{
	config_write_bytes(text, strlen(text));
}

static int config_load(void)
{
	memset(&error, 0, sizeof(error));
	troupe__settings_free(settings);
	settings = NULL;
	return troupe__settings_load(&config, &error, &settings);
}

static inline void config_expect_ok(void)
{
	cr_assert_eq(config_load(), 0, "%s", error.text);
}

/* One line that has @needle in it; and the same without an error struct. */
static inline void config_expect_error(int code, const char *needle)
{
	int result = config_load();

	cr_assert_eq(result, code, "%d instead of %d for: %s: %s", result, code,
		     needle, error.text);
	cr_assert_null(settings);
	cr_expect_eq(error.code, code);
	cr_expect_not_null(strstr(error.text, needle), "\"%s\" is not in: %s",
			   needle, error.text);
	cr_expect_null(strchr(error.text, '\n'), "%s", error.text);
	cr_expect_eq(troupe__settings_load(&config, NULL, &settings), code);
}

static inline void config_expect(const char *section, const char *key,
				 const char *text)
{
	const char *got = troupe__settings_get(settings, section, key);

	cr_assert_not_null(got, "%s.%s", section, key);
	cr_expect_str_eq(got, text, "%s.%s is \"%s\", not \"%s\"", section, key,
			 got, text);
}

static inline void config_expect_source(const char *section, const char *key,
					const char *source)
{
	const struct troupe__setting *setting =
		troupe__settings_find(settings, section, key);

	cr_assert_not_null(setting, "%s.%s", section, key);
	cr_assert_not_null(setting->source, "%s.%s", section, key);
	cr_expect_str_eq(setting->source, source);
}

#endif
