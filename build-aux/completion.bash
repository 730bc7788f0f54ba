# completion.bash - what bash completes behind 'bosc' and 'bosc-bench'.
#
# All words are read from the program's own help, so they are those of the version
# that is called.  'make install' puts this file where bash-completion finds it in
# a system's prefix; for another one:
#     . PREFIX/share/bash-completion/completions/bosc
# shellcheck shell=bash disable=SC2207  # words without blanks

# Options in a help text, "LETTER NAME ARGUMENT" a line; "." where there is none.
_bosc_options() {
    sed -nE 's/^  +(-[A-Za-z])?,? *(--[a-z-]+)( ([^ ]+))?.*/.\1 \2 .\4/p'
}

# What one of them takes.
_bosc_takes() {
    _bosc_options | awk -v option="$1" \
        '$1 == "." option || $2 == option { print substr($3, 2) }'
}

# Names at the beginning of the lines of a list of commands.
_bosc_names() { sed -nE 's/^  ([a-z]+)  .*/\1/p'; }

# Keys that may be set; that of an entry of a list by the number of the first.
_bosc_keys() {
    awk '/^[][A-Za-z0-9_.]+(:.*)?  \(/ && !/  \((group|list|values)|DRAW|WHERE/ {
        sub(/[: ].*/, ""); sub(/\[\]/, ".0"); sub(/REGION/, "all"); print $0 "="
    }'
}

# Files that the usage in the first line of a help text asks for.
_bosc_files() {
    local IFS=$'\n' file
    # Where none fits, as of ~/ and $HOME/, bash completes itself.
    compopt -o filenames -o default 2>/dev/null
    for file in $(compgen -f -- "$2"); do
        case $1:$file in
        *.yaml*:*.yaml | *.yaml*:*.yml | *.nc*:*.nc) COMPREPLY+=("$file") ;;
        *.yaml*) [ ! -d "$file" ] || COMPREPLY+=("$file") ;;
        *) COMPREPLY+=("$file") ;;
        esac
    done
}

_bosc() {
    local bosc=$1 word=$2 before=$3 command=${COMP_WORDS[1]-} help words=
    COMPREPLY=()
    command -v -- "$bosc" >/dev/null || return 0

    if [ "$COMP_CWORD" = 1 ]; then
        words="$("$bosc" --help | _bosc_names) help --help --version"
    elif [ "$COMP_CWORD" = 2 ]; then
        case $command in
        help) words=$("$bosc" --help | _bosc_names) ;;
        mods) words=$("$bosc" mods --help | sed -nE 's/.*bosc mods ([a-z]+) .*/\1/p' | sort -u) ;;
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return 0
    fi

    case $command in
    mods) help=$("$bosc" "$command" "${COMP_WORDS[2]}" --help 2>/dev/null) ;;
    *) help=$("$bosc" "$command" --help 2>/dev/null) ;;
    esac
    # Of '--output=my' bash makes three words.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
    -*) before=$(_bosc_takes "$before" <<<"$help") ;;
    *) before= ;;
    esac
    case $before:$word in
    KEY=VALUE:*)
        compopt -o nospace 2>/dev/null
        words=$("$bosc" run --help-keys | _bosc_keys)
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        ;;
    FILE:* | DIR:*) _bosc_files "$before" "$word" ;;
    :-*)
        words=$(_bosc_options <<<"$help" | awk '{ print $2 }')
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        ;;
    :*) _bosc_files "$(head -n 1 <<<"$help")" "$word" ;;
    esac
}
complete -F _bosc bosc bosc-bench
