#!/usr/bin/env python3
"""Compare what bosc and NEURON make of mod files.

    compare-nmodl.py [--dt MS] [--kinetic] BOSC FILE...

For developers, not part of the test suite: needs NEURON with nrnivmodl, and cc.
BOSC is the built program; tests/science stays where it is.  Each mechanism stands
alone, with a leak, in one compartment of 20 um at 34 degC, and meets eight current
steps in 100 ms; a point process that receives events gets four, and what changes a
concentration by the current of its ion gets one.  NEURON runs it, and so does the C
text of 'bosc mods translate', with ions as in NEURON.  --kinetic leaves out files
without KINETIC.

Prints for each file the largest difference of voltage (mV): with the slope of the
current computed as NEURON does, from i(v + 0.001), and with the derived one; and the
largest difference of a state or a concentration from NEURON's, as a share of that
state's largest value, with NEURON's slope.  At last, how many are within what.
"""
import argparse
import ctypes
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

DT, TSTOP, CELSIUS, REST, SIZE = 0.025, 100.0, 34.0, -65.0, 20.0
CLAMPS = [(5, 8, -0.05), (15, 8, 0.05), (25, 8, 0.1), (35, 8, 0.2), (45, 8, 0.4),
          (60, 8, -0.1), (75, 8, 0.15), (85, 8, 0.05)]
EVENTS = (2.0113, 7.0117, 30.0119, 70.0123)  # none on a step or half a step
WEIGHT = 0.003
FEED = (1e-5, 160.0)  # S/cm2 and mV: a current that feeds a pool is inwards
STREAM = (1, 2, 3)  # of the random numbers of mechanisms that can be told
HERE = os.path.dirname(os.path.abspath(__file__))

FEEDER = """
NEURON {{ SUFFIX {name} USEION {ion} WRITE i{ion}{valence} }}
ASSIGNED {{ v (mV) i{ion} (mA/cm2) }}
BREAKPOINT {{ i{ion} = {g} * (v - {e}) }}
"""

SHIM = """
#define CELSIUS 34.0
#define STREAM IDS, 0
#define BOSC_ISA base
#define BOSC_MECH_LOOPS
#define BOSC_MECH_TABLES(loops) {&loops##_base}
#define NAME @
#include "@.h"
#include "tests/unit/nmodl/shim.h"
#if HAS_IONS
const char *ion_name(int i) { return bosc_@_ions[i]; }
#endif
"""


class Refused(Exception):
    pass


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Refused((lines or ["?"])[-1][:150])
    return done.stdout


def plain(path):
    """The text of a file without comments."""
    with open(path, encoding="latin-1") as file:
        return re.sub(r"[:?].*|(?s:COMMENT.*?ENDCOMMENT)", "", file.read())


def prepare(path, folder):
    """Copy a file and what it includes, under a name that NEURON does not have."""
    with open(path, encoding="latin-1") as file:
        text = file.read()
    found = re.search(r"^[^:?\n]*\b(SUFFIX|POINT_PROCESS)\s+(\w+)", text, re.M)
    if not found:
        raise Refused("no mechanism")
    name = "z" + found[2]
    text = text[: found.start(2)] + name + text[found.end(2):]
    with open(os.path.join(folder, name + ".mod"), "w", encoding="latin-1") as file:
        file.write(text)
    for extra in re.findall(r'^\s*INCLUDE\s+"([^"]+)"', text, re.M):
        shutil.copy(os.path.join(os.path.dirname(path) or ".", extra), folder)
    return name, found[1] == "POINT_PROCESS"


# --- NEURON ---


def value_of(holders, name):
    """A value of the first holder that has it, or None."""
    found = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?", name)
    for holder in holders:
        try:
            value = getattr(holder, found[1])
            return float(value if found[2] is None else value[int(found[2])])
        except (AttributeError, LookupError, TypeError, ValueError):
            continue
    return None


def feeder(ion):
    return "zzfeed" + ion


def neuron_trace(folder, name, point, ions, params, events, states=(), fed=()):
    """Voltages, initial values of the ions and parameters, area, and states."""
    from neuron import h

    library = os.path.join(folder, "x86_64", "libnrnmech.so")
    if not os.path.exists(library):
        library = os.path.join(folder, "x86_64", ".libs", "libnrnmech.so")
    h.nrn_load_dll(library)
    h.load_file("stdrun.hoc")
    soma = h.Section(name="soma")
    soma.L = soma.diam = SIZE
    soma.cm = 1
    soma.insert("pas")
    soma.g_pas, soma.e_pas = 1e-4, REST
    seg = soma(0.5)
    if point:
        where = getattr(h, name)(seg)
    else:
        soma.insert(name)
        where = getattr(seg, name)
    for ion in fed:
        soma.insert(feeder(ion))
    if point and hasattr(where, "setRNG"):
        where.setRNG(*STREAM)
    if hasattr(h, "usetable_" + name):
        setattr(h, "usetable_" + name, 0)
    clamps = []
    for begin, length, amplitude in CLAMPS:
        clamp = h.IClamp(seg)
        clamp.delay, clamp.dur, clamp.amp = begin, length, amplitude
        clamps.append(clamp)
    if events:
        connection = h.NetCon(None, where)
        connection.weight[0] = WEIGHT
        handler = h.FInitializeHandler(lambda: [connection.event(t) for t in EVENTS])
    h.celsius, h.dt, h.steps_per_ms = CELSIUS, DT, 1 / DT
    h.CVode().active(False)
    values = {}
    for p in params:
        for holder, key in ((where, p), (h, p + "_" + name)):
            if value_of([holder], key) is not None:
                values[p] = value_of([holder], key)
                break
    h.finitialize(REST)
    start = {}
    for ion in {ion for ion, _ in ions.values()}:
        for key in ("e" + ion, ion + "i", ion + "o"):
            if hasattr(seg, key):
                start[key] = getattr(seg, key)
            first = f"{key}0_{ion}_ion"
            if key != "e" + ion and hasattr(h, first):
                start[key] = getattr(h, first)
        start["z" + ion] = h.ion_charge(ion + "_ion")
    trace, kept = [seg.v], {s: [value_of((where, seg), s)] for s in states}
    while h.t < TSTOP - DT / 2:
        h.fadvance()
        trace.append(seg.v)
        for s, values_of in kept.items():
            values_of.append(value_of((where, seg), s))
    return trace, start, values, seg.area(), kept


# --- bosc ---


def uses_of(text):
    """Each ion with the words behind it in its USEION."""
    others = r"USEION|RANGE|GLOBAL|\w+_CURRENT|\w*POINTER|THREADSAFE|SUFFIX|\}"
    return [(re.match(r"\s*(\w+)", part)[1], re.split(others, part)[0])
            for part in re.split(r"\bUSEION\b", text)[1:]]


def ions_of(text):
    """Name of each variable of an ion -> the ion and which of its variables."""
    found = {}
    for ion, rest in uses_of(text):
        for word in re.findall(r"\w+", rest):
            for kind, name in (("e", "e" + ion), ("c", "i" + ion), ("i", ion + "i"), ("o", ion + "o")):
                if word == name:
                    found[word] = (ion, kind)
    return found


def fed_ions(text, folder):
    """The ions whose current changes a concentration here, each with a source of it."""
    fed = []
    for ion, rest in uses_of(text):
        if (re.search(rf"WRITE[\s\w,]*\b{ion}[io]\b", rest)
                and re.search(rf"READ[\s\w,]*\bi{ion}\b", rest)):
            valence = re.search(r"VALENCE\s*[-+]?\d+", rest)
            with open(os.path.join(folder, feeder(ion) + ".mod"), "w", encoding="utf-8") as file:
                file.write(FEEDER.format(name=feeder(ion), ion=ion, g=FEED[0], e=FEED[1],
                                         valence=" " + valence[0] if valence else ""))
            fed.append(ion)
    return fed


def build(bosc, folder, name):
    text = run([bosc, "mods", "translate", name + ".mod"], folder)
    with open(os.path.join(folder, name + ".h"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
        file.write(SHIM.replace("@", name).replace("IDS", str(STREAM)[1:-1]))
    flags = {
        "PARAMS": f"bosc_{name}_params[]" in text,
        "IONS": f"bosc_{name}_ions[]" in text,
        "STATES": f"bosc_{name}_states[]" in text,
        "SENDS": ".sends = true" in text,
        "RECEIVE": f"bosc_{name}_receive(" in text,
        "CONNECT": f"bosc_{name}_connect(" in text,
        "WATCHES": f"bosc_{name}_watch(" in text,
    }
    run(["cc", "-std=gnu11", "-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC",
         f"-I{HERE}/../..", f"-I{os.path.dirname(os.path.abspath(bosc))}"]
        + [f"-DHAS_{key}={int(value)}" for key, value in flags.items()]
        + ["-o", name + ".so", name + ".c", "-lm"], folder)
    return ctypes.CDLL(os.path.join(folder, name + ".so")), flags


def nernst(inside, outside, valence):
    return 1e3 * 8.31446261815324 * (CELSIUS + 273.15) / (valence * 96485.3321233100184) * math.log(outside / inside)


class Sent(ctypes.Structure):
    """What an instance sends to itself."""

    _fields_ = [("n", ctypes.c_int), ("spikes", ctypes.c_int),
                ("moves", ctypes.c_bool), ("move_to", ctypes.c_double),
                ("delay", ctypes.c_double * 8), ("flag", ctypes.c_double * 8)]


class Compartment:
    """One compartment with the mechanism, as NEURON steps it."""

    def __init__(self, library, flags, ions, neuron, point, fed):
        self.start, values, self.area = neuron[1:4]
        self.library, self.flags, self.point, self.fed = library, flags, point, fed
        counts = (ctypes.c_int * 5).in_dll(library, "counts")
        array = lambda n: (ctypes.c_double * (n + 1))()
        self.s, self.k, self.p, self.ion, self.weight = map(array, counts)
        self.here = (ctypes.c_double * 4)(REST, 0, SIZE, self.area)
        if flags["PARAMS"]:
            library.param.restype = ctypes.c_char_p
            library.standard.restype = ctypes.c_double
            for i in range(counts[2]):
                self.p[i] = values.get(library.param(i).decode(), library.standard(i))
        self.names, self.states = names_of(library, flags)
        self.ions, self.kept = ions, {}
        for i, key in enumerate(self.names):
            self.ion[i] = self.start.get(key, 0.0)
        library.prepare(self.p, ctypes.c_double(CELSIUS), ctypes.c_double(DT), self.k)
        library.init(self.p, self.k, self.here, self.ion, self.s)
        if point and flags["RECEIVE"]:
            self.weight[0] = WEIGHT
            if flags["CONNECT"]:
                library.connect_(self.p, self.k, self.here, self.weight, self.s)

    def renew_ions(self, text_writes):
        for i, key in enumerate(self.names):
            ion, kind = self.ions[key]
            if kind == "c":
                self.ion[i] = 0.0
            elif kind == "e" and ion in text_writes:
                c = {"i": self.start.get(ion + "i"), "o": self.start.get(ion + "o")}
                for j, other in enumerate(self.names):
                    if self.ions[other][0] == ion and self.ions[other][1] in "io":
                        c[self.ions[other][1]] = self.ion[j]
                self.ion[i] = nernst(c["i"], c["o"], self.start["z" + ion])

    def take_sent(self, t):
        if not self.flags["SENDS"]:
            return []
        sent = Sent.in_dll(self.library, "sent")
        found = [(t + sent.delay[i], sent.flag[i]) for i in range(sent.n)]
        sent.n = 0
        return found

    def current(self, v):
        g, ge = ctypes.c_double(), ctypes.c_double()
        self.here[0] = v
        self.library.current(self.p, self.k, self.here, self.ion, self.s, ctypes.byref(g), ctypes.byref(ge))
        return g.value, ge.value

    def line(self, v, numeric):
        """g and g e of the current, where numeric with NEURON's slope."""
        if not numeric:
            return self.current(v)
        g1, ge1 = self.current(v + 0.001)
        g, ge = self.current(v)
        i = g * v - ge
        g = ((g1 * (v + 0.001) - ge1) - i) / 0.001
        return g, g * v - i

    def receive(self, v, events):
        """Deliver the first event; the voltage after it, and what is left."""
        u, flag = events[0]
        self.here[0], self.here[1] = v, u
        self.library.receive(self.p, self.k, self.here, self.weight, self.s,
                             ctypes.c_double(flag))
        sent = Sent.in_dll(self.library, "sent") if self.flags["SENDS"] else Sent()
        events = [(sent.move_to, flag) if sent.moves and flag == 1 else (at, flag)
                  for at, flag in events[1:]]
        sent.moves = False
        return self.here[0], sorted(events + self.take_sent(u))

    def trace(self, numeric, writes):
        v, t, scale = REST, 0.0, 100 / self.area if self.point else 1.0
        events = [(u, 0.0) for u in EVENTS] if self.point and self.flags["RECEIVE"] else []
        events += self.take_sent(0.0)
        events.sort()
        while events and events[0][0] <= 0:
            v, events = self.receive(v, events)
        self.renew_ions(writes)
        self.line(v, numeric)  # what BREAKPOINT assigns is known from the start
        out = [v]
        self.keep()
        for _ in range(round(TSTOP / DT)):
            middle = t + DT / 2
            if self.flags["WATCHES"]:
                self.here[0], self.here[1] = v, t
                self.library.watch(self.p, self.k, self.here, self.ion, self.s)
                events += self.take_sent(t)
            events.sort()
            while events and events[0][0] <= middle:
                v, events = self.receive(v, events)
            self.here[1] = middle
            self.renew_ions(writes)
            g, ge = self.line(v, numeric)
            feed = FEED[0] * len(self.fed)
            g, ge = g + feed, ge + feed * FEED[1]
            for i, key in enumerate(self.names):
                ion, kind = self.ions[key]
                if kind == "c" and ion in self.fed:
                    self.ion[i] += FEED[0] * (v - FEED[1])
            clamp = sum(a for begin, n, a in CLAMPS if begin <= middle < begin + n)
            c = 1e-3 / DT
            v = (c * v + scale * ge + 1e-4 * REST + clamp * 100 / self.area) / (c + scale * g + 1e-4)
            t += DT
            self.here[0], self.here[1] = v, t
            self.library.advance(self.p, self.k, self.here, self.ion, self.s)
            while events and events[0][0] <= t:
                v, events = self.receive(v, events)
            out.append(v)
            self.keep()
        return out

    def keep(self):
        """Remember the states, and ions' variables."""
        for names, values in (self.states, self.s), (self.names, self.ion):
            for i, name in enumerate(names):
                self.kept.setdefault(name, []).append(values[i])


def names_of(library, flags):
    """The variables of ions and the states of a mechanism."""
    counts = (ctypes.c_int * 5).in_dll(library, "counts")
    lists = []
    for flag, call, n in ("IONS", "ion_name", counts[3]), ("STATES", "state_name", counts[0]):
        if flags[flag]:
            getattr(library, call).restype = ctypes.c_char_p
        lists.append([getattr(library, call)(i).decode() for i in range(n)] if flags[flag] else [])
    return lists


def apart(a, b):
    """How far numbers are apart; not at all where neither is finite."""
    if not math.isfinite(a) and not math.isfinite(b):
        return 0.0
    return abs(a - b) if math.isfinite(a - b) else math.inf


def states_apart(ours, theirs):
    """The largest difference, as a share of the largest value of its state."""
    most = 0.0
    for name, values in theirs.items():
        if None in values or name not in ours:
            continue
        largest = max((abs(x) for x in values if math.isfinite(x)), default=0.0)
        if largest > 0:
            most = max(most, max(map(apart, ours[name], values)) / largest)
    return most


def compare(bosc, path):
    with tempfile.TemporaryDirectory() as folder:
        name, point = prepare(path, folder)
        try:
            library, flags = build(bosc, folder, name)
        except Refused as why:
            raise Refused(f"bosc: {why}") from why
        text = plain(os.path.join(folder, name + ".mod"))
        fed = [] if point else fed_ions(text, folder)
        try:
            run(["nrnivmodl"], folder)
        except Refused as why:
            raise Refused(f"NEURON: {why}") from why
        ions = ions_of(text)
        params = []
        if flags["PARAMS"]:
            library.param.restype = ctypes.c_char_p
            params = [library.param(i).decode() for i in range((ctypes.c_int * 5).in_dll(library, "counts")[2])]
        ours, states = names_of(library, flags)
        states += [key for key in ours if ions.get(key, ("", ""))[1] in ("i", "o")]
        neuron = neuron_trace(folder, name, point, ions, params, flags["RECEIVE"], states, fed)
        writes = {ion for ion, rest in uses_of(text)
                  if re.search(rf"WRITE[\s\w,]*\b{ion}[io]\b", rest)}
        result, share = [], None
        # calling 'current' twice for a slope would run BEFORE BREAKPOINT twice
        once = re.search(r"\bBEFORE\s+BREAKPOINT\b", text)
        for numeric in not once, False:
            one = Compartment(library, flags, ions, neuron, point, fed)
            result.append(max(map(apart, one.trace(numeric, writes), neuron[0])))
            if share is None:
                share = states_apart(one.kept, neuron[4])
        finite = [v for v in neuron[0] if math.isfinite(v)]
        return (f"{result[0]:.1e}\t{result[1]:.1e}\t{min(finite):.1f}..{max(finite):.1f}"
                + ("" if len(finite) == len(neuron[0]) else " then nan") + f"\t{share:.1e}")


def summary(found):
    """How many are within what the voltage is to be within."""
    lines = [f"{len(found)} compared"]
    for column, slope, limit in (0, "NEURON's", 1e-8), (1, "the derived", 1e-5), (1, "the derived", 1e-4):
        within = sum(each[column] <= limit for each in found)
        lines.append(f"{within} within {limit:g} mV with {slope} slope")
    return ", ".join(lines)


def main():
    global DT
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--dt", type=float, default=DT)
    parser.add_argument("--kinetic", action="store_true")
    parser.add_argument("--one", action="store_true")  # NEURON loads one library a process
    parser.add_argument("bosc", type=os.path.abspath)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    DT, bosc, found = options.dt, options.bosc, []
    if options.one:
        try:
            print(options.files[0], compare(bosc, options.files[0]), sep="\t")
        except Refused as why:
            print(options.files[0], why, sep="\t")
        return
    print("file\tnumeric\tderived\tvoltages\tstates")
    for path in options.files:
        if options.kinetic and not re.search(r"^\s*KINETIC\b", plain(path), re.M):
            continue
        try:
            done = subprocess.run([sys.executable, sys.argv[0], "--one", "--dt", str(DT), bosc, path],
                                  capture_output=True, text=True, timeout=900, check=False)
        except subprocess.TimeoutExpired:
            print(f"{path}\tfailed: it takes more than 900 s", flush=True)
            continue
        lines = [line for line in done.stdout.splitlines() if line.startswith(path)]
        error = (done.stderr.strip().splitlines() or ["?"])[-1][:150]
        print(lines[-1] if lines else f"{path}\tfailed: {error}", flush=True)
        try:
            found.append([float(x) for x in lines[-1].split("\t")[1:3]])
        except (IndexError, ValueError):
            pass  # refused or failed
    print(summary(found))


if __name__ == "__main__":
    main()
