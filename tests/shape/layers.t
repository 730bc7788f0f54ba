#!/bin/bash
# layers.t - which folder may include which, rules for headers, and circles of
# calls between files.
set -u
export LC_ALL=C
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# FOLDER: the folders and files that its files may include, besides itself.  In
# src/ each folder may include those above it; kernels/ and partition/ are
# leaves; bench/, a program beside bosc, may include all of these, and none of
# them includes it.
folders='
include:
src/base: include
src/text: src/base
src/comm: src/base src/text kernels/base
src/mpi: src/base src/text src/comm
src/morphology: src/base src/text
src/nmodl: src/base src/text
src/formula: src/base src/text kernels/base
src/select: src/base src/text kernels/methods.h kernels/batch kernels/spmv kernels/step/limits.h
src/mods: src/base src/text src/nmodl kernels/mech kernels/base
src/job: src/base src/text src/formula src/morphology src/select kernels/mech kernels/spmv kernels/batch/clamp.h kernels/step/limits.h
src/import: src/base src/text src/nmodl src/job/yaml kernels/mech
src/sweep: src/base src/text src/job src/import kernels/mech
src/table: src/base src/text
src/io: src/base src/text src/job src/table
src/model: src/base src/text src/formula src/morphology src/job src/table
src/network: src/base src/text src/comm src/morphology src/job src/table src/model kernels/base kernels/batch kernels/mech kernels/spmv
src/cost: src/base src/text src/comm src/morphology src/select src/job src/table src/model src/network kernels partition
src/distribute: src/base src/text src/comm src/morphology src/select src/job src/table src/model src/network src/cost kernels partition
src/batch: src/base src/formula src/morphology src/job src/model src/network kernels
src/calibrate: src/base src/text src/comm src/mpi src/morphology src/job src/model src/network src/cost src/batch kernels
src/checkpoint: src/base src/text src/comm src/job src/table src/io src/model src/network src/batch kernels
src/output: src/base src/text src/comm src/mpi src/job src/io src/model src/network src/batch kernels
src/verify: src/base src/text src/comm src/morphology src/job src/table src/model src/network src/batch kernels
src/sim: src/base src/text src/comm src/morphology src/select src/mods src/job src/sweep src/table src/model src/network src/cost src/distribute src/batch src/verify kernels partition
src/plan: src/base src/text src/comm src/morphology src/select src/mods src/job src/sweep src/table src/io src/model src/network src/cost src/distribute src/batch src/output src/sim kernels partition
src/merge: src/base src/text
src/run: src partition kernels
src/slurm: src/base src/text src/job src/io src/checkpoint src/plan
src/library: include src/base src/text src/comm src/job src/table src/io src/mpi src/batch src/sim kernels/base
src/tridiag: include src/base kernels/thomas
src/cli: src partition kernels
kernels/base: src/base
kernels/mech: src/base kernels/base
kernels/spmv: src/base kernels/base
kernels/batch: src/base kernels/base kernels/mech kernels/spmv
kernels/hines: src/base kernels/base kernels/batch
kernels/thomas: src/base kernels/base kernels/hines
kernels/solve: src/base kernels/base kernels/batch kernels/hines kernels/thomas
kernels/dfs: src/base kernels/base kernels/batch kernels/hines kernels/solve
kernels/hines_batch: src/base kernels/base kernels/hines kernels/dfs kernels/solve
kernels/levels: src/base kernels/base kernels/hines kernels/thomas kernels/solve
kernels/cyclic_reduction: src/base kernels/base kernels/solve
kernels/step: src/base kernels/base kernels/mech kernels/batch kernels/hines kernels/dfs kernels/thomas kernels/solve
kernels/gpu/chip: src/base kernels/mech kernels/hines kernels/step
kernels/gpu/host: src/base kernels/base kernels/mech kernels/batch kernels/spmv kernels/thomas kernels/solve kernels/step kernels/gpu/chip
kernels/gpu/device: kernels/base kernels/mech kernels/batch kernels/spmv kernels/hines kernels/gpu/chip kernels/gpu/host
kernels: src/base kernels/base kernels/spmv kernels/thomas kernels/solve kernels/step
partition: src/base
bench/solve: src partition kernels
bench/loop: src partition kernels bench/solve
bench/tridiag: include src kernels bench/solve
bench/papers: src kernels bench/solve bench/tridiag
bench/tune: src partition kernels bench/solve bench/loop
bench: src partition kernels
tests: src kernels partition bench
'

# HEADER: the folders (patterns) whose files alone may include it.
headers='
mpi.h: src/mpi src/io src/output src/run src/calibrate src/cli tests/mpi tests/lib tests/random
netcdf.h: src/io src/checkpoint src/merge tests/unit tests/mpi tests/fuzz tests/random
netcdf_par.h: src/io
yaml.h: src/job
zlib.h: src/morphology/read tests/unit
expat.h: src/morphology/read
cuda_runtime.h: kernels/base kernels/thomas kernels/spmv kernels/dfs kernels/hines_batch kernels/levels kernels/cyclic_reduction kernels/gpu/device bench/papers
cusparse.h: kernels/base
'

# Types with the same name and bodies of their own, and where these are.  The
# list may only shrink: what is on it and no longer there is taken off.
twice_today='
tag bosc_engine: kernels/gpu/host/cuda_engine.h kernels/step/cpu.c kernels/step/cpu_composed.c kernels/step/ref.c
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

# Tags of types, and typedefs, that two files declare, with these files.  In
# sources those count that other files can name: "bosc_...".
twice() {
    # shellcheck disable=SC2016  # awk, not shell
    sources | grep '^\(src\|kernels\|partition\|bench\)/' | xargs -r awk '
        { line = $0; sub(/\/\*.*/, "", line); header = FILENAME ~ /\.h$/ }
        match(line, /^(typedef )?(struct|union|enum) [A-Za-z_0-9]+ *\{/) {
            n = split(line, word, /[ {]+/)
            note("tag", word[word[1] == "typedef" ? 3 : 2])
        }
        match(line, /^\} *[A-Za-z_0-9]+;/) { sub(/^\} */, "", line); sub(/;.*/, "", line); note("type", line) }
        match(line, /^typedef [^(]*[ *][A-Za-z_0-9]+;/) { sub(/;.*/, "", line); n = split(line, word, /[ *]+/); note("type", word[n]) }
        function note(kind, name) {
            name = kind " " name
            if ((!header && name !~ / bosc_/) || (name, FILENAME) in seen) return
            seen[name, FILENAME] = 1
            at[name] = at[name] " " FILENAME
            if (++times[name] == 2) doubled[++m] = name
        }
        END { for (i = 1; i <= m; ++i) print doubled[i] ":" at[doubled[i]] }' | sort
}

# "FILE OTHER FUNCTION" where a source uses a function that another one defines.
calls() {
    # shellcheck disable=SC2016  # awk, not shell
    sources | grep '^\(src\|kernels\|partition\|bench\)/.*\.cu\?$' | xargs -r awk '
        FNR == 1 { inside = 0; name = "" }
        {
            line = $0
            gsub(/\\./, "", line)
            gsub(/"[^"]*"/, "\"\"", line)
            if (inside && !sub(/^.*\*\//, "", line)) next
            inside = 0
            gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
            sub(/\/\/.*/, "", line)
            if (sub(/\/\*.*/, "", line)) inside = 1
        }
        # The head of a function begins, and its body, in the first column.
        line ~ /^[A-Za-z_].*\(/ {
            name = line
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            if (line ~ /^static/) name = ""
        }
        line ~ /^\{/ && name ~ /^bosc_/ { home[name] = FILENAME; name = "" }
        {
            while (match(line, /bosc_[a-z0-9_]+/)) {
                word = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (!((FILENAME, word) in seen)) use[++n] = FILENAME " " word
                seen[FILENAME, word] = 1
            }
        }
        END {
            for (i = 1; i <= n; ++i) {
                split(use[i], part, " ")
                if ((part[2] in home) && home[part[2]] != part[1])
                    print part[1] " " home[part[2]] " " part[2]
            }
        }'
}

# Circles of calls, sources that call each other, if through others: each as its
# sources in a line.
call_circles() {
    calls | awk '
        function reach(from, at,    i, n, next_one) {
            n = split(has[at], next_one, " ")
            for (i = 1; i <= n; ++i)
                if (!((from, next_one[i]) in reached)) {
                    reached[from, next_one[i]] = 1
                    reach(from, next_one[i])
                }
        }
        !(($1, $2) in seen) {
            seen[$1, $2] = 1
            has[$1] = has[$1] " " $2
            if (!($1 in known)) { known[$1] = 1; file[++files] = $1 }
        }
        END {
            for (i = 1; i <= files; ++i) reach(file[i], file[i])
            for (i = 1; i <= files; ++i) {
                if (!((file[i], file[i]) in reached) || file[i] in told) continue
                line = file[i]
                for (j = i + 1; j <= files; ++j)
                    if ((file[i], file[j]) in reached && (file[j], file[i]) in reached) {
                        line = line " " file[j]
                        told[file[j]] = 1
                    }
                print line
            }
        }' | sort
}

# not_as_listed LIST: what on standard input is not in the list, and what of the
# list is not there, and has to be taken off it.
not_as_listed() {
    comm -3 <(sort) <(sed '/^$/d' <<<"$1" | sort) |
        sed 's/^\t/no longer there, take it off the list: /; t; s/^/not in the list: /'
}

# Headers that a mod file is compiled with and that include one which is not among
# them, but for those that a compiler of mod files does not see.
embedded_without() {
    local list
    list=$(sed -n 's/^ *X([a-z0-9_]*, "\([^"]*\)").*/\1/p' src/mods/headers.c)
    includes | awk -v list="$list" '
        BEGIN { n = split(list, l, "\n"); for (i = 1; i <= n; ++i) has[l[i]] = 1 }
        has[$1] && $2 ~ /\// && $2 !~ /^(cuda|sys)/ && !has[$2] &&
            $2 != "kernels/gpu/device/cuda_group_ring.h" {
            print $1 " includes " $2
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
echo '#include "src/comm/comm.h"' >src/morphology/swc.c
echo '#include "bench/bench.h"' >src/mpi/measured.c
echo '  #  include "near.h"' >partition/bad.c
touch partition/near.h
for header in mpi.h netcdf.h netcdf_par.h yaml.h cuda_runtime.h cusparse.h; do
    echo "#include <$header>" >>src/base/bad.c
done
echo '#include "kernels/base/b.h"' >kernels/base/a.h
echo '#include "kernels/base/a.h"' >kernels/base/b.c
mkdir -p src/mods
echo '    X(a, "kernels/base/a.h")' >src/mods/headers.c
echo 'struct bosc_same {' | tee src/base/one.h >kernels/base/two.h
echo '} bosc_alike;' | tee -a src/base/one.h >>kernels/base/two.h
echo '#include "kernels/step/step.h"' >kernels/base/up.c
# Two sources that call each other, and one that only names both in a comment.
cat >src/base/ping.c <<'END'
struct bosc_opaque {
struct own {
bosc_status bosc_ping(int n,
                      int m)
{
    return bosc_pong(n);
}
END
cat >src/mpi/pong.c <<'END'
struct bosc_opaque {
struct own {
bosc_status bosc_pong(int n);
static int helper(void)
{
}
int bosc_pong(int n)
{
    return n > 0 ? bosc_ping(n, 1) : bosc_single();
}
END
cat >src/mpi/single.c <<'END'
/* bosc_ping() and
 * bosc_pong() are called by others. */
int bosc_single(void)
{
    return fail("bosc_ping(");
}
END
missed=
breaks_table | grep -q 'swc.c includes src/comm/comm.h' || missed+=" table"
breaks_table | grep -q 'measured.c includes bench/bench.h' || missed+=" bench"
breaks_table | grep -q 'bad.c includes near.h without' || missed+=" folder"
for header in mpi.h netcdf.h netcdf_par.h yaml.h cuda_runtime.h cusparse.h; do
    breaks_header $header src/mpi | grep -q src/base/bad.c || missed+=" $header"
done
circles | grep -q circle || missed+=" circle"
embedded_without | grep -q 'a.h includes kernels/base/b.h' || missed+=" embedded"
breaks_table | grep -q 'up.c includes kernels/step/step.h' || missed+=" kernels"
twice | grep -q 'tag bosc_same: kernels/base/two.h src/base/one.h' || missed+=" tag"
twice | grep -q 'tag bosc_opaque: src/base/ping.c src/mpi/pong.c' || missed+=" source"
! twice | grep -q own || missed+=" own"
is "$(call_circles)" 'src/base/ping.c src/mpi/pong.c' || missed+=" calls"
is "$(echo 'tag a: a.h' | not_as_listed '')" \
    'not in the list: tag a: a.h' || missed+=" list"
is "$(echo 'tag a: a.h' | not_as_listed $'tag a: a.h\ntag b: b.h')" \
    'no longer there, take it off the list: tag b: b.h' || missed+=" shrink"
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
report "no type is declared in two files, but those listed" \
    "$(twice | not_as_listed "$twice_today")"
report "no sources call each other in a circle" "$(call_circles)"
report "what mod files are compiled with is complete" "$(embedded_without)"
report "no folder has more than 25 files and its local.mk" "$(crowded)"
done_testing
