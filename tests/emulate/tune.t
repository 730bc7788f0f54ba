#!/bin/bash
# tune.t - 'bosc-bench tune' on an emulated GPU, and what is chosen by its measurements.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
emulated=$BOSC_BUILD/tests/emulate/bosc-bench
[ -x "$emulated" ] || skip_all "bosc was built without a C++ compiler"
export OMP_WAIT_POLICY=passive BOSC_METHODS=$PWD/none
own_folder
diagnose="cat out"

tune() {
    timeout 300 "$emulated" tune --backend cuda --kind loops --minutes 3 \
        --threads 1 -o d "$@" >out 2>&1 </dev/null
    rc=$?
}
says() { grep -qE -- "$1" out; }
left_out() { [ "$rc" = 0 ] && says "$1"; }
refused() { [ "$rc" != 0 ] && says "$1"; }
batches() { awk -F '\t' '$1 ~ /^[0-9]/ { n++ } END { print n / 2 }' d/cuda-loops.tsv; }
column() { awk -F '\t' -v c="$1" '$1 == "batch" { for (i = 1; i <= NF; ++i) if ($i == c) at = i }
    $1 ~ /^[0-9]/ { print $at }' d/cuda-loops.tsv | sort -u | tr '\n' ' '; }

tune --batches 3
ok "batches are measured" [ "$rc:$(batches)" = 0:3 ]
ok "by the methods of the GPU" [ "$(column method)" = "cell-blocks depth-first " ]
ok "the file says which GPU" \
    grep -qP '^# device\temulated, 4 multiprocessors, 32 lanes$' d/cuda-loops.tsv
ok "and each batch what it is like" \
    [ "$(column processors)$(column shared)" = "4 2.3245e+05 " ]
tune --batches 2
ok "it goes on where it was" [ "$rc:$(batches)" = 0:5 ]

cp -r d before
export BOSC_EMULATED_MEMORY=4000000
tune --batches 4
ok "a batch that does not fit is left out" left_out "batch [0-9]+ is left out: .*memory"
ok "and the others are measured" [ "$(batches)" = 9 ]
export BOSC_EMULATED_MEMORY=100
tune
ok "where none fits, it ends, and says why" refused "^bosc-bench tune: .*memory"
ok "after some more have been tried" [ "$(grep -c "left out" out)" = 7 ]
ok "and keeps what it has" [ "$(batches)" = 9 ]
unset BOSC_EMULATED_MEMORY

CUDA_VISIBLE_DEVICES='' timeout 300 "$BOSC_BENCH" tune --backend cuda -o e >out 2>&1
rc=$?
ok "without a GPU it is refused" refused CUDA
done_testing
