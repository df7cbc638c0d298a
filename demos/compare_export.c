/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers for other programs: JSON with every run, CSV with a line for
 * each workload, policy and worker count.
 */
#include "compare.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* An older file keeps what it holds until there is something better. */
int compare_export_check(const char *option, const char *path)
{
	char *copy = strdup(path);
	struct stat status;
	int error = 0;

	if (copy == NULL)
		return compare_error(COMPARE_FAILED, "out of memory");
	if (stat(path, &status) == 0) {
		if (S_ISDIR(status.st_mode))
			error = EISDIR;
		else if (access(path, W_OK) != 0)
			error = errno;
	} else if (errno != ENOENT || path[0] == '\0') {
		error = errno;
	} else if (access(dirname(copy), W_OK | X_OK) != 0) {
		error = errno;
	} else if (path[strlen(path) - 1] == '/') {
		error = EISDIR;
	}
	free(copy);
	if (error == 0)
		return COMPARE_OK;
	return compare_error(COMPARE_USAGE, "%s %s: %s", option, path,
			     strerror(error));
}

static FILE *export_open(const char *path)
{
	FILE *file = fopen(path, "we");

	if (file == NULL)
		compare_error(COMPARE_FAILED, "%s: %s", path, strerror(errno));
	return file;
}

static int export_close(FILE *file, const char *path)
{
	int failed = ferror(file);

	if (fclose(file) != 0 || failed)
		return compare_error(COMPARE_FAILED, "%s: %s", path,
				     strerror(errno));
	return COMPARE_OK;
}

static void json_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else if (byte < 0x20)
			fprintf(file, "\\u%04x", byte);
		else
			fputc(byte, file);
	}
	fputc('"', file);
}

static void json_numbers(FILE *file, const double *numbers, uint32_t count)
{
	fputc('[', file);
	for (uint32_t i = 0; i < count; i++)
		fprintf(file, "%s%.0f", i > 0 ? ", " : "", numbers[i]);
	fputc(']', file);
}

static void json_cell(FILE *file, const struct compare_row *row,
		      const struct compare_cell *cell)
{
	struct compare_spread wall;
	double operations = (double)cell->operations;

	fputs("    {\"workload\": ", file);
	json_string(file, row->workload->name);
	fputs(", \"policy\": ", file);
	json_string(file, cell->policy->label);
	fprintf(file, ", \"workers\": %" PRIu32 ", \"unit\": ", cell->workers);
	json_string(file, row->workload->unit);
	fprintf(file, ",\n     \"operations\": %" PRIu64, cell->operations);
	if (cell->problem[0] != '\0') {
		fputs(", \"problem\": ", file);
		json_string(file, cell->problem);
	}
	if (cell->runs > 0) {
		wall = compare_spread_of(cell->wall, cell->runs);
		fprintf(file,
			",\n     \"ns_per_operation\": {\"median\": %.4g, "
			"\"min\": %.4g, \"max\": %.4g},\n"
			"     \"ms\": {\"median\": %.3f, \"min\": %.3f, "
			"\"max\": %.3f}",
			wall.median / operations, wall.low / operations,
			wall.high / operations, wall.median / 1e6,
			wall.low / 1e6, wall.high / 1e6);
	}
	fputs(",\n     \"runs_ns\": ", file);
	json_numbers(file, cell->wall, cell->runs);
	fputs(", \"cpu_ns\": ", file);
	json_numbers(file, cell->cpu, cell->runs);
	fputc('}', file);
}

int compare_export_json(const struct compare *compare)
{
	FILE *file = export_open(compare->json);
	time_t now = time(NULL);
	struct tm utc;
	char date[32] = "";

	if (file == NULL)
		return COMPARE_FAILED;
	if (gmtime_r(&now, &utc) != NULL)
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	fprintf(file,
		"{\n  \"date\": \"%s\", \"processors\": %" PRIu32
		", \"runs\": %" PRIu32 ", \"scale\": %g,\n  \"results\": [",
		date, compare->processors, compare->runs, compare->scale);
	for (size_t i = 0; i < compare->row_count; i++)
		for (size_t j = 0; j < compare_cell_count(compare); j++) {
			fputs(i + j > 0 ? ",\n" : "\n", file);
			json_cell(file, &compare->rows[i],
				  &compare->rows[i].cells[j]);
		}
	fputs("\n  ]\n}\n", file);
	return export_close(file, compare->json);
}

/* A label may hold commas: "work-stealing,idle=poll". */
static void csv_string(FILE *file, const char *text)
{
	if (strpbrk(text, ",\"\n") == NULL) {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text != '\0'; text++)
		fprintf(file, *text == '"' ? "\"%c" : "%c", *text);
	fputc('"', file);
}

static void csv_cell(FILE *file, const struct compare_row *row,
		     const struct compare_cell *cell)
{
	double operations = (double)cell->operations;
	struct compare_spread wall, cpu;

	fprintf(file, "%s,", row->workload->name);
	csv_string(file, cell->policy->label);
	fprintf(file, ",%" PRIu32 ",%s,%" PRIu64 ",%" PRIu32, cell->workers,
		row->workload->unit, cell->operations, cell->runs);
	if (cell->runs == 0 || cell->problem[0] != '\0') {
		fputs(",,,,,,,\n", file);
		return;
	}
	wall = compare_spread_of(cell->wall, cell->runs);
	cpu = compare_spread_of(cell->cpu, cell->runs);
	fprintf(file, ",%.4g,%.4g,%.4g,%.3f,%.3f,%.3f,%.3f\n",
		wall.median / operations, wall.low / operations,
		wall.high / operations, wall.median / 1e6, wall.low / 1e6,
		wall.high / 1e6, cpu.median / 1e6);
}

int compare_export_csv(const struct compare *compare)
{
	FILE *file = export_open(compare->csv);

	if (file == NULL)
		return COMPARE_FAILED;
	fputs("workload,policy,workers,unit,operations,runs,"
	      "ns_per_operation_median,ns_per_operation_min,"
	      "ns_per_operation_max,ms_median,ms_min,ms_max,cpu_ms_median\n",
	      file);
	for (size_t i = 0; i < compare->row_count; i++)
		for (size_t j = 0; j < compare_cell_count(compare); j++)
			csv_cell(file, &compare->rows[i],
				 &compare->rows[i].cells[j]);
	return export_close(file, compare->csv);
}
