#!/bin/bash
# sweeps.t - figures of sweeps: every draw is a point, cells that differ have
# curves of their own, members and files are named, and no name is a formula.
# shellcheck disable=SC2016  # what eval and Python read
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

python=$(find_python netCDF4 matplotlib)
[ -n "$python" ] || skip_all "python3-netcdf4 or python3-matplotlib is not installed"
own_folder
export MPLCONFIGDIR=$work BOSC_PYTHON=$python PYTHONDONTWRITEBYTECODE=1
diagnose="cat out"

run() { # JOB
    timeout 300 "$BOSC" run "$1.yaml" -q -o "$1.nc" >out 2>&1 </dev/null
}
report() { timeout 300 "$BOSC" report "$1.nc" -o "$1" >out 2>&1 </dev/null; }
draw() { timeout 300 "$BOSC" plot "$1.nc" -o "$1.svg" >out 2>&1 </dev/null; }
is_sound() { "$python" "$BOSC_SRC/tests/figures/page.py" "$1" >out 2>&1; }
shows() { grep -qF -- "$2" "$1"; }

# holds FILE EXPRESSION: true of a result's 'curves' (by key), 'run' and 'keys'.
cat >holds.py <<'END'
import sys
import figures
import results as shared
import sweeps
figures.begin()
sweeps.begin()
np = figures.np
results = shared.Results(sys.argv[1])
run = figures.Run(results)
keys = sweeps.swept(results)
curves = {k.name: sweeps.Curves(run, k, [o for o in keys if o is not k])
          for k in keys if k.is_number}
print({n: [(c.group, c.cell, c.others, c.x, c.y) for c in k.all][:9]
       for n, k in curves.items()})
sys.exit(not eval(sys.argv[2].replace("\n", " ").strip()))
END
holds() { PYTHONPATH=$BOSC_SRC/jobs "$python" holds.py "$@" >out 2>&1; }

# --- draws ------------------------------------------------------------------
cat >draws.yaml <<'END'
tstop: 30
populations:
  - {name: cell, synthetic: {compartments: 3, sections: 1}, regions: {all: {pas: {}, hh: {}}}}
clamps:
  - {at: soma, delay: 2, duration: 28, amplitude: 0.1}
probes:
  - {name: soma, at: soma, interval: 1}
sweep:
  draws:
    n: 2000
    keys: {clamps.0.amplitude: {uniform: [0, 1]},
           populations.cell.regions.all.hh.gnabar: {uniform: [0.08, 0.16]}}
END
ok "2,000 draws are run" run draws
ok "each is a point, for both keys" holds draws.nc \
    'all(k.is_scatter and sum(len(c.x) for c in k.all) == 2000 for k in curves.values())'
ok "and all are drawn, in the colour of the other key" holds draws.nc \
    'all(len(k.shown) == 1 and len(k.shown[0].shades) == 2000 for k in curves.values())'
ok "each at its own rate" holds draws.nc '(lambda c:
    all(y in run.rates()[keys[0].values == x] for x, y in zip(c.x, c.y)))(curves["amplitude"].all[0])'
ok "they have a page" eval 'report draws && is_sound draws && shows draws/index.html "2,000 points"'
ok "which counts members by their rates" shows draws/index.html "In how many of the 2,000 members"

# --- cells that differ, and a key that does not matter --------------------------
mkdir files
for name in small medium; do
    cp "$BOSC_SRC/morphologies/$name-low.swc" files
done
cat >cells.yaml <<'END'
tstop: 100
populations:
  - name: cells
    morphologies: "files/*.swc"
    regions: {all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}, soma: {pas: false, hh: {}}}
  - {name: quiet, synthetic: {compartments: 3, sections: 1}, count: 3, regions: {all: {pas: {}}}}
clamps:
  - {population: cells, at: soma, delay: 10, duration: 90, amplitude: 0.1}
probes:
  - {name: soma, at: soma, interval: 0.1}
sweep:
  grid: {clamps.0.amplitude: [0.1, 0.2, 0.3], populations.quiet.regions.all.pas.g: [1e-4, 2e-4]}
END
ok "cells that differ are run at three currents" run cells
ok "each has a curve, of its own spikes" holds cells.nc '(lambda found:
    sorted(c.cell for c in found) == [0, 1] and all(
        c.x.tolist() == [0.1, 0.2, 0.3] and
        np.allclose(c.y, [np.sum(run.gid == 5 * m + c.cell) * 10 for m in (0, 2, 4)])
        for c in found) and any(found[0].y != found[1].y))(curves["amplitude"].all)'
ok "one for all values of a key that does not matter" holds cells.nc \
    'all(c.others is None for c in curves["amplitude"].all)'
ok "a population that the current does not reach is left out, by name" holds cells.nc \
    'curves["amplitude"].flat == ["quiet"]'
ok "the page names files and members" eval \
    'report cells && is_sound cells && shows cells/sweep-amplitude.svg "cell 1, small-low.swc" &&
     shows cells/raster.svg "amplitude=0.2, g=1e-4" && shows cells/rates.svg "amplitude=0.3, g=2e-4"'
ok "so does the figure of a run" eval \
    'draw cells && shows cells.svg "small-low.swc" && shows cells.svg "amplitude=0.3, g=1e-4" &&
     shows cells.svg "30 neurons in 6 members of a sweep"'

cat >many.yaml <<'END'
tstop: 60
populations:
  - {name: cells, synthetic: {compartments: [10, 60], sections: [3, 9]}, count: 30, regions: {all: {pas: {}, hh: {}}}}
clamps:
  - {at: soma, delay: 5, duration: 55, amplitude: 0.1}
sweep:
  grid: {clamps.0.amplitude: [0.1, 0.4, 1]}
END
ok "30 cells that differ have 30 curves, without dashes" eval 'run many && holds many.nc "(lambda k:
    len(k.shown) == 30 and not any(sweeps.Look(k).dash))(curves[\"amplitude\"])" && report many &&
    is_sound many && shows many/index.html "each has its own curve"'
sed 's/grid.*/draws: {n: 40, keys: {clamps.0.amplitude: {uniform: [0, 1]}, celsius: {uniform: [6, 9]}}}/' \
    many.yaml >cloud.yaml
ok "of draws their mean is a point, without a band" eval 'run cloud && report cloud && is_sound cloud &&
    shows cloud/index.html "40 points" && shows cloud/index.html "Each is the mean of a population. " &&
    ! shows cloud/index.html "the band"'

# --- the neurons drawn show the range of rates ----------------------------------
ok "levels are spread from the lowest to the highest" holds cells.nc '(lambda rates:
    [rates[i] for i in shared.spread(rates, 4)] == [0, 41, 60, 100])([5, 0, 100, 2, 41, 60, 60, 3])'
ok "of few levels several neurons are drawn" holds cells.nc '(lambda chosen:
    len(set(chosen)) == 6 and {i % 2 for i in chosen} == {0, 1})(shared.spread([0, 1] * 20, 6))'
ok "fewer neurons than wanted are all drawn" holds cells.nc 'shared.spread([3, 1, 2], 6) == [1, 2, 0]'
ok "the lowest and the highest rate are drawn" holds cells.nc '(lambda chosen, rate:
    rate[chosen].min() == rate.min() and rate[chosen].max() == rate.max())(
    shared.choose_neurons(results, range(run.n), 6), run.neuron_rates())'
ok "of each population" holds cells.nc \
    'set(run.neuron_group[shared.choose_neurons(results, range(run.n), 6)]) == {0, 1}'

# --- names ------------------------------------------------------------------------
mkdir odd
cp "$BOSC_SRC/morphologies/ball-and-stick.swc" 'odd/$x_{.swc'
cp "$BOSC_SRC/morphologies/ball-and-stick.swc" 'odd/5$ and 6$.swc'
cat >names.yaml <<'END'
name: '$\frac$ and $x_{'
tstop: 20
populations:
  - {name: cells, morphologies: "odd/*.swc", regions: {all: {pas: {}}, soma: {hh: {}}}}
clamps:
  - {at: soma, delay: 2, duration: 18, amplitude: 0.1}
probes:
  - {name: soma, at: soma, interval: 0.1}
  - {name: tree, at: everywhere, neurons: "0", interval: 0.5}
sweep:
  zip: {name: ['$x_{', '<b>&$\frac$'], clamps.0.amplitude: [0.4, 0.8]}
END
ok "a title, members and files may look like broken formulas" run names
ok "in a page they are text" eval \
    'report names && is_sound names && shows names/traces-soma.svg "\$x_{.swc" &&
     shows names/rates.svg "&lt;b&gt;&amp;\$\\frac\$"'
ok "so they are in the figure of a run" eval \
    'draw names && shows names.svg "\$\\frac\$ and \$x_{" && shows names.svg "5\$ and 6\$.swc, \$x_{"'
ok "values that bosc put into names are rounded" holds names.nc \
    'shared.round_values("g=0.0831553, e=-65.123456, n=3") == "g=0.08316, e=-65.12, n=3" and
     shared.round_values("my name 0.123456") == "my name 0.123456"'
done_testing
