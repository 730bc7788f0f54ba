"""sweeps.py - the figures of report-run about the members of a sweep."""
import figures as fig
import results as shared
import trees
from figures import INK, Figure, blank, number
from results import choose, colour_of, cut

np = matplotlib = None

MOST_CELLS = 100    # of a population that get curves of their own
MOST_CLOUDS = 12    # of a population that get points of their own
MOST_NAMED = 12     # curves in a legend
MOST_CURVES = 200   # in a figure
MOST_MEMBERS = 16   # with a row of their own
MOST_COLOURS = len(shared.COLOURS)
DASHES = ["-", "--", ":", "-."]
MARKERS = "osD^v<>"


def begin():
    global np, matplotlib
    np, matplotlib = fig.np, fig.matplotlib


# ---------------------------------------------------------------- the data

class Key:
    """A swept key: its variable in the file, and its value of each member."""

    def __init__(self, results, variable):
        self.variable, self.values = variable, results.read(variable)
        self.is_number = self.values.dtype.kind in "iuf"
        self.name = variable[len("sweep_"):].replace("_", " ")
        unit = results.attribute(variable, "units")
        self.unit = unit if unit not in ("", "1") else ""

    def words(self):
        """As the label of an axis."""
        return self.name + (f" ({self.unit})" if self.unit else "")

    def of(self, value):
        """'amplitude 0.3 nA'"""
        if not self.is_number:
            return f"{self.name} {value}"
        shown = value if isinstance(value, np.integer) else number(value, 4)
        return f"{self.name} {shown} {self.unit}".strip()


def swept(results):
    """The keys with more than one value."""
    if "population_member" not in results:
        return []
    keys = [Key(results, n) for n in results.names if n.startswith("sweep_")]
    return [k for k in keys if len(np.unique(k.values)) > 1]


class Curve:
    """Rates against the values of a key, in their order: of one cell of a
    population, or the mean of all with the lowest and the highest; and the
    values of the other keys, None where rates do not depend on them."""

    def __init__(self, group, cell, others, points):
        self.group, self.cell, self.others = group, cell, others
        self.shades = None  # of points: the values of one other key
        self.x, self.y, self.low, self.high = np.array(sorted(points)).T

    def same(self, other):
        return np.array_equal(self.x, other.x) and \
            np.array_equal(self.y, other.y)


def drop_others(curves):
    """One curve for all that are the same whatever the other keys are."""
    alike = {}
    for curve in curves:
        alike.setdefault((curve.group, curve.cell), []).append(curve)
    kept = []
    for parts in alike.values():
        if len(parts) > 1 and all(c.same(parts[0]) for c in parts):
            parts = parts[:1]
            parts[0].others = None
        kept += parts
    return kept


class Curves:
    """All of one key."""

    def __init__(self, run, key, others):
        self.run, self.key, self.others = run, key, others
        # drawn values: hardly any two members differ in this key alone
        n = len(key.values)
        self.is_scatter = bool(others) and \
            1 < n < 1.5 * len(set(zip(*(k.values.tolist() for k in others))))
        self.all = [c for group in range(len(run.groups))
                    for c in self.of_group(group)]
        self.flat = []  # names of populations that do not depend on the key
        if self.is_scatter:
            self.join()
        else:
            self.all = drop_others(self.all)
            self.drop_flat()
        self.shown = choose(self.all, MOST_CURVES)

    def drop_flat(self):
        """Without populations whose rates do not depend on the key, where those
        of others do."""
        steep = {c.group for c in self.all if np.ptp(c.y) > 0}
        flat = {c.group for c in self.all} - steep
        if steep and flat:
            self.flat = [self.run.groups[g] for g in sorted(flat)]
            self.all = [c for c in self.all if c.group in steep]

    def of_group(self, group):
        """From the rows of population_name to curves."""
        run, member = self.run, self.run.results.read("population_member")
        rows = [p for p in np.flatnonzero(run.group_of == group)
                if 0 <= member[p] < len(self.key.values) and run.size[p] > 0]
        rate = run.neuron_rates()
        parts = [rate[run.first[p]:run.first[p] + run.size[p]] for p in rows]
        alike = all(len(r) == 0 or r.min() == r.max() for r in parts)
        most = MOST_CLOUDS if self.is_scatter else MOST_CELLS
        many = any(len(r) > most for r in parts)
        points = {}
        for p, own in zip(rows, parts):
            x = float(self.key.values[member[p]])
            label = tuple(k.values[member[p]] for k in self.others)
            if alike or many:
                points.setdefault((label, None), []).append(
                    (x, own.mean(), own.min(), own.max()))
            else:
                for cell, y in enumerate(own):
                    points.setdefault((label, cell), []).append((x, y, y, y))
        return [Curve(group, cell, label, points[label, cell])
                for label, cell in points]

    def join(self):
        """No two members differ in this key alone: points, not lines."""
        joined = {}
        for curve in self.all:
            joined.setdefault((curve.group, curve.cell), []).append(curve)
        self.all = []
        for (group, cell), parts in joined.items():
            points = [(*p, c.others) for c in parts
                      for p in zip(c.x, c.y, c.low, c.high)]
            points.sort(key=lambda p: p[:4])
            self.all.append(Curve(group, cell, None, [p[:4] for p in points]))
            if len(self.others) == 1 and self.others[0].is_number:
                self.all[-1].shades = [p[4][0] for p in points]

    def name_of_cell(self, curve):
        """Its number in the population, and its file."""
        p = int(np.flatnonzero(self.run.group_of == curve.group)[0])
        file = self.run.labels.file_of(int(self.run.first[p]) + curve.cell)
        return f"cell {curve.cell}" + (f", {cut(file)}" if file else "")

    def label_parts(self, curve):
        """What tells the curve from others: population, cell, other keys."""
        cells = {c.cell for c in self.all if c.group == curve.group}
        return (self.run.groups[curve.group] if len(self.run.groups) > 1 else "",
                self.name_of_cell(curve) if len(cells) > 1 else "",
                ", ".join(k.of(v) for k, v in
                          zip(self.others, curve.others or ())))


# --------------------------------------------------------------- the curves

class Look:
    """Colours by the first of population, cell and other keys that differs, and
    dashes by the others."""

    def __init__(self, curves):
        parts = [curves.label_parts(c) for c in curves.shown]
        by = next((i for i in range(3) if len({p[i] for p in parts}) > 1), 0)
        self.hues = list(dict.fromkeys(p[by] for p in parts))
        rests = list(dict.fromkeys(p[:by] + p[by + 1:] for p in parts))
        self.hue = [self.hues.index(p[by]) for p in parts]
        self.dash = [rests.index(p[:by] + p[by + 1:]) for p in parts]
        if by > 0 and len(parts) <= MOST_COLOURS:
            self.hue, self.dash = range(len(parts)), [0] * len(parts)
        elif len(parts) > MOST_NAMED:
            self.dash = [0] * len(parts)
        self.labels = [", ".join(x for x in p if x) for p in parts]
        # many values of one other key: shades of it
        self.is_shaded = (by == 2 and len(self.hues) > MOST_COLOURS and
                          len(curves.others) == 1 and
                          curves.others[0].is_number)
        self.has_legend = 1 < len(self.labels) <= MOST_NAMED and \
            not self.is_shaded
        self.has_hues = not self.has_legend and not self.is_shaded and \
            1 < len(self.hues) <= MOST_COLOURS

    def entries(self):
        """[(label, colour, dash)] of the legend."""
        if self.has_legend:
            return list(zip(self.labels, self.hue, self.dash))
        return [(hue, i, 0) for i, hue in enumerate(self.hues)] \
            if self.has_hues else []


def shades():
    return matplotlib.colors.LinearSegmentedColormap.from_list(
        "shades", trees.COLOURS)


def add_legend(axes, look, is_scatter):
    entries = look.entries()
    if not entries:
        return
    handles = [matplotlib.lines.Line2D(
        [], [], color=colour_of(hue), ms=4.5, mew=0,
        marker="o" if is_scatter else MARKERS[dash % len(MARKERS)],
        ls="none" if is_scatter else DASHES[dash % len(DASHES)],
        label=label) for label, hue, dash in entries]
    longest = max(len(label) for label, _, _ in entries)
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.02, 1),
                ncol=columns_of(longest), borderpad=0, borderaxespad=0.5,
                handlelength=2, handletextpad=0.4, columnspacing=1.2)


def columns_of(longest):
    return 3 if longest <= 10 else 2 if longest <= 22 else 1


def draw_curves(curves, width):
    look = Look(curves)
    longest = max([len(e[0]) for e in look.entries()], default=0)
    rows = -(-len(look.entries()) // columns_of(longest))
    figure, axes = blank(width, 240 + 13 * rows)
    axes, many = axes[0, 0], len(curves.shown) > MOST_NAMED
    scale = None
    if look.is_shaded:
        values = [c.others[0] for c in curves.shown]
        scale = matplotlib.cm.ScalarMappable(
            matplotlib.colors.Normalize(min(values), max(values)), shades())
    for curve, hue, dash in zip(curves.shown, look.hue, look.dash):
        colour = (scale.to_rgba(curve.others[0]) if look.is_shaded else
                  colour_of(hue))
        if curves.is_scatter:
            found = draw_points(axes, curve, colour,
                                len(curves.shown) == 1)
            scale = scale or found
            continue
        few = len(curve.x) <= 40 and not many
        axes.plot(curve.x, curve.y, color=colour, lw=0.8 if many else 1.4,
                  alpha=0.7 if many else 1, ls=DASHES[dash % len(DASHES)], clip_on=False, ms=4.5, mew=0,
                  marker=MARKERS[dash % len(MARKERS)]
                  if few or len(curve.x) == 1 else "")
        if (curve.high > curve.low).any() and not many:
            axes.fill_between(curve.x, curve.low, curve.high, color=colour,
                              alpha=0.15, lw=0)
    if scale is not None:
        bar = figure.colorbar(scale, ax=axes, pad=0.02, aspect=26, fraction=0.05)
        bar.outline.set_visible(False)
        bar.set_label(curves.others[0].words())
        bar.solids.set_rasterized(True)
    add_legend(axes, look, curves.is_scatter)
    axes.set_ylim(0, None)
    axes.set_xlabel(curves.key.words())
    axes.set_ylabel("mean rate (Hz)")
    return figure


def draw_points(axes, curve, colour, is_alone):
    """All of them; the colours of one other key where there is one."""
    n = len(curve.x)
    look = {"s": 22 if n <= 60 else 9 if n <= 600 else 4, "lw": 0,
            "alpha": 1 if n <= 60 else 0.7, "rasterized": n > 1500,
            "clip_on": False}
    if curve.shades is not None and is_alone:
        return axes.scatter(curve.x, curve.y, c=curve.shades, cmap=shades(),
                            **look)
    axes.scatter(curve.x, curve.y, color=colour, **look)
    return None


def independent(curves, others):
    """Of which keys the rates of which populations do not depend."""
    words = ""
    names = [curves.run.groups[c.group] for c in curves.all if c.others is None]
    if names and others and not curves.is_scatter:
        names = list(dict.fromkeys(names))
        words += (f" Rates of {shared.shorten(names)} do not depend on "
                  f"{', '.join(others)}: one line is of all its values.")
    if curves.flat:
        words += (f" Rates of {shared.shorten(curves.flat)} do not depend on "
                  f"{curves.key.name}, and are left out.")
    return words


def caption_of(curves):
    key, others = curves.key, [k.name for k in curves.others]
    values = len(np.unique(key.values))
    if curves.is_scatter:
        points = sum(len(c.x) for c in curves.all)
        words = (f"Mean rate against {key.words()}: {points:,} points, no "
                 f"lines, for where {key.name} differs "
                 f"{shared.shorten(others)} " +
                 ("differs" if len(others) == 1 else "differ") + ", too" +
                 ("; it is the colour." if any(c.shades is not None for c in
                                               curves.all) and
                  len(curves.all) == 1 else "."))
    else:
        words = f"Mean rate against {key.words()}, over {values:,} values."
    if any(c.cell is not None for c in curves.all):
        words += " The cells of a population differ: each has its own " + \
            ("points." if curves.is_scatter else "curve.")
    elif any((c.high > c.low).any() for c in curves.all):
        words += " Each is the mean of a population" + (
            "." if curves.is_scatter else
            "; the band goes from its lowest to its highest cell.")
    if any(c.others for c in curves.all):
        words += f" One line for each choice of {', '.join(others)}."
    words += independent(curves, others)
    if len(curves.shown) < len(curves.all):
        words += (f" {len(curves.shown):,} of {len(curves.all):,} lines are "
                  "shown.")
    return words


def curves(run):
    """A figure for each swept key that has numbers."""
    keys, figures = swept(run.results), []
    for key in keys:
        if not key.is_number:
            continue
        found = Curves(run, key, [k for k in keys if k is not key])
        if not found.all:
            continue
        title = "f\N{EN DASH}I curve" if key.name.endswith("amplitude") else \
            f"Rate against {key.name}"
        figures.append(Figure(
            key.variable.replace("_", "-", 1), title, caption_of(found),
            f"Mean rates against {key.words()}",
            lambda width, found=found: draw_curves(found, width)))
    return figures


# ----------------------------------------------------------- rates of members

class Members:
    """Mean rates (Hz) of the populations of each member: rate[group][member],
    NaN where a member has no such population."""

    def __init__(self, run):
        self.run, self.names = run, run.labels.members
        self.groups = choose(range(len(run.groups)), MOST_COLOURS)
        self.rate = np.full((len(run.groups), len(self.names)), np.nan)
        member = run.results.read("population_member")
        known = (member >= 0) & (member < len(self.names))
        self.rate[run.group_of[known], member[known]] = run.rates()[known]


def draw_rows(members, width):
    """A row for each member."""
    names = [cut(name, 34) for name in members.names]
    if len(members.run.groups) == 1:
        return fig.draw_bars(width, names, members.rate[0],
                             [colour_of(0)] * len(names), "mean rate (Hz)")
    figure, axes = blank(width, 80 + 22 * len(names))
    axes = axes[0, 0]
    for row in range(len(names)):
        axes.axhline(row, color=INK, alpha=0.15, lw=0.7, zorder=0)
    for group in members.groups:
        axes.plot(members.rate[group], range(len(names)), "o", ms=6, mew=0,
                  color=colour_of(group), clip_on=False)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlim(0, None)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("mean rate (Hz)")
    fig.name_groups(members.run, axes, width)
    return figure


def draw_distribution(members, width):
    figure, axes = blank(width, 250)
    axes = axes[0, 0]
    most = np.nanmax(members.rate[members.groups])
    edges = np.linspace(0, most if most > 0 else 1, 41)
    for group in members.groups:
        rate = members.rate[group]
        count, _ = np.histogram(rate[np.isfinite(rate)], edges)
        axes.stairs(count, edges, lw=1.2, color=colour_of(group))
        axes.stairs(count, edges, fill=True, alpha=0.18, color=colour_of(group))
    axes.set_xlim(0, None)
    axes.set_ylim(0, None)
    axes.yaxis.set_major_locator(
        matplotlib.ticker.MaxNLocator(5, integer=True))
    axes.set_xlabel("mean rate (Hz)")
    axes.set_ylabel("members")
    fig.name_groups(members.run, axes, width)
    return figure


def rates(run):
    """In place of the mean over all members."""
    members = Members(run)
    n = len(members.names)
    if not np.isfinite(members.rate).any():
        return None
    one_each = n <= MOST_MEMBERS
    caption = ("Mean rate of each population in each member." if one_each else
               f"In how many of the {n:,} members a population has which mean "
               "rate.")
    if len(members.groups) < len(run.groups):
        caption += (f" {len(members.groups)} of {len(run.groups)} populations "
                    "are shown.")
    low, high = np.nanmin(members.rate), np.nanmax(members.rate)
    return Figure("rates", "Rates of the members", caption,
                  f"Mean rates of {n:,} members, from {number(low)} to "
                  f"{number(high)} Hz",
                  lambda width: (draw_rows if one_each else
                                 draw_distribution)(members, width))
