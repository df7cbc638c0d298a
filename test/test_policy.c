/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding policies and checking their tables. What the policies do is
 * policy_conformance's.
 */
#include "policy.h"

#include "troupe.h"
#include "troupe_worksharing.h"
#include "troupe_workstealing.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(policy, .timeout = 20);

static struct troupe_error error;

static void policy_expect_text(const char *text)
{
	cr_expect(strstr(error.text, text) != NULL, "expected \"%s\" in \"%s\"",
		  text, error.text);
	cr_expect_null(strchr(error.text, '\n'));
}

/* ---- check ------------------------------------------------------------- */

static void policy_refuse(const struct troupe_policy_ops *ops, int code,
			  const char *text)
{
	memset(&error, 0, sizeof(error));
	cr_expect_eq(troupe_policy_check(ops, &error), code, "%s", error.text);
	cr_expect_eq(error.code, code);
	policy_expect_text(text);
	cr_expect_eq(troupe_policy_check(ops, NULL), code);
}

Test(policy, builtin_tables_are_sound)
{
	const struct troupe_policy_ops *ops;
	size_t count = 0;

	while ((ops = troupe_policy_builtin(count)) != NULL) {
		cr_expect_eq(troupe_policy_check(ops, &error), 0, "%s",
			     error.text);
		count++;
	}
	cr_expect_eq(count, 3);
	cr_expect_null(troupe_policy_builtin(SIZE_MAX));
}

#define POLICY_REFUSE_WITHOUT(slot)                                         \
	do {                                                                \
		struct troupe_policy_ops table = troupe_fifo;               \
                                                                            \
		table.slot = NULL;                                          \
		policy_refuse(&table, -EINVAL, "policy fifo: slot " #slot); \
	} while (0)

Test(policy, check_names_the_missing_slot)
{
	POLICY_REFUSE_WITHOUT(central_enqueue);
	POLICY_REFUSE_WITHOUT(external_enqueue);
	POLICY_REFUSE_WITHOUT(internal_enqueue);
	POLICY_REFUSE_WITHOUT(resume_job_later);
	POLICY_REFUSE_WITHOUT(dequeue);
	POLICY_REFUSE_WITHOUT(wake_all);
	POLICY_REFUSE_WITHOUT(drain);
}

Test(policy, check_looks_at_each_field)
{
	struct troupe_policy_ops table = troupe_fifo;

	policy_refuse(NULL, -EINVAL, "NULL");
	table.size = 16;
	policy_refuse(&table, -EINVAL, "size: expected");
	table = troupe_fifo;
	table.version = 0;
	policy_refuse(&table, -EINVAL, "version: expected");
	table.version = TROUPE_POLICY_VERSION + 1;
	policy_refuse(&table, -ENOTSUP, "version: expected");
	table = troupe_fifo;
	table.flags = 1u << 31;
	policy_refuse(&table, -ENOTSUP, "flags");
	table = troupe_fifo;
	table.wait_bound = 0;
	policy_refuse(&table, -EINVAL, "wait_bound");
	table = troupe_fifo;
	table.summary = NULL;
	policy_refuse(&table, -EINVAL, "summary");
	table = troupe_fifo;
	table.worker_data_size = SIZE_MAX;
	policy_refuse(&table, -EINVAL, "worker_data_size");
}

Test(policy, check_wants_a_name_that_can_be_typed)
{
	static const char *const bad[] = {
		NULL, "", "Fifo", "a b", "a_b", "profiled:fifo", "a\nb"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct troupe_policy_ops table = troupe_fifo;

		table.name = bad[i];
		cr_expect_eq(troupe_policy_check(&table, &error), -EINVAL);
		cr_expect(strstr(error.text, "name: expected") != NULL);
	}
}

/* A table as a newer header has it: longer. */
Test(policy, check_takes_a_longer_table_without_new_slots)
{
	struct {
		struct troupe_policy_ops table;
		void (*later)(void);
	} newer = {.table = troupe_fifo};

	newer.table.size = sizeof(newer);
	cr_expect_eq(troupe_policy_check(&newer.table, &error), 0, "%s",
		     error.text);
	newer.later = (void (*)(void))troupe_relax;
	policy_refuse(&newer.table, -ENOTSUP, "newer");
}

static void policy_refuse_option(struct troupe_option option, const char *text)
{
	struct troupe_option options[] = {
		{.name = "fine", .type = TROUPE_OPTION_BOOL, .initial = "true"},
		option,
		{.name = NULL},
	};
	struct troupe_policy_ops table = troupe_fifo;

	table.options = options;
	policy_refuse(&table, -EINVAL, text);
}

Test(policy, check_looks_at_the_options)
{
	policy_refuse_option(
		(struct troupe_option){.name = "Bad", .initial = ""},
		"option \"Bad\": name");
	policy_refuse_option((struct troupe_option){.name = "a"},
			     "option \"a\": initial");
	policy_refuse_option(
		(struct troupe_option){.name = "fine", .initial = "1"},
		"twice");
	policy_refuse_option(
		(struct troupe_option){.name = "a",
				       .initial = "1",
				       .type = (enum troupe_option_type)99},
		"type");
	policy_refuse_option((struct troupe_option){.name = "a",
						    .initial = "1",
						    .minimum = 2,
						    .maximum = 1},
			     "minimum");
	policy_refuse_option(
		(struct troupe_option){.name = "a",
				       .initial = "x",
				       .type = TROUPE_OPTION_CHOICE},
		"choices");
}

/* ---- complete ---------------------------------------------------------- */

Test(policy, complete_fills_the_optional_slots)
{
	struct troupe_policy_ops table = troupe_fifo, complete;
	struct troupe_worker worker = {0};
	struct troupe_coordinator coordinator = {0};
	struct troupe_job job = {0};

	table.init = NULL;
	table.fini = NULL;
	troupe__policy_complete(&table, &complete);
	cr_expect_eq(complete.init(&coordinator), 0);
	complete.fini(&coordinator);
	cr_expect_eq(complete.worker_init(&worker), 0);
	complete.worker_fini(&worker);
	complete.before_resume(&worker, &job);
	complete.after_resume(&worker, &job);
	complete.after_completion(&worker, &job);
	cr_expect_eq(complete.dequeue, troupe_fifo.dequeue);
	cr_expect_eq(complete.size, sizeof(complete));
}

/* ---- open -------------------------------------------------------------- */

static void policy_fail_to_open(const char *name, int code, const char *text)
{
	struct troupe__policy policy = {.title = "untouched"};

	memset(&error, 0, sizeof(error));
	cr_expect_eq(troupe__policy_open(name, &policy, &error), code, "%s: %s",
		     name, error.text);
	policy_expect_text(text);
	cr_expect_str_eq(policy.title, "untouched");
	cr_expect_eq(troupe__live_allocations(), 0);
}

static struct troupe__policy policy_open(const char *name)
{
	struct troupe__policy policy = {0};

	cr_assert_eq(troupe__policy_open(name, &policy, &error), 0, "%s",
		     error.text);
	return policy;
}

Test(policy, finds_the_builtin_ones_by_name)
{
	struct troupe__policy policy = policy_open("fifo");

	cr_expect_eq(policy.ops, &troupe_fifo);
	cr_expect_str_eq(policy.title, "fifo");
	troupe__policy_close(&policy);
	cr_expect_null(policy.ops);
	policy = policy_open("work-sharing");
	cr_expect_eq(policy.ops, &troupe_worksharing);
	policy = policy_open("work-stealing");
	cr_expect_eq(policy.ops, &troupe_workstealing);
	troupe__policy_close(&policy);
	troupe__policy_close(&policy);
}

Test(policy, unknown_name_lists_the_known_ones_and_the_nearest)
{
	policy_fail_to_open("work-stealling", -ENOENT,
			    "did you mean work-stealing?");
	policy_expect_text("work-sharing, work-stealing, fifo");
	policy_fail_to_open("zzz", -ENOENT, "unknown policy \"zzz\";");
	policy_fail_to_open("profiled:fif", -ENOENT, "did you mean fifo?");
	policy_fail_to_open("", -ENOENT, "unknown policy \"\"");
}

Test(policy, profiled_wraps_one_other)
{
	struct troupe__policy policy = policy_open("profiled:work-stealing");

	cr_expect_str_eq(policy.title, "profiled:work-stealing");
	cr_expect_str_eq(policy.ops->name, "profiled");
	cr_expect_eq(policy.inner, &troupe_workstealing);
	cr_expect_eq(policy.ops->wait_bound, troupe_workstealing.wait_bound);
	cr_expect_eq(policy.ops->wake_latency,
		     troupe_workstealing.wake_latency);
	cr_expect_gt(policy.ops->job_data_size, 0);
	troupe__policy_close(&policy);
	cr_expect_eq(troupe__live_allocations(), 0);
	policy_fail_to_open("profiled", -EINVAL, "profiled:work-sharing");
	policy_fail_to_open("profiled:profiled", -EINVAL, "one other policy");
	policy_fail_to_open("profiled:profiled:fifo", -EINVAL,
			    "one other policy");
}

static bool policy_no_memory(enum troupe__point point)
{
	return point != TROUPE__POINT_ALLOC;
}

Test(policy, profiled_says_when_memory_is_out)
{
	if (!TROUPE_HOOKS)
		cr_skip_test("this build has no hooks");
	troupe__set_hook(policy_no_memory);
	policy_fail_to_open("profiled:fifo", -ENOMEM, "memory");
	troupe__set_hook(NULL);
}

Test(policy, uses_a_table_by_pointer)
{
	struct troupe_policy_ops table = troupe_fifo;
	struct troupe__policy policy;

	table.name = "mine";
	cr_assert_eq(troupe__policy_use(&table, &policy, &error), 0);
	cr_expect_eq(policy.ops, &table);
	cr_expect_str_eq(policy.title, "mine");
	troupe__policy_close(&policy);
	table.drain = NULL;
	cr_expect_eq(troupe__policy_use(&table, &policy, &error), -EINVAL);
	policy_expect_text("policy mine: slot drain");
}

/* ---- plug-ins ---------------------------------------------------------- */

/* @file in the build directory; this program is in its test/. */
static const char *policy_build_path(const char *prefix, const char *file)
{
	static char path[4096];
	char self[2048];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	cr_assert_gt(length, 0);
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(path, sizeof(path), "%s%s/../%s", prefix, self, file);
	return path;
}

/* A shared library that is loaded already, and is no policy. */
static const char *policy_other_library(void)
{
	static char line[4096];
	FILE *maps = fopen("/proc/self/maps", "re");

	cr_assert_not_null(maps);
	while (fgets(line, sizeof(line), maps) != NULL)
		if (strstr(line, "/libuv.so") != NULL)
			break;
	fclose(maps);
	cr_assert_not_null(strchr(line, '/'));
	line[strcspn(line, "\n")] = '\0';
	return strchr(line, '/');
}

Test(policy, loads_a_plug_in_by_its_path)
{
	struct troupe__policy policy =
		policy_open(policy_build_path("", "demos/lottery_policy.so"));

	cr_expect_str_eq(policy.title, "lottery");
	cr_expect(policy.loaded);
	troupe__policy_close(&policy);
	policy = policy_open(
		policy_build_path("profiled:", "demos/lottery_policy.so"));
	cr_expect_str_eq(policy.title, "profiled:lottery");
	cr_expect_str_eq(policy.inner->name, "lottery");
	troupe__policy_close(&policy);
	cr_expect_eq(troupe__live_allocations(), 0);
}

Test(policy, refuses_what_is_no_plug_in)
{
	policy_fail_to_open("./no_such_policy.so", -ENOENT,
			    "./no_such_policy.so");
	policy_fail_to_open("/etc/passwd", -EINVAL, "plug-in /etc/passwd");
	policy_fail_to_open(policy_other_library(), -EINVAL,
			    "symbol troupe_policy");
	policy_fail_to_open(policy_build_path("", "test/plugin_incomplete.so"),
			    -EINVAL, "policy incomplete: slot central_enqueue");
	policy_expect_text("plugin_incomplete.so");
	/* Never searched for: without a slash it is a name. */
	policy_fail_to_open("lottery_policy.so", -ENOENT, "unknown policy");
}
