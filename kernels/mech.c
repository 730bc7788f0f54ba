#include "kernels/mech.h"

#include <string.h>

#include "src/status.h"

#define MECH_FUNCTIONS(name)                                                   \
    static void constant_##name(const double *p, double *g, double *ge)        \
    {                                                                          \
        bosc_##name##_constant(p, g, ge);                                      \
    }                                                                          \
    static void init_##name(const double *p, double v, double celsius,         \
                            double *s)                                         \
    {                                                                          \
        bosc_##name##_init(p, v, celsius, s);                                  \
    }                                                                          \
    _Static_assert(BOSC_LEN(bosc_##name##_params) <= BOSC_MECH_MAX_PARAMS,     \
                   "raise BOSC_MECH_MAX_PARAMS");                              \
    _Static_assert((int)BOSC_##name##_STATES <= (int)BOSC_MECH_MAX_STATES,     \
                   "raise BOSC_MECH_MAX_STATES");

BOSC_MECH_LIST(MECH_FUNCTIONS)

#define MECH_ROW(mech)                                                         \
    {                                                                          \
        .name = #mech,                                                         \
        .n_params = BOSC_LEN(bosc_##mech##_params),                            \
        .params = bosc_##mech##_params,                                        \
        .n_states = BOSC_##mech##_STATES,                                      \
        .state_names = bosc_##mech##_state_names,                              \
        .constant = constant_##mech,                                           \
        .init = init_##mech,                                                   \
    },

const bosc_mech bosc_mechs[BOSC_N_MECHS] = {BOSC_MECH_LIST(MECH_ROW)};

int bosc_mech_find(const char *name)
{
    for (int i = 0; i < BOSC_N_MECHS; ++i)
        if (strcmp(bosc_mechs[i].name, name) == 0)
            return i;
    return -1;
}
