#!/bin/bash
# killed_write.t - a run that is killed by SIGKILL while it opens, writes or ends
# its result goes on from its checkpoint, whatever the file has of it.
#
# usage: tests/batch/killed_write.t [STRIDE]
#
# It is killed before some changes of the file that are spread over all, and the
# last ones; with a STRIDE before change 1, 1 + STRIDE, ..., so that 1 tries all,
# which takes an hour.  Until then it writes checkpoints of its own.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
stride=${1:-}
preload=$BOSC_BUILD/tests/batch/killed_write.so
need_preload "$preload"
need_ncdump
own_folder
diagnose="cat out"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

cat >job.yaml <<'END_OF_JOB'
tstop: 1000
populations:
  - {name: a, synthetic: {compartments: 60, sections: 13}, count: 8,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
sources: [{name: noise, type: poisson, rate: 200, count: 20}]
synapses: [{name: fast, type: ExpSyn, tau: 2}]
projections:
  - {from: noise, to: a, synapse: fast, rule: fixed_indegree, indegree: 10, weight: 0.02, delay: {uniform: [1, 30]}}
probes:
  - {name: soma, at: soma, variables: [v, hh.m], interval: 1}
  - {name: all, neurons: "2-4", at: everywhere, interval: 5}
END_OF_JOB

# Of one variable more chunks than a node of HDF5's index of them has room for,
# 64: 33 rows of two, one of 128 columns and one of 2.
cat >many.yaml <<'END_OF_JOB'
tstop: 840
populations:
  - {name: a, synthetic: {compartments: 65, sections: 13}, count: 2, regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps: [{at: soma, delay: 5, duration: 800, amplitude: 0.3}]
probes: [{name: all, at: everywhere}]
END_OF_JOB

# changed OUTPUT SETTING...: a run whose changes of its file are counted, with
# these settings of the environment; its code in rc.
changed() {
    { timeout 300 env "${@:2}" LD_PRELOAD="$preload" "$BOSC" run "$job" -o "$1" "${set[@]}" \
        --set checkpoint.every=0.001 >out 2>&1 </dev/null; } 2>/dev/null
    rc=$?
}
begin() {
    local file
    rm -f end.nc*
    for file in begun.nc*; do cp "$file" "end${file#begun}"; done
}

has_same_bits() { nc_same one.nc end.nc; }

# Where the run is to be killed, of so many changes.
places() {
    if [ -n "$stride" ]; then
        seq 1 "$stride" "$1"
    else
        { seq "$(($1 / 9))" "$(($1 / most + 1))" "$1" && seq "$(($1 - 1))" "$1"; } | sort -nu
    fi
}

# kill_all WHAT: begin 'job', go on with it killed at many places, and again.
kill_all() {
    local what=$1 at n ranks=1
    alone "$job" -o one.nc --overwrite "${set[@]}"
    ok "$what: a run without interruption" is "$rc" 0
    # Where the disk is slow the run may have ended when its first checkpoint has.
    for _ in 1 2 3 4 5; do
        timeout 300 env KILLED_SAVED=1 LD_PRELOAD="$preload" "$BOSC" run "$job" -o begun.nc \
            --set checkpoint.every=0.00001 --overwrite "${set[@]}" >out 2>&1 </dev/null
        rc=$?
        [ $rc = 0 ] || break
    done
    ok "$what: one that SIGTERM ends after a checkpoint" is "$rc" 75
    begin
    changed end.nc KILLED_TOLD=told
    n=$(tail -n 1 told)
    ok "$what: it is gone on with, and its file changes often" eval 'is "$rc" 0 && [ "$n" -gt 50 ] && has_same_bits'
    for at in $(places "$n"); do
        begin
        changed end.nc KILLED_AT="$at"
        if [ $rc = 0 ]; then # it was fast: every 10 s the results so far are written
            ok "$what: before change $at of $n it has ended, to the same bits" has_same_bits
            continue
        fi
        ok "$what: killed before change $at of $n there is no result" eval 'is "$rc" 137 && [ ! -e end.nc ]'
        launch=("$BOSC")
        [ $ranks = 1 ] || [ -z "${MPIEXEC:-}" ] || launch=("$MPIEXEC" -n "$ranks" "$BOSC")
        timeout 300 "${launch[@]}" run "$job" -o end.nc "${set[@]}" >out 2>&1 </dev/null
        rc=$?
        ok "$what: a run on $ranks rank(s) goes on from the checkpoint" eval 'is "$rc" 0 && says "^  resuming  *at t = "'
        ok "$what: to the same bits, and nothing else is left" eval 'has_same_bits && is "$(echo end.nc*)" end.nc'
        ranks=$((3 - ranks))
    done
}

while read -r job level most; do
    set=(--set "output.compression=$level")
    kill_all "$job, level $level"
    rm -f ./*.nc*
done <<'END'
job.yaml 0 4
job.yaml 1 3
job.yaml 4 4
many.yaml 0 2
many.yaml 1 2
END
done_testing
