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

/* The constant part of d and b of the rows of group g that are assembled before
 * the sweep; of several threads one takes its part of them. */
static void begin_rows(const bosc_cpu *cpu, const bosc_span *span, int32_t g,
                       double *restrict d, double *restrict b)
{
    const bosc_batch *batch = cpu->batch;
    const bosc_constants *k = &cpu->rows.constants[g];
    const int32_t width = bosc_layout_width(&batch->layout, g);
    double *v = batch->v + batch->layout.first[g];
    const int32_t changing = cpu->rows.constant_from[g];

    for (ptrdiff_t r = cpu->rows.first_assembled[g];
         r < cpu->rows.first_assembled[g + 1]; ++r) {
        const bosc_row_range *assembled = &cpu->rows.assembled[r];

        if (!k->shared) {
            const int64_t first = (int64_t)assembled->from * width,
                          n = (int64_t)assembled->to * width - first;
            const int32_t from = (int32_t)(first +
                                           n * span->thread / span->threads),
                          to = (int32_t)(first + n * (span->thread + 1) /
                                                     span->threads);
            const int32_t end = to < changing * width ? to : changing * width;

#pragma omp simd
            for (int32_t i = from; i < to; ++i)
                b[i] = k->c[i] * (v[i] + k->e[i]);
#pragma omp simd
            for (int32_t i = from; i < end; ++i)
                d[i] = k->d[i];
            continue;
        }
        for (int32_t row = assembled->from; row < assembled->to; ++row) {
            *row_of(d, row) = all_lanes(k->d[row]);
            *row_of(b, row) = all_lanes(k->c[row]) *
                              (((const vector *)v)[row] + all_lanes(k->e[row]));
        }
    }
}

/* What block m, and those that are taken with it, add to d and b in a span. */
static void add_block(const bosc_cpu *cpu, int m, const bosc_span *span,
                      int64_t step, double *d, double *b)
{
    const bosc_mech *mech = cpu->batch->blocks[m].mech;

    if (mech->stimulus)
        add_stimuli(cpu, m, span, step, b);
    else if (!bosc_mech_is_single(mech))
        add_in_order(cpu, m, span, step, d, b);
    else
        add_currents(cpu, m, span, step, d, b);
}

/* d and b of the rows of a span that are assembled before the sweep of 'step'.
 */
static void assemble(const bosc_cpu *cpu, const bosc_span *span, int64_t step,
                     double *d, double *b)
{
    const bosc_batch *batch = cpu->batch;
    const ptrdiff_t *first = batch->layout.first;

    for (int32_t g = span->g; g < span->end; ++g)
        begin_rows(cpu, span, g, d + (first[g] - span->first),
                   b + (first[g] - span->first));
    begin_ions(cpu, span);
    for (int32_t m = 0; m < batch->n_blocks; ++m)
        if (cpu->chunks[m].flow_end > 0)
            add_block(cpu, m, span, step, d, b);
    for (int32_t g = span->g; g < span->end; ++g) {
        const ptrdiff_t at = first[g] - span->first;

        bosc_step_io_drive(&cpu->rec, g, d + at, b + at);
    }
}

static bosc_span span_at(const bosc_cpu *cpu, int32_t g)
{
    return (bosc_span){g, cpu->span_end[g], cpu->batch->layout.first[g], 0, 1};
}

static void assemble_tile(bosc_cpu *cpu, bosc_scratch *scratch,
                          const bosc_tile *tile, int64_t step)
{
    const ptrdiff_t *first = cpu->batch->layout.first;
    const int32_t end = tile->g + tile->n;
    bosc_span span;

    for (int32_t at = tile->g; at < end; at = span.end) {
        span = span_at(cpu, at);
        for (int32_t g = span.g; g < span.end; ++g) {
            bosc_step_io_detect(&cpu->rec, g, step, scratch->found);
            bosc_step_io_deliver(&cpu->rec, g, step, scratch->found);
        }
        assemble(cpu, &span, step, scratch->d + (span.first - first[tile->g]),
                 scratch->b + (span.first - first[tile->g]));
    }
}

static void advance_tile(bosc_cpu *cpu, const bosc_tile *tile, int64_t step)
{
    const bosc_batch *batch = cpu->batch;
    const int32_t end = tile->g + tile->n;
    bosc_span span;

    for (int32_t at = tile->g; at < end; at = span.end) {
        span = span_at(cpu, at);
        for (int32_t m = 0; m < batch->n_blocks; ++m)
            if (cpu->chunks[m].evolve_end > 0)
                advance_states(cpu, m, &span, step);
    }
}

static void look_at_tile(bosc_cpu *cpu, bosc_scratch *scratch,
                         const bosc_tile *tile, int64_t step)
{
    const bool watches = bosc_step_io_watches(&cpu->rec, step);

    for (int32_t g = tile->g; g < tile->g + tile->n; ++g) {
        bosc_step_io_frame(&cpu->rec, g, step + 1);
        if (watches)
            bosc_step_io_watch(&cpu->rec, g, step + 1, scratch->found);
    }
}

void JOIN(bosc_cpu, BOSC_ISA)(bosc_cpu *cpu, bosc_scratch *scratch,
                              const bosc_tile *tile, int64_t step, int parts)
{
    if ((parts & BOSC_CPU_ASSEMBLE) != 0)
        assemble_tile(cpu, scratch, tile, step);
    if ((parts & BOSC_CPU_SWEEP) != 0)
        sweep_tile(cpu, tile, scratch->d, scratch->b);
    if ((parts & BOSC_CPU_ADVANCE) != 0)
        advance_tile(cpu, tile, step);
    if ((parts & BOSC_CPU_LOOK) != 0)
        look_at_tile(cpu, scratch, tile, step);
}

/* --- all groups by several threads ---------------------------------------- */

/* The constant part of d and b of the used slots. */
static void begin_used(const bosc_cpu *cpu, const bosc_cpu_team *team)
{
    const bosc_batch *batch = cpu->batch;
    const bosc_batch_system *of = &batch->system;
    const ptrdiff_t from = team->n_used * team->thread / team->threads,
                    to = team->n_used * (team->thread + 1) / team->threads;

    for (ptrdiff_t k = from; k < to; ++k) {
        const ptrdiff_t i = team->used[k];

        team->b[i] = of->c[i] * (batch->v[i] + of->e[i]);
        team->d[i] = of->d[i];
    }
}

static bosc_span shared_span(const bosc_cpu *cpu, const bosc_cpu_team *team,
                             int32_t g)
{
    return (bosc_span){g, cpu->span_end[g], cpu->batch->layout.first[g],
                       team->thread, team->threads};
}

/* What a slot gets comes in the order of one thread, events, blocks, couplings:
 * hence the barriers. */
static void assemble_together(bosc_cpu *cpu, const bosc_cpu_team *team,
                              int64_t step)
{
    const bosc_batch *batch = cpu->batch;
    const ptrdiff_t *first = batch->layout.first;
    const int32_t n = batch->layout.n_groups;
    bosc_span span;

    for (int32_t g = team->thread; g < n; g += team->threads) {
        bosc_step_io_detect(&cpu->rec, g, step, team->found);
        bosc_step_io_deliver(&cpu->rec, g, step, team->found);
    }
#pragma omp barrier
    if (team->used != NULL)
        begin_used(cpu, team);
    for (int32_t g = 0; g < n; g = span.end) {
        span = shared_span(cpu, team, g);
        for (int32_t k = g; team->used == NULL && k < span.end; ++k)
            begin_rows(cpu, &span, k, team->d + first[k], team->b + first[k]);
        begin_ions(cpu, &span);
    }
    for (int32_t m = 0; m < batch->n_blocks; ++m) {
        if (cpu->chunks[m].flow_end == 0)
            continue;
#pragma omp barrier
        for (int32_t g = 0; g < n; g = span.end) {
            span = shared_span(cpu, team, g);
            add_block(cpu, m, &span, step, team->d + span.first,
                      team->b + span.first);
        }
    }
#pragma omp barrier
    for (int32_t g = team->thread; g < n; g += team->threads)
        bosc_step_io_drive(&cpu->rec, g, team->d + first[g],
                           team->b + first[g]);
}

void JOIN(bosc_cpu_together, BOSC_ISA)(bosc_cpu *cpu, const bosc_cpu_team *team,
                                       int64_t step, int parts)
{
    const bosc_batch *batch = cpu->batch;
    const int32_t n = batch->layout.n_groups;
    bosc_span span;

    if ((parts & BOSC_CPU_ASSEMBLE) != 0)
        assemble_together(cpu, team, step);
    for (int32_t m = 0; (parts & BOSC_CPU_ADVANCE) != 0 && m < batch->n_blocks;
         ++m) {
        if (cpu->chunks[m].evolve_end == 0)
            continue;
        for (int32_t g = 0; g < n; g = span.end) {
            span = shared_span(cpu, team, g);
            advance_states(cpu, m, &span, step);
        }
#pragma omp barrier
    }
    for (int32_t g = team->thread; (parts & BOSC_CPU_LOOK) != 0 && g < n;
         g += team->threads)
        look_at_tile(cpu, &(bosc_scratch){.found = team->found},
                     &(bosc_tile){.g = g, .n = 1}, step);
}
