#!/bin/bash
# ranks.t - bosc-bench under a launcher: one rank, two and more divide what
# they measure, and the first one tells.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1
need_launcher
own_folder
diagnose="cat out err"
mkdir tmp
export TMPDIR=$work/tmp

# bench RANKS ARGUMENTS...
bench() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC_BENCH" "${@:2}" >out 2>err </dev/null
    rc=$?
}
warns() { grep -qE -- "$1" err; }
once() { [ "$(grep -cE -- "$1" out err | cut -d: -f2 | paste -sd+ | bc)" = 1 ]; }
# cell COLUMN: of every row of a table of tab-separated values.
cell() {
    awk -F'\t' -v name="$1" '
        /^#/ { next }
        !at { for (k = 1; k <= NF; ++k) if ($k == name) at = k; next }
        { print $at }' out
}
words() { xargs <<<"$1"; }

# ---- solves ----

bench 2 solve --neurons 20,300 --backend cpu --method hines-flat
ok "two ranks solve" is $rc 0
ok "one begins, then both" eval \
    "once '^ *1 of 2 ranks, strong scaling' && once '^ *2 of 2 ranks, strong scaling'"
ok "the first one prints" once '^bosc .*: solvers of mix'
ok "the end says from how many neurons on two are faster, or that they are not" \
    once '^mix, cpu: 2 ranks are (faster than one from (20|300) neurons on|not faster than one)'
ok "beside the times of both" says '^ +300 +[0-9.]+ +[0-9.]+$'
bench 2 solve --neurons 20,300 --backend cpu --method hines-flat --tsv
ok "a table for programs has a column of ranks" is "$(cell ranks | xargs)" "1 1 1 1 2 2 2 2"
compartments=$(cell compartments)
ok "whose ranks solve the same neurons" is \
    "$(words "$(head -n 4 <<<"$compartments")")" "$(words "$(tail -n 4 <<<"$compartments")")"
ok "one rank is as fast as one" is "$(cell over_one_rank | head -n 4 | xargs)" "1 1 1 1"
ok "and the residual of each is small" eval \
    "cell residual | awk '{ n++; bad += !(\$1 < 1e-11) } END { exit bad || n != 8 }'"
bench 3 solve --neurons 20 --backend cpu --method hines-flat --scaling weak --tsv
ok "with weak scaling each rank has as many" is "$(cell neurons | xargs)" "20 20 40 40 60 60"
ok "of three ranks one measures, then two, then all" is "$(cell ranks | xargs)" "1 1 2 2 3 3"
ok "and the end says what they take" says '# mix, cpu: 3 ranks of 20 neurons each take [0-9.e+-]+ times'
bench 3 solve --neurons 2 --backend cpu --method hines-flat
ok "fewer neurons than ranks are left out" eval "is $rc 0 && says '^2 neurons: left out'"
"$BOSC_BENCH" solve --neurons 20 --backend cpu --method hines-flat --tsv >out 2>err
ok "without a launcher there is no such column" is "$(cell ranks)" ""

# ---- loops ----

bench 2 loop --neurons 8,40 --steps 40 --rounds 1 --backend ref,cpu \
    --method depth-first,hines-flat,hines --tsv
ok "two ranks run time loops" is $rc 0
ok "with as many spikes, and the bits, of one" is \
    "$(cell why_not | sort -u)" ""
ok "each method has a row for both numbers of ranks" is \
    "$(cell ranks | sort | uniq -c | xargs)" "12 1 12 2"
ok "and the end says what they are beside one" \
    says '^# heterogeneous, epochs of 100 steps, cpu: 2 ranks are'
cp out loop.tsv
ok "nothing is left in the folder of temporary files" is "$(ls tmp)" ""
if [ -x "$BOSC_BUILD/tests/emulate/bosc-bench" ]; then
    BOSC_BENCH=$BOSC_BUILD/tests/emulate/bosc-bench bench 2 loop --job ring --neurons 8 --steps 4 \
        --rounds 1 --backend cuda --method cell-blocks,depth-first --tsv
    ok "two ranks share a GPU where there is one" eval \
        "is $rc 0 && says 'up to 2 ranks share a GPU' && is '$(cell ranks | xargs)' '1 1 2 2'"
fi

# ---- papers ----

bench 2 papers --figure levels-7 --neurons 20,60 --backend cpu --method hines-flat -o papers.nc
ok "two ranks repeat the papers' experiments" eval "is $rc 0 && once 'wrote papers.nc: 8 meas'"
ok "a table for each number of ranks" eval \
    "once '^mix, fp64, 1 rank; median' && once '^mix, fp64, 2 ranks; median'"
if command -v ncdump >/dev/null; then
    ncdump -v ranks papers.nc >out
    ok "one rank writes the file, with a column of ranks" eval \
        "says ' ranks = 1, 1, 1, 1, 2, 2, 2, 2' && says ':scaling = \"strong\"'"
else
    skip "ncdump is not installed"
fi
python=$(find_python numpy matplotlib netCDF4)
if [ -n "$python" ]; then
    MPLCONFIGDIR=$work timeout 300 "$python" "$BOSC_SRC/bench/plot-bench" papers.nc loop.tsv \
        -o figure --format svg >out 2>err
    ok "plot-bench draws times over neurons, and speeds over ranks" \
        [ -s figure-ranks.svg -a -s figure-scaling.svg ]
    ok "and one rank as before" [ -s figure-levels-7.svg ]
    grep -v '^#' loop.tsv | cut -f 1-20 >few.tsv
    MPLCONFIGDIR=$work timeout 300 "$python" "$BOSC_SRC/bench/plot-bench" few.tsv >out 2>err
    ok "a table without ranks is refused" warns '^plot-bench: few.tsv: has no column ranks'
else
    skip "Python has no matplotlib or netCDF4"
    skip "Python has no matplotlib or netCDF4"
    skip "Python has no matplotlib or netCDF4"
fi

# ---- failures ----

bench 2 solve --neurons 0
ok "a wrong option is told once" eval "is $rc 2 && once '^bosc-bench solve: --neurons 0'"
bench 2 solve --shape nowhere.tsv
ok "so is a file that is missing" eval "is $rc 65 && once 'rank 0 of 2.*nowhere.tsv'"
cp "$BOSC_SRC/morphologies/ball-and-stick.swc" here.swc
timeout 100 "$MPIEXEC" -n 1 "$BOSC_BENCH" solve --shape here.swc --backend cpu : \
    -n 1 sh -c "cd tmp && exec '$BOSC_BENCH' solve --shape here.swc --backend cpu" >out 2>err </dev/null
ok "also where the second rank alone lacks it" once 'rank 1 of 2.*here.swc: No such file'
bench 2 papers --figure levels-7 --neurons 20 --backend cpu --method hines-flat -o nowhere/papers.nc
ok "and one that the first rank cannot write" eval \
    "[ $rc != 0 ] && once '^bosc-bench papers: .*rank 0 of 2.*nowhere'"
TMPDIR=$work/nowhere bench 2 loop --neurons 8 --steps 4 --rounds 1 --backend cpu
ok "and a folder" eval "[ $rc != 0 ] && once '^bosc-bench loop: .*nowhere.*set TMPDIR'"
bench 2 spmv
ok "what one rank alone measures refuses several" eval "is $rc 2 && once 'one of 2 ranks'"
"$BOSC_BENCH" loop --scaling weak >out 2>err
ok "scaling needs several" eval "is $? 2 && warns '^bosc-bench loop: --scaling weak: there is one rank'"
bench 2 solve --help
ok "the help is printed once" once '^usage: bosc-bench solve'
done_testing
