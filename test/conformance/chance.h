/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * chance.h - random numbers of a seed, and small delays at random places
 *
 * Each thread draws from a generator of its own, made from the seed and the
 * order in which threads first draw. The same seed gives the same numbers;
 * how threads interleave stays the machine's business.
 */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdbool.h>
#include <stdint.h>

/** Context: before there are threads. */
void chance_seed(uint64_t seed);

/** 64 random bits. Any thread. */
uint64_t chance_bits(void);
/** A number below @limit, which is not 0. */
uint32_t chance_below(uint32_t limit);

/** Now and then a short delay; else nothing. For places where a switch to
 * another thread is interesting. */
void chance_nudge(void);

/** Puts nudges before every lock, unlock, wait and wake of the library, in
 * builds that have hooks. Context: before there are threads. */
void chance_nudge_library(void);

/** Sleeps for @nanoseconds. */
void chance_sleep(uint64_t nanoseconds);
/** Sleeps for a random time: often none, at times a deep sleep's worth. */
void chance_nap(void);

#endif
