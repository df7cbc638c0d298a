/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding a policy: by name among those built in, as a plug-in by its path,
 * and wrapped in "profiled:". Checking its table, and completing it for the
 * core. Of this folder only this file knows headers of the core.
 */
#include "policy.h"

#include "error.h"
#include "policy_list.h"
#include "profiled.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Tables of older versions end here: version 1 has all slots. */
#define POLICY_SIZE_1 \
	(offsetof(struct troupe_policy_ops, after_completion) + sizeof(void *))
/* A table of no version is as large as this: it is not a table. */
#define POLICY_MAX_SIZE 4096
/* Larger private data than this is a mistake. */
#define POLICY_MAX_DATA	   ((size_t)1 << 30)

#define POLICY_PROFILED	   "profiled"

#define POLICY_TABLE(name) &(name),
static const struct troupe_policy_ops *const policy_builtin[] = {
	POLICY_LIST(POLICY_TABLE) NULL,
};
#define POLICY_BUILTINS (sizeof(policy_builtin) / sizeof(policy_builtin[0]) - 1)

const struct troupe_policy_ops *troupe_policy_builtin(size_t index)
{
	return index < POLICY_BUILTINS ? policy_builtin[index] : NULL;
}

const struct troupe_policy_ops *troupe__policy_section(size_t index)
{
	return index == POLICY_BUILTINS ? &troupe__profiled_section
					: troupe_policy_builtin(index);
}

/* ---- check ------------------------------------------------------------- */

/* Lower case letters, digits and hyphens, so that it is a config section, part
 * of an environment variable and a word on a command line. */
static bool policy_good_name(const char *name)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	size_t length;

	if (name == NULL)
		return false;
	length = strlen(name);
	return length > 0 && length < 64 && strspn(name, good) == length;
}

/* What tells a table from something else, and old from new: only after this
 * may the other fields be read. */
static int policy_check_header(const struct troupe_policy_ops *ops,
			       struct troupe_error *error)
{
	const unsigned char *bytes = (const unsigned char *)ops;

	if (ops == NULL)
		return troupe__error(error, -EINVAL,
				     "policy: expected a table, got NULL");
	if (ops->size < POLICY_SIZE_1 || ops->size > POLICY_MAX_SIZE)
		return troupe__error(error, -EINVAL,
				     "policy: size: expected "
				     "sizeof(struct troupe_policy_ops), %zu, "
				     "got %u",
				     sizeof(*ops), ops->size);
	if (!policy_good_name(ops->name))
		return troupe__error(error, -EINVAL,
				     "policy: name: expected a-z, 0-9 and "
				     "hyphens, got \"%.64s\"",
				     ops->name == NULL ? "" : ops->name);
	if (ops->version == 0 || ops->version > TROUPE_POLICY_VERSION)
		return troupe__error(
			error, ops->version == 0 ? -EINVAL : -ENOTSUP,
			"policy %s: version: expected 1 to %u, "
			"got %u",
			ops->name, TROUPE_POLICY_VERSION, ops->version);
	for (size_t i = sizeof(*ops); i < ops->size; i++)
		if (bytes[i] != 0)
			return troupe__error(error, -ENOTSUP,
					     "policy %s: it has slots that "
					     "this library does not know: it "
					     "needs a newer one",
					     ops->name);
	return 0;
}

static int policy_check_slots(const struct troupe_policy_ops *ops,
			      struct troupe_error *error)
{
	const struct {
		const char *name;
		bool set;
	} slots[] = {
		{"central_enqueue", ops->central_enqueue != NULL},
		{"external_enqueue", ops->external_enqueue != NULL},
		{"internal_enqueue", ops->internal_enqueue != NULL},
		{"resume_job_later", ops->resume_job_later != NULL},
		{"dequeue", ops->dequeue != NULL},
		{"wake_all", ops->wake_all != NULL},
		{"drain", ops->drain != NULL},
	};

	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
		if (!slots[i].set)
			return troupe__error(error, -EINVAL,
					     "policy %s: slot %s: expected a "
					     "function, got NULL",
					     ops->name, slots[i].name);
	return 0;
}

static int policy_check_fields(const struct troupe_policy_ops *ops,
			       struct troupe_error *error)
{
	const struct {
		const char *name;
		size_t size;
	} sizes[] = {
		{"coordinator_data_size", ops->coordinator_data_size},
		{"worker_data_size", ops->worker_data_size},
		{"job_data_size", ops->job_data_size},
	};

	if ((ops->flags & ~(uint32_t)TROUPE_POLICY_STAMP_READY) != 0)
		return troupe__error(error, -ENOTSUP,
				     "policy %s: flags: expected enum "
				     "troupe_policy_flags, got 0x%x",
				     ops->name, ops->flags);
	if (ops->wait_bound == 0)
		return troupe__error(error, -EINVAL,
				     "policy %s: wait_bound: expected at "
				     "least 1, got 0: no job may wait for "
				     "ever",
				     ops->name);
	if (ops->summary == NULL)
		return troupe__error(error, -EINVAL,
				     "policy %s: summary: expected a line, "
				     "got NULL",
				     ops->name);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (sizes[i].size > POLICY_MAX_DATA)
			return troupe__error(error, -EINVAL,
					     "policy %s: %s: expected bytes, "
					     "at most %zu, got %zu",
					     ops->name, sizes[i].name,
					     POLICY_MAX_DATA, sizes[i].size);
	return 0;
}

/* The values' texts are read, and so checked, by core/config.c. */
static int policy_check_option(const struct troupe_policy_ops *ops,
			       const struct troupe_option *option,
			       struct troupe_error *error)
{
	const char *what = NULL;

	if (!policy_good_name(option->name))
		what = "name: expected a-z, 0-9 and hyphens";
	else if ((unsigned)option->type > TROUPE_OPTION_STRING)
		what = "type: expected one of enum troupe_option_type";
	else if (option->initial == NULL)
		what = "initial: expected a text, got NULL";
	else if (option->type == TROUPE_OPTION_CHOICE &&
		 (option->choices == NULL || option->choices[0] == '\0'))
		what = "choices: expected \"one|other\"";
	else if (option->type <= TROUPE_OPTION_DURATION &&
		 option->minimum > option->maximum)
		what = "minimum: expected at most maximum";
	for (const struct troupe_option *other = ops->options;
	     what == NULL && other != option; other++)
		if (strcmp(other->name, option->name) == 0)
			what = "name: expected once, and it comes twice";
	if (what == NULL)
		return 0;
	return troupe__error(error, -EINVAL, "policy %s: option \"%.64s\": %s",
			     ops->name, option->name, what);
}

int troupe_policy_check(const struct troupe_policy_ops *ops,
			struct troupe_error *error)
{
	int result = policy_check_header(ops, error);

	if (result == 0)
		result = policy_check_slots(ops, error);
	if (result == 0)
		result = policy_check_fields(ops, error);
	if (result == 0 && ops->options != NULL)
		for (const struct troupe_option *option = ops->options;
		     result == 0 && option->name != NULL; option++)
			result = policy_check_option(ops, option, error);
	return result;
}

/* ---- complete ---------------------------------------------------------- */

static int policy_no_init(struct troupe_coordinator *self)
{
	(void)self;
	return 0;
}

static void policy_no_fini(struct troupe_coordinator *self)
{
	(void)self;
}

static int policy_no_worker_init(struct troupe_worker *self)
{
	(void)self;
	return 0;
}

static void policy_no_worker_fini(struct troupe_worker *self)
{
	(void)self;
}

static void policy_no_hook(struct troupe_worker *self, struct troupe_job *job)
{
	(void)self;
	(void)job;
}

void troupe__policy_complete(const struct troupe_policy_ops *ops,
			     struct troupe_policy_ops *ret_table)
{
	struct troupe_policy_ops table = {0};

	memcpy(&table, ops,
	       ops->size < sizeof(table) ? ops->size : sizeof(table));
	table.size = sizeof(table);
	if (table.init == NULL)
		table.init = policy_no_init;
	if (table.fini == NULL)
		table.fini = policy_no_fini;
	if (table.worker_init == NULL)
		table.worker_init = policy_no_worker_init;
	if (table.worker_fini == NULL)
		table.worker_fini = policy_no_worker_fini;
	if (table.before_resume == NULL)
		table.before_resume = policy_no_hook;
	if (table.after_resume == NULL)
		table.after_resume = policy_no_hook;
	if (table.after_completion == NULL)
		table.after_completion = policy_no_hook;
	*ret_table = table;
}

/* ---- open -------------------------------------------------------------- */

/* Says which names there are, and which one may be meant. */
static void policy_unknown(const char *name, struct troupe_error *error)
{
	const char *names[POLICY_BUILTINS + 1];
	const char *nearest;
	char known[200] = "";
	size_t length = 0;

	for (size_t i = 0; i < POLICY_BUILTINS; i++) {
		names[i] = policy_builtin[i]->name;
		length +=
			(size_t)snprintf(known + length, sizeof(known) - length,
					 "%s, ", names[i]);
		if (length >= sizeof(known))
			length = sizeof(known) - 1;
	}
	names[POLICY_BUILTINS] = NULL;
	nearest = troupe__nearest(name, names);
	troupe__error(error, -ENOENT,
		      "unknown policy \"%.64s\"%s%s%s known are %s"
		      "profiled:NAME, and a plug-in by a path with a slash",
		      name, nearest == NULL ? "" : ", did you mean ",
		      nearest == NULL ? "" : nearest,
		      nearest == NULL ? ";" : "?", known);
}

static int policy_find(const char *name, struct troupe__policy *policy,
		       struct troupe_error *error)
{
	for (size_t i = 0; i < POLICY_BUILTINS; i++)
		if (strcmp(policy_builtin[i]->name, name) == 0) {
			policy->ops = policy_builtin[i];
			policy->title = policy_builtin[i]->name;
			return troupe_policy_check(policy->ops, error);
		}
	policy_unknown(name, error);
	return -ENOENT;
}

static int policy_load(const char *path, struct troupe__policy *policy,
		       struct troupe_error *error)
{
	struct troupe_error mistake;
	char reason[300];
	int result = troupe__library_open(&policy->library, path, reason,
					  sizeof(reason));

	if (result != 0)
		return troupe__error(error, result,
				     "plug-in %.150s: cannot be loaded: %s",
				     path, reason);
	policy->loaded = true;
	policy->ops = troupe__library_symbol(&policy->library, "troupe_policy");
	if (policy->ops == NULL)
		return troupe__error(error, -EINVAL,
				     "plug-in %.150s: expected the symbol "
				     "troupe_policy, a const struct "
				     "troupe_policy_ops, and it is not there",
				     path);
	result = troupe_policy_check(policy->ops, &mistake);
	if (result != 0)
		return troupe__error(error, result, "plug-in %.150s: %s", path,
				     mistake.text);
	policy->title = policy->ops->name;
	return 0;
}

/* Puts the wrapper around what was opened. */
static int policy_profile(struct troupe__policy *policy,
			  struct troupe_error *error)
{
	struct troupe__profiled *profiled = troupe__alloc(sizeof(*profiled));

	if (profiled == NULL)
		return troupe__error(error, -ENOMEM, "out of memory");
	troupe__policy_complete(policy->ops, &profiled->inner);
	troupe__profiled_wrap(profiled);
	policy->inner = policy->ops;
	policy->owned = &profiled->ops;
	policy->ops = policy->owned;
	policy->title = profiled->title;
	return 0;
}

int troupe__policy_open(const char *name, struct troupe__policy *ret_policy,
			struct troupe_error *error)
{
	static const char prefix[] = POLICY_PROFILED ":";
	bool profiled = strncmp(name, prefix, sizeof(prefix) - 1) == 0;
	struct troupe__policy policy = {0};
	int result;

	if (profiled)
		name += sizeof(prefix) - 1;
	if (strcmp(name, POLICY_PROFILED) == 0 ||
	    strncmp(name, prefix, sizeof(prefix) - 1) == 0)
		return troupe__error(error, -EINVAL,
				     "policy " POLICY_PROFILED
				     ": expected one other policy to wrap, "
				     "as in " POLICY_PROFILED ":%s",
				     policy_builtin[0]->name);
	if (strchr(name, '/') != NULL)
		result = policy_load(name, &policy, error);
	else
		result = policy_find(name, &policy, error);
	if (result == 0 && profiled)
		result = policy_profile(&policy, error);
	if (result != 0) {
		troupe__policy_close(&policy);
		return result;
	}
	*ret_policy = policy;
	return 0;
}

int troupe__policy_use(const struct troupe_policy_ops *ops,
		       struct troupe__policy *ret_policy,
		       struct troupe_error *error)
{
	int result = troupe_policy_check(ops, error);

	if (result != 0)
		return result;
	*ret_policy = (struct troupe__policy){.ops = ops, .title = ops->name};
	return 0;
}

void troupe__policy_close(struct troupe__policy *policy)
{
	/* The wrapper's table is the first field of what was allocated. */
	troupe__free(policy->owned);
	if (policy->loaded)
		troupe__library_close(&policy->library);
	*policy = (struct troupe__policy){0};
}
