#!/bin/bash
# plot.t - jobs/plot-run draws what bosc run wrote, or says why it cannot.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import netCDF4, matplotlib' 2>/dev/null &&
        python=$candidate && break
done
own_folder
export MPLCONFIGDIR=$work
diagnose="cat out"

plot() { # in $python, or a Python named by $with
    timeout 300 "${with:-$python}" "$BOSC_SRC/jobs/plot-run" "$@" \
        >out 2>&1 </dev/null
}
says() { grep -qF -- "$1" out; }
refuses() { # WORDS ARGUMENTS...
    local words=$1
    shift
    ! plot "$@" && says "plot-run: " && says "$words" && ! says Traceback
}
size() { # of a PNG: its header has width and height
    [ "$(od -An -tu1 -j16 -N8 "$1" | tr -s ' ')" = "$2" ]
}
shows() { grep -qF -- "$2" "$1"; }

# A Python without packages: the message must not need them.
bare=$(command -v "${python:-python3}") || skip_all "python3 is not installed"
printf '#!/bin/sh\nexec "%s" -S -E "$@"\n' "$bare" >bare
chmod +x bare
if ./bare -c 'import numpy' 2>/dev/null; then
    skip "this Python has its packages built in"
else
    with=./bare
    ok "a missing package is named, for apt and for pip" \
        refuses "apt install python3-numpy" none.nc
    ok "with another Python to try" says "/usr/bin/python3"
    with=
fi
if [ -z "$python" ]; then
    skip "python3-netcdf4 or python3-matplotlib is not installed"
    done_testing
    exit
fi

cat >job.yaml <<END
name: plotted
tstop: 20
populations:
  - name: sticks
    morphologies: $BOSC_SRC/morphologies/ball-and-stick.swc
    count: 8
    regions: {soma: {hh: {}}, all: {pas: {}}}
  - name: forest
    synthetic: {compartments: 76, sections: 29}
    count: 4
    regions: {soma: {hh: {}}, all: {pas: {}}}
clamps:
  - {population: sticks, at: soma, delay: 2, duration: 15, amplitude: 0.8}
probes:
  - {name: soma, at: soma, interval: 0.1}
  - {name: tip, at: "dend[0](1)", interval: 0.1}
END
timeout 300 "$BOSC" run job.yaml -o run.nc >out 2>&1 </dev/null
ok "there is a run to draw" [ -f run.nc ]

ok "a run becomes a picture beside it" plot run.nc
ok "of 1200 x 700 points" size run.png " 0 0 4 176 0 0 2 188"
ok "a picture gets the name asked for" plot run.nc -o one.svg
ok "it names the job, the neurons, their populations and the units" \
    eval 'shows one.svg plotted && shows one.svg "neuron 7" &&
          shows one.svg sticks && shows one.svg "time (ms)" &&
          shows one.svg mV'
ok "neurons are chosen by number" plot run.nc --neurons 0-2,9 -o some.svg
ok "and only those are drawn" \
    eval 'shows some.svg "neuron 9" && ! shows some.svg "neuron 7"'
ok "a probe set is chosen by name" plot run.nc --set tip -o tip.svg
ok "and its place is shown" shows tip.svg "dend[0]"
plot run.nc -o again.svg
ok "the same run gives the same picture" cmp -s one.svg again.svg

echo "no netCDF" >bad.nc
ok "a missing file is refused" refuses "none.nc: there is no such file" none.nc
ok "a file that is no netCDF is refused" refuses "cannot be read" bad.nc
ok "a neuron that was not recorded is refused" \
    refuses "has no neuron 77" run.nc --neurons 1,77
ok "a probe set that is not there is refused" \
    refuses "there is soma, tip" run.nc --set dendrite
"$python" - <<'END'
import netCDF4
with netCDF4.Dataset("other.nc", "w") as data:
    data.createDimension("spike")
    for name in ("spike_time", "neuron_population"):
        data.createVariable(name, "f8", ("spike",))
END
ok "a file without the names of sections is refused" \
    refuses "other.nc: has no section_name, so it is no result" other.nc
ok "a folder that is not there is refused" \
    refuses "cannot write" run.nc -o none/one.png
ends() { # CODE ARGUMENTS...
    plot "${@:2}"
    is $? "$1"
}
ok "failures have the exit codes that bosc(1) lists" eval \
    'ends 74 run.nc -o none/one.png && ends 2 run.nc -o one.txt && ends 66 none.nc && ends 65 other.nc && ends 73 run.nc -o .'
# shellcheck disable=SC2016
if unshare -m bash -c 'full_disk true' 2>/dev/null; then
    unshare -m bash -c 'full_disk "$@"' bash bash -c 'head -c 8M /dev/zero >disk/fill
        "$0" "$1" run.nc -o disk/full.svg' "$python" "$BOSC_SRC/jobs/plot-run" >out 2>&1
    rc=$?
    ok "a disk that is full is told, and no part of a picture is left" eval \
        'is $rc 74 && says "full.svg: cannot write: No space left" && [ -z "$(compgen -G "full.svg*")" ]'
    rm -f fill
else
    skip "a full disk cannot be made here"
fi
: >empty.nc
ok "so is an empty file" refuses "empty.nc: is empty" empty.nc
ok "so is a folder" refuses "is a folder" .
head -c 3000 run.nc >cut.nc
ok "so is a file that is cut off" refuses "cut.nc: cannot be read as netCDF" cut.nc
cp run.nc lost.nc
"$python" -c 'import netCDF4
with netCDF4.Dataset("lost.nc", "a") as data:
    data["soma_v"][3, :], data["soma_v"][4, :] = float("nan"), float("inf")'
ok "voltages that are no numbers are left out, which is told" eval \
    'plot lost.nc -o lost.png && says "voltages that are no finite numbers are left out"'
"$python" -c 'import netCDF4; netCDF4.Dataset("other.nc", "w")'
ok "so is what no run of bosc wrote" refuses "no result of bosc run" other.nc
"$python" - <<'END'
import netCDF4
d = netCDF4.Dataset("odd.nc", "w")
for name in ("neuron_population", "spike_time", "section_name"):
    d.createVariable(name, "i4")
END
ok "so is what only has its names" refuses "odd.nc: cannot be drawn" odd.nc
ok "a range that ends before it begins is refused" \
    eval '! plot run.nc --neurons 5-2 && says "no neuron or range"'
ok "a format that does not exist is refused, with those that do" \
    refuses ".xyz is no format of pictures; these can be written: .eps, " run.nc -o one.xyz
ok "so is a picture without an ending" refuses "its ending must say the format" run.nc -o one
ok "so is a folder" refuses "is a folder" run.nc -o .
ok "nothing is written then" [ ! -e one.png ]
ok "--help tells how" plot --help

# Of several sets, that with the neurons; else the first of the job.
ok "the first probe set of the job is drawn" eval \
    'plot run.nc -o one.svg && shows one.svg "(probe soma)" && says "--set chooses another: tip"'
sed 's/probes:/probes:\n  - {name: young, population: forest, at: soma}/' job.yaml >young.yaml
timeout 300 "$BOSC" run young.yaml -q -o young.nc >out 2>&1 </dev/null
ok "whatever its name" eval \
    'plot young.nc -o young.svg && shows young.svg "(probe young)" && shows young.svg "neuron 8"'
ok "but one that has the neurons asked for before it" eval \
    'plot young.nc --neurons 1,9 -o young.svg && shows young.svg "(probe soma)" && shows young.svg "neuron 1"'

sed 's/tstop: 20/tstop: 50/; s/count: 8/count: 1/; /^  - name: forest/,/regions/d; /tip/d' job.yaml >lone.yaml
timeout 300 "$BOSC" run lone.yaml -q -o lone.nc >out 2>&1 </dev/null
ok "one neuron has no fractional number" eval \
    'plot lone.nc -o lone.svg && shows lone.svg "1 neuron, " && ! grep -qE "<!-- .?0\.[0-9]+ -->" lone.svg'

# A run that is ended: rates are of the time that it has reached.
timeout 300 "$BOSC" run job.yaml -q -o end.nc --set tstop=1e6 --set 'clamps[0].duration=1e6' \
    >out 2>&1 </dev/null &
in_time 50 reached end.nc 50
kill -TERM $!
wait $!
ok "an unfinished run is drawn" plot end.nc.partial -o end.svg
# The numbers of the picture, against those of the file.
rate_is_of_time_reached() {
    "$python" - <<'END'
import re, sys, netCDF4
file = netCDF4.Dataset("end.nc.partial")
text = re.search(r"12 neurons, ([\d,]+) spikes? in the first ([\d.,]+) of "
                 r"1,000,000 ms, mean rate ([\d.e+]+) Hz; unfinished",
                 open("end.svg").read())
if text is None:
    sys.exit("the title is another")
spikes, time, rate = (float(x.replace(",", "")) for x in text.groups())
reached = max(file["time_soma"][-1], file["spike_time"][-1])
if (spikes != len(file["spike_time"]) or abs(time - reached) > 1e-6 * reached or
        abs(rate / (spikes / 12 / reached * 1000) - 1) > 0.01):
    sys.exit(f"{text[0]}: {spikes} {reached}")
END
}
ok "its rate is of the time that it has reached" rate_is_of_time_reached
done_testing
