// SPDX-License-Identifier: BSD-3-Clause
// oneTBB's task groups: a task for each call but the last of a call, which the
// task makes itself; and tasks that main enqueues.
#include "tasks.hpp"

#include <atomic>

#include <oneapi/tbb.h>

using oneapi::tbb::task_arena;
using oneapi::tbb::task_group;

static uint64_t fib(int n)
{
	uint64_t a, b;
	task_group group;

	if (n < 2)
		return uint64_t(n);
	group.run([&] { a = fib(n - 1); });
	b = fib(n - 2);
	group.wait();
	return a + b;
}

static uint64_t queens(uint32_t all, uint32_t columns, uint32_t left,
		       uint32_t right)
{
	uint32_t open = all & ~(columns | left | right);
	uint64_t sums[16], sum = 0;
	int count = 0;
	task_group group;

	if (columns == all)
		return 1;
	while (open != 0) {
		uint32_t column = open & -open;
		uint64_t *result = &sums[count++];

		open ^= column;
		group.run([=] {
			*result = queens(all, columns | column,
					 (left | column) << 1,
					 (right | column) >> 1);
		});
	}
	group.wait();
	while (count > 0)
		sum += sums[--count];
	return sum;
}

static uint64_t tree(uint64_t first, uint64_t count)
{
	uint64_t width = std::min<uint64_t>(count, 10), sums[10], sum = 0;
	task_group group;

	if (count == 1)
		return first;
	for (uint64_t i = 0; i < width; i++) {
		uint64_t begin = count * i / width, end = count * (i + 1) / width;
		uint64_t *result = &sums[i];

		group.run([=] { *result = tree(first + begin, end - begin); });
	}
	group.wait();
	for (uint64_t i = 0; i < width; i++)
		sum += sums[i];
	return sum;
}

// Main is one of the workers.
template <typename function> static double timed(int workers, function body)
{
	task_arena arena(workers, 1);
	double time = 0;

	arena.execute([&] {
		double start = peer_now();

		body();
		time = peer_now() - start;
	});
	return time;
}

static double run_jobs_inside(const peer_trial &trial)
{
	uint64_t count = trial.size(10000000);

	return timed(trial.workers,
		     [&] {
			     task_group group;

			     for (uint64_t i = 0; i < count; i += 1000) {
				     for (int j = 0; j < 1000; j++)
					     group.run([] {});
				     group.wait();
			     }
		     }) /
	       double((count + 999) / 1000 * 1000);
}

// No more than 65536 are on their way, as in ours.
static double run_jobs_outside(const peer_trial &trial)
{
	static std::atomic<uint64_t> ran;
	uint64_t count = trial.size(10000000);
	task_arena arena(trial.workers, 0);

	ran = 0;
	arena.initialize();
	double start = peer_now();

	for (uint64_t i = 0; i < count; i++) {
		while (i % 1024 == 0 && i - ran.load() > 65536)
			std::this_thread::yield();
		arena.enqueue([] { ran.fetch_add(1); });
	}
	while (ran.load() < count)
		std::this_thread::yield();
	return (peer_now() - start) / double(count);
}

static double run_wake(const peer_trial &trial)
{
	task_arena arena(trial.workers, 0);

	arena.initialize();
	return peer_wake(trial, [&](size_t) {
		std::atomic<double> took{0};
		double start = peer_now();

		arena.enqueue([&] { took = peer_now() - start; });
		while (took.load() == 0)
			peer_sleep(2e5);
		return took.load();
	});
}

int main(int argc, char **argv)
{
	static const peer_workload workloads[] = {
		{"fib", run_fib, true},
		{"nqueens", run_queens, true},
		{"tree", run_tree, true},
		{"jobs-inside", run_jobs_inside, true},
		{"jobs-outside", run_jobs_outside, true},
		{"idle", run_idle, false},
		{"wake", run_wake, false},
		{nullptr, nullptr, false},
	};

	return peer_main(argc, argv, workloads);
}
