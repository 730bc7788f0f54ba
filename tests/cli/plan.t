#!/bin/bash
# plan.t - 'bosc plan': what a job will need is what its run then has.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
unset BOSC_MACHINE OMP_NUM_THREADS

need_ncdump
need_launcher
own_folder
export HOME=$work XDG_CONFIG_HOME=$work/config
diagnose="cat out"

plan() {
    timeout 300 "$BOSC" plan "$@" >out 2>&1 </dev/null
    rc=$?
}
# refused CODE MESSAGE
refused() { is $rc "$1" && says "$2"; }

# A column of a table by its title: LINE TITLE.
cell() {
    awk -F '\t' -v line="$1" -v title="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == title) at = i }
        NR == line + 1 { print $at }' out
}
holds() { awk "BEGIN { exit !($1) }"; }

cells=$BOSC_SRC/morphologies
printf '%s\t2\n%s\t9\n%s\t1\n' "$cells/small-low.swc" "$cells/small-high.swc" \
    "$cells/medium-high.swc" >cells.tsv
cat >job.yaml <<'END'
name: mixed
tstop: 0.5
populations:
  - name: read
    morphologies: cells.tsv
    discretisation: {policy: per_sample}
    regions: {all: {pas: {}}, soma: {hh: {}}}
  - name: made
    synthetic: {compartments: [76, 691], sections: [7, 341]}
    count: 60
    regions: {all: {pas: {}}, soma: {hh: {}}}
probes: [{name: soma}]
END

# The ranks of a plan and of a run, as "NEURONS COMPARTMENTS" a line.
planned() {
    plan job.yaml --ranks "$1" --per-rank --tsv && awk 'NR > 1 { print $3, $4 }' out
}
had() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run job.yaml -q -o "run$1.nc" >out 2>&1 </dev/null &&
        ncdump -v rank_neurons,rank_compartments "run$1.nc" | awk -v RS=';' '
            /rank_neurons = / { sub(/.*= /, ""); n = split($0, a, ", *") }
            /rank_compartments = / {
                sub(/.*= /, "")
                split($0, b, ", *")
                for (i = 1; i <= n; i++) print a[i] + 0, b[i] + 0
            }'
}
for ranks in 1 2 3; do
    ok "a run on $ranks rank(s) divides as its plan said" \
        is "$(planned $ranks)" "$(had $ranks)"
done

# What was expected is in the file beside what was.
numbers() { # FILE VARIABLE: in one line
    ncdump -v "$2" "$1" | sed -n '/^data:/,$p' | sed -n "/ $2 =/,/;/p" |
        tr -d ',;=}' | tr '\n' ' ' | sed "s/.*$2 *//"
}
cat >many.yaml <<'END'
tstop: 0.1
populations:
  - {name: many, synthetic: {compartments: [76, 691], sections: [7, 341]}, count: 8000,
     regions: {all: {pas: {}}, soma: {hh: {}}}}
probes: [{name: soma, neurons: "0-99"}]
END
timeout 300 "$MPIEXEC" -n 2 "$BOSC" run many.yaml -o many.nc --set tstop=3 >out 2>&1 </dev/null
# Integration is the 6th phase.
of_seconds() {
    local phases

    phases=$(ncdump -h many.nc | sed -n 's/.*phase = \([0-9]*\) ;/\1/p')
    [ "$(for name in rank_seconds rank_expected_seconds; do
        numbers many.nc $name && echo
    done | awk -v phases="$phases" '
        { for (k = 6; k <= NF; k += phases) if ($k > most[NR]) most[NR] = $k }
        END { print (most[1] >= 1 && most[2] >= 1) }')" = 1 ]
}
compared() {
    local time='expected +integrate .* (less|more)\), memory'

    if of_seconds; then says "$time"; else ! says "$time"; fi
}
ok "a run of seconds says how far off its expectations were" compared
ok "so does any of memory" says 'memory .* (less|more)\)'
ok "padding and idle lanes are kept" holds "$(
    for name in rank_compartments rank_slots rank_lane_rows; do
        numbers many.nc $name && echo
    done | awk '{ if (NR > 1) bad += $1 < one || $2 < two; one = $1; two = $2 }
        END { print (NR == 3 && one > 0 && !bad) }'
)"
# as_expected FILE RANKS [SHARE]: the bytes of every rank within 5 %, or this share.
as_expected() {
    paste <(numbers "$1" rank_bytes | tr ' ' '\n') \
        <(numbers "$1" rank_expected_bytes | tr ' ' '\n') |
        awk -v ranks="$2" -v share="${3:-0.05}" '
            NF == 2 { n++; bad += $2 < (1 - share) * $1 || $2 > (1 + share) * $1; print "#", $0 }
            END { exit n != ranks || bad }'
}
ok "memory within 5 %" as_expected many.nc 2
cat >everywhere.yaml <<'END'
tstop: 10
output: {buffer: 1}
populations:
  - {name: p, synthetic: {compartments: [76, 691], sections: [7, 341]}, count: 300,
     regions: {all: {pas: {}}}}
probes: [{name: all, at: everywhere, interval: 1}]
END
timeout 300 "$BOSC" run everywhere.yaml -o everywhere.nc >out 2>&1 </dev/null
ok "so where all compartments are recorded" as_expected everywhere.nc 1
# Every probe has some 13 variables, which HDF5 holds open.
for n in 100 300; do
    { sed '/^probes/d' many.yaml; echo probes:; for ((i = 0; i < n; ++i)); do echo "  - {name: p$i, neurons: $((i % 100))}"; done; } >probes.yaml
    timeout 300 "$BOSC" run probes.yaml -o probes.nc --overwrite >out 2>&1 </dev/null
    # ncdump takes a minute for the numbers of so many variables.
    off=$(grep -oE 'memory [0-9.]+ [kMGT]?B \([0-9.]+ %' out | grep -oE '[0-9.]+ %$' | tr -d ' %')
    ok "and of $n probes within 8 %" holds "${off:-100} < 8"
done
awk 'BEGIN { srand(7); print "source\ttarget"
    for (i = 0; i < 400000; i++) print int(2000 * rand()) "\t" int(i / 200) }' >edges.tsv
awk 'BEGIN { srand(8); print "time\tsource"
    for (i = 0; i < 400000; i++) printf "%.3f\t%d\n", 0.1 * rand(), int(40000 * rand()) }' >times.tsv
cat >coupled.yaml <<'END'
tstop: 0.1
populations:
  - {name: a, synthetic: {compartments: 31, sections: 7}, count: 2000, regions: {all: {pas: {}}}}
  - {name: b, synthetic: {compartments: 31, sections: 7}, count: 800, regions: {all: {pas: {}}}}
probes: [{name: soma, neurons: "0-9"}]
END
# How the pairs of drawn places fall is not foreseen: up to 3 MB of a rank of 57.
gap='type: gap, conductance: 1e-6'
graded='type: graded, conductance: 1e-6, e: -80, half: -40, slope: 5'
while IFS='|' read -r name line more; do
    printf '%s\ncouplings: [{%s}]\n%b' "$(cat coupled.yaml)" "$line" "$more" >these.yaml
    for ranks in 1 2; do
        timeout 300 "$MPIEXEC" -n $ranks "$BOSC" run --overwrite these.yaml -q -o these.nc >out 2>&1 </dev/null
        ok "and of $name, on $ranks rank(s)" as_expected these.nc $ranks 0.07
    done
done <<END
gaps|$gap, from: a, to: a, rule: fixed_indegree, indegree: 200
gaps as ellpack at random places|$gap, from: a, to: b, rule: fixed_indegree, indegree: 400, at: {region: all}, format: ellpack
gaps as a dense matrix|$gap, from: b, to: b, rule: all_to_all
graded synapses of a list, and sources|$graded, from: a, to: a, rule: list, file: edges.tsv|synapses: [{name: s, type: ExpSyn}]\nsources: [{name: p, type: poisson, rate: 1, count: 400000}, {name: f, type: file, file: times.tsv, count: 40000}]\nprojections: [{from: p, to: a, synapse: s, rule: fixed_indegree, indegree: 200, weight: 1.0e-9, delay: 0.05}, {from: f, to: b, synapse: s, rule: fixed_indegree, indegree: 100, weight: 1.0e-9, delay: 0.05}]\n
END
plan these.yaml --ranks 1,2 --tsv
ok "a plan expects what a run expects" holds "$(numbers these.nc rank_expected_bytes |
    awk -v planned="$(cell 2 rank_bytes)" '{ print (planned > 0.9 * $1 && planned < 1.1 * $1) }')"
plan these.yaml --why
ok "and says the format of a coupling, and what else there was" eval \
    'says "formats  *a-a-graded: csr, chosen by rules" && says "dense [0-9.]+ m?s a product"'
ok "which the run had" eval \
    "ncdump -h these.nc | grep -q 'coupling_formats = \"a-a-graded: csr, chosen by rules\"'"
if grep -q ' avx2 .* fma\| fma .* avx2 ' /proc/cpuinfo; then
    BOSC_ISA=v3 BOSC_METHODS="" plan these.yaml
    ok "by the model that comes with bosc, beside a program that is not installed" \
        says "a-a-graded: csr, chosen by a model"
    BOSC_ISA=v3 BOSC_METHODS="" plan these.yaml --threads 2
    ok "which knows one thread of AVX2" says 'depth-first, chosen by rules'
else
    skip "the processor has no AVX2"
    skip "the processor has no AVX2"
fi
if grep -q ' avx512dq .* avx512vl\| avx512vl .* avx512dq' /proc/cpuinfo; then
    for threads in 16 17; do
        BOSC_ISA=v4 BOSC_METHODS="" plan these.yaml --threads $threads
        ok "and up to 16 of AVX-512: $threads" says \
            "depth-first, chosen by $([ $threads = 16 ] && echo 'a model' || echo rules)"
    done
else
    skip "the processor has no AVX-512"
    skip "the processor has no AVX-512"
fi
plan these.yaml --ranks-per-node 1 --memory 90MB
ok "couplings without room are refused" refused 71 'these.yaml: .*use at least [0-9]+ '
plan these.yaml --ranks-per-node 1 --memory 90MB \
    --ranks "$(sed -n 's/.*use at least \([0-9]*\).*/\1/p' out)"
ok "and the number of ranks that is told is enough" is $rc 0
ok "and seconds are expected" holds "$(numbers many.nc rank_expected_seconds |
    awk '{ print ($6 > 0 && $20 > 0) }')"
plan many.yaml --ranks 2 --tsv --set cost_from=many.nc
ok "a plan takes costs from a run" is "$rc $(cell 1 neurons)" "0 8000"
plan many.yaml --ranks 2 --set cost_from=many.nc
ok "and says so" says 'costs +.*many.nc'
timeout 300 "$MPIEXEC" -n 3 "$BOSC" run job.yaml -q --set cost_from=run3.nc -o again.nc >out 2>&1 </dev/null
ok "so does a run, whose results are the same" nc_same run3.nc again.nc
plan many.yaml --set cost_from=cells.tsv
ok "what is no result is refused, with what would be one" refused 66 \
    'cost_from=cells.tsv: .*cells.tsv: is no NetCDF file; name the file .* folder of the job'
echo 'cost_from: empty.nc' | cat - job.yaml >taught.yaml
echo 'netcdf empty { }' >empty.cdl && ncgen -o empty.nc empty.cdl
plan taught.yaml
ok "one without what it takes is told where the job names it" refused 65 \
    "^bosc plan: taught.yaml:1: ./empty.nc: has no dimension 'rank'; name the result"
ncdump run1.nc | awk 'BEGIN { RS = ORS = ";" }
    /\n rank_seconds =/ {
        at = index($0, "=")
        values = substr($0, at)
        gsub(/[0-9.e+-]+/, "Infinity", values)
        $0 = substr($0, 1, at - 1) values
    }
    { printf "%s%s", between, $0; between = ";" }' >empty.cdl &&
    ncgen -4 -o empty.nc empty.cdl
plan taught.yaml
ok "endless times are not believed" refused 65 \
    'taught.yaml:1: ./empty.nc: rank_seconds\[0, [0-9]\]: inf is not a finite number'

plan job.yaml
ok "a plan tells seconds and bytes" says ' 1 .* ms .* MB'
ok "and that no machine was measured" says "default cost model.*'bosc calibrate'"
plan job.yaml --ranks 1,2,4,...,4096 --ranks-per-node 1 --threads 1 --tsv
ok "many numbers of ranks in one call" is "$(wc -l <out) $(cell 13 ranks)" "14 4096"
ok "more ranks than neurons are no error, and their balance tells" \
    holds "$(cell 13 imbalance) > 10"
ok "more ranks take no longer" holds "$(cell 4 total_s) <= $(cell 1 total_s) * 1.001"
ok "and less memory each" holds "$(cell 4 rank_bytes) <= $(cell 1 rank_bytes)"
ok "every lane is not more than full" holds "$(cell 1 lane_use) <= 1 && $(cell 1 padding) >= 1"

plan job.yaml --ranks 1,2,4 --per-rank --tsv
ok "the ranks of several numbers are one table" is \
    "$(wc -l <out) $(grep -c rank out) $(cell 7 ranks) $(cell 7 rank)" '8 1 4 3'
ok "with the set-up and the device's memory" holds "$(cell 7 setup_s) > 0 &&
    $(cell 7 device_bytes) > 0 && $(cell 7 device_bytes) < $(cell 7 bytes)"

plan job.yaml --set populations.made.count=1 --set 'populations.read.morphologies="'"$cells"'/small-low.swc"' --ranks 1,3 --tsv
ok "a single neuron of each has a plan" is "$rc $(cell 2 neurons)" "0 2"
cat >giant.yaml <<'END'
tstop: 1
populations:
  - {name: small, synthetic: {compartments: 76, sections: 7}, count: 300, regions: {all: {pas: {}}}}
  - {name: giant, synthetic: {compartments: 100000, sections: 9000}, regions: {all: {pas: {}}}}
END
plan giant.yaml --ranks 8 --per-rank --tsv
ok "a giant has a rank of its own" is "$(awk 'NR > 1 && $3 == 1' out | wc -l)" 1

cat >million.yaml <<'END'
tstop: 1000
populations:
  - {name: all, synthetic: {compartments: [76, 691], sections: [7, 341]}, count: 1e6,
     regions: {all: {pas: {}}, soma: {hh: {}}}}
END
plan million.yaml --ranks 4096 --memory 1TB --tsv
ok "a million neurons have a plan" is "$rc $(cell 1 neurons)" "0 1000000"
ok "on 4,096 ranks they are balanced" holds "$(cell 1 imbalance) < 1.005"
plan "$BOSC_SRC/jobs/heterogeneous-256k.yaml" --ranks 4096 --threads 1 --memory 1TB --tsv
ok "so is the job of 256,000, with 62 neurons a rank" holds "$(cell 1 imbalance) < 1.006"
sed 's/1e6/2e5/' million.yaml >many-more.yaml
plan many-more.yaml --ranks 8 --ranks-per-node 4 --memory 1600MB
ok "what does not fit is refused" refused 71 'many-more.yaml|rank'
ok "with the number of ranks that would do" says '[0-9]+ (such )?ranks'
plan many.yaml --ranks 1,3,8 --ranks-per-node 1 --memory 90MB --tsv
planned=$(sed -n 's/^\([0-9]*\)\t.*/\1/p' out | tr '\n' ' ')
ok "of several numbers of ranks those that fit are planned" is "$rc $planned" "0 3 8 "
ok "and of the others the least that would do is told" says \
    'not with 1 rank: .*use at least [23] '
ok "no node holds more than it has" holds "$(cell 1 node_bytes) < 90e6"
plan many-more.yaml --ranks 2 --gpus-per-node 2 --gpu-memory 1GB --memory 2TB
ok "nor what no GPU can hold" refused 71 '[0-9]+ (such )?GPUs'
plan million.yaml --ranks 8 --ranks-per-node 4 --memory 100MB
ok "ranks that alone fill a node are too many" refused 71 'ranks-per-node'
plan million.yaml --memory 10MB
ok "and so is one" refused 71 'million.yaml:3: a rank needs .* a node of 10 MB .*--memory'
plan many.yaml --memory 100MB
ok "how many may share a node is told" refused 71 \
    'many.yaml: .*use at least [234] .* a node of 100 MB has 1 of them \(--ranks-per-node'
plan many.yaml --memory 100MB --ranks-per-node 1 \
    --ranks "$(sed -n 's/.*use at least \([0-9]*\).*/\1/p' out)"
ok "and so many have room" is $rc 0
plan many.yaml --memory 24gb
ok "units may be small letters" is $rc 0

# Threads are those of a run.
export OMP_NUM_THREADS=3
plan job.yaml --tsv
ok "threads are as many as OMP_NUM_THREADS asks for" is "$(cell 1 threads)" 3
plan job.yaml --set threads=5 --tsv
ok "unless the job says another number" is "$(cell 1 threads)" 5
plan job.yaml
ok "and who has said so is told" says 'threads +3 a rank .OMP_NUM_THREADS'
OMP_NUM_THREADS=9999
plan job.yaml
ok "too many of them are refused" refused 65 'OMP_NUM_THREADS=9999'
unset OMP_NUM_THREADS

# The machine's file.
timeout 300 "$MPIEXEC" -n 2 "$BOSC" calibrate --seconds 0.005 -o two.yaml >measured 2>&1 </dev/null
ok "two ranks measure their machine" is "$?" 0
if grep -q 'of 1 thread$' measured; then
    ok "who has one thread is not said to be faster with several" \
        eval '! grep -q "times as fast" measured'
else
    skip "a rank has several threads here"
fi
crowd=$(($(getconf _NPROCESSORS_ONLN) + 1))
OMP_NUM_THREADS=$crowd timeout 300 "$BOSC" calibrate --seconds 0.001 -o crowd.yaml >out 2>&1
ok "more threads than processors are told" says "$crowd threads share"
plan job.yaml --ranks 2 -m two.yaml
ok "and plans take its costs" says 'costs +two.yaml'
ok "so do runs, whose files name it" eval "
    BOSC_MACHINE=two.yaml timeout 300 '$BOSC' run job.yaml -o x.nc >out 2>&1 &&
    ncdump -h x.nc | grep -q ':costs = \"two.yaml\"'"
timeout 300 "$BOSC" calibrate --seconds never >out 2>&1
rc=$?
ok "no number of seconds is refused" refused 2 'seconds never'
timeout 300 "$BOSC" calibrate --seconds 0.001 -o /dev/null/x.yaml >out 2>&1
rc=$?
ok "a file that cannot be written is told" refused 74 '/dev/null/x.yaml: .*-o FILE'
# The first device of the file, and the same again three times as slow.
sed '/^devices:/q' two.yaml >slow.yaml
sed '1,/^devices:/d' two.yaml | awk '/- name:/ { n++ } n == 1' |
    sed 's/ranks: .*/ranks: 1/' >device
awk '/^      (neuron|equal|different|alone|section|level|wait|visit|fetch|hh):/ { $2 *= 3; $0 = "      " $1 " " $2 }
     { print }' device | cat slow.yaml device - >slower.yaml
plan many.yaml --ranks 2 --threads 1 -m slower.yaml --per-rank --tsv
ok "a device three times as slow gets a third" holds "$(cell 1 compartments) > 2.4 * $(cell 2 compartments) && $(cell 1 compartments) < 3.6 * $(cell 2 compartments)"
# A node with a GPU, which is twenty times as fast, and a CPU.
sed 's/- name:.*/- name: "gpu"/; s/backend: .*/backend: "cuda"/
     s/method: .*/method: "cell-blocks"/; s/start: .*/start: 3000/' device |
    awk '/^      (neuron|equal|different|alone|section|level|wait|visit|fetch|hh):/ { $2 /= 20; $0 = "      " $1 " " $2 }
         { print }' | cat slow.yaml - device >mixed.yaml
plan many.yaml --threads 1 -m two.yaml --tsv
alone=$(cell 1 loop_s)
plan many.yaml --threads 1 -m mixed.yaml --tsv
ok "without a GPU a job takes a CPU's costs" holds "$(cell 1 loop_s) < 1.01 * $alone && $(cell 1 loop_s) > 0.99 * $alone"
plan many.yaml --set backend=cuda --gpus-per-node 1 --threads 1 -m mixed.yaml --tsv
if [ $rc = 0 ]; then
    ok "with one it is faster" holds "$(cell 1 loop_s) < 0.2 * $alone"
    plan many.yaml --set backend=cuda --gpus-per-node 1 --ranks-per-node 2 --ranks 2 -m mixed.yaml
    ok "more ranks than GPUs are refused" refused 2 'has 1 GPUs, and each rank takes one; .*--mix'
    plan many.yaml --set backend=cuda --gpus-per-node 1 --ranks-per-node 2 --ranks 2 --mix \
        --threads 1 -m mixed.yaml --per-rank --tsv
    ok "unless they compute on CPUs, which get little" holds \
        "$(cell 2 compartments) > 0 && $(cell 1 compartments) > 8 * $(cell 2 compartments)"
else
    skip "this bosc was built without CUDA"
fi
plan many.yaml --mix
ok "who mixes says how many GPUs there are" refused 2 'mix without --gpus-per-node'
"$BOSC" plan --help >help
ok "there is help" grep -q 'gpu-memory' help
plan job.yaml --machine nowhere.yaml
ok "a machine's file that is not there is told" refused 66 'nowhere.yaml: No such file'
echo 'host: x' >bad.yaml
plan job.yaml --machine bad.yaml
ok "one that lacks something is refused with its line" refused 65 "bad.yaml.*'processors' is missing"
BOSC_MACHINE=bad.yaml plan job.yaml
ok "whoever names it" refused 65 "bad.yaml"
refused_once() {
    ! BOSC_MACHINE=bad.yaml timeout 300 "$MPIEXEC" -n 3 "$BOSC" run job.yaml -q \
        >out 2>&1 && is "$(grep -c 'bad.yaml.*missing' out)" 1
}
ok "a run refuses it, and tells once" refused_once
plan job.yaml --machine job.yaml
ok "a job is no machine's file" refused 65 'job.yaml:1: this is no machine'
sed 's/base: .*/base: 1e15/' two.yaml >vast.yaml
vast() {
    ! BOSC_MACHINE=vast.yaml timeout 300 "$MPIEXEC" -n 2 "$BOSC" run --overwrite job.yaml -q -o x.nc \
        >out 2>&1 </dev/null && is "$(grep -c 'job.yaml:8: a rank needs 1 PB.*vast.yaml' out)" 1
}
ok "a run whose ranks have no room for neurons is refused, once" vast
plan job.yaml --gpu-memory 4GB
ok "a GPU's memory needs GPUs" refused 2 'gpus-per-node'
plan job.yaml --ranks 1,2,...,9
ok "dots that miss their end are refused" refused 2 '9 is not met'
plan job.yaml --set tstop=never
ok "a job's mistake is told as a run tells it" refused 2 "tstop: 'never'"
while read -r code message option value; do
    plan job.yaml "$option" "$value"
    ok "$option $value is refused" refused "$code" "$message"
done <<'END'
2 4096.is.there.twice --ranks 1,4096,4096
2 are.too.many --ranks 1048577
2 from.1.to.4096 --threads 65536
2 at.least.1 --memory 0
2 not.a.number.of.bytes --memory 24gx
END
# Products of couplings are part of a step: a full matrix has 100 times as many
# numbers.
for rule in 'fixed_indegree, indegree: 10' all_to_all; do
    cat >coupled.yaml <<COUPLED
tstop: 10
populations:
  - {name: c, synthetic: {compartments: 20, sections: 3}, count: 1000, regions: {all: {pas: {}}}}
couplings: [{name: near, type: gap, from: c, to: c, rule: $rule, conductance: 1e-5}]
probes: [{name: soma}]
COUPLED
    plan coupled.yaml --threads 1 --tsv
    coupled="${coupled:-} $(cell 1 loop_s)"
done
read -r some all <<<"$coupled"
ok "couplings that are full take most of a step" holds "$all > 3 * $some"
done_testing
