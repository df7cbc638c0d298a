/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the workers of the policy work-stealing search, sleep, wake and watch:
 * policy-workstealing/idle.c, and what workstealing.c enqueues. What is done
 * under sleep_lock is one step, and so is each look at the jobs of a worker in
 * step (3). A search before that is one step as a whole. Jobs for one worker
 * only, rests and idle = poll are left out; a thief takes one job.
 *
 * Parents come from outside, into the queues. Each may stay busy in its run
 * until all parents have started; then it may make children READY, the first
 * into next, which a second one pushes into the deque; and it stays busy until
 * all children made so far have run. So somebody else must run them. The
 * watcher's time is up only if there is something for it to find or nobody runs:
 * it does not hide a lost wake-up by looking again and again. What must hold in
 * every order of events: all have run, and then all sleep without a time limit.
 *
 * A job that is put into next or the deque may be seen only after the state has
 * been read that decides whom to wake: there is no fence between the two.
 *
 * With one of these the model is wrong, and spin must find out:
 *	LOOK_FIRST	who goes to sleep looks around before it says so
 *	KEY_LATE	it prepares its event after it has said so
 *	WAKE_FIRST	who enqueues from outside looks for sleepers first
 *	NO_LAST_LOOK	the last searcher runs what it found, and looks no more
 *	NOT_FIRST	rule (i): who goes to sleep does not become the watcher
 *	NO_HAND_ON	rule (ii): a watcher that runs leaves nobody in its place
 *	NO_WATCH	rule (iii): who puts a job in next does not see to a watcher
 *	DEQUE_ONLY	the watcher does not look into next
 */

#define WORKERS 3
#define PARENTS 2
#define CHILDREN 2	/* at most, in all */

byte queue[WORKERS];		/* parents */
byte deque[WORKERS];		/* children */
bit next[WORKERS];		/* a child */
bit busy[WORKERS];		/* in the run of a parent */
byte made = 0, done = 0;	/* children */
byte started = 0, done_parents = 0;

byte searching = 0, sleeping = 0; /* state ... */
bit watched = 0;		/* ... and the rest of it */
bit asleep[WORKERS];		/* is on the list, or the watcher */
bit watching[WORKERS];
bit rung[WORKERS];		/* its event, since it was prepared */

#define running (WORKERS - searching - sleeping)
#define stealable(w) (deque[w] + queue[w] > 0)
#ifdef DEQUE_ONLY
#define hidden(w) false
#else
#define hidden(w) (busy[w] && next[w])
#endif
#ifdef NO_WATCH
#define to_wake(more) (sleeping > 0 && searching == 0 && more)
#else
#define to_wake(more) (sleeping > 0 && searching == 0 && (more || !watched))
#endif
#define to_find (stealable(0) || stealable(1) || stealable(2) || \
		 hidden(0) || hidden(1) || hidden(2))

/* idle_unlist() */
inline unlist(w) {
	asleep[w] = 0;
	sleeping--;
	searching++;
	watched = watched && !watching[w];
	watching[w] = 0
}

/* idle_wake_one(): any that sleeps, the watcher last. Uses @v. */
inline wake_one() {
	atomic {
		if
		:: searching == 0 && sleeping > 0 ->
			if
			:: asleep[0] && (!watching[0] || sleeping == 1) -> v = 0
			:: asleep[1] && (!watching[1] || sleeping == 1) -> v = 1
			:: asleep[2] && (!watching[2] || sleeping == 1) -> v = 2
			fi;
			unlist(v);
			rung[v] = 1;
			v = 0
		:: else -> skip
		fi
	}
}

/* idle_any(): sets @any. Uses @v. */
inline look() {
	v = 0;
	do
	:: atomic { v < WORKERS && stealable(v) -> any = 1; v = 0; break }
	:: atomic { v < WORKERS && !stealable(v) -> v++ }
	:: atomic { v == WORKERS -> v = 0; break }
	od
}

/* stealing_internal_enqueue() of a child. */
inline publish() {
	if
	:: next[_pid] -> deque[_pid]++
	:: else -> next[_pid] = 1
	fi;
	made++
}

inline make() {
	if
	:: atomic { more = next[_pid]; publish() };
	   any = to_wake(more)
	:: atomic { more = next[_pid]; any = to_wake(more) };
	   atomic { publish() }
	fi;
	if
	:: any -> any = 0; wake_one()
	:: else -> skip
	fi;
	more = 0
}

active [WORKERS] proctype worker() {
	byte v = 0;
	bit any = 0, more = 0, parent = 0, watch = 0, looked = 0;

dequeue:
	/* troupe__stealing_own() */
	atomic {
		if
		:: next[_pid] -> next[_pid] = 0; parent = 0; goto resume
		:: !next[_pid] && deque[_pid] > 0 ->
			deque[_pid]--;
			parent = 0;
			goto resume
		:: !next[_pid] && deque[_pid] == 0 && queue[_pid] > 0 ->
			queue[_pid]--;
			parent = 1;
			goto resume
		:: else -> searching++
		fi
	};
search:
	/* idle_search(); for the watcher, idle_steal_next() too. In one step: who
	 * finds nothing looks around once more before it sleeps. */
	atomic {
		v = 0;
		do
		:: v == WORKERS -> break
		:: v < WORKERS && deque[v] > 0 ->
			deque[v]--;
			parent = 0;
			break
		:: v < WORKERS && deque[v] == 0 && queue[v] > 0 ->
			queue[v]--;
			parent = 1;
			break
		:: v < WORKERS && !stealable(v) && looked && hidden(v) ->
			next[v] = 0;
			parent = 0;
			break
		:: else -> v++
		od;
		looked = 0;
		if
		:: v < WORKERS -> v = 0; goto leave
		:: else -> v = 0
		fi
	};
	/* idle_sleep() */
#ifdef LOOK_FIRST
	look();
#endif
#ifndef KEY_LATE
	rung[_pid] = 0;
#endif
	atomic {
		asleep[_pid] = 1;
		searching--;
		sleeping++;
#ifndef NOT_FIRST
		watch = !watched && running > 0;
#endif
		watching[_pid] = watch;
		watched = watched || watch
	};
#ifdef KEY_LATE
	rung[_pid] = 0;
#endif
#ifndef LOOK_FIRST
	look();
#endif
end_asleep:
	/* For ever, if all have run. */
	atomic {
		if
		:: any || rung[_pid] -> skip
		:: !any && !rung[_pid] && watch &&
		   (to_find || running == 0) ->
			looked = asleep[_pid]
		fi;
		any = 0;
		watch = 0;
		if
		:: asleep[_pid] -> unlist(_pid)
		:: else -> skip
		fi
	};
	goto search;

leave:
	/* idle_leave() */
	atomic {
		v = 0;
		looked = 0;
		searching--;
		if
		:: searching > 0 || sleeping == 0 -> goto resume
		:: else -> skip
		fi;
#ifndef NO_HAND_ON
		any = !watched && running > 1
#endif
	};
#ifndef NO_LAST_LOOK
	if
	:: any -> skip
	:: else -> look()
	fi;
#endif
	if
	:: any -> any = 0; wake_one()
	:: else -> skip
	fi;
resume:
	if
	:: parent ->
		atomic {
			busy[_pid] = 1;
			started++
		};
		if
		:: skip
		:: true -> started == PARENTS
		fi;
		do
		:: made < CHILDREN -> make()
		:: break
		od;
		made == done;
		atomic {
			busy[_pid] = 0;
			parent = 0;
			done_parents++
		}
	:: else -> done++
	fi;
	goto dequeue
}

active proctype outside() {
	byte i = 0;
	byte v = 0;
	bit wake = 0;

	do
	:: i < PARENTS ->
		/* stealing_central_enqueue() */
#ifdef WAKE_FIRST
		wake = sleeping > 0 && searching == 0;
#endif
		atomic {
			queue[i]++;
			i++
		};
#ifndef WAKE_FIRST
		wake = sleeping > 0 && searching == 0;
#endif
		if
		:: wake -> wake_one()
		:: else -> skip
		fi
	:: else -> break
	od
}

/* When nothing moves any more. */
active proctype judge() {
	timeout;
	assert(done == made && done_parents == PARENTS);
	assert(sleeping == WORKERS && !watched)
}
