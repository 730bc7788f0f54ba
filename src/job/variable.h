/* variable.h - what can be recorded: variables of compartments, which are
 * wherever there is one, and the states of mechanisms.
 *
 * Serial code.  All of it follows from the set of mechanisms.
 */
#ifndef BOSC_SRC_JOB_VARIABLE_H
#define BOSC_SRC_JOB_VARIABLE_H

#include "src/job/job.h"

/* The variables of a compartment: name, unit, meaning, and of how many terms
 * (kernels/batch/reading.h) one is made in most compartments, for estimates of
 * memory.  src/batch/build_read.h says what else a new one needs. */
#define BOSC_COMPARTMENT_VARIABLES(X)                                          \
    X(v, "mV", "membrane voltage", 1)                                          \
    X(i_mem, "nA", "current through the membrane, outward", 3)                 \
    X(potential, "mV", "potential at electrodes", 1)

/* The last one is recorded by electrodes alone.  Their numbers, as
 * bosc_variable.state. */
#define BOSC_NUMBER_OF(name, unit, meaning, terms) BOSC_COMPARTMENT_##name,
enum {
    BOSC_COMPARTMENT_VARIABLES(BOSC_NUMBER_OF) BOSC_N_COMPARTMENT_VARIABLES
};

/* Number i of all: those of the compartment, then the states in the order of
 * the set; false past the last. */
bool bosc_variable_at(const bosc_mechs *mechs, int i, bosc_variable *out);

bool bosc_variable_same(bosc_variable a, bosc_variable b);

/* The variable that a job calls so: "v", "hh.m", or "m" where no other
 * mechanism has an m; false: there is none, but "excite.g" may be one of a
 * synapse of the job. */
bool bosc_variable_find(const bosc_mechs *mechs, const char *name,
                        bosc_variable *out);

/* "excite.g", in out->synapse: the g of the synapses that the job calls excite.
 * False: there are none, or none has that state. */
bool bosc_variable_of_synapse(const bosc_job *job, bosc_variable *out);

/* "v", or "m" where that is enough; else, with between '.', "hh.m"; of a
 * synapse by its name "excite.g".  The buffer has room for BOSC_VARIABLE_NAME
 * and is returned. */
const char *bosc_variable_name(const bosc_mechs *mechs, bosc_variable variable,
                               char between, char *buffer);

/* "v", "m", whoever else has an m. */
const char *bosc_variable_own_name(const bosc_mechs *mechs,
                                   bosc_variable variable);

/* Of how many terms a value is made, usually. */
int bosc_variable_terms(bosc_variable variable);

/* "mV", "1" */
const char *bosc_variable_unit(const bosc_mechs *mechs, bosc_variable variable);

/* "membrane voltage"; what a state is and whose, cut to 'size'. */
const char *bosc_variable_meaning(const bosc_mechs *mechs,
                                  bosc_variable variable, char *buffer,
                                  size_t size);

/* True for what may stand behind "PROBE_" in the names of the file: a variable,
 * or a column that says where the values are from. */
bool bosc_variable_is_part(const bosc_mechs *mechs, const char *name);

#endif
