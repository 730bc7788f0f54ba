#include "kernels/step/limits.h"

static bool has_artificial(const bosc_needs *needs)
{
    return needs->artificial;
}

static bool has_moves(const bosc_needs *needs)
{
    return needs->moves;
}

static bool has_pointers(const bosc_needs *needs)
{
    return needs->pointers;
}

const bosc_limit bosc_gpu_limits[] = {
    {"artificial cells", "its kernels send no spikes between steps", false,
     has_artificial, NULL},
    {"net_move", "its kernels cannot move an event", false, has_moves, NULL},
    {"POINTER", "its kernels copy no numbers between mechanisms", false,
     has_pointers, NULL},
    {.what = NULL},
};

static bool is_verified(const bosc_needs *needs)
{
    return needs->verified;
}

const bosc_limit bosc_section_limits[] = {
    {"POINTER", "the sections of a neuron are in different groups", false,
     has_pointers, NULL},
    {"verify", "the sections of a neuron are in different groups", false,
     is_verified, NULL},
    {.what = NULL},
};

const bosc_limit *bosc_limit_met(const bosc_limit *limits,
                                 const bosc_needs *needs, bool sure)
{
    for (const bosc_limit *l = limits; l != NULL && l->what != NULL; ++l)
        if (l->meets != NULL && !(sure && l->expected) && l->meets(needs))
            return l;
    return NULL;
}

const bosc_limit *bosc_limit_met_by(const bosc_limit *limits,
                                    const bosc_neuron_needs *needs)
{
    for (const bosc_limit *l = limits; l != NULL && l->what != NULL; ++l)
        if (l->neuron_meets != NULL && l->neuron_meets(needs))
            return l;
    return NULL;
}
