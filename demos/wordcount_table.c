/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open addressing with linear probing, three quarters full at most. The hashes
 * are kept beside the entries, so growing and adding one table to another
 * never hash again, and probing rarely looks at a wrong entry.
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
	_Alignas(struct wordcount_entry) char bytes[];
};

/* ---- entries ----------------------------------------------------------- */

/* Bytes of an entry whose word has @length. */
static size_t table_entry_size(size_t length)
{
	const size_t align = _Alignof(struct wordcount_entry);
	size_t size = sizeof(struct wordcount_entry) + length + 1;

	return (size + align - 1) / align * align;
}

static struct wordcount_entry *table_keep(struct wordcount_table *table,
					  const char *text, size_t length)
{
	struct wordcount_block *block = table->blocks;
	size_t size = table_entry_size(length);
	struct wordcount_entry *entry;

	if (block == NULL || block->capacity - block->used < size) {
		size_t capacity = TABLE_BLOCK_SIZE - sizeof(*block);

		if (size > capacity)
			capacity = size;
		block = malloc(sizeof(*block) + capacity);
		if (block == NULL)
			return NULL;
		block->used = 0;
		block->capacity = capacity;
		block->next = table->blocks;
		table->blocks = block;
	}
	entry = (struct wordcount_entry *)(block->bytes + block->used);
	block->used += size;
	table->bytes += size;
	entry->count = 0;
	entry->length = (uint32_t)length;
	memcpy(entry->word, text, length);
	entry->word[length] = '\0';
	return entry;
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
static size_t table_find(const struct wordcount_table *table, uint32_t hash,
			 const char *text, size_t length)
{
	size_t mask = table->capacity - 1;
	size_t at = hash & mask;

	for (;; at = (at + 1) & mask) {
		const struct wordcount_entry *entry = table->entries[at];

		if (entry == NULL)
			return at;
		if (table->hashes[at] == hash && entry->length == length &&
		    memcmp(entry->word, text, length) == 0)
			return at;
	}
}

static int table_grow(struct wordcount_table *table)
{
	size_t capacity = table->capacity != 0 ? table->capacity * 2
					       : TABLE_FIRST_CAPACITY;
	uint32_t *hashes = malloc(capacity * sizeof(*hashes));
	struct wordcount_entry **entries =
		calloc(capacity, sizeof(struct wordcount_entry *));

	if (hashes == NULL || entries == NULL) {
		free(hashes);
		free(entries);
		return -ENOMEM;
	}
	for (size_t i = 0; i < table->capacity; i++) {
		size_t at = table->hashes[i] & (capacity - 1);

		if (table->entries[i] == NULL)
			continue;
		while (entries[at] != NULL)
			at = (at + 1) & (capacity - 1);
		hashes[at] = table->hashes[i];
		entries[at] = table->entries[i];
	}
	free(table->hashes);
	free(table->entries);
	table->hashes = hashes;
	table->entries = entries;
	table->capacity = capacity;
	return 0;
}

int wordcount_table_add(struct wordcount_table *table, uint32_t hash,
			const char *text, size_t length, uint64_t count)
{
	struct wordcount_entry *entry;
	size_t at;

	if (length > UINT32_MAX)
		return -EOVERFLOW;
	if (table->used >= table->capacity / 4 * 3) {
		int result = table_grow(table);

		if (result < 0)
			return result;
	}
	at = table_find(table, hash, text, length);
	entry = table->entries[at];
	if (entry == NULL) {
		entry = table_keep(table, text, length);
		if (entry == NULL)
			return -ENOMEM;
		table->hashes[at] = hash;
		table->entries[at] = entry;
		table->used++;
	}
	entry->count += count;
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
	if (table->used > 0)
		memset(table->entries, 0,
		       table->capacity * sizeof(struct wordcount_entry *));
	table->used = 0;
	table->bytes = 0;
}

/* ---- order ------------------------------------------------------------- */

int wordcount_entry_compare(const struct wordcount_entry *a,
			    const struct wordcount_entry *b)
{
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->word, b->word);
}

static int table_compare(const void *a, const void *b)
{
	return wordcount_entry_compare(
		*(const struct wordcount_entry *const *)a,
		*(const struct wordcount_entry *const *)b);
}

void wordcount_table_sort(struct wordcount_table *table)
{
	size_t used = 0;

	free(table->hashes);
	table->hashes = NULL;
	for (size_t i = 0; i < table->capacity; i++) {
		if (table->entries[i] != NULL)
			table->entries[used++] = table->entries[i];
	}
	if (used > 0)
		qsort(table->entries, used, sizeof(struct wordcount_entry *),
		      table_compare);
}

void wordcount_table_fini(struct wordcount_table *table)
{
	wordcount_blocks_free(table->blocks);
	free(table->hashes);
	free(table->entries);
	*table = (struct wordcount_table){0};
}
