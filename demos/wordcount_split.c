/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splitters and counters. A splitter counts the words of its chunks in one
 * small table for each counter. A table that is full goes to its counter as a
 * batch and comes back empty; until then the splitter fills the other one,
 * and when that is full too it takes no more chunks.
 */
#include "wordcount_actors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A splitter's tables together hold about this much, then they are sent. */
#define SPLITTER_WORDS (8u * 1024)
#define SPLITTER_BYTES (128u * 1024)

/* The way to one counter. */
struct lane {
	struct troupe_strong counter;
	struct wordcount_table *filling;
	struct wordcount_table *spare; /* NULL: it is away */
};

struct splitter {
	struct wordcount_run *run;
	struct lane *lanes; /* run->counters of them */
};

struct counter {
	struct wordcount_run *run;
	struct troupe_strong collector;
	struct wordcount_table *total;
};

/* ---- splitter ---------------------------------------------------------- */

static bool splitter_is_letter(unsigned char lower)
{
	return (unsigned char)(lower - 'a') < 26;
}

/* Turns the chunk's words to lower case in place and counts them. */
static int splitter_split(struct splitter *splitter,
			  const struct wordcount_chunk *chunk)
{
	const uint64_t counters = splitter->run->counters;
	unsigned char *at = chunk->bytes;
	const unsigned char *end = at + chunk->length;

	while (at < end) {
		unsigned char *word = at;
		uint64_t hash = WORDCOUNT_HASH_START;

		/* Setting this bit makes letters lower case, and makes a
		 * letter of nothing else. */
		for (; at < end; at++) {
			unsigned char lower = *at | 0x20;

			if (!splitter_is_letter(lower))
				break;
			hash = wordcount_hash_mix(hash, lower);
			*at = lower;
		}
		if (at > word) {
			hash = wordcount_hash_finish(hash);

			uint64_t lane = ((hash >> 32) * counters) >> 32;
			int result = wordcount_table_add(
				splitter->lanes[lane].filling, (uint32_t)hash,
				(const char *)word, (size_t)(at - word), 1);

			if (result < 0)
				return result;
		}
		at++;
	}
	return 0;
}

static int splitter_send_batch(struct splitter *splitter, uint32_t counter)
{
	struct lane *lane = &splitter->lanes[counter];
	struct wordcount_batch batch = {lane->filling, counter};
	int result = troupe_send(lane->counter, WORDCOUNT_BATCH, &batch,
				 sizeof(batch));

	if (result < 0)
		return result;
	lane->filling = lane->spare;
	lane->spare = NULL;
	return 0;
}

/* Sends what is full. Returns: 1 if something full has to wait. */
static int splitter_flush(struct splitter *splitter)
{
	const uint32_t counters = splitter->run->counters;
	int wait = 0;

	for (uint32_t i = 0; i < counters; i++) {
		struct lane *lane = &splitter->lanes[i];

		if (lane->filling->used < SPLITTER_WORDS / counters &&
		    lane->filling->bytes < SPLITTER_BYTES / counters)
			continue;
		if (lane->spare == NULL) {
			wait = 1;
			continue;
		}

		int result = splitter_send_batch(splitter, i);

		if (result < 0)
			return result;
	}
	return wait;
}

static void splitter_take_back(struct splitter *splitter,
			       const struct troupe_message *message)
{
	const struct wordcount_batch *batch = troupe_payload(message);

	splitter->lanes[batch->counter].spare = batch->table;
}

static int splitter_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message);

/* The behaviour while a table is full and its spare one is away. */
static int splitter_wait(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct splitter *splitter = state;

	if (message->tag != WORDCOUNT_BATCH)
		return TROUPE_SKIP;
	splitter_take_back(splitter, message);

	int result = splitter_flush(splitter);

	if (result == 0)
		troupe_become(self, splitter_receive);
	return result < 0 ? result : 0;
}

static int splitter_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	struct splitter *splitter = state;

	if (message->tag == WORDCOUNT_BATCH) {
		splitter_take_back(splitter, message);
		return 0;
	}

	struct wordcount_chunk *chunk =
		*(struct wordcount_chunk *const *)troupe_payload(message);
	int result = splitter_split(splitter, chunk);

	if (result < 0)
		return result;
	result = troupe_reply(self, message, WORDCOUNT_CHUNK, &chunk,
			      sizeof(struct wordcount_chunk *));
	if (result < 0)
		return result;
	result = splitter_flush(splitter);
	if (result == 1)
		troupe_become(self, splitter_wait);
	return result < 0 ? result : 0;
}

static int splitter_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	const struct wordcount_argument *from = argument;
	struct wordcount_run *run = from->run;
	struct splitter *splitter = state;
	struct wordcount_table *batches =
		&run->batches[(size_t)from->index * run->counters *
			      WORDCOUNT_BATCHES];

	(void)self;
	splitter->lanes = calloc(run->counters, sizeof(*splitter->lanes));
	if (splitter->lanes == NULL)
		return -ENOMEM;
	splitter->run = run;
	for (uint32_t i = 0; i < run->counters; i++) {
		splitter->lanes[i] = (struct lane){
			.counter = troupe_strong_clone(from->counters[i]),
			.filling = &batches[(size_t)i * WORDCOUNT_BATCHES],
			.spare = &batches[(size_t)i * WORDCOUNT_BATCHES + 1],
		};
	}
	return 0;
}

/* All readers have ended: the rest goes to the counters. */
static void splitter_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct splitter *splitter = state;

	(void)self;
	for (uint32_t i = 0; i < splitter->run->counters && reason == 0; i++) {
		if (splitter->lanes[i].filling->used > 0)
			reason = splitter_send_batch(splitter, i);
	}
	wordcount_fail(splitter->run, reason);
}

static void splitter_destroy(void *state)
{
	struct splitter *splitter = state;

	if (splitter->lanes == NULL)
		return;
	for (uint32_t i = 0; i < splitter->run->counters; i++)
		troupe_strong_release(&splitter->lanes[i].counter);
	free(splitter->lanes);
	splitter->lanes = NULL;
}

const struct troupe_actor_class wordcount_splitter = {
	.name = "splitter",
	.state_size = sizeof(struct splitter),
	.init = splitter_init,
	.receive = splitter_receive,
	.on_exit = splitter_on_exit,
	.destroy = splitter_destroy,
};

/* ---- counter ----------------------------------------------------------- */

static int counter_init(struct troupe_actor *self, void *state,
			const void *argument)
{
	const struct wordcount_argument *from = argument;
	struct counter *counter = state;

	(void)self;
	counter->run = from->run;
	counter->total = &from->run->totals[from->index];
	counter->collector = troupe_strong_clone(from->collector);
	return 0;
}

/* WORDCOUNT_BATCH is all that comes. */
static int counter_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	const struct wordcount_batch *batch = troupe_payload(message);
	struct wordcount_table *table = batch->table;
	struct counter *counter = state;

	for (size_t i = 0; i < table->capacity; i++) {
		const struct wordcount_entry *entry = table->entries[i];
		int result;

		if (entry == NULL)
			continue;
		result = wordcount_table_add(counter->total, table->hashes[i],
					     entry->word, entry->length,
					     entry->count);
		if (result < 0)
			return result;
	}
	wordcount_table_clear(table);

	int result = troupe_reply(self, message, WORDCOUNT_BATCH, batch,
				  sizeof(*batch));

	/* A splitter that sent its last batch has ended by now. */
	return result == -ESRCH ? 0 : result;
}

/* All splitters have ended. */
static void counter_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct counter *counter = state;

	(void)self;
	if (reason == 0)
		wordcount_table_sort(counter->total);
	wordcount_fail(counter->run, reason);
}

static void counter_destroy(void *state)
{
	struct counter *counter = state;

	troupe_strong_release(&counter->collector);
}

const struct troupe_actor_class wordcount_counter = {
	.name = "counter",
	.state_size = sizeof(struct counter),
	.init = counter_init,
	.receive = counter_receive,
	.on_exit = counter_on_exit,
	.destroy = counter_destroy,
};
