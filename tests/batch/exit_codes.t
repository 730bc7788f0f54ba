#!/bin/bash
# exit_codes.t - each kind of failure has the exit code that bosc(1) gives it,
# whichever rank fails.
. "${BOSC_SRC:=.}/tests/lib/tap.sh"
own_folder
diagnose='cat out'

# ends CODE SENTENCE COMMAND...: and the manual has a row for the code.
ends() {
    timeout 300 "${@:3}" >out 2>&1 </dev/null
    ok "$2 ends with $1" is $? "$1"
    ok "which the manual lists" grep -q "^\.It $1 Ta" "$BOSC_SRC/src/bosc.1"
}
export -f full_disk

endless_job endless >endless.yaml
sed 's/^tstop: .*/tstop: 1/' endless.yaml >short.yaml
sed 's/g: 1e-4/g: -1/' short.yaml >wrong.yaml
printf '1 1 0 0 0 5 -1\n2 3 0 9 0 x 1\n' >broken.swc
sed 's,synthetic: {[^}]*}\, count: 20,morphologies: broken.swc,' short.yaml >broken.yaml

ends 0 "a job" "$BOSC" run short.yaml
ends 2 "a mistyped option" "$BOSC" run short.yaml --quite
ends 2 "another number of ranks than expected" "$BOSC" run short.yaml --expect-ranks 3
ends 65 "a value out of range" "$BOSC" run wrong.yaml -o wrong.nc
ends 65 "a morphology that is none" "$BOSC" run broken.yaml -o wrong.nc
ends 66 "a job that is not there" "$BOSC" run nowhere.yaml
ends 66 "--continue without a checkpoint" "$BOSC" run short.yaml --continue -o none.nc
CUDA_VISIBLE_DEVICES="" ends 69 "looking for a GPU where there is none" "$BOSC" devices
BOSC_PYTHON=no-python ends 69 "a report without Python" "$BOSC" report short.nc
ends 71 "a job that cannot fit" "$BOSC" plan short.yaml --memory 1MB
ends 73 "the finished result of another job" "$BOSC" run short.yaml --set tstop=2
ends 73 "an output in no folder" "$BOSC" run short.yaml -o none/x.nc
ends 74 "a machine's file that cannot be written" "$BOSC" calibrate --seconds 0.001 -o /dev/null/x.yaml
if (unshare -m true) 2>/dev/null; then
    ends 74 "a disk that is full" unshare -m bash -c 'full_disk "$@"' bash \
        "$BOSC" run endless.yaml -o disk/full.nc
else
    skip "no disk of our own"
    skip "no disk of our own"
fi

# Signals; a rank that fails alone.
signalled() { # SIGNAL ARGUMENTS...
    local pid rc t
    "$BOSC" run endless.yaml -o "$1.nc" "${@:2}" &
    pid=$!
    for ((t = 0; t < 300; t++)); do
        grep -qs ' left' "$1.nc.lock" && break # the time loop has begun
        sleep 0.1
    done
    kill "-$1" $pid # not INT, which a shell lets its background jobs ignore
    wait $pid
    rc=$?
    rm -f "$1.nc.checkpoint" "$1.nc.partial"
    return $rc
}
export -f signalled
export BOSC
ends 75 "SIGTERM, with a checkpoint," bash -c 'signalled TERM'
ends 75 "SIGUSR1, with a checkpoint," bash -c 'signalled USR1'
ends 130 "SIGTERM where the job wants no checkpoint" bash -c 'signalled TERM --set checkpoint.on_signal=no'
ends 130 "SIGHUP" bash -c 'signalled HUP'
if [ -n "${MPIEXEC:-}" ]; then
    for ranks in 2 3; do
        ends 65 "$ranks ranks: a morphology that is none" \
            "$MPIEXEC" -n $ranks "$BOSC" run broken.yaml -o wrong.nc
        ends 73 "$ranks ranks: the result of another job" \
            "$MPIEXEC" -n $ranks "$BOSC" run short.yaml --set tstop=2
    done
else
    for _ in 1 2 3 4 5 6 7 8; do skip "no MPI launcher"; done
fi
done_testing
