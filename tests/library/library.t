#!/bin/bash
# library.t - what the shared libraries need and show, and a program that is made
# with what is installed.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
here=$BOSC_SRC/tests/library
names="bosc bosc-mpi bosc-netcdf bosc-tridiag"
own_folder
diagnose="tail -n 30 out"

# --- what they need -----------------------------------------------------------

needs() { readelf -d "$BOSC_BUILD/lib$1.so.0" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'; }
report "libbosc needs, through others too, no MPI, netCDF, HDF5, CUDA or Python" \
    "$(ldd "$BOSC_BUILD/libbosc.so.0" | grep -iE 'mpi|netcdf|hdf5|cuda|nvrtc|python')"
report "neither does libbosc-tridiag, nor YAML" \
    "$(ldd "$BOSC_BUILD/libbosc-tridiag.so.0" | grep -iE 'mpi|netcdf|hdf5|cuda|nvrtc|python|yaml')"
report "libbosc-mpi itself needs no netCDF, HDF5 or CUDA" "$(needs bosc-mpi | grep -iE 'netcdf|hdf5|cuda')"
report "libbosc-netcdf itself needs no MPI or CUDA" "$(needs bosc-netcdf | grep -iE 'mpi|cuda')"

# --- what they show -----------------------------------------------------------

# The names before a bracket in a header, without comments.
declared() {
    sed 's,/\*.*\*/,,; /\/\*/,/\*\//d' "$BOSC_SRC/include/$1.h" | tr '\n' ' ' |
        grep -oE '\bbosc_[a-z_]+\(' | tr -d '(' | sort -u
}
shown() {
    nm -D --defined-only "$BOSC_BUILD/lib$1.so.0" |
        awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u
}
for name in $names; do
    declared "${name//-/_}" >wanted
    shown "$name" >found
    ok "include/${name//-/_}.h declares functions" [ -s wanted ]
    report "lib$name shows these and nothing else" "$(diff wanted found)"
    ok "its soname is lib$name.so.0" is "lib$name.so.0" \
        "$(readelf -d "$BOSC_BUILD/lib$name.so.0" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
done

# --- what they declare --------------------------------------------------------

cc=$(command -v "${BOSC_CC:-cc}")
mpicc=$(sed -n 's/^CC = //p' "$BOSC_BUILD/Makefile")
strict="-Wall -Wextra -Wstrict-prototypes -pedantic -Werror"
# compiles COMPILER OPTIONS...: with the headers, of a text on standard input.
compiles() { "$@" -I"$BOSC_SRC/include" -fsyntax-only - >out 2>&1; }
if [ -n "$cc" ]; then
    for std in c99 c11; do
        # shellcheck disable=SC2086
        ok "bosc.h is $std" compiles "$cc" -std=$std $strict -x c <<<'#include <bosc.h>'
        # shellcheck disable=SC2086
        ok "bosc_tridiag.h is $std" compiles "$cc" -std=$std $strict -x c <<<'#include <bosc_tridiag.h>'
    done
    # shellcheck disable=SC2086
    ok "bosc_netcdf.h is c99" compiles "$cc" -std=c99 $strict -x c <<<'#include <bosc_netcdf.h>'
    # shellcheck disable=SC2086
    ok "bosc_mpi.h is c99, with a compiler of MPI" compiles $mpicc -std=c99 $strict -x c <<<'#include <bosc_mpi.h>'
else
    skip "no C compiler"
fi
# shellcheck disable=SC2086
if compiles $mpicc -x c++ <<<'int main() {}'; then
    # shellcheck disable=SC2086
    ok "a program in C++ has all four" compiles $mpicc -std=c++11 -Wall -Wextra -pedantic -Werror -x c++ <"$here/header.cpp"
else
    skip "no C++ compiler"
fi

# --- a program ----------------------------------------------------------------

# 7 steps of 0.025 ms are not the number 0.175.
sed 's/interval: 0.1}/interval: 0.175, threshold: -33}/' "$BOSC_SRC/jobs/ring.yaml" >ring.yaml
job=ring.yaml
tstop=60
alone "$job" -q --set tstop=$tstop -o ring.nc
printf 'dump\tring.nc\tring.dump\n' | "$BOSC_BUILD/tests/random/results" >out
ok "a run that it is compared with" says dumped
# client JOB TSTOP COMMAND...: what it says in 'out', all of it "ok".
client() {
    timeout 300 "${@:3}" "$1" ring.dump "$2" >out 2>&1 </dev/null && says '^1\.\.1[0-9]$' && ! says '^not'
}
ok "a program with libbosc.so reads the bits of 'bosc run'" client "$job" $tstop "$BOSC_BUILD/tests/library/client"

# --- what is installed ----------------------------------------------------------

prefix=$work/prefix
install() { MAKEFLAGS='' make -C "$BOSC_BUILD" "$@" prefix="$prefix" >out 2>&1 </dev/null; }
ok "all is installed" install install
ok "with links for the linker" eval \
    'for name in $names; do is lib$name.so.0 "$(readlink "$prefix/lib/lib$name.so")" || exit; done'
if [ -n "$cc" ] && command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    build() {
        # shellcheck disable=SC2046
        "$cc" -std=c11 -Wall -Wextra -pedantic -Werror -o client "$here/client.c" \
            $(pkg-config --define-variable=prefix="$prefix" --cflags --libs bosc) >out 2>&1
    }
    ok "pkg-config tells all that a compiler needs" build
    # build_tridiag FILE: as its head says.
    build_tridiag() {
        # shellcheck disable=SC2046
        "$cc" -std=c99 -Wall -Wextra -pedantic -Werror -o tridiag "$1" \
            $(pkg-config --define-variable=prefix="$prefix" --cflags --libs bosc-tridiag) -lm >out 2>&1
    }
    alone_tridiag() { env -i PATH="$PATH" LD_LIBRARY_PATH="$prefix/lib" ./tridiag >out 2>&1; }
    ok "the example of libbosc-tridiag is made of what is installed" \
        build_tridiag "$prefix/share/doc/bosc/tridiag-example.c"
    ok "and solves in every layout" eval \
        'alone_tridiag && [ "$(grep -cE "^(flat|cp|ncp|sliced) .* largest error [0-9.]+e-1[45]\$" out)" = 4 ]'
    # The program that the head of a header shows.
    sed -n 's/^ \*     \?//p' "$prefix/include/bosc_tridiag.h" | sed -n '/^#include/,/^}/p' >shown.c
    ok "so is the one that its header shows" eval \
        'build_tridiag shown.c && alone_tridiag && is "$(cat out)" "1 2 3, 2 1"'
    ok "the program finds the library, and reads the same bits" client "$job" $tstop env -i \
        PATH="$PATH" HOME="$work" LD_LIBRARY_PATH="$prefix/lib" ./client
else
    skip "no C compiler, or no pkg-config"
fi
if command -v valgrind >/dev/null && [ -x client ] &&
    ! nm "$BOSC_BUILD/libbosc.so.0" | grep -q __asan_init; then
    # It does not know AVX-512.
    small=(--set populations.cells.count=4 --set 'probes.0.neurons=0-1' --set tstop=20)
    "$BOSC" run "$job" -q "${small[@]}" -o small.nc >out 2>&1
    sed -e 's/count: 32/count: 4/' -e 's/neurons: "0,8,16,24"/neurons: 0-1/' "$job" >small.yaml
    printf 'dump\tsmall.nc\tring.dump\n' | "$BOSC_BUILD/tests/random/results" >out
    ok "valgrind finds no error in it, and no leak" client small.yaml 20 env OMP_NUM_THREADS=1 BOSC_ISA=v3 \
        LD_LIBRARY_PATH="$prefix/lib" valgrind -q --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite --suppressions="$BOSC_SRC/tests/lib/valgrind.supp" \
        ./client
else
    skip "valgrind is not installed"
fi
ok "all is uninstalled" install uninstall
report "and nothing is left" "$(find "$prefix" ! -type d)"
done_testing
