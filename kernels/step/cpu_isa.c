/* cpu_isa.c - a step of the backend cpu for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME; cpu.c chooses
 * at run time.
 */
#include <string.h>

#include "kernels/step/cpu.h"
#include "kernels/step/cpu_mech.h"

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
        add_currents(&batch->blocks[k], cpu->isa, g, v, d, b);
    bosc_step_io_clamp(&cpu->rec, g, step, b);
    bosc_step_io_drive(&cpu->rec, g, d, b);
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
        advance_states(&batch->blocks[k], cpu->isa, g, v);
}

#define JOIN_OF(a, b) a##_##b
#define JOIN(a, b) JOIN_OF(a, b)

void JOIN(bosc_cpu, BOSC_ISA)(bosc_cpu *cpu, bosc_scratch *scratch,
                              const bosc_tile *tile, int64_t step)
{
    const ptrdiff_t *first = cpu->batch->layout.first;
    const bool watches = bosc_step_io_watches(&cpu->rec, step);

    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        const ptrdiff_t at = first[g] - first[tile->g];

        bosc_step_io_detect(&cpu->rec, g, step, &scratch->found);
        bosc_step_io_deliver(&cpu->rec, g, step);
        assemble(cpu, g, step, scratch->d + at, scratch->b + at);
    }
    cpu->solve(&cpu->dfs, tile, scratch->d, scratch->b);
    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        update(cpu, g, scratch->b + first[g] - first[tile->g]);
        bosc_step_io_frame(&cpu->rec, g, step + 1);
        if (watches)
            bosc_step_io_watch(&cpu->rec, g, step + 1, &scratch->found);
    }
}
