/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading the records of profiled.c while the workers go on. A reader holds a
 * lock only while it copies one record, and none while it hands it out.
 */
#include "profiled_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* relaxed: each number stands alone. */
static inline uint64_t profiled_number(const _Atomic uint64_t *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

static void profiled_read_sums(const struct profiled_sums *sums,
			       struct troupe_profiled_record *record)
{
	record->runs += profiled_number(&sums->runs);
	record->messages += profiled_number(&sums->messages);
	record->cpu_time += profiled_number(&sums->cpu_time);
	record->wall_time += profiled_number(&sums->wall_time);
	record->waiting_time += profiled_number(&sums->waiting_time);
}

/* ---- by name ----------------------------------------------------------- */

/* The first @ret_count entries have their names. */
static const struct profiled_name *
profiled_names(const struct troupe_worker *worker, uint32_t *ret_count)
{
	const struct profiled_worker *profiled =
		troupe__profiled_worker(worker);

	/* acquire: pairs with: profiled_find(). */
	*ret_count =
		atomic_load_explicit(&profiled->count, memory_order_acquire);
	return profiled->names;
}

/* The entry of @name at @worker; NULL if it has none. */
static const struct profiled_name *
profiled_lookup(const struct troupe_worker *worker, const char *name)
{
	uint32_t count;
	const struct profiled_name *names = profiled_names(worker, &count);

	for (uint32_t i = 0; i < count; i++)
		if (strcmp(names[i].name, name) == 0)
			return &names[i];
	return NULL;
}

/* True if a worker before the one at @index has the name. */
static bool profiled_seen(const struct troupe_coordinator *coordinator,
			  uint32_t index, const char *name)
{
	for (uint32_t i = 0; i < index; i++)
		if (profiled_lookup(coordinator->workers[i], name) != NULL)
			return true;
	return false;
}

static void profiled_sum_name(const struct troupe_coordinator *coordinator,
			      const char *name,
			      struct troupe_profiled_record *ret_record)
{
	struct troupe_profiled_record record = {.id = 0};

	memcpy(record.name, name, sizeof(record.name));
	for (uint32_t i = 0; i < coordinator->worker_count; i++) {
		const struct profiled_name *entry =
			profiled_lookup(coordinator->workers[i], name);

		if (entry == NULL)
			continue;
		profiled_read_sums(&entry->sums, &record);
		record.jobs += profiled_number(&entry->jobs);
		record.ended += profiled_number(&entry->ended);
		record.life_time += profiled_number(&entry->life_time);
	}
	*ret_record = record;
}

static int profiled_read_names(const struct troupe_coordinator *coordinator,
			       troupe_profiled_fn each, void *context)
{
	int total = 0;

	for (uint32_t i = 0; i < coordinator->worker_count; i++) {
		uint32_t count;
		const struct profiled_name *names =
			profiled_names(coordinator->workers[i], &count);

		for (uint32_t n = 0; n < count; n++) {
			struct troupe_profiled_record record;

			if (profiled_seen(coordinator, i, names[n].name))
				continue;
			profiled_sum_name(coordinator, names[n].name, &record);
			each(&record, context);
			total++;
		}
	}
	return total;
}

/* ---- by job ------------------------------------------------------------ */

/* Under the lock, so that the job does not end meanwhile. */
static void profiled_copy(const struct profiled_node *node,
			  struct troupe_profiled_record *ret_record)
{
	const struct profiled_job *job = (const struct profiled_job *)node;
	struct troupe_profiled_record record = {.jobs = 1};

	strncpy(record.name, troupe_job_name(job->job),
		sizeof(record.name) - 1);
	record.id = troupe_job_id(job->job);
	record.life_time = troupe_now() - job->since;
	profiled_read_sums(&job->sums, &record);
	*ret_record = record;
}

/* Goes round the ring by a node of its own. Jobs that come meanwhile are put
 * at the front, and not seen. */
static int profiled_read_living(struct profiled_worker *worker,
				troupe_profiled_fn each, void *context)
{
	struct profiled_node place = {.reader = true};
	struct troupe_profiled_record record;
	int total = 0;

	troupe_spinlock_lock(&worker->lock);
	troupe__profiled_insert(&worker->living, &place);
	while (place.next != &worker->living) {
		struct profiled_node *node = place.next;

		troupe__profiled_remove(&place);
		troupe__profiled_insert(node, &place);
		if (node->reader)
			continue;
		profiled_copy(node, &record);
		troupe_spinlock_unlock(&worker->lock);
		each(&record, context);
		total++;
		troupe_spinlock_lock(&worker->lock);
	}
	troupe__profiled_remove(&place);
	troupe_spinlock_unlock(&worker->lock);
	return total;
}

/* ---- public ------------------------------------------------------------ */

int troupe_profiled_read(const struct troupe_system *system,
			 enum troupe_profiled_view view,
			 troupe_profiled_fn each, void *context)
{
	const struct troupe_coordinator *coordinator =
		troupe_system_coordinator(system);
	int total = 0;

	/* What the table was copied from shows by its slots. */
	if (coordinator->policy->dequeue != troupe__profiled_section.dequeue)
		return -ENOENT;
	if (view == TROUPE_PROFILED_NAMES)
		return profiled_read_names(coordinator, each, context);
	if (view != TROUPE_PROFILED_JOBS)
		return -EINVAL;
	for (uint32_t i = 0; i < coordinator->worker_count; i++)
		total += profiled_read_living(
			troupe__profiled_worker(coordinator->workers[i]), each,
			context);
	return total;
}

struct profiled_table {
	struct troupe_profiled_record rows[PROFILED_NAMES];
	size_t count;
};

static void profiled_collect(const struct troupe_profiled_record *record,
			     void *context)
{
	struct profiled_table *table = context;

	if (table->count < PROFILED_NAMES)
		table->rows[table->count++] = *record;
}

static int profiled_compare(const void *a, const void *b)
{
	const struct troupe_profiled_record *x = a, *y = b;

	if (x->wall_time != y->wall_time)
		return x->wall_time < y->wall_time ? 1 : -1;
	return strcmp(x->name, y->name);
}

static double profiled_ms(uint64_t nanoseconds)
{
	return (double)nanoseconds / 1e6;
}

int troupe_profiled_print(const struct troupe_system *system, FILE *out)
{
	struct profiled_table table = {.count = 0};
	int result = troupe_profiled_read(system, TROUPE_PROFILED_NAMES,
					  profiled_collect, &table);

	if (result < 0)
		return result;
	qsort(table.rows, table.count, sizeof(table.rows[0]), profiled_compare);
	fprintf(out, "%-24s %9s %9s %10s %11s %10s %10s %10s %10s\n", "name",
		"jobs", "ended", "runs", "messages", "cpu ms", "wall ms",
		"waited ms", "life ms");
	for (size_t i = 0; i < table.count; i++) {
		const struct troupe_profiled_record *row = &table.rows[i];

		fprintf(out,
			"%-24s %9llu %9llu %10llu %11llu %10.2f %10.2f "
			"%10.2f %10.2f\n",
			row->name, (unsigned long long)row->jobs,
			(unsigned long long)row->ended,
			(unsigned long long)row->runs,
			(unsigned long long)row->messages,
			profiled_ms(row->cpu_time), profiled_ms(row->wall_time),
			profiled_ms(row->waiting_time),
			profiled_ms(row->life_time));
	}
	return ferror(out) ? -EIO : 0;
}
