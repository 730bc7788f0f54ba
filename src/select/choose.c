#include "src/select/choose.h"

#include <math.h>

#include "src/select/rules.h"

static bool is_candidate(const bosc_method *m, const bosc_backend *backend)
{
    return m->backend == backend && m->engine.ops != NULL && !m->other_bits &&
           !m->chains;
}

/* The fastest first; of two alike, the one that the registry has first. */
static void insert(bosc_choice *choice, bosc_candidate candidate)
{
    int at = choice->n++;

    for (; at > 0 && choice->candidate[at - 1].seconds > candidate.seconds;
         --at)
        choice->candidate[at] = choice->candidate[at - 1];
    choice->candidate[at] = candidate;
}

static double predict(const bosc_method *method, const bosc_features *features)
{
    const double seconds = bosc_rule_seconds(method, features);

    return isfinite(seconds) && seconds > 0 ? seconds : INFINITY;
}

void bosc_choose(const bosc_method *resolved, bool named,
                 const bosc_features *features, bosc_choice *out)
{
    *out = (bosc_choice){.method = resolved,
                         .seconds = NAN,
                         .by = named ? "the job" : "rules",
                         .features = *features};
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (out->n < BOSC_CANDIDATES && is_candidate(m, resolved->backend))
            insert(out, (bosc_candidate){m, predict(m, features)});
    if (!named && out->n > 0 && isfinite(out->candidate[0].seconds))
        out->method = out->candidate[0].method;
    for (int k = 0; k < out->n; ++k)
        if (out->candidate[k].method == out->method &&
            isfinite(out->candidate[k].seconds))
            out->seconds = out->candidate[k].seconds;
}

int32_t bosc_choose_lanes(const bosc_backend *backend)
{
    int32_t lanes = 1;

    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (is_candidate(m, backend) && bosc_method_width(m) > lanes)
            lanes = bosc_method_width(m);
    return lanes;
}

bosc_spmv_format bosc_choose_format(const bosc_matrix_features *features)
{
    bosc_spmv_format best = BOSC_SPMV_CSR;

    for (int k = BOSC_SPMV_CSR + 1; k < BOSC_N_SPMV_FORMATS; ++k)
        if (bosc_matrix_rule_seconds((bosc_spmv_format)k, features) <
            bosc_matrix_rule_seconds(best, features))
            best = (bosc_spmv_format)k;
    return best;
}
