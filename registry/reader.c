/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of readers, the time, and what was retired: the protocol is at the
 * top of reader.h. A thread's record is kept in a thread-local variable; a
 * pthread key, which libuv's keys cannot do, calls back at the thread's end.
 */
#include "reader.h"

#include "barrier.h"

#include <pthread.h>
#include <stdlib.h>

_Thread_local struct troupe__reader *troupe__reader_self;
_Atomic uint64_t troupe__reader_time = 1;
bool troupe__reader_fenced;

static _Atomic(struct troupe__reader *) reader_all;
static _Atomic size_t reader_made;
static pthread_once_t reader_once = PTHREAD_ONCE_INIT;
static pthread_key_t reader_key;
static bool reader_key_made;

#if TROUPE_HOOKS
static _Atomic(void (*)(void)) reader_hook;

void troupe__reader_set_hook(void (*hook)(void))
{
	atomic_store(&reader_hook, hook);
}

void troupe__reader_point(void)
{
	void (*hook)(void) = atomic_load(&reader_hook);

	if (hook != NULL)
		hook();
}
#endif

/* ---- records ------------------------------------------------------------ */

/* Another destructor of this thread may read again later: it then gets a new
 * record, and this function is called again. */
static void reader_thread_ends(void *data)
{
	struct troupe__reader *self = data;

	troupe__reader_self = NULL;
	atomic_store(&self->taken, false);
}

static void reader_init(void)
{
	reader_key_made =
		pthread_key_create(&reader_key, reader_thread_ends) == 0;
	troupe__reader_fenced = !troupe__barrier_init();
}

void troupe__reader_init(void)
{
	pthread_once(&reader_once, reader_init);
}

static struct troupe__reader *reader_recycle(void)
{
	struct troupe__reader *reader = atomic_load(&reader_all);

	while (reader != NULL && atomic_exchange(&reader->taken, true))
		reader = reader->next;
	return reader;
}

static struct troupe__reader *reader_add(void)
{
	struct troupe__reader *reader =
		aligned_alloc(sizeof(*reader), sizeof(*reader));

	if (reader == NULL)
		return NULL;
	*reader = (struct troupe__reader){.next = atomic_load(&reader_all)};
	atomic_init(&reader->taken, true);
	/* A writer that does not see it yet has unlinked before its search. */
	while (!atomic_compare_exchange_weak(&reader_all, &reader->next,
					     reader))
		continue;
	atomic_fetch_add(&reader_made, 1);
	return reader;
}

struct troupe__reader *troupe__reader_create(void)
{
	struct troupe__reader *reader;

	if (!reader_key_made)
		return NULL;
	reader = reader_recycle();
	if (reader == NULL)
		reader = reader_add();
	if (reader == NULL)
		return NULL;
	if (pthread_setspecific(reader_key, reader) != 0) {
		atomic_store(&reader->taken, false);
		return NULL;
	}
	troupe__reader_self = reader;
	return reader;
}

size_t troupe__reader_count(void)
{
	return atomic_load(&reader_made);
}

/* ---- what was retired --------------------------------------------------- */

void troupe__retire(struct troupe__retired_list *list,
		    struct troupe__retired *retired)
{
	retired->next = NULL;
	/* acq_rel: release: who reads a later time sees what was unlinked;
	 * acquire: and so does who reads one later still, of another writer.
	 * Pairs with: troupe__reader_begin() and itself. */
	retired->time = atomic_fetch_add_explicit(&troupe__reader_time, 1,
						  memory_order_acq_rel);
	if (list->last != NULL)
		list->last->next = retired;
	else
		list->first = retired;
	list->last = retired;
	list->count++;
}

/* When the oldest section began that is not over; UINT64_MAX if all are.
 * seq_cst: with fences in the sections, these looks come after the unlinking,
 * in the one order of both. As acquire: what readers did in sections that are
 * over happens before the freeing. Pairs with: troupe__reader_end() and
 * troupe__reader_begin(). */
static uint64_t reader_oldest(void)
{
	const struct troupe__reader *reader = atomic_load(&reader_all);
	uint64_t oldest = UINT64_MAX;

	for (; reader != NULL; reader = reader->next) {
		uint64_t mark = atomic_load(&reader->mark);

		if (mark != 0 && mark < oldest)
			oldest = mark;
	}
	return oldest;
}

struct troupe__retired *
troupe__retired_collect(struct troupe__retired_list *list)
{
	struct troupe__retired *collected = list->first;
	struct troupe__retired **end = &list->first;
	struct troupe__retired *last = NULL;
	uint64_t oldest;

	if (!troupe__reader_fenced && !troupe__barrier())
		return NULL;
	oldest = reader_oldest();
	while (*end != NULL && (*end)->time < oldest) {
		last = *end;
		end = &last->next;
		list->count--;
	}
	if (last == NULL)
		return NULL;
	list->first = last->next;
	if (list->first == NULL)
		list->last = NULL;
	last->next = NULL;
	return collected;
}
