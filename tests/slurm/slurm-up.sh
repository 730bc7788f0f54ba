#!/bin/bash
# slurm-up.sh - start a private SLURM of several nodes on this machine.
#
# usage: slurm-up.sh DIR [NODES [CPUS [FILE]]]      (default: 2 nodes of 2 CPUs)
#
# munged, slurmctld and one slurmd per node run as root with key, ports, state
# and logs of their own in DIR (absolute; short, it holds a socket), beside
# whatever SLURM the machine may have.  The nodes share the machine's cores.
# FILE has more lines for slurm.conf.
# Afterwards:  export SLURM_CONF=DIR/slurm.conf; sinfo; srun -N2 hostname
# Take down:   slurm-down.sh DIR
# Exits with 77 when slurmd insists on control groups and this system, a
# container perhaps, gives it none.
set -eu

die() {
    echo "slurm-up: $*" >&2
    exit 1
}

[ $# -ge 1 ] || die "usage: slurm-up.sh DIR [NODES [CPUS [FILE]]]"
dir=$1 nodes=${2:-2} cpus=${3:-2} more=${4:-/dev/null}
tools=$(cd "$(dirname "$0")" && pwd)
case $dir in /*) ;; *) die "DIR must be absolute: $dir" ;; esac
[ "$(id -u)" = 0 ] || die "needs root: slurmd starts jobs as their owners"
for program in munged slurmctld slurmd; do
    command -v "$program" >/dev/null ||
        die "no $program (Debian, Ubuntu: slurm-wlm munge)"
done
mkdir -p "$dir"
[ -z "$(ls -A "$dir")" ] || die "$dir is not empty"

# The first of $1 ports in a row, from $2 on, where nobody listens.
free_ports() {
    local port=$2 i
    while [ "$port" -lt 60000 ]; do
        for ((i = 0; i < $1; i++)); do
            if (exec 3<>"/dev/tcp/127.0.0.1/$((port + i))") 2>/dev/null; then
                port=$((port + i + 1))
                continue 2
            fi
        done
        echo "$port"
        return
    done
    die "no free ports"
}

# No cgroups, no accounting, short timers: it lives for a minute.
configure() {
    local control node memory
    control=$(free_ports 1 $((16817 + $$ % 1000)))
    node=$(free_ports "$nodes" $((18001 + $$ % 1000)))
    memory=$(awk -v n="$nodes" \
        '/^MemTotal/ { print int($2 / 1024 * 0.9 / n) }' /proc/meminfo)
    cat >"$dir/slurm.conf" <<END
ClusterName=bosc-test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$control
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdSpoolDir=$dir/spool.%n
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmdLogFile=$dir/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=1
KillWait=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n[1-$nodes] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$node-$((node + nodes - 1))] CPUs=$cpus Sockets=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=$memory State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    cat "$more" >>"$dir/slurm.conf"
    case $(slurmctld -V) in
    *" 2"[0-3].* | *" 24.0"*) ;; # knows no such plugin
    *) echo CgroupPlugin=disabled >"$dir/cgroup.conf" ;;
    esac
}

fail() {
    tail -n 20 "$dir"/*.log >&2 || :
    rc=1
    ! grep -qs 'initialize cgroup plugin' "$dir"/slurmd.*.log || rc=77
    "$tools/slurm-down.sh" "$dir" >&2 || :
    echo "slurm-up: $*" >&2
    exit $rc
}

# start NAME PIDFILE COMMAND...: it inherits no pipe of the caller's, which
# would never end; its pid is recorded for slurm-down.sh.
start() {
    local name=$1 pidfile=$2 t
    shift 2
    "$@" </dev/null >>"$dir/start.log" 2>&1 || fail "$name does not start"
    for ((t = 0; t < 600; t++)); do
        [ ! -s "$pidfile" ] || break
        sleep 0.1
    done
    [ -s "$pidfile" ] || fail "$name wrote no $pidfile"
    echo "$name $(cat "$pidfile")" >>"$dir/pids"
}

idle_nodes() {
    sinfo -h -N -o '%N %t' 2>/dev/null | sort -u | grep -c ' idle$' || :
}

mkdir "$dir/state"
chmod 755 "$dir"
configure
(umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
: >"$dir/pids"
export SLURM_CONF=$dir/slurm.conf

start munged "$dir/munged.pid" munged --key-file="$dir/munge.key" \
    --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munged.log" --seed-file="$dir/munged.seed"
start slurmctld "$dir/slurmctld.pid" slurmctld -f "$SLURM_CONF"
for ((i = 1; i <= nodes; i++)); do
    mkdir -p "$dir/spool.n$i"
    start slurmd "$dir/slurmd.n$i.pid" slurmd -f "$SLURM_CONF" -N "n$i"
done
for ((t = 0; t < 500; t++)); do
    [ "$(idle_nodes)" != "$nodes" ] || exit 0
    sleep 0.2
done
sinfo -N -l >&2 || :
fail "the nodes are not idle after 100 s"
