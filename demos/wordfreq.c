/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wordfreq - how often each word occurs in the files given
 *
 * For files of text it prints, byte for byte, what this prints:
 *
 *	for file; do cat "$file"; echo; done |
 *		LC_ALL=C tr -cs A-Za-z '\n' | LC_ALL=C tr A-Z a-z | grep . |
 *		LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2,2
 *
 * A word is a run of ASCII letters; every other byte, NUL and those of UTF-8
 * included, and the end of a file separate words. The counting is done by the
 * actors of wordcount.h; here are arguments, messages and the progress bar.
 *
 * Status: 0; 1 when a file was missing, unreadable, empty or binary, and the
 * others were counted; 2 for bad arguments, bad settings, no memory, or output
 * that cannot be written; 128 + the signal's number when interrupted.
 */
#include "wordcount.h"

#include "demo.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH      40
#define BAR_INTERVAL   100 /* milliseconds */
#define MAX_WORKERS    1024
#define MAX_CHUNK      (1u << 30)
#define BYTES_IN_MB    1000000.0
#define STATUS_PROBLEM 1
#define STATUS_ERROR   2

static const char usage[] =
	"usage: wordfreq [OPTION...] FILE|DIR...\n"
	"Counts the words of files, of all files below DIR, or of standard\n"
	"input (-), and prints them, the most frequent first.\n"
	"\n"
	"  --top N        only the N most frequent\n"
	"  --workers N    threads that work; default: as many as can run\n"
	"  --text         count binary files too, as if they were text\n"
	"  --chunk BYTES  read so much at once; default 65536\n"
	"  --config FILE  settings from an INI file\n"
	"  --troupe.SECTION.KEY=VALUE\n"
	"                 one setting; --troupe.scheduler.policy=NAME, ...\n";

struct arguments {
	uint64_t top; /* 0: all */
	uint64_t workers, chunk;
	bool text;
	int paths; /* index in argv of the first */
};

struct progress {
	bool shown;	/* standard error is a terminal */
	uint64_t total; /* 0: not known */
	uint64_t next;	/* milliseconds: when to draw again */
};

static atomic_bool cancelled;
static atomic_int cancelled_by;

/* ---- arguments --------------------------------------------------------- */

static bool number_parse(const char *name, const char *text, uint64_t maximum,
			 uint64_t *ret_number)
{
	char *end;

	errno = 0;

	unsigned long long number = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
	    number < 1 || number > maximum) {
		fprintf(stderr,
			"wordfreq: --%s: '%s' is not a number from 1 to "
			"%" PRIu64 "\n",
			name, text, maximum);
		return false;
	}
	*ret_number = number;
	return true;
}

/* Returns: -1 to go on, or the status to end with. */
static int arguments_parse(struct arguments *arguments, int argc, char **argv)
{
	static const struct option options[] = {
		{"top", required_argument, NULL, 't'},
		{"workers", required_argument, NULL, 'w'},
		{"chunk", required_argument, NULL, 'c'},
		{"text", no_argument, NULL, 'a'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	bool good = true;
	int option;

	while (good &&
	       (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 't':
			good = number_parse("top", optarg, UINT64_MAX,
					    &arguments->top);
			break;
		case 'w':
			good = number_parse("workers", optarg, MAX_WORKERS,
					    &arguments->workers);
			break;
		case 'c':
			good = number_parse("chunk", optarg, MAX_CHUNK,
					    &arguments->chunk);
			break;
		case 'a':
			arguments->text = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs("Try 'wordfreq --help'.\n", stderr);
			good = false;
		}
	}
	if (good && optind == argc) {
		fputs("wordfreq: no FILE or DIR given. "
		      "Try 'wordfreq --help'.\n",
		      stderr);
		good = false;
	}
	arguments->paths = optind;
	return good ? -1 : STATUS_ERROR;
}

/* ---- progress and problems --------------------------------------------- */

static uint64_t progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void progress_clear(const struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}

static void progress_draw(void *context, uint64_t bytes)
{
	struct progress *progress = context;
	char bar[BAR_WIDTH + 1];

	if (!progress->shown || progress_now() < progress->next)
		return;
	progress->next = progress_now() + BAR_INTERVAL;
	if (progress->total == 0 || bytes > progress->total) {
		fprintf(stderr, "\r\033[K%.1f MB", bytes / BYTES_IN_MB);
		return;
	}

	size_t done = (size_t)(bytes * BAR_WIDTH / progress->total);

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', done);
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r\033[K[%s] %3" PRIu64 "%% of %.1f MB", bar,
		bytes * 100 / progress->total, progress->total / BYTES_IN_MB);
}

static void problem_report(void *context, const char *path,
			   enum wordcount_problem problem, int error)
{
	progress_clear(context);
	switch (problem) {
	case WORDCOUNT_UNREADABLE:
		fprintf(stderr, "wordfreq: %s: %s\n", path, strerror(-error));
		break;
	case WORDCOUNT_EMPTY:
		fprintf(stderr, "wordfreq: %s: empty file\n", path);
		break;
	case WORDCOUNT_BINARY:
		fprintf(stderr,
			"wordfreq: %s: binary file, not counted "
			"(--text counts it)\n",
			path);
		break;
	}
}

/* ---- run --------------------------------------------------------------- */

static void interrupt_take(int number)
{
	atomic_store(&cancelled_by, number);
	atomic_store(&cancelled, true);
}

/* The first signal ends the run in order, a second one at once. */
static void interrupt_init(void)
{
	struct sigaction action = {.sa_handler = interrupt_take};

	action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Returns: 0; -EIO if standard output cannot take it. */
static int result_print(const struct wordcount_result *result, uint64_t top)
{
	size_t count = result->entry_count;

	if (top != 0 && top < count)
		count = (size_t)top;
	for (size_t i = 0; i < count; i++)
		printf("%7" PRIu64 " %s\n", result->entries[i]->count,
		       result->entries[i]->word);
	return fflush(stdout) != 0 || ferror(stdout) ? -EIO : 0;
}

static int count_and_print(struct troupe_system *system,
			   const struct arguments *arguments, char **paths,
			   size_t count)
{
	const char *const *list = (const char *const *)paths;
	struct progress progress = {.shown = isatty(STDERR_FILENO) == 1};
	struct wordcount_options options = {
		.chunk_size = (size_t)arguments->chunk,
		.text = arguments->text,
		.report = problem_report,
		.progress = progress_draw,
		.context = &progress,
		.cancel = &cancelled,
	};
	struct wordcount_result words;
	int result;

	if (progress.shown)
		progress.total = wordcount_size(list, count);
	result = wordcount_run(system, list, count, &options, &words);
	progress_clear(&progress);
	if (result == -ECANCELED) {
		fputs("wordfreq: interrupted\n", stderr);
		return 128 + atomic_load(&cancelled_by);
	}
	if (result == 0) {
		result = result_print(&words, arguments->top);
		count = words.problems;
		wordcount_result_free(&words);
	}
	if (result < 0) {
		fprintf(stderr, "wordfreq: %s\n", strerror(-result));
		return STATUS_ERROR;
	}
	return count > 0 ? STATUS_PROBLEM : 0;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct arguments arguments = {0};
	struct troupe_system *system;
	int status;

	demo_settings(&config, &argc, argv);
	status = arguments_parse(&arguments, argc, argv);
	if (status >= 0)
		return status;
	config.max_threads = (uint32_t)arguments.workers;
	system = demo_start(&config);
	interrupt_init();
	status = count_and_print(system, &arguments, argv + arguments.paths,
				 (size_t)(argc - arguments.paths));
	troupe_system_destroy(system);
	return status;
}
