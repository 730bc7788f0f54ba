#!/bin/bash
# limits.t - what an emulated GPU does not keep on its chip: 'bosc plan', the run
# and its result say the same of it, and the bits are those of the CPU.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

emulated=$BOSC_BUILD/tests/emulate/bosc
[ -x "$emulated" ] || skip_all "bosc was built without a C++ compiler"
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"
need_ncdump
need_launcher
own_folder
diagnose="cat out"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

mkdir mods
cp "$BOSC_SRC"/tests/emulate/cal.mod mods
cat >mods/leak.mod <<'END'
NEURON { POINT_PROCESS Leak NONSPECIFIC_CURRENT i }
STATE { g (uS) }
ASSIGNED { v (mV) i (nA) }
INITIAL { g = 0 }
BREAKPOINT { SOLVE fade METHOD cnexp i = g * v }
DERIVATIVE fade { g' = -g }
NET_RECEIVE(w (uS)) { g = g + w }
END
cat >plain.yaml <<'END'
name: plain
tstop: 0.2
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: [20, 60], sections: [3, 9]}
    count: 40
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
clamps: [{at: soma, delay: 0.05, duration: 1, amplitude: 0.9}]
probes: [{name: soma, at: soma, interval: 0.025}]
END
cat plain.yaml - >coupled.yaml <<'END'
couplings: [{name: near, type: gap, from: cells, to: cells, rule: fixed_indegree, indegree: 2, conductance: 0.001}]
END
cat plain.yaml - >ring.yaml <<'END'
synapses: [{name: fast, type: ExpSyn}]
projections: [{from: cells, to: cells, rule: ring, synapse: fast, weight: 0.01, delay: 0.2}]
END
large='- {name: large, synthetic: {compartments: 66000, sections: 9}, count: 1,
     regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}, hh: {}}}}'
awk -v large="  $large" '/^clamps/ { print large } { print }' plain.yaml >large.yaml

# What TEXT, a file of words in lines, says that is streamed.
streamed() { unwrapped "$1" | grep -oE '(all|[0-9,]+ of [0-9,]+) neurons streamed \([^)]*\)' | sort -u; }
kept() { ncdump -h "$1" | sed -n 's/.*:method_streamed = "\(.*\)" ;/\1/p'; }

gpu=(--set method=cell-blocks) # arguments for the GPU alone
# as_planned WORDS RANKS JOB ARGUMENTS...: do a plan, what a run says before and
# after, and the result all say WORDS?  And has it the bits of the CPU?
as_planned() {
    local words=$1 ranks=$2 job=$3
    shift 3
    rm -f cpu.nc gpu.nc
    "$emulated" plan "$job.yaml" --set backend=cuda --gpus-per-node "$ranks" --ranks "$ranks" \
        "${gpu[@]}" "$@" >planned </dev/null 2>out &&
        timeout 300 "$MPIEXEC" -n "$ranks" "$emulated" run "$job.yaml" --share \
            --set backend=cuda -o gpu.nc "${gpu[@]}" "$@" >ran </dev/null 2>out &&
        timeout 300 "$BOSC" run "$job.yaml" -q -o cpu.nc "$@" >out 2>&1 </dev/null || return 1
    sed -n '1,/^wrote/p' ran >before
    sed -n '/^wrote/,$p' ran >after
    kept gpu.nc | cat planned ran - >>out
    [ "$(streamed planned)|$(streamed before)|$(streamed after)|$(kept gpu.nc)" = \
        "$words|$words|$words|$words" ] && nc_same cpu.nc gpu.nc
}
all() { echo "all neurons streamed ($1)"; }
soma=populations.cells.regions.soma
ok "neurons that find a place are not mentioned" as_planned '' 1 plain
ok "nor densities of mod files" as_planned '' 1 plain --set $soma.cal.gbar=1e-4
ok "on two ranks" as_planned '' 2 plain --set $soma.cal.gbar=1e-4
sed 's/ExpSyn/Leak/' ring.yaml >leak.yaml
points='point processes of mod files'
ok "their point processes" as_planned "$(all "$points")" 1 leak --set $soma.cal.gbar=1e-4
ok "on two ranks, too" as_planned "$(all "$points")" 2 leak
cat plain.yaml - >unused.yaml <<'END'
synapses: [{name: leak, type: Leak}]
END
ok "but not for a kind of synapse without projections" as_planned '' 1 unused
ok "couplings" as_planned "$(all couplings)" 1 coupled
ok "second order" as_planned "$(all 'second order')" 1 plain --set second_order=true
ok "epochs of four steps are not" as_planned '' 1 ring
ok "of three they are" as_planned "$(all 'epochs of fewer than 4 steps')" 1 ring \
    --set projections[0].delay=0.15
ok "a neuron of 66,000 hh is streamed alone" \
    as_planned '1 of 41 neurons streamed (too many mechanisms)' 1 large
ok "on two ranks, too" as_planned '1 of 41 neurons streamed (too many mechanisms)' 2 large
gpu=()

# Where the job leaves the method to bosc, none is taken that another computes for.
method() { unwrapped "$1" | grep -oE 'cuda (cell-blocks|depth-first)' | sort -u; }
of_result() { ncdump -h "$1" | sed -n 's/.*:method = "\(.*\)" ;/cuda \1/p'; }
# chooses METHOD RANKS JOB ARGUMENTS...: do a plan, a run and its result name it
# alone, with nothing streamed that it would keep?
chooses() {
    local method=$1
    as_planned '' "${@:2}" || return 1
    [ "$(method planned)|$(method ran)|$(of_result gpu.nc)" = \
        "cuda $method|cuda $method|cuda $method" ]
}
ok "cell blocks are chosen for what they keep" chooses cell-blocks 1 plain
ok "also with epochs of four steps" chooses cell-blocks 1 ring
ok "also for densities of mod files" chooses cell-blocks 1 plain --set $soma.cal.gbar=1e-4
ok "depth-first for their point processes" chooses depth-first 1 leak
ok "on two ranks" chooses depth-first 2 leak
ok "for couplings" chooses depth-first 1 coupled
ok "for couplings of two ranks" chooses depth-first 2 coupled
ok "for the second order" chooses depth-first 1 plain --set second_order=true
ok "for the second order with couplings of two ranks" chooses depth-first 2 coupled \
    --set second_order=true
ok "for epochs of three steps" chooses depth-first 1 ring --set projections[0].delay=0.15
ok "there is nothing to measure first then" chooses depth-first 1 plain \
    --set second_order=true --set tune=measure
ok "nothing is said where the job asks for depth-first" as_planned '' 1 plain \
    --set method=depth-first --set $soma.cal.gbar=1e-4

# Reasons, and seconds of the method that computes instead.
why() {
    "$emulated" plan plain.yaml --set backend=cuda --why "$@" >out 2>&1 </dev/null
    unwrapped out >line
}
why --set second_order=true
ok "a plan tells why" grep -q 'second order): it needs the voltages of before' line
seconds() { sed -nE "s/.* $1 +([0-9.]+ m?s) a step.*/\1/p" line; }
ok "and takes the time of what is done instead" is "$(seconds cell-blocks)" "$(seconds depth-first)"
why
ok "else the chip is faster" differs "$(seconds cell-blocks)" "$(seconds depth-first)"
done_testing
