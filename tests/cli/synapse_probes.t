#!/bin/bash
# synapse_probes.t - probes tell synapses of one type apart by their names, and
# say which one they record where a connection each has its own.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1
need_ncdump
need_launcher
own_folder
diagnose="cat out"

cat >job.yaml <<END
tstop: 30
populations:
  - {name: cells, morphologies: $BOSC_SRC/morphologies/ball-and-stick.swc, count: 3,
     regions: {all: {pas: {}}}}
synapses:
  - {name: excite, type: ExpSyn, tau: 2, e: 0}
  - {name: inhibit, type: ExpSyn, tau: 20, e: -80}
sources:
  - {name: early, type: regular, count: 1, interval: 10, start: 5}
  - {name: late, type: regular, count: 1, interval: 7, start: 9}
projections:
  - {from: early, to: cells, rule: all_to_all, synapse: excite, weight: 0.001, delay: 1, at: soma}
  - {from: late, to: cells, rule: all_to_all, synapse: inhibit, weight: 0.003, delay: 3, at: soma}
probes:
  - {name: soma, at: soma, variables: [v, inhibit.g, excite.g], interval: 0.1}
END
run() { # OUTPUT ARGUMENTS...
    timeout 100 "$BOSC" run "${@:2}" --overwrite -o "$1.nc" >out 2>&1 </dev/null
}
refuses() { # WORDS ARGUMENTS...
    ! run refused "${@:2}" && unwrapped out | grep -qF -- "$1"
}
values() { # FILE VARIABLE
    ncdump -p 9,17 -v "$2" "$1.nc" | sed '1,/^data:/d; s/ soma_[a-z_]* =/ =/'
}
ok "two synapses of one type are recorded, each by its name" run both job.yaml
ok "their numbers differ" eval \
    '[ "$(values both soma_excite_g)" != "$(values both soma_inhibit_g)" ]'
for name in excite inhibit; do
    grep -v "synapse: $([ $name = excite ] && echo inhibit || echo excite)" job.yaml >alone.yaml
    sed -i 's/variables: .*interval/variables: g, interval/' alone.yaml
    ok "a job with $name alone has the same $name.g, called g" eval \
        'run alone alone.yaml && [ "$(values alone soma_g)" = "$(values both soma_'$name'_g)" ]'
done
ok "the file says whose it is" eval \
    "ncdump -h both.nc | grep -q 'soma_excite_g:long_name = .*(excite, ExpSyn)'"
timeout 100 "$MPIEXEC" -n 2 "$BOSC" run job.yaml -q --overwrite -o ranks.nc >out 2>&1 </dev/null
ok "two ranks record the same" eval \
    '[ "$(values both soma_inhibit_g)" = "$(values ranks soma_inhibit_g)" ]'
ok "a name of the type does not do for two, which are named" refuses \
    "there are synapses 'inhibit' and 'excite' of type ExpSyn: write inhibit.g, excite.g, or both" \
    job.yaml --set 'probes.soma.variables=g'
ok "a synapse without the state is refused, with those it has" refuses \
    "unknown variable 'excite.q'; did you mean 'excite.g'" job.yaml --set 'probes.soma.variables=excite.q'
ok "so is a name of no synapse" refuses \
    "unknown variable 'exite.g'; did you mean 'excite.g'" \
    job.yaml --set 'probes.soma.variables=exite.g'
ok "so is a synapse that no projection puts there" refuses "no projection has such a synapse" \
    job.yaml --set 'projections.late-cells.synapse=excite' --set 'probes.soma.variables=inhibit.g'
run refused job.yaml --set 'projections.early-cells.synapse=inhibit' \
    --set 'probes.soma.variables=qqq'
ok "what is available is what projections put there" eval \
    "unwrapped out | grep -q \"unknown variable 'qqq'; available: v, i_mem, inhibit.g *$\""
sed 's/^probes:/&\n  - {name: soma_excite}/' job.yaml >names.yaml
ok "so is a probe whose variables would have the same name" refuses \
    "'soma_excite' conflicts with what probe 'soma' records of synapse 'excite'" names.yaml
cat >>job.yaml <<'END'
sweep: {grid: {synapses.excite.tau: [2, 4]}}
END
ok "members of a sweep whose synapses differ have theirs in one variable" eval \
    'run sweep job.yaml && ncdump -h sweep.nc | grep -q "soma_excite_g(time_soma, soma)" &&
     [ "$(values sweep soma_excite_g | sed -n 200p | tr -d " ," | wc -c)" -gt 10 ] &&
     ! values sweep soma_excite_g | grep -qi "nan\|_,"'

# --- a connection each ---------------------------------------------------------
cat >Each.mod <<'END'
NEURON { POINT_PROCESS Each  NONSPECIFIC_CURRENT i  RANGE tau, e, n }
UNITS { (nA) = (nanoamp) (mV) = (millivolt) (uS) = (microsiemens) }
PARAMETER { tau = 2 (ms)  e = 0 (mV) }
ASSIGNED { v (mV) i (nA) n }
STATE { g (uS) }
INITIAL { g = 0  n = 0 }
BREAKPOINT { SOLVE states METHOD cnexp
  i = g*(v - e) }
DERIVATIVE states { g' = -g/tau }
NET_RECEIVE(weight (uS)) { g = g + weight/(1 + n)
  n = n + 1 }
END
sed -e '/^sweep/d; s/ExpSyn/Each/; s/count: 1,/count: 2,/; 1a mechanisms: [Each.mod]' \
    -e 's/inhibit.g, excite.g/inhibit.g, excite.g, excite.n/' job.yaml >each.yaml
ok "several connections at a compartment are recorded" run each each.yaml
ok "with a warning for each synapse" is "$(grep -c '^warning: ' out)" 2
ok "that says where, how many, and which is recorded" eval \
    'unwrapped out | grep -qF "at soma[0](0.5) of neuron 0 (and so at 2 others) end 2 connections with synapse '\''excite'\'', each with its own excite.g; recorded is that of the first, from number 0 of early"'
ok "the file has it" eval "ncdump -h each.nc | grep -q 'from number 0 of late'"
# A connection alone: what all of a compartment give is the sum of what each gives.
sed -e '/^probes/,$d; s/weight: 0.001, delay: 1, at: soma/weight: {uniform: [0.001, 0.003]}, delay: {uniform: [1, 3]}, at: {region: all}/' \
    each.yaml >single.yaml
cat >>single.yaml <<'END'
probes:
  - {name: all, at: everywhere, variables: [v, excite.i], interval: 0.1}
  - {name: one, connection: {projection: early-cells, source: 0}, variables: [v, excite.i, excite.g], interval: 0.1}
  - {name: two, connection: {projection: early-cells, source: 1}, variables: [excite.i], interval: 0.1}
END
# numbers FILE VARIABLE: one a line.
numbers() { ncdump -p 9,17 -v "$2" "$1.nc" | sed '1,/^data:/d; s/^.*=//; s/[;} ]//g' | tr ',' '\n' | grep .; }
# sums FILE: is the current of each compartment the sum of those of both?
sums() {
    local p
    for p in all one two; do
        paste -d: <(numbers "$1" ${p}_gid) <(numbers "$1" ${p}_compartment) | sed "s/^/at $p /"
        numbers "$1" ${p}_excite_i | sed "s/^/of $p /"
    done | awk '
        $1 == "at" { where[$2, n[$2]++] = $3; next }
        { f = int(k[$2] / n[$2]); c = where[$2, k[$2]++ % n[$2]] }
        $2 == "all" { total[f, c] = $3; next }
        { sum[f, c] += $3 }
        END { for (at in total) { if (total[at] !~ /[0-9]/) continue
                  ++seen; most = total[at] < most ? total[at] : most
                  d = total[at] - sum[at]; if (d * d > 1e-28) exit 1 }
              exit !(seen > 300 && most < -0.01) }'
}
ok "single connections are recorded" eval "run single single.yaml && ! grep -q '^warning: ' out"
ok "where they end, one each on three neurons" is "$(numbers single one_gid | tr '\n' ' ')" "0 1 2 "
ok "and the current of each is its own" sums single
ok "two ranks, and the reference, record the same" eval \
    'timeout 100 "$MPIEXEC" -n 2 "$BOSC" run single.yaml -q --overwrite -o two.nc >out 2>&1 </dev/null &&
     run ref single.yaml --set backend=ref && for v in one_v one_excite_g two_excite_i one_compartment; do
         [ "$(numbers single $v)" = "$(numbers two $v)" ] && [ "$(numbers single $v)" = "$(numbers ref $v)" ] || exit 1
     done'
if [ -x "$BOSC_BUILD/tests/emulate/bosc" ]; then
    ok "so does a GPU" eval \
        '"$BOSC_BUILD/tests/emulate/bosc" run single.yaml -q --overwrite -o gpu.nc --set backend=cuda >out 2>&1 &&
         [ "$(numbers single one_excite_g)" = "$(numbers gpu one_excite_g)" ]'
else
    skip "there is no emulated GPU"
fi
ok "a source without a connection is refused" refuses \
    "probe 'one' records no v: 'early-cells' makes no connection from its source number 7 to these neurons" \
    single.yaml --set 'probes.one.connection.source=7'
ok "so is no projection" refuses "unknown projection 'earl-cells'; did you mean 'early-cells'" \
    single.yaml --set 'probes.one.connection.projection=earl-cells'
ok "a place besides" refuses "at: a probe with 'connection' records where that ends" \
    single.yaml --set probes.one.at=soma
sed 's/from: late, to: cells,/name: late-cells, from: early, to: cells,/; s/synapse: inhibit/synapse: excite/' \
    single.yaml >alike.yaml
ok "and projections that are alike" refuses "projections 'early-cells' and 'late-cells' join the same neurons" alike.yaml

# Connections whose synapses are one at a compartment: 'one' and 'two' have mirrors
# of it, which change nothing else.
sed 's/type: Each/type: ExpSyn/; /^mechanisms/d' single.yaml >shared.yaml
sed '/connection:/d' shared.yaml >without.yaml
# told: the numbers of connections and events.
told() { grep -oE '[0-9,]+ (connections|events)' out | tr '\n' ' '; }
run without without.yaml
told_before=$(told)
ok "connections and events are told" [ -n "$told_before" ]
for type in ExpSyn Exp2Syn; do
    if [ $type = ExpSyn ]; then
        cp shared.yaml mirrors.yaml
    else
        sed 's/ExpSyn, tau: 2,/Exp2Syn, tau1: 0.5, tau2: 2,/; s/excite.g/excite.B/' shared.yaml >mirrors.yaml
    fi
    ok "connections of $type are recorded alone" eval "run mirrors mirrors.yaml && ! grep -q '^warning: ' out"
    ok "and the current of each is its own" sums mirrors
    ok "with as many connections and events" is "$(told)" "$told_before"
    sed '/connection:/d' mirrors.yaml >without.yaml
    ok "all else is as without them, to the last bit" eval 'run without without.yaml &&
        [ "$(numbers without all_v)" = "$(numbers mirrors all_v)" ] &&
        [ "$(numbers without all_excite_i)" = "$(numbers mirrors all_excite_i)" ]'
done
same() { # FILE: the numbers of mirrors.nc?
    local v
    for v in all_v one_v one_excite_B two_excite_i one_compartment; do
        [ "$(numbers mirrors $v)" = "$(numbers "$1" $v)" ] || return 1
    done
}
ok "two ranks, and the reference, record the same" eval \
    'timeout 100 "$MPIEXEC" -n 2 "$BOSC" run mirrors.yaml -q --overwrite -o two.nc >out 2>&1 </dev/null &&
     run ref mirrors.yaml --set backend=ref && same two && same ref'
if [ -x "$BOSC_BUILD/tests/emulate/bosc" ]; then
    for method in depth-first cell-blocks; do
        ok "so does a GPU, by $method" eval \
            '"$BOSC_BUILD/tests/emulate/bosc" run mirrors.yaml -q --overwrite -o gpu.nc --set backend=cuda --set method=$method >out 2>&1 && same gpu'
    done
else
    skip "there is no emulated GPU"
    skip "there is no emulated GPU"
fi
sed 's/from: late, to: cells,/name: late-cells, from: early, to: cells,/; s/synapse: inhibit/synapse: excite/' \
    mirrors.yaml >alike.yaml
ok "projections that are alike are told apart" eval \
    'run alike alike.yaml && [ "$(numbers alike one_excite_B)" = "$(numbers mirrors one_excite_B)" ]'
sed -i 's/count: 2,/count: 1,/' each.yaml
ok "one connection has no warning" eval "run each each.yaml && ! grep -q '^warning: ' out"
sed '/^synapses/,/^projections/d; /{from/d' each.yaml |
    sed 's/^probes/point_processes: [{type: Pulse, at: soma}, {type: Pulse, at: soma, amp: 1}]\n&/
         s/Each.mod/Pulse.mod/; s/v, inhibit.*n\]/Pulse.i]/' >points.yaml
cat >Pulse.mod <<'END'
NEURON { POINT_PROCESS Pulse  ELECTRODE_CURRENT i  RANGE amp, i }
PARAMETER { amp = 0.5 (nanoamp) }
ASSIGNED { i (nanoamp) }
BREAKPOINT { i = amp }
END
ok "point processes at one compartment have one, too" eval \
    'run points points.yaml && unwrapped out | grep -qF "there are 2 point processes with Pulse.i; recorded is that of the first in the order of point_processes"'
done_testing
