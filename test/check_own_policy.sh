#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_own_policy.sh SOURCE_DIR BUILD_DIR - "Write your own policy" in
# policies/README.md works as it is written: what it says is done here, step by
# step, and the conformance suite passes, fails and passes where it says so.
set -eu

source=$1
conformance=$2/test/conformance/policy_conformance
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$source/policies" "$source/refcount" "$2" .
[ -e build ] || ln -s "$2" build

# block KIND NUMBER - a block of the README
block() {
	awk -v start="\`\`\`$1" -v wanted="$2" '
		$0 == "```" { inside = 0 }
		inside { print }
		$0 == start { inside = ++count == wanted }
	' "$source/policies/README.md"
}

# edit PROGRAM - changes mine/lifo.c by awk; every change must change something
edit() {
	awk "$1" mine/lifo.c > changed.c
	if cmp -s changed.c mine/lifo.c; then
		echo "check_own_policy: nothing to change for: $1" >&2
		exit 1
	fi
	mv changed.c mine/lifo.c
}

compile() {
	cc -shared -fPIC -O2 -Wall -Werror -Ipolicies -Irefcount \
		mine/lifo.c -o mine/lifo.so
}

# Steps 1 to 3.
block sh 1 > step.sh
sh -eu step.sh
block sh 2 > step.sh
sh -eu step.sh > hello.out
grep -q 'mine/lifo.so' hello.out
"$conformance" mine/lifo.so > first.out || { cat first.out; exit 1; }

# Step 4, and 5: it fails under contract 4, and under no other.
block c 1 > put.c
edit '/---- start and stop/ { while ((getline line < "put.c") > 0) print line }
	{ print }'
edit '/^static void lifo_central_enqueue/ { there = 1 }
	there && sub(/troupe_job_list_put/, "lifo_put") { there = 0 }
	{ print }'
compile
if "$conformance" mine/lifo.so > second.out; then
	echo 'check_own_policy: the unfair policy passes' >&2
	exit 1
fi
if grep '^FAILED' second.out | grep -v 'contract 4'; then
	echo 'check_own_policy: it fails elsewhere than the README says' >&2
	exit 1
fi

# Step 5.
block c 3 > fair.c
block c 2 | awk '{ print }
	/troupe_mutex_lock/ { print "\tlifo_turn_over(lifo);" }' >> fair.c
block c 4 > dequeue.c
block c 5 > drain.c
edit '/---- dequeue/ { while ((getline line < "fair.c") > 0) print line }
	{ print }'
edit '{ print }
	/^struct lifo_coordinator \{/ { print "struct troupe_job_list later;" }
	/^struct lifo_worker \{/ { print "uint32_t dequeues;" }'
edit '{ sub(/\.resume_job_later = lifo_enqueue/,
	    ".resume_job_later = lifo_resume_job_later"); print }'
edit '/^\t\tjob = lifo_take\(/ && !done {
		while ((getline line < "dequeue.c") > 0) print line
		done = 1
		next
	}
	{ print }'
edit '/^static struct troupe_job \*lifo_drain/ { there = 1 }
	there && /^\tfor / {
		while ((getline line < "drain.c") > 0) print line
		there = 0
	}
	{ print }'
edit '{ sub(/\.wait_bound = 1/, ".wait_bound = 4"); print }'
compile
"$conformance" mine/lifo.so > third.out || { cat third.out; exit 1; }
tail -n 1 third.out
