/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Snapshots of all names: taken under the lock, so that they are true of one
 * moment, and copied into one piece of memory, so that nothing is held
 * afterwards.
 */
#include "table.h"

#include <errno.h>
#include <string.h>

/* One allocation: this, the list, the texts. */
struct registry_snapshot {
	struct troupe_registry_names names; /* first: what the caller has */
	void (*free)(void *memory);
	struct troupe_registry_name list[];
};

/* Context: under the lock. */
static struct registry_snapshot *
registry_snapshot_create(const struct troupe_registry *registry)
{
	struct registry_snapshot *snapshot;
	size_t list = registry->names_count * sizeof(snapshot->list[0]);
	size_t count = 0;
	char *text;

	snapshot = registry->options.alloc(sizeof(*snapshot) + list +
					   registry->names_bytes);
	if (snapshot == NULL)
		return NULL;
	text = (char *)snapshot->list + list;
	for (const struct troupe__registry_entry *entry = registry->entries;
	     entry != NULL; entry = entry->all_next) {
		size_t size = entry->key.length + 1;

		if (entry->key.name == NULL ||
		    !troupe__registry_entry_live(entry))
			continue;
		memcpy(text, entry->key.name, size);
		snapshot->list[count++] = (struct troupe_registry_name){
			.name = text,
			.id = entry->key.id,
		};
		text += size;
	}
	snapshot->names = (struct troupe_registry_names){
		.count = count,
		.list = snapshot->list,
	};
	snapshot->free = registry->options.free;
	return snapshot;
}

int troupe_registry_names(struct troupe_registry *registry,
			  struct troupe_registry_names **ret_names)
{
	struct registry_snapshot *snapshot;

	if (troupe__registry_lost(registry))
		return -EOWNERDEAD;
	uv_mutex_lock(&registry->lock);
	snapshot = registry_snapshot_create(registry);
	troupe__registry_unlock(registry);
	if (snapshot == NULL)
		return -ENOMEM;
	*ret_names = &snapshot->names;
	return 0;
}

void troupe_registry_names_free(struct troupe_registry_names *names)
{
	struct registry_snapshot *snapshot = (struct registry_snapshot *)names;

	if (snapshot != NULL)
		snapshot->free(snapshot);
}
