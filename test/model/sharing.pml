/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the workers of the policy work-sharing sleep, wake and watch:
 * policy-worksharing/park.c. What is done under the mutex is one step.
 *
 * Parents come from outside. Each may stay busy in its run until all parents
 * have started; then it may make a leaf READY, and stays busy until all leaves
 * made so far have run. So somebody else must run what is in the shared queue,
 * and what is in the hands of a parent's worker: a leaf, and perhaps another
 * parent, as its batch. The watcher's time may be up early once, and is up in the
 * end if there is something for it to find; so it does not hide a lost wake-up
 * by looking again and again. Who comes to the queue while others run may rest
 * first; that ends at any time, or when nobody sleeps who could do what there
 * is, or all others do. What must hold in every order of events: all have
 * run, and then all sleep without a time limit.
 *
 * With one of these the model is wrong, and spin must find out:
 *	NOT_FIRST	who goes to sleep does not become the watcher
 *	NO_HAND_ON	a watcher that takes a job leaves nobody in its place
 *	NO_CALL	a worker that makes a job READY does not see to a watcher
 *	BATCH_ANYWAY	a worker takes a batch while somebody sleeps
 *	NO_NEXT	who takes a job wakes nobody for those that are left
 *	REST_ON	a rest has no end of its own
 *	REST_COMING	who rests counts as coming meanwhile
 *	NOT_COMING	who looks around a last time forgets to look under the mutex
 */

#define WORKERS 3
#define PARENTS 2
#define NONE	WORKERS

byte parents = 0, leaves = 0;	/* in the shared queue */
byte hand_parents[WORKERS], hand_leaves[WORKERS];
bit stuck[WORKERS];		/* in its run */
byte made = 0, done = 0;	/* leaves */
byte started = 0, done_parents = 0;

byte sleeping = 0;
byte coming = 0;
byte watcher = NONE;
bit asleep[WORKERS];		/* is on the list */
bit timed[WORKERS];		/* waits with a limit */
bit looking = 0;
bit queued = 0, idle = 0, unwatched = 0;	/* call */
byte early = 1;			/* so often the watcher wakes for nothing */
byte resting = 0;
byte rests = 1;			/* so many may begin */
bit brief = 0;			/* and end early */

inline publish() {
	queued = parents + leaves > 0;
	idle = sleeping > 0 || looking;
	unwatched = sleeping > 0 && watcher == NONE
}

/* Any of those that sleep, but the watcher only if there is no other. */
inline choose() {
	if
	:: asleep[0] && (watcher != 0 || sleeping == 1) -> v = 0
	:: asleep[1] && (watcher != 1 || sleeping == 1) -> v = 1
	:: asleep[2] && (watcher != 2 || sleeping == 1) -> v = 2
	fi
}

inline leave() {
	if
	:: parents + leaves > 0 && coming == 0 && sleeping > 0 ->
		choose();
		asleep[v] = 0;
		sleeping--;
		coming++
	:: else -> skip
	fi;
	publish()
}

inline hand_on() {
	watcher = NONE;
	if
	:: sleeping > 0 ->
		choose();
		watcher = v;
		timed[v] = 1
	:: else -> skip
	fi
}

/* What @o has in its hands is shared. */
inline give_back(o) {
	parents = parents + hand_parents[o];
	leaves = leaves + hand_leaves[o];
	hand_parents[o] = 0;
	hand_leaves[o] = 0
}

/* internal_enqueue() of a leaf. */
inline make() {
	atomic {
		hand_leaves[_pid]++;
		made++
	};
	/* One read of call decides both. */
	atomic {
		see = unwatched;
		want = idle && !queued &&
			hand_leaves[_pid] + hand_parents[_pid] > 1
	};
#ifndef NO_CALL
	if
	:: see ->
		atomic {
			if
			:: watcher == NONE -> hand_on()
			:: else -> skip
			fi;
			leave()
		}
	:: else -> skip
	fi;
#endif
	if
	:: want ->
		atomic {
			if
			:: hand_parents[_pid] > 0 ->
				parents = parents + hand_parents[_pid];
				hand_parents[_pid] = 0
			:: else ->
				if
				:: hand_leaves[_pid] > 1 ->
					leaves = leaves + hand_leaves[_pid] - 1;
					hand_leaves[_pid] = 1
				:: else -> skip
				fi
			fi;
			leave()
		}
	:: else -> skip
	fi;
	see = 0;
	want = 0
}

active [WORKERS] proctype worker() {
	byte v = 0;
	byte i = 0;
	bit spun = 0, see = 0, want = 0, parent = 0;

dequeue:
	if
	:: skip
	:: atomic {
		rests > 0 && sleeping + resting + looking < WORKERS - 1 ->
		v = 0;
		spun = 0;
		give_back(_pid);
		rests--;
		resting++;
#ifdef REST_COMING
		coming++;
#endif
		leave();
		if
		:: brief = 1
		:: skip
		fi
	   };
	   atomic {
#ifdef REST_ON
		brief ->
#else
		brief || sleeping == 0 || sleeping == WORKERS - resting ->
#endif
#ifdef REST_COMING
		coming--;
#endif
		resting--
	   };
	   goto take
	fi;
	atomic {
		v = 0;
		spun = 0;
		if
		:: hand_leaves[_pid] > 0 ->
			hand_leaves[_pid]--;
			parent = 0;
			goto resume
		:: hand_leaves[_pid] == 0 && hand_parents[_pid] > 0 ->
			hand_parents[_pid]--;
			parent = 1;
			goto resume
		:: else -> skip
		fi
	};
take:
	atomic {
		if
		:: parents + leaves > 0 ->
			if
			:: parents > 0 -> parents--; parent = 1
			:: else -> leaves--; parent = 0
			fi;
			if
#ifdef BATCH_ANYWAY
			:: true ->
#else
			:: sleeping == 0 ->
#endif
				hand_parents[_pid] = parents;
				hand_leaves[_pid] = leaves;
				parents = 0;
				leaves = 0
			:: else -> skip
			fi;
			if
			:: watcher == _pid ->
#ifdef NO_HAND_ON
				watcher = NONE
#else
				hand_on()
#endif
			:: else -> skip
			fi;
#ifdef NO_NEXT
			publish();
#else
			leave();
#endif
			goto resume
		:: else -> skip
		fi;
		if
		:: !spun && coming == 0 ->
			spun = 1;
			looking = 1;
			coming++;
			leave();
			goto spin
		:: else -> skip
		fi;
sleep:
		asleep[_pid] = 1;
		sleeping++;
		if
		:: sleeping == WORKERS -> watcher = NONE
#ifndef NOT_FIRST
		:: sleeping < WORKERS && watcher == NONE -> watcher = _pid
#endif
		:: else -> skip
		fi;
		timed[_pid] = watcher == _pid;
		publish()
	};
end_asleep:
	/* For ever, if all have run. */
	if
	:: atomic {
		!asleep[_pid] ->
		coming--;
		spun = 0
	   };
	   goto take
	:: atomic {
		asleep[_pid] && timed[_pid] &&
		(early > 0 ||
		 (stuck[0] && hand_leaves[0] + hand_parents[0] > 0) ||
		 (stuck[1] && hand_leaves[1] + hand_parents[1] > 0) ||
		 (stuck[2] && hand_leaves[2] + hand_parents[2] > 0)) ->
		if
		:: early > 0 -> early--
		:: else -> skip
		fi;
		timed[_pid] = 0;
		asleep[_pid] = 0;
		sleeping--;
		coming++;
		leave()
	   };
	   /* park_look(), and back under the mutex. */
	   atomic {
		i = 0;
		do
		:: i < WORKERS && stuck[i] &&
		   hand_leaves[i] + hand_parents[i] > 0 ->
			give_back(i);
			break
		:: i < WORKERS &&
		   !(stuck[i] && hand_leaves[i] + hand_parents[i] > 0) -> i++
		:: i == WORKERS -> break
		od;
		coming--;
		spun = i == WORKERS;
		i = 0
	   };
	   goto take
	fi;
spin:
	/* At any time. */
	atomic {
		looking = 0;
		coming--;
#ifdef NOT_COMING
		goto sleep
#endif
	};
	goto take;
resume:
	if
	:: parent ->
		atomic {
			stuck[_pid] = 1;
			started++
		};
		if
		:: skip
		:: true -> started == PARENTS
		fi;
		stuck[_pid] = 0;
		if
		:: skip
		:: make()
		fi;
		stuck[_pid] = 1;
		made == done;
		atomic {
			stuck[_pid] = 0;
			done_parents++
		}
	:: else -> done++
	fi;
	goto dequeue
}

active proctype outside() {
	byte i = 0;
	byte v = 0;

	do
	:: i < PARENTS ->
		atomic {
			parents++;
			i++;
			leave()
		}
	:: else -> break
	od
}

/* When nothing moves any more. */
active proctype judge() {
	timeout;
	assert(done == made && done_parents == PARENTS);
	assert(sleeping == WORKERS && watcher == NONE && coming == 0)
}
