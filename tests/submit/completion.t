#!/bin/bash
# completion.t - what bash and zsh complete behind 'bosc' and 'bosc-bench': the
# words of their help.
# shellcheck disable=SC2016,SC2207
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
own_folder
offered_words() { printf '%s\n' "${COMPREPLY[@]-}"; }
diagnose=offered_words
mkdir folder
touch my.yaml other.yml my.nc cells.swc
PATH=$BOSC_BUILD:$PATH
# shellcheck source=/dev/null
. "$BOSC_SRC/build-aux/completion.bash"

# complete_words WORDS...: as if TAB were hit behind the last of them, which
# follow 'program'.
program=bosc
complete_words() {
    COMP_WORDS=("$program" "$@")
    COMP_CWORD=$#
    local before=$program
    [ $# = 1 ] || before=${COMP_WORDS[COMP_CWORD - 1]}
    _bosc "$program" "${COMP_WORDS[COMP_CWORD]}" "$before" 2>err
}
offers() { is "$(printf '%s\n' "${COMPREPLY[@]-}" | sort | tr '\n' ' ')" "$1 "; }
has() { printf '%s\n' "${COMPREPLY[@]-}" | grep -qxF -- "$1"; }

complete_words ''
ok "all commands are offered" is \
    "$(printf '%s\n' "${COMPREPLY[@]}" | grep -vE '^(help|--.*)$' | sort)" \
    "$("$BOSC" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | sort)"
complete_words pl
ok "a command is completed" has plan
complete_words help su
ok "also behind 'help'" offers submit
for command in $("$BOSC" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    words=("$command")
    [ "$command" != mods ] || words+=(check)
    complete_words "${words[@]}" --
    ok "all options of '${words[*]}' are offered" is \
        "$(printf '%s\n' "${COMPREPLY[@]-}" | sort)" \
        "$("$BOSC" "${words[@]}" --help | grep -oE '^  +(-[A-Za-z], )?--[a-z-]+' | grep -oE -- '--.*' | sort)"
done
complete_words run --over
ok "an option is completed" offers --overwrite
complete_words mods b
ok "and what is done with mod files" offers build
complete_words run ''
ok "a run takes jobs, and folders with jobs" offers "folder my.yaml other.yml"
complete_words status ''
ok "a status also results" offers "folder my.nc my.yaml other.yml"
complete_words inspect c
ok "an inspection any file" offers cells.swc
complete_words run my.yaml -o my.n
ok "an option's file is completed" offers my.nc
complete_words run my.yaml --set check
ok "keys of a job are" eval 'has checkpoint.every= && has checkpoint.on_signal='
ok "but no groups, which have no value" eval '! has checkpoint='
complete_words run my.yaml --set clamps.0.am
ok "keys of an entry of a list are" offers "clamps.0.amplitude="
complete_words run my.yaml --set populations.0.regions.all.R
ok "and of a region" offers "populations.0.regions.all.Ra="
complete_words run my.yaml --output = my.n
ok "an option's file is completed behind '=', too" offers my.nc
complete_words run my.yaml --set =
ok "and a key" has tstop=
complete_words run my.yaml -s ts
ok "also behind a letter" offers "tstop="
complete_words plan my.yaml --threads ''
ok "a number is not" offers ''
complete_words nothing ''
ok "an unknown command offers files, and no message" eval '[ ! -s err ] && has my.nc'
program=bosc-bench
complete_words s
ok "commands of bosc-bench are completed" offers "solve spmv"
complete_words loop --ro
ok "so are their options" offers --rounds

if command -v zsh >/dev/null; then
    ok "the completion of zsh is sound" zsh -n "$BOSC_SRC/build-aux/completion.zsh"
    # The functions of zsh that it calls are told what it offers.
    cat >try.zsh <<'END'
fpath=(.)
_call_program() { shift; eval "$*" }
_describe() { # [-o | -t TAG] DESCRIPTION NAME
    case $1 in
    -o) shift ;;
    -t) shift 2 ;;
    esac
    (( $# <= 2 )) || print "too many words: $*"
    print -rl -- "${(P@)@[-1]}"
}
compset() { print -r -- "compset $*" }
compadd() { print -rl -- "${(P@)@[-1]}" }
_files() { print -r -- "files $*" }
_message() { print -r -- "message $*" }
words=("${@}") CURRENT=$#words
. "$BOSC_SRC/build-aux/completion.zsh"
END
    export BOSC_SRC
    program=bosc
    offered() { zsh -f ./try.zsh "$program" "$@" 2>&1; }
    ok "it offers the commands with what they do" eval 'offered "" | grep -qx "run:simulate the neurons of a job file"'
    ok "options" eval 'offered run -- | grep -q "^--overwrite:begin anew" && ! offered run -- | grep "too many"'
    ok "a file behind '='" eval 'offered run --output=m | grep -q "^files"'
    ok "commands of bosc-bench" eval 'program=bosc-bench; offered "" | grep -q "^spmv:"'
    program=bosc
    ok "keys" eval 'offered run my.yaml --set t | grep -qx "tstop="'
    ok "also of lists" eval 'offered run my.yaml --set c | grep -qx "clamps.0.amplitude="'
    ok "and job files" is "$(offered run '')" "files -g *.(yaml|yml)"
else
    skip "zsh is not installed"
fi
done_testing
