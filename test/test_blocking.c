/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking sections: the others go on, the worker's role moves to another
 * thread and the blocked actor goes on afterwards, under every policy.
 */
#include "threads.h"

#include "troupe_monitor.h"

TestSuite(blocking, .timeout = 60);

struct block {
	struct unit_gate gate;
	_Atomic int begun;	/* what begin said */
	_Atomic uint64_t after; /* ran after the section */
	_Atomic uint64_t exits, destroys, messages;
	_Atomic int reason;
	bool quit;
};

static int block_init(struct troupe_actor *self, void *state,
		      const void *argument)
{
	(void)self;
	memcpy(state, argument, sizeof(void *));
	return 0;
}

static int block_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct block *block = *(struct block **)state;
	struct troupe_system *system = troupe_self_system(self);

	atomic_fetch_add(&block->messages, 1);
	if (message->tag == 2)
		return 0;
	atomic_store(&block->begun, troupe_blocking_begin());
	if (block->begun == 0) {
		cr_expect_eq(troupe_self_worker(self), TROUPE_ANY_WORKER);
		cr_expect_eq(troupe_current_worker(), TROUPE_ANY_WORKER);
		cr_expect_eq(troupe_blocking_begin(), 0, "once is enough");
		/* It still is the system's. */
		cr_expect_eq(troupe_system_await(system), -EDEADLK);
	}
	unit_gate_pass(&block->gate);
	troupe_blocking_end();
	if (block->quit)
		troupe_quit(self, 8);
	atomic_store(&block->after, 1);
	return 0;
}

static void block_exit(struct troupe_actor *self, void *state, int reason)
{
	struct block *block = *(struct block **)state;

	/* There it has its worker again, and keeps it. */
	cr_expect_neq(troupe_self_worker(self), TROUPE_ANY_WORKER);
	cr_expect_eq(troupe_blocking_begin(), 0);
	cr_expect_neq(troupe_self_worker(self), TROUPE_ANY_WORKER);
	troupe_blocking_end();
	atomic_store(&block->reason, reason);
	atomic_fetch_add(&block->exits, 1);
}

static void block_destroy(void *state)
{
	atomic_fetch_add(&(*(struct block **)state)->destroys, 1);
}

static const struct troupe_actor_class block_class = {
	.name = "block",
	.state_size = sizeof(struct block *),
	.init = block_init,
	.receive = block_receive,
	.on_exit = block_exit,
	.destroy = block_destroy,
};

static struct troupe_strong block_spawn(struct troupe_system *system,
					struct block *block)
{
	struct troupe_strong actor;

	cr_assert_eq(troupe_spawn(system, &block_class, &block, &actor), 0);
	cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
	return actor;
}

/* ---- the others go on -------------------------------------------------- */

/* Five in sections at once, one worker, and an actor that counts. */
static void block_others(const char *policy)
{
	struct troupe_system *system = unit_start(policy, 1);
	struct block blocks[5] = {0};
	struct unit_record record = {0};
	struct troupe_strong actors[5], other = unit_recorder(system, &record);

	for (int i = 0; i < 5; i++)
		actors[i] = block_spawn(system, &blocks[i]);
	for (int i = 0; i < 5; i++)
		unit_await(&blocks[i].gate.entered, 1);
	for (uint64_t i = 0; i < 50; i++)
		unit_send_note(other, i);
	unit_await(&record.handled, 50);
	cr_expect_eq(unit_stats(system).blocking, 5);
	cr_expect_eq(unit_stats(system).pool_threads, 5);
	for (int i = 0; i < 5; i++) {
		cr_expect_eq(blocks[i].begun, 0);
		cr_expect_eq(blocks[i].after, 0);
		/* It waits for this one behind the section. */
		cr_assert_eq(troupe_send(actors[i], 2, NULL, 0), 0);
		unit_gate_open(&blocks[i].gate);
	}
	for (int i = 0; i < 5; i++) {
		unit_await(&blocks[i].messages, 2);
		troupe_strong_release(&actors[i]);
	}
	troupe_strong_release(&other);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(unit_stats(system).spawned, unit_stats(system).completed);
	unit_stop(system);
	for (int i = 0; i < 5; i++) {
		cr_expect_eq(blocks[i].after, 1);
		cr_expect_eq(blocks[i].exits, 1);
		cr_expect_eq(blocks[i].destroys, 1);
	}
}

Test(blocking, the_others_go_on)
{
	for (size_t i = 0; troupe_policy_builtin(i) != NULL; i++)
		block_others(troupe_policy_builtin(i)->name);
	block_others("profiled:work-stealing");
}

Test(blocking, on_its_worker_only)
{
	struct troupe_actor *self;
	struct troupe_system *system = unit_start(NULL, 1);

	cr_expect_eq(troupe_blocking_begin(), 0);
	troupe_blocking_end();
	self = threads_scope(system);
	cr_expect_eq(troupe_blocking_begin(), 0);
	troupe_blocking_end();
	troupe_scoped_destroy(self);
	cr_expect_eq(unit_stats(system).blocking, 0);
	unit_stop(system);
}

/* ---- the cap ----------------------------------------------------------- */

Test(blocking, without_a_thread_to_spare_the_worker_blocks)
{
	static const char *const settings[] = {"detached.max-threads=1", NULL};
	struct troupe_system *system = threads_start(1, settings);
	struct block blocks[3] = {0};
	struct troupe_strong actors[3];

	for (int i = 0; i < 2; i++) {
		actors[i] = block_spawn(system, &blocks[i]);
		unit_await(&blocks[i].gate.entered, 1);
	}
	cr_expect_eq(blocks[0].begun, 0);
	cr_expect_eq(blocks[1].begun, -EAGAIN);
	actors[2] = block_spawn(system, &blocks[2]);
	troupe_sleep(2000000);
	cr_expect_eq(blocks[2].gate.entered, 0, "it is behind the second");
	for (int i = 0; i < 3; i++) {
		unit_gate_open(&blocks[i].gate);
		troupe_strong_release(&actors[i]);
	}
	unit_stop(system);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(blocks[i].destroys, 1);
}

/* The thread that has lost its worker becomes one to spare, and may end: the
 * next section finds as much room as the first. */
Test(blocking, the_cap_does_not_shrink)
{
	static const char *const settings[] = {"detached.max-threads=1",
					       "detached.keep-alive=1ms", NULL};
	struct troupe_system *system = threads_start(1, settings);

	for (int i = 0; i < 5; i++) {
		struct block block = {0};
		struct troupe_strong actor = block_spawn(system, &block);

		unit_await(&block.gate.entered, 1);
		cr_expect_eq(block.begun, 0, "round %d", i);
		cr_expect_eq(unit_stats(system).pool_threads, 1);
		unit_gate_open(&block.gate);
		troupe_strong_release(&actor);
		unit_await(&block.destroys, 1);
		threads_await(system, 0);
	}
	unit_stop(system);
}

/* ---- ends -------------------------------------------------------------- */

Test(blocking, who_quits_inside_ends_on_a_worker)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct block block = {.quit = true};
	struct troupe_strong actor = block_spawn(system, &block);

	unit_gate_open(&block.gate);
	unit_await(&block.destroys, 1);
	cr_expect_eq(block.reason, 8);
	cr_expect_eq(troupe_send(actor, 2, NULL, 0), -ESRCH);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(block.exits, 1);
}

static bool block_survivor(const struct troupe_actor_info *info, void *context)
{
	cr_expect_str_eq(info->name, "block");
	cr_expect_eq(info->state, TROUPE_ACTOR_RUNNING);
	cr_expect_eq(info->worker, TROUPE_ANY_WORKER);
	++*(int *)context;
	return true;
}

Test(blocking, a_stop_while_it_blocks)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct block block = {0};
	struct troupe_strong actor = block_spawn(system, &block);
	int survivors = 0;

	unit_await(&block.gate.entered, 1);
	cr_assert_eq(troupe_send(actor, 1, NULL, 0), 0);
	cr_expect_eq(troupe_system_stop(system, 5000000, 0, block_survivor,
					&survivors),
		     -ETIMEDOUT);
	cr_expect_eq(survivors, 1);
	unit_gate_open(&block.gate);
	cr_expect_eq(troupe_system_stop(system, UINT64_MAX, 0, NULL, NULL), 0);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(block.reason, TROUPE_EXIT_SHUTDOWN);
	cr_expect_eq(block.destroys, 1);
}

/* ---- bare jobs --------------------------------------------------------- */

struct block_job {
	struct troupe_system *system;
	struct unit_gate gate;
	_Atomic uint64_t runs;
};

static int block_job(void *data)
{
	struct block_job *job = data;
	struct troupe_actor *self;

	cr_expect_eq(troupe_blocking_begin(), 0);
	/* It would wait for itself. */
	cr_expect_eq(troupe_system_await(job->system), -EDEADLK);
	cr_expect_eq(troupe_system_destroy(job->system), -EDEADLK);
	cr_expect_eq(troupe_scoped_create(job->system, &self), -EDEADLK);
	unit_gate_pass(&job->gate);
	troupe_blocking_end();
	return atomic_fetch_add(&job->runs, 1) < 2 ? TROUPE_JOB_AGAIN
						   : TROUPE_JOB_DONE;
}

static int other_job(void *data)
{
	atomic_fetch_add((_Atomic uint64_t *)data, 1);
	return TROUPE_JOB_DONE;
}

Test(blocking, bare_jobs_too)
{
	struct block_job job = {.system = unit_start("work-sharing", 1)};
	_Atomic uint64_t others = 0;

	cr_assert_eq(troupe_schedule(job.system, block_job, &job), 0);
	unit_await(&job.gate.entered, 1);
	for (int i = 0; i < 10; i++)
		cr_assert_eq(troupe_schedule(job.system, other_job, &others),
			     0);
	unit_await(&others, 10);
	unit_gate_open(&job.gate);
	cr_assert_eq(troupe_system_await(job.system), 0);
	cr_expect_eq(unit_stats(job.system).completed, 11);
	unit_stop(job.system);
	cr_expect_eq(job.runs, 3);
}

/* Again and again, with more actors than workers, threads and spares. */
static int busy_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	const uint64_t *left = troupe_payload(message);
	struct troupe_strong me = troupe_self(self);
	uint64_t next = *left - 1;

	(void)state;
	(void)troupe_blocking_begin();
	troupe_sleep(10000);
	troupe_blocking_end();
	if (*left > 0)
		cr_assert_eq(troupe_send(me, 1, &next, sizeof(next)), 0);
	troupe_strong_release(&me);
	return 0;
}

/* What it has handled does not count any more, though its run is not over. */
Test(blocking, a_limited_mailbox_has_room_for_what_was_handled)
{
	static const struct troupe_limits limits = {.messages = 64};
	struct troupe_actor_class limited = block_class;
	struct troupe_system *system = unit_start(NULL, 1);
	struct unit_record record = {0};
	struct troupe_strong busy = unit_recorder(system, &record);
	struct unit_gate gate = {0};
	struct block block = {0}, *argument = &block;
	struct troupe_strong actor;

	limited.limits = &limits;
	cr_assert_eq(troupe_spawn(system, &limited, &argument, &actor), 0);
	/* It begins when all are there, and blocks at the third. */
	unit_hold(busy, &gate);
	for (uint32_t i = 1; i <= 64; i++)
		cr_assert_eq(troupe_send(actor, i == 3 ? 1 : 2, NULL, 0), 0);
	cr_expect_eq(troupe_send(actor, 2, NULL, 0), -EAGAIN);
	unit_gate_open(&gate);
	unit_await(&block.gate.entered, 1);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(troupe_send(actor, 2, NULL, 0), 0);
	cr_expect_eq(troupe_send(actor, 2, NULL, 0), -EAGAIN);
	unit_gate_open(&block.gate);
	troupe_strong_release(&busy);
	troupe_strong_release(&actor);
	unit_stop(system);
	cr_expect_eq(block.messages, 67);
}

Test(blocking, many_sections)
{
	static const char *const settings[] = {"detached.max-threads=3",
					       "detached.keep-alive=1ms", NULL};
	static const struct troupe_actor_class busy_class = {
		.name = "busy",
		.receive = busy_receive,
	};
	struct troupe_system *system = threads_start(2, settings);
	uint64_t left = 50;

	for (int i = 0; i < 20; i++) {
		struct troupe_strong actor;

		cr_assert_eq(troupe_spawn(system, &busy_class, NULL, &actor),
			     0);
		cr_assert_eq(troupe_send(actor, 1, &left, sizeof(left)), 0);
		troupe_strong_release(&actor);
	}
	cr_assert_eq(troupe_system_await(system), 0);
	cr_expect_eq(unit_stats(system).messages, 20 * 51);
	unit_stop(system);
}
