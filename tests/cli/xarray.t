#!/bin/bash
# xarray.t - xarray opens a result: values, units and coordinates are there.
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive LC_ALL=C

python=$(find_python xarray netCDF4)
[ -n "$python" ] || skip_all "python3-xarray or python3-netcdf4 is not installed"
own_folder
diagnose="cat out"

cat >job.yaml <<END_JOB
name: opened
tstop: 10
populations:
  - name: balls
    morphologies: $BOSC_SRC/morphologies/ball-and-stick.swc
    count: 2
    regions: {all: {pas: {g: 1e-4, e: -65}}, soma: {pas: false, hh: {}}}
  - name: quiet
    synthetic: {compartments: 40, sections: 7}
    regions: {all: {pas: {g: 1e-4, e: -65}}}
clamps: [{population: balls, neurons: "1", at: soma, delay: 1, duration: 8, amplitude: 0.5}]
probes:
  - {name: soma, at: soma, interval: 0.1}
  - {name: tip, population: balls, neurons: "1", at: "dend[0](1)", interval: 0.5}
END_JOB
"$BOSC" run job.yaml -o run.nc >out 2>&1 </dev/null
ok "there is a result to open" [ -s run.nc ]

# SENTENCE | EXPRESSION on the opened result, 'run'; each becomes a line
# SENTENCE | True, or False, or an error.
cat >expressions <<'END_EXPRESSIONS'
it opens, and knows its job | run.attrs['title'] == 'opened' and 'tstop: 10' in run.attrs['job'] and run.attrs['completed'] == 'yes'
a probe has a row for each sample and a column for each neuron | run.soma_v.dims == ('time_soma', 'soma') and run.soma_v.shape == (101, 3)
its values are doubles in mV, and begin at rest | run.soma_v.dtype == 'float64' and run.soma_v.attrs['units'] == 'mV' and (run.soma_v[0] == -65).all()
its times are plain numbers in ms | run.time_soma.attrs['units'] == 'ms' and numpy.allclose(run.time_soma, numpy.arange(101) / 10, atol=1e-12)
a value is found by its time | run.soma_v.sel(time_soma=5.04, method='nearest')[0].item() == run.soma_v[50, 0].item()
neuron and place of a column come with it | list(run.soma_v.coords['soma_gid'].values) == [0, 1, 2] and list(run.tip_gid) == [1] and run.tip_x.item() == 1
names are strings | list(run.population_name.values) == ['balls', 'quiet'] and list(run.phase_name.values)[:2] == ['read', 'divide']
the voltage of a neuron is found by its gid | (run.soma_v.swap_dims(soma='soma_gid').sel(soma_gid=2).values == run.soma_v.values[:, 2]).all()
the section of a column is looked up by its index | list(run.section_name[run.soma_section].values) == ['soma[0]'] * 3 and run.section_name[run.tip_section].item() == 'dend[0]'
the neuron with the clamp spikes, and it alone | run.spike_time.size > 0 and set(run.spike_gid.values) == {1} and run.spike_time.attrs['units'] == 'ms'
a spike is where its voltage crosses the threshold | (run.soma_v[:, 1].sel(time_soma=slice(None, run.spike_time[0] - 0.1)) <= -20).all() and run.soma_v[:, 1].sel(time_soma=slice(None, run.spike_time[0] + 0.1)).max() > -20
all voltages are finite | bool(numpy.isfinite(run.soma_v).all() and numpy.isfinite(run.tip_v).all())
every variable but the names has a unit | not [v for v in run.variables if 'units' not in run[v].attrs and run[v].dtype.kind not in 'SUO']
END_EXPRESSIONS
"$python" - >results 2>out <<'END_PYTHON'
import numpy
import xarray

run = xarray.open_dataset("run.nc")
for line in open("expressions"):
    sentence, expression = line.rstrip("\n").split(" | ", 1)
    try:
        found = bool(eval(expression))
    except Exception as error:
        found = repr(error)
    print(sentence, "|", found)
END_PYTHON
ok "xarray opens it" is "$(wc -l <results)" "$(wc -l <expressions)"
cat >again.py <<'END_PYTHON'
import netCDF4
import xarray

for _ in range(20):
    run = xarray.open_dataset("run.nc")
    assert run.soma_v.values[0, 0] == -65
run.close()
for _ in range(20):
    with netCDF4.Dataset("run.nc") as data:
        assert data["population_name"][0] == "balls"
END_PYTHON
ok "it opens again and again, as the README shows" "$python" again.py
while IFS= read -r line; do
    diagnose="echo ${line##* | }" ok "${line% | *}" is "${line##* | }" True
done <results
done_testing
