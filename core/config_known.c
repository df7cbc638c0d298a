/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be set: [scheduler], and a section for each policy that is built in
 * or chosen, made from its options[]. Also what to say about a name that is
 * not among them.
 */
#include "config_parts.h"

#include "error.h"

#include <errno.h>
#include <string.h>

static const struct troupe_option known_scheduler[] = {
	{
		.name = "policy",
		.type = TROUPE_OPTION_STRING,
		.initial = "work-stealing",
		.help = "the order of jobs: a policy's name, profiled:NAME, or "
			"the path of a plug-in",
	},
	{
		.name = "max-threads",
		.type = TROUPE_OPTION_UINT,
		.initial = "0",
		.maximum = TROUPE__MAX_THREADS,
		.unit = "threads",
		.help = "workers; 0: as many as this process can run at once",
	},
	{
		.name = "max-throughput",
		.type = TROUPE_OPTION_UINT,
		.initial = "100",
		.minimum = 1,
		.maximum = UINT32_MAX,
		.unit = "messages",
		.help = "how much an actor handles before others have a turn",
	},
	{
		.name = "thread-name",
		.type = TROUPE_OPTION_STRING,
		.initial = "troupe",
		.help = "what the names of the workers' threads begin with",
	},
	{
		.name = "affinity",
		.type = TROUPE_OPTION_STRING,
		.initial = "none",
		.help = "processors that workers are bound to: none, cores, or "
			"a list such as 0,2-3",
	},
	{
		.name = "stack-size",
		.type = TROUPE_OPTION_UINT,
		.initial = "0",
		.maximum = UINT64_C(1) << 32,
		.unit = "bytes",
		.help = "of a worker's thread; 0: the system's default",
	},
	{.name = NULL},
};

static const struct troupe_option known_detached[] = {
	{
		.name = "max-threads",
		.type = TROUPE_OPTION_UINT,
		.initial = "64",
		.maximum = TROUPE__MAX_THREADS,
		.unit = "threads",
		.help = "beside the workers: for detached actors, and to stand "
			"in for workers that block",
	},
	{
		.name = "keep-alive",
		.type = TROUPE_OPTION_DURATION,
		.initial = "5s",
		.maximum = UINT64_C(86400) * 1000000000,
		.help = "how long such a thread stays when it has nothing to "
			"do",
	},
	{
		.name = "overflow",
		.type = TROUPE_OPTION_CHOICE,
		.initial = "fail",
		.choices = "fail|wait",
		.help = "what a spawn beyond max-threads does",
	},
	{
		.name = "stack-size",
		.type = TROUPE_OPTION_UINT,
		.initial = "0",
		.maximum = UINT64_C(1) << 32,
		.unit = "bytes",
		.help = "of such a thread; 0: the system's default",
	},
	{.name = NULL},
};

/* The sections that are not a policy's. */
static const struct known_section {
	const char *name;
	const struct troupe_option *options;
} known_sections[] = {
	{TROUPE__SCHEDULER_SECTION, known_scheduler},
	{TROUPE__DETACHED_SECTION, known_detached},
};

#define KNOWN_SECTIONS (sizeof(known_sections) / sizeof(known_sections[0]))

static bool known_is_core(const char *section)
{
	for (size_t i = 0; i < KNOWN_SECTIONS; i++)
		if (strcmp(section, known_sections[i].name) == 0)
			return true;
	return false;
}

/* ---- listing ----------------------------------------------------------- */

/* The policies that have a section: the chosen one first, so that its table
 * counts where a built-in one has the same name. NULL after the last. */
static const struct troupe_policy_ops *
known_policy(const struct troupe__settings *settings, size_t index)
{
	size_t first = settings->policy.inner != NULL ? 2 : 1;

	if (index == 0)
		return settings->policy.ops;
	if (index < first)
		return settings->policy.inner;
	return troupe__policy_section(index - first);
}

/* True if a policy before the one at @index has its name. */
static bool known_before(const struct troupe__settings *settings, size_t index)
{
	const char *name = known_policy(settings, index)->name;

	for (size_t i = 0; i < index; i++)
		if (strcmp(known_policy(settings, i)->name, name) == 0)
			return true;
	return false;
}

static size_t known_count_options(const struct troupe_option *options)
{
	size_t count = 0;

	while (options != NULL && options[count].name != NULL)
		count++;
	return count;
}

static int known_add_options(struct troupe__settings *settings,
			     const char *section,
			     const struct troupe_option *options,
			     struct troupe_error *error)
{
	struct troupe_error reason;

	for (; options != NULL && options->name != NULL; options++) {
		struct troupe__setting *setting =
			&settings->list[settings->count];
		int result;

		result = troupe__value_read(options, options->initial, &reason,
					    &setting->value);
		if (result < 0)
			return troupe__error(error, result,
					     "policy %s: option %s, its "
					     "default: %s",
					     section, options->name,
					     reason.text);
		setting->section = section;
		setting->option = options;
		setting->text = options->initial;
		settings->count++;
	}
	return 0;
}

int troupe__settings_declare(struct troupe__settings *settings,
			     struct troupe_error *error)
{
	const struct troupe_policy_ops *ops;
	size_t count = 0;
	int result = 0;

	for (size_t i = 0; i < KNOWN_SECTIONS; i++)
		count += known_count_options(known_sections[i].options);
	for (size_t i = 0; (ops = known_policy(settings, i)) != NULL; i++) {
		if (known_is_core(ops->name))
			return troupe__error(error, -EINVAL,
					     "policy %s: this name is taken by "
					     "a section of the core",
					     ops->name);
		count += known_count_options(ops->options);
	}
	settings->list = troupe__settings_alloc(
		settings, count * sizeof(*settings->list));
	if (settings->list == NULL)
		return troupe__config_no_memory(error);
	for (size_t i = 0; result == 0 && i < KNOWN_SECTIONS; i++)
		result = known_add_options(settings, known_sections[i].name,
					   known_sections[i].options, error);
	for (size_t i = 0;
	     result == 0 && (ops = known_policy(settings, i)) != NULL; i++)
		if (!known_before(settings, i))
			result = known_add_options(settings, ops->name,
						   ops->options, error);
	return result;
}

/* ---- finding ----------------------------------------------------------- */

struct troupe__setting *
troupe__settings_find(const struct troupe__settings *settings,
		      const char *section, const char *key)
{
	for (size_t i = 0; i < settings->count; i++)
		if (strcmp(settings->list[i].section, section) == 0 &&
		    strcmp(settings->list[i].option->name, key) == 0)
			return &settings->list[i];
	return NULL;
}

bool troupe__settings_has_section(const struct troupe__settings *settings,
				  const char *section)
{
	const struct troupe_policy_ops *ops;

	if (known_is_core(section))
		return true;
	for (size_t i = 0; (ops = known_policy(settings, i)) != NULL; i++)
		if (strcmp(section, ops->name) == 0)
			return true;
	return false;
}

/* ---- names that are not known ------------------------------------------ */

/* "a, b, c", cut at the end of @buffer. */
static void known_join(const char *const *names, char *buffer, size_t size)
{
	size_t length = 0;

	buffer[0] = '\0';
	for (size_t i = 0; names[i] != NULL && length < size; i++)
		length += (size_t)snprintf(buffer + length, size - length,
					   "%s%s", i > 0 ? ", " : "", names[i]);
}

int troupe__settings_unknown_section(struct troupe__settings *settings,
				     const struct troupe__entry *entry,
				     struct troupe_error *error)
{
	char quoted[TROUPE__QUOTE_SIZE];
	const struct troupe_policy_ops *ops;
	const char **names;
	const char *nearest;
	char known[200];
	size_t count = 0;

	while (known_policy(settings, count) != NULL)
		count++;
	names = troupe__settings_alloc(settings, (count + KNOWN_SECTIONS + 1) *
							 sizeof(*names));
	if (names == NULL)
		return troupe__config_no_memory(error);
	count = 0;
	for (size_t i = 0; i < KNOWN_SECTIONS; i++)
		names[count++] = known_sections[i].name;
	for (size_t i = 0; (ops = known_policy(settings, i)) != NULL; i++)
		if (!known_before(settings, i))
			names[count++] = ops->name;
	troupe__value_quote(quoted, entry->section);
	nearest = troupe__nearest(entry->section, names);
	if (nearest != NULL)
		return troupe__error(error, -EINVAL,
				     "%s: unknown section %s; the nearest is "
				     "%s",
				     entry->source, quoted, nearest);
	known_join(names, known, sizeof(known));
	return troupe__error(error, -EINVAL,
			     "%s: unknown section %s; known are %s, and a "
			     "plug-in's that is the policy",
			     entry->source, quoted, known);
}

int troupe__settings_unknown_key(struct troupe__settings *settings,
				 const struct troupe__entry *entry,
				 struct troupe_error *error)
{
	char quoted[TROUPE__QUOTE_SIZE];
	const char **names;
	const char *nearest;
	char known[250];
	size_t count = 0;

	names = troupe__settings_alloc(settings,
				       (settings->count + 1) * sizeof(*names));
	if (names == NULL)
		return troupe__config_no_memory(error);
	for (size_t i = 0; i < settings->count; i++)
		if (strcmp(settings->list[i].section, entry->section) == 0)
			names[count++] = settings->list[i].option->name;
	troupe__value_quote(quoted, entry->key);
	if (count == 0)
		return troupe__error(error, -EINVAL,
				     "%s: unknown key %s; [%s] has no keys",
				     entry->source, quoted, entry->section);
	nearest = troupe__nearest(entry->key, names);
	if (nearest != NULL)
		return troupe__error(error, -EINVAL,
				     "%s: unknown key %s in [%s]; the nearest "
				     "is %s",
				     entry->source, quoted, entry->section,
				     nearest);
	known_join(names, known, sizeof(known));
	return troupe__error(error, -EINVAL,
			     "%s: unknown key %s in [%s]; known are %s",
			     entry->source, quoted, entry->section, known);
}
