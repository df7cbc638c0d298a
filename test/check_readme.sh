#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_readme.sh SOURCE_DIR - the example in README.md is the program that is
# compiled and run as demos/readme_example.c; each file that a document links
# to exists; and so does each function it names.
set -u

cd "$1" || exit 1
status=0

example=$(awk '/^```/ { inside = $0 == "```c"; next } inside' README.md)
program=$(grep -v '^/\*.*\*/$' demos/readme_example.c)
if [ -z "$example" ] || [ "$example" != "$program" ]; then
	echo "check_readme: the C example of README.md is not" \
		"demos/readme_example.c" >&2
	status=1
fi

for document in *.md */*.md; do
	case $document in
	build*) continue ;;
	esac
	here=.
	[ "${document%/*}" = "$document" ] || here=${document%/*}
	# shellcheck disable=SC2013 # no blanks in our names
	for target in $(grep -o '\]([^)]*)' "$document" |
		sed '/:/d;s/^](//;s/[)#].*//'); do
		if [ ! -e "$here/$target" ]; then
			echo "check_readme: $document: no $target" >&2
			status=1
		fi
	done
	# shellcheck disable=SC2016 # backquotes of the document
	for name in $(grep -o '`[a-z_0-9]*()`' "$document" | tr -d '`()' |
		sort -u); do
		if ! grep -rqw --include='*.[ch]' --exclude-dir='build*' \
			"$name" .; then
			echo "check_readme: $document: no $name()" >&2
			status=1
		fi
	done
done
exit "$status"
