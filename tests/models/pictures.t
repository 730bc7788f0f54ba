#!/bin/bash
# pictures.t - the list of a job's compartments has the numbers of the formulas;
# pictures of single neurons and of gradients are drawn from it, and mistakes are
# told.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 LC_ALL=C
unset BOSC_MACHINE

own_folder
diagnose="cat out"

# A soma with an apical dendrite of 300 um that forks, and one of 100 um.
cat >cell.swc <<'END'
1 1 0 0 0 8 -1
2 1 0 8 0 8 1
3 4 0 8 0 2 2
4 4 0 158 0 1.5 3
5 4 0 308 0 1 4
6 4 50 400 0 0.5 5
7 4 -50 450 0 0.5 5
8 3 0 -100 0 1 1
END
printf 'section\tlength\tdiameter\tparent\nsoma\t20\t15\t-\n' >flat.cylinders.tsv
printf '%s\t100\t1\t%s\n' 'dend[0]' soma 'dend[1]' 'dend[0]' 'dend[2]' 'dend[0]' \
    axon soma >>flat.cylinders.tsv
cat >job.yaml <<'END'
tstop: 3
clamps: [{delay: 0.5, duration: 2, amplitude: 2, population: a}]
probes: [{name: tree, at: everywhere, interval: 0.1, neurons: "1", population: a}]
populations:
  - name: a
    morphologies: cell.swc
    count: 3
    discretisation: {max_length: 12}
    regions:
      all: {Ra: 100, cm: 1, pas: {g: {normal: [1e-4, 1e-5]}, e: -65}}
      soma: {hh: {}}
      apical:
        hh: {gnabar: {formula: "value*(1 + (distance/farthest)^2)", value: 0.01}}
        pas: {e: {linear: [-70, 0.06]}}
      tuft:
        where: {region: apical, distance: [320, 1000]}
        Ra: {formula: "100 + section_length"}
        v_init: {step: [350, 400, -60, -55]}
  - {name: b, morphologies: flat.cylinders.tsv, regions: {all: {pas: {}}}}
END

slope='populations.0.regions.apical.pas.e={linear: [-70, 0.05]}'
list() { timeout 60 "$BOSC" inspect "$@" --compartments >out 2>&1 </dev/null; }
# check AWK: true of each compartment of the list that has area, where must() is; its
# columns are c["NAME"], its distance d.
check() {
    awk -F'\t' '
        function near(x, y) { return x - y < 1e-9 * (y < 0 ? -y : y) + 1e-12 &&
                                     y - x < 1e-9 * (y < 0 ? -y : y) + 1e-12 }
        function must(is) { if (!is) { print "line " NR ": " $0 > "/dev/stderr"; bad = 1 } }
        /^#/ { next }
        !("section" in c) { for (k = 1; k <= NF; ++k) c[$k] = k; next }
        $c["area_um2"] > 0 { ++n; d = $c["distance_um"]; '"$1"' }
        END { exit bad || !n }' out
}

# ---- the list ----

list cell.swc --max-length 12
ok "the compartments of a file are listed" is "$(head -n 1 out | tr '\t' ' ')" \
    "file region section x node parent type x_um y_um z_um diameter_um length_um area_um2 resistance_Mohm distance_um"
ok "with their places, regions and path distances" check '
    if ($c["section"] == "apic[0]")
        must(near(d, 4 + 300 * $c["x"]) && near($c["length_um"], 12) &&
             near(int($c["y_um"] * 100 + 0.5), int(800.5 + 30000 * $c["x"])))
    must(index($c["region"], substr($c["section"], 1, 4)) == 1)'
list cell.swc --max-length 12 --axon stub
ok "with an axon rule, the sections that it makes" \
    [ "$(cut -f 3 out | sort -u | grep -c axon)" = 2 ]
list job.yaml --population a --neuron 1 --set "$slope"
ok "a neuron of a job is listed" says '^#neuron'"$(printf '\t')"'1	a	cell.swc$'
ok "what varies is told with its formula" says \
    '^#varies	a	hh.gnabar	S/cm2	apical	job.yaml:13	value\*\(1 \+ \(distance/farthest\)\^2\), value: 0.01$'
ok "each number is that of its formula at its compartment" check '
    apical = $c["section"] ~ /^apic/
    e = $c["pas.e (mV)"]
    if (apical) must(near(e, -70 + 0.05 * d)); else must(e == -65)
    tuft = apical && d >= 320
    must(($c["region"] == "tuft") == tuft)
    v = $c["v_init (mV)"]
    must(v == (!tuft ? -65 : d >= 350 && d <= 400 ? -60 : -55))'
farthest=$(awk -F'\t' 'NR > 1 && /^1/ && $16 > most { most = $16 } END { print most }' out)
ok "farthest is the largest distance, of an end" check '
    if ($c["section"] ~ /^apic/)
        must(near($c["hh.gnabar (S/cm2)"], 0.01 * (1 + (d / '"$farthest"') ^ 2)) ||
             d == 0)
    else must($c["section"] ~ /^soma/ ? $c["hh.gnabar (S/cm2)"] == 0.12 : $c["hh.gnabar (S/cm2)"] == "")'
ok "Ra is one number a section, that of its middle" check '
    s = $c["section"]
    more = s == "apic[1]" ? sqrt(50^2 + 92^2) : 0
    if (s == "apic[2]") more = sqrt(50^2 + 142^2)
    must(near($c["Ra (ohm cm)"], 100 + more))'
cp out one
list job.yaml --neuron 2
ok "a draw is another number for another neuron" [ "$(awk -F'\t' \
    '/^[12]/ && $14 > 0 { print $20 }' one out | sort -u | wc -l)" = 2 ]
list job.yaml
ok "without a choice the first neuron of each population is listed" is \
    "$(sed -n 's/^#neuron\t//p' out | tr '\t\n' ' ,')" "0 a cell.swc,3 b flat.cylinders.tsv,"
ok "what has no coordinates has none" [ "$(awk -F'\t' \
    '$2 == "b" && ($9 $10 $11) != "" { ++n } END { print n + 0 }' out)" = 0 ]
list job.yaml --neuron 0 --set populations.0.regions.all.cm=2.5
ok "--set changes a job" check 'must($c["cm (uF/cm2)"] == 2.5)'

# A table of compartments says what the list says: into a job and back.
awk -F'\t' 'BEGIN { print "section\tx\tgnabar (S/cm2)" } /^1/ && $14 > 0 && $4 ~ /^apic/ {
    print $4 "\t" $5 "\t" 0.001 * NR }' one >table.tsv
sed 's/gnabar: .*/gnabar: {table: table.tsv}}/' job.yaml >tabled.yaml
list tabled.yaml --neuron 1
ok "values of a table are listed where the table has them" is "$(awk -F'\t' '
    NR == FNR { if (FNR > 1) want[$1 " " $2] = $3; next }
    /^neuron/ { for (k = 1; k <= NF; ++k) if ($k ~ /gnabar/) at = k }
    /^1/ && ($4 " " $5) in want { n += $at == want[$4 " " $5]; ++all }
    END { print (all > 40 && n == all) }' table.tsv out)" 1

# CODE MESSAGE ARGUMENTS...: what inspect refuses.
wants() {
    timeout 60 "$BOSC" inspect "${@:3}" >out 2>&1 </dev/null
    [ $? = "$1" ] && says "$2"
}
ok "a neuron out of range is refused with the range" wants 65 \
    '\-\-neuron 3: population a has 3 neurons, from 0 to 2$' \
    job.yaml --compartments --population a --neuron 3
ok "of the job, too" wants 65 '\-\-neuron 4: the job has 4 neurons, from 0 to 3$' \
    job.yaml --compartments --neuron 4
ok "an unknown population with those there are" wants 65 \
    '\-\-population c: the job has none; there are a, b$' \
    job.yaml --compartments --population c
ok "a job alone is told what to do" wants 2 'list .* with --compartments, or draw' job.yaml
ok "options of files are none of a job" wants 2 'says itself how neurons are cut' \
    job.yaml --compartments --odd-per 40
ok "options of a job are none of files" wants 2 "cell.swc' is none" \
    cell.swc --compartments --neuron 0
ok "a picture is of one file" wants 2 '2 files; give one' cell.swc cell.swc --draw a.png
ok "a number beyond its range is told with its place" wants 65 \
    'e is 1910 mV at apic\[0\].* from -200 to 200' job.yaml --compartments \
    --set 'populations.0.regions.apical.pas.e={linear: [1900, 1]}'

# ---- pictures ----

python=$(find_python netCDF4 matplotlib)
if [ -z "$python" ]; then
    skip "python3-netcdf4 or python3-matplotlib is not installed"
    done_testing
    exit
fi
export MPLCONFIGDIR=$work BOSC_PYTHON=$python BOSC_PROGRAM=$BOSC
plot() { timeout 120 "$BOSC" plot "$@" >out 2>&1 </dev/null; }
shows() { grep -qF -- "$2" "$1"; }
bad() { ! plot "${@:2}" && says "$1" && ! says Traceback; }

ok "inspect draws a morphology" timeout 60 "$BOSC" inspect cell.swc --axon stub --draw a.svg
ok "with its name, its regions and a scale in um" eval 'shows a.svg cell.swc &&
    shows a.svg apical && shows a.svg axon && shows a.svg "20 µm"'
ok "one without coordinates by distances" eval \
    'timeout 60 "$BOSC" inspect flat.cylinders.tsv --draw b.svg && shows b.svg "path distance from the soma (µm)"'
alone job.yaml -q -o r.nc --set "$slope"
ok "a result is drawn by its voltages" eval \
    'plot r.nc --tree -o v.svg && shows v.svg "voltage (mV)" && shows v.svg "population a, neuron 1" && shows v.svg "the highest of the soma"'
ok "or by a number of its job" eval \
    'plot r.nc --tree --by hh.gnabar -o g.svg && shows g.svg "hh.gnabar (S/cm2)" && shows g.svg "no hh"'
ok "an unknown number is refused with those there are" bad \
    'has no such number; did you mean hh.gnabar.* there are region, diam, distance, Ra, cm, v_init, pas.g,' \
    job.yaml --tree --by hh.gnaba -o x.svg
ok "a neuron that was not recorded with those that were" bad \
    "neuron 2: probe set 'tree' has no voltages .* has those of 1, of 4" r.nc --tree --neuron 2
ok "options of one neuron want --tree" bad 'add --tree' r.nc --by region

sed '/^probes/d' job.yaml >unseen.yaml
alone unseen.yaml -q -o unseen.nc
# What is drawn is what is listed, and that is the formula.
cat >drawn.py <<'END'
import argparse, io, os, sys
sys.path.insert(0, os.path.join(os.environ["BOSC_SRC"], "jobs"))
sys.dont_write_bytecode = True
import results, trees
trees.begin()
import numpy as np
cell = trees.list_compartments("job.yaml", ["--neuron", "1", "--set", sys.argv[1]])[0]
axes = trees.plt.figure().add_subplot()
trees.draw_gradient(axes, cell, "pas.e")
drawn = {line.get_label(): line.get_xydata() for line in axes.lines}
for name in ("apical", "tuft"):
    at = drawn[name]
    assert len(at) > 10 and np.allclose(at[:, 1], -70 + 0.05 * at[:, 0], 1e-12)
assert np.all(drawn["dendrite"][:, 1] == -65)
# a line is as dark as its compartment's number is large
colours = trees.colouring(cell, "pas.e")
shape = trees.Shape(cell)
low, high = colours.norm.vmin, colours.norm.vmax
site = cell.section[shape.owner] == "apic[0]"
share = (-70 + 0.05 * cell.distance[shape.owner[site]] - low) / (high - low)
inside = cell.sites()[shape.owner[site]]
want = colours.map(share)
assert abs(colours.colours[shape.owner[site]] - want)[inside].max() < 0.01
# the lines of a section are as long as it is, in the plane that shows it
lengths = np.hypot(*(shape.lines[site][:, 1] - shape.lines[site][:, 0]).T)
assert abs(lengths.sum() - 300) < 1, lengths.sum()
tree = trees.Dendrogram(cell)
assert tree.tips == 3 and tree.lost == 0, tree.tips
r = results.Results("r.nc")
gid, a, b = trees.recorded(r, "tree")[0]
same = trees.cell_of_result(r, "tree", gid, a, b)
assert np.allclose(same.distance, cell.distance, 1e-6)
start = r.read("tree_v", (0, slice(a, b)))
assert (start == cell.numbers["v_init"][1])[cell.sites()].all()
for time, peak in ((None, True), (1.04, False)):
    options = argparse.Namespace(at=time)
    frame, why = trees.chosen_frame(r, "tree", cell, a, b, options)
    v = r.read("tree_v", (slice(None), a + 1))
    assert frame == (v.argmax() if peak else 10) and (why != "") == peak
for broken, message in ((lambda: trees.chosen_frame(r, "tree", cell, a, b,
                         argparse.Namespace(at=4)), "from 0 to 3 ms"),
                        (lambda: trees.of_voltage(results.Results("unseen.nc"),
                         argparse.Namespace(file="unseen.nc", set=None)),
                         "at: everywhere}, or colour by")):
    said = sys.stderr = io.StringIO()
    try:
        broken()
        assert False, message
    except SystemExit as end:
        assert end.code in (2, 65) and message in said.getvalue()
    sys.stderr = sys.__stderr__
assert (same.parent == cell.parent).all() and (same.section == cell.section).all()
END
"$python" drawn.py "$slope" >out 2>&1
ok "what is drawn are the numbers of the formula and the run, in their places" is $? 0

timeout 120 "$BOSC" report r.nc -o page >out 2>&1 </dev/null
page() { tr '\n' ' ' <page/index.html | grep -qF -- "$1"; }
ok "a report shows what varies, each with its formula" eval \
    '[ -s page/gradient-a-hh_gnabar.png ] && [ -s page/gradient-a-Ra.svg ] &&
    page "apical: value*(1 + (distance/farthest)^2), value: 0.01" &&
    page "all: {normal: [1e-4, 1e-5]} <"'
ok "with the values that were set on the command line" page "apical: -70 + 0.05*distance"
ok "it is sound" eval '"$python" "$BOSC_SRC/tests/figures/page.py" page r.nc >out 2>&1'
echo '# changed' >>job.yaml
ok "of a job that has changed no number is drawn" bad \
    'job.yaml has changed since; draw the job itself' r.nc --tree --by Ra
done_testing
