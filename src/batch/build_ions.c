/* build_ions.c - ions, and what else mechanisms share. */
#include "src/batch/build_parts.h"

static bool needs_shape(const bosc_mech *mech)
{
    return mech->geometry;
}

bool bosc_build_needs_shape(const bosc_job *job)
{
    for (int m = 0; m < job->mechs->n; ++m)
        if (needs_shape(job->mechs->mech[m]) && bosc_job_names(job, m))
            return true;
    return false;
}

bosc_status bosc_build_ion_block(const bosc_layout *layout,
                                 bosc_mech_block *block, bosc_error *err)
{
    const bosc_status st = bosc_block_alloc(block, layout->n_slots, err);

    if (st != BOSC_OK)
        return st;
#pragma omp parallel for schedule(static)
    for (int32_t g = 0; g < layout->n_groups; ++g) {
        block->first[g + 1] = layout->first[g + 1];
        for (ptrdiff_t s = layout->first[g]; s < layout->first[g + 1]; ++s)
            block->at[s] = (int32_t)(s - layout->first[g]);
    }
    return BOSC_OK;
}

void bosc_build_ion(bosc_mech_block *block, ptrdiff_t slot, const double *p,
                    int style)
{
    block->state[BOSC_ION_E][slot] = p[0];
    block->state[BOSC_ION_INSIDE][slot] = p[1];
    block->state[BOSC_ION_OUTSIDE][slot] = p[2];
    block->style[slot] = (uint8_t)style;
}
