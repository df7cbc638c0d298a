// SPDX-License-Identifier: BSD-3-Clause
// Actors that come and go, and what a system costs that does little.
#include "caf.hpp"

using namespace caf;

// ---- spawn: in waves, as ours ----------------------------------------------

static const int wave_size = 256, wave_count = 4;

struct child : event_based_actor {
	child(actor_config &config, std::atomic<int> *left, int wave)
		: event_based_actor(config), left(left), wave(wave)
	{
	}
	behavior make_behavior() override
	{
		return {[this](int64_t) {
			quit();
			if (--*left == 0)
				send(caf_sender(this), int32_t(wave));
		}};
	}
	std::atomic<int> *left;
	int wave;
};

struct parent : event_based_actor {
	parent(actor_config &config, uint64_t count, caf_end *end)
		: event_based_actor(config), count(count), end(end)
	{
	}
	void start(int wave)
	{
		int size = int(std::min<uint64_t>(wave_size, count));

		count -= uint64_t(size);
		if (size == 0) {
			if (--busy > 0)
				return;
			quit();
			end->set();
			return;
		}
		left[wave] = size;
		for (int i = 0; i < size; i++)
			send(spawn<child>(&left[wave], wave), int64_t(i));
	}
	behavior make_behavior() override
	{
		return {
			[this](int64_t) {
				for (int i = 0; i < wave_count; i++)
					start(i);
			},
			[this](int32_t wave) { start(wave); },
		};
	}
	uint64_t count;
	int busy = wave_count;
	std::atomic<int> left[wave_count];
	caf_end *end;
};

double caf_spawn(const peer_trial &trial)
{
	uint64_t count = trial.size(300000);
	caf_config config(trial);
	actor_system system(config);
	caf_end end;
	double start = peer_now();

	anon_send(system.spawn<parent>(count, &end), int64_t(1));
	end.wait();
	return (peer_now() - start) / double(count);
}

// ---- tree ------------------------------------------------------------------

struct branch : event_based_actor {
	branch(actor_config &config, actor above, uint64_t first,
	       uint64_t count, uint64_t *result, caf_end *end)
		: event_based_actor(config), above(above), first(first),
		  count(count), result(result), end(end)
	{
	}
	void finish()
	{
		if (above) {
			send(above, sum);
		} else {
			*result = sum;
			end->set();
		}
		above = nullptr;
		quit();
	}
	void split()
	{
		waiting = std::min<uint64_t>(count, 10);
		for (uint64_t i = 0; i < waiting; i++) {
			uint64_t begin = count * i / waiting;
			uint64_t next = count * (i + 1) / waiting;

			send(spawn<branch>(actor{this}, first + begin,
					   next - begin, result, end),
			     int32_t(1));
		}
	}
	behavior make_behavior() override
	{
		return {
			[this](int32_t) {
				sum = first;
				if (count == 1)
					return finish();
				sum = 0;
				split();
			},
			[this](uint64_t of_child) {
				sum += of_child;
				if (--waiting == 0)
					finish();
			},
		};
	}
	actor above;
	uint64_t first, count, sum = 0, waiting = 0;
	uint64_t *result;
	caf_end *end;
};

double caf_tree(const peer_trial &trial)
{
	uint64_t count = trial.size(1000000, 2), sum = 0;
	caf_config config(trial);
	actor_system system(config);
	caf_end end;
	double start = peer_now();

	anon_send(system.spawn<branch>(actor{}, uint64_t(0), count, &sum, &end),
		  int32_t(1));
	end.wait();
	system.await_all_actors_done();
	double time = peer_now() - start;

	peer_verify(sum, count * (count - 1) / 2);
	return time / peer_tree_actors(count);
}

// ---- doing little ----------------------------------------------------------

static std::atomic<uint64_t> handled;

struct quiet : event_based_actor {
	explicit quiet(actor_config &config) : event_based_actor(config)
	{
	}
	behavior make_behavior() override
	{
		return {[](int32_t) { handled++; }};
	}
};

// A message each, and few at a time, as ours.
static std::vector<actor> quiet_spawn(actor_system &system, uint64_t count)
{
	std::vector<actor> all(count);

	handled = 0;
	for (uint64_t i = 0; i < count; i++) {
		all[i] = system.spawn<quiet>();
		anon_send(all[i], int32_t(1));
		while ((i + 1) % 100 == 0 && handled <= i)
			std::this_thread::yield();
	}
	while (handled < count)
		std::this_thread::yield();
	return all;
}

double caf_memory(const peer_trial &trial)
{
	uint64_t count = trial.size(1000000, 1000);
	caf_config config(trial);
	actor_system system(config);
	double before = peer_resident();
	auto all = quiet_spawn(system, count);

	// The handles are not the actors'.
	printf("memory %.3f\n",
	       (peer_resident() - before) / double(count) - sizeof(actor));
	fflush(stdout);
	_exit(0); // to end a million actors takes long
}

double caf_idle(const peer_trial &trial)
{
	caf_config config(trial);
	actor_system system(config);
	auto all = quiet_spawn(system, 100);

	return peer_idle(trial);
}

double caf_create(const peer_trial &trial)
{
	uint64_t count = trial.size(200, 3);
	double start = 0;

	for (uint64_t i = 0; i <= count; i++) {
		if (i == 1)
			start = peer_now();
		caf_config config(trial);
		actor_system system(config);
	}
	return (peer_now() - start) / double(count);
}

// Names are atoms here: numbers.
double caf_registry(const peer_trial &trial)
{
	const uint32_t names = 1024;
	uint64_t count = trial.size(2000000, 1000);
	caf_config config(trial);
	actor_system system(config);
	auto all = quiet_spawn(system, names);
	std::vector<atom_value> atoms;
	uint32_t random = 1;

	for (uint32_t i = 0; i < names; i++) {
		atoms.push_back(atom_from_string("svc" + std::to_string(i)));
		system.registry().put(atoms[i],
				      actor_cast<strong_actor_ptr>(all[i]));
	}
	double start = peer_now();

	for (uint64_t i = 0; i < count; i++) {
		random = random * 1664525u + 1013904223u;
		if (!system.registry().get(atoms[(random >> 8) % names]))
			peer_fail("not found");
	}
	double time = peer_now() - start;

	// It keeps what it knows, and the system would wait for that.
	for (auto &atom : atoms)
		system.registry().erase(atom);
	return time / double(count);
}

static std::atomic<double> took;

struct sleeper : event_based_actor {
	explicit sleeper(actor_config &config) : event_based_actor(config)
	{
	}
	behavior make_behavior() override
	{
		return {[](double sent) { took = peer_now() - sent; }};
	}
};

double caf_wake(const peer_trial &trial)
{
	caf_config config(trial);
	actor_system system(config);
	auto to = system.spawn<sleeper>();

	return peer_wake(trial, [&](size_t) {
		took = 0;
		anon_send(to, peer_now());
		while (took.load() == 0)
			peer_sleep(2e5);
		return took.load();
	});
}

int main(int argc, char **argv)
{
	static const peer_workload workloads[] = {
		{"ping-pong", caf_ping_pong, true},
		{"ping-pong-32", caf_ping_pong_32, true},
		{"request", caf_request, true},
		{"ring", caf_ring, true},
		{"counting", caf_counting, true},
		{"fan-in", caf_fan_in, true},
		{"fan-in-unbounded", caf_fan_in_unbounded, true},
		{"spawn", caf_spawn, true},
		{"tree", caf_tree, true},
		{"big", caf_big, true},
		{"chameneos", caf_chameneos, true},
		{"registry", caf_registry, true},
		{"create", caf_create, false},
		{"memory", caf_memory, false},
		{"idle", caf_idle, false},
		{"wake", caf_wake, false},
		{nullptr, nullptr, false},
	};

	return peer_main(argc, argv, workloads);
}
