#!/bin/bash
# verify.t - neurons that 'ref' computes again beside a run: nothing depends on
# it, and no difference is missed.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
faulty=$BOSC_BUILD/tests/batch/faulty
[ -x "$faulty" ] || skip_all "tests/batch/faulty is not built"
need_ncdump
need_launcher
own_folder
export XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config
diagnose="cat out"

cat >net.yaml <<'END'
tstop: 40
populations:
  - {name: left, synthetic: {compartments: [21, 60], sections: [5, 9]}, count: 7,
     regions: {all: {pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}}
  - {name: right, synthetic: {compartments: [21, 40], sections: [5, 7]}, count: 5,
     regions: {all: {pas: {g: 2e-4, e: -65}}, soma: {hh: {gnabar: 0.13}}}}
synapses: [{name: fast, type: ExpSyn, tau: 2, e: 0}, {name: slow, type: Exp2Syn, tau1: 1, tau2: 6, e: 0}]
sources: [{name: noise, type: poisson, count: 20, rate: 60}]
projections:
  - {from: noise, to: left, rule: fixed_indegree, indegree: 8, synapse: fast, weight: 0.006, delay: {uniform: [0.5, 3]}}
  - {from: left, to: right, rule: fixed_indegree, indegree: 4, synapse: slow, weight: 0.004, delay: 1.5}
  - {from: right, to: left, rule: all_to_all, synapse: fast, weight: 0.003, delay: 2, source: {at: "dend[0](0.5)", threshold: -20}}
probes:
  - {name: soma, at: soma, interval: 0.1, variables: [v, hh.m]}
  - {name: whole, neurons: "2,3", at: everywhere, interval: 1}
END

# ---- equal ----

alone net.yaml -o plain.nc
for ranks in 1 3; do
    run $ranks net.yaml --verify 5 -o v.nc
    ok "on $ranks ranks five neurons are computed again" says 'verified +5 neurons: equal$'
    ok "with the results of a run without" nc_same plain.nc v.nc
done
ok "which takes a part of the time loop" grep -qE ', verify [0-9.]+ ' <(unwrapped out)
ok "the file says so" grep -q ':verified = "5 neurons: equal"' <(ncdump -h v.nc)
ok "and one of a run without says nothing" eval '! ncdump -h plain.nc | grep -q ":verified"'
alone net.yaml --verify 1000 -o v.nc --set threads=3
ok "all of them where more are asked for, by all threads" says 'verified +12 neurons: equal'
alone net.yaml --set verify=3 -o v.nc --set second_order=true
ok "also with the second order" says 'verified +3 neurons: equal'
alone net.yaml --verify 12 -o v.nc --set method=hines-flat
ok "and with another method" says 'verified +12 neurons: equal'
sed 's/^tstop/sweep: {grid: {synapses.fast.tau: [1, 2, 4]}}\n&/' net.yaml >sweep.yaml
run 2 sweep.yaml --verify 10 -o v.nc
ok "neurons of all members of a sweep" says 'verified +10 neurons: equal'
run 2 net.yaml --verify 0 -o v.nc
ok "none with 0" eval '! says verified'
alone net.yaml --verify -3 -o v.nc
ok "a number below 0 is refused" is $rc 2

# ---- what differs ----

# fault RANKS GID NODE STEP MV ARGUMENTS...: a run in which that voltage is moved
# before the range with that step; batches of fewer than 4 neurons are those
# that are computed again.
fault() {
    local launch=()
    [ "$1" = 1 ] || launch=("$MPIEXEC" -n "$1")
    rm -rf f.nc*
    FAULT="$2 $3 $4 $5 4" timeout 300 "${launch[@]}" "$faulty" run "${job:-net.yaml}" -o f.nc "${@:6}" >out 2>&1 </dev/null
    rc=$?
}
fault 1 3 1 400 1e-12
ok "a fault is not noticed without" is $rc 0
chosen=() others=()
for gid in 0 1 2 3 4 5 6 7 8 9 10 11; do
    fault 1 $gid 1 400 1e-12 --verify 3
    if [ $rc = 70 ]; then chosen+=("$gid"); else others+=("$gid"); fi
done
ok "a moved bit ends the run where the neuron is one of those" is ${#chosen[@]} 3
found=
for gid in "${chosen[@]}" "${others[@]:0:2}"; do
    fault 3 "$gid" 1 400 1e-12 --verify 3
    found+=" $rc"
done
ok "which are the same on any number of ranks" is "$found" " 70 70 70 0 0"
gid=${chosen[0]}

fault 2 "$gid" 1 800 1e-12 --verify 3
ok "the exit code is 70" is $rc 70
ok "the message names neuron, compartment, time and both values" once \
    "verify: neuron $gid \(population (left|right)\) has v = -[0-9.]+ at [a-z]+\[[0-9]+\]\([0-9.]+\) at t = [0-9.]+ ms by cpu depth-first, and -[0-9.]+ by ref: its results cannot be trusted"
ok "and one more line where to report it" once "^bosc: reports go to $(reports)$"
ok "there is no result" [ ! -e f.nc ]
ok "but what was computed, which says that it is none" \
    grep -q "completed = \"no: verify: neuron $gid" <(ncdump -h f.nc.partial)
fault 1 "$gid" 1 0 1e-12 --verify 3
ok "it is found in the first steps" once "verify: neuron $gid .* at t = [0-9](\.[0-9]+)? ms"
fault 1 "$gid" 1 1599 1e-12 --verify 3
ok "and in the last" once "verify: neuron $gid .* at t = (39\.[0-9]+|40) ms"
fault 1 "$gid" 1 600 1e-12 --verify 3 --set 'probes=[]'
ok "without probes" once "verify: neuron $gid .* has v = "
fault 1 "$gid" 1 600 60 --verify 3 --set 'probes=[]'
ok "a spike that ref does not have is told" once "verify: neuron $gid .* has a spike at 15 ms by cpu depth-first and no spike then by ref"
FAULT_STATE="0 1" fault 1 "$gid" 0 1599 1e-15 --verify 3 --set 'probes=[]'
ok "a state of a mechanism is compared in the end" once "verify: neuron $gid .* has hh\.[a-z]+ = "

# ---- checkpoints ----

sed 's/^tstop: .*/tstop: 4000/' net.yaml >long.yaml
alone long.yaml -o long.nc
halted() { # ARGUMENTS...: a run that ends with a checkpoint, sooner or later
    rm -f h.nc*
    "$BOSC" run long.yaml -o h.nc "$@" >out 2>&1 </dev/null &
    local process=$!
    in_time 60 reached h.nc 20
    kill -TERM $process
    wait $process
    rc=$?
}
halted --verify 12
ok "a run with them ends with a checkpoint" is $rc 75
timeout 300 "$BOSC" run long.yaml -o h.nc --verify 3 >out 2>&1 </dev/null
ok "goes on with others" says 'verified +3 neurons: equal from t = [0-9.]+ ms on'
ok "to the same end" nc_same long.nc h.nc
halted --verify 12
FAULT="$gid 1 159990 1e-12 4" timeout 300 "$faulty" run long.yaml -o h.nc --verify 3 >out 2>&1 </dev/null
ok "and a difference is found then" is $? 70

# ---- couplings ----

gaps() { # NEURONS RULE
    cat <<END
tstop: 20
populations:
  - {name: cells, synthetic: {compartments: [21, 60], sections: [5, 9]}, count: $1,
     regions: {all: {pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}}
clamps: [{neurons: "0,4,9", at: soma, delay: 1, duration: 15, amplitude: 0.5}]
couplings:
  - {from: cells, to: cells, type: gap, at: "dend[0](0.5)", source: {at: soma}, conductance: 0.002, $2}
probes: [{name: soma, at: soma, interval: 0.5}]
END
}
printf 'source\ttarget\n0\t9\n9\t5\n1\t2\n7\t3\n' >pairs.tsv
gaps 12 'rule: list, file: pairs.tsv' >pairs.yaml
for ranks in 1 3; do
    run $ranks pairs.yaml --verify 6 -o v.nc
    ok "all that are coupled with them are computed, on $ranks ranks" \
        says 'verified +6 neurons and [0-9]+ coupled with them: equal'
done
run 1 pairs.yaml --verify 12 -o v.nc
ok "also all there are" says 'verified +12 neurons: equal'
gaps 64 'rule: ring' >ring.yaml
run 2 ring.yaml --verify 1 -o v.nc
ok "as many as 64" says 'verified +1 neuron and 63 coupled with it: equal'
gaps 65 'rule: ring' >ring.yaml
run 2 ring.yaml --verify 1 -o v.nc
ok "no more" once 'verify: neuron [0-9]+ is coupled with more than 63 others'
ok "which is refused" is $rc 69
ok "before the run" [ ! -e v.nc.partial ]

# A seed that draws a neuron of the three; the batches of the run have 4 each.
for seed in 1 2 3 4 5 6 7 8 9; do
    alone pairs.yaml --verify 1 --set seed=$seed -o v.nc
    ! says '2 coupled with it' || break
done
job=pairs.yaml fault 3 5 1 700 1e-9 --verify 1 --set "seed=$seed"
ok "a difference on one rank ends all" is $rc 70
ok "and is told once" once 'verify: neuron [059] \(population cells\) has v = '
done_testing
