/* engine.h - the time loop: one interface, an implementation a backend.
 *
 * A leaf: no MPI, no files.  kernels/methods.h names the methods that have a
 * time loop.  Every engine does the same operations on the numbers of a neuron
 * in the same order (kernels/hines/hines.h), so results agree bit for bit.
 *
 * Order of calls: make a batch of the width that the variant needs, create,
 * then advance over consecutive ranges of steps, destroy.
 */
#ifndef BOSC_KERNELS_STEP_ENGINE_H
#define BOSC_KERNELS_STEP_ENGINE_H

#include "kernels/batch/batch.h"
#include "kernels/step/limits.h"

/* A device with a batch loaded.  Opaque; one thread calls it at a time. */
typedef struct bosc_engine bosc_engine;

/* A range of steps, and what comes with it. */
typedef struct bosc_step_input {
    int64_t from, to;          /* from..to - 1 */
    const bosc_events *events; /* of these steps; NULL: none */
    /* Room of the caller's for the frames of these steps, [sets of the batch]
     * -> [frames][set's n] (frames.h); NULL: they go into room of the engine's.
     */
    double *const *frames;
    void (*poll)(void *what); /* called now and then by the calling thread, for
                                 work that goes on meanwhile; NULL: none */
    void (*sent)(void *what); /* of one step: called once, by the calling thread
                                 before 'between', when the voltages of
                                 batch->drive->sent are those of its end, while
                                 other numbers of the step are still to be
                                 computed; NULL: nobody waits for them */
    void (*between)(void *what); /* of one step, on the host alone: called by
                                    the calling thread when all voltages are
                                    those of its end, and before states are, to
                                    bring what POINTERs stand for in other
                                    neurons; NULL: there is nothing to bring */
    void *what;
} bosc_step_input;

/* A voltage beyond batch->watch.limit: of the first step that was watched and
 * had one, the neuron that has the lowest gid, and of this the farthest
 * compartment, one with membrane if there is any. */
typedef struct bosc_beyond {
    int64_t step;   /* t = step * dt */
    int64_t gid;    /* as batch->gid */
    int32_t neuron; /* of the batch */
    int32_t node;
    double v; /* mV */
} bosc_beyond;

/* What one advance has produced; valid until the engine's next one, and owned
 * by the engine, but for frames in room of the caller's. */
typedef struct bosc_step_output {
    size_t n_spikes;
    const bosc_spike *spikes;    /* [n_spikes] by bosc_spike_compare() */
    int32_t n_sets;              /* as in the batch */
    const int64_t *n_frames;     /* [n_sets] */
    const double *const *values; /* [n_sets] -> [n_frames]
                                    [bosc_reading_given() of the set] */
    const bosc_beyond *beyond;   /* NULL: none in this call nor before */
    bool not_finite; /* a voltage, at the end, of a batch that goes on */
} bosc_step_output;

/* The stages of a composed step: the system is made, solved, and voltages and
 * states are brought up to date. */
enum {
    BOSC_STAGE_ASSEMBLE,
    BOSC_STAGE_SOLVE,
    BOSC_STAGE_UPDATE,
    BOSC_N_STAGES
};

/* What a composed step has taken so far. */
typedef struct bosc_stages {
    double seconds[BOSC_N_STAGES];
} bosc_stages;

/* The operations of the engines of one backend. */
typedef struct bosc_engine_ops {
    /* The width of layout that a variant needs on this machine. */
    int32_t (*width)(int variant);

    /* Ask for the layout of a variant: fill in the grouping, whose 'threads',
     * 'block' and 'from_root' are set.  NULL: groups of that width, sorted. */
    void (*group)(int variant, bosc_grouping *grouping);

    /* Take the batch, which must outlive the engine, and of which nobody else
     * then reads u, d, c and e, which may be gone; batch->v and the states are
     * read and written in place or copied.  threads >= 1. */
    bosc_status (*create)(bosc_batch *batch, int variant, int threads,
                          bosc_engine **out, bosc_error *err);

    /* Load the code of the job's own mechanisms, for a GPU: 'create' has set
     * kernels and sweeps of batch->program, and the caller then the images.
     * Called once, before advance(); NULL: there is no such code. */
    bosc_status (*load)(bosc_engine *engine, bosc_error *err);

    /* Integrate the steps (from * dt is the time of v now).  Frames
     * fall on steps as a set says: those in (from, to], and frame 0 when from
     * is 0.  An event outside the range, or not in order, ends the
     * run with BOSC_EINTERNAL. */
    bosc_status (*advance)(bosc_engine *engine, const bosc_step_input *steps,
                           bosc_step_output *record, bosc_error *err);

    /* What the next call of advance() will be given: may be called by poll(),
     * so that it is prepared while a range is computed.  The events are the
     * same then, and unchanged.  With 'sure' no other operation will come
     * before it, but 'destroy', and the engine may begin it.  NULL: there is
     * nothing to prepare. */
    bosc_status (*expect)(bosc_engine *engine, const bosc_step_input *next,
                          bool sure, bosc_error *err);

    /* Of an engine that computes what couplings drive (batch->drive), where a
     * range may have many steps if nothing arrives: the voltages of now of
     * batch->drive->sent, into 'to'; within 'sent' those of the step's end.
     * NULL: batch->v has all, and what is driven is computed by the caller
     * before each step. */
    bosc_status (*voltages)(bosc_engine *engine, double *to, bosc_error *err);

    /* Bring batch->v, the states and what detectors have seen up to date on the
     * host: with these in another batch its engine goes on with the same bits.
     */
    bosc_status (*download)(bosc_engine *engine, bosc_error *err);

    /* The most bytes of a device's own memory that it has held; NULL: there is
     * no such device. */
    int64_t (*device_bytes)(const bosc_engine *engine);

    /* The seconds that it has computed for advance(); NULL likewise. */
    double (*device_seconds)(const bosc_engine *engine);

    /* The time of the stages; NULL: its step is one. */
    bosc_stages (*stages)(const bosc_engine *engine);

    /* Its neurons that are streamed, of a method that has limits; NULL: it
     * computes all of them as it is called. */
    bosc_streamed (*streamed)(const bosc_engine *engine);

    void (*destroy)(bosc_engine *engine);
} bosc_engine_ops;

/* ref: plain loops, no variants. */
extern const bosc_engine_ops bosc_ref_engine;

/* Why the voltages of a neuron are not finite: the first step after which one
 * is, and, if there is one, the first instance of a mechanism whose current was
 * not finite in it. */
typedef struct bosc_ref_broken {
    int64_t step;   /* -1: all voltages have been finite */
    int32_t neuron; /* of the batch */
    int32_t node;   /* where the instance is, else a compartment that broke
                     */
    double v;       /* mV, there at the start of the step */
    int32_t block;  /* -1: no current was to blame */
    int32_t state;  /* of that instance, one that was not finite; -1: none
                     */
} bosc_ref_broken;

/* What an engine of ref has met first. */
bosc_ref_broken bosc_ref_look(const bosc_engine *engine);

/* cpu: threads over groups of neurons, a neuron in each lane of a vector or
 * one neuron after another. */
extern const bosc_engine_ops bosc_cpu_engine;
enum {
    BOSC_ENGINE_DEPTH_FIRST,
    BOSC_ENGINE_HINES_FLAT,
    BOSC_ENGINE_CELL_BLOCKS,
    BOSC_ENGINE_COMPOSED /* and one of these: */
};

/* The solvers of composed steps; a backend may lack some. */
enum {
    BOSC_COMPOSED_FLAT,
    BOSC_COMPOSED_INTERLEAVED,
    BOSC_COMPOSED_BLOCK,
    BOSC_COMPOSED_BLOCK_SHARED,
    BOSC_COMPOSED_VBATCH_CP,
    BOSC_COMPOSED_VBATCH_NCP,
    BOSC_COMPOSED_LEVELS_CP,
    BOSC_COMPOSED_LEVELS_NCP,
    BOSC_COMPOSED_LEVELS_SLICED,
    BOSC_COMPOSED_CYCLIC,
    BOSC_COMPOSED_KINDS
};

/* The composed step with one of the solvers of cpu: BOSC_COMPOSED_... */
extern const bosc_engine_ops bosc_cpu_composed_engine;

/* cuda, where it is built: a neuron in each thread, a warp of neurons of like
 * size; or cell blocks on the chip, and those like that that meet one of
 * bosc_chip_limits. */
extern const bosc_engine_ops bosc_cuda_engine;

/* Bytes of the systems that so many threads of the CPU solve, each of a tile's
 * slots. */
double bosc_cpu_bytes(int threads, double tile_slots);

#endif
