#include "src/job/job_keys.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OF(type, field) offsetof(bosc_##type, field)
#define NO_RANGE 0, 0

/* Every key of a job, in the order in which people should meet them. */
/* clang-format off */
const bosc_key bosc_keys[] = {
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
 "Crank-Nicolson as NEURON's secondorder = 2, instead of backward Euler",
 OF(job, second_order)},
{"seed", BOSC_KEY_SEED, "", NO_RANGE, "1", false,
 "of all random numbers", OF(job, seed)},
{"backend", BOSC_KEY_TEXT, "", NO_RANGE, "auto", false,
 "what computes: ref (plain and slow), cpu (vectors, threads), auto",
 OF(job, backend)},
{"method", BOSC_KEY_TEXT, "", NO_RANGE, "auto", false,
 "how the backend solves the trees; auto: its fastest",
 OF(job, method)},
{"threads", BOSC_KEY_INT, "", 0, 4096, "0", false,
 "a rank; 0: as OMP_NUM_THREADS says, else the cores", OF(job, threads)},
{"strict", BOSC_KEY_BOOL, "", NO_RANGE, "false", false,
 "refuse SWC files that would need a repair, and all that gives a warning",
 OF(job, strict)},

{"cost_from", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "a result of an earlier run, relative to the job file: neurons are divided by "
 "what took how long then; default: by the machine's file, see 'bosc bench "
 "machine'", OF(job, cost_from)},

{"populations", BOSC_KEY_LIST, "", NO_RANGE, NULL, true,
 "groups of neurons that share properties", OF(job, populations)},
{"populations[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how clamps, probes, lists and results call it",
 OF(population_spec, name)},
{"populations[].morphologies", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "an SWC file, a glob (\"cells/*.swc\"), or a list (.tsv: path, count, "
 "population); relative to the job file",
 OF(population_spec, morphologies)},
{"populations[].synthetic", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "random trees instead of files, every neuron different", 0},
{"populations[].synthetic.compartments", BOSC_KEY_COUNTS, "", 1, 1e6, NULL,
 true, "of every neuron, zero-area ends included; two numbers: drawn evenly "
 "between them",
 OF(population_spec, synthetic.compartments)},
{"populations[].synthetic.sections", BOSC_KEY_COUNTS, "", 1, 5e5, NULL, true,
 "of every neuron, the soma included; two numbers: drawn evenly between them, "
 "at most (compartments - 1) / 2",
 OF(population_spec, synthetic.sections)},
{"populations[].synthetic.seed", BOSC_KEY_SEED, "", NO_RANGE, NULL, false,
 "of the shapes; default: made of the job's seed and the population's name",
 OF(population_spec, synthetic.seed)},
{"populations[].count", BOSC_KEY_INT64, "", 1, 1e12, "1", false,
 "neurons: of each file, or synthetic ones; a list has its own counts",
 OF(population_spec, count)},

{"populations[].positions", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "of the somata, for what depends on distance: box or file", 0},
{"populations[].positions.box", BOSC_KEY_BOX, "um", 0, 1e7, NULL, false,
 "at random in a box of these three sides", OF(population_spec, box)},
{"populations[].positions.file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "x, y, z (um) of each neuron (.tsv), relative to the job file",
 OF(population_spec, positions)},

{"populations[].discretisation", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "how sections are cut into compartments", 0},
{"populations[].discretisation.policy", BOSC_KEY_POLICY, "", NO_RANGE,
 "d_lambda", false,
 "d_lambda, max_length, per_section, or per_sample; may be left out where "
 "one of the keys below says it",
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

{"populations[].regions", BOSC_KEY_REGIONS, "", NO_RANGE, "{}", false,
 "membrane and cable of all, then of soma, axon, dendrite, apical and custom "
 "(other SWC types; as dendrite unless given), overriding key by key", 0},
{BOSC_REGION_PATH ".Ra", BOSC_KEY_REAL, "ohm cm", 1e-3, 1e6, "35.4", false,
 "axial resistivity", OF(region_spec, Ra)},
{BOSC_REGION_PATH ".cm", BOSC_KEY_REAL, "uF/cm2", 1e-6, 1e3, "1", false,
 "membrane capacitance", OF(region_spec, cm)},

{"synapses", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "kinds of synapses", OF(job, synapses)},
{"synapses[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how projections call it", OF(synapse_spec, name)},
{"synapses[].type", BOSC_KEY_SYNAPSE, "", NO_RANGE, NULL, true,
 "ExpSyn (conductance jumps and decays) or Exp2Syn (rises and decays), as in "
 "NEURON", OF(synapse_spec, mech)},

{"sources", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "what sends spikes without being a neuron", OF(job, sources)},
{"sources[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how projections call it", OF(source_spec, name)},
{"sources[].type", BOSC_KEY_SOURCE, "", NO_RANGE, NULL, true,
 "regular (NEURON's NetStim), poisson, or file", OF(source_spec, type)},
{"sources[].count", BOSC_KEY_INT64, "", 1, 1e12, "1", false,
 "how many, independent of each other; numbered from 0, in a file too",
 OF(source_spec, count)},
{"sources[].start", BOSC_KEY_REAL, "ms", 0, 1e12, "0", false,
 "regular: of the first spike; poisson: nothing before it",
 OF(source_spec, start)},
{"sources[].stop", BOSC_KEY_REAL, "ms", 0, 1e12, NULL, false,
 "regular, poisson: nothing from then on; default: tstop",
 OF(source_spec, stop)},
{"sources[].number", BOSC_KEY_INT64, "", 1, 1e12, NULL, false,
 "regular: spikes of each; default: no limit", OF(source_spec, number)},
{"sources[].interval", BOSC_KEY_REAL, "ms", 1e-6, 1e12, NULL, false,
 "regular, required: mean time between spikes", OF(source_spec, interval)},
{"sources[].noise", BOSC_KEY_REAL, "", 0, 1, "0", false,
 "regular: how much of the interval is exponentially distributed",
 OF(source_spec, noise)},
{"sources[].rate", BOSC_KEY_REAL, "Hz", 0, 1e6, NULL, false,
 "poisson, required: mean spikes a second of each", OF(source_spec, rate)},
{"sources[].file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "file, required: spikes as .tsv (time in ms, number of the source) or as a "
 "result of bosc (.nc); relative to the job file", OF(source_spec, file)},

{"projections", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "connections from a population or source to a population",
 OF(job, projections)},
{"projections[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, false,
 "how messages and --set call it; default: FROM-TO",
 OF(projection_spec, name)},
{"projections[].from", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the population or source that sends", OF(projection_spec, from)},
{"projections[].to", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the population that receives", OF(projection_spec, to)},
{"projections[].synapse", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "its name under synapses", OF(projection_spec, synapse)},
{"projections[].rule", BOSC_KEY_RULE, "", NO_RANGE, NULL, true,
 "one_to_one, all_to_all, fixed_indegree, fixed_probability, ring, distance, "
 "or list", OF(projection_spec, rule)},
{"projections[].indegree", BOSC_KEY_INT64, "", 1, 1e9, NULL, false,
 "fixed_indegree, required: connections of each target, from sources drawn at "
 "random", OF(projection_spec, indegree)},
{"projections[].probability", BOSC_KEY_REAL, "", 0, 1, "1", false,
 "fixed_probability, required: of each pair; distance: of neighbours at 0 um",
 OF(projection_spec, probability)},
{"projections[].length", BOSC_KEY_REAL, "um", 1e-3, 1e7, NULL, false,
 "distance, required: where the probability, exp(-distance / length), is 37 % "
 "of that at 0 um", OF(projection_spec, length)},
{"projections[].offset", BOSC_KEY_INT64, "", -1e12, 1e12, "1", false,
 "ring: target i has source i - offset", OF(projection_spec, offset)},
{"projections[].file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "list, required: connections as .tsv or .nc (source, target, and if you "
 "like weight in uS, delay in ms); relative to the job file",
 OF(projection_spec, file)},
{"projections[].autapses", BOSC_KEY_BOOL, "", NO_RANGE, "true", false,
 "a neuron may be drawn as its own source", OF(projection_spec, autapses)},
{"projections[].weight", BOSC_KEY_DRAW, "uS", -BOSC_MOST_WEIGHT,
 BOSC_MOST_WEIGHT, NULL, false,
 "a number, or drawn for each connection; required unless the rule is list",
 OF(projection_spec, weight)},
{"projections[].delay", BOSC_KEY_DRAW, "ms", 0, BOSC_MOST_DELAY, "1", false,
 "a number, or drawn for each connection", OF(projection_spec, delay)},
{BOSC_DRAW_PATH ".uniform", BOSC_KEY_PAIR, "", NO_RANGE, NULL, false,
 "[lower end, upper end]", 0},
{BOSC_DRAW_PATH ".normal", BOSC_KEY_PAIR, "", NO_RANGE, NULL, false,
 "[mean, standard deviation]", 0},
{BOSC_DRAW_PATH ".lognormal", BOSC_KEY_PAIR, "", NO_RANGE, NULL, false,
 "[mean, standard deviation] of the number itself, not of its logarithm", 0},
{BOSC_DRAW_PATH ".distance", BOSC_KEY_PAIR, "", NO_RANGE, NULL, false,
 "[value at 0 um, change per um]: not drawn, but by the distance of the somata",
 0},
{BOSC_DRAW_PATH ".min", BOSC_KEY_REAL, "", NO_RANGE, NULL, false,
 "what is less becomes this; default: 0 where mean or value at 0 um is "
 "positive, else none; delays are never negative", 0},
{BOSC_DRAW_PATH ".max", BOSC_KEY_REAL, "", NO_RANGE, NULL, false,
 "what is more becomes this; default: 0 where mean or value at 0 um is "
 "negative, else none", 0},
{"projections[].at", BOSC_KEY_TARGET, "", NO_RANGE, "soma", false,
 "where the synapses are: soma, a position in a section, \"dend[12](0.5)\", or "
 "at random by the keys below", OF(projection_spec, at)},
{"projections[].at.region", BOSC_KEY_AMONG, "", NO_RANGE, "all", false,
 "all, or some of soma, axon, dendrite, apical, custom",
 OF(projection_spec, at.region)},
{"projections[].at.distance", BOSC_KEY_SPAN, "um", 0, 1e9, "any", false,
 "[nearest, farthest] along the path from the soma, or any",
 OF(projection_spec, at.near)},
{"projections[].at.by", BOSC_KEY_BY, "", NO_RANGE, "length", false,
 "each um of length, or each um2 of area, is as likely as any other",
 OF(projection_spec, at.kind)},
{"projections[].source", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "where a spike of the sending neuron is seen", 0},
{"projections[].source.at", BOSC_KEY_PLACE, "", NO_RANGE, "soma", false,
 "soma, or a position in a section: \"axon[0](1)\"",
 OF(projection_spec, source_at)},
{"projections[].source.threshold", BOSC_KEY_REAL, "mV", -500, 500, NULL, false,
 "a spike is an upward crossing of it; default: spikes.threshold",
 OF(projection_spec, source_threshold)},

{"couplings", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "gap junctions and graded synapses: what voltages do at every step",
 OF(job, couplings)},
{"couplings[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, false,
 "how messages and --set call it; default: FROM-TO-TYPE",
 OF(coupling_spec, link.name)},
{"couplings[].type", BOSC_KEY_COUPLING, "", NO_RANGE, NULL, true,
 "gap: the current conductance (v_other - v) flows at both ends; graded: a "
 "synapse on the target whose conductance follows the source's voltage",
 OF(coupling_spec, type)},
{"couplings[].from", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the population of the sources", OF(coupling_spec, link.from)},
{"couplings[].to", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the population of the targets", OF(coupling_spec, link.to)},
{"couplings[].rule", BOSC_KEY_RULE, "", NO_RANGE, NULL, true,
 "as of projections; a gap drawn once joins both ends",
 OF(coupling_spec, link.rule)},
{"couplings[].indegree", BOSC_KEY_INT64, "", 1, 1e9, NULL, false,
 "fixed_indegree, required: connections of each target, from sources drawn at "
 "random", OF(coupling_spec, link.indegree)},
{"couplings[].probability", BOSC_KEY_REAL, "", 0, 1, "1", false,
 "fixed_probability, required: of each pair; distance: of neighbours at 0 um",
 OF(coupling_spec, link.probability)},
{"couplings[].length", BOSC_KEY_REAL, "um", 1e-3, 1e7, NULL, false,
 "distance, required: where the probability, exp(-distance / length), is 37 % "
 "of that at 0 um", OF(coupling_spec, link.length)},
{"couplings[].offset", BOSC_KEY_INT64, "", -1e12, 1e12, "1", false,
 "ring: target i has source i - offset", OF(coupling_spec, link.offset)},
{"couplings[].file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "list, required: connections as .tsv or .nc (source, target, and if you "
 "like conductance in uS); relative to the job file",
 OF(coupling_spec, link.file)},
{"couplings[].autapses", BOSC_KEY_BOOL, "", NO_RANGE, "true", false,
 "a neuron may be drawn as its own source; a gap from a compartment to itself "
 "is left out", OF(coupling_spec, link.autapses)},
{"couplings[].conductance", BOSC_KEY_DRAW, "uS", 0, BOSC_MOST_WEIGHT, NULL,
 false, "a number, or drawn for each connection, as the weight of projections; "
 "of a graded synapse the largest; required unless the rule is list",
 OF(coupling_spec, link.weight)},
{"couplings[].at", BOSC_KEY_TARGET, "", NO_RANGE, "soma", false,
 "where on the target, as of projections", OF(coupling_spec, link.at)},
{"couplings[].at.region", BOSC_KEY_AMONG, "", NO_RANGE, "all", false,
 "all, or some of soma, axon, dendrite, apical, custom",
 OF(coupling_spec, link.at.region)},
{"couplings[].at.distance", BOSC_KEY_SPAN, "um", 0, 1e9, "any", false,
 "[nearest, farthest] along the path from the soma, or any",
 OF(coupling_spec, link.at.near)},
{"couplings[].at.by", BOSC_KEY_BY, "", NO_RANGE, "length", false,
 "each um of length, or each um2 of area, is as likely as any other",
 OF(coupling_spec, link.at.kind)},
{"couplings[].source", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "the end on the source", 0},
{"couplings[].source.at", BOSC_KEY_PLACE, "", NO_RANGE, "soma", false,
 "soma, or a position in a section: \"dend[12](0.5)\"",
 OF(coupling_spec, link.source_at)},
{"couplings[].e", BOSC_KEY_REAL, "mV", -500, 500, NULL, false,
 "graded, required: reversal potential", OF(coupling_spec, e)},
{"couplings[].half", BOSC_KEY_REAL, "mV", -500, 500, NULL, false,
 "graded, required: voltage of the source at which half the conductance is "
 "open", OF(coupling_spec, half)},
{"couplings[].slope", BOSC_KEY_REAL, "mV", 1e-3, 1e3, NULL, false,
 "graded, required: the open part is 1 / (1 + exp(-(v - half) / slope))",
 OF(coupling_spec, slope)},
{"couplings[].format", BOSC_KEY_FORMAT, "", NO_RANGE, "auto", false,
 "of the matrix of conductances: csr, ellpack, dense, auto; no result depends "
 "on it", OF(coupling_spec, format)},

{"clamps", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "current injected through electrodes", OF(job, clamps)},
{"clamps[].population", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "which one; default: every population", OF(clamp_spec, neurons.population)},
{"clamps[].neurons", BOSC_KEY_NEURONS, "", NO_RANGE, "all", false,
 "numbers in the population, from 0: all, or \"0-9,20\"",
 OF(clamp_spec, neurons)},
{"clamps[].at", BOSC_KEY_PLACE, "", NO_RANGE, "soma", false,
 "soma, or a position in a section: \"dend[12](0.5)\"", OF(clamp_spec, at)},
{"clamps[].delay", BOSC_KEY_REAL, "ms", 0, 1e12, "0", false,
 "when the current begins", OF(clamp_spec, delay)},
{"clamps[].duration", BOSC_KEY_REAL, "ms", 0, 1e12, NULL, true,
 "how long it flows", OF(clamp_spec, duration)},
{"clamps[].amplitude", BOSC_KEY_REAL, "nA", -1e6, 1e6, NULL, true,
 "positive depolarises", OF(clamp_spec, amplitude)},

{"probes", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "what is recorded", OF(job, probes)},
{"probes[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "how the result's variables begin: soma gives soma_v",
 OF(probe_spec, name)},
{"probes[].population", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "which one; default: every population", OF(probe_spec, neurons.population)},
{"probes[].neurons", BOSC_KEY_NEURONS, "", NO_RANGE, "all", false,
 "numbers in the population, from 0: all, or \"0-9,20\"",
 OF(probe_spec, neurons)},
{"probes[].at", BOSC_KEY_PLACE, "", NO_RANGE, "soma", false,
 "soma, everywhere, or a position in a section: \"dend[12](0.5)\"",
 OF(probe_spec, at)},
{"probes[].variables", BOSC_KEY_VARIABLES, "", NO_RANGE, "v", false,
 "what is recorded there, such as [v, m]; hh.m is the m of hh",
 OF(probe_spec, variables)},
{"probes[].interval", BOSC_KEY_REAL, "ms", 0, 1e9, "0", false,
 "between samples, a multiple of dt; 0: every step",
 OF(probe_spec, interval)},

{"spikes", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "detected at every soma", 0},
{"spikes.threshold", BOSC_KEY_REAL, "mV", -500, 500, "-20", false,
 "a spike is an upward crossing of it", OF(job, spike_threshold)},
{"output", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "the NetCDF file of results", 0},
{"output.file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "relative to the working folder; default: the name and \".nc\"",
 OF(job, output)},
{"output.compression", BOSC_KEY_INT, "", 0, 9, "0", false,
 "zlib level of probes; 0: none", OF(job, compression)},
{"output.buffer", BOSC_KEY_REAL, "MB", 0.001, 1e6, "64", false,
 "results on their way to the file, at most", OF(job, buffer)},
{"output.io_ranks", BOSC_KEY_INT, "", 0, 1e6, "0", false,
 "ranks that collect results; 0: one a node", OF(job, io_ranks)},
{"output.parallel", BOSC_KEY_PARALLEL, "", NO_RANGE, "auto", false,
 "yes: all of these write the file, no: rank 0 alone; auto: all where netCDF "
 "can", OF(job, parallel)},
};
/* clang-format on */
const int bosc_n_keys = (int)BOSC_LEN(bosc_keys);

const char *bosc_key_leaf(const bosc_key *key)
{
    const char *dot = strrchr(key->path, '.');

    return dot != NULL ? dot + 1 : key->path;
}

bool bosc_key_is_below(const bosc_key *key, const char *parent)
{
    const size_t length = strlen(parent);
    const char *leaf = bosc_key_leaf(key);

    if (length == 0)
        return leaf == key->path;
    return leaf == key->path + length + 1 &&
           strncmp(key->path, parent, length) == 0;
}

const bosc_key *bosc_key_find(const char *parent, const char *name)
{
    for (int i = 0; i < bosc_n_keys; ++i)
        if (bosc_key_is_below(&bosc_keys[i], parent) &&
            strcmp(bosc_key_leaf(&bosc_keys[i]), name) == 0)
            return &bosc_keys[i];
    return NULL;
}

bosc_key bosc_key_of_mech(int mech, int param)
{
    const bosc_mech_param *p = &bosc_mechs[mech].params[param];

    return (bosc_key){.path = p->name,
                      .type = BOSC_KEY_REAL,
                      .unit = p->unit,
                      .low = p->low,
                      .high = p->high,
                      .meaning = p->meaning};
}

/* --- the table for people ------------------------------------------------ */

static const char *const type_names[] = {
    [BOSC_KEY_REAL] = "number",
    [BOSC_KEY_INT] = "whole number",
    [BOSC_KEY_INT64] = "whole number",
    [BOSC_KEY_SEED] = "64-bit number",
    [BOSC_KEY_BOOL] = "true or false",
    [BOSC_KEY_TEXT] = "text",
    [BOSC_KEY_NAME] = "name",
    [BOSC_KEY_POLICY] = "word",
    [BOSC_KEY_PLACE] = "place",
    [BOSC_KEY_NEURONS] = "numbers",
    [BOSC_KEY_VARIABLES] = "list",
    [BOSC_KEY_GROUP] = "group",
    [BOSC_KEY_LIST] = "list",
    [BOSC_KEY_REGIONS] = "group",
    [BOSC_KEY_SYNAPSE] = "word",
    [BOSC_KEY_SOURCE] = "word",
    [BOSC_KEY_RULE] = "word",
    [BOSC_KEY_BY] = "word",
    [BOSC_KEY_SPAN] = "two numbers",
    [BOSC_KEY_BOX] = "three numbers",
    [BOSC_KEY_AMONG] = "list",
    [BOSC_KEY_DRAW] = "number or group",
    [BOSC_KEY_COUPLING] = "word",
    [BOSC_KEY_FORMAT] = "word",
    [BOSC_KEY_PARALLEL] = "word",
    [BOSC_KEY_PAIR] = "two numbers",
    [BOSC_KEY_TARGET] = "place or group",
    [BOSC_KEY_COUNTS] = "whole numbers",
};

/* Indented, in lines of at most 80 columns. */
static void print_wrapped(FILE *file, const char *text)
{
    int column = fprintf(file, "   ");

    while (*text != '\0') {
        const int word = (int)strcspn(text, " ");

        if (column + 1 + word > 80)
            column = fprintf(file, "\n   ") - 1;
        column += fprintf(file, " %.*s", word, text);
        text += word + (text[word] == ' ');
    }
    fputc('\n', file);
}

/* "v: membrane voltage, in mV", each variable in a line. */
static void print_variables(FILE *file)
{
    char name[BOSC_VARIABLE_NAME], meaning[120];
    bosc_variable variable;

    for (int i = 0; bosc_variable_at(i, &variable); ++i) {
        const char *unit = bosc_variable_unit(variable);
        const bool pure = strcmp(unit, "1") == 0;

        fprintf(file, "      %s: %s%s%s\n",
                bosc_variable_name(variable, '.', name),
                bosc_variable_meaning(variable, meaning, sizeof meaning),
                pure ? "" : ", in ", pure ? "" : unit);
    }
}

/* "dt: 0.025  (number, 1e-06 to 10 ms)" and the meaning below it. */
static void print_key(FILE *file, const char *parent, const bosc_key *key,
                      const char *standard)
{
    fprintf(file, "%s%s", parent, key->path);
    if (standard != NULL && strcmp(standard, "{}") != 0)
        fprintf(file, ": %s", standard);
    fprintf(file, "  (%s", type_names[key->type]);
    if (key->low < key->high)
        fprintf(file, ", %g to %g%s%s", key->low, key->high,
                key->unit[0] != '\0' ? " " : "", key->unit);
    fprintf(file, "%s)\n", key->required ? ", required" : "");
    print_wrapped(file, key->meaning);
    if (key->type == BOSC_KEY_VARIABLES)
        print_variables(file);
}

static void print_params(FILE *file, const char *parent, int m)
{
    for (int i = 0; i < bosc_mechs[m].n_params; ++i) {
        const bosc_key key = bosc_key_of_mech(m, i);
        char standard[32];

        snprintf(standard, sizeof standard, "%g",
                 bosc_mechs[m].params[i].standard);
        print_key(file, parent, &key, standard);
    }
}

static void print_mech(FILE *file, int m)
{
    char parent[80];

    fprintf(file, BOSC_REGION_PATH ".%s  (group)\n", bosc_mechs[m].name);
    print_wrapped(file, "mechanism; {} inserts it with its defaults, false "
                        "removes an inherited one");
    snprintf(parent, sizeof parent, BOSC_REGION_PATH ".%s.",
             bosc_mechs[m].name);
    print_params(file, parent, m);
}

static void print_synapse(FILE *file, int m)
{
    fprintf(file, "  of type %s:\n", bosc_mechs[m].name);
    print_params(file, BOSC_SYNAPSE_PATH ".", m);
}

/* What follows a key that the table of mechanisms continues: those with
 * 'receive', or those without. */
static const struct {
    const char *path;
    bool receives;
    void (*print)(FILE *file, int m);
} continued[] = {{BOSC_REGION_PATH ".cm", false, print_mech},
                 {BOSC_SYNAPSE_PATH ".type", true, print_synapse}};

static void print_continued(FILE *file, const char *path)
{
    for (size_t i = 0; i < BOSC_LEN(continued); ++i)
        for (int m = 0; m < BOSC_N_MECHS; ++m)
            if (strcmp(continued[i].path, path) == 0 &&
                (bosc_mechs[m].receive != NULL) == continued[i].receives)
                continued[i].print(file, m);
}

void bosc_job_print_keys(FILE *file)
{
    fprintf(file,
            "Keys of a job file: default, (type, range and unit), meaning.\n"
            "[] stands for each entry of a list, in --set for its index or "
            "name;\n"
            "REGION for all, soma, axon, dendrite, apical or custom;\n"
            "DRAW for weight, delay or conductance, which may have one of its "
            "keys\n"
            "besides min and max.\n\n");
    for (int i = 0; i < bosc_n_keys; ++i) {
        print_key(file, "", &bosc_keys[i], bosc_keys[i].standard);
        print_continued(file, bosc_keys[i].path);
    }
}
