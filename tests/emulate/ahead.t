#!/bin/bash
# ahead.t - epochs that an emulated GPU begins before the ones before have been
# looked at: nothing but the time depends on it, whatever comes between.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE
emulated=$BOSC_BUILD/tests/emulate/bosc
[ -x "$emulated" ] || skip_all "bosc was built without a C++ compiler"
need_ncdump
own_folder
diagnose="cat out"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

cat >job.yaml <<'END'
name: job
tstop: 40
populations:
  - name: cells
    synthetic: {compartments: [5, 40], sections: [2, 5]}
    count: 12
    regions: {all: {pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
synapses: [{name: excite, type: ExpSyn, tau: 2, e: 0}]
sources: [{name: kick, type: poisson, count: 20, rate: 100}]
projections:
  - {from: cells, to: cells, rule: ring, synapse: excite, weight: 0.01, delay: 2}
  - {from: kick, to: cells, rule: fixed_indegree, indegree: 4, synapse: excite, weight: 0.005, delay: 1.5}
probes:
  - {name: soma, at: soma, interval: 0.1, variables: [v, hh.m]}
  - {name: all, neurons: "0-3", at: everywhere, interval: 0.5}
END

# on CPU|GPU ARGUMENTS...
on() {
    local program=$BOSC backend=cpu
    [ "$1" = GPU ] && program=$emulated backend=cuda
    timeout 300 "$program" run job.yaml --set backend=$backend "${@:2}" >out 2>&1 </dev/null
    rc=$?
}
same() { [ "$rc" = 0 ] && nc_same "$1" "$2"; }

on CPU -o whole.nc
ok "the CPU has its results" [ "$rc" = 0 ]
on GPU -o gpu.nc
ok "those of the GPU are the same" same whole.nc gpu.nc
on GPU -o streamed.nc --set method=depth-first
ok "also from memory" same whole.nc streamed.nc
for method in auto depth-first; do
    on GPU -o again-$method.nc --set method=$method --verify 12
    ok "ref gives the bits of $method again, beside it" grep -qE 'verified +12 neurons: equal' out
    ok "and changes none" same whole.nc again-$method.nc
done
on GPU -o clock.nc --set checkpoint.every=0.0001
ok "and with checkpoints by the clock" same whole.nc clock.nc

# A signal asks for a checkpoint, and the run goes on from it.
on CPU -o long.nc --set tstop=200
"$emulated" run job.yaml --set backend=cuda --set tstop=200 -o halt.nc >out 2>&1 </dev/null &
process=$!
in_time 60 reached halt.nc 4
kill -TERM $process
wait $process
rc=$?
ok "a signal ends it after a checkpoint" [ "$rc" = 75 ]
on GPU -o halt.nc --set tstop=200
ok "from which it goes on to the same end" same long.nc halt.nc
ok "and not from the begin" grep -qE "resuming +at t = .* from a checkpoint" out

# What goes wrong is told as without going ahead: of both WORDS CLAMPS, those of
# the CPU into 'cpu', those of the GPU into 'gpu'.
both() {
    on CPU -o both.nc --set "clamps=[$2]"
    grep -oE "$1" out >cpu
    [ ! -e both.nc ] || mv both.nc cpu.nc
    on GPU -o both.nc --set "clamps=[$2]"
    grep -oE "$1" out >gpu
}
likewise() { [ -s cpu ] && cmp -s gpu cpu; }
both 'voltage of neuron .*' '{neurons: "8", at: soma, delay: 5, duration: 1, amplitude: -1e6},
    {neurons: "2", at: soma, delay: 6.1, duration: 1, amplitude: -9e5}'
ok "a voltage that is not finite ends it" [ "$rc" != 0 ]
ok "with the words of the CPU" likewise
both 'neuron [0-9]+.* mV.*' '{neurons: "7", at: soma, delay: 5, duration: 1, amplitude: 300},
    {neurons: "2", at: soma, delay: 6.1, duration: 1, amplitude: 400}'
ok "one beyond the limit is told with the words of the CPU" likewise
ok "and the results are the same" same cpu.nc both.nc
done_testing
