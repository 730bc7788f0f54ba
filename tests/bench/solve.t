#!/bin/bash
# solve.t - bosc-bench measures what it says, and refuses what it cannot.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
own_folder
diagnose="cat out err"

bench() {
    timeout 300 "$BOSC_BENCH" "$@" >out 2>err </dev/null
    rc=$?
}
warns() { grep -qE -- "$1" err; }

# ---- the table ----

bench solve --neurons 5,20 --backend cpu
ok "bench solve measures" is $rc 0
ok "the host is named, with its copy bandwidth" \
    says '^ *host: .+, [0-9]+ threads?; copies [0-9.]+ GB/s$'
ok "each forest is described" eval \
    "says 'mix, fp64: 5 neurons of 5 trees, [0-9]+ to [0-9]+ compartments' &&
     says 'mix, fp64: 20 neurons of 20 trees'"
ok "sequential Hines is there, for each" [ "$(grep -c '^hines  *ref ' out)" = 2 ]
ok "as are all methods of the backend" [ "$(grep -cE ' (ref|cpu) +(5|20) ' out)" -ge 2 ]
ok "a method that cannot do it has a row that says why" \
    says '^thomas-vbatch-cp +cpu +tree 0 has branches'
ok "the columns are titled" says 'method +backend +neurons +ms +comp\./s +copy +1 core +OpenMP'
ok "all lines of the table are aligned" [ "$(grep -E '^method|^hines +ref' out |
    awk '{ print length($0) }' | sort -u | wc -l)" = 1 ]

# cell COLUMN: of every row of a table of tab-separated values.
cell() {
    awk -F'\t' -v name="$1" '
        /^#/ { next }
        !at { for (k = 1; k <= NF; ++k) if ($k == name) at = k; next }
        { print $at }' out
}
# all_are CONDITION: of x, in each row, of which there is at least one.
all_are() { awk "{ x = \$1; n++; if (!($1)) bad = 1 } END { exit bad || !n }"; }

bench solve --neurons 20 --backend cpu --order loop --levels root
ok "solves in the order of the time loop, by levels from the root" eval \
    "is $rc 0 && says 'mix, fp64, order of the loop, levels from the root: 20' &&
     says '^level-schedule-sliced +cpu +20 '"
ok "what has the papers' order alone says so" \
    says "^cell-blocks +cpu +solves in the papers' order alone"
bench solve --neurons 20 --backend cpu --method hines-flat --order loop --precision fp32
ok "the loop's order in fp32 is refused" eval "is $rc 2 && warns 'order loop.*fp64'"

bench solve --neurons 20 --backend cpu --method hines-flat --counters
ok "counters are of a GPU, else a line says so" eval \
    "is $rc 0 && says 'instr./$' && says '^counters: no GPU has solved anything'"

bench solve --shape small-high --neurons 33 --tsv
ok "values can be separated by tabs" is $rc 0
ok "every row has all columns" [ "$(grep -v '^#' out |
    awk -F'\t' '{ print NF }' | sort -u | wc -l)" = 1 ]
ok "what was measured where is in comments" says '^# host: '
# Only the rows of what was measured.
keep_measured() {
    awk -F'\t' '/^#/ || $NF == "" || $NF == "why_not"' out >kept && mv kept out
}
keep_measured
ok "33 neurons of 76 compartments are 2508" eval 'cell compartments | all_are "x == 2508"'
ok "the padding ratio is at least 1" eval 'cell padding | all_are "x >= 1"'
ordered() {
    paste <(cell least_ms) <(cell median_ms) <(cell most_ms) |
        awk '{ n++ } $1 <= 0 || $1 > $2 || $2 > $3 { bad = 1 } END { exit bad || !n }'
}
ok "the median is between the least and the most" ordered
speeds() {
    paste <(cell compartments) <(cell median_ms) <(cell compartments_1e9_per_s) |
        awk '{ n++; e = $1 / $2 * 1e-6 / $3 - 1 } e * e > 1e-8 { bad = 1 } END { exit bad || !n }'
}
ok "compartments over the median are the speed" speeds
ok "a row is repeated often enough" eval 'cell repeats | all_are "x >= 11"'
ok "residuals are those of rounding" eval 'cell residual | all_are "x >= 0 && x < 1e-12"'
ok "the yardstick is as fast as itself" is "$(cell over_sequential | head -n 1)" 1

# A list, half of it for another population, which is solved as well.
printf '%s\t3\tsome\n%s\t2\tothers\n' "$BOSC_SRC"/morphologies/small-{low,high}.swc >list.tsv
bench solve --shape list.tsv --neurons 4,12 --precision fp32 --shared-u --tsv --backend cpu \
    --method level-schedule,depth-first
ok "a family of methods is named by the words before a dash" \
    is "$(cell method | sort | uniq -c | awk '{ printf "%s*%s ", $2, $1 }')" \
    "depth-first*2 hines*2 hines-flat*2 level-schedule-cp*2 level-schedule-ncp*2 level-schedule-sliced*2 "
ok "a list is a shape, whose neurons repeat" eval "says 'fp32, .*: 4 neurons of 2 trees' &&
    says 'fp32, off-diagonals shared: 12 neurons of 2 trees'"
keep_measured
ok "in fp32 residuals are larger, but small" eval 'cell residual | all_are "x > 1e-9 && x < 1e-5"'

# ---- tridiagonal systems ----

bench tridiag --rows 3,20-40 --systems 70 --threads 2 --tsv --backend cpu
ok "bench tridiag measures" is $rc 0
layouts='(flat|interleaved|unified|cp|ncp|sliced)'
ok "each layout, on two matrices, in two precisions, of two sizes" \
    is "$(grep -cE "^(dominant|laplace)	fp(64|32)	$layouts	cpu	" out)" 48
ok "a layout for one size says why it has no time" \
    says '	interleaved	cpu	20	nan.*	system 1 has [0-9]+ rows .* for one length$'
keep_measured
ok "the median is between the least and the most" ordered
ok "no pivot is 0" eval 'cell zero_pivots | all_are "x == 0"'
ok "there is no workspace" eval 'cell workspace_byte | all_are "x == 0"'
errors() { # errors PRECISION CONDITION
    awk -F'\t' -v p="$1" '/^#/ { next } !at { for (k = 1; k <= NF; ++k) if ($k == "error") at = k; next }
        $2 == p { print $at }' out | all_are "$2"
}
ok "errors are those of rounding" eval 'errors fp64 "x >= 0 && x < 1e-13" && errors fp32 "x > 1e-9 && x < 1e-4"'
ok "all layouts have the same" [ "$(awk -F'\t' '$1 == "laplace" && $2 == "fp64" && $5 == 20 { print $13 }' out |
    sort -u | wc -l)" = 1 ]
bench tridiag --rows 40 --systems 33 --backend cpu --matrix random --precision fp64
ok "for people the lines are aligned" eval "is $rc 0 && [ \"\$(grep -E '^method|^sliced' out |
    awk '{ print length(\$0) }' | sort -u | wc -l)\" = 1 ]"
bench tridiag --rows 40 --systems 33 --backend lapack --precision fp64 --tsv
if [ "$rc" = 0 ]; then
    ok "LAPACK solves the same systems" eval 'errors fp64 "x >= 0 && x < 1e-12"'
else
    skip "LAPACK is not installed"
fi
bench tridiag --rows 8 --systems 2 --lapack ./none --precision fp64 --matrix laplace --method gtsv,flat
ok "without LAPACK a line says so" eval "is $rc 0 && says 'without lapack: ./none: cannot open'"
bench tridiag --rows 8 --lapack ./none --backend lapack
ok "named, it is an error" eval "is $rc 69 && warns -- '--backend lapack: ./none: cannot open'"
bench tridiag --rows 8-4
ok "sizes the wrong way round are refused" eval "is $rc 2 && warns -- '--rows 4: .* from 8 to'"
bench tridiag --matrix hilbert
ok "as are unknown matrices" eval "is $rc 2 && warns 'hilbert.*dominant'"

# ---- sparse matrices ----

bench spmv --neurons 50,300 --density 2,100 --backend cpu
ok "bench spmv measures" is $rc 0
ok "all formats of each matrix" eval "[ \"\$(grep -cE '^(csr|ellpack|dense) +cpu' out)\" = 12 ]"
ok "its lines are aligned" [ "$(grep -E '^format|^csr' out |
    awk '{ print length($0) }' | sort -u | wc -l)" = 1 ]
bench spmv --neurons 128,200 --row 16,128 --tsv --repeat 7 --backend cpu
ok "with so many entries a row, and tabs between" eval "is $rc 0 &&
    cell mean_row | all_are 'x == 16 || x == 128'"
ok "the median of a product is between the least and the most" ordered
flops() {
    paste <(cell neurons) <(cell mean_row) <(cell median_ms) <(cell GFLOP_per_s) |
        awk '{ n++; e = 2e-6 * $1 * $2 / $3 / $4 - 1 } e * e > 1e-8 { bad = 1 } END { exit bad || !n }'
}
ok "an entry is two operations" flops
ok "the error is that of rounding" eval 'cell error | all_are "x > 0 && x < 1e-14"'
bench spmv --neurons 200 --density 30 --format dense,csr --precision fp32 --tsv --backend cpu
ok "in fp32 it is larger, but small" eval 'cell error | all_are "x > 1e-9 && x < 1e-5"'
ok "and dense takes 4 bytes a pair" eval 'says "^dense.*0\.16"'

# ---- the papers' experiments ----

bench papers --figure levels-6,levels-13 --neurons 3,9 --method hines-flat --backend cpu -o papers.nc
ok "figures of the papers are measured" is $rc 0
ok "each shape has a table" [ "$(grep -cE '^(chain:256-512|rooted:[234]), fp64; median ms' out)" = 4 ]
ok "with the sizes asked for" says 'method +backend +3 +9 +B/comp'
ok "and only the figures asked for" eval '! says hines-3 && ! says levels-7'
ok "a figure says where it is in a paper, and how long it takes" \
    eval "says '^levels-6 \(multi-morphology, Fig\. 6\): ' && says 'about [0-9]+ s$'"
ok "the file is complete" eval "says 'wrote papers.nc' && [ -s papers.nc ] &&
    [ ! -e papers.nc.partial ]"
ncdump -h papers.nc >header 2>&1
holds() { grep -qF -- "$1" header; }
ok "its variables have units and meanings" eval "holds 'seconds_median:units = \"s\"' &&
    holds 'copy_bandwidth:units = \"byte s-1\"' && holds 'residual:long_name'"
ok "it tells date, command and host" eval "holds 'Z: bosc-bench papers --figure' &&
    holds ':host = '"
ok "each measurement is a row of it" holds 'measurement = 16 ;'
bench papers --figure hines-5 --quick --backend cpu
ok "a sweep of blocks has a line for each, and what it is compared with once" eval "is $rc 0 &&
    [ \"\$(grep -cE '^hines-block (32|64) +cpu' out)\" = 4 ] &&
    [ \"\$(grep -cE '^hines +ref' out)\" = 2 ]"
bench papers --figure hines,thesis-600 --list --backend cpu
ok "a word before a dash is all its figures, a whole name one" \
    is "$rc $(awk '/^[a-z]+-/ { printf "%s ", $1 }' out)" "0 hines-3 hines-5 hines-6 hines-layout thesis-600 "
ok "a list has the time of all" says '^all of these +[0-9]+ s$'
bench papers --figure levels-9 --list --backend cuda --threads 16
ok "it can be asked for a GPU where there is none" eval "is $rc 0 && says '^levels-9 +[0-9]+ s'"
bench papers --list --backend cuba
ok "but not for what nobody has" eval "is $rc 2 && warns \"--backend cuba: unknown; did you mean 'cuda'\""
bench papers --figure levels-12 --quick --backend ref
ok "a figure of other backends is left out" eval "is $rc 0 && says 'levels-12: left out'"
bench papers --list --backend cpu
figures=$(awk '/^[a-z]+-/ || /^formats/ { print $1 }' out)
bench papers --quick --backend cpu --threads 2 -o all.nc
ok "all figures can be measured with few neurons" is $rc 0
for figure in $figures; do
    ok "$figure has results" eval "ncdump -v figure all.nc | grep -q '\"$figure\"'"
done
ok "no method's results are wrong" eval "! ncdump -v why_not all.nc | grep -q 'are wrong'"

python=$(find_python netCDF4 matplotlib)
plot() {
    MPLCONFIGDIR=$work timeout 300 "$python" "$BOSC_SRC/bench/plot-bench" "$@" \
        >out 2>err </dev/null
}
plot_refuses() { ! plot "${@:2}" && warns "^plot-bench: .*$1"; }
if [ -z "$python" ]; then
    skip "python3-netcdf4 or python3-matplotlib is not installed"
else
    plot all.nc -o figure --figure hines-3,hines-5,formats,memory
    ok "plot-bench draws figures, in two formats" eval '[ -s figure-hines-3.png ] &&
        [ -s figure-hines-5.svg ] && [ -s figure-formats.svg ] &&
        [ ! -e figure-levels-12.png ] && [ -s figure-memory.svg ]'
    plot papers.nc -o each --format svg
    ok "by default each" eval '[ -s each-levels-6.svg ] && [ -s each-levels-13.svg ]'
    ok "a figure that is not there is refused with those that are" \
        plot_refuses '--figure mine: the files have .*hines-3' all.nc --figure mine
    for text in neurons compartments/s hines-block big-high; do
        ok "which show $text" grep -q "$text" figure-hines-3.svg
    done
    cp list.tsv list.nc
    ok "what is no result is refused" plot_refuses 'cannot be read as netCDF' list.nc
    ok "so is a format it cannot draw" plot_refuses 'format gif: it is png' papers.nc --format gif

    table() { timeout 300 "$python" "$BOSC_SRC/bench/papers-table" "$@" >out 2>err </dev/null; }
    table all.nc
    ok "papers-table says what was measured of each claim" eval "says '^\\| hines-3a \\| [0-9.]+' &&
        says '^\\| levels-7c \\| [0-9.]+ times' && says '^\\| hines-5 \\| small-high (32|64) \\(slowest'"
    sed -n 's/^| \([a-z0-9-]*\) |.*/\1/p' out >claims
    while IFS= read -r claim; do
        ok "PAPERS.md has the claim $claim" grep -q "^| $claim |" "$BOSC_SRC/PAPERS.md"
    done <claims
    printf '%s\n' '| claim | CPU | GPU |' '| --- | --- | --- |' '| hines-3a | - | 7 |' '| other | - | 8 |' >page.md
    table all.nc --fill page.md
    ok "it fills the column of a page, and leaves the rest" eval "grep -qE '^\\| hines-3a \\| [0-9.].* \\| 7 \\|$' page.md &&
        grep -qF '| other | - | 8 |' page.md"
    ok "a page without such a column is refused" eval '! table all.nc --fill list.tsv &&
        warns "^papers-table: list.tsv: has no table with a column"'
fi

# ---- a series of runs ----

overlap() {
    timeout 300 python3 "$BOSC_SRC/bench/overlap" --bosc "$BOSC" --mpiexec "$MPIEXEC" "$@" \
        >out 2>err </dev/null
}
if [ -n "${MPIEXEC:-}" ] && find_python json >found && [ -s found ]; then
    overlap --ranks 1,2 --neurons 20 --delay 1,4 --tstop 10 --repeat 1 --tsv
    ok "a series of runs has each number of ranks" is "$(cell ranks | sort | uniq -c | xargs)" "2 1 2 2"
    ok "and says how much of the exchange was hidden" \
        eval 'cell hidden_percent | all_are "x >= 0 && x <= 100"'
    ok "with the time of each loop" eval 'cell loop_s | all_are "x > 0"'
    overlap --voltages --ranks 2 --neurons 20 --tstop 2 --repeat 1 --tsv
    ok "of voltages, too, and how much can be hidden" eval \
        'cell hidden_percent | all_are "x >= 0 && x <= 100" && cell most_percent | all_are "x > 0 && x <= 100"'
    ok "a run that fails ends it" eval "! overlap --neurons 20 --backend none && warns '^overlap: .*exit code'"
else
    skip "MPI or Python is not here"
fi

# ---- refusals: SENTENCE, EXIT CODE, MESSAGE, ARGUMENTS... ----

refuses() {
    bench "${@:4}"
    ok "$1: exit code $2" is $rc "$2"
    ok "$1: says why" warns "^bosc-bench( [a-z]+)?: .*$3"
}
bench
ok "without a command it shows its usage" eval "is $rc 2 && warns '^usage: bosc-bench COMMAND'"
refuses "a mistyped command" 2 "did you mean 'solve'" sovle
refuses "an option before the command" 2 "'--shape' is not a command; the commands are solve, " --shape mix
refuses "a small block" 2 "--block 31: .* from 32 to 512" solve --block 31
: >empty.tsv
refuses "a list of nothing" 65 "empty.tsv has no row" solve --shape empty.tsv
refuses "a mistyped class" 2 "--shape big-hig: .*did you mean 'big-high'" \
    solve --shape big-hig
refuses "an unknown shape" 2 "--shape round: .*small-low" solve --shape round
refuses "a chain of words" 2 "--shape chain:x: .*chain:512" solve --shape chain:x
refuses "a chain of nothing" 2 "chain:0: give" solve --shape chain:0
refuses "a range the wrong way round" 2 "chain:9-5: give" solve --shape chain:9-5
refuses "a range without an end" 2 "chain:5-: give compartments from 1 to 134217728" \
    solve --shape chain:5-
refuses "a chain of no number" 2 "chain:: give" solve --shape chain:
refuses "levels in words" 2 "levels:x: give levels from 1 to 9, as in levels:3" \
    solve --shape levels:x
refuses "a root alone" 2 "rooted:1: give levels from 2 to 8" solve --shape rooted:1
refuses "a tree too small" 2 "tree:4-9: give compartments from 5 to" solve --shape tree:4-9
refuses "no levels" 2 "levels:0: give" solve --shape levels:0
refuses "a word behind a shape" 2 "--shape mix5: .*did you mean 'mix'" solve --shape mix5
refuses "too many levels" 2 "levels:44: .*1 to 9" solve --shape levels:44
refuses "a missing list" 65 "none.tsv: No such file" solve --shape none.tsv
refuses "a mistyped method" 2 "--method hinse: .*did you mean 'hines'" \
    solve --method hinse
refuses "a method of another backend" 2 "--method depth-first: unknown to backend ref; available: hines" \
    solve --method depth-first --backend ref
refuses "the name of a method of before" 2 "--method stream: method 'stream' is now called 'depth-first'" \
    solve --method stream
refuses "the name of a family of before" 2 "'levels-cp' is now called 'level-schedule-cp'" \
    solve --method levels
refuses "a backend that does not multiply" 2 "--backend ref: unknown; available: all, cpu" \
    spmv --backend ref
refuses "an unknown backend" 2 "--backend gpu: unknown; available: all, cpu" \
    solve --backend gpu
refuses "a word for a number" 2 "--neurons many: not a whole number" \
    solve --neurons many
refuses "a hole in a list" 2 "--neurons : not a whole number" solve --neurons 5,,6
refuses "no neurons" 2 "--neurons 0: not a whole number from 1" solve --neurons 0
refuses "too few repeats" 2 "--repeat 6: .* from 7" solve --repeat 6
refuses "no threads" 2 "--threads 0: .* from 1" solve --threads 0
refuses "a precision" 2 "--precision fp16: .*fp64, fp32" solve --precision fp16
refuses "a mistyped option" 2 "--neuron.*: no such option.*'--neurons'" solve --neuronss 5
refuses "a mistyped format" 2 "--format elpack: .*did you mean 'ellpack'" spmv --format elpack
refuses "a density" 2 "--density 101: .*at most 100" spmv --density 101
refuses "a row longer than the matrix" 2 "--row 60: there are only 50" spmv --neurons 50 --row 60
refuses "a matrix too large" 2 "--neurons 900000: not a whole number from 1 to 200000" \
    spmv --neurons 900000
refuses "a matrix that does not fit" 71 "entries needs about .* GB" spmv --neurons 200000 --density 100
refuses "a word too many" 2 "unexpected argument '7'; see bosc-bench solve --help" solve 7
refuses "a method of chains that is named, for trees" 65 "thomas-batch-flat, cpu: tree 0 has branches" \
    solve --method thomas-batch-flat --backend cpu --neurons 2
refuses "an unknown figure" 2 "--figure level: .*did you mean 'levels'" \
    papers --figure level
refuses "an option of the other benchmark" 2 "--shape: no such option.*bench papers" \
    papers --shape mix
refuses "an output in no folder" 73 "none/x.nc: there is no folder" papers -o none/x.nc
refuses "an output over another file" 73 "list.tsv: there is a file of another kind" \
    papers -o list.tsv
refuses "more than the memory holds" 71 "--neurons 900000000: .* need about .* free" \
    solve --neurons 900000000
if "$BOSC_BENCH" solve --backend cuda --neurons 1 >out 2>&1; then
    skip "there is a GPU"
else
    ok "without a GPU, asking for one is an error that says what is missing" \
        says 'bosc-bench solve: .*CUDA'
fi
PMI_SIZE=3 bench spmv
ok "several ranks are refused" eval "is $rc 2 && warns 'one of 3 ranks'"

bench --help
ok "--help lists the commands" eval "is $rc 0 && says '^  solve ' && says '^  tune '"
bench help loop
ok "and 'help loop' shows the options of one" eval "is $rc 0 && says '^usage: bosc-bench loop'"
bench papers --help
ok "papers has options of its own" eval "is $rc 0 && says '--figure NAME' && ! says --shape"
bench spmv --help
ok "so has spmv" eval "is $rc 0 && says '--density P'"
bench solve --help
ok "so has solve" eval "is $rc 0 && says '--shape SHAPE' && ! says --figure"
done_testing
