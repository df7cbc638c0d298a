/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runs, each in a child process that hands its numbers back by a pipe.
 */
#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The numbers of one item: [result][run]. */
struct run_numbers {
	double *runs[BENCH_RESULTS];
	uint32_t count;
};

static void run_child(const struct bench_item *item, struct bench_trial *trial,
		      int pipe, uint32_t timeout)
{
	int status = BENCH_OK;

	alarm(timeout); /* its signal ends the process */
	if (item->measure(item, trial) != 0)
		status = BENCH_FAILED;
	if (write(pipe, trial, sizeof(*trial)) != (ssize_t)sizeof(*trial))
		status = BENCH_FAILED;
	_exit(status);
}

static int run_await(struct bench_trial *trial, pid_t child, int pipe,
		     uint32_t timeout)
{
	struct bench_trial answer;
	ssize_t got;
	int status;

	/* Less than a pipe holds: it arrives as a whole or not at all. */
	do
		got = read(pipe, &answer, sizeof(answer));
	while (got < 0 && errno == EINTR);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (got == (ssize_t)sizeof(answer)) {
		memcpy(trial->results, answer.results, sizeof(answer.results));
		memcpy(trial->problem, answer.problem, sizeof(answer.problem));
		return WIFEXITED(status) ? WEXITSTATUS(status) : BENCH_FAILED;
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(trial->problem, sizeof(trial->problem),
			 "not done after %" PRIu32 " s", timeout);
	else
		snprintf(trial->problem, sizeof(trial->problem),
			 "ended with status %#x", (unsigned int)status);
	return BENCH_FAILED;
}

static int run_apart(const struct bench_item *item, struct bench_trial *trial,
		     uint32_t timeout)
{
	int ends[2];
	pid_t child;
	int status;

	if (pipe(ends) != 0)
		return bench_failed(trial, "pipe", -errno);
	/* What is buffered would be written twice. */
	fflush(NULL);
	child = fork();
	if (child < 0) {
		status = bench_failed(trial, "fork", -errno);
		close(ends[0]);
		close(ends[1]);
		return status;
	}
	if (child == 0)
		run_child(item, trial, ends[1], timeout);
	close(ends[1]);
	status = run_await(trial, child, ends[0], timeout);
	close(ends[0]);
	return status;
}

static int run_item(const struct bench_options *options,
		    const struct bench_item *item, struct run_numbers *numbers)
{
	for (uint32_t run = 0; run < options->runs; run++) {
		struct bench_trial trial = {
			.config = options->config,
			.scale = options->scale,
			.warm = !options->here,
		};
		int status = options->here ? item->measure(item, &trial)
					   : run_apart(item, &trial,
						       options->timeout);

		if (status != 0)
			return bench_error(BENCH_FAILED, "%s: %s", item->name,
					   trial.problem);
		for (int i = 0; i < BENCH_RESULTS; i++)
			numbers->runs[i][run] = trial.results[i];
		numbers->count = run + 1;
	}
	return BENCH_OK;
}

/* ---- what is said ------------------------------------------------------ */

static void run_json(FILE *json, const struct bench_item *item,
		     const struct bench_result *result, const double *runs,
		     uint32_t count, double median)
{
	fprintf(json,
		"%s\n  {\"name\": \"%s\", \"unit\": \"%s\", \"per\": \"%s\", "
		"\"median\": %.3f, \"runs\": [",
		ftell(json) > 1 ? "," : "", result->name, result->unit,
		item->per, median);
	for (uint32_t i = 0; i < count; i++)
		fprintf(json, "%s%.3f", i == 0 ? "" : ", ", runs[i]);
	fprintf(json, "]}");
}

/* Sorts the runs. */
static void run_report(const struct bench_options *options, FILE *json,
		       const struct bench_item *item,
		       struct run_numbers *numbers)
{
	uint32_t count = numbers->count;

	for (int i = 0; i < BENCH_RESULTS && item->results[i].name != NULL;
	     i++) {
		const struct bench_result *result = &item->results[i];
		double *runs = numbers->runs[i];
		double median = bench_quantile(runs, count, 0.5);

		if (options->lines)
			printf("%s %.3f\n", result->name, median);
		else
			printf("%-17s %12.1f %-5s / %-8s %12.1f %12.1f\n",
			       result->name, median, result->unit, item->per,
			       runs[0], runs[count - 1]);
		if (json != NULL)
			run_json(json, item, result, runs, count, median);
	}
	fflush(stdout);
}

static int run_items(const struct bench_options *options, FILE *json)
{
	struct run_numbers numbers = {.count = 0};
	double *all =
		calloc((size_t)BENCH_RESULTS * options->runs, sizeof(*all));
	int status = BENCH_OK;

	if (all == NULL)
		return bench_error(BENCH_FAILED, "out of memory");
	for (int i = 0; i < BENCH_RESULTS; i++)
		numbers.runs[i] = &all[(size_t)i * options->runs];
	for (size_t i = 0; options->items[i] != NULL; i++) {
		numbers.count = 0;
		if (run_item(options, options->items[i], &numbers) != BENCH_OK)
			status = BENCH_FAILED;
		else
			run_report(options, json, options->items[i], &numbers);
	}
	free(all);
	return status;
}

int bench_run(const struct bench_options *options)
{
	FILE *json = NULL;
	int status;

	if (options->json != NULL) {
		json = fopen(options->json, "we");
		if (json == NULL)
			return bench_error(BENCH_FAILED, "%s: %s",
					   options->json, strerror(errno));
		fputc('[', json);
	}
	if (!options->lines)
		printf("%-17s %12s %17s%12s %12s\n", "", "median", "",
		       "smallest", "largest");
	status = run_items(options, json);
	if (json == NULL)
		return status;
	fputs("\n]\n", json);
	if (fclose(json) != 0)
		return bench_error(BENCH_FAILED, "%s: %s", options->json,
				   strerror(errno));
	return status;
}
