/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * compare.h - what the parts of the compare tool share
 *
 * Overview. A *row* is a workload; it has a *cell* for each policy at each
 * worker count. A cell collects the times of its runs.
 *
 *	compare_options.c	what was asked for
 *	compare_policy.c	the policies and the settings of each
 *	compare_measure.c	the runs, A B A B
 *	compare_watch.c		a run that does not end, and Ctrl-C
 *	compare_table.c		the table on the terminal
 *	compare_export.c	JSON and CSV
 *	compare_plot.c		the picture, by gnuplot
 *
 * Errors. Functions that return int return an exit status and have printed
 * their one line: COMPARE_FAILED, or COMPARE_USAGE when nothing was measured
 * yet.
 *
 * Threads. All on the main thread, but for compare_watch.c.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "troupe_config.h"
#include "workloads.h"

enum compare_status {
	COMPARE_OK = 0,
	COMPARE_FAILED = 1,
	COMPARE_USAGE = 2,
	COMPARE_INTERRUPTED = 130,
};

/** A growing list of strings that are not ours; NULL ends it. */
struct compare_list {
	const char **items;
	size_t count;
};

struct compare_policy {
	const char *given; /* "work-stealing,idle=poll", "p.so" */
	char *name;	   /* for scheduler.policy: "./p.so" */
	char *label;	   /* of its column */
	char **own;	   /* strings made from ",key=value" */
	size_t own_count;
	struct compare_list settings;  /* all that are meant for it */
	struct compare_list arguments; /* the same: --troupe.* */
};

/** Nanoseconds of one run. */
struct compare_spread {
	double median, low, high;
};

struct compare_cell {
	const struct compare_policy *policy;
	uint32_t workers;
	double scale;	     /* less than asked for if this is slow */
	uint64_t operations; /* of one run */
	uint32_t runs;	     /* measured so far */
	double *wall;	     /* nanoseconds of each run */
	double *cpu;	     /* the same, CPU time of the process */
	char problem[200];   /* empty, or why there are no more runs */
};

struct compare_row {
	const struct workload *workload;
	struct compare_cell *cells; /* [workers][policies] */
};

struct compare {
	/* Asked for. */
	struct compare_list given_policies;
	struct compare_list given_workloads;
	struct compare_list settings;
	struct troupe_config arguments; /* holds --troupe.* */
	const char *json, *csv, *plot;
	uint32_t *workers;
	size_t worker_count;
	uint32_t runs;
	uint32_t timeout; /* seconds, of one run */
	double scale;
	const char *const *paths;
	size_t path_count;

	/* Found out. */
	struct workload_text text;
	bool text_left_out;
	uint32_t processors;
	struct compare_policy *policies;
	size_t policy_count;
	struct compare_row *rows;
	size_t row_count;
};

/* ---- compare.c --------------------------------------------------------- */

/** Prints "compare: ..." in one line. Returns: @status. */
__attribute__((format(printf, 2, 3))) int
compare_error(int status, const char *format, ...);
/** Allocates or ends the program. */
void *compare_alloc(size_t count, size_t size);
void compare_list_add(struct compare_list *list, const char *item);

/** The table and the files, of whatever has been measured. */
int compare_report(const struct compare *compare);

static inline size_t compare_cell_count(const struct compare *compare)
{
	return compare->worker_count * compare->policy_count;
}

static inline struct compare_cell *
compare_cell_at(const struct compare *compare, const struct compare_row *row,
		size_t workers, size_t policy)
{
	return &row->cells[workers * compare->policy_count + policy];
}

/* ---- the parts --------------------------------------------------------- */

/** Returns: 0; -1 when --help or --list has been answered; COMPARE_USAGE. */
int compare_options_read(struct compare *compare, int argc, char **argv);

int compare_policies_open(struct compare *compare);
void compare_policies_close(struct compare *compare);
/** The config of a system for @policy. It points into both. */
struct troupe_config compare_policy_config(const struct compare_policy *policy,
					   uint32_t workers);

int compare_measure(struct compare *compare);
/** Of @runs numbers, at least one. */
struct compare_spread compare_spread_of(const double *numbers, uint32_t runs);

void compare_watch_start(const struct compare *compare);
/** From here until compare_watch_end() @what must end within the time. */
void compare_watch_begin(const char *what);
void compare_watch_end(void);
/** True once the user wants no more. */
bool compare_watch_interrupted(void);

void compare_table_print(const struct compare *compare, FILE *out);

/** Can the file be written? Asked before anything is measured. */
int compare_export_check(const char *option, const char *path);
int compare_export_json(const struct compare *compare);
int compare_export_csv(const struct compare *compare);

int compare_plot_check(const char *path);
int compare_plot_write(const struct compare *compare);

#endif
