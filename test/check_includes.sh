#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_includes.sh SOURCE_DIR - dependencies point one way:
#
#	refcount <- registry <- core -> policies (the interface) <- policy-*
#
# A policy includes troupe_policy.h and headers of its own. Each foreign
# library has its few places.
set -u

cd "$1" || exit 1
status=0

complain() {
	echo "check_includes: $1: $2" >&2
	status=1
}

# includes FILE - what it includes, without quotes and brackets
includes() {
	sed -n 's/^[ \t]*#[ \t]*include[ \t]*[<"]\([^>"]*\)[>"].*/\1/p' "$1"
}

# folder_of HEADER - the module that has it; nothing if it is foreign
folder_of() {
	for found in */"$1"; do
		[ -f "$found" ] && echo "${found%/*}" && return
	done
}

# check_module FILE HEADER FOLDER - may FILE include HEADER, of FOLDER?
check_module() {
	case ${1%%/*}:$3:$2 in
	refcount:refcount:*) ;;
	registry:refcount:*|registry:registry:*) ;;
	core:refcount:*|core:registry:*|core:core:*) ;;
	core:policies:troupe_policy.h|core:policies:policy.h) ;;
	*:refcount:troupe_assert.h) ;;
	*:policies:troupe_policy.h) ;;
	policies:policies:troupe_locks.h) ;; # a part of it
	# Finding and loading policies is the core's business; wrapping one
	# needs its whole table.
	policies:*)
		case $1:$2 in
		policies/policy*:*) ;;
		*:profiled.h|*:profiled_data.h|*:troupe_profiled.h) ;;
		*) complain "$1" "a policy may not include $2" ;;
		esac
		;;
	# Each module may include what is its own.
	policy-*)
		[ "${1%%/*}" = "$3" ] ||
			complain "$1" "a policy may not include $2"
		;;
	# Demos are users: public headers and their own.
	demos:demos:*|demos:*:troupe.h|demos:*:troupe_*.h) ;;
	demos:*) complain "$1" "a demo may not include $2, which is private" ;;
	*) complain "$1" "may not include $2 of $3" ;;
	esac
}

check_foreign() {
	case $2:$1 in
	uv.h:core/platform.c|uv.h:registry/*) ;;
	uv.h:*) complain "$1" 'only core/platform.c includes uv.h' ;;
	ck_*:*_ck.c) ;;
	ck_*:*) complain "$1" "only NAME_ck.c files include $2" ;;
	mimalloc.h:core/platform.c) ;;
	mimalloc.h:*) complain "$1" 'only core/platform.c includes mimalloc.h' ;;
	pthread.h:core/*|sched.h:core/*|semaphore.h:core/*) ;;
	pthread.h:policies/*|pthread.h:policy-*) 
		complain "$1" 'a policy waits by troupe_policy.h' ;;
	esac
}

count=0
for file in */*.[ch]; do
	case $file in
	test/*|bench/*|build*) continue ;;
	esac
	for header in $(includes "$file"); do
		count=$((count + 1))
		case $header in
		*../*) complain "$file" "includes $header by a path" ;;
		esac
		folder=$(folder_of "$header")
		if [ -n "$folder" ]; then
			check_module "$file" "$header" "$folder"
		else
			check_foreign "$file" "$header"
		fi
	done
	case $file in
	policies/*.c|policy-*)
		if grep -nE '\<(pthread_|usleep|nanosleep|clock_gettime|futex)' \
			"$file" >&2; then
			complain "$file" 'a policy waits by troupe_policy.h'
		fi
		;;
	esac
done
echo "check_includes: $count includes"
exit "$status"
