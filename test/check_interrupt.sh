#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_interrupt.sh SOURCE_DIR BUILD_DIR - a busy program that gets SIGINT or
# SIGTERM ends within its deadline: with status 0 if all its actors could be
# ended, else with an account of who is left and the signal's status.
set -u

interrupt=$2/demos/interrupt
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
	echo "check_interrupt: $*" >&2
	sed 's/^/  /' out >&2
	failed=1
}

# so_far PATTERN - waits until the program has printed that
so_far() {
	looks=0
	until grep -q -e "$1" out; do
		looks=$((looks + 1))
		if [ "$looks" -ge 600 ]; then
			complain "not a word of \"$1\" in a minute"
			kill -KILL "$pid" 2>/dev/null
			exit 1
		fi
		sleep 0.1
	done
}

# interrupt STATUS SIGNAL ARG... - the program is busy, gets SIGNAL, and ends
interrupt() {
	expected=$1
	signal=$2
	shift 2
	: >out
	"$interrupt" --wait "$@" >out 2>&1 &
	pid=$!
	so_far '^busy$'
	kill -"$signal" "$pid"
	so_far '^signal '
	wait "$pid"
	status=$?
	[ "$status" -eq "$expected" ] ||
		complain "SIG$signal, $*: status $status, not $expected"
}

for policy in fifo work-sharing work-stealing; do
	policy=--troupe.scheduler.policy=$policy
	interrupt 0 INT "$policy"
	grep -q '^signal 2: all ended, 0 left$' out || complain "$policy"
	[ "$(tail -n 1 out)" = 'everything is released' ] ||
		complain "$policy: the end"
	interrupt 130 INT "$policy" --stuck --troupe.scheduler.max-threads=2
	# A busy machine may leave more than the one that is stuck.
	grep -q '^signal 2: .*, [1-9][0-9]* left$' out || complain "$policy: how many"
	grep -q '^  still there: actor 9, stuck, RUNNING for ' out ||
		complain "$policy: who is left"
	grep -q 'released' out && complain "$policy: it cannot be"
done
interrupt 143 TERM --stuck --troupe.scheduler.max-threads=2
grep -q '^signal 15: .*, [1-9][0-9]* left$' out || complain 'SIGTERM'

# Not its own: it waits for nobody.
"$interrupt" >out 2>&1 || complain 'its own signal'

exit "$failed"
