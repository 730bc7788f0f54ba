#!/usr/bin/env python3
"""Compare what bosc and NEURON make of SWC files.

    compare-neuron.py BOSC FILE...

For developers, not part of the test suite: needs NEURON (python3-neuron).
BOSC is the built program.  Every file is imported by NEURON's Import3d in a
process of its own (it ends the process on some files) and cut by d_lambda.
Prints a row for each file: the numbers of bosc and of NEURON, and 'same', or
'differs', or why NEURON refuses.  'cuts' counts the samples that go on after
their parent but not on the next line: there Import3d starts one more section.
Same means: as many sections and compartments, areas within 1e-4 (NEURON keeps
points as float, which shows where they are far from the origin).  Files with
several roots, radii of 0 and somata without length differ, because bosc
repairs what Import3d takes as it is: 'bosc inspect FILE' lists the repairs.
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


def count_cuts(path):
    """Children that go on with their parent's section from another line."""
    with open(path, errors="replace") as file:
        rows = [line.split() for line in file.read().splitlines()]
    rows = [row for row in rows if len(row) >= 7 and row[0].isdigit()]
    line = {row[0]: k for k, row in enumerate(rows)}
    children = {}
    for k, row in enumerate(rows):
        if row[6] in line:
            children.setdefault(line[row[6]], []).append(k)
    cuts = 0
    for parent, found in children.items():
        if rows[parent][1] == "1":  # soma goes on into soma
            found = [k for k in found if rows[k][1] == "1"]
        cuts += len(found) == 1 and found[0] != parent + 1
    return cuts


def bosc_rows(program, paths):
    """What 'bosc inspect --tsv' says of each file."""
    for path in paths:
        run = subprocess.run([program, "inspect", "--tsv", path],
                             capture_output=True, text=True)
        lines = run.stdout.splitlines()
        if run.returncode != 0 or len(lines) < 2:
            yield path, None
            continue
        row = dict(zip(lines[0].split("\t"), lines[1].split("\t")))
        yield path, tuple(float(row[name]) for name in COLUMNS)


def verdict(ours, theirs):
    if ours is None:
        return "bosc refuses"
    if isinstance(theirs, str):
        return "NEURON: " + theirs
    same = (ours[:2] == theirs[:2] and
            abs(ours[2] - theirs[2]) <= 1e-4 * theirs[2])
    return "same" if same else "differs"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--neuron":
        print("ROW\t%d\t%d\t%.17g" % neuron_row(sys.argv[2]))
        return
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print("file\tcuts\t" + "\t".join(f"{name}\tNEURON" for name in COLUMNS) +
          "\tverdict")
    for path, ours in bosc_rows(sys.argv[1], sys.argv[2:]):
        theirs = import_apart(path)
        numbers = "\t".join(
            "%s\t%s" % ("-" if ours is None else "%.10g" % ours[k],
                        "-" if isinstance(theirs, str) else "%.10g" % theirs[k])
            for k in range(len(COLUMNS)))
        print(path, count_cuts(path), numbers, verdict(ours, theirs),
              sep="\t", flush=True)


if __name__ == "__main__":
    main()
