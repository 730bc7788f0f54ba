#!/bin/bash
# mechanisms.t - jobs with mechanisms of mod files: built, kept, loaded on all
# ranks, and named like built-in ones.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
own_folder
diagnose="cat out"
export XDG_CACHE_HOME=$work/cache
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no C compiler"

mkdir mods
cat >mods/leak.mod <<'END'
TITLE A leak
NEURON { SUFFIX leak NONSPECIFIC_CURRENT i RANGE g, e }
PARAMETER {
    g = 0.001 (S/cm2) <0, 1e9>
    e = -70 (mV)
}
ASSIGNED { v (mV) i (mA/cm2) }
BREAKPOINT { i = g * (v - e) }
END
cat >mods/gate.mod <<'END'
TITLE A potassium channel
NEURON { SUFFIX gate NONSPECIFIC_CURRENT i RANGE gbar, e }
PARAMETER {
    gbar = 0.03 (S/cm2) <0, 10>
    e = -77 (mV)
    half = -40 (mV)
}
ASSIGNED { v (mV) i (mA/cm2) }
STATE { n }
INITIAL { n = 1 / (1 + exp(-(v - half) / 9)) }
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = gbar * n * n * (v - e)
}
DERIVATIVE states {
    LOCAL inf, tau
    inf = 1 / (1 + exp(-(v - half) / 9))
    tau = 1 + 5 / (1 + exp((v + 50) / 10))
    n' = (inf - n) / tau
}
END
cat >job.yaml <<'END'
tstop: 20
mechanisms: [mods]
populations:
  - name: cells
    synthetic: {compartments: 83, sections: 41}
    count: 24
    regions:
      all: {leak: {g: 0.0005}}
      soma: {hh: {}, gate: {gbar: 0.01}}
      dendrite: {gate: {gbar: 0.002}}
clamps:
  - {population: cells, at: soma, delay: 2, duration: 10, amplitude: 0.5}
probes:
  - {name: all, population: cells, neurons: 0-3, at: everywhere,
     variables: [v, gate.n], interval: 0.5}
END

# --- running ---

alone job.yaml -o one.nc
ok "a job runs with mechanisms of mod files" is "$rc" 0
ok "how far that is, is told" says '^building 2 mechanisms, 0 of 2$'
ok "which are built at its start" says '^built 2 mechanisms in '
ok "their states are recorded" [ "$(ncdump -h one.nc | grep -c 'double all_gate_n(')" = 1 ]
alone job.yaml -o again.nc
ok "each is kept" [ "$(find cache/bosc -type f | wc -l)" = 2 ]
ok "and not built again" [ "$(grep -c '^built' out)" = 0 ]
ok "the same bits" nc_same one.nc again.nc
sed 's/leak: {g: 0.0005}/pas: {g: 0.0005}/' job.yaml >pas.yaml
alone pas.yaml -o pas.nc
ok "a leak is as the built-in one, to the last bit" nc_same one.nc pas.nc
alone job.yaml -o ref.nc --set backend=ref
ok "backend ref has the same bits" nc_same one.nc ref.nc
alone job.yaml -o flat.nc --set method=hines-flat
ok "method hines-flat, too" nc_same one.nc flat.nc
# on_each_isa JOB RESULT: with any vectors the job has the bits of the result.
on_each_isa() {
    local isa
    for isa in base v3 v4 v4-pairs; do
        BOSC_ISA=$isa alone "$1" -o isa.nc
        if says 'has no such vector code'; then
            skip "no $isa here"
        else
            ok "instruction set $isa, too" nc_same "$2" isa.nc
        fi
    done
}
on_each_isa job.yaml one.nc
if [ -n "${MPIEXEC:-}" ]; then
    run 2 job.yaml -o two.nc
    ok "two ranks, too" nc_same one.nc two.nc
    timeout 300 "$MPIEXEC" -n 1 env BOSC_ISA=base "$BOSC" run job.yaml --overwrite -o two.nc : \
        -n 1 "$BOSC" run job.yaml --overwrite -o two.nc >out 2>&1 </dev/null
    ok "and where each uses other vectors" nc_same one.nc two.nc
else
    skip "no MPI launcher"
fi
sed '/dendrite: {gate/d' job.yaml >soma.yaml
alone soma.yaml -o soma.nc --set populations.cells.regions.dendrite.gate.gbar=0.002
ok "--set inserts one" nc_same one.nc soma.nc
timeout 300 "$BOSC" plan job.yaml >out 2>&1 </dev/null
ok "'bosc plan' knows them" is $? 0

cp -r mods edited
echo ': a comment' >>edited/gate.mod
alone job.yaml -o edited.nc --set mechanisms=edited
ok "a comment more builds nothing" [ "$(grep -c '^built' out)" = 0 ]
sed -i 's/tau = 1 +/tau = 4 +/' edited/gate.mod
alone job.yaml -o edited.nc --set mechanisms=edited
ok "one changed file builds one mechanism" says '^built 1 mechanism in '
differ() { ! nc_same "$@"; }
ok "and has its formula" differ one.nc edited.nc
cp -r mods broken
sed -i 's/tau = 1 +/tau = 3 +/' broken/gate.mod
cat >slow.sh <<'END'
#!/bin/sh
case "$*" in *gate*) exit 3 ;; esac
exec "${REAL_CC:-cc}" "$@"
END
chmod +x slow.sh
BOSC_CC=$work/slow.sh alone job.yaml -o broken.nc
ok "a compiler that fails for one file ends the run" is "$rc" 74
alone -q job.yaml -o quiet.nc --set mechanisms=broken
ok "--quiet tells nothing of building" is "$rc-$(grep -c buil out)" 0-0
cp one.nc kept.nc
"$BOSC" run job.yaml -o kept.nc >out 2>&1 </dev/null
ok "a finished job is not done again" says 'is the finished result of this job'
cp -r mods changed
sed -i 's/tau = 1 +/tau = 2 +/' changed/gate.mod
"$BOSC" run job.yaml --set mechanisms=changed -o kept.nc >out 2>&1 </dev/null
ok "one with another mod file is another job" says 'of another job \(.*mechanisms'

# --- ions and events ---

mkdir ions
cp "$BOSC_SRC"/tests/science/mods/*.mod ions
sed 's/SUFFIX hh/SUFFIX squid/' "$BOSC_SRC/tests/unit/nmodl/mods/hh.mod" >ions/squid.mod
cat >ions/release.mod <<'END'
TITLE A synapse that answers some events, drawn at random
NEURON {
    POINT_PROCESS Release
    NONSPECIFIC_CURRENT i
    RANGE p, tau, e
    RANDOM r
}
PARAMETER {
    p = 0.5 <0, 1>
    tau = 2 (ms) <1e-9, 1e9>
    e = 0 (mV)
}
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) released }
INITIAL { g = 0 released = 0 }
BREAKPOINT {
    SOLVE decay METHOD cnexp
    i = g * (v - e)
}
DERIVATIVE decay { g' = -g / tau }
NET_RECEIVE(weight (uS)) {
    if (random_uniform(r) < p) {
        g = g + weight
        released = released + 1
    }
}
END
cat >ions/watching.mod <<'END'
TITLE A conductance that opens while the voltage is above a threshold
NEURON { POINT_PROCESS Watching NONSPECIFIC_CURRENT i RANGE gmax }
PARAMETER { gmax = 0.003 (uS) }
ASSIGNED { v (mV) i (nA) on }
INITIAL { on = 0 net_send(0, 1) }
BREAKPOINT { i = on * gmax * (v + 80) }
NET_RECEIVE(w) {
    if (flag == 1) {
        WATCH (v > -30) 2
        WATCH (v < -60) 3
    } else if (flag == 2) {
        on = on + 1
    } else if (flag == 3) {
        on = 0
    }
}
END
cat >ions.yaml <<'END'
tstop: 20
celsius: 6.3
mechanisms: [ions]
populations:
  - name: cells
    synthetic: {compartments: 83, sections: 41}
    count: 11
    regions:
      all: {pas: {g: 0.0005}}
      soma: {squid: {}, cal: {}, kca: {}, pool: {}, na_ion: {ena: 51}}
      dendrite: {kca: {gbar: 0.0002}, cal: {gbar: 0.0005}}
synapses:
  - {name: tiring, type: Depress}
  - {name: pulse, type: Pulse}
  - {name: nmda, type: Nmda}
  - {name: release, type: Release}
  - {name: watch, type: Watching}
sources:
  - {name: noise, type: poisson, rate: 400, count: 7}
projections:
  - {name: t, from: noise, to: cells, synapse: tiring, rule: fixed_indegree,
     indegree: 5, weight: 0.004, delay: 0.5}
  - {name: p, from: noise, to: cells, synapse: pulse, rule: fixed_indegree,
     indegree: 3, weight: 1, delay: 0.7}
  - {name: n, from: noise, to: cells, synapse: nmda, rule: fixed_indegree,
     indegree: 4, weight: 0.002, delay: 0.5}
  - {name: r, from: noise, to: cells, synapse: release, rule: fixed_indegree,
     indegree: 9, weight: 0.001, delay: 0.5, at: soma}
  - {name: w, from: noise, to: cells, synapse: watch, rule: fixed_indegree,
     indegree: 2, weight: 1, delay: 0.5, at: soma}
  - {name: c, from: cells, to: cells, synapse: tiring, rule: fixed_indegree,
     indegree: 3, weight: 0.01, delay: 1}
clamps:
  - {population: cells, at: soma, delay: 2, duration: 10, amplitude: 0.3}
probes:
  - {name: all, population: cells, neurons: 0-5, at: everywhere, interval: 0.5,
     variables: [v, ca_ion.cai, ca_ion.eca, ca_ion.ica, na_ion.ina, kca.m]}
  - {name: soma, population: cells, at: soma, interval: 20,
     variables: [Release.released, Release.drawn]}
  - {name: watch, population: cells, at: soma, interval: 0.5, variables: [Watching.on]}
END
alone ions.yaml -o ions.nc
ok "mechanisms share ions, and synapses remember" is "$rc" 0
ok "variables of ions are recorded" [ "$(ncdump -h ions.nc | grep -cE 'double all_(cai|eca|ica|ina)\(')" = 4 ]
# value VARIABLE: the sum of what was recorded.
value() {
    ncdump -v "$1" ions.nc | sed -n '/^data:/,$p' | tr -s ', ;\n' '\n' |
        awk '/^-?[0-9]/ { s += $1 } END { print s }'
}
ok "events are drawn at random" \
    awk -v n="$(value soma_released)" -v all="$(value soma_drawn)" \
    'BEGIN { exit !(all > 40 && n > all / 4 && n < 3 * all / 4) }'
ok "thresholds are watched" [ "$(value watch_Watching_on | cut -d. -f1)" -gt 0 ]
alone ions.yaml -o seed.nc --set seed=7
ok "another seed, other numbers" [ "$(nc_same ions.nc seed.nc; echo "$rc $?")" = "0 1" ]
alone ions.yaml -o ref.nc --set backend=ref
ok "backend ref has the same bits" nc_same ions.nc ref.nc
alone ions.yaml -o flat.nc --set method=hines-flat
ok "method hines-flat, too" nc_same ions.nc flat.nc
on_each_isa ions.yaml ions.nc
for ranks in 2 7; do
    if [ -n "${MPIEXEC:-}" ]; then
        run $ranks ions.yaml -o ranks.nc
        ok "$ranks ranks, too" nc_same ions.nc ranks.nc
    else
        skip "no MPI launcher"
    fi
done
sed 's/squid: {}/hh: {ena: 51}/; s/na_ion: {ena: 51}//; s/na_ion.ina, //' ions.yaml >hh.yaml
alone hh.yaml -o hh.nc
apart=$(paste <(ncdump -p 9,17 -v all_v ions.nc | sed -n '/^data:/,$p' | tr -s ', \n' '\n') \
    <(ncdump -p 9,17 -v all_v hh.nc | sed -n '/^data:/,$p' | tr -s ', \n' '\n') |
    awk '$1 ~ /^-?[0-9]/ { d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d; ++n }
        END { print (n > 1000 && most < 1e-8) ? "no" : most }')
ok "hh of a mod file is the built-in one, within 1e-8 mV" is "$apart" no

# --- point processes without events ---

mkdir electrodes
cat >electrodes/jitter.mod <<'END'
TITLE A current that is drawn at each step
NEURON { POINT_PROCESS Jitter ELECTRODE_CURRENT i RANGE amp, i RANDOM r }
PARAMETER { amp = 0.01 (nA) }
ASSIGNED { i (nA) }
INITIAL { i = 0 }
BREAKPOINT { i = amp * random_normal(r) }
END
cat >electrodes/pump.mod <<'END'
TITLE Calcium that leaves through one place
NEURON { POINT_PROCESS Pump USEION ca READ cai WRITE ica RANGE p, ica GLOBAL half }
PARAMETER { p = 0.001 (nA) half = 0.001 (mM) }
ASSIGNED { cai (mM) ica (nA) }
BREAKPOINT { ica = p * cai / (cai + half) }
END
cat >steps.yaml <<'END'
tstop: 10
mechanisms: [ions, electrodes]
populations:
  - name: cells
    synthetic: {compartments: 83, sections: 41}
    count: 24
    regions: {all: {pas: {g: 0.0005}}, soma: {hh: {}, pool: {}, cal: {}}}
point_processes:
  - {type: Step, neurons: "0-9", del: 1, dur: 4, amp: -0.125}
  - {type: Step, del: 2, dur: 5, amp: 0.5}
  - {type: Step, neurons: "3-5", at: "dend[0](0.5)", del: 4, dur: 1, amp: 0.25}
probes:
  - {name: all, neurons: 0-5, at: everywhere, interval: 0.5, variables: v}
END
sed 's/point_processes/clamps/; s/type: Step, //; s/del:/delay:/; s/dur:/duration:/; s/amp:/amplitude:/' \
    steps.yaml >clamps.yaml
sed '/^probes/i \
  - {type: Hold, neurons: "7-9", at: "dend[0](0.3)", first: -50}\
  - {type: Jitter, neurons: "2-23", at: soma}\
  - {type: Jitter, neurons: "2-4", at: soma, amp: 0.02}\
  - {type: Pump, at: soma}\
  - {type: Watching, neurons: "0-3", at: soma}' steps.yaml >points.yaml
echo '  - {name: one, at: soma, interval: 0.5, variables: [Step.i, Jitter.i, ca_ion.cai, ica, Watching.on]}
  - {name: held, at: "dend[0](0.3)", variables: [v, Hold.i]}' >>points.yaml
alone clamps.yaml -o clamps.nc
alone steps.yaml -o steps.nc
ok "point processes without events are placed" is "$rc" 0
ok "electrodes are as clamps, to the last bit" nc_same clamps.nc steps.nc
alone points.yaml -o points.nc
ok "others hold voltages, draw numbers, use ions, watch" is "$rc" 0
# column VARIABLE N OF: what the N-th of OF columns has of it.
column() {
    ncdump -p 9,17 -v "$1" points.nc | sed -n '/^data:/,$p' | tr -d ';' |
        sed "s/^ $1 =//" | tr ',' '\n' | awk -v n="$2" -v of="$3" '
        /^ *-?[0-9]/ { if (k++ % of == n) print $1 }'
}
# i = (first - v) / rs, of the voltage at the beginning of the step
paste <(column held_v 8 24) <(column held_Hold_i 1 3) | awk '
    NR > 1 { d = $2 - ((NR - 1) <= 200 ? -50 - v : -20 - v); if (d < 0) d = -d
             if (d > most) most = d; n += $2 != 0 }
    { v = $1 } END { exit !(NR == 401 && n == 400 && most < 1e-12) }'
ok "the current of a clamp follows the voltage" is $? 0
ok "what is not at a place is not recorded there" is "$(column held_Hold_i 0 1 | wc -l)" 1203
ok "numbers are drawn, of each instance its own" \
    [ "$(paste <(column one_Jitter_i 0 22) <(column one_Jitter_i 3 22) | awk 'NR > 1 && $1 != $2' | wc -l)" = 20 ]
ok "of several at one place the first is recorded" \
    [ "$(column one_Step_i 0 24 | sort -un | tr '\n' ' ')" = "-0.125 0 " ]
ok "each has its own parameters" \
    [ "$(column one_Step_i 12 24 | sort -un | tr '\n' ' ')" = "0 0.5 " ]
ok "one that sends itself events needs no others" \
    [ "$(column one_Watching_on 0 4 | sort -un | tail -1)" = 1 ]
# What NEURON's own functions give, and a file that is included.
mkdir kit
echo 'FUNCTION half(x) { half = x / 2 }' >kit/part.inc
cat >kit/kit.mod <<'END'
TITLE Values of functions, as RANGE variables
NEURON {
    POINT_PROCESS Kit
    USEION ca READ cai, cao
    NONSPECIFIC_CURRENT i
    RANGE e, flux, hits, sum, picked, waited
}
INCLUDE "part.inc"
DEFINE N 4
ASSIGNED { v (mV) cai (mM) cao (mM) i (nA) e flux hits sum picked waited a[N] }
INITIAL {
    hits = 0
    FROM k = 0 TO N - 1 { a[k] = k * k }
}
BREAKPOINT {
    e = nernst(cai, cao, 2)
    flux = ghk(v, cai, cao, 2)
    if (at_time(3)) { hits = hits + 1 }
    sum = 0
    FROM k = 0 TO N - 1 { sum = sum + half(a[k]) }
    picked = scop_random()
    waited = exprand(2)
    i = 0
}
END
cat >kit.yaml <<'END'
tstop: 10
mechanisms: [kit]
populations:
  - {name: c, synthetic: {compartments: 9, sections: 3}, regions: {all: {pas: {}}}}
clamps: [{duration: 5, amplitude: 0.02}]
point_processes: [{type: Kit}]
probes: [{name: k, variables: [v, Kit.e, Kit.flux, Kit.hits, Kit.sum, Kit.picked, Kit.waited]}]
END
alone kit.yaml -o kit.nc
for name in v e flux hits sum picked waited; do
    ncdump -p 9,17 -v k_$name kit.nc | sed -n '/^data:/,$p' | tr -d ' ;' |
        sed 's/^k_.*=//' | tr ',' '\n' | grep '[0-9]' >$name.txt
done
paste v.txt e.txt flux.txt hits.txt sum.txt picked.txt waited.txt | awk '
    function off(a, b, c) { c = a / b - 1; return c < 0 ? -c : c }
    function linoid(x) { return x / (exp(x) - 1) }
    BEGIN { k = 1000 * 8.31446261815324 * (6.3 + 273.15) / 96485.33212331 }
    NR > 1 {
        x = 2 * old / k
        if (off($2, k / 2 * log(2 / 5e-5)) > 1e-12) ++bad["nernst"]
        if (off($3, 0.001 * 2 * 96485.33212331 * (5e-5 * linoid(-x) - 2 * linoid(x))) > 1e-10) ++bad["ghk"]
        if ($4 != (NR > 121)) ++bad["at_time"]
        if ($5 != 7) ++bad["array"]
        if ($6 <= 0 || $6 >= 1 || seen[$6]++) ++bad["scop_random"]
        all += $6; waits += $7
    }
    { old = $1 }
    END {
        if (all / 400 < 0.4 || all / 400 > 0.6) ++bad["scop_random"]
        if (waits / 400 < 1.6 || waits / 400 > 2.4) ++bad["exprand"]
        for (name in bad) print name, bad[name]
        print NR
    }' >out
for name in nernst ghk at_time array scop_random exprand; do
    ok "$name gives what it says" [ "$(tail -1 out) $(grep -c "^$name" out)" = "401 0" ]
done
for key in backend=ref method=hines-flat; do
    alone points.yaml -o same.nc --set $key
    ok "$key has the same bits" nc_same points.nc same.nc
done
on_each_isa points.yaml points.nc
if [ -n "${MPIEXEC:-}" ]; then
    for ranks in 2 7; do
        run $ranks points.yaml -o ranks.nc
        ok "$ranks ranks, too" nc_same points.nc ranks.nc
    done
else
    skip "no MPI launcher"
fi
alone points.yaml -o short.nc --set tstop=5 --set checkpoint.at_end=true
ok "checkpoints have their states" \
    [ "$(ncdump -h short.nc.checkpoint | grep -c 'double point.Jitter')" -ge 1 ]
cat >>points.yaml <<'END'
sweep: {grid: {point_processes.1.amp: [0.25, 0.5]}}
END
alone points.yaml -o swept.nc
ok "a sweep gives them values" is "$rc" 0
ok "with their unit" [ "$(ncdump -h swept.nc | grep -c 'sweep_amp:units = "nA"')" = 1 ]
timeout 300 "$BOSC" plan points.yaml >out 2>&1 </dev/null
ok "'bosc plan' knows them" is $? 0
sed -i '/^sweep/d' points.yaml
"$BOSC" run points.yaml --help-keys >out 2>&1
ok "the list of keys is that of the job" is $? 0
ok "with the parameters of point processes" says '^point_processes\[\].amp: 0'
ok "of each" says '^  of type Hold:'
ok "and those of densities" says '^populations\[\].regions.REGION.kca.gbar: '
ok "and what probes record of them" says '^ +Hold\.i: .*in nA'
"$BOSC" run --help-keys no.yaml >out 2>&1
ok "a job that is not there has none" [ $? != 0 ]
ok "and is named" says 'no.yaml: '

# --- on a GPU ---

if "$BOSC" devices >out 2>&1; then
    for job in job ions points; do
        alone $job.yaml -o gpu.nc --set backend=cuda
        ok "a GPU gives the same bits ($job)" nc_same "$([ $job = job ] && echo one || echo $job).nc" gpu.nc
    done
    alone ions.yaml -o gpu.nc --set backend=cuda --overwrite --set seed=7
    ok "with another seed, too" nc_same seed.nc gpu.nc
    alone ions.yaml -o gpu.nc --set backend=cuda --overwrite --set checkpoint.at_end=true --set tstop=11
    alone ions.yaml -o eleven.nc --set tstop=11 --set checkpoint.at_end=true
    # of ions that nobody reads, GPUs compute the currents too
    on_their_way() { ncdump -p 9,17 "$1" | sed -n '/^ self[._]/,/;/p'; }
    ok "and its events on their way are known on the host" \
        is "$(on_their_way gpu.nc.checkpoint)" "$(on_their_way eleven.nc.checkpoint)"
    ok "there are some" [ "$(on_their_way gpu.nc.checkpoint | wc -l)" -gt 3 ]
else
    skip "there is no GPU: mechanisms on it"
fi

# --- built before ---

timeout 300 "$BOSC" mods build mods -o lib/own.bmod >out 2>&1
ok "'bosc mods build' makes a file" is $? 0
sed 's/\[mods\]/lib\/own.bmod/' job.yaml >file.yaml
BOSC_CC=/no/such/compiler alone file.yaml -o file.nc
ok "that needs no compiler" is "$rc" 0
ok "and gives the same bits" nc_same one.nc file.nc
timeout 300 "$BOSC" mods build mods >out 2>&1
ok "without its name it is not made" says "where to\? add '-o NAME.bmod'"
timeout 300 "$BOSC" mods build mods -o own.so >out 2>&1
ok "nor under one that jobs do not know" says 'write own.so.bmod'

# --- refused ---

# refused SENTENCE WORDS ARGUMENTS...: on one rank, and on two.
refused() {
    alone "${@:3}" -o no.nc
    ok "$1" says "$2"
    ok "so there is no result" [ "$rc" != 0 ]
    [ -z "${MPIEXEC:-}" ] && return
    run 2 "${@:3}" -o no.nc
    ok "two ranks say it once" [ "$(grep -cE -- "$2" out)" = 1 ]
}
XDG_CACHE_HOME=$work/none BOSC_CC=/no/such/compiler \
    refused "no compiler is told, with the remedy" \
    "C compiler '/no/such/compiler' cannot be run here.*'bosc mods build'" job.yaml
XDG_CACHE_HOME=$work/none BOSC_CC=false \
    refused "one that fails, too" "the C compiler 'false' fails" job.yaml
# A GPU's driver may have made a folder of its own there.
ok "and leaves nothing" [ ! -e none/bosc ]
head -c 9000 lib/own.bmod >cut.bmod
refused "a file that is cut off" 'cut.bmod: its end is missing' \
    file.yaml --set mechanisms=cut.bmod
{ head -c 3000 lib/own.bmod && printf 'X' && tail -c +3002 lib/own.bmod; } >hurt.bmod
refused "one that is damaged" 'hurt.bmod: it is damaged' \
    file.yaml --set mechanisms=hurt.bmod
sed 's/bosc 0\./bosc 9./' lib/own.bmod >other.bmod
refused "one of another version" 'other.bmod: it was made by another version' \
    file.yaml --set mechanisms=other.bmod
machine=$(uname -m)
sed "s/\(bosc mechanisms.\)$machine/\1q${machine#?}/" lib/own.bmod >foreign.bmod
refused "one of another kind of processors" \
    "foreign.bmod: it was made for q${machine#?} processors" \
    file.yaml --set mechanisms=foreign.bmod
cp job.yaml text.bmod
refused "one that is none" "text.bmod: it is no file of 'bosc mods build'" \
    file.yaml --set mechanisms=text.bmod
mkfifo pipe.bmod
refused "one that is a pipe, for which it does not wait" 'pipe.bmod: ' \
    file.yaml --set mechanisms=pipe.bmod
refused "one that is not there" 'no.bmod: No such file' file.yaml --set mechanisms=no.bmod
refused "a mod file that is not there" \
    'no.mod: cannot be read: No such file.*relative to its file' \
    job.yaml --set mechanisms=no.mod
sed 's/gbar: 0.01/gmax: 0.01/' job.yaml >gmax.yaml
refused "a parameter that a mechanism lacks, by what it has" \
    "gmax.yaml:.*unknown key 'gmax'.*gbar" gmax.yaml
mkdir bad empty twice
refused "a folder without mod files" 'empty: is a folder without mod files' \
    job.yaml --set mechanisms=empty
sed 's/cnexp/runge/' mods/gate.mod >bad/gate.mod
refused "a mod file that is not understood: file, line and remedy" \
    "bad/gate.mod:12: .*runge.*'bosc mods check bad/gate.mod'" \
    job.yaml --set mechanisms=bad
cp mods/leak.mod bad/
refused "one of a folder, where the job names it" \
    'job.yaml:9: gate cannot be used: .*bad/gate.mod:12: .*runge' \
    job.yaml --set mechanisms=bad
sed 's/, gate: {gbar: 0.01}//; /dendrite: {gate/d; s/, gate.n//' job.yaml >left.yaml
alone left.yaml -o left.nc --set mechanisms=bad
ok "else it is left out" is "$rc" 0
timeout 300 "$BOSC" mods build bad -o left.bmod >out 2>&1
ok "as 'bosc mods build' tells" says '^gate is left out: bad/gate.mod:12: '
cp mods/gate.mod twice/again.mod
refused "two of one name" 'mechanism gate is in .*, too; rename one' \
    job.yaml --set 'mechanisms=[mods, twice]'
sed 's/SUFFIX gate/SUFFIX hh/' mods/gate.mod >twice/again.mod
refused "the name of a built-in one" 'there is a mechanism hh already; rename one' \
    job.yaml --set 'mechanisms=[mods, twice]'
refused "a parameter that it has not" "unknown key 'gber'; did you mean 'gbar'" \
    job.yaml --set populations.cells.regions.soma.gate.gber=1
refused "a value beyond the limits of the file" 'gbar: .* out of range; allowed: 0 to 10' \
    job.yaml --set populations.cells.regions.soma.gate.gbar=11
sed 's/SUFFIX pool/SUFFIX other/' ions/pool.mod >twice/again.mod
refused "two that write one concentration" \
    'other and pool both write the concentration inside of ca in one region; keep one' \
    ions.yaml --set 'mechanisms=[ions, twice]' \
    --set populations.cells.regions.soma.other={}
refused "a current that is read, with second_order" \
    'second_order: pool reads the current of ca' ions.yaml --set second_order=true
refused "two numbers for what is GLOBAL" 'half of kca is GLOBAL in its mod file' \
    ions.yaml --set populations.cells.regions.soma.kca.half=0.001
refused "a synapse that no event reaches" 'Step receives no events.*with .point_processes:' \
    ions.yaml --set synapses.0.type=Step
refused "a point process that waits for events" 'type: Nmda acts only when.*of .synapses:' \
    points.yaml --set point_processes.0.type=Nmda
refused "one that is of the membrane" 'kca is part of the membrane.*are of type .*Step' \
    points.yaml --set point_processes.0.type=kca
refused "one of none of the files" "unknown type 'Stop'; did you mean 'Step'" \
    points.yaml --set point_processes.0.type=Stop
sed 's/, pool: {}, cal: {}//; /^mechanisms/d' steps.yaml >none.yaml
refused "one where there are none" "unknown key 'del'; no mod file of the job has a point process.*name its mod file" \
    none.yaml
refused "their type, too" "there is no point process 'Step'; name a mod file" \
    none.yaml --set 'point_processes=[{type: Step}]'
refused "a parameter of another one" 'first has no effect: the type is Step, which takes' \
    points.yaml --set point_processes.0.first=1
refused "two numbers for what is GLOBAL there" 'point_processes: half of Pump is GLOBAL' \
    points.yaml --set 'point_processes.8={type: Pump, half: 0.002}' \
    --set 'stimuli=[{name: wave, type: IClamp, amplitude: 0.1}]'
mkdir global
cat >global/fading.mod <<'END'
NEURON { POINT_PROCESS Fading GLOBAL tau, e NONSPECIFIC_CURRENT i }
PARAMETER { tau = 2 (ms) e = 0 (mV) }
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT { SOLVE fade METHOD cnexp  i = g * (v - e) }
DERIVATIVE fade { g' = -g / tau }
NET_RECEIVE(w (uS)) { g = g + w }
END
cat >global.yaml <<'END'
tstop: 1
mechanisms: global
populations: [{name: a, synthetic: {compartments: 9, sections: 3}, count: 2, regions: {all: {pas: {}}}}]
sources: [{name: s, type: regular, interval: 1, count: 2}]
synapses:
  - {name: one, type: Fading, tau: 3}
  - {name: other, type: Fading, tau: 3}
projections: [{from: s, to: a, synapse: one, rule: one_to_one, weight: 0.01, delay: 1}]
END
timeout 300 "$BOSC" run global.yaml --dry-run >out 2>&1
ok "two kinds of synapses with one GLOBAL are accepted" is $? 0
refused "two numbers for it" \
    "synapses: tau of Fading is GLOBAL in its mod file.*'one' has 3 and 'other' 4" \
    global.yaml --set synapses.other.tau=4
refused "a point process everywhere" 'at: everywhere would be branch points' \
    points.yaml --set point_processes.0.at=everywhere
refused "one on neurons that are not there" 'has no neuron 24; its 24 neurons' \
    points.yaml --set point_processes.0.neurons=20-24
refused "one in a population that is not there" "unknown population 'cell'" \
    points.yaml --set point_processes.0.population=cell
refused "a state of one that is not placed" 'no entry of point_processes puts one on' \
    steps.yaml --set probes.0.variables=Hold.i
sed 's/SUFFIX kca USEION k/SUFFIX kca USEION kk/; s/ek/ekk/g; s/ik/ikk/g' ions/kca.mod >twice/again.mod
refused "an ion without a valence" "ion kk has no valence; add it to its USEION" \
    job.yaml --set 'mechanisms=[mods, twice]'
refused "a mechanism of none of the files" "unknown mechanism 'gates'" \
    job.yaml --set populations.cells.regions.soma.gates={}
done_testing
