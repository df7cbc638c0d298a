// SPDX-License-Identifier: BSD-3-Clause
// Actors that talk: pairs, a ring, many to one, and all to all.
#include "caf.hpp"

using namespace caf;

// ---- pairs -----------------------------------------------------------------

struct pong : event_based_actor {
	explicit pong(actor_config &config) : event_based_actor(config)
	{
	}
	behavior make_behavior() override
	{
		return {
			[this](int64_t round) {
				send(caf_sender(this), round);
			},
			[this](int32_t) { quit(); },
		};
	}
};

struct ping : event_based_actor {
	ping(actor_config &config, actor to, int64_t rounds,
	     std::atomic<int> *left, caf_end *end)
		: event_based_actor(config), peer(to), rounds(rounds),
		  left(left), end(end)
	{
	}
	behavior make_behavior() override
	{
		return {
			[this](int32_t) { send(peer, ++round); },
			[this](int64_t) {
				if (round < rounds) {
					send(peer, ++round);
					return;
				}
				send(peer, int32_t(0));
				peer = nullptr;
				quit();
				if (--*left == 0)
					end->set();
			},
		};
	}
	actor peer;
	int64_t rounds, round = 0;
	std::atomic<int> *left;
	caf_end *end;
};

static double pairs(const peer_trial &trial, int count, uint64_t base)
{
	uint64_t rounds = trial.size(base);
	caf_config config(trial);
	actor_system system(config);
	std::atomic<int> left(count);
	caf_end end;
	double start = peer_now();

	for (int i = 0; i < count; i++)
		anon_send(system.spawn<ping>(system.spawn<pong>(),
					     int64_t(rounds), &left, &end),
			  int32_t(1));
	end.wait();
	return (peer_now() - start) / (2.0 * count * double(rounds));
}

double caf_ping_pong(const peer_trial &trial)
{
	return pairs(trial, 1, 500000);
}

double caf_ping_pong_32(const peer_trial &trial)
{
	return pairs(trial, 32, 16000);
}

struct answerer : event_based_actor {
	explicit answerer(actor_config &config) : event_based_actor(config)
	{
	}
	behavior make_behavior() override
	{
		return {
			[](int64_t round) { return round; },
			[this](int32_t) { quit(); },
		};
	}
};

struct requester : event_based_actor {
	requester(actor_config &config, actor to, int64_t rounds, caf_end *end)
		: event_based_actor(config), peer(to), rounds(rounds), end(end)
	{
	}
	void next()
	{
		if (round == rounds) {
			send(peer, int32_t(0));
			quit();
			end->set();
			return;
		}
		request(peer, infinite, ++round).then([this](int64_t) {
			next();
		});
	}
	behavior make_behavior() override
	{
		return {[this](int32_t) { next(); }};
	}
	actor peer;
	int64_t rounds, round = 0;
	caf_end *end;
};

double caf_request(const peer_trial &trial)
{
	uint64_t rounds = trial.size(500000);
	caf_config config(trial);
	actor_system system(config);
	caf_end end;
	double start = peer_now();

	anon_send(system.spawn<requester>(system.spawn<answerer>(),
					  int64_t(rounds), &end),
		  int32_t(1));
	end.wait();
	return (peer_now() - start) / double(rounds);
}

// ---- ring ------------------------------------------------------------------

struct node : event_based_actor {
	node(actor_config &config, caf_end *end)
		: event_based_actor(config), end(end)
	{
	}
	behavior make_behavior() override
	{
		return {
			[this](const actor &to) { next = to; },
			[this](int64_t left) {
				if (left > 0)
					send(next, left - 1);
				else
					end->set();
			},
			[this](int32_t) {
				next = nullptr;
				quit();
			},
		};
	}
	actor next;
	caf_end *end;
};

double caf_ring(const peer_trial &trial)
{
	const size_t length = 503;
	uint64_t hops = trial.size(1000000, length);
	caf_config config(trial);
	actor_system system(config);
	std::vector<actor> nodes;
	caf_end end;
	double start = peer_now();

	for (size_t i = 0; i < length; i++)
		nodes.push_back(system.spawn<node>(&end));
	for (size_t i = 0; i < length; i++)
		anon_send(nodes[i], nodes[(i + 1) % length]);
	anon_send(nodes[0], int64_t(hops));
	end.wait();
	double time = peer_now() - start;

	for (auto &one : nodes)
		anon_send(one, int32_t(0));
	return time / double(hops);
}

// ---- fan-in ----------------------------------------------------------------

static const uint32_t window = 512, batch = 256;

struct consumer : event_based_actor {
	consumer(actor_config &config, uint64_t count, bool credits,
		 caf_end *end)
		: event_based_actor(config), left(count), credits(credits),
		  end(end)
	{
	}
	behavior make_behavior() override
	{
		return {[this](uint32_t, uint32_t number) {
			if (credits && (number + 1) % batch == 0)
				send(caf_sender(this), int32_t(batch));
			if (--left > 0)
				return;
			quit();
			end->set();
		}};
	}
	uint64_t left;
	bool credits;
	caf_end *end;
};

struct producer : event_based_actor {
	producer(actor_config &config, actor to, uint32_t index, uint32_t items)
		: event_based_actor(config), to(to), index(index), items(items)
	{
	}
	behavior make_behavior() override
	{
		return {[this](int32_t credit) {
			for (; credit > 0 && number < items; credit--)
				send(to, index, number++);
			if (number == items)
				quit();
		}};
	}
	actor to;
	uint32_t index, items, number = 0;
};

static double fan_in(const peer_trial &trial, uint32_t producers, uint64_t base,
		     bool credits)
{
	uint64_t items = trial.size(base);
	caf_config config(trial);
	actor_system system(config);
	caf_end end;
	double start = peer_now();
	auto to = system.spawn<consumer>(producers * items, credits, &end);

	for (uint32_t i = 0; i < producers; i++)
		anon_send(system.spawn<producer>(to, i, uint32_t(items)),
			  credits ? int32_t(window) : INT32_MAX);
	end.wait();
	return (peer_now() - start) / double(producers * items);
}

double caf_counting(const peer_trial &trial)
{
	return fan_in(trial, 1, 2000000, true);
}

double caf_fan_in(const peer_trial &trial)
{
	return fan_in(trial, 16, 100000, true);
}

double caf_fan_in_unbounded(const peer_trial &trial)
{
	return fan_in(trial, 16, 100000, false);
}

// ---- big -------------------------------------------------------------------

struct big : event_based_actor {
	big(actor_config &config, const std::vector<actor> *all, uint64_t index,
	    uint64_t pings, std::atomic<uint64_t> *busy, caf_end *end)
		: event_based_actor(config), all(all),
		  seed(index * 2654435761u + 1), left(pings), busy(busy),
		  end(end)
	{
	}
	void next()
	{
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		send((*all)[(seed >> 33) % all->size()], int32_t(1));
	}
	behavior make_behavior() override
	{
		return {
			[this](int32_t) { send(caf_sender(this), int64_t(1)); },
			[this](int64_t) {
				if (--left > 0)
					next();
				else if (--*busy == 0)
					end->set();
			},
			[this](uint32_t) { next(); },
			[this](uint64_t) { quit(); },
		};
	}
	const std::vector<actor> *all;
	uint64_t seed, left;
	std::atomic<uint64_t> *busy;
	caf_end *end;
};

double caf_big(const peer_trial &trial)
{
	uint64_t count = 128, pings = trial.size(5000);
	caf_config config(trial);
	actor_system system(config);
	std::atomic<uint64_t> busy(count);
	std::vector<actor> all;
	caf_end end;
	double start = peer_now();

	for (uint64_t i = 0; i < count; i++)
		all.push_back(
			system.spawn<big>(&all, i, pings, &busy, &end));
	for (auto &one : all)
		anon_send(one, uint32_t(1));
	end.wait();
	double time = peer_now() - start;

	for (auto &one : all)
		anon_send(one, uint64_t(1));
	system.await_all_actors_done();
	return time / double(count * pings);
}

// ---- chameneos -------------------------------------------------------------

struct mall : event_based_actor {
	mall(actor_config &config, uint64_t meetings, int creatures,
	     caf_end *end)
		: event_based_actor(config), left(meetings),
		  creatures(creatures), end(end)
	{
	}
	behavior make_behavior() override
	{
		return {[this](int32_t colour) {
			if (left == 0) {
				send(caf_sender(this), uint32_t(0));
				if (--creatures > 0)
					return;
				quit();
				end->set();
			} else if (!waiting) {
				waiting = caf_sender(this);
			} else {
				left--;
				send(waiting, colour, caf_sender(this));
				waiting = nullptr;
			}
		}};
	}
	actor waiting;
	uint64_t left;
	int creatures;
	caf_end *end;
};

struct creature : event_based_actor {
	creature(actor_config &config, actor to, int colour)
		: event_based_actor(config), to(to), colour(colour)
	{
	}
	behavior make_behavior() override
	{
		return {
			[this](int64_t) { send(to, int32_t(colour)); },
			[this](int32_t other, const actor &from) {
				if (colour != other)
					colour = 3 - colour - other;
				send(from, uint16_t(colour));
				send(to, int32_t(colour));
			},
			[this](uint16_t changed) {
				colour = changed;
				send(to, int32_t(colour));
			},
			[this](uint32_t) {
				to = nullptr;
				quit();
			},
		};
	}
	actor to;
	int colour;
};

double caf_chameneos(const peer_trial &trial)
{
	uint64_t meetings = trial.size(300000);
	caf_config config(trial);
	actor_system system(config);
	caf_end end;
	double start = peer_now();
	auto middle = system.spawn<mall>(meetings, 100, &end);

	for (int i = 0; i < 100; i++)
		anon_send(system.spawn<creature>(middle, i % 3), int64_t(1));
	end.wait();
	return (peer_now() - start) / double(meetings);
}
