/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections of readers, and the freeing of what was retired: registry/reader.h,
 * whose steps R1 to R4 and W1 to W5 are named here. Each of two registries is one
 * slot with one entry.
 *
 * A reader's mark waits in a store buffer of one place, as a processor may keep
 * it: it drains at any time, and the writer's barrier drains those of all
 * readers. A second store waits until the first has drained. Writers hold the
 * registry's lock, so there is one writer for each; they share the time and the
 * readers.
 *
 * With one of these the model is wrong, and spin must find out:
 *	NO_BARRIER	the writer looks at the marks without W3
 *	LOOK_FIRST	the writer looks at the marks before the barrier
 *	STAMP_FIRST	the writer takes the time before it unlinks
 *	MARK_LATE	the reader searches before it stores its mark
 *	SAME_TIME	the writer also frees what is as old as a mark
 */

#define READERS	 2
#define SECTIONS 2
#define WRITERS	 2
#define ENTRIES	 1		/* each writer's */
#define NEVER	 99

byte time = 1;
byte slot[WRITERS];		/* the entry's number + 1; 0: none */
bool freed[WRITERS * ENTRIES];
byte mark[READERS];		/* as others see it: 0 is outside */
byte waiting[READERS];		/* in the store buffer: mark + 1; 0: nothing */

inline drain(r) {
	if
	:: waiting[r] != 0 ->
		mark[r] = waiting[r] - 1;
		waiting[r] = 0
	:: else -> skip
	fi
}

/* By a processor for itself, at any time. */
active [READERS] proctype buffer() {
end:
	do
	:: atomic { waiting[_pid] != 0 -> drain(_pid) }
	od
}

inline store_mark(r, value) {
	atomic { waiting[r] == 0 -> waiting[r] = value + 1 }
}

inline search() {
	which = 0;
	if
	:: which = 0
	:: which = 1
	fi;
	found = slot[which]
}

active [READERS] proctype reader() {
	byte self = _pid - READERS;
	byte now = 0;
	byte found = 0;
	byte which = 0;
	byte sections = 0;

	do
	:: sections < SECTIONS ->
		sections++;
		now = time;			/* R1 */
#ifdef MARK_LATE
		search();
		store_mark(self, now);
#else
		store_mark(self, now);		/* R2, R3 */
		search();			/* R4 */
#endif
		if
		:: found != 0 -> assert(!freed[found - 1])
		:: else -> skip
		fi;
		found = 0;
		store_mark(self, 0)
	:: else -> break
	od
}

inline barrier() {
	d_step {
		drain(0);
		drain(1)
	}
}

inline look() {
	oldest = NEVER;
	i = 0;
	do
	:: i < READERS ->
		atomic {
			if
			:: mark[i] != 0 && mark[i] < oldest -> oldest = mark[i]
			:: else -> skip
			fi;
			i++
		}
	:: else -> break
	od
}

#ifdef SAME_TIME
#define OLDER(stamp) ((stamp) <= oldest)
#else
#define OLDER(stamp) ((stamp) < oldest)
#endif

active [WRITERS] proctype writer() {
	byte self = _pid - 2 * READERS;
	byte entry = 0;
	byte stamp = 0;
	byte oldest = 0;
	byte i = 0;

	do
	:: entry < ENTRIES ->
		slot[self] = self * ENTRIES + entry + 1;
#ifdef STAMP_FIRST
		d_step { stamp = time; time++ }
		slot[self] = 0;
#else
		slot[self] = 0;				/* W1 */
		d_step { stamp = time; time++ }		/* W2 */
#endif
#ifdef LOOK_FIRST
		look();
		barrier();
#else
#ifndef NO_BARRIER
		barrier();				/* W3 */
#endif
		look();					/* W4 */
#endif
		if
		:: OLDER(stamp) ->
			freed[self * ENTRIES + entry] = true	/* W5 */
		:: else -> skip		/* another time */
		fi;
		entry++
	:: else -> break
	od
}
