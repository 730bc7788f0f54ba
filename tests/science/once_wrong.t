#!/bin/bash
# once_wrong.t - kinds of jobs that a version of bosc computed wrongly without a
# word: the bits of 'ref' however they are run, and what must be said.
# shellcheck disable=SC2016,SC2154
set -u
. "${BOSC_SRC:-$(dirname "$0")/../..}/tests/lib/tap.sh"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 XDG_CACHE_HOME=$PWD/cache

need_ncdump
need_launcher
own_folder
export XDG_CACHE_HOME=$work/cache
diagnose="cat out"

spikes() { ncdump -h "$1" | sed -n 's/.*spike = UNLIMITED.*(\([0-9]*\) current.*/\1/p'; }
# spikes_of FILE: how many each neuron has, "7 7 6".
spikes_of() {
    ncdump -v spike_gid "$1" | sed '1,/^data:/d' | grep -o '[0-9]\+' |
        sort -n | uniq -c | awk '{ printf "%s%d", (NR > 1 ? " " : ""), $1 }'
}

# always_the_same WHAT JOB RANKS...: by every method, instruction set and number
# of ranks, and on a GPU where there is one, it gives the bits of 'ref', whose
# result stays as ref.nc.
always_the_same() {
    local what=$1 job=$2 n isa method different=
    shift 2
    alone "$job" -o ref.nc --set backend=ref
    [ "$rc" = 0 ] || different=" ref does not run"
    for isa in base v3 v4 v4-pairs; do
        BOSC_ISA=$isa alone "$job" -o other.nc --set method=depth-first
        says 'has no (AVX2|AVX-512)' && continue
        nc_same ref.nc other.nc || different+=" depth-first with $isa"
    done
    alone "$job" -o other.nc --set method=hines-flat
    nc_same ref.nc other.nc || different+=" hines-flat"
    for method in depth-first cell-blocks; do
        alone "$job" -o other.nc --set backend=cuda --set method=$method
        says 'CUDA: looking for a device|without CUDA|no GPU' && break
        nc_same ref.nc other.nc || different+=" $method on a GPU"
    done
    for n; do
        run "$n" "$job" -o other.nc
        nc_same ref.nc other.nc || different+=" $n ranks"
    done
    report "$what: always the bits of ref" "$different"
}

# ---- neurons of one tree with unequal leaks, side by side ----

cat >leaks.yaml <<END
tstop: 100
populations:
  - {name: a, morphologies: $BOSC_SRC/morphologies/ball-and-stick.swc,
     regions: {all: {Ra: 100, pas: {g: 1e-4, e: -65}}, soma: {hh: {}}}}
clamps: [{delay: 5, duration: 90, amplitude: 0.3}]
probes: [{name: every, interval: 0}]
sweep:
  grid: {populations.a.regions.all.pas.g: [5e-5, 1e-4, 1.5e-4, 2e-4, 2.5e-4, 3e-4, 3.5e-4, 4e-4]}
END
always_the_same "one tree, a sweep of pas.g" leaks.yaml 2 3
ok "each of its members has several spikes" \
    eval '[ "$(spikes_of ref.nc | wc -w)" = 8 ] && [[ " $(spikes_of ref.nc) " != *" 1 "* ]]'
sed 's/all.pas.g: .*/all.pas.e: [-75, -72, -69, -66, -63, -60, -57, -54]}/' leaks.yaml >levels.yaml
always_the_same "one tree, a sweep of pas.e" levels.yaml 2
sed 's/, soma: {hh: {}}//' leaks.yaml >passive.yaml
always_the_same "one tree with nothing but unequal leaks" passive.yaml 2

# ---- gap junctions on dendrites ----

cat >gaps.yaml <<'END'
tstop: 60
populations:
  - name: cells
    synthetic: {compartments: 29, sections: 8}
    count: 16
    regions:
      all: {Ra: 100, cm: 1, pas: {g: 1e-4, e: -65}}
      soma: {pas: false, hh: {}}
      axon: {pas: false, hh: {}}
couplings:
  - {type: gap, from: cells, to: cells, rule: ring, conductance: 0.001,
     at: {region: [dendrite, apical]}, source: {at: soma}}
clamps: [{neurons: "0-7", at: soma, delay: 5, duration: 50, amplitude: 0.1}]
probes: [{name: every, at: soma, interval: 0}]
END
always_the_same "gap junctions on dendrites" gaps.yaml 2 3 5
ok "and neurons fire" [ "$(spikes ref.nc)" -gt 20 ]

# ---- events of a step, and events to oneself ----

if command -v cc >/dev/null; then
    cp "$BOSC_SRC"/tests/science/mods/{pulse,cal,pool}.mod .
    cat >selves.yaml <<'END'
tstop: 15
mechanisms: [pulse.mod]
populations:
  - {name: d, synthetic: {compartments: 3, sections: 1}, count: 20, regions: {all: {hh: {}}}}
  - {name: t, synthetic: {compartments: 114, sections: 23}, count: 9,
     regions: {all: {pas: {}}, soma: {hh: {}}}}
synapses: [{name: p, type: Pulse}]
projections:
  - {from: d, to: t, synapse: p, rule: all_to_all, weight: {uniform: [0, 0.05]},
     delay: {uniform: [1, 8]}}
clamps: [{population: d, delay: 0, duration: 12, amplitude: 0.5}]
probes: [{name: every, interval: 0}]
END
    always_the_same "events of others and to oneself in one step" selves.yaml 2 3 5
    ok "and neurons fire" [ "$(spikes ref.nc)" -gt 20 ]

    # ---- synapses of mod files beside point processes ----

    cp "$BOSC_SRC"/tests/science/mods/step.mod .
    cat >points.yaml <<'END'
tstop: 5
mechanisms: [pulse.mod, step.mod]
populations:
  - {name: c, synthetic: {compartments: 3, sections: 1}, count: 1, regions: {all: {pas: {}, hh: {}}}}
synapses: [{name: s, type: Pulse}, {name: f, type: ExpSyn}, {name: g, type: Exp2Syn}]
projections:
  - {name: a, from: c, to: c, synapse: s, rule: all_to_all, weight: 0.01}
  - {name: b, from: c, to: c, synapse: f, rule: all_to_all, weight: 0.01}
  - {name: d, from: c, to: c, synapse: g, rule: all_to_all, weight: 0.01}
point_processes:
  - {type: Step, dur: 1, amp: 0.1}
  - {type: Step, dur: 1, amp: 0.1}
  - {type: Step, dur: 2, amp: 0.1}
probes: [{name: every, interval: 0}]
END
    always_the_same "synapses of mod files beside point processes" points.yaml 2
    ok "and the run ends well" is "$rc" 0

    # ---- potentials of ions that Nernst's equation replaces ----

    cat >ions.yaml <<'END'
tstop: 20
mechanisms: [cal.mod, pool.mod]
populations:
  - {name: a, synthetic: {compartments: 9, sections: 4}, count: 3,
     regions: {all: {pas: {}}, soma: {cal: {}, pool: {}, ca_ion: {eca: 140}}}}
clamps: [{duration: 10, amplitude: 0.1}]
probes: [{name: p, variables: [v, eca, cai], interval: 1}]
END
    fixed='populations.a.regions.soma.ca_ion.eca={value: 140, fixed: true}'
    # first_eca FILE, others_eca FILE: what is recorded at 0 ms; the others.
    recorded() { ncdump -v p_eca "$1" | sed '1,/^ p_eca =/d' | tr -d ' ;}' | tr ',' '\n' | grep . | sort -u; }
    alone ions.yaml -o nernst.nc
    ok "eca: 140 where a mechanism writes cai: Nernst's equation, and a warning" \
        eval '[ $rc = 0 ] && ! recorded nernst.nc | grep -qx 140 && unwrapped out | grep -q "eca: 140 mV has no effect in soma of population .a.: pool writes cai"'
    ok "which says how to hold it" eval 'unwrapped out | grep -q "write .eca: {value: 140, fixed: true}."'
    alone ions.yaml -o strict.nc --set strict=true
    ok "with strict it is an error" eval '[ $rc != 0 ] && unwrapped out | grep -q "eca: 140 mV has no effect"'
    alone ions.yaml -o fixed.nc --set "$fixed"
    ok "a fixed one holds, without a warning" \
        eval '[ $rc = 0 ] && ! says "no effect" && [ "$(recorded fixed.nc)" = 140 ]'
    ok "the two differ" eval '! nc_same nernst.nc fixed.nc'
    alone ions.yaml -o again.nc --set "$fixed" --set backend=ref
    ok "ref holds it, too" nc_same fixed.nc again.nc
    timeout 60 "$BOSC" run ions.yaml -o fixed.nc >out 2>&1
    ok "a job that holds it is another job" says 'another job'
    alone ions.yaml -o no.nc --set "populations.a.regions.soma.ca_ion={cai: {value: 1e-4, fixed: true}}"
    ok "a fixed concentration that a mechanism changes is refused" \
        eval '[ $rc != 0 ] && unwrapped out | grep -q "cai of ca_ion is fixed, but pool changes it there; remove .fixed. or pool"'
    alone ions.yaml -o held.nc --set "populations.a.regions.soma.ca_ion={cao: {value: 3, fixed: true}}"
    ok "one that nothing changes is held" [ "$rc" = 0 ]
    alone ions.yaml -o no.nc --set 'populations.a.regions.soma.ca_ion.eca={fixed: true}'
    ok "without a value it is refused" says "'value' is missing in eca"
    alone ions.yaml -o no.nc --set 'populations.a.regions.soma.ca_ion.eca={value: 140, fixd: true}'
    ok "another key is refused" says "fixd.*did you mean 'fixed'"
    alone ions.yaml -o no.nc --set 'populations.a.regions.soma.ca_ion.eca={value: 140 V, fixed: true}'
    ok "its unit is checked" says "has the unit 'V'"
else
    skip "no C compiler for mod files"
fi

done_testing
