/* gather_potentials.c - the potential at electrodes: the sum over neurons of
 * all ranks of what each gives (src/batch/read_potential.c).
 *
 * Numbers become integers with a fixed point, whose sum does not depend on the
 * order in which they are added, so it has the same bits for any number of
 * ranks and any distribution of neurons.  A number x (mV) is
 *
 *     x = (whole 2^80 + high 2^40 + low) / 2^80
 *
 * within 2^-81, 4e-25 mV, with |high|, |low| below 2^40; the sums of each of
 * the three, of 4 million neurons, fit in 64 bits.  What is not finite, or
 * beyond 2^40 mV, is counted: the sum is then no number.
 */
#include <math.h>
#include <stdlib.h>

#include "kernels/step/frames.h"
#include "src/base/mem.h"
#include "src/output/gather_plan.h"

enum { WHOLE, HIGH, LOW, BAD, WORDS, BITS = 40, AT_ONCE = 1 << 20 };

static void add(int64_t word[WORDS], double x)
{
    if (!(fabs(x) < 0x1p40)) {
        ++word[BAD];
        return;
    }

    const double whole = trunc(x), rest = (x - whole) * 0x1p40;
    const double high = trunc(rest);

    word[WHOLE] += (int64_t)whole;
    word[HIGH] += (int64_t)high;
    word[LOW] += (int64_t)rint((rest - high) * 0x1p40);
}

/* Let 'low' and 'high' be 0 or more and below 2^40. */
static void carry(int64_t word[WORDS])
{
    for (int k = LOW; k > WHOLE; --k) {
        const int64_t over = word[k] >> BITS; /* down, also below 0 */

        word[k] -= over * (INT64_C(1) << BITS);
        word[k - 1] += over;
    }
}

static double value_of(int64_t word[WORDS])
{
    double sign = 1;

    if (word[BAD] != 0)
        return NAN;
    carry(word);
    if (word[WHOLE] < 0) { /* small numbers keep their places */
        for (int k = WHOLE; k <= LOW; ++k)
            word[k] = -word[k];
        carry(word);
        sign = -1;
    }
    return sign *
           ((double)word[WHOLE] +
            ((double)word[HIGH] + (double)word[LOW] * 0x1p-40) * 0x1p-40);
}

/* Sum frames of a set: n readings each, of which every n_electrodes-th is of
 * one electrode; values == NULL: this rank has failed, and the sums are of no
 * use. Collective. */
static bosc_status sum_set(const bosc_gather_plan *plan, int32_t s,
                           const double *values, int64_t n_frames, double *to,
                           bosc_error *err)
{
    const ptrdiff_t n = plan->built->batch.sets[s].n;
    const int64_t n_electrodes =
        plan->built->columns[plan->built->sets[s].probe].n;
    const int64_t most = AT_ONCE / n_electrodes;
    const int64_t some = most > 0 ? most : 1;
    int64_t *words =
        bosc_alloc((size_t)(WORDS * some * n_electrodes), sizeof *words);
    bosc_status st =
        words == NULL ? bosc_no_memory(err, "the electrodes") : BOSC_OK;

    if ((st = bosc_agree(plan->comm, st, err)) != BOSC_OK) {
        free(words);
        return st;
    }
    for (int64_t f = 0; f < n_frames; f += some) {
        const int64_t here = n_frames - f < some ? n_frames - f : some;
        const int64_t sums = here * n_electrodes;

        for (int64_t i = 0; i < WORDS * sums; ++i)
            words[i] = 0;
        for (int64_t k = 0; values != NULL && k < here; ++k)
            for (ptrdiff_t i = 0; i < n; ++i)
                add(words + WORDS * (k * n_electrodes + i % n_electrodes),
                    values[(f + k) * n + i]);
        bosc_sum_int64(plan->comm, words, (int)(WORDS * sums));
        for (int64_t i = 0; i < sums; ++i)
            to[f * n_electrodes + i] = value_of(words + WORDS * i);
    }
    free(words);
    return BOSC_OK;
}

bosc_status bosc_gather_sum(bosc_gather_plan *plan,
                            const bosc_step_output *record,
                            const int64_t range[2], bosc_error *err)
{
    bosc_gather_sums *sums = &plan->sums;
    bosc_status st = BOSC_OK;

    sums->turn = (sums->turn + 1) % BOSC_GATHER_RANGES;

    const double **values =
        sums->values + sums->turn * (ptrdiff_t)plan->built->n_sets;

    for (int32_t s = 0; s < plan->built->n_sets; ++s) {
        const int32_t probe = plan->built->sets[s].probe;
        const int64_t n = plan->built->columns[probe].n;
        const bosc_frame_span span =
            bosc_frames_of(&plan->built->batch.sets[s].at, range[0], range[1]);
        const size_t at = (size_t)(s * BOSC_GATHER_RANGES + sums->turn);
        bosc_status own = BOSC_OK;

        if (record != NULL)
            values[s] = record->values[s];
        if (plan->model.job->probes[probe].electrodes.n == 0)
            continue;
        if (!bosc_grow(&sums->room[at], &sums->capacity[at],
                       (size_t)(span.n * n), sizeof(double)))
            own = bosc_no_memory(err, "the electrodes");
        if ((own = bosc_agree(plan->comm, own, err)) == BOSC_OK)
            own = sum_set(plan, s, record != NULL ? record->values[s] : NULL,
                          span.n, sums->room[at], err);
        values[s] = sums->room[at];
        st = st == BOSC_OK ? own : st;
        if (own != BOSC_OK)
            return own; /* on all ranks */
    }
    return st;
}
