# tap.sh - for shell tests to source: TAP lines, and NetCDF files compared by
# their data.
#
# The caller sets 'diagnose' to a command that prints what helps when a test
# has failed.
# shellcheck shell=bash disable=SC2034
: "${BOSC_SRC:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${BOSC_BUILD:=$BOSC_SRC/build}"
BOSC=$BOSC_BUILD/bosc
BOSC_BENCH=$BOSC_BUILD/bosc-bench
: "${BOSC_RESULTS:=$BOSC_BUILD/tests/random/results}"
count=0
diagnose=:

skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

need_ncdump() { command -v ncdump >/dev/null || skip_all "ncdump is not installed"; }
# Where this build says that problems are reported.
reports() { sed -n 's/^#define BOSC_REPORTS "\(.*\)"$/\1/p' "$BOSC_BUILD/config.h"; }
# Print a Python that has these packages, or nothing.
find_python() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -c "import $(IFS=, && echo "$*")" 2>/dev/null &&
            echo "$candidate" && return
    done
}
# What is loaded before all else; only the address sanitizer must be earlier.
need_preload() {
    [ -e "$1" ] || skip_all "$1 is not built"
    case $(nm "$BOSC" 2>/dev/null) in
    *__asan_init*) skip_all "the address sanitizer is to be loaded first" ;;
    esac
}
need_launcher() { [ -n "${MPIEXEC:-}" ] || skip_all "no MPI launcher"; }

# A folder of our own to go on in, 'work', gone in the end.
own_folder() {
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    cd "$work" || exit 1
}

# Processes of this program, started in this folder, that have this text among their
# arguments: another test may have a file of that name.
writers() {
    local process argv
    # one program looks at all: a loop over these takes seconds on a busy machine
    find /proc/[0-9]* -maxdepth 1 -name exe -lname "$(readlink -f "$BOSC")" 2>/dev/null |
        while read -r process; do
            process=${process%/exe}
            mapfile -d '' -t argv <"$process/cmdline"
            [[ ${argv[*]} != *"$1"* || ! $process/cwd -ef . ]] || echo "${process#/proc/}"
        done 2>/dev/null
}

# ok SENTENCE COMMAND...
ok() {
    count=$((count + 1))
    if "${@:2}"; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        $diagnose 2>/dev/null | tail -n 30 | sed 's/^/# /'
    fi
}

# run RANKS ARGUMENTS..., alone ARGUMENTS...: 'bosc run' with a launcher and
# without, its words in 'out', its exit code in rc.
run() {
    local ranks=$1
    shift
    timeout 300 "$MPIEXEC" -n "$ranks" "$BOSC" run --overwrite "$@" >out 2>&1 </dev/null
    rc=$?
}
alone() {
    timeout 300 "$BOSC" run --overwrite "$@" >out 2>&1 </dev/null
    rc=$?
}
says() { grep -qE -- "$1" out; }

# report SENTENCE OFFENDERS: fails when there are any, and lists them.
report() {
    offenders=$2
    diagnose=list_offenders ok "$1" [ -z "$2" ]
}
list_offenders() { printf '%s\n' "$offenders"; }

skip() {
    count=$((count + 1))
    echo "ok $count # SKIP $*"
}

done_testing() {
    echo "1..$count"
}

# full_disk COMMAND...: with a disk of 8 MB of our own, disk/, in a private
# namespace (unshare -m); what is on it in the end is copied here.  77: no disk.
full_disk() {
    mkdir -p disk
    mount -t tmpfs -o size=8m bosc disk || exit 77
    "$@"
    local code=$?
    cp disk/* . 2>/dev/null
    exit $code
}
export -f full_disk

# A report whose lines are wrapped, in one line.
unwrapped() { tr -s '\n ' ' ' <"$1"; }

is() { [ "$1" = "$2" ]; }
differs() { [ "$1" != "$2" ]; }

# values_of FILE VARIABLE: each in a line, in the order of the file.
values_of() {
    ncdump -p 9,17 -v "$2" "$1" | tr -d '\n' |
        sed "s/.*data:.* $2 =//; s/;.*//" | tr -s ', ' '\n' | grep .
}

# Do two NetCDF files hold the same bits, but for the table of ranks, which holds
# measured times?
nc_same() {
    is "$(printf 'same\t%s\t%s\n' "$1" "$2" | "$BOSC_RESULTS")" same
}

# two_sizes NAME TSTOP COUNT [KEYS]: a job of COUNT small neurons and three that
# are ten times as large; KEYS, after a comma, are of its probe of compartments.
two_sizes() {
    printf 'name: %s\ntstop: %s\n' "$1" "$2"
    cat <<END
populations:
  - {name: small, synthetic: {compartments: 30, sections: 7}, count: $3,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
  - {name: large, synthetic: {compartments: 300, sections: 31}, count: 3,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
clamps:
  - {at: soma, delay: 1, duration: 9, amplitude: 0.3}
probes:
  - {name: soma, at: soma, variables: [v, m, h], interval: 0.1}
  - {name: all, at: everywhere, variables: [v, n]${4-}}
  - {name: one, population: large, neurons: "1", at: "dend[0](0.5)"}
END
}

# A job of that name that does not end by itself, and what its run leaves: the
# launcher's code in rc, its seconds, its words in 'out'.
endless_job() {
    echo "name: $1"
    cat <<'END'
tstop: 100000
populations:
  - {name: cells, synthetic: {compartments: 100, sections: 17}, count: 20,
     regions: {all: {pas: {g: 1e-4}}, soma: {hh: {}}}}
clamps:
  - {at: soma, duration: 100000, amplitude: 0.3}
probes:
  - {name: all, neurons: "0-3", at: everywhere, interval: 0.1}
END
}

# The launcher told a failure, its time limit was not reached, nor SECONDS.
ended() { [ "$rc" != 0 ] && [ "$rc" != 124 ] && [ "$seconds" -lt "$1" ]; }
# in_time SECONDS COMMAND...: does it succeed before they are over?
in_time() {
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}
# reached FILE T: has the run that writes FILE integrated up to T ms or more?
# With 0: has its time loop begun?
reached() {
    sed -n 's/^t = \([0-9.e+]*\) of .* left.*/\1/p' "$1.lock" 2>/dev/null |
        awk -v t="$2" '$1 >= t { found = 1 } END { exit !found }'
}
# Are there frames in a file that is being written?
on_disk() { [ "$(HDF5_USE_FILE_LOCKING=FALSE frames "$1" 2>/dev/null)" -ge 1 ] 2>/dev/null; }
nobody_writes() { [ -z "$(writers "$1")" ]; }
once() { [ "$(grep -cE -- "$1" out)" = 1 ]; }
frames() { ncdump -h "$1" | sed -n 's/.*time_all = UNLIMITED.*(\([0-9]*\) current.*/\1/p'; }

# is_sound FILE N: are there N frames or more, and all times and voltages of
# them, neither fill values nor zeros?
is_sound() {
    [ "$(frames "$1")" -ge "$2" ] && ncdump -v time_all,all_v "$1" >sound.txt 2>&1 &&
        ! grep -qE 'HDF error|, _,| 0, 0, 0, 0,' sound.txt
}
