#!/bin/bash
# messages.t - slips on the command line and around it: what is said, and how
# to go on.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
diagnose="cat out"

bosc() {
    timeout 300 "$BOSC" "$@" >out 2>&1 </dev/null
    rc=$?
}
# SENTENCE, EXIT CODE, MESSAGE, ARGUMENTS...
refuses() {
    bosc "${@:4}"
    ok "$1: refused" is $rc "$2"
    ok "$1: with the remedy" says "$3"
}

cat >demo.yaml <<'END'
tstop: 1
populations:
  - {name: made, synthetic: {compartments: 31, sections: 15},
     regions: {all: {pas: {}}}}
probes: [{name: soma, interval: 2}]
END
mkdir jobs empty cells
cp demo.yaml jobs/other.yml

# Names of options and files.
refuses "a mistyped option of run" 2 "'--dry-run'" run --dryrun demo.yaml
refuses "a mistyped option of inspect" 2 "'--strict'" inspect --strct a.swc
refuses "a mistyped option of generate" 2 "'--sections'" generate --section3
refuses "a number of ranks" 2 'the launcher starts the ranks: mpiexec -n N bosc run JOB.yaml$' run --ranks 4 demo.yaml
refuses "the same, cut and behind the job" 2 'mpiexec -n 4' run demo.yaml --rank=4
refuses "threads" 2 '--threads: .*--set threads=N$' run --threads 2 demo.yaml
refuses "memory without its unit" 2 'memory 2: the unit is missing; write it such as 2GB$' plan --memory 2 demo.yaml
refuses "an option like no other" 2 'run --help' run --frobnicate demo.yaml
refuses "an option without its value" 2 'needs a value' run demo.yaml --set
refuses "an option with an empty value" 2 '--output: the value is empty; give FILE, or leave the option out' run demo.yaml -o ''
refuses "a value where there is none" 2 'takes no value' run demo.yaml --quiet=1
refuses "a mistyped job" 66 "No such file.*mean 'demo.yaml'" run dmeo.yaml
refuses "a job without its ending" 66 "mean 'demo.yaml'" run demo
refuses "a job with the other ending" 66 "mean 'jobs/other.yml'" run jobs/other.yaml
refuses "a job like no other" 66 'check the path' run nowhere.yaml
refuses "a folder of jobs" 66 "folder|directory; .*such as './demo.yaml'" run .
refuses "a folder without a job" 66 'directory; name a file' run empty

# Commands.
refuses "a mistyped command" 2 "^bosc: 'rum' is not a command; did you mean 'run'\?$" rum demo.yaml
ok "in one line" [ "$(wc -l <out)" = 1 ]
refuses "a command in capitals" 2 "did you mean 'run'" RUN demo.yaml
refuses "a command as an option" 2 "did you mean 'inspect'" --inspct demo.yaml
refuses "an option as a command" 2 "did you mean '--help'" hlep
refuses "help of a mistyped command" 2 "did you mean 'run'" help rum
bosc help plan
ok "help of a command is that of its option" eval "is $rc 0 && says '^usage: bosc plan'"
bosc help
ok "help alone lists the commands" eval "is $rc 0 && says '^  inspect  '"
ok "and says where problems are reported" is "$(tail -n 1 out)" "Report problems to $(reports)"
bosc help sweep
ok "help of a key lists its keys" eval "is $rc 0 && says '^sweep.grid ' && says '^sweep.zip ' && ! says '^probes'"
for word in $("$BOSC" run --help-keys | sed -n '/^[A-Za-z_].*  (.*)$/!d; s/  (.*//; s/: .*//; s/.*\.//; s/\[\]//; /^[A-Za-z_0-9]*$/p' | sort -u); do
    case $word in REGION | WHERE | DRAW) continue ;; esac
    bosc help "$word"
    [ $rc = 0 ] && grep -qE "(^|\.)$word(\[\])?(:|  \()" out || echo "$word"
done >unknown
ok "any word of a key's path has help" is "$(cat unknown)" ""
bosc help clamps.0.amplitude
ok "so has a path as --set takes it" eval "is $rc 0 && says '^clamps\[\].amplitude ' && [ $(grep -c '^[a-z]' out) = 1 ]"
bosc help ExpSyn
ok "and a mechanism" eval "is $rc 0 && says '^synapses\[\].tau: ' && ! says tau1"
bosc help soma
ok "and a region" eval "is $rc 0 && says 'REGION.hh.gnabar' && ! says discretisation"
refuses "help of nothing" 2 "nor in a key of a job .'bosc run --help-keys' lists these" help '[]'
refuses "ranks as an option" 2 'np 4: no such option; .*mpiexec -n 4 bosc run JOB.yaml' run demo.yaml -np 4
refuses "so with two dashes" 2 'mpiexec -n 16 bosc run JOB.yaml' run demo.yaml --np=16
refuses "a mistyped option of bosc" 2 "did you mean '--version'" --verison
refuses "a command like no other" 2 "; the commands are run, plan, submit, status, merge, inspect, import, generate, mods, devices, plot, report, calibrate$" frobnicate
refuses "a job without a command" 2 "did you mean 'bosc run demo.yaml'" demo.yaml
refuses "a morphology without a command" 2 "did you mean 'bosc inspect a.swc'" a.swc
refuses "a second job" 2 "unexpected argument 'jobs/other.yml'; give one JOB.yaml .keys: --set KEY=VALUE; several ranks: mpiexec -n RANKS bosc run JOB.yaml." run demo.yaml jobs/other.yml
refuses "a second job to plan" 2 "unexpected argument 'b'; give one JOB.yaml" plan demo.yaml b
refuses "a cut ending" 66 "mean 'demo.yaml'" run demo.yam

# Commands of earlier versions: they tell the new one, in one line, and become it.
became() { # CODE NEW USAGE
    is $rc "$1" && is "$(wc -l <err)" 1 && grep -qF "is now '$2';" err && says "$3"
}
former() {
    timeout 300 "$BOSC" "$@" >out 2>err </dev/null
    rc=$?
}
former bench spmv --help
ok "a benchmark is one of bosc-bench" became 0 'bosc-bench spmv' '^usage: bosc-bench spmv'
former help bench loop
ok "so is its help" became 0 'bosc-bench loop' '^usage: bosc-bench loop'
former bench --help
ok "and the list of these" became 0 'bosc-bench' '^usage: bosc-bench COMMAND'
former tune --help
ok "and tune" became 0 'bosc-bench tune' '^usage: bosc-bench tune'
former bench machine --help
ok "the machine's file has a command" became 0 'bosc calibrate' '^usage: bosc calibrate'
bosc bench solve --neurons 0
ok "the exit code is that of the new command" eval \
    "is $rc 2 && says '^bosc-bench solve: --neurons 0: '"
ln -s "$BOSC_BENCH" .
mkdir away && cp "$BOSC" away/
PATH=$work:$PATH timeout 300 away/bosc bench spmv --help >out 2>err </dev/null
rc=$?
ok "bosc-bench may also be in PATH" became 0 'bosc-bench spmv' '^usage: bosc-bench spmv'
rm bosc-bench
timeout 300 away/bosc tune >out 2>&1 </dev/null
rc=$?
ok "where it is not, the remedy is told" eval \
    "is $rc 69 && says 'neither in $work/away nor in PATH; .*make install'"
rm -r away

# Files of another kind.
"$BOSC" run demo.yaml -o result.nc --quiet
cp result.nc left.nc.partial
printf 'CDF\005\0\0' >classic.nc
printf '# a cell\n\n 1 1 0 0 0 6.5 -1\n2 3 0 106.5 0 0.75 1\n' >cells/a.swc
printf '\377\376t\0s\0' >wide.yaml
printf 't\0s\0t\0' >wider.yaml
printf '\037\213\010\0' >packed.yaml
netcdf="this is a netCDF file, perhaps a result of bosc, not"
for command in run plan; do
    for file in result.nc left.nc.partial classic.nc; do
        refuses "$file given to $command" 65 "^bosc $command: $file: $netcdf a job \(YAML in UTF-8\); 'ncdump -h' shows" $command $file
    done
    refuses "a morphology given to $command" 65 "^bosc $command: cells/a.swc: this is a morphology \(SWC\), not a job .*; 'bosc inspect'" $command cells/a.swc
    refuses "a job in UTF-16 given to $command" 65 'wide.yaml: this is text in UTF-16, .*; save it as UTF-8$' $command wide.yaml
    refuses "the same without its mark" 65 'wider.yaml: holds NUL characters; it should be a job' $command wider.yaml
    refuses "a compressed job given to $command" 65 'this is compressed, not a job .*; unpack it' $command packed.yaml
done
refuses "a result as machine" 65 "result.nc: $netcdf a machine's file" plan demo.yaml --machine result.nc
cp cells/a.swc a.txt
sed 's,synthetic: {[^}]*},morphologies: a.txt,' demo.yaml >list.yaml
refuses "a morphology as list" 65 'list.yaml:3: .*a.txt: this is a morphology \(SWC\), not a list' run list.yaml
refuses "a job given to inspect" 2 'demo.yaml is a job; list .* with --compartments, or draw one with --draw' inspect demo.yaml
refuses "a folder of cells" 65 '^bosc inspect: cells: is a folder; name its files: cells/\*.swc$' inspect cells
refuses "the same with a slash" 65 'cells/: is a folder; name its files: cells/\*.swc$' inspect cells/
refuses "a folder of such folders" 65 '\.: is a folder; name its files: ./\*/\*.swc' inspect .
mkdir 'd[x]'
cp cells/*.swc 'd[x]'
refuses "a folder named like a pattern" 65 'd\[x\]: is a folder; name its files: d\[x\]/\*.swc$' inspect 'd[x]'
refuses "a folder without cells" 65 'empty: is a folder without morphologies; name' inspect empty

# Another format under the ending of SWC, in a glob, a list and by name.
mkdir mixed
cp cells/a.swc mixed/
printf '("CellBody"\n  (CellBody)\n  (1 2 3 1)\n)\n' >mixed/b.swc
printf 'mixed/a.swc\nmixed/b.swc\n' >mixed.tsv
asc='mixed/b.swc: this is Neurolucida ASCII, not SWC; end its name in .asc'
for name in '"mixed/*"' mixed.tsv mixed/b.swc; do
    sed "s,synthetic: {[^}]*},morphologies: $name," demo.yaml >mixed.yaml
    refuses "a cell of Neurolucida, job with $name" 65 "^bosc run: $asc" run mixed.yaml
    refuses "the same, planned" 65 "^bosc plan: $asc" plan mixed.yaml
done
refuses "a cell of Neurolucida inspected" 65 "^bosc inspect: $asc" inspect mixed/*

# Nothing is printed in vain.
if [ -w /dev/full ]; then
    for command in --version --help "run --help" "run --help-keys" \
        "inspect --help" "generate --help" "generate --class medium-low" \
        "run demo.yaml --dry-run"; do
        # shellcheck disable=SC2086  # words
        timeout 300 "$BOSC" $command >/dev/full 2>out
        ok "'bosc $command' fails where its words are lost" is $? 74
        ok "and says so" says 'standard output: cannot'
    done
else
    skip "no /dev/full"
fi
bosc inspect nowhere.swc
ok "a table without rows has no titles" eval '! says samples'
bosc inspect --tsv nowhere.swc
ok "nor has one for programs" eval '! says samples'

# Threads.
for threads in 0 -1 abc 2.5 99999999999; do
    OMP_NUM_THREADS=$threads bosc run demo.yaml --dry-run
    ok "OMP_NUM_THREADS=$threads is refused" is $rc 65
    ok "in one line of bosc's" is "$(grep -c "^bosc run: OMP_NUM_THREADS=$threads" out)" 1
done
OMP_NUM_THREADS=3,2 bosc run demo.yaml --dry-run
ok "of a list of threads the first counts" says 'rank of 3 threads'
OMP_NUM_THREADS=0 bosc run demo.yaml --dry-run --set threads=2
ok "a job's own threads go before it" says 'rank of 2 threads'

# What is allowed, yet hardly meant.
bosc run demo.yaml --dry-run
ok "an interval longer than the run is told" says \
    '^warning: demo.yaml:5: interval: 2 ms is longer than tstop, 1 ms'
bosc run demo.yaml --dry-run --quiet
ok "but not to who wants errors only" [ ! -s out ]
bosc run demo.yaml --dry-run --set tstop=0.025
ok "one step is one step" says 'in 1 step of'

# 200,000 keys, of which none is known, and one is there twice.
seq -f 'key%.0f: 1' 190000 >long.yaml
timeout 300 "$BOSC" run long.yaml >out 2>&1
ok "a large file of unknown keys is refused at once" says "long.yaml:1: unknown key 'key1'"
echo 'key77: 2' >>long.yaml
timeout 300 "$BOSC" run long.yaml >out 2>&1
ok "a key given twice in it is found at once" says \
    "long.yaml:190001: 'key77' is given twice, first on line 77"

# A megabyte of one bracket.  (libyaml's own documents take hours.)
for deep in '[' '{' '- ' 'a: {' '[a, ' '? ' '[[]' "- '"; do
    awk -v text="$deep" 'BEGIN { for (i = 0; i < 1000000; i += length(text)) printf "%s", text }' >deep.yaml
    timeout 300 "$BOSC" run deep.yaml >out 2>&1
    ok "a megabyte of '$deep' is refused at once" says '^bosc run: deep.yaml:1: '
done
bosc run demo.yaml --set "name=$(head -c 100000 /dev/zero | tr '\0' '[')"
ok "so are brackets in --set" says 'more than 32 groups and lists are in each other'
bosc run demo.yaml --set "$(head -c 100000 /dev/zero | tr '\0' '[')=1"
ok "and in its path" says "the key's path is broken at character"

# A folder that may not be read, tried by who is not root.
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
mkdir -p cells/shut open
chmod 755 . cells
chmod 777 open
chmod 000 cells/shut
if "${user[@]}" "$BOSC" --version >/dev/null 2>&1 &&
    ! "${user[@]}" ls cells/shut >/dev/null 2>&1; then
    sed 's,synthetic: {[^}]*},morphologies: "cells/shut/*.swc",' demo.yaml >shut.yaml
    chmod 644 shut.yaml
    timeout 300 "${user[@]}" "$BOSC" run shut.yaml -o open/never.nc --dry-run >out 2>&1
    ok "a folder of cells that may not be read is told" says \
        "cells/shut/\*.swc': a folder cannot be read: Permission denied; check"
else
    skip "cannot become a user who may run bosc and not read a folder"
fi
mkdir "cells [v2]" && printf '1 1 0 0 0 10 -1\n' >"cells [v2]/point.swc"
printf 'tstop: 1\npopulations: [{name: c, morphologies: "cells [v2]/*.swc", regions: {all: {pas: {}}}}]\n' >brackets.yaml
bosc run brackets.yaml --dry-run
ok "a folder whose name has brackets may be in a pattern" eval "is $rc 0 && says '^  c  *1 neuron'"
done_testing
