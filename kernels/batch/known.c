#include "kernels/batch/known.h"

bool bosc_is_known(const bosc_mech_block *block)
{
    const bosc_mech *mech = block->mech;

    return mech->kind == BOSC_MECH_DENSITY && mech->n_pointers == 0 &&
           !mech->draws && !mech->sends && mech->formula.connect == NULL;
}

bool bosc_known_create(bosc_known *known, int n_value)
{
    const bosc_mech_block *block = known->block;
    const bosc_mech *mech = block->mech;
    int n = mech->n_ions + (mech->geometry ? 2 : 0);

    for (int j = 0; block->p.column != NULL && j < mech->n_params; ++j)
        n += block->p.varies[j];
    n += (known->from & BOSC_KNOWN_STATES) != 0 ? mech->n_states : 0;
    n += (known->from & BOSC_KNOWN_V) != 0;
    return bosc_memo_create(&known->memo, n, n_value, block->n);
}

double *bosc_known_find(bosc_known *known, ptrdiff_t i, ptrdiff_t slot,
                        bool *is_known)
{
    const bosc_batch *batch = known->batch;
    const bosc_mech_block *block = known->block;
    const bosc_mech *mech = block->mech;
    const bool states = (known->from & BOSC_KNOWN_STATES) != 0;
    double *key = known->memo.key;

    for (int j = 0; block->p.column != NULL && j < mech->n_params; ++j)
        if (block->p.varies[j])
            *key++ = block->p.column[j][i];
    for (int j = 0; j < mech->n_ions; ++j)
        *key++ = block->ion[j][slot];
    for (int j = 0; states && j < mech->n_states; ++j)
        *key++ = block->state[j][i];
    if ((known->from & BOSC_KNOWN_V) != 0)
        *key++ = batch->v[slot];
    if (mech->geometry) {
        *key++ = batch->diam[slot];
        *key++ = batch->area[slot];
    }
    return bosc_memo_find(&known->memo, is_known);
}
