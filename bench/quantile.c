/* SPDX-License-Identifier: BSD-3-Clause */
#include "quantile.h"

#include <stdlib.h>

static int quantile_order(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

double bench_quantile(double *numbers, size_t count, double share)
{
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;
	size_t above = below + 1 < count ? below + 1 : below;

	qsort(numbers, count, sizeof(*numbers), quantile_order);
	return numbers[below] +
	       (numbers[above] - numbers[below]) * (place - (double)below);
}
