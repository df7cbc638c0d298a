	switch (t->back) {
	default: Uerror("bad return move");
	case  0: goto R999; /* nothing to undo */

		 /* PROC judge */
;
		;
		;
		;
		;
		;
		;
		;
		;
		;
		;
		;
		
	case 9: // STATE 7
		;
		((P3 *)_this)->i = trpt->bup.oval;
		;
		goto R999;

	case 10: // STATE 13
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC worker */

	case 11: // STATE 1
		;
		now.owners = trpt->bup.oval;
		;
		goto R999;

	case 12: // STATE 2
		;
		now.kept = trpt->bup.oval;
		;
		goto R999;

	case 13: // STATE 3
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 14: // STATE 4
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 15: // STATE 5
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;
	case 16: // STATE 8
		sv_restor();
		goto R999;

	case 17: // STATE 9
		;
	/* 0 */	((P2 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;

	case 18: // STATE 11
		;
		((P2 *)_this)->last = trpt->bup.oval;
		;
		goto R999;
;
		
	case 19: // STATE 26
		goto R999;

	case 20: // STATE 14
		;
		now.owners = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 22: // STATE 19
		;
		((P2 *)_this)->last = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 23: // STATE 22
		;
		((P2 *)_this)->last = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 24: // STATE 24
		;
		((P2 *)_this)->last = trpt->bup.oval;
		;
		goto R999;

	case 25: // STATE 28
		;
	/* 0 */	((P2 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 27: // STATE 35
		;
		now.destroyed = trpt->bup.ovals[1];
		now.kept = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 28: // STATE 39
		goto R999;
;
		
	case 29: // STATE 37
		goto R999;

	case 30: // STATE 54
		;
		XX = 1;
		unrecv(now.ready, XX-1, 0, trpt->bup.oval, 1);
		;
		;
		goto R999;
;
		;
		
	case 32: // STATE 57
		;
		((P2 *)_this)->i = trpt->bup.oval;
		;
		goto R999;

	case 33: // STATE 61
		;
		((P2 *)_this)->i = trpt->bup.ovals[2];
		((P2 *)_this)->after = trpt->bup.ovals[1];
		((P2 *)_this)->lane[ Index(((P2 *)_this)->after, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 34: // STATE 68
		;
		now.word = trpt->bup.ovals[1];
		now.chained = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 35: // STATE 72
		goto R999;
;
		
	case 36: // STATE 70
		goto R999;
;
		;
		
	case 38: // STATE 76
		;
		((P2 *)_this)->first = trpt->bup.ovals[1];
		((P2 *)_this)->message = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 39: // STATE 80
		sv_restor();
		goto R999;

	case 40: // STATE 82
		;
		((P2 *)_this)->revived = trpt->bup.ovals[1];
	/* 0 */	((P2 *)_this)->revived = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 41: // STATE 83
		;
		now.strong = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 43: // STATE 86
		;
		now.order_of[ Index(now.sent, 6) ] = trpt->bup.ovals[1];
		now.owner_of[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 44: // STATE 105
		;
		now.sent = trpt->bup.ovals[1];
		now.fate[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 45: // STATE 105
		;
		now.sent = trpt->bup.oval;
		;
		goto R999;

	case 46: // STATE 91
		;
		now.chained = trpt->bup.ovals[1];
		now.chain[ Index(now.chained, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 47: // STATE 95
		;
		now.word = trpt->bup.ovals[1];
		now.owners = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 49: // STATE 105
		;
		now.sent = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 50: // STATE 105
		;
		now.sent = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 51: // STATE 110
		sv_restor();
		goto R999;

	case 52: // STATE 111
		;
	/* 0 */	((P2 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;

	case 53: // STATE 113
		;
		((P2 *)_this)->last = trpt->bup.oval;
		;
		goto R999;
;
		
	case 54: // STATE 128
		goto R999;

	case 55: // STATE 116
		;
		now.owners = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 57: // STATE 121
		;
		((P2 *)_this)->last = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 58: // STATE 124
		;
		((P2 *)_this)->last = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 59: // STATE 126
		;
		((P2 *)_this)->last = trpt->bup.oval;
		;
		goto R999;

	case 60: // STATE 130
		;
	/* 0 */	((P2 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 62: // STATE 137
		;
		now.destroyed = trpt->bup.ovals[1];
		now.kept = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 63: // STATE 141
		goto R999;
;
		
	case 64: // STATE 139
		goto R999;
;
		;
		
	case 66: // STATE 169
		;
		((P2 *)_this)->reachable = trpt->bup.oval;
		;
		goto R999;

	case 67: // STATE 170
		;
		((P2 *)_this)->look = trpt->bup.oval;
		;
		goto R999;

	case 68: // STATE 171
		;
	/* 0 */	((P2 *)_this)->look = trpt->bup.oval;
		;
		;
		goto R999;

	case 69: // STATE 173
		;
	/* 0 */	((P2 *)_this)->look = trpt->bup.oval;
		;
		;
		goto R999;

	case 70: // STATE 175
		;
		now.word = trpt->bup.oval;
		;
		goto R999;
;
		
	case 71: // STATE 179
		goto R999;
;
		
	case 72: // STATE 177
		goto R999;

	case 73: // STATE 186
		;
	/* 0 */	((P2 *)_this)->reachable = trpt->bup.oval;
		;
		;
		goto R999;

	case 74: // STATE 194
		;
		now.owners = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 75: // STATE 201
		;
		now.strong = trpt->bup.oval;
		;
		goto R999;

	case 76: // STATE 204
		;
		((P2 *)_this)->i = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 77: // STATE 207
		;
		((P2 *)_this)->i = trpt->bup.ovals[1];
		now.fate[ Index(now.chain[ Index(((P2 *)_this)->i, 6) ], 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 78: // STATE 213
		;
		now.chained = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 80: // STATE 216
		;
		now.fate[ Index(((P2 *)_this)->lane[ Index(((P2 *)_this)->first, 6) ], 6) ] = trpt->bup.oval;
		;
		goto R999;

	case 81: // STATE 217
		;
		((P2 *)_this)->first = trpt->bup.oval;
		;
		goto R999;

	case 82: // STATE 223
		;
		now.exited = trpt->bup.oval;
		;
		goto R999;

	case 83: // STATE 224
		;
		now.owners = trpt->bup.oval;
		;
		goto R999;
;
		;
			case 85: // STATE 228
		sv_restor();
		goto R999;

	case 86: // STATE 229
		;
	/* 0 */	((P2 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;

	case 87: // STATE 231
		;
		((P2 *)_this)->last = trpt->bup.oval;
		;
		goto R999;
;
		
	case 88: // STATE 246
		goto R999;

	case 89: // STATE 234
		;
		now.owners = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 91: // STATE 239
		;
		((P2 *)_this)->last = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 92: // STATE 242
		;
		((P2 *)_this)->last = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 93: // STATE 244
		;
		((P2 *)_this)->last = trpt->bup.oval;
		;
		goto R999;

	case 94: // STATE 248
		;
	/* 0 */	((P2 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 96: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 97: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[2];
		now.destroyed = trpt->bup.ovals[1];
		now.kept = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 98: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 99: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 100: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 101: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 102: // STATE 273
		;
		((P2 *)_this)->done = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 103: // STATE 274
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC locker */

	case 104: // STATE 1
		;
		((P1 *)_this)->locked = trpt->bup.oval;
		;
		goto R999;

	case 105: // STATE 3
		;
		now.strong = trpt->bup.oval;
		;
		goto R999;
;
		
	case 106: // STATE 7
		goto R999;
;
		
	case 107: // STATE 5
		goto R999;

	case 108: // STATE 9
		;
	/* 0 */	((P1 *)_this)->locked = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 110: // STATE 12
		;
		now.order_of[ Index(now.sent, 6) ] = trpt->bup.ovals[1];
		now.owner_of[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 111: // STATE 31
		;
		now.sent = trpt->bup.ovals[1];
		now.fate[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 112: // STATE 31
		;
		now.sent = trpt->bup.oval;
		;
		goto R999;

	case 113: // STATE 17
		;
		now.chained = trpt->bup.ovals[1];
		now.chain[ Index(now.chained, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 114: // STATE 21
		;
		now.word = trpt->bup.ovals[1];
		now.owners = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 116: // STATE 31
		;
		now.sent = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 117: // STATE 31
		;
		now.sent = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 118: // STATE 36
		sv_restor();
		goto R999;

	case 119: // STATE 37
		;
	/* 0 */	((P1 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;

	case 120: // STATE 39
		;
		((P1 *)_this)->last = trpt->bup.oval;
		;
		goto R999;
;
		
	case 121: // STATE 54
		goto R999;

	case 122: // STATE 42
		;
		now.owners = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 124: // STATE 47
		;
		((P1 *)_this)->last = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 125: // STATE 50
		;
		((P1 *)_this)->last = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 126: // STATE 52
		;
		((P1 *)_this)->last = trpt->bup.oval;
		;
		goto R999;

	case 127: // STATE 56
		;
	/* 0 */	((P1 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 129: // STATE 63
		;
		now.destroyed = trpt->bup.ovals[1];
		now.kept = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 130: // STATE 67
		goto R999;
;
		
	case 131: // STATE 65
		goto R999;

	case 132: // STATE 85
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC sender */
;
		;
		
	case 134: // STATE 3
		;
		now.order_of[ Index(now.sent, 6) ] = trpt->bup.ovals[1];
		now.owner_of[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 135: // STATE 22
		;
		now.sent = trpt->bup.ovals[1];
		now.fate[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 136: // STATE 22
		;
		now.sent = trpt->bup.oval;
		;
		goto R999;

	case 137: // STATE 8
		;
		now.chained = trpt->bup.ovals[1];
		now.chain[ Index(now.chained, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 138: // STATE 12
		;
		now.word = trpt->bup.ovals[1];
		now.owners = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 140: // STATE 22
		;
		now.sent = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 141: // STATE 22
		;
		now.sent = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 143: // STATE 27
		;
		now.order_of[ Index(now.sent, 6) ] = trpt->bup.ovals[1];
		now.owner_of[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 144: // STATE 46
		;
		now.sent = trpt->bup.ovals[1];
		now.fate[ Index(now.sent, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 145: // STATE 46
		;
		now.sent = trpt->bup.oval;
		;
		goto R999;

	case 146: // STATE 32
		;
		now.chained = trpt->bup.ovals[1];
		now.chain[ Index(now.chained, 6) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 147: // STATE 36
		;
		now.word = trpt->bup.ovals[1];
		now.owners = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 149: // STATE 46
		;
		now.sent = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 150: // STATE 46
		;
		now.sent = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 151: // STATE 54
		sv_restor();
		goto R999;

	case 152: // STATE 55
		;
	/* 0 */	((P0 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;

	case 153: // STATE 57
		;
		((P0 *)_this)->last = trpt->bup.oval;
		;
		goto R999;
;
		
	case 154: // STATE 72
		goto R999;

	case 155: // STATE 60
		;
		now.owners = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		
	case 157: // STATE 65
		;
		((P0 *)_this)->last = trpt->bup.oval;
		_m = unsend(now.ready);
		;
		goto R999;

	case 158: // STATE 68
		;
		((P0 *)_this)->last = trpt->bup.ovals[1];
		now.word = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 159: // STATE 70
		;
		((P0 *)_this)->last = trpt->bup.oval;
		;
		goto R999;

	case 160: // STATE 74
		;
	/* 0 */	((P0 *)_this)->last = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 162: // STATE 81
		;
		now.destroyed = trpt->bup.ovals[1];
		now.kept = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 163: // STATE 85
		goto R999;
;
		
	case 164: // STATE 83
		goto R999;

	case 165: // STATE 99
		;
		p_restor(II);
		;
		;
		goto R999;
	}

