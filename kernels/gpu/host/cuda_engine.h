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

/* What was allocated on the device, and is freed in the end. */
typedef struct bosc_cuda_owned {
    size_t n, capacity;
    void **memory; /* [n] */
} bosc_cuda_owned;

/* An array on its way to the device. */
typedef struct bosc_cuda_parcel {
    size_t bytes;       /* there is room for */
    void *here, *there; /* pinned; on the device */
} bosc_cuda_parcel;

/* The events of a range: those of groups that are streamed, and those of cell
 * blocks. */
typedef struct bosc_cuda_inbox {
    ptrdiff_t n, n_chip; /* events of both */
    bool lost;           /* one of them is */
    bosc_cuda_parcel first, next, events, chip_first, chip_events;
} bosc_cuda_inbox;

/* A range of steps on its way. */
typedef struct bosc_cuda_range {
    int64_t from, to;        /* to == 0: there is none */
    int64_t next, ended;     /* the first not launched, the first not ended */
    const bosc_event *event; /* what the inbox was filled from */
    bool sure;               /* advance() will come to it next */
    bosc_cuda_inbox inbox;
    bosc_cuda_parcel sets; /* bosc_cuda_set, [n_sets] */
    double **values;       /* [n_sets] on the device, */
    size_t *capacity;      /* [n_sets] room there */
} bosc_cuda_range;

/* Some steps of a range, so few that their spikes have room. */
typedef struct bosc_cuda_launch {
    int64_t to;               /* the steps before this one */
    bosc_cuda_parcel found;   /* bosc_cuda_found */
    bosc_spike *spikes;       /* on the device */
    bosc_cuda_stream *stream; /* NULL: launches do not overlap */
} bosc_cuda_launch;

struct bosc_engine {
    bosc_batch *batch;
    bosc_step_io rec;
    bosc_rows rows;
    bosc_findings found;
    bosc_cuda_step step; /* pointers to the device */
    void *library;       /* that has step.program; NULL: there is none */
    bosc_cuda_drive drive;
    bosc_cuda_set *sets; /* [n_sets] on the host, of no range */
    double **state;      /* [n_blocks] on the device */
    char *job; /* mechanisms of the job's own, as arguments of the kernel, or */
    const void *job_there; /* where they are */
    ptrdiff_t n_self;      /* room for events of mechanisms to themselves */
    bosc_cuda_owned owned;
    int64_t held_before;       /* bytes of the device, by others */
    bosc_cuda_stage *stage;    /* while all is brought, with two pieces for */
    int threads;               /* each of these */
    const double *diam, *area; /* of all slots, on the device; NULL: nobody has
                                  asked for them */
    bool keeps;              /* neurons on the chip, as its method does, but */
    const bosc_limit *limit; /* for this of the batch; NULL: none */
    bosc_chip_plan plan;     /* n == 0: nothing on the chip; no images */
    bosc_cuda_chip chip;     /* pointers to the device */
    int32_t n_streamed;      /* groups that are advanced from memory */
    const int32_t *off;      /* [n_streamed] these, on the device, if not all */
    bosc_chip_sorter *sorter; /* NULL: nothing on the chip */
    bosc_cuda_mail *mail;
    bosc_cuda_range ranges[2]; /* one is computed while the other begins */
    int range;                 /* the one of advance() */
    bosc_cuda_launch launches[2];
    bosc_cuda_timer *timers[BOSC_CUDA_TIMERS];
    int64_t n_launched, n_ended; /* launches so far; of these */
    bosc_cuda_found all;         /* what the range has found, but spikes */
    double device_seconds;       /* of all launches so far */
};

/* Arrays to be there: *to becomes a copy of n items, or with from == NULL room
 * for them; freed with 'owned' (cuda_memory.c). */
typedef struct bosc_cuda_array {
    void *to; /* the address of a pointer */
    const void *from;
    size_t n, size;
} bosc_cuda_array;
bosc_status bosc_cuda_bring(bosc_engine *engine, const bosc_cuda_array *arrays,
                            size_t n, bosc_error *err);
#define BOSC_BRING(engine, err, ...)                                           \
    bosc_cuda_bring(engine, (const bosc_cuda_array[]){__VA_ARGS__},            \
                    BOSC_LEN(((const bosc_cuda_array[]){__VA_ARGS__})), err)

/* Copy into memory that is there (cuda_memory.c). */
bosc_status bosc_cuda_bring_to(bosc_engine *engine, void *there,
                               const void *from, size_t bytes, bosc_error *err);

/* Make engine->stage; copy an array by way of it. */
bosc_status bosc_cuda_stage_begin(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_put_large(bosc_engine *engine, void *to, const void *from,
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
    return engine->plan.n == 0 ||
           !bosc_chip_has_group(engine->batch, &engine->plan, g);
}

/* What belongs to the cell blocks, if there are any, after the rest. */
bosc_status bosc_cuda_bring_chip(bosc_engine *engine, bosc_error *err);

/* What brings events to the device (cuda_events.c): created after the rest, and
 * cleared before it. */
bosc_status bosc_cuda_events_create(bosc_engine *engine, bosc_error *err);
void bosc_cuda_events_clear(bosc_engine *engine);

/* Send the events of a range; let the step and the cell blocks have them. */
bosc_status bosc_cuda_events_fill(const bosc_engine *engine,
                                  const bosc_step_input *steps,
                                  bosc_cuda_inbox *box, bosc_error *err);
void bosc_cuda_events_use(bosc_engine *engine, const bosc_cuda_inbox *box);

/* Room for so many bytes, and some to spare; what was there is lost. */
bosc_status bosc_cuda_parcel_room(bosc_cuda_parcel *p, size_t bytes,
                                  bosc_error *err);
void bosc_cuda_parcel_clear(bosc_cuda_parcel *p);

/* Ranges and their launches (cuda_ranges.c): created after all else, and
 * cleared before it. */
bosc_status bosc_cuda_ranges_create(bosc_engine *engine, bosc_error *err);
void bosc_cuda_ranges_clear(bosc_engine *engine);

/* The operation 'expect' of bosc_engine_ops. */
bosc_status bosc_cuda_expect(bosc_engine *engine, const bosc_step_input *next,
                             bool sure, bosc_error *err);

/* Compute a range, which then is engine->ranges[engine->range]: its values are
 * on the device, its spikes in engine->found, all else in engine->all. */
bosc_status bosc_cuda_range_run(bosc_engine *engine,
                                const bosc_step_input *steps, bosc_error *err);

/* Rows of 32 slots of a group. */
static inline int32_t bosc_cuda_rows(const bosc_layout *layout, int32_t g)
{
    const int64_t slots = layout->first[g + 1] - layout->first[g];

    return (int32_t)((slots + BOSC_CUDA_WIDTH - 1) / BOSC_CUDA_WIDTH);
}

/* Into how many parts these are divided where a team of so many warps has the
 * group: one of a warp by itself, else as many of each warp. */
static inline int32_t bosc_cuda_parts(const bosc_layout *layout, int32_t g,
                                      int32_t team)
{
    const int32_t rows = bosc_cuda_rows(layout, g);
    const int32_t turn = BOSC_CUDA_PART_ROWS * team;
    const int32_t parts = (rows + turn - 1) / turn * team;

    return team == 1 ? 1 : parts < rows ? parts : rows;
}

/* The mechanisms (cuda_blocks.c); the code of those that are not built in. */
bosc_status bosc_cuda_bring_blocks(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_bring_program(bosc_engine *engine, bosc_error *err);

/* The readings of a batch whose blocks and voltages are there: cuda_readings.c.
 */
bosc_status bosc_cuda_bring_readings(bosc_engine *engine, bosc_error *err);

/* Values of the instances of a block, p or k (cuda_memory.c). */
bosc_status bosc_cuda_bring_values(bosc_engine *engine,
                                   const bosc_mech_block *b,
                                   const bosc_mech_values *values, int count,
                                   bosc_cuda_value *to, bosc_error *err);

/* Is it one of the job's own, of which at most one instance is at a slot? */
static inline bool bosc_cuda_is_own(const bosc_batch *batch,
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

/* What the blocks have to do in a phase of a step; mechanisms of the job's own,
 * as arguments of the kernel, when all blocks are there (cuda_job.c). */
bosc_status bosc_cuda_bring_work(bosc_engine *engine, bosc_cuda_phase phase,
                                 bosc_error *err);
bosc_status bosc_cuda_bring_job(bosc_engine *engine, bosc_cuda_block *there,
                                bosc_error *err);

/* What mechanisms have sent to themselves (cuda_self.c), and back. */
bosc_status bosc_cuda_bring_self(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_get_self(bosc_engine *engine, bosc_error *err);

/* The couplings (cuda_links.c); what arrives for a step; and voltages that
 * others need, as bosc_engine_ops has it. */
bosc_status bosc_cuda_bring_links(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_take_arrived(bosc_engine *engine, bosc_error *err);
bosc_status bosc_cuda_voltages(bosc_engine *engine, double *to,
                               bosc_error *err);

/* Fill engine->step from the batch, its rows and its record.  What was brought
 * is freed with 'owned', also after a failure. */
bosc_status bosc_cuda_bring_all(bosc_engine *engine, bosc_error *err);

#endif
