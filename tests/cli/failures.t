#!/bin/bash
# failures.t - a full disk, a folder without rights, a killed rank: each ends
# the run within seconds, with one message and no file that looks finished.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

need_ncdump
need_launcher
own_folder
diagnose="cat out"

endless_job failures >job.yaml

# launch RANKS COMMAND...: its words in 'out', its exit code in rc, its seconds.
launch() {
    local ranks=$1 began=$SECONDS
    shift
    timeout 300 "$MPIEXEC" -n "$ranks" "$@" >out 2>&1 </dev/null
    rc=$?
    seconds=$((SECONDS - began))
}

if unshare -m bash -c 'full_disk true' 2>/dev/null; then
    for ranks in 1 2; do
        rm -f full.nc full.nc.partial
        began=$SECONDS
        timeout 300 unshare -m bash -c 'full_disk "$@"' bash "$MPIEXEC" -n $ranks \
            "$BOSC" run "$work/job.yaml" -o disk/full.nc >out 2>&1 </dev/null
        rc=$?
        seconds=$((SECONDS - began))
        ok "$ranks ranks: a full disk ends the run" ended 40
        ok "$ranks ranks: with one message, and the remedy" once \
            'No space left on device; free some space'
        ok "$ranks ranks: no file looks finished" [ ! -e full.nc ]
        ok "$ranks ranks: what there was room for is kept, marked as incomplete" eval \
            'ncdump -h full.nc.partial | grep -q "completed = \"no: .*No space left"'
        ok "$ranks ranks: and can be read, all of it" is_sound full.nc.partial 20
    done
    cat >whole.yaml <<'END'
tstop: 4000
populations: [{name: a, synthetic: {compartments: 3, sections: 1}, count: 12, regions: {all: {pas: {}}}}]
probes: [{name: soma, interval: 0.025}]
output: {compression: 0}
END
    timeout 300 unshare -m bash -c 'full_disk "$@"' bash \
        "$BOSC" run "$work/whole.yaml" -o disk/whole.nc >out 2>&1 </dev/null
    ok "a disk of 8.4 MB is filled but for a row of chunks and the end of the file" \
        [ "$(stat -c %s whole.nc.partial)" -gt 6000000 ]
    ok "and how much is free and needed is told" says \
        'No space left on device; .* \(.* MB are free; what waits in memory and .* may need .* MB\)'
else
    skip "a full disk cannot be made here"
fi

mkdir locked
chmod 555 locked
chmod 755 .
as_nobody=()
if [ "$(id -u)" = 0 ]; then
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/)
fi
if "${as_nobody[@]}" "$BOSC" --version >out 2>&1; then
    for ranks in 1 2; do
        # the launcher itself is not among the things to test
        launch $ranks "${as_nobody[@]}" "$BOSC" run job.yaml -o locked/out.nc
        ok "$ranks ranks: a folder without rights ends the run" ended 30
        ok "$ranks ranks: with one message, and the remedy" once \
            'no file can be made in folder locked: Permission denied; choose another'
    done
    ok "nothing is made there" [ -z "$(ls locked)" ]
else
    skip "a user without rights cannot be made here"
fi

for which in 1 2; do
    rm -f kill.nc kill.nc.partial
    timeout 300 "$MPIEXEC" -n 2 "$BOSC" run job.yaml -o "$work/kill.nc" >out 2>&1 </dev/null &
    launcher=$!
    in_time 50 on_disk kill.nc.partial
    began=$SECONDS
    kill -KILL "$(writers "$work/kill.nc" | sed -n ${which}p)"
    wait $launcher
    rc=$?
    seconds=$((SECONDS - began))
    ok "rank $which of 2 killed: the run ends" ended 20
    ok "rank $which of 2 killed: no process is left" in_time 20 nobody_writes "$work/kill.nc"
    ok "rank $which of 2 killed: no file looks finished" [ ! -e kill.nc ]
    ok "rank $which of 2 killed: what was on the disk can be read" \
        is_sound kill.nc.partial 1
    ok "rank $which of 2 killed: and is marked as incomplete" eval \
        'ncdump -h kill.nc.partial | grep -q "completed = \"no: it is running, or was killed"'
done
# Came the exit code in less than so many seconds?
came() { [ "$seconds" -lt "$1" ] && [ "$rc" = "$2" ]; }

# An MPI library whose MPI_Finalize() never returns, with less patience.
cat >stuck.c <<'END'
#include <sys/time.h>
#include <unistd.h>
int MPI_Finalize(void) { for (;;) pause(); }
unsigned alarm(unsigned seconds)
{
    struct itimerval soon = {.it_value = {0, seconds > 0 ? 500000 : 0}};
    setitimer(ITIMER_REAL, &soon, NULL);
    return 0;
}
END
if cc -shared -fPIC -o stuck.so stuck.c 2>/dev/null; then
    launch 1 env LD_PRELOAD="$work/stuck.so" "$BOSC" run job.yaml --set tstop=1 -o end.nc
    ok "a library that hangs does not keep a run" came 20 0
    ok "one message says so" once "MPI_Finalize.. has hung for 30 s"
    ok "and the file is complete" eval 'ncdump -h end.nc | grep -q "completed = \"yes\""'
    launch 1 env LD_PRELOAD="$work/stuck.so" "$BOSC" run nothing.yaml
    ok "the exit code stays what it was" came 20 66
else
    skip "no compiler for a library that hangs"
fi
done_testing
