#!/bin/bash
# nmodl.t - mod files of our own, translated, against NEURON in one compartment.
#
# BOSC_PYTHON is a Python that has NEURON (default: python3).
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
python=${BOSC_PYTHON:-python3}
folder=$(dirname "$(command -v "$python" || echo .)")
PATH=$folder:$PATH
command -v nrnivmodl >/dev/null || skip_all "NEURON is not installed"
"$python" -c 'import neuron' 2>/dev/null >&2 ||
    skip_all "NEURON is not installed for $python"
command -v cc >/dev/null || skip_all "there is no C compiler 'cc'"
case $(nm "$BOSC" 2>/dev/null) in
*__asan_init*) skip_all "NEURON cannot load what the sanitizer makes" ;;
esac
own_folder
diagnose="cat out err"

# The difference in column COLUMN of mechanism NAME is below 1e-9: mV, and of states
# shares of their largest values.
agrees() {
    awk -F'\t' -v name="/$1.mod" -v column="$2" '
        index($1, name) && NF == 5 { found = $column + 0 < 1e-9 }
        END { exit !found }' out
}

names=(hh ExpSyn Exp2Syn cad hold follow moments extend)
files=("${names[@]/%/.mod}")
files=("${files[@]/#/$BOSC_SRC/tests/unit/nmodl/mods/}")
"$python" "$BOSC_SRC/tests/science/compare-nmodl.py" "$BOSC" \
    "${files[@]}" >out 2>err
for name in "${names[@]}"; do
    ok "$name is what NEURON makes of it, within 1e-9 mV" agrees "$name" 2
    ok "and with the derived slope" agrees "$name" 3
    ok "and so are its states" agrees "$name" 5
done
ok "it is counted how many are that near" \
    [ "$(grep -c "^${#names[@]} compared, ${#names[@]} within 1e-08 mV" out)" = 1 ]
"$python" "$BOSC_SRC/tests/science/compare-nmodl.py" --kinetic "$BOSC" \
    "${files[@]}" >out 2>err
ok "--kinetic leaves out those without KINETIC" [ "$(grep -c '\.mod' out)" = 1 ]
done_testing
