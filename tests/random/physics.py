"""physics.py - what must hold for the results of a drawn job, by itself.

Spikes are the upward crossings of the voltage at the soma; a rule makes as many
connections as it says; and jobs with closed forms (Generator.closed) have
these: a passive neuron at rest stays there, a passive compartment follows its
recurrence, and without a membrane's conductance the charge is what was injected.
"""
import math
import struct

SIZES = {"d": 8, "f": 4, "i": 4, "q": 8, "c": 1}


class Variable:
    """Values of a result, and the sizes of their dimensions."""

    def __init__(self, letter, sizes, values):
        self.letter, self.sizes, self.values = letter, sizes, values

    def rows(self):
        n = self.sizes[1]
        return [self.values[i:i + n] for i in range(0, len(self.values), n)]


class Block:
    """A variable of a dump, as bytes."""

    def __init__(self, letter, sizes, data):
        self.letter, self.sizes, self.data = letter, sizes, data

    def unpack(self):
        """Its values; texts are filled up with zeros."""
        if self.letter == "c":
            width = self.sizes[-1]
            return tuple(
                self.data[i:i + width].rstrip(b"\0").decode(errors="replace")
                for i in range(0, len(self.data), width))
        n = math.prod(self.sizes)
        return struct.unpack(f"={n}{self.letter}", self.data)


def block(letter, sizes, of):
    return Block(letter, sizes, struct.pack(f"={len(of)}{letter}", *of))


def texts(of):
    width = max([1] + [len(t.encode()) for t in of])
    return Block("c", [len(of), width], b"".join(
        t.encode().ljust(width, b"\0") for t in of))


def blocks(path):
    """What 'results' or 'library' has dumped: name -> Block."""
    out = {}
    with open(path, "rb") as file:
        while True:
            head = file.readline().split()
            if not head:
                return out
            letter = head[1].decode()
            sizes = [int(x) for x in head[2:]]
            out[head[0].decode()] = Block(
                letter, sizes, file.read(math.prod(sizes) * SIZES[letter]))


def values(of):
    """Blocks of numbers as such: name -> Variable."""
    return {name: Variable(b.letter, b.sizes, b.unpack())
            for name, b in of.items() if b.letter != "c"}


def load(path):
    return values(blocks(path))


def crossings(job, data):
    """(time, gid) of all upward crossings in 'every', and of all spikes."""
    threshold = job.keys.get("spikes", {}).get("threshold", -20)
    times, rows = data["time_every"].values, data["every_v"].rows()
    gids = data["every_gid"].values
    seen = sorted((times[k + 1], gids[i]) for k in range(len(rows) - 2)
                  for i in range(len(gids))
                  if rows[k][i] <= threshold < rows[k + 1][i])
    told = [s for s in zip(data["spike_time"].values, data["spike_gid"].values)
            if s[1] in gids]  # artificial cells have no voltage
    if [t for t, _ in told] != sorted(t for t, _ in told):
        yield "spikes are not in the order of their times"
    told = sorted(s for s in told if s[0] <= times[-2] + 1e-9)
    if len(told) != len(seen):
        yield f"{len(told)} spikes, but {len(seen)} crossings at the soma"
    for a, b in zip(told, seen):
        if a[1] != b[1] or abs(a[0] - b[0]) > 1e-9 * max(1, b[0]):
            yield f"spike {a} where the voltage crosses at {b}"
            break


def detections(job, data):
    """What probes with a threshold detect, against their voltages."""
    for p, keys in enumerate(job.keys["probes"]):
        if "threshold" not in keys or "interval" in keys:
            continue
        name = keys["name"]
        times, rows = data[f"time_{name}"].values, data[f"{name}_v"].rows()
        seen = sorted((times[k], i) for k in range(len(rows) - 1)
                      for i in range(len(rows[0]))
                      if (k == 0 or rows[k - 1][i] <= keys["threshold"]) and
                      keys["threshold"] < rows[k][i])
        told = sorted((t, c) for t, c, of in zip(
            data["detection_time"].values, data["detection_column"].values,
            data["detection_probe"].values) if of == p and t <= times[-2] + 1e-9)
        if len(told) != len(seen):
            yield f"{name}: {len(told)} detected, but {len(seen)} crossings"
        for a, b in zip(told, seen):
            if a[1] != b[1] or abs(a[0] - b[0]) > 1e-9 * max(1, b[0]):
                yield f"{name}: detects {a} where its voltage crosses at {b}"
                break


def connections(job, told):
    """Connections of the rules whose number is certain."""
    sizes = {p.name: p.n for p in job.populations}
    sizes.update({s["name"]: s.get("count", 1) for s in job.keys.get("sources", [])})
    sizes.update({p["name"]: p.get("count", 1) for p in job.keys.get("populations", [])
                  if "artificial" in p})
    low = high = 0
    for link in job.keys.get("projections", []):
        ends = [end if isinstance(end, list) else [end]
                for end in (link["from"], link["to"])]
        n, to = (sum(sizes[name] for name in end) for end in ends)
        pairs = n * to
        if not link.get("autapses", True):
            pairs -= sum(sizes[name] for name in ends[0] if name in ends[1])
        rule = link["rule"]
        if rule == "list":
            count = job.files[link["file"]].count("\n") - 1
        else:
            count = {"all_to_all": pairs, "one_to_one": to,
                     "ring": to, "fixed_indegree":
                     link.get("indegree", 0) * to}.get(rule)
        low += count or 0
        high += pairs if count is None else count
    if not low <= told <= high:
        yield f"{told} connections, not {low} to {high}"


def rest(job, data):
    e = job.closed["e"]
    worst = max(abs(v - e) for v in data["every_v"].values)
    if worst > 1e-9:
        yield f"a passive neuron at rest moves by {worst:.3g} mV"


def current(clamps, gid, t):
    return sum(c["amplitude"] for c in clamps if gid in c["of"] and
               c["delay"] <= t < c["delay"] + c["duration"])


def single(job, data):
    """One compartment: c (v' - v) / h = g (e - v') + i."""
    closed, dt = job.closed, job.keys["dt"]
    half = job.keys.get("second_order", False)
    rows = data["every_v"].rows()
    for i, gid in enumerate(data["every_gid"].values):
        area = data["neuron_area"].values[gid]
        c = closed["cm"] * area * 1e-5  # nF
        g = closed["g"] * area * 1e-2   # uS
        h = dt / 2 if half else dt
        v, worst = rows[0][i], 0
        for k in range(1, len(rows)):
            flow = current(closed["clamps"], gid, (k - 1) * dt + dt / 2)
            new = (c / h * v + g * closed["e"] + flow) / (c / h + g)
            v = 2 * new - v if half else new
            worst = max(worst, abs(v - rows[k][i]))
        if not worst < 1e-7:
            yield (f"a passive compartment (neuron {gid}) is {worst:.3g} mV "
                   "from its recurrence")
            break


def charge(job, data):
    """Without conductances what was injected is in the capacitance."""
    closed, dt = job.closed, job.keys["dt"]
    rows, gids = data["all_v"].rows(), data["all_gid"].values
    areas = data["all_area"].values
    times = data["time_all"].values
    held = lost = 0
    for k, row in enumerate(rows):
        held = sum(closed["cm"] * a * 1e-5 * (v - u) for a, v, u in
                   zip(areas, row, rows[0]))
        steps = round(times[k] / dt)
        lost = sum(dt * current(closed["clamps"], gid, (s + 0.5) * dt)
                   for s in range(steps) for gid in set(gids))
        scale = sum(abs(closed["cm"] * a * 1e-5 * (v - u)) for a, v, u in
                    zip(areas, row, rows[0]))
        if abs(held - lost) > 1e-5 * scale + 1e-9:
            yield (f"at {times[k]:g} ms the membrane holds {held:.9g} pC, and "
                   f"{lost:.9g} pC were injected")
            return


CLOSED = {"rest": rest, "single": single, "charge": charge}


def check(job, data, told):
    """Sentences about what does not hold; 'told' are the driver's numbers:
    spikes, events, connections, coupled."""
    if "sweep" not in job.keys and "every_v" in data:
        yield from crossings(job, data)
        yield from detections(job, data)
        yield from connections(job, max(0, told[2]))
        if job.closed:
            yield from CLOSED[job.closed["kind"]](job, data)


def same_member(whole, alone, member):
    """Spikes and voltages of a member, in the whole and alone."""
    of = whole["neuron_member"].values
    first = of.index(member)
    spikes = sorted((t, g - first) for t, g in zip(
        whole["spike_time"].values, whole["spike_gid"].values)
        if of[g] == member)
    own = sorted(zip(alone["spike_time"].values, alone["spike_gid"].values))
    if spikes != own:
        yield f"member {member}: {len(own)} spikes alone, or others"
    for name, values in alone.items():
        column = name.split("_")[0] + "_member"  # of q0_hh_m: q0_member
        if values.letter != "d" or len(values.sizes) != 2 or \
                column not in whole or name not in whole:
            continue
        mine = [i for i, m in enumerate(whole[column].values) if m == member]
        if values.sizes != [whole[name].sizes[0], len(mine)]:
            yield (f"member {member}: {name} has {values.sizes} values alone, "
                   f"and {whole[name].sizes[0]} times {len(mine)}")
            return
        for k, (row, other) in enumerate(zip(whole[name].rows(),
                                             values.rows())):
            differ = [i for i, x in enumerate(other)
                      if x != row[mine[i]] and (x == x or row[mine[i]] ==
                                                row[mine[i]])]
            if differ:
                i = differ[0]
                yield (f"member {member}: {name}[{k}, {i}]: {row[mine[i]]} "
                       f"against {other[i]} alone")
                return
