/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare - the same actor programs under several scheduling policies
 *
 * The main program: asks its parts in order, and gives back what they made.
 * See compare.h for the parts and workloads.h for the programs.
 */
#include "compare.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int compare_error(int status, const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("compare: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return status;
}

void *compare_alloc(size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size);

	if (memory == NULL)
		exit(compare_error(COMPARE_FAILED, "out of memory"));
	return memory;
}

void compare_list_add(struct compare_list *list, const char *item)
{
	const char **items = compare_alloc(list->count + 2, sizeof(*items));

	if (list->count > 0)
		memcpy(items, list->items, list->count * sizeof(*items));
	items[list->count++] = item;
	free(list->items);
	list->items = items;
}

/* Reads the text once. Without any, the rows that need it are left out. */
static int compare_text_open(struct compare *compare)
{
	char *path = NULL;
	int code;

	if (compare->path_count == 0)
		return COMPARE_OK;
	code = workload_text_open(compare->paths, compare->path_count,
				  &compare->text, &path);
	if (code == 0)
		return COMPARE_OK;
	if (code == -ENODATA)
		compare_error(COMPARE_USAGE, "there is no word in the text");
	else
		compare_error(COMPARE_USAGE, "%s: %s",
			      path != NULL ? path : "text", strerror(-code));
	free(path);
	return COMPARE_USAGE;
}

static bool compare_wants(const struct compare *compare,
			  const struct workload *workload)
{
	if (compare->given_workloads.count == 0)
		return (workload->flags & WORKLOAD_USUAL) != 0;
	for (size_t i = 0; i < compare->given_workloads.count; i++) {
		const char *given = compare->given_workloads.items[i];

		if (strcmp(given, workload->name) == 0 ||
		    strcmp(given, "all") == 0)
			return true;
	}
	return false;
}

static void compare_row_init(struct compare *compare,
			     const struct workload *workload)
{
	struct compare_row *row = &compare->rows[compare->row_count++];

	row->workload = workload;
	row->cells =
		compare_alloc(compare_cell_count(compare), sizeof(*row->cells));
	for (size_t i = 0; i < compare_cell_count(compare); i++) {
		struct compare_cell *cell = &row->cells[i];

		cell->workers = compare->workers[i / compare->policy_count];
		cell->policy = &compare->policies[i % compare->policy_count];
		cell->scale = compare->scale;
		cell->wall = compare_alloc(compare->runs, sizeof(*cell->wall));
		cell->cpu = compare_alloc(compare->runs, sizeof(*cell->cpu));
	}
}

static int compare_rows_init(struct compare *compare)
{
	const struct workload *workload;
	size_t count = 0;

	while (workload_at(count) != NULL)
		count++;
	compare->rows = compare_alloc(count, sizeof(*compare->rows));
	for (size_t i = 0; (workload = workload_at(i)) != NULL; i++) {
		if (!compare_wants(compare, workload))
			continue;
		if ((workload->flags & WORKLOAD_TEXT) &&
		    compare->path_count == 0)
			compare->text_left_out = true;
		else
			compare_row_init(compare, workload);
	}
	if (compare->row_count == 0)
		return compare_error(COMPARE_USAGE,
				     "wordfreq needs text: name a file or "
				     "directory");
	return COMPARE_OK;
}

static void compare_free(struct compare *compare)
{
	for (size_t i = 0; i < compare->row_count; i++) {
		for (size_t j = 0; j < compare_cell_count(compare); j++) {
			free(compare->rows[i].cells[j].wall);
			free(compare->rows[i].cells[j].cpu);
		}
		free(compare->rows[i].cells);
	}
	free(compare->rows);
	compare_policies_close(compare);
	free(compare->given_policies.items);
	free(compare->given_workloads.items);
	free(compare->settings.items);
	free(compare->workers);
}

/* All that can be wrong is found out before an hour of measuring. */
static int compare_prepare(struct compare *compare)
{
	int status = COMPARE_OK;

	if (compare->json != NULL)
		status = compare_export_check("--json", compare->json);
	if (status == COMPARE_OK && compare->csv != NULL)
		status = compare_export_check("--csv", compare->csv);
	if (status == COMPARE_OK && compare->plot != NULL)
		status = compare_plot_check(compare->plot);
	if (status == COMPARE_OK)
		status = compare_policies_open(compare);
	if (status == COMPARE_OK)
		status = compare_text_open(compare);
	if (status == COMPARE_OK)
		status = compare_rows_init(compare);
	return status;
}

int compare_report(const struct compare *compare)
{
	int status = COMPARE_OK;

	compare_table_print(compare, stdout);
	if (fflush(stdout) != 0)
		status = compare_error(COMPARE_FAILED, "standard output: %s",
				       strerror(errno));
	if (compare->json != NULL && compare_export_json(compare) != 0)
		status = COMPARE_FAILED;
	if (compare->csv != NULL && compare_export_csv(compare) != 0)
		status = COMPARE_FAILED;
	if (compare->plot != NULL && compare_plot_write(compare) != 0)
		status = COMPARE_FAILED;
	return status;
}

int main(int argc, char **argv)
{
	struct compare compare = {
		.arguments = TROUPE_CONFIG_INIT,
		.runs = 5,
		.timeout = 120,
		.scale = 1,
	};
	int status, report_status;

	setlocale(LC_CTYPE, "");
	status = compare_options_read(&compare, argc, argv);
	if (status == COMPARE_OK) {
		status = compare_prepare(&compare);
		if (status == COMPARE_OK) {
			compare_watch_start(&compare);
			status = compare_measure(&compare);
			if (status == COMPARE_INTERRUPTED)
				compare_error(status, "interrupted: some rows "
						      "have fewer runs, or "
						      "none");
			report_status = compare_report(&compare);
			if (status == COMPARE_OK)
				status = report_status;
		}
	}
	compare_free(&compare);
	return status < 0 ? COMPARE_OK : status;
}
