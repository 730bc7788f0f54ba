#!/usr/bin/env python3
"""Compare potentials outside neurons with NEURON's 'extracellular'.

    compare-field.py BOSC FILE.swc

For developers, not part of the test suite: needs NEURON and ncdump.  Runs stimuli with
'extracellular' of bosc, and the same in NEURON: xg = 1e10, xc = 0, and a Vector played
into e_extracellular of each segment, of the potential at its middle; v is the membrane's
in both.  Middles are those that bosc has, in single precision; first how far they are from
those by the points of NEURON's sections is printed (um), and has to be less than 1e-4.
Cells are passive, or have hh everywhere, without NEURON's tables, and spike.  Prints for each
case the spikes, the largest change of a voltage by the stimulus, and the
largest difference of voltages in the middles of some sections.  Exit
status 1 where it is more than 1e-6 mV, or 1e-5 mV of cells that spike, by which small
differences grow.
"""
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "science"))

from beside import bosc_values  # noqa: E402

DT, TSTOP, SIGMA = 0.025, 40, 0.3
NEAR, NEAR_SPIKES, NEAR_PLACES = 1e-6, 1e-5, 1e-4  # mV, mV, um
DIRECTION = (1, -2, 3)
ELECTRODES = ((30, 20, -10), (-80, 100, 5))
WAVES = {
    "sine": ("type: Sine, delay: 2, duration: 1e9, amplitude: {size}, frequency: 100, phase: 30",
             lambda t: math.sin(2 * math.pi * (0.1 * (t - 2) + 30 / 360)) if t >= 2 else 0),
    "pulses": ("type: Pulses, delay: 5, duration: 1, amplitude: {size}, period: 10, count: 3, "
               "holding: {low}",
               lambda t: (1 if t >= 5 and t < 26 and (t - 5) % 10 < 1 else 0) + 0.1),
}
PLACES = {"field": "direction: [1, -2, 3]",
          "points": f"electrodes: [[30, 20, -10], [-80, 100, 5]], sigma: {SIGMA}"}
SIZES = {("field", False): 20, ("points", False): 3000, ("field", True): 20,
         ("points", True): 3000}  # V/m, nA
MEMBRANES = {False: "pas: {g: 1e-4, e: -65}", True: "hh: {}"}


def potential(place, at, radius):
    """mV for 1 V/m or 1 nA."""
    if place == "field":
        length = math.sqrt(sum(x * x for x in DIRECTION))
        return -1e-3 * sum(a * b for a, b in zip(DIRECTION, at)) / length
    return sum(1 / (4 * math.pi * SIGMA * max(radius, math.dist(at, e))) for e in ELECTRODES)


def build(h, path):
    """The sections of a file."""
    h.load_file("stdrun.hoc")
    h.load_file("import3d.hoc")
    reader = h.Import3d_SWC_read()
    reader.quiet = 1
    reader.input(path)
    h.Import3d_GUI(reader, 0).instantiate(None)
    for sec in h.allsec():
        sec.Ra, sec.cm = 100, 1
        sec.nseg = int((sec.L / (0.1 * h.lambda_f(100, sec=sec)) + 0.9) / 2) * 2 + 1
    return list(h.allsec())


def middle(sec, x):
    """Where it is on the way from point to point."""
    arc = x * sec.L
    for i in range(1, sec.n3d()):
        if arc <= sec.arc3d(i) or i == sec.n3d() - 1:
            part = (arc - sec.arc3d(i - 1)) / (sec.arc3d(i) - sec.arc3d(i - 1))
            a = (sec.x3d(i - 1), sec.y3d(i - 1), sec.z3d(i - 1))
            b = (sec.x3d(i), sec.y3d(i), sec.z3d(i))
            return tuple(p + part * (q - p) for p, q in zip(a, b))
    raise ValueError(sec.name())


def read_places(bosc, path):
    """The middles of the compartments of each section."""
    with tempfile.TemporaryDirectory() as folder:
        job = os.path.join(folder, "job.yaml")
        with open(job, "w", encoding="utf-8") as file:
            print(f"tstop: 1\npopulations: [{{name: c, morphologies: {path}, "
                  f"regions: {{all: {{Ra: 100, cm: 1, pas: {{}}}}}}}}]", file=file)
        lines = subprocess.run([bosc, "inspect", job, "--compartments"], capture_output=True,
                               text=True, check=True).stdout.splitlines()[1:]
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:]]
    places = {}
    for row in rows:
        at = places.setdefault(row["section"], [])
        if float(row["area_um2"]) > 0:
            at.append(tuple(float(row[k]) for k in ("x_um", "y_um", "z_um")))
    return places


def neuron_run(path, place, wave, spiking, sites, places):
    """The voltages at (section, x), at all steps."""
    from neuron import h

    sections = build(h, path)
    apart = max(math.dist(at, middle(sec, seg.x)) for sec in sections
                for at, seg in zip(places[sec.name()], sec, strict=True))
    if place == "field" and wave == "sine" and not spiking:
        print(f"places are {apart:.2g} um apart", flush=True)
    if apart > NEAR_PLACES:
        sys.exit("compare-field.py: places differ")
    size = SIZES[place, spiking]
    steps = round(TSTOP / DT)
    times = h.Vector([(k + 0.5) * DT for k in range(-1, steps + 1)])
    course = h.Vector([WAVES[wave][1](t) for t in times])
    kept = []
    for sec in sections:
        sec.insert("hh" if spiking else "pas")
        sec.insert("extracellular")
        for at, seg in zip(places[sec.name()], sec):
            if not spiking:
                seg.pas.g, seg.pas.e = 1e-4, -65
            for layer in range(2):
                seg.xg[layer], seg.xc[layer] = 1e10, 0
            factor = size * potential(place, at, seg.diam / 2)
            played = course.c().mul(factor)
            played.play(seg._ref_e_extracellular, times, 1)
            kept.append(played)
    names = {sec.name().split(".")[-1]: sec for sec in sections}
    if spiking:
        clamp = h.IClamp(sections[0](0.5))
        clamp.delay, clamp.dur, clamp.amp = 10, 20, 0.6
    v = [h.Vector().record(names[name](x)._ref_v)
         for name, x in sites]
    if spiking:
        h.usetable_hh = 0
    h.celsius, h.dt, h.steps_per_ms, h.secondorder = 6.3, DT, 1 / DT, 0
    h.finitialize(-65)
    h.continuerun(TSTOP)
    return [list(one) for one in v]


def bosc_run(bosc, path, place, wave, spiking, sites, still):
    size = 0 if still else SIZES[place, spiking]
    course = WAVES[wave][0].format(size=size, low=0.1 * size)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "job.yaml"), "w", encoding="utf-8") as file:
            print(f"tstop: {TSTOP}\npopulations:\n  - {{name: c, morphologies: {path}, "
                  f"regions: {{all: {{Ra: 100, cm: 1, {MEMBRANES[spiking]}}}}}}}\n"
                  f"stimuli:\n  - {{name: s, {course}, extracellular: {{{PLACES[place]}}}}}\n"
                  + ("clamps: [{delay: 10, duration: 20, amplitude: 0.6}]\n" if spiking else "")
                  + "probes:", file=file)
            for i, (name, x) in enumerate(sites):
                print(f'  - {{name: p{i}, at: "{name}({x})"}}', file=file)
        out = os.path.join(folder, "out.nc")
        subprocess.run([bosc, "run", "-q", file.name, "-o", out], check=True)
        return [bosc_values(out, f"p{i}_v") for i in range(len(sites))]


def compare(bosc, path, case, sites, places):
    """Print a line; whether it is near."""
    ours = bosc_run(bosc, path, *case, sites, False)
    still = bosc_run(bosc, path, *case, sites, True)
    theirs = neuron_run(path, *case, sites, places)
    n = min(len(ours[0]), len(theirs[0]))
    apart = max(abs(a - b) for p, q in zip(ours, theirs) for a, b in zip(p[:n], q[:n]))
    change = max(abs(a - b) for p, q in zip(ours, still) for a, b in zip(p, q))
    spikes = [sum(a < -20 <= b for a, b in zip(v[0], v[0][1:])) for v in (ours, theirs)]
    print("%s %s %s: %d spikes, NEURON %d; changed by %.3g mV; differs by %.2g mV" %
          (case[0], case[1], "spiking" if case[2] else "passive", *spikes, change, apart),
          flush=True)
    return apart <= (NEAR_SPIKES if case[2] else NEAR) and spikes[0] == spikes[1]


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    bosc, path = (os.path.abspath(p) for p in sys.argv[1:])
    places = read_places(bosc, path)
    names = list(places)
    names = names[:1] + names[1::max(1, len(names) // 8)]
    # ends without area: NEURON has no potential of its own there
    sites = [(name, 0.5) for name in names]
    near = True
    for place in PLACES:
        for wave in WAVES:
            for spiking in MEMBRANES:
                child = os.fork()  # NEURON has one model in a process
                if child == 0:
                    os._exit(0 if compare(bosc, path, (place, wave, spiking), sites, places) else 1)
                near = os.waitpid(child, 0)[1] == 0 and near
    sys.exit(0 if near else 1)


if __name__ == "__main__":
    main()
