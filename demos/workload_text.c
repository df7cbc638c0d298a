/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word counter of wordfreq as a workload. A text that is shorter than
 * what scale asks for is read several times in one run: the few files of a
 * usual example would be over before a clock could tell policies apart.
 */
#include "workloads.h"

#include "wordcount.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES  (UINT64_C(16) << 20)
#define TEXT_BUFFER 65536

static bool text_is_letter(unsigned char byte)
{
	byte |= 0x20;
	return byte >= 'a' && byte <= 'z';
}

/* Words by plain reading, so that the actors' count can be verified. */
static int text_read_file(const char *path, struct workload_text *text)
{
	unsigned char *buffer = malloc(TEXT_BUFFER);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	int code = buffer == NULL ? -ENOMEM : file < 0 ? -errno : 0;
	bool inside = false;
	ssize_t got = 0;

	while (code == 0 && (got = read(file, buffer, TEXT_BUFFER)) > 0) {
		text->bytes += (uint64_t)got;
		for (ssize_t i = 0; i < got; i++) {
			bool letter = text_is_letter(buffer[i]);

			text->words += letter && !inside;
			inside = letter;
		}
	}
	if (got < 0)
		code = -errno;
	if (file >= 0)
		close(file);
	free(buffer);
	return code;
}

static int text_visit(const FTSENT *entry, struct workload_text *text)
{
	switch (entry->fts_info) {
	case FTS_F:
		return text_read_file(entry->fts_path, text);
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return -entry->fts_errno;
	case FTS_DEFAULT:
		/* A pipe or device could not be read again. */
		return entry->fts_level == FTS_ROOTLEVEL ? -ESPIPE : 0;
	default:
		return 0;
	}
}

static int text_read_path(const char *path, struct workload_text *text,
			  char **ret_path)
{
	char *roots[] = {(char *)path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR,
			     NULL);
	const FTSENT *entry;
	int code = 0;

	if (tree == NULL)
		return -errno;
	while (code == 0 && (entry = fts_read(tree)) != NULL) {
		code = text_visit(entry, text);
		if (code != 0)
			*ret_path = strdup(entry->fts_path);
	}
	fts_close(tree);
	return code;
}

int workload_text_open(const char *const *paths, size_t count,
		       struct workload_text *ret_text, char **ret_path)
{
	struct workload_text text = {.paths = paths, .path_count = count};
	char *path = NULL;
	int code = 0;

	for (size_t i = 0; code == 0 && i < count; i++)
		code = text_read_path(paths[i], &text, &path);
	if (code == 0 && text.words == 0)
		code = -ENODATA;
	if (code != 0) {
		*ret_path = path;
		return code;
	}
	*ret_text = text;
	return 0;
}

/* @passes times all the paths. */
static const char **text_repeat(const struct workload_text *text,
				uint64_t passes)
{
	const char **paths = calloc(passes * text->path_count, sizeof(*paths));

	if (paths == NULL)
		return NULL;
	for (uint64_t i = 0; i < passes * text->path_count; i++)
		paths[i] = text->paths[i % text->path_count];
	return paths;
}

static int wordfreq_run(struct workload_trial *trial)
{
	const struct workload_text *text = trial->text;
	uint64_t wanted = workload_size(trial, TEXT_BYTES, 1);
	uint64_t passes = (wanted + text->bytes - 1) / text->bytes;
	struct wordcount_options options = {.text = true};
	struct wordcount_result result;
	const char **paths = text_repeat(text, passes);
	int code;

	if (paths == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	code = wordcount_run(trial->system, paths, passes * text->path_count,
			     &options, &result);
	free(paths);
	if (code != 0)
		return workload_failed(trial, "count words", code);

	trial->operations = result.bytes;
	code = workload_verify(trial, "words", result.words,
			       passes * text->words);
	if (code == 0)
		code = workload_verify(trial, "bytes", result.bytes,
				       passes * text->bytes);
	wordcount_result_free(&result);
	return code;
}

const struct workload workload_wordfreq = {
	.name = "wordfreq",
	.unit = "byte",
	.flags = WORKLOAD_USUAL | WORKLOAD_TEXT,
	.summary = "counts the words of the text, repeated up to 16 MB",
	.run = wordfreq_run,
};
