/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One record a thread, kept in a thread-local variable; a pthread key, which
 * libuv's keys cannot do, calls back at the thread's end.
 */
#include "reader.h"

#include "registry_ck.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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

static _Thread_local struct troupe__ck_record *reader_record;

static pthread_once_t reader_once = PTHREAD_ONCE_INIT;
static pthread_key_t reader_key;
static bool reader_key_made;

/* Another destructor of this thread may read again later: it then gets a new
 * record, and this function is called again. */
static void reader_thread_ends(void *record)
{
	reader_record = NULL;
	troupe__ck_record_put(record);
}

static void reader_init(void)
{
	reader_key_made =
		pthread_key_create(&reader_key, reader_thread_ends) == 0;
}

static struct troupe__ck_record *reader_record_create(void)
{
	struct troupe__ck_record *record;

	pthread_once(&reader_once, reader_init);
	if (!reader_key_made)
		return NULL;
	record = troupe__ck_record_get();
	if (record == NULL)
		return NULL;
	if (pthread_setspecific(reader_key, record) != 0) {
		troupe__ck_record_put(record);
		return NULL;
	}
	reader_record = record;
	return record;
}

bool troupe__reader_begin(void)
{
	struct troupe__ck_record *record = reader_record;

	if (record == NULL)
		record = reader_record_create();
	if (record == NULL)
		return false;
	troupe__ck_section_begin(record);
	return true;
}

void troupe__reader_end(void)
{
	troupe__ck_section_end(reader_record);
}
