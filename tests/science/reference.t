#!/bin/bash
# reference.t - every backend and method integrates NEURON's own trees, and
# those made from SWC, to NEURON's voltages and spikes; one test for each line
# of reference-check.  Then reference-check itself, on folders made worse.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export BOSC_SRC
reference=$BOSC_SRC/tests/reference
check=$BOSC_BUILD/tests/reference-check

# The last columns are: spikes, missing, PASS.
all_spike() {
    awk '/ clamped / && $(NF - 2) == 0 { quiet = 1 }
        END { exit quiet }' <<<"$out"
}

out=$("$check" "$@" 2>&1)
code=$?
while IFS= read -r line; do
    case $line in
    *' skipped ('*) skip "$line" ;;
    *' PASS') ok "${line% PASS}" true ;;
    *' FAIL'* | *'cannot read'*) ok "$line" false ;;
    *) echo "# $line" ;;
    esac
done <<<"$out"
ok "reference-check ends well" is $code 0
ok "every neuron that is compared over the whole time spikes" all_spike

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
diagnose="cat out"
cp -r "$reference/c6a_swc100" case && chmod -R u+w case

# worse EXPRESSION: the case with another model.json.
worse() {
    sed "$1" "$reference/c6a_swc100/model.json" >case/model.json
    "$check" case >out 2>&1
    code=$?
}

worse ''
ok "a folder without its SWC file is checked all the same" is $code 0
ok "and it is told what is left out" says 'case \(SWC\) +skipped \(its SWC file is not at hand\)'
worse '/"swc"/d'
ok "so is a folder that names no SWC file" is $code 0
ok "of which nothing is said then" eval '! says SWC'
rm case/model.json
"$check" case/ >out 2>&1
ok "so is a folder that has only the tables" is $? 0
mkdir swc && cp "$reference/swc/syn100.swc" swc
worse 's/"Ra_ohm_cm": 120/"Ra_ohm_cm": 120.00012/'
ok "an axial resistance wrong by 1e-6 is found in the neuron from SWC" \
    says 'SWC.* clamped .*FAIL'
worse 's/d_lambda 0.1/d_lambda 0.05/'
ok "so is another number of compartments" says 'SWC.* FAIL: [0-9]+ nodes from SWC, NEURON has 61'
worse 's/syn100/broken/'
ok "a file that is not there is no failure" is $code 0
echo '1 1 0 0 0 5 2' >swc/broken.swc
worse 's/syn100/broken/'
ok "one that is refused is" says 'FAIL: .*broken.swc:1:'
ok "and the exit code says so" is $code 1
done_testing
