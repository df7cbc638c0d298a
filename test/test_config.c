/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Config as a whole: the order of the sources, the policy, structs of other
 * versions, printing, and no memory. What comes from one source alone is
 * test_config_sources.c's and test_config_file.c's, values are
 * test_config_value.c's.
 */
#include "config_samples.h"

#include <fcntl.h>

TestSuite(config, .init = config_start, .fini = config_stop, .timeout = 20);

/* ---- defaults and order ------------------------------------------------ */

Test(config, has_defaults)
{
	char cpus[16];

	cr_assert_eq(troupe__settings_load(NULL, &error, &settings), 0, "%s",
		     error.text);
	snprintf(cpus, sizeof(cpus), "%u", troupe__usable_cpus());
	config_expect("scheduler", "policy", "work-stealing");
	config_expect("scheduler", "max-threads", cpus);
	config_expect("scheduler", "max-throughput", "100");
	config_expect("scheduler", "thread-name", "troupe");
	config_expect("scheduler", "affinity", "none");
	cr_expect_str_eq(settings->policy.ops->name, "work-stealing");
	cr_expect_eq(settings->max_threads, troupe__usable_cpus());
	cr_expect_eq(settings->max_throughput, 100);
	cr_expect_str_eq(settings->thread_name, "troupe");
	cr_expect_str_eq(settings->affinity, "none");
	for (size_t i = 0; i < settings->count; i++)
		cr_expect_null(settings->list[i].source);
}

Test(config, later_sources_win)
{
	char argument[] = "--troupe.scheduler.max-throughput=30";
	char *arguments[] = {argument, NULL};
	const char *const texts[] = {"scheduler.max-throughput=40", NULL};

	config_write("# mine\n[scheduler]\nmax-throughput = 10\n");
	config_expect_ok();
	cr_expect_eq(settings->max_throughput, 10);
	setenv("TROUPE_SCHEDULER_MAX_THROUGHPUT", "20", 1);
	config_expect_ok();
	cr_expect_eq(settings->max_throughput, 20);
	config_expect_source("scheduler", "max-throughput",
			     "TROUPE_SCHEDULER_MAX_THROUGHPUT");
	config.arguments = arguments;
	config.argument_count = 1;
	config_expect_ok();
	cr_expect_eq(settings->max_throughput, 30);
	config_expect_source("scheduler", "max-throughput",
			     "argument --troupe.scheduler.max-throughput");
	config.settings = texts;
	config_expect_ok();
	cr_expect_eq(settings->max_throughput, 40);
	config_expect_source("scheduler", "max-throughput",
			     "config.settings[0]");
	config.max_throughput = 50;
	config_expect_ok();
	cr_expect_eq(settings->max_throughput, 50);
	config_expect_source("scheduler", "max-throughput",
			     "config.max_throughput");
}

Test(config, a_value_that_is_overwritten_is_checked_too)
{
	config_write("[scheduler]\nmax-throughput = many\n");
	config.max_throughput = 50;
	config_expect_error(-EINVAL, ":2: scheduler.max-throughput: expected");
}

Test(config, the_last_of_equal_texts_wins)
{
	const char *const texts[] = {"sample-one.count=6", "sample-one.count=7",
				     NULL};

	config.settings = texts;
	config_expect_ok();
	config_expect("sample-one", "count", "7");
	config_expect_source("sample-one", "count", "config.settings[1]");
}

Test(config, fields_are_settings)
{
	config.max_threads = 3;
	config.thread_name = "mine";
	config.affinity = "cores";
	config_expect_ok();
	cr_expect_eq(settings->max_threads, 3);
	cr_expect_str_eq(settings->thread_name, "mine");
	cr_expect_str_eq(settings->affinity, "cores");
	config_expect("scheduler", "max-threads", "3");
	config.max_threads = TROUPE__MAX_THREADS + 1;
	config_expect_error(-EINVAL, "config.max_threads: "
				     "scheduler.max-threads: expected a whole "
				     "number from 0 to 4096 (threads), got "
				     "\"4097\"");
	config.max_threads = 0;
	config.thread_name = "";
	config_expect_error(-EINVAL, "config.thread_name: "
				     "scheduler.thread-name: expected a text, "
				     "not empty");
}

Test(config, zero_threads_are_as_many_as_can_run)
{
	config_write("[scheduler]\nmax-threads = 0\n");
	config_expect_ok();
	cr_expect_eq(settings->max_threads, troupe__usable_cpus());
}

Test(config, affinity_is_checked_with_its_source)
{
	config_write("[scheduler]\naffinity = 0,\n");
	config_expect_error(-EINVAL, ":2: scheduler.affinity: expected "
				     "\"none\", \"cores\", or processors");
	config_write("[scheduler]\naffinity = 8191\n");
	config_expect_error(-EINVAL, ":2: scheduler.affinity: this process may "
				     "not use processor 8191");
}

/* ---- the policy -------------------------------------------------------- */

Test(config, policy_by_name_from_each_source)
{
	char argument[] = "--troupe.scheduler.policy=fifo";
	char *arguments[] = {argument, NULL};
	const char *const texts[] = {"scheduler.policy=work-sharing", NULL};

	config.policy = NULL;
	config_write("[scheduler]\npolicy = work-sharing\n");
	config_expect_ok();
	cr_expect_str_eq(settings->policy.ops->name, "work-sharing");
	setenv("TROUPE_SCHEDULER_POLICY", "work-stealing", 1);
	config_expect_ok();
	cr_expect_str_eq(settings->policy.ops->name, "work-stealing");
	config.arguments = arguments;
	config.argument_count = 1;
	config_expect_ok();
	cr_expect_str_eq(settings->policy.ops->name, "fifo");
	config.settings = texts;
	config_expect_ok();
	cr_expect_str_eq(settings->policy.ops->name, "work-sharing");
	config.policy_name = "fifo";
	config_expect_ok();
	cr_expect_str_eq(settings->policy.ops->name, "fifo");
	config_expect("scheduler", "policy", "fifo");
	config.policy = &sample;
	config_expect_ok();
	cr_expect_str_eq(settings->policy.ops->name, "sample-one");
	config_expect("scheduler", "policy", "sample-one");
	config_expect_source("scheduler", "policy", "config.policy");
}

Test(config, misspelt_policy_is_named_with_its_source)
{
	config.policy = NULL;
	config_write("[scheduler]\n\npolicy = work-staeling\n");
	config_expect_error(-ENOENT, ":3: scheduler.policy: ");
	cr_expect_not_null(strstr(error.text, "work-staeling"));
	cr_expect_not_null(strstr(error.text, "work-stealing"));
	config.file = NULL;
	setenv("TROUPE_SCHEDULER_POLICY", "fifi", 1);
	config_expect_error(-ENOENT, "TROUPE_SCHEDULER_POLICY: "
				     "scheduler.policy: ");
	setenv("TROUPE_SCHEDULER_POLICY", "", 1);
	config_expect_error(-EINVAL, "TROUPE_SCHEDULER_POLICY: "
				     "scheduler.policy: expected");
	unsetenv("TROUPE_SCHEDULER_POLICY");
	config.policy_name = "./no/such/policy.so";
	config_expect_error(-ENOENT, "config.policy_name: scheduler.policy: ");
}

Test(config, bad_table_is_an_error)
{
	struct troupe_policy_ops bad = sample;

	bad.dequeue = NULL;
	config.policy = &bad;
	config_expect_error(-EINVAL, "config.policy: ");
	cr_expect_not_null(strstr(error.text, "dequeue"), "%s", error.text);
}

Test(config, policy_may_not_be_called_as_the_core_s_section)
{
	struct troupe_policy_ops bad = sample;

	bad.name = "scheduler";
	config.policy = &bad;
	config_expect_error(-EINVAL, "policy scheduler: this name is taken");
}

Test(config, default_that_its_option_forbids_is_an_error)
{
	static const struct troupe_option options[] = {
		{
			.name = "count",
			.type = TROUPE_OPTION_UINT,
			.initial = "5",
			.maximum = 4,
		},
		{.name = NULL},
	};
	struct troupe_policy_ops bad = sample;

	bad.options = options;
	config.policy = &bad;
	config_expect_error(-EINVAL, "count");
	cr_expect_not_null(strstr(error.text, "sample-one"), "%s", error.text);
}

Test(config, chosen_table_replaces_a_built_in_one_of_its_name)
{
	struct troupe_policy_ops mine = sample;

	mine.name = "fifo";
	config.policy = &mine;
	config_write("[fifo]\ncount = 7\n");
	config_expect_ok();
	config_expect("fifo", "count", "7");
}

Test(config, every_built_in_policy_has_its_section)
{
	const struct troupe_policy_ops *ops;

	for (size_t i = 0; (ops = troupe_policy_builtin(i)) != NULL; i++) {
		char text[300];

		for (const struct troupe_option *option = ops->options;
		     option != NULL && option->name != NULL; option++) {
			snprintf(text, sizeof(text), "[%s]\n%s = %s\n",
				 ops->name, option->name, option->initial);
			config_write(text);
			config_expect_ok();
			config_expect(ops->name, option->name, option->initial);
			snprintf(text, sizeof(text), "[%s]\n%s = \x01\n",
				 ops->name, option->name);
			config_write(text);
			config_expect_error(-EINVAL, option->name);
		}
		snprintf(text, sizeof(text), "[%s]\nno-such-key = 1\n",
			 ops->name);
		config_write(text);
		config_expect_error(-EINVAL, ":2: unknown key \"no-such-key\"");
	}
}

Test(config, wrapped_policy_has_its_section)
{
	config.policy = NULL;
	config.policy_name = "profiled:work-stealing";
	config_write("[work-stealing]\nidle = poll\n");
	config_expect_ok();
	config_expect("scheduler", "policy", "profiled:work-stealing");
	config_expect("work-stealing", "idle", "poll");
}

Test(config, inner_table_of_a_wrapper_has_its_section)
{
	struct troupe_policy_ops wrapper = sample;
	struct troupe__settings declared = {
		.policy = {.ops = &wrapper, .inner = &sample},
	};

	wrapper.name = "wrapper";
	wrapper.options = NULL;
	cr_assert_eq(troupe__settings_declare(&declared, &error), 0, "%s",
		     error.text);
	cr_expect(troupe__settings_has_section(&declared, "wrapper"));
	cr_expect(troupe__settings_has_section(&declared, "sample-one"));
	cr_expect_not_null(
		troupe__settings_find(&declared, "sample-one", "count"));
	troupe__settings_free_pieces(&declared);
}

/* ---- structs of other versions ----------------------------------------- */

Test(config, older_struct_works)
{
	config.max_throughput = 7;
	config.settings = (const char *const *)(uintptr_t)1;
	config.arguments = (char *const *)(uintptr_t)1;
	config.argument_count = 99;
	config.size = offsetof(struct troupe_config, settings);
	config_expect_ok();
	cr_expect_eq(settings->max_throughput, 7);
}

Test(config, newer_struct_works_if_it_asks_nothing_new)
{
	struct {
		struct troupe_config config;
		uint64_t newer[3];
	} larger = {TROUPE_CONFIG_INIT, {0}};

	larger.config.policy = &sample;
	larger.config.size = sizeof(larger);
	cr_expect_eq(troupe__settings_load(&larger.config, &error, &settings),
		     0, "%s", error.text);
	larger.newer[2] = 1;
	cr_expect_eq(troupe__settings_load(&larger.config, &error, &settings),
		     -ENOTSUP);
	cr_expect_not_null(strstr(error.text, "config.size"), "%s", error.text);
}

Test(config, struct_that_was_not_initialised_is_an_error)
{
	char *argv[] = {(char *)"program", (char *)"--troupe.a.b=c", NULL};
	int argc = 2;

	config.size = 0;
	config_expect_error(-EINVAL, "config.size: expected 120, as "
				     "TROUPE_CONFIG_INIT sets it, got 0");
	cr_expect_eq(troupe_config_arguments(&config, &argc, argv, &error),
		     -EINVAL);
	cr_expect_eq(argc, 2);
	config.size = UINT32_MAX;
	config_expect_error(-EINVAL, "config.size: ");
	config.size = sizeof(config);
	config.flags = 0x80;
	config_expect_error(-ENOTSUP, "config.flags: ");
	config.flags = 0;
	config.argument_count = 1;
	config_expect_error(-EINVAL, "config.arguments: ");
}

/* ---- a running system -------------------------------------------------- */

Test(config, is_seen_through_the_system)
{
	struct troupe_system *system = NULL;
	char printed[8000] = "";
	FILE *stream;

	config.policy = NULL;
	config.policy_name = "work-sharing";
	config.max_threads = 1;
	cr_assert_eq(troupe_system_create(&config, &error, &system), 0, "%s",
		     error.text);
	cr_expect_str_eq(troupe_config_get(system, "scheduler", "policy"),
			 "work-sharing");
	cr_expect_str_eq(troupe_config_get(system, "scheduler", "max-threads"),
			 "1");
	cr_expect_null(troupe_config_get(system, "scheduler", "polcy"));
	cr_expect_null(troupe_config_get(system, "zzz", "policy"));
	stream = fmemopen(printed, sizeof(printed), "w");
	cr_expect_eq(troupe_config_print(system, stream), 0);
	fclose(stream);
	cr_expect_not_null(strstr(printed, "; set by config.policy_name\n"
					   "policy = work-sharing\n"),
			   "%s", printed);
	stream = fopen("/dev/full", "w");
	cr_assert_not_null(stream);
	cr_expect_eq(troupe_config_print(system, stream), -EIO);
	fclose(stream);
	cr_expect_eq(troupe_system_destroy(system), 0);
}

Test(config, prints_what_loads_back)
{
	const char *const texts[] = {
		"sample-one.label=a; b # [c] = d",
		"sample-one.any=18446744073709551615",
		"sample-one.pause=1234us",
		"sample-one.eager=true",
		"work-stealing.idle=poll",
		NULL,
	};
	static char printed[20000];
	struct troupe__settings *first;
	FILE *stream;

	config.settings = texts;
	config.max_threads = 3;
	config.thread_name = "my threads";
	setenv("TROUPE_SAMPLE_ONE_PATH", "/a b/\xc3\xa9;c", 1);
	config_write("[sample-one]\nidle = mixed ; not poll\n");
	config_expect_ok();
	first = settings;
	settings = NULL;
	stream = fmemopen(printed, sizeof(printed), "w");
	cr_expect_eq(troupe__settings_print(first, stream), 0);
	fclose(stream);
	config_start();
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config_write(printed);
	config_expect_ok();
	cr_assert_eq(settings->count, first->count);
	for (size_t i = 0; i < first->count; i++) {
		const struct troupe__setting *setting = &first->list[i];

		config_expect(setting->section, setting->option->name,
			      setting->text);
		cr_expect_eq(settings->list[i].value, setting->value);
		cr_expect(settings->list[i].from_file ||
			  strcmp(setting->option->name, "policy") == 0);
	}
	config_expect("sample-one", "idle", "mixed");
	troupe__settings_free(first);
}

/* ---- no memory --------------------------------------------------------- */

static int allocations_left;

static bool fail_allocation(enum troupe__point point)
{
	return point != TROUPE__POINT_ALLOC || allocations_left-- > 0;
}

/* Fails the n-th allocation of a load for each n, until @expected. */
static void each_allocation_fails(int expected)
{
	uint64_t before = troupe__live_allocations();
	int result = -ENOMEM;

	for (int n = 0; result == -ENOMEM; n++) {
		cr_assert_lt(n, 1000);
		allocations_left = n;
		troupe__set_hook(fail_allocation);
		result = config_load();
		troupe__set_hook(NULL);
		if (result == 0)
			break;
		cr_expect_eq(error.code, result);
		cr_expect_null(settings);
		cr_expect_eq(troupe__live_allocations(), before);
	}
	cr_expect_eq(result, expected, "%s", error.text);
	troupe__settings_free(settings);
	settings = NULL;
	cr_expect_eq(troupe__live_allocations(), before);
}

Test(config, out_of_memory_is_an_error_code)
{
	char argument[] = "--troupe.scheduler.thread-name=a";
	char *arguments[] = {argument, NULL};
	const char *const texts[] = {"sample-one.label=x", NULL};

	config_write("[scheduler]\naffinity = cores\nmax-throughput = 1\n");
	setenv("TROUPE_SAMPLE_ONE_COUNT", "12", 1);
	config.arguments = arguments;
	config.argument_count = 1;
	config.settings = texts;
	each_allocation_fails(0);
	config.policy = NULL;
	config.settings = NULL;
	unsetenv("TROUPE_SAMPLE_ONE_COUNT");
	config.policy_name = "profiled:work-sharing";
	each_allocation_fails(0);
}

Test(config, out_of_memory_while_telling_an_error)
{
	config_write("[schedular]\n");
	each_allocation_fails(-EINVAL);
	config_write("[scheduler]\nx = 1\n");
	each_allocation_fails(-EINVAL);
	config.file = NULL;
	setenv("TROUPE_SAMPLE_ONE_CONT", "12", 1);
	each_allocation_fails(-EINVAL);
}
