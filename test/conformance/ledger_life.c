/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start and the end of a system under the ledger: its data, the slots that
 * init and undo, and the counts that must balance when it is over.
 */
#include "ledger_slots.h"

#include "allocations.h"
#include "chance.h"
#include "policy.h"
#include "troupe_config.h"

#include <errno.h>
#include <string.h>

#define LEDGER_CANARY	    0xa5
#define LEDGER_CANARY_BYTES 64

/* Behind the policy's own data: canary bytes, then this. */
struct ledger_tail {
	struct ledger *ledger;
};

static size_t ledger_tail_offset(size_t inner_size)
{
	return (inner_size + LEDGER_CANARY_BYTES + 63) / 64 * 64;
}

struct ledger *ledger_of(const struct troupe_coordinator *coordinator)
{
	size_t offset =
		ledger_tail_offset(coordinator->policy->coordinator_data_size);
	const struct ledger_tail *tail =
		(const struct ledger_tail *)((const char *)coordinator->data +
					     offset);

	return tail->ledger;
}

/* ---- data -------------------------------------------------------------- */

static void ledger_check_data(const struct ledger *ledger, const char *whose,
			      const char *data, size_t size)
{
	if ((uintptr_t)data % 64 != 0)
		board_fail(ledger->board, "core: %s data is not aligned to 64",
			   whose);
	for (size_t i = 0; i < size; i++)
		if (data[i] != 0)
			board_fail(ledger->board, "core: %s data is not zeroed",
				   whose);
}

static void ledger_put_canary(char *data, size_t size)
{
	memset(data + size, LEDGER_CANARY, LEDGER_CANARY_BYTES);
}

static void ledger_check_canary(const struct ledger *ledger, const char *whose,
				const char *data, size_t size)
{
	for (size_t i = size; i < size + LEDGER_CANARY_BYTES; i++)
		if ((unsigned char)data[i] != LEDGER_CANARY)
			board_fail(ledger->board,
				   "the policy wrote behind its %s data, %zu "
				   "bytes after the start of %zu",
				   whose, i, size);
}

/* ---- start ------------------------------------------------------------- */

/* Around the init slots: the n-th allocation of them all fails. */
static void ledger_limit_memory(const struct ledger *ledger)
{
	allocations_watch();
	if (ledger->fail_allocation > ledger->allocations)
		allocations_fail(ledger->fail_allocation - ledger->allocations);
}

static void ledger_free_memory(struct ledger *ledger)
{
	ledger->allocations += allocations_seen();
	if (allocations_failed())
		ledger->allocation_failed = true;
}

int ledger_init(struct troupe_coordinator *self)
{
	struct ledger *ledger = (struct ledger *)(uintptr_t)self->policy;
	struct ledger_tail *tail;
	size_t size = ledger->slots.coordinator_data_size;
	int result;

	ledger->coordinator = self;
	self->policy = ledger->run->ops;
	ledger_check_data(ledger, "coordinator", self->data,
			  ledger_tail_offset(size));
	ledger_put_canary(self->data, size);
	tail = (struct ledger_tail *)((char *)self->data +
				      ledger_tail_offset(size));
	tail->ledger = ledger;
	for (uint32_t i = 0; i < self->worker_count; i++) {
		ledger_check_data(ledger, "worker", self->workers[i]->data,
				  ledger->slots.worker_data_size);
		ledger_put_canary(self->workers[i]->data,
				  ledger->slots.worker_data_size);
	}
	ledger_limit_memory(ledger);
	result = ledger->slots.init(self);
	ledger_free_memory(ledger);
	if (result > 0)
		board_fail(ledger->board,
			   "init returned %d: neither 0 nor a "
			   "negative errno",
			   result);
	if (result == 0)
		atomic_fetch_add(&ledger->count.init, 1);
	return result;
}

int ledger_worker_init(struct troupe_worker *self)
{
	struct ledger *ledger = ledger_of(self->coordinator);
	int result;

	if (ledger->fail_worker_init == self->index)
		return -ENOMEM;
	ledger_limit_memory(ledger);
	result = ledger->slots.worker_init(self);
	ledger_free_memory(ledger);
	if (result > 0)
		board_fail(ledger->board,
			   "worker_init returned %d: neither 0 "
			   "nor a negative errno",
			   result);
	if (result == 0)
		atomic_fetch_add(&ledger->count.worker_init, 1);
	return result;
}

void ledger_worker_fini(struct troupe_worker *self)
{
	struct ledger *ledger = ledger_of(self->coordinator);

	atomic_fetch_add(&ledger->count.worker_fini, 1);
	ledger_check_canary(ledger, "worker", self->data,
			    ledger->slots.worker_data_size);
	ledger->slots.worker_fini(self);
}

void ledger_fini(struct troupe_coordinator *self)
{
	struct ledger *ledger = ledger_of(self);
	const struct board_mark *left =
		board_queued(ledger->board, ledger->number);

	atomic_fetch_add(&ledger->count.fini, 1);
	if (left != NULL)
		board_fail(ledger->board,
			   "drain has ended, but job %llu is still queued, by "
			   "%s",
			   (unsigned long long)atomic_load(&left->id),
			   board_path_name(board_look(left).path));
	ledger_check_canary(ledger, "coordinator", self->data,
			    ledger->slots.coordinator_data_size);
	ledger->slots.fini(self);
}

/* ---- prepare, start, finish -------------------------------------------- */

void ledger_prepare(struct ledger *ledger, const struct suite_run *run,
		    uint32_t watch)
{
	struct troupe_policy_ops *slots = &ledger->slots;

	memset(ledger, 0, sizeof(*ledger));
	troupe__policy_complete(run->ops, slots);
	ledger->table = ledger_table;
	ledger->table.flags = slots->flags;
	ledger->table.wait_bound = slots->wait_bound;
	ledger->table.wake_latency = slots->wake_latency;
	ledger->table.name = run->section->name;
	ledger->table.summary = slots->summary;
	ledger->table.options = run->section->options;
	ledger->table.coordinator_data_size =
		ledger_tail_offset(slots->coordinator_data_size) +
		sizeof(struct ledger_tail);
	ledger->table.worker_data_size =
		slots->worker_data_size + LEDGER_CANARY_BYTES;
	ledger->table.job_data_size = slots->job_data_size;
	ledger->run = run;
	ledger->board = run->board;
	ledger->watch = watch;
	ledger->number = atomic_fetch_add(&run->board->systems, 1) + 1;
	ledger->fail_worker_init = BOARD_NOBODY;
	if (watch & LEDGER_NUDGE)
		chance_nudge_library();
}

static int ledger_create(struct ledger *ledger,
			 struct troupe_system **ret_system,
			 struct troupe_error *error)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;

	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy = &ledger->table;
	config.max_threads = ledger->run->workers;
	config.settings = ledger->run->settings;
	board_step(ledger->board, "in troupe_system_create");
	return troupe_system_create(&config, error, ret_system);
}

struct troupe_system *ledger_try(struct ledger *ledger, int expected)
{
	struct troupe_system *system = NULL;
	struct troupe_error error = {0, ""};
	int result = ledger_create(ledger, &system, &error);

	if (result != expected)
		board_fail(ledger->board,
			   "troupe_system_create returned %d, not %d: %s",
			   result, expected, error.text);
	return system;
}

struct troupe_system *ledger_try_memory(struct ledger *ledger)
{
	struct troupe_system *system = NULL;
	struct troupe_error error = {0, ""};
	int result = ledger_create(ledger, &system, &error);

	if (result != 0 && !ledger->allocation_failed)
		board_fail(ledger->board,
			   "troupe_system_create returned %d: %s", result,
			   error.text);
	return system;
}

struct troupe_system *ledger_start(struct ledger *ledger)
{
	if (ledger->watch & LEDGER_ORDER)
		order_init(&ledger->order, ledger->board, ledger->run->workers,
			   ledger->slots.wait_bound,
			   (ledger->watch & LEDGER_FROM_OUTSIDE) != 0);
	return ledger_try(ledger, 0);
}

static void ledger_check_counts(struct ledger *ledger)
{
	struct ledger_count *count = &ledger->count;
	uint32_t workers = ledger->run->workers;

	if (count->init != 1 || count->fini != 1)
		board_fail(ledger->board, "core: init %u times, fini %u times",
			   count->init, count->fini);
	if (count->worker_init != workers || count->worker_fini != workers)
		board_fail(ledger->board,
			   "core: worker_init %u times, worker_fini %u times, "
			   "for %u workers",
			   count->worker_init, count->worker_fini, workers);
	if (count->wake_all != 1)
		board_fail(ledger->board, "core: wake_all %u times",
			   count->wake_all);
	if (count->queued != count->dequeued)
		board_fail(ledger->board,
			   "%llu jobs were enqueued and %llu came back",
			   (unsigned long long)count->queued,
			   (unsigned long long)count->dequeued);
	if (count->before_resume != count->after_resume)
		board_fail(ledger->board,
			   "core: before_resume %llu times, after_resume %llu",
			   (unsigned long long)count->before_resume,
			   (unsigned long long)count->after_resume);
}

void ledger_finish(struct ledger *ledger, struct troupe_system *system)
{
	int result;

	board_step(ledger->board, "waits for the last job");
	result = troupe_system_destroy(system);
	if (result != 0)
		board_fail(ledger->board,
			   "core: troupe_system_destroy returned %d", result);
	ledger_check_counts(ledger);
}
