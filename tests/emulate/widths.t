#!/bin/bash
# widths.t - groups of 8, 16 and 32 neurons on an emulated GPU, which has four
# multiprocessors: the fewer neurons there are that are streamed, the narrower.
# Nothing but the time depends on it, and 'bosc plan' knows it.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

[ -x "$BOSC_BUILD/tests/emulate/bosc" ] || skip_all "bosc was built without a C++ compiler"
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"
need_ncdump
need_launcher
own_folder
diagnose="cat out difference"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

mkdir mods
cp "$BOSC_SRC"/tests/emulate/{cal,echo}.mod mods
# Trees of all sizes, and some that are equal.
cat >made.yaml <<'END'
name: made
tstop: 2
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: [20, 60], sections: [3, 9]}
    count: 20
    regions:
      all: {Ra: 100, pas: {g: 1e-4, e: -65}}
      soma: {hh: {}, cal: {gbar: 2e-4}}
      axon: {cal: {}}
  - name: equal
    synthetic: {compartments: 50, sections: 5}
    count: 9
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}, hh: {}}}
clamps:
  - {neurons: "0-8", at: soma, delay: 0.2, duration: 1, amplitude: 0.9}
  - {neurons: "3-5", at: soma, delay: 0.4, duration: 0.5, amplitude: 0.1}
synapses: [{name: echo, type: Echo}]
projections:
  - {from: cells, to: cells, synapse: echo, rule: fixed_indegree, indegree: 3, weight: 0.002, delay: 0.4}
  - {from: cells, to: equal, synapse: echo, rule: fixed_indegree, indegree: 1, weight: 0.002, delay: 0.5}
probes:
  - {name: soma, at: soma, interval: 0.1, variables: [v, hh.m, cal.m]}
  - {name: all, at: everywhere, interval: 0.5}
END

# run RANKS JOB FILE ARGUMENTS...: on the emulated GPU, which ranks share, or one
# has it where 'others' is mix.
others=share
run() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC_BUILD/tests/emulate/bosc" run "$2.yaml" "--$others" \
        --set backend=cuda --overwrite -o "$3" "${@:4}" >out 2>&1 </dev/null
}
wide() { [ "$(unwrapped out | grep -oE 'vectors of [0-9]+ neurons')" = "vectors of $1 neurons" ]; }
# same WIDTH RANKS JOB ARGUMENTS...: groups so wide, and the bits of the CPU?
same() {
    rm -f cpu.nc gpu.nc
    timeout 300 "$BOSC" run "$3.yaml" -q -o cpu.nc "${@:4}" >out 2>&1 </dev/null &&
        run "$2" "$3" gpu.nc "${@:4}" && wide "$1" && nc_same cpu.nc gpu.nc
}
count_of=populations.cells.count
ok "29 neurons are in groups of 8, with the bits of the CPU" same 8 1 made
ok "64 in groups of 16" same 16 1 made --set $count_of=55
ok "65 in groups of 32" same 32 1 made --set $count_of=56
ok "on two ranks 64 are in groups of 8" same 8 2 made --set $count_of=55
ok "on three 66 are" same 8 3 made --set $count_of=57

# as_planned RANKS ARGUMENTS...: does a run pad its groups as its plan said?
as_planned() {
    "$BOSC_BUILD/tests/emulate/bosc" plan made.yaml --set backend=cuda --gpus-per-node "$1" \
        --ranks "$1" --tsv "${@:2}" >out 2>&1 </dev/null || return 1
    planned=$(awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 { printf "%.3f %.3f", $at["padding"], $at["lane_use"] }' out)
    run "$1" made gpu.nc "${@:2}" || return 1
    had=$(for name in rank_compartments rank_slots rank_lane_rows; do
        ncdump -v $name gpu.nc | sed -n '/^data:/,$p' | sed -n "/ $name =/,/;/p" |
            tr -d ';}' | tr ',' '\n' | sed 's/.*=//' | awk '{ all += $1 } END { print all }'
    done | awk '{ n[NR] = $1 } END { printf "%.3f %.3f", n[2] / n[1], n[1] / n[3] }')
    echo "planned $planned, had $had" >>out
    [ "$planned" = "$had" ]
}
for cells in 20 55 56; do
    ok "a plan knows the groups of $cells and nine" as_planned 1 --set "$count_of=$cells"
done
ok "and those of two ranks" as_planned 2 --set $count_of=55

# mixed: the same where one of two ranks computes on a CPU: its lanes are others.
mixed() {
    others=mix run 2 made gpu.nc --set $count_of=55 && wide 16 || return 1
    had=$(unwrapped out | grep -oE 'padding [0-9.]+')
    "$BOSC_BUILD/tests/emulate/bosc" plan made.yaml --set backend=cuda --set $count_of=55 --mix \
        --gpus-per-node 1 --ranks-per-node 2 --ranks 2 --tsv >out 2>&1 </dev/null || return 1
    [ "$had" = "padding $(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 { printf "%.3f", $at["padding"] }' out)" ]
}
ok "groups are for the ranks that have a GPU" mixed

# planned_bytes METHOD: of one GPU, for cells of the second order beside others.
planned_bytes() {
    "$BOSC_BUILD/tests/emulate/bosc" plan beside.yaml --set second_order=true --set backend=cuda --set method="$1" \
        --gpus-per-node 1 --ranks 1 --tsv 2>out </dev/null | awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 { print $at["device_bytes"] }'
}
sed '/^synapses/,/^probes/{/^probes/!d}' made.yaml >beside.yaml
bytes=$(planned_bytes depth-first)
ok "a plan has bytes of a GPU" [ "${bytes:-0}" -gt 0 ]
ok "and as many where cell blocks are asked for: all is streamed" is "$(planned_bytes cell-blocks)" "$bytes"

# A checkpoint knows neurons, not groups.
saved=(--set checkpoint.at_end=true)
same_saved() {
    rm -f cpu.nc* gpu.nc*
    timeout 300 "$BOSC" run made.yaml -q -o cpu.nc "${saved[@]}" >out 2>&1 </dev/null &&
        run 1 made gpu.nc "${saved[@]}" && wide 8 && nc_same cpu.nc.checkpoint gpu.nc.checkpoint
}
ok "a checkpoint of groups of 8 is that of a CPU" same_saved

# Without point processes of mod files neurons may stay on the chip, 32 by 32.
cat >plain.yaml <<'END'
name: plain
tstop: 1
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: [20, 60], sections: [3, 9]}
    count: 20
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
clamps: [{at: soma, delay: 0.2, duration: 1, amplitude: 0.9}]
probes: [{name: all, at: everywhere, interval: 0.5}]
END
cat plain.yaml - >coupled.yaml <<'END'
couplings: [{name: near, type: gap, from: cells, to: cells, rule: fixed_indegree, indegree: 2, conductance: 0.001}]
END
ok "built-in mechanisms are in groups of 32" same 32 1 plain
ok "but not in the second order, where all are streamed" same 8 1 plain --set second_order=true
ok "nor with couplings" same 8 2 coupled
sed 's/regions: {/&axon: {cal: {}}, /' plain.yaml >nowhere.yaml
ok "few neurons with densities of mod files beyond somata, too" same 32 1 nowhere
sed 's/count: 20/count: 40/' nowhere.yaml >crowd.yaml
ok "more than 8 a multiprocessor of such are streamed" same 16 1 crowd
sed 's/soma: {/&cal: {}, /' plain.yaml >somata.yaml
ok "in somata they are in groups of 32" same 32 1 somata
done_testing
