#!/bin/bash
# jobs.t - what may happen to a batch job, on a real SLURM of four nodes on this
# machine: nothing is lost beyond the last checkpoint, no job hangs, and no file
# is half a file.
#
# The cases run side by side, each in a folder of its own, and take some minutes:
# 'make check-slurm' runs them, 'make check' does not.  Arguments are the names
# of some of them.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export BOSC BOSC_SRC OMP_NUM_THREADS=1
unset BOSC_LAUNCHER BOSC_MACHINE
PATH=$PATH:/usr/sbin:/sbin
cases=${*:-limit late chain node preempt kill disk twice sweep}

[ "$(id -u)" = 0 ] || skip_all "slurmd needs root"
for program in slurmctld slurmd munged srun sbatch; do
    command -v $program >/dev/null || skip_all "$program is not installed"
done
need_ncdump
"$BOSC" --version >/dev/null 2>&1 || skip_all "the program bosc is not built"
# Where it can be, in a namespace of its own, with a small disk for one case.
if [ -z "${BOSC_OWN_DISK:-}" ] && unshare -m true 2>/dev/null; then
    BOSC_OWN_DISK=yes exec unshare -m "$0" "$@"
fi

work=$(mktemp -d /tmp/bosc-jobs.XXXXXX) && chmod 755 "$work" || exit 1
cluster=$work/s
finish() {
    "$BOSC_SRC/tests/slurm/slurm-down.sh" "$cluster"
    umount "$work/disk/small" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

# --- the cluster, and what the jobs run ---------------------------------------

# A node each for what goes down, and for what is preempted.  No job waits for
# another case's: there are more CPUs than all of them ask for.
cat >partitions <<'END'
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=main Nodes=n[1-2] PreemptMode=OFF
PartitionName=frail Nodes=n3 PreemptMode=OFF
PartitionName=low Nodes=n4 PriorityTier=1 PreemptMode=REQUEUE GraceTime=20
PartitionName=urgent Nodes=n4 PriorityTier=9 PreemptMode=OFF
END
"$BOSC_SRC/tests/slurm/slurm-up.sh" "$cluster" 4 16 partitions >up.out 2>&1
[ $? != 77 ] || skip_all "slurmd needs control groups, and has none here"
diagnose="cat up.out" ok "a SLURM of four nodes is up" [ -s "$cluster/pids" ]
[ -s "$cluster/pids" ] || { done_testing && exit 1; }
export SLURM_CONF=$cluster/slurm.conf

# Spikes are on their way all the time: at each step some are sent, and arrive up
# to 40 ms later.
net() {
    echo "tstop: $1"
    cat <<'END'
seed: 5
populations:
  - {name: a, synthetic: {compartments: 60, sections: 13}, count: 60,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
  - {name: b, synthetic: {compartments: [30, 90], sections: [7, 11]}, count: 43,
     regions: {all: {pas: {}, hh: {}}}}
synapses: [{name: fast, type: ExpSyn, tau: 2}]
sources: [{name: noise, type: poisson, rate: 80, count: 20}]
projections:
  - {from: noise, to: a, synapse: fast, rule: fixed_indegree, indegree: 10, weight: 0.01, delay: {uniform: [1, 30]}}
  - {from: a, to: b, synapse: fast, rule: fixed_indegree, indegree: 8, weight: 0.005, delay: {uniform: [1, 40]}}
  - {from: b, to: a, synapse: fast, rule: fixed_probability, probability: 0.2, weight: 0.004, delay: 2.5}
probes: [{name: soma, at: soma, variables: [v, hh.m], interval: 20}]
END
}
# Two of its checkpoints take 10 MB.
large() {
    cat <<'END'
tstop: 60
populations: [{name: c, synthetic: {compartments: 319, sections: 157}, count: 1800, regions: {all: {pas: {}}, soma: {hh: {}}}}]
clamps: [{neurons: "0-19", at: soma, delay: 5, duration: 50, amplitude: 0.3}]
probes: [{name: soma, neurons: "0-3", interval: 1}]
END
}

# Of how many ms of that network does this machine compute about 1 s?
net 4000 >first.yaml
began=$(date +%s%N)
"$BOSC" run first.yaml -q
a_second=$((4000 * 1000000000 / ($(date +%s%N) - began)))
net $((8 * a_second)) >net.yaml
net $((90 * a_second)) >long.yaml
net $((3600 * a_second)) >endless.yaml
net $((3 * a_second)) >sweep.yaml
echo 'sweep: {grid: {celsius: [5, 6, 7, 8, 9, 10]}}' >>sweep.yaml
large >large.yaml
often=(--set checkpoint.every=0.02)

# --- a case -------------------------------------------------------------------

# try SENTENCE COMMAND...: a line of TAP in the file 'tap'; where the command fails
# with the logs, and the case is over.
try() {
    if "${@:2}"; then
        echo "ok - $1" >>tap
    else
        echo "not ok - $1" >>tap
        {
            ls -l --full-time
            [ ! -e id ] || scontrol show job "$(cat id)" | head -n 6
            tail -n 25 ./*.log
        } 2>&1 | sed 's/^/# /' >>tap
        [ ! -e id ] || scancel "$(cat id)"
        exit 1
    fi
}

# submit LOG JOB OUTPUT SBATCH'S OPTIONS...: its number in the file 'id'.
# What follows '--' goes to 'bosc run'.
submit() {
    local log=$1 job=$2 output=$3 options=()
    shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# = 0 ] || shift
    sbatch --parsable --job-name="${PWD##*/}" -p main -t 30 --output="$PWD/$log" "${options[@]}" \
        "$BOSC_SRC/jobs/bosc.sbatch" "$work/$job" -o "$output" "$@" >id 2>>submit.log
}

field() { scontrol show job "$(cat id)" -o | grep -oE "\b$1=[^ ]*" | head -n 1 | cut -d= -f2-; }
state_is() { [[ "$(field JobState)" =~ ^($1)$ ]]; }
is_over() { state_is 'COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|PREEMPTED|OUT_OF_MEMORY'; }
has_started() { [ "$(field Restarts)" -ge "$1" ]; }
logged() { grep -qE -- "$2" "$1" 2>/dev/null; }
is_under_way() { logged "$1" '%  t ='; }
goes_on() { logged "$1" '^  resuming  *at t = [0-9.]+ ms from a checkpoint'; }
ended_with() { [ "$(field ExitCode)" = "$1:0" ]; }
is_whole() { [ -s "$1" ] && in_time 240 [ -e "$work/refs/$2" ] && nc_same "$work/refs/$2" "$1"; }
# Is what a killed run leaves sound?  A checkpoint that it was writing has a name
# of its own.  A requeued run may be writing the results again, and have them locked.
is_sound_if_killed() {
    [ ! -e "$1" ] &&
        HDF5_USE_FILE_LOCKING=FALSE ncdump -h "$1.partial" >/dev/null &&
        ncdump -v v "$1.checkpoint" >/dev/null &&
        tail -c 70 "$1.checkpoint" | grep -aq '^checksum '
}
# Of one that ended by itself nothing is half a file, either.
is_sound() { is_sound_if_killed "$1" && [ ! -e "$1.checkpoint.new" ]; }
has_spikes_on_their_way() { ncdump -h "$1.checkpoint" | grep -qE '^\sflight = [1-9]'; }
nothing_else_is_left() {
    [ "$(find . -name 'out.nc*' -o -name '*.requeue*')" = ./out.nc ]
}
# The job ends well, with the bits of the run without interruption.
ends_well() { # SECONDS LOG REFERENCE
    try "it ends" in_time "$1" state_is COMPLETED
    try "it went on from a checkpoint" goes_on "$2"
    try "and has the bits of a run without interruption" is_whole out.nc "$3"
    try "nothing else is left" nothing_else_is_left
}

# Its time limit is near, twice: warned by SLURM the job requeues itself.  SLURM
# looks each 30 s, and warns up to 30 s too early: here 10 to 40 s after the
# start, so not before there are results.
case_limit() {
    submit 1.log long.yaml "$PWD/out.nc" -n 1 -t 1 --signal=B:USR1@20
    try "a job near its limit is requeued" in_time 150 has_started 1
    try "what it has left is sound" in_time 20 is_sound out.nc
    try "spikes were on their way" has_spikes_on_their_way out.nc
    try "it is requeued again" in_time 150 has_started 2
    scontrol update JobId="$(cat id)" TimeLimit=30
    ends_well 300 1.log long.nc
}

# The limit is over before anybody has warned the job.
case_late() {
    submit 1.log endless.yaml "$PWD/out.nc" -N 2 -n 2 -t 1 --signal=B:CONT@1
    try "a job beyond its limit is requeued" in_time 200 has_started 1
    try "what it has left is sound" in_time 20 is_sound out.nc
    scancel "$(cat id)"
    try "while it waits it can be cancelled" in_time 30 state_is CANCELLED
    try "no rank is left behind" in_time 20 nobody_writes "$PWD/out.nc"
}

# Cancelled on one rank, stopped on four, ended on two.
case_chain() {
    submit 1.log net.yaml "$PWD/out.nc" -n 1
    try "a job on one rank runs" in_time 100 is_under_way 1.log
    scancel "$(cat id)"
    try "cancelled, it ends" in_time 60 is_over
    try "no rank is left behind" in_time 20 nobody_writes "$PWD/out.nc"
    try "what it has left is sound" in_time 20 is_sound out.nc
    try "spikes were on their way" has_spikes_on_their_way out.nc
    submit 2.log net.yaml "$PWD/out.nc" -N 2 -n 4 --no-requeue
    try "submitted again, four tasks on two nodes go on" in_time 100 is_under_way 2.log
    try "from the checkpoint" goes_on 2.log
    scancel -b -s USR1 "$(cat id)"
    try "warned, where it may not be requeued, it ends" in_time 60 is_over
    try "with 75" ended_with 75
    try "what it has left is sound" in_time 20 is_sound out.nc
    submit 3.log net.yaml "$PWD/out.nc" -N 2 -n 2
    ends_well 200 3.log net.nc
}

# Daemons of this job's steps.
steps() {
    local process
    for process in $(pgrep -x slurmstepd); do
        tr '\0' ' ' <"/proc/$process/cmdline" | grep -qF "[$(cat id)." &&
            tr '\0' '\n' <"/proc/$process/environ" | grep -qxF "SLURM_CONF=$SLURM_CONF" &&
            echo "$process"
    done 2>/dev/null
}

# reboot NODE: the daemons of a node that was down outlive their job by some
# seconds, and then end its next start, too; after a reboot there are new ones.
reboot() {
    local file=$cluster/slurmd.$1.pid old
    old=$(cat "$file")
    # shellcheck disable=SC2046  # numbers, none or more
    kill -KILL "$old" $(steps)
    rm -f "$file"
    slurmd -f "$SLURM_CONF" -N "$1" </dev/null >>"$cluster/start.log" 2>&1 &&
        in_time 30 [ -s "$file" ] &&
        sed -i "s/^slurmd $old$/slurmd $(cat "$file")/" "$cluster/pids" &&
        scontrol update nodename="$1" state=resume
}

# Its node goes down, and comes back.
case_node() {
    submit 1.log net.yaml "$PWD/out.nc" -p frail -n 2 -- "${often[@]}"
    try "a job has written a checkpoint" in_time 100 logged 1.log '^checkpoint at'
    scontrol update nodename=n3 state=down reason=test
    try "where its node goes down it is requeued" in_time 60 has_started 1
    try "no rank is left behind" in_time 30 nobody_writes "$PWD/out.nc"
    try "what it has left is sound" in_time 20 is_sound_if_killed out.nc
    try "its node comes back" reboot n3
    ends_well 200 1.log net.nc
}

case_preempt() {
    submit 1.log net.yaml "$PWD/out.nc" -p low -n 2 --exclusive
    try "a job of low priority runs" in_time 100 is_under_way 1.log
    cp id low
    sbatch --parsable -p urgent --exclusive -t 1 -o "$PWD/urgent.log" --wrap 'sleep 1' >id
    try "an urgent one gets its node" in_time 120 state_is COMPLETED
    cp low id
    try "it was requeued" has_started 1
    ends_well 200 1.log net.nc
}

case_kill() {
    submit 1.log net.yaml "$PWD/out.nc" -N 2 -n 3 -- "${often[@]}"
    try "a job has written a checkpoint" in_time 100 logged 1.log '^checkpoint at'
    kill -KILL "$(writers "$PWD/out.nc" | tail -n 1)"
    try "where a rank is killed the job ends" in_time 60 is_over
    try "as failed" state_is FAILED
    try "no rank is left behind" in_time 20 nobody_writes "$PWD/out.nc"
    try "what it has left is sound" in_time 20 is_sound_if_killed out.nc
    submit 2.log net.yaml "$PWD/out.nc" -n 2
    ends_well 200 2.log net.nc
}

# Of 8 MB one checkpoint takes five.
case_disk() {
    local small=$PWD/small
    mkdir small
    if [ -z "${BOSC_OWN_DISK:-}" ] || ! mount -t tmpfs -o size=8m bosc small; then
        echo "ok # SKIP no disk of our own" >>tap
        return
    fi
    submit 1.log large.yaml "$small/out.nc" -n 2 -- --set checkpoint.every=0.003
    try "on a disk that is full a checkpoint fails, and the job goes on" \
        in_time 100 logged 1.log '^warning: no checkpoint at .*No space left on device; free some space'
    scancel -b -s USR1 "$(cat id)"
    try "where the last one fails, too, the job ends" in_time 60 is_over
    try "with 74" ended_with 74
    try "the checkpoint before it is sound" is_sound small/out.nc
    mount -o remount,size=64m small
    submit 2.log large.yaml "$small/out.nc" -n 2
    try "with more space it ends" in_time 200 state_is COMPLETED
    try "having gone on from that" goes_on 2.log
    try "with the bits of a run without interruption" is_whole small/out.nc large.nc
}

case_twice() {
    submit 1.log net.yaml "$PWD/out.nc" -n 1
    try "a job runs" in_time 100 is_under_way 1.log
    cp id first
    submit 2.log net.yaml "$PWD/out.nc" -n 2
    try "a second one to its output ends" in_time 60 is_over
    try "with 73" ended_with 73
    try "and says why" logged 2.log 'another run is writing it'
    cp first id
    try "the first one ends well" in_time 200 state_is COMPLETED
    try "undisturbed" is_whole out.nc net.nc
}

# An array of six members; one is killed, run again, and merged with the others;
# a report follows.
case_sweep() {
    local merge="$BOSC merge $PWD/out.nc"
    cat >task <<'END'
#!/bin/bash
exec bash "$BOSC_SRC/jobs/bosc.sbatch" ../sweep.yaml -o out.nc --group "$SLURM_ARRAY_TASK_ID"
END
    sbatch --parsable -p main -n 1 -t 30 --array=0-5 -o "$PWD/%a.log" task >array
    sbatch --parsable -p main -t 5 -d "afterany:$(cat array)" -o "$PWD/merge.log" --wrap "$merge" >id
    try "a task of an array runs" in_time 100 reached out.group3.nc 0
    try "it can be killed" kill -KILL "$(sed -n 's/^process \([0-9]*\) .*/\1/p' out.group3.nc.lock)"
    try "where one is killed the others are merged" in_time 200 is_over
    try "as failed" state_is FAILED
    try "it says which member is missing" logged merge.log 'of 6 members, missing: 3;'
    sbatch --parsable -p main -n 1 -t 30 --array=3 -o "$PWD/again.log" task >array
    sbatch --parsable -p main -t 5 -d "afterok:$(cat array)" -o "$PWD/merge2.log" --wrap "$merge" >id
    BOSC_PYTHON=$(find_python netCDF4 matplotlib)
    export BOSC_PYTHON
    sbatch --parsable -p main -t 5 -d "afterok:$(cat id)" -o "$PWD/report.log" \
        --wrap "$BOSC report $PWD/out.nc -o $PWD/page" >report
    try "with that member run again all are merged" in_time 200 state_is COMPLETED
    try "with the bits of the sweep run at once" is_whole out.nc sweep.nc
    if [ -z "$BOSC_PYTHON" ]; then
        echo "ok # SKIP no report: python3-netcdf4 or python3-matplotlib is not installed" >>tap
        return
    fi
    cp report id
    try "a report follows" in_time 100 state_is COMPLETED
    try "it is a page" grep -q '</html>' page/index.html
}

# --- all of them --------------------------------------------------------------

mkdir refs
{
    for name in net large sweep long; do
        "$BOSC" run $name.yaml -q -o refs/unnamed.nc && mv refs/unnamed.nc refs/$name.nc
    done
} >refs.out 2>&1 &

for name in $cases; do
    mkdir "$name"
    (cd "$name" && SECONDS=0 && "case_$name" >case.log 2>&1 && echo "# $name: $SECONDS s" >>tap) &
done
wait

for name in $cases; do
    while IFS= read -r line; do
        case $line in
        "ok "*) count=$((count + 1)) && echo "ok $count ${line#ok }" | sed "s/ - / - $name: /" ;;
        "not ok "*) count=$((count + 1)) && echo "not ok $count ${line#not ok }" | sed "s/ - / - $name: /" ;;
        *) echo "$line" ;;
        esac
    done <"$name/tap"
done
done_testing
