/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values: what each type of option takes, what it means, and what is said
 * about the rest. And how a policy reads them.
 */
#include "config_samples.h"

#include <signal.h>

TestSuite(config_value, .init = config_start, .fini = config_stop,
	  .timeout = 20);

struct value_case {
	const char *key;
	const char *text;
	uint64_t value;	      /* of a good text */
	const char *expected; /* NULL: the text is good */
};

#define COUNT "expected a whole number from 2 to 99 (attempts), got "
#define PAUSE "expected a duration from 1us to 10s (units ns, us, ms, s), got "

static const struct value_case cases[] = {
	{"count", "2", 2, NULL},
	{"count", "99", 99, NULL},
	{"count", "007", 7, NULL},
	{"count", "1", 0, COUNT "\"1\""},
	{"count", "100", 0, COUNT "\"100\""},
	{"count", "", 0, COUNT "\"\""},
	{"count", "NaN", 0, COUNT "\"NaN\""},
	{"count", "-3", 0, COUNT "\"-3\""},
	{"count", "+3", 0, COUNT "\"+3\""},
	{"count", "3.5", 0, COUNT "\"3.5\""},
	{"count", "0x10", 0, COUNT "\"0x10\""},
	{"count", "10 ", 0, COUNT "\"10 \""},
	{"count", " 10", 0, COUNT "\" 10\""},
	{"count", "10x", 0, COUNT "\"10x\""},
	{"count", "1e1", 0, COUNT "\"1e1\""},
	{"count", "18446744073709551626", 0, COUNT "\"18446744073709551626\""},
	{"count", "9\n", 0, COUNT "\"9?\""},
	{"any", "18446744073709551615", UINT64_MAX, NULL},
	{"any", "18446744073709551616", 0,
	 "expected a whole number of at least 0, got "},
	{"pause", "1us", 1000, NULL},
	{"pause", "1500ns", 1500, NULL},
	{"pause", "20ms", 20000000, NULL},
	{"pause", "10s", 10000000000, NULL},
	{"pause", "999ns", 0, PAUSE "\"999ns\""},
	{"pause", "11s", 0, PAUSE "\"11s\""},
	{"pause", "10001ms", 0, PAUSE "\"10001ms\""},
	{"pause", "50", 0, PAUSE "\"50\""},
	{"pause", "0", 0, PAUSE "\"0\""},
	{"pause", "us", 0, PAUSE "\"us\""},
	{"pause", "", 0, PAUSE "\"\""},
	{"pause", "-5ms", 0, PAUSE "\"-5ms\""},
	{"pause", "5 ms", 0, PAUSE "\"5 ms\""},
	{"pause", "5MS", 0, PAUSE "\"5MS\""},
	{"pause", "5m", 0, PAUSE "\"5m\""},
	{"pause", "1.5ms", 0, PAUSE "\"1.5ms\""},
	{"pause", "5msx", 0, PAUSE "\"5msx\""},
	/* 2^64 ns + 1 s, and 2^64 s: neither may come round again. */
	{"pause", "18446744075s", 0, PAUSE "\"18446744075s\""},
	{"pause", "18446744073709551617s", 0, PAUSE},
	{"delay", "0", 0, NULL},
	{"delay", "00", 0, NULL},
	{"delay", "0us", 0, NULL},
	{"delay", "1ms", 1000000, NULL},
	{"delay", "1", 0,
	 "expected a duration from 0ns to 1ms (units ns, us, ms, s), got "
	 "\"1\""},
	{"delay", "0x", 0, "expected a duration from 0ns"},
	{"delay", "", 0, "expected a duration from 0ns"},
	{"eager", "true", 1, NULL},
	{"eager", "false", 0, NULL},
	{"eager", "yes", 0, "expected true or false, got \"yes\""},
	{"eager", "1", 0, "expected true or false, got \"1\""},
	{"eager", "True", 0, "expected true or false"},
	{"eager", "", 0, "expected true or false, got \"\""},
	{"idle", "poll", 0, NULL},
	{"idle", "park", 1, NULL},
	{"idle", "mixed", 2, NULL},
	{"idle", "par", 0, "expected one of poll|park|mixed, got \"par\""},
	{"idle", "parked", 0, "expected one of poll|park|mixed"},
	{"idle", "poll|park", 0, "expected one of poll|park|mixed"},
	{"idle", "|", 0, "expected one of poll|park|mixed"},
	{"idle", "", 0, "expected one of poll|park|mixed, got \"\""},
	{"label", "", 0, NULL},
	{"label", "any text; of = this # [kind]", 0, NULL},
	{"label", "a ;b", 0, "expected no \" ;\", which begins a comment"},
	{"label", " a", 0, "expected no blanks around it, got \" a\""},
	{"label", "a ", 0, "expected no blanks around it, got \"a \""},
	{"label", "a\tb", 0, "expected no control characters, got \"a?b\""},
	{"label", "a\nb", 0, "expected no control characters, got \"a?b\""},
	{"path", "/x", 0, NULL},
	{"path", "", 0, "expected a text, not empty, got \"\""},
};

Test(config_value, each_is_read_or_refused)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct value_case *this = &cases[i];
		const struct troupe__setting *setting;
		const char *texts[2] = {NULL, NULL};
		char text[100];

		snprintf(text, sizeof(text), "sample-one.%s=%s", this->key,
			 this->text);
		texts[0] = text;
		config.settings = texts;
		if (this->expected != NULL) {
			config_expect_error(-EINVAL, this->expected);
			continue;
		}
		cr_expect_eq(config_load(), 0, "%s: %s", text, error.text);
		config_expect("sample-one", this->key, this->text);
		setting = troupe__settings_find(settings, "sample-one",
						this->key);
		cr_expect_eq(setting->value, this->value, "%s", text);
	}
}

Test(config_value, long_text_is_cut_in_the_error)
{
	static char text[400] = "sample-one.count=";
	static const char *const texts[] = {text, NULL};
	size_t start = strlen(text);

	config.settings = texts;
	for (size_t i = start; i + 2 < sizeof(text); i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	config_expect_error(-EINVAL, "\xc3\xa9...\"");
	cr_expect_lt(strlen(error.text), 250);
	memmove(text + start + 1, text + start, sizeof(text) - start - 1);
	text[start] = 'x';
	text[sizeof(text) - 1] = '\0';
	config_expect_error(-EINVAL, "\xc3\xa9...\"");
}

/* ---- as a policy reads them -------------------------------------------- */

static int look_at_all(struct troupe_coordinator *self)
{
	cr_expect_eq(troupe_option_uint(self, "sample-one", "count"), 8);
	cr_expect_eq(troupe_option_uint(self, "sample-one", "pause"), 50000);
	cr_expect_eq(troupe_option_uint(self, "sample-one", "eager"), 1);
	cr_expect_eq(troupe_option_uint(self, "sample-one", "idle"), 2);
	cr_expect_str_eq(troupe_option_string(self, "sample-one", "label"),
			 "mine");
	cr_expect_str_eq(troupe_option_string(self, "sample-one", "path"),
			 "/tmp");
	return -ECANCELED;
}

Test(config_value, policy_reads_its_options)
{
	static const char *const texts[] = {
		"sample-one.count=8", "sample-one.eager=true",
		"sample-one.idle=mixed", "sample-one.label=mine", NULL};
	struct troupe_system *system;

	config.settings = texts;
	sample_init = look_at_all;
	cr_expect_eq(troupe_system_create(&config, &error, &system), -ECANCELED,
		     "%s", error.text);
}

static int look_at_unknown(struct troupe_coordinator *self)
{
	cr_expect_eq(troupe_option_uint(self, "sample-one", "cuont"), 0);
	cr_expect_eq(troupe_option_uint(self, "sample-one", "label"), 0);
	cr_expect_str_eq(troupe_option_string(self, "sample-one", "x"), "");
	cr_expect_str_eq(troupe_option_string(self, "sample-one", "count"), "");
	return -ECANCELED;
}

/* The bug of a policy: asserted where assertions are on. */
Test(config_value, policy_reads_an_unknown_option,
     .signal = TROUPE_CHECKS ? SIGABRT : 0)
{
	struct troupe_system *system;

	sample_init = look_at_unknown;
	cr_expect_eq(troupe_system_create(&config, &error, &system),
		     -ECANCELED);
}
