"""keys.py - which keys of the program no job has that is drawn."""
import generate

DRAWS = {"uniform", "normal", "lognormal", "distance", "min", "max"}
ENOUGH = 1500  # jobs


def names(keys, at=""):
    """The keys of a job, as --help-keys writes them."""
    if isinstance(keys, list):
        for item in keys:
            yield from names(item, at + "[]")
    if not isinstance(keys, dict):
        return
    for key, value in keys.items():
        name = f"{at}.{key}" if at else key
        if at.endswith((".regions", ".scale")):
            name = f"{at}.REGION"
        elif key in DRAWS and at.rsplit(".", 1)[-1] in (
                "weight", "delay", "conductance"):
            name = f"projections[].DRAW.{key}"
        if at == "populations[].regions.REGION.where":
            name = f"populations[].WHERE.{key}"
        yield name
        if at in ("synapses[]", "point_processes[]", "stimuli[]", "populations[].artificial") and "type" in keys:
            yield f"{at}.{keys['type']}.{key}"
        if name != "sweep" or isinstance(value, list):
            yield from names(value, name)
        else:
            yield from ("sweep." + part for part in value)
            yield from ("sweep.draws." + part
                        for part in value.get("draws", {}))


def wanted(schema):
    """Each key, and each parameter of each mechanism, as names() has it."""
    yield from schema.keys
    for mechanism, parameters in schema.regions.items():
        for p in parameters:
            yield f"populations[].regions.REGION.{mechanism}.{p}"
    for at, kinds in (("synapses[]", schema.synapses),
                      ("point_processes[]", schema.points),
                      ("stimuli[]", schema.stimuli),
                      ("populations[].artificial", schema.cells)):
        for kind, parameters in kinds.items():
            for p in parameters:
                yield f"{at}.{kind}.{p}"


def missing(schema, mods):
    """Those that are neither drawn nor left out, and those that are both."""
    left_out = set(generate.LEFT_OUT)
    want, seen = set(wanted(schema)), set()
    for seed in range(ENOUGH):
        seen.update(names(generate.Generator(seed, schema, mods).job))
        if not want - seen - left_out:
            break
    for name in sorted(want - seen - left_out):
        yield f"{name}: is neither drawn nor left out for a reason"
    for name in sorted((seen & left_out) | (left_out - want)):
        yield f"{name}: is left out, but drawn, or no key"
