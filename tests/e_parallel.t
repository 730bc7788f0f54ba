#!/bin/bash
# e_parallel.t - a file that all I/O ranks write has the same bits as one of a
# single writer; a full disk, a killed rank or a signal ends them together.
set -u
. "${BOSC_SRC:-$(dirname "$0")/..}/tests/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
need_launcher
own_folder
diagnose="cat out"

cat >job.yaml <<'END'
name: parallel
tstop: 12
populations:
  - {name: small, synthetic: {compartments: 30, sections: 7}, count: 41,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
  - {name: large, synthetic: {compartments: 300, sections: 31}, count: 3,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
clamps:
  - {at: soma, delay: 1, duration: 9, amplitude: 0.3}
probes:
  - {name: soma, at: soma, variables: [v, m, h], interval: 0.1}
  - {name: all, at: everywhere, variables: [v, n]}
  - {name: one, population: large, neurons: "1", at: "dend[0](0.5)"}
  - {name: odd, population: small, at: everywhere, interval: 0.175}
END

# run RANKS ARGUMENTS...
run() {
    local ranks=$1
    shift
    timeout 100 "$MPIEXEC" -n "$ranks" "$BOSC" run job.yaml -o way.nc "$@" \
        >out 2>&1 </dev/null
    rc=$?
}
says() { grep -qE -- "$1" out; }
set_keys() {
    set=()
    for key; do
        set+=(--set "output.$key")
    done
}

set_keys parallel=yes
run 1 "${set[@]}"
if [ "$rc" != 0 ]; then
    ok "a netCDF that writes from one rank is told, with the remedy" \
        says 'output.parallel: yes, but the netCDF of this bosc writes from one rank only.*build-aux/parallel-netcdf.*auto'
    ok "before there is a file" [ ! -e way.nc.partial ]
    set_keys io_ranks=2
    run 2 "${set[@]}"
    ok "and rank 0 writes, without being asked" says '2 I/O ranks, written by rank 0'
    skip "this netCDF writes from one rank only"
    done_testing
    exit 0
fi
ok "one rank may have leave to write with others" [ -s way.nc ]
mv way.nc one.nc

# RANKS | what is set | what it is
while IFS='|' read -r ranks keys sentence; do
    # shellcheck disable=SC2086  # words of it
    set_keys $keys
    run "$ranks" "${set[@]}"
    ok "$sentence: the same bits" nc_same one.nc way.nc
    case $keys in
    *=no*) ok "$sentence: so it says" says 'written by rank 0' ;;
    *) ok "$sentence: so it says" says "by way of [234] I/O ranks, which all write" ;;
    esac
done <<'END'
2|io_ranks=2|two of two ranks write
2|io_ranks=2 parallel=no|one of two I/O ranks
4|io_ranks=2 compression=1|two of four ranks write, compressed
3|io_ranks=3 buffer=0.05|three write slices of some columns
END
done_testing
