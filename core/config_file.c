/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The INI file, by inih. inih reads through our reader, which hands it one
 * line at a time: so the handler knows its line, and what inih would let pass
 * (lines too long for it, text behind a heading, indented lines taken for the
 * rest of the one before) is an error or means what it says. Names and values
 * are not looked at here.
 */
#include "config_parts.h"

#include "error.h"

#include <errno.h>
#include <ini.h>
#include <string.h>

struct file_reader {
	struct troupe__settings *settings;
	struct troupe__entries *entries;
	struct troupe_error *error;
	FILE *stream;
	const char *path;
	uint32_t line;	      /* that inih looks at */
	uint32_t failed_line; /* where @result was set */
	int result;
};

enum file_line {
	FILE_LINE,
	FILE_END,
	FILE_TOO_LONG,
	FILE_HAS_NUL,
};

/* Keeps an error and its line, for the end. Returns: @result. */
static int file_result(struct file_reader *reader, int result)
{
	if (result < 0) {
		reader->result = result;
		reader->failed_line = reader->line;
	}
	return result;
}

/* Adds what stands on the current line. */
static int file_add(struct file_reader *reader, const char *section,
		    const char *key, const char *value)
{
	struct troupe__entry entry = {
		.section = section,
		.key = key,
		.value = value,
		.from_file = true,
	};

	entry.source = troupe__settings_text(reader->settings, "%s:%u",
					     reader->path, reader->line);
	if (entry.source == NULL)
		return file_result(reader,
				   troupe__config_no_memory(reader->error));
	return file_result(reader, troupe__entries_add(reader->settings,
						       reader->entries, &entry,
						       reader->error));
}

static bool file_blank(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* One line without the blanks before it and without its end; a comment is an
 * empty line. */
static enum file_line file_read_line(FILE *stream, char *line, size_t size)
{
	size_t length = 0;
	bool comment = false;
	bool any = false;
	int c;

	while ((c = getc(stream)) != EOF && c != '\n') {
		any = true;
		if (c == '\0')
			return FILE_HAS_NUL;
		if (comment || (length == 0 && file_blank(c)))
			continue;
		comment = length == 0 && (c == '#' || c == ';');
		if (comment)
			continue;
		if (length + 1 == size)
			return FILE_TOO_LONG;
		line[length++] = (char)c;
	}
	while (length > 0 && file_blank(line[length - 1]))
		length--;
	line[length] = '\0';
	return c == EOF && !any ? FILE_END : FILE_LINE;
}

/* "[section]" and nothing else but a comment. */
static int file_heading(struct file_reader *reader, char *line)
{
	char *end = strchr(line, ']');
	const char *rest;
	int result;

	if (end == NULL)
		return 0; /* inih's error */
	rest = end + 1;
	rest += strspn(rest, " \t");
	if (*rest != '\0' && *rest != ';' && *rest != '#')
		return file_result(
			reader,
			troupe__error(reader->error, -EINVAL,
				      "%s:%u: expected [section] alone on its "
				      "line",
				      reader->path, reader->line));
	*end = '\0';
	result = file_add(reader, line + 1, NULL, NULL);
	*end = ']';
	return result;
}

/* inih's reader: like fgets(). */
static char *file_next(char *line, int size, void *data)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 files */
	struct file_reader *reader = data;
	enum file_line kind;
	size_t length;

	if (reader->result < 0)
		return NULL;
	reader->line++;
	/* Room for the newline, without which inih would read on. */
	kind = file_read_line(reader->stream, line, (size_t)size - 1);
	if (kind == FILE_END)
		return NULL;
	if (kind == FILE_TOO_LONG) {
		file_result(
			reader,
			troupe__error(reader->error, -EINVAL,
				      "%s:%u: expected a line of at most %d "
				      "bytes",
				      reader->path, reader->line, size - 2));
		return NULL;
	}
	if (kind == FILE_HAS_NUL) {
		file_result(reader,
			    troupe__error(reader->error, -EINVAL,
					  "%s:%u: expected text, got a zero "
					  "byte",
					  reader->path, reader->line));
		return NULL;
	}
	length = strlen(line);
	if (reader->line == 1 && length >= 3 && memcmp(line, mark, 3) == 0) {
		length -= 3;
		memmove(line, line + 3, length + 1);
	}
	if (line[0] == '[' && file_heading(reader, line) < 0)
		return NULL;
	line[length] = '\n';
	line[length + 1] = '\0';
	return line;
}

/* inih's handler. Returns: 1 to go on, 0 for an error in this line. */
static int file_handle(void *data, const char *cut_section, const char *key,
		       const char *value)
{
	struct file_reader *reader = data;
	/* Headings are entries too, and inih cuts their names at 49 bytes. */
	const struct troupe__entry *last = reader->entries->last;

	(void)cut_section;
	if (reader->result < 0 || value == NULL || key[0] == '\0')
		return 0;
	if (last == NULL) {
		file_result(reader, troupe__error(reader->error, -EINVAL,
						  "%s:%u: expected a [section] "
						  "before the first key",
						  reader->path, reader->line));
		return 0;
	}
	return file_add(reader, last->section, key, value) == 0;
}

#if INI_HANDLER_LINENO
static int file_handler(void *data, const char *section, const char *key,
			const char *value, int line)
{
	(void)line;
	return file_handle(data, section, key, value);
}
#else
#define file_handler file_handle
#endif

static int file_unreadable(const struct file_reader *reader, int number)
{
	char buffer[80];

	return troupe__error(reader->error,
			     number == ENOENT	? -ENOENT
			     : number == ENOMEM ? -ENOMEM
						: -EINVAL,
			     "%s: cannot read the config file: %s",
			     reader->path,
			     strerror_r(number, buffer, sizeof(buffer)));
}

int troupe__config_read_file(struct troupe__settings *settings,
			     const char *path, struct troupe__entries *entries,
			     struct troupe_error *error)
{
	struct file_reader reader = {
		.settings = settings,
		.entries = entries,
		.error = error,
	};
	int bad_line;

	/* As it can be shown: on one line. */
	reader.path = troupe__settings_text(settings, "%s", path);
	if (reader.path == NULL)
		return troupe__config_no_memory(error);
	reader.stream = fopen(path, "re");
	if (reader.stream == NULL)
		return file_unreadable(&reader, errno);
	errno = 0;
	bad_line = ini_parse_stream(file_next, &reader, file_handler, &reader);
	if (ferror(reader.stream))
		reader.result = file_unreadable(&reader, errno);
	else if (bad_line == -2)
		reader.result = troupe__config_no_memory(error);
	else if (bad_line > 0 && (uint32_t)bad_line != reader.failed_line)
		reader.result = troupe__error(error, -EINVAL,
					      "%s:%d: expected [section] or "
					      "key = value",
					      reader.path, bad_line);
	fclose(reader.stream);
	return reader.result;
}
