/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_policy - a scheduling policy and the program that uses it, in one file
 *
 * The door: jobs stand in one line, and actors of the class "vip" overtake up
 * to 5 others. policies/README.md explains each slot of the table.
 */
#include "demo.h"
#include "troupe_policy.h"

#define PATIENCE 5

struct door {
	struct troupe_spinlock lock;
	struct troupe_event bell;
	struct troupe_job *first; /* the lowest order */
	uint64_t came;
};

/* Beside each job there is the only worker that may run it. */
static void door_put(struct troupe_coordinator *coordinator,
		     struct troupe_job *job, uint32_t worker, bool vip)
{
	struct door *door = coordinator->data;
	struct troupe_job **at = &door->first;

	*(uint32_t *)troupe_job_data(job) = worker;
	troupe_spinlock_lock(&door->lock);
	job->order = door->came++ + (vip ? 0 : PATIENCE);
	while (*at != NULL && (*at)->order <= job->order)
		at = &(*at)->next;
	job->next = *at;
	*at = job;
	troupe_spinlock_unlock(&door->lock);
	troupe_event_wake(&door->bell);
}

static void door_central_enqueue(struct troupe_coordinator *self,
				 struct troupe_job *job)
{
	door_put(self, job, TROUPE_ANY_WORKER,
		 strcmp(troupe_job_name(job), "vip") == 0);
}

static void door_external_enqueue(struct troupe_worker *self,
				  struct troupe_job *job)
{
	door_put(self->coordinator, job, self->index, false);
}

static void door_internal_enqueue(struct troupe_worker *self,
				  struct troupe_job *job)
{
	door_central_enqueue(self->coordinator, job);
}

/* Behind all who are here, vip or not: contract 4. */
static void door_resume_job_later(struct troupe_worker *self,
				  struct troupe_job *job)
{
	door_put(self->coordinator, job, TROUPE_ANY_WORKER, false);
}

static struct troupe_job *door_take(struct door *door, uint32_t worker)
{
	struct troupe_job **at = &door->first;
	struct troupe_job *job;

	troupe_spinlock_lock(&door->lock);
	for (; (job = *at) != NULL; at = &job->next) {
		uint32_t only = *(uint32_t *)troupe_job_data(job);

		if (only == TROUPE_ANY_WORKER || only == worker ||
		    worker == TROUPE_ANY_WORKER) {
			*at = job->next;
			break;
		}
	}
	troupe_spinlock_unlock(&door->lock);
	return job;
}

static struct troupe_job *door_dequeue(struct troupe_worker *self)
{
	struct door *door = self->coordinator->data;

	for (;;) {
		uint32_t key = troupe_event_prepare(&door->bell);
		bool stopping = troupe_stopping(self->coordinator);
		struct troupe_job *job =
			stopping ? NULL : door_take(door, self->index);

		if (stopping || job != NULL) {
			troupe_event_cancel(&door->bell, key);
			return job;
		}
		troupe_event_wait(&door->bell, key, TROUPE_NO_DEADLINE);
	}
}

static void door_wake_all(struct troupe_coordinator *self)
{
	troupe_event_wake(&((struct door *)self->data)->bell);
}

static struct troupe_job *door_drain(struct troupe_coordinator *self)
{
	return door_take(self->data, TROUPE_ANY_WORKER);
}

static const struct troupe_policy_ops door_policy = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 1 + PATIENCE,
	.name = "door",
	.summary = "one line, and vips overtake a few",
	.coordinator_data_size = sizeof(struct door),
	.job_data_size = sizeof(uint32_t),
	.central_enqueue = door_central_enqueue,
	.external_enqueue = door_external_enqueue,
	.internal_enqueue = door_internal_enqueue,
	.resume_job_later = door_resume_job_later,
	.dequeue = door_dequeue,
	.wake_all = door_wake_all,
	.drain = door_drain,
};

static int guest_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)state;
	printf(" %s", (const char *)troupe_payload(message));
	return 0;
}

static const struct troupe_actor_class guest = {
	.name = "guest",
	.receive = guest_receive,
};

static const struct troupe_actor_class vip = {
	.name = "vip",
	.receive = guest_receive,
};

static void guest_send(struct troupe_system *system,
		       const struct troupe_actor_class *kind, const char *name)
{
	struct troupe_strong actor;

	demo_check(troupe_spawn(system, kind, NULL, &actor), "troupe_spawn");
	demo_check(troupe_send(actor, 0, name, strlen(name) + 1),
		   "troupe_send");
	troupe_strong_release(&actor);
}

/* A job on the only worker: all stand in line before the first is served. */
static int evening_run(void *system)
{
	static const char *const guests[] = {"Ann", "Bob", "Cid", "Dee",
					     "Eve", "Fay", "Gus", "Hal"};

	for (size_t i = 0; i < sizeof(guests) / sizeof(guests[0]); i++)
		guest_send(system, &guest, guests[i]);
	guest_send(system, &vip, "THE-QUEEN");
	return TROUPE_JOB_DONE;
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;

	config.policy = &door_policy;
	config.max_threads = 1;
	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	printf("%s:", troupe_system_policy(system));
	demo_check(troupe_schedule(system, evening_run, system),
		   "troupe_schedule");
	troupe_system_destroy(system);
	putchar('\n');
	return 0;
}
