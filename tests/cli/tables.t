#!/bin/bash
# tables.t - tables that other programs write, and tables from pipes, give the
# network that they say.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C

need_ncdump
need_launcher
own_folder
diagnose="cat out"

# run RANKS ARGUMENTS...: its words in 'out', its exit code in rc.  Standard
# input is the caller's.
run() {
    local ranks=$1
    shift
    timeout 300 "$MPIEXEC" -n "$ranks" "$BOSC" run --overwrite "$@" >out 2>&1
    rc=$?
}
alone() {
    timeout 300 "$BOSC" run --overwrite "$@" >out 2>&1
    rc=$?
}
refused() { [ $rc != 0 ] && [ $rc != 124 ] && [ "$(grep -c '^bosc run: ' out)" = 1 ] && grep -qE -- "^bosc run: .*$1" out; }
other() { ! nc_same "$@"; }

awk 'BEGIN {
    print "source\ttarget\tweight\tdelay"
    for (k = 0; k < 600; k++) printf "%d\t%d\t%g\t%g\n", 7 * k % 3, 5 * k % 9, 0.0002 + k / 1e7, 0.1 + k % 7 / 3
}' >edges.tsv
printf 'time\tsource\n0.5\t2\n1\t0\n2.5\t1\n3.25\t2\n' >times.tsv
awk 'BEGIN { print "x\ty\tz"; for (k = 0; k < 9; k++) print k * k "\t" 40 - 3 * k "\t" k }' >positions.tsv
cat >cell.swc <<'END'
1 1 0 0 0 10 -1
2 3 10 0 0 1 1
3 3 90 0 0 1 2
END
printf 'path\tcount\npath\tcount\ncell.swc\t4\ta\ncell.swc\t5\n' >cells.tsv
cat >job.yaml <<'END'
tstop: 5
populations:
  - {name: a, morphologies: cells.tsv, positions: {file: positions.tsv}, regions: {all: {hh: {}}}}
synapses: [{name: fast, type: ExpSyn, tau: 2, e: 0}]
sources: [{name: file, type: file, count: 3, file: times.tsv}]
projections:
  - {from: file, to: a, rule: list, file: edges.tsv, synapse: fast}
  - {from: a, to: a, rule: distance, length: 30, synapse: fast, weight: {distance: [0.01, -5e-5]}, delay: 0.5}
probes: [{name: v, at: soma, interval: 0.1}]
END
alone job.yaml -o one.nc
ok "a job with four tables runs" is $rc 0

# ---- how tables are written ----

for table in edges times positions cells; do
    tr '\n' '\r' <$table.tsv >$table.cr.tsv
    sed 's/$/\r/' $table.tsv >$table.crlf.tsv
    sed 's/$/\r\r/' $table.tsv >$table.crcrlf.tsv
    { printf '\xef\xbb\xbf' && cat $table.tsv; } >$table.mark.tsv
    tr '\t' ',' <$table.tsv >$table.comma.tsv
    sed 's/\t/ ; /g' $table.tsv >$table.semicolon.tsv
    sed -E 's/[^\t]+/"&"/g' $table.tsv >$table.quoted.tsv
    tr '[:lower:]' '[:upper:]' <$table.tsv >$table.capital.tsv
    head -c -1 $table.tsv >$table.cut.tsv
done
for form in cr crlf crcrlf mark cut; do
    sed -E "s/(edges|times|positions|cells)\.tsv/\1.$form.tsv/" job.yaml >other.yaml
    alone other.yaml -o $form.nc
    ok "four tables ($form) give the same" nc_same one.nc $form.nc
done
for form in comma semicolon quoted capital; do
    sed -E "s/(edges|times|positions)\.tsv/\1.$form.tsv/" job.yaml >other.yaml
    alone other.yaml -o $form.nc
    ok "three tables ($form) give the same" nc_same one.nc $form.nc
done
printf 'source\ttarget\tweight\r0\t0\t1\r0\t9\t1\r' >far.tsv
alone job.yaml -o bad.nc --set 'projections[0].file=far.tsv'
ok "a row past the end is refused by its line, with CR" refused 'far.tsv:3: target .9. is out of range'
printf 'source\ttarget\tweight\n0\t0\t0.1\n0\t1\t0.1\0002\n' | head -c -1 >nul.tsv
alone job.yaml -o bad.nc --set 'projections[0].file=nul.tsv'
ok "so is a NUL character in a last line without end" refused 'nul.tsv:3: a NUL character'

# ---- values that no network has ----

# list ROW: the job with an edge more.
list() {
    cp edges.tsv more.tsv
    printf '%b\n' "$1" >>more.tsv
    alone job.yaml -o bad.nc --set 'projections[0].file=more.tsv' "${@:2}"
}
list '0\t1\t1e308\t1'
ok "a weight beyond all weights is refused" refused \
    "more.tsv:602: weight '1e308' is out of range; allowed: -1000000 to 1000000"
list '0\t1\t-1e400\t1'
ok "so is one beyond all numbers" refused "more.tsv:602: weight '-1e400' is not a finite number"
list '9007199254740993\t1\t0\t1'
ok "a source beyond 2^53" refused "more.tsv:602: source '9007199254740993' is not a whole number below 2.53"
list '-1\t1\t0\t1'
ok "a source below 0" refused "more.tsv:602: source '-1' is out of range; allowed: 0 to 2"
list '0\t1\t0\t-0.1'
ok "a delay below 0" refused "more.tsv:602: delay '-0.1' is out of range; allowed: 0 to 1000000"
list '0\t1\t0\t1e6' --set dt=1e-6 --set tstop=1e-4
ok "a delay of over 2^31 steps" refused \
    "projections\[0\].file=more.tsv: projection 'file-a': a delay of 1e.06 ms to neuron 1 is 2147483647 steps of 1e-06 ms or more"
list '0\t1\t0\t1000000'
ok "a delay beyond the run is none of them" is $rc 0
sed '$d' positions.tsv >far.tsv
printf '1e10\t0\t0\n' >>far.tsv
alone job.yaml -o bad.nc --set 'populations[0].positions.file=far.tsv'
ok "a position ten kilometres away is refused" refused "far.tsv:10: x '1e10' is out of range; allowed: -1000000000 to 1000000000"

# ---- pipes ----

for ranks in 1 3; do
    run $ranks job.yaml -o pipe.nc --set 'projections[0].file=/dev/stdin' < <(cat edges.tsv)
    ok "edges from a pipe give the same ($ranks)" nc_same one.nc pipe.nc
    run $ranks job.yaml -o pipe.nc --set 'projections[0].file=/dev/stdin' <edges.tsv
    ok "so do edges from standard input ($ranks)" nc_same one.nc pipe.nc
done
mkfifo fifo fifo.tsv
for table in edges times positions; do
    alone job.yaml -o pipe.nc --set "$(
        case $table in
            edges) echo 'projections[0].file' ;;
            times) echo 'sources[0].file' ;;
            positions) echo 'populations[0].positions.file' ;;
        esac
    )=/dev/fd/9" 9< <(cat $table.tsv)
    ok "$table from a process substitution give the same" nc_same one.nc pipe.nc
    timeout 300 cat $table.tsv >fifo &
    sed "s/$table\.tsv/fifo/" job.yaml >other.yaml
    run 2 other.yaml -o pipe.nc </dev/null
    wait $!
    ok "$table from a named pipe, too" nc_same one.nc pipe.nc
done
for ranks in 1 3; do
    run $ranks job.yaml -o bad.nc --set 'projections[0].file=/dev/stdin' \
        --set 'sources[0].file=/dev/stdin' < <(cat edges.tsv)
    ok "two tables from one pipe are refused ($ranks)" \
        refused '/dev/stdin: the pipe is empty; if it was read before, write its content to a file'
done
timeout 300 cat one.nc >fifo &
run 2 job.yaml -o bad.nc --set 'sources[0].file=fifo' </dev/null
wait $!
ok "so is NetCDF from a pipe" refused 'fifo: NetCDF cannot be read from a pipe; write it to a file first'

# One list for two populations, which is read once.
cat >two.yaml <<'END'
tstop: 1
populations:
  - {name: a, morphologies: cells.tsv, regions: {all: {hh: {}}}}
  - {name: b, morphologies: cells.tsv, regions: {all: {hh: {}}}}
END
alone two.yaml -o two.nc
timeout 300 cat cells.tsv >fifo.tsv &
sed 's/cells.tsv/fifo.tsv/' two.yaml >other.yaml
run 2 other.yaml -o pipe.nc </dev/null
wait $!
ok "a list of morphologies for two populations may be a pipe" \
    is "$(grep -E '^  [ab] ' out | tr -s ' ')" " a 9 neurons, fifo.tsv
 b 5 neurons, fifo.tsv"
timeout 300 cat cell.swc >fifo &
run 1 two.yaml -o pipe.nc --set 'populations=[{name: a, morphologies: fifo, count: 3, regions: {all: {hh: {}}}}]' </dev/null
wait $!
ok "so may be a morphology" is $rc 0
sed 's/cells.tsv/fifo/' two.yaml >other.yaml
run 2 other.yaml -o bad.nc </dev/null
ok "but not for two populations" refused 'other.yaml: fifo is a pipe, which can be read once, and is named more'
done_testing
