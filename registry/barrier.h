/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * barrier.h - a fence in all threads of the process at once
 */
#ifndef BARRIER_H
#define BARRIER_H

#include <stdbool.h>

/** Returns: false if this system has none; then call the other never. */
bool troupe__barrier_init(void);

/**
 * troupe__barrier - every thread of the process executes a full fence
 *
 * Costs a system call, and an interrupt of each other processor that runs a
 * thread of this process.
 *
 * Returns: false if the system refused.
 */
bool troupe__barrier(void);

#endif
