#!/bin/bash
# mods.t - 'bosc mods': which mod files are understood, why others are not, and
# the text made of one.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

own_folder
diagnose="cat out err"
mkdir mods empty
# names of built-in mechanisms are no names of others
sed 's/SUFFIX hh/SUFFIX hh2/' "$BOSC_SRC"/tests/unit/nmodl/mods/hh.mod >mods/hh.mod
cat >mods/bad.mod <<'END'
NEURON { SUFFIX bad NONSPECIFIC_CURRENT i }
BREAKPOINT {
    RESET
    i = j
}
END
cat >whole.mod <<'END'
NEURON { SUFFIX whole RANGE a NONSPECIFIC_CURRENT i }
INCLUDE "part.inc"
BREAKPOINT { i = a * v }
END
echo 'PARAMETER { a = 2.385 (uS) }' >part.inc

check() {
    timeout 300 "$BOSC" mods check "$@" >out 2>err </dev/null
    rc=$?
}
own_instances() { says '\.n_states = 2,' && ! says '\.plain = true'; }
told() { grep -qE -- "$1" err; }

check mods/hh.mod
ok "a file that is understood is accepted" is $rc 0
ok "with its kind" says '^mods/hh.mod: accepted: hh2, SUFFIX$'
ok "its parameters, units and RANGE" says '^  gnabar +0\.12 +S/cm2 +RANGE$'
ok "its states" says '^  states +m, h, n$'
ok "the key of a job that places it" says '^  in a job  populations\[\].regions$'
ok "its ions" says '^  ions +na: reads ena writes ina$'
check mods
ok "a folder has refused files" is $rc 65
ok "each problem has file, line and statement" says \
    "mods/bad.mod:3: 'RESET'"
ok "the second one of a file, too" says "mods/bad.mod:4: 'i = j': 'j' is not"
ok "the others are shown nevertheless" says '^mods/hh.mod: accepted'
ok "and counted" says '^1 of 2 files accepted$'
ok "one message says how many are refused" told '^bosc mods: 1 of 2 files'
sed 's/POINT_PROCESS ExpSyn/POINT_PROCESS Syn/' "$BOSC_SRC"/tests/unit/nmodl/mods/ExpSyn.mod >Syn.mod
check Syn.mod
ok "what events reach is a type of synapse" says '^  in a job  synapses\[\].type$'
check "$BOSC_SRC"/tests/science/mods/hold.mod
ok "what acts without events is a point process" says \
    '^  in a job  point_processes\[\].type$'
mkfifo pipe.mod
check pipe.mod
ok "a pipe is not waited for" says 'pipe.mod: cannot be read: it is no regular file'
check -q mods/hh.mod
ok "--quiet prints no tables" is "$(wc -l <out)" 2
check --tsv mods
ok "--tsv is a line a file" is "$(wc -l <out)" 3
ok "with the first problem" says \
    "^mods/bad.mod	no	bad	SUFFIX	2	3	RESET is not supported"
check whole.mod
ok "a file includes one beside it" says '^  a +2\.385 +uS +RANGE$'
check empty
ok "a folder without mod files is an error" told 'a folder without mod files'
mkdir two && cp mods/hh.mod two/a.mod && cp mods/hh.mod two/b.mod
check -q two
ok "the second file of a mechanism is refused" says \
    '^two/b.mod: mechanism hh2 is in two/a.mod, too; rename one'
ok "and counted" says '^1 of 2 files accepted$'
check no.mod
ok "a file that is missing is refused" says 'no.mod: cannot be read: No such'
"$BOSC" mods translate whole.mod >out 2>err
ok "a file that is understood is translated" is $? 0
ok "into functions of C" says '^BOSC_HD static inline void bosc_whole_constant\('
"$BOSC" mods translate mods/bad.mod >out 2>err
ok "one that is not has problems" is $? 65
ok "and no text" is "$(wc -c <out)" 0
syn=$BOSC_SRC/tests/unit/nmodl/mods/ExpSyn.mod
"$BOSC" mods translate mods/hh.mod >out 2>err
ok "with what GPUs call" says '^job_current_hh2\(const bosc_cuda_mech_args_hh2 \*of'
ok "and the lines that a function comes from" says \
    '^ \* from BREAKPOINT, line [0-9]+\. \*/$'
"$BOSC" mods translate "$syn" >out 2>err
ok "synapses whose effects add up share an instance" says '\.plain = true'
sed 's/g = g + weight/g = weight/' "$syn" >jump.mod
"$BOSC" mods translate jump.mod >out 2>err
ok "those that forget the last event do not" own_instances
sed 's/g = g + weight/g = g * 0.5 + weight/' "$syn" >half.mod
"$BOSC" mods translate half.mod >out 2>err
ok "nor those that it changes" own_instances
sed "s|g' = -g / tau|g' = -g * g / tau|" "$syn" >bent.mod
"$BOSC" mods translate bent.mod >out 2>err
ok "nor those that decay by a curve" own_instances
sed 's/INITIAL { g = 0 }/INITIAL { g = 0.001 }/' "$syn" >begun.mod
"$BOSC" mods translate begun.mod >out 2>err
ok "nor those that begin with something" own_instances
printf '%s\n' 'NEURON { SUFFIX wide RANGE x }' 'STATE { x[2400] }' 'ASSIGNED { v }' \
    'BREAKPOINT { SOLVE s METHOD cnexp }' 'DERIVATIVE s { FROM i = 0 TO 2399 { x[i] = x[i] } }' >wide.mod
"$BOSC" mods check wide.mod >out 2>err
ok "what a job has no room for is refused here" says 'has 2400 states'
electrode() {
    printf '%s\n' "NEURON { $1 poke ELECTRODE_CURRENT i RANGE amp }" \
        'PARAMETER { amp = 1 (nA) }' 'ASSIGNED { v t i (nA) }' \
        'BREAKPOINT { IF (t > 1) { i = amp } }' "$2" >poke.mod
    "$BOSC" mods translate poke.mod >out 2>err
}
electrode POINT_PROCESS ''
ok "the current of an electrode is known as that" says '"i", "nA", .*, true, false, false\}'
electrode SUFFIX ''
ok "that of a density is membrane current" eval "! says ', true, false, false}'"
electrode POINT_PROCESS 'NET_RECEIVE(w) { amp = w }'
ok "so is that of one that receives events" eval "! says ', true, false, false}'"
check -q "$BOSC_SRC"/tests/unit/nmodl/mods/hold.mod
ok "net_event gives a warning" says 'net_event has no effect: spikes are detected'
"$BOSC" mods >out 2>err
ok "what is to be done must be said" is $? 2
"$BOSC" mods --help >out 2>err
ok "there is help" says 'usage: bosc mods check'
ok "of each" says 'bosc mods translate FILE'
done_testing
