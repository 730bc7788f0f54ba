#!/bin/bash
# bytes.t - what 'bosc plan' expects that a GPU holds, and what an emulated one
# does: with mechanisms of mod files, and with many synapses.
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
# with SYNAPSE FILE: 30 of these onto each neuron.
with() {
    cat "$2" - <<END
synapses: [{name: some, type: $1}]
projections:
  - {from: cells, to: cells, rule: fixed_indegree, indegree: 30, synapse: some, weight: 1e-4,
     delay: 1, at: {region: dendrite}}
END
}
with ExpSyn plain.yaml >net.yaml
with Echo mods.yaml >both.yaml

# within JOB ARGUMENTS...: a plan expects as much as a GPU holds, but for 10 %.
within() {
    "$emulated" plan "$1.yaml" --set backend=cuda --gpus-per-node 1 --tsv "${@:2}" \
        >planned 2>out </dev/null &&
        "$emulated" run "$1.yaml" --set backend=cuda --overwrite -o gpu.nc "${@:2}" \
            >ran 2>out </dev/null || return 1
    expected=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
        NR == 2 { print $at["device_bytes"] }' planned)
    held=$(unwrapped ran | sed -nE 's/.* on the GPU ([0-9.]+) MB.*/\1/p')
    echo "expected $expected bytes, held $held MB" >>out
    awk -v a="$expected" -v b="$held" 'BEGIN { exit !(b > 0 && a > 0.9e6 * b && a < 1.1e6 * b) }'
}
ok "neurons on the chip" within plain
ok "streamed ones" within plain --set method=depth-first
ok "mod files" within mods
ok "thirty synapses a neuron, streamed" within net --set method=depth-first
ok "mod files with thirty synapses of their own" within both
done_testing
