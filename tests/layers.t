#!/bin/bash
# layers.t - who may include what: the layers of CONTRIBUTING.md, by grep.
set -u
export LC_ALL=C
. "${BOSC_SRC:-$(dirname "$0")/..}/tests/tap.sh"

# HEADER, the sentence, and the files (glob patterns) that may include it.
rules=(
    'mpi\.h|only the files that talk to other ranks include mpi.h|src/comm.[ch] src/forest.[ch] src/run*.[ch] src/loop.[ch] src/gather.[ch] src/shapes.[ch] tests/m_*.c'
    'src/comm\.h|only those files use the communication layer|src/comm.c src/forest.[ch] src/run*.[ch] src/loop.[ch] src/gather.[ch] src/shapes.[ch] tests/m_*.c'
    'netcdf[a-z_]*\.h|only the store knows netCDF|src/store*.c tests/*.c'
    'yaml\.h|only the parameters know YAML|src/params*.c src/yaml*.[ch]'
    'cuda[a-z_]*\.h|only kernels know CUDA|kernels/*'
)

# FOLDER, and what its files may include in quotes (a pattern of egrep).
folders=(
    'kernels|kernels/.*|src/(status|mem)\.h|config\.h'
    'partition|partition/.*|src/(status|mem)\.h|config\.h'
    'src|(src|kernels|partition)/.*|config\.h'
    'tests|(tests|src|kernels|partition)/.*|config\.h'
)

# All includes under the current folder, as "FILE:LINE:HEADER" with the quotes
# or brackets kept.
includes() {
    find src kernels partition tests -name '*.[ch]' -o -name '*.cu' |
        sort | xargs -r grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null |
        sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*/:/'
}

matches_any() {
    local name=$1 pattern
    shift
    for pattern; do
        # shellcheck disable=SC2053,SC2254  # it is a pattern
        case $name in $pattern) return 0 ;; esac
    done
    return 1
}

# Lines of includes that break the rule.
breaks_rule() {
    local line patterns
    read -ra patterns <<<"$2"
    includes | grep -E ":[<\"]($1)[>\"]" | while IFS= read -r line; do
        matches_any "${line%%:*}" "${patterns[@]}" || echo "$line"
    done
}

breaks_folder() {
    includes | grep -E "^$1/[^:]*:[0-9]+:\"" | grep -vE ":\"($2)\""
}

# The rules must bite: each is broken once in a tree made for that.
bad=$(mktemp -d) || exit 1
trap 'rm -rf "$bad"' EXIT
mkdir "$bad/src" "$bad/kernels" "$bad/partition" "$bad/tests"
for header in mpi.h src/comm.h netcdf.h yaml.h cuda_runtime.h; do
    echo "#include \"$header\"" >>"$bad/src/swc.c"
done
for folder in src kernels partition tests; do
    echo '  #  include "near.h"' >"$bad/$folder/bad.h"
done
echo '#include "partition/plan.h"' >"$bad/kernels/other.c"
echo '#include "kernels/batch.h"' >"$bad/partition/other.c"

cd "$bad" || exit 1
missed=
for rule in "${rules[@]}"; do
    IFS='|' read -r header _ files <<<"$rule"
    [ -n "$(breaks_rule "$header" "$files")" ] || missed+=" $header"
done
for folder in "${folders[@]}"; do
    breaks_folder "${folder%%|*}" "${folder#*|}" | grep -q near.h ||
        missed+=" ${folder%%|*}"
done
for leaf in kernels partition; do
    breaks_folder $leaf "$leaf/.*" | grep -q other.c || missed+=" leaf:$leaf"
done
report "every rule finds a file that breaks it" "$missed"

cd "$BOSC_SRC" || exit 1
report "there are files to look at" "$([ -n "$(includes)" ] || echo none)"
for rule in "${rules[@]}"; do
    IFS='|' read -r header sentence files <<<"$rule"
    report "$sentence" "$(breaks_rule "$header" "$files")"
done
for folder in "${folders[@]}"; do
    report "files of ${folder%%|*}/ include what its layer may, folder named" \
        "$(breaks_folder "${folder%%|*}" "${folder#*|}")"
done
done_testing
