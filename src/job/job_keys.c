#include "src/job/job_keys.h"

#include <stddef.h>
#include <string.h>

#define OF(type, field) offsetof(bosc_##type, field)
#define NO_RANGE 0, 0

/* clang-format off */
/* The numbers of rules, of the bosc_projection_spec 'link' of an entry. */
#define RULE_KEYS(entry, type, link) \
{entry ".indegree", BOSC_KEY_INT64, "", 1, 1e9, NULL, false, \
 "fixed_indegree, required: connections of each target, from sources drawn " \
 "at random", OF(type, link indegree)}, \
{entry ".probability", BOSC_KEY_REAL, "", 0, 1, "1", false, \
 "distance: a factor, the probability at 0 um; fixed_probability, " \
 "required: of each pair", \
 OF(type, link probability)}, \
{entry ".length", BOSC_KEY_REAL, "um", 1e-3, 1e7, NULL, false, \
 "distance, required: the probability is exp(-distance / length), 37 % at " \
 "this distance", OF(type, link length)}, \
{entry ".offset", BOSC_KEY_INT64, "", -1e12, 1e12, "1", false, \
 "ring: target i has source i - offset", OF(type, link offset)}

/* The keys that say which neurons an entry is about. */
#define NEURON_KEYS(entry, type, selection) \
{entry ".population", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false, \
 "which one; default: every population", OF(type, selection.population)}, \
{entry ".neurons", BOSC_KEY_NEURONS, "", NO_RANGE, "all", false, \
 "numbers in the population, from 0: all, or \"0-9,20\"", OF(type, selection)}

/* The keys of a place at random. */
#define TARGET_KEYS(group, type, at) \
{group ".region", BOSC_KEY_REGION_LIST, "", NO_RANGE, "all", false, \
 "all, or some of soma, axon, dendrite, apical, custom and the target's own " \
 "regions: [dendrite, apical]", \
 OF(type, at.region)}, \
{group ".distance", BOSC_KEY_RANGE, "um", 0, 1e9, "any", false, \
 "[nearest, farthest] along the path from the soma, or any", \
 OF(type, at.near)}, \
{group ".by", BOSC_KEY_MEASURE, "", NO_RANGE, "length", false, \
 "each um of length, or each um2 of area, is as likely as any other", \
 OF(type, at.kind)}

/* Every key of a job, in the order in which people should meet them. */
static const bosc_key keys[] = {
{"name", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "title of the results; default: the job file's name without its ending",
 OF(job, name)},
{"dt", BOSC_KEY_REAL, "ms", 1e-6, 10, "0.025", false,
 "time step", OF(job, dt)},
{"tstop", BOSC_KEY_REAL, "ms", 1e-6, 1e9, NULL, true,
 "how long to simulate, a multiple of dt", OF(job, tstop)},
{"celsius", BOSC_KEY_REAL, "degC", -50, 100, "6.3", false,
 "temperature, for the rates of the gates", OF(job, celsius)},
{"v_init", BOSC_KEY_REAL, "mV", -500, 500, "-65", false,
 "voltage of every compartment at t = 0", OF(job, v_init)},
{"second_order", BOSC_KEY_BOOL, "", NO_RANGE, "false", false,
 "true: Crank-Nicolson, NEURON's secondorder = 2; false: backward Euler",
 OF(job, second_order)},
{"seed", BOSC_KEY_SEED, "", NO_RANGE, "1", false,
 "of all random numbers", OF(job, seed)},
{"backend", BOSC_KEY_TEXT, "", NO_RANGE, "auto", false,
 "what computes: cpu (vectors, threads), cuda (a GPU for each rank), ref "
 "(plain, slow); auto: cpu",
 OF(job, compute.backend)},
{"method", BOSC_KEY_TEXT, "", NO_RANGE, "auto", false,
 "how to solve trees: depth-first (cpu, cuda), hines-flat (cpu), cell-blocks "
 "(cuda), hines (ref); auto: what is predicted to be the fastest of these of "
 "the backend; or, to compare them, a method of the papers in a step composed "
 "of assembly, solve and update: hines-interleaved, -block, -block-shared, "
 "-vbatch-cp, -vbatch-ncp, level-schedule-cp, -ncp, -sliced (cpu, cuda), "
 "hines-flat, cyclic-reduction (cuda); results have the same bits with any, "
 "but to 1e-9 mV with cyclic-reduction",
 OF(job, compute.method)},
{"block", BOSC_KEY_INT, "", 0, 512, "0", false,
 "neurons in a block of methods hines-block and hines-block-shared, from 32; "
 "0: their own default",
 OF(job, compute.block)},
{"levels", BOSC_KEY_LEVELS, "", NO_RANGE, "tips", false,
 "where methods level-schedule-* begin to count the levels of sections: tips, "
 "or root, as the papers do",
 OF(job, compute.from_root)},
{"tune", BOSC_KEY_TUNE, "", NO_RANGE, "predict", false,
 "how method auto is chosen; measure: the best candidates first compute steps "
 "of some of the neurons, in a run that is predicted to take 10 s or more, for "
 "a twentieth of it at most",
 OF(job, compute.tune)},
{"threads", BOSC_KEY_INT, "", 0, 4096, "0", false,
 "of each rank; 0: OMP_NUM_THREADS, else its cores", OF(job, compute.threads)},
{"verify", BOSC_KEY_INT, "", 0, 1e6, "0", false,
 "random neurons that ref computes again, with the events that they get in the "
 "run; any bit that differs ends it with exit status 70",
 OF(job, verify)},
{"strict", BOSC_KEY_BOOL, "", NO_RANGE, "false", false,
 "true: refuse what else gives a warning: morphologies that need a repair, "
 "voltages beyond 200 mV, densities above 10 S/cm2, clamps beyond 100 nA, gap "
 "junctions stronger than C/dt, entries without effect",
 OF(job, strict)},

{"mechanisms", BOSC_KEY_PATHS, "", NO_RANGE, NULL, false,
 "mechanisms of your own, in NEURON's NMODL: mod files, folders of them, or "
 "what 'bosc mods build' has made; relative to the job file; regions and "
 "synapses name what is in there, and the ions it uses: 'ca_ion: {eca: 120}', "
 "or 'ca_ion: {eca: {value: 120, fixed: true}}' where mechanisms change "
 "concentrations and eca stays",
 OF(job, mechanisms)},

{"cost_from", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "the result of an earlier run, relative to the job file: ranks are balanced "
 "by the times measured there; default: by the cost model of the machine's "
 "file, see 'bosc calibrate'", OF(job, cost.from)},

{"populations", BOSC_KEY_LIST, "", NO_RANGE, NULL, true,
 "groups of neurons that share properties", OF(job, populations)},
{"populations[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how clamps, probes, lists and results call it: letters, digits, \"_\", \"-\"",
 OF(population_spec, name)},
{"populations[].morphologies", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "a file (.swc, .asc: Neurolucida, .nml: NeuroML 2; each also with .gz; "
 ".cylinders.tsv: section, length, diameter, parent), a glob "
 "(\"cells/*.swc\"), or a list (.tsv: path, count, population); relative to "
 "the job file",
 OF(population_spec, morphologies)},
{"populations[].model", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "a published model, as 'bosc import' reads it: a fit of the Allen Cell Types "
 "Database (.json), a package of EModelRunner or BluePyEModel, a folder as "
 "BluePyOpt's l5pc; it gives the morphology, axon, compartments, regions with "
 "v_init, mod files, and the job's celsius and dt where the job has none; keys "
 "beside it override it, regions number by number",
 OF(population_spec, model)},
{"populations[].model_values", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "the model's free parameters, JSON as final.json: {\"gbar_x.somatic\": 0.1}",
 OF(population_spec, model_values)},
{"populations[].model_name", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "which of several models of a recipes.json or final.json",
 OF(population_spec, model_name)},
{"populations[].synthetic", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "random trees instead of files, every neuron different", 0},
{"populations[].synthetic.compartments", BOSC_KEY_COUNTS, "", 1, 1e6, NULL,
 true,
 "of each neuron, zero-area ends included; two numbers, [76, 691]: drawn "
 "evenly between them",
 OF(population_spec, synthetic.compartments)},
{"populations[].synthetic.sections", BOSC_KEY_COUNTS, "", 1, 5e5, NULL, true,
 "of each neuron, the soma included; two numbers: drawn evenly between them, "
 "at most (compartments - 1) / 2",
 OF(population_spec, synthetic.sections)},
{"populations[].synthetic.seed", BOSC_KEY_SEED, "", NO_RANGE, NULL, false,
 "of the shapes; default: made of the job's seed and the population's name",
 OF(population_spec, synthetic.seed)},
{"populations[].artificial", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "instead of morphologies: cells without compartments, which receive and send "
 "events; parameters of their type are keys, too", 0},
{"populations[].artificial.type", BOSC_KEY_POINT_PROCESS, "", NO_RANGE, NULL,
 true, "an ARTIFICIAL_CELL of a mod file", OF(population_spec, artificial)},
{"populations[].count", BOSC_KEY_INT64, "", 1, 1e12, "1", false,
 "neurons: of each file, synthetic or artificial ones; a list has its own "
 "counts",
 OF(population_spec, count)},

{"populations[].positions", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "of the somata, for rules and values that depend on the distance between "
 "neurons: box or file", 0},
{"populations[].positions.box", BOSC_KEY_BOX, "um", 0, 1e7, NULL, false,
 "at random in a box of these three sides", OF(population_spec, box)},
{"populations[].positions.file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "x, y, z (um) of each neuron (.tsv), relative to the job file",
 OF(population_spec, positions)},

{"populations[].scale", BOSC_KEY_SCALE, "", NO_RANGE, "{}", false,
 "factors on the sections of a file, by SWC type: 'apical: {length: 1.2}'; "
 "before all that follows here; capacitance and leak have factors of their "
 "own, spines of regions", OF(population_spec, cable.edit)},
{"populations[].scale.REGION.length", BOSC_KEY_REAL, "", 1e-3, 1e3, "1", false,
 "of each section; branches move along", 0},
{"populations[].scale.REGION.diameter", BOSC_KEY_REAL, "", 1e-3, 1e3, "1",
 false, "of each section", 0},
{"populations[].attach", BOSC_KEY_ATTACH, "", NO_RANGE, "file", false,
 "where sections hang that begin at the soma: soma(0), soma(0.5), soma(1), or "
 "as the file and NEURON's rules for it have it",
 OF(population_spec, cable.edit.attach)},
{"populations[].axon", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "what stands for the axon of a file: a published rule, or sections of your "
 "own, end to end, numbered from axon[0] on behind all other sections", 0},
{"populations[].axon.replace", BOSC_KEY_AXON, "", NO_RANGE, "none", false,
 "none: the axon of the file; remove: nothing; given: lengths and diameters "
 "below; else two sections of 30 um: allen_perisomatic, stub and "
 "aibs_perisomatic, 1 um thick, at soma(0.5); at soma(1), with diameters of "
 "the file's axon: allen_truncated, bbp_v5 (axon[0], and the first section "
 "whose middle is more than 60 um from soma(0)), bluepyopt (from soma(0.5)), "
 "aibs_allactive (axon[0], and the last); bbp_v6 (the first ten diameters in "
 "steps of 6 um, then myelin[0], 1000 um of region custom), bbp_v6_nomyelin, "
 "thalamus (the same, for short axons too).  A rule brings its own "
 "compartments, 1 and 1, of the last three 5 and 5, of myelin 5, and reads "
 "diameters as from compartments of 40 um, whatever discretisation says; those "
 "of BMTK (aibs_) leave both to it",
 OF(population_spec, cable.edit.axon.rule)},
{"populations[].axon.lengths", BOSC_KEY_NUMBERS, "um", 1e-3, 1e6, NULL, false,
 "of the sections: [30, 30]", OF(population_spec, cable.edit.axon.lengths)},
{"populations[].axon.diameters", BOSC_KEY_NUMBERS, "um", 1e-3, 1e6, NULL, false,
 "of the sections: [1, 1]", OF(population_spec, cable.edit.axon.diameters)},
{"populations[].axon.compartments", BOSC_KEY_NUMBERS, "", 1, 32767, NULL, false,
 "of the sections: [1, 1]; default: as the policy of discretisation says",
 OF(population_spec, cable.edit.axon.compartments)},
{"populations[].axon.attach", BOSC_KEY_ATTACH_STUB, "", NO_RANGE, NULL, false,
 "where the first section hangs: soma(0), soma(0.5) or soma(1); default: as "
 "the rule says, of given ones soma(1)",
 OF(population_spec, cable.edit.axon.attach)},

{"populations[].discretisation", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "how sections are cut into compartments; without it as their file says (nseg "
 "of cylinders, numberInternalDivisions of NeuroML), if it does", 0},
{"populations[].discretisation.policy", BOSC_KEY_POLICY, "", NO_RANGE,
 "d_lambda", false,
 "d_lambda, max_length, per_section, per_sample (as the file says), or "
 "odd_per; may be left out where one of the keys below says it",
 OF(population_spec, cable.policy)},
{"populations[].discretisation.d_lambda", BOSC_KEY_REAL, "", 1e-4, 100, "0.1",
 false, "longest compartment as a fraction of the length constant",
 OF(population_spec, cable.d_lambda)},
{"populations[].discretisation.frequency", BOSC_KEY_REAL, "Hz", 1e-3, 1e6,
 "100", false, "at which the length constant of d_lambda is taken",
 OF(population_spec, cable.frequency)},
{"populations[].discretisation.max_length", BOSC_KEY_REAL, "um", 1e-3, 1e6,
 "20", false, "longest compartment", OF(population_spec, cable.max_length)},
{"populations[].discretisation.per_section", BOSC_KEY_INT, "", 1, 32767, "1",
 false, "compartments of every section",
 OF(population_spec, cable.per_section)},
{"populations[].discretisation.odd_per", BOSC_KEY_BY_REGION, "um", 1e-3, 1e6,
 "40", false,
 "1 + 2 int(L / odd_per) compartments of a section of length L; or by SWC "
 "type: {all: 40, soma: 20, axon: 10}",
 OF(population_spec, cable.odd_per)},

{"populations[].regions", BOSC_KEY_REGIONS, "", NO_RANGE, "{}", false,
 "cable and membrane: of all, then of soma, axon, dendrite, apical and custom "
 "(other SWC types; as dendrite unless given), of several, \"apical, "
 "dendrite\", and of regions of your own, which have a key 'where'; later ones"
 " override earlier ones key by key; built in are the mechanisms pas, a leak, "
 "and hh, of Hodgkin and Huxley, and none is there by default; every number "
 "may vary: {formula: \"value*exp(-distance/100)\", value: 0.1}, with distance"
 " and farthest (um from the soma), diam, section_length, x, y, z (um) and "
 "names of your own; {linear: [at 0 um, per um]}, {exponential: [offset, "
 "factor, per um], value: 1}, {step: [nearest, farthest, inside, outside]}; "
 "{uniform: ...}, {normal: ...} and {lognormal: ...}, of each neuron; {table: "
 "values.tsv, column: name}, with columns neuron, section and x", 0},
{BOSC_REGION_PATH ".where", BOSC_KEY_WHERE, "", NO_RANGE, NULL, false,
 "of your own region: which compartments, by their middles; all keys hold", 0},
{BOSC_REGION_PATH ".Ra", BOSC_KEY_VARYING, "ohm cm", 1e-3, 1e6, "35.4", false,
 "axial resistivity", BOSC_RA},
{BOSC_REGION_PATH ".cm", BOSC_KEY_VARYING, "uF/cm2", 1e-12, 1e3, "1", false,
 "membrane capacitance", BOSC_CM},
{BOSC_REGION_PATH ".v_init", BOSC_KEY_VARYING, "mV", -500, 500, NULL, false,
 "voltage at t = 0; default: the job's", BOSC_V_INIT},
{BOSC_REGION_PATH ".spines", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "factors in the place of spines that the morphology does not have; they "
 "multiply what any region says", 0},
{BOSC_REGION_PATH ".spines.cm", BOSC_KEY_REAL, "", 1e-3, 1e3, "1", false,
 "of cm, also where d_lambda cuts", BOSC_SPINES_CM},
{BOSC_REGION_PATH ".spines.g", BOSC_KEY_REAL, "", 1e-3, 1e3, "1", false,
 "of the g of pas", BOSC_SPINES_G},

{BOSC_WHERE_PATH ".region", BOSC_KEY_REGION_LIST, "", NO_RANGE, NULL, false,
 "all, soma, axon, dendrite, apical, custom or regions that stand before, or a "
 "list of some", 0},
{BOSC_WHERE_PATH ".type", BOSC_KEY_COUNTS, "", 0, INT32_MAX, NULL, false,
 "the SWC type code of its section, or a list of some", 0},
{BOSC_WHERE_PATH ".sections", BOSC_KEY_REGION_LIST, "", NO_RANGE, NULL, false,
 "its section: names, dend[3], ranges, dend[0-12] or dend[5-], or axon for all "
 "of that name; one or a list", 0},
{BOSC_WHERE_PATH ".distance", BOSC_KEY_RANGE, "um", 0, 1e9, NULL, false,
 "[nearest, farthest] of its middle, along the path from the middle of the "
 "soma; .inf: no end; or one number: it holds a point so far away", 0},
{BOSC_WHERE_PATH ".from", BOSC_KEY_LOCATION, "", NO_RANGE, "soma", false,
 "where distance counts from", 0},
{BOSC_WHERE_PATH ".diameter", BOSC_KEY_RANGE, "um", 0, 1e9, NULL, false,
 "[least, greatest], the mean along the compartment", 0},
{BOSC_WHERE_PATH ".order", BOSC_KEY_COUNTS, "", 0, INT32_MAX, NULL, false,
 "branch points between the soma and its section: a number, or [least, most]; "
 "the soma and what begins at it have 0", 0},
{BOSC_WHERE_PATH ".between", BOSC_KEY_REGION_LIST, "", NO_RANGE, NULL, false,
 "two points: it is on the path between them, or one is in it", 0},
{BOSC_WHERE_PATH ".tip", BOSC_KEY_BOOL, "", NO_RANGE, NULL, false,
 "true: no section hangs on its section; false: one does", 0},
{BOSC_WHERE_PATH ".and", BOSC_KEY_REGION_LIST, "", NO_RANGE, NULL, false,
 "a list of groups of these keys: all hold", 0},
{BOSC_WHERE_PATH ".or", BOSC_KEY_REGION_LIST, "", NO_RANGE, NULL, false,
 "a list of groups of these keys: one holds, or more", 0},
{BOSC_WHERE_PATH ".not", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "a group of these keys: it does not hold", 0},

{"synapses", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "kinds of synapses", OF(job, network.synapses)},
{"synapses[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how projections call it", OF(synapse_spec, name)},
{"synapses[].type", BOSC_KEY_POINT_PROCESS, "", NO_RANGE, NULL, true,
 "ExpSyn: the conductance jumps and decays; Exp2Syn: it rises and decays; both "
 "as in NEURON; or a point process of a mod file", OF(synapse_spec, type)},
{"synapses[].pointers", BOSC_KEY_POINTERS, "", NO_RANGE, NULL, false,
 "what each POINTER of the mod file stands for, as of point_processes",
 OF(synapse_spec, type.pointers)},

{"sources", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "spike sources that are no neurons", OF(job, network.sources)},
{"sources[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how projections call it", OF(source_spec, name)},
{"sources[].type", BOSC_KEY_SOURCE, "", NO_RANGE, NULL, true,
 "regular (NEURON's NetStim), poisson, or file", OF(source_spec, type)},
{"sources[].count", BOSC_KEY_INT64, "", 1, 1e12, "1", false,
 "how many, independent of each other; numbered from 0, in a file too",
 OF(source_spec, count)},
{"sources[].start", BOSC_KEY_REAL, "ms", 0, 1e12, "0", false,
 "regular: time of the first spike; poisson: no spikes before it",
 OF(source_spec, start)},
{"sources[].stop", BOSC_KEY_REAL, "ms", 0, 1e12, NULL, false,
 "regular, poisson: no spikes from then on; default: tstop",
 OF(source_spec, stop)},
{"sources[].number", BOSC_KEY_INT64, "", 1, 1e12, NULL, false,
 "regular: spikes of each; default: no limit", OF(source_spec, number)},
{"sources[].interval", BOSC_KEY_REAL, "ms", 1e-6, 1e12, NULL, false,
 "regular, required: mean time between spikes", OF(source_spec, interval)},
{"sources[].noise", BOSC_KEY_REAL, "", 0, 1, "0", false,
 "regular: how much of the interval is random, exponentially distributed",
 OF(source_spec, noise)},
{"sources[].rate", BOSC_KEY_REAL, "Hz", 0, 1e6, NULL, false,
 "poisson, required: mean spikes a second of each", OF(source_spec, rate)},
{"sources[].file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "file, required: spikes as .tsv (time in ms, number of the source) or as a "
 "result of bosc (.nc); relative to the job file", OF(source_spec, file)},

#include "src/job/grammar/link_keys.h"

{"clamps", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "current injected through electrodes; clamps have no names, so --set takes "
 "their number: --set clamps[0].amplitude=0.3", OF(job, points.clamps)},
NEURON_KEYS("clamps[]", clamp_spec, point.neurons),
{"clamps[].at", BOSC_KEY_PLACES, "", NO_RANGE, "soma", false,
 "as 'at' of stimuli: the current flows into each of the places",
 OF(clamp_spec, point.at)},
{"clamps[].delay", BOSC_KEY_REAL, "ms", 0, 1e12, "0", false,
 "when the current begins", OF(clamp_spec, delay)},
{"clamps[].duration", BOSC_KEY_REAL, "ms", 0, 1e12, NULL, true,
 "how long it flows", OF(clamp_spec, duration)},
{"clamps[].amplitude", BOSC_KEY_REAL, "nA", -1e6, 1e6, NULL, true,
 "positive depolarises", OF(clamp_spec, amplitude)},

{"stimuli", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "what is done to neurons: trains of pulses, ramps, sines, noise, tables that "
 "are played, voltage clamps; numbers may vary between neurons, as those of "
 "regions do: {uniform: [0.1, 0.3]}, {table: file.tsv, column: amplitude}, "
 "{formula: ...}", OF(job, points.stimuli)},
{"stimuli[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how --set, sweeps, random numbers and results call it", OF(point_spec, name)},
{"stimuli[].type", BOSC_KEY_POINT_PROCESS, "", NO_RANGE, NULL, true,
 "one of those below, or a POINT_PROCESS of a mod file without NET_RECEIVE "
 "and POINTER; its parameters are keys, too", OF(point_spec, type)},
NEURON_KEYS("stimuli[]", point_spec, neurons),
{"stimuli[].at", BOSC_KEY_PLACES, "", NO_RANGE, "soma", false,
 "as 'at' of probes, but everywhere is {region: all}: soma, "
 "\"dend[12](0.5)\", {region: apical, distance: 620}, or a list of such; each "
 "compartment that one of them names has the whole stimulus, once, with the "
 "number that its neuron has drawn or has from a table, or the place from a "
 "formula, and with noise of its own", OF(point_spec, at)},
{"stimuli[].extracellular", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "instead of 'at': a potential outside the neurons, of direction or "
 "electrodes; each compartment gets the axial currents that it drives, as of "
 "NEURON's e_extracellular; of types whose currents follow the time alone", 0},
{"stimuli[].extracellular.direction", BOSC_KEY_POSITIONS, "", -1e9, 1e9, NULL,
 false, "[x, y, z]: where a uniform electric field points to, of any length; "
 "its strength is what the type has as a current, in V/m for nA",
 OF(point_spec, outside.direction)},
{"stimuli[].extracellular.electrodes", BOSC_KEY_POSITIONS, "um", -1e9, 1e9,
 NULL, false, "points, [[x, y, z], ...]: from each of them the current of the "
 "type flows into the medium; one is never nearer to a compartment than its "
 "radius", OF(point_spec, outside.electrodes)},
{"stimuli[].extracellular.sigma", BOSC_KEY_REAL, "S/m", 1e-6, 1e6, "0.3", false,
 "conductivity around electrodes", OF(point_spec, outside.sigma)},
{"stimuli[].table", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "required of CurrentPlayback (nA), VoltagePlayback (mV): text or NetCDF with "
 "a time (ms) and a number in each row, at times that increase and cover the "
 "run, with straight lines in between, or an NWB file; relative to the job "
 "file",
 OF(point_spec, table)},
{"stimuli[].column", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "what the table, beside 'time', calls these numbers; without this key value, "
 "current or voltage, and in a text without names it is the second column; of "
 "an NWB file a time series, /stimulus/presentation/Sweep_42",
 OF(point_spec, column)},

{"point_processes", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "point processes that act without events: IClamp, the current clamp of "
 "'clamps', and those of mod files, such as other electrodes",
 OF(job, points.point_processes)},
{"point_processes[].type", BOSC_KEY_POINT_PROCESS, "", NO_RANGE, NULL, true,
 "IClamp, or a POINT_PROCESS of a mod file without NET_RECEIVE or that sends "
 "events to itself; its parameters are keys, too", OF(point_spec, type)},
NEURON_KEYS("point_processes[]", point_spec, neurons),
{"point_processes[].at", BOSC_KEY_PLACES, "", NO_RANGE, "soma", false,
 "as 'at' of stimuli: each of the places has one", OF(point_spec, at)},
{"point_processes[].pointers", BOSC_KEY_POINTERS, "", NO_RANGE, NULL, false,
 "what each POINTER of the mod file stands for: {x: hh.m}, a variable of its "
 "compartment, as probes call it, or i_membrane (mA/cm2), i_membrane_ (nA); "
 "{x: {variable: hh.m, at: \"dend[0](0.5)\"}}, one elsewhere on the neuron; "
 "{x: {population: cells, neuron: 3, at: soma}}, the voltage of another "
 "neuron, without 'neuron' the one of the same number; {x: own}, nothing, "
 "where the file assigns to it; mechanisms of regions have this key, too",
 OF(point_spec, type.pointers)},

#include "src/job/grammar/record_keys.h"
{"sweep", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "several jobs in one, its members: this job with other values of some keys, "
 "named as in --set; members share files, templates and vectors, and have the "
 "bits that each has alone; of several of the parts below each value goes with "
 "each of the others", 0},
{"sweep.grid", BOSC_KEY_SWEPT, "", NO_RANGE, NULL, false,
 "KEY: [values]: each value of a key with each of the others", 0},
{"sweep.zip", BOSC_KEY_SWEPT, "", NO_RANGE, NULL, false,
 "KEY: [values]: the first values of all keys together, then the second ones; "
 "the lists have one length, and 'name' may name the members", 0},
{"sweep.list", BOSC_KEY_SWEPT, "", NO_RANGE, NULL, false,
 "members one by one, a list of {KEY: value}, each of the same keys, and "
 "'name' if you like", 0},
{"sweep.draws", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "values drawn by the job's seed: n and keys", 0},
{"sweep.draws.n", BOSC_KEY_SWEPT, "", 1, BOSC_MOST_MEMBERS, NULL, true,
 "how many values of each key are drawn", 0},
{"sweep.draws.keys", BOSC_KEY_SWEPT, "", NO_RANGE, NULL, true,
 "KEY: {uniform: [0.5, 1]}, or normal, lognormal, with min and max", 0},
{"checkpoint", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "files beside the result, from which an interrupted run goes on when it is "
 "run again", 0},
{"checkpoint.every", BOSC_KEY_REAL, "min", 0, 1e6, "0", false,
 "wall time from one to the next; 0: none are written by the clock",
 OF(job, checkpoint.every)},
{"checkpoint.on_signal", BOSC_KEY_BOOL, "", NO_RANGE, "true", false,
 "write one when SIGTERM or SIGUSR1 ends the run, with exit status 75",
 OF(job, checkpoint.on_signal)},
{"checkpoint.at_end", BOSC_KEY_BOOL, "", NO_RANGE, "false", false,
 "write one at tstop and keep it; else a finished run removes its checkpoints",
 OF(job, checkpoint.at_end)},
};
/* clang-format on */

/* A list of the job, or of a part of it: "network." */
#define LIST(part, name, type, line, complete)                                 \
    {                                                                          \
#name, #name "[]", sizeof(type), offsetof(bosc_job, part name),        \
            offsetof(bosc_job, part n_##name), offsetof(type, line), complete  \
    }

static const bosc_key_list lists[] = {
    LIST(, populations, bosc_population_spec, line, bosc_population_complete),
    LIST(network., synapses, bosc_synapse_spec, line, bosc_synapse_complete),
    LIST(network., sources, bosc_source_spec, line, bosc_source_complete),
    LIST(network., projections, bosc_projection_spec, line,
         bosc_projection_complete),
    LIST(network., couplings, bosc_coupling_spec, link.line,
         bosc_coupling_complete),
    LIST(points., clamps, bosc_clamp_spec, point.line, bosc_clamp_complete),
    LIST(points., stimuli, bosc_point_spec, line, bosc_stimulus_complete),
    LIST(points., point_processes, bosc_point_spec, line, bosc_point_complete),
    LIST(, probes, bosc_probe_spec, line, bosc_probe_complete),
};

/* The parameters of point processes are keys of their entries. */
static size_t more_names(const bosc_schema *schema, const char *path, size_t n,
                         const char *names[BOSC_MAX_KEYS])
{
    return bosc_point_params(schema->mechs, path, n, names);
}

const bosc_schema bosc_job_schema = {
    .n_keys = (int)BOSC_LEN(keys),
    .n_lists = (int)BOSC_LEN(lists),
    .n_wheres = BOSC_N_JOB_WHERES,
    .keys = keys,
    .lists = lists,
    .wheres = bosc_job_wheres,
    .remedy = "add it",
    .more_names = more_names,
    .unknown = bosc_job_key_unknown,
};
