#!/bin/bash
# layers.t - which folder may include which, and three rules for headers.
set -u
export LC_ALL=C
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# FOLDER: the folders and files that its files may include, besides itself.  In
# src/ each folder may include those above it; kernels/ and partition/ are
# leaves; bench/, a program beside bosc, may include all of these, and none of
# them includes it.
folders='
src/base:
src/text: src/base
src/mpi: src/base src/text
src/morphology: src/base src/text
src/nmodl: src/base src/text
src/select: src/base src/text kernels/methods.h kernels/batch kernels/spmv
src/mods: src/base src/text src/nmodl kernels/mech kernels/base
src/job: src/base src/text src/morphology src/select kernels/mech kernels/spmv
src/sweep: src/base src/text src/job kernels/mech
src/io: src/base src/text src/job
src/model: src/base src/text src/morphology src/job src/io
src/network: src/base src/text src/mpi src/morphology src/job src/io src/model kernels/base kernels/batch kernels/mech kernels/spmv
src/cost: src/base src/text src/mpi src/morphology src/select src/job src/io src/model src/network kernels partition
src/distribute: src/base src/text src/mpi src/morphology src/select src/job src/io src/model src/network src/cost kernels partition
src/batch: src/base src/morphology src/job src/model src/network kernels
src/calibrate: src/base src/text src/mpi src/morphology src/job src/model src/network src/cost src/batch kernels
src/checkpoint: src/base src/text src/mpi src/job src/io src/model src/network src/batch kernels
src/output: src/base src/text src/mpi src/job src/io src/model src/network src/batch kernels
src/sim: src/base src/text src/mpi src/morphology src/select src/mods src/job src/io src/model src/network src/cost src/distribute src/batch src/output kernels partition
src/plan: src/base src/text src/mpi src/morphology src/select src/mods src/job src/sweep src/io src/model src/network src/cost src/distribute src/batch src/output src/sim kernels partition
src/verify: src/base src/text src/mpi src/morphology src/job src/io src/model src/network src/batch kernels
src/merge: src/base src/text
src/run: src partition kernels
src/slurm: src/base src/text src/job src/io src/checkpoint src/plan
src/cli: src partition kernels
kernels: src/base
partition: src/base
bench/solve: src partition kernels
bench/loop: src partition kernels bench/solve
bench/tune: src partition kernels bench/solve bench/loop
bench: src partition kernels
tests: src kernels partition bench
'

# HEADER: the folders (patterns) whose files alone may include it.
headers='
mpi.h: src/mpi src/io src/network src/distribute src/calibrate src/checkpoint src/output src/sim src/verify src/run src/cli tests/mpi tests/lib tests/random
netcdf.h: src/io src/checkpoint src/merge tests/unit tests/mpi tests/fuzz tests/random
netcdf_par.h: src/io
yaml.h: src/job
cuda_runtime.h: kernels
'

sources() {
    find src kernels partition bench tests \( -name '*.[ch]' -o -name '*.cu' \) | sort
}

# All includes as "FILE HEADER", whatever stands between.
includes() {
    sources | xargs -r grep -HE '^[[:space:]]*#[[:space:]]*include' |
        sed -nE 's/^([^:]*):[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*/\1 \2/p'
}

# Includes that the table of folders does not allow.
breaks_table() {
    { echo "$folders" && echo -- && includes; } | awk '
        # The longest folder of the table that holds the path.
        function home(path,    f, best) {
            best = ""
            for (f in may)
                if (index(path, f "/") == 1 && length(f) > length(best)) best = f
            return best
        }
        $1 == "--" { listed = 1; next }
        !listed && NF { f = $1; sub(/:$/, "", f); may[f] = ""
            for (i = 2; i <= NF; ++i) may[f] = may[f] " " $i
            next }
        listed && $2 ~ /\// && $2 ~ /^(src|kernels|partition|bench|tests)\// {
            from = home($1)
            if (index($2, from "/") == 1) next
            n = split(may[from], allowed, " ")
            for (i = 1; i <= n; ++i)
                if ($2 == allowed[i] || index($2, allowed[i] "/") == 1) next
            print $1 " includes " $2
        }
        listed && $2 ~ /\.h$/ && $2 !~ /\// && $2 != "config.h" && home($1) != "" {
            if (system("test -e " $2 " -o -e $(dirname " $1 ")/" $2) == 0)
                print $1 " includes " $2 " without its folder"
        }'
}

# Files outside the folders of a header that include it.
breaks_header() {
    includes | awk -v header="$1" -v homes="$2" '
        BEGIN { n = split(homes, home, " ") }
        $2 != header { next }
        {
            for (i = 1; i <= n; ++i) if (index($1, home[i] "/") == 1) next
            print $1
        }'
}

# Circles of includes, where a header and its source are one; with 'longest' the
# length of the longest chain instead.
circles() {
    includes | awk -v longest="${1:-}" '
        function stem(path) { sub(/\.(c|h|cu)$/, "", path); return path }
        function visit(at,    i, n, next_one, deep, most) {
            if (state[at] == 2) return depth[at]
            if (state[at] == 1) { circle[at] = 1; return 0 }
            state[at] = 1
            n = split(has[at], next_one, " ")
            for (i = 1; i <= n; ++i) {
                deep = visit(next_one[i])
                if (state[next_one[i]] == 1) print "circle: " at " > " next_one[i]
                if (deep > most) most = deep
            }
            state[at] = 2
            return depth[at] = most + 1
        }
        $1 !~ /^tests/ && $2 ~ /^(src|kernels|partition|bench)\// {
            from = stem($1); to = stem($2)
            if (from != to && !((from, to) in seen)) {
                seen[from, to] = 1
                has[from] = has[from] " " to
            }
        }
        END {
            if (longest == "") { for (at in has) visit(at) }
            else {
                for (at in has) { d = visit(at); if (d > best) best = d }
                print best
            }
        }'
}

# Tags of types, and typedefs, that two headers declare.
twice() {
    # shellcheck disable=SC2016  # awk, not shell
    sources | grep '^\(src\|kernels\|partition\|bench\)/.*\.h$' | xargs -r awk '
        { line = $0; sub(/\/\*.*/, "", line) }
        match(line, /^(typedef )?(struct|union|enum) [A-Za-z_0-9]+ *\{/) {
            n = split(line, word, /[ {]+/)
            note("tag", word[word[1] == "typedef" ? 3 : 2])
        }
        match(line, /^\} *[A-Za-z_0-9]+;/) { sub(/^\} */, "", line); sub(/;.*/, "", line); note("type", line) }
        match(line, /^typedef [^(]*[ *][A-Za-z_0-9]+;/) { sub(/;.*/, "", line); n = split(line, word, /[ *]+/); note("type", word[n]) }
        function note(kind, name) {
            if (((kind, name) in at) && at[kind, name] != FILENAME)
                print kind " " name ": " at[kind, name] " and " FILENAME
            at[kind, name] = FILENAME
        }'
}

# Folders with too many files for one room.
crowded() {
    find src kernels partition bench tests -type f | grep -vE '/reference/|/fuzz/' |
        sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 26 { print $2 ": " $1 }'
}

# The rules must bite: each is broken once in a tree made for that.
bad=$(mktemp -d) || exit 1
trap 'rm -rf "$bad"' EXIT
cd "$bad" || exit 1
mkdir -p src/base src/mpi src/morphology kernels/base partition bench tests/lib
echo '#include "src/mpi/comm.h"' >src/morphology/swc.c
echo '#include "bench/bench.h"' >src/mpi/measured.c
echo '  #  include "near.h"' >partition/bad.c
touch partition/near.h
for header in mpi.h netcdf.h netcdf_par.h yaml.h cuda_runtime.h; do
    echo "#include <$header>" >>src/base/bad.c
done
echo '#include "kernels/base/b.h"' >kernels/base/a.h
echo '#include "kernels/base/a.h"' >kernels/base/b.c
echo 'struct bosc_same {' | tee src/base/one.h >kernels/base/two.h
echo '} bosc_alike;' | tee -a src/base/one.h >>kernels/base/two.h
missed=
breaks_table | grep -q 'swc.c includes src/mpi/comm.h' || missed+=" table"
breaks_table | grep -q 'measured.c includes bench/bench.h' || missed+=" bench"
breaks_table | grep -q 'bad.c includes near.h without' || missed+=" folder"
for header in mpi.h netcdf.h netcdf_par.h yaml.h cuda_runtime.h; do
    breaks_header $header src/mpi | grep -q src/base/bad.c || missed+=" $header"
done
circles | grep -q circle || missed+=" circle"
twice | grep -q 'tag bosc_same' || missed+=" tag"
twice | grep -q 'type bosc_alike' || missed+=" typedef"
report "every rule finds what breaks it" "$missed"

cd "$BOSC_SRC" || exit 1
report "there are files to look at" "$([ -n "$(includes)" ] || echo none)"
report "each folder includes only what its row of the table allows" "$(breaks_table)"
while IFS=: read -r header homes; do
    [ -z "$header" ] ||
        report "$header is included only in its folders" \
            "$(breaks_header "$header" "$homes")"
done <<<"$headers"
report "no circle of includes" "$(circles)"
report "no chain of includes is longer than 16" \
    "$(circles longest | awk '$1 > 16')"
report "no type is declared in two headers" "$(twice)"
report "no folder has more than 25 files and its local.mk" "$(crowded)"
done_testing
