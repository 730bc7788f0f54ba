/* features.h - numbers that say what the neurons of a rank are like, before any
 * of them is packed: what rules and learned models predict times from.
 *
 * Serial code: no MPI, no files.
 */
#ifndef BOSC_SRC_SELECT_FEATURES_H
#define BOSC_SRC_SELECT_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/spmv/spmv.h"
#include "kernels/step/limits.h"
#include "src/base/status.h"

/* src/select/feature_list.h: what each is. */
typedef enum bosc_feature {
#define BOSC_FEATURE(name, what) BOSC_FEATURE_##name,
#include "src/select/feature_list.h"
#undef BOSC_FEATURE
    BOSC_N_FEATURES
} bosc_feature;

typedef struct bosc_features {
    double of[BOSC_N_FEATURES];
    bosc_needs needs; /* by which methods may compute as others do */
    double streamed;  /* compartments of neurons that do by themselves, */
    double largest_streamed; /* and of the largest of these */
} bosc_features;

/* [BOSC_N_FEATURES] */
extern const char *const bosc_feature_names[];
extern const char *const bosc_feature_meanings[];

/* Neurons of one shape that have the same mechanisms. */
typedef struct bosc_shape_facts {
    int32_t compartments, sections, levels;
    double changing;  /* rows that change in a step */
    double instances; /* of mechanisms with states or currents */
    double ns;        /* of these, in a step, of one thread */
    bool streamed;    /* by a method that keeps others on the chip */
} bosc_shape_facts;

/* A batch, or a sample of it. */
typedef struct bosc_batch_facts {
    int32_t n;
    const int32_t *shape; /* [n] index in shapes */
    double each;          /* neurons that one of them stands for, >= 1 */
    int32_t n_shapes;
    const bosc_shape_facts *shapes; /* [n_shapes] */
    int32_t lanes, threads;
    double epoch; /* steps */
    bosc_needs needs;
    double cache;              /* bytes of a thread's cache */
    double processors, shared; /* of a GPU, as bosc_chip; else 0 */
} bosc_batch_facts;

/* BOSC_ENOMEM. */
bosc_status bosc_features_find(const bosc_batch_facts *facts,
                               bosc_features *out, bosc_error *err);

/* Bytes of the second-level cache of a core here, or what is usual. */
double bosc_cache_bytes(void);

/* Numbers that say what a sparse matrix is like:
 * src/select/matrix_feature_list.h. */
typedef enum bosc_matrix_feature {
#define BOSC_FEATURE(name, what) BOSC_MATRIX_FEATURE_##name,
#include "src/select/matrix_feature_list.h"
#undef BOSC_FEATURE
    BOSC_N_MATRIX_FEATURES
} bosc_matrix_feature;

typedef struct bosc_matrix_features {
    double of[BOSC_N_MATRIX_FEATURES];
} bosc_matrix_features;

/* [BOSC_N_MATRIX_FEATURES] */
extern const char *const bosc_matrix_feature_names[];
extern const char *const bosc_matrix_feature_meanings[];

/* What a matrix is like; 'cache' as in bosc_batch_facts. */
bosc_matrix_features bosc_matrix_features_of(const bosc_spmv_size *size,
                                             int threads, double cache);

#endif
