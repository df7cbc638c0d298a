/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holding senders back at full mailboxes: core/hold.c and core/limits.c, a step
 * for each atomic operation and each part of a locked section that others can
 * come between.
 *
 * Three actors with mailboxes of LIMIT, all of them TROUPE_OVERFLOW_HOLD. For
 * a message that it handles an actor may send one to any other, once or twice;
 * so circles arise. QUITTER may quit after any message. STICKER may get stuck
 * in its behaviour for good, and is then given up. BATCHER may take what it has
 * handled off its load later in the same run. Which worker runs whom is left
 * out: whose job is READY is run.
 *
 * What must hold in every order of events:
 *	- a job is held by one receiver, and enqueued only by who lets it go;
 *	- nobody follows the link words of a job that the policy has;
 *	- when nothing moves any more nobody is held, and each message has been
 *	  handled, but for those of an actor that has ended or is stuck.
 *
 * With one of these the model is wrong, and spin must find out:
 *	LOAD_FIRST	a sender reads the load before it says that it is held
 *	HELD_FIRST	the receiver looks who is held before the load goes down
 *	NO_SETTLE	a run ends with messages that are handled and counted
 *	CLEAR_LATE	the receiver clears held when it has let go of the lock
 *	STATE_LATE	those let go are RUNNING only when the lock is free again
 *	NO_CIRCLE	a sender does not ask whom the receiver waits for
 *	ONE_STEP	it asks only whom the receiver itself waits for
 *	FIRST_ONLY	the receiver lets one of its senders go, and forgets the others
 *	NO_CLOSE	an actor that ends lets nobody go
 *	CLOSE_LATE	it lets them go, and then says that it is closed
 *	FORGET	a sender does not look if its receiver was given up
 */

#define ACTORS	3
#define QUITTER 0
#define STICKER 1
#define BATCHER 2
#define NONE	ACTORS
#define LIMIT	1
#define LOW	0
#define SENDS(a) (1 + (a == STICKER))

mtype = { WAITING, READY, RUNNING, HELD, DONE };

mtype state[ACTORS] = READY;
byte waiting[ACTORS] = 1;	/* messages in the mailbox */
byte load[ACTORS] = 1;		/* and on their way to it, or just taken */
bit shut[ACTORS];		/* the mailbox word */
bit closed[ACTORS];		/* and what hold.c sees of it */
bit given_up[ACTORS];
bit held[ACTORS];		/* step (1), read by step (b) */
byte behind[ACTORS] = NONE;	/* whom a held job waits for; NONE: the link
				 * words are the policy's */
bit lock = 0;
bit stuck = 0;

#define is_full(r) (load[r] > LOW && !closed[r] && !given_up[r])
#define take_lock() atomic { !lock -> lock = 1 }

/* The job of @a goes to the policy. */
inline enqueue(a) {
	assert(state[a] == RUNNING);
	behind[a] = NONE;
	state[a] = READY
}

/* troupe__hold_release() of @r. Uses @i. */
inline release(r) {
	take_lock();
	if
	:: atomic { is_full(r) -> lock = 0 }
	:: else ->
		atomic {
			let_go = 0;
			i = 0;
			do
			:: i < ACTORS && state[i] == HELD && behind[i] == r ->
				let_go = let_go | (1 << i);
#ifndef STATE_LATE
				state[i] = RUNNING;
#endif
#ifdef FIRST_ONLY
				break;
#endif
				i++
			:: i < ACTORS && !(state[i] == HELD && behind[i] == r) ->
				i++
			:: i == ACTORS -> break
			od;
			i = 0;
#ifndef CLEAR_LATE
			held[r] = 0;
#endif
			lock = 0
		};
#ifdef CLEAR_LATE
		held[r] = 0;
#endif
		do
		:: atomic {
			let_go != 0 ->
			do
			:: (let_go >> i) & 1 -> break
			:: else -> i++
			od;
			let_go = let_go & ~(1 << i);
#ifdef STATE_LATE
			state[i] = RUNNING;
#endif
			enqueue(i);
			i = 0
		   }
		:: let_go == 0 -> break
		od
	fi
}

/* A message that is counted goes into the mailbox of @r, if that is open. */
inline push(r) {
	atomic {
		if
		:: shut[r] -> load[r]--
		:: else ->
			waiting[r]++;
			if
			:: state[r] == WAITING -> state[r] = READY
			:: else -> skip
			fi
		fi
	}
}

/* troupe__limits_deliver() of a message to @r. */
inline send(r) {
	if
	:: shut[r] -> skip
	:: else ->
		atomic {
			load[r]++;
			if
			:: load[r] > LIMIT -> filled = r
			:: else -> skip
			fi
		};
		push(r)
	fi
}

/* troupe__hold_job(): ends with held_back. Uses @i. */
inline hold() {
	take_lock();
#ifdef LOAD_FIRST
	see = is_full(filled);
	held[filled] = 1;
#else
	held[filled] = 1;
#ifdef FORGET
	see = load[filled] > LOW && !closed[filled];
#else
	see = is_full(filled);
#endif
#endif
	/* hold_waits_for() */
#ifndef NO_CIRCLE
	i = filled;
	do
	:: see && i != me && state[i] == HELD ->
		assert(behind[i] != NONE);
#ifdef ONE_STEP
		atomic {
			if
			:: behind[i] == me -> i = me
			:: else -> skip
			fi;
			break
		}
#else
		i = behind[i]
#endif
	:: else -> break
	od;
#endif
	atomic {
#ifndef NO_CIRCLE
		see = see && i != me;
#endif
		i = 0;
		held_back = see;
		see = 0;
		if
		:: held_back ->
			assert(state[me] == RUNNING);
			state[me] = HELD;
			behind[me] = filled
		:: else -> skip
		fi;
		filled = NONE;
		lock = 0
	}
}

/* troupe__limits_settle(): steps (a) and (b). */
inline settle() {
#ifdef HELD_FIRST
	see = held[me];
	atomic {
		load[me] = load[me] - owed;
		owed = 0;
		see = see && load[me] <= LOW
	};
#else
	atomic {
		load[me] = load[me] - owed;
		owed = 0;
		see = load[me] <= LOW
	};
	see = see && held[me];
#endif
	if
	:: see ->
		see = 0;
		release(me)
	:: else -> skip
	fi
}

proctype actor(byte me) {
	byte i = 0;
	byte let_go = 0;
	byte filled = NONE;
	byte sends = SENDS(me);
	byte owed = 0;		/* handled in this run, and still counted */
	bit see = 0, held_back = 0, quit = 0;

end_dequeue:
	/* For good, if all have run. */
	atomic {
		state[me] == READY;
		state[me] = RUNNING;
		held_back = 0
	};
next:
	if
	:: atomic { !quit && filled == NONE && waiting[me] > 0 ->
		waiting[me]--
	   }
	:: else -> goto complete
	fi;
	/* troupe__limits_handled(): at once, or later in this run. */
	owed++;
	if
	:: settle()
	:: me == BATCHER -> skip
	fi;
	/* The behaviour. */
	if
	:: sends > 0 ->
		sends--;
		if
		:: me != 0 -> send(0)
		:: me != 1 -> send(1)
		:: me != 2 -> send(2)
		fi
	:: skip
	:: me == QUITTER -> quit = 1
	:: me == STICKER ->
		stuck = 1;
end_stuck:
		false
	fi;
	goto next;

complete:
#ifndef NO_SETTLE
	if
	:: owed > 0 -> settle()
	:: else -> skip
	fi;
#endif
	if
	:: filled != NONE ->
		hold();
		if
		:: held_back -> goto end_dequeue
		:: else -> skip
		fi
	:: else -> skip
	fi;
	if
	:: quit -> goto end
	:: else -> skip
	fi;
	/* troupe__actor_settle() */
	atomic {
		if
		:: waiting[me] == 0 -> state[me] = WAITING
		:: else -> state[me] = READY
		fi
	};
	goto end_dequeue;

end:
	/* troupe__actor_close() */
	atomic {
		shut[me] = 1;
		waiting[me] = 0
	};
#ifdef CLOSE_LATE
	release(me);
	take_lock();
	atomic { closed[me] = 1; lock = 0 };
#else
	take_lock();
	atomic { closed[me] = 1; lock = 0 };
#ifndef NO_CLOSE
	release(me);
#endif
#endif
	state[me] = DONE
}

/* Gives up who is stuck: troupe__hold_abandon(). */
proctype stop() {
	byte i = 0;
	byte let_go = 0;

end_wait:
	stuck;
	take_lock();
	atomic { given_up[STICKER] = 1; lock = 0 };
	release(STICKER)
}

/* When nothing moves any more. */
proctype judge() {
	byte i = 0;

	timeout;
	do
	:: i < ACTORS ->
		assert(state[i] == WAITING || state[i] == DONE ||
		       (state[i] == RUNNING && i == STICKER && stuck));
		assert(waiting[i] == 0 || (i == STICKER && stuck));
		i++
	:: else -> break
	od
}

init {
	atomic {
		/* One has arrived that was one too many. */
		waiting[2] = LIMIT + 1;
		load[2] = LIMIT + 1;
		run actor(0);
		run actor(1);
		run actor(2);
		run stop();
		run judge()
	}
}
