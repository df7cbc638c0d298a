/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests the conformance suite: each faulty policy must fail the check that
 * names the contract it breaks, with the reason that fits, and pass the check
 * beside it; the correct one they are made from must pass all.
 *
 *	conformance_self_test [--seed N] [--only TEXT] [--show] PLUGIN.so
 */
#include "allocations.h"
#include "faulty.h"
#include "policy.h"
#include "runner.h"
#include "troupe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SELF_CASES	 200
#define SELF_PATIENCE_MS 5000
#define SELF_AT_ONCE	 6

struct self_case {
	const char *what;	 /* the fault */
	const char *const *says; /* NULL: the check must pass */
	bool races;		 /* ThreadSanitizer may be the first to say */
};

static struct runner_case self_cases[SELF_CASES];
static struct self_case self_expected[SELF_CASES];
static struct troupe_policy_ops self_tables[SELF_CASES];
static uint32_t self_count, self_passed, self_failed;
static bool self_show;
static const char *self_only; /* part of what a policy does wrong, or NULL */

static const struct suite_check *self_check(const char *name)
{
	for (uint32_t i = 0; suite_all[i] != NULL; i++)
		for (const struct suite_check *check = suite_all[i];
		     check->name != NULL; check++)
			if (strcmp(check->name, name) == 0)
				return check;
	fprintf(stderr, "conformance_self_test: no check is called %s\n", name);
	exit(2);
}

static bool self_wanted(const char *what)
{
	return self_only == NULL || strstr(what, self_only) != NULL;
}

static void self_add(const char *what, const char *const *says,
		     const struct troupe_policy_ops *ops, uint32_t workers,
		     const struct suite_check *check)
{
	static const char *const no_settings[] = {NULL};

	if (!self_wanted(what))
		return;
	if (self_count == SELF_CASES) {
		fputs("conformance_self_test: too many cases\n", stderr);
		exit(2);
	}
	self_expected[self_count] = (struct self_case){what, says, false};
	self_cases[self_count] = (struct runner_case){
		.label = what,
		.ops = ops,
		.check = check,
		.workers = workers,
		.settings = no_settings,
	};
	self_count++;
}

static void self_add_faults(const struct faulty *fault)
{
	for (; fault->what != NULL; fault++) {
		struct troupe_policy_ops *ops = &self_tables[self_count];

		if (!self_wanted(fault->what) ||
		    (fault->fails_allocations && !allocations_fail(0)))
			continue;
		faulty_table(fault, ops);
		self_add(fault->what, fault->says, ops, fault->workers,
			 self_check(fault->breaks));
		self_expected[self_count - 1].races = fault->races;
		if (fault->keeps != NULL)
			self_add(fault->what, NULL, ops, fault->workers,
				 self_check(fault->keeps));
	}
}

static void self_add_plugin(const struct troupe_policy_ops *ops)
{
	static const char *const says[FAULTY_SAYS] = {
		"calls usleep, not a helper"};
	const char *what = "sleeps by usleep, in a plug-in";

	self_add(what, says, ops, 1, &suite_helpers[0]);
	self_add(what, NULL, ops, 2,
		 self_check("contract 1: each job is handed out once"));
}

static void self_add_correct(void)
{
	struct troupe_policy_ops *ops = &self_tables[self_count];

	faulty_table(NULL, ops);
	for (uint32_t i = 0; suite_all[i] != NULL; i++)
		for (const struct suite_check *check = suite_all[i];
		     check->name != NULL; check++)
			for (uint32_t j = 0; j < 3 && check->workers[j] != 0 &&
					     !check->plugin_only;
			     j++)
				self_add("has no fault", NULL, ops,
					 check->workers[j], check);
}

static bool self_says(const struct self_case *expected, const char *reason)
{
	for (uint32_t i = 0; i < FAULTY_SAYS && expected->says[i] != NULL; i++)
		if (strstr(reason, expected->says[i]) != NULL)
			return true;
	return expected->races && strstr(reason, "a sanitizer's report");
}

static void self_report(const struct runner_case *it, void *context)
{
	const struct self_case *expected = &self_expected[it - self_cases];
	const struct runner_result *result = &it->result;
	bool good = expected->says == NULL
			    ? result->passed
			    : !result->passed &&
				      self_says(expected, result->reason);

	(void)context;
	if (good)
		self_passed++;
	else
		self_failed++;
	printf("%-7s a policy that %s: %s, %u worker%s, %s\n",
	       good ? "ok" : "FAILED", expected->what, it->check->name,
	       it->workers, it->workers == 1 ? "" : "s",
	       result->passed ? "passes" : "fails");
	if (!good && expected->says != NULL)
		printf("          expected it to fail with \"%s\"\n",
		       expected->says[0]);
	if (!result->passed && (self_show || !good))
		printf("          %s\n%s", result->reason,
		       good ? "" : result->state);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct runner_options options = {
		.seed = (uint64_t)time(NULL),
		.patience_ms = SELF_PATIENCE_MS,
		.at_once = SELF_AT_ONCE,
		.quiet = true,
	};
	struct troupe__policy plugin = {0};
	struct troupe_error error;

	while (argc > 2) {
		if (strcmp(argv[1], "--show") == 0) {
			self_show = true;
		} else if (strcmp(argv[1], "--seed") == 0) {
			options.seed = strtoull(argv[2], NULL, 10);
			argv++;
			argc--;
		} else if (strcmp(argv[1], "--only") == 0) {
			self_only = argv[2];
			argv++;
			argc--;
		}
		argv++;
		argc--;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fputs("usage: conformance_self_test [--seed N] [--only TEXT] "
		      "[--show] PLUGIN.so\n",
		      stderr);
		return 2;
	}
	if (troupe__policy_open(argv[1], &plugin, &error) != 0) {
		fprintf(stderr, "conformance_self_test: %s\n", error.text);
		return 2;
	}
	printf("seed %llu\n", (unsigned long long)options.seed);
	self_add_faults(faulty_handout);
	self_add_faults(faulty_order);
	self_add_faults(faulty_end);
	self_add_plugin(plugin.ops);
	self_add_correct();
	if (runner_run(self_cases, self_count, &options, self_report, NULL) !=
	    0)
		self_failed++;
	troupe__policy_close(&plugin);
	printf("%u passed, %u failed\n", self_passed, self_failed);
	return self_failed == 0 && self_passed > 0 ? 0 : 1;
}
