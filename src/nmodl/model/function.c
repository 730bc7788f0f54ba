#include "src/nmodl/model/function.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "src/base/status.h"

/* Generated text calls functions of bosc's own (kernels/base/formula.h and
 * elementary.h), so that results have the same bits everywhere; sin and its
 * like are libm's, and change here alone. */
static const bosc_nm_function functions[] = {
    {"exp", BOSC_NM_MATH, 1, "bosc_exp", NULL},
    {"log", BOSC_NM_MATH, 1, "bosc_log", NULL},
    {"log10", BOSC_NM_MATH, 1, "bosc_log10", NULL},
    {"sqrt", BOSC_NM_MATH, 1, "sqrt", NULL},
    {"sin", BOSC_NM_MATH, 1, "sin", NULL},
    {"cos", BOSC_NM_MATH, 1, "cos", NULL},
    {"tan", BOSC_NM_MATH, 1, "tan", NULL},
    {"asin", BOSC_NM_MATH, 1, "asin", NULL},
    {"acos", BOSC_NM_MATH, 1, "acos", NULL},
    {"atan", BOSC_NM_MATH, 1, "atan", NULL},
    {"sinh", BOSC_NM_MATH, 1, "bosc_sinh", NULL},
    {"cosh", BOSC_NM_MATH, 1, "bosc_cosh", NULL},
    {"tanh", BOSC_NM_MATH, 1, "bosc_tanh", NULL},
    {"fabs", BOSC_NM_MATH, 1, "fabs", NULL},
    {"abs", BOSC_NM_MATH, 1, "fabs", NULL},
    {"floor", BOSC_NM_MATH, 1, "floor", NULL},
    {"ceil", BOSC_NM_MATH, 1, "ceil", NULL},
    {"trunc", BOSC_NM_MATH, 1, "trunc", NULL},
    {"pow", BOSC_NM_MATH, 2, "bosc_pow", NULL},
    {"atan2", BOSC_NM_MATH, 2, "atan2", NULL},
    {"fmod", BOSC_NM_MATH, 2, "fmod", NULL},
    {"printf", BOSC_NM_IDLE, 0, NULL, NULL},
    {"fprintf", BOSC_NM_IDLE, 0, NULL, NULL},
    {"net_send", BOSC_NM_EVENT, 2, "bosc_nm_send", NULL},
    {"net_event", BOSC_NM_EVENT, 1, "bosc_nm_spike", NULL},
    {"net_move", BOSC_NM_EVENT, 1, "bosc_nm_move", NULL},
    {"state_discontinuity", BOSC_NM_EVENT, 2, NULL, NULL},
    {"scop_random", BOSC_NM_RANDOM, 0, NULL, NULL},
    {"normrand", BOSC_NM_RANDOM, 2, NULL, NULL},
    {"exprand", BOSC_NM_RANDOM, 1, NULL, NULL},
    {"random_negexp", BOSC_NM_RANDOM, 0, NULL, NULL},
    {"random_normal", BOSC_NM_RANDOM, 0, NULL, NULL},
    {"random_uniform", BOSC_NM_RANDOM, 0, NULL, NULL},
    {"random_dpick", BOSC_NM_RANDOM, 0, NULL, NULL},
    {"poisrand", BOSC_NM_REFUSED, 0, NULL,
     "draw waiting times from exprand(), and count them"},
    {"random_ipick", BOSC_NM_REFUSED, 0, NULL, "use random_uniform()"},
    {"set_seed", BOSC_NM_IDLE, 0, NULL, NULL},
    {"random_setseq", BOSC_NM_IDLE, 0, NULL, NULL},
    {"random_setids", BOSC_NM_IDLE, 0, NULL, NULL},
    {"#uniform", BOSC_NM_DRAWN, 1, "bosc_nm_uniform", NULL},
    {"#normal", BOSC_NM_DRAWN, 1, "bosc_nm_normal", NULL},
    {"#normal_end", BOSC_NM_DRAWN, 1, "bosc_nm_normal_end", NULL},
    {"#fma", BOSC_NM_MATH, 3, "fma", NULL},
    {"#relax", BOSC_NM_MATH, 1, "bosc_relax", NULL},
    {"#relax_near", BOSC_NM_NEAR, 1, "bosc_relax_near", NULL},
    {"#relax_wide", BOSC_NM_NEAR, 1, "bosc_relax_wide", NULL},
    {"#exp_near", BOSC_NM_NEAR, 1, "bosc_exp_near", NULL},
    {"#per", BOSC_NM_NEAR, 1, "bosc_per", NULL},
    {"#over", BOSC_NM_NEAR, 2, "bosc_over", NULL},
    {"#exp_within", BOSC_NM_MATH, 1, "bosc_exp_within", NULL},
    {"#exp_small", BOSC_NM_MATH, 1, "bosc_exp_near_0", NULL},
    {"at_time", BOSC_NM_FORMULA, 1, NULL, NULL},
    {"nernst", BOSC_NM_FORMULA, 3, NULL, NULL},
    {"ghk", BOSC_NM_FORMULA, 4, NULL, NULL},
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
