#!/bin/bash
# fit.t - bench/select/fit-selection: what is learned from recorded measurements is what
# the program chooses by.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
python=${BOSC_PYTHON:-}
[ -n "$python" ] || python=$(find_python numpy sklearn)
"${python:-no-python}" -c 'import numpy, sklearn' 2>/dev/null ||
    skip_all "python3-sklearn is not installed"
own_folder
export HOME=$work XDG_CONFIG_HOME=$work/config OMP_WAIT_POLICY=passive
unset BOSC_METHODS
diagnose="cat out"
data=$BOSC_SRC/bench/select
fit() { timeout 200 "$python" "$BOSC_SRC/bench/select/fit-selection" "$@" >out 2>&1; }
plan() { timeout 300 "$BOSC" plan job.yaml --threads 1 --why >out 2>&1; }
says() { tr -s ' \n' ' ' <out | grep -qE -- "$1"; } # lines are wrapped
lists() { grep -qE -- "$1" out; }
refuses() { ! fit "${@:2}" && says "$1"; }

cat >job.yaml <<'END'
tstop: 1
populations:
  - {name: a, synthetic: {compartments: 319, sections: 157}, count: 40, regions: {all: {pas: {}}}}
END

# Some batches as if they were of this machine.
timeout 300 "$BOSC_BENCH" tune --batches 1 --kind loops --threads 1 -q -o own >out 2>&1
device=$(grep '^# device' own/loops.tsv)
{ sed "s/^# device.*/$device/" "$data/avx512-loops-1.tsv" | head -n 400; } >here.tsv
sed 's/^# device.*/# device\tanother/' here.tsv >there.tsv

ok "models are learned from measurements" fit here.tsv there.tsv
ok "and written where bosc looks" [ -s config/bosc/methods.model ]
ok "one for each device" [ "$(grep -c '^bosc-model' config/bosc/methods.model)" = 2 ]
plan
ok "a plan is chosen by the model" says 'depth-first, chosen by a model'
ok "which predicts the time of each candidate" [ "$(grep -c 'a step, predicted' out)" = 2 ]
sed -i "s/^bosc-model 1\tloops/&x/" config/bosc/methods.model
fit here.tsv
plan
ok "what others have added stays when one is learned again" eval \
    "says 'by a model' && grep -q loopsx config/bosc/methods.model"
sed -i '0,/^tree/s/^-1\t/-1\t9/' config/bosc/methods.model
sed -i 's/^\(method\thines-flat\t\).*\t/\10.1\t/' config/bosc/methods.model
plan
ok "a damaged one is told, and rules choose" eval \
    "says 'chosen by rules' && says 'no model: .*damaged'"
ok "a run survives it, too" timeout 300 "$BOSC" run job.yaml -q
BOSC_METHODS=$work/none plan
ok "another file can be named" eval "says 'chosen by rules' && ! says 'no model'"

fit --device 'any CPU' -o class.model here.tsv there.tsv
batches=$(grep -c hines-flat here.tsv)
ok "several devices are learned from as one" eval \
    "lists 'and another;' && [ \$(grep -c '^bosc-model' class.model) = 1 ] &&
     grep -qx 'batches	$((2 * batches))' class.model"
ok "but not by other methods" \
    refuses 'other methods' --device any here.tsv "$data/h200-loops-1.tsv"

head -n 60 here.tsv >few.tsv
ok "few batches are refused" refuses 'too few' few.tsv
ok "so is another file" refuses "not a file of 'bosc-bench tune'" job.yaml
ok "and one that is not there" refuses 'no.tsv: ' no.tsv
ok "cross-validation prints a table" eval \
    "fit --validate --repeats 1 here.tsv && lists '^\| learned \|'"
head -n 200 here.tsv >a.tsv
head -n 160 there.tsv >b.tsv
ok "and of several devices one for each, with what the others teach" eval \
    "fit --validate --repeats 1 --device any a.tsv b.tsv &&
     [ \$(grep -c '^| learned from the others |' out) = 2 ]"
done_testing
