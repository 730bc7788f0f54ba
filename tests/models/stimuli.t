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
    alone "${of:-job.yaml}" -q -o no.nc "${@:3}"
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

# --- voltage clamps, and tables that are played ---
printf '%s\n' 0,0 3.003,0.05 10,0.1 17.77,-0.1 40,0.02 >wave.csv
printf '%s\n' 'time command' '0 -65' '3.003 -40' '10 20' '17.77 -70' '40 -60' >command.txt
ncgen -o command.nc <<'END'
netcdf command { dimensions: n = 5; variables: double time(n), command(n);
data: time = 0, 3.003, 10, 17.77, 40; command = -65, -40, 20, -70, -60; }
END
cat head.yaml - >held.yaml <<'END'
stimuli:
  - {name: steps, type: SEClamp, neurons: 0, rs: 5, dur1: 5, amp1: -65, dur2: 10, amp2: 0.5, dur3: 8.01, amp3: -80}
  - {name: wave, type: CurrentPlayback, neurons: 1, table: wave.csv}
  - {name: command, type: VoltagePlayback, neurons: 2, rs: 5, table: command.txt, column: command}
probes:
  - {name: s, at: soma, interval: 2}
  - {name: i, at: soma, interval: 2, variables: [i_seclamp, i_currentplayback, i_voltageplayback]}
END
alone held.yaml -q -o held.nc --set backend=ref
# NEURON 9.0.2: SEClamp, and a Vector that is played into amp and amp1
while read -r name neuron frame v i; do
    near "$(at held.nc s_v "$neuron" 4 "$frame")" "$v" 1e-8 &&
        near "$(at held.nc "i_i_$name" "$neuron" 4 "$frame")" "$i" 1e-9 ||
        echo "$name at $frame"
done >told <<'END'
seclamp 0 3 0.0909290940 0.0818141812
seclamp 0 6 0.0910210529 0.0817957894
seclamp 0 10 -79.9063406991 -0.0187318602
seclamp 0 18 -69.0690476093 0
currentplayback 1 3 -48.3809124054 0.0713269973
currentplayback 1 6 -26.6966422042 0.0488416988
currentplayback 1 12 -89.6155099326 -0.0664372470
voltageplayback 2 3 -15.2555821270 0.1695957737
voltageplayback 2 6 -2.6895060567 -0.0663458929
voltageplayback 2 12 -67.2172604150 0.0028313003
END
ok "clamped voltages, played tables and their currents are NEURON's" is "$(cat told)" ""
alone held.yaml -q -o netcdf.nc --set stimuli.command.table=command.nc
ok "a table may be NetCDF" nc_same held.nc netcdf.nc

# --- noise ---
# 400 samples each of 100 neurons, tau apart: mean m, variance s^2, and exp(-1)
# is their correlation.  The membrane, of g and tau_m, has the variance
# (s / g)^2 tau / (tau + tau_m).
sed 's/count: 4/count: 100/; s/tstop: 40/tstop: 800/' head.yaml >noise.yaml
cat >>noise.yaml <<'END'
dt: 0.1
stimuli:
  - {name: current, type: OUCurrent, mean: 0.02, sigma: 0.01, tau: 2}
  - {name: leak, type: OUConductance, mean: 0.001, sigma: 0.001, tau: 2, reversal: 0}
probes: [{name: n, at: soma, interval: 2, variables: [v, i_oucurrent, x_ouconductance]}]
END
# statistics VARIABLE: mean, standard deviation, correlation of samples that follow
statistics() {
    values_of noise.nc "$1" | awk 'NR > 3000 { k = NR % 100; s += $1; q += $1 * $1; ++n
        if (NR > 3100) { c += $1 * last[k]; ++m } last[k] = $1 }
        END { s /= n; q = q / n - s * s; printf "%.9f %.9f %.9f\n", s, sqrt(q), (c / m - s * s) / q }' >told
    read -r mean sigma next <told
}
# is_process VARIABLE MEAN SIGMA: within 4 standard errors of 37,000 samples
is_process() {
    statistics "$1"
    near "$mean" "$2" "$(awk "BEGIN { print 0.031 * $3 }")" &&
        near "$sigma" "$3" "$(awk "BEGIN { print 0.017 * $3 }")" &&
        near "$next" 0.36788 0.025
}
alone noise.yaml -q -o noise.nc
ok "a current has the mean, deviation and correlation of its process" is_process n_i_oucurrent 0.02 0.01
ok "so has a conductance" is_process n_x_ouconductance 0.001 0.001
alone noise.yaml -q --overwrite -o noise.nc --set stimuli.leak.mean=0 --set stimuli.leak.sigma=0
statistics n_v
near "$mean" "$(awk 'BEGIN { print -65 + 0.02 / 1.2566370614e-3 }')" 0.2 &&
    near "$sigma" "$(awk 'BEGIN { print 0.01 / 1.2566370614e-3 * sqrt(2 / 12) }')" 0.13
ok "the membrane's answer has those of theory" is $? 0

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
  - {name: held, type: SEClamp, neurons: 3-5, at: "dend[1](1)", rs: {uniform: [5, 20]}, dur1: 1, amp1: -70, dur2: 5, amp2: -20}
  - {name: noise, type: OUCurrent, neurons: 0-7, mean: 0.02, sigma: {uniform: [0.01, 0.1]}, tau: 1}
  - {name: second, type: OUCurrent, neurons: 4-8, mean: 0, sigma: 0.02, tau: 5}
  - {name: leak, type: OUConductance, at: "dend[0](0.5)", mean: 0.001, sigma: 0.001, tau: 2, reversal: 0}
  - {name: wave, type: CurrentPlayback, neurons: 1-, table: wave.csv, scale: {uniform: [0.5, 2]}}
  - {name: other, type: CurrentPlayback, neurons: 0-4, table: command.txt, column: command, scale: 0.001}
  - {name: command, type: VoltagePlayback, neurons: 7, at: "dend[0](1)", rs: 50, table: command.nc, column: command}
clamps: [{amplitude: 0.02, duration: 5, delay: 1}]
probes: [{name: s, at: soma, interval: 0.1, variables: [v, i_mem, i_pulses, i_oucurrent]}]
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
refuses "a clamp without a resistance" "'rs' is missing in stimulus 'held'" --set 'stimuli=[{name: held, type: SEClamp, dur1: 5, amp1: -65}]'
refuses "a table of a kind that plays none" "table has no effect: the type is Sine" --set stimuli.sine.table=wave.csv
refuses "no table" "'table' is missing in stimulus 'bad'" --set 'stimuli=[{name: bad, type: CurrentPlayback}]'
# refuses_rows SENTENCE WORDS ROWS: a table of these, with blanks between
refuses_rows() {
    tr ' ' '\n' <<<"$3" >bad.csv
    of=held.yaml refuses "$1" "$2" --set stimuli.wave.table=bad.csv
}
# NWB files: the numbers of a time series in amperes or volts, at a rate or with
# times of their own, which begin with 0.
printf '%s\n' 0,0.01 10,0.06 20,-0.04 30,0.01 40,0.11 >even.csv
ncgen -4 -o sweeps.nwb <<'END'
netcdf sweeps {
group: stimulus { group: presentation {
    group: Sweep_1 { dimensions: n = 5; variables: float data(n); data :conversion = 1e-12; data :offset = 1e-11;
        string data :unit = "amperes"; double starting_time; starting_time:rate = 100.f;
        data: data = 0, 50, -50, 0, 100; starting_time = 7; }
    group: Sweep_2 { dimensions: n = 5; variables: double data(n), timestamps(n); data :unit = "Volts";
        data: data = -0.065, -0.04, 0.02, -0.07, -0.06; timestamps = 2, 2.003003, 2.01, 2.01777, 2.04; }
    group: Sweep_3 { dimensions: n = 2; variables: double data(n); data :unit = "amperes"; data: data = 0, 1; }
    group: Sweep_4 { dimensions: n = 2; variables: double data(n); data :unit = "bananas"; data: data = 0, 1; } } } }
END
sweep=/stimulus/presentation/Sweep
alone held.yaml -q -o even.nc --set stimuli.wave.table=even.csv
alone held.yaml -q -o nwb.nc --set stimuli.wave.table=sweeps.nwb --set stimuli.wave.column=${sweep}_1 \
    --set stimuli.command.table=sweeps.nwb --set stimuli.command.column=${sweep}_2
for name in s_v i_i_currentplayback i_i_voltageplayback; do
    paste <(values_of even.nc $name) <(values_of nwb.nc $name) |
        awk '$1 == $1 + 0 { d = $1 - $2; if (d < -1e-6 || d > 1e-6) bad = 1; ++n } END { exit bad || n < 20 }' ||
        echo "$name differs"
done >told
ok "time series of an NWB file are played" is "$rc $(cat told)" "0 "
refuses_sweep() {
    of=held.yaml refuses "$1" "$2" --set stimuli.wave.table=sweeps.nwb --set "stimuli.wave.column=$3"
}
refuses_sweep "a series that is not there" "sweeps.nwb: /stimulus/no: the file has no such group; 'ncdump -h' lists" /stimulus/no
refuses_sweep "one of volts as a current" "${sweep}_2 is in mV, and CurrentPlayback plays nA" ${sweep}_2
refuses_sweep "one without times" "neither timestamps nor a starting_time with a rate" ${sweep}_3
refuses_sweep "one of another unit" "its data has the unit 'bananas'; it must be amperes or volts" ${sweep}_4
refuses_rows "times that do not increase" "bad.csv:3: row 3: the time 2 ms is not after 2 ms; sort the rows" "0,1 2,1 2,3 50,1"
refuses_rows "a value that is none" "bad.csv:2: " "0,1 2,nan 50,1"
refuses_rows "a table that ends before the run" "bad.csv:2: the table ends at 20 ms, and the run at 40 ms; add a row" "0,1 20,1"
refuses_rows "a table that begins after it" "bad.csv: the table begins at 1 ms; add a row with the time 0" "1,1 50,1"
refuses_rows "a table of one row" "bad.csv:1: the table has fewer than two rows; add some" "0,1"
refuses "many places" "write '{region: all}' for every compartment" --set stimuli.sine.at=everywhere
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
