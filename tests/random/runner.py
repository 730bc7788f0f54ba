"""runner.py - the variants of a job, run by the programs of this folder."""
import json
import os
import select
import signal
import subprocess
import time

from generate import Draw

PATIENCE = 40  # s, for one variant
COMPILING = 240  # s, for the mechanisms of all, before the first
FAILED = 4  # the status of a voltage that is not finite


def stale(build, source):
    """The programs of this folder that 'make check' would build again: missing,
    or older than their file or than bosc's library.  Only 'results' has nothing
    of the library; the emulated one is not built without a C++ compiler."""
    here = os.path.join("tests", "random")
    library = os.path.join(build, "libbosc.a")
    for name, file, needs in (("variants", "variants.c", [library]),
                              ("variants-emulated", "variants.c", [library]),
                              ("library", "library.c", [library]),
                              ("results", "results.c", [])):
        program = os.path.join(build, here, name)
        if not os.path.exists(program):
            if name != "variants-emulated":
                yield name
        elif any(os.path.getmtime(of) > os.path.getmtime(program)
                 for of in [os.path.join(source, here, file)] + needs):
            yield name


def write_file(path, text):
    """A file of a job; an NWB file from ncgen's language."""
    if path.endswith(".nwb"):
        subprocess.run(["ncgen", "-4", "-o", path], input=text, text=True, check=True)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Programs:
    """Where things are, and the environment that they run in."""

    def __init__(self, build, source, launcher, gpu):
        here = os.path.join(build, "tests", "random")
        self.bosc = os.path.join(build, "bosc")
        self.variants = os.path.join(here, "variants")
        self.emulated = os.path.join(here, "variants-emulated")
        self.results = os.path.join(here, "results")
        self.library = os.path.join(here, "library")
        self.killer = os.path.join(build, "tests", "batch", "killed_write.so")
        self.mods = os.path.join(source, "tests", "random", "mods")
        self.launcher, self.gpu = launcher, gpu
        self.environment = {
            **os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive",
            "XDG_CACHE_HOME": os.path.join(here, "cache")}
        for name in ("BOSC_ISA", "BOSC_METHODS", "BOSC_MACHINE"):
            self.environment.pop(name, None)
        self.isas = self.find_isas()

    def find_isas(self):
        """The instruction sets that this build and machine have."""
        found = []
        for name in ("base", "v3", "v4", "v4-pairs"):
            done = subprocess.run(
                [self.bosc, "run", "--help"], check=False,
                env={**self.environment, "BOSC_ISA": name},
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open("/proc/cpuinfo", encoding="ascii") as file:
                flags = file.read()
            needs = {"base": "", "v3": "avx2"}.get(name, "avx512vl")
            if done.returncode == 0 and needs in flags:
                found.append(name)
        return found


class Variant:
    """One way to run a job; 'name' tells it apart from the job's others."""

    def __init__(self, job, name, words, ranks=1, isa="-", program="variants"):
        self.job, self.name, self.words = job, name, words
        self.ranks, self.isa, self.program = ranks, isa, program
        self.output = os.path.join(job.folder, name + ".nc")
        self.result = self.output
        self.reference = None  # not the first one, but this
        self.member = None  # of a sweep, alone; None: all of them
        self.status = None  # of bosc; below 0: it died, or did not end
        self.message, self.numbers, self.seconds = "", [], 0

    def line(self):
        return "\t".join([f"{self.job.seed}/{self.name}", str(self.ranks),
                          self.isa, self.job.path, self.output] + self.words)

    @property
    def complete(self):
        """Is there a result?  Also where members of a sweep have failed."""
        return self.status == 0 or (
            self.status == FAILED and "members failed" in self.message)

    def command(self, programs):
        """What a user types to see it."""
        before = [] if self.isa == "-" else [f"BOSC_ISA={self.isa}"]
        if self.ranks > 1:
            before += [programs.launcher or "mpiexec", "-n", str(self.ranks)]
        words = []
        for word in self.words:
            if word.startswith("@member="):
                words += ["--member", word[8:]]
            elif not word.startswith("@"):
                words += ["--set", word]
        if self.program == "library":
            import library
            return library.command(self, programs)
        if self.program == "killed":
            import killed
            return "\n    ".join(killed.commands(self, programs))
        program = programs.bosc if self.program != "emulated" else os.path.join(
            os.path.dirname(programs.bosc), "tests", "emulate", "bosc")
        return " ".join(["OMP_NUM_THREADS=1"] + before + [
            program, "run", "job.yaml", "-o", self.name + ".nc"] + words)


def method(name):
    backend = {"hines": "ref", "cell-blocks": "cuda"}.get(name, "cpu")
    return [f"backend={backend}", f"method={name}"]


COMPOSED = ["hines-interleaved", "hines-block", "hines-block-shared",
            "hines-vbatch-cp", "hines-vbatch-ncp"]
LEVELS = ["level-schedule-cp", "level-schedule-ncp", "level-schedule-sliced"]


def composed(draw, job, backend):
    """The words of a composed step."""
    names = COMPOSED + (["hines-flat"] if backend == "cuda" else [])
    if "'pointers'" not in str(job.keys):  # not by sections
        names = names + LEVELS
    name = draw.pick(names)
    words = [f"backend={backend}", f"method={name}"]
    if name in LEVELS and draw.chance(0.4):
        words.append("levels=root")
    if name.startswith("hines-block") and draw.chance(0.5):
        words.append(f"block={draw.pick([32, 64, 96, 512])}")
    return words


def of_job(job, programs):
    """The variants of a job, the reference first."""
    draw = Draw(f"{job.seed} variants")
    whole = ["@groups"] if "sweep" in job.keys else []
    coupled = "couplings" in job.keys
    ways = [Variant(job, "ref", whole + method("hines")),
            Variant(job, "auto", whole)]
    for isa in programs.isas:
        ways.append(Variant(job, "depth-" + isa, whole +
                            method("depth-first"), isa=isa))
    ways.append(Variant(job, "flat", whole + method("hines-flat"),
                        isa=draw.pick(programs.isas)))
    if draw.chance(0.5):
        ways.append(Variant(job, "threads", whole + [
            f"threads={draw.pick([2, 2, 3])}"] + method(
                draw.pick(["depth-first", "hines-flat"]))))
    for i in range(2):
        ways.append(Variant(job, f"composed{i}", whole + composed(
            draw, job, "cpu") + [f"threads={draw.pick([1, 1, 2])}"],
                            isa=draw.pick(programs.isas)))
    if draw.chance(0.15):
        ways.append(Variant(job, "epoch", whole + [
            f"@epoch={draw.whole(1, 30)}"]))
    # verify computes neurons by themselves
    if draw.chance(0.15) and not job.away_from and sum(
            p.n for p in job.populations) * job.members <= 60:
        ways.append(Variant(job, "verify", whole + [
            f"verify={draw.whole(1, 8)}"] + method(
                draw.pick(["depth-first", "hines-flat"]))))
    if whole:
        ways += alone(draw, job, whole)
    if programs.launcher:
        several = draw.pick([3, 3, 5]) if draw.chance(
            0.25 if coupled else 0.5) else 2
        for ranks in sorted({2, several}):
            ways.append(Variant(job, f"ranks{ranks}", whole + drawn_words(
                draw, job, ranks), ranks, draw.pick(["-"] + programs.isas)))
    if job.hosted:  # artificial cells
        return ways
    # The kernels of each set of mod files are compiled for it.
    if draw.chance(0.07 if job.mods else 0.5) and os.path.exists(
            programs.emulated):
        ways.append(Variant(job, "emulated", whole + ["backend=cuda",
                            "method=" + draw.pick(
                                ["depth-first", "cell-blocks"])],
                            program="emulated"))
        ways.append(Variant(job, "emulated-composed", whole + composed(
            draw, job, "cuda"), program="emulated"))
    if programs.gpu:
        for name in ("depth-first", "cell-blocks"):
            ways.append(Variant(job, "gpu-" + name, whole + [
                "backend=cuda", "method=" + name]))
        ways.append(Variant(job, "gpu-composed", whole + composed(
            draw, job, "cuda")))
    return ways


def alone(draw, job, whole):
    """A member by itself; one that may fail, and one that does not."""
    members = [draw.whole(0, job.members - 1)]
    if job.unstable:
        calm = sorted(set(range(job.members)) - set(job.unstable))
        members = [draw.pick(some) for some in (job.unstable, calm) if some]
    for member in members:
        way = Variant(job, f"member{member}", whole + [f"@member={member}"])
        way.member = member
        way.result = os.path.join(job.folder,
                                  f"member{member}.member{member}.nc")
        yield way


def drawn_words(draw, job, ranks):
    """What else runs on several ranks differ by."""
    words = method(draw.pick(["depth-first", "depth-first", "hines-flat"]))
    if draw.chance(0.2):
        words = composed(draw, job, "cpu")
    if draw.chance(0.3):
        words.append(f"output.io_ranks={draw.whole(1, ranks)}")
    if draw.chance(0.1):
        words.append("threads=2")
    if draw.chance(0.15) and "sweep" not in job.keys:
        words.append("cost_from=ref.nc")  # merged groups have no ranks
    for i, coupling in enumerate(job.keys.get("couplings", [])):
        if draw.chance(0.5):
            words.append(f"couplings[{i}].format=" +
                         draw.pick(["csr", "ellpack", "dense"]))
    return words


def run_all(ways, programs, program, ranks, folder):
    """Run variants in one process, or in the ranks of one launcher, and in
    another one after each that dies."""
    left = {f"{w.job.seed}/{w.name}": w for w in ways}
    again = True
    while left:
        path = os.path.join(folder, f"list{ranks}-{program}")
        with open(path, "w", encoding="utf-8") as file:
            loaded = False
            for way in left.values():
                if way.job.mods and not loaded and program != "library":
                    file.write(f"@load\t{mechanisms_of(way.job)}\n")
                    loaded = True
                file.write(way.line() + "\n")
        command = [getattr(programs, program), path]
        if ranks > 1:
            command = [programs.launcher, "-n", str(ranks)] + command
        begun, how = run_some(command, programs, left)
        if begun is None and left:  # it did not even begin
            begun = next(iter(left))
            if again:  # once, on a busy machine
                print(f"# {begun}: started again: {how}")
                again = False
                continue
            left[begun].message = f"the program ended before it: {how}"
            left[begun].status = -1
        if begun is not None:
            del left[begun]


def mechanisms_of(job):
    """A file with its mechanisms alone: no probe wants variables of them."""
    path = os.path.join(job.folder, "mechanisms.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"mechanisms": job.keys["mechanisms"]}, file)
    return path


def run_some(command, programs, left):
    """Take what a program tells; the variant in which it died, and how."""
    begun, code = None, None
    with open(os.devnull, "w", encoding="utf-8") as nowhere, subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=nowhere,
            stdin=subprocess.DEVNULL, env=programs.environment,
            start_new_session=True) as process:
        rest, last = b"", time.time()
        patience = COMPILING
        while True:
            ready = select.select([process.stdout], [], [], 1)[0]
            if ready:
                some = os.read(process.stdout.fileno(), 65536)
                if not some:
                    break
                rest, last, patience = rest + some, time.time(), PATIENCE
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    begun = take(line.decode(errors="replace"), left, begun)
            elif time.time() - last > patience:
                os.killpg(process.pid, signal.SIGKILL)
                code = -2
                break
        process.wait()
        how = (f"does not end within {patience} s" if code
               else f"dies: exit code {process.returncode}")
        if begun is not None:
            way = left[begun]
            way.status = -1 if code is None else code
            way.message = how
    return begun, how


def take(line, left, begun):
    """A line of a program: a variant begins, or has ended."""
    field = line.split("\t")
    if field[0] not in left:
        return begun
    if field[1] == "begins":
        return field[0]
    way = left.pop(field[0])
    way.status = int(field[1])
    way.numbers = [int(x) for x in field[2:6]]
    way.seconds, way.message = float(field[6]), field[7]
    return None


class Results:
    """The program that looks at results, one request after another."""

    def __init__(self, programs):
        self.programs = programs
        self.process = None

    def ask(self, *words):
        if self.process is None:
            self.process = subprocess.Popen(
                [self.programs.results], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=self.programs.environment, universal_newlines=True)
        try:
            self.process.stdin.write("\t".join(words) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except OSError:
            answer = ""
        if not answer:
            self.close()
            return "the file makes the reader die"
        return answer

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None
