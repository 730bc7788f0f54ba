#!/bin/bash
# science.t - what 'bosc run' writes is right: against the equations, solved
# in star.awk for neurons small enough, and against NEURON's traces.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C

need_ncdump
own_folder
diagnose="cat out difference"

# Numbers of a variable, a line each.
values() {
    ncdump -p 17,17 -v "$2" "$1" | awk '
        /^data:/ { inside = 1; next }
        inside {
            sub(/^.*=/, "")
            gsub(/[,;}]/, " ")
            for (k = 1; k <= NF; k++) print $k
        }'
}

# within BOUND WANTED GOT: two tables of numbers, row by row.
within() {
    awk -v bound="$1" -v wanted="$2" '
        BEGIN { while ((getline line <wanted) > 0) want[++n] = line }
        {
            m = split(want[NR], w, " ")
            if (m == 0 || m != NF) odd = NR
            for (k = 1; k <= NF; k++) {
                if ($k !~ /^[-+.0-9e]+$/) odd = NR
                d = w[k] - $k
                d = d < 0 ? -d : d
                if (!(d <= worst)) { worst = d; where = NR ", column " k }
            }
        }
        END {
            print "largest difference " worst " in row " where
            if (odd || NR != n || NR == 0)
                print "rows or columns differ: " n " rows wanted, " NR " found"
            exit odd || NR != n || NR == 0 || !(worst <= bound)
        }' "$3" >difference
}

bosc_run() {
    rm -f run.nc
    timeout 300 "$BOSC" run job.yaml -o run.nc --quiet >out 2>&1 </dev/null
}

# ---- the equations ----

star() { awk -v write="$1" -f "$BOSC_SRC/tests/science/star.awk" case; }

# run_case: the case on standard input; its table in got, in wanted what the
# equations say.
run_case() {
    local name columns=()
    cat >case
    star swc >star.swc
    star job >job.yaml
    rm -f got
    bosc_run || return 1
    for name in $(star names); do
        values run.nc "$name" >"column-$name"
        columns+=("column-$name")
    done
    paste -d ' ' "${columns[@]}" >got
    star trace >wanted
}

agrees() { # SENTENCE, with the case on standard input
    run_case
    ok "$1" within 1e-9 wanted got # measured: 7e-12 mV, through spikes as well
}

row() { sed -n "$2p" "$1" >"row-$1"; }

agrees "a passive ball follows backward Euler" <<'END_CASE'
set tstop 30
node soma 20 20 100 1 1e-4 -65
clamp soma 5 20 0.05
END_CASE
values run.nc neuron_area | tail -n 1 >area
awk 'BEGIN { printf "%.17g\n", 400 * atan2(0, -1) }' >ball
ok "its area is that of a ball" within 1e-9 ball area
agrees "so does one of other size, capacitance, leak and voltage" <<'END_CASE'
set tstop 30
set dt 0.05
set v_init -58.5
node soma 31 31 100 1.7 3.5e-4 -71.25
clamp soma 2 20 -0.11
END_CASE
agrees "with second_order it follows Crank-Nicolson" <<'END_CASE'
set tstop 30
set second_order true
set v_init -60
node soma 20 20 100 2.5 2e-4 -70
clamp soma 5 20 0.05
END_CASE
agrees "a clamp acts from the first middle of a step to the last" <<'END_CASE'
set tstop 12
node soma 20 20 100 1 1e-4 -65
clamp soma 1.01 2 0.05
clamp soma 4.02 0.03 0.2
clamp soma 6 1.005 0.1
clamp soma 9.02 0.01 5
END_CASE
agrees "clamps at one place add up" <<'END_CASE'
set tstop 12
node soma 20 20 100 1 1e-4 -65
clamp soma 1 8 0.05
clamp soma 3 2 0.07
clamp soma 3 2 0.07
clamp soma 4 4 -0.2
END_CASE

# Whatever a region has, no other has.
cat >stems <<'END_CASE'
node soma 24 24 90 0.8 5e-5 -66
node axon 100 2 150 1.1 4e-4 -71
node dendrite 150 3 210 1.3 1e-4 -63
node apical 260 4 60 1.9 2.5e-4 -60
node custom 80 1.5 330 0.6 7e-4 -75
END_CASE
agrees "every region has its own properties" <<END_CASE
set tstop 50
$(cat stems)
clamp soma 1 60 0.3
clamp dendrite 10 20 -0.1
END_CASE
agrees "with second_order as well" <<END_CASE
set tstop 50
set second_order true
$(cat stems)
clamp axon 1 60 0.05
clamp apical 10 20 0.1
END_CASE
run_case <<END_CASE
set tstop 2000
set dt 0.5
$(cat stems)
clamp soma 0 3000 0.3
clamp custom 0 3000 0.02
END_CASE
star rest >wanted
tail -n 1 got >last
ok "in the end its voltages are those of a network of resistors" within 1e-9 wanted last

run_case <<'END_CASE'
set tstop 20
set celsius 9
set v_init -62
node soma 20 20 100 1 - - 0.12 0.036 0.0003 -54.3 50 -77
clamp soma 1 15 0.15
END_CASE
row got 2
row wanted 2
ok "the first step with hh has the conductances of rest" within 1e-11 row-wanted row-got
ok "it follows the equations through spikes" within 1e-9 wanted got
values run.nc spike_time >found
awk 'NR > 1 && $1 > -20 && v <= -20 { print (NR - 1) * 0.025 } { v = $1 }' wanted >crossings
ok "it spikes" [ -s found ]
ok "spikes are upward crossings of the threshold" within 1e-6 crossings found

run_case <<'END_CASE'
set tstop 20
set celsius 16.3
node soma 24 24 90 0.8 - - 0.12 0.036 0.0003 -54.3 50 -77
node axon 100 2 150 1.1 1e-5 -60 0.2 0.05 0.0004 -56 55 -80
node dendrite 150 3 210 1.3 1e-4 -63
node apical 260 4 60 1.9 - - 0.02 0.01 0.0001 -58 45 -75
clamp soma 1 15 0.5
END_CASE
row got 2
row wanted 2
ok "the first step is right where regions have an hh of their own" within 1e-11 row-wanted row-got
ok "and all others are" within 1e-9 wanted got

# ---- NEURON ----

# number CASE KEY: from its params.txt.
number() { awk -v key="$2" '$1 == key { print $2 }' "$1/params.txt"; }

# The nodes of a case as places: NODE SECTION(X).
places() {
    awk -F'\t' 'FNR > 1 {
        print $1, $(NF - 1) ($(NF - 1) ~ /\[/ ? "" : "[0]") "(" $NF ")"
    }' "$folder/nodes.tsv"
}

write_job() { # HOW_TO_CUT REGIONS
    local second=false
    [ "$(number "$folder" secondorder)" != 2 ] || second=true
    cat <<END_JOB
{dt: $dt, tstop: $tstop, second_order: $second,
 populations: [{name: cell, morphologies: $swc, discretisation: {$1}, regions: {$2}}],
END_JOB
    echo " clamps: ["
    places | awk '
        FNR == NR { place[$1] = $2; next }
        $1 == "IClamp" { printf "  {at: \"%s\", delay: %s, duration: %s, amplitude: %s},\n", place[$3], $4, $5, $6 }
        ' - "$folder/points.tsv"
    echo " ], probes: ["
    places | awk -v every="$every" '
        FNR == NR { place[$1] = $2; next }
        FNR == 1 {
            for (k = 2; k <= NF; k++) {
                gsub(/[^0-9]/, "", $k)
                printf "  {name: p%d, at: \"%s\", interval: %s},\n", k, place[$k], every
            }
        }' - "$folder/traces.tsv"
    echo "]}"
}

# Until the last row before the step of the first synaptic event.
find_end() {
    dt=$(number "$folder" dt_ms)
    every=$(awk -v dt="$dt" -v n="$(number "$folder" trace_every_steps)" 'BEGIN { printf "%.10g", dt * n }')
    tstop=$(awk -F'\t' -v dt="$dt" -v every="$every" -v end="$(number "$folder" tstop_ms)" '
        FNR > 1 && $1 - dt < end { end = $1 - dt }
        END { printf "%.10g", int(end / every + 1e-6) * every }' "$folder/events.tsv")
    dt=$(awk -v dt="$dt" 'BEGIN { printf "%.10g", dt }')
}

passive="all: {Ra: 100, pas: {g: 1e-4, e: -65}}"
leak="pas: {g: 6.666666666666667e-05, e: -65}" # 1 / 15000
active="all: {Ra: 120, cm: 1}, soma: {hh: {}}, axon: {hh: {}},
  dendrite: {$leak}, apical: {cm: 1.5, $leak}"

# against_neuron HOW_TO_CUT REGIONS: 'folder' and 'swc' say which case.
against_neuron() {
    local columns=() k
    find_end
    write_job "$1" "$2" >job.yaml
    bosc_run || { ok "$name: it runs" false && return; }
    for ((k = 2; k <= $(head -n 1 "$folder/traces.tsv" | wc -w); k++)); do
        values run.nc "p${k}_v" >"p$k"
        columns+=("p$k")
    done
    paste -d ' ' "${columns[@]}" >got
    sed 1d "$folder/traces.tsv" | head -n "$(wc -l <got)" | cut -f 2- | tr '\t' ' ' >wanted
    ok "$name: NEURON's voltages until $tstop ms, in ${folder#"$BOSC_SRC/"}" within 1e-9 wanted got
}

echo '1 1 0 0 0 10 -1' >ball.swc
for reference in "$BOSC_SRC/tests/reference" "${BOSC_SHARED:-$BOSC_SRC/../shared}/reference"; do
    for name in c1_passive_single c6a_swc100 c6a_swc100_cn c6a_swc100_nseg1 c6b_swc400 c6c_allen_pvalb; do
        folder=$reference/$name
        [ -d "$folder" ] || continue
        case $name in
        c1_*) swc=ball.swc ;;
        *) swc=$reference/swc/$(sed -n 's/.*"swc": "\(.*\)".*/\1/p' "$folder/model.json") ;;
        esac
        case $name in
        c1_*) against_neuron "policy: d_lambda" "$passive" ;;
        *nseg1) against_neuron "policy: per_section, per_section: 1" "$active" ;;
        *) against_neuron "policy: d_lambda" "$active" ;;
        esac
    done
done
done_testing
