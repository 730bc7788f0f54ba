#!/usr/bin/env python3
"""Compare POINTERs of mod files with NEURON's.

    compare-pointers.py BOSC [TRACES]

Runs pointers/job.yaml beside this file with bosc, and the same cells with NEURON; both
translate the mod files there.  Prints for each variable of the probes by how much the
two differ at most.  Writes NEURON's numbers into the file TRACES: a line of each
variable, its name and the values in the order of the result.
"""
import os
import sys

sys.dont_write_bytecode = True

from beside import bosc_values, run_beside  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pointers")
DT, TSTOP, EVERY = 0.025, 60, 40


def make_cell(h, kind, number):
    soma = h.Section(name=f"{kind}{number}_soma")
    dend = h.Section(name=f"{kind}{number}_dend")
    for x in (-10, 0, 10):
        h.pt3dadd(x, 0, 0, 20, sec=soma)
    for x in (10, 210):
        h.pt3dadd(x, 0, 0, 2, sec=dend)
    dend.connect(soma(0.5))  # as from a SWC file
    for section in (soma, dend):
        section.nseg, section.Ra, section.cm = 3, 100, 1
        if kind == "passive":
            section.insert("pas")
            section.g_pas, section.e_pas = 0.0001, -70
            continue
        for mechanism in ("hh", "ptpool", "ptgated", "ptextra"):
            section.insert(mechanism)
    return soma, dend


def point(h, soma, dend, total):
    """What the pointers of the membrane stand for."""
    for segment in [*soma, *dend]:
        h.setpointer(segment._ref_m_hh, "open", segment.ptgated)
        h.setpointer(soma(0.5)._ref_cai, "castart", segment.ptgated)
        h.setpointer(segment._ref_i_membrane_, "im", segment.ptextra)
        h.setpointer(soma(0.5)._ref_v, "up", segment.ptextra)
        h.setpointer(total._ref_total, "total", segment.ptextra)


def neuron_run(folder):
    from neuron import h

    h.nrn_load_dll(os.path.join(folder, "x86_64", "libnrnmech.so"))
    h.CVode().use_fast_imem(1)
    cells = [make_cell(h, "cells", i) for i in range(3)]
    passive = [make_cell(h, "passive", i) for i in range(3)]
    kept, totals = [], []

    for soma, dend in cells:
        total = h.PtSum(soma(0.5))
        total.own = 2
        totals.append(total)
        point(h, soma, dend, total)

    def process(kind, place, name, reference, **values):
        made = getattr(h, kind)(place)
        for key, value in values.items():
            setattr(made, key, value)
        h.setpointer(reference, name, made)
        kept.append(made)

    for (soma, dend), (other, _) in zip(cells, passive):
        process("PtGap", dend(0.5), "vgap", soma(0.5)._ref_v)
        process("PtGap", other(0.5), "vgap", dend(0.5)._ref_v, g=0.004)
    process("PtGap", cells[1][0](0.5), "vgap", cells[0][0](0.5)._ref_v, g=0.003)
    process("PtGap", cells[0][0](0.5), "vgap", cells[1][0](0.5)._ref_v, g=0.003)
    process("PtGraded", passive[2][1](0.5), "vpre", cells[0][0](0.5)._ref_v)
    for number, delay, dur, amp in ((0, 5, 40, 0.5), (2, 20, 10, 0.3)):
        clamp = h.IClamp(cells[number][0](0.5))
        clamp.delay, clamp.dur, clamp.amp = delay, dur, amp
        kept.append(clamp)
    places = {
        "soma_v": [soma(0.5)._ref_v for soma, _ in cells + passive],
        "dend_v": [dend(0.5)._ref_v for _, dend in cells + passive],
        "er_er": [dend(0.5).ptextra._ref_er for _, dend in cells],
        "er_line": [dend(0.5).ptextra._ref_line for _, dend in cells],
        "er_ptgated_n": [dend(0.5).ptgated._ref_n for _, dend in cells],
        "sum_PtSum_total": [total._ref_total for total in totals],
    }
    recorded = {name: [h.Vector().record(place) for place in of] for name, of in places.items()}
    h.usetable_hh, h.celsius, h.dt = 0, 6.3, DT
    h.finitialize(-65)
    while h.t < TSTOP - DT / 2:
        h.fadvance()
    return {name: [x for row in zip(*(list(of)[::EVERY] for of in vectors)) for x in row]
            for name, vectors in recorded.items()}


def main():
    with run_beside(sys.argv[1], HERE) as (folder, result):
        theirs = neuron_run(folder)
        ours = {name: bosc_values(result, name) for name in theirs}
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            for name, values in theirs.items():
                print(name, *(f"{x:.12g}" for x in values), sep="\t", file=file)
    for name, values in theirs.items():
        if len(values) != len(ours[name]):
            sys.exit(f"{name}: {len(ours[name])} values, not {len(values)}")
        # at t = 0 NEURON runs AFTER INITIAL and the like of all mechanisms in turn
        apart = max(abs(a - b) for a, b in zip(values, ours[name]))
        print(f"{name}\t{apart:.2g}")


if __name__ == "__main__":
    main()
