#!/bin/bash
# e_readme.t - the README's own job and list work as they stand there.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
diagnose="cat out"

# dry ARGUMENTS...: what 'bosc run --dry-run' says of it, in 'out'.
dry() { timeout 60 "$BOSC" run --dry-run "$@" >out 2>&1 </dev/null; }
says() { grep -qE -- "$1" out; }

mkdir cells pyramidal basket
cp "$BOSC_SRC"/morphologies/*-low.swc cells/
cp "$BOSC_SRC"/morphologies/small-*.swc pyramidal/
cp "$BOSC_SRC/morphologies/medium-low.swc" basket/b1.swc

# shellcheck disable=SC2016
sed -n '/^```yaml$/,/^```$/{/^```/d;p;}' "$BOSC_SRC/README.md" >my.yaml
ok "the README shows a job" [ -s my.yaml ]
ok "it is a job that bosc takes" dry my.yaml
ok "with one neuron of each file" says '3 neurons'
ok "its results could be computed" timeout 60 "$BOSC" run my.yaml --quiet --set tstop=1
ok "and are named after it" [ -s my.nc ]

sed -n '/^    # cells.tsv$/,/^$/s/^    //p' "$BOSC_SRC/README.md" >cells.tsv
cat >list.yaml <<'END'
tstop: 1
populations:
  - {name: pyramidal, morphologies: cells.tsv, regions: {all: {pas: {}}}}
  - {name: basket, morphologies: cells.tsv, regions: {all: {pas: {}}}}
END
ok "the README's list divides neurons over populations" dry list.yaml
ok "with its counts and its glob" says '220 neurons'

# The sweep: the README's lines, and the sixth current alone.
grep -oE '^ +- \{(name|population): I[0-9]+, .*\}$|^ +soma: \{pas.*' \
    "$BOSC_SRC/README.md" | sed 's/^ *//' >shown
ok "the README shows lines of a sweep" [ "$(wc -l <shown)" = 4 ]
ok "which are in jobs/sweep.yaml" is 4 \
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
    timeout 60 "$BOSC" run "$BOSC_SRC/jobs/sweep.yaml" --quiet \
        --set tstop=60 -o sweep.nc >out 2>&1 </dev/null
    timeout 60 "$BOSC" run alone.yaml --quiet >>out 2>&1 </dev/null
    voltages sweep.nc 24 15 >swept
    voltages alone.nc 3 0 >single
    ok "three cells have 601 samples each" [ "$(wc -l <single)" = 1803 ]
    ok "in a sweep they have the same bits" cmp -s swept single
else
    skip "no ncdump"
    skip "no ncdump"
fi

# What the README shows that commands print.  Times and machines differ: of the
# lines of a report their labels count, of tables their titles, of results all.
shown() { sed -n "s/^    //; $1" "$BOSC_SRC/README.md"; }
labels() { sed -nE 's/^( *)([a-z][a-z -]*[a-z])   .*/\1\2/p'; }
same() { [ -n "$1" ] && is "$1" "$2"; }
timeout 60 "$BOSC" run "$BOSC_SRC/jobs/demo.yaml" -o demo.nc >out 2>&1 </dev/null
shown '/^bosc .*: demo$/,/^== result/p' >readme
ok "a run prints the lines that the README shows" same "$(labels <readme)" "$(labels <out)"
ok "and the spikes and rates" same "$(grep -hoE '[0-9]+ spikes.*|rates .*' readme)" \
    "$(grep -hoE '[0-9]+ spikes.*|rates .*' out)"
timeout 60 "$BOSC" run "$BOSC_SRC/jobs/ring.yaml" -o ring.nc >out 2>&1 </dev/null
shown '/jobs\/ring.yaml$/,/^$/p' | grep -E 'network|spikes|rates' | sed 's/.*): //' >readme
ok "a network's too" same "$(sort readme)" \
    "$(sed 's/.*): //' out | grep -Fx -f readme | sort)"
timeout 60 "$BOSC" plan list.yaml >out 2>&1 </dev/null
ok "a plan has the columns that the README shows" same \
    "$(shown '/plan of/,/ranks  nodes/p' | grep -E 'speed-|nodes')" "$(grep -E 'speed-|nodes ' out)"
timeout 60 "$BOSC" bench solve --neurons 2 --backend cpu >out 2>&1 </dev/null
shown '/solvers of mix/,/^$/{n;p;}; /mix, fp64/,/^$/p' >readme
ok "so has a benchmark, and the methods" same \
    "$(awk '/^method/ { on = 1 } on && NF { print $1, $2 }' readme)" \
    "$(awk '/^method/ { on = 1 } on && NF { print $1, $2 }' out)"
ok "under the same titles" same "$(grep -E '^method|median' readme)" "$(grep -E '^method|median' out)"
done_testing
