/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many send to a few actors while handles come and go.
 *
 * In each round some threads send to some actors, in all lanes, and let their
 * handles go at random moments; some keep weak ones and lock them for each
 * message. An actor may make a handle to itself when no other is left, or
 * quit. What must hold: each sender's messages arrive once and in order, one
 * that nobody can reach has handled all that was sent and ends by itself,
 * moved payloads are released once, and each destructor runs once.
 */
#include "stress.h"

#include <errno.h>

#define SENDERS	 3
#define ACTORS	 4
#define LANES	 2
#define OWN	 SENDERS /* an actor's messages to itself */
#define MESSAGES 40	 /* about so many from each sender to each actor */

struct letter {
	uint32_t sender, lane;
	uint64_t number;
};

struct post {
	/* sent: written by that sender, before it lets its handle go. */
	uint64_t sent[SENDERS + 1][LANES];
	uint64_t received[SENDERS + 1][LANES];
	uint64_t quit_after; /* messages; 0: never */
	uint64_t handled;
	struct troupe_strong self; /* kept until the next own message */
	_Atomic bool quit;
	_Atomic uint32_t exits, destroys;
};

struct sender {
	pthread_t thread;
	uint32_t number;
	struct troupe_strong strong[ACTORS]; /* either */
	struct troupe_weak weak[ACTORS];     /* or */
};

static struct post posts[ACTORS];
static struct sender senders[SENDERS];
static _Atomic uint64_t moved; /* payloads that were not released yet */
static uint64_t rounds;
static _Atomic uint64_t messages;

/* ---- sending ----------------------------------------------------------- */

static void letter_release(void *data, size_t size)
{
	stress_check(size == sizeof(struct letter), "a moved size changed");
	free(data);
	stress_check(atomic_fetch_sub(&moved, 1) > 0, "released twice");
}

/* Returns: false if the receiver has ended. */
static bool letter_send(struct troupe_strong to, struct post *post,
			uint32_t sender)
{
	uint32_t lane = stress_once_in(4);
	struct letter letter = {sender, lane, post->sent[sender][lane] + 1};
	int result;

	if (lane != 0) {
		result = troupe_send_urgent(to, 1, &letter, sizeof(letter));
	} else if (stress_once_in(2)) {
		result = troupe_send(to, 1, &letter, sizeof(letter));
	} else {
		struct letter *copy = malloc(sizeof(*copy));

		*copy = letter;
		atomic_fetch_add(&moved, 1);
		result = troupe_send_moved(to, 1, copy, sizeof(*copy),
					   letter_release);
		if (result != 0)
			letter_release(copy, sizeof(*copy));
	}
	stress_check(result == 0 || result == -ESRCH, "send: %d", result);
	if (result == 0)
		post->sent[sender][lane]++;
	return result == 0;
}

static void *sender_main(void *data)
{
	struct sender *sender = data;
	uint32_t left = ACTORS;

	while (left > 0) {
		uint32_t i = (uint32_t)stress_below(ACTORS);
		struct troupe_strong *strong = &sender->strong[i];
		bool gone = false;

		if (!troupe_weak_is_null(sender->weak[i])) {
			*strong = troupe_weak_lock(sender->weak[i]);
			gone = troupe_strong_is_null(*strong);
		} else if (troupe_strong_is_null(*strong)) {
			continue;
		}
		if (!gone)
			gone = !letter_send(*strong, &posts[i], sender->number);
		stress_pause(20);
		if (!gone)
			gone = stress_once_in(MESSAGES);
		if (!troupe_weak_is_null(sender->weak[i])) {
			troupe_strong_release(strong);
			if (gone)
				troupe_weak_release(&sender->weak[i]);
		} else if (gone) {
			troupe_strong_release(strong);
		}
		left -= gone;
	}
	return NULL;
}

/* ---- receiving --------------------------------------------------------- */

static int post_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	(void)self;
	*(struct post **)state = (struct post *)(uintptr_t)argument;
	return 0;
}

/* Sends to itself by a handle that may be the only one there is. */
static void post_revive(struct troupe_actor *self, struct post *post)
{
	struct troupe_strong me = troupe_self(self);

	letter_send(me, post, OWN);
	if (stress_once_in(2) && troupe_strong_is_null(post->self))
		post->self = me;
	else
		troupe_strong_release(&me);
}

static int post_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct post *post = *(struct post **)state;
	const struct letter *letter = troupe_payload(message);
	uint64_t *received = &post->received[letter->sender][letter->lane];

	stress_check(letter->number == *received + 1,
		     "message %" PRIu64
		     " of sender %u, lane %u, after %" PRIu64,
		     letter->number, letter->sender, letter->lane, *received);
	++*received;
	if (letter->sender == OWN)
		troupe_strong_release(&post->self);
	if (stress_once_in(8))
		post_revive(self, post);
	if (++post->handled == post->quit_after) {
		troupe_strong_release(&post->self);
		atomic_store(&post->quit, true);
		troupe_quit(self, 0);
	}
	return 0;
}

static void post_exit(struct troupe_actor *self, void *state, int reason)
{
	struct post *post = *(struct post **)state;

	(void)self;
	stress_check(reason == 0, "ended with %d", reason);
	stress_check(atomic_fetch_add(&post->exits, 1) == 0, "two exits");
	stress_check(troupe_strong_is_null(post->self), "ended with a handle");
	for (uint32_t i = 0; !post->quit && i <= SENDERS; i++)
		for (uint32_t lane = 0; lane < LANES; lane++)
			stress_check(
				post->received[i][lane] == post->sent[i][lane],
				"%" PRIu64 " of %" PRIu64 " messages lost",
				post->sent[i][lane] - post->received[i][lane],
				post->sent[i][lane]);
	atomic_fetch_add(&messages, post->handled);
	stress_progress();
}

static void post_destroy(void *state)
{
	struct post *post = *(struct post **)state;

	stress_check(atomic_load(&post->exits) == 1, "destroyed, no exit");
	stress_check(atomic_fetch_add(&post->destroys, 1) == 0,
		     "destroyed twice");
}

static const struct troupe_actor_class post_class = {
	.name = "post",
	.state_size = sizeof(struct post *),
	.init = post_init,
	.receive = post_receive,
	.on_exit = post_exit,
	.destroy = post_destroy,
};

static const struct troupe_actor_class kept_class = {
	.name = "kept",
	.state_size = sizeof(struct post *),
	.flags = TROUPE_CLASS_KEEP_STATE,
	.init = post_init,
	.receive = post_receive,
	.on_exit = post_exit,
	.destroy = post_destroy,
};

/* ---- rounds ------------------------------------------------------------ */

static void round_begin(struct troupe_system *system)
{
	memset(posts, 0, sizeof(posts));
	memset(senders, 0, sizeof(senders));
	for (uint32_t i = 0; i < ACTORS; i++) {
		struct troupe_strong actor;

		if (stress_once_in(3))
			posts[i].quit_after = 1 + stress_below(2 * MESSAGES);
		stress_check(troupe_spawn(system,
					  stress_once_in(2) ? &post_class
							    : &kept_class,
					  &posts[i], &actor) == 0,
			     "spawn");
		for (uint32_t j = 0; j < SENDERS; j++) {
			if (stress_once_in(3))
				senders[j].weak[i] = troupe_weak_from(actor);
			else
				senders[j].strong[i] =
					troupe_strong_clone(actor);
		}
		troupe_strong_release(&actor);
	}
	for (uint32_t j = 0; j < SENDERS; j++) {
		senders[j].number = j;
		stress_check(pthread_create(&senders[j].thread, NULL,
					    sender_main, &senders[j]) == 0,
			     "no thread");
	}
}

static void round_end(struct troupe_system *system)
{
	for (uint32_t j = 0; j < SENDERS; j++)
		pthread_join(senders[j].thread, NULL);
	troupe_system_await(system);
	for (uint32_t i = 0; i < ACTORS; i++)
		stress_check(posts[i].exits == 1 && posts[i].destroys == 1,
			     "an actor ended %u times, was destroyed %u times",
			     posts[i].exits, posts[i].destroys);
	stress_check(atomic_load(&moved) == 0, "%" PRIu64 " payloads leak",
		     atomic_load(&moved));
	rounds++;
}

static void turn(struct troupe_system *system)
{
	do {
		round_begin(system);
		round_end(system);
	} while (stress_goes_on());
}

int main(int argc, char **argv)
{
	static const uint32_t workers[] = {1, 2, 4, 0};

	stress_start("mailbox", 3, argc, argv);
	stress_turns(turn, workers);
	printf("stress_mailbox: %" PRIu64 " rounds, %" PRIu64 " messages\n",
	       rounds, atomic_load(&messages));
	return 0;
}
