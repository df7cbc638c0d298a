/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Producers that are, in the release build, a hundred times faster than their
 * consumer, which has a limited mailbox: what waits stays under the limit,
 * whatever the choice of what to do beyond it; to hold back loses nothing and
 * keeps the order. And nets of actors that fill each other, in circles too, go
 * on until all is handled.
 *
 *	--size N	so many messages from each producer
 */
#include "stress.h"

#include "troupe_registry.h"

#include <errno.h>

#define PRODUCERS 3
#define OUTSIDE	  PRODUCERS /* a thread of its own, the last of the senders */
#define SENDERS	  (PRODUCERS + 1)
#define BURST	  8
#define PARCEL	  200	/* bytes of payload, at most */
#define WORK	  50000 /* ns that the consumer takes for each */
#define NET_MAX	  12

enum {
	PARCEL_TAG = 1,
	PRODUCE,
	NET_TURN,
	NET_FILL
};

struct parcel {
	uint32_t sender;
	uint64_t number;
};

/* What one sender did, written by it, and what came, by the consumer. */
struct account {
	uint64_t sent, refused, spent;
	uint64_t received, last;
};

static struct flow {
	struct troupe_limits limits;
	struct troupe_strong consumer;
	struct account accounts[SENDERS];
	uint64_t each;			   /* messages of each sender */
	_Atomic uint64_t live, live_bytes; /* parcels not yet freed */
	_Atomic uint64_t peak, peak_bytes; /* of those */
	struct troupe_actor_info seen;	   /* of the consumer, at the end */
} flow;

static uint64_t flows, nets, handled_all, spent_all, sent_all;

/* ---- parcels ----------------------------------------------------------- */

static void peak_raise(_Atomic uint64_t *peak, uint64_t now)
{
	uint64_t before = atomic_load(peak);

	while (before < now &&
	       !atomic_compare_exchange_weak(peak, &before, now))
		;
}

static void parcel_free(void *data, size_t size)
{
	free(data);
	stress_check(atomic_fetch_sub(&flow.live, 1) > 0, "released twice");
	atomic_fetch_sub(&flow.live_bytes, size);
}

static void parcel_send(uint32_t sender)
{
	struct account *account = &flow.accounts[sender];
	size_t size = sizeof(struct parcel) +
		      stress_below(PARCEL - sizeof(struct parcel));
	struct parcel *parcel = malloc(size);
	int result;

	stress_check(parcel != NULL, "out of memory");
	*parcel = (struct parcel){sender, ++account->sent};
	peak_raise(&flow.peak, atomic_fetch_add(&flow.live, 1) + 1);
	peak_raise(&flow.peak_bytes,
		   atomic_fetch_add(&flow.live_bytes, size) + size);
	result = troupe_send_moved(flow.consumer, PARCEL_TAG, parcel, size,
				   parcel_free);
	if (result == 0)
		return;
	parcel_free(parcel, size);
	stress_check(result == -EAGAIN, "send: %d", result);
	account->refused++;
}

/* ---- the consumer ------------------------------------------------------ */

static int consumer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	const struct parcel *parcel = troupe_payload(message);
	struct account *account = &flow.accounts[parcel->sender];
	uint64_t end = troupe_now() + WORK;

	(void)self;
	(void)state;
	stress_check(parcel->number > account->last,
		     "message %" PRIu64 " of sender %u after %" PRIu64,
		     parcel->number, parcel->sender, account->last);
	account->last = parcel->number;
	account->received++;
	while (troupe_now() < end)
		;
	return 0;
}

static const struct troupe_actor_class consumer_class = {
	.name = "consumer",
	.receive = consumer_receive,
};

/* ---- producers --------------------------------------------------------- */

struct producer {
	uint32_t number;
	struct troupe_strong self;
};

static int producer_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	struct producer *producer = state;

	producer->number = *(const uint32_t *)argument;
	producer->self = troupe_self(self);
	return troupe_send(producer->self, PRODUCE, NULL, 0);
}

static int producer_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	struct producer *producer = state;
	struct account *account = &flow.accounts[producer->number];
	uint64_t start = troupe_now();

	(void)message;
	for (int i = 0; i < BURST && account->sent < flow.each; i++)
		parcel_send(producer->number);
	account->spent += troupe_now() - start;
	if (account->sent < flow.each)
		return troupe_send(producer->self, PRODUCE, NULL, 0);
	troupe_quit(self, 0);
	return 0;
}

static void producer_destroy(void *state)
{
	troupe_strong_release(&((struct producer *)state)->self);
}

static const struct troupe_actor_class producer_class = {
	.name = "producer",
	.state_size = sizeof(struct producer),
	.init = producer_init,
	.receive = producer_receive,
	.destroy = producer_destroy,
};

static void *outside_main(void *data)
{
	(void)data;
	for (uint64_t i = 0; i < flow.each; i++) {
		parcel_send(OUTSIDE);
		stress_pause(50);
	}
	return NULL;
}

/* ---- accounts ---------------------------------------------------------- */

static bool flow_see(const struct troupe_actor_info *info, void *context)
{
	if (info->id != *(const uint64_t *)context)
		return true;
	flow.seen = *info;
	return false;
}

/* How many parcels may be there at once beyond the limit: what each sender
 * has in hands, with what it drops to make room; the one that is handled; and
 * what a producer sends before it is held. */
static uint64_t flow_slack(void)
{
	uint64_t in_hands = 1;
	uint64_t held = 0;

	if (flow.limits.overflow == TROUPE_OVERFLOW_DROP_OLDEST)
		in_hands += PARCEL / sizeof(struct parcel) + 1;
	if (flow.limits.overflow == TROUPE_OVERFLOW_HOLD)
		held = PRODUCERS * BURST;
	return SENDERS * in_hands + held + 1;
}

static void flow_check(void)
{
	enum troupe_overflow overflow = flow.limits.overflow;
	uint64_t sent = 0, received = 0, refused = 0;

	for (uint32_t i = 0; i < SENDERS; i++) {
		const struct account *account = &flow.accounts[i];

		sent += account->sent;
		received += account->received;
		refused += account->refused;
		if (overflow == TROUPE_OVERFLOW_HOLD && i != OUTSIDE)
			stress_check(account->refused == 0 &&
					     account->received == flow.each,
				     "%" PRIu64 " of %" PRIu64
				     " came from a held sender",
				     account->received, flow.each);
		spent_all += i == OUTSIDE ? 0 : account->spent;
		sent_all += i == OUTSIDE ? 0 : account->sent;
	}
	stress_check(refused == flow.seen.refused,
		     "refused: %" PRIu64 ", counted: %" PRIu64, refused,
		     flow.seen.refused);
	stress_check(sent == received + refused + flow.seen.dropped,
		     "%" PRIu64 " sent, %" PRIu64 " received, %" PRIu64
		     " refused, %" PRIu64 " dropped",
		     sent, received, refused, flow.seen.dropped);
	stress_check(overflow == TROUPE_OVERFLOW_DROP_NEWEST ||
			     overflow == TROUPE_OVERFLOW_DROP_OLDEST ||
			     flow.seen.dropped == 0,
		     "one that drops nothing has");
	stress_check(overflow == TROUPE_OVERFLOW_FAIL ||
			     overflow == TROUPE_OVERFLOW_HOLD || refused == 0,
		     "one that refuses nothing has");
	stress_check(flow.seen.messages == 0, "%" PRIu64 " wait, all came",
		     flow.seen.messages);
	if (flow.limits.messages != 0)
		stress_check(atomic_load(&flow.peak) <=
				     flow.limits.messages + flow_slack(),
			     "overflow %d: %" PRIu64
			     " waited, the limit is %" PRIu64,
			     (int)overflow, atomic_load(&flow.peak),
			     flow.limits.messages);
	else
		stress_check(atomic_load(&flow.peak_bytes) <=
				     flow.limits.bytes + flow_slack() * PARCEL,
			     "overflow %d: %" PRIu64
			     " bytes waited, the limit is %" PRIu64,
			     (int)overflow, atomic_load(&flow.peak_bytes),
			     flow.limits.bytes);
	stress_check(atomic_load(&flow.live) == 0, "parcels leak");
	handled_all += received;
}

/* ---- a flow ------------------------------------------------------------ */

static void flow_run(struct troupe_system *system,
		     enum troupe_overflow overflow)
{
	struct troupe_registry *registry = troupe_system_registry(system);
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	pthread_t outside;
	uint64_t id;

	memset(&flow, 0, sizeof(flow));
	flow.each = stress.size != 0 ? stress.size : 100;
	flow.limits.overflow = overflow;
	if (stress_once_in(2))
		flow.limits.messages = 1 + stress_below(50);
	else
		flow.limits.bytes = PARCEL + stress_below(10000);
	options.limits = &flow.limits;
	stress_check(troupe_spawn_with(system, &consumer_class, NULL, &options,
				       &flow.consumer) == 0,
		     "spawn");
	for (uint32_t i = 0; i < PRODUCERS; i++)
		stress_check(troupe_spawn(system, &producer_class, &i, NULL) ==
				     0,
			     "spawn");
	stress_check(pthread_create(&outside, NULL, outside_main, NULL) == 0,
		     "no thread");
	pthread_join(outside, NULL);
	while (troupe_registry_await_running(registry, 1, 1000000000) != 0)
		;
	/* What is left at the consumer. */
	while (atomic_load(&flow.live) != 0) {
		usleep(1000);
		stress_progress();
	}
	id = troupe_strong_id(flow.consumer);
	troupe_system_actors(system, flow_see, &id);
	troupe_strong_release(&flow.consumer);
	troupe_system_await(system);
	flow_check();
	flows++;
	stress_progress();
}

/* ---- nets -------------------------------------------------------------- */

#define NET_TURNS 20

static struct net {
	struct troupe_strong members[NET_MAX];
	uint32_t count;
	bool kills; /* one of them is killed */
	_Atomic uint64_t sent, received;
	_Atomic uint64_t turns; /* that are over, or will not be */
} net;

struct member {
	uint64_t turns;
};

static int member_turn(struct troupe_actor *self, struct member *member)
{
	struct troupe_strong me;
	int result;

	for (uint64_t i = stress_below(8); i > 0; i--) {
		result = troupe_send(net.members[stress_below(net.count)],
				     NET_FILL, NULL, 0);
		stress_check(result == 0 || (net.kills && result == -ESRCH),
			     "send: %d", result);
		atomic_fetch_add(&net.sent, result == 0);
	}
	if (++member->turns < NET_TURNS) {
		me = troupe_self(self);
		result = troupe_send(me, NET_TURN, NULL, 0);
		stress_check(result == 0, "send to itself: %d", result);
		troupe_strong_release(&me);
	}
	stress_progress();
	atomic_fetch_add(&net.turns, 1);
	return 0;
}

static int member_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	if (message->tag == NET_TURN)
		return member_turn(self, state);
	atomic_fetch_add(&net.received, 1);
	return 0;
}

static void member_exit(struct troupe_actor *self, void *state, int reason)
{
	(void)self;
	(void)reason;
	atomic_fetch_add(&net.turns,
			 NET_TURNS - ((struct member *)state)->turns);
}

static const struct troupe_actor_class member_class = {
	.name = "member",
	.state_size = sizeof(struct member),
	.receive = member_receive,
	.on_exit = member_exit,
};

static void net_run(struct troupe_system *system)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	const struct troupe_limits limits = {
		.messages = 1 + stress_below(4),
		.overflow = TROUPE_OVERFLOW_HOLD,
	};

	memset(&net, 0, sizeof(net));
	net.count = 1 + (uint32_t)stress_below(NET_MAX);
	net.kills = stress_once_in(4);
	options.limits = &limits;
	for (uint32_t i = 0; i < net.count; i++)
		stress_check(troupe_spawn_with(system, &member_class, NULL,
					       &options, &net.members[i]) == 0,
			     "spawn");
	/* Urgent: others may have filled it already. */
	for (uint32_t i = 0; i < net.count; i++)
		stress_check(troupe_send_urgent(net.members[i], NET_TURN, NULL,
						0) == 0,
			     "send");
	if (net.kills) {
		stress_pause(1000);
		stress_check(
			troupe_send_exit(net.members[stress_below(net.count)],
					 TROUPE_EXIT_KILL) == 0,
			"exit");
	}
	/* They use these handles until then. */
	while (atomic_load(&net.turns) < net.count * NET_TURNS)
		sched_yield();
	for (uint32_t i = 0; i < net.count; i++)
		troupe_strong_release(&net.members[i]);
	troupe_system_await(system);
	stress_check(net.kills || net.sent == net.received,
		     "%" PRIu64 " sent, %" PRIu64 " received", net.sent,
		     net.received);
	nets++;
}

/* ---- turns ------------------------------------------------------------- */

static void turn(struct troupe_system *system)
{
	do {
		flow_run(system, TROUPE_OVERFLOW_FAIL);
		flow_run(system, TROUPE_OVERFLOW_DROP_NEWEST);
		flow_run(system, TROUPE_OVERFLOW_DROP_OLDEST);
		flow_run(system, TROUPE_OVERFLOW_HOLD);
		for (int i = 0; i < 4; i++)
			net_run(system);
	} while (stress_goes_on());
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {1, 2, 4, 0};

	stress_start("limits", 3, argc, argv);
	stress_turns(turn, workers);
	printf("stress_limits: %" PRIu64 " flows, %" PRIu64
	       " messages handled in %u ns each, sent in %" PRIu64
	       " ns each; %" PRIu64 " nets\n",
	       flows, handled_all, WORK,
	       sent_all == 0 ? 0 : spent_all / sent_all, nets);
	return 0;
}
