/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event count as core/platform.c uses it over ck_ec, a step for each atomic
 * operation, with the futex below it.
 *
 * Workers look for work and sleep when there is none; wakers publish a piece
 * of work each and wake. No sleep ends by itself: there are no deadlines, and
 * none of the early looks of the real one. What must hold in every order of
 * events: all work is done, and nobody who sleeps leaves work behind.
 *
 * With one of these the model is wrong, and spin must find out:
 *	LOOK_FIRST	the sleeper looks for work before it takes its key
 *	WAKE_FIRST	the waker wakes before it publishes
 *	NO_FLAG		the sleeper does not say that it sleeps
 *	CLEAR_LATE	the waker takes the flag away after waking the sleepers
 */

#define WORKERS 2
#define WAKERS	3

#ifdef NO_FLAG
#define SLEEPING 0
#else
#define SLEEPING 1
#endif

byte work = 0;			/* published, and not taken yet */
byte taken = 0;
byte counter = 0;		/* the event count: its number ... */
bit flag = 0;			/* ... and its top bit: somebody sleeps */
bit asleep[WORKERS];		/* in the futex */

inline futex_wake() {
	d_step {
		asleep[0] = 0;
		asleep[1] = 0
	}
}

/* Takes one piece of work, if there is any. */
inline take() {
	atomic {
		if
		:: work > 0 ->
			work--;
			taken++;
			found = 1
		:: else -> found = 0
		fi
	}
}

active [WORKERS] proctype worker() {
	byte key = 0;
	bit found = 0;

search:
#ifdef LOOK_FIRST
	take();
	key = counter;
#else
	key = counter;			/* troupe_event_prepare() */
	take();
#endif
	if
	:: found -> found = 0; key = 0; goto search
	:: else -> skip
	fi;
wait:
	/* troupe_event_wait() */
#ifndef NO_FLAG
	atomic {			/* ck_ec32_upgrade() */
		if
		:: counter == key -> flag = 1
		:: else -> found = 1	/* the number has changed */
		fi
	}
	if
	:: found -> found = 0; key = 0; goto search
	:: else -> skip
	fi;
#endif
	/* FUTEX_WAIT: sleeps only if the word is as expected, in one step. */
	atomic {
		if
		:: counter == key && flag == SLEEPING -> asleep[_pid] = 1
		:: else -> skip
		fi
	}
end_asleep:
	/* For ever, if all work is done. */
	!asleep[_pid];
	if
	:: counter == key -> goto wait	/* woken for nothing */
	:: else -> key = 0; goto search
	fi
}

active [WAKERS] proctype waker() {
	bit flagged = 0;

#ifndef WAKE_FIRST
	work++;
#endif
	d_step {			/* ck_ec32_inc(): fetch and add */
		flagged = flag;
		counter++
	}
	if
	:: flagged ->
		flagged = 0;
#ifdef CLEAR_LATE
		futex_wake();
		flag = 0
#else
		flag = 0;
		futex_wake()
#endif
	:: else -> skip
	fi;
#ifdef WAKE_FIRST
	work++
#endif
}

/* When nothing moves any more. */
active proctype judge() {
	timeout;
	assert(work == 0 && taken == WAKERS)
}
