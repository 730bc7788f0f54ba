#!/bin/bash
# output.t - one run at a time writes an output; what an earlier run has left
# is kept, and nobody is told of results that are not there.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1
# as on file systems of clusters, where the locks of HDF5 are often off
export HDF5_USE_FILE_LOCKING=FALSE

need_ncdump
need_launcher
own_folder
diagnose="cat out"

endless_job long >long.yaml
sed 's/^tstop:.*/tstop: 5/' long.yaml >short.yaml

# start RANKS JOB OUTPUT ARGUMENTS...: until it writes; the launcher's number in
# 'launcher', its words in OUTPUT.out.
start() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run "$2" -o "$3" "${@:4}" >"$3.out" 2>&1 </dev/null &
    launcher=$!
    for ((i = 0; i < 1200; i++)); do
        [ "$(frames "$3.partial" 2>/dev/null || echo 0)" -gt 0 ] && break
        sleep 0.05
    done
}
# stop OUTPUT: its first rank gets a signal that asks for no checkpoint, all end.
stop() {
    kill -HUP "$(writers "$1" | head -n 1)"
    wait "$launcher"
    cp "$1.out" out
}
# run RANKS JOB OUTPUT
run() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run "$2" -o "$3" "${@:4}" >out 2>&1 </dev/null
    rc=$?
}
made_with() { ncdump -h "$1" | grep -q "history = .*$2"; }

for ranks in 1 2; do
    start $ranks long.yaml two.nc --set seed=11
    run $ranks short.yaml two.nc --set seed=22
    ok "$ranks ranks: a second run to one output is refused" is $rc 73
    ok "$ranks ranks: it is told once whose it is, and what to do" once \
        "^bosc run: two.nc: another run is writing it: process [0-9]+ on $(uname -n), since .*; wait for its end or choose another output$"
    run 1 short.yaml two.nc --dry-run
    ok "$ranks ranks: so is a dry run" says 'another run is writing'
    stop two.nc
    ok "$ranks ranks: the first run's file is its own" made_with two.nc.partial seed=11
    ok "$ranks ranks: and is sound" is_sound two.nc.partial 1
    ok "$ranks ranks: and its end is told" says 'the results until then are in two.nc.partial'
    ok "$ranks ranks: no lock is left" [ ! -e two.nc.lock ]
    rm -f two.nc*
done

# A killed run leaves its lock, and what it had on the disk.
start 1 long.yaml kill.nc
kill -KILL "$(writers kill.nc | head -n 1)"
wait "$launcher"
ok "a killed run leaves its lock" [ -s kill.nc.lock ]
run 1 short.yaml kill.nc --dry-run
ok "a dry run is not kept away" is $rc 0
ok "and leaves no lock" [ ! -e kill.nc.lock ]
run 1 short.yaml kill.nc
ok "a run is not kept away" is $rc 0
ok "and has its result" made_with kill.nc short.yaml

# What is left is kept, twice.
for n in 1 2; do
    start 2 long.yaml keep.nc
    in_time 60 reached keep.nc 1000 # 40,000 steps
    stop keep.nc
    cp keep.nc.partial $n.nc
done
ok "what an earlier run left is kept" cmp -s keep.nc.partial.1 1.nc
ok "which is told in the log" says 'earlier run +unfinished results are kept as keep.nc.partial.1'
run 2 short.yaml keep.nc
ok "the next one has the next number" cmp -s keep.nc.partial.2 2.nc
ok "and the first is as it was" cmp -s keep.nc.partial.1 1.nc
ok "the result is that of the last run" made_with keep.nc short.yaml
ok "and nothing else is there" is "$(echo keep.nc*)" "keep.nc keep.nc.out keep.nc.partial.1 keep.nc.partial.2"

# A run that breaks at its start, again and again.
for _ in 1 2 3; do
    run 1 short.yaml wild.nc --set 'clamps=[{at: soma, delay: 1, duration: 1, amplitude: -1e6}]'
done
ok "runs that break in their first steps leave one file" is "$(echo wild.nc*)" wild.nc.partial
ok "which is replaced, and this is told" says 'earlier run +unfinished results of fewer than 100 steps are replaced'
ok "and it is told where they are" says 'the results until then are in wild.nc.partial'

# Somebody tidies up.
start 2 long.yaml gone.nc
rm gone.nc.partial
stop gone.nc
ok "of a file that was removed it is not said that it has the results" says \
    'stopped by signal 1 .*; the results are lost with gone.nc.partial, which was removed'
ok "and it is not there" [ ! -e gone.nc.partial ]

# A file gets the name of the result while a run goes on.
sed 's/^tstop:.*/tstop: 400/' long.yaml >some.yaml
# meanwhile OUTPUT TEXT ARGUMENTS...: make OUTPUT with this text as soon as the
# run has its own file.
meanwhile() {
    "$BOSC" run some.yaml -o "$1" "${@:3}" >out 2>&1 </dev/null &
    local process=$!
    until [ -e "$1.partial" ]; do sleep 0.01; done
    kill -STOP $process
    printf %s "$2" >"$1"
    kill -CONT $process
    wait $process
    rc=$?
}
meanwhile came.nc precious
ok "a file that was made during a run is kept" is "$(cat came.nc)" precious
ok "the run fails" is "$rc" 73
ok "and tells where its results are" says \
    'came.nc: this file was made during the run and is kept; the results are complete in came.nc.partial'
ok "which is so" eval 'ncdump -h came.nc.partial | grep -q "completed = \"yes"'
meanwhile empty.nc ''
ok "an empty file is as none" eval '[ "$rc" = 0 ] && made_with empty.nc some.yaml'
meanwhile asked.nc precious --overwrite
ok "with --overwrite a file is replaced" eval '[ "$rc" = 0 ] && made_with asked.nc some.yaml'

# The output is a link.
mkdir scratch
ln -s scratch/big.nc link.nc
ln -s link.nc again.nc
run 2 short.yaml again.nc
ok "a result goes where a link of its name leads" eval '[ "$rc" = 0 ] && made_with scratch/big.nc short.yaml'
ok "the link stays" is "$(readlink again.nc) $(readlink link.nc)" "link.nc scratch/big.nc"
run 1 short.yaml again.nc
ok "and is known as the result" says 'scratch/big.nc is the finished result of this job'
timeout 300 "$BOSC" run long.yaml -o again.nc --overwrite >again.out 2>&1 </dev/null &
launcher=$!
until [ -e scratch/big.nc.partial ]; do sleep 0.05; done
ok "what is not finished is beside the result, and so is the lock" is \
    "$(echo again.nc* scratch/*)" "again.nc scratch/big.nc scratch/big.nc.lock scratch/big.nc.partial"
kill -HUP "$(writers again.nc | head -n 1)"
wait "$launcher"
ln -s round.nc round.nc
run 1 short.yaml round.nc
ok "a circle of links is refused" eval '[ "$rc" != 0 ] && says "round.nc"'
ln -s nowhere/x.nc lost.nc
run 1 short.yaml lost.nc
ok "so is a link into a folder that is not there" says 'nowhere/x.nc: there is no folder nowhere'

# netCDF takes a backslash for a slash.
sed 's/^name: .*/name: back\\slash/' short.yaml >back.yaml
timeout 300 "$BOSC" run back.yaml >out 2>&1 </dev/null
ok "a name with a backslash has a result without" eval \
    'ncdump -h back-slash.nc | grep -F title | grep -qF "back\\\\slash"'
timeout 300 "$BOSC" run short.yaml -o 'back\slash.nc' >out 2>&1 </dev/null
ok "a path with one is refused at once" is $? 73
ok "with the reason" says 'netCDF makes no file whose path has a backslash; choose another output'

# A run that was killed between its last two deeds has left its checkpoints.
run 1 short.yaml done.nc
touch done.nc.checkpoint done.nc.checkpoint.old
run 1 short.yaml done.nc
ok "a checkpoint beside a finished result goes when the job is run again" is "$(echo done.nc*)" done.nc
touch done.nc.checkpoint done.nc.partial
run 1 short.yaml done.nc
ok "but not that of unfinished results" [ -e done.nc.checkpoint ]
done_testing
