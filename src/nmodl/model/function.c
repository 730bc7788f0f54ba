#include "src/nmodl/model/function.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "src/base/status.h"

/* Generated text calls functions of bosc's own (kernels/base/formula.h,
 * elementary.h and circular.h), so that results have the same bits everywhere;
 * those of the C library here are exact, or rounded once. */
static const bosc_nm_function functions[] = {
    {"exp", BOSC_NM_MATH, 1, "bosc_exp"},
    {"log", BOSC_NM_MATH, 1, "bosc_log"},
    {"log10", BOSC_NM_MATH, 1, "bosc_log10"},
    {"sqrt", BOSC_NM_MATH, 1, "sqrt"},
    {"sin", BOSC_NM_MATH, 1, "bosc_sin"},
    {"cos", BOSC_NM_MATH, 1, "bosc_cos"},
    {"tan", BOSC_NM_MATH, 1, "bosc_tan"},
    {"asin", BOSC_NM_MATH, 1, "bosc_asin"},
    {"acos", BOSC_NM_MATH, 1, "bosc_acos"},
    {"atan", BOSC_NM_MATH, 1, "bosc_atan"},
    {"erf", BOSC_NM_MATH, 1, "bosc_erf"},
    {"sinh", BOSC_NM_MATH, 1, "bosc_sinh"},
    {"cosh", BOSC_NM_MATH, 1, "bosc_cosh"},
    {"tanh", BOSC_NM_MATH, 1, "bosc_tanh"},
    {"fabs", BOSC_NM_MATH, 1, "fabs"},
    {"abs", BOSC_NM_MATH, 1, "fabs"},
    {"floor", BOSC_NM_MATH, 1, "floor"},
    {"ceil", BOSC_NM_MATH, 1, "ceil"},
    {"trunc", BOSC_NM_MATH, 1, "trunc"},
    {"pow", BOSC_NM_MATH, 2, "bosc_pow"},
    {"atan2", BOSC_NM_MATH, 2, "bosc_atan2"},
    {"fmod", BOSC_NM_MATH, 2, "fmod"},
    {"printf", BOSC_NM_IDLE, 0, NULL},
    {"fprintf", BOSC_NM_IDLE, 0, NULL},
    {"net_send", BOSC_NM_EVENT, 2, "bosc_nm_send"},
    {"net_event", BOSC_NM_EVENT, 1, "bosc_nm_spike"},
    {"net_move", BOSC_NM_EVENT, 1, "bosc_nm_move"},
    {"state_discontinuity", BOSC_NM_EVENT, 2, NULL},
    {"scop_random", BOSC_NM_RANDOM, 0, NULL},
    {"normrand", BOSC_NM_RANDOM, 2, NULL},
    {"exprand", BOSC_NM_RANDOM, 1, NULL},
    {"random_negexp", BOSC_NM_RANDOM, 0, NULL},
    {"random_normal", BOSC_NM_RANDOM, 0, NULL},
    {"random_uniform", BOSC_NM_RANDOM, 0, NULL},
    {"random_dpick", BOSC_NM_RANDOM, 0, NULL},
    {"random_ipick", BOSC_NM_RANDOM, 0, NULL},
    {"set_seed", BOSC_NM_IDLE, 0, NULL},
    {"random_setseq", BOSC_NM_IDLE, 0, NULL},
    {"random_setids", BOSC_NM_IDLE, 0, NULL},
    {"#uniform", BOSC_NM_DRAWN, 1, "bosc_nm_uniform"},
    {"#normal", BOSC_NM_DRAWN, 1, "bosc_nm_normal"},
    {"#normal_end", BOSC_NM_DRAWN, 1, "bosc_nm_normal_end"},
    {"bosc_played", BOSC_NM_DRAWN, 1, "bosc_nm_played"},
    {"#fma", BOSC_NM_MATH, 3, "fma"},
    {"#moved", BOSC_NM_MATH, 3, "bosc_nm_moved"},
    {"#relax", BOSC_NM_MATH, 1, "bosc_relax"},
    {"#relax_near", BOSC_NM_NEAR, 1, "bosc_relax_near"},
    {"#relax_wide", BOSC_NM_NEAR, 1, "bosc_relax_wide"},
    {"#exp_near", BOSC_NM_NEAR, 1, "bosc_exp_near"},
    {"#per", BOSC_NM_NEAR, 1, "bosc_per"},
    {"#over", BOSC_NM_NEAR, 2, "bosc_over"},
    {"#exp_within", BOSC_NM_MATH, 1, "bosc_exp_within"},
    {"#exp_small", BOSC_NM_MATH, 1, "bosc_exp_near_0"},
    {"at_time", BOSC_NM_FORMULA, 1, NULL},
    {"nernst", BOSC_NM_FORMULA, 3, NULL},
    {"ghk", BOSC_NM_FORMULA, 4, NULL},
};

const bosc_nm_function *bosc_nm_function_find(const char *name)
{
    for (size_t i = 0; i < BOSC_LEN(functions); ++i)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

bool bosc_nm_function_value(const char *name, double x, double *value)
{
    static const struct {
        const char *name;
        double (*of)(double);
    } exact[] = {{"sqrt", sqrt},   {"fabs", fabs}, {"abs", fabs},
                 {"floor", floor}, {"ceil", ceil}, {"trunc", trunc}};

    for (size_t i = 0; i < BOSC_LEN(exact); ++i)
        if (strcmp(exact[i].name, name) == 0) {
            *value = exact[i].of(x);
            return true;
        }
    return false;
}
