#!/bin/bash
# python.t - the package in python/: simulations, arrays, errors; as 'bosc run'.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C OMP_NUM_THREADS=2

python=$(find_python numpy netCDF4)
[ -n "$python" ] || skip_all "python3-numpy or python3-netcdf4 is not installed"
own_folder
diagnose="cat out"
export PYTHONPATH="$BOSC_SRC/python" BOSC_LIBRARY="$BOSC_BUILD/libbosc.so.0" \
    PYTHONDONTWRITEBYTECODE=1

"$BOSC" run "$BOSC_SRC/jobs/ring.yaml" -q -o ring.nc >out 2>&1 </dev/null
"$BOSC" run "$BOSC_SRC/jobs/ring.yaml" -q -o detecting.nc --set probes.soma.threshold=-33 --set tstop=60 >>out 2>&1 </dev/null
ok "there are results to compare with" eval "[ -s ring.nc ] && [ -s detecting.nc ]"

# SENTENCE | EXPRESSION; each becomes a line SENTENCE | True, or else.
cat >expressions <<'END_EXPRESSIONS'
voltages are those of 'bosc run', bit for bit | (ring.values == run["soma_v"][:]).all() and (ring.time == run["time_soma"][:]).all()
columns are of the same neurons | list(ring.gid) == list(run["soma_gid"][:]) and ring.section == ["soma[0]"] * 4 and ring.unit == "mV"
spikes are the same | (spikes[0] == run["spike_time"][:]).all() and (spikes[1] == run["spike_gid"][:]).all()
what a probe with a threshold detects is the same | (detected.time == detecting["detection_time"][:]).all() and (detected.gid == detecting["detection_gid"][:]).all() and (detected.probe == detecting["detection_probe"][:]).all() and [(g, c) for g, c in zip(detected.gid, detected.compartment)] == [(detecting["soma_gid"][k], detecting["soma_compartment"][k]) for k in detecting["detection_column"][:]] and detected.section[0] == "soma[0]" and len(detected.time) > 3
it went on from its state with the same bits | (again == ring.values[-len(again):]).all() and len(again) > 0
populations and probes are known | sim.populations[0].name == "cells" and sim.n_neurons == 32 and sim.probes == ["soma"]
the time is where it was advanced to | sim.time >= 100 and "chosen by" in sim.method
members of a table differ by their values | [p.member for p in table.populations] == [0, 1, 2] and strictly_ascending(table.read("soma").values[-1])
what was recorded can be dropped | forgotten == 0
a member that fails is warned of once, and the others are not | failed == ["member 1"] and numpy.isfinite(wild_table.read("soma").values[-1][[0, 2]]).all()
a warning is a warning | "beyond" in warned or "mV" in warned or "dt" in warned or "cm" in warned
no such file | refused(lambda: bosc.Simulation("nope.yaml"), "nope.yaml", "No such file")
an unknown key has a line | refused(lambda: bosc.Simulation(text="tstop: 1\nfoo: 2").build(), "job:2", "foo")
a key after it is built | refused(lambda: sim.set("dt", 1), "built")
an unknown probe | refused(lambda: sim.read("tip"), "tip")
a time after tstop | refused(lambda: sim.advance(1e6), "tstop")
bytes that are no state | refused(lambda: sim.restore(b"nonsense"), "no state")
values that need several time loops | refused(lambda: several.build(), "time loop")
END_EXPRESSIONS
"$python" - "$BOSC_SRC/jobs/ring.yaml" >results 2>out <<'END_PYTHON'
import sys
import warnings

import netCDF4
import numpy

import bosc

cell = """
tstop: 5
populations:
  - name: c
    synthetic: {compartments: 3, sections: 1}
    regions: {all: {pas: {}, hh: {}}}
clamps: [{at: soma, delay: 1, duration: 3, amplitude: 0}]
probes: [{name: soma}]
"""


def refused(call, *words):
    try:
        call()
    except bosc.Error as error:
        return all(word in str(error) for word in words)
    return False


def strictly_ascending(values):
    return bool((numpy.diff(values) > 0).all())


run = netCDF4.Dataset("ring.nc")
run.set_auto_mask(False)
sim = bosc.Simulation(sys.argv[1])
tstop = float(run.tstop_ms)
sim.advance(tstop / 2)
state = sim.save()
sim.advance(tstop)
ring, spikes = sim.read("soma"), sim.spikes()
with bosc.Simulation(sys.argv[1], tstop=60) as detects:
    detects.set("probes.soma.threshold", -33)
    detects.advance(60)
    detected = detects.detections()
detecting = netCDF4.Dataset("detecting.nc")
detecting.set_auto_mask(False)
other = bosc.Simulation(sys.argv[1])
other.restore(state)
other.advance(tstop)
again = other.read("soma", "v").values
other.forget()
forgotten = other.read("soma").time.size
other.close()
table = bosc.Simulation(text=cell)
table.set_table({"clamps.0.amplitude": [0, 0.001, 0.002]})
table.advance(5)
several = bosc.Simulation(text=cell)
several.set_table({"celsius": [6, 7]})
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    wild_table = bosc.Simulation(text=cell.replace("compartments: 3, sections: 1", "compartments: 60, sections: 7").replace(
        "{pas: {}, hh: {}}}", "{pas: {}}, soma: {hh: {}}}").replace("at: soma, delay", 'at: "dend[0](0.9)", delay'))
    wild_table.set_table({"clamps.0.amplitude": [0.01, -1e6, 0.02]})
    for t in (3, 4, 5):
        wild_table.advance(t)
    failed = [str(w.message)[:8] for w in caught if "has failed" in str(w.message)]
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    wild = bosc.Simulation(text=cell)
    wild.set("clamps.0.amplitude", 1e5)
    try:
        wild.advance(5)
    except bosc.Error:
        pass
    warned = " ".join(str(w.message) for w in caught)
for line in open("expressions"):
    sentence, expression = line.rstrip("\n").split(" | ", 1)
    try:
        found = bool(eval(expression))
    except Exception as error:
        found = repr(error)
    print(sentence, "|", found)
END_PYTHON
while IFS= read -r line; do
    diagnose="echo ${line##* | }" ok "${line% | *}" is "${line##* | }" True
done <results
ok "all of it was looked at" is "$(wc -l <results)" "$(wc -l <expressions)"
done_testing
