#!/bin/bash
# stimuli.t - current clamps and other stimuli in all time loops, those of an
# emulated GPU included: some at a compartment, at tips without membrane, at rows
# that change and rows that are kept, recorded and part of i_mem.  However a job
# lists them, the bits are those of ref.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

emulated=$BOSC_BUILD/tests/emulate/bosc
[ -x "$emulated" ] || skip_all "bosc was built without a C++ compiler"
need_ncdump
own_folder
diagnose="cat out difference"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

cat >cells.yaml <<'END'
name: cells
tstop: 3
populations:
  - name: mixed
    synthetic: {compartments: [30, 90], sections: [5, 19]}
    count: 12
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
  - name: equal
    synthetic: {compartments: 57, sections: 13}
    count: 33
    regions: {all: {Ra: 100, cm: 1, pas: {g: 3e-4, e: -61}}}
  - name: active
    synthetic: {compartments: 57, sections: 13}
    count: 5
    regions: {all: {Ra: 100, cm: 1, hh: {}}}
probes:
  - {name: soma, at: soma, interval: 0.1, variables: [v, i_mem, IClamp.i]}
  - {name: tip, at: "dend[0](1)", interval: 0.1, variables: [v, i_mem]}
END
cp cells.yaml keys.yaml
cat >>keys.yaml <<'END'
clamps:
  - {at: soma, delay: 1, duration: 1, amplitude: 0.1234}
  - {at: soma, delay: 0.5, duration: 2, amplitude: 0.0777}
  - {neurons: "0-3", at: soma, delay: 0.5, duration: 1e9, amplitude: -0.0333}
  - {population: equal, neurons: "3-20", at: "dend[0](1)", duration: 2, amplitude: 0.05}
  - {population: mixed, at: "dend[0](1)", delay: 0.0125, duration: 1, amplitude: 0.04}
END
# As point processes, and the other way round; numbers are those of the sums.
cp cells.yaml points.yaml
cat >>points.yaml <<'END'
point_processes:
  - {type: IClamp, population: mixed, at: "dend[0](1)", start: 0.0125, end: 1.0125, amplitude: 0.04}
  - {type: IClamp, population: equal, neurons: "3-20", at: "dend[0](1)", end: 2, amplitude: 0.05}
  - {type: IClamp, neurons: "0-3", start: 0.5, end: 1000000000.5, amplitude: -0.0333}
  - {type: IClamp, start: 0.5, end: 2.5, amplitude: 0.0777}
  - {type: IClamp, start: 1, end: 2, amplitude: 0.1234}
END

# Kinds with more numbers than a clamp, some of them drawn.
cp cells.yaml kinds.yaml
cat >>kinds.yaml <<'END'
clamps: [{neurons: "0-9", at: soma, delay: 1, duration: 1, amplitude: 0.1234}]
stimuli:
  - {name: train, type: Pulses, delay: 0.5, duration: 0.3, amplitude: {uniform: [0.05, 0.2]}, period: 0.7, count: 3}
  - {name: ramp, type: Pulses, neurons: "1-9", at: "dend[0](1)", duration: 9, amplitude: 0, slope: 0.01}
  - {name: sine, type: Sine, neurons: "2-", duration: 2, amplitude: 0.05, frequency: {lognormal: [800, 50]}, phase: 30}
  - {name: chirp, type: Chirp, population: equal, duration: 3, amplitude: 0.05, frequency: 20, last_frequency: 2000, holding: 0.01}
  - {name: field, type: Sine, neurons: "2-8", duration: 2, amplitude: {uniform: [1, 20]}, frequency: 800, holding: 3, extracellular: {direction: [1, 2, 0]}}
  - {name: outside, type: Pulses, neurons: "3-", delay: 0.3, duration: 1, amplitude: -9000, extracellular: {electrodes: [[30, 0, 0], [0, 50, 9]]}}
END

# Kinds that follow the voltage, draw random numbers or play a table: a GPU
# compiles them for the job.
printf '%s\n' 0,0 0.7,0.1 1.33,-0.05 9,0.1 >wave.csv
cp cells.yaml held.yaml
cat >>held.yaml <<'END'
clamps: [{neurons: "0-9", at: soma, delay: 1, duration: 1, amplitude: 0.1234}]
stimuli:
  - {name: held, type: SEClamp, neurons: "0-3", rs: {uniform: [5, 20]}, dur1: 0.5, amp1: -70, dur2: 1, amp2: -20}
  - {name: noise, type: OUCurrent, neurons: "2-", mean: 0.02, sigma: 0.1, tau: 1}
  - {name: leak, type: OUConductance, at: "dend[0](1)", mean: 0.001, sigma: 0.001, tau: 2, reversal: 0}
  - {name: wave, type: CurrentPlayback, neurons: "1-", table: wave.csv, scale: {uniform: [0.5, 2]}}
  - {name: field, type: CurrentPlayback, neurons: "1-3", table: wave.csv, scale: 200, extracellular: {direction: [1, 0, 0]}}
  - {name: other, type: CurrentPlayback, neurons: "0-4", table: wave.csv}
  - {name: command, type: VoltagePlayback, neurons: "4", at: "dend[0](1)", rs: 50, table: wave.csv, scale: 200}
END

# on PROGRAM OUTPUT JOB ARGUMENTS...
on() {
    timeout 300 "$1" run "$3.yaml" --overwrite -o "$2" "${@:4}" >out 2>&1 </dev/null
}
# same JOB ARGUMENTS...: the emulated GPU has the bits of ref.
same() {
    rm -f gpu.nc
    on "$emulated" gpu.nc "$1" --set backend=cuda "${@:2}" &&
        nc_same ref.nc gpu.nc
}
ok "ref computes them" on "$BOSC" ref.nc keys --set backend=ref
on "$BOSC" cpu.nc keys --set backend=cpu
ok "cpu has its bits" nc_same ref.nc cpu.nc
on "$BOSC" points.nc points --set backend=cpu
ok "and so have point processes in another order" nc_same ref.nc points.nc
ok "cell blocks on a GPU have them, too" same keys --set method=cell-blocks
ok "no neuron of theirs is streamed" eval '! says streamed'
ok "groups that are streamed have them" same keys --set method=depth-first
on "$BOSC" ref.nc kinds --set backend=ref
on "$BOSC" cpu.nc kinds --set backend=cpu
ok "pulses, sines and chirps have the bits of ref" nc_same ref.nc cpu.nc
ok "cell blocks on a GPU have them" same kinds --set method=cell-blocks
ok "and none is streamed" eval '! says streamed'
ok "groups that are streamed have them, too" same kinds --set method=depth-first
on "$BOSC" ref.nc held --set backend=ref
ok "so have clamps of the voltage, noise and tables" same held
on "$BOSC" cpu.nc keys --set backend=cpu
ok "the current of the first clamp at a place is recorded" eval \
    'ncdump -v soma_i cpu.nc | sed "1,/soma_i =/d" | grep -q "0\.0777"'

# Of steps that begin at k 0.1 ms those whose middle is in start <= t < end: the
# half step is where it is, also where k 0.1 + 0.05 is rounded down.
for k in 0 1 2 3 6 7 12 14 23 28; do
    sed '/^probes/,$d; s/count: .*/count: 1/' cells.yaml >one.yaml
    cat >>one.yaml <<END
dt: 0.1
probes: [{name: s, population: active, at: soma, variables: IClamp.i}]
clamps: [{population: active, delay: $(awk "BEGIN { print $k * 0.1 + 0.05 }"), duration: 9, amplitude: 1}]
END
    on "$BOSC" one.nc one --set backend=cpu
    ncdump -v s_i one.nc | sed '1,/s_i =/d' | grep -o '[01]\b' |
        awk -v k=$k '$1 == 1 { print (NR - 2 == k ? "right" : k " at " NR - 2); exit }'
done >edges
diagnose="cat edges out"
ok "a clamp that begins in the middle of a step is on in that step" \
    is "$(sort -u edges)" right
done_testing
