#!/bin/bash
# network.t - 'output: {network: true}': what came out goes in again as lists, with
# the same spikes, voltages and weights, bit for bit; it is the same on any number of
# ranks, on a GPU and after a checkpoint.
# shellcheck disable=SC2016,SC2034
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

need_ncdump
need_launcher
own_folder
diagnose="cat out"
emulated=$BOSC_BUILD/tests/emulate/bosc
cp "$BOSC_SRC/tests/random/mods/depress.mod" "$BOSC_SRC/tests/random/mods/stdp.mod" .

table=connection_projection,connection_source,connection_target,connection_section
table=$table,connection_x,connection_weight,connection_delay,connection_synapse
table=$table,connection_end_weight,synapse_tau,synapse_use
# is_same NAME NAME VARIABLES
is_same() {
    for file in "$1" "$2"; do
        ncdump -p 9,17 -v "$3" "$file.nc" | sed '1,/^data:/d' >"$file.text"
    done
    [ -s "$1.text" ] && cmp -s "$1.text" "$2.text"
}
alike() { is_same "$1" "$2" "$table,soma_v,every_v,spike_time,spike_gid,neuron_x,neuron_z"; }

cat >cell.swc <<'END'
1 1 0 0 0 8 -1
2 3 0 8 0 1 1
3 3 0 108 0 1 2
4 3 60 188 0 0.6 3
5 3 -60 188 0 0.5 3
6 4 8 0 0 1.4 1
7 4 208 0 0 1.2 6
END
cat >cells <<'END'
tstop: 25
mechanisms: [depress.mod, stdp.mod]
populations:
  - {name: a, morphologies: cell.swc, count: 5, positions: {box: [100, 100, 100]},
     regions: {all: {pas: {g: 0.0001}}, soma: {hh: {}}}}
  - {name: b, morphologies: cell.swc, count: 4, positions: {box: [100, 100, 100]},
     regions: {all: {pas: {g: 0.0001}}, soma: {hh: {}}}}
sources:
  - {name: s, type: poisson, count: 10, rate: 90}
synapses:
  - {name: tires, type: Depress, tau: 2}
  - {name: learns, type: Learn}
  - {name: plain, type: ExpSyn, tau: 2}
probes:
  - {name: soma, at: soma}
  - {name: every, at: everywhere, interval: 5}
output: {network: true}
projections:
END
cp cells made.yaml
cat >>made.yaml <<'END'
  - {name: in, from: s, to: [a, b], synapse: plain, rule: fixed_indegree, indegree: 4,
     weight: {lognormal: [0.02, 0.005]}, at: {region: all}}
  - {name: rec, from: [a, b], to: [a, b], synapse: tires, rule: fixed_probability,
     probability: 0.5, weight: {normal: [0.01, 0.003]}, delay: {distance: [1, 0.02]},
     at: {region: [dendrite, apical], by: area}, source: {at: "dend[0](1)", threshold: -50},
     parameters: {use: {uniform: [0.2, 0.5]}, tau: {distance: [2, 0.01], max: 4}}}
  - {name: learn, from: a, to: b, synapse: learns, rule: distance, length: 60,
     weight: {uniform: [0.001, 0.002]}, delay: {uniform: [1, 3]}, at: "apic[0](0.3)"}
END
cp cells listed.yaml
cat >>listed.yaml <<'END'
  - {name: in, from: s, to: [a, b], synapse: plain, rule: list, file: made.nc}
  - {name: rec, from: [a, b], to: [a, b], synapse: tires, rule: list, file: made.nc,
     source: {at: "dend[0](1)", threshold: -50}}
  - {name: learn, from: a, to: b, synapse: learns, rule: list, file: made.nc}
END
ok "a network comes out" eval 'alone made.yaml; [ "$rc" = 0 ]'
ok "the summary tells in-degrees" says 'in-degree +in 4, rec .* \([0-9]+ to [0-9]+\), learn '
ok "cells have spiked" [ "$(values_of made.nc spike_time | wc -l)" -ge 5 ]
ok "and weights have changed" eval '! is "$(values_of made.nc connection_weight)" \
    "$(values_of made.nc connection_end_weight | grep -v NaN)"'
ok "as many connections are in the table as were made" eval \
    'says "network +$(values_of made.nc connection_source | wc -l) connections"'
ok "it goes in again as lists" eval 'alone listed.yaml -q; [ "$rc" = 0 ]'
ok "with the same bits" alike made listed
run 3 made.yaml -q -o ranks.nc
ok "3 ranks write the same" alike made ranks
if [ -x "$emulated" ]; then
    timeout 300 "$emulated" run -q made.yaml -o gpu.nc --set backend=cuda >out 2>&1 </dev/null
    ok "and a GPU" alike made gpu
else
    skip "there is no emulated GPU"
fi
# The reference is slow enough to be stopped.
stopped() {
    "$BOSC" run long.yaml -o part.nc --set backend=ref >out 2>&1 </dev/null &
    local pid=$!
    for ((i = 0; i < 3000; i++)); do
        grep -qE '^ [1-9][0-9] %' out && break
        kill -0 $pid 2>/dev/null || break
        sleep 0.01
    done
    kill -TERM $pid 2>/dev/null
    wait $pid
    [ $? = 75 ] && [ -s part.nc.checkpoint ]
}
sed 's/^tstop: 25/tstop: 250/' made.yaml >long.yaml
alone long.yaml -q
ok "a run is stopped before its end" stopped
ok "and writes the same where it goes on" eval \
    '"$BOSC" run long.yaml -q -o part.nc --continue >out 2>&1 && alike long part'
sed 's/name: learn,/name: other,/' listed.yaml >bad.yaml
ok "a projection of another name has no edges there" eval \
    'alone bad.yaml -q; [ "$rc" != 0 ] && says "no edge of made.nc is of projection .other." &&
        [ "$(wc -l <out)" = 1 ]'
sed 's/name: s, type: poisson, count: 10/name: s, type: poisson, count: 3/' listed.yaml >bad.yaml
ok "nor one with fewer sources" eval 'alone bad.yaml -q; [ "$rc" != 0 ] &&
    says "made.nc.[0-9]*.: source [0-9]* of projection .in. is out of range; allowed: 0 to 2"'
sed 's/tires/weary/' listed.yaml >bad.yaml
sed -i 's/synapse: tires/synapse: weary/' bad.yaml
ok "nor one whose kind of synapse has another name" eval 'alone bad.yaml -q; [ "$rc" != 0 ] &&
    says "projection .rec. is of a kind that .synapses. has not"'
sed 's/^projections:/sweep: {grid: {celsius: [6, 7]}}\n&/' made.yaml >bad.yaml
ok "a sweep has no such table" eval \
    'alone bad.yaml -q; [ "$rc" != 0 ] && says "a sweep has a network for each member"'

done_testing
