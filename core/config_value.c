/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One text against one option: what it must look like, what it means, and
 * what to say when it is wrong. A text that passes here can be written into
 * an INI file and read back the same.
 */
#include "config_parts.h"

#include "error.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct value_unit {
	const char *name;
	uint64_t nanoseconds;
};

/* The largest last: what prints a duration takes the last that fits. */
static const struct value_unit value_units[] = {
	{"ns", 1},
	{"us", 1000},
	{"ms", 1000000},
	{"s", 1000000000},
};
#define VALUE_UNITS (sizeof(value_units) / sizeof(value_units[0]))

/* Whatever the locale says. */
static bool value_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

const char *troupe__value_quote(char buffer[static TROUPE__QUOTE_SIZE],
				const char *text)
{
	const size_t most = TROUPE__QUOTE_SIZE - sizeof("\"...\"");
	size_t length = strlen(text);
	size_t shown = length <= most ? length : most;
	char *out = buffer;

	/* Not through the middle of a UTF-8 character. */
	while (shown < length && shown > 0 &&
	       ((unsigned char)text[shown] & 0xc0) == 0x80)
		shown--;
	*out++ = '"';
	for (size_t i = 0; i < shown; i++) {
		*out = text[i];
		if (value_control(*out))
			*out = '?';
		out++;
	}
	snprintf(out, sizeof("...\""), "%s\"", shown < length ? "..." : "");
	return buffer;
}

/* Digits only, moved behind them. False: none, or too large. */
static bool value_digits(const char **text, uint64_t *ret_number)
{
	const char *at = *text;
	uint64_t number = 0;

	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*at - '0'),
					   &number))
			return false;
	*text = at;
	*ret_number = number;
	return true;
}

static bool value_uint(const char *text, uint64_t *ret_value)
{
	return value_digits(&text, ret_value) && *text == '\0';
}

static bool value_duration(const char *text, uint64_t *ret_value)
{
	uint64_t number;

	if (!value_digits(&text, &number))
		return false;
	/* Nothing is nothing in any unit. */
	if (number == 0 && text[0] == '\0') {
		*ret_value = 0;
		return true;
	}
	for (size_t i = 0; i < VALUE_UNITS; i++)
		if (strcmp(text, value_units[i].name) == 0)
			return !__builtin_mul_overflow(
				number, value_units[i].nanoseconds, ret_value);
	return false;
}

static bool value_bool(const char *text, uint64_t *ret_value)
{
	*ret_value = strcmp(text, "true") == 0;
	return *ret_value == 1 || strcmp(text, "false") == 0;
}

static bool value_choice(const char *choices, const char *text,
			 uint64_t *ret_value)
{
	size_t length = strlen(text);
	uint64_t position = 0;

	while (choices != NULL) {
		size_t size = strcspn(choices, "|");

		if (size == length && strncmp(choices, text, size) == 0) {
			*ret_value = position;
			return true;
		}
		choices = choices[size] == '|' ? choices + size + 1 : NULL;
		position++;
	}
	return false;
}

/* "1500us": the largest unit that leaves a whole number. */
static void value_duration_text(uint64_t nanoseconds, char *buffer, size_t size)
{
	size_t unit = VALUE_UNITS - 1;

	while (unit > 0 && (nanoseconds % value_units[unit].nanoseconds != 0 ||
			    nanoseconds == 0))
		unit--;
	snprintf(buffer, size, "%" PRIu64 "%s",
		 nanoseconds / value_units[unit].nanoseconds,
		 value_units[unit].name);
}

static void value_number_text(const struct troupe_option *option,
			      uint64_t number, char *buffer, size_t size)
{
	if (option->type == TROUPE_OPTION_DURATION)
		value_duration_text(number, buffer, size);
	else
		snprintf(buffer, size, "%" PRIu64, number);
}

/* "from 1 to 64", "of at least 1" */
static void value_range_text(const struct troupe_option *option, char *buffer,
			     size_t size)
{
	char minimum[32];
	char maximum[32];

	value_number_text(option, option->minimum, minimum, sizeof(minimum));
	value_number_text(option, option->maximum, maximum, sizeof(maximum));
	if (option->maximum == UINT64_MAX)
		snprintf(buffer, size, "of at least %s", minimum);
	else
		snprintf(buffer, size, "from %s to %s", minimum, maximum);
}

const char *troupe__value_expected(const struct troupe_option *option,
				   char *buffer, size_t size)
{
	char range[80];

	switch (option->type) {
	case TROUPE_OPTION_UINT:
		value_range_text(option, range, sizeof(range));
		if (option->unit != NULL)
			snprintf(buffer, size, "a whole number %s (%s)", range,
				 option->unit);
		else
			snprintf(buffer, size, "a whole number %s", range);
		break;
	case TROUPE_OPTION_DURATION:
		value_range_text(option, range, sizeof(range));
		snprintf(buffer, size, "a duration %s (units ns, us, ms, s)",
			 range);
		break;
	case TROUPE_OPTION_BOOL:
		snprintf(buffer, size, "true or false");
		break;
	case TROUPE_OPTION_CHOICE:
		snprintf(buffer, size, "one of %s", option->choices);
		break;
	case TROUPE_OPTION_STRING:
		snprintf(buffer, size, "a text%s",
			 option->initial[0] != '\0' ? ", not empty" : "");
		break;
	default:
		snprintf(buffer, size,
			 "an option type that this library knows");
		break;
	}
	return buffer;
}

/* What an INI file could not give back as it is; NULL if nothing. */
static const char *value_unwritable(const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i++) {
		if (value_control(text[i]))
			return "no control characters";
		if (text[i] == ';' && i > 0 && text[i - 1] == ' ')
			return "no \" ;\", which begins a comment";
	}
	if (length > 0 && (text[0] == ' ' || text[length - 1] == ' '))
		return "no blanks around it";
	return NULL;
}

static bool value_parse(const struct troupe_option *option, const char *text,
			uint64_t *ret_value)
{
	switch (option->type) {
	case TROUPE_OPTION_UINT:
		return value_uint(text, ret_value) &&
		       *ret_value >= option->minimum &&
		       *ret_value <= option->maximum;
	case TROUPE_OPTION_DURATION:
		return value_duration(text, ret_value) &&
		       *ret_value >= option->minimum &&
		       *ret_value <= option->maximum;
	case TROUPE_OPTION_BOOL:
		return value_bool(text, ret_value);
	case TROUPE_OPTION_CHOICE:
		return value_choice(option->choices, text, ret_value);
	case TROUPE_OPTION_STRING:
		*ret_value = 0;
		return text[0] != '\0' || option->initial[0] == '\0';
	default:
		return false;
	}
}

int troupe__value_read(const struct troupe_option *option, const char *text,
		       struct troupe_error *error, uint64_t *ret_value)
{
	const char *unwritable = value_unwritable(text);
	char quoted[TROUPE__QUOTE_SIZE];
	char expected[200];
	uint64_t value;

	if (unwritable == NULL && value_parse(option, text, &value)) {
		*ret_value = value;
		return 0;
	}
	troupe__value_expected(option, expected, sizeof(expected));
	troupe__value_quote(quoted, text);
	if (unwritable != NULL && option->type == TROUPE_OPTION_STRING)
		return troupe__error(error, -EINVAL, "expected %s, got %s",
				     unwritable, quoted);
	return troupe__error(error, -EINVAL, "expected %s, got %s", expected,
			     quoted);
}
