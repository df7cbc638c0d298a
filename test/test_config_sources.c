/* SPDX-License-Identifier: BSD-3-Clause */
/* Config that comes from the environment, the command line and texts in code. */
#include "config_samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

TestSuite(config_sources, .init = config_start, .fini = config_stop,
	  .timeout = 20);

/* ---- the environment --------------------------------------------------- */

Test(config_sources, variable_sets_an_option)
{
	setenv("TROUPE_SAMPLE_ONE_COUNT", "12", 1);
	config_expect_ok();
	config_expect("sample-one", "count", "12");
	setenv("TROUPE_SAMPLE_ONE_COUNT", "1", 1);
	config_expect_error(-EINVAL, "TROUPE_SAMPLE_ONE_COUNT: "
				     "sample-one.count: expected a whole "
				     "number from 2 to 99 (attempts), got "
				     "\"1\"");
	setenv("TROUPE_SAMPLE_ONE_COUNT", "", 1);
	config_expect_error(-EINVAL, "TROUPE_SAMPLE_ONE_COUNT: ");
}

Test(config_sources, unknown_variable_is_an_error)
{
	setenv("TROUPE_SCHEDULER_POLCY", "fifo", 1);
	config_expect_error(-EINVAL, "\"TROUPE_SCHEDULER_POLCY\": no setting "
				     "has this name; the nearest is "
				     "TROUPE_SCHEDULER_POLICY");
	unsetenv("TROUPE_SCHEDULER_POLCY");
	setenv("TROUPE_X", "1", 1);
	config_expect_error(-EINVAL, "\"TROUPE_X\": no setting has this name");
	unsetenv("TROUPE_X");
	setenv("TROUPE_sample_one_count", "9", 1);
	config_expect_error(-EINVAL, "\"TROUPE_sample_one_count\"");
	unsetenv("TROUPE_sample_one_count");
	setenv("TROUPED", "1", 1);
	setenv("MY_TROUPE_X", "1", 1);
	config_expect_ok();
}

Test(config_sources, variable_of_two_meanings_is_an_error)
{
	static const struct troupe_option options[] = {
		{
			.name = "stealing-idle",
			.type = TROUPE_OPTION_BOOL,
			.initial = "true",
		},
		{.name = NULL},
	};
	struct troupe_policy_ops work = sample;

	work.name = "work";
	work.options = options;
	config.policy = &work;
	config_expect_ok();
	setenv("TROUPE_WORK_STEALING_IDLE", "poll", 1);
	config_expect_error(-EINVAL, "may be work.stealing-idle or "
				     "work-stealing.idle");
}

Test(config_sources, environment_can_be_left_out)
{
	setenv("TROUPE_SAMPLE_ONE_COUNT", "12", 1);
	setenv("TROUPE_SCHEDULER_POLICY", "nonsense", 1);
	setenv("TROUPE_NONSENSE", "", 1);
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config_expect_ok();
	config_expect("sample-one", "count", "5");
	config.policy = NULL;
	config_expect_ok();
	config_expect("scheduler", "policy", "work-stealing");
}

/* ---- the command line -------------------------------------------------- */

static int take(int *argc, char **argv)
{
	memset(&error, 0, sizeof(error));
	return troupe_config_arguments(&config, argc, argv, &error);
}

Test(config_sources, arguments_are_taken_out_of_argv)
{
	char *argv[] = {
		(char *)"--troupe.is.the=program",
		(char *)"--verbose",
		(char *)"--troupe.sample-one.count=8",
		(char *)"file",
		(char *)"--troupe.sample-one.label=a=b.c",
		(char *)"--troupes.a.b=c",
		(char *)"-",
		(char *)"--",
		(char *)"--troupe.scheduler.policy=nonsense",
		NULL,
	};
	int argc = 9;

	cr_assert_eq(take(&argc, argv), 2, "%s", error.text);
	cr_expect_eq(argc, 7);
	cr_expect_str_eq(argv[0], "--troupe.is.the=program");
	cr_expect_str_eq(argv[1], "--verbose");
	cr_expect_str_eq(argv[2], "file");
	cr_expect_str_eq(argv[3], "--troupes.a.b=c");
	cr_expect_str_eq(argv[4], "-");
	cr_expect_str_eq(argv[5], "--");
	cr_expect_str_eq(argv[6], "--troupe.scheduler.policy=nonsense");
	cr_expect_null(argv[7]);
	cr_expect_str_eq(argv[8], "--troupe.sample-one.count=8");
	cr_expect_str_eq(argv[9], "--troupe.sample-one.label=a=b.c");
	config_expect_ok();
	config_expect("sample-one", "count", "8");
	config_expect("sample-one", "label", "a=b.c");
	/* A second look finds nothing and takes nothing back. */
	cr_expect_eq(take(&argc, argv), 0);
	cr_expect_eq(config.argument_count, 2);
}

Test(config_sources, no_arguments_are_no_error)
{
	char *argv[] = {(char *)"program", (char *)"x", NULL};
	int argc = 2;

	cr_expect_eq(take(&argc, argv), 0);
	cr_expect_eq(argc, 2);
	cr_expect_str_eq(argv[1], "x");
	cr_expect_eq(config.argument_count, 0);
	argc = 0;
	argv[0] = NULL;
	cr_expect_eq(take(&argc, argv), 0);
	config_expect_ok();
}

Test(config_sources, malformed_argument_changes_nothing)
{
	static const char *const texts[] = {
		"--troupe.",
		"--troupe.scheduler",
		"--troupe.scheduler=1",
		"--troupe.scheduler.policy",
		"--troupe..policy=fifo",
		"--troupe.scheduler.=fifo",
		"--troupe.=x.y",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *argv[] = {(char *)"program",
				(char *)"--troupe.sample-one.count=8",
				(char *)texts[i], NULL};
		int argc = 3;

		cr_expect_eq(take(&argc, argv), -EINVAL, "%s", texts[i]);
		cr_expect_not_null(strstr(error.text, texts[i]), "%s",
				   error.text);
		cr_expect_not_null(
			strstr(error.text, "--troupe.section.key=value"));
		cr_expect_eq(argc, 3);
		cr_expect_str_eq(argv[1], "--troupe.sample-one.count=8");
		cr_expect_eq(config.argument_count, 0);
		cr_expect_eq(
			troupe_config_arguments(&config, &argc, argv, NULL),
			-EINVAL);
	}
	cr_expect_eq(troupe_config_arguments(NULL, NULL, NULL, &error),
		     -EINVAL);
}

Test(config_sources, arguments_are_checked_when_loaded)
{
	char *argv[] = {(char *)"program",
			(char *)"--troupe.scheduler.polcy=fifo", NULL};
	int argc = 2;

	cr_assert_eq(take(&argc, argv), 1);
	config_expect_error(-EINVAL, "argument --troupe.scheduler.polcy: "
				     "unknown key \"polcy\" in [scheduler]; "
				     "the nearest is policy");
}

/* ---- texts in code ----------------------------------------------------- */

Test(config_sources, malformed_text_is_an_error)
{
	static const char *const malformed[] = {
		"",	"scheduler", "scheduler.policy", "policy=fifo",
		".x=1", "=",	     "scheduler.=",	 "a=b.c",
	};

	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		const char *texts[] = {"sample-one.count=6", malformed[i],
				       NULL};

		config.settings = texts;
		config_expect_error(-EINVAL, "config.settings[1]: expected "
					     "section.key=value, got \"");
	}
}

Test(config_sources, unknown_section_is_an_error)
{
	const char *texts[] = {"work-staeling.idle=poll", NULL};

	config.settings = texts;
	config_expect_error(-EINVAL, "config.settings[0]: unknown section "
				     "\"work-staeling\"; the nearest is "
				     "work-stealing");
	texts[0] = "zzzzzz.idle=poll";
	config_expect_error(-EINVAL, "unknown section \"zzzzzz\"; known are "
				     "scheduler, detached, sample-one, ");
}
