/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy_conformance: does a policy hold the contracts of troupe_policy.h?
 *
 *	policy_conformance [OPTION...] [NAME|FILE.so...]
 *
 * Runs every check over every policy named: a built-in one, "profiled:NAME",
 * or a plug-in by a path with a slash. One line for each check, and at the end
 * how many passed and failed, which is also the status.
 */
#include "config.h"
#include "policy.h"
#include "runner.h"
#include "troupe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONFORMANCE_POLICIES	32
#define CONFORMANCE_SETTINGS	32
#define CONFORMANCE_PATIENCE_MS 10000

struct conformance {
	struct runner_options options;
	uint32_t workers; /* 0: as each check says */
	const char *only; /* part of a check's name, or NULL */
	bool list;
	const char *names[CONFORMANCE_POLICIES];
	uint32_t name_count;
	const char *settings[CONFORMANCE_SETTINGS + 1];
	uint32_t setting_count;
	struct troupe__policy policies[CONFORMANCE_POLICIES];
	struct runner_case *cases;
	size_t count;
	uint32_t passed, failed;
};

static const char conformance_help[] =
	"usage: policy_conformance [OPTION...] [NAME|FILE.so...]\n"
	"\n"
	"Checks that a scheduling policy holds the contracts of\n"
	"troupe_policy.h. NAME is a built-in policy or profiled:NAME; FILE.so\n"
	"is a plug-in, by a path with a slash. Default: all built-in ones.\n"
	"\n"
	"  --only TEXT              checks whose name contains TEXT, such as\n"
	"                           'contract 3'\n"
	"  --workers N              with N workers, where a check allows it\n"
	"  --set SECTION.KEY=VALUE  a setting, such as "
	"work-stealing.idle=poll\n"
	"  --seed N                 the numbers of an earlier run\n"
	"  --patience MS            without progress for so long it hangs\n"
	"  --at-once N              checks that run at the same time\n"
	"  --list                   the names of the checks\n";

/* ---- arguments --------------------------------------------------------- */

__attribute__((noreturn)) static void conformance_usage(const char *what,
							const char *argument)
{
	fprintf(stderr, "policy_conformance: %s: %s\n%s", what, argument,
		conformance_help);
	exit(2);
}

static uint64_t conformance_number(const char *option, const char *text,
				   uint64_t maximum)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno != 0 || *end != '\0' || end == text || text[0] == '-' ||
	    value > maximum)
		conformance_usage(option, "expected a number in range");
	return value;
}

/* An option with a value. */
static void conformance_option(struct conformance *it, const char *option,
			       const char *value)
{
	if (strcmp(option, "--only") == 0) {
		it->only = value;
	} else if (strcmp(option, "--workers") == 0) {
		it->workers = (uint32_t)conformance_number(option, value,
							   BOARD_WORKERS);
	} else if (strcmp(option, "--seed") == 0) {
		it->options.seed =
			conformance_number(option, value, UINT64_MAX);
	} else if (strcmp(option, "--patience") == 0) {
		it->options.patience_ms =
			(uint32_t)conformance_number(option, value, 3600000);
	} else if (strcmp(option, "--at-once") == 0) {
		it->options.at_once =
			(uint32_t)conformance_number(option, value, 64);
		if (it->options.at_once == 0)
			conformance_usage(option, "expected at least 1");
	} else if (strcmp(option, "--set") == 0) {
		if (it->setting_count == CONFORMANCE_SETTINGS)
			conformance_usage(option, "too many");
		it->settings[it->setting_count++] = value;
	} else {
		conformance_usage("unknown option", option);
	}
}

static void conformance_arguments(struct conformance *it, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			fputs(conformance_help, stdout);
			exit(0);
		} else if (strcmp(argv[i], "--list") == 0) {
			it->list = true;
		} else if (argv[i][0] == '-') {
			if (i + 1 == argc)
				conformance_usage("expected a value after",
						  argv[i]);
			conformance_option(it, argv[i], argv[i + 1]);
			i++;
		} else {
			if (it->name_count == CONFORMANCE_POLICIES)
				conformance_usage("too many policies", argv[i]);
			it->names[it->name_count++] = argv[i];
		}
	}
}

/* All built-in policies, and the wrapper around what people run most. */
static void conformance_default_names(struct conformance *it)
{
	const struct troupe_policy_ops *ops;

	for (size_t i = 0; (ops = troupe_policy_builtin(i)) != NULL; i++)
		it->names[it->name_count++] = ops->name;
	it->names[it->name_count++] = "profiled:work-sharing";
	it->names[it->name_count++] = "profiled:work-stealing";
}

/* ---- cases ------------------------------------------------------------- */

static void conformance_add(struct conformance *it, uint32_t policy,
			    const struct suite_check *check, uint32_t workers)
{
	struct runner_case *cases =
		realloc(it->cases, (it->count + 1) * sizeof(*it->cases));

	if (cases == NULL) {
		fputs("policy_conformance: out of memory\n", stderr);
		exit(2);
	}
	it->cases = cases;
	it->cases[it->count++] = (struct runner_case){
		.label = it->names[policy],
		.ops = it->policies[policy].ops,
		.section = it->policies[policy].inner,
		.check = check,
		.workers = workers,
		.settings = it->settings,
	};
}

/* --workers takes the place of the check's own numbers, if these allow so
 * many or so few: a check for one worker stays one. */
static void conformance_add_check(struct conformance *it, uint32_t policy,
				  const struct suite_check *check)
{
	uint32_t least = check->workers[0];
	bool one = check->workers[0] == 1 && check->workers[1] == 0;

	if (check->plugin_only && !it->policies[policy].loaded)
		return;
	if (it->only != NULL && strstr(check->name, it->only) == NULL)
		return;
	if (it->workers != 0 && !one) {
		if (it->workers >= least)
			conformance_add(it, policy, check, it->workers);
		return;
	}
	for (uint32_t i = 0; i < 3 && check->workers[i] != 0; i++)
		conformance_add(it, policy, check, check->workers[i]);
}

static void conformance_each_check(struct conformance *it, uint32_t policy)
{
	for (uint32_t i = 0; suite_all[i] != NULL; i++)
		for (const struct suite_check *check = suite_all[i];
		     check->name != NULL; check++)
			conformance_add_check(it, policy, check);
}

/* A bad setting is one error here, and not one in each check. */
static void conformance_try_settings(const struct conformance *it,
				     const char *policy)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe__settings *settings;
	struct troupe_error error;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy_name = policy;
	config.settings = it->settings;
	if (troupe__settings_load(&config, &error, &settings) != 0) {
		fprintf(stderr, "policy_conformance: --set: %s\n", error.text);
		exit(2);
	}
	troupe__settings_free(settings);
}

static void conformance_open(struct conformance *it, uint32_t policy)
{
	struct troupe_error error;

	if (troupe__policy_open(it->names[policy], &it->policies[policy],
				&error) == 0) {
		conformance_try_settings(it, it->names[policy]);
		conformance_each_check(it, policy);
		return;
	}
	printf("FAILED  %s, table: complete and sound: %s\n", it->names[policy],
	       error.text);
	it->failed++;
}

static void conformance_list(void)
{
	for (uint32_t i = 0; suite_all[i] != NULL; i++)
		for (const struct suite_check *check = suite_all[i];
		     check->name != NULL; check++)
			puts(check->name);
}

/* ---- the report -------------------------------------------------------- */

static void conformance_print_again(const struct conformance *conformance,
				    const struct runner_case *it)
{
	printf("          again: policy_conformance --seed %llu --workers %u "
	       "--only '%s'",
	       (unsigned long long)conformance->options.seed, it->workers,
	       it->check->name);
	for (uint32_t i = 0; i < conformance->setting_count; i++)
		printf(" --set '%s'", conformance->settings[i]);
	printf(" %s\n", it->label);
}

static void conformance_report(const struct runner_case *it, void *context)
{
	struct conformance *conformance = context;
	const char *line = it->result.state;

	if (it->result.passed)
		conformance->passed++;
	else
		conformance->failed++;
	printf("%-7s %s, %u worker%s, %s%s%s\n",
	       it->result.passed ? "ok" : "FAILED", it->label, it->workers,
	       it->workers == 1 ? "" : "s", it->check->name,
	       it->result.passed ? "" : ": ", it->result.reason);
	while (*line != '\0') {
		int length = (int)strcspn(line, "\n");

		printf("          %.*s\n", length, line);
		line += length;
		line += *line == '\n';
	}
	if (!it->result.passed)
		conformance_print_again(conformance, it);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static struct conformance it;
	int result;

	it.options = (struct runner_options){
		.seed = (uint64_t)time(NULL),
		.patience_ms = CONFORMANCE_PATIENCE_MS,
		/* Checks sleep most of the time. */
		.at_once = 2 * troupe__usable_cpus(),
	};
	conformance_arguments(&it, argc, argv);
	if (it.list) {
		conformance_list();
		return 0;
	}
	if (it.name_count == 0)
		conformance_default_names(&it);
	printf("seed %llu\n", (unsigned long long)it.options.seed);
	for (uint32_t i = 0; i < it.name_count; i++)
		conformance_open(&it, i);
	result = runner_run(it.cases, it.count, &it.options, conformance_report,
			    &it);
	if (result != 0) {
		fprintf(stderr, "policy_conformance: %s\n", strerror(-result));
		it.failed++;
	}
	for (uint32_t i = 0; i < it.name_count; i++)
		troupe__policy_close(&it.policies[i]);
	free(it.cases);
	printf("%u passed, %u failed\n", it.passed, it.failed);
	return it.failed == 0 ? 0 : 1;
}
