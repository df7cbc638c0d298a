/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records of "profiled:NAME": that runs, messages and jobs are counted
 * right, by name and by job. Times are only compared with each other.
 * Reading while workers run is stress_profiled.c's.
 */
#include "troupe_profiled.h"

#include "unit.h"

#include <errno.h>
#include <stdio.h>

TestSuite(profiled, .timeout = 60);

struct profiled_found {
	const char *name;
	struct troupe_profiled_record record;
	int count; /* records with that name */
};

static void profiled_find(const struct troupe_profiled_record *record,
			  void *context)
{
	struct profiled_found *found = context;

	if (strcmp(record->name, found->name) == 0) {
		found->record = *record;
		found->count++;
	}
}

static struct profiled_found profiled_read(struct troupe_system *system,
					   enum troupe_profiled_view view,
					   const char *name)
{
	struct profiled_found found = {.name = name};

	cr_assert_geq(troupe_profiled_read(system, view, profiled_find, &found),
		      found.count);
	return found;
}

static int profiled_job(void *data)
{
	uint32_t *left = data;

	return --*left > 0 ? TROUPE_JOB_AGAIN : TROUPE_JOB_DONE;
}

static void profiled_counts(const char *policy, uint32_t workers)
{
	struct troupe_system *system = unit_start(policy, workers);
	static struct unit_record record;
	struct unit_gate gate = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct profiled_found found;
	uint32_t left = 5;

	/* One run of 1 + 3 messages that wait behind the gate. */
	unit_hold(actor, &gate);
	for (uint64_t i = 0; i < 3; i++)
		unit_send_note(actor, i);
	unit_gate_open(&gate);
	unit_await(&record.handled, 4);
	cr_assert_eq(troupe_schedule(system, profiled_job, &left), 0);
	found = profiled_read(system, TROUPE_PROFILED_JOBS, "recorder");
	cr_expect_eq(found.count, 1);
	cr_expect_neq(found.record.id, 0);
	cr_expect_eq(found.record.jobs, 1);
	cr_expect_eq(found.record.ended, 0);
	troupe_strong_release(&actor);
	cr_assert_eq(troupe_system_await(system), 0);

	found = profiled_read(system, TROUPE_PROFILED_NAMES, "recorder");
	cr_expect_eq(found.count, 1);
	cr_expect_eq(found.record.id, 0);
	cr_expect_eq(found.record.jobs, 1);
	cr_expect_eq(found.record.ended, 1);
	cr_expect_eq(found.record.messages, 4);
	cr_expect_geq(found.record.runs, 1);
	cr_expect_gt(found.record.wall_time, 0);
	cr_expect_gt(found.record.waiting_time, 0);
	cr_expect_geq(found.record.life_time,
		      found.record.wall_time + found.record.waiting_time);
	found = profiled_read(system, TROUPE_PROFILED_NAMES, "job");
	cr_expect_eq(found.count, 1);
	cr_expect_eq(found.record.runs, 5);
	cr_expect_eq(found.record.messages, 5);
	cr_expect_eq(found.record.ended, 1);
	cr_expect_gt(found.record.cpu_time, 0);
	found = profiled_read(system, TROUPE_PROFILED_JOBS, "recorder");
	cr_expect_eq(found.count, 0);
	cr_expect_str_eq(troupe_system_policy(system), policy);
	unit_stop(system);
}

Test(profiled, counts_over_fifo)
{
	profiled_counts("profiled:fifo", 1);
}

Test(profiled, counts_over_work_sharing)
{
	profiled_counts("profiled:work-sharing", 2);
}

Test(profiled, counts_over_work_stealing)
{
	profiled_counts("profiled:work-stealing", 3);
}

Test(profiled, says_when_it_is_not_there)
{
	struct troupe_system *system = unit_start("fifo", 1);
	struct profiled_found found = {.name = ""};

	cr_expect_eq(troupe_profiled_read(system, TROUPE_PROFILED_NAMES,
					  profiled_find, &found),
		     -ENOENT);
	cr_expect_eq(troupe_profiled_print(system, stderr), -ENOENT);
	unit_stop(system);
	system = unit_start("profiled:fifo", 1);
	cr_expect_eq(troupe_profiled_read(system, (enum troupe_profiled_view)99,
					  profiled_find, &found),
		     -EINVAL);
	unit_stop(system);
}

Test(profiled, leaves_processor_time_out_when_told)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	const char *const settings[] = {"profiled.cpu-time=false", NULL};
	struct troupe_system *system;
	uint32_t left = 5;
	struct profiled_found found;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy_name = "profiled:fifo";
	config.settings = settings;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	cr_assert_eq(troupe_schedule(system, profiled_job, &left), 0);
	cr_assert_eq(troupe_system_await(system), 0);
	found = profiled_read(system, TROUPE_PROFILED_NAMES, "job");
	cr_expect_eq(found.record.runs, 5);
	cr_expect_eq(found.record.cpu_time, 0);
	cr_expect_gt(found.record.wall_time, 0);
	unit_stop(system);
}

/* Its section is known whatever the policy is. */
Test(profiled, options_can_stay_in_the_config)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	const char *const settings[] = {"profiled.cpu-time=false", NULL};
	struct troupe_system *system;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.settings = settings;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	unit_stop(system);
}

#define PROFILED_CLASSES 200

static void profiled_add(const struct troupe_profiled_record *record,
			 void *context)
{
	uint64_t *jobs = context;

	*jobs += record->jobs;
}

Test(profiled, sums_up_more_names_than_it_has_room_for)
{
	static struct troupe_actor_class classes[PROFILED_CLASSES];
	static char names[PROFILED_CLASSES][80];
	static struct unit_record records[PROFILED_CLASSES];
	struct troupe_system *system = unit_start("profiled:fifo", 1);
	uint64_t jobs = 0;

	for (int i = 0; i < PROFILED_CLASSES; i++) {
		struct troupe_strong actor;

		/* Two of each name; they differ where records still see it. */
		snprintf(names[i], sizeof(names[i]), "%03d%.70s", i / 2,
			 "-a-long-name-that-does-not-fit-into-a-record-of-"
			 "47-bytes");
		classes[i] = unit_recorder_class;
		classes[i].name = names[i];
		cr_assert_eq(
			troupe_spawn(system, &classes[i], &records[i], &actor),
			0);
		unit_send_note(actor, 1);
		troupe_strong_release(&actor);
	}
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(troupe_profiled_read(system, TROUPE_PROFILED_NAMES,
					  profiled_add, &jobs),
		     PROFILED_CLASSES / 2);
	cr_expect_eq(jobs, PROFILED_CLASSES);
	memset(records, 0, sizeof(records));
	for (int i = 0; i < PROFILED_CLASSES; i++) {
		struct troupe_strong actor;

		snprintf(names[i], sizeof(names[i]), "other-%d", i);
		cr_assert_eq(
			troupe_spawn(system, &classes[i], &records[i], &actor),
			0);
		unit_send_note(actor, 1);
		troupe_strong_release(&actor);
	}
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(profiled_read(system, TROUPE_PROFILED_NAMES, "(others)")
			     .record.jobs,
		     PROFILED_CLASSES / 2 + PROFILED_CLASSES - 127);
	unit_stop(system);
}

Test(profiled, prints_a_table)
{
	struct troupe_system *system = unit_start("profiled:work-stealing", 2);
	char text[2000] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	uint32_t left = 3;

	cr_assert_eq(troupe_schedule(system, profiled_job, &left), 0);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(troupe_profiled_print(system, out), 0);
	fclose(out);
	cr_expect(strncmp(text, "name ", 5) == 0, "%s", text);
	cr_expect(strstr(text, "\njob ") != NULL, "%s", text);
	unit_stop(system);
}
