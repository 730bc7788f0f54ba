"""schema.py - the keys of a job, as 'bosc run --help-keys' lists them."""
import re
import subprocess

KEY = re.compile(r"^([A-Za-z_0-9.\[\]]+)(?:: (\S+))?  \((.*)\)$")
RANGE = re.compile(r"(-?[\d.e+-]+) to (-?[\d.e+-]+)(?: (.*?))?(?:, required)?$")
CELL = "populations[].artificial."
MECHANISM = "populations[].regions.REGION."


class Key:
    """One key: its default as a text, its type, its range, what it means."""

    def __init__(self, name, of, default, kind):
        self.name, self.of, self.default, self.kind = name, of, default, kind
        self.text = ""
        found = RANGE.search(kind)
        self.low = float(found[1]) if found else None
        self.high = float(found[2]) if found else None


class Schema:
    """All keys: by name those of every job; parameters by mechanism, kind of
    synapse, kind of point process, and kind of stimulus."""

    def __init__(self, text):
        self.keys, self.regions = {}, {}
        self.synapses, self.points, self.cells, self.stimuli = {}, {}, {}, {}
        self.states = {}  # name of a probe's variable: its mechanism
        of = key = None
        for line in text.splitlines():
            found = KEY.match(line)
            if line.startswith("  of type "):
                of = line[10:].rstrip(":")
                self._kinds(key).setdefault(of, {})
            elif found:
                key = Key(found[1], of, found[2], found[3])
                if key.name.endswith((".population", ".pointers")) or not (
                        key.name.startswith(("synapses[].", "point_processes[].", "stimuli[].", CELL))):
                    of = key.of = None
                self._add(key)
            elif line.startswith("      ") and ": " in line:
                name, meaning = line.strip().split(": ", 1)
                found = re.search(r"\((\w+)\)(, in .*)?$", meaning)
                self.states[name] = found[1] if found else None
            elif line.startswith("    ") and key:
                key.text += line.strip() + " "

    def _kinds(self, key):
        if key.name.startswith(CELL):
            return self.cells
        if key.name.startswith("stimuli"):
            return self.stimuli
        return self.synapses if key.name.startswith("synapses") else self.points

    def _add(self, key):
        if key.name.startswith((MECHANISM + "where", MECHANISM + "spines")):
            self.keys[key.name] = key
        elif key.name.startswith(MECHANISM) and (
                "." in key.name[len(MECHANISM):] or key.kind == "group"):
            mechanism, _, parameter = key.name[len(MECHANISM):].partition(".")
            of = self.regions.setdefault(mechanism, {})
            if parameter:
                of[parameter] = key
        elif key.of:
            name = key.name.rpartition(".")[2]
            self._kinds(key)[key.of][name] = key
        else:
            self.keys[key.name] = key


def read(bosc, job=None):
    """Those of the program, and of the mechanisms that a job names."""
    command = [bosc, "run", "--help-keys"] + ([job] if job else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                          universal_newlines=True)
    return Schema(done.stdout)
