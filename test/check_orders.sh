#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_orders.sh SOURCE_DIR - each memory order that is not seq_cst says why.
#
# A comment above the function, or close before the operation inside it, must
#	for relaxed: say "relaxed" and with it why nothing more is needed;
#	for acquire, release, acq_rel: say "pairs with NAME()", or "itself".
# And NAME() must exist and have a comment that says it pairs with this one.
set -u

cd "$1" || exit 1
# shellcheck disable=SC2046 # no blanks in our names
awk '
function complain(text) {
	print "check_orders: " text
	bad = 1
}

# Comments may leave out the prefix of a name.
function plain(name) {
	sub(/^troupe__?/, "", name)
	return name
}

# The names after "pairs with", up to the end of the sentence.
function note_pairs(comment, where,    text, name, found) {
	text = comment
	while (match(text, /[Pp]airs with/)) {
		text = substr(text, RSTART + RLENGTH)
		sentence = text
		sub(/[.;].*/, "", sentence)
		found = 0
		if (sentence ~ /itself/) {
			found = 1
			pair[current, current] = where
		}
		while (match(sentence, /[a-z_0-9]+\(\)/)) {
			name = plain(substr(sentence, RSTART, RLENGTH - 2))
			pair[current, name] = where
			found = 1
			sentence = substr(sentence, RSTART + RLENGTH)
		}
		if (!found)
			complain(where ": pairs with no NAME() and not itself")
	}
}

# A reason above a function holds for all of it, as does "relaxed, all"; any
# other one for 15 lines.
function note_reasons(comment, lines) {
	if (comment ~ /relaxed/)
		relaxed_until = FNR + (comment ~ /relaxed, all/ ? 1000 : lines)
	if (comment ~ /[Pp]airs with/)
		pairs_until = FNR + lines
}

function forget_reasons() {
	current = ""
	above = ""
	relaxed_until = 0
	pairs_until = 0
}

FNR == 1 { forget_reasons(); inside = 0 }

# Comments: one text each, with the stars taken out.
inside || /^[ \t]*\/\*/ || /[;,{)][ \t]*\/\*/ {
	line = $0
	if (!inside) {
		top = line ~ /^\/\*/
		sub(/^.*\/\*+/, "", line)
		comment = ""
	}
	inside = line !~ /\*\//
	sub(/\*\/.*/, "", line)
	sub(/^[ \t]*\*?[ \t]*/, "", line)
	comment = comment " " line
	if (!inside) {
		if (top) {
			above = comment
		} else {
			note_pairs(comment, FILENAME ":" FNR)
			note_reasons(comment, 15)
		}
	}
	if ($0 !~ /memory_order_.*\/\*/)
		next
}

# A definition starts in the first column.
/^[a-z_].*\(/ && !/;[ \t]*$/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ \t*]/, "", name)
	current = plain(name)
	defined[current] = 1
	note_pairs(above, FILENAME ":" FNR)
	note_reasons(above, 1000)
	above = ""
}
/^}/ { forget_reasons() }

/memory_order_/ {
	text = $0
	while (match(text, /memory_order_[a-z_]+/)) {
		order = substr(text, RSTART + 13, RLENGTH - 13)
		text = substr(text, RSTART + RLENGTH)
		if (order == "seq_cst")
			continue
		count++
		until = order == "relaxed" ? relaxed_until : pairs_until
		if (FNR > until)
			complain(FILENAME ":" FNR ": no reason for " order)
	}
}
END {
	for (key in pair) {
		split(key, side, SUBSEP)
		if (!((side[2], side[1]) in pair))
			complain(pair[key] ": " side[1] "() pairs with " \
				side[2] "(), which " ((side[2] in defined) ? \
				"does not name it" : "does not exist"))
	}
	print "check_orders: " count + 0 " orders weaker than seq_cst"
	exit bad
}
' $(find . -name '.?*' -prune -o -name 'build*' -prune -o -path ./test -prune \
	-o -name '*.[ch]' -print | sort)
