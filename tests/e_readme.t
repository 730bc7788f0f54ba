#!/bin/bash
# e_readme.t - the README's own job and list work as they stand there.
set -u
. "${BOSC_SRC:-$(dirname "$0")/..}/tests/tap.sh"
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
done_testing
