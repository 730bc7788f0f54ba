#!/bin/bash
# recordings.t - what probes record: currents and variables of mechanisms,
# spans of time, floats, the potential at electrodes; the same bits on every
# engine and number of ranks.
#
# The awk programs below compute again what a variable is from others of the
# same result.
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

cat >cell.swc <<'END'
1 1 0 0 0 8 -1
2 3 0 8 0 1 1
3 3 0 120 0 1 2
4 3 60 180 0 0.6 3
5 3 -70 170 0 0.5 3
END
cat >ih.mod <<'END'
NEURON { SUFFIX Ih NONSPECIFIC_CURRENT ihcn RANGE gbar, gIh }
PARAMETER { gbar = 2e-4 (S/cm2) }
ASSIGNED { v (mV) ihcn (mA/cm2) gIh (S/cm2) }
STATE { f }
INITIAL { f = inf(v) }
BREAKPOINT {
    SOLVE gates METHOD cnexp
    gIh = gbar * f
    ihcn = gIh * (v + 43)
}
DERIVATIVE gates { f' = (inf(v) - f) / 9 }
FUNCTION inf(v (mV)) { inf = 1 / (1 + exp((v + 75) / 6)) }
END
head='dt: 0.025
tstop: 4
mechanisms: [ih.mod]
populations:
  - name: a
    morphologies: cell.swc
    count: 3
    discretisation: {max_length: 30}
    positions: {box: [100, 100, 100]}
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -66}, Ih: {}}, soma: {hh: {}}}
sources: [{name: s, type: regular, count: 2, start: 0.5, interval: 1}]
synapses: [{name: excite, type: ExpSyn, tau: 2}]
projections: [{from: s, to: a, rule: all_to_all, synapse: excite, weight: 0.002, delay: 0.5, at: "dend[0](1)"}]
clamps: [{delay: 1, duration: 2, amplitude: 0.3}]
probes:
  - {name: p, at: everywhere, variables: [v, i_mem'
electrodes='  - {name: line, electrodes: [[30, 20, 10], [0, 8, 0]], sigma: 0.25}
  - {name: point, electrodes: [30, 20, 10], sigma: 0.25, source: point, start: 1, stop: 2.5, interval: 0.1}'
{ echo "$head]}"; } >plain.yaml
{ echo "$head, pas.i, hh.ina, hh.il, Ih.ihcn, Ih.gIh, excite.i]}"; echo "$electrodes"; } >all.yaml
{ echo "$head], type: float, start: 1, stop: 2.6, interval: 0.25}"; } >part.yaml

# compute NAME JOB [ARGUMENT...]: its result is NAME.nc.
compute() {
    local name=$1 job=$2
    shift 2
    alone "$job.yaml" -q -o "$name.nc" "$@"
    [ "$rc" = 0 ]
}
# values FILE VARIABLE: all its values, one a line.
values() {
    ncdump -p 9,17 -v "$2" "$1" | sed '1,/^data:/d' |
        sed "s/^.*=//; s/[;}]//g" | tr ',' '\n' | sed '/^ *$/d; s/ //g'
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
columns() { ncdump -h "$1" | sed -n "s/^\t$2 = \([0-9]*\) ;/\1/p"; }
every='p_v p_i_mem p_pas_i p_hh_ina p_hh_il p_Ih_ihcn p_Ih_gIh p_excite_i
    line_potential point_potential'

ok "currents of mechanisms are recorded" compute all all
ok "a job without them runs" compute plain plain
ok "they change no other bit" is_same plain.nc all.nc p_v p_i_mem

# follows VARIABLE G E: it is G (v - E) at the start of the step before, where
# there is a value, and at t = 0.
follows() {
    paste <(values all.nc p_v) <(values all.nc "$1") |
        awk -v n="$(columns all.nc p)" -v g="$2" -v e="$3" '
            {
                k = NR > n ? NR - n : NR
                v[NR] = $1
                if ($2 == "NaN" || $2 == "NaNf" || $2 == "_") next
                want = g * (v[k] - e)
                ++seen
                d = $2 - want
                if (d < 0) d = -d
                if (d > 1e-15) { print NR, $2, want; bad = 1 }
            }
            END { exit bad || seen < 100 }'
}
ok "pas.i is g (v - e) of the step's start" follows p_pas_i 1e-4 -66
ok "hh.il is gl (v - el)" follows p_hh_il 0.0003 -54.3
ok "a current of a mod file is its conductance times v - e" eval \
    'paste <(values all.nc p_v) <(values all.nc p_Ih_gIh) \
        <(values all.nc p_Ih_ihcn) | awk -v n="$(columns all.nc p)" "
        { k = NR > n ? NR - n : NR; v[NR] = \$1 }
        \$2 > 0 { d = \$3 - \$2 * (v[k] + 43); ++seen
                  if (d > 1e-15 || d < -1e-15) bad = 1 }
        END { exit bad || seen < 100 }"'
# NEURON 9.0.2, i_mem of a cell: what flows in by the electrode and nothing else
ok "the currents through the membrane add up to what the clamp injects" eval \
    'values all.nc p_i_mem | awk -v n="$(columns all.nc p)" "
        { sum += \$1 }
        NR % n == 0 {
            t = (NR / n - 1.5) * 0.025
            want = t > 1 && t < 3 ? 0.9 : 0
            if (sum - want > 1e-11 || want - sum > 1e-11) bad = 1
            sum = 0; ++rows
        }
        END { exit bad || rows != 161 }"'

# ---- electrodes: as LFPykit 0.6.2 computes them ----

# potential POINT X Y Z: of i_mem and the ends of compartments; the synapses are
# on a node without length, a point.
potential() {
    for c in p_x0 p_y0 p_z0 p_x1 p_y1 p_z1 p_diam; do
        values all.nc $c | tr '\n' ' '
        echo
    done >places
    values all.nc p_i_mem >currents
    awk -v point="$1" -v x="$2" -v y="$3" -v z="$4" '
        function f(a, r2) { return sqrt(a * a + r2) }
        function weight(i,    k, d2, h, r2, l, s, m2, e2, b, c) {
            split(x " " y " " z, at, " ")
            for (k = 1; k <= 3; k++) {
                s = p[k, i]; e = p[k + 3, i]
                d2 += (e - s) ^ 2
                h += (at[k] - e) * (e - s)
                m2 += ((s + e) / 2 - at[k]) ^ 2
                e2 += (at[k] - e) ^ 2
            }
            l = sqrt(d2)
            b = (p[7, i] / 2) ^ 2
            if (point || l == 0) return 1 / (4 * pi * 0.25 * sqrt(m2 > b ? m2 : b))
            h /= l
            r2 = e2 - h * h
            if (r2 < b) r2 = b
            c = h + l
            if (h < 0 && c < 0) s = (f(h, r2) - h) / (f(c, r2) - c)
            else if (h < 0) s = (f(h, r2) - h) * (c + f(c, r2)) / r2
            else s = (f(c, r2) + c) / (f(h, r2) + h)
            return log(s) / (4 * pi * 0.25 * l)
        }
        BEGIN { pi = atan2(0, -1) }
        FNR == NR { n = NF; for (i = 1; i <= NF; i++) p[FNR, i] = $i; next }
        FNR == 1 {
            for (i = 1; i <= n; i++) w[i] = weight(i)
        }
        { sum += w[(FNR - 1) % n + 1] * $1 }
        FNR % n == 0 { printf "%.17g\n", sum; sum = 0 }' places currents
}
# near BOUND: two columns differ by it, times the largest, at most.
near() {
    awk -v bound="$1" '
        { d = $1 - $2; a = $1 < 0 ? -$1 : $1
          if (d < 0) d = -d
          if (d > worst) worst = d
          if (a > most) most = a }
        END { print worst, most; exit !(most > 0 && worst < bound * most) }'
}
ok "line sources are those of LFPykit's formula" eval \
    'potential 0 30 20 10 >want && values all.nc line_potential |
        awk "NR % 2 == 1" | paste want - | near 1e-9 >out'
ok "an electrode in a soma is a radius away" eval \
    'potential 0 0 8 0 >want && values all.nc line_potential |
        awk "NR % 2 == 0" | paste want - | near 1e-9 >out'
ok "point sources, in their span of time" eval \
    'potential 1 30 20 10 | awk "NR > 40 && (NR - 41) % 4 == 0 && NR <= 101" \
        >want && values all.nc point_potential | paste want - | near 1e-9 >out'

# ---- spans and floats ----

ok "a part of a run is recorded, in floats" compute part part
ok "from start to stop" eval \
    '[ "$(values part.nc time_p | tr "\n" " ")" = "1 1.25 1.5 1.75 2 2.25 2.5 " ]'
ok "with the values of all, rounded" eval \
    'values plain.nc p_v | awk -v n="$(columns plain.nc p)" "
        int((NR - 1) / n) >= 40 && int((NR - 1) / n) <= 100 &&
            (int((NR - 1) / n) - 40) % 10 == 0" >want
     values part.nc p_v | paste want - | near 6e-8 >out'

# ---- the same bits ----

ok "the reference has the same bits" eval \
    'compute ref all --set backend=ref && is_same all.nc ref.nc $every'
ok "so have three ranks" eval \
    'run 3 all.yaml -q -o three.nc; [ "$rc" = 0 ] && is_same all.nc three.nc $every'
ok "and two threads" eval \
    'compute two all --set threads=2 && is_same all.nc two.nc $every'

# Here a neuron has slots in several groups, and the last instance of one the
# number that the first of the next has.
cat >pieces.yaml <<'END'
tstop: 0.1
populations:
  - {name: a, synthetic: {compartments: 60, sections: 29, seed: 4}, count: 2,
     regions: {all: {Ra: 100, cm: 1, pas: {}}}}
probes: [{name: p, at: everywhere, variables: [pas.i]}]
END
ok "a current in a neuron that is cut into pieces is of one compartment" eval \
    'compute whole pieces && BOSC_ISA=base compute pieces pieces --set method=level-schedule-sliced &&
     is_same whole.nc pieces.nc p_pas_i'

# ---- sweeps ----

# member K VALUE: columns of that member of a sweep are those of a run alone.
member() {
    compute alone all --set clamps.0.amplitude="$2" || return 1
    values sweep.nc line_potential | awk -v k="$1" '
        int((NR - 1) % 4 / 2) == k' >want
    values alone.nc line_potential | cmp -s - want
}
sed '/^clamps:/s/^/sweep: {grid: {clamps.0.amplitude: [0.1, 0.3]}}\n/' all.yaml \
    >sweep.yaml
ok "of a sweep each member has a potential of its own" eval \
    'run 3 sweep.yaml -q -o sweep.nc; [ "$rc" = 0 ] && member 0 0.1 && member 1 0.3'
ok "which the file tells" eval \
    '[ "$(values sweep.nc line_member | tr "\n" " ")" = "0 0 1 1 " ]'

# ---- the page ----

page=$BOSC_SRC/jobs/spikes-to-lfp.md
for block in swc:pyramid.swc yaml:layer.yaml; do
    sed -n "/^\`\`\`${block%:*}/,/^\`\`\`$/p" "$page" | sed '1d;$d' >"${block#*:}"
done
alone layer.yaml -q -o layer.nc --set tstop=5 --set threads=1
ok "the job of the page about LFPs runs" eval '[ "$rc" = 0 ] &&
    [ "$(ncdump -h layer.nc | grep -c "float lfp_potential")" = 1 ]'

# ---- mistakes ----

# refused WORDS ARGUMENT...
refused() {
    local words=$1
    shift
    alone all.yaml -q -o bad.nc "$@"
    [ "$rc" != 0 ] && grep -q -e "$words" out
}
ok "an unknown variable of a mechanism" \
    refused "variable 'hh.inx'" --set "probes.p.variables=[v, hh.inx]"
ok "a start after the end" \
    refused "start: 5 ms is after tstop" --set probes.p.start=5
ok "a stop before the start" refused "stop: 1 ms is before start, 2 ms" \
    --set probes.p.start=2 --set probes.p.stop=1
ok "electrodes that are no points" \
    refused "write three numbers" --set "probes.line.electrodes=[[1, 2]]"
ok "a place of electrodes" refused "at: a probe with 'electrodes'" \
    --set probes.line.at=soma
ok "a conductivity without electrodes" refused "sigma: it is of 'electrodes'" \
    --set probes.p.sigma=0.3

if [ -x "$emulated" ]; then
    ok "the GPU has the same bits" eval \
        '"$emulated" run all.yaml --set backend=cuda -q -o gpu.nc >out 2>&1 &&
            is_same all.nc gpu.nc $every'
    # hh stays built in, between pas and Ih, which are the job's.
    ok "also where one of two built-in mechanisms is recorded" eval \
        'compute one all --set "probes.p.variables=[v, pas.i]" &&
            "$emulated" run all.yaml --set backend=cuda --set method=depth-first \
                --set "probes.p.variables=[v, pas.i]" -q -o gpu1.nc >out 2>&1 &&
            is_same one.nc gpu1.nc p_v p_pas_i'
    # A warp sums what a neuron gives at 20 electrodes; at 70, three do.
    { echo "$head]}"; for n in 20 70; do
        echo "  - {name: of$n, sigma: 0.3, interval: 0.5, electrodes: [[$(
            seq -s '], [' -f '%g, 50, -20' "$n")]]}"
    done; } >many.yaml
    compute many many
    for method in depth-first cell-blocks hines-interleaved level-schedule-ncp; do
        ok "$method has the same bits at many electrodes" eval \
            '"$emulated" run many.yaml --set backend=cuda --set method=$method \
                -q -o gpu2.nc >out 2>&1 &&
                is_same many.nc gpu2.nc of20_potential of70_potential'
    done
    # Of so many neurons the GPU gives the sums alone.
    several=(--set populations.a.count=100 --set tstop=0.5)
    compute sums many "${several[@]}"
    for method in depth-first cell-blocks; do
        ok "$method has the same bits of many neurons" eval \
            '"$emulated" run many.yaml --set backend=cuda --set method=$method \
                "${several[@]}" -q -o gpu3.nc >out 2>&1 &&
                is_same sums.nc gpu3.nc of20_potential of70_potential'
    done
fi

done_testing
