#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_unit.sh TEST [ARG...] - run a Criterion test, and fail too when it leaked.
#
# Criterion runs each test in a process of its own and has the result before
# that process exits; what the leak checker finds then, it prints and forgets.
set -u

output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
case $output in
*Sanitizer:\ *|*"runtime error: "*)
	echo "run_unit: a sanitizer complained, see above" >&2
	exit 1
	;;
*"crashed during its setup or teardown"*)
	exit 1
	;;
esac
exit "$status"
