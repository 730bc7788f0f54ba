#!/bin/bash
# report.t - what commands print: lines of at most 80 columns, times that add
# up, and the first of many instead of all.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C
unset BOSC_MACHINE OMP_NUM_THREADS

need_ncdump
need_launcher
own_folder
export HOME=$work XDG_CONFIG_HOME=$work/config
diagnose="cat wide out err"


# Are there lines in the file, none of more than 80 characters?  Those that are
# longer, without continuation bytes of UTF-8, are in 'wide' then.
is_narrow() {
    tr -d '\200-\277' <"$1" | awk 'length > 80 { print length ": " $0 }' >wide
    [ -s "$1" ] && [ ! -s wide ]
}
# fits WHAT COMMAND...: it succeeds, and prints lines of at most 80 columns.
fits() {
    timeout 300 "${@:2}" >out 2>err </dev/null
    local code=$?
    ok "$1 fits 80 columns" eval "is $code 0 && is_narrow out"
}
run() { # RANKS ARGUMENTS...
    fits "what a run on $1 rank(s) prints" "$MPIEXEC" -n "$1" "$BOSC" run --overwrite "${@:2}"
}

# --- a run's times ---

cat >job.yaml <<'END'
tstop: 20
populations:
  - {name: pyramidal, synthetic: {compartments: 200, sections: 31}, count: 40,
     regions: {all: {pas: {}}, soma: {hh: {}}}}
  - {name: a_population_with_a_name_longer_than_most_names,
     synthetic: {compartments: [76, 300], sections: [7, 60]}, count: 20,
     regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps:
  - {at: soma, duration: 20, amplitude: 0.3}
synapses:
  - {name: excite, type: ExpSyn, tau: 2, e: 0}
projections:
  - {from: pyramidal, to: pyramidal, rule: ring, synapse: excite, weight: 0.002,
     delay: 2, at: soma}
couplings:
  - {type: gap, from: pyramidal, to: pyramidal, rule: ring, conductance: 1e-5}
probes:
  - {name: soma, at: soma, interval: 0.1}
END

# The line of the report that begins with this word, and its continuations.
line() {
    awk -v name="$1" '
        $1 == name && /^  / { on = 1; text = $0; next }
        on && /^                   / { text = text $0; next }
        on { exit }
        END { gsub(/  +/, " ", text); print text }' out
}
# seconds LINE WORD...: the sum of "12.3 ms", "4 s", "1 min 02 s" behind them.
seconds() {
    local word
    for word in "${@:2}"; do
        case $1 in *"$word "*)
            sed -E "s/.*$word ([0-9.e+-]+) (ms|s|min)( ([0-9]+) s)?.*/\1 \2 \4/" <<<"$1"
            ;;
        esac
    done | awk '{ sum += $1 * ($2 == "ms" ? 1e-3 : $2 == "min" ? 60 : 1) + $3 }
        END { print sum + 0 }'
}
close() { awk "BEGIN { d = ($1) - ($2); d = d < 0 ? -d : d; exit !(($2) > 0 && d <= 0.02 * ($2)) }"; }
adds_up() {
    local all set_up loop
    all=$(line time | tail -n 1)
    set_up=$(line set-up)
    loop=$(line loop)
    close "$(seconds "$all" set-up loop rest)" "$(seconds "$all" time)" &&
        close "$(seconds "$set_up" read divide pack)" "$(seconds "$all" set-up)" &&
        close "$(seconds "$loop" integrate wait gather synchronise rest)" \
            "$(seconds "$all" loop)"
}
# The table of the file, a rank a line: read divide pack connect loop integrate
# wait gather synchronise distribute write assemble solve update.
phases() {
    ncdump -v rank_seconds run.nc | awk '/^ rank_seconds =/ { on = 1 }
        on { gsub(/[,;=]|rank_seconds/, ""); printf "%s ", $0 } /;/ { on = 0 }' |
        xargs -n 14
}

for ranks in 1 3; do
    run $ranks job.yaml -o run.nc
    sed -i '0,/^  time/s/^  time/  steps/' out # the summary has another "time"
    ok "the times that are printed add up" adds_up
    ok "the phases in the file are parts of each other" is "$(phases |
        awk 'NF == 14 && $4 <= $3 && $6 + $7 + $8 + $9 <= $5 { n++ } END { print n }')" $ranks
    ok "speed is that of the whole loop" close \
        "$(sed -n 's/^  speed *\([0-9.e+]*\) million.*/\1/p' out)" \
        "$(sed -n 's/^  in all.* neurons, \([0-9,]*\) comp.*/\1/p' out | tr -d ,) * 800e-6 / \
         $(phases | awk '$5 > most { most = $5 } END { print most }')"
    ok "a run of milliseconds compares memory with what was expected, not time" \
        eval "says '^  expected  *memory .*(more|less)' && ! says 'expected .*integrate'"
done
ok "the file tells how its phases add up" eval \
    "ncdump -h run.nc | grep -q 'rank_seconds:comment = \"read, divide, pack and loop follow'"

# --- many populations ---

{
    echo 'tstop: 1'
    echo 'populations:'
    for ((i = 0; i < 400; i++)); do
        echo "  - {name: layer_$i, synthetic: {compartments: 3, sections: 1}, count: 2, regions: {all: {pas: {}}}}"
    done
} >many.yaml
run 2 many.yaml -o many.nc
ok "of 400 populations the first are announced" eval \
    "says '^  layer_0  *2 neurons' && says '^  layer_7  *2 neurons' && ! says '^  layer_8'"
ok "and how many more there are" says '^  \.\.\.  *and 392 more populations of 784 neurons'
ok "so are their rates" eval "says 'layer_7 0 Hz' && ! says 'layer_8'"
ok "with the range of the others" eval "unwrapped out |
    grep -q 'and 392 more from 0 to 0 Hz; population_rate'"

# --- plans ---

fits "a plan" "$BOSC" plan job.yaml --ranks 1,2,3 --per-rank
ok "it has a row for each number of ranks" is "$(grep -cE '^ +[123] +[123] .* [kM]B$' out)" 3
fits "a plan of long times and many ranks" "$BOSC" plan job.yaml --ranks 1,4096 \
    --set tstop=1e9 --gpus-per-node 4 --gpu-memory 141GB
ok "whose hours stay in their columns" says '^ +1 +1 +[0-9.]+ ms +[0-9]+h[0-9]{2}m +[0-9]+h[0-9]{2}m +1 +1\.000 '
fits "a plan of many populations" "$BOSC" plan many.yaml
mkfifo edges.tsv # whose rows nobody counts
{
    cat many.yaml
    echo 'synapses: [{name: s, type: ExpSyn}]'
    echo 'projections:'
    for ((i = 0; i < 20; i++)); do
        echo "  - {from: layer_$i, to: layer_$i, rule: list, file: edges.tsv, synapse: s, weight: 0.1, delay: 1, at: soma}"
    done
} >listed.yaml
fits "a plan with connections by files that were not read" "$BOSC" plan listed.yaml
ok "names the first of their targets" eval "unwrapped out |
    grep -qE \"not counted .*onto 'layer_0', .*'layer_7' and 12 more populations\""

# --- benchmarks, and help ---

fits "bosc-bench solve" "$BOSC_BENCH" solve --neurons 5 --backend cpu
fits "bosc-bench spmv" "$BOSC_BENCH" spmv --neurons 50 --density 10
fits "bosc-bench papers" "$BOSC_BENCH" papers --figure levels-13 --neurons 2,3,5 --backend cpu
ok "it has tables of two numbers of neurons, and of one" is \
    "$(grep -cE '^method +backend( +2 +3| +5) +B/comp$' out)" 2
fits "calibrate" "$BOSC" calibrate --seconds 0.001 -o machine.yaml
OMP_NUM_THREADS=1 fits "calibrate on one of several processors" \
    "$BOSC" calibrate --seconds 0.001 -o machine.yaml
for command in "" run plan inspect generate devices calibrate; do
    # shellcheck disable=SC2086
    fits "the help of '$command'" "$BOSC" $command --help
done
for command in "" solve papers spmv loop tune; do
    # shellcheck disable=SC2086
    fits "the help of 'bosc-bench $command'" "$BOSC_BENCH" $command --help
done
fits "the list of keys" "$BOSC" run --help-keys

# --- morphologies ---

# A soma and a dendrite of many flaws, some of a kind.
awk 'BEGIN {
    print "1 1 0 0 0 6.5 -1"
    for (i = 2; i <= 40; ++i)
        print i, 3, 0, 100 + i, 0, i % 3 ? -0.75 : 0, i - 1
    print "41 3 9 9 9 1 77"
    print "hello"
}' >flawed.swc
cp flawed.swc a-name-that-is-longer-than-the-room-beside-the-table.swc
fits "inspect" "$BOSC" inspect flawed.swc
fits "inspect of long names" "$BOSC" inspect ./*.swc
fits "inspect --repairs" "$BOSC" inspect --repairs ./*.swc
done_testing
