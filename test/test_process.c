/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forks, and hooks for threads.
 */
#include "tasks.h"
#include "threads.h"

#include "troupe_monitor.h"
#include "troupe_process.h"
#include "troupe_registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(process, .timeout = 60);

/* ---- fork -------------------------------------------------------------- */

#define CHILD_CHECK(expression)                 \
	do {                                    \
		if (!(expression))              \
			_exit(__LINE__ & 0xff); \
	} while (0)

struct family {
	struct troupe_system *system;
	struct troupe_actor *self;	      /* main's, or NULL */
	const struct troupe_message *message; /* a request to it */
	struct troupe_promise promise;
	uint64_t monitor;
	struct troupe_strong worker_actor, detached_actor;
	struct unit_record records[2];
};

static bool child_each(const struct troupe_actor_info *info, void *context)
{
	(void)info;
	(void)context;
	_exit(99);
}

static int child_job(void *data)
{
	(void)data;
	return TROUPE_JOB_DONE;
}

static int child_response(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)message;
	(void)context;
	_exit(97);
}

static void child_release(void *data, size_t size)
{
	(void)data;
	(void)size;
	_exit(98);
}

/* Each call on the parent's system says so. */
static void child_calls(struct family *family)
{
	struct troupe_stats stats = {.size = sizeof(stats)};
	struct troupe_strong actor = family->worker_actor;
	struct troupe_actor *self;

	CHILD_CHECK(troupe_send(actor, 1, NULL, 0) == -EOWNERDEAD);
	CHILD_CHECK(troupe_send_urgent(actor, 1, NULL, 0) == -EOWNERDEAD);
	CHILD_CHECK(troupe_send_moved(actor, 1, &actor, 1, child_release) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_send_exit(actor, 1) == -EOWNERDEAD);
	CHILD_CHECK(troupe_spawn(family->system, &unit_recorder_class, NULL,
				 NULL) == -EOWNERDEAD);
	CHILD_CHECK(threads_recorder(family->system, NULL, &actor) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_schedule(family->system, child_job, NULL) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_scoped_create(family->system, &self) == -EOWNERDEAD);
	CHILD_CHECK(troupe_signal_stop(family->system, 0, NULL, NULL, NULL) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_system_await(family->system) == -EOWNERDEAD);
	CHILD_CHECK(troupe_system_stop(family->system, UINT64_MAX, 0, NULL,
				       NULL) == -EOWNERDEAD);
	CHILD_CHECK(troupe_system_print(family->system, stdout) == -EOWNERDEAD);
	troupe_system_actors(family->system, child_each, NULL);
	troupe_system_stats(family->system, &stats);
	CHILD_CHECK(troupe_system_destroy(family->system) == -EOWNERDEAD);
	/* What cannot say so hangs in no lock of the parent's. */
	troupe_strong_release(&family->worker_actor);
	troupe_strong_release(&family->detached_actor);
	CHILD_CHECK(troupe_system_destroy(family->system) == -EOWNERDEAD);
}

/* And the child has a life of its own. */
static void child_life(void)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	const struct troupe_message *message;
	struct troupe_system *system;
	struct troupe_strong echo;
	struct troupe_actor *self;

	config.max_threads = 2;
	CHILD_CHECK(troupe_system_create(&config, NULL, &system) == 0);
	CHILD_CHECK(troupe_spawn(system, &threads_echo_class, NULL, &echo) ==
		    0);
	CHILD_CHECK(troupe_scoped_create(system, &self) == 0);
	CHILD_CHECK(troupe_ask(self, echo, 4, NULL, 0, TROUPE_FOREVER,
			       &message) == 0);
	CHILD_CHECK(message->tag == 4);
	troupe_scoped_destroy(self);
	troupe_strong_release(&echo);
	CHILD_CHECK(troupe_system_destroy(system) == 0);
}

/* The child of an actor: main's. */
static void child_actor(struct family *family)
{
	struct troupe_registry *registry =
		troupe_system_registry(family->system);
	struct troupe_strong actor = family->worker_actor;
	struct troupe_actor *self = family->self;
	const struct troupe_message *message = family->message;
	struct troupe_registry_names *names;
	struct troupe_promise promise;
	struct troupe_strong none;

	CHILD_CHECK(troupe_reply(self, message, 1, NULL, 0) == -EOWNERDEAD);
	CHILD_CHECK(troupe_promise(self, message, &promise) == -EOWNERDEAD);
	CHILD_CHECK(troupe_promise_reply(&family->promise, 1, NULL, 0) ==
		    -EOWNERDEAD);
	troupe_promise_release(&family->promise);
	CHILD_CHECK(troupe_request(self, actor, 1, NULL, 0, child_response,
				   NULL) == -EOWNERDEAD);
	CHILD_CHECK(troupe_monitor(self, actor, &family->monitor) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_demonitor(self, family->monitor) == -EOWNERDEAD);
	CHILD_CHECK(troupe_link(self, actor) == -EOWNERDEAD);
	CHILD_CHECK(troupe_unlink(self, actor) == -EOWNERDEAD);
	CHILD_CHECK(troupe_receive(self, TROUPE_FOREVER, &message) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_ask(self, actor, 1, NULL, 0, TROUPE_FOREVER,
			       &message) == -EOWNERDEAD);
	CHILD_CHECK(troupe_await_end(self, actor, TROUPE_FOREVER, NULL) ==
		    -EOWNERDEAD);
	troupe_quit(self, 3);
	troupe_quit_text(self, 3, "child");
	troupe_trap_exit(self, true);
	CHILD_CHECK(troupe_self_worker(self) == TROUPE_ANY_WORKER);

	CHILD_CHECK(troupe_registry_put(registry, "child", actor) ==
		    -EOWNERDEAD);
	CHILD_CHECK(troupe_registry_put_id(registry, actor) == -EOWNERDEAD);
	none = troupe_registry_get(registry, "parent");
	CHILD_CHECK(troupe_strong_is_null(none));
	none = troupe_registry_get_id(registry, troupe_strong_id(actor));
	CHILD_CHECK(troupe_strong_is_null(none));
	CHILD_CHECK(troupe_registry_id(registry, "parent") == 0);
	CHILD_CHECK(troupe_registry_erase(registry, "parent") == -EOWNERDEAD);
	CHILD_CHECK(troupe_registry_erase_id(registry, 1) == -EOWNERDEAD);
	CHILD_CHECK(troupe_registry_names(registry, &names) == -EOWNERDEAD);
	CHILD_CHECK(troupe_registry_await_running(registry, 0, UINT64_MAX) ==
		    -EOWNERDEAD);
	troupe_scoped_destroy(self);
	child_life();
}

/* Clears *@context, a bool, unless the thread @id sleeps, is the caller or has
 * gone. */
static void family_look(const char *id, void *context)
{
	char path[300], line[300] = "";
	const char *state;
	FILE *file;

	if (atoi(id) == gettid())
		return;
	snprintf(path, sizeof(path), "/proc/self/task/%s/stat", id);
	file = fopen(path, "r");
	if (file == NULL)
		return;
	if (fgets(line, sizeof(line), file) == NULL)
		line[0] = '\0';
	fclose(file);
	state = strrchr(line, ')');
	if (state == NULL || state[1] == '\0' || state[2] != 'S')
		*(bool *)context = false;
}

/* Returns: true if all threads of this process but the caller sleep. */
static bool family_sleeps(void)
{
	bool sleep = true;

	cr_assert_gt(tasks_each(family_look, &sleep), 0);
	return sleep;
}

/* The allocators of sanitizers are not made for forks: a lock of theirs that
 * another thread holds stays locked in the child. So nobody may run. */
static void family_await_sleep(void)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	for (int looks = 0; looks < 3;) {
		cr_assert_lt(troupe_now(), end, "somebody never sleeps");
		looks = family_sleeps() ? looks + 1 : 0;
		troupe_sleep(1000000);
	}
}

static void fork_once(struct family *family, void (*child)(struct family *))
{
	pid_t pid;
	int status = 0;

	family_await_sleep();
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		child(family);
		_exit(0);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0,
		  "status %x, line %d mod 256", (unsigned)status,
		  WEXITSTATUS(status));
}

static void child_all(struct family *family)
{
	child_calls(family);
	child_life();
	/* Again, as a parent. */
	if (fork() == 0) {
		child_calls(family);
		child_life();
		_exit(0);
	}
	wait(NULL);
}

static struct family family_start(void)
{
	struct family family = {.system = unit_start(NULL, 2)};

	return family;
}

Test(process, a_child_may_not_use_its_parents_system)
{
	struct family family = family_start();

	family.worker_actor = unit_recorder(family.system, &family.records[0]);
	cr_assert_eq(threads_recorder(family.system, &family.records[1],
				      &family.detached_actor),
		     0);
	for (int i = 0; i < 3; i++)
		fork_once(&family, child_all);
	/* The parent has noticed nothing. */
	unit_send_note(family.worker_actor, 1);
	unit_send_note(family.detached_actor, 2);
	troupe_strong_release(&family.worker_actor);
	troupe_strong_release(&family.detached_actor);
	unit_stop(family.system);
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(family.records[i].noted, 1);
		cr_expect_eq(family.records[i].destroys, 1);
	}
}

static int asker_response(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	(void)self;
	(void)state;
	(void)context;
	cr_expect_eq(message->tag, 1);
	return 0;
}

static int asker_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return 0;
}

/* Requests of @to, twice. */
static int asker_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	const struct troupe_strong *to = argument;
	int result = 0;

	(void)state;
	for (int i = 0; i < 2 && result == 0; i++)
		result = troupe_request(self, *to, 1, NULL, 0, asker_response,
					NULL);
	return result;
}

Test(process, a_child_may_not_act_as_its_parents_actor)
{
	static const struct troupe_actor_class asker_class = {
		.name = "asker",
		.init = asker_init,
		.receive = asker_receive,
	};
	struct family family = family_start();
	struct troupe_registry *registry =
		troupe_system_registry(family.system);
	struct troupe_strong me;

	family.worker_actor = unit_recorder(family.system, &family.records[0]);
	cr_assert_eq(
		troupe_registry_put(registry, "parent", family.worker_actor),
		0);
	cr_assert_eq(troupe_registry_put_id(registry, family.worker_actor), 0);
	family.self = threads_scope(family.system);
	me = troupe_self(family.self);
	cr_assert_eq(troupe_spawn(family.system, &asker_class, &me, NULL), 0);
	troupe_strong_release(&me);
	cr_assert_eq(troupe_monitor(family.self, family.worker_actor,
				    &family.monitor),
		     0);
	cr_assert_eq(troupe_link(family.self, family.worker_actor), 0);
	cr_assert_eq(
		troupe_receive(family.self, TROUPE_FOREVER, &family.message),
		0);
	cr_assert_eq(
		troupe_promise(family.self, family.message, &family.promise),
		0);
	cr_assert_eq(
		troupe_receive(family.self, TROUPE_FOREVER, &family.message),
		0);
	fork_once(&family, child_actor);
	/* The parent can do all that. */
	cr_expect_eq(troupe_reply(family.self, family.message, 1, NULL, 0), 0);
	cr_expect_eq(troupe_promise_reply(&family.promise, 1, NULL, 0), 0);
	cr_expect_eq(troupe_demonitor(family.self, family.monitor), 0);
	cr_expect_eq(troupe_unlink(family.self, family.worker_actor), 0);
	cr_expect_eq(troupe_registry_erase(registry, "parent"), 0);
	troupe_scoped_destroy(family.self);
	troupe_strong_release(&family.worker_actor);
	unit_stop(family.system);
	cr_expect_eq(family.records[0].destroys, 1);
}

/* ---- hooks ------------------------------------------------------------- */

#define KINDS (TROUPE_THREAD_SIGNAL + 1)

struct hooks {
	_Atomic uint64_t started[KINDS], stopped[KINDS];
	_Atomic uint64_t indices; /* of workers, as bits */
};

static _Thread_local int hook_kind = -1;

static void hook_start(enum troupe_thread_kind kind, uint32_t index,
		       void *context)
{
	struct hooks *hooks = context;

	cr_expect_eq(hook_kind, -1);
	hook_kind = (int)kind;
	if (kind == TROUPE_THREAD_WORKER)
		atomic_fetch_or(&hooks->indices, UINT64_C(1) << index);
	atomic_fetch_add(&hooks->started[kind], 1);
}

static void hook_stop(enum troupe_thread_kind kind, uint32_t index,
		      void *context)
{
	struct hooks *hooks = context;

	(void)index;
	cr_expect_eq(hook_kind, (int)kind);
	atomic_fetch_add(&hooks->stopped[kind], 1);
}

static int hook_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	(void)troupe_blocking_begin();
	troupe_sleep(1000000);
	troupe_blocking_end();
	return 0;
}

Test(process, hooks_see_all_threads)
{
	static const struct troupe_actor_class hook_class = {
		.name = "hook",
		.receive = hook_receive,
	};
	static const char *const settings[] = {"detached.keep-alive=1ms", NULL};
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	struct hooks hooks = {0};

	config.max_threads = 3;
	config.settings = settings;
	config.on_thread_start = hook_start;
	config.on_thread_stop = hook_stop;
	config.thread_context = &hooks;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	cr_assert_eq(troupe_signal_stop(system, 0, NULL, NULL, NULL), 0);
	for (int i = 0; i < 5; i++) {
		struct troupe_strong actors[4];

		for (int k = 0; k < 4; k++) {
			cr_assert_eq(troupe_spawn_with(
					     system, &hook_class, NULL,
					     k == 0 ? &threads_detached : NULL,
					     &actors[k]),
				     0);
			cr_assert_eq(troupe_send(actors[k], 1, NULL, 0), 0);
			troupe_strong_release(&actors[k]);
		}
		cr_assert_eq(troupe_system_await(system), 0);
		threads_await(system, 0);
	}
	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_expect_eq(hooks.indices, 7);
	cr_expect_eq(hooks.started[TROUPE_THREAD_WORKER], 3);
	cr_expect_eq(hooks.started[TROUPE_THREAD_SIGNAL], 1);
	cr_expect_geq(hooks.started[TROUPE_THREAD_POOL], 5);
	for (int i = 0; i < KINDS; i++)
		cr_expect_eq(hooks.started[i], hooks.stopped[i]);
}
