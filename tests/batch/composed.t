#!/bin/bash
# composed.t - the composed step: assembly, a solver of the papers in its own
# layout, update.  Each method has the bits of the default one, on several ranks,
# after a checkpoint, with couplings, second order and synapses.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
need_ncdump
need_launcher
own_folder
export XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config
diagnose="cat out"

cat >net.yaml <<'END'
tstop: 30
populations:
  - {name: left, synthetic: {compartments: [21, 90], sections: [5, 15]}, count: 41,
     regions: {all: {pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}}
  - {name: right, synthetic: {compartments: 30, sections: 5}, count: 9,
     regions: {all: {pas: {g: 2e-4, e: -65}}, soma: {hh: {gnabar: 0.13}}}}
synapses: [{name: fast, type: ExpSyn, tau: 2, e: 0}, {name: slow, type: Exp2Syn, tau1: 1, tau2: 6, e: 0}]
sources: [{name: noise, type: poisson, count: 20, rate: 60}]
clamps: [{neurons: "0-9", at: soma, delay: 2, duration: 9, amplitude: 0.4}]
projections:
  - {from: noise, to: left, rule: fixed_indegree, indegree: 8, synapse: fast, weight: 0.006, delay: {uniform: [0.5, 3]}}
  - {from: left, to: right, rule: fixed_indegree, indegree: 4, synapse: slow, weight: 0.004, delay: 1.5}
couplings:
  - {name: gaps, type: gap, from: left, to: left, rule: fixed_probability, probability: 0.02, conductance: 0.0005}
probes:
  - {name: soma, at: soma, interval: 0.1, variables: [v, hh.m, i_mem]}
  - {name: whole, neurons: "2,3", at: everywhere, interval: 1}
END
methods="hines-interleaved hines-block hines-block-shared hines-vbatch-cp hines-vbatch-ncp
    level-schedule-cp level-schedule-ncp level-schedule-sliced"

alone net.yaml -o plain.nc
alone net.yaml -o second.nc --set second_order=true
for method in $methods; do
    alone net.yaml -o own.nc --set "method=$method"
    ok "$method has the bits of the default" nc_same plain.nc own.nc
    ok "and tells the time of its stages" \
        says 'integrate +assemble [0-9.]+ m?s, solve [0-9.]+ m?s, update [0-9.]+ m?s'
    alone net.yaml -o own.nc --set "method=$method" --set second_order=true --set threads=3
    ok "with second order, by three threads" nc_same second.nc own.nc
    run 3 net.yaml -o own.nc --set "method=$method"
    ok "on three ranks" nc_same plain.nc own.nc
done
ok "the file has the stages" grep -q '"assemble", "solve", "update"' <(ncdump -v phase_name own.nc | tr -d '\n' | tr -s ' ')

alone net.yaml -o own.nc --set method=level-schedule-ncp --set levels=root
ok "levels may be counted from the root" eval 'nc_same plain.nc own.nc && says "levels of sections from the root"'
for block in 32 96 512; do
    alone net.yaml -o own.nc --set method=hines-block --set block=$block
    ok "blocks of $block" nc_same plain.nc own.nc
done

# ---- voltages far beyond a membrane's, in rows that pad a section too ----

cat >wild.yaml <<'END'
tstop: 0.4
populations:
  - {name: p, synthetic: {compartments: [17, 40], sections: [4, 9]}, count: 20,
     regions: {all: {pas: {}}}}
clamps: [{duration: 4, amplitude: -7e5}]
END
# The first voltage that the run warns of.
warned() {
    alone wild.yaml -o wild.nc --overwrite --set "$@"
    grep -o 'neuron [0-9]* has .* beyond [0-9]* mV' <(unwrapped out) && [ "$rc" -lt 128 ]
}
warned backend=ref >expected
ok "voltages beyond a membrane's are told" [ -s expected ]
for levels in tips root; do
    warned method=level-schedule-cp --set levels=$levels >told
    ok "the same by sections, levels from the $levels" cmp -s expected told
done

# ---- a plan knows the padding ----

# padding METHOD: of a plan, and of a run.
padding() {
    "$BOSC" plan net.yaml --tsv --set "method=$1" 2>&1 |
        awk -F'\t' '!at { for (k = 1; k <= NF; ++k) if ($k == "padding") at = k; next } { print $at; exit }'
    alone net.yaml -o own.nc --set "method=$1" --set tstop=0.1
    unwrapped out | grep -oE 'padding [0-9.]+' | cut -d' ' -f2
}
for method in hines-interleaved hines-vbatch-ncp; do
    ok "a plan has the padding of $method" eval \
        "padding $method | xargs | awk '{ exit !(\$1 > 1.2 && \$1 < \$2 + 0.001 && \$1 > \$2 - 0.001) }'"
done
ok "and about that of level-schedule-cp" eval \
    "padding level-schedule-cp | xargs | awk '{ exit !(\$1 > 0.6 * \$2 && \$1 < 1.7 * \$2 && \$2 > 2) }'"

# ---- a checkpoint is of no method ----

alone net.yaml -o part.nc --set tstop=12.5 --set method=level-schedule-sliced
alone net.yaml -o part.nc --set method=hines-vbatch-ncp
ok "a run goes on by another method" nc_same plain.nc part.nc

# ---- what is refused ----

refused() {
    alone net.yaml -o no.nc --set "$1" --set "$2"
    [ "$rc" != 0 ] && grep -qE "$3" <(unwrapped out)
}
ok "sections are not verified" refused method=level-schedule-cp verify=2 \
    'level-schedule-cp has no verify \(the sections of a neuron are in different groups\); use hines-interleaved'
ok "small blocks" refused method=hines-block block=8 'block: 8 neurons; use 32 to 512'
ok "blocks of a method without" refused method=hines-flat block=64 'method hines-flat has no blocks'
ok "levels of a method without" refused method=hines-block levels=root 'method hines-block has no levels'
ok "nothing is written" [ ! -e no.nc ]
done_testing
