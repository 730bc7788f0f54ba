"""shapes.py - morphologies drawn at random, as SWC texts."""
import math

SOMA, AXON, DENDRITE, APICAL = 1, 2, 3, 4
NAMES = {SOMA: "soma", AXON: "axon", DENDRITE: "dend", APICAL: "apic"}
REGIONS = {SOMA: "soma", AXON: "axon", DENDRITE: "dendrite", APICAL: "apical"}


class Shape:
    """Samples (type, x, y, z, radius, parent), the parent by index, -1: none."""

    def __init__(self):
        self.samples = []

    def add(self, kind, at, radius, parent):
        self.samples.append((kind, *at, radius, parent))
        return len(self.samples) - 1

    def text(self):
        return "".join(
            f"{i + 1} {k} {x:.3f} {y:.3f} {z:.3f} {r:.3f} "
            f"{p + 1 if p >= 0 else -1}\n"
            for i, (k, x, y, z, r, p) in enumerate(self.samples))

    def children(self):
        of = [[] for _ in self.samples]
        for i, sample in enumerate(self.samples):
            if sample[5] >= 0:
                of[sample[5]].append(i)
        return of

    def sections(self):
        """How many unbranched sections there are of each name: dend, ..."""
        count, of = {"soma": 1}, self.children()
        for kind, _, _, _, _, parent in self.samples:
            if kind in NAMES and kind != SOMA and (
                    self.samples[parent][0] != kind or len(of[parent]) > 1):
                count[NAMES[kind]] = count.get(NAMES[kind], 0) + 1
        return count

    def is_axon_last(self):
        """Does nothing but axon hang on axon?"""
        return all(s[5] < 0 or self.samples[s[5]][0] != AXON or s[0] == AXON
                   for s in self.samples)

    def has_axon(self, sections, length):
        """So many sections, and from each so much more than 10 um of length?"""
        mine = self.sections().get("axon", 0)
        found = sum(math.dist(s[1:4], self.samples[s[5]][1:4])
                    for s in self.samples
                    if s[0] == AXON and self.samples[s[5]][0] == AXON)
        return mine >= sections and (
            length == 0 or 0.7 * found - 10 * mine > length)

    def regions(self):
        return sorted({REGIONS.get(s[0], "custom") for s in self.samples})

    def length(self):
        return sum(math.dist(s[1:4], self.samples[s[5]][1:4])
                   for s in self.samples if s[5] >= 0)

    def area(self):
        area = sum(2 * math.pi * s[4] *
                   math.dist(s[1:4], self.samples[s[5]][1:4])
                   for s in self.samples if s[5] >= 0 and s[0] != SOMA)
        return area + 4 * math.pi * self.samples[0][4] ** 2

    def compartments(self, policy):
        """About how many, for a discretisation of the job."""
        sections = sum(self.sections().values()) + 1
        if "per_section" in policy:
            return sections * (policy["per_section"] + 1)
        if "max_length" in policy:
            return sections * 2 + self.length() / policy["max_length"]
        if "odd_per" in policy:
            per = policy["odd_per"]
            least = min(per.values()) if isinstance(per, dict) else per
            return sections * 2 + 2 * 1.5 * self.length() / least
        if policy.get("policy") == "per_sample":
            return len(self.samples) + sections
        return 2 * sections + self.length() / 20


def soma(draw, shape):
    """One sample, a line of some, or three that mean a sphere."""
    radius = draw.number(3, 12)
    root = shape.add(SOMA, (0, 0, 0), radius, -1)
    form = draw.pick(["one", "one", "one", "line", "three"])
    if form == "line":
        for i in range(draw.whole(1, 3)):
            root = shape.add(SOMA, (0, radius * (i + 1), 0),
                             draw.number(2, 10), root)
    if form == "three":
        shape.add(SOMA, (0, -radius, 0), radius, 0)
        shape.add(SOMA, (0, radius, 0), radius, 0)
        root = 0
    return root


def away(draw, at, length):
    """A point in a random direction."""
    z, angle = draw.random.uniform(-1, 1), draw.random.uniform(0, 2 * math.pi)
    across = math.sqrt(1 - z * z)
    return (at[0] + length * across * math.cos(angle),
            at[1] + length * across * math.sin(angle), at[2] + length * z)


def grow(draw, shape, parent, kind, n):
    """A chain of n samples."""
    radius = draw.number(0.2, 2)
    for _ in range(n):
        at = shape.samples[parent][1:4]
        parent = shape.add(kind, away(draw, at, draw.number(2, 40)),
                           max(0.1, radius * draw.random.uniform(0.7, 1.3)),
                           parent)
    return parent


def kind_of(draw):
    return draw.pick([AXON, DENDRITE, DENDRITE, DENDRITE, APICAL, APICAL, 5, 7])


def cable(draw, shape, root, size):
    while size > 0:
        n = draw.whole(1, size)
        root = grow(draw, shape, root, kind_of(draw), n)
        size -= n


def star(draw, shape, root, size):
    while size > 0:
        n = min(size, draw.whole(1, 3))
        grow(draw, shape, root, kind_of(draw), n)
        size -= n


def tree(draw, shape, root, size):
    """Chains that begin anywhere on what is there."""
    tips = [root]
    while size > 0:
        n = min(size, draw.whole(1, 6))
        parent = draw.pick(tips)
        kind = shape.samples[parent][0]
        if kind == SOMA or draw.chance(0.1):
            kind = kind_of(draw)
        grow(draw, shape, parent, kind, n)
        tips += range(len(shape.samples) - n, len(shape.samples))
        size -= n


def forked_axon(draw, shape):
    """Three sections, about 300 um in all: enough for every rule for axons."""
    fork = grow(draw, shape, 0, AXON, 5)
    for _ in range(2):
        grow(draw, shape, fork, AXON, 5)


def draw_shape(draw, size):
    """One of about 'size' samples."""
    shape = Shape()
    root = soma(draw, shape)
    form = draw.pick([cable, star, tree, tree, tree])
    if size > 1:
        form(draw, shape, root, size - 1)
    return shape
