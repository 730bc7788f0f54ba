#!/bin/bash
# gather.t - results have the same bits whatever way they took into the file,
# and a buffer that is full is told of.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
need_launcher
own_folder
diagnose="cat out"

two_sizes gather 6 23 ", interval: 0.25" >job.yaml

# run RANKS[@] ARGUMENTS...: on two nodes, which MPICH's launcher can feign,
# with an @.
run() {
    local ranks=$1 nodes=()
    shift
    case $ranks in
    *@) nodes=(-bootstrap fork -hosts "n1:2,n2:2") ;;
    esac
    timeout 300 "$MPIEXEC" "${nodes[@]}" -n "${ranks%@}" "$BOSC" run --overwrite job.yaml \
        -o way.nc "$@" >out 2>&1 </dev/null
    rc=$?
}
says() { unwrapped out | grep -qE -- "$1"; }

timeout 300 "$BOSC" run job.yaml -o one.nc >out 2>&1 </dev/null
ok "a job with many probes runs on one rank" [ -s one.nc ]
ok "with nothing to wait for, nothing is said" eval '! says "run waited"'

# RANKS | what is set | what it is
while IFS='|' read -r ranks keys sentence; do
    set=()
    for key in $keys; do
        set+=(--set "output.$key")
    done
    case $ranks in
    *@)
        "$MPIEXEC" --version 2>/dev/null | grep -q HYDRA ||
            { skip "$sentence: this launcher cannot pretend several nodes" && continue; }
        ;;
    esac
    run "$ranks" "${set[@]}"
    ok "$sentence: the same bits" nc_same one.nc way.nc
done <<'END'
2||two ranks of one node
3|io_ranks=1|one I/O rank
3|io_ranks=2|two I/O ranks of one node
3|io_ranks=3 buffer=0.01|every rank is an I/O rank, and blocks are small
4@||an I/O rank on each of two nodes
4@|buffer=0.005|two nodes, and blocks of some columns
2|buffer=0.001 compression=9|the same, with much to compress
END
ok "that the run waited for the file is told, with the remedy" \
    says 'the run waited .*buffer of 0.001 MB being full.*output.buffer'
run 2 --set output.io_ranks=2
ok "the number of I/O ranks is told" says 'by way of 2 I/O ranks'
rm -f way.nc
run 2 --set output.io_ranks=3
ok "more I/O ranks than ranks are refused" differs $rc 0
ok "with both numbers" says 'output.io_ranks: 3 I/O ranks, but the run has 2 ranks'
ok "before there is a file" [ ! -e way.nc.partial ]
run 1 --set output.buffer=0
ok "a buffer of nothing is refused, with what is allowed" \
    says 'buffer.*out of range; allowed: 0.001'
done_testing
