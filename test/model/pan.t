#ifdef PEG
struct T_SRC {
	char *fl; int ln;
} T_SRC[NTRANS];

void
tr_2_src(int m, char *file, int ln)
{	T_SRC[m].fl = file;
	T_SRC[m].ln = ln;
}

void
putpeg(int n, int m)
{	printf("%5d	trans %4d ", m, n);
	printf("%s:%d\n",
		T_SRC[n].fl, T_SRC[n].ln);
}
#endif

void
settable(void)
{	Trans *T;
	Trans *settr(int, int, int, int, int, char *, int, int, int);

	trans = (Trans ***) emalloc(5*sizeof(Trans **));

	/* proctype 3: judge */

	trans[3] = (Trans **) emalloc(14*sizeof(Trans *));

	trans[3][1]	= settr(458,0,2,3,0,"(timeout)", 1, 3000, 0);
	trans[3][2]	= settr(459,0,3,4,0,"assert(exited)", 1, 2, 0);
	trans[3][3]	= settr(460,0,4,5,0,"assert((strong==0))", 1, 2, 0);
	trans[3][4]	= settr(461,0,10,6,0,"assert((destroyed==1))", 1, 2, 0);
	trans[3][11]	= settr(468,0,10,1,0,".(goto)", 0, 2, 0);
	T = trans[3][10] = settr(467,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(467,0,5,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(467,0,8,0,0,"DO", 0, 2, 0);
	trans[3][5]	= settr(462,0,6,7,0,"((i<sent))", 1, 2, 0);
	trans[3][6]	= settr(463,0,7,8,0,"assert((fate[i]==1))", 1, 2, 0);
	trans[3][7]	= settr(464,0,10,9,9,"i = (i+1)", 0, 2, 0);
	trans[3][8]	= settr(465,0,13,2,0,"else", 0, 2, 0);
	trans[3][9]	= settr(466,0,13,1,0,"goto :b4", 0, 2, 0);
	trans[3][12]	= settr(469,0,13,1,0,"break", 0, 2, 0);
	trans[3][13]	= settr(470,0,0,10,10,"-end-", 0, 3500, 0);

	/* proctype 2: worker */

	trans[2] = (Trans **) emalloc(275*sizeof(Trans *));

	trans[2][1]	= settr(184,0,2,11,11,"owners = 1", 1, 2, 0);
	trans[2][2]	= settr(185,0,3,12,12,"kept = 1", 1, 2, 0);
	trans[2][3]	= settr(186,0,4,13,13,"(run sender(0))", 0, 2, 0);
	trans[2][4]	= settr(187,0,5,14,14,"(run sender(1))", 0, 2, 0);
	trans[2][5]	= settr(188,0,52,15,15,"(run locker())", 0, 2, 0);
	T = trans[ 2][52] = settr(235,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(235,0,8,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[2][8]	= settr(191,32,50,16,16,"D_STEP87", 1, 2, 0);
	T = trans[2][50] = settr(233,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(233,0,9,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(233,0,48,0,0,"IF", 0, 2, 0);
	trans[2][9]	= settr(192,0,27,17,17,"(last)", 0, 2, 0);
	T = trans[ 2][27] = settr(210,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(210,2,25,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][25] = settr(208,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(208,2,10,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(208,2,12,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(208,2,20,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(208,2,23,0,0,"IF", 1, 2, 0);
	trans[2][10]	= settr(193,4,46,18,18,"((word==CLOSED))", 1, 2, 0); /* m: 11 -> 46,0 */
	reached2[11] = 1;
	trans[2][11]	= settr(0,0,0,0,0,"last = 1",0,0,0);
	trans[2][26]	= settr(209,0,46,19,19,".(goto)", 1, 2, 0);
	trans[2][12]	= settr(195,2,18,20,20,"((word==IDLE))", 1, 2, 0); /* m: 13 -> 18,0 */
	reached2[13] = 1;
	trans[2][13]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[2][14]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[2][15]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	T = trans[ 2][18] = settr(201,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(201,0,16,0,0,"sub-sequence", 1, 2, 0);
	trans[2][16]	= settr(199,2,17,21,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[2][17]	= settr(200,4,46,22,22,"ready!1", 1, 3, 0); /* m: 19 -> 46,0 */
	reached2[19] = 1;
	trans[2][19]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[2][20]	= settr(203,4,46,23,23,"((word==EMPTY))", 1, 2, 0); /* m: 21 -> 46,0 */
	reached2[21] = 1;
	trans[2][21]	= settr(0,0,0,0,0,"word = NUDGE",0,0,0);
	trans[2][22]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[2][23]	= settr(206,2,24,2,0,"else", 1, 2, 0);
	trans[2][24]	= settr(207,4,46,24,24,"last = 0", 1, 2, 0); /* m: 26 -> 0,46 */
	reached2[26] = 1;
	T = trans[2][46] = settr(229,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(229,0,28,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(229,0,44,0,0,"IF", 0, 2, 0);
	trans[2][28]	= settr(211,0,43,25,25,"(last)", 0, 2, 0);
	T = trans[ 2][43] = settr(226,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(226,0,41,0,0,"sub-sequence", 0, 2, 0);
	T = trans[2][41] = settr(224,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(224,0,29,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(224,0,31,0,0,"IF", 0, 2, 0);
	trans[2][29]	= settr(212,0,30,26,0,"((strong!=0))", 1, 2, 0);
	trans[2][30]	= settr(213,0,169,1,0,"(1)", 0, 2, 0);
	trans[2][42]	= settr(225,0,169,1,0,".(goto)", 0, 2, 0);
	trans[2][31]	= settr(214,0,40,2,0,"else", 0, 2, 0);
	T = trans[ 2][40] = settr(223,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(223,2,38,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][38] = settr(221,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(221,2,32,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(221,2,36,0,0,"IF", 1, 2, 0);
	trans[2][32]	= settr(215,0,169,27,27,"(kept)", 1, 2, 0); /* m: 33 -> 169,0 */
	reached2[33] = 1;
	trans[2][33]	= settr(0,0,0,0,0,"kept = 0",0,0,0);
	trans[2][34]	= settr(0,0,0,0,0,"assert(exited)",0,0,0);
	trans[2][35]	= settr(0,0,0,0,0,"destroyed = (destroyed+1)",0,0,0);
	trans[2][39]	= settr(222,0,169,28,28,".(goto)", 1, 2, 0);
	trans[2][36]	= settr(219,2,37,2,0,"else", 1, 2, 0);
	trans[2][37]	= settr(220,0,169,29,29,"(1)", 1, 2, 0); /* m: 39 -> 169,0 */
	reached2[39] = 1;
	trans[2][47]	= settr(230,0,169,1,0,".(goto)", 0, 2, 0);
	trans[2][44]	= settr(227,0,45,2,0,"else", 0, 2, 0);
	trans[2][45]	= settr(228,0,169,1,0,"(1)", 0, 2, 0);
	trans[2][51]	= settr(234,0,169,1,0,".(goto)", 0, 2, 0);
	trans[2][48]	= settr(231,0,49,2,0,"else", 0, 2, 0);
	trans[2][49]	= settr(232,0,169,1,0,"(1)", 0, 2, 0);
	trans[2][53]	= settr(236,0,169,1,0,"goto settle", 0, 2, 0);
	trans[2][54]	= settr(237,0,55,30,30,"ready?_", 1, 503, 0);
	trans[2][55]	= settr(238,0,73,31,0,"assert((owners==1))", 1, 2, 0);
	T = trans[ 2][73] = settr(256,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(256,2,71,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][71] = settr(254,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(254,2,56,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(254,2,69,0,0,"IF", 1, 2, 0);
	trans[2][56]	= settr(239,2,64,32,32,"((word==CHAIN))", 1, 2, 0); /* m: 57 -> 64,0 */
	reached2[57] = 1;
	trans[2][57]	= settr(0,0,0,0,0,"i = 0",0,0,0);
	trans[2][65]	= settr(248,2,64,1,0,".(goto)", 1, 2, 0);
	T = trans[2][64] = settr(247,2,0,0,0,"DO", 1, 2, 0);
	T = T->nxt	= settr(247,2,58,0,0,"DO", 1, 2, 0);
	    T->nxt	= settr(247,2,62,0,0,"DO", 1, 2, 0);
	trans[2][58]	= settr(241,2,64,33,33,"((i<chained))", 1, 2, 0); /* m: 59 -> 64,0 */
	reached2[59] = 1;
	trans[2][59]	= settr(0,0,0,0,0,"lane[after] = chain[i]",0,0,0);
	trans[2][60]	= settr(0,0,0,0,0,"after = (after+1)",0,0,0);
	trans[2][61]	= settr(0,0,0,0,0,"i = (i+1)",0,0,0);
	trans[2][62]	= settr(245,2,67,2,0,"else", 1, 2, 0);
	trans[2][63]	= settr(246,2,67,1,0,"goto :b0", 1, 2, 0); /* m: 67 -> 0,160 */
	reached2[67] = 1;
	trans[2][66]	= settr(249,2,67,1,0,"break", 1, 2, 0);
	trans[2][67]	= settr(250,0,160,34,34,"chained = 0", 1, 2, 0); /* m: 68 -> 0,160 */
	reached2[68] = 1;
	trans[2][68]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[2][72]	= settr(255,0,160,35,35,".(goto)", 1, 2, 0);
	trans[2][69]	= settr(252,2,70,2,0,"else", 1, 2, 0);
	trans[2][70]	= settr(253,0,160,36,36,"(1)", 1, 2, 0); /* m: 72 -> 160,0 */
	reached2[72] = 1;
	trans[2][161]	= settr(344,0,160,1,0,".(goto)", 0, 2, 0);
	T = trans[2][160] = settr(343,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(343,0,74,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(343,0,158,0,0,"DO", 0, 2, 0);
	trans[2][74]	= settr(257,0,75,37,0,"(((first<after)&&!(quit)))", 1, 2, 0);
	trans[2][75]	= settr(258,0,80,38,38,"message = lane[first]", 0, 2, 0); /* m: 76 -> 0,80 */
	reached2[76] = 1;
	trans[2][76]	= settr(0,0,0,0,0,"first = (first+1)",0,0,0);
/*->*/	trans[2][80]	= settr(263,32,156,39,39,"D_STEP216", 1, 2, 0);
	T = trans[2][156] = settr(339,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(339,0,81,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(339,0,155,0,0,"IF", 0, 2, 0);
	trans[2][81]	= settr(264,0,83,40,40,"(!(revived))", 0, 2, 0); /* m: 82 -> 83,0 */
	reached2[82] = 1;
	trans[2][82]	= settr(0,0,0,0,0,"revived = 1",0,0,0);
	trans[2][83]	= settr(266,0,107,41,41,"strong = (strong+1)", 1, 2, 0);
	T = trans[ 2][107] = settr(290,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(290,0,84,0,0,"sub-sequence", 0, 2, 0);
	trans[2][84]	= settr(267,0,106,42,0,"assert((strong>0))", 1, 2, 0);
	T = trans[ 2][106] = settr(289,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(289,2,85,0,0,"ATOMIC", 1, 2, 0);
	trans[2][85]	= settr(268,2,103,43,43,"owner_of[sent] = 3", 1, 2, 0); /* m: 86 -> 0,103 */
	reached2[86] = 1;
	trans[2][86]	= settr(0,0,0,0,0,"order_of[sent] = 1",0,0,0);
	T = trans[2][103] = settr(286,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(286,2,87,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(286,2,89,0,0,"IF", 1, 2, 0);
	trans[2][87]	= settr(270,4,154,44,44,"((word==CLOSED))", 1, 2, 0); /* m: 88 -> 154,0 */
	reached2[88] = 1;
	trans[2][88]	= settr(0,0,0,0,0,"fate[sent] = (fate[sent]+1)",0,0,0);
	trans[2][104]	= settr(287,4,154,45,45,".(goto)", 1, 2, 0); /* m: 105 -> 0,154 */
	reached2[105] = 1;
	trans[2][89]	= settr(272,2,90,2,0,"else", 1, 2, 0);
	trans[2][90]	= settr(273,2,101,46,46,"chain[chained] = sent", 1, 2, 0); /* m: 91 -> 0,101 */
	reached2[91] = 1;
	trans[2][91]	= settr(0,0,0,0,0,"chained = (chained+1)",0,0,0);
	T = trans[2][101] = settr(284,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(284,2,92,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(284,2,99,0,0,"IF", 1, 2, 0);
	trans[2][92]	= settr(275,2,98,47,47,"((word==IDLE))", 1, 2, 0); /* m: 93 -> 98,0 */
	reached2[93] = 1;
	trans[2][93]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[2][94]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	trans[2][95]	= settr(0,0,0,0,0,"word = CHAIN",0,0,0);
	T = trans[ 2][98] = settr(281,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(281,0,96,0,0,"sub-sequence", 1, 2, 0);
	trans[2][96]	= settr(279,2,97,48,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[2][97]	= settr(280,4,154,49,49,"ready!1", 1, 3, 0); /* m: 104 -> 154,0 */
	reached2[104] = 1;
	trans[2][102]	= settr(285,2,104,1,0,".(goto)", 1, 2, 0); /* m: 104 -> 0,154 */
	reached2[104] = 1;
	trans[2][99]	= settr(282,2,100,2,0,"else", 1, 2, 0);
	trans[2][100]	= settr(283,4,154,50,50,"word = CHAIN", 1, 2, 0); /* m: 104 -> 0,154 */
	reached2[104] = 1;
	trans[2][105]	= settr(0,0,0,0,0,"sent = (sent+1)",0,0,0);
	T = trans[ 2][154] = settr(337,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(337,0,110,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[2][110]	= settr(293,32,152,51,51,"D_STEP87", 1, 2, 0);
	T = trans[2][152] = settr(335,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(335,0,111,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(335,0,150,0,0,"IF", 0, 2, 0);
	trans[2][111]	= settr(294,0,129,52,52,"(last)", 0, 2, 0);
	T = trans[ 2][129] = settr(312,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(312,2,127,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][127] = settr(310,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(310,2,112,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(310,2,114,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(310,2,122,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(310,2,125,0,0,"IF", 1, 2, 0);
	trans[2][112]	= settr(295,4,148,53,53,"((word==CLOSED))", 1, 2, 0); /* m: 113 -> 148,0 */
	reached2[113] = 1;
	trans[2][113]	= settr(0,0,0,0,0,"last = 1",0,0,0);
	trans[2][128]	= settr(311,0,148,54,54,".(goto)", 1, 2, 0);
	trans[2][114]	= settr(297,2,120,55,55,"((word==IDLE))", 1, 2, 0); /* m: 115 -> 120,0 */
	reached2[115] = 1;
	trans[2][115]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[2][116]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[2][117]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	T = trans[ 2][120] = settr(303,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(303,0,118,0,0,"sub-sequence", 1, 2, 0);
	trans[2][118]	= settr(301,2,119,56,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[2][119]	= settr(302,4,148,57,57,"ready!1", 1, 3, 0); /* m: 121 -> 148,0 */
	reached2[121] = 1;
	trans[2][121]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[2][122]	= settr(305,4,148,58,58,"((word==EMPTY))", 1, 2, 0); /* m: 123 -> 148,0 */
	reached2[123] = 1;
	trans[2][123]	= settr(0,0,0,0,0,"word = NUDGE",0,0,0);
	trans[2][124]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[2][125]	= settr(308,2,126,2,0,"else", 1, 2, 0);
	trans[2][126]	= settr(309,4,148,59,59,"last = 0", 1, 2, 0); /* m: 128 -> 0,148 */
	reached2[128] = 1;
	T = trans[2][148] = settr(331,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(331,0,130,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(331,0,146,0,0,"IF", 0, 2, 0);
	trans[2][130]	= settr(313,0,145,60,60,"(last)", 0, 2, 0);
	T = trans[ 2][145] = settr(328,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(328,0,143,0,0,"sub-sequence", 0, 2, 0);
	T = trans[2][143] = settr(326,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(326,0,131,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(326,0,133,0,0,"IF", 0, 2, 0);
	trans[2][131]	= settr(314,0,132,61,0,"((strong!=0))", 1, 2, 0);
	trans[2][132]	= settr(315,0,160,1,0,"(1)", 0, 2, 0);
	trans[2][144]	= settr(327,0,160,1,0,".(goto)", 0, 2, 0);
	trans[2][133]	= settr(316,0,142,2,0,"else", 0, 2, 0);
	T = trans[ 2][142] = settr(325,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(325,2,140,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][140] = settr(323,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(323,2,134,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(323,2,138,0,0,"IF", 1, 2, 0);
	trans[2][134]	= settr(317,0,160,62,62,"(kept)", 1, 2, 0); /* m: 135 -> 160,0 */
	reached2[135] = 1;
	trans[2][135]	= settr(0,0,0,0,0,"kept = 0",0,0,0);
	trans[2][136]	= settr(0,0,0,0,0,"assert(exited)",0,0,0);
	trans[2][137]	= settr(0,0,0,0,0,"destroyed = (destroyed+1)",0,0,0);
	trans[2][141]	= settr(324,0,160,63,63,".(goto)", 1, 2, 0);
	trans[2][138]	= settr(321,2,139,2,0,"else", 1, 2, 0);
	trans[2][139]	= settr(322,0,160,64,64,"(1)", 1, 2, 0); /* m: 141 -> 160,0 */
	reached2[141] = 1;
	trans[2][149]	= settr(332,0,160,1,0,".(goto)", 0, 2, 0);
	trans[2][146]	= settr(329,0,147,2,0,"else", 0, 2, 0);
	trans[2][147]	= settr(330,0,160,1,0,"(1)", 0, 2, 0);
	trans[2][153]	= settr(336,0,160,1,0,".(goto)", 0, 2, 0);
	trans[2][150]	= settr(333,0,151,2,0,"else", 0, 2, 0);
	trans[2][151]	= settr(334,0,160,1,0,"(1)", 0, 2, 0);
	trans[2][157]	= settr(340,0,160,1,0,".(goto)", 0, 2, 0);
	trans[2][155]	= settr(338,0,160,1,0,"(1)", 0, 2, 0);
	trans[2][158]	= settr(341,0,167,2,0,"else", 0, 2, 0);
	trans[2][159]	= settr(342,0,167,1,0,"goto :b1", 0, 2, 0);
	trans[2][162]	= settr(345,0,167,1,0,"break", 0, 2, 0);
	T = trans[2][167] = settr(350,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(350,0,163,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(350,0,165,0,0,"IF", 0, 2, 0);
	trans[2][163]	= settr(346,0,201,65,0,"(quit)", 1, 2, 0);
	trans[2][164]	= settr(347,0,201,1,0,"goto end", 0, 2, 0);
	trans[2][168]	= settr(351,0,169,1,0,".(goto)", 0, 2, 0);
	trans[2][165]	= settr(348,0,169,2,0,"else", 0, 2, 0);
	trans[2][166]	= settr(349,0,169,1,0,"goto settle", 0, 2, 0);
	trans[2][169]	= settr(352,0,170,66,66,"reachable = (strong!=0)", 1, 2, 0);
	trans[2][170]	= settr(353,0,184,67,67,"look = word", 1, 2, 0);
	T = trans[2][184] = settr(367,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(367,0,171,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(367,0,173,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(367,0,182,0,0,"IF", 0, 2, 0);
	trans[2][171]	= settr(354,0,73,68,68,"((look==CHAIN))", 0, 2, 0);
	trans[2][172]	= settr(355,0,73,1,0,"goto handle", 0, 2, 0);
	trans[2][185]	= settr(368,0,190,1,0,".(goto)", 0, 2, 0);
	trans[2][173]	= settr(356,0,180,69,69,"((look==NUDGE))", 0, 2, 0);
	T = trans[ 2][180] = settr(363,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(363,2,178,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][178] = settr(361,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(361,2,174,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(361,2,176,0,0,"IF", 1, 2, 0);
	trans[2][174]	= settr(357,0,169,70,70,"((word==NUDGE))", 1, 2, 0); /* m: 175 -> 169,0 */
	reached2[175] = 1;
	trans[2][175]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[2][179]	= settr(362,0,169,71,71,".(goto)", 1, 2, 0);
	trans[2][176]	= settr(359,2,177,2,0,"else", 1, 2, 0);
	trans[2][177]	= settr(360,0,169,72,72,"(1)", 1, 2, 0); /* m: 179 -> 169,0 */
	reached2[179] = 1;
	trans[2][181]	= settr(364,0,169,1,0,"goto settle", 0, 2, 0);
	trans[2][182]	= settr(365,0,183,2,0,"else", 0, 2, 0);
	trans[2][183]	= settr(366,0,190,1,0,"(1)", 0, 2, 0);
	T = trans[2][190] = settr(373,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(373,0,186,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(373,0,188,0,0,"IF", 0, 2, 0);
	trans[2][186]	= settr(369,0,201,73,73,"(!(reachable))", 0, 2, 0);
	trans[2][187]	= settr(370,0,201,1,0,"goto end", 0, 2, 0);
	trans[2][191]	= settr(374,0,200,1,0,".(goto)", 0, 2, 0);
	trans[2][188]	= settr(371,0,189,2,0,"else", 0, 2, 0);
	trans[2][189]	= settr(372,0,200,1,0,"(1)", 0, 2, 0);
	T = trans[ 2][200] = settr(383,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(383,2,198,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][198] = settr(381,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(381,2,192,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(381,2,196,0,0,"IF", 1, 2, 0);
	trans[2][192]	= settr(375,4,54,74,74,"((word==EMPTY))", 1, 2, 0); /* m: 193 -> 54,0 */
	reached2[193] = 1;
	trans[2][193]	= settr(0,0,0,0,0,"word = IDLE",0,0,0);
	trans[2][194]	= settr(0,0,0,0,0,"owners = (owners-1)",0,0,0);
	trans[2][195]	= settr(378,0,54,1,0,"goto next", 1, 2, 0);
	trans[2][199]	= settr(382,0,201,1,0,".(goto)", 1, 2, 0);
	trans[2][196]	= settr(379,2,197,2,0,"else", 1, 2, 0);
	trans[2][197]	= settr(380,0,169,1,0,"goto settle", 1, 2, 0);
	trans[2][201]	= settr(384,0,214,75,75,"strong = (strong+1)", 1, 2, 0);
	T = trans[ 2][214] = settr(397,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(397,2,202,0,0,"ATOMIC", 1, 2, 0);
	trans[2][202]	= settr(385,2,210,76,76,"assert((quit||(chained==0)))", 1, 2, 0); /* m: 203 -> 0,210 */
	reached2[203] = 1;
	trans[2][203]	= settr(0,0,0,0,0,"word = CLOSED",0,0,0);
	trans[2][204]	= settr(0,0,0,0,0,"i = 0",0,0,0);
	trans[2][211]	= settr(394,2,210,1,0,".(goto)", 1, 2, 0);
	T = trans[2][210] = settr(393,2,0,0,0,"DO", 1, 2, 0);
	T = T->nxt	= settr(393,2,205,0,0,"DO", 1, 2, 0);
	    T->nxt	= settr(393,2,208,0,0,"DO", 1, 2, 0);
	trans[2][205]	= settr(388,2,210,77,77,"((i<chained))", 1, 2, 0); /* m: 206 -> 210,0 */
	reached2[206] = 1;
	trans[2][206]	= settr(0,0,0,0,0,"fate[chain[i]] = (fate[chain[i]]+1)",0,0,0);
	trans[2][207]	= settr(0,0,0,0,0,"i = (i+1)",0,0,0);
	trans[2][208]	= settr(391,2,212,2,0,"else", 1, 2, 0);
	trans[2][209]	= settr(392,2,212,1,0,"goto :b2", 1, 2, 0);
	trans[2][212]	= settr(395,2,213,1,0,"break", 1, 2, 0);
	trans[2][213]	= settr(396,0,220,78,78,"chained = 0", 1, 2, 0);
	trans[2][221]	= settr(404,0,220,1,0,".(goto)", 0, 2, 0);
	T = trans[2][220] = settr(403,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(403,0,215,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(403,0,218,0,0,"DO", 0, 2, 0);
	trans[2][215]	= settr(398,0,216,79,0,"((first<after))", 0, 2, 0);
	trans[2][216]	= settr(399,0,217,80,80,"fate[lane[first]] = (fate[lane[first]]+1)", 1, 2, 0);
	trans[2][217]	= settr(400,0,220,81,81,"first = (first+1)", 0, 2, 0);
	trans[2][218]	= settr(401,0,223,2,0,"else", 0, 2, 0);
	trans[2][219]	= settr(402,0,223,1,0,"goto :b3", 0, 2, 0);
	trans[2][222]	= settr(405,0,223,1,0,"break", 0, 2, 0);
	trans[2][223]	= settr(406,0,224,82,82,"exited = 1", 1, 2, 0);
	trans[2][224]	= settr(407,0,225,83,83,"owners = (owners-1)", 1, 2, 0);
	trans[2][225]	= settr(408,0,272,84,0,"assert((owners==0))", 1, 2, 0);
	T = trans[ 2][272] = settr(455,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(455,0,228,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[2][228]	= settr(411,32,270,85,85,"D_STEP87", 1, 2, 0);
	T = trans[2][270] = settr(453,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(453,0,229,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(453,0,268,0,0,"IF", 0, 2, 0);
	trans[2][229]	= settr(412,0,247,86,86,"(last)", 0, 2, 0);
	T = trans[ 2][247] = settr(430,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(430,2,245,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][245] = settr(428,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(428,2,230,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(428,2,232,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(428,2,240,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(428,2,243,0,0,"IF", 1, 2, 0);
	trans[2][230]	= settr(413,4,266,87,87,"((word==CLOSED))", 1, 2, 0); /* m: 231 -> 266,0 */
	reached2[231] = 1;
	trans[2][231]	= settr(0,0,0,0,0,"last = 1",0,0,0);
	trans[2][246]	= settr(429,0,266,88,88,".(goto)", 1, 2, 0);
	trans[2][232]	= settr(415,2,238,89,89,"((word==IDLE))", 1, 2, 0); /* m: 233 -> 238,0 */
	reached2[233] = 1;
	trans[2][233]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[2][234]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[2][235]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	T = trans[ 2][238] = settr(421,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(421,0,236,0,0,"sub-sequence", 1, 2, 0);
	trans[2][236]	= settr(419,2,237,90,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[2][237]	= settr(420,4,266,91,91,"ready!1", 1, 3, 0); /* m: 239 -> 266,0 */
	reached2[239] = 1;
	trans[2][239]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[2][240]	= settr(423,4,266,92,92,"((word==EMPTY))", 1, 2, 0); /* m: 241 -> 266,0 */
	reached2[241] = 1;
	trans[2][241]	= settr(0,0,0,0,0,"word = NUDGE",0,0,0);
	trans[2][242]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[2][243]	= settr(426,2,244,2,0,"else", 1, 2, 0);
	trans[2][244]	= settr(427,4,266,93,93,"last = 0", 1, 2, 0); /* m: 246 -> 0,266 */
	reached2[246] = 1;
	T = trans[2][266] = settr(449,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(449,0,248,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(449,0,264,0,0,"IF", 0, 2, 0);
	trans[2][248]	= settr(431,0,263,94,94,"(last)", 0, 2, 0);
	T = trans[ 2][263] = settr(446,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(446,0,261,0,0,"sub-sequence", 0, 2, 0);
	T = trans[2][261] = settr(444,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(444,0,249,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(444,0,251,0,0,"IF", 0, 2, 0);
	trans[2][249]	= settr(432,0,250,95,0,"((strong!=0))", 1, 2, 0);
	trans[2][250]	= settr(433,0,274,96,96,"(1)", 0, 2, 0); /* m: 273 -> 274,0 */
	reached2[273] = 1;
	trans[2][262]	= settr(445,0,273,1,0,".(goto)", 0, 2, 0); /* m: 273 -> 0,274 */
	reached2[273] = 1;
	trans[2][251]	= settr(434,0,260,2,0,"else", 0, 2, 0);
	T = trans[ 2][260] = settr(443,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(443,2,258,0,0,"ATOMIC", 1, 2, 0);
	T = trans[2][258] = settr(441,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(441,2,252,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(441,2,256,0,0,"IF", 1, 2, 0);
	trans[2][252]	= settr(435,0,274,97,97,"(kept)", 1, 2, 0); /* m: 253 -> 274,0 */
	reached2[253] = 1;
	trans[2][253]	= settr(0,0,0,0,0,"kept = 0",0,0,0);
	trans[2][254]	= settr(0,0,0,0,0,"assert(exited)",0,0,0);
	trans[2][255]	= settr(0,0,0,0,0,"destroyed = (destroyed+1)",0,0,0);
	trans[2][259]	= settr(442,0,274,98,98,".(goto)", 1, 2, 0); /* m: 273 -> 0,274 */
	reached2[273] = 1;
	trans[2][256]	= settr(439,2,257,2,0,"else", 1, 2, 0);
	trans[2][257]	= settr(440,0,274,99,99,"(1)", 1, 2, 0); /* m: 259 -> 274,0 */
	reached2[259] = 1;
	trans[2][267]	= settr(450,0,273,1,0,".(goto)", 0, 2, 0); /* m: 273 -> 0,274 */
	reached2[273] = 1;
	trans[2][264]	= settr(447,0,265,2,0,"else", 0, 2, 0);
	trans[2][265]	= settr(448,0,274,100,100,"(1)", 0, 2, 0); /* m: 273 -> 274,0 */
	reached2[273] = 1;
	trans[2][271]	= settr(454,0,273,1,0,".(goto)", 0, 2, 0); /* m: 273 -> 0,274 */
	reached2[273] = 1;
	trans[2][268]	= settr(451,0,269,2,0,"else", 0, 2, 0);
	trans[2][269]	= settr(452,0,274,101,101,"(1)", 0, 2, 0); /* m: 273 -> 274,0 */
	reached2[273] = 1;
	trans[2][273]	= settr(456,0,274,102,102,"done = 1", 0, 2, 0);
	trans[2][274]	= settr(457,0,0,103,103,"-end-", 0, 3500, 0);

	/* proctype 1: locker */

	trans[1] = (Trans **) emalloc(86*sizeof(Trans *));

	T = trans[ 1][8] = settr(106,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(106,2,1,0,0,"ATOMIC", 1, 2, 0);
	trans[1][1]	= settr(99,2,6,104,104,"locked = (strong>0)", 1, 2, 0);
	T = trans[1][6] = settr(104,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(104,2,2,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(104,2,4,0,0,"IF", 1, 2, 0);
	trans[1][2]	= settr(100,4,83,105,105,"(locked)", 1, 2, 0); /* m: 3 -> 83,0 */
	reached1[3] = 1;
	trans[1][3]	= settr(0,0,0,0,0,"strong = (strong+1)",0,0,0);
	trans[1][7]	= settr(105,0,83,106,106,".(goto)", 1, 2, 0);
	trans[1][4]	= settr(102,2,5,2,0,"else", 1, 2, 0);
	trans[1][5]	= settr(103,4,83,107,107,"(1)", 1, 2, 0); /* m: 7 -> 83,0 */
	reached1[7] = 1;
	T = trans[1][83] = settr(181,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(181,0,9,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(181,0,81,0,0,"IF", 0, 2, 0);
	trans[1][9]	= settr(107,0,33,108,108,"(locked)", 0, 2, 0);
	T = trans[ 1][33] = settr(131,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(131,0,10,0,0,"sub-sequence", 0, 2, 0);
	trans[1][10]	= settr(108,0,32,109,0,"assert((strong>0))", 1, 2, 0);
	T = trans[ 1][32] = settr(130,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(130,2,11,0,0,"ATOMIC", 1, 2, 0);
	trans[1][11]	= settr(109,2,29,110,110,"owner_of[sent] = 2", 1, 2, 0); /* m: 12 -> 0,29 */
	reached1[12] = 1;
	trans[1][12]	= settr(0,0,0,0,0,"order_of[sent] = 1",0,0,0);
	T = trans[1][29] = settr(127,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(127,2,13,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(127,2,15,0,0,"IF", 1, 2, 0);
	trans[1][13]	= settr(111,4,80,111,111,"((word==CLOSED))", 1, 2, 0); /* m: 14 -> 80,0 */
	reached1[14] = 1;
	trans[1][14]	= settr(0,0,0,0,0,"fate[sent] = (fate[sent]+1)",0,0,0);
	trans[1][30]	= settr(128,4,80,112,112,".(goto)", 1, 2, 0); /* m: 31 -> 0,80 */
	reached1[31] = 1;
	trans[1][15]	= settr(113,2,16,2,0,"else", 1, 2, 0);
	trans[1][16]	= settr(114,2,27,113,113,"chain[chained] = sent", 1, 2, 0); /* m: 17 -> 0,27 */
	reached1[17] = 1;
	trans[1][17]	= settr(0,0,0,0,0,"chained = (chained+1)",0,0,0);
	T = trans[1][27] = settr(125,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(125,2,18,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(125,2,25,0,0,"IF", 1, 2, 0);
	trans[1][18]	= settr(116,2,24,114,114,"((word==IDLE))", 1, 2, 0); /* m: 19 -> 24,0 */
	reached1[19] = 1;
	trans[1][19]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[1][20]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	trans[1][21]	= settr(0,0,0,0,0,"word = CHAIN",0,0,0);
	T = trans[ 1][24] = settr(122,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(122,0,22,0,0,"sub-sequence", 1, 2, 0);
	trans[1][22]	= settr(120,2,23,115,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[1][23]	= settr(121,4,80,116,116,"ready!1", 1, 3, 0); /* m: 30 -> 80,0 */
	reached1[30] = 1;
	trans[1][28]	= settr(126,2,30,1,0,".(goto)", 1, 2, 0); /* m: 30 -> 0,80 */
	reached1[30] = 1;
	trans[1][25]	= settr(123,2,26,2,0,"else", 1, 2, 0);
	trans[1][26]	= settr(124,4,80,117,117,"word = CHAIN", 1, 2, 0); /* m: 30 -> 0,80 */
	reached1[30] = 1;
	trans[1][31]	= settr(0,0,0,0,0,"sent = (sent+1)",0,0,0);
	T = trans[ 1][80] = settr(178,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(178,0,36,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[1][36]	= settr(134,32,78,118,118,"D_STEP87", 1, 2, 0);
	T = trans[1][78] = settr(176,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(176,0,37,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(176,0,76,0,0,"IF", 0, 2, 0);
	trans[1][37]	= settr(135,0,55,119,119,"(last)", 0, 2, 0);
	T = trans[ 1][55] = settr(153,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(153,2,53,0,0,"ATOMIC", 1, 2, 0);
	T = trans[1][53] = settr(151,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(151,2,38,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(151,2,40,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(151,2,48,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(151,2,51,0,0,"IF", 1, 2, 0);
	trans[1][38]	= settr(136,4,74,120,120,"((word==CLOSED))", 1, 2, 0); /* m: 39 -> 74,0 */
	reached1[39] = 1;
	trans[1][39]	= settr(0,0,0,0,0,"last = 1",0,0,0);
	trans[1][54]	= settr(152,0,74,121,121,".(goto)", 1, 2, 0);
	trans[1][40]	= settr(138,2,46,122,122,"((word==IDLE))", 1, 2, 0); /* m: 41 -> 46,0 */
	reached1[41] = 1;
	trans[1][41]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[1][42]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[1][43]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	T = trans[ 1][46] = settr(144,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(144,0,44,0,0,"sub-sequence", 1, 2, 0);
	trans[1][44]	= settr(142,2,45,123,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[1][45]	= settr(143,4,74,124,124,"ready!1", 1, 3, 0); /* m: 47 -> 74,0 */
	reached1[47] = 1;
	trans[1][47]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[1][48]	= settr(146,4,74,125,125,"((word==EMPTY))", 1, 2, 0); /* m: 49 -> 74,0 */
	reached1[49] = 1;
	trans[1][49]	= settr(0,0,0,0,0,"word = NUDGE",0,0,0);
	trans[1][50]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[1][51]	= settr(149,2,52,2,0,"else", 1, 2, 0);
	trans[1][52]	= settr(150,4,74,126,126,"last = 0", 1, 2, 0); /* m: 54 -> 0,74 */
	reached1[54] = 1;
	T = trans[1][74] = settr(172,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(172,0,56,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(172,0,72,0,0,"IF", 0, 2, 0);
	trans[1][56]	= settr(154,0,71,127,127,"(last)", 0, 2, 0);
	T = trans[ 1][71] = settr(169,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(169,0,69,0,0,"sub-sequence", 0, 2, 0);
	T = trans[1][69] = settr(167,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(167,0,57,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(167,0,59,0,0,"IF", 0, 2, 0);
	trans[1][57]	= settr(155,0,58,128,0,"((strong!=0))", 1, 2, 0);
	trans[1][58]	= settr(156,0,85,1,0,"(1)", 0, 2, 0);
	trans[1][70]	= settr(168,0,85,1,0,".(goto)", 0, 2, 0);
	trans[1][59]	= settr(157,0,68,2,0,"else", 0, 2, 0);
	T = trans[ 1][68] = settr(166,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(166,2,66,0,0,"ATOMIC", 1, 2, 0);
	T = trans[1][66] = settr(164,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(164,2,60,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(164,2,64,0,0,"IF", 1, 2, 0);
	trans[1][60]	= settr(158,0,85,129,129,"(kept)", 1, 2, 0); /* m: 61 -> 85,0 */
	reached1[61] = 1;
	trans[1][61]	= settr(0,0,0,0,0,"kept = 0",0,0,0);
	trans[1][62]	= settr(0,0,0,0,0,"assert(exited)",0,0,0);
	trans[1][63]	= settr(0,0,0,0,0,"destroyed = (destroyed+1)",0,0,0);
	trans[1][67]	= settr(165,0,85,130,130,".(goto)", 1, 2, 0);
	trans[1][64]	= settr(162,2,65,2,0,"else", 1, 2, 0);
	trans[1][65]	= settr(163,0,85,131,131,"(1)", 1, 2, 0); /* m: 67 -> 85,0 */
	reached1[67] = 1;
	trans[1][75]	= settr(173,0,85,1,0,".(goto)", 0, 2, 0);
	trans[1][72]	= settr(170,0,73,2,0,"else", 0, 2, 0);
	trans[1][73]	= settr(171,0,85,1,0,"(1)", 0, 2, 0);
	trans[1][79]	= settr(177,0,85,1,0,".(goto)", 0, 2, 0);
	trans[1][76]	= settr(174,0,77,2,0,"else", 0, 2, 0);
	trans[1][77]	= settr(175,0,85,1,0,"(1)", 0, 2, 0);
	trans[1][84]	= settr(182,0,85,1,0,".(goto)", 0, 2, 0);
	trans[1][81]	= settr(179,0,82,2,0,"else", 0, 2, 0);
	trans[1][82]	= settr(180,0,85,1,0,"(1)", 0, 2, 0);
	trans[1][85]	= settr(183,0,0,132,132,"-end-", 0, 3500, 0);

	/* proctype 0: sender */

	trans[0] = (Trans **) emalloc(100*sizeof(Trans *));

	T = trans[ 0][24] = settr(23,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(23,0,1,0,0,"sub-sequence", 0, 2, 0);
	trans[0][1]	= settr(0,0,23,133,0,"assert((strong>0))", 1, 2, 0);
	T = trans[ 0][23] = settr(22,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(22,2,2,0,0,"ATOMIC", 1, 2, 0);
	trans[0][2]	= settr(1,2,20,134,134,"owner_of[sent] = me", 1, 2, 0); /* m: 3 -> 0,20 */
	reached0[3] = 1;
	trans[0][3]	= settr(0,0,0,0,0,"order_of[sent] = 1",0,0,0);
	T = trans[0][20] = settr(19,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(19,2,4,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(19,2,6,0,0,"IF", 1, 2, 0);
	trans[0][4]	= settr(3,4,50,135,135,"((word==CLOSED))", 1, 2, 0); /* m: 5 -> 50,0 */
	reached0[5] = 1;
	trans[0][5]	= settr(0,0,0,0,0,"fate[sent] = (fate[sent]+1)",0,0,0);
	trans[0][21]	= settr(20,4,50,136,136,".(goto)", 1, 2, 0); /* m: 22 -> 0,50 */
	reached0[22] = 1;
	trans[0][6]	= settr(5,2,7,2,0,"else", 1, 2, 0);
	trans[0][7]	= settr(6,2,18,137,137,"chain[chained] = sent", 1, 2, 0); /* m: 8 -> 0,18 */
	reached0[8] = 1;
	trans[0][8]	= settr(0,0,0,0,0,"chained = (chained+1)",0,0,0);
	T = trans[0][18] = settr(17,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(17,2,9,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(17,2,16,0,0,"IF", 1, 2, 0);
	trans[0][9]	= settr(8,2,15,138,138,"((word==IDLE))", 1, 2, 0); /* m: 10 -> 15,0 */
	reached0[10] = 1;
	trans[0][10]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[0][11]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	trans[0][12]	= settr(0,0,0,0,0,"word = CHAIN",0,0,0);
	T = trans[ 0][15] = settr(14,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(14,0,13,0,0,"sub-sequence", 1, 2, 0);
	trans[0][13]	= settr(12,2,14,139,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[0][14]	= settr(13,4,50,140,140,"ready!1", 1, 3, 0); /* m: 21 -> 50,0 */
	reached0[21] = 1;
	trans[0][19]	= settr(18,2,21,1,0,".(goto)", 1, 2, 0); /* m: 21 -> 0,50 */
	reached0[21] = 1;
	trans[0][16]	= settr(15,2,17,2,0,"else", 1, 2, 0);
	trans[0][17]	= settr(16,4,50,141,141,"word = CHAIN", 1, 2, 0); /* m: 21 -> 0,50 */
	reached0[21] = 1;
	trans[0][22]	= settr(0,0,0,0,0,"sent = (sent+1)",0,0,0);
	T = trans[0][50] = settr(49,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(49,0,48,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(49,0,49,0,0,"IF", 0, 2, 0);
	T = trans[ 0][48] = settr(47,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(47,0,25,0,0,"sub-sequence", 0, 2, 0);
	trans[0][25]	= settr(24,0,47,142,0,"assert((strong>0))", 1, 2, 0);
	T = trans[ 0][47] = settr(46,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(46,2,26,0,0,"ATOMIC", 1, 2, 0);
	trans[0][26]	= settr(25,2,44,143,143,"owner_of[sent] = me", 1, 2, 0); /* m: 27 -> 0,44 */
	reached0[27] = 1;
	trans[0][27]	= settr(0,0,0,0,0,"order_of[sent] = 2",0,0,0);
	T = trans[0][44] = settr(43,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(43,2,28,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(43,2,30,0,0,"IF", 1, 2, 0);
	trans[0][28]	= settr(27,0,98,144,144,"((word==CLOSED))", 1, 2, 0); /* m: 29 -> 98,0 */
	reached0[29] = 1;
	trans[0][29]	= settr(0,0,0,0,0,"fate[sent] = (fate[sent]+1)",0,0,0);
	trans[0][45]	= settr(44,0,98,145,145,".(goto)", 1, 2, 0); /* m: 46 -> 0,98 */
	reached0[46] = 1;
	trans[0][30]	= settr(29,2,31,2,0,"else", 1, 2, 0);
	trans[0][31]	= settr(30,2,42,146,146,"chain[chained] = sent", 1, 2, 0); /* m: 32 -> 0,42 */
	reached0[32] = 1;
	trans[0][32]	= settr(0,0,0,0,0,"chained = (chained+1)",0,0,0);
	T = trans[0][42] = settr(41,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(41,2,33,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(41,2,40,0,0,"IF", 1, 2, 0);
	trans[0][33]	= settr(32,2,39,147,147,"((word==IDLE))", 1, 2, 0); /* m: 34 -> 39,0 */
	reached0[34] = 1;
	trans[0][34]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[0][35]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	trans[0][36]	= settr(0,0,0,0,0,"word = CHAIN",0,0,0);
	T = trans[ 0][39] = settr(38,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(38,0,37,0,0,"sub-sequence", 1, 2, 0);
	trans[0][37]	= settr(36,2,38,148,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[0][38]	= settr(37,0,98,149,149,"ready!1", 1, 3, 0); /* m: 45 -> 98,0 */
	reached0[45] = 1;
	trans[0][43]	= settr(42,2,45,1,0,".(goto)", 1, 2, 0); /* m: 45 -> 0,98 */
	reached0[45] = 1;
	trans[0][40]	= settr(39,2,41,2,0,"else", 1, 2, 0);
	trans[0][41]	= settr(40,0,98,150,150,"word = CHAIN", 1, 2, 0); /* m: 45 -> 0,98 */
	reached0[45] = 1;
	trans[0][46]	= settr(0,0,0,0,0,"sent = (sent+1)",0,0,0);
	trans[0][51]	= settr(50,0,98,1,0,".(goto)", 0, 2, 0);
	trans[0][49]	= settr(48,0,98,1,0,"(1)", 0, 2, 0);
	T = trans[ 0][98] = settr(97,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(97,0,54,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][54]	= settr(53,32,96,151,151,"D_STEP87", 1, 2, 0);
	T = trans[0][96] = settr(95,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(95,0,55,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(95,0,94,0,0,"IF", 0, 2, 0);
	trans[0][55]	= settr(54,0,73,152,152,"(last)", 0, 2, 0);
	T = trans[ 0][73] = settr(72,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(72,2,71,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][71] = settr(70,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(70,2,56,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(70,2,58,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(70,2,66,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(70,2,69,0,0,"IF", 1, 2, 0);
	trans[0][56]	= settr(55,4,92,153,153,"((word==CLOSED))", 1, 2, 0); /* m: 57 -> 92,0 */
	reached0[57] = 1;
	trans[0][57]	= settr(0,0,0,0,0,"last = 1",0,0,0);
	trans[0][72]	= settr(71,0,92,154,154,".(goto)", 1, 2, 0);
	trans[0][58]	= settr(57,2,64,155,155,"((word==IDLE))", 1, 2, 0); /* m: 59 -> 64,0 */
	reached0[59] = 1;
	trans[0][59]	= settr(0,0,0,0,0,"word = EMPTY",0,0,0);
	trans[0][60]	= settr(0,0,0,0,0,"owners = (owners+1)",0,0,0);
	trans[0][61]	= settr(0,0,0,0,0,"assert((owners==1))",0,0,0);
	T = trans[ 0][64] = settr(63,0,0,0,0,"sub-sequence", 1, 2, 0);
	T->nxt	= settr(63,0,62,0,0,"sub-sequence", 1, 2, 0);
	trans[0][62]	= settr(61,2,63,156,0,"assert((len(ready)==0))", 1, 2, 0);
	trans[0][63]	= settr(62,4,92,157,157,"ready!1", 1, 3, 0); /* m: 65 -> 92,0 */
	reached0[65] = 1;
	trans[0][65]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[0][66]	= settr(65,4,92,158,158,"((word==EMPTY))", 1, 2, 0); /* m: 67 -> 92,0 */
	reached0[67] = 1;
	trans[0][67]	= settr(0,0,0,0,0,"word = NUDGE",0,0,0);
	trans[0][68]	= settr(0,0,0,0,0,"last = 0",0,0,0);
	trans[0][69]	= settr(68,2,70,2,0,"else", 1, 2, 0);
	trans[0][70]	= settr(69,4,92,159,159,"last = 0", 1, 2, 0); /* m: 72 -> 0,92 */
	reached0[72] = 1;
	T = trans[0][92] = settr(91,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(91,0,74,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(91,0,90,0,0,"IF", 0, 2, 0);
	trans[0][74]	= settr(73,0,89,160,160,"(last)", 0, 2, 0);
	T = trans[ 0][89] = settr(88,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(88,0,87,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][87] = settr(86,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(86,0,75,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(86,0,77,0,0,"IF", 0, 2, 0);
	trans[0][75]	= settr(74,0,76,161,0,"((strong!=0))", 1, 2, 0);
	trans[0][76]	= settr(75,0,99,1,0,"(1)", 0, 2, 0);
	trans[0][88]	= settr(87,0,99,1,0,".(goto)", 0, 2, 0);
	trans[0][77]	= settr(76,0,86,2,0,"else", 0, 2, 0);
	T = trans[ 0][86] = settr(85,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(85,2,84,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][84] = settr(83,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(83,2,78,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(83,2,82,0,0,"IF", 1, 2, 0);
	trans[0][78]	= settr(77,0,99,162,162,"(kept)", 1, 2, 0); /* m: 79 -> 99,0 */
	reached0[79] = 1;
	trans[0][79]	= settr(0,0,0,0,0,"kept = 0",0,0,0);
	trans[0][80]	= settr(0,0,0,0,0,"assert(exited)",0,0,0);
	trans[0][81]	= settr(0,0,0,0,0,"destroyed = (destroyed+1)",0,0,0);
	trans[0][85]	= settr(84,0,99,163,163,".(goto)", 1, 2, 0);
	trans[0][82]	= settr(81,2,83,2,0,"else", 1, 2, 0);
	trans[0][83]	= settr(82,0,99,164,164,"(1)", 1, 2, 0); /* m: 85 -> 99,0 */
	reached0[85] = 1;
	trans[0][93]	= settr(92,0,99,1,0,".(goto)", 0, 2, 0);
	trans[0][90]	= settr(89,0,91,2,0,"else", 0, 2, 0);
	trans[0][91]	= settr(90,0,99,1,0,"(1)", 0, 2, 0);
	trans[0][97]	= settr(96,0,99,1,0,".(goto)", 0, 2, 0);
	trans[0][94]	= settr(93,0,95,2,0,"else", 0, 2, 0);
	trans[0][95]	= settr(94,0,99,1,0,"(1)", 0, 2, 0);
	trans[0][99]	= settr(98,0,0,165,165,"-end-", 0, 3500, 0);
	/* np_ demon: */
	trans[_NP_] = (Trans **) emalloc(3*sizeof(Trans *));
	T = trans[_NP_][0] = settr(9997,0,1,_T5,0,"(np_)", 1,2,0);
	    T->nxt	  = settr(9998,0,0,_T2,0,"(1)",   0,2,0);
	T = trans[_NP_][1] = settr(9999,0,1,_T5,0,"(np_)", 1,2,0);
}

Trans *
settr(	int t_id, int a, int b, int c, int d,
	char *t, int g, int tpe0, int tpe1)
{	Trans *tmp = (Trans *) emalloc(sizeof(Trans));

	tmp->atom  = a&(6|32);	/* only (2|8|32) have meaning */
	if (!g) tmp->atom |= 8;	/* no global references */
	tmp->st    = b;
	tmp->tpe[0] = tpe0;
	tmp->tpe[1] = tpe1;
	tmp->tp    = t;
	tmp->t_id  = t_id;
	tmp->forw  = c;
	tmp->back  = d;
	return tmp;
}

Trans *
cpytr(Trans *a)
{	Trans *tmp = (Trans *) emalloc(sizeof(Trans));

	int i;
	tmp->atom  = a->atom;
	tmp->st    = a->st;
#ifdef HAS_UNLESS
	tmp->e_trans = a->e_trans;
	for (i = 0; i < HAS_UNLESS; i++)
		tmp->escp[i] = a->escp[i];
#endif
	tmp->tpe[0] = a->tpe[0];
	tmp->tpe[1] = a->tpe[1];
	for (i = 0; i < 6; i++)
	{	tmp->qu[i] = a->qu[i];
		tmp->ty[i] = a->ty[i];
	}
	tmp->tp    = (char *) emalloc(strlen(a->tp)+1);
	strcpy(tmp->tp, a->tp);
	tmp->t_id  = a->t_id;
	tmp->forw  = a->forw;
	tmp->back  = a->back;
	return tmp;
}

#ifndef NOREDUCE
int
srinc_set(int n)
{	if (n <= 2) return LOCAL;
	if (n <= 2+  DELTA) return Q_FULL_F; /* 's' or nfull  */
	if (n <= 2+2*DELTA) return Q_EMPT_F; /* 'r' or nempty */
	if (n <= 2+3*DELTA) return Q_EMPT_T; /* empty */
	if (n <= 2+4*DELTA) return Q_FULL_T; /* full  */
	if (n ==   5*DELTA) return GLOBAL;
	if (n ==   6*DELTA) return TIMEOUT_F;
	if (n ==   7*DELTA) return ALPHA_F;
	Uerror("cannot happen srinc_class");
	return BAD;
}
int
srunc(int n, int m)
{	switch(m) {
	case Q_FULL_F: return n-2;
	case Q_EMPT_F: return n-2-DELTA;
	case Q_EMPT_T: return n-2-2*DELTA;
	case Q_FULL_T: return n-2-3*DELTA;
	case ALPHA_F:
	case TIMEOUT_F: return 257; /* non-zero, and > MAXQ */
	}
	Uerror("cannot happen srunc");
	return 0;
}
#endif
int cnt;
#ifdef HAS_UNLESS
int
isthere(Trans *a, int b)
{	Trans *t;
	for (t = a; t; t = t->nxt)
		if (t->t_id == b)
			return 1;
	return 0;
}
#endif
#ifndef NOREDUCE
int
mark_safety(Trans *t) /* for conditional safety */
{	int g = 0, i, j, k;

	if (!t) return 0;
	if (t->qu[0])
		return (t->qu[1])?2:1;	/* marked */

	for (i = 0; i < 2; i++)
	{	j = srinc_set(t->tpe[i]);
		if (j >= GLOBAL && j != ALPHA_F)
			return -1;
		if (j != LOCAL)
		{	k = srunc(t->tpe[i], j);
			if (g == 0
			||  t->qu[0] != k
			||  t->ty[0] != j)
			{	t->qu[g] = k;
				t->ty[g] = j;
				g++;
	}	}	}
	return g;
}
#endif
void
retrans(int n, int m, int is, short srcln[], uchar reach[], uchar lpstate[])
	/* process n, with m states, is=initial state */
{	Trans *T0, *T1, *T2, *T3;
	Trans *T4, *T5; /* t_reverse or has_unless */
	int i;
#if defined(HAS_UNLESS) || !defined(NOREDUCE)
	int k;
#endif
#ifndef NOREDUCE
	int g, h, j, aa;
#endif
#ifdef HAS_UNLESS
	int p;
#endif
	if (state_tables >= 4)
	{	printf("STEP 1 %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
		return;
	}
	do {
		for (i = 1, cnt = 0; i < m; i++)
		{	T2 = trans[n][i];
			T1 = T2?T2->nxt:(Trans *)0;
/* prescan: */		for (T0 = T1; T0; T0 = T0->nxt)
/* choice in choice */	{	if (T0->st && trans[n][T0->st]
				&&  trans[n][T0->st]->nxt)
					break;
			}
#if 0
		if (T0)
		printf("\tstate %d / %d: choice in choice\n",
		i, T0->st);
#endif
			if (T0)
			for (T0 = T1; T0; T0 = T0->nxt)
			{	T3 = trans[n][T0->st];
				if (!T3->nxt)
				{	T2->nxt = cpytr(T0);
					T2 = T2->nxt;
					imed(T2, T0->st, n, i);
					continue;
				}
				do {	T3 = T3->nxt;
					T2->nxt = cpytr(T3);
					T2 = T2->nxt;
					imed(T2, T0->st, n, i);
				} while (T3->nxt);
				cnt++;
			}
		}
	} while (cnt);
	if (state_tables >= 3)
	{	printf("STEP 2 %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
		return;
	}
	for (i = 1; i < m; i++)
	{	if (trans[n][i] && trans[n][i]->nxt) /* optimize */
		{	T1 = trans[n][i]->nxt;
#if 0
			printf("\t\tpull %d (%d) to %d\n",
			T1->st, T1->forw, i);
#endif
			srcln[i] = srcln[T1->st];	/* Oyvind Teig, 5.2.0 */

			if (!trans[n][T1->st]) continue;
			T0 = cpytr(trans[n][T1->st]);
			trans[n][i] = T0;
			reach[T1->st] = 1;
			imed(T0, T1->st, n, i);
			for (T1 = T1->nxt; T1; T1 = T1->nxt)
			{
#if 0
			printf("\t\tpull %d (%d) to %d\n",
				T1->st, T1->forw, i);
#endif
		/*		srcln[i] = srcln[T1->st];  gh: not useful */
				if (!trans[n][T1->st]) continue;
				T0->nxt = cpytr(trans[n][T1->st]);
				T0 = T0->nxt;
				reach[T1->st] = 1;
				imed(T0, T1->st, n, i);
	}	}	}
	if (state_tables >= 2)
	{	printf("STEP 3 %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
		return;
	}
#ifdef HAS_UNLESS
	for (i = 1; i < m; i++)
	{	if (!trans[n][i]) continue;
		/* check for each state i if an
		 * escape to some state p is defined
		 * if so, copy and mark p's transitions
		 * and prepend them to the transition-
		 * list of state i
		 */
	 if (!like_java) /* the default */
	 {	for (T0 = trans[n][i]; T0; T0 = T0->nxt)
		for (k = HAS_UNLESS-1; k >= 0; k--)
		{	if (p = T0->escp[k])
			for (T1 = trans[n][p]; T1; T1 = T1->nxt)
			{	if (isthere(trans[n][i], T1->t_id))
					continue;
				T2 = cpytr(T1);
				T2->e_trans = p;
				T2->nxt = trans[n][i];
				trans[n][i] = T2;
		}	}
	 } else /* outermost unless checked first */
	 {	T4 = T3 = (Trans *) 0;
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
		for (k = HAS_UNLESS-1; k >= 0; k--)
		{	if (p = T0->escp[k])
			for (T1 = trans[n][p]; T1; T1 = T1->nxt)
			{	if (isthere(trans[n][i], T1->t_id))
					continue;
				T2 = cpytr(T1);
				T2->nxt = (Trans *) 0;
				T2->e_trans = p;
				if (T3)	T3->nxt = T2;
				else	T4 = T2;
				T3 = T2;
		}	}
		if (T4)
		{	T3->nxt = trans[n][i];
			trans[n][i] = T4;
		}
	 }
	}
#endif
#ifndef NOREDUCE
	for (i = 1; i < m; i++)
	{	if (a_cycles)
		{ /* moves through these states are visible */
	#if PROG_LAB>0 && defined(HAS_NP)
			if (progstate[n][i])
				goto degrade;
			for (T1 = trans[n][i]; T1; T1 = T1->nxt)
				if (progstate[n][T1->st])
					goto degrade;
	#endif
			if (accpstate[n][i] || visstate[n][i])
				goto degrade;
			for (T1 = trans[n][i]; T1; T1 = T1->nxt)
				if (accpstate[n][T1->st])
					goto degrade;
		}
		T1 = trans[n][i];
		if (!T1) continue;
		g = mark_safety(T1);	/* V3.3.1 */
		if (g < 0) goto degrade; /* global */
		/* check if mixing of guards preserves reduction */
		if (T1->nxt)
		{	k = 0;
			for (T0 = T1; T0; T0 = T0->nxt)
			{	if (!(T0->atom&8))
					goto degrade;
				for (aa = 0; aa < 2; aa++)
				{	j = srinc_set(T0->tpe[aa]);
					if (j >= GLOBAL && j != ALPHA_F)
						goto degrade;
					if (T0->tpe[aa]
					&&  T0->tpe[aa]
					!=  T1->tpe[0])
						k = 1;
			}	}
			/* g = 0;	V3.3.1 */
			if (k)	/* non-uniform selection */
			for (T0 = T1; T0; T0 = T0->nxt)
			for (aa = 0; aa < 2; aa++)
			{	j = srinc_set(T0->tpe[aa]);
				if (j != LOCAL)
				{	k = srunc(T0->tpe[aa], j);
					for (h = 0; h < 6; h++)
						if (T1->qu[h] == k
						&&  T1->ty[h] == j)
							break;
					if (h >= 6)
					{	T1->qu[g%6] = k;
						T1->ty[g%6] = j;
						g++;
			}	}	}
			if (g > 6)
			{	T1->qu[0] = 0;	/* turn it off */
				printf("pan: warning, line %d, ",
					srcln[i]);
			 	printf("too many stmnt types (%d)",
					g);
			  	printf(" in selection\n");
			  goto degrade;
			}
		}
		/* mark all options global if >=1 is global */
		for (T1 = trans[n][i]; T1; T1 = T1->nxt)
			if (!(T1->atom&8)) break;
		if (T1)
degrade:	for (T1 = trans[n][i]; T1; T1 = T1->nxt)
			T1->atom &= ~8;	/* mark as unsafe */
		/* can only mix 'r's or 's's if on same chan */
		/* and not mixed with other local operations */
		T1 = trans[n][i];
		if (!T1 || T1->qu[0]) continue;
		j = T1->tpe[0];
		if (T1->nxt && T1->atom&8)
		{ if (j == 5*DELTA)
		  {	printf("warning: line %d ", srcln[i]);
			printf("mixed condition ");
			printf("(defeats reduction)\n");
			goto degrade;
		  }
		  for (T0 = T1; T0; T0 = T0->nxt)
		  for (aa = 0; aa < 2; aa++)
		  if  (T0->tpe[aa] && T0->tpe[aa] != j)
		  {	printf("warning: line %d ", srcln[i]);
			printf("[%d-%d] mixed %stion ",
				T0->tpe[aa], j, 
				(j==5*DELTA)?"condi":"selec");
			printf("(defeats reduction)\n");
			printf("	'%s' <-> '%s'\n",
				T1->tp, T0->tp);
			goto degrade;
		} }
	}
#endif
	for (i = 1; i < m; i++)
	{	T2 = trans[n][i];
		if (!T2
		||  T2->nxt
		||  strncmp(T2->tp, ".(goto)", 7)
		||  !stopstate[n][i])
			continue;
		stopstate[n][T2->st] = 1;
	}
	if (state_tables && !verbose)
	{	if (dodot)
		{	char buf[256], *q = buf, *p = procname[n];
			while (*p != '\0')
			{	if (*p != ':')
				{	*q++ = *p;
				}
				p++;
			}
			*q = '\0';
			printf("digraph ");
			switch (Btypes[n]) {
			case I_PROC:  printf("init {\n"); break;
			case N_CLAIM: printf("claim_%s {\n", buf); break;
			case E_TRACE: printf("notrace {\n"); break;
			case N_TRACE: printf("trace {\n"); break;
			default:      printf("p_%s {\n", buf); break;
			}
			printf("size=\"8,10\";\n");
			printf("  GT [shape=box,style=dotted,label=\"%s\"];\n", buf);
			printf("  GT -> S%d;\n", is);
		} else
		{	switch (Btypes[n]) {
			case I_PROC:  printf("init\n"); break;
			case N_CLAIM: printf("claim %s\n", procname[n]); break;
			case E_TRACE: printf("notrace assertion\n"); break;
			case N_TRACE: printf("trace assertion\n"); break;
			default:      printf("proctype %s\n", procname[n]); break;
		}	}
		for (i = 1; i < m; i++)
		{	reach[i] = 1;
		}
		tagtable(n, m, is, srcln, reach);
		if (dodot) printf("}\n");
	} else
	for (i = 1; i < m; i++)
	{	int nrelse;
		if (Btypes[n] != N_CLAIM)
		{	for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			{	if (T0->st == i
				&& strcmp(T0->tp, "(1)") == 0)
				{	printf("error: proctype '%s' ",
						procname[n]);
		  			printf("line %d, state %d: has un",
						srcln[i], i);
					printf("conditional self-loop\n");
					pan_exit(1);
		}	}	}
		nrelse = 0;
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
		{	if (strcmp(T0->tp, "else") == 0)
				nrelse++;
		}
		if (nrelse > 1)
		{	printf("error: proctype '%s' state",
				procname[n]);
		  	printf(" %d, inherits %d", i, nrelse);
		  	printf(" 'else' stmnts\n");
			pan_exit(1);
	}	}
#if !defined(LOOPSTATE) && !defined(BFS_PAR)
	if (state_tables)
#endif
	do_dfs(n, m, is, srcln, reach, lpstate);

	if (!t_reverse)
	{	return;
	}
	/* process n, with m states, is=initial state -- reverse list */
	if (!state_tables && Btypes[n] != N_CLAIM)
	{	for (i = 1; i < m; i++)
		{	Trans *Tx = (Trans *) 0; /* list of escapes */
			Trans *Ty = (Trans *) 0; /* its tail element */
			T1 = (Trans *) 0; /* reversed list */
			T2 = (Trans *) 0; /* its tail */
			T3 = (Trans *) 0; /* remembers possible 'else' */

			/* find unless-escapes, they should go first */
			T4 = T5 = T0 = trans[n][i];
	#ifdef HAS_UNLESS
			while (T4 && T4->e_trans) /* escapes are first in orig list */
			{	T5 = T4;	  /* remember predecessor */
				T4 = T4->nxt;
			}
	#endif
			/* T4 points to first non-escape, T5 to its parent, T0 to original list */
			if (T4 != T0)		 /* there was at least one escape */
			{	T3 = T5->nxt;		 /* start of non-escapes */
				T5->nxt = (Trans *) 0;	 /* separate */
				Tx = T0;		 /* start of the escapes */
				Ty = T5;		 /* its tail */
				T0 = T3;		 /* the rest, to be reversed */
			}
			/* T0 points to first non-escape, Tx to the list of escapes, Ty to its tail */

			/* first tail-add non-escape transitions, reversed */
			T3 = (Trans *) 0;
			for (T5 = T0; T5; T5 = T4)
			{	T4 = T5->nxt;
	#ifdef HAS_UNLESS
				if (T5->e_trans)
				{	printf("error: cannot happen!\n");
					continue;
				}
	#endif
				if (strcmp(T5->tp, "else") == 0)
				{	T3 = T5;
					T5->nxt = (Trans *) 0;
				} else
				{	T5->nxt = T1;
					if (!T1) { T2 = T5; }
					T1 = T5;
			}	}
			/* T3 points to a possible else, which is removed from the list */
			/* T1 points to the reversed list so far (without escapes) */
			/* T2 points to the tail element -- where the else should go */
			if (T2 && T3)
			{	T2->nxt = T3;	/* add else */
			} else
			{	if (T3) /* there was an else, but there's no tail */
				{	if (!T1)	/* and no reversed list */
					{	T1 = T3; /* odd, but possible */
					} else		/* even stranger */
					{	T1->nxt = T3;
			}	}	}

			/* add in the escapes, to that they appear at the front */
			if (Tx && Ty) { Ty->nxt = T1; T1 = Tx; }

			trans[n][i] = T1;
			/* reversed, with escapes first and else last */
	}	}
	if (state_tables && verbose)
	{	printf("FINAL proctype %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
	}
}
void
imed(Trans *T, int v, int n, int j)	/* set intermediate state */
{	progstate[n][T->st] |= progstate[n][v];
	accpstate[n][T->st] |= accpstate[n][v];
	stopstate[n][T->st] |= stopstate[n][v];
	mapstate[n][j] = T->st;
}
void
tagtable(int n, int m, int is, short srcln[], uchar reach[])
{	Trans *z;

	if (is >= m || !trans[n][is]
	||  is <= 0 || reach[is] == 0)
		return;
	reach[is] = 0;
	if (state_tables)
	for (z = trans[n][is]; z; z = z->nxt)
	{	if (dodot)
			dot_crack(n, is, z);
		else
			crack(n, is, z, srcln);
	}

	for (z = trans[n][is]; z; z = z->nxt)
	{
#ifdef HAS_UNLESS
		int i, j;
#endif
		tagtable(n, m, z->st, srcln, reach);
#ifdef HAS_UNLESS
		for (i = 0; i < HAS_UNLESS; i++)
		{	j = trans[n][is]->escp[i];
			if (!j) break;
			tagtable(n, m, j, srcln, reach);
		}
#endif
	}
}

extern Trans *t_id_lkup[];

void
dfs_table(int n, int m, int is, short srcln[], uchar reach[], uchar lpstate[])
{	Trans *z;

	if (is >= m || is <= 0 || !trans[n][is])
		return;
	if ((reach[is] & (4|8|16)) != 0)
	{	if ((reach[is] & (8|16)) == 16)	/* on stack, not yet recorded */
		{	lpstate[is] = 1;
			reach[is] |= 8; /* recorded */
			if (state_tables && verbose)
			{	printf("state %d line %d is a loopstate\n", is, srcln[is]);
		}	}
		return;
	}
	reach[is] |= (4|16);	/* visited | onstack */
	for (z = trans[n][is]; z; z = z->nxt)
	{	t_id_lkup[z->t_id] = z;
#ifdef HAS_UNLESS
		int i, j;
#endif
		dfs_table(n, m, z->st, srcln, reach, lpstate);
#ifdef HAS_UNLESS
		for (i = 0; i < HAS_UNLESS; i++)
		{	j = trans[n][is]->escp[i];
			if (!j) break;
			dfs_table(n, m, j, srcln, reach, lpstate);
		}
#endif
	}
	reach[is] &= ~16; /* no longer on stack */
}
void
do_dfs(int n, int m, int is, short srcln[], uchar reach[], uchar lpstate[])
{	int i;
	dfs_table(n, m, is, srcln, reach, lpstate);
	for (i = 0; i < m; i++)
		reach[i] &= ~(4|8|16);
}
void
crack(int n, int j, Trans *z, short srcln[])
{	int i;

	if (!z) return;
	printf("	state %3d -(tr %3d)-> state %3d  ",
		j, z->forw, z->st);
	printf("[id %3d tp %3d", z->t_id, z->tpe[0]);
	if (z->tpe[1]) printf(",%d", z->tpe[1]);
#ifdef HAS_UNLESS
	if (z->e_trans)
		printf(" org %3d", z->e_trans);
	else if (state_tables >= 2)
	for (i = 0; i < HAS_UNLESS; i++)
	{	if (!z->escp[i]) break;
		printf(" esc %d", z->escp[i]);
	}
#endif
	printf("]");
	printf(" [%s%s%s%s%s] %s:%d => ",
		z->atom&6?"A":z->atom&32?"D":"-",
		accpstate[n][j]?"a" :"-",
		stopstate[n][j]?"e" : "-",
		progstate[n][j]?"p" : "-",
		z->atom & 8 ?"L":"G",
		PanSource, srcln[j]);
	for (i = 0; z->tp[i]; i++)
		if (z->tp[i] == '\n')
			printf("\\n");
		else
			putchar(z->tp[i]);
	if (verbose && z->qu[0])
	{	printf("\t[");
		for (i = 0; i < 6; i++)
			if (z->qu[i])
				printf("(%d,%d)",
				z->qu[i], z->ty[i]);
		printf("]");
	}
	printf("\n");
	fflush(stdout);
}
/* spin -a m.pml; cc -o pan pan.c; ./pan -D | dot -Tps > foo.ps; ps2pdf foo.ps */
void
dot_crack(int n, int j, Trans *z)
{	int i;

	if (!z) return;
	printf("	S%d -> S%d  [color=black", j, z->st);

	if (z->atom&6) printf(",style=dashed");
	else if (z->atom&32) printf(",style=dotted");
	else if (z->atom&8) printf(",style=solid");
	else printf(",style=bold");

	printf(",label=\"");
	for (i = 0; z->tp[i]; i++)
	{	if (z->tp[i] == '\\'
		&&  z->tp[i+1] == 'n')
		{	i++; printf(" ");
		} else
		{	putchar(z->tp[i]);
	}	}
	printf("\"];\n");
	if (accpstate[n][j]) printf("  S%d [color=red,style=bold];\n", j);
	else if (progstate[n][j]) printf("  S%d [color=green,style=bold];\n", j);
	if (stopstate[n][j]) printf("  S%d [color=blue,style=bold,shape=box];\n", j);
}

#ifdef VAR_RANGES
#define BYTESIZE	32	/* 2^8 : 2^3 = 256:8 = 32 */

typedef struct Vr_Ptr {
	char	*nm;
	uchar	vals[BYTESIZE];
	struct Vr_Ptr *nxt;
} Vr_Ptr;
Vr_Ptr *ranges = (Vr_Ptr *) 0;

void
logval(char *s, int v)
{	Vr_Ptr *tmp;

	if (v<0 || v > 255) return;
	for (tmp = ranges; tmp; tmp = tmp->nxt)
		if (!strcmp(tmp->nm, s))
			goto found;
	tmp = (Vr_Ptr *) emalloc(sizeof(Vr_Ptr));
	tmp->nxt = ranges;
	ranges = tmp;
	tmp->nm = s;
found:
	tmp->vals[(v)/8] |= 1<<((v)%8);
}

void
dumpval(uchar X[], int range)
{	int w, x, i, j = -1;

	for (w = i = 0; w < range; w++)
	for (x = 0; x < 8; x++, i++)
	{
from:		if ((X[w] & (1<<x)))
		{	printf("%d", i);
			j = i;
			goto upto;
	}	}
	return;
	for (w = 0; w < range; w++)
	for (x = 0; x < 8; x++, i++)
	{
upto:		if (!(X[w] & (1<<x)))
		{	if (i-1 == j)
				printf(", ");
			else
				printf("-%d, ", i-1);
			goto from;
	}	}
	if (j >= 0 && j != 255)
		printf("-255");
}

void
dumpranges(void)
{	Vr_Ptr *tmp;
	printf("\nValues assigned within ");
	printf("interval [0..255]:\n");
	for (tmp = ranges; tmp; tmp = tmp->nxt)
	{	printf("\t%s\t: ", tmp->nm);
		dumpval(tmp->vals, BYTESIZE);
		printf("\n");
	}
}
#endif
