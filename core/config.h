/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * config.h - the settings of one system, collected and checked
 *
 * Overview. troupe__settings_load() reads all sources of a troupe_config,
 * opens the policy, checks every name and value, and keeps the effective text
 * of each setting with its source. It is read only from then on.
 *
 * Threads. Loading: one thread. Reading: any.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include "policy.h"
#include "troupe_config.h"

/* Legend: all fields are set by troupe__settings_load(). */
struct troupe__settings {
	struct troupe__policy policy; /* opened */
	uint32_t max_threads;	      /* effective: at least 1 */
	uint32_t max_throughput;      /* effective: at least 1 */
	size_t stack_size;	      /* of a worker; bytes, 0: default */
	uint32_t detached_max_threads;
	bool detached_wait;	      /* beyond them */
	uint64_t detached_keep_alive; /* ns */
	size_t detached_stack_size;   /* bytes, 0: default */
	const char *thread_name;
	const char *affinity; /* "none", "cores" or a list */
	troupe_dead_letter_fn on_dead_letter;
	void *dead_letter_context;
	troupe_thread_fn on_thread_start, on_thread_stop;
	void *thread_context;
	struct troupe__setting *list; /* see config_parts.h */
	size_t count;
	struct troupe__piece *pieces; /* all memory of the above */
};

/**
 * @config: NULL for the defaults.
 * Returns: 0; -EINVAL, -ENOENT, -ENOMEM, -ENOTSUP (the program or the policy
 *          was made for a newer library) with @error (may be NULL) filled in
 *          and nothing left behind.
 */
int troupe__settings_load(const struct troupe_config *config,
			  struct troupe_error *error,
			  struct troupe__settings **ret_settings);
/** Closes the policy too. Accepts NULL. */
void troupe__settings_free(struct troupe__settings *settings);

/** The effective text; NULL if there is no such setting. */
const char *troupe__settings_get(const struct troupe__settings *settings,
				 const char *section, const char *key);

/* Given by coordinator.c to config.c and the option readers. */
const struct troupe__settings *
troupe__system_settings(const struct troupe_system *system);
const struct troupe__settings *
troupe__coordinator_settings(const struct troupe_coordinator *coordinator);

#endif
