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

#define REAL double
#define ROW bosc_row
#define ELIMINATE bosc_eliminate
#define SUBSTITUTE bosc_substitute
#define SWEEP sweep_flat
#include "kernels/cpu_sweep.h"

#define REAL lanes
#define ROW lanes_row
#define ELIMINATE lanes_eliminate
#define SUBSTITUTE lanes_substitute
#define SWEEP sweep_uniform
#include "kernels/cpu_sweep.h"

#include "kernels/cpu_turn.h"

/* Solve a group of different trees, row by row in step.  Lanes whose row turns
 * subtract their pair from the parent's row in memory; the others hand it on in
 * registers. */
static void sweep_mixed(const uint8_t *turns, const int32_t *up, int32_t n,
                        const lanes *u, double *d, double *b)
{
    lanes *dv = (lanes *)d, *bv = (lanes *)b;
    lanes pair_d = {0}, pair_b = {0}, v;

    for (int32_t i = 1; i < n; ++i)
        up += turns[i] != 0 ? LANES : 0;
    for (int32_t i = n - 1; i > 0; --i) {
        const lanes_row row =
            lanes_eliminate(dv[i] - pair_d, u[i], bv[i] - pair_b);

        dv[i] = row.f;
        bv[i] = row.w;
        pair_d = row.d;
        pair_b = row.b;
        if (turns[i] != 0) {
            up -= LANES;
            turn_off(turns[i], up, d, &pair_d);
            turn_off(turns[i], up, b, &pair_b);
        }
    }
    v = bv[0] = lanes_eliminate(dv[0] - pair_d, u[0], bv[0] - pair_b).w;
    for (int32_t i = 1; i < n; ++i) {
        if (turns[i] != 0) {
            turn_back(turns[i], up, b, &v);
            up += LANES;
        }
        v = bv[i] = lanes_substitute(dv[i], bv[i], v);
    }
}

static const int32_t *parents(const bosc_batch *batch, int32_t g)
{
    const int32_t width = batch->layout.width;
    const int32_t neuron = batch->layout.lane_neuron[(ptrdiff_t)g * width];

    return batch->trees[batch->shape[neuron]].parent;
}

static void solve_flat(const bosc_cpu *cpu, int32_t g, double *d, double *b)
{
    const bosc_layout *layout = &cpu->batch->layout;

    sweep_flat(parents(cpu->batch, g), layout->rows[g],
               cpu->batch->u + layout->first[g], d, b);
}

static void solve_stream(const bosc_cpu *cpu, int32_t g, double *d, double *b)
{
    const bosc_layout *layout = &cpu->batch->layout;
    const lanes *u = (const lanes *)(cpu->batch->u + layout->first[g]);
    const bosc_turns *turns = &cpu->turns;

    if (layout->uniform[g])
        sweep_uniform(parents(cpu->batch, g), layout->rows[g], u, (lanes *)d,
                      (lanes *)b);
    else
        sweep_mixed(turns->mask + turns->mask_first[g],
                    turns->up + turns->up_first[g], layout->rows[g], u, d, b);
}

/* d and b of the step that starts at 'step'. */
static void assemble(const bosc_cpu *cpu, bosc_scratch *scratch, int32_t g,
                     int64_t step)
{
    const bosc_batch *batch = cpu->batch;
    const ptrdiff_t base = batch->layout.first[g];
    const ptrdiff_t n = batch->layout.first[g + 1] - base;
    const double *bd = batch->d + base, *c = batch->c + base;
    const double *e = batch->e + base, *v = batch->v + base;
    double *restrict d = scratch->d, *restrict b = scratch->b;

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

/* Both methods' run; inlined, so that 'solve' is known. */
static inline void
run(bosc_cpu *cpu, bosc_scratch *scratch, int32_t g, const int64_t range[2],
    void (*solve)(const bosc_cpu *cpu, int32_t g, double *d, double *b))
{
    for (int64_t step = range[0]; step < range[1]; ++step) {
        bosc_recorder_detect(&cpu->rec, g, step, &scratch->spikes);
        assemble(cpu, scratch, g, step);
        solve(cpu, g, scratch->d, scratch->b);
        update(cpu, g, scratch->b);
        bosc_recorder_frame(&cpu->rec, g, step + 1);
    }
}

static void run_stream(bosc_cpu *cpu, bosc_scratch *scratch, int32_t g,
                       int64_t from, int64_t to)
{
    run(cpu, scratch, g, (const int64_t[2]){from, to}, solve_stream);
}

static void run_flat(bosc_cpu *cpu, bosc_scratch *scratch, int32_t g,
                     int64_t from, int64_t to)
{
    run(cpu, scratch, g, (const int64_t[2]){from, to}, solve_flat);
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define JOIN_OF(a, b) a##b
#define JOIN(a, b) JOIN_OF(a, b)

const bosc_cpu_code JOIN(bosc_cpu_, BOSC_ISA)[BOSC_CPU_METHODS] = {
    [BOSC_CPU_STREAM] = {TEXT(BOSC_ISA), LANES, run_stream, solve_stream},
    [BOSC_CPU_FLAT] = {TEXT(BOSC_ISA), 1, run_flat, solve_flat},
};
