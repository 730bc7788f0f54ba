#!/bin/bash
# places.t - what probes record, and stimuli act upon, at places that regions,
# distances and lists name, spikes that probes detect there, and the geometry in
# the result; a network of two kinds of published-like cells with noise,
# inhibition and electrodes has the same bits on any number of ranks, on a GPU and
# after a checkpoint.
#
# CELLS=400 makes that network larger, by hand; 40 cells take two seconds.
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

# compute NAME JOB [ARGUMENT...]: its result is NAME.nc.
compute() {
    local name=$1 job=$2
    shift 2
    alone "$job.yaml" -q -o "$name.nc" "$@"
    [ "$rc" = 0 ]
}
# values FILE VARIABLE: all its values in one line.
values() {
    ncdump -p 9,17 -v "$2" "$1" | sed '1,/^data:/d' |
        sed "s/^.*=//; s/[;}]//g" | tr ',\n' '  ' | sed 's/  */ /g; s/^ //; s/ $//'
}
# is_same FILE FILE VARIABLE...
is_same() {
    local a=$1 b=$2 of
    shift 2
    of=$(IFS=, && echo "$*")
    for file in "$a" "$b"; do
        ncdump -p 9,17 -v "$of" "$file" | sed '1,/^data:/d' >"$file.text"
    done
    [ -s "$a.text" ] && cmp -s "$a.text" "$b.text"
}

# A soma, 16 um; dend[0] of 100 um with two branches; apic[0] of 200 um, whose
# two branches, apic[1] and apic[2], are of 100 um.  Compartments of 20 um.
cat >cell.swc <<'END'
1 1 0 0 0 8 -1
2 3 0 8 0 1 1
3 3 0 108 0 1 2
4 3 60 188 0 0.6 3
5 3 -60 188 0 0.5 3
6 4 8 0 0 1.4 1
7 4 208 0 0 1.2 6
8 4 288 60 0 0.6 7
9 4 288 -60 0 0.6 7
END
cat >places.yaml <<'END'
tstop: 7
populations:
  - name: a
    morphologies: cell.swc
    count: 3
    discretisation: {max_length: 20}
    regions:
      all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -66}}
      soma: {hh: {}}
      hot: {where: {region: apical, distance: [108, .inf]}, Ra: 150, hh: {}}
stimuli: [{name: i, type: IClamp, start: 1, end: 6, amplitude: {uniform: [0.1, 0.6]}}]
probes:
  - {name: all, at: everywhere, interval: 1}
  - {name: d, at: {region: apical, distance: 250}, threshold: -30}
  - {name: r, at: {region: dendrite}, neurons: 1}
  - {name: h, at: {region: hot}, neurons: 1}
  - {name: s, at: {section: "apic[0]", x: 0.95}}
  - {name: l, at: [soma, "apic[2](1)", {section: "dend[1]"}, {region: apical, distance: 250}], threshold: -40}
END
ok "a job with such places runs" compute places places

# at PROBE GID SECTION(X)...: where it records of that neuron, in order.
at() {
    local probe=$1 gid=$2 got
    shift 2
    got=$(values places.nc section_name | tr -d '"' | tr ' ' '\n' >sections
        paste <(values places.nc "${probe}_gid" | tr ' ' '\n') \
            <(values places.nc "${probe}_section" | tr ' ' '\n') \
            <(values places.nc "${probe}_x" | tr ' ' '\n') |
        awk -v gid="$gid" 'FNR == NR { name[NR - 1] = $1; next }
            $1 == gid { printf "%s(%.4g) ", name[$2], $3 }' sections -)
    [ "$got" = "$* " ] || { echo "$probe: $got" >>out; return 1; }
}
ok "a distance is a compartment of each branch" at d 2 "apic[1](0.5)" "apic[2](0.5)"
ok "a section and x are one" at s 0 "apic[0](0.9545)"
ok "a list is all of its places, once each, in the order of compartments" \
    at l 1 "soma[0](0.5)" "dend[1](0.5)" "apic[1](0.5)" "apic[2](0.5)" "apic[2](1)"
ok "a region is all of its compartments" eval \
    '[ "$(values places.nc r_gid | tr " " "\n" | sort -u)" = 1 ] &&
     [ "$(values places.nc r_section | tr " " "\n" | sort -u | wc -l)" = 3 ]'
ok "and one of the job's own" eval \
    'values places.nc h_distance | tr " " "\n" |
        awk "\$1 < 108 { exit 1 } END { exit NR < 10 }"'

# of_all PROBE: its voltages are those of 'all' in the same places.
of_all() {
    for c in all "$1"; do
        paste <(values places.nc "${c}_gid" | tr ' ' '\n') \
            <(values places.nc "${c}_compartment" | tr ' ' '\n') >"$c.at"
        values places.nc "${c}_v" | tr ' ' '\n' >"$c.v"
    done
    awk 'FILENAME ~ /\.at$/ { n[FILENAME] = FNR; where[FILENAME, FNR] = $1 " " $2; next }
        { at = FILENAME; sub(/v$/, "at", at)
          k = (FNR - 1) % n[at] + 1; f = int((FNR - 1) / n[at]) }
        at == "all.at" { v[40 * f, where[at, k]] = $1; next }
        f % 40 == 0 && v[f, where[at, k]] != $1 { exit 1 }
        f % 40 == 0 { ++seen }
        END { exit seen != 8 * n[at] }' all.at "$1.at" all.v "$1.v"
}
ok "voltages are those there" of_all l

# ---- geometry ----

ok "compartments have the Ra of their section" eval \
    '[ "$(values places.nc l_Ra)" = "100 100 150 150 150 100 100 150 150 150 100 100 150 150 150" ]'
ok "and the compartment that they hang on, which may have no column" eval \
    'paste <(values places.nc all_parent | tr " " "\n") \
        <(values places.nc all_parent_compartment | tr " " "\n") \
        <(values places.nc all_compartment | tr " " "\n") |
     awk "{ of[NR - 1] = \$3 } \$1 < 0 ? \$2 >= 0 : \$2 != of[\$1] { exit 1 }" &&
     [ "$(values places.nc s_parent | tr " " "\n" | sort -u)" = -1 ] &&
     [ "$(values places.nc s_parent_compartment | tr " " "\n" | sort -u)" -gt 0 ]'

# ---- spikes at places ----

# crossings PROBE NUMBER THRESHOLD: what it detects is where its voltage crosses.
crossings() {
    paste <(values places.nc detection_time | tr ' ' '\n') \
        <(values places.nc detection_probe | tr ' ' '\n') \
        <(values places.nc detection_column | tr ' ' '\n') \
        <(values places.nc detection_gid | tr ' ' '\n') |
        awk -v p="$2" '$2 == p { printf "%.6g %d %d\n", $1, $3, $4 }' | sort >got
    paste <(values places.nc "$1_v" | tr ' ' '\n') |
        awk -v gids="$(values places.nc "$1_gid")" -v at="$3" '
            BEGIN { n = split(gids, gid, " ") }
            { k = (NR - 1) % n; f = int((NR - 1) / n)
              if (f > 0 && $1 > at && !(before[k] > at))
                  printf "%.6g %d %d\n", f * 0.025, k, gid[k + 1]
              before[k] = $1 }' | sort >want
    [ -s want ] && diff want got >>out
}
ok "a probe with a threshold detects upward crossings" crossings d 1 -30
ok "at each of its places" crossings l 5 -40
ok "spikes of neurons are as without" eval \
    'sed "s/, threshold: -[0-9]*//" places.yaml >plain.yaml &&
     compute plain plain && is_same plain.nc places.nc spike_time spike_gid all_v &&
     ! ncdump -h plain.nc | grep -q detection'
every='spike_time spike_gid detection_time detection_gid detection_probe
    detection_column l_v l_parent_compartment l_Ra'
ok "the reference has the same bits, of detectors, too" compute checked places --set verify=3
ok "three ranks have the same bits" eval \
    'run 3 places.yaml -q -o three.nc; [ "$rc" = 0 ] && is_same places.nc three.nc $every'
sed '/^probes:/s/^/sweep: {grid: {celsius: [6.3, 9]}}\n/' places.yaml >sweep.yaml
ok "members of a sweep whose groups run apart are merged" eval \
    'compute sweep sweep && compute last places --set celsius=9 &&
     [ "$(paste <(values sweep.nc detection_time | tr " " "\n") <(values sweep.nc detection_gid | tr " " "\n") \
        <(values sweep.nc detection_probe | tr " " "\n") <(values sweep.nc detection_column | tr " " "\n") |
        awk -v n="$(values last.nc l_gid | wc -w)" -v d="$(values last.nc d_gid | wc -w)" \
            "\$2 >= 3 { print \$1, \$2 - 3, \$3, \$4 - (\$3 == 5 ? n : d) }")" = \
       "$(paste -d " " <(values last.nc detection_time | tr " " "\n") <(values last.nc detection_gid | tr " " "\n") \
        <(values last.nc detection_probe | tr " " "\n") <(values last.nc detection_column | tr " " "\n"))" ]'

# ---- stimuli at places ----

sed '/^stimuli:/,$d' places.yaml >head.yaml
cat head.yaml - >acts.yaml <<'END'
clamps: [{neurons: 1-, at: {region: apical, distance: 250}, duration: 2, amplitude: 0.01}]
point_processes: [{type: IClamp, at: [{section: "dend[2]", x: 1}, "dend[2](1)", soma], start: 2, end: 5, amplitude: 0.02}]
stimuli:
  - {name: i, type: Pulses, delay: 1, duration: 6, amplitude: 0.07,
     at: [soma, "apic[2](1)", {section: "dend[1]"}, {region: apical, distance: 250}]}
  - {name: s, type: Sine, duration: 7, amplitude: 0.04, frequency: 200, at: {region: dendrite, distance: 150}}
  - {name: n, type: OUCurrent, mean: 0.05, sigma: 0.05, tau: 2, at: {region: apical, distance: 250}}
probes: [{name: all, at: everywhere, variables: [v, i_pulses, i_sine, i_oucurrent], interval: 1}]
END
# each LIST PLACES KEYS: an entry for each of the places; a stimulus has a name
each() {
    local list=$1 k=0 p
    echo "$list:"
    for p in $2; do
        if [ "$list" = stimuli ]; then
            echo "  - {name: $4$((k++)), at: \"$p\", $3}"
        else
            echo "  - {at: \"$p\", $3}"
        fi
    done
}
{
    cat head.yaml
    each clamps "apic[1](0.5) apic[2](0.5)" "neurons: 1-, duration: 2, amplitude: 0.01"
    each point_processes "dend[2](1) soma" "type: IClamp, start: 2, end: 5, amplitude: 0.02"
    each stimuli "soma apic[2](1) dend[1](0.5) apic[1](0.5) apic[2](0.5)" \
        "type: Pulses, delay: 1, duration: 6, amplitude: 0.07" i
    each stimuli "dend[1](0.42) dend[2](0.42)" "type: Sine, duration: 7, amplitude: 0.04, frequency: 200" s | sed 1d
    each stimuli "apic[1](0.5) apic[2](0.5)" "type: OUCurrent, mean: 0.05, sigma: 0.05, tau: 2" n | sed 1d
    grep ^probes: acts.yaml
} >each.yaml
acts='all_v all_i_pulses all_i_sine all_i_oucurrent'
ok "what acts at several places acts as an entry for each" eval \
    'compute acts acts && compute each each && is_same acts.nc each.nc $acts'
ok "the reference and three ranks have the same bits" eval \
    'compute checked acts --set verify=3 && is_same acts.nc checked.nc $acts &&
     run 3 acts.yaml -q -o three.nc && [ "$rc" = 0 ] && is_same acts.nc three.nc $acts'
ok "noise is another one at each place" eval \
    'compute noise acts --set "probes.all.at={region: apical, distance: 250}" \
         --set "probes.all.variables=i_oucurrent" &&
     [ "$(values noise.nc all_i_oucurrent | tr " " "\n" | sort -u | grep -c .)" = 48 ]'
ok "a region is all of its compartments, none without membrane" eval \
    'compute region acts --set "stimuli.s.at={region: all}" &&
     paste <(values region.nc all_area | tr " " "\n") <(values region.nc all_i_sine | tr " " "\n") |
         head -n $(values region.nc all_area | wc -w) | awk "(\$1 > 0) != (\$2 ~ /[0-9]/) { exit 1 }"'
cat head.yaml - >numbers.yaml <<'END'
stimuli:
  - {name: i, type: Pulses, duration: 7, amplitude: {uniform: [0.01, 0.1]}, at: {region: apical, distance: 250}}
  - {name: f, type: Sine, duration: 7, frequency: 0, phase: 90, amplitude: {formula: distance / 1e4},
     at: {section: soma, x: 0.5}}
probes: [{name: c, at: {region: apical, distance: 250}, variables: [i_pulses], start: 1, stop: 1}]
END
# doubled NUMBER...: each of them twice
doubled() { for x; do echo -n "$x $x "; done; }
ok "a neuron has its number at each of its places, and in the table" eval \
    'compute numbers numbers &&
     [ "$(values numbers.nc neuron_i_amplitude | tr " " "\n" | sort -u | wc -l)" = 3 ] &&
     [ "$(values numbers.nc c_i_pulses) " = "$(doubled $(values numbers.nc neuron_i_amplitude))" ]'
ok "a formula is of the place, in the table the first one" eval \
    'compute formula numbers --set "stimuli.f.at={region: hot, tip: false}" --set probes.c.variables=i_sine \
         --set "probes.c.at={region: hot}" &&
     paste <(values formula.nc c_distance | tr " " "\n") <(values formula.nc c_i_sine | tr " " "\n") |
         awk "\$2 ~ /[0-9]/ { d = \$2 - \$1 / 1e4; if (d * d > 1e-12) exit 1; ++n } END { exit n < 6 }" &&
     ncdump -h formula.nc | grep -q "amplitude of stimulus f at the first of its places"'
sed '/^probes:/s/^/sweep: {grid: {stimuli.s.at: [soma, [soma, "dend[2](1)"], {distance: 100}]}}\n/' acts.yaml >where.yaml
ok "places are swept" eval \
    'compute where where && compute second acts --set "stimuli.s.at=[soma, \"dend[2](1)\"]" &&
     [ "$(values where.nc all_v | tr " " "\n" | awk "int((NR - 1) / n) % 3 == 1" n=$(($(values second.nc all_gid | wc -w))) | tr "\n" " ")" = "$(values second.nc all_v) " ]'

# ---- mistakes ----

# refused WORDS ARGUMENT...
refused() {
    local words=$1
    shift
    alone places.yaml -q -o bad.nc "$@"
    [ "$rc" != 0 ] && grep -q -e "$words" out
}
ok "a region that is none" refused "unknown region 'hop'; did you mean 'hot'" \
    --set "probes.d.at={region: hop}"
ok "a section that is not there" refused "has no section apic\[7\]" \
    --set 'probes.d.at=[soma, {section: "apic[7]"}]'
ok "a distance at which nothing is" refused "probe 'd' records nothing" \
    --set "probes.d.at={distance: 4000}"
ok "an empty list" refused "at: the list is empty" --set "probes.d.at=[]"
ok "a position that is none" refused "x: '2' is out of range" \
    --set 'probes.d.at={section: "apic[0]", x: 2}'
ok "a name that the list of detections has" refused "conflicts with a variable" \
    --set "probes.r.name=detection"
ok "a stimulus at a distance at which nothing is" \
    refused "^bosc run: --set stimuli.i.at={distance: 4000}: stimulus 'i' acts nowhere: no" \
    --set "stimuli.i.at={distance: 4000}"
ok "one in a region that is none" refused "unknown region 'hop'; did you mean 'hot'" \
    --set "stimuli.i.at=[{region: hop}]"
ok "one in a section that is not there" refused "has no section apic\[7\]" \
    --set 'stimuli.i.at=[soma, {section: "apic[7]"}]'
ok "and one in a list of none" refused "at: the list is empty" --set "stimuli.i.at=[]"
ok "a parameter of a mechanism" refused "'pas.g' is a parameter of pas, which stays" \
    --set "probes.r.variables=[v, pas.g]"

# ---- a network ----

cells=${CELLS:-40}
mkdir mods
cat >mods/Ih.mod <<'END'
NEURON { SUFFIX Ih NONSPECIFIC_CURRENT ihcn RANGE gbar }
PARAMETER { gbar = 1e-4 (S/cm2) }
ASSIGNED { v (mV) ihcn (mA/cm2) }
STATE { f }
INITIAL { f = inf(v) }
BREAKPOINT { SOLVE gates METHOD cnexp ihcn = gbar * f * (v + 43) }
DERIVATIVE gates { f' = (inf(v) - f) / (20 + 100 / (1 + exp((v + 80) / 10))) }
FUNCTION inf(v (mV)) { inf = 1 / (1 + exp((v + 84) / 9)) }
END
cat >mods/CaL.mod <<'END'
NEURON { SUFFIX CaL USEION ca READ eca WRITE ica RANGE gbar }
PARAMETER { gbar = 1e-5 (S/cm2) }
ASSIGNED { v (mV) eca (mV) ica (mA/cm2) }
STATE { m }
INITIAL { m = inf(v) }
BREAKPOINT { SOLVE gates METHOD cnexp ica = gbar * m * m * (v - eca) }
DERIVATIVE gates { m' = (inf(v) - m) / 2 }
FUNCTION inf(v (mV)) { inf = 1 / (1 + exp(-(v + 25) / 7)) }
END
sed 's/ 3 / 3 /; 6,9s/^\([0-9]\) 4/\1 3/' cell.swc >basket.swc
cat >net.yaml <<END
tstop: 25
seed: 11
mechanisms: [mods]
populations:
  - name: pyramidal
    morphologies: cell.swc
    count: $((cells * 4 / 5))
    positions: {box: [300, 300, 100]}
    discretisation: {max_length: 40}
    regions:
      all: {Ra: 120, cm: 1, pas: {g: {lognormal: [5e-5, 1e-5]}, e: -70}}
      soma: {hh: {}}
      apical: {Ih: {gbar: {exponential: [1, 1, 0.005], value: 5e-5}}, CaL: {}, ca_ion: {eca: 120}}
  - name: basket
    morphologies: basket.swc
    count: $((cells / 5))
    positions: {box: [300, 300, 100]}
    discretisation: {max_length: 40}
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
synapses:
  - {name: excite, type: Exp2Syn, tau1: 0.3, tau2: 2, e: 0}
  - {name: inhibit, type: Exp2Syn, tau1: 1, tau2: 8, e: -75}
stimuli:
  - {name: noise, type: OUCurrent, population: pyramidal, mean: 0.2, sigma: 0.15, tau: 3}
  - {name: more, type: OUConductance, population: basket, mean: 0.001, sigma: 0.001, tau: 2, reversal: 0}
projections:
  - {from: pyramidal, to: pyramidal, synapse: excite, rule: fixed_indegree, indegree: 4,
     weight: 0.001, delay: {uniform: [1, 3]}, at: {region: dendrite, distance: [20, 200]}}
  - {from: pyramidal, to: basket, synapse: excite, rule: fixed_indegree, indegree: 8,
     weight: 0.002, delay: 1}
  - {from: basket, to: pyramidal, synapse: inhibit, rule: fixed_indegree, indegree: 4,
     weight: 0.003, delay: 1, at: soma}
probes:
  - {name: lfp, electrodes: [[0, 0, 0], [50, 0, 0], [200, 50, 50]], interval: 0.5}
  - {name: tuft, population: pyramidal, at: {region: apical, distance: 220}, variables: [v, Ih.ihcn],
     threshold: -40, interval: 0.5}
  - {name: inh, population: pyramidal, at: soma, variables: [v, inhibit.i], interval: 0.5}
END
every='spike_time spike_gid detection_time detection_gid detection_probe
    detection_column lfp_potential tuft_v tuft_Ih_ihcn inh_v inh_inhibit_i'
ok "a network of $cells cells runs" compute net net
ok "pyramidal and basket cells fire, and tufts" eval \
    'values net.nc spike_gid | tr " " "\n" | sort -n |
        awk -v n=$((cells * 4 / 5)) "\$1 < n { ++p } \$1 >= n { ++b } END { exit !(p > 5 && b > 5) }" &&
     [ "$(values net.nc detection_gid | wc -w)" -gt 5 ]'
for ranks in 2 7; do
    ok "$ranks ranks have the same bits" eval \
        'run $ranks net.yaml -q -o ranks$ranks.nc; [ "$rc" = 0 ] && is_same net.nc ranks$ranks.nc $every'
done
# The reference is slow enough to be stopped, the rest is computed as before.
stopped() {
    "$BOSC" run net.yaml -o part.nc --set backend=ref >out 2>&1 </dev/null &
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
ok "a run is stopped before its end" stopped
ok "and has the same bits where it goes on" eval \
    '"$BOSC" run net.yaml -q -o part.nc --continue >out 2>&1 && is_same net.nc part.nc $every'
if [ -x "$emulated" ]; then
    for job in net places; do
        ok "a GPU has the same bits ($job)" eval \
            '"$emulated" run $job.yaml --set backend=cuda -q -o gpu$job.nc >out 2>&1 &&
                is_same $job.nc gpu$job.nc spike_time spike_gid detection_time detection_gid \
                    detection_probe detection_column'
    done
    ok "with its potentials and currents" eval 'is_same net.nc gpunet.nc $every'
    for method in cell-blocks depth-first; do
        ok "and stimuli at places ($method)" eval \
            '"$emulated" run acts.yaml --set backend=cuda --set method=$method -q -o gpu.nc >out 2>&1 &&
                is_same acts.nc gpu.nc $acts'
    done
fi

done_testing
