#!/bin/bash
# large.t - many neurons that all differ: a sixteenth of
# jobs/heterogeneous-256k.yaml has the same bits however it is divided, and
# needs little memory.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
need_launcher
own_folder
diagnose="cat out"
job=$BOSC_SRC/jobs/heterogeneous-256k.yaml

# run RANKS NEURONS PROBED OUTPUT ARGUMENTS...: the job, so strongly clamped that
# some neurons spike within 10 steps.
run() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run --overwrite \
        "$job" -o "$4" \
        --set populations.cells.count="$2" --set "probes[0].neurons=$3" \
        --set tstop=0.25 --set 'clamps[0].delay=0' \
        --set 'clamps[0].amplitude=4' --set threads=1 \
        "${@:5}" >out 2>&1 </dev/null
    rc=$?
}
within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

# bytes FILE: the most memory of all ranks together.
bytes() {
    ncdump -v rank_bytes "$1" | sed -n '/^data:/,$p' | tr ',' ' ' |
        awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum }'
}
compartments() {
    sed -n 's/.* neurons, \([0-9,]*\) compartments.*/\1/p' out | tr -d ,
}

# lean RANKS: 47 bytes where this was written; the job promises 100.
lean() {
    local each
    each=$((($(bytes "$1.nc") - $(bytes "base$1.nc")) / total))
    echo "$each bytes a compartment" | tee -a out | sed 's/^/# /'
    within "$each" 40 60
}

# Seconds of the processor, whatever else it does meanwhile: all of the job is
# to be set up in 90 s on two.
dry() {
    local TIMEFORMAT='%U %S'
    { time "$BOSC" run "$job" --dry-run --set threads=1 \
        --set populations.cells.count=16000 >out 2>&1 </dev/null; } 2>seconds
}
quick() {
    awk '{ seconds = $1 + $2
           printf "# %.2f s of one core, %.0f s of two for all neurons\n",
               seconds, seconds * 16 / 2
           exit !(seconds > 0 && seconds * 16 / 2 < 90) }' seconds
}
dry
ok "setting up takes little time" quick

run 1 16000 0-999 1.nc
ok "16,000 neurons that all differ run on one rank" is $rc 0
total=$(compartments)
mean=$((total / 16000))
ok "they have 383 compartments on average, as drawn from 76 to 691" \
    within "$mean" 378 389
ok "some of them spike, others do not" says ' ([3-9],[0-9]{3}|1[0-2],[0-9]{3}) spikes'
for ranks in 2 4; do
    run $ranks 16000 0-999 $ranks.nc
    ok "$ranks ranks give the bits of one" nc_same 1.nc $ranks.nc
done
for ranks in 1 2 4; do
    run $ranks 1 0 base$ranks.nc
    ok "memory is what the time loop needs, and little else (ranks: $ranks)" lean $ranks
done
run 2 300 0-99 one.nc
run 1 300 0-99 two.nc --set threads=2
ok "2 threads give the bits of 2 ranks" nc_same one.nc two.nc
done_testing
