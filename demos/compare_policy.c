/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The policies to compare: each is tried once before anything is measured, so
 * that an unknown name, a plug-in that does not load or a bad setting ends
 * the program at once; and each gets only the settings of its own section,
 * because a plug-in's section is unknown to a system that runs another policy.
 */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

static const char *const policy_usual[] = {
	"work-sharing",
	"work-stealing",
	"fifo",
};

#define POLICY_USUAL (sizeof(policy_usual) / sizeof(policy_usual[0]))

/* "profiled:work-stealing" has the sections of both. */
static bool policy_has_section(const char *names, const char *section,
			       size_t length)
{
	while (*names != '\0') {
		size_t part = strcspn(names, ":");

		if (part == length && strncmp(names, section, part) == 0)
			return true;
		names += part + (names[part] == ':');
	}
	return false;
}

/* @setting: SECTION.KEY=VALUE, which compare_options.c has checked. */
static bool policy_is_meant(const struct compare_policy *policy,
			    const char *setting)
{
	size_t length = strcspn(setting, ".");

	return policy_has_section("scheduler", setting, length) ||
	       (policy->label != NULL &&
		policy_has_section(policy->label, setting, length));
}

static const char *policy_argument_setting(const char *argument)
{
	return argument + strlen("--troupe.");
}

static void policy_choose_settings(const struct compare *compare,
				   struct compare_policy *policy)
{
	for (size_t i = 0; i < compare->settings.count; i++)
		if (policy_is_meant(policy, compare->settings.items[i]))
			compare_list_add(&policy->settings,
					 compare->settings.items[i]);
	for (size_t i = 0; i < policy->own_count; i++)
		compare_list_add(&policy->settings, policy->own[i]);
	for (uint32_t i = 0; i < compare->arguments.argument_count; i++) {
		const char *argument = compare->arguments.arguments[i];

		if (policy_is_meant(policy, policy_argument_setting(argument)))
			compare_list_add(&policy->arguments, argument);
	}
}

struct troupe_config compare_policy_config(const struct compare_policy *policy,
					   uint32_t workers)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;

	config.policy_name = policy->name;
	config.max_threads = workers;
	if (policy->settings.count > 0)
		config.settings = policy->settings.items;
	config.arguments = (char *const *)policy->arguments.items;
	config.argument_count = (uint32_t)policy->arguments.count;
	return config;
}

/* The library names the field that the policy came from; here it is an
 * option. */
static int policy_error(const char *text)
{
	static const char field[] = "config.policy_name: scheduler.policy: ";
	bool ours = strncmp(text, field, strlen(field)) == 0;

	return compare_error(COMPARE_USAGE, "%s%s", ours ? "--policy: " : "",
			     ours ? text + strlen(field) : text);
}

/* Starts a system and ends it. Its own name for the policy is the label. */
static int policy_try(struct compare_policy *policy)
{
	struct troupe_config config = compare_policy_config(policy, 1);
	struct troupe_error error;
	struct troupe_system *system;

	if (troupe_system_create(&config, &error, &system) != 0)
		return policy_error(error.text);
	if (policy->label == NULL)
		policy->label = strdup(troupe_system_policy(system));
	troupe_system_destroy(system);
	if (policy->label == NULL)
		return compare_error(COMPARE_FAILED, "out of memory");
	return COMPARE_OK;
}

/* "p.so" is a file, and the library wants a slash in it. */
static char *policy_name(const char *given, size_t length)
{
	bool file = length > 3 && strncmp(given + length - 3, ".so", 3) == 0 &&
		    memchr(given, '/', length) == NULL &&
		    memchr(given, ':', length) == NULL;
	char *name = compare_alloc(length + 3, 1);

	if (file)
		memcpy(name, "./", 2);
	memcpy(name + strlen(name), given, length);
	return name;
}

/* Makes SECTION.KEY=VALUE of each ",KEY=VALUE" for the innermost section. */
static int policy_read_own(struct compare_policy *policy, const char *rest)
{
	const char *colon = strrchr(policy->label, ':');
	const char *section = colon != NULL ? colon + 1 : policy->label;

	policy->own = compare_alloc(strlen(rest) + 1, sizeof(*policy->own));
	while (*rest == ',') {
		size_t length = strcspn(++rest, ",");
		char *setting = compare_alloc(strlen(section) + length + 2, 1);

		policy->own[policy->own_count++] = setting;
		strcpy(setting, section);
		strcat(setting, ".");
		strncat(setting, rest, length);
		if (memchr(rest, '=', length) == NULL)
			return compare_error(COMPARE_USAGE,
					     "--policy: '%.*s' after a comma "
					     "is not KEY=VALUE",
					     (int)length, rest);
		rest += length;
	}
	return COMPARE_OK;
}

/* The label says which options differ: "work-stealing,idle=poll". */
static void policy_extend_label(struct compare_policy *policy, const char *rest)
{
	char *label =
		compare_alloc(strlen(policy->label) + strlen(rest) + 1, 1);

	strcpy(label, policy->label);
	strcat(label, rest);
	free(policy->label);
	policy->label = label;
}

static int policy_open(const struct compare *compare,
		       struct compare_policy *policy, const char *given)
{
	const char *rest = given + strcspn(given, ",");
	int status;

	policy->given = given;
	policy->name = policy_name(given, (size_t)(rest - given));
	status = policy_try(policy);
	if (status == COMPARE_OK)
		status = policy_read_own(policy, rest);
	if (status != COMPARE_OK)
		return status;
	policy_choose_settings(compare, policy);
	policy_extend_label(policy, rest);
	return policy_try(policy);
}

/* Two files that call themselves the same are told apart by their names. */
static void policy_tell_apart(struct compare *compare)
{
	for (size_t i = 0; i < compare->policy_count; i++) {
		struct compare_policy *a = &compare->policies[i];

		for (size_t j = 0; j < i; j++) {
			struct compare_policy *b = &compare->policies[j];
			const char *slash = strrchr(a->given, '/');

			if (strcmp(a->label, b->label) != 0 ||
			    strcmp(a->given, b->given) == 0)
				continue;
			free(a->label);
			a->label = strdup(slash != NULL ? slash + 1 : a->given);
			if (a->label == NULL)
				exit(compare_error(COMPARE_FAILED,
						   "out of memory"));
		}
	}
}

/* A setting that no policy took is a mistake, not a wish. */
static int policy_check_setting(const struct compare *compare,
				const char *option, const char *setting)
{
	for (size_t i = 0; i < compare->policy_count; i++)
		if (policy_is_meant(&compare->policies[i], setting))
			return COMPARE_OK;
	return compare_error(COMPARE_USAGE,
			     "%s%s: no policy '%.*s' is compared", option,
			     setting, (int)strcspn(setting, "."), setting);
}

static int policy_check_settings(const struct compare *compare)
{
	int status = COMPARE_OK;

	for (size_t i = 0; status == COMPARE_OK && i < compare->settings.count;
	     i++)
		status = policy_check_setting(compare, "--set ",
					      compare->settings.items[i]);
	for (uint32_t i = 0;
	     status == COMPARE_OK && i < compare->arguments.argument_count; i++)
		status = policy_check_setting(
			compare, "--troupe.",
			policy_argument_setting(
				compare->arguments.arguments[i]));
	return status;
}

/* As many workers as a system takes when nobody says how many. */
static int policy_count_processors(struct compare *compare)
{
	struct troupe_config config =
		compare_policy_config(&compare->policies[0], 0);
	struct troupe_error error;
	struct troupe_system *system;

	if (troupe_system_create(&config, &error, &system) != 0)
		return compare_error(COMPARE_USAGE, "%s", error.text);
	compare->processors = troupe_system_worker_count(system);
	troupe_system_destroy(system);
	if (compare->worker_count > 0)
		return COMPARE_OK;
	compare->workers = compare_alloc(2, sizeof(*compare->workers));
	compare->workers[compare->worker_count++] = 1;
	if (compare->processors > 1)
		compare->workers[compare->worker_count++] = compare->processors;
	return COMPARE_OK;
}

int compare_policies_open(struct compare *compare)
{
	int status = COMPARE_OK;

	if (compare->given_policies.count == 0)
		for (size_t i = 0; i < POLICY_USUAL; i++)
			compare_list_add(&compare->given_policies,
					 policy_usual[i]);
	compare->policies = compare_alloc(compare->given_policies.count,
					  sizeof(*compare->policies));
	for (size_t i = 0;
	     status == COMPARE_OK && i < compare->given_policies.count; i++) {
		compare->policy_count++;
		status = policy_open(compare, &compare->policies[i],
				     compare->given_policies.items[i]);
	}
	if (status == COMPARE_OK)
		status = policy_check_settings(compare);
	if (status != COMPARE_OK)
		return status;
	policy_tell_apart(compare);
	return policy_count_processors(compare);
}

void compare_policies_close(struct compare *compare)
{
	for (size_t i = 0; i < compare->policy_count; i++) {
		struct compare_policy *policy = &compare->policies[i];

		for (size_t j = 0; j < policy->own_count; j++)
			free(policy->own[j]);
		free(policy->own);
		free(policy->settings.items);
		free(policy->arguments.items);
		free(policy->name);
		free(policy->label);
	}
	free(compare->policies);
}
