/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random graph of actors that monitor each other and are linked; random ones
 * are killed. Every survivor must get exactly what it should have, and the
 * system must end.
 *
 * Exact rounds: first the graph is made, then some of it undone, then some
 * are killed. Who ends is known then: the killed, and who is linked to one
 * that ends and does not trap. Free rounds: all do all at once. Who ends is
 * not known, but that each monitor of a dead one brought one message or was
 * undone, and that of a living one none.
 *
 *	--size N	so many actors, else some hundred
 */
#include "stress_links.h"

#include "troupe_registry.h"

struct edge {
	uint32_t from, to;
	bool link, undone;
};

static struct edge *edges;
static uint32_t edge_count;
static bool *doomed; /* by node: it will end */
static uint64_t rounds, deaths;

static uint32_t random_node(void)
{
	return (uint32_t)stress_below(node_count);
}

static uint32_t random_other(uint32_t node)
{
	uint32_t other = random_node();

	return other != node ? other : (other + 1) % node_count;
}

static uint64_t running(struct troupe_system *system)
{
	return troupe_registry_running(troupe_system_registry(system));
}

/* ---- the graph --------------------------------------------------------- */

static void graph_make(void)
{
	/* Few links, else all are one cluster and nobody survives. */
	uint32_t links = (uint32_t)stress_below(node_count);

	edge_count = links + 2 * node_count;
	edges = calloc(edge_count, sizeof(*edges));
	stress_check(edges != NULL, "out of memory");
	for (uint32_t i = 0; i < edge_count; i++) {
		struct edge *edge = &edges[i];

		edge->from = random_node();
		edge->to = random_other(edge->from);
		edge->link = i < links;
		node_tell(edge->from, edge->link ? NODE_LINK : NODE_MONITOR,
			  edge->to, 0);
	}
	nodes_settle();
}

/* One side undoes all links of a pair. */
static void graph_unlink(struct edge *edge)
{
	bool first = stress_once_in(2);

	node_tell(first ? edge->from : edge->to, NODE_UNLINK,
		  first ? edge->to : edge->from, 0);
	for (uint32_t i = 0; i < edge_count; i++)
		if (edges[i].link &&
		    ((edges[i].from == edge->from && edges[i].to == edge->to) ||
		     (edges[i].from == edge->to && edges[i].to == edge->from)))
			edges[i].undone = true;
}

static void graph_undo_some(void)
{
	/* What looks through all edges for each is done for a few. */
	uint32_t some = edge_count < 1000 ? edge_count / 4 : 250;

	for (uint32_t i = 0; i < some; i++) {
		struct edge *edge = &edges[stress_below(edge_count)];

		if (edge->undone)
			continue;
		if (edge->link) {
			graph_unlink(edge);
		} else {
			edge->undone = true;
			node_tell(edge->from, NODE_DEMONITOR, edge->to, 0);
		}
	}
	nodes_settle();
}

/* ---- killing ----------------------------------------------------------- */

struct kill {
	uint32_t victim;
	int reason;
};

struct killer {
	pthread_t thread;
	const struct kill *kills;
	uint32_t count;
};

static void *killer_main(void *data)
{
	struct killer *killer = data;

	for (uint32_t i = 0; i < killer->count; i++) {
		const struct kill *kill = &killer->kills[i];
		int result = troupe_send_exit(nodes[kill->victim].actor,
					      kill->reason);

		stress_check(result == 0 || result == -ESRCH, "exit: %d",
			     result);
		stress_pause(20);
	}
	return NULL;
}

static int kill_reason(uint32_t victim)
{
	static const int reasons[] = {TROUPE_EXIT_KILL, TROUPE_EXIT_SHUTDOWN,
				      -EIO, 7};

	return reasons[nodes[victim].traps ? 0 : stress_below(4)];
}

/* Ends spread along links, through those that do not trap. */
static void doom_spread(void)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < edge_count; i++) {
			struct edge *edge = &edges[i];
			bool from, to;

			if (!edge->link || edge->undone)
				continue;
			from = doomed[edge->from] || !nodes[edge->from].traps;
			to = doomed[edge->to] || !nodes[edge->to].traps;
			if (doomed[edge->from] != doomed[edge->to] && from &&
			    to) {
				doomed[edge->from] = doomed[edge->to] = true;
				more = true;
			}
		}
	}
}

/* May @victim end normally, and nothing else reach it or spread from it? */
static bool doom_is_lone(uint32_t victim)
{
	if (doomed[victim] || nodes[victim].traps)
		return false;
	for (uint32_t i = 0; i < edge_count; i++)
		if (edges[i].link && !edges[i].undone &&
		    ((edges[i].from == victim && doomed[edges[i].to]) ||
		     (edges[i].to == victim && doomed[edges[i].from])))
			return false;
	return true;
}

/* Chooses who is killed. Returns: how many are. */
static uint32_t doom_choose(struct kill *kills, uint32_t count)
{
	uint32_t lone = count < 20 ? count / 2 : 10;

	for (uint32_t i = 0; i < count - lone; i++) {
		kills[i].victim = random_node();
		kills[i].reason = kill_reason(kills[i].victim);
		doomed[kills[i].victim] = true;
	}
	doom_spread();
	for (uint32_t i = count - lone; i < count; i++) {
		kills[i] = (struct kill){random_node(), TROUPE_EXIT_NORMAL};
		if (!doom_is_lone(kills[i].victim))
			return i;
		doomed[kills[i].victim] = true;
	}
	return count;
}

/* Returns: how many will end. */
static uint32_t kill_some(void)
{
	uint32_t count = 1 + (uint32_t)stress_below(node_count / 10 + 1);
	struct kill *kills = calloc(count, sizeof(*kills));
	struct killer killers[2] = {0};
	uint32_t ended = 0;

	count = doom_choose(kills, count);
	for (uint32_t i = 0; i < node_count; i++)
		ended += doomed[i];
	killers[0].kills = kills;
	killers[0].count = count / 2;
	killers[1].kills = kills + count / 2;
	killers[1].count = count - count / 2;
	for (uint32_t i = 0; i < 2; i++)
		stress_check(pthread_create(&killers[i].thread, NULL,
					    killer_main, &killers[i]) == 0,
			     "no thread");
	for (uint32_t i = 0; i < 2; i++)
		pthread_join(killers[i].thread, NULL);
	free(kills);
	return ended;
}

/* ---- accounts ---------------------------------------------------------- */

static void check_watches(uint32_t i)
{
	for (uint32_t j = 0; j < nodes[i].watch_count; j++) {
		const struct watch *watch = &nodes[i].watches[j];

		if (node_ended(watch->other))
			stress_check(watch->down != watch->undone,
				     "a dead one's monitor brought %s",
				     watch->down ? "news, though undone"
						 : "nothing");
		else
			stress_check(!watch->down, "news of a living one");
	}
}

/* One exit message for each link that was left with a dead one. */
static void check_links(void)
{
	for (uint32_t i = 0; i < edge_count; i++) {
		const struct edge *edge = &edges[i];
		struct node *lives;
		uint32_t dead, j = 0;

		if (!edge->link || edge->undone ||
		    doomed[edge->from] == doomed[edge->to])
			continue;
		dead = doomed[edge->from] ? edge->from : edge->to;
		lives = &nodes[doomed[edge->from] ? edge->to : edge->from];
		/* Else the end was a normal one. */
		if (!lives->traps)
			continue;
		while (j < lives->heard_count && lives->heard[j] != dead)
			j++;
		stress_check(j < lives->heard_count,
			     "no exit message over a link");
		lives->heard[j] = lives->heard[--lives->heard_count];
	}
	for (uint32_t i = 0; i < node_count; i++)
		stress_check(doomed[i] || nodes[i].heard_count == 0,
			     "an exit message over no link");
}

/* ---- rounds ------------------------------------------------------------ */

static void round_exact(struct troupe_system *system)
{
	uint32_t ended;

	doomed = calloc(node_count, sizeof(*doomed));
	graph_make();
	graph_undo_some();
	ended = kill_some();
	stress_check(troupe_registry_await_running(
			     troupe_system_registry(system), node_count - ended,
			     STRESS_PATIENCE * UINT64_C(1000000000)) == 0,
		     "%" PRIu64 " live, not %u", running(system),
		     node_count - ended);
	for (uint32_t i = 0; i < node_count; i++) {
		stress_check(node_ended(i) == doomed[i], "the wrong one lives");
		if (!doomed[i])
			node_tell(i, NODE_PING, i, 0);
	}
	nodes_settle();
	for (uint32_t i = 0; i < node_count; i++)
		if (!doomed[i])
			check_watches(i);
	check_links();
	deaths += ended;
	free(edges);
	free(doomed);
}

/* Until nobody has died while all were asked: no news is on its way then. */
static void free_settle(struct troupe_system *system)
{
	bool still = false;

	nodes_settle();
	while (!still) {
		uint64_t before = running(system);
		uint32_t alive = 0;

		for (uint32_t i = 0; i < node_count; i++) {
			alive += !node_ended(i);
			node_tell(i, NODE_PING, i, 0);
		}
		nodes_settle();
		/* One that is about to end has not told the others yet. */
		still = before == alive && running(system) == before;
		for (uint32_t i = 0; i < node_count; i++)
			alive -= !node_ended(i);
		still = still && alive == 0;
	}
}

static void round_free(struct troupe_system *system)
{
	uint32_t acts = 20 * node_count;

	for (uint32_t i = 0; i < acts; i++) {
		uint32_t node = random_node();
		/* A few end others. */
		uint32_t what = stress_once_in(200)
					? NODE_EXIT
					: 1 + (uint32_t)stress_below(4);

		node_tell(node, what, random_other(node),
			  stress_once_in(2) ? TROUPE_EXIT_KILL : -EIO);
	}
	free_settle(system);
	for (uint32_t i = 0; i < node_count; i++) {
		deaths += node_ended(i);
		if (!node_ended(i))
			check_watches(i);
	}
}

/* ---- a look from outside ----------------------------------------------- */

struct looker {
	pthread_t thread;
	struct troupe_system *system;
	_Atomic bool over;
};

static bool look_at(const struct troupe_actor_info *info, void *context)
{
	(void)context;
	stress_check(strcmp(info->name, "node") == 0, "an unknown class");
	stress_check(info->id != 0, "an actor without a number");
	return true;
}

/* All who live, again and again, while they come and go. */
static void *looker_main(void *data)
{
	struct looker *looker = data;

	while (!atomic_load(&looker->over)) {
		troupe_system_actors(looker->system, look_at, NULL);
		stress_pause(100);
		sched_yield();
	}
	return NULL;
}

/* ---- turns ------------------------------------------------------------- */

static void turn(struct troupe_system *system)
{
	struct looker looker = {.system = system};

	stress_check(
		pthread_create(&looker.thread, NULL, looker_main, &looker) == 0,
		"no thread");
	do {
		uint32_t size = stress.size;

		if (size == 0)
			size = 2 + (uint32_t)stress_below(300);
		nodes_spawn(system, size);
		if (rounds % 2 == 0)
			round_exact(system);
		else
			round_free(system);
		for (uint32_t i = 0; i < node_count; i++)
			troupe_strong_release(&nodes[i].actor);
		troupe_system_await(system);
		nodes_free();
		rounds++;
	} while (stress_goes_on());
	/* The last ones go while news of them travels. */
	nodes_spawn(system, 2 + (uint32_t)stress_below(300));
	doomed = calloc(node_count, sizeof(*doomed));
	graph_make();
	(void)kill_some();
	stress_check(troupe_system_stop(system, UINT64_MAX, TROUPE_STOP_KILL,
					NULL, NULL) == 0,
		     "stop");
	atomic_store(&looker.over, true);
	pthread_join(looker.thread, NULL);
	for (uint32_t i = 0; i < node_count; i++)
		troupe_strong_release(&nodes[i].actor);
	free(edges);
	free(doomed);
	nodes_free();
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {1, 2, 4, 0};

	stress_start("links", 3, argc, argv);
	stress_turns(turn, workers);
	printf("stress_links: %" PRIu64 " rounds, %" PRIu64
	       " deaths among others, %" PRIu64 " down and %" PRIu64
	       " exit messages\n",
	       rounds, deaths, atomic_load(&downs_heard),
	       atomic_load(&exits_heard));
	return 0;
}
