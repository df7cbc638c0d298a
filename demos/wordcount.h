/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * wordcount.h - count the words of files with actors
 *
 * Overview. A pipeline of actors: one *finder* walks the paths, *readers* cut
 * files into chunks that end between words, *splitters* count the words of a
 * chunk in a small table of their own, *counters* add up those tables, each
 * for its share of the words, and one *collector* merges the results. A
 * chunk's memory goes back to its reader when it has been split, a batch's
 * to its splitter when it has been added: that is the flow control, and why
 * the memory in use does not grow with the input, only with the number of
 * different words and the longest of them.
 *
 * A word is a longest run of the bytes A-Z and a-z, in lower case. It ends
 * where its file ends.
 *
 * Typical use.
 *	struct wordcount_options options = {.text = true};
 *	struct wordcount_result result;
 *	wordcount_run(system, paths, count, &options, &result);
 *	... result.entries[0 .. result.entry_count - 1] ...
 *	wordcount_result_free(&result);
 *
 * Threads. wordcount_run() waits as troupe_system_await() does: for every
 * actor of the system. One run at a time in one system, from outside of it.
 */
#ifndef WORDCOUNT_H
#define WORDCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "troupe.h"

#define WORDCOUNT_CHUNK_SIZE (64u * 1024)

/** Why a path gave no words, or not all. */
enum wordcount_problem {
	WORDCOUNT_UNREADABLE, /* missing, no permission, read error */
	WORDCOUNT_EMPTY,
	WORDCOUNT_BINARY, /* a NUL among its first 4096 bytes */
};

/** Zeroed: the defaults. */
struct wordcount_options {
	size_t chunk_size;  /* bytes read at once */
	uint32_t splitters; /* 0: one for each worker */
	uint32_t counters;  /* 0: one for each worker */
	bool text;	    /* count binary files as well */

	/**
	 * Once a path with a problem; the run goes on. @error: negative errno
	 * for WORDCOUNT_UNREADABLE, else 0.
	 * Context: a worker; never two callbacks at once. May be NULL.
	 */
	void (*report)(void *context, const char *path,
		       enum wordcount_problem problem, int error);
	/** After every chunk. @bytes: read so far. Context: as report. */
	void (*progress)(void *context, uint64_t bytes);
	void *context;

	/** Set it, from any thread or signal handler, to stop early. */
	const atomic_bool *cancel;
};

struct wordcount_entry {
	uint64_t count;
	uint32_t length;
	char word[]; /* ends with a NUL */
};

struct wordcount_result {
	/** Most frequent first; equal counts in the order of strcmp(). */
	const struct wordcount_entry **entries;
	size_t entry_count;
	uint64_t words;			/* all of them: the sum of the counts */
	uint64_t bytes;			/* read */
	uint64_t files;			/* read to the end, binary ones not */
	uint64_t problems;		/* paths reported */
	struct wordcount_block *blocks; /* where the entries are */
};

/**
 * wordcount_run - count the words in @count files and directories
 *
 * @paths:   a directory stands for the regular files below it (symbolic links
 *           in it are not followed), "-" for standard input. They must live
 *           until the call returns.
 * @options: NULL for the defaults.
 * Context:  not a worker of @system. Waits for the system's last actor.
 * Owns:     on success wordcount_result_free() gives *@ret_result back.
 * Returns:  0, also when paths had problems; -ECANCELED; -ENOMEM; -EDEADLK;
 *           -EOVERFLOW for a word of 4 GiB.
 */
int wordcount_run(struct troupe_system *system, const char *const *paths,
		  size_t count, const struct wordcount_options *options,
		  struct wordcount_result *ret_result);

/**
 * wordcount_size - what wordcount_run() will read, in bytes, as far as known
 *
 * Pipes and other things without a size count as 0, problems are passed over.
 */
uint64_t wordcount_size(const char *const *paths, size_t count);

/** Accepts a zeroed one. */
void wordcount_result_free(struct wordcount_result *result);

#endif
