/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program itself gives: the command line, the array of texts and the
 * fields of the struct. All become entries; whether a name is known and a
 * value good is not asked here.
 */
#include "config_parts.h"

#include "error.h"

#include <errno.h>
#include <string.h>

#define PREFIX_LENGTH	(sizeof(TROUPE__ENVIRONMENT_PREFIX) - 1)
#define ARGUMENT_LENGTH (sizeof(TROUPE__ARGUMENT_PREFIX) - 1)

/* ---- "section.key=value" ----------------------------------------------- */

/* Where the parts of such a text are. */
struct code_parts {
	size_t section_length;
	const char *key;
	size_t key_length;
	const char *value;
};

static bool code_split(const char *text, struct code_parts *ret_parts)
{
	const char *equals = strchr(text, '=');
	const char *dot = strchr(text, '.');

	if (equals == NULL || dot == NULL || dot == text || dot + 1 >= equals)
		return false;
	ret_parts->section_length = (size_t)(dot - text);
	ret_parts->key = dot + 1;
	ret_parts->key_length = (size_t)(equals - dot - 1);
	ret_parts->value = equals + 1;
	return true;
}

/* Adds @text as an entry that came from @source. */
static int code_add_text(struct troupe__settings *settings, const char *text,
			 const char *source, struct troupe__entries *entries,
			 struct troupe_error *error)
{
	struct troupe__entry entry = {.source = source};
	char quoted[TROUPE__QUOTE_SIZE];
	struct code_parts parts;

	if (source == NULL)
		return troupe__config_no_memory(error);
	if (!code_split(text, &parts))
		return troupe__error(error, -EINVAL,
				     "%s: expected section.key=value, got %s",
				     source, troupe__value_quote(quoted, text));
	entry.section = troupe__settings_text(settings, "%.*s",
					      (int)parts.section_length, text);
	entry.key = troupe__settings_text(settings, "%.*s",
					  (int)parts.key_length, parts.key);
	entry.value = parts.value;
	if (entry.section == NULL || entry.key == NULL)
		return troupe__config_no_memory(error);
	return troupe__entries_add(settings, entries, &entry, error);
}

/* ---- the command line -------------------------------------------------- */

static bool code_is_argument(const char *text)
{
	return strncmp(text, TROUPE__ARGUMENT_PREFIX, ARGUMENT_LENGTH) == 0;
}

/* How many of argv are ours; what follows "--" is not. */
static int code_count_arguments(int argc, char **argv,
				struct troupe_error *error)
{
	char quoted[TROUPE__QUOTE_SIZE];
	struct code_parts parts;
	int count = 0;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!code_is_argument(argv[i]))
			continue;
		if (!code_split(argv[i] + ARGUMENT_LENGTH, &parts))
			return troupe__error(
				error, -EINVAL,
				"argument %s: expected "
				"--troupe.section.key=value",
				troupe__value_quote(quoted, argv[i]));
		count++;
	}
	return count;
}

int troupe_config_arguments(struct troupe_config *config, int *argc,
			    char **argv, struct troupe_error *error)
{
	int taken = 0;
	int count;

	if (config == NULL || argc == NULL || argv == NULL)
		return troupe__error(error, -EINVAL,
				     "troupe_config_arguments: expected a "
				     "config, argc and argv, got NULL");
	if (config->size < sizeof(*config))
		return troupe__error(error, -EINVAL,
				     "config.size: expected at least %zu, as "
				     "TROUPE_CONFIG_INIT sets it, got %u",
				     sizeof(*config), config->size);
	count = code_count_arguments(*argc, argv, error);
	if (count <= 0)
		return count;
	/* Each goes behind all others, the NULL among them. */
	for (int i = 1; taken < count;) {
		char *argument = argv[i];

		if (!code_is_argument(argument)) {
			i++;
			continue;
		}
		memmove(argv + i, argv + i + 1,
			(size_t)(*argc - i) * sizeof(*argv));
		argv[*argc] = argument;
		taken++;
	}
	*argc -= count;
	config->arguments = argv + *argc + 1;
	config->argument_count = (uint32_t)count;
	return count;
}

/* ---- what the program set in code -------------------------------------- */

/* A field of the struct that is a setting of [scheduler]; NULL: not set. */
static int code_add_field(struct troupe__settings *settings, const char *key,
			  const char *value, const char *source,
			  struct troupe__entries *entries,
			  struct troupe_error *error)
{
	const struct troupe__entry entry = {
		.source = source,
		.section = TROUPE__SCHEDULER_SECTION,
		.key = key,
		.value = value,
	};

	if (value == NULL)
		return 0;
	return troupe__entries_add(settings, entries, &entry, error);
}

static int code_add_number(struct troupe__settings *settings, const char *key,
			   uint32_t value, const char *source,
			   struct troupe__entries *entries,
			   struct troupe_error *error)
{
	char text[16];

	if (value == 0)
		return 0;
	snprintf(text, sizeof(text), "%u", value);
	return code_add_field(settings, key, text, source, entries, error);
}

static int code_add_fields(struct troupe__settings *settings,
			   const struct troupe_config *config,
			   struct troupe__entries *entries,
			   struct troupe_error *error)
{
	int result;

	result = code_add_field(settings, "policy", config->policy_name,
				"config.policy_name", entries, error);
	if (result == 0 && config->policy != NULL)
		result =
			code_add_field(settings, "policy", config->policy->name,
				       "config.policy", entries, error);
	if (result == 0)
		result = code_add_number(settings, "max-threads",
					 config->max_threads,
					 "config.max_threads", entries, error);
	if (result == 0)
		result = code_add_number(
			settings, "max-throughput", config->max_throughput,
			"config.max_throughput", entries, error);
	if (result == 0)
		result = code_add_field(settings, "thread-name",
					config->thread_name,
					"config.thread_name", entries, error);
	if (result == 0)
		result = code_add_field(settings, "affinity", config->affinity,
					"config.affinity", entries, error);
	return result;
}

int troupe__config_read_code(struct troupe__settings *settings,
			     const struct troupe_config *config,
			     struct troupe__entries *entries,
			     struct troupe_error *error)
{
	int result = 0;

	for (uint32_t i = 0; result == 0 && i < config->argument_count; i++) {
		const char *argument = config->arguments[i];
		bool ours = code_is_argument(argument);

		result = code_add_text(
			settings, ours ? argument + ARGUMENT_LENGTH : argument,
			troupe__settings_text(settings, "argument %.*s",
					      (int)strcspn(argument, "="),
					      argument),
			entries, error);
	}
	for (uint32_t i = 0; result == 0 && config->settings != NULL &&
			     config->settings[i] != NULL;
	     i++)
		result = code_add_text(
			settings, config->settings[i],
			troupe__settings_text(settings, "config.settings[%u]",
					      i),
			entries, error);
	if (result == 0)
		result = code_add_fields(settings, config, entries, error);
	return result;
}
