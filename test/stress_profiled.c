/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stress_profiled [--seconds N] - reading the records of
 * "profiled:work-stealing" from two threads while jobs come and go.
 *
 * Numbers only grow, what has ended is not alive, and at the end all is there.
 */
#include "troupe.h"
#include "troupe_config.h"
#include "troupe_policy.h"
#include "troupe_profiled.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define READERS 2
#define JOBS	16 /* alive at once, each makes its successor */
#define RUNS	5

static struct troupe_system *stress_system;
static _Atomic bool stress_stop;
static _Atomic uint64_t stress_ended, stress_reads;

static void stress_fail(const char *what)
{
	printf("stress_profiled: %s\n", what);
	exit(1);
}

static int stress_run(void *data)
{
	_Atomic uint32_t *runs = data;

	if (atomic_fetch_add(runs, 1) + 1 < RUNS)
		return TROUPE_JOB_AGAIN;
	atomic_store(runs, 0);
	atomic_fetch_add(&stress_ended, 1);
	if (!atomic_load(&stress_stop) &&
	    troupe_schedule(stress_system, stress_run, data) != 0)
		stress_fail("a job could not be scheduled");
	return TROUPE_JOB_DONE;
}

struct reader {
	pthread_t thread;
	uint64_t runs, ended; /* seen last */
};

static void stress_name(const struct troupe_profiled_record *record,
			void *context)
{
	struct reader *reader = context;

	if (strcmp(record->name, "job") != 0)
		stress_fail("a name that no job has");
	if (record->runs < reader->runs || record->ended < reader->ended)
		stress_fail("a number fell");
	reader->runs = record->runs;
	reader->ended = record->ended;
}

static void stress_living(const struct troupe_profiled_record *record,
			  void *context)
{
	(void)context;
	if (record->id == 0 || record->jobs != 1 || record->ended != 0 ||
	    record->runs > RUNS)
		stress_fail("a living job that cannot be");
	atomic_fetch_add(&stress_reads, 1);
}

static void *reader_main(void *data)
{
	while (!atomic_load(&stress_stop)) {
		if (troupe_profiled_read(stress_system, TROUPE_PROFILED_NAMES,
					 stress_name, data) < 0 ||
		    troupe_profiled_read(stress_system, TROUPE_PROFILED_JOBS,
					 stress_living, data) < 0)
			stress_fail("the records cannot be read");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_error error;
	static struct reader readers[READERS];
	static _Atomic uint32_t runs[JOBS];
	struct reader last = {0};
	double seconds = 1;

	for (int i = 1; i + 1 < argc; i += 2)
		if (strcmp(argv[i], "--seconds") == 0)
			seconds = atof(argv[i + 1]);
	config.policy_name = "profiled:work-stealing";
	config.max_threads = 3;
	if (troupe_system_create(&config, &error, &stress_system) != 0)
		stress_fail(error.text);
	for (int i = 0; i < JOBS; i++)
		if (troupe_schedule(stress_system, stress_run, &runs[i]) != 0)
			stress_fail("no memory");
	for (int i = 0; i < READERS; i++)
		pthread_create(&readers[i].thread, NULL, reader_main,
			       &readers[i]);
	troupe_sleep((uint64_t)(seconds * 1e9));
	atomic_store(&stress_stop, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i].thread, NULL);
	troupe_system_await(stress_system);
	troupe_profiled_read(stress_system, TROUPE_PROFILED_NAMES, stress_name,
			     &last);
	if (last.ended != atomic_load(&stress_ended) ||
	    last.runs != last.ended * RUNS)
		stress_fail("jobs or runs are missing");
	if (troupe_profiled_read(stress_system, TROUPE_PROFILED_JOBS,
				 stress_living, NULL) != 0)
		stress_fail("a job that ended is alive");
	troupe_system_destroy(stress_system);
	printf("stress_profiled: %llu jobs, %llu records of living ones\n",
	       (unsigned long long)stress_ended,
	       (unsigned long long)stress_reads);
	return 0;
}
