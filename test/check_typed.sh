#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_typed.sh SOURCE_DIR - what troupe_typed.h promises not to compile does
# not compile, with no warning option at all; and its like that is right does.
set -u

cd "$1" || exit 1
includes=
for header in */troupe*.h; do
	includes="$includes -I${header%/*}"
done
status=0
count=0

# program BODY - a function that has handles of two lists and does BODY
program() {
	cat <<EOF
#include "troupe_typed.h"
struct point { int x, y; };
struct pair { int x, y; };
TROUPE_TYPED(counter, (add, uint64_t), (at, struct point), (text, const char *),
	     (get))
TROUPE_TYPED(other, (add, uint64_t))
void function(struct troupe_actor *self, struct counter_ref ref,
	      struct counter_weak weak, struct other_ref other,
	      struct other_weak other_weak, struct troupe_strong strong,
	      struct troupe_weak untyped, const struct troupe_message *message,
	      uint64_t n, int i, double d, struct point point,
	      struct pair pair, const char *text, uint32_t *narrow);
void function(struct troupe_actor *self, struct counter_ref ref,
	      struct counter_weak weak, struct other_ref other,
	      struct other_weak other_weak, struct troupe_strong strong,
	      struct troupe_weak untyped, const struct troupe_message *message,
	      uint64_t n, int i, double d, struct point point,
	      struct pair pair, const char *text, uint32_t *narrow)
{
	$1;
}
EOF
}

# shellcheck disable=SC2086 # a list of words
compiles() {
	program "$2" | "$1" -x c -std=gnu11 -fsyntax-only $includes - \
		>/dev/null 2>&1
}

right() {
	for compiler in gcc clang; do
		command -v "$compiler" >/dev/null || continue
		count=$((count + 1))
		compiles "$compiler" "$1" && continue
		echo "check_typed: $compiler refuses: $1" >&2
		status=1
	done
}

wrong() {
	for compiler in gcc clang; do
		command -v "$compiler" >/dev/null || continue
		count=$((count + 1))
		compiles "$compiler" "$1" || continue
		echo "check_typed: $compiler accepts: $1" >&2
		status=1
	done
}

right 'counter_send_add(ref, n)'
right 'counter_send_add(ref, 5)'
right 'counter_send_at(ref, point)'
right 'counter_send_text(ref, "text")'
right 'counter_send_get(ref)'
right 'TROUPE_SEND_EXACT(counter, add, ref, n)'
right 'TROUPE_SEND_EXACT(counter, at, ref, point)'
right 'counter_is_add(message, &n)'
right 'counter_request_get(self, ref, NULL, NULL)'
right 'ref = counter_from_strong(strong); strong = counter_to_strong(ref)'
right 'untyped = counter_weak_to_weak(weak); ref = counter_weak_lock(weak)'

# the payload
wrong 'counter_send_add(ref, text)'
wrong 'counter_send_add(ref, &n)'
wrong 'counter_send_add(ref, point)'
wrong 'counter_send_add(ref, NULL)'
wrong 'counter_send_at(ref, pair)'
wrong 'counter_send_at(ref, n)'
wrong 'counter_send_at(ref, &point)'
wrong 'counter_send_text(ref, n)'
wrong 'counter_send_text(ref, &point)'
wrong 'counter_send_add(ref)'
wrong 'counter_send_add(ref, n, n)'
wrong 'counter_send_get(ref, n)'
wrong 'counter_request_add(self, ref, text, NULL, NULL)'
wrong 'counter_request_get(self, ref, n, NULL)'
wrong 'counter_is_add(message, narrow)'
wrong 'counter_is_add(message, n)'
wrong 'counter_is_get(message, &n)'
wrong 'TROUPE_SEND_EXACT(counter, add, ref, d)'
wrong 'TROUPE_SEND_EXACT(counter, add, ref, i)'
wrong 'TROUPE_SEND_EXACT(counter, at, ref, pair)'
# the message
wrong 'counter_send_subtract(ref, n)'
wrong 'counter_is_subtract(message, &n)'
wrong 'other_send_get(other)'
wrong '(void)counter_tag_subtract'
wrong 'int tag = other_tag_get'
# the receiver
wrong 'counter_send_add(other, n)'
wrong 'counter_send_add(strong, n)'
wrong 'counter_send_add(weak, n)'
wrong 'counter_send_add(&ref, n)'
wrong 'troupe_send(ref, counter_tag_add, &n, sizeof(n))'
# conversions by assignment, and between lists
wrong 'ref = other'
wrong 'ref = strong'
wrong 'strong = ref'
wrong 'ref = weak'
wrong 'weak = other_weak'
wrong 'strong = untyped'
wrong 'untyped = strong'
wrong 'ref = counter_from_weak(weak)'
wrong 'ref = counter_from_strong(untyped)'
wrong 'weak = counter_weak_from(weak)'
wrong 'weak = counter_weak_from(other)'
wrong 'strong = troupe_weak_lock(strong)'
wrong 'troupe_strong_release(&ref)'
wrong 'counter_release(&weak)'

echo "check_typed: $count compilations"
exit "$status"
