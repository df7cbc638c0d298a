#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_models.sh SOURCE_DIR [BUILD_DIR [MODEL...]] - spin looks at every order
# of events of the models in test/model: each must be right, and wrong with each
# of the names that its comment lists under "the model is wrong". Without MODEL,
# all of them.
set -u

if ! command -v spin >/dev/null; then
	echo "check_models: skipped: there is no spin here"
	exit 77
fi
models=$(cd "$1/test/model" && pwd) || exit 1
case $# in
[12])
	set --
	for model in "$models"/*.pml; do
		model=${model##*/}
		set -- "$@" "${model%.pml}"
	done
	;;
*) shift 2 ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

complain() {
	echo "check_models: $*" >&2
	status=1
}

# run MODEL OPTIMIZE [NAME] - all orders of MODEL, with NAME defined; the result
# is in log
run() {
	rm -f pan pan.* ./*.trail
	# shellcheck disable=SC2086 # nothing, or one word
	spin ${3:+-D$3} -a "$models/$1.pml" >log 2>&1 &&
		"${CC:-cc}" "$2" -w -DSAFETY -DMEMLIM=2000 -o pan pan.c \
			>>log 2>&1 &&
		./pan -m100000 >>log 2>&1
	grep -q 'errors: ' log
}

for model; do
	if ! run "$model" -O1 || ! grep -q 'errors: 0$' log ||
		grep -q 'Search not completed' log; then
		complain "$model is wrong, or could not be run"
		tail -n 20 log >&2
		continue
	fi
	states=$(sed -n 's/^ *\([0-9e+.]*\) states, stored$/\1/p' log)
	count=0
	# shellcheck disable=SC2013 # one word a line
	for name in $(sed -n '/model is wrong/,/\*\//s/^ \*	\([A-Z_]*\)	.*/\1/p' \
		"$models/$model.pml"); do
		count=$((count + 1))
		if ! run "$model" -O0 "$name"; then
			complain "$model with $name could not be run"
			tail -n 20 log >&2
		elif grep -q 'errors: 0$' log; then
			complain "$model with $name: spin finds nothing wrong"
		fi
	done
	[ "$count" -gt 0 ] || complain "$model lists no way to be wrong"
	echo "check_models: $model: $states states, $count faults found"
done
exit "$status"
