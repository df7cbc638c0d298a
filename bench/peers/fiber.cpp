// SPDX-License-Identifier: BSD-3-Clause
// Boost.Fiber: fibers on one thread, with bounded channels as mailboxes.
#include "peer.hpp"

#include <memory>

#include <boost/fiber/all.hpp>

namespace fibers = boost::fibers;
using channel = fibers::buffered_channel<uint64_t>;

static fibers::pooled_fixedsize_stack stacks(16384);

template <typename function> static fibers::fiber spawn(function body)
{
	return fibers::fiber(fibers::launch::post, std::allocator_arg, stacks,
			     body);
}

static double pairs(const peer_trial &trial, int count, uint64_t base)
{
	uint64_t rounds = trial.size(base);
	std::vector<std::unique_ptr<channel>> channels;
	std::vector<fibers::fiber> all;

	for (int i = 0; i < 2 * count; i++)
		channels.emplace_back(new channel(4));
	double start = peer_now();

	for (int i = 0; i < count; i++) {
		channel *there = channels[2 * i].get();
		channel *back = channels[2 * i + 1].get();

		all.push_back(spawn([=] {
			for (uint64_t r = 0; r < rounds; r++) {
				there->push(r);
				peer_verify(back->value_pop(), r);
			}
		}));
		all.push_back(spawn([=] {
			for (uint64_t r = 0; r < rounds; r++)
				back->push(there->value_pop());
		}));
	}
	for (auto &fiber : all)
		fiber.join();
	return (peer_now() - start) / (2.0 * count * double(rounds));
}

static double run_ping_pong(const peer_trial &trial)
{
	return pairs(trial, 1, 500000);
}

static double run_ping_pong_32(const peer_trial &trial)
{
	return pairs(trial, 32, 16000);
}

static double run_ring(const peer_trial &trial)
{
	const size_t length = 503;
	uint64_t hops = trial.size(1000000, length);
	std::vector<std::unique_ptr<channel>> channels;
	std::vector<fibers::fiber> all;

	for (size_t i = 0; i < length; i++)
		channels.emplace_back(new channel(2));
	double start = peer_now();

	for (size_t i = 0; i < length; i++)
		all.push_back(spawn([&, i] {
			channel &next = *channels[(i + 1) % length];
			uint64_t left;

			while (channels[i]->pop(left) ==
			       fibers::channel_op_status::success) {
				if (left == 0)
					for (auto &one : channels)
						one->close();
				else
					next.push(left - 1);
			}
		}));
	channels[0]->push(hops);
	for (auto &fiber : all)
		fiber.join();
	return (peer_now() - start) / double(hops);
}

static double fan_in(const peer_trial &trial, int producers, uint64_t base)
{
	uint64_t items = trial.size(base), received = 0;
	channel mailbox(8192);
	std::vector<fibers::fiber> all;
	double start = peer_now();

	all.push_back(spawn([&] {
		for (uint64_t i = 0; i < items * uint64_t(producers); i++)
			received += mailbox.value_pop();
	}));
	for (int i = 0; i < producers; i++)
		all.push_back(spawn([&] {
			for (uint64_t n = 0; n < items; n++)
				mailbox.push(1);
		}));
	for (auto &fiber : all)
		fiber.join();
	peer_verify(received, items * uint64_t(producers));
	return (peer_now() - start) / double(received);
}

static double run_counting(const peer_trial &trial)
{
	return fan_in(trial, 1, 2000000);
}

static double run_fan_in_held(const peer_trial &trial)
{
	return fan_in(trial, 16, 100000);
}

// In waves, as ours, so that stacks are used again.
static double run_spawn(const peer_trial &trial)
{
	uint64_t count = trial.size(300000), received = 0;
	double start = peer_now();

	for (uint64_t done = 0; done < count; done += 1024) {
		std::vector<fibers::fiber> wave;
		std::vector<fibers::promise<uint64_t>> messages(
			size_t(std::min<uint64_t>(1024, count - done)));

		for (auto &message : messages) {
			wave.push_back(spawn([&] {
				received += message.get_future().get();
			}));
			message.set_value(1);
		}
		for (auto &fiber : wave)
			fiber.join();
	}
	peer_verify(received, count);
	return (peer_now() - start) / double(count);
}

// Dispatched, a child runs at once: depth first, so that few stacks exist.
static uint64_t tree(uint64_t first, uint64_t count)
{
	uint64_t width = std::min<uint64_t>(count, 10), sums[10], sum = 0;
	fibers::fiber children[10];

	if (count == 1)
		return first;
	for (uint64_t i = 0; i < width; i++) {
		uint64_t begin = count * i / width, end = count * (i + 1) / width;
		uint64_t *result = &sums[i];

		children[i] = fibers::fiber(
			fibers::launch::dispatch, std::allocator_arg, stacks,
			[=] { *result = tree(first + begin, end - begin); });
	}
	for (uint64_t i = 0; i < width; i++) {
		children[i].join();
		sum += sums[i];
	}
	return sum;
}

static double run_tree(const peer_trial &trial)
{
	// A million leaves do not end in a minute.
	uint64_t count = trial.size(100000, 2);
	double start = peer_now();

	peer_verify(tree(0, count), count * (count - 1) / 2);
	return (peer_now() - start) / peer_tree_actors(count);
}

static double run_memory(const peer_trial &trial)
{
	uint64_t count = trial.size(30000, 1000);
	fibers::promise<void> end;
	auto ended = end.get_future().share();
	std::vector<fibers::fiber> all;

	all.reserve(count);
	double before = peer_resident();

	for (uint64_t i = 0; i < count; i++)
		all.push_back(spawn([=] { ended.wait(); }));
	boost::this_fiber::yield();
	double result = (peer_resident() - before) / double(count);

	end.set_value();
	for (auto &fiber : all)
		fiber.join();
	return result;
}

int main(int argc, char **argv)
{
	static const peer_workload workloads[] = {
		{"ping-pong", run_ping_pong, true},
		{"ping-pong-32", run_ping_pong_32, true},
		{"ring", run_ring, true},
		{"counting", run_counting, true},
		{"fan-in-held", run_fan_in_held, true},
		{"spawn", run_spawn, true},
		{"tree", run_tree, true},
		{"memory", run_memory, false},
		{nullptr, nullptr, false},
	};

	return peer_main(argc, argv, workloads);
}
