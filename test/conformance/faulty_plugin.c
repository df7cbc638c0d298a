/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fault in contract 6: a plug-in that sleeps by a function that is none of
 * the helpers. It is otherwise right, and too slow for anything but a test.
 */
#include "faulty.h"

#include <unistd.h>

static struct troupe_job *polling_dequeue(struct troupe_worker *self)
{
	for (;;) {
		struct troupe_job *job;

		faulty_lock(self->coordinator);
		job = faulty_take(self);
		faulty_unlock(self->coordinator);
		if (job != NULL || troupe_stopping(self->coordinator))
			return job;
		/* Here the core settles the worker's accounts. */
		troupe_relax();
		usleep(1000);
	}
}

const struct troupe_policy_ops troupe_policy = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = 1,
	.wake_latency = 1000000,
	.name = "polling",
	.summary = "a fifo that sleeps by usleep",
	.coordinator_data_size = sizeof(struct faulty_coordinator),
	.worker_data_size = sizeof(struct faulty_worker),
	.init = faulty_init,
	.fini = faulty_fini,
	.central_enqueue = faulty_central_enqueue,
	.external_enqueue = faulty_external_enqueue,
	.internal_enqueue = faulty_internal_enqueue,
	.resume_job_later = faulty_internal_enqueue,
	.dequeue = polling_dequeue,
	.wake_all = faulty_wake_all,
	.drain = faulty_drain,
};
