#!/bin/bash
# parallel.t - a file that all I/O ranks write has the same bits as one of a
# single writer; a full disk, a killed rank or a signal ends them together.
# shellcheck disable=SC2016  # eval expands it
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
need_launcher
own_folder
diagnose="cat out"

two_sizes parallel 12 41 >job.yaml
echo '  - {name: odd, population: small, at: everywhere, interval: 0.175}' >>job.yaml

# run RANKS ARGUMENTS...: anew, for a finished job would do nothing.
run() {
    local ranks=$1
    shift
    rm -f way.nc
    timeout 300 "$MPIEXEC" -n "$ranks" "$BOSC" run job.yaml -o way.nc "$@" \
        >out 2>&1 </dev/null
    rc=$?
}
says() { unwrapped out | grep -qE -- "$1"; }
set_keys() {
    set=()
    for key; do
        set+=(--set "output.$key")
    done
}

set_keys parallel=yes
run 1 "${set[@]}"
if [ "$rc" != 0 ]; then
    ok "a netCDF that writes from one rank is told, with the remedy" \
        says 'output.parallel: yes, but the netCDF of this bosc writes from one rank only.*build-aux/parallel-netcdf.*auto'
    ok "before there is a file" [ ! -e way.nc.partial ]
    set_keys io_ranks=2
    run 2 "${set[@]}"
    ok "and rank 0 writes, without being asked" says '2 I/O ranks, written by rank 0'
    skip "this netCDF writes from one rank only"
    done_testing
    exit 0
fi
ok "one rank may have leave to write with others" [ -s way.nc ]
mv way.nc one.nc

# RANKS | what is set | what it is
while IFS='|' read -r ranks keys sentence; do
    # shellcheck disable=SC2086  # words of it
    set_keys $keys
    run "$ranks" "${set[@]}"
    ok "$sentence: the same bits" nc_same one.nc way.nc
    case $keys in
    *=no*) ok "$sentence: so it says" says 'written by rank 0' ;;
    *) ok "$sentence: so it says" says "by way of [234] I/O ranks, which all write" ;;
    esac
done <<'END'
2|io_ranks=2|two of two ranks write
2|io_ranks=2 parallel=no|rank 0 writes for two I/O ranks
4|io_ranks=2 compression=1|two of four ranks write, compressed
3|io_ranks=3 buffer=0.05|three write slices of some columns
END

# A checkpoint ends a row of chunks before it is full, and so does a run that is
# gone on with.
for keys in io_ranks=2 'io_ranks=2 compression=1' 'io_ranks=2 buffer=0.05'; do
    # shellcheck disable=SC2086  # words of it
    set_keys $keys
    run 2 "${set[@]}" --set checkpoint.every=1e-5
    ok "checkpoints meanwhile, $keys: the same bits" eval \
        'nc_same one.nc way.nc && grep -q "^checkpoint at" out'
done

# The reference has the same bits, and takes long enough to be met by a signal.
sed 's/^tstop:.*/tstop: 100/' job.yaml >later.yaml
"$BOSC" run later.yaml -q -o later.nc >out 2>&1
timeout 300 "$MPIEXEC" -n 2 "$BOSC" run later.yaml -o "$work/then.nc" --set output.io_ranks=2 \
    --set checkpoint.every=1e-6 --set backend=ref >out 2>&1 </dev/null &
running=$!
in_time 60 grep -q '^checkpoint at' out
kill -USR1 "$(writers "$work/then.nc" | tail -n 1)"
wait $running
rc=$?
ok "a signal to a writer leaves a checkpoint" eval 'is $rc 75 && [ -s then.nc.checkpoint ]'
timeout 300 "$MPIEXEC" -n 3 "$BOSC" run later.yaml -o then.nc --continue \
    --set output.io_ranks=3 >out 2>&1 </dev/null
rc=$?
ok "three writers go on from it, with the same bits" eval 'is $rc 0 && nc_same later.nc then.nc'

endless_job long >long.yaml

# end RANKS FILE COMMAND...: a run that a failure ends, all ranks writing; its
# words in 'out', its exit code in rc, its seconds.
end() {
    local ranks=$1 began=$SECONDS
    timeout 300 "${@:3}" "$MPIEXEC" -n "$ranks" "$BOSC" run --overwrite "$work/long.yaml" \
        --set "output.io_ranks=$ranks" -o "$2" >out 2>&1 </dev/null
    rc=$?
    seconds=$((SECONDS - began))
}
is_marked() { [ ! -e end.nc ] && ncdump -h end.nc.partial | grep -q "completed = \"no: $1"; }

if unshare -m bash -c 'full_disk true' 2>/dev/null; then
    for ranks in 2 3; do
        rm -f end.nc.partial
        end $ranks disk/end.nc unshare -m bash -c 'full_disk "$@"' bash
        ok "$ranks writers: a full disk ends the run" ended 30
        ok "$ranks writers: with one message" once \
            'No space left on device; free some space'
        ok "$ranks writers: what there was room for is kept" is_marked '.*No space left'
        ok "$ranks writers: and can be read, all of it" is_sound end.nc.partial 20
    done
else
    skip "a full disk cannot be made here"
fi

# start: with two writers, until something is on the disk.
start() {
    rm -f end.nc.* # also the lock of a killed run, which says how far that was
    timeout 300 "$MPIEXEC" -n 2 "$BOSC" run long.yaml --set output.io_ranks=2 \
        -o "$work/end.nc" >out 2>&1 </dev/null &
    running=$!
    in_time 40 reached end.nc 120 && in_time 10 on_disk end.nc.partial
}
await() {
    local began=$SECONDS
    wait $running
    rc=$?
    seconds=$((SECONDS - began))
}

start
"$BOSC" run long.yaml -o end.nc >second 2>&1
ok "another run may not write there meanwhile" grep -q 'another run is writing' second
# shellcheck disable=SC2046  # two processes
kill -TERM $(writers "$work/end.nc")
await
ok "a signal ends both writers" ended 30
ok "and is the reason that the file tells" is_marked '.*stopped by signal 15'
ok "with all results until then" [ "$(frames end.nc.partial)" -ge 1000 ]
for which in 1 2; do
    start
    kill -KILL "$(writers "$work/end.nc" | sed -n ${which}p)"
    await
    ok "writer $which of 2 killed: the run ends" ended 30
    ok "writer $which of 2 killed: no process is left" in_time 20 nobody_writes "$work/end.nc"
    ok "writer $which of 2 killed: what was on the disk can be read" is_sound end.nc.partial 1
    ok "writer $which of 2 killed: and is marked as incomplete" \
        is_marked 'it is running, or was killed'
done
done_testing
