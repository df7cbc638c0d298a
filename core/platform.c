/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The platform layer: memory, threads, locks, waits, clocks and shared
 * libraries, and the helpers that policies call. libuv and mimalloc are
 * included here and nowhere else. Nothing here knows what an actor is.
 */
#include "platform.h"

#include "platform_ck.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#ifndef TROUPE_MIMALLOC
#define TROUPE_MIMALLOC 0
#endif

#define PLATFORM_LINE 64

#if TROUPE_MIMALLOC
#include <mimalloc.h>
#define platform_malloc(size) mi_malloc(size)
#define platform_free(memory) mi_free(memory)

/*
 * mimalloc's blocks of a multiple of 64 bytes lie on lines by themselves,
 * though it does not promise it; asked for the alignment it takes a larger
 * block instead: 256 bytes for an actor of 192. So the plain way is tried
 * first.
 */
static void *platform_malloc_lines(size_t size)
{
	void *memory = mi_malloc(size);

	if ((uintptr_t)memory % PLATFORM_LINE == 0)
		return memory;
	mi_free(memory);
	return mi_malloc_aligned(size, PLATFORM_LINE);
}
#else
#define platform_malloc(size)	    malloc(size)
#define platform_malloc_lines(size) aligned_alloc(PLATFORM_LINE, size)
#define platform_free(memory)	    free(memory)
#endif

/* ---- hooks for tests --------------------------------------------------- */

#if TROUPE_HOOKS
static _Atomic(troupe__hook_fn) platform_hook;
static _Atomic uint64_t platform_live;

void troupe__set_hook(troupe__hook_fn hook)
{
	atomic_store(&platform_hook, hook);
}

uint64_t troupe__live_allocations(void)
{
	return atomic_load(&platform_live);
}

bool troupe__point(enum troupe__point point)
{
	troupe__hook_fn hook = atomic_load(&platform_hook);

	return hook == NULL || hook(point);
}

static void *platform_counted(void *memory)
{
	if (memory != NULL)
		atomic_fetch_add(&platform_live, 1);
	return memory;
}

static void platform_uncount(const void *memory)
{
	if (memory != NULL)
		atomic_fetch_sub(&platform_live, 1);
}
#else
void troupe__set_hook(troupe__hook_fn hook)
{
	(void)hook;
}

uint64_t troupe__live_allocations(void)
{
	return 0;
}

static inline void *platform_counted(void *memory)
{
	return memory;
}

static inline void platform_uncount(const void *memory)
{
	(void)memory;
}
#endif

/* ---- memory ------------------------------------------------------------ */

void *troupe__alloc(size_t size)
{
	if (!troupe__point(TROUPE__POINT_ALLOC))
		return NULL;
	return platform_counted(platform_malloc(size));
}

void *troupe__alloc_lines(size_t size)
{
	if (!troupe__point(TROUPE__POINT_ALLOC))
		return NULL;
	return platform_counted(platform_malloc_lines(size));
}

void troupe__free(void *memory)
{
	platform_uncount(memory);
	platform_free(memory);
}

/* ---- threads ----------------------------------------------------------- */

_Static_assert(sizeof(uv_thread_t) <= sizeof(struct troupe__thread),
	       "struct troupe__thread holds libuv's thread");

struct platform_start {
	char name[16];
	void (*run)(void *data);
	void *data;
};

/* The program's signals go to the program's threads, so ours block them; all
 * but what a thread raises by its own fault: blocked, the kernel would end the
 * process without asking a handler that explains it. And SIGPROF, by which
 * profilers look at who uses the processor: blocked here, they would see the
 * program's own threads only. */
static void platform_signals(sigset_t *blocked)
{
	static const int open[] = {SIGABRT, SIGBUS, SIGFPE,  SIGILL,
				   SIGSEGV, SIGSYS, SIGTRAP, SIGPROF};

	sigfillset(blocked);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		sigdelset(blocked, open[i]);
}

static void platform_thread_main(void *data)
{
	struct platform_start start = *(struct platform_start *)data;
	sigset_t blocked;

	/* Opens what the creator had blocked for itself. */
	platform_signals(&blocked);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	troupe__free(data);
	pthread_setname_np(pthread_self(), start.name);
	start.run(start.data);
}

int troupe__thread_create(struct troupe__thread *thread, const char *name,
			  size_t stack_size, void (*run)(void *data),
			  void *data)
{
	uv_thread_options_t options = {.flags = UV_THREAD_NO_FLAGS};
	struct platform_start *start;
	sigset_t blocked, before;
	int result;

	if (!troupe__point(TROUPE__POINT_THREAD))
		return -EAGAIN;
	start = troupe__alloc(sizeof(*start));
	if (start == NULL)
		return -ENOMEM;
	snprintf(start->name, sizeof(start->name), "%s", name);
	start->run = run;
	start->data = data;
	if (stack_size != 0) {
		options.flags = UV_THREAD_HAS_STACK_SIZE;
		options.stack_size = stack_size;
	}
	/* The new thread inherits the mask. Nothing is opened here that the
	 * creator has blocked. */
	platform_signals(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	result = uv_thread_create_ex((uv_thread_t *)thread, &options,
				     platform_thread_main, start);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (result != 0)
		troupe__free(start);
	return result;
}

void troupe__thread_join(struct troupe__thread *thread)
{
	uv_thread_join((uv_thread_t *)thread);
}

void troupe__thread_detach(struct troupe__thread *thread)
{
	(void)pthread_detach(*(uv_thread_t *)thread);
}

void troupe__thread_yield(void)
{
	sched_yield();
}

_Thread_local void (*troupe__before_wait)(void);

static inline void platform_before_wait(void)
{
	if (troupe__before_wait != NULL)
		troupe__before_wait();
}

/* ---- clocks and sleep -------------------------------------------------- */

uint64_t troupe_now(void)
{
	return uv_hrtime();
}

uint64_t troupe_cpu_time(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void troupe_sleep(uint64_t nanoseconds)
{
	struct timespec left = {
		.tv_sec = (time_t)(nanoseconds / 1000000000u),
		.tv_nsec = (long)(nanoseconds % 1000000000u),
	};

	platform_before_wait();
	(void)troupe__point(TROUPE__POINT_SLEEP);
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}

void troupe_relax(void)
{
	platform_before_wait();
	troupe__ck_stall();
}

/* ---- mutex and condition variable -------------------------------------- */

_Static_assert(sizeof(uv_mutex_t) <= sizeof(struct troupe_mutex),
	       "struct troupe_mutex holds libuv's mutex");
_Static_assert(sizeof(uv_cond_t) <= sizeof(struct troupe_cond),
	       "struct troupe_cond holds libuv's condition variable");

int troupe_mutex_init(struct troupe_mutex *mutex)
{
	return uv_mutex_init((uv_mutex_t *)mutex);
}

void troupe_mutex_fini(struct troupe_mutex *mutex)
{
	uv_mutex_destroy((uv_mutex_t *)mutex);
}

void troupe_mutex_lock(struct troupe_mutex *mutex)
{
	(void)troupe__point(TROUPE__POINT_LOCK);
	uv_mutex_lock((uv_mutex_t *)mutex);
}

void troupe_mutex_unlock(struct troupe_mutex *mutex)
{
	(void)troupe__point(TROUPE__POINT_UNLOCK);
	uv_mutex_unlock((uv_mutex_t *)mutex);
}

int troupe_cond_init(struct troupe_cond *cond)
{
	return uv_cond_init((uv_cond_t *)cond);
}

void troupe_cond_fini(struct troupe_cond *cond)
{
	uv_cond_destroy((uv_cond_t *)cond);
}

void troupe_cond_wait(struct troupe_cond *cond, struct troupe_mutex *mutex)
{
	platform_before_wait();
	(void)troupe__point(TROUPE__POINT_WAIT);
	uv_cond_wait((uv_cond_t *)cond, (uv_mutex_t *)mutex);
}

int troupe_cond_wait_for(struct troupe_cond *cond, struct troupe_mutex *mutex,
			 uint64_t nanoseconds)
{
	platform_before_wait();
	(void)troupe__point(TROUPE__POINT_WAIT);
	return uv_cond_timedwait((uv_cond_t *)cond, (uv_mutex_t *)mutex,
				 nanoseconds);
}

void troupe_cond_signal(struct troupe_cond *cond)
{
	(void)troupe__point(TROUPE__POINT_WAKE);
	uv_cond_signal((uv_cond_t *)cond);
}

void troupe_cond_broadcast(struct troupe_cond *cond)
{
	(void)troupe__point(TROUPE__POINT_WAKE);
	uv_cond_broadcast((uv_cond_t *)cond);
}

/* ---- spinlock ---------------------------------------------------------- */

/* So many looks before the processor is given away: the holder may have been
 * preempted on this very core, and then no amount of spinning helps. */
#define SPINLOCK_LOOKS 100

void troupe_spinlock_lock(struct troupe_spinlock *lock)
{
	unsigned looks = 0;

	(void)troupe__point(TROUPE__POINT_LOCK);
	while (!troupe__ck_spinlock_try_lock(&lock->value)) {
		while (troupe__ck_spinlock_held(&lock->value)) {
			if (++looks % SPINLOCK_LOOKS == 0)
				sched_yield();
			else
				troupe__ck_stall();
		}
	}
	troupe__announce_acquire(lock);
}

bool troupe_spinlock_try_lock(struct troupe_spinlock *lock)
{
	if (!troupe__ck_spinlock_try_lock(&lock->value))
		return false;
	troupe__announce_acquire(lock);
	return true;
}

void troupe_spinlock_unlock(struct troupe_spinlock *lock)
{
	(void)troupe__point(TROUPE__POINT_UNLOCK);
	troupe__announce_release(lock);
	troupe__ck_spinlock_unlock(&lock->value);
}

/* ---- event count ------------------------------------------------------- */

/*
 * Why no wake-up is lost. Sleeper: (1) reads the counter, (2) looks for work,
 * (3) waits for that value. Waker: (a) publishes work, (b) adds to the counter
 * by an atomic read-modify-write. If (b) comes before (1), (2) sees the work.
 * If it comes after, the value differs and (3) returns, or (b) finds the
 * sleeper's flag in the counter and wakes it.
 */
uint32_t troupe_event_prepare(struct troupe_event *event)
{
	uint32_t key = troupe__ck_event_value(&event->counter);

	troupe__announce_acquire(event);
	return key;
}

void troupe_event_cancel(struct troupe_event *event, uint32_t key)
{
	(void)event;
	(void)key;
}

int troupe_event_wait(struct troupe_event *event, uint32_t key,
		      uint64_t deadline)
{
	bool woken;

	platform_before_wait();
	(void)troupe__point(TROUPE__POINT_WAIT);
	woken = troupe__ck_event_wait(&event->counter, key, deadline);
	troupe__announce_acquire(event);
	return woken ? 0 : -ETIMEDOUT;
}

void troupe_event_wake(struct troupe_event *event)
{
	(void)troupe__point(TROUPE__POINT_WAKE);
	troupe__announce_release(event);
	troupe__ck_event_increment(&event->counter);
}

/* ---- shared libraries -------------------------------------------------- */

_Static_assert(sizeof(uv_lib_t) <= sizeof(struct troupe__library),
	       "struct troupe__library holds libuv's library");

int troupe__library_open(struct troupe__library *library, const char *path,
			 char *error, size_t error_size)
{
	uv_lib_t *lib = (uv_lib_t *)library;
	int result = 0;

	if (access(path, R_OK) != 0) {
		result = -errno;
		if (error != NULL)
			snprintf(error, error_size, "%s", strerror(-result));
		return result;
	}
	if (uv_dlopen(path, lib) != 0) {
		if (error != NULL)
			snprintf(error, error_size, "%s", uv_dlerror(lib));
		uv_dlclose(lib);
		result = -EINVAL;
	}
	return result;
}

void *troupe__library_symbol(struct troupe__library *library, const char *name)
{
	void *symbol = NULL;

	if (uv_dlsym((uv_lib_t *)library, name, &symbol) != 0)
		return NULL;
	return symbol;
}

void troupe__library_close(struct troupe__library *library)
{
	uv_dlclose((uv_lib_t *)library);
}

/* ---- environment ------------------------------------------------------- */

const char *troupe__environment(const char *name)
{
	return secure_getenv(name);
}

char *const *troupe__environment_all(void)
{
	return getauxval(AT_SECURE) != 0 ? NULL : environ;
}
