// SPDX-License-Identifier: BSD-3-Clause
// peer.hpp - what the peers written in C++ have in common
//
//	PEER list
//	PEER WORKLOAD WORKERS SCALE [POLICY]
//
// prints "NAME NUMBER" lines: the names, sizes and units are those of bench. A
// workload returns the nanoseconds of one operation. Those that are to be warm
// are run once before, at a twentieth of the size, as bench does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <time.h>
#include <unistd.h>

struct peer_trial {
	int workers;
	double scale;
	std::string policy;

	uint64_t size(uint64_t base, uint64_t minimum = 1) const
	{
		return std::max(minimum, uint64_t(double(base) * scale));
	}
};

struct peer_workload {
	const char *name;
	double (*run)(const peer_trial &trial);
	bool warm;
};

inline double peer_clock(clockid_t clock)
{
	timespec now;

	clock_gettime(clock, &now);
	return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

inline double peer_now()
{
	return peer_clock(CLOCK_MONOTONIC);
}

inline void peer_sleep(double nanoseconds)
{
	std::this_thread::sleep_for(
		std::chrono::nanoseconds(int64_t(nanoseconds)));
}

[[noreturn]] inline void peer_fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	_exit(1);
}

inline void peer_verify(uint64_t got, uint64_t expected)
{
	if (got != expected)
		peer_fail("wrong result");
}

// Bytes in memory.
inline double peer_resident()
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (file == nullptr || fscanf(file, "%*s %ld", &pages) != 1)
		peer_fail("cannot read /proc/self/statm");
	fclose(file);
	return double(pages) * double(sysconf(_SC_PAGESIZE));
}

// Milliseconds of processor time in 5 s, or as much of them as the scale says.
inline double peer_idle(const peer_trial &trial)
{
	double time = 5e9 * std::min(trial.scale, 1.0);

	peer_sleep(0.3e9);
	double before = peer_clock(CLOCK_PROCESS_CPUTIME_ID);
	peer_sleep(time);
	return (peer_clock(CLOCK_PROCESS_CPUTIME_ID) - before) / 1e6 *
	       (5e9 / time);
}

// Wakes by @wake(index), which returns what it took, at the times of bench.
template <typename function>
double peer_wake(const peer_trial &trial, function wake)
{
	std::vector<double> times(trial.size(500, 20));
	uint32_t random = 1;

	for (size_t i = 0; i < times.size(); i++) {
		random = random * 1664525u + 1013904223u;
		peer_sleep(1.5e6 + 1e6 * (random >> 16) / 65536);
		times[i] = wake(i);
	}
	std::sort(times.begin(), times.end());
	printf("wake-p99 %.3f\n", times[size_t(double(times.size() - 1) * .99)]);
	return times[times.size() / 2];
}

// How many calls fib(n) makes.
inline double peer_fib_calls(int n)
{
	double a = 1, b = 1;

	for (; n > 1; n--) {
		double c = a + b + 1;

		a = b;
		b = c;
	}
	return b;
}

// The largest fib whose calls fit the scale; 30 at 1.
inline int peer_fib_size(const peer_trial &trial)
{
	int n = 1;

	while (peer_fib_calls(n + 1) <= double(trial.size(2692537)))
		n++;
	return n;
}

// Placements that attack nobody: the calls of nqueens, by size of the board.
const struct {
	uint64_t solutions, calls;
} peer_boards[] = {
	{1, 1},	   {1, 2},    {0, 3},	 {0, 6},       {2, 17},	    {10, 54},
	{4, 153},  {40, 552}, {92, 2057}, {352, 8394}, {724, 35539}, {2680, 166926},
};

// 11 at 1.
inline int peer_board_size(const peer_trial &trial)
{
	int n = 11;

	while (n > 1 && peer_boards[n].calls > trial.size(166926))
		n--;
	return n;
}

// How many actors a tree of so many leaves has, ten children each.
inline double peer_tree_actors(uint64_t count)
{
	uint64_t width = std::min<uint64_t>(count, 10);

	if (count <= 1)
		return 1;
	return 1 + double(width - count % width) * peer_tree_actors(count / width) +
	       (count % width == 0 ? 0
				   : double(count % width) *
					     peer_tree_actors(count / width + 1));
}

inline int peer_main(int argc, char **argv, const peer_workload *workloads)
{
	std::string name = argc > 1 ? argv[1] : "";

	for (; workloads->name != nullptr; workloads++) {
		if (name == "list")
			puts(workloads->name);
		if (name != workloads->name || argc < 4)
			continue;
		peer_trial trial = {atoi(argv[2]), atof(argv[3]),
				    argc > 4 ? argv[4] : ""};
		peer_trial small = trial;

		small.scale *= 0.05;
		if (workloads->warm)
			workloads->run(small);
		double result = workloads->run(trial);

		printf("%s %.3f\n",
		       name == "wake" ? "wake-p50" : workloads->name, result);
		fflush(stdout);
		_exit(0); // whatever still runs
	}
	if (name == "list")
		return 0;
	fprintf(stderr, "usage: %s list | WORKLOAD WORKERS SCALE [POLICY]\n",
		argv[0]);
	return 2;
}
