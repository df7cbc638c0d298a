/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be set in [work-sharing], and how a system and its workers start
 * with it and end.
 */
#include "sharing.h"

const struct troupe_option troupe__sharing_options[] = {
	{
		.name = "newest-limit",
		.type = TROUPE_OPTION_UINT,
		.initial = "32",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "jobs",
		.help = "of so many jobs at least one is the oldest; 1: all",
	},
	{
		.name = "batch",
		.type = TROUPE_OPTION_UINT,
		.initial = "32",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "jobs",
		.help = "so many at most are taken from the queue at once",
	},
	{
		.name = "spin-attempts",
		.type = TROUPE_OPTION_UINT,
		.initial = "100",
		.maximum = 1000000,
		.unit = "attempts",
		.help = "looks for a job before a worker sleeps",
	},
	{
		.name = "watch-sleep",
		.type = TROUPE_OPTION_DURATION,
		.initial = "2ms",
		.minimum = 1000,
		.maximum = 1000000000,
		.help = "the longest sleep between looks at busy workers",
	},
	{
		.name = "rest-sleep",
		.type = TROUPE_OPTION_DURATION,
		.initial = "1ms",
		.maximum = 1000000000,
		.help = "looks of a worker that rests from tiny jobs; 0: no "
			"rests",
	},
	{.name = NULL},
};

/* The watcher's first sleep, and the first rest, ns. */
#define OPTIONS_WATCH_FIRST 50000
#define OPTIONS_REST_FIRST  200000

static uint64_t options_first(uint64_t first, uint64_t longest)
{
	return first < longest ? first : longest;
}

static uint32_t options_number(const struct troupe_coordinator *self,
			       const char *option)
{
	return (uint32_t)troupe_option_uint(self, SHARING_NAME, option);
}

int troupe__sharing_init(struct troupe_coordinator *self)
{
	struct sharing *sharing = self->data;

	sharing->workers = self->worker_count;
	sharing->spins = options_number(self, "spin-attempts");
	sharing->watch_sleep =
		troupe_option_uint(self, SHARING_NAME, "watch-sleep");
	sharing->watch_first =
		options_first(OPTIONS_WATCH_FIRST, sharing->watch_sleep);
	sharing->rest_sleep =
		troupe_option_uint(self, SHARING_NAME, "rest-sleep");
	sharing->rest_first =
		options_first(OPTIONS_REST_FIRST, sharing->rest_sleep);
	return troupe_mutex_init(&sharing->mutex);
}

void troupe__sharing_fini(struct troupe_coordinator *self)
{
	struct sharing *sharing = self->data;

	troupe_mutex_fini(&sharing->mutex);
}

int troupe__sharing_worker_init(struct troupe_worker *self)
{
	struct troupe_coordinator *coordinator = self->coordinator;
	struct sharing_worker *worker = self->data;

	worker->sharing = coordinator->data;
	worker->alone = coordinator->worker_count == 1;
	troupe_biased_init(&worker->lock);
	worker->newest_limit = options_number(coordinator, "newest-limit");
	worker->batch_limit = options_number(coordinator, "batch");
	return troupe_cond_init(&worker->cond);
}

void troupe__sharing_worker_fini(struct troupe_worker *self)
{
	struct sharing_worker *worker = self->data;

	troupe_cond_fini(&worker->cond);
}
