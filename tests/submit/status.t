#!/bin/bash
# status.t - 'bosc status': what the queue and the files of a run say of a job.
# SLURM is played by scripts.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1
unset BOSC_MACHINE

own_folder
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
diagnose="cat out"
endless_job long >long.yaml

mkdir slurm
fake() {
    { echo '#!/bin/bash' && cat; } >"slurm/$1" && chmod +x "slurm/$1"
}
fake sbatch <<'END'
echo 123
END
fake squeue <<'END'
cat queue 2>/dev/null
END
fake scontrol <<'END'
[ -e left ] && cat left
END
PATH=$work/slurm:$PATH

status() {
    timeout 300 "$BOSC" status "$@" >out 2>&1 </dev/null
    rc=$?
}

# --- before the run ----------------------------------------------------------

status
ok "before the first job it says how to submit one" eval 'is $rc 0 && says "bosc submit JOB.yaml"'
"$BOSC" submit long.yaml -o run.nc >out 2>&1
ok "a job is submitted" says '^job 123$'
echo 'PENDING|Priority|0:00|2:00:00||2026-11-22T20:00:00' >queue
status 123
ok "it waits, and is told why and for how long" eval 'is $rc 0 && says "^job 123  *pending .Priority., expected to start at 2026-11-22T20:00:00"'
ok "there is no result" says 'run.nc is not there yet'
ok "nor a log" says 'run-123.log is not there yet'

# --- while it runs -----------------------------------------------------------

"$BOSC" run long.yaml -o run.nc >run.out 2>&1 </dev/null &
job=$!
for ((i = 0; i < 600; i++)); do
    grep -qs ' left' run.nc.lock && break
    sleep 0.05
done
echo 'RUNNING|None|12:30|1:47:30|n[1-2]|2026-11-22T20:00:00' >queue
status 123
ok "it runs" says '^job 123  *running on n.1-2. for 12:30, 1:47:30 left of its time limit'
ok "by a process" says "^  running  *process $job on "
ok "with progress" says '^  progress  *t = [0-9.]+ of 100000 ms, [0-9]+ %$'
ok "until some time" says '^  end  *in .*, about 20'
cp out by_number
for name in run.nc long.yaml run.nc.partial; do
    status "$name"
    ok "$name is as good as its number" says '^job 123 '
done
status
ok "the list has it" says '^123 .* RUNNING  *[0-9]+ % .*run.nc$'
kill -TERM $job
wait $job
ok "a run that notes its progress is not refused its own lock" grep -q 'run the job again to go on from there' run.out

# --- afterwards --------------------------------------------------------------

echo 'PENDING|BeginTime|0:00|2:00:00||N/A' >queue
status 123
ok "a requeued job shows its checkpoint" says '^  checkpoint  *t = [0-9.]+ ms, [0-9.]+ kB, of 20'
ok "and what is there of the result" eval "unwrapped out | grep -qE 'run.nc.partial is unfinished, with t up to [0-9.]+ of 100000 ms'"
rm queue
status run.nc
ok "a job that SLURM has forgotten is told by its files" eval 'says "^job 123  *no longer in the queue" && says "^  checkpoint "'
ok "with what to do" eval "unwrapped out | grep -q 'submit or run it again to go on'"
printf 'JobId=123 JobName=long\n   JobState=TIMEOUT Reason=TimeLimit Dependency=(null)\n   RunTime=02:00:00 TimeLimit=02:00:00\n' >left
status 123
ok "what scontrol still knows is told" says '^job 123  *timeout .TimeLimit.'
rm left
PATH=/nowhere "$BOSC" status 123 >out 2>&1
rc=$?
ok "without SLURM too" eval 'is $rc 0 && says "^job 123  *no longer in the queue"'

"$BOSC" run long.yaml --set tstop=5 -o short.nc >run.out 2>&1
status short.nc
ok "a finished result that was not submitted" eval 'is $rc 0 && says "^  result  *short.nc is finished: [0-9.]+ kB, of 20"'
"$BOSC" run long.yaml --set tstop=5 -o sweep.nc --set clamps='[{at: soma, delay: 0, duration: 5, amplitude: 0}]' \
    --set 'sweep={grid: {clamps.0.amplitude: [0.1, -1e6, 0.2]}}' >run.out 2>&1
status sweep.nc
ok "members that have failed are told" eval 'is $rc 0 && says "^  failed  *1 of 3 members"'

"$BOSC" run long.yaml -o killed.nc --set checkpoint.every=0.001 >run.out 2>&1 </dev/null &
job=$!
for ((i = 0; i < 600; i++)); do
    grep -q '^checkpoint' run.out && break
    sleep 0.05
done
kill -KILL $job
wait $job 2>/dev/null
touch -d '10 minutes ago' killed.nc.lock
status killed.nc
ok "a run that was killed is told" says '^  killed  *process .*'
ok "and its checkpoint" says '^  checkpoint  *t = '
printf 'x' >killed.nc.checkpoint
status killed.nc
ok "a checkpoint that is none is told" eval 'is $rc 0 && says "killed.nc.checkpoint cannot be read"'

# --- an array and what follows it --------------------------------------------

fake sbatch <<'END'
echo x >>calls && echo "$((700 + $(wc -l <calls)))"
END
fake squeue <<'END'
case " $* " in
*" 702 "*) echo 'PENDING|Dependency|0:00|30:00||N/A' ;;
*" 701 "*) printf 'RUNNING|None|1:00|2:00|n1|N/A\nRUNNING|None|1:00|2:00|n2|N/A\n' ;;
esac
END
cp long.yaml array.yaml
echo 'sweep: {grid: {dt: [0.025, 0.05, 0.01, 0.02]}}' >>array.yaml
"$BOSC" submit array.yaml --report -o array.nc >out 2>&1
status 701
ok "an array is told with its merge" eval 'says "^job 701  *running .*; 1 more$" && says "^  merge 702  *pending .Dependency.$"'
ok "and its report" says '^  report 703  *no longer in the queue'
ok "the logs of an array are not there yet" says '^  log  *[^ ]*/array-701_\*.log are not there yet$'
cp out whole
status 702
ok "the number of the merge leads to the same" is "$(cat out)" "$(cat whole)"
status array.nc
ok "so does the result" is "$(cat out)" "$(cat whole)"
"$BOSC" run array.yaml --group 0 --set tstop=1 -o array.nc >run.out 2>&1
"$BOSC" run array.yaml --group 2 --set tstop=1 -o array.nc >run.out 2>&1
for ((i = 0; i < 4; i++)); do touch "array-701_$i.log"; done
fake squeue <<'END'
case " $* " in
*" 701 "*%K*) printf '3\n4\n' ;;
esac
END
touch array-701_.log array-701_x.log array-701_1.log.old
status 701
ok "the log of an element that has failed is named" eval \
    'says "^  log  *[^ ]*/array-701_\*.log$" && says "^  failed  *group 1, see [^ ]*/array-701_1.log$"'
ok "none of one that is finished, or in the queue" eval '[ "$(grep -c "^  failed" out)" = 1 ]'
sed -i '$s/\tmerge.*//' state/bosc/jobs.tsv
status 701
ok "a line of an older bosc has none" eval 'is $rc 0 && ! says merge'

# --- mistakes ----------------------------------------------------------------

status 99
ok "an unknown number" eval 'is $rc 66 && says "99: no such batch job is known here"'
status nothing.nc
ok "a result that was never begun" eval 'is $rc 66 && says "nothing.nc: neither a result nor anything of a run is there"'
printf 'x' >text.nc
status text.nc
ok "a file of another kind" eval 'is $rc 66 && says "text.nc is there, but no result of bosc"'
status nothing.yaml
ok "a job that is not there" eval 'is $rc 66 && says "nothing.yaml: "'
status short.nc run.nc
ok "two at once" eval 'is $rc 2 && says "unexpected argument"'
done_testing
