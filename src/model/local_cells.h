/* local_cells.h - the cells of this rank and their templates, each once.
 *
 * Serial code: no MPI.  distribute/local_cells_create.h makes them.
 *
 * Synthetic neurons are all different: their templates together would take
 * about as much memory as all that a run needs.  So they are made where they
 * are needed, one neuron at a time, and their sizes are known without.
 */
#ifndef BOSC_SRC_MODEL_LOCAL_CELLS_H
#define BOSC_SRC_MODEL_LOCAL_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/job/job.h"
#include "src/model/gid_table.h"
#include "src/morphology/cable.h"

typedef struct bosc_local_cells {
    int32_t n;               /* neurons of this rank */
    int64_t *gid;            /* [n] ascending */
    int32_t *population;     /* [n] index in the job */
    int32_t *template_index; /* [n] index in cable */
    int32_t n_templates;
    bosc_cable **cable;  /* [n_templates] NULL: made when it is needed */
    const bosc_job *job; /* for that; owned by the caller */
    const bosc_gid_table *gid_table;
    int64_t n_compartments; /* of the cells of this rank */
} bosc_local_cells;

/* No neurons yet, with room for n, each with a template of its own.  Job and
 * gid table must outlive them.  BOSC_OK or BOSC_ENOMEM. */
bosc_status bosc_local_cells_alloc(bosc_local_cells *cells, size_t n,
                                   bosc_error *err);
void bosc_local_cells_destroy(bosc_local_cells *cells);

/* Bytes of n neurons without their templates. */
double bosc_local_cells_bytes(double n);

/* Are templates of synthetic neurons kept, because a place on some of them is
 * found by their sections? */
bool bosc_local_cells_kept(const bosc_job *job);

/* A template for a while. */
typedef struct bosc_acquired_cable {
    const bosc_cable *cable;
    bosc_cable *own; /* made for the borrower, or NULL */
} bosc_acquired_cable;

/* The template of neuron i of this rank, the same every time.  To be ended
 * after BOSC_OK; BOSC_EVALUE or BOSC_ENOMEM where it cannot be made, BOSC_EINTR
 * when a signal has ended set-up.  May be called by several threads. */
bosc_status bosc_local_cells_acquire(const bosc_local_cells *cells, int32_t i,
                                     bosc_acquired_cable *acquired,
                                     bosc_error *err);
/* The same with the template's points. */
bosc_status bosc_local_cells_acquire_points(const bosc_local_cells *cells,
                                            int32_t i,
                                            bosc_acquired_cable *acquired,
                                            bosc_error *err);
void bosc_local_cells_release(bosc_acquired_cable *acquired);

/* Bytes at the time that a synthetic neuron is made. */
double bosc_local_cells_acquire_bytes(double compartments, double sections);

/* What is known of a template that is not there. */
typedef struct bosc_extent {
    int32_t compartments, sections;
    int32_t soma; /* as in bosc_cable */
} bosc_extent;

bosc_extent bosc_local_cells_extent(const bosc_local_cells *cells, int32_t i);

/* A template that is kept, or NULL. */
static inline const bosc_cable *
bosc_local_cells_cable(const bosc_local_cells *cells, int32_t i)
{
    return cells->cable[cells->template_index[i]];
}

/* The neuron of this rank with that gid, -1: it is on another one. */
int32_t bosc_local_cells_find(const bosc_local_cells *cells, int64_t gid);

#endif
