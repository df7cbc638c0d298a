/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work_stealing - one worker has all the work, and the others help themselves
 *
 * A job on worker 0 makes 20 jobs of 5 ms. They go to worker 0's own queue;
 * workers with nothing to do steal from its other end. Compare work_sharing.
 */
#include "demo.h"

#define JOBS	   20
#define JOB_MILLIS 5
#define HOME	   0u /* the worker that gets all jobs */

struct piece {
	uint32_t worker, runs;
};

struct load {
	struct troupe_system *system;
	struct piece pieces[JOBS];
	int result;
};

static int piece_run(void *data)
{
	struct piece *piece = data;

	demo_sleep_millis(JOB_MILLIS);
	piece->worker = troupe_current_worker();
	piece->runs++;
	return TROUPE_JOB_DONE;
}

static int load_run(void *data)
{
	struct load *load = data;

	for (int i = 0; i < JOBS && load->result == 0; i++)
		load->result = troupe_schedule(load->system, piece_run,
					       &load->pieces[i]);
	return TROUPE_JOB_DONE;
}

static void load_report(const struct load *load)
{
	struct troupe_stats stats = {.size = sizeof(stats)};
	int once = 0;

	printf("%d jobs at worker %u under %s, * stolen:\n", JOBS, HOME,
	       troupe_system_policy(load->system));
	for (uint32_t w = 0; w < troupe_system_worker_count(load->system);
	     w++) {
		printf("worker %u ran", w);
		for (int i = 0; i < JOBS; i++) {
			if (load->pieces[i].worker == w)
				printf(" %d%s", i, w == HOME ? "" : "*");
		}
		putchar('\n');
	}
	for (int i = 0; i < JOBS; i++)
		once += load->pieces[i].runs == 1;
	troupe_system_stats(load->system, &stats);
	printf("the policy counted %llu steals\n",
	       (unsigned long long)stats.steals);
	printf("%d of %d jobs ran once\n", once, JOBS);
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct load load = {0};

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	demo_prefer(&config, "TROUPE_SCHEDULER_POLICY", "work-stealing");
	demo_prefer(&config, "TROUPE_SCHEDULER_MAX_THREADS", "4");
	load.system = demo_start(&config);
	demo_check(troupe_schedule_on(load.system, HOME, load_run, &load),
		   "troupe_schedule_on");
	demo_check(troupe_system_await(load.system), "troupe_system_await");
	demo_check(load.result, "troupe_schedule");
	load_report(&load);
	troupe_system_destroy(load.system);
	return 0;
}
