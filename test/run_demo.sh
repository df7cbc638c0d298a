#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_demo.sh PATTERN DEMO [ARG...] - run a demo: it must end with status 0 and
# its last line must match the shell pattern PATTERN.
set -u

pattern=$1
shift
output=$("$@")
status=$?
printf '%s\n' "$output"
if [ "$status" -ne 0 ]; then
	echo "run_demo: $1 ended with status $status" >&2
	exit 1
fi
last_line=$(printf '%s\n' "$output" | tail -n 1)
# shellcheck disable=SC2254 # it is a pattern
case $last_line in
$pattern) ;;
*)
	echo "run_demo: the last line is \"$last_line\"," \
		"not \"$pattern\"" >&2
	exit 1
	;;
esac
