/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The watchdog of the conformance suite: forks a process for each case, looks
 * at its board, and makes a result of its end.
 */
#include "runner.h"

#include "allocations.h"
#include "chance.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often the watchdog looks, ms. */
#define RUNNER_LOOK_MS 5
/* A check that always moves but never ends is stopped after this. */
#define RUNNER_LIMIT_MS 120000

/* One running process. */
struct runner_child {
	struct runner_case *it; /* NULL: free */
	pid_t pid;
	struct board *board;
	uint64_t progress;    /* at the last look that saw it move */
	uint32_t looks_still; /* looks since then */
	uint32_t looks;
};

/* ---- the child --------------------------------------------------------- */

static void runner_child_main(const struct runner_case *it, struct board *board,
			      const struct runner_options *options)
{
	struct suite_run run = {
		.ops = it->ops,
		.section = it->section == NULL ? it->ops : it->section,
		.settings = it->settings,
		.workers = it->workers,
		.seed = options->seed,
		.board = board,
	};

	/* It must not outlive a watchdog that was killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (options->quiet) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	chance_seed(options->seed);
	allocations_start();
	it->check->check(&run);
	board_step(board, "the process ends");
	atomic_store(&board->verdict, BOARD_PASSED);
	/* exit, not _exit: a leak checker looks now. */
	exit(0);
}

static int runner_start(struct runner_child *child, struct runner_case *it,
			const struct runner_options *options)
{
	struct board *board = board_create();
	pid_t pid;

	if (board == NULL)
		return -ENOMEM;
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		board_destroy(board);
		return -EAGAIN;
	}
	if (pid == 0)
		runner_child_main(it, board, options);
	*child = (struct runner_child){.it = it, .pid = pid, .board = board};
	return 0;
}

/* ---- its end ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void
runner_fail(struct runner_child *child, const char *format, ...)
{
	struct runner_result *result = &child->it->result;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(result->reason, sizeof(result->reason), format, arguments);
	va_end(arguments);
	board_describe(child->board, result->state, sizeof(result->state));
}

static const char *runner_step(const struct runner_child *child)
{
	const char *step = atomic_load(&child->board->step);

	return step == NULL ? "the start" : step;
}

static void runner_ended(struct runner_child *child, int status)
{
	struct runner_result *result = &child->it->result;
	uint32_t verdict = atomic_load(&child->board->verdict);

	if (verdict == BOARD_FAILED)
		snprintf(result->reason, sizeof(result->reason), "%s",
			 child->board->reason);
	else if (WIFSIGNALED(status))
		runner_fail(child, "crashed (%s) at: %s",
			    strsignal(WTERMSIG(status)), runner_step(child));
	else if (WEXITSTATUS(status) != 0)
		runner_fail(child,
			    "ended with status %d (a sanitizer's report, see "
			    "above) at: %s",
			    WEXITSTATUS(status), runner_step(child));
	else if (verdict != BOARD_PASSED)
		runner_fail(child, "the policy has ended the process at: %s",
			    runner_step(child));
	else
		result->passed = true;
	board_destroy(child->board);
	child->it = NULL;
}

static void runner_kill(struct runner_child *child, const char *what)
{
	const struct board_mark *queued = board_queued(child->board, 0);

	/* The state first, while it is as it hangs. */
	if (queued == NULL)
		runner_fail(child, "%s at: %s", what, runner_step(child));
	else
		runner_fail(child,
			    "%s at: %s; job %llu, queued by %s, is not "
			    "dequeued",
			    what, runner_step(child),
			    (unsigned long long)atomic_load(&queued->id),
			    board_path_name(board_look(queued).path));
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	board_destroy(child->board);
	child->it = NULL;
}

static uint32_t runner_patience(const struct runner_child *child,
				const struct runner_options *options)
{
	uint64_t latency_ms = child->it->ops->wake_latency / 1000000;

	return (uint32_t)((options->patience_ms + 10 * latency_ms) /
			  RUNNER_LOOK_MS);
}

static void runner_look(struct runner_child *child,
			const struct runner_options *options)
{
	uint64_t progress = atomic_load(&child->board->progress);
	int status;

	if (waitpid(child->pid, &status, WNOHANG) == child->pid) {
		runner_ended(child, status);
		return;
	}
	child->looks++;
	child->looks_still++;
	if (progress != child->progress) {
		child->progress = progress;
		child->looks_still = 0;
	}
	if (child->looks_still > runner_patience(child, options))
		runner_kill(child, "hangs");
	else if (child->looks > RUNNER_LIMIT_MS / RUNNER_LOOK_MS)
		runner_kill(child, "comes to no end");
}

/* ---- all --------------------------------------------------------------- */

/* Has @it ended? Its result says so. */
static bool runner_has_ended(const struct runner_case *it)
{
	return it->result.passed || it->result.reason[0] != '\0';
}

int runner_run(struct runner_case *cases, size_t count,
	       const struct runner_options *options, runner_report_fn report,
	       void *context)
{
	struct runner_child *children =
		calloc(options->at_once, sizeof(*children));
	size_t next = 0, reported = 0;
	int result = 0;

	if (children == NULL)
		return -ENOMEM;
	while (reported < count && result == 0) {
		for (uint32_t i = 0; i < options->at_once && result == 0; i++) {
			if (children[i].it != NULL)
				runner_look(&children[i], options);
			if (children[i].it == NULL && next < count)
				result = runner_start(&children[i],
						      &cases[next++], options);
		}
		while (reported < count && runner_has_ended(&cases[reported]))
			report(&cases[reported++], context);
		chance_sleep(RUNNER_LOOK_MS * UINT64_C(1000000));
	}
	free(children);
	return result;
}
