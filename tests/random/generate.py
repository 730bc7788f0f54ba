"""generate.py - draw a valid job from a seed, over all keys of a job.

Parameters of mechanisms, and what probes record, are taken from the program
itself, by schema.py.  A key of the program, or a parameter of a mechanism, that
no job has and LEFT_OUT does not name fails tests/random/random.t (keys.py).
"""
import json
import math
import os
import random
import shutil

import places
import shapes

# Keys that no job has, and why.
LEFT_OUT = {
    "verify": "variants differ by it", "backend": "variants differ by it",
    "method": "variants differ by it", "block": "variants differ by it",
    "levels": "variants differ by it",
    "threads": "variants differ by it", "cost_from": "variants differ by it",
    "output.file": "the runner names files",
    "output.io_ranks": "variants differ by it",
    "output.parallel": "no, where one netCDF cannot do it",
    "checkpoint.every": "killed variants have it",
    "populations[].model_values": "of models of other kinds, in tests/models",
    "populations[].model_name": "of models of other kinds, in tests/models",
    "checkpoint.on_signal": "killed variants rely on the default",
}
# Where twice or half the default is not what a cell has.
SPANS = {
    "Ra": (20, 300), "cm": (0.5, 3), "v_init": (-75, -55), "pas.g": (2e-5, 2e-3), "pas.e": (-80, -50),
    "hh.gnabar": (0.06, 0.2), "hh.gkbar": (0.02, 0.06), "hh.gl": (1e-4, 1e-3),
    "hh.el": (-62, -50), "hh.ena": (40, 60), "hh.ek": (-85, -70),
    "k_ion.ek": (-90, -70), "k_ion.ki": (40, 70), "k_ion.ko": (2, 5),
    "ca_ion.eca": (100, 140), "ca_ion.cai": (2e-5, 2e-4), "ca_ion.cao": (1, 3),
    "na_ion.ena": (40, 60), "na_ion.nai": (5, 20), "na_ion.nao": (100, 160),
    "ExpSyn.tau": (0.2, 6), "Exp2Syn.tau1": (0.2, 2), "Exp2Syn.tau2": (3, 20),
    "Nmda.tau1": (0.3, 2), "Nmda.tau2": (4, 30), "pool.total": (0, 0.006),
    "Hold.change": (2, 6), "Step.amp": (-0.05, 0.2), "Beat.amp": (-0.03, 0.06),
    "Pulse.dur": (0.1, 3), "Pulse.first": (0, 4), "Watch.high": (-60, -20),
    "Watch.low": (-75, -62), "kdr.half": (-45, -20), "leaky.e": (-80, -50),
    "da_ion.eda": (-80, -40), "da_ion.dai": (0.1, 5), "da_ion.dao": (0.1, 5),
    "corner.half": (-60, -40), "corner.n0": (0.05, 0.4), "Pulse.at_Pulse": (-80, 0),
    "Extend.span": (0.05, 4), "Extend.most": (0.5, 8), "Extend.level": (-64, 0), "Extend.g": (1e-4, 0.01),
    "Pulses.delay": (0, 4), "Pulses.duration": (0.2, 2), "Pulses.amplitude": (-0.03, 0.15),
    "Pulses.holding": (-0.01, 0.02), "Sine.holding": (-0.01, 0.02), "Chirp.holding": (-0.01, 0.02),
    "Pulses.slope": (-0.02, 0.04), "Pulses.period": (2, 5),
    "Sine.delay": (0, 3), "Sine.duration": (1, 12), "Sine.amplitude": (-0.05, 0.1),
    "Sine.frequency": (10, 2000), "Sine.phase": (-180, 360), "Sine.offset": (-0.02, 0.04),
    "Chirp.delay": (0, 3), "Chirp.duration": (1, 12), "Chirp.amplitude": (-0.05, 0.1),
    "Chirp.frequency": (10, 500), "Chirp.last_frequency": (10, 2000), "Chirp.offset": (-0.02, 0.04),
    "SEClamp.rs": (1, 20), "SEClamp.dur1": (0.5, 4), "SEClamp.amp1": (-80, -40),
    "SEClamp.dur2": (0.1, 4), "SEClamp.amp2": (-70, 10), "SEClamp.dur3": (0.1, 9), "SEClamp.amp3": (-90, -50),
    "OUCurrent.mean": (-0.02, 0.1), "OUCurrent.sigma": (0.005, 0.1), "OUCurrent.tau": (0.5, 10),
    "OUConductance.mean": (-0.0005, 0.002), "OUConductance.sigma": (0.0002, 0.002),
    "OUConductance.tau": (0.5, 10), "OUConductance.reversal": (-80, 0),
    "CurrentPlayback.scale": (0.2, 1.5), "CurrentPlayback.offset": (-0.02, 0.02),
    "VoltagePlayback.rs": (1, 20), "VoltagePlayback.scale": (0.8, 1.1), "VoltagePlayback.offset": (-3, 3),
    "IClamp.start": (0, 4), "IClamp.end": (2, 12), "IClamp.amplitude": (-0.03, 0.15),
    "ih.e": (-60, -30), "steep.g": (1e-5, 1e-3), "Hold.first": (-75, -50), "Hold.second": (-60, -30),
}

# Stimuli that play a table: the span of its numbers.
PLAYED = {"CurrentPlayback": (-0.05, 0.15), "VoltagePlayback": (-80, 0)}

# What mechanisms of membranes compute, which probes record with their names.
COMPUTED = {
    "pas": ["i"], "hh": ["ina", "ik", "il"], "cal": ["ica"], "cat": ["ica"],
    "ih": ["i"], "kca": ["ik"], "kdr": ["ik"], "kin": ["ik"],
    "leaky": ["i"], "moments": ["i"], "nap": ["ina"], "noise": ["i"],
    "steep": ["i"],
}
# Rules for axons: axon sections and um of them that they need, sections that
# they make (None: those of the file).
AXON_RULES = {
    "none": (0, 0, None), "remove": (0, 0, {}), "stub": (0, 0, {"axon": 2}),
    "allen_perisomatic": (0, 0, {"axon": 2}),
    "aibs_perisomatic": (0, 0, {"axon": 2}),
    "allen_truncated": (1, 0, {"axon": 2}),
    "aibs_allactive": (1, 0, {"axon": 2}), "bluepyopt": (0, 0, {"axon": 2}),
    "bbp_v5": (0, 0, {"axon": 2}),
    "bbp_v6": (3, 100, {"axon": 2, "myelin": 1}),
    "bbp_v6_nomyelin": (3, 100, {"axon": 2}), "thalamus": (2, 0, {"axon": 2}),
}
PLACES = ("soma(0)", "soma(0.5)", "soma(1)")
REVERSALS = (0, 0, 0, -5, -75, -80)
USERS = {"k_ion": {"kdr", "kin", "kca", "kout"}, "na_ion": {"nap"},
         "ca_ion": {"cal", "cat", "pool", "kca"}, "da_ion": {"corner"}}
# What may be held; pool writes cai, and kout ko.
FIXED = ("ek", "ki", "ena", "nai", "nao", "eca", "cao")
CURRENTS = {"kout", "pool"}  # read what flows: not with second_order
OUTSIDE = ("IClamp", "Pulses", "Sine", "Chirp", "CurrentPlayback")  # follow the time alone
SELF = ("Pulse", "Watch", "Beat", "Extend")  # send events to themselves
HOSTED = {"Extend"}  # no engine of a GPU has net_move()
# With which the voltage of most neurons does not stay finite: hh has it so.
UNSTABLE = {".steep.g": (1e5, 1e8), ".amplitude": (-1e6, -5e5)}


class Draw:
    """Random numbers with few digits, so that jobs can be read."""

    def __init__(self, seed):
        self.random = random.Random(f"bosc {seed}")

    def chance(self, p):
        return self.random.random() < p

    def pick(self, of):
        return of[self.random.randrange(len(of))]

    def some(self, of, n):
        return self.random.sample(list(of), min(n, len(of)))

    def whole(self, low, high):
        return self.random.randint(low, high)

    def number(self, low, high, digits=4):
        """Evenly between them, or by ratio where they are far apart."""
        if low > 0 and high / low > 5:
            x = math.exp(self.random.uniform(math.log(low), math.log(high)))
        else:
            x = self.random.uniform(low, high)
        return min(max(float(f"{x:.{digits}g}"), low), high)

    def few(self, most):
        """1 .. most, small ones more often."""
        return min(self.whole(1, most), self.whole(1, most))


def folders(mods):
    """Those of mod files: beside the first is what no engine of a GPU has."""
    return [mods, os.path.join(os.path.dirname(mods), "hosted")]


class Population:
    """What the other parts need to know of one."""

    def __init__(self, keys):
        self.keys = keys
        self.n = 0            # neurons
        self.compartments = 0  # of all, about
        self.sections = {"soma": 1}  # that each neuron has
        self.regions = ["soma"]
        self.area = 500       # um2 of the smallest neuron
        self.mechanisms = {}  # region: names
        self.placed = False   # neurons have positions
        self.sure = True      # each neuron has these regions

    @property
    def name(self):
        return self.keys["name"]


class Generator:
    """One job: self.job, and self.files by name."""

    def __init__(self, seed, schema, mods):
        self.draw, self.seed = Draw(seed), seed
        self.schema, self.mods = schema, mods
        self.job, self.files = {}, {}
        self.populations, self.sources = [], []
        self.members, self.swept = 1, False
        self.hosted = False
        self.away_from = False  # a pointer stands for another neuron
        self.unstable = []  # members that are to fail
        self.theme = self.draw.pick(THEMES)
        self.theme_of = {"job": self.theme}
        self.build()

    # --- values ---------------------------------------------------------------

    def value(self, name, key):
        """Of a parameter: hh.gnabar."""
        if name in SPANS:
            return self.draw.number(*SPANS[name])
        default = float(key.default or 1)
        if key.name.endswith(".e") or key.name.endswith("[].e"):
            return self.draw.pick(REVERSALS) + self.draw.whole(-3, 3)
        low, high = sorted((default / 2, default * 2))
        if key.low is not None:
            low, high = max(low, key.low), min(high, key.high)
        return self.draw.number(low, high)

    def parameters(self, mechanism, keys, p=0.4):
        """Some of its parameters; a GLOBAL everywhere or nowhere."""
        out = {}
        for name, key in keys.items():
            if "GLOBAL" in key.text:
                one = f"{mechanism}.{name}"
                if one not in self.globals:
                    self.globals[one] = self.draw.chance(0.3) and self.value(
                        one, key)
                if self.globals[one]:
                    out[name] = self.globals[one]
                continue
            if self.draw.chance(p):
                out[name] = self.value(f"{mechanism}.{name}", key)
        return out

    # --- pointers -------------------------------------------------------------

    def variable(self, population, of_region=False):
        """What a pointer of a neuron stands for on the same neuron."""
        draw = self.draw
        self.hosted = True  # no engine of a GPU has them
        name = draw.pick(["v", "v", "i_mem", "i_membrane_", "i_membrane_"])
        if of_region and name == "i_membrane_":  # ends have no area
            name = "i_membrane"
        if draw.chance(0.4):
            return name
        return {"variable": name,
                "at": self.location(population) if population else "soma"}

    def away(self, population):
        """The same, or the voltage of another neuron."""
        draw = self.draw
        if self.draw.chance(0.4):
            return {"x": self.variable(population)}
        self.hosted = self.away_from = True
        to = {"neuron": 0}
        if draw.chance(0.6):
            other = draw.pick(self.populations)
            to = {"population": other.name, "at": self.location(other)}
            if other is not population or draw.chance(0.3):
                to["neuron"] = 0
        return {"x": to}

    def location(self, population, p_soma=0.4):
        """A place that each neuron of a population has."""
        sections = population.sections
        if self.draw.chance(p_soma):
            return "soma"
        name = self.draw.pick(sorted(sections))
        x = self.draw.pick([0, 0.5, 1, self.draw.number(0.01, 0.99, 3)])
        return f"{name}[{self.draw.whole(0, (sections[name] - 1) // 2)}]({x})"

    def place(self, population):
        """A location, or where places are drawn."""
        if self.draw.chance(0.5):
            return self.location(population)
        at = {}
        regions = [r for r in population.regions if r != "soma"]
        if not population.sure:
            regions = []
        elif "synthetic" in population.keys:
            regions = ["dendrite", "apical"]
        if regions and self.theme == "gaps":
            regions = [r for r in regions if r != "axon"] or regions
        if regions and self.draw.chance(0.6):
            at["region"] = regions if "synthetic" in population.keys else \
                self.draw.some(regions, self.draw.few(len(regions)))
        if self.draw.chance(0.3):
            at["by"] = self.draw.pick(["length", "area"])
        if not at or self.draw.chance(0.2):
            at["distance"] = self.draw.pick(["any", [0, 5000]])
        return at

    def drawn(self, low, high, placed):
        """A number, or how it is drawn for each connection."""
        kind = self.draw.pick(["", "", "uniform", "normal", "lognormal",
                               "distance"])
        middle = (low + high) / 2
        if kind == "uniform":
            return {"uniform": [low, high]}
        if kind in ("normal", "lognormal"):
            out = {kind: [middle, (high - low) / 3]}
            if low > 0 or self.draw.chance(0.3):
                out["min"] = low
            if self.draw.chance(0.4):
                out["max"] = high
            return out
        if kind == "distance" and placed:
            return {"distance": [middle, (high - low) / 1000], "max": high}
        return self.draw.number(low, high)

    def neurons(self, n):
        """All, or numbers of some."""
        if n == 1 or self.draw.chance(0.5):
            return "all"
        last = self.draw.whole(0, n - 1)
        text = f"{self.draw.whole(0, last)}-{last}" if last else "0"
        if last + 1 < n and self.draw.chance(0.4):
            text += f",{self.draw.whole(last + 1, n - 1)}"
        return text

    # --- populations ----------------------------------------------------------

    def region(self, population, own):
        """The keys of one region; 'own': it is not 'all'."""
        draw, out, here = self.draw, {}, []
        cable = 0.3 if own else 0.7
        for name in ("Ra", "cm"):
            if draw.chance(cable):
                out[name] = draw.number(*SPANS[name])
        regions = {m: k for m, k in self.schema.regions.items()
                   if m != "Tap" and (not self.job.get("second_order") or
                                      m not in CURRENTS)}
        if own:
            choice = draw.some([m for m in regions if m not in USERS],
                               draw.whole(0, 2 if self.mods else 1))
        else:
            choice = ["pas"] if draw.chance(0.85) else ["hh"]
            if self.mods and draw.chance(0.1 if self.theme == "gaps" else 0.5):
                choice += draw.some([m for m in regions if m not in USERS],
                                    draw.few(4))
            if self.mods and self.swept and draw.chance(0.6):
                choice.append("steep")
        for name in dict.fromkeys(choice):
            out[name] = self.parameters(name, regions[name])
            here.append(name)
        if self.mods and draw.chance(0.06):
            out["Tap"] = {**self.parameters("Tap", self.schema.regions["Tap"]),
                          "pointers": {"x": self.variable(None, True), "y": "own"}}
            here.append("Tap")
        if "steep" in out and self.swept:
            out["steep"]["g"] = draw.number(*SPANS["steep.g"])
        for ion, users in USERS.items():
            if ion in regions and users & set(here) and draw.chance(0.4):
                out[ion] = self.parameters(ion, regions[ion], 0.5)
                for name, value in out[ion].items():
                    if name in FIXED and draw.chance(0.3):
                        out[ion][name] = {"value": value, "fixed": True}
        return out, here

    def regions(self, population):
        draw = self.draw
        out = {}
        out["all"], population.mechanisms["all"] = self.region(population, False)
        for name in population.regions:
            if name == "soma" and draw.chance(
                    0.9 if self.theme == "self" or self.swept else 0.6) or name == "axon" and (
                    draw.chance(0.6 if self.theme == "gaps" else 0.2)):
                out[name] = {"hh": self.parameters("hh",
                                                   self.schema.regions["hh"])}
                population.mechanisms[name] = ["hh"]
                if "pas" in out["all"] and draw.chance(0.5):
                    out[name]["pas"] = False
            elif draw.chance(0.35):
                keys, here = self.region(population, True)
                out[name] = keys
                population.mechanisms[name] = here
        return out

    def own_regions(self, population):
        """Regions of the job's own, and numbers that vary."""
        draw, out = self.draw, population.keys["regions"]
        for i in range(draw.whole(0, 3)):
            keys, here = self.region(population, True)
            out[f"own{i}"] = {
                "where": places.where(draw, population, self.location), **keys}
            population.mechanisms[f"own{i}"] = here
        if draw.chance(0.3):
            keys, here = self.region(population, True)
            out["dendrite, apical"] = keys
            population.mechanisms["dendrite, apical"] = here
        for region, keys in out.items():
            if draw.chance(0.3):
                keys["v_init"] = draw.number(-75, -55)
            for name, value in keys.items():
                if name in ("Ra", "cm", "v_init") and draw.chance(0.4):
                    keys[name] = self.varying(*SPANS[name], population.n)
                for p in value if name in self.schema.regions and isinstance(
                        value, dict) else ():
                    self.vary(population.n, name, p, value)

    def spines(self, regions):
        """Factors, of random numbers of their own."""
        draw = Draw(f"{self.seed} spines {len(self.populations)}")
        leaks = any(keys.get("pas") not in (None, False) for keys in regions.values())
        for keys in regions.values():
            if draw.chance(0.1):
                keys["spines"] = {
                    name: draw.number(1, 3) for name in draw.some(
                        ["cm", "g"] if leaks else ["cm"], draw.whole(1, 2))}

    def vary(self, n, name, p, values):
        """Let a parameter of a mechanism vary, now and then."""
        key = self.schema.regions[name].get(p)
        if key is None or "GLOBAL" in key.text or isinstance(
                values[p], dict) or self.draw.chance(0.7):
            return
        ends = sorted(float(self.value(f"{name}.{p}", key)) for _ in range(2))
        if ends[0] < ends[1]:
            values[p] = self.varying(*ends, n)

    def varying(self, low, high, n):
        return places.vary(self.draw, low, high, n, self.files)

    def discretisation(self):
        draw = self.draw
        policy = draw.pick(["", "d_lambda", "max_length", "per_section",
                            "per_section", "per_sample", "odd_per"])
        if policy == "":
            return {}
        out = {"policy": policy} if policy == "per_sample" or draw.chance(
            0.3) else {}
        if policy == "d_lambda":
            out["d_lambda"] = draw.number(0.05, 0.5)
            if draw.chance(0.3):
                out["frequency"] = draw.number(50, 500)
        if policy == "max_length":
            out["max_length"] = draw.number(10, 80)
        if policy == "per_section":
            out["per_section"] = draw.whole(1, 5)
        if policy == "odd_per":
            out["odd_per"] = draw.number(10, 80)
            if draw.chance(0.4):
                out["odd_per"] = {"all": out["odd_per"], draw.pick(
                    list(shapes.REGIONS.values())): draw.number(10, 80)}
        return out

    def edits(self, found, axon):
        """What is done to the sections of files: keys of a population."""
        draw, out = self.draw, {}
        if draw.chance(0.2):
            out["attach"] = draw.pick(["file", *PLACES])
        if draw.chance(0.2):
            out["scale"] = {
                region: {what: draw.number(0.7, 1.5) for what in
                         draw.some(["length", "diameter"], draw.whole(1, 2))}
                for region in draw.some(["all", *shapes.REGIONS.values()],
                                        draw.whole(1, 3))}
        if draw.chance(0.8 if axon else 0.2) and all(s.is_axon_last() for s in found):
            out["axon"] = self.axon(found)
        return out

    def axon(self, found):
        draw = self.draw
        if draw.chance(0.3):
            n = draw.whole(1, 3)
            out = {"lengths": [draw.number(5, 60) for _ in range(n)],
                   "diameters": [draw.number(0.3, 3) for _ in range(n)]}
            if draw.chance(0.5):
                out["compartments"] = [draw.whole(1, 6) for _ in range(n)]
            if draw.chance(0.3):
                out["replace"] = "given"
        else:
            may = [r for r in AXON_RULES
                   if all(s.has_axon(*AXON_RULES[r][:2]) for s in found)]
            out = {"replace": draw.pick(may[-6:] if draw.chance(0.5) else may)}
        if out.get("replace") not in ("none", "remove") and draw.chance(0.3):
            out["attach"] = draw.pick(PLACES)
        return out

    def add_shape(self, size, axon=False):
        shape = shapes.draw_shape(self.draw, size)
        if axon:
            shapes.forked_axon(self.draw, shape)
        name = f"n{len(self.files)}.swc"
        self.files[name] = shape.text()
        return name, shape

    def from_files(self, population, room, size=60):
        draw, keys = self.draw, population.keys
        policy = self.discretisation() if size > 1 else {"per_section": 1}
        if policy:
            keys["discretisation"] = policy
        few = self.theme in ("lanes", "point") or draw.chance(
            0.1 if self.theme == "gaps" else 0.5)
        axon = size > 1 and self.theme != "point" and draw.chance(0.2)
        found = [self.add_shape(1 if self.theme == "point" else
                                draw.few(size), axon) for _ in
                 range(1 if few else draw.whole(2, 4))]
        most = max(1, int(room / max(1, sum(
            s.compartments(policy) for _, s in found))))
        count = min(most, draw.few(17) if self.theme != "self" else
                    draw.whole(4, 17))
        if len(found) == 1:
            keys["morphologies"] = found[0][0]
        elif draw.chance(0.5):
            name = f"list{len(self.files)}.tsv"
            self.files[name] = "".join(
                f"{f}\t{draw.whole(1, count)}\t{keys['name']}\n"
                for f, _ in found)
            keys["morphologies"] = name
        else:
            prefix = f"p{len(self.populations)}-"
            for f, _ in found:
                self.files[prefix + f] = self.files.pop(f)
            keys["morphologies"] = prefix + "*.swc"
        if keys["morphologies"].endswith(".tsv"):
            population.n = sum(int(line.split("\t")[1]) for line in
                               self.files[keys["morphologies"]].splitlines())
        else:
            keys["count"] = count
            population.n = count * len(found)
        edits = {} if size == 1 or self.theme == "point" else self.edits(
            [s for _, s in found], axon)
        keys.update(edits)
        self.describe(population, [s for _, s in found], policy)
        self.change_axon(population, edits.get("axon", {"replace": "none"}))

    def change_axon(self, population, axon):
        if "lengths" in axon:
            made = {"axon": len(axon["lengths"])}
        else:
            made = AXON_RULES[axon["replace"]][2]
        if made is None:
            return
        population.sections.pop("axon", None)
        population.sections.update(made)
        population.regions = sorted(
            {*population.regions, "axon"} - (set() if made else {"axon"}))
        population.compartments += population.n * 16

    def describe(self, population, found, policy):
        sections = [s.sections() for s in found]
        population.sections = {
            name: min(s[name] for s in sections) for name in sections[0]
            if all(name in s for s in sections)}
        population.regions = sorted(
            set(found[0].regions()).intersection(*(s.regions() for s in found)))
        population.area = min(s.area() for s in found)
        population.compartments = population.n * max(
            s.compartments(policy) for s in found)

    def synthetic(self, population, room, size=24):
        draw = self.draw
        most = draw.whole(min(size, 8) if self.theme == "gaps" else 1,
                          size) * 2 + 1
        sections = 1 if most == 3 else draw.whole(2, (most - 1) // 2)
        keys = {"compartments": most, "sections": sections}
        if draw.chance(0.4) and sections > 3:
            keys["sections"] = [draw.whole(3, sections), sections]
            keys["compartments"] = [2 * sections + 1, most]
        if draw.chance(0.3):
            keys["seed"] = draw.whole(1, 1000)
        count = draw.few(17) if draw.chance(0.8) else draw.whole(1, 70)
        if self.theme in ("gaps", "self"):
            count = draw.whole(4, 17)
        population.n = min(count, max(1, int(room / most)))
        population.keys.update(synthetic=keys, count=population.n)
        population.compartments = population.n * most
        population.regions = ["soma", "dendrite", "axon", "apical"]
        population.sure = sections >= 6 and not isinstance(
            keys["sections"], list)
        if sections >= 7 and "seed" not in keys:
            population.sections = {"soma": 1, "dend": 1}

    def population(self, room):
        draw = self.draw
        population = Population({"name": f"{draw.pick('abcN')}"
                                 f"{draw.pick(['', '-', '_'])}"
                                 f"{len(self.populations)}"})
        if self.theme in ("lanes", "point") or draw.chance(
                0.3 if self.theme == "gaps" else 0.6):
            self.from_files(population, room)
        else:
            self.synthetic(population, room)
        if draw.chance(0.35):
            population.placed = True
            if draw.chance(0.8):
                population.keys["positions"] = {
                    "box": [draw.whole(10, 300) for _ in range(3)]}
            else:
                name = f"at{len(self.files)}.tsv"
                self.files[name] = "".join(
                    "\t".join(str(draw.number(-200, 200)) for _ in range(3)) +
                    "\n" for _ in range(population.n))
                population.keys["positions"] = {"file": name}
        population.keys["regions"] = self.regions(population)
        if self.draw.chance(0.3):
            self.own_regions(population)
        self.spines(population.keys["regions"])
        self.populations.append(population)

    def alike(self, first, n):
        """Populations like the first, each with one value changed."""
        draw = self.draw
        places = [(r, m, p) for r, here in first.mechanisms.items()
                  for m in here for p in self.schema.regions[m]
                  if "GLOBAL" not in self.schema.regions[m][p].text]
        places += [("all", None, "Ra"), ("all", None, "cm")]
        passive = [p for p in places if p[1] in ("pas", "leaky")]
        region, mechanism, parameter = draw.pick(
            passive if passive and draw.chance(0.6) else places)
        for i in range(n):
            other = Population({**first.keys, "name": f"x{i}"})
            other.__dict__.update({**first.__dict__, "keys": other.keys})
            regions = {r: dict(k) for r, k in first.keys["regions"].items()}
            if mechanism is None:
                regions[region][parameter] = draw.number(*SPANS[parameter])
            else:
                old = regions[region][mechanism]
                key = self.schema.regions[mechanism][parameter]
                regions[region][mechanism] = {
                    **old, parameter: self.value(f"{mechanism}.{parameter}",
                                                 key)}
            other.keys["regions"] = regions
            if "count" in other.keys and draw.chance(0.6):
                files = other.n // other.keys["count"]
                other.keys["count"] = draw.few(5)
                other.n = files * other.keys["count"]
                if "file" in other.keys.get("positions", {}):
                    del other.keys["positions"]
                    other.placed = False
            self.populations.append(other)

    # --- what connects them ---------------------------------------------------

    def synapse(self):
        draw, kinds = self.draw, self.schema.synapses
        names = ["ExpSyn", "Exp2Syn"]
        if self.mods:
            names = sorted(kinds) if self.theme != "self" else ["Pulse", *SELF]
        for i in range(draw.few(3)):
            kind = draw.pick(names)
            self.job.setdefault("synapses", []).append({
                "name": f"s{i}", "type": kind,
                **self.parameters(kind, kinds[kind], 0.6)})
            self.hosted |= kind in HOSTED
            if kind == "Heed":
                self.job["synapses"][-1]["pointers"] = {"x": self.variable(None)}

    def source(self):
        draw, end = self.draw, self.job["tstop"]
        for i in range(draw.few(3)):
            kind = draw.pick(["regular", "poisson", "file"])
            keys = {"name": f"src{i}", "type": kind, "count": draw.few(6)}
            if kind == "file":
                name = f"spikes{i}.tsv"
                times = sorted(draw.number(0.01, end, 6) for _ in range(
                    draw.whole(1, 20)))
                self.files[name] = "".join(
                    f"{t}\t{draw.whole(0, keys['count'] - 1)}\n" for t in times)
                keys["file"] = name
            else:
                if draw.chance(0.3):
                    keys["start"] = draw.number(0, end / 2)
                if draw.chance(0.2):
                    keys["stop"] = draw.number(end / 2, end)
            if kind == "regular":
                keys["interval"] = draw.number(0.3, end / 2)
                if draw.chance(0.4):
                    keys["noise"] = draw.number(0, 1)
                if draw.chance(0.3):
                    keys["number"] = draw.whole(1, 9)
            if kind == "poisson":
                keys["rate"] = draw.number(50, 900)
            self.job.setdefault("sources", []).append(keys)
            self.sources.append(keys)

    def rule(self, keys, n_from, n_to, placed, same, other=False):
        """The rule of a projection, or with 'other' of a coupling, which joins no
        neuron with itself."""
        draw = self.draw
        rules = ["all_to_all", "fixed_indegree", "fixed_probability", "list"]
        rules += ["one_to_one"] if n_from == n_to and not (
            same and other) else []
        rules += ["ring"] if same and n_to > 1 else []
        rules += ["distance"] if placed else []
        rule = draw.pick([r for r in rules if n_from * n_to < 900 or
                          r != "all_to_all"])
        keys["rule"] = rule
        if rule == "fixed_indegree":
            keys["indegree"] = draw.few(5)
        if rule == "fixed_probability":
            keys["probability"] = draw.number(0.3, 1)
        if rule == "ring":
            keys["offset"] = draw.pick([1, 1, -1, 2])
        if rule == "distance":
            keys["length"] = draw.number(30, 300)
            if draw.chance(0.5):
                keys["probability"] = draw.number(0.5, 1)
        if same and rule not in ("one_to_one", "ring", "list") and n_to > 1 and (
                other or draw.chance(0.3)):
            keys["autapses"] = False
        return rule

    def own_parameters(self, kind):
        """Those that each connection may have for itself, by name."""
        return {} if kind in ("ExpSyn", "Exp2Syn") else {
            name: key for name, key in self.schema.synapses[kind].items()
            if "GLOBAL" not in key.text}

    def drawn_parameters(self, keys, placed):
        """Of a projection, drawn for each connection."""
        draw = Draw(f"{self.seed} parameters {keys['name']}")
        kind = next(s["type"] for s in self.job["synapses"]
                    if s["name"] == keys["synapse"])
        own, other = self.own_parameters(kind), self.draw
        if not own or not draw.chance(0.5):
            return
        self.draw, values = draw, {}  # jobs stay what they were
        for name in draw.some(sorted(own), draw.few(3)):
            one = sorted(self.value(f"{kind}.{name}", own[name]) for _ in "ab")
            values[name] = self.drawn(*one, placed) if 0 < one[0] < one[1] else one[0]
        self.draw = other
        keys["parameters"] = values

    def edge_places(self, keys, to):
        """Sections, kinds and their parameters in the file of a list."""
        draw = Draw(f"{self.seed} places {keys['name']}")
        if not draw.chance(0.6):
            return
        kinds = self.job["synapses"]
        own = sorted({name for k in kinds for name in self.own_parameters(k["type"])})
        names = draw.some(own, draw.few(2)) if draw.chance(0.6) else []
        head, *lines = self.files[keys["file"]].splitlines()
        head += "\tsection\tx\tsynapse\t" + "\t".join(names)
        other, self.draw = self.draw, draw
        for i, line in enumerate(lines):
            section, _, x = self.location(to).rstrip(")").partition("(")
            kind = draw.pick(kinds)
            said = kind["name"]
            if draw.chance(0.3):
                kind = next(k for k in kinds if k["name"] == keys["synapse"])
                said = "-"
            if draw.chance(0.2):
                section = x = "-"
            may = self.own_parameters(kind["type"])
            values = [self.value(f"{kind['type']}.{n}", may[n])
                      if n in may and draw.chance(0.8) else "-" for n in names]
            lines[i] = "\t".join([line, section, x or "-", said] +
                                 [str(v) for v in values])
        self.draw = other
        self.files[keys["file"]] = "\n".join([head.rstrip("\t")] + lines) + "\n"

    def counted_through(self, keys, sender, to):
        """Its ends become lists of populations, which are counted through."""
        draw = Draw(f"{self.seed} several {keys['name']}")
        if keys["rule"] in ("one_to_one", "ring", "distance") or draw.chance(0.3):
            return
        for end, one in (("from", sender), ("to", to)):
            if one not in self.populations:
                continue
            i = self.populations.index(one)
            more = self.populations[i:i + draw.whole(1, 3)]
            if len(more) > 1 and all(self.like_it(one, p) for p in more):
                keys[end] = [p.name for p in more]

    @staticmethod
    def like_it(one, other):
        """Has the other population whatever a key about the first names?"""
        return one.sections == other.sections and one.regions == other.regions and \
            one.placed == other.placed and one.sure == other.sure and \
            one.keys.get("regions", {}).keys() == other.keys.get("regions", {}).keys()

    def edges(self, keys, n_from, n_to, columns, other=False):
        """The file of a rule 'list', with some of these columns: (name, low,
        high)."""
        draw = self.draw
        name = f"edges{len(self.files)}.tsv"
        lines = ["\t".join(["source", "target"] + [c[0] for c in columns])]
        for _ in range(draw.whole(1, 3 * n_to)):
            source, target = draw.whole(0, n_from - 1), draw.whole(0, n_to - 1)
            if other and source == target:
                target = (target + 1) % n_to
            lines.append("\t".join(
                [str(source), str(target)] +
                [str(draw.number(low, high)) for _, low, high in columns]))
        self.files[name] = "\n".join(lines) + "\n"
        keys["file"] = name

    def projection(self):
        draw, job = self.draw, self.job
        senders = [(s["name"], s["count"], None) for s in self.sources]
        senders += [(p.name, p.n, p) for p in self.populations] * (
            4 if self.theme == "self" else 1)
        for i in range(draw.few(4) if self.theme != "self" else
                       draw.whole(2, 4)):
            name, n, sender = draw.pick(senders)
            to = draw.pick(self.populations)
            keys = {"name": f"j{i}", "from": name, "to": to.name,
                    "synapse": draw.pick(job["synapses"])["name"]}
            placed = sender is not None and sender.placed and to.placed
            rule = self.rule(keys, n, to.n, placed, sender is to)
            most = min(0.02, to.area * 2e-5)
            weight = (most / 20, most)
            least = 2 * job["dt"]  # of neurons: the shorter, the more epochs
            delay = (draw.pick([least, 0.3, 1]), draw.number(1.5, 4))
            if rule == "list":
                columns = [c for c in (("weight", *weight), ("delay", *delay))
                           if draw.chance(0.5)]
                self.edges(keys, n, to.n, columns)
                listed = {c[0] for c in columns}
            else:
                listed = set()
            if "weight" not in listed:
                keys["weight"] = self.drawn(*weight, placed)
            if "delay" not in listed and self.theme == "self":
                keys["delay"] = {"uniform": list(delay)}
            elif "delay" not in listed and draw.chance(0.8):
                keys["delay"] = self.drawn(*delay, placed)
            if draw.chance(0.7):
                keys["at"] = self.place(to)
            if sender is not None and draw.chance(0.4):
                keys["source"] = {"at": self.location(sender)}
                if draw.chance(0.6):
                    keys["source"]["threshold"] = draw.number(-60, 0)
            self.drawn_parameters(keys, placed)
            if rule == "list":
                self.edge_places(keys, to)
            self.counted_through(keys, sender, to)
            job.setdefault("projections", []).append(keys)

    def coupling(self, kinds=("gap", "gap", "gap", "graded")):
        draw, job = self.draw, self.job
        for i in range(draw.few(3)):
            one, to = draw.pick(self.populations), draw.pick(self.populations)
            if draw.chance(0.5):
                to = one
            if one.n == 1 and one is to:
                continue
            kind = draw.pick(kinds)
            keys = {"name": f"k{i}", "type": kind, "from": one.name,
                    "to": to.name}
            placed = one.placed and to.placed
            rule = self.rule(keys, one.n, to.n, placed, one is to, True)
            most = min(one.area, to.area) * 2e-6
            if rule == "list":
                columns = [("conductance", most / 20, most)]
                self.edges(keys, one.n, to.n, columns, one is to)
            else:
                keys["conductance"] = self.drawn(most / 20, most, placed)
            if draw.chance(0.8):
                keys["at"] = self.place(to)
            if draw.chance(0.6):
                keys["source"] = {"at": self.location(one)}
            if kind == "graded":
                keys.update(e=draw.pick([0, -80]), half=draw.number(-60, -20),
                            slope=draw.number(2, 12))
            if draw.chance(0.5):
                keys["format"] = draw.pick(["csr", "ellpack", "dense"])
            job.setdefault("couplings", []).append(keys)

    def artificial(self):
        """Cells without compartments, which drive each other and the others."""
        draw, job = self.draw, self.job
        self.hosted = True  # no engine of a GPU has them
        cells = [(f"cells{i}", draw.few(6)) for i in range(draw.whole(2, 3))]
        for i, (name, n) in enumerate(cells):
            kind = "Tick" if i == 0 else draw.pick(sorted(self.schema.cells))
            job["populations"].append({"name": name, "count": n, "artificial": {
                "type": kind,
                **self.parameters(kind, self.schema.cells[kind], 0.5)}})
        ends = [(p.name, p.n, p) for p in self.populations]
        ends = [(*cell, None) for cell in cells] * 2 + ends
        for i in range(draw.whole(2, 6)):
            one, to = draw.pick(ends[:len(cells)] if i == 0 else ends), draw.pick(ends)
            if one[2] and to[2]:
                continue
            keys = {"name": f"c{i}", "from": one[0], "to": to[0]}
            if to[2]:
                if not job.get("synapses"):
                    continue
                keys["synapse"] = draw.pick(job["synapses"])["name"]
            self.rule(keys, one[1], to[1], False, one[0] == to[0])
            most = min(0.02, to[2].area * 2e-5) if to[2] else 0.8
            if keys["rule"] == "list":
                self.edges(keys, one[1], to[1], [("weight", most / 9, most)])
            else:
                keys["weight"] = self.drawn(most / 9, most, False)
            keys["delay"] = self.drawn(3.6 * job["dt"], 3, False)
            job.setdefault("projections", []).append(keys)

    # --- what goes in and out -------------------------------------------------

    def some_population(self, keys, p=0.7):
        """One, or with a little chance all: its population, or None."""
        if self.draw.chance(p):
            population = self.draw.pick(self.populations)
            keys["population"] = population.name
            return population
        return None

    def several(self, keys, population, what):
        """Let what acts at a place act at several.  Random numbers of their own,
        as without_effect()."""
        mine, self.draw = self.draw, Draw(f"{self.seed} places {what}")
        if "at" in keys and self.draw.chance(0.3):
            keys["at"] = places.at(self.draw, population, self.location)
            if isinstance(keys["at"], list) and "amplitude" in keys:
                keys["amplitude"] /= 8
        self.draw = mine

    def clamp(self):
        draw, end = self.draw, self.job["tstop"]
        if self.theme == "self":  # spikes, so that there are events
            area = min(p.area for p in self.populations)
            self.job["clamps"] = [{
                "delay": draw.number(0, 1), "duration": end,
                "amplitude": float(f"{area * draw.number(2e-4, 6e-4):.4g}")}]
        for i in range(draw.few(4)):
            keys = {}
            population = self.some_population(keys)
            if population and draw.chance(0.5):
                keys["neurons"] = self.neurons(population.n)
            if population and draw.chance(0.4):
                keys["at"] = self.location(population)
            area = population.area if population else min(
                p.area for p in self.populations)
            keys["delay"] = draw.number(0, end / 2)
            keys["duration"] = draw.number(end / 20, end)
            keys["amplitude"] = float(f"{area * draw.number(4e-5, 5e-4):.4g}")
            if draw.chance(0.15):
                keys["amplitude"] = -keys["amplitude"] / 8
            self.several(keys, population, f"clamp {i}")
            self.job.setdefault("clamps", []).append(keys)

    def point_process(self):
        draw = self.draw
        for i in range(draw.few(3)):
            kind = draw.pick(sorted(self.schema.points))
            keys = {"type": kind}
            population = self.some_population(keys)
            if population and draw.chance(0.5):
                keys["neurons"] = self.neurons(population.n)
            if population and draw.chance(0.5):
                keys["at"] = self.location(population)
            keys.update(self.parameters(kind, self.schema.points[kind], 0.7))
            self.hosted |= kind in HOSTED
            if kind == "Reach":
                keys["pointers"] = self.away(population)
            self.several(keys, population, f"point process {i}")
            self.job.setdefault("point_processes", []).append(keys)

    def train(self, keys):
        """Let the parameters of pulses go together."""
        if keys["type"] == "Pulses" and "count" in keys:
            keys["count"] = self.draw.whole(1, 5)
            longest = SPANS["Pulses.duration"][1]
            keys["period"] = float(f"{self.draw.number(longest, 2 * longest):.4g}")

    def play(self, keys, low, high):
        """Give a stimulus a table that is longer than any run."""
        draw = self.draw
        times = sorted({0.0, 1e4, *(draw.number(0, 12) for _ in range(draw.whole(0, 9)))})
        if Draw(f"{self.seed} series {keys['name']}").chance(0.2) and shutil.which("ncgen"):
            keys["table"] = f"sweeps{len(self.files)}.nwb"
            keys["column"] = "/stimulus/presentation/Sweep"
            self.files[keys["table"]] = places.series(
                draw, times, low, high, "amperes" if keys["type"] == "CurrentPlayback" else "volts")
            return
        comma, names = draw.pick([",", "\t", " "]), draw.pick(["", "time value", "time wave"])
        if "wave" in names:
            keys["column"] = "wave"
        lines = [names.replace(" ", comma)] if names else []
        lines += [f"{t!r}{comma}{draw.number(low, high)!r}" for t in times]
        keys["table"] = f"played{len(self.files)}.{'csv' if comma == ',' else 'tsv'}"
        self.files[keys["table"]] = "\n".join(lines) + "\n"

    def stimulus(self):
        """Stimuli of all kinds.  Random numbers of their own, as
        without_effect()."""
        mine, self.draw = self.draw, Draw(f"{self.seed} stimuli")
        draw = self.draw
        kinds = sorted(k for k in self.schema.stimuli if k not in SELF)
        for i in range(draw.few(4) if draw.chance(0.4) else 0):
            kind = draw.pick(kinds)
            keys = {"name": f"stimulus{i}", "type": kind}
            population = self.some_population(keys)
            if population and draw.chance(0.5):
                keys["neurons"] = self.neurons(population.n)
            if population and draw.chance(0.5):
                keys["at"] = self.location(population)
            self.several(keys, population, keys["name"])
            of = self.schema.stimuli[kind]
            keys.update(self.parameters(kind, of, 0.7))
            for p in ("duration", "amplitude", "frequency", "last_frequency", "rs", "dur1", "amp1",
                      "mean", "sigma", "tau", "reversal"):
                if p in of and f"{kind}.{p}" in SPANS:
                    keys.setdefault(p, self.value(f"{kind}.{p}", of[p]))
            self.train(keys)
            if kind in PLAYED:
                self.play(keys, *PLAYED[kind])
            for p in of:
                # a sweep may count more neurons than a table has
                if not self.swept and p in keys and p not in ("count", "period") and (
                        f"{kind}.{p}" in SPANS and draw.chance(0.3)):
                    keys[p] = self.varying(*SPANS[f"{kind}.{p}"],
                                           max(p.n for p in self.populations))
            self.outside(keys)
            self.job.setdefault("stimuli", []).append(keys)
        self.draw = mine

    def outside(self, keys):
        """Let a stimulus be a potential outside neurons.  Random numbers of their own."""
        draw = Draw(f"{self.seed} outside {keys['name']}")
        if keys["type"] not in OUTSIDE or not draw.chance(0.3):
            return
        keys.pop("at", None)
        point = [draw.number(-200, 200) for _ in range(3)]
        if draw.chance(0.5):
            keys["extracellular"] = {"direction": point}
            return
        keys["extracellular"] = {"electrodes": [point, [draw.number(-50, 50) for _ in range(3)]],
                                 "sigma": draw.number(1e-4, 1)}

    def recordable(self, population):
        """States that a population has at its soma."""
        here = set(population.mechanisms.get("soma", []) +
                   population.mechanisms["all"])
        removed = population.keys["regions"].get("soma", {})
        here -= {m for m, k in removed.items() if k is False}
        ions = {ion for ion, users in USERS.items() if users & here}
        return [s for s, of in sorted(self.schema.states.items())
                if of in here or of in ions and s[0] in "ei"]

    def probe(self):
        draw, job = self.draw, self.job
        job["probes"] = [{"name": "every", "interval": 0}]
        if draw.chance(0.6):
            job["probes"].append({
                "name": "all", "at": "everywhere",
                "interval": job["dt"] * draw.pick([1, 2, 5, 10])})
        for i in range(draw.whole(0, 2)):
            keys = {"name": f"q{i}"}
            population = self.some_population(keys, 1)
            if draw.chance(0.5):
                keys["neurons"] = self.neurons(population.n)
            states = self.recordable(population)
            if states and draw.chance(0.7):
                keys["variables"] = ["v"] * draw.whole(0, 1) + draw.some(
                    states + ["i_mem"], draw.few(3))
                if draw.chance(0.3):
                    keys["at"] = "everywhere"
            else:
                keys["at"] = self.location(population)
            if draw.chance(0.7):
                keys["interval"] = job["dt"] * draw.whole(1, 20)
            for probe in job["probes"] + [keys]:
                if "interval" in probe:
                    probe["interval"] = float(f"{probe['interval']:.10g}")
            job["probes"].append(keys)
        if draw.chance(0.6):
            self.synapse_probe()
        self.recordings()

    def recordings(self):
        """Spans, floats, electrodes and currents.  Random numbers of their own,
        as without_effect()."""
        mine, self.draw = self.draw, Draw(f"{self.seed} recordings")
        draw = self.draw
        for probe in self.job["probes"][2:]:
            self.span(probe)
        if draw.chance(0.3):
            self.places()
        if draw.chance(0.3):
            self.electrodes()
        if draw.chance(0.1):  # mechanisms are built anew for it
            self.currents()
        if draw.chance(0.05):
            self.synapse_probe("syi", True)
        if draw.chance(0.3):
            self.single()
        self.draw = mine

    def places(self):
        """Several places, and spikes that are detected there."""
        draw, job = self.draw, self.job
        for i in range(draw.whole(1, 2)):
            keys = {"name": f"at{i}"}
            population = self.some_population(keys, 1)
            if draw.chance(0.5):
                keys["neurons"] = self.neurons(population.n)
            keys["at"] = places.at(draw, population, self.location)
            if draw.chance(0.6):
                keys["threshold"] = draw.whole(-64, -20)
            if draw.chance(0.5):
                keys["interval"] = float(f"{job['dt'] * draw.whole(2, 20):.10g}")
                self.span(keys)
            job["probes"].append(keys)

    def span(self, keys):
        """From when until when, and how precisely."""
        draw, job = self.draw, self.job
        steps = round(job["tstop"] / job["dt"])
        if draw.chance(0.3):
            first = draw.whole(0, max(steps - 1, 0))
            keys["start"] = float(f"{first * job['dt']:.10g}")
            if draw.chance(0.5):
                last = first + draw.whole(1, steps - first + 1)
                keys["stop"] = float(f"{last * job['dt']:.10g}")
        if draw.chance(0.2):
            keys["type"] = "float"

    def electrodes(self):
        """The potential at some points."""
        draw, job = self.draw, self.job
        keys = {"name": "lfp", "electrodes": [
            [draw.number(-200, 200) for _ in range(3)]
            for _ in range(draw.pick([1, 2, 3, 3, 20, 40]))],
            "sigma": draw.number(0.1, 2),
            "source": draw.pick(["line", "point"])}
        self.span(keys)
        job["probes"].append(keys)

    def currents(self):
        """Currents of what a population has in all of its regions."""
        draw = self.draw
        population = draw.pick(self.populations)
        there = population.keys.get("regions", {}).get("all", {})
        names = [f"{m}.{n}" for m, own in COMPUTED.items()
                 if there.get(m) not in (None, False) for n in own]
        if names:
            keys = {"name": "cur", "population": population.name,
                    "at": "everywhere",
                    "variables": draw.some(names, draw.few(3))}
            self.span(keys)
            self.job["probes"].append(keys)

    def synapse_probe(self, name="syn", current=False):
        """States of a synapse by its name, where each neuron has one, or its
        current."""
        draw, job = self.draw, self.job
        sure = [p for p in job.get("projections", [])
                if p["rule"] in ("all_to_all", "one_to_one") and
                "autapses" not in p and p.get("at", "soma") == "soma"]
        if not sure:
            return
        link = draw.pick(sure)
        kind = next(s for s in job["synapses"] if s["name"] == link["synapse"])
        states = ["i"] if current else [s.split(".")[-1] for s, of in
                  sorted(self.schema.states.items()) if of == kind["type"]]
        if states:
            job["probes"].append({
                "name": name, "population": link["to"] if isinstance(
                    link["to"], str) else link["to"][0],
                "variables": ["v"] * draw.whole(0, 1) + [
                    f"{kind['name']}.{s}" for s in draw.some(
                        states, draw.few(2))]})

    def single(self):
        """The connections of one source."""
        draw, job = self.draw, self.job
        kinds = {s["name"]: s["type"] for s in job.get("synapses", [])}
        ends = [[p.get(k) for k in ("synapse", "from", "to")]
                for p in job.get("projections", [])]
        n = {s["name"]: s.get("count", 1) for s in job.get("sources", [])}
        n.update({p.name: p.n for p in self.populations})
        for end in ends:  # of lists none is told apart
            if not isinstance(end[1], str) or not isinstance(end[2], str):
                kinds.pop(end[0], None)
        named = "\n".join(self.files[p["file"]] for p in job.get(
            "projections", []) if p["rule"] == "list")
        kinds = {name: kind for name, kind in kinds.items()
                 if f"\t{name}" not in named}
        sure = [p for p, end in zip(job.get("projections", []), ends)
                if p["rule"] in ("all_to_all", "one_to_one") and
                "autapses" not in p and end[0] in kinds and str(end[1]) in n and
                end[1] != end[2] and ends.count(end) == 1]
        if not sure:
            return
        link = draw.pick(sure)
        states = [s.split(".")[-1] for s, of in sorted(self.schema.states.items())
                  if of == kinds[link["synapse"]]]
        job["probes"].append({
            "name": "one", "connection": {
                "projection": link["name"],
                "source": 0 if self.swept else draw.whole(0, n[link["from"]] - 1)},
            "variables": ["v"] + [f"{link['synapse']}.{s}"
                                  for s in draw.some(states, draw.few(2))]})

    # --- sweeps ---------------------------------------------------------------

    def sweepable(self):
        """Keys with numbers, as --set names them: (key, draw a value)."""
        draw, out = self.draw, []
        for population in self.populations:
            start = f"populations.{population.name}.regions"
            for region, keys in population.keys["regions"].items():
                for name, value in keys.items():
                    if isinstance(value, dict) and name in self.schema.regions:
                        for p in value:
                            if p == "pointers":
                                continue
                            key = self.schema.regions[name][p]
                            if "GLOBAL" in key.text or isinstance(
                                    value[p], dict):
                                continue
                            out.append((f"{start}.{region}.{name}.{p}",
                                        lambda k=key, n=f"{name}.{p}":
                                        self.value(n, k)))
                    elif name in SPANS and not isinstance(value, dict):
                        out.append((f"{start}.{region}.{name}",
                                    lambda n=name: draw.number(*SPANS[n])))
        for i, clamp in enumerate(self.job.get("clamps", [])):
            out.append((f"clamps.{i}.amplitude", lambda a=clamp["amplitude"]:
                        float(f"{a * draw.number(0.5, 1.5):.4g}")))
        for stimulus in self.job.get("stimuli", []):
            for p, key in self.schema.stimuli[stimulus["type"]].items():
                if "GLOBAL" not in key.text and f"{stimulus['type']}.{p}" in SPANS and not isinstance(
                        stimulus.get(p, {}), dict) and p not in ("duration", "period"):
                    out.append((f"stimuli.{stimulus['name']}.{p}",
                                lambda k=key, n=f"{stimulus['type']}.{p}":
                                self.value(n, k)))
        for source in self.sources:
            if "rate" in source:
                out.append((f"sources.{source['name']}.rate",
                            lambda: draw.number(50, 900)))
        for synapse in self.job.get("synapses", []):
            for p, key in self.schema.synapses[synapse["type"]].items():
                if p in synapse and "GLOBAL" not in key.text:
                    out.append((f"synapses.{synapse['name']}.{p}",
                                lambda k=key, n=f"{synapse['type']}.{p}":
                                self.value(n, k)))
        return out

    def sweep(self, most):
        draw, job = self.draw, self.job
        keys = self.sweepable()
        unstable = [k for k in keys if any(
            k[0].endswith(u) for u in UNSTABLE)] if draw.chance(0.75) else []
        special = [k for k in keys if ".pas." in k[0] or ".leaky." in k[0]]
        if unstable:
            first = draw.pick([k for k in unstable if ".steep." in k[0]] or
                              unstable)
            keys = [first] + draw.some([k for k in keys if k is not first],
                                       draw.whole(0, 2))
        elif special and draw.chance(0.6):
            keys = special
        if not unstable:
            keys = draw.some(keys, draw.few(3))
        if draw.chance(0.2):
            keys.append(("seed", lambda: draw.whole(1, 1000)))
        if draw.chance(0.08):
            keys.append(("celsius", lambda: draw.number(5, 30)))
        if not keys or most < 2:
            return
        n = draw.whole(2, min(most, 9))
        kind = draw.pick(["grid", "zip", "list"] + ["draws"] * (not unstable))
        key, value = keys[0]
        if kind == "draws" and key not in ("seed", "celsius"):
            x, y = sorted((value(), value()))
            out = {"n": n, "keys": {key: {"uniform": [x, y]}}}
        elif kind == "list":
            out = [{k: v() for k, v in keys} for _ in range(n)]
            if draw.chance(0.3):
                for i, member in enumerate(out):
                    member["name"] = f"m{i}"
        elif kind == "grid":
            out = {key: [value() for _ in range(n)]}
        else:
            kind = "zip"
            out = {k: [v() for _ in range(n)] for k, v in keys}
        job["sweep"] = {kind: out}
        self.members = n
        if unstable:
            self.destabilise(out, key)

    def destabilise(self, sweep, key):
        """Some members fail, now and then all of them."""
        draw, n = self.draw, self.members
        low, high = next(UNSTABLE[u] for u in UNSTABLE if key.endswith(u))
        self.unstable = sorted(draw.some(
            range(n), n if draw.chance(0.05) else draw.whole(1, n - 1)))
        for i in self.unstable:
            of, at = (sweep[i], key) if isinstance(sweep, list) else (
                sweep[key], i)
            of[at] = draw.number(low, high)

    # --- all of it ------------------------------------------------------------

    def head(self):
        draw, job = self.draw, self.job
        job["dt"] = draw.pick([0.025, 0.025, 0.05, 0.1])
        self.steps = draw.whole(60, 400)
        if self.theme == "self":  # many events in a step
            job["dt"] = draw.pick([0.05, 0.1, 0.1])
            self.steps = draw.whole(150, 400)
        job["tstop"] = float(f"{self.steps * job['dt']:.10g}")
        for name, p, value in (
                ("name", 0.1, lambda: "random"),
                ("celsius", 0.4, lambda: draw.number(5, 30)),
                ("v_init", 0.4, lambda: draw.number(-80, -55)),
                ("second_order", 0.25, lambda: True),
                ("seed", 0.7, lambda: draw.whole(1, 2 ** 40)),
                ("tune", 0.05, lambda: "measure")):
            if draw.chance(p):
                job[name] = value()
        if self.mods:
            job["mechanisms"] = folders(self.mods)
        if draw.chance(0.3):
            job["spikes"] = {"threshold": draw.number(-50, 0)}
        output = {}
        if draw.chance(0.3):
            output["compression"] = draw.pick([1, 4, 9])
        if draw.chance(0.2):
            output["buffer"] = draw.number(0.001, 1)
        if output:
            job["output"] = output
        if draw.chance(0.03):
            job["checkpoint"] = {"at_end": False}

    def closed_form(self):
        """A passive job whose voltages follow from a formula."""
        draw, job = self.draw, self.job
        kind = draw.pick(["rest", "single", "charge", "charge"])
        self.closed = {"kind": kind, "g": draw.number(1e-5, 1e-3),
                       "e": draw.number(-80, -50), "cm": draw.number(0.5, 3),
                       "clamps": []}
        leak = {"pas": {"g": self.closed["g"], "e": self.closed["e"]}}
        first = 0
        for i in range(draw.few(3)):
            population = Population({"name": f"p{i}"})
            if kind != "single" and draw.chance(0.4):
                self.synthetic(population, 600, 9)
            else:
                self.from_files(population, 600, 1 if kind == "single" else 40)
            regions = {"all": {"cm": self.closed["cm"],
                               "Ra": draw.number(20, 300)}}
            if kind == "charge":  # no cell is without a mechanism
                leak["pas"]["g"] = 0
            regions["all"].update(leak)
            if kind == "rest":
                for region in population.regions:
                    if draw.chance(0.3):
                        regions[region] = {"pas": {**leak["pas"],
                                                   "g": draw.number(1e-5, 1e-3)}}
            population.keys["regions"] = regions
            self.populations.append(population)
            if kind != "rest":
                self.closed_clamps(population, first)
            first += population.n
        job["populations"] = [p.keys for p in self.populations]
        if kind == "rest":
            job["v_init"] = self.closed["e"]
        if kind != "charge" and draw.chance(0.5):
            job["strict"] = True  # refuses what has no effect, or is unusual
        if kind == "rest" and first > 1:
            self.coupling(("gap",))
            if any(isinstance(c.get("conductance"), dict)
                   for c in job.get("couplings", ())):
                job.pop("strict", None)  # one that is drawn may be 0
        job["probes"] = [{"name": "every"}, {"name": "all", "at": "everywhere"}]

    def closed_clamps(self, population, first):
        draw, end = self.draw, self.job["tstop"]
        for _ in range(draw.whole(0, 2)):
            clamp = {"population": population.name,
                     "delay": draw.number(0, end / 2),
                     "duration": draw.number(end / 20, end),
                     "amplitude": float(f"{population.area * 2e-5:.4g}")}
            last = draw.whole(0, population.n - 1)
            self.closed["clamps"].append(
                {**clamp, "of": range(first, first + last + 1)})
            clamp["neurons"] = f"0-{last}" if last else "0"
            if draw.chance(0.5):
                clamp["at"] = self.location(population)
            self.job.setdefault("clamps", []).append(clamp)

    def build(self):
        draw = self.draw
        self.closed, self.globals = None, {}  # of these a job has one value
        self.head()
        if self.theme == "closed":
            self.closed_form()
            return
        coupled = self.theme == "gaps" or draw.chance(0.15)
        if coupled:
            self.steps = min(self.steps, 160)
            self.job["tstop"] = float(f"{self.steps * self.job['dt']:.10g}")
        self.swept = self.theme == "sweep" or draw.chance(0.1)
        members = draw.whole(2, 8) if self.swept else 1
        room = BUDGET / self.steps / members
        self.population(room if self.theme != "lanes" else room / 4)
        if self.theme == "lanes":
            self.alike(self.populations[0], draw.whole(1, 4))
        else:
            for _ in range(draw.few(3) - 1):
                left = room - sum(p.compartments for p in self.populations)
                if left > 0:
                    self.population(left)
        self.job["populations"] = [p.keys for p in self.populations]
        if self.theme == "self" or draw.chance(0.6):
            self.synapse()
            if self.theme == "self" or draw.chance(0.8):
                self.source()
            self.projection()
        if coupled:
            self.coupling()
        if self.theme == "self" or draw.chance(0.85):
            self.clamp()
        if draw.chance(0.3 if self.mods else 0.15):
            self.point_process()
        self.stimulus()
        self.probe()
        if self.mods and draw.chance(0.3):
            self.artificial()
        self.without_effect()
        if self.away_from:  # voltages elsewhere begin with the job's
            for population in self.populations:
                for keys in population.keys.get("regions", {}).values():
                    keys.pop("v_init", None)
        if self.swept:
            self.sweep(members)
        elif Draw(f"{self.seed} network").chance(0.5):
            self.job.setdefault("output", {})["network"] = True
        self.models()

    def models(self):
        """Fits that say what populations leave open, without other sections or
        mechanisms.  Random numbers of their own, as without_effect()."""
        draw, job = Draw(f"{self.seed} models"), self.job
        if self.away_from or "celsius" in str(job.get("sweep")):
            return
        celsius = job.get("celsius", draw.number(5, 30))
        for population in self.populations:
            keys = population.keys
            if ("morphologies" not in keys or draw.chance(0.6) or
                    "pas" not in keys["regions"].get("all", {})):
                continue
            name = f"{len(self.files)}_fit.json"
            self.files[name] = json.dumps({
                "passive": [{"ra": draw.number(50, 200), "e_pas": draw.number(-75, -60)}],
                "conditions": [{"celsius": celsius, "v_init": job.get(
                    "v_init", draw.number(-75, -60))}],
                "genome": [{"section": "soma", "name": "g_pas", "mechanism": "",
                            "value": draw.number(2e-5, 2e-4)}]})
            keys["model"] = name
            keys.setdefault("axon", {"replace": "none"})
            keys.setdefault("discretisation", {"policy": "d_lambda"})

    def without_effect(self):
        """Entries that a run warns of.  They have random numbers of their own,
        so that the rest of a job is that of its seed."""
        draw, job = Draw(f"{self.seed} without effect"), self.job
        late = float(f"{job['tstop'] + 1:.10g}")
        if draw.chance(0.2):
            job.setdefault("clamps", []).append(draw.pick([
                {"duration": 0, "amplitude": 0.1},
                {"duration": 1, "amplitude": 0},
                {"delay": late, "duration": 1, "amplitude": 0.1}]))
        single = [p["connection"]["projection"] for p in job["probes"]
                  if "connection" in p]  # which has to be told apart
        linked = [p for p in job.get("projections", ()) if "synapse" in p and
                  p["name"] not in single]
        if linked and draw.chance(0.3):
            like = draw.pick(linked)
            job["projections"].append({
                "name": "idle", "rule": "all_to_all",
                **{key: like[key] for key in ("from", "to", "synapse")},
                **draw.pick([{"weight": 0, "delay": 1},
                             {"weight": 0.001, "delay": late}])})


BUDGET = 60000  # compartments times steps of a job
THEMES = (["any"] * 5 + ["lanes"] * 2 + ["sweep"] * 3 + ["gaps"] * 3 +
          ["self"] * 3 + ["point"] + ["closed"])
