"""members.py - what must hold for the members of a sweep that have failed: all
variants tell the same ones, in the same words."""
import math
import re

TOLD = re.compile(r"member (\d+) \((.*?)\) has failed: (.*)")
COUNTED = re.compile(r"\d+ of \d+ members failed: [^;]*")
WHY = " became NaN or infinite after t = "
HALF = "; with dt = "
BY_REF = " ref gives the same;"  # of all methods but ref


def told(lines):
    """{number: (name, words)} of warnings."""
    found = [TOLD.search(line) for line in lines]
    return {int(f[1]): (f[2], f[3].replace(BY_REF, "")) for f in found if f}


def failed(whole):
    """The members that have failed, by the result."""
    status = whole["member_status"].unpack() if "member_status" in whole else ()
    return {m for m, s in enumerate(status) if s}


def not_finite(whole):
    """Those with a soma whose voltage is not finite in the last frame."""
    if "every_member" not in whole:
        return set()
    of = whole["every_member"].unpack()
    last = whole["every_v"].unpack()[-len(of):] if of else ()
    return {m for m, v in zip(of, last) if not math.isfinite(v)}


def counted(way):
    """'2 of 3 members failed: member 0 (...) and 1 other', of its message."""
    found = COUNTED.search(way.message)
    return found[0] if found else None


def check(way, lines, reference, wanted):
    """Of a run of all members; 'wanted' is told() of the reference.  A run that
    goes on begins with another group of members."""
    if way.program != "killed" and counted(way) != counted(reference):
        yield f"'{counted(way)}' against '{counted(reference)}'"
    if told(lines) != wanted:
        yield f"tells {told(lines)} against {wanted}"


def check_library(way, lines, wanted):
    """The library looks for members that have failed more often than a run does:
    it may find another one first, which it then tells why, or a neuron that was
    the first to fail, and half the time step may help until then; names of a
    table's members have its values as texts."""
    mine = told(lines)
    if set(mine) != set(wanted):
        yield f"tells members {sorted(mine)} against {sorted(wanted)}"
        return
    if any(word.startswith("@table") for word in way.words):
        return
    for number, (name, words) in mine.items():
        other, others = wanted[number]
        if name != other:
            yield f"tells of '{name}' against '{other}'"
        same = WHY in words and WHY in others and (
            words.split(WHY)[0] == others.split(WHY)[0])
        if same and words.split(HALF)[0] != others.split(HALF)[0]:
            yield f"tells '{words}' against '{others}'"
