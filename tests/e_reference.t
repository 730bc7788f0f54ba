#!/bin/bash
# e_reference.t - every backend and method integrates NEURON's own trees to
# NEURON's voltages and spikes; one test for each line of reference-check.
set -u
: "${BOSC_SRC:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${BOSC_BUILD:=$BOSC_SRC/build}"
export BOSC_SRC

out=$("$BOSC_BUILD/tests/reference-check" "$@" 2>&1)
code=$?
if [ $code = 77 ]; then
    echo "1..0 # ${out:-SKIP no reference folders}"
    exit 0
fi
printf '%s\n' "$out" | awk -v code=$code '
    /synapses: skipped/ { print "ok " ++n " # SKIP " $0; next }
    / PASS$/ { sub(/ *PASS$/, ""); print "ok " ++n " - " $0; next }
    / FAIL/ || /cannot read/ { print "not ok " ++n " - " $0; next }
    { print "# " $0 }
    END {
        print (code == 0 ? "ok " : "not ok ") ++n " - reference-check ends well"
        print "1.." n
    }'
