/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TROUPE_STOP_ABANDON: threads that do not come back in time are not waited
 * for, say -ESHUTDOWN when they do, end their actors once and leave nothing.
 */
#include "threads.h"

#include "troupe_limits.h"
#include "troupe_registry.h"

#include <pthread.h>

TestSuite(abandon, .timeout = 60);

#define ABANDON_DEADLINE UINT64_C(20000000)

struct survivors {
	uint64_t count;
	uint64_t running; /* the longest */
};

static bool survivor(const struct troupe_actor_info *info, void *context)
{
	struct survivors *survivors = context;

	survivors->count++;
	if (info->running > survivors->running)
		survivors->running = info->running;
	return true;
}

/* Stops and destroys @system, in which @count actors do not come back. */
static void abandon(struct troupe_system *system, uint64_t count)
{
	struct survivors survivors = {0};
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	/* The others may need longer than that on a busy machine. */
	do {
		cr_assert_lt(troupe_now(), end, "%lu actors are left, not %lu",
			     (unsigned long)survivors.count,
			     (unsigned long)count);
		survivors = (struct survivors){0};
		cr_assert_eq(troupe_system_stop(system, ABANDON_DEADLINE, 0,
						survivor, &survivors),
			     -ETIMEDOUT);
	} while (survivors.count > count);
	survivors = (struct survivors){0};
	cr_assert_eq(troupe_system_stop(system, ABANDON_DEADLINE,
					TROUPE_STOP_ABANDON, survivor,
					&survivors),
		     -ETIMEDOUT);
	cr_expect_eq(survivors.count, count);
	if (count != 0)
		cr_expect_gt(survivors.running, 0);
	cr_assert_eq(troupe_system_destroy(system), 0);
}

/* All have come back: nothing is left. */
static void abandoned_are_back(void)
{
	uint64_t end = troupe_now() + UNIT_PATIENCE;

	while (troupe__live_allocations() != 0) {
		cr_assert_lt(troupe_now(), end, "%lu pieces are left",
			     (unsigned long)troupe__live_allocations());
		troupe_sleep(100000);
	}
}

/* ---- detached actors --------------------------------------------------- */

Test(abandon, a_detached_actor_in_its_callback)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct unit_gate gate = {0};
	struct troupe_strong actor;

	cr_assert_eq(threads_recorder(system, &record, &actor), 0);
	unit_hold(actor, &gate);
	/* It has to end before this one. */
	unit_send_note(actor, 1);
	abandon(system, 1);
	cr_expect_eq(record.exits, 0);
	/* Handles may be held longer, as ever. */
	unit_send_note(actor, 2);
	unit_gate_open(&gate);
	unit_await(&record.destroys, 1);
	troupe_strong_release(&actor);
	abandoned_are_back();
	cr_expect_eq(record.reason, TROUPE_EXIT_SHUTDOWN);
	cr_expect_eq(record.exits, 1);
	cr_expect_eq(record.noted, 0);
}

/* What the calls of one say that comes back. */
struct back {
	struct unit_gate gate;
	struct troupe_strong other;
	_Atomic uint64_t done, exits, destroys;
	int receive, ask, spawn, detached, schedule, await, stop, scoped, send;
	uint64_t running;
};

static int back_job(void *data)
{
	(void)data;
	return TROUPE_JOB_DONE;
}

static void back_call(struct troupe_actor *self, struct back *back)
{
	struct troupe_system *system = troupe_self_system(self);
	struct troupe_stats stats = {.size = sizeof(stats)};
	const struct troupe_message *message;
	struct troupe_actor *scoped;
	struct troupe_strong me = troupe_self(self);

	back->receive = troupe_receive(self, TROUPE_FOREVER, &message);
	back->ask = troupe_ask(self, back->other, 1, NULL, 0, TROUPE_FOREVER,
			       &message);
	back->spawn = troupe_spawn(system, &unit_recorder_class, NULL, NULL);
	back->detached = threads_recorder(system, NULL, NULL);
	back->schedule = troupe_schedule(system, back_job, NULL);
	back->await = troupe_system_await(system);
	back->stop =
		troupe_system_stop(system, 0, TROUPE_STOP_ABANDON, NULL, NULL);
	back->scoped = troupe_scoped_create(system, &scoped);
	back->send = troupe_send(back->other, 1, NULL, 0);
	(void)troupe_send(me, 1, NULL, 0);
	(void)troupe_registry_put(troupe_system_registry(system), "back", me);
	troupe_system_stats(system, &stats);
	troupe_strong_release(&me);
}

static void back_check(const struct back *back)
{
	cr_expect_eq(back->receive, -ESHUTDOWN, "%d", back->receive);
	cr_expect_eq(back->ask, -ESHUTDOWN, "%d", back->ask);
	cr_expect_eq(back->spawn, -ESHUTDOWN, "%d", back->spawn);
	cr_expect_eq(back->detached, -ESHUTDOWN, "%d", back->detached);
	cr_expect_eq(back->schedule, -ESHUTDOWN, "%d", back->schedule);
	cr_expect_eq(back->await, -EDEADLK, "%d", back->await);
	cr_expect_eq(back->stop, 0, "%d", back->stop);
	cr_expect_eq(back->scoped, -EDEADLK, "%d", back->scoped);
	cr_expect_eq(back->send, -ESRCH, "%d", back->send);
}

static int back_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	(void)self;
	*(struct back **)state = (struct back *)(uintptr_t)argument;
	return 0;
}

static int back_run(struct troupe_actor *self, void *state)
{
	struct back *back = *(struct back **)state;

	unit_gate_pass(&back->gate);
	back_call(self, back);
	atomic_fetch_add(&back->done, 1);
	return 0;
}

static void back_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)reason;
	atomic_fetch_add(&(*(struct back **)state)->exits, 1);
}

static void back_destroy(void *state)
{
	atomic_fetch_add(&(*(struct back **)state)->destroys, 1);
}

static const struct troupe_actor_class back_class = {
	.name = "back",
	.state_size = sizeof(struct back *),
	.flags = TROUPE_CLASS_TRAP_EXIT,
	.init = back_init,
	.run = back_run,
	.on_exit = back_exit,
	.destroy = back_destroy,
};

Test(abandon, what_comes_back_is_told_so)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct back back = {.other = unit_recorder(system, &record)};

	cr_assert_eq(troupe_spawn(system, &back_class, &back, NULL), 0);
	unit_await(&back.gate.entered, 1);
	abandon(system, 1);
	unit_gate_open(&back.gate);
	unit_await(&back.destroys, 1);
	troupe_strong_release(&back.other);
	abandoned_are_back();
	cr_expect_eq(back.exits, 1);
	back_check(&back);
}

/* ---- blocking sections ------------------------------------------------- */

static int section_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	struct back *back = *(struct back **)state;

	(void)self;
	(void)message;
	if (troupe_blocking_begin() == 0)
		unit_gate_pass(&back->gate);
	troupe_blocking_end();
	atomic_fetch_add(&back->done, 1);
	return 0;
}

static const struct troupe_actor_class section_class = {
	.name = "section",
	.state_size = sizeof(struct back *),
	.init = back_init,
	.receive = section_receive,
	.on_exit = back_exit,
	.destroy = back_destroy,
};

static int section_job(void *data)
{
	struct back *back = data;

	if (troupe_blocking_begin() == 0)
		unit_gate_pass(&back->gate);
	troupe_blocking_end();
	atomic_fetch_add(&back->done, 1);
	return TROUPE_JOB_AGAIN;
}

/* Three on one worker: the first was started as it, the others stood in. */
static void abandon_sections(const char *policy)
{
	struct troupe_system *system = unit_start(policy, 1);
	struct back backs[3] = {0};
	struct troupe_strong actor;

	for (int i = 0; i < 2; i++) {
		cr_assert_eq(
			troupe_spawn(system, &section_class, &backs[i], &actor),
			0);
		/* The second of them comes too late. */
		cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
		cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
		troupe_strong_release(&actor);
		unit_await(&backs[i].gate.entered, 1);
	}
	cr_assert_eq(troupe_schedule(system, section_job, &backs[2]), 0);
	unit_await(&backs[2].gate.entered, 1);
	abandon(system, 2);
	for (int i = 0; i < 3; i++)
		unit_gate_open(&backs[i].gate);
	unit_await(&backs[0].destroys, 1);
	unit_await(&backs[1].destroys, 1);
	unit_await(&backs[2].done, 1);
	abandoned_are_back();
	for (int i = 0; i < 3; i++) {
		cr_expect_eq(backs[i].done, 1);
		cr_expect_eq(backs[i].exits, i < 2 ? 1 : 0);
	}
}

Test(abandon, blocking_sections)
{
	for (size_t i = 0; troupe_policy_builtin(i) != NULL; i++)
		abandon_sections(troupe_policy_builtin(i)->name);
	abandon_sections("profiled:work-stealing");
}

Test(abandon, what_blocks_a_worker_is_waited_for)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct unit_gate gate = {0};
	struct troupe_strong actor = unit_recorder(system, &record);
	struct survivors survivors = {0};

	unit_hold(actor, &gate);
	cr_expect_eq(troupe_system_stop(system, ABANDON_DEADLINE,
					TROUPE_STOP_ABANDON, survivor,
					&survivors),
		     -ETIMEDOUT);
	cr_expect_eq(survivors.count, 1);
	cr_expect_gt(survivors.running, 0);
	cr_expect_eq(unit_stats(system).completed, 0);
	unit_gate_open(&gate);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(record.destroys, 1);
}

/* ---- scoped actors ----------------------------------------------------- */

struct scope {
	struct troupe_system *system;
	struct back back;
};

static void *scope_main(void *data)
{
	struct scope *scope = data;
	struct troupe_actor *self = threads_scope(scope->system);

	unit_gate_pass(&scope->back.gate);
	back_call(self, &scope->back);
	troupe_scoped_destroy(self);
	return NULL;
}

Test(abandon, a_scoped_actor)
{
	struct unit_record record = {0};
	struct scope scope = {.system = unit_start(NULL, 1)};
	pthread_t thread;

	scope.back.other = unit_recorder(scope.system, &record);
	cr_assert_eq(pthread_create(&thread, NULL, scope_main, &scope), 0);
	unit_await(&scope.back.gate.entered, 1);
	abandon(scope.system, 1);
	unit_gate_open(&scope.back.gate);
	pthread_join(thread, NULL);
	troupe_strong_release(&scope.back.other);
	abandoned_are_back();
	back_check(&scope.back);
}

/* ---- whom it holds ----------------------------------------------------- */

static int filler_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct troupe_strong to =
		*(const struct troupe_strong *)troupe_payload(message);
	uint64_t value = 1;

	(void)self;
	(void)state;
	for (int i = 0; i < 3; i++)
		(void)troupe_send(to, UNIT_NOTE, &value, sizeof(value));
	return 0;
}

Test(abandon, it_lets_go_whom_its_mailbox_held_back)
{
	static const struct troupe_actor_class filler_class = {
		.name = "filler",
		.receive = filler_receive,
	};
	struct troupe_limits limits = {
		.messages = 2,
		.overflow = TROUPE_OVERFLOW_HOLD,
	};
	struct troupe_spawn_options options = threads_detached;
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct unit_gate gate = {0};
	struct troupe_strong actor, filler;

	options.limits = &limits;
	cr_assert_eq(troupe_spawn_with(system, &unit_recorder_class, &record,
				       &options, &actor),
		     0);
	unit_hold(actor, &gate);
	cr_assert_eq(troupe_spawn(system, &filler_class, NULL, &filler), 0);
	cr_assert_eq(troupe_send(filler, 1, &actor, sizeof(actor)), 0);
	while (unit_stats(system).held == 0)
		troupe_sleep(100000);
	abandon(system, 2);
	unit_gate_open(&gate);
	unit_await(&record.destroys, 1);
	troupe_strong_release(&filler);
	troupe_strong_release(&actor);
	abandoned_are_back();
}

/* ---- never ------------------------------------------------------------- */

static int never_run(struct troupe_actor *self, void *state)
{
	struct unit_gate *gate = *(struct unit_gate **)state;

	(void)self;
	atomic_fetch_add(&gate->entered, 1);
	for (;;)
		pause();
	return 0;
}

static int never_job(void *data)
{
	struct unit_gate *gate = data;

	(void)troupe_blocking_begin();
	atomic_fetch_add(&gate->entered, 1);
	for (;;)
		pause();
	return 0;
}

/* What they keep is theirs, and no leak: the process ends beside them. */
Test(abandon, those_that_never_come_back)
{
	static const struct troupe_actor_class never_class = {
		.name = "never",
		.state_size = sizeof(struct unit_gate *),
		.init = back_init,
		.run = never_run,
	};
	static struct unit_gate gates[5];

	for (int i = 0; i < 5; i++) {
		struct troupe_system *system = unit_start(NULL, 1);

		cr_assert_eq(
			troupe_spawn(system, &never_class, &gates[i], NULL), 0);
		cr_assert_eq(troupe_schedule(system, never_job, &gates[i]), 0);
		unit_await(&gates[i].entered, 2);
		abandon(system, 1);
	}
	if (TROUPE_HOOKS)
		cr_expect_gt(troupe__live_allocations(), 0);
}
