#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_exports.sh SOURCE_DIR BUILD_DIR - the library's names are its own.
#
# The shared library exports troupe_ names and nothing internal. A static
# archive knows no visibility, so all its global names start with troupe_.
set -u

build=$2
status=0

complain() {
	echo "check_exports: $1 should not be in $2" >&2
	status=1
}

names() {
	nm --defined-only --format=posix "$@" | awk 'NF > 1 { print $1 }' |
		sort -u
}

shared=$(names -D "$build/libtroupe.so") || exit 1
for name in $shared; do
	case $name in
	troupe__assert_failed | troupe__biased_*) ;; # called from an inline of a public header
	troupe__*) complain "$name" libtroupe.so ;;
	troupe_*) ;;
	*) complain "$name" libtroupe.so ;;
	esac
done

static=$(names -g "$build/libtroupe.a") || exit 1
for name in $static; do
	case $name in
	troupe_*) ;;
	*) complain "$name" libtroupe.a ;;
	esac
done

# Both lists were really read.
for name in troupe_spawn troupe_send troupe_system_create; do
	if ! echo "$shared" | grep -qx "$name" ||
		! echo "$static" | grep -qx "$name"; then
		echo "check_exports: $name is missing" >&2
		status=1
	fi
done
exit "$status"
