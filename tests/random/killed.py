"""killed.py - variants that are killed, and go on from what they have left."""
import os
import subprocess

from runner import PATIENCE, Variant, method

LONGER = 6
OFTEN = "checkpoint.every=1e-6"  # min: one checkpoint follows the other


def recorded(job):
    """About how many values the probe 'all' records: what a kill can tear."""
    for probe in job.keys["probes"]:
        if probe["name"] == "all":
            every = probe.get("interval", 0) or job.keys["dt"]
            return sum(p.compartments for p in job.populations) * (
                job.members * job.keys["tstop"] / every)
    return 0


def of_job(job, programs, draw):
    """Now and then one: killed some times before a change of its file, or ended
    by a signal after a checkpoint, then run to its end."""
    often = 0.5 if recorded(job) > 4000 else 0.1
    if not (os.path.exists(programs.killer) and draw.chance(often)):
        return []
    words = method(draw.pick(["depth-first", "hines-flat"]))
    if draw.chance(0.85):
        words.append(f"output.compression={draw.pick([1, 4, 9])}")
    way = Variant(job, "killed", words, program="killed")
    way.kills = [0] if draw.chance(0.2) else [
        draw.whole(100, 500) for _ in range(5)]
    # Long enough for several checkpoints; that has a reference of its own.
    long = f"tstop={LONGER * job.keys['tstop']:.10g}"
    way.words.append(long)
    way.reference = Variant(job, "long", method("hines-flat") + [long] + (
        ["@groups"] if "sweep" in job.keys else []))
    way.last = 2 if programs.launcher and draw.chance(0.25) else 1
    return [way.reference, way]


def run(way, programs):
    """Like runner.run_all, for one variant."""
    command = [programs.bosc, "run", way.job.path, "-q", "-o", way.output]
    for word in way.words:
        command += ["--set", word]
    ended = []
    for at in way.kills:
        done = start(command + ["--set", OFTEN], programs, {
            "LD_PRELOAD": programs.killer,
            **({"KILLED_AT": str(at)} if at else {"KILLED_SAVED": "1"})})
        ended.append(done.returncode)
        if done.returncode == 0:
            break
        if done.returncode not in (-9, 75):
            finish(way, done)
            return
    if ended[-1] != 0:
        if way.last > 1:
            command = [programs.launcher, "-n", str(way.last)] + command
        done = start(command, programs, {})
    finish(way, done)


def start(command, programs, more):
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False, timeout=PATIENCE,
            env={**programs.environment, **more}, errors="replace",
            universal_newlines=True)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(command, -1, str(e))


def finish(way, done):
    codes = {0: 0, 65: 4}
    way.status = codes.get(done.returncode, -1)
    way.message = f"exit code {done.returncode}: " + " ".join(
        done.stdout.split())[:1500]  # a crash has where it was first


def commands(way, programs):
    """What a user types to see it."""
    words = " ".join(f"--set {w}" for w in way.words)
    line = f"{programs.bosc} run job.yaml -q -o killed.nc {words}"
    for at in way.kills:
        what = f"KILLED_AT={at}" if at else "KILLED_SAVED=1"
        yield f"LD_PRELOAD={programs.killer} {what} {line} --set {OFTEN}"
    yield (f"{programs.launcher} -n {way.last} " if way.last > 1 else "") + line
