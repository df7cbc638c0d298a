/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registry - finding actors by name and id
 *
 * A printer is put under two names and its id, found again, sent to, and taken
 * out under one of them. When it ends, the other entries vanish by themselves:
 * the registry holds no actor, so it never holds up the end of a system.
 */
#include "demo.h"

#include "troupe_registry.h"

enum printer_tag {
	PRINTER_PRINT, /* text with its NUL */
	PRINTER_QUIT,
};

static int printer_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	(void)state;
	if (message->tag == PRINTER_PRINT)
		printf("  the printer prints: %s\n",
		       (const char *)troupe_payload(message));
	else
		troupe_quit(self, TROUPE_EXIT_NORMAL);
	return 0;
}

static const struct troupe_actor_class printer_class = {
	.name = "printer",
	.receive = printer_receive,
};

/* Sends to whoever has the name; reports if nobody has. */
static void send_to(struct troupe_registry *registry, const char *name,
		    const char *text)
{
	struct troupe_strong to = troupe_registry_get(registry, name);

	if (troupe_strong_is_null(to)) {
		printf("  nobody is called %s\n", name);
		return;
	}
	printf("  %s is the actor %lu\n", name,
	       (unsigned long)troupe_strong_id(to));
	demo_check(troupe_send(to, PRINTER_PRINT, text, strlen(text) + 1),
		   "troupe_send");
	troupe_strong_release(&to);
}

static void list_names(struct troupe_registry *registry)
{
	struct troupe_registry_names *names;

	demo_check(troupe_registry_names(registry, &names),
		   "troupe_registry_names");
	printf("  %zu names:", names->count);
	for (size_t i = 0; i < names->count; i++)
		printf(" %s", names->list[i].name);
	printf("\n");
	troupe_registry_names_free(names);
}

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_registry *registry;
	struct troupe_system *system;
	struct troupe_strong printer, found;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	registry = troupe_system_registry(system);
	demo_check(troupe_spawn(system, &printer_class, NULL, &printer),
		   "troupe_spawn");

	printf("put\n");
	demo_check(troupe_registry_put(registry, "printer", printer), "put");
	demo_check(troupe_registry_put(registry, "output", printer), "put");
	demo_check(troupe_registry_put_id(registry, printer), "put_id");
	if (troupe_registry_put(registry, "output", printer) == -EEXIST)
		printf("  output is taken\n");
	list_names(registry);

	printf("get, send, erase\n");
	send_to(registry, "output", "found by name");
	found = troupe_registry_get_id(registry, troupe_strong_id(printer));
	demo_check(troupe_send(found, PRINTER_PRINT, "found by id",
			       sizeof("found by id")),
		   "troupe_send");
	troupe_strong_release(&found);
	demo_check(troupe_registry_erase(registry, "output"), "erase");
	send_to(registry, "output", "lost");

	printf("%lu actor runs; the printer ends, though we hold it\n",
	       (unsigned long)troupe_registry_running(registry));
	demo_check(troupe_send(printer, PRINTER_QUIT, NULL, 0), "troupe_send");
	demo_check(troupe_registry_await_running(registry, 0,
						 TROUPE_REGISTRY_FOREVER),
		   "troupe_registry_await_running");
	send_to(registry, "printer", "too late");
	list_names(registry);
	if (troupe_registry_put(registry, "printer", printer) == -ESRCH)
		printf("  an ended actor cannot be put again\n");
	printf("%lu actors run\n",
	       (unsigned long)troupe_registry_running(registry));
	troupe_strong_release(&printer);
	troupe_system_destroy(system);
	return 0;
}
