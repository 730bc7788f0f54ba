"""cells.py - published cells, built in NEURON as their authors build them.

For compare-published.py; their files are in clones that its MODELS has.
"""
import json
import os
import sys


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
    with open(os.path.join(os.environ["PUBLISHED_WORK"], "values.json"), "w") as file:
        json.dump(values, file)
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
CTDB = BIO + "biophysical_neuron_templates/ctdb/"
SWEEP = "examples/bio_all_active_sweep/models/neuronal_model_491766131/"


def migliore(h):
    h.celsius, h.v_init = 34, -70
    h.load_file("cell_seed3_0-pyr-08.hoc")
    return h.CA1_PC_cAC_sig6()


def mainen(h, shape):
    """A cell of figure 1, without the windows of the demo."""
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
    h.load_3dcell(f"cells/{shape}.hoc")
    h.st.amp = 0
    h("objref st")


def granule(h):
    """As proc run() of DGC_SetUp.hoc, with figure 6A's holding current."""
    for name in ("Morphology", "Biophysics", "Parameters"):
        h.load_file(f"DGC_{name}.hoc")
    h.Parameters()
    h.ihold, h.gbarsAHP = 56.751, 0
    h.geom()
    for sec in h.allsec():
        sec.Ra, sec.cm = h.Ra0, h.cm0
    for sec in h.allsec():
        sec.nseg = int((sec.L / (0.1 * h.lambda_f(100, sec=sec)) + 0.9) / 2) * 2 + 1
    h.InsertChannels()
    h("objref hold")
    h.hold = h.holdingi(h.soma[0](0.5))
    h.hold.ic = 0.001 * h.ihold


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
    sim = ephys.simulators.NrnSimulator(dt=0.025, cvode_active=False)
    cell.instantiate(sim=sim)
    h.celsius, h.v_init = 34, -80
    return cell.icell


class Cell:
    """Where a cell is, how it is built, the steps of current (nA), and its loader.

    'job' has the arguments of 'bosc import', or 'own' for a job beside this file;
    'shape' those of 'bosc inspect' by which the published file has the sections.
    Without them there are those of bosc-export.
    """

    def __init__(self, repository, mods, build, amplitudes, job=None, shape=None, dt=0.025):
        self.repository, self.mods, self.build = repository, mods, build
        self.amplitudes, self.job, self.shape, self.dt = amplitudes, job, shape, dt


def bmtk(number, morphology, amplitudes):
    fit, swc = f"{CTDB}{number}_fit.json", f"{BIO}morphologies/{morphology}_m.swc"
    mods = BIO + "mechanisms/modfiles"
    return Cell("bmtk", mods, lambda h: allen(h, fit, swc), amplitudes,
                ["allen", fit, swc, "--mechanisms", mods],
                [swc, "--axon", "allen_perisomatic"])


def all_active(repository, folder, amplitudes):
    fit, swc = folder + "fit_parameters.json", folder + "reconstruction.swc"
    mods = folder + "modfiles"
    return Cell(repository, mods, lambda h: allen(h, fit, swc, True), amplitudes,
                ["allen", fit, swc, "--mechanisms", mods],
                [swc, "--axon", "allen_truncated"])


HAY = ["morphologies/cell1.asc", "--axon", "allen_perisomatic"]
SSCX = "examples/sscx_sample_dir/"
SSCX_ASC = (SSCX + "morphology/dend-C231296A-P4B2_axon-C200897C-P2_-_"
            "Scale_x1.000_y0.975_z1.000.asc")
CELLS = {
    "hay": Cell("139653", "mod", hay, (0.2, 0.5, 0.9), None, HAY),
    "hay-middles": Cell("139653", "mod", hay_middles, (0.2, 0.5, 0.9), "own", HAY),
    "l5pc": Cell("BluePyOpt", "examples/l5pc/mechanisms", l5pc, (0.2, 0.5, 0.9),
                 ["bluepyopt", "examples/l5pc", "--values", "{work}/values.json"],
                 ["examples/l5pc/morphology/C060114A7.asc", "--axon", "bluepyopt"]),
    "migliore": Cell("244688", ".", migliore, (0.1, 0.4, 0.8), "own",
                     ["morphologies/mpg141209_A_idA.asc", "--axon", "bbp_v6_nomyelin"]),
    "scnn1a": bmtk(472363762, "Scnn1a_473845048", (0.05, 0.15, 0.25)),
    "pvalb": bmtk(472912177, "Pvalb_470522102", (0.05, 0.2, 0.3)),
    "all-active-491766131": all_active("bmtk", SWEEP, (0.1, 0.3, 0.5)),
    "all-active-497232925": all_active("allen-db-497232925", "", (0.05, 0.1, 0.2)),
    "mainen-a": Cell("2488", ".", lambda h: mainen(h, "lcAS3"), (0.03, 0.05, 0.1)),
    "mainen-b": Cell("2488", ".", lambda h: mainen(h, "j7"), (0.05, 0.07, 0.12)),
    "mainen-c": Cell("2488", ".", lambda h: mainen(h, "j8"), (0.07, 0.1, 0.15)),
    "mainen-d": Cell("2488", ".", lambda h: mainen(h, "j4a"), (0.1, 0.2, 0.3)),
    "granule": Cell("169240", ".", granule, (0.05, 0.1, 0.2)),
    "purkinje": Cell("267694", "mouse_model/mod_files", purkinje, (-0.2, 0.2, 0.5)),
    "emodelrunner": Cell("EModelRunner", SSCX + "mechanisms", emodelrunner, (0.1, 0.3, 0.6),
                         ["bbp", SSCX + "config/config_singlestep.ini"],
                         [SSCX_ASC, "--axon", "bbp_v6"]),
}
