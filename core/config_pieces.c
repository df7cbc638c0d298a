/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of the settings: pieces in one list, which go together. So an
 * error anywhere needs no way back, and nothing can be left behind.
 */
#include "config_parts.h"

#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

struct troupe__piece {
	struct troupe__piece *next;
	_Alignas(max_align_t) unsigned char bytes[];
};

void *troupe__settings_alloc(struct troupe__settings *settings, size_t size)
{
	struct troupe__piece *piece = troupe__alloc(sizeof(*piece) + size);

	if (piece == NULL)
		return NULL;
	piece->next = settings->pieces;
	settings->pieces = piece;
	return memset(piece->bytes, 0, size);
}

void troupe__settings_free_pieces(struct troupe__settings *settings)
{
	while (settings->pieces != NULL) {
		struct troupe__piece *piece = settings->pieces;

		settings->pieces = piece->next;
		troupe__free(piece);
	}
}

const char *troupe__settings_text(struct troupe__settings *settings,
				  const char *format, ...)
{
	va_list arguments, again;
	char *text = NULL;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	if (length >= 0)
		text = troupe__settings_alloc(settings, (size_t)length + 1);
	if (text != NULL)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	for (char *at = text; at != NULL && *at != '\0'; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return text;
}

/* A copy, byte by byte; NULL stays NULL. False if out of memory. */
static bool pieces_keep(struct troupe__settings *settings, const char *text,
			const char **ret_copy)
{
	size_t size;
	char *copy;

	*ret_copy = NULL;
	if (text == NULL)
		return true;
	size = strlen(text) + 1;
	copy = troupe__settings_alloc(settings, size);
	if (copy == NULL)
		return false;
	*ret_copy = memcpy(copy, text, size);
	return true;
}

int troupe__entries_add(struct troupe__settings *settings,
			struct troupe__entries *entries,
			const struct troupe__entry *entry,
			struct troupe_error *error)
{
	struct troupe__entry *kept =
		troupe__settings_alloc(settings, sizeof(*kept));

	if (kept == NULL)
		return troupe__config_no_memory(error);
	kept->source = entry->source;
	kept->from_file = entry->from_file;
	if (!pieces_keep(settings, entry->section, &kept->section) ||
	    !pieces_keep(settings, entry->key, &kept->key) ||
	    !pieces_keep(settings, entry->value, &kept->value))
		return troupe__config_no_memory(error);
	if (entries->last != NULL)
		entries->last->next = kept;
	else
		entries->first = kept;
	entries->last = kept;
	return 0;
}

int troupe__config_no_memory(struct troupe_error *error)
{
	return troupe__error(error, -ENOMEM,
			     "out of memory while reading the "
			     "config");
}
