/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mall brings 100 creatures together in pairs. Two that meet take on a
 * colour that depends on both, and come back: four messages each time.
 *
 * The handles are in one array, as in workload_big.c. When all meetings are
 * over the mall sends home whoever comes.
 */
#include "workloads.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define CREATURES 100
#define COLOURS	  3

enum {
	CHAMENEOS_START = 1,
	CHAMENEOS_COME,	  /* to the mall: struct visitor */
	CHAMENEOS_MEET,	  /* from it: struct visitor, the other one */
	CHAMENEOS_CHANGE, /* from the other one: your new colour */
	CHAMENEOS_END,
};

struct visitor {
	uint32_t index;
	uint32_t colour;
};

struct chameneos {
	uint64_t meetings;
	struct troupe_strong mall;
	struct troupe_strong creatures[CREATURES];
	/* Each creature writes its own, when it ends. */
	uint64_t met[CREATURES];
};

struct mall {
	struct chameneos *chameneos;
	uint64_t left; /* meetings to arrange */
	uint32_t gone; /* creatures sent home */
	bool occupied; /* by: */
	struct visitor waiting;
};

struct creature {
	struct chameneos *chameneos;
	struct visitor me;
	uint64_t met;
};

struct creature_argument {
	struct chameneos *chameneos;
	uint32_t index;
};

static int mall_init(struct troupe_actor *self, void *state,
		     const void *argument)
{
	struct mall *mall = state;

	(void)self;
	mall->chameneos = (struct chameneos *)argument;
	mall->left = mall->chameneos->meetings;
	return 0;
}

static int mall_receive(struct troupe_actor *self, void *state,
			const struct troupe_message *message)
{
	struct mall *mall = state;
	const struct visitor *visitor = troupe_payload(message);

	if (message->tag != CHAMENEOS_COME)
		return -ECANCELED;
	if (mall->left == 0) {
		if (++mall->gone == CREATURES)
			troupe_quit(self, TROUPE_EXIT_NORMAL);
		return troupe_reply(self, message, CHAMENEOS_END, NULL, 0);
	}
	mall->occupied = !mall->occupied;
	if (mall->occupied) {
		mall->waiting = *visitor;
		return 0;
	}
	mall->left--;
	return troupe_send(mall->chameneos->creatures[mall->waiting.index],
			   CHAMENEOS_MEET, visitor, sizeof(*visitor));
}

/* Nobody can meet anybody without the mall. */
static void mall_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct mall *mall = state;

	(void)self;
	if (reason == TROUPE_EXIT_NORMAL)
		return;
	for (uint32_t i = 0; i < CREATURES; i++)
		troupe_send(mall->chameneos->creatures[i], CHAMENEOS_END, NULL,
			    0);
}

static const struct troupe_actor_class mall_class = {
	.name = "mall",
	.state_size = sizeof(struct mall),
	.init = mall_init,
	.receive = mall_receive,
	.on_exit = mall_on_exit,
};

static int creature_init(struct troupe_actor *self, void *state,
			 const void *argument)
{
	const struct creature_argument *given = argument;
	struct creature *creature = state;

	(void)self;
	creature->chameneos = given->chameneos;
	creature->me.index = given->index;
	creature->me.colour = given->index % COLOURS;
	return 0;
}

static int creature_come(struct creature *creature)
{
	return troupe_send(creature->chameneos->mall, CHAMENEOS_COME,
			   &creature->me, sizeof(creature->me));
}

/* Equal colours stay; two different ones both become the third. */
static int creature_meet(struct creature *creature, const struct visitor *other)
{
	int code;

	if (creature->me.colour != other->colour)
		creature->me.colour =
			COLOURS - creature->me.colour - other->colour;
	creature->met++;
	code = troupe_send(creature->chameneos->creatures[other->index],
			   CHAMENEOS_CHANGE, &creature->me.colour,
			   sizeof(creature->me.colour));
	return code != 0 ? code : creature_come(creature);
}

static int creature_receive(struct troupe_actor *self, void *state,
			    const struct troupe_message *message)
{
	struct creature *creature = state;
	const void *payload = troupe_payload(message);

	switch (message->tag) {
	case CHAMENEOS_START:
		return creature_come(creature);
	case CHAMENEOS_MEET:
		return creature_meet(creature, payload);
	case CHAMENEOS_CHANGE:
		creature->me.colour = *(const uint32_t *)payload;
		creature->met++;
		return creature_come(creature);
	default:
		troupe_quit(self, TROUPE_EXIT_NORMAL);
		return 0;
	}
}

static void creature_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct creature *creature = state;
	struct chameneos *chameneos = creature->chameneos;

	(void)self;
	chameneos->met[creature->me.index] = creature->met;
	if (reason != TROUPE_EXIT_NORMAL)
		troupe_send(chameneos->mall, CHAMENEOS_END, NULL, 0);
}

static const struct troupe_actor_class creature_class = {
	.name = "creature",
	.state_size = sizeof(struct creature),
	.init = creature_init,
	.receive = creature_receive,
	.on_exit = creature_on_exit,
};

static int chameneos_start(struct troupe_system *system,
			   struct chameneos *chameneos)
{
	struct creature_argument argument = {.chameneos = chameneos};
	int code =
		troupe_spawn(system, &mall_class, chameneos, &chameneos->mall);

	if (code != 0)
		return code;
	for (; code == 0 && argument.index < CREATURES; argument.index++)
		code = troupe_spawn(system, &creature_class, &argument,
				    &chameneos->creatures[argument.index]);
	for (uint32_t i = 0; code == 0 && i < CREATURES; i++)
		code = troupe_send(chameneos->creatures[i], CHAMENEOS_START,
				   NULL, 0);
	if (code != 0)
		troupe_send(chameneos->mall, CHAMENEOS_END, NULL, 0);
	return code;
}

static int chameneos_run(struct workload_trial *trial)
{
	struct chameneos *chameneos = calloc(1, sizeof(*chameneos));
	uint64_t met = 0;
	int code;

	if (chameneos == NULL)
		return workload_failed(trial, "allocate", -ENOMEM);
	chameneos->meetings = workload_size(trial, 300000, 1);
	code = chameneos_start(trial->system, chameneos);
	troupe_system_await(trial->system);
	troupe_strong_release(&chameneos->mall);
	for (uint32_t i = 0; i < CREATURES; i++) {
		troupe_strong_release(&chameneos->creatures[i]);
		met += chameneos->met[i];
	}

	trial->operations = chameneos->meetings;
	if (code != 0)
		code = workload_failed(trial, "start the creatures", code);
	else
		code = workload_verify(trial, "meetings, from both sides", met,
				       2 * chameneos->meetings);
	free(chameneos);
	return code;
}

const struct workload workload_chameneos = {
	.name = "chameneos",
	.unit = "meeting",
	.summary =
		"100 creatures meet in pairs, 300k times: four messages each",
	.run = chameneos_run,
};
