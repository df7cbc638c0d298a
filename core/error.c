/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error texts: one line into the caller's struct, and the nearest known name
 * to a misspelt one. Nothing here is on a path that runs often.
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int troupe__error(struct troupe_error *error, int code, const char *format, ...)
{
	va_list arguments;

	if (error == NULL)
		return code;
	error->code = code;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return code;
}

/* Edit distance, capped at what fits the row: names are short. */
static size_t error_distance(const char *a, const char *b)
{
	size_t row[64];
	size_t length = strlen(b);

	if (length >= sizeof(row) / sizeof(row[0]))
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t change = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < change)
				change = row[j] + 1;
			if (row[j - 1] + 1 < change)
				change = row[j - 1] + 1;
			row[j] = change;
		}
	}
	return row[length];
}

const char *troupe__nearest(const char *name, const char *const *names)
{
	const char *nearest = NULL;
	size_t best = strlen(name) / 2 + 1;

	for (; *names != NULL; names++) {
		size_t distance = error_distance(name, *names);

		if (distance < best) {
			best = distance;
			nearest = *names;
		}
	}
	return nearest;
}
