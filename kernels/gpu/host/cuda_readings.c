/* cuda_readings.c - what is recorded, brought to a GPU: the arrays by number
 * and the sets of readings (kernels/batch/reading.h).
 */
#include <stdlib.h>

#include "kernels/base/cuda.h"
#include "kernels/base/exact.h"
#include "kernels/gpu/host/cuda_engine.h"
#include "src/base/mem.h"

/* The arrays by number, as bosc_step_io has those of the host. */
static bosc_status bring_arrays(bosc_engine *engine, bosc_error *err)
{
    const bosc_batch *batch = engine->batch;
    const size_t n = (size_t)bosc_batch_arrays(batch);
    double **array = bosc_alloc(n, sizeof *array);
    int32_t k = BOSC_ARRAY_STATES;
    bosc_status st;

    if (array == NULL)
        return bosc_no_memory(err, "GPU probes");
    array[BOSC_ARRAY_V] = engine->step.v;
    for (int32_t m = 0; m < batch->n_blocks; ++m)
        for (int j = 0; j < batch->blocks[m].mech->n_states; ++j)
            array[k++] = engine->state[m] + j * batch->blocks[m].n;
    st = BOSC_BRING(engine, err,
                    {&engine->step.readings.array, array, n, sizeof *array});
    free(array);
    return st;
}

/* What a set is part of, where a sum has so many parts that its addends are few
 * beside them: they are made here, and the parts do not leave the GPU. */
static bosc_status bring_sums(bosc_reading_set *set, bosc_cuda_set *to,
                              bosc_engine *engine, bosc_error *err)
{
    enum { FEW = 16 };
    const ptrdiff_t n_addends = BOSC_EXACT_ADDENDS * set->n_sums;
    const size_t n = (size_t)set->n_sums;
    ptrdiff_t *first = NULL, *part = NULL;
    bosc_status st;

    if (set->n_sums == 0 || set->n < FEW * n_addends)
        return BOSC_OK;
    st = BOSC_ALLOC(err, "GPU probes", BOSC_ARRAY(first, n + 2),
                    BOSC_ARRAY(part, (size_t)set->n));
    if (st == BOSC_OK) {
        for (ptrdiff_t i = 0; i < set->n; ++i)
            ++first[set->sum[i] + 2];
        for (size_t k = 0; k < n; ++k)
            first[k + 2] += first[k + 1];
        for (ptrdiff_t i = 0; i < set->n; ++i)
            part[first[set->sum[i] + 1]++] = i;
        st = BOSC_BRING(engine, err,
                        {&to->first_part, first, n + 1, sizeof *first},
                        {&to->part, part, (size_t)set->n, sizeof *part});
        to->n_sums = set->n_sums;
        set->n_addends = n_addends;
    }
    free(first);
    free(part);
    return st;
}

bosc_status bosc_cuda_bring_readings(bosc_engine *engine, bosc_error *err)
{
    bosc_batch *batch = engine->batch;
    const size_t n = (size_t)batch->layout.n_groups + 1;
    bosc_status st = bring_arrays(engine, err);

    engine->sets = bosc_alloc((size_t)batch->n_sets, sizeof *engine->sets);
    if (engine->sets == NULL)
        return bosc_no_memory(err, "GPU probes");
    for (int32_t k = 0; k < batch->n_sets && st == BOSC_OK; ++k) {
        bosc_reading_set *set = &batch->sets[k];
        const bosc_frames *frames = &engine->rec.frames[k];
        const bool sums = set->first != NULL;
        const size_t n_terms = (size_t)bosc_reading_terms(set);
        bosc_cuda_set *to = &engine->sets[k];

        to->n = set->n;
        to->width = set->width;
        to->at = set->at;
        st = BOSC_BRING(
            engine, err, {&to->first, frames->first, n, sizeof *frames->first},
            {&to->order, frames->order, (size_t)set->n, sizeof *frames->order},
            {&to->term, set->term, n_terms, sizeof *set->term});
        if (st == BOSC_OK && sums)
            st = BOSC_BRING(
                engine, err,
                {&to->first_term, set->first, (size_t)(set->n / set->width) + 1,
                 sizeof *set->first},
                {&to->weight, set->weight, n_terms * (size_t)set->width,
                 sizeof *set->weight});
        if (st == BOSC_OK)
            st = bring_sums(set, to, engine, err);
    }
    return st;
}
