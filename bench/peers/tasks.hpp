// SPDX-License-Identifier: BSD-3-Clause
// What peers that fork and join tasks have in common: the workloads, over their
// own fib(), queens() and tree(), and timed(), which calls a function where
// tasks can be made and says how long it took.
#ifndef TASKS_HPP
#define TASKS_HPP

#include "peer.hpp"

static uint64_t fib(int n);
static uint64_t queens(uint32_t all, uint32_t columns, uint32_t left,
		       uint32_t right);
static uint64_t tree(uint64_t first, uint64_t count);
template <typename function> static double timed(int workers, function body);

static double run_fib(const peer_trial &trial)
{
	int n = peer_fib_size(trial);

	return timed(trial.workers, [&] { fib(n); }) / peer_fib_calls(n);
}

static double run_queens(const peer_trial &trial)
{
	int n = peer_board_size(trial);
	uint64_t solutions = 0;
	double time = timed(trial.workers, [&] {
		solutions = queens((1u << n) - 1, 0, 0, 0);
	});

	peer_verify(solutions, peer_boards[n].solutions);
	return time / double(peer_boards[n].calls);
}

static double run_tree(const peer_trial &trial)
{
	uint64_t count = trial.size(1000000, 2), sum = 0;
	double time = timed(trial.workers, [&] { sum = tree(0, count); });

	peer_verify(sum, count * (count - 1) / 2);
	return time / peer_tree_actors(count);
}

static double run_idle(const peer_trial &trial)
{
	timed(trial.workers, [] { fib(15); });
	return peer_idle(trial);
}

#endif
