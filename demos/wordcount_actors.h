/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * wordcount_actors.h - what the actors of the word counter share
 *
 * Overview. Handles point one way: reader -> finder, splitters, collector;
 * splitter -> counters; counter -> collector. wordcount_run() releases its own
 * handles, so each actor ends once those before it have ended and its mailbox
 * is empty, and does its last work in on_exit. No message says "finished",
 * and an actor that fails takes the rest down in the same order.
 *
 * Ownership. Chunks and batches belong to the run, which outlives the actors.
 * A message with a pointer to one hands over the right to use it.
 */
#ifndef WORDCOUNT_ACTORS_H
#define WORDCOUNT_ACTORS_H

#include <sys/types.h>

#include "troupe.h"
#include "wordcount.h"
#include "wordcount_table.h"

enum wordcount_tag {
	WORDCOUNT_START,   /* to a reader */
	WORDCOUNT_AGAIN,   /* a reader to itself: look at the pipe again */
	WORDCOUNT_NEXT,	   /* reader -> finder, a request; the answer: */
	WORDCOUNT_PATH,	   /* text with its NUL; empty: no more */
	WORDCOUNT_CHUNK,   /* reader <-> splitter: struct wordcount_chunk * */
	WORDCOUNT_BATCH,   /* splitter <-> counter: struct wordcount_batch */
	WORDCOUNT_STEP,	   /* reader -> collector: struct wordcount_step */
	WORDCOUNT_PROBLEM, /* -> collector: struct wordcount_report */
};

/** Some bytes of a file that end where a word ends. */
struct wordcount_chunk {
	struct wordcount_chunk *next; /* in its reader's list */
	uint32_t splitter;	      /* where it goes, always */
	size_t length, capacity;
	unsigned char *bytes;
};

/** Words for one counter. */
struct wordcount_batch {
	struct wordcount_table *table;
	uint32_t counter;
};

/** What a reader has read since its last step. */
struct wordcount_step {
	uint64_t bytes, files;
};

struct wordcount_report {
	enum wordcount_problem problem;
	int error;
	char path[];
};

/** Chunks of one reader at one splitter: one in work, one in its mailbox. */
#define WORDCOUNT_CHUNKS 2
/** Batches of one splitter for one counter: one is filled, one is away. */
#define WORDCOUNT_BATCHES 2

/* Legend: I set before the actors start; C the collector's, until all actors
 * have ended; N the n-th counter's, then the collector's; M handed over by
 * messages; A atomic, any thread. */
struct wordcount_run {
	const struct wordcount_options *options; /* I */
	const char *const *paths;		 /* I */
	size_t path_count;			 /* I */
	size_t chunk_size;			 /* I */
	uint32_t readers, splitters, counters;	 /* I */
	struct wordcount_chunk *chunks;		 /* M */
	struct wordcount_table *batches;	 /* M */
	struct wordcount_table *totals;		 /* N: one a counter */
	struct wordcount_result result;		 /* C */
	atomic_int error;			 /* A: the first one, or 0 */
};

/** The argument of every spawn: copied, handles are cloned. */
struct wordcount_argument {
	struct wordcount_run *run;
	uint32_t index; /* of this reader, splitter, counter */
	struct troupe_strong collector, finder;
	const struct troupe_strong *splitters, *counters;
};

extern const struct troupe_actor_class wordcount_finder;
extern const struct troupe_actor_class wordcount_reader;
extern const struct troupe_actor_class wordcount_splitter;
extern const struct troupe_actor_class wordcount_counter;
extern const struct troupe_actor_class wordcount_collector;

/** Keeps the first @error other than 0: the run will return it. */
void wordcount_fail(struct wordcount_run *run, int error);
/** True if readers should stop early. */
bool wordcount_stopped(const struct wordcount_run *run);

/** Tells the collector. Returns: 0; -ENOMEM. */
int wordcount_tell(struct troupe_strong collector, const char *path,
		   enum wordcount_problem problem, int error);

/* ---- files: wordcount_file.c ------------------------------------------- */

/** A file is binary if it has a NUL among this many bytes. */
#define WORDCOUNT_HEAD_SIZE 4096

/** A file that is read with a look at its head first. */
struct wordcount_file {
	int descriptor;
	bool regular, sniffed;
	size_t head_length, head_used;
	unsigned char head[WORDCOUNT_HEAD_SIZE];
};

/** Returns: 0; negative errno, and there is nothing to close. */
int wordcount_file_open(struct wordcount_file *file, const char *path);
/** Fills the head. Returns: 0; -EAGAIN: call again later; -EIO, ... */
int wordcount_file_sniff(struct wordcount_file *file);
/** Context: after the sniffing. */
bool wordcount_file_binary(const struct wordcount_file *file);
/** Returns: bytes read; 0 at the end; -EAGAIN: nothing is there yet. */
ssize_t wordcount_file_read(struct wordcount_file *file, void *bytes,
			    size_t size);
void wordcount_file_close(struct wordcount_file *file);

/* ---- paths: wordcount_find.c ------------------------------------------- */

/** A walk over the files of the paths. */
struct wordcount_walk {
	const char *const *paths;
	size_t count, at;
	void *tree; /* FTS *, of the path before @at */
};
struct wordcount_found {
	const char *path; /* valid until the next call */
	uint64_t size;
	int error; /* negative errno: the path cannot be read */
};
/** Returns: false after the last. */
bool wordcount_walk_next(struct wordcount_walk *walk,
			 struct wordcount_found *ret_found);
void wordcount_walk_fini(struct wordcount_walk *walk);

#endif
