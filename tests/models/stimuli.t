#!/bin/bash
# stimuli.t - stimuli of every kind: what they deliver, the answer of a membrane,
# voltages that NEURON 9 has with the same mod files, numbers that vary, and what
# is refused.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_NUM_THREADS=1 LC_ALL=C
need_ncdump
own_folder
diagnose="cat out told"

# A sphere of 400 pi um2: 12.566 pF, 1.2566 nS, 10 ms.
echo '1 1 0 0 0 10 -1' >soma.swc
cat >head.yaml <<'END'
tstop: 40
populations:
  - {name: cells, morphologies: soma.swc, count: 4,
     regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}}}
END
cat head.yaml - >job.yaml <<'END'
stimuli:
  - {name: train, type: Pulses, neurons: 0, delay: 2, duration: 1, amplitude: 0.1, period: 5, count: 3}
  - {name: ramp, type: Pulses, neurons: 1, delay: 2, duration: 10, amplitude: 0, slope: 0.01}
  - {name: sine, type: Sine, neurons: 2, delay: 5, duration: 30, amplitude: 0.05, frequency: 100, phase: 30, offset: 0.01}
  - {name: chirp, type: Chirp, neurons: 3, delay: 5, duration: 30, amplitude: 0.05, frequency: 20, last_frequency: 200}
probes:
  - {name: s, at: soma, interval: 2}
  - {name: c, at: soma, variables: [i_pulses, i_sine]}
END
refuses() { # SENTENCE WORDS KEYS...: --set KEYS is refused with these words
    alone job.yaml -q -o no.nc "${@:3}"
    tr -s '\n ' ' ' <out >told
    ok "$1" grep -qF -- "$2" told
}
# at FILE VARIABLE NEURON COLUMNS FRAME: one number
at() { values_of "$1" "$2" | sed -n "$(($5 * $4 + $3 + 1))p"; }
# near A B TOLERANCE
near() { awk "BEGIN { d = $1 - $2; exit !(d <= $3 && -d <= $3) }"; }

alone job.yaml -q -o a.nc --set backend=ref
ok "a job with stimuli runs" is $rc 0
# NEURON 9.0.2, dt = 0.025 ms, kernels/mech/*.mod
while read -r name neuron frame v; do
    near "$(at a.nc s_v "$neuron" 4 "$frame")" "$v" 1e-6 || echo "$name at $frame"
done >told <<'END'
train 0 4 -52.8456415
train 0 10 -57.5743312
train 0 20 -63.9925337
ramp 1 6 -35.7513612
ramp 1 20 -63.2151628
sine 2 4 -54.103334
sine 2 17 -63.451327
chirp 3 7 -48.8337467
chirp 3 14 -66.6397638
chirp 3 17 -66.3269982
END
ok "voltages are NEURON's" is "$(cat told)" ""

# pC: three pulses, a triangle, three periods about 0.01 nA.
charge() { values_of a.nc "$1" | awk -v k="$2" '(NR - 1) % 4 == k && $1 == $1 + 0 { q += $1 * 0.025 } END { printf "%.9f", q }'; }
ok "pulses deliver their charge" is "$(charge c_i_pulses 0)" 0.300000000
ok "a ramp delivers its charge" is "$(charge c_i_pulses 1)" 0.500000000
ok "a sine delivers its mean" is "$(charge c_i_sine 2)" 0.300000000

# v = e + s / g (t - tau (1 - exp(-t / tau))), 8 ms after a ramp of 0.01 nA/ms
# has begun, and a sine that has run for long: I / g / sqrt(1 + (w tau)^2).
cat head.yaml - >rc.yaml <<'END'
second_order: true
stimuli:
  - {name: ramp, type: Pulses, neurons: 1, delay: 2, duration: 10, amplitude: 0, slope: 0.01}
  - {name: sine, type: Sine, neurons: 2, duration: 1000, amplitude: 0.05, frequency: 100}
probes: [{name: s, at: soma}]
END
alone rc.yaml -q -o rc.nc --set tstop=140
ramp=$(awk 'BEGIN { printf "%.9f", -65 + 0.01 / 1.2566370614e-3 * (8 - 10 * (1 - exp(-0.8))) }')
ok "the answer to a ramp is the integral of exp(-t / tau)" near "$(at rc.nc s_v 1 4 400)" "$ramp" 1e-4
most=$(values_of rc.nc s_v | awk 'NR > 4 * 5200 && (NR - 1) % 4 == 2 && $1 > m - 0 + (m == "") * -1e9 { m = $1 } END { print m }')
ok "and that to a sine has its amplitude" near "$most" "$(awk 'BEGIN { w = 0.2 * atan2(0, -1) * 10; print -65 + 0.05 / 1.2566370614e-3 / sqrt(1 + w * w) }')" 1e-3

# --- the same bits, and numbers that vary ---
cat >many.yaml <<'END'
tstop: 8
populations:
  - name: mixed
    synthetic: {compartments: [30, 90], sections: [5, 19]}
    count: 9
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
stimuli:
  - {name: train, type: Pulses, delay: 1, duration: 1, amplitude: {uniform: [0.05, 0.2]}, period: 3, count: 3}
  - {name: ramp, type: Pulses, neurons: 1-6, at: "dend[0](1)", duration: 10, amplitude: 0, slope: {table: slopes.tsv, column: slope}}
  - {name: sine, type: Sine, neurons: 2-, duration: 30, amplitude: 0.05, frequency: {formula: "100 + distance"}}
  - {name: chirp, type: Chirp, duration: 30, amplitude: 0.05, frequency: 20, last_frequency: 2000}
clamps: [{amplitude: 0.02, duration: 5, delay: 1}]
probes: [{name: s, at: soma, interval: 0.1, variables: [v, i_mem, i_pulses]}]
END
{ echo neuron$'\t'slope; for i in 1 2 3 4 5 6; do echo "$i"$'\t'"0.00$i"; done; } >slopes.tsv
alone many.yaml -q -o ref.nc --set backend=ref
alone many.yaml -q -o cpu.nc --set backend=cpu
ok "ref and vectors have the same bits" nc_same ref.nc cpu.nc
if [ -n "${MPIEXEC:-}" ]; then
    run 3 many.yaml -q -o ranks.nc
    ok "and so have three ranks" nc_same ref.nc ranks.nc
else
    skip "no MPI launcher"
fi
ok "the result has what each neuron got of a table" is \
    "$(values_of ref.nc neuron_ramp_slope | tr '\n' ' ')" \
    "NaN 0.001 0.002 0.0030000000000000001 0.0040000000000000001 0.0050000000000000001 0.0060000000000000001 NaN NaN "
values_of ref.nc neuron_train_amplitude >told
ok "and of a draw, each its own" is \
    "$(sort -u told | awk '$1 >= 0.05 && $1 <= 0.2' | grep -c .)" 9
alone many.yaml -q -o swept.nc --set 'sweep={grid: {stimuli.sine.amplitude: [0.02, 0.05]}}'
ok "stimuli are swept, in nA" eval 'ncdump -h swept.nc | grep -q "sweep_amplitude:units = .nA"'

# --- what is refused ---
refuses "a number out of range" "--set stimuli.sine.amplitude=2e6: amplitude: '2e6' is out of range" --set stimuli.sine.amplitude=2e6
refuses "pulses that overlap" "period: 0.5 ms is less than a pulse of 1 ms takes, and there are 3" --set stimuli.train.period=0.5
refuses "a half pulse" "count: 2.5 is no whole number" --set stimuli.train.count=2.5
refuses "a parameter of another kind" "slope has no effect: the type is Sine" --set stimuli.sine.slope=3
refuses "an unknown kind" "unknown type 'Sin'" --set stimuli.sine.type=Sin
refuses "a synapse" "ExpSyn acts only when it receives events" --set stimuli.sine.type=ExpSyn
refuses "many places" "a stimulus sits in one place" --set stimuli.sine.at=everywhere
refuses "a draw out of range" "upper end of uniform: '1e9' is out of range" --set 'stimuli.sine.amplitude={uniform: [0, 1e9]}'
sed -i 's/name: ramp/name: sine/' job.yaml
refuses "a second one of a name" "entry 1 of stimuli is called 'sine' as well"
sed -i 's/name: sine, type: Pulses/name: ramp, type: Pulses/; s/frequency: 20, //' job.yaml
refuses "no frequency" "'frequency' is missing in stimulus 'chirp'; add it (Hz)"
sed -i 's/last_frequency/frequency: 20, last_frequency/; s/name: train,.*delay: 2/name: train, type: Pulses, delay: 50/' job.yaml
alone job.yaml -o no.nc
tr -s '\n ' ' ' <out >told
ok "one that begins too late is told" grep -qF "delay: 50 ms is not before tstop, 40 ms: stimulus 'train' has no effect" told
done_testing
