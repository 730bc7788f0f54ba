#compdef bosc bosc-bench
# completion.zsh - what zsh completes behind 'bosc' and 'bosc-bench'.
#
# All words are read from the program's own help, so they are those of the version
# that is called.  'make install' puts this file, as _bosc, into a folder that
# must be in fpath.

# What 'bosc ARGUMENTS' prints.
_bosc_says() { _call_program words "${(q)words[1]}" "$@" 2>/dev/null }

# Keys that may be set; that of an entry of a list by the number of the first.
_bosc_keys() {
    awk '/^[][A-Za-z0-9_.]+(:.*)?  \(/ && !/  \((group|list|values)|DRAW|WHERE/ {
        sub(/[: ].*/, ""); sub(/\[\]/, ".0"); sub(/REGION/, "all"); print $0 "="
    }'
}

_bosc() {
    local -a names options
    local help argument usage option

    if (( CURRENT == 2 )); then
        names=(${(f)"$(_bosc_says --help | sed -nE 's/^  ([a-z]+)  +(.*)/\1:\2/p')"}
               'help:show the options of a command')
        _describe -t commands command names
        return
    fi
    if (( CURRENT == 3 )); then
        case $words[2] in
        help) names=(${(f)"$(_bosc_says --help | sed -nE 's/^  ([a-z]+)  +(.*)/\1:\2/p')"}) ;;
        mods) names=(${(fu)"$(_bosc_says mods --help | sed -nE 's/.*bosc mods ([a-z]+) .*/\1/p')"}) ;;
        esac
        if (( $#names )); then
            _describe -t commands command names
            return
        fi
    fi
    case $words[2] in
    mods) help=$(_bosc_says $words[2] $words[3] --help) ;;
    *) help=$(_bosc_says $words[2] --help) ;;
    esac
    option=$words[CURRENT-1]
    if [[ $words[CURRENT] == --*=* ]]; then
        option=${words[CURRENT]%%=*}
        compset -P '*='
    fi
    argument=$(print -r -- $help | sed -nE 's/^  +(-[A-Za-z])?,? *(--[a-z-]+)( ([^ ]+))?.*/.\1 \2 \4/p' |
        awk -v option="$option" '$1 == "." option || $2 == option { print $3 }')
    usage=${help%%$'\n'*}
    [[ $option == -* ]] || argument=
    if [[ $argument == 'KEY=VALUE' ]]; then
        names=(${(f)"$(_bosc_says run --help-keys | _bosc_keys)"})
        compadd -S '' -a names
    elif [[ -n $argument && $argument != (FILE|DIR) ]]; then
        _message $argument
    elif [[ -z $argument && $words[CURRENT] == -* ]]; then
        options=(${(f)"$(print -r -- $help | sed -nE 's/^  +(-[A-Za-z])?,? *(--[a-z-]+)( [^ ]+)?  +(.*)/\2:\4/p')"})
        _describe -o option options
    elif [[ -z $argument && $usage == *.nc*.yaml* ]]; then
        _files -g '*.(yaml|yml|nc)'
    elif [[ -z $argument && $usage == *.yaml* ]]; then
        _files -g '*.(yaml|yml)'
    else
        _files
    fi
}

_bosc "$@"
