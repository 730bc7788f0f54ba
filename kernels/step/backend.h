/* backend.h - the table of backends: ways to integrate a batch.
 *
 * A leaf: no MPI, no files.  A backend has methods; a method wants a layout of
 * a certain width.  Every method of every backend does the same operations on
 * the numbers of a neuron in the same order (kernels/hines/hines.h), so results
 * agree bit for bit.
 *
 * Order of calls: find backend and method, make a batch of the method's width,
 * create, then advance over consecutive ranges of steps, destroy.
 */
#ifndef BOSC_KERNELS_STEP_BACKEND_H
#define BOSC_KERNELS_STEP_BACKEND_H

#include "kernels/batch/batch.h"

/* A device with a batch loaded.  Opaque; one thread calls it at a time. */
typedef struct bosc_engine bosc_engine;

typedef struct bosc_spike {
    int64_t step;   /* t = step * dt */
    int32_t source; /* of the detector */
} bosc_spike;

/* A range of steps, and what comes with it. */
typedef struct bosc_step_input {
    int64_t from, to;           /* from..to - 1 */
    const bosc_events *events;  /* of these steps; NULL: none */
    const bosc_injected *drive; /* of each of these steps; NULL: none */
    void (*poll)(void *what); /* called now and then by the calling thread, for
                                 work that goes on meanwhile; NULL: none */
    void *what;
} bosc_step_input;

/* A voltage beyond batch->v_limit: of the first step that was watched and had
 * one, the neuron that has the lowest gid, and of this the farthest
 * compartment, one with membrane if there is any. */
typedef struct bosc_beyond {
    int64_t step;   /* t = step * dt */
    int64_t gid;    /* as batch->gid */
    int32_t neuron; /* of the batch */
    int32_t node;
    double v; /* mV */
} bosc_beyond;

/* What one advance has produced; owned by the engine, valid until its next
 * call. */
typedef struct bosc_step_output {
    size_t n_spikes;
    const bosc_spike *spikes;    /* [n_spikes] sorted by (step, source) */
    int32_t n_sets;              /* as in the batch */
    const int64_t *n_frames;     /* [n_sets] */
    const double *const *values; /* [n_sets] -> [n_frames][set's n] */
    const bosc_beyond *beyond;   /* NULL: none in this call nor before */
} bosc_step_output;

typedef struct bosc_method {
    const char *name, *what;
} bosc_method;

typedef struct bosc_backend {
    const char *name, *what;
    int n_methods;
    const bosc_method *methods; /* [n_methods], the first is the default */

    /* BOSC_OK, or BOSC_ENOSUP with the reason in err. */
    bosc_status (*available)(bosc_error *err);

    /* The width of layout that the method wants on this machine. */
    int32_t (*width)(int method);

    /* Take the batch, which must outlive the engine; batch->v and the states
     * are read and written in place or copied.  threads >= 1. */
    bosc_status (*create)(bosc_batch *batch, int method, int threads,
                          bosc_engine **out, bosc_error *err);

    /* Integrate the steps (from * dt is the time of v now).  Frames
     * fall on multiples of a set's 'every': those in (from, to], and frame 0
     * when from is 0.  An event outside the range, or not in order, ends the
     * run with BOSC_EVALUE. */
    bosc_status (*advance)(bosc_engine *engine, const bosc_step_input *steps,
                           bosc_step_output *record, bosc_error *err);

    /* Solve with row sums d and right-hand side b once, into x; all
     * [n_slots], on the host.  For tests and benchmarks. */
    bosc_status (*solve)(bosc_engine *engine, const double *d, const double *b,
                         double *x, bosc_error *err);

    /* Bring batch->v and the states up to date on the host. */
    bosc_status (*download)(bosc_engine *engine, bosc_error *err);

    void (*destroy)(bosc_engine *engine);
} bosc_backend;

/* All backends, ended by NULL: ref, cpu. */
extern const bosc_backend *const bosc_backends[];

/* By name; NULL if there is none.  "auto" is the first available of the
 * fastest. */
const bosc_backend *bosc_backend_find(const char *name);

/* Index of a method by name, -1 if there is none; "auto" is the default. */
int bosc_method_find(const bosc_backend *backend, const char *name);

#endif
