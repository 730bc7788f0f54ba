#include "src/select/choose_format.h"

#include <math.h>

#include "src/select/rules.h"

static void insert(bosc_format_choice *choice, bosc_format_candidate candidate)
{
    int at = choice->n++;

    for (; at > 0 && choice->candidate[at - 1].seconds > candidate.seconds;
         --at)
        choice->candidate[at] = choice->candidate[at - 1];
    choice->candidate[at] = candidate;
}

/* The model predicts seconds of a unit, which is an entry or a row. */
static bool by_model(const bosc_learned *learned, bosc_spmv_format format,
                     const bosc_matrix_features *f, double *seconds)
{
    const bool known = bosc_learned_predict(
        learned, bosc_spmv_format_names[format], f->of, seconds);

    if (known)
        *seconds *= fmax(1, f->of[BOSC_MATRIX_FEATURE_entries] +
                                f->of[BOSC_MATRIX_FEATURE_rows]);
    return known;
}

void bosc_choose_format(const bosc_matrix_features *features, double processors,
                        bosc_spmv_format named, const bosc_learned *learned,
                        bosc_format_choice *out)
{
    bool model = learned != NULL && processors <= 0;
    double seconds;

    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS && model; ++f)
        model = by_model(learned, (bosc_spmv_format)f, features, &seconds);
    *out = (bosc_format_choice){.by = named != BOSC_SPMV_AUTO ? "the job"
                                      : model                 ? "a model"
                                                              : "rules"};
    for (int f = BOSC_SPMV_CSR; f < BOSC_N_SPMV_FORMATS; ++f) {
        const bosc_spmv_format format = (bosc_spmv_format)f;

        if (!model || !by_model(learned, format, features, &seconds))
            seconds = bosc_rule_product_seconds(format, features, processors);
        insert(out, (bosc_format_candidate){format, seconds});
    }
    out->format = named != BOSC_SPMV_AUTO ? named : out->candidate[0].format;
}
