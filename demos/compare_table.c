/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table on the terminal: a row for each workload and worker count, a
 * column for each policy. Columns that do not fit beside each other go below.
 */
#include "compare.h"

#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TABLE_CELL 48
#define TABLE_GAP  2

struct table_unit {
	const char *name;
	double nanoseconds;
};

static const struct table_unit table_units[] = {
	{"ns", 1},
	{"us", 1e3},
	{"ms", 1e6},
	{"s", 1e9},
};

struct table {
	const struct compare *compare;
	FILE *out;
	const char *plus_minus;
	bool bold;
	size_t width; /* of the terminal */
	size_t name_width;
	size_t unit_width;
	size_t workers_width;
};

/* Time of what the row counts: of one operation, or of the whole run. */
static double table_value(const struct compare_row *row,
			  const struct compare_cell *cell)
{
	double median = compare_spread_of(cell->wall, cell->runs).median;

	if (row->workload->flags & WORKLOAD_WHOLE)
		return median;
	return median / (double)cell->operations;
}

/* The smallest value of @count cells; 0 if none has been measured. */
static double table_best(const struct compare_row *row,
			 const struct compare_cell *cells, size_t count)
{
	double best = 0;

	for (size_t i = 0; i < count; i++) {
		double value;

		if (cells[i].runs == 0 || cells[i].problem[0] != '\0')
			continue;
		value = table_value(row, &cells[i]);
		if (best <= 0 || value < best)
			best = value;
	}
	return best;
}

/* The largest unit that leaves two digits in front of the point. */
static const struct table_unit *table_row_unit(const struct compare *compare,
					       const struct compare_row *row)
{
	double best = table_best(row, row->cells, compare_cell_count(compare));
	size_t i = sizeof(table_units) / sizeof(table_units[0]) - 1;

	while (i > 0 && best < 10 * table_units[i].nanoseconds)
		i--;
	return &table_units[i];
}

static void table_unit_text(const struct compare *compare,
			    const struct compare_row *row, char *text,
			    size_t size)
{
	const char *unit = table_row_unit(compare, row)->name;

	if (row->workload->flags & WORKLOAD_WHOLE)
		snprintf(text, size, "%s", unit);
	else
		snprintf(text, size, "%s/%s", unit, row->workload->unit);
}

/* Columns that @text takes: bytes that begin a UTF-8 character. */
static size_t table_columns(const char *text)
{
	size_t columns = 0;

	for (; *text != '\0'; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

/* Three digits, or all in front of the point. */
static void table_number_text(double value, char *text, size_t size)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(text, size, "%.*f", decimals, value);
}

static void table_cell_text(const struct table *table,
			    const struct compare_row *row,
			    const struct compare_cell *cell, bool best,
			    char *text, size_t size)
{
	double unit = table_row_unit(table->compare, row)->nanoseconds;
	struct compare_spread wall;
	double value, percent;
	char number[32];

	if (cell->problem[0] != '\0' || cell->runs == 0) {
		snprintf(text, size, "%s  ",
			 cell->problem[0] != '\0' ? "failed" : "-");
		return;
	}
	value = table_value(row, cell) / unit;
	wall = compare_spread_of(cell->wall, cell->runs);
	percent = (wall.high - wall.low) / 2 / wall.median * 100;
	table_number_text(value, number, sizeof(number));
	if (cell->runs > 1)
		snprintf(text, size, "%s %s%3.0f%%%s", number,
			 table->plus_minus, percent, best ? " *" : "  ");
	else
		snprintf(text, size, "%s%s", number, best ? " *" : "  ");
}

static void table_spaces(const struct table *table, size_t count)
{
	fprintf(table->out, "%*s", (int)count, "");
}

static size_t table_column_width(const struct table *table, size_t policy)
{
	const struct compare *compare = table->compare;
	/* The marks stand behind the numbers, so the name ends before them. */
	size_t width = strlen(compare->policies[policy].label) + 2;

	for (size_t i = 0; i < compare->row_count; i++)
		for (size_t j = 0; j < compare->worker_count; j++) {
			char text[TABLE_CELL];
			size_t columns;

			table_cell_text(table, &compare->rows[i],
					compare_cell_at(compare,
							&compare->rows[i], j,
							policy),
					false, text, sizeof(text));
			columns = table_columns(text);
			width = columns > width ? columns : width;
		}
	return width + TABLE_GAP - 1;
}

/* How many policies from @first on fit beside each other; at least one. */
static size_t table_fitting(const struct table *table, size_t first)
{
	size_t used =
		table->name_width + table->unit_width + table->workers_width;
	size_t policy = first;

	while (policy < table->compare->policy_count) {
		used += table_column_width(table, policy);
		if (used > table->width + 1 && policy > first)
			break;
		policy++;
	}
	return policy - first;
}

static void table_print_cell(const struct table *table,
			     const struct compare_row *row, size_t workers,
			     size_t policy, double best)
{
	const struct compare *compare = table->compare;
	const struct compare_cell *cell =
		compare_cell_at(compare, row, workers, policy);
	/* The best is one of these numbers, so they compare equal. */
	bool marked = compare->policy_count > 1 && cell->runs > 0 &&
		      cell->problem[0] == '\0' &&
		      !(table_value(row, cell) > best);
	char text[TABLE_CELL];

	table_cell_text(table, row, cell, marked, text, sizeof(text));
	table_spaces(table,
		     table_column_width(table, policy) - table_columns(text));
	fprintf(table->out, marked && table->bold ? "\033[1m%s\033[0m" : "%s",
		text);
}

static void table_print_row(const struct table *table,
			    const struct compare_row *row, size_t workers,
			    size_t first, size_t count)
{
	const struct compare *compare = table->compare;
	const struct compare_cell *cells =
		compare_cell_at(compare, row, workers, 0);
	double best = table_best(row, cells, compare->policy_count);
	char unit[64] = "";

	if (workers == 0)
		table_unit_text(compare, row, unit, sizeof(unit));
	fprintf(table->out, "%-*s%-*s%*" PRIu32, (int)table->name_width,
		workers == 0 ? row->workload->name : "", (int)table->unit_width,
		unit, (int)table->workers_width, compare->workers[workers]);
	for (size_t i = 0; i < count; i++)
		table_print_cell(table, row, workers, first + i, best);
	fputc('\n', table->out);
}

static void table_print_head(const struct table *table, size_t first,
			     size_t count)
{
	fprintf(table->out, "%*s",
		(int)(table->name_width + table->unit_width +
		      table->workers_width),
		"workers");
	for (size_t i = first; i < first + count; i++) {
		const char *label = table->compare->policies[i].label;

		table_spaces(table,
			     table_column_width(table, i) - strlen(label) - 2);
		fprintf(table->out, "%s  ", label);
	}
	fputc('\n', table->out);
}

static bool table_is_measured(const struct compare *compare,
			      const struct compare_row *row)
{
	for (size_t i = 0; i < compare_cell_count(compare); i++)
		if (row->cells[i].runs > 0 || row->cells[i].problem[0] != '\0')
			return true;
	return false;
}

static void table_print_block(const struct table *table, size_t first,
			      size_t count)
{
	const struct compare *compare = table->compare;

	table_print_head(table, first, count);
	for (size_t i = 0; i < compare->row_count; i++)
		for (size_t j = 0; j < compare->worker_count; j++)
			if (table_is_measured(compare, &compare->rows[i]))
				table_print_row(table, &compare->rows[i], j,
						first, count);
	fputc('\n', table->out);
}

static void table_measure_names(struct table *table)
{
	const struct compare *compare = table->compare;

	for (size_t i = 0; i < compare->row_count; i++) {
		size_t length = strlen(compare->rows[i].workload->name);
		char unit[64];

		if (length + TABLE_GAP > table->name_width)
			table->name_width = length + TABLE_GAP;
		table_unit_text(compare, &compare->rows[i], unit, sizeof(unit));
		if (strlen(unit) + 1 > table->unit_width)
			table->unit_width = strlen(unit) + 1;
	}
}

static void table_print_title(const struct table *table)
{
	const struct compare *compare = table->compare;

	if (compare->runs > 1)
		fprintf(table->out,
			"median of %" PRIu32
			" runs %s half of what they spread",
			compare->runs, table->plus_minus);
	else
		fputs("one run of each", table->out);
	fprintf(table->out, ", on %" PRIu32 " processor%s\n\n",
		compare->processors, compare->processors == 1 ? "" : "s");
}

static size_t table_terminal_width(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 100;
}

void compare_table_print(const struct compare *compare, FILE *out)
{
	struct table table = {
		.compare = compare,
		.out = out,
		.bold = isatty(fileno(out)) && getenv("NO_COLOR") == NULL,
		.width = table_terminal_width(out),
		.workers_width = strlen("workers"),
	};
	size_t count;

	table.plus_minus =
		strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "±" : "+-";
	table_measure_names(&table);
	table_print_title(&table);
	for (size_t first = 0; first < compare->policy_count; first += count) {
		count = table_fitting(&table, first);
		table_print_block(&table, first, count);
	}
	if (compare->policy_count > 1)
		fputs("* the best of its row; less is better\n", out);
	if (compare->text_left_out)
		fputs("wordfreq is left out: it needs text, so name a file or "
		      "directory\n",
		      out);
}
