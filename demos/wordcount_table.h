/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * wordcount_table.h - a hash table from words to counts
 *
 * Overview. Splitters fill small ones and hand them to the counters, which
 * add them to large ones. An entry lies in a block that never moves, with its
 * count and text together, so that counting a known word touches one line.
 *
 * Threads. One owner at a time; a message hands it over.
 */
#ifndef WORDCOUNT_TABLE_H
#define WORDCOUNT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "wordcount.h"

/** Zeroed: an empty table. The two arrays are of one length. */
struct wordcount_table {
	uint32_t *hashes;
	struct wordcount_entry **entries; /* NULL: an empty slot */
	size_t capacity;		  /* a power of two, or 0 */
	size_t used;
	size_t bytes; /* of all entries */
	struct wordcount_block *blocks;
};

/**
 * The hash of a word, byte by byte: start with WORDCOUNT_HASH_START, mix each
 * byte, then finish. Its low half is the table's, its high one chooses the
 * counter.
 */
#define WORDCOUNT_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t wordcount_hash_mix(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t wordcount_hash_finish(uint64_t hash)
{
	hash ^= hash >> 32;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/**
 * Adds @count to the word of @length bytes at @text.
 * Returns: 0; -ENOMEM; -EOVERFLOW for a word of 4 GiB. On an error the table
 *          is as it was.
 */
int wordcount_table_add(struct wordcount_table *table, uint32_t hash,
			const char *text, size_t length, uint64_t count);

/** Forgets the words and keeps memory for about as many small ones. */
void wordcount_table_clear(struct wordcount_table *table);

/**
 * Moves the words to entries[0 .. used - 1], most frequent first, then by
 * text. From then on the table can only be read and freed.
 */
void wordcount_table_sort(struct wordcount_table *table);

/** The order of the sorted table: negative if @a comes first. */
int wordcount_entry_compare(const struct wordcount_entry *a,
			    const struct wordcount_entry *b);

/** Gives the entries' memory away: the caller frees the blocks. */
struct wordcount_block *wordcount_table_take(struct wordcount_table *table);
/** Puts the list @more in front of @blocks. Returns: the joint list. */
struct wordcount_block *wordcount_blocks_join(struct wordcount_block *blocks,
					      struct wordcount_block *more);
void wordcount_blocks_free(struct wordcount_block *blocks);

/** Leaves an empty table. */
void wordcount_table_fini(struct wordcount_table *table);

#endif
