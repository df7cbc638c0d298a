/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash set of entries (ck_hs) and the epochs that say when memory may be
 * reused (ck_epoch). Nothing here knows what an entry means.
 *
 * ck_hs and not its relatives: ck_ht takes keys of at most 65,535 bytes, and
 * ck_rhs moves entries about under its readers, who must notice and start
 * again. In ck_hs an entry stays where it was put.
 */
#include "registry_ck.h"

#include <assert.h>
#include <ck_epoch.h>
#include <ck_hs.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CK_SET_CAPACITY 64

/* ---- epochs ------------------------------------------------------------ */

struct troupe__ck_record {
	ck_epoch_record_t epoch;
};

static_assert(sizeof(ck_epoch_entry_t) <=
		      sizeof(((struct troupe__ck_entry *)0)->deferral),
	      "an entry has room for its deferral");

/* One for the process: see registry_ck.h. */
static ck_epoch_t ck_epoch_all = {
	.epoch = 1,
	.records = CK_STACK_INITIALIZER,
};
static _Atomic size_t ck_records_made;

struct troupe__ck_record *troupe__ck_record_get(void)
{
	struct troupe__ck_record *record;

	record = (struct troupe__ck_record *)ck_epoch_recycle(&ck_epoch_all,
							      NULL);
	if (record != NULL)
		return record;
	record = aligned_alloc(_Alignof(struct troupe__ck_record),
			       sizeof(*record));
	if (record == NULL)
		return NULL;
	ck_epoch_register(&ck_epoch_all, &record->epoch, NULL);
	atomic_fetch_add(&ck_records_made, 1);
	return record;
}

void troupe__ck_record_put(struct troupe__ck_record *record)
{
	ck_epoch_unregister(&record->epoch);
}

size_t troupe__ck_record_count(void)
{
	return atomic_load(&ck_records_made);
}

void troupe__ck_section_begin(struct troupe__ck_record *record)
{
	ck_epoch_begin(&record->epoch, NULL);
}

void troupe__ck_section_end(struct troupe__ck_record *record)
{
	ck_epoch_end(&record->epoch, NULL);
}

/* ---- the set ----------------------------------------------------------- */

/* Legend: I set at init, L under the registry's lock. */
struct troupe__ck_set {
	ck_hs_t hash_set;		       /* L; read in sections */
	struct ck_malloc malloc;	       /* I */
	struct troupe__ck_set_options options; /* I */
	struct troupe__ck_record *writer;      /* L: all deferrals */
	size_t slots;			       /* L: of the newest array */
	size_t removed;			       /* L: from that array */
};

/* The set that this thread works on, for the functions that CK calls and
 * does not tell whose array or entry it is. */
static _Thread_local struct troupe__ck_set *ck_set_current;

/* In front of each of ck_hs's arrays. */
struct ck_set_array {
	ck_epoch_entry_t deferral;
};

static_assert(sizeof(struct ck_set_array) % 16 == 0,
	      "what follows is aligned as the allocator does");

static void *ck_set_array_alloc(size_t size)
{
	struct troupe__ck_set *set = ck_set_current;
	struct ck_set_array *array = set->options.alloc(sizeof(*array) + size);

	if (array == NULL)
		return NULL;
	/* A pointer and a byte a slot, and a few lines beside. */
	set->slots = size / (sizeof(void *) + 1);
	set->removed = 0;
	return array + 1;
}

static void ck_set_array_reclaim(ck_epoch_entry_t *deferral)
{
	ck_set_current->options.free(deferral);
}

static void ck_set_array_free(void *memory, size_t size, bool defer)
{
	struct ck_set_array *array = (struct ck_set_array *)memory - 1;
	struct troupe__ck_set *set = ck_set_current;

	(void)size;
	if (defer)
		ck_epoch_call(&set->writer->epoch, &array->deferral,
			      ck_set_array_reclaim);
	else
		set->options.free(array);
}

static unsigned long ck_set_hash(const void *entry, unsigned long seed)
{
	(void)seed;
	return ((const struct troupe__ck_entry *)entry)->hash;
}

struct troupe__ck_set *
troupe__ck_set_create(const struct troupe__ck_set_options *options)
{
	struct troupe__ck_set *set = options->alloc(sizeof(*set));

	if (set == NULL)
		return NULL;
	*set = (struct troupe__ck_set){
		.malloc.malloc = ck_set_array_alloc,
		.malloc.free = ck_set_array_free,
		.options = *options,
		.writer = troupe__ck_record_get(),
	};
	if (set->writer == NULL)
		goto no_record;
	ck_set_current = set;
	if (!ck_hs_init(&set->hash_set,
			CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT | CK_HS_MODE_DELETE,
			ck_set_hash, options->equal, &set->malloc,
			CK_SET_CAPACITY, 0))
		goto no_array;
	return set;

no_array:
	troupe__ck_record_put(set->writer);
no_record:
	options->free(set);
	return NULL;
}

void troupe__ck_set_destroy(struct troupe__ck_set *set)
{
	ck_set_current = set;
	ck_epoch_barrier(&set->writer->epoch);
	ck_hs_destroy(&set->hash_set);
	troupe__ck_record_put(set->writer);
	set->options.free(set);
}

void *troupe__ck_set_get(struct troupe__ck_set *set,
			 const struct troupe__ck_entry *key)
{
	return ck_hs_get(&set->hash_set, key->hash, key);
}

bool troupe__ck_set_put(struct troupe__ck_set *set,
			struct troupe__ck_entry *entry)
{
	ck_set_current = set;
	return ck_hs_put(&set->hash_set, entry->hash, entry);
}

/* A removed entry leaves a mark in its slot that lengthens searches. When half
 * the slots may have one, the set moves to a fresh array. */
void troupe__ck_set_remove(struct troupe__ck_set *set,
			   const struct troupe__ck_entry *entry)
{
	ck_set_current = set;
	ck_hs_remove(&set->hash_set, entry->hash, entry);
	set->removed++;
	if (set->removed > set->slots / 2)
		ck_hs_rebuild(&set->hash_set);
	/* Without memory for that the marks stay a while longer. */
}

static void ck_set_reclaim(ck_epoch_entry_t *deferral)
{
	struct troupe__ck_set *set = ck_set_current;
	unsigned char *entry = (unsigned char *)deferral -
			       offsetof(struct troupe__ck_entry, deferral);

	set->options.reclaim((struct troupe__ck_entry *)entry,
			     set->options.context);
}

void troupe__ck_set_defer(struct troupe__ck_set *set,
			  struct troupe__ck_entry *entry)
{
	ck_epoch_call(&set->writer->epoch, (ck_epoch_entry_t *)entry->deferral,
		      ck_set_reclaim);
}

void troupe__ck_set_poll(struct troupe__ck_set *set)
{
	ck_set_current = set;
	ck_epoch_poll(&set->writer->epoch);
}
