#!/bin/bash
# readme.t - the documents are true: README's job, commands and output are those
# of the program, and every link and every file that a document names exists.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_launcher
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
diagnose="cat out"
readme=$BOSC_SRC/README.md

# bosc ARGUMENTS...: its output goes to 'out'.
bosc() { timeout 300 "$BOSC" "$@" >out 2>&1 </dev/null; }
says() { grep -qE -- "$1" out; }

# --- Write your own job --------------------------------------------------

mkdir pyramidal basket bin
cp "$BOSC_SRC"/morphologies/small-*.swc pyramidal/
cp "$BOSC_SRC/morphologies/medium-low.swc" basket/b1.swc
ln -s "$BOSC_SRC/morphologies" "$BOSC_SRC/jobs" .
printf '#!/bin/sh\nexec "%s" "$@"\n' "$BOSC" >bin/bosc
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v "$MPIEXEC")" >bin/mpiexec
chmod +x bin/*

# shellcheck disable=SC2016
sed -n '/^```yaml$/,/^```$/{/^```/d;p;}' "$readme" >my.yaml
ok "the README shows a job" [ -s my.yaml ]
sed -n '/^    mkdir cells/,/^$/s/^    //p' "$readme" >commands
ok "and the commands to check, run and plot it" is "$(wc -l <commands)" 7
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
ln -s "$(command -v "$python")" bin/python3
if ! $python -c 'import netCDF4, matplotlib' 2>/dev/null; then
    sed -i '/bosc plot/d; /bosc report/d' commands
    printf '# no plot: %s has no netCDF4 or matplotlib\n' "$python"
fi
while read -r line; do
    PATH=$work/bin:$PATH timeout 300 bash -c "$line" >out 2>&1 </dev/null
    ok "this command works: ${line%%  *}" is $? 0
done <commands
ok "the results are named after the job" [ -s my.nc ]
bosc run my.yaml --dry-run
ok "the job has one neuron of each file" says '3 neurons'

sed -n '/^    # cells.tsv$/,/^$/s/^    //p' "$readme" >cells.tsv
cat >list.yaml <<'END'
tstop: 1
populations:
  - {name: pyramidal, morphologies: cells.tsv, regions: {all: {pas: {}}}}
  - {name: basket, morphologies: cells.tsv, regions: {all: {pas: {}}}}
END
ok "the README's list divides neurons over populations" bosc run --dry-run list.yaml
ok "with its counts and its pattern" says '220 neurons'

# --- the sweep: the README's lines, and the sixth current alone -----------

grep -E '^ +- \{at: soma, .*from the sweep$|^ +clamps.0.amplitude: \[.*' \
    "$readme" | sed 's/^ *//' >shown
ok "the README shows lines of a sweep" [ "$(wc -l <shown)" = 2 ]
ok "which are in jobs/sweep.yaml" is 2 \
    "$(sed 's/^ *//' "$BOSC_SRC/jobs/sweep.yaml" | grep -cxFf shown)"
cat >alone.yaml <<END
tstop: 60
populations:
  - name: cells
    morphologies: "$BOSC_SRC/morphologies/*-low.swc"
    regions:
      all: {Ra: 100, cm: 1, pas: {g: 1.0e-4, e: -65}}
      soma: {pas: false, hh: {}}
clamps: [{at: soma, delay: 20, duration: 460, amplitude: 0.3}]
probes: [{name: soma, at: soma, interval: 0.1}]
END
# voltages FILE COLUMNS FIRST: three columns of all, one value a line.
voltages() {
    ncdump -p 9,17 -v soma_v "$1" | awk -v n="$2" -v first="$3" '
        /^data:/ { inside = 1; next }
        inside { sub(/^.*=/, ""); gsub(/[,;}]/, " ")
            for (k = 1; k <= NF; k++) { c = i++ % n
                if (c >= first && c < first + 3) print $k } }'
}
if command -v ncdump >/dev/null; then
    bosc run "$BOSC_SRC/jobs/sweep.yaml" --quiet --set tstop=60 -o sweep.nc
    bosc run alone.yaml --quiet
    voltages sweep.nc 24 15 >swept
    voltages alone.nc 3 0 >single
    ok "three cells have 601 samples each" [ "$(wc -l <single)" = 1803 ]
    ok "in a sweep they have the same bits" cmp -s swept single
else
    skip "no ncdump"
    skip "no ncdump"
fi

# --- the output that documents show ---------------------------------------

# Times and machines differ: the labels of a report's lines must agree, of a
# table its titles and methods, of results everything.
shown() { sed -n "s/^    //; $2" "$BOSC_SRC/$1"; }
labels() { sed -nE 's/^( *)([a-z][a-z -]*[a-z])   .*/\1\2/p'; }
same() { [ -n "$1" ] && is "$1" "$2"; }
bosc run "$BOSC_SRC/jobs/demo.yaml" -o demo.nc
shown README.md '/^bosc .*: demo$/,/^== result/p' >lines
ok "a run prints the lines that the README shows" same "$(labels <lines)" "$(labels <out)"
ok "and the spikes and rates" same "$(grep -hoE '[0-9]+ spikes.*|rates .*' lines)" \
    "$(grep -hoE '[0-9]+ spikes.*|rates .*' out)"
bosc run --overwrite "$BOSC_SRC/jobs/sweep.yaml" -o sweep.nc
shown README.md '/run jobs\/sweep.yaml$/,/^$/p' | grep -A 1 rates >lines
ok "so does a sweep" same "$(cat lines)" "$(grep -A 1 rates out)"
bosc run "$BOSC_SRC/jobs/ring.yaml" -o ring.nc
shown README.md '/jobs\/ring.yaml$/,/^$/p' | grep -E 'network|spikes|rates' |
    sed 's/.*): //' >lines
ok "and a network" same "$(sort lines)" \
    "$(sed 's/.*): //' out | grep -Fx -f lines | sort)"
bosc plan list.yaml
ok "a plan has the columns that the README shows" same \
    "$(shown README.md '/plan of/,/ranks  nodes/p' | grep -E 'speed-|nodes')" \
    "$(grep -E 'speed-|nodes ' out)"
timeout 300 "$BOSC_BENCH" solve --neurons 2 --backend cpu >out 2>&1 </dev/null
shown kernels/README.md '/solvers of mix/,/^$/{n;p;}; /mix, fp64/,/^$/p' >lines
ok "a benchmark has the methods that kernels/README.md shows" same \
    "$(awk '/^method/ { on = 1 } on && NF { print $1, $2 }' lines)" \
    "$(awk '/^method/ { on = 1 } on && NF { print $1, $2 }' out)"
ok "under the same titles" same "$(grep -E '^method|median' lines)" \
    "$(grep -E '^method|median' out)"

# --- commands, options, links ----------------------------------------------

cd "$BOSC_SRC" || exit 1
documents=$(find . -name '*.md' -not -path './build*' -not -path './.*/*')

# COMMAND:OPTION of each command line that a document shows; COMMAND is 'bosc run'
# or 'bosc-bench solve'.
options_shown() {
    # shellcheck disable=SC2016,SC2086
    grep -hoE '(^    |`|-n [0-9]+ )(build/)?bosc(-bench)? [a-z]+ [^`#;]*' $documents |
        sed -E 's/.*(bosc(-bench)?) ([a-z]+) /\1 \3 /' | awk '{
            command = $1 " " $2
            for (k = 3; k <= NF; ++k) if ($k ~ /^--[a-z]/) {
                sub(/[=,.].*/, "", $k); print command ":" $k } }' | sort -u
}
report "the commands that documents show have these options" "$(
    options_shown | while IFS=: read -r command option; do
        # shellcheck disable=SC2086
        "$BOSC_BUILD"/$command --help 2>&1 </dev/null | grep -qE -- "$option( |,|$)" ||
            echo "$command $option"
    done
)"
report "every link of a document leads to a file" "$(
    for document in $documents; do
        grep -oE '\]\([^)#:]+[)#]' "$document" | sed 's/^](//; s/.$//' |
            while read -r link; do
                [ -e "$(dirname "$document")/$link" ] || echo "$document: $link"
            done
    done
)"
# A path is relative to the root or to the document; a name alone may be anywhere.
find . -name '*.[ch]' -o -name '*.cu' >"$work/sources"
report "every file that a document names exists" "$(
    for document in $documents; do
        # shellcheck disable=SC2016
        grep -oE '`[A-Za-z_0-9./-]+\.(c|h|cu|t|py|yaml|sbatch)`' "$document" |
            tr -d '`' | while read -r file; do
            [ -e "$file" ] || [ -e "$(dirname "$document")/$file" ] ||
                case $file in
                *FOLDER* | *NAME* | my.yaml) ;;
                mpi.h | netcdf.h | yaml.h | cuda_runtime.h) ;;
                */* | *.[!ch]*) echo "$document: $file" ;;
                *) grep -qF "/$file" "$work/sources" || echo "$document: $file" ;;
                esac
        done
    done
)"
done_testing
