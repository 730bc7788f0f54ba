#!/bin/bash
# coupling.t - gap junctions and graded synapses: against closed forms, a chain
# of neurons against one cable, and the same bits however the job is run.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C

need_ncdump
need_launcher
own_folder
diagnose="cat out difference"

run() { # RANKS FILE ARGUMENTS...
    local ranks=$1 file=$2
    shift 2
    rm -f "$file"
    timeout 300 "$MPIEXEC" -n "$ranks" "$BOSC" run --overwrite "$@" -q -o "$file" >out 2>&1 </dev/null
}

# The last line of soma_v: the voltages at the end.
final() {
    ncdump -p 9,17 -v soma_v "$1" | awk '
        /^data:/ { inside = 1; next }
        inside && NF > 1 { gsub(/[=,;]|soma_v/, ""); if (NF) last = $0 }
        END { print last }'
}

# within BOUND WANTED GOT: numbers in a line, one by one.
within() {
    awk -v bound="$1" -v wanted="$2" -v got="$3" 'BEGIN {
        n = split(wanted, w, " ")
        m = split(got, g, " ")
        for (k = 1; k <= n; k++) {
            d = w[k] - g[k]
            d = d < 0 ? -d : d
            worst = d > worst ? d : worst
        }
        print "wanted " wanted "\ngot " got "\nlargest difference " worst
        exit n == 0 || n != m || !(worst <= bound)
    }' >difference
}

# A ball of 10 um: 0.01256... uF/um2 and so on are in 'ball' below.
echo '1 1 0 0 0 10 -1' >ball.swc
balls() { # NEURONS
    cat <<END
populations:
  - {name: balls, morphologies: ball.swc, count: $1,
     discretisation: {per_section: 1},
     regions: {all: {Ra: 1e6, cm: 1, pas: {g: 1e-4, e: -65}}}}
probes: [{name: soma, at: soma, interval: 5}]
END
}

# ---- two balls ----

# pair TYPE...: neuron 0 is clamped, and coupled to neuron 1.
printf 'source\ttarget\n0\t1\n' >pair.tsv
pair() {
    {
        echo "name: pair
v_init: -65
clamps: [{neurons: '0', delay: 0, duration: 1e9, amplitude: 0.02}]
couplings: [{from: balls, to: balls, rule: list, file: pair.tsv, conductance: 0.002, $1}]"
        balls 2
    } >pair.yaml
}

# exact TIME: the voltages of two balls joined by a gap of 0.002 uS.
exact() {
    awk -v t="$1" 'BEGIN {
        area = 400 * atan2(0, -1); C = 1e-5 * area; G = 1e-6 * area; I = 0.02
        sum = I / G * (1 - exp(-t * G / C))
        both = G + 2 * 0.002
        difference = I / both * (1 - exp(-t * both / C))
        printf "%.17g %.17g\n", -65 + (sum + difference) / 2, -65 + (sum - difference) / 2
    }'
}

pair "type: gap"
run 1 steady.nc pair.yaml --set tstop=400 --set dt=0.5
ok "two balls joined by a gap come to the voltages of the closed form" \
    within 1e-9 "$(exact 400)" "$(final steady.nc)"
run 2 ranks.nc pair.yaml --set tstop=400 --set dt=0.5
ok "so they do on two ranks, to the bit" nc_same steady.nc ranks.nc
errors=
for dt in 0.02 0.01 0.005; do
    run 1 way.nc pair.yaml --set tstop=5 --set dt=$dt
    errors+=" $(awk -v w="$(exact 5)" -v g="$(final way.nc)" 'BEGIN {
        split(w, a, " "); split(g, b, " "); print a[1] - b[1] }')"
done
ok "on the way the error is as large as the step, and small" \
    awk -v e="$errors" 'BEGIN {
        split(e, x, " "); p = x[1] / x[2]; q = x[2] / x[3]
        print "errors" e >"difference"
        exit !(p > 1.9 && p < 2.1 && q > 1.95 && q < 2.05 && x[3] ^ 2 < 1e-4) }'

# graded E HALF SLOPE: both balls' voltages, in the end.
graded() {
    awk -v e="$1" -v half="$2" -v slope="$3" 'BEGIN {
        area = 400 * atan2(0, -1); G = 1e-6 * area
        v0 = -65 + 0.02 / G
        g = 0.002 / (1 + exp(-(v0 - half) / slope))
        printf "%.17g %.17g\n", v0, (G * -65 + g * e) / (G + g)
    }'
}

for case in "-80 -50 3" "0 -45 10" "-20 300 1"; do
    read -r e half slope <<<"$case"
    pair "type: graded, e: $e, half: $half, slope: $slope"
    run 1 graded.nc pair.yaml --set tstop=400 --set dt=0.5
    ok "a graded synapse follows its formula (e, half, slope: $case)" \
        within 1e-9 "$(graded "$e" "$half" "$slope")" "$(final graded.nc)"
done
run 1 graded.nc pair.yaml --set tstop=400 --set dt=0.5 --set second_order=true
ok "also with second_order" within 1e-9 "$(graded "$e" "$half" "$slope")" "$(final graded.nc)"

# ---- a chain of balls, and one cable ----

# A cylinder of ten compartments, each with the area of a ball: 20 um long.
printf '1 1 0 0 0 10 -1\n2 1 200 0 0 10 1\n' >cable.swc
cat >cable.yaml <<'END'
name: cable
tstop: 10
v_init: -65
populations:
  - {name: cable, morphologies: cable.swc, discretisation: {per_section: 10},
     regions: {all: {Ra: 1e6, cm: 1, pas: {g: 1e-4, e: -65}}}}
clamps: [{at: "soma(0.05)", delay: 0, duration: 1e9, amplitude: 0.02}]
probes: [{name: soma, at: everywhere, interval: 5}]
END
{
    echo "name: chain
tstop: 10
v_init: -65
clamps: [{neurons: '0', delay: 0, duration: 1e9, amplitude: 0.02}]
couplings: [{type: gap, from: balls, to: balls, rule: list, file: chain.tsv,
  conductance: $(awk 'BEGIN { printf "%.17g", 50 * 10 * atan2(0, -1) / 1e6 }')}]"
    balls 10
} >chain.yaml
{
    printf 'source\ttarget\n'
    for k in 0 1 2 3 4 5 6 7 8; do printf '%d\t%d\n' $k $((k + 1)); done
} >chain.tsv

# The compartments of the cable between its two ends, which have no area.
inner() { awk '{ for (k = 2; k < NF; k++) printf "%s ", $k }'; }
last_row() {
    ncdump -p 9,17 -v soma_v "$1" | sed -n '/^data:/,$p' | tr -d '\n' |
        sed 's/.*soma_v = *//; s/[;}]//g; s/,/ /g' |
        awk -v n="$2" '{ for (k = NF - n + 1; k <= NF; k++) printf "%s ", $k }'
}
differences=
for dt in 0.02 0.01 0.005; do
    run 1 cable.nc cable.yaml --set dt=$dt
    run 1 chain.nc chain.yaml --set dt=$dt
    differences+=" $(awk -v w="$(last_row cable.nc 12 | inner)" \
        -v g="$(last_row chain.nc 10)" 'BEGIN {
        n = split(w, a, " "); split(g, b, " ")
        for (k = 1; k <= n; k++) { d = a[k] - b[k]; sum += d * d }
        print n == 10 ? sqrt(sum) : "nan" }')"
done
ok "a chain of balls comes to one cable of as many compartments as the step goes to 0" \
    awk -v e="$differences" 'BEGIN {
        split(e, x, " "); p = x[1] / x[2]; q = x[2] / x[3]
        print "differences" e >"difference"
        exit !(p > 1.9 && p < 2.1 && q > 1.95 && q < 2.05 && x[3] < 0.01) }'

# ---- the same bits ----

cat >mesh.yaml <<'END'
name: mesh
tstop: 3
populations:
  - name: cells
    synthetic: {compartments: 40, sections: 9}
    count: 23
    positions: {box: [200, 200, 50]}
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
  - name: others
    synthetic: {compartments: 11, sections: 3}
    count: 5
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}
clamps: [{neurons: "0-3", delay: 0.5, duration: 5, amplitude: 0.9}]
couplings:
  - {name: near, type: gap, from: cells, to: cells, rule: distance, length: 60, conductance: {distance: [0.004, -1e-5]}}
  - {name: far, type: gap, from: cells, to: others, rule: fixed_indegree, indegree: 7, conductance: {uniform: [0.0005, 0.002]}, at: {region: dendrite}, source: {at: "dend[0](0.5)"}}
  - {name: excite, type: graded, from: others, to: cells, rule: all_to_all, conductance: 1e-4, e: 0, half: -40, slope: 5}
  - {name: inhibit, type: graded, from: cells, to: cells, rule: fixed_probability, probability: 0.3, conductance: 0.001, e: -80, half: -40, slope: 5}
probes: [{name: soma, at: soma, interval: 0.1}]
END
cat >network.txt <<'END'
synapses: [{name: fast, type: ExpSyn}]
projections: [{from: cells, to: others, synapse: fast, rule: fixed_indegree, indegree: 4, weight: 0.003, delay: 1}]
END
run 1 one.nc mesh.yaml --set threads=1
ok "neurons coupled in four ways run" [ -s one.nc ]
ok "couplings change what they do" eval '
    sed "/^couplings:/,/^probes:/{/^probes:/!d}" mesh.yaml >alone.yaml &&
        run 1 alone.nc alone.yaml --set threads=1 && ! nc_same one.nc alone.nc'
for ranks in 2 3 7; do
    run $ranks ranks.nc mesh.yaml --set threads=1
    ok "$ranks ranks give the bits of one" nc_same one.nc ranks.nc
done
run 1 threads.nc mesh.yaml --set threads=2
ok "2 threads give the bits of one" nc_same one.nc threads.nc
for how in ref/hines cpu/hines-flat cpu/depth-first; do
    run 2 how.nc mesh.yaml --set threads=1 --set backend=${how%/*} --set method=${how#*/}
    ok "$how gives the same bits" nc_same one.nc how.nc
done
timeout 300 "$MPIEXEC" -n 2 "$BOSC" run mesh.yaml --set threads=1 --overwrite -o told.nc >out 2>&1 </dev/null
ok "two ranks tell how much of the exchange was hidden" eval '
    unwrapped out | grep -qE " couplings exchange of voltages [0-9.]+ % hidden; in a step it took [0-9.e-]+ m?s, of which [0-9.e-]+ m?s could be computed beside "'
for format in csr ellpack dense; do
    run 2 format.nc mesh.yaml --set threads=1 --set couplings.near.format=$format \
        --set couplings.far.format=$format --set couplings.inhibit.format=$format
    ok "so does the format $format" nc_same one.nc format.nc
done
cat mesh.yaml network.txt >both.yaml
run 1 both1.nc both.yaml --set threads=1
run 3 both3.nc both.yaml --set threads=1
ok "with synapses as well, 3 ranks give the bits of one" nc_same both1.nc both3.nc
ok "and both act" eval '! nc_same one.nc both1.nc'

# ---- who is on which rank ----

# shared RANKS ARGUMENTS...: how its neurons' voltages are shared.
shared() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run --dry-run -o no.nc "${@:2}" 2>&1 </dev/null |
        tee out | grep -q "voltages shared $wanted"
}
cat >pairs.yaml <<'END'
name: pairs
tstop: 1
populations:
  - {name: left, synthetic: {compartments: 21, sections: 3}, count: 6, regions: {all: {pas: {}}}}
  - {name: right, synthetic: {compartments: 31, sections: 5}, count: 6, regions: {all: {pas: {}}}}
couplings: [{type: gap, from: left, to: right, rule: one_to_one, conductance: 0.001}]
END
wanted="within ranks"
ok "pairs of coupled neurons stay on one rank" shared 3 pairs.yaml
wanted="by ranks at every step"
ok "what is all coupled is divided all the same" shared 3 mesh.yaml

# ---- the end of a run, and what is refused ----

timeout 300 "$MPIEXEC" -n 3 "$BOSC" run mesh.yaml --set tstop=1e6 --set threads=1 \
    -q -o long.nc >out 2>&1 </dev/null &
launcher=$!
in_time 60 reached long.nc 0
kill -TERM "$launcher"
wait "$launcher"
ok "a run of three ranks that feel each other stops when asked to" \
    grep -q 'stopped by signal' out

# One rank fails before it has sent what others wait for, or in the last step of
# all; other ranks are then a step ahead.
for step in 0 1 26 199; do
    for ranks in 2 3; do
        for more in "" network.txt; do
            cat mesh.yaml $more >broken.yaml
            FAULT_ENDS="22 $step" timeout 100 "$MPIEXEC" -n $ranks \
                "$BOSC_BUILD/tests/batch/faulty" run broken.yaml --set threads=1 \
                --set tstop=5 --overwrite -q -o broken.nc >out 2>&1 </dev/null
            rc=$?
            ok "a failure before step $step of one of $ranks ranks ends all of them${more:+, with synapses}" \
                eval "[ $rc -ne 0 ] && [ $rc -ne 124 ] && once 'broke before step $step'"
        done
    done
done

refused() { # SENTENCE, PATTERN, --set
    run 2 no.nc mesh.yaml --set "$3"
    ok "$1" grep -qE -- "$2" out
}
refused "a neuron without the compartment of a coupling is told" \
    'mesh.yaml:[0-9]+: neuron .*dend\[700\]' \
    'couplings.far.source.at="dend[700](0.5)"'
refused "one_to_one wants populations of one size" \
    "'far': one_to_one needs equal sizes: 'cells' has 23 sources, 'others' 5 targets" \
    'couplings.far={name: far, type: gap, from: cells, to: others, rule: one_to_one, conductance: 0.1}'
refused "also the other way round" "'others' has 5 sources, 'cells' 23 targets" \
    'couplings.far={name: far, type: gap, from: others, to: cells, rule: one_to_one, conductance: 0.1}'
done_testing
