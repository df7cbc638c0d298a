/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 4, checked at every dequeue over a short list of waiting jobs.
 */
#include "order.h"

#include <string.h>

void order_init(struct order *order, struct board *board, uint32_t workers,
		uint32_t wait_bound, bool from_outside)
{
	memset(order, 0, sizeof(*order));
	order->board = board;
	order->workers = workers;
	order->wait_bound = wait_bound;
	order->from_outside = from_outside;
	pthread_mutex_init(&order->lock, NULL);
}

uint64_t order_comes(struct order *order, const struct troupe_job *job,
		     uint64_t id, enum board_path path)
{
	struct order_job *it;
	uint64_t came;

	pthread_mutex_lock(&order->lock);
	if (order->waiting == ORDER_WAITING)
		board_fail(order->board, "the suite's own list is full");
	came = ++order->moment;
	it = &order->jobs[order->waiting++];
	*it = (struct order_job){
		.job = job,
		.path = path,
		.id = id,
		.came = came,
		.ready = order->waiting,
	};
	pthread_mutex_unlock(&order->lock);
	return came;
}

/* Only from here on is it certain that the policy could have handed it out,
 * so only from here on do others that go first count. */
void order_placed(struct order *order, uint64_t came)
{
	pthread_mutex_lock(&order->lock);
	for (uint32_t i = 0; i < order->waiting; i++) {
		struct order_job *it = &order->jobs[i];

		if (it->came != came)
			continue;
		it->placed = ++order->moment;
		if (order->from_outside && it->ready < order->waiting)
			it->ready = order->waiting;
		if (order->from_outside)
			it->ready += order->workers;
		memcpy(it->taken, order->taken, sizeof(it->taken));
		break;
	}
	pthread_mutex_unlock(&order->lock);
}

/* The fewest jobs that any worker has taken since @it came. */
static uint64_t order_passed(const struct order *order,
			     const struct order_job *it)
{
	uint64_t fewest = UINT64_MAX;

	for (uint32_t i = 0; i < order->workers; i++) {
		uint64_t passed = order->taken[i] - it->taken[i];

		if (passed < fewest)
			fewest = passed;
	}
	return fewest;
}

static void order_check_bound(const struct order *order,
			      const struct order_job *it)
{
	uint64_t bound = (uint64_t)order->wait_bound * it->ready;
	uint64_t passed;

	if (it->placed == 0)
		return;
	/* A stolen job begins to wait anew, on each worker once. */
	bound *= order->workers;
	passed = order_passed(order, it);
	if (passed > bound)
		board_fail(order->board,
			   "job %llu, queued by %s, has seen %llu others go "
			   "first; %u were ready when it came, so wait_bound "
			   "%u allows %llu",
			   (unsigned long long)it->id,
			   board_path_name(it->path),
			   (unsigned long long)passed, it->ready,
			   order->wait_bound, (unsigned long long)bound);
}

static void order_check_turn(const struct order *order,
			     const struct order_job *first,
			     const struct order_job *it)
{
	if (order->workers == 1 && first->path == BOARD_LATER &&
	    it->placed != 0 && it->placed < first->came)
		board_fail(order->board,
			   "job %llu, put back by resume_job_later, runs "
			   "again before job %llu, which was ready then by %s",
			   (unsigned long long)first->id,
			   (unsigned long long)it->id,
			   board_path_name(it->path));
}

void order_taken(struct order *order, const struct troupe_job *job,
		 uint32_t worker)
{
	pthread_mutex_lock(&order->lock);
	for (uint32_t i = 0; i < order->waiting; i++) {
		struct order_job first = order->jobs[i];

		if (first.job != job)
			continue;
		order->jobs[i] = order->jobs[--order->waiting];
		order->taken[worker]++;
		for (uint32_t j = 0; j < order->waiting; j++) {
			order_check_turn(order, &first, &order->jobs[j]);
			order_check_bound(order, &order->jobs[j]);
		}
		break;
	}
	pthread_mutex_unlock(&order->lock);
}
