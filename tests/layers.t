#!/bin/bash
# layers.t - who may include what: the layers of CONTRIBUTING.md, by grep.
set -u
export LC_ALL=C
. "${BOSC_SRC:-$(dirname "$0")/..}/tests/tap.sh"

# HEADER, the sentence, and the files (glob patterns) that may include it.
rules=(
    'mpi\.h|only the files that talk to other ranks include mpi.h|src/comm.h src/forest_create.h src/run.h src/loop.h src/gather.h src/gather_plan.h src/store_parts.h src/post.h src/pipeline.h src/couple.h src/net_load.h src/pace.h src/device.h src/bench_machine.c tests/m_*.c'
    'src/comm\.h|only those files use the communication layer|src/comm.c src/leave.c src/forest.c src/run*.c src/loop.c src/gather*.c src/post.c src/pipeline.c src/couple.c src/net_load.c src/pace.c src/device*.c src/bench_machine.c tests/m_*.c'
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

# Files that come to a header through any others, as "FILE > ... > HEADER".
reach() {
    includes | awk -F: -v header="$1" '
        function path(file,    n, i, next_one, rest) {
            if (file == header) return file
            if (!(file in has) || file in seen) return ""
            seen[file] = 1
            n = split(has[file], next_one, " ")
            for (i = 1; i <= n; i++)
                if ((rest = path(next_one[i])) != "")
                    return file " > " rest
            return ""
        }
        { gsub(/[<>"]/, "", $3); has[$1] = has[$1] " " $3 }
        END {
            for (file in has) {
                split("", seen)
                if ((way = path(file)) != "") print way
            }
        }' | sort
}

# What says "no MPI" at its top and comes to it all the same.
breaks_promise() {
    local way
    reach mpi.h | while IFS= read -r way; do
        sed 10q "${way%% *}" | grep -q 'no MPI' && echo "$way"
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
echo '#include "kernels/far.h"' >"$bad/partition/near.h"
{ echo '/* near.c - a leaf: no MPI. */' && echo '#include "partition/near.h"'; } >"$bad/src/near.c"
{ echo '#include "partition/near.h"' && echo '#include <mpi.h>'; } >"$bad/kernels/far.h"
breaks_promise | grep -qx 'src/near.c > partition/near.h > kernels/far.h > mpi.h' ||
    missed+=" promise"
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
report "what promises to know no MPI comes to it through no other file" "$(breaks_promise)"
report "there are such promises" \
    "$(grep -qrl 'Serial code: no MPI' src --include='*.h' || echo none)"
for folder in "${folders[@]}"; do
    report "files of ${folder%%|*}/ include what its layer may, folder named" \
        "$(breaks_folder "${folder%%|*}" "${folder#*|}")"
done
done_testing
