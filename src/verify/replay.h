/* replay.h - why the voltage of a neuron is not finite: the neuron computed
 * again by 'ref', by itself, then with half the time step.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_VERIFY_REPLAY_H
#define BOSC_SRC_VERIFY_REPLAY_H

#include "src/model/model.h"

/* What has broken in a run. */
typedef struct bosc_replay_spec {
    const bosc_model *model; /* with the files of its network */
    int32_t neuron;          /* of the rank */
    int64_t until;           /* a step of the run: at its start or before, the
                                voltage was not finite */
    bool coupled;            /* others drive the neuron directly */
    bool by_ref;             /* the run's engine is ref itself */
    const char *method;      /* "cpu depth-first" */
} bosc_replay_spec;

/* Write into text what is known then: compartment and mechanism, what 'ref'
 * gives, whether half the step helps, and what was not tried; it follows "the
 * voltage of neuron 3 is not finite".  Takes some seconds at most.  Returns
 * BOSC_EVALUE where the neuron breaks by 'ref', too, or might; BOSC_EINTERNAL
 * where only the run's engine can be wrong; else that it could not be computed
 * again, with *text as of BOSC_EVALUE. */
bosc_status bosc_replay(const bosc_replay_spec *spec, char *text, size_t size);

#endif
