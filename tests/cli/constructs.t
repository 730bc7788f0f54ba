#!/bin/bash
# constructs.t - NMODL construct by construct: mod files that are what NEURON 9 makes
# of them (constructs/neuron.tsv, by tests/science/constructs.py), and those that are
# refused, each with its message.  src/nmodl/README.md has the table.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_ncdump
own_folder
diagnose="cat out err"
export XDG_CACHE_HOME=$work/cache
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"
from=$BOSC_SRC/tests/cli/constructs
told() { grep -qE -- "$1" err; }
# 'mods check', its words in one line
check() {
    "$BOSC" mods check "$@" >wrapped 2>err
    rc=$?
    tr -s ' \n' ' ' <wrapped >out
}

# --- as NEURON -------------------------------------------------------------

printf '1 1 0 0 0 10 -1\n2 1 0 -10 0 10 1\n3 1 0 10 0 10 1\n' >soma.swc
{
    printf '%s\n' "tstop: 50" "celsius: 20" "v_init: -65" "mechanisms: [$from]" "populations:"
    while read -r name _; do
        case $name in
        receive | moves) mechs= ;;
        potential) mechs=", c_potential: {}, c_leak_k: {}" ;;
        *) mechs=", c_$name: {}" ;;
        esac
        echo "  - {name: $name, morphologies: soma.swc, discretisation: {per_section: 1}," \
            "regions: {all: {cm: 1, pas: {g: 0.0001, e: -65}$mechs}}}"
    done <"$from/neuron.tsv"
    cat <<'END'
synapses: [{name: s, type: c_receive, at_c_receive: 0.3}, {name: m, type: c_moves}]
sources: [{name: n, type: regular, start: 2, interval: 7, number: 3, count: 1}]
projections:
  - {name: p, from: n, to: receive, rule: all_to_all, synapse: s, weight: 0.003, delay: 1.01, at: soma}
  - {name: q, from: n, to: moves, rule: all_to_all, synapse: m, weight: 0.003, delay: 1.01, at: soma}
clamps: [{at: soma, delay: 5, duration: 40, amplitude: 0.1}]
probes: [{name: s, at: soma, interval: 5}]
END
} >job.yaml

check "$from"
ok "all files are accepted" is "$rc" 0
ok "SOLVE under IF is told of" says "'states' is solved once in every step"
ok "a parameter that is a key of a job has another name there" says \
    "'at' is 'at_c_receive'"
alone job.yaml -o out.nc
ok "a job runs with all of them" is "$rc" 0
ncdump -p 9,17 -v s_v out.nc | sed -n '/^ s_v =/,/;/p' | tr -d ' ;' | tr ',' '\n' |
    grep -E '^[-0-9.e]+$' >ours
# the columns are populations: of row r and file k, number r * n + k
apart() {
    awk -F'\t' -v name="$1" -v within="$2" '
        FNR == NR { ours[NR - 1] = $1; next }
        { n = FNR; want[FNR] = $0; at[$1] = FNR - 1 }
        END {
            columns = split(want[at[name] + 1], x, "\t")
            for (r = 1; r < columns; ++r) {
                d = ours[r * n + at[name]] - x[r + 1]
                if (d < 0) d = -d
                if (!(d <= within)) { print name, r, d; bad = 1 }
            }
            exit bad || columns < 11
        }' ours "$from/neuron.tsv"
}
# NEURON's slope is that over 0.001 mV: it counts where a current has no state
while read -r name within what; do
    ok "$what as NEURON" apart "$name" "$within"
done <<'END'
operators 1e-8 operators are
functions 0.02 functions and their steps are
exp_high 0.002 exponentials beyond 700 are finite, and
bounds 1e-8 bounds of FROM are cut to int; what no int holds ends a loop,
statements 1e-8 loops, conditions and elements of arrays are
solve_if 1e-8 SOLVE under IF is
blocks 1e-8 several INITIAL and BREAKPOINT are
declared 1e-8 numbers, units and names of start values are
kinetic 1e-8 pools of second order, stoichiometry and sources are
conserved 1e-4 CONSERVE of sizes and STEADYSTATE are
implicit 1e-7 derivimplicit of what is not linear is
linear 1e-8 LINEAR is
returns 1e-8 return from a FUNCTION is
no_charge 1e-8 an ion with VALENCE 0 is
potential 1e-8 a written potential is
receive 1e-8 events, weights and WATCH are
moves 1e-8 events that net_move() moves are
verbatim 1e-8 C of VERBATIM is
END
alone job.yaml -o ref.nc --set backend=ref
ok "backend ref has the same bits" nc_same out.nc ref.nc

# --- refused ---------------------------------------------------------------

# refused NAME MESSAGE TEXT: 'mods check' refuses the text, and a job, too
refused() {
    printf '%s\n' "$3" >"$1.mod"
    check "$1.mod"
    ok "refused: $2" says "$2"
}
currents='NONSPECIFIC_CURRENT i } ASSIGNED { i v }'
refused solve_call 'SOLVE in a block that no INITIAL runs; move it to' \
    "NEURON { SUFFIX n_call $currents STATE { n }
BREAKPOINT { p() i = n } PROCEDURE p() { SOLVE s METHOD cnexp }
DERIVATIVE s { n' = -n }"
refused solve_itself 'SOLVE in a block that no INITIAL' \
    "NEURON { SUFFIX n_itself $currents STATE { n } INITIAL { SOLVE s METHOD cnexp }
BREAKPOINT { i = n } DERIVATIVE s { n' = -n
SOLVE s METHOD cnexp
}"
refused potential_current 'the potential ek is written where the current' \
    "NEURON { SUFFIX n_ek USEION k WRITE ek, ik } ASSIGNED { ik ek v }
BREAKPOINT { ek = -90 ik = v - ek }"
refused point_pool 'a point process writes a' \
    "NEURON { POINT_PROCESS n_pool USEION ca WRITE cai } ASSIGNED { cai v } BREAKPOINT { cai = 1 }"
refused valence "ion 'ca' has the valence 2, not 1" \
    "NEURON { SUFFIX n_ca USEION ca READ cai VALENCE 1 $currents ASSIGNED { cai } BREAKPOINT { i = cai }"
refused pas 'mechanism of that name is built in; rename it' \
    "NEURON { SUFFIX pas $currents BREAKPOINT { i = v } "
refused cm 'regions have a key of that name; rename it' \
    "NEURON { SUFFIX cm $currents BREAKPOINT { i = v } "
refused k_ion 'it is the name of an ion' \
    "NEURON { SUFFIX k_ion $currents BREAKPOINT { i = v } "
for name in exp log error mech; do
    refused $name "has a name made of '$name'; rename it" \
        "NEURON { SUFFIX $name $currents BREAKPOINT { i = v } "
done
refused arrays 'has 2402 states, with hidden ones and weights,' \
    "NEURON { POINT_PROCESS n_arrays $currents ASSIGNED { a[2400] k }
BREAKPOINT { i = 0 } NET_RECEIVE (w) { a[k] = w k = k + a[k] }"
refused two 'a second block of this kind' \
    "NEURON { POINT_PROCESS n_two $currents BREAKPOINT { i = 0 }
NET_RECEIVE (w) { }
NET_RECEIVE (w) { }"
refused bound 'a bound of the FROM loop is beyond 2147483647; make it smaller' \
    "NEURON { SUFFIX n_bound $currents BREAKPOINT { FROM k = 0 TO 1e18 { i = k } }"
refused step 'the step of a FROM loop is no positive whole number; give it as a number' \
    "NEURON { SUFFIX n_step $currents BREAKPOINT { FROM k = 0 TO 3 BY 0.5 { i = k } }"
for code in 'double *p = &i' 'goto out' 'i = (v > 0 && draw() > 0)' 'i = v << 2' \
    'static int n = 0; n += 1' 'struct x y' 'i = v % 3'; do
    refused "code" "VERBATIM with 3 lines of C, of which .* is not understood; write it in" \
        "NEURON { SUFFIX n_code $currents BREAKPOINT { i = v
VERBATIM
if (v > 0) {
    $code;
}
ENDVERBATIM
}
FUNCTION draw() { draw = exprand(1) }"
done
refused outside 'a break outside of a loop' "NEURON { SUFFIX n_out $currents BREAKPOINT { i = v
VERBATIM
break;
ENDVERBATIM
}"
refused choice "of which '#else' is not understood" "NEURON { SUFFIX n_choice $currents BREAKPOINT {
VERBATIM
#ifdef FAST
i = v;
#else
i = 2 * v;
#endif
ENDVERBATIM
}"
refused python 'bosc calls no Python; write what it does' "NEURON { SUFFIX n_py $currents BREAKPOINT { i = v
VERBATIM
(*nrnpy_hoccommand_exec)(0);
ENDVERBATIM
}"
refused table 'its values come from NEURON' "NEURON { SUFFIX n_table $currents BREAKPOINT { i = f(v) }
FUNCTION_TABLE f(v)"
"$BOSC" run job.yaml -n --set "mechanisms=[exp.mod]" >out 2>err
ok "a job refuses such a name, too" told "has a name made of 'exp'"
printf '%s\n' "NEURON { SUFFIX n_bare USEION da READ dai $currents ASSIGNED { dai } BREAKPOINT { i = dai }" >bare.mod
check bare.mod
ok "an ion without VALENCE is told of" says "ion 'da' has no VALENCE here"
printf '%s\n' "NEURON { SUFFIX n_bent $currents STATE { n }" \
    "BREAKPOINT { SOLVE s METHOD cnexp" "i = n }" "DERIVATIVE s { n' = (1 - n * n) / 5 }" >bent.mod
check bent.mod
ok "cnexp of what is not linear is told of" says "is not linear"

# --- what stands for other names, and times that are played -------------------

printf '%s\n' "NEURON { POINT_PROCESS n_first POINT_PROCESS n_last $currents" "BREAKPOINT { i = 0 } NET_RECEIVE (w) { }" >names.mod
check names.mod
ok "the last of two names counts" says "names.mod: accepted: n_last, POINT_PROCESS"
ok "that is told of" says "as in NEURON it counts, and 'n_first' does not"
cat >played.mod <<'END'
NEURON { ARTIFICIAL_CELL Played }
ASSIGNED { index etime (ms) space }
INITIAL { index = 0 element() if (index > 0) { net_send(etime - t, 1) } }
NET_RECEIVE (w) {
    if (flag == 1) { net_event(t) element() if (index > 0) { net_send(etime - t, 1) } }
}
PROCEDURE element() {
VERBATIM
  { void* vv; int i, size; double* px;
    vv = *((void**)(&space)); i = (int)index;
    if (vv) { size = vector_capacity(vv); px = vector_vec(vv); if (i < size) { etime = px[i]; index += 1.; } }
    else { index = -1.; } }
ENDVERBATIM
}
END
check played.mod
ok "a cell that plays a Vector is accepted" is "$rc" 0
ok "its replacement is told of" says "use 'sources: \[\{type: file, file: times.tsv, ...\}\]'"
cat >played.yaml <<'END'
tstop: 1
mechanisms: [played.mod]
populations:
  - {name: p, artificial: {type: Played}, count: 3}
END
"$BOSC" run played.yaml -n >out 2>err
ok "a population of it is refused" is $? 65
ok "with what replaces it" told \
    "played.yaml:4: type: Played plays times .* use 'sources: \[\{name: p, type: file, file: times.tsv, count: 3\}\]'"

# --- random numbers ------------------------------------------------------------

cat >draws.mod <<'END'
NEURON { SUFFIX draws NONSPECIFIC_CURRENT i RANDOM r }
ASSIGNED { i v } STATE { few many word }
BREAKPOINT { SOLVE draw METHOD after_cvode
i = 0 }
PROCEDURE draw() { few = poisrand(3) many = poisrand(800) word = random_ipick(r) }
END
cat >draws.yaml <<'END'
tstop: 1
mechanisms: [draws.mod]
populations:
  - {name: c, morphologies: soma.swc, count: 50, discretisation: {per_section: 1}, regions: {all: {draws: {}}}}
probes: [{name: d, at: soma, variables: [few, many, word]}]
END
alone draws.yaml -o draws.nc
# spread NAME MEAN VARIANCE: the moments of 40 times 50 numbers
spread() {
    ncdump -p 9,17 -v "d_$1" draws.nc | sed -n "/^ d_$1 =/,/;/p" | tr -d ' ;' | tr ',' '\n' |
        grep -E '^[0-9.e+]+$' | tail -n 2000 |
        awk -v mean="$2" -v variance="$3" '
            { sum += $1; squares += $1 * $1; whole += $1 == int($1) }
            END {
                m = sum / NR; s = squares / NR - m * m
                print NR, m, s, whole
                exit !(NR == 2000 && whole == NR && (m / mean - 1) ^ 2 < 0.05 ^ 2 &&
                    (s / variance - 1) ^ 2 < 0.15 ^ 2)
            }'
}
ok "poisrand(3) has its mean and variance" spread few 3 3
ok "poisrand(800) has, too" spread many 800 800
ok "random_ipick is a word of 32 bits" spread word 2147483647.5 1.537228672e18

# --- a current that is too steep for the step -------------------------------

cat >steep.mod <<'END'
NEURON { SUFFIX steep USEION na WRITE ina RANGE g }
PARAMETER { g = 0.009 }
ASSIGNED { ina v m }
BREAKPOINT {
    m = 1 / (1 + exp(-(v + 40) / 3))
    ina = g * m * m * m * (v - 55)
}
END
cat >steep.yaml <<'END'
tstop: 1
mechanisms: [steep.mod]
populations:
  - {name: c, morphologies: soma.swc, count: 4, regions: {all: {pas: {}, steep: {}}}}
END
"$BOSC" run steep.yaml -n >out 2>err
ok "a current that falls by more than C/dt is warned of" told \
    'warning: mechanism steep at soma.* of neuron 0 \(and of 3 others\): its current falls .* times C/dt'
"$BOSC" run steep.yaml -n --set dt=0.001 >out 2>err
ok "with a small step it is not" eval "! told 'times C/dt'"
"$BOSC" run steep.yaml -n --set strict=true >out 2>err
ok "a strict job is refused" is $? 65
if [ -n "${MPIEXEC:-}" ]; then
    $MPIEXEC -n 2 "$BOSC" run steep.yaml -n >out 2>err </dev/null
    ok "two ranks say the same once" is "$(grep -c 'neuron 0 (and of 3 others): its current falls' err)" 1
fi
done_testing
