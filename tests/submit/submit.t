#!/bin/bash
# submit.t - 'bosc submit': what it asks for, what it hands to sbatch, and what
# the script does when a run ends.  SLURM is played by scripts.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive
unset BOSC_MACHINE OMP_NUM_THREADS BOSC_LAUNCHER SLURM_JOB_ID SLURM_NTASKS

own_folder
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
diagnose="cat out"
mkdir -p config/bosc

cat >job.yaml <<'END'
name: job
tstop: 20
populations:
  - {name: c, synthetic: {compartments: 60, sections: 13}, count: 8, regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps: [{at: soma, duration: 20, amplitude: 0.3}]
probes: [{name: soma}]
END

# --- SLURM ------------------------------------------------------------------

mkdir slurm
# fake NAME: a program of that name from standard input.
fake() {
    { echo '#!/bin/bash' && cat; } >"slurm/$1" && chmod +x "slurm/$1"
}
fake sbatch <<'END'
echo "$*" >>calls
[ ! -e refuse ] || { echo "sbatch: error: invalid partition" >&2; exit 1; }
echo "$((40 + $(wc -l <calls)));cluster"
END
fake squeue <<'END'
echo "squeue $*" >>asked
cat queue 2>/dev/null
END
fake scontrol <<'END'
[ "$2" != partition ] || { cat partitions 2>/dev/null; exit; }
[ "$1" != show ] || { cat restarts 2>/dev/null; exit; }
echo "scontrol $*" >>asked
[ ! -e no-requeue ]
END
PATH=$work/slurm:$PATH

submit() {
    timeout 300 "$BOSC" submit "$@" >out 2>err </dev/null
    rc=$?
    cat err >>out
}
refused() { is $rc "$1" && says "$2"; }
# Has the header this line?
asks() { grep -qxF -- "#SBATCH $1" out; }

# --- what it asks for -------------------------------------------------------

submit job.yaml --dry-run
ok "--dry-run prints a script" eval "is $rc 0 && head -n 1 out | grep -qx '#!/bin/bash'"
ok "it hands nothing to sbatch, and writes nothing" [ ! -e calls ] && [ ! -e job.nc.sbatch ]
ok "it is sound" bash -n out
ok "a small job gets one rank" asks "--ntasks=1"
ok "of one thread" asks "--cpus-per-task=1"
ok "and five minutes" asks "--time=00:05:00"
ok "of which the last part is for a checkpoint" asks "--signal=B:USR1@100"
ok "it may be requeued" asks "--requeue"
ok "and its log goes on then" asks "--open-mode=append"
ok "the log is beside the result" asks "--output=job-%j.log"
ok "the body is that of jobs/bosc.sbatch" eval \
    "is \"\$(sed -n '/^# From here on/,\$p' out)\" \"\$(sed -n '/^# From here on/,\$p' '$BOSC_SRC/jobs/bosc.sbatch')\""
ok "it says what is expected" says '^# Expected: .* on 1 rank'

memory() { sed -n 's/^#SBATCH --mem-per-cpu=\([0-9]*\)M$/\1/p' out; }
whole=$(memory)
ok "there is memory with a margin" [ "${whole:-0}" -gt 64 ]
submit job.yaml --dry-run -c 2
ok "memory is divided among the threads of a rank" eval "[ $(memory) -le $((whole / 2 + 1)) ] && asks --cpus-per-task=2"
submit job.yaml --dry-run -n 6 -N 3 -t '36 h' --rank-memory 2GiB --warning 300 -p fast -A lab -J 'my job' \
    --set tstop=5 -o 'my run.nc' --overwrite --launcher mpiexec --program /opt/bosc
ok "each of it can be said" eval 'asks --nodes=3 && asks --ntasks=6 && asks --ntasks-per-node=2 &&
    asks --time=1-12:00:00 && asks --mem-per-cpu=2048M && asks --signal=B:USR1@300 &&
    asks --partition=fast && asks --account=lab'
ok "names may have blanks" eval 'asks "--job-name=\"my job\"" && asks "--output=\"my run-%j.log\""'
ok "and the run gets the rest" grep -qxF "set -- job.yaml -o 'my run.nc' --set tstop=5 --overwrite" out
ok "with its program and launcher" eval 'grep -qxF "BOSC=\${BOSC:-/opt/bosc}" out && grep -qxF "BOSC_LAUNCHER=\${BOSC_LAUNCHER:-mpiexec}" out'
submit job.yaml --dry-run --launcher 'srum --mpi=pmix'
ok "a launcher must be a program" refused 2 "--launcher 'srum --mpi=pmix': there is no program 'srum' in PATH; did you mean 'srun'\?"
submit job.yaml --dry-run --launcher nothing-like-it
ok "and what is like no known one is told what there is" refused 2 "no program 'nothing-like-it' in PATH; a launcher is srun, mpiexec, or"
for launcher in srun 'srun -n 1' /nowhere/launch 'env A=1 ranks'; do
    submit job.yaml --dry-run --launcher "$launcher"
    ok "or a known name, or a path, with options or without: $launcher" is "$rc" 0
done
# A second line of a value would be a command of the script.
for option in -o -J -p -A; do
    submit job.yaml --dry-run "$option" $'a b\ntouch taken\n'
    ok "$option takes one line" refused 2 "has a line break, tab or other control character behind 'a b'; choose another"
done
grep -v '^name' job.yaml >$'a\nb.yaml'
submit $'a\nb.yaml' --dry-run
ok "so does the name of the job's file" refused 2 "the name of the result \(--output\) has a line break.* behind 'a'"
submit job.yaml --dry-run -J ''
ok "a name is not empty" refused 2 "--name: the value is empty; give NAME, or leave the option out"
for limit in '0.1 s' '1e300 h'; do
    submit job.yaml --dry-run -t "$limit"
    ok "a time limit of $limit is refused" refused 2 "--time $limit: no duration"
done
for limit in 90=01:30:00 30:00=00:30:00 2:00:00=02:00:00 1-12=1-12:00:00 '45 min=00:45:00' '2 d=2-00:00:00'; do
    submit job.yaml --dry-run -t "${limit%=*}"
    ok "a time limit of ${limit%=*}" asks "--time=${limit#*=}"
done

"$BOSC" plan job.yaml --sbatch -r 4 >out 2>&1
ok "'bosc plan --sbatch' prints only the header" eval 'asks --ntasks=4 && ! grep -qv "^#SBATCH " out'

# --- the site ---------------------------------------------------------------

cat >site.yaml <<'END'
partition: long
account: lab
modules: [gcc, bosc/0.1.0]
commands: export A=1
sbatch: ["--qos=high", "--comment=two words", --exclusive]
launcher: mpiexec
time_limit: 4 min
memory_margin: 3
END
cp site.yaml config/bosc/site.yaml
submit job.yaml --dry-run
ok "the site's defaults are in the header" eval 'asks --partition=long && asks --account=lab && asks --qos=high &&
    asks "--comment=\"two words\"" && asks --exclusive'
ok "its limit is kept" asks "--time=00:04:00"
ok "its modules are loaded" eval 'grep -q "^module load gcc ||" out && grep -q "^module load bosc/0.1.0 ||" out'
ok "its commands run" grep -qx 'export A=1' out
ok "its margin counts" [ "$(memory)" -gt "$((2 * whole - 64))" ]
submit job.yaml --dry-run -p short
ok "an option goes over it" eval 'asks --partition=short && ! asks --partition=long'
echo 'partition: other' >other.yaml
submit job.yaml --dry-run --site other.yaml
ok "--site replaces it" eval 'asks --partition=other && ! says "^module"'
printf 'partition: x\nacount: y\n' >other.yaml
submit job.yaml --dry-run --site other.yaml
ok "an unknown key is named with its line" refused 65 "other.yaml:2: unknown key 'acount'; did you mean 'account'"
printf 'time_limit: soon\n' >other.yaml
submit job.yaml --dry-run --site other.yaml
ok "and a limit that is no time" refused 65 "other.yaml:1: time_limit 'soon' is no duration"
printf 'partition: x\nlauncher: srum\n' >other.yaml
submit job.yaml --dry-run --site other.yaml
ok "and a launcher that is no program" refused 65 "other.yaml:2: launcher 'srum': there is no program 'srum' in PATH; did you mean 'srun'"
submit job.yaml --dry-run --site other.yaml --launcher mpiexec
ok "unless an option goes over it" is "$rc" 0
submit job.yaml --dry-run --launcher srum
ok "or modules may bring it" is "$rc" 0
submit --help-site
ok "--help-site lists the keys" eval 'is $rc 0 && says "^  time_limit "'
rm config/bosc/site.yaml

echo 'modules: [nothing]' >other.yaml
submit job.yaml --dry-run --site other.yaml
{ echo 'module() { return 1; }' && cat out; } >script
SLURM_JOB_ID=7 bash ./script >out 2>&1 </dev/null
rc=$?
ok "a module that cannot be loaded ends the job" refused 2 'cannot load module nothing; see .module avail'
for limit in 24 1.5; do
    echo "time_limit: $limit" >other.yaml
    submit job.yaml --dry-run --site other.yaml
    ok "a limit of $limit needs a unit" refused 65 "other.yaml:1: time_limit '$limit' needs a unit; write '$limit h' for hours or"
done

# --- GPUs and nodes ---------------------------------------------------------

if "$BOSC" plan job.yaml --set backend=cuda >out 2>&1; then
    submit job.yaml --dry-run --set backend=cuda -N 1 -n 2
    ok "two ranks of a node ask for two GPUs" eval 'is $rc 0 && asks --gpus-per-node=2 && asks --ntasks=2'
    submit job.yaml --dry-run --set backend=cuda -N 2 -n 3
    ok "three ranks on two nodes for two each" eval 'is $rc 0 && asks --gpus-per-node=2'
    submit job.yaml --dry-run --set backend=cuda -N 1 -n 2 --share
    ok "ranks that share a GPU ask for one" eval 'is $rc 0 && asks --gpus-per-node=1'
else
    for _ in 1 2 3; do skip "this bosc was built without CUDA"; done
fi
cat >partitions <<'ALL'
PartitionName=fast AllowGroups=ALL Default=NO MaxNodes=2 MaxTime=UNLIMITED TotalCPUs=64 TotalNodes=16
PartitionName=test AllowGroups=ALL Default=YES MaxNodes=UNLIMITED MaxTime=UNLIMITED TotalCPUs=16 TotalNodes=4
ALL
submit job.yaml -N 8 -n 8
ok "more nodes than the partition has are refused" refused 2 'asks 8 nodes, partition test has 4; ask for fewer \(-N 4\)'
sed -i /test/d partitions
submit job.yaml -N 3 -n 3 -p fast
ok "so are more than it allows" refused 2 'asks 3 nodes, partition fast has 2'
ok "and no script is written" [ ! -e job.nc.sbatch ] && [ ! -e calls ]
rm partitions

# --- sbatch -----------------------------------------------------------------

submit job.yaml -n 2
ok "it submits the script" eval "is $rc 0 && grep -qx -- '--parsable job.nc.sbatch' calls"
ok "and says the number of the job" says '^job 41$'
ok "where the result will be" says '^  result  *job.nc$'
ok "and log and script" eval "says '^  log  *job-41.log$' && says '^  script  *job.nc.sbatch$'"
ok "and what looks at it" says 'bosc status 41'
echo RUNNING >queue
submit job.yaml
ok "another one for the same result is refused" refused 73 'job.nc: job 41 is to write it .RUNNING'
rm queue
touch refuse
submit job.yaml -o new.nc -p nowhere
ok "what sbatch refuses is told" eval "refused 69 'sbatch refuses new.nc.sbatch' && says 'error: invalid partition'"
rm refuse
ln -s /dev/full full.nc.sbatch
submit job.yaml -o full.nc
ok "a disk that is full is told" refused 74 'full.nc.sbatch: No space left on device; free some space'
ok "and no part of a script is left" [ ! -L full.nc.sbatch ]
submit job.yaml --report -o reported.nc
ok "a report follows the result" eval "is $rc 0 && grep -qx '#SBATCH --dependency=afterok:43' reported.nc.report.sbatch"
ok "it is of this result" grep -qE 'report reported.nc -o reported-report$' reported.nc.report.sbatch
cp job.yaml groups.yaml
echo 'sweep: {grid: {dt: [0.025, 0.0125, 0.05]}}' >>groups.yaml
rm -f calls
submit groups.yaml --report -o groups.nc
ok "a sweep in groups is an array" eval "is $rc 0 && grep -qx '#SBATCH --array=0-2' groups.nc.sbatch"
ok "an element runs its group" grep -q -- '--group "$SLURM_ARRAY_TASK_ID"' groups.nc.sbatch
ok "and has a log of its own" grep -qx '#SBATCH --output=groups-%A_%a.log' groups.nc.sbatch
ok "their results are merged, whatever became of them" \
    eval "grep -qx '#SBATCH --dependency=afterany:41' groups.nc.merge.sbatch && grep -qE 'merge groups.nc$' groups.nc.merge.sbatch"
ok "then comes the report" grep -qx '#SBATCH --dependency=afterok:42' groups.nc.report.sbatch
ok "it says so" eval "says '3 groups of a sweep' && says 'job 42, which merges' && says 'job 43, a report in'"
submit job.yaml --dry-run -o -rf.nc
ok "a result whose name begins with a dash is no option" grep -qx 'set -- job.yaml -o ./-rf.nc' out
submit job.yaml --report -o -rf.nc
ok "not of sbatch, and not of what follows" eval "is $rc 0 && grep -qx -- '--parsable ./-rf.nc.sbatch' calls &&
    grep -q 'report ./-rf.nc' ./-rf.nc.report.sbatch"
PATH=/nowhere "$BOSC" submit job.yaml -o new.nc >out 2>&1
rc=$?
ok "without sbatch the remedy is told" refused 69 'no sbatch here; .*--dry-run'
submit job.yaml -o nowhere/new.nc
ok "a result that cannot be written is refused at once" refused 73 'no folder nowhere'
submit job.yaml -t soon
ok "a time limit must be one" refused 2 '--time soon: no duration; write it such as 90'
submit job.yaml --gpus-per-node 4
ok "GPUs are for jobs that use them" refused 2 '--gpus-per-node is for GPUs, and the job.s backend is cpu; add --set backend=cuda'
"$BOSC" run job.yaml -q --set tstop=1 -o done.nc >/dev/null 2>&1
submit job.yaml -o done.nc
ok "a finished result is not replaced" refused 73 'done.nc: is a finished result; .*--overwrite'
submit nothing.yaml
ok "a job must be there" refused 66 'nothing.yaml: '

# --- the script -------------------------------------------------------------

# A program that does what the file 'ends' says, in one of its lines a start.
cat >bosc <<'END'
#!/bin/bash
echo "$*" >>started
while [ $# -gt 0 ]; do
    [ "$1" != --outcome ] || outcome=$2
    shift
done
read -r code said <ends
sed -i 1d ends
[ "$said" = none ] || echo "$said" >"$outcome"
exit "$code"
END
chmod +x bosc
submit job.yaml --dry-run
cp out script

# start ENDS...: the script, as often as there are words "CODE OUTCOME".
start() {
    printf '%s\n' "$@" >ends
    : >asked
    for _ in "$@"; do
        SLURM_JOB_ID=7 SLURM_NTASKS=1 BOSC=$work/bosc BOSC_LAUNCHER=env \
            timeout 30 bash ./script >out 2>&1 </dev/null
        rc=$?
    done
}
requeues() { grep -c '^scontrol requeue 7$' asked; }
tidy() { [ -z "$(compgen -G 'bosc-7.*')" ]; }

SLURM_JOB_ID=7 SLURM_NTASKS=1 BOSC=$work/bosc BOSC_LAUNCHER='srum -n 1' bash ./script >out 2>&1 </dev/null
rc=$?
ok "a launcher that is not there is told" refused 2 "no launcher 'srum'; BOSC_LAUNCHER is srun, mpiexec"
start "0 finished"
ok "a finished run ends the script with 0" eval 'is $rc 0 && is "$(requeues)" 0 && tidy'
ok "it got job and options" grep -qE '^run --expect-ranks 1 --outcome bosc-7.requeue.outcome job.yaml$' started
start "143 finished"
ok "also where the launcher does not say so" is $rc 0
start "75 checkpoint 12.5"
ok "a checkpoint requeues the job" eval 'is $rc 75 && is "$(requeues)" 1 && says "time limit near: checkpoint written; requeued, to go on from t = 12.5 ms"'
rm -f bosc-7.*
start "0 checkpoint 12.5"
ok "also where the launcher says 0" eval 'is $rc 75 && is "$(requeues)" 1'
rm -f bosc-7.*
start "75 checkpoint 10" "75 checkpoint 20" "75 checkpoint 30" "0 finished"
ok "as often as it takes" eval 'is $rc 0 && is "$(requeues)" 3 && tidy'
start "75 checkpoint 10" "75 checkpoint 10" "75 checkpoint 10"
ok "two starts without progress are enough" eval 'is $rc 75 && is "$(requeues)" 2 && tidy'
ok "and it says why" says 'no progress beyond t = 10 ms in two restarts, so the job is not requeued again'
start "75 checkpoint 10" "75 checkpoint 10" "75 checkpoint 20" "75 checkpoint 20" "0 finished"
ok "one is not" eval 'is $rc 0 && is "$(requeues)" 4'
start "1 early" "1 early"
ok "a signal during set-up is a start without progress" eval 'is $rc 75 && is "$(requeues)" 1 && tidy'
start "1 failed"
ok "a failure is the script's" eval 'is $rc 1 && is "$(requeues)" 0'
start "137 none"
ok "and a run that was killed" eval 'is $rc 137 && is "$(requeues)" 0'
start "0 none"
ok "a run that says nothing has not finished" eval 'is $rc 1 && is "$(requeues)" 0'
echo 'COMPLETING None' >queue
start "75 checkpoint 12.5"
ok "a job that is cancelled is not requeued" eval 'is $rc 75 && is "$(requeues)" 0 && says "the job is cancelled; submitted again it goes on from t = 12.5 ms"'
echo '   Requeue=1 Restarts=1 BatchFlag=1' >restarts
start "75 checkpoint 12.5"
ok "nor one that SLURM has requeued by itself" eval 'is $rc 75 && is "$(requeues)" 0 && says "requeued, to go on"'
echo 'PENDING None' >queue
start "75 checkpoint 12.5"
ok "as after the failure of a node" eval 'is $rc 75 && is "$(requeues)" 0 && says "requeued, to go on"'
rm -f restarts bosc-7.*
echo 'RUNNING None' >queue
start "75 checkpoint 12.5"
ok "one that is to be preempted is" is "$(requeues)" 1
rm -f bosc-7.*
echo 'COMPLETING TimeLimit' >queue
start "75 checkpoint 12.5"
ok "one that has met its time limit is" is "$(requeues)" 1
rm -f queue bosc-7.*
touch no-requeue
start "75 checkpoint 12.5"
ok "where SLURM refuses, the script says what to do" eval 'is $rc 75 && says "SLURM does not requeue the job; submit it again" && tidy'
rm no-requeue

# A signal to the script alone: the run has it too.
cat >bosc <<'END'
#!/bin/bash
trap 'echo "checkpoint 5" >"$5"; exit 75' USR1 TERM
touch running
for ((i = 0; i < 200; i++)); do sleep 0.1; done
END
for signal in USR1 TERM; do
    rm -f running
    SLURM_JOB_ID=7 BOSC=$work/bosc BOSC_LAUNCHER=env bash ./script >out 2>&1 </dev/null &
    in_time 60 [ -e running ]
    kill -"$signal" $!
    wait $!
    ok "the script hands SIG$signal on" says 'requeued, to go on from t = 5 ms'
    [ $signal = TERM ] ||
        ok "and its log says why" says '^bosc.sbatch: time limit near: checkpoint written; requeued'
    rm -f bosc-7.*
done
sed -i 's/^trap .*/kill -USR1 $PPID; sleep 5/' bosc
start "0 none"
ok "a launcher that a signal ends before there is a run is started again" says 'requeued, to go on from t = 0 ms'
done_testing
