/* choose.h - which method integrates a job, and why: the one place where that
 * is decided, before anything is packed.
 *
 * Serial code: no MPI.  Candidates are the methods of kernels/methods.h that
 * have a time loop on the backend of the job, and give the bits of ref: so no
 * result depends on the choice.
 */
#ifndef BOSC_SRC_SELECT_CHOOSE_H
#define BOSC_SRC_SELECT_CHOOSE_H

#include <stdbool.h>

#include "kernels/methods.h"
#include "src/select/features.h"
#include "src/select/model.h"

enum { BOSC_CANDIDATES = 16 };

/* Of more compartments rules choose: 'bosc-bench tune' measures no larger
 * batches in the time that it has by default, and what a model says of them is
 * what it knows of smaller ones. */
#define BOSC_LEARNED_MOST 3e7

typedef struct bosc_candidate {
    const bosc_method *method;
    double seconds; /* of a step, predicted; INFINITY: nobody can say */
    const bosc_limit *limit; /* why all neurons are streamed, as is expected;
                                NULL: they are not */
} bosc_candidate;

typedef struct bosc_choice {
    const bosc_method *method;
    double seconds; /* of a step, predicted; NaN: nobody can say */
    const char *by; /* who has chosen: "the job", "a model", "rules" */
    char note[BOSC_MODEL_WHY]; /* why a model was not asked; "": there is none,
                                  or it was */
    int32_t width; /* of groups on a GPU, as bosc_job has it; set by the caller
                      of bosc_choose() */
    const bosc_limit *limit; /* as that of a candidate; NULL unless the job
                                names the method */
    bosc_features features;
    int n; /* of the backend: those without a limit, the fastest first, then the
              others */
    bosc_candidate candidate[BOSC_CANDIDATES];
} bosc_choice;

/* Is a method a candidate where the backend is this one?  How many are? */
bool bosc_is_candidate(const bosc_method *method, const bosc_backend *backend);
int bosc_choose_candidates(const bosc_backend *backend);

/* 'resolved' is what the names of the job mean (resolve.h); 'named': it names
 * this method, which is then taken; else the fastest of its backend that
 * computes the job itself is, as a model has learned, or where that is NULL by
 * rules. */
void bosc_choose(const bosc_method *resolved, bool named,
                 const bosc_features *features, const bosc_learned *learned,
                 bosc_choice *out);

/* 'tune: measure': the number of first candidates that are timed before a run
 * of 'steps' steps; 0: the job names its method, the run is predicted to take
 * less than BOSC_MEASURED_FROM seconds, or no other comes near the best; *why,
 * for people, says which of these.  'why' may be NULL. */
#define BOSC_MEASURED_FROM 10.0
int bosc_choose_rivals(const bosc_choice *choice, int64_t steps,
                       const char **why);

/* A rival is predicted to take at most this multiple of the best time. */
#define BOSC_RIVAL_AT_MOST 3.0

/* The width of the widest layout of the candidates of a backend: the 'lanes' of
 * bosc_batch_facts. */
int32_t bosc_choose_lanes(const bosc_backend *backend);

/* The width of groups that are streamed on a GPU with 'processors'
 * multiprocessors, where a rank has 'neurons' neurons: the narrowest with which
 * none of these has a second group, from a quarter of the widest on.  A group
 * has a multiprocessor to itself then, so the fewer its neurons are, the sooner
 * their mechanisms are done; with more groups than multiprocessors there is
 * nothing to be had, and more sweeps to be made. */
int32_t bosc_choose_width(int32_t widest, double neurons, double processors);

#endif
