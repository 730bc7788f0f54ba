/* Jobs and --set that are refused, and what the message says; damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "tests/lib/job.h"
#include "tests/lib/tap.h"

#define COMPOSED                                                               \
    "auto, depth-first, hines-flat, hines-interleaved, hines-block, "          \
    "hines-block-shared, hines-vbatch-cp, hines-vbatch-ncp, "                  \
    "level-schedule-cp, level-schedule-ncp, level-schedule-sliced, hines"
#ifdef HAVE_CUDA
#define LOOPS "auto, cpu, ref, cuda"
#define METHODS COMPOSED ", cell-blocks, cyclic-reduction"
#define NO_LOOP                                                                \
    "backend 'cusparse' only solves ('bosc-bench'); bosc run needs one with "  \
    "a "                                                                       \
    "time loop: " LOOPS
#else
#define LOOPS "auto, cpu, ref"
#define METHODS COMPOSED
#define NO_LOOP                                                                \
    "this bosc was built without CUDA; configure it where nvcc is found"
#endif

static const broken_job broken[] = {
    /* what the program can do */
    {"a backend that is not there", "tstop: 10", "tstop: 10\nbackend: gpu",
     "my job.yaml:2: unknown backend 'gpu'; available: " LOOPS},
    {"a backend that only solves", "tstop: 10", "tstop: 10\nbackend: cusparse",
     "my job.yaml:2: " NO_LOOP},
    {"a method that only solves", "tstop: 10",
     "tstop: 10\nmethod: thomas-batch-flat",
     "my job.yaml:2: method 'thomas-batch-flat' only solves ('bosc-bench'); "
     "bosc run needs one with a time loop: " METHODS},
    {"a method of no backend", "tstop: 10", "tstop: 10\nmethod: hinse",
     "my job.yaml:2: unknown method 'hinse'; did you mean 'hines'?"},
    {"the name of a method of before", "tstop: 10", "tstop: 10\nmethod: stream",
     "my job.yaml:2: method 'stream' is now called 'depth-first'"},
    {"a method that the backend has not", "tstop: 10",
     "tstop: 10\nbackend: ref\nmethod: depth-first",
     "my job.yaml:3: unknown method 'depth-first' of backend ref; available: "
     "auto, hines"},
    {"a membrane without any mechanism",
     "      all: {Ra: 100, pas: {g: 1e-4}}\n      soma: {hh: {}}\n",
     "      all: {Ra: 100}\n",
     "my job.yaml:6: regions: population 'cells' has no mechanism anywhere"},
    /* keys */
    {"a mistyped key", "tstop", "tsop",
     "my job.yaml:1: unknown key 'tsop'; did you mean 'tstop'?"},
    {"a key in the wrong case", "Ra: 100", "ra: 100",
     "my job.yaml:7: unknown key 'ra'; did you mean 'Ra'?"},
    {"letters swapped", "amplitude", "ampiltude",
     "my job.yaml:10: unknown key 'ampiltude'; did you mean 'amplitude'?"},
    {"an unknown mechanism", "hh: {}", "kv: {gbar: 0.1}",
     "my job.yaml:8: unknown mechanism 'kv'; available: pas, hh"},
    {"an unknown mechanism beside another", "hh: {}", "hh: {}, na: {}",
     "my job.yaml:8: unknown mechanism 'na'; available: pas, hh"},
    {"a mistyped mechanism", "pas: {g: 1e-4}", "psa: {g: 1e-4}",
     "my job.yaml:7: unknown mechanism 'psa'; did you mean 'pas'?"},
    {"a number for what is no mechanism", "hh: {}", "kv: 3",
     "my job.yaml:8: unknown key 'kv'; allowed here: where, Ra, cm, v_init, "
     "spines, pas, hh"},
    {"a parameter outside its mechanism", "pas: {g: 1e-4}", "ena: 50",
     "my job.yaml:7: key 'ena' does not belong here; its path is "
     "'populations[].regions.REGION.hh.ena'"},
    {"a short word whose likeness has another unit", "hh: {}",
     "hh: {ina: 0.12}", "unknown key 'ina'; allowed here: gnabar"},
    {"a key of another group", "tstop: 10", "tstop: 10\nthreshold: 0",
     "my job.yaml:2: unknown key 'threshold'; allowed here: name, dt, tstop"},
    {"a key of four other groups", "count: 20", "type: 20",
     "my job.yaml:5: unknown key 'type'; allowed here: name, morphologies"},
    {"a key of more groups", "tstop: 10", "tstop: 10\nat: soma",
     "my job.yaml:2: unknown key 'at'; allowed here: name, dt, tstop"},
    {"a key that another list has", "{at: soma, duration", "{at: soma, start",
     "my job.yaml:10: unknown key 'start'; allowed here: population, neurons"},
    {"a key of a group of the same entry", "count: 20", "max_length: 20",
     "my job.yaml:5: key 'max_length' does not belong here; its path is "
     "'populations[].discretisation.max_length'"},
    {"a list of the job in a population", "count: 20", "clamps: []",
     "my job.yaml:5: key 'clamps' does not belong here; it belongs to the "
     "top level of the job: 'clamps' without indentation"},
    {"a key like no other", "name: soma", "name: soma, qqqq: 1",
     "my job.yaml:12: unknown key 'qqqq'; allowed here: name, population, "
     "neurons, at, variables, interval"},
    {"an unknown parameter", "g: 1e-4", "gg: 1e-4",
     "my job.yaml:7: unknown key 'gg'; allowed here: g, e"},
    {"a region without a name", "soma: {hh: {}}", "\"\": {hh: {}}",
     "my job.yaml:8: regions: '' names no regions; write names of letters"},
    {"a region named twice in a key", "soma: {hh: {}}",
     "\"soma, axon, soma\": {hh: {}}",
     "my job.yaml:8: regions: 'soma' stands twice in 'soma, axon, soma'; "
     "remove one"},
    {"a region outside regions", "    regions:\n",
     "    soma: {}\n    regions:\n",
     "my job.yaml:6: key 'soma' does not belong here; its path is "
     "'populations[].regions.soma'"},
    {"a mechanism outside regions", "    regions:\n",
     "    hh: {}\n    regions:\n",
     "my job.yaml:6: key 'hh' does not belong here; its path is "
     "'populations[].regions.REGION.hh'"},
    {"a region in another list", "{at: soma, duration", "{soma: 1, duration",
     "my job.yaml:10: unknown key 'soma'; allowed here: population, neurons"},
    {"a parameter in another list", "{at: soma, duration", "{g: 1, duration",
     "my job.yaml:10: unknown key 'g'; allowed here: population, neurons"},
    {"no blank behind a colon in braces", "{at: soma", "{at:soma",
     "my job.yaml:10: unknown key 'at:soma'; a blank behind the colon is "
     "missing: 'at: soma'"},
    {"the name of a population as its key", "- name: cells", "- cells:",
     "my job.yaml:3: unknown key 'cells'; allowed here: name, morphologies"},
    {"a merge key", "all: {", "all: {<<: 1, ",
     "my job.yaml:7: <<: a merge key takes a group, or a list of them"},
    {"no tstop", "tstop: 10", "dt: 0.1",
     "my job.yaml:1: 'tstop' is missing; add it: how long to simulate"},
    {"an entry of every key", "{at: soma, duration: 5, amplitude: 0.5}",
     "at: soma\n  - duration: 5\n  - amplitude: 0.5",
     "my job.yaml:11: 'duration' begins an entry of its own, and is missing in "
     "the one above; put '- ' only before the first key of an entry"},
    {"no amplitude", ", amplitude: 0.5", "",
     "my job.yaml:10: 'amplitude' is missing; add it: positive depolarises, "
     "in nA"},
    {"no name", "- name: cells\n    synthetic", "- synthetic",
     "my job.yaml:3: 'name' is missing; add it: how clamps, probes, lists"},
    {"half a synthetic", ", sections: 157", "",
     "my job.yaml:4: 'sections' is missing in synthetic"},
    {"a key of the job and of other lists", "{at: soma, dur",
     "{name: step, at: soma, dur",
     "my job.yaml:10: unknown key 'name'; allowed here: population, neurons"},
    {"a parameter beside its mechanism", "pas: {g: 1e-4}", "g: 1e-4",
     "my job.yaml:7: key 'g' does not belong here; its paths are "
     "'populations[].regions.REGION.spines.g', "
     "'populations[].regions.REGION.pas.g'"},
    {"a time step of a probe", "interval: 0.1", "dt: 0.1",
     "my job.yaml:12: key 'dt' does not belong here; it belongs to the top "
     "level of the job: 'dt' without indentation"},
    {"a key in capitals", "tstop: 10", "tstop: 10\nDT: 0.1",
     "my job.yaml:2: unknown key 'DT'; did you mean 'dt'?"},
    /* shapes */
    {"a group where a number should be", "tstop: 10", "tstop: {a: 1}",
     "my job.yaml:1: tstop takes one value (how long to simulate, a "
     "multiple of dt), not a group of keys"},
    {"a word where a group should be", "soma: {hh: {}}", "soma: hh",
     "my job.yaml:8: soma is a group of keys, not 'hh'; write 'soma: {hh: "
     "{}}'"},
    {"a list where a group should be", "", "output: [a]\n",
     "my job.yaml:13: output is a group of keys, not a list; write 'output: "
     "{file: ...}'"},
    {"a group where a list should be", "  - {name: soma", "  {name: soma",
     "my job.yaml:11: probes is a list, not a group of keys; begin each entry "
     "with '- '"},
    {"a word as an entry of a list", "  - {name: soma, interval: 0.1}",
     "  - soma",
     "my job.yaml:12: an entry is a group of keys, not 'soma'; write '- {name: "
     "...}'"},
    {"no population at all", "probes:", "populations2:", "did you mean"},
    {"a key without a value", "tstop: 10", "tstop:",
     "my job.yaml:1: tstop has no value; write one, or remove the key"},
    {"a mechanism without a value", "soma: {hh: {}}", "soma:\n        hh:",
     "my job.yaml:9: hh has no value; write 'hh: {}' for its default "
     "parameters, 'hh: false' to remove it"},
    {"a number for a mechanism", "pas: {g: 1e-4}", "pas: 1e-4",
     "my job.yaml:7: pas is a mechanism; write 'pas: {}' for its default "
     "parameters, or 'pas: {g: ...}'"},
    /* numbers */
    {"a wrong unit", "tstop: 10", "tstop: 25 us",
     "my job.yaml:1: tstop: '25 us' has the unit 'us', but tstop is in ms"},
    {"seconds", "tstop: 10", "tstop: 100 s",
     "my job.yaml:1: tstop: '100 s' has the unit 's', but tstop is in ms; "
     "write 100000"},
    {"picoamperes", "amplitude: 0.5", "amplitude: 0.5 pA",
     "amplitude is in nA; write 0.0005"},
    {"SI's conductance", "g: 1e-4", "g: 1 S/m\u00b2",
     "but g is in S/cm2; write 0.0001"},
    {"half a unit", "Ra: 100", "Ra: 100 ohm",
     "my job.yaml:7: Ra: '100 ohm' has the unit 'ohm', but Ra is in ohm cm"},
    {"a unit where there is none", "count: 20", "count: 20 cells",
     "my job.yaml:5: count: '20 cells' is not a number; count has no unit"},
    {"letters behind a number", "tstop: 10", "tstop: 12abc",
     "my job.yaml:1: tstop: '12abc' has the unit 'abc'"},
    {"a word for a number", "tstop: 10", "tstop: ten",
     "my job.yaml:1: tstop: 'ten' is not a number; write digits, such as "
     "'tstop: 0.5'"},
    {"NEURON's number for a scheme", "tstop: 10", "tstop: 10\nsecond_order: 2",
     "my job.yaml:2: second_order: '2' is neither true nor false; write true"},
    {"a decimal comma", "tstop: 10", "tstop: 1,5",
     "my job.yaml:1: tstop: '1,5' is not a number; write a decimal point"},
    {"an underscore in a number", "count: 20", "count: 1_000",
     "my job.yaml:5: count: '1_000' is not a number"},
    {"a number that may be octal", "count: 20", "count: 010",
     "my job.yaml:5: count: '010' begins with 0, which may mean octal"},
    {"a hexadecimal number", "count: 20", "count: 0x10",
     "count: '0x10' is no decimal number; write it in decimal"},
    {"a hexadecimal time", "tstop: 10", "tstop: 0x64",
     "my job.yaml:1: tstop: '0x64' is no decimal number; write it in decimal"},
    {"a clock time", "tstop: 10", "tstop: 1:30",
     "tstop: '1:30' is not one number"},
    {"separated thousands", "count: 20", "count: 1.000.000",
     "my job.yaml:5: count: '1.000.000' is not a number; write a decimal point "
     "and no separators"},
    {"a comment that is none", "tstop: 10", "tstop: 10#ms",
     "my job.yaml:1: tstop: '10#ms' is not a number; put a blank before the "
     "'#' of a comment"},
    {"a calculation", "tstop: 10", "tstop: 2*5",
     "my job.yaml:1: tstop: '2*5' is not one number; write one, in digits"},
    {"a fraction", "tstop: 10", "tstop: 10\ndt: 1/40",
     "my job.yaml:2: dt: '1/40' is not one number; write one, in digits"},
    {"a semicolon", "tstop: 10", "tstop: 10;",
     "my job.yaml:1: tstop: '10;' is not one number"},
    {"a unit of another quantity", "tstop: 10", "tstop: 10 mV",
     "my job.yaml:1: tstop: '10 mV' has the unit 'mV', but tstop is in ms; "
     "write a number in ms"},
    {"two numbers", "tstop: 10", "tstop: 10 20",
     "tstop: '10 20' is not one number"},
    {"a value that is no number", "tstop: 10", "tstop: nan",
     "my job.yaml:1: tstop: 'nan' is not a finite number"},
    {"infinity", "tstop: 10", "tstop: -inf",
     "my job.yaml:1: tstop: '-inf' is not a finite number"},
    {"YAML's infinity", "tstop: 10", "tstop: .inf",
     "my job.yaml:1: tstop: '.inf' is not a number"},
    {"a number beyond doubles", "tstop: 10", "tstop: 1e400",
     "my job.yaml:1: tstop: '1e400' is not a finite number"},
    {"a negative time step", "tstop: 10", "tstop: 10\ndt: -0.1",
     "my job.yaml:2: dt: '-0.1' is out of range; allowed: 1e-06 to 10 ms"},
    {"no neurons", "count: 20", "count: 0",
     "my job.yaml:5: count: '0' is out of range; allowed: 1 to 1000000000000"},
    {"half a neuron", "count: 20", "count: 2.5",
     "my job.yaml:5: count: '2.5' is not a whole number"},
    {"more threads than an int", "tstop: 10", "tstop: 10\nthreads: 1e10",
     "my job.yaml:2: threads: '1e10' is out of range; allowed: 0 to 4096"},
    {"a negative seed", "tstop: 10", "tstop: 10\nseed: -1",
     "my job.yaml:2: seed: '-1' is not a whole number from 0 to 1844674"},
    {"a seed beyond 64 bits", "tstop: 10",
     "tstop: 10\nseed: 18446744073709551616",
     "my job.yaml:2: seed: '18446744073709551616' is not a whole number"},
    {"neither true nor false", "tstop: 10", "tstop: 10\nstrict: maybe",
     "my job.yaml:2: strict: 'maybe' is neither true nor false"},
    {"a parameter out of range", "g: 1e-4", "g: -1",
     "my job.yaml:7: g: '-1' is out of range; allowed: 0 to 1000 S/cm2"},
    {"a third way to write", "", "output: {parallel: maybe}\n",
     "my job.yaml:13: parallel: unknown value 'maybe'; available: auto, yes, "
     "no"},
    {"a zlib level beyond 9", "", "output: {compression: 10}\n",
     "my job.yaml:13: compression: '10' is out of range; allowed: 0 to 9"},
    /* times */
    {"tstop off the grid", "tstop: 10", "tstop: 10.01",
     "my job.yaml:1: tstop: 10.01 ms is no multiple of dt, 0.025 ms; the "
     "nearest are 10 and 10.025"},
    {"tstop under one step", "tstop: 10", "tstop: 0.01",
     "my job.yaml:1: tstop: 0.01 ms is less than one time step"},
    {"an interval off the grid", "interval: 0.1", "interval: 0.03",
     "my job.yaml:12: interval: 0.03 ms is no multiple of dt, 0.025 ms; the "
     "nearest are 0.025 and 0.05"},
    {"an interval under one step", "interval: 0.1", "interval: 0.01",
     "nearest are 0.025 and 0.05"},
    /* names */
    {"a blank in a name", "name: cells", "name: my cells",
     "my job.yaml:3: name: 'my cells' is no name; begin with a letter"},
    {"a digit in front of a name", "name: soma", "name: 3d",
     "my job.yaml:12: name: '3d' is no name"},
    {"a slash in a name", "name: soma", "name: a/b", "'a/b' is no name"},
    {"a name of the file's own", "name: soma", "name: time",
     "my job.yaml:12: name: 'time' conflicts with a variable of the result "
     "file; choose"},
    {"a name like a time axis", "name: soma", "name: time_soma",
     "name: 'time_soma' conflicts with"},
    {"two probes of one name", "", "  - {name: soma}\n",
     "my job.yaml:13: name: entry 0 of probes is called 'soma' as well"},
    {"a probe named like another's variable", "", "  - {name: soma_v}\n",
     "my job.yaml:13: name: probes 'soma_v' and 'soma' would both write a "
     "variable 'soma_v'; rename one"},
    {"two populations of one name", "populations:\n",
     "populations:\n  - {name: cells, morphologies: a.swc}\n",
     "my job.yaml:4: name: entry 0 of populations is called 'cells' as well"},
    {"a mistyped population", "at: soma", "population: cell",
     "my job.yaml:10: population: unknown population 'cell'; did you mean "
     "'cells'?"},
    {"an unknown population", "interval: 0.1", "population: basket",
     "my job.yaml:12: population: unknown population 'basket'; available: "
     "cells"},
    /* neurons, places, variables */
    {"a range backwards", "at: soma", "neurons: 5-2",
     "my job.yaml:10: neurons: the range '5-2' runs backwards"},
    {"a negative neuron", "at: soma", "neurons: -2",
     "my job.yaml:10: neurons: '-2' is no range; write all, or numbers"},
    {"a word for neurons", "at: soma", "neurons: some",
     "my job.yaml:10: neurons: 'some' is no range"},
    {"a neuron's number beyond 64 bits", "at: soma",
     "neurons: 99999999999999999999", "is no range"},
    {"a list of no neurons", "at: soma", "neurons: []",
     "my job.yaml:10: neurons: the list is empty"},
    {"commas only", "at: soma", "neurons: \" , ,\"",
     "my job.yaml:10: neurons: nothing is named"},
    {"a place that is none", "at: soma", "at: axom",
     "my job.yaml:10: at: 'axom' is no place; write soma, everywhere, or"},
    {"a place outside the section", "at: soma", "at: \"dend[3](1.5)\"",
     "my job.yaml:10: at: position 1.5 in 'dend[3](1.5)' is outside"},
    {"a place of no number", "at: soma", "at: \"dend[3](nan)\"",
     "my job.yaml:10: at: position nan"},
    {"a section without its number", "at: soma", "at: apic(0.5)",
     "my job.yaml:10: at: which section is meant by 'apic(0.5)'? number it, "
     "such as \"apic[0](0.5)\""},
    {"letters behind a place", "at: soma", "at: \"dend[3](0.5)x\"",
     "is no place"},
    {"a negative section", "at: soma", "at: \"dend[-3](0.5)\"", "is no place"},
    {"a clamp everywhere", "at: soma", "at: everywhere",
     "my job.yaml:10: at: everywhere would be branch points"},
    {"an unknown variable", "interval: 0.1", "variables: [v, q]",
     "my job.yaml:12: variables: unknown variable 'q'; available: v, i_mem, m"},
    {"a current", "interval: 0.1", "variables: [v, i_na]",
     "my job.yaml:12: variables: unknown variable 'i_na'; a current of a "
     "mechanism is called with its name, hh.ina or excitation.i"},
    {"a variable of another mechanism", "interval: 0.1", "variables: pas.m",
     "my job.yaml:12: variables: unknown variable 'pas.m'; available: v"},
    {"an unknown variable where there is no hh", "interval: 0.1",
     "at: \"dend[0]\", variables: [v,\n    q]",
     "my job.yaml:13: variables: unknown variable 'q'; available: v, i_mem"},
    {"a variable named twice", "interval: 0.1", "variables: [m, v, hh.m]",
     "my job.yaml:12: variables: 'hh.m' is named twice; name each once"},
    {"a gate where there is no hh", "interval: 0.1",
     "at: \"dend[0]\", variables: [v, m]",
     "my job.yaml:12: variables: probe 'soma' records m, a state of hh, but "
     "no region at its location has hh"},
    /* populations */
    {"files and synthetic", "count: 20", "morphologies: a.swc",
     "my job.yaml:4: population 'cells' has both morphologies and synthetic"},
    {"neither files nor synthetic",
     "    synthetic: {compartments: 319, sections: 157}\n", "",
     "my job.yaml:3: population 'cells' has neither morphologies nor"},
    {"a synthetic neuron that cannot be", "sections: 157", "sections: 200",
     "my job.yaml:4: synthetic: compartments 319 with sections 200: too few"},
    {"a soma alone among others", "compartments: 319, sections: 157",
     "compartments: [3, 319], sections: 1",
     "my job.yaml:4: synthetic: compartments 319 with sections 1"},
    {"a range whose smallest neuron cannot be", "compartments: 319",
     "compartments: [76, 319]",
     "my job.yaml:4: synthetic: compartments 76 with sections 157: too few"},
    {"a range whose end no neuron can have", "sections: 157",
     "sections: [7, 341]",
     "my job.yaml:4: synthetic: sections up to 341 with compartments up to "
     "319: no neuron can have so many, for each section has a compartment and "
     "a zero-area end, and the root is one more; use sections up to 159"},
    {"a range from more to less", "compartments: 319",
     "compartments: [691, 319]",
     "my job.yaml:4: compartments: 691 is more than 319; write the smaller"},
    {"a range of three numbers", "compartments: 319",
     "compartments: [157, 319, 691]",
     "my job.yaml:4: compartments: write one number, or two, 'compartments: "
     "[least, most]'"},
    {"a range with half a number", "compartments: 319",
     "compartments: [319, 400.5]", "is not a whole number"},
    {"a range past the end", "compartments: 319", "compartments: [319, 2e6]",
     "is out of range; allowed: 1 to 1000000"},
    {"a count beside a list", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.tsv",
     "my job.yaml:5: count: 'a.tsv' is a list and has its own counts"},
    {"discretisation of synthetic neurons", "count: 20",
     "discretisation: {d_lambda: 0.2}",
     "my job.yaml:5: discretisation has no effect on synthetic neurons"},
    {"a mistyped policy", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    discretisation: {policy: dlambda}",
     "my job.yaml:5: policy: unknown policy 'dlambda'; did you mean "
     "'d_lambda'?"},
    {"an unknown rule for axons",
     "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    axon: {replace: bbp_v7}",
     "my job.yaml:5: replace: unknown rule 'bbp_v7'; did you mean 'bbp_v"},
    {"lengths beside a rule", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    axon: {replace: bbp_v6, lengths: "
     "[30]}",
     "my job.yaml:5: lengths has no effect: 'replace: bbp_v6' says what the "
     "axon is"},
    {"lengths without diameters",
     "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    axon: {lengths: [30, 30]}",
     "my job.yaml:5: axon: 2 lengths, 0 diameters, 0 compartments; give as "
     "many of each"},
    {"a place for no axon", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    axon: {replace: remove, attach: "
     "soma(1)}",
     "my job.yaml:5: attach has no effect: 'replace: remove' has no sections"},
    {"a place that is none", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    attach: soma(2)",
     "my job.yaml:5: attach: unknown place 'soma(2)'"},
    {"half a compartment", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    axon: {lengths: 3, diameters: 1, "
     "compartments: 1.5}",
     "my job.yaml:5: compartments: '1.5' is not a whole number"},
    {"a scale of no region", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    scale: {apicl: {length: 2}}",
     "my job.yaml:5: unknown key 'apicl'; did you mean 'apical'?"},
    {"a scale of nothing", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    scale: {apical: 2}",
     "my job.yaml:5: apical is a group of keys, not '2'"},
    {"odd_per of no region", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    discretisation: {odd_per: {som: 20}}",
     "my job.yaml:5: unknown key 'som'; did you mean 'soma'?"},
    {"odd_per and another policy",
     "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    discretisation: {policy: "
     "max_length, odd_per: 40}",
     "my job.yaml:5: odd_per has no effect: the policy is max_length"},
    {"an axon of synthetic neurons", "count: 20",
     "count: 20\n    axon: {replace: stub}",
     "axon has no effect on synthetic neurons"},
    {"a key of another policy", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    discretisation: {policy: d_lambda, "
     "max_length: 20}",
     "my job.yaml:5: max_length has no effect: the policy is d_lambda; remove "
     "max_length, or write 'policy: max_length'"},
    {"keys of two policies", "synthetic: {compartments: 319, sections: 157}",
     "morphologies: a.swc\n    discretisation: {per_section: 3, d_lambda: 0.1}",
     "per_section has no effect: the policy is d_lambda"},
};

static void test_broken(void)
{
    static const struct {
        const char *what, *text, *message;
    } whole[] = {
        {"an empty file", "", "my job.yaml: the file is empty"},
        {"a file of comments", "# later\n\n", "the file is empty"},
        {"a list", "- a\n- b\n", "my job.yaml:1: this is no job file"},
        {"prose", "Dear reader\n", "my job.yaml:1: this is no job file"},
        {"an image", "\x89PNG\r\n\x1a\n", "my job.yaml:1: not valid YAML"},
        {"no populations", "tstop: 1\n",
         "my job.yaml:1: 'populations' is missing"},
        {"an empty list of populations", "tstop: 1\npopulations: []\n",
         "my job.yaml:2: populations: the list is empty"},
        {"populations without a value", "tstop: 1\npopulations:\n",
         "my job.yaml:2: populations: the list is empty"},
    };

    for (size_t i = 0; i < BOSC_LEN(whole); ++i)
        refuses(whole[i].what, whole[i].text, whole[i].message);
    refuses_all(base, BOSC_LEN(broken), broken);
}

static void test_bad_set(void)
{
    static const struct {
        const char *set, *message;
    } bad[] = {
        {"dtt=1", "--set dtt=1: unknown key 'dtt'; did you mean 'dt'?"},
        {"dt=1us", "--set dt=1us: dt: '1us' has the unit 'us', but dt is in"},
        {"dt", "--set dt: this is no assignment; write key=value"},
        {"=3", "--set =3: this is no assignment"},
        {"dt=", "--set dt=: dt has no value"},
        {"populations[3].count=1",
         "--set populations[3].count=1: no entry '3' in populations, which "
         "has 1; entries count from 0, and populations[1] would be a new one"},
        {"populations.cell.count=1", "--set populations.cell.count=1: no entry "
                                     "'cell' in populations, which "
                                     "has 1; did you mean 'cells'?"},
        {"probes.voltage.interval=1",
         "no entry 'voltage' in probes, which has 1; there are soma"},
        {"probes.interval=1",
         "no entry 'interval' in probes, which has 1; name the entry first: "
         "probes[0].interval"},
        {"clamps.first.delay=1",
         "no entry 'first' in clamps, which has 1; entries count from 0, and "
         "clamps[1] would be a new one"},
        {"clamps.-1.delay=1", "no entry '-1' in clamps, which has 1; entries"},
        {"clamps=3", "clamps is a list, not '3'; put its entries into [ ]"},
        {"clamps.0=3", "an entry is a group of keys, not '3'; write '{pop"},
        {"name=a: b: c",
         "not valid YAML: mapping values are not allowed in this "
         "context; put quotes around the value, and others"},
        {"populations[0.count=1", "the key's path is broken at character"},
        {"populations..count=1", "the key's path is broken at character 13"},
        {"populations[0]..count=1", "the key's path is broken"},
        {"populations.=1", "the key's path is broken"},
        {"populations[0].count.x=1", "'x' cannot be looked up in 'count'"},
        {"populations.cells[0]=1", "'0' cannot be looked up in"},
        {"populations.cells.regions.soma.hh.gnabr=1",
         "unknown key 'gnabr'; did you mean 'gnabar'?"},
        {"probes.soma.interval=0.03", "0.03 ms is no multiple of dt"},
        {"clamps=[{at: soma}]", "'duration' is missing"},
        {"clamps[1].delay=1",
         "--set clamps[1].delay=1: clamps[1] is a new entry, and 'duration' is "
         "missing in it; clamps has 1, counted from 0: clamps[0]"},
        {"clamps.1.amplitude=1", "clamps[1] is a new entry, and 'duration'"},
        {"clamps[1]={at: soma}", "clamps[1] is a new entry, and 'duration' is"},
        {"clamps[0]={at: soma}",
         "--set clamps[0]={at: soma}: 'duration' is missing; add it"},
        {"a.b.c=3", "unknown key 'a'"},
        {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
         "the key's path has more than 32 steps"},
        {"name=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
         "more than 32 groups and lists are in each other; check brackets"},
        {"name=[&a 1, &a 2]", "anchor '&a' is given twice"},
        {"name={", "--set name={: not valid YAML"},
        {"name=a\n---\nb", "a second YAML document begins"},
        {"neurons=3",
         "--set neurons=3: unknown key 'neurons'; allowed here: name"},
    };

    for (size_t i = 0; i < BOSC_LEN(bad); ++i) {
        bosc_error err;
        bosc_job *job = parse(base, 1, &bad[i].set, &err);
        const char *end = strchr(bad[i].set, '\n');

        if (!ok(job == NULL && strstr(err.text, bad[i].message) != NULL &&
                    strncmp(err.text, "--set ", 6) == 0,
                "--set %.*s is refused",
                end != NULL ? (int)(end - bad[i].set) : 80, bad[i].set))
            diag("%s", job != NULL ? "a job" : err.text);
        bosc_job_destroy(job);
    }
}

/* The second of two entries that '--set' begins. */
static void test_two_new(void)
{
    static const char *const sets[] = {"clamps[1]={duration: 1, amplitude: 1}",
                                       "clamps[2].delay=1"};
    bosc_error err;

    ok(parse(base, 2, sets, &err) == NULL &&
           strstr(err.text, "clamps[2] is a new entry, and 'duration' is "
                            "missing in it; clamps has 2, counted from 0: "
                            "clamps[0] to clamps[1]") != NULL,
       "a second new entry knows the first");
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Damage a text in one to three places. */
static void damage(char *text, uint32_t *state)
{
    static const char letters[] = "{}[]:,-#&*!|>'\"%@` \n\tax0.9~\xff\x01";
    const size_t n = strlen(text);

    for (uint32_t k = 1 + next_random(state) % 3; k > 0; --k) {
        const size_t at = next_random(state) % n, from = next_random(state) % n;
        const size_t length = next_random(state) % 30;

        if (next_random(state) % 2 == 0)
            text[at] = letters[next_random(state) % (sizeof letters - 1)];
        else if (at + length < n && from + length < n)
            memmove(text + at, text + from, length);
    }
}

static void test_fuzz(const char *text, const char *what, uint32_t seed)
{
    int read = 0, refused = 0, silent = 0;

    for (int i = 0; i < 1000; ++i) {
        char *copy = bosc_strdup(text);
        bosc_error err;

        damage(copy, &seed);
        bosc_job *job = parse(copy, 0, NULL, &err);

        read += job != NULL;
        refused += job == NULL;
        silent += job == NULL && err.text[0] == '\0';
        bosc_job_destroy(job);
        free(copy);
    }
    ok(read > 0 && refused > 0 && silent == 0,
       "%s, damaged 1000 times, is read or refused in words", what);
}

int main(void)
{
    char *path = bosc_format("%s/jobs/reference.yaml", getenv("BOSC_SRC"));
    char *text = NULL;
    bosc_error err;

    test_broken();
    test_bad_set();
    test_two_new();
    test_fuzz(base, "a small job", 1);
    if (ok(bosc_job_load_text(path, &text, &err) == BOSC_OK,
           "the reference is there"))
        test_fuzz(text, "the reference", 2);
    free(text);
    free(path);
    return done_testing();
}
