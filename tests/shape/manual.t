#!/bin/bash
# manual.t - the manual pages tell what the programs' --help tells.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# The text between '.Ss PROGRAM COMMAND' and the next heading.
part() { sed -n "/^\.Ss $name $1\$/,/^\.S[sh] /{p;}" "$page"; }

# Options that the page explains: each in a list, or, where they are many like
# those of another command, also in a sentence.
explained() {
    part "$1" | if [ "$name" = bosc ]; then grep -E '^\.It '; else cat; fi |
        grep -oE 'Fl Fl [a-z-]+' | sed 's/Fl Fl /--/' | sort -u
}

# Options of the help that the page does not explain, and the other way round.
differing() {
    comm -3 <("$program" "$1" --help |
        grep -oE -- '^ +(-[a-zA-Z], )?--[a-z][a-z-]*' | grep -oE -- '--.*' |
        grep -vx -- --help | sort -u) <(explained "$1" | grep -vx -- --help)
}

# check_page PROGRAM PAGE
check_page() {
    local program=$1 page=$2 name=${1##*/} commands command
    commands=$("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
    report "$name lists its commands" "$([ -n "$commands" ] || echo none)"
    for command in $commands; do
        report "the page and '$name $command --help' have the same options" \
            "$(differing "$command")"
    done
    report "the page of $name shows each command in its synopsis" "$(
        for command in $commands; do
            sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' "$page" |
                grep -qx "\.Cm $command" || echo "$command"
        done
    )"
}

check_page "$BOSC" "$BOSC_SRC/src/bosc.1"
check_page "$BOSC_BENCH" "$BOSC_SRC/bench/bosc-bench.1"
report "NEWS begins with the version that the program tells" "$(
    version=$("$BOSC" --version)
    [ "## ${version#bosc }" = "$(grep -m 1 '^## ' "$BOSC_SRC/NEWS.md")" ] ||
        echo "$version"
)"
ok "bosc-bench tells the same version" is "$("$BOSC_BENCH" --version)" \
    "bosc-bench $("$BOSC" --version | sed 's/^bosc //')"
done_testing
