/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a policy is told of a run: how many messages, to and from jobs of which
 * workers. The policy here is fifo with an after_resume() that adds it up for
 * each class of actors; each of these is pinned, so it is known who runs where.
 */
#include "threads.h"

#include "troupe_policy.h"

TestSuite(last_run, .timeout = 20);

enum {
	NOTE_ASKER,
	NOTE_ANSWERER,
	NOTE_CHILD,
	NOTES,
};

static const char *const names[NOTES] = {"asker", "answerer", "child"};

static struct note {
	uint32_t handled;
	struct troupe_run sum; /* peer: the last one */
	uint32_t worker;
} notes[NOTES];

static _Atomic uint64_t handled; /* of all */

static void note_after_resume(struct troupe_worker *self,
			      struct troupe_job *job)
{
	struct troupe_run run = troupe_last_run(self);
	uint32_t messages = troupe_job_messages(job);
	struct note *note = notes;

	while (strcmp(names[note - notes], troupe_job_name(job)) != 0)
		note++;
	cr_expect_eq(troupe_job_worker(job), self->index);
	note->handled += messages;
	note->sum.sent += run.sent;
	note->sum.abroad += run.abroad;
	/* The last run of an actor handles nothing. */
	if (messages > 0)
		note->sum.peer = run.peer;
	note->worker = self->index;
	atomic_fetch_add(&handled, messages);
}

/* But for the peer: that of the asker depends on how many runs it had. */
static void expect_note(int which, struct note expected)
{
	const struct note *note = &notes[which];

	cr_expect_eq(note->handled, expected.handled, "%s", names[which]);
	cr_expect_eq(note->sum.sent, expected.sum.sent, "%s", names[which]);
	cr_expect_eq(note->sum.abroad, expected.sum.abroad, "%s", names[which]);
	cr_expect_eq(note->worker, expected.worker, "%s", names[which]);
}

/* The most that a dequeue was told of. */
static _Atomic uint64_t dequeues, dequeue_sent;

static struct troupe_job *note_dequeue(struct troupe_worker *self)
{
	uint32_t sent = troupe_last_run(self).sent;

	if (sent > atomic_load(&dequeue_sent))
		atomic_store(&dequeue_sent, sent);
	atomic_fetch_add(&dequeues, 1);
	return troupe_fifo.dequeue(self);
}

static struct troupe_system *note_start(uint32_t workers)
{
	static const char *const settings[] = {"detached.max-threads=1", NULL};
	static struct troupe_policy_ops ops;
	struct troupe_config config = TROUPE_CONFIG_INIT;
	struct troupe_system *system;

	ops = troupe_fifo;
	ops.name = "noted";
	ops.dequeue = note_dequeue;
	ops.after_resume = note_after_resume;
	config.flags = TROUPE_CONFIG_NO_ENVIRONMENT;
	config.policy = &ops;
	config.max_threads = workers;
	config.settings = settings;
	cr_assert_eq(troupe_system_create(&config, NULL, &system), 0);
	return system;
}

/* ---- actors ------------------------------------------------------------ */

enum {
	TAG_HELLO = 1,
	TAG_GO,
	TAG_QUESTION,
};

static struct troupe_strong answerer;

static int plain_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	(void)state;
	return message->tag == TAG_QUESTION
		       ? troupe_reply(self, message, TAG_HELLO, NULL, 0)
		       : 0;
}

static const struct troupe_actor_class answerer_class = {
	.name = "answerer",
	.receive = plain_receive,
};

static const struct troupe_actor_class child_class = {
	.name = "child",
	.receive = plain_receive,
};

static int asker_receive(struct troupe_actor *self, void *state,
			 const struct troupe_message *message)
{
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_strong child;

	(void)state;
	if (message->tag != TAG_GO)
		return 0;
	options.worker = 0;
	cr_assert_eq(troupe_spawn_with(troupe_self_system(self), &child_class,
				       NULL, &options, &child),
		     0);
	cr_assert_eq(troupe_send(child, TAG_HELLO, NULL, 0), 0);
	troupe_strong_release(&child);
	cr_assert_eq(troupe_send(answerer, TAG_HELLO, NULL, 0), 0);
	return troupe_send(answerer, TAG_QUESTION, NULL, 0);
}

static const struct troupe_actor_class asker_class = {
	.name = "asker",
	.receive = asker_receive,
};

Test(last_run, tells_of_messages_between_workers)
{
	struct troupe_system *system = note_start(2);
	struct troupe_spawn_options options = TROUPE_SPAWN_OPTIONS_INIT;
	struct troupe_strong asker;

	options.worker = 0;
	cr_assert_eq(
		troupe_spawn_with(system, &asker_class, NULL, &options, &asker),
		0);
	options.worker = 1;
	cr_assert_eq(troupe_spawn_with(system, &answerer_class, NULL, &options,
				       &answerer),
		     0);
	/* It has run there before it is sent to from the other worker. */
	cr_assert_eq(troupe_send(answerer, TAG_HELLO, NULL, 0), 0);
	unit_await(&handled, 1);
	cr_expect_eq(notes[NOTE_ANSWERER].sum.peer, TROUPE_NO_WORKER);
	cr_assert_eq(troupe_send(asker, TAG_GO, NULL, 0), 0);
	troupe_strong_release(&asker);
	unit_await(&handled, 6);
	troupe_strong_release(&answerer);
	cr_assert_eq(troupe_system_destroy(system), 0);
	expect_note(NOTE_ASKER, (struct note){2, {3, 2, 0}, 0});
	expect_note(NOTE_ANSWERER, (struct note){3, {1, 1, 0}, 1});
	expect_note(NOTE_CHILD, (struct note){1, {0, 0, 0}, 0});
	cr_expect_eq(notes[NOTE_ANSWERER].sum.peer, 0);
	cr_expect_eq(notes[NOTE_CHILD].sum.peer, TROUPE_NO_WORKER);
}

/* ---- another thread as the worker --------------------------------------- */

static int talker_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct troupe_strong me = troupe_self(self);

	(void)state;
	for (int i = 0; message->tag == TAG_GO && i < 3; i++)
		cr_assert_eq(troupe_send(me, TAG_HELLO, NULL, 0), 0);
	troupe_strong_release(&me);
	return 0;
}

static const struct troupe_actor_class talker_class = {
	.name = "talker",
	.flags = TROUPE_CLASS_DETACHED,
	.receive = talker_receive,
};

static int blocking_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	uint64_t before = atomic_load(&dequeues);

	(void)self;
	(void)state;
	(void)message;
	/* The one thread beside the workers may not be back in the pool yet. */
	while (troupe_blocking_begin() != 0)
		troupe_sleep(50000);
	unit_await(&dequeues, before + 1);
	troupe_blocking_end();
	return 0;
}

static const struct troupe_actor_class blocking_class = {
	.name = "child",
	.receive = blocking_receive,
};

/* What the thread did before, as an actor of its own, was no run of the worker
 * that it is now. */
Test(last_run, tells_a_stand_in_nothing_of_its_own_past)
{
	struct troupe_system *system = note_start(1);

	cr_assert_eq(
		troupe_spawn_send(system, &talker_class, NULL, TAG_GO, NULL, 0),
		0);
	cr_assert_eq(troupe_system_await(system), 0);
	cr_assert_eq(troupe_spawn_send(system, &blocking_class, NULL, TAG_GO,
				       NULL, 0),
		     0);
	cr_assert_eq(troupe_system_destroy(system), 0);
	cr_expect_eq(atomic_load(&dequeue_sent), 0);
}
