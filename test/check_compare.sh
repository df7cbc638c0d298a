#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_compare.sh SOURCE_DIR BUILD_DIR - the compare tool: every built-in
# policy over every workload, a little of each; the files it writes; and one
# clear line for each mistake.
set -u

source_dir=$1
compare=$2/demos/compare
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
	echo "check_compare: $*" >&2
	failed=1
}

# refuse STATUS PATTERN ARG... - one line on standard error, and that status
refuse() {
	status=$1
	pattern=$2
	shift 2
	"$compare" --scale 0.001 --runs 1 --only ring "$@" >out 2>err
	got=$?
	[ "$got" -eq "$status" ] ||
		complain "$*: status $got, not $status"
	[ "$(wc -l <err)" -eq 1 ] || complain "$*: not one line: $(cat err)"
	grep -q -e "$pattern" err ||
		complain "$*: \"$(cat err)\" does not say \"$pattern\""
}

# ---- all of it, small ------------------------------------------------------

plot=
command -v gnuplot >/dev/null && plot='--plot plot.svg --plot plot.png'
# shellcheck disable=SC2086 # $plot is several words
"$compare" --scale 0.001 --runs 2 --only all --workers 1,3 \
	--policy work-sharing --policy work-stealing --policy fifo \
	--json all.json --csv all.csv $plot "$source_dir/README.md" >all.txt ||
	complain 'the whole of it failed'
[ "$failed" -eq 0 ] || exit 1
cat all.txt
grep -q '^wordfreq .* \*' all.txt || complain 'no row, or none is the best'

workloads=$("$compare" --list | sed -n 's/^[* ] \([a-z][^ ]*\)  .*/\1/p')
[ "$(echo "$workloads" | wc -l)" -ge 17 ] || complain '--list is too short'
for workload in $workloads; do
	for policy in work-sharing work-stealing fifo; do
		for workers in 1 3; do
			grep -q "^$workload,$policy,$workers,[a-z]*,[0-9]*,2,[0-9.e+]*," \
				all.csv ||
				complain "$workload, $policy, $workers: no line in CSV"
		done
	done
done
awk -F, 'NF != 13 { exit 1 }' all.csv || complain 'CSV: not 13 columns'

if command -v python3 >/dev/null; then
	python3 - "$(echo "$workloads" | wc -l)" <<'END' ||
import json
import sys
results = json.load(open('all.json'))['results']
assert len(results) == int(sys.argv[1]) * 3 * 2, len(results)
for result in results:
    assert 'problem' not in result, result
    assert len(result['runs_ns']) == len(result['cpu_ns']) == 2, result
    spread = result['ns_per_operation']
    assert 0 < spread['min'] <= spread['median'] <= spread['max'], result
END
		complain 'JSON is not as it should be'
fi

if [ -n "$plot" ]; then
	# The last --plot counts: that is the PNG.
	[ -s plot.png ] || complain 'no plot.png'
	"$compare" --scale 0.001 --runs 1 --only ring --only fib \
		--plot "it's one.svg" >/dev/null ||
		complain 'a plot of two workloads failed'
	grep -q '</svg>' "it's one.svg" || complain 'no SVG picture'
fi

# ---- settings --------------------------------------------------------------

"$compare" --scale 0.001 --runs 1 --only ring --policy fifo \
	--policy work-stealing --policy work-stealing,idle=poll \
	--set scheduler.max-throughput=3 --set work-stealing.idle=park \
	--troupe.scheduler.thread-name=x --json set.json >/dev/null ||
	complain 'settings failed'
grep -q '"work-stealing,idle=poll"' set.json || complain 'no own settings'
"$compare" --scale 0.001 --runs 1 >no-text.txt || complain 'without text'
grep -q 'wordfreq is left out' no-text.txt || complain 'nothing about wordfreq'

# ---- mistakes --------------------------------------------------------------

refuse 2 "did you mean.*work-stealing" --policy work-steeling
refuse 2 'nowhere.so' --policy nowhere.so
refuse 2 "did you mean 'fan-in'" --only fanin
refuse 2 'unknown workload' --only x
refuse 2 'number from 1 to' --workers 1,0
refuse 2 'number from 1 to' --workers ''
refuse 2 'number from 1 to' --runs 1x
refuse 2 'not a number above 0' --scale 0
refuse 2 'not a number above 0' --scale nan
refuse 2 'SECTION.KEY=VALUE' --set idle=park
refuse 2 'use --policy' --set scheduler.policy=fifo
refuse 2 'use --workers' --troupe.scheduler.max-threads=2
refuse 2 'no policy .lottery. is compared' --set lottery.tickets=2
refuse 2 'nosuch' --set scheduler.nosuch=1
refuse 2 'nosuch' --policy fifo,nosuch=1
refuse 2 'not KEY=VALUE' --policy fifo,nosuch
refuse 2 'unknown option' --nosuch
refuse 2 'needs a value' --json
refuse 2 'No such file' nowhere.txt
refuse 2 'only once' -
refuse 2 'No such file' --json nowhere/a.json
refuse 2 'Is a directory' --csv .
refuse 2 'must end in .svg or .png' --plot a.jpg
(
	PATH=$work
	export PATH
	"$compare" --only ring --plot a.svg >/dev/null 2>err
)
grep -q 'needs gnuplot' err || complain "no gnuplot: $(cat err)"
: >empty
refuse 2 'no word' empty
refuse 1 'No space left' --json /dev/full

# ---- a run that does not end -----------------------------------------------

# 12 s of work in 1 s; what was measured before must not get lost.
"$compare" --scale 100 --runs 1 --only uneven --policy fifo --workers 1 \
	--timeout 1 --csv late.csv >late.txt 2>err
[ $? -eq 1 ] || complain 'a late run: not status 1'
grep -q '^compare: uneven under fifo with 1 worker did not end within 1 s' \
	err || complain "a late run: $(cat err)"
grep -q '^uneven,fifo,1,' late.csv || complain 'a late run: no CSV'

[ "$failed" -eq 0 ] && echo 'check_compare: all is well'
exit "$failed"
