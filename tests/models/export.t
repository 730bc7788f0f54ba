#!/bin/bash
# export.t - jobs/bosc-export writes cells that stand in NEURON as jobs.
# NEURON_PYTHON names the Python that has NEURON; default: python3.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive NEURON_MODULE_OPTIONS=-nogui
python3=$(command -v python3) || skip_all "python3 is not installed"
own_folder
diagnose="cat out err"
python=${NEURON_PYTHON:-python3}

export_cell() { # in $python
    timeout 120 "$python" "$BOSC_SRC/jobs/bosc-export" "$@" >out 2>err \
        </dev/null
}
says() { grep -qE -- "$1" "$2"; }
refuses() { # WORDS ARGUMENTS...
    local words=$1
    shift
    ! export_cell "$@" && says "$words" err && ! says Traceback err
}

ok "it shows its options" eval 'export_cell --help && says "--partial" out'
printf '#!/bin/sh\nexec "%s" -S -I "$@"\n' "$python3" >bare
chmod +x bare
with_neuron=$python
python=./bare
ok "a Python without NEURON is told what to install" \
    refuses "no NEURON.*pip install neuron" -o none
python=$with_neuron
"$python" -c "import neuron" >out 2>&1 || {
    echo "# NEURON is not installed"
    done_testing
    exit
}

cat >loose.py <<'END'
from neuron import h
class Cell:
    pass
cell = Cell()
soma, axon = h.Section(name="soma"), h.Section(name="axon")
axon.connect(soma(1))
cell.all = [soma]
END
ok "what hangs on the sections of a cell is exported with it" eval \
    'export_cell --python loose.py --cell cell -o loose && grep -q "^axon\[0\]" loose/cell.cylinders.tsv'
ok "and left out of a list, with a word" refuses \
    'axon hangs on soma and is no section of the list' --python loose.py --cell '[soma]' -o list

cat >stick.py <<'END'
from neuron import h
soma, dend = h.Section(name="soma"), h.Section(name="dend")
soma.L = soma.diam = 20
dend.L, dend.diam, dend.nseg = 300, 2, 5
dend.connect(soma(1))
soma.insert("hh")
soma.gnabar_hh = 0.2
dend.insert("pas")
dend.e_pas = -65
clamp = h.IClamp(soma(0.5))
clamp.delay, clamp.dur, clamp.amp = 1, 3, 0.4
h.tstop, h.v_init, h.celsius = 10, -66, 10
END
ok "a ball and stick is exported" export_cell --python stick.py -o stick
row() { printf '%s\t' "$@" | sed 's/\t$//'; }
ok "its sections are rows of a table of cylinders" grep -qxF \
    "$(row 'dend[0]' 300 2 'soma[0]' 1 5 3)" stick/cell.cylinders.tsv
ok "whose compartments the job has" says '^ +discretisation: .policy: per_sample' \
    stick/cell.yaml
# shellcheck disable=SC2016
ok "it runs" eval '"$BOSC" run -q stick/cell.yaml -o stick.nc >out 2>err'
ok "what differs from NEURON's defaults stands in the job" \
    says '^ +hh: \{gnabar: 0.2\}$' stick/cell.yaml
ok "so does the rest" says '^v_init: -66$' stick/cell.yaml
ok "a clamp becomes a point process" says \
    'type: IClamp, at: "soma\[0\]\(0.5\)", start: 1, end: 4, amplitude: 0.4' \
    stick/cell.yaml

cat stick.py - >gradient.py <<'END'
for seg in dend:
    seg.g_pas = seg.x / 4
    seg.cm = 1 + seg.x
END
ok "a cell with gradients is exported" export_cell --python gradient.py \
    --name slope -o slope
ok "a gradient is a column of its region's table" says \
    'pas: \{g: \{table: slope-dendrite.tsv, column: g_pas\}' slope/slope.yaml
ok "with a row a compartment" is "$(wc -l <slope/slope-dendrite.tsv)" 6
ok "and each one's value" is "$(sed -n '1p;4p' slope/slope-dendrite.tsv |
    tr '\t' ' ')" "section x cm g_pas
dend[0] 0.5 1.5 0.125"

cat stick.py - >steps.py <<'END'
for i, seg in enumerate(dend):
    seg.diam = 2 - i / 4
hook = h.Section(name="hook")
hook.L, hook.diam = 10, 1
hook.connect(dend(0.5))
back = h.Section(name="back")
back.L, back.diam, back.nseg = 30, 1, 3
back.connect(dend(1), 1)
back.insert("pas")
for seg in back:
    seg.g_pas = seg.x / 1000
END
ok "a section whose compartments differ in diameter is exported" \
    export_cell --python steps.py -o steps
ok "as one section a compartment" grep -qxF \
    "$(row 'dend[2]' 60 1.5 'dend[1]' 1 1 3)" steps/cell.cylinders.tsv
ok "what hangs on it hangs on one of them" grep -qxF \
    "$(row 'custom[0]' 10 1 'dend[2]' 0.5 1 5)" steps/cell.cylinders.tsv
ok "a section that hangs by its end is turned round" grep -qE \
    '^custom\[1\].0\.1666.*0\.000833' steps/cell-custom_1.tsv
ok "names that are not NEURON's usual ones are listed" grep -qxF \
    "$(row 'custom[1]' back)" steps/cell-names.tsv

cat >tree.hoc <<'END'
begintemplate Tree
public soma, dend, all
create soma, dend[3]
objref all
proc init() { local i
    all = new SectionList()
    soma { pt3dadd(0, 0, 0, 12) pt3dadd(12, 0, 0, 12) all.append() }
    dend[0] { pt3dadd(0, 6, 0, 3) pt3dadd(0, 36, 0, 2) }
    dend[1] { pt3dadd(0, 36, 0, 1.5) pt3dadd(50, 66, 0, 1) }
    dend[2] { pt3dadd(0, 36, 0, 2) pt3dadd(-90, 66, 0, 1.5) }
    connect dend[0](0), soma(0.5)
    for i = 1, 2 connect dend[i](0), dend[0](1)
    for i = 0, 2 dend[i] { all.append() nseg = 1 + 2 * i }
    forsec all { insert pas e_pas = -65 g_pas = 1e-4 Ra = 150 }
    soma { insert hh }
    soma.nseg = 1
}
endtemplate Tree
objref cell
create other
cell = new Tree()
END
ok "a cell of a hoc template is exported" \
    export_cell --hoc tree.hoc --cell cell -o tree
ok "with points" test -s tree/cell.nml
ok "and the compartments of each section" is "$(sed -n \
    's/.*numberInternalDivisions" value="\(.*\)".*/\1/p' tree/cell.nml |
    tr '\n' ' ')" "1 1 3 5 "
ok "as the job has it" says 'discretisation: \{policy: per_sample' tree/cell.yaml
ok "other cells of the process are not" eval '! grep -q other tree/*'
# An axon whose length no two points have as floats, cut as no rule says.
cat >stub.py <<'END'
from neuron import h
h.load_file("stdrun.hoc")
h.load_file("tree.hoc")
cell, axon = h.cell, [h.Section(name=f"axon[{i}]") for i in range(2)]
for sec in axon:
    sec.L, sec.diam, sec.Ra = 30.1, 1.3, 150
axon[0].nseg, axon[1].nseg = 4, 7
axon[0].connect(cell.soma(0.5))
axon[1].connect(axon[0](1))
h.define_shape()
sections = [cell.soma, *cell.dend, *axon]
with open("wanted", "w") as out:
    for sec in sections:
        for seg in sec:
            print(sec.name().split(".")[-1], seg.area(), seg.ri(), file=out)
END
ok "a cell with an axon of its own is exported" export_cell --python stub.py \
    --cell sections -o stub
compartments_are_neuron_s() {
    "$BOSC" inspect --compartments --tsv --policy per_sample --Ra 150 \
        stub/cell.nml >listed 2>err || return
    awk -F '\t' 'NR > 1 && $13 > 0 { print $3, $13, $14 }' listed | sed 's/^soma.0./soma/' |
        paste -d ' ' - wanted >both
    awk 'function near(a, b) { return (a - b)^2 < 1e-18 * b^2 }
         NF != 6 || $1 != $4 || !near($2, $5) || !near($3, $6) { bad = 1 }
         END { exit bad || NR != 1 + 1 + 3 + 5 + 4 + 7 }' both
}
diagnose="cat out err both"
ok "areas and axial resistances of compartments are NEURON's" \
    compartments_are_neuron_s
diagnose="cat out err"
sed 's/36, 0, 1.5/36, 0, 2/; s/nseg = 1 + 2 . i/nseg = 1/' tree.hoc >single.hoc
ok "where an SWC file has the same sections it is one" \
    export_cell --hoc single.hoc --cell cell -o single
cat >volts.py <<'END'
import sys
from neuron import h
h.load_file("stdrun.hoc")
h.load_file("single.hoc")
clamp = h.IClamp(h.cell.soma(0.5))
clamp.delay, clamp.dur, clamp.amp = 1, 20, 0.4
h.usetable_hh, h.dt = 0, 0.025
v = h.Vector().record(h.cell.dend[2](0.5)._ref_v)
h.finitialize(-65)
for _ in range(400):
    h.fadvance()
ours = [float(x) for x in sys.stdin.read().replace(",", " ").split()]
print(len(ours), max(abs(a - b) for a, b in zip(ours, v, strict=True)))
END
same_voltages() {
    cat single/cell.yaml - >single/run.yaml <<'END' || return
clamps: [{delay: 1, duration: 20, amplitude: 0.4}]
probes: [{name: d, at: "dend[2](0.5)"}]
END
    "$BOSC" run -q --set tstop=10 single/run.yaml -o run.nc >out 2>err &&
        ncdump -p 9,17 -v d_v run.nc | sed -n '/^ d_v =/,/;/p' |
        tr -d 'a-z_=;' | "$python" volts.py >out 2>>err &&
        awk '{ exit !($1 == 401 && $2 < 1e-4) }' out
}
if command -v ncdump >/dev/null; then
    ok "bosc computes from it what NEURON does" same_voltages
else
    skip 1 "ncdump is not installed"
fi

cat stick.py - >events.py <<'END'
synapse, source = h.ExpSyn(dend(0.5)), h.NetStim()
connection = h.NetCon(source, synapse)
END
ok "what is not exported makes status 1" \
    refuses "1 NetCon" --python events.py -o events
ok "and is in the job's comments" says '^# Not expressed: 1 NetStim' \
    events/cell.yaml
ok "with --partial it does not" export_cell --partial --python events.py \
    -o events
ok "several trees are refused, by name" refuses "no one tree: soma, lone" \
    --python <(cat stick.py && echo 'lone = h.Section(name="lone")') -o none
ok "a cell that is not there is refused" refuses "neither .* 'nobody'" \
    --python stick.py --cell nobody -o none
done_testing
