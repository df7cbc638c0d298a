/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the settings of a running system: as a whole, one by one, and as a
 * policy reads its options. Every value was checked when it was loaded, so
 * nothing here can find a bad one.
 */
#include "config_parts.h"

#include <errno.h>
#include <string.h>

const char *troupe__settings_get(const struct troupe__settings *settings,
				 const char *section, const char *key)
{
	const struct troupe__setting *setting =
		troupe__settings_find(settings, section, key);

	return setting != NULL ? setting->text : NULL;
}

const char *troupe_config_get(const struct troupe_system *system,
			      const char *section, const char *key)
{
	return troupe__settings_get(troupe__system_settings(system), section,
				    key);
}

/* ---- printing ---------------------------------------------------------- */

/* A comment stays on its line whatever a policy's help says. */
static void print_plain(const char *text, FILE *out)
{
	for (; *text != '\0'; text++)
		putc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static void print_setting(const struct troupe__setting *setting, FILE *out)
{
	const struct troupe_option *option = setting->option;
	char expected[200];

	if (option->help != NULL) {
		fputs("# ", out);
		print_plain(option->help, out);
		putc('\n', out);
	}
	fputs("# expects ", out);
	print_plain(troupe__value_expected(option, expected, sizeof(expected)),
		    out);
	fprintf(out, "; default: %s",
		option->initial[0] != '\0' ? option->initial : "empty");
	if (setting->source != NULL)
		fprintf(out, "; set by %s", setting->source);
	fprintf(out, "\n%s = %s\n", option->name, setting->text);
}

int troupe__settings_print(const struct troupe__settings *settings, FILE *out)
{
	const char *section = "";

	for (size_t i = 0; i < settings->count; i++) {
		const struct troupe__setting *setting = &settings->list[i];

		if (i > 0)
			putc('\n', out);
		if (strcmp(setting->section, section) != 0) {
			section = setting->section;
			fprintf(out, "[%s]\n", section);
		}
		print_setting(setting, out);
	}
	return fflush(out) != 0 || ferror(out) ? -EIO : 0;
}

int troupe_config_print(const struct troupe_system *system, FILE *out)
{
	return troupe__settings_print(troupe__system_settings(system), out);
}

/* ---- as a policy reads its options ------------------------------------- */

/* A bug of the policy if there is none of that kind. */
static const struct troupe__setting *
read_option(const struct troupe_coordinator *coordinator, const char *policy,
	    const char *option, bool is_string)
{
	const struct troupe__settings *settings =
		troupe__coordinator_settings(coordinator);
	const struct troupe__setting *setting =
		troupe__settings_find(settings, policy, option);

	if (setting == NULL ||
	    (setting->option->type == TROUPE_OPTION_STRING) != is_string)
		return NULL;
	return setting;
}

uint64_t troupe_option_uint(const struct troupe_coordinator *coordinator,
			    const char *policy, const char *option)
{
	const struct troupe__setting *setting =
		read_option(coordinator, policy, option, false);

	troupe_assert(setting != NULL);
	return setting != NULL ? setting->value : 0;
}

const char *troupe_option_string(const struct troupe_coordinator *coordinator,
				 const char *policy, const char *option)
{
	const struct troupe__setting *setting =
		read_option(coordinator, policy, option, true);

	troupe_assert(setting != NULL);
	return setting != NULL ? setting->text : "";
}
