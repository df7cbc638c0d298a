/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coordinator: makes a system from its settings, starts and stops the
 * workers, and counts what is alive. It never decides an order; that is the
 * policy's.
 *
 * How a system ends. destroy waits until no actor and no bare job is alive.
 * The last one may have been made READY by an outside thread that has not yet
 * come back from the policy's enqueue slot: such threads are counted as
 * visitors, before the job is visible, and are waited for. Then `stopping` is
 * set, wake_all brings the workers out of dequeue, they are joined, and what
 * the policy still holds is drained.
 *
 * Abandoned threads (pool.h) may call anything at any time, and nobody waits
 * for them. So what they can reach, all but the policy and its data, is freed
 * by the last of them and destroy, by refs; and none may begin what the policy
 * would have to do after its end:
 *	thread:  (1) counts the new actor or job in (2) reads closed
 *	destroy: (a) sets closed (b) waits until nothing is counted
 * All seq_cst: (2) sees it and the thread takes it back, or (b) waits for what
 * was counted. What it sends goes to actors that have ended, or that are
 * counted, or that are with a thread of their own, as itself.
 */
#include "core.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "affinity.h"
#include "error.h"
#include "pool.h"
#include "process.h"

/* Ids that a worker takes at once, so that spawning shares no line. */
#define COORDINATOR_ID_BATCH 256u

static size_t coordinator_lines(size_t size)
{
	return (size + 63) & ~(size_t)63;
}

/* Zeroed and aligned; @size 0 gives NULL and is no failure. */
static int coordinator_data(size_t size, void **ret_data)
{
	if (size == 0) {
		*ret_data = NULL;
		return 0;
	}
	*ret_data = troupe__alloc_lines(coordinator_lines(size));
	if (*ret_data == NULL)
		return -ENOMEM;
	memset(*ret_data, 0, coordinator_lines(size));
	return 0;
}

/* ---- create ------------------------------------------------------------ */

static void coordinator_sizes(struct troupe_system *system)
{
	size_t data = (system->ops.job_data_size + JOB_ALIGN - 1) &
		      ~(size_t)(JOB_ALIGN - 1);

	if ((system->ops.flags & TROUPE_POLICY_STAMP_READY) != 0)
		system->job_stamp_size = JOB_ALIGN;
	data += system->job_stamp_size;
	system->state_offset = (uint32_t)(sizeof(struct troupe_actor) + data);
	system->bare_size = (uint32_t)(sizeof(struct bare_job) + data);
}

static int coordinator_worker_create(struct troupe_system *system,
				     uint32_t index)
{
	struct worker *worker =
		troupe__alloc_lines(coordinator_lines(sizeof(*worker)));
	int result;

	if (worker == NULL)
		return -ENOMEM;
	memset(worker, 0, sizeof(*worker));
	result = coordinator_data(system->ops.worker_data_size,
				  &worker->head.data);
	if (result != 0) {
		troupe__free(worker);
		return result;
	}
	worker->head.coordinator = &system->head;
	worker->head.index = index;
	worker->system = system;
	/* Any seed but 0 will do; the golden ratio keeps them apart. */
	worker->random = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
	system->head.workers[index] = &worker->head;
	return 0;
}

static struct worker *coordinator_worker(struct troupe_system *system,
					 uint32_t index)
{
	return (struct worker *)system->head.workers[index];
}

/* Frees what coordinator_allocate() made, also half made. */
static void coordinator_free(struct troupe_system *system)
{
	for (uint32_t i = 0;
	     system->head.workers != NULL && i < system->head.worker_count;
	     i++) {
		struct worker *worker = coordinator_worker(system, i);

		if (worker == NULL)
			continue;
		troupe__free(worker->head.data);
		troupe__free(worker);
	}
	troupe__free(system->head.workers);
	troupe__free(system->head.data);
	troupe__directory_fini(&system->directory);
	troupe__registry_destroy(system->registry);
	troupe__pool_destroy(system->pool);
	troupe__settings_free(system->settings);
	troupe__free(system);
}

static int coordinator_allocate(struct troupe_system *system)
{
	uint32_t count = system->head.worker_count;
	int result;

	system->head.workers =
		troupe__alloc(count * sizeof(*system->head.workers));
	if (system->head.workers == NULL)
		return -ENOMEM;
	memset(system->head.workers, 0, count * sizeof(*system->head.workers));
	result = coordinator_data(system->ops.coordinator_data_size,
				  &system->head.data);
	for (uint32_t i = 0; result == 0 && i < count; i++)
		result = coordinator_worker_create(system, i);
	return result;
}

static int coordinator_registry(struct troupe_system *system)
{
	const struct troupe__registry_options options = {
		.system = system,
		.alloc = troupe__alloc,
		.free = troupe__free,
		.forks = &troupe__process_generation,
	};

	int result = troupe__registry_create(&options, &system->registry);

	if (result == 0)
		system->alive = troupe__registry_running(system->registry);
	return result;
}

static int coordinator_plan(struct troupe_system *system,
			    struct troupe_error *error)
{
	uint32_t count = system->head.worker_count;
	int *cpus = troupe__alloc(count * sizeof(*cpus));
	int result;

	if (cpus == NULL)
		return troupe__error(error, -ENOMEM, "out of memory");
	if (strcmp(system->settings->affinity, "none") != 0)
		troupe__affinity_note(&system->pool->processors);
	result = troupe__affinity_plan(system->settings->affinity, count, error,
				       cpus);
	for (uint32_t i = 0; result == 0 && i < count; i++)
		coordinator_worker(system, i)->cpu = cpus[i];
	troupe__free(cpus);
	return result;
}

/* Calls the policy's fini slots for the first @count workers. */
static void coordinator_fini_policy(struct troupe_system *system,
				    uint32_t count)
{
	while (count-- > 0)
		system->ops.worker_fini(system->head.workers[count]);
	system->ops.fini(&system->head);
}

static int coordinator_init_policy(struct troupe_system *system,
				   struct troupe_error *error)
{
	const char *slot = "init";
	int result = system->ops.init(&system->head);

	if (result == 0)
		slot = "worker_init";
	for (uint32_t i = 0; result == 0 && i < system->head.worker_count;
	     i++) {
		result = system->ops.worker_init(system->head.workers[i]);
		if (result != 0)
			coordinator_fini_policy(system, i);
	}
	if (result > 0)
		result = -EPROTO;
	if (result != 0)
		troupe__error(error, result, "policy %s: %s failed: %s",
			      system->ops.name, slot, strerror(-result));
	return result;
}

static void coordinator_stop(struct troupe_system *system)
{
	struct troupe_job *link;

	/* seq_cst: a worker that looks after wake_all must see it. */
	atomic_store(&system->stopping, true);
	system->ops.wake_all(&system->head);
	troupe__pool_stop(system->pool);
	for (uint32_t i = 0; i < system->running; i++) {
		struct worker *worker = coordinator_worker(system, i);

		if (worker->abandoned)
			troupe__thread_detach(&worker->thread);
		else
			troupe__thread_join(&worker->thread);
	}
	troupe__pool_join(system->pool);
	while ((link = system->ops.drain(&system->head)) != NULL)
		troupe__job_discard((struct job *)link);
	coordinator_fini_policy(system, system->head.worker_count);
	/* Nobody reaches these any more, who may still reach the rest. */
	for (uint32_t i = 0; i < system->head.worker_count; i++) {
		troupe__free(system->head.workers[i]->data);
		system->head.workers[i]->data = NULL;
	}
	troupe__free(system->head.data);
	system->head.data = NULL;
}

static int coordinator_start(struct troupe_system *system,
			     struct troupe_error *error)
{
	for (uint32_t i = 0; i < system->head.worker_count; i++) {
		struct worker *worker = coordinator_worker(system, i);
		char name[64];
		int result;

		snprintf(name, sizeof(name), "%s-%u",
			 system->settings->thread_name, i);
		result = troupe__thread_create(&worker->thread, name,
					       system->settings->stack_size,
					       troupe__worker_main, worker);
		if (result != 0) {
			coordinator_stop(system);
			return troupe__error(
				error, result,
				"worker thread %u of %u did not start: %s",
				i + 1, system->head.worker_count,
				strerror(-result));
		}
		system->running++;
	}
	return 0;
}

int troupe_system_create(const struct troupe_config *config,
			 struct troupe_error *error,
			 struct troupe_system **ret_system)
{
	struct troupe__settings *settings;
	struct troupe_system *system;
	int result;

	result = troupe__settings_load(config, error, &settings);
	if (result != 0)
		return result;
	system = troupe__alloc_lines(coordinator_lines(sizeof(*system)));
	if (system == NULL) {
		troupe__settings_free(settings);
		return troupe__error(error, -ENOMEM, "out of memory");
	}
	memset(system, 0, sizeof(*system));
	troupe__process_watch();
	/* relaxed: as in process_lost(). */
	system->generation = atomic_load_explicit(&troupe__process_generation,
						  memory_order_relaxed);
	system->settings = settings;
	system->head.policy = settings->policy.ops;
	system->head.worker_count = settings->max_threads;
	system->max_throughput = settings->max_throughput;
	system->on_dead_letter = settings->on_dead_letter;
	system->dead_letter_context = settings->dead_letter_context;
	system->next_id = 1;
	system->refs = 1;
	troupe__policy_complete(settings->policy.ops, &system->ops);
	coordinator_sizes(system);
	result = coordinator_allocate(system);
	if (result == 0)
		result = coordinator_registry(system);
	if (result == 0)
		result = troupe__pool_create(system);
	if (result != 0)
		troupe__error(error, result, "out of memory");
	if (result == 0)
		result = coordinator_plan(system, error);
	if (result == 0)
		result = coordinator_init_policy(system, error);
	if (result == 0)
		result = coordinator_start(system, error);
	if (result != 0) {
		coordinator_free(system);
		return result;
	}
	*ret_system = system;
	return 0;
}

/* ---- await and destroy ------------------------------------------------- */

bool troupe__system_is_here(const struct troupe_system *system)
{
	if (troupe__here.worker != NULL &&
	    troupe__here.worker->system == system)
		return true;
	/* @system may be gone, so only its address is looked at. */
	if (troupe__here.thread != NULL &&
	    troupe__here.thread->pool->system == system)
		return true;
	if (troupe__signals_is_here(system))
		return true;
	return troupe__here.actor != NULL &&
	       troupe__here.actor->job.system == system;
}

int troupe__system_await_for(struct troupe_system *system, uint64_t nanoseconds)
{
	return troupe__running_await_idle(system->alive, nanoseconds);
}

int troupe_system_await(struct troupe_system *system)
{
	if (process_lost(system))
		return -EOWNERDEAD;
	if (troupe__system_is_here(system))
		return -EDEADLK;
	return troupe__running_await_idle(system->alive, UINT64_MAX);
}

static void coordinator_await_visitors(struct troupe_system *system)
{
	/* acquire: the visitor's last touch of the system comes before its
	 * freeing; pairs with troupe__system_leave(). */
	while (atomic_load_explicit(&system->visitors, memory_order_acquire) !=
	       0)
		troupe__thread_yield();
}

void troupe__system_put(struct troupe_system *system)
{
	/* release: our last touch of the system comes before its freeing by
	 * another thread. acquire: the one that frees sees that all others are
	 * done. Pairs with: itself. */
	if (atomic_fetch_sub_explicit(&system->refs, 1, memory_order_acq_rel) !=
	    1)
		return;
	/* One with a handle may just have woken the last abandoned actor. */
	coordinator_await_visitors(system);
	coordinator_free(system);
}

int troupe_system_destroy(struct troupe_system *system)
{
	int result;

	if (system == NULL)
		return 0;
	result = troupe_system_await(system);
	if (result != 0)
		return result;
	/* seq_cst: (a) and (b), above. */
	atomic_store(&system->closed, true);
	(void)troupe__system_await_for(system, UINT64_MAX);
	coordinator_await_visitors(system);
	troupe__signals_fini(system);
	coordinator_stop(system);
	troupe__system_put(system);
	return 0;
}

/* ---- visitors ---------------------------------------------------------- */

void troupe__system_enter(struct troupe_system *system)
{
	/* relaxed: it comes before the job is visible, in the policy's own
	 * lock, and so before its end, which destroy waits for first. */
	atomic_fetch_add_explicit(&system->visitors, 1, memory_order_relaxed);
}

void troupe__system_leave(struct troupe_system *system)
{
	/* release: pairs with coordinator_await_visitors(). */
	atomic_fetch_sub_explicit(&system->visitors, 1, memory_order_release);
}

uint64_t troupe__system_id(struct troupe_system *system)
{
	struct worker *worker = troupe__here.worker;

	/* relaxed, both: numbers only have to differ. */
	if (worker == NULL || worker->system != system)
		return atomic_fetch_add_explicit(&system->next_id, 1,
						 memory_order_relaxed);
	if (worker->next_id == worker->last_id) {
		worker->next_id = atomic_fetch_add_explicit(
			&system->next_id, COORDINATOR_ID_BATCH,
			memory_order_relaxed);
		worker->last_id = worker->next_id + COORDINATOR_ID_BATCH;
	}
	return worker->next_id++;
}

/* ---- what others ask --------------------------------------------------- */

bool troupe_stopping(const struct troupe_coordinator *coordinator)
{
	const struct troupe_system *system =
		(const struct troupe_system *)coordinator;

	return atomic_load(&system->stopping);
}

struct troupe_registry *troupe_system_registry(struct troupe_system *system)
{
	return system->registry;
}

uint32_t troupe_system_worker_count(const struct troupe_system *system)
{
	return system->head.worker_count;
}

const char *troupe_system_policy(const struct troupe_system *system)
{
	return system->settings->policy.title;
}

const struct troupe_coordinator *
troupe_system_coordinator(const struct troupe_system *system)
{
	return &system->head;
}

const struct troupe__settings *
troupe__system_settings(const struct troupe_system *system)
{
	return system->settings;
}

const struct troupe__settings *
troupe__coordinator_settings(const struct troupe_coordinator *coordinator)
{
	return ((const struct troupe_system *)coordinator)->settings;
}
