#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_typed.sh SOURCE_DIR - what troupe_typed.h promises not to compile does
# not compile, with no warning option at all; and its like that is right does.
#
# Each line of the two lists below becomes a function. All of a list are one
# file, and each line of the second list must have an error.
set -u

cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
status=0

cat >"$work/right" <<'EOF'
counter_send_add(ref, n)
counter_send_add(ref, 5)
counter_send_at(ref, point)
counter_send_text(ref, "text")
counter_send_get(ref)
TROUPE_SEND_EXACT(counter, add, ref, n)
TROUPE_SEND_EXACT(counter, at, ref, point)
counter_is_add(message, &n)
counter_request_get(self, ref, NULL, NULL)
ref = counter_from_strong(strong); strong = counter_to_strong(ref)
untyped = counter_weak_to_weak(weak); ref = counter_weak_lock(weak)
EOF

cat >"$work/wrong" <<'EOF'
# the payload
counter_send_add(ref, text)
counter_send_add(ref, &n)
counter_send_add(ref, point)
counter_send_add(ref, NULL)
counter_send_at(ref, pair)
counter_send_at(ref, n)
counter_send_at(ref, &point)
counter_send_text(ref, n)
counter_send_text(ref, &point)
counter_send_add(ref)
counter_send_add(ref, n, n)
counter_send_get(ref, n)
counter_request_add(self, ref, text, NULL, NULL)
counter_request_get(self, ref, n, NULL)
counter_is_add(message, &narrow)
counter_is_add(message, n)
counter_is_get(message, &n)
TROUPE_SEND_EXACT(counter, add, ref, d)
TROUPE_SEND_EXACT(counter, add, ref, i)
TROUPE_SEND_EXACT(counter, at, ref, pair)
# the message
counter_send_subtract(ref, n)
counter_is_subtract(message, &n)
other_send_get(other)
i = counter_tag_subtract
# the receiver
counter_send_add(other, n)
counter_send_add(strong, n)
counter_send_add(weak, n)
counter_send_add(&ref, n)
troupe_send(ref, counter_tag_add, &n, sizeof(n))
# conversions by assignment, and between lists
ref = other
ref = strong
strong = ref
ref = weak
weak = other_weak
strong = untyped
untyped = strong
ref = counter_from_weak(weak)
ref = counter_from_strong(untyped)
weak = counter_weak_from(weak)
weak = counter_weak_from(other)
strong = troupe_weak_lock(strong)
troupe_strong_release(&ref)
counter_release(&weak)
EOF

# program LIST - a C file: a function for each line, which does what it says
# with handles of two lists of messages
program() {
	cat <<'EOF'
#include "troupe_typed.h"
struct point { int x, y; };
struct pair { int x, y; };
TROUPE_TYPED(counter, (add, uint64_t), (at, struct point), (text, const char *),
	     (get))
TROUPE_TYPED(other, (add, uint64_t))
struct troupe_actor *self;
const struct troupe_message *message;
struct troupe_strong strong;
struct troupe_weak untyped;
struct counter_ref ref;
struct counter_weak weak;
struct other_ref other;
struct other_weak other_weak;
struct point point;
struct pair pair;
uint64_t n;
uint32_t narrow;
double d;
int i;
const char *text;
EOF
	awk '!/^#/ {
		printf "#line %d \"list\"\nvoid f%d(void) { %s; }\n", NR, NR, $0
	}' "$1"
}

# errors COMPILER OPTIONS LIST - the numbers of the lines that have an error
errors() {
	# shellcheck disable=SC2086 # a list of words
	program "$3" | LC_ALL=C "$1" -x c -std=gnu11 -fsyntax-only $2 $includes \
		- 2>&1 |
		sed -n 's/^list:\([0-9]*\):.*error: .*/\1/p' | sort -un
}

# lines FILE NUMBER... - these lines of the file
lines() {
	file=$1
	shift
	for number; do
		sed -n "${number}p" "$file"
	done
}

includes=
for header in */troupe*.h; do
	includes="$includes -I${header%/*}"
done
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	# all errors, each at the line that uses the macro
	case $compiler in
	gcc) all='-fmax-errors=0 -ftrack-macro-expansion=0' ;;
	*) all=-ferror-limit=0 ;;
	esac
	errors "$compiler" "$all" "$work/right" >"$work/refused"
	if [ -s "$work/refused" ]; then
		echo "check_typed: $compiler refuses:" >&2
		# shellcheck disable=SC2046 # a list of numbers
		lines "$work/right" $(cat "$work/refused") >&2
		status=1
	fi
	errors "$compiler" "$all" "$work/wrong" >"$work/refused"
	accepted=$(awk '!/^#/ { print NR }' "$work/wrong" |
		grep -vxF -f "$work/refused")
	if [ -n "$accepted" ]; then
		echo "check_typed: $compiler accepts:" >&2
		# shellcheck disable=SC2086 # a list of numbers
		lines "$work/wrong" $accepted >&2
		status=1
	fi
done
echo "check_typed: $(wc -l <"$work/right") right," \
	"$(grep -vc '^#' "$work/wrong") wrong"
exit "$status"
