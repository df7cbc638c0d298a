#define rand	pan_rand
#define pthread_equal(a,b)	((a)==(b))
#if defined(HAS_CODE) && defined(VERBOSE)
	#ifdef BFS_PAR
		bfs_printf("Pr: %d Tr: %d\n", II, t->forw);
	#else
		cpu_printf("Pr: %d Tr: %d\n", II, t->forw);
	#endif
#endif
	switch (t->forw) {
	default: Uerror("bad forward move");
	case 0:	/* if without executable clauses */
		continue;
	case 1: /* generic 'goto' or 'skip' */
		IfNotBlocked
		_m = 3; goto P999;
	case 2: /* generic 'else' */
		IfNotBlocked
		if (trpt->o_pm&1) continue;
		_m = 3; goto P999;

		 /* PROC judge */
	case 3: // STATE 1 - mailbox.pml:324 - [(timeout)] (0:0:0 - 1)
		IfNotBlocked
		reached[3][1] = 1;
		if (!(((trpt->tau)&1)))
			continue;
		_m = 1; goto P999; /* 0 */
	case 4: // STATE 2 - mailbox.pml:325 - [assert(exited)] (0:0:0 - 1)
		IfNotBlocked
		reached[3][2] = 1;
		spin_assert(((int)now.exited), "exited", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 5: // STATE 3 - mailbox.pml:326 - [assert((strong==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][3] = 1;
		spin_assert((((int)now.strong)==0), "(strong==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 6: // STATE 4 - mailbox.pml:327 - [assert((destroyed==1))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][4] = 1;
		spin_assert((((int)now.destroyed)==1), "(destroyed==1)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 7: // STATE 5 - mailbox.pml:329 - [((i<sent))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][5] = 1;
		if (!((((int)((P3 *)_this)->i)<((int)now.sent))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 8: // STATE 6 - mailbox.pml:330 - [assert((fate[i]==1))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][6] = 1;
		spin_assert((((int)now.fate[ Index(((int)((P3 *)_this)->i), 6) ])==1), "(fate[i]==1)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 9: // STATE 7 - mailbox.pml:331 - [i = (i+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[3][7] = 1;
		(trpt+1)->bup.oval = ((int)((P3 *)_this)->i);
		((P3 *)_this)->i = (((int)((P3 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("judge:i", ((int)((P3 *)_this)->i));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 10: // STATE 13 - mailbox.pml:334 - [-end-] (0:0:0 - 3)
		IfNotBlocked
		reached[3][13] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC worker */
	case 11: // STATE 1 - mailbox.pml:183 - [owners = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[2][1] = 1;
		(trpt+1)->bup.oval = ((int)now.owners);
		now.owners = 1;
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 12: // STATE 2 - mailbox.pml:184 - [kept = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[2][2] = 1;
		(trpt+1)->bup.oval = ((int)now.kept);
		now.kept = 1;
#ifdef VAR_RANGES
		logval("kept", ((int)now.kept));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 13: // STATE 3 - mailbox.pml:185 - [(run sender(0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][3] = 1;
		if (!(addproc(II, 1, 0, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 14: // STATE 4 - mailbox.pml:186 - [(run sender(1))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][4] = 1;
		if (!(addproc(II, 1, 0, 1)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 15: // STATE 5 - mailbox.pml:187 - [(run locker())] (0:0:0 - 1)
		IfNotBlocked
		reached[2][5] = 1;
		if (!(addproc(II, 1, 1, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 16: // STATE 8 - mailbox.pml:87 - [D_STEP87]
		IfNotBlocked

		reached[2][8] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_189_0: /* 2 */
		now.strong = (((int)now.strong)-1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
S_190_0: /* 2 */
		((P2 *)_this)->last = (((int)now.strong)==0);
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		goto S_233_0;
S_233_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 17: // STATE 9 - mailbox.pml:92 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][9] = 1;
		if (!(((int)((P2 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P2 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 18: // STATE 10 - mailbox.pml:96 - [((word==CLOSED))] (46:0:1 - 1)
		IfNotBlocked
		reached[2][10] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: last = 1(46, 11, 46) */
		reached[2][11] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 1;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(46, 26, 46) */
		reached[2][26] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 19: // STATE 26 - mailbox.pml:108 - [.(goto)] (0:46:0 - 4)
		IfNotBlocked
		reached[2][26] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 20: // STATE 12 - mailbox.pml:97 - [((word==IDLE))] (18:0:2 - 1)
		IfNotBlocked
		reached[2][12] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: word = EMPTY(18, 13, 18) */
		reached[2][13] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: owners = (owners+1)(18, 14, 18) */
		reached[2][14] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(18, 15, 18) */
		reached[2][15] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		_m = 3; goto P999; /* 3 */
	case 21: // STATE 16 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][16] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 22: // STATE 17 - mailbox.pml:56 - [ready!1] (46:0:1 - 1)
		IfNotBlocked
		reached[2][17] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: last = 0(46, 19, 46) */
		reached[2][19] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(46, 26, 46) */
		reached[2][26] = 1;
		;
		_m = 2; goto P999; /* 2 */
	case 23: // STATE 20 - mailbox.pml:103 - [((word==EMPTY))] (46:0:2 - 1)
		IfNotBlocked
		reached[2][20] = 1;
		if (!((now.word==5)))
			continue;
		/* merge: word = NUDGE(46, 21, 46) */
		reached[2][21] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 4;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: last = 0(46, 22, 46) */
		reached[2][22] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(46, 26, 46) */
		reached[2][26] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 24: // STATE 24 - mailbox.pml:106 - [last = 0] (0:46:1 - 1)
		IfNotBlocked
		reached[2][24] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(46, 26, 46) */
		reached[2][26] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 25: // STATE 28 - mailbox.pml:110 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][28] = 1;
		if (!(((int)((P2 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P2 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 26: // STATE 29 - mailbox.pml:62 - [((strong!=0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][29] = 1;
		if (!((((int)now.strong)!=0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 27: // STATE 32 - mailbox.pml:66 - [(kept)] (169:0:2 - 1)
		IfNotBlocked
		reached[2][32] = 1;
		if (!(((int)now.kept)))
			continue;
		/* merge: kept = 0(169, 33, 169) */
		reached[2][33] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.kept);
		now.kept = 0;
#ifdef VAR_RANGES
		logval("kept", ((int)now.kept));
#endif
		;
		/* merge: assert(exited)(169, 34, 169) */
		reached[2][34] = 1;
		spin_assert(((int)now.exited), "exited", II, tt, t);
		/* merge: destroyed = (destroyed+1)(169, 35, 169) */
		reached[2][35] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.destroyed);
		now.destroyed = (((int)now.destroyed)+1);
#ifdef VAR_RANGES
		logval("destroyed", ((int)now.destroyed));
#endif
		;
		/* merge: .(goto)(169, 39, 169) */
		reached[2][39] = 1;
		;
		/* merge: .(goto)(0, 42, 169) */
		reached[2][42] = 1;
		;
		/* merge: .(goto)(0, 47, 169) */
		reached[2][47] = 1;
		;
		/* merge: .(goto)(0, 51, 169) */
		reached[2][51] = 1;
		;
		/* merge: goto settle(0, 53, 169) */
		reached[2][53] = 1;
		;
		_m = 3; goto P999; /* 8 */
	case 28: // STATE 39 - mailbox.pml:72 - [.(goto)] (0:169:0 - 2)
		IfNotBlocked
		reached[2][39] = 1;
		;
		/* merge: .(goto)(0, 42, 169) */
		reached[2][42] = 1;
		;
		/* merge: .(goto)(0, 47, 169) */
		reached[2][47] = 1;
		;
		/* merge: .(goto)(0, 51, 169) */
		reached[2][51] = 1;
		;
		/* merge: goto settle(0, 53, 169) */
		reached[2][53] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 29: // STATE 37 - mailbox.pml:70 - [(1)] (169:0:0 - 1)
		IfNotBlocked
		reached[2][37] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(169, 39, 169) */
		reached[2][39] = 1;
		;
		/* merge: .(goto)(0, 42, 169) */
		reached[2][42] = 1;
		;
		/* merge: .(goto)(0, 47, 169) */
		reached[2][47] = 1;
		;
		/* merge: .(goto)(0, 51, 169) */
		reached[2][51] = 1;
		;
		/* merge: goto settle(0, 53, 169) */
		reached[2][53] = 1;
		;
		_m = 3; goto P999; /* 5 */
	case 30: // STATE 54 - mailbox.pml:192 - [ready?_] (0:0:1 - 1)
		reached[2][54] = 1;
		if (q_len(now.ready) == 0) continue;

		XX=1;
		(trpt+1)->bup.oval = qrecv(now.ready, XX-1, 0, 0);
		;
		qrecv(now.ready, XX-1, 0, 1);
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.ready);
		sprintf(simtmp, "%d", ((int)_)); strcat(simvals, simtmp);		}
#endif
		;
		_m = 4; goto P999; /* 0 */
	case 31: // STATE 55 - mailbox.pml:193 - [assert((owners==1))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][55] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 32: // STATE 56 - mailbox.pml:198 - [((word==CHAIN))] (64:0:1 - 1)
		IfNotBlocked
		reached[2][56] = 1;
		if (!((now.word==1)))
			continue;
		/* merge: i = 0(0, 57, 64) */
		reached[2][57] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("worker:i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 65, 64) */
		reached[2][65] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 33: // STATE 58 - mailbox.pml:201 - [((i<chained))] (64:0:3 - 1)
		IfNotBlocked
		reached[2][58] = 1;
		if (!((((int)((P2 *)_this)->i)<((int)now.chained))))
			continue;
		/* merge: lane[after] = chain[i](64, 59, 64) */
		reached[2][59] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->lane[ Index(((int)((P2 *)_this)->after), 6) ]);
		((P2 *)_this)->lane[ Index(((P2 *)_this)->after, 6) ] = ((int)now.chain[ Index(((int)((P2 *)_this)->i), 6) ]);
#ifdef VAR_RANGES
		logval("worker:lane[worker:after]", ((int)((P2 *)_this)->lane[ Index(((int)((P2 *)_this)->after), 6) ]));
#endif
		;
		/* merge: after = (after+1)(64, 60, 64) */
		reached[2][60] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->after);
		((P2 *)_this)->after = (((int)((P2 *)_this)->after)+1);
#ifdef VAR_RANGES
		logval("worker:after", ((int)((P2 *)_this)->after));
#endif
		;
		/* merge: i = (i+1)(64, 61, 64) */
		reached[2][61] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = (((int)((P2 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("worker:i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 65, 64) */
		reached[2][65] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 34: // STATE 67 - mailbox.pml:207 - [chained = 0] (0:160:2 - 3)
		IfNotBlocked
		reached[2][67] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.chained);
		now.chained = 0;
#ifdef VAR_RANGES
		logval("chained", ((int)now.chained));
#endif
		;
		/* merge: word = EMPTY(160, 68, 160) */
		reached[2][68] = 1;
		(trpt+1)->bup.ovals[1] = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: .(goto)(160, 72, 160) */
		reached[2][72] = 1;
		;
		/* merge: .(goto)(0, 161, 160) */
		reached[2][161] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 35: // STATE 72 - mailbox.pml:211 - [.(goto)] (0:160:0 - 2)
		IfNotBlocked
		reached[2][72] = 1;
		;
		/* merge: .(goto)(0, 161, 160) */
		reached[2][161] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 36: // STATE 70 - mailbox.pml:209 - [(1)] (160:0:0 - 1)
		IfNotBlocked
		reached[2][70] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(160, 72, 160) */
		reached[2][72] = 1;
		;
		/* merge: .(goto)(0, 161, 160) */
		reached[2][161] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 37: // STATE 74 - mailbox.pml:213 - [(((first<after)&&!(quit)))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][74] = 1;
		if (!(((((int)((P2 *)_this)->first)<((int)((P2 *)_this)->after))&& !(((int)now.quit)))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 38: // STATE 75 - mailbox.pml:214 - [message = lane[first]] (0:80:2 - 1)
		IfNotBlocked
		reached[2][75] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->message);
		((P2 *)_this)->message = ((int)((P2 *)_this)->lane[ Index(((int)((P2 *)_this)->first), 6) ]);
#ifdef VAR_RANGES
		logval("worker:message", ((int)((P2 *)_this)->message));
#endif
		;
		/* merge: first = (first+1)(80, 76, 80) */
		reached[2][76] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->first);
		((P2 *)_this)->first = (((int)((P2 *)_this)->first)+1);
#ifdef VAR_RANGES
		logval("worker:first", ((int)((P2 *)_this)->first));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 39: // STATE 80 - mailbox.pml:216 - [D_STEP216]
		IfNotBlocked

		reached[2][80] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_260_0: /* 2 */
		now.fate[ Index(((P2 *)_this)->message, 6) ] = (((int)now.fate[ Index(((int)((P2 *)_this)->message), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[worker:message]", ((int)now.fate[ Index(((int)((P2 *)_this)->message), 6) ]));
#endif
		;
S_261_0: /* 2 */
		spin_assert((((int)now.order_of[ Index(((int)((P2 *)_this)->message), 6) ])==(((int)now.seen[ Index(((int)now.owner_of[ Index(((int)((P2 *)_this)->message), 6) ]), 4) ])+1)), "(order_of[message]==(seen[owner_of[message]]+1))", II, tt, t);
S_262_0: /* 2 */
		now.seen[ Index(now.owner_of[ Index(((P2 *)_this)->message, 6) ], 4) ] = ((int)now.order_of[ Index(((int)((P2 *)_this)->message), 6) ]);
#ifdef VAR_RANGES
		logval("seen[owner_of[worker:message]]", ((int)now.seen[ Index(((int)now.owner_of[ Index(((int)((P2 *)_this)->message), 6) ]), 4) ]));
#endif
		;
		goto S_339_0;
S_339_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 40: // STATE 81 - mailbox.pml:223 - [(!(revived))] (83:0:2 - 1)
		IfNotBlocked
		reached[2][81] = 1;
		if (!( !(((int)((P2 *)_this)->revived))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: revived */  (trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((P2 *)_this)->revived;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->revived = 0;
		/* merge: revived = 1(0, 82, 83) */
		reached[2][82] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->revived);
		((P2 *)_this)->revived = 1;
#ifdef VAR_RANGES
		logval("worker:revived", ((int)((P2 *)_this)->revived));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 41: // STATE 83 - mailbox.pml:226 - [strong = (strong+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][83] = 1;
		(trpt+1)->bup.oval = ((int)now.strong);
		now.strong = (((int)now.strong)+1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 42: // STATE 84 - mailbox.pml:122 - [assert((strong>0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][84] = 1;
		spin_assert((((int)now.strong)>0), "(strong>0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 43: // STATE 85 - mailbox.pml:124 - [owner_of[sent] = 3] (0:103:2 - 1)
		IfNotBlocked
		reached[2][85] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owner_of[ Index(((int)now.sent), 6) ]);
		now.owner_of[ Index(now.sent, 6) ] = 3;
#ifdef VAR_RANGES
		logval("owner_of[sent]", ((int)now.owner_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: order_of[sent] = 1(103, 86, 103) */
		reached[2][86] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.order_of[ Index(((int)now.sent), 6) ]);
		now.order_of[ Index(now.sent, 6) ] = 1;
#ifdef VAR_RANGES
		logval("order_of[sent]", ((int)now.order_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 44: // STATE 87 - mailbox.pml:127 - [((word==CLOSED))] (154:0:2 - 1)
		IfNotBlocked
		reached[2][87] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: fate[sent] = (fate[sent]+1)(154, 88, 154) */
		reached[2][88] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.fate[ Index(((int)now.sent), 6) ]);
		now.fate[ Index(now.sent, 6) ] = (((int)now.fate[ Index(((int)now.sent), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[sent]", ((int)now.fate[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: .(goto)(154, 104, 154) */
		reached[2][104] = 1;
		;
		/* merge: sent = (sent+1)(154, 105, 154) */
		reached[2][105] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 45: // STATE 104 - mailbox.pml:140 - [.(goto)] (0:154:1 - 4)
		IfNotBlocked
		reached[2][104] = 1;
		;
		/* merge: sent = (sent+1)(154, 105, 154) */
		reached[2][105] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 46: // STATE 90 - mailbox.pml:129 - [chain[chained] = sent] (0:101:2 - 1)
		IfNotBlocked
		reached[2][90] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.chain[ Index(((int)now.chained), 6) ]);
		now.chain[ Index(now.chained, 6) ] = ((int)now.sent);
#ifdef VAR_RANGES
		logval("chain[chained]", ((int)now.chain[ Index(((int)now.chained), 6) ]));
#endif
		;
		/* merge: chained = (chained+1)(101, 91, 101) */
		reached[2][91] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.chained);
		now.chained = (((int)now.chained)+1);
#ifdef VAR_RANGES
		logval("chained", ((int)now.chained));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 47: // STATE 92 - mailbox.pml:132 - [((word==IDLE))] (98:0:2 - 1)
		IfNotBlocked
		reached[2][92] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: owners = (owners+1)(98, 93, 98) */
		reached[2][93] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(98, 94, 98) */
		reached[2][94] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		/* merge: word = CHAIN(98, 95, 98) */
		reached[2][95] = 1;
		(trpt+1)->bup.ovals[1] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 48: // STATE 96 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][96] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 49: // STATE 97 - mailbox.pml:56 - [ready!1] (154:0:1 - 1)
		IfNotBlocked
		reached[2][97] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: .(goto)(154, 102, 154) */
		reached[2][102] = 1;
		;
		/* merge: .(goto)(154, 104, 154) */
		reached[2][104] = 1;
		;
		/* merge: sent = (sent+1)(154, 105, 154) */
		reached[2][105] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 2; goto P999; /* 3 */
	case 50: // STATE 100 - mailbox.pml:137 - [word = CHAIN] (0:154:2 - 1)
		IfNotBlocked
		reached[2][100] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: .(goto)(154, 102, 154) */
		reached[2][102] = 1;
		;
		/* merge: .(goto)(154, 104, 154) */
		reached[2][104] = 1;
		;
		/* merge: sent = (sent+1)(154, 105, 154) */
		reached[2][105] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 51: // STATE 110 - mailbox.pml:87 - [D_STEP87]
		IfNotBlocked

		reached[2][110] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_291_0: /* 2 */
		now.strong = (((int)now.strong)-1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
S_292_0: /* 2 */
		((P2 *)_this)->last = (((int)now.strong)==0);
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		goto S_335_0;
S_335_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 52: // STATE 111 - mailbox.pml:92 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][111] = 1;
		if (!(((int)((P2 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P2 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 53: // STATE 112 - mailbox.pml:96 - [((word==CLOSED))] (148:0:1 - 1)
		IfNotBlocked
		reached[2][112] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: last = 1(148, 113, 148) */
		reached[2][113] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 1;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(148, 128, 148) */
		reached[2][128] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 54: // STATE 128 - mailbox.pml:108 - [.(goto)] (0:148:0 - 4)
		IfNotBlocked
		reached[2][128] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 55: // STATE 114 - mailbox.pml:97 - [((word==IDLE))] (120:0:2 - 1)
		IfNotBlocked
		reached[2][114] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: word = EMPTY(120, 115, 120) */
		reached[2][115] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: owners = (owners+1)(120, 116, 120) */
		reached[2][116] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(120, 117, 120) */
		reached[2][117] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		_m = 3; goto P999; /* 3 */
	case 56: // STATE 118 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][118] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 57: // STATE 119 - mailbox.pml:56 - [ready!1] (148:0:1 - 1)
		IfNotBlocked
		reached[2][119] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: last = 0(148, 121, 148) */
		reached[2][121] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(148, 128, 148) */
		reached[2][128] = 1;
		;
		_m = 2; goto P999; /* 2 */
	case 58: // STATE 122 - mailbox.pml:103 - [((word==EMPTY))] (148:0:2 - 1)
		IfNotBlocked
		reached[2][122] = 1;
		if (!((now.word==5)))
			continue;
		/* merge: word = NUDGE(148, 123, 148) */
		reached[2][123] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 4;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: last = 0(148, 124, 148) */
		reached[2][124] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(148, 128, 148) */
		reached[2][128] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 59: // STATE 126 - mailbox.pml:106 - [last = 0] (0:148:1 - 1)
		IfNotBlocked
		reached[2][126] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(148, 128, 148) */
		reached[2][128] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 60: // STATE 130 - mailbox.pml:110 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][130] = 1;
		if (!(((int)((P2 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P2 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 61: // STATE 131 - mailbox.pml:62 - [((strong!=0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][131] = 1;
		if (!((((int)now.strong)!=0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 62: // STATE 134 - mailbox.pml:66 - [(kept)] (160:0:2 - 1)
		IfNotBlocked
		reached[2][134] = 1;
		if (!(((int)now.kept)))
			continue;
		/* merge: kept = 0(160, 135, 160) */
		reached[2][135] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.kept);
		now.kept = 0;
#ifdef VAR_RANGES
		logval("kept", ((int)now.kept));
#endif
		;
		/* merge: assert(exited)(160, 136, 160) */
		reached[2][136] = 1;
		spin_assert(((int)now.exited), "exited", II, tt, t);
		/* merge: destroyed = (destroyed+1)(160, 137, 160) */
		reached[2][137] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.destroyed);
		now.destroyed = (((int)now.destroyed)+1);
#ifdef VAR_RANGES
		logval("destroyed", ((int)now.destroyed));
#endif
		;
		/* merge: .(goto)(160, 141, 160) */
		reached[2][141] = 1;
		;
		/* merge: .(goto)(0, 144, 160) */
		reached[2][144] = 1;
		;
		/* merge: .(goto)(0, 149, 160) */
		reached[2][149] = 1;
		;
		/* merge: .(goto)(0, 153, 160) */
		reached[2][153] = 1;
		;
		/* merge: .(goto)(0, 157, 160) */
		reached[2][157] = 1;
		;
		/* merge: .(goto)(0, 161, 160) */
		reached[2][161] = 1;
		;
		_m = 3; goto P999; /* 9 */
	case 63: // STATE 141 - mailbox.pml:72 - [.(goto)] (0:160:0 - 2)
		IfNotBlocked
		reached[2][141] = 1;
		;
		/* merge: .(goto)(0, 144, 160) */
		reached[2][144] = 1;
		;
		/* merge: .(goto)(0, 149, 160) */
		reached[2][149] = 1;
		;
		/* merge: .(goto)(0, 153, 160) */
		reached[2][153] = 1;
		;
		/* merge: .(goto)(0, 157, 160) */
		reached[2][157] = 1;
		;
		/* merge: .(goto)(0, 161, 160) */
		reached[2][161] = 1;
		;
		_m = 3; goto P999; /* 5 */
	case 64: // STATE 139 - mailbox.pml:70 - [(1)] (160:0:0 - 1)
		IfNotBlocked
		reached[2][139] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(160, 141, 160) */
		reached[2][141] = 1;
		;
		/* merge: .(goto)(0, 144, 160) */
		reached[2][144] = 1;
		;
		/* merge: .(goto)(0, 149, 160) */
		reached[2][149] = 1;
		;
		/* merge: .(goto)(0, 153, 160) */
		reached[2][153] = 1;
		;
		/* merge: .(goto)(0, 157, 160) */
		reached[2][157] = 1;
		;
		/* merge: .(goto)(0, 161, 160) */
		reached[2][161] = 1;
		;
		_m = 3; goto P999; /* 6 */
	case 65: // STATE 163 - mailbox.pml:237 - [(quit)] (0:0:0 - 1)
		IfNotBlocked
		reached[2][163] = 1;
		if (!(((int)now.quit)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 66: // STATE 169 - mailbox.pml:247 - [reachable = (strong!=0)] (0:0:1 - 14)
		IfNotBlocked
		reached[2][169] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->reachable);
		((P2 *)_this)->reachable = (((int)now.strong)!=0);
#ifdef VAR_RANGES
		logval("worker:reachable", ((int)((P2 *)_this)->reachable));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 67: // STATE 170 - mailbox.pml:248 - [look = word] (0:0:1 - 1)
		IfNotBlocked
		reached[2][170] = 1;
		(trpt+1)->bup.oval = ((P2 *)_this)->look;
		((P2 *)_this)->look = now.word;
#ifdef VAR_RANGES
		logval("worker:look", ((P2 *)_this)->look);
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 68: // STATE 171 - mailbox.pml:251 - [((look==CHAIN))] (0:0:1 - 1)
		IfNotBlocked
		reached[2][171] = 1;
		if (!((((P2 *)_this)->look==1)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: look */  (trpt+1)->bup.oval = ((P2 *)_this)->look;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->look = 0;
		_m = 3; goto P999; /* 0 */
	case 69: // STATE 173 - mailbox.pml:252 - [((look==NUDGE))] (0:0:1 - 1)
		IfNotBlocked
		reached[2][173] = 1;
		if (!((((P2 *)_this)->look==4)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: look */  (trpt+1)->bup.oval = ((P2 *)_this)->look;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->look = 0;
		_m = 3; goto P999; /* 0 */
	case 70: // STATE 174 - mailbox.pml:258 - [((word==NUDGE))] (169:0:1 - 1)
		IfNotBlocked
		reached[2][174] = 1;
		if (!((now.word==4)))
			continue;
		/* merge: word = EMPTY(169, 175, 169) */
		reached[2][175] = 1;
		(trpt+1)->bup.oval = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: .(goto)(169, 179, 169) */
		reached[2][179] = 1;
		;
		/* merge: goto settle(0, 181, 169) */
		reached[2][181] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 71: // STATE 179 - mailbox.pml:261 - [.(goto)] (0:169:0 - 2)
		IfNotBlocked
		reached[2][179] = 1;
		;
		/* merge: goto settle(0, 181, 169) */
		reached[2][181] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 72: // STATE 177 - mailbox.pml:259 - [(1)] (169:0:0 - 1)
		IfNotBlocked
		reached[2][177] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(169, 179, 169) */
		reached[2][179] = 1;
		;
		/* merge: goto settle(0, 181, 169) */
		reached[2][181] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 73: // STATE 186 - mailbox.pml:267 - [(!(reachable))] (0:0:1 - 1)
		IfNotBlocked
		reached[2][186] = 1;
		if (!( !(((int)((P2 *)_this)->reachable))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: reachable */  (trpt+1)->bup.oval = ((P2 *)_this)->reachable;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->reachable = 0;
		_m = 3; goto P999; /* 0 */
	case 74: // STATE 192 - mailbox.pml:276 - [((word==EMPTY))] (54:0:2 - 1)
		IfNotBlocked
		reached[2][192] = 1;
		if (!((now.word==5)))
			continue;
		/* merge: word = IDLE(54, 193, 54) */
		reached[2][193] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 3;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: owners = (owners-1)(54, 194, 54) */
		reached[2][194] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owners);
		now.owners = (((int)now.owners)-1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: goto next(54, 195, 54) */
		reached[2][195] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 75: // STATE 201 - mailbox.pml:288 - [strong = (strong+1)] (0:0:1 - 5)
		IfNotBlocked
		reached[2][201] = 1;
		(trpt+1)->bup.oval = ((int)now.strong);
		now.strong = (((int)now.strong)+1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 76: // STATE 202 - mailbox.pml:291 - [assert((quit||(chained==0)))] (0:210:2 - 1)
		IfNotBlocked
		reached[2][202] = 1;
		spin_assert((((int)now.quit)||(((int)now.chained)==0)), "(quit||(chained==0))", II, tt, t);
		/* merge: word = CLOSED(210, 203, 210) */
		reached[2][203] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 2;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: i = 0(210, 204, 210) */
		reached[2][204] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("worker:i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 211, 210) */
		reached[2][211] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 77: // STATE 205 - mailbox.pml:295 - [((i<chained))] (210:0:2 - 1)
		IfNotBlocked
		reached[2][205] = 1;
		if (!((((int)((P2 *)_this)->i)<((int)now.chained))))
			continue;
		/* merge: fate[chain[i]] = (fate[chain[i]]+1)(210, 206, 210) */
		reached[2][206] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.fate[ Index(((int)now.chain[ Index(((int)((P2 *)_this)->i), 6) ]), 6) ]);
		now.fate[ Index(now.chain[ Index(((P2 *)_this)->i, 6) ], 6) ] = (((int)now.fate[ Index(((int)now.chain[ Index(((int)((P2 *)_this)->i), 6) ]), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[chain[worker:i]]", ((int)now.fate[ Index(((int)now.chain[ Index(((int)((P2 *)_this)->i), 6) ]), 6) ]));
#endif
		;
		/* merge: i = (i+1)(210, 207, 210) */
		reached[2][207] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = (((int)((P2 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("worker:i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 211, 210) */
		reached[2][211] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 78: // STATE 213 - mailbox.pml:300 - [chained = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[2][213] = 1;
		(trpt+1)->bup.oval = ((int)now.chained);
		now.chained = 0;
#ifdef VAR_RANGES
		logval("chained", ((int)now.chained));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 79: // STATE 215 - mailbox.pml:303 - [((first<after))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][215] = 1;
		if (!((((int)((P2 *)_this)->first)<((int)((P2 *)_this)->after))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 80: // STATE 216 - mailbox.pml:304 - [fate[lane[first]] = (fate[lane[first]]+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][216] = 1;
		(trpt+1)->bup.oval = ((int)now.fate[ Index(((int)((P2 *)_this)->lane[ Index(((int)((P2 *)_this)->first), 6) ]), 6) ]);
		now.fate[ Index(((P2 *)_this)->lane[ Index(((P2 *)_this)->first, 6) ], 6) ] = (((int)now.fate[ Index(((int)((P2 *)_this)->lane[ Index(((int)((P2 *)_this)->first), 6) ]), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[worker:lane[worker:first]]", ((int)now.fate[ Index(((int)((P2 *)_this)->lane[ Index(((int)((P2 *)_this)->first), 6) ]), 6) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 81: // STATE 217 - mailbox.pml:305 - [first = (first+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][217] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->first);
		((P2 *)_this)->first = (((int)((P2 *)_this)->first)+1);
#ifdef VAR_RANGES
		logval("worker:first", ((int)((P2 *)_this)->first));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 82: // STATE 223 - mailbox.pml:308 - [exited = 1] (0:0:1 - 3)
		IfNotBlocked
		reached[2][223] = 1;
		(trpt+1)->bup.oval = ((int)now.exited);
		now.exited = 1;
#ifdef VAR_RANGES
		logval("exited", ((int)now.exited));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 83: // STATE 224 - mailbox.pml:309 - [owners = (owners-1)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][224] = 1;
		(trpt+1)->bup.oval = ((int)now.owners);
		now.owners = (((int)now.owners)-1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 84: // STATE 225 - mailbox.pml:310 - [assert((owners==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][225] = 1;
		spin_assert((((int)now.owners)==0), "(owners==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 85: // STATE 228 - mailbox.pml:87 - [D_STEP87]
		IfNotBlocked

		reached[2][228] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_409_0: /* 2 */
		now.strong = (((int)now.strong)-1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
S_410_0: /* 2 */
		((P2 *)_this)->last = (((int)now.strong)==0);
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		goto S_453_0;
S_453_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 86: // STATE 229 - mailbox.pml:92 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][229] = 1;
		if (!(((int)((P2 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P2 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 87: // STATE 230 - mailbox.pml:96 - [((word==CLOSED))] (266:0:1 - 1)
		IfNotBlocked
		reached[2][230] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: last = 1(266, 231, 266) */
		reached[2][231] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 1;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(266, 246, 266) */
		reached[2][246] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 88: // STATE 246 - mailbox.pml:108 - [.(goto)] (0:266:0 - 4)
		IfNotBlocked
		reached[2][246] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 89: // STATE 232 - mailbox.pml:97 - [((word==IDLE))] (238:0:2 - 1)
		IfNotBlocked
		reached[2][232] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: word = EMPTY(238, 233, 238) */
		reached[2][233] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: owners = (owners+1)(238, 234, 238) */
		reached[2][234] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(238, 235, 238) */
		reached[2][235] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		_m = 3; goto P999; /* 3 */
	case 90: // STATE 236 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][236] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 91: // STATE 237 - mailbox.pml:56 - [ready!1] (266:0:1 - 1)
		IfNotBlocked
		reached[2][237] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: last = 0(266, 239, 266) */
		reached[2][239] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(266, 246, 266) */
		reached[2][246] = 1;
		;
		_m = 2; goto P999; /* 2 */
	case 92: // STATE 240 - mailbox.pml:103 - [((word==EMPTY))] (266:0:2 - 1)
		IfNotBlocked
		reached[2][240] = 1;
		if (!((now.word==5)))
			continue;
		/* merge: word = NUDGE(266, 241, 266) */
		reached[2][241] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 4;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: last = 0(266, 242, 266) */
		reached[2][242] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(266, 246, 266) */
		reached[2][246] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 93: // STATE 244 - mailbox.pml:106 - [last = 0] (0:266:1 - 1)
		IfNotBlocked
		reached[2][244] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->last);
		((P2 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("worker:last", ((int)((P2 *)_this)->last));
#endif
		;
		/* merge: .(goto)(266, 246, 266) */
		reached[2][246] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 94: // STATE 248 - mailbox.pml:110 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][248] = 1;
		if (!(((int)((P2 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P2 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 95: // STATE 249 - mailbox.pml:62 - [((strong!=0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][249] = 1;
		if (!((((int)now.strong)!=0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 96: // STATE 250 - mailbox.pml:62 - [(1)] (274:0:2 - 1)
		IfNotBlocked
		reached[2][250] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(274, 262, 274) */
		reached[2][262] = 1;
		;
		/* merge: .(goto)(274, 267, 274) */
		reached[2][267] = 1;
		;
		/* merge: .(goto)(274, 271, 274) */
		reached[2][271] = 1;
		;
		/* merge: done = 1(274, 273, 274) */
		reached[2][273] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 4 */
	case 97: // STATE 252 - mailbox.pml:66 - [(kept)] (274:0:4 - 1)
		IfNotBlocked
		reached[2][252] = 1;
		if (!(((int)now.kept)))
			continue;
		/* merge: kept = 0(274, 253, 274) */
		reached[2][253] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)now.kept);
		now.kept = 0;
#ifdef VAR_RANGES
		logval("kept", ((int)now.kept));
#endif
		;
		/* merge: assert(exited)(274, 254, 274) */
		reached[2][254] = 1;
		spin_assert(((int)now.exited), "exited", II, tt, t);
		/* merge: destroyed = (destroyed+1)(274, 255, 274) */
		reached[2][255] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.destroyed);
		now.destroyed = (((int)now.destroyed)+1);
#ifdef VAR_RANGES
		logval("destroyed", ((int)now.destroyed));
#endif
		;
		/* merge: .(goto)(274, 259, 274) */
		reached[2][259] = 1;
		;
		/* merge: .(goto)(274, 262, 274) */
		reached[2][262] = 1;
		;
		/* merge: .(goto)(274, 267, 274) */
		reached[2][267] = 1;
		;
		/* merge: .(goto)(274, 271, 274) */
		reached[2][271] = 1;
		;
		/* merge: done = 1(274, 273, 274) */
		reached[2][273] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 8 */
	case 98: // STATE 259 - mailbox.pml:72 - [.(goto)] (0:274:2 - 2)
		IfNotBlocked
		reached[2][259] = 1;
		;
		/* merge: .(goto)(274, 262, 274) */
		reached[2][262] = 1;
		;
		/* merge: .(goto)(274, 267, 274) */
		reached[2][267] = 1;
		;
		/* merge: .(goto)(274, 271, 274) */
		reached[2][271] = 1;
		;
		/* merge: done = 1(274, 273, 274) */
		reached[2][273] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 4 */
	case 99: // STATE 257 - mailbox.pml:70 - [(1)] (274:0:2 - 1)
		IfNotBlocked
		reached[2][257] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(274, 259, 274) */
		reached[2][259] = 1;
		;
		/* merge: .(goto)(274, 262, 274) */
		reached[2][262] = 1;
		;
		/* merge: .(goto)(274, 267, 274) */
		reached[2][267] = 1;
		;
		/* merge: .(goto)(274, 271, 274) */
		reached[2][271] = 1;
		;
		/* merge: done = 1(274, 273, 274) */
		reached[2][273] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 5 */
	case 100: // STATE 265 - mailbox.pml:111 - [(1)] (274:0:2 - 1)
		IfNotBlocked
		reached[2][265] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(274, 267, 274) */
		reached[2][267] = 1;
		;
		/* merge: .(goto)(274, 271, 274) */
		reached[2][271] = 1;
		;
		/* merge: done = 1(274, 273, 274) */
		reached[2][273] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 3 */
	case 101: // STATE 269 - mailbox.pml:116 - [(1)] (274:0:2 - 1)
		IfNotBlocked
		reached[2][269] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(274, 271, 274) */
		reached[2][271] = 1;
		;
		/* merge: done = 1(274, 273, 274) */
		reached[2][273] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 2 */
	case 102: // STATE 273 - mailbox.pml:317 - [done = 1] (0:274:2 - 7)
		IfNotBlocked
		reached[2][273] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P2 *)_this)->done);
		((P2 *)_this)->done = 1;
#ifdef VAR_RANGES
		logval("worker:done", ((int)((P2 *)_this)->done));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: done */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->done = 0;
		_m = 3; goto P999; /* 0 */
	case 103: // STATE 274 - mailbox.pml:318 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[2][274] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC locker */
	case 104: // STATE 1 - mailbox.pml:160 - [locked = (strong>0)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][1] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->locked);
		((P1 *)_this)->locked = (((int)now.strong)>0);
#ifdef VAR_RANGES
		logval("locker:locked", ((int)((P1 *)_this)->locked));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 105: // STATE 2 - mailbox.pml:162 - [(locked)] (83:0:1 - 1)
		IfNotBlocked
		reached[1][2] = 1;
		if (!(((int)((P1 *)_this)->locked)))
			continue;
		/* merge: strong = (strong+1)(83, 3, 83) */
		reached[1][3] = 1;
		(trpt+1)->bup.oval = ((int)now.strong);
		now.strong = (((int)now.strong)+1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
		/* merge: .(goto)(83, 7, 83) */
		reached[1][7] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 106: // STATE 7 - mailbox.pml:165 - [.(goto)] (0:83:0 - 2)
		IfNotBlocked
		reached[1][7] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 107: // STATE 5 - mailbox.pml:163 - [(1)] (83:0:0 - 1)
		IfNotBlocked
		reached[1][5] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(83, 7, 83) */
		reached[1][7] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 108: // STATE 9 - mailbox.pml:167 - [(locked)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][9] = 1;
		if (!(((int)((P1 *)_this)->locked)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: locked */  (trpt+1)->bup.oval = ((P1 *)_this)->locked;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->locked = 0;
		_m = 3; goto P999; /* 0 */
	case 109: // STATE 10 - mailbox.pml:122 - [assert((strong>0))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][10] = 1;
		spin_assert((((int)now.strong)>0), "(strong>0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 110: // STATE 11 - mailbox.pml:124 - [owner_of[sent] = 2] (0:29:2 - 1)
		IfNotBlocked
		reached[1][11] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owner_of[ Index(((int)now.sent), 6) ]);
		now.owner_of[ Index(now.sent, 6) ] = 2;
#ifdef VAR_RANGES
		logval("owner_of[sent]", ((int)now.owner_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: order_of[sent] = 1(29, 12, 29) */
		reached[1][12] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.order_of[ Index(((int)now.sent), 6) ]);
		now.order_of[ Index(now.sent, 6) ] = 1;
#ifdef VAR_RANGES
		logval("order_of[sent]", ((int)now.order_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 111: // STATE 13 - mailbox.pml:127 - [((word==CLOSED))] (80:0:2 - 1)
		IfNotBlocked
		reached[1][13] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: fate[sent] = (fate[sent]+1)(80, 14, 80) */
		reached[1][14] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.fate[ Index(((int)now.sent), 6) ]);
		now.fate[ Index(now.sent, 6) ] = (((int)now.fate[ Index(((int)now.sent), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[sent]", ((int)now.fate[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: .(goto)(80, 30, 80) */
		reached[1][30] = 1;
		;
		/* merge: sent = (sent+1)(80, 31, 80) */
		reached[1][31] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 112: // STATE 30 - mailbox.pml:140 - [.(goto)] (0:80:1 - 4)
		IfNotBlocked
		reached[1][30] = 1;
		;
		/* merge: sent = (sent+1)(80, 31, 80) */
		reached[1][31] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 113: // STATE 16 - mailbox.pml:129 - [chain[chained] = sent] (0:27:2 - 1)
		IfNotBlocked
		reached[1][16] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.chain[ Index(((int)now.chained), 6) ]);
		now.chain[ Index(now.chained, 6) ] = ((int)now.sent);
#ifdef VAR_RANGES
		logval("chain[chained]", ((int)now.chain[ Index(((int)now.chained), 6) ]));
#endif
		;
		/* merge: chained = (chained+1)(27, 17, 27) */
		reached[1][17] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.chained);
		now.chained = (((int)now.chained)+1);
#ifdef VAR_RANGES
		logval("chained", ((int)now.chained));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 114: // STATE 18 - mailbox.pml:132 - [((word==IDLE))] (24:0:2 - 1)
		IfNotBlocked
		reached[1][18] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: owners = (owners+1)(24, 19, 24) */
		reached[1][19] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(24, 20, 24) */
		reached[1][20] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		/* merge: word = CHAIN(24, 21, 24) */
		reached[1][21] = 1;
		(trpt+1)->bup.ovals[1] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 115: // STATE 22 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][22] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 116: // STATE 23 - mailbox.pml:56 - [ready!1] (80:0:1 - 1)
		IfNotBlocked
		reached[1][23] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: .(goto)(80, 28, 80) */
		reached[1][28] = 1;
		;
		/* merge: .(goto)(80, 30, 80) */
		reached[1][30] = 1;
		;
		/* merge: sent = (sent+1)(80, 31, 80) */
		reached[1][31] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 2; goto P999; /* 3 */
	case 117: // STATE 26 - mailbox.pml:137 - [word = CHAIN] (0:80:2 - 1)
		IfNotBlocked
		reached[1][26] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: .(goto)(80, 28, 80) */
		reached[1][28] = 1;
		;
		/* merge: .(goto)(80, 30, 80) */
		reached[1][30] = 1;
		;
		/* merge: sent = (sent+1)(80, 31, 80) */
		reached[1][31] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 118: // STATE 36 - mailbox.pml:87 - [D_STEP87]
		IfNotBlocked

		reached[1][36] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_132_0: /* 2 */
		now.strong = (((int)now.strong)-1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
S_133_0: /* 2 */
		((P1 *)_this)->last = (((int)now.strong)==0);
#ifdef VAR_RANGES
		logval("locker:last", ((int)((P1 *)_this)->last));
#endif
		;
		goto S_176_0;
S_176_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 119: // STATE 37 - mailbox.pml:92 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][37] = 1;
		if (!(((int)((P1 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P1 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 120: // STATE 38 - mailbox.pml:96 - [((word==CLOSED))] (74:0:1 - 1)
		IfNotBlocked
		reached[1][38] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: last = 1(74, 39, 74) */
		reached[1][39] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->last);
		((P1 *)_this)->last = 1;
#ifdef VAR_RANGES
		logval("locker:last", ((int)((P1 *)_this)->last));
#endif
		;
		/* merge: .(goto)(74, 54, 74) */
		reached[1][54] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 121: // STATE 54 - mailbox.pml:108 - [.(goto)] (0:74:0 - 4)
		IfNotBlocked
		reached[1][54] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 122: // STATE 40 - mailbox.pml:97 - [((word==IDLE))] (46:0:2 - 1)
		IfNotBlocked
		reached[1][40] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: word = EMPTY(46, 41, 46) */
		reached[1][41] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: owners = (owners+1)(46, 42, 46) */
		reached[1][42] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(46, 43, 46) */
		reached[1][43] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		_m = 3; goto P999; /* 3 */
	case 123: // STATE 44 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][44] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 124: // STATE 45 - mailbox.pml:56 - [ready!1] (74:0:1 - 1)
		IfNotBlocked
		reached[1][45] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: last = 0(74, 47, 74) */
		reached[1][47] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->last);
		((P1 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("locker:last", ((int)((P1 *)_this)->last));
#endif
		;
		/* merge: .(goto)(74, 54, 74) */
		reached[1][54] = 1;
		;
		_m = 2; goto P999; /* 2 */
	case 125: // STATE 48 - mailbox.pml:103 - [((word==EMPTY))] (74:0:2 - 1)
		IfNotBlocked
		reached[1][48] = 1;
		if (!((now.word==5)))
			continue;
		/* merge: word = NUDGE(74, 49, 74) */
		reached[1][49] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 4;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: last = 0(74, 50, 74) */
		reached[1][50] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P1 *)_this)->last);
		((P1 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("locker:last", ((int)((P1 *)_this)->last));
#endif
		;
		/* merge: .(goto)(74, 54, 74) */
		reached[1][54] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 126: // STATE 52 - mailbox.pml:106 - [last = 0] (0:74:1 - 1)
		IfNotBlocked
		reached[1][52] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->last);
		((P1 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("locker:last", ((int)((P1 *)_this)->last));
#endif
		;
		/* merge: .(goto)(74, 54, 74) */
		reached[1][54] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 127: // STATE 56 - mailbox.pml:110 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][56] = 1;
		if (!(((int)((P1 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P1 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 128: // STATE 57 - mailbox.pml:62 - [((strong!=0))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][57] = 1;
		if (!((((int)now.strong)!=0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 129: // STATE 60 - mailbox.pml:66 - [(kept)] (85:0:2 - 1)
		IfNotBlocked
		reached[1][60] = 1;
		if (!(((int)now.kept)))
			continue;
		/* merge: kept = 0(85, 61, 85) */
		reached[1][61] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.kept);
		now.kept = 0;
#ifdef VAR_RANGES
		logval("kept", ((int)now.kept));
#endif
		;
		/* merge: assert(exited)(85, 62, 85) */
		reached[1][62] = 1;
		spin_assert(((int)now.exited), "exited", II, tt, t);
		/* merge: destroyed = (destroyed+1)(85, 63, 85) */
		reached[1][63] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.destroyed);
		now.destroyed = (((int)now.destroyed)+1);
#ifdef VAR_RANGES
		logval("destroyed", ((int)now.destroyed));
#endif
		;
		/* merge: .(goto)(85, 67, 85) */
		reached[1][67] = 1;
		;
		/* merge: .(goto)(0, 70, 85) */
		reached[1][70] = 1;
		;
		/* merge: .(goto)(0, 75, 85) */
		reached[1][75] = 1;
		;
		/* merge: .(goto)(0, 79, 85) */
		reached[1][79] = 1;
		;
		/* merge: .(goto)(0, 84, 85) */
		reached[1][84] = 1;
		;
		_m = 3; goto P999; /* 8 */
	case 130: // STATE 67 - mailbox.pml:72 - [.(goto)] (0:85:0 - 2)
		IfNotBlocked
		reached[1][67] = 1;
		;
		/* merge: .(goto)(0, 70, 85) */
		reached[1][70] = 1;
		;
		/* merge: .(goto)(0, 75, 85) */
		reached[1][75] = 1;
		;
		/* merge: .(goto)(0, 79, 85) */
		reached[1][79] = 1;
		;
		/* merge: .(goto)(0, 84, 85) */
		reached[1][84] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 131: // STATE 65 - mailbox.pml:70 - [(1)] (85:0:0 - 1)
		IfNotBlocked
		reached[1][65] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(85, 67, 85) */
		reached[1][67] = 1;
		;
		/* merge: .(goto)(0, 70, 85) */
		reached[1][70] = 1;
		;
		/* merge: .(goto)(0, 75, 85) */
		reached[1][75] = 1;
		;
		/* merge: .(goto)(0, 79, 85) */
		reached[1][79] = 1;
		;
		/* merge: .(goto)(0, 84, 85) */
		reached[1][84] = 1;
		;
		_m = 3; goto P999; /* 5 */
	case 132: // STATE 85 - mailbox.pml:172 - [-end-] (0:0:0 - 9)
		IfNotBlocked
		reached[1][85] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC sender */
	case 133: // STATE 1 - mailbox.pml:122 - [assert((strong>0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1] = 1;
		spin_assert((((int)now.strong)>0), "(strong>0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 134: // STATE 2 - mailbox.pml:124 - [owner_of[sent] = me] (0:20:2 - 1)
		IfNotBlocked
		reached[0][2] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owner_of[ Index(((int)now.sent), 6) ]);
		now.owner_of[ Index(now.sent, 6) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("owner_of[sent]", ((int)now.owner_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: order_of[sent] = 1(20, 3, 20) */
		reached[0][3] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.order_of[ Index(((int)now.sent), 6) ]);
		now.order_of[ Index(now.sent, 6) ] = 1;
#ifdef VAR_RANGES
		logval("order_of[sent]", ((int)now.order_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 135: // STATE 4 - mailbox.pml:127 - [((word==CLOSED))] (50:0:2 - 1)
		IfNotBlocked
		reached[0][4] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: fate[sent] = (fate[sent]+1)(50, 5, 50) */
		reached[0][5] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.fate[ Index(((int)now.sent), 6) ]);
		now.fate[ Index(now.sent, 6) ] = (((int)now.fate[ Index(((int)now.sent), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[sent]", ((int)now.fate[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: .(goto)(50, 21, 50) */
		reached[0][21] = 1;
		;
		/* merge: sent = (sent+1)(50, 22, 50) */
		reached[0][22] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 136: // STATE 21 - mailbox.pml:140 - [.(goto)] (0:50:1 - 4)
		IfNotBlocked
		reached[0][21] = 1;
		;
		/* merge: sent = (sent+1)(50, 22, 50) */
		reached[0][22] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 137: // STATE 7 - mailbox.pml:129 - [chain[chained] = sent] (0:18:2 - 1)
		IfNotBlocked
		reached[0][7] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.chain[ Index(((int)now.chained), 6) ]);
		now.chain[ Index(now.chained, 6) ] = ((int)now.sent);
#ifdef VAR_RANGES
		logval("chain[chained]", ((int)now.chain[ Index(((int)now.chained), 6) ]));
#endif
		;
		/* merge: chained = (chained+1)(18, 8, 18) */
		reached[0][8] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.chained);
		now.chained = (((int)now.chained)+1);
#ifdef VAR_RANGES
		logval("chained", ((int)now.chained));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 138: // STATE 9 - mailbox.pml:132 - [((word==IDLE))] (15:0:2 - 1)
		IfNotBlocked
		reached[0][9] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: owners = (owners+1)(15, 10, 15) */
		reached[0][10] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(15, 11, 15) */
		reached[0][11] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		/* merge: word = CHAIN(15, 12, 15) */
		reached[0][12] = 1;
		(trpt+1)->bup.ovals[1] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 139: // STATE 13 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][13] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 140: // STATE 14 - mailbox.pml:56 - [ready!1] (50:0:1 - 1)
		IfNotBlocked
		reached[0][14] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: .(goto)(50, 19, 50) */
		reached[0][19] = 1;
		;
		/* merge: .(goto)(50, 21, 50) */
		reached[0][21] = 1;
		;
		/* merge: sent = (sent+1)(50, 22, 50) */
		reached[0][22] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 2; goto P999; /* 3 */
	case 141: // STATE 17 - mailbox.pml:137 - [word = CHAIN] (0:50:2 - 1)
		IfNotBlocked
		reached[0][17] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: .(goto)(50, 19, 50) */
		reached[0][19] = 1;
		;
		/* merge: .(goto)(50, 21, 50) */
		reached[0][21] = 1;
		;
		/* merge: sent = (sent+1)(50, 22, 50) */
		reached[0][22] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 142: // STATE 25 - mailbox.pml:122 - [assert((strong>0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][25] = 1;
		spin_assert((((int)now.strong)>0), "(strong>0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 143: // STATE 26 - mailbox.pml:124 - [owner_of[sent] = me] (0:44:2 - 1)
		IfNotBlocked
		reached[0][26] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owner_of[ Index(((int)now.sent), 6) ]);
		now.owner_of[ Index(now.sent, 6) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("owner_of[sent]", ((int)now.owner_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: order_of[sent] = 2(44, 27, 44) */
		reached[0][27] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.order_of[ Index(((int)now.sent), 6) ]);
		now.order_of[ Index(now.sent, 6) ] = 2;
#ifdef VAR_RANGES
		logval("order_of[sent]", ((int)now.order_of[ Index(((int)now.sent), 6) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 144: // STATE 28 - mailbox.pml:127 - [((word==CLOSED))] (98:0:2 - 1)
		IfNotBlocked
		reached[0][28] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: fate[sent] = (fate[sent]+1)(98, 29, 98) */
		reached[0][29] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.fate[ Index(((int)now.sent), 6) ]);
		now.fate[ Index(now.sent, 6) ] = (((int)now.fate[ Index(((int)now.sent), 6) ])+1);
#ifdef VAR_RANGES
		logval("fate[sent]", ((int)now.fate[ Index(((int)now.sent), 6) ]));
#endif
		;
		/* merge: .(goto)(98, 45, 98) */
		reached[0][45] = 1;
		;
		/* merge: sent = (sent+1)(98, 46, 98) */
		reached[0][46] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		/* merge: .(goto)(0, 51, 98) */
		reached[0][51] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 145: // STATE 45 - mailbox.pml:140 - [.(goto)] (0:98:1 - 4)
		IfNotBlocked
		reached[0][45] = 1;
		;
		/* merge: sent = (sent+1)(98, 46, 98) */
		reached[0][46] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		/* merge: .(goto)(0, 51, 98) */
		reached[0][51] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 146: // STATE 31 - mailbox.pml:129 - [chain[chained] = sent] (0:42:2 - 1)
		IfNotBlocked
		reached[0][31] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.chain[ Index(((int)now.chained), 6) ]);
		now.chain[ Index(now.chained, 6) ] = ((int)now.sent);
#ifdef VAR_RANGES
		logval("chain[chained]", ((int)now.chain[ Index(((int)now.chained), 6) ]));
#endif
		;
		/* merge: chained = (chained+1)(42, 32, 42) */
		reached[0][32] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.chained);
		now.chained = (((int)now.chained)+1);
#ifdef VAR_RANGES
		logval("chained", ((int)now.chained));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 147: // STATE 33 - mailbox.pml:132 - [((word==IDLE))] (39:0:2 - 1)
		IfNotBlocked
		reached[0][33] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: owners = (owners+1)(39, 34, 39) */
		reached[0][34] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(39, 35, 39) */
		reached[0][35] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		/* merge: word = CHAIN(39, 36, 39) */
		reached[0][36] = 1;
		(trpt+1)->bup.ovals[1] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		_m = 3; goto P999; /* 3 */
	case 148: // STATE 37 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][37] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 149: // STATE 38 - mailbox.pml:56 - [ready!1] (98:0:1 - 1)
		IfNotBlocked
		reached[0][38] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: .(goto)(98, 43, 98) */
		reached[0][43] = 1;
		;
		/* merge: .(goto)(98, 45, 98) */
		reached[0][45] = 1;
		;
		/* merge: sent = (sent+1)(98, 46, 98) */
		reached[0][46] = 1;
		(trpt+1)->bup.oval = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		/* merge: .(goto)(0, 51, 98) */
		reached[0][51] = 1;
		;
		_m = 2; goto P999; /* 4 */
	case 150: // STATE 41 - mailbox.pml:137 - [word = CHAIN] (0:98:2 - 1)
		IfNotBlocked
		reached[0][41] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 1;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: .(goto)(98, 43, 98) */
		reached[0][43] = 1;
		;
		/* merge: .(goto)(98, 45, 98) */
		reached[0][45] = 1;
		;
		/* merge: sent = (sent+1)(98, 46, 98) */
		reached[0][46] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.sent);
		now.sent = (((int)now.sent)+1);
#ifdef VAR_RANGES
		logval("sent", ((int)now.sent));
#endif
		;
		/* merge: .(goto)(0, 51, 98) */
		reached[0][51] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 151: // STATE 54 - mailbox.pml:87 - [D_STEP87]
		IfNotBlocked

		reached[0][54] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_051_0: /* 2 */
		now.strong = (((int)now.strong)-1);
#ifdef VAR_RANGES
		logval("strong", ((int)now.strong));
#endif
		;
S_052_0: /* 2 */
		((P0 *)_this)->last = (((int)now.strong)==0);
#ifdef VAR_RANGES
		logval("sender:last", ((int)((P0 *)_this)->last));
#endif
		;
		goto S_095_0;
S_095_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 152: // STATE 55 - mailbox.pml:92 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][55] = 1;
		if (!(((int)((P0 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P0 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 153: // STATE 56 - mailbox.pml:96 - [((word==CLOSED))] (92:0:1 - 1)
		IfNotBlocked
		reached[0][56] = 1;
		if (!((now.word==2)))
			continue;
		/* merge: last = 1(92, 57, 92) */
		reached[0][57] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->last);
		((P0 *)_this)->last = 1;
#ifdef VAR_RANGES
		logval("sender:last", ((int)((P0 *)_this)->last));
#endif
		;
		/* merge: .(goto)(92, 72, 92) */
		reached[0][72] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 154: // STATE 72 - mailbox.pml:108 - [.(goto)] (0:92:0 - 4)
		IfNotBlocked
		reached[0][72] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 155: // STATE 58 - mailbox.pml:97 - [((word==IDLE))] (64:0:2 - 1)
		IfNotBlocked
		reached[0][58] = 1;
		if (!((now.word==3)))
			continue;
		/* merge: word = EMPTY(64, 59, 64) */
		reached[0][59] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 5;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: owners = (owners+1)(64, 60, 64) */
		reached[0][60] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owners);
		now.owners = (((int)now.owners)+1);
#ifdef VAR_RANGES
		logval("owners", ((int)now.owners));
#endif
		;
		/* merge: assert((owners==1))(64, 61, 64) */
		reached[0][61] = 1;
		spin_assert((((int)now.owners)==1), "(owners==1)", II, tt, t);
		_m = 3; goto P999; /* 3 */
	case 156: // STATE 62 - mailbox.pml:55 - [assert((len(ready)==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][62] = 1;
		spin_assert((q_len(now.ready)==0), "(q_len(ready)==0)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 157: // STATE 63 - mailbox.pml:56 - [ready!1] (92:0:1 - 1)
		IfNotBlocked
		reached[0][63] = 1;
		if (q_full(now.ready))
			continue;
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.ready);
		sprintf(simtmp, "%d", 1); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.ready, 0, 1, 1);
		/* merge: last = 0(92, 65, 92) */
		reached[0][65] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->last);
		((P0 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("sender:last", ((int)((P0 *)_this)->last));
#endif
		;
		/* merge: .(goto)(92, 72, 92) */
		reached[0][72] = 1;
		;
		_m = 2; goto P999; /* 2 */
	case 158: // STATE 66 - mailbox.pml:103 - [((word==EMPTY))] (92:0:2 - 1)
		IfNotBlocked
		reached[0][66] = 1;
		if (!((now.word==5)))
			continue;
		/* merge: word = NUDGE(92, 67, 92) */
		reached[0][67] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.word;
		now.word = 4;
#ifdef VAR_RANGES
		logval("word", now.word);
#endif
		;
		/* merge: last = 0(92, 68, 92) */
		reached[0][68] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->last);
		((P0 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("sender:last", ((int)((P0 *)_this)->last));
#endif
		;
		/* merge: .(goto)(92, 72, 92) */
		reached[0][72] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 159: // STATE 70 - mailbox.pml:106 - [last = 0] (0:92:1 - 1)
		IfNotBlocked
		reached[0][70] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->last);
		((P0 *)_this)->last = 0;
#ifdef VAR_RANGES
		logval("sender:last", ((int)((P0 *)_this)->last));
#endif
		;
		/* merge: .(goto)(92, 72, 92) */
		reached[0][72] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 160: // STATE 74 - mailbox.pml:110 - [(last)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][74] = 1;
		if (!(((int)((P0 *)_this)->last)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: last */  (trpt+1)->bup.oval = ((P0 *)_this)->last;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->last = 0;
		_m = 3; goto P999; /* 0 */
	case 161: // STATE 75 - mailbox.pml:62 - [((strong!=0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][75] = 1;
		if (!((((int)now.strong)!=0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 162: // STATE 78 - mailbox.pml:66 - [(kept)] (99:0:2 - 1)
		IfNotBlocked
		reached[0][78] = 1;
		if (!(((int)now.kept)))
			continue;
		/* merge: kept = 0(99, 79, 99) */
		reached[0][79] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.kept);
		now.kept = 0;
#ifdef VAR_RANGES
		logval("kept", ((int)now.kept));
#endif
		;
		/* merge: assert(exited)(99, 80, 99) */
		reached[0][80] = 1;
		spin_assert(((int)now.exited), "exited", II, tt, t);
		/* merge: destroyed = (destroyed+1)(99, 81, 99) */
		reached[0][81] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.destroyed);
		now.destroyed = (((int)now.destroyed)+1);
#ifdef VAR_RANGES
		logval("destroyed", ((int)now.destroyed));
#endif
		;
		/* merge: .(goto)(99, 85, 99) */
		reached[0][85] = 1;
		;
		/* merge: .(goto)(0, 88, 99) */
		reached[0][88] = 1;
		;
		/* merge: .(goto)(0, 93, 99) */
		reached[0][93] = 1;
		;
		/* merge: .(goto)(0, 97, 99) */
		reached[0][97] = 1;
		;
		_m = 3; goto P999; /* 7 */
	case 163: // STATE 85 - mailbox.pml:72 - [.(goto)] (0:99:0 - 2)
		IfNotBlocked
		reached[0][85] = 1;
		;
		/* merge: .(goto)(0, 88, 99) */
		reached[0][88] = 1;
		;
		/* merge: .(goto)(0, 93, 99) */
		reached[0][93] = 1;
		;
		/* merge: .(goto)(0, 97, 99) */
		reached[0][97] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 164: // STATE 83 - mailbox.pml:70 - [(1)] (99:0:0 - 1)
		IfNotBlocked
		reached[0][83] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(99, 85, 99) */
		reached[0][85] = 1;
		;
		/* merge: .(goto)(0, 88, 99) */
		reached[0][88] = 1;
		;
		/* merge: .(goto)(0, 93, 99) */
		reached[0][93] = 1;
		;
		/* merge: .(goto)(0, 97, 99) */
		reached[0][97] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 165: // STATE 99 - mailbox.pml:153 - [-end-] (0:0:0 - 7)
		IfNotBlocked
		reached[0][99] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */
	case  _T5:	/* np_ */
		if (!((!(trpt->o_pm&4) && !(trpt->tau&128))))
			continue;
		/* else fall through */
	case  _T2:	/* true */
		_m = 3; goto P999;
#undef rand
	}

