/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open addressing with linear probing, three quarters full at most. The full
 * hash is kept, so growing and adding one table to another never hash again.
 */
#include "wordcount_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_FIRST_CAPACITY 256
#define TABLE_BLOCK_SIZE     (8u * 1024)

struct wordcount_block {
	struct wordcount_block *next;
	size_t used, capacity;
	char bytes[];
};

/* ---- texts ------------------------------------------------------------- */

static const char *table_keep(struct wordcount_table *table, const char *text,
			      size_t length)
{
	struct wordcount_block *block = table->blocks;

	if (block == NULL || block->capacity - block->used <= length) {
		size_t capacity = TABLE_BLOCK_SIZE;

		if (length >= capacity)
			capacity = length + 1;
		block = malloc(sizeof(*block) + capacity);
		if (block == NULL)
			return NULL;
		block->used = 0;
		block->capacity = capacity;
		block->next = table->blocks;
		table->blocks = block;
	}

	char *kept = block->bytes + block->used;

	memcpy(kept, text, length);
	kept[length] = '\0';
	block->used += length + 1;
	table->bytes += length + 1;
	return kept;
}

struct wordcount_block *wordcount_table_take(struct wordcount_table *table)
{
	struct wordcount_block *blocks = table->blocks;

	table->blocks = NULL;
	return blocks;
}

struct wordcount_block *wordcount_blocks_join(struct wordcount_block *blocks,
					      struct wordcount_block *more)
{
	struct wordcount_block **end = &more;

	while (*end != NULL)
		end = &(*end)->next;
	*end = blocks;
	return more;
}

void wordcount_blocks_free(struct wordcount_block *blocks)
{
	while (blocks != NULL) {
		struct wordcount_block *next = blocks->next;

		free(blocks);
		blocks = next;
	}
}

/* ---- slots ------------------------------------------------------------- */

/* The slot of the word, or the empty one where it belongs. */
static struct wordcount_word *table_find(const struct wordcount_table *table,
					 uint64_t hash, const char *text,
					 size_t length)
{
	size_t mask = table->capacity - 1;
	size_t at = (size_t)hash & mask;

	for (;; at = (at + 1) & mask) {
		struct wordcount_word *word = &table->words[at];

		if (word->count == 0)
			return word;
		if (word->hash == hash && word->length == length &&
		    memcmp(word->text, text, length) == 0)
			return word;
	}
}

static int table_grow(struct wordcount_table *table)
{
	size_t old_capacity = table->capacity;
	struct wordcount_word *old = table->words;
	size_t capacity = old_capacity * 2;

	if (capacity == 0)
		capacity = TABLE_FIRST_CAPACITY;

	struct wordcount_word *words = calloc(capacity, sizeof(*words));

	if (words == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < old_capacity; i++) {
		size_t at = (size_t)old[i].hash & (capacity - 1);

		if (old[i].count == 0)
			continue;
		while (words[at].count != 0)
			at = (at + 1) & (capacity - 1);
		words[at] = old[i];
	}
	free(old);
	table->words = words;
	table->capacity = capacity;
	return 0;
}

int wordcount_table_add(struct wordcount_table *table, uint64_t hash,
			const char *text, size_t length, uint64_t count)
{
	if (table->used >= table->capacity / 4 * 3) {
		int result = table_grow(table);

		if (result < 0)
			return result;
	}

	struct wordcount_word *word = table_find(table, hash, text, length);

	if (word->count == 0) {
		const char *kept = table_keep(table, text, length);

		if (kept == NULL)
			return -ENOMEM;
		word->hash = hash;
		word->text = kept;
		word->length = length;
		table->used++;
	}
	word->count += count;
	return 0;
}

void wordcount_table_clear(struct wordcount_table *table)
{
	struct wordcount_block *block = table->blocks;

	if (block != NULL) {
		wordcount_blocks_free(block->next);
		block->next = NULL;
		block->used = 0;
		if (block->capacity > TABLE_BLOCK_SIZE) {
			free(block);
			table->blocks = NULL;
		}
	}
	if (table->words != NULL)
		memset(table->words, 0,
		       table->capacity * sizeof(*table->words));
	table->used = 0;
	table->bytes = 0;
}

/* ---- order ------------------------------------------------------------- */

int wordcount_word_compare(const struct wordcount_word *a,
			   const struct wordcount_word *b)
{
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->text, b->text);
}

static int table_compare(const void *a, const void *b)
{
	return wordcount_word_compare(a, b);
}

void wordcount_table_sort(struct wordcount_table *table)
{
	size_t used = 0;

	for (size_t i = 0; i < table->capacity; i++) {
		if (table->words[i].count != 0)
			table->words[used++] = table->words[i];
	}
	if (used > 0)
		qsort(table->words, used, sizeof(*table->words), table_compare);
}

void wordcount_table_fini(struct wordcount_table *table)
{
	wordcount_blocks_free(table->blocks);
	free(table->words);
	*table = (struct wordcount_table){0};
}
