/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registry of one system: the public functions, and what the core calls.
 * Writers lock and leave the lists to table.c. Readers take no lock: they
 * search the set inside a section (reader.h), lock the weak handle of what
 * they find, and look whether the actor has ended meanwhile.
 */
#include "registry.h"

#include "block.h"
#include "reader.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>

/* ---- life --------------------------------------------------------------- */

int troupe__registry_create(const struct troupe__registry_options *options,
			    struct troupe_registry **ret_registry)
{
	struct troupe__registry_options own = *options;
	struct troupe_registry *registry;
	int result;

	troupe_assert((own.alloc == NULL) == (own.free == NULL));
	if (own.alloc == NULL) {
		own.alloc = malloc;
		own.free = free;
	}
	registry = own.alloc(sizeof(*registry));
	if (registry == NULL)
		return -ENOMEM;
	*registry = (struct troupe_registry){.options = own};
	registry->seed = uv_hrtime() ^ (uintptr_t)registry;
	/* relaxed: as in troupe__registry_lost(). */
	if (own.forks != NULL)
		registry->born =
			atomic_load_explicit(own.forks, memory_order_relaxed);
	result = uv_mutex_init(&registry->lock);
	if (result != 0)
		goto no_lock;
	result = troupe__running_init(&registry->running);
	if (result != 0)
		goto no_running;
	troupe__reader_init();
	registry->set = (struct troupe__set){
		.alloc = own.alloc,
		.retired = &registry->retired,
		.free = troupe__registry_array_free,
	};
	if (!troupe__set_init(&registry->set)) {
		result = -ENOMEM;
		goto no_set;
	}
	*ret_registry = registry;
	return 0;

no_set:
	troupe__running_fini(&registry->running);
no_running:
	uv_mutex_destroy(&registry->lock);
no_lock:
	own.free(registry);
	return result;
}

void troupe__registry_destroy(struct troupe_registry *registry)
{
	if (registry == NULL)
		return;
	uv_mutex_lock(&registry->lock);
	while (registry->entries != NULL)
		troupe__registry_remove(registry, registry->entries);
	uv_mutex_unlock(&registry->lock);
	/* Nobody uses it: no section can see what was retired. */
	troupe__registry_free_retired(registry, registry->retired.first);
	troupe__registry_free_retired(registry,
				      troupe__set_fini(&registry->set));
	troupe__running_fini(&registry->running);
	uv_mutex_destroy(&registry->lock);
	registry->options.free(registry);
}

void troupe__registry_ended(struct troupe_registry *registry,
			    struct troupe_control_block *block)
{
	if (!troupe__registry_mark_ended(block))
		return;
	uv_mutex_lock(&registry->lock);
	troupe__registry_remove_all(registry, block);
	troupe__registry_unlock(registry);
}

/* ---- put, get, erase ---------------------------------------------------- */

static bool registry_may_put(const struct troupe_registry *registry,
			     struct troupe_strong actor)
{
	return actor.block != NULL &&
	       actor.block->system == registry->options.system;
}

static int registry_put(struct troupe_registry *registry,
			const struct troupe__registry_key *key,
			struct troupe_strong actor)
{
	struct troupe__registry_entry *entry;
	int result;

	if (troupe__registry_lost(registry))
		return -EOWNERDEAD;
	entry = troupe__registry_entry_create(key, actor,
					      registry->options.alloc);
	if (entry == NULL)
		return -ENOMEM;
	uv_mutex_lock(&registry->lock);
	result = troupe__registry_insert(registry, entry);
	troupe__registry_unlock(registry);
	if (result != 0)
		troupe__registry_entry_free(registry, entry);
	return result;
}

/* Returns: true in a section, false under the lock; give it to
 * registry_read_end(). */
static bool registry_read_begin(struct troupe_registry *registry)
{
	bool in_section = troupe__reader_begin();

	if (!in_section)
		uv_mutex_lock(&registry->lock);
	return in_section;
}

static void registry_read_end(struct troupe_registry *registry, bool in_section)
{
	if (in_section)
		troupe__reader_end();
	else
		uv_mutex_unlock(&registry->lock);
}

static struct troupe_strong
registry_read(struct troupe_registry *registry,
	      const struct troupe__registry_key *key)
{
	struct troupe_strong actor = {NULL};
	struct troupe__registry_entry *entry;
	bool in_section;

	if (troupe__registry_lost(registry))
		return actor;
	in_section = registry_read_begin(registry);
	entry = troupe__set_get(&registry->set, key);
	if (entry != NULL) {
		troupe__reader_point();
		actor = troupe__weak_lock(entry->weak);
	}
	registry_read_end(registry, in_section);
	/* It has ended and others still hold it. */
	if (actor.block != NULL && troupe__registry_has_ended(actor.block))
		troupe__strong_release(&actor);
	return actor;
}

static uint64_t registry_read_id(struct troupe_registry *registry,
				 const struct troupe__registry_key *key)
{
	const struct troupe__registry_entry *entry;
	uint64_t id = 0;
	bool in_section;

	if (troupe__registry_lost(registry))
		return 0;
	in_section = registry_read_begin(registry);
	entry = troupe__set_get(&registry->set, key);
	if (entry != NULL) {
		troupe__reader_point();
		if (troupe__registry_entry_live(entry))
			id = entry->key.id;
	}
	registry_read_end(registry, in_section);
	return id;
}

static int registry_erase(struct troupe_registry *registry,
			  const struct troupe__registry_key *key)
{
	struct troupe__registry_entry *entry;
	int result = -ENOENT;

	if (troupe__registry_lost(registry))
		return -EOWNERDEAD;
	uv_mutex_lock(&registry->lock);
	entry = troupe__set_get(&registry->set, key);
	if (entry != NULL) {
		if (troupe__registry_entry_live(entry))
			result = 0;
		troupe__registry_remove(registry, entry);
	}
	troupe__registry_unlock(registry);
	return result;
}

int troupe_registry_put(struct troupe_registry *registry, const char *name,
			struct troupe_strong actor)
{
	struct troupe__registry_key key;

	if (name == NULL || *name == '\0' || !registry_may_put(registry, actor))
		return -EINVAL;
	troupe__registry_key_name(&key, name, registry->seed);
	return registry_put(registry, &key, actor);
}

struct troupe_strong troupe_registry_get(struct troupe_registry *registry,
					 const char *name)
{
	struct troupe__registry_key key;

	if (name == NULL)
		return (struct troupe_strong){NULL};
	troupe__registry_key_name(&key, name, registry->seed);
	return registry_read(registry, &key);
}

uint64_t troupe_registry_id(struct troupe_registry *registry, const char *name)
{
	struct troupe__registry_key key;

	if (name == NULL)
		return 0;
	troupe__registry_key_name(&key, name, registry->seed);
	return registry_read_id(registry, &key);
}

int troupe_registry_erase(struct troupe_registry *registry, const char *name)
{
	struct troupe__registry_key key;

	if (name == NULL)
		return -ENOENT;
	troupe__registry_key_name(&key, name, registry->seed);
	return registry_erase(registry, &key);
}

int troupe_registry_put_id(struct troupe_registry *registry,
			   struct troupe_strong actor)
{
	struct troupe__registry_key key;

	if (!registry_may_put(registry, actor))
		return -EINVAL;
	troupe__registry_key_id(&key, actor.block->id, registry->seed);
	return registry_put(registry, &key, actor);
}

struct troupe_strong troupe_registry_get_id(struct troupe_registry *registry,
					    uint64_t id)
{
	struct troupe__registry_key key;

	troupe__registry_key_id(&key, id, registry->seed);
	return registry_read(registry, &key);
}

int troupe_registry_erase_id(struct troupe_registry *registry, uint64_t id)
{
	struct troupe__registry_key key;

	troupe__registry_key_id(&key, id, registry->seed);
	return registry_erase(registry, &key);
}

/* ---- how many run ------------------------------------------------------- */

struct troupe__running *
troupe__registry_running(struct troupe_registry *registry)
{
	return &registry->running;
}

uint64_t troupe_registry_running(struct troupe_registry *registry)
{
	return troupe__running_get(&registry->running);
}

int troupe_registry_await_running(struct troupe_registry *registry,
				  uint64_t count, uint64_t timeout)
{
	if (troupe__registry_lost(registry))
		return -EOWNERDEAD;
	return troupe__running_await(&registry->running, count, timeout);
}
