/* build_read.h - from a variable of a compartment to the terms of a reading
 * (kernels/batch/reading.h).  Internal to src/batch.
 *
 * For each neuron of which a variable is recorded the variable's function is
 * called once.  For each column it adds the terms in the order in which engines
 * are to sum them, and ends the reading; one without terms is not recorded.
 */
#ifndef BOSC_SRC_BATCH_BUILD_READ_H
#define BOSC_SRC_BATCH_BUILD_READ_H

#include "src/batch/batch_build.h"
#include "src/job/variable.h"
#include "src/model/locate.h"

/* What a probe of a single connection records. */
typedef struct bosc_picked {
    uint32_t kind; /* what blocks of the synapse are called */
    size_t n;
    int32_t *instance; /* [n] ascending, as the table numbers them */
    const bosc_connection_table *table;
} bosc_picked;

/* The instances of the connection of a probe with one, into *picked, which
 * holds nothing, and where they are; in read_connection.c. */
bosc_status bosc_pick_connection(const bosc_model *model,
                                 const bosc_built_batch *packed,
                                 const bosc_probe_spec *spec,
                                 bosc_picked *picked, bosc_located *found,
                                 bosc_error *err);
bool bosc_is_picked(const bosc_picked *picked, int32_t block, ptrdiff_t i);

/* Columns of one neuron, nodes ascending.  The batch is complete but for its
 * readings. */
typedef struct bosc_read_from {
    const bosc_batch *batch;
    int32_t neuron;
    int64_t n;
    const bosc_column *column; /* [n] */
    const bosc_picked *picked; /* NULL: all instances */
} bosc_read_from;

/* The set that is being made. */
typedef struct bosc_reading_list {
    bosc_reading_set *set;
    bosc_recorded *recorded;
    int64_t n_columns; /* of the probe, */
    int64_t column;    /* and which of them comes next */
    int32_t group;     /* of the neuron */
    ptrdiff_t n;       /* terms, */
    int n_open;        /* and those of the reading that has not ended */
    size_t room, weight_room;
} bosc_reading_list;

/* Add a term to the reading of the next column, or to the bundle of the next
 * ones, with weight[width of the set].  BOSC_ENOMEM. */
bosc_status bosc_reading_list_add(bosc_reading_list *list, int32_t array,
                                  ptrdiff_t at, const double *weight,
                                  bosc_error *err);

/* End the readings of these columns. */
void bosc_reading_list_end(bosc_reading_list *list);

/* Add a variable at every column where it is; in build_readings.c. */
bosc_status bosc_read_variable(const bosc_read_from *from,
                               bosc_variable variable, bosc_reading_list *list,
                               bosc_error *err);

/* From the coordinates of a neuron's file to where it is (um): where the job
 * says where somata are, this is the soma's place.  In read_potential.c. */
void bosc_neuron_shift(const bosc_model *model, int32_t i,
                       const bosc_cable *cable, double shift[3]);

/* Add what electrodes inject into a node, times weight[width of the set] (of
 * i_mem: 1); in read_i_mem.c. */
bosc_status bosc_read_injected(const bosc_read_from *from, int32_t node,
                               const double *weight, bosc_reading_list *list,
                               bosc_error *err);

/* The neurons of which electrodes see something. */
typedef struct bosc_electrode_neurons {
    int32_t n;
    int32_t *neuron; /* [n] local numbers */
    int32_t *member; /* [n] member of the sweep, whose column it adds to */
} bosc_electrode_neurons;

/* Add what each of them gives at each electrode of a probe: a bundle for a
 * neuron, as wide as there are electrodes; in read_potential.c.  By all
 * threads. */
bosc_status bosc_read_electrodes(const bosc_model *model,
                                 const bosc_probe_spec *spec,
                                 const bosc_batch *batch,
                                 const bosc_electrode_neurons *all,
                                 bosc_reading_list *list, bosc_error *err);

/* One for each variable of a compartment.  BOSC_ENOMEM. */
#define BOSC_READ(name, unit, meaning, terms)                                  \
    bosc_status bosc_read_##name(const bosc_read_from *from,                   \
                                 bosc_reading_list *list, bosc_error *err);
BOSC_COMPARTMENT_VARIABLES(BOSC_READ)

#endif
