/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runs. Each has a system of its own, so that no policy's idle workers
 * disturb another's. The cells of a row take turns, A B C A B C: a machine
 * that gets slower for a while does so for all of them.
 */
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The first runs tell how large the others may be. */
#define MEASURE_CALIBRATIONS 3
/* One run of a slow cell is cut down to about this, if it may be cut. */
#define MEASURE_LIMIT 0.5e9
/* Memory and caches are warmed by this share of a run. */
#define MEASURE_WARM_UP 0.05

#define PROGRESS_BAR	20

/* Legend: all are of the main thread. */
struct progress {
	bool shown;	    /* stderr is a terminal */
	size_t done, total; /* runs */
	double started;
};

static double measure_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void progress_clear(const struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}

static void progress_show(struct progress *progress, const char *what)
{
	double spent =
		(measure_clock(CLOCK_MONOTONIC) - progress->started) / 1e9;
	size_t filled = progress->done * PROGRESS_BAR / progress->total;
	char bar[PROGRESS_BAR + 1];

	if (!progress->shown)
		return;
	for (size_t i = 0; i < PROGRESS_BAR; i++)
		bar[i] = i < filled ? '#' : '.';
	bar[PROGRESS_BAR] = '\0';
	fprintf(stderr, "\r\033[K[%s] %zu/%zu, %.0f s: %.40s", bar,
		progress->done, progress->total, spent, what);
	fflush(stderr);
}

static void measure_name(const struct compare_row *row,
			 const struct compare_cell *cell, char *name,
			 size_t size)
{
	snprintf(name, size, "%s under %s with %" PRIu32 " worker%s",
		 row->workload->name, cell->policy->label, cell->workers,
		 cell->workers == 1 ? "" : "s");
}

/* A large text is read as a whole, or not at all. */
static bool measure_may_cut(const struct workload *workload)
{
	return (workload->flags & (WORKLOAD_WHOLE | WORKLOAD_TEXT)) == 0;
}

/* Fills in @cell's operations. Returns: 0, or non-zero with its problem. */
static int measure_time(const struct workload *workload,
			struct compare_cell *cell, struct workload_trial *trial,
			double *ret_wall, double *ret_cpu)
{
	double wall = measure_clock(CLOCK_MONOTONIC);
	double cpu = measure_clock(CLOCK_PROCESS_CPUTIME_ID);
	int code = workload->run(trial);

	*ret_wall = measure_clock(CLOCK_MONOTONIC) - wall;
	*ret_cpu = measure_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	cell->operations = trial->operations;
	if (code != 0)
		snprintf(cell->problem, sizeof(cell->problem), "%s",
			 trial->problem);
	return code;
}

static int measure_run(const struct compare *compare,
		       const struct workload *workload,
		       struct compare_cell *cell, double scale, bool warm_up,
		       double *ret_wall, double *ret_cpu)
{
	struct troupe_config config =
		compare_policy_config(cell->policy, cell->workers);
	struct workload_trial trial = {.text = &compare->text};
	struct troupe_error error;
	int code;

	code = troupe_system_create(&config, &error, &trial.system);
	if (code != 0) {
		snprintf(cell->problem, sizeof(cell->problem), "%.190s",
			 error.text);
		return code;
	}
	if (warm_up) {
		trial.scale = scale * MEASURE_WARM_UP;
		code = measure_time(workload, cell, &trial, ret_wall, ret_cpu);
	}
	trial.scale = scale;
	if (code == 0)
		code = measure_time(workload, cell, &trial, ret_wall, ret_cpu);
	troupe_system_destroy(trial.system);
	return code;
}

/* The first, small runs of a cell do not count: they tell how large the others
 * should be. The best of them does, so that one moment in which the machine was
 * busy with other things does not make the others too small. */
static int measure_calibrate(const struct compare *compare,
			     const struct workload *workload,
			     struct compare_cell *cell)
{
	double wall = 0, cpu = 0, expected = INFINITY;
	int code = 0;

	for (int try = 0; code == 0 && try < MEASURE_CALIBRATIONS &&
			  expected > MEASURE_LIMIT;
	     try++) {
		code = measure_run(compare, workload, cell,
				   cell->scale * MEASURE_WARM_UP, false, &wall,
				   &cpu);
		expected = fmin(expected, wall / MEASURE_WARM_UP);
		if (!measure_may_cut(workload))
			return code;
	}
	if (code == 0 && expected > MEASURE_LIMIT)
		cell->scale *= MEASURE_LIMIT / expected;
	return code;
}

static int measure_once(const struct compare *compare,
			const struct workload *workload,
			struct compare_cell *cell)
{
	int code = measure_run(compare, workload, cell, cell->scale,
			       measure_may_cut(workload),
			       &cell->wall[cell->runs], &cell->cpu[cell->runs]);

	if (code == 0)
		cell->runs++;
	return code;
}

/* @run: 0 calibrates. A cell with a problem has no more runs. */
static int measure_cell(const struct compare *compare,
			const struct compare_row *row,
			struct compare_cell *cell, uint32_t run,
			struct progress *progress)
{
	char name[160];
	int code;

	progress->done++;
	if (cell->problem[0] != '\0')
		return COMPARE_OK;
	measure_name(row, cell, name, sizeof(name));
	progress_show(progress, name);
	compare_watch_begin(name);
	if (run == 0)
		code = measure_calibrate(compare, row->workload, cell);
	else
		code = measure_once(compare, row->workload, cell);
	compare_watch_end();
	if (code == 0)
		return COMPARE_OK;
	progress_clear(progress);
	return compare_error(COMPARE_FAILED, "%s: %s", name, cell->problem);
}

int compare_measure(struct compare *compare)
{
	size_t cells = compare_cell_count(compare);
	struct progress progress = {
		.shown = isatty(STDERR_FILENO),
		.total = compare->row_count * cells * (compare->runs + 1),
		.started = measure_clock(CLOCK_MONOTONIC),
	};
	int status = COMPARE_OK;

	for (size_t row = 0; row < compare->row_count; row++)
		for (uint32_t run = 0; run <= compare->runs; run++)
			for (size_t i = 0; i < cells; i++) {
				struct compare_row *at = &compare->rows[row];

				if (compare_watch_interrupted()) {
					progress_clear(&progress);
					return COMPARE_INTERRUPTED;
				}
				if (measure_cell(compare, at, &at->cells[i],
						 run, &progress) != COMPARE_OK)
					status = COMPARE_FAILED;
			}
	progress_clear(&progress);
	return status;
}

static int measure_order(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

struct compare_spread compare_spread_of(const double *numbers, uint32_t runs)
{
	double *sorted = compare_alloc(runs, sizeof(*sorted));
	struct compare_spread spread;

	memcpy(sorted, numbers, runs * sizeof(*sorted));
	qsort(sorted, runs, sizeof(*sorted), measure_order);
	spread.low = sorted[0];
	spread.high = sorted[runs - 1];
	spread.median = (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2;
	free(sorted);
	return spread;
}
