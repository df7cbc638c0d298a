/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bare jobs: uneven service times (jobs and actors mixed), and empty jobs
 * scheduled by a job or by a thread that is no worker.
 */
#include "workloads.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- uneven ------------------------------------------------------------ */

/*
 * Service times as servers see them: most are short, and the few long ones
 * are most of the work. One job hands all of them out, so that a worker which
 * waits for a fair share has to get it from that job's worker; and a policy
 * that leaves a long one for the end lets the other workers idle.
 */
static const struct {
	uint32_t permille; /* of the tasks */
	uint32_t steps;	   /* of work; about 2 ns each */
} uneven_lengths[] = {
	{800, 500},
	{150, 5000},
	{45, 50000},
	{5, 2500000},
};

#define UNEVEN_LENGTHS (sizeof(uneven_lengths) / sizeof(uneven_lengths[0]))

struct uneven_task {
	uint32_t length; /* index of uneven_lengths */
	uint64_t result; /* written by its job or actor */
};

struct uneven {
	struct troupe_system *system;
	struct uneven_task *tasks;
	uint64_t count;
	int code; /* of the job that hands them out */
};

static uint64_t uneven_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Each step needs the one before, so no compiler can cut it short. */
static uint64_t uneven_work(uint32_t length)
{
	uint64_t value = 88172645463325252u + length;

	for (uint32_t i = 0; i < uneven_lengths[length].steps; i++)
		uneven_random(&value);
	return value;
}

static int uneven_job(void *data)
{
	struct uneven_task *task = data;

	task->result = uneven_work(task->length);
	return TROUPE_JOB_DONE;
}

static int uneven_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct uneven_task *const *task = troupe_payload(message);

	(void)self;
	(void)state;
	uneven_job(*task);
	return 0;
}

static const struct troupe_actor_class uneven_class = {
	.name = "uneven",
	.receive = uneven_receive,
};

static int uneven_spawn(struct uneven *uneven, struct uneven_task *task)
{
	struct troupe_strong actor;
	int code = troupe_spawn(uneven->system, &uneven_class, NULL, &actor);

	if (code != 0)
		return code;
	code = troupe_send(actor, 1, &task, sizeof(task));
	troupe_strong_release(&actor);
	return code;
}

/* Every second task is an actor. */
static int uneven_hand_out(void *data)
{
	struct uneven *uneven = data;

	for (uint64_t i = 0; uneven->code == 0 && i < uneven->count; i++) {
		struct uneven_task *task = &uneven->tasks[i];

		if (i % 2 == 0)
			uneven->code = troupe_schedule(uneven->system,
						       uneven_job, task);
		else
			uneven->code = uneven_spawn(uneven, task);
	}
	return TROUPE_JOB_DONE;
}

/* The same lengths in the same order each time. */
static void uneven_lay_out(struct uneven *uneven)
{
	uint64_t seed = 2463534242u;

	for (uint64_t i = 0; i < uneven->count; i++) {
		uint32_t dice = (uint32_t)(uneven_random(&seed) % 1000);
		uint32_t length = 0;

		while (dice >= uneven_lengths[length].permille)
			dice -= uneven_lengths[length++].permille;
		uneven->tasks[i].length = length;
	}
}

static uint64_t uneven_count_wrong(const struct uneven *uneven)
{
	uint64_t expected[UNEVEN_LENGTHS];
	uint64_t wrong = 0;

	for (uint32_t length = 0; length < UNEVEN_LENGTHS; length++)
		expected[length] = uneven_work(length);
	for (uint64_t i = 0; i < uneven->count; i++)
		if (uneven->tasks[i].result !=
		    expected[uneven->tasks[i].length])
			wrong++;
	return wrong;
}

static int uneven_run(struct workload_trial *trial)
{
	struct uneven uneven = {
		.system = trial->system,
		.count = workload_size(trial, 4000, 1),
	};
	int code;

	uneven.tasks = calloc(uneven.count, sizeof(*uneven.tasks));
	if (uneven.tasks == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	uneven_lay_out(&uneven);
	code = troupe_schedule(trial->system, uneven_hand_out, &uneven);
	troupe_system_await(trial->system);

	trial->operations = uneven.count;
	if (code == 0)
		code = uneven.code;
	if (code != 0)
		code = workload_failed(trial, "hand out tasks", code);
	else
		code = workload_verify(trial, "tasks not done",
				       uneven_count_wrong(&uneven), 0);
	free(uneven.tasks);
	return code;
}

/* ---- empty jobs -------------------------------------------------------- */

/* So many may be on their way when a producer schedules more. */
#define JOBS_WAVE   1000
#define JOBS_WINDOW 65536

struct jobs {
	struct troupe_system *system;
	struct workload_tally *ran;
	uint64_t count;
	uint64_t scheduled;
	int code;
};

static int jobs_empty(void *data)
{
	struct jobs *jobs = data;

	workload_tally_add(jobs->ran);
	return TROUPE_JOB_DONE;
}

/* Up to @limit more. False: no more to do, or it failed. */
static bool jobs_schedule(struct jobs *jobs, uint64_t limit)
{
	for (; limit > 0 && jobs->scheduled < jobs->count; limit--) {
		jobs->code = troupe_schedule(jobs->system, jobs_empty, jobs);
		if (jobs->code != 0)
			return false;
		jobs->scheduled++;
	}
	return jobs->scheduled < jobs->count;
}

/* Comes again after the others: by then this worker's wave has run. What
 * other workers have taken and not run yet is waited for in the same way. */
static int jobs_producer(void *data)
{
	struct jobs *jobs = data;

	if (jobs->scheduled - workload_tally_sum(jobs->ran) > JOBS_WAVE)
		return TROUPE_JOB_AGAIN;
	return jobs_schedule(jobs, JOBS_WAVE) ? TROUPE_JOB_AGAIN
					      : TROUPE_JOB_DONE;
}

static void jobs_from_inside(struct jobs *jobs)
{
	int code = troupe_schedule(jobs->system, jobs_producer, jobs);

	if (code != 0)
		jobs->code = code;
}

static void jobs_from_outside(struct jobs *jobs)
{
	while (jobs_schedule(jobs, JOBS_WAVE))
		while (jobs->scheduled - workload_tally_sum(jobs->ran) >
		       JOBS_WINDOW)
			sched_yield();
}

static int jobs_measure(struct workload_trial *trial, uint64_t count,
			void (*produce)(struct jobs *jobs))
{
	struct jobs jobs = {
		.system = trial->system,
		.ran = workload_tally_create(trial->system),
		.count = count,
	};
	int code;

	if (jobs.ran == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	produce(&jobs);
	troupe_system_await(trial->system);

	trial->operations = count;
	code = jobs.code;
	if (code != 0)
		code = workload_failed(trial, "schedule", code);
	else
		code = workload_verify(trial, "jobs ran",
				       workload_tally_sum(jobs.ran), count);
	workload_tally_destroy(jobs.ran);
	return code;
}

static int jobs_inside_run(struct workload_trial *trial)
{
	return jobs_measure(trial, workload_size(trial, 2000000, 1),
			    jobs_from_inside);
}

static int jobs_outside_run(struct workload_trial *trial)
{
	return jobs_measure(trial, workload_size(trial, 500000, 1),
			    jobs_from_outside);
}

const struct workload workload_uneven = {
	.name = "uneven",
	.unit = "task",
	.flags = WORKLOAD_USUAL | WORKLOAD_WHOLE,
	.summary = "4000 jobs and actors of 1 us, 10 us, 100 us and 5 ms",
	.run = uneven_run,
};

const struct workload workload_jobs_inside = {
	.name = "jobs-inside",
	.unit = "job",
	.summary = "one job schedules 2M empty ones, in waves of 1000",
	.run = jobs_inside_run,
};

const struct workload workload_jobs_outside = {
	.name = "jobs-outside",
	.unit = "job",
	.summary = "the main thread schedules 500k empty jobs",
	.run = jobs_outside_run,
};
