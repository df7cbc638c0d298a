/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No memory, or no thread, for detached and scoped actors, what they ask,
 * blocking sections and signals: an error code, nothing half done, nothing left.
 */
#include "faults.h"
#include "threads.h"

#include "troupe_monitor.h"
#include "troupe_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* A stop needs no memory, to tell of those that are left neither. */
static bool stop_survivor(const struct troupe_actor_info *info, void *context)
{
	struct faults_scene *scene = context;

	cr_expect_str_eq(info->name, "recorder");
	atomic_fetch_add(&scene->responses, 1);
	return true;
}

static int attempt_stop(struct faults_scene *scene)
{
	return troupe_system_stop(scene->system, 1000000, TROUPE_STOP_ABANDON,
				  stop_survivor, scene);
}

Test(faults_threads, stopping)
{
	struct faults_scene scene = {
		.plan = {.armed = true,
			 .forever = true,
			 .point = TROUPE__POINT_ALLOC},
		.attempt = attempt_stop,
	};
	struct unit_gate gate = {0};

	scene.system = unit_start(NULL, 2);
	scene.target = unit_recorder(scene.system, &scene.record);
	unit_hold(scene.target, &gate);
	faults_attempt(&scene);
	cr_expect_eq(scene.result, -ETIMEDOUT);
	cr_expect_eq(scene.hit, 0);
	cr_expect_eq(scene.responses, 1);
	unit_gate_open(&gate);
	troupe_strong_release(&scene.target);
	unit_stop(scene.system);
	cr_expect_eq(scene.record.destroys, 1);
}

/* ---- signals ----------------------------------------------------------- */

static uint64_t descriptors(void)
{
	uint64_t count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) != -1;
	return count;
}

struct signalled {
	_Atomic uint64_t calls;
	_Atomic int result;
};

static void signal_stopped(int number, int result, void *context)
{
	struct signalled *signalled = context;

	(void)number;
	atomic_store(&signalled->result, result);
	atomic_fetch_add(&signalled->calls, 1);
}

/* Each of what troupe_signal_stop() needs fails; then it gets all, and the
 * signal stops the system while nobody has memory. */
static int attempt_signals(struct faults_scene *scene)
{
	struct signalled signalled = {0};
	struct sigaction before, after;
	uint64_t open = descriptors();
	int result;

	sigaction(SIGTERM, NULL, &before);
	result = troupe_signal_stop(scene->system, UINT64_MAX, NULL,
				    signal_stopped, &signalled);
	faults.armed = false;
	if (result != 0) {
		sigaction(SIGTERM, NULL, &after);
		cr_expect_eq(before.sa_handler, after.sa_handler);
		cr_expect_eq(descriptors(), open, "descriptors are left");
		/* Nobody has them. */
		cr_assert_eq(troupe_signal_stop(scene->system, UINT64_MAX, NULL,
						signal_stopped, &signalled),
			     0);
	}
	unit_send_note(scene->target, 77);
	unit_await(&scene->record.handled, 1);
	atomic_store(&faults_everywhere, true);
	raise(SIGTERM);
	unit_await(&signalled.calls, 1);
	atomic_store(&faults_everywhere, false);
	cr_expect_eq(signalled.result, 0);
	cr_assert_eq(troupe_system_await(scene->system), 0);
	troupe_strong_release(&scene->target);
	unit_stop(scene->system);
	cr_expect_eq(descriptors(), open, "descriptors are left");
	cr_expect_eq(scene->record.destroys, 1);
	return result;
}

/* As each_point(), but the attempt ends the system. */
static void each_signal_point(enum troupe__point point, int expected)
{
	uint32_t n = 0;

	for (;; n++) {
		struct faults_scene scene = {
			.attempt = attempt_signals,
			.plan = {.armed = true, .point = point, .left = n},
		};

		scene.system = unit_start(NULL, 2);
		scene.target = unit_recorder(scene.system, &scene.record);
		faults_attempt(&scene);
		cr_expect_eq(scene.result, scene.hit == 0 ? 0 : expected,
			     "%d at the %uth", scene.result, n + 1);
		if (scene.hit == 0)
			break;
		cr_assert_lt(n, 1000);
	}
	cr_expect_gt(n, 0, "there was nothing to fail");
}

Test(faults_threads, signals)
{
	each_signal_point(TROUPE__POINT_ALLOC, -ENOMEM);
	each_signal_point(TROUPE__POINT_THREAD, -EAGAIN);
}

/* Room for no descriptor, then for one, then for both ends of the pipe. */
Test(faults_threads, signals_without_descriptors)
{
	struct unit_record record = {0};
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_strong actor = unit_recorder(system, &record);
	struct rlimit before, none;
	int lowest = dup(0), result = -EMFILE;
	uint64_t tries = 0;

	cr_assert_geq(lowest, 0);
	close(lowest);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	for (none.rlim_cur = (rlim_t)lowest; result != 0; none.rlim_cur++) {
		uint64_t open = descriptors();

		cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
		result = troupe_signal_stop(system, 0, NULL, NULL, NULL);
		cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
		if (result != 0) {
			cr_expect_eq(result, -EMFILE, "%d", result);
			cr_expect_eq(descriptors(), open);
		}
		cr_assert_lt(tries++, 100);
	}
	cr_expect_gt(tries, 2);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.destroys, 1);
}
