/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread of the program that is an actor for a while.
 */
#include "threads.h"

#include "troupe_monitor.h"

TestSuite(scoped, .timeout = 60);

Test(scoped, it_is_the_sender_and_gets_replies)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_actor *self = threads_scope(system);
	const struct troupe_message *message;
	struct troupe_strong echo;

	cr_assert_eq(troupe_spawn(system, &threads_echo_class, NULL, &echo), 0);
	for (uint32_t i = 1; i <= 20; i++)
		cr_assert_eq(troupe_send(echo, i, NULL, 0), 0);
	for (uint32_t i = 1; i <= 20; i++) {
		cr_assert_eq(troupe_receive(self, TROUPE_FOREVER, &message), 0);
		cr_expect_eq(message->tag, i);
		cr_expect_eq(troupe_strong_id(message->sender),
			     troupe_strong_id(echo));
	}
	cr_expect_eq(troupe_self_worker(self), TROUPE_ANY_WORKER);
	cr_expect_eq(troupe_self_system(self), system);
	troupe_strong_release(&echo);
	troupe_scoped_destroy(self);
	unit_stop(system);
}

Test(scoped, one_at_a_time_and_no_waits_for_itself)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor *self = threads_scope(system);
	struct troupe_actor *other;

	cr_expect_eq(troupe_scoped_create(system, &other), -EDEADLK);
	cr_expect_eq(troupe_scoped_create(NULL, &other), -EINVAL);
	cr_expect_eq(troupe_system_await(system), -EDEADLK);
	cr_expect_eq(troupe_system_destroy(system), -EDEADLK);
	troupe_scoped_destroy(self);
	troupe_scoped_destroy(NULL);
	self = threads_scope(system);
	troupe_scoped_destroy(self);
	unit_stop(system);
}

struct outsider {
	struct troupe_system *system;
	_Atomic uint64_t begun, opened, ended;
	int result;
};

static void *outsider_main(void *data)
{
	struct outsider *outsider = data;
	const struct troupe_message *message;
	struct troupe_actor *self = threads_scope(outsider->system);

	atomic_store(&outsider->begun, 1);
	outsider->result = troupe_receive(self, TROUPE_FOREVER, &message);
	unit_await(&outsider->opened, 1);
	atomic_store(&outsider->ended, 1);
	troupe_scoped_destroy(self);
	return NULL;
}

Test(scoped, the_system_waits_for_it)
{
	struct outsider outsider = {.system = unit_start(NULL, 1)};
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, outsider_main, &outsider),
		     0);
	unit_await(&outsider.begun, 1);
	cr_expect_eq(
		troupe_system_stop(outsider.system, 1000000, 0, NULL, NULL),
		-ETIMEDOUT);
	atomic_store(&outsider.opened, 1);
	unit_stop(outsider.system);
	cr_expect_eq(outsider.ended, 1);
	cr_expect_eq(outsider.result, -ESHUTDOWN);
	pthread_join(thread, NULL);
}

Test(scoped, not_after_a_stop)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_actor *self = NULL;

	cr_expect_eq(troupe_system_stop(system, UINT64_MAX, 0, NULL, NULL), 0);
	cr_expect_eq(troupe_scoped_create(system, &self), -ESHUTDOWN);
	cr_expect_null(self);
	unit_stop(system);
}

Test(scoped, its_end_is_known)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct unit_record record = {0};
	struct troupe_strong linked = unit_recorder(system, &record);
	struct troupe_actor *self = threads_scope(system);
	struct troupe_strong me = troupe_self(self);
	struct troupe_weak weak = troupe_weak_from(me);

	cr_assert_eq(troupe_link(self, linked), 0);
	troupe_quit(self, 6);
	troupe_scoped_destroy(self);
	/* A link's end, with a reason that is not normal. */
	unit_await(&record.destroys, 1);
	cr_expect_eq(record.reason, 6);
	cr_expect_eq(troupe_send(me, 1, NULL, 0), -ESRCH);
	troupe_strong_release(&me);
	me = troupe_weak_lock(weak);
	cr_expect(troupe_strong_is_null(me));
	troupe_weak_release(&weak);
	troupe_strong_release(&linked);
	unit_stop(system);
}

/* Many threads, each with a scope again and again, woken in the last moment
 * by an answer that they do not wait for. */
#define CROWD  4
#define ROUNDS 100

struct crowd {
	struct troupe_system *system;
	struct troupe_strong echo;
};

static void *crowd_main(void *data)
{
	struct crowd *crowd = data;

	for (int i = 0; i < ROUNDS; i++) {
		struct troupe_actor *self = threads_scope(crowd->system);
		const struct troupe_message *message;
		int result = troupe_ask(self, crowd->echo, 1, NULL, 0,
					i % 2 == 0 ? TROUPE_FOREVER
						   : (uint64_t)i * 500,
					&message);

		cr_assert(result == 0 || (i % 2 != 0 && result == -ETIMEDOUT));
		troupe_scoped_destroy(self);
	}
	return NULL;
}

Test(scoped, many_come_and_go)
{
	struct crowd crowd = {.system = unit_start(NULL, 2)};
	pthread_t threads[CROWD];

	cr_assert_eq(troupe_spawn(crowd.system, &threads_echo_class, NULL,
				  &crowd.echo),
		     0);
	for (int i = 0; i < CROWD; i++)
		cr_assert_eq(
			pthread_create(&threads[i], NULL, crowd_main, &crowd),
			0);
	for (int i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	troupe_strong_release(&crowd.echo);
	cr_assert_eq(troupe_system_await(crowd.system), 0);
	cr_expect_eq(unit_stats(crowd.system).spawned, CROWD * ROUNDS + 1);
	unit_stop(crowd.system);
}
