#!/bin/bash
# members.t - a member of a sweep that fails on a GPU is found there as on a CPU.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

[ -x "$BOSC_BUILD/tests/emulate/bosc" ] || skip_all "bosc was built without a C++ compiler"
need_ncdump
own_folder
diagnose="cat out"
export HOME=$work XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

cat >job.yaml <<'END'
tstop: 9
populations:
  - {name: cells, synthetic: {compartments: 60, sections: 7}, count: 2, regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps: [{at: "dend[0](0.9)", delay: 2, duration: 1, amplitude: 0.01}]
probes: [{name: soma}]
sweep: {zip: {clamps.0.amplitude: [0.01, -1.0e+6, 0.02]}}
END
status() { ncdump -v member_status "$1" | sed -n 's/ member_status = \(.*\) ;/\1/p'; }

"$BOSC" run job.yaml -o cpu.nc --set backend=cpu >out 2>&1 </dev/null
ok "on a CPU one member fails" is "$(status cpu.nc)" "0, 1, 0"
for method in depth-first cell-blocks; do
    "$BOSC_BUILD/tests/emulate/bosc" run job.yaml -o "$method.nc" --overwrite \
        --set backend=cuda --set "method=$method" >out 2>&1 </dev/null
    code=$?
    ok "$method: the exit status says so" is $code 65
    ok "$method: so does the result" is "$(status "$method.nc")" "0, 1, 0"
    ok "$method: and a warning, with the reason" grep -q 'warning: member 1 .* has failed' out
done
done_testing
