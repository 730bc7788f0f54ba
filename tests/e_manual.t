#!/bin/bash
# e_manual.t - the manual page tells what the program's --help tells.
set -u
: "${BOSC_SRC:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${BOSC_BUILD:=$BOSC_SRC/build}"
bosc=$BOSC_BUILD/bosc
page=$BOSC_SRC/src/bosc.1
count=0

# report SENTENCE OFFENDERS
report() {
    count=$((count + 1))
    if [ -z "$2" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        printf '%s\n' "$2" | sed 's/^/# /'
    fi
}

# The text between '.Ss bosc COMMAND' and the next heading.
part() { sed -n "/^\.Ss bosc $1\$/,/^\.S[sh] /{p;}" "$page"; }

# Options of the help that the page does not explain, and the other way round.
differing() {
    comm -3 <("$bosc" "$1" --help | grep -oE -- '--[a-z]+[a-z-]*' |
        grep -vx -- --help | sort -u) \
        <(part "$1" | grep -oE '^\.It .*' | grep -oE 'Fl Fl [a-z-]+' |
            sed 's/Fl Fl /--/' | sort -u)
}

commands=$("$bosc" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
report "the program lists its commands" "$([ -n "$commands" ] || echo none)"
for command in $commands; do
    report "the page and 'bosc $command --help' have the same options" \
        "$(differing "$command")"
done
report "the page shows each command in its synopsis" "$(
    for command in $commands; do
        sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' "$page" |
            grep -qx "\.Cm $command" || echo "$command"
    done
)"
report "NEWS begins with the version that the program tells" "$(
    version=$("$bosc" --version)
    [ "## ${version#bosc }" = "$(grep -m 1 '^## ' "$BOSC_SRC/NEWS.md")" ] ||
        echo "$version"
)"
echo "1..$count"
