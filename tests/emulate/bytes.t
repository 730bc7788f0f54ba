#!/bin/bash
# bytes.t - what 'bosc plan' expects that a GPU holds, and what an emulated one
# does, in a table of jobs: sizes, synapses, mod files, couplings, what is
# recorded, equal neurons; in cell blocks, and streamed.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

emulated=$BOSC_BUILD/tests/emulate/bosc
[ -x "$emulated" ] || skip_all "bosc was built without a C++ compiler"
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"
own_folder
diagnose="cat out"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

mkdir mods
cp "$BOSC_SRC"/tests/emulate/{cal,echo}.mod mods
cat >mods/pool.mod <<'END'
NEURON { SUFFIX pool USEION ca READ ica, cai WRITE cai RANGE tau }
PARAMETER { tau = 20 (ms) }
STATE { cai (mM) }
ASSIGNED { ica (mA/cm2) }
INITIAL { cai = 1e-4 }
BREAKPOINT { SOLVE change METHOD cnexp }
DERIVATIVE change { cai' = -0.1 * ica - (cai - 1e-4) / tau }
END
cat >plain.yaml <<'END'
name: plain
tstop: 0.2
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: [76, 691], sections: [7, 341]}
    count: 300
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
probes: [{name: soma, at: soma, interval: 0.1}]
END
sed 's/hh: {}}/hh: {}, cal: {gbar: 1e-4}}, dendrite: {cal: {gbar: 2e-4}, pool: {}}, axon: {cal: {}}/' \
    plain.yaml >mods.yaml
sed 's/soma: {hh: {}}/soma: {hh: {}}, axon: {hh: {}}, dendrite: {hh: {}}, apical: {hh: {}}/' plain.yaml >active.yaml
# equal JOB: with 300 neurons of one file.
equal() { sed "s#synthetic: .*#morphologies: $BOSC_SRC/morphologies/medium-high.swc#" "$1"; }
equal plain.yaml >equal.yaml
equal active.yaml >equal-active.yaml
# sized COMPARTMENTS SECTIONS COUNT
sized() { sed "s/{compartments: .*}/{compartments: $1, sections: $2}/; s/count: .*/count: $3/" plain.yaml; }
sized 3 1 5000 >somata.yaml
sized '[5000, 9000]' '[300, 600]' 20 >large.yaml
# recorded JOB [VARIABLES]: 40 of its neurons, all that they have, in every step;
# so few that ranges of steps become as long as on a GPU.
recorded() {
    sed "s/count: .*/count: 40/; s/tstop: .*/tstop: 5/
        s/at: soma, interval: .*/at: everywhere, interval: 0.025${2:+, variables: [$2]}}]/" "$1"
}
recorded plain.yaml >recorded.yaml
recorded active.yaml v,hh.m,h,n >states.yaml
# with SYNAPSE FILE [NUMBER [REGION]]: 30 of these onto each neuron, or so many.
with() {
    cat "$2" - <<END
synapses: [{name: some, type: $1}]
projections:
  - {from: cells, to: cells, rule: fixed_indegree, indegree: ${3:-30}, synapse: some, weight: 1e-4,
     delay: 1, at: {region: ${4:-dendrite}}}
END
}
with ExpSyn plain.yaml 3 >few.yaml
with ExpSyn plain.yaml >net.yaml
with ExpSyn plain.yaml 300 >many.yaml
with Exp2Syn plain.yaml 30 all >slow.yaml
with ExpSyn equal.yaml >equal-net.yaml
with ExpSyn large.yaml 300 >large-net.yaml
with ExpSyn somata.yaml 30 all >somata-net.yaml
with Echo mods.yaml >both.yaml
# coupled RULE
coupled() {
    cat plain.yaml
    echo "couplings: [{name: near, type: gap, from: cells, to: cells, $1, conductance: 1e-4}]"
}
coupled 'rule: fixed_indegree, indegree: 10' >sparse.yaml
coupled 'rule: all_to_all' >dense.yaml
{ cat net.yaml && echo 'second_order: true'; } >second.yaml

# within JOB ARGUMENTS...: a plan expects as much as a GPU holds, but for 10 %;
# no less than that where a hundred steps take over a second, because ranges of
# steps, and with them what is recorded, are shorter then.
within() {
    local began=${EPOCHREALTIME/[.,]/}

    "$emulated" plan "$1.yaml" --set backend=cuda --gpus-per-node 1 --tsv "${@:2}" \
        >planned 2>out </dev/null &&
        "$emulated" run "$1.yaml" --set backend=cuda --overwrite -o gpu.nc "${@:2}" \
            >ran 2>out </dev/null || return 1
    expected=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 { print $at["device_bytes"] }' planned)
    held=$(unwrapped ran | sed -nE 's/.* on the GPU ([0-9.]+) MB.*/\1/p')
    echo "expected $expected bytes, held $held MB" >>out
    awk -v a="$expected" -v b="$held" -v slow=$((${EPOCHREALTIME/[.,]/} - began > 2000000)) '
        BEGIN { exit !(b > 0 && a > 0.9e6 * b && (slow || a < 1.1e6 * b)) }'
}
for job in plain active few net many slow equal equal-active equal-net somata somata-net \
    large large-net recorded states mods; do
    ok "$job, in cell blocks" within $job --set method=cell-blocks
done
for job in plain active many equal somata-net recorded states mods both sparse dense second; do
    ok "$job, streamed" within $job --set method=depth-first
done
"$emulated" plan plain.yaml --set backend=cuda >out </dev/null
ok "a plan names the context of CUDA" says 'GPU memory +besides, about 300 MB a rank'

# Rank 0 of a job compiles its mod files for GPUs, which takes NVRTC 187 MB.
host_bytes() { # JOB BACKEND
    "$emulated" plan "$1.yaml" --set backend="$2" --tsv 2>out </dev/null |
        awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rank_bytes") at = i }
            NR == 2 { print $at }'
}
compiles() { # JOB MB: so much more than without a GPU and its driver
    awk -v on="$(host_bytes "$1" cuda)" -v off="$(host_bytes "$1" cpu)" \
        -v plain_on="$(host_bytes plain cuda)" -v plain_off="$(host_bytes plain cpu)" \
        -v want="$2" 'BEGIN {
            more = (on - off - plain_on + plain_off) / 1e6
            print "# MB", more
            exit !(more > want - 20 && more < want + 20) }'
}
ok "to compile mod files for GPUs takes memory of the host" compiles mods 187
ok "without mod files nothing is compiled" compiles active 0
done_testing
