#!/bin/bash
# teams.t - mechanisms of mod files on an emulated GPU, where several warps take
# parts of a group, and one of few rows has fewer warps; what one mechanism
# writes of an ion another reads.  And with so many values that these are no
# arguments of the kernel, and with quotients that are not found the quick way.
# Groups of many neurons, and of 8 or 16; and the same in cell blocks.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 LC_ALL=C

[ -x "$BOSC_BUILD/tests/emulate/bosc" ] || skip_all "bosc was built without a C++ compiler"
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"
need_ncdump
own_folder
diagnose="cat out difference"
export XDG_CACHE_HOME=$work/cache

mkdir mods
cat >mods/pool.mod <<'END'
NEURON { SUFFIX pool USEION ca READ ica, cai WRITE cai RANGE tau }
PARAMETER { tau = 20 (ms) }
STATE { cai (mM) }
ASSIGNED { ica (mA/cm2) }
INITIAL { cai = 1e-4 }
BREAKPOINT { SOLVE change METHOD cnexp }
DERIVATIVE change { cai' = -0.5 * ica - (cai - 1e-4) / tau }
END
cp "$BOSC_SRC"/tests/emulate/cal.mod mods
cat >mods/kca.mod <<'END'
NEURON { SUFFIX kca USEION ca READ cai USEION k READ ek WRITE ik RANGE gbar }
PARAMETER { gbar = 1e-3 (S/cm2) }
STATE { z }
ASSIGNED { v (mV) cai (mM) ek (mV) ik (mA/cm2) }
INITIAL { z = cai / (cai + 5e-4) }
BREAKPOINT { SOLVE change METHOD cnexp ik = gbar * z * (v - ek) }
DERIVATIVE change { z' = (cai / (cai + 5e-4) - z) / 2 }
END
# v / 0, which is not used, and above -22 mV 1 / (more than 2^500).
cat >mods/brisk.mod <<'END'
NEURON { SUFFIX brisk NONSPECIFIC_CURRENT i RANGE gbar }
PARAMETER { gbar = 1e-4 (S/cm2) }
STATE { m n }
ASSIGNED { v (mV) i (mA/cm2) a d }
INITIAL { m = 0.3 n = 0.7 }
BREAKPOINT { SOLVE change METHOD cnexp i = gbar * m * n * (v + 60) }
DERIVATIVE change {
    IF (v > -64.9) { d = 0 } ELSE { d = v + 100 }
    a = v / d
    IF (d == 0) { a = 3 }
    m' = (exp(v / 50) - m) * fabs(a)
    n' = (1 / (1 + exp((v + 40) / 0.05)) - n) / 0.07
}
END
# job NAME COMPARTMENTS SECTIONS COUNT MECHANISMS
job() {
    cat >"$1.yaml" <<END
name: $1
tstop: 1.5
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: $2, sections: $3}
    count: $4
    regions:
      all: {Ra: 100, pas: {g: 1e-4, e: -65}, hh: {}, pool: {}, cal: {}, $5 k_ion: {ek: -80}}
      soma: {kca: {gbar: 4e-3}}
clamps:
  - {neurons: "0-10", at: soma, delay: 0.2, duration: 1, amplitude: 0.6}
  - {neurons: "3-9", at: soma, delay: 0.4, duration: 0.5, amplitude: 0.1}
  - {neurons: "3-9", at: soma, delay: 0.1, duration: 1, amplitude: 0.07}
probes:
  - {name: soma, at: soma, interval: 0.1, variables: [v, cai, eca, kca.z]}
  - {name: all, at: everywhere, interval: 0.5, variables: [v, cai]}
END
}
# same NAME WIDTH: has the emulated GPU, with groups so wide, the bits of the CPU?
same() {
    rm -f cpu.nc gpu.nc
    timeout 300 "$BOSC" run "$1.yaml" -o cpu.nc >out 2>&1 </dev/null &&
        timeout 300 "$BOSC_BUILD/tests/emulate/bosc" run "$1.yaml" --set backend=cuda \
            --set method=depth-first -o gpu.nc >>out 2>&1 </dev/null &&
        unwrapped out | grep -q "vectors of $2 neurons,.*; emulated" && nc_same cpu.nc gpu.nc
}
# chip NAME: has it the same bits, as cpu.nc, with all neurons in cell blocks?
chip() {
    rm -f chip.nc
    timeout 300 "$BOSC_BUILD/tests/emulate/bosc" run "$1.yaml" --set backend=cuda \
        --set method=cell-blocks -o chip.nc >out 2>&1 </dev/null &&
        ! grep -q 'streamed' out && nc_same cpu.nc chip.nc
}
job rows 150 7 65 ""
ok "warps take rows of a group" same rows 32
job few 3 1 70 ""
ok "one warp has a group of three rows, one of them with mechanisms" same few 32
job some 40 5 40 "kca: {},"
ok "and of one with some rows" same some 16
job long 600 9 11 ""
ok "they take rows of eight long neurons" same long 8
job short 30 5 13 "kca: {},"
ok "and of eight short ones" same short 8
job quick 3 1 12 "brisk: {},"
sed -i 's/variables: \[v, cai\]/variables: [brisk.m, brisk.n]/' quick.yaml
ok "quotients of very large numbers, and of 0" same quick 8
ok "also in cell blocks" chip quick

# More groups than multiprocessors, with one warp each: three of them in a block,
# and the last block has two.
job many 3 1 330 ""
ok "blocks of several groups of one warp" same many 32
cat >soma.yaml <<'END'
name: soma
tstop: 1.5
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: 22, sections: 9}
    count: 1100
    regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}, k_ion: {ek: -80}}, soma: {hh: {}, pool: {}, cal: {}, kca: {}}}
clamps: [{neurons: all, at: soma, delay: 0.2, duration: 1, amplitude: 0.6}]
probes: [{name: all, at: everywhere, interval: 0.5, variables: [v]}]
END
ok "with stacks in the sweeps" same soma 32
ok "blocks of equal neurons on the chip have the same bits" chip soma

for i in 1 2 3 4; do
    names=$(seq -s ', ' -f "p%g" 400)
    cat >"mods/wide$i.mod" <<END
NEURON { SUFFIX wide$i NONSPECIFIC_CURRENT i RANGE $names }
PARAMETER { $(seq -s ' ' -f "p%g = 1e-$((i + 4))" 400) }
ASSIGNED { v (mV) i (mA/cm2) }
STATE { s }
INITIAL { s = 1 }
BREAKPOINT { SOLVE change METHOD cnexp i = s * (p1 + p77 + p400) * (v + 60) }
DERIVATIVE change { s' = p399 - p2 * s }
END
done
job wide 20 3 34 "wide1: {}, wide2: {p77: 1e-5}, wide3: {}, wide4: {p399: 1e-4},"
ok "more values than arguments have room for" same wide 16
ok "neither have arguments of cell blocks" chip wide

cat >mods/tired.mod <<'END'
NEURON { POINT_PROCESS Tired RANGE tau NONSPECIFIC_CURRENT i }
PARAMETER { tau = 2 (ms) }
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT { SOLVE fade METHOD cnexp i = g * v }
DERIVATIVE fade { g' = -g / tau }
NET_RECEIVE(w (uS), u) { INITIAL { u = 1 } g = g + w * u u = u / 2 }
END
cat >kinds.yaml <<'END'
name: kinds
tstop: 3
mechanisms: [mods]
populations:
  - {name: cells, synthetic: {compartments: 9, sections: 3}, count: 9, regions: {all: {pas: {}, hh: {}}}}
sources: [{name: s, type: regular, interval: 1, count: 9}]
synapses: [{name: slow, type: Tired, tau: 3}, {name: quick, type: Tired, tau: 1}]
projections:
  - {name: a, from: s, to: cells, synapse: slow, rule: one_to_one, weight: 0.01, delay: 0.5}
  - {name: b, from: s, to: cells, synapse: quick, rule: one_to_one, weight: 0.02, delay: 0.5}
probes: [{name: soma, at: soma, interval: 0.1, variables: [v]}]
END
ok "two kinds of a point process that is a full mechanism" same kinds 8
done_testing
