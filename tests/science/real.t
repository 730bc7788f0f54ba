#!/bin/bash
# real.t - published morphologies run, all in one job.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C

real=${BOSC_SHARED:-$BOSC_SRC/../shared}/morphologies-real
[ -r "$real/INDEX.tsv" ] || skip_all "published morphologies are not at hand"
need_ncdump
need_launcher
own_folder
diagnose="cat out"
n=$(($(wc -l <"$real/INDEX.tsv") - 1))

cat >job.yaml <<END_JOB
tstop: 1
populations:
  - name: real
    morphologies: "$real/*.swc"
    regions: {all: {pas: {}}, soma: {pas: false, hh: {}}}
clamps: [{at: soma, delay: 0, duration: 1, amplitude: 0.5}]
probes: [{name: soma, at: soma, interval: 0.5}]
END_JOB
run() {
    timeout 300 "$MPIEXEC" -n 2 "$BOSC" run --overwrite job.yaml -o run.nc "$@" >out 2>&1 </dev/null
}
values() {
    ncdump -v "$1" run.nc | awk '
        /^data:/ { inside = 1; next }
        inside { sub(/^.*=/, ""); gsub(/[,;}]/, " "); for (k = 1; k <= NF; k++) print $k }'
}

ok "a dry run of $n published morphologies ends well" run --dry-run
ok "it counts them all" says "in all +$n neurons"
ok "and says how many were repaired" says 'repaired +[0-9]+ places'
ok "a millisecond of them is computed on two ranks" run
ok "every one has a voltage of a living cell, in every sample" is \
    "$(values soma_v | awk '$1 > -200 && $1 < 200' | wc -l)" $((3 * n))
"$BOSC" inspect --tsv "$real"/*.swc 2>/dev/null | awk -F'\t' '
    NR == 1 { for (k = 1; k <= NF; k++) if ($k == "compartments") column = k }
    NR > 1 { print $column }' >inspected
values neuron_compartments >computed
ok "they have the compartments that inspect tells" cmp -s inspected computed
# Reading is not foreseen: the text of the largest file, and twice as much for its
# samples, by the rank that has it.
largest=$(wc -c "$real"/*.swc | awk '$2 != "total" && $1 > most { most = $1 } END { print most }')
ok "each rank takes the memory that was foreseen, within 5 %, and to read a file" is 2 "$(
    paste <(values rank_bytes) <(values rank_expected_bytes) |
        awk -v reading=$((3 * largest)) '{
            print "# " $1 " bytes, " $2 " foreseen" >"out"
            n += $2 + reading > 0.95 * $1 && $2 < 1.05 * $1 } END { print n }')"
done_testing
