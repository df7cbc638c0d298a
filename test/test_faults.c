/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Out of memory is a return code: each allocation of each call fails in turn,
 * on the main thread and in an actor. Nothing is half done, nothing leaks or
 * hangs, and the system works afterwards. And to end needs no memory at all.
 */
#include "faults.h"

#include "troupe_monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(faults, .timeout = 100, .init = faults_start);

/* Counted anew by each attempt. */
static _Atomic uint64_t effects;

/* On both kinds of threads. */
static void faults_both(int (*attempt)(struct faults_scene *scene),
			void (*check)(const struct faults_scene *scene))
{
	faults_each(attempt, false, check);
	faults_each(attempt, true, check);
}

static void check_one_effect(const struct faults_scene *scene)
{
	cr_expect_eq(effects, scene->result == 0 ? 1 : 0);
}

static void check_no_more_notes(const struct faults_scene *scene)
{
	cr_expect_eq(scene->record.noted, scene->result == 0 ? 2 : 1);
}

/* ---- spawning ---------------------------------------------------------- */

static int effect_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return 0;
}

static void effect_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)state;
	(void)reason;
	atomic_fetch_add(&effects, 1);
}

static const struct troupe_actor_class effect_class = {
	.name = "effect",
	.receive = effect_receive,
	.on_exit = effect_exit,
};

static int attempt_spawn(struct faults_scene *scene)
{
	struct troupe_strong actor = {NULL};
	int result;

	effects = 0;
	result = troupe_spawn(scene->system, &effect_class, NULL, &actor);
	cr_expect_eq(troupe_strong_is_null(actor), result != 0);
	troupe_strong_release(&actor);
	return result;
}

Test(faults, spawning)
{
	faults_both(attempt_spawn, check_one_effect);
}

static int attempt_spawn_send(struct faults_scene *scene)
{
	effects = 0;
	return troupe_spawn_send(scene->system, &effect_class, NULL, 1, NULL,
				 0);
}

Test(faults, spawning_with_a_message)
{
	faults_both(attempt_spawn_send, check_one_effect);
}

static int quiet_response(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)message;
	(void)context;
	return 0;
}

/* Makes another, sends, and asks before it is there itself. */
static int busy_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	const struct faults_scene *scene = argument;
	struct troupe_strong me = troupe_self(self);
	uint64_t note = 1;
	int result;

	(void)state;
	result = troupe_send(me, 1, NULL, 0);
	if (result == 0)
		result = troupe_request(self, me, 1, NULL, 0, quiet_response,
					NULL);
	if (result == 0)
		result = troupe_request(self, scene->target, 99, NULL, 0,
					quiet_response, NULL);
	if (result == 0)
		result = troupe_send(scene->target, UNIT_NOTE, &note,
				     sizeof(note));
	troupe_strong_release(&me);
	return result;
}

static const struct troupe_actor_class busy_class = {
	.name = "busy",
	.init = busy_init,
	.receive = effect_receive,
	.on_exit = effect_exit,
};

static int attempt_spawn_busy(struct faults_scene *scene)
{
	effects = 0;
	return troupe_spawn(scene->system, &busy_class, scene, NULL);
}

Test(faults, spawning_one_that_does_much_in_init)
{
	faults_both(attempt_spawn_busy, check_one_effect);
}

static int effect_job(void *data)
{
	(void)data;
	atomic_fetch_add(&effects, 1);
	return TROUPE_JOB_DONE;
}

static int attempt_schedule(struct faults_scene *scene)
{
	effects = 0;
	return troupe_schedule(scene->system, effect_job, NULL);
}

Test(faults, scheduling_a_job)
{
	faults_both(attempt_schedule, check_one_effect);
}

/* ---- sending ----------------------------------------------------------- */

static int attempt_send(struct faults_scene *scene)
{
	uint64_t note = 1;

	return troupe_send(scene->target, UNIT_NOTE, &note, sizeof(note));
}

Test(faults, sending)
{
	faults_both(attempt_send, check_no_more_notes);
}

static int attempt_send_urgent(struct faults_scene *scene)
{
	uint64_t note = 1;

	return troupe_send_urgent(scene->target, UNIT_NOTE, &note,
				  sizeof(note));
}

Test(faults, sending_urgently)
{
	faults_both(attempt_send_urgent, check_no_more_notes);
}

static uint64_t moved_note = 1;

static void moved_release(void *data, size_t size)
{
	cr_expect_eq(data, &moved_note);
	cr_expect_eq(size, sizeof(moved_note));
	atomic_fetch_add(&effects, 1);
}

static int attempt_send_moved(struct faults_scene *scene)
{
	effects = 0;
	return troupe_send_moved(scene->target, UNIT_NOTE, &moved_note,
				 sizeof(moved_note), moved_release);
}

static void check_moved(const struct faults_scene *scene)
{
	/* On failure it stays the sender's. */
	check_one_effect(scene);
	check_no_more_notes(scene);
}

Test(faults, sending_a_moved_payload)
{
	faults_both(attempt_send_moved, check_moved);
}

/* ---- requests ---------------------------------------------------------- */

static int counted_response(struct troupe_actor *self, void *state,
			    const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)context;
	cr_expect_eq(message->tag, TROUPE_TAG_ERROR);
	atomic_fetch_add(&effects, 1);
	return 0;
}

static int attempt_request(struct faults_scene *scene)
{
	effects = 0;
	return troupe_request(scene->self, scene->target, 99, NULL, 0,
			      counted_response, NULL);
}

Test(faults, requesting)
{
	faults_each(attempt_request, true, check_one_effect);
}

/* More than fit into the first tables of whoever keeps them. */
static int attempt_many_requests(struct faults_scene *scene)
{
	int result = 0;

	effects = 0;
	for (int i = 0; result == 0 && i < 20; i++)
		result = troupe_request(scene->self, scene->target, 99, NULL, 0,
					counted_response, NULL);
	return result;
}

Test(faults, requesting_much)
{
	faults_each(attempt_many_requests, true, NULL);
}

static int attempt_reply(struct faults_scene *scene)
{
	return troupe_reply(scene->self, scene->message, 1, NULL, 0);
}

/* One that could not be answered is answered by an error all the same. */
static void check_reply(const struct faults_scene *scene)
{
	cr_expect_eq(scene->responses, 1);
	cr_expect_eq(scene->response_error, scene->result == 0 ? 0 : -ENODATA);
}

Test(faults, replying)
{
	faults_each(attempt_reply, true, check_reply);
}

static int attempt_promise(struct faults_scene *scene)
{
	struct troupe_promise promise = {NULL};
	int result = troupe_promise(scene->self, scene->message, &promise);

	if (result != 0) {
		cr_expect_null(promise.prepared);
		return result;
	}
	result = troupe_promise_reply(&promise, 1, NULL, 0);
	cr_expect_eq(promise.prepared == NULL, result == 0);
	troupe_promise_release(&promise);
	return result;
}

static void check_promise(const struct faults_scene *scene)
{
	cr_expect_eq(scene->responses, 1);
	if (scene->result == 0)
		cr_expect_eq(scene->response_error, 0);
	else
		cr_expect_neq(scene->response_error, 0);
}

Test(faults, promising_and_keeping_it)
{
	faults_each(attempt_promise, true, check_promise);
}

/* ---- watching ---------------------------------------------------------- */

static int attempt_watch(struct faults_scene *scene)
{
	uint64_t monitor;
	int result = troupe_monitor(scene->self, scene->target, &monitor);

	if (result == 0)
		result = troupe_link(scene->self, scene->target);
	if (result == 0)
		result = troupe_demonitor(scene->self, monitor);
	return result;
}

Test(faults, monitoring_and_linking)
{
	faults_each(attempt_watch, true, NULL);
}

static int attempt_exit(struct faults_scene *scene)
{
	struct troupe_strong actor = {NULL};
	int result;

	effects = 0;
	result = troupe_spawn(scene->system, &effect_class, NULL, &actor);
	if (result == 0)
		result = troupe_send_exit(actor, 5);
	troupe_strong_release(&actor);
	return result;
}

Test(faults, sending_an_exit)
{
	faults_both(attempt_exit, NULL);
}

/* ---- creating a system ------------------------------------------------- */

/* With a file, and settings of each kind. */
static int create(const char *policy, const char *file,
		  struct troupe_error *error, struct troupe_system **ret_system)
{
	static const char *const settings[] = {
		"scheduler.thread-name=faulty",
		NULL,
	};
	struct troupe_config config = TROUPE_CONFIG_INIT;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.file = file;
	config.policy_name = policy;
	config.max_threads = 3;
	config.affinity = "cores";
	config.settings = settings;
	return troupe_system_create(&config, error, ret_system);
}

static void create_failing(const char *policy, const char *file,
			   enum troupe__point point, bool forever)
{
	uint32_t n = 0;

	for (uint32_t hit = 1; hit != 0; n++) {
		struct troupe_system *system = NULL;
		struct troupe_error error = {0};
		int expected = point == TROUPE__POINT_ALLOC ? -ENOMEM : -EAGAIN;
		int result;

		faults = (struct faults){
			.armed = true,
			.forever = forever,
			.point = point,
			.left = n,
		};
		result = create(policy, file, &error, &system);
		hit = faults.hit;
		faults = (struct faults){0};
		cr_expect_eq(result, hit == 0 ? 0 : expected,
			     "%s: %d at the %uth", policy, result, n + 1);
		if (hit != 0) {
			cr_expect_eq(error.code, result);
			cr_expect_str_not_empty(error.text);
			cr_expect_null(system);
			cr_expect_eq(troupe__live_allocations(), 0);
		} else {
			unit_stop(system);
		}
		cr_assert_lt(n, 10000);
	}
	cr_expect_gt(n, 3, "a system of three workers is made of more");
}

static void create_all(enum troupe__point point)
{
	char file[] = "/tmp/troupe-faults-XXXXXX";
	int descriptor = mkstemp(file);

	cr_assert_geq(descriptor, 0);
	cr_assert_gt(dprintf(descriptor, "[scheduler]\nmax-throughput = 7\n"),
		     0);
	close(descriptor);
	for (size_t i = 0; troupe_policy_builtin(i) != NULL; i++) {
		create_failing(troupe_policy_builtin(i)->name, file, point,
			       false);
		create_failing(troupe_policy_builtin(i)->name, file, point,
			       true);
	}
	unlink(file);
}

Test(faults, creating_a_system_without_memory)
{
	create_all(TROUPE__POINT_ALLOC);
}

Test(faults, creating_a_system_without_threads)
{
	create_all(TROUPE__POINT_THREAD);
}

/* ---- ending ------------------------------------------------------------ */

/* Asks the target and itself, keeps some messages and watches. */
static int last_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	const struct faults_scene *scene = argument;
	struct troupe_strong me = troupe_self(self);
	uint64_t monitor;

	(void)state;
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(troupe_request(self, scene->target, 99, NULL, 0,
					    counted_response, NULL),
			     0);
		cr_assert_eq(troupe_send_moved(me, 1, &moved_note,
					       sizeof(moved_note),
					       moved_release),
			     0);
	}
	cr_assert_eq(troupe_monitor(self, scene->target, &monitor), 0);
	cr_assert_eq(troupe_link(self, scene->target), 0);
	troupe_strong_release(&me);
	return 0;
}

static int last_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return TROUPE_SKIP;
}

Test(faults, ending_needs_no_memory)
{
	static const struct troupe_actor_class last_class = {
		.name = "last",
		.init = last_init,
		.receive = last_receive,
	};
	struct faults_scene scene = {0};
	struct troupe_strong actors[4];
	struct unit_gate gate = {0};

	effects = 0;
	scene.system = unit_start(NULL, 2);
	scene.target = unit_recorder(scene.system, &scene.record);
	unit_hold(scene.target, &gate);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(troupe_spawn(scene.system, &last_class, &scene,
					  &actors[i]),
			     0);
	unit_send_quit(scene.target, -EIO);
	atomic_store(&faults_everywhere, true);
	unit_gate_open(&gate);
	for (int i = 0; i < 4; i++)
		troupe_strong_release(&actors[i]);
	troupe_strong_release(&scene.target);
	cr_assert_eq(troupe_system_destroy(scene.system), 0);
	atomic_store(&faults_everywhere, false);
	cr_expect_eq(scene.record.destroys, 1);
	cr_expect_geq(effects, 4 * 3, "every moved payload is released");
	cr_expect_eq(troupe__live_allocations(), 0);
}
