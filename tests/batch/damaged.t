#!/bin/bash
# damaged.t - an unfinished result that something has damaged is restored from the
# checkpoint or set aside: no run goes on with wrong numbers, and none crashes.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_ncdump
own_folder
diagnose="cat out"

# Two columns of chunks, of 1024 frames each.
cat >job.yaml <<'END'
tstop: 6000
dt: 0.1
populations:
  - {name: a, synthetic: {compartments: 65, sections: 13}, count: 2, regions: {all: {pas: {}}, soma: {hh: {}}}}
  - {name: b, synthetic: {compartments: 99, sections: 13}, count: 4, regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps: [{at: soma, delay: 5, duration: 5000, amplitude: 0.3}]
probes: [{name: all, population: a, at: everywhere, interval: 1}]
END
# go ARGUMENTS...
go() {
    timeout 300 "$BOSC" run job.yaml -o x.nc "${set[@]}" "$@" >out 2>&1 </dev/null
    rc=$?
}
again() {
    rm -f x.nc*
    cp left/* .
}
goes_on() { is "$rc" 0 && says '^  resuming  *at t = [0-9.]+ ms' && nc_same one.nc x.nc; }
begins_anew() { is "$rc" 0 && ! says '^  resuming ' && nc_same one.nc x.nc; }
lost='^bosc run: x.nc.partial: the first [0-9]+ rows of (all_v|time_all) (are not those that were written|cannot be read); the file is damaged, or of another run$'
# write_over AT BYTES: others, the same ones each time.
write_over() {
    seq "$1" 100000000 | head -c "$2" | dd of=x.nc.partial bs=64K oflag=seek_bytes seek="$1" conv=notrunc 2>/dev/null
}

for level in 0 1 4; do
    set=(--set "output.compression=$level")
    rm -rf left ./*.nc*
    alone job.yaml -o one.nc "${set[@]}"
    for _ in 1 2 3 4 5; do # it may be over before it gets the signal
        : >out
        timeout 300 "$BOSC" run job.yaml -o x.nc --overwrite "${set[@]}" --set backend=ref >out 2>&1 </dev/null &
        job=$!
        in_time 60 grep -q '^ [3-9]0 %' out
        kill -TERM $job 2>/dev/null
        wait $job
        rc=$?
        [ $rc = 0 ] || break
    done
    ok "level $level: a run ends after a checkpoint" is "$rc" 75
    mkdir left
    mv x.nc.partial x.nc.checkpoint* left/
    step=$(ncdump -h left/x.nc.checkpoint | sed -n 's/.*:step = \([0-9]*\).*/\1/p')
    ok "level $level: with full chunks of frames" [ "$step" -gt 15000 ]
    bytes=$(stat -c %s left/x.nc.partial)

    again
    write_over 0 4000
    go
    ok "level $level: where HDF5's first tables are lost, the job goes on" goes_on

    again
    write_over "$((bytes / 3))" "$((bytes / 3))"
    cp x.nc.partial damaged
    go --continue
    ok "level $level: where a third is lost, --continue fails" is "$rc" 66
    ok "level $level: and names the variable that is not as it was" says "$lost"
    ok "level $level: the file is left as it was" cmp damaged x.nc.partial
    go
    ok "level $level: without --continue the job begins anew" begins_anew
    ok "level $level: and keeps what it has found" cmp damaged x.nc.partial.1

    again
    truncate -s "$((bytes / 2))" x.nc.partial
    go
    ok "level $level: where the second half is lost, the job begins anew" eval 'begins_anew && says "$lost"'

    for n in 1 2 3 4 5; do
        again
        for k in 1 2 3; do write_over "$(((n * 7919 + k * 104729) * 31 % bytes))" 1; done
        go
        ok "level $level: with three other bytes (case $n) the result is right all the same" eval 'is "$rc" 0 && nc_same one.nc x.nc'
    done
done

done_testing
