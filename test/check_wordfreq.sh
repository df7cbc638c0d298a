#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_wordfreq.sh SOURCE_DIR BUILD_DIR - wordfreq prints, byte for byte, what
# the pipeline of coreutils in its header prints; and it goes on past files
# that it cannot count.
set -u

wordfreq=$2/demos/wordfreq
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

complain() {
	echo "check_wordfreq: $*" >&2
	failed=1
}

# shellcheck disable=SC2018,SC2019 # it is what the header says
pipeline() {
	for file; do
		cat "$file"
		echo
	done | LC_ALL=C tr -cs A-Za-z '\n' | LC_ALL=C tr A-Z a-z | grep . |
		LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2,2
}

# compare OPTIONS FILE... - status 0, the same output, silence
counted=
compare() {
	options=$1
	shift
	# Of the same files as before, the pipeline says the same.
	[ "$*" = "$counted" ] || pipeline "$@" >words
	counted=$*
	# shellcheck disable=SC2086 # several words
	"$wordfreq" $options "$@" >out 2>err
	status=$?
	[ "$status" -eq 0 ] || complain "$options $*: status $status"
	[ ! -s err ] || complain "$options $*: $(cat err)"
	cmp out words || complain "$options $*: not the pipeline's words"
}

# refuse STATUS PATTERN ARG... - that status and one line that says why
refuse() {
	expected_status=$1
	pattern=$2
	shift 2
	"$wordfreq" "$@" >out 2>err </dev/null
	status=$?
	[ "$status" -eq "$expected_status" ] ||
		complain "$*: status $status, not $expected_status"
	[ "$(wc -l <err)" -eq 1 ] || complain "$*: not one line: $(cat err)"
	grep -q -e "$pattern" err ||
		complain "$*: \"$(cat err)\" does not say \"$pattern\""
}

# ---- texts, under each policy ----------------------------------------------

licences=/usr/share/common-licenses
if [ ! -d "$licences" ]; then
	licences=$1
	set -- "$1"/*/*.[ch]
else
	set -- "$licences"/*
fi
for policy in fifo work-sharing work-stealing; do
	for workers in 1 2 4; do
		compare "--workers $workers --troupe.scheduler.policy=$policy" \
			"$@"
	done
done
compare '--chunk 5' "$@"
for file; do
	compare '' "$file"
done

# ---- chunks: a word across a border is one word ----------------------------

printf 'the cat The CAT tHe cats Catss' >plain
printf '\n\n\n  two\n' >leading
printf 'Na\303\257ve caf\303\251 \377\376x\200y\n' >bytes
awk 'BEGIN { for (i = 0; i < 500; i++) printf "longword"; print " end" }' >long
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%c", 97 + i % 26 }' >one
awk 'BEGIN { srand(7); for (i = 0; i < 9000; i++) {
	n = int(rand() * 9); for (j = 0; j < n; j++)
		printf "%c", 97 + int(rand() * 4); printf " " } }' >random
printf x >letter
printf 'end' >ends
printf 'less' >less
printf 'zero\000sep\000\000arated\n' >nul
chunks='1 2 3 5 7 64 4095 4097'
for chunk in $chunks; do
	compare "--chunk $chunk" plain leading bytes long one letter ends less
done
for chunk in $chunks; do
	compare "--chunk $chunk --workers 2" random
done
for chunk in $chunks; do
	compare "--chunk $chunk --text" nul random nul
done

# ---- tables that fill up: batches go to the counters and come back ---------

awk 'BEGIN { srand(5); for (i = 0; i < 60000; i++) {
	for (j = 0; j < 4; j++) printf "%c", 97 + int(rand() * 26)
	print "" } }' >many
for workers in 1 3; do
	compare "--workers $workers" many
	compare "--workers $workers --chunk 1000" many many
done

# ---- the most frequent -----------------------------------------------------

for top in 1 2 5 100000; do
	pipeline plain long | head -n "$top" >expected
	"$wordfreq" --top "$top" plain long | cmp - expected ||
		complain "--top $top"
done

# ---- directories, pipes, standard input ------------------------------------

mkdir -p tree/deep/deeper
cp plain tree/
cp random tree/deep/
cp long tree/deep/deeper/
ln -s ../plain tree/link
ln -s .. tree/deep/circle
mkfifo tree/pipe
ln -s tree name
pipeline plain random long >expected
for directory in tree tree/ name; do
	"$wordfreq" "$directory" 2>err | cmp - expected ||
		complain "$directory: not its files, once each"
	[ ! -s err ] || complain "$directory: $(cat err)"
done

pipeline plain random plain >expected
{ cat plain; sleep 0.1; } >tree/pipe &
"$wordfreq" tree/pipe - plain <random | cmp - expected ||
	complain 'a pipe and standard input'
wait

# ---- files that cannot be counted: the others are --------------------------

: >empty
ln -s nowhere dangling
pipeline plain random >expected
bad='empty nul missing dangling'
if [ "$(id -u)" -ne 0 ]; then
	: >locked
	chmod 000 locked
	bad="$bad locked"
fi
# shellcheck disable=SC2086 # several words
"$wordfreq" plain $bad random >out 2>err
[ $? -eq 1 ] || complain "$bad: the status is not 1"
cmp out expected || complain "$bad: the others were not counted"
for file in $bad; do
	[ "$(grep -c "^wordfreq: $file: " err)" -eq 1 ] ||
		complain "$file: not one message: $(cat err)"
done
refuse 1 'empty: empty file' empty
refuse 1 'nul: binary file' nul
refuse 1 'missing: No such file' missing
refuse 1 'dangling: No such file' dangling
[ ! -s out ] || complain 'words of a missing file'

# ---- mistakes --------------------------------------------------------------

refuse 2 'no FILE or DIR'
refuse 2 "'0' is not a number" --top 0 plain
refuse 2 "'x' is not a number" --workers x plain
refuse 2 "'-1' is not a number" --chunk -1 plain
refuse 2 'unknown policy "fif"' --troupe.scheduler.policy=fif plain
if [ -w /dev/full ]; then
	"$wordfreq" plain >/dev/full 2>err
	[ $? -eq 2 ] || complain 'a full disk: the status is not 2'
	[ -s err ] || complain 'a full disk: no message'
fi
"$wordfreq" --help | grep -q '^usage: wordfreq' || complain '--help'

# ---- an interrupt ends it in order -----------------------------------------

# A shell starts its children in the background with SIGINT ignored.
"$wordfreq" tree/pipe plain >out 2>err &
sleep 0.3
kill -TERM $!
wait $!
status=$?
[ "$status" -eq 143 ] || complain "SIGTERM: status $status"
[ "$(cat err)" = 'wordfreq: interrupted' ] || complain "SIGTERM: $(cat err)"
[ ! -s out ] || complain 'SIGTERM: words all the same'

exit "$failed"
