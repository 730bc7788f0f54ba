#!/bin/bash
# checkpoint_refused.t - a checkpoint that cannot be gone on from is refused
# with the reason, and nothing is lost that was there.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_ncdump
need_launcher
own_folder
diagnose="cat out"

cat >job.yaml <<'END'
tstop: 2000
populations:
  - {name: c, synthetic: {compartments: 200, sections: 31}, count: 40, regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps: [{neurons: "0-19", at: soma, delay: 5, duration: 1900, amplitude: 0.3}]
probes: [{name: soma, interval: 1}]
END
# go RANKS OUTPUT ARGUMENTS...
go() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run job.yaml -o "$2" "${@:3}" >out 2>&1 </dev/null
    rc=$?
}
goes_on() { is $rc 0 && says '^  resuming  *at t = [0-9.]+ ms' && nc_same one.nc x.nc; }
begins_anew() { is $rc 0 && ! says '^  resuming ' && nc_same one.nc x.nc; }
# What is left of a job with two checkpoints, as it was.
again() {
    rm -f x.nc*
    cp -p left/* .
}

go 1 one.nc
# The same job by the reference takes long enough to be met; and not between the
# names of two checkpoints.
two_are_there() { [ -s x.nc.checkpoint ] && [ -s x.nc.checkpoint.old ]; }
stopped_with_two() {
    kill -STOP $job
    two_are_there || { kill -CONT $job && false; }
}
"$BOSC" run job.yaml -o x.nc --set backend=ref --set checkpoint.every=0.003 >out 2>&1 </dev/null &
job=$!
in_time 60 stopped_with_two
kill -KILL $job
wait $job 2>/dev/null
ok "a killed run leaves two checkpoints" two_are_there
mkdir left
mv x.nc.partial x.nc.checkpoint x.nc.checkpoint.old left/
again
go 2 x.nc
ok "the next one goes on from there" goes_on

again
truncate -s -2000 x.nc.checkpoint
go 1 x.nc
ok "one that is cut short is refused with the reason" once \
    '^bosc run: x.nc.checkpoint: is no checkpoint, or cut short: its last line has no checksum$'
ok "and the one before it is used" goes_on

again
printf '\377\377' | dd of=x.nc.checkpoint bs=1 seek=40000 conv=notrunc 2>/dev/null
go 2 x.nc
ok "so is one that is damaged" once '^bosc run: x.nc.checkpoint: is damaged: its checksum does not fit$'
ok "on any number of ranks" goes_on

again
: >x.nc.checkpoint
printf '\377\377' | dd of=x.nc.checkpoint.old bs=1 seek=40000 conv=notrunc 2>/dev/null
go 2 x.nc --continue
ok "where both are, --continue fails" eval 'is $rc 66 && once "there is no checkpoint of this job to go on from; without --continue it begins anew"'
ok "and leaves everything" eval 'cmp -s x.nc.partial left/x.nc.partial && [ -e x.nc.checkpoint.old ]'
go 2 x.nc
ok "without it the job begins anew" begins_anew
ok "and what was there is kept" eval 'cmp -s x.nc.partial.1 left/x.nc.partial && [ -s x.nc.checkpoint.old.1 ]'
ok "which is told" says 'earlier run +unfinished results are kept as x.nc.partial.1'

again
mv x.nc.checkpoint.old x.nc.checkpoint
go 1 other.nc --set celsius=20 --set tstop=20 --set checkpoint.at_end=true
cp other.nc.checkpoint x.nc.checkpoint
go 2 x.nc --continue
ok "of another job's checkpoint it is told what differs" once \
    '^bosc run: x.nc.checkpoint: is of another job \(tstop is 2000, there 20, and 1 more value\)$'
again
go 2 x.nc --set celsius=20 --continue
ok "of another job's results too" eval 'is $rc 66 && once "x.nc.checkpoint: is of another job \(celsius is 20, there 6.3\)"'
go 2 x.nc --set celsius=20 --set tstop=20
ok "another job begins anew, and keeps results and checkpoints" eval 'is $rc 0 &&
    cmp -s x.nc.partial.1 left/x.nc.partial && cmp -s x.nc.checkpoint.1 left/x.nc.checkpoint &&
    cmp -s x.nc.checkpoint.old.1 left/x.nc.checkpoint.old'
ok "the finished job has none" eval '[ -s x.nc ] && [ ! -e x.nc.checkpoint ] && [ ! -e x.nc.checkpoint.old ]'

again
truncate -s 5000 x.nc.partial
go 1 x.nc
ok "results that cannot be read are not gone on with" eval 'is $rc 0 && ! says "^  resuming " && [ -s x.nc.partial.1 ]'
again
go 1 x.nc --overwrite
ok "with --overwrite the job begins anew" begins_anew
again
rm x.nc.partial
go 1 x.nc
ok "so it does where somebody has removed the results" begins_anew
ok "and keeps the checkpoints" [ -s x.nc.checkpoint.1 ]
rm -f x.nc*
go 2 x.nc --continue
ok "--continue without anything to go on with is an error" eval 'is $rc 66 && once "^bosc run: x.nc: there is no checkpoint"'
go 1 x.nc --continue --overwrite
ok "not both" eval 'is $rc 2 && says "continue"'

# --- a full disk ------------------------------------------------------------

# Of 8 MB one checkpoint takes five, a second one does not fit.
cat >large.yaml <<'END'
tstop: 60
populations: [{name: c, synthetic: {compartments: 319, sections: 157}, count: 1800, regions: {all: {pas: {}}, soma: {hh: {}}}}]
clamps: [{neurons: "0-19", at: soma, delay: 5, duration: 50, amplitude: 0.3}]
probes: [{name: soma, neurons: "0-3", interval: 1}]
END
if unshare -m bash -c 'full_disk true' 2>/dev/null; then
    timeout 300 "$BOSC" run large.yaml -q -o whole.nc
    timeout 300 unshare -m bash -c 'full_disk "$@"' bash "$BOSC" run "$work/large.yaml" \
        -o disk/large.nc --set checkpoint.every=0.003 >out 2>&1 </dev/null
    rc=$?
    ok "a disk that is full for a checkpoint does not end the run" is $rc 0
    ok "it is told" says 'warning: no checkpoint at t = .*: disk/large.nc.checkpoint.new: cannot write all of it: No space left on device; free some space'
    ok "the result has all" nc_same whole.nc large.nc
    ok "and no half checkpoint is left" [ ! -e large.nc.checkpoint.new ]
else
    skip "a full disk cannot be made here"
fi
done_testing
