#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_symptoms.sh SOURCE_DIR BUILD_DIR - SYMPTOMS.md names tests that exist:
# `test_NAME` and `stress_NAME` are in the lists of meson.build, what stands in
# brackets behind a `test_NAME` is a test of it, "..." for any letters, and
# what stands behind "conformance, contract N" is a check of that contract.
set -u

cd "$1" || exit 1
conformance=$2/test/conformance/policy_conformance
failed=0
rows=0

complain() {
	echo "check_symptoms: $*" >&2
	failed=1
}

# of_file NAME - the tests of test_NAME.c
of_file() {
	grep -h '^Test(' "test/test_$1.c" | sed 's/^Test(//; s/[ ,]\{1,\}/ /' |
		sed 's/^[^ ]* //; s/[,) ].*//'
}

# has_test NAME WORDS - a test of that file; "..." for any letters
has_test() {
	pattern=$(printf '%s' "$2" | sed 's/\.\.\./.*/g')
	of_file "$1" | grep -q -x -e "$pattern"
}

names=$(grep '^|' test/SYMPTOMS.md | sed 's/^|[^|]*|//' | tr '`' '\n' |
	grep -x '\(test\|stress\)_[a-z_]*' | sort -u)
for name in $names; do
	[ -f "test/$name.c" ] || complain "there is no $name"
	grep -q "^  '${name#*_}',\$" test/meson.build ||
		complain "$name is in no list of meson.build"
	rows=$((rows + 1))
done
[ "$rows" -gt 20 ] || complain "only $rows tests are named"

# test_NAME (word, word): one a line, in the words of the file.
# shellcheck disable=SC2016 # they are letters
pairs=$(grep '^|' test/SYMPTOMS.md |
	grep -o '`test_[a-z_]*` ([a-z_., 0-9]*)' |
	sed 's/`//g; s/[(),]/ /g' |
	awk '{ for (i = 2; i <= NF; i++) if ($i ~ /_/) print $1 ":" $i }')
for pair in $pairs; do
	file=${pair%%:*}
	has_test "${file#test_}" "${pair#*:}" ||
		complain "$file has no test ${pair#*:}"
done
[ "$(printf '%s\n' "$pairs" | wc -l)" -gt 40 ] ||
	complain 'hardly a test is named in brackets'

# Of the conformance suite, by its own list.
if [ -x "$conformance" ]; then
	"$conformance" --list >"$2/symptoms.list" 2>/dev/null
	grep '^|' test/SYMPTOMS.md |
		grep -o 'contract [0-9] ([^)]*)' |
		sed 's/(//; s/)//' >"$2/symptoms.named"
	while read -r _ number checks; do
		old=$IFS
		IFS=';'
		for check in $checks; do
			check=$(printf '%s' "$check" | sed 's/^ *//')
			grep "^.*contract $number:" "$2/symptoms.list" |
				grep -q -F -e "$check" ||
				complain "contract $number has no \"$check\""
		done
		IFS=$old
	done <"$2/symptoms.named"
fi

exit "$failed"
