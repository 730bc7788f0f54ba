#!/usr/bin/env python3
"""Compare artificial cells of mod files with NEURON's.

    compare-cells.py BOSC [SPIKES]

Runs cells/job.yaml beside this file with bosc, and the same cells with NEURON; both
translate the mod files there.  Prints how many spikes there are, how far the times of
the spikes are apart (ms), and the voltages of the neuron (mV); or, where an artificial
cell spikes in another order, where.  Writes NEURON's spikes into the file SPIKES, as
time and gid.
"""
import os
import sys

sys.dont_write_bytecode = True

from beside import bosc_values, run_beside  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cells")
DT, TSTOP = 0.025, 150


def neuron_run(folder):
    from neuron import h

    h.nrn_load_dll(os.path.join(folder, "x86_64", "libnrnmech.so"))
    pc = h.ParallelContext()
    populations, kept = {}, []

    def population(name, n, make):
        populations[name] = []
        for _ in range(n):
            cell, detector = make()
            gid = len(kept)
            pc.set_gid2node(gid, 0)
            pc.cell(gid, detector)
            kept.append((cell, detector))
            populations[name].append((gid, cell))

    def artificial(kind, **values):
        def make():
            cell = getattr(h, kind)()
            for key, value in values.items():
                setattr(cell, key, value)
            return cell, h.NetCon(cell, None)
        return make

    soma = h.Section(name="soma")
    soma.L = soma.diam = 20
    soma.cm, soma.Ra = 1, 35.4
    soma.insert("hh")
    synapse = h.ExpSyn(soma(0.5))
    synapse.tau = 2

    def neuron():
        detector = h.NetCon(soma(0.5)._ref_v, None, sec=soma)
        detector.threshold = -20
        return synapse, detector

    population("beat", 2, artificial("Beat"))
    population("fire", 3, artificial("Fire", tau=12))
    population("bound", 3, artificial("Bound"))
    population("cells", 1, neuron)

    def connect(source, target, weight, delay, ring=False):
        for i, (_, cell) in enumerate(populations[target]):
            for j, (gid, _) in enumerate(populations[source]):
                if ring and (j + 1) % len(populations[source]) != i:
                    continue
                connection = pc.gid_connect(gid, cell)
                connection.weight[0], connection.delay = weight, delay
                kept.append(connection)

    connect("beat", "fire", 0.45, 1.037)
    connect("fire", "bound", 0.25, 0.71)
    connect("bound", "fire", 0.15, 0.5)
    connect("bound", "bound", -0.1, 2, ring=True)
    connect("fire", "cells", 0.002, 1.123)
    connect("cells", "fire", -0.2, 1.4)
    times, gids = h.Vector(), h.Vector()
    pc.spike_record(-1, times, gids)
    v = h.Vector().record(soma(0.5)._ref_v)
    pc.set_maxstep(10)
    h.usetable_hh, h.celsius, h.dt = 0, 6.3, DT
    h.finitialize(-65)
    pc.psolve(TSTOP)
    return sorted(zip(times, map(int, gids))), list(v)


def main():
    with run_beside(sys.argv[1], HERE) as (folder, result):
        theirs, voltages = neuron_run(folder)
        ours = sorted(zip(bosc_values(result, "spike_time"),
                          map(int, bosc_values(result, "spike_gid"))))
        v = bosc_values(result, "cell_v")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.writelines(f"{t:.12g} {gid}\n" for t, gid in theirs)
    if [gid for _, gid in ours] != [gid for _, gid in theirs]:
        print("other spikes:", len(ours), len(theirs))
        for a, b in zip(ours, theirs):
            if a[1] != b[1] or abs(a[0] - b[0]) > 1e-6:
                sys.exit(f"{a} {b}")
        sys.exit("fewer or more of them")
    apart = max(abs(a[0] - b[0]) for a, b in zip(ours, theirs))
    print(f"{len(ours)}\t{apart:.2g}\t{max(abs(a - b) for a, b in zip(v, voltages)):.2g}")


if __name__ == "__main__":
    main()
