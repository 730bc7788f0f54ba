#!/bin/bash
# e_plot.t - jobs/plot-run draws what bosc run wrote, or says why it cannot.
set -u
. "${BOSC_SRC:-$(dirname "$0")/..}/tests/tap.sh"
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
    timeout 60 "${with:-$python}" "$BOSC_SRC/jobs/plot-run" "$@" \
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
timeout 60 "$BOSC" run job.yaml -o run.nc >out 2>&1 </dev/null
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
ok "--help tells how" plot --help
done_testing
