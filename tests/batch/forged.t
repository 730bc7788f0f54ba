#!/bin/bash
# forged.t - a checkpoint with the right checksum and impossible contents, as a
# broken program would write it, is refused: nothing crashes.
# shellcheck disable=SC2016
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1

need_launcher
command -v "${BOSC_CC:-cc}" >/dev/null || skip_all "no compiler"
python=$(find_python netCDF4)
[ -n "$python" ] || skip_all "python3-netcdf4 is not installed"
own_folder
export XDG_CACHE_HOME=$work/cache
diagnose="cat out"

# Spikes and events to themselves are on their way all the time.
cat >echo.mod <<'END'
NEURON { POINT_PROCESS Echo NONSPECIFIC_CURRENT i }
ASSIGNED { v (mV) i (nA) }
STATE { g (uS) }
INITIAL { g = 0 }
BREAKPOINT {
    SOLVE states METHOD cnexp
    i = g * v
}
DERIVATIVE states { g' = -g / 3 }
NET_RECEIVE (w (uS)) {
    if (flag == 0) { net_send(25, 1) } else { g = g + w / 2 }
}
END
cat >job.yaml <<'END'
tstop: 1000000
mechanisms: [echo.mod]
populations:
  - {name: c, synthetic: {compartments: 30, sections: 7}, count: 10, regions: {all: {pas: {}}, soma: {hh: {}}}}
synapses: [{name: echo, type: Echo}]
sources: [{name: noise, type: poisson, rate: 200, count: 20}]
projections:
  - {from: noise, to: c, synapse: echo, rule: fixed_indegree, indegree: 6, weight: 0.02, delay: {uniform: [1, 30]}}
  - {from: c, to: c, synapse: echo, rule: fixed_indegree, indegree: 4, weight: 0.01, delay: 1000}
clamps: [{at: soma, duration: 1000000, amplitude: 0.3}]
probes: [{name: soma, interval: 1}]
END

# The last line of a checkpoint, see src/checkpoint/state_file.h.
cat >forge.py <<'END'
import shutil, struct, sys
import netCDF4

def checksum(text):
    total = 0x9e3779b97f4a7c15
    def add(total, word):
        total = (total ^ word) * 0xff51afd7ed558ccd & (1 << 64) - 1
        return total ^ total >> 32
    whole = len(text) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", text[:whole]):
        total = add(total, word)
    rest = text[whole:]
    if rest:
        total = add(add(total, int.from_bytes(rest, "little")), len(rest))
    return total

def seal(text):
    return text + b"\nchecksum %016x of %020d bytes\n" % (checksum(text), len(text))

path, name, index, value = sys.argv[1:5]
text = open("left/" + path, "rb").read()
trailer = len(seal(b"")) # always as long
assert seal(text[:-trailer]) == text
open(path, "wb").write(text[:-trailer])
with netCDF4.Dataset(path, "r+") as file:
    file.set_auto_mask(False)
    if index == "attribute":
        file.setncattr(name, file.getncattr(name).dtype.type(int(value)))
    else:
        values = file[name][:]
        values[int(index)] = values.dtype.type(float(value) if values.dtype == float else int(value))
        file[name][:] = values
text = open(path, "rb").read()
open(path, "wb").write(seal(text))
END

"$BOSC" run job.yaml -o x.nc --set checkpoint.every=1e-7 >out 2>&1 </dev/null &
job=$!

in_time 60 reached x.nc 200
kill -USR1 $job
wait $job
ok "a run leaves a checkpoint" is $? 75
mkdir left
mv x.nc.checkpoint x.nc.partial left/

refused() { { is "$rc" 65 || is "$rc" 66; } && says "$1"; }
# RANKS VARIABLE INDEX VALUE MESSAGE
while read -r ranks name index value message; do
    rm -f x.nc*
    cp left/x.nc.partial .
    "$python" forge.py x.nc.checkpoint "$name" "$index" "$value" >out 2>&1 &&
        timeout 300 "$MPIEXEC" -n "$ranks" "$BOSC" run job.yaml -o x.nc --continue >out 2>&1 </dev/null
    rc=$?
    ok "$name: $value at $index is refused, by $ranks" refused "$message"
done <<'END'
1 step attribute -1 its step is -1
1 spikes attribute -9223372036854775808 its spikes is -9
2 delivered attribute 9223372036854775807 its delivered is 9
1 fired 0 9223372036854775807 is damaged: one population has 9223372036854775807 of
2 fired 0 -1 is damaged: one population has -1 of
1 flight_step 0 9223372036854775807 has a spike of source [0-9]+ of 30 in step 9
1 flight_step 0 -1 has a spike of source [0-9]+ of 30 in step -1
2 flight_source 0 9223372036854775807 has a spike of source 9
1 flight_source -1 -1 has a spike of source -1
1 v_count 0 -1 has -1 of 'v' of neuron 0
1 v_count 3 29 has 29 of .v. of neuron 3, the job 30
2 v_count -1 2147483647 has 2147483647 of 'v' of neuron 9, and 300 in all
1 self_count 0 -2 has -2 of 'self' of neuron 0
2 self_count 0 2147483647 has 2147483647 of 'self' of neuron 0, and [0-9]+ in all
1 self.time 0 nan has an event at nan ms
1 self.block 0 nan has an event
2 self.block 0 1e300 has an event
1 self.block -1 -1 has an event
1 self.block 0 0 has an event
1 self.node 0 30 has an event
2 self.node -1 -1e300 has an event
1 self.which 0 1e6 has an event
2 self.which -1 -1 has an event
END
done_testing
