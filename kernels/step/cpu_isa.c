/* cpu_isa.c - a step of the backend cpu for one instruction set.
 *
 * Compiled once for each set with its -march and -DBOSC_ISA=NAME; cpu.c chooses
 * at run time.
 */
#include <math.h>
#include <string.h>

#include "kernels/step/cpu.h"
#include "kernels/step/cpu_mech.h"
#include "kernels/step/cpu_sweep.h"

/* d and b of the rows of group g that are ready before the sweep of 'step'. */
static void assemble(const bosc_cpu *cpu, int32_t g, int64_t step,
                     double *restrict d, double *restrict b)
{
    const bosc_batch *batch = cpu->batch;
    const bosc_constants *k = &cpu->rows.constants[g];
    const int32_t width = bosc_layout_width(&batch->layout, g);
    double *v = batch->v + batch->layout.first[g];
    const int32_t plain = cpu->rows.plain[g];

    for (ptrdiff_t r = cpu->rows.first_ready[g];
         r < cpu->rows.first_ready[g + 1]; ++r) {
        const bosc_ready *ready = &cpu->rows.ready[r];

        if (!k->shared) {
            const int32_t from = ready->from * width, to = ready->to * width;
            const int32_t end = to < plain * width ? to : plain * width;

#pragma omp simd
            for (int32_t i = from; i < to; ++i)
                b[i] = k->c[i] * (v[i] + k->e[i]);
#pragma omp simd
            for (int32_t i = from; i < end; ++i)
                d[i] = k->d[i];
            continue;
        }
        for (int32_t row = ready->from; row < ready->to; ++row) {
            *row_of(d, row) = all_lanes(k->d[row]);
            *row_of(b, row) = all_lanes(k->c[row]) *
                              (((const vector *)v)[row] + all_lanes(k->e[row]));
        }
    }
    for (int32_t m = 0; m < batch->n_blocks; ++m)
        add_currents(cpu, m, g, v, d, b);
    bosc_step_io_clamp(&cpu->rec, g, step, b);
    bosc_step_io_drive(&cpu->rec, g, d, b);
}

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
    sweep_tile(cpu, tile, scratch->d, scratch->b);
    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        for (int32_t m = 0; m < cpu->batch->n_blocks; ++m)
            advance_states(cpu, m, g, cpu->batch->v + first[g]);
        bosc_step_io_frame(&cpu->rec, g, step + 1);
        if (watches)
            bosc_step_io_watch(&cpu->rec, g, step + 1, &scratch->found);
    }
}
