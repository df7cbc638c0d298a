/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry of a system, with real actors: they register themselves, end in
 * every way, and never hold up the end of the system.
 */
#include "unit.h"

#include "troupe_registry.h"

#include <errno.h>

TestSuite(registry_actors, .timeout = 60);

static void expect_found(struct troupe_registry *registry, const char *name,
			 struct troupe_strong expected)
{
	struct troupe_strong found = troupe_registry_get(registry, name);

	cr_expect(troupe_strong_equal(found, expected), "%s", name);
	troupe_strong_release(&found);
}

static const struct troupe_strong none = {NULL};

static void await_running(struct troupe_registry *registry, uint64_t count)
{
	cr_assert_eq(
		troupe_registry_await_running(registry, count, UNIT_PATIENCE),
		0);
}

/* ---- an actor that registers itself ------------------------------------- */

struct service {
	const char *name;
	int init_result;
};

static int service_init(struct troupe_actor *self, void *state,
			const void *argument)
{
	const struct service *service = argument;
	struct troupe_registry *registry =
		troupe_system_registry(troupe_self_system(self));
	struct troupe_strong own = troupe_self(self);

	(void)state;
	cr_assert_eq(troupe_registry_put(registry, service->name, own), 0);
	cr_assert_eq(troupe_registry_put_id(registry, own), 0);
	expect_found(registry, service->name, own);
	troupe_strong_release(&own);
	return service->init_result;
}

static _Atomic uint64_t served;

static int service_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	(void)state;
	if (message->tag == UNIT_QUIT)
		troupe_quit(self, 0);
	atomic_fetch_add(&served, 1);
	return message->tag == UNIT_FAIL ? -EIO : 0;
}

static const struct troupe_actor_class service_class = {
	.name = "service",
	.init = service_init,
	.receive = service_receive,
};

Test(registry_actors, may_register_themselves_in_init)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_registry *registry = troupe_system_registry(system);
	const struct service service = {.name = "service"};
	struct troupe_strong actor;
	struct troupe_strong found;

	cr_assert_eq(troupe_spawn(system, &service_class, &service, &actor), 0);
	expect_found(registry, "service", actor);
	found = troupe_registry_get_id(registry, troupe_strong_id(actor));
	cr_expect_eq(troupe_send(found, UNIT_NOTE, NULL, 0), 0);
	unit_await(&served, 1);
	troupe_strong_release(&found);
	troupe_strong_release(&actor);
	await_running(registry, 0);
	expect_found(registry, "service", none);
	unit_stop(system);
}

Test(registry_actors, one_whose_init_fails_leaves_no_entry)
{
	struct troupe_system *system = unit_start(NULL, 1);
	struct troupe_registry *registry = troupe_system_registry(system);
	struct service service = {.name = "service", .init_result = -EIO};
	struct troupe_registry_names *names;
	struct troupe_strong actor = {NULL};

	cr_assert_eq(troupe_spawn(system, &service_class, &service, &actor),
		     -EIO);
	expect_found(registry, "service", none);
	cr_assert_eq(troupe_registry_names(registry, &names), 0);
	cr_expect_eq(names->count, 0);
	troupe_registry_names_free(names);
	cr_expect_eq(troupe_registry_running(registry), 0);
	service.init_result = 0;
	cr_assert_eq(troupe_spawn(system, &service_class, &service, &actor), 0);
	expect_found(registry, "service", actor);
	troupe_strong_release(&actor);
	unit_stop(system);
}

/* ---- the end ------------------------------------------------------------ */

/* @tag: how it ends; 0: by its last handle. */
static void expect_vanishes(uint32_t tag)
{
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_registry *registry = troupe_system_registry(system);
	const struct service service = {.name = "service"};
	struct troupe_strong actor;
	struct troupe_weak weak;

	cr_assert_eq(troupe_spawn(system, &service_class, &service, &actor), 0);
	weak = troupe_weak_from(actor);
	cr_expect_eq(troupe_registry_running(registry), 1);
	if (tag != 0)
		cr_assert_eq(troupe_send(actor, tag, NULL, 0), 0);
	else
		troupe_strong_release(&actor);
	await_running(registry, 0);
	expect_found(registry, "service", none);
	cr_expect(troupe_strong_is_null(
		troupe_registry_get_id(registry, troupe_weak_id(weak))));
	if (tag != 0) {
		cr_expect_eq(troupe_registry_put(registry, "service", actor),
			     -ESRCH);
		cr_expect_eq(troupe_registry_put_id(registry, actor), -ESRCH);
	}
	troupe_strong_release(&actor);
	troupe_weak_release(&weak);
	unit_stop(system);
}

Test(registry_actors, entries_vanish_when_it_quits)
{
	expect_vanishes(UNIT_QUIT);
}

Test(registry_actors, entries_vanish_when_it_fails)
{
	expect_vanishes(UNIT_FAIL);
}

Test(registry_actors, entries_vanish_when_nobody_holds_it)
{
	expect_vanishes(0);
}

/* Known from elsewhere: a registry that keeps its actors keeps the system. */
Test(registry_actors, do_not_hold_up_the_end_of_their_system)
{
	for (int i = 0; i < 50; i++) {
		struct troupe_system *system = unit_start(NULL, 2);
		const struct service service = {.name = "service"};

		cr_assert_eq(
			troupe_spawn(system, &service_class, &service, NULL),
			0);
		unit_stop(system);
	}
}

/* ---- two systems, and many actors --------------------------------------- */

Test(registry_actors, are_known_in_their_own_system_only)
{
	struct troupe_system *systems[2] = {unit_start(NULL, 1),
					    unit_start(NULL, 1)};
	struct troupe_registry *registries[2];
	struct unit_record records[2] = {0};
	struct troupe_strong actors[2];

	for (int i = 0; i < 2; i++) {
		registries[i] = troupe_system_registry(systems[i]);
		actors[i] = unit_recorder(systems[i], &records[i]);
	}
	cr_expect_neq(registries[0], registries[1]);
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(troupe_registry_put(registries[i], "name",
						 actors[1 - i]),
			     -EINVAL);
		cr_expect_eq(
			troupe_registry_put(registries[i], "name", actors[i]),
			0);
	}
	for (int i = 0; i < 2; i++)
		expect_found(registries[i], "name", actors[i]);
	for (int i = 0; i < 2; i++) {
		troupe_strong_release(&actors[i]);
		cr_assert_eq(troupe_system_destroy(systems[i]), 0);
	}
	cr_expect_eq(troupe__live_allocations(), 0);
}

static const struct troupe_actor_class unnamed_class = {
	.name = "unnamed",
	.receive = service_receive,
};

static int nothing_run(void *data)
{
	(void)data;
	return TROUPE_JOB_DONE;
}

Test(registry_actors, running_counts_every_actor_and_no_job)
{
	enum {
		MANY = 1000
	};
	struct troupe_system *system = unit_start(NULL, 2);
	struct troupe_registry *registry = troupe_system_registry(system);
	static struct troupe_strong actors[MANY];

	for (int i = 0; i < MANY; i++) {
		cr_assert_eq(troupe_schedule(system, nothing_run, NULL), 0);
		cr_assert_eq(
			troupe_spawn(system, &unnamed_class, NULL, &actors[i]),
			0);
		cr_assert_eq(troupe_registry_running(registry),
			     (uint64_t)i + 1);
	}
	for (int i = 0; i < MANY; i++) {
		if (i % 2 == 0)
			cr_assert_eq(troupe_send(actors[i], UNIT_QUIT, NULL, 0),
				     0);
		troupe_strong_release(&actors[i]);
	}
	await_running(registry, 0);
	cr_expect_eq(served, MANY / 2);
	unit_stop(system);
}
