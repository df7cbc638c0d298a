/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work_sharing - one queue, and every worker takes from it
 *
 * Main puts 20 jobs of 5 ms into the queue that all workers share. Whoever is
 * free takes the oldest, so the work spreads by itself, and nobody has to
 * look for it. Compare work_stealing.
 */
#include "demo.h"

#define JOBS	   20
#define JOB_MILLIS 5

struct piece {
	uint32_t worker, runs;
};

/* A bare job: a function on a worker, without an actor. */
static int piece_run(void *data)
{
	struct piece *piece = data;

	demo_sleep_millis(JOB_MILLIS);
	piece->worker = troupe_current_worker();
	piece->runs++;
	return TROUPE_JOB_DONE;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct piece pieces[JOBS] = {0};
	struct troupe_system *system;
	int once = 0;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	demo_prefer(&config, "TROUPE_SCHEDULER_POLICY", "work-sharing");
	demo_prefer(&config, "TROUPE_SCHEDULER_MAX_THREADS", "4");
	system = demo_start(&config);
	for (int i = 0; i < JOBS; i++)
		demo_check(troupe_schedule(system, piece_run, &pieces[i]),
			   "troupe_schedule");
	demo_check(troupe_system_await(system), "troupe_system_await");

	printf("%d jobs in one queue under %s:\n", JOBS,
	       troupe_system_policy(system));
	for (uint32_t w = 0; w < troupe_system_worker_count(system); w++) {
		printf("worker %u ran", w);
		for (int i = 0; i < JOBS; i++) {
			if (pieces[i].worker == w)
				printf(" %d", i);
		}
		putchar('\n');
	}
	for (int i = 0; i < JOBS; i++)
		once += pieces[i].runs == 1;
	printf("%d of %d jobs ran once\n", once, JOBS);
	troupe_system_destroy(system);
	return 0;
}
