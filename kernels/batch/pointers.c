/* pointers.c - what POINTERs of mechanisms stand for is copied before formulas,
 * and back after them. */
#include "kernels/batch/instance.h"

/* Is there anything that a pointer stands for at instance i? */
static bool is_set(const bosc_pointer *pointer, ptrdiff_t i)
{
    return pointer->first == NULL ? pointer->to[i] != NULL
                                  : pointer->first[i] < pointer->first[i + 1];
}

/* The number that it stands for. */
static double number_of(const bosc_pointer *pointer, ptrdiff_t i)
{
    double sum = 0;

    if (pointer->first == NULL)
        return *pointer->to[i];
    for (ptrdiff_t t = pointer->first[i]; t < pointer->first[i + 1]; ++t)
        sum += pointer->weight[t] * *pointer->to[t];
    return sum;
}

void bosc_pointers_take(const bosc_mech_block *block, ptrdiff_t from,
                        ptrdiff_t n)
{
    const bosc_mech *mech = block->mech;

    for (int k = 0; k < mech->n_pointers; ++k) {
        const bosc_pointer *pointer = &block->pointers[k];
        double *copy = block->state[mech->pointers[k].state];

        for (ptrdiff_t i = from; i < from + n; ++i)
            if (is_set(pointer, i))
                copy[i] = number_of(pointer, i);
    }
}

void bosc_pointers_give(const bosc_mech_block *block, ptrdiff_t from,
                        ptrdiff_t n)
{
    const bosc_mech *mech = block->mech;

    for (int k = 0; k < mech->n_pointers; ++k) {
        const bosc_pointer *pointer = &block->pointers[k];
        const double *copy = block->state[mech->pointers[k].state];

        for (ptrdiff_t i = from; mech->pointers[k].writes && i < from + n; ++i)
            if (pointer->to[i] != NULL)
                *pointer->to[i] = copy[i];
    }
}
