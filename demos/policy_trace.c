/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy_trace - every call of a policy's slots, in order
 *
 * The policy here prints which slot is called and lets fifo do the work. One
 * worker, at most 3 messages a run, and three actors with 7, 2 and 4 messages:
 * one that has more to do after its run goes to the back of the queue.
 */
#include "demo.h"
#include "troupe_policy.h"

#include <stdatomic.h>

static const struct troupe_policy_ops *fifo;
static atomic_bool woken;

static void trace_job(const char *slot, const struct troupe_job *job)
{
	printf("%-16s  %s\n", slot, troupe_job_name(job));
}

static int trace_init(struct troupe_coordinator *self)
{
	printf("init\n");
	return fifo->init(self);
}

static void trace_central_enqueue(struct troupe_coordinator *self,
				  struct troupe_job *job)
{
	trace_job("central_enqueue", job);
	fifo->central_enqueue(self, job);
}

/* A slot that says its name and passes @job on, if fifo cares. */
#define TRACE_SLOT(slot)                                     \
	static void trace_##slot(struct troupe_worker *self, \
				 struct troupe_job *job)     \
	{                                                    \
		trace_job(#slot, job);                       \
		if (fifo->slot != NULL)                      \
			fifo->slot(self, job);               \
	}

TRACE_SLOT(external_enqueue)
TRACE_SLOT(internal_enqueue)
TRACE_SLOT(resume_job_later)
TRACE_SLOT(before_resume)
TRACE_SLOT(after_completion)

static struct troupe_job *trace_dequeue(struct troupe_worker *self)
{
	struct troupe_job *job = fifo->dequeue(self);

	if (job != NULL)
		trace_job("dequeue", job);
	/* Printed by main, which may be a little slower than this. */
	while (job == NULL && !atomic_load(&woken))
		troupe_sleep(1000);
	if (job == NULL)
		printf("dequeue           nothing: the system stops\n");
	return job;
}

static void trace_after_resume(struct troupe_worker *self,
			       struct troupe_job *job)
{
	(void)self; /* fifo has no such slot */
	printf("after_resume      %s, %u handled\n", troupe_job_name(job),
	       troupe_job_messages(job));
}

static void trace_wake_all(struct troupe_coordinator *self)
{
	printf("wake_all\n");
	atomic_store(&woken, true);
	fifo->wake_all(self);
}

static struct troupe_job *trace_drain(struct troupe_coordinator *self)
{
	printf("drain\n");
	return fifo->drain(self);
}

static void trace_fini(struct troupe_coordinator *self)
{
	printf("fini\n");
	fifo->fini(self);
}

/* The table: fifo's, and what prints in front of it. */
static struct troupe_policy_ops trace_policy(void)
{
	struct troupe_policy_ops ops;

	for (size_t i = 0; fifo == NULL || strcmp(fifo->name, "fifo") != 0;)
		fifo = troupe_policy_builtin(i++);
	ops = *fifo;
	ops.name = "trace";
	ops.init = trace_init;
	ops.central_enqueue = trace_central_enqueue;
	ops.external_enqueue = trace_external_enqueue;
	ops.internal_enqueue = trace_internal_enqueue;
	ops.resume_job_later = trace_resume_job_later;
	ops.dequeue = trace_dequeue;
	ops.before_resume = trace_before_resume;
	ops.after_resume = trace_after_resume;
	ops.after_completion = trace_after_completion;
	ops.wake_all = trace_wake_all;
	ops.drain = trace_drain;
	ops.fini = trace_fini;
	return ops;
}

static int reader_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return 0;
}

/* An actor of class @name that gets @messages. */
static const struct troupe_actor_class readers[] = {
	{.name = "seven", .receive = reader_receive},
	{.name = "two", .receive = reader_receive},
	{.name = "four", .receive = reader_receive},
};

/* The job that makes them, so that all is sent before the first runs. */
static int start_run(void *system)
{
	static const int counts[] = {7, 2, 4};

	for (int i = 0; i < 3; i++) {
		struct troupe_strong actor;

		demo_check(troupe_spawn(system, &readers[i], NULL, &actor),
			   "troupe_spawn");
		for (int j = 0; j < counts[i]; j++)
			demo_check(troupe_send(actor, 0, NULL, 0),
				   "troupe_send");
		troupe_strong_release(&actor);
	}
	return TROUPE_JOB_DONE;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_policy_ops ops = trace_policy();
	struct troupe_system *system;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	config.policy = &ops;
	config.max_threads = 1;
	config.max_throughput = 3;
	system = demo_start(&config);
	demo_check(troupe_schedule(system, start_run, system),
		   "troupe_schedule");
	troupe_system_destroy(system);
	printf("13 messages\n");
	return 0;
}
