/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The board: shared memory between a check and its watchdog. The table of
 * marks is open-addressed by the job's address and only ever grows: a check
 * sees some thousand addresses.
 */
#include "board.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* relaxed everywhere in this file: each word stands for itself, nothing is
 * published by it; see board.h for why it must not be stronger. */
#define RELAXED memory_order_relaxed

struct board *board_create(void)
{
	void *memory = mmap(NULL, sizeof(struct board), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void board_destroy(struct board *board)
{
	if (board != NULL)
		munmap(board, sizeof(*board));
}

void board_step(struct board *board, const char *what)
{
	atomic_store_explicit(&board->step, what, RELAXED);
	atomic_fetch_add_explicit(&board->progress, 1, RELAXED);
}

void board_doing(struct board *board, uint32_t worker, const char *what)
{
	if (worker < BOARD_WORKERS)
		atomic_store_explicit(&board->doing[worker], what, RELAXED);
}

void board_fail(struct board *board, const char *format, ...)
{
	va_list arguments;

	if (atomic_exchange(&board->accused, 1) != 0) {
		/* Another thread was first and is about to end us. */
		for (;;)
			pause();
	}
	va_start(arguments, format);
	vsnprintf(board->reason, sizeof(board->reason), format, arguments);
	va_end(arguments);
	atomic_store(&board->verdict, BOARD_FAILED);
	_exit(1);
}

/* ---- marks ------------------------------------------------------------- */

static uint64_t board_pack(struct board_where where)
{
	return (uint64_t)where.place | (uint64_t)where.path << 4 |
	       (uint64_t)(where.worker & 0xffffff) << 8 |
	       (uint64_t)where.system << 32;
}

static struct board_where board_unpack(uint64_t packed)
{
	struct board_where where = {
		.place = (enum board_place)(packed & 0xf),
		.path = (enum board_path)(packed >> 4 & 0xf),
		.worker = (uint32_t)(packed >> 8 & 0xffffff),
		.system = (uint32_t)(packed >> 32),
	};

	if (where.worker == 0xffffff)
		where.worker = BOARD_NOBODY;
	return where;
}

struct board_mark *board_mark(struct board *board, const struct troupe_job *job)
{
	uintptr_t address = (uintptr_t)job;
	uint32_t place = (uint32_t)((address >> 4) * 0x9e3779b97f4a7c15u >> 40);

	for (uint32_t probe = 0; probe < BOARD_MARKS; probe++) {
		struct board_mark *mark =
			&board->marks[(place + probe) % BOARD_MARKS];
		uintptr_t found = 0;

		if (atomic_compare_exchange_strong_explicit(
			    &mark->job, &found, address, RELAXED, RELAXED) ||
		    found == address)
			return mark;
	}
	board_fail(board, "the suite's own table of jobs is full");
}

struct board_where board_move(struct board *board, struct board_mark *mark,
			      struct board_where where)
{
	uint64_t before = atomic_exchange_explicit(&mark->where,
						   board_pack(where), RELAXED);

	atomic_fetch_add_explicit(&board->progress, 1, RELAXED);
	return board_unpack(before);
}

struct board_where board_look(const struct board_mark *mark)
{
	return board_unpack(atomic_load_explicit(&mark->where, RELAXED));
}

const char *board_path_name(enum board_path path)
{
	static const char *const names[] = {
		[BOARD_CENTRAL] = "central_enqueue",
		[BOARD_EXTERNAL] = "external_enqueue",
		[BOARD_INTERNAL] = "internal_enqueue",
		[BOARD_LATER] = "resume_job_later",
	};

	return names[path];
}

const struct board_mark *board_queued(const struct board *board,
				      uint32_t system)
{
	for (uint32_t i = 0; i < BOARD_MARKS; i++) {
		struct board_where where = board_look(&board->marks[i]);

		if (where.place == BOARD_QUEUED &&
		    (system == 0 || where.system == system))
			return &board->marks[i];
	}
	return NULL;
}

/* ---- the state as text ------------------------------------------------- */

struct board_text {
	char *text;
	size_t size;
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void
board_print(struct board_text *to, const char *format, ...)
{
	va_list arguments;
	int wrote;

	va_start(arguments, format);
	wrote = vsnprintf(to->text + to->used, to->size - to->used, format,
			  arguments);
	va_end(arguments);
	if (wrote > 0)
		to->used += (size_t)wrote;
	if (to->used >= to->size)
		to->used = to->size - 1;
}

static void board_print_mark(struct board_text *to,
			     const struct board_mark *mark)
{
	struct board_where where = board_look(mark);
	uint64_t id = atomic_load_explicit(&mark->id, RELAXED);

	if (where.place == BOARD_HELD)
		board_print(to, "job %llu: dequeued by worker %u\n",
			    (unsigned long long)id, where.worker);
	else if (where.worker == BOARD_NOBODY)
		board_print(to, "job %llu: queued by %s\n",
			    (unsigned long long)id,
			    board_path_name(where.path));
	else
		board_print(to, "job %llu: queued by %s of worker %u\n",
			    (unsigned long long)id, board_path_name(where.path),
			    where.worker);
}

#define BOARD_JOBS_SHOWN 8

void board_describe(const struct board *board, char *text, size_t size)
{
	struct board_text to = {text, size, 0};
	const char *step = atomic_load(&board->step);
	uint32_t jobs = 0;

	text[0] = '\0';
	board_print(&to, "step: %s\n", step == NULL ? "none yet" : step);
	for (uint32_t i = 0; i < BOARD_WORKERS; i++) {
		const char *doing = atomic_load(&board->doing[i]);

		if (doing != NULL)
			board_print(&to, "worker %u: %s\n", i, doing);
	}
	for (uint32_t i = 0; i < BOARD_MARKS; i++) {
		if (board_look(&board->marks[i]).place == BOARD_FREE)
			continue;
		if (jobs++ < BOARD_JOBS_SHOWN)
			board_print_mark(&to, &board->marks[i]);
	}
	if (jobs > BOARD_JOBS_SHOWN)
		board_print(&to, "and %u more jobs\n", jobs - BOARD_JOBS_SHOWN);
}
