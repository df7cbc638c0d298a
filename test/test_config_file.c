/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The INI file: what may stand in it, and what is said, with the line, about
 * what may not.
 */
#include "config_samples.h"

#include <sys/stat.h>

TestSuite(config_file, .init = config_start, .fini = config_stop,
	  .timeout = 20);

/* The error begins with the file and this line. */
static void expect_line(const char *text, unsigned line, const char *needle)
{
	char where[300];

	config_write(text);
	snprintf(where, sizeof(where), "%s:%u: ", file_name, line);
	config_expect_error(-EINVAL, needle);
	cr_expect_eq(strncmp(error.text, where, strlen(where)), 0,
		     "line %u expected: %s", line, error.text);
}

Test(config_file, may_be_written_in_many_ways)
{
	config_write("\xef\xbb\xbf; a comment\r\n"
		     "# another\r\n"
		     "\r\n"
		     "[scheduler] ; of the core\r\n"
		     "  # indented\r\n"
		     "  thread-name=a name\t\r\n"
		     "\tmax-throughput : 12   ; inline\r\n"
		     "[sample-one]# empty\n"
		     "[fifo]\n"
		     "[sample-one]\n"
		     "label = x;y # z\n"
		     "path=/a=b:c\n"
		     "idle =mixed");
	config_expect_ok();
	config_expect("scheduler", "thread-name", "a name");
	config_expect("scheduler", "max-throughput", "12");
	config_expect("sample-one", "label", "x;y # z");
	config_expect("sample-one", "path", "/a=b:c");
	config_expect("sample-one", "idle", "mixed");
}

Test(config_file, may_be_empty)
{
	config_write("");
	config_expect_ok();
	config_write("\n\n# nothing\n");
	config_expect_ok();
	config_write("\xef\xbb\xbf");
	config_expect_ok();
	config_write("\xef\xbb\xbf[scheduler]\nmax-throughput = 3\n");
	config_expect_ok();
	config_expect("scheduler", "max-throughput", "3");
}

Test(config_file, source_is_its_line)
{
	char where[300];

	config_write("\n[sample-one]\n\ncount = 7\n");
	config_expect_ok();
	snprintf(where, sizeof(where), "%s:4", file_name);
	config_expect_source("sample-one", "count", where);
}

Test(config_file, indented_line_is_not_the_rest_of_the_one_before)
{
	expect_line("[sample-one]\nlabel = a\n  b\n", 3,
		    "expected [section] or key = value");
}

Test(config_file, syntax_errors_have_their_line)
{
	expect_line("[scheduler\npolicy = fifo\n", 1,
		    "expected [section] or key = value");
	expect_line("[scheduler]\npolicy\n", 2,
		    "expected [section] or key = value");
	expect_line("[scheduler]\n\n\n= fifo\n", 4,
		    "expected [section] or key = value");
	expect_line("[scheduler] policy = fifo\n", 1,
		    "expected [section] alone on its line");
	expect_line("policy = fifo\n", 1, "expected a [section] before");
	expect_line("[]\npolicy = fifo\n", 1, "unknown section \"\"");
}

Test(config_file, first_error_is_told)
{
	expect_line("[scheduler]\nnonsense\n[scheduler] x\n", 2,
		    "expected [section] or key = value");
	expect_line("[scheduler]\n[x] y\nnonsense\n", 2,
		    "expected [section] alone");
	expect_line("[sample-one]\ncount = x\nidle = x\n", 2,
		    "sample-one.count: expected");
}

Test(config_file, unknown_names_have_their_line)
{
	expect_line("[scheduler]\n[work-staeling]\n", 2,
		    "unknown section \"work-staeling\"; the nearest is "
		    "work-stealing");
	expect_line("[scheduler]\nmax-thread = 2\n", 2,
		    "unknown key \"max-thread\" in [scheduler]; the nearest "
		    "is max-threads");
	expect_line("[scheduler]\nzzzzzzzzzzzz = 2\n", 2,
		    "unknown key \"zzzzzzzzzzzz\" in [scheduler]; known are "
		    "policy, max-threads, max-throughput, thread-name, "
		    "affinity");
	expect_line("[sample-one]\nCount = 2\n", 2,
		    "unknown key \"Count\" in [sample-one]; the nearest is "
		    "count");
	expect_line("[Scheduler]\n", 1, "unknown section \"Scheduler\"");
	expect_line("[ scheduler ]\n", 1, "unknown section \" scheduler \"");
}

Test(config_file, long_section_is_not_cut)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz-and-"
				   "abcdefghijklmnopqrstuvwxyz";
	struct troupe_policy_ops mine = sample;
	char text[200];

	/* inih keeps 49 bytes of a section's name. */
	mine.name = name;
	config.policy = &mine;
	snprintf(text, sizeof(text), "[%s]\ncount = 3\n", name);
	config_write(text);
	config_expect_ok();
	config_expect(name, "count", "3");
	snprintf(text, sizeof(text), "[%.49s]\ncount = 3\n", name);
	expect_line(text, 1, "unknown section");
	snprintf(text, sizeof(text), "[%sx]\ncount = 3\n", name);
	expect_line(text, 1, "unknown section");
}

Test(config_file, key_may_be_set_once)
{
	char first[300];

	expect_line("[sample-one]\ncount = 7\n[fifo]\n[sample-one]\n"
		    "count = 7\n",
		    5, "sample-one.count: expected once, and was set at ");
	snprintf(first, sizeof(first), "%s:2", file_name);
	cr_expect_not_null(strstr(error.text, first), "%s", error.text);
}

Test(config_file, values_are_checked_with_their_line)
{
	expect_line("[sample-one]\ncount = 100\n", 2,
		    "sample-one.count: expected a whole number from 2 to 99 "
		    "(attempts), got \"100\"");
	expect_line("[sample-one]\n\ncount =\n", 3, "got \"\"");
	expect_line("[work-stealing]\nidle = no\n", 2, "work-stealing.idle: ");
}

Test(config_file, too_long_line_is_an_error)
{
	char text[1000] = "[sample-one]\nlabel = ";
	size_t start = strlen(text);

	memset(text + start, 'x', 150);
	config_write(text);
	config_expect_ok();
	memset(text + start, 'x', 400);
	expect_line(text, 2, "expected a line of at most ");
	/* It is cut nowhere: what fits loads whole. */
	for (size_t length = 180; length < 200; length++) {
		text[start + length] = '\0';
		memset(text + start, 'x', length);
		config_write(text);
		if (config_load() == 0)
			cr_expect_eq(strlen(troupe__settings_get(
					     settings, "sample-one", "label")),
				     length);
		else
			cr_expect_not_null(strstr(error.text, "at most"), "%s",
					   error.text);
	}
	/* Comments may be long. */
	memset(text, '#', sizeof(text) - 1);
	config_write(text);
	config_expect_ok();
}

Test(config_file, bytes_that_are_no_text_are_an_error)
{
	static const char zero[] = "[scheduler]\nthread-name = a\0b\n";
	char where[300];

	config_write_bytes(zero, sizeof(zero) - 1);
	snprintf(where, sizeof(where), "%s:2: expected text, got a zero byte",
		 file_name);
	config_expect_error(-EINVAL, where);
	expect_line("[scheduler]\nthread-name = a\x1b[1m\n", 2,
		    "expected no control characters, got \"a?[1m\"");
}

Test(config_file, unreadable_file_is_an_error)
{
	config.file = "/no/such/file.ini";
	config_expect_error(-ENOENT, "/no/such/file.ini: cannot read the "
				     "config file: ");
	config.file = "/no/such\nfile\x1b.ini";
	config_expect_error(-ENOENT, "/no/such?file?.ini: ");
	config.file = "";
	config_expect_error(-ENOENT, "cannot read the config file");
	config.file = "/tmp";
	config_expect_error(-EINVAL, "/tmp: cannot read the config file: ");
	config_write("");
	chmod(file_name, 0);
	if (geteuid() == 0)
		cr_skip_test("root may read any file");
	config_expect_error(-EINVAL, "cannot read the config file: ");
}
