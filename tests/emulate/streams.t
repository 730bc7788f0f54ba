#!/bin/bash
# streams.t - neurons that an emulated GPU streams from memory: rows that are
# plain come by a ring on the chip, others do not, and the bits are those of the
# CPU whatever trees they have.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 LC_ALL=C
unset BOSC_MACHINE

[ -x "$BOSC_BUILD/tests/emulate/bosc" ] || skip_all "bosc was built without a C++ compiler"
need_ncdump
own_folder
diagnose="cat out"

# same JOB ARGUMENTS...: the bits of the CPU?
same() {
    rm -f cpu.nc gpu.nc
    timeout 300 "$BOSC" run "$1.yaml" -q -o cpu.nc "${@:2}" >out 2>&1 </dev/null &&
        timeout 300 "$BOSC_BUILD/tests/emulate/bosc" run "$1.yaml" --set backend=cuda \
            --set method=depth-first -o gpu.nc "${@:2}" >out 2>&1 </dev/null &&
        nc_same cpu.nc gpu.nc
}

# With so many neurons groups have 32 lanes; they have hh in their somata, and a
# current at a row that is kept otherwise.
cat >different.yaml <<'END'
name: different
tstop: 0.6
populations:
  - name: cells
    synthetic: {compartments: [70, 190], sections: [5, 30]}
    count: 140
    regions:
      all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}
      soma: {hh: {}}
clamps:
  - {at: soma, delay: 0.1, duration: 0.4, amplitude: 0.6}
  - {neurons: "3-5", at: "dend[1](0.5)", delay: 0.2, duration: 0.2, amplitude: 0.3}
probes:
  - {name: soma, at: soma, interval: 0.1}
  - {name: all, at: everywhere, interval: 0.3}
END
cells=populations.cells
made=$cells.synthetic
ok "different trees" same different
ok "of few sections" same different --set "$made.sections=[7, 9]"
deep=(--set "$made.compartments=600" --set "$made.sections=290")
ok "with deep stacks" same different "${deep[@]}"
ok "of a row more than their batches have" same different --set $made.compartments=129
ok "with a reversal potential of their own here and there" same different \
    --set $cells.regions.axon.pas.e=-70
ok "with hh everywhere" same different --set $cells.regions.all.hh.gl=1e-4
ok "with second order" same different --set second_order=true

# With less shared memory there is no room for rings, and then none for stacks.
for bytes in 20000 12000; do
    export BOSC_EMULATED_SHARED=$bytes
    ok "in $bytes bytes of shared memory" same different "${deep[@]}"
done
unset BOSC_EMULATED_SHARED

# Equal neurons share their constants.
sed "s|synthetic:.*|morphologies: $BOSC_SRC/morphologies/*.swc|; s/count: .*/count: 70/
    s/dend.1./dend[0]/" different.yaml >equal.yaml
ok "equal trees" same equal
export BOSC_EMULATED_SHARED=20000
ok "without room for rings" same equal
unset BOSC_EMULATED_SHARED
ok "with hh everywhere" same equal --set $cells.regions.all.hh.gl=1e-4
done_testing
