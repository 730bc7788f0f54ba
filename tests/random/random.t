#!/bin/bash
# random.t - jobs drawn at random give the same bits in every way to run them.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
python=$(find_python json)
[ -n "$python" ] || skip_all "no python3"
own_folder
"$python" "$BOSC_SRC/tests/random/jobs" --from 1 --jobs 60 --log log >out 2>&1
diagnose="cat out"
ok "60 jobs of fixed seeds, each in all its variants" is $? 0
done_testing
