/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loading: collect what the sources say, open the policy that they choose,
 * and let one after the other overwrite the defaults. The order is here and
 * nowhere else: file, environment, command line, texts, fields. The policy
 * comes first, because its options are settings too.
 */
#include "config_parts.h"

#include "affinity.h"
#include "error.h"

#include <errno.h>
#include <string.h>

_Static_assert(sizeof(void *) != 8 || sizeof(struct troupe_config) == 120,
	       "programs have this struct compiled in: add fields at its end");

/* A struct troupe_config of no library is as large as this. */
#define CONFIG_MAX_SIZE 4096

/* ---- the struct -------------------------------------------------------- */

/* Copies the struct of an older, this, or (if the rest is zero) a newer
 * version into one of this version. */
static int config_complete(const struct troupe_config *given,
			   struct troupe_error *error,
			   struct troupe_config *ret_config)
{
	const unsigned char *bytes = (const unsigned char *)given;
	uint32_t size = sizeof(*ret_config);

	memset(ret_config, 0, sizeof(*ret_config));
	if (given == NULL)
		return 0;
	if (given->size < offsetof(struct troupe_config, file) ||
	    given->size > CONFIG_MAX_SIZE)
		return troupe__error(error, -EINVAL,
				     "config.size: expected %u, as "
				     "TROUPE_CONFIG_INIT sets it, got %u",
				     size, given->size);
	for (uint32_t i = size; i < given->size; i++)
		if (bytes[i] != 0)
			return troupe__error(error, -ENOTSUP,
					     "config.size: byte %u is set, and "
					     "this library knows %u: the "
					     "program needs a newer one",
					     i, size);
	memcpy(ret_config, given, given->size < size ? given->size : size);
	if ((ret_config->flags & ~(uint32_t)TROUPE_CONFIG_NO_ENVIRONMENT) != 0)
		return troupe__error(error, -ENOTSUP,
				     "config.flags: expected enum "
				     "troupe_config_flags, got 0x%x",
				     ret_config->flags);
	if (ret_config->argument_count > 0 && ret_config->arguments == NULL)
		return troupe__error(error, -EINVAL,
				     "config.arguments: expected what "
				     "troupe_config_arguments() sets, got "
				     "NULL");
	return 0;
}

/* ---- the policy -------------------------------------------------------- */

/* The last of @entries that chooses a policy, else @before. */
static const struct troupe__entry *
config_policy_entry(const struct troupe__entries *entries,
		    const struct troupe__entry *before)
{
	for (const struct troupe__entry *entry = entries->first; entry != NULL;
	     entry = entry->next)
		if (entry->key != NULL && strcmp(entry->key, "policy") == 0 &&
		    strcmp(entry->section, TROUPE__SCHEDULER_SECTION) == 0)
			before = entry;
	return before;
}

static int config_open_policy(struct troupe__settings *settings,
			      const struct troupe_config *config,
			      const struct troupe__entries *file,
			      const struct troupe__entries *code,
			      struct troupe_error *error)
{
	static const struct troupe__entry initial = {
		.source = "the default",
		.value = "work-stealing",
	};
	static const char variable[] =
		TROUPE__ENVIRONMENT_PREFIX "SCHEDULER_POLICY";
	const struct troupe__entry *entry = config_policy_entry(file, &initial);
	struct troupe__entry environment = {.source = variable};
	struct troupe_error reason = {0};
	int result;

	if (config->policy != NULL) {
		result = troupe__policy_use(config->policy, &settings->policy,
					    &reason);
		return result == 0 ? 0
				   : troupe__error(error, result,
						   "config.policy: %s",
						   reason.text);
	}
	if ((config->flags & TROUPE_CONFIG_NO_ENVIRONMENT) == 0)
		environment.value = troupe__environment(variable);
	if (environment.value != NULL)
		entry = &environment;
	entry = config_policy_entry(code, entry);
	if (entry->value[0] == '\0')
		return troupe__error(error, -EINVAL,
				     "%s: scheduler.policy: expected a "
				     "policy's name or a plug-in's path, got "
				     "\"\"",
				     entry->source);
	result = troupe__policy_open(entry->value, &settings->policy, &reason);
	return result == 0 ? 0
			   : troupe__error(error, result,
					   "%s: scheduler.policy: %s",
					   entry->source, reason.text);
}

/* ---- applying ---------------------------------------------------------- */

static int config_apply_entry(struct troupe__settings *settings,
			      const struct troupe__entry *entry,
			      struct troupe_error *error)
{
	struct troupe__setting *setting;
	struct troupe_error reason;
	int result;

	if (!troupe__settings_has_section(settings, entry->section))
		return troupe__settings_unknown_section(settings, entry, error);
	if (entry->key == NULL)
		return 0;
	setting = troupe__settings_find(settings, entry->section, entry->key);
	if (setting == NULL)
		return troupe__settings_unknown_key(settings, entry, error);
	if (entry->from_file && setting->from_file)
		return troupe__error(error, -EINVAL,
				     "%s: %s.%s: expected once, and was set at "
				     "%s",
				     entry->source, entry->section, entry->key,
				     setting->source);
	result = troupe__value_read(setting->option, entry->value, &reason,
				    &setting->value);
	if (result < 0)
		return troupe__error(error, result, "%s: %s.%s: %s",
				     entry->source, entry->section, entry->key,
				     reason.text);
	setting->text = entry->value;
	setting->source = entry->source;
	setting->from_file = entry->from_file;
	return 0;
}

static int config_apply(struct troupe__settings *settings,
			const struct troupe__entries *entries,
			struct troupe_error *error)
{
	for (const struct troupe__entry *entry = entries->first; entry != NULL;
	     entry = entry->next) {
		int result = config_apply_entry(settings, entry, error);

		if (result < 0)
			return result;
	}
	return 0;
}

/* ---- what the core reads ----------------------------------------------- */

/* Tries the plan, so that a bad one is told with its source. */
static int config_check_affinity(struct troupe__settings *settings,
				 const struct troupe__setting *setting,
				 struct troupe_error *error)
{
	struct troupe_error reason;
	int *cpus;
	int result;

	if (strcmp(setting->text, "none") == 0)
		return 0;
	cpus = troupe__settings_alloc(settings,
				      settings->max_threads * sizeof(*cpus));
	if (cpus == NULL)
		return troupe__config_no_memory(error);
	result = troupe__affinity_plan(setting->text, settings->max_threads,
				       &reason, cpus);
	return result == 0 ? 0
			   : troupe__error(error, result, "%s: %s.%s: %s",
					   setting->source, setting->section,
					   setting->option->name, reason.text);
}

static uint64_t config_value(const struct troupe__settings *settings,
			     const char *section, const char *key)
{
	return troupe__settings_find(settings, section, key)->value;
}

static int config_finish(struct troupe__settings *settings,
			 struct troupe_error *error)
{
	const char *section = TROUPE__SCHEDULER_SECTION;
	struct troupe__setting *threads =
		troupe__settings_find(settings, section, "max-threads");
	const struct troupe__setting *affinity =
		troupe__settings_find(settings, section, "affinity");

	if (threads->value == 0) {
		uint32_t cpus = troupe__usable_cpus();

		threads->value =
			cpus < TROUPE__MAX_THREADS ? cpus : TROUPE__MAX_THREADS;
		threads->text = troupe__settings_text(settings, "%u",
						      (unsigned)threads->value);
		if (threads->text == NULL)
			return troupe__config_no_memory(error);
	}
	settings->max_threads = (uint32_t)threads->value;
	settings->max_throughput =
		(uint32_t)config_value(settings, section, "max-throughput");
	settings->stack_size =
		(size_t)config_value(settings, section, "stack-size");
	section = TROUPE__DETACHED_SECTION;
	settings->detached_max_threads =
		(uint32_t)config_value(settings, section, "max-threads");
	settings->detached_wait =
		config_value(settings, section, "overflow") != 0;
	settings->detached_keep_alive =
		config_value(settings, section, "keep-alive");
	settings->detached_stack_size =
		(size_t)config_value(settings, section, "stack-size");
	settings->thread_name =
		troupe__settings_find(settings, TROUPE__SCHEDULER_SECTION,
				      "thread-name")
			->text;
	settings->affinity = affinity->text;
	return config_check_affinity(settings, affinity, error);
}

/* ---- loading ----------------------------------------------------------- */

static int config_load(struct troupe__settings *settings,
		       const struct troupe_config *given,
		       struct troupe_error *error)
{
	struct troupe__entries environment = {0};
	struct troupe__entries file = {0};
	struct troupe__entries code = {0};
	struct troupe_config config;
	int result;

	result = config_complete(given, error, &config);
	if (result == 0 && config.file != NULL)
		result = troupe__config_read_file(settings, config.file, &file,
						  error);
	if (result == 0)
		result = troupe__config_read_code(settings, &config, &code,
						  error);
	if (result == 0)
		result = config_open_policy(settings, &config, &file, &code,
					    error);
	if (result == 0)
		result = troupe__settings_declare(settings, error);
	if (result == 0 && (config.flags & TROUPE_CONFIG_NO_ENVIRONMENT) == 0)
		result = troupe__config_read_environment(settings, &environment,
							 error);
	if (result == 0)
		result = config_apply(settings, &file, error);
	if (result == 0)
		result = config_apply(settings, &environment, error);
	if (result == 0)
		result = config_apply(settings, &code, error);
	if (result == 0)
		result = config_finish(settings, error);
	settings->on_dead_letter = config.on_dead_letter;
	settings->on_thread_start = config.on_thread_start;
	settings->on_thread_stop = config.on_thread_stop;
	settings->thread_context = config.thread_context;
	settings->dead_letter_context = config.dead_letter_context;
	return result;
}

int troupe__settings_load(const struct troupe_config *config,
			  struct troupe_error *error,
			  struct troupe__settings **ret_settings)
{
	struct troupe__settings *settings = troupe__alloc(sizeof(*settings));
	int result;

	if (settings == NULL)
		return troupe__config_no_memory(error);
	memset(settings, 0, sizeof(*settings));
	result = config_load(settings, config, error);
	if (result < 0) {
		troupe__settings_free(settings);
		return result;
	}
	*ret_settings = settings;
	return 0;
}

void troupe__settings_free(struct troupe__settings *settings)
{
	if (settings == NULL)
		return;
	troupe__policy_close(&settings->policy);
	troupe__settings_free_pieces(settings);
	troupe__free(settings);
}
