#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_hello.sh SOURCE_DIR BUILD_DIR - the four ways to choose a policy, which
# of them wins, and one clear line for each kind of mistake.
set -u

demos=$2/demos
hello=$demos/hello
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
unset TROUPE_SCHEDULER_POLICY TROUPE_SCHEDULER_MAX_THREADS

complain() {
	echo "check_hello: $*" >&2
	failed=1
}

# choose POLICY SOURCE ARG... - hello runs under it and says who chose it
choose() {
	policy=$1
	source=$2
	shift 2
	"$hello" --verbose "$@" >out 2>err || complain "$*: $(cat err)"
	[ "$(sed -n 1p out)" = "policy $policy" ] ||
		complain "$*: $(sed -n 1p out), not $policy"
	sed -n '/^# the order of jobs/,/^policy = /p' out >setting
	grep -q -e "set by.*$source" setting ||
		complain "$*: does not say $source: $(cat setting)"
	grep -q "^policy = $policy\$" setting ||
		complain "$*: the settings say $(tail -n 1 setting)"
	[ "$(tail -n 1 out)" = 'hello, world' ] || complain "$*: no greeting"
}

# refuse PATTERN ARG... - one line on standard error, nothing else, no success
refuse() {
	pattern=$1
	shift
	"$hello" "$@" >out 2>err && complain "$*: ended with status 0"
	[ ! -s out ] || complain "$*: printed $(cat out)"
	[ "$(wc -l <err)" -eq 1 ] || complain "$*: not one line: $(cat err)"
	grep -q -e "$pattern" err ||
		complain "$*: \"$(cat err)\" does not say \"$pattern\""
}

# ---- four ways -------------------------------------------------------------

printf '[scheduler]\npolicy = work-sharing\n' >app.ini
argument=--troupe.scheduler.policy

choose work-sharing app.ini --config app.ini
choose fifo "$argument" "$argument=fifo"
choose fifo config.policy_name --policy fifo
TROUPE_SCHEDULER_POLICY='work-sharing'
export TROUPE_SCHEDULER_POLICY
choose work-sharing TROUPE_SCHEDULER_POLICY

# ---- a later one wins ------------------------------------------------------

TROUPE_SCHEDULER_POLICY=fifo
choose fifo TROUPE_SCHEDULER_POLICY --config app.ini
choose work-stealing "$argument" --config app.ini "$argument=work-stealing"
choose work-sharing config.policy_name "$argument=fifo" \
	--config app.ini --policy work-sharing
unset TROUPE_SCHEDULER_POLICY

"$hello" --verbose >out || complain 'the defaults failed'
[ "$(sed -n 1p out)" = 'policy work-stealing' ] ||
	complain "the default is not work-stealing: $(sed -n 1p out)"
"$hello" --verbose --troupe.scheduler.max-threads=3 >out
grep -q '^workers 3$' out || complain "workers: $(sed -n 2p out)"

# ---- mistakes --------------------------------------------------------------

refuse 'work-stealling.*did you mean work-stealing' "$argument=work-stealling"
refuse 'config.policy_name.*work-sharin' --policy work-sharin
refuse 'unknown key "polcy".*nearest is policy' --troupe.scheduler.polcy=fifo
refuse 'unknown section "schedular".*nearest is scheduler' \
	--troupe.schedular.policy=fifo
refuse 'idle.*park|poll.*"prk"' --troupe.work-stealing.idle=prk
refuse 'max-threads.*whole number.*"many"' --troupe.scheduler.max-threads=many
refuse 'nothing\.so.*No such file' "$argument=./nothing.so"
refuse 'app\.ini.*cannot be loaded' "$argument=./app.ini"
refuse 'section.key=value' --troupe.scheduler
refuse "unexpected argument '--verbos'" --verbos
refuse '--policy needs' --policy
refuse '--config needs' --config
refuse 'missing\.ini.*No such file' --config missing.ini

printf '[scheduler]\n\npolcy = fifo\n' >key.ini
refuse 'key\.ini:3.*"polcy".*nearest is policy' --config key.ini
printf '[scheduler]\npolicy = fif\n' >value.ini
refuse 'value\.ini:2.*"fif".*did you mean fifo' --config=value.ini
TROUPE_SCHEDULER_POLCY=fifo
export TROUPE_SCHEDULER_POLCY
refuse 'TROUPE_SCHEDULER_POLCY.*nearest is TROUPE_SCHEDULER_POLICY'

exit "$failed"
