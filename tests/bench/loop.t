#!/bin/bash
# loop.t - bosc-bench loop runs what it says, and all methods agree.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
own_folder
diagnose="cat out err"
mkdir tmp
export TMPDIR=$work/tmp

loop() {
    timeout 300 "$BOSC_BENCH" loop --steps 200 --rounds 1 "$@" >out 2>err </dev/null
    rc=$?
}
warns() { grep -qE -- "$1" err; }

# cell COLUMN [JOB]: of every row of a table of tab-separated values.
cell() {
    awk -F'\t' -v name="$1" -v job="${2:-}" '
        /^#/ { next }
        !at { for (k = 1; k <= NF; ++k) if ($k == name) at = k; next }
        job == "" || $1 == job { print $at }' out
}
# all_are CONDITION: of x, in each row, of which there is at least one.
all_are() { awk "{ x = \$1; n++; if (!($1)) bad = 1 } END { exit bad || !n }"; }
words() { xargs <<<"$1"; }

# ---- the table ----

loop --neurons 5,40 --backend ref,cpu --method depth-first,hines-flat,hines
ok "bench loop measures" is $rc 0
ok "nothing is warned of" is "$(cat err)" ""
ok "the host is named, with its copy bandwidth" \
    says '^ *host: .+, [0-9]+ threads?; copies [0-9.]+ GB/s$'
ok "each case is described" eval \
    "says '^ring, hh in somata: 40 neurons of 32 shapes, 200 steps' &&
     says '^heterogeneous, hh in somata: 5 neurons of 5 shapes'"
ok "each method has a row in each, with the epoch that a run has" is \
    "$(grep -oE '^(depth-first +cpu|hines-flat +cpu|hines +ref) +[0-9]+' out |
        awk '{ print $3 }' | sort | uniq -c | xargs)" "6 100 6 40"
ok "the columns are titled" says 'method +backend +steps +s +ms +steps/s +copy'
ok "all lines of the table are aligned" [ "$(grep -E '^method|^hines +ref' out |
    awk '{ print length($0) }' | sort -u | wc -l)" = 1 ]
ok "and fit" [ "$(awk 'length($0) > 80' out | wc -l)" = 0 ]
ok "the folder of the runs is gone" is "$(ls -A tmp)" ""

# ---- a job of the user's own ----

cat >own.yaml <<'END'
dt: 0.05
tstop: 10
populations:
  - name: cells
    synthetic: {compartments: 41, sections: 5}
    count: 7
    regions: {all: {Ra: 100, cm: 1, pas: {}}, soma: {hh: {}}}
clamps: [{at: soma, delay: 1, duration: 5, amplitude: 1}]
END
loop --job own.yaml --backend ref,cpu --method depth-first,hines-block,hines --tsv
ok "a user's own job is measured by each method, for the time that is said" is \
    "$rc $(words "$(paste <(cell method) <(cell neurons) <(cell compartments) \
        <(cell steps) <(cell spikes))")" \
    "0 depth-first 7 287 100 7 hines-block 7 287 100 7 hines 7 287 100 7"
timeout 100 "$BOSC_BENCH" loop --job own.yaml --method hines --rounds 1 --tsv >out 2>err </dev/null
ok "else for its own" is "$(cell steps)" 200
loop --job own.yaml --neurons 5
ok "which says what its neurons are" warns 'own.yaml: the file says what .* leave out --neurons'
loop --job none.yaml --method hines
ok "one that is not there has no times" says 'none.yaml.*No such file'

loop --neurons 40 --epoch 1,8,40 --backend ref,cpu --method depth-first,hines-flat,hines \
    --tsv --rounds 3
ok "values can be separated by tabs" is $rc 0
ok "every row has all columns" [ "$(grep -v '^#' out |
    awk -F'\t' '{ print NF }' | sort -u | wc -l)" = 1 ]
ok "each job, method and epoch has a row" is \
    "$(words "$(paste <(cell job) <(cell epoch_steps) | sort | uniq -c)")" \
    "3 heterogeneous 1 3 heterogeneous 40 3 heterogeneous 8 3 ring 1 3 ring 40 3 ring 8"
ok "40 cells of a ring have 6200 compartments" eval \
    'cell compartments ring | all_are "x == 6200"'
ok "in all methods and epochs heterogeneous neurons fire alike" eval \
    "[ \$(cell spikes heterogeneous | sort -u | wc -l) = 1 ] &&
     cell spikes heterogeneous | all_are 'x > 0'"
ok "in the ring the kicked cells fire at least" eval 'cell spikes ring | all_are "x >= 3"'
ok "the median is between the least and the most" eval \
    "paste <(cell loop_least_ms) <(cell loop_ms) <(cell loop_most_ms) |
     awk '{ n++ } \$1 <= 0 || \$1 > \$2 || \$2 > \$3 { bad = 1 } END { exit bad || !n }'"
ok "compartments and steps over the median are the speed" eval \
    "paste <(cell compartments) <(cell steps) <(cell loop_ms) <(cell compartment_steps_1e9_per_s) |
     awk '{ n++; e = \$1 * \$2 / \$3 * 1e-6 / \$4 - 1 }
          e * e > 1e-8 { bad = 1 } END { exit bad || !n }'"
ok "integrating is part of the loop" eval \
    "paste <(cell integrate_ms) <(cell loop_most_ms) |
     awk '{ n++ } \$1 <= 0 || \$1 > \$2 { bad = 1 } END { exit bad || !n }'"
ok "no row lacks its times" eval 'cell why_not | all_are "x == \"\""'

loop --job ring --neurons 40 --steps 40 --backend ref,cpu --tsv --rounds 1
ok "methods of the papers run in a composed step, with the same voltages" eval \
    "cell why_not | all_are 'x == \"\"' && is $(cell solve_ms | grep -vc nan) 8"
ok "of which the stages are told" eval \
    "paste <(cell assemble_ms) <(cell solve_ms) <(cell update_ms) <(cell integrate_ms) |
     awk '\$1 != \"nan\" { n++ } \$1 + \$2 + \$3 > \$4 { bad = 1 } END { exit bad || n != 8 }'"

loop --job heterogeneous --neurons 30 --shapes 4 --everywhere --synapses 6 --rate 400 \
    --method depth-first,hines --threads 2 --tsv
ok "with shapes, hh everywhere and synapses" is $rc 0
ok "it says so" says '^# heterogeneous, hh everywhere, 6 synapses of 400 Hz each: 30 neurons of 4'
ok "and in its columns" is \
    "$(words "$(paste <(cell shapes) <(cell everywhere) <(cell synapses) <(cell rate_Hz) | sort -u)")" \
    "4 1 6 400"
ok "by the methods that were named" is "$(words "$(cell method)")" "depth-first hines"
fired=$(cell spikes | sort -u)
loop --job ring --neurons 40 --steps 40 --backend ref,cpu --tsv --rounds 1
ok "methods of the papers run in a composed step, with the same voltages" eval \
    "cell why_not | all_are 'x == \"\"' && is $(cell solve_ms | grep -vc nan) 8"
ok "of which the stages are told" eval \
    "paste <(cell assemble_ms) <(cell solve_ms) <(cell update_ms) <(cell integrate_ms) |
     awk '\$1 != \"nan\" { n++ } \$1 + \$2 + \$3 > \$4 { bad = 1 } END { exit bad || n != 8 }'"

loop --job heterogeneous --neurons 30 --shapes 4 --everywhere --backend cpu --tsv
ok "synapses make neurons fire" [ "$fired" -gt "$(cell spikes | sort -u)" ]

loop --neurons 3 --compartments 400 --backend cpu --tsv
ok "neurons can have another size" eval "is \$rc 0 && cell compartments | all_are 'x == 1200'"
loop --job heterogeneous --neurons 9 --compartments 20-60 --backend cpu --tsv
ok "or sizes" eval "is \$rc 0 && cell compartments | all_are 'x > 180 && x < 540'"

# ---- refusals: SENTENCE, EXIT CODE, MESSAGE, ARGUMENTS... ----

refuses() {
    loop --backend cpu "${@:4}"
    ok "$1: exit code $2" is $rc "$2"
    ok "$1: says why" warns "^bosc-bench loop: .*$3"
    ok "$1: leaves nothing" is "$(ls -A tmp)" ""
}
refuses "a mistyped job" 2 "--job rings: .*did you mean 'ring'" --job rings
refuses "no steps of an epoch" 2 "--epoch 0: not a whole number from 1" --epoch 40,0
refuses "a word for an epoch" 2 "--epoch long: not a whole number" --epoch long
refuses "a range the wrong way round" 2 "--compartments 50: not a whole number from 60" \
    --compartments 60-50
refuses "tiny neurons" 2 "--compartments 19: .* from 20" --compartments 19
refuses "too many rounds" 2 "--rounds 100: .* to 99" --rounds 100
refuses "a method that only solves" 2 \
    "--method thomas-vbatch-cp: unknown to backend cpu; did you mean 'hines-vbatch-cp'" \
    --method thomas-vbatch-cp
refuses "a backend that only solves" 2 "--backend cusparse: unknown; available: all, cpu, ref, cuda" \
    --backend cusparse
if [ "$("$BOSC" devices --tsv 2>/dev/null | wc -l)" -lt 2 ]; then
    refuses "a backend that is not there" 69 "--backend cuda: " --backend cuda
else
    loop --neurons 33 --epoch 1,40 --synapses 3 --backend cpu,cuda --tsv
    ok "GPU and CPU agree" eval "is $rc 0 && cell backend | grep -qx cuda"
fi
TMPDIR=$work/none refuses "no folder for files" 74 "none/bosc-.*: No such file .*; set TMPDIR"
done_testing
