/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stress_profiled [--seconds N] [--seed S] [--policy profiled:P] - reading the
 * records of "profiled:work-stealing" from two threads while jobs come and go.
 *
 * Numbers only grow, what has ended is not alive, and at the end all is there.
 */
#include "stress.h"
#include "troupe_profiled.h"

#define READERS 2
#define JOBS	16 /* alive at once, each makes its successor */
#define RUNS	5

static struct troupe_system *profiled_system;
static _Atomic bool stress_stopped;
static _Atomic uint64_t stress_ended, stress_reads;

static int stress_run(void *data)
{
	_Atomic uint32_t *runs = data;

	if (atomic_fetch_add(runs, 1) + 1 < RUNS)
		return TROUPE_JOB_AGAIN;
	atomic_store(runs, 0);
	atomic_fetch_add(&stress_ended, 1);
	stress_progress();
	if (!atomic_load(&stress_stopped) &&
	    troupe_schedule(profiled_system, stress_run, data) != 0)
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
	while (!atomic_load(&stress_stopped)) {
		if (troupe_profiled_read(profiled_system, TROUPE_PROFILED_NAMES,
					 stress_name, data) < 0 ||
		    troupe_profiled_read(profiled_system, TROUPE_PROFILED_JOBS,
					 stress_living, data) < 0)
			stress_fail("the records cannot be read");
	}
	return NULL;
}

static void stress_profiled(struct troupe_system *system)
{
	static struct reader readers[READERS];
	static _Atomic uint32_t runs[JOBS];
	struct reader last = {0};

	profiled_system = system;
	for (int i = 0; i < JOBS; i++)
		stress_check(troupe_schedule(system, stress_run, &runs[i]) == 0,
			     "no memory");
	for (int i = 0; i < READERS; i++)
		pthread_create(&readers[i].thread, NULL, reader_main,
			       &readers[i]);
	while (stress_goes_on())
		troupe_sleep(1000000);
	atomic_store(&stress_stopped, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i].thread, NULL);
	troupe_system_await(system);
	troupe_profiled_read(system, TROUPE_PROFILED_NAMES, stress_name, &last);
	stress_check(last.ended == atomic_load(&stress_ended) &&
			     last.runs == last.ended * RUNS,
		     "jobs or runs are missing");
	stress_check(troupe_profiled_read(system, TROUPE_PROFILED_JOBS,
					  stress_living, NULL) == 0,
		     "a job that ended is alive");
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {3, 0};

	stress_start("profiled", 1, argc, argv);
	if (stress.policy == NULL)
		stress.policy = "profiled:work-stealing";
	stress_turns(stress_profiled, workers);
	printf("stress_profiled: %" PRIu64 " jobs, %" PRIu64
	       " records of living ones\n",
	       stress_ended, stress_reads);
	return 0;
}
