/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be set in [work-stealing], and how a system and its workers start
 * with it.
 */
#include "stealing.h"

#include <errno.h>

const struct troupe_option troupe__stealing_options[] = {
	{
		.name = "idle",
		.type = TROUPE_OPTION_CHOICE,
		.initial = "park",
		.choices = "park|poll",
		.help = "sleep until woken, or for fixed times",
	},
	{
		.name = "aggressive-poll-attempts",
		.type = TROUPE_OPTION_UINT,
		.initial = "100",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "attempts",
		.help = "looks for a job before the first sleep",
	},
	{
		.name = "aggressive-steal-interval",
		.type = TROUPE_OPTION_UINT,
		.initial = "10",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "attempts",
		.help = "of those, one look at other workers for each so many",
	},
	{
		.name = "moderate-poll-attempts",
		.type = TROUPE_OPTION_UINT,
		.initial = "500",
		.maximum = 1000000,
		.unit = "attempts",
		.help = "poll: looks in the second stage",
	},
	{
		.name = "moderate-steal-interval",
		.type = TROUPE_OPTION_UINT,
		.initial = "5",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "attempts",
		.help = "poll: in the second stage, as in the first",
	},
	{
		.name = "moderate-sleep",
		.type = TROUPE_OPTION_DURATION,
		.initial = "50us",
		.minimum = 1000,
		.maximum = 1000000000,
		.help = "poll: between these looks; park: the watcher's first",
	},
	{
		.name = "relaxed-steal-interval",
		.type = TROUPE_OPTION_UINT,
		.initial = "1",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "attempts",
		.help = "poll: in the third stage, which has no end",
	},
	{
		.name = "relaxed-sleep",
		.type = TROUPE_OPTION_DURATION,
		.initial = "10ms",
		.minimum = 1000,
		.maximum = 10000000000,
		.help = "poll: between the looks of the third stage",
	},
	{
		.name = "watch-sleep",
		.type = TROUPE_OPTION_DURATION,
		.initial = "2ms",
		.minimum = 1000,
		.maximum = 1000000000,
		.help = "park: the watcher's longest sleep",
	},
	{
		.name = "rest-sleep",
		.type = TROUPE_OPTION_DURATION,
		.initial = "1ms",
		.minimum = 0,
		.maximum = 1000000000,
		.help = "park: the longest rest after steals that did not "
			"pay; 0: none",
	},
	{
		.name = "run-next",
		.type = TROUPE_OPTION_BOOL,
		.initial = "true",
		.help = "run the job that was made ready last before others",
	},
	{
		.name = "run-next-limit",
		.type = TROUPE_OPTION_UINT,
		.initial = "16",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "jobs",
		.help = "so many in a row, then the oldest",
	},
	{
		.name = "oldest-interval",
		.type = TROUPE_OPTION_UINT,
		.initial = "64",
		.minimum = 1,
		.maximum = 1000000,
		.unit = "jobs",
		.help = "of so many jobs at least one is the oldest",
	},
	{.name = NULL},
};

static uint32_t options_number(const struct troupe_coordinator *self,
			       const char *option)
{
	return (uint32_t)troupe_option_uint(self, STEALING_NAME, option);
}

int troupe__stealing_init(struct troupe_coordinator *self)
{
	struct stealing *stealing = self->data;
	struct stealing_options *options = &stealing->options;

	/* state counts in 16 bits. */
	if (self->worker_count > UINT16_MAX)
		return -EINVAL;
	stealing->workers = self->worker_count;
	options->poll = options_number(self, "idle") == 1;
	options->aggressive_attempts =
		options_number(self, "aggressive-poll-attempts");
	options->aggressive_interval =
		options_number(self, "aggressive-steal-interval");
	options->moderate_attempts =
		options_number(self, "moderate-poll-attempts");
	options->moderate_interval =
		options_number(self, "moderate-steal-interval");
	options->moderate_sleep =
		troupe_option_uint(self, STEALING_NAME, "moderate-sleep");
	options->relaxed_interval =
		options_number(self, "relaxed-steal-interval");
	options->relaxed_sleep =
		troupe_option_uint(self, STEALING_NAME, "relaxed-sleep");
	options->rest_sleep =
		troupe_option_uint(self, STEALING_NAME, "rest-sleep");
	options->watch_sleep =
		troupe_option_uint(self, STEALING_NAME, "watch-sleep");
	return 0;
}

int troupe__stealing_worker_init(struct troupe_worker *self)
{
	struct troupe_coordinator *coordinator = self->coordinator;
	struct stealing_worker *worker = self->data;

	worker->stealing = coordinator->data;
	worker->alone = coordinator->worker_count == 1;
	worker->oldest_interval =
		options_number(coordinator, "oldest-interval");
	worker->handoff_limit = options_number(coordinator, "run-next-limit");
	worker->run_next = options_number(coordinator, "run-next") != 0;
	troupe__deque_init(&worker->deque, worker->alone);
	return 0;
}
