#!/usr/bin/env python3
"""Compare published cells with NEURON, which builds them as their authors do.

    compare-published.py MODELS --work FOLDER [--bosc BOSC] [--job best|export]
                         [--table FILE] [--traces FOLDER] [--tstop MS] [CELL...]

MODELS has a clone of each repository under its last name: ModelDBRepository/139653 is
MODELS/139653 (published/cells.py lists them).  Of each cell NEURON's side runs in a
process of its own, with its tables switched off, and leaves in WORK/CELL: bosc-export's
job, voltages of the soma and of two dendrites at every step for three steps of current,
and sections.tsv: compartments, areas (um2) and axial resistances (MOhm).  What is there
already is not computed again.  With --bosc, bosc then runs a job of the same cell: the
one that it imports, or that stands beside this file (published/CELL.yaml), else the
exported one; once with the derived slopes of currents, and once with NEURON's, which
published/numeric-cc builds.

Prints the largest relative difference of areas and axial resistances, of the published
file where bosc reads it itself; and for each step of current the spikes of NEURON and
bosc, how far they are apart (steps) and, where that is more than one, how far NEURON's
are from its own with v_init + 1e-9 mV, the largest difference of voltages until 1 ms
before the first spike with NEURON's slope and with the derived one, and spikes' with
the former.  --table writes a line a cell.  Exit status 1 where a compartment differs or
a spike is farther apart than one step and than NEURON's own.  --traces writes NEURON's
voltages every millisecond and its spikes, a file a cell.
"""
import argparse
import array
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "science"), os.path.join(HERE, "published")]

from beside import bosc_values  # noqa: E402
from cells import CELLS  # noqa: E402

THRESHOLD, NUDGE = -20, 1e-9
DELAY, REST = 50, 50  # ms, of the current and behind it
# Of areas and resistances.  Of published files 1e-14; what bosc-export writes has NEURON's
# floats, but lengths to 1e-9 where others than its points give them.
NEAR = 2e-9
SLOPES = ("derived", "numeric")


def load_export():
    path = os.path.join(HERE, "..", "..", "jobs", "bosc-export")
    loader = importlib.machinery.SourceFileLoader("bosc_export", path)
    spec = importlib.util.spec_from_loader("bosc_export", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


# --- NEURON's side ----------------------------------------------------------------------


def build_mods(folder, work):
    library = os.path.join(work, "x86_64", "libnrnmech.so")
    if not os.path.exists(library):
        done = subprocess.run(["nrnivmodl", folder], cwd=work, capture_output=True, text=True)
        if not os.path.exists(library):
            sys.exit(f"compare-published: nrnivmodl {folder}: {done.stderr[-500:]}")
    return library


def two_dendrites(h, sections, soma):
    """Those at a third and at nine tenths of all, by distance."""
    h.distance(0, soma(0.5))
    dendrites = sorted((sec for sec, name in sections.items()
                        if name.split("[")[0] not in ("soma", "axon")),
                       key=lambda sec: h.distance(sec(0.5)))
    return [dendrites[int(share * (len(dendrites) - 1))] for share in (1 / 3, 0.9)]


def middle(sec):
    """The compartment in it."""
    return list(sec)[sec.nseg // 2]


def trace_file(work, kind, k):
    return os.path.join(work, f"{kind}-{k}.f64")


def neuron_run(h, places, soma, amplitude, v_init, facts, path):
    clamp = h.IClamp(soma(0.5))
    clamp.delay, clamp.dur, clamp.amp = DELAY, facts["tstop"] - DELAY - REST, amplitude
    vectors = [h.Vector().record(place._ref_v) for place in places]
    h.dt, h.secondorder = facts["dt"], 0
    h.finitialize(v_init)
    for _ in range(round(facts["tstop"] / facts["dt"])):
        h.fadvance()
    with open(path + ".new", "wb") as out:
        for v in vectors:
            array.array("d", v).tofile(out)
    os.rename(path + ".new", path)


def read_traces(path, facts):
    n = round(facts["tstop"] / facts["dt"]) + 1
    out = []
    with open(path, "rb") as file:
        for _ in facts["places"]:
            out.append(array.array("d"))
            out[-1].fromfile(file, n)
    return out


def write_sections(sections, path):
    """As the job has them; resistances only where bosc counts from the same end."""
    with open(path, "w") as out:
        print("section", "neuron", "Ra", "piece", "areas", "resistances", sep="\t", file=out)
        for s in sections:
            ri = [] if s.reversed else [seg.ri() for seg in s.segments]
            piece = s.parent is not None and s.parent.sec == s.sec
            print(s.name, s.own_name if "[" in s.own_name else s.own_name + "[0]",
                  repr(s.sec.Ra), int(piece),
                  *(",".join(map(repr, row)) for row in (s.areas, ri)), sep="\t", file=out)


def neuron_side(name, models, work, tstop, again):
    """Runs in a process of its own; 'again': which step of current, with another v_init."""
    cell = CELLS[name]
    os.environ["PUBLISHED_WORK"] = work
    os.environ.setdefault("NEURON_MODULE_OPTIONS", "-nogui")
    folder = os.path.join(models, cell.repository)
    library = build_mods(os.path.join(folder, cell.mods), work)
    from neuron import h
    h.load_file("stdrun.hoc")
    h.nrn_load_dll(library)
    os.chdir(folder)
    built = cell.build(h)
    for table in [n for n in dir(h) if n.startswith("usetable_")]:
        setattr(h, table, 0)
    exporter = load_export()
    h.dt, h.tstop = cell.dt, tstop
    h.finitialize(h.v_init)
    sections = exporter.sections_named(built)
    soma = next(sec for sec, at in sections.items() if at == "soma[0]")
    chosen = two_dendrites(h, sections, soma)
    places = [soma(0.5)] + [middle(sec) for sec in chosen]
    facts = {"places": [f"{sections[p.sec]}({p.x:.6g})" for p in places], "v_init": h.v_init,
             "own_places": [p.sec.name().split(".")[-1] + f"({p.x:.6g})" for p in places],
             "celsius": h.celsius, "amplitudes": cell.amplitudes, "dt": cell.dt,
             "tstop": tstop, "sections": len(sections),
             "segments": sum(sec.nseg for sec in sections)}
    if again is not None:
        neuron_run(h, places, soma, cell.amplitudes[again], h.v_init + NUDGE, facts,
                   trace_file(work, "nudged", again))
        return
    _, facts["problems"] = exporter.export(built, work)
    write_sections(exporter.build_tree(h, built, []), os.path.join(work, "sections.tsv"))
    for k, amplitude in enumerate(cell.amplitudes):
        if not os.path.exists(trace_file(work, "traces", k)):
            neuron_run(h, places, soma, amplitude, h.v_init, facts,
                       trace_file(work, "traces", k))
    with open(os.path.join(work, "neuron.json"), "w") as out:
        json.dump(facts, out)


# --- bosc's side ------------------------------------------------------------------------


class Bosc:
    """The program, for one cell."""

    def __init__(self, path, name, models, work, export):
        self.path, self.name, self.work = os.path.abspath(path), name, work
        self.models = os.path.join(models, CELLS[name].repository)
        self.kind = ("own" if CELLS[name].job == "own" else "import"
                     if CELLS[name].job and not export else "export")
        if export:
            self.kind = "export"

    def call(self, *arguments, **more):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True,
                              errors="replace", check=False, **more)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip() or f"status {done.returncode}")
        return done.stdout

    def text(self):
        """The job, without currents."""
        path = os.path.join(self.work, "cell.yaml")
        if self.kind == "own":
            path = os.path.join(HERE, "published", self.name.split("-middles")[0] + ".yaml")
            link = os.path.join(self.work, "model")
            if not os.path.exists(link):
                os.symlink(self.models, link)
        elif self.kind == "import":
            path = os.path.join(self.work, "import.yaml")
            if os.path.exists(path):
                os.remove(path)
            self.call("import", *(a.format(work=self.work) for a in CELLS[self.name].job),
                      "-o", path, cwd=self.models)
        with open(path) as file:
            return file.read().split("\n# A step of current")[0] + "\n"

    def write_job(self, facts):
        text = self.text() + ("clamps:\n  - {delay: %g, duration: %g, amplitude: 0}\nprobes:\n"
                              % (DELAY, facts["tstop"] - DELAY - REST))
        for i, place in enumerate(facts["places" if self.kind == "export" else "own_places"]):
            at = "soma" if i == 0 else f'"{place}"'
            text += f"  - {{name: p{i}, at: {at}}}\n"
        self.job = os.path.join(self.work, f"run-{self.kind}.yaml")
        with open(self.job, "w") as file:
            file.write(text)

    def run(self, amplitude, facts, slope):
        result = self.job[:-5] + ".nc"
        environment = dict(os.environ)
        if slope == "numeric":
            environment.update(
                BOSC_CC=os.path.join(HERE, "published", "numeric-cc") + " cc",
                XDG_CACHE_HOME=os.path.join(self.work, "cache"))
        self.call("run", "-q", "--overwrite", self.job, "-o", result, "--set",
                  f"clamps[0].amplitude={amplitude}", "--set", f"tstop={facts['tstop']}",
                  "--set", f"dt={facts['dt']}", env=environment)
        return [bosc_values(result, f"p{i}_v") for i in range(len(facts["places"]))]

    def compartments(self):
        """Areas and resistances of Ra = 100 of each section, and which file it is of."""
        shape, folder = CELLS[self.name].shape, self.models
        if shape is None:
            folder = self.work
            with open(os.path.join(self.work, "cell.yaml")) as file:
                lines = dict(line.strip().split(": ", 1) for line in file if ": " in line)
            rule = lines["discretisation"].split("  #")[0].strip("{}")
            shape = [lines["morphologies"]]
            for key, value in (part.split(": ") for part in rule.split(", ")):
                if key != "frequency":
                    shape += ["--" + key.replace("_", "-"), value]
        else:
            shape = shape + ["--odd-per", "40"]
        text = self.call("inspect", "--compartments", "--Ra", "100", *shape,
                         cwd=folder)
        out = {}
        for row in rows_of(text.splitlines()):
            if float(row["length_um"]) == 0:
                continue  # the end of a section
            areas, resistances = out.setdefault(row["section"], ([], []))
            areas.append(float(row["area_um2"]))
            resistances.append(float(row["resistance_Mohm"]))
        return out, shape[0]


def rows_of(lines):
    head = lines[0].split("\t")
    return [dict(zip(head, line.split("\t"))) for line in lines[1:]]


def floats(text):
    return [float(x) for x in text.split(",")] if text else []


def joined(rows):
    """A row a section of NEURON, of those that bosc-export makes of it."""
    out = {}
    for row in rows:
        first = out.setdefault(row["neuron"], row)
        if first is not row:
            first["areas"] += "," + row["areas"]
            first["resistances"] += "," + row["resistances"]
    return [dict(row, piece="0") for row in out.values()]


def compare_compartments(bosc):
    """Prints what differs; the largest relative difference."""
    ours, file = bosc.compartments()
    exported = CELLS[bosc.name].shape is None
    worst, different, before, n = 0.0, [], 0, 0
    with open(os.path.join(bosc.work, "sections.tsv")) as table:
        theirs = rows_of(table.read().splitlines())
    if not exported:
        theirs = joined(theirs)
    for row in theirs:
        at = row["section" if exported else "neuron"]
        areas, resistances = floats(row["areas"]), floats(row["resistances"])
        own = ours.pop(at, ([], []))
        n += len(areas)
        if len(own[0]) != len(areas):
            different.append(at)
            continue
        ri = [r * float(row["Ra"]) / 100 for r in own[1]]
        half, before = before, ri[-1]
        if row["piece"] == "1":  # which begins at the border, not at the middle before
            ri[0] += half
        worst = max([worst] + [abs(a / b - 1) for a, b in zip(own[0], areas)] +
                    [abs(a / b - 1) for a, b in zip(ri, resistances)])
    different += ours  # bosc has more
    print(bosc.name, os.path.basename(file), f"{n} compartments",
          f"{len(different)} sections differ", f"largest difference {worst:.1e}",
          *different[:5], sep="\t", flush=True)
    return worst if not different else float("inf")


def crossings(v):
    return [i for i in range(1, len(v)) if v[i - 1] < THRESHOLD <= v[i]]


def apart(a, b):
    """The farthest that spikes are apart, in steps; None where the counts differ."""
    return max((abs(x - y) for x, y in zip(a, b)), default=0) if len(a) == len(b) else None


class Row:
    """What is told of a cell: of all its steps of current."""

    def __init__(self, bosc, facts):
        self.name, self.kind, self.facts = bosc.name, bosc.kind, facts
        self.spikes, self.apart, self.itself = [], {s: [] for s in SLOPES}, []
        self.volts, self.agrees, self.compartments = {s: 0.0 for s in SLOPES}, True, 0.0

    def line(self):
        def steps(found):
            return "/".join("-" if x is None else str(x) for x in found)
        f = self.facts
        return (f"| {self.name} | {self.kind} | {f['segments']} | {self.compartments:.0e} | "
                + "/".join(f"{a:g}" for a in f["amplitudes"]) + " | "
                + "/".join(self.spikes) + f" | {steps(self.apart['numeric'])} | "
                f"{steps(self.apart['derived'])} | {steps(self.itself) or '-'} | "
                f"{self.volts['numeric']:.1e} | {self.volts['derived']:.1e} |")


HEAD = ("| cell | job | compartments | areas, resistances | nA | spikes | apart, NEURON's "
        "slope | apart | NEURON itself | mV, NEURON's slope | mV |\n"
        "| --- | --- | --: | --: | --- | --- | --: | --: | --: | --: | --: |")


def compare(bosc, facts, nudge):
    """Prints a line a step of current."""
    bosc.write_job(facts)
    row = Row(bosc, facts)
    for k, amplitude in enumerate(facts["amplitudes"]):
        theirs = read_traces(trace_file(bosc.work, "traces", k), facts)
        spikes = crossings(theirs[0])
        until = max((spikes[0] - round(1 / facts["dt"])) if spikes else len(theirs[0]), 1)
        counts, volts, itself = [len(spikes)], {}, None
        for slope in SLOPES:
            ours = bosc.run(amplitude, facts, slope)
            own = crossings(ours[0])
            volts[slope] = [max(abs(x - y) for x, y in zip(t[:until], o[:until]))
                            for t, o in zip(theirs, ours)]
            row.volts[slope] = max(row.volts[slope], *volts[slope])
            row.apart[slope].append(apart(spikes, own))
            counts += [len(own)] if len(own) not in counts else []
        far = [row.apart[s][-1] for s in SLOPES]
        if None in far or max(far) > 1:
            itself = apart(spikes, crossings(nudge(k)[0]))
            row.itself.append(itself)
            if itself is not None and (None in far or max(far) > itself):
                row.agrees = False
        row.spikes.append(":".join(map(str, counts)))
        print(bosc.name, bosc.kind, f"{amplitude} nA", f"{row.spikes[-1]} spikes",
              *(f"{s}: {row.apart[s][-1]} steps, mV " + " ".join(f"{v:.1e}" for v in volts[s])
                for s in SLOPES),
              f"NEURON itself {itself}" if itself is not None else "",
              "" if row.agrees else "DIFFERS", sep="\t", flush=True)
    return row


def write_trace(name, facts, work, folder):
    """Every millisecond, and the spikes."""
    os.makedirs(folder, exist_ok=True)
    traces = [read_traces(trace_file(work, "traces", k), facts)
              for k in range(len(facts["amplitudes"]))]
    with open(os.path.join(folder, name + ".tsv"), "w") as out:
        print("# voltages (mV) in NEURON, computed for this project; places:",
              " ".join(facts["places"]), file=out)
        for amplitude, trace in zip(facts["amplitudes"], traces):
            spikes = [f"{i * facts['dt']:.6g}" for i in crossings(trace[0])]
            print(f"# {amplitude} nA: spikes at", " ".join(spikes), "ms", file=out)
        rows = [v for trace in traces for v in trace]
        every = round(1 / facts["dt"])
        for i in range(0, len(rows[0]), every):
            print(f"{i * facts['dt']:.6g}", *(f"{v[i]:.8g}" for v in rows), sep="\t", file=out)


def call_neuron(name, models, work, tstop, again=None):
    command = [sys.executable, os.path.abspath(__file__), models, name, "--neuron-side",
               "--work", work, "--tstop", str(tstop)]
    if again is not None:
        command += ["--again", str(again)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError("NEURON: " + done.stderr[-1500:])


def compare_cell(name, options, models, work):
    """The row of a cell, None without bosc."""
    facts_at = os.path.join(work, "neuron.json")
    if not os.path.exists(facts_at):
        call_neuron(name, models, work, options.tstop)
    with open(facts_at) as file:
        facts = json.load(file)
    print(name, f"{facts['sections']} sections", f"{facts['segments']} segments",
          *facts["own_places"], sep="\t", flush=True)
    for text in facts["problems"]:
        print(name, "not exported", text, sep="\t")
    if options.traces:
        write_trace(name, facts, work, options.traces)
    if not options.bosc:
        return None

    def nudge(k):
        path = trace_file(work, "nudged", k)
        if not os.path.exists(path):
            call_neuron(name, models, work, facts["tstop"], k)
        return read_traces(path, facts)

    bosc = Bosc(options.bosc, name, models, work, options.job == "export")
    worst = compare_compartments(bosc)
    row = compare(bosc, facts, nudge)
    row.compartments, row.agrees = worst, row.agrees and worst <= NEAR
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models")
    parser.add_argument("cells", nargs="*")
    parser.add_argument("--work", required=True)
    parser.add_argument("--bosc")
    parser.add_argument("--job", choices=("best", "export"), default="best")
    parser.add_argument("--table")
    parser.add_argument("--traces")
    parser.add_argument("--tstop", type=float, default=1000)
    parser.add_argument("--neuron-side", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--again", type=int, help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    models = os.path.abspath(options.models)
    if options.neuron_side:
        return neuron_side(options.cells[0], models, os.path.abspath(options.work),
                           options.tstop, options.again)
    rows, agree = [], True
    for name in options.cells or CELLS:
        work = os.path.abspath(os.path.join(options.work, name))
        os.makedirs(work, exist_ok=True)
        if not os.path.isdir(os.path.join(models, CELLS[name].repository)):
            print(name, f"left out: {models} has no {CELLS[name].repository}", sep="\t")
            continue
        try:
            rows.append(compare_cell(name, options, models, work))
        except RuntimeError as error:
            print(name, error, sep="\t", flush=True)
            agree = False
    if options.table:
        with open(options.table, "w") as out:
            print(HEAD, *(row.line() for row in rows if row), sep="\n", file=out)
    return 0 if agree and all(row is None or row.agrees for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
