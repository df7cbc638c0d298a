/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profiled: wraps another policy. Each slot of the wrapper calls the inner
 * one's; the three hooks measure around it. troupe_profiled.h says what for;
 * profiled_read.c hands the records out.
 *
 * The inner policy must not notice. Its data comes first in the data of the
 * coordinator, of each worker and of each job, so it finds them where it
 * always does, and ours follow. It reads its options by its own name.
 *
 * Every number has one writer at a time: in a job's record the worker that runs
 * the job, in a worker's table that worker. So they are stored, not added to,
 * and nobody waits; readers take what is there. Only the list of living jobs
 * has a lock, taken when a job comes and when it goes.
 */
#include "profiled_data.h"

#include <stdio.h>
#include <string.h>

static inline const struct troupe_policy_ops *
profiled_inner(const struct troupe_coordinator *coordinator)
{
	return troupe__profiled_inner(coordinator);
}

/* ---- records ----------------------------------------------------------- */

/* relaxed, both: one writer, and each number stands alone. */
static inline void profiled_add(_Atomic uint64_t *number, uint64_t amount)
{
	atomic_store_explicit(
		number,
		atomic_load_explicit(number, memory_order_relaxed) + amount,
		memory_order_relaxed);
}

/* The entry of @name in the worker's own table. */
static struct profiled_name *profiled_find(struct profiled_worker *worker,
					   const char *name)
{
	/* relaxed: this thread alone writes it. */
	uint32_t count =
		atomic_load_explicit(&worker->count, memory_order_relaxed);
	struct profiled_name *entry;

	for (uint32_t i = 0; i < count; i++)
		if (strncmp(worker->names[i].name, name,
			    PROFILED_NAME_SIZE - 1) == 0)
			return &worker->names[i];
	if (count == PROFILED_NAMES)
		return &worker->names[PROFILED_NAMES - 1];
	if (count == PROFILED_NAMES - 1)
		name = "(others)";
	entry = &worker->names[count];
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	/* release: a reader that counts this entry must see its name. Pairs
	 * with: profiled_names(). */
	atomic_store_explicit(&worker->count, count + 1, memory_order_release);
	return entry;
}

static void profiled_link(struct profiled_worker *home,
			  struct profiled_node *node)
{
	troupe_spinlock_lock(&home->lock);
	troupe__profiled_insert(&home->living, node);
	troupe_spinlock_unlock(&home->lock);
}

static void profiled_unlink(struct profiled_worker *home,
			    struct profiled_node *node)
{
	troupe_spinlock_lock(&home->lock);
	troupe__profiled_remove(node);
	troupe_spinlock_unlock(&home->lock);
}

/* ---- the hooks --------------------------------------------------------- */

static void profiled_before_resume(struct troupe_worker *self,
				   struct troupe_job *job)
{
	const struct troupe_policy_ops *inner =
		profiled_inner(self->coordinator);
	struct profiled_coordinator *profiled =
		troupe__profiled_coordinator(self->coordinator);
	struct profiled_worker *worker = troupe__profiled_worker(self);
	struct profiled_job *record = troupe__profiled_job(inner, job);
	uint64_t ready = troupe_job_ready_since(job);
	uint64_t now;

	inner->before_resume(self, job);
	if (record->home == NULL) {
		record->home = worker;
		record->since = ready;
		record->job = job;
		profiled_add(&profiled_find(worker, troupe_job_name(job))->jobs,
			     1);
		profiled_link(worker, &record->node);
	}
	now = troupe_now();
	/* The clocks of two cores may be a little apart. */
	worker->run_waited = now > ready ? now - ready : 0;
	worker->run_began = now;
	if (profiled->cpu_time)
		worker->run_cpu_began = troupe_cpu_time();
}

static void profiled_sum(struct profiled_sums *sums,
			 const struct profiled_worker *worker,
			 uint64_t messages, uint64_t cpu, uint64_t wall)
{
	profiled_add(&sums->runs, 1);
	profiled_add(&sums->messages, messages);
	profiled_add(&sums->cpu_time, cpu);
	profiled_add(&sums->wall_time, wall);
	profiled_add(&sums->waiting_time, worker->run_waited);
}

static void profiled_after_resume(struct troupe_worker *self,
				  struct troupe_job *job)
{
	const struct troupe_policy_ops *inner =
		profiled_inner(self->coordinator);
	struct profiled_coordinator *profiled =
		troupe__profiled_coordinator(self->coordinator);
	struct profiled_worker *worker = troupe__profiled_worker(self);
	struct profiled_job *record = troupe__profiled_job(inner, job);
	struct profiled_name *entry =
		profiled_find(worker, troupe_job_name(job));
	uint32_t messages = troupe_job_messages(job);
	uint64_t cpu = 0, wall;

	if (profiled->cpu_time)
		cpu = troupe_cpu_time() - worker->run_cpu_began;
	wall = troupe_now() - worker->run_began;
	profiled_sum(&record->sums, worker, messages, cpu, wall);
	profiled_sum(&entry->sums, worker, messages, cpu, wall);
	inner->after_resume(self, job);
}

static void profiled_after_completion(struct troupe_worker *self,
				      struct troupe_job *job)
{
	const struct troupe_policy_ops *inner =
		profiled_inner(self->coordinator);
	struct profiled_job *record = troupe__profiled_job(inner, job);
	struct profiled_name *entry = profiled_find(
		troupe__profiled_worker(self), troupe_job_name(job));

	if (record->home != NULL) {
		profiled_unlink(record->home, &record->node);
		profiled_add(&entry->ended, 1);
		profiled_add(&entry->life_time, troupe_now() - record->since);
	}
	inner->after_completion(self, job);
}

/* ---- the slots that only forward --------------------------------------- */

static int profiled_init(struct troupe_coordinator *self)
{
	struct profiled_coordinator *profiled =
		troupe__profiled_coordinator(self);

	profiled->cpu_time =
		troupe_option_uint(self, PROFILED_SECTION, "cpu-time") != 0;
	return profiled_inner(self)->init(self);
}

static void profiled_fini(struct troupe_coordinator *self)
{
	profiled_inner(self)->fini(self);
}

static int profiled_worker_init(struct troupe_worker *self)
{
	struct profiled_worker *worker = troupe__profiled_worker(self);

	worker->living.next = &worker->living;
	worker->living.prev = &worker->living;
	return profiled_inner(self->coordinator)->worker_init(self);
}

static void profiled_worker_fini(struct troupe_worker *self)
{
	profiled_inner(self->coordinator)->worker_fini(self);
}

static void profiled_central_enqueue(struct troupe_coordinator *self,
				     struct troupe_job *job)
{
	profiled_inner(self)->central_enqueue(self, job);
}

static void profiled_external_enqueue(struct troupe_worker *self,
				      struct troupe_job *job)
{
	profiled_inner(self->coordinator)->external_enqueue(self, job);
}

static void profiled_internal_enqueue(struct troupe_worker *self,
				      struct troupe_job *job)
{
	profiled_inner(self->coordinator)->internal_enqueue(self, job);
}

static void profiled_resume_job_later(struct troupe_worker *self,
				      struct troupe_job *job)
{
	profiled_inner(self->coordinator)->resume_job_later(self, job);
}

static struct troupe_job *profiled_dequeue(struct troupe_worker *self)
{
	return profiled_inner(self->coordinator)->dequeue(self);
}

static void profiled_wake_all(struct troupe_coordinator *self)
{
	profiled_inner(self)->wake_all(self);
}

static struct troupe_job *profiled_drain(struct troupe_coordinator *self)
{
	return profiled_inner(self)->drain(self);
}

/* ---- the table --------------------------------------------------------- */

static const struct troupe_option profiled_options[] = {
	{
		.name = "cpu-time",
		.type = TROUPE_OPTION_BOOL,
		.initial = "true",
		.help = "measure processor time: two system calls a run",
	},
	{.name = NULL},
};

const struct troupe_policy_ops troupe__profiled_section = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.flags = TROUPE_POLICY_STAMP_READY,
	.name = PROFILED_SECTION,
	.summary = "another policy, and records of what jobs cost",
	.options = profiled_options,
	.init = profiled_init,
	.fini = profiled_fini,
	.worker_init = profiled_worker_init,
	.worker_fini = profiled_worker_fini,
	.central_enqueue = profiled_central_enqueue,
	.external_enqueue = profiled_external_enqueue,
	.internal_enqueue = profiled_internal_enqueue,
	.resume_job_later = profiled_resume_job_later,
	.dequeue = profiled_dequeue,
	.wake_all = profiled_wake_all,
	.drain = profiled_drain,
	.before_resume = profiled_before_resume,
	.after_resume = profiled_after_resume,
	.after_completion = profiled_after_completion,
};

void troupe__profiled_wrap(struct troupe__profiled *profiled)
{
	const struct troupe_policy_ops *inner = &profiled->inner;
	struct troupe_policy_ops *ops = &profiled->ops;

	*ops = troupe__profiled_section;
	ops->flags |= inner->flags;
	ops->wait_bound = inner->wait_bound;
	ops->wake_latency = inner->wake_latency;
	ops->coordinator_data_size =
		troupe__profiled_line(inner->coordinator_data_size) +
		sizeof(struct profiled_coordinator);
	ops->worker_data_size = troupe__profiled_line(inner->worker_data_size) +
				sizeof(struct profiled_worker);
	ops->job_data_size = troupe__profiled_job_offset(inner) +
			     sizeof(struct profiled_job);
	snprintf(profiled->title, sizeof(profiled->title),
		 PROFILED_SECTION ":%s", inner->name);
}
