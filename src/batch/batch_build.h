/* batch_build.h - from the cells of this rank to the batch that a backend
 * integrates.
 *
 * Serial code: no MPI.  Densities become totals here (kernels/batch/batch.h):
 *     c = 1e-5 area cm / dt (uS; twice that with second_order)
 *     d = c + 1e-2 area g_constant                       (uS)
 *     e = 1e3 (g E)_constant dt / cm                     (mV; half of it with
 *                                                         second_order)
 */
#ifndef BOSC_SRC_BATCH_BATCH_BUILD_H
#define BOSC_SRC_BATCH_BATCH_BUILD_H

#include "kernels/batch/batch.h"
#include "src/job/job.h"
#include "src/model/local_cells.h"
#include "src/network/network.h"

/* A recorded compartment of this rank, one column of a probe's variables. */
typedef struct bosc_column {
    int64_t gid;
    int32_t node;           /* compartment number in the neuron */
    int32_t region, number; /* of its section: "dend[12]"; myelin: number -1 - n
                               (bosc_section_name()) */
    double x;               /* position in the section */
} bosc_column;

/* Numbers of bosc_column_geometry.more: x, y, z of both ends; membrane
 * capacitance; x of its section's place on the section that it hangs on, NaN:
 * on none; axial resistivity. */
enum {
    BOSC_MORE_BEGIN = 0,
    BOSC_MORE_END = 3,
    BOSC_MORE_CM = 6,
    BOSC_MORE_PARENT_X,
    BOSC_MORE_RA,
    BOSC_PLACE_MORE
};

/* Its geometry, in the coordinates of its morphology. */
typedef struct bosc_column_geometry {
    float xyz[3];         /* um */
    float diameter, area; /* um, um2 */
    float distance;       /* um of path from the soma; NaN: not connected */
    float more[BOSC_PLACE_MORE]; /* BOSC_MORE_... (um, uF/cm2, 1, ohm cm) */
    int32_t above;               /* compartment that it hangs on, -1: none */
    int32_t parent; /* columns back to the nearest recorded ancestor, 0: there
                       is none */
} bosc_column_geometry;

/* A probe of the job on this rank: its columns in (gid, node) order. */
typedef struct bosc_columns {
    int64_t n;
    bosc_column *column;            /* [n] */
    bosc_column_geometry *geometry; /* [n] until it is dropped */
} bosc_columns;

/* Instances of a kind of synapses, or of point processes, in a compartment. */
typedef struct bosc_several {
    int64_t column; /* of the probe */
    int32_t block;
    ptrdiff_t first, n; /* instances of the block */
} bosc_several;

/* A set of the batch: one variable of one probe of the job. */
typedef struct bosc_recorded {
    int32_t probe;        /* index in the job */
    int variable;         /* index in the probe's variables */
    int64_t n;            /* entries, as in the batch's set */
    int64_t *column;      /* [n] which of the probe's columns each entry is */
    int64_t kinds[2];     /* of a state of a point process: the lowest and the
                             highest id of the kinds that are there
                             (bosc_mech_block.id); [0] > [1]: none */
    int64_t n_several;    /* entries whose compartment has several instances, of
                             which the first is recorded */
    bosc_several several; /* and one of those compartments */
} bosc_recorded;

/* A voltage of another neuron that a POINTER stands for. */
typedef struct bosc_wanted_v {
    int64_t gid;
    const bosc_location *at; /* the job's */
} bosc_wanted_v;

/* Those of a rank: whoever integrates brings the voltages. */
typedef struct bosc_away {
    ptrdiff_t n;
    bosc_wanted_v *want; /* [n] */
    double *v;           /* [n] mV; at first the job's v_init */
} bosc_away;

/* A place at which a probe detects spikes. */
typedef struct bosc_detecting {
    int32_t probe;  /* index in the job */
    int64_t column; /* of the probe, here */
} bosc_detecting;

/* A batch, and what belongs to it.  The batch uses parents owned by the local
 * cells, which must outlive it, and those of templates that the forest does not
 * keep. */
typedef struct bosc_built_batch {
    bosc_batch batch;
    int32_t *parents;  /* of the trees of those templates */
    double *area;      /* [neurons] um2 */
    double *soma_area; /* [neurons] of the soma's middle compartment (um2),
                          until the geometry is dropped */
    bosc_neuron_stream *stream; /* [neurons] of a sweep: as of the member alone;
                                   else NULL */
    int32_t n_probes;
    bosc_columns *columns; /* [n_probes], as in the job */
    int32_t n_sets;        /* as in the batch */
    bosc_recorded *sets;   /* [n_sets] */
    bosc_away away;        /* what POINTERs stand for in other neurons */
    bosc_network net;      /* of a job with projections, else empty */
    int64_t *id;           /* [detector sources] what a spike is called when it
                              travels, -1: nobody asks for it; source i below
                              the number of neurons is the soma of neuron i */
    int32_t n_detecting, first_detecting;
    bosc_detecting *detecting; /* [n_detecting] of probes with a threshold:
                                  sources from first_detecting on, the last
                                  ones */
    int64_t *placed;   /* [bosc_points_n()] instances that each entry of point
                          processes has here; NULL: there are no entries */
    int64_t *recorded; /* [n_detecting] what a record calls their spikes; -1, as
                          they are made: nobody records them */
} bosc_built_batch;

/* Fill a batch with a layout for this grouping.  Not collective.  Errors about
 * a place that a neuron does not have name the job file's line. */
bosc_status bosc_batch_build(const bosc_model *model, bosc_grouping grouping,
                             bosc_built_batch **out, bosc_error *err);

/* The parameters of an entry of point processes for neuron i of this rank:
 * p[n_params] at the first of its places, NAN where it has none there. */
bosc_status bosc_point_numbers(const bosc_model *model,
                               const bosc_point_spec *spec, int32_t i,
                               double *p, bosc_error *err);

/* Free the geometry, once it is in the file. */
void bosc_built_batch_drop_geometry(bosc_built_batch *packed);

void bosc_built_batch_destroy(bosc_built_batch *packed);

/* The steps on which frames of a probe fall. */
static inline bosc_frame_steps bosc_probe_steps(const bosc_probe_spec *probe)
{
    return (bosc_frame_steps){probe->first, probe->last, probe->every};
}

/* Bytes besides those of the batch's layout, arrays and mechanisms: of neurons,
 * compartments of templates that are not kept, recorded compartments, and their
 * variables. */
double bosc_built_batch_bytes(double neurons, double parents, double columns,
                              double entries);

/* Bytes of n slots while a batch is built. */
double bosc_build_bytes(double n_slots);

/* Does a mechanism of the job need the shape of its compartment? */
bool bosc_build_needs_shape(const bosc_job *job);

#endif
