"""shrink.py - make a failing job small: leave out, or halve, what it does not
need to fail in the same way."""
import copy
import fnmatch
import json
import os

import library
import runner

ALIKE = {"bits": ["bits", "status"], "status": ["bits", "status"]}
COUNTS = {"count", "tstop", "number", "per_section", "indegree", "n"}


def paths(value, at=()):
    """All that can be left out, the largest first."""
    found = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        found.append((len(json.dumps(inner)), at + (key,)))
        if isinstance(inner, (dict, list)):
            found += paths(inner, at + (key,))
    return sorted(found, key=lambda f: -f[0]) if not at else found


def changed(keys, path, value=None):
    """A copy without what is at a path, or with another value there."""
    out = copy.deepcopy(keys)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return out


def halves(keys):
    """Numbers that may be smaller: (path, value)."""
    for _, path in paths(keys):
        value = keys
        for key in path:
            value = value[key]
        if path[-1] in COUNTS and isinstance(value, (int, float)) and value > 1:
            if path[-1] != "tstop":
                yield path, value // 2
                continue
            steps = round(value / keys.get("dt", 0.025))
            for part in (4, 2, 1.25):
                if steps > part:
                    yield path, float(
                        f"{int(steps / part) * keys.get('dt', 0.025):.10g}")


class Shrinker:
    """Of one failure; judge(job, ways) gives the failures of a trial."""

    def __init__(self, failure, programs, judge, folder):
        self.failure, self.programs = failure, programs
        self.judge, self.folder = judge, folder
        self.trials = 0
        self.best = copy.copy(failure["job"])
        self.best.keys = json.loads(json.dumps(self.best.keys))

    def trial(self, keys):
        """A job like the failing one with other keys, and its two variants."""
        job = copy.copy(self.best)
        self.trials += 1
        job.seed = f"t{self.trials}"
        job.keys = keys
        job.folder = os.path.join(self.folder, job.seed)
        job.path = os.path.join(job.folder, "job.yaml")
        job.closed = job.closed if self.failure["kind"] == "physics" else None
        job.write()
        way, ways = self.failure["way"], []
        whole = ["@groups"] if "sweep" in keys else []
        words = [w for w in way.words if w != "@groups"]
        if not whole:
            words = [w for w in words if not w.startswith("@member")]
        ways.append(runner.Variant(job, "ref", whole + runner.method("hines")))
        if way.program == "library":
            if library.whole_job(keys):
                ways.append(library.variant(job, way.name, way.plan, way.isa))
        elif way.name != "ref":
            ways.append(runner.Variant(job, way.name, whole + words, way.ranks,
                                       way.isa, way.program))
            if way.member is not None and whole:
                ways[-1].member = way.member
                ways[-1].result = os.path.join(
                    job.folder, os.path.basename(way.result))
        return job, ways

    def failing(self, candidates):
        """Which of these keys fail as the job does."""
        trials = [self.trial(keys) for keys in candidates]
        every = [w for _, ways in trials for w in ways]
        for program, ranks in (("variants", 1), ("emulated", 1), ("library", 1),
                               ("variants", self.failure["way"].ranks)):
            some = [w for w in every if w.program == program and
                    w.ranks == ranks and w.status is None]
            if some:
                runner.run_all(some, self.programs, program, ranks, self.folder)
        out = []
        for keys, (job, ways) in zip(candidates, trials):
            found = self.judge(job, ways) if ways[0].complete else []
            same = [f for f in found
                    if f["kind"] in ALIKE.get(self.failure["kind"],
                                              [self.failure["kind"]])]
            if same:
                self.failure["words"] = same[0]["words"]
                out.append(keys)
        return out

    def run(self):
        """The smallest keys that were found."""
        keys = self.best.keys
        if not self.failing([keys]):
            return None
        for _ in range(8):
            before = json.dumps(keys)
            for step in (self.leave_out, self.halve):
                keys = step(keys)
            if json.dumps(keys) == before:
                break
        return keys

    def leave_out(self, keys):
        """In passes: what can be left out by itself, and then together."""
        untried = [p for _, p in paths(keys) if p[0] != "mechanisms"]
        for at in range(0, len(untried), 24):
            some = [p for p in untried[at:at + 24] if reaches(keys, p)]
            good = self.failing([changed(keys, p) for p in some])
            if not good:
                continue
            texts = [json.dumps(g) for g in good]
            able = [p for p in some if json.dumps(changed(keys, p)) in texts]
            while able:
                together = without(keys, able)
                if len(able) == 1 or self.failing([together]):
                    return self.leave_out(together)
                able = able[:len(able) // 2]
        return keys

    def halve(self, keys):
        for _ in range(8):
            good = self.failing([changed(keys, p, v) for p, v in halves(keys)])
            if not good:
                break
            keys = min(good, key=lambda g: g["tstop"])
        return keys


def reaches(keys, path):
    for key in path:
        if isinstance(keys, list) and key >= len(keys) or isinstance(
                keys, dict) and key not in keys:
            return False
        keys = keys[key]
    return True


def without(keys, able):
    """Without all of these paths, the last elements of lists first."""
    out = keys
    for path in sorted(able, key=lambda p: [str(k).rjust(6, "0") for k in p],
                       reverse=True):
        if reaches(out, path):
            out = changed(out, path)
    return out


def used(files, keys):
    """The files that a job still names."""
    text = json.dumps(keys)
    listed = text + "".join(t for n, t in files.items()
                            if n.endswith(".tsv") and n in text)
    names = [v for v in json.dumps(keys).split('"') if "*" in v]
    return {n: t for n, t in files.items() if n in listed or any(
        fnmatch.fnmatch(n, g) for g in names)}


def save(failure, keys, programs, folder):
    """A small job with its files, and the commands that show the failure."""
    job, way = failure["job"], failure["way"]
    os.makedirs(folder, exist_ok=True)
    for name, text in used(job.files, keys).items():
        runner.write_file(os.path.join(folder, name), text)
    with open(os.path.join(folder, "job.yaml"), "w", encoding="utf-8") as file:
        json.dump(keys, file, indent=1)
    if way.program == "library":
        way.words = library.words(keys, way.plan)
    reference = runner.Variant(job, "ref", runner.method("hines"))
    lines = [reference.command(programs), way.command(programs),
             f"# {way.name} of seed {failure['seed']}: {failure['kind']}: "
             f"{failure['words']}"]
    with open(os.path.join(folder, "show.sh"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return lines
