"""results.py - what plot-run and report-run share: reading a result of bosc,
messages, colours, numbers as text.

The packages are imported by need(), after the command line is parsed, so that
--help works without them and a missing one has one clear message.
"""
import argparse
import os
import re
import sys

PACKAGES = {  # module: (Debian and Ubuntu, pip)
    "numpy": ("python3-numpy", "numpy"),
    "matplotlib": ("python3-matplotlib", "matplotlib"),
    "netCDF4": ("python3-netcdf4", "netCDF4"),
}
# Of populations: they can be told apart on white, on black, and in grey.
COLOURS = ["#0b5fa5", "#d1495b", "#2a9d8f", "#b8741a", "#6a4c93", "#5c6b73"]
# What a file that is damaged, or of another program, may lead to.
DAMAGED = (OSError, RuntimeError, LookupError, ValueError, AttributeError)
MINUS = "\N{MINUS SIGN}"

np = None  # numpy, once it is needed


def program():
    """'bosc plot', or the script's name where it is run by itself."""
    return os.environ.get("BOSC_COMMAND") or os.path.basename(sys.argv[0])


class Help(argparse.HelpFormatter):
    """As the help of the other commands: "-o, --output FILE"."""

    def _format_action_invocation(self, action):
        if not action.option_strings:
            return super()._format_action_invocation(action)
        words = ", ".join(action.option_strings)
        return words if action.nargs == 0 else f"{words} {action.metavar}"


def arguments(about):
    """A parser for one result and options."""
    parser = argparse.ArgumentParser(
        prog=program(), usage=f"{program()} FILE.nc [OPTION]...",
        description=about, formatter_class=Help)
    parser.add_argument("file", metavar="FILE.nc", help="what bosc run wrote")
    return parser


# How a program ends, as bosc(1) lists them.
USAGE, WRONG, NO_INPUT, NO_PACKAGE, NO_OUTPUT, NOT_WRITTEN = 2, 65, 66, 69, 73, 74


def fail(text, code=WRONG):
    print(f"{program()}: {text}", file=sys.stderr)
    sys.exit(code)


def missing(module):
    debian, pip = PACKAGES[module]
    again = (f"BOSC_PYTHON=/usr/bin/python3 {program()} ..."
             if "BOSC_COMMAND" in os.environ else
             f"/usr/bin/python3 {sys.argv[0]} ...")
    fail(f"{sys.executable} has no package {module}; install it "
         f"(Debian, Ubuntu: apt install {debian}; elsewhere: "
         f"{sys.executable} -m pip install {pip}), or use a Python that has "
         f"it, for example: {again}", NO_PACKAGE)


def need():
    """numpy and matplotlib, or the end."""
    global np
    try:
        import numpy
    except ImportError:
        missing("numpy")
    try:
        import matplotlib
        matplotlib.use("Agg")
    except ImportError:
        missing("matplotlib")
    np = numpy
    take_texts_as_they_are(matplotlib)
    return numpy, matplotlib


def take_texts_as_they_are(matplotlib):
    """Names and titles are not formulas, whatever dollars they have."""
    if "text.parse_math" in matplotlib.rcParams:
        matplotlib.rcParams["text.parse_math"] = False
    else:  # before matplotlib 3.6
        import matplotlib.text
        matplotlib.text.Text._preprocess_math = lambda self, text: (text, False)


def why(error):
    return getattr(error, "strerror", None) or error


def write(path, data):
    """All of it or nothing."""
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError as error:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        fail(f"{path}: cannot write: {why(error)}", NOT_WRITTEN)


class Results:
    """The file, through netCDF4 or, where that is missing, xarray."""

    def __init__(self, path):
        self.path = path
        if os.path.isdir(path):
            fail(f"{path}: is a folder; name a file", NO_INPUT)
        if not os.path.exists(path):
            for more, words in ((".partial", "is of an unfinished run"),
                                (".nc", "is there")):
                if os.path.isfile(path + more):
                    fail(f"{path}: there is no such file; {path}{more} {words}",
                         NO_INPUT)
            fail(f"{path}: there is no such file", NO_INPUT)
        if path.lower().endswith((".yaml", ".yml")):
            fail(f"{path}: is a job; name the result that 'bosc run' made of "
                 "it")
        if os.path.isfile(path) and os.path.getsize(path) == 0:
            fail(f"{path}: is empty")
        try:
            self._open(path)
        except DAMAGED as error:
            fail(f"{path}: cannot be read as netCDF: {why(error)}")
        for name in ("neuron_population", "spike_time", "section_name"):
            if name not in self.names:
                fail(f"{path}: has no {name}, so it is no result of bosc run, "
                     "or one of an earlier version")

    def _open(self, path):
        try:
            import netCDF4
            data = netCDF4.Dataset(path)
            self.names = list(data.variables)
            self.attributes = {k: data.getncattr(k) for k in data.ncattrs()}
            self._read = lambda name, at: np.ma.getdata(data[name][at])
        except ImportError:
            try:
                import xarray
                data = xarray.open_dataset(path)
            except (ImportError, ValueError):  # ValueError: no backend
                missing("netCDF4")
            self.names = list(data.variables)
            self.attributes = data.attrs
            self._read = lambda name, at: data[name][at].values
        self._variable = lambda name: data[name]

    def __contains__(self, name):
        return name in self.names

    def read(self, name, at=Ellipsis):
        return self._read(name, at)

    def shape(self, name):
        return tuple(self._variable(name).shape)

    def attribute(self, variable, name, otherwise=""):
        """Of a variable."""
        of = self._variable(variable)
        return (of.attrs.get(name, otherwise) if hasattr(of, "attrs") else
                getattr(of, name, otherwise))

    def sections(self, name, at=Ellipsis):
        """Names of the sections of a probe set's columns."""
        return self.read("section_name")[self.read(f"{name}_section", at)]

    def probes(self):
        """Names of all probe sets, as the job has them."""
        return [n[5:] for n in self.names
                if n.startswith("time_") and f"{n[5:]}_gid" in self.names]

    def sets(self):
        """Names of the probe sets that recorded voltages."""
        return [n for n in self.probes() if f"{n}_v" in self.names]

    def finished(self):
        return self.attributes.get("completed") == "yes"

    def end(self):
        """The time (ms) of the run: of an unfinished one the last that it has
        recorded."""
        if self.finished():
            return float(self.attributes.get("tstop_ms", 0))
        times = ["spike_time"] + [f"time_{name}" for name in self.probes()]
        return max((float(self.read(name, -1)) for name in times
                    if self.shape(name)[0] > 0), default=0.0)


def somatic_columns(results, name):
    """Of each recorded neuron the first column at its soma, or else its first
    column: gid -> column."""
    gids = results.read(f"{name}_gid")
    named = results.read("section_name")
    is_soma = np.array([str(s).startswith("soma") for s in named] or [False])
    somatic = is_soma[results.read(f"{name}_section")]
    # a soma's middle is its first compartment with area: its ends come second
    at_middle = results.read(f"{name}_x") == 0.5
    order = np.lexsort((np.arange(len(gids)), ~at_middle, ~somatic, gids))
    first = np.unique(gids[order], return_index=True)
    return dict(zip(first[0].tolist(), order[first[1]].tolist()))


def choose(numbers, count):
    """Some of them, spread evenly."""
    numbers = list(numbers)
    count = min(count, len(numbers))
    return [numbers[i] for i in
            np.linspace(0, len(numbers) - 1, count).round().astype(int)]


def spread(numbers, count):
    """Indices of some of the numbers, from the lowest to the highest: of each
    of the levels wanted the first; where there are fewer levels than that, more
    of each."""
    numbers = np.asarray(numbers)
    count = min(count, len(numbers))
    levels, first = np.unique(numbers, return_index=True)
    if len(levels) <= count:
        order = np.argsort(numbers, kind="stable")
        others = order[~np.isin(order, first)]
        chosen = list(first) + choose(others, count - len(levels))
    else:
        chosen, free = [], np.ones(len(levels), bool)
        for wanted in np.linspace(levels[0], levels[-1], count):
            nearest = np.where(free, abs(levels - wanted), np.inf).argmin()
            free[nearest] = False
            chosen.append(first[nearest])
    return sorted((int(i) for i in chosen), key=lambda i: (numbers[i], i))


def choose_neurons(results, gids, count):
    """Some of them, which show the range of the rates; of several populations
    some of each: in the order of populations, then of rates."""
    gids = np.asarray(sorted(gids), int)
    of_neuron = results.read("neuron_population")
    gids = gids[gids < len(of_neuron)]
    fired = np.bincount(results.read("spike_gid"), minlength=len(of_neuron))
    names = results.read("population_name")
    group = np.unique(names, return_inverse=True)[1][of_neuron[gids]] \
        if len(gids) else gids
    groups = choose(np.unique(group), count)
    chosen = []
    for i, one in enumerate(groups):
        mine = gids[group == one]
        share = (count - len(chosen)) // (len(groups) - i)
        chosen += [int(mine[k]) for k in spread(fired[mine], share)]
    return chosen


def round_values(name):
    """'g=0.0831553' -> 'g=0.08316': names of members that bosc made."""
    return re.sub(r"(?<==)-?\d+\.\d{3,}(?:e[+-]?\d+)?(?=,|$)",
                  lambda m: f"{float(m[0]):.4g}", name)


class Labels:
    """What neurons are called besides their number."""

    def __init__(self, results):
        def read(name):
            return results.read(name) if name in results else np.zeros(0, int)
        self.member = read("neuron_member")
        self.members = [round_values(str(s)) for s in read("member_name")]
        self.morphology = read("neuron_morphology")
        files = [os.path.basename(str(s)) for s in read("morphology_file")]
        self.files = files if len(set(files)) > 1 else []

    def member_of(self, gid):
        """The name of its member, "" without a sweep."""
        return (self.members[self.member[gid]]
                if self.members and gid < len(self.member) else "")

    def file_of(self, gid):
        """The name of its morphology's file, "" if that is the only one."""
        at = self.morphology[gid] if gid < len(self.morphology) else -1
        return self.files[at] if 0 <= at < len(self.files) else ""

    def lines(self, gid):
        return [line for line in (self.file_of(gid), self.member_of(gid))
                if line]


def cut(name, most=24):
    return name if len(name) <= most else name[:most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def wrap(lines, most, rows):
    """Lines broken behind commas where they are longer, and no more of them."""
    out = []
    for line in filter(None, lines):
        own = ""
        for part in line.split(", "):
            joined = f"{own}, {part}" if own else part
            if own and len(joined) > most:
                out.append(own + ",")
                joined = part
            own = joined
        out.append(own)
    if len(out) > rows:
        out = out[:rows - 1] + [out[rows - 1] + " \N{HORIZONTAL ELLIPSIS}"]
    return "\n".join(cut(line, most) for line in out)


def shorten(words):
    return ", ".join(words[:9]) + (", ..." if len(words) > 9 else "")


def plural(n, word):
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def colour_of(population):
    return COLOURS[population % len(COLOURS)]
