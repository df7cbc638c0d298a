/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings from the environment. A variable's name does not tell where the
 * section ends and the key begins, so the names of all settings are made and
 * compared.
 */
#include "config_parts.h"

#include "error.h"

#include <errno.h>
#include <string.h>

#define PREFIX_LENGTH (sizeof(TROUPE__ENVIRONMENT_PREFIX) - 1)

/* "TROUPE_WORK_STEALING_IDLE" for work-stealing.idle. */
static const char *environment_variable(struct troupe__settings *settings,
					const struct troupe__setting *setting)
{
	const char *made = troupe__settings_text(
		settings, TROUPE__ENVIRONMENT_PREFIX "%s_%s", setting->section,
		setting->option->name);
	char *name = (char *)made;

	/* By hand: toupper() depends on the locale. */
	for (char *at = name; at != NULL && *at != '\0'; at++) {
		if (*at >= 'a' && *at <= 'z')
			*at = (char)(*at - 'a' + 'A');
		else if ((*at < 'A' || *at > 'Z') && (*at < '0' || *at > '9'))
			*at = '_';
	}
	return made;
}

/* The names of all settings in the same order; NULL ends them, and is the
 * answer when out of memory. */
static const char **environment_variables(struct troupe__settings *settings)
{
	const char **names = troupe__settings_alloc(
		settings, (settings->count + 1) * sizeof(*names));

	for (size_t i = 0; names != NULL && i < settings->count; i++) {
		names[i] = environment_variable(settings, &settings->list[i]);
		if (names[i] == NULL)
			return NULL;
	}
	return names;
}

static int environment_unknown_variable(const char *name, const char **names,
					struct troupe_error *error)
{
	char quoted[TROUPE__QUOTE_SIZE];
	const char *nearest;

	/* The prefix is common to all and says nothing. */
	for (size_t i = 0; names[i] != NULL; i++)
		names[i] += PREFIX_LENGTH;
	nearest = troupe__nearest(name + PREFIX_LENGTH, names);
	troupe__value_quote(quoted, name);
	if (nearest == NULL)
		return troupe__error(error, -EINVAL,
				     "environment variable %s: no setting has "
				     "this name",
				     quoted);
	return troupe__error(error, -EINVAL,
			     "environment variable %s: no setting has this "
			     "name; the nearest is %s%s",
			     quoted, TROUPE__ENVIRONMENT_PREFIX, nearest);
}

/* One "NAME=value" that begins as ours do. */
static int environment_add_variable(struct troupe__settings *settings,
				    const char *variable, const char **names,
				    struct troupe__entries *entries,
				    struct troupe_error *error)
{
	const char *value = strchr(variable, '=');
	struct troupe__entry entry = {0};

	if (value == NULL)
		return 0;
	entry.value = value + 1;
	entry.source = troupe__settings_text(settings, "%.*s",
					     (int)(value - variable), variable);
	if (entry.source == NULL)
		return troupe__config_no_memory(error);
	for (size_t i = 0; i < settings->count; i++) {
		if (strcmp(names[i], entry.source) != 0)
			continue;
		if (entry.key != NULL)
			return troupe__error(error, -EINVAL,
					     "environment variable %s: may be "
					     "%s.%s or %s.%s: set it elsewhere",
					     entry.source, entry.section,
					     entry.key,
					     settings->list[i].section,
					     settings->list[i].option->name);
		entry.section = settings->list[i].section;
		entry.key = settings->list[i].option->name;
	}
	if (entry.key == NULL)
		return environment_unknown_variable(entry.source, names, error);
	return troupe__entries_add(settings, entries, &entry, error);
}

int troupe__config_read_environment(struct troupe__settings *settings,
				    struct troupe__entries *entries,
				    struct troupe_error *error)
{
	char *const *variables = troupe__environment_all();
	const char **names = NULL;
	int result;

	for (; variables != NULL && *variables != NULL; variables++) {
		if (strncmp(*variables, TROUPE__ENVIRONMENT_PREFIX,
			    PREFIX_LENGTH) != 0)
			continue;
		if (names == NULL)
			names = environment_variables(settings);
		if (names == NULL)
			return troupe__config_no_memory(error);
		result = environment_add_variable(settings, *variables, names,
						  entries, error);
		if (result < 0)
			return result;
	}
	return 0;
}
