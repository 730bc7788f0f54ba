"""library.py - variants of a job that run through libbosc (library.c), and what
must hold for what they have read: the bits of the result of 'bosc run'."""
import json
import os

import physics
from generate import Draw
from runner import Variant, method

# A handle has one time loop: bosc_build() refuses a sweep of one of these.
OF_THE_LOOP = {"dt", "tstop", "celsius", "v_init", "second_order"}
# Of a sweep, those whose values a table can have: 'draws' has them drawn.
IN_TABLES = {"grid", "zip", "list"}


def members(keys):
    """The values of each member, {key: value}, as far as the job has them."""
    sweep = keys.get("sweep") or {}
    if len(sweep) != 1 or not IN_TABLES & set(sweep):
        return []
    (kind, of), = sweep.items()
    if kind == "list":
        found = [{k: v for k, v in m.items() if k != "name"} for m in of]
    else:
        of = {k: v for k, v in of.items() if k != "name"}
        if kind == "grid" and len(of) != 1:
            return []
        found = [dict(zip(of, values)) for values in zip(*of.values())]
    return found if all(m and set(m) == set(found[0]) for m in found) else []


def left_out(keys):
    """Is this a job that the library refuses?"""
    return any(OF_THE_LOOP & set(m) for m in members(keys))


def table(keys):
    """The word that sets all members at once.  A key may have blanks, in the
    names of several regions."""
    rows = members(keys)
    values = [repr(float(row[key])) for row in rows for key in rows[0]]
    return ";".join([f"@table={len(rows)}", *rows[0], *values])


def whole_job(keys):
    """Has a job, of which something was left out, what a plan needs?"""
    return "tstop" in keys and "probes" in keys and all(
        "name" in probe for probe in keys["probes"])


def reads(keys):
    for probe in keys["probes"]:
        for variable in ["potential"] if "electrodes" in probe else (
                probe.get("variables", ["v"])):
            yield f"@read={probe['name']} {variable}"


def words(keys, plan):
    """A plan has what does not depend on the job: PART is a part of tstop."""
    out = list(reads(keys))
    for word in plan:
        name, _, value = word.partition("=")
        if name == "@part":
            out.append(f"@advance={float(value) * keys['tstop']!r}")
        elif name == "@values" and members(keys):
            out += ["sweep=null", table(keys)]
        elif name == "@member" and members(keys):
            own = members(keys)[int(value) % len(members(keys))]
            out += ["sweep=null"] + [f"{k}={json.dumps(v)}"
                                     for k, v in own.items()]
        elif name not in ("@values", "@member"):
            out.append(word)
    return out


def variant(job, name, plan, isa):
    way = Variant(job, name, words(job.keys, plan), isa=isa, program="library")
    way.plan = plan
    way.result = way.output = os.path.join(job.folder, name + ".dump")
    for word in plan:
        if word.startswith("@member="):
            n = len(members(job.keys))
            way.member = int(word[8:]) % n if n > 0 else None
    return way


# --- what is drawn ------------------------------------------------------------


def settings(draw):
    """How it is computed, of which results do not depend."""
    out = [] if draw.chance(0.3) else method(draw.pick(
        ["hines", "depth-first", "depth-first", "hines-flat"]))
    return out + (["threads=2"] if draw.chance(0.1) else [])


def pieces(draw, between):
    """Uneven pieces of time, with these words between some of them."""
    out = []
    for part in sorted(draw.number(0, 1) for _ in range(draw.whole(1, 4))):
        out += [f"@part={part}"] + draw.pick([[], between(), between()])
    return out + ["@part=1"]


def plans(draw, job, gpu):
    whole = ["@part=1"]
    if draw.chance(0.6):
        yield "library", settings(draw) + whole
    if draw.chance(0.6):
        yield "library-pieces", settings(draw) + pieces(
            draw, lambda: ["@take"])
    if draw.chance(0.6):
        yield "library-moved", settings(draw) + pieces(
            draw, lambda: ["@move"] + settings(draw))
    if members(job.keys):
        yield "library-table", ["@values"] + settings(draw) + (
            whole if draw.chance(0.6) else pieces(draw, lambda: ["@take"]))
        if draw.chance(0.7):
            member = draw.whole(0, job.members - 1)
            yield "library-alone", [f"@member={member}"] + settings(
                draw) + whole
    if gpu and not job.hosted:
        yield "library-gpu", method("cell-blocks") + whole


def of_job(job, programs):
    draw = Draw(f"{job.seed} library")
    if left_out(job.keys) or not os.path.exists(programs.library):
        return []
    out = []
    for name, plan in plans(draw, job, programs.gpu):
        text = ["@text"] if draw.chance(0.3) else []
        out.append(variant(job, name, text + plan, draw.pick(
            ["-"] + programs.isas)))
    return out


# --- what must hold -----------------------------------------------------------


def difference(name, a, b):
    """Where two blocks differ, or None; nothing is equal to NaN but NaN."""
    if a.sizes != b.sizes:
        return f"{name}: {a.sizes} values against {b.sizes}"
    if a.letter == b.letter and a.data == b.data:
        return None
    for i, (x, y) in enumerate(zip(a.unpack(), b.unpack())):
        if x != y and (x == x or y == y):
            return f"{name}, value {i} of {a.sizes}: {x} against {y}"
    return None


def columns(probe, whole):
    """(gid, compartment, x, section) of a probe's columns in the result."""
    texts = whole["section_name"].unpack()
    return list(zip(*(whole[f"{probe}_{part}"].unpack() for part in (
        "gid", "compartment", "x")), (
            texts[i] for i in whole[f"{probe}_section"].unpack())))


def same_values(name, wide, block, at):
    """Where the columns 'at' of a result are not what was read, or others have
    a value; the bytes are compared, since most are equal."""
    rows, n = wide.sizes
    if at == list(range(n)):
        return difference(name, wide, block)
    told, found = wide.unpack(), block.unpack()
    rest = set(range(n)) - set(at)
    for k in range(rows):
        row, mine = told[k * n:(k + 1) * n], found[k * len(at):]
        for i, column in enumerate(at):
            if row[column] != mine[i] and (row[column] == row[column] or
                                           mine[i] == mine[i]):
                return f"{name}[{k}, {column}]: {row[column]} against {mine[i]}"
        if any(row[i] == row[i] for i in rest):
            return f"{name}[{k}]: has values where nothing was read"
    return None


def reading(name, whole, mine):
    """A variable of a probe.  A state has a column where its mechanism is, and
    the result NaN elsewhere."""
    probe, wide, block = name.split("_")[0], whole[name], mine[name]
    if name.endswith("_potential"):  # its columns are of no neuron
        return difference(name, wide, block)
    told = {c[:2]: (i, c) for i, c in enumerate(columns(probe, whole))}
    own = list(zip(*(mine[f"{name}.{part}"].unpack() for part in (
        "gid", "compartment", "x", "section"))))
    if block.sizes != [wide.sizes[0], len(own)]:
        return f"{name}: {block.sizes} values against {wide.sizes}"
    for column in own:
        if told.get(column[:2], (0, None))[1] != column:
            return f"{name}: {column} is no column of the result"
    at = [told[c[:2]][0] for c in own]
    if at != sorted(set(at)) or (name.endswith("_v") and
                                 len(at) != wide.sizes[1]):
        return f"{name}: columns {at} of {wide.sizes[1]}"
    return same_values(name, wide, block, at)


def populations(whole, mine):
    names = whole["population_name"].unpack()
    of = whole["neuron_population"].unpack()
    member = whole["population_member"].unpack() if (
        "population_member" in whole) else [0] * len(names)
    wanted = [(n, of.index(i) if i in of else None, of.count(i), member[i])
              for i, n in enumerate(names)]
    told = mine["population_numbers"].unpack()
    found = [(n, *told[3 * i:3 * i + 3]) for i, n in enumerate(
        mine["population_name"].unpack())]
    if found != wanted or mine["neurons"].unpack() != (len(of),):
        yield f"populations {found} against {wanted}"


def with_places(whole, probes):
    """A result with the compartments of what was detected."""
    whole = dict(whole)
    if "detection_time" not in whole:
        for name, letter in (("time", "d"), ("gid", "q"), ("probe", "q"), ("compartment", "q")):
            whole[f"detection_{name}"] = physics.block(letter, [0], [])
        return whole
    at = [whole[f"{probe['name']}_compartment"].unpack() if "threshold" in probe
          else None for probe in probes]
    column = whole.pop("detection_column").unpack()
    whole["detection_compartment"] = physics.block("q", [len(column)], [
        at[p][c] for p, c in zip(whole["detection_probe"].unpack(), column)])
    return whole


def recorded(whole):
    """The variables that probes have recorded."""
    return {name for name, block in whole.items() if block.letter == "d" and
            len(block.sizes) == 2 and name.split("_")[0] + "_gid" in whole}


def differences(whole, mine):
    """Sentences about readings that are not those of the result."""
    for name in sorted(recorded(whole) | set(mine)):
        words_ = None
        if name in recorded(whole):
            words_ = reading(name, whole, mine) if name in mine else (
                f"{name} was not read")
        elif name.startswith(("time_", "spike_", "detection_")):
            words_ = difference(name, whole[name], mine[name]) if (
                name in whole) else f"{name}: the result has none"
        if words_:
            yield words_
    yield from populations(whole, mine)


def chosen(block, at, less=0):
    """These columns of a block, their numbers smaller by 'less'."""
    values, n = block.unpack(), block.sizes[-1]
    out = [v - less if less else v for k in range(0, len(values), n or 1)
           for v in (values[k + i] for i in at)]
    return physics.block(block.letter, block.sizes[:-1] + [len(at)], out)


def of_member(whole, member):
    """The result of a member alone, from that of all."""
    def at(name):
        return [i for i, m in enumerate(whole[name].unpack()) if m == member]

    neurons, populations_ = at("neuron_member"), at("population_member")
    first = neurons[0]
    spikes = [i for i, g in enumerate(whole["spike_gid"].unpack())
              if g in set(neurons)]
    found = [i for i, g in enumerate(whole["detection_gid"].unpack())
             if g in set(neurons)]
    out = {"section_name": whole["section_name"]}
    for name, block in whole.items():
        probe = name.split("_")[0]
        if name == "neuron_population":
            out[name] = chosen(block, neurons, populations_[0])
        elif name == "population_name":
            names = block.unpack()
            out[name] = physics.texts([names[i] for i in populations_])
        elif probe == "spike":
            out[name] = chosen(block, spikes, first * (name == "spike_gid"))
        elif probe == "detection":
            out[name] = chosen(block, found, first * (name == "detection_gid"))
        elif probe + "_gid" in whole and name != probe + "_member":
            out[name] = chosen(block, at(probe + "_member"),
                               first * (name == probe + "_gid"))
        elif probe == "time":
            out[name] = block
    return out


def check(way, whole, probes):
    """Sentences about one that has come to its end; 'whole' is the result, with
    these probes."""
    mine = physics.blocks(way.result)
    whole = with_places(whole, probes)
    return differences(whole if way.member is None else
                       of_member(whole, way.member), mine)


def warnings(way):
    return physics.blocks(way.result)["warnings"].unpack()


def command(way, programs):
    """What a user types to run it: the list of one variant."""
    fields = [way.name, "1", way.isa, "job.yaml", way.name + ".dump"]
    line = "\\t".join(fields + way.words)
    return (f"printf '{line}\\n' >list; OMP_NUM_THREADS=1 "
            f"{programs.library} list")
