/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of bench.
 */
#include "bench.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX_WORKERS 4096
#define OPTIONS_MAX_RUNS    1000
#define OPTIONS_MAX_TIMEOUT 86400

static const char options_help[] =
	"usage: bench [OPTION]...\n"
	"\n"
	"Measures what scheduling costs: the median of some runs, each a\n"
	"process of its own, with the smallest and the largest.\n"
	"\n"
	"  --only NAME      measure this; again for more\n"
	"  --list           say what there is, and end\n"
	"  --policy NAME    a policy, or FILE.so. Default: as the library\n"
	"  --workers N      default: one for each processor\n"
	"  --runs N         of each; 5\n"
	"  --scale F        F times as large; 1\n"
	"  --timeout SECONDS  a run that takes longer is ended; 120\n"
	"  --json FILE      write every number\n"
	"  --lines          print NAME NUMBER, for programs\n"
	"  --here           run once, in this process, without warming up:\n"
	"                   for profilers\n"
	"  --troupe.SECTION.KEY=VALUE  a setting of the library\n"
	"  --help           this text\n"
	"\n"
	"Status: 0; 1 if a run failed; 2 for a mistake on the command line.\n";

static const struct option options_known[] = {
	{"only", required_argument, NULL, 'o'},
	{"list", no_argument, NULL, 'l'},
	{"policy", required_argument, NULL, 'p'},
	{"workers", required_argument, NULL, 'w'},
	{"runs", required_argument, NULL, 'r'},
	{"scale", required_argument, NULL, 'f'},
	{"timeout", required_argument, NULL, 't'},
	{"json", required_argument, NULL, 'j'},
	{"lines", no_argument, NULL, 'L'},
	{"here", no_argument, NULL, 'H'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static void options_list(void)
{
	const struct bench_item *item;

	for (size_t i = 0; (item = bench_item_at(i)) != NULL; i++)
		printf("%-17s %s\n", item->name, item->summary);
}

static int options_number(const char *option, double maximum, double *ret)
{
	char *end;
	double number = strtod(optarg, &end);

	if (end == optarg || *end != '\0' || !(number > 0) || number > maximum)
		return bench_error(BENCH_USAGE,
				   "--%s: '%s' is not a number above 0, up to "
				   "%.0f",
				   option, optarg, maximum);
	*ret = number;
	return BENCH_OK;
}

static int options_count(const char *option, uint32_t maximum, uint32_t *ret)
{
	double number = 0;
	int status = options_number(option, maximum, &number);

	if (status != BENCH_OK)
		return status;
	if (number != (double)(uint32_t)number)
		return bench_error(BENCH_USAGE, "--%s: '%s' is not whole",
				   option, optarg);
	*ret = (uint32_t)number;
	return BENCH_OK;
}

static int options_only(struct bench_options *options, size_t *count)
{
	const struct bench_item *item = bench_item_find(optarg);

	if (item == NULL)
		return bench_error(BENCH_USAGE,
				   "--only: unknown '%s'; see --list", optarg);
	for (size_t i = 0; i < *count; i++)
		if (options->items[i] == item)
			return BENCH_OK;
	options->items[(*count)++] = item;
	return BENCH_OK;
}

static int options_take(struct bench_options *options, int letter,
			size_t *count)
{
	switch (letter) {
	case 'o':
		return options_only(options, count);
	case 'l':
		options_list();
		return -1;
	case 'p':
		options->config.policy_name = optarg;
		return BENCH_OK;
	case 'w':
		return options_count("workers", OPTIONS_MAX_WORKERS,
				     &options->config.max_threads);
	case 'r':
		return options_count("runs", OPTIONS_MAX_RUNS, &options->runs);
	case 'f':
		return options_number("scale", 1000, &options->scale);
	case 't':
		return options_count("timeout", OPTIONS_MAX_TIMEOUT,
				     &options->timeout);
	case 'j':
		options->json = optarg;
		return BENCH_OK;
	case 'L':
		options->lines = true;
		return BENCH_OK;
	case 'H':
		options->here = true;
		return BENCH_OK;
	case 'h':
		fputs(options_help, stdout);
		return -1;
	default: /* getopt_long() has said what is wrong */
		return BENCH_USAGE;
	}
}

int bench_options_read(struct bench_options *options, int argc, char **argv)
{
	struct troupe_error error;
	size_t count = 0, all = 0;
	int letter;
	int status;

	if (troupe_config_arguments(&options->config, &argc, argv, &error) < 0)
		return bench_error(BENCH_USAGE, "%s", error.text);
	while (bench_item_at(all) != NULL)
		all++;
	options->items = calloc(all + 1, sizeof(*options->items));
	if (options->items == NULL)
		return bench_error(BENCH_FAILED, "out of memory");
	while ((letter = getopt_long(argc, argv, "", options_known, NULL)) !=
	       -1) {
		status = options_take(options, letter, &count);
		if (status != BENCH_OK)
			return status;
	}
	if (optind < argc)
		return bench_error(BENCH_USAGE, "'%s': no such option",
				   argv[optind]);
	if (options->here)
		options->runs = 1;
	for (size_t i = 0; count == 0 && i < all; i++)
		options->items[i] = bench_item_at(i);
	return BENCH_OK;
}
