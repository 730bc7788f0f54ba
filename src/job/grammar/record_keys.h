/* record_keys.h - rows of the table in job_keys.c: what is recorded, and where.
 */
#ifndef BOSC_SRC_JOB_GRAMMAR_RECORD_KEYS_H
#define BOSC_SRC_JOB_GRAMMAR_RECORD_KEYS_H
/* clang-format off */
{"probes", BOSC_KEY_LIST, "", NO_RANGE, NULL, false,
 "what is recorded", OF(job, probes)},
{"probes[].name", BOSC_KEY_NAME, "", NO_RANGE, NULL, true,
 "names in the result begin so: soma gives soma_v",
 OF(probe_spec, name)},
NEURON_KEYS("probes[]", probe_spec, neurons),
{"probes[].at", BOSC_KEY_PLACES, "", NO_RANGE, "soma", false,
 "soma, everywhere, a position in a section, \"dend[12](0.5)\" or {section: "
 "\"dend[12]\", x: 0.5}, a group of keys of 'where', of which all hold, "
 "{region: apical, distance: 620}, or a list of such: every compartment that "
 "one of them names, once",
 OF(probe_spec, at)},
{"probes[].variables", BOSC_KEY_VARIABLES, "", NO_RANGE, "v", false,
 "what is recorded there: voltage v, membrane current i_mem, states of "
 "mechanisms such as [v, m]; hh.m is the m of hh, excitation.g the g of the "
 "synapses of that name; currents and other variables that a mechanism "
 "computes, with its name: hh.ina, pas.i, excitation.i (of synapses the sum)",
 OF(probe_spec, variables)},
{"probes[].interval", BOSC_KEY_REAL, "ms", 0, 1e9, "0", false,
 "between samples, a multiple of dt; 0: every step",
 OF(probe_spec, interval)},
{"probes[].start", BOSC_KEY_REAL, "ms", 0, 1e9, "0", false,
 "of the first sample, a multiple of dt", OF(probe_spec, start)},
{"probes[].stop", BOSC_KEY_REAL, "ms", 1e-9, 1e12, NULL, false,
 "no sample is later; default: tstop", OF(probe_spec, stop)},
{"probes[].type", BOSC_KEY_PRECISION, "", NO_RANGE, "double", false,
 "of the samples in the file: double, or float: half as large, seven digits",
 OF(probe_spec, is_float)},
{"probes[].threshold", BOSC_KEY_REAL, "mV", -500, 500, NULL, false,
 "spikes are detected at each place of the probe, too: the result has their "
 "times, neurons and columns as detection_time, detection_gid, detection_probe "
 "and detection_column; what projections see does not change: spikes of the "
 "soma, or of their own source.at",
 OF(probe_spec, threshold)},
{"probes[].connection", BOSC_KEY_GROUP, "", NO_RANGE, NULL, false,
 "instead of 'at': the connections of one source, where they end on the "
 "probe's neurons; variables of their synapse are theirs alone (excitation.i, "
 "excitation.g)", 0},
{"probes[].connection.projection", BOSC_KEY_TEXT, "", NO_RANGE, NULL, true,
 "the name of their projection", OF(probe_spec, connection.projection)},
{"probes[].connection.source", BOSC_KEY_INT64, "", 0, 1e15, NULL, true,
 "the number of their source, from 0, in what the projection is from",
 OF(probe_spec, connection.source)},
{"probes[].electrodes", BOSC_KEY_POSITIONS, "um", -1e9, 1e9, NULL, false,
 "instead of 'at' and 'variables': the potential at these points, [[x, y, z], "
 "...], of the currents through the membranes of all compartments of the "
 "neurons, summed while the run computes; neurons are where their population's "
 "'positions' put the somata, else at the coordinates of their files",
 OF(probe_spec, electrodes)},
{"probes[].sigma", BOSC_KEY_REAL, "S/m", 1e-6, 1e6, "0.3", false,
 "conductivity around electrodes", OF(probe_spec, sigma)},
{"probes[].source", BOSC_KEY_CURRENTS, "", NO_RANGE, "line", false,
 "what a current flows from: the line between the ends of its compartment, or "
 "the point in its middle; an electrode is never nearer than its radius",
 OF(probe_spec, is_point)},

{"spikes", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "detected at every soma; elsewhere by probes with a threshold", 0},
{"spikes.threshold", BOSC_KEY_REAL, "mV", -500, 500, "-20", false,
 "a spike is an upward crossing of it", OF(job, spike_threshold)},
{"output", BOSC_KEY_GROUP, "", NO_RANGE, "{}", false,
 "the NetCDF file of results", 0},
{"output.file", BOSC_KEY_TEXT, "", NO_RANGE, NULL, false,
 "relative to the working folder; default: the name and \".nc\"",
 OF(job, output.file)},
{"output.compression", BOSC_KEY_INT, "", 0, 9, "0", false,
 "zlib level of probes; 0: none; 1 makes voltages a quarter smaller, at about "
 "40 MB/s", OF(job, output.compression)},
{"output.buffer", BOSC_KEY_REAL, "MB", 0.001, 1e6, "64", false,
 "memory of rank 0 and of I/O ranks for results not yet written; while it is "
 "full, the run waits", OF(job, output.buffer)},
{"output.io_ranks", BOSC_KEY_INT, "", 0, 1e6, "0", false,
 "ranks that collect the results of others; 0: one for each node",
 OF(job, output.io_ranks)},
{"output.parallel", BOSC_KEY_PARALLEL, "", NO_RANGE, "auto", false,
 "yes: I/O ranks write the file together, which netCDF must be built for; no: "
 "rank 0 writes alone; auto: yes where netCDF is", OF(job, output.parallel)},
{"output.network", BOSC_KEY_BOOL, "", NO_RANGE, "false", false,
 "true: the file has the connections, too: of each source, target, section, "
 "x, weight, delay, kind of synapse and parameters of its own, with weights at "
 "the end where they have changed; and positions of somata; a projection of "
 "the same name with 'rule: list, file: RESULT.nc' has the same connections",
 OF(job, output.network)},
/* clang-format on */
#endif
