/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line of compare: read, and checked as far as that can be done
 * without a policy.
 */
#include "compare.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX_WORKERS 4096
#define OPTIONS_MAX_RUNS    10000
#define OPTIONS_MAX_NAME    64

static const char options_help[] =
	"usage: compare [OPTION]... [FILE|DIRECTORY]...\n"
	"\n"
	"Runs the same actor programs under several scheduling policies and\n"
	"prints the median time of each, with the best of a row marked. The\n"
	"words of the FILEs are counted by one of the programs, wordfreq.\n"
	"\n"
	"  --policy NAME|FILE.so  a policy to compare; again for more. "
	"Default:\n"
	"                         work-sharing, work-stealing and fifo.\n"
	"                         NAME,KEY=VALUE sets an option for it alone.\n"
	"  --workers LIST         worker counts, as 1,2,4. Default: 1 and the\n"
	"                         processors that may be used\n"
	"  --only WORKLOAD        run this; again for more; all for all\n"
	"  --list                 say which workloads there are, and end\n"
	"  --runs N               of each; 5\n"
	"  --scale F              make the workloads F times as large; 1\n"
	"  --timeout SECONDS      a run that takes longer hangs; 120\n"
	"  --set SECTION.KEY=VALUE  a setting for the policies it is meant "
	"for;\n"
	"                         --troupe.SECTION.KEY=VALUE does the same\n"
	"  --json FILE            write all numbers\n"
	"  --csv FILE             write a line for each workload, policy and\n"
	"                         worker count\n"
	"  --plot FILE.svg|.png   draw them; needs gnuplot\n"
	"  --help                 this text\n"
	"\n"
	"Status: 0; 1 if a result was wrong, a run hung or a file could not "
	"be\n"
	"written; 2 for a mistake on the command line.\n";

static const struct option options_known[] = {
	{"policy", required_argument, NULL, 'p'},
	{"workers", required_argument, NULL, 'w'},
	{"only", required_argument, NULL, 'o'},
	{"list", no_argument, NULL, 'l'},
	{"runs", required_argument, NULL, 'r'},
	{"scale", required_argument, NULL, 'f'},
	{"timeout", required_argument, NULL, 't'},
	{"set", required_argument, NULL, 's'},
	{"json", required_argument, NULL, 'j'},
	{"csv", required_argument, NULL, 'c'},
	{"plot", required_argument, NULL, 'g'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static size_t options_least(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many letters must change, come or go to make @a of @b. */
static size_t options_distance(const char *a, const char *b)
{
	size_t row[OPTIONS_MAX_NAME + 1];
	size_t length = strlen(b);

	if (length > OPTIONS_MAX_NAME)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 0; a[i] != '\0'; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 1; j <= length; j++) {
			size_t above = row[j];

			row[j] = options_least(row[j] + 1, row[j - 1] + 1,
					       corner + (a[i] != b[j - 1]));
			corner = above;
		}
	}
	return row[length];
}

static int options_unknown_workload(const char *name)
{
	const struct workload *workload;
	const char *nearest = NULL;
	size_t best = strlen(name) / 2 + 1;

	for (size_t i = 0; (workload = workload_at(i)) != NULL; i++) {
		size_t distance = options_distance(name, workload->name);

		if (distance < best) {
			best = distance;
			nearest = workload->name;
		}
	}
	if (nearest == NULL)
		return compare_error(COMPARE_USAGE,
				     "--only: unknown workload '%s'; see "
				     "--list",
				     name);
	return compare_error(COMPARE_USAGE,
			     "--only: unknown workload '%s'; did you mean "
			     "'%s'?",
			     name, nearest);
}

static void options_list(void)
{
	const struct workload *workload;

	for (size_t i = 0; (workload = workload_at(i)) != NULL; i++)
		printf("%c %-17s %s\n",
		       workload->flags & WORKLOAD_USUAL ? '*' : ' ',
		       workload->name, workload->summary);
	printf("\n* runs when --only names none; wordfreq needs text\n");
}

static int options_read_uint(const char *option, const char *text,
			     uint32_t maximum, uint32_t *ret_number)
{
	char *end;
	unsigned long number = 0;

	errno = 0;
	if (*text >= '0' && *text <= '9')
		number = strtoul(text, &end, 10);
	else
		end = (char *)text;
	if (end == text || *end != '\0' || errno != 0 || number < 1 ||
	    number > maximum)
		return compare_error(COMPARE_USAGE,
				     "%s: '%s' is not a number from 1 to %u",
				     option, text, maximum);
	*ret_number = (uint32_t)number;
	return COMPARE_OK;
}

static int options_read_scale(const char *text, double *ret_scale)
{
	char *end;
	double scale = strtod(text, &end);

	if (end == text || *end != '\0' || !isfinite(scale) || scale <= 0 ||
	    scale > 1000)
		return compare_error(COMPARE_USAGE,
				     "--scale: '%s' is not a number above 0, "
				     "up to 1000",
				     text);
	*ret_scale = scale;
	return COMPARE_OK;
}

static int options_read_workers(struct compare *compare, const char *text)
{
	char *copy = strdup(text);
	char *rest = copy;
	int status = COMPARE_OK;

	free(compare->workers);
	compare->workers =
		compare_alloc(strlen(text) + 1, sizeof(*compare->workers));
	compare->worker_count = 0;
	while (copy != NULL && rest != NULL && status == COMPARE_OK)
		status = options_read_uint(
			"--workers", strsep(&rest, ","), OPTIONS_MAX_WORKERS,
			&compare->workers[compare->worker_count++]);
	free(copy);
	return status;
}

/* @option: "--set" or "--troupe."; @setting: SECTION.KEY=VALUE. */
static int options_check_setting(const char *option, const char *setting)
{
	const char *dot = strchr(setting, '.');
	const char *equals = strchr(setting, '=');

	if (dot == NULL || equals == NULL || dot > equals || dot == setting)
		return compare_error(COMPARE_USAGE,
				     "%s: '%s' is not SECTION.KEY=VALUE",
				     option, setting);
	if (strncmp(setting, "scheduler.policy=", 17) == 0)
		return compare_error(COMPARE_USAGE,
				     "%s: use --policy to choose policies",
				     option);
	if (strncmp(setting, "scheduler.max-threads=", 22) == 0)
		return compare_error(COMPARE_USAGE,
				     "%s: use --workers for the number of "
				     "threads",
				     option);
	return COMPARE_OK;
}

static int options_add_workload(struct compare *compare, const char *name)
{
	if (strcmp(name, "all") != 0 && workload_find(name) == NULL)
		return options_unknown_workload(name);
	compare_list_add(&compare->given_workloads, name);
	return COMPARE_OK;
}

static int options_take(struct compare *compare, int option, char *value)
{
	switch (option) {
	case 'p':
		compare_list_add(&compare->given_policies, value);
		return COMPARE_OK;
	case 'w':
		return options_read_workers(compare, value);
	case 'o':
		return options_add_workload(compare, value);
	case 'r':
		return options_read_uint("--runs", value, OPTIONS_MAX_RUNS,
					 &compare->runs);
	case 'f':
		return options_read_scale(value, &compare->scale);
	case 't':
		return options_read_uint("--timeout", value, 1000000,
					 &compare->timeout);
	case 's':
		compare_list_add(&compare->settings, value);
		return options_check_setting("--set", value);
	case 'j':
		compare->json = value;
		return COMPARE_OK;
	case 'c':
		compare->csv = value;
		return COMPARE_OK;
	case 'g':
		compare->plot = value;
		return COMPARE_OK;
	case 'h':
		fputs(options_help, stdout);
		return -1;
	default:
		options_list();
		return -1;
	}
}

static int options_take_troupe(struct compare *compare, int *argc, char **argv)
{
	struct troupe_error error;
	int status = COMPARE_OK;

	if (troupe_config_arguments(&compare->arguments, argc, argv, &error) <
	    0)
		return compare_error(COMPARE_USAGE, "%s", error.text);
	for (uint32_t i = 0;
	     status == COMPARE_OK && i < compare->arguments.argument_count; i++)
		status = options_check_setting("--troupe.",
					       compare->arguments.arguments[i] +
						       strlen("--troupe."));
	return status;
}

int compare_options_read(struct compare *compare, int argc, char **argv)
{
	int status = options_take_troupe(compare, &argc, argv);
	int option;

	opterr = 0;
	while (status == COMPARE_OK &&
	       (option = getopt_long(argc, argv, ":", options_known, NULL)) !=
		       -1) {
		if (option == ':')
			status = compare_error(COMPARE_USAGE,
					       "%s needs a value; see --help",
					       argv[optind - 1]);
		else if (option == '?')
			status = compare_error(COMPARE_USAGE,
					       "unknown option '%s'; see "
					       "--help",
					       argv[optind - 1]);
		else
			status = options_take(compare, option, optarg);
	}
	if (status != COMPARE_OK)
		return status;
	compare->paths = (const char *const *)argv + optind;
	compare->path_count = (size_t)(argc - optind);
	for (size_t i = 0; i < compare->path_count; i++)
		if (strcmp(compare->paths[i], "-") == 0)
			return compare_error(COMPARE_USAGE,
					     "standard input can be read only "
					     "once; name a file");
	return COMPARE_OK;
}
