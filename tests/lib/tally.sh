#!/bin/sh
# tally.sh LOG... - add up what 'make check' said in its summaries.
#
# Prints which tests failed, each with its log, then "N passed, N failed, N
# skipped".  A line "stage failed" in a log says that a command failed; where no
# test failed with it, it counts as a failure, and the log's last lines are shown.
# Exits with 1 when anything failed, or nothing passed.
set -eu
exec awk '
    function close_log(i) {
        failed += here > 0 ? here : broken
        if (broken && !named)
            for (i = lines > 15 ? lines - 15 : 0; i < lines; i++)
                print log_name ": " last[i % 15]
        here = broken = summary = named = lines = 0
    }
    FNR == 1 { close_log(); log_name = FILENAME }
    /^(FAIL|XPASS|ERROR): / && !told[FILENAME, $0]++ {
        print FILENAME ": " $0
        named = 1
    }
    { last[lines++ % 15] = $0 }
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
