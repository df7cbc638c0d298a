/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * config_parts.h - between the files that config is made of
 *
 * Overview. The way of a setting:
 *
 *	config_file.c, config_environment.c, config_code.c
 *			read text, make *entries*
 *	config_known.c	lists what can be set, says what is nearest
 *	config_value.c	checks one text against its option
 *	config_pieces.c	keeps the memory of all that
 *	config.c	opens the policy, applies the entries in order
 *	config_read.c	reads what came out
 *
 * Ownership. Whatever is made on the way is a piece of the settings and goes
 * when they do, with troupe__settings_free_pieces() and not before.
 *
 * Threads. One, but for what config_read.c reads.
 */
#ifndef CONFIG_PARTS_H
#define CONFIG_PARTS_H

#include <stdio.h>

#include "config.h"

#define TROUPE__ENVIRONMENT_PREFIX "TROUPE_"
#define TROUPE__ARGUMENT_PREFIX	   "--troupe."
#define TROUPE__SCHEDULER_SECTION  "scheduler"
#define TROUPE__DETACHED_SECTION   "detached"
/** More workers than this are a mistake. */
#define TROUPE__MAX_THREADS 4096

/** Something that can be set. All fields I, by troupe__settings_load(). */
struct troupe__setting {
	const char *section;
	const struct troupe_option *option;
	const char *text;   /* effective */
	const char *source; /* "app.ini:3"; NULL: the default */
	uint64_t value;	    /* as troupe_option_uint() reads it */
	bool from_file;
};

/** A text that wants to be a setting. */
struct troupe__entry {
	struct troupe__entry *next;
	const char *source; /* "app.ini:3", "TROUPE_SCHEDULER_POLICY" */
	const char *section;
	const char *key; /* NULL: a heading without a key */
	const char *value;
	bool from_file;
};

/** Entries in the order they count. */
struct troupe__entries {
	struct troupe__entry *first;
	struct troupe__entry *last;
};

/* ---- pieces of the settings -------------------------------------------- */

/** Zeroed memory that lives as long as @settings; NULL when out of memory. */
void *troupe__settings_alloc(struct troupe__settings *settings, size_t size);
void troupe__settings_free_pieces(struct troupe__settings *settings);

/** The same for a text; control characters become '?'. */
__attribute__((format(printf, 2, 3), nonnull(2))) const char *
troupe__settings_text(struct troupe__settings *settings, const char *format,
		      ...);

/** Copies all but @source. Returns: 0; -ENOMEM with @error filled in. */
int troupe__entries_add(struct troupe__settings *settings,
			struct troupe__entries *entries,
			const struct troupe__entry *entry,
			struct troupe_error *error);

/** Fills in "out of memory". Returns: -ENOMEM. */
int troupe__config_no_memory(struct troupe_error *error);

/* ---- what can be set --------------------------------------------------- */

/**
 * troupe__settings_declare - list all that can be set, with its default
 *
 * That is [scheduler] and a section for each policy: the opened one, the one
 * it wraps, all built in.
 *
 * Returns: 0; -ENOMEM; -EINVAL for a policy with the name of a core section, or
 *          with a default that its own option forbids.
 */
int troupe__settings_declare(struct troupe__settings *settings,
			     struct troupe_error *error);

/** The setting of that name; NULL if there is none. */
struct troupe__setting *
troupe__settings_find(const struct troupe__settings *settings,
		      const char *section, const char *key);

/** True if there is a section of that name, even without keys. */
bool troupe__settings_has_section(const struct troupe__settings *settings,
				  const char *section);

/** Tell what @entry could mean. Returns: -EINVAL; -ENOMEM. */
int troupe__settings_unknown_section(struct troupe__settings *settings,
				     const struct troupe__entry *entry,
				     struct troupe_error *error);
int troupe__settings_unknown_key(struct troupe__settings *settings,
				 const struct troupe__entry *entry,
				 struct troupe_error *error);

/* ---- sources ----------------------------------------------------------- */

/** Returns: 0; -ENOENT, -EINVAL, -ENOMEM with @error filled in. */
int troupe__config_read_file(struct troupe__settings *settings,
			     const char *path, struct troupe__entries *entries,
			     struct troupe_error *error);

/** The environment, whose names are compared to those of @settings. */
int troupe__config_read_environment(struct troupe__settings *settings,
				    struct troupe__entries *entries,
				    struct troupe_error *error);

/** The command line, the settings[] and the fields of @config. */
int troupe__config_read_code(struct troupe__settings *settings,
			     const struct troupe_config *config,
			     struct troupe__entries *entries,
			     struct troupe_error *error);

/* ---- values ------------------------------------------------------------ */

/** What fits a quoted text in an error. */
#define TROUPE__QUOTE_SIZE 72

/** @text in quotes, on one line, cut if long. Returns: @buffer. */
const char *troupe__value_quote(char buffer[static TROUPE__QUOTE_SIZE],
				const char *text);

/** What @option wants: "a whole number from 1 to 64 (threads)". */
const char *troupe__value_expected(const struct troupe_option *option,
				   char *buffer, size_t size);

/**
 * troupe__value_read - check @text and read its value
 *
 * Returns: 0; -EINVAL with "expected ..., got ..." in @error.
 */
int troupe__value_read(const struct troupe_option *option, const char *text,
		       struct troupe_error *error, uint64_t *ret_value);

/* ---- what came out ----------------------------------------------------- */

/** As troupe_config_print(). */
int troupe__settings_print(const struct troupe__settings *settings, FILE *out);

#endif
