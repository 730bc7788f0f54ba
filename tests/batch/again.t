#!/bin/bash
# again.t - a job that is run again: what is finished stays as it is.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_ncdump
need_launcher
own_folder
diagnose="cat out"

cp "$BOSC_SRC/morphologies/small-low.swc" cell.swc
printf '# two of it\ncell.swc\t2\n' >cells.tsv
printf '# time source\n1 0\n2.5 0\n' >times.tsv
cat >job.yaml <<'END'
tstop: 5
populations:
  - {name: read, morphologies: cells.tsv, regions: {all: {pas: {}}, soma: {hh: {}}}}
synapses: [{name: fast, type: ExpSyn}]
sources: [{name: input, type: file, file: times.tsv}]
projections: [{from: input, to: read, synapse: fast, rule: all_to_all, weight: 0.001}]
probes: [{name: soma, interval: 0.5}]
END
# RANKS ARGUMENTS...
once_more() {
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run job.yaml -o x.nc "${@:2}" >out 2>&1 </dev/null
    rc=$?
}
done_already() {
    is $rc 0 && cmp -s x.nc first.nc &&
        says 'x.nc is the finished result of this job: nothing to do \(--overwrite'
}
refused() {
    is $rc 73 && cmp -s x.nc first.nc &&
        once "^bosc run: x.nc: holds $1; choose another output, move it away, or replace it with --overwrite$"
}

once_more 2
ok "a job is run" eval 'is $rc 0 && [ -s x.nc ]'
cp -p x.nc first.nc
ok "it says of which job, without lists that are empty: another version may not know them" eval \
    'ncdump -h x.nc | grep -q "populations: 1" && ! ncdump -h x.nc | grep -q "couplings:"'
for ranks in 1 2; do
    once_more $ranks
    ok "$ranks ranks: run again it does nothing, and says so" done_already
    once_more $ranks --set threads=2 --set backend=ref
    ok "$ranks ranks: also with other threads and another backend" done_already
    once_more $ranks --set tstop=6
    ok "$ranks ranks: the result of another job is kept, and what differs is named" \
        refused 'the finished result of another job \(tstop is 6, there 5, and [0-9]+ more values?\)'
    ok "$ranks ranks: no lock and nothing else is left" is "$(echo x.nc*)" x.nc
done
once_more 1 --quiet
ok "a quiet run says nothing" eval 'is $rc 0 && [ ! -s out ]'
once_more 2 --dry-run
ok "a dry run checks all the same, and says so" eval 'done_already && says "2 neurons"'
once_more 1 --dry-run --set celsius=20
ok "and tells what would be refused" refused 'the finished result of another job \(celsius is 20, there 6.3\)'

sed -i 's/two of it/still two/' cells.tsv
once_more 1
ok "a comment in a list changes nothing" done_already
sed -i 's/2$/3/' cells.tsv
once_more 2
ok "a count in it does" refused 'the finished .*\(the contents of populations\[read\].morphologies differ\)'
sed -i 's/3$/2/' cells.tsv
sed -i 's/2.5 0/2.75 0/' times.tsv
once_more 2
ok "so does a time in a table" refused 'the finished .*\(the contents of sources\[input\].file differ\)'
sed -i 's/2.75 0/2.5 0/' times.tsv
sed -i '$s/ [0-9.]* \([-0-9]*\)$/ 0.4321 \1/' cell.swc
once_more 2
ok "and a radius in a morphology" refused 'the finished .*\(the contents of populations\[read\].morphologies differ\)'

once_more 2 --overwrite
ok "--overwrite replaces it" eval 'is $rc 0 && ! cmp -s x.nc first.nc'
cp -p x.nc first.nc
once_more 1
ok "and then that is the finished one" done_already
once_more 1 --overwrite
ok "the same job is run again where it is asked for" eval 'is $rc 0 && nc_same x.nc first.nc && ! cmp -s x.nc first.nc'

printf 'netcdf other { dimensions: n = 2; variables: int a(n); data: a = 1, 2; }' >other.cdl
ncgen -4 -o x.nc other.cdl
cp -p x.nc first.nc
once_more 2
ok "a file of another program is kept" refused 'something else than a finished result \(it has no attribute job_values\)'
head -c 300 first.nc >x.nc
cp -p x.nc first.nc
once_more 1
ok "so is what cannot be read" refused 'something else than a finished result \(.*\)'
: >x.nc
once_more 1
ok "an empty file is replaced" eval 'is $rc 0 && [ -s x.nc ]'
done_testing
