/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * quantile.h - the median and other quantiles of repeated runs
 */
#ifndef QUANTILE_H
#define QUANTILE_H

#include <stddef.h>

/** Sorts @numbers. @share: 0.5 is the median. */
double bench_quantile(double *numbers, size_t count, double share);

#endif
