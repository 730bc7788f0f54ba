#!/bin/bash
# signals.t - a signal before the first step ends the run of all ranks in
# order, whichever of them gets it; limits of files are told before MPI begins.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_launcher
need_ncdump
own_folder
diagnose="cat out"

cat >job.yaml <<'END'
tstop: 1
populations:
  - {name: cells, synthetic: {compartments: 31, sections: 7}, count: 20,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
synapses:
  - {name: fast, type: ExpSyn, tau: 2, e: 0}
projections:
  - {from: cells, to: cells, rule: fixed_indegree, indegree: 3, synapse: fast,
     weight: 0.001, delay: 0.5, at: soma}
couplings:
  - {type: gap, from: cells, to: cells, rule: ring, conductance: 0.0001}
probes:
  - {name: soma, at: soma, interval: 0.1}
END

# The rank AT_RANK gets the signal AT_SIGNAL in its AT_CALL-th agreement; 0:
# while MPI begins.  Without a signal it waits there for one from outside.
# Without a call nothing happens, and the file 'calls' gets a byte for each
# agreement until there is an output.
cat >early.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int PMPI_Init_thread(void *argc, void *argv, int wanted, int *provided);
int PMPI_Iallreduce(const void *send, void *receive, int n, long type, long op,
                    long comm, void *request);

static void signal_here(int call)
{
    const char *rank = getenv("PMI_RANK"), *number = getenv("AT_SIGNAL");
    const char *wanted = getenv("AT_CALL");
    sigset_t all, before;

    if (wanted == NULL && access("early.nc.partial", F_OK) != 0) {
        int fd = open("calls", O_WRONLY | O_CREAT | O_APPEND, 0666);

        if (fd < 0 || write(fd, ".", 1) != 1)
            exit(1);
        close(fd);
    }
    if (wanted == NULL || atoi(wanted) != call ||
        (rank != NULL && atoi(rank) != atoi(getenv("AT_RANK"))))
        return;
    if (number != NULL) {
        raise(atoi(number));
        return;
    }
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    close(open("here", O_WRONLY | O_CREAT, 0666));
    sigsuspend(&before);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int MPI_Init_thread(void *argc, void *argv, int wanted, int *provided)
{
    signal_here(0);
    return PMPI_Init_thread(argc, argv, wanted, provided);
}

int MPI_Iallreduce(const void *send, void *receive, int n, long type, long op,
                   long comm, void *request)
{
    static int calls;

    signal_here(++calls);
    return PMPI_Iallreduce(send, receive, n, type, op, comm, request);
}
END
cc -shared -fPIC -o early.so early.c 2>/dev/null ||
    skip_all "no compiler for a library that raises signals"

# signal RANKS RANK CALL SIGNAL
signal() {
    rm -f early.nc*
    timeout 300 "$MPIEXEC" -n "$1" env LD_PRELOAD="$work/early.so" AT_RANK="$2" \
        AT_CALL="$3" AT_SIGNAL="$(kill -l "$4")" \
        "$BOSC" run job.yaml -q -o early.nc >out 2>&1 </dev/null
    rc=$?
}
nothing_left() { [ -z "$(ls -d early.nc* 2>/dev/null)" ]; }
stopped() { [ "$rc" = 130 ] && once "^bosc run: stopped by signal $1 .*during set-up" && nothing_left; }

timeout 300 "$MPIEXEC" -n 1 env LD_PRELOAD="$work/early.so" \
    "$BOSC" run job.yaml -q -o early.nc >out 2>&1 </dev/null
calls=$(($(wc -c <calls) - 1)) # without the begin
ok "a set-up has agreements" [ "$calls" -gt 10 ]

# The lists, the division, the network, couplings, the file: so many per cent of
# the agreements before there is an output.
while read -r ranks rank part name; do
    signal "$ranks" "$rank" $((calls * part / 100)) "$name"
    ok "SIG$name to rank $rank of $ranks after $part % of the set-up ends the run in order" \
        stopped "$(kill -l "$name")"
done <<'END'
1 0 0 USR1
1 0 0 HUP
2 1 0 USR1
2 1 0 TERM
1 0 2 INT
2 1 4 HUP
3 2 15 USR1
2 0 35 TERM
2 1 60 USR1
3 1 80 HUP
2 0 95 INT
1 0 102 TERM
END

# From outside, to the launcher.
for name in USR1 TERM; do
    rm -f early.nc* here
    timeout 300 "$MPIEXEC" -n 2 env LD_PRELOAD="$work/early.so" AT_RANK=1 AT_CALL=9 \
        "$BOSC" run job.yaml -q -o early.nc >out 2>&1 </dev/null &
    launcher=$!
    for ((i = 0; i < 1200; i++)); do
        [ -e here ] && break
        sleep 0.05
    done
    kill -"$name" "$(pgrep -P $launcher -x "$(basename "$MPIEXEC")" || echo $launcher)"
    wait $launcher
    ok "SIG$name to the launcher is told once" \
        once "^bosc run: stopped by signal $(kill -l "$name") .*during set-up"
    ok "SIG$name to the launcher leaves no process" in_time 20 nobody_writes early.nc
    ok "SIG$name to the launcher leaves no file" nothing_left
done
timeout 300 nohup "$MPIEXEC" -n 1 env LD_PRELOAD="$work/early.so" AT_RANK=0 \
    AT_CALL=20 AT_SIGNAL="$(kill -l HUP)" "$BOSC" run job.yaml -q -o early.nc >out 2>&1 </dev/null
ok "under nohup a hang-up ends nothing" is $? 0
ok "and the results are complete" [ -s early.nc ]

# waits_for_pipe FILE: does a rank that writes FILE sleep, with the pipe open?
waits_for_pipe() {
    local process
    for process in $(writers "$1"); do
        [ -z "$(find "/proc/$process/fd" -lname '*/pipe' 2>/dev/null)" ] ||
            ! grep -qs '^State:.S' "/proc/$process/status" || return 0
    done
    return 1
}

# While rank 0 waits for a job from a pipe.
mkfifo pipe
exec 5<>pipe # an end that writes nothing
for ranks in 1 2; do
    rm -f early.nc*
    timeout 300 "$MPIEXEC" -n $ranks "$BOSC" run pipe -q -o early.nc >out 2>&1 </dev/null 5>&- &
    launcher=$!
    in_time 50 waits_for_pipe early.nc
    for process in $(writers early.nc); do
        kill -TERM "$process"
    done
    wait $launcher
    rc=$?
    ok "$ranks ranks: SIGTERM ends the wait for a job from a pipe" stopped 15
done
exec 5>&-

# In the loop: what the message says of the file is so.  Ranges of many epochs,
# in the middle of which the signal comes.
sed 's/^tstop:.*/tstop: 10000000/; /^couplings:/,/type: gap/d' job.yaml >network.yaml
sed 's/^tstop:.*/tstop: 10000000/; /^projections:/,/weight:/d' job.yaml >coupled.yaml
# to_its_end RANKS JOB: some seconds after the loop began a rank gets SIGTERM.
to_its_end() {
    rm -f loop.nc*
    timeout 300 "$MPIEXEC" -n "$1" "$BOSC" run "$2" -q -o loop.nc >out 2>&1 </dev/null &
    launcher=$!
    in_time 60 reached loop.nc 0
    sleep 2.4 # ranges get longer
    kill -TERM "$(writers loop.nc | tail -n 1)"
    wait $launcher
    said=$(sed -n 's/^bosc run: stopped by signal 15 .* at t = \([0-9.]*\) ms; the results until then are in loop.nc.partial; run the job again .*$/\1/p' out)
    last=$(ncdump -p 9,17 -v time_soma loop.nc.partial | sed -n '/^data:/,$p' | tr -c '0-9.\n' '\n' | grep . | tail -n 1)
}
# A frame is recorded every 0.1 ms.
until_then() {
    echo "# stopped at ${said:-?} ms, last frame at ${last:-?} ms"
    awk -v t="$said" -v last="$last" 'BEGIN { exit !(t > 0 && last > t - 0.1001 && last < t + 0.0001) }'
}
while read -r ranks job; do
    to_its_end "$ranks" "$job"
    ok "$ranks ranks: the file of $job that a signal has stopped reaches to the time told" until_then
done <<'END'
1 network.yaml
2 network.yaml
2 coupled.yaml
END

# Files that may not grow: 4 MB is too little for MPI, 0 for a line of text.
for ranks in 1 3; do
    (ulimit -f 4000 && timeout 300 "$MPIEXEC" -n $ranks "$BOSC" run job.yaml -o early.nc) >out 2>&1 </dev/null
    ok "$ranks ranks: a limit of files that MPI does not stand is an error" is $? 74
    ok "$ranks ranks: told once, with the remedy" once \
        '^bosc run: .*4096000 bytes.*raise the limit \(ulimit -f\)'
done
(ulimit -f 0 && "$BOSC" generate --class small-low >cell.swc) 2>&1 | cat >out
ok "a text that may not be written is told" once 'standard output.*File too large'
done_testing
