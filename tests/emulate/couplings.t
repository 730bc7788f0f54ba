#!/bin/bash
# couplings.t - gap junctions and graded synapses on an emulated GPU: the bits of
# the reference, whatever the format, the number of ranks, and what else is there.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C

[ -x "$BOSC_BUILD/tests/emulate/bosc" ] || skip_all "bosc was built without a C++ compiler"
need_ncdump
need_launcher
own_folder
diagnose="cat out difference"

cat >mesh.yaml <<'END'
name: mesh
tstop: 1
populations:
  - name: cells
    synthetic: {compartments: 40, sections: 9}
    count: 43
    positions: {box: [200, 200, 50]}
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
  - name: others
    synthetic: {compartments: [15, 31], sections: [3, 5]}
    count: 5
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
clamps: [{neurons: "0-3", delay: 0.2, duration: 5, amplitude: 0.9}]
couplings:
  - {name: near, type: gap, from: cells, to: cells, rule: distance, length: 60, conductance: {distance: [0.004, -1e-5]}}
  - {name: far, type: gap, from: cells, to: others, rule: fixed_indegree, indegree: 7, conductance: {uniform: [0.0005, 0.002]}, at: {region: dendrite}, source: {at: "dend[0](0.5)"}}
  - {name: inhibit, type: graded, from: cells, to: cells, rule: fixed_probability, probability: 0.3, conductance: 0.001, e: -80, half: -40, slope: 5}
probes: [{name: soma, at: soma, interval: 0.1}]
END
cat mesh.yaml - >spikes.yaml <<'END'
synapses: [{name: fast, type: ExpSyn}]
projections: [{from: cells, to: others, synapse: fast, rule: fixed_indegree, indegree: 4, weight: 0.003, delay: 0.5}]
END

"$BOSC" run mesh.yaml -q --set backend=ref -o mesh.nc >out 2>&1
"$BOSC" run spikes.yaml -q --set backend=ref -o spikes.nc >out 2>&1
ok "the reference runs" ls mesh.nc spikes.nc

# same RANKS JOB ARGUMENTS...: has the emulated GPU the bits of the reference?
same() {
    rm -f gpu.nc
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC_BUILD/tests/emulate/bosc" run "$2.yaml" \
        --set backend=cuda --share --overwrite -o gpu.nc "${@:3}" >out 2>&1 </dev/null &&
        unwrapped out | grep -q '; emulated' && nc_same "$2.nc" gpu.nc
}
ok "on one rank all steps go on by themselves, with the same bits" same 1 mesh
for ranks in 2 3; do
    ok "$ranks ranks exchange voltages at every step, with the same bits" same $ranks mesh
done
for format in csr ellpack dense; do
    ok "so it is in the format $format" same 1 mesh --set couplings.near.format=$format \
        --set couplings.far.format=$format --set couplings.inhibit.format=$format
done
ok "with synapses as well" same 1 spikes
ok "on two ranks, too" same 2 spikes
done_testing
