#!/bin/bash
# run.t - 'bosc run' as a user meets it: the same bits however it is run, and
# clear words when it cannot.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
need_launcher
own_folder
diagnose="cat out"

absent() { [ ! -e "$1" ] && [ ! -e "$1.partial" ]; }

cells=$BOSC_SRC/morphologies
printf '%s\t2\n%s\t9\n%s\t1\n' "$cells/small-low.swc" "$cells/small-high.swc" \
    "$cells/medium-high.swc" >cells.tsv
cat >job.yaml <<'END'
name: invariance
tstop: 15
populations:
  - name: read
    morphologies: cells.tsv
    discretisation: {policy: per_sample}
    regions:
      all: {Ra: 120, cm: 1, pas: {g: 1e-4, e: -65}}
      soma: {hh: {}}
      axon: {hh: {gnabar: 0.2}}
  - name: made
    synthetic: {compartments: 90, sections: 17}
    count: 11
    regions:
      all: {Ra: 100, pas: {g: 2e-4, e: -68}}
      soma: {hh: {}, pas: false}
clamps:
  - {population: read, at: soma, delay: 1, duration: 12, amplitude: 0.6}
  - {population: made, neurons: "0-4,7", at: soma, delay: 2, duration: 9, amplitude: 0.9}
  - {population: made, neurons: "3", at: "dend[0](0.5)", delay: 3, duration: 2, amplitude: -0.2}
probes:
  - {name: soma, at: soma, variables: [v, m, h, n], interval: 0.1}
  - {name: whole, population: read, neurons: "1,11", at: everywhere, variables: [v, m], interval: 0.5}
  - {name: tip, population: made, at: "dend[0](1)", interval: 0.025}
END

run 1 job.yaml -o one.nc --set threads=1
ok "a job of real and synthetic neurons runs on one rank" is $rc 0
ok "some of its neurons spike" says '[1-9][0-9]* spikes'
for ranks in 2 3 7; do
    run $ranks job.yaml -o ranks.nc --set threads=1
    ok "$ranks ranks give the bits of one" nc_same one.nc ranks.nc
done
run 1 job.yaml -o threads.nc --set threads=2
ok "2 threads give the bits of one" nc_same one.nc threads.nc
for how in ref/hines cpu/hines-flat cpu/depth-first; do
    alone job.yaml -o how.nc --set backend=${how%/*} --set method=${how#*/}
    ok "$how gives the same bits" nc_same one.nc how.nc
done

# Giants are by themselves where threads would wait for a group of them.
cat >giants.yaml <<'END'
tstop: 5
populations:
  - {name: giant, synthetic: {compartments: 3000, sections: 61}, count: 8, regions: {all: {pas: {}}, soma: {hh: {}}}}
  - {name: small, synthetic: {compartments: [60, 90], sections: [7, 11]}, count: 100, regions: {all: {pas: {}, hh: {}}}}
clamps: [{at: soma, delay: 1, duration: 9, amplitude: 0.3}]
probes: [{name: soma, interval: 0.1}]
END
alone giants.yaml -o together.nc --set threads=1 --set method=depth-first
ok "giants share vectors on one thread" is "$(unwrapped out | grep -c 'vectors of [0-9]* neurons, padding')" 1
alone giants.yaml -o apart.nc --set threads=16 --set method=depth-first
ok "on many threads they are by themselves" is "$(unwrapped out | grep -o '[0-9]* computed singly')" '8 computed singly'
ok "with the same bits" nc_same together.nc apart.nc
alone "$BOSC_SRC/jobs/reference.yaml" -o reference.nc
ok "the job of all keys runs" is $rc 0
alone job.yaml -o second1.nc --set second_order=true
run 3 job.yaml -o second3.nc --set second_order=true --set backend=ref
ok "so it is with second_order" nc_same second1.nc second3.nc
ok "which is another scheme" eval '! nc_same one.nc second1.nc'
run 3 job.yaml -o few.nc --set populations.read.morphologies="$cells/small-low.swc" \
    --set populations.made.count=8 --set 'probes[1].neurons=0' --set populations.read.count=1
alone job.yaml -o few1.nc --set populations.read.morphologies="$cells/small-low.swc" \
    --set populations.made.count=8 --set 'probes[1].neurons=0' --set populations.read.count=1
ok "a population of one cell is divided as well" nc_same few.nc few1.nc

# Every dimension of a result that is not a probe's.
taken=$(ncdump -h one.nc | sed -n '/^dimensions:/,/^variables:/s/^\t\([a-z_]*\) = .*/\1/p' |
    grep -vE '^(time_)?(soma|whole|tip)$')
free=
for name in $taken; do
    alone job.yaml --dry-run --set "probes.soma.name=$name"
    says "name: '$name' conflicts with a variable of the result file" || free+=" $name"
done
ok "a probe cannot have the name of a dimension of the file" \
    is "$(echo "$taken" | grep -cxE 'section|work|rank|neuron')$free" 4

cat >lonely.yaml <<'END'
name: lonely
tstop: 1
populations:
  - {name: cell, synthetic: {compartments: 3, sections: 1}, count: 1,
     regions: {all: {pas: {}}}}
probes: [{name: soma, at: soma, interval: 0.5}]
END
run 3 lonely.yaml
ok "ranks without a neuron do no harm" is $rc 0
ok "the output is named after the job where nothing else is said" [ -s lonely.nc ]

rm -f dry.nc
run 2 job.yaml -o dry.nc --dry-run
ok "a dry run succeeds" is $rc 0
ok "and writes nothing" absent dry.nc
ok "but tells what would run" says '23 neurons'
alone job.yaml -o quiet.nc --quiet --set tstop=0.5
ok "a quiet run says nothing" [ ! -s out ]

# As in NEURON, whose NetCon watches the threshold at the start of a step.
cat >last.yaml <<'END'
tstop: 1.7
populations: [{name: c, synthetic: {compartments: 3, sections: 1}, regions: {all: {hh: {}}}}]
clamps: [{at: soma, delay: 1, duration: 5, amplitude: 0.5}]
probes: [{name: soma}]
END
for backend in cpu ref; do
    alone last.yaml -o last.nc --set backend=$backend --overwrite
    ok "$backend: a crossing in the last step is no spike" says ': 0 spikes'
    ok "$backend: though the voltage is above the threshold" eval \
        'ncdump -v soma_v last.nc | tail -n 2 | grep -q "^ *-19\.9"'
    alone last.yaml -o last.nc --set backend=$backend --set tstop=1.725 --overwrite
    ok "$backend: one step later it is one, of that step" eval \
        "says ': 1 spike,' && ncdump -v spike_time last.nc | grep -q 'spike_time = 1.7 ;'"
done

# ARGUMENTS | what the message says: on three ranks, told once, nothing left.
fails() {
    local sentence=$1 message=$2
    shift 2
    rm -f bad.nc
    run 3 "$@" -o bad.nc
    ok "$sentence: refused" differs $rc 0
    ok "$sentence: told once, with the reason" once "$message"
    ok "$sentence: no file is left" absent bad.nc
}
fails "a job that is not there" 'nowhere.yaml: No such file' nowhere.yaml
sed 's/tstop: 15/tstop: fifteen/' job.yaml >broken.yaml
fails "a job with a word for a number" 'broken.yaml:2:' broken.yaml
fails "a neuron past the end" "--set clamps.1..neurons=.3-11.: .*'made' has no neuron 11" job.yaml \
    --set 'clamps[1].neurons="3-11"'
fails "a section that does not exist" 'set clamps\[2\].at=.*: neuron .*dend\[900\]' job.yaml \
    --set 'clamps[2].at="dend[900](0.5)"'
sed 's/dend\[0\](0.5)/dend[901](0.5)/' job.yaml >far.yaml
fails "a section of the file that does not exist" "far.yaml:$(sed -n '/901/=' far.yaml): .*dend\[901\]" far.yaml
fails "a gate where there is none" 'tip.* records m' job.yaml \
    --set 'probes[2].variables=[m]'
fails "a neuron past the end of every population" "largest population has no neuron 12" job.yaml \
    --set 'probes[0].neurons="3-12"'
fails "an unknown backend" 'available: auto, cpu, ref' job.yaml --set backend=gpu
fails "an unknown method" 'available: auto, depth-first, hines-flat' job.yaml --set backend=cpu --set method=quick
fails "a wrong number of ranks" '3 ranks, not 4' job.yaml --expect-ranks 4
printf 'gone.swc\t1\n' >gone.tsv
fails "a morphology that is gone" 'gone.tsv:1:.*gone.swc' job.yaml \
    --set populations.read.morphologies=gone.tsv
printf 'broken.swc\t1\n%s\t3\n' "$cells/small-low.swc" >bad.tsv
printf '1 1 0 0 0 5 -1\n2 3 9 0 0 1 3\n3 3 19 0 0 1 2\n' >broken.swc
fails "a morphology with a cycle" 'broken.swc:[23]:' job.yaml \
    --set populations.read.morphologies=bad.tsv --set 'probes[1].neurons="0"'
# A soma has a number, as every section; 0 where none is written.
for at in soma 'soma(0.5)' 'soma[0]' 'soma[0](0.5)'; do
    alone lonely.yaml -o at.nc --set "probes.soma.at=$at"
    ok "at: '$at' is soma[0]" is "$rc $(ncdump -v soma_section,section_name,soma_x at.nc |
        sed '1,/^data:/d' | tr -d '\n ')" '0 soma_section=0;soma_x=0.5;section_name="soma[0]";}'
done
fails "a second soma where there is one" 'neuron 0 .* has no section soma\[1\]; it has soma\[0\]$' \
    lonely.yaml --set 'probes.soma.at=soma[1](0.5)'
# 12 neurons of 'read', then neuron 9 of 'made': no rank has as many.
run 3 job.yaml -o wild.nc --set 'clamps[1].neurons="9"' --set 'clamps[1].amplitude=-1e6'
ok "a voltage that is not finite ends the run" differs $rc 0
ok "which is told once, with the neuron's gid" once 'voltage of neuron 21 .* became NaN or infinite'
ok "there is no file that looks finished" [ ! -e wild.nc ]
ok "but the results until then" eval "ncdump -h wild.nc.partial | grep -q 'no: voltage of neuron 21'"

cp job.yaml precious.yaml
run 2 precious.yaml -o precious.yaml
ok "a job is not replaced by its result" cmp -s job.yaml precious.yaml
ok "which is told before the first step" says 'precious.yaml: there is a file of another kind'
run 2 job.yaml -o one.nc --set tstop=1 --quiet
ok "an earlier result is replaced" eval "ncdump -h one.nc | grep -q 'time_soma = UNLIMITED ; // (11 '"

cp broken.swc second.swc
printf 'broken.swc\t1\nsecond.swc\t1\n' >both.tsv
for ranks in 1 2 3; do
    run $ranks job.yaml -o bad.nc --set populations.read.morphologies=both.tsv \
        --set 'probes[1].neurons="0"'
    ok "of two broken files $ranks ranks tell the first" once 'broken.swc:[23]:'
done
fails "more neurons than the machine can hold" \
    "job.yaml:[0-9]+: a rank needs .* TB .* 300000000012 neurons, most of them in population 'made'" job.yaml \
    --set populations.made.count=300000000000
alone job.yaml --dry-run --set probes.whole.interval=0.025 --set tstop=1e9
ok "probes that do not fit the disk are warned of" says 'warning: the probes are .* free for'

run 2 job.yaml -o no/such/folder/out.nc
ok "a folder that is not there is told before the first step" says 'no/such/folder'
mkdir taken.nc
run 2 job.yaml -o taken.nc
ok "a folder in the output's place is told before the first step" says 'taken.nc'
SLURM_STEP_NUM_TASKS=4 alone job.yaml -o world.nc
ok "one of several one-rank worlds refuses to run" says 'one of 4 ranks'
ok "and writes nothing" absent world.nc

long=(--set tstop=100000 --set populations.made.count=40)
"$BOSC" run job.yaml -o stop.nc "${long[@]}" >out 2>&1 </dev/null &
pid=$!
in_time 60 reached stop.nc 0
kill -TERM $pid
kill -TERM $pid # as launchers do, to a process and to its group
wait $pid
rc=$?
ok "a run that is asked to stop says so" says 'stopped by signal 15'
ok "its exit code is not 0" differs $rc 0
ok "it leaves no file that looks finished" [ ! -e stop.nc ]
ok "but the results until then, marked as such" eval \
    "ncdump -h stop.nc.partial | grep -q 'completed = \"no: stopped by signal'"

timeout 300 "$MPIEXEC" -n 2 "$BOSC" run job.yaml -o kill.nc "${long[@]}" >out 2>&1 </dev/null &
launcher=$!
in_time 50 reached kill.nc 0
kill -KILL "$(writers kill.nc | tail -n 1)"
wait $launcher
rc=$?
ok "a killed rank ends the whole run" differs $rc 0
ok "it was not the time limit that did" differs $rc 124
ok "it leaves no file that looks finished" [ ! -e kill.nc ]
done_testing
