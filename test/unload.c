/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unload LIBRARY - the library can be closed once its systems are destroyed
 *
 * Opens it, uses workers, detached actors, a scoped actor and signals, and
 * closes it: no thread is left, and nothing of it runs when this one ends. Its
 * code stays mapped (-z nodelete), for what threads of the program do at their
 * own end. Several times: status 0 if all is well.
 */
#include "tasks.h"
#include "troupe.h"
#include "troupe_config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 5

#define CHECK(holds)                                                       \
	do {                                                               \
		if (!(holds)) {                                            \
			fprintf(stderr, "unload: line %d: %s\n", __LINE__, \
				#holds);                                   \
			exit(1);                                           \
		}                                                          \
	} while (0)

/* The functions by their own names, from the library. */
#define CALL(library, name) ((__typeof__(&name))unload_find(library, #name))

typedef void (*unload_fn)(void);

static unload_fn unload_find(void *library, const char *name)
{
	void *symbol = dlsym(library, name);
	unload_fn function;

	CHECK(symbol != NULL);
	memcpy(&function, &symbol, sizeof(function));
	return function;
}

static int pupil_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)self;
	(void)state;
	(void)message;
	return 0;
}

static const struct troupe_actor_class pupil_class = {
	.name = "pupil",
	.receive = pupil_receive,
};

static void unload_use(void *library)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_config config = TROUPE_CONFIG_INIT;
	const struct troupe_message *message;
	struct troupe_system *system;
	struct troupe_actor *self;

	config.max_threads = 3;
	CHECK(CALL(library, troupe_system_create)(&config, NULL, &system) == 0);
	CHECK(CALL(library, troupe_signal_stop)(system, 0, NULL, NULL, NULL) ==
	      0);
	CHECK(CALL(library, troupe_scoped_create)(system, &self) == 0);
	for (int i = 0; i < 6; i++) {
		struct troupe_strong actor;

		options.flags = i % 2 == 0 ? 0 : TROUPE_SPAWN_DETACHED;
		CHECK(CALL(library, troupe_spawn_with)(system, &pupil_class,
						       NULL, &options,
						       &actor) == 0);
		/* It releases the request: an error is a response too. */
		CHECK(CALL(library, troupe_ask)(self, actor, 1, NULL, 0,
						TROUPE_FOREVER, &message) == 0);
		CALL(library, troupe_strong_release)(&actor);
	}
	CALL(library, troupe_scoped_destroy)(self);
	CHECK(CALL(library, troupe_system_destroy)(system) == 0);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	for (int i = 0; i < ROUNDS; i++) {
		void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);

		if (library == NULL)
			fprintf(stderr, "%s\n", dlerror());
		CHECK(library != NULL);
		unload_use(library);
		CHECK(dlclose(library) == 0);
		/* One that was joined may be seen for a moment. */
		for (int k = 0; k < 100 && tasks_each(NULL, NULL) > 1; k++)
			usleep(10000);
		CHECK(tasks_each(NULL, NULL) == 1);
	}
	puts("closed");
	return 0;
}
