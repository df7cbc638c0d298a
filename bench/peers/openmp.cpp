// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's tasks: one for each call, and none for the last of a call, which
// the task makes itself.
#include "tasks.hpp"

#include <omp.h>

static uint64_t fib(int n)
{
	uint64_t a, b;

	if (n < 2)
		return uint64_t(n);
#pragma omp task shared(a) firstprivate(n)
	a = fib(n - 1);
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static uint64_t queens(uint32_t all, uint32_t columns, uint32_t left,
		       uint32_t right)
{
	uint32_t open = all & ~(columns | left | right);
	uint64_t sums[16], sum = 0;
	int count = 0;

	if (columns == all)
		return 1;
	while (open != 0) {
		uint32_t column = open & -open;
		uint64_t *result = &sums[count++];

		open ^= column;
#pragma omp task firstprivate(result, all, columns, left, right, column)
		*result = queens(all, columns | column, (left | column) << 1,
				 (right | column) >> 1);
	}
#pragma omp taskwait
	while (count > 0)
		sum += sums[--count];
	return sum;
}

static uint64_t tree(uint64_t first, uint64_t count)
{
	uint64_t width = std::min<uint64_t>(count, 10), sums[10], sum = 0;

	if (count == 1)
		return first;
	for (uint64_t i = 0; i < width; i++) {
		uint64_t begin = count * i / width, end = count * (i + 1) / width;
		uint64_t *result = &sums[i];

#pragma omp task firstprivate(result, first, begin, end)
		*result = tree(first + begin, end - begin);
	}
#pragma omp taskwait
	for (uint64_t i = 0; i < width; i++)
		sum += sums[i];
	return sum;
}

// One thread of the team calls @body.
template <typename function> static double timed(int workers, function body)
{
	double time = 0;

#pragma omp parallel num_threads(workers)
#pragma omp single
	{
		double start = peer_now();

		body();
		time = peer_now() - start;
	}
	return time;
}

static double run_jobs_inside(const peer_trial &trial)
{
	uint64_t count = trial.size(10000000);

	return timed(trial.workers,
		     [&] {
			     for (uint64_t i = 0; i < count; i++) {
#pragma omp task
				     {
					     __asm__ volatile("" ::: "memory");
				     }
				     if (i % 1000 == 999) {
#pragma omp taskwait
				     }
			     }
#pragma omp taskwait
		     }) /
	       double(count);
}

int main(int argc, char **argv)
{
	static const peer_workload workloads[] = {
		{"fib", run_fib, true},
		{"nqueens", run_queens, true},
		{"tree", run_tree, true},
		{"jobs-inside", run_jobs_inside, true},
		{"idle", run_idle, false},
		{nullptr, nullptr, false},
	};

	return peer_main(argc, argv, workloads);
}
