/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_config.h - how a system is set up, and where settings come from
 *
 * Overview. A setting has a section, a key and a text value. It may come from
 * four places, and a later one wins:
 *
 *	1. an INI file            [scheduler]  policy = work-stealing
 *	2. the environment        TROUPE_SCHEDULER_POLICY=work-stealing
 *	3. the command line       --troupe.scheduler.policy=work-stealing
 *	4. fields of the struct   config.policy_name = "work-stealing"
 *
 * Sections are [scheduler] and one for each policy, whose keys are the
 * options[] of its table. Durations carry a unit: 500ns 50us 10ms 2s;
 * 0 needs none.
 *
 * Typical use.
 *	struct troupe_config config = TROUPE_CONFIG_INIT;
 *	config.file = "app.ini";
 *	troupe_config_arguments(&config, &argc, argv, &error);
 *	troupe_system_create(&config, &error, &system);
 *
 * Ownership. The struct only points; what it points to must live until
 * troupe_system_create() returns.
 *
 * Errors. An unknown section or key, or a bad value, is -EINVAL and one line
 * that names file, line and key, what was expected, and the nearest known
 * name. A process with raised privileges ignores the environment.
 */
#ifndef TROUPE_CONFIG_H
#define TROUPE_CONFIG_H

#include <stdio.h>

#include "troupe.h"
#include "troupe_process.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_policy_ops;

enum troupe_config_flags {
	/** Do not look at the environment. */
	TROUPE_CONFIG_NO_ENVIRONMENT = 1u << 0,
};

/**
 * Sees a message that will not be handled: one that its receiver left when it
 * ended, one that was sent to an ended actor by an actor or job of the same
 * system, and one that a mailbox with limits dropped for a message of such.
 *
 * @receiver: the id of whom it was for.
 * @reason:   -ESRCH it has ended; -EAGAIN dropped.
 * Context:   the thread on which it happens; not inside any actor, so sends
 *            have no sender, and what they cause is not shown. It must not
 *            block. @message is valid until it returns.
 */
typedef void (*troupe_dead_letter_fn)(const struct troupe_message *message,
				      uint64_t receiver, int reason,
				      void *context);

/** Zero means default in every field. Start with TROUPE_CONFIG_INIT. */
struct troupe_config {
	uint32_t size;	  /* of this struct */
	uint32_t flags;	  /* enum troupe_config_flags */
	const char *file; /* an INI file to read; NULL: none */
	const struct troupe_policy_ops *policy; /* a table of your own */
	const char *policy_name;		/* scheduler.policy */
	uint32_t max_threads;			/* scheduler.max-threads */
	uint32_t max_throughput;		/* scheduler.max-throughput */
	const char *thread_name;		/* scheduler.thread-name */
	const char *affinity;			/* scheduler.affinity */
	/** "section.key=value" strings set in code; NULL ends the array. */
	const char *const *settings;
	/** Set by troupe_config_arguments(). */
	char *const *arguments;
	uint32_t argument_count;
	troupe_dead_letter_fn on_dead_letter; /* NULL: only counted */
	void *dead_letter_context;
	troupe_thread_fn on_thread_start; /* see troupe_process.h */
	troupe_thread_fn on_thread_stop;
	void *thread_context;
};

#define TROUPE_CONFIG_INIT                                                     \
	{                                                                      \
		sizeof(struct troupe_config), 0, NULL, NULL, NULL, 0, 0, NULL, \
			NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL      \
	}

/**
 * troupe_config_arguments - take --troupe.section.key=value out of argv
 *
 * The others keep their order, *argc counts them and argv[*argc] is NULL. The
 * taken ones are kept behind that NULL, where @config points to them. What
 * follows "--" is left alone.
 *
 * Returns: how many were taken; -EINVAL for one without section, key or '='
 *          with @error (may be NULL) filled in, and nothing has changed.
 */
int troupe_config_arguments(struct troupe_config *config, int *argc,
			    char **argv, struct troupe_error *error);

/**
 * troupe_config_print - the effective settings and where each came from
 *
 * Writes an INI file that would set the same, with the source of each value,
 * its unit, range and help as comments.
 *
 * Returns: 0; -EIO if @out cannot be written.
 */
int troupe_config_print(const struct troupe_system *system, FILE *out);

/** The effective text of one setting; NULL if there is none of that name. */
const char *troupe_config_get(const struct troupe_system *system,
			      const char *section, const char *key);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
