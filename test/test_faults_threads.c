/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No memory, or no thread, for detached and scoped actors, what they ask, and
 * blocking sections: an error code, nothing half done, nothing left.
 */
#include "faults.h"
#include "threads.h"

#include "troupe_monitor.h"

#include <stdlib.h>

TestSuite(faults_threads, .timeout = 100, .init = faults_start);

/* The n-th fails, for n = 1, 2, ... until @attempt gets through. */
static void each_point(int (*attempt)(struct faults_scene *scene),
		       enum troupe__point point, bool in_actor)
{
	uint32_t n = 0;

	for (;; n++) {
		struct faults_scene scene = {
			.attempt = attempt,
			.plan = {.armed = true, .point = point, .left = n},
		};
		int expected = point == TROUPE__POINT_ALLOC ? -ENOMEM : -EAGAIN;
		uint32_t hit = faults_once(&scene, in_actor);

		cr_expect_eq(scene.result, hit == 0 ? 0 : expected,
			     "%d at the %uth", scene.result, n + 1);
		if (hit == 0)
			break;
		cr_assert_lt(n, 1000);
	}
	cr_expect_gt(n, 0, "there was nothing to fail");
}

static int attempt_spawn(struct faults_scene *scene)
{
	struct unit_record *record = calloc(1, sizeof(*record));
	struct troupe_strong actor = {NULL};
	int result = threads_recorder(scene->system, record, &actor);

	faults.armed = false;
	cr_expect_eq(troupe_strong_is_null(actor), result != 0);
	if (result == 0) {
		cr_expect_eq(troupe_send_exit(actor, 1), 0);
		unit_await(&record->destroys, 1);
	}
	cr_expect_eq(record->exits, result == 0 ? 1 : 0);
	troupe_strong_release(&actor);
	free(record);
	return result;
}

Test(faults_threads, spawning_a_detached_actor)
{
	for (int in_actor = 0; in_actor < 2; in_actor++) {
		each_point(attempt_spawn, TROUPE__POINT_ALLOC, in_actor != 0);
		each_point(attempt_spawn, TROUPE__POINT_THREAD, in_actor != 0);
	}
}

static int attempt_scope(struct faults_scene *scene)
{
	struct troupe_actor *self = NULL;
	int result = troupe_scoped_create(scene->system, &self);

	cr_expect_eq(self == NULL, result != 0);
	troupe_scoped_destroy(self);
	return result;
}

Test(faults_threads, scoped_actors)
{
	each_point(attempt_scope, TROUPE__POINT_ALLOC, false);
}

static int attempt_ask(struct faults_scene *scene)
{
	const struct troupe_message *message;
	struct troupe_actor *self;
	int result = troupe_scoped_create(scene->system, &self);

	if (result != 0)
		return result;
	result = troupe_ask(self, scene->target, 99, NULL, 0, TROUPE_FOREVER,
			    &message);
	if (result == 0)
		cr_expect_eq(message->tag, TROUPE_TAG_ERROR);
	if (result == 0)
		result = troupe_await_end(self, scene->target, 0, NULL);
	if (result == -ETIMEDOUT)
		result = 0;
	troupe_scoped_destroy(self);
	return result;
}

Test(faults_threads, asking_and_awaiting_an_end)
{
	each_point(attempt_ask, TROUPE__POINT_ALLOC, false);
}

static int attempt_section(struct faults_scene *scene)
{
	int result = troupe_blocking_begin();

	troupe_sleep(100000);
	troupe_blocking_end();
	/* Without a thread to spare it still is on its worker. */
	cr_expect_eq(troupe_self_worker(scene->self) == TROUPE_ANY_WORKER,
		     result == 0);
	return result;
}

Test(faults_threads, blocking_sections)
{
	each_point(attempt_section, TROUPE__POINT_ALLOC, true);
	each_point(attempt_section, TROUPE__POINT_THREAD, true);
}

/* Without memory for its report it has told them all the same. */
static int attempt_stop(struct faults_scene *scene)
{
	int result =
		troupe_system_stop(scene->system, UINT64_MAX, 0, NULL, NULL);

	cr_assert_eq(troupe_system_await(scene->system), 0);
	cr_expect_eq(scene->record.destroys, 1);
	return result;
}

Test(faults_threads, stopping)
{
	struct faults_scene scene = {
		.plan = {.armed = true, .point = TROUPE__POINT_ALLOC},
		.attempt = attempt_stop,
	};

	scene.system = unit_start(NULL, 2);
	scene.target = unit_recorder(scene.system, &scene.record);
	faults_attempt(&scene);
	cr_expect_eq(scene.result, -ENOMEM);
	cr_expect_eq(scene.hit, 1);
	troupe_strong_release(&scene.target);
	unit_stop(scene.system);
}
