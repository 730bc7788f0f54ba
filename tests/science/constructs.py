#!/usr/bin/env python3
"""Print what NEURON makes of tests/cli/constructs: constructs.py >neuron.tsv

Needs NEURON with nrnivmodl.  Each mechanism stands alone, with a leak, in one
compartment of 20 um at 20 degC; 0.1 nA flow from 5 to 45 ms, and what receives events
gets three.  'potential' has 'leak_k' beside it.  Prints the voltage (mV) every 5 ms;
tests/cli/constructs.t compares a job with it.
"""
import glob
import os
import shutil
import subprocess
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli", "constructs")
DT, EVERY, TSTOP = 0.025, 5, 50
BESIDE = {"potential": ["c_leak_k"]}


def main():
    names = sorted(os.path.basename(path)[:-4] for path in glob.glob(FOLDER + "/*.mod"))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            shutil.copy(f"{FOLDER}/{name}.mod", folder)
        subprocess.run(["nrnivmodl"], cwd=folder, capture_output=True, check=True)
        from neuron import h

        h.nrn_load_dll(os.path.join(folder, "x86_64", "libnrnmech.so"))
    cells, kept = [], []
    for name in names:
        soma = h.Section(name=name)
        soma.L = soma.diam = 20
        soma.cm, soma.Ra = 1, 35.4
        for each in ["pas"] + BESIDE.get(name, []):
            soma.insert(each)
        soma.g_pas, soma.e_pas = 1e-4, -65
        with open(f"{FOLDER}/{name}.mod", encoding="utf-8") as file:
            text = file.read()
        if "POINT_PROCESS" in text:
            source = h.NetStim()
            source.start, source.interval, source.number, source.noise = 2, 7, 3, 0
            synapse = getattr(h, "c_" + name)(soma(0.5))
            connection = h.NetCon(source, synapse)
            connection.weight[0], connection.delay = 0.003, 1.01
            kept += [source, synapse, connection]
        else:
            soma.insert("c_" + name)
        clamp = h.IClamp(soma(0.5))
        clamp.delay, clamp.dur, clamp.amp = 5, 40, 0.1
        kept.append(clamp)
        cells.append(soma)
    h.load_file("stdrun.hoc")
    h.celsius, h.dt, h.steps_per_ms = 20, DT, 1 / DT
    h.finitialize(-65)
    traces = [[] for _ in cells]
    for step in range(1, round(TSTOP / DT) + 1):
        h.fadvance()
        if step % round(EVERY / DT) == 0:
            for trace, soma in zip(traces, cells):
                trace.append(f"{soma(0.5).v:.9f}")
    for name, trace in zip(names, traces):
        print(name, *trace, sep="\t")


if __name__ == "__main__":
    main()
