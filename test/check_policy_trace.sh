#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_policy_trace.sh SOURCE_DIR BUILD_DIR - the order in which the slots of
# a policy are called: three actors, 7, 2 and 4 messages, 3 messages a run.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat >"$work/expected" <<'END'
init
central_enqueue   job
dequeue           job
before_resume     job
internal_enqueue  seven
internal_enqueue  two
internal_enqueue  four
after_resume      job, 1 handled
after_completion  job
dequeue           seven
before_resume     seven
after_resume      seven, 3 handled
resume_job_later  seven
dequeue           two
before_resume     two
after_resume      two, 2 handled
after_completion  two
dequeue           four
before_resume     four
after_resume      four, 3 handled
resume_job_later  four
dequeue           seven
before_resume     seven
after_resume      seven, 3 handled
resume_job_later  seven
dequeue           four
before_resume     four
after_resume      four, 1 handled
after_completion  four
dequeue           seven
before_resume     seven
after_resume      seven, 1 handled
after_completion  seven
wake_all
dequeue           nothing: the system stops
drain
fini
13 messages
END
# Ten times: no order may depend on which thread is faster.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	"$2/demos/policy_trace" >"$work/trace" || exit 1
	diff "$work/expected" "$work/trace" || exit 1
done
