#!/bin/bash
# mechanisms.t - tests/cli/mechanisms.t by the program with an emulated GPU: so
# mechanisms of mod files are tried on one.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export BOSC_SRC BOSC_RESULTS BOSC_BUILD=$BOSC_BUILD/tests/emulate MPIEXEC=
[ -x "$BOSC_BUILD/bosc" ] || skip_all "bosc was built without a C++ compiler"
exec bash "$BOSC_SRC/tests/cli/mechanisms.t"
