/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * profiled_data.h - what "profiled:NAME" keeps, written by profiled.c and read
 * by profiled_read.c
 *
 * Legend: I set at init or at the first run, W the worker only, L under the
 * lock of the home worker, A atomic: one writer, any reader.
 */
#ifndef PROFILED_DATA_H
#define PROFILED_DATA_H

#include "profiled.h"
#include "troupe_profiled.h"

#include <stdatomic.h>

#define PROFILED_SECTION   "profiled"
#define PROFILED_NAMES	   128
#define PROFILED_NAME_SIZE sizeof(((struct troupe_profiled_record *)NULL)->name)

struct profiled_sums {
	_Atomic uint64_t runs;	       /* A */
	_Atomic uint64_t messages;     /* A */
	_Atomic uint64_t cpu_time;     /* A */
	_Atomic uint64_t wall_time;    /* A */
	_Atomic uint64_t waiting_time; /* A */
};

struct profiled_name {
	char name[PROFILED_NAME_SIZE]; /* I */
	struct profiled_sums sums;
	_Atomic uint64_t jobs;	    /* A: had their first run here */
	_Atomic uint64_t ended;	    /* A: ended here */
	_Atomic uint64_t life_time; /* A: of those */
};

/* A ring. Readers put nodes of their own in, to keep their place. */
struct profiled_node {
	struct profiled_node *next; /* L */
	struct profiled_node *prev; /* L */
	bool reader;		    /* I */
};

struct profiled_worker {
	_Alignas(64) uint64_t run_began; /* W: of the current run */
	uint64_t run_cpu_began;		 /* W */
	uint64_t run_waited;		 /* W: before it */
	_Atomic uint32_t count;		 /* A: of names */

	_Alignas(64) struct troupe_spinlock lock;
	struct profiled_node living; /* L: jobs first run here */
	struct profiled_name names[PROFILED_NAMES];
};

struct profiled_job {
	struct profiled_node node;    /* first: a node is a job */
	struct profiled_worker *home; /* I: NULL before the first run */
	struct troupe_job *job;	      /* I */
	uint64_t since;		      /* I: when it was READY first */
	struct profiled_sums sums;
};

struct profiled_coordinator {
	bool cpu_time; /* I: the option */
};

/* ---- where it is ------------------------------------------------------- */

static inline const struct troupe_policy_ops *
troupe__profiled_inner(const struct troupe_coordinator *coordinator)
{
	return &((const struct troupe__profiled *)coordinator->policy)->inner;
}

/** Our data begins on a line of its own. */
static inline size_t troupe__profiled_line(size_t size)
{
	return (size + 63) & ~(size_t)63;
}

static inline size_t
troupe__profiled_job_offset(const struct troupe_policy_ops *inner)
{
	size_t align = _Alignof(struct profiled_job);

	return (inner->job_data_size + align - 1) & ~(align - 1);
}

static inline struct profiled_coordinator *
troupe__profiled_coordinator(const struct troupe_coordinator *coordinator)
{
	size_t size =
		troupe__profiled_inner(coordinator)->coordinator_data_size;

	return (void *)((unsigned char *)coordinator->data +
			troupe__profiled_line(size));
}

static inline struct profiled_worker *
troupe__profiled_worker(const struct troupe_worker *worker)
{
	size_t size =
		troupe__profiled_inner(worker->coordinator)->worker_data_size;

	return (void *)((unsigned char *)worker->data +
			troupe__profiled_line(size));
}

static inline struct profiled_job *
troupe__profiled_job(const struct troupe_policy_ops *inner,
		     struct troupe_job *job)
{
	return (void *)((unsigned char *)troupe_job_data(job) +
			troupe__profiled_job_offset(inner));
}

/* ---- the ring of living jobs: under the lock --------------------------- */

static inline void troupe__profiled_insert(struct profiled_node *after,
					   struct profiled_node *node)
{
	node->prev = after;
	node->next = after->next;
	after->next->prev = node;
	after->next = node;
}

static inline void troupe__profiled_remove(struct profiled_node *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

#endif
