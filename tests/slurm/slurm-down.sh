#!/bin/bash
# slurm-down.sh - stop what slurm-up.sh started, nothing else, and remove DIR.
#
# usage: slurm-down.sh DIR
#
# A recorded process is ended only if it still is that program using that DIR.
# Exits with 1 when a process could not be ended.
set -u
[ $# = 1 ] || {
    echo "usage: slurm-down.sh DIR" >&2
    exit 2
}
dir=$1
[ -e "$dir/pids" ] || exit 0
export SLURM_CONF=$dir/slurm.conf

# mine NAME PID: PID is the program NAME, working with this DIR.
mine() {
    [ "$(cat "/proc/$2/comm" 2>/dev/null)" = "$1" ] || return 1
    { tr '\0' ' ' <"/proc/$2/cmdline"; } 2>/dev/null | grep -qF -- "$dir/"
}

# Pids of the daemons of job steps; their command line does not name DIR.
steps() {
    local process
    for process in /proc/[0-9]*; do
        [ "$(cat "$process/comm" 2>/dev/null)" = slurmstepd ] || continue
        { tr '\0' '\n' <"$process/environ"; } 2>/dev/null |
            grep -qxF "SLURM_CONF=$dir/slurm.conf" && echo "${process#/proc/}"
    done
}

cancel_jobs() {
    local t
    scontrol ping 2>/dev/null | grep -q 'is UP' || return 0
    squeue -h -o %A 2>/dev/null | sort -u | xargs -r scancel 2>/dev/null
    for ((t = 0; t < 100; t++)); do
        [ -n "$(squeue -h -o %A 2>/dev/null)$(steps)" ] || break
        sleep 0.1
    done
}

# end NAME PID: ask, wait ten seconds, insist.
end() {
    local t
    mine "$1" "$2" || return 0
    kill "$2" 2>/dev/null
    for ((t = 0; t < 100; t++)); do
        mine "$1" "$2" || return 0
        sleep 0.1
    done
    kill -KILL "$2" 2>/dev/null
    for ((t = 0; t < 100; t++)); do
        mine "$1" "$2" || return 0
        sleep 0.1
    done
    echo "slurm-down: $1 (pid $2) still runs" >&2
    return 1
}

cancel_jobs
rc=0
while read -r name pid; do
    end "$name" "$pid" || rc=1
done < <(tac "$dir/pids")
for pid in $(steps); do
    kill -KILL "$pid" 2>/dev/null
done
[ $rc = 0 ] && rm -rf -- "$dir"
exit $rc
