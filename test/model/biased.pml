/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The biased lock: core/biased.c, whose steps (1), (2) and (a) to (c) are named
 * here. One owner, two others; the owner makes it biased again whenever it can.
 *
 * The owner's word waits in a store buffer of one place, as a processor may keep
 * it: it drains at any time, and the others' barrier drains it. A second store
 * waits until the first has drained, and so does an atomic operation.
 *
 * With one of these the model is wrong, and spin must find out:
 *	NO_BARRIER	others look at the owner without (b)
 *	BARRIER_FIRST	(b) comes before (a)
 *	NO_LOOK		others do not look whether the owner is inside
 *	READ_FIRST	the owner does (2) before (1)
 *	KEEP_SHARED	who gives up leaves the bias away
 *	BIAS_LATE	the owner makes it biased after it gave the spinlock back
 */

#define OTHERS	 2
#define SECTIONS 4		/* the owner's */
#define TRIES	 2		/* of each other */

byte inside;			/* as others see it */
byte waiting;			/* in the store buffer: inside + 1; 0: nothing */
bool shared;
bool locked;			/* the spinlock */
byte users;			/* of what the lock guards */

inline drain() {
	if
	:: waiting != 0 ->
		inside = waiting - 1;
		waiting = 0
	:: else -> skip
	fi
}

/* By the processor itself, at any time. */
active proctype buffer() {
end:
	do
	:: d_step { waiting != 0 -> drain() }
	od
}

inline store_inside(value) {
	atomic { waiting == 0 -> waiting = value + 1 }
}

inline use() {
	atomic {
		users++;
		assert(users == 1)
	};
	users--
}

active proctype owner() {
	byte sections = 0;
	bool seen = false;

	do
	:: sections < SECTIONS ->
		sections++;
#ifdef READ_FIRST
		seen = shared;
		store_inside(1);
#else
		store_inside(1);		/* (1) */
		seen = shared;			/* (2) */
#endif
		if
		:: !seen ->
			use();
			store_inside(0)
		:: else ->
			store_inside(0);
			atomic { waiting == 0 && !locked -> locked = true };
			use();
#ifdef BIAS_LATE
			locked = false;
			shared = false
#else
			shared = false;
			locked = false
#endif
		fi
	:: else -> break
	od
}

inline barrier() {
	d_step { drain() }
}

active [OTHERS] proctype other() {
	byte tries = 0;
	bool got = false;

	do
	:: tries < TRIES ->
		tries++;
		atomic { !locked -> locked = true };
		got = true;
		if
		:: !shared ->
#ifdef BARRIER_FIRST
			barrier();
			shared = true;
#else
			shared = true;		/* (a) */
#ifndef NO_BARRIER
			barrier();		/* (b) */
#endif
#endif
#ifndef NO_LOOK
			if
			:: inside != 0 ->	/* (c) */
				got = false;
#ifndef KEEP_SHARED
				shared = false
#endif
			:: else -> skip
			fi
#endif
		:: else -> skip
		fi;
		if
		:: got -> use()
		:: else -> skip
		fi;
		locked = false
	:: else -> break
	od
}
