"""trees.py - pictures of single neurons, for plot-run and report-run.

A neuron is a list of compartments with their places, diameters, regions and
numbers.  Numbers of a job are those that 'bosc inspect JOB --compartments'
prints; voltages are those of a result.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys

import results as shared
from results import MINUS, fail, plural

np = matplotlib = plt = None

INK, GREY, NONE = "#1c2026", "#5b626b", "#c3c8ce"
# Numbers, from low to high: readable on white and on black.
COLOURS = ["#3a6fc0", "#7d62c4", "#c04a8c", "#e2604f", "#f0993a"]
OF_REGIONS = {"soma": INK, "axon": "#2a9d8f", "dendrite": "#0b5fa5",
              "apical": "#d1495b", "custom": "#b8741a"}
OF_OTHERS = ["#6a4c93", "#d99a00", "#7cb518", "#c04a8c", "#18a6d1", "#8d6e63",
             "#5c6b73", "#9e9e00"]
PREFIXES = {"soma": "soma", "axon": "axon", "dend": "dendrite",
            "apic": "apical"}
FEW = 6         # different numbers that get a colour of their own each
WIDE_RANGE = 50  # from the least to the greatest, drawn on a logarithmic scale
THINNEST, SMALLEST, MOST_NAMED = 1.0, 4, 16  # points, of lines and somata; regions in a legend
MICRO = "\N{MICRO SIGN}m"


def begin():
    global np, matplotlib, plt
    np, matplotlib = shared.need()
    import matplotlib.pyplot
    plt = matplotlib.pyplot


def number(x, digits=4):
    return f"{x:.{digits}g}".replace("-", MINUS)


# ------------------------------------------------------------------- a neuron

class Cell:
    """A neuron: arrays of its compartments, ends of sections included."""

    def __init__(self, name, more, columns):
        self.name, self.more = name, more  # "population hay, neuron 0"; file
        self.population = self.neuron = ""
        self.section, self.region = columns["section"], columns["region"]
        self.x, self.parent = columns["x"], columns["parent"].astype(int)
        self.xyz = np.stack([columns[c] for c in ("x_um", "y_um", "z_um")], 1)
        self.diameter, self.area = columns["diameter_um"], columns["area_um2"]
        self.distance = columns["distance_um"]
        self.numbers = {}  # "pas.g": (unit, of each compartment)
        self.varies = {}   # "pas.g": [(region, what it is)]
        self.is_soma = np.array([re.match(r"soma\b", s) is not None
                                 for s in self.section])

    def is_placed(self):
        """Has it coordinates?"""
        return bool(np.isfinite(self.xyz).all())

    def sites(self):
        """Compartments that are no ends of sections."""
        return self.area > 0

    def everywhere(self, values):
        """Of the ends of sections those beside them."""
        values = values.copy()
        ends = ~self.sites()
        inside = ends & (self.parent >= 0)
        values[inside] = values[self.parent[inside]]
        for i in np.flatnonzero(ends & (self.parent < 0)):
            child = np.flatnonzero(self.parent == i)
            if len(child):
                values[i] = values[child[0]]
        return values


# ---------------------------------------------------------------- the listing

def read_listing(lines, source):
    """The neurons of what 'bosc inspect --compartments' prints."""
    rows, head, files, varies = {}, None, {}, []
    for line in lines:
        fields = line.rstrip("\n").split("\t")
        if fields[0] == "#neuron" and len(fields) == 4:
            files[fields[1]] = fields[3]
        elif fields[0] == "#varies" and len(fields) == 7:
            varies.append(fields[1:])
        elif head is None:
            head = fields
        else:
            rows.setdefault(fields[0], []).append(fields)
    needed = {"section", "region", "x", "parent", "x_um", "y_um", "z_um",
              "diameter_um", "area_um2", "distance_um"}
    if head is None or not needed.issubset(head) or not rows:
        fail(f"{source}: is no list of 'bosc inspect --compartments', which has "
             "a line of titles and one for each compartment")
    return [cell_of(head, own, files, varies, source) for own in rows.values()]


def cell_of(head, rows, files, varies, source):
    words = {"file", "population", "region", "section"}
    columns = {}
    for k, name in enumerate(head):
        column = [row[k] if k < len(row) else "" for row in rows]
        try:
            columns[name] = np.array(column if name in words else
                                     [float(v) if v else np.nan
                                      for v in column])
        except ValueError as error:
            fail(f"{source}: column '{name}': {error}")
    first = rows[0][0]
    if "neuron" not in head:
        return Cell(os.path.basename(first), "", columns)
    population = columns["population"][0]
    file = os.path.basename(files.get(first, ""))
    cell = Cell(f"population {population}, neuron {first}", file, columns)
    cell.population, cell.neuron = str(population), first
    for name in head[head.index("distance_um") + 1:]:
        key, unit = re.fullmatch(r"(.*?)(?: \((.*)\))?", name).groups()
        cell.numbers[key] = (unit if unit not in (None, "1") else "",
                             columns[name])
    for own, key, _, region, _, text in varies:
        text = readable(text)
        if own == population and (region, text) not in \
                cell.varies.setdefault(key, []):
            cell.varies[key].append((region, text))
    return cell


def readable(text):
    """What a number is without brackets around numbers and the names of
    draws."""
    text = re.sub(r" as [\w.]+(?=$|, )", "", text)
    return re.sub(r"(?<!\w)\((-?\d[\d.e+-]*)\)", r"\1", text)


def program():
    """The program of this script, or None."""
    named = os.environ.get("BOSC_PROGRAM")
    return named if named and os.access(named, os.X_OK) else \
        shutil.which("bosc")


class NotListed(Exception):
    """Why the program has no list of a job's compartments."""


def list_compartments(path, words=()):
    """The neurons of a job or a morphology, as the program has them."""
    command = program()
    if command is None:
        raise NotListed("the program bosc is not found; name it in the "
                        "environment: BOSC_PROGRAM=/usr/local/bin/bosc")
    done = subprocess.run([command, "inspect", path, "--compartments", *words],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace", check=False)
    if done.returncode != 0:
        raise NotListed((done.stderr.strip().splitlines() or ["no reason"])[-1]
                        .removeprefix("bosc inspect: "))
    return read_listing(done.stdout.splitlines(), path)


# ------------------------------------------------------ the job of a result

def varies(results):
    """Has the job of a result numbers that are not one number each?"""
    for line in str(results.attributes.get("job_values", "")).splitlines():
        found = re.match(r"populations\[.*\.regions\..*\.([^.:\s]+): (.*)", line)
        if found is None or found[1] in ("where", "pointers", "name", "regions"):
            continue
        value = found[2].removesuffix(" fixed")
        try:
            float(value)
        except ValueError:
            if value not in ("true", "false"):
                return True
    return False


def job_of(results):
    """The file of a result's job, from the last command of its history, and the
    options --set of that, which its text ends with.  The file must still have
    that text."""
    history = str(results.attributes.get("history", "")).splitlines() or [""]
    text = str(results.attributes.get("job", ""))
    words = history[-1].split(" ")
    last = next((i for i, word in enumerate(words)
                 if word.lower().endswith((".yaml", ".yml"))), None)
    if "run" not in words or last is None:
        raise NotListed("the file does not say by which command it was made")
    members = (results.shape("member_name")[0]
               if "member_name" in results else 0)
    if int(results.attributes.get("sweep_members", members)) != members:
        raise NotListed("it has only some members of a sweep")
    # history has no quotes: a path with blanks is several words
    names = [" ".join(words[i:last + 1]) for i in range(last, 0, -1)]
    path = next((path for name in names for path in (
        name, os.path.join(os.path.dirname(results.path), name))
        if os.path.isfile(path)), None)
    if path is None:
        raise NotListed(f"its job {words[last]} is not found from here")
    with open(path, encoding="utf-8", errors="replace") as file:
        own = file.read()
    given = text[len(own):].strip("\n")
    if not text.startswith(own) or re.sub("^# --set .*\n?", "", given,
                                          flags=re.M):
        raise NotListed(f"its job {path} has changed since")
    return path, [word for line in given.splitlines()
                  for word in ("--set", line[len("# --set "):])]


# ------------------------------------------------------------------ the result

def recorded(results, name):
    """The neurons of a probe set of which more than one compartment was
    recorded: [(gid, first column, end)]."""
    if f"{name}_parent" not in results or not results.shape(f"{name}_gid")[0]:
        return []
    gids = results.read(f"{name}_gid")
    first = np.flatnonzero(np.r_[True, gids[1:] != gids[:-1]])
    ends = np.r_[first[1:], len(gids)]
    return [(int(gids[a]), int(a), int(b)) for a, b in zip(first, ends)
            if b - a > 3]


def cell_of_result(results, name, gid, first, end):
    def of(what):
        return results.read(f"{name}_{what}", slice(first, end))
    named = results.read("section_name")
    sections = np.array([str(named[s]) for s in of("section")])
    parent = of("parent")
    columns = {"section": sections, "x": of("x"),
               "region": np.array([PREFIXES.get(s.split("[")[0], "custom")
                                   for s in sections]),
               "parent": np.where(parent >= 0, parent - first, -1)}
    for column, what in (("x_um", "x3d"), ("y_um", "y3d"), ("z_um", "z3d"),
                         ("diameter_um", "diam"), ("area_um2", "area"),
                         ("distance_um", "distance")):
        columns[column] = of(what).astype(float)
    file = shared.Labels(results)
    population = str(results.read("population_name")[
        int(results.read("neuron_population", gid))])
    path = ""
    if gid < len(file.morphology) and file.morphology[gid] >= 0:
        path = str(results.read("morphology_file", int(file.morphology[gid])))
    if re.search(r"\.cylinders\.tsv(\.gz)?$", path, re.I):
        for column in ("x_um", "y_um", "z_um"):
            columns[column][:] = np.nan
    cell = Cell(f"population {population}, neuron {gid}",
                os.path.basename(path), columns)
    cell.population, cell.neuron = population, str(gid)
    return cell


# --------------------------------------------------------------------- shapes

class Shape:
    """A neuron in the plane that shows most of it."""

    def __init__(self, cell, whole=False):
        """With 'whole' each compartment is one line, to the one before it: half
        as many as where both begin halfway."""
        spread = cell.xyz - cell.xyz.mean(0)
        # y stays up, as in the file, unless the neuron is flat there
        if np.ptp(spread[:, 1]) > 0.2 * np.ptp(spread, axis=0).max():
            aside = 0 if np.ptp(spread[:, 0]) >= np.ptp(spread[:, 2]) else 2
            keep = [aside, 1]
        else:
            keep = np.sort(np.argsort(-np.ptp(spread, axis=0),
                                      kind="stable")[:2])
        self.at, self.cell = spread[:, keep], cell
        thick = cell.diameter[:, None] / 2
        self.low = (self.at - thick).min(0)
        self.size = np.maximum((self.at + thick).max(0) - self.low, 1)
        self.pieces(whole)

    def pieces(self, whole):
        """Lines, and the compartment of each: two that follow one another in a
        section meet halfway, a section begins where it hangs."""
        cell = self.cell
        child = np.flatnonzero(cell.parent >= 0)
        parent = cell.parent[child]
        sites = cell.sites()
        meet = (cell.section[child] == cell.section[parent]) & \
            sites[child] & sites[parent] & (not whole)
        half = (self.at[parent] + self.at[child]) / 2
        begin = np.where(meet[:, None], half, self.at[parent])
        # the end of a section belongs to the compartment before it
        owner = np.where(sites[child] | ~sites[parent], child, parent)
        self.lines = np.concatenate([
            np.stack([begin, self.at[child]], 1),
            np.stack([self.at[parent], half], 1)[meet]])
        self.owner = np.concatenate([owner, parent[meet]])

    def draw(self, axes, colours, points, rasterized=False):
        """In the colour of each compartment; 'points' to a micrometre."""
        cell = self.cell
        neurite = ~cell.is_soma[self.owner]
        owner = self.owner[neurite]
        axes.add_collection(matplotlib.collections.LineCollection(
            self.lines[neurite], colors=colours[owner], capstyle="round",
            linewidths=np.clip(cell.diameter[owner] * points, THINNEST, 30),
            rasterized=rasterized))
        soma = np.flatnonzero(cell.is_soma & cell.sites())
        least = SMALLEST / points if len(soma) == 1 else 0
        axes.add_collection(matplotlib.collections.PatchCollection(
            [plt.Circle(self.at[i], max(cell.diameter[i] / 2, least))
             for i in soma], lw=0.8, edgecolors=INK, zorder=3,
            facecolors=colours[soma], rasterized=rasterized))
        room = 0.03 * self.size
        axes.set_xlim(self.low[0] - room[0], self.low[0] + self.size[0] + room[0])
        axes.set_ylim(self.low[1] - room[1], self.low[1] + self.size[1] + room[1])
        axes.set_aspect("equal")
        axes.axis("off")


def scale_bar(axes, width):
    length = next((s for s in (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
                   if s <= 0.4 * width), 1)
    left, low = axes.get_xlim()[0], axes.get_ylim()[0]
    axes.plot([left, left + length], [low, low], color=INK, lw=1.6,
              clip_on=False, solid_capstyle="butt")
    axes.annotate(f"{length} {MICRO}", (left, low), xytext=(0, -3),
                  textcoords="offset points", va="top", fontsize=9.5,
                  annotation_clip=False)


class Dendrogram:
    """Compartments by their distance from the soma, a branch above the other."""

    size = (1.6, 1)  # where others have micrometres: width to height

    def __init__(self, cell):
        self.cell = cell
        reached = np.isfinite(cell.distance)
        self.lost = int((~reached & cell.sites()).sum())
        neighbours = [[] for _ in cell.parent]
        for child, parent in enumerate(cell.parent):
            if parent >= 0 and reached[child]:
                neighbours[child].append(int(parent))
                neighbours[parent].append(child)
        self.root = int(np.where(reached, cell.distance, np.inf).argmin())
        self.hang(neighbours)

    def hang(self, neighbours):
        """From the soma on: the height of a tip is its number, of a branch point
        the middle of its branches."""
        order, self.towards = [], {self.root: -1}
        stack = [self.root]
        while stack:
            i = stack.pop()
            order.append(i)
            for k in sorted(neighbours[i], reverse=True):
                if k != self.towards[i]:
                    self.towards[k] = i
                    stack.append(k)
        branches = {i: [] for i in order}
        for i in reversed(order[1:]):  # an end of the soma is no tip
            if branches[i] or self.cell.sites()[i] or not self.cell.is_soma[i]:
                branches[self.towards[i]].insert(0, i)
        order = [i for i in order if i == self.root or
                 i in branches[self.towards[i]]]
        self.height, tips = {}, 0
        for i in order:
            if not branches[i]:
                self.height[i] = tips
                tips += 1
        for i in reversed(order):
            if branches[i]:
                ends = [self.height[k] for k in branches[i]]
                self.height[i] = (min(ends) + max(ends)) / 2
        self.tips, self.order = tips, order

    def draw(self, axes, colours, _points=1, rasterized=False):
        cell = self.cell
        lines, steps, owner = [], [], []
        for i in self.order[1:]:
            up = self.towards[i]
            y, x0, x1 = self.height[i], cell.distance[up], cell.distance[i]
            own = i if cell.sites()[i] or not cell.sites()[up] else up
            if self.height[up] != y:
                steps.append([(x0, self.height[up]), (x0, y)])
            meet = cell.section[i] == cell.section[up] and \
                cell.sites()[i] and cell.sites()[up]
            half = (x0 + x1) / 2 if meet else x0
            lines.append([(half, y), (x1, y)])
            owner.append(own)
            if meet:
                lines.append([(x0, y), (half, y)])
                owner.append(up)
        thick = np.clip(1.2 * cell.diameter[owner], 1.2, 7)
        axes.add_collection(matplotlib.collections.LineCollection(
            steps, colors=NONE, linewidths=0.8, zorder=1,
            rasterized=rasterized))
        axes.add_collection(matplotlib.collections.LineCollection(
            lines, colors=colours[owner], linewidths=thick, zorder=2,
            antialiaseds=False, rasterized=rasterized))
        soma = np.flatnonzero(cell.is_soma & cell.sites())
        middle = soma[cell.distance[soma].argmin()] if len(soma) else self.root
        axes.plot([0], [self.height[self.root]], "o", ms=13, mew=0.8, zorder=3,
                  mec=INK, mfc=colours[middle], clip_on=False)
        axes.annotate("soma" if len(soma) else "root",
                      (0, self.height[self.root]), xytext=(-10, 0),
                      textcoords="offset points", ha="right", va="center",
                      annotation_clip=False)
        far = max((cell.distance[i] for i in self.order), default=1)
        axes.set_xlim(0, 1.02 * far if far > 0 else 1)
        axes.set_ylim(-0.8, max(self.tips, 1) - 0.2)
        axes.set_yticks([])
        for side in ("left", "top", "right"):
            axes.spines[side].set_visible(False)
        axes.set_xlabel(f"path distance from the soma ({MICRO})")


# -------------------------------------------------------------------- colours

class Colouring:
    """What the colours of compartments say: some names, or a scale."""

    def __init__(self, label):
        self.label = label
        self.names, self.norm, self.map = [], None, None

    def by_name(self, names, colour_of):
        shown = list(dict.fromkeys(names))
        self.names = [(name, colour_of(name)) for name in shown]
        self.colours = np.array([matplotlib.colors.to_rgba(colour_of(name))
                                 for name in names])
        return self

    def by_number(self, values, absent="none"):
        """A colour for each of a few numbers, else a scale."""
        fine = np.isfinite(values)
        levels = np.unique(values[fine])
        self.map = matplotlib.colors.LinearSegmentedColormap.from_list(
            "numbers", COLOURS)
        self.norm = scale_of(levels)
        self.colours = np.tile(matplotlib.colors.to_rgba(NONE),
                               (len(values), 1))
        if 0 < len(levels) <= FEW:
            steps = dict(zip(levels, np.linspace(0, 1, len(levels))
                             if len(levels) > 1 else [0.0]))
            for level, at in steps.items():
                self.colours[fine & (values == level)] = self.map(at)
            self.names = [(number(v, 6), self.map(steps[v]))
                          for v in levels[::-1]]
        elif len(levels):
            self.colours[fine] = self.map(self.norm(values[fine]))
        if not fine.all():
            self.names.append((absent, NONE))
        self.is_scale = len(levels) > FEW
        return self

    is_scale = False


def scale_of(levels):
    """Logarithmic where numbers are of very different sizes."""
    if not len(levels):
        return None
    low, high = float(levels[0]), float(levels[-1])
    if low > 0 and high / low >= WIDE_RANGE:
        return matplotlib.colors.LogNorm(low, high)
    return matplotlib.colors.Normalize(low, high if high > low else low + 1)


def region_colour(regions):
    """The colour of each region: the usual ones always the same."""
    others = [r for r in dict.fromkeys(regions) if r not in OF_REGIONS]
    own = {r: OF_OTHERS[k % len(OF_OTHERS)] for k, r in enumerate(others)}
    return lambda region: OF_REGIONS.get(region) or own[region]


def colouring(cell, by):
    """By 'region', 'diam', 'distance', or a number: "pas.g"."""
    if by == "region":
        return Colouring("region").by_name(
            cell.everywhere(cell.region), region_colour(cell.region))
    usual = {"diam": (f"diameter ({MICRO})", cell.diameter),
             "distance": (f"path distance ({MICRO})", cell.distance)}
    if by in usual:
        label, values = usual[by]
        return Colouring(label).by_number(
            np.where(np.isfinite(values), values, np.nan))
    if by not in cell.numbers:
        there = ["region", *usual, *cell.numbers]
        near = difflib.get_close_matches(by, there, 2)
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        fail(f"--by {by}: {cell.name} has no such number; {meant}there are " +
             ", ".join(there), shared.USAGE)
    unit, values = cell.numbers[by]
    absent = f"no {by.split('.')[0]}" if "." in by else "none"
    return Colouring(by + (f" ({unit})" if unit else "")).by_number(
        cell.everywhere(values), absent)


# -------------------------------------------------------------------- figures

def of_size(cell):
    return (plural(int(cell.sites().sum()), "compartment") + " in " +
            plural(len(set(cell.section)), "section"))


def picture(cell, colours, subtitle="", dendrogram=False):
    """A figure of one neuron on a light ground."""
    matplotlib.rcParams.update({"font.size": 11, "svg.hashsalt": "bosc"})
    flat = dendrogram or not cell.is_placed()
    shape = Dendrogram(cell) if flat else Shape(cell)
    most = np.array([8.2, 6.2])  # inches for the neuron
    if flat:
        points, size = 1, np.array([7.5, np.clip(0.16 * shape.tips, 2, 9)])
    else:
        points = 72 * (most / (1.06 * shape.size)).min()
        size = np.maximum(1.06 * shape.size * points / 72, [1.5, 1])
    left, right, top, low = (0.85 if flat else 0.35), 2.2, 0.95, 0.65
    words = ", ".join(filter(None, [cell.more, of_size(cell), subtitle]))
    if flat and shape.lost:
        words += (f"; {shape.lost:,} of them, not connected to the soma, are "
                  "left out")
    whole = np.array([max(size[0] + left + right, 6.2, 0.5 + 0.075 * len(words),
                          0.5 + 0.12 * len(cell.name)), size[1] + top + low])
    figure = plt.figure(figsize=whole, facecolor="white")
    spare = (whole[0] - size[0] - left - right) / 2
    place = [(left + spare) / whole[0], low / whole[1], *(size / whole)]
    axes = figure.add_axes(place)
    shape.draw(axes, colours.colours, points, rasterized=len(cell.x) > 5000)
    if not flat:
        scale_bar(axes, shape.size[0])
    key(figure, colours, place[0] + place[2] + 0.25 / whole[0], place, whole)
    figure.text(0.3 / whole[0], 1 - 0.38 / whole[1], cell.name, fontsize=14,
                fontweight="bold", color=INK)
    figure.text(0.3 / whole[0], 1 - 0.66 / whole[1],
                words, color=GREY, fontsize=10)
    return figure


def plain_numbers(axis):
    """Ticks as text without formulas, which names with dollars forbid."""
    axis.set_major_formatter(
        matplotlib.ticker.FuncFormatter(lambda v, _: number(v)))
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def key(figure, colours, left, place, whole):
    """The legend or the colour bar, right of the neuron."""
    middle = place[1] + place[3] / 2
    if colours.is_scale:
        height = min(0.7 * place[3], 3.2 / whole[1])
        bar = figure.colorbar(
            matplotlib.cm.ScalarMappable(colours.norm, colours.map),
            cax=figure.add_axes([left, middle - height / 2, 0.14 / whole[0],
                                 height]))
        bar.outline.set_visible(False)
        plain_numbers(bar.ax.yaxis)
        bar.ax.set_title(colours.label, loc="left", fontsize=11, pad=12)
        bar.solids.set_rasterized(True)
        middle -= height / 2 + 0.25 / whole[1]
    shown = colours.names[:MOST_NAMED]
    if len(colours.names) > MOST_NAMED:
        shown = shown + [(f"and {len(colours.names) - MOST_NAMED} more",
                          "none")]
    handles = [matplotlib.lines.Line2D([], [], ls="", marker="o", ms=8, mew=0,
                                       color=colour, label=name)
               for name, colour in shown]
    if handles:
        figure.legend(handles=handles, frameon=False, borderpad=0,
                      handletextpad=0.3, alignment="left",
                      title=None if colours.is_scale else colours.label,
                      loc="upper left" if colours.is_scale else "center left",
                      bbox_to_anchor=(left - 0.05 / whole[0], middle))


# --------------------------------------------------------------- plot --tree

def choose_cell(cells, what):
    """The first; of several it is said which others there are."""
    names = list(dict.fromkeys(c.population for c in cells))
    if len(names) > 1:
        print(f"{shared.program()}: {cells[0].name} is drawn; --population "
              f"chooses another: {shared.shorten(names[1:])}", file=sys.stderr)
    elif len(cells) > 1 and not names[0]:
        fail(f"{what}: has {len(cells)} neurons; draw one at a time",
             shared.USAGE)
    return cells[0]


def selection(options):
    words = []
    if options.population is not None:
        words += ["--population", options.population]
    if options.neuron is not None:
        words += ["--neuron", str(options.neuron)]
    return words


def of_program(options):
    """The figure of a job's or a file's neuron."""
    path, words = options.file, selection(options)
    for given in options.set or []:
        words += ["--set", given]
    if path == "-":
        cells = read_listing(sys.stdin, "standard input")
    else:
        try:
            cells = list_compartments(path, words)
        except NotListed as why:
            fail(str(why))
    if options.by == "v":
        fail("--by v: voltages are in results, FILE.nc", shared.USAGE)
    if options.at is not None:
        fail("--at is for voltages, of a result FILE.nc", shared.USAGE)
    cell = choose_cell(cells, path)
    return picture(cell, colouring(cell, options.by or "region"),
                   dendrogram=options.dendrogram)


def chosen_neuron(results, options, known, name):
    """The neuron asked for of those that were recorded."""
    gids = [gid for gid, _, _ in known]
    of_neuron = results.read("neuron_population")
    if options.population is not None:
        names = [str(s) for s in results.read("population_name")]
        if options.population not in names:
            fail(f"--population {options.population}: the job has none; there "
                 f"are {', '.join(dict.fromkeys(names))}")
        first = int(np.flatnonzero(
            of_neuron == names.index(options.population))[0])
        mine = [g for g in gids
                if names[of_neuron[g]] == options.population]
        wanted = (first + options.neuron if options.neuron is not None else
                  mine[0] if mine else first)
    else:
        wanted = options.neuron if options.neuron is not None else gids[0]
    if wanted not in gids:
        fail(f"neuron {wanted}: probe set '{name}' has no voltages of all its "
             f"compartments; it has those of {shared.shorten(list(map(str, gids)))}"
             f", of {len(of_neuron):,} neurons")
    return next(k for k in known if k[0] == wanted)


def chosen_frame(results, name, cell, first, end, options):
    """The sample asked for, else that of the highest voltage of the soma, or of
    all where there is no soma."""
    time = results.read(f"time_{name}")
    if not len(time):
        fail(f"{results.path}: no voltage was recorded yet")
    if options.at is not None:
        if not time[0] <= options.at <= time[-1]:
            fail(f"--at {options.at:g}: voltages are of times from {time[0]:g} "
                 f"to {time[-1]:g} ms", shared.USAGE)
        return int(abs(time - options.at).argmin()), ""
    soma = np.flatnonzero(cell.is_soma & cell.sites())
    where = "the soma" if len(soma) else "this neuron"
    at = slice(first, end) if not len(soma) else int(first + soma[
        cell.distance[soma].argmin()])
    voltage = results.read(f"{name}_v", (slice(None), at))
    voltage = np.where(np.isfinite(voltage), voltage, -np.inf)
    if voltage.ndim > 1:
        voltage = voltage.max(1)
    return int(voltage.argmax()), f", the highest of {where}"


def of_voltage(results, options):
    sets = [s for s in results.sets() if recorded(results, s)]
    wanted = (options.set or [None])[-1]
    if wanted is not None and wanted not in sets:
        fail(f"{options.file}: no probe set '{wanted}' with voltages of several "
             f"compartments; there is {', '.join(sets) or 'none'}")
    if not sets:
        old = any(f"{s}_parent" not in results for s in results.sets())
        fail(f"{options.file}: " + (
            "does not say where its compartments are: an earlier version of "
            "bosc wrote it" if old else
            "has no voltages of whole neurons; record them by a probe {name: "
            "tree, at: everywhere}, or colour by a number of the job: --by "
            "region"))
    name = wanted or sets[0]
    gid, first, end = chosen_neuron(results, options, recorded(results, name),
                                    name)
    cell = cell_of_result(results, name, gid, first, end)
    frame, why = chosen_frame(results, name, cell, first, end, options)
    voltage = results.read(f"{name}_v", (frame, slice(first, end)))
    values = np.where(np.isfinite(voltage), voltage, np.nan)
    colours = Colouring("voltage (mV)").by_number(values.astype(float),
                                                  "not finite")
    time = float(results.read(f"time_{name}", frame))
    return picture(cell, colours, f"at {number(time, 6)} ms{why}",
                   options.dendrogram)


def tree(options):
    """The figure of plot --tree."""
    if not re.search(r"\.(nc|partial(\.\d+)?)$", options.file.lower()):
        return of_program(options)
    results = shared.Results(options.file)
    if (options.by or "v") == "v":
        return of_voltage(results, options)
    try:
        path, given = job_of(results)
    except NotListed as why:
        fail(f"--by {options.by}: {why}; draw the job itself: {shared.program()} "
             f"JOB.yaml --tree --by {options.by}")
    try:
        cells = list_compartments(path, given + selection(options))
    except NotListed as why:
        fail(str(why))
    cell = choose_cell(cells, options.file)
    return picture(cell, colouring(cell, options.by),
                   dendrogram=options.dendrogram)


# ------------------------------------------------------------------ gradients

def gradients(results):
    """Of the first neuron of each population the numbers that vary: [(cell,
    "pas.g")]; raises NotListed."""
    if not varies(results):
        return []
    path, given = job_of(results)
    seen, out = set(), []
    for cell in list_compartments(path, given):
        if "member_name" in results:
            cell.more += " in the first member"
        if cell.population not in seen:
            out += [(cell, name) for name in cell.varies
                    if np.isfinite(cell.numbers[name][1]).any()]
        seen.add(cell.population)
    return out


def draw_gradient(axes, cell, name):
    """Its values against path distance, in the colours of regions."""
    unit, values = cell.numbers[name]
    there = np.isfinite(values) & np.isfinite(cell.distance)
    colour = region_colour(cell.region)
    for region in dict.fromkeys(cell.region[there]):
        mine = there & (cell.region == region)
        axes.plot(cell.distance[mine], values[mine], "o", mew=0,
                  ms=2.8 if there.sum() > 60 else 4.5, color=colour(region),
                  label=region)
    if isinstance(scale_of(np.unique(values[there])),
                  matplotlib.colors.LogNorm):
        axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    far = max(cell.distance[there].max(), 1)
    axes.set_xlim(-0.015 * far, 1.02 * far)
    axes.set_xlabel(f"path distance from the soma ({MICRO})")
    axes.set_ylabel(name + (f"\n({unit})" if unit else ""))
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1), ncol=4,
                borderpad=0, borderaxespad=0.2, handletextpad=0.0,
                columnspacing=1.0, markerscale=1.8, frameon=False)
