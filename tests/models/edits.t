#!/bin/bash
# edits.t - jobs that edit morphologies: each population its own axon.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
need_ncdump
own_folder
diagnose="cat out err"

cat >cell.swc <<'END'
1 1 0 0 0 5 -1
2 1 0 10 0 5 1
3 2 0 30 0 1 2
4 2 0 95 0 1 3
5 2 20 140 0 0.5 4
6 2 -20 140 0 0.5 4
7 3 0 -40 0 1 1
8 3 0 -90 0 1 7
END
cat >job.yaml <<'END'
tstop: 1
populations:
  - name: bare
    morphologies: cell.swc
    axon: {replace: remove}
    regions: {all: {pas: {}}}
  - name: long
    morphologies: cell.swc
    axon: {replace: bbp_v6}
    discretisation: {odd_per: 40}
    regions: {all: {pas: {}}, custom: {cm: 0.02}}
clamps: [{population: long, delay: 0, duration: 1, amplitude: 0.1}]
probes: [{name: far, population: long, at: "myelin[0](0.5)"}]
END
run() {
    timeout 300 "$BOSC" run -q --overwrite -o result.nc "$@" >out 2>err </dev/null
    rc=$?
}

run job.yaml
ok "two populations of one file have axons of their own" is $rc 0
"$BOSC" run -q -o result.nc job.yaml --set populations.long.axon.replace=bluepyopt \
    --set 'probes[0].at=axon[1](0.5)' >out 2>err
ok "the rule is part of what a result is of" grep -q \
    'populations\[long\].axon.replace is bluepyopt, there bbp_v6' err
run job.yaml --set 'probes[0].at=axon[1](0.5)'
ok "the stub has two sections" is $rc 0
run job.yaml --set 'probes[0].at=axon[2](0.5)'
ok "and no more" grep -q 'has no section axon\[2\]; it has axon\[0\] to axon\[1\]' err
run job.yaml --set 'probes[0].at=myelin[1](0.5)'
ok "myelin is one section" grep -q 'has no section myelin\[1\]; it has myelin\[0\]$' err
run job.yaml
ok "which the result calls so" eval 'ncdump -v section_name result.nc | tr -d " \n" | grep -q "section_name=\"myelin\[0\]\";"'
run job.yaml --set probes[0].population=bare --set 'probes[0].at=axon[0](0.5)'
ok "a population without axon has none" grep -q '(population bare) has no axon section at all' err
run job.yaml --set 'probes[0].at=custom[0](0.5)'
ok "myelin is of region custom" is $rc 0
run job.yaml --set populations.long.axon.replace=bluepyopt
ok "another rule has no myelin" grep -q 'has no myelin section at all' err
sed '5,6d' cell.swc | awk '{ $1 = NR; if (NR > 4) $7 = NR == 5 ? 1 : 5; print }' >short.swc
run job.yaml --set populations.long.morphologies=short.swc
ok "too little axon ends the run with file and remedy" grep -q \
    "short.swc: the number of axon sections is 1, axon rule 'bbp_v6' needs 3; take another rule" err
done_testing
