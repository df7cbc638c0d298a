/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The run: sets up what the actors share, spawns them from the last of the
 * pipeline to the first, and lets go of them. And the collector, which hears
 * of progress and problems and, as the last actor to end, merges the totals.
 */
#include "wordcount.h"

#include "wordcount_actors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Two, so that the next file is opened while one is read. */
#define RUN_READERS 2
/* Each has a megabyte of tables. */
#define RUN_MAX_SPLITTERS 256
/* More share the work no better, and each has tables at every splitter. */
#define RUN_MAX_COUNTERS 16

struct collector {
	struct wordcount_run *run;
};

/* The run's own handles, while it spawns. */
struct actors {
	struct troupe_strong collector, finder;
	struct troupe_strong *counters, *splitters;
};

void wordcount_fail(struct wordcount_run *run, int error)
{
	int none = 0;

	if (error != 0)
		atomic_compare_exchange_strong(&run->error, &none, error);
}

bool wordcount_stopped(const struct wordcount_run *run)
{
	const atomic_bool *cancel = run->options->cancel;

	if (cancel != NULL && atomic_load(cancel))
		return true;
	return atomic_load(&run->error) != 0;
}

/* ---- collector --------------------------------------------------------- */

static void collector_free_report(void *data, size_t size)
{
	(void)size;
	free(data);
}

int wordcount_tell(struct troupe_strong collector, const char *path,
		   enum wordcount_problem problem, int error)
{
	size_t path_size = strlen(path) + 1;
	size_t size = sizeof(struct wordcount_report) + path_size;
	struct wordcount_report *report = malloc(size);
	int result;

	if (report == NULL)
		return -ENOMEM;
	report->problem = problem;
	report->error = error;
	memcpy(report->path, path, path_size);
	result = troupe_send_moved(collector, WORDCOUNT_PROBLEM, report, size,
				   collector_free_report);
	if (result < 0)
		free(report);
	return result;
}

static int collector_init(struct troupe_actor *self, void *state,
			  const void *argument)
{
	const struct wordcount_argument *from = argument;
	struct collector *collector = state;

	(void)self;
	collector->run = from->run;
	return 0;
}

static int collector_receive(struct troupe_actor *self, void *state,
			     const struct troupe_message *message)
{
	struct wordcount_run *run = ((struct collector *)state)->run;
	const struct wordcount_options *options = run->options;
	const void *payload = troupe_payload(message);

	(void)self;
	if (message->tag == WORDCOUNT_PROBLEM) {
		const struct wordcount_report *report = payload;

		run->result.problems++;
		if (options->report != NULL)
			options->report(options->context, report->path,
					report->problem, report->error);
	} else {
		const struct wordcount_step *step = payload;

		run->result.bytes += step->bytes;
		run->result.files += step->files;
		if (options->progress != NULL)
			options->progress(options->context, run->result.bytes);
	}
	return 0;
}

/* The counter whose next word comes first; NULL when all are used up. */
static const struct wordcount_entry *
collector_first(const struct wordcount_run *run, size_t *taken)
{
	const struct wordcount_entry *first = NULL;
	size_t *first_taken = NULL;

	for (uint32_t i = 0; i < run->counters; i++) {
		const struct wordcount_entry *next;

		if (taken[i] == run->totals[i].used)
			continue;
		next = run->totals[i].entries[taken[i]];
		if (first == NULL || wordcount_entry_compare(next, first) < 0) {
			first = next;
			first_taken = &taken[i];
		}
	}
	if (first_taken != NULL)
		++*first_taken;
	return first;
}

/* Merges the sorted totals. */
static int collector_merge(struct wordcount_run *run)
{
	struct wordcount_result *result = &run->result;
	const struct wordcount_entry *entry;
	size_t *taken;
	size_t count = 0;

	for (uint32_t i = 0; i < run->counters; i++)
		count += run->totals[i].used;
	if (count == 0)
		return 0;
	result->entries = malloc(count * sizeof(*result->entries));
	taken = calloc(run->counters, sizeof(*taken));
	if (result->entries == NULL || taken == NULL) {
		free(taken);
		return -ENOMEM;
	}
	while ((entry = collector_first(run, taken)) != NULL) {
		result->entries[result->entry_count++] = entry;
		result->words += entry->count;
	}
	free(taken);
	return 0;
}

/* All others have ended. */
static void collector_on_exit(struct troupe_actor *self, void *state,
			      int reason)
{
	struct wordcount_run *run = ((struct collector *)state)->run;

	(void)self;
	if (reason == 0 && !wordcount_stopped(run))
		reason = collector_merge(run);
	wordcount_fail(run, reason);
}

const struct troupe_actor_class wordcount_collector = {
	.name = "collector",
	.state_size = sizeof(struct collector),
	.init = collector_init,
	.receive = collector_receive,
	.on_exit = collector_on_exit,
};

/* ---- run --------------------------------------------------------------- */

static int run_init(struct wordcount_run *run, struct actors *actors)
{
	size_t chunks = (size_t)RUN_READERS * run->splitters * WORDCOUNT_CHUNKS;
	size_t batches =
		(size_t)run->splitters * run->counters * WORDCOUNT_BATCHES;

	atomic_init(&run->error, 0);
	run->chunks = calloc(chunks, sizeof(*run->chunks));
	run->batches = calloc(batches, sizeof(*run->batches));
	run->totals = calloc(run->counters, sizeof(*run->totals));
	actors->counters = calloc(run->counters, sizeof(*actors->counters));
	actors->splitters = calloc(run->splitters, sizeof(*actors->splitters));
	if (run->chunks == NULL || run->batches == NULL ||
	    run->totals == NULL || actors->counters == NULL ||
	    actors->splitters == NULL)
		return -ENOMEM;
	return 0;
}

static int run_spawn(struct wordcount_run *run, struct troupe_system *system,
		     struct actors *actors)
{
	struct wordcount_argument from = {.run = run};
	int result = troupe_spawn(system, &wordcount_collector, &from,
				  &actors->collector);

	from.collector = actors->collector;
	from.counters = actors->counters;
	from.splitters = actors->splitters;
	if (result == 0)
		result = troupe_spawn(system, &wordcount_finder, &from,
				      &actors->finder);
	from.finder = actors->finder;
	for (uint32_t i = 0; i < run->counters && result == 0; i++) {
		from.index = i;
		result = troupe_spawn(system, &wordcount_counter, &from,
				      &actors->counters[i]);
	}
	for (uint32_t i = 0; i < run->splitters && result == 0; i++) {
		from.index = i;
		result = troupe_spawn(system, &wordcount_splitter, &from,
				      &actors->splitters[i]);
	}
	for (uint32_t i = 0; i < RUN_READERS && result == 0; i++) {
		struct troupe_strong reader = {NULL};

		from.index = i;
		result =
			troupe_spawn(system, &wordcount_reader, &from, &reader);
		if (result == 0)
			result = troupe_send(reader, WORDCOUNT_START, NULL, 0);
		troupe_strong_release(&reader);
	}
	return result;
}

/* Lets go of the actors: from now on they end by themselves. */
static void run_release(struct wordcount_run *run, struct actors *actors)
{
	for (uint32_t i = 0; actors->splitters && i < run->splitters; i++)
		troupe_strong_release(&actors->splitters[i]);
	for (uint32_t i = 0; actors->counters && i < run->counters; i++)
		troupe_strong_release(&actors->counters[i]);
	troupe_strong_release(&actors->finder);
	troupe_strong_release(&actors->collector);
	free(actors->splitters);
	free(actors->counters);
}

/* After the last actor. The result takes the texts. */
static void run_fini(struct wordcount_run *run)
{
	size_t chunks = (size_t)RUN_READERS * run->splitters * WORDCOUNT_CHUNKS;
	size_t batches =
		(size_t)run->splitters * run->counters * WORDCOUNT_BATCHES;

	for (size_t i = 0; run->chunks != NULL && i < chunks; i++)
		free(run->chunks[i].bytes);
	for (size_t i = 0; run->batches != NULL && i < batches; i++)
		wordcount_table_fini(&run->batches[i]);
	for (uint32_t i = 0; run->totals != NULL && i < run->counters; i++) {
		run->result.blocks = wordcount_blocks_join(
			run->result.blocks,
			wordcount_table_take(&run->totals[i]));
		wordcount_table_fini(&run->totals[i]);
	}
	free(run->chunks);
	free(run->batches);
	free(run->totals);
}

static uint32_t run_choose(uint32_t wanted, uint32_t workers, uint32_t maximum)
{
	uint32_t chosen = wanted != 0 ? wanted : workers;

	return chosen < maximum ? chosen : maximum;
}

int wordcount_run(struct troupe_system *system, const char *const *paths,
		  size_t count, const struct wordcount_options *options,
		  struct wordcount_result *ret_result)
{
	static const struct wordcount_options defaults = {0};
	uint32_t workers = troupe_system_worker_count(system);
	struct actors actors = {{NULL}, {NULL}, NULL, NULL};
	struct wordcount_run run = {.paths = paths, .path_count = count};
	int result;

	run.options = options != NULL ? options : &defaults;
	run.chunk_size = run.options->chunk_size != 0 ? run.options->chunk_size
						      : WORDCOUNT_CHUNK_SIZE;
	run.splitters =
		run_choose(run.options->splitters, workers, RUN_MAX_SPLITTERS);
	run.counters =
		run_choose(run.options->counters, workers, RUN_MAX_COUNTERS);
	if (troupe_current_worker() != TROUPE_ANY_WORKER)
		return -EDEADLK;
	result = run_init(&run, &actors);
	if (result == 0)
		result = run_spawn(&run, system, &actors);
	wordcount_fail(&run, result);
	run_release(&run, &actors);
	troupe_system_await(system);
	if (run.options->cancel != NULL && atomic_load(run.options->cancel))
		wordcount_fail(&run, -ECANCELED);
	result = atomic_load(&run.error);
	run_fini(&run);
	if (result < 0)
		wordcount_result_free(&run.result);
	else
		*ret_result = run.result;
	return result;
}

void wordcount_result_free(struct wordcount_result *result)
{
	wordcount_blocks_free(result->blocks);
	free(result->entries);
	*result = (struct wordcount_result){0};
}
