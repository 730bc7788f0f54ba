#!/usr/bin/env python3
"""Compare what bosc and NEURON make of SWC files.

    compare-neuron.py BOSC FILE...

For developers, not part of the test suite: needs NEURON (python3-neuron).
BOSC is the built program.  Every file is imported by NEURON's Import3d in a
process of its own (it ends the process on some files) and cut by d_lambda.
Prints a row for each file: the numbers of bosc and of NEURON, and 'same', or
'differs', or why NEURON refuses.  Same means: as many sections and
compartments, areas within 1e-6.  'differs' counts the rows of the table in
src/morphology/README.md that 'bosc inspect' finds in the file; where that and the
numbers disagree, the verdict ends in 'not flagged' or 'flagged'.  NEURON's
own area moves by some 1e-5 where a segment ends at a step of the diameter.
"""
import subprocess
import sys

COLUMNS = ("sections", "compartments", "area_um2")


def neuron_row(path):
    """Sections, nodes and area of the neuron that Import3d makes."""
    from neuron import h

    h.load_file("stdrun.hoc")
    h.load_file("import3d.hoc")
    reader = h.Import3d_SWC_read()
    reader.quiet = 1
    reader.input(path)
    h.Import3d_GUI(reader, 0).instantiate(None)
    nodes = area = 0
    sections = list(h.allsec())
    for sec in sections:
        sec.Ra, sec.cm = 35.4, 1
        pieces = sec.L / (0.1 * h.lambda_f(100, sec=sec))
        sec.nseg = min(32767, int((pieces + 0.9) / 2) * 2 + 1)
        nodes += sec.nseg + 1 + (sec.parentseg() is None)
    for sec in sections:
        area += sum(seg.area() for seg in sec)
    return len(sections), nodes, area


def import_apart(path):
    """The same from a process of its own; a message if that fails."""
    try:
        run = subprocess.run([sys.executable, __file__, "--neuron", path],
                             capture_output=True, text=True, timeout=600,
                             errors="replace")
    except subprocess.TimeoutExpired:
        return "takes too long"
    for line in run.stdout.splitlines():
        if line.startswith("ROW\t"):
            cells = line.split("\t")
            return int(cells[1]), int(cells[2]), float(cells[3])
    words = [line for line in (run.stdout + run.stderr).splitlines()
             if "rror" in line or "NEURON:" in line]
    return words[0] if words else f"exit code {run.returncode}"


def bosc_rows(program, paths):
    """What 'bosc inspect --tsv' says of each file."""
    for path in paths:
        run = subprocess.run([program, "inspect", "--tsv", path],
                             capture_output=True, text=True)
        lines = run.stdout.splitlines()
        if run.returncode != 0 or len(lines) < 2:
            yield path, None, 0
            continue
        row = dict(zip(lines[0].split("\t"), lines[1].split("\t")))
        yield (path, tuple(float(row[name]) for name in COLUMNS),
               int(row["differs"]))


def verdict(ours, theirs, flagged):
    if ours is None:
        return "bosc refuses"
    if isinstance(theirs, str):
        return "NEURON: " + theirs + ("" if flagged else ", not flagged")
    same = (ours[:2] == theirs[:2] and
            abs(ours[2] - theirs[2]) <= 1e-6 * theirs[2] + 1e-3)
    if same:
        return "same, flagged" if flagged else "same"
    return "differs" if flagged else "differs, not flagged"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--neuron":
        print("ROW\t%d\t%d\t%.17g" % neuron_row(sys.argv[2]))
        return
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print("file\tdiffers\t" + "\t".join(f"{name}\tNEURON" for name in COLUMNS) +
          "\tverdict")
    for path, ours, flagged in bosc_rows(sys.argv[1], sys.argv[2:]):
        theirs = import_apart(path)
        numbers = "\t".join(
            "%s\t%s" % ("-" if ours is None else "%.10g" % ours[k],
                        "-" if isinstance(theirs, str) else "%.10g" % theirs[k])
            for k in range(len(COLUMNS)))
        print(path, flagged, numbers, verdict(ours, theirs, flagged),
              sep="\t", flush=True)


if __name__ == "__main__":
    main()
