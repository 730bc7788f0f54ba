#!/usr/bin/env python3
"""Compare a job with mechanisms of mod files with NEURON.

    compare-mods.py BOSC [AMPLITUDE]

Runs mods/job.yaml beside this file with bosc, and the same model with NEURON; both
translate the mod files there.  Prints for each variable the largest difference and
the largest value.
"""
import os
import sys

sys.dont_write_bytecode = True

from beside import bosc_values, run_beside  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mods")
DT, STEPS = 0.025, 4000


def neuron_traces(folder):
    from neuron import h

    h.nrn_load_dll(os.path.join(folder, "x86_64", "libnrnmech.so"))
    soma = h.Section(name="soma")
    soma.L = soma.diam = 20
    soma.cm, soma.Ra = 1, 35.4
    for name in ("pas", "hh", "cal", "kca", "pool"):
        soma.insert(name)
    soma.g_pas, soma.e_pas, soma.gbar_kca = 0.0001, -70, 0.002
    h.usetable_hh = 0
    seg = soma(0.5)
    kept = []

    def stimulus(start, interval, number):
        source = h.NetStim()
        source.start, source.interval = start, interval
        source.number, source.noise = number, 0
        return source

    def connect(source, kind, weight, delay, **values):
        synapse = kind(seg)
        for key, value in values.items():
            setattr(synapse, key, value)
        connection = h.NetCon(source, synapse)
        connection.weight[0], connection.delay = weight, delay
        kept.append((synapse, connection))

    a, b = stimulus(5, 9.5, 8), stimulus(8, 4, 20)
    connect(a, h.Depress, 0.01, 1, recover=80)
    connect(b, h.Depress, 0.004, 2, recover=80)
    connect(b, h.Pulse, 1.5, 1.51)
    connect(a, h.Nmda, 0.003, 1)
    for kind, values in (
            (h.Step, {"del": 20.01, "dur": 12.345, "amp": 0.05}),
            (h.Step, {"del": 30, "dur": 9, "amp": -0.02}),
            (h.Hold, {"on": 80.01, "change": 84.51, "off": 91.234, "rs": 2.385})):
        electrode = kind(seg)
        for key, value in values.items():
            setattr(electrode, key, value)
        kept.append(electrode)
    h.celsius, h.dt = 20, DT
    h.finitialize(-70)
    read = {"v": lambda: soma.v, "cai": lambda: soma.cai, "eca": lambda: soma.eca,
            "ica": lambda: soma.ica, "kca_m": lambda: seg.kca.m,
            "Hold_i": lambda: kept[-1].i}
    traces = {name: [get()] for name, get in read.items()}
    for _ in range(STEPS):
        h.fadvance()
        for name, get in read.items():
            traces[name].append(get())
    return traces


def main():
    with run_beside(sys.argv[1], HERE) as (folder, result):
        for name, theirs in neuron_traces(folder).items():
            ours = bosc_values(result, "s_" + name)
            most = max(abs(x - y) for x, y in zip(theirs, ours, strict=True))
            print(f"{name}\t{most:.3g}\t{max(map(abs, theirs)):.3g}")


if __name__ == "__main__":
    main()
