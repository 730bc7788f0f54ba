"""figures.py - the figures of report-run.

Each is drawn in one or two widths: NARROW ones stand beside each other on a
screen and alone on a phone; WIDE ones are for screens and paper only.  Ink and
ground have colours that nothing else has: the page replaces them by its own, so
that figures follow dark and light.
"""
import io
import re

import results as shared
import trees
from results import MINUS, choose, colour_of, cut, somatic_columns

NARROW, WIDE = 370, 860  # points
INK, GROUND = "#1c2026", "#fefefe"
MANY_SPIKES = 20000  # drawn as counts, not one by one
MOST_TRACES = 6
MOST_GROUPS = 12  # populations that get bars, or lines, of their own
MOST_RANKS = 64   # ranks that get bars of their own
MOST_SEGMENTS = 1500  # of a neuron as vectors
MOST_TREES = 3
MOST_GRADIENTS = 12
MOST_MEMBERS = 12  # of a sweep that are named beside the raster
MOMENTS = 4
# Of what follows one another, what is part of that, and what goes on meanwhile.
COLOURS_OF_PHASES = [shared.COLOURS[i] for i in (5, 0, 3)]

np = matplotlib = plt = None


def begin():
    global np, matplotlib, plt
    np, matplotlib = shared.need()
    import matplotlib.pyplot
    plt = matplotlib.pyplot
    trees.begin()
    matplotlib.rcParams.update({
        "font.size": 10.5, "font.family": "sans-serif",
        "axes.titlesize": 10.5, "axes.labelsize": 10.5,
        "xtick.labelsize": 9.5, "ytick.labelsize": 9.5,
        "legend.fontsize": 9.5, "legend.frameon": False,
        "axes.spines.top": False, "axes.spines.right": False,
        "axes.linewidth": 0.7, "xtick.major.width": 0.7,
        "ytick.major.width": 0.7, "xtick.major.size": 3,
        "ytick.major.size": 3, "lines.solid_joinstyle": "round",
        "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK,
        "xtick.color": INK, "ytick.color": INK, "axes.facecolor": "none",
        "figure.facecolor": GROUND, "savefig.facecolor": GROUND,
        "svg.fonttype": "none", "svg.hashsalt": "bosc",
        "figure.constrained_layout.w_pad": 3 / 72,
        "figure.constrained_layout.h_pad": 3 / 72, "agg.path.chunksize": 20000})


class Figure:
    """A name for files, the caption and the text instead of the picture, and
    how it is drawn: draw(width) gives a figure of matplotlib."""

    def __init__(self, name, title, caption, alt, draw, wide=False):
        self.name, self.title = re.sub(r"[^\w-]", "_", name, flags=re.A), title
        self.caption, self.alt = caption, alt
        self.draw, self.wide = draw, wide

    def render(self):
        """The files {ending: bytes}, and the pictures [(class, svg)] for the
        page."""
        files, pictures = {}, []
        for width in ([WIDE, NARROW] if self.wide else [NARROW]):
            figure = self.draw(width)
            svg = as_svg(figure)
            if width == WIDE or not self.wide:
                png = io.BytesIO()
                figure.savefig(png, dpi=160)
                files = {".svg": svg.encode(), ".png": png.getvalue()}
            kind = ("wide" if width == WIDE else
                    "narrow" if self.wide else "both")
            pictures.append((kind, for_page(
                svg, f"{self.name}-{kind}", self.alt)))
            plt.close(figure)
        return files, pictures


def as_svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", dpi=200, metadata={
        "Date": None, "Creator": None, "Format": None, "Type": None})
    return out.getvalue()


def for_page(svg, prefix, alt):
    """The picture without what only a file needs, in the page's colours, and
    with names that no other picture on the page has."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.S)
    svg = svg.replace("xlink:href", "href")
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}-{m[1]}"'
                 if m[1] in used else "", svg)
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", svg)
    svg = svg.replace(INK, "currentColor").replace(GROUND, "none")
    for i, colour in enumerate(shared.COLOURS):
        svg = svg.replace(colour, f"var(--c{i})")
    svg = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", svg)
    view = re.search(r'viewBox="([^"]+)"', svg)[1]
    svg = re.sub(r"<svg\b[^>]*>",
                 f'<svg viewBox="{view}" role="img" '
                 f'aria-label="{attribute(alt)}">', svg, count=1)
    return re.sub(r"\n\s*", "\n", svg).strip()


def attribute(text):
    return (text.replace("&", "&amp;").replace('"', "&quot;")
            .replace("<", "&lt;").replace(">", "&gt;"))


def number(x, digits=3):
    return f"{x:.{digits}g}".replace("-", MINUS)


def blank(width, height, rows=1, columns=1, **more):
    return plt.subplots(
        rows, columns, figsize=(width / 72, height / 72), squeeze=False,
        constrained_layout=True, **more)


# ---------------------------------------------------------------- the data

class Run:
    """What several figures need."""

    def __init__(self, results):
        self.results = results
        self.time = results.read("spike_time")
        self.gid = results.read("spike_gid")
        self.of_neuron = results.read("neuron_population")
        self.n = len(self.of_neuron)
        self.end = results.end()
        self.names = [str(s) for s in results.read("population_name")]
        # members of a sweep have populations of the same names
        self.groups = list(dict.fromkeys(self.names))
        place = {name: i for i, name in enumerate(self.groups)}
        self.group_of = np.array([place[s] for s in self.names] or [0])
        self.neuron_group = (self.group_of[self.of_neuron] if self.n
                             else np.zeros(0, int))
        self.group_size = np.bincount(self.neuron_group,
                                      minlength=len(self.groups))
        self.size = np.bincount(self.of_neuron, minlength=len(self.names))
        self.first = np.cumsum(self.size) - self.size  # gid, of each population
        self.labels = shared.Labels(results)
        known = self.gid < self.n
        self.spike_group = self.neuron_group[np.where(known, self.gid, 0)] \
            if self.n else np.zeros(0, int)

    def rates(self):
        """Hz, of each population: the file's, or of the time reached."""
        if "population_rate" in self.results:
            return self.results.read("population_rate").astype(float)
        fired = np.bincount(self.of_neuron[self.gid],
                            minlength=len(self.names)) if self.n else 0
        with np.errstate(all="ignore"):
            return np.nan_to_num(fired / self.size / self.end * 1000)

    def neuron_rates(self):
        """Hz, of each neuron; their means are those of populations."""
        fired = np.bincount(self.gid, minlength=self.n)[:self.n]
        total = np.bincount(self.of_neuron, fired, minlength=len(self.names))
        with np.errstate(all="ignore"):
            scale = np.nan_to_num(self.rates() * self.size / total)
        return fired * scale[self.of_neuron]

    def intervals(self):
        """ms between the spikes of a neuron, and the neuron."""
        order = np.lexsort((self.time, self.gid))
        gid, time = self.gid[order], self.time[order]
        same = gid[1:] == gid[:-1]
        return np.diff(time)[same], gid[1:][same]


# ------------------------------------------------------------------ spikes

def raster_image(run, columns, rows):
    """Counts of spikes in cells, as a picture [rows][columns] of RGBA."""
    picture = np.zeros((rows, columns, 4), np.uint8)
    total = np.zeros((rows, columns))
    most = np.zeros((rows, columns))
    at = np.minimum((run.time / run.end * columns).astype(int), columns - 1)
    row = np.minimum((run.gid * rows) // run.n, rows - 1)
    for g in range(len(run.groups)):
        mine = run.spike_group == g
        if not mine.any():
            continue
        count = np.bincount(row[mine] * columns + at[mine],
                            minlength=rows * columns).reshape(rows, columns)
        total += count
        here = count > most
        most = np.maximum(most, count)
        rgb = matplotlib.colors.to_rgb(colour_of(g))
        picture[here, :3] = np.round(np.array(rgb) * 255)
    usual = np.percentile(total[total > 0], 90)
    strength = np.minimum(total / max(usual, 1), 1) ** 0.7
    picture[..., 3] = np.where(total > 0, 60 + 195 * strength, 0)
    return picture


def draw_raster(run, width):
    figure, axes = blank(width, 330 if width == WIDE else 320, 2, sharex=True,
                         gridspec_kw={"height_ratios": [3, 1]})
    upper, lower = axes[:, 0]
    if len(run.time) > MANY_SPIKES:
        rows = min(run.n, 400)
        upper.imshow(raster_image(run, 2 * width, rows), origin="lower",
                     extent=(0, run.end, -0.5, run.n - 0.5), aspect="auto",
                     interpolation="nearest")
    else:
        tall = 200 / (run.n + 1)
        for g in range(len(run.groups)):
            mine = run.spike_group == g
            look = ({"marker": "|", "mew": 1.1, "ms": min(11, max(3, tall))}
                    if run.n <= 120 else
                    {"marker": ".", "mew": 0, "ms": 2.6})
            upper.plot(run.time[mine], run.gid[mine], ls="", **look,
                       color=colour_of(g), rasterized=len(run.time) > 3000)
    margin = 0.5 + 0.01 * run.n
    upper.set_ylim(-margin, run.n - 1 + margin)
    upper.set_ylabel("neuron")
    upper.yaxis.set_major_locator(
        matplotlib.ticker.FixedLocator(range(run.n)) if run.n <= 5 else
        matplotlib.ticker.MaxNLocator(5, integer=True))
    upper.yaxis.set_major_formatter(
        matplotlib.ticker.FuncFormatter(lambda v, _: f"{v:,.0f}"))
    upper.tick_params(bottom=False)
    upper.spines["bottom"].set_visible(False)
    draw_rates_in_time(run, lower, 120 if width == WIDE else 60)
    name_members(run, upper, width)
    lower.set_xlim(0, run.end)
    lower.set_xlabel("time (ms)")
    name_groups(run, upper, width)
    return figure


def draw_rates_in_time(run, axes, bins):
    edges = np.linspace(0, run.end, bins + 1)
    for g in choose(range(len(run.groups)), MOST_GROUPS):
        count, _ = np.histogram(run.time[run.spike_group == g], edges)
        with np.errstate(all="ignore"):
            rate = np.nan_to_num(count / run.group_size[g] /
                                 (edges[1] - edges[0]) * 1000)
        axes.stairs(rate, edges, baseline=None, color=colour_of(g), lw=1.1)
    axes.set_ylim(0, None)
    axes.set_ylabel("rate (Hz)")
    axes.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(2))


def name_groups(run, axes, width):
    if not 1 < len(run.groups) <= 8:
        return
    handles = [matplotlib.lines.Line2D([], [], ls="", marker="s", ms=6, mew=0,
                                       color=colour_of(g), label=name)
               for g, name in enumerate(run.groups)]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.01, 1),
                ncol=3 if width == NARROW else 6, borderpad=0,
                borderaxespad=0.2, handletextpad=0.1, columnspacing=1.2)


def name_members(run, axes, width):
    """Beside the neurons of each of a few members: its name."""
    names, of = run.labels.members, run.labels.member
    if not 1 < len(names) <= MOST_MEMBERS:
        return
    for m, name in enumerate(names):
        mine = np.flatnonzero(of == m)
        if not len(mine):
            continue
        if mine[0] > 0:
            axes.axhline(mine[0] - 0.5, color=INK, alpha=0.25, lw=0.6)
        axes.annotate(cut(name, 30 if width == WIDE else 14),
                      (1, mine.mean()), xytext=(6, 0), fontsize=8.5,
                      xycoords=axes.get_yaxis_transform(), va="center",
                      textcoords="offset points", annotation_clip=False)


def raster(run):
    n = len(run.time)
    caption = (f"Above, the spikes of all {run.n:,} neurons; below, the mean "
               "rate of each population" +
               (", of all members." if run.labels.members else "."))
    if n > MANY_SPIKES:
        caption += (f" The {n:,} spikes are drawn as counts in cells: the "
                    "stronger the colour, the more spikes.")
    if len(run.groups) > MOST_GROUPS:
        caption += (f" Rates are of {MOST_GROUPS} of the {len(run.groups)} "
                    "populations.")
    return Figure("raster", "Spikes", caption,
                  f"Raster of {n:,} spikes of {run.n:,} neurons over "
                  f"{number(run.end, 6)} ms, with the rates of populations "
                  "in time", lambda width: draw_raster(run, width), wide=True)


def draw_bars(width, names, values, colours, label, digits=3):
    figure, axes = blank(width, 52 + 24 * len(names))
    axes = axes[0, 0]
    at = np.arange(len(names))
    axes.barh(at, values, height=0.62, color=colours)
    for y, value in zip(at, values):
        axes.annotate(number(value, digits), (max(value, 0), y), xytext=(4, 0),
                      textcoords="offset points", va="center", fontsize=9.5)
    axes.set_yticks(at, names)
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    axes.margins(x=0.16)
    axes.set_xlim(0, None)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(label)
    return figure


def rates(run):
    size = np.bincount(run.of_neuron, minlength=len(run.names))
    total = np.bincount(run.group_of, run.rates() * size,
                        minlength=len(run.groups))
    with np.errstate(all="ignore"):
        mean = np.nan_to_num(total / run.group_size)
    shown = choose(range(len(run.groups)), MOST_GROUPS)
    caption = "Mean rate of the neurons of each population."
    if len(shown) < len(run.groups):
        caption += f" {len(shown)} of {len(run.groups)} populations are shown."
    return Figure(
        "rates", "Rates", caption,
        "Mean rates: " + ", ".join(f"{run.groups[g]} {number(mean[g])} Hz"
                                   for g in shown),
        lambda width: draw_bars(width, [cut(run.groups[g]) for g in shown],
                                mean[shown], [colour_of(g) for g in shown],
                                "mean rate (Hz)"))


def intervals(run):
    spans, gid = run.intervals()
    positive = spans > 0
    spans, gid = spans[positive], gid[positive]
    if len(spans) < 2:
        return None
    low, high = spans.min(), spans.max()
    edges = np.geomspace(low * 0.999, max(high, low * 1.1) * 1.001, 41)
    shown = choose(range(len(run.groups)), 6)

    def draw(width):
        figure, axes = blank(width, 240)
        axes = axes[0, 0]
        for g in shown:
            mine = spans[run.neuron_group[gid] == g]
            if len(mine) > 0:
                count, _ = np.histogram(mine, edges)
                axes.stairs(count / len(spans) * 100, edges, lw=1.2,
                            color=colour_of(g))
                axes.stairs(count / len(spans) * 100, edges, fill=True,
                            alpha=0.18, color=colour_of(g))
        axes.set_xscale("log")
        for axis in (axes.xaxis,):
            axis.set_major_formatter(
                matplotlib.ticker.FuncFormatter(lambda v, _: f"{v:g}"))
            axis.set_minor_formatter(matplotlib.ticker.NullFormatter())
        if high < 12 * low:
            axes.xaxis.set_major_locator(
                matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axes.set_ylim(0, None)
        axes.set_xlabel("interval between spikes (ms)")
        axes.set_ylabel("share (%)")
        name_groups(run, axes, width)
        return figure

    colours = ", in the colours of the populations" \
        if len(run.groups) > 1 else ""
    median, cv = np.median(spans), spans.std() / spans.mean()
    caption = (f"{len(spans):,} intervals between spikes of one neuron"
               f"{colours}; median {number(median)} ms, "
               f"coefficient of variation {number(cv)}.")
    if len(shown) < len(run.groups):
        caption += f" {len(shown)} of {len(run.groups)} populations are shown."
    return Figure("intervals", "Interspike intervals", caption,
                  f"Histogram of {len(spans):,} interspike intervals, median "
                  f"{number(median)} ms", draw)


# ----------------------------------------------------------------- voltages

def thin(time, values, most):
    """The lowest and highest of equal numbers of values, in order: peaks stay.
    """
    if len(time) <= most:
        return time, values
    per = -(-2 * len(time) // most)
    full = len(time) // per * per
    parts = values[:full].reshape(-1, per)
    first = np.arange(0, full, per)
    at = np.sort(np.stack([first + parts.argmin(1), first + parts.argmax(1)]),
                 axis=0).T.ravel()
    at = np.concatenate([at, np.arange(full, len(time))])
    return time[at], values[at]


def draw_traces(traces, end, rest, width):
    step = 1.12 * max([np.ptp(v) for _, _, _, v in traces] + [10])
    figure, axes = blank(width, 46 + 52 * max(len(traces), 2))
    axes = axes[0, 0]
    for row, (label, group, time, voltage) in enumerate(traces):
        base = -row * step
        axes.axhline(base, color=INK, alpha=0.2, lw=0.7, zorder=0)
        x, y = thin(time, voltage, 3 * width)
        axes.plot(x, y - rest + base, color=colour_of(group), lw=0.9)
    axes.set_yticks([-row * step for row in range(len(traces))],
                    [shared.wrap(label, 30 if width == WIDE else 19, 4)
                     for label, _, _, _ in traces])
    for tick, (_, group, _, _) in zip(axes.get_yticklabels(), traces):
        tick.set_color(colour_of(group))
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    length = next(s for s in (100, 50, 20, 10, 5, 2, 1)
                  if s <= 0.8 * step or s == 1)
    at = axes.get_yaxis_transform()
    axes.plot([1.012] * 2, [0, length], transform=at, color=INK, lw=1.6,
              clip_on=False, solid_capstyle="butt")
    axes.text(1.022, length / 2, f"{length} mV", transform=at, va="center",
              rotation=90, fontsize=9.5)
    axes.set_xlim(0, end if end > 0 else None)
    axes.set_xlabel("time (ms)")
    return figure


def traces(run, name):
    """Voltages of a probe set, at the somata where it has them."""
    results = run.results
    column = somatic_columns(results, name)
    if not column or results.shape(f"time_{name}")[0] == 0:
        return None
    time = results.read(f"time_{name}")
    rate = run.neuron_rates()
    lines, lost = [], 0
    for gid in shared.choose_neurons(results, column, MOST_TRACES):
        voltage = results.read(f"{name}_v", (slice(None), column[gid]))
        fine = np.isfinite(voltage)
        lost += (~fine).sum()
        section = str(results.sections(name, column[gid]))
        label = [f"neuron {gid:,}, {number(rate[gid])} Hz"]
        if not section.startswith("soma"):
            label.append(section)
        if fine.any():
            lines.append((label + run.labels.lines(gid), run.neuron_group[gid],
                          time[fine], voltage[fine]))
    rest = float(results.attributes.get("v_init_mV", -65))
    of_rates = (", from the lowest to the highest rate"
                if 1 < len(lines) < len(column) else "")
    caption = (f"Membrane voltage of {len(lines)} of {len(column):,} recorded "
               f"neurons (probe {name}){of_rates}; grey lines are at {number(rest)} mV.")
    if lost:
        caption += (f" {lost:,} of their values are no finite numbers, and "
                    "are left out.")
    if not lines:
        return None
    return Figure(f"traces-{name}", "Voltages", caption,
                  "Voltage traces of " + "; ".join(
                      ", ".join(line[0]) for line in lines),
                  lambda width: draw_traces(lines, run.end, rest, width),
                  wide=True)


# -------------------------------------------------------------- morphologies

def moments(results, name, column):
    """Frames to be shown: while a column rises to its highest voltage, there,
    while it falls, and after that."""
    if results.shape(f"time_{name}")[0] < 1:
        return []
    voltage = results.read(f"{name}_v", (slice(None), column))
    fine = np.isfinite(voltage)
    if not fine.any():
        return []
    voltage = np.where(fine, voltage, voltage[fine].min())
    peak, last = int(voltage.argmax()), len(voltage) - 1
    rest, high = voltage[0], voltage[peak]
    below = voltage < (rest + high) / 2
    over = voltage[peak:] < rest + 0.1 * (high - rest)
    before = np.flatnonzero(below[:peak])
    after = np.flatnonzero(below[peak:])
    frames = {int(before[-1]) if len(before) else 0, peak,
              peak + int(after[0]) if len(after) else last,
              peak + int(over.argmax()) if over.any() else last}
    return sorted(frames)[:MOMENTS]


def draw_tree(cell, shots, limits, width):
    tree = (trees.Shape(cell, whole=True) if cell.is_placed() else
            trees.Dendrogram(cell))
    columns = min(len(shots), MOMENTS if width == WIDE else 2)
    rows = -(-len(shots) // columns)
    each = (width - 60) / columns
    height = float(np.clip(each * tree.size[1] / tree.size[0], 80, 300))
    figure, axes = blank(width, rows * (height + 26) + 18, rows, columns)
    colours = matplotlib.colors.LinearSegmentedColormap.from_list(
        "voltages", trees.COLOURS)
    points = min(each / tree.size[0], height / tree.size[1])
    for i, (time, voltage) in enumerate(shots):
        panel, fine = axes[i // columns, i % columns], np.isfinite(voltage)
        shades = colours(limits(np.where(fine, voltage, 0)))
        shades[~fine] = matplotlib.colors.to_rgba(trees.NONE)
        tree.draw(panel, shades, points, len(voltage) > MOST_SEGMENTS)
        panel.set_title(f"{number(time, 5)} ms", pad=3)
    for panel in axes.ravel()[len(shots):]:
        panel.axis("off")
    if cell.is_placed():
        trees.scale_bar(axes[-1, 0], tree.size[0])
    bar = figure.colorbar(
        matplotlib.cm.ScalarMappable(limits, colours), ax=axes, pad=0.01,
        aspect=26 if width == WIDE else 34, fraction=0.04,
        shrink=0.85)
    bar.outline.set_visible(False)
    bar.ax.set_title("mV", pad=5)
    bar.ax.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(5))
    bar.solids.set_rasterized(True)
    return figure


def morphologies(run, name):
    results = run.results
    found = trees.recorded(results, name)
    column = somatic_columns(results, name) if found else {}
    figures = []
    for gid, first, end in choose(found, MOST_TREES):
        frames = moments(results, name, column[gid])
        cell = trees.cell_of_result(results, name, gid, first, end)
        if not frames or not (cell.parent >= 0).any():
            continue
        time = results.read(f"time_{name}")
        shots = [(float(time[f]), results.read(f"{name}_v",
                                               (f, slice(first, end))))
                 for f in frames]
        every = np.concatenate([v[np.isfinite(v)] for _, v in shots])
        if not len(every):
            continue
        low, high = np.floor(every.min()), np.ceil(every.max())
        limits = matplotlib.colors.Normalize(low, max(high, low + 1))
        times = ", ".join(number(t, 5) for t, _ in shots)
        own = "".join(f", {line}" for line in run.labels.lines(gid))
        caption = (f"Neuron {gid:,}, {end - first:,} compartments, before, at "
                   "and after the highest voltage that was recorded of its "
                   f"soma (probe {name}{own}).")
        figures.append(Figure(
            f"morphology-{name}-{gid}",
            "Voltage on the morphology", caption,
            f"Neuron {gid:,} coloured by voltage at {times} ms, from "
            f"{number(low)} to {number(high)} mV",
            lambda width, cell=cell, shots=shots, limits=limits:
            draw_tree(cell, shots, limits, width), wide=True))
    return figures


# ----------------------------------------------------------------- gradients

def gradient(cell, name):
    """A number of the job that varies, of one neuron."""
    unit, values = cell.numbers[name]
    values = values[np.isfinite(values)]
    of = f"{name} ({unit})" if unit else name
    text = "; ".join(f"{region}: {what}" for region, what in cell.varies[name])
    file = f", {cell.more}" if cell.more else ""

    def draw(width):
        figure, axes = blank(width, 230)
        trees.draw_gradient(axes[0, 0], cell, name)
        return figure

    return Figure(
        f"gradient-{cell.population}-{name}", name,
        f"In {len(values):,} compartments of neuron {cell.neuron} (population "
        f"{cell.population}{file}), coloured by region. {text}",
        f"{of} of neuron {cell.neuron} against path distance from the soma, "
        f"from {number(values.min(), 6)} to {number(values.max(), 6)}", draw)


# ---------------------------------------------------------------- the machine

def phases(results):
    """Names, seconds [ranks][phases] and what was expected of them."""
    names = [str(s) for s in results.read("phase_name")]
    seconds = results.read("rank_seconds").astype(float)
    expected = (results.read("rank_expected_seconds").astype(float)
                if "rank_expected_seconds" in results
                else np.full_like(seconds, np.nan))
    return names, seconds, expected


def seconds_text(s):
    for unit, size in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if s >= size:
            return f"{number(s / size)} {unit}"
    return f"{number(s * 1e6)} \N{MICRO SIGN}s" if s > 0 else "0 s"


def scaled(most):
    """The unit of an axis of seconds up to 'most'."""
    return next(((unit, size) for unit, size in
                 (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3))
                 if most >= 2 * size), ("ms", 1e-3))


def time_per_phase(results):
    names, seconds, _ = phases(results)
    mean, most = seconds.mean(0), seconds.max(0)
    unit, size = scaled(most.max() if len(most) else 0)
    part_of = {"connect": 1, "integrate": 1, "wait": 1, "gather": 1,
               "synchronise": 1}

    def draw(width):
        figure, axes = blank(width, 46 + 22 * len(names))
        axes = axes[0, 0]
        at = np.arange(len(names))
        colours = [COLOURS_OF_PHASES[2 if n in ("distribute", "write") else
                                     part_of.get(n, 0)] for n in names]
        axes.barh(at, mean / size, height=0.62, color=colours)
        axes.hlines(at, mean / size, most / size, color=INK, lw=0.9)
        axes.plot(most / size, at, "|", color=INK, ms=6, mew=0.9)
        axes.set_yticks(at, [("  " if n in part_of else "") + n
                             for n in names])
        for y, value in zip(at, mean):
            axes.annotate(seconds_text(value), (most[y] / size, y),
                          xytext=(5, 0), textcoords="offset points",
                          va="center", fontsize=9.5)
        axes.tick_params(left=False)
        axes.spines["left"].set_visible(False)
        axes.margins(x=0.2)
        axes.set_xlim(0, None)
        axes.invert_yaxis()
        axes.set_xlabel(f"time ({unit})")
        return figure

    return Figure(
        "phases", "Time per phase",
        "Mean over the ranks; a line goes to the slowest rank. Read, divide, "
        "pack and loop follow one another; connect is part of pack; integrate, "
        "wait, gather and synchronise are parts of loop; distribute and write "
        "go on meanwhile.",
        "Time of each phase: " + ", ".join(
            f"{n} {seconds_text(s)}" for n, s in zip(names, mean)), draw)




def load_balance(results):
    names, seconds, _ = phases(results)
    spent = seconds[:, names.index("integrate")]
    n = len(spent)
    mean = spent.mean()
    unit, size = scaled(spent.max())
    balance = spent.max() / mean if mean > 0 else 1.0

    def draw(width):
        figure, axes = blank(width, 230)
        axes = axes[0, 0]
        if n <= MOST_RANKS:
            axes.bar(range(n), spent / size, width=min(0.8, 0.15 * n + 0.2),
                     color=COLOURS_OF_PHASES[1])
            axes.set_xlim(-0.8, n - 0.2)
            axes.xaxis.set_major_locator(
                matplotlib.ticker.FixedLocator(range(n)) if n <= 8 else
                matplotlib.ticker.MaxNLocator(8, integer=True))
        else:
            axes.fill_between(range(n), spent / size, step="mid", lw=0,
                              color=COLOURS_OF_PHASES[1])
            axes.set_xlim(0, n - 1)
        axes.axhline(mean / size, color=INK, lw=0.9, ls=(0, (4, 3)))
        axes.set_ylim(0, None)
        axes.set_xlabel("rank")
        axes.set_ylabel(f"integrate ({unit})")
        return figure

    return Figure(
        "balance", "Load balance",
        f"Time that each of {shared.plural(n, 'rank')} spent in time steps; "
        f"the dashed line is the mean. The slowest takes {number(balance, 4)} "
        "times the mean.",
        f"Integration time of {shared.plural(n, 'rank')}; the slowest takes "
        f"{number(balance, 4)} times the mean", draw)


def expected(results):
    """Measured against expected: the mean over ranks of each phase that was
    foreseen."""
    names, seconds, foreseen = phases(results)
    known = [i for i in range(len(names))
             if np.isfinite(foreseen[:, i]).all() and len(foreseen) and
             foreseen[:, i].mean() > 0 and seconds[:, i].mean() > 0]
    if not known:
        return None
    measured, guess = seconds[:, known].mean(0), foreseen[:, known].mean(0)

    def draw(width):
        figure, axes = blank(width, 60 + 26 * max(len(known), 2))
        axes = axes[0, 0]
        at = np.arange(len(known))
        axes.hlines(at, guess, measured, color=INK, alpha=0.4, lw=1.4)
        axes.plot(guess, at, "o", ms=7, mew=1.4, mfc=GROUND, ls="",
                  color=COLOURS_OF_PHASES[2], label="expected")
        axes.plot(measured, at, "o", ms=7, mew=0, ls="",
                  color=COLOURS_OF_PHASES[1], label="measured")
        axes.set_xscale("log")
        both = np.r_[measured, guess]
        axes.set_xlim(both.min() / 2.5, both.max() * 2.5)
        axes.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(
            lambda v, _: seconds_text(v)))
        axes.xaxis.set_major_locator(matplotlib.ticker.LogLocator(numticks=5))
        axes.set_ylim(len(known) - 0.4, -0.6)
        axes.set_yticks(at, [names[i] for i in known])
        axes.tick_params(left=False)
        axes.spines["left"].set_visible(False)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=2,
                    borderpad=0, borderaxespad=0.3, columnspacing=1.2,
                    handletextpad=0.1)
        return figure

    words = [f"{names[i]}: expected {seconds_text(g)}, measured "
             f"{seconds_text(m)}" for i, g, m in zip(known, guess, measured)]
    costs = results.attributes.get("costs", "")
    caption = "Means over the ranks, of phases with an estimate"
    return Figure("expected", "Expected and measured",
                  caption + (" (default cost model)."
                             if costs == "built-in numbers" else
                             f" (cost model: {costs})." if costs else "."),
                  "; ".join(words), draw)
