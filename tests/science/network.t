#!/bin/bash
# network.t - networks as a user meets them: the same bits however a job is
# run, NEURON's spikes, files, and clear words when it cannot be.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C

need_ncdump
need_launcher
own_folder
diagnose="cat out"

refused() { [ $rc != 0 ] && [ $rc != 124 ]; }
one_line() { [ "$(grep -c '^bosc run: ' out)" = 1 ] && grep -qE -- "^bosc run: .*$1" out; }
some() { awk -v least="$2" '$1 > 0 { n++ } END { exit !(n >= least) }' "$1"; }
other() { ! nc_same "$@"; }

# Spikes of a result, a line each: time (ms) and gid.
spikes() {
    nc_values "$1" spike_time >when
    nc_values "$1" spike_gid >gids
    paste when gids
}
nc_values() {
    ncdump -p 17,17 -v "$2" "$1" | awk '
        /^data:/ { inside = 1; next }
        inside {
            sub(/^.*=/, "")
            gsub(/[,;}]/, " ")
            for (k = 1; k <= NF; k++) print $k
        }'
}

# ---- the same bits ----

awk 'BEGIN {
    print "source\ttarget\tweight\tdelay"
    for (k = 0; k < 40; k++) printf "%d\t%d\t%g\t%g\n", 7 * k % 9, 5 * k % 13, 0.004 + k / 1e4, 1 + k % 7 / 3
}' >edges.tsv
printf 'time\tsource\n0.5\t2\n1\t0\n2.5\t1\n7.25\t2\n' >times.tsv
awk 'BEGIN { print "x\ty\tz"; for (k = 0; k < 9; k++) print k * k "\t" 40 - 3 * k "\t" k }' >positions.tsv
cat >job.yaml <<'END'
tstop: 20
populations:
  - name: a
    synthetic: {compartments: 90, sections: 17}
    count: 13
    positions: {box: [100, 100, 20]}
    regions:
      all: {Ra: 100, pas: {g: 1e-4, e: -65}}
      soma: {hh: {}}
  - name: b
    synthetic: {compartments: 61, sections: 9}
    count: 9
    positions: {file: positions.tsv}
    regions:
      all: {Ra: 120, pas: {g: 1e-4, e: -65}}
      soma: {hh: {}}
      axon: {hh: {}}
synapses:
  - {name: fast, type: ExpSyn, tau: 2, e: 0}
  - {name: slow, type: Exp2Syn, tau1: 0.5, tau2: 5, e: 0}
  - {name: calm, type: ExpSyn, tau: 8, e: -80}
sources:
  - {name: beat, type: regular, count: 5, start: 1, interval: 4, noise: 0.5}
  - {name: noise, type: poisson, count: 30, rate: 40}
  - {name: file, type: file, count: 3, file: times.tsv}
projections:
  - {from: beat, to: a, rule: fixed_indegree, indegree: 3, synapse: fast, weight: 0.02, delay: 0}
  - {from: noise, to: b, rule: fixed_probability, probability: 0.5, synapse: slow,
     weight: {lognormal: [0.004, 0.002]}, delay: {uniform: [0, 2]}, at: {region: dendrite, by: area}}
  - {from: file, to: b, rule: ring, synapse: fast, weight: 0.03, delay: 0.1, at: {region: all, distance: [0, 80]}}
  - {from: a, to: a, rule: ring, offset: -3, synapse: fast, weight: 0.02, delay: 1}
  - {name: self, from: a, to: a, rule: one_to_one, synapse: calm, weight: 0.002, delay: 0.6}
  - {from: a, to: b, rule: distance, length: 90, synapse: slow, weight: {distance: [0.01, -5e-5]},
     delay: {distance: [0.6, 0.01]}}
  - {from: b, to: a, rule: list, file: edges.tsv, synapse: fast, at: {region: [dendrite, apical]},
     source: {at: "axon[0](1)", threshold: -10}}
  - {from: b, to: b, rule: all_to_all, autapses: false, synapse: calm, weight: {normal: [0.001, 0.0005]}, delay: 0.525}
probes:
  - {name: v, at: soma, interval: 0.1}
  - {name: fast, population: a, at: soma, variables: fast.g, interval: 0.1}
  - {name: slow, population: b, at: soma, variables: [Exp2Syn.A, Exp2Syn.B], interval: 0.1}
END

export OMP_NUM_THREADS=1
run 1 job.yaml -o one.nc
ok "a job with every rule, source and synapse runs" is $rc 0
spikes one.nc >wanted
ok "its neurons spike ($(wc -l <wanted) times)" [ "$(wc -l <wanted)" -gt 20 ]
ok "those of both populations" is "$(awk '{ n[$2 > 12] = 1 } END { print n[0] + n[1] }' wanted)" 2
nc_values one.nc fast_fast_g >g
nc_values one.nc slow_B >b
ok "its synapses open" eval "some g 500 && some b 500"
for ranks in 2 3 7; do
    run $ranks job.yaml -o ranks.nc
    ok "$ranks ranks give the bits of one" nc_same one.nc ranks.nc
done
alone job.yaml -o threads.nc --set threads=2
ok "2 threads give the bits of one" nc_same one.nc threads.nc
for how in ref/hines cpu/hines-flat cpu/depth-first; do
    alone job.yaml -o how.nc --set backend=${how%/*} --set method=${how#*/}
    ok "$how gives the same bits" nc_same one.nc how.nc
done
run 2 job.yaml -o second2.nc --set second_order=true --set backend=ref
alone job.yaml -o second1.nc --set second_order=true
ok "so it is with second_order" nc_same second1.nc second2.nc
ok "which is another scheme" other one.nc second1.nc
alone job.yaml -o seed.nc --set seed=2
ok "another seed gives another network" other one.nc seed.nc

# ---- files ----

# netcdf NAME COLUMN=TYPE...: NAME.nc from NAME.tsv with these variables.
netcdf() {
    local name=$1 column k=0 n
    shift
    n=$(($(wc -l <"$name.tsv") - 1))
    {
        echo "netcdf $name { dimensions: n = $n ; variables:"
        for column; do
            echo "${column#*=} ${column%=*}(n) ;"
        done
        echo "data:"
        for column; do
            k=$((k + 1))
            echo "${column%=*} = $(tail -n +2 "$name.tsv" | cut -f $k | paste -sd ,) ;"
        done
        echo "}"
    } >"$name.cdl"
    ncgen -o "$name.nc" "$name.cdl"
}
if command -v ncgen >/dev/null; then
    netcdf edges source=int64 target=int64 weight=double delay=double
    netcdf times spike_time=double spike_gid=int
    netcdf positions x=double y=double z=double
    sed -E 's/(edges|times|positions)\.tsv/\1.nc/' job.yaml >columns.yaml
    run 2 columns.yaml -o columns.nc
    ok "lists, times and positions in NetCDF files are those in texts" nc_same one.nc columns.nc
    ok "as they are read" is "$(grep -c '\.nc[,}]' columns.yaml)" 3
else
    skip "no ncgen"
fi

# ---- NEURON's ring, by bosc's own rule ----

awk -f "$BOSC_SRC/tests/science/ring.awk" >ring.swc
printf 'source\ttarget\n0\t0\n' >kick.tsv
cat >ring.yaml <<'END'
tstop: 200
populations:
  - name: cells
    morphologies: ring.swc
    count: 16
    discretisation: {max_length: 8}
    regions:
      all: {Ra: 100, cm: 1}
      soma: {hh: {}}
      dendrite: {pas: {g: 1e-4, e: -65}}
synapses:
  - {name: exp, type: ExpSyn, tau: 2, e: 0}
sources:
  - {name: kick, type: regular, start: 1, number: 1, interval: 1}
projections:
  - {from: kick, to: cells, rule: list, file: kick.tsv, synapse: exp, weight: 0.01, delay: 0, at: "dend[1](1)"}
  - {from: cells, to: cells, rule: ring, synapse: exp, weight: 0.01, delay: 1, at: "dend[1](1)"}
spikes: {threshold: 10}
probes:
  - {name: soma, neurons: "0,1,7", at: soma, interval: 0.05}
END
neuron=${BOSC_SHARED:-$BOSC_SRC/../shared}/reference/c7_ring16
# within BOUND WANTED GOT: tables of as many rows, numbers that far apart.
within() {
    paste "$2" "$3" | awk -v bound="$1" '
        {
            for (k = 1; k <= NF / 2; k++) {
                d = $k - $(k + NF / 2)
                d = d < 0 ? -d : d
                if (!(d <= worst)) worst = d
            }
            odd += NF % 2
        }
        END { print "largest difference " worst; exit odd || NR == 0 || !(worst <= bound) }' >out &&
        is "$(wc -l <"$2")" "$(wc -l <"$3")"
}
alone ring.yaml -o ring.nc
ok "a ring of 16 cells runs" is $rc 0
spikes ring.nc >got
if [ -f "$neuron/spikes.tsv" ]; then
    tail -n +2 "$neuron/spikes.tsv" >wanted
    ok "its $(wc -l <wanted) spikes are NEURON's, within 1e-6 ms" within 1e-6 wanted got
    tail -n +2 "$neuron/traces.tsv" | awk '{ print $2; print $4; print $6 }' >wanted
    nc_values ring.nc soma_v >got
    ok "its somata follow NEURON's" within 1e-5 wanted got # measured: 1.2e-6 mV
else
    skip "recorded NEURON spikes are not at hand"
    skip "recorded NEURON traces are not at hand"
fi

# ---- what a projection watches ----

cat >watch.yaml <<'END'
tstop: 10
populations:
  - name: cell
    morphologies: ring.swc
    count: 2
    discretisation: {max_length: 8}
    regions:
      all: {Ra: 100, hh: {}}
synapses: [{name: exp, type: ExpSyn, tau: 2, e: 0}]
projections:
  - {from: cell, to: cell, rule: ring, synapse: exp, weight: 0.001, delay: 1}
clamps:
  - {neurons: "0", at: soma, delay: 1, duration: 1, amplitude: 1}
probes:
  - {name: tip, neurons: "0", at: "dend[5](1)", interval: 0}
  - {name: soma, neurons: "0", at: soma, interval: 0}
  - {name: g, neurons: "1", at: soma, variables: ExpSyn.g, interval: 0}
END
# The step in which a synapse opens, less the one in which v of PROBE is above
# THRESHOLD: the delay.
opens() { nc_values "$1" g_g | awk '$1 > 0 { print NR; exit }'; }
crosses() { nc_values "$1" "$2" | awk -v t="$3" '$1 > t { print NR; exit }'; }
delay() { echo $(($(opens watch.nc) - $(crosses watch.nc "$1" "$2"))); }
alone watch.yaml -o watch.nc --set spikes.threshold=-20
ok "a soma's spike opens a synapse a delay later" is "$(delay soma_v -20)" 41
early=$(opens watch.nc)
alone watch.yaml -o watch.nc --set 'projections[0].source={at: "dend[5](1)", threshold: -20}'
ok "watched at a tip it does so later" [ "$(opens watch.nc)" -gt "$early" ]
ok "by the spike at the tip" is "$(delay tip_v -20)" 41
spikes watch.nc | awk '$2 == 0 { print int($1 / 0.025 + 1.5); exit }' >step
ok "while spikes of the soma are recorded" is "$(cat step)" "$(crosses watch.nc soma_v -20)"
alone watch.yaml -o watch.nc --set 'projections[0].source={threshold: -50}'
ok "another threshold at the soma counts for its projection" is "$(delay soma_v -50)" 41
ok "which comes earlier" [ "$(opens watch.nc)" -lt "$early" ]

# ---- ranks without neurons, delays of any length ----

# as_one SENTENCE ARGUMENTS...: two neurons, on one rank and on three.
as_one() {
    local sentence=$1
    shift
    rm -f one.nc three.nc
    alone watch.yaml -o one.nc "$@"
    run 3 watch.yaml -o three.nc "$@"
    ok "two neurons and three ranks: $sentence" nc_same one.nc three.nc
}
as_one "a ring is the same"
as_one "so are autapses" --set 'projections[0].offset=0'
as_one "and one that is no part of the run" --set 'projections[0].delay=7.013'
as_one "and one longer than it" --set 'projections[0].delay=1000'

# ---- refusals ----

# SENTENCE | what the message says | ARGUMENTS: on three ranks, in one line.
fails() {
    local sentence=$1 message=$2
    shift 2
    rm -f bad.nc
    run 3 "$@" -o bad.nc
    ok "$sentence: refused, without waiting for ever" refused
    ok "$sentence: told in one line" one_line "$message"
    ok "$sentence: no file is left" [ ! -e bad.nc ]
}
line_of() { grep -n -- "$1" job.yaml | cut -d: -f1; }

sed 's/delay: 0.525/delay: 0.03/' job.yaml >short.yaml
fails "a delay of less than two steps" \
    "short.yaml:$(line_of all_to_all): projection .b-b.: its smallest delay is rounded to 1 step of 0.025 ms, less than two;" short.yaml
run 2 short.yaml -o good.nc --set 'projections[7].delay=0.05' --set tstop=2
ok "one of two steps will do" is $rc 0
fails "one_to_one of different sizes" \
    ".a-b.: one_to_one needs equal sizes: .a. has 13 sources, .b. 9 targets" job.yaml \
    --set 'projections[5]={from: a, to: b, rule: one_to_one, synapse: fast, weight: 1}'
fails "a region that no target has" "neuron [0-9]+ \(population b\) has no compartment of these regions for" job.yaml \
    --set 'projections[1].at={region: custom}'
fails "a section that no source has" "has no section axon\[99\]" job.yaml \
    --set 'projections[6].source={at: "axon[99](1)"}'
fails "a list that is not there" "gone.tsv: No such file" job.yaml --set 'projections[6].file=gone.tsv'
fails "times that are not there" "gone.nc.*No such file" job.yaml --set 'sources[2].file=gone.nc'
fails "positions that are not there" "gone.tsv: No such file" job.yaml \
    --set 'populations[1].positions={file: gone.tsv}'
fails "too few positions" "positions.tsv has 9 positions, population .a. 13" job.yaml \
    --set 'populations[0].positions={file: positions.tsv}'
printf 'source\ttarget\n0\t1\n9\t1\n' >far.tsv
fails "a source of a list past the end" "far.tsv:3: .*9" job.yaml \
    --set 'projections[6].file=far.tsv' --set 'projections[6].weight=1'
printf 'source\ttarget\n0\t1\n' >bare.tsv
fails "a list without weights" "bare.tsv. has no column .weight., and .b-a. none" job.yaml \
    --set 'projections[6].file=bare.tsv'
printf 'time\tsource\n1\t0\n2\t3\n' >late.tsv
fails "a time of a source past the end" "late.tsv:3: .*3" job.yaml --set 'sources[2].file=late.tsv'
fails "a network without end" "a rank needs .* 1000000000033 event sources.*or fewer sources" job.yaml \
    --set 'sources[0].count=1e12' --set 'projections[0]={from: beat, to: a, rule: all_to_all, synapse: fast, weight: 1}'

# Rules that cannot make a connection, and those that happen to make none.
cat >lone.yaml <<'END'
tstop: 2
populations:
  - {name: one, synthetic: {compartments: 9, sections: 3}, positions: {box: [9, 9, 9]}, regions: {all: {pas: {}}}}
  - {name: two, synthetic: {compartments: 9, sections: 3}, count: 2, positions: {box: [9, 9, 9]}, regions: {all: {pas: {}}}}
synapses: [{name: fast, type: ExpSyn}]
END
lone='from: one, to: one, synapse: fast, weight: 1'
gap='type: gap, conductance: 0.1'
no_self="'one' has one neuron, which is not its own source where 'autapses' is false; use more neurons, or allow"
itself="all its gap junctions would be from a compartment to itself; name other neurons, or another place"
for rule in all_to_all 'fixed_indegree, indegree: 3' 'fixed_probability, probability: 1' 'distance, length: 9'; do
    fails "${rule%%,*} of one neuron without autapses" "'one-one' makes no connection: $no_self" \
        lone.yaml --set "projections=[{$lone, rule: $rule, autapses: false}]"
done
fails "one_to_one of gap junctions in one place" "'two-two-gap' makes no connection: $itself" \
    lone.yaml --set "couplings=[{$gap, from: two, to: two, rule: one_to_one}]"
fails "a ring of them back to itself" "'two-two-gap' makes no connection: $itself" \
    lone.yaml --set "couplings=[{$gap, from: two, to: two, rule: ring, offset: 2}]"
fails "one neuron without others" "'one-one-gap' makes no connection: $no_self" \
    lone.yaml --set "couplings=[{$gap, from: one, to: one, rule: all_to_all, autapses: false}]"
run 2 lone.yaml -o good.nc --set 'couplings=[{type: graded, from: one, to: one, rule: one_to_one, conductance: 0.1, e: 0, half: 0, slope: 1}]' \
    --set "projections=[{$lone, rule: 'fixed_indegree', indegree: 9}]"
ok "a neuron may act on itself" is $rc 0
warns() { # SENTENCE WARNING ARGUMENTS...
    run 3 lone.yaml -o good.nc "${@:3}"
    ok "$1 is warned of, once" is "$rc $(grep -cE "^warning: .*$2" out)" "0 1"
    run 2 lone.yaml -o bad.nc --set strict=true "${@:3}"
    ok "$1: refused where the job is strict" eval "refused && one_line \"$2\""
}
: >none.tsv
printf 'source\ttarget\n' >head.tsv
printf 'source\ttarget\n1\t1\n0\t0\n' >self.tsv
printf 'time\n2\n2.5\n' >late.tsv
two='from: two, to: two, synapse: fast, weight: 1'
warns "a probability of 0" "'two-two' makes no connection: fixed_probability draws none" \
    --set "projections=[{$two, rule: fixed_probability, probability: 0}]"
warns "a length that no neuron is within" "'two-two' makes no connection: distance draws none" \
    --set "projections=[{$two, rule: distance, length: 0.001, autapses: false}]"
warns "an empty list" "'two-two' makes no connection: none.tsv lists none" \
    --set "projections=[{$two, rule: list, file: none.tsv}]"
warns "a list that is only a header" "'two-two' makes no connection: head.tsv lists none" \
    --set "projections=[{$two, rule: list, file: head.tsv}]"
warns "a list of gap junctions from compartments to themselves" \
    "'two-two-gap' makes no connection between two compartments: self.tsv lists none" \
    --set "couplings=[{type: gap, conductance: 0.001, from: two, to: two, rule: list, file: self.tsv}]" \
    --set "projections=[{$two, rule: ring}]"
warns "a file of spikes after the end" "'late' sends nothing: late.tsv has no time before tstop, 2 ms" \
    --set 'sources=[{name: late, type: file, file: late.tsv}]' \
    --set "projections=[{from: late, to: two, synapse: fast, weight: 1, rule: all_to_all}]"

# A neuron that breaks ends the run on all ranks, long after its start.
run 3 job.yaml -o wild.nc --set 'clamps=[{population: b, neurons: "8", at: soma, delay: 5, duration: 1, amplitude: -1e6}]'
ok "a voltage that is not finite ends the run of all ranks" refused
ok "which is told once" one_line 'voltage of neuron 21 .* became NaN or infinite'

# A signal to one rank of three, while spikes travel.
timeout 300 "$MPIEXEC" -n 3 "$BOSC" run job.yaml -o halt.nc --set tstop=100000 >out 2>&1 </dev/null &
launcher=$!
in_time 60 reached halt.nc 0
kill -TERM "$(writers halt.nc | tail -n 1)"
wait $launcher
rc=$?
ok "a signal to one rank ends all" refused
ok "with its words" one_line 'stopped by signal 15'
ok "and keeps the results until then" eval \
    "ncdump -h halt.nc.partial | grep -q 'completed = \"no: stopped by signal'"
done_testing
