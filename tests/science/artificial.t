#!/bin/bash
# artificial.t - populations of artificial cells: NEURON's spikes, the same bits for
# any ranks, threads and engines, and after a checkpoint; what is refused.
#
# BOSC_PYTHON is a Python that has NEURON (default: python3).
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_ncdump
command -v cc >/dev/null || skip_all "there is no C compiler 'cc'"
own_folder
diagnose="tail -n 5 out"
cp "$BOSC_SRC"/tests/science/cells/* .
export XDG_CACHE_HOME=$work/cache

# The spikes of a result, as time and gid, in the order of both.
spikes_of() {
    paste -d' ' <(values_of "$1" spike_time) <(values_of "$1" spike_gid) | sort -k1,1g -k2,2n
}
# NEURON records a spike of a threshold 1e-10 ms late.
are_neurons() {
    paste -d' ' <(spikes_of "$1") spikes.tsv | awk '
        $2 != $4 || $1 - $3 > 1e-9 || $3 - $1 > 1e-9 { bad = 1 }
        END { exit bad || NR != 168 }'
}

alone job.yaml -o one.nc --set threads=1
ok "a job of artificial cells ends well" is $rc 0
ok "its 168 spikes are NEURON's, within 1e-9 ms" are_neurons one.nc
ok "a state of them is recorded by name" eval 'values_of one.nc fire_heard | grep -q "[1-9]"'
alone job.yaml -o three.nc --set threads=3
ok "three threads give the same bits" nc_same one.nc three.nc
alone job.yaml -o ref.nc --set backend=ref
ok "and so does ref" nc_same one.nc ref.nc
alone job.yaml -o second.nc --set verify=9
ok "verify computes them again" says 'verified +9 neurons: equal'
alone job.yaml -o lonely.nc --set projections=[] --set 'probes=[]' --set synapses=[]
ok "without a projection they send all the same" \
    is "$(spikes_of lonely.nc | awk '$2 < 2' | wc -l)" 80

if [ -n "${MPIEXEC:-}" ]; then
    run 3 job.yaml -o ranks.nc
    ok "three ranks give the same bits" nc_same one.nc ranks.nc
    long=(--set tstop=2400 --set populations.beat.artificial.number=1e6)
    alone job.yaml -o whole.nc "${long[@]}"
    rm -f part.nc*
    "$BOSC" run job.yaml -o part.nc "${long[@]}" >log 2>&1 &
    run=$!
    while kill -0 $run 2>/dev/null && ! grep -q '^ *[34][0-9] %' log; do sleep 0.02; done
    kill -TERM $run
    wait $run
    rc=$?
    ok "a signal leaves a checkpoint" eval '[ $rc = 75 ] && [ -s part.nc.checkpoint ]'
    timeout 300 "$MPIEXEC" -n 2 "$BOSC" run job.yaml -o part.nc "${long[@]}" >out 2>&1 </dev/null
    ok "two ranks go on with it, to the same bits" nc_same whole.nc part.nc
else
    skip "no MPI launcher"
fi

# refused KEY=VALUE SENTENCE
refused() {
    alone job.yaml -o no.nc --set "$1"
    ok "refused: $1" says "$2"
}
refused 'projections[0].delay=0.05' "'beat-fire': its smallest delay is rounded to 2 steps of 0.025 ms, less than three"
refused 'projections[0].synapse=e' "synapse has no effect: 'fire' is of artificial cells"
refused 'projections[0].source={at: soma}' "source has no effect: 'beat' has no voltage"
refused 'synapses.e.type=Fire' "type: Fire is a cell of its own; make a population of it"
refused 'populations.fire.artificial.type=ExpSyn' "ExpSyn is no ARTIFICIAL_CELL; those of the job are Beat, Bound, Fire"
refused 'populations.fire.regions={all: {pas: {}}}' "regions has no effect: population 'fire' is of artificial cells"
refused 'clamps=[{population: fire, duration: 1, amplitude: 1}]' "'fire' is of artificial cells, which have no compartments"
refused 'couplings=[{from: fire, to: cells, type: gap, rule: all_to_all, conductance: 1}]' "'fire' is of artificial cells, which have no voltage"
refused 'probes.cell.population=fire' "'fire' is of artificial cells, which have no compartments"
sed -i 's/net_send(when(), 1)/net_send(when(), 2)/' bound.mod
alone job.yaml -o no.nc
ok "a net_move() without an event to move is told" \
    eval 'says "net_move\(\) of a mechanism finds no event with flag 1" && [ $rc != 0 ]'

python=${BOSC_PYTHON:-python3}
PATH=$(dirname "$(command -v "$python" || echo .)"):$PATH
if command -v nrnivmodl >/dev/null && "$python" -c 'import neuron' 2>/dev/null >&2; then
    "$python" "$BOSC_SRC/tests/science/compare-cells.py" "$BOSC" >out 2>&1
    ok "NEURON has the same spikes within 1e-9 ms, and voltages within 1e-9 mV" \
        eval 'tail -n 1 out | awk "{ exit !(NF == 3 && \$1 == 168 && \$2 < 1e-9 && \$3 < 1e-9) }"'
else
    skip "NEURON is not installed for $python"
fi
done_testing
