#!/bin/bash
# random.t - jobs drawn at random have the same bits in every way to run them.
#
# usage: tests/random/random.t [JOBS]      (default 60, of seed 1 and following)
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
jobs=${1:-60}
python=$(find_python json)
[ -n "$python" ] || skip_all "no python3"
[ -x "$BOSC_BUILD/tests/random/variants" ] || skip_all "tests/random/variants is not built"
own_folder
here=$BOSC_SRC/tests/random
# number WHAT: of the last line of 'out'.
number() { tail -n 1 out | sed -n "s/.*, \([0-9]*\) $1,.*/\1/p"; }

"$python" "$here/jobs" --keys >out 2>&1
rc=$?
diagnose="cat out"
ok "every key of a job is drawn, or left out for a reason" is $rc 0

# What is not compared cannot differ: a result with one bit changed is told.
cat >job.yaml <<'END'
tstop: 1
populations: [{name: a, synthetic: {compartments: 9, sections: 3}, count: 3, regions: {all: {hh: {}}}}]
probes: [{name: every}]
END
alone job.yaml -q -o a.nc
alone job.yaml -q -o b.nc --set v_init=-64.99999999999999
alone job.yaml -q -o c.nc --set threads=2
printf 'same\ta.nc\tb.nc\nsame\ta.nc\tc.nc\n' | "$BOSC_BUILD/tests/random/results" >out
ok "one bit of a voltage is a difference" eval 'sed -n 1p out | grep -q "^every_v.*against"'
ok "and equal results are the same" is "$(sed -n 2p out)" same

"$python" "$here/jobs" --from 1 --jobs "$jobs" \
    --keep "$BOSC_BUILD/tests/random/failed" >out 2>&1
rc=$?
diagnose="cat out"
ok "$jobs jobs, each in its variants: no difference" is $rc 0
tail -n 1 out | sed 's/^/# /'
ok "fewer than 2 % are refused" eval '[ $((50 * $(number refused))) -le '"$jobs"' ]'
ok "some have spikes" eval '[ $((5 * $(number "with spikes"))) -ge '"$jobs"' ]'
done_testing
