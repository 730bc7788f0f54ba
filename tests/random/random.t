#!/bin/bash
# random.t - jobs drawn at random have the same bits in every way to run them.
#
# usage: tests/random/random.t [JOBS]      (default 24, of seed 1 and following)
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
jobs=${1:-24}
python=$(find_python json)
[ -n "$python" ] || skip_all "no python3"
[ -x "$BOSC_BUILD/tests/random/variants" ] || skip_all "tests/random/variants is not built"
own_folder
here=$BOSC_SRC/tests/random
# number WHAT: of the last line of 'out'.
number() { tail -n 1 out | sed -n "s/.*, \([0-9]*\) $1,.*/\1/p"; }

"$python" "$here/jobs" --keys >out 2>&1
rc=$?
diagnose="cat out"
ok "every key of a job is drawn, or left out for a reason" is $rc 0

# Programs that were built before bosc's library.
mkdir -p old/tests/random
touch -d 2020-01-01 old/tests/random/library
cp -p "$BOSC_BUILD/tests/random/results" old/tests/random
touch old/libbosc.a
"$python" "$here/jobs" --build old >out 2>&1
rc=$?
ok "a program that is missing or older than bosc ends with 2" is $rc 2
ok "and is named, with the remedy" is "$(cat out)" \
    "old/tests/random: variants, library missing or older than bosc: run 'make check TESTS=' in old"

# What is not compared cannot differ: a result with one bit changed is told.
cat >job.yaml <<'END'
tstop: 1
populations: [{name: a, synthetic: {compartments: 9, sections: 3}, count: 3, regions: {all: {hh: {}}}}]
probes: [{name: every}]
END
alone job.yaml -q -o a.nc
alone job.yaml -q -o b.nc --set v_init=-64.99999999999999
alone job.yaml -q -o c.nc --set threads=2
printf 'same\ta.nc\tb.nc\nsame\ta.nc\tc.nc\n' | "$BOSC_BUILD/tests/random/results" >out
ok "one bit of a voltage is a difference" eval 'sed -n 1p out | grep -q "^every_v.*against"'
ok "and equal results are the same" is "$(sed -n 2p out)" same

# Nor is a sentence about physics worth much that is never said.
cat >wrong.py <<'END'
import sys
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import physics

V = physics.Variable
job = types.SimpleNamespace(
    keys={"dt": 1, "projections": [{"from": "a", "to": "a",
                                    "rule": "all_to_all"}]},
    populations=[types.SimpleNamespace(name="a", n=3)], files={},
    closed={"e": -65, "g": 1e-4, "cm": 1, "clamps": []})
data = {"time_every": V("d", [5], (0, 1, 2, 3, 4)),
        "every_v": V("d", [5, 1], (-65, -10, -65, -65, -65)),
        "every_gid": V("q", [1], (0,)), "spike_time": V("d", [1], (1,)),
        "spike_gid": V("q", [1], (0,)), "neuron_area": V("d", [1], (100,))}
calm = {**data, "every_v": V("d", [5, 1], (-65,) * 5)}
data["time_all"], data["all_v"] = data["time_every"], data["every_v"]
data["all_gid"], data["all_area"] = data["every_gid"], data["neuron_area"]
for name, fails, holds in (
        ("crossings", physics.crossings(job, calm),
         physics.crossings(job, data)),
        ("order", physics.crossings(job, {**data, "spike_time": V(
            "d", [2], (3, 1)), "spike_gid": V("q", [2], (0, 0))}), ()),
        ("connections", physics.connections(job, 8),
         physics.connections(job, 9)),
        ("rest", physics.rest(job, data), physics.rest(job, calm)),
        ("single", physics.single(job, data), physics.single(job, calm)),
        ("charge", physics.charge(job, data), ())):
    if not list(fails) or list(holds):
        print(name)
END
ok "a spike without a crossing, a lost connection, a lost charge: each is told" is \
    "$("$python" wrong.py "$here" 2>&1)" ""

# The same of readings of the library, and of members that have failed.
cat >wrong.py <<'END'
import sys
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import library
import members
import physics

B, T = physics.block, physics.texts
whole = {"every_v": B("d", [2, 3], (1, 2, 3, 4, 5, 6)),
         "every_m": B("d", [2, 3], (float("nan"), 2, 3, float("nan"), 5, 6)),
         "time_every": B("d", [2], (0, 1)), "every_x": B("d", [3], (0, 0.5, 1)),
         "every_gid": B("q", [3], (0, 1, 1)),
         "every_compartment": B("i", [3], (0, 0, 1)),
         "every_section": B("i", [3], (0, 0, 1)),
         "section_name": T(["soma[0]", "dend[0]"]),
         "population_name": T(["a"]), "neuron_population": B("i", [2], (0, 0)),
         "spike_time": B("d", [1], (1,)), "spike_gid": B("q", [1], (1,))}
mine = {**{n: whole[n] for n in ("every_v", "time_every", "spike_time",
                                 "spike_gid", "population_name")},
        "every_m": B("d", [2, 2], (2, 3, 5, 6)), "neurons": B("q", [1], (2,)),
        "population_numbers": B("q", [3], (0, 2, 0))}
for name, first in (("every_v", 0), ("every_m", 1)):
    for part in ("gid", "compartment", "x"):
        of = whole[f"every_{part}"]
        mine[f"{name}.{part}"] = library.chosen(of, range(first, 3))
    mine[name + ".section"] = T(["soma[0]", "soma[0]", "dend[0]"][first:])
if list(library.differences(whole, mine)):
    print("all is the same")
for name, other in (
        ("every_v", B("d", [2, 3], (4, 5, 6, 4, 5, 6))),
        ("every_m", B("d", [2, 2], (2, 3, 5, float("nan")))),
        ("every_v.gid", B("q", [3], (0, 1, 0))), ("every_m", None),
        ("every_m.section", T(["soma[0]", "soma[0]"])),
        ("time_every", B("d", [2], (0, 1.0000000000000002))),
        ("spike_gid", B("q", [1], (0,))), ("spike_time", B("d", [0], ())),
        ("population_numbers", B("q", [3], (0, 1, 0)))):
    changed = {**mine, name: other}
    if other is None:
        del changed[name]
    if not list(library.differences(whole, changed)):
        print(name)
way = types.SimpleNamespace(message="1 of 3 members failed: member 1 (x); a",
                            words=[], program="run")
lines = ["member 1 (x) has failed: the voltage of neuron 4 became NaN or infinite at"]
told = members.told(lines)
for name, fails, holds in (
        ("count", members.check(way, lines, types.SimpleNamespace(
            message="2 of 3 members failed: member 1 (x); a"), told),
         members.check(way, lines, way, told)),
        ("words", members.check(way, [lines[0] + "!"], way, told), ()),
        ("untold", members.check_library(way, [], told),
         members.check_library(way, lines, told)),
        ("name", members.check_library(way, [lines[0].replace("x", "y")],
                                       told), ())):
    if not list(fails) or list(holds):
        print(name)
if members.not_finite({"every_member": B("i", [2], (0, 1)), "every_v": B(
        "d", [2, 2], (1, 2, 3, float("inf")))}) != {1}:
    print("not finite")
END
ok "a reading of the library that differs, a failed member that is not told: each is told" is \
    "$("$python" wrong.py "$here" 2>&1)" ""

"$python" "$here/jobs" --from 1 --jobs "$jobs" \
    --keep "$BOSC_BUILD/tests/random/failed" >out 2>&1
rc=$?
diagnose="cat out"
ok "$jobs jobs, each in its variants: no difference" is $rc 0
tail -n 1 out | sed 's/^/# /'
ok "hardly any is refused" [ "$(number refused)" -le $((1 + jobs / 50)) ]
ok "each in more than one way through the library" eval \
    '[ "$(number "through the library")" -gt '"$jobs"' ]'
ok "some have members that fail" eval '[ "$(number "with failed members")" -ge 1 ]'
ok "some have spikes" eval '[ $((5 * $(number "with spikes"))) -ge '"$jobs"' ]'
done_testing
