#!/bin/bash
# slurm.t - jobs/bosc.sbatch on a real SLURM of two nodes on this machine.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export BOSC
unset BOSC_LAUNCHER

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
    "$BOSC_SRC/tests/slurm/slurm-down.sh" "$cluster"
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

logs() { tail -n 10 "$cluster"/*.log "${out:-up.out}"; }
diagnose=logs

# submit NAME ARGUMENTS...: a batch job of two ranks on two nodes; its exit
# code in rc, its output in NAME.out.  Far from its time limit: near it SLURM
# warns the job, which is requeued then.
submit() {
    local name=$1
    shift
    out=$work/$name.out
    timeout 300 sbatch --wait -N 2 -n 2 --time=30 --output="$out" \
        "$BOSC_SRC/jobs/bosc.sbatch" "$@" >"$work/sbatch.out" 2>&1
    rc=$?
}

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
"$BOSC_SRC/tests/slurm/slurm-up.sh" "$cluster" 2 2 >up.out 2>&1
[ $? != 77 ] || skip_all "slurmd needs control groups, and has none here"
ok "a SLURM of two nodes is up" [ -s "$cluster/pids" ]
[ -s "$cluster/pids" ] || { done_testing && exit 1; }

"$BOSC" run "$job" "${short[@]}" -o direct.nc >direct.out 2>&1
ok "the demo runs by itself, on one rank" [ -s direct.nc ]

export SLURM_CONF=$cluster/slurm.conf

for launcher in srun mpiexec; do
    export BOSC_LAUNCHER=$launcher
    submit "$launcher" "$job" "${short[@]}" -o "$launcher.nc"
    ok "a job of two ranks on two nodes ends well under $launcher" is "$rc" 0
    ok "its log says how $launcher started it" \
        says "on n\[1-2\]: 2 ranks of 1 threads; .*$launcher"
    ok "its results have the bits of the direct run" nc_same direct.nc "$launcher.nc"
done

BOSC_LAUNCHER="srun --mpi=none -n 2" submit none "$job" "${short[@]}" -o none.nc
ok "a launcher that makes two worlds of one rank is refused" differs "$rc" 0
ok "the message says how many ranks there should be" says '^bosc.*2 ranks|rank.*\b2\b'
ok "and nothing is written" absent none.nc

BOSC_LAUNCHER=srun submit broken "$work/no-such-job.yaml"
ok "the exit code of bosc is the job's" is "$rc" 66
ok "with bosc's own message" says 'no-such-job.yaml'
submit empty
ok "without a job file the script says its usage and ends with 2" is "$rc" 2

BOSC_LAUNCHER=srun submit killed "$job" --set tstop=1000000 -o killed.nc &
waiting=$!
in_time 50 reached killed.nc 0
began=$SECONDS
kill -KILL "$(writers killed.nc | tail -n 1)"
wait $waiting
seconds=$((SECONDS - began))
out=$work/killed.out
ok "a killed rank ends the job on both nodes" [ $seconds -lt 40 ]
ok "srun tells it" says 'Killed'
ok "no rank is left behind" in_time 20 nobody_writes killed.nc
ok "and no file that looks finished" [ ! -e killed.nc ]

"$BOSC_SRC/tests/slurm/slurm-down.sh" "$cluster" >down.out 2>&1
ok "SLURM is down again" is $? 0
ok "and no process of it is left" in_time 20 no_process_left
done_testing
