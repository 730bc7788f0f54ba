/* link_keys.h - rows of the table in job_keys.c: projections and couplings. */
#ifndef BOSC_SRC_JOB_GRAMMAR_LINK_KEYS_H
#define BOSC_SRC_JOB_GRAMMAR_LINK_KEYS_H
/* clang-format off */
{"projections", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "connections from a population or source to a population",
 OF(job, network.projections)},
{"projections[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, false,
 "how messages and --set call it; default: FROM-TO",
 OF(projection_spec, name)},
{"projections[].from", BOSC_KEY_NAMES, "", NO_RANGE, NULL, true,
 "the population or source that sends, or a list of populations, [L23, L5], "
 "which follow each other in the job: their neurons are counted through, and "
 "the entry has a name", OF(projection_spec, from)},
{"projections[].to", BOSC_KEY_NAMES, "", NO_RANGE, NULL, true,
 "the population that receives, or a list as of 'from'",
 OF(projection_spec, to)},
{"projections[].synapse", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "its name under synapses; required unless artificial cells receive",
 OF(projection_spec, synapse)},
{"projections[].rule", BOSC_KEY_RULE, "", NO_RANGE, NULL, true,
 "one_to_one, all_to_all (which have no keys of their own), fixed_indegree, "
 "fixed_probability, ring, distance, or list", OF(projection_spec, rule)},
RULE_KEYS("projections[]", projection_spec, ),
{"projections[].file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "list, required: connections as .tsv or .nc, or edges of SONATA, .h5: source, "
 "target and, if you like, weight (uS) and delay (ms); where the first line "
 "names its columns also "
 "section (\"dend[12]\", or 0 for the first) and x (0 to 1), synapse (a kind) "
 "and parameters of it by their names; units stand in brackets, weight (nS), "
 "or in the attribute 'units'; '-' is none; relative to the job file",
 OF(projection_spec, file)},
{"projections[].autapses", BOSC_KEY_BOOL, "", NO_RANGE, "true", false,
 "false: no neuron is its own source; for all rules but one_to_one, ring and "
 "list", OF(projection_spec, autapses)},
{"projections[].weight", BOSC_KEY_DRAW, "uS", -BOSC_MOST_WEIGHT,
 BOSC_MOST_WEIGHT, NULL, false,
 "a number, or drawn for each connection; required unless the rule is list",
 OF(projection_spec, weight)},
{"projections[].delay", BOSC_KEY_DRAW, "ms", 0, BOSC_MOST_DELAY, "1", false,
 "a number, or drawn for each connection", OF(projection_spec, delay)},
{"projections[].parameters", BOSC_KEY_PARAMETERS, "", NO_RANGE, NULL, false,
 "of the synapse, one for each connection, a number or drawn as weight is: "
 "{Use: {uniform: [0.3, 0.7]}, tau_rec: 800}; of mod files whose synapses have "
 "an instance for each connection; columns of a list come first",
 OF(projection_spec, params)},
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
 "where the synapses are: soma, a position in a section, \"dend[12](0.5)\" or "
 "{section: \"dend[12]\", x: 0.5}, or at random by the keys below",
 OF(projection_spec, at)},
TARGET_KEYS("projections[].at", projection_spec, at),
{"projections[].source", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "where a spike of the sending neuron is seen", 0},
{"projections[].source.at", BOSC_KEY_LOCATION, "", NO_RANGE, "soma", false,
 "soma, or a position in a section: \"axon[0](1)\"",
 OF(projection_spec, source_at)},
{"projections[].source.threshold", BOSC_KEY_REAL, "mV", -500, 500, NULL, false,
 "a spike is an upward crossing of it; default: spikes.threshold",
 OF(projection_spec, source_threshold)},

{"couplings", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "gap junctions and graded synapses: currents that depend on the voltage of "
 "another neuron, at every step",
 OF(job, network.couplings)},
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
 "this and its keys as of projections; a gap drawn once joins both ends",
 OF(coupling_spec, link.rule)},
RULE_KEYS("couplings[]", coupling_spec, link.),
{"couplings[].file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "list, required: connections as .tsv or .nc: source, target and, if you like, "
 "conductance (uS), and section and x, where on the target; relative to the "
 "job file",
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
TARGET_KEYS("couplings[].at", coupling_spec, link.at),
{"couplings[].source", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "the end on the source", 0},
{"couplings[].source.at", BOSC_KEY_LOCATION, "", NO_RANGE, "soma", false,
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
 "of the matrix of conductances: csr, ellpack, dense; auto: what is predicted "
 "to be the fastest; results do not depend on it", OF(coupling_spec, format)},
/* clang-format on */
#endif
