#!/bin/bash
# i_mem.t - the current through the membrane: Kirchhoff's law, NEURON's
# i_membrane_, and the same bits on every engine.
#
# BOSC_PYTHON is a Python that has NEURON (default: python3).
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

need_ncdump
need_launcher
own_folder
diagnose="cat out sums"
python=${BOSC_PYTHON:-python3}
emulated=$BOSC_BUILD/tests/emulate/bosc

# ---- Kirchhoff ----

# total FILE VARIABLE COLUMNS: of each time, all its values.
total() {
    ncdump -p 17,17 -v "$2" "$1" | awk -v n="$3" '
        /^data:/ { inside = 1; next }
        inside {
            sub(/^.*=/, "")
            gsub(/[,;}]/, " ")
            for (k = 1; k <= NF; k++) {
                sum += $k
                if (++seen % n == 0) { printf "%.17g\n", sum; sum = 0 }
            }
        }'
}

# add_up BOUND: the sums are what the clamps inject in the steps of 0.1 ms.
add_up() {
    awk -v bound="$1" '
        function on(from, span, t) { return from <= t && t < from + span }
        {
            t = (NR - 1.5) * 0.1
            want = 0.7 * on(0.52, 1.2, t) - 0.25 * on(0.91, 3, t)
            d = $1 - want
            if ((d < 0 ? -d : d) > bound) { print "step " NR - 1 ": " $1 ", not " want; bad = 1 }
        }
        END { exit bad || NR != 31 }' sums
}

cat >passive.yaml <<'END'
tstop: 3
dt: 0.1
v_init: -61.5
populations:
  - {name: a, synthetic: {compartments: 83, sections: 17}, count: 1,
     regions: {all: {Ra: 123, cm: 0.9, pas: {g: 2e-4, e: -68}}, soma: {pas: {g: 3e-5, e: -55}}}}
clamps:
  - {at: soma, delay: 0.52, duration: 1.2, amplitude: 0.7}
  - {at: soma, delay: 0.91, duration: 3, amplitude: -0.25}
probes: [{name: all, at: everywhere, variables: i_mem}]
END
for order in false true; do
    alone passive.yaml --set second_order=$order -o passive.nc --quiet
    total passive.nc all_i_mem 83 >sums
    ok "second order $order: the currents of a cell add up to what is injected" add_up 1e-11
done

# Electrodes of mod files inject what is recorded of them.
mkdir mods
cp "$BOSC_SRC"/tests/science/mods/{step,hold}.mod mods
sed '/^clamps/,$d' passive.yaml >electrodes.yaml
cat >>electrodes.yaml <<'END'
mechanisms: mods
point_processes:
  - {type: Step, at: soma, del: 0.52, dur: 1.2, amp: 0.7}
  - {type: Hold, at: "dend[0](0.5)", on: 1.01, change: 2, off: 2.51, rs: 2.385}
probes:
  - {name: all, at: everywhere, variables: i_mem}
  - {name: a, at: soma, variables: Step.i}
  - {name: b, at: "dend[0](0.5)", variables: Hold.i}
END
as_recorded() {
    awk 'function far(x, y) { return (x < y ? y - x : x - y) > 1e-11 }
        far($1, $2 + $3) { print; bad = 1 }
        $3 != 0 { some = 1 }
        END { exit bad || !some || NR != 31 }' table
}
if command -v "${BOSC_CC:-cc}" >/dev/null; then
    XDG_CACHE_HOME=$work/cache alone electrodes.yaml -o electrodes.nc --quiet
    paste <(total electrodes.nc all_i_mem 83) <(total electrodes.nc a_Step_i 1) \
        <(total electrodes.nc b_Hold_i 1) >table
    ok "and so they do with electrodes of mod files" as_recorded
else
    skip "no C compiler"
fi

# ---- NEURON ----

cat >ball.swc <<'END'
1 1 -10 0 0 10 -1
2 1 10 0 0 10 1
3 3 10 0 0 1 2
4 3 310 0 0 1 3
END
cat >ball.yaml <<'END'
tstop: 40
dt: 0.025
v_init: -65
populations:
  - name: cell
    morphologies: ball.swc
    discretisation: {per_section: 5}
    regions: {all: {cm: 1, Ra: 100}, soma: {hh: {}}, dendrite: {pas: {g: 0.0001, e: -65}}}
synapses: [{name: fast, type: ExpSyn, tau: 2, e: 0}]
sources: [{name: s, type: regular, start: 20, interval: 5, number: 2, count: 1}]
projections:
  - {from: s, to: cell, synapse: fast, rule: all_to_all, weight: 0.01, delay: 1, at: "dend[0](0.7)"}
clamps:
  - {at: soma, delay: 1, duration: 5, amplitude: 0.3}
  - {at: soma, delay: 3, duration: 10, amplitude: 0.1}
  - {at: "dend[0](0.3)", delay: 8, duration: 4, amplitude: -0.05}
probes: [{name: all, at: everywhere, variables: [v, i_mem]}]
END
# agrees NAME: the largest difference is at most 1e-9 of the largest value.
agrees() {
    awk -F'\t' -v name="$1" '
        $1 == name && NF == 3 { found = $2 <= 1e-9 * $3 }
        END { exit !found }' out
}
if "$python" -c 'import neuron' 2>/dev/null >&2; then
    "$python" "$BOSC_SRC/tests/science/compare-i-mem.py" "$BOSC" ball.yaml >out 2>err </dev/null
    ok "i_mem is NEURON's i_membrane_: synapses count, clamps do not" agrees i_mem
    ok "and adds up to what the clamps inject there" agrees sum
    "$python" "$BOSC_SRC/tests/science/compare-i-mem.py" "$BOSC" ball.yaml \
        --second-order >out 2>err </dev/null
    ok "with second order NEURON's is that of the middle of the step" agrees "i_mem between"
else
    skip "NEURON is not installed for $python"
fi

# ---- engines ----

# Equal neurons share a cell block of a GPU and the lanes of vectors, others do
# not.
cat >all.yaml <<'END'
tstop: 3
populations:
  - {name: a, synthetic: {compartments: [20, 60], sections: [3, 9]}, count: 21,
     regions: &here {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}}
  - {name: b, synthetic: {compartments: 41, sections: 7}, count: 70, regions: *here}
synapses: [{name: fast, type: ExpSyn}]
projections: [{from: a, to: b, synapse: fast, rule: fixed_indegree, indegree: 3, weight: 0.01, delay: 0.5, at: "dend[0](0.7)"}]
clamps:
  - {at: soma, delay: 0.05, duration: 1, amplitude: 0.9}
  - {population: b, neurons: "3-60", at: "dend[0](0.5)", delay: 0.5, duration: 0.7, amplitude: -0.1}
probes:
  - {name: all, at: everywhere, variables: [i_mem, v], interval: 0.1}
  - {name: tip, population: b, at: "dend[0](0.9)", variables: i_mem}
  - {name: soma, at: soma, variables: [i_mem, hh.m], interval: 0.05}
END
for order in false true; do
    alone all.yaml --set backend=ref --set second_order=$order -o ref.nc --quiet
    for ranks in 1 2 3; do
        rm -f run.nc
        run $ranks all.yaml --set second_order=$order -o run.nc --quiet
        ok "second order $order: $ranks ranks have the bits of ref" nc_same ref.nc run.nc
    done
    for method in depth-first hines-flat; do
        for isa in base v3 v4 v4-pairs; do
            rm -f run.nc
            BOSC_ISA=$isa alone all.yaml --set "method=$method" --set threads=2 \
                --set second_order=$order -o run.nc --quiet
            if says 'has no such vector code'; then
                skip "no $isa here"
                continue
            fi
            ok "second order $order: $method on a CPU, $isa" nc_same ref.nc run.nc
        done
    done
    for method in depth-first cell-blocks; do
        if [ ! -x "$emulated" ]; then
            skip "bosc was built without a C++ compiler"
            continue
        fi
        rm -f run.nc
        timeout 300 "$emulated" run all.yaml --set backend=cuda --set "method=$method" \
            --set second_order=$order -o run.nc --overwrite --quiet >out 2>&1 </dev/null
        ok "second order $order: $method on a GPU" nc_same ref.nc run.nc
    done
done
alone all.yaml --verify 20 -o run.nc
ok "ref agrees with what a run records" is "$rc" 0
done_testing
