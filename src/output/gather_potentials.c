/* gather_potentials.c - the potential at electrodes: the sum over neurons of
 * all ranks of what each gives (src/batch/read_potential.c).
 */
#include "kernels/step/frames.h"
#include "src/comm/exact_sum.h"
#include "src/output/gather_plan.h"

/* The frames of a set into room of this plan's; values == NULL: this rank has
 * failed.  Collective. */
static bosc_status sum_set(bosc_gather_plan *plan, int32_t s,
                           const double *values, const int64_t range[2],
                           bosc_error *err)
{
    bosc_gather_sums *sums = &plan->sums;
    const bosc_recorded *set = &plan->built->sets[s];
    const int64_t n = plan->built->columns[set->probe].n;
    const bosc_reading_set *readings = &plan->built->batch.sets[s];
    const int64_t n_frames =
        bosc_frames_of(&readings->at, range[0], range[1]).n;
    const size_t at = (size_t)(s * BOSC_GATHER_RANGES + sums->turn);

    return bosc_sum_exact(
        plan->comm,
        &(bosc_addends){.n_rows = n_frames,
                        .n = bosc_reading_given(readings),
                        .values = values,
                        .column = readings->n_addends > 0 ? NULL : set->column,
                        .n_columns = n},
        &sums->room[at], &sums->capacity[at], err);
}

bosc_status bosc_gather_sum(bosc_gather_plan *plan,
                            const bosc_step_output *record,
                            const int64_t range[2], bosc_error *err)
{
    bosc_gather_sums *sums = &plan->sums;
    bosc_status st = BOSC_OK; /* the same on all ranks */

    sums->turn = (sums->turn + 1) % BOSC_GATHER_RANGES;

    const double **values =
        sums->values + sums->turn * (ptrdiff_t)plan->built->n_sets;

    for (int32_t s = 0; s < plan->built->n_sets && st == BOSC_OK; ++s) {
        const int32_t probe = plan->built->sets[s].probe;

        values[s] = record != NULL ? record->values[s] : NULL;
        if (plan->model.job->probes[probe].electrodes.n > 0) {
            st = sum_set(plan, s, values[s], range, err);
            values[s] = sums->room[s * BOSC_GATHER_RANGES + sums->turn];
        }
    }
    return st;
}
