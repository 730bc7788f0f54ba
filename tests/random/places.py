"""places.py - regions of a job's own, and numbers that vary from place to place."""

TYPES = {"soma": 1, "axon": 2, "dendrite": 3, "apical": 4}


def where(draw, population, location, depth=0):
    """A group of keys that some compartments pass."""
    kind = draw.pick(["region", "type", "sections", "distance", "from",
                      "diameter", "order", "between", "tip", "and", "or", "not"])
    if depth > 1 and kind in ("and", "or", "not"):
        kind = "tip"
    if kind == "region":
        return {"region": draw.pick([*TYPES, ["dendrite", "apical"], "all"])}
    if kind == "type":
        return {"type": draw.pick([1, 2, 3, 4, [3, 4], 7])}
    if kind == "sections":
        return {"sections": draw.pick(["dend", "axon", ["dend", "apic"], "soma"])}
    if kind in ("distance", "from"):
        near = draw.whole(0, 150)
        out = {"distance": [near, near + draw.whole(0, 300)]}
        if kind == "from":
            out["from"] = location(population)
        return out
    if kind == "diameter":
        return {"diameter": [0, draw.number(0.3, 4)]}
    if kind == "order":
        return {"order": draw.pick([0, 1, [1, 3], [2, 9]])}
    if kind == "between":
        return {"between": ["soma", location(population)]}
    if kind == "tip":
        return {"tip": draw.chance(0.6)}
    if kind == "not":
        return {"not": where(draw, population, location, depth + 1)}
    return {kind: [where(draw, population, location, depth + 1)
                   for _ in range(draw.whole(1, 2))]}


def at(draw, population, location):
    """Places of a probe or stimulus, of which each neuron has one: the soma where no other
    is sure."""
    def one(kind):
        point = location(population)
        if kind == "pair" and "[" in point:
            section, x = point.rstrip(")").split("(")
            return {"section": section, "x": float(x)}
        if kind == "group":
            return where(draw, population, location)
        if kind == "distance":
            own = {"region": draw.pick([*TYPES])} if draw.chance(0.5) else {}
            return {"distance": draw.whole(0, 200), **own}
        return point

    kinds = ["point", "pair", "group", "distance"]
    kind = draw.pick(kinds + ["list"])
    if kind in ("point", "pair"):
        return one(kind)
    return ["soma"] + [one(draw.pick(kinds)) for _ in range(draw.whole(0, 3))]


def vary(draw, low, high, n, files):
    """A number between low and high that varies; n: neurons, for tables."""
    kind = draw.pick(["formula", "condition", "drawn", "linear", "exponential",
                      "step", "uniform", "normal", "lognormal", "table"])
    middle, span = (low + high) / 2, high - low
    if kind == "formula":
        return {"formula": "value + span*distance/(farthest + 1)",
                "value": low, "span": span}
    if kind == "condition":
        return {"formula": "a if diam > 1.1 or section_length < 40 else b",
                "a": low, "b": high}
    if kind == "drawn":
        return {"formula": "{value} + (high - {value})*math.exp(-({distance})/50)",
                "value": {"uniform": [low, middle]}, "high": high}
    if kind == "linear":
        return {"linear": [low, span / 1e5]}
    if kind == "exponential" and low > 0:
        return {"exponential": [1, high / low - 1, -0.01], "value": low}
    if kind in ("step", "exponential"):
        return {"step": [draw.whole(0, 50), draw.whole(60, 200), low, high]}
    if kind == "table":
        name = f"values{len(files)}.tsv"
        files[name] = "neuron\tother\tmine\n" + "".join(
            f"{i}\t{i}\t{draw.number(low, high)}\n" for i in range(n))
        return {"table": name, "column": "mine"}
    if kind == "lognormal" and low <= 0 or kind == "uniform":
        return {"uniform": [low, high]}
    return {kind: [middle, span / 4], "min": low, "max": high}


def series(draw, times, low, high, unit):
    """A time series of an NWB file, as the text of which ncgen makes it: numbers of
    nA or mV at times (ms), the first of them at any time."""
    begin, scale = draw.number(0, 10), 1e-9 if unit == "amperes" else 1e-3
    if draw.chance(0.5):
        variables, rate = "timestamps(n)", ""
        when = f"timestamps = {', '.join(repr(begin + 1e-3 * t) for t in times)}"
    else:
        times = range(draw.whole(2, 40))  # 10 s
        variables, rate = "starting_time", f"starting_time:rate = {(len(times) - 1) / 10} ;"
        when = f"starting_time = {begin!r}"
    factor = draw.pick([1.0, 1e-3])
    data = ", ".join(repr(draw.number(low, high) * scale / factor) for _ in times)
    return f"""netcdf sweeps {{
group: stimulus {{ group: presentation {{ group: Sweep {{
    dimensions: n = {len(times)} ;
    variables: double data(n), {variables} ; data :conversion = {factor!r} ;
        string data :unit = "{unit}" ; {rate}
    data: data = {data} ; {when} ; }} }} }}
}}
"""
