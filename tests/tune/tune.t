#!/bin/bash
# tune.t - 'bosc-bench tune': batches are measured, and kept.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
own_folder
diagnose="cat out"

tune() {
    timeout 300 "$BOSC_BENCH" tune --threads 1 -o d "$@" >out 2>&1 </dev/null
    rc=$?
}
refused() { [ "$rc" != 0 ] && says "$1"; }
says() { grep -qE -- "$1" out; }
# Batches of a kind: each has a line for each of N methods.
batches() { awk -F '\t' -v n="$2" '!/^#/ && NR > 1 && $1 != "batch" { b++ }
    END { print b / n }' "d/$1.tsv"; }

tune --batches 2 --minutes 4
ok "two batches of each kind are measured" [ "$rc" = 0 ]
ok "each method of each has a line" [ "$(batches loops 2) $(batches products 3)" = "2 2" ]
ok "the file says what it is of" grep -qP '^# device\t.+ lanes$' d/loops.tsv
ok "all numbers of a batch's line are there" [ "$(awk -F '\t' '
    $1 == "batch" { n = NF } $1 ~ /^[0-9]/ && NF != n { bad++ }
    END { print bad + 0, (n > 20) }' d/loops.tsv)" = "0 1" ]
ok "all methods of a batch see the same features" [ "$(awk -F '\t' '
    $1 ~ /^[0-9]/ { k = $1; $1 = $2 = $3 = $4 = $5 = $6 = ""; s[k, $0]++ }
    END { for (x in s) if (s[x] != 2) bad++; print bad + 0 }' d/loops.tsv)" = 0 ]
cp -r d before
tune --batches 1 --minutes 4 --kind loops
ok "it goes on where it was" [ "$rc:$(batches loops 2) $(batches products 3)" = "0:3 2" ]
ok "and leaves what was measured as it was" cmp -n "$(stat -c %s before/loops.tsv)" \
    before/loops.tsv d/loops.tsv
ok "no batch is measured twice" [ "$(awk -F '\t' '$1 ~ /^[0-9]/ { print $1 }' \
    d/loops.tsv | sort -u | wc -l)" = 3 ]
ok "the third is of somata alone" [ "$(awk -F '\t' '
    $1 == "batch" { for (k = 1; k <= NF; k++) at[$k] = k }
    $1 == 2 { print $at["mean_size"], $at["levels"] }' d/loops.tsv | uniq)" = "3 1" ]

"$BOSC_BENCH" tune --threads 1 -o e --minutes 5 >out 2>&1 </dev/null &
in_time 60 [ -s e/products.tsv ]
kill -TERM $!
wait $!
ok "stopped by a signal, it keeps what it has" [ -s e/products.tsv ]
tune --batches 1 --minutes 1 -q
ok "quiet, it says nothing" [ ! -s out ]

# A Python that tells how it was called.
data=$BOSC_SRC/bench/select/avx512-products-1.tsv
device=$(grep '^# device' d/products.tsv)
mkdir many && sed "s/^# device.*/$device/" "$data" | head -n 400 >many/products.tsv
cat >python <<'END'
#!/bin/sh
echo "$@" >called
exit "$(cat ends)"
END
chmod +x python
echo 0 >ends
export BOSC_PYTHON=$work/python
tune --batches 1 --minutes 4 --kind products
ok "nothing is learned from few batches" [ ! -e called ]
tune --batches 1 --minutes 4 --kind products -o many
ok "from many there is" grep -q '/bench/select/fit-selection many/products.tsv$' called
echo 1 >ends
tune --batches 1 --minutes 4 --kind products -o many
ok "what fails there leaves the measurements" is "$rc" 0
ok "and the command to learn from them" says 'python .*bench/select/fit-selection many/products.tsv$'
rm called
tune --batches 1 --minutes 4 --kind products -o many --measure-only
ok "unless only to measure is asked for" [ ! -e called ]

echo x >f
timeout 300 "$BOSC_BENCH" tune -o f >out 2>&1
rc=$?
ok "a file where the folder should be is refused" refused 'f: .*--output'
sed -i 's/^# program.*/# program\tbosc 0.0.0/' d/loops.tsv
tune --batches 1 --kind loops
ok "measurements of another version are refused" \
    refused 'd/loops.tsv:3: .*another'
done_testing
