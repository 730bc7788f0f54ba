/* cpu_isa.c - the loops of the backend cpu for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME; cpu.c chooses
 * at run time.  LANES is what a vector register holds.
 */
#include "kernels/cpu.h"
#include "kernels/cpu_mech.h"
#include "kernels/hines.h"

#if defined(__AVX512F__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#else
#define LANES 2
#endif

/* Vectors of doubles, and of the masks that comparing gives. */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t lanes_mask __attribute__((vector_size(LANES * sizeof(double))));

BOSC_HINES(lanes, lanes_row, lanes_eliminate, lanes_substitute)

#include "kernels/cpu_turn.h"

/* A group while it is solved.  On entry d and b are its system, at the end b is
 * the solution and d the f of each row. */
typedef struct stream {
    int32_t n; /* rows; 0: no group */
    const lanes *u;
    lanes *d, *b;
    const int32_t *parent; /* of all lanes, where they have one tree */
    const uint8_t *turns;  /* else the rows that turn */
    const int32_t *up;     /* and the parents of those */
    lanes pair_d, pair_b;  /* what the row before hands on */
    lanes v;               /* solution of the row before */
} stream;

#define INLINE static inline __attribute__((always_inline))

INLINE void eliminate_row(stream *s, int32_t i)
{
    const lanes_row row =
        lanes_eliminate(s->d[i] - s->pair_d, s->u[i], s->b[i] - s->pair_b);

    s->d[i] = row.f;
    s->b[i] = row.w;
    s->pair_d = row.d;
    s->pair_b = row.b;
}

INLINE void eliminate_uniform(stream *s, int32_t i)
{
    const int32_t p = s->parent[i];

    eliminate_row(s, i);
    if (p == i - 1)
        return;
    s->d[p] -= s->pair_d;
    s->b[p] -= s->pair_b;
    s->pair_d = s->pair_b = (lanes){0};
}

INLINE void eliminate_mixed(stream *s, int32_t i)
{
    eliminate_row(s, i);
    if (s->turns[i] == 0)
        return;
    s->up -= LANES;
    turn_off(s->turns[i], s->up, (double *)s->d, &s->pair_d);
    turn_off(s->turns[i], s->up, (double *)s->b, &s->pair_b);
}

/* The root has no parent to hand on to: its solution is known. */
INLINE void turn_round(stream *s)
{
    s->v = lanes_eliminate(s->d[0] - s->pair_d, s->u[0], s->b[0] - s->pair_b).w;
    s->b[0] = s->v;
}

INLINE void substitute_uniform(stream *s, int32_t i)
{
    if (s->parent[i] != i - 1)
        s->v = s->b[s->parent[i]];
    s->v = s->b[i] = lanes_substitute(s->d[i], s->b[i], s->v);
}

INLINE void substitute_mixed(stream *s, int32_t i)
{
    if (s->turns[i] != 0) {
        turn_back(s->turns[i], s->up, (const double *)s->b, &s->v);
        s->up += LANES;
    }
    s->v = s->b[i] = lanes_substitute(s->d[i], s->b[i], s->v);
}

/* The same for a neuron alone. */
typedef struct lone {
    int32_t n; /* rows; 0: no neuron */
    const double *u;
    double *d, *b;
    const int32_t *parent;
    bosc_row row; /* the row before */
    double v;     /* its solution */
} lone;

INLINE void eliminate_lone(lone *s, int32_t i)
{
    const int32_t p = s->parent[i];

    s->row = bosc_eliminate(s->d[i] - s->row.d, s->u[i], s->b[i] - s->row.b);
    s->d[i] = s->row.f;
    s->b[i] = s->row.w;
    if (p == i - 1)
        return;
    s->d[p] -= s->row.d;
    s->b[p] -= s->row.b;
    s->row.d = s->row.b = 0;
}

INLINE void turn_round_lone(lone *s)
{
    s->v = bosc_eliminate(s->d[0] - s->row.d, s->u[0], s->b[0] - s->row.b).w;
    s->b[0] = s->v;
}

INLINE void substitute_lone(lone *s, int32_t i)
{
    if (s->parent[i] != i - 1)
        s->v = s->b[s->parent[i]];
    s->v = s->b[i] = bosc_substitute(s->d[i], s->b[i], s->v);
}

/* Solve two groups, the second not longer than the first, row by row: each row
 * waits for the division of the row before, so two at a time take little longer
 * than one. */
#define SWEEP(name, type, eliminate, turn_round, substitute)                   \
    static void name(type x, type y)                                           \
    {                                                                          \
        int32_t i = x.n - 1;                                                   \
                                                                               \
        for (; i > 0 && i >= y.n; --i)                                         \
            eliminate(&x, i);                                                  \
        for (; i > 0; --i) {                                                   \
            eliminate(&x, i);                                                  \
            eliminate(&y, i);                                                  \
        }                                                                      \
        turn_round(&x);                                                        \
        if (y.n > 0)                                                           \
            turn_round(&y);                                                    \
        for (i = 1; i < y.n; ++i) {                                            \
            substitute(&x, i);                                                 \
            substitute(&y, i);                                                 \
        }                                                                      \
        for (; i < x.n; ++i)                                                   \
            substitute(&x, i);                                                 \
    }

SWEEP(sweep_uniform, stream, eliminate_uniform, turn_round, substitute_uniform)
SWEEP(sweep_mixed, stream, eliminate_mixed, turn_round, substitute_mixed)
SWEEP(sweep_lone, lone, eliminate_lone, turn_round_lone, substitute_lone)

static const int32_t *parents(const bosc_batch *batch, int32_t g)
{
    const int32_t neuron = bosc_layout_neuron(&batch->layout, g, 0);

    return batch->trees[batch->shape[neuron]].parent;
}

static stream stream_of(const bosc_cpu *cpu, int32_t g, double *d, double *b)
{
    const bosc_layout *layout = &cpu->batch->layout;
    const bosc_turns *turns = &cpu->turns;

    return (stream){
        .n = layout->rows[g],
        .u = (const lanes *)(cpu->batch->u + layout->first[g]),
        .d = (lanes *)d,
        .b = (lanes *)b,
        .parent = parents(cpu->batch, g),
        .turns = turns->mask + turns->mask_first[g],
        .up = turns->up + turns->up_first[g + 1], /* the walk begins there */
    };
}

static void solve_stream(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                         double *b)
{
    const bosc_layout *layout = &cpu->batch->layout;
    const int32_t g = tile->g;
    const int32_t next = bosc_layout_slots(layout, g);
    const stream x = stream_of(cpu, g, d, b);
    stream y = {0};

    if (tile->n > 1)
        y = stream_of(cpu, g + 1, d + next, b + next);
    if (layout->uniform[g])
        sweep_uniform(x, y);
    else
        sweep_mixed(x, y);
}

static lone lone_of(const bosc_cpu *cpu, int32_t g, double *d, double *b)
{
    const bosc_layout *layout = &cpu->batch->layout;

    return (lone){
        .n = layout->rows[g],
        .u = cpu->batch->u + layout->first[g],
        .d = d,
        .b = b,
        .parent = parents(cpu->batch, g),
    };
}

static void solve_lone(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                       double *b)
{
    const int32_t g = tile->g, next = bosc_layout_slots(&cpu->batch->layout, g);
    lone y = {0};

    if (tile->n > 1)
        y = lone_of(cpu, g + 1, d + next, b + next);
    sweep_lone(lone_of(cpu, g, d, b), y);
}

static void solve(const bosc_cpu *cpu, const bosc_tile *tile, double *d,
                  double *b)
{
    if (bosc_layout_width(&cpu->batch->layout, tile->g) == 1)
        solve_lone(cpu, tile, d, b);
    else
        solve_stream(cpu, tile, d, b);
}

/* d and b of group g in the step that starts at 'step'. */
static void assemble(const bosc_cpu *cpu, int32_t g, int64_t step,
                     double *restrict d, double *restrict b)
{
    const bosc_batch *batch = cpu->batch;
    const ptrdiff_t base = batch->layout.first[g];
    const ptrdiff_t n = batch->layout.first[g + 1] - base;
    const double *bd = batch->d + base, *c = batch->c + base;
    const double *e = batch->e + base, *v = batch->v + base;

#pragma omp simd
    for (ptrdiff_t i = 0; i < n; ++i) {
        d[i] = bd[i];
        b[i] = c[i] * v[i] + e[i];
    }
    for (int32_t k = 0; k < batch->n_blocks; ++k)
        if (loops[batch->blocks[k].mech].current != NULL)
            add_currents(&batch->blocks[k], g, v, d, b);
    bosc_recorder_clamp(&cpu->rec, g, step, b);
}

/* Take the solution x as the new v, and advance the states with it. */
static void update(const bosc_cpu *cpu, int32_t g, const double *x)
{
    const bosc_batch *batch = cpu->batch;
    const ptrdiff_t base = batch->layout.first[g];
    const ptrdiff_t n = batch->layout.first[g + 1] - base;
    double *restrict v = batch->v + base;

    if (batch->second_order) {
#pragma omp simd
        for (ptrdiff_t i = 0; i < n; ++i)
            v[i] = 2 * x[i] - v[i];
    } else {
        memcpy(v, x, (size_t)n * sizeof *v);
    }
    for (int32_t k = 0; k < batch->n_blocks; ++k)
        if (loops[batch->blocks[k].mech].advance != NULL)
            advance_states(&batch->blocks[k], g, v,
                           &(mech_time){batch->dt, cpu->q10[k]});
}

static void do_step(bosc_cpu *cpu, bosc_scratch *scratch, const bosc_tile *tile,
                    int64_t step)
{
    const ptrdiff_t *first = cpu->batch->layout.first;

    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        const ptrdiff_t at = first[g] - first[tile->g];

        bosc_recorder_detect(&cpu->rec, g, step, &scratch->found);
        assemble(cpu, g, step, scratch->d + at, scratch->b + at);
    }
    solve(cpu, tile, scratch->d, scratch->b);
    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        update(cpu, g, scratch->b + first[g] - first[tile->g]);
        bosc_recorder_frame(&cpu->rec, g, step + 1);
    }
}

#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_cpu_code JOIN(bosc_cpu_, BOSC_ISA) = {
    .lanes = LANES,
    .step = do_step,
    .solve = solve,
};
