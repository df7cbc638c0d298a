/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe_registry.h - find the actors of a system by name or id
 *
 * Overview. Each system has one registry. It maps names, and ids, to actors;
 * and it counts all actors of the system that have not ended, put or not.
 *
 * Typical use.
 *	1. troupe_registry_put(registry, "printer", printer);
 *	2. elsewhere: to = troupe_registry_get(registry, "printer");
 *	3. if it is not null, troupe_send(to, ...), troupe_strong_release(&to).
 *
 * Ownership. The registry keeps no actor alive: it holds weak handles. An
 * actor that nobody else holds ends, registered or not, so the one who wants a
 * service to last holds a strong handle to it. An entry goes by itself when
 * its actor ends; nobody has to erase. So a registered actor never holds up
 * the end of a system. The block of a dead actor, not its object, may be kept
 * until up to 64 more entries went, or the system is destroyed.
 *
 * A name is taken as long as a get of it returns a handle. Names are strings
 * of any length but 0, compared byte by byte; one actor may have many. Ids are
 * never used again.
 *
 * Fork. In a child of the system's process nothing is found, and what returns an
 * int says -EOWNERDEAD.
 *
 * Threads. Any, also inside actors. Looking up takes no lock, and readers do not
 * slow each other down, except that gets of one actor meet at its count. All
 * else takes a lock of this registry for a short time.
 */
#ifndef TROUPE_REGISTRY_H
#define TROUPE_REGISTRY_H

#include "troupe_refcount.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct troupe_registry;

/* ---- by name ----------------------------------------------------------- */

/**
 * troupe_registry_put - give @actor the name @name
 *
 * Owns:    @actor and @name stay the caller's; the name is copied.
 * Returns: 0; -EEXIST if the name is taken, also by the same actor; -ESRCH if
 *          @actor has ended; -EINVAL for a null handle, an actor of another
 *          system, or a NULL or empty name; -ENOMEM.
 */
int troupe_registry_put(struct troupe_registry *registry, const char *name,
			struct troupe_strong actor);

/**
 * troupe_registry_get - the actor with the name @name
 *
 * Returns: a new strong handle to an actor that had not ended, or the null
 *          handle. It may end right afterwards: sending to it then says so.
 */
struct troupe_strong troupe_registry_get(struct troupe_registry *registry,
					 const char *name);

/**
 * troupe_registry_id - who has the name @name, without a handle
 *
 * Touches no count, so that readers of one name do not meet there.
 *
 * Returns: the actor's id; 0 if the name is not taken.
 */
uint64_t troupe_registry_id(struct troupe_registry *registry, const char *name);

/** Takes the name away. Returns: 0; -ENOENT if it was not taken. */
int troupe_registry_erase(struct troupe_registry *registry, const char *name);

/* ---- by id ------------------------------------------------------------- */

/** Lets @actor be found by its id. Returns: as troupe_registry_put(). */
int troupe_registry_put_id(struct troupe_registry *registry,
			   struct troupe_strong actor);

/** The actor with this id, if it was put. Returns: as troupe_registry_get(). */
struct troupe_strong troupe_registry_get_id(struct troupe_registry *registry,
					    uint64_t id);

/** Returns: 0; -ENOENT if no actor with this id was put. */
int troupe_registry_erase_id(struct troupe_registry *registry, uint64_t id);

/* ---- all names --------------------------------------------------------- */

struct troupe_registry_name {
	const char *name;
	uint64_t id; /* of the actor */
};

/** The names at one moment, in the order in which they were put. */
struct troupe_registry_names {
	size_t count;
	const struct troupe_registry_name *list;
};

/**
 * troupe_registry_names - a snapshot of all names
 *
 * Owns:    the caller frees *@ret_names, before the system is destroyed.
 * Returns: 0; -ENOMEM.
 */
int troupe_registry_names(struct troupe_registry *registry,
			  struct troupe_registry_names **ret_names);

/** Accepts NULL. */
void troupe_registry_names_free(struct troupe_registry_names *names);

/* ---- how many run ------------------------------------------------------ */

/** The actors of the system that have not ended, registered or not. */
uint64_t troupe_registry_running(struct troupe_registry *registry);

/** No limit to the wait. */
#define TROUPE_REGISTRY_FOREVER UINT64_MAX

/**
 * troupe_registry_await_running - wait until running() is @count
 *
 * A count that lasts only a moment may go by unseen.
 *
 * @timeout: nanoseconds on the monotonic clock; 0 only looks.
 * Context: blocks, so not inside an actor.
 * Returns: 0; -ETIMEDOUT.
 */
int troupe_registry_await_running(struct troupe_registry *registry,
				  uint64_t count, uint64_t timeout);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
