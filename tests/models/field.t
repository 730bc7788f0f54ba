#!/bin/bash
# field.t - potentials outside neurons: a cable in a uniform field, voltages that
# NEURON has with 'extracellular', where neurons are, numbers that vary, currents
# that are held, and what is refused.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_NUM_THREADS=1 LC_ALL=C
need_ncdump
own_folder
diagnose="cat out told"

refuses() { # SENTENCE WORDS KEYS...: --set KEYS is refused with these words
    alone "${of:-many.yaml}" -q -o no.nc "${@:3}"
    tr -s '\n ' ' ' <out >told
    ok "$1" grep -qF -- "$2" told
}
# near A B TOLERANCE
near() { awk "BEGIN { d = $1 - $2; exit !(d <= $3 && -d <= $3) }"; }

# --- a cable along a uniform field, in its steady state ---
# lambda = sqrt(d / (4 Ra g)) = 223.607 um; 5 V/m depolarise the end to which the
# field points: v = e + E lambda sinh((x - L / 2) / lambda) / cosh(L / (2 lambda)).
printf '%s\n' '1 3 0 0 0 1 -1' '2 3 0 0 1000 1 1' >cable.swc
cat >cable.yaml <<'END'
tstop: 40
populations:
  - {name: c, morphologies: cable.swc, discretisation: {per_section: 101}, regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-3, e: -65}}}}
stimuli:
  - {name: field, type: IClamp, amplitude: 5, extracellular: {direction: [0, 0, 2]}}
probes: [{name: s, at: everywhere, interval: 40, variables: [v, i_mem]}]
END
alone cable.yaml -q -o cable.nc
values_of cable.nc s_v | tail -103 | awk '
    NR > 1 && NR < 103 {
        x = ((NR - 1.5) * 1000 / 101 - 500) / 223.60679775
        h = 500 / 223.60679775
        d = $1 + 65 - 5e-3 * 223.60679775 * (exp(x) - exp(-x)) / (exp(h) + exp(-h))
        if (d > 3e-5 || d < -3e-5) print NR, $1, d
    }' >told
ok "a cable has the closed solution" is "$(cat told)" ""
near "$(values_of cable.nc s_i_mem | tail -103 | awk '{ s += $1 } END { print s + 0 }')" 0 1e-12
ok "what a field drives in, it drives out" is $? 0

# --- NEURON 9.0.2: xg = 1e10, xc = 0, a Vector that is played into
# e_extracellular; compare-field.py has whole cells ---
cp "$BOSC_SRC/morphologies/fork.swc" .
sine='type: Sine, delay: 2, duration: 1e9, frequency: 100, phase: 30'
pulses='type: Pulses, delay: 5, duration: 1, period: 10, count: 3'
field='direction: [1, -2, 3]'
points='electrodes: [[30, 20, -10], [-80, 100, 5]], sigma: 0.3'
# job NAME MEMBRANE STIMULUS PLACE
job() {
    cat >"$1.yaml" <<END
tstop: 22
populations: [{name: c, morphologies: fork.swc, regions: {all: {Ra: 100, cm: 1, $2}}}]
stimuli: [{name: s, $3, extracellular: {$4}}]
$(case $2 in hh*) echo 'clamps: [{delay: 10, duration: 20, amplitude: 0.6}]' ;; esac)
probes: [{name: s}, {name: d, at: "dend[2](0.5)"}, {name: a, at: "axon[0](0.5)"}]
END
    alone "$1.yaml" -q -o "$1.nc"
    paste <(values_of "$1.nc" s_v) <(values_of "$1.nc" d_v) <(values_of "$1.nc" a_v) >"$1.v"
}
pas='pas: {g: 1e-4, e: -65}'
job sine "$pas" "$sine, amplitude: 20" "$field"
job spikes 'hh: {}' "$sine, amplitude: 20" "$field"
job points "$pas" "$sine, amplitude: 3000" "$points"
job kicks 'hh: {}' "$pulses, amplitude: 3000, holding: 300" "$points"
job pulses "$pas" "$pulses, amplitude: 20, holding: 2" "$field"
while read -r name step tolerance s d a; do
    awk -v step="$step" -v s="$s" -v d="$d" -v a="$a" -v near="$tolerance" '
        function apart(x) { return x > near || x < -near }
        NR == step + 1 && (apart($1 - s) || apart($2 - d) || apart($3 - a))
        END { if (NR <= step) print "no step", step }' "$name.v"
done >told <<'END'
sine 200 1e-8 -65.0117201357 -64.6067001776 -65.3629872842
sine 440 1e-8 -65.0102802175 -65.1019669604 -64.8584566007
spikes 200 1e-8 -64.9664429274 -64.5775478826 -65.2565312811
spikes 440 1e-7 0.1065827452 -8.3810233972 -28.6344357992
points 220 1e-7 -66.6920569783 -62.3335068203 -59.9595612794
points 440 1e-7 -64.2207231139 -65.5167994251 -67.5220028109
kicks 200 1e-7 -65.2263501706 -64.2274138360 -64.1818470667
kicks 220 1e-7 -67.6936918264 -56.1296450701 -56.9117055425
kicks 440 1e-6 -71.5151141621 -73.3816643225 -74.3464794317
pulses 220 1e-8 -65.0533231001 -64.4373559039 -65.3952560049
pulses 440 1e-8 -65.0029171996 -64.9456481150 -65.0454491564
END
ok "voltages are NEURON's, of cells that spike, too" is "$(cat told)" ""

# --- where neurons are ---
sed 's/, regions/, positions: {file: at.tsv}, count: 2, regions/' points.yaml >moved.yaml
printf 'x\ty\tz\n0\t0\t0\n100\t-7\t50\n' >at.tsv
alone moved.yaml -q -o moved.nc
values_of moved.nc d_v | awk 'NR % 2 == 1' >first
cut -f 2 points.v >alone
ok "a neuron at the origin has the coordinates of its file" cmp first alone
sed 's/electrodes: [^s]*,/electrodes: [[-70, 27, -60], [-180, 107, -45]],/' points.yaml >other.yaml
alone other.yaml -q -o other.nc
paste <(values_of moved.nc d_v | awk 'NR % 2 == 0') <(values_of other.nc d_v) |
    awk '{ d = $1 - $2; m = d > m ? d : -d > m ? -d : m } END { print (m < 1e-3) }' >told
ok "one elsewhere sees electrodes elsewhere" is "$(cat told)" 1

# --- the same bits, and numbers that vary ---
printf '%s\n' 0,0 3.003,0.5 10,1 >wave.csv
cat >many.yaml <<'END'
tstop: 5
populations:
  - name: mixed
    synthetic: {compartments: [30, 90], sections: [5, 19]}
    count: 9
    positions: {box: [300, 300, 100]}
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
stimuli:
  - {name: tacs, type: Sine, duration: 30, amplitude: {uniform: [1, 20]}, frequency: 100, holding: 2, extracellular: {direction: [0, 1, 1]}}
  - {name: dbs, type: Pulses, neurons: 2-, delay: 1, duration: 0.2, amplitude: -20000, period: 2, count: 2, extracellular: {electrodes: [[50, 50, 50], [0, 0, 90]], sigma: 0.4}}
  - {name: wave, type: CurrentPlayback, neurons: 1-7, table: wave.csv, scale: {uniform: [10, 20]}, extracellular: {direction: [1, 0, 0]}}
  - {name: train, type: Pulses, delay: 1, duration: 1, amplitude: {uniform: [0.05, 0.2]}, period: 3, count: 2}
  - {name: held, type: Chirp, neurons: 0-4, at: "dend[0](1)", delay: 9, duration: 1, amplitude: 0.05, frequency: 20, last_frequency: 200, holding: 0.03}
probes:
  - {name: s, at: everywhere, interval: 0.5, variables: [v, i_mem, i_pulses]}
  - {name: h, neurons: 2, at: "dend[0](1)", interval: 0.5, variables: i_chirp}
END
alone many.yaml -q -o ref.nc --set backend=ref
alone many.yaml -q -o cpu.nc --set backend=cpu --set verify=2
ok "ref and vectors have the same bits" nc_same ref.nc cpu.nc
if [ -n "${MPIEXEC:-}" ]; then
    run 3 many.yaml -q -o ranks.nc
    ok "and so have three ranks" nc_same ref.nc ranks.nc
else
    skip "no MPI launcher"
fi
ok "a current is held before its stimulus begins" is \
    "$(values_of ref.nc h_i_chirp | sed -n '2,11p' | sort -u)" 0.029999999999999999
ncdump -h ref.nc >told
ok "the result has the strength that each neuron got, in V/m" eval \
    'grep -q "neuron_tacs_amplitude:units = .V/m" told && grep -q "extracellular.electrodes: 50 50 50 0 0 90" told'
alone many.yaml -q -o swept.nc --set 'sweep={grid: {stimuli.wave.offset: [2, 5], stimuli.dbs.amplitude: [1, 9], stimuli.dbs.extracellular.sigma: [0.3, 0.4]}}'
ncdump -h swept.nc | grep -o 'sweep_[a-z]*:units = ".*"' | sort | tr '\n' ' ' >told
ok "they are swept, in their units" is "$(cat told)" \
    'sweep_amplitude:units = "nA" sweep_offset:units = "V/m" sweep_sigma:units = "S/m" '

# --- what is refused ---
refuses "noise" "extracellular: the type is OUCurrent, and the course of a potential is of IClamp, Pulses" \
    --set 'stimuli=[{name: a, type: OUCurrent, mean: 0, sigma: 1, tau: 1, extracellular: {direction: [0, 0, 1]}}]'
refuses "a place" "at has no effect: a potential with 'extracellular' is everywhere" --set stimuli.dbs.at=soma
refuses "no source" "extracellular: it has no source; write 'direction: [0, 0, 1]'" --set 'stimuli.dbs.extracellular={sigma: 1}'
refuses "two sources" "'direction' and 'electrodes', which are two stimuli" --set 'stimuli.dbs.extracellular.direction=[0, 0, 1]'
refuses "a direction of no length" "direction: write one vector that is not 0" --set 'stimuli.tacs.extracellular.direction=[0, 0, 0]'
refuses "a conductivity around a field" "sigma has no effect on a uniform field" --set stimuli.tacs.extracellular.sigma=1
refuses "a strength in another unit" "V/m" --set 'stimuli.wave.offset=2 nA'
printf 'section\tlength\tdiameter\tparent\nsoma\t20\t15\t-\ndend[0]\t50\t2\tsoma\n' >made.cylinders.tsv
sed 's/fork.swc/made.cylinders.tsv/; s/dend.2./dend[0]/; s/axon.0./dend[0]/' sine.yaml >made.yaml
of=made.yaml refuses "a neuron without coordinates" "neuron 0 (population c) has no coordinates for stimulus 's': its file made.cylinders.tsv is a table of cylinders; give it one that has them"
done_testing
