#!/bin/bash
# e_slurm.t - jobs/bosc.sbatch on a real SLURM of two nodes on this machine.
set -u
: "${BOSC_SRC:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${BOSC_BUILD:=$BOSC_SRC/build}"
export BOSC=$BOSC_BUILD/bosc
unset BOSC_LAUNCHER
count=0

skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

[ "$(id -u)" = 0 ] || skip_all "slurmd needs root"
for program in slurmctld slurmd munged srun sbatch; do
    PATH=$PATH:/usr/sbin:/sbin command -v $program >/dev/null ||
        skip_all "$program is not installed"
done
"$BOSC" --version >/dev/null 2>&1 || skip_all "the program bosc is not built"
PATH=$PATH:/usr/sbin:/sbin

# Not in the build folder: the path of a socket is short.  Everybody may pass
# through it, says munged.
work=$(mktemp -d /tmp/bosc-slurm.XXXXXX) && chmod 755 "$work" || exit 1
cluster=$work/s
finish() {
    "$BOSC_SRC/tests/slurm-down.sh" "$cluster"
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

ok() {
    count=$((count + 1))
    if "${@:2}"; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        tail -n 30 "$work"/*.out "$cluster"/*.log 2>/dev/null | sed 's/^/# /'
    fi
}

# submit NAME ARGUMENTS...: a batch job of two ranks on two nodes; its exit
# code in rc, its output in NAME.out.
submit() {
    local name=$1
    shift
    out=$work/$name.out
    timeout 60 sbatch --wait -N 2 -n 2 --time=2 --output="$out" \
        "$BOSC_SRC/jobs/bosc.sbatch" "$@" >"$work/sbatch.out" 2>&1
    rc=$?
}

# All variables but the table of ranks, which holds measured times.
data() {
    local names
    names=$(ncdump -h "$1" | awk '
        /^variables:/ { inside = 1 }
        /^\/\/ global/ { inside = 0 }
        inside && /\(.*\) ;$/ && !/\((rank|phase)[,)]/ {
            sub(/\(.*/, "", $2)
            printf "%s%s", comma, $2
            comma = ","
        }') || return 1
    [ -n "$names" ] && ncdump -p 9,17 -v "$names" "$1" | sed -n '/^data:/,$p'
}

same_data() {
    data "$1" >"$work/one.txt" && data "$2" >"$work/two.txt" &&
        [ -s "$work/one.txt" ] && cmp -s "$work/one.txt" "$work/two.txt"
}

is() { [ "$1" = "$2" ]; }
differs() { [ "$1" != "$2" ]; }
says() { grep -qE -- "$1" "$out"; }
absent() { [ ! -e "$1" ] && [ ! -e "$1.partial" ]; }
no_process_left() {
    local process
    for process in /proc/[0-9]*; do
        ! { tr '\0' ' ' <"$process/cmdline"; } 2>/dev/null |
            grep -qF "$cluster/" || return 1
    done
}

cd "$work" || exit 1
job=$BOSC_SRC/jobs/demo.yaml
short=(--set tstop=5)
"$BOSC" run "$job" "${short[@]}" -o direct.nc >direct.out 2>&1
ok "the demo runs by itself, on one rank" [ -s direct.nc ]

"$BOSC_SRC/tests/slurm-up.sh" "$cluster" 2 2 >up.out 2>&1
ok "a SLURM of two nodes is up" [ -s "$cluster/pids" ]
[ -s "$cluster/pids" ] || { echo "1..$count" && exit 1; }
export SLURM_CONF=$cluster/slurm.conf

for launcher in srun mpiexec; do
    export BOSC_LAUNCHER=$launcher
    submit "$launcher" "$job" "${short[@]}" -o "$launcher.nc"
    ok "a job of two ranks on two nodes ends well under $launcher" is "$rc" 0
    ok "its log says how $launcher started it" \
        says "on n\[1-2\]: 2 ranks of 1 threads; .*$launcher"
    ok "its results have the bits of the direct run" same_data direct.nc "$launcher.nc"
done

BOSC_LAUNCHER="srun --mpi=none -n 2" submit none "$job" "${short[@]}" -o none.nc
ok "a launcher that makes two worlds of one rank is refused" differs "$rc" 0
ok "the message says how many ranks there should be" says '^bosc.*2 ranks|rank.*\b2\b'
ok "and nothing is written" absent none.nc

BOSC_LAUNCHER=srun submit broken "$work/no-such-job.yaml"
ok "the exit code of bosc is the job's" is "$rc" 1
ok "with bosc's own message" says 'no-such-job.yaml'
submit empty
ok "without a job file the script says its usage and ends with 2" is "$rc" 2

"$BOSC_SRC/tests/slurm-down.sh" "$cluster" >down.out 2>&1
ok "SLURM is down again" is $? 0
ok "and no process of it is left" no_process_left
echo "1..$count"
