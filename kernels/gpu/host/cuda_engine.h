/* cuda_engine.h - the engine of the backend cuda, between what brings a batch
 * to a GPU (cuda_batch.c) and what runs it there (cuda.c).
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_HOST_CUDA_ENGINE_H
#define BOSC_KERNELS_GPU_HOST_CUDA_ENGINE_H

#include "kernels/base/cuda.h"
#include "kernels/gpu/chip/chip_events.h"
#include "kernels/gpu/host/cuda_chip.h"
#include "kernels/gpu/host/cuda_drive.h"
#include "kernels/gpu/host/cuda_step.h"
#include "kernels/step/step_io.h"

enum { BOSC_CUDA_TIMERS = 3 };

/* Memory of the device that is freed with the engine. */
typedef struct bosc_cuda_owned {
    size_t n, capacity;
    void **memory; /* [n] */
} bosc_cuda_owned;

/* An array in pinned memory of the host, and its copy on the device; both grow
 * together (bosc_cuda_pinned_buffer_reserve). */
typedef struct bosc_cuda_pinned_buffer {
    size_t bytes; /* capacity of each */
    void *host, *device;
} bosc_cuda_pinned_buffer;

/* The events of a range, by group and by cell block; sent by the copy queue. */
typedef struct bosc_cuda_range_events {
    ptrdiff_t n,
        n_chip; /* events of groups that are streamed, of cell blocks */
    bool lost;  /* an event is outside of the range or out of order */
    bosc_cuda_pinned_buffer first;       /* ptrdiff_t [n_groups + 1] */
    bosc_cuda_pinned_buffer next;        /* ptrdiff_t [n_groups + 1] */
    bosc_cuda_pinned_buffer events;      /* bosc_cuda_event [n] */
    bosc_cuda_pinned_buffer chip_first;  /* ptrdiff_t [cell blocks + 1] */
    bosc_cuda_pinned_buffer chip_events; /* bosc_chip_event [n_chip] */
} bosc_cuda_range_events;

/* A range of steps on its way. */
typedef struct bosc_cuda_range {
    int64_t from, to;         /* steps from .. to - 1; to == 0: no range */
    int64_t next, ended;      /* first step not launched, first not ended */
    const bosc_event *source; /* the caller's events that 'events' is made of */
    bool sure;                /* advance() will come to it next */
    bosc_cuda_range_events events;
    bosc_cuda_pinned_buffer sets; /* bosc_cuda_set [n_sets] */
    double **values;              /* [n_sets] on the device */
    size_t *capacity; /* [n_sets] numbers that values have room for */
} bosc_cuda_range;

/* A launch: some steps of a range, so few that their spikes have room. */
typedef struct bosc_cuda_launch {
    int64_t to;                    /* one past its last step */
    bosc_cuda_pinned_buffer found; /* bosc_cuda_found */
    bosc_spike *spikes;            /* on the device */
    bosc_cuda_stream *stream;      /* NULL: launches do not overlap */
} bosc_cuda_launch;

/* Neurons on the chip, with their cell blocks; made once with the engine. */
typedef struct bosc_cuda_on_chip {
    bool keeps;              /* the method keeps neurons on the chip */
    const bosc_limit *limit; /* why a batch of such a method has none there;
                                NULL: it has */
    bosc_chip_plan plan;     /* n == 0: nothing on the chip; no images */
    bosc_cuda_chip chip;     /* pointers to the device; 'launch' and the events
                                are set for each launch */
    bosc_cuda_chip_kernels kernels;
    bosc_chip_sorter *sorter; /* NULL: nothing on the chip */
} bosc_cuda_on_chip;

/* Of a batch with couplings: the groups that have voltages other ranks need are
 * computed by a stream of their own, which takes these voltages while the other
 * groups are still computed; made once with the engine. */
typedef struct bosc_cuda_boundary {
    bosc_cuda_streamed sending, others; /* of the step, with fewer groups */
    bosc_cuda_stream *stream;           /* NULL: no group sends */
    bosc_cuda_timer *taken; /* it has stopped: drive.taken has those of the end
                               of the step that is computed */
    bool wanted;            /* somebody waits for them in this range */
    bool told;              /* and has been called */
} bosc_cuda_boundary;

/* Ranges of steps and their launches (cuda_ranges.c): valid from
 * bosc_cuda_ranges_create() on. */
typedef struct bosc_cuda_progress {
    bosc_cuda_copy_queue *copies; /* copies that overlap with launches */
    bosc_cuda_range ranges[2];    /* one is computed while the other begins */
    int range;                    /* index of the range of advance() */
    bosc_cuda_launch launches[2]; /* launch i is number i % 2 */
    bosc_cuda_timer *timers[BOSC_CUDA_TIMERS];
    int64_t n_launched, n_ended; /* number of launches so far; of ended ones */
    bosc_cuda_found found;       /* findings of the range of advance(), but for
                                    spikes */
    double device_seconds;       /* of all ended launches */
} bosc_cuda_progress;

/* An engine of the backend cuda.  Made by 'create' in the order of these
 * members; 'progress' alone, and what it points to, changes afterwards. */
struct bosc_engine {
    bosc_batch *batch; /* the caller's */
    bosc_step_io rec;
    bosc_rows rows; /* until they have been brought */

    /* On the device; made once by bosc_cuda_bring_all(). */
    bosc_cuda_step step;                 /* pointers to the device */
    void *library[BOSC_PROGRAM_KERNELS]; /* of the job's kernels; NULL: none */
    bosc_cuda_drive drive;
    bosc_cuda_boundary boundary; /* its last two members are of a range */
    bosc_cuda_set *sets; /* [n_sets] on the host, without what is of a range */
    double **state;      /* [n_blocks] on the device */
    char *job_args; /* bosc_cuda_mech_args_NAME of the job's own mechanisms,
                       one after another: arguments of the kernel */
    const void *job_args_device; /* copy, if they are too many for arguments */
    ptrdiff_t n_self; /* room for events of mechanisms to themselves */
    bosc_cuda_owned owned;
    int64_t held_before;       /* bytes of the device that others held before */
    const double *diam, *area; /* [n_slots] um, um2, on the device; NULL: no
                                  mechanism has asked for them yet */

    /* While arrays are brought. */
    bosc_cuda_stage *stage; /* two pieces of memory for each thread */
    int threads;

    struct bosc_composed_solver *composed; /* NULL: steps are not composed */
    int32_t *first_unit; /* [n_groups] of composed steps; else NULL */
    bosc_cuda_on_chip on_chip;
    bosc_cuda_progress progress;
};

/* An array that bosc_cuda_bring() allocates on the device; freed with 'owned'
 * (cuda_memory.c). */
typedef struct bosc_cuda_array {
    void *to;         /* address of the pointer that is set */
    const void *from; /* [n] items on the host to copy; NULL: not set */
    size_t n, size;   /* number of items; bytes of an item */
} bosc_cuda_array;

/* Allocate and fill n arrays. */
bosc_status bosc_cuda_bring(bosc_engine *engine, const bosc_cuda_array *arrays,
                            size_t n, bosc_error *err);
#define BOSC_BRING(engine, err, ...)                                           \
    bosc_cuda_bring(engine, (const bosc_cuda_array[]){__VA_ARGS__},            \
                    BOSC_LEN(((const bosc_cuda_array[]){__VA_ARGS__})), err)

/* Copy to memory of the device (cuda_memory.c). */
bosc_status bosc_cuda_bring_to(bosc_engine *engine, void *there,
                               const void *from, size_t bytes, bosc_error *err);

/* Make engine->stage; copy an array by way of it, there and back. */
bosc_status bosc_cuda_stage_begin(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_put_large(bosc_engine *engine, void *to, const void *from,
                                size_t bytes, bosc_error *err);
bosc_status bosc_cuda_get_large(bosc_engine *engine, void *to, const void *from,
                                size_t bytes, bosc_error *err);

/* Images and maps go through the stage to memory that the engine owns.  The
 * plan asks *as for room; at its end, which gives its own status or a failure
 * of the store's, all are there. */
typedef struct bosc_cuda_store bosc_cuda_store;
bosc_status bosc_cuda_store_create(bosc_engine *engine, bosc_cuda_store **out,
                                   bosc_chip_store *as, bosc_error *err);
bosc_status bosc_cuda_store_end(bosc_cuda_store *store, bosc_status st,
                                bosc_error *err);
void bosc_cuda_store_destroy(bosc_cuda_store *store);

/* The image on the device, and behind it the map. */
void *bosc_cuda_store_find(const bosc_cuda_store *store,
                           const bosc_chip_cells *cells);

/* Plan the cell blocks, and bring them. */
bosc_status bosc_cuda_plan_chip(bosc_engine *engine, bosc_error *err);

/* Is the group streamed? */
static inline bool bosc_cuda_streams(const bosc_engine *engine, int32_t g)
{
    return engine->on_chip.plan.n == 0 ||
           !bosc_chip_has_group(engine->batch, &engine->on_chip.plan, g);
}

/* The chains of densities of the job's own there (cuda_chains.c). */
bosc_status bosc_cuda_bring_chains(bosc_engine *engine, bosc_error *err);

/* What belongs to the cell blocks, if there are any, after the rest. */
bosc_status bosc_cuda_bring_chip(bosc_engine *engine, bosc_error *err);

/* What brings events to the device (cuda_events.c): created after the rest, and
 * cleared before it. */
bosc_status bosc_cuda_events_create(bosc_engine *engine, bosc_error *err);
void bosc_cuda_events_clear(bosc_engine *engine);

/* Sort the events of a range, and send them by the copy queue. */
bosc_status bosc_cuda_events_fill(const bosc_engine *engine,
                                  const bosc_step_input *steps,
                                  bosc_cuda_range_events *to, bosc_error *err);

/* Let step and cell blocks of the next launch have the events of a range. */
void bosc_cuda_events_use(bosc_engine *engine,
                          const bosc_cuda_range_events *events);

/* Have room for so many bytes, and some to spare; contents are lost when it
 * grows. */
bosc_status bosc_cuda_pinned_buffer_reserve(bosc_cuda_pinned_buffer *p,
                                            size_t bytes, bosc_error *err);

/* Free both arrays. */
void bosc_cuda_pinned_buffer_clear(bosc_cuda_pinned_buffer *p);

/* Ranges and their launches (cuda_ranges.c): created after all else, and
 * cleared before it. */
bosc_status bosc_cuda_ranges_create(bosc_engine *engine, bosc_error *err);
void bosc_cuda_ranges_clear(bosc_engine *engine);

/* The operation 'expect' of bosc_engine_ops. */
bosc_status bosc_cuda_expect(bosc_engine *engine, const bosc_step_input *next,
                             bool sure, bosc_error *err);

/* Compute a range, which then is
 * engine->progress.ranges[engine->progress.range]: its values are on the
 * device, its spikes in engine->rec.found, all else in engine->progress.found.
 */
bosc_status bosc_cuda_range_run(bosc_engine *engine,
                                const bosc_step_input *steps, bosc_error *err);

/* Rows of 32 slots of a group. */
static inline int32_t bosc_cuda_rows(const bosc_layout *layout, int32_t g)
{
    const int64_t slots = layout->first[g + 1] - layout->first[g];

    return (int32_t)((slots + BOSC_CUDA_WIDTH - 1) / BOSC_CUDA_WIDTH);
}

/* The mechanisms (cuda_blocks.c). */
bosc_status bosc_cuda_bring_blocks(bosc_engine *engine, bosc_error *err);

/* The name of a mechanism of the batch that is not built in, or NULL; what the
 * engine asks for then (bosc_mech_program), when all else is there; the
 * operation 'load' of bosc_engine_ops. */
const char *bosc_cuda_own_mech(const bosc_batch *batch);
void bosc_cuda_want_kernels(bosc_engine *engine);
bosc_status bosc_cuda_load_kernels(bosc_engine *engine, bosc_error *err);

/* The readings of a batch whose blocks and voltages are there: cuda_readings.c.
 */
bosc_status bosc_cuda_bring_readings(bosc_engine *engine, bosc_error *err);

/* Values of the instances of a block, p or k (cuda_memory.c). */
bosc_status bosc_cuda_bring_values(bosc_engine *engine,
                                   const bosc_mech_block *b,
                                   const bosc_mech_values *values, int count,
                                   bosc_cuda_value *to, bosc_error *err);

/* Is it one of the job's own, of which at most one instance is at a slot? */
static inline bool bosc_cuda_is_job_density(const bosc_batch *batch,
                                            const bosc_mech *mech)
{
    return mech->kind == BOSC_MECH_DENSITY &&
           (batch->program.used >> bosc_mechs_find(batch->mechs, mech->name) &
            1u) != 0;
}

/* Has an ion something to do when a step begins? */
static inline bool bosc_cuda_begins(const bosc_mech_block *ion)
{
    return ion->idle == 0 || ion->follows;
}

/* The rows of 32 slots of group g in which a mechanism has an instance, in
 * order; returns how many.  rows[]: room for all rows of the group. */
int32_t bosc_cuda_busy(const bosc_batch *batch, int32_t g, int32_t *rows);

/* What each warp does in the phases of a step (cuda_items.c); mechanisms of the
 * job's own, as arguments of the kernel, when all blocks are there
 * (cuda_job.c).
 */
bosc_status bosc_cuda_bring_items(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_bring_job(bosc_engine *engine, bosc_cuda_block *there,
                                bosc_error *err);

/* What mechanisms have sent to themselves (cuda_self.c), and back. */
bosc_status bosc_cuda_bring_self(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_get_self(bosc_engine *engine, bosc_error *err);

/* The couplings (cuda_links.c); what arrives for a step; and voltages that
 * others need, as bosc_engine_ops has it. */
bosc_status bosc_cuda_bring_links(bosc_engine *engine, bosc_error *err);
void bosc_cuda_boundary_clear(bosc_cuda_boundary *boundary);
bosc_status bosc_cuda_take_arrived(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_voltages(bosc_engine *engine, double *to,
                               bosc_error *err);

/* Fill engine->step from the batch, its rows and its record.  What was brought
 * is freed with 'owned', also after a failure. */
bosc_status bosc_cuda_bring_all(bosc_engine *engine, bosc_error *err);

#endif
