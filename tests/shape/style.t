#!/bin/bash
# style.t - the style of CONTRIBUTING.md, as far as a program can see it.
set -u
export LC_ALL=C
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
cd "$BOSC_SRC" || exit 1

in_checkout() { [ -e .git ] && git ls-files >/dev/null 2>&1; }

# In a checkout the files under version control, in a tarball all it has.
files() {
    if in_checkout; then
        git ls-files "$@" | while IFS= read -r file; do
            [ ! -f "$file" ] || echo "$file"
        done
    else
        find . -type d \( -name .git -o -name 'build*' -o -name '_*' -o -name 'autom4te*' \) \
            -prune -o -type f -print | sed 's,^\./,,' |
            grep -vxE 'aclocal\.m4|configure|config\.h\.in|Makefile(\.in)?|kernels/(mech/|gpu/device/cuda_(cells_|group_)?)builtin\.h' |
            matching "$@"
    fi
}

# Lines that match one of the patterns of git; '*' goes over slashes.
matching() {
    [ $# -gt 0 ] || set -- '*'
    local line pattern
    while IFS= read -r line; do
        for pattern; do
            # shellcheck disable=SC2254  # it is a pattern
            case $line in $pattern) echo "$line" && break ;; esac
        done
    done
}

c_files() { files '*.c' '*.h' '*.cu'; }
texts() { files | grep -v "^tests/fuzz/\(corpus\|found\)/" | tr '\n' '\0' | xargs -0 -r grep -lI '' /dev/null; }
shell_scripts() {
    files | tr '\n' '\0' | xargs -0 -r awk \
        'FNR == 1 && /^#!.*[\/ ](ba|da)?sh( |$)/ { print FILENAME }'
}

# over COMMAND...: run it with the names on standard input as its arguments.
over() { tr '\n' '\0' | xargs -0 -r "$@"; }

# The C code without comments and texts, as FILE:LINE:CODE.
code() {
    # shellcheck disable=SC2016  # awk, not shell
    c_files | over awk '
        FNR == 1 { inside = 0 }
        {
            line = $0
            gsub(/\\./, "", line)
            gsub(/"[^"]*"/, "\"\"", line)
            if (inside && !sub(/^.*\*\//, "", line)) next
            inside = 0
            gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
            sub(/\/\/.*/, "", line)
            if (sub(/\/\*.*/, "", line)) inside = 1
            print FILENAME ":" FNR ":" line
        }'
}

# Functions begin with a brace in the first column, and end with one.
long_functions() {
    c_files | over awk '
        /^{/ { start = FNR }
        /^}/ && start {
            if (FNR - start - 1 > (FILENAME ~ /^(tests|bench)\// ? 80 : 60))
                print FILENAME ":" start ": " FNR - start - 1 " lines"
            start = 0
        }'
}

many_arguments() {
    code | awk -F: '
        # Commas of the outermost brackets: a function may be an argument.
        function commas(text,    depth, n, i, c) {
            for (i = 1; i <= length(text); ++i) {
                c = substr(text, i, 1)
                depth += (c == "(") - (c == ")")
                n += c == "," && depth == 1
            }
            return n
        }
        { file = $1; number = $2; sub(/^[^:]*:[^:]*:/, "") }
        /^[a-zA-Z_].*\(/ && !/^(#|typedef|else|return|__)/ { text = ""; at = number }
        at { text = text $0 }
        at && /[{;]/ {
            sub(/__attribute__.*/, "", text)
            sub(/BOSC_PRINTF.*/, "", text)
            sub(/, *bosc_error \*[a-z]*\)/, ")", text)
            if (text !~ /=/ && commas(text) > 5)
                print file ":" at ": " commas(text) + 1 " arguments"
            at = 0
        }'
}

# Headers that are included several times on purpose say so.
unguarded() {
    files '*.h' | while IFS= read -r file; do
        guard=BOSC_$(echo "$file" | tr 'a-z/.-' 'A-Z___')
        grep -q '^ \* Included by .* for each' "$file" ||
            { grep -qx "#ifndef $guard" "$file" &&
                grep -qx "#define $guard" "$file"; } ||
            echo "$file: guard is not $guard"
    done
}

# A first comment of the form "NAME.c - what it is" has the name of its file.
misnamed() {
    # shellcheck disable=SC2016  # awk, not shell
    files | grep -v '^tests/fuzz/\(corpus\|found\)/' | over awk '
        FNR > 3 { nextfile }
        match($0, /^(\/\*|#) [A-Za-z0-9_-]+\.[a-z]+ - /) {
            split($0, word, " ")
            name = FILENAME
            sub(/.*\//, "", name)
            if (word[2] != name) print FILENAME ": its head names " word[2]
        }'
}

# Source files that comments and documents name, but nobody has or makes.  Names of
# system headers are those that some file includes in <>; a test NAME.t may be
# compiled from NAME.c; NAME and * stand for any name.
unknown_names() {
    {
        files '*.c' | sed -n 's,.*/,,; s/\.c$/.t/p'
        files | sed 's,.*/,,'
        # made when bosc is built
        printf '%s\n' builtin.h cuda_builtin.h cuda_cells_builtin.h cuda_group_builtin.h
        c_files | over sed -n 's,^# *include <\(.*/\)*\(.*\)>.*,\2,p'
    } >"$scratch/names"
    # shellcheck disable=SC2016  # awk, not shell
    files '*.c' '*.h' '*.cu' '*.md' '*.sh' '*.t' '*.mk' quickstart 'jobs/*' \
        bench/plot-bench bench/select/fit-selection |
        grep -vxE 'NEWS\.md|tests/shape/.*|tests/fuzz/(corpus|found)/.*' |
        over awk -v names="$scratch/names" '
        BEGIN { while ((getline name <names) > 0) known[name] = 1 }
        function is_known(word,    name) {
            if (word in known || word ~ /NAME/) return 1
            if (word !~ /\*/) return 0
            gsub(/\./, "\\.", word)
            gsub(/\*/, ".*", word)
            for (name in known) if (name ~ "^" word "$") return 1
            return 0
        }
        FNR == 1 { inside = 0; c = FILENAME ~ /\.(c|h|cu)$/; md = FILENAME ~ /\.md$/ }
        {
            text = md ? $0 : ""
            if (!md && !c && match($0, /^ *# /)) text = $0
            if (c && (inside || match($0, /\/\*|\/\//))) {
                text = inside ? $0 : substr($0, RSTART)
                inside = text !~ /\*\//
                if (text ~ /^\/\//) inside = 0
            }
            while (match(text, /[A-Za-z0-9_*.-]+\.(c|h|cu|py|t)([^A-Za-z0-9_(.*]|\.?$|\. )/)) {
                word = substr(text, RSTART, RLENGTH)
                sub(/[^A-Za-z]+$/, "", word)
                text = substr(text, RSTART + RLENGTH)
                if (!is_known(word)) print FILENAME ":" FNR ": there is no " word
            }
        }'
}

calls() {
    code | grep -E "(^|[^A-Za-z0-9_])($1)[[:space:]]*\("
}

unformatted() {
    c_files | while IFS= read -r file; do
        clang-format --dry-run --Werror "$file" >/dev/null 2>&1 || echo "$file"
    done
}

# The list that make dist packs, against what is under version control.
not_packed() {
    make -s -C "$BOSC_BUILD" print-dist-files 2>/dev/null | sort -u >"$scratch/packed"
    files | grep -v '^\.gitignore$' | sort | comm -23 - "$scratch/packed"
}

# What a test lacks is said in words: a user has no such folders.
skips_naming_folders() {
    files 'tests/*.t' 'tests/*.c' | grep -vx tests/shape/style.t | over grep -nE \
        'skip(_all)?[ (]"[^"]*(shared|morphologies-|\.\./|[$](folder|real|neuron|shared|src)|no %s", (name|folder|path)|(in|reference) %s")'
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

report "there are C files to look at" "$([ -n "$(c_files)" ] || echo none)"
report "no function is longer than 60 lines, 80 in tests/ and bench/" "$(long_functions)"
report "no function has more than six arguments, err not counted" "$(many_arguments)"
report "no C file is longer than 600 lines" \
    "$(c_files | over awk 'FNR == 601 { print FILENAME }')"
report "no line of C is wider than 80 columns" \
    "$(c_files | over awk 'length > 80 { print FILENAME ":" FNR }')"
report "there are no tabs in C" "$(c_files | over grep -n "$(printf '\t')" /dev/null)"
report "no line ends in blanks" "$(texts | over grep -nE '[[:blank:]]+$' /dev/null)"
report "every header is guarded by its own name" "$(unguarded)"
report "random numbers do not come from the system" \
    "$(calls 's?rand|rand_r|s?random|[dlm]rand48|getrandom')"
report "results know no clock of the day" "$(calls 'gettimeofday|srand48')"
report "only program.c ends a program, and what looks at a file in a process of its own that one" \
    "$(calls '_?exit|quick_exit|_Exit' | grep -vE '^(src/cli/program\.c|src/io/result_look\.c|tests/)')"
report "a file whose head names a file names itself" "$(misnamed)"
report "comments and documents name files that exist" "$(unknown_names)"
report "nothing is left to do in a comment" \
    "$(texts | grep -vx 'tests/shape/style.t' | over grep -nwE 'TODO|FIXME|XXX|HACK' /dev/null)"

report "no reason to skip a test names a folder" "$(skips_naming_folders)"

case $(clang-format --version 2>/dev/null) in
*"version 14."*) report "clang-format would change nothing" "$(unformatted)" ;;
*) skip "clang-format 14 is not installed" ;;
esac
if command -v shellcheck >/dev/null; then
    report "shellcheck has nothing to say" "$(shell_scripts | over shellcheck -x -f gcc)"
else
    skip "shellcheck is not installed"
fi
if command -v mandoc >/dev/null; then
    report "the manual pages are clean mdoc" "$(files '*.[13]' | over mandoc -Tlint -Wwarning)"
else
    skip "mandoc is not installed"
fi
if in_checkout && [ -f "$BOSC_BUILD/Makefile" ]; then
    report "a tarball has every file" "$(not_packed)"
else
    skip "not a checkout, or no git to ask"
fi
done_testing
