#!/bin/bash
# measure.t - 'tune: measure': the best candidates compute first steps, and no
# result depends on it.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 BOSC_METHODS=$PWD/none
need_ncdump
python=$(find_python sys)
[ -n "$python" ] || skip_all "python3 is not installed"
own_folder
diagnose="cat out"

cat >job.yaml <<'END'
tstop: 2
tune: measure
populations:
  - {name: a, synthetic: {compartments: [30, 90], sections: [3, 20]}, count: 60, regions: {all: {pas: {}}, soma: {hh: {}}}}
synapses: [{name: s, type: ExpSyn}]
projections: [{from: a, to: a, synapse: s, rule: fixed_indegree, indegree: 5, weight: 0.01, delay: 0.5}]
couplings: [{type: gap, from: a, to: a, rule: ring, offset: 1, conductance: 0.0005}]
clamps: [{neurons: "0-30", delay: 0.2, duration: 5, amplitude: 0.9}]
probes: [{name: soma, at: soma, interval: 0.1}]
END

# model SECONDS RATIO METHOD METHOD...: of this device, as if it were slow: so
# that a short run is predicted to be a long one.
model() {
    "$python" - "$device" "$program" "$@" >slow.model <<'END'
import math
import sys

device, program, seconds, ratio, *methods = sys.argv[1:]
lines = ["bosc-model 1\tloops", f"device\t{device}", f"program\t{program}",
         "precision\tfp64", "date\t2026-11-23", "batches\t100", "threads\t4",
         "features\tneurons"]
for k, method in enumerate(methods):
    base = math.log(float(ratio if k else seconds))
    lines.append(f"method\t{method}\t{base:.9g}\t0")
text = "\n".join(lines) + "\n"
sum = 0xcbf29ce484222325
for byte in text.encode():
    sum = (sum ^ byte) * 0x100000001b3 & (2 ** 64 - 1)
print(f"{text}end\t{sum:016x}")
END
}
run() { timeout 300 "${@:2}" run job.yaml --overwrite -o "$1" >out 2>&1 </dev/null; }
says() { tr -s ' \n' ' ' <out | grep -qE -- "$1"; } # lines are wrapped
chosen_by() { ncdump -h "$1" | grep -q "method_chosen_by = \"$2\""; }

timeout 300 "$BOSC" tune --batches 1 --kind loops --threads 1 -q -o own >out 2>&1
device=$(sed -n 's/^# device\t//p' own/loops.tsv)
program=$(sed -n 's/^# program\t//p' own/loops.tsv)

run short.nc "$BOSC"
ok "a run of less than 10 s is not measured" chosen_by short.nc rules
export BOSC_METHODS=$work/slow.model
model 1e-3 1.1 depth-first hines-flat
plan() { timeout 300 "$BOSC" plan job.yaml -r 1 "$@" >out 2>&1; }
plan
ok "a plan says that a longer one will be" \
    says 'measured first: depth-first, hines-flat; the fastest is taken'
plan --set tstop=0.025
ok "that a short one will not" says 'not measured first: the run is too short'
plan --set method=hines-flat
ok "nor one that names its method" says 'not measured first: the job names it'
run long.nc "$BOSC"
ok "a longer one is" chosen_by long.nc measurement
ok "which says what the candidates took" \
    says 'measured depth-first [0-9.]+ m?s, hines-flat [0-9.]+ m?s a step of all neurons'
ok "with the same results" nc_same short.nc long.nc
if [ -n "${MPIEXEC:-}" ]; then
    run three.nc "$MPIEXEC" -n 3 "$BOSC"
    ok "three ranks measure together" chosen_by three.nc measurement
    ok "with the same results, too" nc_same short.nc three.nc
fi
timeout 300 "$BOSC" run job.yaml --set method=hines-flat -q -o named.nc >out 2>&1
ok "nothing is where the job names the method" chosen_by named.nc 'the job'
timeout 300 "$BOSC" run job.yaml --set tune=predict -q -o off.nc >out 2>&1
ok "nor where the job does not ask for it" chosen_by off.nc 'a model'
model 1e-3 10 depth-first hines-flat
plan
ok "nothing far slower will be" says 'not measured first: no other method comes near'
run far.nc "$BOSC"
ok "what is predicted to be far slower is not tried" chosen_by far.nc 'a model'
timeout 300 "$BOSC" run job.yaml --set tune=now -q -o no.nc >out 2>&1
ok "another word is refused" says "unknown tune 'now'.*measure"

if [ -x "$BOSC_BUILD/tests/emulate/bosc" ]; then
    device="emulated, 4 multiprocessors, 32 lanes"
    model 1e-3 1.1 cell-blocks depth-first
    sed -i 's/^tune/backend: cuda\ntune/' job.yaml
    run gpu.nc "$BOSC_BUILD/tests/emulate/bosc"
    ok "on a GPU couplings leave one method, which is not measured" \
        chosen_by gpu.nc 'a model'
    ok "with the same results as on the CPU" nc_same short.nc gpu.nc
    sed -i '/^couplings/d' job.yaml
    run gpu.nc "$BOSC_BUILD/tests/emulate/bosc"
    ok "without them two are" chosen_by gpu.nc measurement
    sed -i '/^backend/d' job.yaml
    run short.nc "$BOSC"
    ok "with the same results, too" nc_same short.nc gpu.nc
fi
done_testing
