#!/usr/bin/env python3
"""Compare published cells with NEURON, which builds them as their authors do.

    compare-published.py MODELS --work FOLDER [--bosc BOSC] [--job own|export]
                         [--traces FOLDER] [--sections TABLE] [CELL...]

MODELS has a clone of each repository under its last name: ModelDBRepository/139653 is
MODELS/139653.  Of each cell NEURON's side runs in a process of its own and leaves in
WORK/CELL: bosc-export's job, voltages of the soma and of two dendrites at every step
and spikes, for three steps of current and for the same with v_init + 1e-9 mV, and
sections.tsv: compartments, areas (um2) and axial resistances (MOhm).  What is there
already is not computed again.  Then, with --bosc, bosc runs either that job or the one
of a user's own hand, published/CELL.yaml beside this file ('own').

Prints for each step of current: spikes of NEURON and bosc, the largest difference of
voltages until 1 ms before the first spike, how far spikes are apart (steps), and how
far NEURON's are from its own with the other v_init.  Exit status 1 where a spike is
farther apart than one step and than NEURON's own.  --traces writes NEURON's voltages
every millisecond and its spikes, a file a cell.  --sections compares lengths, areas and
compartments with a table of 'bosc inspect --sections --tsv', of one cell.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "science"))

from beside import bosc_values  # noqa: E402

DT, THRESHOLD, NUDGE = 0.025, -20, 1e-9
DELAY, DURATION, TSTOP = 50, 250, 350  # ms
NEAR = 1e-9  # of areas and resistances


def load_export():
    path = os.path.join(HERE, "..", "..", "jobs", "bosc-export")
    loader = importlib.machinery.SourceFileLoader("bosc_export", path)
    spec = importlib.util.spec_from_loader("bosc_export", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


# --- the cells, built in NEURON ---------------------------------------------------------


def hay(h):
    os.chdir("simulationcode")
    h.load_file("import3d.hoc")
    h.load_file("../models/L5PCbiophys3.hoc")
    h.load_file("../models/L5PCtemplate.hoc")
    h.celsius, h.v_init = 34, -80
    return h.L5PCtemplate("../morphologies/cell1.asc")


def hay_middles(h):
    """Hay's cell whose gradients have their values at the middles of segments.

    The published 'for (x)' also visits 1, where hoc sets the last segment again.
    """
    import math
    cell = hay(h)
    h.distance(0, cell.apic[0](0))
    far = max(h.distance(sec(1)) for sec in cell.apical)
    for sec in cell.apical:
        for seg in sec:
            d = h.distance(seg)
            seg.gIhbar_Ih = 2e-4 * (-0.8696 + 2.087 * math.exp(3.6161 * d / far))
            hot = 685 < d < 885
            seg.gCa_LVAstbar_Ca_LVAst = 0.0187 * (1 if hot else 0.01)
            seg.gCa_HVAbar_Ca_HVA = 0.000555 * (1 if hot else 0.1)
    return cell


def l5pc(h):
    """As the example's own generate_hoc.py, with its package."""
    import ast
    sys.path.insert(0, os.path.abspath("examples/l5pc"))
    import bluepyopt.ephys as ephys
    import l5pc_model
    with open("examples/l5pc/generate_hoc.py") as file:
        tree = ast.parse(file.read())
    values = next(ast.literal_eval(node.value) for node in tree.body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "param_values")
    cell = l5pc_model.create()
    sim = ephys.simulators.NrnSimulator(cvode_active=False)
    cell.freeze(values)
    cell.instantiate(sim=sim)
    return cell.icell


def allen(h, fit, morphology, all_active=False):
    """The rules of the AllenSDK, allensdk/model/biophysical/utils.py."""
    with open(fit) as file:
        model = json.load(file)
    h.load_file("import3d.hoc")
    reader = h.Import3d_SWC_read()
    reader.input(morphology)
    h("objref this")
    h.Import3d_GUI(reader, 0).instantiate(h.this)
    h("soma[0] area(0.5)")
    for sec in h.allsec():
        sec.nseg = 1 + 2 * int(sec.L / 40)
    diams = allen_axon_diams(h) if all_active else (1, 1)
    for sec in list(h.allsec()):
        if sec.name()[:4] == "axon":
            h.delete_section(sec=sec)
    h("create axon[2]")
    for sec, diam in zip(h.axon, diams):
        sec.L, sec.diam = 30, diam
        sec.nseg = 1 + 2 * int(sec.L / 40)
    h.axon[0].connect(h.soma[0], 1.0 if all_active else 0.5, 0)
    h.axon[1].connect(h.axon[0], 1, 0)
    h.define_shape()
    allen_values(h, model)
    return None


def allen_axon_diams(h):
    """'truncated': the first section whose middle is farther than 60 um."""
    h.distance(0, h.soma[0](0))
    far = [sec for sec in h.axon if h.distance(sec(0.5)) > 60]
    return h.axon[0].diam, (far or [h.axon[0]])[0].diam


def allen_values(h, model):
    passive, conditions = model["passive"][0], model["conditions"][0]
    for sec in h.allsec():
        sec.insert("pas")
        sec.Ra = passive["ra"]
        if "e_pas" in passive:
            sec.e_pas = passive["e_pas"]
    for row in passive.get("cm", []):
        for sec in h.allsec():
            if sec.name().startswith(row["section"]):
                sec.cm = row["cm"]
    for row in model["genome"]:
        for sec in h.allsec():
            if sec.name().startswith(row["section"]):
                if row["mechanism"]:
                    sec.insert(row["mechanism"])
                setattr(sec, row["name"], float(row["value"]))
    for row in conditions["erev"]:
        for sec in h.allsec():
            if sec.name().startswith(row["section"]):
                for ion in ("na", "k"):
                    if sec.has_membrane(ion + "_ion"):
                        setattr(sec, "e" + ion, row["e" + ion])
    h.celsius, h.v_init = conditions["celsius"], conditions["v_init"]


BIO = "examples/bio_components/"


def allen_cell(number, morphology):
    return lambda h: allen(h, f"{BIO}biophysical_neuron_templates/ctdb/{number}_fit.json",
                           f"{BIO}morphologies/{morphology}_m.swc")


def allen_all_active(h):
    folder = "examples/bio_all_active_sweep/models/neuronal_model_491766131/"
    return allen(h, folder + "fit_parameters.json", folder + "reconstruction.swc", True)


def migliore(h):
    h.celsius, h.v_init = 34, -70
    h.load_file("cell_seed3_0-pyr-08.hoc")
    return h.CA1_PC_cAC_sig6()


def mainen(h):
    """The layer 5 pyramid of figure 1, without the windows of the demo."""
    h.load_file("stdrun.hoc")
    with open("demofig1.hoc") as file:
        text = file.read().split("// GUI")[0]
    for window in (r"sh = new PlotShape(0)", r"sh.size(-300,300,-299.522,299.522)",
                   r'sh.variable("v")',
                   r"{sh.view(-300, -299.522, 600, 599.043, 265, 369, 200.64, 200.32)}",
                   'load_file("nrngui.hoc")'):
        text = text.replace(window, "")
    with open(os.path.join(os.environ["PUBLISHED_WORK"], "mainen.hoc"), "w") as file:
        file.write(text)
    h.load_file(file.name)
    h.load_3dcell("cells/j4a.hoc")
    h.st.amp = 0
    h("objref st")
    return None


def purkinje(h):
    """The mouse cell, without spines."""
    os.chdir("mouse_model")
    sys.path.insert(0, os.getcwd())
    from Purkinje_morpho_1 import Purkinje_Morpho_1
    h.celsius, h.v_init = 32, -65
    return Purkinje_Morpho_1(0)


def emodelrunner(h):
    os.chdir("examples/sscx_sample_dir")
    from emodelrunner.create_cells import create_cell_using_config
    from emodelrunner.load import load_config
    import bluepyopt.ephys as ephys
    config = load_config(config_path="config/config_singlestep.ini")
    cell = create_cell_using_config(config)
    from emodelrunner.load import get_release_params
    cell.freeze(get_release_params(config))
    sim = ephys.simulators.NrnSimulator(dt=DT, cvode_active=False)
    cell.instantiate(sim=sim)
    h.celsius, h.v_init = 34, -80
    return cell.icell


# name: (repository, folder of mod files, how to build it, amplitudes in nA)
CELLS = {
    "hay": ("139653", "mod", hay, (0.2, 0.5, 0.9)),
    "hay-middles": ("139653", "mod", hay_middles, (0.2, 0.5, 0.9)),
    "l5pc": ("BluePyOpt", "examples/l5pc/mechanisms", l5pc, (0.2, 0.5, 0.9)),
    "scnn1a": ("bmtk", BIO + "mechanisms/modfiles",
               allen_cell(472363762, "Scnn1a_473845048"), (0.05, 0.15, 0.25)),
    "pvalb": ("bmtk", BIO + "mechanisms/modfiles",
              allen_cell(472912177, "Pvalb_470522102"), (0.05, 0.2, 0.3)),
    "all-active": ("bmtk", BIO + "mechanisms/modfiles", allen_all_active, (0.1, 0.3, 0.5)),
    "migliore": ("244688", ".", migliore, (0.1, 0.4, 0.8)),
    "mainen": ("2488", ".", mainen, (0.05, 0.2, 0.3)),
    "purkinje": ("267694", "mouse_model/mod_files", purkinje, (-0.2, 0.2, 0.5)),
    "emodelrunner": ("EModelRunner", "examples/sscx_sample_dir/mechanisms", emodelrunner,
                     (0.1, 0.3, 0.6)),
}


# --- NEURON's side ----------------------------------------------------------------------


def build_mods(folder, work):
    library = os.path.join(work, "x86_64", "libnrnmech.so")
    if not os.path.exists(library):
        done = subprocess.run(["nrnivmodl", folder], cwd=work, capture_output=True, text=True)
        if not os.path.exists(library):
            sys.exit(f"compare-published: nrnivmodl {folder}: {done.stderr[-500:]}")
    return library


def two_dendrites(h, sections, soma):
    """The middles of those at a third and at nine tenths of all, by distance."""
    h.distance(0, soma(0.5))
    dendrites = sorted((sec for sec, name in sections.items()
                        if name.split("[")[0] in ("dend", "apic")),
                       key=lambda sec: h.distance(sec(0.5)))
    return [dendrites[int(share * (len(dendrites) - 1))] for share in (1 / 3, 0.9)]


def neuron_run(h, places, soma, amplitude, v_init):
    clamp = h.IClamp(soma(0.5))
    clamp.delay, clamp.dur, clamp.amp = DELAY, DURATION, amplitude
    vectors = [h.Vector().record(place._ref_v) for place in places]
    h.dt, h.secondorder = DT, 0
    h.finitialize(v_init)
    for _ in range(round(TSTOP / DT)):
        h.fadvance()
    return [list(v) for v in vectors]


def write_sections(sections, path):
    with open(path, "w") as out:
        print("section", "nseg", "length", "areas", "resistances", sep="\t", file=out)
        for sec, name in sections.items():
            print(name, sec.nseg, repr(sec.L), *(",".join(repr(x) for x in row) for row in (
                [seg.area() for seg in sec], [seg.ri() for seg in sec])), sep="\t", file=out)


def neuron_side(name, models, work):
    """Runs in a process of its own."""
    repository, mods, build, amplitudes = CELLS[name]
    os.environ["PUBLISHED_WORK"] = work
    os.environ.setdefault("NEURON_MODULE_OPTIONS", "-nogui")
    folder = os.path.join(models, repository)
    library = build_mods(os.path.join(folder, mods), work)
    from neuron import h
    h.load_file("stdrun.hoc")
    h.nrn_load_dll(library)
    os.chdir(folder)
    cell = build(h)
    exporter = load_export()
    h.dt, h.tstop = DT, TSTOP
    h.finitialize(h.v_init)
    _, problems = exporter.export(cell, work)
    sections = exporter.sections_named(cell)
    soma = next(sec for sec, at in sections.items() if at == "soma[0]")
    write_sections(sections, os.path.join(work, "sections.tsv"))
    chosen = two_dendrites(h, sections, soma)
    places = [soma(0.5)] + [sec(0.5) for sec in chosen]
    facts = {"places": [f"{sections[p.sec]}(0.5)" for p in places], "problems": problems,
             "v_init": h.v_init, "celsius": h.celsius, "amplitudes": amplitudes,
             "sections": len(sections), "segments": sum(sec.nseg for sec in sections),
             "traces": [], "nudged": []}
    for amplitude in amplitudes:
        for kind, v in (("traces", h.v_init), ("nudged", h.v_init + NUDGE)):
            facts[kind].append(neuron_run(h, places, soma, amplitude, v))
    for mech in ("usetable",):
        facts[mech] = [n for n in dir(h) if n.startswith("usetable_")]
    with open(os.path.join(work, "neuron.json"), "w") as out:
        json.dump(facts, out)


# --- bosc's side ------------------------------------------------------------------------


def job_text(name, models, work, kind, places):
    """The job with a clamp and probes, beside what it reads."""
    path = os.path.join(work, "cell.yaml")
    if kind == "own":
        path = os.path.join(HERE, "published", name.split("-middles")[0] + ".yaml")
        link = os.path.join(work, "model")
        if not os.path.exists(link):
            os.symlink(os.path.join(models, CELLS[name][0]), link)
    with open(path) as file:
        text = file.read()
    text += f"clamps:\n  - {{delay: {DELAY}, duration: {DURATION}, amplitude: 0}}\nprobes:\n"
    for i, place in enumerate(places):
        at = "soma" if i == 0 else f'"{place}"'
        text += f"  - {{name: p{i}, at: {at}}}\n"
    path = os.path.join(work, f"run-{kind}.yaml")
    with open(path, "w") as file:
        file.write(text)
    return path


def bosc_run(bosc, job, amplitude, places):
    result = job[:-5] + ".nc"
    done = subprocess.run(
        [bosc, "run", "-q", "--overwrite", job, "-o", result, "--set",
         f"clamps[0].amplitude={amplitude}", "--set", f"tstop={TSTOP}", "--set", f"dt={DT}"],
        capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip() or f"status {done.returncode}"))
    return [bosc_values(result, f"p{i}_v") for i in range(len(places))]


def crossings(v):
    return [i for i in range(1, len(v)) if v[i - 1] < THRESHOLD <= v[i]]


def apart(a, b):
    """The farthest that spikes are apart, in steps; None where the counts differ."""
    return max((abs(x - y) for x, y in zip(a, b)), default=0) if len(a) == len(b) else None


def compare(name, bosc, models, work, kind, facts):
    """Prints a line a step of current; whether bosc agrees."""
    job = job_text(name, models, work, kind, facts["places"])
    agrees = True
    for k, amplitude in enumerate(facts["amplitudes"]):
        theirs, nudged = facts["traces"][k], facts["nudged"][k]
        ours = bosc_run(bosc, job, amplitude, facts["places"])
        spikes, own = crossings(theirs[0]), crossings(ours[0])
        until = (spikes[0] - round(1 / DT)) if spikes else len(theirs[0])
        until = max(until, 1)
        most = [max(abs(x - y) for x, y in zip(t[:until], o[:until]))
                for t, o in zip(theirs, ours)]
        between, itself = apart(spikes, own), apart(spikes, crossings(nudged[0]))
        good = between is not None and between <= max(1, itself or 0)
        good = good or itself is None
        agrees = agrees and good
        print(name, kind, f"{amplitude} nA", f"{len(spikes)}/{len(own)} spikes",
              "mV " + " ".join(f"{m:.2g}" for m in most),
              f"apart {between} steps", f"NEURON itself {itself}",
              "" if good else "DIFFERS", sep="\t", flush=True)
    return agrees


def compare_sections(name, table, work):
    """Prints the sections that differ; whether none does."""
    def rows(path):
        with open(path) as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
        return [dict(zip(lines[0], line)) for line in lines[1:]]

    ours = {row["section"]: row for row in rows(table)}
    theirs = rows(os.path.join(work, "sections.tsv"))
    worst, different = 0.0, []
    for row in theirs:
        own = ours.pop(row["section"], None)
        if own is None or own["compartments"] != row["nseg"]:
            different.append(row["section"])
            continue
        area = sum(map(float, row["areas"].split(",")))
        apart_by = max(abs(float(own["area_um2"]) / area - 1),
                       abs(float(own["length_um"]) / float(row["length"]) - 1))
        worst = max(worst, apart_by)
        if apart_by > NEAR:
            different.append(row["section"])
    different += ours  # bosc has more
    print(name, f"{len(theirs)} sections", f"{len(different)} differ", f"worst {worst:.2g}",
          *different[:5], sep="\t")
    return not different


def write_trace(name, facts, folder):
    """Every millisecond, and the spikes."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".tsv"), "w") as out:
        print("# voltages (mV) in NEURON, computed for this project; places:",
              " ".join(facts["places"]), file=out)
        for k, amplitude in enumerate(facts["amplitudes"]):
            spikes = [f"{i * DT:.6g}" for i in crossings(facts["traces"][k][0])]
            print(f"# {amplitude} nA: spikes at", " ".join(spikes), "ms", file=out)
        rows = [v for trace in facts["traces"] for v in trace]
        every = round(1 / DT)
        for i in range(0, len(rows[0]), every):
            print(f"{i * DT:.6g}", *(f"{v[i]:.8g}" for v in rows), sep="\t", file=out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models")
    parser.add_argument("cells", nargs="*")
    parser.add_argument("--work", required=True)
    parser.add_argument("--bosc")
    parser.add_argument("--job", choices=("own", "export"), default="export")
    parser.add_argument("--traces")
    parser.add_argument("--sections")
    parser.add_argument("--neuron-side", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    models = os.path.abspath(options.models)
    if options.neuron_side:
        return neuron_side(options.cells[0], models, os.path.abspath(options.work))
    agree = True
    for name in options.cells or CELLS:
        work = os.path.abspath(os.path.join(options.work, name))
        os.makedirs(work, exist_ok=True)
        if not os.path.isdir(os.path.join(models, CELLS[name][0])):
            print(name, f"left out: {models} has no {CELLS[name][0]}", sep="\t")
            continue
        if not os.path.exists(os.path.join(work, "neuron.json")):
            done = subprocess.run(
                [sys.executable, os.path.abspath(__file__), models, name, "--neuron-side",
                 "--work", work], capture_output=True, text=True)
            if done.returncode != 0:
                print(name, "NEURON failed:", done.stderr[-1500:], sep="\t", flush=True)
                agree = False
                continue
        with open(os.path.join(work, "neuron.json")) as file:
            facts = json.load(file)
        print(name, f"{facts['sections']} sections", f"{facts['segments']} segments",
              *(f"{a} nA: {len(crossings(t[0]))}" for a, t in
                zip(facts["amplitudes"], facts["traces"])), *facts["places"], sep="\t",
              flush=True)
        for text in facts["problems"]:
            print(name, "not exported", text, sep="\t")
        if options.traces:
            write_trace(name, facts, options.traces)
        if options.sections:
            agree = compare_sections(name, options.sections, work) and agree
        if options.bosc:
            try:
                agree = compare(name, options.bosc, models, work, options.job, facts) and agree
            except RuntimeError as error:
                print(name, "bosc:", error, sep="\t", flush=True)
                agree = False
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
