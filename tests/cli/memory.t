#!/bin/bash
# memory.t - the program when a request for memory fails: one message, the
# right exit code, no crash, no hang, no file that looks finished.
#
# usage: tests/cli/memory.t [STRIDE [RANKS]]
#
# The n-th request of each command fails, for some n that are spread over it, and
# some of the last ones, which are those of the time loop; with a STRIDE for n =
# 1, 1 + STRIDE, ..., so that 1 tries all, which takes an hour; with RANKS 1 or 2
# only on so many ranks.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
stride=${1:-} only=${2:-}
: "${MPIEXEC=$(sed -n 's/^MPIEXEC = //p' "$BOSC_BUILD/Makefile")}"
preload=$BOSC_BUILD/tests/lib/no_memory.so
need_preload "$preload"
need_ncdump
own_folder
export OMP_NUM_THREADS=1

cat >cell.swc <<'END'
1 1 0 0 0 10 -1
2 3 10 0 0 1 1
3 3 50 0 0 1 2
4 3 90 9 0 1 3
5 3 90 -9 0 1 3
END
printf 'source\ttarget\tweight\tdelay\n0\t0\t0.01\t1\n1\t2\t0.02\t0.5\n' >edges.tsv
printf '0.5\t0\n1\t1\n' >times.tsv
printf '# cells\ncell.swc\t2\n*.swc\t1\n' >cells.tsv
cat >job.yaml <<'END'
tstop: 2
populations:
  - name: made
    synthetic: {compartments: [31, 60], sections: 7}
    count: 6
    positions: {box: [100, 100, 100]}
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1.0e-4, e: -65}}, soma: {hh: {}}}
  - name: read
    morphologies: cells.tsv
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1.0e-4, e: -65}}, soma: {hh: {}}}
synapses:
  - {name: fast, type: ExpSyn, tau: 2, e: 0}
  - {name: slow, type: Exp2Syn, tau1: 1, tau2: 5, e: -80}
sources:
  - {name: noise, type: poisson, rate: 500, count: 10}
  - {name: times, type: file, file: times.tsv, count: 3}
projections:
  - {name: a, from: noise, to: made, synapse: fast, rule: fixed_indegree,
     indegree: 3, weight: {lognormal: [0.01, 0.003]}, delay: 0.5,
     at: {region: all}}
  - {name: b, from: made, to: read, synapse: slow, rule: fixed_probability,
     probability: 0.5, weight: 0.01, delay: {uniform: [0.5, 2]}}
  - {name: c, from: times, to: read, synapse: fast, rule: list, file: edges.tsv}
couplings:
  - {type: gap, from: made, to: made, rule: ring, conductance: 0.002}
  - {type: graded, from: read, to: made, rule: all_to_all, conductance: 0.0001,
     e: -80, half: -40, slope: 5}
clamps:
  - {at: soma, delay: 0.2, duration: 2, amplitude: 2}
probes:
  - {name: soma, at: soma}
  - {name: all, population: made, at: everywhere, variables: [v, m], interval: 0.5}
END

{
    cat job.yaml
    echo 'sweep: {grid: {seed: [1, 2]}, zip: {clamps.0.amplitude: [1, 2], synapses.fast.tau: [2, 3]}}'
} >sweep.yaml

# once_with RANKS COMMAND...: its code in rc, what it said in 'out' and 'err';
# whether it is to write a result in 'writes'.
once_with() {
    local launcher=()
    case " ${*:2} " in
    *" -o "*) writes=true ;;
    *) writes=false ;;
    esac
    [ "$1" = 1 ] || launcher=("$MPIEXEC" -n "$1")
    rm -f out.nc out.nc.partial*
    timeout -k 5 300 "${launcher[@]}" env LD_PRELOAD="$preload" "${@:2}" \
        >out 2>err </dev/null
    rc=$?
}

# What is wrong with the way the command ended, in a word or two.
fault() {
    local said
    said=$(grep -c '^bosc ' err)
    case $rc in
    0)
        [ "$said" = 0 ] || echo "exit code 0 with a message"
        [ ! -e out.nc.partial ] || echo "exit code 0 with a partial file"
        [ $writes = false ] || [ -s out.nc ] || echo "exit code 0 without a result"
        ;;
    71)
        [ "$said" = 1 ] || echo "$said messages"
        [ "$(grep -ci memory err)" -gt 0 ] || echo "no word of memory"
        [ ! -e out.nc ] || echo "a result all the same"
        [ ! -e out.nc.partial ] || ncdump -h out.nc.partial |
            grep -q 'completed = "no' || echo "a partial file without a reason"
        ;;
    *) echo "exit code $rc" ;;
    esac
}

# Requests to try of 'n' in all: about 'tries', and of the 'last' every fifth.
requests() {
    local by=${stride:-$(((n + tries - 1) / tries))}
    {
        seq 1 "$by" "$n"
        [ -n "$stride" ] || seq $((n > last ? n - last + 1 : 1)) 5 "$n"
        echo "$n"
    } | sort -nu
}

# every TRIES+LAST RANKS RANK MANY COMMAND...: on that rank so many requests
# fail, from the n-th on.
every() {
    local tries=${1%+*} last=${1#*+} ranks=$2 rank=$3 many=$4 n at what
    local failed=0 tried=0
    shift 4
    [ "${only:-$ranks}" = "$ranks" ] || return 0
    export NO_MEMORY_RANK=$rank NO_MEMORY_FOR=$many
    rm -f told
    NO_MEMORY_TOLD=$work/told once_with "$ranks" "$@"
    n=$(tail -n 1 told)
    if [ "${n:-0}" = 0 ]; then
        skip "no request of ${*:2:1} is counted; is this glibc?"
        return
    fi
    : >faults
    for at in $(requests); do
        tried=$((tried + 1))
        NO_MEMORY_AT=$at once_with "$ranks" "$@"
        [ $rc = 0 ] || failed=$((failed + 1))
        what=$(fault)
        [ -z "$what" ] || echo "request $at of $n: $what: $(grep -v ' left$' err | tail -n 2)" >>faults
    done
    [ "$failed" -gt 0 ] || echo "none of $tried requests was missed" >>faults
    diagnose='cat faults' ok \
        "${*:2:1} ${*:4:1}: $tried of $n requests fail on rank $rank of $ranks, $many at once" \
        [ ! -s faults ]
}

every 20+1 1 0 1 "$BOSC" inspect cell.swc
every 20+1 1 0 1 "$BOSC" mods check "$BOSC_SRC/tests/unit/nmodl/mods/"{cad,draw,follow,hold,methods,moments,ring,schemes,watch}.mod
every 15+1 1 0 1 "$BOSC" plan job.yaml
every 20+1 1 0 1 "$BOSC" run job.yaml --dry-run -q
every 20+25 1 0 1 "$BOSC" run --overwrite job.yaml -q -o out.nc
every 10+5 1 0 1 "$BOSC" run --overwrite job.yaml -q -o out.nc --verify 3
every 20+1 1 0 1 "$BOSC" run sweep.yaml --dry-run -q
every 5+5 1 0 999999 "$BOSC" run --overwrite job.yaml -q -o out.nc
saves=(--set checkpoint.every=1e-7)
every 5+150 1 0 1 "$BOSC" run --overwrite job.yaml -q -o out.nc "${saves[@]}"
if [ -n "$MPIEXEC" ]; then
    every 5+1 2 0 1 "$BOSC" run --overwrite job.yaml -q -o out.nc
    every 5+25 2 1 1 "$BOSC" run --overwrite job.yaml -q -o out.nc
    every 2+40 2 1 1 "$BOSC" run --overwrite job.yaml -q -o out.nc "${saves[@]}"
    every 5+10 2 1 1 "$BOSC" run --overwrite job.yaml -q -o out.nc --verify 3
    every 4+1 2 1 999999 "$BOSC" run --overwrite job.yaml -q -o out.nc
else
    skip "no MPI launcher"
fi
done_testing
