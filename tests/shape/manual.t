#!/bin/bash
# manual.t - the manual page tells what the program's --help tells.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
page=$BOSC_SRC/src/bosc.1

# The text between '.Ss bosc COMMAND' and the next heading.
part() { sed -n "/^\.Ss bosc $1\$/,/^\.S[sh] /{p;}" "$page"; }

# The help of a command, and of the benchmarks with that of 'bench'.
help_of() {
    "$BOSC" "$1" --help
    [ "$1" != bench ] || "$BOSC" bench --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' |
        while read -r name; do "$BOSC" bench "$name" --help; done
}

# Options of the help that the page does not explain, and the other way round.
differing() {
    comm -3 <(help_of "$1" | grep -oE -- '--[a-z]+[a-z-]*' |
        grep -vx -- --help | sort -u) \
        <(part "$1" | grep -oE '^\.It .*' | grep -oE 'Fl Fl [a-z-]+' |
            sed 's/Fl Fl /--/' | sort -u)
}

commands=$("$BOSC" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
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
    version=$("$BOSC" --version)
    [ "## ${version#bosc }" = "$(grep -m 1 '^## ' "$BOSC_SRC/NEWS.md")" ] ||
        echo "$version"
)"
done_testing
