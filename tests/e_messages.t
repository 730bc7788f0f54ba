#!/bin/bash
# e_messages.t - slips on the command line and around it: what is said, and how
# to go on.
set -u
. "${BOSC_SRC:-$(dirname "$0")/..}/tests/tap.sh"
export OMP_WAIT_POLICY=passive

work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
diagnose="cat out"

bosc() {
    timeout 60 "$BOSC" "$@" >out 2>&1 </dev/null
    rc=$?
}
says() { grep -qE -- "$1" out; }
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
refuses "an option like no other" 2 'run --help' run --frobnicate demo.yaml
refuses "an option without its value" 2 'needs a value' run demo.yaml --set
refuses "a value where there is none" 2 'takes no value' run demo.yaml --quiet=1
refuses "a mistyped job" 1 "No such file.*mean 'demo.yaml'" run dmeo.yaml
refuses "a job without its ending" 1 "mean 'demo.yaml'" run demo
refuses "a job with the other ending" 1 "mean 'jobs/other.yml'" run jobs/other.yaml
refuses "a job like no other" 1 'check the path' run nowhere.yaml
refuses "a folder of jobs" 1 "folder|directory; .*such as './demo.yaml'" run .
refuses "a folder without a job" 1 'directory; name a file' run empty

# Nothing is printed in vain.
if [ -w /dev/full ]; then
    for command in --version --help "run --help" "run --help-keys" \
        "inspect --help" "generate --help" "generate --class medium-low" \
        "run demo.yaml --dry-run"; do
        # shellcheck disable=SC2086  # words
        timeout 60 "$BOSC" $command >/dev/full 2>out
        ok "'bosc $command' fails where its words are lost" is $? 1
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
    ok "OMP_NUM_THREADS=$threads is refused" is $rc 1
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
timeout 20 "$BOSC" run long.yaml >out 2>&1
ok "a large file of unknown keys is refused at once" says "long.yaml:1: unknown key 'key1'"
echo 'key77: 2' >>long.yaml
timeout 20 "$BOSC" run long.yaml >out 2>&1
ok "a key given twice in it is found at once" says \
    "long.yaml:190001: 'key77' is given twice, first on line 77"

# A megabyte of one bracket.  (libyaml's own documents take hours.)
for deep in '[' '{' '- ' 'a: {' '[a, ' '? ' '[[]' "- '"; do
    awk -v text="$deep" 'BEGIN { for (i = 0; i < 1000000; i += length(text)) printf "%s", text }' >deep.yaml
    timeout 20 "$BOSC" run deep.yaml >out 2>&1
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
    timeout 60 "${user[@]}" "$BOSC" run shut.yaml -o open/never.nc --dry-run >out 2>&1
    ok "a folder of cells that may not be read is told" says \
        "cells/shut/\*.swc': a folder cannot be read: Permission denied; check"
else
    skip "cannot become a user who may run bosc and not read a folder"
fi
done_testing
