/* reference_model.h - for tests: a folder in the format of the reference cases,
 * read into shapes that local_cells.h can pack.
 */
#ifndef BOSC_TESTS_REFERENCE_REFERENCE_MODEL_H
#define BOSC_TESTS_REFERENCE_REFERENCE_MODEL_H

#include "tests/lib/model_cells.h"
#include "tests/lib/tsv.h"

/* Columns of nodes.tsv, points.tsv and detectors.tsv. */
enum { PARENT = 1, CELL, AREA, ZERO_AREA, CM, RI, PAS = 9, HH = 12 };
enum { KIND = 0, POINT_NODE = 2, P1, P2, P3 };
enum { GID = 0, DETECTOR_NODE, THRESHOLD };
enum { MAX_SETS = 32 };

/* Largest differences, and spikes. */
typedef struct reference_result {
    double trace, final, gate; /* mV, mV, 1 */
    size_t spikes, missing;
} reference_result;

/* A case: its files, and its cells as shapes with depth-first nodes. */
typedef struct reference_model {
    const char *folder;
    const char *name; /* the folder's last part */
    char *params;     /* params.txt */
    tsv nodes, points, detectors, traces, spikes, final, matrix, events, cons;
    forest forest;
    forest_shape *shapes; /* [4 n_cells] the cells, then room for others */
    forest_set sets[MAX_SETS];
    int32_t n_cells;
    int32_t *cell, *number; /* [n nodes] where a node went */
    double *trace;          /* [rows][probes] of traces.tsv */
    int64_t n_steps;
} reference_model;

/* False, with the reason printed, if a file cannot be read.  The model is to be
 * cleared in either case. */
bool reference_model_read(reference_model *m, const char *folder);
void reference_model_clear(reference_model *m);

#endif
