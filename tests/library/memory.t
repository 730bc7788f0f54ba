#!/bin/bash
# memory.t - a simulation of libbosc.so, or a batch of libbosc-tridiag.so, whose
# n-th request for memory fails says so, and ends no process.
#
# usage: memory.t [1]       (1: all n, which takes minutes)
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
preload=$BOSC_BUILD/tests/lib/no_memory.so
need_preload "$preload"
own_folder
cat >job.yaml <<'END'
tstop: 10
threads: 2
populations: [{name: c, synthetic: {compartments: 31, sections: 5}, count: 3, regions: {all: {pas: {}}, soma: {hh: {}}}}]
synapses: [{name: s, type: ExpSyn}]
sources: [{name: kick, type: regular, interval: 2}]
projections:
  - {from: c, to: c, rule: all_to_all, synapse: s, weight: 0.01, delay: 1}
  - {from: kick, to: c, rule: all_to_all, synapse: s, weight: 0.01, delay: 1}
couplings: [{from: c, to: c, type: gap, rule: ring, conductance: 0.001}]
clamps: [{at: soma, delay: 1, duration: 5, amplitude: 0.5}]
probes: [{name: soma, interval: 0.1}]
END
simulate() { timeout 60 env LD_PRELOAD="$preload" "$BOSC_BUILD/tests/library/starved" job.yaml >out 2>&1 </dev/null; }

NO_MEMORY_TOLD=$work/told simulate
ok "with all memory it simulates" is $? 0
requests=$(head -n 1 told)
[ "${requests:-0}" -gt 0 ] || skip_all "requests for memory are not counted"
bad=
for ((n = 1; n <= requests; n += ${1:-1 + requests / 60})); do
    NO_MEMORY_AT=$n simulate
    rc=$?
    # BOSC_ENOMEM, with its sentence alone
    [ $rc = 7 ] && [ "$(wc -l <out)" = 1 ] && says 'out of memory' && continue
    bad+="request $n of $requests: status $rc: $(tail -n 1 out)"$'\n'
done
report "without it, it says so" "$bad"

# Tridiagonal systems: the example goes on with the next layout.
example() { timeout 60 env LD_PRELOAD="$preload" "$BOSC_BUILD/tests/library/tridiag-example" >out 2>&1 </dev/null; }
rm -f told
NO_MEMORY_TOLD=$work/told example
ok "the example of libbosc-tridiag solves with all memory" is $? 0
requests=$(head -n 1 told)
bad=
for ((n = 1; n <= requests; ++n)); do
    NO_MEMORY_AT=$n example
    [ $? = 1 ] && [ "$(grep -c 'out of memory' out)" = 1 ] && [ "$(grep -c 'largest error' out)" = 3 ] && continue
    bad+="request $n of $requests: $(tail -n 1 out)"$'\n'
done
ok "it makes more than 20 requests" [ "$requests" -gt 20 ]
report "without one of them, one layout says so" "$bad"
done_testing
