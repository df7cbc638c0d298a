/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lottery: a policy as a plug-in. Of the jobs that became READY the next one is
 * drawn by lot, and a job with more tickets is drawn more often.
 *
 *	[scheduler]
 *	policy = ./lottery_policy.so
 *	[lottery]
 *	tickets = urgent=64,batch=1
 *
 * The tickets of a job go by the name of its actor class. They are rounded down
 * to a power of two, so that there are eight kinds, each a list, and a draw
 * looks at eight numbers however many jobs wait. In a kind it is first come,
 * first served.
 *
 * Luck alone would break contract 4 of troupe_policy.h, in two ways. A job that
 * has no luck could wait for ever; so every fourth draw takes the job that has
 * waited longest, and wait_bound is 4. A job that used up its quota could be
 * drawn again before those that were there already; so it does not take part,
 * but stands in a line of its own, which moves when nobody else is there, or
 * when it has the oldest of all. Bound jobs do the same.
 *
 * It began as a copy of policies/fifo.c; what is not explained here, is there.
 */
#include "troupe_policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LOTTERY_KINDS  8 /* 1, 2, 4, ... 128 tickets */
#define LOTTERY_NAMES  16
#define LOTTERY_OLDEST 4 /* every so many draws */

struct lottery_coordinator {
	struct troupe_mutex mutex;
	struct troupe_cond cond;
	struct troupe_job_list kinds[LOTTERY_KINDS];
	uint64_t counts[LOTTERY_KINDS];
	struct troupe_job_list later; /* jobs put back */
	uint64_t order;		      /* the next job's number */
	/* From the options: never changed after init. */
	uint32_t initial; /* kind of names without tickets */
	uint32_t name_count;
	struct {
		const char *name; /* not ended by a zero */
		size_t length;
		uint32_t kind;
	} names[LOTTERY_NAMES];
};

struct lottery_worker {
	struct troupe_job_list bound;
	uint32_t draws; /* this worker's alone, lest a bound
					 * job never be the oldest */
};

/* Kept with each job, so that names are compared once. */
struct lottery_job {
	uint32_t kind_plus_one; /* 0: not known yet */
};

/* ---- start ------------------------------------------------------------- */

/* The kind of so many tickets: the highest bit. */
static uint32_t lottery_kind(unsigned long tickets)
{
	uint32_t kind = 0;

	while (tickets > 1 && kind + 1 < LOTTERY_KINDS) {
		tickets >>= 1;
		kind++;
	}
	return kind;
}

/* "name=tickets,name=tickets". */
static int lottery_read(struct lottery_coordinator *lottery, const char *text)
{
	while (*text != '\0') {
		const char *equals = strchr(text, '=');
		unsigned long tickets;
		char *end;

		if (equals == NULL || equals == text ||
		    lottery->name_count == LOTTERY_NAMES)
			return -EINVAL;
		tickets = strtoul(equals + 1, &end, 10);
		if (tickets == 0 || (*end != '\0' && *end != ','))
			return -EINVAL;
		lottery->names[lottery->name_count].name = text;
		lottery->names[lottery->name_count].length =
			(size_t)(equals - text);
		lottery->names[lottery->name_count++].kind =
			lottery_kind(tickets);
		text = *end == ',' ? end + 1 : end;
	}
	return 0;
}

static int lottery_init(struct troupe_coordinator *self)
{
	struct lottery_coordinator *lottery = self->data;
	int result = lottery_read(
		lottery, troupe_option_string(self, "lottery", "tickets"));

	lottery->initial = lottery_kind(
		troupe_option_uint(self, "lottery", "default-tickets"));
	if (result == 0)
		result = troupe_mutex_init(&lottery->mutex);
	if (result != 0)
		return result;
	result = troupe_cond_init(&lottery->cond);
	if (result != 0)
		troupe_mutex_fini(&lottery->mutex);
	return result;
}

static void lottery_fini(struct troupe_coordinator *self)
{
	struct lottery_coordinator *lottery = self->data;

	troupe_cond_fini(&lottery->cond);
	troupe_mutex_fini(&lottery->mutex);
}

/* ---- enqueue ----------------------------------------------------------- */

static uint32_t lottery_kind_of(const struct lottery_coordinator *lottery,
				struct troupe_job *job)
{
	struct lottery_job *data = troupe_job_data(job);
	const char *name;
	size_t length;

	if (data->kind_plus_one != 0)
		return data->kind_plus_one - 1;
	name = troupe_job_name(job);
	length = strlen(name);
	data->kind_plus_one = lottery->initial + 1;
	for (uint32_t i = 0; i < lottery->name_count; i++)
		if (lottery->names[i].length == length &&
		    memcmp(lottery->names[i].name, name, length) == 0)
			data->kind_plus_one = lottery->names[i].kind + 1;
	return data->kind_plus_one - 1;
}

static void lottery_central_enqueue(struct troupe_coordinator *self,
				    struct troupe_job *job)
{
	struct lottery_coordinator *lottery = self->data;
	uint32_t kind = lottery_kind_of(lottery, job);

	troupe_mutex_lock(&lottery->mutex);
	job->order = lottery->order++;
	troupe_job_list_put(&lottery->kinds[kind], job);
	lottery->counts[kind]++;
	troupe_mutex_unlock(&lottery->mutex);
	troupe_cond_signal(&lottery->cond);
}

static void lottery_internal_enqueue(struct troupe_worker *self,
				     struct troupe_job *job)
{
	lottery_central_enqueue(self->coordinator, job);
}

static void lottery_external_enqueue(struct troupe_worker *self,
				     struct troupe_job *job)
{
	struct lottery_coordinator *lottery = self->coordinator->data;
	struct lottery_worker *worker = self->data;

	troupe_mutex_lock(&lottery->mutex);
	job->order = lottery->order++;
	troupe_job_list_put(&worker->bound, job);
	troupe_mutex_unlock(&lottery->mutex);
	troupe_cond_broadcast(&lottery->cond);
}

static void lottery_resume_job_later(struct troupe_worker *self,
				     struct troupe_job *job)
{
	struct lottery_coordinator *lottery = self->coordinator->data;

	troupe_mutex_lock(&lottery->mutex);
	job->order = lottery->order++;
	troupe_job_list_put(&lottery->later, job);
	troupe_mutex_unlock(&lottery->mutex);
	troupe_cond_signal(&lottery->cond);
}

/* ---- dequeue: under the mutex ------------------------------------------ */

static bool lottery_older(const struct troupe_job_list *list,
			  const struct troupe_job_list *than)
{
	return list->first != NULL &&
	       (than->first == NULL || list->first->order < than->first->order);
}

static struct troupe_job *lottery_take_kind(struct lottery_coordinator *lottery,
					    uint32_t kind)
{
	lottery->counts[kind]--;
	return troupe_job_list_take(&lottery->kinds[kind]);
}

/* The one that has waited longest; NULL if there is none. */
static struct troupe_job *lottery_oldest(struct lottery_coordinator *lottery,
					 struct troupe_job_list *bound)
{
	struct troupe_job_list *oldest =
		lottery_older(bound, &lottery->later) ? bound : &lottery->later;
	uint32_t found = LOTTERY_KINDS;

	for (uint32_t i = 0; i < LOTTERY_KINDS; i++)
		if (lottery_older(&lottery->kinds[i], oldest)) {
			oldest = &lottery->kinds[i];
			found = i;
		}
	return found < LOTTERY_KINDS ? lottery_take_kind(lottery, found)
				     : troupe_job_list_take(oldest);
}

/* Draws a ticket; NULL if there is none. */
static struct troupe_job *lottery_draw(struct lottery_coordinator *lottery,
				       struct troupe_worker *self)
{
	uint64_t tickets = 0, drawn;
	uint32_t kind = 0;

	for (uint32_t i = 0; i < LOTTERY_KINDS; i++)
		tickets += lottery->counts[i] << i;
	if (tickets == 0)
		return NULL;
	drawn = troupe_random(self) % tickets;
	while (kind + 1 < LOTTERY_KINDS && drawn >= lottery->counts[kind]
							    << kind) {
		drawn -= lottery->counts[kind] << kind;
		kind++;
	}
	return lottery_take_kind(lottery, kind);
}

static struct troupe_job *lottery_dequeue(struct troupe_worker *self)
{
	struct lottery_coordinator *lottery = self->coordinator->data;
	struct lottery_worker *worker = self->data;
	struct troupe_job *job = NULL;

	troupe_mutex_lock(&lottery->mutex);
	while (!troupe_stopping(self->coordinator)) {
		if (++worker->draws % LOTTERY_OLDEST != 0)
			job = lottery_draw(lottery, self);
		if (job == NULL)
			job = lottery_oldest(lottery, &worker->bound);
		if (job != NULL)
			break;
		troupe_count(self, TROUPE_COUNT_PARKS, 1);
		troupe_cond_wait(&lottery->cond, &lottery->mutex);
		troupe_count(self, TROUPE_COUNT_WAKES, 1);
	}
	troupe_mutex_unlock(&lottery->mutex);
	return job;
}

/* ---- stop -------------------------------------------------------------- */

static void lottery_wake_all(struct troupe_coordinator *self)
{
	struct lottery_coordinator *lottery = self->data;

	troupe_mutex_lock(&lottery->mutex);
	troupe_cond_broadcast(&lottery->cond);
	troupe_mutex_unlock(&lottery->mutex);
}

static struct troupe_job *lottery_drain(struct troupe_coordinator *self)
{
	struct lottery_coordinator *lottery = self->data;
	struct troupe_job *job = NULL;

	for (uint32_t i = 0; job == NULL && i < self->worker_count; i++) {
		struct lottery_worker *worker = self->workers[i]->data;

		job = lottery_oldest(lottery, &worker->bound);
	}
	return job;
}

/* ---- the table --------------------------------------------------------- */

static const struct troupe_option lottery_options[] = {
	{
		.name = "tickets",
		.type = TROUPE_OPTION_STRING,
		.initial = "",
		.help = "by actor class: name=tickets,name=tickets",
	},
	{
		.name = "default-tickets",
		.type = TROUPE_OPTION_UINT,
		.initial = "8",
		.minimum = 1,
		.maximum = 128,
		.unit = "tickets",
		.help = "of all other jobs",
	},
	{.name = NULL},
};

const struct troupe_policy_ops troupe_policy = {
	.size = sizeof(struct troupe_policy_ops),
	.version = TROUPE_POLICY_VERSION,
	.wait_bound = LOTTERY_OLDEST,
	.name = "lottery",
	.summary = "the next job is drawn by lot; tickets by name",
	.options = lottery_options,
	.coordinator_data_size = sizeof(struct lottery_coordinator),
	.worker_data_size = sizeof(struct lottery_worker),
	.job_data_size = sizeof(struct lottery_job),
	.init = lottery_init,
	.fini = lottery_fini,
	.central_enqueue = lottery_central_enqueue,
	.external_enqueue = lottery_external_enqueue,
	.internal_enqueue = lottery_internal_enqueue,
	.resume_job_later = lottery_resume_job_later,
	.dequeue = lottery_dequeue,
	.wake_all = lottery_wake_all,
	.drain = lottery_drain,
};
