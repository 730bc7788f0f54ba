/* registry.c - the table of mechanisms, as data. */
#include <string.h>

#include "kernels/mech/formulas.h"
#include "kernels/mech/mech.h"
#include "src/base/status.h"

#define CONSTANT(name)                                                         \
    static void constant_##name(const double *p, double *g, double *ge)        \
    {                                                                          \
        bosc_##name##_constant(p, g, ge);                                      \
    }                                                                          \
    _Static_assert(BOSC_LEN(bosc_##name##_params) <= BOSC_MECH_MAX_PARAMS,     \
                   "raise BOSC_MECH_MAX_PARAMS");

#define INIT(name)                                                             \
    static void init_##name(const double *p, double v, double celsius,         \
                            double *s)                                         \
    {                                                                          \
        bosc_##name##_init(p, v, celsius, s);                                  \
    }                                                                          \
    static void prepare_##name(const double *p, double celsius, double dt,     \
                               double *k)                                      \
    {                                                                          \
        bosc_##name##_prepare(p, celsius, dt, k);                              \
    }                                                                          \
    _Static_assert((int)BOSC_##name##_STATES <= (int)BOSC_MECH_MAX_STATES,     \
                   "raise BOSC_MECH_MAX_STATES");                              \
    _Static_assert(BOSC_LEN(bosc_##name##_states) == BOSC_##name##_STATES,     \
                   "bosc_" #name "_states must have BOSC_" #name               \
                   "_STATES rows");

#define RECEIVE(name)                                                          \
    static void receive_##name(const double *k, double weight, double *s)      \
    {                                                                          \
        bosc_##name##_receive(k, weight, s);                                   \
    }

BOSC_MECH_LIST(CONSTANT)
BOSC_MECH_DYNAMIC(INIT)
BOSC_MECH_POINT(RECEIVE)

static void init_nothing(const double *p, double v, double celsius, double *s)
{
    (void)p, (void)v, (void)celsius, (void)s;
}

#define COMMON(mech)                                                           \
    .name = #mech, .n_params = BOSC_LEN(bosc_##mech##_params),                 \
    .params = bosc_##mech##_params, .constant = constant_##mech

#define STATIC_ROW(mech)                                                       \
    [BOSC_MECH_##mech] = {COMMON(mech), .init = init_nothing},

#define DYNAMIC(mech)                                                          \
    COMMON(mech), .n_states = BOSC_##mech##_STATES,                            \
                  .states = bosc_##mech##_states, .init = init_##mech,         \
                  .prepare = prepare_##mech

#define DYNAMIC_ROW(mech) [BOSC_MECH_##mech] = {DYNAMIC(mech)},
#define POINT_ROW(mech)                                                        \
    [BOSC_MECH_##mech] = {DYNAMIC(mech), .receive = receive_##mech},

const bosc_mech bosc_mechs[BOSC_N_MECHS] = {BOSC_MECH_STATIC(
    STATIC_ROW) BOSC_MECH_MEMBRANE(DYNAMIC_ROW) BOSC_MECH_POINT(POINT_ROW)};

int bosc_mech_find(const char *name)
{
    for (int i = 0; i < BOSC_N_MECHS; ++i)
        if (strcmp(bosc_mechs[i].name, name) == 0)
            return i;
    return -1;
}
