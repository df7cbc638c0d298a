/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * casts - every conversion between handles, and the ones that can fail
 *
 * Handles are strong or weak, and untyped or typed, which know their messages.
 */
#include "demo.h"

#include "troupe_typed.h"

TROUPE_TYPED(counter, (add, uint64_t))

static int counter_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	uint64_t amount;

	(void)self;
	(void)state;
	if (counter_is_add(message, &amount))
		printf("the actor: add %lu\n", (unsigned long)amount);
	return 0;
}

static const struct troupe_actor_class counter_class = {
	.name = "counter",
	.receive = counter_receive,
};

static int given, refused;

static void show(const char *call, bool is_null)
{
	printf("  %-32s %s\n", call, is_null ? "null" : "a handle");
	given += !is_null;
	refused += is_null;
}

/* Each result is a handle of its own, to be released. */
static void show_strong(const char *call, struct troupe_strong result)
{
	show(call, troupe_strong_is_null(result));
	troupe_strong_release(&result);
}

static void show_weak(const char *call, struct troupe_weak result)
{
	show(call, troupe_weak_is_null(result));
	troupe_weak_release(&result);
}

static void show_ref(const char *call, struct counter_ref result)
{
	show_strong(call, result.strong);
}

static void show_typed_weak(const char *call, struct counter_weak result)
{
	show_weak(call, result.weak);
}

#define SHOW(kind, call) show_##kind(#call, call)

static void from_strong(struct troupe_strong strong, struct counter_ref ref)
{
	SHOW(strong, troupe_strong_clone(strong));
	SHOW(weak, troupe_weak_from(strong));
	SHOW(ref, counter_from_strong(strong));
	SHOW(typed_weak, counter_weak_from_strong(strong));
	SHOW(strong, counter_to_strong(ref));
	SHOW(weak, counter_to_weak(ref));
	SHOW(ref, counter_clone(ref));
	SHOW(typed_weak, counter_weak_from(ref));
}

static void from_weak(struct troupe_weak weak, struct counter_weak typed)
{
	SHOW(weak, troupe_weak_clone(weak));
	SHOW(typed_weak, counter_weak_from_weak(weak));
	SHOW(weak, counter_weak_to_weak(typed));
	SHOW(typed_weak, counter_weak_clone(typed));
	/* These can fail. */
	SHOW(strong, troupe_weak_lock(weak));
	SHOW(ref, counter_from_weak(weak));
	SHOW(strong, counter_weak_to_strong(typed));
	SHOW(ref, counter_weak_lock(typed));
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;
	struct counter_weak typed;
	struct troupe_weak weak;
	struct counter_ref ref;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	demo_check(troupe_spawn(system, &counter_class, NULL, &ref.strong),
		   "troupe_spawn");
	weak = counter_to_weak(ref);
	typed = counter_weak_from(ref);
	printf("the actor lives\n");
	from_strong(ref.strong, ref);
	from_weak(weak, typed);
	/* A "forty" would not compile. */
	demo_check(counter_send_add(ref, 40), "counter_send_add");
	counter_release(&ref);
	troupe_system_await(system);
	printf("the actor has gone; its id %lu has not\n",
	       (unsigned long)troupe_weak_id(weak));
	from_weak(weak, typed);
	troupe_weak_release(&weak);
	counter_weak_release(&typed);
	troupe_system_destroy(system);
	printf("%d conversions gave a handle, %d gave null\n", given, refused);
	return 0;
}
