/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scoped - main asks, and waits for the answer
 *
 *	scoped [--config FILE] [--troupe.SECTION.KEY=VALUE]...
 *
 * A thread that is no actor can send, but nobody can answer it. From
 * troupe_scoped_create() to troupe_scoped_destroy() main is one: it asks,
 * waits at most so long, and hears of another actor's end.
 */
#include "demo.h"

enum account_tag {
	ACCOUNT_PAY_IN,	 /* int */
	ACCOUNT_BALANCE, /* a request; the answer: int */
	ACCOUNT_CLOSE,
};

static int account_receive(struct troupe_actor *self, void *state,
			   const struct troupe_message *message)
{
	int *balance = state;

	switch (message->tag) {
	case ACCOUNT_PAY_IN:
		*balance += *(const int *)troupe_payload(message);
		return 0;
	case ACCOUNT_BALANCE:
		return troupe_reply(self, message, ACCOUNT_BALANCE, balance,
				    sizeof(*balance));
	default:
		troupe_quit(self, *balance);
		return 0;
	}
}

static const struct troupe_actor_class account_class = {
	.name = "account",
	.state_size = sizeof(int),
	.receive = account_receive,
};

#define SECOND UINT64_C(1000000000)

int main(int argc, char **argv)
{
	struct troupe_config config = TROUPE_CONFIG_INIT;
	const struct troupe_message *message;
	struct troupe_system *system;
	struct troupe_strong account;
	struct troupe_actor *self;
	int reason = 0, result;

	demo_settings(&config, &argc, argv);
	demo_no_arguments(argc, argv);
	system = demo_start(&config);
	demo_check(troupe_spawn(system, &account_class, NULL, &account),
		   "troupe_spawn");
	demo_check(troupe_scoped_create(system, &self), "troupe_scoped_create");

	for (int i = 1; i <= 10; i++)
		demo_check(troupe_send(account, ACCOUNT_PAY_IN, &i, sizeof(i)),
			   "troupe_send");
	demo_check(troupe_ask(self, account, ACCOUNT_BALANCE, NULL, 0,
			      10 * SECOND, &message),
		   "troupe_ask");
	printf("the balance is %d\n", *(const int *)troupe_payload(message));

	/* Nobody writes to main now. */
	result = troupe_receive(self, SECOND / 100, &message);
	printf("after 10 ms: %s\n", strerror(-result));

	demo_check(troupe_send(account, ACCOUNT_CLOSE, NULL, 0), "troupe_send");
	demo_check(troupe_await_end(self, account, 10 * SECOND, &reason),
		   "troupe_await_end");
	/* The reason, unless it was faster than the question. */
	printf("the account is closed%s\n",
	       reason == 55 ? " with 55" : ", and was before");

	troupe_strong_release(&account);
	troupe_scoped_destroy(self);
	troupe_system_destroy(system);
	puts("main is main again");
	return 0;
}
