#!/bin/sh
# tally.sh LOG... - add up what 'make check' said in its summaries.
#
# Prints "N passed, N failed, N skipped".  A line "stage failed" in a log says
# that a command failed; where no test failed with it, it counts as a failure.
# Exits with 1 when anything failed, or nothing passed.
set -eu
exec awk '
    function close_log() {
        failed += here > 0 ? here : broken
        here = broken = summary = 0
    }
    FNR == 1 { close_log() }
    # A log of all tests may stand before the summary, with the same numbers.
    /^Testsuite summary for / { summary = 1 }
    summary && $1 == "#" && $2 ~ /^(PASS|XFAIL):$/ { passed += $3 }
    summary && $1 == "#" && $2 ~ /^(FAIL|XPASS|ERROR):$/ { here += $3 }
    summary && $1 == "#" && $2 == "SKIP:" { skipped += $3 }
    summary && $1 == "#" && $2 == "ERROR:" { summary = 0 }
    $0 == "stage failed" { broken = 1 }
    END {
        close_log()
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit (failed > 0 || passed == 0)
    }' "$@"
