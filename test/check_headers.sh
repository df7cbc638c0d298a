#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_headers.sh SOURCE_DIR BUILD_DIR - each public header compiles alone and
# twice, as C and as C++, without a warning.
set -u

cd "$1" || exit 1
includes=
for header in */troupe*.h; do
	includes="$includes -I${header%/*}"
done
status=0
compilers=0

# compile COMPILER LANGUAGE STANDARD HEADER
compile() {
	# shellcheck disable=SC2086 # a list of words
	printf '#include "%s"\n#include "%s"\n' "$4" "$4" |
		"$1" -x "$2" -std="$3" -fsyntax-only -Wall -Wextra -Wpedantic \
			-Werror $includes - && return
	echo "check_headers: $4 does not compile by $1 -std=$3" >&2
	status=1
}

for header in */troupe*.h; do
	for compiler in gcc clang; do
		command -v "$compiler" >/dev/null || continue
		compilers=$((compilers + 1))
		compile "$compiler" c c11 "${header#*/}"
	done
	for compiler in g++ clang++; do
		command -v "$compiler" >/dev/null || continue
		compilers=$((compilers + 1))
		compile "$compiler" c++ c++11 "${header#*/}"
	done
done
if [ "$compilers" -eq 0 ]; then
	echo "check_headers: no compiler found" >&2
	exit 77
fi
exit "$status"
