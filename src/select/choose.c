#include "src/select/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/select/rules.h"

bool bosc_is_candidate(const bosc_method *method, const bosc_backend *backend)
{
    return method->backend == backend && method->engine.ops != NULL &&
           !method->other_bits && !method->chains &&
           !bosc_method_is_composed(method);
}

int bosc_choose_candidates(const bosc_backend *backend)
{
    int n = 0;

    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        n += bosc_is_candidate(m, backend);
    return n;
}

/* First those that compute themselves: what another method computes instead is
 * no choice. */
static bool is_before(const bosc_candidate *a, const bosc_candidate *b)
{
    if ((a->limit != NULL) != (b->limit != NULL))
        return a->limit == NULL;
    return a->seconds < b->seconds;
}

/* The fastest first; of two alike, the one that the registry has first. */
static void insert(bosc_choice *choice, bosc_candidate candidate)
{
    int at = choice->n++;

    for (; at > 0 && is_before(&candidate, &choice->candidate[at - 1]); --at)
        choice->candidate[at] = choice->candidate[at - 1];
    choice->candidate[at] = candidate;
}

static double by_rule(const bosc_method *method, const bosc_features *features)
{
    const double seconds = bosc_rule_seconds(method, features);

    return isfinite(seconds) && seconds > 0 ? seconds : INFINITY;
}

/* A model is asked for all candidates, or not at all: times of two kinds cannot
 * be compared. */
static bool knows_all(const bosc_learned *learned, const bosc_backend *backend,
                      const bosc_features *features)
{
    double seconds;

    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (bosc_is_candidate(m, backend) &&
            !bosc_learned_predict(learned, m->name, features->of, &seconds))
            return false;
    return true;
}

static double by_model(const bosc_learned *learned, const bosc_method *method,
                       const bosc_features *features)
{
    double seconds = INFINITY;

    bosc_learned_predict(learned,
                         bosc_method_computing(method, &features->needs)->name,
                         features->of, &seconds);
    return seconds * fmax(1, features->of[BOSC_FEATURE_compartments]);
}

void bosc_choose(const bosc_method *resolved, bool named,
                 const bosc_features *features, const bosc_learned *learned,
                 bosc_choice *out)
{
    const bool huge =
        features->of[BOSC_FEATURE_compartments] > BOSC_LEARNED_MOST;
    const bool model = learned != NULL && !huge &&
                       knows_all(learned, resolved->backend, features);

    *out = (bosc_choice){.method = resolved,
                         .seconds = NAN,
                         .by = named   ? "the job"
                               : model ? "a model"
                                       : "rules",
                         .features = *features};
    if (learned != NULL && huge)
        snprintf(out->note, sizeof out->note,
                 "it knows up to %.0g compartments on a rank",
                 BOSC_LEARNED_MOST);
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (out->n < BOSC_CANDIDATES && bosc_is_candidate(m, resolved->backend))
            insert(out,
                   (bosc_candidate){m,
                                    model ? by_model(learned, m, features)
                                          : by_rule(m, features),
                                    bosc_limit_met(m->engine.limits,
                                                   &features->needs, false)});
    if (!named && out->n > 0 && isfinite(out->candidate[0].seconds))
        out->method = out->candidate[0].method;
    if (!named)
        out->method = bosc_method_computing(out->method, &features->needs);
    out->limit =
        bosc_limit_met(out->method->engine.limits, &features->needs, false);
    for (int k = 0; k < out->n; ++k)
        if (out->candidate[k].method == out->method &&
            isfinite(out->candidate[k].seconds))
            out->seconds = out->candidate[k].seconds;
}

static int none(const char **why, const char *reason)
{
    if (why != NULL)
        *why = reason;
    return 0;
}

int bosc_choose_rivals(const bosc_choice *choice, int64_t steps,
                       const char **why)
{
    enum { MOST = 3 };
    int n = 0;

    if (strcmp(choice->by, "the job") == 0)
        return none(why, "the job names it");
    if (!(choice->seconds * (double)steps >= BOSC_MEASURED_FROM))
        return none(why, "the run is too short for it");
    while (n < choice->n && n < MOST && choice->candidate[n].limit == NULL &&
           choice->candidate[n].seconds <=
               BOSC_RIVAL_AT_MOST * choice->candidate[0].seconds)
        ++n;
    return n > 1 ? n : none(why, "no other method comes near");
}

int32_t bosc_choose_width(int32_t widest, double neurons, double processors)
{
    int32_t width = widest / 4;

    while (width < widest && neurons > width * processors)
        width *= 2;
    return width;
}

int32_t bosc_choose_lanes(const bosc_backend *backend)
{
    int32_t lanes = 1;

    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (bosc_is_candidate(m, backend) && bosc_method_width(m) > lanes)
            lanes = bosc_method_width(m);
    return lanes;
}
