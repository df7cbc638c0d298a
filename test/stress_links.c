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

struct kills {
	pthread_t thread;
	uint32_t *victims;
	uint32_t count;
	bool *linked; /* by node */
};

/* A normal end spreads to nobody, so only where there is no link its effect
 * is known. */
static int kill_reason(uint32_t victim, const bool *linked)
{
	static const int reasons[] = {TROUPE_EXIT_KILL, TROUPE_EXIT_SHUTDOWN,
				      -EIO, 7};

	if (nodes[victim].traps)
		return TROUPE_EXIT_KILL;
	if (!linked[victim] && stress_once_in(2))
		return TROUPE_EXIT_NORMAL;
	return reasons[stress_below(4)];
}

static void *kill_main(void *data)
{
	struct kills *kills = data;

	for (uint32_t i = 0; i < kills->count; i++) {
		uint32_t victim = kills->victims[i];
		int result =
			troupe_send_exit(nodes[victim].actor,
					 kill_reason(victim, kills->linked));

		stress_check(result == 0 || result == -ESRCH, "exit: %d",
			     result);
		stress_pause(20);
	}
	return NULL;
}

/* Ends spread along links, through those that do not trap. */
static uint32_t doom_spread(void)
{
	uint32_t count = 0;
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
	for (uint32_t i = 0; i < node_count; i++)
		count += doomed[i];
	return count;
}

/* Returns: how many will end. */
static uint32_t kill_some(void)
{
	struct kills kills[2] = {0};
	uint32_t count = 1 + (uint32_t)stress_below(node_count / 10 + 1);
	uint32_t *victims = calloc(count, sizeof(*victims));
	bool *linked = calloc(node_count, sizeof(*linked));
	uint32_t ended;

	for (uint32_t i = 0; i < edge_count; i++)
		if (edges[i].link && !edges[i].undone)
			linked[edges[i].from] = linked[edges[i].to] = true;
	for (uint32_t i = 0; i < count; i++) {
		victims[i] = random_node();
		doomed[victims[i]] = true;
	}
	ended = doom_spread();
	for (uint32_t i = 0; i < 2; i++) {
		kills[i].victims = victims + i * (count / 2);
		kills[i].count = i == 0 ? count / 2 : count - count / 2;
		kills[i].linked = linked;
		stress_check(pthread_create(&kills[i].thread, NULL, kill_main,
					    &kills[i]) == 0,
			     "no thread");
	}
	for (uint32_t i = 0; i < 2; i++)
		pthread_join(kills[i].thread, NULL);
	free(victims);
	free(linked);
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

		if (!edge->link || edge->undone ||
		    doomed[edge->from] == doomed[edge->to])
			continue;
		/* The survivor traps, or it would be none. */
		const bool to_lives = doomed[edge->from];
		struct node *lives = &nodes[to_lives ? edge->to : edge->from];
		uint32_t dead = to_lives ? edge->from : edge->to;
		uint32_t j = 0;

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

static void turn(struct troupe_system *system)
{
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
