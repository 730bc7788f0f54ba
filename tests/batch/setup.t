#!/bin/bash
# setup.t - set-up takes time by the number of members of a sweep, not by its
# square, a signal ends it, and a process alone needs no MPI.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
need_ncdump
own_folder
diagnose="cat out measured"

printf '%s\n' '1 1 0 0 0 5 -1' '2 3 10 0 0 1 1' '3 3 30 0 0 1 2' >cell.swc
# sweep N: a job of N members, whose currents are all different
sweep() {
    cat <<'END'
tstop: 1
populations:
  - {name: cells, morphologies: cell.swc, regions: {all: {pas: {g: 1e-4}}}}
clamps:
  - {population: cells, at: soma, delay: 0, duration: 1, amplitude: 0.1}
probes:
  - {name: soma, at: soma, interval: 1}
backend: cpu
method: depth-first
END
    echo 'sweep: {zip: {clamps.0.amplitude: ['
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; ++i) printf "    %.6f,\n", 0.1 + 1e-5 * i }'
    echo ']}}'
}
# seconds JOB: of a processor, for all but the steps
seconds() {
    local TIMEFORMAT='%U %S'
    { time alone "$1" -n -q -o no.nc; } 2>&1 | awk '{ print $1 + $2 }'
}

sweep 1000 >few.yaml
sweep 6000 >many.yaml
few=$(seconds few.yaml)
many=$(seconds many.yaml)
echo "1000 members: $few s, 6000 members: $many s" >measured
ok "six times as many members take about six times as long to set up" \
    awk "BEGIN { exit !($many < 12 * ($few + 0.05)) }"

# A value is wrong: the last of 6000 is named with its line.
sed 's/^    0.159990,/    wrong,/' many.yaml >wrong.yaml
alone wrong.yaml -q -o no.nc
ok "an error names the member, the file and the line" \
    says "^bosc run: wrong.yaml:$(grep -n '^    wrong' wrong.yaml | cut -d: -f1): member 5999, clamps.0.amplitude=wrong: "

# While the members of a larger sweep are read.
sweep 300000 >large.yaml
timeout 300 "$BOSC" run large.yaml -q -o large.nc >out 2>&1 </dev/null &
started=$!
sleep 2
for process in $(writers large.nc); do
    kill -TERM "$process"
done
wait $started
ok "SIGTERM ends the reading of a sweep" is $? 130
ok "and is told" says '^bosc run: stopped by signal 15 .*during set-up'

# The same bits with a launcher, on one rank and on two, and with I/O ranks.
if [ -n "${MPIEXEC:-}" ]; then
    sweep 7 | sed 's/duration: 1,/duration: 9,/; s/^tstop: 1/tstop: 10/' >some.yaml
    alone some.yaml -q -o alone.nc
    run 1 some.yaml -q -o one.nc --set output.io_ranks=1
    run 2 some.yaml -q -o two.nc
    ok "a process alone has the bits of one rank" nc_same alone.nc one.nc
    ok "and of two" nc_same alone.nc two.nc
else
    skip "no MPI launcher"
fi
done_testing
