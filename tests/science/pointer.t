#!/bin/bash
# pointer.t - POINTERs of mod files: NEURON's numbers (pointers/neuron.tsv, by
# compare-pointers.py), the same bits for any ranks, threads, lanes and engines, and
# after a checkpoint; what is refused.
#
# BOSC_PYTHON is a Python that has NEURON (default: python3).
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_ncdump
command -v cc >/dev/null || skip_all "there is no C compiler 'cc'"
own_folder
diagnose="tail -n 5 out"
cp "$BOSC_SRC"/tests/science/pointers/* .
export XDG_CACHE_HOME=$work/cache

values_of() {
    ncdump -p 9,17 -v "$2" "$1" | tr -d '\n' |
        sed "s/.*data:.* $2 =//; s/;.*//" | tr -s ', ' '\n' | grep .
}
# is_neurons VARIABLE: within 1e-8 of what NEURON gives at each ms.
is_neurons() {
    paste -d' ' <(values_of one.nc "$1") \
        <(grep "^$1	" neuron.tsv | cut -f2- | tr '\t' '\n') | awk '
        NF != 2 || $1 - $2 > 1e-8 || $2 - $1 > 1e-8 { bad = 1 }
        END { exit bad || NR < 183 }'
}

alone job.yaml -o one.nc --set threads=1
ok "a job of mechanisms with pointers ends well" is $rc 0
while read -r variable what; do
    ok "$what, as NEURON within 1e-8" is_neurons "$variable"
done <<'END'
soma_v gap junctions and graded synapses by v of the same neuron and of others
dend_v what they do elsewhere
er_ptgated_n a gate by a state here and calcium at the soma
er_er AFTER SOLVE with the current through the membrane
er_line BREAKPOINT with it
sum_PtSum_total a sum that other compartments add to
END
alone job.yaml -o ref.nc --set backend=ref
ok "ref has the same bits" nc_same one.nc ref.nc
for more in threads=3 method=depth-first method=hines-flat; do
    alone job.yaml -o more.nc --overwrite --set $more
    ok "and so has $more" nc_same one.nc more.nc
done
alone job.yaml -o sweep.nc --set 'sweep={grid: {clamps.0.amplitude: [0.1, 0.5]}}'
ok "members of a sweep point at their own neurons" \
    is "$(values_of sweep.nc soma_v | awk 'NR % 12 > 6 || NR % 12 == 0' | md5sum)" \
    "$(values_of one.nc soma_v | md5sum)"

if [ -n "${MPIEXEC:-}" ]; then
    run 3 job.yaml -o ranks.nc
    ok "three ranks give the same bits" nc_same one.nc ranks.nc
    alone job.yaml -o whole.nc --set tstop=2000
    rm -f part.nc*
    "$BOSC" run job.yaml -o part.nc --set tstop=2000 >log 2>&1 &
    run=$!
    while kill -0 $run 2>/dev/null && ! grep -q '^ *[34][0-9] %' log; do sleep 0.02; done
    kill -TERM $run
    wait $run
    rc=$?
    ok "a signal leaves a checkpoint" eval '[ $rc = 75 ] && [ -s part.nc.checkpoint ]'
    timeout 300 "$MPIEXEC" -n 2 "$BOSC" run job.yaml -o part.nc --set tstop=2000 >out 2>&1 </dev/null
    ok "two ranks go on with it, to the same bits" nc_same whole.nc part.nc
else
    skip "no MPI launcher"
fi

# refused KEY=VALUE SENTENCE
refused() {
    alone job.yaml -o no.nc --set "$1"
    # shellcheck disable=SC2034
    sentence=$2
    ok "refused: $1" eval '[ $rc != 0 ] && says "$sentence"'
}
gap='point_processes.1={type: PtGap, population: cells, pointers'
region=populations.cells.regions.all
refused 'point_processes.1={type: PtGap}' "PtGap has a POINTER 'vgap', and nothing says what it stands for; add 'pointers: \{vgap: v\}'"
refused "$region.ptgated.pointers=null" "job.yaml:10: ptgated has a POINTER 'open', and nothing says"
refused "$gap: {vg: v}}" "PtGap has no POINTER 'vg'; it has: vgap"
refused "$gap: {vgap: vv}}" "unknown variable 'vv'"
refused "$gap: {vgap: hh.gnabar}}" "gnabar is a parameter of hh, which never changes"
refused "$gap: {vgap: {variable: hh.m, neuron: 1}}}" "of another neuron, 'vgap' can stand for v alone"
refused "$gap: {vgap: {variable: i_membrane, at: \"soma[0](0)\"}}}" \
    "stands for i_membrane, a current per area, and .* has no membrane at soma.0..0., the end of a section; name a place between"
refused "$gap: {vgap: {neuron: 7}}}" "stands for a neuron that its population does not have"
refused "$gap: {vgap: {population: x}}}" "there is no population 'x' of neurons with a voltage"
refused "$gap: {vgap: {at: everywhere}}}" "a pointer stands for one number"
refused "$gap: {vgap: {at: \"dend[3](0.5)\"}}}" 'point_processes.1=.*has no section dend\[3\]; it has dend\[0\]'
refused "$gap: {vgap: {at: \"dend[3](0.5)\", neuron: 1}}}" 'point_processes.1=.*has no section dend\[3\]; it has dend\[0\]'
refused "$region.ptextra.pointers.total=v" "ptextra assigns to 'total', which can stand for a state of a mechanism"
refused "$region.ptextra.pointers.total=PtSum.total" "which neuron 0 .population cells. does not have at"
refused "$region.hh=false" "job.yaml:16: pointers: 'open' stands for hh.m, which neuron 0 .population cells. does not have at"
refused verify=1 "a POINTER stands for the voltage of another neuron"
if [ -n "${MPIEXEC:-}" ]; then
    run 2 job.yaml -o no.nc --set "$gap: {vgap: {at: \"dend[3](0.5)\", neuron: 2}}}"
    ok "two ranks say so, too" says 'has no section dend\[3\]; it has dend\[0\]'
fi
sed 's/PtGap/PtCell/; s/POINT_PROCESS/ARTIFICIAL_CELL/; /NONSPECIFIC/d; /^BREAKPOINT/d' gap.mod >cell.mod
echo 'NET_RECEIVE (w) { i = vgap }' >>cell.mod
"$BOSC" mods check cell.mod 2>&1 | tr -s ' \n' ' ' >out
ok "an artificial cell has none" says 'an ARTIFICIAL_CELL has no compartment'
rm cell.mod

python=${BOSC_PYTHON:-python3}
PATH=$(dirname "$(command -v "$python" || echo .)"):$PATH
if command -v nrnivmodl >/dev/null && "$python" -c 'import neuron' 2>/dev/null >&2; then
    "$python" "$BOSC_SRC/tests/science/compare-pointers.py" "$BOSC" >out 2>err
    ok "NEURON has the same within 1e-8" \
        eval 'awk "!(\$2 < 1e-8) { exit 1 } END { exit NR != 6 }" out'
else
    skip "NEURON is not installed for $python"
fi
done_testing
