// SPDX-License-Identifier: BSD-3-Clause
// caf.hpp - what the programs for CAF have in common. CAF 0.17, as in Debian.
#pragma once

#include "peer.hpp"

#include <atomic>
#include <future>

#include "caf/all.hpp"

// The scheduler: "sharing", or "stealing", which is the default.
struct caf_config : caf::actor_system_config {
	explicit caf_config(const peer_trial &trial)
	{
		set("scheduler.policy", trial.policy == "sharing"
						? caf::atom("sharing")
						: caf::atom("stealing"));
		set("scheduler.max-threads", trial.workers);
	}
};

// Main waits for it.
struct caf_end {
	std::promise<void> promise;

	void set()
	{
		promise.set_value();
	}
	void wait()
	{
		promise.get_future().wait();
	}
};

inline caf::actor caf_sender(caf::event_based_actor *self)
{
	return caf::actor_cast<caf::actor>(self->current_sender());
}

double caf_ping_pong(const peer_trial &trial);
double caf_ping_pong_32(const peer_trial &trial);
double caf_request(const peer_trial &trial);
double caf_ring(const peer_trial &trial);
double caf_counting(const peer_trial &trial);
double caf_fan_in(const peer_trial &trial);
double caf_fan_in_unbounded(const peer_trial &trial);
double caf_spawn(const peer_trial &trial);
double caf_tree(const peer_trial &trial);
double caf_big(const peer_trial &trial);
double caf_chameneos(const peer_trial &trial);
double caf_registry(const peer_trial &trial);
double caf_create(const peer_trial &trial);
double caf_memory(const peer_trial &trial);
double caf_idle(const peer_trial &trial);
double caf_wake(const peer_trial &trial);
