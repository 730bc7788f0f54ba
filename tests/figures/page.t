#!/bin/bash
# page.t - 'bosc report' writes a page that needs nothing else, with the numbers
# of the file, of any file that a run may leave, or says why it cannot.
# shellcheck disable=SC2016  # what eval reads
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

python=$(find_python netCDF4 matplotlib)
own_folder
export MPLCONFIGDIR=$work BOSC_PYTHON=$python
diagnose="cat out"

make_page() {
    timeout 300 "$BOSC" report "$@" >out 2>&1 </dev/null
}
says() { grep -qF -- "$1" out; }
refuses() { # WORDS ARGUMENTS...
    local words=$1
    shift
    ! make_page "$@" && says "bosc report: " && says "$words" && ! says Traceback
}
shows() { # FOLDER WORDS
    tr '\n' ' ' <"$1/index.html" | grep -qF -- "$2"
}
is_sound() { "$python" "$BOSC_SRC/tests/figures/page.py" "$@" >out 2>&1; }

# --- without packages, or without Python ----------------------------------
bare=$(command -v "${python:-python3}") || skip_all "python3 is not installed"
printf '#!/bin/sh\nexec "%s" -S -E "$@"\n' "$bare" >bare
chmod +x bare
export BOSC_PYTHON=./bare
ok "--help needs no packages" make_page --help
if ./bare -c 'import numpy' 2>/dev/null; then
    skip "this Python has its packages built in"
else
    ok "a missing package is named, with another Python to try" eval \
        'refuses "apt install python3-numpy" none.nc && says "BOSC_PYTHON=/usr/bin/python3 bosc report"'
fi
BOSC_PYTHON=no-python
ok "so is a missing Python" eval \
    'refuses "cannot start no-python: No such file" none.nc && says "apt install python3-netcdf4"'
if [ -z "$python" ]; then
    skip "python3-netcdf4 or python3-matplotlib is not installed"
    done_testing
    exit
fi
BOSC_PYTHON=$python

# --- a run ----------------------------------------------------------------
cat >job.yaml <<END
name: page <of> "all"
tstop: 40
populations:
  - name: sticks
    morphologies: $BOSC_SRC/morphologies/ball-and-stick.swc
    count: 6
    regions: {soma: {hh: {}}, all: {pas: {}}}
  - name: forest
    synthetic: {compartments: 76, sections: 29}
    count: 4
    regions: {soma: {hh: {}}, all: {pas: {}}} # & more
clamps:
  - {at: soma, delay: 2, duration: 35, amplitude: 0.8}
synapses:
  - {name: e, type: ExpSyn}
projections:
  - {from: sticks, to: forest, synapse: e, rule: fixed_probability, probability: 0.6,
     weight: {uniform: [1e-5, 2e-5]}}
output: {network: true}
probes:
  - {name: soma, at: soma, interval: 0.1}
  - {name: tree, population: forest, neurons: "1", at: everywhere}
END
run 2 job.yaml -q -o run.nc
ok "a run becomes a page" make_page run.nc -o page
ok "it is whole, needs nothing else, and has the numbers of the file" \
    is_sound page run.nc
has_pictures() {
    local name
    for name in raster rates intervals traces-soma morphology-tree-7 phases \
        balance expected indegrees weights; do
        [ -s "page/$name.svg" ] && [ -s "page/$name.png" ] || return
    done
}
ok "its pictures are files, too" has_pictures
ok "with what HTML would take for its own" eval \
    'shows page "page &lt;of&gt; &quot;all&quot;" && shows page "# &amp; more"'
ok "without -o it is beside the file" eval 'make_page run.nc && [ -s run-report/index.html ]'
cp -r run-report again
ok "the same run gives the same page" diff -r page again

# --- folders that exist -----------------------------------------------------
sed '/tree/d; s/delay: 2/delay: 50/' job.yaml >quiet.yaml
alone quiet.yaml -q -o quiet.nc
ok "a page of an earlier report is replaced, with its pictures" eval \
    'make_page quiet.nc -o again && [ ! -e again/raster.svg ] && is_sound again quiet.nc'
ok "one rank has no balance" [ ! -e again/balance.svg ]
ok "without spikes it says so" shows again "None of 10 neurons spiked in 40 ms."
mkdir mine && echo "my page" >mine/index.html
ok "a page of something else is not replaced" eval \
    'refuses "has index.html, which is not of an earlier report" run.nc -o mine &&
     [ "$(cat mine/index.html)" = "my page" ]'
echo mine >mine/note.txt
ok "but with --overwrite" make_page quiet.nc -o mine --overwrite
ok "other files stay" eval \
    'shows mine "Simulation report" && [ "$(cat mine/note.txt)" = mine ]'
ok "a file is no folder" refuses "job.yaml: is a file" run.nc -o job.yaml

# --- what a run may leave ---------------------------------------------------
sed '/^probes/,$d' job.yaml >unseen.yaml
alone unseen.yaml -q -o unseen.nc
ok "a run without probes has a page" eval \
    'make_page unseen.nc -o unseen && is_sound unseen unseen.nc && shows unseen "No probe of this job"'
"$python" - <<'END'
import shutil
import netCDF4
for name in ("old", "lost", "swept"):
    shutil.copy("run.nc", name + ".nc")
with netCDF4.Dataset("old.nc", "a") as d:
    d.renameVariable("tree_parent", "tree_unknown")
    d.renameVariable("soma_parent", "soma_unknown")
with netCDF4.Dataset("lost.nc", "a") as d:
    d["soma_v"][100:, :] = float("nan")
    d["tree_v"][:] = float("nan")
with netCDF4.Dataset("swept.nc", "a") as d:  # as bosc(1) says, SWEEPS
    d.createDimension("member", 2)
    d.createVariable("member_name", str, ("member",))
    for i in range(2):
        d["member_name"][i] = f"amplitude={i}"
        d["population_name"][i] = "cells"
    d.createVariable("sweep_amplitude", "f8", ("member",))[:] = [0.25, 0.5]
    d["sweep_amplitude"].units = "nA"
    d.createVariable("population_member", "i4", ("population",))[:] = [0, 1]
END
ok "a file of an earlier version has one, and says what it lacks" eval \
    'make_page old.nc -o old && is_sound old old.nc && shows old "does not say where its compartments are"'
ok "so has one with voltages that are no numbers" eval \
    'make_page lost.nc -o lost && is_sound lost lost.nc && shows lost "are no finite numbers"'
ok "a sweep has curves of its values" eval \
    'make_page swept.nc -o swept && is_sound swept swept.nc && shows swept "amplitude (nA)" && shows swept "amplitude=1"'
"$BOSC" run job.yaml -q -o end.nc --set tstop=1e6 --set 'clamps[0].duration=1e6' >out 2>&1 </dev/null &
in_time 60 reached end.nc 50
kill -TERM $! # a HUP is ignored under nohup
wait $!
ok "a run that was stopped has one, and says so" eval \
    'make_page end.nc.partial && is_sound end-report && shows end-report "of 1,000,000 ms"'
: >empty.nc
echo "no netCDF" >bad.nc
head -c 3000 run.nc >cut.nc
"$python" -c 'import netCDF4; netCDF4.Dataset("other.nc", "w")'
ok "a job is refused" refuses "job.yaml: is a job; name the result" job.yaml
ok "what lacks its ending is suggested" refuses "no such file; run.nc is there" run
ok "an empty file is refused" refuses "empty.nc: is empty" empty.nc
ok "so is one that is no netCDF" refuses "bad.nc: cannot be read" bad.nc
ok "so is one that is cut off" refuses "cut.nc: cannot be read" cut.nc
ok "so is what no run of bosc wrote" refuses "no result of bosc run" other.nc
ok "nothing is made of them" [ ! -e bad-report ]
ends() { # CODE ARGUMENTS...
    make_page "${@:2}"
    is $? "$1"
}
ok "failures have the exit codes that bosc(1) lists" eval \
    'ends 66 run && ends 65 bad.nc && ends 73 run.nc -o bad.nc && ends 74 run.nc -o /proc/none'

# --- where bosc is ----------------------------------------------------------
mkdir -p else/bin else/share/bosc
cp "$BOSC" else/bin/
cp -r "$BOSC_SRC/jobs" else/share/bosc/ && chmod -R u+w else
ok "a bosc that was moved finds its scripts" eval \
    'else/bin/bosc report run.nc -o moved >out 2>&1 && diff -r page moved'
ok "so does 'bosc plot'" eval \
    'else/bin/bosc plot run.nc -o moved.png >out 2>&1 && [ -s moved.png ] && "$BOSC" plot run.nc -o here.png >out 2>&1 && cmp here.png moved.png'

# --- a browser ----------------------------------------------------------------
browser=$(command -v chromium || command -v chromium-browser) || browser=
if [ -n "$browser" ]; then
    for width in 500 1280; do
        HOME=$work timeout 300 "$browser" --headless --no-sandbox --disable-gpu \
            --user-data-dir="$work/profile" --enable-logging=stderr \
            --window-size=$width,2000 --screenshot="$work/$width.png" \
            "file://$work/page/index.html" >out 2>&1 </dev/null
        ok "a browser $width points wide shows it without a complaint" eval \
            '[ -s $width.png ] && ! says CONSOLE'
    done
else
    skip "no browser"
fi
done_testing
