#!/bin/sh
# start.sh RANKS PROGRAM... - run a test, an MPI one on RANKS ranks, of which only
# rank 0 prints TAP.  After the second $TESTS_UNTIL (since 1970) it is skipped:
# what has less time than it would take says what it has left out.
ranks=$1
shift
if [ -n "${TESTS_UNTIL:-}" ] && [ "$(date +%s)" -ge "$TESTS_UNTIL" ]; then
    echo "1..0 # SKIP no time is left"
    exit 0
fi
[ "$ranks" -gt 1 ] || exec "$@"
if [ -z "${MPIEXEC:-}" ]; then
    echo "1..0 # SKIP no MPI launcher"
    exit 0
fi
exec timeout 300 "$MPIEXEC" -n "$ranks" "$@"
