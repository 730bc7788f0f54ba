#!/bin/bash
# warnings.t - values that are a slip of units are told, once each, the same
# on any number of ranks, and refused where the job is strict.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
unset BOSC_MACHINE OMP_NUM_THREADS

need_ncdump
need_launcher
own_folder
export HOME=$work XDG_CONFIG_HOME=$work/config
diagnose="cat warned out"

# on RANKS JOB OPTION...: warnings are left in 'warned', without the prefix.
on() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run --overwrite "${@:2}" -o x.nc >out 2>err </dev/null
    rc=$?
    sed -n 's/^warning: //p' err >warned
}
is_warned() { is "$rc $(wc -l <warned)" "0 $1" && grep -qE -- "${2:-}" warned; }
is_quiet() { is "$rc $(cat warned)" "0 "; }
# refused MESSAGE: once, on rank 0.
refused() {
    is "$rc $(grep -c '^bosc run: .*; refused, the job is strict' err)" "65 1" &&
        grep -qE -- "$1" err
}
# What the file says.
kept() { ncdump -h x.nc | sed -n 's/^\t\t:warnings = "\(.*\)" ;$/\1/p' | sed 's/\\n/\n/g; s/\\//g'; }

# One point of radius 10 um is a cylinder of 400 pi um2: 12.566 pF, so C/dt is
# 0.50265 uS for 0.025 ms.
echo '1 1 0 0 0 10 -1' >point.swc
job() { # POPULATIONS, then lines
    local name
    printf 'tstop: 5\npopulations:\n'
    for name in $1; do
        echo "  - {name: $name, morphologies: point.swc, count: 3, regions: {all: {pas: {g: 1.0e-3, e: -65}}}}"
    done
    printf '%s\n' "${@:2}"
}
gap() { echo "  - {type: gap, from: $1, to: $2, rule: one_to_one, conductance: $3}"; }

job "a b" couplings: "$(gap a b 0.5)" >weak.yaml
job "a b" couplings: "$(gap a b 0.505)" >strong.yaml
job "a b c" couplings: "$(gap a b 0.3)" "$(gap a c 0.4)" >two.yaml
on 1 weak.yaml
ok "a gap junction below C/dt is quiet" is_quiet
ok "and the file says so" is "$(ncdump -h x.nc | grep -c ':warnings = ""')" 1
on 1 strong.yaml
ok "one above it is told, with neuron and values" is_warned 1 \
    "^strong.yaml:6: 'a-b-gap': .* at soma\[0\]\(0.5\) of neuron 0 \(and of 5 others\) have 0.505 uS.* 0.5027 uS"
ok "the file keeps the sentence" is "$(kept)" "$(cat warned)"
cp warned one
for ranks in 2 3; do
    on $ranks strong.yaml
    ok "and it is the same on $ranks ranks" is "$(cat warned)" "$(cat one)"
done
on 2 strong.yaml --set strict=true
ok "a strict job is refused" refused "^bosc run: $(sed 's/[][().*]/\\&/g' one)"
ok "and leaves no file" [ ! -e x.nc.partial ]
on 1 strong.yaml --set dt=0.0125
ok "half the step is short enough" is_quiet
on 1 strong.yaml --set second_order=true
ok "C/dt is that of the whole step in second order, too" is_warned 1 '0.5027 uS'
on 2 two.yaml
ok "junctions of several couplings add up, and the strongest is named" is_warned 1 \
    "^two.yaml:8: 'a-c-gap': .* neuron 0 \(and of 2 others\) have 0.7 uS"
timeout 300 "$BOSC" run strong.yaml --dry-run >out 2>err
ok "a dry run tells it" is "$(sed -n 's/^warning: //p' err)" "$(cat one)"

# Current I into a membrane of 12.566 nS: v = e + I / g (1 - (1 + dt/tau)^-n),
# tau = 1 ms, in n steps.  Voltages are watched every 20 steps.
job a clamps: '  - {neurons: "1", at: soma, duration: 10, amplitude: 4}' >high.yaml
on 1 high.yaml
wanted=$(awk 'BEGIN {
    g = 1e-3 * 400 * atan2(0, -1) * 1e-2
    for (n = 20; (v = -65 + 4 / g * (1 - 1.025 ^ -n)) <= 200; n += 20) { }
    printf "neuron 1 has %.6g mV at soma.0..0.5. at t = %g ms, beyond 200 mV", v, n * 0.025
}')
ok "a voltage beyond 200 mV is told, with neuron, time and value" is_warned 1 "^$wanted"
ok "in the file, too" is "$(kept)" "$(cat warned)"
cp warned one
for backend in ref cpu; do
    on 3 high.yaml --set backend=$backend --set threads=2
    ok "the same by $backend on 3 ranks of 2 threads" is "$(cat warned)" "$(cat one)"
done
on 2 high.yaml --set strict=true
ok "a strict run ends there" refused "^bosc run: $wanted"
mv x.nc.partial x.nc
ok "and what it leaves says why" is "$(kept)" "$(cat one)"
job a clamps: '  - {at: soma, delay: 7, duration: 10, amplitude: 90}' \
    'probes: [{name: soma, at: soma, interval: 0.025}]' >late.yaml
# The time of the message, and the last one of the file.
is_reached() {
    sed -n 's/.* at t = \([0-9.]*\) ms, beyond.*/told \1/p' err
    ncdump -v time_soma x.nc.partial | sed -n '/^data:/,$p' | grep -oE '[0-9.]+'
}
for ranks in 1 2; do
    on $ranks late.yaml --set strict=true --set tstop=20
    is_reached | awk '$1 == "told" { t = $2 } { last = $1 } END { exit !(t > 7 && last >= t) }'
    ok "and the file of $ranks ranks has the voltage that the message names" is $? 0
done
on 2 high.yaml --set clamps.0.amplitude=3.3
ok "below 200 mV all is quiet" is_quiet
on 2 high.yaml --set clamps.0.amplitude=-2
ok "-200 mV is beyond as well" is_warned 1 'neuron 1 has -2[0-9.]* mV'
# Who is first in time is told, and of the same time the lowest number.
job a clamps: '  - {neurons: "0-1", at: soma, delay: 1, duration: 10, amplitude: 9}' \
    '  - {neurons: "1-2", at: soma, duration: 10, amplitude: 9}' >order.yaml
on 1 order.yaml
ok "the first in time is told, of these the lowest number" is_warned 1 '^neuron 1 .* t = 0.5 ms'
cp warned one
on 3 order.yaml
ok "so on 3 ranks" is "$(cat warned)" "$(cat one)"
# Spikes between ranks: an epoch is a few steps, and ranks agree all the same.
job a 'synapses: [{name: s, type: ExpSyn}]' \
    'projections: [{from: a, to: a, rule: ring, synapse: s, weight: 1.0e-9, delay: 0.15}]' \
    "$(tail -n 3 order.yaml)" >spikes.yaml
on 2 spikes.yaml
ok "and with a network" is "$(cat warned)" "$(cat one)"

# What the job says.
cat >units.yaml <<'END'
tstop: 1
populations:
  - name: a
    morphologies: point.swc
    count: 4
    regions:
      all: {pas: {}}
      soma:
        hh: {gnabar: 0.12, gl: 10}
  - {name: b, morphologies: point.swc, regions: {all: {pas: {}}}}
clamps:
  - {population: a, neurons: "2-3", at: soma, delay: 2e-2, duration: 0.025, amplitude: 100}
END
on 1 units.yaml
ok "10 S/cm2 and 100 nA are quiet" is_quiet
sed -i 's/0.12, gl: 10/120, gl: 10.1/; s/amplitude: 100/amplitude: -500/; s/all: {pas: {}}}}/all: {pas: {g: 20}}}}/' units.yaml
on 2 units.yaml
ok "beyond them each is told" is_warned 4
ok "a density with neurons, region and value" grep -q \
    "^units.yaml:9: gnabar of hh is 120 S/cm2 in soma of population 'a' (neuron 0 and 3 others), above 10 S/cm2" warned
ok "so any density" grep -q "gl of hh is 10.1 S/cm2" warned
ok "once for all regions" grep -q "^units.yaml:10: g of pas is 20 S/cm2 in all regions of population 'b' (neuron 4)," warned
ok "a clamp with neurons, time and value" grep -q \
    "^units.yaml:12: a clamp of -500 nA from t = 0.02 ms on (neuron 2 and 1 other), beyond 100 nA" warned
ok "the file has one a line" is "$(kept)" "$(cat warned)"
cp warned one
on 3 units.yaml
ok "they are the same on 3 ranks" is "$(cat warned)" "$(cat one)"
"$BOSC" plan units.yaml >out 2>err
ok "a plan tells them" is "$? $(sed -n 's/^warning: //p' err)" "0 $(cat one)"
"$BOSC" plan units.yaml --set strict=true >out 2>err
rc=$?
refusal="bosc plan: $(head -n 1 one); refused, the job is strict (3 more warnings)"
ok "and refuses where the job is strict" is "$rc $(cat err)" "65 $refusal"
on 3 units.yaml --set strict=true
ok "as a run does" refused '^bosc run: units.yaml:9: .*3 more'
on 1 units.yaml -q
ok "a quiet run tells nothing, its file does" is "$(cat err) $(kept)" " $(cat one)"
on 1 units.yaml --set populations.a.regions.soma.hh.gnabar=77
ok "what the command line says has no line" grep -q '^units.yaml: gnabar of hh is 77 ' warned

# Entries without effect: a list of the job, and what is told of it ("": nothing).
unit='synapses: [{name: s, type: ExpSyn}]'
source='sources: [{name: n, type: regular, start: 1, interval: 1}]'
line() { echo "projections: [{name: p, from: n, to: a, rule: all_to_all, synapse: s, $1}]"; }
while IFS='|' read -r name told lines; do
    job a "$(printf '%b' "$lines")" >effect.yaml
    on 1 effect.yaml --dry-run
    if [ -n "$told" ]; then
        ok "$name is told" is_warned 1 "^effect.yaml:[0-9]*: $told"
        on 2 effect.yaml --set strict=true
        ok "and refused where the job is strict" refused "$told"
    else
        ok "$name is quiet" is_quiet
    fi
done <<END
a clamp of no duration|duration: 0 ms: no current|clamps: [{at: soma, delay: 1, duration: 0, amplitude: 1}]
a clamp between the middles of steps|duration: no step of 0.025 ms has its middle in the 0.01 ms from 1.015 ms on|clamps: [{at: soma, delay: 1.015, duration: 0.01, amplitude: 1}]
a clamp over one middle||clamps: [{at: soma, delay: 1.01, duration: 0.01, amplitude: 1}]
a clamp of no current|amplitude: 0 nA|clamps: [{at: soma, delay: 1, duration: 1, amplitude: 0}]
a clamp after the end|delay: 5 ms is not before tstop, 5 ms|clamps: [{at: soma, delay: 5, duration: 1, amplitude: 1}]
a swept current of zero||clamps: [{at: soma, delay: 1, duration: 1, amplitude: 1}]\nsweep: {grid: {clamps.0.amplitude: [0, 1]}}
a weight of zero|weight: 0 uS: the events of 'p' have no effect|$unit\n$source\n$(line 'weight: 0, delay: 1')
a drawn weight that is always zero|weight: 0 uS|$unit\n$source\n$(line 'weight: {uniform: [0, 0]}, delay: 1')
a delay beyond the end|delay: the first event of 'p' can arrive at 5 ms, not before tstop, 5 ms|$unit\n$source\n$(line 'weight: 1, delay: 4')
a delay before the end||$unit\n$source\n$(line 'weight: 1, delay: 3.9')
a source that stops as it starts|stop: 1 ms is not after start, 1 ms: 'n' sends nothing|$unit\n${source/start: 1/start: 1, stop: 1}\n$(line 'weight: 1, delay: 1')
a source without spikes|rate: 0 Hz: 'n' sends nothing|$unit\nsources: [{name: n, type: poisson, rate: 0}]\n$(line 'weight: 1, delay: 1')
a gap junction of zero|conductance: 0 uS: 'a-a-gap' has no effect|couplings: [{type: gap, from: a, to: a, rule: ring, conductance: 0}]
END

# Files whose lengths are no neuron's.
printf '1 1 0 0 0 10 -1\n2 3 1.1e7 0 0 1 1\n' >long.swc
job a >giant.yaml
sed -i 's/point.swc/long.swc/; s/regions:/discretisation: {policy: max_length, max_length: 20000}, regions:/' giant.yaml
on 2 giant.yaml --dry-run
ok "a file of 11 m is told" is_warned 1 \
    '^long.swc: its sections are 1.1e\+07 um long in all, above 1e\+07 um'
"$BOSC" plan giant.yaml >out 2>err
ok "by a plan, too" grep -q '^warning: long.swc: its sections' err
on 2 giant.yaml --dry-run --set populations.0.discretisation.max_length=9
ok "so is one of more than a million compartments" is_warned 2 \
    '^long.swc: it is cut into 1[0-9]* compartments, above 1000000; check .* of population .a.'
on 1 giant.yaml --dry-run --set strict=true
ok "and refused where the job is strict" refused '^bosc run: long.swc: its sections'

# A disk that no probes of this size fit on.
job a 'probes: [{name: soma, at: soma, interval: 0.025}]' >long.yaml
on 1 long.yaml --dry-run --set tstop=1e9 --set populations.a.count=30000
ok "probes beyond the free space are told" is_warned 1 \
    '^the probes are 9.6 PB and only .* are free .*; record less'
on 2 long.yaml --dry-run --set tstop=1e9 --set populations.a.count=30000 --set strict=true
ok "and refused where the job is strict" refused \
    '^bosc run: the probes are 9.6 PB and only .* are free'

# What hh has instead of currents of ions.
cat >reads.mod <<'END'
NEURON { SUFFIX reads USEION na READ ina USEION k READ ik RANGE seen }
ASSIGNED { ina (mA/cm2) ik (mA/cm2) }
STATE { seen }
BREAKPOINT { seen = ina - ik }
END
export XDG_CACHE_HOME=$work/cache
ball="{name: b, synthetic: {compartments: 9, sections: 4}, regions: {all: {pas: {}, reads: {}}, soma: {hh: {}}}}"
job '' "  - $ball" 'mechanisms: [reads.mod]' >reads.yaml
on 2 reads.yaml --set 'sweep.grid={populations.b.regions.all.pas.g: [1e-4, 2e-4]}'
ok "a mechanism that reads an ion's current beside hh, which has none, is told" is_warned 2 \
    "^reads.yaml: reads reads ina in soma of population 'b', where the current of hh is no part of ina; .*USEION ... WRITE ina"
on 1 reads.yaml --set populations.b.regions.soma.reads=false
ok "not where they are apart" is_quiet
echo 'probes: [{name: p, variables: [ina, ik], at: soma, interval: 5}]' >>reads.yaml
probed=$(grep -c '' reads.yaml)
for place in soma everywhere; do
    on 1 reads.yaml --set probes.p.at="$place" \
        --set populations.b.regions.soma='{hh: {}, reads: false, na_ion: {}, k_ion: {}}'
    ok "so is a probe of it at $place" is_warned 2 \
        "^reads.yaml:$probed: probe 'p' records ina in soma of population 'b', where the current of hh is no part of ina; .*USEION ... WRITE ina"
done
on 1 reads.yaml --set populations.b.regions.soma.reads=false --set 'probes.p.at=dend[0](0.5)'
ok "not of one beside hh" is_quiet
sed 's/SUFFIX hh/SUFFIX squid/' "$BOSC_SRC/tests/unit/nmodl/mods/hh.mod" >squid.mod
on 1 reads.yaml --set populations.b.regions.soma='{squid: {}}' --set 'mechanisms=[reads.mod, squid.mod]' \
    --set 'probes=[{name: p, at: soma, variables: seen, interval: 5}]'
ok "a file with SUFFIX squid, as the warning says, has the currents" eval \
    'is_quiet && ncdump -v p_seen x.nc | grep -qE "^ *-?[0-9.e-]*[1-9][0-9.e-]* ;"'

# Values that users mean.
for ready in demo ring; do
    on 2 "$BOSC_SRC/jobs/$ready.yaml" --set tstop=20
    ok "nothing is told of $ready.yaml" is_quiet
done
"$BOSC" plan "$BOSC_SRC/jobs/heterogeneous-256k.yaml" --ranks 64 --memory 1TB >out 2>err
ok "nor of heterogeneous-256k.yaml" is "$(cat err)" ""
done_testing
