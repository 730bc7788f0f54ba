/* build_fill.h - what the matrix and the mechanisms of a batch are filled from.
 *
 * Internal to build_matrix.c and build_blocks.c.
 *
 * A group that is a copy of another one (bosc_batch.like) is not filled: it
 * gets that one's numbers.
 */
#ifndef BOSC_SRC_BATCH_BUILD_FILL_H
#define BOSC_SRC_BATCH_BUILD_FILL_H

#include "src/batch/build_parts.h"
#include "src/model/membranes.h"

/* What is at a slot: nothing, a membrane, or, below 0, an end of a section that
 * has the membrane -1 - at. */
enum { BOSC_FILL_PADDING, BOSC_FILL_MEMBRANE };

/* The constant part of a membrane. */
typedef struct bosc_passive {
    double cm, g, ge; /* uF/cm2, S/cm2, mA/cm2 */
    bool varies;      /* from compartment to compartment */
} bosc_passive;

/* A block of which a membrane has instances. */
typedef struct bosc_present {
    int32_t block;
    const bosc_region_mech *mech;
} bosc_present;

/* A parameter of which each instance of a block has its own number. */
typedef struct bosc_fill_column {
    double *to;     /* the block's */
    int param, key; /* its number among those that vary; -1: it differs between
                       membranes */
} bosc_fill_column;

typedef struct bosc_filler {
    const bosc_job *job;
    const bosc_local_cells *cells;
    bosc_built_batch *packed;
    bosc_batch *batch; /* of packed */
    bosc_membranes membranes;
    bosc_passive *passive; /* [membranes.n] */
    double **varying;      /* [membranes.n_keys][n_slots] numbers that vary */
    int first_key[BOSC_MAX_MECHS + 2]; /* [mechs->n + 2] of membranes.keys, of
                                          mechanism m the range from m + 1 on,
                                          those of the cable before */
    bool Ra_varies;                    /* between neurons of a template */
    int mech[BOSC_MAX_MECHS];          /* [n_blocks] of the set */
    int32_t *at;                       /* [n_slots] BOSC_FILL_PADDING ... */
    int32_t *first_present;            /* [membranes.n + 1] into present */
    bosc_present *present; /* by membrane, those of one in order of blocks */
    int32_t first_column[BOSC_MAX_MECHS + 1]; /* [n_blocks + 1] into columns */
    bosc_fill_column *columns;                /* by block */
} bosc_filler;

/* The number among those that vary of a parameter of mechanism m, -1: none. */
static inline int bosc_filler_key(const bosc_filler *f, int m, int param)
{
    const int *range = f->first_key + (m - BOSC_OF_CABLE);

    for (int k = range[0]; k < range[1]; ++k)
        if (f->membranes.keys[k].param == param)
            return k;
    return -1;
}

/* The parameters of a mechanism at a slot, with those that vary. */
static inline const double *bosc_filler_params(const bosc_filler *f, int m,
                                               const double *p, ptrdiff_t s,
                                               double *room)
{
    const int *range = f->first_key + (m - BOSC_OF_CABLE);

    if (range[0] == range[1])
        return p;
    memcpy(room, p, (size_t)f->job->mechs->mech[m]->n_params * sizeof *p);
    for (int k = range[0]; k < range[1]; ++k)
        room[f->membranes.keys[k].param] = f->varying[k][s];
    return room;
}

/* A number of the cable at a slot of a membrane. */
static inline double bosc_filler_cable(const bosc_filler *f, int32_t membrane,
                                       bosc_cable_key key, ptrdiff_t s)
{
    const int k = bosc_filler_key(f, BOSC_OF_CABLE, (int)key);

    return k >= 0 ? f->varying[k][s]
                  : f->membranes.all[membrane]->spec.cable[key];
}

/* One block for every mechanism with a step that any membrane has, in the order
 * of the set; with the matrix filled. */
bosc_status bosc_fill_blocks(bosc_filler *f, bosc_error *err);

#endif
