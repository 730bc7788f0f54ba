#!/usr/bin/env python3
"""Compare i_mem of a ball and stick with i_membrane_ of NEURON.

    compare-i-mem.py BOSC JOB [--second-order]

JOB is a job of the cell ball.swc beside it, as i_mem.t writes them: hh in the
soma, pas in the dendrite, a synapse, three current clamps, and a probe 'all'
everywhere.  Runs it with bosc, and the same model with NEURON.  Prints the
largest difference and the largest value of all compartments and times but
t = 0, where NEURON has the current of the ions instead; then the same of the
sums of all compartments, and what the clamps inject.  With second order
NEURON's current is of the middle of the step: 'i_mem between' compares it with
the mean of two of bosc's, where there is no clamp.
"""
import os
import subprocess
import sys
import tempfile

DT, STEPS, PIECES = 0.025, 1600, 5
CLAMPED = (3, 8)  # soma(0.5) and dend(0.3), among soma(0) .. dend(1)


def neuron_traces(swc, second_order):
    """v and i_membrane_ of the segments of soma and dendrite, step by step."""
    from neuron import h

    h.load_file("stdrun.hoc")
    h.load_file("import3d.hoc")
    reader = h.Import3d_SWC_read()
    reader.quiet = 1
    reader.input(swc)
    h.Import3d_GUI(reader, 0).instantiate(None)
    soma, dend = h.soma[0], h.dend[0]
    for sec in (soma, dend):
        sec.nseg, sec.cm, sec.Ra = PIECES, 1, 100
    soma.insert("hh")
    dend.insert("pas")
    dend.g_pas, dend.e_pas = 0.0001, -65
    h.usetable_hh = 0
    kept = []
    for seg, start, duration, amplitude in (
            (soma(0.5), 1, 5, 0.3), (soma(0.5), 3, 10, 0.1),
            (dend(0.3), 8, 4, -0.05)):
        clamp = h.IClamp(seg)
        clamp.delay, clamp.dur, clamp.amp = start, duration, amplitude
        kept.append(clamp)
    source, synapse = h.NetStim(), h.ExpSyn(dend(0.7))
    source.start, source.interval, source.number, source.noise = 20, 5, 2, 0
    synapse.tau, synapse.e = 2, 0
    connection = h.NetCon(source, synapse)
    connection.delay, connection.weight[0] = 1, 0.01
    h.CVode().use_fast_imem(1)
    h.secondorder = 2 if second_order else 0
    h.celsius, h.dt = 6.3, DT
    h.finitialize(-65)
    segments = [s for sec in (soma, dend) for s in sec.allseg()
                if sec is soma or s.x > 0]
    rows = []
    for _ in range(STEPS):
        h.fadvance()
        rows.append([[s.v for s in segments],
                     [s.i_membrane_ for s in segments],
                     sum(c.i for c in kept)])
    return rows


def bosc_rows(path, name, width):
    text = subprocess.run(["ncdump", "-p", "9,17", "-v", name, path],
                          capture_output=True, text=True, check=True).stdout
    data = text[text.index("data:"):]
    data = data[data.index(f"{name} =") + len(name) + 2:]
    values = [float(x)
              for x in data[:data.index(";")].replace("\n", " ").split(",")]
    return [values[i:i + width] for i in range(0, len(values), width)][1:]


def show(name, pairs):
    pairs = list(pairs)
    most = max(abs(x - y) for x, y in pairs)
    print(f"{name}\t{most:.3g}\t{max(abs(x) for x, _ in pairs):.3g}")


def main():
    bosc, job = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    second_order = "--second-order" in sys.argv
    theirs = neuron_traces(os.path.join(os.path.dirname(job), "ball.swc"),
                           second_order)
    width = len(theirs[0][0])
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "out.nc")
        subprocess.run([bosc, "run", "-q", job, "-o", result, "--set",
                        f"second_order={str(second_order).lower()}"],
                       check=True, stdout=subprocess.DEVNULL)
        v = bosc_rows(result, "all_v", width)
        i_mem = bosc_rows(result, "all_i_mem", width)
    show("v", ((x, y) for a, b in zip(theirs, v, strict=True)
               for x, y in zip(a[0], b, strict=True)))
    show("i_mem", ((x, y) for a, b in zip(theirs, i_mem, strict=True)
                   for x, y in zip(a[1], b, strict=True)))
    show("sum", ((a[2], sum(b)) for a, b in zip(theirs, i_mem, strict=True)))
    if second_order:
        between = ([(x + y) / 2 for x, y in zip(a, b)]
                   for a, b in zip(i_mem, i_mem[1:]))
        show("i_mem between", ((a[1][k], b[k])
                               for a, b in zip(theirs[1:], between)
                               for k in range(width) if k not in CLAMPED))


if __name__ == "__main__":
    main()
