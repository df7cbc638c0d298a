/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mailbox word and the strong count of one actor: core/mailbox.h,
 * core/actor.c and refcount/block.h, a step for each atomic operation.
 *
 * Two senders have a strong handle each, send a message, the first one maybe
 * two, and let it go. A third has a weak one, locks it, and sends if it can. The
 * actor handles what comes; once it may make a handle to itself, maybe the only
 * one, send to itself and let it go; and it may quit at any time. Its state is
 * kept until the last handle has gone.
 *
 * What must hold in every order of events:
 *	- one alone owns the actor's job, and it is not enqueued twice;
 *	- each message is handled once, or released as the actor ends, or
 *	  refused; those of one sender are handled in order;
 *	- an actor that does not quit ends when it has handled all that was
 *	  sent, and then no more can be sent;
 *	- it ends, always;
 *	- the state is destroyed once, after on_exit, with the last handle.
 *
 * All is sequentially consistent, as are the operations that this is about.
 *
 * With one of these the model is wrong, and spin must find out:
 *	WORD_FIRST	the actor reads the word before the strong count
 *	NO_NUDGE	the last release does not tell the actor
 *	LOSE_NUDGE	the actor goes idle over a nudge
 *	NUDGE_EMPTY	the last release leaves a word alone that is a message
 *	SAME_BASE	the base's memory is used for a new message, and the
 *			word that it is in seems not to have changed
 *	NO_MARK		an actor and a releaser do not agree who destroys
 *	OWN_HANDLE	the actor ends with a handle to itself, by which weak
 *			ones can be locked while the mailbox is still open
 */

/* Messages have fixed numbers: two of the first sender, and one of each else. */
#define FROM_SECOND 2
#define FROM_LOCKER 3
#define FROM_SELF   4
#define MESSAGES    5

mtype = { EMPTY, IDLE, CLOSED, CHAIN };

mtype word = EMPTY;		/* CHAIN: messages are in it */
bit nudged = 0;			/* the bit beside EMPTY or a message */
chan chain = [MESSAGES] of { byte };	/* those above the base, the oldest
					 * first */
bit based = 0;			/* a base is in the word */
byte strong = 3;		/* the senders' and the spawner's */
bit sent[MESSAGES];
bit fate[MESSAGES];		/* handled, released or refused */

bit ready = 0;			/* the policy has the job */
bit owned = 1;			/* somebody may run, enqueue or end it */
bit quit = 0;
bit exited = 0;
bit marked = 0;			/* the state is due when strong is 0 */
bit destroyed = 0;

inline meet(message) {
	assert(!fate[message]);
	fate[message] = 1
}

/* Who took the word from IDLE. */
inline claim() {
	assert(!owned && !ready);
	owned = 1;
	ready = 1
}

/* actor_destroy_kept() */
inline destroy_kept() {
	if
	:: strong == 0 ->
#ifdef NO_MARK
		if
		:: marked -> assert(exited && !destroyed); destroyed = 1
		:: else -> skip
		fi
#else
		d_step {
			if
			:: marked ->
				marked = 0;
				assert(exited && !destroyed);
				destroyed = 1
			:: else -> skip
			fi
		}
#endif
	:: else -> skip
	fi
}

/* mailbox_nudge(). Sets @closed. */
inline nudge(closed) {
	d_step {
		if
		:: word == CLOSED -> closed = 1
		:: word == IDLE -> word = EMPTY; claim()
		:: word == EMPTY -> nudged = 1
#ifndef NUDGE_EMPTY
		:: word == CHAIN -> nudged = 1
#endif
		:: else -> skip
		fi
	}
}

/* troupe_strong_release(). @flag is 0 before and after. */
inline release(flag) {
	d_step {
		assert(strong > 0);
		strong--;
		flag = (strong == 0)
	}
	if
	:: flag ->
		flag = 0;
#ifndef NO_NUDGE
		nudge(flag);
		if
		:: flag -> flag = 0; destroy_kept()
		:: else -> skip
		fi
#endif
	:: else -> skip
	fi
}

/* mailbox_push_mpsc(), by someone with a handle. */
inline push(message) {
	d_step {
		assert(strong > 0);
		sent[message] = 1;
		if
		:: word == CLOSED -> meet(message)
		:: else ->
			chain ! message;
			nudged = 0;
			if
			:: word == IDLE -> word = CHAIN; claim()
			:: else -> word = CHAIN
			fi
		fi
	}
}

proctype sender(byte first) {
	bit flag;

	push(first);
	if
	:: first == 0 -> push(1)
	:: skip
	fi;
	release(flag)
}

/* Has a weak handle. */
proctype locker() {
	bit flag;

	d_step {
		flag = (strong > 0);
		strong = strong + flag
	}
	if
	:: flag ->
		flag = 0;
		push(FROM_LOCKER);
		release(flag)
	:: else -> skip
	fi
}

/* Spawns the actor, and is the worker that runs it. */
active proctype worker() {
	chan lane = [MESSAGES] of { byte };
	byte message = 0;
	bit reachable = 0, flag = 0, revived = 0;

	atomic {
		run sender(0);
		run sender(FROM_SECOND);
		run locker()
	}
	release(flag);
	goto settle;

dequeue:
	atomic {
		ready == 1;
		ready = 0;
		assert(owned)
	}
fetch:
	/* The one new message becomes the base, or all come into the lane. */
	atomic {
		if
		:: len(chain) == 1 ->
			chain ? message;
			lane ! message;
			message = 0;
			based = 1
		:: len(chain) > 1 ->
			do
			:: len(chain) > 0 -> chain ? message; lane ! message
			:: len(chain) == 0 -> break
			od;
			message = 0;
			based = 0;
			nudged = 0;
			word = EMPTY
		:: else -> skip
		fi
	}
	do
	:: len(lane) > 0 && !quit ->
		d_step {
			lane ? message;
			meet(message);
			assert(message != 1 || fate[0]);
			message = 0
		}
		if
		:: !revived ->
			revived = 1;
			strong++;
			push(FROM_SELF);
			release(flag)
		:: skip
		:: quit = 1
		fi
	:: len(lane) == 0 || quit -> break
	od;
	if
	:: quit -> goto end
	:: else -> skip
	fi;

settle:
	/* troupe__actor_settle(); the lanes are empty. */
#ifdef WORD_FIRST
	if
	:: len(chain) > 0 -> goto fetch
	:: len(chain) == 0 && nudged -> goto take_nudge
	:: else -> skip
	fi;
	reachable = (strong != 0);
#else
	reachable = (strong != 0);
	if
	:: len(chain) > 0 -> reachable = 0; goto fetch
	:: len(chain) == 0 && nudged -> reachable = 0; goto take_nudge
	:: else -> skip
	fi;
#endif
	if
	:: !reachable -> goto end
	:: else -> reachable = 0
	fi;
	/* mailbox_try_idle() */
	atomic {
		if
		:: len(chain) == 0 && !nudged ->
			assert(word == EMPTY || (word == CHAIN && based));
			word = IDLE;
			based = 0;
			owned = 0;
			goto dequeue
#ifdef SAME_BASE
		:: len(chain) == 1 && based && !nudged ->
			chain ? message;
			message = 0;
			word = IDLE;
			based = 0;
			owned = 0;
			goto dequeue
#endif
		:: else -> goto settle
		fi
	}
take_nudge:
	atomic {
		if
#ifdef LOSE_NUDGE
		:: len(chain) == 0 && nudged ->
			nudged = 0;
			based = 0;
			word = IDLE;
			owned = 0
#else
		:: nudged -> nudged = 0
#endif
		:: else -> skip
		fi
	}
#ifdef LOSE_NUDGE
	goto dequeue;
#else
	goto settle;
#endif

end:
	/* troupe__actor_end() */
#ifdef OWN_HANDLE
	strong++;
#endif
	atomic {
		assert(quit || len(chain) == 0);
		word = CLOSED;
		nudged = 0;
		based = 0;
		do
		:: len(chain) > 0 -> chain ? message; meet(message)
		:: len(lane) > 0 -> lane ? message; meet(message)
		:: len(chain) == 0 && len(lane) == 0 -> break
		od;
		message = 0;
		exited = 1
	}
	marked = 1;
#ifdef OWN_HANDLE
	release(flag);
#else
	destroy_kept();
#endif
	/* Nothing moves any more. */
	timeout;
	assert(strong == 0 && destroyed);
	do
	:: message < MESSAGES ->
		assert(sent[message] == fate[message]);
		message++
	:: else -> break
	od
}
